//! Whether judges agree, and what guessing would give.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Humanness, Judgement, humanness};
use crate::how_often::Share;

/// What judges said, all together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// How human each of those who were judged looks.
    pub humanness: BTreeMap<String, Humanness>,
    /// How many judges.
    pub judges: usize,
    /// How many judgements.
    pub judgements: usize,
    /// Krippendorff's alpha for person against program: 1 if all judges of a clip agree, 0 if they agree as often as by chance; none
    /// if no clip has two judges, or all say the same of everything.
    pub agreement: Option<f64>,
    /// The share of judgements that say "person", whoever it was: what a judge who cannot tell gives everybody.
    pub chance: f64,
    /// Of the judgements about those known to be people or programs, how many are right; none if nobody is known to be a person.
    pub right: Option<Share>,
}

impl Judged {
    /// Sums judgements up; `is_person` says who is known to be one.
    pub fn of(judgements: &[Judgement], is_person: impl Fn(&str) -> bool) -> Self {
        let judges: std::collections::BTreeSet<&str> =
            judgements.iter().map(|one| one.judge.as_str()).collect();
        let said = judgements.iter().filter(|one| one.verdict.is_person()).count();
        let people = judgements.iter().any(|one| is_person(&one.opponent));
        let right =
            judgements.iter().filter(|one| one.verdict.is_person() == is_person(&one.opponent)).count();
        Judged {
            humanness: humanness(judgements),
            judges: judges.len(),
            judgements: judgements.len(),
            agreement: agreement(judgements),
            chance: said as f64 / (judgements.len() as f64).max(1.0),
            right: people.then(|| Share::new(right as u32, judgements.len() as u32)),
        }
    }
}

/// Krippendorff's alpha for two values: one minus the disagreement within clips over that between any two judgements.
fn agreement(judgements: &[Judgement]) -> Option<f64> {
    let mut clips: BTreeMap<(&str, &str, &str, u32), [f64; 2]> = BTreeMap::new();
    for one in judgements {
        let clip = (one.opponent.as_str(), one.alias.as_str(), one.map.as_str(), one.round);
        clips.entry(clip).or_default()[usize::from(one.verdict.is_person())] += 1.0;
    }
    let (mut apart, mut all) = (0.0, [0.0; 2]);
    for [program, person] in clips.into_values().filter(|[program, person]| program + person >= 2.0) {
        apart += 2.0 * program * person / (program + person - 1.0);
        all[0] += program;
        all[1] += person;
    }
    let count = all[0] + all[1];
    let expected = 2.0 * all[0] * all[1] / (count - 1.0);
    (count >= 2.0 && expected > 0.0).then(|| 1.0 - apart / expected)
}

#[cfg(test)]
mod tests {
    use repertoire_prob::Stream;

    use super::super::Verdict;
    use super::*;

    fn judged(judge: usize, opponent: &str, clip: usize, person: bool) -> Judgement {
        Judgement {
            judge: format!("judge {judge}"),
            opponent: opponent.to_owned(),
            alias: format!("clip {clip}"),
            map: "yard".to_owned(),
            round: 1,
            verdict: if person { Verdict::RatherPerson } else { Verdict::SurelyProgram },
            because: String::new(),
        }
    }

    #[test]
    fn alpha_is_that_of_the_textbook() {
        // Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example A: two observers, ten units, alpha = 0.095.
        let first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
        let second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
        let mut all = Vec::new();
        for (judge, values) in [first, second].into_iter().enumerate() {
            all.extend(
                values.into_iter().enumerate().map(|(clip, value)| judged(judge, "x", clip, value == 1)),
            );
        }
        let alpha = agreement(&all).expect("two judges");
        assert!((alpha - 0.095).abs() < 5e-4, "{alpha}");
    }

    /// A judge takes a person for one with probability 0.9, a good imitation with 0.6, and a native bot with 0.1.
    const TRUTH: [(&str, f64); 3] = [("person", 0.9), ("pupil", 0.6), ("native:3", 0.1)];

    fn jury(seed: u64, takes: impl Fn(f64) -> f64) -> Vec<Judgement> {
        let mut draw = Stream::new(seed, 0, "judges");
        let judges = (0..100).flat_map(|judge| TRUTH.map(|(who, p)| (judge, who, p)));
        judges.map(|(judge, who, p)| judged(judge, who, 1, draw.unit() < takes(p))).collect()
    }

    #[test]
    fn judges_of_known_skill_come_back_with_the_right_human_likeness() {
        let (mut held, mut all, mut right) = (0, 0, 0.0);
        for seed in 0..100 {
            let result = Judged::of(&jury(seed, |p| p), |who| who == "person");
            assert_eq!((result.judges, result.judgements), (100, 300));
            for (who, p) in TRUTH {
                let share = result.humanness[who].share.expect("enough judges");
                all += 1;
                held += u32::from(share.low <= p && p <= share.high);
            }
            right += result.right.expect("a person is among them").p / 100.0;
            assert!(result.agreement.expect("many judges") > 0.2);
        }
        assert!((280..=297).contains(&held), "{held} of {all} intervals of 95 % hold the truth");
        // 0.9 of people, 0.4 of pupils and 0.9 of native bots are told right.
        assert!((right - 2.2 / 3.0).abs() < 0.01, "{right}");
    }

    #[test]
    fn judges_who_guess_agree_as_by_chance() {
        let result = Judged::of(&jury(4, |_| 0.5), |who| who == "person");
        assert!(result.agreement.expect("many judges").abs() < 0.05);
        assert!((result.chance - 0.5).abs() < 0.1 && result.right.expect("a person").low < 0.5);
    }
}
