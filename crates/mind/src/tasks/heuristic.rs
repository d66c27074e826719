//! Recognising tasks by rules, after a life is over.
//!
//! Four schemes — Le Hy 2007, section 4.4.2:
//!
//! | scheme    | tasks                          | rule                                                                    |
//! |-----------|--------------------------------|-------------------------------------------------------------------------|
//! | immediate | `attack`, `flee`               | faces an enemy at a speed that suits its weapon; or moves away from it   |
//! | delayed   | `health_search`, `weapon_search` | something was picked up: what was unknown before it was the search     |
//! | fixed     | `detect_danger`                | a half turn within two seconds: the 20 observations before it            |
//! | default   | `explore`                      | everything else                                                          |
//!
//! What was recognised at once is known. Of the rest, what leads to something picked up is a search, whenever half turns fall; a half
//! turn explains only what no search does.
//!
//! Differs from the paper: it does not say how far back a delayed validation goes (here 5 s), which angle is a half turn
//! (here 150°), nor which speed suits a weapon; and its fixed validation takes the 20 observations whatever they are, where ours leaves
//! alone what was recognised at once, because fights are full of half turns.

use crate::{Item, Percept, turn_between, wrap_angle};

use super::{Elementary, wanted_distance_m};

/// How far back something picked up explains what was done.
const DELAYED: usize = 50;
/// How far back a half turn explains what was done, and within how many observations it must happen.
const FIXED: usize = 20;
/// What counts as a half turn.
const HALF_TURN: f64 = 150.0 * std::f64::consts::PI / 180.0;
/// An enemy within this angle of the line of sight counts as faced.
const FACED: f64 = 20.0 * std::f64::consts::PI / 180.0;

/// Labels the observations of one life.
#[derive(Clone, Debug, Default)]
pub struct Heuristic {
    labels: Vec<Option<Elementary>>,
    /// The yaw at each observation, not wrapped: a whole turn adds up.
    yaws: Vec<f64>,
    /// Something was picked up before this observation, which explains a search.
    found: Vec<(usize, Elementary)>,
    /// A half turn ended before this observation.
    turned: Vec<usize>,
}

impl Heuristic {
    /// One observation, and what was picked up right after it.
    pub fn observe(&mut self, percept: &Percept, picked_up: Option<Item>) {
        let yaw = percept.own.yaw;
        let unwrapped = self.yaws.last().map_or(yaw, |last| last + turn_between(wrap_angle(*last), yaw));
        self.yaws.push(unwrapped);
        self.labels.push(immediate(percept));
        let now = self.labels.len();
        if let Some(item) = picked_up {
            let task = if item == Item::Health { Elementary::HealthSearch } else { Elementary::WeaponSearch };
            self.found.push((now, task));
        }
        let since = now.saturating_sub(FIXED);
        if (self.yaws[now - 1] - self.yaws[since]).abs() > HALF_TURN {
            self.turned.push(now);
        }
    }

    fn fill(&mut self, span: std::ops::Range<usize>, task: Elementary) {
        for label in &mut self.labels[span] {
            label.get_or_insert(task);
        }
    }

    /// The life is over: a task for every observation.
    pub fn finish(&mut self) -> Vec<Elementary> {
        self.yaws.clear();
        for (now, task) in std::mem::take(&mut self.found) {
            self.fill(now.saturating_sub(DELAYED)..now, task);
        }
        for now in std::mem::take(&mut self.turned) {
            self.fill(now.saturating_sub(FIXED)..now, Elementary::DetectDanger);
        }
        self.labels.drain(..).map(|label| label.unwrap_or(Elementary::Explore)).collect()
    }
}

/// What can be told at once.
fn immediate(percept: &Percept) -> Option<Elementary> {
    let own = &percept.own;
    let far = |seen: &&crate::SeenCharacter| seen.position.distance_squared(own.position);
    let enemy = percept.characters.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
    let line = (enemy.position - own.position).truncate();
    let distance_m = line.length();
    let toward = own.velocity.truncate().dot(line.normalize_or_zero());
    let wanted_m = wanted_distance_m(own.weapon);
    let suits = match distance_m - wanted_m {
        gap if gap > 3.0 => toward > -2.0,
        gap if gap < -3.0 => toward < 4.0,
        _ => toward.abs() < 7.0,
    };
    if own.bearing(enemy.position).yaw.abs() < FACED && suits {
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
    use glam::DVec3;

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

    #[test]
    fn a_half_turn_on_the_way_to_something_is_part_of_the_search() {
        let mut life = Heuristic::default();
        (0..12).for_each(|k| life.observe(&percept(f64::from(k) * 0.3), None));
        (0..20).for_each(|_| life.observe(&percept(3.3), None));
        life.observe(&percept(3.3), Some(Item::Health));
        let tasks = life.finish();
        assert!(tasks.iter().all(|&task| task == Elementary::HealthSearch), "{tasks:?}");
    }

    #[test]
    fn what_nobody_recognises_is_exploration() {
        let mut life = Heuristic::default();
        (0..100).for_each(|_| life.observe(&percept(0.0), None));
        life.observe(&percept(0.0), Some(Item::Weapon(Weapon::Strong)));
        let tasks = life.finish();
        assert_eq!(tasks.iter().filter(|&&task| task == Elementary::WeaponSearch).count(), DELAYED);
        assert!(tasks[..50].iter().all(|&task| task == Elementary::Explore));
    }
}
