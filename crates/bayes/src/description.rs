//! A program as plain data, for other programs to read: its variables, its factors and their tables.

use repertoire_prob::{Bins, Variable};
use serde::Serialize;

use crate::Program;
use crate::program::Factor;

/// What is in a program.
///
/// ```
/// use repertoire_bayes::{description::Description, shipped};
///
/// let danger = shipped::program("danger-sensor").expect("shipped");
/// let description = Description::of(&danger);
/// assert_eq!(description.factors[0].of, "P(Danger)");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description<'a> {
    /// What it says about itself.
    pub about: &'a str,
    /// Its factors, in order.
    pub factors: Vec<FactorDescription<'a>>,
    /// Its name.
    pub name: &'a str,
    /// Its variables, in order.
    pub variables: Vec<VariableDescription<'a>>,
}

/// A factor and its table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactorDescription<'a> {
    /// The combinations of values that are given, a column each.
    pub columns: Vec<String>,
    /// What was counted, column by column, where it is learned.
    pub counts: Option<Vec<&'a [f64]>>,
    /// How its table is made: `table`, `histogram`, `uniform`...
    pub form: &'static str,
    /// Its left side and what is given, as `P(A | B)`.
    pub of: String,
    /// The combinations of values of the left side, a row each.
    pub rows: Vec<String>,
    /// The probabilities, column by column.
    pub table: Vec<&'a [f64]>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariableDescription<'a> {
    /// Where its values lie on a scale, if they do.
    pub bins: Option<BinsDescription<'a>>,
    /// Its name.
    pub name: &'a str,
    /// Its values.
    pub values: &'a [String],
}

/// Values as intervals of a scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinsDescription<'a> {
    /// Whether the last is beside the first, as with angles.
    pub circular: bool,
    /// Where each begins, and where the last ends.
    pub edges: &'a [f64],
    /// The unit of the scale.
    pub unit: &'a str,
}

impl<'a> Description<'a> {
    /// Describes a program.
    pub fn of(program: &'a Program) -> Self {
        Description {
            about: program.about(),
            factors: program.factors().iter().map(|factor| describe(program, factor)).collect(),
            name: program.name(),
            variables: program.variables().iter().map(variable).collect(),
        }
    }
}

fn describe<'a>(program: &'a Program, factor: &'a Factor) -> FactorDescription<'a> {
    let rows = program.combinations(factor.left());
    let height = rows.len();
    FactorDescription {
        columns: program.combinations(factor.given()),
        counts: factor.histogram().map(|learned| learned.counts().chunks_exact(height).collect()),
        form: factor.form().name(),
        of: program.conditional(factor).to_string(),
        rows,
        table: factor.cells().chunks_exact(height).collect(),
    }
}

fn variable(variable: &Variable) -> VariableDescription<'_> {
    VariableDescription { bins: variable.bins().map(bins), name: variable.name(), values: variable.values() }
}

fn bins(bins: &Bins) -> BinsDescription<'_> {
    BinsDescription { circular: bins.circular, edges: &bins.edges, unit: &bins.unit }
}
