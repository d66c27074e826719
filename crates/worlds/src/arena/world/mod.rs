//! A match without its minds: bodies, items and shots, moved by commands.
//!
//! [`World::perceive`] gives each character what it may know; [`World::advance`] takes one command each and runs until
//! the next decision. A world is a function of its map, rules, seed and the commands so far, to the bit.

mod alter;
mod combat;
mod hash;
mod led;
mod senses;
mod state;

use std::sync::Arc;

use glam::{DVec2, DVec3};
use repertoire_mind::{Command, Event, Item, Percept, Sound, Weapon};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

pub use alter::MOST_CHARACTERS;
pub use senses::View;
pub use state::Tally;
use state::{Character, Gear, Heard, Mega, State};

use super::level::Level;
use super::map::Start;
use super::motion::{Body, Wish};
use super::rules::body::{HEIGHT_M, RADIUS_M};
use super::rules::{MEGA_HEALTH, MEGA_LASTS_SECS, MOST_HEALTH, QUAD_SECS, Rules, SMALL_HEALTH};
use super::space::{Scene, Space};

/// How near feet must come to an item to pick it up.
const PICK_UP_M: f64 = 1.0;
/// A body that would come to life this near to another one waits for another start.
const CROWDED_M: f64 = 1.5;

/// A match without its minds.
#[derive(Clone, Debug)]
pub struct World {
    level: Arc<Level>,
    rules: Rules,
    state: State,
    /// The height of each lift's floor now.
    lifts_m: Vec<f64>,
    /// What happened since the last decision, for each character.
    events: Vec<Vec<Event>>,
    /// Where the others are, for the body that moves; reused.
    others: Vec<DVec3>,
}

/// A saved world: its state as text that restores to the bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedWorld {
    map: String,
    items: usize,
    rules: Rules,
    state: State,
}

/// A saved world does not belong to this map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the saved match was played on the map {saved}, not on {given}")]
pub struct OtherMap {
    saved: String,
    given: String,
}

/// A character as a spectator sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Whether it lives.
    pub alive: bool,
    /// Its feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Where it looks.
    pub yaw: f64,
    /// Where it looks, up and down.
    pub pitch: f64,
    /// From 100 down.
    pub health: f64,
    /// The weapon in hand.
    pub weapon: Weapon,
}

impl World {
    /// A match of `count` characters (at most 255) at its start; they come to life in the first step.
    pub fn new(level: Arc<Level>, rules: Rules, characters: u8, seed: u64) -> Self {
        let rules = rules.on(level.space());
        let state = State {
            seed,
            step: 0,
            characters: (0..characters).map(|id| Character::unborn(seed, id, &rules)).collect(),
            taken_until: vec![0; level.map().items.len()],
            projectiles: Vec::new(),
            noises: Vec::new(),
            megas: Vec::new(),
            starts: Stream::new(seed, 0, "arena starts"),
        };
        let mut world = Self::with_state(level, rules, state);
        world.bring_to_life();
        world
    }

    fn with_state(level: Arc<Level>, rules: Rules, state: State) -> Self {
        let mut world = World {
            lifts_m: vec![0.0; level.places().lifts().len()],
            events: vec![Vec::new(); state.characters.len()],
            others: Vec::new(),
            level,
            rules,
            state,
        };
        world.move_lifts();
        world
    }

    /// Everything the future depends on, to be restored later.
    pub fn save(&self) -> SavedWorld {
        let map = self.level.map();
        let (name, items) = (map.name.clone(), map.items.len());
        SavedWorld { map: name, items, rules: self.rules.clone(), state: self.state.clone() }
    }

    /// A world as it was saved, on the same map.
    pub fn restore(level: Arc<Level>, saved: SavedWorld) -> Result<Self, OtherMap> {
        let map = level.map();
        let (items, in_map) = (saved.state.taken_until.len(), map.items.len());
        if saved.map != map.name || items != in_map || saved.items != in_map {
            let told = |name: &str, items: usize| format!("`{name}` ({items} items)");
            return Err(OtherMap { saved: told(&saved.map, items), given: told(&map.name, in_map) });
        }
        Ok(Self::with_state(level, saved.rules, saved.state))
    }

    /// The map.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The random seed it was started with.
    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    /// Projectiles with their velocities, for pictures.
    pub fn in_flight(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.state.projectiles.iter().map(|flying| (flying.position, flying.velocity))
    }

    /// How many characters take part.
    pub fn len(&self) -> usize {
        self.state.characters.len()
    }

    /// Whether nobody takes part.
    pub fn is_empty(&self) -> bool {
        self.state.characters.is_empty()
    }

    /// Decisions so far.
    pub fn tick(&self) -> u32 {
        (self.state.step / u64::from(self.rules.steps_per_decision)) as u32
    }

    /// Seconds since the match began.
    pub fn time_secs(&self) -> f64 {
        self.state.step as f64 * self.rules.step_secs()
    }

    /// A character as a spectator sees it.
    pub fn look(&self, id: usize) -> Look {
        let character = &self.state.characters[id];
        Look {
            alive: character.is_alive(),
            position: character.body.position,
            velocity: character.body.velocity,
            yaw: character.yaw,
            pitch: character.pitch,
            health: character.health,
            weapon: character.weapon,
        }
    }

    /// What a character has done so far.
    pub fn tally(&self, id: usize) -> Tally {
        self.state.characters[id].tally
    }

    /// Counts a decision at which a character was stuck; who drives the minds finds that out.
    pub fn count_stuck(&mut self, id: usize) {
        self.state.characters[id].tally.stuck += 1;
    }

    /// Whether the item of a spot lies there.
    pub fn is_there(&self, spot: usize) -> bool {
        self.state.taken_until[spot] == 0
    }

    /// Where projectiles are.
    pub fn projectiles(&self) -> impl Iterator<Item = DVec3> {
        self.state.projectiles.iter().map(|flying| flying.position)
    }

    /// What happened to a character, and what it did, since the last decision.
    pub fn events(&self, id: usize) -> &[Event] {
        &self.events[id]
    }

    /// The map at this moment.
    pub fn scene(&self) -> Scene<'_> {
        Scene { space: self.level.space(), lifts_m: &self.lifts_m }
    }

    /// Whether a character lives, and so decides.
    pub fn is_alive(&self, id: usize) -> bool {
        self.state.characters[id].is_alive()
    }

    /// What a living character perceives now, into a percept that is reused. Asking twice changes nothing.
    pub fn perceive(&self, id: usize, percept: &mut Percept) {
        senses::perceive(self, id, percept);
    }

    /// Obeys one command a character until the next decision. Commands of the dead are ignored.
    pub fn advance(&mut self, commands: &[Command]) {
        self.state.noises.clear();
        for (character, events) in self.state.characters.iter_mut().zip(&mut self.events) {
            events.clear();
            character.hits.clear();
        }
        for (character, command) in self.state.characters.iter_mut().zip(commands) {
            character.command = command.sane();
            character.tally.decisions += u32::from(character.is_alive());
        }
        for _ in 0..self.rules.steps_per_decision {
            self.step();
        }
    }

    /// One physics step.
    fn step(&mut self) {
        self.state.step += 1;
        self.move_lifts();
        self.bring_to_life();
        for id in 0..self.len() {
            if self.state.characters[id].led.is_some() {
                self.follow(id);
            } else if self.is_alive(id) {
                self.turn(id);
                self.walk(id);
            }
        }
        for id in 0..self.len() {
            if self.is_alive(id) {
                self.pick_up(id);
                self.handle_weapon(id);
            }
        }
        self.fly_projectiles();
        self.drain_megas();
        self.bring_items_back();
    }

    fn move_lifts(&mut self) {
        let now = self.time_secs();
        for (height, lift) in self.lifts_m.iter_mut().zip(self.level.places().lifts()) {
            *height = lift.height_m(now);
        }
    }

    fn bring_to_life(&mut self) {
        for id in 0..self.len() {
            let character = &self.state.characters[id];
            if character.led.is_none() && character.back_at.is_some_and(|at| at <= self.state.step) {
                self.spawn(id);
            }
        }
    }

    /// Puts a character at a start where nobody stands, if there is one; else the most lonely of those drawn.
    fn spawn(&mut self, id: usize) {
        let level = self.level.clone();
        let starts = &level.map().starts;
        let mut best = (f64::NEG_INFINITY, 0);
        for _ in 0..starts.len().min(8) {
            let drawn = (self.state.starts.unit() * starts.len() as f64) as usize;
            let room = self.room_around(&starts[drawn]);
            if room > best.0 {
                best = (room, drawn);
            }
            if room >= CROWDED_M {
                break;
            }
        }
        let start = starts[best.1];
        let position = self.scene().floor_under(start.at, start.height_m);
        let position = position.unwrap_or_else(|| start.at.extend(start.height_m.unwrap_or(0.0)));
        self.state.characters[id].begin_life(position, start.yaw, &self.rules);
        self.events[id].push(Event::Spawned { position });
    }

    fn room_around(&self, start: &Start) -> f64 {
        let alive = self.state.characters.iter().filter(|character| character.is_alive());
        let is_level =
            |at: &DVec3| start.height_m.is_none_or(|height_m| (at.z - height_m).abs() < 2.0 * HEIGHT_M);
        let others = alive.map(|other| other.body.position).filter(is_level);
        others.map(|other| other.truncate().distance(start.at)).fold(f64::INFINITY, f64::min)
    }

    /// As much of a turn as is made in one step.
    fn part_of_turn(&self, turn: f64) -> f64 {
        let most = self.rules.turn_per_sec * self.rules.step_secs();
        let share = 1.0 / f64::from(self.rules.steps_per_decision);
        (turn * share).clamp(-most, most)
    }

    fn turn(&mut self, id: usize) {
        let command = self.state.characters[id].command;
        let [turn, tilt] = [command.yaw, command.pitch].map(|turn| self.part_of_turn(turn));
        let character = &mut self.state.characters[id];
        character.yaw = repertoire_mind::wrap_angle(character.yaw + turn);
        let pitch = character.pitch + tilt;
        character.pitch = pitch.clamp(-STEEPEST, STEEPEST);
    }

    fn walk(&mut self, id: usize) {
        self.others.clear();
        for (other, character) in self.state.characters.iter().enumerate() {
            // Whoever is led cannot be stopped, so nobody is stopped by them.
            if other != id && character.is_alive() && character.led.is_none() {
                self.others.push(character.body.position);
            }
        }
        let turn = self.part_of_turn(self.state.characters[id].command.yaw);
        let scene = Scene { space: self.level.space(), lifts_m: &self.lifts_m };
        let character = &mut self.state.characters[id];
        let command = character.command;
        let (sin, cos) = libm::sincos(character.yaw);
        let wish = DVec2::new(
            command.forward * cos - command.lateral * sin,
            command.forward * sin + command.lateral * cos,
        );
        let wish = wish.clamp_length_max(1.0) * self.rules.run_m_per_sec;
        let exits = &self.level.map().exits;
        let wish = Wish { way: wish, turn, jump: command.jump };
        let moved = character.body.step(scene, &self.rules, exits, wish, &self.others);
        let position = character.body.position;
        if let Some(exit) = moved.exit.and_then(|exit| exits.get(exit)) {
            character.yaw = exit.yaw;
            self.events[id].push(Event::Teleported { position });
            self.crush_at_exit(id, position);
        }
        if let Some(speed) = moved.landed_m_per_sec {
            self.land(id, position, speed);
        }
        self.suffer_floor(id, moved.harm_per_sec);
    }

    /// A character that stands where another comes out of a teleporter dies.
    fn crush_at_exit(&mut self, id: usize, position: DVec3) {
        for other in 0..self.len() {
            let body = &self.state.characters[other].body;
            let overlaps = body.position.truncate().distance(position.truncate()) < 2.0 * RADIUS_M
                && (body.position.z - position.z).abs() < HEIGHT_M;
            if other != id && self.is_alive(other) && overlaps {
                self.hurt(other, Some(id), None, f64::INFINITY, position);
            }
        }
    }

    fn land(&mut self, id: usize, position: DVec3, speed: f64) {
        if speed > self.rules.heard_fall_m_per_sec {
            self.state.noises.push(Heard { sound: Sound::Fall, by: id as u8, position });
        }
        let too_fast = speed - self.rules.safe_fall_m_per_sec;
        if too_fast > 0.0 {
            self.hurt(id, None, None, too_fast * self.rules.fall_damage, position);
        }
    }

    /// Harmful areas hurt who stands on them, liquids also who swims in them.
    fn suffer_floor(&mut self, id: usize, liquid_per_sec: f64) {
        let body = self.state.characters[id].body;
        let area = match self.level.space() {
            space @ Space::Sectors(_) if body.on_ground => space.area_at(body.position.truncate()),
            _ => None,
        };
        let harm = area.map_or(liquid_per_sec, |area| self.level.map().areas[area].harm_per_sec);
        if harm > 0.0 && self.is_alive(id) {
            self.hurt(id, None, None, harm * self.rules.step_secs(), body.position);
        }
    }

    fn pick_up(&mut self, id: usize) {
        let feet = self.state.characters[id].body.position;
        for spot in 0..self.state.taken_until.len() {
            let (item, position) = self.level.item(spot);
            let reached = (feet.z - position.z).abs() < HEIGHT_M
                && feet.truncate().distance_squared(position.truncate()) < PICK_UP_M * PICK_UP_M;
            if reached
                && self.state.taken_until[spot] == 0
                && self.state.characters[id].take(item, &self.rules, self.state.step)
            {
                self.state.taken_until[spot] = self.state.step + self.rules.steps(self.rules.back_secs(item));
                self.note_mega(id, spot, item);
                self.state.characters[id].tally.items += 1;
                self.state.noises.push(Heard { sound: Sound::PickUp, by: id as u8, position });
                self.events[id].push(Event::PickedUp { spot: spot as u16, item });
            }
        }
    }

    /// Remembers a megahealth that was taken: it comes back only after what it gave has gone.
    fn note_mega(&mut self, id: usize, spot: usize, item: Item) {
        if item == Item::MegaHealth && self.rules.has_weapons_of_quake() {
            let life = self.state.characters[id].life;
            let goes_at = self.state.step + self.rules.steps(MEGA_LASTS_SECS);
            self.state.taken_until[spot] = u64::MAX;
            self.state.megas.push(Mega { spot: spot as u16, owner: id as u8, life, goes_at });
        }
    }

    /// What megahealth gave above the usual goes, a point a second.
    fn drain_megas(&mut self) {
        let (now, second) = (self.state.step, self.rules.steps(1.0));
        let back_at = now + self.rules.steps(self.rules.health_back_secs);
        let State { megas, characters, taken_until, .. } = &mut self.state;
        megas.retain_mut(|mega| {
            if mega.goes_at > now {
                return true;
            }
            let owner = &mut characters[usize::from(mega.owner)];
            let lasts = owner.is_alive() && owner.life == mega.life && owner.health > self.rules.health;
            if lasts {
                owner.health = (owner.health - 1.0).max(self.rules.health);
                mega.goes_at = now + second;
            } else {
                taken_until[usize::from(mega.spot)] = back_at;
            }
            lasts
        });
    }

    fn bring_items_back(&mut self) {
        let now = self.state.step;
        for until in &mut self.state.taken_until {
            if *until <= now {
                *until = 0;
            }
        }
    }
}

/// Nobody looks straight up or down: there yaw would mean nothing.
const STEEPEST: f64 = 1.5;

impl Character {
    fn unborn(seed: u64, id: u8, rules: &Rules) -> Self {
        let mut character = Character {
            body: Body::default(),
            yaw: 0.0,
            pitch: 0.0,
            health: rules.health,
            life: 0,
            back_at: Some(0),
            weapon: Weapon::Weak,
            weapons: Vec::new(),
            ammo: Vec::new(),
            gear: Gear::default(),
            ready_at: 0,
            command: Command::default(),
            led: None,
            hits: Vec::new(),
            tally: Tally::default(),
            aim: Stream::new(seed, u64::from(id), "arena aim"),
        };
        character.arm(rules);
        character
    }

    /// Gives it what a life begins with: the weak weapon, or an axe and a shotgun with some shells.
    fn arm(&mut self, rules: &Rules) {
        self.weapons.clear();
        self.weapons.resize(rules.weapons.len(), false);
        self.ammo.clear();
        self.ammo.resize(rules.ammo_kinds(), 0);
        self.gear = Gear::default();
        self.weapons[0] = true;
        self.weapon = rules.weapon(0);
        if rules.has_weapons_of_quake() {
            let slot = Weapon::Shotgun.slot();
            self.weapon = Weapon::Shotgun;
            self.weapons[slot] = true;
            self.ammo[rules.ammo_slot(slot)] = rules.weapons[slot].ammo_in_weapon;
        }
    }

    fn begin_life(&mut self, position: DVec3, yaw: f64, rules: &Rules) {
        self.body = Body::at(position);
        (self.yaw, self.pitch) = (repertoire_mind::wrap_angle(yaw), 0.0);
        self.health = rules.health;
        self.life += 1;
        self.back_at = None;
        self.arm(rules);
        self.ready_at = 0;
        self.command = Command::default();
        self.hits.clear();
    }

    /// Takes an item if it is of use. Whether it did.
    fn take(&mut self, item: Item, rules: &Rules, now: u64) -> bool {
        let item = match item {
            Item::Quad if !rules.has_weapons_of_quake() => return false,
            item if rules.has_weapons_of_quake() => item,
            item => item.simple(),
        };
        match item {
            Item::Health => self.heal(rules.health_in_item, rules.health),
            Item::SmallHealth => self.heal(SMALL_HEALTH, rules.health),
            Item::MegaHealth => self.heal(MEGA_HEALTH, MOST_HEALTH),
            Item::Weapon(weapon) => {
                let slot = rules.slot(weapon);
                let is_new = !self.weapons[slot];
                self.weapons[slot] = true;
                self.load(slot, rules.weapons[slot].ammo_in_weapon, rules) || is_new
            }
            Item::Ammo(weapon) => {
                let slot = rules.slot(weapon);
                self.load(slot, rules.weapons[slot].ammo_in_box, rules)
            }
            Item::LargeAmmo(weapon) => {
                let slot = rules.slot(weapon);
                self.load(slot, 2 * rules.weapons[slot].ammo_in_box, rules)
            }
            Item::Armour(armour) => {
                let is_better = armour.points() * armour.takes() > self.gear.armour * self.gear.takes;
                if is_better {
                    (self.gear.armour, self.gear.takes) = (armour.points(), armour.takes());
                }
                is_better
            }
            Item::Quad => {
                self.gear.quad_until = now + rules.steps(QUAD_SECS);
                true
            }
        }
    }

    fn heal(&mut self, more: f64, limit: f64) -> bool {
        let before = self.health;
        self.health = (before + more).min(limit).max(before);
        self.health > before
    }

    fn load(&mut self, slot: usize, more: u32, rules: &Rules) -> bool {
        let ammo = &mut self.ammo[rules.ammo_slot(slot)];
        let before = *ammo;
        *ammo = (before + more).min(rules.weapons[slot].ammo_limit);
        *ammo > before
    }
}
