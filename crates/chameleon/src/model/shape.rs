//! The shape of a model's file, as serde reads it and editors check it.

use repertoire_authored::{Ordered, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;

/// A model: the stimuli and actions of characters that learn by imitation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// What it is called.
    pub(super) name: String,
    /// What it is for.
    #[serde(default)]
    pub(super) about: String,
    /// How many hidden decisions there are; the thesis uses 10.
    #[schemars(with = "usize")]
    pub(super) decisions: Spanned<usize>,
    /// High-level stimuli: general information that decides what to do.
    #[schemars(with = "std::collections::BTreeMap<String, HighFile>")]
    pub(super) high: Ordered<HighFile>,
    /// Low-level stimuli: things that have a place.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, LowFile>")]
    pub(super) low: Ordered<LowFile>,
    /// Reflexive actions, on oneself, chosen by a high-level stimulus.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, ReflexiveFile>")]
    pub(super) reflexive: Ordered<ReflexiveFile>,
    /// External actions, on the world, chosen by a low-level stimulus.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, ExternalFile>")]
    pub(super) external: Ordered<ExternalFile>,
}

/// A high-level stimulus.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HighFile {
    /// What of a percept it is; its own name unless told.
    pub from: Option<String>,
    /// A number in bins: one value more than edges.
    pub edges: Option<Vec<f64>>,
    /// Or words.
    pub values: Option<Vec<String>>,
    /// Or several things of a percept at once: a value is one of each axis, the first slowest.
    #[serde(default)]
    pub axes: Vec<AxisFile>,
    /// How much it is attended to before anything is learned: a number, or one for each value.
    pub attention: Option<Weight>,
}

/// A weight, or one for each value.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Weight {
    One(f64),
    Each(Vec<f64>),
}

/// A kind of low-level stimulus.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LowFile {
    /// What of a percept it is; its own name unless told.
    pub from: Option<String>,
    /// How many there may be at once; they share their tables.
    pub slots: Option<usize>,
    /// A value is one of each axis, the first slowest.
    #[serde(default)]
    pub axes: Vec<AxisFile>,
    /// How much it is attended to before anything is learned.
    pub attention: Option<f64>,
}

/// One side of a stimulus.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AxisFile {
    /// What it measures, such as yaw (degrees) or distance (metres).
    pub of: String,
    /// A number in bins: one value more than edges.
    pub edges: Option<Vec<f64>>,
    /// Or words.
    pub values: Option<Vec<String>>,
    /// The last value lies beside the first.
    #[serde(default)]
    pub circular: bool,
    /// How far a value is from the next, when a value never met is stood in for by the nearest.
    pub step: Option<f64>,
    /// By how much attention is multiplied for each value.
    pub attention: Option<Vec<f64>>,
}

/// A reflexive action.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReflexiveFile {
    /// What of a command it is; its own name unless told.
    pub from: Option<String>,
    /// A number in bins: one value more than edges.
    pub edges: Option<Vec<f64>>,
    /// Or words.
    pub values: Option<Vec<String>>,
    /// Actions of a group share an attention of their own; without it they share the decision's.
    pub group: Option<String>,
}

/// From where an action's value is seen.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeenFromFile {
    /// One value, whatever is attended to.
    #[default]
    #[serde(rename = "self")]
    Own,
    /// A value for each stimulus, such as the turn beyond its bearing.
    Stimulus,
}

/// An external action.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExternalFile {
    /// What of a command it is; its own name unless told.
    pub from: Option<String>,
    /// A number in bins: one value more than edges.
    pub edges: Option<Vec<f64>>,
    /// Or words.
    pub values: Option<Vec<String>>,
    /// From where its value is seen.
    #[serde(default)]
    pub seen_from: SeenFromFile,
    /// Actions of a group share an attention; those without a name share one.
    pub group: Option<String>,
    /// The least and the greatest number, so that bins of different widths can be compared: each bin's share of
    /// the range divides its probability.
    pub range: Option<[f64; 2]>,
    /// Those shares, where they are not widths.
    pub measure: Option<Vec<f64>>,
    /// The last value lies beside the first.
    #[serde(default)]
    pub circular: bool,
}
