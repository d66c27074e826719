//! A decision in words: what was chosen, what each motivation said, and what it won against.

use crate::character::Character;
use crate::laws::Laws;
use crate::profile::Temper;
use crate::reason::deed_label;

/// One alternative, explained.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Explained {
    /// What can be done now.
    pub action: String,
    /// For which goal.
    pub goal: String,
    /// The combined value.
    pub value: f64,
    /// Every motivation and what it said.
    pub motivations: Vec<(String, f64)>,
    /// Everything it leads to, in order.
    pub alternative: Vec<String>,
    /// Whether it was chosen.
    #[serde(skip)]
    pub chosen: bool,
}

/// Every alternative of the last decision, the best first.
pub fn explain(character: &Character, laws: &Laws, temper: &Temper) -> Vec<Explained> {
    let decision = character.decision();
    let roster = character.memory.roster();
    let names = temper.names();
    let mut all: Vec<Explained> = Vec::new();
    for (index, weighed) in decision.weighed.iter().enumerate() {
        let alternative = &character.alternatives().all()[weighed.alternative as usize];
        let deeds = character.alternatives().deeds(alternative);
        all.push(Explained {
            action: deed_label(weighed.deed, laws, roster),
            goal: character.goals()[weighed.goal as usize].name.clone(),
            value: weighed.value,
            motivations: names
                .iter()
                .map(|name| (*name).to_owned())
                .zip(decision.values(weighed).iter().copied())
                .collect(),
            alternative: deeds.iter().map(|&deed| deed_label(deed, laws, roster)).collect(),
            chosen: decision.chosen == Some(index as u32),
        });
    }
    let chosen = decision.chosen.map(|chosen| all.remove(chosen as usize));
    all.sort_by(|a, b| b.value.total_cmp(&a.value));
    chosen.into_iter().chain(all).collect()
}

/// Why the first of some explained alternatives was chosen, in a sentence.
pub fn sentence(explained: &[Explained]) -> String {
    use repertoire_prob::num::significant;
    let number = |value: f64| significant(value, 3);
    let Some(best) = explained.first() else { return "nothing to do".into() };
    if !best.chosen {
        return "nothing it could do is worth doing".into();
    }
    let moved = best.motivations.iter().filter(|(_, value)| *value != 1.0);
    let moved: Vec<String> = moved.map(|(name, value)| format!("{name} {}", number(*value))).collect();
    let because =
        if moved.is_empty() { "nothing speaks for or against it".into() } else { moved.join(" × ") };
    let rival = explained.iter().skip(1).find(|other| other.action != best.action);
    let against = match rival {
        Some(rival) => format!("; next best {} for {} at {}", rival.action, rival.goal, number(rival.value)),
        None => String::new(),
    };
    format!("{} for {}: {} = {because}{against}", best.action, best.goal, number(best.value))
}
