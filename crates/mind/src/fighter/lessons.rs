//! Lessons: each way to die has a remedy, and each death of a kind makes it use the remedy more.
//!
//! What counts is how the end began: the first of the hits that killed it, not what it was doing when it fell (whoever is hurt looks for
//! health, and dies looking for it).
//!
//! | how it began                             | kind       | remedy: what each such death changes                            | at most |
//! |------------------------------------------|------------|----------------------------------------------------------------|---------|
//! | any fight                                | `fought`   | it breaks off to heal while it still has more health (`health`)  | 90      |
//! | with whoever hit it in view, nearer than it likes | `near` | it keeps farther away in a fight (`distance_m`)             | 20 m more |
//! | while it fetched something, with an enemy in view | `fetching` | it fetches what enemies neither see nor reach first (`cover`) | 4   |
//! | with nobody in view                      | `unseen`   | it looks over its shoulders as it runs (`looks`, share of the time) | 0.5 |
//!
//! A lesson is a count and a step, so that one can read in the report what it has learned and why. How large the steps are is data.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::situation::LOW_HEALTH;
use super::vocabulary::Does;
use crate::Percept;
use crate::memory::Enemy;
use crate::tasks::wanted_distance_m;

/// Hits belong to one end if no more time than this lies between them.
const SAME_END_SECS: f64 = 3.0;
/// One round of looking over the left shoulder, ahead, over the right one, and ahead.
const ROUND_SECS: f64 = 4.0;
/// How far it turns its head to look back.
const OVER_SHOULDER: f64 = 0.7 * PI;

/// What each death of a kind changes: part of the design. Zero where nothing is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Steps {
    pub health: f64,
    pub distance_m: f64,
    pub cover: f64,
    pub looks: f64,
}

/// The most that is learned of each.
const MOST: Steps = Steps { health: 90.0 - LOW_HEALTH, distance_m: 20.0, cover: 4.0, looks: 0.5 };

/// What its deaths have taught it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Lessons {
    /// Deaths of each kind.
    pub fought: u32,
    pub near: u32,
    pub fetching: u32,
    pub unseen: u32,
    /// How the fight that it is in began, and when it was last hit.
    end: Option<(Beginning, u32)>,
    /// The moment that just was.
    last: Option<(Beginning, u32)>,
}

/// A moment, as far as a death may be blamed on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Beginning {
    /// Whether an enemy was in view, and whether that was nearer than it likes.
    seen: bool,
    near: bool,
    fetching: bool,
}

/// What it does about its deaths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Remedies {
    /// Less health than this is low.
    pub low_health: f64,
    /// How much farther from an enemy it fights.
    pub farther_m: f64,
    /// How much it counts against an item that an enemy sees it, or is there sooner.
    pub cover: f64,
    /// The share of the time that it looks over its shoulders.
    pub looks: f64,
}

impl Default for Remedies {
    fn default() -> Self {
        Remedies { low_health: LOW_HEALTH, farther_m: 0.0, cover: 0.0, looks: 0.0 }
    }
}

impl Lessons {
    /// Takes in a moment: what it did, and whom it saw.
    pub fn live(&mut self, percept: &Percept, does: Does, enemy: Option<Enemy>, remedies: &Remedies) {
        let own = &percept.own;
        let likes_m = wanted_distance_m(own.weapon) + remedies.farther_m;
        let near = enemy.is_some_and(|enemy| enemy.position.distance(own.position) < likes_m + 4.0);
        let fetching = matches!(does, Does::HealthSearch | Does::WeaponSearch);
        let now = Beginning { seen: enemy.is_some(), near, fetching };
        if !percept.hits.is_empty() {
            let goes_on = |(_, last): &(Beginning, u32)| percept.tick <= last + percept.ticks(SAME_END_SECS);
            let begun = self.end.filter(goes_on).map_or(now, |(begun, _)| begun);
            self.end = Some((begun, percept.tick));
        } else if self.end.is_some_and(|(_, last)| percept.tick > last + percept.ticks(SAME_END_SECS)) {
            self.end = None;
        }
        self.last = Some((now, percept.tick));
    }

    /// A life is over: how its end began is a lesson. An end that came before the first hit was noticed began a moment ago.
    pub fn die(&mut self) {
        let Some((end, _)) = self.end.take().or(self.last) else { return };
        self.last = None;
        self.fought += 1;
        self.near += u32::from(end.seen && end.near);
        self.fetching += u32::from(end.seen && end.fetching);
        self.unseen += u32::from(!end.seen);
    }

    /// What it does about its deaths.
    pub fn remedies(&self, steps: &Steps) -> Remedies {
        let learned = |deaths: u32, step: f64, most: f64| (f64::from(deaths) * step).min(most);
        Remedies {
            low_health: LOW_HEALTH + learned(self.fought, steps.health, MOST.health),
            farther_m: learned(self.near, steps.distance_m, MOST.distance_m),
            cover: learned(self.fetching, steps.cover, MOST.cover),
            looks: learned(self.unseen, steps.looks, MOST.looks),
        }
    }

    /// What it has learned, in words.
    pub fn told(&self, steps: &Steps) -> Vec<String> {
        let remedies = self.remedies(steps);
        let deaths = |count: u32| match count {
            1 => "a death".to_owned(),
            count => format!("{count} deaths"),
        };
        let mut told = Vec::new();
        let mut tell = |count: u32, step: f64, what: String| {
            if count > 0 && step > 0.0 {
                told.push(what);
            }
        };
        let Remedies { low_health, farther_m, cover, looks } = remedies;
        let what = format!("heals below {low_health:.0} after {}", deaths(self.fought));
        tell(self.fought, steps.health, what);
        let what = format!("fights {farther_m:.0} m farther away after {} up close", deaths(self.near));
        tell(self.near, steps.distance_m, what);
        let what = format!("fetches under cover ({cover:.1}) after {} while fetching", deaths(self.fetching));
        tell(self.fetching, steps.cover, what);
        let share = 100.0 * looks;
        let what = format!("looks back {share:.0} % of the time after {} unseen", deaths(self.unseen));
        tell(self.unseen, steps.looks, what);
        told
    }
}

impl Remedies {
    /// How far from its way it looks just now, over one shoulder or the other; none while it looks as it always does.
    pub fn looks_back(&self, percept: &Percept) -> Option<f64> {
        let round = percept.ticks(ROUND_SECS).max(2);
        let half = round / 2;
        let at = percept.tick % round;
        let left = at < half;
        let looks = (f64::from(at % half) + 0.5) < self.looks * f64::from(half);
        looks.then_some(if left { OVER_SHOULDER } else { -OVER_SHOULDER })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::Hit;

    const STEPS: Steps = Steps { health: 5.0, distance_m: 2.0, cover: 1.0, looks: 0.1 };

    fn moment(tick: u32, hit: bool) -> Percept {
        let hits = if hit { vec![Hit { damage: 10.0, yaw: 0.0 }] } else { Vec::new() };
        Percept { tick, period_secs: 0.1, hits, ..Percept::default() }
    }

    fn enemy(far_m: f64) -> Option<Enemy> {
        let position = DVec3::X * far_m;
        Some(Enemy { id: 1, position, velocity: DVec3::ZERO, weapon: None, since: 0, last: 0 })
    }

    #[test]
    fn what_counts_is_how_the_end_began() {
        let mut lessons = Lessons::default();
        let plain = Remedies::default();
        lessons.live(&moment(1, true), Does::Attack, enemy(3.0), &plain);
        // Hurt, it looks for health, and dies with nobody in view.
        lessons.live(&moment(20, true), Does::HealthSearch, None, &plain);
        lessons.die();
        assert_eq!((lessons.fought, lessons.near, lessons.fetching, lessons.unseen), (1, 1, 0, 0));
        // What was long ago is not to blame.
        lessons.live(&moment(100, true), Does::Attack, enemy(3.0), &plain);
        lessons.live(&moment(200, false), Does::Explore, None, &plain);
        lessons.die();
        assert_eq!((lessons.fought, lessons.near, lessons.unseen), (2, 1, 1));
    }

    #[test]
    fn remedies_grow_with_deaths_up_to_a_limit() {
        let of = |deaths: u32| Lessons {
            fought: deaths,
            near: deaths,
            fetching: deaths,
            unseen: deaths,
            ..Lessons::default()
        };
        assert_eq!(of(0).remedies(&STEPS), Remedies::default());
        assert_eq!(of(2).remedies(&STEPS).low_health, LOW_HEALTH + 10.0);
        assert_eq!(of(90).remedies(&STEPS).low_health, 90.0);
        assert!(of(0).told(&STEPS).is_empty() && of(1).told(&STEPS).len() == 4);
    }

    #[test]
    fn it_looks_over_both_shoulders_for_its_share_of_the_time() {
        let remedies = Remedies { looks: 0.25, ..Remedies::default() };
        let looks: Vec<f64> = (0..400).filter_map(|tick| remedies.looks_back(&moment(tick, false))).collect();
        assert_eq!(looks.len(), 100);
        assert_eq!(looks.iter().filter(|turn| **turn > 0.0).count(), 50);
        assert_eq!(Remedies::default().looks_back(&moment(0, false)), None);
    }
}
