//! A Bayesian program: relevant variables, a decomposition of their joint distribution, a form for each factor.
//!
//! `P(V_1 .. V_n) = Π_f P(left_f | given_f)` — Le Hy 2007, section 3.2.1.
//!
//! | paper         | code             | meaning                                               |
//! |---------------|------------------|-------------------------------------------------------|
//! | variables     | [`Variable`]     | finite, with named values                             |
//! | decomposition | [`Factor`]s      | every variable on the left of exactly one, no cycles  |
//! | form          | [`Form`]         | table, Gaussian, histogram, question to another, ...  |
//! | parameters    | inside the form  | written, or learned                                   |
//!
//! Differs from the paper: nothing. Each form is turned into its table when the program is made, so that asking
//! never evaluates a form.

mod form;
mod shape;

use std::collections::BTreeMap;
use std::str::FromStr;

use repertoire_authored::Mistake;
use repertoire_prob::{Histogram, Table, Variable};
use thiserror::Error;

pub use form::{Form, Parameter};

use crate::syntax::Conditional;

/// A Bayesian program.
///
/// ```
/// use repertoire_bayes::{Form, Program};
/// use repertoire_prob::{Cell::Number, Variable};
/// let weather = Program::new(
///     "weather",
///     vec![Variable::new("Rain", ["no", "yes"])?, Variable::new("Umbrella", ["no", "yes"])?],
///     vec![
///         ("P(Rain)".parse()?, Form::Table(vec![Number(0.8), Number(0.2)])),
///         ("P(Umbrella | Rain)".parse()?, Form::Table([0.9, 0.1, 0.2, 0.8].map(Number).to_vec())),
///     ],
/// )?;
/// let answer = weather.ask("P(Rain | Umbrella=yes)")?;
/// assert!((answer.distribution[1] - 2.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    about: String,
    variables: Vec<Variable>,
    factors: Vec<Factor>,
    /// Distinguishes decompositions, so that a question is never asked of a program it was not compiled for.
    structure: u64,
}

/// Reads TOML text. Factors may ask programs that come with the library; [`file::read`](crate::file::read) takes others too.
impl FromStr for Program {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        crate::file::read(text, &mut |name| {
            Program::shipped(name).ok_or_else(|| format!("`{name}` does not come with the library").into())
        })
    }
}

/// One factor `P(left | given)` of a decomposition.
#[derive(Clone, Debug)]
pub struct Factor {
    left: Vec<u32>,
    given: Vec<u32>,
    form: Form,
    content: Content,
    /// Whether every column sums to 1 within rounding: then it vanishes when its left side is summed out.
    exact: bool,
}

/// What a factor says, as numbers `[given...][left...]`.
#[derive(Clone, Debug)]
enum Content {
    Fixed(Table),
    Learned(Histogram),
}

/// Where in a program something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramPart {
    /// In the program as a whole.
    Program,
    /// In a variable, by index.
    Variable(usize),
    /// In a factor, by index.
    Factor(usize),
    /// In a column of a factor.
    Column {
        /// Which factor.
        factor: usize,
        /// Which column, counting all combinations of given values, last fastest.
        column: usize,
        /// Which row, if one is to blame.
        row: Option<usize>,
    },
}

/// Why a program is refused: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}; {remedy}")]
pub struct ProgramError {
    /// Where.
    pub place: ProgramPart,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

/// Why an observation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ObserveError {
    /// Not as many values as the program has variables.
    #[error("{found} values for {needed} variables: give one, or none, for each")]
    Size {
        /// How many variables there are.
        needed: usize,
        /// Values given.
        found: usize,
    },
    /// A value that a variable does not have.
    #[error("variable {id} has {card} values, there is no value {value}")]
    NoSuchValue {
        /// The variable, by index.
        id: usize,
        /// The value given.
        value: u32,
        /// How many it has.
        card: usize,
    },
    /// A weight that is negative, infinite or not a number.
    #[error("the weight of the observation is {0}: it must be a finite number from 0 up")]
    NotAWeight(f64),
}

impl ProgramError {
    pub(crate) fn new(place: ProgramPart, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        ProgramError { place, what: what.into(), remedy: remedy.into() }
    }
}

impl Program {
    /// A program from its variables and the factors of its decomposition, each as `P(left | given)` and a form.
    pub fn new(
        name: impl Into<String>,
        variables: Vec<Variable>,
        factors: Vec<(Conditional, Form)>,
    ) -> Result<Self, ProgramError> {
        let ids = ids_by_name(&variables)?;
        let mut program =
            Program { name: name.into(), about: String::new(), variables, factors: Vec::new(), structure: 0 };
        for (index, (conditional, form)) in factors.into_iter().enumerate() {
            let find = |name: &str| {
                ids.get(name).copied().ok_or_else(|| {
                    let known = program.variables.iter().map(Variable::name);
                    ProgramError::new(
                        ProgramPart::Factor(index),
                        format!("`{name}` in {conditional} is not a variable of this program"),
                        suggestion(name, known),
                    )
                })
            };
            let left: Vec<u32> = conditional.left.iter().map(|name| find(name)).collect::<Result<_, _>>()?;
            let given: Vec<u32> =
                conditional.given.iter().map(|(name, _)| find(name)).collect::<Result<_, _>>()?;
            if let Some((name, _)) = conditional.given.iter().find(|(_, value)| value.is_some()) {
                return Err(ProgramError::new(
                    ProgramPart::Factor(index),
                    format!("{conditional} gives `{name}` a value"),
                    "a factor is for all values: leave the value out",
                ));
            }
            if let Some(&both) = left.iter().find(|id| given.contains(id)) {
                return Err(ProgramError::new(
                    ProgramPart::Factor(index),
                    format!("`{}` stands on both sides of {conditional}", program.name_of(both)),
                    "keep it on one side",
                ));
            }
            let content = form.content(&program, index, &left, &given)?;
            let exact = match &content {
                Content::Fixed(table) => table.is_exact(),
                Content::Learned(_) => true,
            };
            program.factors.push(Factor { left, given, form, content, exact });
        }
        program.check_decomposition()?;
        program.structure = program.structure_hash();
        Ok(program)
    }

    /// The same program with a sentence about what it is for.
    pub fn with_about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    /// A program that comes with the library ([`shipped`](crate::shipped)), or `None` if none has this name.
    pub fn shipped(name: &str) -> Option<Self> {
        crate::shipped::program(name)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Its variables, in order.
    #[inline]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The factors of its decomposition, in order.
    #[inline]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// A variable by name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.id(name).map(|id| &self.variables[id])
    }

    /// A variable's index by name.
    pub fn id(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name() == name)
    }

    /// The names of all combinations of values of these variables, in the order of a factor's cells; one empty name where
    /// there is no variable.
    ///
    /// # Panics
    /// If there is no variable of such an index.
    pub fn combinations(&self, ids: &[u32]) -> Vec<String> {
        let variables: Vec<&Variable> = ids.iter().map(|&id| &self.variables()[id as usize]).collect();
        let cards: Vec<usize> = variables.iter().map(|variable| variable.card()).collect();
        let name = |index: usize| {
            let values = repertoire_prob::table::digits(index, &cards).into_iter();
            let named =
                variables.iter().zip(values).map(|(variable, value)| variable.values()[value].as_str());
            named.collect::<Vec<_>>().join(" ")
        };
        (0..cards.iter().product()).map(name).collect()
    }

    /// A factor as it is written: `P(left | given)`.
    pub fn conditional(&self, factor: &Factor) -> Conditional {
        let name = |&id: &u32| self.name_of(id).to_owned();
        Conditional {
            left: factor.left.iter().map(name).collect(),
            given: factor.given.iter().map(|id| (name(id), None)).collect(),
        }
    }

    /// Learns from one observation of all variables that its histograms speak of: `values[id]` is the value of
    /// variable `id`, `None` where it was not observed. Histograms with an unobserved variable learn nothing.
    ///
    /// Returns how many histograms learned. The effect on later answers is immediate. On an error nothing was learned.
    pub fn observe(&mut self, values: &[Option<u32>], weight: f64) -> Result<usize, ObserveError> {
        let needed = self.variables.len();
        if values.len() != needed {
            return Err(ObserveError::Size { needed, found: values.len() });
        }
        for (id, (variable, value)) in self.variables.iter().zip(values).enumerate() {
            if let Some(value) = value.filter(|&value| value as usize >= variable.card()) {
                return Err(ObserveError::NoSuchValue { id, value, card: variable.card() });
            }
        }
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(ObserveError::NotAWeight(weight));
        }
        let mut learned = 0;
        for factor in &mut self.factors {
            if let Content::Learned(histogram) = &mut factor.content {
                let index = |ids: &[u32]| {
                    ids.iter().try_fold(0usize, |index, &id| {
                        let value = values[id as usize]? as usize;
                        Some(index * self.variables[id as usize].card() + value)
                    })
                };
                if let (Some(given), Some(left)) = (index(&factor.given), index(&factor.left)) {
                    if let Err(error) = histogram.observe(given, left, weight) {
                        unreachable!("values and weight were checked: {error}");
                    }
                    learned += 1;
                }
            }
        }
        Ok(learned)
    }

    /// Replaces the numbers of one factor, `[given...][left...]`: the belief of a filter that is carried to the next
    /// step, a table edited while the program runs. Refused, and left as it was, unless every column is a
    /// distribution.
    pub fn set_factor(&mut self, factor: usize, cells: &[f64]) -> Result<(), ProgramError> {
        let place = ProgramPart::Factor(factor);
        let count = self.factors.len();
        let Some(content) = self.factors.get_mut(factor).map(|factor| &mut factor.content) else {
            let what = format!("there is no factor {factor}: the program has {count}");
            return Err(ProgramError::new(place, what, "name a factor by its index, from 0"));
        };
        let Content::Fixed(table) = content else {
            return Err(ProgramError::new(place, "a learned factor was to be replaced", "let it learn"));
        };
        let height = table.height();
        if cells.len() != table.cells().len() {
            let what = format!("{} numbers for a factor of {}", cells.len(), table.cells().len());
            return Err(ProgramError::new(place, what, "give one number for each cell"));
        }
        for column in cells.chunks_exact(height) {
            repertoire_prob::distribution::check(column)
                .map_err(|why| ProgramError::new(place, why.to_string(), "make every column sum to 1"))?;
        }
        let mut exact = true;
        for (index, column) in cells.chunks_exact(height).enumerate() {
            exact &= (column.iter().sum::<f64>() - 1.0).abs() < 1e-13;
            if table.set_column(index, column).is_err() {
                unreachable!("checked above");
            }
        }
        self.factors[factor].exact = exact;
        Ok(())
    }

    #[inline]
    pub(crate) fn structure(&self) -> u64 {
        self.structure
    }

    #[inline]
    pub(crate) fn card(&self, id: u32) -> usize {
        self.variables[id as usize].card()
    }

    pub(crate) fn name_of(&self, id: u32) -> &str {
        self.variables[id as usize].name()
    }

    /// Every variable on the left of exactly one factor, and no cycle: then the product is a joint distribution.
    fn check_decomposition(&self) -> Result<(), ProgramError> {
        let mut defined_by: Vec<Option<usize>> = vec![None; self.variables.len()];
        for (index, factor) in self.factors.iter().enumerate() {
            for &id in &factor.left {
                if defined_by[id as usize].replace(index).is_some() {
                    return Err(ProgramError::new(
                        ProgramPart::Factor(index),
                        format!("`{}` is on the left of two factors", self.name_of(id)),
                        "keep one of them",
                    ));
                }
            }
        }
        let mut owner = Vec::new();
        for (id, factor) in defined_by.into_iter().enumerate() {
            owner.push(factor.ok_or_else(|| {
                let name = self.variables[id].name();
                ProgramError::new(
                    ProgramPart::Variable(id),
                    format!("no factor says how `{name}` is distributed"),
                    format!("add a factor P({name}) with form = \"uniform\", or P({name} | ...)"),
                )
            })?);
        }
        // Peel off factors all of whose given variables are settled; what stays is a cycle.
        let mut waiting: Vec<usize> = self.factors.iter().map(|factor| factor.given.len()).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.factors.len()];
        for (index, factor) in self.factors.iter().enumerate() {
            // Once for each variable, also when one factor gives several of them.
            factor.given.iter().for_each(|&id| users[owner[id as usize]].push(index));
        }
        let mut ready: Vec<usize> = (0..waiting.len()).filter(|&index| waiting[index] == 0).collect();
        let mut settled = 0;
        while let Some(index) = ready.pop() {
            settled += 1;
            for &user in &users[index] {
                waiting[user] -= 1;
                if waiting[user] == 0 {
                    ready.push(user);
                }
            }
        }
        if settled < self.factors.len() {
            let index = waiting.iter().position(|&count| count > 0).unwrap_or(0);
            return Err(ProgramError::new(
                ProgramPart::Factor(index),
                format!("{} is part of a cycle", self.conditional(&self.factors[index])),
                "a variable must not depend on itself: turn one factor round",
            ));
        }
        Ok(())
    }

    fn structure_hash(&self) -> u64 {
        let scopes = self.factors.iter().flat_map(|factor| {
            let sizes = [factor.left.len() as u32, factor.given.len() as u32];
            sizes.into_iter().chain(factor.left.iter().copied()).chain(factor.given.iter().copied())
        });
        let cards = self.variables.iter().map(|variable| variable.card() as u32);
        cards.chain([u32::MAX]).chain(scopes).fold(0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl Factor {
    /// The variables on the left, by index.
    pub fn left(&self) -> &[u32] {
        &self.left
    }

    /// The variables it is given, by index.
    pub fn given(&self) -> &[u32] {
        &self.given
    }

    /// The form it was written in.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// What it says now, `[given...][left...]`.
    #[inline]
    pub fn cells(&self) -> &[f64] {
        match &self.content {
            Content::Fixed(table) => table.cells(),
            Content::Learned(histogram) => histogram.cells(),
        }
    }

    /// What it has learned from, if it learns.
    pub fn histogram(&self) -> Option<&Histogram> {
        match &self.content {
            Content::Fixed(_) => None,
            Content::Learned(histogram) => Some(histogram),
        }
    }

    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }
}

fn ids_by_name(variables: &[Variable]) -> Result<BTreeMap<String, u32>, ProgramError> {
    let mut ids = BTreeMap::new();
    for (id, variable) in variables.iter().enumerate() {
        if ids.insert(variable.name().to_owned(), id as u32).is_some() {
            return Err(ProgramError::new(
                ProgramPart::Variable(id),
                format!("the variable `{}` is declared twice", variable.name()),
                "rename one of them",
            ));
        }
    }
    Ok(ids)
}

/// "did you mean", or what there is to choose from.
pub(crate) fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match repertoire_authored::nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut names: Vec<&str> = known.take(13).collect();
            if names.len() > 12 {
                names[12] = "...";
            }
            if names.is_empty() {
                "there is nothing to choose from here".into()
            } else {
                format!("known are {}", names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests;
