//! One decision with all of its reasons, and the choice from it.

use repertoire_prob::draw::{arg_max, sharpen};
use repertoire_prob::num::{exp, ln, log_sum_exp};

use super::Behaviour;

/// How a task is chosen from its distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// By chance, in proportion: as in the thesis.
    Sample,
    /// The most probable.
    Best,
    /// By chance, after raising the distribution to a power.
    Sharpen(f64),
}

/// `P(task | previous task, sensors)`, and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The answer.
    pub posterior: Vec<f64>,
    /// `ln P(task | previous task)`.
    pub log_prior: Vec<f64>,
    /// For each sensor that was read, by its index: `ln` of what its table says of the value, for each task.
    pub contributions: Vec<(usize, Vec<f64>)>,
    /// `ln` of the sum of the products; minus infinity when it is degenerate.
    pub log_z: f64,
    /// Every task was impossible: the posterior is the prior.
    pub degenerate: bool,
}

impl Behaviour {
    /// Decides. No previous task means that any may have come before; a sensor that was not read is left out.
    ///
    /// Panics on a task or a value that the behaviour does not have.
    pub fn decide(&self, previous: Option<usize>, values: &[Option<usize>]) -> Decision {
        assert_eq!(values.len(), self.sensors.len(), "one value, or none, for each sensor");
        let mut decision = Decision {
            posterior: Vec::new(),
            log_prior: Vec::new(),
            contributions: Vec::new(),
            log_z: f64::NEG_INFINITY,
            degenerate: false,
        };
        self.prior(previous, &mut decision.posterior);
        decision.log_prior.extend(decision.posterior.iter().map(|&p| ln(p)));
        let mut logs = decision.log_prior.clone();
        for (index, (sensor, value)) in self.sensors.iter().zip(values).enumerate() {
            let Some(value) = *value else { continue };
            let says: Vec<f64> = (0..self.tasks.len()).map(|task| ln(sensor.cell(task, value))).collect();
            logs.iter_mut().zip(&says).for_each(|(log, says)| *log += says);
            decision.contributions.push((index, says));
        }
        decision.log_z = log_sum_exp(&logs);
        if decision.log_z == f64::NEG_INFINITY {
            decision.degenerate = true;
        } else {
            normalise_logs(&logs, &mut decision.posterior);
        }
        decision
    }

    /// `P(task | previous task)`; uniform if there was none.
    pub(super) fn prior(&self, previous: Option<usize>, out: &mut Vec<f64>) {
        out.clear();
        match previous {
            Some(previous) => out.extend_from_slice(self.after(previous)),
            None => out.resize(self.tasks.len(), 1.0 / self.tasks.len() as f64),
        }
    }
}

/// `exp(log) / Σ exp(log)`, exactly 0 where the log is minus infinity. At least one must be finite.
pub(super) fn normalise_logs(logs: &[f64], out: &mut [f64]) {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (p, log) in out.iter_mut().zip(logs) {
        *p = exp(log - most);
        sum += *p;
    }
    out.iter_mut().for_each(|p| *p /= sum);
}

impl Choice {
    /// Turns a distribution into the one that is sampled: certain for the best, sharpened for a power.
    pub fn apply(self, posterior: &mut [f64]) {
        match self {
            Choice::Sample => {}
            Choice::Best => {
                let best = arg_max(posterior);
                posterior.fill(0.0);
                posterior[best] = 1.0;
            }
            Choice::Sharpen(power) => sharpen(posterior, power),
        }
    }
}

/// The task that 32 random bits choose from a distribution; what is less probable than 2⁻³³ is never chosen.
///
/// Tasks lie on the scale from 0 to 1 in the order of their probability. A population looks the ends of their shares up
/// ([`super::population`]), one character works them out here: both choose the same.
pub fn pick(distribution: &[f64], bits: u32) -> usize {
    let mut shares = Shares::default();
    shares.fill(distribution);
    let passed = shares.ends.iter().filter(|&&end| bits >= end).count();
    usize::from(shares.order[passed])
}

/// Where each task's share of 2³² ends, most probable first.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// The tasks that are possible.
    pub order: Vec<u8>,
    /// The end of each share but the last, which goes to the end of the scale.
    pub ends: Vec<u32>,
}

impl Shares {
    pub fn fill(&mut self, distribution: &[f64]) {
        self.order.clear();
        self.order
            .extend((0..distribution.len() as u8).filter(|&task| distribution[usize::from(task)] > 0.0));
        self.order.sort_by(|&a, &b| distribution[usize::from(b)].total_cmp(&distribution[usize::from(a)]));
        self.ends.clear();
        let mut sum = 0.0;
        for &task in self.order.iter().take(self.order.len().saturating_sub(1)) {
            sum += distribution[usize::from(task)];
            // Saturates where rounding passes 1.
            self.ends.push((sum * 4_294_967_296.0 + 0.5) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::shipped;
    use repertoire_prob::{Rng, Stream};

    #[test]
    fn the_share_of_each_task_is_its_probability() {
        let distribution = [0.05, 0.6, 0.0, 0.25, 0.1];
        let mut rng = Stream::new(4, 0, "pick");
        let mut counts = [0u32; 5];
        for _ in 0..200_000 {
            counts[pick(&distribution, rng.next_u32())] += 1;
        }
        for (count, p) in counts.iter().zip(distribution) {
            let expected = 200_000.0 * p;
            assert!((f64::from(*count) - expected).abs() <= 5.0 * expected.sqrt(), "{counts:?}");
        }
        assert_eq!(pick(&[0.0, 1.0], u32::MAX), 1);
        assert_eq!(pick(&[0.5, 0.5], u32::MAX), 1);
        assert_eq!(pick(&[0.5, 0.5], 0), 0);
    }

    #[test]
    fn a_contradiction_falls_back_to_the_transition_and_says_so() {
        let behaviour = shipped::contradictory();
        let decision = behaviour.decide(Some(1), &[Some(1)]);
        assert!(decision.degenerate && decision.log_z == f64::NEG_INFINITY);
        assert_eq!(decision.posterior, behaviour.after(1));
        assert!(!behaviour.decide(Some(1), &[Some(0)]).degenerate);
    }

    #[test]
    fn sensors_that_were_not_read_are_left_out() {
        let behaviour = shipped::behaviour("aggressive").unwrap();
        let decision = behaviour.decide(Some(0), &[None; 7]);
        for (p, q) in decision.posterior.iter().zip(behaviour.after(0)) {
            assert!((p - q).abs() < 1e-15);
        }
        assert!(decision.contributions.is_empty() && decision.log_z.abs() < 1e-12);
    }
}
