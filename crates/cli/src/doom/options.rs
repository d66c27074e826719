//! What every `repertoire doom` command shares: where Doom is, who plays, how.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use repertoire_doom::game::{BOTS, MOST_PLAYERS};
use repertoire_doom::{Environment, GameSettings, Ground, Manner};
use repertoire_eval::Entry;
use repertoire_worlds::arena::game::Contender;

use crate::arena::roster;

/// Where Doom is.
#[derive(Debug, ClapArgs)]
pub(crate) struct Where {
    /// The folder that `doom setup` made [default: the user's data folder, repertoire/doom]
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// A Python that has ViZDoom [default: the one that `doom setup` made]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// The file of maps [default: FreeDM's]
    #[arg(long, value_name = "FILE.wad")]
    pub wad: Option<PathBuf>,
}

impl Where {
    /// Python and maps, or what to do about what is missing.
    pub fn environment(&self) -> Result<Environment> {
        let found = Environment::find(self.dir.as_deref(), self.python.as_deref(), self.wad.as_deref());
        found.check()?;
        Ok(found.isolated())
    }
}

/// How long and against whom.
#[derive(Debug, ClapArgs)]
pub(crate) struct How {
    /// How many of Doom's own bots take part; ours and theirs are 8 at most
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub bots: usize,
    /// How long a match is, in minutes of the game
    #[arg(long, value_name = "MIN", default_value_t = 3.0)]
    pub minutes: f64,
    /// Random seed for our characters and the engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Tics of 1/35 s from one decision to the next
    #[arg(long, value_name = "N", default_value_t = Manner::default().tics, value_parser = clap::value_parser!(u32).range(1..=10))]
    pub tics: u32,
    /// What full speed is, in metres a second; Doom's players run at up to 18
    #[arg(long, value_name = "M/S", default_value_t = Manner::default().run_m_per_sec)]
    pub speed: f64,
}

impl How {
    /// The settings of a match on a map.
    pub fn settings(&self, map: &str, ours: usize) -> Result<GameSettings> {
        if !(self.minutes > 0.0 && self.minutes <= 600.0) {
            bail!("--minutes {}: no match is so long\n  remedy: a number above 0, at most 600", self.minutes);
        }
        if !(self.speed > 0.0 && self.speed <= 20.0) {
            bail!("--speed {}: nobody runs so\n  remedy: metres a second above 0, at most 20", self.speed);
        }
        if ours + self.bots > MOST_PLAYERS || self.bots > BOTS.len() {
            bail!(
                "{ours} of ours and {} bots are too many\n  remedy: a match has {MOST_PLAYERS} players at most",
                self.bots
            );
        }
        let manner = Manner { tics: self.tics, run_m_per_sec: self.speed, ..Manner::default() };
        Ok(GameSettings {
            map: map.to_owned(),
            bots: self.bots,
            seconds: self.minutes * 60.0,
            seed: self.seed,
            manner,
            pictures: false,
        })
    }
}

/// The bytes of the file of maps.
pub(crate) fn wad_bytes(environment: &Environment) -> Result<Vec<u8>> {
    std::fs::read(&environment.wad)
        .with_context(|| format!("{} could not be read", environment.wad.display()))
}

/// A map of Doom's as characters know it.
pub(crate) fn ground(wad: &Path, bytes: &[u8], map: &str) -> Result<Ground> {
    Ok(Ground::import(wad, bytes, map)?)
}

/// Parses a contender of the arena's roster, or a behaviour's file: the same minds play both games.
pub(crate) fn entries(written: &[String]) -> Result<Vec<Entry>> {
    if written.is_empty() {
        bail!("nobody plays\n  remedy: --contender aggressive, or another of `repertoire tournament --help`");
    }
    Ok(written.iter().map(|name| roster::find(&named(name))).collect::<Result<_, _>>()?)
}

/// A file alone is called after itself.
fn named(written: &str) -> String {
    let path = Path::new(written);
    match path.file_stem() {
        Some(stem) if !written.contains('=') && path.is_file() => {
            format!("{}={written}", stem.to_string_lossy())
        }
        _ => written.to_owned(),
    }
}

/// A fresh mind of an entry.
pub(crate) fn contender(entry: &Entry) -> Contender {
    Contender { name: entry.name.clone(), mind: (Arc::clone(&entry.make))() }
}
