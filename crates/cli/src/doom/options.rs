//! What every `repertoire doom` command shares: where Doom is, who plays, how.

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
        let manner = Manner { tics: self.tics, run_m_per_sec: self.speed, ..Manner::default() };
        let settings = GameSettings {
            map: map.to_owned(),
            bots: self.bots,
            seconds: self.minutes * 60.0,
            seed: self.seed,
            manner,
            pictures: false,
        };
        settings.check(self.minutes, ours)?;
        Ok(settings)
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
    let ground = Ground::import(&environment.wad, &environment.maps()?, &settings.map)?;
    let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
    Ok(Game::start(&environment, ground, settings, entries.iter().map(sit).collect())?)
}

/// Plays on until the match is over, with a bar over its seconds; `each` is called after every decision. What ended it
/// before its time is in the result.
pub(crate) fn play_on(game: Game, each: &mut dyn FnMut(&Game) -> Result<()>) -> Result<MatchResult> {
    let template = "{bar:30} {pos} of {len} s of the game, {eta} to go";
    let bar = progress::bar(game.result().wanted_secs.ceil() as u64, template);
    let result = game.play(clock::now_ns, &mut |game| {
        bar.set_position(game.played_secs() as u64);
        each(game)
    })?;
    bar.finish_and_clear();
    Ok(result)
}

/// Parses a contender of the arena's roster, or a behaviour's file: the same minds play both games.
pub(crate) fn entries(written: &[impl AsRef<str>]) -> Result<Vec<Entry>> {
    if written.is_empty() {
        bail!("nobody plays\n  remedy: --contender aggressive, or another of `repertoire tournament --help`");
    }
    Ok(written
        .iter()
        .map(|name| roster::find(&roster::named_after_file(name.as_ref())))
        .collect::<Result<_, _>>()?)
}
