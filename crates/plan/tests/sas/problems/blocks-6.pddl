; Two towers exchange blocks.
(define (problem blocks-6)
  (:domain blocks)
  (:objects a b c d e f)
  (:init (idle) (on-table a) (on b a) (on c b) (bare c) (on-table d) (on e d) (on f e) (bare f))
  (:goal (and (on b f) (on c b) (on e a) (on d e))))
