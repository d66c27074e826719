//! What was going on in a sequence: which decisions, attending to what (γ of eq. 3.73 to 3.78).

use crate::index::Index;
use crate::layout::Layout;
use crate::params::Params;
use crate::pass::{Impossible, Pass};
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
    let mut into = into;
    let index = pass.take_index();
    pass.backward_by(layout, params, &index);
    into.decision.copy_from_slice(&pass.decision[..ticks * d]);
    for t in 0..ticks {
        collect_high(&mut into, params, &index, pass, t, d);
        collect_groups(&mut into, layout, &index, pass, t);
    }
    Ok(into)
}

fn collect_high(into: &mut Posteriors, params: &Params, index: &Index, pass: &Pass, t: usize, d: usize) {
    let factors = &pass.factors;
    let (rows, own) = factors.rows_and_own(index, factors.state_at(index, t));
    let rest = &pass.rest[t * d..(t + 1) * d];
    for (i, (&row, own)) in rows.iter().zip(own.chunks_exact(d)).enumerate() {
        let row = row as usize;
        for decision in 0..d {
            let reached: f64 = if t == 0 {
                params.first[row * d + decision]
            } else {
                let before = pass.alpha[(t - 1) * d..t * d].iter().enumerate();
                before.map(|(k, alpha)| alpha * params.next[(row * d + k) * d + decision]).sum()
            };
            into.high[(t * d + decision) * rows.len() + i] = own[decision] * reached * rest[decision];
        }
    }
}

fn collect_groups(into: &mut Posteriors, layout: &Layout, index: &Index, pass: &Pass, t: usize) {
    let d = layout.decisions();
    let extra = pass.factors.extra_at(t).map(|extra| &pass.factors.extras[extra]);
    for (group, (sights, scenes)) in index.groups.iter().zip(&pass.factors.scenes).enumerate() {
        let stimuli = layout.stimuli(layout.shape().groups[group]);
        let scene = sights.scene[t] as usize;
        for (entry, (&sight, &slot)) in sights.sights(scene).iter().zip(sights.slots(t)).enumerate() {
            for decision in 0..d {
                let share = match extra {
                    Some(extra) => extra.shares[group][entry * d + decision],
                    None => {
                        scenes.seen[sight as usize * d + decision]
                            * scenes.inverse_explained[scene * d + decision]
                    }
                };
                into.groups[group][(t * d + decision) * stimuli + usize::from(slot)] =
                    share * pass.decision[t * d + decision];
            }
        }
    }
}
