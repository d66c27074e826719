//! The formulas of the evaluators, on plain numbers (section 5.4).
//!
//! Differs from the paper: the base of the logarithms in the evaluators of time and space is their threshold; thresholds
//! must exceed 1; costs and distances count as at least 1, so that standing on the target is worth 2; values fall below 0
//! (as printed, beyond the threshold's square) only where nothing else is left to choose from, since two negatives would
//! attract. The logarithm of the multi-goal evaluator is natural. An empty set of preferences is neutral.

use repertoire_prob::num::{ln, pow};

/// The harmonic mean of the preferences that are not neutral: `n / Σ 1/π`; 0 if any is 0 (or negative, or not a number),
/// 1 if all are neutral.
pub fn preference(pi: impl IntoIterator<Item = f64>) -> f64 {
    let (mut count, mut inverse) = (0.0, 0.0);
    for pi in pi {
        if pi.is_nan() || pi <= 0.0 {
            return 0.0;
        }
        if pi != 1.0 {
            count += 1.0;
            inverse += 1.0 / pi;
        }
    }
    if count == 0.0 { 1.0 } else { count / inverse }
}

/// Completion in time or in space: `1 + log_θ(θ / cost)`, at least 0. Neutral (1) for a threshold that is not above 1, which
/// no profile has, and for a cost that is not a number.
pub fn completion(theta: f64, cost: f64) -> f64 {
    printed_completion(theta, cost).max(0.0)
}

/// The same as printed: negative beyond the threshold's square.
pub fn printed_completion(theta: f64, cost: f64) -> f64 {
    if theta.is_nan() || theta <= 1.0 || cost.is_nan() {
        return 1.0;
    }
    // log_θ(θ / c) = 1 - log_θ(c).
    2.0 - ln(cost.max(1.0)) / ln(theta)
}

/// Opportunism: `max(1, 1 + log_θ(θ / distance))`.
pub fn opportunism(theta: f64, distance: f64) -> f64 {
    completion(theta, distance).max(1.0)
}

/// Multi-goal revaluation: `1 + ln(n)`.
pub fn multi(goals: u32) -> f64 {
    1.0 + ln(f64::from(goals.max(1)))
}

/// Inertia: `1 + θ` for what belongs to the alternative chosen last.
pub fn inertia(theta: f64, in_last: bool) -> f64 {
    if in_last { 1.0 + theta } else { 1.0 }
}

/// Altruism: `θ` for another's goal. Ours: the paper leaves it for later.
pub fn altruism(theta: f64, is_for_another: bool) -> f64 {
    if is_for_another { theta } else { 1.0 }
}

/// Reputation: `r^θ` for the goal of somebody with reputation `r`. Ours: the paper leaves it for later.
pub fn reputation(theta: f64, reputation: f64) -> f64 {
    pow(reputation.max(0.0), theta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, printed: f64) {
        assert!((value - printed).abs() < 0.005, "{value} is printed {printed}");
    }

    #[test]
    fn preferences_of_experiment_6_1_2_are_those_printed() {
        near(preference([1.1, 1.1, 2.0, 1.1]), 1.24);
        near(preference([1.1, 0.8, 1.1]), 0.98);
        near(preference([1.1, 1.1, 0.8, 1.1]), 1.01);
        near(preference([1.1, 2.0, 1.1]), 1.29);
    }

    #[test]
    fn times_of_experiment_6_1_4_are_those_printed() {
        near(completion(5.0, 4.0), 1.14);
        near(completion(5.0, 7.0), 0.79);
    }

    #[test]
    fn one_inhibited_deed_inhibits_and_neutral_ones_do_not_count() {
        assert_eq!(preference([2.0, 0.0, 5.0]), 0.0);
        assert_eq!(preference([]), 1.0);
        assert_eq!(preference([1.0, 1.0]), 1.0);
        assert_eq!(preference([1.0, 2.0, 1.0]), 2.0);
    }

    #[test]
    fn far_away_never_turns_negative_and_near_is_at_most_two() {
        assert_eq!(completion(5.0, 25.0), 0.0);
        assert_eq!(completion(5.0, 1e300), 0.0);
        assert_eq!(completion(5.0, 0.0), 2.0);
        assert_eq!(opportunism(10.0, 0.0), 2.0);
        assert_eq!(opportunism(10.0, 10.0), 1.0);
        assert_eq!(opportunism(10.0, 11.0), 1.0);
    }

    #[test]
    fn several_goals_are_worth_more_and_one_is_neutral() {
        assert_eq!(multi(1), 1.0);
        assert!((multi(2) - 1.693_147_180_559_945).abs() < 1e-12);
        assert_eq!(inertia(0.5, true), 1.5);
        assert_eq!(inertia(0.5, false), 1.0);
    }
}
