//! How characters know the maps they play on: by the map's own points, or by learned places.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use repertoire_worlds::arena::level::Level;

use super::maps;
use crate::topology;

/// How characters know maps.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct Known {
    /// Let characters find their ways by places that `topology learn` learned from where players walk, instead of the map's
    /// own points; the file must have the maps that are played
    #[arg(long, value_name = "PLACES.json")]
    places: Option<PathBuf>,
}

impl Known {
    /// Maps as users write them, each with its name.
    pub fn find(&self, written: &[&str]) -> Result<Vec<(String, Arc<Level>)>> {
        let Some(path) = &self.places else {
            return Ok(written.iter().map(|name| maps::find(name)).collect::<Result<_, _>>()?);
        };
        let file = topology::load(path)?;
        let find = |name: &&str| maps::known_by(name, &file).with_context(|| path.display().to_string());
        written.iter().map(find).collect()
    }

    /// One map.
    pub fn find_one(&self, written: &str) -> Result<(String, Arc<Level>)> {
        let mut found = self.find(&[written])?;
        found.pop().context("a map was asked for")
    }
}
