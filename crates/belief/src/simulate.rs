//! Ways drawn from the dynamics themselves: to test trackers with a truth that follows their model exactly.

use repertoire_prob::{Rng, draw, stream};

use crate::Dynamics;

/// Somebody who moves by the dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Where.
    pub place: usize,
    /// For how many steps, this one included.
    pub elapsed: usize,
}

impl Walk {
    /// The first step of a first stay.
    pub fn begin<R: Rng + ?Sized>(dynamics: &Dynamics, rng: &mut R) -> Self {
        Walk { place: draw::sample(dynamics.initial(), rng), elapsed: 1 }
    }

    /// One step on.
    #[inline]
    pub fn step<R: Rng + ?Sized>(&mut self, dynamics: &Dynamics, rng: &mut R) {
        if stream::unit(rng) >= dynamics.ending(self.place, self.elapsed) {
            self.elapsed += 1;
            return;
        }
        let mut left = stream::unit(rng);
        let mut next = self.place;
        for (to, p) in dynamics.exits(self.place) {
            next = to;
            if left < p {
                break;
            }
            left -= p;
        }
        *self = Walk { place: next, elapsed: 1 };
    }
}
