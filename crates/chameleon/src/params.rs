//! The numbers of a character: attention, decisions, actions.
//!
//! | paper             | code                         | meaning                                               |
//! |-------------------|------------------------------|-------------------------------------------------------|
//! | `θ_i(h)`          | `theta[row]`                 | how much a value of a high-level stimulus draws attention |
//! | `λ_j(d, l)`       | `weights[group][row][d]`     | the same for a low-level one, by decision             |
//! | `m¹_i(d \| h)`    | `first[row][d]`              | the first decision                                    |
//! | `m_i(d \| d', h)` | `next[row][d'][d]`           | every other decision                                  |
//! | `n_ui(r \| d, h)` | `reflexive[u][row][r][d]`    | a reflexive action                                    |
//! | `o_fj(e \| d, l)` | `external[f][row][e][d]`     | an external action                                    |
//!
//! — Tencé 2011, section 3.2.3. A row is a value of a stimulus; see [`crate::layout`].

use repertoire_prob::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::layout::{Layout, Level};
use crate::model::Model;

/// The numbers of a character, flat; see the module for their order.
///
/// ```
/// use repertoire_chameleon::{Layout, Params};
///
/// let layout = Layout::plain(2, &[2], &[3], &[], &[4])?;
/// let mut params = Params::uniform(&layout);
/// params.check(&layout)?;
/// // What the first external action does on the second value of the low-level stimulus, in decision 0.
/// assert_eq!(params.external(&layout, 0, 1, 0), [0.25; 4]);
/// params.external[0][0] = 0.5;
/// assert!(params.check(&layout).is_err(), "no distribution any more");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "The numbers of a character, flat.")]
pub struct Params {
    /// `[high row]`.
    pub theta: Vec<f64>,
    /// `[high row][decision]`.
    pub first: Vec<f64>,
    /// `[high row][previous decision][decision]`.
    pub next: Vec<f64>,
    /// For each reflexive action `[high row][value][decision]`.
    pub reflexive: Vec<Vec<f64>>,
    /// For each external action `[low row][value][decision]`.
    pub external: Vec<Vec<f64>>,
    /// For each group `[row][decision]`.
    pub weights: Vec<Vec<f64>>,
}

/// Why numbers are no character's.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParamsError {
    /// A table of another size.
    #[error("{table} holds {found} numbers, the model needs {expected}")]
    Size {
        /// Which.
        table: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// An attention that is none.
    #[error("{table} holds the attention {found}: it is 0 or lies between 1e-100 and 1e100")]
    Attention {
        /// Which.
        table: String,
        /// What was found.
        found: f64,
    },
    /// A distribution that is none.
    #[error("{table}: the probabilities {place} sum to {sum}, not to 1")]
    Sum {
        /// Which.
        table: String,
        /// Where.
        place: String,
        /// Their sum.
        sum: f64,
    },
    /// A number that is no probability.
    #[error("{table} holds {found}, which is no probability")]
    Probability {
        /// Which.
        table: String,
        /// What was found.
        found: f64,
    },
}

/// By how much a sum of probabilities may miss 1.
const SLACK: f64 = 1e-6;

impl Params {
    /// Every distribution and every attention uniform.
    pub fn uniform(layout: &Layout) -> Self {
        let d = layout.decisions();
        let shape = layout.shape();
        let table = |level: Level, count: usize| vec![1.0 / count as f64; layout.rows(level) * count * d];
        Params {
            theta: vec![1.0; layout.high_rows()],
            first: vec![1.0 / d as f64; layout.high_rows() * d],
            next: vec![1.0 / d as f64; layout.high_rows() * d * d],
            reflexive: shape.reflexive.iter().map(|action| table(Level::High, action.count)).collect(),
            external: shape.external.iter().map(|action| table(Level::Low, action.count)).collect(),
            weights: shape.groups.iter().map(|&level| vec![1.0; layout.rows(level) * d]).collect(),
        }
    }

    /// Random tables (each number drawn, then normalised: section 3.4.4.2), uniform attention.
    pub fn random(layout: &Layout, stream: &mut Stream) -> Self {
        let mut params = Params::uniform(layout);
        let d = layout.decisions();
        for table in [&mut params.first, &mut params.next] {
            table.iter_mut().for_each(|number| *number = stream.unit() + 1e-3);
            for row in table.chunks_exact_mut(d) {
                repertoire_prob::num::normalise(row);
            }
        }
        let counts =
            layout.shape().reflexive.iter().chain(&layout.shape().external).map(|action| action.count);
        for (table, count) in params.reflexive.iter_mut().chain(&mut params.external).zip(counts) {
            table.iter_mut().for_each(|number| *number = stream.unit() + 1e-3);
            for row in table.chunks_exact_mut(count * d) {
                normalise_columns(row, d);
            }
        }
        params
    }

    /// The attention that a model's author wrote, the same for all decisions.
    pub fn with_attention_of(mut self, model: &Model) -> Self {
        let weights = |stimuli: &[crate::model::Stimulus]| -> Vec<f64> {
            let of = |stimulus: &crate::model::Stimulus| {
                (0..stimulus.count()).map(|value| stimulus.attention(value)).collect::<Vec<_>>()
            };
            stimuli.iter().flat_map(of).collect()
        };
        let (high, low) = (weights(model.high()), weights(model.low()));
        let d = model.decisions();
        self.theta.clone_from(&high);
        for (table, level) in self.weights.iter_mut().zip(&model.layout().shape().groups) {
            let rows = if *level == Level::High { &high } else { &low };
            for (row, &weight) in table.chunks_exact_mut(d).zip(rows) {
                row.fill(weight);
            }
        }
        self
    }

    /// All tables but attention.
    pub(crate) fn distributions(&self) -> Vec<&Vec<f64>> {
        let decisions = [&self.first, &self.next];
        decisions.into_iter().chain(&self.reflexive).chain(&self.external).collect()
    }

    /// See [`Params::distributions`].
    pub(crate) fn distributions_mut(&mut self) -> Vec<&mut Vec<f64>> {
        let decisions = [&mut self.first, &mut self.next];
        decisions.into_iter().chain(&mut self.reflexive).chain(&mut self.external).collect()
    }

    /// Checks sizes, signs and sums.
    pub fn check(&self, layout: &Layout) -> Result<(), ParamsError> {
        let d = layout.decisions();
        let shape = layout.shape();
        let right = Params::sizes(layout);
        let sizes = [self.theta.len(), self.first.len(), self.next.len()];
        let lists = self.reflexive.iter().chain(&self.external).chain(&self.weights).map(Vec::len);
        let counts = [self.reflexive.len(), self.external.len(), self.weights.len()];
        let expected_counts = [shape.reflexive.len(), shape.external.len(), shape.groups.len()];
        for ((found, expected), table) in
            counts.into_iter().zip(expected_counts).zip(["n", "o", "the groups' attention"])
        {
            if found != expected {
                return Err(ParamsError::Size { table: format!("the list of {table}"), found, expected });
            }
        }
        for (found, (table, expected)) in sizes.into_iter().chain(lists).zip(&right) {
            if found != *expected {
                return Err(ParamsError::Size { table: table.clone(), found, expected: *expected });
            }
        }
        for (table, weights) in
            [("theta", &self.theta)].into_iter().chain(self.weights.iter().map(|weights| ("lam", weights)))
        {
            let good = |weight: f64| weight == 0.0 || crate::model::ATTENTION.contains(&weight);
            if let Some(&found) = weights.iter().find(|&&weight| !good(weight)) {
                return Err(ParamsError::Attention { table: table.to_owned(), found });
            }
        }
        let rows = |table: &str, numbers: &[f64]| {
            for (row, numbers) in numbers.chunks_exact(d).enumerate() {
                sums_to_one(numbers.iter().copied(), || (table.to_owned(), format!("of row {row}")))?;
            }
            Ok(())
        };
        rows("m1", &self.first)?;
        rows("m", &self.next)?;
        for (name, tables, actions) in
            [("n", &self.reflexive, &shape.reflexive), ("o", &self.external, &shape.external)]
        {
            for (k, (table, action)) in tables.iter().zip(actions).enumerate() {
                for (row, numbers) in table.chunks_exact(action.count * d).enumerate() {
                    for decision in 0..d {
                        let column = numbers.iter().skip(decision).step_by(d).copied();
                        sums_to_one(column, || {
                            (format!("{name}[{k}]"), format!("of row {row} and decision {decision}"))
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Name and size of every table, in the order of the fields.
    fn sizes(layout: &Layout) -> Vec<(String, usize)> {
        let d = layout.decisions();
        let shape = layout.shape();
        let high = layout.high_rows();
        let mut sizes =
            vec![("theta".to_owned(), high), ("m1".to_owned(), high * d), ("m".to_owned(), high * d * d)];
        for (u, action) in shape.reflexive.iter().enumerate() {
            sizes.push((format!("n[{u}]"), high * action.count * d));
        }
        for (f, action) in shape.external.iter().enumerate() {
            sizes.push((format!("o[{f}]"), layout.low_rows() * action.count * d));
        }
        for (g, &level) in shape.groups.iter().enumerate() {
            sizes.push((format!("the attention of group {g}"), layout.rows(level) * d));
        }
        sizes
    }

    /// The distribution of a reflexive action for a value of a high-level stimulus and a decision.
    pub fn reflexive(&self, layout: &Layout, u: usize, row: usize, decision: usize) -> Vec<f64> {
        column(&self.reflexive[u], layout.shape().reflexive[u].count, layout.decisions(), row, decision)
    }

    /// The distribution of an external action for a value of a low-level kind and a decision.
    pub fn external(&self, layout: &Layout, f: usize, row: usize, decision: usize) -> Vec<f64> {
        column(&self.external[f], layout.shape().external[f].count, layout.decisions(), row, decision)
    }
}

fn column(table: &[f64], count: usize, d: usize, row: usize, decision: usize) -> Vec<f64> {
    (0..count).map(|value| table[(row * count + value) * d + decision]).collect()
}

/// Checks a distribution; `place` names its table and where in it, for what is wrong.
fn sums_to_one(
    numbers: impl Iterator<Item = f64>,
    place: impl Fn() -> (String, String),
) -> Result<(), ParamsError> {
    let mut sum = 0.0;
    for number in numbers {
        if !(number >= 0.0 && number.is_finite()) {
            return Err(ParamsError::Probability { table: place().0, found: number });
        }
        sum += number;
    }
    if (sum - 1.0).abs() > SLACK {
        let (table, place) = place();
        return Err(ParamsError::Sum { table, place, sum });
    }
    Ok(())
}

/// Makes each of `d` interleaved columns sum to 1.
pub(crate) fn normalise_columns(numbers: &mut [f64], d: usize) {
    for decision in 0..d {
        let total: f64 = numbers.iter().skip(decision).step_by(d).sum();
        if total > 0.0 {
            numbers.iter_mut().skip(decision).step_by(d).for_each(|number| *number /= total);
        }
    }
}
