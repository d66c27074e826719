//! Expected counts: what the E-step finds and the M-step divides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::index::Index;
use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::pass::{Gather, Impossible, Pass, Tick, lanes, slot_row};
use crate::sequence::Sequence;

/// Expected counts under some numbers (sufficient statistics). Those of several sequences, and of several teachers, add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// In the shape of [`Params`]: how often each row was attended to (`theta`, `weights`), and each table's cell was used.
    pub used: Params,
    /// `[high row]`: `Σ 1/Z` over the ticks at which the value was met; the denominator of attention's update.
    pub theta_over: Vec<f64>,
    /// For each group `[row][decision]`: `Σ γ_d / Z_d`.
    pub weights_over: Vec<Vec<f64>>,
    /// At how many ticks each high-level value was met.
    pub high_met: Vec<f64>,
    /// At how many ticks each low-level value was met, counting slots.
    pub low_met: Vec<f64>,
    /// All ticks.
    pub ticks: f64,
    /// `ln P(A | S)`.
    pub log_likelihood: f64,
}

/// The rows that occur in some sequences, so that nothing else need be touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    pub high: Vec<usize>,
    pub low: Vec<usize>,
}

impl Met {
    pub fn of(layout: &Layout, sequences: &[Sequence]) -> Self {
        let mut high = vec![false; layout.high_rows()];
        let mut low = vec![false; layout.low_rows()];
        for sequence in sequences {
            for t in 0..sequence.len() {
                for (i, &value) in sequence.high(t).iter().enumerate() {
                    high[layout.high_row(i, value.into())] = true;
                }
                for slot in 0..layout.slots().len() {
                    if let Some(row) = slot_row(layout, sequence, Level::Low, t, slot) {
                        low[row] = true;
                    }
                }
            }
        }
        let rows = |met: &[bool]| (0..met.len()).filter(|&row| met[row]).collect();
        Met { high: rows(&high), low: rows(&low) }
    }

    pub fn all(layout: &Layout) -> Self {
        Met { high: (0..layout.high_rows()).collect(), low: (0..layout.low_rows()).collect() }
    }

    pub fn rows(&self, level: Level) -> &[usize] {
        match level {
            Level::High => &self.high,
            Level::Low => &self.low,
        }
    }
}

impl Counts {
    /// Nothing counted yet.
    pub fn new(layout: &Layout) -> Self {
        let mut used = Params::uniform(layout);
        for table in [&mut used.theta, &mut used.first, &mut used.next]
            .into_iter()
            .chain(&mut used.reflexive)
            .chain(&mut used.external)
            .chain(&mut used.weights)
        {
            table.fill(0.0);
        }
        Counts {
            theta_over: used.theta.clone(),
            weights_over: used.weights.clone(),
            high_met: vec![0.0; layout.high_rows()],
            low_met: vec![0.0; layout.low_rows()],
            used,
            ticks: 0.0,
            log_likelihood: 0.0,
        }
    }

    /// The E-step: adds the expected counts of a sequence under `params`. On an error nothing is added.
    pub fn add_sequence(
        &mut self,
        layout: &Layout,
        params: &Params,
        sequence: &Sequence,
        pass: &mut Pass,
    ) -> Result<(), Impossible> {
        let mut fresh = Counts::new(layout);
        fresh.gather(layout, params, sequence, 1.0, pass)?;
        fresh.finish(layout, params, &Met::all(layout));
        self.add(&fresh, 1.0);
        Ok(())
    }

    /// Adds other counts of the same layout, each multiplied by `weight`.
    pub fn add(&mut self, other: &Counts, weight: f64) {
        for (into, from) in self.tables_mut().into_iter().zip(other.tables()) {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += weight * from);
        }
        self.ticks += weight * other.ticks;
        self.log_likelihood += weight * other.log_likelihood;
    }

    fn tables(&self) -> Vec<&Vec<f64>> {
        let mut tables = vec![
            &self.used.theta,
            &self.used.first,
            &self.used.next,
            &self.theta_over,
            &self.high_met,
            &self.low_met,
        ];
        tables.extend(&self.used.reflexive);
        tables.extend(&self.used.external);
        tables.extend(&self.used.weights);
        tables.extend(&self.weights_over);
        tables
    }

    fn tables_mut(&mut self) -> Vec<&mut Vec<f64>> {
        let mut tables = vec![
            &mut self.used.theta,
            &mut self.used.first,
            &mut self.used.next,
            &mut self.theta_over,
            &mut self.high_met,
            &mut self.low_met,
        ];
        tables.extend(&mut self.used.reflexive);
        tables.extend(&mut self.used.external);
        tables.extend(&mut self.used.weights);
        tables.extend(&mut self.weights_over);
        tables
    }

    /// Whether all tables have the sizes of a layout and hold numbers from 0 up.
    pub fn fits(&self, layout: &Layout) -> bool {
        let right = Counts::new(layout);
        let good = |table: &[f64]| table.iter().all(|&count| count >= 0.0 && count.is_finite());
        let (own, right) = (self.tables(), right.tables());
        own.len() == right.len()
            && self.used.reflexive.len() == layout.shape().reflexive.len()
            && self.used.external.len() == layout.shape().external.len()
            && self.used.weights.len() == layout.shape().groups.len()
            && own.iter().zip(&right).all(|(own, right)| own.len() == right.len() && good(own))
    }

    /// Every cell of `met` rows set to 0, everything else being 0 already.
    pub(crate) fn clear(&mut self, layout: &Layout, met: &Met) {
        self.for_each_row(layout, met, |row| row.fill(0.0));
        self.ticks = 0.0;
        self.log_likelihood = 0.0;
    }

    /// Adds the `met` rows of other counts.
    pub(crate) fn add_met(&mut self, layout: &Layout, other: &Counts, met: &Met) {
        let d = layout.decisions();
        let others = other.tables();
        for ((table, from), (level, width)) in
            self.tables_mut().into_iter().zip(others).zip(Self::widths(layout, d))
        {
            for &row in met.rows(level) {
                let range = row * width..(row + 1) * width;
                table[range.clone()].iter_mut().zip(&from[range]).for_each(|(into, from)| *into += from);
            }
        }
        self.ticks += other.ticks;
        self.log_likelihood += other.log_likelihood;
    }

    fn for_each_row(&mut self, layout: &Layout, met: &Met, mut act: impl FnMut(&mut [f64])) {
        let d = layout.decisions();
        for (table, (level, width)) in self.tables_mut().into_iter().zip(Self::widths(layout, d)) {
            for &row in met.rows(level) {
                act(&mut table[row * width..(row + 1) * width]);
            }
        }
    }

    /// Level and numbers in a row of each of [`Counts::tables`].
    fn widths(layout: &Layout, d: usize) -> Vec<(Level, usize)> {
        let shape = layout.shape();
        let mut widths = vec![
            (Level::High, 1),
            (Level::High, d),
            (Level::High, d * d),
            (Level::High, 1),
            (Level::High, 1),
            (Level::Low, 1),
        ];
        widths.extend(shape.reflexive.iter().map(|action| (Level::High, action.count * d)));
        widths.extend(shape.external.iter().map(|action| (Level::Low, action.count * d)));
        widths.extend(shape.groups.iter().map(|&level| (level, d)));
        widths.extend(shape.groups.iter().map(|&level| (level, d)));
        widths
    }

    /// Multiplies the sums of [`Gather::pair`] by `m`, which is the same for all ticks.
    pub(crate) fn finish(&mut self, layout: &Layout, params: &Params, met: &Met) {
        let square = layout.decisions() * layout.decisions();
        for &row in &met.high {
            let range = row * square..(row + 1) * square;
            let counts = &mut self.used.next[range.clone()];
            counts.iter_mut().zip(&params.next[range]).for_each(|(count, p)| *count *= p);
        }
    }

    /// Adds a sequence with a weight, leaving `ξ` without its factor `m` until [`Counts::finish`]. The caller gathers all
    /// sequences of one E-step, then finishes once.
    pub(crate) fn gather(
        &mut self,
        layout: &Layout,
        params: &Params,
        sequence: &Sequence,
        weight: f64,
        pass: &mut Pass,
    ) -> Result<(), Impossible> {
        let log_likelihood = pass.forward(layout, params, sequence)?;
        pass.backward(layout, params, &mut Gatherer { counts: self, layout, weight });
        self.log_likelihood += weight * log_likelihood;
        self.ticks += weight * sequence.len() as f64;
        Ok(())
    }

    /// The same for a sequence whose cells were found before.
    pub(crate) fn gather_by(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
        pass: &mut Pass,
    ) -> Result<(), Impossible> {
        self.log_likelihood += pass.forward_by(layout, params, index)?;
        pass.backward_by(layout, params, index, &mut Gatherer { counts: self, layout, weight: 1.0 });
        self.ticks += index.ticks as f64;
        Ok(())
    }
}

struct Gatherer<'a> {
    counts: &'a mut Counts,
    layout: &'a Layout,
    weight: f64,
}

impl Gather for Gatherer<'_> {
    #[inline]
    fn tick<const D: usize>(&mut self, index: &Index, tick: &Tick<'_>) {
        let d = lanes::<D>(tick.decision.len());
        let (layout, weight) = (self.layout, self.weight);
        let counts = &mut *self.counts;
        let stimuli = layout.shape().high.len();
        let tied = layout.tied();
        let rows = &index.rows[tick.t * stimuli..(tick.t + 1) * stimuli];
        for (i, (posterior, &row)) in tick.high.chunks_exact(d).zip(rows).enumerate() {
            let row = row as usize;
            counts.used.theta[row] += weight * posterior.iter().sum::<f64>();
            counts.theta_over[row] += weight * tick.inverse_theta;
            counts.high_met[row] += weight;
            if tick.t == 0 {
                add_weighted(&mut counts.used.first[row * d..(row + 1) * d], posterior, weight);
            }
            let cells = &index.tied[(tick.t * stimuli + i) * tied.len()..][..tied.len()];
            for (&u, &cell) in tied.iter().zip(cells) {
                add_weighted(&mut counts.used.reflexive[u][cell as usize * d..][..d], posterior, weight);
            }
        }
        let groups = &layout.shape().groups;
        let mut low_seen = false;
        for (group, &level) in groups.iter().enumerate() {
            let members = layout.members(group);
            let over = &tick.low_over[group * d..(group + 1) * d];
            let tables = match level {
                Level::High => &mut counts.used.reflexive,
                Level::Low => &mut counts.used.external,
            };
            // Every group of low-level attention has the same entries: what was met is counted once.
            let meet = level == Level::Low && !low_seen;
            low_seen |= meet;
            for entry in index.entries(tick.t, group, groups.len()) {
                let row = index.entry_row[entry] as usize;
                let low = &tick.low[entry * d..(entry + 1) * d];
                add_weighted(&mut counts.used.weights[group][row * d..][..d], low, weight);
                add_weighted(&mut counts.weights_over[group][row * d..][..d], over, weight);
                let cells = &index.cells[index.entry_cells[entry] as usize..][..members.len()];
                for (&action, &cell) in members.iter().zip(cells) {
                    add_weighted(&mut tables[action][cell as usize * d..][..d], low, weight);
                }
                if meet {
                    counts.low_met[row] += weight;
                }
            }
        }
    }

    #[inline]
    fn pair<const D: usize>(&mut self, row: usize, before: &[f64], after: &[f64]) {
        let d = lanes::<D>(before.len());
        let counts = &mut self.counts.used.next[row * d * d..(row + 1) * d * d];
        for (counts, before) in counts.chunks_exact_mut(d).zip(before) {
            add_weighted(counts, &after[..d], self.weight * before);
        }
    }
}

#[inline(always)]
fn add_weighted(into: &mut [f64], what: &[f64], weight: f64) {
    into.iter_mut().zip(what).for_each(|(into, what)| *into += weight * what);
}
