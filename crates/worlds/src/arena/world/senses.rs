//! Perception like a player's, and no more.
//!
//! What is in the field of view and not hidden is seen; noises come with a direction that is the less exact the
//! fainter they are; hits tell where they came from. A percept is filled here and nowhere else.

use glam::DVec3;
use repertoire_mind::{Noise, Own, Pack, Percept, RAYS, SeenCharacter, SeenItem, Sound, turn_between};

use repertoire_prob::Stream;

use super::state::Character;
use super::{HEIGHT_M, World, combat};
use crate::arena::rules::Rules;
use crate::arena::rules::body::EYE_M;
use crate::arena::space::Scene;

/// Items are looked for at this height above the floor.
const ITEM_HEIGHT_M: f64 = 0.4;

/// The field of view of one character: what of a scene somebody sees who looks from a point in a direction.
#[derive(Clone, Copy, Debug)]
pub struct View {
    eye: DVec3,
    /// Where it looks, and across that to the left, on the ground.
    ahead: (f64, f64),
    pitch: f64,
    half_width_tan: f64,
    half_height: f64,
}

impl View {
    fn of(character: &Character, rules: &Rules) -> Self {
        let eye = character.body.position + DVec3::new(0.0, 0.0, EYE_M);
        View::new(eye, character.yaw, character.pitch, rules)
    }

    /// The view of eyes at a point that look along a yaw and a pitch, as wide and high as the rules say.
    pub fn new(eye: DVec3, yaw: f64, pitch: f64, rules: &Rules) -> Self {
        let (sin, cos) = libm::sincos(yaw);
        View {
            eye,
            ahead: (cos, sin),
            pitch,
            half_width_tan: libm::tan((rules.view_width_deg / 2.0).to_radians()),
            half_height: (rules.view_height_deg / 2.0).to_radians(),
        }
    }

    fn holds(&self, target: DVec3) -> bool {
        let line = target - self.eye;
        let (cos, sin) = self.ahead;
        let forward = line.x * cos + line.y * sin;
        let left = line.y * cos - line.x * sin;
        if forward <= 0.0 || left.abs() > forward * self.half_width_tan {
            return false;
        }
        let pitch = libm::atan2(line.z, line.truncate().length());
        (pitch - self.pitch).abs() <= self.half_height
    }

    /// Whether a point is in view and nothing hides it.
    pub fn sees(&self, scene: Scene<'_>, target: DVec3) -> bool {
        self.holds(target) && scene.sees(self.eye, target)
    }

    /// Whether somebody whose feet are at a point is seen: their eyes or their middle.
    pub fn sees_body(&self, scene: Scene<'_>, feet: DVec3) -> bool {
        let parts = [EYE_M, HEIGHT_M / 2.0].map(|height| feet + DVec3::new(0.0, 0.0, height));
        parts.iter().any(|&part| self.sees(scene, part))
    }

    /// Whether an item is seen.
    pub fn sees_item(&self, scene: Scene<'_>, position: DVec3) -> bool {
        self.sees(scene, position + DVec3::new(0.0, 0.0, ITEM_HEIGHT_M))
    }

    /// How far walls are at the height of the eyes, up to a limit.
    pub fn walls_m(&self, scene: Scene<'_>, limit_m: f64) -> [f64; RAYS] {
        let (cos, sin) = self.ahead;
        TURNS.map(|(sin_k, cos_k)| {
            let way = DVec3::new(cos * cos_k - sin * sin_k, sin * cos_k + cos * sin_k, 0.0);
            let impact = scene.cast_level(self.eye, self.eye + way * limit_m);
            limit_m * impact.unwrap_or(1.0)
        })
    }
}

/// Fills a percept with what a living character perceives.
pub(super) fn perceive(world: &World, id: usize, percept: &mut Percept) {
    let view = View::of(&world.state.characters[id], &world.rules);
    percept.tick = world.tick();
    percept.period_secs = world.rules.period_secs();
    let character = &world.state.characters[id];
    percept.own = own(world, character);
    percept.hits.clear();
    percept.hits.extend_from_slice(&character.hits);
    see_characters(world, id, &view, percept);
    see_items(world, &view, percept);
    percept.rays_m = view.walls_m(world.scene(), world.rules.ray_limit_m);
    hear(world, id, percept);
}

fn own(world: &World, character: &Character) -> Own {
    let rules = &world.rules;
    let mode = rules.mode(character.weapon, repertoire_mind::Fire::Primary);
    let has_ammo =
        mode.is_some_and(|mode| character.ammo[rules.ammo_slot(rules.slot(character.weapon))] >= mode.ammo);
    let pack = pack(world, character);
    let (weapons, ammo) = by_strength(rules, character, &pack);
    Own {
        life: character.life,
        position: character.body.position,
        velocity: character.body.velocity,
        eye_m: EYE_M,
        yaw: character.yaw,
        pitch: character.pitch,
        on_ground: character.body.on_ground,
        health: character.health,
        weapon: character.weapon,
        weapons,
        ammo,
        ready: has_ammo && character.ready_at <= world.state.step,
        frags: character.tally.frags,
        pack,
    }
}

/// What it carries of Quake's things; nothing in the arena.
fn pack(world: &World, character: &Character) -> Pack {
    if !world.rules.has_weapons_of_quake() {
        return Pack::default();
    }
    let left = character.gear.quad_until.saturating_sub(world.state.step);
    let bit = |(slot, &owned): (usize, &bool)| u32::from(owned) << slot;
    Pack {
        owned: character.weapons.iter().enumerate().map(bit).sum(),
        ammo: std::array::from_fn(|kind| character.ammo[kind]),
        armour: character.gear.armour.ceil() as u32,
        quad_secs: left.div_ceil(u64::from(world.rules.steps_per_sec)) as u32,
    }
}

/// Which strengths it owns, and the most shots that are left in a weapon of each.
fn by_strength(rules: &Rules, character: &Character, pack: &Pack) -> ([bool; 3], [u32; 3]) {
    if pack.is_empty() {
        return (
            std::array::from_fn(|slot| character.weapons[slot]),
            std::array::from_fn(|slot| character.ammo[slot]),
        );
    }
    let (mut weapons, mut ammo) = ([false; 3], [0; 3]);
    for row in rules.weapons.iter().filter(|row| pack.owns(row.weapon)) {
        let strength = row.weapon.index();
        weapons[strength] = true;
        ammo[strength] = row.shots(pack).max(ammo[strength]);
    }
    (weapons, ammo)
}

fn see_characters(world: &World, id: usize, view: &View, percept: &mut Percept) {
    percept.characters.clear();
    let scene = world.scene();
    for (other, character) in world.state.characters.iter().enumerate() {
        let feet = character.body.position;
        if other != id && character.is_alive() && view.sees_body(scene, feet) {
            percept.characters.push(SeenCharacter {
                id: other as u8,
                position: feet,
                velocity: character.body.velocity,
                weapon: Some(character.weapon),
            });
        }
    }
}

fn see_items(world: &World, view: &View, percept: &mut Percept) {
    percept.items.clear();
    let scene = world.scene();
    for spot in 0..world.state.taken_until.len() {
        let (item, position) = world.level.item(spot);
        if view.sees_item(scene, position) {
            let present = world.is_there(spot);
            percept.items.push(SeenItem { spot: spot as u16, item, position, present });
        }
    }
}

/// Sine and cosine of each ray's turn.
const TURNS: [(f64, f64); RAYS] = {
    const H: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [(0.0, 1.0), (H, H), (1.0, 0.0), (H, -H), (0.0, -1.0), (-H, -H), (-1.0, 0.0), (-H, H)]
};

fn hear(world: &World, id: usize, percept: &mut Percept) {
    percept.noises.clear();
    let (rules, state) = (&world.rules, &world.state);
    let character = &state.characters[id];
    // The error belongs to this ear at this moment, so that perceiving does not change the world.
    let mut ear = Stream::new(state.seed ^ state.step.rotate_left(32), id as u64, "arena ear");
    for noise in &state.noises {
        if usize::from(noise.by) == id && noise.sound != Sound::Impact {
            continue;
        }
        let way = noise.position - character.body.position;
        let heard_m = rules.heard_m[noise.sound as usize];
        let loudness = 1.0 - way.length() / heard_m;
        if loudness <= 0.0 {
            continue;
        }
        let (error, _) = combat::two_normals(&mut ear);
        let yaw = libm::atan2(way.y, way.x) + error * rules.hearing_error * (1.0 - loudness);
        percept.noises.push(Noise { sound: noise.sound, yaw: turn_between(character.yaw, yaw), loudness });
    }
}
