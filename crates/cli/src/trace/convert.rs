//! `repertoire trace convert`.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_trace::{CsvWriter, Format, Recorder, TraceError};

use super::source::{Source, format_of};
use crate::output;

/// Turn a recording into another format, or what is left of one into a whole file
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The formats are told by the names: .parquet or .csv. Nothing is lost either way: numbers come back bit for bit.

Examples:
  repertoire trace convert match.parquet match.csv
  repertoire trace convert match.csv match.parquet
  repertoire trace convert cut.parquet whole.parquet")]
pub struct Args {
    /// The recording to read
    input: PathBuf,

    /// The file to write; one that is there is replaced
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let format = format_of(&args.output)?;
    let mut source = Source::open(&args.input)?;
    output::refuse_overwriting(&args.output, &args.input, "what is read")?;
    source.note_cut();
    let ticks = copy(&mut source, &args.output, format)?;
    anstream::eprintln!("{ticks} ticks written to {}", args.output.display());
    Ok(())
}

/// Writes a recording anew; gives how many ticks it has.
pub(super) fn copy(source: &mut Source, output: &Path, format: Format) -> Result<u64> {
    let header = source.header().clone();
    let mut ticks = 0u64;
    output::replace(output, |file| {
        match format {
            Format::Parquet => {
                let mut recorder = Recorder::new(file, header).map_err(plain)?;
                for tick in source.ticks() {
                    recorder.push(tick?).map_err(plain)?;
                    ticks += 1;
                }
                recorder.finish().map_err(plain)?;
            }
            Format::Csv => {
                let mut writer = CsvWriter::new(BufWriter::new(file), &header).map_err(plain)?;
                for tick in source.ticks() {
                    writer.push(tick?).map_err(plain)?;
                    ticks += 1;
                }
                let out = writer.finish().map_err(plain)?;
                out.into_inner().map_err(|error| error.into_error())?;
            }
        }
        Ok(())
    })?;
    Ok(ticks)
}

/// A failure of the disk as what it is, so that the message names the file that is written.
fn plain(error: TraceError) -> anyhow::Error {
    match error {
        TraceError::Io(error) => error.into(),
        other => other.into(),
    }
}
