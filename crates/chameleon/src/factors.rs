//! What ticks say by themselves: own factors of states, of sights and of scenes, each worked out once.

use pulp::Simd;
use rayon::prelude::*;
use repertoire_prob::num::{exp, ln};

use crate::index::{Index, Sights};
use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::pass::{for_decisions, lanes};
use crate::wide::{Kernel, Row, add, add_scaled, dot, has_helpers, multiply, side_by_side, widest};

/// The factors of everything an [`Index`] holds, under some numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    pub decisions: usize,
    /// `[state][i][d]`: `w_i N_{i,d}`.
    pub own: Vec<f64>,
    /// `[state]`: `1 / Σ θ`.
    pub inverse_theta: Vec<f64>,
    /// `[state][d'][d]`: `Σ_i own_i m_i`; empty where that would be too large, and is worked out tick by tick.
    pub moves: Vec<f64>,
    /// For each group.
    pub scenes: Vec<Scenes>,
    /// Ticks whose products are too small to be told from nothing, worked out in logarithms: each has a state and scenes of
    /// its own, numbered after all others.
    pub extras: Vec<Extra>,
    /// High-level stimuli.
    stimuli: usize,
    states: usize,
}

/// The factors of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenes {
    /// `[sight][d]`: attention times the probabilities of its actions.
    pub seen: Vec<f64>,
    /// `[scene][d]`: `E_d`.
    pub emission: Vec<f64>,
    /// `[scene][d]`: one over what all sights explain; 0 where that is nothing.
    pub inverse_explained: Vec<f64>,
    /// `[scene][d]`: one over all attention; 0 where there is none.
    pub inverse_weight: Vec<f64>,
    /// `[scene][d]`: in how many of its ticks each decision was taken, from the backward pass.
    pub decided: Vec<f64>,
    /// `[sight][d]`: how often each decision attended to it, from the backward pass.
    pub used: Vec<f64>,
    /// `[sight][d]`: the sum of `P(D = d) / Σ λ` over its ticks.
    pub over: Vec<f64>,
}

/// A tick in logarithms.
#[derive(Clone, Debug)]
pub(crate) struct Extra {
    pub t: usize,
    /// For each group `[entry][d]`: what each sight explains, as a share of all.
    pub shares: Vec<Vec<f64>>,
}

/// The most numbers of `moves`: 32 MB. Beyond, they are worked out tick by tick.
const MOST_MOVES: usize = 1 << 22;

/// States whose own factors are all worked out before they are read: see [`Row::write`].
const TOGETHER: usize = 16;

/// Blocks of states that are worth handing to another thread.
const PER_THREAD: usize = 4;

/// Some states to be filled.
struct Block<'a> {
    first: usize,
    own: &'a mut [f64],
    inverse_theta: &'a mut [f64],
    /// Empty where they are worked out tick by tick.
    moves: &'a mut [f64],
}

impl Block<'_> {
    #[inline(always)]
    fn fill<S: Simd, const D: usize>(&mut self, simd: S, layout: &Layout, params: &Params, index: &Index) {
        let d = lanes::<D>(layout.decisions());
        let stimuli = layout.shape().high.len();
        let (rows, tied) =
            (&index.rows[self.first * stimuli..], &index.tied[self.first * stimuli * layout.tied().len()..]);
        let owns = self.own.chunks_exact_mut(stimuli * d);
        for (state, (own, inverse_theta)) in owns.zip(&mut *self.inverse_theta).enumerate() {
            let here = state * stimuli..(state + 1) * stimuli;
            let cells = &tied[here.start * layout.tied().len()..here.end * layout.tied().len()];
            *inverse_theta = fill_own::<S, D>(simd, layout, params, &rows[here], cells, own);
        }
        let owns = self.own.chunks_exact(stimuli * d).zip(rows.chunks_exact(stimuli));
        for (moves, (own, rows)) in self.moves.chunks_exact_mut(d * d).zip(owns) {
            fill_moves::<S, D>(simd, params, rows, own, moves);
        }
    }
}

/// `own` of a state; returns `1 / Σ θ`.
#[inline(always)]
fn fill_own<S: Simd, const D: usize>(
    simd: S,
    layout: &Layout,
    params: &Params,
    rows: &[u32],
    cells: &[u32],
    own: &mut [f64],
) -> f64 {
    let (d, tied) = (lanes::<D>(layout.decisions()), layout.tied());
    let total: f64 = rows.iter().map(|&row| params.theta[row as usize]).sum();
    let inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
    for (i, (own, &row)) in own.chunks_exact_mut(d).zip(rows).enumerate() {
        let cells = &cells[i * tied.len()..(i + 1) * tied.len()];
        let columns = tied.iter().zip(cells).map(|(&u, &cell)| (&params.reflexive[u], cell as usize * d));
        let share = params.theta[row as usize] * inverse;
        if D > 0 {
            let mut product = Row::<S, D>::splat(simd, share);
            for (table, at) in columns {
                product = product.times(simd, Row::read(table, at));
            }
            product.write(own, 0);
        } else {
            own.fill(share);
            columns.for_each(|(table, at)| multiply::<0>(own, &table[at..at + d]));
        }
    }
    inverse
}

/// `moves = Σ_i own_i m_i`, two rows at a time, whose sums stay in registers.
#[inline(always)]
fn fill_moves<S: Simd, const D: usize>(
    simd: S,
    params: &Params,
    rows: &[u32],
    own: &[f64],
    moves: &mut [f64],
) {
    if D == 0 {
        moves.fill(0.0);
        add_moves(own.len() / rows.len(), params, rows, own, moves);
        return;
    }
    for (pair, moves) in moves.chunks_exact_mut(2 * D).enumerate() {
        let mut sums = [Row::<S, D>::splat(simd, 0.0); 2];
        for (&row, own) in rows.iter().zip(own.chunks_exact(D)) {
            let own = Row::read(own, 0);
            let next = &params.next[(row as usize * D + 2 * pair) * D..][..2 * D];
            sums[0] = sums[0].plus(simd, own.times(simd, Row::read(next, 0)));
            sums[1] = sums[1].plus(simd, own.times(simd, Row::read(next, D)));
        }
        sums[0].write(moves, 0);
        sums[1].write(moves, D);
    }
}

impl Factors {
    /// Works out all factors: those of states and those of scenes side by side, where there are threads for it.
    pub fn fill(&mut self, layout: &Layout, params: &Params, index: &Index) {
        let d = layout.decisions();
        self.decisions = d;
        self.stimuli = layout.shape().high.len();
        self.states = index.states;
        self.extras.clear();
        self.own.resize(index.states * self.stimuli * d, 0.0);
        self.inverse_theta.resize(index.states, 0.0);
        // Every number is set below.
        let moves = index.states * d * d;
        self.moves.resize(if moves <= MOST_MOVES { moves } else { 0 }, 0.0);
        self.scenes.resize(index.groups.len(), Scenes::default());
        let mut scenes = std::mem::take(&mut self.scenes);
        side_by_side(
            || self.fill_states(layout, params, index),
            || widest(FillScenes { scenes: &mut scenes, layout, params, index }),
        );
        self.scenes = scenes;
    }

    /// The factors of all states: many of them on several threads, since each is worked out by itself.
    fn fill_states(&mut self, layout: &Layout, params: &Params, index: &Index) {
        let (d, stimuli) = (self.decisions, self.stimuli);
        let own = self.own.chunks_mut((TOGETHER * stimuli * d).max(1));
        let inverses = self.inverse_theta.chunks_mut(TOGETHER);
        // Where moves are worked out tick by tick, there are none to be filled.
        let mut moves = self.moves.chunks_mut(TOGETHER * d * d);
        let blocks = own.zip(inverses).enumerate().map(|(block, (own, inverse_theta))| Block {
            first: block * TOGETHER,
            own,
            inverse_theta,
            moves: moves.next().unwrap_or_default(),
        });
        let fill = |blocks: &mut [Block<'_>]| widest(FillStates { blocks, layout, params, index });
        let mut blocks: Vec<Block<'_>> = blocks.collect();
        if has_helpers() && rayon::current_num_threads() > 1 {
            blocks.par_chunks_mut(PER_THREAD).for_each(fill);
        } else {
            fill(&mut blocks);
        }
    }

    /// The state of a tick: an [`Extra`]'s own, if it has one.
    #[inline(always)]
    pub fn state_at(&self, index: &Index, t: usize) -> usize {
        if self.extras.is_empty() {
            return index.state[t] as usize;
        }
        self.extra_at(t).map_or(index.state[t] as usize, |extra| index.states + extra)
    }

    /// The scene of a tick: an [`Extra`]'s own, if it has one.
    #[inline(always)]
    pub fn scene_at(&self, sights: &Sights, t: usize) -> usize {
        if self.extras.is_empty() {
            return sights.scene[t] as usize;
        }
        self.extra_at(t).map_or(sights.scene[t] as usize, |extra| sights.scenes() + extra)
    }

    #[cold]
    pub fn extra_at(&self, t: usize) -> Option<usize> {
        self.extras.binary_search_by_key(&t, |extra| extra.t).ok()
    }

    /// The state of the index that a state is, or is an extra of.
    #[inline(always)]
    pub fn plain_state(&self, index: &Index, state: usize) -> usize {
        if state < self.states { state } else { index.state[self.extras[state - self.states].t] as usize }
    }

    /// The rows of a state, and its own factors.
    #[inline(always)]
    pub fn rows_and_own<'a>(&'a self, index: &'a Index, state: usize) -> (&'a [u32], &'a [f64]) {
        let (stimuli, plain) = (self.stimuli, self.plain_state(index, state));
        let width = stimuli * self.decisions;
        (&index.rows[plain * stimuli..(plain + 1) * stimuli], &self.own[state * width..(state + 1) * width])
    }

    /// The first decision of a life.
    #[inline(always)]
    pub fn open<const D: usize>(&self, params: &Params, index: &Index, state: usize, now: &mut [f64]) {
        let d = lanes::<D>(self.decisions);
        let (rows, own) = self.rows_and_own(index, state);
        now.fill(0.0);
        for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
            let first = &params.first[row as usize * d..][..d];
            now.iter_mut().zip(own).zip(first).for_each(|((now, own), first)| *now += own * first);
        }
    }

    /// `now = before · M`.
    #[inline(always)]
    pub fn advance<const D: usize>(
        &self,
        params: &Params,
        index: &Index,
        state: usize,
        before: &[f64],
        now: &mut [f64],
    ) {
        let d = lanes::<D>(self.decisions);
        now.fill(0.0);
        if !self.moves.is_empty() {
            let moves = &self.moves[state * d * d..(state + 1) * d * d];
            for (&alpha, moves) in before[..d].iter().zip(moves.chunks_exact(d)) {
                add_scaled::<D>(now, alpha, moves);
            }
            return;
        }
        let (rows, own) = self.rows_and_own(index, state);
        let mut part = vec![0.0; d];
        for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
            part.fill(0.0);
            let next = &params.next[row as usize * d * d..][..d * d];
            for (&alpha, next) in before[..d].iter().zip(next.chunks_exact(d)) {
                part.iter_mut().zip(next).for_each(|(part, p)| *part += alpha * p);
            }
            now.iter_mut().zip(own).zip(&part).for_each(|((now, own), part)| *now += own * part);
        }
    }

    /// `beta = M · rest`.
    #[inline(always)]
    pub fn retreat<const D: usize>(
        &self,
        params: &Params,
        index: &Index,
        state: usize,
        rest: &[f64],
        beta: &mut [f64],
    ) {
        let d = lanes::<D>(self.decisions);
        if !self.moves.is_empty() {
            let moves = &self.moves[state * d * d..(state + 1) * d * d];
            for (beta, moves) in beta.iter_mut().zip(moves.chunks_exact(d)) {
                *beta = dot(moves, &rest[..d]);
            }
            return;
        }
        let (rows, own) = self.rows_and_own(index, state);
        let mut after = vec![0.0; d];
        beta.fill(0.0);
        for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
            for k in 0..d {
                after[k] = own[k] * rest[k];
            }
            let next = &params.next[row as usize * d * d..][..d * d];
            for (beta, next) in beta.iter_mut().zip(next.chunks_exact(d)) {
                *beta += dot(next, &after);
            }
        }
    }

    /// Works a tick out in logarithms, each factor divided by its greatest value, as a state and scenes of its own; returns
    /// the logarithm of what was divided by.
    #[cold]
    pub fn in_logarithms(&mut self, layout: &Layout, params: &Params, index: &Index, t: usize) -> f64 {
        let d = self.decisions;
        let (stimuli, tied) = (self.stimuli, layout.tied());
        let state = index.state[t] as usize;
        let rows = &index.rows[state * stimuli..(state + 1) * stimuli];
        let mut own = vec![0.0; stimuli * d];
        for (i, (own, &row)) in own.chunks_exact_mut(d).zip(rows).enumerate() {
            own.fill(ln(params.theta[row as usize]) + ln(self.inverse_theta[state]));
            let cells = &index.tied[(state * stimuli + i) * tied.len()..][..tied.len()];
            for (&u, &cell) in tied.iter().zip(cells) {
                let column = &params.reflexive[u][cell as usize * d..][..d];
                own.iter_mut().zip(column).for_each(|(own, &p)| *own += ln(p));
            }
        }
        let mut log_scale = exponentiate(&mut own);
        if !self.moves.is_empty() {
            let at = self.moves.len();
            self.moves.resize(at + d * d, 0.0);
            add_moves(d, params, rows, &own, &mut self.moves[at..]);
        }
        self.own.extend(own);
        let mut shares = Vec::new();
        for (group, (scenes, sights)) in self.scenes.iter_mut().zip(&index.groups).enumerate() {
            let (share, log) = scenes.in_logarithms(layout, params, (group, sights), t);
            log_scale += log;
            shares.push(share);
        }
        self.extras.push(Extra { t, shares });
        log_scale
    }
}

/// `moves = Σ_i own_i m_i`, for numbers that were 0.
#[inline(always)]
fn add_moves(d: usize, params: &Params, rows: &[u32], own: &[f64], moves: &mut [f64]) {
    for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
        let next = &params.next[row as usize * d * d..][..d * d];
        for (moves, next) in moves.chunks_exact_mut(d).zip(next.chunks_exact(d)) {
            moves.iter_mut().zip(own).zip(next).for_each(|((moves, own), next)| *moves += own * next);
        }
    }
}

struct FillStates<'a, 'b> {
    blocks: &'a mut [Block<'b>],
    layout: &'a Layout,
    params: &'a Params,
    index: &'a Index,
}

impl Kernel for FillStates<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let FillStates { blocks, layout, params, index } = self;
        for block in blocks {
            for_decisions!(layout.decisions(), block.fill::<S>(simd, layout, params, index));
        }
    }
}

struct FillScenes<'a> {
    scenes: &'a mut [Scenes],
    layout: &'a Layout,
    params: &'a Params,
    index: &'a Index,
}

impl Kernel for FillScenes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let FillScenes { scenes, layout, params, index } = self;
        for (group, (scenes, sights)) in scenes.iter_mut().zip(&index.groups).enumerate() {
            for_decisions!(layout.decisions(), scenes.fill::<S>(simd, layout, params, (group, sights)));
        }
    }
}

impl Scenes {
    #[inline(always)]
    fn fill<S: Simd, const D: usize>(
        &mut self,
        simd: S,
        layout: &Layout,
        params: &Params,
        (group, sights): (usize, &Sights),
    ) {
        let d = lanes::<D>(layout.decisions());
        let (members, tables) = (layout.members(group), tables_of(params, layout.shape().groups[group]));
        let attention = &params.weights[group];
        self.seen.resize(sights.rows.len() * d, 0.0);
        for (sight, (seen, &row)) in self.seen.chunks_exact_mut(d).zip(&sights.rows).enumerate() {
            let cells = &sights.cells[sight * members.len()..][..members.len()];
            let columns =
                members.iter().zip(cells).map(|(&action, &cell)| (&tables[action], cell as usize * d));
            let factor = sights.factors[sight];
            if D > 0 {
                let mut product = Row::<S, D>::read(attention, row as usize * D);
                for (table, at) in columns {
                    product = product.times(simd, Row::read(table, at));
                }
                if factor != 1.0 {
                    product = product.times(simd, Row::splat(simd, factor));
                }
                product.write(seen, 0);
            } else {
                seen.copy_from_slice(&attention[row as usize * d..][..d]);
                columns.for_each(|(table, at)| multiply::<0>(seen, &table[at..at + d]));
                if factor != 1.0 {
                    seen.iter_mut().for_each(|seen| *seen *= factor);
                }
            }
        }
        let cells = sights.scenes() * d;
        self.emission.resize(cells, 0.0);
        self.inverse_explained.resize(cells, 0.0);
        self.inverse_weight.resize(cells, 0.0);
        for scene in 0..sights.scenes() {
            let here = scene * d..(scene + 1) * d;
            let weight = &mut self.inverse_weight[here.clone()];
            let explained = &mut self.inverse_explained[here.clone()];
            let seen = sights.sights(scene).iter().map(|&sight| sight as usize);
            if D > 0 {
                let (mut all_weight, mut all_seen) =
                    (Row::<S, D>::splat(simd, 0.0), Row::<S, D>::splat(simd, 0.0));
                for sight in seen {
                    all_weight = all_weight.plus(simd, Row::read(attention, sights.rows[sight] as usize * D));
                    all_seen = all_seen.plus(simd, Row::read(&self.seen, sight * D));
                }
                all_weight.write(weight, 0);
                all_seen.write(explained, 0);
            } else {
                weight.fill(0.0);
                explained.fill(0.0);
                for sight in seen {
                    add::<0>(weight, &attention[sights.rows[sight] as usize * d..][..d]);
                    add::<0>(explained, &self.seen[sight * d..][..d]);
                }
            }
            let emission = &mut self.emission[here];
            if sights.sights(scene).is_empty() {
                emission.fill(1.0);
            } else {
                settle(emission, explained, weight);
            }
        }
    }

    /// The scene of a tick in logarithms, added after all others: shares of its sights, and the logarithm it was divided by.
    fn in_logarithms(
        &mut self,
        layout: &Layout,
        params: &Params,
        (group, sights): (usize, &Sights),
        t: usize,
    ) -> (Vec<f64>, f64) {
        let d = layout.decisions();
        let (members, tables) = (layout.members(group), tables_of(params, layout.shape().groups[group]));
        let seen = sights.sights(sights.scene[t] as usize);
        let (mut weight, mut explained, mut emission) = (vec![0.0; d], vec![0.0; d], vec![1.0; d]);
        let mut shares = vec![0.0; seen.len() * d];
        let mut log_scale = 0.0;
        if !seen.is_empty() {
            for (share, &sight) in shares.chunks_exact_mut(d).zip(seen) {
                let sight = sight as usize;
                let attention = &params.weights[group][sights.rows[sight] as usize * d..][..d];
                add::<0>(&mut weight, attention);
                let factor = ln(sights.factors[sight]);
                share.iter_mut().zip(attention).for_each(|(share, &weight)| *share = ln(weight) + factor);
                let cells = &sights.cells[sight * members.len()..][..members.len()];
                for (&action, &cell) in members.iter().zip(cells) {
                    let column = &tables[action][cell as usize * d..][..d];
                    share.iter_mut().zip(column).for_each(|(share, &p)| *share += ln(p));
                }
            }
            log_scale = exponentiate(&mut shares);
            shares.chunks_exact(d).for_each(|share| add::<0>(&mut explained, share));
            settle(&mut emission, &mut explained, &mut weight);
            shares.chunks_exact_mut(d).for_each(|share| multiply::<0>(share, &explained));
            // Factors of several groups may still vanish together.
            let most = emission.iter().copied().fold(0.0, f64::max);
            if most > 0.0 {
                emission.iter_mut().for_each(|emission| *emission /= most);
                log_scale += ln(most);
            }
        }
        self.emission.extend(emission);
        self.inverse_explained.extend(explained);
        self.inverse_weight.extend(weight);
        (shares, log_scale)
    }
}

/// What all sights explain, divided by all attention; both are then replaced by one over them.
#[inline(always)]
fn settle(emission: &mut [f64], explained: &mut [f64], weight: &mut [f64]) {
    for ((emission, explained), weight) in emission.iter_mut().zip(explained).zip(weight) {
        let inverse = 1.0 / *weight;
        *weight = if *weight > 0.0 { inverse } else { 0.0 };
        *emission = *explained * *weight;
        // One over a vanishing number is none: such a tick is worked out again in logarithms.
        let divide = 1.0 / *explained;
        *explained = if divide.is_finite() { divide } else { 0.0 };
    }
}

/// The tables of a level's actions.
#[inline(always)]
fn tables_of(params: &Params, level: Level) -> &[Vec<f64>] {
    match level {
        Level::High => &params.reflexive,
        Level::Low => &params.external,
    }
}

/// Exponentials after subtracting the greatest; returns the greatest, 0 if all are minus infinity.
fn exponentiate(logs: &mut [f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        logs.fill(0.0);
        return 0.0;
    }
    logs.iter_mut().for_each(|log| *log = exp(*log - most));
    most
}
