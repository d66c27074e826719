//! The card of a believable character.

use anstyle::Style;
use repertoire_eval::believable::{Card, Row};

use super::table::Table;
use super::wrap;

/// A card as a table: ten rows with their numbers and verdicts, then what each number is and what to change.
pub fn card(card: &Card) -> String {
    let bold = Style::new().bold();
    let mut table = Table::by("", ["requirement", "number", "95 %", "met"].map(str::to_owned));
    for row in &card.rows {
        table.named(row.row, [row.requirement.to_owned(), number(row), ends(row), verdict(row).to_owned()]);
    }
    let title = format!(
        "{}: {} of 10 requirements met, on {} (seed {}, beside {})",
        card.subject,
        card.met(),
        card.maps.join(", "),
        card.seed,
        card.reference
    );
    let mut text = format!("{bold}{title}{bold:#}\n\n{table}\n");
    for row in &card.rows {
        let advice =
            if row.met == Some(true) { String::new() } else { format!(". To change it: {}", row.advice) };
        for line in wrap::wrap(&format!("{:3} {}{advice}", row.row, row.means), 100, "  ") {
            text += &line;
            text.push('\n');
        }
    }
    text
}

pub(crate) fn number(row: &Row) -> String {
    row.number.map_or("-".to_owned(), |number| match row.row {
        "B2" => format!("{number:.0} ms"),
        _ => format!("{number:.2}"),
    })
}

pub(crate) fn ends(row: &Row) -> String {
    match (row.low, row.high) {
        (Some(low), Some(high)) if row.row == "B2" => format!("{low:.0} to {high:.0}"),
        (Some(low), Some(high)) => format!("{low:.2} to {high:.2}"),
        _ => "-".to_owned(),
    }
}

pub(crate) fn verdict(row: &Row) -> &'static str {
    match row.met {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not measured",
    }
}
