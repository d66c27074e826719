//! What each known value contributed to an answer.
//!
//! The contribution of a known value to a searched one is how much the answer would change if it were not known:
//! `ln P(s | known) - ln P(s | known without it)`. Positive speaks for `s`, negative against it, 0 says nothing. Minus
//! infinity: this value alone made `s` impossible.

use repertoire_prob::num::ln;

use crate::program::Program;
use crate::question::{AskError, Question, Workspace};

/// An answer with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// `P(searched | known)`.
    pub distribution: Vec<f64>,
    /// `ln P(known)`.
    pub log_p_known: f64,
    /// For each known variable, in the order asked.
    pub contributions: Vec<Contribution>,
}

/// What one known value contributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The known variable, by index.
    pub variable: u32,
    /// The answer if it were not known.
    pub without: Vec<f64>,
    /// How much it speaks for each searched value, in nats.
    pub log_ratio: Vec<f64>,
}

/// Answers a question and says what each known value contributed.
///
/// ```
/// use repertoire_bayes::Program;
/// use repertoire_bayes::explain::explain;
/// let sensor = Program::shipped("danger-sensor").expect("shipped");
/// let id = |name: &str| sensor.id(name).expect("declared") as u32;
/// let strong = sensor.variable("Weapon").and_then(|weapon| weapon.value("strong")).expect("a value") as u32;
/// let explained = explain(&sensor, &[id("Danger")], &[(id("Weapon"), strong)])?;
/// assert!(explained.contributions[0].log_ratio[1] > 0.0, "a strong weapon speaks for danger");
/// # Ok::<(), repertoire_bayes::AskError>(())
/// ```
pub fn explain(program: &Program, searched: &[u32], known: &[(u32, u32)]) -> Result<Explanation, AskError> {
    let mut workspace = Workspace::new();
    let mut answer = |known: &[(u32, u32)]| -> Result<(Vec<f64>, f64), AskError> {
        let (ids, values): (Vec<u32>, Vec<u32>) = known.iter().copied().unzip();
        let answer = Question::of_ids(program, searched, &ids)?;
        let answer = answer.ask(program, &values, &mut workspace)?;
        Ok((answer.distribution.to_vec(), answer.log_p_known()))
    };
    let (distribution, log_p_known) = answer(known)?;
    let mut contributions = Vec::new();
    for (at, &(variable, _)) in known.iter().enumerate() {
        let mut others = known.to_vec();
        others.remove(at);
        let (without, _) = answer(&others)?;
        // What was impossible anyway is not this value's doing.
        let ratio =
            |(&with, &without): (&f64, &f64)| if without == 0.0 { 0.0 } else { ln(with) - ln(without) };
        let log_ratio = distribution.iter().zip(&without).map(ratio).collect();
        contributions.push(Contribution { variable, without, log_ratio });
    }
    Ok(Explanation { distribution, log_p_known, contributions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;

    #[test]
    fn in_a_naive_fusion_the_contribution_is_the_likelihood_ratio() {
        let danger = shipped::program("danger-sensor").unwrap();
        let id = |name: &str| danger.id(name).unwrap() as u32;
        let value = |name: &str, value: &str| danger.variable(name).unwrap().value(value).unwrap() as u32;
        let known = [(id("Weapon"), value("Weapon", "strong")), (id("Distance"), value("Distance", "far"))];
        let explained = explain(&danger, &[id("Danger")], &known).unwrap();
        let weapon = &explained.contributions[0];
        // P(strong | true) = 1/3 against P(strong | false) = 0.01 (table 3.1): together ln(100/3) for danger.
        let together = weapon.log_ratio[1] - weapon.log_ratio[0];
        assert!((together - ln(100.0 / 3.0)).abs() < 1e-12);
        assert!(explained.contributions[1].log_ratio[1] < 0.0, "far away speaks against danger");
    }
}
