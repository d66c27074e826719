//! `repertoire trace convert`.

use repertoire::recordings::NotCopied;
use repertoire_trace::{Format, TraceError};

use super::source::{format_of, note_cut};
use crate::prelude::*;

/// Convert a recording to another format, or the rest of a damaged one to a whole file
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The formats follow from the names: .parquet or .csv. Nothing is lost either way: numbers come back bit for bit.

Examples:
  repertoire trace convert match.parquet match.csv
  repertoire trace convert match.csv match.parquet
  repertoire trace convert cut.parquet whole.parquet")]
pub struct Args {
    /// The recording to read
    input: PathBuf,

    /// The file to write; an existing one is replaced
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let format = format_of(&args.output)?;
    let mut source = Source::open(&args.input)?;
    output::refuse_overwriting(&args.output, &args.input, "what is read")?;
    note_cut(&source);
    let ticks = copy(&mut source, &args.output, format)?;
    anstream::eprintln!("{ticks} ticks written to {}", args.output.display());
    Ok(())
}

/// Writes a recording anew; gives how many ticks it has.
pub(super) fn copy(source: &mut Source, output: &Path, format: Format) -> Result<u64> {
    let mut ticks = 0;
    output::replace(output, |file| {
        ticks = source.copy_to(file, format).map_err(|error| match error {
            // A failure of the disk stays what it is, so that the message names the file that is written.
            NotCopied::Write(TraceError::Io(error)) => anyhow::Error::from(error),
            other => other.into(),
        })?;
        Ok(())
    })?;
    Ok(ticks)
}
