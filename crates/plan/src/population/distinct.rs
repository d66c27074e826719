//! Identical instances planned once: found one after the other, so that their numbers do not depend on threads, then
//! planned on all cores.

use super::{ColumnsError, PlanSlot, check_lengths, plan_each};
use crate::packed::PackedTask;
use crate::planner::Planner;

/// Working memory to find identical instances; reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Distinct {
    /// Open addressing: (state, goal, plan's number + 1); 0 is empty.
    table: Vec<(u64, u64, u32)>,
    /// The distinct instances.
    init: Vec<u64>,
    goal: Vec<u64>,
    /// The plans of the distinct instances.
    pub plans: Vec<PlanSlot>,
}

/// Plans once for identical instances; `out` receives the number of each character's plan in `distinct.plans`, which is
/// empty on an error.
pub fn plan_distinct(
    packed: &PackedTask,
    planner: &Planner,
    init: &[u64],
    goal: &[u64],
    distinct: &mut Distinct,
    out: &mut [u32],
) -> Result<(), ColumnsError> {
    distinct.plans.clear();
    check_lengths(init, goal, out.len())?;
    distinct.init.clear();
    distinct.goal.clear();
    distinct.table.clear();
    distinct.table.resize(1024, (0, 0, 0));
    for (character, ((&init, &goal), out)) in init.iter().zip(goal).zip(out).enumerate() {
        let mut slot = distinct.slot(init, goal);
        if distinct.table[slot].2 == 0 {
            if !(packed.is_state(init) && packed.is_state(goal)) {
                return Err(ColumnsError::NotAState { character });
            }
            distinct.init.push(init);
            distinct.goal.push(goal);
            distinct.table[slot] = (init, goal, distinct.init.len() as u32);
            if distinct.init.len() * 2 > distinct.table.len() {
                distinct.grow();
                slot = distinct.slot(init, goal);
            }
        }
        *out = distinct.table[slot].2 - 1;
    }
    distinct.plans.resize(distinct.init.len(), PlanSlot::default());
    plan_each(packed, planner, &distinct.init, &distinct.goal, &mut distinct.plans)
}

impl Distinct {
    #[inline]
    fn slot(&self, init: u64, goal: u64) -> usize {
        let hash = (init ^ goal.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while self.table[slot].2 != 0 && (self.table[slot].0, self.table[slot].1) != (init, goal) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let full = std::mem::take(&mut self.table);
        self.table = vec![(0, 0, 0); full.len() * 2];
        for entry in full.into_iter().filter(|entry| entry.2 != 0) {
            let slot = self.slot(entry.0, entry.1);
            self.table[slot] = entry;
        }
    }
}
