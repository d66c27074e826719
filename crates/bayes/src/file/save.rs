//! Writing programs back: with what they learned, and without losing what people wrote around it.

use repertoire_authored::Mistake;
use repertoire_prob::table::digits;
use repertoire_prob::{Bins, Variable};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use crate::program::{Factor, Program};

/// The text a program was read from, with the counts it has now. Everything outside of the counts stays: comments, order.
pub fn with_counts(text: &str, program: &Program) -> Result<String, Mistake> {
    let refused =
        |what: &str| Mistake::at(text, 0..0, what, "save beside the file the program was read from");
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| refused(&error.to_string()))?;
    for (index, factor) in program.factors().iter().enumerate() {
        let Some(histogram) = factor.histogram() else { continue };
        let table = document
            .get_mut("factor")
            .and_then(|factors| factors.get_mut(index))
            .and_then(Item::as_table_like_mut)
            .ok_or_else(|| refused("the text is not the one this program was read from"))?;
        table.insert("counts", Item::Table(rows(program, factor, histogram.counts())));
        // Counts are written in the order of the variables; a column order of the author's would misread them.
        table.remove("columns");
    }
    let saved = document.to_string();
    // The document forgets how lines ended.
    Ok(if text.contains("\r\n") { saved.replace("\r\n", "\n").replace('\n', "\r\n") } else { saved })
}

/// A whole program as a file. Shapes and questions are written as the tables they amount to.
pub fn to_toml(program: &Program) -> String {
    let mut document = DocumentMut::new();
    document["name"] = toml_edit::value(program.name());
    document["about"] = toml_edit::value(program.about());
    let mut variables = Table::new();
    for variable in program.variables() {
        variables.insert(variable.name(), Item::Value(declaration(variable)));
    }
    document["variables"] = Item::Table(variables);
    let mut factors = ArrayOfTables::new();
    for factor in program.factors() {
        let mut table = Table::new();
        table["of"] = toml_edit::value(program.conditional(factor).to_string());
        match factor.histogram() {
            Some(histogram) => {
                table["form"] = toml_edit::value("histogram");
                table["prior"] = toml_edit::value(histogram.prior());
                table["counts"] = Item::Table(rows(program, factor, histogram.counts()));
            }
            None => {
                table["form"] = toml_edit::value("table");
                table["rows"] = Item::Table(rows(program, factor, factor.cells()));
            }
        }
        factors.push(table);
    }
    document["factor"] = Item::ArrayOfTables(factors);
    document.to_string()
}

fn declaration(variable: &Variable) -> Value {
    let values = Value::Array(variable.values().iter().collect::<Array>());
    let Some(Bins { edges, circular, unit }) = variable.bins() else { return values };
    let mut table = InlineTable::new();
    table.insert("values", values);
    table.insert("edges", Value::Array(edges.iter().copied().collect()));
    if *circular {
        table.insert("circular", true.into());
    }
    if !unit.is_empty() {
        table.insert("unit", unit.as_str().into());
    }
    Value::InlineTable(table)
}

/// `[given...][left...]` numbers as one row for each value of the left side.
fn rows(program: &Program, factor: &Factor, numbers: &[f64]) -> Table {
    let cards: Vec<usize> = factor.left().iter().map(|&id| program.card(id)).collect();
    let height: usize = cards.iter().product();
    let mut table = Table::new();
    table.set_dotted(true);
    for row in 0..height {
        let values = factor.left().iter().zip(digits(row, &cards));
        let name: Vec<&str> =
            values.map(|(&id, value)| program.variables()[id as usize].values()[value].as_str()).collect();
        // Whole counts are written as people write them.
        let whole = |n: f64| n == n.trunc() && n.abs() < 1e15;
        let number = |&n: &f64| if whole(n) { Value::from(n as i64) } else { Value::from(n) };
        let cells: Array = numbers[row..].iter().step_by(height).map(number).collect();
        table.insert(&name.join(" "), toml_edit::value(cells));
    }
    table
}
