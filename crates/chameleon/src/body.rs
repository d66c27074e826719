//! What a body can do, as far as play shows it.
//!
//! What is learned is seen through the body: a turn that would take two ticks is, for one who turns no faster, a turn as fast as
//! it goes, and not one that misses its end. Whoever joins model and world finds out how and acts on it; here it is only kept
//! with the numbers that were learned in its terms.
//!
//! Differs from the paper, whose characters all have one body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a body can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// How far each external action goes at a time at most, in the action's own numbers; none for as far as one likes.
    pub reach: Vec<Option<f64>>,
    /// Whether it runs in the eight directions of keys, seen from where it looks, and in no others.
    pub by_keys: bool,
    /// For each bin of the pace, the shares of full speed that were run in it, in even steps from the least to the most often
    /// exceeded; empty where it is not known, and then a bin is played at its middle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paces: Vec<Vec<f64>>,
}

impl Body {
    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        if let Some(bad) = self.reach.iter().flatten().find(|reach| !(0.0..=1e6).contains(*reach)) {
            return Some(format!("an action cannot reach {bad} at most: use a number from 0 to 1000000"));
        }
        let bad = self.paces.iter().flatten().find(|pace| !(0.0..=2.0).contains(*pace))?;
        Some(format!("a body cannot run at {bad} of full speed: use a number from 0 to 2"))
    }
}
