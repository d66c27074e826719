//! Moments as a file: whole numbers, so that the same moments give the same text.
//!
//! | format                 | what it has                                                              |
//! |------------------------|--------------------------------------------------------------------------|
//! | `repertoire moments 1` | situations and deeds; such hands play everywhere as on a strange map      |
//! | `repertoire moments 2` | also where each moment was lived                                          |

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::lived::Lived;
use super::{Deed, FEATURES, Moments, NoMoments};
use crate::{Command, Fire};

/// What a file of moments says that it is, with a number after it.
pub const FORMAT: &str = "repertoire moments";

/// Moments as they are written: whole numbers, thousandths.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MomentsFile {
    format: String,
    features: usize,
    situations: Vec<i32>,
    /// Turn, tilt, forward, lateral, then bits (1 jump, 2 fire, 4 foe, 8 follows), turn and tilt to the foe, and the pitch.
    deeds: Vec<[i32; 8]>,
    /// A number for each map that moments were lived on, as hexadecimal text.
    #[serde(default)]
    maps: Vec<String>,
    /// Number of the map (-1 for none), place, velocity, yaw (hundred-thousandths), 1 on the ground, how far the foe was.
    #[serde(default)]
    lived: Vec<[i32; 10]>,
}

const PARTS: f64 = 1000.0;
/// Views are written more finely than the rest: people's still views differ by less than a thousandth.
const ANGLE_PARTS: f64 = 100_000.0;

fn parts(number: f64) -> i32 {
    (number * PARTS).round() as i32
}

fn whole(parts: i32) -> f64 {
    f64::from(parts) / PARTS
}

impl Deed {
    fn written(&self) -> [i32; 8] {
        let Deed { command, foe, pitch: looked, follows } = self;
        let [yaw, pitch] = foe.unwrap_or_default();
        let bits = i32::from(command.jump)
            | i32::from(command.fire != Fire::None) << 1
            | i32::from(foe.is_some()) << 2
            | i32::from(*follows) << 3;
        let numbers = [command.yaw, command.pitch, command.forward, command.lateral].map(parts);
        let [turn, tilt, forward, lateral] = numbers;
        [turn, tilt, forward, lateral, bits, parts(yaw), parts(pitch), parts(*looked)]
    }

    fn read(&[yaw, pitch, forward, lateral, bits, turn, tilt, looked]: &[i32; 8]) -> Self {
        Deed {
            command: Command {
                yaw: whole(yaw),
                pitch: whole(pitch),
                forward: whole(forward),
                lateral: whole(lateral),
                jump: bits & 1 != 0,
                fire: if bits & 2 != 0 { Fire::Primary } else { Fire::None },
                weapon: None,
            },
            foe: (bits & 4 != 0).then(|| [whole(turn), whole(tilt)]),
            pitch: whole(looked),
            follows: bits & 8 != 0,
        }
    }
}

impl Lived {
    fn written(&self) -> [i32; 10] {
        let map = self.map.map_or(-1, |map| map as i32);
        let [x, y, z] = self.position.to_array().map(parts);
        let [vx, vy, vz] = self.velocity.to_array().map(parts);
        let yaw = (self.yaw * ANGLE_PARTS).round() as i32;
        [map, x, y, z, vx, vy, vz, yaw, i32::from(self.on_ground), parts(self.foe_m)]
    }

    fn read(&[map, x, y, z, vx, vy, vz, yaw, on_ground, foe_mm]: &[i32; 10]) -> Self {
        Lived {
            map: u32::try_from(map).ok(),
            position: DVec3::new(whole(x), whole(y), whole(z)),
            velocity: DVec3::new(whole(vx), whole(vy), whole(vz)),
            yaw: f64::from(yaw) / ANGLE_PARTS,
            on_ground: on_ground != 0,
            foe_m: whole(foe_mm),
            left: 0,
        }
    }
}

impl Moments {
    /// As text.
    pub fn write(&self) -> String {
        let file = MomentsFile {
            format: format!("{FORMAT} 2"),
            features: FEATURES,
            situations: self.situations.iter().flatten().map(|&number| parts(f64::from(number))).collect(),
            deeds: self.deeds.iter().map(Deed::written).collect(),
            maps: self.maps.iter().map(|map| format!("{map:016x}")).collect(),
            lived: self.lived.iter().map(Lived::written).collect(),
        };
        serde_json::to_string(&file).unwrap_or_else(|error| unreachable!("numbers are plain data: {error}"))
    }

    /// From text, of this version or the one before.
    ///
    /// # Errors
    /// When it is something else, damaged, or of a later version.
    pub fn read(text: &str) -> Result<Self, NoMoments> {
        let refuse = |why: &str| Err(NoMoments(why.to_owned()));
        let file: MomentsFile = serde_json::from_str(text).map_err(|error| NoMoments(error.to_string()))?;
        let is_old = file.format == format!("{FORMAT} 1");
        if !is_old && file.format != format!("{FORMAT} 2") || file.features != FEATURES {
            let format = &file.format;
            return Err(NoMoments(format!(
                "its format is `{format}`, and this program reads `{FORMAT} 1` and `2`"
            )));
        }
        let count = file.deeds.len();
        if count == 0 || file.situations.len() != count * FEATURES {
            return refuse("it has not as many situations as deeds");
        }
        let maps: Result<Vec<u64>, _> = file.maps.iter().map(|map| u64::from_str_radix(map, 16)).collect();
        let Ok(maps) = maps else { return refuse("the number of a map is not hexadecimal") };
        let lived: Vec<Lived> = match is_old {
            true => vec![Lived::default(); count],
            false => file.lived.iter().map(Lived::read).collect(),
        };
        let is_known = |one: &Lived| one.map.is_none_or(|map| (map as usize) < maps.len());
        if lived.len() != count || !lived.iter().all(is_known) {
            return refuse("it does not say of every moment where it was lived");
        }
        let deeds: Vec<Deed> = file.deeds.iter().map(Deed::read).collect();
        let situation = |parts: &[i32]| std::array::from_fn(|k| whole(parts[k]) as f32);
        let situations = file.situations.chunks_exact(FEATURES).map(situation).collect();
        Ok(Moments::new(situations, deeds, lived, maps))
    }
}
