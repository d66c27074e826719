//! `repertoire trace info`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_draw::terminal::recording;
use repertoire_trace::summary::Summary;
use serde_json::json;

use super::source::{Source, cut_words};
use crate::{Answer, output};

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
    if args.answer.json {
        return output::json(&json!({
            "program": header.program, "world": header.world, "map": header.map,
            "map_source_bytes": header.map_source.len(), "seed": header.seed,
            "period_secs": header.period_secs, "settings": header.settings,
            "ticks": sums.ticks, "first_tick": sums.first_tick, "last_tick": sums.last_tick, "rows": sums.rows,
            "cut": cut.map(|cut| json!({ "ticks_saved": cut.ticks_saved, "bytes_lost": cut.bytes_lost })),
            "characters": sums.characters,
        }));
    }
    let mut text = recording::info(&args.file.display().to_string(), &header, &sums);
    if let Some(cut) = cut {
        text += &format!("\n{}\n", cut_words(&args.file, cut));
    }
    output::text(&text)
}
