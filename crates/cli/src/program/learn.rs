//! Learning a program's histograms from recorded play.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_authored::nearest;
use repertoire_bayes::Program;
use serde_json::{Value, json};

use super::load::Loaded;

/// What was learned from.
pub(super) struct Learned {
    rows: u64,
    observations: u64,
    ignored: Vec<String>,
}

/// Adds every row of a CSV file to the program's counts.
pub(super) fn learn(loaded: &mut Loaded, play: &Path) -> Result<Learned> {
    let program = &mut loaded.program;
    if program.factors().iter().all(|factor| factor.histogram().is_none()) {
        bail!("`{}` has nothing to learn\n  remedy: give a factor form = \"histogram\"", program.name());
    }
    let named = play.display().to_string();
    if play.is_dir() {
        bail!("{named} is a folder\n  remedy: name a CSV file");
    }
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} rows learned, {per_sec}")?);
    let input: Box<dyn Read> = if named == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(play).with_context(|| format!("{named} could not be read"))?)
    };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let headers = reader.headers().with_context(|| format!("{named} has no header line"))?.clone();
    let columns: Vec<Option<usize>> = headers.iter().map(|header| program.id(header)).collect();
    check_columns(program, &named, &headers, &columns)?;
    let ignored =
        headers.iter().zip(&columns).filter(|(_, id)| id.is_none()).map(|(header, _)| header.to_owned());
    let mut learned = Learned { rows: 0, observations: 0, ignored: ignored.collect() };
    let mut values = vec![None; program.variables().len()];
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| bad_row(&named, &error))? {
        values.fill(None);
        for (cell, id) in record.iter().zip(&columns) {
            if let Some(id) = *id {
                let line = record.position().map_or(0, csv::Position::line);
                values[id] = value(program, id, cell).with_context(|| format!("{named}:{line}"))?;
            }
        }
        learned.rows += 1;
        learned.observations += program.observe(&values, 1.0)? as u64;
        if learned.rows.is_multiple_of(4096) {
            bar.set_position(learned.rows);
        }
    }
    bar.finish_and_clear();
    if learned.observations == 0 {
        bail!("{named} has no row with all variables of a histogram, so nothing was learned");
    }
    Ok(learned)
}

/// Every histogram should find its variables among the columns; says which do not, and refuses if none does.
fn check_columns(
    program: &Program,
    named: &str,
    headers: &csv::StringRecord,
    columns: &[Option<usize>],
) -> Result<()> {
    let mut found: Vec<usize> = columns.iter().copied().flatten().collect();
    found.sort_unstable();
    if let Some(pair) = found.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!(
            "{named}: the column `{}` is there twice\n  remedy: keep one",
            program.variables()[pair[0]].name()
        );
    }
    let strangers: Vec<&str> =
        headers.iter().zip(columns).filter(|(_, id)| id.is_none()).map(|(header, _)| header).collect();
    let mut complete = 0;
    let mut notes = Vec::new();
    for factor in program.factors().iter().filter(|factor| factor.histogram().is_some()) {
        let ids = factor.left().iter().chain(factor.given());
        let missing: Vec<&str> = ids
            .filter(|&&id| !found.contains(&(id as usize)))
            .map(|&id| program.variables()[id as usize].name())
            .collect();
        if missing.is_empty() {
            complete += 1;
            continue;
        }
        let near = missing.iter().find_map(|name| nearest(name, strangers.iter().copied()));
        let hint = near.map_or(String::new(), |near| format!("; is it `{near}`?"));
        notes.push(format!("{} has no column {}{hint}", program.conditional(factor), missing.join(", ")));
    }
    if complete == 0 {
        bail!(
            "{named}: nothing can be learned: {}\n  remedy: name the columns after the variables, with commas between",
            notes.join("; ")
        );
    }
    for note in notes {
        anstream::eprintln!("note: not learned: {note}");
    }
    if !strangers.is_empty() {
        anstream::eprintln!("note: columns that are no variables were left out: {}", strangers.join(", "));
    }
    Ok(())
}

/// What is wrong with a row, with its line.
fn bad_row(named: &str, error: &csv::Error) -> anyhow::Error {
    let line = error.position().map_or(0, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            anyhow!(
                "{named}:{line}: the row has {len} cells, the header {expected_len}\n  remedy: one cell for each column"
            )
        }
        csv::ErrorKind::Utf8 { .. } => {
            anyhow!("{named}:{line}: the row is not UTF-8\n  remedy: save the file as UTF-8")
        }
        _ => anyhow!("{named}:{line}: {error}"),
    }
}

/// A value by name, a measurement by its bin, nothing for an empty cell.
fn value(program: &Program, id: usize, cell: &str) -> Result<Option<u32>> {
    let variable = &program.variables()[id];
    if cell.is_empty() {
        return Ok(None);
    }
    let measured = || variable.bins()?.bin(cell.parse().ok()?);
    match variable.value(cell).or_else(measured) {
        Some(value) => Ok(Some(value as u32)),
        None => bail!(
            "`{cell}` is not a value of `{}`\n  remedy: write one of {}",
            variable.name(),
            variable.values().join(", ")
        ),
    }
}

impl Learned {
    pub fn to_json(&self, to: &Path) -> Value {
        json!({
            "rows": self.rows, "observations": self.observations, "ignored_columns": self.ignored,
            "written": to.display().to_string(),
        })
    }

    pub fn in_words(&self, to: &Path) -> String {
        format!(
            "{} rows read, {} observations learned by the histograms; written to {}\n",
            self.rows,
            self.observations,
            to.display()
        )
    }
}
