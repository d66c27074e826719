; A switch turns over every lamp wired to it.
(define (domain lamps)
  (:requirements :adl)
  (:types lamp switch)
  (:predicates (wired ?s - switch ?l - lamp) (lit ?l - lamp))
  (:action flip
    :parameters (?s - switch)
    :precondition ()
    :effect (forall (?l - lamp)
      (and (when (and (wired ?s ?l) (lit ?l)) (not (lit ?l)))
           (when (and (wired ?s ?l) (not (lit ?l))) (lit ?l))))))
