//! Maps as data: areas with floors and ceilings, the lines between them, items and starts.
//!
//! Seen from above a map is a set of [`Area`]s that do not overlap, as in Doom: each has a floor, which may slope, and
//! a ceiling. [`Line`]s bound them. A line with an area on one side only is a wall; one with areas on both sides is
//! an opening, as high as the two areas leave it: a step, a ledge, a window or a door frame.
//!
//! A map of Quake has a [`stage`](Map::stage) instead, where rooms lie above rooms.

pub mod bsp;
pub mod file;
pub mod shipped;
pub mod wad;

use std::sync::Arc;

use glam::{DVec2, DVec3};
use repertoire_mind::{Item, Timetable};
use serde::{Deserialize, Serialize};

use crate::quake::Stage;

/// A map. [`Level::new`](crate::arena::level::Level::new) checks it and makes it playable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// The areas. Of a map with a stage, its plan from above once a level was made of it: for pictures only.
    pub areas: Vec<Area>,
    /// The lines that bound them; the same holds.
    pub lines: Vec<Line>,
    /// Items.
    pub items: Vec<ItemSpot>,
    /// Where characters appear.
    pub starts: Vec<Start>,
    /// Where teleporters lead, by the number in [`Line::teleport`].
    pub exits: Vec<Start>,
    /// The shape of a map of Quake.
    #[serde(skip)]
    pub stage: Option<Arc<Stage>>,
}

/// A floor that may slope: its height at `(x, y)` is `height_m + slope · (x, y)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// The height at the origin of the map.
    pub height_m: f64,
    /// How much it rises per metre east and north.
    pub slope: DVec2,
}

impl Floor {
    /// A level floor.
    pub const fn flat(height_m: f64) -> Self {
        Floor { height_m, slope: DVec2::ZERO }
    }

    /// Its height at a point.
    pub fn at(&self, at: DVec2) -> f64 {
        self.height_m + self.slope.dot(at)
    }
}

/// A piece of ground with one floor and one ceiling.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its name, for messages.
    pub name: String,
    /// Its floor.
    pub floor: Floor,
    /// The height of its ceiling.
    pub ceiling_m: f64,
    /// If its floor is a lift: when it is where. The floor is then level and follows the timetable.
    pub lift: Option<Timetable>,
    /// Health that standing on its floor costs, per second.
    pub harm_per_sec: f64,
}

/// A line from `a` to `b` that bounds areas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its start.
    pub a: DVec2,
    /// Its end.
    pub b: DVec2,
    /// The area to the right of the way from `a` to `b`.
    pub right: u16,
    /// The area to the left; a wall has none.
    pub left: Option<u16>,
    /// Bars bodies but not shots and sight, as a fence does.
    pub fence: bool,
    /// Crossing it from right to left leads to this exit of the map.
    pub teleport: Option<u16>,
}

/// Where an item lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemSpot {
    /// What lies there.
    pub item: Item,
    /// Where; it lies on the floor.
    pub at: DVec2,
    /// Where rooms lie above rooms: on the floor below this height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_m: Option<f64>,
}

/// Where a character appears, or comes out of a teleporter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Where; on the floor.
    pub at: DVec2,
    /// Where it looks, in radians.
    pub yaw: f64,
    /// Where rooms lie above rooms: on the floor below this height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_m: Option<f64>,
}

/// What of a map a [`Fault`] is about, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The map as a whole.
    Map,
    /// [`Map::areas`].
    Area(usize),
    /// [`Map::lines`].
    Line(usize),
    /// [`Map::items`].
    Item(usize),
    /// [`Map::starts`].
    Start(usize),
    /// [`Map::exits`].
    Exit(usize),
}

/// Something that makes a map unplayable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what}: {remedy}")]
pub struct Fault {
    /// What it is about.
    pub subject: Subject,
    /// Where, if it is at one place.
    pub at: Option<DVec2>,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl Map {
    /// The smallest box around all lines.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let mut low = DVec2::splat(f64::INFINITY);
        let mut high = DVec2::splat(f64::NEG_INFINITY);
        for line in &self.lines {
            low = low.min(line.a).min(line.b);
            high = high.max(line.a).max(line.b);
        }
        (low, high)
    }

    /// The timetables of its lifts, numbered as [`repertoire_mind::Places::lifts`].
    pub fn lifts(&self) -> Vec<Timetable> {
        match &self.stage {
            Some(stage) => stage.lifts.iter().map(bsp::timetable).collect(),
            None => self.areas.iter().filter_map(|area| area.lift).collect(),
        }
    }
}

/// A position on a floor, from above.
pub fn standing(at: DVec2, floor_m: f64) -> DVec3 {
    DVec3::new(at.x, at.y, floor_m)
}
