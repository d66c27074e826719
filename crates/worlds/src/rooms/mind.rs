//! A whole mind in a room: the words of a [`Design`], tied to what can be done and known there.
//!
//! | word     | in a room                                                                                              |
//! |----------|--------------------------------------------------------------------------------------------------------|
//! | task     | an interaction by its name, `move`, `explore`, or `wait`                                                 |
//! | sensor   | for each of its values a condition over what the character believes; the first that holds is read        |
//! | fact     | the same, for planning                                                                                   |
//! | opinion  | `motivations`: of each task, the value of the best alternative whose next deed it is                     |
//!
//! So motivations stay what they are, and become one voice beside tables, needs and plans. What the task is done to is the
//! best alternative of that task: ways, things and what must be done first stay the business of reasoning.

use std::sync::Arc;

use repertoire_character::character::Decision;
use repertoire_character::expression::{Condition, Roles, holds};
use repertoire_character::laws::{EXPLORE, MOVE};
use repertoire_character::memory::View;
use repertoire_character::{Deed, InteractionId, Laws, Weighed};
use repertoire_mind::game::{Character, Design, Scratch};

/// The voice of motivations, as a mind's file calls it.
pub const MOTIVATIONS: &str = "motivations";
/// The task of doing nothing.
pub const WAIT: &str = "wait";
/// What motivations leave to waiting while there is something to do.
const PATIENCE: f64 = 0.05;

/// A design that is tied to a room.
#[derive(Clone, Debug)]
pub struct RoomMind {
    design: Arc<Design>,
    does: Vec<Does>,
    reads: Vec<Reads>,
}

/// What a task is in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Wait,
    Move,
    Explore,
    Perform(InteractionId),
}

/// How a sensor or a fact is read: the first value whose condition holds.
#[derive(Clone, Debug)]
pub(super) struct Reads {
    pub what: Word,
    pub values: Vec<(usize, Condition)>,
}

/// A sensor or a fact, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Sensor(usize),
    Fact(usize),
}

impl RoomMind {
    /// Ties a design to what can be done.
    ///
    /// # Errors
    /// The first task that nobody can do here.
    pub(super) fn new(design: Arc<Design>, laws: &Laws, reads: Vec<Reads>) -> Result<Self, String> {
        let does = design.behaviour().tasks().iter().map(|task| match task.name.as_str() {
            WAIT => Ok(Does::Wait),
            MOVE => Ok(Does::Move),
            EXPLORE => Ok(Does::Explore),
            name => laws.find_interaction(name).map(Does::Perform).ok_or_else(|| name.to_owned()),
        });
        Ok(RoomMind { does: does.collect::<Result<_, _>>()?, design, reads })
    }

    /// Its design.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    fn task_of(&self, deed: Deed) -> Option<usize> {
        let does = match deed {
            Deed::Perform { interaction, .. } => Does::Perform(interaction),
            Deed::Approach(_) | Deed::Avoid(_) => Does::Move,
            Deed::Explore => Does::Explore,
            Deed::Go(_) | Deed::Case(_) => return None,
        };
        self.does.iter().position(|task| *task == does)
    }

    /// One decision: what is to be done of everything that was weighed; nothing to wait.
    pub(super) fn decide(
        &self,
        mind: &mut Character,
        motivated: &Decision,
        roles: &Roles,
        view: &View<'_>,
        scratch: &mut Scratch,
    ) -> Option<Weighed> {
        let mut best: Vec<Option<Weighed>> = vec![None; self.does.len()];
        let worth = |one: &&Weighed| one.value > 0.0 && one.value.is_finite();
        for one in motivated.weighed.iter().filter(worth) {
            if let Some(task) = self.task_of(one.deed)
                && best[task].is_none_or(|best| one.value > best.value)
            {
                best[task] = Some(*one);
            }
        }
        // Where nothing is worth more than nothing, the least bad is all there is to do.
        if let (true, Some(only)) = (best.iter().all(Option::is_none), motivated.best())
            && let Some(task) = self.task_of(only.deed)
        {
            let mut only = *only;
            only.value = 1.0;
            best[task] = Some(only);
        }
        let all: f64 = best.iter().flatten().map(|best| best.value).sum();
        let say = |(does, best): (&Does, &Option<Weighed>)| match (does, best) {
            (Does::Wait, _) if all > 0.0 => PATIENCE,
            (Does::Wait, _) => 1.0,
            (_, Some(best)) => (1.0 - PATIENCE) * best.value / all,
            (_, None) => 0.0,
        };
        let says: Vec<f64> = self.does.iter().zip(&best).map(say).collect();
        if says.iter().sum::<f64>() <= 0.0 {
            return None;
        }
        let mut senses = self.design.senses();
        for Reads { what, values } in &self.reads {
            let Some(&(value, _)) = values.iter().find(|(_, condition)| holds(condition, roles, view)) else {
                continue;
            };
            match *what {
                Word::Sensor(sensor) => senses.set(sensor, value),
                Word::Fact(fact) => senses.set_fact(fact, Some(value)),
            }
        }
        senses.opine(MOTIVATIONS, &says).unwrap_or_else(|error| unreachable!("a checked voice: {error}"));
        best[mind.tick(&senses, scratch).task]
    }
}
