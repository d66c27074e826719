//! What ticks say by themselves: own factors of states, of sights and of scenes, each worked out once.

use repertoire_prob::num::{exp, ln};

use crate::index::{Index, Sights};
use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::pass::{for_decisions, lanes};
use crate::wide::{
    Kernel, add, add_all, add_scaled, dot, multiply, multiply_all, read, side_by_side, widest,
};

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
        self.moves.clear();
        if index.states * d * d <= MOST_MOVES {
            self.moves.resize(index.states * d * d, 0.0);
        }
        self.scenes.resize(index.groups.len(), Scenes::default());
        let mut scenes = std::mem::take(&mut self.scenes);
        side_by_side(
            || widest(FillStates { factors: self, layout, params, index }),
            || widest(FillScenes { scenes: &mut scenes, layout, params, index }),
        );
        self.scenes = scenes;
    }

    #[inline(always)]
    fn fill_states<const D: usize>(&mut self, layout: &Layout, params: &Params, index: &Index) {
        let d = lanes::<D>(self.decisions);
        let (stimuli, tied) = (self.stimuli, layout.tied());
        for state in 0..index.states {
            let rows = &index.rows[state * stimuli..(state + 1) * stimuli];
            let total: f64 = rows.iter().map(|&row| params.theta[row as usize]).sum();
            let inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
            self.inverse_theta[state] = inverse;
            let own = &mut self.own[state * stimuli * d..(state + 1) * stimuli * d];
            for (i, (own, &row)) in own.chunks_exact_mut(d).zip(rows).enumerate() {
                let cells = &index.tied[(state * stimuli + i) * tied.len()..][..tied.len()];
                let columns =
                    tied.iter().zip(cells).map(|(&u, &cell)| (&*params.reflexive[u], cell as usize * d));
                own.fill(params.theta[row as usize] * inverse);
                multiply_all::<D>(own, columns);
            }
            if !self.moves.is_empty() {
                let moves = &mut self.moves[state * d * d..(state + 1) * d * d];
                add_moves::<D>(d, params, rows, own, moves);
            }
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
            add_moves::<0>(d, params, rows, &own, &mut self.moves[at..]);
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
fn add_moves<const D: usize>(d: usize, params: &Params, rows: &[u32], own: &[f64], moves: &mut [f64]) {
    let d = lanes::<D>(d);
    if D > 0 {
        // Row by row of the result, whose sums then stay in registers; the order of each sum is the same.
        for (before, moves) in moves.chunks_exact_mut(d).enumerate() {
            let mut sum = [0.0; D];
            for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
                let own: [f64; D] = read(own, 0);
                let next: [f64; D] = read(&params.next, (row as usize * d + before) * d);
                sum = std::array::from_fn(|k| sum[k] + own[k] * next[k]);
            }
            moves.copy_from_slice(&sum);
        }
        return;
    }
    for (&row, own) in rows.iter().zip(own.chunks_exact(d)) {
        let next = &params.next[row as usize * d * d..][..d * d];
        for (moves, next) in moves.chunks_exact_mut(d).zip(next.chunks_exact(d)) {
            moves.iter_mut().zip(own).zip(next).for_each(|((moves, own), next)| *moves += own * next);
        }
    }
}

struct FillStates<'a> {
    factors: &'a mut Factors,
    layout: &'a Layout,
    params: &'a Params,
    index: &'a Index,
}

impl Kernel for FillStates<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FillStates { factors, layout, params, index } = self;
        for_decisions!(layout.decisions(), factors.fill_states(layout, params, index));
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
    fn run(self) {
        let FillScenes { scenes, layout, params, index } = self;
        for (group, (scenes, sights)) in scenes.iter_mut().zip(&index.groups).enumerate() {
            for_decisions!(layout.decisions(), scenes.fill(layout, params, (group, sights)));
        }
    }
}

impl Scenes {
    #[inline(always)]
    fn fill<const D: usize>(&mut self, layout: &Layout, params: &Params, (group, sights): (usize, &Sights)) {
        let d = lanes::<D>(layout.decisions());
        let (members, tables) = (layout.members(group), tables_of(params, layout.shape().groups[group]));
        let attention = &params.weights[group];
        self.seen.resize(sights.rows.len() * d, 0.0);
        for (sight, (seen, &row)) in self.seen.chunks_exact_mut(d).zip(&sights.rows).enumerate() {
            seen.copy_from_slice(&attention[row as usize * d..][..d]);
            let cells = &sights.cells[sight * members.len()..][..members.len()];
            let columns = members.iter().zip(cells);
            multiply_all::<D>(seen, columns.map(|(&action, &cell)| (&*tables[action], cell as usize * d)));
            let factor = sights.factors[sight];
            if factor != 1.0 {
                seen.iter_mut().for_each(|seen| *seen *= factor);
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
            add_all::<D>(weight, seen.clone().map(|sight| (&**attention, sights.rows[sight] as usize * d)));
            add_all::<D>(explained, seen.map(|sight| (&*self.seen, sight * d)));
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
