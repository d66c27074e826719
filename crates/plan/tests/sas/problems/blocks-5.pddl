; Two towers into one.
(define (problem blocks-5)
  (:domain blocks)
  (:objects a b c d e)
  (:init (idle) (on-table a) (on b a) (on c b) (bare c) (on-table d) (on e d) (bare e))
  (:goal (and (on b e) (on d b) (on a d) (on c a))))
