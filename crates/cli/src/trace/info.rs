//! `repertoire trace info`.

use repertoire_draw::terminal::recording;
use repertoire_trace::summary::Summary;

use crate::prelude::*;

/// Show which match a recording is of, and how it went
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire trace info match.parquet
  repertoire trace info match.parquet --json | jq .characters
  repertoire trace info match.parquet --map > map.toml")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,

    /// Print only the map that the recording contains
    #[arg(long, conflicts_with = "json")]
    map: bool,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    let header = source.header().clone();
    if args.map {
        return output::text(&header.map_source);
    }
    let mut sums = Summary::new(&header);
    for tick in source.ticks() {
        sums.add(&tick?);
    }
    let cut = source.cut();
    let saved = source.cut_in_words().map(|cut| format!("\n{cut}\n")).unwrap_or_default();
    args.answer.print(&recording::info_as_json(&header, &sums, cut), || {
        recording::info(&args.file.display().to_string(), &header, &sums) + &saved
    })
}
