//! How the tables of a character follow from its expected counts: the M-step that ended its learning.
//!
//! Tables are a function of the counts, so that a file need not hold them ([`file`](crate::file)).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{ExpectedCounts, Met};
use crate::layout::Layout;
use crate::maximise;
use crate::params::Params;
use crate::smooth::{self, Pooling};

/// Which M-step made the tables.
///
/// ```
/// use repertoire_chameleon::{EmSettings, Pooling};
///
/// let pooled = EmSettings { pooling: Some(Pooling::default()), ..EmSettings::default() };
/// assert_eq!(pooled.recipe().pooling, Some(Pooling::default()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "Which M-step made the tables.")]
pub struct Recipe {
    /// See [`EmSettings::pooling`](crate::EmSettings::pooling).
    pub pooling: Option<Pooling>,
    /// See [`EmSettings::virtual_counts`](crate::EmSettings::virtual_counts).
    pub virtual_counts: f64,
}

impl Recipe {
    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let good = |number: f64, least: f64| (least..=1e9).contains(&number);
        if let Some(Pooling { weight, reach }) = self.pooling
            && !(good(weight, 1e-9) && good(reach, 1e-9))
        {
            return Some(format!("pooling with weight {weight} and reach {reach}: both must be above 0"));
        }
        let extra = self.virtual_counts;
        (!good(extra, 0.0)).then(|| format!("{extra} virtual counts: use a number from 0 up"))
    }

    /// Sets all tables but attention; distributions that nothing was counted for are uniform.
    pub(crate) fn tables(&self, layout: &Layout, params: &mut Params, counts: &ExpectedCounts) {
        let uniform = Params::uniform(layout);
        for (table, uniform) in params.distributions_mut().into_iter().zip(uniform.distributions()) {
            table.copy_from_slice(uniform);
        }
        match self.pooling {
            Some(pooling) => smooth::tables(layout, params, counts, pooling),
            None => maximise::tables(layout, params, counts, self.virtual_counts, &Met::all(layout)),
        }
    }
}
