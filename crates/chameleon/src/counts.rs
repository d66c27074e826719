//! Expected counts: what the E-step finds and the M-step divides.
//!
//! ```text
//! ξ_{d',d,i}^t = α_d'^{t-1} · own_{i,d} m_i(d | d', h_i) · rest_d^t       (3.87)
//! γ_{d,i}^t    = Σ_d' ξ_{d',d,i}^t                                        (3.73)
//! γ_{d,j}^t    = P(D_t = d) · seen_{j,d} / Σ_j' seen_{j',d}               (3.75)
//! ```
//! All but the outermost factors are the same for ticks that are alike, so these are summed first
//! (`index`), and each table's cell is then added to once for each thing that is different.

use pulp::Simd;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factors::Scenes;
use crate::index::{Index, Sights};
use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::pass::{Impossible, Pass, for_decisions, lanes, slot_row};
use crate::sequence::Sequence;
use crate::wide::{Kernel, add, add_scaled, has_helpers, in_blocks, read, widest};

/// Expected counts under some numbers (sufficient statistics). Those of several sequences, and of several teachers, add up.
///
/// ```
/// use repertoire_chameleon::{Attention, ExpectedCounts, Layout, Params, Pass, Sequence, maximise};
///
/// let layout = Layout::plain(1, &[2], &[3], &[], &[4])?;
/// let mut life = Sequence::new(&layout);
/// (0..10).try_for_each(|_| life.push(&layout, &[1], &[Some(2)], &[], |_, _| 3))?;
/// // One iteration of EM: expected counts, then the numbers that explain them best.
/// let mut params = Params::uniform(&layout);
/// let mut counts = ExpectedCounts::new(&layout);
/// counts.add_sequence(&layout, &params, &life, &mut Pass::new())?;
/// maximise(&layout, &mut params, &counts, 0.0, Attention::Fixed);
/// assert_eq!(params.external(&layout, 0, 2, 0), [0.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "Expected counts under some numbers (sufficient statistics).")]
pub struct ExpectedCounts {
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

impl ExpectedCounts {
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
        ExpectedCounts {
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
        let log_likelihood = pass.forward(layout, params, sequence)?;
        let index = pass.take_index();
        pass.backward_by(layout, params, &index);
        self.gather(layout, Part { index: &index, pass, params, weight: 1.0 });
        self.log_likelihood += log_likelihood;
        Ok(())
    }

    /// Adds other counts of the same layout, each multiplied by `weight`.
    pub fn add(&mut self, other: &ExpectedCounts, weight: f64) {
        for (into, from) in self.tables_mut().into_iter().zip(other.tables()) {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += weight * from);
        }
        self.ticks += weight * other.ticks;
        self.log_likelihood += weight * other.log_likelihood;
    }

    pub(crate) fn tables(&self) -> Vec<&Vec<f64>> {
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

    pub(crate) fn tables_mut(&mut self) -> Vec<&mut Vec<f64>> {
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

    /// Tables of expected numbers of ticks.
    pub(crate) fn ticks_tables(&self) -> Vec<&Vec<f64>> {
        let used = &self.used;
        let met = [&self.high_met, &self.low_met, &used.theta];
        met.into_iter().chain(used.distributions()).chain(&used.weights).collect()
    }

    /// See [`ExpectedCounts::ticks_tables`].
    pub(crate) fn ticks_tables_mut(&mut self) -> Vec<&mut Vec<f64>> {
        let Params { theta, first, next, reflexive, external, weights } = &mut self.used;
        let mut tables = vec![&mut self.high_met, &mut self.low_met, theta, first, next];
        tables.extend(reflexive.iter_mut().chain(external).chain(weights));
        tables
    }

    /// The denominators of attention's update.
    pub(crate) fn denominators(&self) -> Vec<&Vec<f64>> {
        std::iter::once(&self.theta_over).chain(&self.weights_over).collect()
    }

    /// See [`ExpectedCounts::denominators`].
    pub(crate) fn denominators_mut(&mut self) -> Vec<&mut Vec<f64>> {
        std::iter::once(&mut self.theta_over).chain(&mut self.weights_over).collect()
    }

    /// Whether all tables have the sizes of a layout and hold numbers from 0 up.
    pub fn fits(&self, layout: &Layout) -> bool {
        let right = ExpectedCounts::new(layout);
        let good = |table: &[f64]| table.iter().all(|&count| count >= 0.0 && count.is_finite());
        let (own, right) = (self.tables(), right.tables());
        own.len() == right.len()
            && self.used.reflexive.len() == layout.shape().reflexive.len()
            && self.used.external.len() == layout.shape().external.len()
            && self.used.weights.len() == layout.shape().groups.len()
            && self.ticks >= 0.0
            && self.ticks.is_finite()
            && !self.log_likelihood.is_nan()
            && own.iter().zip(&right).all(|(own, right)| own.len() == right.len() && good(own))
    }

    /// Adds the `met` rows of other counts.
    pub(crate) fn add_met(&mut self, layout: &Layout, other: &ExpectedCounts, met: &Met) {
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

    /// Level and numbers in a row of each of [`ExpectedCounts::tables`].
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

    /// The E-step over one part of the play: adds the expected counts of an index, whose passes were run.
    pub(crate) fn gather(&mut self, layout: &Layout, part: Part<'_>) {
        self.meet(layout, part.index, part.weight);
        self.pour(layout, &Met::default(), std::slice::from_ref(&part));
    }

    /// Sets the `met` rows to the expected counts of parts of the play, whose passes were run, added in order; without
    /// how often each value was met, which [`ExpectedCounts::meet`] counts.
    pub(crate) fn pour(&mut self, layout: &Layout, met: &Met, parts: &[Part<'_>]) {
        let mut tied = Vec::new();
        let mut jobs: Vec<Job<'_>> = Vec::new();
        let shape = layout.shape();
        for (u, table) in self.used.reflexive.iter_mut().enumerate() {
            match shape.reflexive[u].group {
                None => tied.push(&mut table[..]),
                Some(group) => jobs.push(Job::Action { group, action: u, table }),
            }
        }
        for (f, table) in self.used.external.iter_mut().enumerate() {
            if let Some(group) = shape.external[f].group {
                jobs.push(Job::Action { group, action: f, table });
            }
        }
        for (group, (used, over)) in self.used.weights.iter_mut().zip(&mut self.weights_over).enumerate() {
            jobs.push(Job::Attention { group, used, over });
        }
        let (theta, over) = (&mut self.used.theta, &mut self.theta_over);
        let (first, next) = (&mut self.used.first, &mut self.used.next);
        let all = States { stimuli: 0..shape.high.len(), first_row: 0, theta, over, first, next, tied };
        // Stimuli have rows of their own, so that another thread may pour some of them. No more than two do: each works out again
        // what is the same for all stimuli.
        let threads = if has_helpers() { rayon::current_num_threads().min(2) } else { 1 };
        jobs.extend(all.split(layout, threads).into_iter().map(|into| Job::States { into }));
        let work = |job: Job<'_>| widest(Pour { job, layout, met, parts });
        if parts.len() == 1 && !has_helpers() {
            jobs.into_iter().for_each(work)
        } else {
            jobs.into_par_iter().for_each(work)
        }
    }

    /// Counts how often the values of a part were met, and its ticks.
    pub(crate) fn meet(&mut self, layout: &Layout, index: &Index, weight: f64) {
        let stimuli = layout.shape().high.len();
        for state in 0..index.states {
            let visits = weight * index.ticks_of(state).len() as f64;
            let rows = &index.rows[state * stimuli..(state + 1) * stimuli];
            rows.iter().for_each(|&row| self.high_met[row as usize] += visits);
        }
        // Every group of low-level attention sees the same: what was met is counted once.
        let levels = layout.shape().groups.iter().zip(&index.groups);
        if let Some((_, sights)) = levels.into_iter().find(|(level, _)| **level == Level::Low) {
            for (scene, &visits) in sights.visits.iter().enumerate() {
                for &sight in sights.sights(scene) {
                    self.low_met[sights.rows[sight as usize] as usize] += weight * f64::from(visits);
                }
            }
        }
        self.ticks += weight * index.ticks() as f64;
    }
}

/// A part of the play, and the passes that were run over it.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub index: &'a Index,
    pub pass: &'a Pass,
    /// The numbers that the passes were run with.
    pub params: &'a Params,
    /// What all of its counts are multiplied by.
    pub weight: f64,
}

/// Tables that are filled together, on a thread of their own.
enum Job<'a> {
    States { into: States<'a> },
    Attention { group: usize, used: &'a mut [f64], over: &'a mut [f64] },
    Action { group: usize, action: usize, table: &'a mut [f64] },
}

/// Tables of some high-level stimuli.
struct States<'a> {
    stimuli: std::ops::Range<usize>,
    /// The first row of these tables.
    first_row: usize,
    theta: &'a mut [f64],
    over: &'a mut [f64],
    first: &'a mut [f64],
    next: &'a mut [f64],
    tied: Vec<&'a mut [f64]>,
}

struct Pour<'a> {
    job: Job<'a>,
    layout: &'a Layout,
    met: &'a Met,
    parts: &'a [Part<'a>],
}

impl Kernel for Pour<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Pour { job, layout, met, parts } = self;
        for_decisions!(layout.decisions(), job.work(layout, met, parts));
    }
}

impl Job<'_> {
    #[inline(always)]
    fn work<const D: usize>(self, layout: &Layout, met: &Met, parts: &[Part<'_>]) {
        let d = lanes::<D>(layout.decisions());
        let shape = layout.shape();
        let clear = |table: &mut [f64], level: Level, width: usize| {
            met.rows(level).iter().for_each(|&row| table[row * width..(row + 1) * width].fill(0.0));
        };
        match self {
            Job::States { mut into } => {
                let rows = into.first_row..into.first_row + into.theta.len();
                for row in met.high.iter().filter(|row| rows.contains(row)).map(|row| row - rows.start) {
                    into.theta[row] = 0.0;
                    into.over[row] = 0.0;
                    into.first[row * d..(row + 1) * d].fill(0.0);
                    into.next[row * d * d..(row + 1) * d * d].fill(0.0);
                    for (table, &u) in into.tied.iter_mut().zip(layout.tied()) {
                        let width = shape.reflexive[u].count * d;
                        table[row * width..(row + 1) * width].fill(0.0);
                    }
                }
                // Not `for_each`: a closure is not inlined, and would be compiled for narrow vectors.
                for part in parts {
                    into.pour::<D>(layout, *part);
                }
            }
            Job::Attention { group, used, over } => {
                let level = shape.groups[group];
                clear(used, level, d);
                clear(over, level, d);
                for part in parts {
                    let (sights, scenes) = (&part.index.groups[group], &part.pass.factors.scenes[group]);
                    for (sight, &row) in sights.rows.iter().enumerate() {
                        let (at, row) = (sight * d, row as usize * d);
                        add::<D>(&mut used[row..row + d], &scenes.used[at..at + d]);
                        add::<D>(&mut over[row..row + d], &scenes.over[at..at + d]);
                    }
                    each_extra(*part, group, d, |row, _, share, scene| {
                        let (decided, inverse) =
                            (&scenes.decided[scene..][..d], &scenes.inverse_weight[scene..][..d]);
                        for k in 0..d {
                            used[row * d + k] += share[k] * decided[k];
                            over[row * d + k] += inverse[k] * decided[k];
                        }
                    });
                }
            }
            Job::Action { group, action, table } => {
                let level = shape.groups[group];
                let count = if level == Level::High {
                    shape.reflexive[action].count
                } else {
                    shape.external[action].count
                };
                clear(table, level, count * d);
                let members = layout.members(group);
                let Some(member) = members.iter().position(|&member| member == action) else { return };
                for part in parts {
                    let (sights, scenes) = (&part.index.groups[group], &part.pass.factors.scenes[group]);
                    for (used, cells) in
                        scenes.used.chunks_exact(d).zip(sights.cells.chunks_exact(members.len()))
                    {
                        add::<D>(&mut table[cells[member] as usize * d..][..d], used);
                    }
                    each_extra(*part, group, d, |_, sight, share, scene| {
                        let cell = sights.cells[sight * members.len() + member] as usize;
                        let decided = &scenes.decided[scene..][..d];
                        for k in 0..d {
                            table[cell * d + k] += share[k] * decided[k];
                        }
                    });
                }
            }
        }
    }
}

/// Calls a function with row, sight, share and place in the tables of scenes for all sights of ticks in logarithms.
fn each_extra(part: Part<'_>, group: usize, d: usize, mut act: impl FnMut(usize, usize, &[f64], usize)) {
    let sights = &part.index.groups[group];
    for (number, extra) in part.pass.factors.extras.iter().enumerate() {
        let seen = sights.sights(sights.scene[extra.t] as usize);
        for (&sight, share) in seen.iter().zip(extra.shares[group].chunks_exact(d)) {
            let sight = sight as usize;
            act(sights.rows[sight] as usize, sight, share, (sights.scenes() + number) * d);
        }
    }
}

impl<'a> States<'a> {
    /// Parts with about as many stimuli, at most as many as wanted.
    fn split(self, layout: &Layout, wanted: usize) -> Vec<Self> {
        let stimuli = self.stimuli.len();
        let (mut parts, mut rest) = (Vec::new(), self);
        for part in 1..wanted.min(stimuli) {
            let (own, after) = rest.split_at(layout, part * stimuli / wanted.min(stimuli));
            parts.push(own);
            rest = after;
        }
        parts.push(rest);
        parts
    }

    /// The tables of the stimuli before one, and of the others.
    fn split_at(self, layout: &Layout, stimulus: usize) -> (Self, Self) {
        let d = layout.decisions();
        let first_row = layout.first_rows(Level::High)[stimulus];
        let row = first_row - self.first_row;
        let (theta, theta_after) = self.theta.split_at_mut(row);
        let (over, over_after) = self.over.split_at_mut(row);
        let (first, first_after) = self.first.split_at_mut(row * d);
        let (next, next_after) = self.next.split_at_mut(row * d * d);
        let reflexive = &layout.shape().reflexive;
        let tables = self.tied.into_iter().zip(layout.tied());
        let tied = tables.map(|(table, &u)| table.split_at_mut(row * reflexive[u].count * d));
        let (tied, tied_after) = tied.unzip();
        let before = States {
            stimuli: self.stimuli.start..stimulus,
            first_row: self.first_row,
            theta,
            over,
            first,
            next,
            tied,
        };
        let after = States {
            stimuli: stimulus..self.stimuli.end,
            first_row,
            theta: theta_after,
            over: over_after,
            first: first_after,
            next: next_after,
            tied: tied_after,
        };
        (before, after)
    }

    #[inline(always)]
    fn pour<const D: usize>(&mut self, layout: &Layout, part: Part<'_>) {
        let Part { index, pass, weight, .. } = part;
        let d = lanes::<D>(layout.decisions());
        let factors = &pass.factors;
        let mut pairs = vec![0.0; d * d];
        let mut begins = vec![0.0; d];
        let mut gamma = vec![0.0; d];
        for state in 0..index.states + factors.extras.len() {
            pairs.fill(0.0);
            begins.fill(0.0);
            let own_tick =
                [factors.extras.get(state.wrapping_sub(index.states)).map_or(0, |extra| extra.t) as u32];
            let ticks = if state < index.states { index.ticks_of(state) } else { &own_tick };
            for &t in ticks {
                let t = t as usize;
                if state < index.states && !factors.extras.is_empty() && factors.extra_at(t).is_some() {
                    continue;
                }
                let rest = &pass.rest[t * d..(t + 1) * d];
                if index.begins[t] {
                    add::<D>(&mut begins, rest);
                    continue;
                }
                let before = &pass.alpha[(t - 1) * d..t * d];
                for (pairs, &before) in pairs.chunks_exact_mut(d).zip(before) {
                    add_scaled::<D>(pairs, before, rest);
                }
            }
            self.pour_state::<D>(layout, part, state, (&pairs, &begins), &mut gamma);
        }
        for state in 0..index.states {
            let over = weight * factors.inverse_theta[state] * index.ticks_of(state).len() as f64;
            let (rows, _) = factors.rows_and_own(index, state);
            for &row in &rows[self.stimuli.clone()] {
                self.over[row as usize - self.first_row] += over;
            }
        }
    }

    #[inline(always)]
    fn pour_state<const D: usize>(
        &mut self,
        layout: &Layout,
        Part { index, pass, params, .. }: Part<'_>,
        state: usize,
        (pairs, begins): (&[f64], &[f64]),
        gamma: &mut [f64],
    ) {
        let d = lanes::<D>(layout.decisions());
        let (rows, own) = pass.factors.rows_and_own(index, state);
        let plain = pass.factors.plain_state(index, state);
        let tied = layout.tied();
        let begun = begins.iter().any(|&p| p > 0.0);
        for i in self.stimuli.clone() {
            let (of_all, own) = (rows[i] as usize, &own[i * d..(i + 1) * d]);
            let next = &params.next[of_all * d * d..(of_all + 1) * d * d];
            // Its row in these tables.
            let row = of_all - self.first_row;
            let into = &mut self.next[row * d * d..(row + 1) * d * d];
            pour_pairs::<D>(d, into, gamma, pairs, own, next);
            if begun {
                let into = &mut self.first[row * d..(row + 1) * d];
                let first = &params.first[of_all * d..(of_all + 1) * d];
                for k in 0..d {
                    let both = begins[k] * own[k] * first[k];
                    into[k] += both;
                    gamma[k] += both;
                }
            }
            self.theta[row] += gamma.iter().sum::<f64>();
            let cells = &index.tied[(plain * rows.len() + i) * tied.len()..][..tied.len()];
            for ((table, &cell), &u) in self.tied.iter_mut().zip(cells).zip(tied) {
                let first_cell = self.first_row * layout.shape().reflexive[u].count;
                add::<D>(&mut table[(cell as usize - first_cell) * d..][..d], gamma);
            }
        }
    }
}

/// Adds how often each decision followed each one before to its cells, `[before][d]`, and sets `gamma` to the sums over those before.
#[inline(always)]
fn pour_pairs<const D: usize>(
    d: usize,
    into: &mut [f64],
    gamma: &mut [f64],
    pairs: &[f64],
    own: &[f64],
    next: &[f64],
) {
    if D > 0 {
        in_blocks!(D, pour_block(D, &mut *into, &mut *gamma, pairs, own, next));
        return;
    }
    let rows = into.chunks_exact_mut(d).zip(next.chunks_exact(d)).zip(pairs.chunks_exact(d));
    gamma.fill(0.0);
    for ((into, next), pairs) in rows {
        for ((((into, gamma), pairs), own), next) in
            into.iter_mut().zip(&mut *gamma).zip(pairs).zip(own).zip(next)
        {
            let both = pairs * own * next;
            *into += both;
            *gamma += both;
        }
    }
}

/// `W` decisions, from `column` on.
#[inline(always)]
fn pour_block<const W: usize>(
    column: usize,
    d: usize,
    into: &mut [f64],
    gamma: &mut [f64],
    pairs: &[f64],
    own: &[f64],
    next: &[f64],
) {
    let (into, pairs, next) = (&mut into[..d * d], &pairs[..d * d], &next[..d * d]);
    let (own, mut sum): ([f64; W], _) = (read(own, column), [0.0; W]);
    for at in (0..d).map(|before| before * d + column) {
        let (pairs, next, old): ([f64; W], [f64; W], [f64; W]) =
            (read(pairs, at), read(next, at), read(into, at));
        let both: [f64; W] = std::array::from_fn(|k| pairs[k] * own[k] * next[k]);
        let new: [f64; W] = std::array::from_fn(|k| old[k] + both[k]);
        into[at..at + W].copy_from_slice(&new);
        sum = std::array::from_fn(|k| sum[k] + both[k]);
    }
    gamma[column..column + W].copy_from_slice(&sum);
}

impl Scenes {
    /// After the backward pass: how often each sight was attended to by each decision, and the sums of its denominators.
    #[inline(always)]
    pub(crate) fn sum_sights<const D: usize>(&mut self, decisions: usize, sights: &Sights) {
        let d = lanes::<D>(decisions);
        let cells = sights.rows.len() * d;
        self.used.clear();
        self.used.resize(cells, 0.0);
        self.over.clear();
        self.over.resize(cells, 0.0);
        let mut per_weight = vec![0.0; d];
        let mut per_explained = vec![0.0; d];
        for scene in 0..sights.scenes() {
            let here = scene * d..(scene + 1) * d;
            let (decided, inverse) = (&self.decided[here.clone()], &self.inverse_explained[here.clone()]);
            let weight = &self.inverse_weight[here];
            for k in 0..d {
                per_explained[k] = decided[k] * inverse[k];
                per_weight[k] = decided[k] * weight[k];
            }
            for &sight in sights.sights(scene) {
                let at = sight as usize * d;
                add::<D>(&mut self.used[at..at + d], &per_explained[..d]);
                add::<D>(&mut self.over[at..at + d], &per_weight[..d]);
            }
        }
        self.used.iter_mut().zip(&self.seen).for_each(|(used, seen)| *used *= seen);
    }
}
