//! Play to learn from: recordings, or a teacher that plays now.

use indicatif::ProgressBar;
use repertoire::recordings;
use repertoire_eval::lesson;
use repertoire_eval::practice::Practice;
use repertoire_mind::student::Watch;
use repertoire_worlds::arena::level::Level;

use crate::prelude::*;

/// Whom to watch, and where.
#[derive(Debug, ClapArgs)]
pub(crate) struct Teachers {
    /// Recordings to learn from (.parquet or .csv); a folder or a pattern such as 'plays/*.parquet' is streamed
    #[arg(long, value_name = "PLAY", num_args = 1.., required_unless_present = "live")]
    pub from: Vec<PathBuf>,
    /// Player to learn from, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    pub players: Vec<String>,
    /// Learn while this teacher plays against native bots, instead of from a recording
    #[arg(long, value_name = "CONTENDER", conflicts_with_all = ["from", "players"])]
    pub live: Option<String>,
    /// With --live: the map
    #[arg(long, default_value = "halls", requires = "live")]
    pub map: String,
    /// With --live: how long, in seconds of the game
    #[arg(long, default_value_t = 350.0, value_name = "SECS", requires = "live")]
    pub seconds: f64,
    /// Random seed; the same seed repeats the run
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
        match self.from.first() {
            Some(first) => Ok(Arc::new(recordings::level(first)?)),
            None => Ok(maps::find(&self.map)?.1),
        }
    }

    fn live(&self, teacher: &str, watch: &mut dyn Watch, bar: &ProgressBar) -> Result<Vec<String>> {
        ensure!(
            self.seconds > 0.0 && self.seconds <= 1e6,
            "--seconds {}: there is nothing to see\n  remedy: a number above 0, at most 1000000",
            self.seconds
        );
        let (_, level) = maps::find(&self.map)?;
        let make = roster::find(teacher)?.make;
        let practice = Practice { level, match_secs: self.seconds, seed: self.seed };
        lesson::show_live(&practice, &make, 0, watch, &|| bar.inc(1));
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
    Ok(recordings::show(from, players, watch, &|| bar.inc(1), &note)?)
}
