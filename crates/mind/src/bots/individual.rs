//! A character with a profile in the arena: the same motivations that move characters in rooms choose between its goals.
//!
//! Body, aim and trigger are the native bot's. What differs is what it wants: health, weapons or prey are goals of a
//! [`Character`], items and enemies are things in its memory, ways are the map's, and its profile says which comes
//! first. A profile written for rooms works here; what it says about doors has no effect.

use std::sync::{Arc, LazyLock};

use crate::{Command, Item, Mind, Percept, Place, Places, RestoreError, Weapon};
use repertoire_authored::Ordered;
use repertoire_character::expression::{Condition, Op, Term, Test, Who};
use repertoire_character::laws::{InteractionFile, KindFile, LawsPart, build};
use repertoire_character::{
    Character, Deed, Destination, Goal, Influence, KindId, Laws, Limits, Memory, PlaceId, Profile, Roster,
    Seen, Space, Temper, ThingId, Value, Way, explain,
};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::{Native, Task};

/// What can be done in the arena, as data. The amounts only say what each deed is good for.
const LAWS: &str = r#"
[interaction.heal]
guard = "distance(actor, target) <= 1"
action = "actor.health.add(25)"

[interaction.arm]
guard = "distance(actor, target) <= 1"
action = "actor.arms.add(1)"

[interaction.shoot]
guard = "distance(actor, target) <= 1"
action = "actor.frags.add(1)"

[kind.self]
performs = ["move", "explore", "heal", "arm", "shoot"]
properties = { health = 100, arms = 0, frags = 0 }

[kind.fighter]
undergoes = ["shoot"]

[kind.health]
undergoes = ["heal"]

[kind.weapon]
undergoes = ["arm"]
"#;

/// The laws of the arena, for checking profiles against them.
pub fn arena_laws() -> Arc<Laws> {
    #[derive(Deserialize)]
    struct File {
        interaction: Ordered<InteractionFile>,
        kind: Ordered<KindFile>,
    }
    static LAWS_READ: LazyLock<Arc<Laws>> = LazyLock::new(|| {
        // A test reads it: what is written above is right.
        let file: File = repertoire_authored::read(LAWS).unwrap_or_else(|mistake| unreachable!("{mistake}"));
        let part = LawsPart { text: LAWS, interactions: &file.interaction, kinds: &file.kind };
        Arc::new(build(&[part]).unwrap_or_else(|(_, mistake)| unreachable!("{mistake}")))
    });
    LAWS_READ.clone()
}

/// The character itself is thing 0; then come the others of the match, then the spots of items.
const ME: ThingId = ThingId(0);
const MOST_FIGHTERS: u32 = 64;

const fn fighter(id: u8) -> ThingId {
    ThingId(1 + id as u32)
}

const fn spot(number: usize) -> ThingId {
    ThingId(1 + MOST_FIGHTERS + number as u32)
}

/// Steps of the way are metres at a run.
const STEP_SECS: f64 = 1.0 / 7.0;
/// How long an enemy out of view is still hunted.
const REMEMBERED_SECS: f64 = 6.0;

/// The ways of the arena: everything is known and nothing is locked; one can always look elsewhere for prey.
struct Ground<'a> {
    places: &'a Places,
}

impl Space for Ground<'_> {
    fn distance(&self, a: PlaceId, b: PlaceId) -> f64 {
        if a == b { 0.0 } else { self.steps(a, b).map_or(f64::INFINITY, f64::from) }
    }
    fn steps(&self, from: PlaceId, to: PlaceId) -> Option<u32> {
        let secs = self.places.travel_secs(Place(from as u16), Place(to as u16))?;
        Some((secs / STEP_SECS).min(1e6) as u32)
    }
    fn steps_when_open(&self, from: PlaceId, to: PlaceId) -> Option<u32> {
        self.steps(from, to)
    }
    fn ways(&self, _: Destination, _: &[ThingId]) -> Vec<Way> {
        vec![Way::default()]
    }
}

/// A character with a profile.
pub struct Individual {
    body: Native,
    profile: Profile,
    laws: Arc<Laws>,
    temper: Temper,
    character: Character,
    spots: Option<usize>,
    /// A restored state that waits for a map.
    restored: Option<repertoire_character::character::Saved>,
    why: String,
}

/// What is saved of it: beliefs are taken in anew with each percept.
#[derive(Serialize, Deserialize)]
struct Saved {
    body: Native,
    character: repertoire_character::character::Saved,
}

impl Individual {
    /// A character with a profile and the body of a native bot of some level.
    pub fn new(profile: Profile, level: u8) -> Self {
        let laws = arena_laws();
        let temper = Temper::new(&profile, &laws);
        let character = Character::new(Memory::new(ME, Arc::default()), Vec::new());
        Individual {
            body: Native::new(level),
            profile,
            laws,
            temper,
            character,
            spots: None,
            restored: None,
            why: String::new(),
        }
    }

    fn kind(&self, name: &str) -> KindId {
        self.laws.find_kind(name).unwrap_or(KindId(0))
    }

    /// What an item is among the arena's kinds of things.
    fn kind_of(&self, item: Item) -> KindId {
        self.kind(if item == Item::Health { "health" } else { "weapon" })
    }

    /// Learns the things of a map: who may be met, and what lies where.
    fn settle(&mut self, places: &Places) {
        if self.spots == Some(places.spots().len()) {
            return;
        }
        self.spots = Some(places.spots().len());
        let mut kinds = vec![self.kind("self")];
        kinds.resize(1 + MOST_FIGHTERS as usize, self.kind("fighter"));
        kinds.extend(places.spots().iter().map(|spot| self.kind_of(spot.item)));
        let things = kinds.into_iter().map(|kind| (kind, self.laws.kind(kind).name)).collect();
        self.character = Character::new(Memory::new(ME, Arc::new(Roster { things })), self.goals());
        if let Some(saved) = self.restored.take() {
            self.character.restore(&saved);
        }
    }

    fn goals(&self) -> Vec<Goal> {
        let property = |name: &str| self.laws.find_property(name);
        let at_least = |name: &str, least: f64| {
            let left =
                property(name).map_or(Term::Value(Value::Bool(false)), |id| Term::Property(Who::Actor, id));
            Condition::Test(Test::Compare(left, Op::AtLeast, Term::Value(Value::Number(least))))
        };
        let of = |name: &str| {
            property(name).map_or(Term::Value(Value::Number(0.0)), |id| Term::Property(Who::Actor, id))
        };
        let goal = |name: &str, want: Condition, influence: Influence| Goal {
            influence: self.profile.influence_of(name, &influence),
            name: name.to_owned(),
            want,
            whose: ME,
            asks: false,
        };
        vec![
            // The sigmoid of figure 10 on health instead of energy.
            goal(
                "health",
                at_least("health", 90.0),
                Influence::Sigmoid { of: of("health"), max: 30.0, centre: 40.0, slope: 12.0 },
            ),
            goal(
                "weapon",
                at_least("arms", 2.0),
                Influence::Points { of: of("arms"), points: vec![(0.0, 9.0), (1.0, 5.0)] },
            ),
            goal("hunt", at_least("frags", 1e9), Influence::Constant(6.0)),
        ]
    }

    /// Takes in what the body perceives and remembers.
    fn believe(&mut self, percept: &Percept, places: &Places) {
        let laws = self.laws.clone();
        let (own_kind, fighter_kind) = (self.kind("self"), self.kind("fighter"));
        let item_kinds = [self.kind("health"), self.kind("weapon")];
        let memory = &mut self.character.memory;
        let now = percept.tick;
        let own = &percept.own;
        let place = |position| PlaceId::from(places.nearest(position).0);
        let armed = |weapon: Weapon| own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0;
        let arms = f64::from(u8::from(armed(Weapon::Medium)) + u8::from(armed(Weapon::Strong)));
        let values = [own.health, arms, f64::from(own.frags)].map(Value::Number);
        let me = Seen {
            thing: ME,
            kind: own_kind,
            place: Some(place(own.position)),
            holder: None,
            values: &values,
        };
        memory.see(me, now, &laws);
        let lasting = (REMEMBERED_SECS / percept.period_secs) as u32;
        for id in 0..MOST_FIGHTERS as u8 {
            let seen = percept.characters.iter().find(|other| other.id == id);
            if let Some(other) = seen {
                let there = Some(place(other.position));
                let seen =
                    Seen { thing: fighter(id), kind: fighter_kind, place: there, holder: None, values: &[] };
                memory.see(seen, now, &laws);
            } else if memory.belief(fighter(id)).is_some_and(|known| now > known.seen + lasting) {
                memory.forget(fighter(id), &laws);
            }
        }
        for (number, item) in places.spots().iter().enumerate() {
            let useful = match item.item {
                Item::Health => Some(item_kinds[0]),
                Item::Weapon(_) => Some(item_kinds[1]),
                Item::Ammo(weapon) if own.weapons[weapon.index()] => Some(item_kinds[1]),
                Item::Ammo(_) => None,
            };
            let there = item.place.filter(|_| self.body.memory.may_be_there(number, now));
            match (useful, there) {
                (Some(kind), Some(place)) => {
                    let place = Some(PlaceId::from(place.0));
                    memory.see(
                        Seen { thing: spot(number), kind, place, holder: None, values: &[] },
                        now,
                        &laws,
                    );
                }
                _ => memory.forget(spot(number), &laws),
            }
        }
    }

    /// What the body should do about a deed.
    fn set_task(&mut self, deed: Option<Deed>, percept: &Percept, places: &Places, draw: &mut Stream) {
        let here = places.nearest(percept.own.position);
        let body = &mut self.body;
        let target = deed.and_then(Deed::target).filter(|target| target.unmet_kind().is_none());
        let item = target.and_then(|target| target.index().checked_sub(spot(0).index()));
        match (item, target) {
            (Some(number), _) => {
                body.task = if body.enemy.is_some() { Task::Retreat } else { Task::PickUp };
                let goal = places.spots()[number].place;
                body.spot = Some(number as u16);
                body.route.set_goal(goal);
                // It stood there and did not get it: not again at once.
                let stood = goal.is_some_and(|goal| {
                    percept.own.position.truncate().distance(places.point(goal).truncate()) < 0.8
                });
                if stood || body.route.is_hopeless() {
                    body.memory.note_gone(number, percept.tick + Native::ticks(10.0, percept));
                }
            }
            (None, Some(prey)) => {
                body.spot = None;
                if body.enemy.is_some() {
                    body.task = Task::Attack;
                    return;
                }
                body.task = Task::Hunt;
                let there = self.character.memory.place(prey).map(|place| Place(place as u16));
                let arrived = there.is_none_or(|there| {
                    there == here || places.travel_secs(here, there).is_none() || places.is_harmful(there)
                });
                if arrived || self.body.route.is_hopeless() {
                    // Nobody is there any more.
                    self.character.memory.forget(prey, &self.laws);
                }
                self.body.route.set_goal(there.filter(|_| !arrived));
            }
            (None, None) => {
                let reached = body.route.goal().is_none_or(|goal| {
                    percept.own.position.truncate().distance(places.point(goal).truncate()) < 0.8
                });
                if body.task != Task::Roam || reached || body.route.is_hopeless() {
                    let goal = Place((draw.unit() * places.points().len() as f64) as u16);
                    let is_way =
                        goal != here && places.travel_secs(here, goal).is_some() && !places.is_harmful(goal);
                    body.route.set_goal(is_way.then_some(goal));
                }
                body.task = Task::Roam;
                body.spot = None;
                // Who wants nothing and sees somebody defends itself.
                if body.enemy.is_some() {
                    body.task = Task::Attack;
                }
            }
        }
    }
}

impl Mind for Individual {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        self.settle(places);
        if percept.own.life != self.body.life {
            self.body.begin_life(percept.own.life);
        }
        self.body.memory.update(percept, places.spots().len());
        let reaction = Native::ticks(self.body.skill.reaction_secs, percept);
        self.body.enemy = self.body.memory.in_view(percept, reaction);
        self.believe(percept, places);
        let ground = Ground { places };
        let chosen = self.character.decide(&self.laws, &ground, &self.temper, &Limits::default(), &|_| 1.0);
        self.why = explain::sentence(&explain::explain(&self.character, &self.laws, &self.temper));
        self.set_task(chosen.map(|chosen| chosen.deed), percept, places, draw);
        self.body.act(percept, places, draw)
    }

    fn task(&self) -> &str {
        self.body.task.name()
    }

    fn why(&self) -> String {
        self.why.clone()
    }

    fn save(&self) -> serde_json::Value {
        let saved = Saved { body: self.body.clone(), character: self.character.save() };
        serde_json::to_value(saved).unwrap_or_default()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        let saved = Saved::deserialize(saved)?;
        self.body = saved.body;
        match self.spots {
            Some(_) => self.character.restore(&saved.character),
            None => self.restored = Some(saved.character),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_about_the_arena_is_right() {
        let laws = arena_laws();
        assert_eq!((laws.interactions.len(), laws.kinds.len()), (3, 4));
        let individual = Individual::new(Profile::default(), 3);
        assert_eq!(individual.goals().len(), 3);
    }

    #[test]
    fn profiles_of_rooms_name_goals_of_the_arena() {
        let goals = |name: &str| {
            let profile = repertoire_character::profile::profile(name).expect("shipped");
            Individual::new(profile, 3).goals()
        };
        let hunt = |goals: Vec<Goal>| match goals[2].influence {
            Influence::Constant(value) => value,
            _ => 0.0,
        };
        assert!(hunt(goals("brute")) > hunt(goals("plain")));
        assert!(hunt(goals("careful")) < hunt(goals("plain")));
    }
}
