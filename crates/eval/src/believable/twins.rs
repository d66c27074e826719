//! The same moment lived twice, with and without an event: whether there is a reaction, and how late; and with other chance.

use repertoire_mind::{Command, DVec3, Fire, Hit, Item, Noise, Percept, SeenCharacter, Sound, Weapon};
use repertoire_prob::Stream;
use repertoire_prob::num::{cos, sin};
use serde::{Deserialize, Serialize};

use super::life::{Life, Moment, WINDOW};
use crate::Entry;

/// Decisions before a moment in which nothing of the kind may have happened.
const QUIET: usize = 12;
/// How far aside an enemy appears, in radians, and straight ahead.
const ASIDE: f64 = 0.5;
/// Other streams of chance for each moment.
const AGAIN: u64 = 5;

/// Something that happens to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happens {
    /// An enemy comes into view, to one side.
    EnemyAside,
    /// An enemy comes into view, straight ahead.
    EnemyAhead,
    /// A hit from behind.
    Hit,
    /// A loud shot from behind.
    Shot,
    /// An item that is wanted is back where it is missing.
    Item,
}

impl Happens {
    /// All of them.
    pub const ALL: [Happens; 5] =
        [Happens::EnemyAside, Happens::EnemyAhead, Happens::Hit, Happens::Shot, Happens::Item];
}

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// What happened.
    pub event: Happens,
    /// The decision at which the two lives first differ, 0 for the one at which it happened.
    pub differs: Option<usize>,
    /// The first decision to turn farther towards the enemy than in the other life.
    pub turns: Option<usize>,
    /// The first decision to fire where the other life does not.
    pub fires: Option<usize>,
}

/// What was done at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// How far the view was turned, to the left.
    pub turn_deg: f64,
    /// Whether it fired.
    pub fires: bool,
}

impl Done {
    fn of(command: &Command) -> Self {
        let command = command.sane();
        Done { turn_deg: command.yaw.to_degrees(), fires: command.fire != Fire::None }
    }
}

/// One moment, lived twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lives {
    /// What happened in one of them.
    pub event: Happens,
    /// From one decision to the next.
    pub period_secs: f64,
    /// What was done with the event.
    pub with: Vec<Done>,
    /// What was done without it.
    pub without: Vec<Done>,
}

/// Everything that moments lived again tell of one life.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Twins {
    pub reactions: Vec<Reaction>,
    /// For moments lived again without any event: whether the lives differ.
    pub nothing: Vec<bool>,
    /// For each moment, how much what is done differs with other chance.
    pub spread: Vec<f64>,
    /// A moment at which it turned to an enemy, to look at.
    pub shown: Option<Lives>,
}

/// Lives every moment of a life again.
pub(super) fn again(life: &Life, subject: &Entry, seed: u64) -> Twins {
    let mut twins = Twins::default();
    for (number, moment) in life.moments.iter().enumerate() {
        if !life.holds(moment.at, QUIET) {
            continue;
        }
        let lived = &life.commands[moment.at..moment.at + WINDOW];
        let same = life.again(moment, subject, moment.draw.clone(), &|_, _| ());
        twins.nothing.push(first(&same, lived, |a, b| a != b).is_some());
        for event in Happens::ALL {
            if let Some(change) = change(life, moment, event, number) {
                let with = life.again(moment, subject, moment.draw.clone(), &*change);
                let reaction = reaction(event, number, &with, lived);
                if twins.shown.is_none() && reaction.turns.is_some() {
                    twins.shown = Some(Lives {
                        event,
                        period_secs: life.percepts[moment.at].period_secs,
                        with: with.iter().map(Done::of).collect(),
                        without: lived.iter().map(Done::of).collect(),
                    });
                }
                twins.reactions.push(reaction);
            }
        }
        twins.spread.push(spread(life, moment, subject, seed.wrapping_add(number as u64)));
    }
    twins
}

fn first(with: &[Command], lived: &[Command], differs: impl Fn(&Command, &Command) -> bool) -> Option<usize> {
    with.iter().zip(lived).position(|(with, lived)| differs(with, lived))
}

fn reaction(event: Happens, number: usize, with: &[Command], lived: &[Command]) -> Reaction {
    let side = side(number);
    Reaction {
        event,
        differs: first(with, lived, |with, lived| with != lived),
        turns: match event {
            Happens::EnemyAside => first(with, lived, |with, lived| (with.yaw - lived.yaw) * side > 0.02),
            _ => None,
        },
        fires: match event {
            Happens::EnemyAhead => {
                first(with, lived, |with, lived| with.fire != Fire::None && lived.fire == Fire::None)
            }
            _ => None,
        },
    }
}

/// Left and right take turns.
fn side(number: usize) -> f64 {
    if number.is_multiple_of(2) { 1.0 } else { -1.0 }
}

type Change = Box<dyn Fn(usize, &mut Percept)>;

/// How an event changes what is perceived after a moment; none where it cannot happen, or where it would be nothing new.
fn change(life: &Life, moment: &Moment, event: Happens, number: usize) -> Option<Change> {
    let around = &life.percepts[moment.at - QUIET..moment.at + WINDOW];
    let now = &life.percepts[moment.at];
    let own = now.own;
    match event {
        Happens::EnemyAside | Happens::EnemyAhead => {
            let is_aside = event == Happens::EnemyAside;
            let turn = if is_aside { ASIDE * side(number) } else { 0.0 };
            // Between the ray ahead and the next one on that side there is room.
            let next = if turn < 0.0 { 7 } else { 1 };
            let room_m = if is_aside { now.rays_m[0].min(now.rays_m[next]) } else { now.rays_m[0] };
            let quiet = around.iter().all(|percept| percept.characters.is_empty());
            if !quiet || room_m < 5.0 {
                return None;
            }
            let far_m = (room_m - 1.0).min(9.0);
            let yaw = own.yaw + turn;
            let position = own.position + DVec3::new(cos(yaw), sin(yaw), 0.0) * far_m;
            let seen = SeenCharacter { id: 1, position, velocity: DVec3::ZERO, weapon: Some(Weapon::Medium) };
            Some(Box::new(move |_, percept| percept.characters.push(seen)))
        }
        Happens::Hit | Happens::Shot => {
            let loud = |percept: &Percept| percept.noises.iter().any(|noise| noise.sound == Sound::Shot);
            let quiet = around
                .iter()
                .all(|percept| percept.characters.is_empty() && percept.hits.is_empty() && !loud(percept));
            if !quiet || own.health < 40.0 {
                return None;
            }
            let yaw = 2.4 * side(number);
            Some(match event {
                Happens::Hit => Box::new(move |after, percept| {
                    percept.own.health -= 12.0;
                    if after == 0 {
                        percept.hits.push(Hit { damage: 12.0, yaw });
                    }
                }),
                _ => Box::new(move |after, percept| {
                    if after == 0 {
                        percept.noises.push(Noise { sound: Sound::Shot, yaw, loudness: 0.85 });
                    }
                }),
            })
        }
        Happens::Item => {
            let is_wanted = |item: Item| match item {
                Item::Health => own.health < 60.0,
                Item::Weapon(weapon) => !own.weapons[weapon.index()],
                _ => false,
            };
            // Somebody in a fight has other things to think about, and what is far away can wait.
            let quiet = around.iter().all(|percept| percept.characters.is_empty());
            let is_near = |position: DVec3| position.distance(own.position) < 8.0;
            let missing = now
                .items
                .iter()
                .find(|seen| quiet && !seen.present && is_wanted(seen.item) && is_near(seen.position))?;
            let missing = missing.spot;
            Some(Box::new(move |_, percept| {
                for seen in percept.items.iter_mut().filter(|seen| seen.spot == missing) {
                    seen.present = true;
                }
            }))
        }
    }
}

/// How much what is done in the second after a moment differs between two lives with other chance, on average over pairs of lives
/// and decisions: 0 for always the same, 1 for everything different.
fn spread(life: &Life, moment: &Moment, subject: &Entry, seed: u64) -> f64 {
    let lives: Vec<Vec<Command>> = (0..AGAIN)
        .map(|k| life.again(moment, subject, Stream::new(seed, k, "believable"), &|_, _| ()))
        .collect();
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (k, one) in lives.iter().enumerate() {
        for other in &lives[k + 1..] {
            for (a, b) in one.iter().zip(other) {
                sum += apart(a, b);
                pairs += 1.0;
            }
        }
    }
    if pairs > 0.0 { sum / pairs } else { 0.0 }
}

/// How far two commands are apart, from 0 to 1: view, legs and trigger count a third each.
fn apart(a: &Command, b: &Command) -> f64 {
    let (a, b) = (a.sane(), b.sane());
    let view = ((a.yaw - b.yaw).abs() / 0.5).min(1.0);
    let legs = (((a.forward - b.forward).abs() + (a.lateral - b.lateral).abs()) / 2.0).min(1.0);
    let trigger = f64::from(u8::from(a.fire != b.fire));
    (view + legs + trigger) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_as_far_apart_as_what_is_different_of_them() {
        let still = Command::default();
        assert_eq!(apart(&still, &still), 0.0);
        let turns = Command { yaw: 3.0, ..still };
        let all = Command { yaw: 3.0, forward: 1.0, lateral: 1.0, fire: Fire::Primary, ..still };
        assert!((apart(&still, &turns) - 1.0 / 3.0).abs() < 1e-12);
        assert!((apart(&still, &all) - 1.0).abs() < 1e-12);
    }
}
