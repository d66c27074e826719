//! What was going on in a sequence: which decisions, attending to what (γ of eq. 3.73 to 3.78).

use crate::index::Index;
use crate::layout::Layout;
use crate::params::Params;
use crate::pass::{Gather, Impossible, Pass, Tick};
use crate::sequence::Sequence;

/// Posteriors of every tick, given all stimuli and actions of the sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posteriors {
    /// `ln P(A | S)`.
    pub log_likelihood: f64,
    /// `P(D_t = d | actions up to t)`, `[t][d]` (3.42).
    pub filtered: Vec<f64>,
    /// `P(D_t = d)`, `[t][d]`.
    pub decision: Vec<f64>,
    /// `P(D_t = d, I_t = i)`, `[t][d][i]`.
    pub high: Vec<f64>,
    /// For each group `P(D_t = d, J_t = slot)`, `[t][d][slot]`; 0 where nothing was known.
    pub groups: Vec<Vec<f64>>,
}

impl Posteriors {
    /// The most probable decision of each tick, by itself (table 4.4).
    pub fn likeliest(&self, decisions: usize) -> Vec<usize> {
        self.decision.chunks_exact(decisions).map(repertoire_prob::draw::arg_max).collect()
    }
}

struct Collector<'a> {
    layout: &'a Layout,
    into: Posteriors,
}

impl Gather for Collector<'_> {
    fn tick<const D: usize>(&mut self, index: &Index, tick: &Tick<'_>) {
        let d = tick.decision.len();
        self.into.decision[tick.t * d..(tick.t + 1) * d].copy_from_slice(tick.decision);
        let stimuli = self.layout.shape().high.len();
        for (i, posterior) in tick.high.chunks_exact(d).enumerate() {
            for (decision, &p) in posterior.iter().enumerate() {
                self.into.high[(tick.t * d + decision) * stimuli + i] = p;
            }
        }
        let groups = &self.layout.shape().groups;
        for (group, (&level, into)) in groups.iter().zip(&mut self.into.groups).enumerate() {
            let slots = self.layout.stimuli(level);
            for entry in index.entries(tick.t, group, groups.len()) {
                let slot = usize::from(index.entry_slot[entry]);
                for (decision, &p) in tick.low[entry * d..(entry + 1) * d].iter().enumerate() {
                    into[(tick.t * d + decision) * slots + slot] = p;
                }
            }
        }
    }

    fn pair<const D: usize>(&mut self, _: usize, _: &[f64], _: &[f64]) {}
}

/// Posteriors of a sequence.
pub fn posteriors(
    layout: &Layout,
    params: &Params,
    sequence: &Sequence,
    pass: &mut Pass,
) -> Result<Posteriors, Impossible> {
    let log_likelihood = pass.forward(layout, params, sequence)?;
    let (ticks, d) = (sequence.len(), layout.decisions());
    let cells = |stimuli: usize| vec![0.0; ticks * d * stimuli];
    let into = Posteriors {
        log_likelihood,
        filtered: pass.alpha()[..ticks * d].to_vec(),
        decision: cells(1),
        high: cells(layout.shape().high.len()),
        groups: layout.shape().groups.iter().map(|&level| cells(layout.stimuli(level))).collect(),
    };
    let mut collector = Collector { layout, into };
    pass.backward(layout, params, &mut collector);
    Ok(collector.into)
}
