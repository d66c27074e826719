//! One interface for all trackers, and what they may be told.
//!
//! | tracker                              | file              |
//! |--------------------------------------|-------------------|
//! | where it was last seen               | here              |
//! | HMM, HSMM, by context, with habits   | [`crate::region`] |
//! | particles                            | [`crate::region`] |
//! | recorded ways as hidden states       | [`crate::ways`]   |
//! | several of them pooled               | [`crate::pool`]   |

use crate::play::Situation;

/// Whom to track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarry {
    /// Its side, as the model numbers them.
    pub side: u8,
    /// Who it is, as the model numbers players; none if it was never met.
    pub player: Option<u16>,
}

/// What is observed of one opponent in a step.
#[derive(Clone, Copy, Debug)]
pub enum Evidence<'a> {
    /// It is seen there.
    Seen(usize),
    /// It is not seen.
    Unseen {
        /// This much of each place is in view (1 all of it, 0 nothing).
        visible: &'a [f64],
        /// How well each place explains what was heard, if anything was; see [`crate::observe::noise`].
        heard: Option<&'a [f64]>,
        /// Where those who look stand.
        watchers: &'a [u32],
    },
}

impl Evidence<'_> {
    /// `P(this | it is in that place)`.
    ///
    /// Differs from the paper: `|W∩X(g)| / |X(g)|` is printed as the likelihood of an empty view, but it is the
    /// probability of being *seen* at `g`; not being seen has `1 -` that.
    #[inline]
    pub fn likelihood(&self, place: usize) -> f64 {
        match self {
            Evidence::Seen(there) => f64::from(u8::from(*there == place)),
            Evidence::Unseen { visible, heard, .. } => {
                (1.0 - visible[place]) * heard.map_or(1.0, |heard| heard[place])
            }
        }
    }
}

/// Something that believes where an opponent is.
pub trait Tracker: Send {
    /// Begins anew, with the opponent in a known place.
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize);

    /// Others of its side are seen there now: told before the step, by those who keep several trackers. What a side does
    /// it does together.
    fn mates_seen(&mut self, _situation: Situation, _places: &[u32]) {}

    /// One step: the opponent moves, then this is observed.
    fn step(&mut self, situation: Situation, evidence: Evidence<'_>);

    /// The probability of each place.
    fn belief(&self, into: &mut [f64]);
}

/// Where it was last seen, and nowhere else.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastSeen {
    place: usize,
}

impl Tracker for LastSeen {
    fn begin(&mut self, _: Quarry, _: Situation, place: usize) {
        self.place = place;
    }

    fn step(&mut self, _: Situation, evidence: Evidence<'_>) {
        if let Evidence::Seen(place) = evidence {
            self.place = place;
        }
    }

    fn belief(&self, into: &mut [f64]) {
        into.fill(0.0);
        into[self.place] = 1.0;
    }
}
