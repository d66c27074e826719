//! `repertoire merge`: one result from shards.

use clap::Parser;
use repertoire_eval::shard::Shard;

use crate::prelude::*;
use crate::shard;

/// Merge shards of a long command into what a single run prints
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A long command can be done in parts, on several machines, with --only A..B --shard FILE; pieces (matches, duels, towns, rounds) are
counted from 0, and B is not in the range. The shards may be given in any order and may be cut in any way: the result has the same
bits as that of a single run. Only the time of decisions, where it is shown, is that of the machines that did the work.

Refused are shards of another version, another seed or other options, shards that are not whole, ranges that overlap, and ranges
that are missing; the message says which.

Examples:
  repertoire tournament --only 0..10 --shard a.shard
  repertoire tournament --only 10..15 --shard b.shard
  repertoire merge a.shard b.shard
  repertoire merge a.shard b.shard --json
  repertoire merge a.shard b.shard -- --html tournament.html")]
pub struct Args {
    /// The shards, in any order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Answer as the command's --json does
    #[arg(long)]
    json: bool,
    /// Further options for the command that prints
    #[arg(last = true, value_name = "OPTIONS")]
    more: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shards = args.shards.iter().map(|path| Shard::open(path)).collect::<Result<Vec<_>, _>>()?;
    let words = shard::printing(&shards, args.json, &args.more)?;
    let cli = crate::Cli::try_parse_from(words).map_err(|error| {
        anyhow!(
            "{}: its command cannot be given again: {error}\n  remedy: merge with the version that made it",
            shards[0].name
        )
    })?;
    crate::run(&cli)
}
