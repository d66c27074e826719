; One hand moves blocks between stacks.
(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?top ?below) (on-table ?b) (bare ?b) (idle) (lifted ?b))
  (:action lift
    :parameters (?b)
    :precondition (and (on-table ?b) (bare ?b) (idle))
    :effect (and (lifted ?b) (not (on-table ?b)) (not (bare ?b)) (not (idle))))
  (:action lower
    :parameters (?b)
    :precondition (lifted ?b)
    :effect (and (on-table ?b) (bare ?b) (idle) (not (lifted ?b))))
  (:action take-off
    :parameters (?top ?below)
    :precondition (and (on ?top ?below) (bare ?top) (idle))
    :effect (and (lifted ?top) (bare ?below) (not (on ?top ?below)) (not (bare ?top)) (not (idle))))
  (:action put-on
    :parameters (?top ?below)
    :precondition (and (lifted ?top) (bare ?below))
    :effect (and (on ?top ?below) (bare ?top) (idle) (not (lifted ?top)) (not (bare ?below)))))
