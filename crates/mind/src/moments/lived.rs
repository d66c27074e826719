//! Where a moment was lived: on which map, where, how fast, looking where.

use glam::DVec3;

use super::{Deed, Moments};
use crate::{Item, Own, Places, Weapon};

/// Where and how a moment was lived.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lived {
    /// Number of the map among those of the moments; none where it is not known.
    pub map: Option<u32>,
    pub position: DVec3,
    pub velocity: DVec3,
    pub yaw: f64,
    pub on_ground: bool,
    /// How far the opponent was, where there was one.
    pub foe_m: f64,
    /// How many moments follow on the same trail: in the same life, until something threw the teacher or took them elsewhere.
    pub left: u32,
}

impl Lived {
    /// Of somebody on a map.
    pub fn of(own: &Own, map: Option<u32>, foe: Option<[f64; 3]>) -> Self {
        Lived {
            map,
            position: own.position,
            velocity: own.velocity,
            yaw: own.yaw,
            on_ground: own.on_ground,
            foe_m: foe.map_or(0.0, |foe| foe[2]),
            left: 0,
        }
    }

    /// Whether a body gets from here to there in a moment by itself: no teleporter takes it so far, nothing throws it so fast.
    fn leads_to(&self, next: &Lived) -> bool {
        let thrown = (next.velocity - self.velocity).truncate().length();
        self.position.distance(next.position) < FARTHEST_M && thrown < THROWN_M_PER_SEC
    }
}

/// The teacher between two moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub position: DVec3,
    pub velocity: DVec3,
}

impl At {
    /// Part of the way from a moment to the next; at the end of a trail, there.
    pub fn of(moments: &Moments, on: usize, part: f64) -> Self {
        let on = on.min(moments.len() - 1);
        let from = &moments.lived[on];
        let to = &moments.lived[if from.left > 0 { on + 1 } else { on }];
        At {
            position: from.position.lerp(to.position, part),
            velocity: from.velocity.lerp(to.velocity, part),
        }
    }
}

/// Nobody runs or falls farther in a moment, in metres.
const FARTHEST_M: f64 = 3.5;
/// Nobody changes their velocity more in a moment by running, in metres a second.
const THROWN_M_PER_SEC: f64 = 15.0;

/// Counts how many moments follow each one on its trail.
pub(super) fn count_left(lived: &mut [Lived], deeds: &[Deed]) {
    let mut left = 0;
    for k in (0..lived.len()).rev() {
        let goes_on = deeds.get(k + 1).is_some_and(|next| next.follows) && lived[k].leads_to(&lived[k + 1]);
        left = if goes_on { left + 1 } else { 0 };
        lived[k].left = left;
    }
}

/// A number that tells maps apart: by what lies where, which stays the same when ways are found otherwise; of a map without items, by
/// its points.
pub(crate) fn map_print(places: &Places) -> u64 {
    // FNV-1a, over centimetres.
    let mut print = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: i64| {
        for byte in number.to_le_bytes() {
            print = (print ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    let mut at = |point: DVec3| point.to_array().iter().for_each(|part| add((part * 100.0).round() as i64));
    for spot in places.spots() {
        let kind = |weapon: Weapon| weapon.index() as f64;
        // Quake's items count as what they were taken for before the arena had them, so that files go on to know their maps.
        if spot.item == Item::Quad {
            continue;
        }
        let what = match spot.item.simple() {
            Item::Weapon(weapon) => DVec3::new(1.0, kind(weapon), 0.0),
            Item::Ammo(weapon) => DVec3::new(2.0, kind(weapon), 0.0),
            _ => DVec3::new(3.0, 0.0, 0.0),
        };
        at(what);
        at(spot.position);
    }
    if places.spots().is_empty() {
        places.points().iter().for_each(|&point| at(point));
    }
    print
}
