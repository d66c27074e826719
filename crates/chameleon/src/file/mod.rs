//! The file of a learned character: compact, versioned, checked; and the JSON of earlier versions.
//!
//! ```text
//! repertoire character 2\n     what it is, as text
//! a zlib stream, whose checksum covers all that follows:
//!   varint, JSON               the length of the head, and the head: model, reaction time, sharpness...
//!   numbers                    in the order of the table
//! ```
//!
//! | numbers                                      | written as                                                      |
//! |----------------------------------------------|-----------------------------------------------------------------|
//! | ticks, log-likelihoods                       | doubles                                                         |
//! | attention, and the denominators of its update| doubles                                                         |
//! | tables of decisions and actions              | nothing if they follow from the counts ([`Recipe`]), as they do unless they were given by hand or saved by an earlier version; else doubles |
//! | expected counts, how often values were met   | multiples of a millionth of a tick (2^-20), as varints: most are 0 |
//! | moments of the hands, if the head says so    | whole numbers of ten-thousandths, column by column, as varints  |
//!
//! What is lost: what expected counts have below 2^-20 of a tick. It is lost at the end of learning, not by saving: a [`Learned`] is
//! what its file holds, so that it plays the same bits before it is saved and after it is loaded, and goes on learning the same.
//! The same character always gives the same bytes.

use std::io::{BufReader, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::body::Body;
use crate::counts::ExpectedCounts;
use crate::delay::Delay;
use crate::hands::{Hands, MOST_MOMENTS, Moments};
use crate::layout::LayoutError;
use crate::learned::Learned;
use crate::model::{self, Model};
use crate::params::{Params, ParamsError};
use crate::play::Sharpness;
use crate::recipe::Recipe;
use crate::steady::Steadiness;

/// How the file of a learned character begins, before the number of its version.
pub const MAGIC: &str = "repertoire character ";
/// The version that is written.
pub const VERSION: u32 = 2;
/// What the JSON of earlier versions says that it is.
pub const FORMAT: &str = "repertoire chameleon 1";

/// Counts are multiples of one over this many ticks.
const PARTS: f64 = (1 << 20) as f64;
/// The most parts that a count may have, so that every one of them is a double of its own.
const MOST_PARTS: u64 = 1 << 53;
/// The longest head, in bytes: a model is a few kilobytes of text.
const MOST_HEAD: u64 = 1 << 24;
/// The most bytes that one byte of a zlib stream stands for.
const MOST_UNPACKED: usize = 1032;

/// A learned character as JSON: what earlier versions saved, and what other programs can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnedFile {
    /// What kind of file this is.
    pub format: String,
    /// The model, as TOML.
    pub model: String,
    /// How many decisions were learned, whatever the model says.
    pub decisions: usize,
    /// How late it perceives.
    pub delay: Delay,
    /// How much it sharpens what it draws from.
    #[serde(default)]
    pub sharpness: Sharpness,
    /// For how long it holds what it drew.
    #[serde(default)]
    pub steadiness: Steadiness,
    /// What its body can do.
    #[serde(default)]
    pub body: Body,
    /// How it carries out what it decides.
    #[serde(default)]
    pub hands: Hands,
    /// Sequences learned from.
    pub lives: u64,
    /// Whether values never met have numbers from their neighbours.
    #[serde(default)]
    pub pooled: bool,
    /// How the numbers follow from the counts; without it they are what they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Recipe>,
    /// Log-likelihoods of the last learning.
    #[serde(default)]
    pub curve: Vec<f64>,
    /// The numbers as learned.
    pub params: Params,
    /// Expected counts, to go on from.
    pub counts: ExpectedCounts,
}

/// Everything but the numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    model: String,
    decisions: usize,
    delay: Delay,
    sharpness: Sharpness,
    steadiness: Steadiness,
    body: Body,
    lives: u64,
    pooled: bool,
    recipe: Option<Recipe>,
    curve: usize,
    /// How many moments of its hands follow the counts, for each group of actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hands: Vec<usize>,
}

/// The JSON schema of a learned character as JSON.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(LearnedFile)
}

/// Why a file holds no character.
#[derive(Debug, Error)]
pub enum FileError {
    /// It begins like something else.
    #[error("it does not begin with `{MAGIC}{VERSION}`, nor is it the JSON of earlier versions")]
    Foreign,
    /// Another version.
    #[error("it has version {0}, and this program reads version {VERSION}")]
    Version(String),
    /// The end is missing.
    #[error("it was cut off: its end is missing")]
    Cut,
    /// Bytes were changed.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// JSON of another format.
    #[error("its format is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// JSON of another shape.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The model in it is wrong.
    #[error("its model is wrong: {0}")]
    Model(String),
    /// Its decisions do not fit.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Its numbers do not fit its model.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// Its counts do not fit its model.
    #[error("its counts do not fit its model")]
    Counts,
    /// Delay, sharpness or another setting out of bounds.
    #[error("{0}")]
    Bounds(String),
}

/// Counts as a file holds them.
pub(crate) fn round(counts: &mut ExpectedCounts) {
    let parts = |table: &mut Vec<f64>| {
        table.iter_mut().for_each(|count| *count = (*count * PARTS).round().min(MOST_PARTS as f64) / PARTS);
    };
    counts.ticks_tables_mut().into_iter().for_each(parts);
}

impl Learned {
    /// The file of a character.
    ///
    /// ```
    /// use repertoire_chameleon::{EmSettings, Learned, Sequence, learn, model};
    ///
    /// let model = model::shipped("arena").unwrap().with_decisions(2)?;
    /// let mut life = Sequence::new(model.layout());
    /// # let (high, slots) = (vec![0; model.high().len()], vec![Some(0); model.slots().len()]);
    /// # let reflexive = vec![0; model.reflexive().len()];
    /// life.push(model.layout(), &high, &slots, &reflexive, |_, _| 0)?;
    /// let learned = learn(&model, &[life], &EmSettings::default(), &|_| {})?;
    ///
    /// let bytes = learned.to_bytes();
    /// assert!(bytes.starts_with(b"repertoire character 2\n"));
    /// assert_eq!(Learned::from_bytes(&bytes)?, learned);
    /// // What was changed on the way is noticed.
    /// assert!(Learned::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            model: self.model.text().to_owned(),
            decisions: self.model.decisions(),
            delay: self.delay.clone(),
            sharpness: self.sharpness.clone(),
            steadiness: self.steadiness.clone(),
            body: self.body.clone(),
            lives: self.lives,
            pooled: self.pooled(),
            recipe: self.recipe(),
            curve: self.curve.len(),
            hands: self.hands.groups.iter().map(Moments::len).collect(),
        };
        let head =
            serde_json::to_vec(&head).unwrap_or_else(|error| unreachable!("text and numbers: {error}"));
        let mut out = Vec::new();
        varint(&mut out, head.len() as u64);
        out.extend(head);
        let (params, counts) = (self.raw_params(), self.counts());
        let doubles = |out: &mut Vec<u8>, numbers: &[f64]| {
            numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
        };
        doubles(&mut out, &[counts.ticks, counts.log_likelihood]);
        doubles(&mut out, &self.curve);
        std::iter::once(&params.theta).chain(&params.weights).for_each(|table| doubles(&mut out, table));
        if self.recipe().is_none() {
            params.distributions().into_iter().for_each(|table| doubles(&mut out, table));
        }
        counts.denominators().into_iter().for_each(|table| doubles(&mut out, table));
        for table in counts.ticks_tables() {
            table.iter().for_each(|count| varint(&mut out, (count * PARTS) as u64));
        }
        self.hands.columns().into_iter().for_each(|number| varint(&mut out, number));
        let mut zlib = ZlibEncoder::new(format!("{MAGIC}{VERSION}\n").into_bytes(), Compression::best());
        let written = zlib.write_all(&out).and_then(|()| zlib.finish());
        written.unwrap_or_else(|error| unreachable!("a list takes all bytes: {error}"))
    }

    /// The character of a file: what [`Learned::to_bytes`] wrote, or the JSON of earlier versions.
    ///
    /// Fails if the file is something else, of another version, cut off or damaged, or if its numbers do not fit its model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.trim_ascii_start().starts_with(b"{") {
            return Learned::from_file(json(bytes)?);
        }
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::Foreign)?;
        let end = rest.iter().take(20).position(|&byte| byte == b'\n').ok_or(FileError::Foreign)?;
        let version = String::from_utf8_lossy(&rest[..end]).into_owned();
        if version != VERSION.to_string() {
            return Err(FileError::Version(version));
        }
        Unpacked::of(&rest[end + 1..]).read()
    }

    /// As JSON holds it.
    pub fn to_file(&self) -> LearnedFile {
        LearnedFile {
            format: FORMAT.to_owned(),
            model: self.model.text().to_owned(),
            decisions: self.model.decisions(),
            delay: self.delay.clone(),
            sharpness: self.sharpness.clone(),
            steadiness: self.steadiness.clone(),
            body: self.body.clone(),
            hands: self.hands.clone(),
            lives: self.lives,
            pooled: self.pooled(),
            recipe: self.recipe(),
            curve: self.curve.clone(),
            params: self.raw_params().clone(),
            counts: self.counts().clone(),
        }
    }

    /// From what JSON holds, checked.
    pub fn from_file(file: LearnedFile) -> Result<Self, FileError> {
        if file.format != FORMAT {
            return Err(FileError::Format(file.format));
        }
        let model = model_of(&file.model, file.decisions)?;
        let LearnedFile { delay, sharpness, steadiness, body, hands, lives, pooled, recipe, curve, .. } =
            file;
        let head = Head {
            model: String::new(),
            decisions: file.decisions,
            delay,
            sharpness,
            steadiness,
            body,
            lives,
            pooled,
            recipe,
            curve: 0,
            hands: Vec::new(),
        };
        assemble(model, head, file.params, file.counts, (curve, hands))
    }
}

/// What JSON holds. JSON of another kind is told by its format, if it says one.
fn json(bytes: &[u8]) -> Result<LearnedFile, FileError> {
    #[derive(Deserialize)]
    struct Kind {
        format: String,
    }
    serde_json::from_slice(bytes).map_err(|error| match serde_json::from_slice(bytes) {
        Ok(Kind { format }) if format != FORMAT => FileError::Format(format),
        _ => FileError::Json(error),
    })
}

fn model_of(text: &str, decisions: usize) -> Result<Model, FileError> {
    let model = model::read(text).map_err(|mistake| FileError::Model(mistake.to_string()))?;
    Ok(model.with_decisions(decisions)?)
}

/// A character of its parts, checked.
fn assemble(
    model: Model,
    head: Head,
    params: Params,
    counts: ExpectedCounts,
    (curve, hands): (Vec<f64>, Hands),
) -> Result<Learned, FileError> {
    params.check(model.layout())?;
    if !counts.fits(model.layout()) {
        return Err(FileError::Counts);
    }
    if let Some(mistake) = (head.delay.mistake())
        .or_else(|| head.sharpness.mistake())
        .or_else(|| head.steadiness.mistake())
        .or_else(|| head.body.mistake())
        .or_else(|| hands.mistake(model.layout()))
    {
        return Err(FileError::Bounds(mistake));
    }
    let mut learned = Learned::from_parts(model, params, counts, head.recipe, head.pooled);
    learned.delay = head.delay;
    learned.sharpness = head.sharpness;
    learned.steadiness = head.steadiness;
    learned.body = head.body;
    learned.hands = hands;
    learned.lives = head.lives;
    learned.curve = curve;
    Ok(learned)
}

/// Seven bits a byte, the lowest first; all but the last byte have their highest bit set.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What a file's zlib stream holds, read from the front.
struct Unpacked<'a> {
    packed: usize,
    from: BufReader<ZlibDecoder<&'a [u8]>>,
}

impl<'a> Unpacked<'a> {
    fn of(packed: &'a [u8]) -> Self {
        Unpacked { packed: packed.len(), from: BufReader::with_capacity(1 << 16, ZlibDecoder::new(packed)) }
    }

    fn read(mut self) -> Result<Learned, FileError> {
        let length = self.varint()?;
        if length > MOST_HEAD {
            return Err(FileError::Damaged(format!("its head would be {length} bytes long")));
        }
        let mut text = vec![0; length as usize];
        self.fill(&mut text)?;
        let head: Head = serde_json::from_slice(&text)?;
        let model = model_of(&head.model, head.decisions)?;
        let layout = model.layout();
        let cells = layout.numbers().unwrap_or(usize::MAX);
        // Said before memory is taken.
        if self.packed.saturating_mul(MOST_UNPACKED) < cells.saturating_add(head.curve) {
            return Err(FileError::Cut);
        }
        let mut params = Params::uniform(layout);
        let mut counts = ExpectedCounts::new(layout);
        counts.ticks = self.double()?;
        counts.log_likelihood = self.double()?;
        let curve = (0..head.curve).map(|_| self.double()).collect::<Result<Vec<f64>, _>>()?;
        for table in std::iter::once(&mut params.theta).chain(&mut params.weights) {
            self.doubles(table)?;
        }
        if head.recipe.is_none() {
            params.distributions_mut().into_iter().try_for_each(|table| self.doubles(table))?;
        }
        counts.denominators_mut().into_iter().try_for_each(|table| self.doubles(table))?;
        for count in counts.ticks_tables_mut().into_iter().flatten() {
            *count = self.varint()? as f64 / PARTS;
        }
        if let Some(recipe) = head.recipe {
            if let Some(mistake) = recipe.mistake() {
                return Err(FileError::Bounds(mistake));
            }
            recipe.tables(layout, &mut params, &counts);
        }
        if head.hands.iter().any(|&moments| moments > MOST_MOMENTS) {
            return Err(FileError::Bounds(format!(
                "its hands have more than {MOST_MOMENTS} moments of a group"
            )));
        }
        let hands = Hands::from_columns(layout, &head.hands, || self.varint())?;
        // The checksum is compared at the end of the stream; nothing may follow it.
        let mut more = [0; 1];
        if self.from.read(&mut more).map_err(wrong)? > 0 {
            return Err(FileError::Damaged("something follows its last number".to_owned()));
        }
        let decoder = self.from.into_inner();
        if decoder.total_in() != self.packed as u64 {
            return Err(FileError::Damaged("something follows its end".to_owned()));
        }
        assemble(model, head, params, counts, (curve, hands))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FileError> {
        self.from.read_exact(bytes).map_err(wrong)
    }

    fn double(&mut self) -> Result<f64, FileError> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(f64::from_le_bytes(bytes))
    }

    fn doubles(&mut self, table: &mut [f64]) -> Result<(), FileError> {
        for number in table {
            *number = self.double()?;
        }
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, FileError> {
        let mut number = 0;
        for shift in (0..56).step_by(7) {
            let mut byte = [0; 1];
            self.fill(&mut byte)?;
            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] & 0x80 == 0 {
                return if number <= MOST_PARTS {
                    Ok(number)
                } else {
                    Err(FileError::Damaged(format!("it holds the number {number}")))
                };
            }
        }
        Err(FileError::Damaged("it holds a number without an end".to_owned()))
    }
}

/// What went wrong while unpacking.
fn wrong(error: std::io::Error) -> FileError {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => FileError::Cut,
        _ => FileError::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
