//! Reading a recording from text.

use std::io::{BufRead, BufReader, Read};

use serde_json::Value as Json;

use super::cell::{self, Wrong};
use crate::check::{FINITE_REMEDY, Gather, Refusal};
use crate::columns::{FIELDS, Flat, LISTS, names};
use crate::header::{check_format, missing, not_json};
use crate::{CsvMistake, Header, Tick, TraceError};

/// Reads a recording from CSV, tick by tick: it is an iterator of ticks. After a failure there are no more.
pub struct CsvReader<R: Read> {
    rows: csv::Reader<BufReader<R>>,
    header: Header,
    gather: Gather,
    /// For each of our columns its place in the file.
    places: Vec<Option<usize>>,
    /// Lines of facts before the columns' names, which the rows' reader has not seen.
    lines_before: u64,
    record: csv::StringRecord,
    done: bool,
}

impl<R: Read> CsvReader<R> {
    /// Reads the header's facts and the columns' names.
    pub fn open(source: R) -> Result<Self, TraceError> {
        let mut source = BufReader::new(source);
        let (header, lines_before) = read_header(&mut source)?;
        let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).from_reader(source);
        let head = rows.headers().map_err(|error| unreadable(&error, lines_before))?.clone();
        let is_later = |name: &str| FIELDS.iter().any(|field| field.is_later && field.name == name);
        let place = |name: &str| {
            let at = head.iter().position(|column| column.trim() == name);
            if at.is_none() && is_later(name) {
                return Ok(None);
            }
            at.map(Some).ok_or_else(|| CsvMistake {
                line: lines_before + 1,
                column: String::new(),
                what: format!("there is no column `{name}`"),
                remedy: format!("name the columns {}", names().collect::<Vec<_>>().join(",")),
            })
        };
        let places = names().map(place).collect::<Result<_, _>>()?;
        let gather = Gather::new(&header);
        let record = csv::StringRecord::new();
        Ok(CsvReader { rows, header, gather, places, lines_before, record, done: false })
    }

    /// Which match this is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn advance(&mut self) -> Result<Option<Tick>, TraceError> {
        loop {
            let more = self
                .rows
                .read_record(&mut self.record)
                .map_err(|error| unreadable(&error, self.lines_before))?;
            if !more {
                self.done = true;
                return Ok(self.gather.finish());
            }
            let line = self.lines_before + self.record.position().map_or(0, csv::Position::line);
            let flat = self.read_row(line)?;
            let number = flat.tick;
            let ended = self.gather.push(flat).map_err(|why| match why {
                Refusal::NotFinite { character, column, value } => CsvMistake {
                    line,
                    column,
                    what: format!(
                        "it is {value} in tick {number} (character {character}), not a finite number"
                    ),
                    remedy: FINITE_REMEDY.to_owned(),
                },
                Refusal::Other(what) => CsvMistake {
                    line,
                    column: String::new(),
                    what,
                    remedy: "correct the row, or take it out".to_owned(),
                },
            })?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
    }

    fn read_row(&self, line: u64) -> Result<Flat, CsvMistake> {
        let mut row = Flat::default();
        let cells = self.places.iter().map(|&place| match place {
            Some(place) => self.record.get(place),
            None => Some(""),
        });
        for (name, cell) in names().zip(cells.clone()) {
            if cell.is_none() {
                return Err(CsvMistake {
                    line,
                    column: name.to_owned(),
                    what: format!("the line ends before it, after {} cells", self.record.len()),
                    remedy: "write a cell for every column; if the file was cut off here, delete this line"
                        .to_owned(),
                });
            }
        }
        let mut cells = cells.map(Option::unwrap_or_default);
        let at = |name: &str| {
            let column = name.to_owned();
            move |Wrong { what, remedy }: Wrong| CsvMistake { line, column, what, remedy }
        };
        for (field, text) in FIELDS.iter().zip(cells.by_ref()) {
            (field.set)(&mut row, cell::parse(text, field.kind))
                .map_err(|expected| at(field.name)(cell::wrong(text, &expected)))?;
        }
        for (list, text) in LISTS.iter().zip(cells) {
            cell::parse_list(list, &mut row, text).map_err(at(list.name))?;
        }
        Ok(row)
    }
}

impl<R: Read> Iterator for CsvReader<R> {
    type Item = Result<Tick, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.advance();
        self.done |= next.is_err();
        next.transpose()
    }
}

/// Reads the lines of facts; gives how many there were.
fn read_header<R: Read>(source: &mut BufReader<R>) -> Result<(Header, u64), TraceError> {
    let mut facts: Vec<(u64, String, String)> = Vec::new();
    let mut lines = 0;
    while source.fill_buf()?.first() == Some(&b'#') {
        let mut line = Vec::new();
        source.read_until(b'\n', &mut line)?;
        lines += 1;
        let line = String::from_utf8_lossy(&line);
        // A comment of somebody's own is no fact, and no mistake.
        if let Some((key, value)) = line.trim_start_matches('#').split_once(':') {
            facts.push((lines, key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let find = |key: &str| facts.iter().find(|fact| fact.1 == key);
    let text = |key| find(key).and_then(|fact| serde_json::from_str::<String>(&fact.2).ok());
    if lines == 0 || find("format").is_none() {
        return Err(CsvMistake {
            line: 1,
            column: String::new(),
            what: "the file does not begin with the facts of a recording".to_owned(),
            remedy: format!(
                "begin it with the lines of one that `repertoire trace convert` wrote; the first is \
                # format: \"{}\"",
                crate::FORMAT
            ),
        }
        .into());
    }
    check_format(text("format").as_deref().or(Some("")), text("program").as_deref())?;
    let header = Header::from_json(|key| {
        let (_, _, value) = find(key).ok_or_else(|| missing(key))?;
        serde_json::from_str::<Json>(value).map_err(|error| not_json(key, &error))
    });
    let header = header.map_err(|error| match error {
        TraceError::Header { key, what, remedy } => {
            let line = find(&key).map_or(1, |fact| fact.0);
            CsvMistake { line, column: String::new(), what: format!("`{key}`: {what}"), remedy }.into()
        }
        other => other,
    })?;
    Ok((header, lines))
}

pub(crate) fn unreadable(error: &csv::Error, lines_before: u64) -> TraceError {
    if let csv::ErrorKind::Io(error) = error.kind() {
        return TraceError::Io(std::io::Error::new(error.kind(), error.to_string()));
    }
    let line = lines_before + error.position().map_or(1, csv::Position::line);
    CsvMistake {
        line,
        column: String::new(),
        what: "it is no UTF-8 text".to_owned(),
        remedy: "save the file as UTF-8".to_owned(),
    }
    .into()
}
