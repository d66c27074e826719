//! The state machine of native bots: what a game would ship, and what learned characters are compared with.
//!
//! It is always in one of five states:
//!
//! | state     | when                                                  | what it does                              |
//! |-----------|-------------------------------------------------------|-------------------------------------------|
//! | `attack`  | an enemy is in view and noticed                       | aims, fires, keeps moving                 |
//! | `retreat` | the same, but it is badly hurt and knows of health    | runs for the health, facing the enemy     |
//! | `hunt`    | an enemy was in view a moment ago                     | runs to where it was                      |
//! |           | with belief: an enemy is probably seen from somewhere | runs there                                |
//! | `pick-up` | something worth the way may lie somewhere             | runs there                                |
//! | `roam`    | otherwise                                             | runs to a point drawn at random           |
//!
//! With belief it is the same but for this: where it would forget an enemy after some seconds and roam at random, it goes where it
//! believes enemies to be.

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::errand::{Errand, NOT_AGAIN_SECS, THINK_SECS, anywhere, best_spot, is_at, last_seen, value};
use super::skill::Skill;
use super::vocabulary::Does;
use crate::memory::{Enemy, Memory};
use crate::{Beliefs, Percept, Place, Places, Spot, Weapon};

/// What a machine is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mode {
    #[default]
    Roam,
    Hunt,
    Attack,
    Retreat,
    PickUp,
}

impl Mode {
    pub const ALL: [Mode; 5] = [Mode::Roam, Mode::Hunt, Mode::Attack, Mode::Retreat, Mode::PickUp];

    pub const fn name(self) -> &'static str {
        match self {
            Mode::Roam => "roam",
            Mode::Hunt => "hunt",
            Mode::Attack => "attack",
            Mode::Retreat => "retreat",
            Mode::PickUp => "pick-up",
        }
    }
}

/// How long an enemy out of view is hunted.
const HUNT_SECS: f64 = 4.0;
/// Something is worth fetching if its value per second of way is above this.
const WORTH: f64 = 0.08;

/// A machine's state, and where it leads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Machine {
    pub mode: Mode,
    pub errand: Errand,
}

/// What a machine goes by.
pub(super) struct Situated<'a> {
    pub percept: &'a Percept,
    pub places: &'a Places,
    pub here: Place,
    /// The enemy in view that it has noticed.
    pub enemy: Option<Enemy>,
    pub skill: &'a Skill,
}

impl Machine {
    /// Which state to be in, and where to go in it.
    pub fn choose(
        &mut self,
        of: &Situated<'_>,
        memory: &mut Memory,
        beliefs: Option<&mut Beliefs>,
        draw: &mut Stream,
    ) {
        let now = of.percept.tick;
        if of.enemy.is_some() {
            if of.percept.own.health < of.skill.cautious_below && self.flee_to_health(of, memory) {
                self.mode = Mode::Retreat;
            } else {
                self.mode = Mode::Attack;
                self.errand.spot = None;
            }
            return;
        }
        let lost = memory.recent(now, of.percept.ticks(HUNT_SECS));
        if let Some(beliefs) = beliefs {
            if self.hunt_by_belief(of, memory, beliefs, lost.is_some()) {
                return;
            }
        } else if let Some(lost) = lost {
            let there = last_seen(&lost, of.places, of.here);
            if let Some(there) = there.filter(|_| !self.errand.route.is_hopeless()) {
                self.errand.hope = 0.0;
                self.mode = Mode::Hunt;
                self.errand.route.set_goal(Some(there));
                return;
            }
            memory.lose(lost.id);
        }
        if matches!(self.mode, Mode::Attack | Mode::Hunt | Mode::Retreat) {
            self.mode = Mode::Roam;
            self.errand.route.set_goal(None);
            self.errand.think_at = now;
        }
        self.fetch_or_roam(of, memory, draw);
    }

    /// Goes where most of the belief is seen soon, unless something is worth fetching first; right after losing an enemy
    /// nothing is.
    fn hunt_by_belief(
        &mut self,
        of: &Situated<'_>,
        memory: &Memory,
        beliefs: &mut Beliefs,
        just_lost: bool,
    ) -> bool {
        let (now, errand) = (of.percept.tick, &mut self.errand);
        let is_going =
            self.mode == Mode::Hunt && errand.route.goal().is_some() && !errand.route.is_hopeless();
        if is_going && now < errand.think_at {
            return true;
        }
        let Some((lookout, hope)) = beliefs.best_lookout(of.here, of.places) else { return false };
        let worth = |spot: &Spot| value(spot.item, &of.percept.own);
        let fetch = best_spot(of.percept, of.places, of.here, memory, worth);
        let fetches = !just_lost && fetch.is_some_and(|(_, _, worth)| worth > WORTH);
        if fetches || (errand.route.is_hopeless() && self.mode == Mode::Hunt) {
            return false;
        }
        errand.think_at = now + of.percept.ticks(THINK_SECS);
        self.mode = Mode::Hunt;
        (errand.spot, errand.hope) = (None, hope);
        errand.route.set_goal(Some(lookout));
        true
    }

    fn flee_to_health(&mut self, of: &Situated<'_>, memory: &Memory) -> bool {
        let health = |spot: &Spot| if spot.item.is_health() { 1.0 } else { 0.0 };
        let found = best_spot(of.percept, of.places, of.here, memory, health);
        let Some((spot, place, _)) = found else { return false };
        self.errand.spot = Some(spot);
        self.errand.route.set_goal(Some(place));
        true
    }

    fn fetch_or_roam(&mut self, of: &Situated<'_>, memory: &mut Memory, draw: &mut Stream) {
        let (now, errand) = (of.percept.tick, &mut self.errand);
        // Not `goal == here`: beside a goal the nearest point may be another, and the route has nothing more to walk.
        let reached = errand.route.goal().is_none_or(|goal| is_at(of.percept, of.places, goal));
        if reached && let Some(spot) = errand.spot.take() {
            // It stood there and did not get it, or got it just now: either way not again at once.
            memory.note_gone(usize::from(spot), now + of.percept.ticks(NOT_AGAIN_SECS));
        }
        let taken = errand.spot.is_some_and(|spot| !memory.may_be_there(usize::from(spot), now));
        if !(reached || taken || errand.route.is_hopeless() || now >= errand.think_at) {
            return;
        }
        errand.think_at = now + of.percept.ticks(THINK_SECS);
        let worth = |spot: &Spot| value(spot.item, &of.percept.own);
        let found = best_spot(of.percept, of.places, of.here, memory, worth);
        if let Some((spot, place, worth)) = found
            && worth > WORTH
            && !(errand.route.is_hopeless() && errand.route.goal() == Some(place))
        {
            self.mode = Mode::PickUp;
            errand.spot = Some(spot);
            errand.route.set_goal(Some(place));
        } else if reached || taken || errand.route.is_hopeless() || self.mode == Mode::PickUp {
            self.mode = Mode::Roam;
            errand.spot = None;
            errand.route.set_goal(anywhere(of.places, of.here, draw));
        }
    }

    /// The task that a state is, in a fighter's words.
    pub fn does(&self, places: &Places) -> Does {
        let item = self.errand.spot.and_then(|spot| places.spots().get(usize::from(spot)));
        match self.mode {
            Mode::Roam => Does::Explore,
            Mode::Hunt => Does::Hunt,
            Mode::Attack => Does::Attack,
            Mode::Retreat => Does::HealthSearch,
            Mode::PickUp if item.is_some_and(|spot| spot.item.is_health()) => Does::HealthSearch,
            Mode::PickUp => Does::WeaponSearch,
        }
    }

    /// Why it is in its state, in words.
    pub fn why(&self, enemy: Option<Enemy>, weapon: Weapon) -> String {
        match (self.mode, enemy) {
            (Mode::Attack, Some(enemy)) => format!("sees character {}; {weapon} weapon in hand", enemy.id),
            (Mode::Retreat, Some(enemy)) => format!("hurt, runs from character {} to find health", enemy.id),
            (Mode::Hunt, _) if self.errand.hope > 0.0 => {
                let hope = 100.0 * self.errand.hope.min(1.0);
                format!("somebody is probably seen from where it goes ({hope:.0} %)")
            }
            (Mode::Hunt, _) => "saw somebody a moment ago, goes to look".to_owned(),
            (Mode::PickUp, _) => match self.errand.spot {
                Some(spot) => format!("goes for the item of spot {spot}"),
                None => "goes for an item".to_owned(),
            },
            _ => "nothing to fetch, nobody in view".to_owned(),
        }
    }
}
