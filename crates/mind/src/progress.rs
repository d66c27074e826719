//! A reflex of characters that steer by themselves: when they are stuck, they try another way for a while.

use glam::DVec3;
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::{Command, Percept};

/// A character that wants to run but moves less than this in [`PATIENCE`] decisions tries another way.
const PROGRESS_M: f64 = 0.5;
const PATIENCE: u32 = 8;
/// How many decisions the other way is kept.
const DETOUR: u32 = 5;

/// Whether a character that wants to move does move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Where it last made progress, and when.
    progress: Option<(DVec3, u32)>,
    /// A yaw to run along for a while, and until when.
    detour: Option<(f64, u32)>,
}

impl Progress {
    /// Changes a command that leads nowhere. Returns whether the character has just given up what it was going for.
    pub fn keep_moving(&mut self, percept: &Percept, command: &mut Command, draw: &mut Stream) -> bool {
        let (now, own) = (percept.tick, &percept.own);
        if let Some((yaw, until)) = self.detour {
            if now < until {
                command.run(yaw - own.yaw, 1.0);
                command.jump = now + 1 == until;
                return false;
            }
            self.detour = None;
        }
        if !command.wants_to_move() {
            self.progress = None;
            return false;
        }
        match self.progress {
            Some((from, since)) if (from - own.position).truncate().length() < PROGRESS_M => {
                let gives_up = now >= since + PATIENCE;
                if gives_up {
                    self.detour = Some((draw.unit() * std::f64::consts::TAU, now + DETOUR));
                    self.progress = None;
                }
                gives_up
            }
            _ => {
                self.progress = Some((own.position, now));
                false
            }
        }
    }
}
