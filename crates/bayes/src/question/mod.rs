//! Questions `P(searched | known)`: the free variables summed out, exactly.
//!
//! `P(S | k) = 1/Z Σ_F Π_f P(left_f | given_f)`, with `Z = P(k)` — Le Hy 2007, section 3.2.1.
//!
//! | paper      | code                 | meaning                                                 |
//! |------------|----------------------|---------------------------------------------------------|
//! | `S`        | `searched`           | answered, in the order asked                            |
//! | `k`        | `known`              | their values come with each asking                      |
//! | `F`        | free                 | all the others: summed out one by one                   |
//! | `Z = P(k)` | [`Answer::p_known`]  | how probable what is known was; 0 is an error, never NaN|
//!
//! Differs from the paper: nothing; the thesis leaves the method open. Here: variable elimination. Compiling drops
//! factors that sum to 1, chooses an order (always the variable whose elimination makes the smallest
//! table, the first of equals), and lays all offsets out. Asking reads the program's tables in place, known values
//! being an offset into them, and allocates nothing once the workspace is warm, so that what a program learns shows
//! in the next answer.
//!
//! Precision: every number on the way is at most 1, so one that underflowed (below 1e-308) cannot matter to a
//! `P(known)` above 1e-100. Where `P(known)` comes out smaller, or 0, the question is answered again on logarithms: then
//! only what is impossible is 0.

mod elimination;
mod step;

use repertoire_prob::num::{exp, ln, log_sum_exp, normalise};
use thiserror::Error;

use crate::program::{Program, suggestion};
use crate::syntax::{Conditional, SyntaxError};
use step::Step;

/// The most cells that all tables of a question may have together (32 MiB).
pub const MOST_CELLS: usize = 1 << 22;

/// Below this P(known) a question is answered again on logarithms.
const SMALL: f64 = 1e-100;

/// A question compiled for a program: ask it as often as you like, with any known values.
///
/// ```
/// use repertoire_bayes::{Question, Workspace, shipped};
/// let follow = shipped::program("target-following").expect("shipped");
/// let turn = Question::compile(&follow, &"P(Rotation | Direction)".parse()?)?;
/// let mut workspace = Workspace::new();
/// let answer = turn.ask(&follow, &[0], &mut workspace)?;
/// assert!((answer.distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// assert!(turn.ask(&follow, &[99], &mut workspace).is_err());
/// # Ok::<(), repertoire_bayes::AskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    searched: Vec<u32>,
    known: Vec<u32>,
    searched_cards: Vec<usize>,
    known_cards: Vec<usize>,
    /// The last step makes the answer; the others each sum out one free variable.
    steps: Vec<Step>,
    cells: usize,
    structure: u64,
}

/// Memory to answer with; reuse it from question to question.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    cells: Vec<f64>,
    /// The known values of one agent of a population.
    values: Vec<u32>,
}

impl Workspace {
    /// Empty; grows once to what the largest question needs.
    pub fn new() -> Self {
        Workspace::default()
    }
}

/// An answer, in the workspace it was made in.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'w> {
    /// `P(searched | known)`, over the conjunction of the searched variables in the order asked, last fastest.
    pub distribution: &'w [f64],
    /// `P(known)`; 0 if it is too small for an `f64`, while [`Answer::log_p_known`] stays right. At most 1, also where
    /// typed tables sum to a little more.
    pub p_known: f64,
    /// Set where the answer was made on logarithms.
    log_p_known: Option<f64>,
}

impl Answer<'_> {
    /// `ln P(known)`.
    #[inline]
    pub fn log_p_known(&self) -> f64 {
        self.log_p_known.unwrap_or_else(|| ln(self.p_known))
    }
}

/// An answer to a question asked in words: [`Program::ask`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// `P(searched | known)`, last searched variable fastest.
    pub distribution: Vec<f64>,
    /// `P(known)`.
    pub p_known: f64,
    /// `ln P(known)`.
    pub log_p_known: f64,
}

impl Answered {
    /// The index of the most probable value.
    pub fn most_probable(&self) -> usize {
        repertoire_prob::draw::arg_max(&self.distribution)
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AskError {
    /// It is not written as a question.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It speaks of something the program does not know.
    #[error("`{name}` is not a variable of this program; {remedy}")]
    Variable {
        /// The name.
        name: String,
        /// What there is.
        remedy: String,
    },
    /// A value that the variable does not have.
    #[error("`{value}` is not a value of `{variable}`; {remedy}")]
    Value {
        /// The variable.
        variable: String,
        /// What was written.
        value: String,
        /// What there is.
        remedy: String,
    },
    /// A known variable without its value.
    #[error("`{0}` needs a value: write {0}=...")]
    NoValue(String),
    /// A variable both searched and known, or asked for twice.
    #[error("`{0}` stands there twice")]
    Twice(String),
    /// Nothing is searched.
    #[error("the question searches for nothing; name a variable before the bar")]
    NothingSearched,
    /// Exact inference would need too much memory.
    #[error(
        "answering exactly needs tables of more than {MOST_CELLS} cells; know more variables or split the program"
    )]
    TooLarge,
    /// An index that no variable has.
    #[error("the program has {variables} variables, there is no variable {id}")]
    NoSuchVariable {
        /// The index.
        id: u32,
        /// How many there are.
        variables: usize,
    },
    /// The question was compiled for a program of another structure.
    #[error("the question was compiled for another program: compile it again")]
    OtherProgram,
    /// Not as many known values as known variables.
    #[error("{found} known values for {needed} known variables")]
    KnownCount {
        /// Known variables.
        needed: usize,
        /// Values given.
        found: usize,
    },
    /// An index that is no value of its variable.
    #[error("known variable {at} has {card} values, there is no value {value}")]
    KnownValue {
        /// Which of the known variables, in the order asked.
        at: usize,
        /// The value given.
        value: u32,
        /// How many it has.
        card: usize,
    },
    /// Columns that are not of one population.
    #[error("{what} has {found} entries, it needs {needed}")]
    Columns {
        /// Which column.
        what: &'static str,
        /// Entries needed.
        needed: usize,
        /// Entries found.
        found: usize,
    },
    /// P(known) = 0.
    #[error("what is known has probability 0 in this program, so the question has no answer")]
    Impossible,
}

impl Question {
    /// Compiles a question; values written in it are ignored, they come with each asking.
    pub fn compile(program: &Program, ask: &Conditional) -> Result<Self, AskError> {
        let find = |name: &String| match program.id(name) {
            Some(id) => Ok(id as u32),
            None => Err(AskError::Variable {
                name: name.clone(),
                remedy: suggestion(name, program.variables().iter().map(|variable| variable.name())),
            }),
        };
        let searched: Vec<u32> = ask.left.iter().map(find).collect::<Result<_, _>>()?;
        let known: Vec<u32> = ask.given.iter().map(|(name, _)| find(name)).collect::<Result<_, _>>()?;
        Question::of_ids(program, &searched, &known)
    }

    /// Compiles a question from indices of variables.
    pub fn of_ids(program: &Program, searched: &[u32], known: &[u32]) -> Result<Self, AskError> {
        if searched.is_empty() {
            return Err(AskError::NothingSearched);
        }
        let mut named: Vec<u32> = searched.iter().chain(known).copied().collect();
        named.sort_unstable();
        let variables = program.variables().len();
        if let Some(&id) = named.last().filter(|&&id| id as usize >= variables) {
            return Err(AskError::NoSuchVariable { id, variables });
        }
        if let Some(pair) = named.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(AskError::Twice(program.name_of(pair[0]).to_owned()));
        }
        let (steps, cells) = elimination::compile(program, searched, known).ok_or(AskError::TooLarge)?;
        let cards = |ids: &[u32]| ids.iter().map(|&id| program.card(id)).collect();
        Ok(Question {
            searched: searched.to_vec(),
            known: known.to_vec(),
            searched_cards: cards(searched),
            known_cards: cards(known),
            steps,
            cells,
            structure: program.structure(),
        })
    }

    /// Answers for these values of the known variables, in the order they were asked.
    #[inline]
    pub fn ask<'w>(
        &self,
        program: &Program,
        known: &[u32],
        workspace: &'w mut Workspace,
    ) -> Result<Answer<'w>, AskError> {
        if self.structure != program.structure() {
            return Err(AskError::OtherProgram);
        }
        if known.len() != self.known_cards.len() {
            return Err(AskError::KnownCount { needed: self.known_cards.len(), found: known.len() });
        }
        for (at, (&value, &card)) in known.iter().zip(&self.known_cards).enumerate() {
            if value as usize >= card {
                return Err(AskError::KnownValue { at, value, card });
            }
        }
        if workspace.cells.len() < self.cells {
            workspace.cells.resize(self.cells, 0.0);
        }
        for step in &self.steps {
            step.run(program, known, &mut workspace.cells);
        }
        let answer = self.steps[self.steps.len() - 1].output_cells();
        let total = normalise(&mut workspace.cells[answer.clone()]);
        if total < SMALL {
            return self.ask_in_logs(program, known, workspace);
        }
        Ok(Answer { distribution: &workspace.cells[answer], p_known: total.min(1.0), log_p_known: None })
    }

    /// The same on logarithms, where probabilities are too small to be multiplied, or 0.
    #[cold]
    fn ask_in_logs<'w>(
        &self,
        program: &Program,
        known: &[u32],
        workspace: &'w mut Workspace,
    ) -> Result<Answer<'w>, AskError> {
        for step in &self.steps {
            step.run_logs(program, known, &mut workspace.cells);
        }
        let distribution = &mut workspace.cells[self.steps[self.steps.len() - 1].output_cells()];
        let log_p_known = log_sum_exp(distribution);
        if log_p_known == f64::NEG_INFINITY {
            return Err(AskError::Impossible);
        }
        distribution.iter_mut().for_each(|log| *log = exp(*log - log_p_known));
        normalise(distribution);
        Ok(Answer { distribution, p_known: exp(log_p_known), log_p_known: Some(log_p_known) })
    }

    /// Answers for a whole population: `known[k][agent]` are columns, `out[agent][searched]` receives the answers.
    ///
    /// Agents whose known values are impossible get a uniform answer and are listed in `impossible`. A column of another
    /// length, or a value that a variable does not have, is an error; the agents before it are answered.
    pub fn ask_columns(
        &self,
        program: &Program,
        known: &[&[u32]],
        workspace: &mut Workspace,
        out: &mut [f64],
        impossible: &mut Vec<u32>,
    ) -> Result<(), AskError> {
        let height: usize = self.searched_cards.iter().product();
        impossible.clear();
        if known.len() != self.known_cards.len() {
            return Err(AskError::KnownCount { needed: self.known_cards.len(), found: known.len() });
        }
        if !out.len().is_multiple_of(height) {
            let needed = out.len().next_multiple_of(height);
            return Err(AskError::Columns { what: "the column of answers", needed, found: out.len() });
        }
        let agents = out.len() / height;
        if let Some(column) = known.iter().find(|column| column.len() != agents) {
            let found = column.len();
            return Err(AskError::Columns { what: "a column of known values", needed: agents, found });
        }
        let mut values = std::mem::take(&mut workspace.values);
        values.clear();
        values.resize(known.len(), 0);
        let mut refused = Ok(());
        for (agent, out) in out.chunks_exact_mut(height).enumerate() {
            values.iter_mut().zip(known).for_each(|(value, column)| *value = column[agent]);
            match self.ask(program, &values, workspace) {
                Ok(answer) => out.copy_from_slice(answer.distribution),
                Err(AskError::Impossible) => {
                    out.fill(1.0 / height as f64);
                    impossible.push(agent as u32);
                }
                Err(error) => {
                    refused = Err(error);
                    break;
                }
            }
        }
        workspace.values = values;
        refused
    }

    /// The variables searched, by index.
    pub fn searched(&self) -> &[u32] {
        &self.searched
    }

    /// The variables known, by index.
    pub fn known(&self) -> &[u32] {
        &self.known
    }

    /// How many values each searched variable has.
    #[inline]
    pub fn searched_cards(&self) -> &[usize] {
        &self.searched_cards
    }

    /// How many values each known variable has.
    #[inline]
    pub fn known_cards(&self) -> &[usize] {
        &self.known_cards
    }
}

impl Program {
    /// One call that just works: `ask("P(Rotation | Direction=left)")`.
    ///
    /// Compiles the question each time; to ask often, use [`Question`].
    #[inline]
    pub fn ask(&self, text: &str) -> Result<Answered, AskError> {
        let ask: Conditional = text.parse()?;
        let question = Question::compile(self, &ask)?;
        let known = self.known_values(&ask)?;
        let mut workspace = Workspace::new();
        let answer = question.ask(self, &known, &mut workspace)?;
        Ok(Answered {
            distribution: answer.distribution.to_vec(),
            p_known: answer.p_known,
            log_p_known: answer.log_p_known(),
        })
    }

    /// The indices of the values written after the bar.
    pub fn known_values(&self, ask: &Conditional) -> Result<Vec<u32>, AskError> {
        let value_of = |(name, value): &(String, Option<String>)| {
            let value = value.as_ref().ok_or_else(|| AskError::NoValue(name.clone()))?;
            let variable = self.variable(name).ok_or_else(|| AskError::Variable {
                name: name.clone(),
                remedy: suggestion(name, self.variables().iter().map(|variable| variable.name())),
            })?;
            let index = variable.value(value).ok_or_else(|| AskError::Value {
                variable: name.clone(),
                value: value.clone(),
                remedy: suggestion(value, variable.values().iter().map(String::as_str)),
            })?;
            Ok(index as u32)
        };
        ask.given.iter().map(value_of).collect()
    }
}

#[cfg(test)]
mod tests;
