//! Many shards as one result, or what speaks against it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::file::VERSION;
use super::range::{missing, word, words};
use super::{Shard, Sharded};

/// Why shards do not make a whole. Says which shard, what is wrong with it, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum CannotMerge<R: std::error::Error> {
    /// There is none.
    #[error("there is no shard to merge\n  remedy: name the files that `--shard FILE` wrote")]
    Nothing,
    /// Made by other code, which may give other bits.
    #[error(
        "{shard} was made by version {found}, this is version {VERSION}\n  remedy: do its pieces again with this version, or merge with that one"
    )]
    Version {
        /// The shard.
        shard: String,
        /// Who made it.
        found: String,
    },
    /// It is a part of something else.
    #[error(
        "{shard} is part of another run: {what} is {found}, and {wanted} in {other}\n  remedy: leave it out, or do its pieces again with the other options"
    )]
    Other {
        /// The shard.
        shard: String,
        /// The setting.
        what: String,
        /// What it is there.
        found: String,
        /// What it should be.
        wanted: String,
        /// Where it is so.
        other: String,
    },
    /// It was never finished, or cut off.
    #[error(
        "{shard} is not whole: {missing} are missing of {of}\n  remedy: give the command that made it again; it goes on from what is there"
    )]
    Unfinished {
        /// The shard.
        shard: String,
        /// What is missing of it.
        missing: String,
        /// Its range.
        of: String,
    },
    /// Two shards hold the same pieces.
    #[error(
        "{first} and {second} overlap: {both} are in both\n  remedy: leave one of them out, or do the rest of it under another name"
    )]
    Overlap {
        /// One.
        first: String,
        /// The other.
        second: String,
        /// What both hold.
        both: String,
    },
    /// Pieces that no shard holds.
    #[error("{missing} of 0..{total} are missing\n  remedy: do them with {remedy}")]
    Missing {
        /// Which.
        missing: String,
        /// How many there are in all.
        total: u64,
        /// What to do.
        remedy: String,
    },
    /// A piece that this work has no use for.
    #[error("{shard}: piece {number} cannot be used: {why}\n  remedy: do it again with this version")]
    Piece {
        /// The shard.
        shard: String,
        /// Which.
        number: u64,
        /// What is wrong.
        why: String,
    },
    /// The work itself.
    #[error(transparent)]
    Refused(R),
}

/// Merges shards, given in any order, into what a single run gives.
///
/// # Errors
/// If a shard is of another version or of other work, is not whole, overlaps another, or if pieces are missing.
pub fn merge<W: Sharded>(work: &W, shards: &[Shard]) -> Result<W::Whole, CannotMerge<W::Refused>> {
    let mut pieces = BTreeMap::new();
    for (number, (json, shard)) in gather(work, shards)? {
        let piece = serde_json::from_str(json).map_err(|why| CannotMerge::Piece {
            shard: shard.name.clone(),
            number,
            why: why.to_string(),
        })?;
        pieces.insert(number, piece);
    }
    work.whole(pieces.into_iter().collect()).map_err(CannotMerge::Refused)
}

type Gathered<'a> = BTreeMap<u64, (&'a str, &'a Shard)>;

fn gather<'a, W: Sharded>(work: &W, shards: &'a [Shard]) -> Result<Gathered<'a>, CannotMerge<W::Refused>> {
    let what = work.what();
    let Some(first) = shards.first() else { return Err(CannotMerge::Nothing) };
    for shard in shards {
        agree(shard, first)?;
        // The first must be what is merged, and all others like it.
        let wanted = serde_json::to_value(&what).unwrap_or_default();
        let found = serde_json::to_value(&shard.header.what).unwrap_or_default();
        differ(shard, ("what is merged", &wanted), &found)?;
        if !shard.is_whole || !shard.missing().is_empty() {
            return Err(CannotMerge::Unfinished {
                shard: shard.name.clone(),
                missing: if shard.missing().is_empty() {
                    "its last line".into()
                } else {
                    shard.missing_words()
                },
                of: word(&shard.header.range()),
            });
        }
    }
    let mut order: Vec<&Shard> = shards.iter().collect();
    order.sort_by_key(|shard| (shard.header.from, shard.header.to));
    for pair in order.windows(2) {
        let (one, two) = (&pair[0].header, &pair[1].header);
        if two.from < one.to {
            return Err(CannotMerge::Overlap {
                first: pair[0].name.clone(),
                second: pair[1].name.clone(),
                both: word(&(two.from..one.to.min(two.to))),
            });
        }
    }
    let mut all = Gathered::new();
    for shard in shards {
        all.extend(shard.pieces.iter().map(|(&number, json)| (number, (json.as_str(), shard))));
    }
    let lacking = missing(&(0..what.total), &all.keys().copied().collect());
    if !lacking.is_empty() {
        let each =
            lacking.iter().map(|range| format!("`--only {}..{} --shard FILE`", range.start, range.end));
        let remedy = each.collect::<Vec<_>>().join(", ");
        return Err(CannotMerge::Missing { missing: words(&lacking), total: what.total, remedy });
    }
    Ok(all)
}

/// Whether two shards were made by the same version of the same files.
fn agree<R: std::error::Error>(shard: &Shard, first: &Shard) -> Result<(), CannotMerge<R>> {
    if shard.header.version != VERSION {
        let (shard, found) = (shard.name.clone(), shard.header.version.clone());
        return Err(CannotMerge::Version { shard, found });
    }
    let value = |shard: &Shard| serde_json::json!({ "content": shard.header.files });
    differ(shard, (&first.name, &value(first)), &value(shard))
}

/// Names the first setting in which a shard differs from what is wanted.
fn differ<R: std::error::Error>(
    shard: &Shard,
    (other, wanted): (&str, &Value),
    found: &Value,
) -> Result<(), CannotMerge<R>> {
    let Some((what, found, wanted)) = difference("", wanted, found) else { return Ok(()) };
    Err(CannotMerge::Other { shard: shard.name.clone(), what, found, wanted, other: other.to_owned() })
}

/// The path of the first value that differs, with both values, cut short.
fn difference(path: &str, wanted: &Value, found: &Value) -> Option<(String, String, String)> {
    if let (Value::Object(wanted), Value::Object(found)) = (wanted, found) {
        let names: std::collections::BTreeSet<&String> = wanted.keys().chain(found.keys()).collect();
        let null = Value::Null;
        return names.into_iter().find_map(|name| {
            let path =
                if path.is_empty() || path == "settings" { name.clone() } else { format!("{path}.{name}") };
            difference(&path, wanted.get(name).unwrap_or(&null), found.get(name).unwrap_or(&null))
        });
    }
    let short = |value: &Value| match value {
        Value::Null => "nothing".to_owned(),
        value => {
            let text = value.to_string();
            if text.chars().count() > 60 { text.chars().take(57).collect::<String>() + "..." } else { text }
        }
    };
    (wanted != found).then(|| (path.to_owned(), short(found), short(wanted)))
}
