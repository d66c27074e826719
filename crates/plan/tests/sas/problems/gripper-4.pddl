; 4 balls from the cellar to the attic.
(define (problem gripper-4)
  (:domain gripper)
  (:objects cellar attic - room left right - hand ball1 ball2 ball3 ball4 - ball)
  (:init (robot-in cellar) (empty left) (empty right)
    (lies ball1 cellar) (lies ball2 cellar) (lies ball3 cellar) (lies ball4 cellar))
  (:goal (and (lies ball1 attic) (lies ball2 attic) (lies ball3 attic) (lies ball4 attic))))
