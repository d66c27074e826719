; A lift picks up passengers and lets them out where they want to go.
(define (domain miconic)
  (:requirements :strips :typing)
  (:types passenger floor)
  (:predicates (waits ?p - passenger ?f - floor) (wants ?p - passenger ?f - floor) (above ?low ?high - floor)
    (boarded ?p - passenger) (served ?p - passenger) (lift-at ?f - floor))
  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))
  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from))))
  (:action board
    :parameters (?p - passenger ?f - floor)
    :precondition (and (lift-at ?f) (waits ?p ?f))
    :effect (boarded ?p))
  (:action leave
    :parameters (?p - passenger ?f - floor)
    :precondition (and (lift-at ?f) (wants ?p ?f) (boarded ?p))
    :effect (and (served ?p) (not (boarded ?p)))))
