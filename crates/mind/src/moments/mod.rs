//! Hands of a person: what they did in the moments of their play that are most like the present one.
//!
//! Somebody else decides where to go and whom to fight (a native bot's state machine, or any other decider). How that is done, turning, looking up and
//! down, keys, jumps and fire, is copied tick by tick from a teacher: of all moments of their play the three are found whose situation
//! is nearest, and one of them is done again, relative to where one looks. The moment after the one that was copied last is preferred,
//! so that turns and runs are finished as the teacher finished them.
//!
//! People look where they are about to run, and press keys relative to that: so a situation holds the own velocity, the last turns, and
//! where the route leads in 0.8 and in 2 s; of an opponent in view, where they are.
//!
//! On a map that the teacher was recorded on there is more: the pupil follows the teacher's own trails from one to the next, so that its
//! routes, its jumps and the speed it gains by them are the teacher's.
//!
//! | module       | what it holds                                             |
//! |--------------|-----------------------------------------------------------|
//! | `situation`  | a moment as numbers that can be compared                   |
//! | `lived`      | where a moment was lived                                   |
//! | `watcher`    | moments from play                                          |
//! | `file`       | moments as text                                            |
//! | `mimic`      | doing again what the teacher did                           |
//! | `trail`      | the teacher's trails, and which one to follow              |
//! | `done`       | what was done already, so that it is not done over and over |
//! | `steer`      | the keys that keep a body on a trail                       |
//! | `trap`       | noticing that one gets nowhere, and going by the decider's legs for a while |
//! | `gaze`       | where to look on a trail, and at somebody in view          |
//! | `likelihood` | how well moments foretell play they did not see            |

mod done;
mod file;
mod gaze;
mod likelihood;
mod lived;
mod mimic;
mod situation;
mod steer;
#[cfg(test)]
mod tests;
mod trail;
mod trap;
mod watcher;

pub use file::FORMAT;
use lived::Lived;
pub(crate) use lived::map_print;
pub(crate) use mimic::{Intent, Mimic};
pub use situation::FEATURES;
pub use watcher::MomentWatcher;

use repertoire_prob::Stream;

use crate::{Command, Fire};

/// What was done in a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Deed {
    pub command: Command,
    /// The turn and the tilt to face the opponent, where there was one.
    pub foe: Option<[f64; 2]>,
    /// Where they looked, up and down.
    pub pitch: f64,
    /// Whether it goes on from the moment before.
    pub follows: bool,
}

/// The moments of somebody's play.
///
/// ```
/// use repertoire_mind::moments::{MomentWatcher, Moments};
/// use repertoire_mind::{Command, Percept};
///
/// let mut watcher = MomentWatcher::default();
/// for tick in 0..40 {
///     let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
///     (percept.own.life, percept.own.position.x) = (1, f64::from(tick));
///     watcher.see(&percept, &Command { forward: 1.0, ..Command::default() });
/// }
/// let moments = watcher.finish().expect("there was play");
/// assert_eq!(moments.len(), 40);
/// let again = Moments::read(&moments.write())?;
/// assert_eq!(again.write(), moments.write());
/// # Ok::<(), repertoire_mind::moments::NoMoments>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    situations: Vec<[f32; FEATURES]>,
    deeds: Vec<Deed>,
    /// Where each was lived.
    lived: Vec<Lived>,
    /// The maps, each as a number that tells it from others.
    maps: Vec<u64>,
    /// How often they fire with somebody in view: not aiming at them, and aiming at them.
    fires: [f64; 2],
}

/// A file that holds no moments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoMoments(pub String);

impl Moments {
    fn new(
        situations: Vec<[f32; FEATURES]>,
        deeds: Vec<Deed>,
        mut lived: Vec<Lived>,
        maps: Vec<u64>,
    ) -> Self {
        lived::count_left(&mut lived, &deeds);
        let mut moments = Moments { situations, deeds, lived, maps, fires: [0.0; 2] };
        let (mut fired, mut all) = ([0.0; 2], [1e-9; 2]);
        for (k, deed) in moments.deeds.iter().enumerate().filter(|(_, deed)| deed.foe.is_some()) {
            let is_on = usize::from(moments.was_on_target(k));
            all[is_on] += 1.0;
            fired[is_on] += f64::from(u8::from(deed.command.fire != Fire::None));
        }
        moments.fires = [fired[0] / all[0], fired[1] / all[1]];
        moments
    }

    /// Whether the teacher aimed at the opponent in a moment, half-way through its turn.
    fn was_on_target(&self, k: usize) -> bool {
        let Deed { foe: Some(then), command, .. } = self.deeds[k] else { return false };
        let after = self.deeds.get(k + 1).filter(|after| after.follows).and_then(|after| after.foe);
        let after = after.unwrap_or([then[0] - command.yaw, then[1] - command.pitch]);
        let off = [(then[0] + after[0]) / 2.0, (then[1] + after[1]) / 2.0];
        gaze::is_on_target(off, self.lived[k].foe_m)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.deeds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.deeds.is_empty()
    }

    /// One of the moments that are most like a situation, or the one after the last where that is like enough. In a fight only moments of
    /// fights count, and out of one only the others.
    pub(crate) fn alike(&self, last: Option<u32>, now: &[f32], draw: &mut Stream) -> usize {
        let next = last.map(|last| last as usize + 1);
        let next = next.filter(|&next| self.deeds.get(next).is_some_and(|deed| deed.follows));
        let is_fight = now[situation::FOE] > 0.0;
        let mut best = [(f32::INFINITY, 0_usize); NEAREST];
        self.nearest_if(now, &mut best, |k| self.deeds[k].foe.is_some() == is_fight);
        if best[0].0.is_infinite() {
            self.nearest(now, &mut best);
        }
        if let Some(next) = next
            && distance(&self.situations[next], now) <= GOES_ON * best[0].0 + NEAR_ENOUGH
        {
            return next;
        }
        let count = best.iter().filter(|one| one.0.is_finite()).count().max(1);
        best[((draw.unit() * count as f64) as usize).min(count - 1)].1
    }

    /// The moments nearest to a situation with their distances, squared; the nearest first.
    fn nearest(&self, now: &[f32], best: &mut [(f32, usize)]) {
        self.nearest_if(now, best, |_| true);
    }

    /// The same of those that count.
    fn nearest_if(&self, now: &[f32], best: &mut [(f32, usize)], counts: impl Fn(usize) -> bool) {
        let Some(last) = best.len().checked_sub(1) else { return };
        for (k, situation) in self.situations.iter().enumerate() {
            let far = distance(situation, now);
            if far < best[last].0 && counts(k) {
                best[last] = (far, k);
                best.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
        }
    }
}

/// One of this many nearest moments is done again.
const NEAREST: usize = 3;
/// It goes on as the teacher went on while that is at most this many times as far from the present as the nearest moment, and as
/// much again as this.
const GOES_ON: f32 = 6.0;
const NEAR_ENOUGH: f32 = 4.0;

/// How far apart two situations are, squared.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
