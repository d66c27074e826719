//! Printing behaviours, remarks and differences.

use anyhow::{Result, bail};
use repertoire::load;
use repertoire_bayes::sequence::review::{compare, remarks};
use repertoire_bayes::sequence::{Behaviour, Choice, Kind, file, shipped};
use repertoire_prob::num::significant;
use serde::Serialize;
use serde_json::json;

use crate::output;

pub(super) fn show(names: &[String], as_toml: bool, as_json: bool) -> Result<()> {
    let behaviours = names.iter().map(|name| load::behaviour(name)).collect::<Result<Vec<_>, _>>()?;
    if as_toml {
        let [name] = names else { bail!("--toml prints one behaviour\n  remedy: name one") };
        // A shipped one as it is written, with its comments.
        let text = shipped::text(name).filter(|_| !std::path::Path::new(name).is_file());
        return output::text(&text.map_or_else(|| file::to_toml(&behaviours[0]), str::to_owned));
    }
    if as_json {
        return output::json(&behaviours.iter().map(Shown::of).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for behaviour in &behaviours {
        describe(behaviour, &mut text);
    }
    output::text(&text)
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    about: &'a str,
    tasks: Vec<&'a str>,
    choose: String,
    situations: Option<usize>,
    observations: Option<u64>,
    /// `[previous][task]`
    transition: Vec<&'a [f64]>,
    sensors: Vec<serde_json::Value>,
}

impl<'a> Shown<'a> {
    fn of(behaviour: &'a Behaviour) -> Self {
        let count = behaviour.tasks().len();
        let sensor = |sensor: &repertoire_bayes::sequence::Sensor| {
            let cells: Vec<&[f64]> = sensor.cells().chunks_exact(sensor.values.len()).collect();
            json!({ "name": sensor.name, "values": sensor.values, "table": kind(sensor.kind), "given_task": cells })
        };
        Shown {
            name: behaviour.name(),
            about: behaviour.about(),
            tasks: behaviour.task_names().collect(),
            choose: choice(behaviour.choice()),
            situations: behaviour.situations(),
            observations: behaviour.counts().map(|counts| counts.observations),
            transition: (0..count).map(|previous| behaviour.after(previous)).collect(),
            sensors: behaviour.sensors().iter().map(sensor).collect(),
        }
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Likelihood => "likelihood",
        Kind::Coherence => "coherence",
    }
}

fn choice(choice: Choice) -> String {
    match choice {
        Choice::Sample => "sample".to_owned(),
        Choice::Best => "best".to_owned(),
        Choice::Sharpen(power) => format!("sharpen {power}"),
    }
}

fn describe(behaviour: &Behaviour, text: &mut String) {
    let bold = anstyle::Style::new().bold();
    *text += &format!("{bold}{}{bold:#}  {}\n", behaviour.name(), behaviour.about());
    let situations = behaviour.situations().map_or("very many".to_owned(), |count| count.to_string());
    *text += &format!(
        "{} tasks, {} sensors, {situations} situations; chooses by {}",
        behaviour.tasks().len(),
        behaviour.sensors().len(),
        choice(behaviour.choice())
    );
    if let Some(counts) = behaviour.counts() {
        *text += &format!("; learned from {} observations", counts.observations);
    }
    *text += "\n";
    for task in behaviour.tasks() {
        if let Some(inner) = &task.inner {
            *text += &format!("the task {} is the behaviour {}\n", task.name, inner.name());
        }
    }
    let tasks: Vec<&str> = behaviour.task_names().collect();
    table(text, "P(task | previous task)", &tasks, &tasks, behaviour.transition());
    for sensor in behaviour.sensors() {
        let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
        let title = match sensor.kind {
            Kind::Likelihood => format!("P({} | task)", sensor.name),
            Kind::Coherence => format!("P(M = 1 | {}, task): how well a value goes with a task", sensor.name),
        };
        table(text, &title, &values, &tasks, sensor.cells());
    }
    *text += "\n";
}

/// `[column][row]` numbers with their names.
fn table(text: &mut String, title: &str, rows: &[&str], columns: &[&str], cells: &[f64]) {
    let bold = anstyle::Style::new().bold();
    let height = rows.len();
    let head = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let shown: Vec<String> = cells.iter().map(|&p| significant(p, 3)).collect();
    let width = |column: usize| {
        let cells = shown[column * height..][..height].iter().map(String::len);
        cells.chain([columns[column].chars().count()]).max().unwrap_or(0)
    };
    *text += &format!("\n{bold}{title}{bold:#}\n  {:head$}", "");
    for (column, name) in columns.iter().enumerate() {
        *text += &format!("  {name:>width$}", width = width(column));
    }
    for (row, name) in rows.iter().enumerate() {
        *text += &format!("\n  {name:<head$}");
        for column in 0..columns.len() {
            *text += &format!("  {:>width$}", shown[column * height + row], width = width(column));
        }
    }
    *text += "\n";
}

pub(super) fn check(names: &[String], as_json: bool) -> Result<()> {
    let mut found = Vec::new();
    let mut text = String::new();
    for name in names {
        let behaviour = load::behaviour(name)?;
        let remarks = remarks(&behaviour);
        text += &match remarks.len() {
            0 => format!("{name}: fine, nothing odd\n"),
            1 => format!("{name}: fine, one thing looks odd\n"),
            count => format!("{name}: fine, {count} things look odd\n"),
        };
        for remark in &remarks {
            text += &format!("  {}\n    {}\n", remark.what, remark.remedy);
        }
        if let Err(error) = repertoire_mind::sequenced::Connected::new(&behaviour) {
            text += &format!("  it cannot play in the arena: {}\n    {}\n", error.what, error.remedy);
        }
        let remarks = remarks.iter().map(|remark| json!({ "what": remark.what, "remedy": remark.remedy }));
        found.push(json!({ "behaviour": name, "remarks": remarks.collect::<Vec<_>>() }));
    }
    if as_json { output::json(&found) } else { output::text(&text) }
}

/// What tells two paths apart: the fewest last parts in which they differ; the whole paths if they do not.
fn told_apart<'a>(first: &'a str, second: &'a str) -> (&'a str, &'a str) {
    let tail = |path: &'a str, parts: usize| {
        let cuts = path.char_indices().rev().filter(|(_, letter)| "/\\".contains(*letter));
        cuts.map(|(at, _)| at + 1).nth(parts - 1).map_or(path, |at| &path[at..])
    };
    let most = first.matches(['/', '\\']).count().max(second.matches(['/', '\\']).count()) + 1;
    let pairs = (1..=most).map(|parts| (tail(first, parts), tail(second, parts)));
    pairs.into_iter().find(|(a, b)| a != b).unwrap_or((first, second))
}

pub(super) fn diff(first: &str, second: &str, most: usize, as_json: bool) -> Result<()> {
    let (mut a, mut b) = (load::behaviour(first)?, load::behaviour(second)?);
    if a.name() == b.name() {
        let (one, other) = told_apart(first, second);
        (a, b) = (a.with_name(one), b.with_name(other));
    }
    let comparison = compare(&a, &b);
    if as_json {
        let cells = comparison.cells.iter().map(|cell| {
            json!({ "table": cell.table, "row": cell.row, "column": cell.column, "first": cell.first, "second": cell.second })
        });
        return output::json(
            &json!({ "first": first, "second": second, "only_one_has": comparison.only_one_has,
            "decisions_apart": comparison.decisions_apart, "cells": cells.collect::<Vec<_>>() }),
        );
    }
    let mut text = String::new();
    for line in &comparison.only_one_has {
        text += &format!("{line}\n");
    }
    if comparison.cells.is_empty() {
        text += "every cell that both have is the same\n";
    } else {
        let shown = if most == 0 { comparison.cells.len() } else { most.min(comparison.cells.len()) };
        text += &format!("{} cells differ; the {shown} that differ most\n\n", comparison.cells.len());
        let name = |cell: &repertoire_bayes::sequence::review::Difference| {
            format!("P({}={} | {})", cell.table, cell.row, cell.column).replace("P(transition=", "P(")
        };
        let width =
            comparison.cells[..shown].iter().map(|cell| name(cell).chars().count()).max().unwrap_or(0);
        let (left, right) = (a.name().chars().count().max(8), b.name().chars().count().max(8));
        text += &format!("  {:width$}  {:>left$}  {:>right$}\n", "", a.name(), b.name());
        for cell in &comparison.cells[..shown] {
            let (x, y) = (significant(cell.first, 3), significant(cell.second, 3));
            text += &format!("  {:<width$}  {x:>left$}  {y:>right$}\n", name(cell));
        }
    }
    if let Some(apart) = comparison.decisions_apart {
        text += &format!(
            "\ntheir decisions are {} apart on average (total variation over all situations; 0 the same, 1 never the same)\n",
            significant(apart, 3)
        );
    }
    output::text(&text)
}

#[cfg(test)]
mod tests {
    use super::told_apart;

    #[test]
    fn paths_are_told_apart_by_their_last_parts() {
        assert_eq!(told_apart("old/guard.toml", "new/guard.toml"), ("old/guard.toml", "new/guard.toml"));
        assert_eq!(told_apart("a/x/guard.toml", "b/x/guard.toml"), ("a/x/guard.toml", "b/x/guard.toml"));
        assert_eq!(
            told_apart("deep/old/guard.toml", "deep/new/guard.toml"),
            ("old/guard.toml", "new/guard.toml")
        );
        assert_eq!(told_apart("guard.toml", "new/guard.toml"), ("guard.toml", "new/guard.toml"));
        assert_eq!(told_apart("prudent", "mine/prudent.toml"), ("prudent", "prudent.toml"));
        assert_eq!(told_apart("same.toml", "same.toml"), ("same.toml", "same.toml"));
    }
}
