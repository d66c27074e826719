//! What looks odd in a scenario that can be run: goals without a way, thresholds that are too small, what is never used.

use repertoire_prob::num::significant;

use super::scenario::Scenario;
use super::world::{Worthless, hopeless_goals, worthless};

/// What a look at a scenario found.
///
/// ```
/// use repertoire_worlds::rooms::review::Review;
/// use repertoire_worlds::rooms::scenario::scenario;
/// let told = scenario("6.2").expect("shipped");
/// assert!(Review::of(&told).hopeless.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Goals that have no way even for one who knows everything: by character and goal.
    pub hopeless: Vec<(String, String)>,
    /// All that looks odd, in words.
    pub notes: Vec<String>,
}

impl Review {
    /// Looks at a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let hopeless = hopeless_goals(scenario);
        let mut notes = scenario.notes.clone();
        notes.extend(hopeless.iter().map(|(who, goal)| {
            format!("goal `{goal}` of `{who}`: no way to it, even for one who knows everything and is alone")
        }));
        notes.extend(worthless(scenario).iter().map(too_small));
        Review { hopeless, notes }
    }
}

fn too_small(one: &Worthless) -> String {
    format!(
        "`{}` with {} = {} calls whatever costs {} or more worthless; {} for goal `{}` costs {}: done only when nothing \
         else is left; write {} = {} or more",
        one.character,
        one.motivation,
        one.threshold,
        significant(one.threshold * one.threshold, 3),
        one.action,
        one.goal,
        significant(one.cost, 3),
        one.motivation,
        (one.cost.sqrt() + 1e-9).ceil().max(2.0)
    )
}
