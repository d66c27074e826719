//! The whole state of a town as bytes, in mid-action too, and its hash.
//!
//! ```text
//! RPTOWN01 | length of the head | head (JSON: text of the town, seed, tick, events) | columns (u32, little-endian) | checksum
//! ```
//!
//! The map is not saved: it follows from the town's text, the seed and the number of inhabitants.

use std::io::{Read, Write};
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::charter::{Charter, MOST_NEEDS};
use super::event::Event;
use super::person::{NONE, Person, Phase};
use super::places::NOWHERE;
use super::read::read;
use super::town::{CHUNK, Minds, Town};

const MAGIC: &[u8; 8] = b"RPTOWN01";
/// The longest head that is believed: a town's text and its events.
const MOST_HEAD: u32 = 1 << 26;

/// Why bytes are not a saved town.
#[derive(Debug, thiserror::Error)]
pub enum NotASave {
    /// It is something else, or was cut off.
    #[error("this is not a saved town, or only a part of one\n  remedy: a file that `town run --save` wrote")]
    Format,
    /// A byte was changed.
    #[error("the saved town is damaged: its checksum is another one\n  remedy: save it again")]
    Checksum,
    /// Its town cannot be read by this version.
    #[error("the saved town cannot live here: {0}")]
    Town(String),
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[derive(Serialize, Deserialize)]
struct Head {
    text: String,
    seed: u64,
    inhabitants: u32,
    now: u32,
    minds: Minds,
    truth: Vec<u16>,
    coming: Vec<String>,
    by_hand: Vec<String>,
    tally: Vec<u64>,
}

/// How many words a record has.
const WORDS: usize = FIXED + 2 * MOST_NEEDS;
const FIXED: usize = 20;

impl Person {
    fn words(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let bytes = |a: u8, b: u8, c: u8, d: u8| u32::from_le_bytes([a, b, c, d]);
        let fixed = [
            self.facts,
            self.row,
            self.at,
            self.to,
            self.home,
            self.work,
            self.began,
            self.doubts_until,
            self.refused[0],
            self.refused[1],
            self.refused[2],
            self.refused[3],
            self.refused_at,
            self.blocked_until,
            u32::from(self.blocked) | u32::from(self.coins) << 16,
            u32::from(self.patience) | u32::from(self.wrong_action) << 16 | u32::from(self.wrong) << 24,
            self.wrong_at,
            self.wrong_place,
            bytes(self.class, self.family, self.goal, self.step),
            u32::from(self.way) | u32::from(self.action) << 16 | u32::from(self.phase) << 24,
        ];
        words[..FIXED].copy_from_slice(&fixed);
        let needs = self
            .zero
            .iter()
            .map(|&zero| zero as u32)
            .chain(self.matters.iter().map(|matters| matters.to_bits()));
        words[FIXED..].iter_mut().zip(needs).for_each(|(word, need)| *word = need);
        words
    }

    fn from_words(words: &[u32; WORDS]) -> Self {
        let high = |word: u32| (word >> 16) as u16;
        let [class, family, goal, step] = words[18].to_le_bytes();
        Person {
            facts: words[0],
            row: words[1],
            at: words[2],
            to: words[3],
            home: words[4],
            work: words[5],
            began: words[6],
            doubts_until: words[7],
            refused: [words[8], words[9], words[10], words[11]],
            refused_at: words[12],
            blocked_until: words[13],
            blocked: words[14] as u16,
            coins: high(words[14]),
            patience: words[15] as u16,
            wrong_action: (words[15] >> 16) as u8,
            wrong: (words[15] >> 24) as u8,
            wrong_at: words[16],
            wrong_place: words[17],
            class,
            family,
            goal,
            step,
            way: words[19] as u16,
            action: (words[19] >> 16) as u8,
            phase: (words[19] >> 24) as u8,
            zero: std::array::from_fn(|need| words[FIXED + need] as i32),
            matters: std::array::from_fn(|need| f32::from_bits(words[FIXED + MOST_NEEDS + need])),
        }
    }

    /// Whether everything it points to is there.
    fn fits(&self, charter: &Charter, places: u32) -> bool {
        let is_place = |place: u32| place < places;
        let Some(class) = charter.classes.get(usize::from(self.class)) else { return false };
        let rows = (class.goals.len() as u32) << class.bits;
        let is_row = self.row == 0 || (class.first_row..class.first_row + rows).contains(&self.row);
        is_place(self.at)
            && is_place(self.to)
            && is_place(self.home)
            && (is_place(self.work) || self.work == NOWHERE)
            && (is_place(self.wrong_place) || self.wrong_place == NOWHERE)
            && usize::from(self.family) < charter.families.len()
            && usize::from(self.way) < charter.ways.len()
            && (self.goal == NONE || usize::from(self.goal) < class.goals.len())
            && (self.action == NONE || usize::from(self.action) < class.actions.len())
            && self.facts >> class.bits == 0
            && is_row
            && Phase::of(self.phase).is_some()
            && self.matters.iter().all(|matters| matters.is_finite())
    }
}

/// A sum over words that no changed word leaves as it was.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    const EMPTY: Sum = Sum(0xcbf2_9ce4_8422_2325);

    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

impl Town {
    /// A hash of everything that a later tick depends on.
    pub fn hash(&self) -> u64 {
        let chunks: Vec<u64> = self
            .people
            .par_chunks(CHUNK)
            .zip(self.due.par_chunks(CHUNK))
            .map(|(people, due)| {
                let mut sum = Sum::EMPTY;
                for (person, &due) in people.iter().zip(due) {
                    person.words().iter().for_each(|&word| sum.add(u64::from(word)));
                    sum.add(u64::from(due));
                }
                sum.0
            })
            .collect();
        let mut sum = Sum::EMPTY;
        sum.add(u64::from(self.now));
        chunks.into_iter().for_each(|chunk| sum.add(chunk));
        self.place_words(&mut |word| sum.add(u64::from(word)));
        self.truth.iter().for_each(|&value| sum.add(u64::from(value)));
        sum.0
    }

    fn place_words(&self, put: &mut dyn FnMut(u32)) {
        let state = &self.state;
        for until in &state.until {
            put(until.closed);
            put(until.dry);
        }
        for column in [&state.free_at, &state.prices_until] {
            column.iter().for_each(|&word| put(word));
        }
        state.prices.iter().for_each(|&price| put(u32::from(price)));
        for &(amount, at) in &state.stocks {
            put(amount);
            put(at);
        }
    }

    /// Writes the whole state.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let lines = |events: &[Event]| events.iter().map(|event| event.line(&self.charter)).collect();
        let head = Head {
            text: self.charter.text.clone(),
            seed: self.seed,
            inhabitants: self.people.len() as u32,
            now: self.now,
            minds: self.minds,
            truth: self.truth.clone(),
            coming: lines(&self.coming),
            by_hand: lines(&self.by_hand),
            tally: self.tally.numbers(),
        };
        let head = serde_json::to_vec(&head)?;
        out.write_all(MAGIC)?;
        out.write_all(&(head.len() as u32).to_le_bytes())?;
        out.write_all(&head)?;
        let mut words = Words { out, buffer: Vec::with_capacity(1 << 20), sum: Sum::EMPTY };
        head.iter().for_each(|&byte| words.sum.add(u64::from(byte)));
        for (person, &due) in self.people.iter().zip(&self.due) {
            person.words().iter().for_each(|&word| words.put(word));
            words.put(due);
            words.flush_if_full()?;
        }
        self.place_words(&mut |word| words.put(word));
        let sum = words.sum.0;
        words.flush()?;
        out.write_all(&sum.to_le_bytes())
    }

    /// Goes on with a saved town.
    ///
    /// # Errors
    /// If it is none, or damaged.
    pub fn load(input: &mut dyn Read) -> Result<Self, NotASave> {
        let mut begin = [0; 12];
        read_whole(input, &mut begin)?;
        let (magic, length) = begin.split_at(8);
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if magic != MAGIC || length > MOST_HEAD {
            return Err(NotASave::Format);
        }
        let mut bytes = Vec::new();
        input.take(u64::from(length)).read_to_end(&mut bytes)?;
        let head: Head = serde_json::from_slice(&bytes).map_err(|_| NotASave::Format)?;
        let charter = read(&head.text).map_err(|mistake| NotASave::Town(mistake.to_string()))?;
        let charter = Arc::new(charter);
        if head.inhabitants == 0 || head.inhabitants > 20_000_000 {
            return Err(NotASave::Format);
        }
        let mut town = Town::new(charter, head.inhabitants, head.seed, head.minds)
            .map_err(|error| NotASave::Town(error.to_string()))?;
        let mut sum = Sum::EMPTY;
        bytes.iter().for_each(|&byte| sum.add(u64::from(byte)));
        town.read_columns(input, &mut sum)?;
        let mut written = [0; 8];
        read_whole(input, &mut written)?;
        if sum.0 != u64::from_le_bytes(written) {
            return Err(NotASave::Checksum);
        }
        let events = |lines: &[String]| -> Result<Vec<Event>, NotASave> {
            let event = |line: &String| Event::with_moment(line, &town.charter);
            lines.iter().map(|line| event(line).map_err(|error| NotASave::Town(error.to_string()))).collect()
        };
        let (coming, by_hand) = (events(&head.coming)?, events(&head.by_hand)?);
        let values =
            town.charter.news.iter().map(|news| town.charter.domain.values[news.variable as usize].len());
        let fits = head.truth.len() == town.charter.news.len()
            && head.truth.iter().zip(values).all(|(&value, count)| usize::from(value) < count)
            && town.tally.restore(&head.tally)
            && town.people.iter().all(|person| person.fits(&town.charter, town.places.places.len() as u32));
        if !fits {
            return Err(NotASave::Format);
        }
        (town.coming, town.by_hand, town.now) = (coming, by_hand, head.now);
        town.set_truth(head.truth);
        Ok(town)
    }

    fn read_columns(&mut self, input: &mut dyn Read, sum: &mut Sum) -> Result<(), NotASave> {
        let mut record = [0u8; 4 * (WORDS + 1)];
        for (person, due) in self.people.iter_mut().zip(&mut self.due) {
            read_whole(input, &mut record)?;
            let mut words = [0u32; WORDS + 1];
            for (word, bytes) in words.iter_mut().zip(record.chunks_exact(4)) {
                *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                sum.add(u64::from(*word));
            }
            let mut own = [0; WORDS];
            own.copy_from_slice(&words[..WORDS]);
            (*person, *due) = (Person::from_words(&own), words[WORDS]);
        }
        let mut next = || -> Result<u32, NotASave> {
            let mut bytes = [0; 4];
            read_whole(input, &mut bytes)?;
            let word = u32::from_le_bytes(bytes);
            sum.add(u64::from(word));
            Ok(word)
        };
        let state = &mut self.state;
        for until in &mut state.until {
            (until.closed, until.dry) = (next()?, next()?);
        }
        for column in [&mut state.free_at, &mut state.prices_until] {
            for word in column {
                *word = next()?;
            }
        }
        for price in &mut state.prices {
            *price = next()? as u16;
        }
        for (amount, at) in &mut state.stocks {
            (*amount, *at) = (next()?, next()?);
        }
        Ok(())
    }
}

/// Reads as many bytes as there must be.
fn read_whole(input: &mut dyn Read, bytes: &mut [u8]) -> Result<(), NotASave> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => NotASave::Format,
        _ => error.into(),
    })
}

/// Words on their way out, with their sum.
struct Words<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
    sum: Sum,
}

impl Words<'_> {
    fn put(&mut self, word: u32) {
        self.sum.add(u64::from(word));
        self.buffer.extend_from_slice(&word.to_le_bytes());
    }

    fn flush_if_full(&mut self) -> std::io::Result<()> {
        if self.buffer.len() >= 1 << 20 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
