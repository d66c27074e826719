//! Why a WAD file was refused.

/// Why a map could not be imported: what is wrong, where, and what would help.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WadError {
    /// The file is of another kind.
    #[error("this is no WAD file: {what}; {remedy}")]
    NotAWad {
        /// What its first bytes look like.
        what: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
    /// The file ends before something it announces.
    #[error(
        "the file ends too early: {what} at offset {offset} lacks {missing} of its bytes; copy or download it again"
    )]
    Truncated {
        /// What was being read.
        what: String,
        /// Where in the file that begins.
        offset: u64,
        /// How many bytes are missing.
        missing: u64,
    },
    /// A size or an offset is below zero.
    #[error("the file is damaged: {what} is {value}, but cannot be negative")]
    Negative {
        /// Which number.
        what: String,
        /// Its value.
        value: i32,
    },
    /// There is no map of this name.
    #[error("there is no map {wanted:?} in this file, which has {}{}", those_there(.maps), did_you_mean(.nearest.as_deref()))]
    NoSuchMap {
        /// The name asked for.
        wanted: String,
        /// The most similar name there is.
        nearest: Option<String>,
        /// All names there are.
        maps: Vec<String>,
    },
    /// A map in Hexen's format.
    #[error(
        "{map} is in Hexen's format (it has a BEHAVIOR lump); only maps in Doom's format can be imported"
    )]
    Hexen {
        /// The map.
        map: String,
    },
    /// A map in the universal text format.
    #[error(
        "{map} is in the text format UDMF (it has a TEXTMAP lump); save it in Doom's format with a map editor"
    )]
    Udmf {
        /// The map.
        map: String,
    },
    /// A part of the map is missing.
    #[error("{map} has no {lump} lump; the file is incomplete")]
    MissingLump {
        /// The map.
        map: String,
        /// The part.
        lump: &'static str,
    },
    /// A part of the map is no whole number of records.
    #[error(
        "{lump} is {bytes} bytes long, which is no multiple of the {record} bytes of a record; is the map in Doom's format?"
    )]
    Ragged {
        /// The part.
        lump: &'static str,
        /// Its size.
        bytes: usize,
        /// The size of one record.
        record: usize,
    },
    /// More records than Doom's 16-bit numbers can name.
    #[error("{lump} has {count} records, but a map in Doom's format has at most {most}")]
    TooMany {
        /// The part.
        lump: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A record refers to one that does not exist.
    #[error(
        "record {record} of {lump} refers to record {index} of {target}, which has only {count}; the map is damaged"
    )]
    OutOfRange {
        /// Where the record is.
        lump: &'static str,
        /// Its number.
        record: usize,
        /// What it refers to.
        target: &'static str,
        /// The number it gives.
        index: u16,
        /// How many records there are.
        count: usize,
    },
    /// The lines around a sector do not meet.
    #[error(
        "sector {sector} is open: its lines do not meet at ({x}, {y}) in map units, which is ({:.2} m, {:.2} m); \
         close its outline there in a map editor",
        super::metres(*.x), super::metres(*.y)
    )]
    Open {
        /// The sector's number.
        sector: u16,
        /// Where, in map units.
        x: i16,
        /// Where, in map units.
        y: i16,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

fn those_there(maps: &[String]) -> String {
    // A message is read by people: a hostile file may hold a million names.
    const SHOWN: usize = 40;
    if maps.is_empty() {
        return "no maps at all".to_owned();
    }
    let shown: Vec<&str> = maps.iter().take(SHOWN).map(String::as_str).collect();
    let more = maps.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
