//! A map of Quake as a map of the arena: starts, items, teleporters and lifts in metres.
//!
//! What a map had and its import has not is told in words.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use repertoire_mind::{AMMUNITION, Armour, Item, Timetable, Weapon};

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
    let mut items: Vec<ItemSpot> = placed.collect();
    // Last, so that other items keep the numbers that they had before there was a quad.
    items.sort_by_key(|spot| spot.item == Item::Quad);
    items
}

/// The middle of an item: of some the origin is a corner of their box, half a body aside.
fn middle(origin: Vec3, is_corner: bool) -> DVec3 {
    let aside = if is_corner { 16.0 } else { 0.0 };
    metres([origin[0] + aside, origin[1] + aside, origin[2] + 1.0])
}

/// What a thing is, and whether its place is a corner of its box.
fn meaning(kind: &str, flags: u32) -> Option<(Item, bool)> {
    let boxed = |weapon: Weapon, is_large: bool| match is_large {
        true => (Item::LargeAmmo(weapon), true),
        false => (Item::Ammo(weapon), true),
    };
    let [shells, nails, rockets, cells] = AMMUNITION;
    Some(match kind {
        "weapon_supershotgun" => (Item::Weapon(Weapon::SuperShotgun), false),
        "weapon_nailgun" => (Item::Weapon(Weapon::Nailgun), false),
        "weapon_supernailgun" => (Item::Weapon(Weapon::SuperNailgun), false),
        "weapon_grenadelauncher" => (Item::Weapon(Weapon::GrenadeLauncher), false),
        "weapon_rocketlauncher" => (Item::Weapon(Weapon::RocketLauncher), false),
        "weapon_lightning" => (Item::Weapon(Weapon::LightningGun), false),
        "item_shells" => boxed(shells, flags & 1 != 0),
        "item_spikes" => boxed(nails, flags & 1 != 0),
        "item_rockets" => boxed(rockets, flags & 1 != 0),
        "item_cells" => boxed(cells, flags & 1 != 0),
        // Ammunition of the first maps: flags say which, and how much.
        "item_weapon" if flags & 2 != 0 => boxed(rockets, flags & 8 != 0),
        "item_weapon" if flags & 4 != 0 => boxed(nails, flags & 8 != 0),
        "item_weapon" => boxed(shells, flags & 8 != 0),
        "item_health" if flags & 2 != 0 => (Item::MegaHealth, true),
        "item_health" if flags & 1 != 0 => (Item::SmallHealth, true),
        "item_health" => (Item::Health, true),
        "item_armor1" => (Item::Armour(Armour::Green), false),
        "item_armor2" => (Item::Armour(Armour::Yellow), false),
        "item_armorInv" => (Item::Armour(Armour::Red), false),
        "item_artifact_super_damage" => (Item::Quad, false),
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
            "trigger_push" => "pushes throw whoever touches them, but no known way leads through them",
            "trigger_hurt" => "places that hurt do nothing",
            "item_artifact_super_damage" => continue,
            kind if kind.starts_with("item_artifact") => "artefacts other than the quad are left out",
            kind if kind.starts_with("monster_") => "monsters are left out",
            _ => continue,
        };
        *left_out.entry(why).or_default() += 1;
    }
    left_out.into_iter().map(|(why, count)| format!("{why} ({count})")).collect()
}
