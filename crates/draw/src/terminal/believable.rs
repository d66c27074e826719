//! The card of a believable character.

use anstyle::Style;
use repertoire_eval::believable::{Card, Half, Row};

use super::table::{Table, number_or_dash};
use super::wrap;

/// A card as a table: ten rows with their numbers and verdicts, some of them with a second half below, which the verdict takes in; then
/// what each number is and what to change.
pub fn card(card: &Card) -> String {
    let bold = Style::new().bold();
    let mut table = Table::by("", ["requirement", "number", "95 %", "met"].map(str::to_owned));
    for row in &card.rows {
        let verdict = verdict(row.met).to_owned();
        table.named(row.row, [row.requirement.to_owned(), number(row), ends(row), verdict]);
        if let Some(half) = &row.second {
            let (number, ends, verdict) = second(half);
            table.named("", [format!("and {}", half.what), number, ends, verdict.to_owned()]);
        }
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
        let second = row.second.as_ref().map_or(String::new(), |half| format!("; and {}", half.means));
        for line in wrap::wrap(&format!("{:3} {}{second}{advice}", row.row, row.means), 100, "  ") {
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

/// The number of a second half, its interval, and its verdict; what asks for nothing is left to the first half.
pub(crate) fn second(half: &Half) -> (String, String, &'static str) {
    let ends = half.low.zip(half.high).map(|(low, high)| format!("{low:.2} to {high:.2}"));
    let number = number_or_dash(half.number, 2);
    (number, ends.unwrap_or("-".to_owned()), half.met.map_or("-", |met| verdict(Some(met))))
}

pub(crate) fn verdict(met: Option<bool>) -> &'static str {
    match met {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not measured",
    }
}
