//! Curves as a table, with how fast each grows.

use repertoire_eval::planning::PlanFigure;
use repertoire_prob::num::significant;
use serde_json::{Value, json};

use super::table::Table;
use crate::lines::{Line, of_figure};

/// A row for each curve: its exponent of growth, and its points. The columns are those of the curve with the most points;
/// the points of curves at other places say where they are.
pub fn table(x: &str, lines: &[Line]) -> Table {
    let most = lines.iter().max_by_key(|line| line.points.len()).map_or(&[][..], |line| &line.points[..]);
    let places = most.iter().map(|(x, _)| significant(*x, 4));
    let mut table = Table::by(x, std::iter::once("exponent".to_owned()).chain(places));
    for line in lines {
        let same = most.iter().map(|p| p.0).eq(line.points.iter().map(|p| p.0));
        let cell = |(x, y): &(f64, f64)| match significant(*y, 3) {
            y if same => y,
            y => format!("{}: {y}", significant(*x, 4)),
        };
        let exponent = std::iter::once(format!("{:.2}", line.exponent()));
        table.named(&line.label, exponent.chain(line.points.iter().map(cell)));
    }
    table
}

/// Figures of planning, each a table.
pub fn figures(figures: &[PlanFigure]) -> String {
    let one = |figure: &PlanFigure| {
        format!("{}\n({})\n{}\n", figure.title, figure.y, table(figure.x, &of_figure(figure)))
    };
    figures.iter().map(one).collect()
}

/// The same for other programs.
pub fn figures_as_json(figures: &[PlanFigure]) -> Value {
    let line =
        |line: &Line| json!({ "label": line.label, "exponent": line.exponent(), "points": line.points });
    let row = |figure: &PlanFigure| {
        json!({ "figure": figure.name, "title": figure.title, "x": figure.x, "y": figure.y,
            "lines": of_figure(figure).iter().map(line).collect::<Vec<Value>>() })
    };
    figures.iter().map(row).collect()
}
