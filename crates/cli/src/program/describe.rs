//! What is in a program, for people and as JSON.

use anyhow::Result;
use repertoire_bayes::program::{Factor, Program};
use repertoire_prob::Variable;
use repertoire_prob::num::significant;
use repertoire_prob::table::digits;
use serde_json::json;

use crate::{draw, output};

/// Tables wider or higher than this are only summed up.
const WIDEST: usize = 12;

pub(super) fn describe(program: &Program, as_json: bool) -> Result<()> {
    if as_json {
        return output::json(&to_json(program));
    }
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{}{bold:#}\n{}\n\nVariables\n", program.name(), program.about());
    let width = program.variables().iter().map(|variable| variable.name().chars().count()).max().unwrap_or(0);
    for variable in program.variables() {
        text +=
            &format!("  {:width$}  {}{}\n", variable.name(), variable.values().join(" "), scale(variable));
    }
    let all: Vec<&str> = program.variables().iter().map(Variable::name).collect();
    let product: Vec<String> =
        program.factors().iter().map(|factor| program.conditional(factor).to_string()).collect();
    text += &format!("\nDecomposition\n  P({})\n    = {}\n", all.join(" "), product.join("\n    * "));
    for factor in program.factors() {
        text += &format!("\n{bold}{}{bold:#}  {}\n", program.conditional(factor), factor.form().name());
        text += &table(program, factor);
    }
    output::text(&text)
}

fn scale(variable: &Variable) -> String {
    let Some(bins) = variable.bins() else { return String::new() };
    let (from, to) = (bins.edges[0], bins.edges[bins.edges.len() - 1]);
    let unit = if bins.unit.is_empty() { String::new() } else { format!(" {}", bins.unit) };
    format!("  ({from} to {to}{unit}{})", if bins.circular { ", round" } else { "" })
}

fn table(program: &Program, factor: &Factor) -> String {
    let (rows, columns) = (names(program, factor.left()), names(program, factor.given()));
    if let Some(histogram) = factor.histogram() {
        let seen: f64 = histogram.counts().iter().sum();
        let head = format!("  learned from {} observations\n", significant(seen, 6));
        return head + &grid(&rows, &columns, factor.cells());
    }
    if factor.form().name() == "uniform" {
        return format!("  each {}\n", significant(factor.cells()[0], 4));
    }
    grid(&rows, &columns, factor.cells())
}

/// A table as in the papers: a row for each value of the left side, a column for each combination of the given ones.
fn grid(rows: &[String], columns: &[String], cells: &[f64]) -> String {
    if rows.len() > WIDEST * 2 || columns.len() > WIDEST {
        return format!("  {} rows, {} columns: --json prints them\n", rows.len(), columns.len());
    }
    let mut lines = vec![std::iter::once(String::new()).chain(columns.iter().cloned()).collect::<Vec<_>>()];
    for (row, name) in rows.iter().enumerate() {
        let numbers = cells[row..].iter().step_by(rows.len()).map(|&p| significant(p, 3));
        lines.push(std::iter::once(name.clone()).chain(numbers).collect());
    }
    if columns == [""] {
        lines.remove(0);
    }
    draw::columns(&lines)
}

/// The names of all combinations of values; one empty name where there is no variable.
pub(super) fn names(program: &Program, ids: &[u32]) -> Vec<String> {
    let variables: Vec<&Variable> = ids.iter().map(|&id| &program.variables()[id as usize]).collect();
    let cards: Vec<usize> = variables.iter().map(|variable| variable.card()).collect();
    let name = |index: usize| {
        let values = digits(index, &cards);
        let named = variables.iter().zip(values).map(|(variable, value)| variable.values()[value].as_str());
        named.collect::<Vec<_>>().join(" ")
    };
    (0..cards.iter().product()).map(name).collect()
}

fn to_json(program: &Program) -> serde_json::Value {
    let variables: Vec<_> = program
        .variables()
        .iter()
        .map(|variable| {
            let bins = variable
                .bins()
                .map(|bins| json!({ "edges": bins.edges, "circular": bins.circular, "unit": bins.unit }));
            json!({ "name": variable.name(), "values": variable.values(), "bins": bins })
        })
        .collect();
    let factors: Vec<_> = program
        .factors()
        .iter()
        .map(|factor| {
            let height = names(program, factor.left()).len();
            json!({
                "of": program.conditional(factor).to_string(),
                "form": factor.form().name(),
                "columns": names(program, factor.given()),
                "rows": names(program, factor.left()),
                "table": factor.cells().chunks_exact(height).collect::<Vec<_>>(),
                "counts": factor.histogram().map(|learned| learned.counts().chunks_exact(height).collect::<Vec<_>>()),
            })
        })
        .collect();
    json!({ "name": program.name(), "about": program.about(), "variables": variables, "factors": factors })
}
