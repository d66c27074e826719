//! What a fighter makes of a moment: readings of its sensors, facts for its plans, and how its body feels.

use repertoire_bayes::sequence::learning::NOT_READ;

use super::errand::value;
use super::level::Reading;
use super::vocabulary::{ENEMY_CLOSE, FACTS, NEEDS, SENSORS, of_tasks};
use crate::memory::{Enemy, Memory};
use crate::tasks::Stimuli;
use crate::{Beliefs, Item, Own, Percept, Place, Places, Weapon};

/// An enemy lost from view is lost for this long, then unknown.
pub(super) const LOST_SECS: f64 = 5.0;
/// Close is within this way.
pub(super) const CLOSE_SECS: f64 = 3.0;
/// An enemy is beaten for this long.
const BEATEN_SECS: f64 = 0.5;
/// A hit is felt for this long.
const HIT_SECS: f64 = 1.0;
/// Half a minute without an enemy is as long as it gets.
const PREY_SECS: f64 = 30.0;
/// Less health is low, until deaths have taught otherwise.
pub(super) const LOW_HEALTH: f64 = 55.0;
/// What an enemy's health is taken for: nobody can see it.
const ENEMY_HEALTH: f64 = 70.0;

/// What a fighter makes of a moment.
#[derive(Clone, Debug)]
pub struct Situation {
    /// Where it stands.
    pub here: Place,
    /// The enemy in view that it has noticed.
    pub enemy: Option<Enemy>,
    /// The enemy that was lost from view last.
    pub lost: Option<Enemy>,
    /// How probably an enemy is close.
    pub p_close: f64,
    /// A value for each of [`SENSORS`], [`NOT_READ`] where there is none; `enemy_close` is in `p_close`.
    pub readings: [u32; SENSORS.len()],
    /// A value for each of [`FACTS`].
    pub facts: [usize; FACTS.len()],
    /// How strongly each of [`NEEDS`] is felt.
    pub needs: [f64; NEEDS.len()],
}

/// What lasts from moment to moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    /// When an enemy was last in view, when one was beaten, when something hit.
    pub met: u32,
    pub beat: Option<u32>,
    pub hit: Option<u32>,
    /// Whether it stands at its post.
    pub posted: bool,
}

pub(super) struct Mindset<'a> {
    pub memory: &'a Memory,
    pub beliefs: Option<&'a mut Beliefs>,
    pub reaction_ticks: u32,
    /// Less health is low.
    pub low_health: f64,
    pub past: Past,
}

impl Situation {
    pub(super) fn read(percept: &Percept, places: &Places, stimuli: &Stimuli, of: Mindset<'_>) -> Self {
        let (own, now) = (&percept.own, percept.tick);
        let ticks = |secs: f64| percept.ticks(secs);
        let here = places.nearest(own.position);
        let enemy = of.memory.in_view(percept, of.reaction_ticks);
        let lost = of.memory.recent(now, ticks(LOST_SECS)).filter(|_| enemy.is_none());
        let near = |enemy: &Enemy| {
            let there = places.nearest(enemy.position);
            there == here || places.travel_secs(here, there).is_some_and(|secs| secs <= CLOSE_SECS)
        };
        let believed = of.beliefs.map_or(0.0, |beliefs| beliefs.p_near(here, CLOSE_SECS, places));
        let p_close = if enemy.as_ref().is_some_and(near) { 1.0 } else { believed.clamp(0.0, 1.0) };
        let edge = enemy.or(lost).map(|enemy| edge(own, &enemy));
        let range = enemy.map(|enemy| match enemy.position.distance(own.position) {
            far if far < 5.0 => 0,
            far if far < 14.0 => 1,
            _ => 2,
        });
        let hit = of.past.hit.is_some_and(|at| now <= at + ticks(HIT_SECS));
        let mut readings = [NOT_READ; SENSORS.len()];
        for (word, reading) in readings.iter_mut().enumerate() {
            *reading = of_tasks(word).map_or(NOT_READ, |sensor| stimuli.readings.0[sensor]);
        }
        readings[8] = u32::from(lost.is_some());
        readings[9] = edge.unwrap_or(NOT_READ);
        readings[10] = range.unwrap_or(NOT_READ);
        readings[11] = u32::from(hit);
        let beaten = of.past.beat.is_some_and(|at| now <= at + ticks(BEATEN_SECS));
        let knows = |of_use: &dyn Fn(Item) -> bool| {
            let mut spots = places.spots().iter().enumerate();
            spots.any(|(k, spot)| {
                let reachable = || spot.place.is_some_and(|place| places.travel_secs(here, place).is_some());
                of_use(spot.item) && of.memory.may_be_there(k, now) && reachable()
            })
        };
        let facts = [
            usize::from(own.health >= of.low_health),
            usize::from(is_armed(own)),
            match (enemy, lost) {
                (Some(_), _) => 2,
                (None, _) if beaten => 3,
                (None, Some(_)) => 1,
                (None, None) => 0,
            },
            usize::from(of.past.posted),
            usize::from(knows(&Item::is_health)),
            usize::from(knows(&|item| arms_worth(item, own) > 0.2)),
        ];
        let since_secs = f64::from(now - of.past.met.min(now)) * percept.period_secs;
        let behind = if edge == Some(0) || !is_armed(own) { 1.0 } else { 0.4 };
        let needs = [
            1.0 - own.health / 100.0,
            lack_of_arms(own),
            (since_secs / PREY_SECS).min(1.0),
            p_close * behind,
        ];
        Situation { here, enemy, lost, p_close, readings, facts, needs }
    }

    /// What the sensor `enemy_close` reads: certain, or believed.
    pub(super) fn close(&self) -> Reading {
        debug_assert_eq!(SENSORS[ENEMY_CLOSE].0, "enemy_close");
        match self.enemy {
            Some(_) => Reading::Value(u32::from(self.p_close >= 1.0)),
            None => Reading::Believed([1.0 - self.p_close, self.p_close, 0.0]),
        }
    }
}

fn usable(own: &Own, weapon: Weapon) -> bool {
    own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0
}

fn is_armed(own: &Own) -> bool {
    usable(own, Weapon::Medium) || usable(own, Weapon::Strong)
}

fn lack_of_arms(own: &Own) -> f64 {
    let has = |weapon: Weapon, plenty: f64| {
        if own.weapons[weapon.index()] {
            (f64::from(own.ammo[weapon.index()]) / plenty).min(1.0)
        } else {
            0.0
        }
    };
    1.0 - 0.5 * has(Weapon::Medium, 10.0) - 0.5 * has(Weapon::Strong, 10.0)
}

/// What a weapon or ammunition is worth to a body, from 0 to 1.5; nothing else is.
pub(super) fn arms_worth(item: Item, own: &Own) -> f64 {
    match item {
        item if item.is_health() => 0.0,
        other => value(other, own),
    }
}

/// Behind (0), even (1) or ahead (2) of an enemy, by health and weapons as far as they can be seen.
fn edge(own: &Own, enemy: &Enemy) -> u32 {
    let best = [Weapon::Strong, Weapon::Medium].into_iter().find(|&weapon| usable(own, weapon));
    let strength = |health: f64, weapon: Option<Weapon>| {
        health * (1.0 + 0.6 * weapon.map_or(0.0, |weapon| weapon.index() as f64))
    };
    let theirs = strength(ENEMY_HEALTH, Some(enemy.weapon.unwrap_or(Weapon::Medium)));
    match strength(own.health, best) / theirs {
        share if share < 0.6 => 0,
        share if share > 1.4 => 2,
        _ => 1,
    }
}
