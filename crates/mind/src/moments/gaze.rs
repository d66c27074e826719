//! Where to look on a trail: as the teacher looked there, and at somebody in view as the teacher looked at others.

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::Moments;
use crate::{Command, Fire, Own, wrap_angle};

/// A turn smaller than this is none.
const STILL: f64 = 0.002;
/// While the teacher turns less than this, the view may wait for the body or catch up.
const RESTS: f64 = 0.02;
/// As many moments the view is ahead of the body or behind it before it waits or catches up within a turn.
const MOST_OFF: usize = 3;
/// How much of the difference from the teacher's view is made up for in a decision, and how much at most: a share of the teacher's own
/// turn, and a little more. Along a trail, and in a fight, where being off means missing.
const MADE_UP: [f64; 2] = [0.4, 0.7];
const SHARE: f64 = 0.5;
const LEAST: [f64; 2] = [0.02, 0.2];
/// A moment goes on to be like the present while the opponent's bearing differs by less than this, and the logarithm of the distance by
/// less than that.
const BEARING: f64 = 0.35;
const DISTANCE: f64 = 0.7;
/// How much of the last turn goes on in a fight: a hand does not follow every step of an opponent at once.
const HELD: f64 = 0.25;
/// Nobody turns or tilts the view farther in a decision of a fight.
const MOST_TURN: [f64; 2] = [1.2, 0.6];

/// A shot that passes the middle of a body by this many metres hits it, and one that is off by this much more nearly does.
const HALF_BODY_M: f64 = 0.6;
const NEARLY: f64 = 0.03;

/// What the view remembers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Gaze {
    /// The moment whose view comes next, and how far the own view is from the teacher's; none off the trails and in fights.
    along: Option<(u32, [f64; 2])>,
    /// In a fight, the moment that was done last, and how far the own aim is from the teacher's.
    fight: Option<(u32, [f64; 2])>,
}

impl Gaze {
    /// Off the trails.
    pub fn leave(&mut self) {
        *self = Gaze::default();
    }

    /// With nobody in view: the moment whose view is shown, and its command. The view goes on with every decision; it waits for the body or
    /// catches up where the teacher's view rests, so that turns are made as fast as the teacher made them.
    pub fn along(&mut self, moments: &Moments, (on, is_new): (usize, bool), own: &Own) -> (usize, Command) {
        self.fight = None;
        let off_from =
            |k: usize| [wrap_angle(own.yaw - moments.lived[k].yaw), own.pitch - moments.deeds[k].pitch];
        let known = self.along.filter(|_| !is_new);
        let (looks, mut off) = known.map_or((on, off_from(on)), |(looks, off)| (looks as usize, off));
        let left = moments.lived[looks].left;
        let turn = |k: usize, next: usize| {
            let yaw = wrap_angle(moments.lived[next].yaw - moments.lived[k].yaw);
            [yaw, moments.deeds[next].pitch - moments.deeds[k].pitch]
        };
        let rests = left == 0 || turn(looks, looks + 1)[0].abs() < RESTS;
        let (ahead, behind) = (looks.saturating_sub(on), on.saturating_sub(looks));
        let steps = if ahead > MOST_OFF || (ahead > 0 && rests) {
            0
        } else if behind > MOST_OFF || (behind > 0 && rests) {
            2
        } else {
            1
        };
        let next = looks + steps.min(left) as usize;
        // The view comes back to the teacher's while the teacher turns, so that still views stay still.
        for (off, turn) in off.iter_mut().zip(turn(looks, next)) {
            if turn.abs() > STILL {
                *off -= made_up(*off, turn, 0);
            }
        }
        self.along = Some((next as u32, off));
        let deed = &moments.deeds[looks];
        let mut command = Command {
            yaw: wrap_angle(moments.lived[next].yaw + off[0] - own.yaw),
            pitch: moments.deeds[next].pitch + off[1] - own.pitch,
            ..deed.command
        };
        // Whom the teacher fired at is not here.
        if deed.foe.is_some() {
            command.fire = Fire::None;
        }
        (looks, command)
    }

    /// The moment of a fight that goes on to be like the present: the one on the trail, or the one after the last; if none does, another
    /// has to be found.
    pub fn like(&self, moments: &Moments, on: usize, foe: [f64; 3]) -> Option<usize> {
        let fits = |k: &usize| {
            let Some(then) = moments.deeds[*k].foe else { return false };
            let farther = libm::log(foe[2].max(1.0) / moments.lived[*k].foe_m.max(1.0)).abs();
            wrap_angle(foe[0] - then[0]).abs() < BEARING && farther < DISTANCE
        };
        let next = self.fight.map(|(last, _)| last as usize + 1);
        let next = next.filter(|&k| moments.deeds.get(k).is_some_and(|deed| deed.follows));
        Some(on).filter(fits).or(next.filter(fits))
    }

    /// Faces somebody as in a moment: as far off as the teacher was from their opponent. `foe` and `soon` are the turn and the tilt to
    /// where a shot has to be aimed, now and with the next decision; `turned` those of the last decision. Fires when the teacher fired, if
    /// both aim at somebody or neither does; otherwise as often as the teacher fires when aiming so.
    pub fn face(
        &mut self,
        moments: &Moments,
        like: usize,
        (foe, soon): ([f64; 3], [f64; 3]),
        turned: [f64; 2],
        draw: &mut Stream,
    ) -> Command {
        self.along = None;
        let deed = &moments.deeds[like];
        let Some(then) = deed.foe else {
            self.fight = None;
            return deed.command;
        };
        let goes_on = self.fight.filter(|&(last, _)| last as usize + 1 == like);
        let mut off = goes_on.map_or([wrap_angle(foe[0] - then[0]), foe[1] - then[1]], |(_, off)| off);
        let [turn, tilt] = [deed.command.yaw, deed.command.pitch];
        let after = moments.deeds.get(like + 1).filter(|after| after.follows).and_then(|after| after.foe);
        let after = after.unwrap_or([then[0] - turn, then[1] - tilt]);
        for (off, turn) in off.iter_mut().zip([turn, tilt]) {
            *off -= made_up(*off, turn, 1);
        }
        self.fight = Some((like as u32, off));
        let wanted = [wrap_angle(soon[0] - after[0] - off[0]), soon[1] - after[1] - off[1]];
        let turn =
            |k: usize| ((1.0 - HELD) * wanted[k] + HELD * turned[k]).clamp(-MOST_TURN[k], MOST_TURN[k]);
        let [yaw, pitch] = [turn(0), turn(1)];
        let mut command = Command { yaw, pitch, ..deed.command };
        // What counts is half-way through the turn, when people's aim is best.
        let off = [wrap_angle(foe[0] + soon[0] - yaw) / 2.0, (foe[1] + soon[1] - pitch) / 2.0];
        let was_on = moments.was_on_target(like);
        if is_on_target(off, foe[2]) != was_on {
            let fires = draw.unit() < moments.fires[usize::from(!was_on)];
            command.fire = if fires { Fire::Primary } else { Fire::None };
        }
        command
    }
}

/// Whether a shot that is so far off hits somebody that far away, or nearly.
pub(super) fn is_on_target(off: [f64; 2], distance_m: f64) -> bool {
    libm::hypot(off[0], off[1]) < libm::atan2(HALF_BODY_M, distance_m.max(1.0)) + NEARLY
}

/// As much of a difference as is made up for while the teacher turns so far: along a trail (0) and in a fight (1).
fn made_up(off: f64, turn: f64, in_fight: usize) -> f64 {
    let most = SHARE * turn.abs() + LEAST[in_fight];
    (MADE_UP[in_fight] * off).clamp(-most, most)
}
