//! Keeping rare reactions clear: tables that decide as was shown, not only tables that count what was shown.
//!
//! A character decides by `P(T | T before) Π P(S_i | T)`. Counting learns each of these tables as if what is sensed
//! depended on the task alone. It does not: somebody who flees goes on fleeing for a while after the wolf has left, so "near"
//! is counted in a third of the ticks of fleeing, and the moment in which it *began* to flee, which had a wolf nearly
//! always, drowns in the ticks that followed. The more a task goes on by itself, the duller its pupil reacts.
//!
//! What is wanted is the decision, `P(T | T before, S)`, and that is a log-linear model of the very same tables. So the
//! tables are moved, starting from what was counted, until the decisions explain best what was done:
//!
//! ```text
//! maximise  Σ_ticks ln P(T | T before, S)  -  λ/2 Σ_cells (w - w_counted)²,     w = ln of each cell
//! ```
//!
//! which has one maximum. A cell that few observations speak about stays where counting put it. The result is written back
//! as distributions: what a sensor's column sums to is moved into the transitions, where it belongs to the same task.
//!
//! Cost: O(rounds · situations · tasks · sensors), where situations are those that occurred.

use std::collections::BTreeMap;

use repertoire_prob::num::{exp, ln, log_sum_exp};

use super::labelled::Lives;
use super::learning::NOT_READ;
use super::{Behaviour, Sensor};

/// How strongly cells are held where counting put them, in observations.
const HOLD: f64 = 0.5;
/// Rounds of improvement at most, and how little a round may improve (nats per tick) before it is enough.
const ROUNDS: usize = 400;
const ENOUGH: f64 = 1e-7;

/// The weights: `[feature][task]`, a feature for each task before and each value of each sensor.
struct Model {
    tasks: usize,
    /// Where the features of each sensor begin.
    first: Vec<usize>,
    weights: Vec<f64>,
}

/// What was done in one situation, and which features it has.
struct Situation {
    features: Vec<u32>,
    done: Vec<f64>,
    times: f64,
}

pub(super) fn sharpened(counted: &Behaviour, lives: &Lives) -> Behaviour {
    let mut model = Model::of(counted);
    let situations = model.situations(lives);
    model.improve(&situations);
    model.into_behaviour(counted)
}

impl Model {
    fn of(behaviour: &Behaviour) -> Self {
        let tasks = behaviour.tasks().len();
        let mut first = Vec::new();
        let mut weights: Vec<f64> = behaviour.transition().iter().map(|&p| ln(p)).collect();
        for sensor in behaviour.sensors() {
            first.push(weights.len() / tasks);
            for value in 0..sensor.values.len() {
                weights.extend((0..tasks).map(|task| ln(sensor.cell(task, value))));
            }
        }
        Model { tasks, first, weights }
    }

    /// Ticks that begin a life are left out: nothing came before.
    fn situations(&self, lives: &Lives) -> Vec<Situation> {
        let mut by_features: BTreeMap<Vec<u32>, Vec<f64>> = BTreeMap::new();
        for (before, sensed, task) in lives.ticks() {
            let Some(before) = before else { continue };
            let read = self.first.iter().zip(sensed).filter(|(_, value)| **value != NOT_READ);
            let features =
                std::iter::once(before).chain(read.map(|(first, value)| *first as u32 + value)).collect();
            by_features.entry(features).or_insert_with(|| vec![0.0; self.tasks])[task as usize] += 1.0;
        }
        let situation = |(features, done): (Vec<u32>, Vec<f64>)| {
            let times = done.iter().sum();
            Situation { features, done, times }
        };
        by_features.into_iter().map(situation).collect()
    }

    /// Accelerated ascent with a step for each feature that is never too long (Böhning's bound on the curvature), beginning
    /// again without momentum whenever it made things worse.
    fn improve(&mut self, situations: &[Situation]) {
        let held = self.weights.clone();
        let features = self.weights.len() / self.tasks;
        let mut curvature = vec![HOLD; features];
        for situation in situations {
            for &feature in &situation.features {
                curvature[feature as usize] += 0.5 * situation.times * situation.features.len() as f64;
            }
        }
        let all: f64 = situations.iter().map(|situation| situation.times).sum();
        let (mut ahead, mut momentum, mut best) = (self.weights.clone(), 1.0_f64, f64::NEG_INFINITY);
        let mut slope = vec![0.0; self.weights.len()];
        for _ in 0..ROUNDS {
            let worth = self.slope(&ahead, &held, situations, &mut slope);
            if worth < best {
                (momentum, best) = (1.0, f64::NEG_INFINITY);
                ahead.clone_from(&self.weights);
                continue;
            }
            let next_momentum = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            let carry = (momentum - 1.0) / next_momentum;
            for (feature, curvature) in curvature.iter().enumerate() {
                for cell in feature * self.tasks..(feature + 1) * self.tasks {
                    let stepped = ahead[cell] + slope[cell] / curvature;
                    ahead[cell] = stepped + carry * (stepped - self.weights[cell]);
                    self.weights[cell] = stepped;
                }
            }
            if worth - best < ENOUGH * all && best.is_finite() {
                break;
            }
            (momentum, best) = (next_momentum, worth);
        }
    }

    /// How well weights explain what was done, and which way is up.
    fn slope(&self, weights: &[f64], held: &[f64], situations: &[Situation], slope: &mut [f64]) -> f64 {
        let mut worth = 0.0;
        for ((slope, weight), held) in slope.iter_mut().zip(weights).zip(held) {
            *slope = -HOLD * (weight - held);
            worth -= 0.5 * HOLD * (weight - held) * (weight - held);
        }
        let mut sums = vec![0.0; self.tasks];
        for situation in situations {
            sums.fill(0.0);
            for &feature in &situation.features {
                let row = &weights[feature as usize * self.tasks..][..self.tasks];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            let log_z = log_sum_exp(&sums);
            for (sum, done) in sums.iter_mut().zip(&situation.done) {
                worth += done * (*sum - log_z);
                *sum = done - situation.times * exp(*sum - log_z);
            }
            for &feature in &situation.features {
                let row = &mut slope[feature as usize * self.tasks..][..self.tasks];
                row.iter_mut().zip(&sums).for_each(|(slope, off)| *slope += off);
            }
        }
        worth
    }

    /// The same decisions, from tables that are distributions.
    fn into_behaviour(mut self, counted: &Behaviour) -> Behaviour {
        let tasks = self.tasks;
        let mut sensors: Vec<Sensor> = counted.sensors().to_vec();
        for (sensor, first) in sensors.iter_mut().zip(&self.first) {
            let values = sensor.values.len();
            for task in 0..tasks {
                let column: Vec<f64> =
                    (0..values).map(|value| self.weights[(first + value) * tasks + task]).collect();
                let sum = log_sum_exp(&column);
                for (value, weight) in column.iter().enumerate() {
                    sensor.cells[task * values + value] = exp(weight - sum);
                }
                (0..tasks).for_each(|before| self.weights[before * tasks + task] += sum);
            }
        }
        let mut transition = self.weights;
        transition.truncate(tasks * tasks);
        for row in transition.chunks_exact_mut(tasks) {
            let sum = log_sum_exp(row);
            row.iter_mut().for_each(|weight| *weight = exp(*weight - sum));
        }
        let mut sharp = counted.clone();
        (sharp.sensors, sharp.transition) = (sensors, transition);
        sharp
    }
}

#[cfg(test)]
mod tests {
    use repertoire_prob::Stream;

    use super::*;

    /// Villagers that are hungry, tired, in danger; the teacher flees from wolves, which come rarely and leave soon.
    const TEACHER: &str = r#"
        name = "villager"
        tasks = ["eat", "sleep", "work", "flee"]
        stay = 0.9
        [sensors]
        hungry = ["no", "yes"]
        tired = ["no", "yes"]
        wolf = ["away", "near"]
        [likelihood.hungry]
        no = [0.05, 0.7, 0.8, 0.5]
        yes = ["x", "x", "x", "x"]
        [likelihood.tired]
        no = [0.6, 0.05, 0.8, 0.5]
        yes = ["x", "x", "x", "x"]
        [likelihood.wolf]
        away = [0.995, 0.995, 0.995, 0.2]
        near = ["x", "x", "x", "x"]
    "#;

    /// Lives of the teacher in a world whose state goes its own way.
    fn watch(teacher: &Behaviour, ticks: usize) -> Lives {
        let mut world = Stream::new(3, 0, "world");
        let (mut lives, mut sensed, mut task) = (Lives::new(teacher), [0u32; 3], None);
        for _ in 0..ticks {
            let turns = [(0.05, 0.1), (0.04, 0.08), (0.01, 0.5)];
            for (value, (comes, goes)) in sensed.iter_mut().zip(turns) {
                if world.unit() < if *value == 0 { comes } else { goes } {
                    *value = 1 - *value;
                }
            }
            let readings = sensed.map(|value| Some(value as usize));
            let now = teacher.choose(&teacher.decide(task, &readings), &mut world);
            lives.push(&sensed, now).unwrap();
            task = Some(now);
        }
        lives
    }

    /// How far the decisions of two behaviours are apart, over all situations, at most.
    fn apart(a: &Behaviour, b: &Behaviour) -> f64 {
        let mut most = 0.0f64;
        for before in 0..4 {
            for k in 0..8 {
                let sensed = [k & 1, k >> 1 & 1, k >> 2].map(Some);
                let (a, b) = (a.decide(Some(before), &sensed), b.decide(Some(before), &sensed));
                let off = a.posterior.iter().zip(&b.posterior).map(|(a, b)| (a - b).abs());
                most = off.fold(most, f64::max);
            }
        }
        most
    }

    #[test]
    fn a_rare_reaction_stays_as_clear_as_it_was_shown() {
        let teacher: Behaviour = TEACHER.parse().unwrap();
        let lives = watch(&teacher, 8000);
        let (counted, sharp) =
            (teacher.counted("counted", &lives).unwrap(), teacher.taught("sharp", &lives).unwrap());
        // It works, is hungry, and a wolf comes near.
        let p_flee = |of: &Behaviour| of.decide(Some(2), &[Some(1), Some(0), Some(1)]).posterior[3];
        let (shown, dull, kept) = (p_flee(&teacher), p_flee(&counted), p_flee(&sharp));
        println!("flee: shown {shown:.3}, counted {dull:.3}, sharpened {kept:.3}");
        assert!(shown - dull > 0.1, "counting alone blurs it: {shown} {dull}");
        assert!((shown - kept).abs() < 0.08, "sharpening keeps it: {shown} {kept}");
        assert!(apart(&teacher, &sharp) < 0.6 * apart(&teacher, &counted));
    }

    #[test]
    fn with_much_to_see_the_decisions_become_the_teachers() {
        let teacher: Behaviour = TEACHER.parse().unwrap();
        let far = apart(&teacher, &teacher.taught("pupil", &watch(&teacher, 2000)).unwrap());
        let near = apart(&teacher, &teacher.taught("pupil", &watch(&teacher, 200_000)).unwrap());
        assert!(near < 0.05 && near < far, "{near} after {far}");
    }

    #[test]
    fn tables_stay_distributions_and_nothing_seen_changes_nothing() {
        let teacher: Behaviour = TEACHER.parse().unwrap();
        let sharp = teacher.taught("pupil", &watch(&teacher, 500)).unwrap();
        for column in sharp.transition().chunks_exact(4) {
            assert!((column.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        for column in
            sharp.sensors().iter().flat_map(|sensor| sensor.cells().chunks_exact(sensor.values.len()))
        {
            assert!((column.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let counted = teacher.counted("pupil", &Lives::new(&teacher)).unwrap();
        assert!(apart(&counted, &teacher.taught("pupil", &Lives::new(&teacher)).unwrap()) < 1e-12);
    }
}
