//! The trait between minds and worlds. The characters that come with the library are all one type, [`Fighter`](crate::fighter::Fighter);
//! a game may play minds of its own beside them.

use repertoire_prob::Stream;
use serde::Serialize;

use crate::game::Report;
use crate::{Command, Lead, Percept, Place, Places};

/// A saved mind does not fit the one that should take it up.
#[derive(Debug, thiserror::Error)]
#[error("the saved state is not one of this kind of mind: {0}")]
pub struct RestoreError(#[from] pub serde_json::Error);

/// Something that a mind attends to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attends {
    /// What, in a word.
    pub what: String,
    /// The turn to face it.
    pub yaw: f64,
    /// How far it is.
    pub distance_m: f64,
    /// Its share of all attention.
    pub share: f64,
}

/// When a mind that leads its body is asked where it is to be.
#[derive(Clone, Copy, Debug)]
pub struct Cue<'a> {
    /// Decisions since the match began; the first is 0.
    pub tick: u32,
    /// From one decision to the next.
    pub period_secs: f64,
    /// Whether its body is alive.
    pub is_alive: bool,
    /// The map.
    pub places: &'a Places,
}

/// Something that decides.
///
/// ```
/// use repertoire_mind::{Cells, Command, DVec3, Mind, Percept, Places, RestoreError};
/// use repertoire_prob::Stream;
///
/// /// Runs ahead until a wall is near, then turns left.
/// struct Sweeper;
///
/// impl Mind for Sweeper {
///     fn decide(&mut self, percept: &Percept, _: &Places, _: &mut Stream) -> Command {
///         match percept.rays_m[0] < 1.0 {
///             true => Command { yaw: 1.5, ..Command::default() },
///             false => Command { forward: 1.0, ..Command::default() },
///         }
///     }
///     fn task(&self) -> &str {
///         "sweep"
///     }
///     fn why(&self) -> String {
///         "it only ever sweeps".to_owned()
///     }
///     fn save(&self) -> serde_json::Value {
///         serde_json::Value::Null // Nothing is remembered from tick to tick.
///     }
///     fn restore(&mut self, _: &serde_json::Value) -> Result<(), RestoreError> {
///         Ok(())
///     }
/// }
///
/// let places = Places::new(vec![DVec3::ZERO], Vec::new(), Cells::default(), Vec::new(), Vec::new())?;
/// let wall_ahead = Percept { rays_m: [0.5; 8], ..Percept::default() };
/// let command = Sweeper.decide(&wall_ahead, &places, &mut Stream::new(1, 0, "sweeper"));
/// assert!(command.yaw > 1.0 && command.forward == 0.0);
/// # Ok::<(), repertoire_mind::NoPlace>(())
/// ```
///
/// A mind is a function of what it perceived so far, what it knows of the map and its stream of chance; it has no
/// other way to learn of the world. It never fails: what it cannot make sense of has a documented fallback.
pub trait Mind: Send {
    /// One decision.
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command;

    /// What it is doing, in a word that recordings keep: `attack`, `flee`.
    fn task(&self) -> &str;

    /// Why, in words for people.
    fn why(&self) -> String;

    /// Whether it wants to know which points of a map see which, which takes a world some time to find out.
    fn needs_sight(&self) -> bool {
        false
    }

    /// Whether it leads its body instead of steering it: then the body waits, not yet alive, for [`Mind::lead`].
    fn leads(&self) -> bool {
        false
    }

    /// Where its body is to be by the next decision, for minds that lead it; asked after [`Mind::decide`], and while it is dead, too.
    fn lead(&mut self, _cue: Cue<'_>) -> Option<Lead> {
        None
    }

    /// Why it cannot play on a map, with a remedy; none if it can. Whoever begins a match asks.
    fn refuses(&self, _places: &Places) -> Option<String> {
        None
    }

    /// How many opponents it believes to be at each point of the map, of those it does not see; empty if it keeps none.
    fn belief(&self) -> &[f64] {
        &[]
    }

    /// How surprising somebody's way is (points of the map, a second apart) to what it has learned of how others walk from those it saw: nats,
    /// and how many choices there were. None for minds that do not learn from others.
    fn surprise(&self, _way: &[Place], _places: &Places) -> Option<(f64, usize)> {
        None
    }

    /// What it attends to, the most first; empty for minds without attention.
    fn attention(&self) -> Vec<Attends> {
        Vec::new()
    }

    /// Why, as a table in nats with a row for each thing that spoke; none where a mind keeps no such table, or has not decided yet.
    fn report(&self) -> Option<Report> {
        None
    }

    /// Begins new random numbers, if it keeps any of its own: for asking what else might have happened. What it knows stays.
    fn reseed(&mut self, _seed: u64) {}

    /// Everything that a later decision depends on.
    fn save(&self) -> serde_json::Value;

    /// Takes up a state that [`Mind::save`] gave.
    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError>;
}
