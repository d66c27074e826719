//! Recognising tasks by rules, after a life is over.
//!
//! Four schemes — Le Hy 2007, section 4.4.2:
//!
//! | scheme    | tasks                          | rule                                                                    |
//! |-----------|--------------------------------|-------------------------------------------------------------------------|
//! | immediate | `attack`, `flee`               | faces an enemy at a speed that suits its weapon; or moves away from it   |
//! | delayed   | `health_search`, `weapon_search` | something was picked up: what was unknown before it was the search     |
//! | fixed     | `detect_danger`                | a half turn on the spot within two seconds: the 20 observations before it |
//! | default   | `explore`                      | everything else                                                          |
//!
//! What was recognised at once is known. The rest is explained by whichever fires first in time, something picked up or a half turn.
//!
//! Differs from the paper: it does not say how far back a delayed validation goes (here 10 s), which angle is a half turn (here 150°),
//! how little somebody moves who turns *on the spot* (here a metre), what facing an enemy is (here 45°), nor which speed suits a
//! weapon. An enemy is dealt with for a second and a half after it was in view, as the sensors have it. The paper's fixed validation takes the
//! 20 observations whatever they are; ours leaves alone what was recognised at once, and counts no half turn while an enemy is dealt
//! with, because fights are full of them.

use glam::{DVec2, DVec3};

use crate::{Item, Percept, turn_between, wrap_angle};

use super::{Elementary, wanted_distance_m};

/// How far back something picked up explains what was done.
const DELAYED: usize = 100;
/// How far back a half turn explains what was done, and within how many observations it must happen.
const FIXED: usize = 20;
/// What counts as a half turn.
const HALF_TURN: f64 = 150.0 * std::f64::consts::PI / 180.0;
/// Somebody who moved farther than this while turning did not turn on the spot.
const ON_THE_SPOT_M: f64 = 1.0;
/// An enemy within this angle of the line of sight counts as faced.
const FACED: f64 = 45.0 * std::f64::consts::PI / 180.0;
/// An enemy out of view is dealt with for this long.
const REMEMBERED_SECS: f64 = 1.5;

/// Labels the observations of one life.
#[derive(Clone, Debug, Default)]
pub struct Heuristic {
    labels: Vec<Option<Elementary>>,
    /// The yaw at each observation, not wrapped (a whole turn adds up), and where that was.
    looked: Vec<(f64, DVec2)>,
    /// Enemies: who, where, and when they were last in view.
    enemies: Vec<(u8, DVec3, u32)>,
    /// Something was picked up, or a half turn ended, before this observation: how far back that explains which task.
    fired: Vec<(usize, usize, Elementary)>,
}

impl Heuristic {
    /// One observation, and what was picked up right after it.
    pub fn observe(&mut self, percept: &Percept, picked_up: Option<Item>) {
        let own = &percept.own;
        let last = self.looked.last().map(|(yaw, _)| *yaw);
        let yaw = last.map_or(own.yaw, |last| last + turn_between(wrap_angle(last), own.yaw));
        self.looked.push((yaw, own.position.truncate()));
        let enemy = self.enemy(percept);
        self.labels.push(enemy.and_then(|enemy| immediate(percept, enemy)));
        let now = self.labels.len();
        if let Some(item) = picked_up {
            let task = if item.is_health() { Elementary::HealthSearch } else { Elementary::WeaponSearch };
            self.fired.push((now, DELAYED, task));
        }
        if enemy.is_none() && self.has_turned() {
            self.fired.push((now, FIXED, Elementary::DetectDanger));
        }
    }

    /// Where the enemy is that one deals with: one in view rather than one just lost, then the nearest.
    fn enemy(&mut self, percept: &Percept) -> Option<DVec3> {
        let now = percept.tick;
        self.enemies.retain(|(.., seen)| now.saturating_sub(*seen) <= percept.ticks(REMEMBERED_SECS));
        for seen in &percept.characters {
            self.enemies.retain(|(id, ..)| *id != seen.id);
            self.enemies.push((seen.id, seen.position, now));
        }
        let order =
            |(_, at, seen): &&(u8, DVec3, u32)| (*seen != now, at.distance_squared(percept.own.position));
        let nearest = self.enemies.iter().min_by(|a, b| {
            let (a, b) = (order(a), order(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        nearest.map(|(_, at, _)| *at)
    }

    /// Whether the last two seconds end with a half turn on the spot.
    fn has_turned(&self) -> bool {
        let window = &self.looked[self.looked.len().saturating_sub(FIXED)..];
        let Some(&(yaw, here)) = window.last() else { return false };
        let began = window.iter().rev().find(|(before, _)| (yaw - before).abs() > HALF_TURN);
        began.is_some_and(|(_, there)| there.distance(here) < ON_THE_SPOT_M)
    }

    /// The life is over: a task for every observation.
    pub fn finish(&mut self) -> Vec<Elementary> {
        self.looked.clear();
        self.enemies.clear();
        for (now, back, task) in self.fired.drain(..) {
            for label in &mut self.labels[now.saturating_sub(back)..now] {
                label.get_or_insert(task);
            }
        }
        self.labels.drain(..).map(|label| label.unwrap_or(Elementary::Explore)).collect()
    }
}

/// What can be told at once of somebody with an enemy there.
fn immediate(percept: &Percept, enemy: DVec3) -> Option<Elementary> {
    let own = &percept.own;
    let line = (enemy - own.position).truncate();
    let distance_m = line.length();
    let toward = own.velocity.truncate().dot(line.normalize_or_zero());
    let wanted_m = wanted_distance_m(own.weapon);
    let suits = match distance_m - wanted_m {
        gap if gap > 3.0 => toward > -2.0,
        gap if gap < -3.0 => toward < 4.0,
        _ => toward.abs() < 7.0,
    };
    if own.bearing(enemy).yaw.abs() < FACED && suits {
        Some(Elementary::Attack)
    } else if toward < -1.0 {
        Some(Elementary::Flee)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SeenCharacter, Weapon};

    fn percept(yaw: f64) -> Percept {
        let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
        percept.own.yaw = wrap_angle(yaw);
        percept
    }

    #[test]
    fn each_scheme_recognises_its_tasks() {
        let mut life = Heuristic::default();
        for _ in 0..10 {
            life.observe(&percept(0.0), None);
        }
        life.observe(&percept(0.0), Some(Item::Health));
        for _ in 0..10 {
            life.observe(&percept(0.0), None);
        }
        for k in 1..=10 {
            life.observe(&percept(f64::from(k) * 0.3), None);
        }
        let mut fight = percept(3.0);
        let enemy = DVec3::new(-8.0, 1.0, 0.0);
        fight.characters.push(SeenCharacter { id: 1, position: enemy, velocity: DVec3::ZERO, weapon: None });
        life.observe(&fight, None);
        fight.own.velocity = DVec3::new(8.0, 0.0, 0.0);
        fight.own.yaw = 0.0;
        life.observe(&fight, None);
        let tasks = life.finish();
        assert!(tasks[..11].iter().all(|&task| task == Elementary::HealthSearch));
        assert!(tasks[14..31].iter().all(|&task| task == Elementary::DetectDanger), "{tasks:?}");
        assert_eq!(tasks[31..], [Elementary::Attack, Elementary::Flee]);
        assert!(life.finish().is_empty());
    }

    /// Turns for twelve observations at this speed, then stands until it picks something up.
    fn turns_and_finds(metres_a_tick: f64) -> Vec<Elementary> {
        let mut life = Heuristic::default();
        for k in 0..12 {
            let mut percept = percept(f64::from(k) * 0.3);
            percept.own.position.x = f64::from(k) * metres_a_tick;
            life.observe(&percept, None);
        }
        let mut still = percept(3.3);
        still.own.position.x = 11.0 * metres_a_tick;
        (0..20).for_each(|_| life.observe(&still, None));
        life.observe(&still, Some(Item::Health));
        life.finish()
    }

    #[test]
    fn whatever_fires_first_in_time_explains_what_was_done() {
        let tasks = turns_and_finds(0.0);
        assert!(tasks[..12].iter().all(|&task| task == Elementary::DetectDanger), "{tasks:?}");
        assert_eq!(tasks[32], Elementary::HealthSearch, "{tasks:?}");
    }

    #[test]
    fn running_round_a_corner_is_no_half_turn() {
        let tasks = turns_and_finds(0.7);
        assert!(tasks.iter().all(|&task| task == Elementary::HealthSearch), "{tasks:?}");
    }

    #[test]
    fn an_enemy_just_lost_is_still_fled_from() {
        let mut life = Heuristic::default();
        let mut seen = percept(0.0);
        let at = |x: f64| SeenCharacter {
            id: 1,
            position: DVec3::new(x, 0.0, 0.0),
            velocity: DVec3::ZERO,
            weapon: None,
        };
        seen.characters.push(at(-8.0));
        seen.own.velocity = DVec3::new(8.0, 0.0, 0.0);
        life.observe(&seen, None);
        seen.characters.clear();
        (1..30).for_each(|tick| {
            seen.tick = tick;
            life.observe(&seen, None);
        });
        let tasks = life.finish();
        assert!(tasks[..16].iter().all(|&task| task == Elementary::Flee), "{tasks:?}");
        assert!(tasks[17..].iter().all(|&task| task == Elementary::Explore), "{tasks:?}");
    }

    #[test]
    fn what_nobody_recognises_is_exploration() {
        let mut life = Heuristic::default();
        (0..120).for_each(|_| life.observe(&percept(0.0), None));
        life.observe(&percept(0.0), Some(Item::Weapon(Weapon::Strong)));
        let tasks = life.finish();
        assert_eq!(tasks.iter().filter(|&&task| task == Elementary::WeaponSearch).count(), DELAYED);
        assert!(tasks[..20].iter().all(|&task| task == Elementary::Explore));
    }
}
