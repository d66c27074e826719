//! The structure of a character: which stimuli it has, which actions, and in which values they come.
//!
//! | paper            | code                | meaning                                                       |
//! |------------------|---------------------|---------------------------------------------------------------|
//! | `H_i`            | [`Model::high`]     | general information: decides what to do                       |
//! | `L_j`            | [`Model::low`]      | where something is: decides how to do it                      |
//! | `K`              | unknown slots       | the low-level stimuli that are known now                      |
//! | `R_u`            | [`Model::reflexive`]| actions on oneself, chosen by a high-level stimulus           |
//! | `E_f`            | [`Model::external`] | actions on the world, chosen by a low-level stimulus          |
//! | `D`              | [`Model::decisions`]| hidden decisions                                              |
//!
//! — Tencé 2011, sections 3.1 and 3.2, table 4.1. The crate knows nothing of any world: how a percept becomes a stimulus is
//! kept as words (`from`, `of`) and bins, for whoever joins model and world.
//!
//! Differs from the paper: several stimuli of one kind (three players in view) are *slots* that share their tables; an external
//! action may be *seen from the stimulus* (the turn beyond its bearing, say), so that one table serves all bearings and aim
//! is as fine as its bins; actions may form groups, each with an attention of its own (proposed in 5.4.1).

mod read;
mod shape;
mod shipped;

pub(crate) use read::ATTENTION;
pub use read::read;
pub use shape::ModelFile;
pub use shipped::{MODELS, model as shipped, text as shipped_text};

use crate::layout::{Layout, LayoutError};

/// The most values a variable, the most slots all kinds, and the most decisions a model may have.
pub const MOST_VALUES: usize = 1 << 14;
/// The most decisions.
pub const MOST_DECISIONS: usize = 256;
/// The most slots of all low-level stimuli together.
pub const MOST_SLOTS: usize = 1 << 10;
/// The most numbers in all tables together.
pub const MOST_NUMBERS: usize = 1 << 26;

/// A character's stimuli and actions. Made by [`read`]; what is wrong cannot be made.
///
/// ```
/// let text = r#"
/// name = "guard"
/// decisions = 2
///
/// [high.enemy]                       # how am I?
/// values = ["no", "yes"]
///
/// [low.player]                       # where is what?
/// axes = [{ of = "yaw", edges = [-10, 10] }]
///
/// [external.turn]
/// values = ["right", "none", "left"]
/// "#;
/// let model = repertoire_chameleon::model::read(text)?;
/// assert_eq!((model.name(), model.decisions(), model.low()[0].count()), ("guard", 2, 3));
/// assert_eq!(model.with_decisions(5)?.decisions(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) text: String,
    pub(crate) high: Vec<Stimulus>,
    pub(crate) low: Vec<Stimulus>,
    pub(crate) reflexive: Vec<Action>,
    pub(crate) external: Vec<Action>,
    pub(crate) groups: Vec<String>,
    pub(crate) layout: Layout,
}

/// A stimulus, high-level or low-level.
#[derive(Clone, Debug, PartialEq)]
pub struct Stimulus {
    /// What it is called.
    pub name: String,
    /// What of a percept it is, in a word that the world's side knows.
    pub from: String,
    /// How many of the kind there may be at once; they share their tables. 1 for high-level stimuli.
    pub slots: usize,
    /// A value is one of each axis, the first axis slowest; without axes there is one value.
    pub axes: Vec<Axis>,
    /// How much it is attended to before anything is learned.
    pub attention: f64,
}

/// An action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it is called.
    pub name: String,
    /// What of a command it is, in a word that the world's side knows.
    pub from: String,
    /// Its values.
    pub bins: Bins,
    /// Whether the last value lies beside the first: angles.
    pub circular: bool,
    /// The least and the greatest number, where the author gave them.
    pub range: Option<(f64, f64)>,
    /// From where its value is seen.
    pub seen_from: SeenFrom,
    /// Its place in [`Model::groups`]; `None` for a reflexive action that shares the decision's attention.
    pub group: Option<usize>,
    /// What share of all commands each value stands for; 1 each where values are words.
    pub measure: Vec<f64>,
}

impl Action {
    /// How many values it has.
    pub fn count(&self) -> usize {
        self.bins.count()
    }
}

/// From where the value of an external action is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenFrom {
    /// From the character: one value, whatever it attends to.
    Own,
    /// From the stimulus: a value for each slot, such as the turn beyond the bearing of what is there.
    Stimulus,
}

/// One side of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, in a word that the world's side knows.
    pub of: String,
    /// Its values.
    pub bins: Bins,
    /// Whether the last value lies beside the first: angles.
    pub circular: bool,
    /// How far one value is from the next, when values never met are stood in for (section 3.1.1.3).
    pub step: f64,
    /// By how much attention is multiplied for each value; empty for 1.
    pub attention: Vec<f64>,
}

/// The values of an axis or an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Bins {
    /// A number in bins between these edges, ascending: one bin more than edges.
    Edges(Vec<f64>),
    /// Words.
    Values(Vec<String>),
}

impl Bins {
    /// How many values there are.
    pub fn count(&self) -> usize {
        match self {
            Bins::Edges(edges) => edges.len() + 1,
            Bins::Values(words) => words.len(),
        }
    }

    /// The bin of a number: edges belong to the bin above them, and what is not a number is in the first bin. For words
    /// the number is the word's place.
    pub fn bin(&self, x: f64) -> usize {
        match self {
            Bins::Edges(edges) => edges.partition_point(|&edge| edge <= x),
            // `as` makes 0 of what is negative or not a number.
            Bins::Values(words) => (x as usize).min(words.len() - 1),
        }
    }

    /// Where a bin begins and ends, within a range; for words the word's place and the next.
    pub fn bounds(&self, bin: usize, (least, most): (f64, f64)) -> (f64, f64) {
        match self {
            Bins::Edges(edges) => {
                let lower = bin.checked_sub(1).map_or(least, |below| edges[below]);
                (lower, edges.get(bin).copied().unwrap_or(most))
            }
            Bins::Values(_) => (bin as f64, bin as f64 + 1.0),
        }
    }

    /// The place of a word.
    pub fn word(&self, word: &str) -> Option<usize> {
        match self {
            Bins::Edges(_) => None,
            Bins::Values(words) => words.iter().position(|known| known == word),
        }
    }

    /// A value for people.
    pub fn label(&self, value: usize) -> String {
        match self {
            Bins::Values(words) => words[value].clone(),
            Bins::Edges(edges) if edges.is_empty() => "any".to_owned(),
            Bins::Edges(edges) if value == 0 => format!("<{}", edges[0]),
            Bins::Edges(edges) if value == edges.len() => format!(">={}", edges[value - 1]),
            Bins::Edges(edges) => format!("{}..{}", edges[value - 1], edges[value]),
        }
    }
}

impl Axis {
    /// How many values it has.
    pub fn count(&self) -> usize {
        self.bins.count()
    }

    /// The bin of a number; see [`Bins::bin`].
    pub fn bin(&self, x: f64) -> usize {
        self.bins.bin(x)
    }

    /// How far two values are from each other: steps between bins, one step between any two words.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        let apart = a.abs_diff(b);
        let steps = match self.bins {
            Bins::Values(_) if !self.circular => usize::from(apart > 0),
            _ if self.circular => apart.min(self.count() - apart),
            _ => apart,
        };
        self.step * steps as f64
    }
}

impl Stimulus {
    /// How many values it has.
    pub fn count(&self) -> usize {
        self.axes.iter().map(Axis::count).product()
    }

    /// The value made of one value of each axis.
    pub fn value(&self, on_axes: &[usize]) -> usize {
        debug_assert_eq!(on_axes.len(), self.axes.len());
        self.axes.iter().zip(on_axes).fold(0, |value, (axis, &on)| value * axis.count() + on)
    }

    /// What a value is on an axis.
    pub fn on_axis(&self, value: usize, axis: usize) -> usize {
        let faster: usize = self.axes[axis + 1..].iter().map(Axis::count).product();
        value / faster % self.axes[axis].count()
    }

    /// A value for people.
    pub fn label(&self, value: usize) -> String {
        let part = |axis: usize| {
            let label = self.axes[axis].bins.label(self.on_axis(value, axis));
            if self.axes.len() == 1 { label } else { format!("{} {label}", self.axes[axis].of) }
        };
        (0..self.axes.len()).map(part).collect::<Vec<_>>().join(", ")
    }

    /// How far two values are from each other (section 3.1.1.3): the sum over axes.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        let on = |axis: usize| self.axes[axis].distance(self.on_axis(a, axis), self.on_axis(b, axis));
        (0..self.axes.len()).map(on).sum()
    }

    /// How much a value is attended to before anything is learned.
    pub fn attention(&self, value: usize) -> f64 {
        let on =
            |(k, axis): (usize, &Axis)| axis.attention.get(self.on_axis(value, k)).copied().unwrap_or(1.0);
        self.attention * self.axes.iter().enumerate().map(on).product::<f64>()
    }
}

/// The JSON schema of a model's file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ModelFile)
}

impl Model {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The TOML it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// General information.
    pub fn high(&self) -> &[Stimulus] {
        &self.high
    }

    /// Kinds of things that have a place; see [`Model::slots`].
    pub fn low(&self) -> &[Stimulus] {
        &self.low
    }

    /// Actions on oneself.
    pub fn reflexive(&self) -> &[Action] {
        &self.reflexive
    }

    /// Actions on the world.
    pub fn external(&self) -> &[Action] {
        &self.external
    }

    /// Names of the groups of actions that have an attention each.
    pub fn groups(&self) -> &[String] {
        &self.groups
    }

    /// How many hidden decisions there are.
    pub fn decisions(&self) -> usize {
        self.layout.decisions()
    }

    /// For each slot the kind of low-level stimulus it is, by its place in [`Model::low`].
    pub fn slots(&self) -> &[usize] {
        self.layout.slots()
    }

    /// How its tables are laid out.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The same model without a stimulus of either level, to find out what the stimulus is worth.
    ///
    /// # Errors
    /// If there is no such stimulus, or the rest is no model.
    pub fn without(&self, stimulus: &str) -> Result<Self, NotWithout> {
        let tables = ["high", "low"];
        let text = tables.iter().find_map(|table| repertoire_authored::without(&self.text, table, stimulus));
        let text = text.ok_or_else(|| {
            let names: Vec<&str> =
                self.high.iter().chain(&self.low).map(|known| known.name.as_str()).collect();
            NotWithout::Unknown { name: stimulus.to_owned(), there_are: names.join(", ") }
        })?;
        let rest = read(&text).map_err(NotWithout::Rest)?;
        Ok(rest.with_decisions(self.decisions())?)
    }

    /// The same stimuli and actions with another number of decisions.
    pub fn with_decisions(&self, decisions: usize) -> Result<Self, LayoutError> {
        Ok(Model { layout: self.layout.with_decisions(decisions)?, ..self.clone() })
    }
}

/// Why a model cannot do without a stimulus.
#[derive(Debug, thiserror::Error)]
pub enum NotWithout {
    /// It has no such stimulus.
    #[error("the model has no stimulus `{name}`\n  remedy: its stimuli are {there_are}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those it has.
        there_are: String,
    },
    /// What is left is no model.
    #[error("without it the rest is no model: {0}")]
    Rest(repertoire_authored::Mistake),
    /// What is left has no layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

#[cfg(test)]
mod tests;
