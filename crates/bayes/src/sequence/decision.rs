//! One decision with all of its reasons, and the choice from it.

use std::fmt;

use repertoire_prob::draw::{DrawError, arg_max, sharpen};
use repertoire_prob::num::{exp, ln, log_sum_exp};
use thiserror::Error;

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

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Sample => f.write_str("sample"),
            Choice::Best => f.write_str("best"),
            Choice::Sharpen(power) => write!(f, "sharpen {power}"),
        }
    }
}

/// `P(task | previous task, sensors)`, and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The answer.
    pub posterior: Vec<f64>,
    /// `ln P(task | previous task)`.
    pub log_prior: Vec<f64>,
    /// The task before, by its index; none if any may have come before.
    pub previous: Option<usize>,
    /// What each sensor that was read says, in the behaviour's order.
    pub contributions: Vec<SensorReason>,
    /// `ln` of the sum of the products; minus infinity when it is degenerate.
    pub log_z: f64,
    /// Every task was impossible: the posterior is the prior.
    pub degenerate: bool,
}

/// What one sensor says about each task.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorReason {
    /// The sensor, by its index.
    pub sensor: usize,
    /// The value it read, by its index.
    pub value: usize,
    /// `ln` of what the sensor's table says of this value, for each task.
    pub nats: Vec<f64>,
}

/// Why there is no decision: something was asked that the behaviour does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecideError {
    /// Not as many values as sensors.
    #[error("{found} values for {needed} sensors: give one, or none, for each")]
    Size {
        /// How many sensors there are.
        needed: usize,
        /// Values given.
        found: usize,
    },
    /// A value that a sensor does not have.
    #[error("sensor {sensor} has {card} values, there is no value {value}")]
    NoSuchValue {
        /// The sensor, by index.
        sensor: usize,
        /// The value given.
        value: usize,
        /// How many it has.
        card: usize,
    },
    /// A previous task that the behaviour does not have.
    #[error("the behaviour has {tasks} tasks, there is no task {task}")]
    NoSuchTask {
        /// The task given.
        task: usize,
        /// How many there are.
        tasks: usize,
    },
}

impl Behaviour {
    /// Decides, or says what the behaviour does not have. No previous task means that any may have come before; a sensor
    /// that was not read is left out.
    ///
    /// ```
    /// use repertoire_bayes::sequence::shipped;
    /// let aggressive = shipped::behaviour("aggressive").expect("shipped");
    /// let unread = vec![None; aggressive.sensors().len()];
    /// let decision = aggressive.try_decide(Some(0), &unread)?;
    /// assert!((decision.posterior.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    /// assert!(aggressive.try_decide(Some(99), &unread).is_err());
    /// # Ok::<(), repertoire_bayes::sequence::decision::DecideError>(())
    /// ```
    pub fn try_decide(
        &self,
        previous: Option<usize>,
        values: &[Option<usize>],
    ) -> Result<Decision, DecideError> {
        let (tasks, needed) = (self.tasks.len(), self.sensors.len());
        if values.len() != needed {
            return Err(DecideError::Size { needed, found: values.len() });
        }
        if let Some(task) = previous.filter(|&task| task >= tasks) {
            return Err(DecideError::NoSuchTask { task, tasks });
        }
        for (sensor, (of, value)) in self.sensors.iter().zip(values).enumerate() {
            let card = of.values.len();
            if let Some(value) = value.filter(|&value| value >= card) {
                return Err(DecideError::NoSuchValue { sensor, value, card });
            }
        }
        Ok(self.decided(previous, values))
    }

    /// Decides, for callers whose indices come from this behaviour; [`Behaviour::try_decide`] is for others.
    ///
    /// # Panics
    /// On a task or a value that the behaviour does not have, and unless there is one value, or none, for each sensor.
    pub fn decide(&self, previous: Option<usize>, values: &[Option<usize>]) -> Decision {
        self.try_decide(previous, values).unwrap_or_else(|error| panic!("{error}"))
    }

    fn decided(&self, previous: Option<usize>, values: &[Option<usize>]) -> Decision {
        let mut decision = Decision {
            posterior: Vec::new(),
            log_prior: Vec::new(),
            previous,
            contributions: Vec::new(),
            log_z: f64::NEG_INFINITY,
            degenerate: false,
        };
        self.prior(previous, &mut decision.posterior);
        decision.log_prior.extend(decision.posterior.iter().map(|&p| ln(p)));
        let mut logs = decision.log_prior.clone();
        for (index, (sensor, value)) in self.sensors.iter().zip(values).enumerate() {
            let Some(value) = *value else { continue };
            let nats: Vec<f64> = (0..self.tasks.len()).map(|task| ln(sensor.cell(task, value))).collect();
            logs.iter_mut().zip(&nats).for_each(|(log, said)| *log += said);
            decision.contributions.push(SensorReason { sensor: index, value, nats });
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
    #[inline]
    pub(super) fn prior(&self, previous: Option<usize>, out: &mut Vec<f64>) {
        out.clear();
        match previous {
            Some(previous) => out.extend_from_slice(self.after(previous)),
            None => out.resize(self.tasks.len(), 1.0 / self.tasks.len() as f64),
        }
    }
}

/// `exp(log) / Σ exp(log)`, exactly 0 where the log is minus infinity. At least one must be finite.
#[inline]
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
    /// Turns a distribution into the one that is sampled: certain for the best, sharpened for a power. On an error the
    /// distribution is left as it was.
    pub fn apply(self, posterior: &mut [f64]) -> Result<(), DrawError> {
        match self {
            Choice::Sample => Ok(()),
            Choice::Best if posterior.is_empty() => Err(DrawError::NothingPossible),
            Choice::Best => {
                let best = arg_max(posterior);
                posterior.fill(0.0);
                posterior[best] = 1.0;
                Ok(())
            }
            Choice::Sharpen(power) => sharpen(posterior, power),
        }
    }

    /// Whether it can choose from any distribution.
    pub(super) fn check(self) -> Result<(), DrawError> {
        match self {
            Choice::Sharpen(power) if !(power >= 0.0 && power.is_finite()) => {
                Err(DrawError::NotAPower(power))
            }
            _ => Ok(()),
        }
    }
}

/// The task that 32 random bits choose from a distribution; what is less probable than 2⁻³³ is never chosen.
///
/// Tasks lie on the scale from 0 to 1 in the order of their probability. A population looks the ends of their shares up
/// ([`super::population`]), one character works them out here: both choose the same.
///
/// # Panics
/// If no value is above 0, or there are more than 256.
pub fn pick(distribution: &[f64], bits: u32) -> usize {
    assert!(distribution.len() <= 256, "at most 256 values to pick from");
    if distribution.len() <= FEW {
        return pick_of_few(distribution, bits);
    }
    let first = arg_max(distribution);
    let most = distribution[first];
    assert!(most > 0.0, "something must be possible to pick it");
    if bits < end_of(most) {
        return first;
    }
    match distribution.len() <= 64 {
        true => pick_after(distribution, first, bits, &mut [0; 64]),
        false => pick_after(distribution, first, bits, &mut [0; 256]),
    }
}

/// Up to this many values are few.
const FEW: usize = 16;

/// The most probable, the second, and so on, each found by a pass of its own: most picks end with the first or the second.
fn pick_of_few(distribution: &[f64], bits: u32) -> usize {
    let mut room = [0.0; FEW];
    let left = &mut room[..distribution.len()];
    left.copy_from_slice(distribution);
    let (mut sum, mut last) = (0.0, None);
    loop {
        let (mut most, mut best) = (0.0, 0);
        for (task, &p) in left.iter().enumerate() {
            (most, best) = if p > most { (p, task) } else { (most, best) };
        }
        if most == 0.0 {
            return last.unwrap_or_else(|| panic!("something must be possible to pick it"));
        }
        sum += most;
        if bits < end_of(sum) {
            return best;
        }
        left[best] = 0.0;
        last = Some(best);
    }
}

/// A value and its probability as one number, greater the earlier it ranks: the more probable first, of two that are equally probable
/// the one with the lower number. (Numbers above 0 are in the order of their bits.)
fn ranked(p: f64, task: usize) -> u128 {
    (u128::from(p.to_bits()) << 8) | (255 - task as u128)
}

/// The probability and the value again.
fn unranked(one: u128) -> (f64, usize) {
    (f64::from_bits((one >> 8) as u64), 255 - (one & 255) as usize)
}

/// What the bits pick from the values that rank after the first.
fn pick_after(distribution: &[f64], first: usize, bits: u32, room: &mut [u128]) -> usize {
    let (mut sum, mut best, mut count) = (distribution[first], first, 0);
    for (task, &p) in distribution.iter().enumerate() {
        room[count] = ranked(p, task);
        count += usize::from(p > 0.0 && task != first);
    }
    let left = &mut room[..count];
    if let Some(task) = narrow(left, sum, bits) {
        return task;
    }
    left.sort_unstable_by(|a, b| b.cmp(a));
    for &one in &*left {
        let (p, task) = unranked(one);
        (sum, best) = (sum + p, task);
        if bits < end_of(sum) {
            break;
        }
    }
    best
}

/// The same without sorting all that is left: whatever ranks before a value in the middle is passed over as a whole, or is all that
/// is left. None if the bits lie so near to the end of a share that the order in which probabilities are added could matter.
fn narrow(mut left: &mut [u128], mut sum: f64, bits: u32) -> Option<usize> {
    // By how much the end of a share lies beyond the bits; rounding moves it by less than a thousandth.
    let beyond = |sum: f64| Some(sum * 4_294_967_296.0 - 0.5 - f64::from(bits)).filter(|by| by.abs() > 0.01);
    if bits == u32::MAX {
        return None;
    }
    while left.len() > 8 {
        let mut three = [left[0], left[left.len() / 2], left[left.len() - 1]];
        three.sort_unstable();
        let (middle, mut end, mut mass) = (three[1], 0, 0.0);
        for at in 0..left.len() {
            // No branch: which way it goes cannot be foreseen.
            let one = left[at];
            let is_before = one >= middle;
            left[at] = left[end];
            left[end] = one;
            end += usize::from(is_before);
            mass += f64::from_bits(unranked(one).0.to_bits() & u64::from(is_before).wrapping_neg());
        }
        if beyond(sum + mass)? > 0.0 {
            left = &mut left[..end];
        } else {
            sum += mass;
            left = &mut left[end..];
        }
    }
    left.sort_unstable_by(|a, b| b.cmp(a));
    for &one in &*left {
        let (p, task) = unranked(one);
        sum += p;
        if beyond(sum)? > 0.0 {
            return Some(task);
        }
    }
    left.last().map(|&last| unranked(last).1)
}

/// Where a share ends on the scale of 2³²; saturates where rounding passes 1.
fn end_of(sum: f64) -> u32 {
    (sum * 4_294_967_296.0 + 0.5) as u32
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
    #[inline]
    pub fn fill(&mut self, distribution: &[f64]) {
        self.order.clear();
        self.order
            .extend((0..distribution.len()).filter(|&task| distribution[task] > 0.0).map(|task| task as u8));
        self.order.sort_by(|&a, &b| distribution[usize::from(b)].total_cmp(&distribution[usize::from(a)]));
        self.ends.clear();
        let mut sum = 0.0;
        for &task in self.order.iter().take(self.order.len().saturating_sub(1)) {
            sum += distribution[usize::from(task)];
            self.ends.push(end_of(sum));
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
    fn one_character_picks_as_a_population_does() {
        let mut rng = Stream::new(9, 0, "pick");
        for round in 0..2000 {
            let mut distribution: Vec<f64> = (0..1 + round % 256).map(|_| rng.unit()).collect();
            // Equal shares and impossible tasks too.
            (0..distribution.len())
                .filter(|k| k % 3 == 1)
                .for_each(|k| distribution[k] = distribution[k - 1]);
            (0..distribution.len()).filter(|k| k % 7 == 5).for_each(|k| distribution[k] = 0.0);
            let sum: f64 = distribution.iter().sum();
            distribution.iter_mut().for_each(|p| *p /= sum);
            let mut shares = Shares::default();
            shares.fill(&distribution);
            // By chance, and around the end of a share, where the last digit of a sum decides.
            let end = *shares.ends.get(round / 3 % shares.ends.len().max(1)).unwrap_or(&0);
            for bits in [rng.next_u32(), end.wrapping_sub(1), end, end.wrapping_add(1)] {
                let passed = shares.ends.iter().filter(|&&end| bits >= end).count();
                assert_eq!(pick(&distribution, bits), usize::from(shares.order[passed]));
            }
        }
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
