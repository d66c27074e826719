//! Play to learn from: recordings, or a teacher that plays now.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use repertoire_mind::Places;
use repertoire_mind::student::Seen;
use repertoire_trace::Header;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

use crate::arena::{maps, roster};
use crate::replay;
use crate::trace::Source;

/// Somebody who watches play.
pub(crate) trait Watch {
    /// What follows belongs to somebody else.
    fn begin(&mut self);
    /// One tick of a life.
    fn see(&mut self, seen: Seen<'_>, places: &Places);
}

/// Whom to watch, and where.
#[derive(Debug, ClapArgs)]
pub(crate) struct Teachers {
    /// Recordings to learn from (.parquet or .csv)
    #[arg(long, value_name = "PLAY", num_args = 1.., required_unless_present = "live")]
    pub from: Vec<PathBuf>,
    /// Whom to learn from, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    pub players: Vec<String>,
    /// Learn while a teacher plays against native bots, instead of from a recording
    #[arg(long, value_name = "CONTENDER", conflicts_with_all = ["from", "players"])]
    pub live: Option<String>,
    /// With --live: the map
    #[arg(long, default_value = "halls", requires = "live")]
    pub map: String,
    /// With --live: how long, in seconds of the game
    #[arg(long, default_value_t = 350.0, value_name = "SECS", requires = "live")]
    pub seconds: f64,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Teachers {
    /// Shows everything to a watcher; returns the names of those seen. Ticks are counted on the bar.
    pub fn show(&self, watch: &mut dyn Watch, bar: &ProgressBar) -> Result<Vec<String>> {
        match &self.live {
            Some(teacher) => self.live(teacher, watch, bar),
            None => recorded(&self.from, &self.players, watch, bar),
        }
    }

    /// Where the teacher plays; of several recordings, of the first.
    pub fn level(&self) -> Result<Arc<Level>> {
        let Some(first) = self.from.first() else { return Ok(maps::find(&self.map)?.1) };
        let source = Source::open(first)?;
        let header = source.header();
        let level = level_of(header).map_err(|error| error.context(first.display().to_string()))?;
        if header.world != "arena" {
            bail!(
                "{}: it was played in {}, and only the arena can be played in here\n  remedy: leave out --practise",
                first.display(),
                header.world
            );
        }
        Ok(Arc::new(level))
    }

    fn live(&self, teacher: &str, watch: &mut dyn Watch, bar: &ProgressBar) -> Result<Vec<String>> {
        if !(self.seconds > 0.0 && self.seconds <= 1e6) {
            bail!(
                "--seconds {}: there is nothing to see\n  remedy: a number above 0, at most 1000000",
                self.seconds
            );
        }
        let (_, level) = maps::find(&self.map)?;
        let contenders = [teacher, "native:3", "native:3", "native:1"]
            .into_iter()
            .map(|name| {
                roster::find(name).map(|entry| Contender { name: name.to_owned(), mind: (entry.make)() })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut game = Match::new(Arc::clone(&level), Rules::default(), contenders, self.seed);
        watch.begin();
        for _ in 0..(self.seconds / game.world().rules().period_secs()).round() as u64 {
            game.perceive();
            game.decide();
            let alive = game.world().is_alive(0);
            let task = game.contenders()[0].mind.task().to_owned();
            game.advance();
            if alive {
                let (percept, command) = (&game.percepts()[0], &game.commands()[0]);
                let seen = Seen { percept, command, task: Some(&task), events: game.world().events(0) };
                watch.see(seen, level.places());
                bar.inc(1);
            }
        }
        Ok(vec![teacher.to_owned()])
    }
}

/// Shows recordings: every player in turn, so that a life is seen without interruption.
pub(crate) fn recorded(
    from: &[PathBuf],
    players: &[String],
    watch: &mut dyn Watch,
    bar: &ProgressBar,
) -> Result<Vec<String>> {
    let mut taught_by: Vec<String> = Vec::new();
    for path in from {
        let source = Source::open(path)?;
        source.note_cut();
        let header = source.header().clone();
        let level = level_of(&header).map_err(|error| error.context(path.display().to_string()))?;
        for id in chosen(players, path, &header)? {
            watch.begin();
            for tick in Source::open(path)?.ticks() {
                let tick = tick?;
                let Some(row) = tick.rows.iter().find(|row| row.character == id) else { continue };
                if let (Some(percept), Some(command)) = (&row.percept, &row.command) {
                    let task = row.task.as_deref();
                    watch.see(Seen { percept, command, task, events: &row.events }, level.places());
                    bar.inc(1);
                }
            }
            let name = header.characters.iter().find(|one| one.id == id).map(|one| one.name.clone());
            taught_by.extend(name.filter(|name| !taught_by.contains(name)));
        }
    }
    Ok(taught_by)
}

fn level_of(header: &Header) -> Result<Level> {
    if !["arena", "doom"].contains(&header.world.as_str()) || header.map_source.is_empty() {
        bail!(
            "it holds no map of the arena\n  remedy: learn from a recording of `repertoire record` or `repertoire doom record`"
        );
    }
    replay::level_of(header)
}

fn chosen(players: &[String], path: &Path, header: &Header) -> Result<Vec<u8>> {
    if players.is_empty() {
        return Ok(header.characters.iter().map(|character| character.id).collect());
    }
    let is_meant =
        |id: u8, name: &str| players.iter().any(|player| player == name || *player == id.to_string());
    let found: Vec<u8> =
        header.characters.iter().filter(|one| is_meant(one.id, &one.name)).map(|one| one.id).collect();
    if found.is_empty() {
        let names: Vec<&str> = header.characters.iter().map(|one| one.name.as_str()).collect();
        bail!(
            "{}: {} did not play there\n  remedy: --player with one of {}",
            path.display(),
            players.join(", "),
            names.join(", ")
        );
    }
    Ok(found)
}
