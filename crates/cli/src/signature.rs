//! `repertoire signature`: how players move, and how far they are apart.

use repertoire_eval::signature::{SignatureOf, SignatureSettings};

use crate::prelude::*;

/// Compare how players and characters move, by signatures of their movement
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Three histograms of angles at 10 Hz (Tence 2011, 4.4.3.2): from facing to velocity, change of facing, change of velocity; 36 bins,
the first centred on 0, left is positive. The distance between two is the earth mover's distance on the circle, in degrees.

All recordings are cut to the same length, and shorter ones left out; if all are shorter, to the shortest. `same player` and
`others` are means over pairs of recordings.

Play is CSV with the columns map,session,player,life,t,x,y,z,yaw (plain or gzip) or recordings of `repertoire record`; give as
many as you like, people and characters together.

Examples:
  repertoire record --seconds 310 -o match.parquet && repertoire signature --play match.parquet
  repertoire signature --play monday.parquet tuesday.parquet --by player --habits
  repertoire signature --play monday.parquet tuesday.parquet --identify
  repertoire signature --play people.csv.gz match.parquet --by player --svg who.svg
  repertoire signature --play people.csv.gz --map DM-Antalus --json")]
pub struct Args {
    /// Recorded play: CSV (plain or gzip), or recordings of `repertoire record`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// Make a signature of each recording, or of each player over all of their recordings
    #[arg(long, value_parser = ["recording", "player"], default_value = "recording")]
    by: String,
    /// Use only play on this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Cut all recordings to this length, in seconds; shorter ones are left out
    #[arg(long, default_value_t = 300.0, value_name = "SECS")]
    seconds: f64,
    /// Add a table of habits: still views and bursts of turning, strafing, stops, jumps
    #[arg(long)]
    habits: bool,
    /// Also test whether players can be recognised: hold out each recording in turn and count how often it is given to the right
    /// player; needs several recordings per player
    #[arg(long)]
    identify: bool,
    /// Draw who moves like whom (multidimensional scaling), and the signatures, to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Units of the play per metre [default: 50 for CSV, 1 for our recordings]
    #[arg(long, value_name = "UNITS")]
    units_per_metre: Option<f64>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if !(args.seconds > 0.0 && args.seconds.is_finite()) {
        bail!("--seconds {}: nothing is left\n  remedy: a number above 0", args.seconds);
    }
    if let Some(svg) = &args.svg {
        output::refuse_overwriting_any(svg, &args.play, "play")?;
    }
    let all = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let settings = SignatureSettings {
        of: if args.by == "player" { SignatureOf::Player } else { SignatureOf::Recording },
        seconds: args.seconds,
        habits: args.habits,
        identify: args.identify,
        units_per_metre: args.units_per_metre,
    };
    let report = progress::during("{spinner} comparing signatures, {elapsed}", || {
        settings.report(all.into_values().flatten().collect())
    })?;
    if report.is_cut_short {
        anstream::eprintln!(
            "note: no recording has {} s; all are cut to {:.1} s, the shortest",
            args.seconds,
            report.seconds
        );
    }
    output::file_if_asked(args.svg.as_ref(), || draw::signature::of_report(&report))?;
    args.answer.print(&report, || terminal::signature::signatures(&report))
}
