//! What came of a run: one summary that serialises, and what has happened so far.

use std::collections::BTreeMap;

use serde::Serialize;

use super::charter::Reason;
use super::clock::At;
use super::town::Town;

/// What came of a run, since the town was founded.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Account {
    /// The town's name.
    pub town: String,
    /// How many live there.
    pub inhabitants: usize,
    /// Its random seed.
    pub seed: u64,
    /// The tick that comes next.
    pub tick: u32,
    /// The same as `day 1 06:30`.
    pub time: String,
    /// How often each goal was met.
    pub goals_met: BTreeMap<String, u64>,
    /// Plans made.
    pub plans: u64,
    /// Of these, plans made because the one before no longer led to its goal.
    pub replans: u64,
    /// Steps done.
    pub steps: u64,
    /// Minutes spent walking, over everybody.
    pub minutes_walked: u64,
    /// Minutes spent in line.
    pub minutes_in_line: u64,
    /// Minutes spent with nothing to do.
    pub minutes_idle: u64,
    /// How often a goal was put off because there was neither a place nor another plan for it.
    pub goals_put_off: u64,
    /// How often somebody was turned away, by reason.
    pub turned_away: BTreeMap<&'static str, u64>,
    /// How often a plan failed, by reason.
    pub plans_failed: BTreeMap<&'static str, u64>,
    /// Bytes that the town needs.
    pub bytes: usize,
    /// The hash of its whole state, as 16 hexadecimal digits.
    pub state_hash: String,
}

impl Town {
    /// What came of the run so far.
    ///
    /// ```
    /// use repertoire_worlds::town::{Minds, Town, charter};
    ///
    /// let western = charter("western").expect("it comes with repertoire");
    /// let mut town = Town::new(western, 50, 1, Minds::default())?;
    /// (0..600).for_each(|_| town.tick());
    /// let account = town.account();
    /// assert_eq!((account.inhabitants, account.time.as_str()), (50, "day 1 10:00"));
    /// assert!(account.plans > 0);
    /// # Ok::<(), repertoire_worlds::town::TooMany>(())
    /// ```
    pub fn account(&self) -> Account {
        let tally = self.tally();
        let reasons = |counts: &[u64; Reason::COUNT]| {
            Reason::ALL.iter().map(|reason| reason.name()).zip(counts.iter().copied()).collect()
        };
        Account {
            town: self.charter.name.clone(),
            inhabitants: self.len(),
            seed: self.seed,
            tick: self.now,
            time: At(self.now).to_string(),
            goals_met: self.goals_met().into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            plans: tally.plans,
            replans: tally.replans,
            steps: tally.steps,
            minutes_walked: tally.walked,
            minutes_in_line: tally.waited,
            minutes_idle: tally.idle,
            goals_put_off: tally.put_off,
            turned_away: reasons(&tally.turned_away),
            plans_failed: reasons(&tally.failed),
            bytes: self.bytes(),
            state_hash: format!("{:016x}", self.hash()),
        }
    }

    /// The events from one tick until before another, of the town's file and by hand, in words and in their order.
    pub fn events_between(&self, from: u32, to: u32) -> Vec<(u32, String)> {
        let written = self.charter.events.iter().chain(&self.by_hand);
        let mut all: Vec<(u32, String)> = written
            .filter(|event| (from..to).contains(&event.at))
            .map(|event| (event.at, event.words(&self.charter)))
            .collect();
        all.sort();
        all
    }
}
