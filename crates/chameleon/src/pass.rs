//! Forward and backward through sequences, with attention summed out tick by tick.
//!
//! ```text
//! α_d^t ∝ E_d^t Σ_d' M_{d',d}^t α_d'^{t-1}       M_{d',d} = Σ_i w_i N_{i,d} m_i(d | d', h_i)
//! w_i = θ_i(h_i) / Σ_x θ_x(h_x)                 N_{i,d} = Π_u n_ui(r_u | d, h_i)
//! E_d = Π_g Σ_{j∈K} λ_gj(d, l_j) Π_f o_fj(e_f | d, l_j) / Σ_{j∈K} λ_gj(d, l_j)
//! ```
//! — Tencé 2011, eq. 3.44 to 3.92. Given the decision, what is attended to at one level is independent of the other level
//! and of all other ticks, so the product of the hidden states is never formed. `M` and `E` are worked out once for ticks
//! that are alike (`index`); then a tick costs decisions².
//!
//! | paper        | code                    | meaning                                        |
//! |--------------|-------------------------|------------------------------------------------|
//! | `α_d^t`      | [`Pass::alpha`]         | `P(D = d \| actions so far)`, sums to 1 (3.42)  |
//! | `β_d^t`      | `beta`                  | what the rest says of `d`, scaled (3.53)       |
//! | `E β / scale`| `rest`                  | what this tick and the rest say of `d`         |
//! | `M`          | `Factors::moves`        | from one decision to the next                  |
//! | `E`          | `Scenes::emission`      | what external actions say of `d`               |
//!
//! From `alpha` and `rest` follow all expected counts: see [`counts`](crate::counts).
//!
//! Differs from the paper: the misprints of 3.45, 3.52 and 3.63; both passes scaled by `P(actions at t | those before)`, so
//! that the forward pass gives `ln P(A | S)`. With nothing known (K empty) a group's actions say nothing: their factor is 1
//! and nothing is attended to. A decision that gives no known stimulus any attention is impossible at that tick.

use pulp::Simd;
use repertoire_prob::num::ln;
use thiserror::Error;

use crate::factors::{Factors, Scenes};
use crate::index::Index;
use crate::layout::{Layout, Level};
use crate::params::Params;
use crate::sequence::{Sequence, UNKNOWN};
use crate::wide::{Kernel, multiply, widest};

/// A tick that no decision explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("what was done at tick {tick} is impossible for every decision")]
pub struct Impossible {
    /// Which, the first being 0.
    pub tick: usize,
}

/// A sequence of several that cannot be explained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpossibleIn {
    /// Which sequence of the index.
    pub sequence: usize,
    pub why: Impossible,
}

/// Workspace for passes through sequences; what it holds is of the last one.
///
/// ```
/// use repertoire_chameleon::{Layout, Params, Pass, Sequence};
///
/// let layout = Layout::plain(2, &[2], &[3], &[], &[4])?;
/// let mut life = Sequence::new(&layout);
/// life.push(&layout, &[1], &[Some(2)], &[], |_, _| 3)?;
/// // One action of four, each as probable as the others.
/// let log_likelihood = Pass::new().forward(&layout, &Params::uniform(&layout), &life)?;
/// assert!((log_likelihood - 0.25f64.ln()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pass {
    index: Index,
    pub(crate) factors: Factors,
    /// `[t][d]`.
    pub(crate) alpha: Vec<f64>,
    /// `[t]`: `P(actions at t | those before)`, scaled as the tick's factors were.
    scale: Vec<f64>,
    /// `[t][d]`, of the last backward pass.
    pub(crate) rest: Vec<f64>,
    /// `[t][d]`: `P(D = d | all actions)`, of the last backward pass.
    pub(crate) decision: Vec<f64>,
}

/// Below this a tick is worked out again in logarithms.
const SMALL: f64 = 1e-200;

/// The number of decisions as the compiler knows it: 0 stands for any. Loops of a known length need no counting.
#[inline(always)]
pub(crate) fn lanes<const D: usize>(decisions: usize) -> usize {
    if D == 0 { decisions } else { D }
}

/// Calls a function for the number of decisions, known to the compiler for the usual ones.
macro_rules! for_decisions {
    ($decisions:expr, $self:ident . $function:ident $(::<$simd:ident>)? ( $($argument:expr),* )) => {
        match $decisions {
            4 => $self.$function::<$($simd,)? 4>($($argument),*),
            8 => $self.$function::<$($simd,)? 8>($($argument),*),
            10 => $self.$function::<$($simd,)? 10>($($argument),*),
            12 => $self.$function::<$($simd,)? 12>($($argument),*),
            _ => $self.$function::<$($simd,)? 0>($($argument),*),
        }
    };
}
pub(crate) use for_decisions;

impl Pass {
    /// An empty workspace.
    pub fn new() -> Self {
        Pass::default()
    }

    /// `P(D_t = d | actions up to t)`, `[t][d]`, of the last forward pass.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Runs forward; returns `ln P(A | S)`.
    pub fn forward(
        &mut self,
        layout: &Layout,
        params: &Params,
        sequence: &Sequence,
    ) -> Result<f64, Impossible> {
        let index = Index::of(layout, std::iter::once(sequence));
        let found = self.forward_by(layout, params, &index).map_err(|error| error.why);
        self.index = index;
        found
    }

    /// What the sequence of the last [`Pass::forward`] looks up.
    pub(crate) fn take_index(&mut self) -> Index {
        std::mem::take(&mut self.index)
    }

    /// Forward through sequences whose cells were found before; the sum of their `ln P(A | S)`.
    pub(crate) fn forward_by(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
    ) -> Result<f64, ImpossibleIn> {
        let d = layout.decisions();
        // Every cell that is read is written before, so that nothing needs to be cleared.
        self.alpha.resize(index.ticks() * d, 0.0);
        self.scale.resize(index.ticks(), 0.0);
        self.factors.fill(layout, params, index);
        widest(Forward { pass: self, layout, params, index })
    }

    #[inline(always)]
    fn forward_of<const D: usize>(
        &mut self,
        layout: &Layout,
        params: &Params,
        index: &Index,
    ) -> Result<f64, ImpossibleIn> {
        let mut log_likelihood = repertoire_prob::num::Sum::default();
        for (sequence, ticks) in index.sequences.iter().enumerate() {
            // The logarithm of a product is that of its factors: as many ticks together as cannot underflow.
            let mut product = 1.0;
            for t in ticks.clone() {
                let is_first = t == ticks.start;
                let mut total = self.step::<D>(params, index, t, is_first);
                let mut log_scale = 0.0;
                if total.is_nan() || total <= SMALL {
                    log_scale = self.factors.in_logarithms(layout, params, index, t);
                    total = self.step::<D>(params, index, t, is_first);
                    if total.is_nan() || total <= 0.0 {
                        let why = Impossible { tick: t - ticks.start };
                        return Err(ImpossibleIn { sequence, why });
                    }
                }
                let d = lanes::<D>(self.factors.decisions);
                let inverse = 1.0 / total;
                let alpha = &mut self.alpha[t * d..(t + 1) * d];
                if inverse.is_finite() {
                    alpha.iter_mut().for_each(|alpha| *alpha *= inverse);
                } else {
                    alpha.iter_mut().for_each(|alpha| *alpha /= total);
                }
                self.scale[t] = total;
                if log_scale == 0.0 && (1e-150..1e150).contains(&(product * total)) {
                    product *= total;
                } else {
                    log_likelihood.add(ln(product));
                    log_likelihood.add(ln(total) + log_scale);
                    product = 1.0;
                }
            }
            log_likelihood.add(ln(product));
        }
        Ok(log_likelihood.value())
    }

    /// The unnormalised `alpha` of a tick; returns its sum.
    #[inline(always)]
    fn step<const D: usize>(&mut self, params: &Params, index: &Index, t: usize, is_first: bool) -> f64 {
        let d = lanes::<D>(self.factors.decisions);
        let (before, now) = self.alpha.split_at_mut(t * d);
        let now = &mut now[..d];
        let state = self.factors.state_at(index, t);
        if is_first {
            self.factors.open::<D>(params, index, state, now);
        } else {
            self.factors.advance::<D>(params, index, state, &before[(t - 1) * d..], now);
        }
        for (scenes, sights) in self.factors.scenes.iter().zip(&index.groups) {
            let scene = self.factors.scene_at(sights, t);
            multiply::<D>(now, &scenes.emission[scene * d..(scene + 1) * d]);
        }
        now.iter().sum()
    }

    /// Runs backward over the sequences of the last forward pass: fills `rest`, `decision`, and how much of each scene's
    /// ticks each decision had.
    pub(crate) fn backward_by(&mut self, layout: &Layout, params: &Params, index: &Index) {
        let d = layout.decisions();
        self.rest.resize(index.ticks() * d, 0.0);
        self.decision.resize(index.ticks() * d, 0.0);
        for scenes in &mut self.factors.scenes {
            scenes.decided.clear();
            scenes.decided.resize(scenes.emission.len(), 0.0);
        }
        widest(Backward { pass: self, params, index });
    }

    #[inline(always)]
    fn backward_of<const D: usize>(&mut self, params: &Params, index: &Index) {
        let d = lanes::<D>(self.factors.decisions);
        let mut beta = vec![1.0; d];
        let mut emission = vec![1.0; d];
        for ticks in index.sequences.iter().rev() {
            beta[..d].fill(1.0);
            for t in ticks.clone().rev() {
                let at = t * d..(t + 1) * d;
                emission[..d].fill(1.0);
                let (alpha, decision) = (&self.alpha[at.clone()], &mut self.decision[at.clone()]);
                for k in 0..d {
                    decision[k] = alpha[k] * beta[k];
                }
                for (group, sights) in index.groups.iter().enumerate() {
                    let scene = self.factors.scene_at(sights, t);
                    let Scenes { emission: scene_emission, decided, .. } = &mut self.factors.scenes[group];
                    let here = scene * d..(scene + 1) * d;
                    multiply::<D>(&mut emission[..d], &scene_emission[here.clone()]);
                    decided[here].iter_mut().zip(&*decision).for_each(|(into, p)| *into += p);
                }
                let inverse = 1.0 / self.scale[t];
                let rest = &mut self.rest[at];
                for k in 0..d {
                    rest[k] = emission[k] * beta[k] * inverse;
                }
                if t > ticks.start {
                    let state = self.factors.state_at(index, t);
                    self.factors.retreat::<D>(params, index, state, rest, &mut beta[..d]);
                    // Where alpha vanished beta may run away; their product is what counts, and it is at most 1.
                    beta[..d].iter_mut().for_each(|beta| *beta = beta.min(1e290));
                }
            }
        }
    }
}

struct Forward<'a> {
    pass: &'a mut Pass,
    layout: &'a Layout,
    params: &'a Params,
    index: &'a Index,
}

impl Kernel for Forward<'_> {
    type Output = Result<f64, ImpossibleIn>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Output {
        let Forward { pass, layout, params, index } = self;
        for_decisions!(layout.decisions(), pass.forward_of(layout, params, index))
    }
}

struct Backward<'a> {
    pass: &'a mut Pass,
    params: &'a Params,
    index: &'a Index,
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Backward { pass, params, index } = self;
        let d = pass.factors.decisions;
        for_decisions!(d, pass.backward_of(params, index));
        for (scenes, sights) in pass.factors.scenes.iter_mut().zip(&index.groups) {
            for_decisions!(d, scenes.sum_sights(d, sights));
        }
    }
}

impl Pass {
    /// Multiplies all counts that the last backward pass gave.
    pub(crate) fn weigh(&mut self, weight: f64) {
        let scenes =
            self.factors.scenes.iter_mut().flat_map(|one| [&mut one.decided, &mut one.used, &mut one.over]);
        let all = std::iter::once(&mut self.rest).chain(scenes).flatten();
        all.for_each(|count| *count *= weight);
    }
}

/// The row of what a group may attend to in a slot, if it is known.
#[inline]
pub(crate) fn slot_row(
    layout: &Layout,
    sequence: &Sequence,
    level: Level,
    t: usize,
    slot: usize,
) -> Option<usize> {
    match level {
        Level::High => Some(layout.high_row(slot, sequence.high(t)[slot].into())),
        Level::Low => {
            let value = sequence.slots(t)[slot];
            (value != UNKNOWN).then(|| layout.low_row(layout.slots()[slot], value.into()))
        }
    }
}
