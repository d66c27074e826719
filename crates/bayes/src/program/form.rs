//! The forms a factor can have, and how each becomes a table.
//!
//! | form        | what the factor says                                                                       |
//! |-------------|--------------------------------------------------------------------------------------------|
//! | `table`     | numbers; `x` cells share what is left of their column                                      |
//! | `weights`   | numbers up to a factor; each column is divided by its sum                                  |
//! | `uniform`   | nothing is known                                                                           |
//! | `one_hot`   | certain: one value in each column                                                          |
//! | `gaussian`  | a bell over the bins of the left variable, integrated over each bin                        |
//! | `sigmoid`   | an S over the bins of the left variable, integrated over each bin                          |
//! | `agreement` | `M = 1` if and only if the two given variables have the same value (coherence, fig. 3.8)   |
//! | `histogram` | learned, Laplace's law                                                                     |
//! | `question`  | the answer of another program                                                              |

use repertoire_prob::table::{ColumnError, TableError, cells_over, digits};
use repertoire_prob::{Bins, Cell, Histogram, Table, Variable};

use super::shape::{ShapeError, gaussian, sigmoid};
use super::{Content, Program, ProgramError, ProgramPart};
use crate::question::{Question, Workspace};
use crate::syntax::Conditional;

/// The form of a factor, with its parameters. Cells are laid out `[given...][left...]`.
#[derive(Clone, Debug)]
pub enum Form {
    /// Probabilities as people write them.
    Table(Vec<Cell>),
    /// Probabilities up to a factor in each column.
    Weights(Vec<f64>),
    /// Every value equally probable.
    Uniform,
    /// One certain value in each column: an index over the left side.
    OneHot(Vec<usize>),
    /// A bell over the bins of the left variable. Beyond the ends of a straight scale it belongs to the outermost
    /// bins; on a circular scale it is wrapped.
    Gaussian {
        /// Where the bell has its top, on the scale of the left variable.
        mean: Parameter,
        /// Its standard deviation; greater than 0.
        sd: Parameter,
    },
    /// An S over the bins of the left variable: `1 / (1 + exp(-slope (x - middle)))`, integrated over each bin.
    Sigmoid {
        /// Where the S is at one half.
        middle: Parameter,
        /// How steep it is; negative to fall.
        slope: Parameter,
    },
    /// The left variable, of two values, says whether the two given variables agree.
    Agreement,
    /// Learned from counts, with a virtual weight for every case.
    Histogram {
        /// Weight that every case starts with; 1 is Laplace's law.
        prior: f64,
        /// What has been counted so far.
        counts: Vec<f64>,
    },
    /// What another program answers, for every combination of given values.
    Question {
        /// The program asked.
        program: Box<Program>,
        /// The question: its searched variables stand for the left side, its known ones for the given side.
        ask: Conditional,
    },
}

/// A parameter of a form, which may depend on the given values.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// The same for every column.
    Constant(f64),
    /// One number for each column.
    EachColumn(Vec<f64>),
    /// `constant + Σ weight · (middle of the bin of a given variable)`.
    Linear {
        /// What is added.
        constant: f64,
        /// Given variables by name, and what they are multiplied by.
        weights: Vec<(String, f64)>,
    },
}

impl Form {
    /// The form's name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Form::Table(_) => "table",
            Form::Weights(_) => "weights",
            Form::Uniform => "uniform",
            Form::OneHot(_) => "one_hot",
            Form::Gaussian { .. } => "gaussian",
            Form::Sigmoid { .. } => "sigmoid",
            Form::Agreement => "agreement",
            Form::Histogram { .. } => "histogram",
            Form::Question { .. } => "question",
        }
    }

    pub(super) fn content(
        &self,
        program: &Program,
        factor: usize,
        left: &[u32],
        given: &[u32],
    ) -> Result<Content, ProgramError> {
        let scope = Scope {
            program,
            factor,
            left,
            given,
            left_cards: left.iter().map(|&id| program.card(id)).collect(),
            given_cards: given.iter().map(|&id| program.card(id)).collect(),
        };
        let cells = scope.cells()?;
        let columns = cells / scope.height();
        let table = |numbers: Vec<f64>| {
            Table::from_numbers(&scope.given_cards, &scope.left_cards, &numbers)
                .map(Content::Fixed)
                .map_err(|error| scope.table_error(&error))
        };
        match self {
            Form::Table(written) => Table::new(&scope.given_cards, &scope.left_cards, written)
                .map(Content::Fixed)
                .map_err(|error| scope.table_error(&error)),
            Form::Weights(weights) => table(scope.normalised(weights)?),
            Form::Uniform => table(vec![1.0 / scope.height() as f64; cells]),
            Form::OneHot(chosen) => {
                let mut numbers = vec![0.0; cells];
                if chosen.len() != columns || chosen.iter().any(|&value| value >= scope.height()) {
                    return Err(
                        scope.wrong("one value is needed for each column", "name one value, or a list")
                    );
                }
                for (column, &value) in numbers.chunks_exact_mut(scope.height()).zip(chosen) {
                    column[value] = 1.0;
                }
                table(numbers)
            }
            Form::Gaussian { mean, sd } => {
                let bins = scope.bins(&program.variables[left[0] as usize], "gaussian")?;
                let (mean, sd) = (scope.evaluate(mean, "mean")?, scope.evaluate(sd, "sd")?);
                table(scope.shaped(|column, out| gaussian(bins, mean[column], sd[column], out))?)
            }
            Form::Sigmoid { middle, slope } => {
                let bins = scope.bins(&program.variables[left[0] as usize], "sigmoid")?;
                let (middle, slope) = (scope.evaluate(middle, "middle")?, scope.evaluate(slope, "slope")?);
                table(scope.shaped(|column, out| sigmoid(bins, middle[column], slope[column], out))?)
            }
            Form::Agreement => {
                let alike = scope.given_cards.len() == 2 && scope.given_cards[0] == scope.given_cards[1];
                let says_true = &program.variables[left[0] as usize];
                if says_true.value("true") == Some(0) {
                    return Err(scope.wrong(
                        format!(
                            "the second value of `{}` stands for agreement, but it is called `false`",
                            says_true.name()
                        ),
                        "write [\"false\", \"true\"]",
                    ));
                }
                if alike {
                    let [v, w] = [given[0], given[1]].map(|id| &program.variables[id as usize]);
                    scope.same_order(v, w)?;
                }
                if scope.left_cards != [2] || !alike {
                    return Err(scope.wrong(
                        "agreement is a variable of two values, given two variables with as many values as each other",
                        "write P(M | V W), M with the values false and true",
                    ));
                }
                let card = scope.given_cards[0];
                let agree = |column: usize| column / card == column % card;
                table((0..columns).flat_map(|c| if agree(c) { [0.0, 1.0] } else { [1.0, 0.0] }).collect())
            }
            Form::Histogram { prior, counts } => {
                if !(*prior > 0.0 && *prior <= 1e12) {
                    return Err(scope
                        .wrong(format!("prior is {prior}"), "write a number above 0; 1 is Laplace's law"));
                }
                let counts = if counts.is_empty() { vec![0.0; cells] } else { counts.clone() };
                let total: f64 = counts.iter().sum();
                if counts.len() != cells || counts.iter().any(|&n| n < 0.0) || !total.is_finite() {
                    return Err(scope.wrong(
                        "counts do not fit the variables",
                        "one finite number from 0 up for each case",
                    ));
                }
                Histogram::from_counts(scope.height(), *prior, counts).map(Content::Learned).map_err(
                    |error| scope.wrong(error.to_string(), "one finite number from 0 up for each case"),
                )
            }
            Form::Question { program: asked, ask } => table(scope.answers(asked, ask)?),
        }
    }
}

/// What a form needs to know of its factor.
struct Scope<'a> {
    program: &'a Program,
    factor: usize,
    left: &'a [u32],
    given: &'a [u32],
    left_cards: Vec<usize>,
    given_cards: Vec<usize>,
}

impl Scope<'_> {
    fn wrong(&self, what: impl Into<String>, remedy: impl Into<String>) -> ProgramError {
        ProgramError::new(ProgramPart::Factor(self.factor), what, remedy)
    }

    /// Values are matched by their order; the same names in another order would be a trap.
    fn same_order(&self, a: &Variable, b: &Variable) -> Result<(), ProgramError> {
        let (mut one, mut other) = (a.values().to_vec(), b.values().to_vec());
        one.sort_unstable();
        other.sort_unstable();
        if one == other && a.values() != b.values() {
            return Err(self.wrong(
                format!(
                    "`{}` and `{}` have the same values in another order, and are matched by order",
                    a.name(),
                    b.name()
                ),
                format!("write {} for both", a.values().join(", ")),
            ));
        }
        Ok(())
    }

    fn height(&self) -> usize {
        self.left_cards.iter().product()
    }

    fn cells(&self) -> Result<usize, ProgramError> {
        cells_over(self.given_cards.iter().chain(&self.left_cards).copied()).ok_or_else(|| {
            self.wrong(
                TableError::TooLarge.to_string(),
                "split the factor, or use fewer or coarser variables",
            )
        })
    }

    fn table_error(&self, error: &TableError) -> ProgramError {
        let TableError::Column { column, why, .. } = error else {
            return self.wrong(error.to_string(), "give one number for each cell");
        };
        let row = match why {
            ColumnError::NotAProbability { cell, .. } => Some(*cell),
            _ => None,
        };
        let remedy = match why {
            ColumnError::NotAProbability { .. } => "write a number from 0 to 1, or \"x\"".to_owned(),
            ColumnError::OverOne { .. } => {
                "make its numbers smaller, or write \"x\" where they are not known".into()
            }
            ColumnError::UnderOne { .. } => "write \"x\" in the cells that take the rest".into(),
        };
        let what = match self.column_name(*column) {
            Some(name) => format!("{why} (column {name})"),
            None => why.to_string(),
        };
        ProgramError::new(ProgramPart::Column { factor: self.factor, column: *column, row }, what, remedy)
    }

    /// `Danger=false, Noise=true`; nothing for a factor without given variables.
    fn column_name(&self, column: usize) -> Option<String> {
        let values = digits(column, &self.given_cards);
        let named = self.given.iter().zip(values).map(|(&id, value)| {
            let variable = &self.program.variables[id as usize];
            format!("{}={}", variable.name(), variable.values()[value])
        });
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    fn normalised(&self, weights: &[f64]) -> Result<Vec<f64>, ProgramError> {
        let cells = self.cells()?;
        if weights.len() != cells {
            return Err(self.wrong("weights do not fit the variables", "one number from 0 up for each cell"));
        }
        if let Some(at) = weights.iter().position(|&w| !(w >= 0.0 && w.is_finite())) {
            let (column, row) = (at / self.height(), Some(at % self.height()));
            let place = ProgramPart::Column { factor: self.factor, column, row };
            let what = format!("{} is not a weight", weights[at]);
            return Err(ProgramError::new(place, what, "write a finite number from 0 up"));
        }
        let mut numbers = weights.to_vec();
        for (column, numbers) in numbers.chunks_exact_mut(self.height()).enumerate() {
            let total: f64 = numbers.iter().sum();
            repertoire_prob::num::normalise(numbers);
            if !(total > 0.0 && total.is_finite()) {
                let place = ProgramPart::Column { factor: self.factor, column, row: None };
                let which = self.column_name(column).unwrap_or_else(|| "the only one".into());
                let what = format!("the weights of a column ({which}) sum to {total}");
                return Err(ProgramError::new(
                    place,
                    what,
                    "give at least one value a finite weight above 0",
                ));
            }
        }
        Ok(numbers)
    }

    fn bins<'v>(&self, left: &'v Variable, form: &str) -> Result<&'v Bins, ProgramError> {
        match left.bins() {
            Some(bins) if self.left_cards.len() == 1 => Ok(bins),
            Some(_) => Err(self.wrong(
                format!("a {form} is over one left variable, this factor has {}", self.left_cards.len()),
                "give each variable a factor of its own",
            )),
            None => Err(self.wrong(
                format!("a {form} needs a left variable whose values are bins of a scale"),
                format!("declare `{}` with range, edges, or from and to", left.name()),
            )),
        }
    }

    fn shaped(
        &self,
        mut shape: impl FnMut(usize, &mut [f64]) -> Result<(), ShapeError>,
    ) -> Result<Vec<f64>, ProgramError> {
        let mut numbers = vec![0.0; self.cells()?];
        for (column, out) in numbers.chunks_exact_mut(self.height()).enumerate() {
            shape(column, out).map_err(|what| {
                let place = ProgramPart::Column { factor: self.factor, column, row: None };
                let which =
                    self.column_name(column).map_or(String::new(), |name| format!(" (column {name})"));
                ProgramError::new(place, format!("{what}{which}"), "change the parameters for this column")
            })?;
        }
        Ok(numbers)
    }

    /// The parameter in every column.
    fn evaluate(&self, parameter: &Parameter, name: &str) -> Result<Vec<f64>, ProgramError> {
        let columns: usize = self.given_cards.iter().product();
        let numbers = match parameter {
            Parameter::Constant(number) => vec![*number; columns],
            Parameter::EachColumn(numbers) if numbers.len() == columns => numbers.clone(),
            Parameter::EachColumn(numbers) => {
                let what = format!("`{name}` has {} numbers for {columns} columns", numbers.len());
                return Err(self.wrong(what, "give one number for each combination of given values"));
            }
            Parameter::Linear { constant, weights } => {
                let mut numbers = vec![*constant; columns];
                for (variable, weight) in weights {
                    let Some(at) = self.given.iter().position(|&id| self.program.name_of(id) == variable)
                    else {
                        let what =
                            format!("`{name}` depends on `{variable}`, which is not given in this factor");
                        let given = self.given.iter().map(|&id| self.program.name_of(id));
                        return Err(self.wrong(what, super::suggestion(variable, given)));
                    };
                    let Some(bins) = self.program.variables[self.given[at] as usize].bins() else {
                        let what =
                            format!("`{name}` depends on `{variable}`, whose values are not bins of a scale");
                        return Err(self.wrong(what, "declare it with range, edges, or from and to"));
                    };
                    for (column, number) in numbers.iter_mut().enumerate() {
                        *number += weight * bins.centre(digits(column, &self.given_cards)[at]);
                    }
                }
                numbers
            }
        };
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(self.wrong(format!("`{name}` is not finite"), "write finite numbers"));
        }
        Ok(numbers)
    }

    /// The table that another program's answers make.
    fn answers(&self, asked: &Program, ask: &Conditional) -> Result<Vec<f64>, ProgramError> {
        let question = Question::compile(asked, ask).map_err(|error| {
            self.wrong(format!("{ask} to `{}`: {error}", asked.name()), "correct the question")
        })?;
        if question.searched_cards() != self.left_cards || question.known_cards() != self.given_cards {
            return Err(self.wrong(
                format!(
                    "{ask} has {:?} values given {:?}, the factor has {:?} given {:?}",
                    question.searched_cards(),
                    question.known_cards(),
                    self.left_cards,
                    self.given_cards
                ),
                "ask for variables with as many values, in the same order",
            ));
        }
        let asked_for = question.searched().iter().chain(question.known());
        for (&theirs, &ours) in asked_for.zip(self.left.iter().chain(self.given)) {
            self.same_order(&asked.variables[theirs as usize], &self.program.variables[ours as usize])?;
        }
        let mut workspace = Workspace::new();
        let mut numbers = Vec::with_capacity(self.cells()?);
        for column in 0..self.given_cards.iter().product() {
            let known: Vec<u32> =
                digits(column, &self.given_cards).iter().map(|&value| value as u32).collect();
            match question.ask(asked, &known, &mut workspace) {
                Ok(answer) => numbers.extend_from_slice(answer.distribution),
                Err(_) => {
                    let which = self.column_name(column).unwrap_or_default();
                    return Err(ProgramError::new(
                        ProgramPart::Column { factor: self.factor, column, row: None },
                        format!("`{}` holds {which} for impossible, so {ask} has no answer", asked.name()),
                        "give it a probability above 0 there",
                    ));
                }
            }
        }
        Ok(numbers)
    }
}
