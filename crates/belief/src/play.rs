//! Recorded play: who was where, second by second.

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
    /// A place for every step.
    pub places: Vec<u32>,
}

impl Life {
    /// What everybody knew at a step of this way.
    pub fn situation(&self, step: usize) -> Situation {
        let secs = self.start_secs + step as f64;
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
    /// The way of every player in every round.
    pub fn lives(&self) -> Vec<Life> {
        let mut lives: Vec<Life> = Vec::new();
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
                    // Only those who were there from the beginning, or died in this round, begin a life.
                    let returns = lives[begin..].iter().any(|life| life.player == who.player);
                    if step == 0 || returns {
                        open.push((who.player, lives.len(), step + 1));
                        lives.push(Life {
                            round: round.name.clone(),
                            player: who.player,
                            side: who.side,
                            start_secs: moment.secs,
                            planted_at_secs: round.planted_at_secs(),
                            places: vec![who.place],
                        });
                    }
                }
            }
        }
        lives
    }
}
