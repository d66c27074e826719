; One tower, another order.
(define (problem blocks-4)
  (:domain blocks)
  (:objects a b c d)
  (:init (idle) (on-table a) (on b a) (on c b) (on d c) (bare d))
  (:goal (and (on a c) (on d a) (on b d))))
