//! Recorded play: who was where, second by second.

use repertoire_prob::num::{exp, ln};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rounds of recorded play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Play {
    /// Names of the players.
    pub players: Vec<String>,
    /// Names of the sides.
    pub sides: Vec<String>,
    /// The rounds.
    pub rounds: Vec<Round>,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// What the source calls it.
    pub name: String,
    /// Its seconds in order.
    pub moments: Vec<Moment>,
    /// Who recorded, if it is one player's recording: others are there only at moments in which the game sent them.
    pub recorded_by: Option<u16>,
    /// Whether the clock says nothing about where people are, since nothing begins with the round: it is a piece of a longer match.
    pub is_timeless: bool,
    /// What was heard and who was hurt, in order of time.
    pub signs: Vec<Sign>,
}

/// Something that tells of a player who may be out of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sign {
    /// Seconds since the round went live.
    pub secs: f64,
    /// Whom it tells of, as an index into [`Play::players`].
    pub player: u16,
    /// What it was.
    pub kind: SignKind,
}

/// What tells of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignKind {
    /// They made a sound in this place.
    Sound {
        /// Where, as an index into the places.
        place: u32,
    },
    /// Somebody hurt them.
    Hurt {
        /// By how much.
        amount: f64,
        /// The side of whoever did it: it knows.
        by: u8,
    },
}

/// Everybody at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Seconds since the round went live.
    pub secs: f64,
    /// Whether the round is live: before, everybody knows where everybody is.
    pub live: bool,
    /// Whether the bomb is planted, which is announced to all.
    pub planted: bool,
    /// Who takes part.
    pub who: Vec<Who>,
}

/// One player at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Index into [`Play::players`].
    pub player: u16,
    /// Index into [`Play::sides`].
    pub side: u8,
    /// Whether it lives.
    pub alive: bool,
    /// Where, as an index into the places.
    pub place: u32,
}

/// What everybody knows of a moment: the context of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// Seconds since the round went live.
    pub secs: f64,
    /// Seconds since the bomb was planted, if it is.
    pub planted_secs: Option<f64>,
}

/// One player's way from the last moment before a round went live, or from its return, to its death or the round's end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Life {
    /// The round's name.
    pub round: String,
    /// Index of the player.
    pub player: u16,
    /// Index of the side.
    pub side: u8,
    /// When the first place was taken, in seconds since the round went live.
    pub start_secs: f64,
    /// When the bomb was planted in this round, if it was.
    pub planted_at_secs: Option<f64>,
    /// Seconds from one step to the next.
    #[serde(default = "one_second", skip_serializing_if = "is_one_second")]
    pub step_secs: f64,
    /// A place for every step.
    pub places: Vec<u32>,
}

fn one_second() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it in so")]
fn is_one_second(secs: &f64) -> bool {
    *secs == 1.0
}

/// A chance a second as a chance a step.
pub(crate) fn per_step(chance: f64, step_secs: f64) -> f64 {
    if step_secs == 1.0 { chance } else { 1.0 - exp(step_secs * ln(1.0 - chance.min(1.0 - 1e-12))) }
}

impl Life {
    /// What everybody knew at a step of this way.
    pub fn situation(&self, step: usize) -> Situation {
        let secs = self.start_secs + step as f64 * self.step_secs;
        let planted_secs = self.planted_at_secs.filter(|&at| secs >= at).map(|at| secs - at);
        Situation { secs, planted_secs }
    }
}

impl Round {
    /// The moments to measure or learn from: from the last one before the round went live to the last live one.
    pub fn known_and_live(&self) -> &[Moment] {
        let Some(first) = self.moments.iter().position(|moment| moment.live) else { return &[] };
        let last = self.moments.iter().rposition(|moment| moment.live).unwrap_or(first);
        &self.moments[first.saturating_sub(1)..=last]
    }

    /// When the bomb was planted.
    pub fn planted_at_secs(&self) -> Option<f64> {
        self.moments.iter().find(|moment| moment.planted).map(|moment| moment.secs)
    }
}

impl Play {
    /// Seconds from one moment to the next: the median over all rounds, to the millisecond; 1 where there are no two moments.
    pub fn step_secs(&self) -> f64 {
        let gap = |pair: &[Moment]| pair[1].secs - pair[0].secs;
        let live = self.rounds.iter().flat_map(|round| round.known_and_live().windows(2).map(gap));
        let mut gaps: Vec<f64> = live.filter(|gap| gap.is_finite() && *gap > 0.0).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).map_or(1.0, |gap| ((gap * 1000.0).round() / 1000.0).max(0.001))
    }

    /// The way of every player in every round.
    pub fn lives(&self) -> Vec<Life> {
        let mut lives: Vec<Life> = Vec::new();
        let step_secs = self.step_secs();
        for round in &self.rounds {
            let begin = lives.len();
            // For each player the life it is in, and the step up to which it is recorded.
            let mut open: Vec<(u16, usize, usize)> = Vec::new();
            for (step, moment) in round.known_and_live().iter().enumerate() {
                for who in moment.who.iter().filter(|who| who.alive) {
                    match open.iter_mut().find(|life| life.0 == who.player) {
                        Some(life) if life.2 == step => {
                            lives[life.1].places.push(who.place);
                            life.2 += 1;
                            continue;
                        }
                        _ => open.retain(|life| life.0 != who.player),
                    }
                    // Only those who were there from the beginning, or died in this round, begin a life; in the recording of
                    // one player everybody does who comes into view.
                    let returns = lives[begin..].iter().any(|life| life.player == who.player);
                    if step == 0 || returns || round.recorded_by.is_some() {
                        open.push((who.player, lives.len(), step + 1));
                        lives.push(Life {
                            round: round.name.clone(),
                            player: who.player,
                            side: who.side,
                            start_secs: moment.secs,
                            planted_at_secs: round.planted_at_secs(),
                            step_secs,
                            places: vec![who.place],
                        });
                    }
                }
            }
        }
        lives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_a_second_holds_over_steps_of_any_length() {
        assert_eq!(per_step(0.3, 1.0), 0.3);
        let half = per_step(0.3, 0.5);
        assert!(((1.0 - half) * (1.0 - half) - 0.7).abs() < 1e-12, "two halves make a second");
    }

    #[test]
    fn ways_keep_the_step_and_the_clock_of_their_play() {
        let who = |place| vec![Who { player: 0, side: 0, alive: true, place }];
        let at = |k: u32| Moment {
            secs: f64::from(k) * 0.45 - 0.45,
            live: k > 0,
            planted: k >= 4,
            who: who(k % 2),
        };
        let round = Round { name: "1".into(), moments: (0..10).map(at).collect(), ..Round::default() };
        let play = Play { players: vec!["a".into()], sides: vec!["T".into()], rounds: vec![round] };
        assert_eq!(play.step_secs(), 0.45);
        let life = &play.lives()[0];
        assert!((life.situation(9).secs - 3.6).abs() < 1e-9);
        assert!(life.situation(3).planted_secs.is_none() && life.situation(5).planted_secs.is_some());
    }
}
