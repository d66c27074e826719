//! The world: things, characters, and one step.

mod act;
mod perceive;
mod save;

use std::sync::Arc;

use repertoire_character::expression::{Change, Facts, Roles, What, apply, holds};
use repertoire_character::memory::View;
use repertoire_character::reason::{Content, Wanted};
use repertoire_character::{
    Character, Goal, Limits, Memory, NameId, PlaceId, Profile, PropertyId, Temper, ThingId, Value,
};
use repertoire_mind::game;
use repertoire_prob::Stream;

use super::known::{Ground, Known};
use super::log::{Act, Entry, Worth};
use super::scenario::{Knows, Scenario};
use super::search::{Around, Drift, Search};
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

/// Nobody in a world has a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody here is called `{name}`\n  remedy: one of {}", .names.join(", "))]
pub struct NobodyCalledSo {
    /// The name.
    pub name: String,
    /// The names of those who are there.
    pub names: Vec<String>,
}

/// Somebody who acts.
pub struct Resident {
    /// Its name.
    pub name: String,
    /// Its body.
    pub thing: ThingId,
    /// What it believes and wants; and decides, unless it has a mind.
    pub character: Character,
    /// The mind that decides, if it has one.
    pub mind: Option<game::Character>,
    /// The ground as it knows it.
    pub known: Known,
    /// When it looked where, and where what it looks for may be.
    pub search: Search,
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
    /// Where it was last, for the log once it is gone.
    was: PlaceId,
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
    /// How things move about; worked out when somebody first searches.
    drift: Option<Arc<Drift>>,
    /// Which things walk, by number.
    walkers: Arc<[bool]>,
    /// Bounds of reasoning.
    pub limits: Limits,
    /// Room for minds to decide in.
    scratch: game::Scratch,
}

/// The world as facts.
struct Truth<'a> {
    scenario: &'a Scenario,
    things: &'a [Thing],
}

/// Where a thing is: its own place, or that of who carries it, or who carries them; none if it is gone.
fn place_in(things: &[Thing], thing: ThingId) -> Option<PlaceId> {
    let mut found = things.get(thing.index()).filter(|thing| !thing.gone)?;
    // Nobody can carry each other round in a circle for longer than there are things.
    for _ in 0..things.len() {
        let Some(holder) = found.holder else { return found.place };
        found = &things[holder.index()];
    }
    None
}

impl Truth<'_> {
    fn place(&self, thing: ThingId) -> Option<PlaceId> {
        place_in(self.things, thing)
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
    fn all_named(&self, word: NameId) -> Vec<ThingId> {
        let (roster, laws) = (&self.scenario.roster, &self.scenario.laws);
        let is = |id: &ThingId| {
            !self.things[id.index()].gone
                && (roster.name(*id) == Some(word)
                    || roster.kind(*id).is_some_and(|kind| laws.kind(kind).name == word))
        };
        (0..self.things.len() as u32).map(ThingId).filter(is).collect()
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
            drift: None,
            walkers: (0..scenario.things.len())
                .map(|at| scenario.characters.iter().any(|part| part.thing.index() == at))
                .collect(),
            limits: Limits::default(),
            scratch: game::Scratch::new(),
        };
        for (number, part) in scenario.characters.iter().enumerate() {
            let memory = Memory::new(part.thing, scenario.roster.clone());
            let known = match part.knows {
                Knows::Nothing => Known::nothing(scenario.grid.len()),
                Knows::Map | Knows::All => Known::all(&scenario.grid),
            };
            let search = match part.knows {
                Knows::Nothing | Knows::Map => Search::new(scenario.grid.len()),
                Knows::All => Search::of_all(scenario.grid.len()),
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
                mind: part.mind.as_ref().map(|mind| game::Character::new(mind.design(), seed, number as u64)),
                known,
                search,
                profile: Profile::default(),
                temper: Temper::new(&Profile::default(), &scenario.laws),
                own_goals: Vec::new(),
                busy: None,
                exploring: None,
                facing: (1, 0),
                was: scenario.things[part.thing.index()].place,
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

    /// The number of a character, by name.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use repertoire_worlds::rooms::{World, scenario::scenario};
    ///
    /// let world = World::new(Arc::new(scenario("6.2").expect("shipped")), 1);
    /// let first = world.residents()[0].name.clone();
    /// assert_eq!(world.resident(&first), Ok(0));
    /// let error = world.resident("nobody").unwrap_err();
    /// assert!(error.to_string().ends_with(&format!("one of {first}")));
    /// ```
    ///
    /// # Errors
    /// If nobody here has this name.
    pub fn resident(&self, name: &str) -> Result<usize, NobodyCalledSo> {
        let at = self.residents.iter().position(|resident| resident.name == name);
        at.ok_or_else(|| NobodyCalledSo {
            name: name.to_owned(),
            names: self.residents.iter().map(|resident| resident.name.clone()).collect(),
        })
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

    /// Whether every goal of everybody holds or has no known way, so that nothing more will be done. Who only waits until it is
    /// time to look again is not idle.
    pub fn is_idle(&self) -> bool {
        let has_nothing = |(who, resident): (usize, &Resident)| {
            self.is_gone(who) || (resident.busy.is_none() && resident.character.decision().chosen.is_none())
        };
        self.step > 0
            && self.residents.iter().enumerate().all(has_nothing)
            && (0..self.residents.len()).all(|who| self.is_gone(who) || !self.will_look_again(who))
    }

    /// Whether a character would have something to do if it trusted nothing that is out of view.
    fn will_look_again(&self, who: usize) -> bool {
        let (scenario, resident) = (&self.scenario, &self.residents[who]);
        if scenario.characters[who].looks_again.is_none() {
            return false;
        }
        let mut character = resident.character.clone();
        character.memory.doubt(u32::MAX, &scenario.laws);
        character.memory.note(repertoire_character::memory::changed::ALL);
        let is_out_of_view =
            |place: PlaceId, _| !resident.search.is_in_view(place, self.step.saturating_sub(1));
        let (grid, laws, from) = (&scenario.grid, &scenario.laws, self.place_of(who));
        let memory = character.memory.clone();
        let ground = Ground::new(grid, &resident.known, &is_out_of_view, &memory, laws, from);
        character.reason(laws, &ground, &resident.temper, &self.limits);
        character.weigh(laws, &ground, &resident.temper, &|whom| resident.reputation(whom)).is_some()
    }

    /// Whether a character was taken out of the world: it perceives, decides and does nothing any more.
    pub fn is_gone(&self, who: usize) -> bool {
        self.things[self.residents[who].thing.index()].gone
    }

    /// One step: everybody in turn perceives, decides and acts. There is an entry for each character, also for who is gone.
    pub fn step(&mut self) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.residents.len());
        for who in 0..self.residents.len() {
            let place = self.place_of(who);
            self.residents[who].was = place;
            if self.is_gone(who) {
                let (step, act) = (self.step, Act::Gone);
                let who = who as u16;
                entries.push(Entry {
                    step,
                    who,
                    from: place,
                    to: place,
                    act,
                    goal: None,
                    values: Vec::new(),
                });
                continue;
            }
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
        // Who is carried goes where they are carried, until they are put down.
        if self.things[self.residents[who].thing.index()].holder.is_some() {
            self.residents[who].exploring = None;
            return self.entry(who, from, Act::Wait, None);
        }
        let scenario = self.scenario.clone();
        let limits = self.limits;
        let resident = &mut self.residents[who];
        let Resident { character, mind, known, search, temper, esteem, signature, thing, .. } = resident;
        let (step, looks_again) = (self.step, scenario.characters[who].looks_again);
        let is_worth_a_look = |place: PlaceId, since: Option<u32>| match since {
            None => search.is_worth_a_look(place, step, looks_again),
            Some(since) => search.is_before(place, since),
        };
        let ground =
            Ground::new(&scenario.grid, known, &is_worth_a_look, &character.memory, &scenario.laws, from);
        let now = ground.signature(&character.memory);
        if now != *signature {
            *signature = now;
            character.memory.note(repertoire_character::memory::changed::WAYS);
        }
        // Ground borrows what is known, not the memory, so that the memory can be reasoned over.
        let reputation =
            |whom: ThingId| esteem.iter().find(|of| of.whom == whom).map_or(1.0, Esteem::reputation);
        let mut chosen = character.decide(&scenario.laws, &ground, temper, &limits, &reputation);
        if let (Some(mind), Some(tied)) = (mind, &scenario.characters[who].mind) {
            let view = View { memory: &character.memory, space: &ground, laws: &scenario.laws };
            let roles = Roles { actor: *thing, target: None, item: None };
            chosen = tied.decide(mind, character.decision(), &roles, &view, &mut self.scratch);
            if let Some(chosen) = &chosen {
                character.settle(chosen.alternative);
            }
        }
        self.pursue(who);
        let Some(chosen) = chosen else {
            self.residents[who].exploring = None;
            return self.entry(who, from, Act::Wait, None);
        };
        let act = self.carry_out(who, &chosen);
        self.entry(who, from, act, Some(chosen.goal))
    }

    /// Keeps a belief about everything that the character's plans look for.
    fn pursue(&mut self, who: usize) {
        let trees = self.residents[who].character.trees();
        let nodes = trees.iter().flat_map(|tree| &tree.nodes);
        let mut sought: Vec<ThingId> = nodes
            .filter_map(|node| match node.content {
                Content::Wanted(Wanted::Found(thing)) => Some(thing),
                _ => None,
            })
            .collect();
        sought.sort_unstable();
        sought.dedup();
        self.with_search(who, |search, around| search.pursue(&sought, around), !sought.is_empty());
    }

    /// Lets a character's search see what is around it. Without need nothing is worked out.
    fn with_search(&mut self, who: usize, act: impl FnOnce(&mut Search, &Around<'_>), is_needed: bool) {
        if !is_needed && self.residents[who].search.sought().next().is_none() {
            return;
        }
        let drift = self.drift.get_or_insert_with(|| Arc::new(Drift::new(&self.scenario.grid))).clone();
        let Resident { search, known, character, .. } = &mut self.residents[who];
        let around = Around {
            known,
            memory: &character.memory,
            drift: &drift,
            walkers: &self.walkers,
            now: self.step,
            looks_again: self.scenario.characters[who].looks_again,
        };
        act(search, &around);
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

    /// Where a character is; where it was last, if it is gone.
    pub fn place_of(&self, who: usize) -> PlaceId {
        let resident = &self.residents[who];
        place_in(&self.things, resident.thing).unwrap_or(resident.was)
    }

    fn change(&mut self, change: Change) {
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
                let place = place_in(&self.things, holder);
                // Nobody lays down what they do not carry.
                let found = self.things.get_mut(thing.index()).filter(|found| found.holder == Some(holder));
                if let Some(found) = found {
                    (found.place, found.holder) = (place, None);
                }
            }
            Change::Remove(thing) => {
                let place = place_in(&self.things, thing);
                let body = self.residents.iter_mut().find(|resident| resident.thing == thing);
                if let (Some(resident), Some(place)) = (body, place) {
                    (resident.was, resident.busy, resident.exploring) = (place, None, None);
                }
                // What it carried lies where it was.
                for carried in self.things.iter_mut().filter(|carried| carried.holder == Some(thing)) {
                    (carried.place, carried.holder) = (place, None);
                }
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
    let mut hopeless = Vec::new();
    for (who, world) in all_knowing(scenario) {
        let resident = &world.residents[who];
        for (at, goal) in resident.character.goals().iter().enumerate() {
            if resident.character.standing(at) == repertoire_character::Standing::Unreachable {
                hopeless.push((resident.name.clone(), goal.name.clone()));
            }
        }
    }
    hopeless
}

/// Each character after its first decision, knowing everything: each alone in its own world, so that nobody's first step changes
/// another's chances.
fn all_knowing(scenario: &Scenario) -> impl Iterator<Item = (usize, World)> {
    let mut known = scenario.clone();
    known.characters.iter_mut().for_each(|part| part.knows = Knows::All);
    let known = Arc::new(known);
    (0..known.characters.len()).map(move |who| {
        let mut world = World::new(known.clone(), 0);
        world.perceive(who);
        world.take_turn(who);
        (who, world)
    })
}

/// Something that a threshold of time or space calls worthless, whatever else speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Worthless {
    /// To whom.
    pub character: String,
    /// For which goal.
    pub goal: String,
    /// What would be done first.
    pub action: String,
    /// `time` or `space`.
    pub motivation: String,
    /// The threshold.
    pub threshold: f64,
    /// What the whole alternative costs: at least the threshold's square.
    pub cost: f64,
}

/// What is worthless at the start to characters that know everything, because a threshold is small: for each character, motivation
/// and goal, what costs least.
pub fn worthless(scenario: &Scenario) -> Vec<Worthless> {
    let mut all: Vec<Worthless> = Vec::new();
    for (who, world) in all_knowing(scenario) {
        let Resident { character, known, temper, profile, name, .. } = &world.residents[who];
        let from = world.things[world.residents[who].thing.index()].place.unwrap_or(0);
        let ground =
            Ground::new(&scenario.grid, known, &|_, _| false, &character.memory, &scenario.laws, from);
        for cut in character.cut_off(&scenario.laws, &ground, temper) {
            let weighed = &character.decision().weighed[cut.weighed as usize];
            let motivation = temper.names()[cut.evaluator as usize].to_owned();
            let threshold = if motivation == "time" { profile.time } else { profile.space };
            let Some(threshold) = threshold else { continue };
            let cost = repertoire_prob::num::pow(threshold, 2.0 - cut.printed);
            let goal = character.goals()[usize::from(weighed.goal)].name.clone();
            let action =
                repertoire_character::reason::deed_label(weighed.deed, &scenario.laws, &scenario.roster);
            let one = Worthless { character: name.clone(), goal, action, motivation, threshold, cost };
            let same = |known: &&mut Worthless| {
                (&known.character, &known.goal, &known.motivation)
                    == (&one.character, &one.goal, &one.motivation)
            };
            match all.iter_mut().find(same) {
                Some(known) if known.cost <= one.cost => {}
                Some(known) => *known = one,
                None => all.push(one),
            }
        }
    }
    all
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
