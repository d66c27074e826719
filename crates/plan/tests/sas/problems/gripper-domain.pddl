; A robot with two hands carries balls from room to room.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball hand)
  (:predicates (robot-in ?r - room) (lies ?b - ball ?r - room) (empty ?h - hand) (held ?b - ball ?h - hand))
  (:action walk
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (robot-in ?to) (not (robot-in ?from))))
  (:action grasp
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (lies ?b ?r) (robot-in ?r) (empty ?h))
    :effect (and (held ?b ?h) (not (lies ?b ?r)) (not (empty ?h))))
  (:action release
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (held ?b ?h) (robot-in ?r))
    :effect (and (lies ?b ?r) (empty ?h) (not (held ?b ?h)))))
