//! Behaviours as tables, what looks odd in them, and how two of them differ.

use anstyle::Style;
use repertoire_bayes::sequence::review::{Comparison, Difference, Remark};
use repertoire_bayes::sequence::{Behaviour, Kind};
use repertoire_mind::tasks::CannotSense;
use repertoire_prob::num::significant;
use serde_json::{Value, json};

use super::table::counted;

/// A behaviour's tables: which task follows which, and what each sensor says of each task.
pub fn describe(behaviour: &Behaviour) -> String {
    let bold = Style::new().bold();
    let situations = behaviour.situations().map_or("very many".to_owned(), |count| count.to_string());
    let mut text = format!(
        "{bold}{}{bold:#}  {}\n{} tasks, {} sensors, {situations} situations; chooses by {}",
        behaviour.name(),
        behaviour.about(),
        behaviour.tasks().len(),
        behaviour.sensors().len(),
        behaviour.choice()
    );
    if let Some(counts) = behaviour.counts() {
        text += &format!("; learned from {} observations", counts.observations);
    }
    text += "\n";
    for task in behaviour.tasks() {
        if let Some(inner) = &task.inner {
            text += &format!("the task {} is the behaviour {}\n", task.name, inner.name());
        }
    }
    let tasks: Vec<&str> = behaviour.task_names().collect();
    text += &grid("P(task | previous task)", &tasks, &tasks, behaviour.transition());
    for sensor in behaviour.sensors() {
        let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
        let title = match sensor.kind {
            Kind::Likelihood => format!("P({} | task)", sensor.name),
            Kind::Coherence => format!("P(M = 1 | {}, task): how well a value goes with a task", sensor.name),
        };
        text += &grid(&title, &values, &tasks, sensor.cells());
    }
    text + "\n"
}

/// `[column][row]` numbers with their names.
fn grid(title: &str, rows: &[&str], columns: &[&str], cells: &[f64]) -> String {
    let bold = Style::new().bold();
    let height = rows.len();
    let head = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let shown: Vec<String> = cells.iter().map(|&p| significant(p, 3)).collect();
    let width = |column: usize| {
        let cells = shown[column * height..][..height].iter().map(String::len);
        cells.chain([columns[column].chars().count()]).max().unwrap_or(0)
    };
    let mut text = format!("\n{bold}{title}{bold:#}\n  {:head$}", "");
    for (column, name) in columns.iter().enumerate() {
        text += &format!("  {name:>width$}", width = width(column));
    }
    for (row, name) in rows.iter().enumerate() {
        text += &format!("\n  {name:<head$}");
        for column in 0..columns.len() {
            text += &format!("  {:>width$}", shown[column * height + row], width = width(column));
        }
    }
    text + "\n"
}

/// What looks odd in a behaviour, which its file or its own name is given for, and why it cannot play in the arena if it cannot.
pub fn remarks(name: &str, remarks: &[Remark], misfit: Option<&CannotSense>) -> String {
    let mut text = match remarks.len() {
        0 => format!("{name}: fine, nothing odd\n"),
        1 => format!("{name}: fine, one thing looks odd\n"),
        count => format!("{name}: fine, {} odd\n", counted(count, "thing looks", "things look")),
    };
    for remark in remarks {
        text += &format!("  {}\n    {}\n", remark.what, remark.remedy);
    }
    if let Some(misfit) = misfit {
        text += &format!("  it cannot play in the arena: {}\n    {}\n", misfit.what, misfit.remedy);
    }
    text
}

/// How two behaviours of these names differ: at most `most` cells, those that differ most first.
pub fn differences(comparison: &Comparison, first: &str, second: &str, most: usize) -> String {
    let mut text = String::new();
    for line in &comparison.only_one_has {
        text += &format!("{line}\n");
    }
    if comparison.cells.is_empty() {
        text += "every cell that both have is the same\n";
    } else {
        let shown = &comparison.cells[..most.min(comparison.cells.len())];
        text += &format!("{} cells differ; the {} that differ most\n\n", comparison.cells.len(), shown.len());
        let name = |cell: &Difference| {
            format!("P({}={} | {})", cell.table, cell.row, cell.column).replace("P(transition=", "P(")
        };
        let width = shown.iter().map(|cell| name(cell).chars().count()).max().unwrap_or(0);
        let (left, right) = (first.chars().count().max(8), second.chars().count().max(8));
        text += &format!("  {:width$}  {first:>left$}  {second:>right$}\n", "");
        for cell in shown {
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
    text
}

/// The same for other programs, with all cells; `first` and `second` are what was asked for.
pub fn differences_as_json(comparison: &Comparison, first: &str, second: &str) -> Value {
    json!({ "first": first, "second": second, "only_one_has": comparison.only_one_has,
        "decisions_apart": comparison.decisions_apart, "cells": comparison.cells })
}

/// What tells two paths apart: the fewest last parts in which they differ; the whole paths if they do not.
///
/// ```
/// use repertoire_draw::terminal::behaviour::told_apart;
/// assert_eq!(told_apart("deep/old/guard.toml", "deep/new/guard.toml"), ("old/guard.toml", "new/guard.toml"));
/// ```
pub fn told_apart<'a>(first: &'a str, second: &'a str) -> (&'a str, &'a str) {
    let tail = |path: &'a str, parts: usize| {
        let cuts = path.char_indices().rev().filter(|(_, letter)| "/\\".contains(*letter));
        cuts.map(|(at, _)| at + 1).nth(parts - 1).map_or(path, |at| &path[at..])
    };
    let most = first.matches(['/', '\\']).count().max(second.matches(['/', '\\']).count()) + 1;
    let pairs = (1..=most).map(|parts| (tail(first, parts), tail(second, parts)));
    pairs.into_iter().find(|(a, b)| a != b).unwrap_or((first, second))
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
