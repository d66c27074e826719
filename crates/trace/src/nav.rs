//! Maps of other games: the areas of a navigation mesh as places, and which areas see which.
//!
//! | file       | JSON                                                                                             |
//! |------------|--------------------------------------------------------------------------------------------------|
//! | mesh       | `{"map": NAME, "run_speed": UNITS_PER_SEC, "areas": [{"id", "place", "center": [x, y, z], "conn": [[id, ..], ..]}]}` |
//! | visibility | `{"area_ids": [id, ..], "visible": [[index, ..], ..]}`: for each id the indices of the areas it sees |
//!
//! `map`, `run_speed`, `place` and `conn` may be missing. Either file may be gzip.

use std::collections::BTreeMap;

use repertoire_belief::Graph;
use repertoire_belief::evaluate::Sight;
use serde::{Deserialize, Serialize};

use crate::{TraceError, source};

/// Why a mesh or a table of visibility cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NavError {
    /// It begins like gzip, but cannot be unpacked.
    #[error(transparent)]
    Packed(#[from] TraceError),

    /// No JSON, or JSON of something else.
    #[error("{source}\n  remedy: {remedy}")]
    Json {
        /// What the parser says, with line and column.
        source: serde_json::Error,
        /// What the file should hold.
        remedy: &'static str,
    },

    /// Too few or too many areas.
    #[error("a mesh needs between 1 and 65534 areas; this one has {0}")]
    Areas(usize),

    /// Two areas with one id.
    #[error("there are two areas with the id {0}\n  remedy: take one out")]
    Twice(u32),

    /// A centre that is infinite or no number.
    #[error("the centre of area {0} is no position\n  remedy: write three finite numbers")]
    Centre(u32),

    /// A speed at which nobody runs.
    #[error("`run_speed` is {0}\n  remedy: write units of the map a second, above 0, or leave it out")]
    RunSpeed(f64),

    /// Not a list for each area.
    #[error("{ids} area_ids and {lists} lists of visible areas\n  remedy: give a list for each")]
    Lists {
        /// How many ids there are.
        ids: usize,
        /// How many lists there are.
        lists: usize,
    },

    /// An index beyond the areas of the file.
    #[error("`visible` names index {index}, there are {areas} areas\n  remedy: count areas from 0")]
    Index {
        /// The index.
        index: u32,
        /// How many areas there are.
        areas: usize,
    },

    /// The file is of another map.
    #[error("none of its areas is in the model\n  remedy: give the visibility of the same map")]
    OtherMap,
}

/// The places of a map, and what else is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ground {
    /// The places.
    pub places: Graph,
    /// The map's name; empty where nobody says.
    pub map: String,
    /// The map itself as text, if it is one of the arena: recordings of another version of it are refused.
    pub map_source: Option<String>,
    /// How fast people run, in the map's units a second, where the map tells.
    pub run_speed: Option<f64>,
}

/// A mesh as its file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct NavFile {
    #[serde(default)]
    map: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run_speed: Option<f64>,
    areas: Vec<NavArea>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct NavArea {
    id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    center: [f64; 3],
    #[serde(default)]
    conn: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct VisibilityFile {
    area_ids: Vec<u32>,
    visible: Vec<Vec<u32>>,
}

/// Reads a navigation mesh. A link to an area that is not there leads nowhere and is left out.
///
/// # Errors
/// When it is no such JSON, an id stands twice, or a centre is no position.
pub fn read(bytes: Vec<u8>) -> Result<Ground, NavError> {
    let nav: NavFile = serde_json::from_slice(&source::unpack(bytes)?).map_err(|source| NavError::Json {
        source,
        remedy: "give a mesh as JSON with `areas` that have `id`, `center` and `conn`",
    })?;
    if nav.areas.is_empty() || nav.areas.len() >= usize::from(u16::MAX) {
        return Err(NavError::Areas(nav.areas.len()));
    }
    if let Some(speed) = nav.run_speed.filter(|speed| !(speed.is_finite() && *speed > 0.0)) {
        return Err(NavError::RunSpeed(speed));
    }
    let mut index = BTreeMap::new();
    for (k, area) in nav.areas.iter().enumerate() {
        if index.insert(area.id, k as u32).is_some() {
            return Err(NavError::Twice(area.id));
        }
        if area.center.iter().any(|x| !x.is_finite()) {
            return Err(NavError::Centre(area.id));
        }
    }
    let links = |area: &NavArea| area.conn.iter().flatten().filter_map(|id| index.get(id).copied()).collect();
    let places = Graph {
        ids: nav.areas.iter().map(|area| area.id).collect(),
        centres: nav.areas.iter().map(|area| area.center).collect(),
        links: nav.areas.iter().map(links).collect(),
        names: nav.areas.iter().map(|area| area.place.clone().unwrap_or_default()).collect(),
    };
    Ok(Ground { places, map: nav.map, map_source: None, run_speed: nav.run_speed })
}

/// Writes places as a mesh that [`read`] reads.
///
/// # Errors
/// When a number is infinite or none: JSON has no word for it.
pub fn write(ground: &Ground) -> Result<String, serde_json::Error> {
    let places = &ground.places;
    let area = |k: usize| NavArea {
        id: places.ids[k],
        place: Some(places.names[k].clone()).filter(|name| !name.is_empty()),
        center: places.centres[k],
        conn: vec![places.links[k].iter().map(|&to| places.ids[to as usize]).collect()],
    };
    let areas = (0..places.len()).map(area).collect();
    serde_json::to_string(&NavFile { map: ground.map.clone(), run_speed: ground.run_speed, areas })
}

/// Reads which places see which. A place that the file does not name sees only itself.
///
/// # Errors
/// When it is no such JSON, an index is out of range, or none of its areas is among the places.
pub fn read_sight(bytes: Vec<u8>, places: &Graph) -> Result<Sight, NavError> {
    let file: VisibilityFile =
        serde_json::from_slice(&source::unpack(bytes)?).map_err(|source| NavError::Json {
            source,
            remedy: "give JSON with `area_ids` and `visible`, a list of indices for each",
        })?;
    if file.area_ids.len() != file.visible.len() {
        return Err(NavError::Lists { ids: file.area_ids.len(), lists: file.visible.len() });
    }
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let known: Vec<Option<u32>> = file.area_ids.iter().map(|id| index.get(id).copied()).collect();
    let mut sees: Vec<Vec<u32>> = (0..places.len() as u32).map(|s| vec![s]).collect();
    let mut found = 0;
    for (from, row) in known.iter().zip(&file.visible) {
        let Some(from) = *from else { continue };
        found += 1;
        for &index in row {
            let to = known.get(index as usize).ok_or(NavError::Index { index, areas: known.len() })?;
            sees[from as usize].extend(to);
        }
    }
    if found == 0 {
        return Err(NavError::OtherMap);
    }
    for row in &mut sees {
        row.sort_unstable();
        row.dedup();
    }
    Ok(Sight { sees })
}

/// Writes which places see which as [`read_sight`] reads it.
///
/// # Errors
/// Never for sight over these places; JSON asks for it.
pub fn write_sight(sight: &Sight, places: &Graph) -> Result<String, serde_json::Error> {
    serde_json::to_string(&VisibilityFile { area_ids: places.ids.clone(), visible: sight.sees.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let places = Graph {
            ids: vec![7, 3],
            centres: vec![[0.0, 1.5, -2.0], [4.0, 0.1, 0.0]],
            links: vec![vec![1], vec![]],
            names: vec!["hall".to_owned(), String::new()],
        };
        let ground = Ground { places, map: "two".to_owned(), map_source: None, run_speed: Some(8.8) };
        let text = write(&ground).expect("finite numbers");
        assert_eq!(read(text.into_bytes()).expect("a mesh"), ground);
        let sight = Sight { sees: vec![vec![0, 1], vec![1]] };
        let text = write_sight(&sight, &ground.places).expect("numbers");
        assert_eq!(read_sight(text.into_bytes(), &ground.places).expect("of the same map"), sight);
    }

    #[test]
    fn refuses_meshes_that_are_none() {
        let refused = |text: &str| read(text.as_bytes().to_vec()).expect_err(text).to_string();
        assert!(refused("{}").contains("missing field `areas`"));
        assert!(refused(r#"{"areas": []}"#).contains("this one has 0"));
        let twice = r#"{"areas": [{"id": 1, "center": [0,0,0]}, {"id": 1, "center": [0,0,0]}]}"#;
        assert!(refused(twice).contains("two areas with the id 1"));
        let slow = r#"{"run_speed": 0, "areas": [{"id": 1, "center": [0,0,0]}]}"#;
        assert!(refused(slow).contains("`run_speed` is 0"));
    }
}
