//! What a recording tells: it cannot be lived again, but it shows how soon somebody turns, how predictable they are, and whether they
//! change.
//!
//! Times of reactions are observed: nobody in view for a second, the view at rest, then somebody comes into view, well aside; until the
//! view turns towards them. Without the life in which nobody came, some of these turns would have begun anyway.

use repertoire_mind::{Command, Fire, Percept, turn_between};
use repertoire_trace::play::Play;
use repertoire_trace::{Header, Row, Tick};
use thiserror::Error;

use super::card::Card;
use super::predict::{deed, view};
use super::track::{Step, Track};
use super::twins::{Happens, Reaction};

/// Nobody is in view for so long before somebody comes.
const QUIET_SECS: f64 = 1.0;
/// How far aside they come into view, in radians: nearer to the middle nobody has to turn, farther away nobody sees.
const ASIDE: std::ops::Range<f64> = 0.14..0.87;
/// A turn faster than before by this much, in radians, is one towards somebody.
const FASTER: f64 = 0.02;

/// Decisions for which the view must have rested before: whoever turns already tells nothing.
const RESTED: usize = 3;
/// From one decision to the next in people's play.
const PLAY_SECS: f64 = 0.1;

/// Somebody's play in some recordings, and that of everybody beside them.
#[derive(Debug, Default)]
pub struct Recorded {
    maps: Vec<String>,
    own: Vec<Track>,
    others: Vec<(String, Vec<Track>)>,
    reactions: Vec<Reaction>,
    /// The ticks of the present recording: who takes part, and their tracks.
    now: Vec<(String, Track, Watch)>,
}

/// What is remembered from tick to tick to see a reaction.
#[derive(Clone, Debug, Default)]
struct Watch {
    quiet: usize,
    /// Somebody came into view: how many decisions ago, to which side (0 for straight ahead), and how fast the view turned before.
    event: Option<(usize, f64, f64)>,
    turned: f64,
    fired: bool,
    /// For how many decisions the view has rested.
    rested: usize,
}

/// Why a recording says nothing.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotRecorded {
    /// Somebody does not take part.
    #[error("`{who}` takes part in none of it\n  remedy: there are {there}")]
    Nobody {
        /// Who.
        who: String,
        /// Who does.
        there: String,
    },
}

impl Recorded {
    /// A recording begins.
    pub fn begin(&mut self, header: &Header) {
        self.end();
        if !self.maps.contains(&header.map) {
            self.maps.push(header.map.clone());
        }
        let track = |name: &String| {
            (name.clone(), Track { period_secs: header.period_secs, ..Track::default() }, Watch::default())
        };
        self.now = header.characters.iter().map(|one| track(&one.name)).collect();
    }

    /// One tick of it; `who` is the one to judge.
    pub fn see(&mut self, tick: &Tick, who: &str) {
        for (row, (name, track, watch)) in tick.rows.iter().zip(&mut self.now) {
            let reaction = watch.see(row, track.period_secs);
            if let (true, Some(reaction)) = (name == who, reaction) {
                self.reactions.push(reaction);
            }
            let task = track.task(row.task.as_deref().unwrap_or(""));
            let life = row.percept.as_ref().map(|percept| percept.own.life);
            track.steps.push(Step {
                deed: row.command.map_or(0, |command| deed(&command) as u8),
                view: row.percept.as_ref().map_or(0, |percept| view(percept) as u8),
                task,
                life: life.or(track.steps.last().map(|step| step.life)).unwrap_or(0),
                alive: row.alive && row.command.is_some(),
                hit: row.percept.as_ref().is_some_and(|percept| !percept.hits.is_empty()),
                look: None,
                gait: 0,
                place: None,
            });
        }
    }

    /// People's play in another game, at ten decisions a second: what they did, by their keys and views. Who was in view is not in it.
    pub fn play(&mut self, play: &Play) {
        self.end();
        if !self.maps.contains(&play.map) {
            self.maps.push(play.map.clone());
        }
        let track = |name: &String| {
            (name.clone(), Track { period_secs: PLAY_SECS, ..Track::default() }, Watch::default())
        };
        self.now = play.players.iter().map(|player| track(&player.name)).collect();
        let mut before: Vec<Option<(f64, f64)>> = vec![None; self.now.len()];
        for state in play.states.iter().filter(|state| play.is_in_match(state.secs)) {
            let player = usize::from(state.player);
            let yaw = f64::from(state.keys.yaw_deg).to_radians();
            let (secs, was) = before[player].unwrap_or((f64::NEG_INFINITY, yaw));
            if state.secs - secs < PLAY_SECS - 1e-6 {
                continue;
            }
            before[player] = Some((state.secs, yaw));
            let key = |key: i16| f64::from(key.signum());
            let command = Command {
                yaw: turn_between(was, yaw),
                forward: key(state.keys.forward),
                lateral: -key(state.keys.side),
                fire: if state.keys.is_firing() { Fire::Primary } else { Fire::None },
                ..Command::default()
            };
            let track = &mut self.now[player].1;
            let task = track.task("");
            let last = track.steps.last();
            let life = last.map_or(1, |last| last.life + u32::from(state.is_alive && !last.alive));
            let deed = deed(&command) as u8;
            let alive = state.is_alive;
            track.steps.push(Step {
                deed,
                view: 0,
                task,
                life,
                alive,
                hit: false,
                look: None,
                gait: 0,
                place: None,
            });
        }
        self.now.retain(|(_, track, _)| !track.steps.is_empty());
    }

    fn end(&mut self) {
        for (name, track, _) in self.now.drain(..) {
            match self.others.iter_mut().find(|(known, _)| *known == name) {
                Some((_, tracks)) => tracks.push(track),
                None => self.others.push((name, vec![track])),
            }
        }
    }

    /// The card of somebody, with the rows that recordings can tell.
    ///
    /// # Errors
    /// If nobody of that name takes part.
    pub fn card(mut self, who: &str) -> Result<Card, NotRecorded> {
        self.end();
        let Some(at) = self.others.iter().position(|(name, _)| name == who) else {
            let there: Vec<&str> = self.others.iter().map(|(name, _)| name.as_str()).collect();
            return Err(NotRecorded::Nobody { who: who.to_owned(), there: there.join(", ") });
        };
        self.own = self.others.remove(at).1;
        let others: Vec<Vec<Track>> = self.others.into_iter().map(|(_, tracks)| tracks).collect();
        Ok(Card::of_recordings(who, self.maps, &self.own, &others, self.reactions))
    }
}

impl Watch {
    fn see(&mut self, row: &Row, period_secs: f64) -> Option<Reaction> {
        let (Some(percept), Some(command)) = (&row.percept, &row.command) else {
            *self = Watch::default();
            return None;
        };
        let turn = command.sane().yaw;
        let mut seen = None;
        let quiet = (QUIET_SECS / period_secs.max(1e-3)).round() as usize;
        if percept.characters.is_empty() {
            (self.quiet, self.event) = (self.quiet + 1, None);
        } else {
            if self.quiet >= quiet && self.rested >= RESTED {
                self.event = side(percept).map(|side| (0, side, self.turned * side));
            }
            self.quiet = 0;
        }
        let fires = command.fire != Fire::None;
        if let Some((after, side, before)) = self.event {
            let is_ahead = side == 0.0;
            let turns = !is_ahead && turn * side - before.max(0.0) > FASTER;
            let reacts = turns || (is_ahead && fires && !self.fired);
            self.event = None;
            if reacts || after + 1 >= quiet {
                let when = reacts.then_some(after);
                let event = if is_ahead { Happens::EnemyAhead } else { Happens::EnemyAside };
                let (turns, fires) = if is_ahead { (None, when) } else { (when, None) };
                seen = Some(Reaction { event, differs: when, turns, fires });
            } else {
                self.event = Some((after + 1, side, before));
            }
        }
        self.rested = if turn.abs() < FASTER { self.rested + 1 } else { 0 };
        (self.turned, self.fired) = (turn, fires);
        seen
    }
}

/// The side of the only one in view, 1 for left and 0 for straight ahead; none at the edge of the view.
fn side(percept: &Percept) -> Option<f64> {
    let [only] = &percept.characters[..] else { return None };
    let turn = percept.own.bearing(only.position).yaw;
    match turn.abs() {
        off if off < ASIDE.start => Some(0.0),
        off if off < ASIDE.end => Some(turn.signum()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use repertoire_mind::{DVec3, SeenCharacter};

    use super::*;

    /// Somebody looks about, an enemy comes into view on the left, and they turn after so many decisions.
    fn match_of(late: u32) -> Vec<Tick> {
        let tick = |tick: u32| {
            let enemy = SeenCharacter {
                id: 1,
                position: DVec3::new(5.0, 3.0, 0.0),
                velocity: DVec3::ZERO,
                weapon: None,
            };
            let phase = tick % 40;
            let characters = if phase >= 20 { vec![enemy] } else { Vec::new() };
            let yaw = if phase >= 20 + late && phase < 24 + late { 0.2 } else { 0.0 };
            let percept = Percept { tick, period_secs: 0.1, characters, ..Percept::default() };
            let command = Some(Command { yaw, ..Command::default() });
            let row = Row { percept: Some(percept), command, ..Row::of(0) };
            Tick { tick, rows: vec![row], ..Tick::default() }
        };
        (0..400).map(tick).collect()
    }

    #[test]
    fn times_of_reactions_are_observed() {
        for late in [0, 3, 6] {
            let mut recorded = Recorded::default();
            recorded.begin(&Header::new("arena", "yard", 1, 0.1, ["somebody"]));
            match_of(late).iter().for_each(|tick| recorded.see(tick, "somebody"));
            let card = recorded.card("somebody").expect("they take part");
            let row = &card.rows[1];
            assert_eq!(row.number, Some(f64::from(late) * 100.0 + 50.0));
            assert_eq!(card.rows[0].met, None, "what cannot be known is not judged");
        }
        let nobody = Recorded::default().card("somebody");
        assert!(matches!(nobody, Err(NotRecorded::Nobody { .. })));
    }
}
