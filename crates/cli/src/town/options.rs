//! What all commands that let a town live have in common.

use repertoire_worlds::town::{Charter, Event, Minds, Town};

use crate::options::on_threads;
use crate::prelude::*;

/// Which town, and how it begins.
#[derive(Debug, ClapArgs)]
pub struct Options {
    /// The town: the name of one that comes with repertoire (see `town list`), or a file
    #[arg(default_value = "western", conflicts_with = "resume")]
    town: String,

    /// How many live there; more than the drawn map has room for get a generated map [default: the town's own number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000_000), conflicts_with = "resume")]
    inhabitants: Option<u32>,

    /// Random seed; the same seed repeats the run [default: 1]
    #[arg(long, conflicts_with = "resume")]
    seed: Option<u64>,

    /// Something that happens, beside the events of the town's file: a moment and what, such as 'day 1 14:00 dry well 6h'; may be
    /// given several times
    #[arg(long = "event", value_name = "EVENT")]
    events: Vec<String>,

    /// Without the events of the town's file
    #[arg(long, conflicts_with = "resume")]
    calm: bool,

    /// Go on with a town that `town run --save` saved, in the middle of what everybody was doing
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Take something away: `plans` (do what gets nearest to the goal in one step), `replans` (put a goal off when its plan fails) or
    /// `families` (everybody the same); may be given several times
    #[arg(long, value_name = "WHAT", value_parser = ["plans", "replans", "families"], conflicts_with = "resume")]
    without: Vec<String>,

    /// Number of threads [default: one per core]. The run is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Options {
    /// The town, founded or resumed, with its events by hand.
    pub fn found(&self) -> Result<Town> {
        let mut town = match &self.resume {
            Some(path) => load::saved_town(path)?,
            None => {
                let charter = load::habitable_town(&self.town)?;
                let charter = match self.calm {
                    true => Arc::new(Charter { events: Vec::new(), ..Charter::clone(&charter) }),
                    false => charter,
                };
                let minds = Minds::without(&self.without);
                let inhabitants = self.inhabitants.unwrap_or(charter.inhabitants);
                Town::new(charter, inhabitants, self.seed.unwrap_or(1), minds)
                    .map_err(|error| anyhow!("{error}"))?
            }
        };
        let charter = town.charter().clone();
        for written in &self.events {
            town.add(Event::with_moment(written, &charter).map_err(|error| anyhow!("--event: {error}"))?);
        }
        Ok(town)
    }

    /// Does work on as many threads as were asked for.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        on_threads(self.threads, work)
    }
}
