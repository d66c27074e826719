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

use rayon::prelude::*;
use repertoire_prob::Stream;
use thiserror::Error;

use crate::counts::{Counts, Met};
use crate::index::Index;
use crate::layout::Layout;
use crate::maximise::{self, Attention};
use crate::model::Model;
use crate::params::{Params, ParamsError};
use crate::pass::{Impossible, Pass};
use crate::sequence::Sequence;
use crate::smooth::{self, Pooling};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
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
    /// Where chance begins.
    pub seed: u64,
    /// Draw each distribution towards those of neighbouring values ([`smooth`]), instead of virtual counts. Best where
    /// values are many and play is short; the likelihood may then fall a little between iterations.
    pub pooling: Option<Pooling>,
    /// Explain each of this many parts with tables learned from the others; 0 or 1 for plain EM.
    pub folds: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
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

impl Settings {
    /// The M-step.
    pub(crate) fn maximise_all(&self, layout: &Layout, params: &mut Params, counts: &Counts, met: &Met) {
        self.maximise(layout, params, counts, met);
        self.maximise_attention(layout, params, counts);
    }

    fn maximise(&self, layout: &Layout, params: &mut Params, counts: &Counts, met: &Met) {
        match self.pooling {
            Some(pooling) => smooth::tables(layout, params, counts, pooling),
            None => maximise::tables(layout, params, counts, self.virtual_counts, met),
        }
    }

    fn maximise_attention(&self, layout: &Layout, params: &mut Params, counts: &Counts) {
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
    pub counts: Counts,
    /// Whether values never met have numbers from their neighbours ([`Settings::pooling`]).
    pub pooled: bool,
    /// `ln P(A | S)` before each iteration and after the last.
    pub log_likelihood: Vec<f64>,
    /// Which start won.
    pub start: usize,
}

/// Learns a model's numbers from random starts.
pub fn from_scratch(
    model: &Model,
    sequences: &[Sequence],
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    let starts = (0..settings.starts.max(1)).into_par_iter().map(|start| {
        let mut stream = Stream::new(settings.seed, start as u64, "chameleon start");
        let params = Params::random(model.layout(), &mut stream).with_attention_of(model);
        let mut run = from_params(model.layout(), params, sequences, settings, &|mut at| {
            at.start = start;
            progress(at);
        })?;
        run.start = start;
        Ok(run)
    });
    let runs: Vec<Result<Run, LearnError>> = starts.collect();
    let mut best: Option<Run> = None;
    for run in runs {
        let run = run?;
        if best.as_ref().is_none_or(|best| last(&run) > last(best)) {
            best = Some(run);
        }
    }
    best.ok_or(LearnError::Nothing)
}

fn last(run: &Run) -> f64 {
    run.log_likelihood.last().copied().unwrap_or(f64::NEG_INFINITY)
}

/// Learns on from some numbers.
pub fn from_params(
    layout: &Layout,
    params: Params,
    sequences: &[Sequence],
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    run(layout, params, None, sequences, settings, progress)
}

/// Learns on from some numbers and the counts they were learned from: each M-step divides old and new counts together. This is
/// how lives and teachers are merged, instead of eq. 3.107 ([`merge`](crate::merge)).
pub fn from_params_and_counts(
    layout: &Layout,
    params: Params,
    base: &Counts,
    sequences: &[Sequence],
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    run(layout, params, Some(base), sequences, settings, progress)
}

fn run(
    layout: &Layout,
    mut params: Params,
    base: Option<&Counts>,
    sequences: &[Sequence],
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Run, LearnError> {
    if sequences.iter().all(Sequence::is_empty) {
        return Err(LearnError::Nothing);
    }
    params.check(layout)?;
    let mut expectation = Expectation::new(layout, sequences, settings.folds);
    let ticks: usize = sequences.iter().map(Sequence::len).sum();
    let mut log_likelihood = Vec::new();
    let mut together = base.cloned();
    loop {
        let now = expectation.gather_with(layout, &params, settings)?;
        let iteration = log_likelihood.len();
        progress(Progress { start: 0, iteration, log_likelihood: now });
        let gain = now - log_likelihood.last().copied().unwrap_or(f64::NEG_INFINITY);
        log_likelihood.push(now);
        let settled = settings.least_gain > 0.0 && gain < settings.least_gain * ticks as f64;
        // Folds differ in the first iteration for the first time: their likelihood falls once.
        if iteration >= settings.iterations || (settled && (settings.folds < 2 || iteration > 1)) {
            break;
        }
        let counts = match (&mut together, base) {
            (Some(together), Some(base)) => {
                together.clone_from(base);
                together.add_met(layout, expectation.total(), expectation.met());
                &*together
            }
            _ => expectation.total(),
        };
        settings.maximise_all(layout, &mut params, counts, expectation.met());
    }
    let mut counts = expectation.into_total();
    if let Some(base) = base {
        counts.add(base, 1.0);
    }
    Ok(Run { params, counts, pooled: settings.pooling.is_some(), log_likelihood, start: 0 })
}

/// The most pieces that are gathered on their own. A number that does not depend on the machine.
const PIECES: usize = 8;

/// The E-step over many sequences.
pub struct Expectation {
    met: Met,
    pieces: Vec<Piece>,
    total: Counts,
    folds: usize,
    gathered: bool,
}

struct Piece {
    sequences: std::ops::Range<usize>,
    /// What each of them looks up.
    cells: Vec<Index>,
    counts: Counts,
    pass: Pass,
    /// Numbers with tables learned from all other folds.
    params: Option<Params>,
    fold: usize,
}

impl Expectation {
    /// Room for the counts of some sequences.
    pub fn new(layout: &Layout, sequences: &[Sequence], folds: usize) -> Self {
        let all = sequences;
        let met = Met::of(layout, sequences);
        let folds = if folds < 2 { 1 } else { folds.min(sequences.len()).max(1) };
        let wanted = PIECES.div_ceil(folds).max(1) * folds;
        let ranges = pieces(sequences, wanted.min(sequences.len()));
        let count = ranges.len();
        let piece = |(index, sequences): (usize, std::ops::Range<usize>)| Piece {
            cells: sequences.clone().map(|index| Index::of(layout, &all[index])).collect(),
            sequences,
            counts: Counts::new(layout),
            pass: Pass::new(),
            params: None,
            fold: index * folds / count.max(1),
        };
        let pieces = ranges.into_iter().enumerate().map(piece).collect();
        Expectation { met, pieces, total: Counts::new(layout), folds, gathered: false }
    }

    /// Expected counts of all sequences; returns `ln P(A | S)`.
    pub fn gather(&mut self, layout: &Layout, params: &Params) -> Result<f64, LearnError> {
        self.gather_with(layout, params, &Settings::default())
    }

    fn gather_with(
        &mut self,
        layout: &Layout,
        params: &Params,
        settings: &Settings,
    ) -> Result<f64, LearnError> {
        if self.folds > 1 && self.gathered {
            self.cross_fit(layout, params, settings);
        }
        let met = &self.met;
        let gather = |piece: &mut Piece| -> Result<(), LearnError> {
            let params = piece.params.as_ref().unwrap_or(params);
            piece.counts.clear(layout, met);
            for (sequence, cells) in piece.sequences.clone().zip(&piece.cells) {
                piece
                    .counts
                    .gather_by(layout, params, cells, &mut piece.pass)
                    .map_err(|why| LearnError::Impossible { sequence, why })?;
            }
            piece.counts.finish(layout, params, met);
            Ok(())
        };
        // One life alone is learned where it is: handing it to another thread would take longer than a short one.
        let outcomes: Vec<Result<(), LearnError>> = match &mut self.pieces[..] {
            [alone] => vec![gather(alone)],
            pieces => pieces.par_iter_mut().map(gather).collect(),
        };
        outcomes.into_iter().collect::<Result<(), LearnError>>()?;
        if let [alone] = &mut self.pieces[..] {
            std::mem::swap(&mut self.total, &mut alone.counts);
        } else {
            self.total.clear(layout, met);
            for piece in &self.pieces {
                self.total.add_met(layout, &piece.counts, met);
            }
        }
        self.gathered = true;
        Ok(self.total.log_likelihood)
    }

    /// From the second time on each fold is explained by tables from the counts of the others.
    fn cross_fit(&mut self, layout: &Layout, params: &Params, settings: &Settings) {
        let met = &self.met;
        let others: Vec<Params> = (0..self.folds)
            .into_par_iter()
            .map(|fold| {
                let mut counts = Counts::new(layout);
                for piece in self.pieces.iter().filter(|piece| piece.fold != fold) {
                    counts.add_met(layout, &piece.counts, met);
                }
                // Rows that only this fold met are unknown to the others: virtual counts alone.
                counts.high_met.iter_mut().for_each(|met| *met += 1e-300);
                counts.low_met.iter_mut().for_each(|met| *met += 1e-300);
                let mut params = params.clone();
                let virtual_counts = settings.virtual_counts.max(1e-3);
                Settings { virtual_counts, ..settings.clone() }.maximise(layout, &mut params, &counts, met);
                params
            })
            .collect();
        for piece in &mut self.pieces {
            piece.params = Some(others[piece.fold].clone());
        }
    }

    /// The counts of all sequences.
    pub fn total(&self) -> &Counts {
        &self.total
    }

    pub(crate) fn met(&self) -> &Met {
        &self.met
    }

    fn into_total(self) -> Counts {
        self.total
    }
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
