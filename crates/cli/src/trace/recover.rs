//! `repertoire trace recover`.

use repertoire_draw::terminal::recording;
use repertoire_trace::Format;

use super::convert;
use super::source::format_of;
use crate::prelude::*;

/// Recover a recording that was cut off, and say how much of it was saved
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A run of `record` that is killed leaves what it had written: in the file itself, or, if it was to replace a file that was
there, beside it as .NAME.PROCESS.part. The next `record` to the same file removes such parts, so recover them first.
Everything up to the last whole group of ticks is saved (5 to 60 seconds of the game before the cut).

Example: repertoire trace recover .match.parquet.4711.part -o saved.parquet")]
pub struct Args {
    /// The rest of a recording, such as .match.parquet.4711.part
    part: PathBuf,

    /// Write what was saved to this file (.parquet or .csv); an existing one is replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let format: Format = format_of(&args.output)?;
    let mut source = Source::open(&args.part)?;
    output::refuse_overwriting(&args.output, &args.part, "what is read")?;
    let (cut, period_secs) = (source.cut(), source.header().period_secs);
    let ticks = convert::copy(&mut source, &args.output, format)?;
    if ticks == 0 {
        bail!("{}: there is no whole tick in it\n  remedy: record the match again", args.part.display());
    }
    let secs = ticks as f64 * period_secs;
    let (file, lost) = (args.output.display().to_string(), cut.map(|cut| cut.bytes_lost));
    let report = json!({ "file": file, "ticks": ticks, "seconds": secs, "was_cut": lost.is_some(),
        "bytes_lost": lost.unwrap_or(0) });
    args.answer.print(&report, || recording::recovered(&file, ticks, secs, lost))
}
