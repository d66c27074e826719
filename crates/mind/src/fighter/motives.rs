//! Motivations in a fight: the same that move characters in rooms weigh what a fighter could do (Dujardin and Routier).
//!
//! Health, weapons and prey are goals of a [`Character`], items and enemies are things in its memory, ways are the map's, and its
//! profile says which comes first. A profile written for rooms works here; what it says about doors has no effect.
//!
//! | who asks                       | gets                                                                              |
//! |--------------------------------|-----------------------------------------------------------------------------------|
//! | `[decide] by = "motivation"`   | the deed of the best alternative: it is done ([`Motives::pursue`])                  |
//! | `[want] profile` beside others | an opinion about tasks ([`Motives::says`]): `c_want(T)`, the value of the best alternative whose next deed task `T` carries out, over the sum of all tasks |

use std::fmt;
use std::sync::{Arc, LazyLock};

use repertoire_character::character::Saved;
use repertoire_character::expression::{Condition, Op, Term, Test, Who};
use repertoire_character::{
    Character, Deed, Destination, Goal, Influence, KindId, Laws, Limits, Memory, PlaceId, Profile, Roster,
    Seen, Space, Temper, ThingId, Value, Way, explain,
};
use repertoire_prob::Stream;

use super::errand::{NOT_AGAIN_SECS, anywhere, can_go, is_beside};
use super::machine::{Machine, Mode, Situated};
use super::vocabulary::Does;
use crate::{Beliefs, Item, Percept, Place, Places, Weapon};

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
    static LAWS_READ: LazyLock<Arc<Laws>> = LazyLock::new(|| {
        // A test reads it: what is written above is right.
        Arc::new(Laws::read(LAWS).unwrap_or_else(|mistake| unreachable!("{mistake}")))
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

/// What moves a kind of fighter: a profile under the laws of the arena.
pub(super) struct Motivation {
    pub profile: Profile,
    laws: Arc<Laws>,
    temper: Temper,
}

impl fmt::Debug for Motivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Motivation").field("profile", &self.profile).finish_non_exhaustive()
    }
}

/// The share of an opinion that is spread evenly: a task that carries out nothing that is wanted is not ruled out.
const EVEN: f64 = 0.2;
/// The goals of a fighter, by name, each with the tasks that pursue it.
pub(super) const GOALS: [(&str, &[Does]); 3] = [
    ("health", &[Does::HealthSearch]),
    ("weapon", &[Does::WeaponSearch]),
    ("hunt", &[Does::Attack, Does::Hunt, Does::Ambush]),
];

impl Motivation {
    pub fn new(profile: Profile) -> Self {
        let laws = arena_laws();
        Motivation { temper: Temper::new(&profile, &laws), laws, profile }
    }

    fn kind(&self, name: &str) -> KindId {
        self.laws.find_kind(name).unwrap_or(KindId(0))
    }

    /// What an item is among the arena's kinds of things.
    fn kind_of(&self, item: Item) -> KindId {
        self.kind(if item.is_health() { "health" } else { "weapon" })
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
}

/// What one fighter is moved by.
pub(super) struct Motives {
    of: Arc<Motivation>,
    character: Character,
    /// The number of spots of the map it knows.
    spots: Option<usize>,
    /// A restored state that waits for a map.
    restored: Option<Saved>,
}

impl Motives {
    pub fn new(of: &Arc<Motivation>) -> Self {
        let character = Character::new(Memory::new(ME, Arc::default()), Vec::new());
        Motives { of: Arc::clone(of), character, spots: None, restored: None }
    }

    /// Everything that a later decision depends on. Nobody settles while dead, so a state that still waits is given as it is.
    pub fn save(&self) -> Saved {
        self.restored.clone().unwrap_or_else(|| self.character.save())
    }

    pub fn restore(&mut self, saved: Saved) {
        *self = Motives { restored: Some(saved), ..Motives::new(&self.of) };
    }

    /// Learns the things of a map: who may be met, and what lies where.
    fn settle(&mut self, places: &Places) {
        if self.spots == Some(places.spots().len()) {
            return;
        }
        self.spots = Some(places.spots().len());
        let mut kinds = vec![self.of.kind("self")];
        kinds.resize(1 + MOST_FIGHTERS as usize, self.of.kind("fighter"));
        kinds.extend(places.spots().iter().map(|spot| self.of.kind_of(spot.item)));
        let things = kinds.into_iter().map(|kind| (kind, self.of.laws.kind(kind).name)).collect();
        self.character = Character::new(Memory::new(ME, Arc::new(Roster { things })), self.of.goals());
        if let Some(saved) = self.restored.take() {
            self.character.restore(&saved);
        }
    }

    /// Takes in what is perceived and remembered.
    fn believe(&mut self, percept: &Percept, places: &Places, known: &crate::memory::Memory) {
        let of = Arc::clone(&self.of);
        let laws = &of.laws;
        let (own_kind, fighter_kind) = (of.kind("self"), of.kind("fighter"));
        let item_kinds = [of.kind("health"), of.kind("weapon")];
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
        memory.see(me, now, laws);
        let lasting = (REMEMBERED_SECS / percept.period_secs) as u32;
        for id in 0..MOST_FIGHTERS as u8 {
            let seen = percept.characters.iter().find(|other| other.id == id);
            if let Some(other) = seen {
                let there = Some(place(other.position));
                let seen =
                    Seen { thing: fighter(id), kind: fighter_kind, place: there, holder: None, values: &[] };
                memory.see(seen, now, laws);
            } else if memory.belief(fighter(id)).is_some_and(|known| now > known.seen + lasting) {
                memory.forget(fighter(id), laws);
            }
        }
        for (number, item) in places.spots().iter().enumerate() {
            let useful = match item.item {
                item if item.is_health() => Some(item_kinds[0]),
                Item::Ammo(weapon) | Item::LargeAmmo(weapon) if !own.weapons[weapon.index()] => None,
                _ => Some(item_kinds[1]),
            };
            let there = item.place.filter(|_| known.may_be_there(number, now));
            match (useful, there) {
                (Some(kind), Some(place)) => {
                    let place = Some(PlaceId::from(place.0));
                    let seen = Seen { thing: spot(number), kind, place, holder: None, values: &[] };
                    memory.see(seen, now, laws);
                }
                _ => memory.forget(spot(number), laws),
            }
        }
    }

    /// Weighs everything it could do.
    pub fn weigh(&mut self, percept: &Percept, places: &Places, known: &crate::memory::Memory) {
        self.settle(places);
        self.believe(percept, places, known);
        let of = &self.of;
        self.character.decide(&of.laws, &Ground { places }, &of.temper, &Limits::default(), &|_| 1.0);
    }

    /// Why the best is the best, in words.
    pub fn why(&self) -> String {
        explain::sentence(&explain::explain(&self.character, &self.of.laws, &self.of.temper))
    }

    /// What is wanted says of each task: the value of the best alternative whose next deed it carries out, over the sum of all
    /// tasks; a share is spread evenly. False if nothing is wanted: then it says nothing.
    pub fn says(&self, tasks: &[Option<Does>], places: &Places, sees: bool, says: &mut Vec<f64>) -> bool {
        says.clear();
        says.resize(tasks.len(), 0.0);
        for weighed in &self.character.decision().weighed {
            let does = carried_out_by(weighed.deed, places, sees);
            for (best, task) in says.iter_mut().zip(tasks) {
                if task.is_some_and(|task| does.contains(&task)) {
                    *best = best.max(weighed.value);
                }
            }
        }
        let all: f64 = says.iter().sum();
        if !(all > 0.0 && all.is_finite()) {
            return false;
        }
        let even = EVEN / tasks.len() as f64;
        says.iter_mut().for_each(|says| *says = even + (1.0 - EVEN) * *says / all);
        true
    }

    /// What to do about the best alternative: a state of the machine, and where it leads.
    pub fn pursue(
        &mut self,
        machine: &mut Machine,
        of: &Situated<'_>,
        known: &mut crate::memory::Memory,
        beliefs: Option<&mut Beliefs>,
        draw: &mut Stream,
    ) {
        let (percept, places, here) = (of.percept, of.places, of.here);
        let deed = self.character.decision().best().map(|chosen| chosen.deed);
        let target = deed.and_then(Deed::target).filter(|target| target.unmet_kind().is_none());
        let item = target.and_then(|target| target.index().checked_sub(spot(0).index()));
        let (sees, errand) = (of.enemy.is_some(), &mut machine.errand);
        match (item, target) {
            (Some(number), _) => {
                machine.mode = if sees { Mode::Retreat } else { Mode::PickUp };
                let goal = places.spots()[number].place;
                errand.spot = Some(number as u16);
                errand.route.set_goal(goal);
                // It stood there and did not get it: not again at once.
                let stood = goal.is_some_and(|goal| is_beside(percept, places, goal));
                if stood || errand.route.is_hopeless() {
                    known.note_gone(number, percept.tick + percept.ticks(NOT_AGAIN_SECS));
                }
            }
            (None, Some(prey)) => {
                errand.spot = None;
                if sees {
                    machine.mode = Mode::Attack;
                    return;
                }
                (machine.mode, errand.hope) = (Mode::Hunt, 0.0);
                let there = self.character.memory.place(prey).map(|place| Place(place as u16));
                let goal = there.filter(|there| can_go(places, here, *there));
                if goal.is_none() || errand.route.is_hopeless() {
                    // Nobody is there any more.
                    self.character.memory.forget(prey, &self.of.laws);
                }
                errand.route.set_goal(goal);
            }
            (None, None) => {
                errand.spot = None;
                let reached = errand.route.goal().is_none_or(|goal| is_beside(percept, places, goal));
                let roams = machine.mode == Mode::Roam || (machine.mode == Mode::Hunt && errand.hope > 0.0);
                let goes_on = roams && !reached && !errand.route.is_hopeless();
                machine.mode = if goes_on { machine.mode } else { Mode::Roam };
                if !goes_on {
                    errand.hope = 0.0;
                    let lookout = beliefs.and_then(|beliefs| beliefs.best_lookout(here, places));
                    let lookout = lookout.filter(|(place, _)| can_go(places, here, *place));
                    if let Some((place, hope)) = lookout {
                        (machine.mode, errand.hope) = (Mode::Hunt, hope);
                        errand.route.set_goal(Some(place));
                    } else {
                        errand.route.set_goal(anywhere(places, here, draw));
                    }
                }
                // Who wants nothing and sees somebody defends itself.
                if sees {
                    machine.mode = Mode::Attack;
                }
            }
        }
    }
}

/// The tasks that carry out a deed.
fn carried_out_by(deed: Deed, places: &Places, sees: bool) -> &'static [Does] {
    let target = deed.target().filter(|target| target.unmet_kind().is_none());
    let item = target.and_then(|target| target.index().checked_sub(spot(0).index()));
    match (item.and_then(|number| places.spots().get(number)), target) {
        (Some(spot), _) if spot.item.is_health() => &[Does::HealthSearch],
        (Some(_), _) => &[Does::WeaponSearch],
        (None, Some(_)) if sees => &[Does::Attack],
        (None, Some(_)) => &[Does::Hunt, Does::Ambush],
        (None, None) => &[Does::Hunt, Does::Ambush, Does::Explore],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_about_the_arena_is_right() {
        let laws = arena_laws();
        assert_eq!((laws.interactions.len(), laws.kinds.len()), (3, 4));
        let goals = Motivation::new(Profile::default()).goals();
        let names: Vec<&str> = goals.iter().map(|goal| goal.name.as_str()).collect();
        assert_eq!(names, GOALS.map(|(name, _)| name));
    }

    #[test]
    fn profiles_of_rooms_name_goals_of_the_arena() {
        let goals = |name: &str| {
            let profile = repertoire_character::profile::profile(name).expect("shipped");
            Motivation::new(profile).goals()
        };
        let hunt = |goals: Vec<Goal>| match goals[2].influence {
            Influence::Constant(value) => value,
            _ => 0.0,
        };
        assert!(hunt(goals("brute")) > hunt(goals("plain")));
        assert!(hunt(goals("careful")) < hunt(goals("plain")));
    }
}
