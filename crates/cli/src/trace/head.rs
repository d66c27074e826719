//! `repertoire trace head`.

use repertoire_draw::terminal::recording;
use repertoire_trace::Row;

use super::source::note_cut;
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
    note_cut(&source);
    let rows = source.first_rows(args.n, args.character)?;
    if args.json {
        let rows = rows.iter().map(|(tick, hash, row)| recording::row_as_json(*tick, *hash, row));
        return output::json(&rows.collect::<Vec<_>>());
    }
    let rows: Vec<(u32, Row)> = rows.into_iter().map(|(tick, _, row)| (tick, row)).collect();
    output::text(&recording::rows(&rows))
}
