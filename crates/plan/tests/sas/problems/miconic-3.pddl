; Three passengers, five floors.
(define (problem miconic-3)
  (:domain miconic)
  (:objects p1 p2 p3 - passenger f0 f1 f2 f3 f4 - floor)
  (:init (lift-at f2)
    (waits p1 f0) (wants p1 f4) (waits p2 f3) (wants p2 f1) (waits p3 f2) (wants p3 f3)
    (above f0 f1) (above f0 f2) (above f0 f3) (above f0 f4) (above f1 f2) (above f1 f3) (above f1 f4) (above f2 f3) (above f2 f4) (above f3 f4))
  (:goal (and (served p1) (served p2) (served p3))))
