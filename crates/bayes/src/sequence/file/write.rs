//! Writing a behaviour as a file that can be read, edited and learned on.
//!
//! Numbers are rounded to four digits for people, and the largest cells of every column are written `"x"`, so that a
//! column still sums to 1. The counts keep every digit: learning goes on from them, not from the rounded tables.

use repertoire_authored::Mistake;
use repertoire_prob::num::significant;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

use crate::sequence::{Behaviour, Choice, Kind};

/// The keys of `text` that are not a behaviour's stay as they are written, comments and all.
pub(super) fn with_behaviour(text: &str, behaviour: &Behaviour) -> Result<String, Mistake> {
    let not_toml = |error: toml_edit::TomlError| {
        let span = error.span().unwrap_or(0..0);
        Mistake::at(text, span, error.message(), "write TOML: key = value, tables in brackets")
    };
    let others: DocumentMut = text.parse().map_err(not_toml)?;
    let mut document = document(behaviour);
    for (key, item) in others.iter().filter(|(key, _)| !super::KEYS.contains(key)) {
        document.insert(key, item.clone());
    }
    Ok(document.to_string())
}

/// The behaviour as a file. Tasks that are behaviours are named, not written out.
pub fn to_toml(behaviour: &Behaviour) -> String {
    document(behaviour).to_string()
}

fn document(behaviour: &Behaviour) -> DocumentMut {
    let mut document = DocumentMut::new();
    document["name"] = toml_edit::value(behaviour.name());
    if !behaviour.about().is_empty() {
        document["about"] = toml_edit::value(behaviour.about());
    }
    let tasks: Vec<&str> = behaviour.task_names().collect();
    document["tasks"] = toml_edit::value(tasks.iter().copied().collect::<Array>());
    match behaviour.choice() {
        Choice::Sample => {}
        Choice::Best => document["choose"] = toml_edit::value("best"),
        Choice::Sharpen(power) => {
            let mut table = toml_edit::InlineTable::new();
            table.insert("sharpen", power.into());
            document["choose"] = toml_edit::value(table);
        }
    }
    let mut sensors = Table::new();
    for sensor in behaviour.sensors() {
        sensors.insert(&sensor.name, toml_edit::value(sensor.values.iter().collect::<Array>()));
    }
    document["sensors"] = Item::Table(sensors);
    document["transition"] = Item::Table(columns_as_rows(&tasks, behaviour.transition(), true));
    for (key, kind) in [("likelihood", Kind::Likelihood), ("coherence", Kind::Coherence)] {
        let mut tables = Table::new();
        tables.set_implicit(true);
        for sensor in behaviour.sensors().iter().filter(|sensor| sensor.kind == kind) {
            let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
            let rows = columns_as_rows(&values, sensor.cells(), kind == Kind::Likelihood);
            tables.insert(&sensor.name, Item::Table(rows));
        }
        if !tables.is_empty() {
            document[key] = Item::Table(tables);
        }
    }
    let mut inner = Table::new();
    inner.set_implicit(true);
    for task in behaviour.tasks() {
        if let Some(within) = &task.inner {
            let mut table = Table::new();
            table["behaviour"] = toml_edit::value(within.name());
            inner.insert(&task.name, Item::Table(table));
        }
    }
    if !inner.is_empty() {
        document["task"] = Item::Table(inner);
    }
    if let Some(counts) = behaviour.counts() {
        document["counts"] = Item::Table(counts_table(behaviour, counts, &tasks));
    }
    document
}

fn counts_table(behaviour: &Behaviour, counts: &crate::sequence::TaskCounts, tasks: &[&str]) -> Table {
    let mut table = Table::new();
    table["prior"] = toml_edit::value(counts.prior);
    table["observations"] = toml_edit::value(counts.observations as i64);
    table["transition"] = Item::Table(exact(tasks, &counts.transition));
    let mut sensors = Table::new();
    sensors.set_implicit(true);
    for (sensor, cells) in behaviour.sensors().iter().zip(&counts.sensors) {
        let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
        sensors.insert(&sensor.name, Item::Table(exact(&values, cells)));
    }
    table["sensor"] = Item::Table(sensors);
    table
}

/// `[column][row]` numbers as rows, to the last digit.
fn exact(rows: &[&str], cells: &[f64]) -> Table {
    let number =
        |n: f64| if n == n.trunc() && n.abs() < 1e15 { Value::from(n as i64) } else { Value::from(n) };
    written(rows, cells, |_, &n| number(n))
}

/// `[column][row]` probabilities as rows, rounded; with `"x"` where a column must sum to 1.
fn columns_as_rows(rows: &[&str], cells: &[f64], sums_to_one: bool) -> Table {
    let height = rows.len();
    let rounded = |p: f64| -> f64 { significant(p, 4).parse().unwrap_or(p) };
    let is_rest = |at: usize| {
        let column = &cells[at / height * height..][..height];
        sums_to_one && column.iter().all(|&other| other <= cells[at])
    };
    written(rows, cells, |at, &p| if is_rest(at) { Value::from("x") } else { Value::from(rounded(p)) })
}

fn written(rows: &[&str], cells: &[f64], value: impl Fn(usize, &f64) -> Value) -> Table {
    let mut table = Table::new();
    for (row, name) in rows.iter().enumerate() {
        let cells: Array =
            cells.iter().enumerate().skip(row).step_by(rows.len()).map(|(at, p)| value(at, p)).collect();
        table.insert(name, toml_edit::value(cells));
    }
    table
}
