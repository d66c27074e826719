//! Behavioural profiles: who a character is, as parameters of its motivations.
//!
//! *A behavioural profile is the set of parameters that apply to the character's motivations* (definition 7). It names
//! deeds and goals by their names, never a world, so that the same profile serves in another world: names that a world
//! does not have have no effect there.
//!
//! | module     | what it holds                                                  |
//! |------------|----------------------------------------------------------------|
//! | [`file`](mod@file) | reading and writing profiles as TOML                           |
//! | [`family`] | families of profiles: ranges to draw members from              |
//! | [`fuse`]   | one profile from two                                           |

pub mod family;
pub mod file;
pub mod fuse;
mod shipped;

use std::collections::BTreeMap;
use std::str::FromStr;

use repertoire_authored::Mistake;
use serde::{Deserialize, Serialize};

use crate::goal::Influence;
use crate::laws::{EXPLORE, Laws, MOVE};
use crate::motivation::{
    Altruism, Combine, Evaluator, Inertia, Influences, MultiGoal, Opportunism, Preferences, Product,
    Reputation, Time, Walking, Weakest,
};
use crate::reason::{Choice, Deed};

pub use shipped::{PROFILES, profile, text};

/// The name that stands for every deed without a preference of its own.
pub const OTHER: &str = "other";

/// How evaluations are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Combination {
    /// They are multiplied, as in the paper.
    #[default]
    Product,
    /// The most pessimistic one decides.
    Weakest,
}

/// What a character is like: how much it cares for each goal, what it likes to do, how patient or fickle it is.
///
/// ```
/// use repertoire_character::Profile;
/// let brute: Profile = "name = 'brute'\npreferences = { break = 1.5, unlock = 0.5 }".parse()?;
/// assert_eq!((brute.preference("break"), brute.preference("eat")), (1.5, 1.0));
/// let mistake = "inertia = -1".parse::<Profile>().expect_err("below 0");
/// assert_eq!(mistake.line, 1);
/// # Ok::<(), repertoire_authored::Mistake>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The family it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Whether goals matter as much as they say.
    pub influence: bool,
    /// How much goals matter to this character, where that differs from what the goal says: a factor by goal's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub goals: BTreeMap<String, f64>,
    /// How much it likes to do things, by their names; [`OTHER`] for the rest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub preferences: BTreeMap<String, f64>,
    /// How long things take this character, by their names; [`OTHER`] for the rest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub costs: BTreeMap<String, f64>,
    /// The threshold of completion in time; none: time does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The threshold of completion in space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<f64>,
    /// The threshold of opportunism.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opportunism: Option<f64>,
    /// The bonus of going on with what was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Whether deeds that serve several goals are worth more.
    pub multi: bool,
    /// What others' goals are worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub altruism: Option<f64>,
    /// How much the reputation of who asks counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reputation: Option<f64>,
    /// How evaluations are combined.
    pub combination: Combination,
}

impl Default for Profile {
    /// Nobody in particular: only the goals matter.
    fn default() -> Self {
        Profile {
            name: "plain".into(),
            about: String::new(),
            family: None,
            influence: true,
            goals: BTreeMap::new(),
            preferences: BTreeMap::new(),
            costs: BTreeMap::new(),
            time: None,
            space: None,
            opportunism: None,
            inertia: None,
            multi: false,
            altruism: None,
            reputation: None,
            combination: Combination::Product,
        }
    }
}

/// Reads TOML text.
impl FromStr for Profile {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        file::read(text)
    }
}

impl Profile {
    /// A profile that comes with the library ([`PROFILES`]), or `None` if none has this name.
    pub fn shipped(name: &str) -> Option<Self> {
        profile(name)
    }

    /// The preference of a deed by name.
    pub fn preference(&self, name: &str) -> f64 {
        let other = self.preferences.get(OTHER).copied().unwrap_or(1.0);
        self.preferences.get(name).copied().unwrap_or(other)
    }

    /// What a goal's influence becomes for this character.
    pub fn influence_of(&self, goal: &str, influence: &Influence) -> Influence {
        let Some(&factor) = self.goals.get(goal) else { return influence.clone() };
        match influence.clone() {
            Influence::Constant(value) => Influence::Constant(value * factor),
            Influence::Sigmoid { of, max, centre, slope } => {
                Influence::Sigmoid { of, max: max * factor, centre, slope }
            }
            Influence::Points { of, points } => {
                Influence::Points { of, points: points.into_iter().map(|(x, y)| (x, y * factor)).collect() }
            }
        }
    }

    /// Names in it that these laws do not know: of no consequence there, perhaps misspelt.
    pub fn unknown_deeds<'a>(&'a self, laws: &'a Laws) -> Vec<&'a str> {
        let named = self.preferences.keys().chain(self.costs.keys()).map(String::as_str);
        let mut unknown: Vec<&str> =
            named.filter(|name| *name != OTHER && !laws.deed_names().any(|known| known == *name)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }
}

/// A profile in a world: evaluators ready to be asked.
pub struct Temper {
    /// The motivations, in the order of the module's table.
    pub evaluators: Vec<Box<dyn Evaluator>>,
    /// How they are combined.
    pub combine: Box<dyn Combine>,
    /// How ways to meet a condition are chosen between.
    pub choice: Box<dyn Choice + Send + Sync>,
    preferences: Preferences,
    costs: Vec<f64>,
    stamp: u64,
}

impl Temper {
    /// A profile under some laws.
    pub fn new(profile: &Profile, laws: &Laws) -> Self {
        let names: Vec<&str> = laws.interactions.iter().map(|known| known.name.as_str()).collect();
        let preferences = Preferences {
            interactions: names.iter().map(|name| profile.preference(name)).collect(),
            explore: profile.preference(EXPLORE),
            // `other` is for deeds: the paper gives all others 1.1 and counts no walk.
            walk: profile.preferences.get(MOVE).copied(),
        };
        let other = profile.costs.get(OTHER).copied();
        let cost = |name: &str, usual: f64| profile.costs.get(name).copied().or(other).unwrap_or(usual);
        let costs: Vec<f64> = laws.interactions.iter().map(|known| cost(&known.name, known.cost)).collect();
        let mut evaluators: Vec<Box<dyn Evaluator>> = Vec::new();
        if profile.influence {
            evaluators.push(Box::new(Influences));
        }
        if !profile.preferences.is_empty() {
            evaluators.push(Box::new(preferences.clone()));
        }
        let time = profile.time.map(|theta| Time {
            theta,
            costs: costs.clone(),
            explore: cost(EXPLORE, 1.0),
            step: profile.costs.get(MOVE).copied().unwrap_or(0.0),
        });
        if let Some(time) = time.clone() {
            evaluators.push(Box::new(time));
        }
        if profile.multi {
            evaluators.push(Box::new(MultiGoal));
        }
        if let Some(theta) = profile.inertia {
            evaluators.push(Box::new(Inertia { theta }));
        }
        if let Some(theta) = profile.opportunism {
            evaluators.push(Box::new(Opportunism { theta }));
        }
        if let Some(theta) = profile.space {
            evaluators.push(Box::new(Walking { theta }));
        }
        if let Some(theta) = profile.altruism {
            evaluators.push(Box::new(Altruism { theta }));
        }
        if let Some(theta) = profile.reputation {
            evaluators.push(Box::new(Reputation { theta }));
        }
        let combine: Box<dyn Combine> = match profile.combination {
            Combination::Product => Box::new(Product),
            Combination::Weakest => Box::new(Weakest),
        };
        let choice = Box::new(ByTaste { preferences: preferences.clone(), time });
        let text = file::write(profile);
        let stamp = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Temper { evaluators, combine, choice, preferences, costs, stamp }
    }

    /// One number for the profile and how many evaluators there are: what was kept of another temper is of no use.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp ^ (self.evaluators.len() as u64).rotate_left(32)
    }

    /// The names of the motivations, in order.
    pub fn names(&self) -> Vec<&str> {
        self.evaluators.iter().map(|evaluator| evaluator.name()).collect()
    }

    /// The preference of a deed.
    pub fn preference(&self, deed: Deed) -> f64 {
        self.preferences.of(deed)
    }

    /// How many steps an interaction takes this character: at least one.
    pub fn steps(&self, deed: Deed) -> u32 {
        match deed {
            Deed::Perform { interaction, .. } => {
                self.costs.get(interaction.index()).map_or(1, |&cost| cost.clamp(1.0, 1e6) as u32)
            }
            _ => 1,
        }
    }
}

/// The usual `Choice`: the motivations that look at deeds alone, preferences and time. The paper suggests it: *it is
/// possible to call the selection mechanism or some of its components* (section 4.1.2).
struct ByTaste {
    preferences: Preferences,
    time: Option<Time>,
}

impl Choice for ByTaste {
    fn score(&self, deeds: &[Deed]) -> f64 {
        use crate::motivation::numbers;
        let taste = numbers::preference(deeds.iter().map(|&deed| self.preferences.of(deed)));
        if taste <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let time = self.time.as_ref().map_or(1.0, |time| {
            numbers::printed_completion(time.theta, deeds.iter().map(|&deed| time.of(deed)).sum())
        });
        taste * time
    }
}
