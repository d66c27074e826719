//! How a model's tables lie in memory.
//!
//! All values of all high-level stimuli are numbered together: a *row* is a value of a stimulus. The same for low-level kinds.
//! Every table has a row first and the decision last, so that what one tick reads of a table, for all decisions, lies side by
//! side.

use thiserror::Error;

use crate::model::{MOST_DECISIONS, MOST_NUMBERS, MOST_SLOTS, MOST_VALUES};

/// Which stimuli an attention chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// High-level ones, all of them always known.
    High,
    /// Low-level ones, those that are known.
    Low,
}

/// The numbers that make a layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Hidden decisions.
    pub decisions: usize,
    /// Values of each high-level stimulus.
    pub high: Vec<usize>,
    /// Values of each kind of low-level stimulus.
    pub low: Vec<usize>,
    /// The kind of each slot.
    pub slots: Vec<usize>,
    /// Reflexive actions.
    pub reflexive: Vec<ActionShape>,
    /// External actions.
    pub external: Vec<ActionShape>,
    /// Groups of actions with an attention each.
    pub groups: Vec<Level>,
    /// How the values of each high-level stimulus lie to each other; empty for no order at all.
    pub high_axes: Vec<Vec<AxisShape>>,
    /// The same for each kind of low-level stimulus.
    pub low_axes: Vec<Vec<AxisShape>>,
}

/// One side of a value, first axis slowest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisShape {
    /// How many values there are.
    pub count: usize,
    /// How they lie.
    pub arrangement: Arrangement,
    /// How far a value is from the next.
    pub step: f64,
}

/// How the values of an axis lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// In a row.
    Line,
    /// In a row whose ends meet.
    Circle,
    /// Each as far from any other.
    Apart,
}

/// The numbers of an action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionShape {
    /// Its values.
    pub count: usize,
    /// Its group; `None` for a reflexive action that shares the decision's attention.
    pub group: Option<usize>,
    /// Whether there is a value for each slot.
    pub relative: bool,
    /// What each value's probability is divided by.
    pub measure: Vec<f64>,
}

impl ActionShape {
    fn plain(count: usize, group: Option<usize>) -> Self {
        ActionShape { count, group, relative: false, measure: vec![1.0; count] }
    }
}

/// A shape that was checked, with the places of its tables.
///
/// ```
/// use repertoire_chameleon::Layout;
///
/// let layout = Layout::plain(2, &[2, 4], &[3], &[], &[3])?;
/// // The values of all high-level stimuli are numbered together.
/// assert_eq!((layout.high_rows(), layout.high_row(1, 0)), (6, 2));
/// // Nothing to decide by.
/// assert!(Layout::plain(2, &[], &[3], &[], &[3]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    shape: Shape,
    /// The first row of each high-level stimulus, and the number of rows.
    high_first: Vec<usize>,
    low_first: Vec<usize>,
    /// Actions of each group, by number.
    members: Vec<Vec<usize>>,
    /// Reflexive actions that share the decision's attention.
    tied: Vec<usize>,
    /// `1 / measure` where it is not 1 for every value.
    inverse_measure: Vec<Option<Vec<f64>>>,
}

/// Why there is no such layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// Nothing to decide.
    #[error("{0} decisions are not possible, 1 to {MOST_DECISIONS} are")]
    Decisions(usize),
    /// Nothing to decide by.
    #[error("there is no high-level stimulus to decide by")]
    NoHigh,
    /// A variable without values, or with too many.
    #[error("a variable has {0} values, 1 to {MOST_VALUES} are possible")]
    Values(usize),
    /// Too many slots.
    #[error("there are {0} low-level stimuli, at most {MOST_SLOTS} are possible")]
    Slots(usize),
    /// Too many numbers.
    #[error("the tables would hold more than {MOST_NUMBERS} numbers")]
    TooLarge,
}

impl Layout {
    /// The layout of a shape.
    pub fn new(shape: Shape) -> Result<Self, LayoutError> {
        if shape.decisions == 0 || shape.decisions > MOST_DECISIONS {
            return Err(LayoutError::Decisions(shape.decisions));
        }
        if shape.high.is_empty() {
            return Err(LayoutError::NoHigh);
        }
        if shape.slots.len() > MOST_SLOTS || shape.high.len() > MOST_SLOTS {
            return Err(LayoutError::Slots(shape.slots.len().max(shape.high.len())));
        }
        let actions = shape.reflexive.iter().chain(&shape.external).map(|action| action.count);
        let counts = shape.high.iter().chain(&shape.low).copied().chain(actions);
        if let Some(bad) = counts.into_iter().find(|&count| count == 0 || count > MOST_VALUES) {
            return Err(LayoutError::Values(bad));
        }
        let first = |counts: &[usize]| {
            let mut first = vec![0];
            first.extend(counts.iter().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }));
            first
        };
        let (high_first, low_first) = (first(&shape.high), first(&shape.low));
        let members = (0..shape.groups.len())
            .map(|group| {
                let actions = match shape.groups[group] {
                    Level::High => &shape.reflexive,
                    Level::Low => &shape.external,
                };
                (0..actions.len()).filter(|&action| actions[action].group == Some(group)).collect()
            })
            .collect();
        let tied = (0..shape.reflexive.len()).filter(|&u| shape.reflexive[u].group.is_none()).collect();
        let inverse = |action: &ActionShape| {
            let plain = action.measure.iter().all(|&share| share == 1.0);
            (!plain).then(|| action.measure.iter().map(|share| 1.0 / share).collect())
        };
        let inverse_measure = shape.external.iter().map(inverse).collect();
        let layout = Layout { shape, high_first, low_first, members, tied, inverse_measure };
        if layout.numbers().is_none_or(|numbers| numbers > MOST_NUMBERS) {
            return Err(LayoutError::TooLarge);
        }
        Ok(layout)
    }

    /// The thesis's form: every low-level stimulus once, all external actions in one group, reflexive ones with the decision.
    pub fn plain(
        decisions: usize,
        high: &[usize],
        low: &[usize],
        reflexive: &[usize],
        external: &[usize],
    ) -> Result<Self, LayoutError> {
        // Before memory is taken for an action's values.
        if reflexive.iter().chain(external).any(|&count| count > MOST_NUMBERS) {
            return Err(LayoutError::TooLarge);
        }
        Layout::new(Shape {
            decisions,
            high: high.to_vec(),
            low: low.to_vec(),
            slots: (0..low.len()).collect(),
            reflexive: reflexive.iter().map(|&count| ActionShape::plain(count, None)).collect(),
            external: external.iter().map(|&count| ActionShape::plain(count, Some(0))).collect(),
            groups: vec![Level::Low],
            high_axes: Vec::new(),
            low_axes: Vec::new(),
        })
    }

    /// The same with another number of decisions.
    pub fn with_decisions(&self, decisions: usize) -> Result<Self, LayoutError> {
        Layout::new(Shape { decisions, ..self.shape.clone() })
    }

    /// How many numbers its tables hold; `None` if too many to count.
    pub fn numbers(&self) -> Option<usize> {
        let d = self.decisions();
        let mut total = self.high_rows().checked_mul(1 + d + d * d)?;
        for (level, action) in self
            .shape
            .reflexive
            .iter()
            .map(|action| (Level::High, action))
            .chain(self.shape.external.iter().map(|action| (Level::Low, action)))
        {
            total = total.checked_add(self.rows(level).checked_mul(action.count)?.checked_mul(d)?)?;
        }
        for &level in &self.shape.groups {
            total = total.checked_add(self.rows(level).checked_mul(d)?)?;
        }
        Some(total)
    }

    /// The numbers it was made from.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Hidden decisions.
    #[inline]
    pub fn decisions(&self) -> usize {
        self.shape.decisions
    }

    /// Values of all high-level stimuli.
    #[inline]
    pub fn high_rows(&self) -> usize {
        self.high_first[self.shape.high.len()]
    }

    /// Values of all low-level kinds.
    #[inline]
    pub fn low_rows(&self) -> usize {
        self.low_first[self.shape.low.len()]
    }

    /// Values of all stimuli of a level.
    pub fn rows(&self, level: Level) -> usize {
        match level {
            Level::High => self.high_rows(),
            Level::Low => self.low_rows(),
        }
    }

    /// How many stimuli of a level there are at once.
    pub fn stimuli(&self, level: Level) -> usize {
        match level {
            Level::High => self.shape.high.len(),
            Level::Low => self.shape.slots.len(),
        }
    }

    /// The row of a value of a high-level stimulus.
    #[inline]
    pub fn high_row(&self, stimulus: usize, value: usize) -> usize {
        self.high_first[stimulus] + value
    }

    /// The row of a value of a kind of low-level stimulus.
    #[inline]
    pub fn low_row(&self, kind: usize, value: usize) -> usize {
        self.low_first[kind] + value
    }

    /// The kind of each slot.
    #[inline]
    pub fn slots(&self) -> &[usize] {
        &self.shape.slots
    }

    /// How the values of a stimulus lie to each other.
    pub(crate) fn axes(&self, level: Level, stimulus: usize) -> Vec<AxisShape> {
        let (axes, counts) = match level {
            Level::High => (&self.shape.high_axes, &self.shape.high),
            Level::Low => (&self.shape.low_axes, &self.shape.low),
        };
        let unordered =
            || vec![AxisShape { count: counts[stimulus], arrangement: Arrangement::Apart, step: 1.0 }];
        axes.get(stimulus).cloned().unwrap_or_else(unordered)
    }

    /// The first row of each stimulus of a level, and the number of rows.
    pub(crate) fn first_rows(&self, level: Level) -> &[usize] {
        match level {
            Level::High => &self.high_first,
            Level::Low => &self.low_first,
        }
    }

    /// Actions of a group, by their number among their level's.
    #[inline]
    pub fn members(&self, group: usize) -> &[usize] {
        &self.members[group]
    }

    /// Reflexive actions that share the decision's attention.
    #[inline]
    pub fn tied(&self) -> &[usize] {
        &self.tied
    }

    /// What the probabilities of an external action's values are multiplied by, if not by 1.
    #[inline]
    pub(crate) fn inverse_measure(&self, external: usize) -> Option<&[f64]> {
        self.inverse_measure[external].as_deref()
    }
}
