//! Doing again what somebody did in a recording: a contender whose body is where the recorded player's was.
//!
//! A [`Replay`] is one player's part in one recording, ten times a second: where they were, how fast, where they looked, what they held in
//! their hand and when they fired. A [`Replayer`] is the mind that does it again. It *leads* its body ([`crate::Lead`]) instead of steering
//! it: nothing that happens in the match changes where it goes. It can be seen, heard, hit and killed, and it picks up what it comes by.
//!
//! The recording's clock runs with the match's, whatever happens:
//!
//! | what happens                                      | what it does                                                              |
//! |---------------------------------------------------|---------------------------------------------------------------------------|
//! | the recorded player dies                          | dies, and lives again when they did                                       |
//! | the recorded player goes through a teleporter     | is at its exit at once                                                    |
//! | it is killed before its time                      | is dead as long as others are; then it comes back where the recorded player is by then, at the first moment at which they stand on the ground, or at the beginning of their next life |
//! | the recording ends                                | begins again from the start, as through a teleporter                      |
//! | the map is another one                            | is never there ([`Mind::refuses`](crate::Mind::refuses) says so before)   |
//!
//! Rejected: stopping the recording's clock while it is dead (what people do at once, such as fetching an item when it comes back, would come
//! ever later); going on with the next life (somebody who did not die in ten minutes has none).
//!
//! | module    | what it holds                        |
//! |-----------|--------------------------------------|
//! | `file`    | a replay as text                     |
//! | `watcher` | a replay from play                   |
//! | `player`  | the mind                             |

mod file;
mod player;
#[cfg(test)]
mod tests;
mod watcher;

pub use file::FORMAT;
pub use player::Replayer;
pub use watcher::ReplayWatcher;

use glam::DVec3;

use crate::{Own, Weapon};

/// From one moment of a replay to the next.
pub const PERIOD_SECS: f64 = 0.1;

/// A player at a moment of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    /// Which moment of the recording it is, from its first.
    pub number: u32,
    /// Whether a life begins with it.
    pub begins: bool,
    pub position: DVec3,
    pub velocity: DVec3,
    pub yaw: f64,
    pub pitch: f64,
    pub on_ground: bool,
    pub weapon: Option<Weapon>,
    /// Keys: full speed ahead and to the left is 1.
    pub keys: [f64; 2],
    pub jumps: bool,
    pub fires: bool,
}

/// One player's part in a recording.
///
/// ```
/// use repertoire_mind::replay::{Replay, ReplayWatcher};
/// use repertoire_mind::student::{Seen, Watch};
/// use repertoire_mind::{Cells, Command, DVec3, Percept, Places};
///
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// let mut watcher = ReplayWatcher::default();
/// watcher.begin();
/// for tick in 0..40 {
///     let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
///     (percept.own.life, percept.own.position.x) = (1, f64::from(tick));
///     watcher.see(Seen { percept: &percept, command: &Command::default(), task: None, events: &[] }, &places);
/// }
/// let replay = watcher.finish("ann")?;
/// assert_eq!((replay.player(), replay.seconds(), replay.lives()), ("ann", 4.0, 1));
/// assert_eq!(Replay::read(&replay.write())?, replay);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    player: String,
    /// A number that tells its map from others.
    map: u64,
    /// Those at which the player was alive, in order.
    moments: Vec<Moment>,
}

/// There is no replay in a file or in play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoReplay(pub String);

/// Nobody gets farther than this in a moment by themselves, in metres: what is farther was a teleporter.
const FARTHEST_M: f64 = 3.5;

impl Replay {
    fn new(player: String, map: u64, moments: Vec<Moment>) -> Result<Self, NoReplay> {
        let wrong = |what: &str| Err(NoReplay(what.to_owned()));
        if moments.is_empty() {
            return wrong("nobody is alive in it");
        }
        if moments.windows(2).any(|pair| pair[0].number >= pair[1].number) {
            return wrong("its moments are not in order");
        }
        if moments.last().is_some_and(|last| last.number >= LONGEST) {
            return wrong("it is longer than a day");
        }
        Ok(Replay { player, map, moments })
    }

    /// Who was recorded.
    pub fn player(&self) -> &str {
        &self.player
    }

    /// How long it is, from its first moment to the end of its last.
    pub fn seconds(&self) -> f64 {
        f64::from(self.length()) * PERIOD_SECS
    }

    /// How many moments it is long, with those at which the player was dead.
    fn length(&self) -> u32 {
        self.moments.last().map_or(1, |last| last.number + 1)
    }

    /// How many moments it has.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether it has none, which no replay is.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// How many lives.
    pub fn lives(&self) -> usize {
        self.moments.iter().filter(|moment| moment.begins).count()
    }

    /// A moment of the recording, if the player is alive then.
    fn at(&self, number: u32) -> Option<&Moment> {
        let at = self.moments.binary_search_by_key(&number, |moment| moment.number).ok()?;
        Some(&self.moments[at])
    }
}

impl Moment {
    /// Whether a body gets from here to a later moment by itself.
    fn leads_to(&self, next: &Moment) -> bool {
        self.position.distance(next.position) < FARTHEST_M
    }

    /// The weapon in hand, where it is known. Everybody in Quake has more than an axe: who has not is somebody whose belongings the
    /// recording does not tell.
    fn weapon_of(own: &Own) -> Option<Weapon> {
        (own.pack.owned != 1).then_some(own.weapon)
    }
}

/// No recording has more moments: a day.
const LONGEST: u32 = 864_000;
