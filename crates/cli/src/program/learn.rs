//! Learning a program's histograms from recorded play.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_bayes::Program;
use repertoire_prob::Variable;
use serde_json::json;

use super::load::Loaded;
use crate::output;

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
    let ignored =
        headers.iter().zip(&columns).filter(|(_, id)| id.is_none()).map(|(header, _)| header.to_owned());
    let mut learned = Learned { rows: 0, observations: 0, ignored: ignored.collect() };
    if columns.iter().all(Option::is_none) {
        let known: Vec<&str> = program.variables().iter().map(Variable::name).collect();
        bail!(
            "no column of {named} is a variable of `{}`\n  remedy: name columns {}",
            program.name(),
            known.join(", ")
        );
    }
    let mut values = vec![None; program.variables().len()];
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).with_context(|| format!("{named} is not a CSV file"))? {
        values.fill(None);
        for (cell, id) in record.iter().zip(&columns) {
            if let Some(id) = *id {
                let line = record.position().map_or(0, csv::Position::line);
                values[id] = value(program, id, cell).with_context(|| format!("{named}:{line}"))?;
            }
        }
        learned.rows += 1;
        learned.observations += program.observe(&values, 1.0) as u64;
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
    pub fn report(&self, to: &Path, as_json: bool) -> Result<()> {
        if as_json {
            return output::json(&json!({
                "rows": self.rows, "observations": self.observations, "ignored_columns": self.ignored,
                "written": to.display().to_string(),
            }));
        }
        if !self.ignored.is_empty() {
            anstream::eprintln!(
                "note: columns that are no variables were left out: {}",
                self.ignored.join(", ")
            );
        }
        output::text(&format!(
            "{} observations from {} rows learned; written to {}\n",
            self.observations,
            self.rows,
            to.display()
        ))
    }
}
