//! Doing again what the teacher did.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::Moments;
use super::gaze::Gaze;
use super::lived::At;
use super::situation::{Scene, facing, laid, turned, walls_m};
use super::steer::Steer;
use super::trail::{self, Here, Trail};
use super::trap::Trap;
use crate::blast::Blast;
use crate::footing::Footing;
use crate::memory::Enemy;
use crate::route::Route;
use crate::tasks::Way;
use crate::unstuck::Unstuck;
use crate::{Command, Fire, Own, Percept, Place, Places, wrap_angle};

/// How far people get along a route in 0.8 and in 2 s when nothing keeps them.
const AHEAD_M: [f64; 2] = [8.5, 19.0];
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

/// How much of an opponent's way, while a shot flies, is aimed ahead of.
const LEAD: f64 = 0.5;
/// People fire rockets at those and at walls that are nearer than bots dare.
const NEAREST_BURST: Blast = Blast { foe_m: 3.0, wall_m: 2.5 };
/// With nobody in view the last of the ammunition is kept: this many shots.
const SPARED: u32 = 15;

/// What is to be done: by somebody else's decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intent {
    /// Where the route leads: soon, and later.
    pub ahead: [Option<DVec3>; 2],
    /// The opponent to face.
    pub foe: Option<DVec3>,
    /// Metres a second, theirs.
    pub foe_velocity: DVec3,
    /// What a native bot's hands would do: its weapon is taken, and its jumps over obstacles.
    pub native: Command,
    /// Where the route leads in the end.
    pub goal: Option<Place>,
}

impl Intent {
    /// What was decided, as a native bot's hands would do it, on the way there.
    pub fn of(
        native: Command,
        enemy: Option<&Enemy>,
        route: &Route,
        (percept, places): (&Percept, &Places),
    ) -> Self {
        Intent {
            ahead: AHEAD_M.map(|metres| route.ahead(&percept.own, places, metres)),
            foe: enemy.map(|enemy| enemy.position),
            foe_velocity: enemy.map_or(DVec3::ZERO, |enemy| enemy.velocity),
            native,
            goal: route.goal(),
        }
    }
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
    #[serde(default)]
    trail: Trail,
    #[serde(default)]
    gaze: Gaze,
    /// The keys that it held last: forward and lateral.
    #[serde(default)]
    held: DVec2,
    #[serde(default)]
    trap: Trap,
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
            self.trail.leave();
            *self = Mimic { trail: std::mem::take(&mut self.trail), ..Mimic::default() };
        }
        self.before = Some(*own);
        let foe = intent.foe.map(|feet| facing(own, feet));
        let (tick, period_secs) = (percept.tick, percept.period_secs);
        let here = Here { tick, period_secs, own, foe, places, goal: intent.goal };
        if self.trap.is_in(percept, foe.is_some()) {
            self.trail.leave();
            self.last = None;
            self.gaze.leave();
            self.fired = false;
            return Command { fire: Fire::None, ..intent.native };
        }
        if let Some(on) = self.trail.follow(moments, &here, draw) {
            let command = self.along(moments, on, intent, foe, percept, draw);
            self.fired = command.fire != Fire::None;
            return command;
        }
        self.gaze.leave();
        let command = self.astray(moments, intent, foe, (percept, places), draw);
        self.fired = command.fire != Fire::None;
        command
    }

    /// On a trail: what the teacher did there, kept near the trail. An enemy in view is faced as the teacher faced theirs.
    fn along(
        &mut self,
        moments: &Moments,
        on: usize,
        intent: &Intent,
        foe: Option<[f64; 3]>,
        percept: &Percept,
        draw: &mut Stream,
    ) -> Command {
        let own = &percept.own;
        let lived = &moments.lived[on];
        let then = At::of(moments, on + usize::from(lived.left > 0), self.trail.part());
        let (looks, mut command) = match foe {
            Some(foe) => {
                let like = self.gaze.like(moments, on, foe).unwrap_or_else(|| {
                    moments.alike(self.last, &self.scene(intent, Some(foe), percept).numbers(), draw)
                });
                self.last = Some(like as u32);
                let moved = (intent.foe_velocity - own.velocity) * percept.period_secs;
                let feet = intent.foe.unwrap_or(own.position);
                let lay = |feet: DVec3| laid(own, feet, intent.foe_velocity, LEAD);
                (on, self.gaze.face(moments, like, (lay(feet), lay(feet + moved)), self.turned[0], draw))
            }
            None => self.gaze.along(moments, (on, self.trail.is_new()), own),
        };
        if foe.is_some_and(|foe| !NEAREST_BURST.allows(own.weapon, foe[2], percept.rays_m[0])) {
            command.fire = Fire::None;
        }
        if foe.is_none() && own.shots(own.weapon) < SPARED {
            command.fire = Fire::None;
        }
        command.weapon = intent.native.weapon;
        // Behind the teacher, who has left the ground already; or ahead, and down before them.
        let jumps = |k: Option<usize>| k.is_some_and(|k| trail::jumps(moments, k));
        let is_late = jumps(on.checked_sub(1)) || jumps(on.checked_sub(2));
        let is_early = own.on_ground && lived.velocity.z < -1.0 && lived.left > 0 && jumps(Some(on + 1));
        // Who holds the key while falling leaves the ground again before it slows them.
        let is_held = !own.on_ground && own.velocity.z < 0.0 && !lived.on_ground && jumps(Some(on + 1));
        let is_held = is_held && lived.left > 0;
        command.jump = jumps(Some(on)) || (own.velocity.z < 1.0 && is_late) || is_early || is_held;
        let deed = &moments.deeds[looks].command;
        let steer = Steer {
            velocity: own.velocity.truncate(),
            on_ground: own.on_ground && !command.jump,
            yaw: own.yaw,
            turn: command.yaw,
            secs: percept.period_secs,
            way: (then.position - own.position).truncate(),
            then: then.velocity.truncate(),
            held: self.held,
            pressed: DVec2::new(deed.forward, deed.lateral),
        };
        self.held = steer.keys();
        (command.forward, command.lateral) = (self.held.x, self.held.y);
        command
    }

    fn scene<'a>(&self, intent: &Intent, foe: Option<[f64; 3]>, percept: &'a Percept) -> Scene<'a> {
        Scene {
            own: &percept.own,
            turned: self.turned,
            ahead: intent.ahead,
            foe,
            fired: self.fired,
            walls_m: walls_m(&percept.rays_m),
        }
    }

    /// Where no trail is near: the command of the teacher's moment that is most like this one.
    fn astray(
        &mut self,
        moments: &Moments,
        intent: &Intent,
        foe: Option<[f64; 3]>,
        (percept, places): (&Percept, &Places),
        draw: &mut Stream,
    ) -> Command {
        let own = &percept.own;
        let numbers = self.scene(intent, foe, percept).numbers();
        let chosen = moments.alike(self.last, &numbers, draw);
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
        self.keep_to_way(intent, percept, places, &mut command, draw);
        command
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
