//! Tables as text, and the cells that most of them have.

use std::fmt;

use super::columns::columns;

/// A table: headings, then rows. The first column stands left, the others right.
///
/// ```
/// use repertoire_tournament::report::table::{Table, percent};
///
/// let mut table = Table::new(&["character", "frags", "accuracy"]);
/// table.row(vec!["prudent".into(), "12".into(), percent(0.253, 1)]);
/// assert_eq!(table.to_string(), "  character  frags  accuracy\n  prudent       12    25.3 %\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings and no rows yet.
    pub fn new(headings: &[&str]) -> Self {
        Table { lines: vec![headings.iter().map(|&heading| heading.to_owned()).collect()] }
    }

    /// The same with headings that are made while it runs: a first one, and one for each of several things.
    pub fn by(first: &str, others: impl IntoIterator<Item = String>) -> Self {
        Table { lines: vec![std::iter::once(first.to_owned()).chain(others).collect()] }
    }

    /// Adds a row. One that is shorter than the headings leaves its last cells empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.lines.push(cells);
    }

    /// Adds a row of a name and what follows it.
    pub fn named(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.row(std::iter::once(name.to_owned()).chain(cells).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&columns(&self.lines))
    }
}

/// A share as a percentage with this many digits after the point.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * share)
}

/// A number with this many digits after the point; `-` for none.
pub fn number_or_dash(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

/// A number of things with the word for them: `1 match`, `3 matches`.
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
