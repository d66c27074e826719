//! A map of Quake as a map of the arena: starts, items, teleporters and lifts in metres.
//!
//! The arena has three weapons and one kind of health; Quake's are taken by what they are worth. What a map had and its import has
//! not is told in words.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use repertoire_mind::{Item, Timetable, Weapon};

use super::{ItemSpot, Map, Start};
use crate::arena::space::hulls::{feet_of, metres};
use crate::quake::stage::{Lift, Spot};
use crate::quake::{Bsp, BspError, Stage, UNITS_PER_METRE, Vec3};

/// Lifts rest this long at either end.
const REST_SECS: f64 = 3.0;
/// `NOT_IN_DEATHMATCH` among the spawn flags.
const NOT_IN_DEATHMATCH: u32 = 2048;

/// What an import gives.
#[derive(Debug)]
pub struct Imported {
    /// The map.
    pub map: Map,
    /// What it does not have that the original had, in words.
    pub notes: Vec<String>,
}

/// Reads a map of Quake (BSP 29), plain or packed by gzip.
///
/// # Errors
/// When it is no such map, or damaged.
pub fn import(name: &str, bytes: &[u8]) -> Result<Imported, BspError> {
    let map = of_stage(name, Arc::new(Stage::new(Bsp::read_packed(bytes)?)));
    let notes = notes(&map);
    Ok(Imported { map, notes })
}

/// The map of a stage.
pub(super) fn of_stage(name: &str, stage: Arc<Stage>) -> Map {
    Map {
        name: name.to_owned(),
        items: items(&stage),
        starts: stage.starts.iter().map(start).collect(),
        exits: stage.exits.iter().map(start).collect(),
        stage: Some(stage),
        ..Map::default()
    }
}

/// When a lift is where.
pub(crate) fn timetable(lift: &Lift) -> Timetable {
    let to_metres = |units: f32| f64::from(units / UNITS_PER_METRE);
    Timetable {
        low_m: to_metres(lift.top - lift.travel),
        high_m: to_metres(lift.top),
        rest_secs: REST_SECS,
        metres_per_sec: to_metres(lift.speed),
    }
}

fn start(spot: &Spot) -> Start {
    let feet = feet_of(spot.origin);
    Start { at: feet.truncate(), yaw: f64::from(spot.yaw_deg).to_radians(), height_m: Some(feet.z) }
}

fn items(stage: &Stage) -> Vec<ItemSpot> {
    let meant = stage.map.entities.iter().filter(|entity| entity.flags() & NOT_IN_DEATHMATCH == 0);
    let placed = meant.filter_map(|entity| {
        let (item, corner) = meaning(entity.kind(), entity.flags())?;
        let at = middle(entity.origin()?, corner);
        Some(ItemSpot { item, at: at.truncate(), height_m: Some(at.z) })
    });
    placed.collect()
}

/// The middle of an item: of some the origin is a corner of their box, half a body aside.
fn middle(origin: Vec3, is_corner: bool) -> DVec3 {
    let aside = if is_corner { 16.0 } else { 0.0 };
    metres([origin[0] + aside, origin[1] + aside, origin[2] + 1.0])
}

/// What a thing is worth, and whether its place is a corner of its box.
fn meaning(kind: &str, flags: u32) -> Option<(Item, bool)> {
    Some(match kind {
        "weapon_supershotgun" | "weapon_nailgun" | "weapon_supernailgun" => {
            (Item::Weapon(Weapon::Medium), false)
        }
        "weapon_grenadelauncher" | "weapon_rocketlauncher" | "weapon_lightning" => {
            (Item::Weapon(Weapon::Strong), false)
        }
        "item_shells" | "item_spikes" => (Item::Ammo(Weapon::Medium), true),
        "item_rockets" | "item_cells" => (Item::Ammo(Weapon::Strong), true),
        // Ammunition of the first maps: a flag says which.
        "item_weapon" if flags & 2 != 0 => (Item::Ammo(Weapon::Strong), true),
        "item_weapon" => (Item::Ammo(Weapon::Medium), true),
        "item_health" => (Item::Health, true),
        "item_armor1" | "item_armor2" | "item_armorInv" => (Item::Health, false),
        _ => return None,
    })
}

/// What is not as in Quake.
fn notes(map: &Map) -> Vec<String> {
    let Some(stage) = &map.stage else { return Vec::new() };
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for entity in stage.map.entities.iter().filter(|entity| entity.flags() & NOT_IN_DEATHMATCH == 0) {
        let why = match entity.kind() {
            "func_door" | "func_door_secret" => {
                "doors do not move: each stands where more of it is inside walls"
            }
            "func_train" => "trains are not there",
            "func_button" => "buttons do nothing",
            "func_plat" => "lifts go up and down by the clock",
            "trigger_push" => "pushes do nothing",
            "trigger_hurt" => "places that hurt do nothing",
            kind if kind.starts_with("weapon_") => "weapons are the arena's medium and strong ones",
            kind if kind.starts_with("item_armor") => "armour is health",
            kind if kind.starts_with("item_artifact") => "artefacts are left out",
            kind if kind.starts_with("monster_") => "monsters are left out",
            _ => continue,
        };
        *left_out.entry(why).or_default() += 1;
    }
    left_out.into_iter().map(|(why, count)| format!("{why} ({count})")).collect()
}
