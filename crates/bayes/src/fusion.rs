//! Fusion: one command from many opinions.
//!
//! **Enhanced coherence** (the default choice): `P(m | M_1..M_n) = 1/Z · P(m) Π_i c_i(m)`, with `c_i = p_i` for a
//! prescriptive opinion, `1 - p_i` for a proscriptive one, and nothing for an inactive one — Le Hy 2007, eq. 3.1, 3.4
//! and 3.5.
//!
//! | paper     | code              | meaning                                              |
//! |-----------|-------------------|------------------------------------------------------|
//! | `P(V^i)`  | `Opinion::says`   | what sub-model `i` alone says                        |
//! | `M^i`     | [`Stance`]        | agree with it, keep away from it, or leave it out    |
//! | `P(V)`    | `prior`           | uniform when there is none, and then left out of `Z` |
//! | `Z`       | [`Fused::log_z`]  | zero when the opinions contradict                    |
//!
//! Differs from the paper: Z' of 3.1 is printed upside down; a contradiction (zero everywhere) is reported, with
//! the prior as the fallback, instead of dividing by zero. Cost: O(n · |V|), in logs, without allocation.
//!
//! **Naive sensor fusion** (fig. 3.5 and 3.6): `P(V | s) ∝ P(V) Π_i P(s_i | V)`, a virtual sensor from real ones.
//!
//! **Naive motor fusion** (section 3.3.5): `P(V | s) ∝ P(V) Π_i P(s_i | V)` with `P(s_i | V) = P(s_i) c_i(V) / P_i(V)` and
//! `P_i(V) = Σ_s P(s) P(V | s)`. Differs from the paper, which prints a product equal to coherence: dividing by
//! `P_i(V)` is where the sensors' prior comes in, and why the thesis prefers coherence.

use repertoire_prob::distribution::TOLERANCE;
use repertoire_prob::num::{exp, ln, log_sum_exp};
use thiserror::Error;

/// What to do with an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// The command should agree with it (`M = 1`).
    Prescriptive,
    /// The command should keep away from it (`M = 0`).
    Proscriptive,
    /// It has no influence.
    Inactive,
}

/// What one sub-model says about the command.
#[derive(Clone, Copy, Debug)]
pub struct Opinion<'a> {
    /// Its distribution over the command.
    pub says: &'a [f64],
    /// What to do with it.
    pub stance: Stance,
}

impl Opinion<'_> {
    /// `c_i(m)`: how coherent a command is with this opinion.
    ///
    /// # Panics
    /// If the opinion says nothing about the command.
    #[inline]
    pub fn coherence(&self, command: usize) -> f64 {
        match self.stance {
            Stance::Prescriptive => self.says[command],
            Stance::Proscriptive => (1.0 - self.says[command]).max(0.0),
            Stance::Inactive => 1.0,
        }
    }
}

/// Why opinions cannot be fused: they are not about the same command, or not made of probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FusionError {
    /// There is no command to choose from.
    #[error("there is no command to choose from: `out` is empty")]
    NoCommand,
    /// A table of the wrong size.
    #[error("{what} has {found} numbers, it needs {needed}")]
    Size {
        /// Which table.
        what: Source,
        /// Numbers needed.
        needed: usize,
        /// Numbers found.
        found: usize,
    },
    /// A number that is no probability.
    #[error("{what}, number {at} is {value}: it must be a number from 0 to 1")]
    NotAProbability {
        /// Which table.
        what: Source,
        /// Which number of it.
        at: usize,
        /// What stands there.
        value: f64,
    },
    /// A sensed value that the sensor does not have.
    #[error("model {model} sensed value {sensed}, its sensor has {card}")]
    NoSuchValue {
        /// Which model.
        model: usize,
        /// What was sensed.
        sensed: usize,
        /// How many values the sensor has.
        card: usize,
    },
}

/// Which of the tables given to a fusion an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `P(command)`.
    Prior,
    /// An opinion, a likelihood, or the commands of a model, by index.
    Opinion(usize),
    /// The prior of a model's sensor, by index of the model.
    SensorPrior(usize),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Prior => write!(f, "the prior"),
            Source::Opinion(index) => write!(f, "opinion {index}"),
            Source::SensorPrior(index) => write!(f, "the sensor prior of model {index}"),
        }
    }
}

/// A table of probabilities of the right size. Numbers need not sum to 1: coherence leaves room for whoever says less.
#[inline]
fn check(what: Source, numbers: &[f64], needed: usize) -> Result<(), FusionError> {
    if numbers.len() != needed {
        return Err(FusionError::Size { what, needed, found: numbers.len() });
    }
    match numbers.iter().position(|&p| !(0.0..=1.0 + TOLERANCE).contains(&p)) {
        Some(at) => Err(FusionError::NotAProbability { what, at, value: numbers[at] }),
        None => Ok(()),
    }
}

fn check_prior(prior: Option<&[f64]>, commands: usize) -> Result<(), FusionError> {
    if commands == 0 {
        return Err(FusionError::NoCommand);
    }
    prior.map_or(Ok(()), |prior| check(Source::Prior, prior, commands))
}

/// The result of a fusion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fused {
    /// `out` holds the command's distribution.
    Agreed {
        /// `ln Z`: how much agreement there was.
        log_z: f64,
    },
    /// Every command is ruled out by someone: `out` holds the prior (uniform if there is none).
    Contradiction,
}

impl Fused {
    /// `ln Z`, minus infinity in a contradiction.
    pub fn log_z(&self) -> f64 {
        match self {
            Fused::Agreed { log_z } => *log_z,
            Fused::Contradiction => f64::NEG_INFINITY,
        }
    }
}

/// Fuses opinions into `out` by enhanced coherence. On an error `out` is left as it was.
///
/// ```
/// use repertoire_bayes::fusion::{Opinion, Stance, fuse};
/// let ahead = Opinion { says: &[0.2, 0.6, 0.2], stance: Stance::Prescriptive };
/// let enemy_left = Opinion { says: &[0.9, 0.1, 0.0], stance: Stance::Proscriptive };
/// let mut command = [0.0; 3];
/// fuse(&[ahead, enemy_left], None, &mut command)?;
/// assert!(command[2] > command[0]);
/// # Ok::<(), repertoire_bayes::fusion::FusionError>(())
/// ```
pub fn fuse(opinions: &[Opinion<'_>], prior: Option<&[f64]>, out: &mut [f64]) -> Result<Fused, FusionError> {
    check_prior(prior, out.len())?;
    for (index, opinion) in opinions.iter().enumerate() {
        check(Source::Opinion(index), opinion.says, out.len())?;
    }
    for (command, log) in out.iter_mut().enumerate() {
        *log = prior.map_or(0.0, |prior| ln(prior[command]));
        for opinion in opinions {
            *log += ln(opinion.coherence(command));
        }
    }
    Ok(from_logs(prior, out))
}

/// A virtual sensor from real ones: `likelihoods[i][v] = P(s_i | V = v)` for the values that were sensed. On an error
/// `out` is left as it was.
///
/// ```
/// use repertoire_bayes::fusion::naive_sensor_fusion;
/// // Danger is rare, but both the weapon and the distance that were seen are likelier in danger.
/// let mut danger = [0.0; 2];
/// naive_sensor_fusion(Some(&[0.9, 0.1]), &[&[0.01, 0.33], &[0.2, 0.6]], &mut danger)?;
/// assert!(danger[1] > 0.9);
/// # Ok::<(), repertoire_bayes::fusion::FusionError>(())
/// ```
pub fn naive_sensor_fusion(
    prior: Option<&[f64]>,
    likelihoods: &[&[f64]],
    out: &mut [f64],
) -> Result<Fused, FusionError> {
    check_prior(prior, out.len())?;
    for (index, likelihood) in likelihoods.iter().enumerate() {
        check(Source::Opinion(index), likelihood, out.len())?;
    }
    for (value, log) in out.iter_mut().enumerate() {
        *log = prior.map_or(0.0, |prior| ln(prior[value]));
        for likelihood in likelihoods {
            *log += ln(likelihood[value]);
        }
    }
    Ok(from_logs(prior, out))
}

/// A sub-model for naive motor fusion: a direct command, to be turned round by its sensor's prior.
#[derive(Clone, Copy, Debug)]
pub struct MotorModel<'a> {
    /// `P(s)` over the sensor's values.
    pub sensor_prior: &'a [f64],
    /// `P(V | s)`, `[sensor value][command]`.
    pub command_given_sensor: &'a [f64],
    /// What was sensed.
    pub sensed: usize,
}

/// Naive motor fusion, corrected, for comparison: its answer depends on how often each sensor value is expected. On an
/// error `out` is left as it was.
///
/// ```
/// use repertoire_bayes::fusion::{MotorModel, naive_motor_fusion};
/// // The same table and the same sensed value, but a sensor that hardly ever says anything else.
/// let command_given_sensor = &[0.8, 0.2, 0.2, 0.8];
/// let model = |sensor_prior| MotorModel { sensor_prior, command_given_sensor, sensed: 0 };
/// let (mut even, mut skewed) = ([0.0; 2], [0.0; 2]);
/// naive_motor_fusion(None, &[model(&[0.5, 0.5])], &mut even)?;
/// naive_motor_fusion(None, &[model(&[0.9, 0.1])], &mut skewed)?;
/// assert!(even[0] > 0.79 && skewed[0] < 0.6);
/// # Ok::<(), repertoire_bayes::fusion::FusionError>(())
/// ```
pub fn naive_motor_fusion(
    prior: Option<&[f64]>,
    models: &[MotorModel<'_>],
    out: &mut [f64],
) -> Result<Fused, FusionError> {
    let card = out.len();
    check_prior(prior, card)?;
    for (index, model) in models.iter().enumerate() {
        let values = model.sensor_prior.len();
        if model.sensed >= values {
            return Err(FusionError::NoSuchValue { model: index, sensed: model.sensed, card: values });
        }
        check(Source::SensorPrior(index), model.sensor_prior, values)?;
        check(Source::Opinion(index), model.command_given_sensor, values.saturating_mul(card))?;
    }
    for (command, log) in out.iter_mut().enumerate() {
        *log = prior.map_or(0.0, |prior| ln(prior[command]));
        for model in models {
            let says = |sensor: usize| model.command_given_sensor[sensor * card + command];
            let usual: f64 = model.sensor_prior.iter().enumerate().map(|(s, p)| p * says(s)).sum();
            let likelihood = model.sensor_prior[model.sensed] * says(model.sensed);
            // A command that this model never gives cannot have been meant.
            *log += if likelihood > 0.0 { ln(likelihood) - ln(usual) } else { f64::NEG_INFINITY };
        }
    }
    Ok(from_logs(prior, out))
}

fn from_logs(prior: Option<&[f64]>, out: &mut [f64]) -> Fused {
    let log_z = log_sum_exp(out);
    if log_z == f64::NEG_INFINITY {
        match prior {
            Some(prior) => out.copy_from_slice(prior),
            None => out.fill(1.0 / out.len() as f64),
        }
        return Fused::Contradiction;
    }
    out.iter_mut().for_each(|log| *log = exp(*log - log_z));
    // Logs cost a few last digits; give them back to the sum.
    repertoire_prob::num::normalise(out);
    Fused::Agreed { log_z }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Form, Program};
    use proptest::prelude::*;
    use repertoire_prob::{Cell, Variable};

    fn distribution(card: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 1e-6..1.0f64], card)
            .prop_filter("some mass", |weights| weights.iter().any(|&w| w > 0.0))
            .prop_map(|mut weights| {
                repertoire_prob::num::normalise(&mut weights);
                weights
            })
    }

    fn stance() -> impl Strategy<Value = Stance> {
        prop_oneof![Just(Stance::Prescriptive), Just(Stance::Proscriptive), Just(Stance::Inactive)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_the_program_of_figure_3_8(
            opinions in prop::collection::vec((distribution(4), stance()), 0..4),
            prior in prop::option::of(distribution(4)),
        ) {
            // P(V) Π P(V^i) P(M^i | V V^i), asked P(V | M), by enumerating V and every V^i.
            let mut joint = [0.0; 4];
            for (v, joint) in joint.iter_mut().enumerate() {
                *joint = prior.as_ref().map_or(1.0, |prior| prior[v]);
                for (says, stance) in &opinions {
                    *joint *= (0..4).map(|w| says[w] * match stance {
                        Stance::Prescriptive => f64::from(v == w),
                        Stance::Proscriptive => f64::from(v != w),
                        Stance::Inactive => 1.0,
                    }).sum::<f64>();
                }
            }
            let z: f64 = joint.iter().sum();
            let borrowed: Vec<Opinion<'_>> = opinions.iter().map(|(says, stance)| Opinion { says, stance: *stance }).collect();
            let mut out = [0.0; 4];
            let fused = fuse(&borrowed, prior.as_deref(), &mut out).unwrap();
            if z < 1e-14 {
                // 1 - p leaves a crumb of rounding where the enumeration has 0, and the other way round.
                return Ok(());
            }
            prop_assert!((fused.log_z() - ln(z)).abs() < 1e-9);
            for (found, joint) in out.iter().zip(joint) {
                prop_assert!((found - joint / z).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn agrees_with_the_engine_on_the_same_program() {
        // Two opinions, one for and one against, as a program with coherence variables.
        let variable = |name: &str| Variable::integers(name, 0, 2).unwrap();
        let boolean = |name: &str| Variable::new(name, ["false", "true"]).unwrap();
        let (for_it, against) = ([0.2, 0.5, 0.3], [0.7, 0.1, 0.2]);
        let cells = |p: [f64; 3]| Form::Table(p.map(Cell::Number).to_vec());
        let program = Program::new(
            "coherence",
            vec![variable("V"), variable("V0"), variable("V1"), boolean("M0"), boolean("M1")],
            vec![
                ("P(V)".parse().unwrap(), Form::Uniform),
                ("P(V0)".parse().unwrap(), cells(for_it)),
                ("P(V1)".parse().unwrap(), cells(against)),
                ("P(M0 | V V0)".parse().unwrap(), Form::Agreement),
                ("P(M1 | V V1)".parse().unwrap(), Form::Agreement),
            ],
        )
        .unwrap();
        let asked = program.ask("P(V | M0=true, M1=false)").unwrap();
        let mut fused = [0.0; 3];
        let log_z = fuse(
            &[
                Opinion { says: &for_it, stance: Stance::Prescriptive },
                Opinion { says: &against, stance: Stance::Proscriptive },
            ],
            None,
            &mut fused,
        )
        .unwrap()
        .log_z();
        for (a, b) in asked.distribution.iter().zip(fused) {
            assert!((a - b).abs() < 1e-14);
        }
        // The program has the uniform prior inside: Z = Z' / |V|.
        assert!((asked.log_p_known - (log_z - ln(3.0))).abs() < 1e-12);
    }

    #[test]
    fn refuses_contradicting_opinions() {
        let left = Opinion { says: &[1.0, 0.0], stance: Stance::Prescriptive };
        let right = Opinion { says: &[0.0, 1.0], stance: Stance::Prescriptive };
        let mut out = [0.0; 2];
        assert_eq!(fuse(&[left, right], None, &mut out), Ok(Fused::Contradiction));
        assert_eq!(out, [0.5, 0.5]);
        assert_eq!(fuse(&[left, right], Some(&[0.9, 0.1]), &mut out), Ok(Fused::Contradiction));
        assert_eq!(out, [0.9, 0.1]);
    }

    #[test]
    fn four_hundred_opinions_do_not_underflow() {
        let says = [1e-5, 1.0 - 1e-5];
        let opinions = vec![Opinion { says: &says, stance: Stance::Proscriptive }; 400];
        let mut out = [0.0; 2];
        let fused = fuse(&opinions, None, &mut out).unwrap();
        assert!(out[0] > 0.999 && fused.log_z().is_finite());
    }

    #[test]
    fn naive_motor_fusion_depends_on_the_sensor_prior_and_coherence_does_not() {
        // Two sensor values; P(V | s). With a uniform prior on s and these tables P_i(V) is uniform: both agree.
        let table = [0.8, 0.2, 0.2, 0.8];
        let model = |prior: &'static [f64]| MotorModel {
            sensor_prior: prior,
            command_given_sensor: &table,
            sensed: 0,
        };
        let (mut even, mut skewed, mut coherent) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        naive_motor_fusion(None, &[model(&[0.5, 0.5])], &mut even).unwrap();
        naive_motor_fusion(None, &[model(&[0.9, 0.1])], &mut skewed).unwrap();
        fuse(&[Opinion { says: &table[..2], stance: Stance::Prescriptive }], None, &mut coherent).unwrap();
        assert!((even[0] - coherent[0]).abs() < 1e-14);
        // P_i(V) = (0.74, 0.26): 0.8/0.74 against 0.2/0.26.
        let (a, b) = (0.8 / 0.74, 0.2 / 0.26);
        assert!((skewed[0] - a / (a + b)).abs() < 1e-14);
    }

    #[test]
    fn naive_sensor_fusion_is_bayes_rule() {
        let mut out = [0.0; 2];
        naive_sensor_fusion(Some(&[0.9, 0.1]), &[&[0.01, 1.0 / 3.0], &[0.5, 0.5]], &mut out).unwrap();
        let danger = 0.1 / 3.0;
        assert!((out[1] - danger / (danger + 0.009)).abs() < 1e-14);
    }
}
