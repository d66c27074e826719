//! Maps from Doom's files: WAD archives with maps in the format of Doom and Boom.
//!
//! | Doom                                   | here                                                             |
//! |----------------------------------------|------------------------------------------------------------------|
//! | 32 map units                           | 1 metre: a body is 1 m wide and 1.75 m high, a step 0.75 m       |
//! | sector with room in it                 | an [`Area`] named `sector 12`                                    |
//! | sector without room, and no door       | solid: the lines around it become walls                          |
//! | door                                   | stands open, 4 units below the lowest ceiling around it          |
//! | lift                                   | goes down and up all the time, with Doom's speed and rests       |
//! | lift without room at the top           | stays down: it opens a passage or shows an item                  |
//! | any other moving floor or ceiling      | stays as the level begins                                        |
//! | one-sided line                         | a wall                                                           |
//! | two-sided line with "impassable"       | a fence                                                          |
//! | teleporter crossed by players          | [`Line::teleport`], from right to left, as in Doom               |
//! | floor that hurts                       | [`Area::harm_per_sec`]: 5, 10 or 20 each 32 tics of 1/35 s       |
//! | deathmatch starts; players' if under 2 | [`Map::starts`]                                                  |
//! | weapons, ammunition, health            | see `things.rs`                                                  |
//!
//! What else a map holds is left out, and [`Imported::notes`] says so. A sector whose outline is open is refused,
//! because characters could walk out of the world there.
//!
//! Files come from anywhere: whatever the bytes, the answer is a map or an error, after time and memory in
//! proportion to the file.

mod error;
mod locate;
mod lumps;
mod notes;
mod outline;
mod records;
mod sectors;
mod specials;
mod things;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;

pub use self::error::WadError;
use self::locate::Locator;
use self::lumps::Wad;
use self::notes::Notes;
use self::records::{Edge, Point, Records};
use self::sectors::Ground;
use self::specials::Action;
use super::{Area, Floor, ItemSpot, Line, Map, Start};

/// A map, and what became of what it had.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The map.
    pub map: Map,
    /// What was left out or changed, for people: `3 doors opened for good`.
    pub notes: Vec<String>,
}

/// Map units in a metre: a player is 32 units wide.
const UNITS_PER_METRE: f64 = 32.0;
/// Doom's clock.
const TICS_PER_SEC: f64 = 35.0;

/// The names of the maps in a file, in its order.
///
/// ```
/// let error = repertoire_worlds::arena::map::wad::list(b"PK\x03\x04 and more").unwrap_err();
/// assert!(error.to_string().ends_with("unzip it first"));
/// ```
pub fn list(bytes: &[u8]) -> Result<Vec<String>, WadError> {
    Ok(Wad::new(bytes)?.maps())
}

/// The map of a name, such as `MAP01` or `e1m1`.
pub fn import(bytes: &[u8], map: &str) -> Result<Imported, WadError> {
    let wad = Wad::new(bytes)?;
    let lumps = wad.map(map)?;
    if lumps.has("TEXTMAP") {
        return Err(WadError::Udmf { map: lumps.name.to_owned() });
    }
    if lumps.has("BEHAVIOR") {
        return Err(WadError::Hexen { map: lumps.name.to_owned() });
    }
    let records = Records::read(&lumps)?;
    let mut notes = Notes::default();
    note_lost_actions(&records.edges, &mut notes);
    let grounds = sectors::settle(&records, &mut notes);
    let edges = outline::draw(&records.edges, &grounds, &mut notes)?;
    let placed = things::place(&records.things, &records.sectors, &Locator::new(&edges), &mut notes);

    let (areas, area_of) = areas(&edges, &grounds);
    let (lines, exits) = lines(&edges, &area_of, &placed.exits, &mut notes);
    let name = lumps.name.to_owned();
    let map = Map { name, areas, lines, items: placed.items, starts: placed.starts, exits, stage: None };
    Ok(Imported { map, notes: notes.sentences() })
}

fn metres(units: i16) -> f64 {
    f64::from(units) / UNITS_PER_METRE
}

/// The sectors that some edge bounds, as areas, and each one's number among them.
fn areas(edges: &[Edge], grounds: &[Ground]) -> (Vec<Area>, BTreeMap<u16, u16>) {
    let used: BTreeSet<u16> = edges.iter().flat_map(|edge| [edge.right, edge.left]).flatten().collect();
    let mut areas = Vec::with_capacity(used.len());
    let mut area_of = BTreeMap::new();
    for (number, sector) in (0..=u16::MAX).zip(used) {
        let Some(ground) = grounds.get(usize::from(sector)) else { continue };
        area_of.insert(sector, number);
        areas.push(Area {
            name: format!("sector {sector}"),
            floor: Floor::flat(
                ground.lift.map_or(f64::from(ground.floor) / UNITS_PER_METRE, |lift| lift.high_m),
            ),
            ceiling_m: f64::from(ground.ceiling) / UNITS_PER_METRE,
            lift: ground.lift,
            harm_per_sec: ground.harm_per_sec,
        });
    }
    (areas, area_of)
}

/// The edges as lines, and the exits that their teleporters lead to.
fn lines(
    edges: &[Edge],
    area_of: &BTreeMap<u16, u16>,
    exit_of: &BTreeMap<u16, Start>,
    notes: &mut Notes,
) -> (Vec<Line>, Vec<Start>) {
    let point = |at: Point| DVec2::new(metres(at.x), metres(at.y));
    let area = |sector: Option<u16>| sector.and_then(|sector| area_of.get(&sector)).copied();
    let mut lines = Vec::with_capacity(edges.len());
    let mut exits = Vec::new();
    let mut number_of: BTreeMap<u16, u16> = BTreeMap::new();
    for edge in edges {
        let Some(right) = area(edge.right) else { continue };
        let left = area(edge.left);
        let mut teleport = None;
        if left.is_some() && specials::read(edge.special).0 == Action::Teleport {
            // Tag 0 is what sectors without a tag have: such a line leads nowhere.
            let exit = exit_of.get(&edge.tag).filter(|_| edge.tag != 0);
            teleport = exit.and_then(|exit| {
                let next = u16::try_from(exits.len()).ok()?;
                let number = *number_of.entry(edge.tag).or_insert(next);
                if number == next {
                    exits.push(*exit);
                }
                Some(number)
            });
            if teleport.is_none() {
                notes.add(
                    1,
                    ("teleporter that leads nowhere ignored", "teleporters that lead nowhere ignored"),
                );
            }
        }
        lines.push(Line {
            a: point(edge.a),
            b: point(edge.b),
            right,
            left,
            fence: outline::is_fence(edge),
            teleport,
        });
    }
    (lines, exits)
}

/// What lines do in Doom and not here. Doors, lifts and floors are counted by sector instead.
fn note_lost_actions(edges: &[Edge], notes: &mut Notes) {
    for edge in edges {
        let lost = match specials::read(edge.special).0 {
            Action::OtherTeleport => (
                "teleporter left out that is pressed or leads to a line",
                "teleporters left out that are pressed or lead to lines",
            ),
            Action::Exit => ("way out of the level left out", "ways out of the level left out"),
            Action::Drift => {
                ("conveyor, wind or slippery floor left out", "conveyors, winds or slippery floors left out")
            }
            Action::Unknown => {
                ("line with an unknown action made plain", "lines with unknown actions made plain")
            }
            _ => continue,
        };
        notes.add(1, lost);
    }
}
