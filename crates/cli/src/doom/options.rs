//! What every `repertoire doom` command shares: where Doom is, who plays, how.

use repertoire_doom::game::{BOTS, MOST_PLAYERS};
use repertoire_doom::processor::on_one_processor;
use repertoire_doom::{Environment, Game, GameSettings, Ground, Manner, MatchResult};
use repertoire_eval::Entry;
use repertoire_worlds::arena::game::Contender;

use crate::prelude::*;

/// Where Doom is.
#[derive(Debug, ClapArgs)]
pub(crate) struct Where {
    /// The folder that `doom setup` made [default: the user's data folder, repertoire/doom]
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// A Python that has ViZDoom [default: the one that `doom setup` made]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// The WAD file with the maps [default: FreeDM's]
    #[arg(long, value_name = "FILE.wad")]
    pub wad: Option<PathBuf>,
}

impl Where {
    /// Python and maps, or what to do about what is missing.
    pub fn environment(&self) -> Result<Environment> {
        let found = self.find();
        found.check()?;
        Ok(found.isolated())
    }

    /// Where Python and maps should be; whether they are there is not asked.
    pub fn find(&self) -> Environment {
        Environment::find(self.dir.as_deref(), self.python.as_deref(), self.wad.as_deref())
    }
}

/// How long and against whom.
#[derive(Debug, ClapArgs)]
pub(crate) struct How {
    /// How many of Doom's own bots take part; a match has at most 8 players
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub bots: usize,
    /// Length of a match, in minutes of game time
    #[arg(long, value_name = "MIN", default_value_t = 3.0)]
    pub minutes: f64,
    /// Random seed for our characters and the engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Tics of 1/35 s from one decision to the next
    #[arg(long, value_name = "N", default_value_t = Manner::default().tics, value_parser = clap::value_parser!(u32).range(1..=10))]
    pub tics: u32,
    /// Full speed, in metres per second; Doom's players run at up to 18
    #[arg(long, value_name = "M/S", default_value_t = Manner::default().run_m_per_sec)]
    pub speed: f64,
}

impl How {
    /// The settings of a match on a map.
    pub fn settings(&self, map: &str, ours: usize) -> Result<GameSettings> {
        ensure!(
            self.minutes > 0.0 && self.minutes <= 600.0,
            "--minutes {}: a match cannot last that long\n  remedy: a number above 0, at most 600",
            self.minutes
        );
        ensure!(
            self.speed > 0.0 && self.speed <= 20.0,
            "--speed {}: no character can run at that speed\n  remedy: metres per second above 0, at most 20",
            self.speed
        );
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

/// A match: who plays it, where and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct MatchOptions {
    /// Character to play, as in `tournament`, or a file; may be given several times
    #[arg(long = "contender", value_name = "NAME[:LEVEL]|[NAME=]FILE", required = true, num_args = 1..)]
    pub contenders: Vec<String>,
    /// The map of the WAD file
    #[arg(long, default_value = "MAP01")]
    pub map: String,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub place: Where,
}

impl MatchOptions {
    /// Runs something that plays the match; with one of ours on one processor, which is faster than on several.
    pub fn on_processors<T>(&self, play: impl FnOnce() -> T) -> T {
        if self.contenders.len() == 1 { on_one_processor(0, play) } else { play() }
    }

    /// Starts the match.
    pub fn start(&self) -> Result<Game> {
        let entries = entries(&self.contenders)?;
        start(&self.place, self.how.settings(&self.map, entries.len())?, &entries)
    }
}

/// Starts a match of these settings.
pub(crate) fn start(place: &Where, settings: GameSettings, entries: &[Entry]) -> Result<Game> {
    let environment = place.environment()?;
    let ground = Ground::import(&environment.wad, &wad_bytes(&environment)?, &settings.map)?;
    let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
    Ok(Game::start(&environment, ground, settings, entries.iter().map(sit).collect())?)
}

/// Plays on until the match is over, with a bar over its seconds; `each` is called after every decision. What ended it
/// before its time is in the result.
pub(crate) fn play_on(mut game: Game, each: &mut dyn FnMut(&Game) -> Result<()>) -> Result<MatchResult> {
    let template = "{bar:30} {pos} of {len} s of the game, {eta} to go";
    let bar = progress::bar(game.result().wanted_secs.ceil() as u64, template);
    let mut broken = None;
    while !game.is_over() && broken.is_none() {
        match game.tick(Some(clock::now_ns), None) {
            Ok(()) => each(&game)?,
            Err(error) => broken = Some(error.to_string()),
        }
        bar.set_position(game.played_secs() as u64);
    }
    bar.finish_and_clear();
    Ok(MatchResult { broken, ..game.end() })
}

/// The bytes of the file of maps.
pub(crate) fn wad_bytes(environment: &Environment) -> Result<Vec<u8>> {
    Ok(environment.maps()?)
}

/// Parses a contender of the arena's roster, or a behaviour's file: the same minds play both games.
pub(crate) fn entries(written: &[impl AsRef<str>]) -> Result<Vec<Entry>> {
    if written.is_empty() {
        bail!("nobody plays\n  remedy: --contender aggressive, or another of `repertoire tournament --help`");
    }
    Ok(written.iter().map(|name| roster::find(&named(name.as_ref()))).collect::<Result<_, _>>()?)
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
