//! Weapons: choosing, firing, hitting, bursting, and what it costs.

use glam::{DVec2, DVec3};
use repertoire_mind::{Event, Fire, Hit, Sound, Weapon, turn_between};
use repertoire_prob::Stream;

use super::state::{Heard, InFlight};
use super::{HEIGHT_M, RADIUS_M, World};
use crate::arena::rules::body::EYE_M;
use crate::arena::rules::{Mode, Projectile};

/// Shots go no farther.
const RANGE_M: f64 = 200.0;
/// Shots leave this far below the eyes.
const HAND_BELOW_EYE_M: f64 = 0.2;
/// Projectiles begin outside the body that fires them.
const MUZZLE_M: f64 = 0.6;

impl World {
    /// Changes weapons and fires, as commanded.
    pub(super) fn handle_weapon(&mut self, id: usize) {
        let now = self.state.step;
        let raise = |weapon: Weapon| self.rules.steps(self.rules.weapons[weapon.index()].raise_secs);
        let character = &mut self.state.characters[id];
        let wanted = character.command.weapon.filter(|weapon| character.weapons[weapon.index()]);
        if let Some(weapon) = wanted
            && weapon != character.weapon
        {
            character.weapon = weapon;
            character.ready_at = now + raise(weapon);
        }
        let (weapon, fire) = (character.weapon, character.command.fire);
        let Some(mode) = self.rules.mode(weapon, fire).copied() else { return };
        if character.ready_at > now || character.ammo[weapon.index()] < mode.ammo {
            return;
        }
        character.ammo[weapon.index()] -= mode.ammo;
        character.ready_at = now + self.rules.steps(mode.wait_secs);
        character.tally.shots += 1;
        let position = character.body.position;
        self.state.noises.push(Heard { sound: Sound::Shot, by: id as u8, position });
        self.events[id].push(Event::Fired { weapon, fire });
        self.shoot(id, weapon, fire, &mode);
    }

    fn shoot(&mut self, id: usize, weapon: Weapon, fire: Fire, mode: &Mode) {
        let mut has_hit = false;
        for _ in 0..mode.pellets {
            let character = &mut self.state.characters[id];
            let way = scattered(character.yaw, character.pitch, mode.spread, &mut character.aim);
            let hand = character.body.position + DVec3::new(0.0, 0.0, EYE_M - HAND_BELOW_EYE_M);
            match mode.projectile {
                None => has_hit |= self.hit_at_once(id, weapon, hand, way, mode.damage),
                Some(projectile) => self.launch(id, weapon, fire, hand, way, &projectile),
            }
        }
        self.state.characters[id].tally.hits += u32::from(has_hit);
    }

    /// Whether an instant shot hurt somebody.
    fn hit_at_once(&mut self, id: usize, weapon: Weapon, hand: DVec3, way: DVec3, damage: f64) -> bool {
        let end = hand + way * RANGE_M;
        let wall = self.scene().cast(hand, end).map_or(1.0, |impact| impact.part);
        let Some((_, victim)) = self.first_body(Some(id), hand, end, wall) else { return false };
        self.hurt(victim, Some(id), Some(weapon), damage, hand);
        true
    }

    fn launch(&mut self, id: usize, weapon: Weapon, fire: Fire, hand: DVec3, way: DVec3, what: &Projectile) {
        let muzzle = hand + way * MUZZLE_M;
        let blocked = self.scene().cast(hand, muzzle).is_some();
        self.state.projectiles.push(InFlight {
            owner: id as u8,
            weapon,
            secondary: fire == Fire::Secondary,
            // With the muzzle in a wall it bursts in the hand.
            position: if blocked { hand } else { muzzle },
            velocity: way * what.m_per_sec,
            counted: false,
        });
    }

    /// The first living body on a way, other than one, before `limit`: how far along, and who.
    fn first_body(&self, but: Option<usize>, from: DVec3, to: DVec3, limit: f64) -> Option<(f64, usize)> {
        let mut first: Option<(f64, usize)> = None;
        for (id, character) in self.state.characters.iter().enumerate() {
            if Some(id) == but || !character.is_alive() {
                continue;
            }
            if let Some(part) = body_on_way(character.body.position, from, to)
                && part <= limit
                && first.is_none_or(|(nearest, _)| part < nearest)
            {
                first = Some((part, id));
            }
        }
        first
    }

    pub(super) fn fly_projectiles(&mut self) {
        let secs = self.rules.step_secs();
        let mut k = 0;
        while k < self.state.projectiles.len() {
            let flying = self.state.projectiles[k];
            let end = flying.position + flying.velocity * secs;
            let wall = self.scene().cast(flying.position, end).map(|impact| impact.part);
            let body =
                self.first_body(Some(usize::from(flying.owner)), flying.position, end, wall.unwrap_or(1.0));
            match (body, wall) {
                (None, None) => {
                    self.state.projectiles[k].position = end;
                    k += 1;
                }
                (body, wall) => {
                    let part = body.map_or(wall.unwrap_or(1.0), |(part, _)| part);
                    // A little short of the wall, so that its burst is on this side.
                    let at = flying.position.lerp(end, (part - 0.02).max(0.0));
                    self.state.projectiles.remove(k);
                    self.burst(flying, at, body.map(|(_, victim)| victim));
                }
            }
        }
    }

    fn burst(&mut self, flying: InFlight, at: DVec3, struck: Option<usize>) {
        let owner = usize::from(flying.owner);
        let fire = if flying.secondary { Fire::Secondary } else { Fire::Primary };
        let Some((mode, what)) =
            self.rules.mode(flying.weapon, fire).copied().and_then(|mode| Some((mode, mode.projectile?)))
        else {
            return;
        };
        self.state.noises.push(Heard { sound: Sound::Impact, by: flying.owner, position: at });
        let mut has_hit = flying.counted;
        if let Some(victim) = struck {
            has_hit = true;
            self.hurt(victim, Some(owner), Some(flying.weapon), mode.damage, at - flying.velocity);
        }
        for id in 0..self.len() {
            if Some(id) == struck || !self.is_alive(id) {
                continue;
            }
            let middle = self.state.characters[id].body.position + DVec3::new(0.0, 0.0, HEIGHT_M / 2.0);
            let gap = (middle.distance(at) - RADIUS_M).max(0.0);
            if gap >= what.splash_m || !self.scene().sees(at, middle) {
                continue;
            }
            let strength = 1.0 - gap / what.splash_m;
            let away = (middle - at).normalize_or(DVec3::Z) * what.throw_m_per_sec * strength;
            let body = &mut self.state.characters[id].body;
            body.velocity += away;
            body.on_ground &= away.z < 1.0;
            has_hit |= id != owner;
            self.hurt(id, Some(owner), Some(flying.weapon), what.splash_damage * strength, at);
        }
        self.state.characters[owner].tally.hits += u32::from(has_hit);
    }

    /// Takes health, and perhaps life. `from` is where it came from.
    pub(super) fn hurt(
        &mut self,
        id: usize,
        by: Option<usize>,
        weapon: Option<Weapon>,
        damage: f64,
        from: DVec3,
    ) {
        let character = &mut self.state.characters[id];
        if !character.is_alive() {
            return;
        }
        let damage = damage.min(character.health);
        character.health -= damage;
        let way = from - character.body.position;
        let yaw = turn_between(character.yaw, libm::atan2(way.y, way.x));
        character.hits.push(Hit { damage, yaw });
        let is_dead = character.health <= 0.0;
        let id_of = |who: usize| who as u8;
        self.events[id].push(Event::Hurt { by: by.map(id_of), damage });
        if let Some(by) = by.filter(|&by| by != id) {
            self.state.characters[by].tally.damage += damage.round() as u32;
            if let Some(weapon) = weapon {
                self.events[by].push(Event::Struck { victim: id as u8, weapon, damage });
            }
        }
        if is_dead {
            self.die(id, by, weapon);
        }
    }

    fn die(&mut self, id: usize, by: Option<usize>, weapon: Option<Weapon>) {
        let character = &mut self.state.characters[id];
        character.back_at = Some(self.state.step + self.rules.steps(self.rules.respawn_secs));
        character.tally.deaths += 1;
        match by {
            Some(killer) if killer != id => {
                self.state.characters[killer].tally.frags += 1;
                self.events[killer].push(Event::Frag { victim: id as u8 });
            }
            _ => {
                character.tally.frags -= 1;
                character.tally.suicides += 1;
            }
        }
        self.events[id].push(Event::Died { by: by.map(|by| by as u8), weapon });
    }
}

/// A direction near the one of a yaw and a pitch.
fn scattered(yaw: f64, pitch: f64, spread: f64, chance: &mut Stream) -> DVec3 {
    let (sideways, upwards) = two_normals(chance);
    let (sin_yaw, cos_yaw) = libm::sincos(yaw + spread * sideways);
    let (sin_pitch, cos_pitch) = libm::sincos(pitch + spread * upwards);
    DVec3::new(cos_yaw * cos_pitch, sin_yaw * cos_pitch, sin_pitch)
}

/// Two independent normal numbers, by Box and Muller.
pub(super) fn two_normals(chance: &mut Stream) -> (f64, f64) {
    let radius = (-2.0 * libm::log(1.0 - chance.unit())).sqrt();
    let (sin, cos) = libm::sincos(std::f64::consts::TAU * chance.unit());
    (radius * cos, radius * sin)
}

/// How far along a way an upright body is met, if it is.
fn body_on_way(feet: DVec3, from: DVec3, to: DVec3) -> Option<f64> {
    let way = to - from;
    let part = circle_on_way(from.truncate() - feet.truncate(), way.truncate())?;
    let height = from.z + way.z * part - feet.z;
    if (0.0..=HEIGHT_M).contains(&height) {
        return Some(part);
    }
    // Over the head or under the feet: it may still come in through the top or the sole.
    let face = feet.z + if height > 0.0 { HEIGHT_M } else { 0.0 };
    let part = (face - from.z) / way.z;
    let off_axis = from.truncate().lerp(to.truncate(), part).distance_squared(feet.truncate());
    ((0.0..=1.0).contains(&part) && off_axis <= RADIUS_M * RADIUS_M).then_some(part)
}

/// How far along a way the circle of a body around the origin is met, if it is: 0 inside of it.
fn circle_on_way(from: DVec2, way: DVec2) -> Option<f64> {
    // |from + t way|^2 = radius^2, as a t^2 + 2 b t + c = 0.
    let a = way.length_squared();
    let b = from.dot(way);
    let c = from.length_squared() - RADIUS_M * RADIUS_M;
    let is_outside = c > 0.0;
    if a == 0.0 {
        return (!is_outside).then_some(0.0);
    }
    if is_outside && b > 0.0 {
        return None;
    }
    let under_root = b * b - a * c;
    if under_root < 0.0 {
        return None;
    }
    let part = (-b - under_root.sqrt()) / a;
    let part = if part <= 0.0 { 0.0 } else { part };
    (part <= 1.0).then_some(part)
}
