//! Recorded play of Doom's own bots, tic by tic, as the percepts and commands of a trace.
//!
//! A row is `tic,bot,x,y,z,angle,vx,vy,health,armor,weapon,ammo,buttons,forward,side,yaw,sees`: the state after a tic and the
//! command that was executed in it. A decision pairs the state after tic `t` with what was done in the tics after it. What
//! a row does not tell is worked out or left unknown:
//!
//! | percept     | from                                                                                    |
//! |-------------|-----------------------------------------------------------------------------------------|
//! | characters  | players within 90 degrees and not hidden by the map's shape                             |
//! | weapons     | those that were in hand in this life, and the pistol                                     |
//! | ammunition  | the last number told while a weapon was in hand                                          |
//! | noises      | others who fire, as far and as wrongly as in the arena                                   |
//! | hits        | health lost since the last decision, from the nearest other who fires                    |
//! | items       | unknown                                                                                  |
//! | picked up   | more health or ammunition, or another weapon, beside a spot of that kind                 |

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use glam::DVec3;
use repertoire_mind::{
    Command, Event, Fire, Hit, Item, Noise, Own, Pack, Percept, SeenCharacter, Sound, Weapon, turn_between,
    wrap_angle,
};
use repertoire_prob::Stream;
use repertoire_trace::{Header, Recorder, Row, Tick, TraceError};
use serde::Deserialize;

use crate::ground::{Ground, SPEED, metres};
use crate::senses::{MOST_HEALTH, period_secs, rays};

/// Eyes above the feet, and two heights at which a body may be seen.
const EYE_M: f64 = 41.0 / 32.0;
const PARTS_M: [f64; 2] = [1.6, 0.9];
/// How far shots are heard, and how wrongly, as in the arena.
const HEARD_M: f64 = 45.0;
const HEARING_ERROR: f64 = 0.5;
/// The engine's key to attack, and to jump.
const ATTACK: u32 = 1;
const JUMP: u32 = 4;
/// Full speed of the keys.
const FULL_FORWARD: f64 = 12_800.0;
const FULL_SIDEWAYS: f64 = 10_240.0;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Told {
    tic: u32,
    bot: u8,
    x: f64,
    y: f64,
    z: f64,
    angle: f64,
    vx: f64,
    vy: f64,
    health: f64,
    #[allow(dead_code, reason = "a column that minds have no use for")]
    armor: f64,
    weapon: u8,
    ammo: f64,
    buttons: u32,
    forward: f64,
    side: f64,
    #[allow(dead_code, reason = "the angle says it better")]
    yaw: f64,
    #[serde(default)]
    sees: u32,
}

impl Told {
    fn position(&self) -> DVec3 {
        metres(self.x, self.y, self.z)
    }
    fn eye(&self) -> DVec3 {
        self.position() + DVec3::new(0.0, 0.0, EYE_M)
    }
    fn facing(&self) -> f64 {
        wrap_angle(self.angle.to_radians())
    }
    fn is_alive(&self) -> bool {
        self.health > 0.0
    }
}

/// Opens a file of rows; one that ends in `.gz` is unpacked as it is read.
///
/// # Errors
/// If it cannot be read.
pub fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let file = BufReader::new(File::open(path)?);
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// A demonstration cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A row is wrong.
    #[error(
        "line {line}: {what}\n  remedy: rows are tic,bot,x,y,z,angle,vx,vy,health,armor,weapon,ammo,buttons,forward,side,yaw,sees"
    )]
    Row {
        /// Where.
        line: u64,
        /// What.
        what: String,
    },
}

/// How often our sight of the map agrees with what the engine's bots saw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Pairs of a bot and another, at decisions.
    pub pairs: u64,
    /// Pairs in which the engine says that one sees the other.
    pub engine_sees: u64,
    /// Of those, pairs that are free of walls in our map.
    pub both: u64,
}

impl Agreement {
    /// The share of what the engine sees between which our map has no wall.
    pub fn share(&self) -> f64 {
        self.both as f64 / (self.engine_sees as f64).max(1.0)
    }
}

/// How much of a demo was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Decisions of everybody.
    pub decisions: u64,
    /// Players in view, over all of them.
    pub in_view: u64,
}

/// Why a demo could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum NotImported {
    /// It cannot be read.
    #[error(transparent)]
    Read(DemoError),
    /// The recording cannot be written.
    #[error(transparent)]
    Write(#[from] TraceError),
}

/// What is remembered of a bot from one decision to the next.
#[derive(Clone, Debug, Default)]
struct Known {
    life: u32,
    alive: bool,
    owned: [bool; 10],
    ammo: [u32; 10],
    health: f64,
}

/// Reads a demonstration decision by decision.
pub struct Demo<'g, R: Read> {
    ground: &'g Ground,
    rows: csv::DeserializeRecordsIntoIter<R, Told>,
    ahead: Option<Told>,
    /// The tics of the current decision and those after it, each with the bots by number.
    tics: VecDeque<(u32, BTreeMap<u8, Told>)>,
    known: BTreeMap<u8, Known>,
    every: u32,
    decisions: u32,
    agreement: Agreement,
}

impl<'g, R: Read> Demo<'g, R> {
    /// Reads a recording from text, given the map it was played on and the tics between decisions.
    pub fn new(text: R, ground: &'g Ground, every: u32) -> Self {
        let rows = csv::ReaderBuilder::new().from_reader(text).into_deserialize();
        Demo {
            ground,
            rows,
            ahead: None,
            tics: VecDeque::new(),
            known: BTreeMap::new(),
            every: every.max(1),
            decisions: 0,
            agreement: Agreement::default(),
        }
    }

    /// How well our map agrees with what the bots saw, so far.
    pub fn agreement(&self) -> Agreement {
        self.agreement
    }

    /// The header of a trace of it.
    pub fn header(ground: &Ground, bots: u8, every: u32) -> Header {
        let names: Vec<String> = (1..=bots).map(|bot| format!("doom bot {bot}")).collect();
        let map = ground.level().map().name.clone();
        let mut header = Header::new("doom", &map, 0, period_secs(every), names.iter().map(String::as_str));
        header.map_source = ground.source().to_owned();
        header.settings = serde_json::json!({ "tics": every, "made from": "recorded bots" });
        header
    }

    fn next_row(&mut self) -> Result<Option<Told>, DemoError> {
        if let Some(row) = self.ahead.take() {
            return Ok(Some(row));
        }
        match self.rows.next() {
            None => Ok(None),
            Some(Ok(row)) => {
                let numbers =
                    [row.x, row.y, row.z, row.angle, row.vx, row.vy, row.health, row.forward, row.side];
                if numbers.iter().any(|number| !number.is_finite()) || row.bot == 0 || row.weapon > 9 {
                    let what = "a number is out of range".to_owned();
                    return Err(DemoError::Row { line: self.rows.reader().position().line() - 1, what });
                }
                Ok(Some(row))
            }
            Some(Err(error)) => Err(DemoError::Row {
                line: error.position().map_or(0, csv::Position::line),
                what: error.to_string(),
            }),
        }
    }

    /// All rows of the next tic.
    fn read_tic(&mut self) -> Result<bool, DemoError> {
        let Some(first) = self.next_row()? else { return Ok(false) };
        let mut bots = BTreeMap::from([(first.bot, first)]);
        while let Some(row) = self.next_row()? {
            if row.tic != first.tic {
                self.ahead = Some(row);
                break;
            }
            bots.insert(row.bot, row);
        }
        self.tics.push_back((first.tic, bots));
        Ok(true)
    }

    /// Records at most this many decisions; `on_tick` is called after each.
    ///
    /// # Errors
    /// If the rows are wrong, or the recording cannot be written.
    pub fn record<W: Write + Send>(
        &mut self,
        recorder: &mut Recorder<W>,
        most: u64,
        on_tick: &dyn Fn(),
    ) -> Result<Imported, NotImported> {
        let mut imported = Imported::default();
        while imported.decisions < most {
            let Some(tick) = self.next_tick().map_err(NotImported::Read)? else { break };
            let percepts = tick.rows.iter().filter_map(|row| row.percept.as_ref());
            imported.in_view += percepts.map(|percept| percept.characters.len() as u64).sum::<u64>();
            recorder.push(tick)?;
            imported.decisions += 1;
            on_tick();
        }
        Ok(imported)
    }

    /// The next decision of everybody; none at the end.
    pub fn next_tick(&mut self) -> Result<Option<Tick>, DemoError> {
        while self.tics.len() <= self.every as usize {
            if !self.read_tic()? {
                return Ok(None);
            }
        }
        let now = self.tics[0].1.clone();
        let later: Vec<BTreeMap<u8, Told>> =
            self.tics.iter().skip(1).take(self.every as usize).map(|(_, bots)| bots.clone()).collect();
        let number = self.decisions;
        let mut rows = Vec::with_capacity(now.len());
        for (&bot, told) in &now {
            rows.push(self.row(bot, told, &now, &later, number));
        }
        let hash = now.values().fold(u64::from(self.tics[0].0), |hash, told| {
            (hash ^ told.x.to_bits() ^ told.y.to_bits().rotate_left(17)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        self.tics.drain(..self.every as usize);
        self.decisions += 1;
        Ok(Some(Tick { tick: number, state_hash: hash, rows }))
    }

    fn row(
        &mut self,
        bot: u8,
        told: &Told,
        now: &BTreeMap<u8, Told>,
        later: &[BTreeMap<u8, Told>],
        number: u32,
    ) -> Row {
        let known = self.known.entry(bot).or_default();
        let mut events = Vec::new();
        if told.is_alive() && !known.alive {
            known.life += 1;
            known.owned = std::array::from_fn(|weapon| weapon == 1 || weapon == 3);
            known.ammo = [0; 10];
            known.health = told.health;
            events.push(Event::Spawned { position: told.position() });
        }
        known.alive = told.is_alive();
        if !told.is_alive() {
            return Row { character: bot - 1, alive: false, events, ..Row::default() };
        }
        let slot = usize::from(told.weapon);
        known.owned[slot] = true;
        known.ammo[slot] = told.ammo.max(0.0) as u32;
        let lost = known.health - told.health;
        known.health = told.health;
        let own = own(told, known);
        let ends = later.last().and_then(|bots| bots.get(&bot)).copied().unwrap_or(*told);
        let mut percept = Percept {
            tick: number,
            period_secs: period_secs(self.every),
            own,
            rays_m: rays(self.ground, &own),
            ..Percept::default()
        };
        self.see(bot, told, now, &mut percept);
        hear(bot, told, now, number, &mut percept);
        let command = command(told, &ends, bot, later);
        events.extend(what_followed(self.ground, told, &ends));
        if lost > 0.0 {
            let shooters = now.values().filter(|other| other.bot != bot && other.buttons & ATTACK != 0);
            let far = |other: &&Told| other.position().distance_squared(told.position());
            let from = shooters.min_by(|a, b| far(a).total_cmp(&far(b)));
            let yaw = from.map_or(0.0, |other| own.bearing(other.position()).yaw);
            percept.hits.push(Hit { damage: lost, yaw });
        }
        Row {
            character: bot - 1,
            alive: true,
            percept: Some(percept),
            command: Some(command),
            events,
            ..Row::default()
        }
    }

    /// The players in view.
    fn see(&mut self, bot: u8, told: &Told, now: &BTreeMap<u8, Told>, percept: &mut Percept) {
        let scene = self.ground.scene();
        for other in now.values().filter(|other| other.bot != bot && other.is_alive()) {
            let parts = PARTS_M.map(|height| other.position() + DVec3::new(0.0, 0.0, height));
            let is_free = parts.iter().any(|&part| scene.sees(told.eye(), part));
            self.agreement.pairs += 1;
            if told.sees >> other.bot & 1 == 1 {
                self.agreement.engine_sees += 1;
                self.agreement.both += u64::from(is_free);
            }
            let in_view = percept.own.bearing(other.position()).yaw.abs() < std::f64::consts::FRAC_PI_4;
            if is_free && in_view {
                percept.characters.push(SeenCharacter {
                    id: other.bot - 1,
                    position: other.position(),
                    velocity: DVec3::new(other.vx, other.vy, 0.0) * SPEED,
                    weapon: None,
                });
            }
        }
    }
}

/// The weapons of a kind: fist, chainsaw, pistol; shotgun, super shotgun, chaingun; rocket launcher, plasma rifle, BFG.
const fn weapons_of(kind: Weapon) -> &'static [usize] {
    match kind.index() {
        0 => &[1, 2, 3],
        1 => &[4, 5, 6],
        _ => &[7, 8, 9],
    }
}

fn own(told: &Told, known: &Known) -> Own {
    let in_hand = Weapon::ALL.into_iter().find(|&kind| weapons_of(kind).contains(&usize::from(told.weapon)));
    Own {
        life: known.life,
        position: told.position(),
        velocity: DVec3::new(told.vx, told.vy, 0.0) * SPEED,
        eye_m: EYE_M,
        yaw: told.facing(),
        pitch: 0.0,
        on_ground: true,
        health: told.health.clamp(0.0, MOST_HEALTH),
        weapon: in_hand.unwrap_or_default(),
        weapons: Weapon::ALL.map(|kind| weapons_of(kind).iter().any(|&slot| known.owned[slot])),
        ammo: Weapon::ALL
            .map(|kind| weapons_of(kind).iter().map(|&slot| known.ammo[slot]).max().unwrap_or(0)),
        ready: told.ammo > 0.0 || told.weapon < 3,
        frags: 0,
        pack: Pack::default(),
    }
}

/// Others who fire.
fn hear(bot: u8, told: &Told, now: &BTreeMap<u8, Told>, number: u32, percept: &mut Percept) {
    let mut ear = Stream::new(u64::from(number).rotate_left(32), u64::from(bot), "doom ear");
    for other in now.values().filter(|other| other.bot != bot && other.buttons & ATTACK != 0) {
        let way = other.position() - told.position();
        let loudness = 1.0 - way.length() / HEARD_M;
        if other.is_alive() && loudness > 0.0 {
            let radius = (-2.0 * libm::log(1.0 - ear.unit())).sqrt();
            let error = radius * libm::cos(std::f64::consts::TAU * ear.unit());
            let yaw = libm::atan2(way.y, way.x) + error * HEARING_ERROR * (1.0 - loudness);
            let yaw = turn_between(told.facing(), yaw);
            percept.noises.push(Noise { sound: Sound::Shot, yaw, loudness });
        }
    }
}

/// What was done in the tics after a state.
fn command(told: &Told, ends: &Told, bot: u8, later: &[BTreeMap<u8, Told>]) -> Command {
    let done: Vec<&Told> =
        later.iter().filter_map(|bots| bots.get(&bot)).filter(|told| told.is_alive()).collect();
    let count = (done.len() as f64).max(1.0);
    let kind = |weapon: u8| match weapon {
        4..=6 => Weapon::Medium,
        7..=9 => Weapon::Strong,
        _ => Weapon::Weak,
    };
    Command {
        yaw: if ends.is_alive() { turn_between(told.facing(), ends.facing()) } else { 0.0 },
        pitch: 0.0,
        forward: (done.iter().map(|told| told.forward).sum::<f64>() / count / FULL_FORWARD).clamp(-1.0, 1.0),
        // To the right is positive for the engine.
        lateral: (-done.iter().map(|told| told.side).sum::<f64>() / count / FULL_SIDEWAYS).clamp(-1.0, 1.0),
        jump: done.iter().any(|told| told.buttons & JUMP != 0),
        fire: if done.iter().any(|told| told.buttons & ATTACK != 0) { Fire::Primary } else { Fire::None },
        weapon: (kind(ends.weapon) != kind(told.weapon)).then(|| kind(ends.weapon)),
    }
}

/// What was picked up, and whether it died.
fn what_followed(ground: &Ground, told: &Told, ends: &Told) -> Vec<Event> {
    let mut events = Vec::new();
    if !ends.is_alive() {
        events.push(Event::Died { by: None, weapon: None });
        return events;
    }
    let is_health = ends.health > told.health;
    let is_arms = ends.weapon != told.weapon || ends.ammo > told.ammo;
    let fits = |item: Item| if item == Item::Health { is_health } else { is_arms };
    let far = |at: DVec3| at.truncate().distance(ends.position().truncate());
    let spots = ground.level().places().spots().iter().enumerate();
    let near = spots.filter(|(_, spot)| fits(spot.item) && far(spot.position) < 1.6);
    if let Some((spot, place)) = near.min_by(|a, b| far(a.1.position).total_cmp(&far(b.1.position))) {
        events.push(Event::PickedUp { spot: spot as u16, item: place.item });
    }
    events
}
