//! Believability judged by people: opponents under false names, a questionnaire, and how often each is taken for a person.
//!
//! The protocol is that of Tencé 2011, appendix: a judge plays against several opponents, two matches of five minutes, knowing none of
//! them, and then says of each whether a person played it, on a scale. Human-likeness is the share of judgements above the middle of
//! the scale, with the interval of [`Share`].
//!
//! Differs from the paper: the scale has four steps and no middle, so that every judgement counts for one side. Judgements of one judge
//! about one opponent are not independent of each other; the interval counts judges, by each judge's mean rounded to one side.
//!
//! | module      | what it holds                                                                  |
//! |-------------|--------------------------------------------------------------------------------|
//! | [`clips`]   | stretches of recorded play for judges who only look on, and who was who in them |
//! | `agreement` | what judges said all together: whether they agree, what guessing would give     |

mod agreement;
pub mod clips;

use std::collections::BTreeMap;

pub use agreement::Judged;
use serde::{Deserialize, Serialize};

use crate::how_often::Share;

/// Fewer judges than this say nothing about an opponent.
pub const ENOUGH_JUDGES: u32 = 5;

/// Names that tell nothing, for opponents.
pub const ALIASES: [&str; 12] =
    ["Alder", "Birch", "Cedar", "Damson", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Larch", "Maple"];

/// What a judge thinks of an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Surely a program.
    SurelyProgram,
    /// Rather a program.
    RatherProgram,
    /// Rather a person.
    RatherPerson,
    /// Surely a person.
    SurelyPerson,
}

impl Verdict {
    /// Whether it is taken for a person.
    pub fn is_person(self) -> bool {
        matches!(self, Verdict::RatherPerson | Verdict::SurelyPerson)
    }
}

/// One judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// Who judges.
    pub judge: String,
    /// Who was judged, as it is written on a command line; `person` for people.
    pub opponent: String,
    /// Under which name.
    pub alias: String,
    /// On which map.
    pub map: String,
    /// Which of the matches, the first being 1.
    pub round: u32,
    /// What they think.
    pub verdict: Verdict,
    /// What made them think so, in their words.
    #[serde(default)]
    pub because: String,
}

/// How human an opponent looks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Humanness {
    /// The share of judges who took it for a person; none while there are too few judges.
    pub share: Option<Share>,
    /// How many judged it.
    pub judges: u32,
    /// In how many judgements.
    pub judgements: u32,
}

/// How human each opponent looks to all judges.
pub fn humanness(judgements: &[Judgement]) -> BTreeMap<String, Humanness> {
    let mut by_judge: BTreeMap<&str, BTreeMap<&str, (u32, u32)>> = BTreeMap::new();
    for one in judgements {
        let counts = by_judge.entry(&one.opponent).or_default().entry(&one.judge).or_default();
        counts.0 += u32::from(one.verdict.is_person());
        counts.1 += 1;
    }
    let humanness = |judges: BTreeMap<&str, (u32, u32)>| {
        let count = judges.len() as u32;
        let person = judges.values().filter(|(person, all)| 2 * person > *all).count() as u32;
        let judgements = judges.values().map(|(_, all)| all).sum();
        Humanness {
            share: (count >= ENOUGH_JUDGES).then(|| Share::new(person, count)),
            judges: count,
            judgements,
        }
    };
    by_judge.into_iter().map(|(opponent, judges)| (opponent.to_owned(), humanness(judges))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(judge: u32, opponent: &str, verdict: Verdict) -> Judgement {
        let (judge, alias, map) = (format!("judge {judge}"), "Elm".to_owned(), "yard".to_owned());
        Judgement {
            judge,
            opponent: opponent.to_owned(),
            alias,
            map,
            round: 1,
            verdict,
            because: String::new(),
        }
    }

    #[test]
    fn a_judge_counts_once_and_few_judges_say_nothing() {
        let mut all: Vec<Judgement> =
            (0..5).map(|judge| judged(judge, "hunter", Verdict::RatherPerson)).collect();
        all.extend((0..9).map(|_| judged(0, "hunter", Verdict::SurelyProgram)));
        all.push(judged(1, "native:3", Verdict::SurelyProgram));
        let humanness = humanness(&all);
        let hunter = &humanness["hunter"];
        assert_eq!((hunter.judges, hunter.judgements), (5, 14));
        assert_eq!(
            hunter.share.map(|share| (share.count, share.of)),
            Some((4, 5)),
            "judge 0 mostly said program"
        );
        assert_eq!(humanness["native:3"].share, None);
    }

    #[test]
    fn judgements_are_lines_of_json() {
        let one = judged(3, "person", Verdict::SurelyPerson);
        let line = serde_json::to_string(&one).expect("plain data");
        assert!(line.contains("\"verdict\":\"surely-person\""), "{line}");
        assert_eq!(serde_json::from_str::<Judgement>(&line).expect("its own line"), one);
    }
}
