//! The world: things, characters, and one step.

mod act;
mod perceive;
mod save;

use std::sync::Arc;

use repertoire_character::expression::{Change, Facts, Roles, What, apply, holds};
use repertoire_character::{
    Character, Goal, Limits, Memory, NameId, PlaceId, Profile, PropertyId, Temper, ThingId, Value,
};
use repertoire_prob::Stream;

use super::known::{Ground, Known};
use super::log::{Act, Entry, Worth};
use super::scenario::{Knows, Scenario};
use super::social::{Esteem, Request};

pub use save::Saved;

/// A thing as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// Where it is; none while somebody carries it.
    pub place: Option<PlaceId>,
    /// Who carries it.
    pub holder: Option<ThingId>,
    /// Its properties, in the order of its kind.
    pub values: Vec<Value>,
    /// Whether it was taken out of the world.
    pub gone: bool,
}

/// Somebody who acts.
pub struct Resident {
    /// Its name.
    pub name: String,
    /// Its body.
    pub thing: ThingId,
    /// What it believes, wants and decides.
    pub character: Character,
    /// The ground as it knows it.
    pub known: Known,
    /// Who it is.
    pub profile: Profile,
    /// The same, ready to be asked.
    pub temper: Temper,
    /// Its own goals, as it sees them; those it took up for others come after these in [`Character::goals`].
    pub own_goals: Vec<Goal>,
    /// What it is at, for how many more steps, and for which goal.
    busy: Option<(repertoire_character::Deed, u32, Option<u16>)>,
    /// Where it is going to look.
    exploring: Option<PlaceId>,
    /// Where it looks.
    facing: (i32, i32),
    /// Which ways it knew when it last reasoned.
    signature: u64,
    /// What it heard others ask for.
    pub requests: Vec<Request>,
    /// What it thinks of others.
    pub esteem: Vec<Esteem>,
    draw: Stream,
}

/// The world: a scenario under way.
///
/// ```
/// use std::sync::Arc;
///
/// use repertoire_worlds::rooms::scenario::scenario;
/// use repertoire_worlds::rooms::{Act, World};
///
/// // A locked door, a key, an axe.
/// let larder = Arc::new(scenario("6.1.2-left").expect("shipped"));
/// let mut world = World::new(larder.clone(), 1);
/// let log = world.run(60);
/// assert!(log.iter().any(|entry| matches!(entry.act, Act::Do(_))), "somebody did something");
/// ```
pub struct World {
    scenario: Arc<Scenario>,
    things: Vec<Thing>,
    residents: Vec<Resident>,
    step: u32,
    seed: u64,
    /// Bounds of reasoning.
    pub limits: Limits,
}

/// The world as facts.
struct Truth<'a> {
    scenario: &'a Scenario,
    things: &'a [Thing],
}

impl Truth<'_> {
    fn place(&self, thing: ThingId) -> Option<PlaceId> {
        let found = self.things.get(thing.index()).filter(|thing| !thing.gone)?;
        match found.holder {
            Some(holder) => self.things[holder.index()].place,
            None => found.place,
        }
    }
}

impl Facts for Truth<'_> {
    fn value(&self, thing: ThingId, property: PropertyId) -> Option<Value> {
        let kind = self.scenario.roster.kind(thing)?;
        let slot = self.scenario.laws.kind(kind).slot(property)?;
        self.things.get(thing.index()).map(|thing| thing.values[slot])
    }
    fn owns(&self, holder: ThingId, what: What) -> bool {
        let (roster, laws) = (&self.scenario.roster, &self.scenario.laws);
        self.things.iter().enumerate().any(|(at, thing)| {
            let id = ThingId(at as u32);
            let is = match what {
                What::Thing(only) => id == only,
                What::Word(word) => {
                    roster.name(id) == Some(word)
                        || roster.kind(id).is_some_and(|kind| laws.kind(kind).name == word)
                }
            };
            !thing.gone && thing.holder == Some(holder) && is
        })
    }
    fn named(&self, name: NameId) -> Option<ThingId> {
        self.scenario.roster.named(name)
    }
    fn distance(&self, a: ThingId, b: ThingId) -> Option<f64> {
        Some(f64::from(self.scenario.grid.distance(self.place(a)?, self.place(b)?)))
    }
}

impl World {
    /// A world at its start.
    pub fn new(scenario: Arc<Scenario>, seed: u64) -> Self {
        let things: Vec<Thing> = scenario
            .things
            .iter()
            .map(|start| Thing {
                place: Some(start.place),
                holder: None,
                values: start.values.clone(),
                gone: false,
            })
            .collect();
        let mut world = World {
            scenario: scenario.clone(),
            things,
            residents: Vec::new(),
            step: 0,
            seed,
            limits: Limits::default(),
        };
        for (number, part) in scenario.characters.iter().enumerate() {
            let memory = Memory::new(part.thing, scenario.roster.clone());
            let known = match part.knows {
                Knows::Nothing => Known::nothing(scenario.grid.len()),
                Knows::Map | Knows::All => Known::all(&scenario.grid),
            };
            let others = scenario.characters.iter().filter(|other| other.thing != part.thing);
            let mut esteem: Vec<Esteem> = others.map(|other| Esteem::new(other.thing)).collect();
            for of in &mut esteem {
                let said = part.heard_of.iter().find(|(whom, _)| *whom == of.whom);
                of.said = said.map_or(1.0, |(_, factor)| *factor);
            }
            let mut resident = Resident {
                name: part.name.clone(),
                thing: part.thing,
                character: Character::new(memory, Vec::new()),
                known,
                profile: Profile::default(),
                temper: Temper::new(&Profile::default(), &scenario.laws),
                own_goals: Vec::new(),
                busy: None,
                exploring: None,
                facing: (1, 0),
                signature: 0,
                requests: Vec::new(),
                esteem,
                draw: Stream::new(seed, number as u64, "rooms"),
            };
            resident.set_profile(&part.profile, &scenario);
            world.residents.push(resident);
            if part.knows == Knows::All {
                world.show_everything(number);
            }
        }
        world
    }

    /// The scenario.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Who acts.
    pub fn residents(&self) -> &[Resident] {
        &self.residents
    }

    /// All things, by number.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// A thing by its name.
    pub fn thing(&self, name: &str) -> Option<&Thing> {
        let word = self.scenario.laws.words.find(name)?;
        self.scenario.roster.named(word).map(|id| &self.things[id.index()])
    }

    /// A property of a thing, by their names.
    pub fn value(&self, thing: &str, property: &str) -> Option<Value> {
        let word = self.scenario.laws.words.find(thing)?;
        let id = self.scenario.roster.named(word)?;
        self.truth().value(id, self.scenario.laws.find_property(property)?)
    }

    /// Makes a character somebody else.
    pub fn set_profile(&mut self, who: usize, profile: &Profile) {
        let scenario = self.scenario.clone();
        self.residents[who].set_profile(profile, &scenario);
    }

    /// Changes the world from outside, as a game would: a door is locked, an apple is gone. Nobody is told.
    pub fn meddle(&mut self, change: Change) {
        self.change(change);
    }

    fn truth(&self) -> Truth<'_> {
        Truth { scenario: &self.scenario, things: &self.things }
    }

    /// Whether every goal of everybody holds or has no known way, so that nothing more will be done.
    pub fn is_idle(&self) -> bool {
        self.step > 0
            && self
                .residents
                .iter()
                .all(|resident| resident.busy.is_none() && resident.character.decision().chosen.is_none())
    }

    /// One step: everybody in turn perceives, decides and acts.
    pub fn step(&mut self) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.residents.len());
        for who in 0..self.residents.len() {
            self.perceive(who);
            self.listen(who);
            entries.push(self.take_turn(who));
            self.pass_time(who);
        }
        self.step += 1;
        entries
    }

    /// Runs some steps.
    pub fn run(&mut self, steps: u32) -> Vec<Entry> {
        (0..steps).flat_map(|_| self.step()).collect()
    }

    fn take_turn(&mut self, who: usize) -> Entry {
        let from = self.place_of(who);
        let busy = self.residents[who].busy;
        if let Some((deed, left, goal)) = busy
            && left > 1
        {
            self.residents[who].busy = Some((deed, left - 1, goal));
            return self.entry(who, from, Act::Busy(deed), goal);
        }
        if let Some((deed, _, goal)) = busy {
            self.residents[who].busy = None;
            let act = self.perform(who, deed, goal);
            return self.entry(who, from, act, goal);
        }
        let scenario = self.scenario.clone();
        let limits = self.limits;
        let resident = &mut self.residents[who];
        let Resident { character, known, temper, esteem, signature, .. } = resident;
        let ground = Ground::new(&scenario.grid, known, &character.memory, &scenario.laws, from);
        let now = ground.signature(&character.memory);
        if now != *signature {
            *signature = now;
            character.memory.note(repertoire_character::memory::changed::WAYS);
        }
        // Ground borrows what is known, not the memory, so that the memory can be reasoned over.
        let reputation =
            |whom: ThingId| esteem.iter().find(|of| of.whom == whom).map_or(1.0, Esteem::reputation);
        let chosen = character.decide(&scenario.laws, &ground, temper, &limits, &reputation);
        let Some(chosen) = chosen else {
            self.residents[who].exploring = None;
            return self.entry(who, from, Act::Wait, None);
        };
        let act = self.carry_out(who, chosen.deed, Some(chosen.goal));
        self.entry(who, from, act, Some(chosen.goal))
    }

    fn entry(&self, who: usize, from: PlaceId, act: Act, goal: Option<u16>) -> Entry {
        let weighed = &self.residents[who].character.decision().weighed;
        // While at something it does not weigh anything.
        let values = match act {
            Act::Busy(_) => Vec::new(),
            _ => weighed.iter().map(|w| Worth { deed: w.deed, goal: w.goal, value: w.value }).collect(),
        };
        let (step, to) = (self.step, self.place_of(who));
        Entry { step, who: who as u16, from, to, act, goal, values }
    }

    /// Where a character is.
    pub fn place_of(&self, who: usize) -> PlaceId {
        self.things[self.residents[who].thing.index()].place.unwrap_or(0)
    }

    fn change(&mut self, change: Change) {
        let place_of_holder = |things: &[Thing], holder: ThingId| things[holder.index()].place;
        match change {
            Change::Set(thing, property, value) => {
                let Some(kind) = self.scenario.roster.kind(thing) else { return };
                let slot = self.scenario.laws.kind(kind).slot(property);
                if let (Some(slot), Some(found)) = (slot, self.things.get_mut(thing.index())) {
                    found.values[slot] = value;
                }
            }
            Change::Gain(holder, thing) => {
                if let Some(found) = self.things.get_mut(thing.index()) {
                    (found.place, found.holder) = (None, Some(holder));
                }
            }
            Change::Lose(holder, thing) => {
                let place = place_of_holder(&self.things, holder);
                if let Some(found) = self.things.get_mut(thing.index()) {
                    (found.place, found.holder) = (place, None);
                }
            }
            Change::Remove(thing) => {
                if let Some(found) = self.things.get_mut(thing.index()) {
                    (found.place, found.holder, found.gone) = (None, None, true);
                }
            }
        }
    }

    /// What happens to a character each step by itself.
    fn pass_time(&mut self, who: usize) {
        let scenario = self.scenario.clone();
        let effects = &scenario.characters[who].each_step;
        if effects.is_empty() {
            return;
        }
        let roles = Roles { actor: self.residents[who].thing, target: None, item: None };
        for change in apply(effects, &roles, &self.truth()) {
            self.change(change);
        }
    }

    /// Which places nobody can see past.
    fn hiding(&self) -> Vec<bool> {
        let grid = &self.scenario.grid;
        let mut hiding: Vec<bool> = (0..grid.len() as PlaceId).map(|place| grid.is_wall(place)).collect();
        let truth = self.truth();
        for (at, thing) in self.things.iter().enumerate() {
            let id = ThingId(at as u32);
            let (Some(place), Some(kind)) = (thing.place, self.scenario.roster.kind(id)) else { continue };
            let roles = Roles { actor: id, target: Some(id), item: None };
            hiding[place as usize] |= holds(&self.scenario.laws.kind(kind).hides, &roles, &truth);
        }
        hiding
    }

    fn is_barred(&self, place: PlaceId) -> bool {
        if self.scenario.grid.is_wall(place) {
            return true;
        }
        let truth = self.truth();
        self.things.iter().enumerate().any(|(at, thing)| {
            let id = ThingId(at as u32);
            let Some(kind) = self.scenario.roster.kind(id).filter(|_| thing.place == Some(place)) else {
                return false;
            };
            let roles = Roles { actor: id, target: Some(id), item: None };
            holds(&self.scenario.laws.kind(kind).blocks, &roles, &truth)
        })
    }
}

/// Goals that have no way at the start even for a character that knows everything: by character and goal.
pub fn hopeless_goals(scenario: &Scenario) -> Vec<(String, String)> {
    let mut known = scenario.clone();
    known.characters.iter_mut().for_each(|part| part.knows = Knows::All);
    let mut hopeless = Vec::new();
    for who in 0..known.characters.len() {
        // Each alone, so that nobody's first step changes another's chances.
        let mut world = World::new(Arc::new(known.clone()), 0);
        world.perceive(who);
        world.take_turn(who);
        let character = &world.residents[who].character;
        for (at, goal) in character.goals().iter().enumerate() {
            if character.standing(at) == repertoire_character::Standing::Unreachable {
                hopeless.push((known.characters[who].name.clone(), goal.name.clone()));
            }
        }
    }
    hopeless
}

impl Resident {
    fn set_profile(&mut self, profile: &Profile, scenario: &Scenario) {
        self.profile = profile.clone();
        self.temper = Temper::new(profile, &scenario.laws);
        let part = scenario.characters.iter().find(|part| part.thing == self.thing);
        self.own_goals = part.map_or_else(Vec::new, |part| {
            part.goals
                .iter()
                .map(|goal| Goal {
                    influence: profile.influence_of(&goal.name, &goal.influence),
                    ..goal.clone()
                })
                .collect()
        });
        // Goals taken up for others come back when they are asked for again.
        self.requests.clear();
        self.character.set_goals(self.own_goals.clone());
        self.character.memory.note(repertoire_character::memory::changed::ALL);
    }

    /// What it thinks of somebody; 1 is neutral.
    pub fn reputation(&self, whom: ThingId) -> f64 {
        self.esteem.iter().find(|of| of.whom == whom).map_or(1.0, Esteem::reputation)
    }

    /// What it is at, and for how many more steps.
    pub fn busy(&self) -> Option<(repertoire_character::Deed, u32)> {
        self.busy.map(|(deed, left, _)| (deed, left))
    }
}
