//! One interface for all trackers, and what they may be told.
//!
//! | tracker                              | file              |
//! |--------------------------------------|-------------------|
//! | where it was last seen               | here              |
//! | HMM, HSMM, by context, with habits   | [`crate::region`] |
//! | particles                            | [`crate::region`] |
//! | recorded ways as hidden states       | [`crate::ways`]   |
//! | several of them pooled               | [`crate::pool`]   |

use crate::error::{self, FilterError};
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
        /// How well each place explains what was heard, if anything was: 1 where it would sound just so.
        heard: Option<&'a [f64]>,
        /// Where those who look stand.
        watchers: &'a [u32],
    },
}

impl Evidence<'_> {
    /// Whether trackers of so many places can be told this: trackers themselves take it as it is, and panic on a place that
    /// is not there.
    ///
    /// # Errors
    /// When a place is not there, or a list has not one entry for each place, between 0 and 1.
    pub fn check(&self, places: usize) -> Result<(), FilterError> {
        match self {
            Evidence::Seen(place) => error::place(*place, places),
            Evidence::Unseen { visible, heard, watchers } => {
                error::shares("visible", visible, places)?;
                heard.map_or(Ok(()), |heard| error::shares("heard", heard, places))?;
                watchers.iter().try_for_each(|&at| error::place(at as usize, places))
            }
        }
    }

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
///
/// What it is told comes from a loop over many opponents and is taken as it is: see [`Evidence::check`].
///
/// ```
/// use repertoire_belief::play::Situation;
/// use repertoire_belief::tracker::{Evidence, LastSeen, Quarry, Tracker};
///
/// let mut tracker = LastSeen::default();
/// let situation = Situation::default();
/// tracker.begin(Quarry { side: 0, player: None }, situation, 2);
/// let evidence = Evidence::Unseen { visible: &[0.0, 1.0, 0.0], heard: None, watchers: &[1] };
/// evidence.check(3)?;
/// tracker.step(situation, evidence);
/// let mut belief = [0.0; 3];
/// tracker.belief(&mut belief);
/// assert_eq!(belief, [0.0, 0.0, 1.0]);
/// # Ok::<(), repertoire_belief::FilterError>(())
/// ```
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
