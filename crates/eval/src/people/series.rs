//! One person in one match, twenty times a second, with whom they could see.

use std::collections::BTreeMap;

use repertoire_prob::num;
use repertoire_trace::play::{EventKind, Keys, Play, State};
use repertoire_worlds::quake::{Bsp, EYE, Space};

use crate::signature::wrap_deg;

/// From one sample to the next.
pub const PERIOD_SECS: f64 = 0.05;
/// A state that is older than this says nothing: the player was out of view.
const LATE_SECS: f64 = 0.2;
/// Whoever fired this little ago is firing, where the button is not recorded.
const SHOT_SECS: f64 = 0.1;

/// A person at a moment, alive.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Where they are.
    pub at: [f32; 3],
    /// How fast, in units a second, where it is recorded.
    pub velocity: Option<[f32; 3]>,
    /// Keys and view.
    pub keys: Keys,
    /// Whether they fire.
    pub fires: bool,
    /// Enemies in a free line of sight, whatever the direction of the view.
    pub seen: Vec<Seen>,
}

/// An enemy in a free line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Number in the play.
    pub player: u16,
    /// Where they are.
    pub at: [f32; 3],
    /// From the view to them, counter-clockwise, seen from above.
    pub bearing_deg: f64,
    /// From the view to them, in space.
    pub off_deg: f64,
}

/// A person's samples; `None` while they are dead or not recorded.
#[derive(Clone, Debug)]
pub struct Series {
    /// Samples, [`PERIOD_SECS`] apart.
    pub samples: Vec<Option<Sample>>,
    /// Whether keys are recorded.
    pub has_keys: bool,
    /// Whether it is known whom they could see.
    pub has_sight: bool,
}

/// The horizontal direction from one point to another, in degrees.
pub(super) fn direction_deg(from: [f32; 3], to: [f32; 3]) -> f64 {
    num::atan2(f64::from(to[1] - from[1]), f64::from(to[0] - from[0])).to_degrees()
}

/// States of each player, in order.
type Tracks<'a> = BTreeMap<u16, Vec<&'a State>>;

fn last<'a>(track: &[&'a State], secs: f64) -> Option<&'a State> {
    let state = track[..track.partition_point(|state| state.secs <= secs)].last()?;
    (secs - state.secs < LATE_SECS && state.is_alive).then_some(*state)
}

/// Those of a play whose own view is known: the player who recorded, or everybody in a server's demo.
pub fn persons(play: &Play) -> Vec<u16> {
    match play.pov() {
        Some(pov) => vec![pov],
        None => (0_u16..)
            .zip(&play.players)
            .filter(|(_, one)| !one.is_spectator)
            .map(|(player, _)| player)
            .collect(),
    }
}

impl Series {
    /// Samples a person; without a map nobody is seen.
    pub fn of(play: &Play, map: Option<&Bsp>, player: u16) -> Self {
        let mut tracks: Tracks<'_> = BTreeMap::new();
        for state in play.states.iter().filter(|state| play.is_in_match(state.secs)) {
            tracks.entry(state.player).or_default().push(state);
        }
        let own = tracks.remove(&player).unwrap_or_default();
        let (Some(first), Some(end)) = (own.first(), own.last()) else {
            return Series { samples: Vec::new(), has_keys: false, has_sight: false };
        };
        tracks.retain(|&other, _| is_enemy(play, player, other));
        let has_button = own.iter().any(|state| state.has_keys && state.keys.is_firing());
        let is_shot = |event: &&repertoire_trace::play::PlayEvent| {
            event.kind == EventKind::Shot && event.actor == Some(player)
        };
        let shots: Vec<f64> = play.events.iter().filter(is_shot).map(|event| event.secs).collect();
        let space = map.map(|map| Space::with_parts(map, std::iter::empty()));
        let count = ((end.secs - first.secs) / PERIOD_SECS) as usize + 1;
        let sample = |k: usize| {
            let secs = first.secs + k as f64 * PERIOD_SECS + 1e-6;
            let state = last(&own, secs)?;
            let fired = shots[..shots.partition_point(|&shot| shot <= secs)].last();
            let fires = if has_button {
                state.keys.is_firing()
            } else {
                fired.is_some_and(|&shot| secs - shot < SHOT_SECS)
            };
            let others = tracks.iter().filter_map(|(&other, track)| Some((other, last(track, secs)?)));
            let seen = match &space {
                Some(space) => {
                    others.filter_map(|(other, there)| sight(space, state, other, there.at)).collect()
                }
                None => Vec::new(),
            };
            Some(Sample { at: state.at, velocity: state.velocity, keys: state.keys, fires, seen })
        };
        let has_keys = own.iter().any(|state| state.has_keys);
        Series {
            samples: (0..count).map(sample).collect(),
            has_keys,
            has_sight: map.is_some() && !tracks.is_empty(),
        }
    }
}

pub(super) fn is_enemy(play: &Play, player: u16, other: u16) -> bool {
    let team = |player: u16| play.players.get(usize::from(player)).map_or("", |one| one.team.as_str());
    let plays_in_teams = play.settings.get("teamplay").is_none_or(|value| value != "0");
    player != other && (!plays_in_teams || team(player).is_empty() || team(player) != team(other))
}

/// An enemy whose middle or eyes nothing hides.
fn sight(space: &Space<'_>, state: &State, player: u16, at: [f32; 3]) -> Option<Seen> {
    let eye = [state.at[0], state.at[1], state.at[2] + EYE];
    if !space.sees(eye, at) && !space.sees(eye, [at[0], at[1], at[2] + EYE]) {
        return None;
    }
    let bearing_deg = wrap_deg(direction_deg(eye, at) - f64::from(state.keys.yaw_deg));
    let to = [0, 1, 2].map(|axis| f64::from(at[axis] - eye[axis]));
    let far = to.iter().map(|part| part * part).sum::<f64>().sqrt().max(1e-6);
    let (pitch, yaw) =
        (f64::from(state.keys.pitch_deg).to_radians(), f64::from(state.keys.yaw_deg).to_radians());
    let view = [num::cos(pitch) * num::cos(yaw), num::cos(pitch) * num::sin(yaw), -num::sin(pitch)];
    let cosine: f64 = (0..3).map(|axis| view[axis] * to[axis] / far).sum();
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    Some(Seen { player, at, bearing_deg, off_deg: num::atan2(sine, cosine).to_degrees() })
}
