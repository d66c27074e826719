//! Maps as TOML: drawn by people as areas with outlines, or raw, as importers write them.
//!
//! People write areas in metres, each with its own outline. Where two outlines share a part of an edge there is an
//! opening; everything else is wall. Corners are moved to a grid of 1/1024 m, and those on neighbouring points of it
//! are one, so that outlines need not agree to the last digit.
//!
//! ```toml
//! name = "yard"
//!
//! [[area]]
//! name = "hall"
//! floor = 0.0                                   # 0 if left out
//! ceiling = 4.0                                 # that of the area around it if left out
//! outline = [[0, 0], [20, 0], [20, 12], [0, 12]]  # either direction, closes itself
//!
//! [[area]]
//! name = "stage"
//! inside = "hall"                               # cut out of it: platforms, pits, steps
//! rect = [8, 4, 4, 4]                           # x, y, width, height instead of an outline
//! floor = 1.5
//!
//! [[area]]
//! name = "way up"
//! inside = "hall"
//! rect = [8, 2, 4, 2]
//! slope = { to = 1.5, toward = "north" }        # a ramp; or, for steps:
//! # stairs = { to = 1.5, toward = "north", steps = 3 }
//! # lift = { to = 1.5, rest = 3, speed = 2 }    # between `floor` and `to`
//! # harm = 10                                   # health a second
//!
//! [[pillar]]                                    # solid
//! inside = "hall"
//! rect = [16, 5, 1, 1]
//!
//! [[item]]
//! kind = "health"
//! at = [2, 2]
//!
//! [[start]]
//! at = [2, 10]
//! facing = 270                                  # degrees, 0 to the east, counter-clockwise
//! ```
//!
//! Two more may be laid along openings: `[[fence]] along = [[x, y], [x, y]]` bars bodies but not shots;
//! `[[teleport]] from = [[x, y], [x, y]], to = [x, y], facing = 90` takes who crosses it from its right.
//!
//! | module      | what it holds                                       |
//! |-------------|-----------------------------------------------------|
//! | `format`    | what may be written, and its JSON schema            |
//! | `drawn`     | from outlines to areas and lines                    |
//! | `raw`       | the form of importers, taken as it is               |
//! | `quake`     | a map of Quake, packed                              |
//! | `plane`     | points, outlines and regions, in whole numbers      |
//! | `write`     | any map as TOML                                     |

mod drawn;
mod format;
mod plane;
mod quake;
mod raw;
#[cfg(test)]
mod tests;
mod write;

use std::ops::Range;

use glam::DVec2;
use repertoire_authored::{Mistake, Spanned, nearest};
use repertoire_mind::Item;

use super::{Fault, ItemSpot, Map, Start, Subject};
pub use write::write;

/// A map with the places in its file where its parts were written.
#[derive(Clone, Debug)]
pub struct Authored {
    /// The map.
    pub map: Map,
    text: String,
    spans: Spans,
}

/// Where each part of a map was written, by its number there.
#[derive(Clone, Debug, Default)]
struct Spans {
    areas: Vec<Range<usize>>,
    lines: Vec<Range<usize>>,
    items: Vec<Range<usize>>,
    starts: Vec<Range<usize>>,
    exits: Vec<Range<usize>>,
}

impl Authored {
    /// A fault of the map as a mistake in its file.
    pub fn mistake(&self, fault: &Fault) -> Mistake {
        let span = match fault.subject {
            Subject::Map => None,
            Subject::Area(i) => self.spans.areas.get(i),
            Subject::Line(i) => self.spans.lines.get(i),
            Subject::Item(i) => self.spans.items.get(i),
            Subject::Start(i) => self.spans.starts.get(i),
            Subject::Exit(i) => self.spans.exits.get(i),
        };
        Mistake::at(&self.text, span.cloned().unwrap_or(0..0), fault.what.as_str(), fault.remedy.as_str())
    }
}

/// Reads a map.
///
/// What can be wrong with a file is answered here; whether the map can be played, by
/// [`Level::new`](crate::arena::level::Level::new).
pub fn read(text: &str) -> Result<Authored, Mistake> {
    let file: format::MapFile = repertoire_authored::read(text)?;
    if let Some(packed) = &file.quake {
        let map = quake::build(text, &file, packed)?;
        return Ok(Authored { map, text: text.to_owned(), spans: Spans::default() });
    }
    let mut map = Map { name: file.name.clone(), ..Map::default() };
    let mut spans = Spans::default();
    for spot in &file.item {
        map.items.push(item(text, spot.get_ref())?);
        spans.items.push(spot.get_ref().at.span());
    }
    for spot in &file.start {
        map.starts.push(start(text, spot.get_ref())?);
        spans.starts.push(spot.get_ref().at.span());
    }
    match &file.raw {
        Some(raw) => raw::build(text, &file, raw, &mut map, &mut spans)?,
        None => drawn::build(text, &file, &mut map, &mut spans)?,
    }
    Ok(Authored { map, text: text.to_owned(), spans })
}

/// The JSON schema of a map file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(format::MapFile)
}

fn item(text: &str, item: &format::ItemFile) -> Result<ItemSpot, Mistake> {
    let kind = item.kind.get_ref();
    let known: Result<Item, _> = kind.parse();
    let found = known.map_err(|_| {
        let names = Item::ALL.map(Item::name);
        let remedy = match nearest(kind, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", names.join(", ")),
        };
        Mistake::at(text, item.kind.span(), format!("there is no item `{kind}`"), remedy)
    })?;
    Ok(ItemSpot { item: found, at: position(text, &item.at)?, height_m: None })
}

fn start(text: &str, start: &format::StartFile) -> Result<Start, Mistake> {
    let at = position(text, &start.at)?;
    let yaw = match (&start.yaw, start.facing) {
        (Some(yaw), Some(_)) => {
            let what = "`yaw` and `facing` say the same in radians and degrees";
            return Err(Mistake::at(text, yaw.span(), what, "keep one of them"));
        }
        (Some(yaw), None) => *yaw.get_ref(),
        (None, facing) => facing.unwrap_or(0.0).to_radians(),
    };
    if !yaw.is_finite() {
        let what = "where it looks is not a number";
        return Err(Mistake::at(text, start.at.span(), what, "write an angle in degrees"));
    }
    Ok(Start { at, yaw, height_m: None })
}

fn position(text: &str, at: &Spanned<[f64; 2]>) -> Result<DVec2, Mistake> {
    let position = DVec2::from_array(*at.get_ref());
    if position.is_finite() {
        return Ok(position);
    }
    Err(Mistake::at(text, at.span(), "this point is nowhere", "write two numbers, in metres"))
}
