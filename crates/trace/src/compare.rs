//! Two readings of the same match, row by row: what other code made of a demo, and what we make of it.
//!
//! Players are paired by where they were, since names may have been replaced; the clocks of the two may begin at different moments.
//! Each row of the reference is compared with the last state at or before its time. Where a packet arrived within the rounding of
//! that time, nobody can tell whether it was before or after, and the nearer of the two counts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::play::{EventKind, Input, Play, PlayEvent, State, weapon_name};

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Rows of the reference.
    pub rows: usize,
    /// Rows for which we have a state of the same player, at most [`LATE_SECS`] old.
    pub rows_compared: usize,
    /// What is added to the reference's seconds to get ours.
    pub offset_secs: f64,
    /// Whom of ours each player of the reference is.
    pub players: Vec<(String, String)>,
    /// Columns, in the order of the reference.
    pub columns: Vec<Difference>,
    /// Events by kind.
    pub events: Vec<EventsCompared>,
}

/// One column.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Its name.
    pub column: &'static str,
    /// Rows in which both have a value.
    pub rows: usize,
    /// Rows that differ by more than rounding.
    pub differing: usize,
    /// The largest difference, in the column's unit; 1 for words that differ.
    pub largest: f64,
    /// When, in the reference's seconds.
    pub largest_at_secs: f64,
}

/// Events of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct EventsCompared {
    /// The kind.
    pub kind: EventKind,
    /// In the reference.
    pub reference: usize,
    /// Ours within the reference's time.
    pub ours: usize,
    /// Same kind, player, words and amount, within two milliseconds.
    pub same: usize,
}

/// A state that is older than this is not compared: the player was out of view.
pub const LATE_SECS: f64 = 0.2;
/// Half a millisecond, to which the reference rounds its times.
const ROUNDING_SECS: f64 = 0.0006;

/// A column: its name, the rounding of the reference, and how far two states are apart in it.
struct Column {
    name: &'static str,
    rounding: f64,
    apart: fn(&State, &State) -> Option<f64>,
}

fn status(a: &State, b: &State, of: fn(&crate::play::Status) -> f64) -> Option<f64> {
    Some((of(a.status.as_ref()?) - of(b.status.as_ref()?)).abs())
}

fn keys(a: &State, b: &State, of: fn(&State) -> f64) -> Option<f64> {
    (a.has_keys && b.has_keys).then(|| (of(a) - of(b)).abs())
}

fn turn(a: f32, b: f32) -> f64 {
    let apart = f64::from(a - b).rem_euclid(360.0);
    apart.min(360.0 - apart)
}

macro_rules! column {
    ($name:literal, $rounding:literal, $apart:expr) => {
        Column { name: $name, rounding: $rounding, apart: $apart }
    };
}

const COLUMNS: &[Column] = &[
    column!("x", 0.001, |a, b| Some(f64::from((a.at[0] - b.at[0]).abs()))),
    column!("y", 0.001, |a, b| Some(f64::from((a.at[1] - b.at[1]).abs()))),
    column!("z", 0.001, |a, b| Some(f64::from((a.at[2] - b.at[2]).abs()))),
    column!("vx", 0.001, |a, b| Some(f64::from((a.velocity?[0] - b.velocity?[0]).abs()))),
    column!("vy", 0.001, |a, b| Some(f64::from((a.velocity?[1] - b.velocity?[1]).abs()))),
    column!("vz", 0.001, |a, b| Some(f64::from((a.velocity?[2] - b.velocity?[2]).abs()))),
    column!("yaw", 0.0051, |a, b| Some(turn(a.keys.yaw_deg, b.keys.yaw_deg))),
    column!("pitch", 0.0051, |a, b| Some(turn(a.keys.pitch_deg, b.keys.pitch_deg))),
    column!("fwd", 0.0, |a, b| keys(a, b, |s| f64::from(s.keys.forward))),
    column!("side", 0.0, |a, b| keys(a, b, |s| f64::from(s.keys.side))),
    column!("up", 0.0, |a, b| keys(a, b, |s| f64::from(s.keys.up))),
    column!("fire", 0.0, |a, b| {
        status(a, b, |_| 0.0)?;
        keys(a, b, |s| f64::from(u8::from(s.keys.is_firing())))
    }),
    column!("jump", 0.0, |a, b| {
        status(a, b, |_| 0.0)?;
        keys(a, b, |s| f64::from(u8::from(s.keys.is_jumping())))
    }),
    column!("weapon", 0.0, |a, b| {
        let same = weapon_name(a.status?.weapon) == weapon_name(b.status?.weapon);
        Some(f64::from(u8::from(!same)))
    }),
    column!("health", 0.0, |a, b| status(a, b, |s| f64::from(s.health))),
    column!("armor", 0.0, |a, b| status(a, b, |s| f64::from(s.armour))),
    column!("alive", 0.0, |a, b| Some(f64::from(u8::from(a.is_alive != b.is_alive)))),
    column!("frags", 0.0, |a, b| Some(f64::from((a.frags - b.frags).abs()))),
    column!("ammo", 0.0, |a, b| status(a, b, |s| f64::from(s.ammo))),
    column!("items", 0.0, |a, b| status(a, b, |s| f64::from(s.items))),
];

/// Compares what we read with a reference of the same match. `None` if nobody of the reference is found in ours.
pub fn compare(ours: &Play, reference: &Play) -> Option<Comparison> {
    let tracks = tracks(ours);
    let pairs: Vec<Option<(u16, f64)>> = (0_u16..)
        .zip(&reference.players)
        .map(|(player, _)| pair(&tracks, reference.states.iter().filter(|state| state.player == player)))
        .collect();
    let mut offsets: Vec<f64> = pairs.iter().flatten().map(|(_, offset)| *offset).collect();
    offsets.sort_by(f64::total_cmp);
    let offset_secs = *offsets.get(offsets.len() / 2)?;
    let mut columns: Vec<Difference> = COLUMNS
        .iter()
        .map(|column| Difference {
            column: column.name,
            rows: 0,
            differing: 0,
            largest: 0.0,
            largest_at_secs: 0.0,
        })
        .collect();
    let mut rows_compared = 0;
    for row in &reference.states {
        let Some((player, _)) = pairs[usize::from(row.player)] else { continue };
        let at = row.secs + offset_secs;
        let candidates = [at - ROUNDING_SECS, at + ROUNDING_SECS].map(|secs| {
            shown(&tracks[&player], &ours.inputs, secs).filter(|state| secs - state.secs < LATE_SECS)
        });
        rows_compared += usize::from(candidates.iter().any(Option::is_some));
        for (column, difference) in COLUMNS.iter().zip(&mut columns) {
            let apart = candidates.iter().flatten().filter_map(|state| (column.apart)(state, row));
            let Some(apart) = apart.min_by(f64::total_cmp) else { continue };
            difference.rows += 1;
            difference.differing += usize::from(apart > column.rounding);
            if apart > difference.largest {
                difference.largest = apart;
                difference.largest_at_secs = row.secs;
            }
        }
    }
    let names = pairs.iter().zip(&reference.players).filter_map(|(pair, player)| {
        Some((player.name.clone(), ours.players.get(usize::from((*pair)?.0))?.name.clone()))
    });
    Some(Comparison {
        rows: reference.states.len(),
        rows_compared,
        offset_secs,
        players: names.collect(),
        columns,
        events: events(ours, reference, &pairs, offset_secs),
    })
}

fn tracks(play: &Play) -> BTreeMap<u16, Vec<State>> {
    let mut tracks: BTreeMap<u16, Vec<State>> = BTreeMap::new();
    for state in &play.states {
        tracks.entry(state.player).or_default().push(*state);
    }
    tracks
}

/// The last state at or before a time, with the keys and view of the last input then, where there are inputs.
fn shown(track: &[State], inputs: &[Input], secs: f64) -> Option<State> {
    let mut state = *track[..track.partition_point(|state| state.secs <= secs)].last()?;
    if state.acknowledged.is_some()
        && let Some(input) = inputs[..inputs.partition_point(|input| input.secs <= secs)].last()
    {
        state.keys = input.keys;
    }
    Some(state)
}

/// Who of ours was where a player of the reference was, and how the clocks differ.
///
/// Places that somebody was at only once give the difference of the clocks; a row holds the last state before it, so the largest
/// difference among those that agree is the true one.
fn pair<'a>(tracks: &BTreeMap<u16, Vec<State>>, rows: impl Iterator<Item = &'a State>) -> Option<(u16, f64)> {
    let rows: Vec<&State> = rows.collect();
    let place = |state: &State| state.at.map(|number| (f64::from(number) * 1000.0).round() as i64);
    let mut best: Option<(usize, u16, f64)> = None;
    for (&player, track) in tracks {
        let mut once: BTreeMap<[i64; 3], Option<f64>> = BTreeMap::new();
        for state in track {
            once.entry(place(state)).and_modify(|secs| *secs = None).or_insert(Some(state.secs));
        }
        let mut apart: Vec<f64> =
            rows.iter().filter_map(|row| Some((*once.get(&place(row))?)? - row.secs)).collect();
        apart.sort_by(f64::total_cmp);
        let Some(&middle) = apart.get(apart.len() / 2) else { continue };
        let agreeing: Vec<f64> = apart.iter().copied().filter(|one| (one - middle).abs() < 0.1).collect();
        let Some(&offset) = agreeing.get(agreeing.len() - 1 - agreeing.len() / 1000) else { continue };
        if best.is_none_or(|(count, ..)| agreeing.len() > count) {
            best = Some((agreeing.len(), player, offset));
        }
    }
    best.map(|(_, player, offset)| (player, offset))
}

/// Counts events that both have.
fn events(
    ours: &Play,
    reference: &Play,
    pairs: &[Option<(u16, f64)>],
    offset_secs: f64,
) -> Vec<EventsCompared> {
    let ours_of = |player: Option<u16>| pairs.get(usize::from(player?)).copied().flatten().map(|pair| pair.0);
    let (from, to) = match (reference.events.first(), reference.events.last()) {
        (Some(first), Some(last)) => (first.secs + offset_secs - 0.002, last.secs + offset_secs + 0.002),
        _ => return Vec::new(),
    };
    let mut all = Vec::new();
    for kind in EventKind::ALL {
        let theirs: Vec<&PlayEvent> = reference.events.iter().filter(|event| event.kind == kind).collect();
        if theirs.is_empty() {
            continue;
        }
        let mine: Vec<&PlayEvent> = ours
            .events
            .iter()
            .filter(|event| event.kind == kind && (from..=to).contains(&event.secs))
            .collect();
        // A reference may hold only some of the sounds.
        let is_told =
            |one: &&PlayEvent| kind != EventKind::Sound || theirs.iter().any(|event| event.what == one.what);
        let mine: Vec<&PlayEvent> = mine.into_iter().filter(is_told).collect();
        let mut is_used = vec![false; mine.len()];
        let mut same = 0;
        for event in &theirs {
            let found = (0..mine.len()).find(|&k| {
                let one = mine[k];
                !is_used[k]
                    && (one.secs - event.secs - offset_secs).abs() < 0.002
                    && (event.actor.is_none() || one.actor == ours_of(event.actor))
                    && (event.target.is_none() || one.target == ours_of(event.target))
                    && one.amount == event.amount
                    && (kind == EventKind::Obituary || is_number(&event.what) || one.what == event.what)
            });
            if let Some(k) = found {
                is_used[k] = true;
                same += 1;
            }
        }
        all.push(EventsCompared { kind, reference: theirs.len(), ours: mine.len(), same });
    }
    all
}

/// Whether the reference did not know a name either.
fn is_number(what: &str) -> bool {
    !what.is_empty() && what.bytes().all(|byte| byte.is_ascii_digit())
}
