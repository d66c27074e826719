//! Getting unstuck: one way to notice that a body does not get on, and two ways out.
//!
//! | who                                        | notices                                        | then                                              |
//! |--------------------------------------------|------------------------------------------------|---------------------------------------------------|
//! | [`Route`](crate::route::Route), [`keep_moving`](Unstuck::keep_moving) | half a metre not made in 8 decisions | runs anywhere for 5 decisions, and jumps at the end |
//! | [`GetAway`], for maps with places that no known way leads from | a metre not made in 2 s, nobody in view | goes where walls are farthest, next time where they are next farthest |
//!
//! Both are reflexes: they change a command that leads nowhere, whatever the character meant by it.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::{Command, Percept, RAYS, wrap_angle};

/// A character that wants to run but moves less than this in [`PATIENCE`] decisions tries another way.
const PROGRESS_M: f64 = 0.5;
const PATIENCE: u32 = 8;
/// How many decisions the other way is kept.
const DETOUR: u32 = 5;

/// Whether a character that wants to move does move, and another way to take when it does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unstuck {
    /// Where it last made progress, and when.
    progress: Option<(DVec3, u32)>,
    /// A yaw to run along for a while, and until when.
    detour: Option<(f64, u32)>,
}

/// Another way, for now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detour {
    /// The yaw to run along.
    pub yaw: f64,
    /// Whether to jump: at its end.
    pub jump: bool,
}

impl Detour {
    /// Its direction on the ground.
    pub fn way(&self) -> DVec2 {
        let (sin, cos) = libm::sincos(self.yaw);
        DVec2::new(cos, sin)
    }
}

impl Unstuck {
    /// The other way, while it lasts.
    pub fn detour(&mut self, now: u32) -> Option<Detour> {
        let (yaw, until) = self.detour?;
        if now < until {
            return Some(Detour { yaw, jump: now + 1 == until });
        }
        self.detour = None;
        None
    }

    /// Whoever wants to stand is not stuck.
    pub fn rest(&mut self) {
        self.progress = None;
    }

    /// Whether a character that wants to move is stuck. Seen from above: hopping on the spot is no progress.
    pub fn is_stuck(&mut self, position: DVec3, now: u32) -> bool {
        match self.progress {
            Some((from, since)) if (from - position).truncate().length() < PROGRESS_M => {
                now >= since + PATIENCE
            }
            _ => {
                self.progress = Some((position, now));
                false
            }
        }
    }

    /// Takes another way from the next decision on.
    pub fn turn_aside(&mut self, now: u32, draw: &mut Stream) {
        self.detour = Some((draw.unit() * std::f64::consts::TAU, now + DETOUR));
        self.progress = None;
    }

    /// Changes a command that leads nowhere. Returns whether the character has just given up what it was going for.
    pub fn keep_moving(&mut self, percept: &Percept, command: &mut Command, draw: &mut Stream) -> bool {
        let (now, own) = (percept.tick, &percept.own);
        if let Some(detour) = self.detour(now) {
            command.run(detour.yaw - own.yaw, 1.0);
            command.jump = detour.jump;
            return false;
        }
        if !command.wants_to_move() {
            self.rest();
            return false;
        }
        let gives_up = self.is_stuck(own.position, now);
        if gives_up {
            self.turn_aside(now, draw);
        }
        gives_up
    }
}

/// Decisions within one metre, with nobody in view, after which a character tries to get away; and decisions it spends on each direction.
const WAITED_SECS: f64 = 2.0;
const AWAY_SECS: f64 = 0.6;

/// Gets away from where a character has stood for long, as on a lift or in the alcove of a teleporter: places that the map in its
/// head knows no way from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GetAway {
    /// Where it last got on, and how many decisions ago that was.
    anchor: Option<(DVec3, u32)>,
    /// How often it has tried to get away from there.
    attempts: usize,
}

impl GetAway {
    /// Changes the command of a character that has stayed within a metre for two seconds, with nobody in view: it goes where the
    /// walls are farthest, and the next time where they are next farthest.
    pub fn keep_moving(&mut self, command: &mut Command, percept: &Percept) {
        let position = percept.own.position;
        let waited = match self.anchor {
            Some((from, waited)) if from.distance(position) < 1.0 && percept.characters.is_empty() => {
                waited + 1
            }
            Some((from, _)) if from.distance(position) < 3.0 && self.attempts > 0 => 0,
            _ => {
                self.attempts = 0;
                0
            }
        };
        let from = if waited == 0 { position } else { self.anchor.map_or(position, |(from, _)| from) };
        self.anchor = Some((from, waited));
        let secs = f64::from(waited) * percept.period_secs;
        if secs < WAITED_SECS {
            return;
        }
        let mut directions: [usize; RAYS] = std::array::from_fn(|k| k);
        directions.sort_by(|&a, &b| percept.rays_m[b].total_cmp(&percept.rays_m[a]));
        let direction = directions[self.attempts % RAYS] as f64 * std::f64::consts::TAU / RAYS as f64;
        let yaw = wrap_angle(direction);
        *command = Command { yaw, pitch: -percept.own.pitch, ..Command::default() };
        command.run(yaw, 1.0);
        command.jump = self.attempts % 2 == 1;
        if secs > WAITED_SECS + AWAY_SECS {
            self.attempts += 1;
            self.anchor = Some((position, ((WAITED_SECS / percept.period_secs) as u32).saturating_sub(8)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(tick: u32) -> Percept {
        Percept {
            tick,
            period_secs: 0.1,
            rays_m: [9.0, 1.0, 1.0, 1.0, 30.0, 1.0, 1.0, 1.0],
            ..Percept::default()
        }
    }

    #[test]
    fn a_runner_that_does_not_get_on_turns_aside_and_jumps_at_the_end() {
        let (mut unstuck, mut draw) = (Unstuck::default(), Stream::new(1, 0, "stuck"));
        let ahead = Command { forward: 1.0, ..Command::default() };
        let mut gave_up = None;
        let mut jumped = Vec::new();
        for tick in 0..20 {
            let mut command = ahead;
            if unstuck.keep_moving(&standing(tick), &mut command, &mut draw) {
                gave_up = gave_up.or(Some(tick));
            }
            if command.jump {
                jumped.push(tick);
            }
        }
        assert_eq!((gave_up, jumped), (Some(PATIENCE), vec![PATIENCE + DETOUR - 1]));
        let mut idle = Command::default();
        let mut waits = Unstuck::default();
        assert!((0..50).all(|tick| !waits.keep_moving(&standing(tick), &mut idle, &mut draw)));
    }

    #[test]
    fn who_stands_for_long_goes_where_walls_are_farthest_then_next_farthest() {
        let mut away = GetAway::default();
        let mut turns = Vec::new();
        for tick in 0..60 {
            let mut command = Command::default();
            away.keep_moving(&mut command, &standing(tick));
            if command.wants_to_move() && turns.last() != Some(&command.yaw) {
                turns.push(command.yaw);
            }
        }
        assert_eq!(turns[..2], [std::f64::consts::PI, 0.0]);
    }
}
