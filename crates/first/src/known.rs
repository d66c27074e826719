//! Who plays unless others are named, and how characters know the maps they play on: by the map's own points, or by learned places.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use repertoire_roster::{load, maps};
use repertoire_worlds::arena::level::Level;

/// Who is watched and compared when nobody is named: whole fighters beside native bots.
pub const CONTENDERS: [&str; 5] = ["hunter", "stalker", "survivor", "native:3", "native:5"];

/// What was given, or what is usual if nothing was.
pub fn or_usual<'a>(given: &'a [String], usual: &[&'a str]) -> Vec<&'a str> {
    match given {
        [] => usual.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    }
}

/// How characters know maps.
#[derive(Debug, Default, ClapArgs)]
pub struct Known {
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
        let file = load::places(path)?;
        let find = |name: &&str| maps::known_by(name, &file).with_context(|| path.display().to_string());
        written.iter().map(find).collect()
    }

    /// One map.
    pub fn find_one(&self, written: &str) -> Result<(String, Arc<Level>)> {
        let mut found = self.find(&[written])?;
        found.pop().context("a map was asked for")
    }
}
