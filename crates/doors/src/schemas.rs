//! JSON schemas, packed into the program: of the questions and answers of every door, and of the files that people write.
//!
//! They follow from the types, but working them out takes more machine code than any door has (a tenth of the whole program),
//! for texts that change only when the types do. So `cargo xtask schemas` works them out, a test compares, and the program has
//! the texts. The feature `derived-schemas`, which only that chore asks for, has what works them out.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

/// Every schema's text by its name, as a gzipped JSON object.
static PACKED: &[u8] = include_bytes!("schemas.json.gz");

static TEXTS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| unpack(PACKED).unwrap_or_default());

fn unpack(packed: &[u8]) -> std::io::Result<BTreeMap<String, String>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

/// The schema of a kind of file, as it is published in `schemas/` without the ending: `fighter`, `town`, `belief-model`.
/// `None` where there is no such kind.
///
/// ```
/// assert!(repertoire_doors::schemas::of_file("fighter").is_some_and(|text| text.starts_with('{')));
/// ```
pub fn of_file(kind: &str) -> Option<&'static str> {
    TEXTS.get(kind).map(String::as_str)
}

/// The schema of what a door reads or writes; `what` is `question`, `answer`, `load` or `use`.
pub(crate) fn of_door(door: &str, what: &str) -> &'static str {
    TEXTS.get(&door_key(door, what)).map_or("true", String::as_str)
}

fn door_key(door: &str, what: &str) -> String {
    format!("ask {door}: {what}")
}

#[cfg(any(test, feature = "derived-schemas"))]
pub use derived::{files, pack};

#[cfg(any(test, feature = "derived-schemas"))]
mod derived {
    use std::collections::BTreeMap;
    use std::io::Write;

    use schemars::Schema;

    use super::{PACKED, door_key, unpack};
    use crate::DOORS;

    /// The schemas of all files that people write, worked out from the types: kind and text.
    pub fn files() -> Vec<(&'static str, String)> {
        let schemas = [
            ("behaviour", repertoire_bayes::sequence::file::schema()),
            ("belief-model", repertoire_belief::model::schema()),
            ("chameleon-character", repertoire_chameleon::file::schema()),
            ("chameleon-model", repertoire_chameleon::model::schema()),
            ("character", repertoire_mind::game::schema()),
            ("domain", repertoire_plan::domain::schema()),
            ("family", repertoire_character::profile::family::schema()),
            ("fighter", repertoire_mind::fighter::schema()),
            ("map", repertoire_worlds::arena::map::file::schema()),
            ("places", repertoire_topology::places::schema()),
            ("profile", repertoire_character::profile::file::schema()),
            ("program", repertoire_bayes::file::schema()),
            ("scenario", repertoire_worlds::rooms::scenario::schema()),
            ("town", repertoire_worlds::town::schema()),
        ];
        schemas.into_iter().map(|(kind, schema)| (kind, pretty(&schema))).collect()
    }

    /// All schemas worked out from the types and packed, for `schemas.json.gz`; `None` where that file holds them already.
    pub fn pack() -> std::io::Result<Option<Vec<u8>>> {
        let all = all();
        if unpack(PACKED).is_ok_and(|current| current == all) {
            return Ok(None);
        }
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(serde_json::to_string(&all)?.as_bytes())?;
        Ok(Some(packed.finish()?))
    }

    pub(super) fn all() -> BTreeMap<String, String> {
        let mut all: BTreeMap<String, String> =
            files().into_iter().map(|(kind, text)| (kind.to_owned(), text)).collect();
        for door in &DOORS {
            for (what, schema) in door.derived_schemas() {
                all.insert(door_key(door.name, what), pretty(&schema));
            }
        }
        all
    }

    fn pretty(schema: &Schema) -> String {
        serde_json::to_string_pretty(schema).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_what_the_types_say() {
        assert!(*TEXTS == derived::all(), "run `cargo xtask schemas`");
    }
}
