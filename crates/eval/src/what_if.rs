//! What if: one moment, two futures with the same random numbers, and where they part.

use glam::DVec2;
use repertoire_mind::{Event, Percept};
use repertoire_worlds::arena::game::{Contender, Match};
use serde::Serialize;

use crate::Entry;
use crate::timeline::{Moment, TimelineError};

/// What is changed, of one character.
#[derive(Clone, Debug)]
pub enum Alteration {
    /// Another health.
    Health(f64),
    /// Another place to stand, from above; refused where nobody can stand.
    Position(DVec2),
    /// Another percept, for one tick.
    Percept(Box<Percept>),
    /// Another mind, such as one with other tables, which takes up the state of the old one if it can.
    Mind(Entry),
}

/// Why there is no other future.
#[derive(Debug, thiserror::Error)]
pub enum WhatIfError {
    /// The moment cannot be had.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// There is no such character, or it is not alive then.
    #[error("character {0} is not alive at that moment: choose another or another moment")]
    NotAlive(usize),
    /// Nobody can stand there.
    #[error("nobody can stand at {0}: choose a place on a floor, half a metre from walls")]
    NoRoom(DVec2),
}

/// A character at a tick of a future.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Snapshot {
    /// Whether it lives.
    pub alive: bool,
    /// Where it stands, from above, in metres.
    pub at: [f64; 2],
    /// Its health.
    pub health: f64,
    /// What it decided to do there.
    pub task: String,
    /// Others killed so far, minus own suicides.
    pub frags: i32,
}

/// One future.
#[derive(Clone, Debug, Serialize)]
pub struct Future {
    /// For each tick, the first being that of the question, everybody.
    pub ticks: Vec<Vec<Snapshot>>,
    /// Who died when: tick, who, by whom.
    pub deaths: Vec<(u32, usize, Option<u8>)>,
    /// The hash of the world at the end.
    pub hash: String,
}

/// Two futures, and where they part.
#[derive(Clone, Debug, Serialize)]
pub struct WhatIf {
    /// As it was.
    pub was: Future,
    /// As it would have been.
    pub would: Future,
    /// For each character the first tick at which it decides something else; none if it never does.
    pub decides_otherwise: Vec<Option<u32>>,
    /// For each character the first tick at which it is more than half a metre from where it was.
    pub is_elsewhere: Vec<Option<u32>>,
}

/// Farther apart than this, in metres, is elsewhere.
const ELSEWHERE_M: f64 = 0.5;

/// Plays both futures of a moment for a number of ticks. People's recorded commands are obeyed in both as far as they go.
///
/// # Errors
/// If the change cannot be made.
pub fn what_if(
    moment: &Moment,
    id: usize,
    alteration: &Alteration,
    ticks: u32,
) -> Result<WhatIf, WhatIfError> {
    let (tick, game) = (moment.tick(), moment.game()?);
    if id >= game.world().len() || !game.world().is_alive(id) {
        return Err(WhatIfError::NotAlive(id));
    }
    let was = future(moment, game, None, ticks);
    let mut game = moment.game()?;
    let mut percept = None;
    match alteration {
        Alteration::Health(health) => game.world_mut().set_health(id, *health),
        Alteration::Position(at) => {
            if !game.world_mut().set_position(id, *at) {
                return Err(WhatIfError::NoRoom(*at));
            }
        }
        Alteration::Percept(other) => percept = Some((id, &**other)),
        Alteration::Mind(entry) => {
            game.replace(id, Contender { name: entry.name.clone(), mind: (entry.make)() });
        }
    }
    let would = future(moment, game, percept, ticks);
    let first = |differs: &dyn Fn(&Snapshot, &Snapshot) -> bool, id: usize| {
        let pairs = was.ticks.iter().zip(&would.ticks);
        pairs.zip(tick..).find(|((was, would), _)| differs(&was[id], &would[id])).map(|(_, tick)| tick)
    };
    let everybody = 0..was.ticks.first().map_or(0, Vec::len);
    let task = |was: &Snapshot, would: &Snapshot| was.task != would.task || was.alive != would.alive;
    let place = |was: &Snapshot, would: &Snapshot| {
        DVec2::from(was.at).distance(DVec2::from(would.at)) > ELSEWHERE_M && was.alive && would.alive
    };
    Ok(WhatIf {
        decides_otherwise: everybody.clone().map(|id| first(&task, id)).collect(),
        is_elsewhere: everybody.map(|id| first(&place, id)).collect(),
        was,
        would,
    })
}

/// Plays on, and writes down what everybody does.
fn future(moment: &Moment, mut game: Match, percept: Option<(usize, &Percept)>, ticks: u32) -> Future {
    let mut future = Future { ticks: Vec::new(), deaths: Vec::new(), hash: String::new() };
    for step in 0..ticks {
        game.perceive();
        if let (0, Some((id, percept))) = (step, percept) {
            game.percept_mut(id).clone_from(percept);
        }
        game.decide();
        let now = game.world().tick();
        moment.orders_at(now).iter().for_each(|&(id, command)| game.order(id, command));
        future.ticks.push((0..game.world().len()).map(|id| snapshot(&game, id)).collect());
        game.advance();
        for id in 0..game.world().len() {
            let deaths = game.world().events(id).iter().filter_map(|event| match event {
                Event::Died { by, .. } => Some((now, id, *by)),
                _ => None,
            });
            future.deaths.extend(deaths);
        }
    }
    future.hash = format!("{:016x}", game.world().hash());
    future
}

fn snapshot(game: &Match, id: usize) -> Snapshot {
    let look = game.world().look(id);
    let task = if look.alive { game.contenders()[id].mind.task() } else { "" };
    Snapshot {
        alive: look.alive,
        at: [look.position.x, look.position.y],
        health: look.health,
        task: task.to_owned(),
        frags: game.world().tally(id).frags,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tests::{fighter, played};

    #[test]
    fn a_change_that_changes_nothing_gives_the_same_future() {
        let timeline = played(60);
        let health = timeline.at(30).expect("played").world().look(0).health;
        let same = what_if(&timeline.moment(30).expect("played"), 0, &Alteration::Health(health), 25)
            .expect("alive");
        assert_eq!(same.was.hash, same.would.hash);
        assert_eq!(same.was.ticks, same.would.ticks);
        assert!(same.decides_otherwise.iter().all(Option::is_none));
        let after = timeline.at(55).expect("played").world().hash();
        assert_eq!(same.was.hash, format!("{after:016x}"), "the first future is what happened");
    }

    #[test]
    fn another_place_makes_another_future_from_its_first_tick() {
        let timeline = played(40);
        let other = timeline.at(20).expect("played").world().look(1).position.truncate();
        let there = Alteration::Position(other + DVec2::new(1.5, 0.0));
        let parts = what_if(&timeline.moment(20).expect("played"), 0, &there, 15)
            .expect("there is room beside the other");
        assert_ne!(parts.was.hash, parts.would.hash);
        assert_eq!(parts.is_elsewhere[0], Some(20));
        let outside =
            what_if(&timeline.moment(20).expect("played"), 0, &Alteration::Position(DVec2::splat(1e6)), 15);
        assert!(matches!(outside, Err(WhatIfError::NoRoom(_))));
    }

    #[test]
    fn another_mind_decides_in_the_same_body() {
        let timeline = played(40);
        let parts =
            what_if(&timeline.moment(20).expect("played"), 2, &Alteration::Mind(fighter("prudent")), 15)
                .expect("alive");
        assert_eq!(parts.would.ticks[0][2].at, parts.was.ticks[0][2].at);
        assert_eq!(parts.decides_otherwise[2], Some(20), "native bots and behaviours have other words");
    }
}
