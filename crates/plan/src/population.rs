//! Plans for whole populations, stored as columns.
//!
//! | way                      | what it does                                     | cost                        |
//! |--------------------------|--------------------------------------------------|-----------------------------|
//! | [`plan_each`]            | every character from scratch                     | a plan each                 |
//! | [`plan_distinct`]        | identical instances once                         | a look-up each              |
//! | [`Town::plan_all`]       | a table for each class over its own variables    | a read and a write each     |
//! |                          | large classes: identical instances once          | a look-up each              |
//! | [`Town::set`]            | only those whose state changed                   | nothing for the others      |
//!
//! All four give the same plans, for any number of threads: work is cut into chunks of fixed size, gathered in order.
//! Nothing is allocated for a character; what few instances the packed tiers do not decide go to the full planner.

use rayon::prelude::*;

mod distinct;
mod memo;
mod named;
mod told;
mod town;

pub use distinct::{Distinct, plan_distinct};
pub use named::{Named, NamedError};
pub use told::ClassPlans;
pub use town::{KeyError, Town, TownError};

use crate::packed::{Packed, PackedTask};
use crate::planner::{Outcome, Planner};

/// Characters a thread takes at a time; fixed, so that results do not depend on threads.
const CHUNK: usize = 4096;

/// A plan in place: up to 15 actions by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSlot([u8; 16]);

/// Marks in the first byte of a slot.
const UNSOLVABLE: u8 = 255;
const GAVE_UP: u8 = 254;
/// A plan of more actions than a slot holds: a town has it elsewhere.
const LONG: u8 = 253;
/// No action: what follows the last one.
const NOTHING: u8 = 255;

impl Default for PlanSlot {
    /// A plan of no actions.
    fn default() -> Self {
        PlanSlot::of(&[])
    }
}

impl PlanSlot {
    /// The most actions a slot holds; longer plans count as given up.
    pub const MOST: usize = 15;

    #[inline]
    fn of(actions: &[u8]) -> Self {
        if actions.len() > PlanSlot::MOST {
            return PlanSlot::none(GAVE_UP);
        }
        let mut slot = [NOTHING; 16];
        slot[0] = actions.len() as u8;
        slot[1..=actions.len()].copy_from_slice(actions);
        PlanSlot(slot)
    }

    #[inline]
    fn none(mark: u8) -> Self {
        let mut slot = [NOTHING; 16];
        slot[0] = mark;
        PlanSlot(slot)
    }

    /// The first action of the plan, if there is any: without a branch on the plan's length, for passes over millions.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        (self.0[1] != NOTHING).then_some(self.0[1])
    }

    /// The number of a plan that stands elsewhere, and its first action.
    fn long(number: u32, first: u8) -> Self {
        let mut slot = PlanSlot::none(LONG);
        slot.0[1] = first;
        slot.0[4..8].copy_from_slice(&number.to_le_bytes());
        slot
    }

    /// The number of the plan that stands elsewhere, if it does.
    fn elsewhere(&self) -> Option<u32> {
        let [_, _, _, _, a, b, c, d, ..] = self.0;
        (self.0[0] == LONG).then_some(u32::from_le_bytes([a, b, c, d]))
    }

    /// The plan; `None` if there is none.
    #[inline]
    pub fn plan(&self) -> Option<&[u8]> {
        (self.0[0] < LONG).then(|| &self.0[1..=self.0[0] as usize])
    }

    /// Whether there may be a plan, but none was found within the budget, or none of [`PlanSlot::MOST`] actions.
    pub fn is_given_up(&self) -> bool {
        self.0[0] == GAVE_UP
    }

    /// Whether it was proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.0[0] == UNSOLVABLE
    }
}

/// Why a population cannot be planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsError {
    /// The columns are not of one population.
    #[error("{states} states, {goals} goals and {plans} plans: the columns are not of one population")]
    Lengths {
        /// Length of the column of states.
        states: usize,
        /// Length of the column of goals.
        goals: usize,
        /// Length of the column of plans.
        plans: usize,
    },
    /// A word that is no state of the task.
    #[error("character {character}: its state or its goal is no state of the task")]
    NotAState {
        /// Whose.
        character: usize,
    },
}

/// One instance of two states by all tiers.
#[inline]
fn plan_one(packed: &PackedTask, planner: &Planner, init: u64, goal: u64) -> PlanSlot {
    let mut plan = [0; 64];
    match packed.solve_unchecked(init, goal, &mut plan) {
        Packed::Plan(length) => PlanSlot::of(&plan[..length]),
        Packed::Unsolvable | Packed::NotAState => PlanSlot::none(UNSOLVABLE),
        Packed::Undecided => plan_slowly(packed, planner, init, goal),
    }
}

#[cold]
fn plan_slowly(packed: &PackedTask, planner: &Planner, init: u64, goal: u64) -> PlanSlot {
    let mut state = vec![0; packed.fields().len()];
    packed.unpack(goal, &mut state);
    let wanted: Vec<Option<u16>> = state.iter().copied().map(Some).collect();
    packed.unpack(init, &mut state);
    plan_fully(planner, &state, &wanted)
}

/// One instance that fits the task by the full planner.
fn plan_fully(planner: &Planner, state: &[u16], wanted: &[Option<u16>]) -> PlanSlot {
    match planner.clone().solve_unchecked(state, wanted, None) {
        Outcome::Plan { actions, .. } => {
            let actions: Vec<u8> = actions.iter().map(|&action| action as u8).collect();
            PlanSlot::of(&actions)
        }
        Outcome::Unsolvable => PlanSlot::none(UNSOLVABLE),
        Outcome::GaveUp { .. } => PlanSlot::none(GAVE_UP),
    }
}

/// Plans from scratch for every character: columns of packed states and goals, a column of plans. On an error no plan was
/// made.
pub fn plan_each(
    packed: &PackedTask,
    planner: &Planner,
    init: &[u64],
    goal: &[u64],
    out: &mut [PlanSlot],
) -> Result<(), ColumnsError> {
    check_lengths(init, goal, out.len())?;
    if let Some(character) = first_not_state(packed, init, goal) {
        return Err(ColumnsError::NotAState { character });
    }
    let columns = init.par_chunks(CHUNK).zip(goal.par_chunks(CHUNK)).zip(out.par_chunks_mut(CHUNK));
    columns.for_each(|((init, goal), out)| {
        for ((&init, &goal), out) in init.iter().zip(goal).zip(out) {
            *out = plan_one(packed, planner, init, goal);
        }
    });
    Ok(())
}

fn check_lengths(init: &[u64], goal: &[u64], plans: usize) -> Result<(), ColumnsError> {
    if init.len() == goal.len() && init.len() == plans {
        return Ok(());
    }
    Err(ColumnsError::Lengths { states: init.len(), goals: goal.len(), plans })
}

/// The first character whose state or goal is none. Without a way out of the loop within a chunk, so that several are
/// looked at at once: a fraction of a nanosecond each.
fn first_not_state(packed: &PackedTask, init: &[u64], goal: &[u64]) -> Option<usize> {
    let fits = |(&init, &goal): (&u64, &u64)| packed.is_state(init) & packed.is_state(goal);
    let chunks = init.chunks(CHUNK).zip(goal.chunks(CHUNK));
    let wrong = chunks
        .into_iter()
        .position(|(init, goal)| !init.iter().zip(goal).map(fits).fold(true, |all, fits| all & fits))?;
    let first = wrong * CHUNK;
    let at = init[first..].iter().zip(&goal[first..]).position(|pair| !fits(pair));
    at.map(|at| first + at)
}

#[cfg(test)]
mod tests;
