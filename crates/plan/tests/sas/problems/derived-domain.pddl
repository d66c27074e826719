; A door is safe if it is locked or guarded: a derived predicate, hence an axiom.
(define (domain derived)
  (:requirements :adl :derived-predicates)
  (:types door)
  (:predicates (locked ?d - door) (guarded ?d - door) (safe ?d - door) (at-rest))
  (:derived (safe ?d - door) (or (locked ?d) (guarded ?d)))
  (:action lock
    :parameters (?d - door)
    :precondition (not (locked ?d))
    :effect (locked ?d))
  (:action guard
    :parameters (?d - door)
    :precondition (not (guarded ?d))
    :effect (guarded ?d))
  (:action rest
    :parameters ()
    :precondition (forall (?d - door) (safe ?d))
    :effect (at-rest)))
