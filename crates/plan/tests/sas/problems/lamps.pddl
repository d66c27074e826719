; Seven lamps in a row, each switch wired to its own and to those beside it; the one lit lamp shall go out.
(define (problem lamps)
  (:domain lamps)
  (:objects l1 l2 l3 l4 l5 l6 l7 - lamp s1 s2 s3 s4 s5 s6 s7 - switch)
  (:init
    (wired s1 l1) (wired s1 l2)
    (wired s2 l1) (wired s2 l2) (wired s2 l3)
    (wired s3 l2) (wired s3 l3) (wired s3 l4)
    (wired s4 l3) (wired s4 l4) (wired s4 l5)
    (wired s5 l4) (wired s5 l5) (wired s5 l6)
    (wired s6 l5) (wired s6 l6) (wired s6 l7)
    (wired s7 l6) (wired s7 l7)
    (lit l1))
  (:goal (and (not (lit l1)) (not (lit l2)) (not (lit l3)) (not (lit l4)) (not (lit l5)) (not (lit l6)) (not (lit l7)))))
