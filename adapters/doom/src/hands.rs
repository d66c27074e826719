//! From commands to keys and mouse: turning, running at a wanted speed, doors, weapons.
//!
//! A command says how fast to run, and the arena's bodies get there at 60 m/s². Doom's bodies are pushed: `v ← (v + a)·f`
//! each tic, with `f = 0.90625` and a push `a` of at most 1.5625 units a tic, which is the same 60 m/s², but they slide on.
//! So the hands push for the speed that is wanted after the next tics, and brake as a player does by pushing back:
//! `a = (v* - fⁿ v) (1 - f) / (f (1 - fⁿ))`.

use glam::{DVec2, DVec3};
use repertoire_mind::{Command, Fire, Percept, SeenCharacter, Weapon};

use crate::arsenal::Arsenal;
use crate::ground::{Ground, SPEED};
use crate::protocol::{Action, State, Variable};
use crate::senses::Effort;

/// What is left of a body's speed after a tic on the ground.
pub(crate) const FRICTION: f64 = 0.90625;
/// The push of one unit of a movement key, in units a tic.
const PUSH: f64 = 0.03125;
/// A key pushes at most so much forwards, and so much sideways.
const MOST_FORWARD: f64 = 50.0;
const MOST_SIDEWAYS: f64 = 40.0;
/// A turn smaller than this does not spoil a shot.
const STEADY: f64 = 0.03;
/// The slot of the weapon whose shots burst and spare nobody.
const ROCKETS: u8 = 5;
/// A burst reaches 4 m; the rest is for what moves until then.
const BURST_M: f64 = 7.0;
/// Nobody nearer than this is fired at with a rocket: before it is there he may have come much nearer.
const NEAR_FOE_M: f64 = 10.0;
/// Rockets fly 20 units a tic.
const ROCKET_M_PER_SEC: f64 = 20.0 * SPEED;
const ROCKET_HALF_M: f64 = 0.4;
/// Slower than this, in metres a second, one who wants to run is held up.
const HELD_UP: f64 = 1.0;

/// How the hands play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Tics from one decision to the next.
    pub tics: u32,
    /// What a mind's full speed is here. Doom's players run at up to 18 m/s, on ways that were walked at 8.8.
    pub run_m_per_sec: f64,
    /// The fastest turn, in radians a second.
    pub turn_per_sec: f64,
}

impl Default for Manner {
    fn default() -> Self {
        Manner { tics: 2, run_m_per_sec: 17.0, turn_per_sec: 24.0 }
    }
}

/// Hands on keys and mouse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hands {
    manner: Manner,
    /// How many decisions it has been held up.
    held_up: u32,
}

impl Hands {
    /// Hands that play in a manner.
    pub fn new(manner: Manner) -> Self {
        Hands { manner, held_up: 0 }
    }

    /// The keys for a command, and what the legs do.
    pub fn obey(
        &mut self,
        command: &Command,
        percept: &Percept,
        state: &State,
        ground: &Ground,
    ) -> (Action, Effort) {
        let command = command.sane();
        let own = &percept.own;
        let tics = self.manner.tics.max(1);
        let most = self.manner.turn_per_sec * percept.period_secs;
        let (turn, tilt) = (command.yaw.clamp(-most, most), command.pitch.clamp(-most, most));
        // A mind takes the way relative to where it looks half-way through its turn.
        let ahead = DVec2::from_angle(own.yaw + turn / 2.0);
        let way = ahead * command.forward + ahead.perp() * command.lateral;
        let wish = way.clamp_length_max(1.0) * self.manner.run_m_per_sec;
        let velocity = DVec2::new(state.get(Variable::VELOCITY_X), state.get(Variable::VELOCITY_Y));
        let push = push_for(wish / SPEED, velocity, tics);
        // Who fires turns first; everybody else turns while running, and pushes as the body faces on the way.
        let fires = command.fire != Fire::None
            && (Arsenal::of(state).in_hand != ROCKETS || may_fire_rocket(percept, turn, tilt, ground));
        let at_once = fires && tics > 1 && turn.abs().max(tilt.abs()) > STEADY;
        let mean = f64::from(tics + 1) / f64::from(2 * tics);
        let facing = DVec2::from_angle(own.yaw + if at_once { turn } else { turn * mean });
        let forward = (push.dot(facing) / PUSH).clamp(-MOST_FORWARD, MOST_FORWARD).round();
        let left = (push.dot(facing.perp()) / PUSH).clamp(-MOST_SIDEWAYS, MOST_SIDEWAYS).round();
        let thrust = (facing * forward + facing.perp() * left) * PUSH;

        let mut action = Action { tics, at_once, ..Action::default() };
        // To the right is positive for the engine, and up.
        action.buttons[0] = -turn.to_degrees();
        action.buttons[1] = tilt.to_degrees();
        action.buttons[2] = forward;
        action.buttons[3] = -left;
        action.buttons[4] = f64::from(u8::from(fires));
        action.buttons[5] = f64::from(u8::from(self.wants_door(&command, percept, way, ground)));
        action.buttons[6] = f64::from(u8::from(command.jump));
        let arsenal = Arsenal::of(state);
        let mut slot = arsenal.slot_for(command.weapon.unwrap_or(own.weapon));
        let is_close = |seen: &SeenCharacter| seen.position.distance(own.position) < NEAR_FOE_M;
        let too_close = slot == ROCKETS && percept.characters.iter().any(is_close);
        if too_close {
            slot = arsenal.slot_for(Weapon::Medium);
        }
        if slot != arsenal.in_hand && (command.weapon.is_some() || too_close || !arsenal.is_loaded()) {
            action.buttons[6 + usize::from(slot)] = 1.0;
        }
        (action, Effort { thrust: if own.on_ground { thrust } else { DVec2::ZERO }, tics })
    }

    /// Who is held up where the map is open stands before a door, and presses it now and then. Never at a wall: a switch
    /// there may end the level.
    fn wants_door(&mut self, command: &Command, percept: &Percept, way: DVec2, ground: &Ground) -> bool {
        let own = &percept.own;
        let is_held_up = command.wants_to_move() && own.velocity.truncate().length() < HELD_UP;
        self.held_up = if is_held_up { self.held_up + 1 } else { 0 };
        if self.held_up < 3 || self.held_up % 4 != 3 {
            return false;
        }
        let chest = own.position + DVec3::new(0.0, 0.0, 1.0);
        let there = chest + (way.normalize_or_zero() * 2.0).extend(0.0);
        ground.scene().cast_level(chest, there).is_none()
    }
}

/// Whether a rocket may be fired: at somebody in view who is far enough away, with no wall near in its way. A mind knows that
/// rockets are dangerous and looks at the walls in eight directions at the height of its eyes; the finger looks where the
/// rocket would fly, and knows that it leaves a quarter of a second after the trigger.
fn may_fire_rocket(percept: &Percept, turn: f64, tilt: f64, ground: &Ground) -> bool {
    let own = &percept.own;
    let (sin, cos) = libm::sincos(own.pitch + tilt);
    let facing = DVec2::from_angle(own.yaw + turn);
    let ahead = (facing * cos).extend(sin);
    let hand = own.eye() - DVec3::new(0.0, 0.0, 0.2);
    let aside = facing.perp().extend(0.0) * ROCKET_HALF_M;
    let scene = ground.scene();
    // Who runs after a rocket is nearer to it when it bursts.
    let closing = (own.velocity.dot(ahead) / ROCKET_M_PER_SEC).clamp(0.0, 0.8);
    let safe_m = BURST_M / (1.0 - closing);
    let is_free = |from: DVec3| scene.cast(from, from + ahead * safe_m).is_none();
    let way = |seen: &SeenCharacter| seen.position + DVec3::new(0.0, 0.0, 0.9) - hand;
    let is_target = |seen: &SeenCharacter| way(seen).dot(ahead) > 0.94 * way(seen).length();
    [-aside, DVec3::ZERO, aside].into_iter().all(|side| is_free(hand + side))
        && percept.characters.iter().any(is_target)
        && percept.characters.iter().all(|seen| way(seen).length() > NEAR_FOE_M)
}

/// The push that leads to a speed after so many tics, all in units a tic.
fn push_for(wanted: DVec2, velocity: DVec2, tics: u32) -> DVec2 {
    let left = (0..tics).fold(1.0, |left, _| left * FRICTION);
    (wanted - velocity * left) * (1.0 - FRICTION) / (FRICTION * (1.0 - left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_leads_to_the_speed_that_is_wanted() {
        for tics in 1..6 {
            let (wanted, start) = (DVec2::new(3.0, -2.0), DVec2::new(-1.0, 4.0));
            let push = push_for(wanted, start, tics);
            let end = (0..tics).fold(start, |velocity, _| (velocity + push) * FRICTION);
            assert!(end.distance(wanted) < 1e-12, "{tics}: {end}");
        }
    }
}
