//! Telling characters apart from what they did: naive Bayes over words of their logs.
//!
//! `P(character | log) ∝ Π P(word | character)` with Laplace's law, all characters equally likely at first. Simple on
//! purpose: what it can tell apart, anybody could.
//!
//! [`hold_out`] says how often it is right: each log is left out in turn and given to whoever of the rest it resembles most. The
//! words of movement are those of [`AngleCounts::words`](crate::signature::AngleCounts::words), those of deeds come from
//! [`words`].

use std::collections::BTreeMap;

use repertoire_prob::num::{ln, sqrt};
use serde::Serialize;

/// A classifier of logs.
///
/// ```
/// use repertoire_eval::identify::Identifier;
///
/// let mut identifier = Identifier::new(2);
/// identifier.learn(0, ["eat", "eat", "drink"]);
/// identifier.learn(1, ["drink", "pray"]);
/// assert_eq!(identifier.guess(["pray", "drink"]), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Identifier {
    /// For each character, how often each word was seen.
    counts: Vec<BTreeMap<String, u32>>,
    words: std::collections::BTreeSet<String>,
}

impl Identifier {
    /// A number of characters of whom nothing is known yet.
    pub fn new(characters: usize) -> Self {
        Identifier { counts: vec![BTreeMap::new(); characters], words: std::collections::BTreeSet::new() }
    }

    /// Learns from a log of a character.
    ///
    /// # Panics
    /// If there are not that many characters.
    pub fn learn<'a>(&mut self, character: usize, log: impl IntoIterator<Item = &'a str>) {
        for word in log {
            *self.counts[character].entry(word.to_owned()).or_default() += 1;
            self.words.insert(word.to_owned());
        }
    }

    /// Takes back what was learned from a log of a character.
    ///
    /// # Panics
    /// If there are not that many characters.
    pub fn forget<'a>(&mut self, character: usize, log: impl IntoIterator<Item = &'a str>) {
        for word in log {
            if let Some(count) = self.counts[character].get_mut(word) {
                *count = count.saturating_sub(1);
            }
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

/// How often held-out logs were given to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Identified {
    /// Logs that were given to the right one.
    pub right: usize,
    /// Logs that were held out: those of whom there is another log.
    pub of: usize,
    /// Among how many one was chosen.
    pub among: usize,
    /// The share that guessing would get right.
    pub chance: f64,
    /// The lower end of the 95 % interval of the share that is right (Wilson 1927); 0 if nothing was held out.
    pub low: f64,
    /// Its upper end; 1 if nothing was held out.
    pub high: f64,
}

impl Identified {
    /// The share that was right; 0 if nothing was held out.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.right as f64 / self.of as f64 }
    }

    /// Whether the interval lies above chance: the logs can be told apart.
    pub fn is_above_chance(&self) -> bool {
        self.of > 0 && self.low > self.chance
    }
}

/// Leaves each log out in turn, learns from the others, and asks whose it is. Logs come with a name; those of whom there is only
/// one log are candidates, but are not held out, since nothing could be learned of them.
///
/// ```
/// use repertoire_eval::identify::hold_out;
///
/// let log = |name: &str, deeds: &[&str]| (name.to_owned(), deeds.iter().map(|&deed| deed.to_owned()).collect());
/// let logs = [
///     log("glutton", &["eat", "eat"]),
///     log("glutton", &["eat", "sleep"]),
///     log("monk", &["pray", "sleep"]),
///     log("monk", &["pray", "pray"]),
/// ];
/// let told = hold_out(&logs);
/// assert_eq!((told.right, told.of, told.chance), (4, 4, 0.5));
/// ```
pub fn hold_out(logs: &[(String, Vec<String>)]) -> Identified {
    let mut names: Vec<&str> = logs.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let who = |name: &str| names.binary_search(&name).unwrap_or(0);
    let mut identifier = Identifier::new(names.len());
    let mut counts = vec![0; names.len()];
    for (name, log) in logs {
        identifier.learn(who(name), log.iter().map(String::as_str));
        counts[who(name)] += 1;
    }
    let (mut right, mut of) = (0, 0);
    for (name, log) in logs.iter().filter(|(name, _)| counts[who(name)] > 1) {
        identifier.forget(who(name), log.iter().map(String::as_str));
        right += usize::from(identifier.guess(log.iter().map(String::as_str)) == who(name));
        identifier.learn(who(name), log.iter().map(String::as_str));
        of += 1;
    }
    let (low, high) = wilson(right, of);
    let chance = if names.is_empty() { 0.0 } else { 1.0 / names.len() as f64 };
    Identified { right, of, among: names.len(), chance, low, high }
}

/// The 95 % interval of a share, after Wilson 1927: unlike the mean plus and minus a width it stays within 0 and 1, and is not
/// empty where all or none were right.
fn wilson(right: usize, of: usize) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (p, n, z) = (right as f64 / of as f64, of as f64, 1.959_963_984_540_054_f64);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n);
    ((centre - half).max(0.0), (centre + half).min(1.0))
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
    fn who_is_alike_is_told_apart_no_better_than_by_chance() {
        // Forty logs of two who do the same things, drawn by the same coin.
        let mut coin = repertoire_prob::Stream::new(3, 0, "alike");
        let mut log = |name: &str| {
            let deeds = (0..50).map(|_| if coin.unit() < 0.5 { "eat" } else { "pray" }.to_owned());
            (name.to_owned(), deeds.collect::<Vec<_>>())
        };
        let logs: Vec<_> = (0..40).map(|k| log(["ann", "bob"][k % 2])).collect();
        let told = hold_out(&logs);
        assert_eq!((told.of, told.among), (40, 2));
        assert!(told.low <= 0.5 && !told.is_above_chance(), "{told:?}");
    }

    #[test]
    fn a_single_log_is_a_candidate_but_is_not_held_out() {
        let log = |name: &str| (name.to_owned(), vec![name.to_owned(); 3]);
        let told = hold_out(&[log("ann"), log("ann"), log("bob")]);
        assert_eq!((told.right, told.of, told.among), (2, 2, 2));
        assert_eq!(hold_out(&[]), Identified { right: 0, of: 0, among: 0, chance: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn the_interval_of_a_share_stays_within_0_and_1() {
        // 9 of 10, worked by hand.
        let (low, high) = wilson(9, 10);
        assert!((low - 0.5958).abs() < 1e-3 && (high - 0.9821).abs() < 1e-3, "{low} {high}");
        let (low, high) = wilson(10, 10);
        assert!((low - 0.7225).abs() < 1e-3 && high > 0.999_999 && high <= 1.0, "{low} {high}");
    }

    #[test]
    fn words_are_deeds_and_pairs_of_deeds() {
        assert_eq!(words(["move", "eat", "move", "move", "drink"]), ["eat", "drink", "eat drink"]);
    }
}
