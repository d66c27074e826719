//! The mind that does again what a recording has.

use std::sync::Arc;

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::{Moment, PERIOD_SECS, Replay};
use crate::moments::map_print;
use crate::{Command, Cue, Fire, Lead, LedHow, Mind, Percept, Places, RestoreError, wrap_angle};

/// Does again what somebody did in a recording, body and all; [`crate::replay`] says by which rules.
///
/// ```
/// use std::sync::Arc;
/// use repertoire_mind::replay::{Replay, Replayer};
/// use repertoire_mind::{Cells, Cue, DVec3, LedHow, Mind, Places};
///
/// let text = r#"{"format":"repertoire replay 1","player":"ann","map":"0","moments":[[0,3,1000,0,0,0,0,0,0,0,-1,0,0]]}"#;
/// let mut ann = Replayer::new(&Arc::new(Replay::read(text)?));
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// assert!(ann.leads() && ann.refuses(&places).is_some_and(|why| why.contains("another map")));
/// let cue = Cue { tick: 0, period_secs: 0.1, is_alive: false, places: &places };
/// assert_eq!(ann.lead(cue).map(|lead| lead.how), Some(LedHow::Away), "on another map they are never there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replayer {
    replay: Arc<Replay>,
    state: State,
}

/// Everything that a later tick depends on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// The tick at which it was first asked, which the recording begins with.
    from: Option<u32>,
    /// Whether the map is the one that was recorded on.
    is_here: Option<bool>,
    /// The moment of the recording that is shown.
    now: u32,
}

impl Replayer {
    /// A contender that does a replay again.
    pub fn new(replay: &Arc<Replay>) -> Self {
        Replayer { replay: Arc::clone(replay), state: State::default() }
    }

    /// The moment of the recording at a tick.
    fn moment(&mut self, tick: u32, period_secs: f64) -> u32 {
        let from = *self.state.from.get_or_insert(tick);
        let moments = f64::from(tick.saturating_sub(from)) * period_secs / PERIOD_SECS;
        ((moments + 1e-6) as u64 % u64::from(self.replay.length())) as u32
    }

    /// Whether the map is the recording's; looked up once.
    fn is_here(&mut self, places: &Places) -> bool {
        let replay = &self.replay;
        *self.state.is_here.get_or_insert_with(|| map_print(places) == replay.map)
    }
}

impl Mind for Replayer {
    fn decide(&mut self, percept: &Percept, places: &Places, _: &mut Stream) -> Command {
        if !self.is_here(places) {
            return Command::default();
        }
        self.state.now = self.moment(percept.tick, percept.period_secs);
        let Some(now) = self.replay.at(self.state.now) else { return Command::default() };
        let next = self.replay.at(self.state.now + 1).filter(|next| !next.begins);
        let turned = next.map_or([0.0; 2], |next| [wrap_angle(next.yaw - now.yaw), next.pitch - now.pitch]);
        Command {
            yaw: turned[0],
            pitch: turned[1],
            forward: now.keys[0],
            lateral: now.keys[1],
            jump: now.jumps,
            fire: if now.fires { Fire::Primary } else { Fire::None },
            weapon: None,
        }
    }

    fn leads(&self) -> bool {
        true
    }

    fn lead(&mut self, cue: Cue<'_>) -> Option<Lead> {
        if !self.is_here(cue.places) {
            return Some(Lead::default());
        }
        self.state.now = self.moment(cue.tick, cue.period_secs);
        let then = self.moment(cue.tick + 1, cue.period_secs);
        let (now, then) = (self.replay.at(self.state.now), self.replay.at(then));
        let how = match (now, then) {
            // Dead in the recording, or between two lives.
            (_, None) => LedHow::Away,
            (Some(now), Some(then)) if cue.is_alive && then.begins && then.number > now.number => {
                LedHow::Away
            }
            (Some(now), Some(then)) if cue.is_alive && now.number <= then.number && now.leads_to(then) => {
                LedHow::Along
            }
            (_, Some(_)) if cue.is_alive => LedHow::At,
            (_, Some(then)) if then.on_ground || then.begins => LedHow::At,
            (_, Some(_)) => LedHow::Away,
        };
        let lead = |moment: &Moment| Lead {
            how,
            position: moment.position,
            velocity: moment.velocity,
            yaw: moment.yaw,
            pitch: moment.pitch,
            on_ground: moment.on_ground,
            // What is fired until then is what they held before.
            weapon: now.unwrap_or(moment).weapon,
        };
        Some(then.filter(|_| how != LedHow::Away).map_or_else(Lead::default, lead))
    }

    fn refuses(&self, places: &Places) -> Option<String> {
        (map_print(places) != self.replay.map).then(|| {
            let player = &self.replay.player;
            format!("it is a replay of {player} on another map\n  remedy: play on the map that was recorded on, or replay another recording")
        })
    }

    fn task(&self) -> &str {
        "replay"
    }

    fn why(&self) -> String {
        let Replay { player, .. } = &*self.replay;
        let (now, all) = (f64::from(self.state.now) * PERIOD_SECS, self.replay.seconds());
        format!("does again what {player} did {now:.1} s into their recording of {all:.1} s")
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state)
            .unwrap_or_else(|error| unreachable!("a state is plain data: {error}"))
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.state = State::deserialize(saved)?;
        Ok(())
    }
}
