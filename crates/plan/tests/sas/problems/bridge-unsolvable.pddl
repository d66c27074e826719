; Two parcels need three crossings; the bridge bears two.
(define (problem bridge-unsolvable)
  (:domain bridge)
  (:objects near far - bank letter crate - parcel sound cracked broken - wear)
  (:init (courier-on near) (parcel-on letter near) (parcel-on crate near) (free)
    (worn sound) (then sound cracked) (then cracked broken))
  (:goal (and (parcel-on letter far) (parcel-on crate far))))
