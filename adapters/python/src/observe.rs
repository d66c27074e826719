//! What a policy from elsewhere sees and does: a percept as numbers, numbers as a command.
//!
//! Only what the character itself perceives goes in, scaled to about -1 to 1. The names of all numbers are [`names`].

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, PI};

use repertoire::mind::{Bearing, Command, DVec2, DVec3, Fire, Item, Own, Percept, Weapon};

/// How many of the others in view are told of, nearest first.
const OTHERS: usize = 2;

/// How many numbers an observation has.
pub const OBSERVED: usize = 17 + RAYS + 6 * OTHERS + 3 * 5 + 3 + 3;
/// How many numbers an action has.
pub const ACTED: usize = 7;

const RAYS: usize = repertoire::mind::RAYS;

/// How far a full turn of the action turns until the next decision.
const MOST_TURN: f64 = FRAC_PI_2;
const MOST_TILT: f64 = FRAC_PI_8;
/// Scales: metres a second, metres, shots.
const SPEED: f64 = 10.0;
const FAR_M: f64 = 50.0;
const SHOTS: f64 = 50.0;

/// The name of each number of an observation.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |list: &[&str]| names.extend(list.iter().map(|name| (*name).to_owned()));
    add(&["alive", "health", "forward_speed", "left_speed", "up_speed", "pitch", "on_ground"]);
    add(&["holds_weak", "holds_medium", "holds_strong", "has_weak", "has_medium", "has_strong"]);
    add(&["ammo_weak", "ammo_medium", "ammo_strong", "ready"]);
    names.extend((0..RAYS).map(|ray| format!("wall_{}_deg", ray * 360 / RAYS)));
    for other in 0..OTHERS {
        for part in ["seen", "yaw", "pitch", "distance", "forward_speed", "left_speed"] {
            names.push(format!("other_{other}_{part}"));
        }
    }
    for item in Item::ALL {
        names.extend(
            ["seen", "yaw", "distance"].map(|part| format!("{}_{part}", item.name().replace('-', "_"))),
        );
    }
    for what in ["hit_damage", "hit_sin", "hit_cos", "noise_loudness", "noise_sin", "noise_cos"] {
        names.push(what.to_owned());
    }
    names
}

/// The name of each number of an action.
pub const ACTIONS: [&str; ACTED] = ["turn", "tilt", "forward", "lateral", "jump", "fire", "weapon"];

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Writes one number after the other.
struct Pen<'a> {
    to: &'a mut [f32],
    at: usize,
}

impl Pen<'_> {
    fn put(&mut self, value: f64) {
        self.to[self.at] = value as f32;
        self.at += 1;
    }

    fn skip(&mut self, count: usize) {
        self.to[self.at..self.at + count].fill(0.0);
        self.at += count;
    }
}

/// A percept as numbers; nothing but zeros for somebody who is dead.
///
/// # Panics
/// Unless there is room for [`OBSERVED`] numbers.
pub fn observe(percept: Option<&Percept>, to: &mut [f32]) {
    assert_eq!(to.len(), OBSERVED, "room for an observation");
    let Some(percept) = percept else {
        to.fill(0.0);
        return;
    };
    let mut pen = Pen { to, at: 0 };
    own(&percept.own, &mut pen);
    percept.rays_m.iter().for_each(|ray| pen.put((ray / FAR_M).min(1.0)));
    others(percept, &mut pen);
    items(percept, &mut pen);
    let hit = percept.hits.iter().max_by(|a, b| a.damage.total_cmp(&b.damage));
    let damage: f64 = percept.hits.iter().map(|hit| hit.damage).sum();
    direction(hit.map(|hit| ((damage / 100.0).min(1.0), hit.yaw)), &mut pen);
    let noise = percept.noises.iter().max_by(|a, b| a.loudness.total_cmp(&b.loudness));
    direction(noise.map(|noise| (noise.loudness, noise.yaw)), &mut pen);
    debug_assert_eq!(pen.at, OBSERVED);
}

fn own(own: &Own, pen: &mut Pen<'_>) {
    pen.put(1.0);
    pen.put(own.health / 100.0);
    let (forward, left) = turned(own.velocity, own.yaw);
    pen.put(forward / SPEED);
    pen.put(left / SPEED);
    pen.put((own.velocity.z / SPEED).clamp(-2.0, 2.0));
    pen.put(own.pitch / FRAC_PI_2);
    pen.put(flag(own.on_ground));
    Weapon::ALL.iter().for_each(|weapon| pen.put(flag(own.weapon == *weapon)));
    own.weapons.iter().for_each(|has| pen.put(flag(*has)));
    own.ammo.iter().for_each(|shots| pen.put((f64::from(*shots) / SHOTS).min(1.0)));
    pen.put(flag(own.ready));
}

/// A velocity as seen from where somebody looks: forward, and to the left.
fn turned(velocity: DVec3, yaw: f64) -> (f64, f64) {
    let DVec2 { x: cos, y: sin } = DVec2::from_angle(yaw);
    (velocity.x * cos + velocity.y * sin, velocity.y * cos - velocity.x * sin)
}

fn others(percept: &Percept, pen: &mut Pen<'_>) {
    let own = &percept.own;
    let mut seen: Vec<(Bearing, DVec3)> = percept
        .characters
        .iter()
        .map(|other| (own.bearing(other.position + DVec3::new(0.0, 0.0, own.eye_m / 2.0)), other.velocity))
        .collect();
    seen.sort_by(|a, b| a.0.distance_m.total_cmp(&b.0.distance_m));
    for (bearing, velocity) in seen.iter().take(OTHERS) {
        let (forward, left) = turned(*velocity, own.yaw);
        pen.put(1.0);
        pen.put(bearing.yaw / PI);
        pen.put(bearing.pitch / FRAC_PI_2);
        pen.put((bearing.distance_m / FAR_M).min(1.0));
        pen.put(forward / SPEED);
        pen.put(left / SPEED);
    }
    pen.skip(6 * (OTHERS - seen.len().min(OTHERS)));
}

fn items(percept: &Percept, pen: &mut Pen<'_>) {
    for item in Item::ALL {
        let lies = percept.items.iter().filter(|seen| seen.item == item && seen.present);
        let bearings = lies.map(|seen| percept.own.bearing(seen.position));
        match bearings.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m)) {
            None => pen.skip(3),
            Some(bearing) => {
                pen.put(1.0);
                pen.put(bearing.yaw / PI);
                pen.put((bearing.distance_m / FAR_M).min(1.0));
            }
        }
    }
}

fn direction(what: Option<(f64, f64)>, pen: &mut Pen<'_>) {
    let Some((strength, yaw)) = what else { return pen.skip(3) };
    pen.put(strength);
    let DVec2 { x: cos, y: sin } = DVec2::from_angle(yaw);
    pen.put(sin);
    pen.put(cos);
}

/// Numbers from -1 to 1 as a command; what lies beyond is cut off.
pub fn command(action: &[f32]) -> Command {
    let at = |index: usize| f64::from(action[index]).clamp(-1.0, 1.0);
    let weapon = match at(6) {
        low if low < -1.0 / 3.0 => Weapon::Weak,
        middle if middle <= 1.0 / 3.0 => Weapon::Medium,
        _ => Weapon::Strong,
    };
    Command {
        yaw: at(0) * MOST_TURN,
        pitch: at(1) * MOST_TILT,
        forward: at(2),
        lateral: at(3),
        jump: at(4) > 0.5,
        fire: if at(5) > 0.0 { Fire::Primary } else { Fire::None },
        weapon: Some(weapon),
    }
}

/// A command as the numbers that would give it, as nearly as they can; `holds` is the weapon in hand.
pub fn action(command: &Command, holds: Weapon, to: &mut [f32]) {
    let within = |value: f64| value.clamp(-1.0, 1.0) as f32;
    let one = |is: bool| if is { 1.0 } else { -1.0 };
    let command = command.sane();
    let weapon = command.weapon.unwrap_or(holds);
    let numbers = [
        within(command.yaw / MOST_TURN),
        within(command.pitch / MOST_TILT),
        within(command.forward),
        within(command.lateral),
        one(command.jump),
        one(command.fire != Fire::None),
        weapon.index() as f32 - 1.0,
    ];
    to.copy_from_slice(&numbers);
}
