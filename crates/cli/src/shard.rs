//! Long commands in parts: `--only A..B` and `--shard FILE`, and what `repertoire merge` makes of the files.
//!
//! Every command that can be done in parts goes through [`ShardArgs::carry_out`]. A shard holds the words of its command, so that
//! `merge` can give them again with the shards in place of the work, and prints through the same code as a single run.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use repertoire_eval::shard::file::{checksum, piece_line};
use repertoire_eval::shard::{self, Header, Shard, Sharded, range};
use serde_json::json;

use crate::{Interrupted, output, signals};

/// Which part to do, and where it is kept.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "In parts, on several machines or against a kill")]
pub(crate) struct ShardArgs {
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
            let shards: Vec<Shard> = self.merged.iter().map(|path| read(path)).collect::<Result<_>>()?;
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
        let header = Header { command: command(), files: files(), ..Header::of(work, range.clone()) };
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
    let mut made = begun(&header, path)?;
    if made.is_whole {
        return Ok(made);
    }
    bar.inc(made.pieces.len() as u64);
    // What was cut off in the middle of a line goes; what was committed stays.
    output::file(path, &made.text()?)?;
    let open = || OpenOptions::new().append(true).open(path);
    let file = open().with_context(|| format!("{} could not be written", path.display()))?;
    let written: Mutex<(File, Result<()>)> = Mutex::new((file, Ok(())));
    let lock = || written.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let keep = |number: u64, piece: &W::Piece| {
        let (file, state) = &mut *lock();
        if state.is_ok() {
            // One write for each line: a kill leaves whole lines and at most the beginning of one.
            let line = piece_line(number, piece).map_err(anyhow::Error::from);
            *state =
                line.and_then(|line| Ok(file.write_all(line.as_bytes()).and_then(|()| file.sync_data())?));
        }
        bar.inc(1);
    };
    let go_on = || !signals::stop_requested() && lock().1.is_ok();
    let numbers: Vec<u64> = made.missing().into_iter().flatten().collect();
    for (number, piece) in shard::run(work, numbers, &go_on, &keep)? {
        made.pieces.insert(number, serde_json::to_string(&piece)?);
    }
    let (_, state) = written.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    state.with_context(|| format!("{} could not be written", path.display()))?;
    if made.missing().is_empty() {
        made.is_whole = true;
        output::file(path, &made.text()?)?;
    }
    Ok(made)
}

/// What is there of a shard; nothing if its file is not there. A file of other work is refused and stays as it is.
fn begun(header: &Header, path: &Path) -> Result<Shard> {
    let fresh = Shard {
        name: path.display().to_string(),
        header: header.clone(),
        pieces: BTreeMap::new(),
        is_whole: false,
    };
    if !path.exists() || std::fs::metadata(path).is_ok_and(|there| there.len() == 0) {
        output::check_writable(path)?;
        return Ok(fresh);
    }
    let found = read(path)?;
    let (own, there) = (header, &found.header);
    if own.what != there.what
        || own.range() != there.range()
        || own.version != there.version
        || own.files != there.files
    {
        bail!(
            "{} is a shard of another run ({} {}..{}, seed {})\n  remedy: name another file, or remove it if it is of no use",
            path.display(),
            there.what.kind,
            there.from,
            there.to,
            there.what.seed
        );
    }
    Ok(found)
}

/// Reads a shard.
pub(crate) fn read(path: &Path) -> Result<Shard> {
    let text = std::fs::read(path).map_err(|error| {
        anyhow!(
            "{} could not be read: {error}\n  remedy: give files that `--shard FILE` wrote",
            path.display()
        )
    })?;
    Ok(Shard::read(&path.display().to_string(), &String::from_utf8_lossy(&text))?)
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

/// The files that the command's words name, with a checksum each: maps and characters that may change between two shards.
fn files() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for word in command() {
        // `--map=FILE`, `NAME=FILE` and `FILE.wad:MAP01`.
        let ends = word.match_indices('=').map(|(at, _)| &word[at + 1..]).chain([word.as_str()]);
        let names = ends.flat_map(|end| [Some(end), end.rsplit_once(':').map(|(file, _)| file)]).flatten();
        for name in names.filter(|name| Path::new(name).is_file()) {
            if let Ok(bytes) = std::fs::read(name) {
                found.insert(name.to_owned(), checksum(&bytes));
            }
        }
    }
    found
}

/// The words with which the result of some shards is printed.
pub(crate) fn printing(shards: &[Shard], json: bool, more: &[String]) -> Result<Vec<String>> {
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
