; Flour to the bakery, grain to the mill, and the cart home, empty.
(define (problem cart)
  (:domain cart)
  (:objects farm mill bakery - place grain flour - thing)
  (:init (cart-at bakery) (at grain farm) (at flour mill)
    (path farm mill) (path mill farm) (path mill bakery) (path bakery mill))
  (:goal (and (cart-at farm) (at grain mill) (at flour bakery) (not (in-cart grain)) (not (in-cart flour)))))
