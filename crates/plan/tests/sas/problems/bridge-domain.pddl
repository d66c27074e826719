; A courier carries one parcel at a time over a bridge that wears out.
(define (domain bridge)
  (:requirements :strips :typing)
  (:types bank parcel wear)
  (:predicates (courier-on ?b - bank) (parcel-on ?p - parcel ?b - bank) (carries ?p - parcel) (free)
    (worn ?w - wear) (then ?w ?next - wear))
  (:action cross
    :parameters (?from ?to - bank ?w ?next - wear)
    :precondition (and (courier-on ?from) (worn ?w) (then ?w ?next))
    :effect (and (courier-on ?to) (not (courier-on ?from)) (worn ?next) (not (worn ?w))))
  (:action take
    :parameters (?p - parcel ?b - bank)
    :precondition (and (courier-on ?b) (parcel-on ?p ?b) (free))
    :effect (and (carries ?p) (not (parcel-on ?p ?b)) (not (free))))
  (:action drop
    :parameters (?p - parcel ?b - bank)
    :precondition (and (courier-on ?b) (carries ?p))
    :effect (and (parcel-on ?p ?b) (free) (not (carries ?p)))))
