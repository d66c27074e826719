//! From commands to keys and mouse: turning, running at a wanted speed, doors, weapons.
//!
//! A command says how fast to run, and the arena's bodies get there at 60 m/s². Doom's bodies are pushed: `v ← (v + a)·f`
//! each tic, with `f = 0.90625` and a push `a` of at most 1.5625 units a tic, which is the same 60 m/s², but they slide on.
//! So the hands push for the speed that is wanted after the next tics, and brake as a player does by pushing back:
//! `a = (v* - fⁿ v) (1 - f) / (f (1 - fⁿ))`.

use glam::{DVec2, DVec3};
use repertoire_mind::blast::Blast;
use repertoire_mind::unstuck::GetAway;
use repertoire_mind::{Command, Fire, Own, Percept, SeenCharacter, Weapon};

use crate::arsenal::Arsenal;
use crate::ground::{Ground, SPEED};
use crate::protocol::{Action, State, Variable};
use crate::senses::Effort;

/// What is left of a body's speed after a tic on the ground.
pub(crate) const FRICTION: f64 = 0.90625;
/// The push of one unit of a movement key, in units a tic.
const PUSH: f64 = 0.03125;
/// The hardest push of the keys: forwards, and sideways.
const MOST_FORWARD: f64 = 50.0;
const MOST_SIDEWAYS: f64 = 40.0;
/// A turn smaller than this does not spoil a shot.
const STEADY: f64 = 0.03;
/// The slot of the weapon whose shots burst and spare nobody.
const ROCKETS: u8 = 5;
/// A burst reaches 4 m; the rest is for what moves until then. No rocket is fired at an enemy nearer than 11 m: by the time it
/// arrives they may be much nearer.
const BLAST: Blast = Blast { foe_m: 11.0, wall_m: 7.0 };
/// From the trigger to the rocket, with some to spare for one that is not ready at once.
const ROCKET_DELAY_TICS: u32 = 12;
const ROCKET_DELAY_SECS: f64 = 8.0 / 35.0;
/// With less health than this a character fires no rockets: their bursts reach far.
const ROCKET_HEALTH: f64 = 75.0;
/// Rockets fly 20 units a tic.
const ROCKET_M_PER_SEC: f64 = 20.0 * SPEED;
const ROCKET_HALF_M: f64 = 0.4;
/// Below this speed, in metres per second, a character that wants to run is held up.
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
    /// Tics until a rocket whose trigger was pulled has left.
    leaving: u32,
    away: GetAway,
}

impl Hands {
    /// Hands that play in a manner.
    pub fn new(manner: Manner) -> Self {
        Hands { manner, ..Hands::default() }
    }

    /// A reflex: Doom's maps have places that the map in a character's head knows no way from.
    pub fn get_away(&mut self, command: &mut Command, percept: &Percept) {
        self.away.keep_moving(command, percept);
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
        let (mut turn, mut tilt) = (command.yaw.clamp(-most, most), command.pitch.clamp(-most, most));
        // Until a rocket has left, the hand does not turn it against a wall that is near.
        if self.leaving > 0 && !is_free_for_rocket(own, turn, tilt, ground) {
            (turn, tilt) = (0.0, 0.0);
        }
        self.leaving = self.leaving.saturating_sub(tics);
        // A mind takes the way relative to where it looks half-way through its turn.
        let ahead = DVec2::from_angle(own.yaw + turn / 2.0);
        let way = ahead * command.forward + ahead.perp() * command.lateral;
        let wish = way.clamp_length_max(1.0) * self.manner.run_m_per_sec;
        let velocity = DVec2::new(state.get(Variable::VELOCITY_X), state.get(Variable::VELOCITY_Y));
        let push = push_for(wish / SPEED, velocity, tics);
        // Who fires turns first; everybody else turns while running, and pushes as the body faces on the way.
        let fires = command.fire != Fire::None
            && (Arsenal::of(state).in_hand != ROCKETS || may_fire_rocket(percept, turn, tilt, ground));
        if fires && Arsenal::of(state).in_hand == ROCKETS {
            self.leaving = ROCKET_DELAY_TICS;
        }
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
        let is_close = |seen: &SeenCharacter| BLAST.is_too_close(seen.position.distance(own.position));
        let too_close =
            slot == ROCKETS && (own.health < ROCKET_HEALTH || percept.characters.iter().any(is_close));
        if too_close {
            slot = arsenal.slot_for(Weapon::Medium);
        }
        if slot != arsenal.in_hand && (command.weapon.is_some() || too_close || !arsenal.is_loaded()) {
            action.buttons[6 + usize::from(slot)] = 1.0;
        }
        (action, Effort { thrust: if own.on_ground { thrust } else { DVec2::ZERO }, tics })
    }

    /// A character held up where the map is open stands before a door, and presses it now and then. Never at a wall: a switch
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
    let ahead = direction(own, turn, tilt);
    let way = |seen: &SeenCharacter| seen.position + DVec3::new(0.0, 0.0, 0.9) - hand(own);
    let is_target = |seen: &SeenCharacter| way(seen).dot(ahead) > 0.94 * way(seen).length();
    own.health >= ROCKET_HEALTH
        && is_free_for_rocket(own, turn, tilt, ground)
        && percept.characters.iter().any(is_target)
        && percept.characters.iter().all(|seen| way(seen).length() > BLAST.foe_m)
}

/// Whether no wall is near in the way of a rocket. A character that runs after its rocket is nearer to it when it bursts.
///
/// It leaves a quarter of a second after the trigger: the body has run on by then.
fn is_free_for_rocket(own: &Own, turn: f64, tilt: f64, ground: &Ground) -> bool {
    let ahead = direction(own, turn, tilt);
    let aside = DVec3::new(-ahead.y, ahead.x, 0.0).normalize_or_zero() * ROCKET_HALF_M;
    let closing = (own.velocity.dot(ahead) / ROCKET_M_PER_SEC).clamp(0.0, 0.8);
    let safe_m = BLAST.wall_m / (1.0 - closing);
    let scene = ground.scene();
    let is_free = |from: DVec3| scene.cast(from, from + ahead * safe_m).is_none();
    let run = own.velocity.with_z(0.0) * ROCKET_DELAY_SECS;
    // Where a wall stops the run, the rocket leaves before it.
    let run = if scene.cast_level(hand(own), hand(own) + run).is_none() { run } else { DVec3::ZERO };
    let sides = [-aside, DVec3::ZERO, aside, run * 0.5, run];
    sides.into_iter().all(|side| is_free(hand(own) + side))
}

/// Where shots leave.
fn hand(own: &Own) -> DVec3 {
    own.eye() - DVec3::new(0.0, 0.0, 0.2)
}

/// Where one looks after a turn.
fn direction(own: &Own, turn: f64, tilt: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(own.pitch + tilt);
    (DVec2::from_angle(own.yaw + turn) * cos).extend(sin)
}

/// The push that leads to a speed after `tics`, all in units per tic.
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

    fn ground() -> Ground {
        let text = repertoire_worlds::arena::map::shipped::shipped("yard").expect("it ships");
        let map = repertoire_worlds::arena::map::file::read(text).expect("it can be read").map;
        Ground::new(map).expect("it can be played")
    }

    /// Somebody with a rocket launcher in the middle of the map, who looks where the wall is farthest.
    fn rocketeer(ground: &Ground) -> (Percept, State) {
        let mut percept = Percept { period_secs: 2.0 / 35.0, ..Percept::default() };
        let places = ground.level().places();
        let farthest = |at: DVec3| {
            let own = Own { position: at, eye_m: 1.28, ..Own::default() };
            crate::senses::rays(ground, &own)[0]
        };
        let best = places.points().iter().copied().max_by(|&a, &b| farthest(a).total_cmp(&farthest(b)));
        percept.own = Own {
            position: best.expect("it has points"),
            eye_m: 1.28,
            health: 99.0,
            weapon: Weapon::Strong,
            on_ground: true,
            ..Own::default()
        };
        percept.rays_m = crate::senses::rays(ground, &percept.own);
        let mut state = State { own: vec![0.0; Variable::NAMES.len()], ..State::default() };
        for (variable, value) in [
            (Variable::SELECTED_WEAPON, 5.0),
            (Variable::WEAPON5, 1.0),
            (Variable::AMMO5, 9.0),
            (Variable::HEALTH, 99.0),
        ] {
            state.own[variable as usize] = value;
        }
        (percept, state)
    }

    fn fires(percept: &Percept, state: &State, ground: &Ground) -> bool {
        let command = Command { fire: Fire::Primary, ..Command::default() };
        let (action, _) = Hands::new(Manner::default()).obey(&command, percept, state, ground);
        action.buttons[4] != 0.0
    }

    #[test]
    fn rockets_are_fired_at_somebody_far_and_at_nothing_near() {
        let ground = ground();
        let (mut percept, mut state) = rocketeer(&ground);
        assert!(percept.rays_m[0] > 20.0, "{:?}", percept.rays_m);
        assert!(!fires(&percept, &state, &ground), "nobody is there");
        let foe = |m: f64, own: &Own| SeenCharacter {
            id: 1,
            position: own.position + DVec3::new(m, 0.0, 0.0),
            velocity: DVec3::ZERO,
            weapon: None,
        };
        percept.characters = vec![foe(15.0, &percept.own)];
        assert!(fires(&percept, &state, &ground));
        percept.characters = vec![foe(6.0, &percept.own)];
        assert!(!fires(&percept, &state, &ground), "too near");
        percept.characters = vec![foe(15.0, &percept.own)];
        percept.own.health = 20.0;
        assert!(!fires(&percept, &state, &ground), "too little health");
        state.own[Variable::SELECTED_WEAPON as usize] = 2.0;
        assert!(fires(&percept, &state, &ground), "a pistol hurts nobody but the enemy");
    }

    #[test]
    fn who_stays_for_two_seconds_goes_where_it_is_open() {
        let ground = ground();
        let (percept, _) = rocketeer(&ground);
        let mut hands = Hands::new(Manner::default());
        let mut moved = Vec::new();
        for tick in 0..60 {
            let mut command = Command::default();
            hands.get_away(&mut command, &percept);
            if command.wants_to_move() {
                moved.push((tick, command.yaw));
            }
        }
        assert!(moved[0].0 >= 34 && moved.iter().any(|&(_, yaw)| yaw != moved[0].1), "{moved:?}");
        let mut busy = percept.clone();
        let mut hands = Hands::new(Manner::default());
        for tick in 0..100 {
            busy.own.position.x += 0.2;
            let mut command = Command::default();
            hands.get_away(&mut command, &busy);
            assert!(!command.wants_to_move(), "who gets on is left alone: {tick}");
        }
    }
}
