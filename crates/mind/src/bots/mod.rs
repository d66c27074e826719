//! Native bots: the state machine that a game would ship, at eight levels of skill.
//!
//! They are what learned characters are compared with. A bot is always in one of five states:
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
//! A bot with belief ([`Native::with_belief`]) is the same but for this: where the others forget an enemy after some seconds
//! and roam at random, it goes where it believes enemies to be.

mod aim;
mod individual;
mod skill;

use crate::{Beliefs, Command, Item, Mind, Percept, Place, Places, RestoreError, Weapon, turn_between};
use glam::{DVec2, DVec3};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::memory::{Enemy, Memory};
use crate::route::{Route, Step};
use crate::tasks::{choose_weapon, wanted_distance_m};
pub(crate) use aim::Aim;
pub use individual::{Individual, arena_laws};
pub use skill::Skill;

/// What a bot is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Task {
    #[default]
    Roam,
    Hunt,
    Attack,
    Retreat,
    PickUp,
}

impl Task {
    const fn name(self) -> &'static str {
        match self {
            Task::Roam => "roam",
            Task::Hunt => "hunt",
            Task::Attack => "attack",
            Task::Retreat => "retreat",
            Task::PickUp => "pick-up",
        }
    }
}

/// A native bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Native {
    level: u8,
    skill: Skill,
    life: u32,
    task: Task,
    /// The spot it wants an item from.
    spot: Option<u16>,
    enemy: Option<Enemy>,
    memory: Memory,
    route: Route,
    aim: Aim,
    /// The point it dodges to while it fights, and when it will choose another.
    dodge: Option<(Place, u32)>,
    /// When it will think again about what to fetch.
    think_at: u32,
    /// Its last weapon, for [`Mind::why`].
    weapon: Weapon,
    /// Where it believes enemies out of sight to be, if it keeps such a belief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beliefs: Option<Beliefs>,
    /// How much of its belief it hopes to see from where it goes.
    #[serde(default)]
    hope: f64,
}

/// How long an enemy out of view is hunted.
const HUNT_SECS: f64 = 4.0;
/// How often it thinks again about what to fetch.
const THINK_SECS: f64 = 1.0;
/// Something is worth fetching if its value per second of way is above this.
const WORTH: f64 = 0.08;

impl Native {
    /// A bot of a level from 0 (a beginner) to 7 (a champion).
    pub fn new(level: u8) -> Self {
        Self::with_skill(level.min(Skill::HIGHEST), Skill::of_level(level))
    }

    /// A bot with a skill of one's own making.
    pub fn with_skill(level: u8, skill: Skill) -> Self {
        Native {
            level,
            skill,
            life: 0,
            task: Task::Roam,
            spot: None,
            enemy: None,
            memory: Memory::default(),
            route: Route::default(),
            aim: Aim::default(),
            dodge: None,
            think_at: 0,
            weapon: Weapon::Weak,
            beliefs: None,
            hope: 0.0,
        }
    }

    /// The same bot, keeping a belief about where enemies are who are out of sight.
    pub fn with_belief(mut self) -> Self {
        self.beliefs = Some(Beliefs::new());
        self
    }

    /// Its level.
    pub fn level(&self) -> u8 {
        self.level
    }

    fn begin_life(&mut self, life: u32) {
        self.life = life;
        self.task = Task::Roam;
        self.spot = None;
        self.enemy = None;
        self.dodge = None;
        self.think_at = 0;
        self.memory.forget();
        self.route.forget();
    }

    fn ticks(secs: f64, percept: &Percept) -> u32 {
        (secs / percept.period_secs).round() as u32
    }

    /// Which state to be in, and where to go in it.
    fn choose_task(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) {
        let now = percept.tick;
        let reaction = Self::ticks(self.skill.reaction_secs, percept);
        let here = places.nearest(percept.own.position);
        self.enemy = self.memory.in_view(percept, reaction);
        if self.enemy.is_some() {
            if percept.own.health < self.skill.cautious_below && self.flee_to_health(percept, places, here) {
                self.task = Task::Retreat;
            } else {
                self.task = Task::Attack;
                self.spot = None;
            }
            return;
        }
        let lost = self.memory.recent(now, Self::ticks(HUNT_SECS, percept));
        if self.beliefs.is_some() {
            if self.hunt_by_belief(percept, places, here, lost.is_some()) {
                return;
            }
        } else if let Some(lost) = lost {
            let there = places.nearest(lost.position + lost.velocity.with_z(0.0) * 0.5);
            let arrived =
                there == here || places.travel_secs(here, there).is_none() || places.is_harmful(there);
            if !arrived && !self.route.is_hopeless() {
                self.hope = 0.0;
                self.task = Task::Hunt;
                self.route.set_goal(Some(there));
                return;
            }
            self.memory.lose(lost.id);
        }
        if matches!(self.task, Task::Attack | Task::Hunt | Task::Retreat) {
            self.task = Task::Roam;
            self.route.set_goal(None);
            self.think_at = now;
        }
        self.fetch_or_roam(percept, places, here, draw);
    }

    /// Goes where most of the belief is seen soon, unless something is worth fetching first; right after losing an enemy
    /// nothing is.
    fn hunt_by_belief(&mut self, percept: &Percept, places: &Places, here: Place, just_lost: bool) -> bool {
        let Some(beliefs) = &mut self.beliefs else { return false };
        let now = percept.tick;
        let is_going = self.task == Task::Hunt && self.route.goal().is_some() && !self.route.is_hopeless();
        if is_going && now < self.think_at {
            return true;
        }
        let Some((lookout, hope)) = beliefs.best_lookout(here, places) else { return false };
        let own = percept.own;
        let fetch = self.best_spot(percept, places, here, |item| value(item, &own));
        let fetches = !just_lost && fetch.is_some_and(|(_, _, worth)| worth > WORTH);
        if fetches || (self.route.is_hopeless() && self.task == Task::Hunt) {
            return false;
        }
        self.think_at = now + Self::ticks(THINK_SECS, percept);
        self.task = Task::Hunt;
        self.spot = None;
        self.hope = hope;
        self.route.set_goal(Some(lookout));
        true
    }

    fn flee_to_health(&mut self, percept: &Percept, places: &Places, here: Place) -> bool {
        let health = |item| if item == Item::Health { 1.0 } else { 0.0 };
        let Some((spot, place, _)) = self.best_spot(percept, places, here, health) else { return false };
        self.spot = Some(spot);
        self.route.set_goal(Some(place));
        true
    }

    fn fetch_or_roam(&mut self, percept: &Percept, places: &Places, here: Place, draw: &mut Stream) {
        let now = percept.tick;
        // Not `goal == here`: beside a goal the nearest point may be another, and the route has nothing more to walk.
        let reached = self.route.goal().is_none_or(|goal| {
            let point = places.point(goal);
            near(percept, point) && (percept.own.position.z - point.z).abs() < 1.75
        });
        if reached && let Some(spot) = self.spot.take() {
            // It stood there and did not get it, or got it just now: either way not again at once.
            self.memory.note_gone(usize::from(spot), now + Self::ticks(10.0, percept));
        }
        let taken = self.spot.is_some_and(|spot| !self.memory.may_be_there(usize::from(spot), now));
        if !(reached || taken || self.route.is_hopeless() || now >= self.think_at) {
            return;
        }
        self.think_at = now + Self::ticks(THINK_SECS, percept);
        let own = percept.own;
        let found = self.best_spot(percept, places, here, |item| value(item, &own));
        if let Some((spot, place, worth)) = found
            && worth > WORTH
            && !(self.route.is_hopeless() && self.route.goal() == Some(place))
        {
            self.task = Task::PickUp;
            self.spot = Some(spot);
            self.route.set_goal(Some(place));
        } else if reached || taken || self.route.is_hopeless() || self.task == Task::PickUp {
            self.task = Task::Roam;
            self.spot = None;
            let drawn = (draw.unit() * places.points().len() as f64) as u16;
            let goal = Place(drawn);
            let is_way = goal != here && places.travel_secs(here, goal).is_some() && !places.is_harmful(goal);
            self.route.set_goal(is_way.then_some(goal));
        }
    }

    /// The spot with the most value per second of way.
    fn best_spot(
        &self,
        percept: &Percept,
        places: &Places,
        here: Place,
        value: impl Fn(Item) -> f64,
    ) -> Option<(u16, Place, f64)> {
        let mut best: Option<(u16, Place, f64)> = None;
        for (k, spot) in places.spots().iter().enumerate() {
            let worth = value(spot.item);
            let Some(place) = spot.place else { continue };
            if worth <= 0.0 || !self.memory.may_be_there(k, percept.tick) {
                continue;
            }
            let Some(way) = places.travel_secs(here, place) else { continue };
            let worth = worth / (way + 2.0);
            if best.is_none_or(|(_, _, most)| worth > most) {
                best = Some((k as u16, place, worth));
            }
        }
        best
    }

    /// Where to run while fighting: to points around, so that it never runs off a ledge.
    fn dodge_step(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Step {
        let Some(enemy) = self.enemy else { return Step::default() };
        let own = &percept.own;
        let here = places.nearest(own.position);
        let stale = self
            .dodge
            .is_none_or(|(place, until)| percept.tick >= until || near(percept, places.point(place)));
        if stale {
            self.dodge = None;
            if draw.unit() < self.skill.dodging {
                let wanted_m = wanted_distance_m(own.weapon);
                let mut best = (f64::NEG_INFINITY, here);
                for link in places.links(here).iter().filter(|link| !places.is_harmful(link.to)) {
                    let point = places.point(link.to);
                    let off = (point.distance(enemy.position) - wanted_m).abs();
                    let across = (point - own.position).truncate().normalize_or_zero();
                    let line = (enemy.position - own.position).truncate().normalize_or_zero();
                    let score = across.perp_dot(line).abs() * 2.0 - off * 0.15 + draw.unit() * 3.0;
                    if score > best.0 {
                        best = (score, link.to);
                    }
                }
                self.dodge = Some((best.1, percept.tick + Self::ticks(1.0, percept)));
            } else {
                self.dodge = Some((here, percept.tick + Self::ticks(0.5, percept)));
            }
        }
        self.route.set_goal(self.dodge.map(|(place, _)| place));
        self.route.step(percept, places, draw).unwrap_or_default()
    }

    /// Where to look when there is nobody to aim at, as a yaw.
    fn glance(&self, percept: &Percept, places: &Places, step: Step) -> f64 {
        let own = &percept.own;
        let alarm = self.memory.alarm.filter(|&(_, since)| percept.tick < since + 8);
        if let Some((yaw, _)) = alarm
            && self.task != Task::Hunt
        {
            return yaw;
        }
        // Running and looking are two things: who believes somebody to be there looks there.
        if let Some(yaw) = self.beliefs.as_ref().and_then(|beliefs| beliefs.best_gaze(own, places)) {
            return yaw;
        }
        let way = self.route.waypoint(places).map_or(DVec2::ZERO, |point| (point - own.position).truncate());
        let way = if way.length() > 0.7 { way } else { step.way };
        if way == DVec2::ZERO { own.yaw } else { libm::atan2(way.y, way.x) }
    }
}

impl Native {
    /// Carries out what it has set itself to do: legs, aim, trigger.
    fn act(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let step = match self.task {
            Task::Attack => self.dodge_step(percept, places, draw),
            _ => self.route.step(percept, places, draw).unwrap_or_default(),
        };
        self.aim.wander(self.skill.aim_error, draw);
        let distance_m = self.enemy.map(|enemy| enemy.position.distance(percept.own.position));
        self.weapon = choose_weapon(&percept.own, distance_m);
        let mut command = match self.enemy {
            Some(enemy) => self.aim.at_enemy(percept, &enemy, &self.skill),
            None => {
                let yaw = self.glance(percept, places, step);
                Command {
                    yaw: turn_between(percept.own.yaw, yaw),
                    pitch: -percept.own.pitch,
                    ..Command::default()
                }
            }
        };
        let most = self.skill.turn_per_sec * percept.period_secs;
        command.yaw = command.yaw.clamp(-most, most);
        command.pitch = command.pitch.clamp(-most, most);
        command.weapon = (self.weapon != percept.own.weapon).then_some(self.weapon);
        command.jump = step.jump;
        // The body turns while it runs: the way is taken relative to where it will look half-way through.
        let (sin, cos) = libm::sincos(percept.own.yaw + command.yaw / 2.0);
        let way = step.way * self.skill.speed;
        command.forward = way.x * cos + way.y * sin;
        command.lateral = way.y * cos - way.x * sin;
        command
    }
}

impl Mind for Native {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        if percept.own.life != self.life {
            self.begin_life(percept.own.life);
        }
        self.memory.update(percept, places.spots().len());
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.update(percept, places);
        }
        self.choose_task(percept, places, draw);
        self.act(percept, places, draw)
    }

    fn task(&self) -> &str {
        self.task.name()
    }

    fn why(&self) -> String {
        match (self.task, self.enemy) {
            (Task::Attack, Some(enemy)) => {
                format!("sees character {}; {} weapon in hand", enemy.id, self.weapon)
            }
            (Task::Retreat, Some(enemy)) => format!("hurt, runs from character {} to find health", enemy.id),
            (Task::Hunt, _) if self.beliefs.is_some() && self.hope > 0.0 => {
                format!("somebody is probably seen from where it goes ({:.0} %)", 100.0 * self.hope.min(1.0))
            }
            (Task::Hunt, _) => "saw somebody a moment ago, goes to look".to_owned(),
            (Task::PickUp, _) => match self.spot {
                Some(spot) => format!("goes for the item of spot {spot}"),
                None => "goes for an item".to_owned(),
            },
            _ => "nothing to fetch, nobody in view".to_owned(),
        }
    }

    fn needs_sight(&self) -> bool {
        self.beliefs.is_some()
    }

    fn belief(&self) -> &[f64] {
        self.beliefs.as_ref().map_or(&[], Beliefs::expected)
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        *self = Native::deserialize(saved)?;
        Ok(())
    }
}

fn near(percept: &Percept, point: DVec3) -> bool {
    percept.own.position.truncate().distance(point.truncate()) < 0.8
}

/// What an item is worth to a character in this state.
pub(crate) fn value(item: Item, own: &crate::Own) -> f64 {
    let short = |weapon: Weapon, plenty: f64| 1.0 - (f64::from(own.ammo[weapon.index()]) / plenty).min(1.0);
    match item {
        Item::Health => ((100.0 - own.health) / 50.0).min(1.2),
        Item::Weapon(weapon) if !own.weapons[weapon.index()] => match weapon {
            Weapon::Strong => 1.5,
            _ => 1.0,
        },
        Item::Weapon(weapon) => 0.6 * short(weapon, 10.0),
        Item::Ammo(weapon) if own.weapons[weapon.index()] => 0.6 * short(weapon, 10.0),
        Item::Ammo(_) => 0.05,
    }
}
