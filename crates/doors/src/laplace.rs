//! `ask laplace`: a table learned from counts.

use repertoire_prob::Histogram;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nested::{Nested, Shaped};
use crate::door::{Answer, Part};

pub(super) struct Laplace;

impl Part for Laplace {
    const NAME: &'static str = "laplace";
    const ABOUT: &'static str = "a probability table learned from counts by Laplace's law";
    const EXAMPLE: &'static str = r#"{"counts":[31,4,0,0,3,10,52]}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// Counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Axes: the learned variable first, then those it is given.
    counts: Nested,
}

/// What they teach.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// (1 + n) / (values + n of the column), on the same axes.
    table: Shaped,
}

fn answer(request: Request) -> Result<Response, String> {
    let Nested { shape, .. } = &request.counts;
    let counts = request.counts.numbers()?;
    if shape.is_empty() || counts.is_empty() {
        return Err("counts must be a list with at least one number".into());
    }
    if let Some(bad) = counts.iter().find(|&&n| !(n >= 0.0 && n.is_finite())) {
        return Err(format!("{bad} is not a count: write numbers from 0 up"));
    }
    if !counts.iter().sum::<f64>().is_finite() {
        return Err("the counts sum to more than a double can hold".into());
    }
    let (height, width) = (shape[0], counts.len() / shape[0]);
    // The learned variable comes first here and last in a histogram: turn the table, learn, turn it back.
    let turned = (0..width).flat_map(|column| (0..height).map(move |row| row * width + column));
    let learned = Histogram::from_counts(height, 1.0, turned.map(|at| counts[at]).collect())
        .map_err(|error| error.to_string())?;
    let table = (0..height).flat_map(|row| (0..width).map(move |column| column * height + row));
    Ok(Response { table: Shaped::new(shape, table.map(|at| learned.cells()[at]).collect()) })
}
