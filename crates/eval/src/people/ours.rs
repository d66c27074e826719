//! A recording of our own characters as people's play is kept, so that both are measured by the same code.
//!
//! Characters decide ten times a second, and their bodies turn and move evenly until the next decision. Demos are measured at 20 Hz, so
//! what lies half-way between two decisions is put in; a key counts from the decision that presses it to the next. Everybody's own view
//! is known, as in a server's demo.

use std::collections::BTreeMap;

use repertoire_mind::{Command, Event, Fire, Percept};
use repertoire_trace::play::{EventKind, Keys, Play, PlayEvent, Player, QUAKE_PER_METRE, State};
use repertoire_trace::{Header, Tick};

use super::percepts::FEET;
use crate::signature::wrap_deg;

/// Somebody who moves farther than this between two decisions was taken there; in metres.
const TAKEN_M: f64 = 4.0;
/// The speed that a key asks for in Quake's units.
const RUN: f64 = 320.0;

/// The match in Quake's units.
///
/// # Errors
/// When the recording is damaged.
pub fn play<E>(
    header: &Header,
    session: &str,
    ticks: impl IntoIterator<Item = Result<Tick, E>>,
) -> Result<Play, E> {
    let mut play = Play {
        source: "recording".to_owned(),
        session: session.to_owned(),
        map: header.map.clone(),
        units_per_metre: QUAKE_PER_METRE,
        ..Play::default()
    };
    let mut numbers: BTreeMap<u8, u16> = BTreeMap::new();
    for one in &header.characters {
        numbers.insert(one.id, play.players.len() as u16);
        play.players.push(Player { name: one.name.clone(), ..Player::default() });
    }
    let mut before: BTreeMap<u16, (State, u32)> = BTreeMap::new();
    for tick in ticks {
        let rows = tick?.rows;
        let (mut between, mut now) = (Vec::new(), Vec::new());
        for row in rows {
            let Some(&player) = numbers.get(&row.character) else { continue };
            let (Some(percept), Some(command)) = (&row.percept, &row.command) else {
                before.remove(&player);
                continue;
            };
            let state = state(player, percept, command);
            let fired = |event: &Event| matches!(event, Event::Fired { .. });
            play.events.extend(row.events.iter().filter(|event| fired(event)).map(|_| PlayEvent {
                secs: state.secs,
                kind: EventKind::Shot,
                actor: Some(player),
                target: None,
                what: "none".to_owned(),
                amount: 0,
                is_splash: false,
            }));
            let last = before.insert(player, (state, percept.own.life));
            if let Some((last, _)) = last.filter(|&(_, life)| life == percept.own.life) {
                between.extend(half_way(&last, &state));
            }
            now.push(state);
        }
        play.states.extend(between.into_iter().chain(now));
    }
    Ok(play)
}

fn state(player: u16, percept: &Percept, command: &Command) -> State {
    let own = &percept.own;
    let units = |metres: f64| (metres * QUAKE_PER_METRE) as f32;
    let [x, y, z] = own.position.to_array();
    let key = |pace: f64| (pace * RUN).round() as i16;
    State {
        secs: percept.time_secs(),
        player,
        at: [units(x), units(y), units(z) + FEET as f32],
        velocity: Some(own.velocity.to_array().map(units)),
        keys: Keys {
            msec: (1000.0 * percept.period_secs).round() as u8,
            pitch_deg: -own.pitch.to_degrees() as f32,
            yaw_deg: own.yaw.to_degrees() as f32,
            forward: key(command.forward),
            side: -key(command.lateral),
            buttons: u8::from(command.fire != Fire::None) | u8::from(command.jump) << 1,
            ..Keys::default()
        },
        has_keys: true,
        is_alive: true,
        ..State::default()
    }
}

/// Half-way from one decision to the next, with the keys of the first; none where a teleporter lies between.
fn half_way(from: &State, to: &State) -> Option<State> {
    let middle = |a: f32, b: f32| (a + b) / 2.0;
    let far = |axis: usize| f64::from(to.at[axis] - from.at[axis]) / QUAKE_PER_METRE;
    if (0..3).map(|axis| far(axis) * far(axis)).sum::<f64>().sqrt() > TAKEN_M {
        return None;
    }
    let turned = wrap_deg(f64::from(to.keys.yaw_deg) - f64::from(from.keys.yaw_deg)) as f32;
    let keys = Keys {
        yaw_deg: wrap_deg(f64::from(from.keys.yaw_deg + turned / 2.0)) as f32,
        pitch_deg: middle(from.keys.pitch_deg, to.keys.pitch_deg),
        ..from.keys
    };
    let both = from.velocity.zip(to.velocity);
    Some(State {
        secs: (from.secs + to.secs) / 2.0,
        at: [0, 1, 2].map(|axis| middle(from.at[axis], to.at[axis])),
        velocity: both.map(|(from, to)| [0, 1, 2].map(|axis| middle(from[axis], to[axis]))),
        keys,
        ..*from
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use repertoire_trace::Row;

    use super::*;

    /// Somebody who runs ahead along x at 8 m a second, turns by 10 degrees a decision across the half circle, and fires every other time.
    fn recorded(taken_at: Option<u32>) -> Play {
        let header = Header::new("arena", "here", 1, 0.1, ["runner"]);
        let tick = |tick: u32| {
            let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
            percept.own.life = 1;
            percept.own.position.x = 0.8 * f64::from(tick);
            if taken_at.is_some_and(|at| tick >= at) {
                percept.own.position.y = 50.0;
            }
            percept.own.velocity.x = 8.0;
            percept.own.yaw = wrap_deg(170.0 + 10.0 * f64::from(tick)).to_radians();
            let fire = if tick.is_multiple_of(2) { Fire::Primary } else { Fire::None };
            let command = Command { forward: 1.0, lateral: -1.0, fire, ..Command::default() };
            let row = Row { percept: Some(percept), command: Some(command), ..Row::of(0) };
            Ok::<_, Infallible>(Tick { tick, state_hash: 0, rows: vec![row] })
        };
        let Ok(play) = play(&header, "match", (0..20).map(tick));
        play
    }

    #[test]
    fn what_lies_between_two_decisions_is_half_way_and_keys_go_on() {
        let play = recorded(None);
        assert_eq!(play.states.len(), 39, "twenty decisions, and one state between each two");
        let [first, middle, next] = [0, 1, 2].map(|k| play.states[k]);
        assert_eq!(first.at, [0.0, 0.0, 24.0]);
        assert!((f64::from(middle.at[0]) - 0.4 * 32.0).abs() < 1e-3 && (middle.secs - 0.05).abs() < 1e-9);
        assert!((f64::from(middle.keys.yaw_deg) - 175.0).abs() < 1e-3, "{}", middle.keys.yaw_deg);
        assert!((wrap_deg(f64::from(next.keys.yaw_deg) - 180.0)).abs() < 1e-3);
        assert!(middle.keys.is_firing() && !next.keys.is_firing());
        assert_eq!((middle.keys.forward, middle.keys.side), (320, 320), "right is positive in demos");
    }

    #[test]
    fn nothing_lies_between_before_a_teleporter_and_after_it() {
        assert_eq!(recorded(Some(7)).states.len(), 38);
    }

    #[test]
    fn a_characters_habits_are_measured_as_a_persons() {
        let report = crate::people::people(&[recorded(None)], &BTreeMap::new());
        let one = &report.people[0];
        assert_eq!((one.name.as_str(), one.side_key, one.back_key), ("runner", Some(1.0), Some(0.0)));
        assert!((one.firing - 0.5).abs() < 0.05, "{}", one.firing);
        assert!(one.views.still < 0.01, "it turns all the time");
    }
}
