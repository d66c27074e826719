//! `repertoire topology evaluate`: places learned from some sessions, judged on others.

use repertoire_eval::topology::compare::levels_of;
use repertoire_eval::topology::figures::{Figures, JudgedReport};
use repertoire_eval::topology::{Evaluation, Ground, Session};

use super::how::How;
use crate::movement::Recorded;
use crate::prelude::*;

/// Measure learned places on play they were not learned from, beside k-means; over time and by parameter
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each session is left out in turn, the places are learned from the others and judged on it; of a map with one session, each half
in turn. Numbers are means over sessions, then over maps. Three learners in the same run: ours (with the options below), the
thesis's with Fritzke's rule for edges, and the thesis's as printed.

  distance      from a player to the nearest node
  k-means       the same with as many centres, placed by k-means on what was learned from; `ratio` divides by it
  along links   changes of the nearest node that follow a link

With --figures also what figures 4.11 to 4.20 of the thesis show: the measures over time, the effect of each parameter, one
against several teachers; --svg draws the curves over time.

Examples:
  repertoire topology evaluate --play monday.parquet tuesday.parquet --nav points.json
  repertoire topology evaluate --play monday.parquet tuesday.parquet --nav points.json --figures --svg time.svg
  repertoire topology evaluate --play play.csv --reach 300 --passes 3 --json")]
pub struct Args {
    /// Recorded play: CSV (plain or gzip), or recordings of `repertoire record`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// Use only play on this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// The designers' navigation points, for sensitivity and specificity
    #[arg(long, value_name = "NAV")]
    nav: Option<PathBuf>,
    /// Judge after one pass through the play and after this many
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// Random starts of k-means; the best one counts
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    starts: u32,
    /// Also measure over time, by parameter and by number of teachers (needs --nav)
    #[arg(long, requires = "nav")]
    figures: bool,
    /// With --figures: draw the curves over time to this file
    #[arg(long, value_name = "FILE", requires = "figures")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let grounds = load(args)?;
    let evaluation = Evaluation { passes: args.passes, starts: args.starts };
    let judged = progress::with_bar(0, "judging [{bar:40}] {percent} %, {eta} left", |bar| {
        evaluation.run(&grounds, &|_, of| {
            bar.set_length(of as u64);
            bar.inc(1);
        })
    })?;
    let figures = match args.figures {
        true => Some(progress::during("{spinner} measuring over time and by parameter, {elapsed}", || {
            Figures::measure(&grounds)
        })?),
        false => None,
    };
    if let (Some(path), Some(figures)) = (&args.svg, &figures) {
        output::file(path, &draw::topology::over_time(figures))?;
    }
    let report = JudgedReport { judged, figures };
    args.answer.print(&report, || {
        let figures = report.figures.as_ref().map(terminal::topology::figures).unwrap_or_default();
        terminal::topology::judged(&report.judged) + &figures
    })
}

fn load(args: &Args) -> Result<Vec<Ground>> {
    let mut nav = match &args.nav {
        Some(path) => levels_of(repertoire::load::places(path)?, args.map.as_deref(), "navigation points")?,
        None => BTreeMap::new(),
    };
    let maps = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let ground = |(map, recorded): (String, Vec<Recorded>)| {
        let sessions: Vec<Session> = recorded.iter().map(Recorded::session).collect();
        let points = nav.remove(&map).map(|level| level.positions()).unwrap_or_default();
        let units = recorded.first().map_or(1.0, |one| one.units_per_metre);
        let settings = args.how.settings(units)?;
        Ok(Ground::new(map, sessions, points, args.how.units_per_metre.unwrap_or(units), settings))
    };
    maps.into_iter().map(ground).collect()
}
