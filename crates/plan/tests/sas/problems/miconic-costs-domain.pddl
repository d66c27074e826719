; The same lift, which pays for every floor it passes and for every stop.
(define (domain miconic-costs)
  (:requirements :strips :typing :action-costs)
  (:types passenger floor)
  (:predicates (waits ?p - passenger ?f - floor) (wants ?p - passenger ?f - floor) (above ?low ?high - floor)
    (boarded ?p - passenger) (served ?p - passenger) (lift-at ?f - floor))
  (:functions (total-cost) - number (floors ?a ?b - floor) - number)
  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from)) (increase (total-cost) (floors ?from ?to))))
  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from)) (increase (total-cost) (floors ?from ?to))))
  (:action board
    :parameters (?p - passenger ?f - floor)
    :precondition (and (lift-at ?f) (waits ?p ?f))
    :effect (and (boarded ?p) (increase (total-cost) 1)))
  (:action leave
    :parameters (?p - passenger ?f - floor)
    :precondition (and (lift-at ?f) (wants ?p ?f) (boarded ?p))
    :effect (and (served ?p) (not (boarded ?p)) (increase (total-cost) 1))))
