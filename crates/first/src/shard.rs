//! Long commands in parts: `--only A..B` and `--shard FILE`, and what `repertoire merge` makes of the files.
//!
//! Every command that can be done in parts goes through [`ShardArgs::carry_out`]. A shard holds the words of its command, so that
//! `merge` can give them again with the shards in place of the work, and prints through the same code as a single run.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use repertoire_tournament::shard::file::checksum;
use repertoire_tournament::shard::{self, Header, Kept, Shard, Sharded, range};
use serde_json::json;

use crate::{Interrupted, output, progress, signals};

/// Which part to do, and where it is kept.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "In parts, on several machines or against a kill")]
pub struct ShardArgs {
    /// Do only these pieces, such as 10..20 (the last one is 19), and write them as a shard for `repertoire merge`
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    only: Option<Range<u64>>,
    /// Keep every finished piece in this file; after a kill the same command goes on from there [default with --only: standard
    /// output]
    #[arg(long, value_name = "FILE")]
    shard: Option<PathBuf>,
    /// Take the pieces from these shards instead of doing them (`repertoire merge` gives this)
    #[arg(long, value_name = "SHARD", hide = true, conflicts_with_all = ["only", "shard"])]
    merged: Vec<PathBuf>,
}

fn parse_range(text: &str) -> Result<Range<u64>, String> {
    range::parse(text)
        .ok_or_else(|| "a range is two numbers such as 10..20, of which the second is not in it".to_owned())
}

impl ShardArgs {
    /// Whether everything is done here and now, and nothing kept.
    pub fn is_plain(&self) -> bool {
        self.only.is_none() && self.shard.is_none() && self.merged.is_empty()
    }

    /// As [`Self::carry_out`], with a bar of this template over the pieces.
    pub fn carry_out_with_bar<W: Sharded>(
        &self,
        work: &W,
        unit: &str,
        template: &str,
        json: bool,
    ) -> Result<Option<W::Whole>>
    where
        W::Refused: Sync + 'static,
    {
        self.carry_out(work, unit, &progress::bar(work.what().total, template), json)
    }

    /// Does the work, or the part that is asked for, or merges shards of it. Gives the whole where there is one: none if a part
    /// was written instead. `unit` is what a piece is called, in the plural.
    pub fn carry_out<W: Sharded>(
        &self,
        work: &W,
        unit: &str,
        bar: &ProgressBar,
        json: bool,
    ) -> Result<Option<W::Whole>>
    where
        W::Refused: Sync + 'static,
    {
        if !self.merged.is_empty() {
            bar.finish_and_clear();
            let shards: Vec<Shard> =
                self.merged.iter().map(|path| Shard::open(path)).collect::<Result<_, _>>()?;
            return Ok(Some(shard::merge(work, &shards)?));
        }
        let total = work.what().total;
        let range = self.only.clone().unwrap_or(0..total);
        if range.end > total {
            bail!(
                "--only {}..{}: there are {total} {unit}\n  remedy: a range within 0..{total}",
                range.start,
                range.end
            );
        }
        bar.set_length(range.end - range.start);
        let header = Header::by(work, range.clone(), command());
        signals::install();
        let made = match &self.shard {
            Some(path) => in_file(work, header, path, bar)?,
            None => in_memory(work, header, bar)?,
        };
        bar.finish_and_clear();
        if !made.missing().is_empty() {
            let there = made.pieces.len();
            let kept = if self.shard.is_some() { "; the same command goes on from there" } else { "" };
            let said = format!("stopped after {there} of {} {unit}{kept}", range.end - range.start);
            return Err(Interrupted(said).into());
        }
        if self.only.is_none() {
            return Ok(Some(shard::merge(work, &[made])?));
        }
        match &self.shard {
            None => output::text(&made.text()?)?,
            Some(path) => tell(path, &made, unit, json)?,
        }
        Ok(None)
    }
}

fn tell(path: &Path, made: &Shard, unit: &str, as_json: bool) -> Result<()> {
    let (Range { start, end }, total) = (made.header.range(), made.header.what.total);
    if as_json {
        return output::json(
            &json!({ "file": path.display().to_string(), "kind": made.header.what.kind, "from": start,
            "to": end, "total": total }),
        );
    }
    output::text(&format!(
        "{unit} {start}..{end} of {total} are in {0}; `repertoire merge {0} ...` when all are done\n",
        path.display()
    ))
}

fn in_memory<W: Sharded>(work: &W, header: Header, bar: &ProgressBar) -> Result<Shard>
where
    W::Refused: Sync + 'static,
{
    let done = shard::run(work, header.range(), &|| !signals::stop_requested(), &|_, _| bar.inc(1))?;
    Ok(Shard { header: header.clone(), ..Shard::of(work, header.range(), &done)? })
}

/// Does what is missing of a file, which grows by a line with every piece.
fn in_file<W: Sharded>(work: &W, header: Header, path: &Path, bar: &ProgressBar) -> Result<Shard>
where
    W::Refused: Sync + 'static,
{
    if !path.exists() {
        output::check_writable(path)?;
    }
    let kept = Kept::begin(header, path)?;
    bar.inc(kept.shard().pieces.len() as u64);
    Ok(kept.run(work, &|| !signals::stop_requested(), &|_| bar.inc(1))?)
}

/// Options that say how to do or show it, not what to do: with a value, and without.
const HOW: [&str; 7] = ["--only", "--shard", "--threads", "--html", "--pupils", "--most-stuck", "--merged"];
const FLAGS: [&str; 2] = ["--json", "--by-time"];

/// The words of this process's command that say what is done.
fn command() -> Vec<String> {
    without_how(std::env::args().skip(1))
}

fn without_how(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or_default();
        if HOW.contains(&name) {
            if !word.contains('=') {
                words.next();
            }
        } else if !FLAGS.contains(&word.as_str()) {
            kept.push(word);
        }
    }
    kept
}

/// The words with which the result of some shards is printed.
pub fn printing(shards: &[Shard], json: bool, more: &[String]) -> Result<Vec<String>> {
    let first = &shards.first().context("there is no shard to merge")?;
    if first.header.command.is_empty() {
        bail!(
            "{}: no command made it, so none can print it\n  remedy: merge it with what made it",
            first.name
        );
    }
    for (name, sum) in &first.header.files {
        let content = std::fs::read(name);
        if content.map_or(true, |content| checksum(&content) != *sum) {
            bail!(
                "{name} is missing, or is not what {} was made with\n  remedy: merge where that file is as it was",
                first.name
            );
        }
    }
    let mut words = vec!["repertoire".to_owned()];
    words.extend(first.header.command.iter().cloned());
    if json {
        words.push("--json".into());
    }
    words.extend(more.iter().cloned());
    for shard in shards {
        words.extend(["--merged".to_owned(), shard.name.clone()]);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_is_done_is_no_part_of_what_is_done() {
        let words = "tournament --only 1..2 --seed 3 --shard=x --json --threads 4 --map yard --html -";
        let kept = without_how(words.split(' ').map(str::to_owned));
        assert_eq!(kept.join(" "), "tournament --seed 3 --map yard");
    }
}
