//! Bayesian programs as tables, and their answers as charts with reasons.

use anstyle::Style;
use repertoire_bayes::answers::{Answers, PutAnswer};
use repertoire_bayes::explain::Explanation;
use repertoire_bayes::program::{Factor, Program};
use repertoire_prob::Variable;
use repertoire_prob::num::{exp, significant};
use repertoire_trace::observations::Learned;
use serde_json::{Value, json};

use super::bars::bars;
use super::table::Table;
use crate::chart;

/// Tables wider or higher than this are only summed up.
const WIDEST: usize = 12;
/// How many choices are printed one by one.
const MOST_CHOICES: usize = 20;

/// What a program learned from recorded play, and where it is written to.
pub fn learned(learned: &Learned, file: &str) -> String {
    let Learned { rows, observations, .. } = learned;
    format!("{rows} rows read, {observations} observations learned by the histograms; written to {file}\n")
}

/// Programs by name.
pub fn list(programs: &[Program]) -> String {
    let width = programs.iter().map(|program| program.name().len()).max().unwrap_or(0);
    programs.iter().map(|program| format!("{:width$}  {}\n", program.name(), program.about())).collect()
}

/// The same for other programs.
pub fn list_as_json(programs: &[Program]) -> Value {
    programs.iter().map(|program| json!({ "name": program.name(), "about": program.about() })).collect()
}

/// What is in a program: its variables, its decomposition, and the table of each factor.
pub fn describe(program: &Program) -> String {
    let bold = Style::new().bold();
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
    text
}

fn scale(variable: &Variable) -> String {
    let Some(bins) = variable.bins() else { return String::new() };
    let (from, to) = (bins.edges[0], bins.edges[bins.edges.len() - 1]);
    let unit = if bins.unit.is_empty() { String::new() } else { format!(" {}", bins.unit) };
    format!("  ({from} to {to}{unit}{})", if bins.circular { ", round" } else { "" })
}

fn table(program: &Program, factor: &Factor) -> String {
    let (rows, columns) = (program.combinations(factor.left()), program.combinations(factor.given()));
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
    let has_heads = columns != [""];
    let mut table = if has_heads { Table::by("", columns.iter().cloned()) } else { Table::default() };
    for (row, name) in rows.iter().enumerate() {
        let numbers = cells[row..].iter().step_by(rows.len());
        table.named(name, numbers.map(|&p| significant(p, 3)));
    }
    table.to_string()
}

/// Every answer as a chart, with its reasons if they were asked for, and what was chosen from it.
pub fn answers(answers: &Answers<'_>, chosen: Option<&[Vec<u32>]>) -> String {
    let mut text = String::new();
    for (index, answer) in answers.all().iter().enumerate() {
        let Some(explanation) = &answer.explanation else {
            text += &format!("{}\n  has probability 0, so there is no answer\n\n", answer.question);
            continue;
        };
        if let Some(chart) = chart::of_answer(answers.program(), answer) {
            text += &bars(&chart);
        }
        if !answer.question.given.is_empty() {
            text += &format!("  P(known) = {}\n", known(explanation));
        }
        if !explanation.contributions.is_empty() {
            text += &reasons(answer, explanation);
        }
        if let Some(chosen) = chosen.map(|chosen| &chosen[index]) {
            text += &choices(answer, chosen);
        }
        text.push('\n');
    }
    text
}

/// The same for other programs, after what was learned and where that was written, if anything was.
pub fn answers_as_json(
    answers: &Answers<'_>,
    chosen: Option<&[Vec<u32>]>,
    learned: Option<(&Learned, &str)>,
) -> Value {
    let mut document = if answers.all().is_empty() { json!({}) } else { json!(answers.written(chosen)) };
    if let Some((learned, file)) = learned {
        document["learned"] = json!(learned);
        document["learned"]["written"] = file.into();
    }
    document
}

/// What each known value speaks for and against, in nats.
fn reasons(answer: &PutAnswer, explanation: &Explanation) -> String {
    let shown = |nats: f64| if nats == 0.0 { "0".to_owned() } else { format!("{nats:+.2}") };
    let mut table = Table::by("known", answer.values.iter().cloned());
    for (contribution, (name, value)) in explanation.contributions.iter().zip(&answer.question.given) {
        let label = format!("{name}={}", value.as_deref().unwrap_or_default());
        table.named(&label, contribution.log_ratio.iter().map(|&ratio| shown(ratio)));
    }
    format!(
        "  What each known value adds to the others (log-ratio in nats; + speaks for it, - against)\n{table}"
    )
}

fn known(explanation: &Explanation) -> String {
    let p = exp(explanation.log_p_known);
    if p > 0.0 { significant(p, 4) } else { format!("exp({})", significant(explanation.log_p_known, 6)) }
}

fn choices(answer: &PutAnswer, chosen: &[u32]) -> String {
    let mut counts = vec![0u32; answer.values.len()];
    chosen.iter().for_each(|&at| counts[at as usize] += 1);
    let shown = chosen.iter().take(MOST_CHOICES);
    let shown: Vec<&str> = shown.map(|&at| answer.values[at as usize].as_str()).collect();
    let rest = if chosen.len() > MOST_CHOICES { " ..." } else { "" };
    let tally = answer.values.iter().zip(&counts).filter(|(_, count)| **count > 0);
    let tally: Vec<String> = tally.map(|(value, count)| format!("{value} {count}")).collect();
    format!("  chosen: {}{rest}\n  in all: {}\n", shown.join(" "), tally.join(", "))
}
