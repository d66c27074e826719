//! Fusing two profiles into one: the paper's last perspective.
//!
//! Ours, since the paper only names the question. Each parameter is taken between the two so that half-way is really
//! half-way in what the motivation says, and so that a motivation that one of them does not have fades in from neutral:
//!
//! | parameter                    | between `a` (weight `1 - w`) and `b` (weight `w`)                           |
//! |------------------------------|-----------------------------------------------------------------------------|
//! | preferences, factors         | `a^(1-w) · b^w`: neutral 1 stays neutral, 0 forbids unless its weight is 0   |
//! | costs                        | `(1-w)·a + w·b`                                                             |
//! | opportunism                  | `a^(1-w) · b^w`; absent is 1, which attracts to nothing                     |
//! | time, space                  | `ln θ = 1 / ((1-w)/ln a + w/ln b)`; absent is ∞, which makes no difference   |
//! | inertia, altruism, reputation| `(1-w)·a + w·b`; absent is neutral: 0, 1, 0                                 |
//! | multi, influence, combination| those of the weightier                                                      |

use std::collections::BTreeMap;

use repertoire_prob::num::{exp, ln, pow};
use thiserror::Error;

use super::{OTHER, Profile};

/// A weight between two profiles that is not a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the weight between two profiles is {0}: it must be a number from 0 (all the first) to 1 (all the second)"
)]
pub struct WeightError(pub f64);

/// One profile from two; `weight` from 0 (all `a`) to 1 (all `b`).
///
/// ```
/// use repertoire_character::profile::{fuse::fuse, profile};
/// let (brute, careful) = (profile("brute").expect("shipped"), profile("careful").expect("shipped"));
/// let between = fuse(&brute, &careful, 0.5)?;
/// assert!(between.preference("break") < brute.preference("break"));
/// assert!(fuse(&brute, &careful, f64::NAN).is_err());
/// # Ok::<(), repertoire_character::profile::fuse::WeightError>(())
/// ```
pub fn fuse(a: &Profile, b: &Profile, weight: f64) -> Result<Profile, WeightError> {
    if !(0.0..=1.0).contains(&weight) {
        return Err(WeightError(weight));
    }
    Ok(mix(a, b, weight))
}

fn mix(a: &Profile, b: &Profile, w: f64) -> Profile {
    if w == 0.0 || w == 1.0 {
        let mut whole = if w == 0.0 { a.clone() } else { b.clone() };
        whole.name = name(a, b);
        return whole;
    }
    let linear = |a: f64, b: f64| if a == b { a } else { (1.0 - w) * a + w * b };
    let geometric = |a: f64, b: f64| if a == b { a } else { pow(a, 1.0 - w) * pow(b, w) };
    let optional = |a: Option<f64>, b: Option<f64>, neutral: f64| match (a, b) {
        (None, None) => None,
        _ => Some(linear(a.unwrap_or(neutral), b.unwrap_or(neutral))),
    };
    // 1 / ln θ is how steeply the evaluator falls with the logarithm of the cost: 0 when it is not there.
    let steep = |theta: Option<f64>| theta.map_or(0.0, |theta| 1.0 / ln(theta));
    let completion = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (None, None) => None,
        _ if a == b => a,
        _ => Some(exp(1.0 / linear(steep(a), steep(b)))).filter(|theta| theta.is_finite()),
    };
    let opportunism = match (a.opportunism, b.opportunism) {
        (None, None) => None,
        (a, b) => Some(geometric(a.unwrap_or(1.0), b.unwrap_or(1.0))).filter(|theta| *theta > 1.0),
    };
    let weightier = if w < 0.5 { a } else { b };
    Profile {
        name: name(a, b),
        about: String::new(),
        family: if a.family == b.family { a.family.clone() } else { None },
        influence: weightier.influence,
        goals: tables(&a.goals, &b.goals, 1.0, geometric),
        preferences: tables(&a.preferences, &b.preferences, 1.0, geometric),
        costs: tables(&a.costs, &b.costs, 1.0, linear),
        time: completion(a.time, b.time),
        space: completion(a.space, b.space),
        opportunism,
        inertia: optional(a.inertia, b.inertia, 0.0),
        multi: weightier.multi,
        altruism: optional(a.altruism, b.altruism, 1.0),
        reputation: optional(a.reputation, b.reputation, 0.0),
        combination: weightier.combination,
    }
}

fn name(a: &Profile, b: &Profile) -> String {
    if a.name == b.name { a.name.clone() } else { format!("{}+{}", a.name, b.name) }
}

fn tables(
    a: &BTreeMap<String, f64>,
    b: &BTreeMap<String, f64>,
    neutral: f64,
    between: impl Fn(f64, f64) -> f64,
) -> BTreeMap<String, f64> {
    let of = |table: &BTreeMap<String, f64>, name: &str| {
        table.get(name).or_else(|| table.get(OTHER)).copied().unwrap_or(neutral)
    };
    let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().map(|name| (name.clone(), between(of(a, name), of(b, name)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motivation::numbers::{completion, opportunism};
    use crate::profile::{PROFILES, profile};

    #[test]
    fn a_profile_fused_with_itself_is_itself() {
        for (name, _) in PROFILES {
            let one = profile(name).unwrap();
            assert_eq!(fuse(&one, &one, 0.3).unwrap().preferences, one.preferences);
            let both = fuse(&one, &one, 0.7).unwrap();
            assert_eq!(
                (both.time, both.space, both.opportunism, both.inertia, both.multi),
                (one.time, one.space, one.opportunism, one.inertia, one.multi)
            );
        }
    }

    #[test]
    fn the_order_of_two_does_not_matter() {
        let (a, b) = (profile("brute").unwrap(), profile("careful").unwrap());
        let (ab, ba) = (fuse(&a, &b, 0.25).unwrap(), fuse(&b, &a, 0.75).unwrap());
        for name in ab.preferences.keys() {
            assert!((ab.preferences[name] - ba.preferences[name]).abs() < 1e-12, "{name}");
        }
        assert_eq!(ab.opportunism.map(f64::to_bits), ba.opportunism.map(f64::to_bits));
    }

    #[test]
    fn what_either_forbids_stays_forbidden() {
        let mut a = Profile::default();
        a.preferences.insert("break".into(), 0.0);
        let b = profile("brute").unwrap();
        assert_eq!(fuse(&a, &b, 0.9).unwrap().preferences["break"], 0.0);
        assert!(fuse(&a, &b, 1.0).unwrap().preferences["break"] > 1.0);
    }

    #[test]
    fn a_motivation_that_one_lacks_comes_in_little_by_little() {
        let without = Profile::default();
        let with = Profile { opportunism: Some(16.0), time: Some(5.0), ..Profile::default() };
        let mut last = (1.0, 2.0);
        for w in [0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            let fused = fuse(&without, &with, w).unwrap();
            let near = opportunism(fused.opportunism.unwrap(), 2.0);
            let slow = completion(fused.time.unwrap(), 7.0);
            assert!(near >= last.0 && slow <= last.1, "{w}: {near} {slow} after {last:?}");
            last = (near, slow);
        }
    }
}
