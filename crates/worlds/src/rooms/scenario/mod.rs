//! Scenarios as data: a map, the things on it, the laws, the characters with their goals and profiles.

mod file;
mod format;
mod shipped;

use std::sync::Arc;

use repertoire_character::expression::Effect;
use repertoire_character::{Goal, Laws, PlaceId, Profile, Roster, ThingId, Value};

use super::grid::Grid;
use super::mind::RoomMind;

pub use file::{check_profile, read, schema};
pub use format::Refused;
pub use shipped::{ALIASES, LAWS, SCENARIOS, full_name, scenario, text};

/// What a character knows at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Knows {
    /// Nothing but what it sees.
    #[default]
    Nothing,
    /// The walls and floors, not the things.
    Map,
    /// Everything as it is at the start.
    All,
}

/// A thing at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Where it is.
    pub place: PlaceId,
    /// Its properties, in the order of its kind.
    pub values: Vec<Value>,
}

/// A character at the start.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The thing that is its body.
    pub thing: ThingId,
    /// How far it sees.
    pub sight: f64,
    /// How wide, in degrees.
    pub view_deg: f64,
    /// How far it hears others ask.
    pub hearing: f64,
    /// What it knows.
    pub knows: Knows,
    /// After how many steps a place that it saw is worth another look while it searches; none if nothing moves by itself.
    pub looks_again: Option<u32>,
    /// What happens to it each step.
    pub each_step: Vec<Effect>,
    /// What it wants.
    pub goals: Vec<Goal>,
    /// Who it is.
    pub profile: Profile,
    /// The mind in which motivations are one voice among others; without one they decide alone.
    pub mind: Option<RoomMind>,
    /// What is said of others: a factor on their reputation, by thing.
    pub heard_of: Vec<(ThingId, f64)>,
}

/// A checked scenario, ready to run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// How many steps it usually runs.
    pub steps: u32,
    /// What can be done to what.
    pub laws: Arc<Laws>,
    /// The ground.
    pub grid: Arc<Grid>,
    /// Names and kinds of all things.
    pub roster: Arc<Roster>,
    /// Things at the start, by number.
    pub things: Vec<Start>,
    /// Who acts.
    pub characters: Vec<Part>,
    /// What is odd about it without being wrong.
    pub notes: Vec<String>,
}
