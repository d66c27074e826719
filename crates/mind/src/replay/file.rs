//! A replay as a file: whole numbers, so that the same play gives the same text.
//!
//! `repertoire replay 1` is one JSON object: `format`, `player`, `map` (a number that tells maps apart, hexadecimal) and `moments`, each
//! a list of 13 whole numbers: its number from the first, bits (1 a life begins, 2 on the ground, 4 jumps, 8 fires), place, velocity (thousandths of
//! metres), yaw and pitch (hundred-thousandths), the weapon (-1 where it is not known), keys forward and to the left (thousandths).

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{Moment, NoReplay, Replay};
use crate::Weapon;

/// What a replay's file says that it is, with a number after it.
pub const FORMAT: &str = "repertoire replay";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplayFile {
    format: String,
    player: String,
    map: String,
    moments: Vec<[i32; NUMBERS]>,
}

const NUMBERS: usize = 13;
const PARTS: f64 = 1000.0;
/// Views are written more finely: people's still views differ by less than a thousandth.
const ANGLE_PARTS: f64 = 100_000.0;
/// Nobody is farther from the middle of a map, or faster.
const MOST: f64 = 10_000.0;

fn whole(number: f64, parts: f64) -> i32 {
    (number * parts).round() as i32
}

/// Every weapon, in the order of their numbers in files.
fn weapons() -> impl Iterator<Item = Weapon> {
    Weapon::ALL.into_iter().chain(Weapon::QUAKE)
}

impl Moment {
    fn written(&self) -> [i32; NUMBERS] {
        let bits = i32::from(self.begins)
            | i32::from(self.on_ground) << 1
            | i32::from(self.jumps) << 2
            | i32::from(self.fires) << 3;
        let [x, y, z] = self.position.to_array().map(|part| whole(part, PARTS));
        let [vx, vy, vz] = self.velocity.to_array().map(|part| whole(part, PARTS));
        let [yaw, pitch] = [self.yaw, self.pitch].map(|angle| whole(angle, ANGLE_PARTS));
        let weapon = self.weapon.and_then(|weapon| weapons().position(|other| other == weapon));
        let weapon = weapon.map_or(-1, |weapon| weapon as i32);
        let [forward, lateral] = self.keys.map(|key| whole(key, PARTS));
        [self.number as i32, bits, x, y, z, vx, vy, vz, yaw, pitch, weapon, forward, lateral]
    }

    /// None if the numbers are none of a moment.
    fn read(numbers: &[i32; NUMBERS]) -> Option<Self> {
        let [number, bits, x, y, z, vx, vy, vz, yaw, pitch, weapon, forward, lateral] = *numbers;
        let metres = |parts: [i32; 3]| {
            let all = parts.map(|part| f64::from(part) / PARTS);
            all.iter().all(|part| part.abs() < MOST).then(|| DVec3::from_array(all))
        };
        let angle = |parts: i32| {
            let angle = f64::from(parts) / ANGLE_PARTS;
            (angle.abs() < 4.0).then_some(angle)
        };
        let key = |parts: i32| {
            let key = f64::from(parts) / PARTS;
            (key.abs() <= 1.0).then_some(key)
        };
        Some(Moment {
            number: u32::try_from(number).ok()?,
            begins: bits & 1 != 0,
            position: metres([x, y, z])?,
            velocity: metres([vx, vy, vz])?,
            yaw: angle(yaw)?,
            pitch: angle(pitch)?,
            on_ground: bits & 2 != 0,
            weapon: match weapon {
                -1 => None,
                weapon => Some(weapons().nth(usize::try_from(weapon).ok()?)?),
            },
            keys: [key(forward)?, key(lateral)?],
            jumps: bits & 4 != 0,
            fires: bits & 8 != 0,
        })
    }
}

impl Replay {
    /// As text.
    pub fn write(&self) -> String {
        let file = ReplayFile {
            format: format!("{FORMAT} 1"),
            player: self.player.clone(),
            map: format!("{:016x}", self.map),
            moments: self.moments.iter().map(Moment::written).collect(),
        };
        serde_json::to_string(&file).unwrap_or_else(|error| unreachable!("numbers are plain data: {error}"))
    }

    /// From text.
    ///
    /// # Errors
    /// When it is something else, damaged, or of a later version.
    pub fn read(text: &str) -> Result<Self, NoReplay> {
        let file: ReplayFile = serde_json::from_str(text).map_err(|error| NoReplay(error.to_string()))?;
        if file.format != format!("{FORMAT} 1") {
            let format = &file.format;
            return Err(NoReplay(format!("its format is `{format}`, and this program reads `{FORMAT} 1`")));
        }
        let map = u64::from_str_radix(&file.map, 16).map_err(|_| {
            NoReplay(format!("the number of its map is `{}`, which is not hexadecimal", file.map))
        })?;
        let moment = |(k, numbers): (usize, &[i32; NUMBERS])| {
            Moment::read(numbers)
                .ok_or_else(|| NoReplay(format!("moment {k} (the first is 0) is out of range: {numbers:?}")))
        };
        let moments = file.moments.iter().enumerate().map(moment).collect::<Result<_, _>>()?;
        Replay::new(file.player, map, moments)
    }
}
