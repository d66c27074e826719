//! Places and navigation points from files.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use repertoire_topology::error::PlacesError;
use repertoire_topology::{PlaceGraph, PlacesFile};
use serde::Deserialize;

use super::LoadError;

/// Why a text holds no places.
#[derive(Debug, thiserror::Error)]
pub enum NoPlaces {
    /// It is no JSON, or JSON of another shape.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It has the shape of neither a file of several maps nor of one map.
    #[error("it holds no places")]
    Shape,
    /// The places of a map contradict themselves.
    #[error("{map}: {why}")]
    Map {
        /// Which map.
        map: String,
        /// What is wrong.
        why: PlacesError,
    },
    /// There is no map in it.
    #[error("it has no level")]
    Empty,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum AnyFile {
    Many(PlacesFile),
    /// One level alone, without its name.
    One(PlaceGraph),
}

/// A small file may unpack to something endless; places have at most this many bytes.
const LONGEST: u64 = 1 << 28;

/// Places or navigation points from a file, plain or gzip; every level checked.
///
/// Fails if the file cannot be read, or holds something else.
pub fn places(path: &Path) -> Result<PlacesFile, LoadError> {
    let unreadable = |why: std::io::Error| LoadError::Unreadable {
        path: path.to_owned(),
        why,
        remedy: "name a file that is there".to_owned(),
    };
    let mut bytes = std::fs::read(path).map_err(unreadable)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let mut reader = flate2::read::MultiGzDecoder::new(&bytes[..]).take(LONGEST);
        reader.read_to_end(&mut unpacked).map_err(unreadable)?;
        bytes = unpacked;
    }
    read_places(&bytes).map_err(|why| LoadError::Places { path: path.to_owned(), why })
}

/// Reads places or navigation points: JSON with `levels` by name, or one level alone, which then has the empty name. Every level
/// is checked.
///
/// ```
/// use repertoire_roster::load::read_places;
/// let text = r#"{"levels": {"yard": {"nodes": [{"id": 7, "pos": [1, 2, 3]}], "links": []}}}"#;
/// let file = read_places(text.as_bytes())?;
/// assert_eq!(file.levels["yard"].nodes[0].pos, [1.0, 2.0, 3.0]);
/// assert!(read_places(br#"{"levels": {"yard": {"nodes": [], "links": [[7, 8]]}}}"#).is_err());
/// # Ok::<(), repertoire_roster::load::NoPlaces>(())
/// ```
pub fn read_places(bytes: &[u8]) -> Result<PlacesFile, NoPlaces> {
    let value: serde_json::Value = serde_json::from_slice(bytes)?;
    let has_levels = value.get("levels").is_some();
    let file = match serde_json::from_value(value) {
        Ok(AnyFile::Many(file)) => file,
        Ok(AnyFile::One(level)) if !has_levels => {
            PlacesFile { levels: BTreeMap::from([(String::new(), level)]), ..PlacesFile::default() }
        }
        // Which of the two it was meant to be is told by `levels`; say what is wrong with that.
        _ if has_levels => {
            serde_json::from_slice::<PlacesFile>(bytes)?;
            return Err(NoPlaces::Shape);
        }
        _ => {
            serde_json::from_slice::<PlaceGraph>(bytes)?;
            return Err(NoPlaces::Shape);
        }
    };
    for (map, level) in &file.levels {
        level.check().map_err(|why| NoPlaces::Map { map: map.clone(), why })?;
    }
    if file.levels.is_empty() {
        return Err(NoPlaces::Empty);
    }
    Ok(file)
}
