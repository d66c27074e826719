//! From the engine's states to the percepts that minds know from the arena.
//!
//! | percept      | from                                                                                        |
//! |--------------|---------------------------------------------------------------------------------------------|
//! | own          | the engine's numbers about the player                                                       |
//! | characters   | players in the picture; their weapon is not told                                            |
//! | items        | items in the picture, at the spots of the map; a spot in plain view without its item is empty |
//! | noises       | projectiles and bullet holes that are new, as far as the arena's ears reach and as wrongly   |
//! | hits         | damage taken; from where, by the push that came with it                                     |
//! | rays         | the map's shape, with doors open                                                            |
//!
//! The engine also has a buffer of sound, but reading it needs another library, and directions would have to be told from two
//! channels. So shots are heard as in the arena: with a direction that is off by some error.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, DVec3};
use repertoire_mind::{
    Hit, Item, Noise, Own, Pack, Percept, RAYS, SeenCharacter, SeenItem, Sound, Weapon, turn_between,
    wrap_angle,
};
use repertoire_prob::Stream;

use crate::arsenal::{Arsenal, item_of};
use crate::ground::{Ground, SPEED, TICS_PER_SEC, metres};
use crate::hands::FRICTION;
use crate::protocol::{State, Variable};

/// Distances to walls beyond this are told as this, as in the arena.
const RAY_LIMIT_M: f64 = 40.0;
/// How far shots are heard, as in the arena.
const HEARD_M: f64 = 45.0;
/// How wrong the direction of a faint noise is, as in the arena.
const HEARING_ERROR: f64 = 0.5;
/// An item this near to a spot lies there.
const SAME_SPOT_M: f64 = 0.8;
/// Farther off a missing item may just be too small to be drawn.
const PLAIN_VIEW_M: f64 = 18.0;
/// Half the width of the picture, as a tangent: 90 degrees, a little less so that what is cut off does not count.
const PLAIN_VIEW_TAN: f64 = 0.9;
/// What is above or below the picture is not in plain view.
const PLAIN_VIEW_PITCH: f64 = 0.5;
/// The most that a mind is told of; 100 would be all there is in the arena.
pub(crate) const MOST_HEALTH: f64 = 99.0;
/// A push weaker than this, in metres a second, tells no direction.
const FELT_PUSH: f64 = 0.6;

/// What a player's body did last, as far as it matters for what is felt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The thrust of the legs in the world, in units a tic.
    pub thrust: DVec2,
    /// How many tics it lasts.
    pub tics: u32,
}

/// Makes percepts of states.
#[derive(Debug)]
pub struct Senses {
    ground: Ground,
    period_secs: f64,
    seed: u64,
    /// Decisions so far.
    tick: u32,
    life: u32,
    was_dead: bool,
    damage_taken: f64,
    velocity: DVec2,
    /// The number in the match of each player's body.
    bodies: BTreeMap<i64, u8>,
    /// The bodies that are dead.
    dead: BTreeSet<i64>,
    others: u8,
    /// What made a noise before.
    heard: BTreeSet<i64>,
    /// The kind of weapon that the mind asked for last.
    asked: Option<Weapon>,
}

impl Senses {
    /// The senses of a player who meets `others` other players on a map.
    pub fn new(ground: Ground, others: usize, period_secs: f64, seed: u64) -> Self {
        Senses {
            ground,
            period_secs,
            seed,
            tick: 0,
            life: 1,
            was_dead: false,
            damage_taken: 0.0,
            velocity: DVec2::ZERO,
            bodies: BTreeMap::new(),
            dead: BTreeSet::new(),
            others: others.clamp(1, 254) as u8,
            heard: BTreeSet::new(),
            asked: None,
        }
    }

    /// The map.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Which life this is.
    pub fn life(&self) -> u32 {
        self.life
    }

    /// Another decision has been made, which may have asked for a weapon.
    pub fn decided(&mut self, asked: Option<Weapon>) {
        self.asked = asked.or(self.asked);
    }

    /// What a living player perceives; of a dead one only what must be remembered. Called once for each state.
    pub fn perceive(&mut self, state: &State, effort: Effort, percept: &mut Percept) {
        let dead = state.is_dead();
        if self.was_dead && !dead {
            self.life += 1;
            self.asked = None;
            self.damage_taken = state.get(Variable::DAMAGE_TAKEN);
        }
        let now = self.tick;
        self.tick += 1;
        let alive_again = self.was_dead && !dead;
        self.was_dead = dead;
        self.know_bodies(state);
        let own = self.own(state);
        let pushed = self.push(state, effort);
        let hurt = state.get(Variable::DAMAGE_TAKEN) - self.damage_taken;
        self.damage_taken = state.get(Variable::DAMAGE_TAKEN);
        percept.tick = now;
        percept.period_secs = self.period_secs;
        percept.own = own;
        self.see_characters(state, percept);
        self.see_items(state, percept);
        self.feel_walls(percept);
        self.hear(state, percept);
        percept.hits.clear();
        if hurt > 0.0 && !alive_again {
            percept.hits.push(Hit { damage: hurt, yaw: hit_from(percept, pushed) });
        }
    }

    fn own(&self, state: &State) -> Own {
        let get = |variable| state.get(variable);
        let arsenal = Arsenal::of(state);
        Own {
            life: self.life,
            position: metres(get(Variable::POSITION_X), get(Variable::POSITION_Y), get(Variable::POSITION_Z)),
            velocity: DVec3::new(
                get(Variable::VELOCITY_X),
                get(Variable::VELOCITY_Y),
                get(Variable::VELOCITY_Z),
            ) * SPEED,
            eye_m: get(Variable::VIEW_HEIGHT) / crate::ground::UNITS_PER_METRE,
            yaw: wrap_angle(get(Variable::ANGLE).to_radians()),
            // Doom's grows downwards.
            pitch: -get(Variable::PITCH).to_radians(),
            on_ground: get(Variable::ON_GROUND) > 0.0,
            // Health goes up to 200 here, so that nobody ever has all of it, and a character that looks for health always finds something to go for.
            health: get(Variable::HEALTH).clamp(0.0, MOST_HEALTH),
            weapon: arsenal.kind_in_hand(self.asked),
            weapons: arsenal.owned(),
            ammo: arsenal.ammo(),
            // A trigger that stays pulled fires as soon as it can, and a plasma rifle cools down when it is let go.
            ready: arsenal.is_loaded(),
            frags: get(Variable::FRAGCOUNT) as i32,
            pack: Pack::default(),
        }
    }

    /// Gives every living body of another player a number: a new one takes the number of one that died.
    fn know_bodies(&mut self, state: &State) {
        let own = metres(
            state.get(Variable::POSITION_X),
            state.get(Variable::POSITION_Y),
            state.get(Variable::POSITION_Z),
        );
        for (class, id, x, y, z) in &state.there {
            if class == "DeadDoomPlayer" {
                self.dead.insert(*id);
            } else if class == "DoomPlayer"
                && !self.bodies.contains_key(id)
                && metres(*x, *y, *z).distance(own) > 0.01
            {
                let alive: BTreeSet<u8> = self
                    .bodies
                    .iter()
                    .filter(|(body, _)| !self.dead.contains(body))
                    .map(|(_, &number)| number)
                    .collect();
                let free = (1..=self.others).find(|number| !alive.contains(number));
                self.bodies.insert(*id, free.unwrap_or(self.others));
            }
        }
    }

    /// The push that the legs do not explain, in metres a second.
    fn push(&mut self, state: &State, effort: Effort) -> DVec2 {
        let velocity = DVec2::new(state.get(Variable::VELOCITY_X), state.get(Variable::VELOCITY_Y));
        let mut expected = self.velocity;
        for _ in 0..effort.tics {
            expected = (expected + effort.thrust) * FRICTION;
        }
        self.velocity = velocity;
        (velocity - expected) * SPEED
    }

    fn see_characters(&self, state: &State, percept: &mut Percept) {
        percept.characters.clear();
        for (class, id, x, y, z, vx, vy, vz) in &state.seen {
            let Some(&number) = self.bodies.get(id) else { continue };
            if class == "DoomPlayer" && !percept.characters.iter().any(|seen| seen.id == number) {
                percept.characters.push(SeenCharacter {
                    id: number,
                    position: metres(*x, *y, *z),
                    velocity: DVec3::new(*vx, *vy, *vz) * SPEED,
                    weapon: None,
                });
            }
        }
        percept.characters.sort_by_key(|seen| seen.id);
    }

    fn see_items(&self, state: &State, percept: &mut Percept) {
        percept.items.clear();
        let things: Vec<(Item, DVec3)> = state
            .seen
            .iter()
            .filter_map(|(class, _, x, y, z, ..)| Some((item_of(class)?, metres(*x, *y, *z))))
            .collect();
        let own = percept.own;
        for (spot, place) in self.ground.level().places().spots().iter().enumerate() {
            let lies_here = |thing: &&(Item, DVec3)| {
                thing.0 == place.item && thing.1.truncate().distance(place.position.truncate()) < SAME_SPOT_M
            };
            let found = things.iter().find(lies_here);
            if found.is_some() || self.is_in_plain_view(&own, place.position) {
                percept.items.push(SeenItem {
                    spot: spot as u16,
                    item: place.item,
                    position: place.position,
                    present: found.is_some(),
                });
            }
        }
    }

    fn is_in_plain_view(&self, own: &Own, position: DVec3) -> bool {
        let target = position + DVec3::new(0.0, 0.0, 0.4);
        let line = (target - own.eye()).truncate();
        let (sin, cos) = libm::sincos(own.yaw);
        let (ahead, left) = (line.x * cos + line.y * sin, line.y * cos - line.x * sin);
        let pitch = libm::atan2(target.z - own.eye().z, line.length());
        ahead > 0.0
            && line.length() < PLAIN_VIEW_M
            && left.abs() < ahead * PLAIN_VIEW_TAN
            && (pitch - own.pitch).abs() < PLAIN_VIEW_PITCH
            && self.ground.scene().sees(own.eye(), target)
    }

    fn feel_walls(&self, percept: &mut Percept) {
        percept.rays_m = rays(&self.ground, &percept.own);
    }

    fn hear(&mut self, state: &State, percept: &mut Percept) {
        percept.noises.clear();
        let own = &percept.own;
        let mut ear = Stream::new(self.seed ^ state.tic.rotate_left(32), 0, "doom ear");
        let mut here = BTreeSet::new();
        for (class, id, x, y, z) in &state.there {
            let sound = match class.as_str() {
                class if class.ends_with("Puff") => Sound::Impact,
                class if class.ends_with("Ball") || class == "Rocket" => Sound::Shot,
                _ => continue,
            };
            here.insert(*id);
            let way = metres(*x, *y, *z) - own.position;
            let loudness = 1.0 - way.length() / HEARD_M;
            // One's own shots begin at the own body, and fly where one looks.
            let ahead = turn_between(own.yaw, libm::atan2(way.y, way.x)).abs() < 0.3;
            let own_shot = sound == Sound::Shot && ahead && way.length() < 4.0;
            if self.heard.contains(id) || loudness <= 0.0 || own_shot {
                continue;
            }
            let radius = (-2.0 * libm::log(1.0 - ear.unit())).sqrt();
            let error = radius * libm::cos(std::f64::consts::TAU * ear.unit());
            let yaw = libm::atan2(way.y, way.x) + error * HEARING_ERROR * (1.0 - loudness);
            percept.noises.push(Noise { sound, yaw: turn_between(own.yaw, yaw), loudness });
        }
        self.heard = here;
    }
}

/// The distances to walls around a position.
pub(crate) fn rays(ground: &Ground, own: &Own) -> [f64; RAYS] {
    let scene = ground.scene();
    std::array::from_fn(|k| {
        let turn = k as f64 * std::f64::consts::TAU / RAYS as f64;
        let (sin, cos) = libm::sincos(own.yaw + turn);
        let way = DVec3::new(cos, sin, 0.0) * RAY_LIMIT_M;
        RAY_LIMIT_M * scene.cast_level(own.eye(), own.eye() + way).unwrap_or(1.0)
    })
}

/// Where a hit came from: against the push, else from the nearest enemy in view, else from ahead.
fn hit_from(percept: &Percept, pushed: DVec2) -> f64 {
    let own = &percept.own;
    if pushed.length() > FELT_PUSH {
        return turn_between(own.yaw, libm::atan2(-pushed.y, -pushed.x));
    }
    let far = |seen: &&SeenCharacter| seen.position.distance_squared(own.position);
    let nearest = percept.characters.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.map_or(0.0, |seen| own.bearing(seen.position).yaw)
}

/// Seconds from one decision to the next.
pub fn period_secs(tics: u32) -> f64 {
    f64::from(tics) / TICS_PER_SEC
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_worlds::arena::map;

    fn senses() -> Senses {
        let text = map::shipped::shipped("yard").expect("it ships");
        let ground =
            Ground::new(map::file::read(text).expect("it can be read").map).expect("it can be played");
        Senses::new(ground, 2, period_secs(2), 7)
    }

    /// A player at one point of the map, looking at another point.
    fn state(senses: &Senses) -> (State, DVec3, DVec3) {
        let points = senses.ground.level().places().points();
        let eye = DVec3::new(0.0, 0.0, 41.0 / 32.0);
        let pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| (a, b)));
        let (a, b) = pairs
            .into_iter()
            .find(|&(a, b)| {
                (3.0..6.0).contains(&a.distance(b)) && senses.ground.scene().sees(a + eye, b + eye)
            })
            .expect("somebody sees somebody");
        let mut state = State { tic: 1, own: vec![0.0; Variable::NAMES.len()], ..State::default() };
        let way = b - a;
        let at = a * 32.0;
        for (variable, value) in [
            (Variable::HEALTH, 100.0),
            (Variable::POSITION_X, at.x),
            (Variable::POSITION_Y, at.y),
            (Variable::POSITION_Z, at.z),
            (Variable::ANGLE, libm::atan2(way.y, way.x).to_degrees()),
            (Variable::VIEW_HEIGHT, 41.0),
            (Variable::ON_GROUND, 1.0),
            (Variable::WEAPON2, 1.0),
            (Variable::AMMO2, 50.0),
            (Variable::SELECTED_WEAPON, 2.0),
        ] {
            state.own[variable as usize] = value;
        }
        (state, a, b)
    }

    fn player(class: &str, id: i64, at: DVec3) -> (String, i64, f64, f64, f64) {
        (class.to_owned(), id, at.x * 32.0, at.y * 32.0, at.z * 32.0)
    }

    #[test]
    fn players_in_the_picture_are_seen_and_keep_their_number_until_they_die() {
        let mut senses = senses();
        let (mut state, a, b) = state(&senses);
        let mut percept = Percept::default();
        let seen = |id: i64, at: DVec3| {
            let (class, id, x, y, z) = player("DoomPlayer", id, at);
            (class, id, x, y, z, 0.0, 32.0, 0.0)
        };
        state.there = vec![
            player("DoomPlayer", 5, a),
            player("DoomPlayer", 8, b),
            player("DoomPlayer", 9, b + DVec3::X),
        ];
        state.seen = vec![seen(9, b + DVec3::X)];
        senses.perceive(&state, Effort::default(), &mut percept);
        assert_eq!(percept.characters.len(), 1, "only players that are in the picture");
        let number = percept.characters[0].id;
        assert!((1..=2).contains(&number) && (percept.characters[0].velocity.y - 35.0).abs() < 1e-9);
        assert_eq!(percept.characters[0].weapon, None, "Doom does not tell");
        // It dies, and comes back in another body.
        state.there =
            vec![player("DoomPlayer", 5, a), player("DoomPlayer", 8, b), player("DeadDoomPlayer", 9, b)];
        state.seen.clear();
        senses.perceive(&state, Effort::default(), &mut percept);
        assert!(percept.characters.is_empty());
        state.there.push(player("DoomPlayer", 70, b + DVec3::X));
        state.seen = vec![seen(70, b + DVec3::X)];
        senses.perceive(&state, Effort::default(), &mut percept);
        assert_eq!(percept.characters[0].id, number);
    }

    #[test]
    fn a_hit_is_felt_against_the_push_and_a_new_life_is_a_new_life() {
        let mut senses = senses();
        let (mut state, ..) = state(&senses);
        let mut percept = Percept::default();
        senses.perceive(&state, Effort::default(), &mut percept);
        assert!(percept.hits.is_empty() && percept.own.life == 1);
        let behind = libm::sincos(percept.own.yaw);
        state.own[Variable::DAMAGE_TAKEN as usize] = 30.0;
        state.own[Variable::VELOCITY_X as usize] = 3.0 * behind.1;
        state.own[Variable::VELOCITY_Y as usize] = 3.0 * behind.0;
        senses.perceive(&state, Effort { thrust: DVec2::ZERO, tics: 2 }, &mut percept);
        assert_eq!(percept.hits.len(), 1);
        assert!(
            percept.hits[0].damage == 30.0 && percept.hits[0].yaw.abs() > 3.1,
            "pushed ahead: hit from behind"
        );
        state.own[Variable::DEAD as usize] = 1.0;
        senses.perceive(&state, Effort::default(), &mut percept);
        state.own[Variable::DEAD as usize] = 0.0;
        state.own[Variable::DAMAGE_TAKEN as usize] = 90.0;
        senses.perceive(&state, Effort::default(), &mut percept);
        assert!(percept.own.life == 2 && percept.hits.is_empty(), "hits of the last life are no news");
    }

    #[test]
    fn shots_of_others_are_heard_once() {
        let mut senses = senses();
        let (mut state, a, b) = state(&senses);
        let mut percept = Percept::default();
        let behind = a - (b - a).normalize() * 5.0;
        state.there =
            vec![player("PlasmaBall", 40, behind), player("PlasmaBall", 41, a + (b - a).normalize() * 2.0)];
        senses.perceive(&state, Effort::default(), &mut percept);
        assert_eq!(percept.noises.len(), 1, "the own shot is no news");
        assert!(percept.noises[0].sound == Sound::Shot && percept.noises[0].yaw.abs() > 2.0);
        senses.perceive(&state, Effort::default(), &mut percept);
        assert!(percept.noises.is_empty());
    }
}
