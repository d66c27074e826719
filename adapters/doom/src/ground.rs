//! A map as characters know it in Doom: the arena's import of the same map, with lifts where they rest.
//!
//! The arena's lifts go by the clock; Doom's wait at the top until somebody calls them. Nobody therefore plans to ride
//! one: they are floors at the height where they rest. What cannot be reached then is not gone to.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::map::{Floor, Map, wad};
use repertoire_worlds::arena::space::Scene;

/// Map units in a metre, as the importer has it.
pub const UNITS_PER_METRE: f64 = 32.0;
/// Doom's clock.
pub const TICS_PER_SEC: f64 = 35.0;
/// From the engine's units a tic to metres a second.
pub const SPEED: f64 = TICS_PER_SEC / UNITS_PER_METRE;

/// A map cannot be played by our characters.
#[derive(Debug, thiserror::Error)]
pub enum NoGround {
    /// The file does not hold it.
    #[error("{file}: {error}")]
    Wad {
        /// The file.
        file: String,
        /// What is wrong.
        error: wad::WadError,
    },
    /// Characters cannot find their way in it.
    #[error("{map} cannot be played: {faults}")]
    Faults {
        /// The map.
        map: String,
        /// What is wrong with it.
        faults: String,
    },
}

/// A position of the engine's, in metres.
pub fn metres(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z) / UNITS_PER_METRE
}

/// A map as characters know it.
#[derive(Clone, Debug)]
pub struct Ground {
    level: Arc<Level>,
    source: Arc<String>,
}

impl Ground {
    /// The map of a name in a file whose bytes are given.
    pub fn import(file: &Path, bytes: &[u8], map: &str) -> Result<Self, NoGround> {
        let imported = wad::import(bytes, map)
            .map_err(|error| NoGround::Wad { file: file.display().to_string(), error })?;
        Self::new(imported.map)
    }

    /// A map of the arena's, with its lifts at rest.
    pub fn new(mut map: Map) -> Result<Self, NoGround> {
        for area in &mut map.areas {
            if let Some(lift) = area.lift.take() {
                area.floor = Floor::flat(lift.high_m);
            }
        }
        let source = file::write(&map);
        let name = map.name.clone();
        let level = Level::new(map).map_err(|faults| {
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            NoGround::Faults { map: name, faults: told.join("; ") }
        })?;
        Ok(Ground { level: Arc::new(level), source: Arc::new(source) })
    }

    /// The map, ready to play.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The map as text, for recordings.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its shape.
    pub fn scene(&self) -> Scene<'_> {
        Scene { space: self.level.space(), lifts_m: &[] }
    }
}
