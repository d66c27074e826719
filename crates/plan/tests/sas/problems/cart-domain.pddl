; What lies in the cart moves with the cart.
(define (domain cart)
  (:requirements :adl)
  (:types place thing)
  (:predicates (cart-at ?p - place) (at ?t - thing ?p - place) (in-cart ?t - thing) (path ?a ?b - place))
  (:action push
    :parameters (?from ?to - place)
    :precondition (and (cart-at ?from) (path ?from ?to))
    :effect (and (cart-at ?to) (not (cart-at ?from))
      (forall (?t - thing) (when (in-cart ?t) (and (at ?t ?to) (not (at ?t ?from)))))))
  (:action load
    :parameters (?t - thing ?p - place)
    :precondition (and (cart-at ?p) (at ?t ?p) (not (in-cart ?t)))
    :effect (in-cart ?t))
  (:action unload
    :parameters (?t - thing)
    :precondition (in-cart ?t)
    :effect (not (in-cart ?t))))
