//! Learning by imitation: EM over sequences (Tencé 2011, section 3.4).
//!
//! Each iteration gathers expected counts from all sequences on all cores and divides them ([`maximise`](mod@crate::maximise)).
//! Sequences lie in pieces that depend on their lengths alone, and the pieces' counts are added in order: the result is the same
//! for any number of threads.
//!
//! Differs from the paper: several sequences at once; stops on `ln P(A | S)`, which the forward pass gives, not on the
//! expected `Q`, which can fall while the likelihood still rises; several random starts, the likeliest result wins; attention
//! can be learned; optionally each sequence is explained with tables learned from the others (*cross-fitting*), so that a
//! stimulus of many values cannot win attention by memorising the play.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_prob::Stream;
use thiserror::Error;

use crate::counts::{ExpectedCounts, Met, Part};
use crate::index::Index;
use crate::layout::Layout;
use crate::maximise::{self, Attention};
use crate::model::Model;
use crate::params::{Params, ParamsError};
use crate::pass::{Impossible, Pass};
use crate::recipe::Recipe;
use crate::sequence::Sequence;
use crate::smooth::{self, Pooling};

/// How to learn.
///
/// ```
/// use repertoire_chameleon::{Attention, EmSettings, Pooling};
///
/// // Attention as the model's author wrote it; values learn from their neighbours.
/// let settings = EmSettings {
///     attention: Attention::Fixed,
///     pooling: Some(Pooling::default()),
///     ..EmSettings::default()
/// };
/// assert_eq!(settings.starts, 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EmSettings {
    /// Re-estimations at most, of each start. The thesis needs 30 to 100.
    pub iterations: usize,
    /// Stop once an iteration gains less than this in log-likelihood a tick; 0 runs all iterations.
    pub least_gain: f64,
    /// Virtual counts on each cell of every distribution. 0 is maximum likelihood; with attention learned, 0.5 to 1 keeps stimuli
    /// of many values from memorising.
    pub virtual_counts: f64,
    /// Whether attention is learned, and with which prior.
    pub attention: Attention,
    /// Random starts; the likeliest result is kept. Not used when going on from earlier numbers.
    pub starts: usize,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
    /// Draw each distribution towards those of neighbouring values ([`smooth`]), instead of virtual counts. Best where
    /// values are many and play is short; the likelihood may then fall a little between iterations.
    pub pooling: Option<Pooling>,
    /// Explain each of this many parts with tables learned from the others; 0 or 1 for plain EM.
    pub folds: usize,
}

impl Default for EmSettings {
    fn default() -> Self {
        EmSettings {
            iterations: 100,
            least_gain: 1e-4,
            virtual_counts: 0.5,
            attention: Attention::LEARNED,
            starts: 3,
            seed: 1,
            pooling: None,
            folds: 0,
        }
    }
}

impl EmSettings {
    /// How tables follow from counts.
    pub fn recipe(&self) -> Recipe {
        Recipe { pooling: self.pooling, virtual_counts: self.virtual_counts }
    }

    /// The M-step.
    pub(crate) fn maximise_all(
        &self,
        layout: &Layout,
        params: &mut Params,
        counts: &ExpectedCounts,
        met: &Met,
    ) {
        self.maximise(layout, params, counts, met);
        self.maximise_attention(layout, params, counts);
    }

    fn maximise(&self, layout: &Layout, params: &mut Params, counts: &ExpectedCounts, met: &Met) {
        match self.pooling {
            Some(pooling) => smooth::tables(layout, params, counts, pooling),
            None => maximise::tables(layout, params, counts, self.virtual_counts, met),
        }
    }

    fn maximise_attention(&self, layout: &Layout, params: &mut Params, counts: &ExpectedCounts) {
        match self.pooling {
            Some(pooling) => smooth::attention(layout, params, counts, self.attention, pooling),
            None => maximise::attention(params, counts, self.attention),
        }
    }
}

/// How far learning is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which start, the first being 0.
    pub start: usize,
    /// Which iteration, the first being 0.
    pub iteration: usize,
    /// `ln P(A | S)` before it.
    pub log_likelihood: f64,
}

/// Why nothing was learned.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LearnError {
    /// There is not one tick.
    #[error("there is nothing to learn from: no sequence has a tick")]
    Nothing,
    /// A sequence that the numbers hold for impossible.
    #[error("sequence {sequence}: {why}")]
    Impossible {
        /// Which.
        sequence: usize,
        /// Where in it.
        why: Impossible,
    },
    /// Numbers to go on from that do not fit the model.
    #[error(transparent)]
    Params(#[from] ParamsError),
}

/// The result of one run of EM.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The numbers.
    pub params: Params,
    /// The expected counts under these numbers, with those that learning went on from.
    pub counts: ExpectedCounts,
    /// How its tables follow from its counts.
    pub recipe: Recipe,
    /// `ln P(A | S)` before each iteration and after the last.
    pub log_likelihood: Vec<f64>,
    /// Which start won.
    pub start: usize,
}

/// Iterations after which the likeliest start alone goes on. Later overtaking is rare and gains little: see the test
/// `the_start_that_leads_early_is_nearly_as_good_as_the_best`.
pub(crate) const SCREENED: usize = 10;

/// Learns a model's numbers from random starts: all of them for a few iterations, the likeliest to the end.
pub fn from_scratch(
    model: &Model,
    sequences: &[Sequence],
    settings: &EmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    let layout = model.layout();
    let compiled = Arc::new(Compiled::new(layout, sequences, settings.folds));
    let climb = |start: usize, until: usize| -> Result<Climb<'_>, LearnError> {
        let mut stream = Stream::new(settings.seed, start as u64, "chameleon start");
        let params = Params::random(layout, &mut stream).with_attention_of(model);
        let mut climb = Climb::new(layout, params, None, Arc::clone(&compiled), settings)?;
        climb.start = start;
        climb.until(until, progress)?;
        Ok(climb)
    };
    let starts = settings.starts.max(1);
    if starts == 1 {
        return climb(0, usize::MAX).map(Climb::finish);
    }
    let tried: Vec<Result<Climb<'_>, LearnError>> =
        (0..starts).into_par_iter().map(|start| climb(start, SCREENED)).collect();
    let mut best: Option<Climb<'_>> = None;
    for climb in tried {
        let climb = climb?;
        if best.as_ref().is_none_or(|best| climb.now() > best.now()) {
            best = Some(climb);
        }
    }
    let mut best = best.ok_or(LearnError::Nothing)?;
    best.until(usize::MAX, progress)?;
    Ok(best.finish())
}

/// Learns on from some numbers.
pub fn from_params(
    layout: &Layout,
    params: Params,
    sequences: &[Sequence],
    settings: &EmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    run(layout, params, None, sequences, settings, progress)
}

/// Learns on from some numbers and the counts they were learned from: each M-step divides old and new counts together. This is
/// how lives and teachers are merged, instead of eq. 3.107.
pub fn from_params_and_counts(
    layout: &Layout,
    params: Params,
    base: &ExpectedCounts,
    sequences: &[Sequence],
    settings: &EmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    run(layout, params, Some(base), sequences, settings, progress)
}

fn run(
    layout: &Layout,
    params: Params,
    base: Option<&ExpectedCounts>,
    sequences: &[Sequence],
    settings: &EmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    // On a thread that shares its work, so that even one short life has all cores.
    rayon::scope(|_| {
        let compiled = Arc::new(Compiled::new(layout, sequences, settings.folds));
        let mut climb = Climb::new(layout, params, base, compiled, settings)?;
        climb.until(usize::MAX, progress)?;
        Ok(climb.finish())
    })
}

/// EM from one start: E-steps and M-steps in turn, the last one an E-step.
struct Climb<'a> {
    layout: &'a Layout,
    settings: &'a EmSettings,
    base: Option<&'a ExpectedCounts>,
    /// Old and new counts, where there are old ones.
    together: Option<ExpectedCounts>,
    params: Params,
    expectation: Expectation,
    log_likelihood: Vec<f64>,
    start: usize,
}

impl<'a> Climb<'a> {
    fn new(
        layout: &'a Layout,
        params: Params,
        base: Option<&'a ExpectedCounts>,
        compiled: Arc<Compiled>,
        settings: &'a EmSettings,
    ) -> Result<Self, LearnError> {
        if compiled.ticks == 0 {
            return Err(LearnError::Nothing);
        }
        params.check(layout)?;
        let expectation = Expectation::over(layout, compiled);
        let (together, log_likelihood) = (base.cloned(), Vec::new());
        Ok(Climb { layout, settings, base, together, params, expectation, log_likelihood, start: 0 })
    }

    /// `ln P(A | S)` now.
    fn now(&self) -> f64 {
        self.log_likelihood.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Climbs on until settled, or for `most` iterations in all.
    fn until(&mut self, most: usize, progress: &(dyn Fn(Progress) + Sync)) -> Result<(), LearnError> {
        let most = most.min(self.settings.iterations);
        if self.log_likelihood.is_empty() {
            self.expect(progress)?;
        }
        while self.log_likelihood.len() <= most && !self.is_settled() {
            self.maximise();
            self.expect(progress)?;
        }
        Ok(())
    }

    fn is_settled(&self) -> bool {
        let [.., before, now] = self.log_likelihood[..] else { return false };
        let least = self.settings.least_gain * self.expectation.compiled.ticks as f64;
        // Folds differ in the first iteration for the first time: their likelihood falls once.
        let is_fair = self.settings.folds < 2 || self.log_likelihood.len() > 2;
        self.settings.least_gain > 0.0 && now - before < least && is_fair
    }

    fn expect(&mut self, progress: &(dyn Fn(Progress) + Sync)) -> Result<(), LearnError> {
        let log_likelihood = self.expectation.gather_with(self.layout, &self.params, self.settings)?;
        progress(Progress { start: self.start, iteration: self.log_likelihood.len(), log_likelihood });
        self.log_likelihood.push(log_likelihood);
        Ok(())
    }

    fn maximise(&mut self) {
        let met = self.expectation.met();
        let counts = match (&mut self.together, self.base) {
            (Some(together), Some(base)) => {
                together.clone_from(base);
                together.add_met(self.layout, self.expectation.total(), met);
                &*together
            }
            _ => self.expectation.total(),
        };
        self.settings.maximise_all(self.layout, &mut self.params, counts, met);
    }

    /// The numbers that follow from the last counts. While climbing, those of values that the play never meets were left alone.
    fn finish(self) -> Run {
        let Climb { layout, settings, base, mut params, expectation, log_likelihood, start, .. } = self;
        let mut counts = expectation.total;
        if let Some(base) = base {
            counts.add(base, 1.0);
        }
        settings.maximise_all(layout, &mut params, &counts, &Met::all(layout));
        Run { params, counts, recipe: settings.recipe(), log_likelihood, start }
    }
}

/// The most pieces that are gathered on their own. A number that does not depend on the machine.
const PIECES: usize = 8;

/// Sequences laid out for the E-step, in pieces.
struct Compiled {
    met: Met,
    pieces: Vec<Piece>,
    ticks: usize,
    folds: usize,
}

struct Piece {
    sequences: std::ops::Range<usize>,
    /// What they look up.
    index: Index,
    fold: usize,
}

impl Compiled {
    fn new(layout: &Layout, sequences: &[Sequence], folds: usize) -> Self {
        let folds = if folds < 2 { 1 } else { folds.min(sequences.len()).max(1) };
        let wanted = PIECES.div_ceil(folds).max(1) * folds;
        let ranges = pieces(sequences, wanted.min(sequences.len()));
        let count = ranges.len();
        let piece = |(number, range): (usize, std::ops::Range<usize>)| Piece {
            index: Index::of(layout, &sequences[range.clone()]),
            sequences: range,
            fold: number * folds / count.max(1),
        };
        let pieces = ranges.into_par_iter().enumerate().map(piece).collect();
        let ticks = sequences.iter().map(Sequence::len).sum();
        Compiled { met: Met::of(layout, sequences), pieces, ticks, folds }
    }
}

/// The E-step over many sequences.
pub struct Expectation {
    compiled: Arc<Compiled>,
    /// For each piece.
    passes: Vec<Pass>,
    /// For each fold numbers with tables learned from all others, from the second time on.
    folds: Vec<Params>,
    total: ExpectedCounts,
    gathered: bool,
}

impl Expectation {
    /// Room for the counts of some sequences.
    pub fn new(layout: &Layout, sequences: &[Sequence], folds: usize) -> Self {
        Expectation::over(layout, Arc::new(Compiled::new(layout, sequences, folds)))
    }

    fn over(layout: &Layout, compiled: Arc<Compiled>) -> Self {
        let mut total = ExpectedCounts::new(layout);
        compiled.pieces.iter().for_each(|piece| total.meet(layout, &piece.index, 1.0));
        let passes = compiled.pieces.iter().map(|_| Pass::new()).collect();
        Expectation { compiled, passes, folds: Vec::new(), total, gathered: false }
    }

    /// Expected counts of all sequences; returns `ln P(A | S)`.
    pub fn gather(&mut self, layout: &Layout, params: &Params) -> Result<f64, LearnError> {
        self.gather_with(layout, params, &EmSettings::default())
    }

    fn gather_with(
        &mut self,
        layout: &Layout,
        params: &Params,
        settings: &EmSettings,
    ) -> Result<f64, LearnError> {
        let compiled = Arc::clone(&self.compiled);
        if compiled.folds > 1 && self.gathered {
            self.cross_fit(layout, params, settings);
        }
        let Expectation { passes, folds, total, .. } = self;
        let gather = |(piece, pass): (&Piece, &mut Pass)| -> Result<f64, LearnError> {
            let params = folds.get(piece.fold).unwrap_or(params);
            let found = pass.forward_by(layout, params, &piece.index).map_err(|error| {
                LearnError::Impossible { sequence: piece.sequences.start + error.sequence, why: error.why }
            })?;
            pass.backward_by(layout, params, &piece.index);
            Ok(found)
        };
        // One life alone is learned where it is: handing it to another thread would take longer than a short one.
        let found: Vec<Result<f64, LearnError>> = match (&compiled.pieces[..], &mut passes[..]) {
            ([piece], [pass]) => vec![gather((piece, pass))],
            (pieces, passes) => pieces.par_iter().zip(passes).map(gather).collect(),
        };
        total.log_likelihood = 0.0;
        for found in found {
            total.log_likelihood += found?;
        }
        let parts = parts(&compiled, passes, |piece| folds.get(piece.fold).unwrap_or(params));
        total.pour(layout, &compiled.met, &parts);
        self.gathered = true;
        Ok(self.total.log_likelihood)
    }

    /// From the second time on each fold is explained by tables from the counts of the others.
    fn cross_fit(&mut self, layout: &Layout, params: &Params, settings: &EmSettings) {
        let Expectation { compiled, passes, folds, .. } = self;
        let before = &*folds;
        let others = (0..compiled.folds).into_par_iter().map(|fold| {
            let mut counts = ExpectedCounts::new(layout);
            let all = parts(compiled, passes, |piece| before.get(piece.fold).unwrap_or(params));
            let all = all.into_iter().zip(&compiled.pieces).filter(|(_, piece)| piece.fold != fold);
            for (part, _) in all {
                counts.gather(layout, part);
            }
            // Rows that only this fold met are unknown to the others: virtual counts alone.
            counts.high_met.iter_mut().for_each(|met| *met += 1e-300);
            counts.low_met.iter_mut().for_each(|met| *met += 1e-300);
            let mut params = params.clone();
            let virtual_counts = settings.virtual_counts.max(1e-3);
            let settings = EmSettings { virtual_counts, ..settings.clone() };
            settings.maximise(layout, &mut params, &counts, &compiled.met);
            params
        });
        *folds = others.collect();
    }

    /// The counts of all sequences.
    pub fn total(&self) -> &ExpectedCounts {
        &self.total
    }

    fn met(&self) -> &Met {
        &self.compiled.met
    }
}

/// Pieces with what was found of them.
fn parts<'a>(
    compiled: &'a Compiled,
    passes: &'a [Pass],
    params: impl Fn(&Piece) -> &'a Params,
) -> Vec<Part<'a>> {
    let part = |(piece, pass): (&'a Piece, &'a Pass)| Part {
        index: &piece.index,
        pass,
        params: params(piece),
        weight: 1.0,
    };
    compiled.pieces.iter().zip(passes).map(part).collect()
}

/// Neighbouring sequences in at most `wanted` pieces of about as many ticks.
fn pieces(sequences: &[Sequence], wanted: usize) -> Vec<std::ops::Range<usize>> {
    let total: usize = sequences.iter().map(Sequence::len).sum();
    let mut ranges = Vec::new();
    let (mut first, mut ticks) = (0, 0);
    for (index, sequence) in sequences.iter().enumerate() {
        ticks += sequence.len();
        // The last sequence of a piece is the one that reaches its share of all ticks.
        let left = sequences.len() - index - 1;
        let open = wanted - ranges.len();
        if open > 1 && (ticks * wanted >= total * (ranges.len() + 1) || left < open) && left > 0 {
            ranges.push(first..index + 1);
            first = index + 1;
        }
    }
    if first < sequences.len() {
        ranges.push(first..sequences.len());
    }
    ranges
}

/// `ln P(A | S)` of a sequence.
pub fn log_likelihood(
    layout: &Layout,
    params: &Params,
    sequence: &Sequence,
    pass: &mut Pass,
) -> Result<f64, Impossible> {
    pass.forward(layout, params, sequence)
}
