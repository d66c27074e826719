//! What the elementary tasks act upon: enemies, ways to things, the ground around.
//!
//! An [`Observer`] takes in every percept of a life, whatever the character is doing, and keeps for each task the way
//! it would go. So a player and somebody who watches a recording of the same percepts know the same: that is what lets
//! a task be recognised from what was done.

use std::f64::consts::{FRAC_PI_4, PI};
use std::sync::Arc;

use glam::{DVec2, DVec3};
use repertoire_bayes::sequence::learning::NOT_READ;
use serde::{Deserialize, Serialize};

use super::opponent::Preference;
use super::sensors::Readings;
use crate::arms::lay_at;
use crate::memory::{Enemy, Memory};
use crate::route::{Leg, Route};
use crate::{Bearing, Item, Own, Percept, Place, Places, Weapon, turn_between, wrap_angle};

/// An enemy out of view is dealt with for this long.
const REMEMBERED_SECS: f64 = 1.5;
/// Somebody lost from view is followed for this long.
const FOLLOWED_SECS: f64 = 5.0;
/// And is thought to have run on for this long.
const RUNS_ON_SECS: f64 = 0.5;
/// A noise matters for this long.
const NOISE_SECS: f64 = 1.0;
/// Fainter noises are somebody else's business.
const NEAR_NOISE: f64 = 0.6;
/// Something within this way is near.
const NEAR_SECS: f64 = 2.0;
/// A goal is left for another that is nearer by this much.
const NEARER_SECS: f64 = 0.7;
/// How far ahead the ground is looked at.
const AHEAD_M: f64 = 1.6;
/// A drop of more than this is not run down while fighting.
const DROP_M: f64 = 2.0;
/// How far off the ground items are thought to lie higher or lower than a character that stands beside them.
const SAME_FLOOR_M: f64 = 1.75;

/// The way to somewhere: its next piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The turn to face the next point.
    pub yaw: f64,
    /// Whether a jump is needed.
    pub jump: bool,
    /// Whether to wait, for a lift.
    pub wait: bool,
}

impl Way {
    /// Straight to a point, on foot.
    pub(crate) fn towards(own: &Own, to: DVec3) -> Self {
        let line = to - own.position;
        Way { yaw: turn_between(own.yaw, libm::atan2(line.y, line.x)), jump: false, wait: false }
    }
}

/// An enemy, as one deals with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foe {
    /// The turn to aim at it, ahead of where it runs.
    pub yaw: f64,
    /// The tilt to aim at it.
    pub pitch: f64,
    /// How far it is.
    pub distance_m: f64,
    /// Whether it is in view now.
    pub in_view: bool,
    /// For how long it has been in view, in seconds.
    pub seen_secs: f64,
    /// Half the angle that it fills.
    pub half_width: f64,
    /// The turn to face where it stands, or stood when it was last seen.
    pub stands: f64,
    /// How it moves: away from here and to the left, in metres a second.
    pub velocity: DVec2,
}

/// Everything the elementary tasks act upon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stimuli {
    /// The sensors.
    pub readings: Readings,
    /// The enemies: those in view first, then the nearest.
    pub foes: Vec<Foe>,
    /// The way to where the nearest enemy was last seen.
    pub hunt: Option<Way>,
    /// The way to a weapon.
    pub weapon: Option<Way>,
    /// The way to health.
    pub health: Option<Way>,
    /// The way to where it was least recently.
    pub unexplored: Option<Way>,
    /// The points that can be run to from here, the nearest first.
    pub points: Vec<Bearing>,
    /// The turn to face what was heard or felt.
    pub alarm: Option<f64>,
    /// For each of the eight directions, whether it can be run in without hitting a wall or falling; looked at only
    /// in a fight.
    pub open: [bool; 8],
    /// The turn to face where it runs; none when it stands.
    pub running: Option<f64>,
    /// The tilt to look level.
    pub level: f64,
    /// Whether the weapon in hand could fire.
    pub ready: bool,
    /// The weapon in hand.
    pub weapon_in_hand: Weapon,
    /// How far the wall is in the direction of the nearest enemy.
    pub ahead_m: f64,
}

impl Stimuli {
    /// The enemy to deal with.
    pub fn foe(&self) -> Option<&Foe> {
        self.foes.first()
    }
}

/// What may be followed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leads {
    /// The way to where somebody was lost from view, until one has been there.
    pub trail: Option<Way>,
    /// How far the point is that one runs to; infinitely if to none.
    pub leg_m: f64,
    /// The turn to face a hit or a shot, and how many seconds ago that was.
    pub heard: Option<(f64, f64)>,
}

/// Takes in percepts, and tells what there is to act upon.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Observer {
    life: u32,
    memory: Memory,
    /// What was heard or felt: the yaw towards it, and when.
    alarm: Option<(f64, u32)>,
    weapon: Errand,
    health: Errand,
    explore: Errand,
    hunt: Errand,
    #[serde(default)]
    trail: Errand,
    /// When each point was last visited, 0 for never.
    visited: Vec<u32>,
    /// Enemies seen a moment ago, kept only for their room.
    #[serde(skip)]
    enemies: Vec<Enemy>,
}

/// A way to something: what, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Errand {
    spot: Option<u16>,
    route: Route,
}

impl Observer {
    /// Of a newcomer to the map: items count only once their spots were in view.
    pub fn of_newcomer() -> Self {
        Observer { memory: Memory::of_newcomer(), ..Observer::default() }
    }

    /// The same of somebody who chooses by a program whom to fight.
    pub fn preferring(mut self, preference: Option<Arc<Preference>>) -> Self {
        self.memory = self.memory.preferring(preference);
        self
    }

    /// Takes in one percept. A new life begins with nothing remembered but the map.
    pub fn observe(&mut self, percept: &Percept, places: &Places) -> Stimuli {
        let mut stimuli = Stimuli::default();
        self.observe_into(percept, places, &mut stimuli);
        stimuli
    }

    /// The same into stimuli of an earlier tick, so that nothing is allocated.
    pub fn observe_into(&mut self, percept: &Percept, places: &Places, stimuli: &mut Stimuli) {
        self.take_in(percept, places, true, stimuli);
    }

    /// The same for somebody who asks tasks alone: points to run to are only looked at where there is somebody to flee from.
    pub(crate) fn observe_for_tasks(&mut self, percept: &Percept, places: &Places, stimuli: &mut Stimuli) {
        self.take_in(percept, places, false, stimuli);
    }

    fn take_in(&mut self, percept: &Percept, places: &Places, all_points: bool, stimuli: &mut Stimuli) {
        let own = &percept.own;
        if own.life != self.life {
            self.memory.forget();
            *self = Observer {
                life: own.life,
                memory: std::mem::take(&mut self.memory),
                visited: std::mem::take(&mut self.visited),
                enemies: std::mem::take(&mut self.enemies),
                ..Observer::default()
            };
        }
        let here = places.nearest(own.position);
        self.memory.update(percept, places.spots());
        self.visited.resize(places.points().len(), 0);
        self.visited[here.index()] = percept.tick.max(1);
        self.hear(percept);
        let mut enemies = std::mem::take(&mut self.enemies);
        self.recent_enemies(percept, &mut enemies);
        let weapon = self.search(percept, places, here, Kind::Weapon);
        let health = self.search(percept, places, here, Kind::Health);
        (stimuli.weapon, stimuli.health) = (weapon.0, health.0);
        stimuli.unexplored = self.explore(percept, places, here);
        let lost = enemies.first().filter(|enemy| enemy.last != percept.tick);
        self.hunt.route.set_goal(lost.map(|enemy| places.nearest(enemy.position)));
        stimuli.hunt = self.hunt.route.way(percept, places).map(|step| way_of(own, step));
        stimuli.foes.clear();
        stimuli.foes.extend(enemies.iter().map(|enemy| foe(percept, enemy)));
        stimuli.points.clear();
        if all_points || !enemies.is_empty() {
            nearest_points(own, places, here, &mut stimuli.points);
        }
        stimuli.alarm = self.alarm.map(|(yaw, _)| turn_between(own.yaw, yaw));
        stimuli.open = match enemies.first() {
            Some(enemy) if enemy.last == percept.tick => open_directions(percept, places),
            _ => [true; 8],
        };
        stimuli.running = running(own);
        stimuli.level = -own.pitch;
        stimuli.ready = own.ready;
        stimuli.weapon_in_hand = own.weapon;
        stimuli.ahead_m = enemies.first().map_or(0.0, |enemy| {
            let direction = super::motor::run_toward(flat_bearing(own, enemy.position));
            percept.rays_m[direction]
        });
        stimuli.readings = self.readings(percept, &enemies, [weapon.1, health.1]);
        self.enemies = enemies;
    }

    /// What may be followed up; after [`Observer::observe`], for minds that do so for longer than tasks. `course` is the turn
    /// to face where one last meant to run.
    pub fn leads(&mut self, percept: &Percept, places: &Places, course: Option<f64>) -> Leads {
        self.leads_to(percept, places, course, None)
    }

    /// The same for a character that believes somebody to be met at a place, and goes there once it follows nobody it saw.
    pub(crate) fn leads_to(
        &mut self,
        percept: &Percept,
        places: &Places,
        course: Option<f64>,
        believed: Option<Place>,
    ) -> Leads {
        let heard = self.memory.alarm.and_then(|(yaw, since)| {
            let ago_secs = f64::from(percept.tick - since.min(percept.tick)) * percept.period_secs;
            (ago_secs <= NOISE_SECS).then(|| (turn_between(percept.own.yaw, yaw), ago_secs))
        });
        let runs_to = course.and_then(|yaw| Leg::of_runner(&percept.own, percept.own.yaw + yaw, places));
        let leg_m = runs_to.map_or(f64::INFINITY, |leg| leg.left_m(&percept.own, places));
        let there = self.lost(percept, places).or(believed);
        let trail = there.and_then(|there| {
            self.trail.route.set_goal(Some(there));
            self.trail.route.way_of_runner(percept, places, runs_to).map(|step| way_of(&percept.own, step))
        });
        Leads { trail, leg_m, heard }
    }

    /// Where somebody was lost from view, until one has been there.
    fn lost(&mut self, percept: &Percept, places: &Places) -> Option<Place> {
        let here = places.nearest(percept.own.position);
        let lost = self.memory.recent(percept.tick, percept.ticks(FOLLOWED_SECS))?;
        let there = places.nearest(lost.position + lost.velocity.with_z(0.0) * RUNS_ON_SECS);
        if there == here || places.travel_secs(here, there).is_none() {
            self.memory.lose(lost.id);
            return None;
        }
        Some(there)
    }

    /// Takes in where somebody may be who is not seen, for tasks that act upon enemies: it is gone to when hunting, and fled from.
    pub(crate) fn expect(
        &mut self,
        percept: &Percept,
        places: &Places,
        (lookout, at): (Place, Place),
        stimuli: &mut Stimuli,
    ) {
        let own = &percept.own;
        self.hunt.route.set_goal(Some(lookout));
        stimuli.hunt = self.hunt.route.way(percept, places).map(|step| way_of(own, step));
        let enemy = Enemy {
            id: u8::MAX,
            position: places.point(at),
            velocity: DVec3::ZERO,
            weapon: None,
            since: percept.tick,
            last: percept.tick,
        };
        stimuli.foes.push(Foe { in_view: false, ..foe(percept, &enemy) });
    }

    /// The way of the thing that was tried does not work: leave the thing alone for a while.
    pub fn give_up(&mut self, percept: &Percept) {
        let later = percept.tick + percept.ticks(10.0);
        for errand in [&mut self.weapon, &mut self.health] {
            if let Some(spot) = errand.spot.take() {
                self.memory.note_gone(usize::from(spot), later);
            }
        }
        self.explore.route.set_goal(None);
        for errand in [&mut self.weapon, &mut self.health, &mut self.explore] {
            errand.route.start_again();
        }
    }

    fn hear(&mut self, percept: &Percept) {
        let now = percept.tick;
        let near = percept.noises.iter().filter(|noise| noise.loudness > NEAR_NOISE);
        let loudest = near.max_by(|a, b| a.loudness.total_cmp(&b.loudness)).map(|noise| noise.yaw);
        if let Some(yaw) = percept.hits.last().map(|hit| hit.yaw).or(loudest) {
            self.alarm = Some((wrap_angle(percept.own.yaw + yaw), now));
        }
        // Old, or looked at: no longer alarming.
        let passed = |&(yaw, since): &(f64, u32)| {
            now > since + percept.ticks(NOISE_SECS) || turn_between(percept.own.yaw, yaw).abs() < FRAC_PI_4
        };
        if self.alarm.as_ref().is_some_and(passed) {
            self.alarm = None;
        }
    }

    /// Enemies seen a moment ago: those in view first, of them the one that was chosen, then the nearest.
    fn recent_enemies(&self, percept: &Percept, enemies: &mut Vec<Enemy>) {
        let recent = |enemy: &&Enemy| percept.tick <= enemy.last + percept.ticks(REMEMBERED_SECS);
        enemies.clear();
        enemies.extend(self.memory.enemies().iter().filter(recent).copied());
        let away = |enemy: &Enemy| {
            let passed_over = (enemy.last != percept.tick, self.memory.is_passed_over(enemy));
            (passed_over, enemy.position.distance_squared(percept.own.position))
        };
        enemies.sort_by(|a, b| {
            let (a, b) = (away(a), away(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
    }

    /// The way to the nearest thing of a kind, and how long it is in seconds; infinite where there is none.
    fn search(&mut self, percept: &Percept, places: &Places, here: Place, kind: Kind) -> (Option<Way>, f64) {
        let (now, own) = (percept.tick, &percept.own);
        let nearest = self.nearest_spot(percept, places, here, kind);
        let errand = if kind == Kind::Weapon { &mut self.weapon } else { &mut self.health };
        let secs = |spot: u16| {
            let spot = &places.spots()[usize::from(spot)];
            spot.place.and_then(|place| places.travel_secs(here, place))
        };
        let still_good = errand.spot.is_some_and(|spot| {
            let of_use = kind.is_of_use(places.spots()[usize::from(spot)].item, own);
            of_use && self.memory.may_be_there(usize::from(spot), now)
        });
        if let Some((spot, way)) = nearest {
            let better = !still_good || errand.spot.and_then(secs).is_none_or(|old| way + NEARER_SECS < old);
            if better {
                errand.spot = Some(spot);
            }
        } else {
            errand.spot = None;
        }
        let place = errand.spot.and_then(|spot| places.spots()[usize::from(spot)].place);
        errand.route.set_goal(place);
        let far_secs = nearest.map_or(f64::INFINITY, |(_, way)| way);
        let step = errand.route.way(percept, places);
        let way = match (step, errand.spot) {
            (Some(step), _) => Some(way_of(own, step)),
            (None, Some(spot)) => {
                // At the point, but the thing lies beside it.
                let spot_at = places.spots()[usize::from(spot)].position;
                let beside = (spot_at - own.position).truncate();
                if beside.length() < 0.4 && (spot_at.z - own.position.z).abs() < SAME_FLOOR_M {
                    // It stands on it and does not have it.
                    self.memory.note_gone(usize::from(spot), now + percept.ticks(8.0));
                }
                let yaw = turn_between(own.yaw, libm::atan2(beside.y, beside.x));
                Some(Way { yaw, jump: false, wait: false })
            }
            (None, None) => None,
        };
        (way, far_secs)
    }

    fn nearest_spot(
        &self,
        percept: &Percept,
        places: &Places,
        here: Place,
        kind: Kind,
    ) -> Option<(u16, f64)> {
        let mut best: Option<(u16, f64)> = None;
        for (k, spot) in places.spots().iter().enumerate() {
            if !kind.is_of_use(spot.item, &percept.own) || !self.memory.may_be_there(k, percept.tick) {
                continue;
            }
            let Some(way) = spot.place.and_then(|place| places.travel_secs(here, place)) else { continue };
            if best.is_none_or(|(_, least)| way < least) {
                best = Some((k as u16, way));
            }
        }
        best
    }

    /// The way to the point that was not visited for longest, near ones first.
    fn explore(&mut self, percept: &Percept, places: &Places, here: Place) -> Option<Way> {
        let there = self.explore.route.goal().is_none_or(|goal| {
            let point = places.point(goal);
            goal == here
                || (point - percept.own.position).truncate().length() < 1.5
                || places.travel_secs(here, goal).is_none()
        });
        if there {
            let score = |place: &Place| {
                let age = f64::from(percept.tick - self.visited[place.index()].min(percept.tick));
                let age_secs = (age * percept.period_secs).min(120.0);
                places
                    .travel_secs(here, *place)
                    .map(|way| age_secs - 3.0 * (way - 3.0).max(0.0) - jitter(self.life, *place))
            };
            let all = (0..places.points().len() as u16).map(Place);
            let safe = all.filter(|&place| place != here && !places.is_harmful(place));
            let best = safe
                .filter_map(|place| Some((place, score(&place)?)))
                .max_by(|(_, a), (_, b)| a.total_cmp(b));
            self.explore.route.set_goal(best.map(|(place, _)| place));
        }
        self.explore.route.way(percept, places).map(|step| way_of(&percept.own, step))
    }

    fn readings(&self, percept: &Percept, enemies: &[Enemy], far_secs: [f64; 2]) -> Readings {
        let own = &percept.own;
        let health = if own.health < 35.0 { 0 } else { 1 + u32::from(own.health >= 70.0) };
        let usable = |weapon: Weapon| own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0;
        let strength = |weapon: Weapon| weapon.index() as u32;
        let weapon = [Weapon::Strong, Weapon::Medium].into_iter().find(|&weapon| usable(weapon));
        let shown = |enemy: &Enemy, or: u32| enemy.weapon.map_or(NOT_READ, |weapon| strength(weapon) + or);
        let near = far_secs.map(|far| u32::from(far < NEAR_SECS));
        let steps = |of: f64, ends: &[f64]| ends.iter().filter(|end| of >= **end).count() as u32;
        let how_near = far_secs.map(|far| steps(far, &[0.5, 1.0, 2.0, 4.0, 8.0]));
        Readings([
            health,
            weapon.map_or(0, strength),
            enemies.first().map_or(0, |enemy| shown(enemy, 0)),
            u32::from(self.alarm.is_some()),
            enemies.len().min(2) as u32,
            near[0],
            near[1],
            steps(own.health, &[20.0, 40.0, 60.0, 80.0]),
            1 + weapon.map_or(0, strength),
            enemies.first().map_or(4, |enemy| shown(enemy, 1)),
            enemies.len().min(3) as u32,
            how_near[0],
            how_near[1],
        ])
    }
}

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Weapon,
    Health,
}

impl Kind {
    /// Whether an item is of this kind and of use.
    fn is_of_use(self, item: Item, own: &Own) -> bool {
        let short = |weapon: Weapon, few: u32| own.ammo[weapon.index()] < few;
        match (self, item.simple()) {
            (Kind::Health, Item::Health) => own.health < 100.0,
            (Kind::Weapon, Item::Weapon(weapon)) => !own.weapons[weapon.index()] || short(weapon, 6),
            (Kind::Weapon, Item::Ammo(weapon)) => own.weapons[weapon.index()] && short(weapon, 6),
            _ => false,
        }
    }
}

/// A little for each point and life, so that lives begin by exploring different places.
fn jitter(life: u32, place: Place) -> f64 {
    let mixed = (life.wrapping_mul(0x9e37_79b9) ^ u32::from(place.0).wrapping_mul(0x85eb_ca6b))
        .wrapping_mul(0xc2b2_ae35);
    f64::from(mixed >> 16) / 65536.0 * 20.0
}

fn flat_bearing(own: &Own, to: DVec3) -> f64 {
    let line = (to - own.position).truncate();
    turn_between(own.yaw, libm::atan2(line.y, line.x))
}

fn way_of(own: &Own, step: crate::route::Step) -> Way {
    let wait = step.way == DVec2::ZERO;
    let yaw = if wait { 0.0 } else { turn_between(own.yaw, libm::atan2(step.way.y, step.way.x)) };
    Way { yaw, jump: step.jump, wait }
}

fn running(own: &Own) -> Option<f64> {
    let velocity = own.velocity.truncate();
    (velocity.length() > 1.0).then(|| turn_between(own.yaw, libm::atan2(velocity.y, velocity.x)))
}

/// How to aim at an enemy: ahead of where it runs, for a rocket at its feet.
fn foe(percept: &Percept, enemy: &Enemy) -> Foe {
    let own = &percept.own;
    let unseen_secs = f64::from(percept.tick - enemy.last) * percept.period_secs;
    let position = enemy.position + enemy.velocity.with_z(0.0) * unseen_secs;
    let distance_m = position.distance(own.position);
    let (yaw, pitch) = lay_at(own, (position, enemy.velocity), 1.0, percept.period_secs);
    Foe {
        yaw,
        pitch,
        distance_m,
        in_view: enemy.last == percept.tick,
        seen_secs: f64::from(enemy.last - enemy.since) * percept.period_secs,
        half_width: libm::atan2(0.6, distance_m) + 0.03,
        stands: flat_bearing(own, enemy.position),
        velocity: {
            let line = (position - own.position).truncate().normalize_or_zero();
            let velocity = enemy.velocity.truncate();
            DVec2::new(line.dot(velocity), line.perp_dot(velocity))
        },
    }
}

/// The four nearest points that links lead to; of equally near ones the first.
fn nearest_points(own: &Own, places: &Places, here: Place, points: &mut Vec<Bearing>) {
    let mut nearest: [(u32, Option<Place>); 4] = [(u32::MAX, None); 4];
    for link in places.links(here).iter().filter(|link| !places.is_harmful(link.to)) {
        let farther = |known: &(u32, Option<Place>)| known.1.is_none() || known.0 > link.millis;
        if let Some(at) = nearest.iter().position(farther) {
            nearest[at..].rotate_right(1);
            nearest[at] = (link.millis, Some(link.to));
        }
    }
    let places_of = nearest.iter().filter_map(|(_, to)| *to);
    points.extend(places_of.map(|to| own.bearing(places.point(to))));
}

fn open_directions(percept: &Percept, places: &Places) -> [bool; 8] {
    let own = &percept.own;
    std::array::from_fn(|direction| {
        let turn = direction as f64 * PI / 4.0;
        let (sin, cos) = libm::sincos(own.yaw + turn);
        let ahead = own.position + DVec3::new(cos, sin, 0.0) * AHEAD_M;
        let safe = |(place, floor_m): (Place, f64)| {
            own.position.z - floor_m < DROP_M
                && floor_m - own.position.z < SAME_FLOOR_M
                && !places.is_harmful(place)
        };
        percept.rays_m[direction] > 1.2 && places.standing(ahead).is_some_and(safe)
    })
}
