//! Telling characters apart from what they did: naive Bayes over words of their logs.
//!
//! `P(character | log) ∝ Π P(word | character)` with Laplace's law, all characters equally likely at first. Simple on
//! purpose: what it can tell apart, anybody could.

use std::collections::BTreeMap;

use repertoire_prob::num::ln;

/// A classifier of logs.
#[derive(Clone, Debug, Default)]
pub struct Identifier {
    /// For each character, how often each word was seen.
    counts: Vec<BTreeMap<String, u32>>,
    words: std::collections::BTreeSet<String>,
}

impl Identifier {
    /// Nobody is known yet.
    pub fn new(characters: usize) -> Self {
        Identifier { counts: vec![BTreeMap::new(); characters], words: std::collections::BTreeSet::new() }
    }

    /// Learns from a log of a character.
    pub fn learn<'a>(&mut self, character: usize, log: impl IntoIterator<Item = &'a str>) {
        for word in log {
            *self.counts[character].entry(word.to_owned()).or_default() += 1;
            self.words.insert(word.to_owned());
        }
    }

    /// Whose log it most probably is; of equals the first.
    pub fn guess<'a>(&self, log: impl IntoIterator<Item = &'a str> + Clone) -> usize {
        let score = |counts: &BTreeMap<String, u32>| {
            let total: u32 = counts.values().sum();
            let words = self.words.len() as f64 + 1.0;
            let word = |word: &str| {
                ln((f64::from(counts.get(word).copied().unwrap_or(0)) + 1.0) / (f64::from(total) + words))
            };
            log.clone().into_iter().map(word).sum::<f64>()
        };
        let scores: Vec<f64> = self.counts.iter().map(score).collect();
        let mut best = 0;
        for (at, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = at;
            }
        }
        best
    }
}

/// Words of a log: what was done, and what was done after what, without waiting and walking.
pub fn words<'a>(log: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut words = Vec::new();
    let mut before: Option<&str> = None;
    for act in log.into_iter().filter(|act| !["move", "wait"].contains(act)) {
        words.push(act.to_owned());
        if let Some(before) = before {
            words.push(format!("{before} {act}"));
        }
        before = Some(act);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_other_things_is_told_apart() {
        let mut identifier = Identifier::new(2);
        identifier.learn(0, ["eat", "eat", "drink"]);
        identifier.learn(1, ["drink", "drink", "pray"]);
        assert_eq!(identifier.guess(["eat"]), 0);
        assert_eq!(identifier.guess(["pray", "drink"]), 1);
    }

    #[test]
    fn words_are_deeds_and_pairs_of_deeds() {
        assert_eq!(words(["move", "eat", "move", "move", "drink"]), ["eat", "drink", "eat drink"]);
    }
}
