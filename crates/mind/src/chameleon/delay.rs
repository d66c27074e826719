//! Reaction time: others are perceived as they were a moment ago.
//!
//! Players feel their own bodies at once and know where they look; what they see and hear of the world reaches them later.
//! So a delayed percept holds the present self and the past others, and where they were is turned into what they look
//! like from here and now. Differs from the paper, which pairs actions with the whole percept of some time ago (section
//! 4.4.2.1): a turn that was already made would then be made again.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::{Hit, Noise, Percept, turn_between, wrap_angle};

/// The longest reaction time, in decisions.
pub const LONGEST: usize = 20;

/// The last percepts, and which of them was perceived last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Delay {
    /// The newest last.
    past: VecDeque<Percept>,
    /// The tick of the one perceived last.
    perceived: Option<u32>,
}

impl Delay {
    /// Takes in what is there now, and gives what is perceived after a reaction time, in decisions. A life
    /// begins without a past: then it perceives the oldest there is. Nobody perceives backwards in time: where the
    /// delay grows faster than time passes, the moment perceived last stays.
    pub fn perceive(&mut self, now: &Percept, delay: usize) -> Percept {
        if self.past.back().is_some_and(|last| last.own.life != now.own.life) {
            *self = Delay::default();
        }
        self.past.push_back(now.clone());
        if self.past.len() > LONGEST + 1 {
            self.past.pop_front();
        }
        let newest = self.past.len() - 1;
        let wanted = newest - delay.min(newest);
        let before = self.perceived;
        let at = (wanted..newest).find(|&at| Some(self.past[at].tick) >= before).unwrap_or(newest);
        let then = &self.past[at];
        self.perceived = Some(then.tick);
        let mut felt = Percept {
            tick: now.tick,
            own: now.own,
            rays_m: now.rays_m,
            noises: Vec::new(),
            hits: Vec::new(),
            ..then.clone()
        };
        // What lasts only a moment is perceived once, also when moments are skipped.
        for then in self.past.iter().take(at + 1).filter(|then| Some(then.tick) > before) {
            let turned = turn_between(now.own.yaw, then.own.yaw);
            let seen_from_now = |yaw: f64| wrap_angle(yaw + turned);
            felt.noises
                .extend(then.noises.iter().map(|noise| Noise { yaw: seen_from_now(noise.yaw), ..*noise }));
            felt.hits.extend(then.hits.iter().map(|hit| Hit { yaw: seen_from_now(hit.yaw), ..*hit }));
        }
        felt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u32, yaw: f64) -> Percept {
        let mut percept = Percept { tick, ..Percept::default() };
        percept.own.yaw = yaw;
        percept.own.health = f64::from(tick);
        percept.hits.push(Hit { damage: f64::from(tick), yaw: 0.5 });
        percept.rays_m[0] = f64::from(tick);
        percept
    }

    fn damages(percept: &Percept) -> Vec<f64> {
        percept.hits.iter().map(|hit| hit.damage).collect()
    }

    #[test]
    fn others_are_perceived_late_and_the_own_body_at_once() {
        let mut delay = Delay::default();
        let felt: Vec<Percept> =
            (0..6).map(|tick| delay.perceive(&at(tick, 0.1 * f64::from(tick)), 2)).collect();
        assert_eq!(felt[5].own.health, 5.0);
        assert_eq!(felt[5].rays_m[0], 5.0);
        assert_eq!(damages(&felt[5]), [3.0]);
        assert!((felt[5].hits[0].yaw - 0.3).abs() < 1e-12, "it has turned by 0.2 since");
    }

    #[test]
    fn every_moment_is_perceived_once_whatever_the_delay_does() {
        let mut delay = Delay::default();
        let delays = [3, 3, 3, 3, 0, 4, 4, 1, 20, 2, 0];
        let felt: Vec<f64> = delays
            .into_iter()
            .enumerate()
            .flat_map(|(tick, ticks)| damages(&delay.perceive(&at(tick as u32, 0.0), ticks)))
            .collect();
        let all: Vec<f64> = (0..delays.len()).map(|tick| tick as f64).collect();
        assert_eq!(felt, all);
    }

    #[test]
    fn a_new_life_has_no_past() {
        let mut delay = Delay::default();
        delay.perceive(&at(0, 0.0), 2);
        let mut reborn = at(1, 0.0);
        reborn.own.life = 1;
        assert_eq!(damages(&delay.perceive(&reborn, 2)), [1.0]);
    }
}
