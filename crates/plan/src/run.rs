//! Running a plan: the next action, whether it still can be done, and whose turn it is to plan anew.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::domain::{Domain, Way};
use crate::task::Task;

/// A plan being carried out. Serialises, to go on in mid-plan.
///
/// ```
/// use repertoire_plan::run::{Next, Running};
/// use repertoire_plan::{Action, Task};
/// let task = Task::new(vec![2], vec![Action::unary(0, 0, 1, vec![])])?;
/// let mut running = Running::new(vec![0]);
/// assert_eq!(running.next(&task, &[0], &[Some(1)]), Next::Do(0));
/// running.advance();
/// assert_eq!(running.next(&task, &[1], &[Some(1)]), Next::Done);
/// assert_eq!(running.next(&task, &[0], &[Some(1)]), Next::Replan, "somebody closed it again");
/// # Ok::<(), repertoire_plan::TaskError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Shared, because many characters run the same plan.
    #[serde(serialize_with = "save", deserialize_with = "restore")]
    plan: Arc<[u32]>,
    next: usize,
}

fn save<S: Serializer>(plan: &Arc<[u32]>, serializer: S) -> Result<S::Ok, S::Error> {
    plan[..].serialize(serializer)
}

fn restore<'de, D: Deserializer<'de>>(saved: D) -> Result<Arc<[u32]>, D::Error> {
    Vec::deserialize(saved).map(Arc::from)
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This action: its conditions hold, and the rest of the plan leads from it to the goal.
    Do(u32),
    /// The goal holds: nothing is left to do, even if the plan has steps left.
    Done,
    /// The world is not as the plan expected: plan anew.
    Replan,
}

impl Running {
    /// Begins a plan; one that is shared costs nothing to begin.
    pub fn new(plan: impl Into<Arc<[u32]>>) -> Self {
        Running { plan: plan.into(), next: 0 }
    }

    /// What to do in this state: nothing more once the goal holds, whoever brought that about; otherwise the next action, if
    /// the whole rest of the plan still leads to the goal. A surprise that lies ahead is met now, not when the step that it
    /// prevents comes up.
    ///
    /// A state or goal that has not a value for each of the task's variables, or an action that the task does not have, is
    /// nothing the plan expected: plan anew.
    pub fn next(&self, task: &Task, state: &[u16], goal: &[Option<u16>]) -> Next {
        let variables = task.sizes().len();
        if state.len() != variables || goal.len() != variables {
            return Next::Replan;
        }
        if state.iter().zip(goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value)) {
            return Next::Done;
        }
        match self.plan.get(self.next) {
            Some(&action) if self.still_works(task, state, goal) => Next::Do(action),
            _ => Next::Replan,
        }
    }

    /// The action is done.
    pub fn advance(&mut self) {
        self.next = (self.next + 1).min(self.plan.len());
    }

    /// What is still to be done.
    pub fn left(&self) -> &[u32] {
        // A saved plan may say that more is done than it has.
        self.plan.get(self.next..).unwrap_or_default()
    }

    /// Whether the rest of the plan still leads to the goal: also sees surprises that lie ahead. Allocates nothing for tasks
    /// of up to 64 variables whose actions change one each, so it may be asked every tick.
    pub fn still_works(&self, task: &Task, state: &[u16], goal: &[Option<u16>]) -> bool {
        let mut few = [0; 64];
        match few.get_mut(..state.len()) {
            Some(scratch) => {
                scratch.copy_from_slice(state);
                task.leads_to(self.left(), scratch, goal)
            }
            None => task.is_plan(self.left(), state, goal),
        }
    }
}

impl Domain {
    /// The concrete ways to do an action that can be taken in this state, in the order they were written.
    ///
    /// ```
    /// use repertoire_plan::Domain;
    /// let door: Domain = r#"
    ///     name = "door"
    ///     [class.Guard.variables]
    ///     door = ["shut", "open"]
    ///     key = ["lost", "held"]
    ///     [class.Guard.actions]
    ///     get_in = "door: shut -> open"
    ///     [class.Guard.ways]
    ///     get_in = { unlock = "key=held", kick = "key=lost" }
    ///     [class.Guard.goals]
    ///     inside = "door=open"
    /// "#.parse()?;
    /// let ways = |state| door.ways_now(0, state).map(|way| way.name.clone()).collect::<Vec<_>>();
    /// assert_eq!((ways(&[0, 0]), ways(&[0, 1])), (vec!["kick".to_owned()], vec!["unlock".to_owned()]));
    /// # Ok::<(), repertoire_authored::Mistake>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such action, or the state has too few values.
    pub fn ways_now<'a>(&'a self, action: u32, state: &'a [u16]) -> impl Iterator<Item = &'a Way> + 'a {
        let open = |way: &&Way| way.conditions.iter().all(|&(var, value)| state[var as usize] == value);
        self.ways[action as usize].iter().filter(open)
    }
}

/// Who waits for a plan: everybody in turn, nobody twice, at most a given number per tick. Takes a bit for each number up to
/// the greatest that ever asked, so number characters from 0.
///
/// The turn goes round by number, so that those who ask every tick all get the same share, and whoever asks is served
/// before anybody is served twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanQueue {
    /// A bit for each character.
    waiting: Vec<u64>,
    /// Whose turn it is.
    turn: u32,
    len: usize,
}

impl PlanQueue {
    /// Nobody waits.
    pub fn new() -> Self {
        PlanQueue::default()
    }

    /// A character asks for a plan; asking again while it waits changes nothing.
    pub fn request(&mut self, character: u32) {
        let word = character as usize / 64;
        if self.waiting.len() <= word {
            self.waiting.resize(word + 1, 0);
        }
        let bit = 1 << (character % 64);
        self.len += usize::from(self.waiting[word] & bit == 0);
        self.waiting[word] |= bit;
    }

    /// The next one to plan for.
    pub fn take(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let first = self.turn as usize / 64;
        // The word of the turn is looked at twice: from the turn on, and at the end before it.
        for step in 0..=self.waiting.len() {
            let word = (first + step) % self.waiting.len();
            let from_turn = if step == 0 { !0 << (self.turn % 64) } else { !0 };
            let here = self.waiting[word] & from_turn;
            if here != 0 {
                let bit = here.trailing_zeros();
                self.waiting[word] &= !(1 << bit);
                self.len -= 1;
                let character = word as u32 * 64 + bit;
                let places = self.waiting.len() as u64 * 64;
                self.turn = ((u64::from(character) + 1) % places) as u32;
                return Some(character);
            }
        }
        None
    }

    /// Plans for at most `most` characters.
    pub fn tick(&mut self, most: usize, mut plan: impl FnMut(u32)) {
        for _ in 0..most {
            match self.take() {
                Some(character) => plan(character),
                None => return,
            }
        }
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain;
    use crate::planner::{Outcome, Planner};
    use crate::task::Action;

    #[test]
    fn a_surprise_is_met_with_a_new_plan() {
        let western = domain::domain("western").unwrap();
        let class = western.class("HorseBreeder").unwrap();
        let task = western.class_task(class).unwrap();
        let goal = [Some(2), Some(0), Some(2)];
        let mut state = vec![0, 0, 0];
        let mut planner = Planner::new(task.clone());
        let mut plan = |state: &[u16]| match planner.solve(state, &goal, None).unwrap() {
            Outcome::Plan { actions, .. } => Running::new(actions),
            other => panic!("{other:?}"),
        };
        let mut running = plan(&state);
        let (mut ticks, mut replans) = (0, 0);
        loop {
            ticks += 1;
            assert!(ticks < 50);
            if ticks == 4 {
                state[1] = 0; // someone puts the bucket down
            }
            match running.next(&task, &state, &goal) {
                Next::Do(action) => {
                    task.apply(action as usize, &mut state);
                    running.advance();
                }
                Next::Replan => {
                    replans += 1;
                    running = plan(&state);
                }
                Next::Done => break,
            }
        }
        assert_eq!(state, [2, 0, 2]);
        assert!(replans >= 1);
    }

    /// A corridor (0 to 3) whose last door (variable 1) can be shut, and a lamp (variable 2).
    fn corridor() -> Task {
        let step =
            |from: u16| Action::unary(0, from, from + 1, if from == 2 { vec![(1, 1)] } else { vec![] });
        let mut actions: Vec<Action> = (0..3).map(step).collect();
        actions.push(Action::unary(1, 0, 1, vec![]));
        actions.push(Action::unary(2, 0, 1, vec![]));
        Task::new(vec![4, 2, 2], actions).unwrap()
    }

    #[test]
    fn a_surprise_that_lies_ahead_is_met_at_once() {
        let (task, goal) = (corridor(), [Some(3), None, None]);
        let running = Running::new(vec![0, 1, 2]);
        assert_eq!(running.next(&task, &[0, 1, 0], &goal), Next::Do(0));
        // The first two steps could still be done, but the door they lead to is shut.
        assert_eq!(running.next(&task, &[0, 0, 0], &goal), Next::Replan);
        assert_eq!(running.next(&task, &[0, 1, 1], &goal), Next::Do(0), "the lamp does not matter");
    }

    #[test]
    fn a_goal_that_somebody_else_reached_is_done() {
        let (task, goal) = (corridor(), [None, Some(1), None]);
        let running = Running::new(vec![3]);
        assert_eq!(running.next(&task, &[0, 0, 0], &goal), Next::Do(3));
        assert_eq!(running.next(&task, &[0, 1, 0], &goal), Next::Done);
        assert_eq!(Running::new(vec![9]).next(&task, &[0, 0, 0], &goal), Next::Replan, "no such action");
    }

    #[test]
    fn looking_ahead_allocates_nothing() {
        let (task, goal) = (corridor(), [Some(3), None, None]);
        let running = Running::new(vec![0, 1, 2]);
        let counted = allocation_counter::measure(|| {
            assert_eq!(running.next(&task, &[0, 1, 0], &goal), Next::Do(0));
        });
        assert_eq!(counted.count_total, 0);
    }

    #[test]
    fn the_queue_is_fair() {
        let mut queue = PlanQueue::new();
        let mut planned = [0; 10];
        for _ in 0..100 {
            (0..10).for_each(|character| queue.request(character));
            queue.tick(3, |character| planned[character as usize] += 1);
        }
        assert_eq!(planned, [30; 10]);
        (0..200).for_each(|character| queue.request(character));
        let mut served = Vec::new();
        queue.tick(1_000, |character| served.push(character));
        served.sort_unstable();
        assert_eq!(served, (0..200).collect::<Vec<_>>());
        assert!(queue.is_empty() && queue.take().is_none());
    }
}
