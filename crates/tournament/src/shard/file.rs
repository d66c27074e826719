//! A shard as text: a line that says what it is, a line for each piece, a line that says that it is whole.
//!
//! ```text
//! repertoire-shard 95d1... {"format":1,"version":"0.1.0","what":{"kind":"tournament",...},"from":10,"to":20,...}
//! 12 1f03... {"result":{...}}
//! 10 77ab... {"result":{...}}
//! end 4c55...
//! ```
//! The second word of a line is a checksum of what follows it (of the last line: of all before). So a file can be written piece
//! by piece as work goes on: after a kill the lines that are whole are what was committed, and the work goes on from there. A whole
//! shard has its pieces in order.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use repertoire_prob::stream::fnv1a;
use serde::{Deserialize, Serialize};

use super::range::{self, missing};
use super::{Sharded, What};

/// The format of these files.
pub const FORMAT: u32 = 1;

/// The version whose shards can be merged: the same code gives the same bits, other code may not.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

const FIRST: &str = "repertoire-shard";
const LAST: &str = "end";

/// What a shard is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// See [`FORMAT`].
    pub format: u32,
    /// The version that made it.
    pub version: String,
    /// What it is a part of.
    pub what: What,
    /// Its first piece.
    pub from: u64,
    /// The piece after its last.
    pub to: u64,
    /// The words of the command that does all of it, for whoever prints the merged result; empty if no command made it.
    #[serde(default)]
    pub command: Vec<String>,
    /// Files that the work was made of, each with a checksum of its content.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

impl Header {
    /// The header of a shard of some work.
    pub fn of(work: &impl Sharded, range: Range<u64>) -> Self {
        let (from, to) = (range.start, range.end);
        let (command, files) = (Vec::new(), BTreeMap::new());
        Header { format: FORMAT, version: VERSION.to_owned(), what: work.what(), from, to, command, files }
    }

    /// The same, of work that a command does: with its words, and the files that they name.
    pub fn by(work: &impl Sharded, range: Range<u64>, command: Vec<String>) -> Self {
        Header { files: named_files(&command), command, ..Header::of(work, range) }
    }

    /// The pieces that belong to it.
    pub fn range(&self) -> Range<u64> {
        self.from..self.to
    }

    /// The first line of its file.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        Ok(line(FIRST, &serde_json::to_string(self)?))
    }
}

/// The line of a piece.
///
/// # Errors
/// If it is no plain data.
pub fn piece_line(number: u64, piece: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(line(&number.to_string(), &serde_json::to_string(piece)?))
}

fn line(word: &str, json: &str) -> String {
    format!("{word} {} {json}\n", checksum(json.as_bytes()))
}

/// 64 bits of FNV-1a as 16 digits: tells damage and mistakes, not malice.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes))
}

/// The files that a command's words name, and those that these name, with a checksum each: maps and characters that may change
/// between two shards.
pub fn named_files(words: &[String]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for word in words {
        // `FILE+belief`, `--map=FILE`, `NAME=FILE` and `FILE.wad:MAP01`.
        let word = word.strip_suffix("+belief").unwrap_or(word);
        let ends = word.match_indices('=').map(|(at, _)| &word[at + 1..]).chain([word]);
        let names = ends.flat_map(|end| [Some(end), end.rsplit_once(':').map(|(file, _)| file)]).flatten();
        names.for_each(|name| add_named(Path::new(name), &mut found));
    }
    found
}

/// Adds a file, and every file beside it that stands in quotes in it, with or without `.toml`.
fn add_named(path: &Path, found: &mut BTreeMap<String, String>) {
    let name = path.display().to_string();
    if found.contains_key(&name) || !path.is_file() {
        return;
    }
    let Ok(bytes) = std::fs::read(path) else { return };
    found.insert(name, checksum(&bytes));
    if path.extension().is_some_and(|extension| extension == "toml") {
        let text = String::from_utf8_lossy(&bytes);
        for quoted in text.split(['"', '\'']).filter(|quoted| !quoted.is_empty() && !quoted.contains('\n')) {
            add_named(&path.with_file_name(quoted), found);
            add_named(&path.with_file_name(format!("{quoted}.toml")), found);
        }
    }
}

/// A shard that was read, or is being made. Pieces are kept as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// What people call it: its file's name.
    pub name: String,
    /// What it is.
    pub header: Header,
    /// Its pieces.
    pub pieces: BTreeMap<u64, String>,
    /// Whether it was finished.
    pub is_whole: bool,
}

/// Why a text is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The first line is something else.
    #[error("{name} is no shard\n  remedy: give files that `--shard FILE` wrote")]
    NoShard {
        /// The file.
        name: String,
    },
    /// A line that is not what was written.
    #[error("{name}:{line}: this line is damaged\n  remedy: remove the file and do its pieces again")]
    Damaged {
        /// The file.
        name: String,
        /// Which line, from 1.
        line: usize,
    },
    /// Another format.
    #[error(
        "{name} has format {found}, this program reads format {FORMAT}\n  remedy: do its pieces again with this version"
    )]
    Format {
        /// The file.
        name: String,
        /// Its format.
        found: u32,
    },
}

impl Shard {
    /// A whole shard of pieces that were done.
    ///
    /// # Errors
    /// If pieces are no plain data.
    pub fn of<W: Sharded>(
        work: &W,
        range: Range<u64>,
        pieces: &[(u64, W::Piece)],
    ) -> Result<Self, serde_json::Error> {
        let header = Header::of(work, range);
        let pieces = pieces.iter().map(|(number, piece)| Ok((*number, serde_json::to_string(piece)?)));
        Ok(Shard { name: String::new(), header, pieces: pieces.collect::<Result<_, _>>()?, is_whole: true })
    }

    /// Reads a text. One that was cut off gives the pieces whose lines are whole, and is not whole itself.
    ///
    /// # Errors
    /// If it is something else, or a line before the last is damaged.
    pub fn read(name: &str, text: &str) -> Result<Self, Unreadable> {
        let name = name.to_owned();
        let mut lines = text.split_inclusive('\n').enumerate().peekable();
        let first = lines.next().and_then(|(_, line)| parse(line)).filter(|(word, _)| *word == FIRST);
        let Some((_, json)) = first else { return Err(Unreadable::NoShard { name }) };
        let found =
            serde_json::from_str::<serde_json::Value>(json).ok().and_then(|header| header["format"].as_u64());
        if found != Some(FORMAT.into()) {
            return Err(Unreadable::Format { name, found: found.unwrap_or(0) as u32 });
        }
        let header =
            serde_json::from_str(json).map_err(|_| Unreadable::Damaged { name: name.clone(), line: 1 })?;
        let mut shard = Shard { name, header, pieces: BTreeMap::new(), is_whole: false };
        let mut before = text.find('\n').map_or(text.len(), |at| at + 1);
        while let Some((number, line)) = lines.next() {
            let damaged = || Unreadable::Damaged { name: shard.name.clone(), line: number + 1 };
            // The last line of a run that was killed while it wrote.
            if lines.peek().is_none() && !line.ends_with('\n') {
                break;
            }
            if let Some(sum) = line.strip_prefix(LAST) {
                if sum.trim() != checksum(&text.as_bytes()[..before]) || lines.peek().is_some() {
                    return Err(damaged());
                }
                shard.is_whole = true;
                break;
            }
            match parse(line).and_then(|(word, json)| Some((word.parse::<u64>().ok()?, json))) {
                Some((number, json)) if shard.header.range().contains(&number) => {
                    shard.pieces.insert(number, json.to_owned());
                }
                _ => return Err(damaged()),
            }
            before += line.len();
        }
        Ok(shard)
    }

    /// The numbers of its range whose pieces are not there.
    pub fn missing(&self) -> Vec<Range<u64>> {
        missing(&self.header.range(), &self.pieces.keys().copied().collect())
    }

    /// What is missing, in words.
    pub fn missing_words(&self) -> String {
        range::words(&self.missing())
    }

    /// Its text: pieces in order, and the last line if nothing is missing.
    ///
    /// # Errors
    /// If its header is no plain data.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = self.header.line()?;
        for (number, json) in &self.pieces {
            text += &line(&number.to_string(), json);
        }
        if self.missing().is_empty() {
            let sum = checksum(text.as_bytes());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{LAST} {sum}");
        }
        Ok(text)
    }
}

/// The first word of a line and what its checksum vouches for.
fn parse(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.strip_suffix('\n')?.split_once(' ')?;
    let (sum, json) = rest.split_once(' ')?;
    (sum == checksum(json.as_bytes())).then_some((word, json))
}
