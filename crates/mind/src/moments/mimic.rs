//! Doing again what the teacher did.

use glam::DVec3;
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::Moments;
use super::situation::{Scene, facing, turned, walls_m};
use crate::footing::Footing;
use crate::tasks::Way;
use crate::unstuck::Unstuck;
use crate::{Command, Fire, Own, Percept, Places, wrap_angle};

/// How far people get along a route in 0.8 and in 2 s when nothing keeps them.
pub(crate) const AHEAD_M: [f64; 2] = [8.5, 19.0];
/// One of this many nearest moments is done again.
const NEAREST: usize = 3;
/// It goes on as the teacher went on while that is at most this many times as far from the present as the nearest moment, and as
/// much again as this.
const GOES_ON: f32 = 6.0;
const NEAR_ENOUGH: f32 = 4.0;
/// How much of the difference between where the opponent is and where the teacher's was is made up for, and how much at most.
const MADE_UP: f64 = 0.5;
const MOST_MADE_UP: f64 = 0.3;
/// How much of the difference between the own pitch and the teacher's is made up for whenever the teacher tilted the view.
const LEVELLED: f64 = 0.3;
/// A tilt smaller than this is none.
const STILL: f64 = 0.002;
/// Somebody who runs this far off the way for this many decisions runs along it again.
const OFF_WAY: f64 = 1.3;
const PATIENCE: u32 = 20;

/// What is to be done: by somebody else's decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intent {
    /// Where the route leads: soon, and later.
    pub ahead: [Option<DVec3>; 2],
    /// The opponent to face.
    pub foe: Option<DVec3>,
    /// What a native bot's hands would do: its weapon is taken, and its jumps over obstacles.
    pub native: Command,
}

/// What hands of a person remember.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mimic {
    last: Option<u32>,
    before: Option<Own>,
    turned: [[f64; 2]; 4],
    fired: bool,
    off_way: u32,
    unstuck: Unstuck,
    footing: Footing,
}

impl Mimic {
    /// The command of the teacher's moment that is most like this one.
    pub fn act(
        &mut self,
        moments: &Moments,
        intent: &Intent,
        (percept, places): (&Percept, &Places),
        draw: &mut Stream,
    ) -> Command {
        let own = &percept.own;
        if let Some(before) = self.before.filter(|before| before.life == own.life) {
            self.turned.rotate_right(1);
            self.turned[0] = turned(&before, own);
        } else {
            *self = Mimic::default();
        }
        self.before = Some(*own);
        let foe = intent.foe.map(|feet| facing(own, feet));
        let scene = Scene {
            own,
            turned: self.turned,
            ahead: intent.ahead,
            foe,
            fired: self.fired,
            walls_m: walls_m(&percept.rays_m),
        };
        let numbers = scene.numbers();
        let chosen = self.nearest(moments, &numbers, draw);
        self.last = Some(chosen as u32);
        let deed = &moments.deeds[chosen];
        let mut command = Command { weapon: intent.native.weapon, ..deed.command };
        command.jump |= intent.native.jump;
        if let (Some([yaw, pitch, _]), Some([then_yaw, then_pitch])) = (foe, deed.foe) {
            let made_up = |off: f64| (MADE_UP * off).clamp(-MOST_MADE_UP, MOST_MADE_UP);
            command.yaw = wrap_angle(command.yaw + made_up(wrap_angle(yaw - then_yaw)));
            command.pitch += made_up(pitch - then_pitch);
        }
        if foe.is_none() && command.pitch.abs() > STILL {
            command.pitch += LEVELLED * (deed.pitch - own.pitch);
        }
        self.fired = command.fire != Fire::None;
        self.keep_to_way(intent, percept, places, &mut command, draw);
        command
    }

    /// One of the nearest moments.
    fn nearest(&self, moments: &Moments, now: &[f32], draw: &mut Stream) -> usize {
        let next = self.last.map(|last| last as usize + 1);
        let next = next.filter(|&next| moments.deeds.get(next).is_some_and(|deed| deed.follows));
        let mut best = [(f32::INFINITY, 0_usize); NEAREST];
        for (k, situation) in moments.situations.iter().enumerate() {
            let far = distance(situation, now);
            if far < best[NEAREST - 1].0 {
                best[NEAREST - 1] = (far, k);
                best.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
        }
        if let Some(next) = next
            && distance(&moments.situations[next], now) <= GOES_ON * best[0].0 + NEAR_ENOUGH
        {
            return next;
        }
        let count = best.iter().filter(|one| one.0.is_finite()).count().max(1);
        best[((draw.unit() * count as f64) as usize).min(count - 1)].1
    }

    /// Whoever strays from the way for long, is stuck, or runs towards a ledge or harm, does otherwise than the teacher did.
    fn keep_to_way(
        &mut self,
        intent: &Intent,
        percept: &Percept,
        places: &Places,
        command: &mut Command,
        draw: &mut Stream,
    ) {
        let own = &percept.own;
        let is_far = |to: &DVec3| (*to - own.position).truncate().length() > 0.5;
        let way = intent.ahead[0].filter(is_far).map(|to| Way::towards(own, to));
        if let Some(Way { yaw, .. }) = way.filter(|_| intent.foe.is_none()) {
            let strays = !command.wants_to_move() || wrap_angle(command.heading() - yaw).abs() > OFF_WAY;
            self.off_way = if strays { self.off_way + 1 } else { self.off_way.saturating_sub(2) };
            if self.off_way > PATIENCE {
                let eighth = std::f64::consts::FRAC_PI_4;
                let (sin, cos) = libm::sincos((yaw / eighth).round() * eighth);
                (command.forward, command.lateral) = (cos, sin);
            }
        }
        self.unstuck.keep_moving(percept, command, draw);
        self.footing.keep(percept, places, &[way], command);
    }
}

/// How far apart two situations are, squared.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
