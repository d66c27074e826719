//! People's play as a recording to learn from: what each person could perceive, ten times a second, and what they did about it.
//!
//! | of a percept                | where it comes from                                                                        |
//! |-----------------------------|--------------------------------------------------------------------------------------------|
//! | own place, velocity, view   | the last state                                                                             |
//! | on the ground               | the map: a floor within 0.1 m below the feet                                               |
//! | health, armour, weapons     | the status bar; it shows the ammunition of the weapon in hand, of others it is remembered   |
//! | others                      | those whose state is known, inside the field of view, whom no wall hides                   |
//! | items                       | those of the map in view; taken if somebody was heard to take one there lately             |
//! | noises                      | shots and pick-ups of others whose place is known                                          |
//! | hits                        | health and armour lost since the last moment, from where the nearest enemy in sight is     |
//! | walls                       | rays on the map                                                                            |
//!
//! A command is what the person did until the next moment: how far the view turned and tilted, the keys that were held longest, whether
//! they jumped and fired. Where keys are not recorded, the velocity stands for them.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};
use repertoire_mind::{
    Command, Fire, Hit, Item, Noise, Own, Pack, Percept, SeenCharacter, SeenItem, Sound, Weapon, arms,
    turn_between, wrap_angle,
};
use repertoire_prob::num;
use repertoire_trace::play::{EventKind, Play, State, Status};
use repertoire_trace::{Header, Row, Tick};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::space::Scene;
use repertoire_worlds::arena::world::View;

use super::series::persons;

/// From one moment to the next.
pub const PERIOD_SECS: f64 = 0.1;
/// A state that is older than this says nothing.
const LATE_SECS: f64 = 0.2;
/// A player's feet are this far below the recorded position, in units.
pub(super) const FEET: f64 = 24.0;
/// The eyes above the feet, in metres.
const EYE_M: f64 = 46.0 / 32.0;
/// A floor this near below the feet is stood on, in metres.
const ON_GROUND_M: f64 = 0.1;
/// The keys of Quake ask for at least this speed.
const KEY: f64 = 100.0;
/// The axe among the game's bits; the other weapons are its lowest seven, the shotgun first.
const AXE: u32 = 4096;
/// Of a kind of ammunition that is not shown, who carries a weapon for it is thought to have this much.
const SOME: u32 = 10;

/// The weapon of one of the game's bits; without any, the axe.
pub fn weapon(bit: u32) -> Weapon {
    match bit & 127 {
        0 => Weapon::Axe,
        bit => Weapon::QUAKE[1 + bit.trailing_zeros() as usize],
    }
}

/// Which of [`Weapon::QUAKE`] are among the game's bits, the first in the lowest bit.
fn owned(items: u32) -> u32 {
    u32::from(items & AXE != 0) | (items & 127) << 1
}

/// Why play cannot become a recording to learn from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLesson {
    /// Nobody's view is known.
    #[error("nobody whose view is known is alive in it\n  remedy: give a demo with a match in it")]
    Nobody,
    /// Another map.
    #[error("it was played on `{played}`, and the map given is `{given}`\n  remedy: give {played}.bsp")]
    OtherMap {
        /// Where it was played.
        played: String,
        /// The map that was given.
        given: String,
    },
    /// More people than a recording can number.
    #[error("{0} people took part, and a recording numbers at most 255\n  remedy: split it")]
    TooMany(usize),
}

/// The header and ticks of a recording of the people in a play whose view is known, on its map.
///
/// # Errors
/// When nobody's view is known, or the map is another one.
pub fn recording(play: &Play, level: &Level) -> Result<(Header, Vec<Tick>), NoLesson> {
    let given = &level.map().name;
    if !play.map.is_empty() && !play.map.eq_ignore_ascii_case(given) {
        return Err(NoLesson::OtherMap { played: play.map.clone(), given: given.clone() });
    }
    let people: Vec<u16> = persons(play);
    if people.len() > usize::from(u8::MAX) {
        return Err(NoLesson::TooMany(people.len()));
    }
    let names: Vec<&str> =
        people.iter().map(|&player| play.players[usize::from(player)].name.as_str()).collect();
    let mut header = Header::new("quake", given, 0, PERIOD_SECS, names);
    header.map_source = file::write(level.map());
    let rules = Rules::default().on(level.space());
    header.settings = serde_json::to_value(&rules).unwrap_or_default();
    let lifts_m: Vec<f64> = level.map().lifts().iter().map(|lift| lift.low_m).collect();
    let stage = Stage {
        play,
        level,
        scene: Scene { space: level.space(), lifts_m: &lifts_m },
        rules: &rules,
        tracks: tracks(play),
    };
    let lived: Vec<Vec<Row>> =
        (0..=u8::MAX).zip(&people).map(|(character, &player)| stage.live(character, player)).collect();
    let length = lived.iter().map(Vec::len).max().unwrap_or(0);
    if lived.iter().flatten().all(|row| row.percept.is_none()) {
        return Err(NoLesson::Nobody);
    }
    let ticks = (0..length).map(|tick| {
        let rows = lived.iter().filter_map(|rows| rows.get(tick).cloned()).collect();
        Tick { tick: tick as u32, state_hash: 0, rows }
    });
    Ok((header, ticks.collect()))
}

/// States of each player, in order of time.
type Tracks<'a> = BTreeMap<u16, Vec<&'a State>>;

fn tracks(play: &Play) -> Tracks<'_> {
    let mut tracks: Tracks<'_> = BTreeMap::new();
    for state in play.states.iter().filter(|state| play.is_in_match(state.secs)) {
        tracks.entry(state.player).or_default().push(state);
    }
    tracks
}

/// Everything that moments are made of.
struct Stage<'a> {
    play: &'a Play,
    level: &'a Level,
    scene: Scene<'a>,
    rules: &'a Rules,
    tracks: Tracks<'a>,
}

/// What a person carries from moment to moment.
#[derive(Default)]
struct Memory {
    life: u32,
    was_alive: bool,
    strength: Option<f64>,
    frags: i32,
    /// Shells, nails, rockets and cells, as they were last shown in this life.
    ammo: [Option<u32>; 4],
}

impl Stage<'_> {
    fn metres(&self, at: [f32; 3]) -> DVec3 {
        let [x, y, z] = at.map(f64::from);
        DVec3::new(x, y, z - FEET) / self.play.units_per_metre
    }

    /// A player's last state before a moment, if it is recent.
    fn state(&self, player: u16, secs: f64) -> Option<&State> {
        let track = self.tracks.get(&player)?;
        let at = track.partition_point(|state| state.secs <= secs);
        let state = track[..at].last()?;
        (secs - state.secs < LATE_SECS).then_some(*state)
    }

    /// Metres a second: as recorded, or from where they were a moment before.
    fn velocity(&self, state: &State) -> DVec3 {
        if let Some(velocity) = state.velocity {
            let [x, y, z] = velocity.map(f64::from);
            return DVec3::new(x, y, z) / self.play.units_per_metre;
        }
        match self.state(state.player, state.secs - 0.05) {
            Some(before) if before.secs < state.secs && before.is_alive => {
                let way = (self.metres(state.at) - self.metres(before.at)) / (state.secs - before.secs);
                // A jump of the position is a teleporter, no velocity.
                if way.length() > 60.0 { DVec3::ZERO } else { way }
            }
            _ => DVec3::ZERO,
        }
    }

    /// All moments of a person; those in which they are dead have a row without a percept.
    fn live(&self, character: u8, player: u16) -> Vec<Row> {
        let Some(track) = self.tracks.get(&player) else { return Vec::new() };
        let (Some(first), Some(last)) = (track.first(), track.last()) else { return Vec::new() };
        let start = if self.play.match_secs.is_some() { 0.0 } else { first.secs };
        let count = ((last.secs - start) / PERIOD_SECS).max(0.0) as u32;
        let mut memory = Memory::default();
        (0..count).map(|tick| self.row(character, player, (start, tick), &mut memory)).collect()
    }

    fn row(&self, character: u8, player: u16, (start, tick): (f64, u32), memory: &mut Memory) -> Row {
        let secs = start + f64::from(tick) * PERIOD_SECS + 1e-6;
        let now = self.state(player, secs).filter(|state| state.is_alive);
        let next = self.state(player, secs + PERIOD_SECS).filter(|state| state.is_alive);
        let Some(now) = now else {
            memory.was_alive = false;
            memory.strength = None;
            memory.ammo = [None; 4];
            return Row { character, ..Row::default() };
        };
        memory.life += u32::from(!memory.was_alive);
        memory.was_alive = true;
        memory.frags = i32::from(now.frags);
        let own = self.own(now, memory);
        let view = View::new(own.position + DVec3::new(0.0, 0.0, EYE_M), own.yaw, own.pitch, self.rules);
        let characters = self.others(player, secs, &view);
        let percept = Percept {
            tick,
            period_secs: PERIOD_SECS,
            hits: self.hits(now, &own, &characters, memory),
            items: self.items(secs, &view),
            noises: self.noises(player, secs, &own),
            rays_m: view.walls_m(self.scene, self.rules.ray_limit_m),
            characters,
            own,
        };
        // What came of the last moment of a life is not known.
        let command = next.map(|next| self.command(player, secs, now, next));
        Row {
            character,
            alive: true,
            command: Some(command.unwrap_or_default()),
            percept: Some(percept),
            ..Row::default()
        }
    }

    fn own(&self, state: &State, memory: &mut Memory) -> Own {
        let position = self.metres(state.at);
        let floor = self.scene.floor_under(position.truncate(), Some(position.z + 0.05));
        let status = state.status.unwrap_or_default();
        let in_hand = weapon(status.weapon);
        let pack = carried(&status, in_hand, memory);
        let (mut weapons, mut ammo) = ([true, false, false], [0; 3]);
        for weapon in Weapon::QUAKE.into_iter().filter(|&weapon| pack.owns(weapon)) {
            weapons[weapon.index()] = true;
            ammo[weapon.index()] = arms::row(weapon).shots(&pack).max(ammo[weapon.index()]);
        }
        Own {
            life: memory.life,
            position,
            velocity: self.velocity(state),
            eye_m: EYE_M,
            yaw: wrap_angle(f64::from(state.keys.yaw_deg).to_radians()),
            pitch: -f64::from(state.keys.pitch_deg).to_radians(),
            on_ground: floor.is_some_and(|floor| position.z - floor.z < ON_GROUND_M),
            health: state.status.map_or(100.0, |status| f64::from(status.health).clamp(1.0, 250.0)),
            weapon: in_hand,
            weapons,
            ammo,
            ready: in_hand == Weapon::Axe || status.ammo > 0,
            frags: memory.frags,
            pack,
        }
    }

    fn others(&self, player: u16, secs: f64, view: &View) -> Vec<SeenCharacter> {
        let others = self.tracks.keys().filter(|&&other| other != player);
        let alive = others.filter_map(|&other| Some((other, self.state(other, secs)?)));
        let seen = alive.filter(|(other, state)| {
            state.is_alive
                && super::series::is_enemy(self.play, player, *other)
                && view.sees_body(self.scene, self.metres(state.at))
        });
        seen.map(|(other, state)| SeenCharacter {
            id: u8::try_from(other).unwrap_or(u8::MAX),
            position: self.metres(state.at),
            velocity: self.velocity(state),
            weapon: None,
        })
        .collect()
    }

    fn items(&self, secs: f64, view: &View) -> Vec<SeenItem> {
        let spots = self.level.places().spots().iter().enumerate();
        let seen = spots.filter(|(_, spot)| view.sees_item(self.scene, spot.position));
        seen.map(|(number, spot)| SeenItem {
            spot: number as u16,
            item: spot.item,
            position: spot.position,
            present: !self.was_taken(spot.position, spot.item, secs),
        })
        .collect()
    }

    /// Whether somebody took something within reach of a spot so lately that it is not back.
    fn was_taken(&self, spot: DVec3, item: Item, secs: f64) -> bool {
        const REACH_M: f64 = 2.0;
        let back_secs = if item.is_health() { 20.0 } else { 30.0 };
        let first = self.play.events.partition_point(|event| event.secs < secs - back_secs);
        let lately = self.play.events[first..].iter().take_while(|event| event.secs <= secs);
        lately.filter(|event| event.kind == EventKind::Pickup).any(|event| {
            let taker = event.actor.and_then(|actor| self.state(actor, event.secs));
            taker.is_some_and(|taker| self.metres(taker.at).distance(spot) < REACH_M)
        })
    }

    fn noises(&self, player: u16, secs: f64, own: &Own) -> Vec<Noise> {
        let first = self.play.events.partition_point(|event| event.secs <= secs - PERIOD_SECS);
        let now = self.play.events[first..].iter().take_while(|event| event.secs <= secs);
        let heard = now.filter_map(|event| {
            let sound = match event.kind {
                EventKind::Shot => Sound::Shot,
                EventKind::Pickup => Sound::PickUp,
                _ => return None,
            };
            let source = event.actor.filter(|&actor| actor != player)?;
            let way = self.metres(self.state(source, event.secs)?.at) - own.position;
            let loudness = 1.0 - way.length() / self.rules.heard_m[sound as usize];
            let yaw = turn_between(own.yaw, num::atan2(way.y, way.x));
            (loudness > 0.0).then_some(Noise { sound, yaw, loudness })
        });
        heard.collect()
    }

    /// Health and armour lost since the last moment.
    fn hits(&self, state: &State, own: &Own, seen: &[SeenCharacter], memory: &mut Memory) -> Vec<Hit> {
        let now = state.status.map(|status| f64::from(status.health) + f64::from(status.armour));
        let before = std::mem::replace(&mut memory.strength, now);
        // One point a second goes by itself from who has more than they should.
        let lost = before.zip(now).map_or(0.0, |(before, now)| before - now);
        let nearest = seen
            .iter()
            .map(|one| one.position - own.position)
            .min_by(|a, b| a.length().total_cmp(&b.length()));
        let yaw = nearest.map_or(0.0, |way| turn_between(own.yaw, num::atan2(way.y, way.x)));
        if lost > 1.5 { vec![Hit { damage: lost, yaw }] } else { Vec::new() }
    }

    /// What was done from one moment to the next.
    fn command(&self, player: u16, secs: f64, now: &State, next: &State) -> Command {
        let degrees = |from: f32, to: f32| f64::from(to - from).to_radians();
        let until = secs + PERIOD_SECS;
        let track = &self.tracks[&player];
        let from = track.partition_point(|state| state.secs <= secs).saturating_sub(1);
        let held = || track[from..].iter().take_while(|state| state.secs <= until);
        let has_keys = now.has_keys;
        let wish = match has_keys {
            true => pressed(held().map(|state| (state.keys.forward, state.keys.side))),
            false => self.as_if_pressed(now),
        };
        let shots = || {
            let first = self.play.events.partition_point(|event| event.secs <= secs);
            let now = self.play.events[first..].iter().take_while(|event| event.secs <= until);
            now.filter(|event| event.kind == EventKind::Shot && event.actor == Some(player)).count()
        };
        let fires = has_keys && held().any(|state| state.keys.is_firing()) || shots() > 0;
        let jumps = match has_keys {
            true => held().any(|state| state.keys.is_jumping()),
            false => {
                next.velocity.map_or(self.velocity(next).z, |velocity| f64::from(velocity[2]) / 32.0) > 6.0
            }
        };
        let wanted = next.status.map(|status| weapon(status.weapon));
        let in_hand = now.status.map(|status| weapon(status.weapon));
        Command {
            yaw: wrap_angle(degrees(now.keys.yaw_deg, next.keys.yaw_deg)),
            pitch: -degrees(now.keys.pitch_deg, next.keys.pitch_deg),
            forward: wish.x,
            lateral: wish.y,
            jump: jumps,
            fire: if fires { Fire::Primary } else { Fire::None },
            weapon: wanted.filter(|_| wanted != in_hand),
        }
    }

    /// Where a velocity leads, in eighths of a turn from the view, as keys would.
    fn as_if_pressed(&self, state: &State) -> DVec2 {
        let velocity = self.velocity(state).truncate();
        if velocity.length() < 0.3 * self.rules.run_m_per_sec {
            return DVec2::ZERO;
        }
        let eighth = std::f64::consts::FRAC_PI_4;
        let off = num::atan2(velocity.y, velocity.x) - f64::from(state.keys.yaw_deg).to_radians();
        let turned = (off / eighth).round() * eighth;
        DVec2::new(num::cos(turned), num::sin(turned))
    }
}

/// What the status bar shows to be carried, and what it showed of other ammunition before.
fn carried(status: &Status, in_hand: Weapon, memory: &mut Memory) -> Pack {
    if let Some(kind) = arms::row(in_hand).ammo_kind {
        memory.ammo[usize::from(kind)] = u32::try_from(status.ammo).ok();
    }
    let mut pack = Pack {
        owned: owned(status.items | status.weapon) | 1 << in_hand.slot(),
        armour: u32::try_from(status.armour).unwrap_or(0),
        ..Pack::default()
    };
    for weapon in Weapon::QUAKE {
        if let Some(kind) = arms::row(weapon).ammo_kind.filter(|_| pack.owns(weapon)) {
            pack.ammo[usize::from(kind)] = memory.ammo[usize::from(kind)].unwrap_or(SOME);
        }
    }
    pack
}

/// Forward and left of the keys that were held longest, each between -1 and 1, together no longer than 1.
fn pressed(keys: impl Iterator<Item = (i16, i16)>) -> DVec2 {
    let (mut sums, mut count) = (DVec2::ZERO, 0.0_f64);
    for (forward, side) in keys {
        let sign = |key: i16| if f64::from(key).abs() < KEY { 0.0 } else { f64::from(key.signum()) };
        sums += DVec2::new(sign(forward), -sign(side));
        count += 1.0;
    }
    (sums / count.max(1.0)).round().clamp_length_max(1.0)
}

#[cfg(test)]
mod tests {
    use repertoire_trace::play::{Keys, Player};
    use repertoire_worlds::arena::map::bsp;
    use repertoire_worlds::quake::boxes::{Boxes, Cuboid};

    use super::*;

    /// A hall with a wall across it at x = 200, and somebody who looks east from its middle.
    fn level() -> Level {
        let mut hall = Boxes::hall([-320.0, -320.0, 0.0], [320.0, 320.0, 200.0]);
        hall.solids.push(Cuboid { low: [200.0, -320.0, 0.0], high: [220.0, 320.0, 200.0] });
        let start = |hall: Boxes, origin| {
            hall.with_thing(&[("classname", "info_player_deathmatch"), ("origin", origin)])
        };
        let hall = start(start(hall, "0 0 24"), "0 100 24")
            .with_thing(&[("classname", "item_health"), ("origin", "84 -16 0")]);
        Level::new(bsp::import("hall", &hall.map().write()).expect("a map").map).expect("playable")
    }

    fn play(other: [f32; 3]) -> Play {
        let state = |player: u16, k: u32, at: [f32; 3], yaw_deg: f32| State {
            secs: f64::from(k) * 0.05,
            player,
            at,
            velocity: Some([0.0; 3]),
            keys: Keys { yaw_deg, forward: 400, side: -400, buttons: 3, ..Keys::default() },
            has_keys: true,
            is_alive: k < 30,
            frags: 0,
            status: Some(Status {
                health: 100 - 30 * i16::from(k >= 10),
                ammo: 5,
                items: 33,
                weapon: 32,
                armour: 0,
            }),
            effects: 0,
            acknowledged: None,
        };
        let people = (0..40).flat_map(|k| [state(0, k, [0.0, 0.0, 24.0], k as f32), state(1, k, other, 0.0)]);
        let player = |name: &str, is_pov| Player { name: name.to_owned(), is_pov, ..Player::default() };
        Play {
            map: "hall".to_owned(),
            units_per_metre: 32.0,
            players: vec![player("anna", true), player("bert", false)],
            states: people.collect(),
            ..Play::default()
        }
    }

    #[test]
    fn a_person_perceives_what_is_in_view_and_not_hidden_and_does_what_they_pressed() {
        let level = level();
        for (other, seen) in [([150.0, 0.0, 24.0], 1), ([-150.0, 0.0, 24.0], 0), ([280.0, 0.0, 24.0], 0)] {
            let (header, ticks) = recording(&play(other), &level).expect("a recording");
            assert_eq!((header.world.as_str(), header.characters.len()), ("quake", 1));
            let alive: Vec<&Row> = ticks.iter().flat_map(|tick| &tick.rows).filter(|row| row.alive).collect();
            assert_eq!(alive.len(), 15, "dead after a second and a half");
            let percept = alive[2].percept.as_ref().expect("alive");
            assert_eq!(percept.characters.len(), seen, "{other:?}");
            assert!(percept.own.on_ground && percept.own.weapon == Weapon::RocketLauncher);
            assert_eq!((percept.own.pack.owned, percept.own.pack.ammo), (0b100_0010, [10, 0, 5, 0]));
            assert_eq!(percept.items.len(), 1);
            assert!((percept.rays_m[0] - 200.0 / 32.0).abs() < 0.1, "{:?}", percept.rays_m);
            let command = alive[2].command.expect("alive");
            assert!((command.yaw.to_degrees() - 2.0).abs() < 1e-3, "{command:?}");
            assert!(
                command.forward > 0.7
                    && command.lateral > 0.7
                    && command.jump
                    && command.fire == Fire::Primary
            );
            let hit: Vec<usize> =
                (0..15).filter(|&k| !alive[k].percept.as_ref().expect("alive").hits.is_empty()).collect();
            assert_eq!(hit, [5], "30 of health were lost once");
        }
        let elsewhere = Play { map: "dm6".to_owned(), ..play([0.0; 3]) };
        let error = recording(&elsewhere, &level).expect_err("another map").to_string();
        assert!(error.contains("give dm6.bsp"), "{error}");
    }
}
