//! Weapons: choosing, firing, hitting, bursting, and what it costs.

use glam::{DVec2, DVec3};
use repertoire_mind::{Event, Fire, Hit, Sound, Weapon, turn_between};
use repertoire_prob::Stream;

use super::state::{Heard, InFlight};
use super::{HEIGHT_M, RADIUS_M, World};
use crate::arena::rules::body::EYE_M;
use crate::arena::rules::{Mode, Projectile, QUAD_TIMES};

/// Shots go no farther.
const RANGE_M: f64 = 200.0;
/// Shots leave this far below the eyes.
const HAND_BELOW_EYE_M: f64 = 0.2;
/// A strength that is asked for means the weapon that is best at this distance.
const ASKED_M: f64 = 10.0;
/// What lies on something this level, and rises slower than this, stays there.
const FLOOR: f64 = 0.7;
const RESTS_M_PER_SEC: f64 = 60.0 / 32.0;
/// Projectiles begin outside the body that fires them.
const MUZZLE_M: f64 = 0.6;

impl World {
    /// Changes weapons and fires, as commanded.
    pub(super) fn handle_weapon(&mut self, id: usize) {
        let now = self.state.step;
        if let Some(weapon) = self.wanted_weapon(id) {
            self.take_in_hand(id, weapon);
        }
        let character = &mut self.state.characters[id];
        let (weapon, fire) = (character.weapon, character.command.fire);
        let slot = self.rules.slot(weapon);
        let Some(mode) = self.rules.weapons[slot].mode(fire).copied() else { return };
        let ammo = &mut character.ammo[self.rules.ammo_slot(slot)];
        if character.ready_at > now {
            return;
        }
        if *ammo < mode.ammo {
            self.lay_aside(id);
            return;
        }
        *ammo -= mode.ammo;
        character.ready_at = now + self.rules.steps(mode.wait_secs);
        character.tally.shots += 1;
        let position = character.body.position;
        self.state.noises.push(Heard { sound: Sound::Shot, by: id as u8, position });
        self.events[id].push(Event::Fired { weapon, fire });
        self.shoot(id, weapon, fire, &mode);
    }

    /// The weapon that a command asks for, if it is another one and owned. Where a strength is asked for in a game with Quake's
    /// weapons, it is the best loaded one of that strength.
    fn wanted_weapon(&self, id: usize) -> Option<Weapon> {
        let (rules, character) = (&self.rules, &self.state.characters[id]);
        let asked = character.command.weapon?;
        let is_loaded = |slot: usize| {
            character.weapons[slot]
                && character.ammo[rules.ammo_slot(slot)] >= rules.weapons[slot].modes[0].ammo
        };
        let wanted = if rules.has_weapons_of_quake() && !asked.is_of_quake() {
            let strong_as = |slot: &usize| Weapon::QUAKE[*slot].strength() == asked;
            let worth = |slot: usize| rules.weapons[slot].health_per_sec(ASKED_M);
            let loaded = (0..rules.weapons.len()).filter(strong_as).filter(|&slot| is_loaded(slot));
            let best = loaded.max_by(|&a, &b| worth(a).total_cmp(&worth(b)))?;
            if character.weapon.strength() == asked && is_loaded(rules.slot(character.weapon)) {
                return None;
            }
            Weapon::QUAKE[best]
        } else {
            rules.weapon(rules.slot(asked))
        };
        (wanted != character.weapon && character.weapons[rules.slot(wanted)]).then_some(wanted)
    }

    fn take_in_hand(&mut self, id: usize, weapon: Weapon) {
        let raise_secs = self.rules.weapons[self.rules.slot(weapon)].raise_secs;
        let character = &mut self.state.characters[id];
        character.weapon = weapon;
        if raise_secs > 0.0 {
            character.ready_at = self.state.step + self.rules.steps(raise_secs);
        }
    }

    /// Of Quake's weapons one that is empty is laid aside for the best that is not; never for one that bursts.
    fn lay_aside(&mut self, id: usize) {
        const BEST_FIRST: [Weapon; 6] = [
            Weapon::LightningGun,
            Weapon::SuperNailgun,
            Weapon::SuperShotgun,
            Weapon::Nailgun,
            Weapon::Shotgun,
            Weapon::Axe,
        ];
        if !self.rules.has_weapons_of_quake() {
            return;
        }
        let (rules, character) = (&self.rules, &self.state.characters[id]);
        let is_loaded = |weapon: &Weapon| {
            let slot = weapon.slot();
            character.weapons[slot]
                && character.ammo[rules.ammo_slot(slot)] >= rules.weapons[slot].modes[0].ammo
        };
        if let Some(weapon) = BEST_FIRST.into_iter().find(is_loaded) {
            self.take_in_hand(id, weapon);
        }
    }

    /// What somebody's damage is multiplied by.
    fn times(&self, owner: usize) -> f64 {
        if self.state.characters[owner].gear.quad_until > self.state.step { QUAD_TIMES } else { 1.0 }
    }

    fn shoot(&mut self, id: usize, weapon: Weapon, fire: Fire, mode: &Mode) {
        let mut has_hit = false;
        for _ in 0..mode.pellets {
            let character = &mut self.state.characters[id];
            let way = match mode.even_spread {
                None => scattered(character.yaw, character.pitch, mode.spread, &mut character.aim),
                Some(spread) => evenly_scattered(character.yaw, character.pitch, spread, &mut character.aim),
            };
            let hand = character.body.position + DVec3::new(0.0, 0.0, EYE_M - HAND_BELOW_EYE_M);
            match mode.projectile {
                None => has_hit |= self.hit_at_once(id, weapon, hand, way, mode),
                Some(projectile) => self.launch(id, weapon, fire, hand, way, &projectile),
            }
        }
        self.state.characters[id].tally.hits += u32::from(has_hit);
    }

    /// Whether an instant shot hurt somebody.
    fn hit_at_once(&mut self, id: usize, weapon: Weapon, hand: DVec3, way: DVec3, mode: &Mode) -> bool {
        let end = hand + way * mode.range_m.unwrap_or(RANGE_M);
        let wall = self.scene().cast(hand, end).map_or(1.0, |impact| impact.part);
        let Some((_, victim)) = self.first_body(Some(id), hand, end, wall) else { return false };
        let damage = mode.damage * self.times(id);
        let from = middle(self.state.characters[id].body.position);
        self.throw(victim, from, damage, mode.throw_per_damage);
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
            velocity: way * what.m_per_sec + self.thrown_up(id, what),
            counted: false,
            bursts_at: what.lobbed.map(|lobbed| self.state.step + self.rules.steps(lobbed.fuse_secs)),
        });
    }

    /// The part of the first velocity that is across the view, upwards.
    fn thrown_up(&self, id: usize, what: &Projectile) -> DVec3 {
        let Some(lobbed) = what.lobbed else { return DVec3::ZERO };
        let character = &self.state.characters[id];
        let (sin_yaw, cos_yaw) = libm::sincos(character.yaw);
        let (sin, cos) = libm::sincos(character.pitch);
        DVec3::new(-cos_yaw * sin, -sin_yaw * sin, cos) * lobbed.up_m_per_sec
    }

    /// Throws a body away from a point, with a share of a speed.
    fn throw(&mut self, id: usize, from: DVec3, m_per_sec: f64, share: f64) {
        if m_per_sec > 0.0 {
            let body = &mut self.state.characters[id].body;
            let away = (middle(body.position) - from).normalize_or(DVec3::Z) * m_per_sec * share;
            body.velocity += away;
            body.on_ground &= away.z < 1.0;
        }
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
            if self.state.projectiles[k].bursts_at.is_some() && !self.fly_lobbed(k) {
                let flying = self.state.projectiles.remove(k);
                self.burst(flying, flying.position, None);
                continue;
            }
            if self.state.projectiles[k].bursts_at.is_some() {
                k += 1;
                continue;
            }
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

    /// Moves something that falls and bounces; false when it bursts: its time is up, or it has met a body.
    fn fly_lobbed(&mut self, k: usize) -> bool {
        let secs = self.rules.step_secs();
        let mut flying = self.state.projectiles[k];
        let fire = if flying.secondary { Fire::Secondary } else { Fire::Primary };
        let what = self.rules.mode(flying.weapon, fire).and_then(|mode| mode.projectile);
        let Some(lobbed) = what.and_then(|what| what.lobbed) else { return false };
        if flying.bursts_at.is_none_or(|at| at <= self.state.step) {
            return false;
        }
        if flying.velocity != DVec3::ZERO {
            flying.velocity.z -= self.rules.gravity_m_per_sec2 * secs;
        }
        let end = flying.position + flying.velocity * secs;
        let wall = self.scene().bounce(flying.position, end);
        let limit = wall.map_or(1.0, |(part, _)| part);
        if let Some((part, _)) = self.first_body(Some(usize::from(flying.owner)), flying.position, end, limit)
        {
            self.state.projectiles[k].position = flying.position.lerp(end, (part - 0.02).max(0.0));
            return false;
        }
        match wall {
            None => flying.position = end,
            Some((part, normal)) => {
                flying.position = flying.position.lerp(end, (part - 0.02).max(0.0)) + normal * 0.01;
                flying.velocity -= (1.0 + lobbed.bounce) * flying.velocity.dot(normal) * normal;
                if normal.z > FLOOR && flying.velocity.z < RESTS_M_PER_SEC {
                    flying.velocity = DVec3::ZERO;
                }
            }
        }
        self.state.projectiles[k] = flying;
        true
    }

    fn burst(&mut self, flying: InFlight, at: DVec3, struck: Option<usize>) {
        let owner = usize::from(flying.owner);
        let fire = if flying.secondary { Fire::Secondary } else { Fire::Primary };
        let Some((mode, what)) =
            self.rules.mode(flying.weapon, fire).copied().and_then(|mode| Some((mode, mode.projectile?)))
        else {
            return;
        };
        let bursts = what.splash_m > 0.0;
        if bursts {
            self.state.noises.push(Heard { sound: Sound::Impact, by: flying.owner, position: at });
        }
        let times = self.times(owner);
        let mut has_hit = flying.counted;
        if let Some(victim) = struck {
            has_hit = true;
            let damage = times * mode.damage;
            self.throw(victim, at, damage, mode.throw_per_damage);
            self.hurt(victim, Some(owner), Some(flying.weapon), damage, at - flying.velocity);
        }
        for id in 0..self.len() {
            if !bursts || Some(id) == struck || !self.is_alive(id) {
                continue;
            }
            let middle = middle(self.state.characters[id].body.position);
            let far = middle.distance(at);
            // How far is counted from a body's middle where a burst loses by the metre, else from its skin.
            let gap = if what.less_per_m.is_some() { far } else { (far - RADIUS_M).max(0.0) };
            if gap >= what.splash_m || !self.scene().sees(at, middle) {
                continue;
            }
            let strength = 1.0 - gap / what.splash_m;
            let (damage, throw) = match what.less_per_m {
                None => (what.splash_damage * strength, (what.throw_m_per_sec, strength)),
                Some(less) => {
                    let own = if id == owner { what.own_share } else { 1.0 };
                    let damage = times * own * (what.splash_damage - less * gap).max(0.0);
                    (damage, (damage, mode.throw_per_damage))
                }
            };
            self.throw(id, at, throw.0, throw.1);
            has_hit |= id != owner;
            self.hurt(id, Some(owner), Some(flying.weapon), damage, at);
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
        let taken = character.gear.take(damage);
        let damage = (damage - taken).min(character.health);
        character.health -= damage;
        let way = from - character.body.position;
        let yaw = turn_between(character.yaw, libm::atan2(way.y, way.x));
        character.hits.push(Hit { damage: damage + taken, yaw });
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

/// A direction evenly spread about the one of a yaw and a pitch, as far as so much to either side and up or down.
fn evenly_scattered(yaw: f64, pitch: f64, [aside, up]: [f64; 2], chance: &mut Stream) -> DVec3 {
    let mut off = |most: f64| (2.0 * chance.unit() - 1.0) * most;
    let (aside, up) = (off(aside), off(up));
    let (sin_yaw, cos_yaw) = libm::sincos(yaw);
    let (sin, cos) = libm::sincos(pitch);
    let ahead = DVec3::new(cos_yaw * cos, sin_yaw * cos, sin);
    let left = DVec3::new(-sin_yaw, cos_yaw, 0.0);
    let above = DVec3::new(-cos_yaw * sin, -sin_yaw * sin, cos);
    (ahead + left * aside + above * up).normalize()
}

/// The middle of a body.
fn middle(feet: DVec3) -> DVec3 {
    feet + DVec3::new(0.0, 0.0, HEIGHT_M / 2.0)
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
