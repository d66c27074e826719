//! People's play in figures: who took part, how long they were seen alive, what they did.

use serde::Serialize;

use crate::play::{EventKind, Play};

/// Two states that are farther apart than this are not counted as one stretch: the player was out of view.
const GAP_SECS: f64 = 0.25;

/// One player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Name, or the id that stands for it.
    pub name: String,
    /// Team.
    pub team: String,
    /// Whether they recorded.
    pub is_pov: bool,
    /// States.
    pub states: usize,
    /// Seconds seen alive within the match.
    pub alive_secs: f64,
    /// Shots fired, as far as they were seen or heard.
    pub shots: usize,
    /// Damage dealt to others, without arriving where they stood (which always kills); 0 in client demos, which do not say who dealt it.
    pub damage_dealt: i64,
    /// Damage taken.
    pub damage_taken: i64,
    /// Things picked up.
    pub pickups: usize,
    /// Deaths seen.
    pub deaths: usize,
    /// Frags at the end.
    pub frags: i16,
}

/// A play in figures.
#[derive(Clone, Debug, Serialize)]
pub struct PlaySummary {
    /// What it was read from.
    pub source: String,
    /// What the file is called.
    pub session: String,
    /// The map.
    pub map: String,
    /// How long the match lasts; `None` if the file does not say.
    pub match_secs: Option<f64>,
    /// From the first state to the last.
    pub duration_secs: f64,
    /// All states, inputs, things and events.
    pub states: usize,
    /// Commands of the player who recorded.
    pub inputs: usize,
    /// Changes of things.
    pub things: usize,
    /// Events.
    pub events: usize,
    /// Those who were seen.
    pub players: Vec<PlayerSummary>,
    /// What could not be read.
    pub notes: Vec<String>,
}

impl PlaySummary {
    /// Counts.
    pub fn of(play: &Play) -> Self {
        let mut players: Vec<PlayerSummary> = play
            .players
            .iter()
            .map(|player| PlayerSummary {
                name: player.name.clone(),
                team: player.team.clone(),
                is_pov: player.is_pov,
                states: 0,
                alive_secs: 0.0,
                shots: 0,
                damage_dealt: 0,
                damage_taken: 0,
                pickups: 0,
                deaths: 0,
                frags: 0,
            })
            .collect();
        let mut before: Vec<Option<f64>> = vec![None; players.len()];
        for state in &play.states {
            let one = &mut players[usize::from(state.player)];
            one.states += 1;
            if !play.is_in_match(state.secs) {
                continue;
            }
            one.frags = state.frags;
            let last = before[usize::from(state.player)].replace(state.secs);
            let stretch = last.map_or(0.0, |last| state.secs - last);
            if state.is_alive && stretch < GAP_SECS {
                one.alive_secs += stretch;
            }
        }
        for event in play.events.iter().filter(|event| play.is_in_match(event.secs)) {
            if let Some(actor) = event.actor {
                let one = &mut players[usize::from(actor)];
                match event.kind {
                    EventKind::Shot => one.shots += 1,
                    EventKind::Pickup => one.pickups += 1,
                    EventKind::Death => one.deaths += 1,
                    EventKind::Damage if event.target != event.actor && event.what != "tele" => {
                        one.damage_dealt += i64::from(event.amount);
                    }
                    _ => {}
                }
            }
            if let (EventKind::Damage, Some(target), true) = (event.kind, event.target, event.what != "tele")
            {
                players[usize::from(target)].damage_taken += i64::from(event.amount);
            }
        }
        players.retain(|player| player.states > 0);
        PlaySummary {
            source: play.source.clone(),
            session: play.session.clone(),
            map: play.map.clone(),
            match_secs: play.match_secs,
            duration_secs: play.duration_secs(),
            states: play.states.len(),
            inputs: play.inputs.len(),
            things: play.things.len(),
            events: play.events.len(),
            players,
            notes: play.notes.clone(),
        }
    }
}
