//! Snapshots of recorded play: where everybody stood at one moment, such as when the bomb was planted.
//!
//! A CSV with the columns `state` (one moment; its rows follow each other), `site`, `side` and `nav_area`: a row for each
//! living player.

use std::collections::BTreeMap;

use repertoire_belief::Graph;
use repertoire_belief::snapshot::Snapshot;

use crate::csv::unreadable;
use crate::movement::mistake;
use crate::{TraceError, source};

/// Reads snapshots, plain or gzip; gives them with the names of the sides.
///
/// # Errors
/// When a column is missing, or a row names an area that is not among the places.
pub fn read(bytes: Vec<u8>, places: &Graph) -> Result<(Vec<Snapshot>, Vec<String>), TraceError> {
    let bytes = source::unpack(bytes)?;
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let head = rows.headers().map_err(|error| unreadable(&error, 0))?.clone();
    let column = |name: &str| {
        head.iter().position(|column| column.trim() == name).ok_or_else(|| {
            let remedy = "name the columns state, site, side, nav_area";
            mistake(1, "", format!("there is no column `{name}`"), remedy)
        })
    };
    let columns = [column("state")?, column("site")?, column("side")?, column("nav_area")?];
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let (mut states, mut sides): (Vec<(String, Snapshot)>, Vec<String>) = (Vec::new(), Vec::new());
    for row in rows.records() {
        let row = row.map_err(|error| unreadable(&error, 0))?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |k: usize| {
            row.get(columns[k]).map(str::trim).ok_or_else(|| {
                mistake(line, "", "the line ends early".to_owned(), "give as many cells as there are columns")
            })
        };
        let (state, site, side, area) = (cell(0)?, cell(1)?, cell(2)?, cell(3)?);
        let Some(&place) = area.parse().ok().and_then(|id: u32| index.get(&id)) else {
            let what = format!("area `{area}` is not in the mesh");
            return Err(mistake(line, "", what, "give the mesh of the same map").into());
        };
        let side = sides.iter().position(|known| known == side).unwrap_or_else(|| {
            sides.push(side.to_owned());
            sides.len() - 1
        });
        if states.last().is_none_or(|(last, _)| last != state) {
            states.push((state.to_owned(), Snapshot { key: site.to_owned(), sides: Vec::new() }));
        }
        if let Some((_, snapshot)) = states.last_mut() {
            snapshot.sides.resize(snapshot.sides.len().max(side + 1), Vec::new());
            snapshot.sides[side].push(place);
        }
    }
    let mut snapshots: Vec<Snapshot> = states.into_iter().map(|(_, snapshot)| snapshot).collect();
    snapshots.iter_mut().for_each(|snapshot| snapshot.sides.resize(sides.len(), Vec::new()));
    Ok((snapshots, sides))
}
