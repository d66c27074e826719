//! A run, kept step by step: for pictures, pages and doors.

use std::sync::Arc;

use repertoire_character::explain::{explain, sentence};
use repertoire_character::reason::{deed_label, outline};
use repertoire_character::{Standing, Value};
use repertoire_worlds::rooms::known::Cell;
use repertoire_worlds::rooms::{Act, Scenario, World};
use serde::Serialize;
use serde_json::json;

/// Why somebody waits who could do nothing.
pub const NOTHING_TO_DO: &str = "nothing to do";

/// What something was worth, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// What could be done.
    pub action: String,
    /// For which goal.
    pub goal: String,
    /// What that was worth.
    pub value: f64,
}

/// One character in one step.
#[derive(Clone, Debug, Serialize)]
pub struct Shot {
    /// Where it was before it acted, column and row.
    pub from: [u32; 2],
    /// Where it is after.
    pub at: [u32; 2],
    /// One word for what it did: an interaction, `move`, `explore`, `fail`, `wait`, or `gone`.
    pub word: String,
    /// It in full.
    pub action: String,
    /// For which goal.
    pub goal: Option<String>,
    /// Why, in a sentence.
    pub why: String,
    /// What everything it could have done was worth.
    pub values: Vec<Worth>,
    /// What it carries.
    pub carries: Vec<String>,
    /// Its own properties.
    pub own: Vec<(String, String)>,
    /// The ground as it knows it, a letter a place: `#`, `.`, or a blank for what was never seen.
    #[serde(skip)]
    pub known: String,
    /// Where it believes things to be: sign, place, name.
    #[serde(skip)]
    pub beliefs: Vec<(char, [u32; 2], String)>,
    /// Its reasoning.
    #[serde(skip)]
    pub trees: String,
}

/// A character through a whole run.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its name.
    pub name: String,
    /// Who it is.
    pub profile: String,
    /// Step by step.
    pub shots: Vec<Shot>,
    /// How its goals ended.
    pub goals: Vec<(String, Standing)>,
}

/// A whole run.
pub struct Film {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The seed.
    pub seed: u64,
    /// Who acted.
    pub roles: Vec<Role>,
    /// Things as they truly are after each step: sign, place, name.
    pub things: Vec<Vec<(char, [u32; 2], String)>>,
}

impl Film {
    /// The run as JSON: each character, step by step, and how its goals ended.
    pub fn to_json(&self) -> serde_json::Value {
        let role = |role: &Role| {
            let goals =
                role.goals.iter().map(|(name, standing)| json!({ "goal": name, "standing": standing }));
            json!({ "character": role.name, "profile": role.profile, "steps": role.shots,
                "goals": goals.collect::<Vec<_>>() })
        };
        let roles: Vec<_> = self.roles.iter().map(role).collect();
        json!({ "scenario": self.scenario.name, "seed": self.seed, "characters": roles })
    }

    /// Runs a world for some steps, keeping everything; or only until nobody will do anything more and nothing changes by
    /// itself.
    pub fn run(world: &mut World, steps: u32, until_idle: bool, mut each: impl FnMut(u32)) -> Film {
        let scenario = world.scenario().clone();
        let mut roles: Vec<Role> = world
            .residents()
            .iter()
            .map(|resident| Role {
                name: resident.name.clone(),
                profile: resident.profile.name.clone(),
                shots: Vec::new(),
                goals: Vec::new(),
            })
            .collect();
        let mut things = vec![true_things(world)];
        let is_still = scenario.characters.iter().all(|part| part.each_step.is_empty());
        for step in 0..steps {
            for entry in world.step() {
                let who = entry.who as usize;
                let (laws, roster) = (&scenario.laws, &scenario.roster);
                let resident = &world.residents()[who];
                let goal_name = |goal: u16| {
                    resident
                        .character
                        .goals()
                        .get(goal as usize)
                        .map(|goal| goal.name.clone())
                        .unwrap_or_default()
                };
                let place = |place| <[u32; 2]>::from(scenario.grid.xy(place));
                let motivated = || sentence(&explain(&resident.character, laws, &resident.temper));
                let why = match (entry.act, &resident.mind) {
                    (Act::Busy(_), _) => "it takes its time".to_owned(),
                    (Act::Gone, _) => "it was taken out of the world".to_owned(),
                    (Act::Wait, Some(mind)) => mind.report().in_short(),
                    (_, Some(mind)) => format!("{}; {}", mind.report().in_short(), motivated()),
                    (Act::Wait, None) => NOTHING_TO_DO.to_owned(),
                    (_, None) => motivated(),
                };
                roles[who].shots.push(Shot {
                    from: place(entry.from),
                    at: place(entry.to),
                    word: entry.act.word(laws).to_owned(),
                    action: entry.act.label(laws, roster),
                    goal: entry.goal.map(goal_name),
                    why,
                    values: entry
                        .values
                        .iter()
                        .map(|worth| Worth {
                            action: deed_label(worth.deed, laws, roster),
                            goal: goal_name(worth.goal),
                            value: worth.value,
                        })
                        .collect(),
                    carries: resident
                        .character
                        .memory
                        .carried()
                        .map(|belief| roster.label(belief.thing, laws).to_owned())
                        .collect(),
                    own: own_properties(world, who),
                    known: known(world, who),
                    beliefs: beliefs(world, who),
                    trees: trees(world, who),
                });
            }
            things.push(true_things(world));
            each(step + 1);
            if until_idle && is_still && world.is_idle() {
                break;
            }
        }
        for (who, role) in roles.iter_mut().enumerate() {
            let character = &world.residents()[who].character;
            role.goals = (0..character.goals().len())
                .map(|goal| (character.goals()[goal].name.clone(), character.standing(goal)))
                .collect();
        }
        Film { scenario, seed: world.seed(), roles, things }
    }

    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.things.len() - 1
    }
}

fn true_things(world: &World) -> Vec<(char, [u32; 2], String)> {
    let scenario = world.scenario();
    let things = world.things().iter().zip(&scenario.roster.things);
    let there = things.filter_map(|(thing, &(kind, name))| {
        let place = thing.place.filter(|_| !thing.gone)?;
        let sign = scenario.laws.kind(kind).sign;
        Some((sign, scenario.grid.xy(place).into(), scenario.laws.words.word(name).to_owned()))
    });
    there.collect()
}

fn own_properties(world: &World, who: usize) -> Vec<(String, String)> {
    let scenario = world.scenario();
    let id = world.residents()[who].thing;
    let Some(kind) = scenario.roster.kind(id) else { return Vec::new() };
    let values = &world.things()[id.index()].values;
    let properties = scenario.laws.kind(kind).properties.iter().zip(values);
    let shown = properties.map(|(&(property, _), value)| {
        let text = match value {
            Value::Number(number) => repertoire_prob::num::significant(*number, 4),
            other => repertoire_character::expression::show_value(*other, &scenario.laws),
        };
        (scenario.laws.property_name(property).to_owned(), text)
    });
    shown.collect()
}

fn known(world: &World, who: usize) -> String {
    let known = &world.residents()[who].known;
    let places = 0..world.scenario().grid.len() as u32;
    places
        .map(|place| match known.cell(place) {
            Cell::Unknown => ' ',
            Cell::Floor => '.',
            Cell::Wall => '#',
        })
        .collect()
}

fn beliefs(world: &World, who: usize) -> Vec<(char, [u32; 2], String)> {
    let scenario = world.scenario();
    let memory = &world.residents()[who].character.memory;
    let lying = memory.beliefs().iter().filter(|belief| belief.thing != memory.owner);
    let shown = lying.filter_map(|belief| {
        let place = belief.place?;
        let kind = scenario.laws.kind(belief.kind);
        let mut name = scenario.roster.label(belief.thing, &scenario.laws).to_owned();
        // Doors are told by what they are believed to be.
        for (slot, &(property, _)) in kind.properties.iter().enumerate() {
            if let Value::Bool(yes) = belief.values[slot] {
                let property = scenario.laws.property_name(property);
                name += &if yes { format!(", {property}") } else { format!(", not {property}") };
            }
        }
        Some((kind.sign, scenario.grid.xy(place).into(), name))
    });
    shown.collect()
}

fn trees(world: &World, who: usize) -> String {
    let scenario = world.scenario();
    let character = &world.residents()[who].character;
    let goals = character.goals().iter().zip(character.trees());
    goals.map(|(goal, tree)| outline(tree, &goal.name, &scenario.laws, &scenario.roster)).collect()
}
