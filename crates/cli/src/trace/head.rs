//! `repertoire trace head`.

use repertoire_draw::terminal::recording;
use repertoire_trace::{Row, Tick};

use crate::prelude::*;

/// Show the first rows of a recording
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire trace head match.parquet -n 20 --character 1
  repertoire trace head match.parquet -n 1 --json          everything that is in a row")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,

    /// How many rows to show
    #[arg(short, default_value_t = 10, value_name = "ROWS")]
    n: usize,

    /// Show only the rows of the character with this number
    #[arg(long, value_name = "ID")]
    character: Option<u8>,

    /// Answer as JSON, with everything that is in a row
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    if let Some(id) = args.character {
        source.header().check_character(id).map_err(|error| anyhow!("{}: {error}", args.file.display()))?;
    }
    source.note_cut();
    let mut rows = Vec::new();
    for tick in source.ticks() {
        let Tick { tick, state_hash, rows: all } = tick?;
        let wanted = all.into_iter().filter(|row| args.character.is_none_or(|id| row.character == id));
        rows.extend(wanted.map(|row| (tick, state_hash, row)));
        if rows.len() >= args.n {
            break;
        }
    }
    rows.truncate(args.n);
    if args.json {
        let rows = rows.iter().map(|(tick, hash, row)| recording::row_as_json(*tick, *hash, row));
        return output::json(&rows.collect::<Vec<_>>());
    }
    let rows: Vec<(u32, Row)> = rows.into_iter().map(|(tick, _, row)| (tick, row)).collect();
    output::text(&recording::rows(&rows))
}
