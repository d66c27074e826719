//! Families of small tasks, all or sampled, every start and goal.

use super::*;

/// All unary post-unique tasks over some variables: for each fact, the ways to make it.
pub(crate) struct Family {
    sizes: Vec<u16>,
    makers: Vec<Vec<Option<Action>>>,
}

impl Family {
    fn new(sizes: &[u16], most_prevails: usize) -> Self {
        let mut makers = Vec::new();
        for (var, &size) in sizes.iter().enumerate() {
            let mut others = sizes.to_vec();
            others[var] = 0;
            let prevails: Vec<Goal> = goals(&others)
                .into_iter()
                .filter(|goal| goal.iter().flatten().count() <= most_prevails)
                .collect();
            for post in 0..size {
                let mut ways = vec![None];
                for pre in (0..size).filter(|&pre| pre != post) {
                    for prevail in &prevails {
                        let facts =
                            (0..).zip(prevail).filter_map(|(var, value)| Some((var, (*value)?))).collect();
                        ways.push(Some(Action::unary(var as u32, pre, post, facts)));
                    }
                }
                makers.push(ways);
            }
        }
        Family { sizes: sizes.to_vec(), makers }
    }

    fn len(&self) -> usize {
        self.makers.iter().map(Vec::len).product()
    }

    fn task(&self, mut index: usize) -> Task {
        let mut actions = Vec::new();
        for ways in &self.makers {
            actions.extend(ways[index % ways.len()].clone());
            index /= ways.len();
        }
        Task::new(self.sizes.clone(), actions).expect("a well-formed task")
    }

    /// Judges every `stride`-th task from the given states, with every goal.
    fn judge(&self, stride: usize, starts: impl Fn(usize) -> Vec<Vec<u16>>) -> Census {
        let mut census = Census::default();
        let goals = goals(&self.sizes);
        for (turn, index) in (0..self.len()).step_by(stride).enumerate() {
            let task = self.task(index);
            assert!(task.is_unary() && task.is_post_unique());
            for init in starts(turn) {
                let truth = Truth::of(&task, &init);
                for goal in &goals {
                    census.judge(&task, &init, goal, &truth);
                }
            }
        }
        census
    }
}

#[test]
fn every_task_of_two_binary_variables_is_answered_truly() {
    let family = Family::new(&[2, 2], 1);
    assert_eq!(family.len(), 256);
    let census = family.judge(1, |_| combinations(&[2, 2]));
    assert_eq!(census.plans + census.unsolvable, 256 * 4 * 9);
    census.close(4_000, 2_000);
}

#[test]
fn every_task_of_three_binary_variables_with_at_most_one_prevail_is_answered_truly() {
    // From 000 only: swapping the names of the two values makes any other start into this one.
    let family = Family::new(&[2, 2, 2], 1);
    assert_eq!(family.len(), 46_656);
    family.judge(1, |_| vec![vec![0; 3]]).close(400_000, 200_000);
}

#[test]
fn tasks_of_three_binary_variables_with_two_prevails_are_answered_truly() {
    let family = Family::new(&[2, 2, 2], 2);
    assert_eq!(family.len(), 1_000_000);
    let all = combinations(&[2, 2, 2]);
    let census = family.judge(37, |turn| vec![all[turn % all.len()].clone()]);
    assert!(census.once[1] > 100, "{census:?}");
    census.close(200_000, 200_000);
}

#[test]
fn every_task_of_a_ternary_and_a_binary_variable_is_answered_truly() {
    let family = Family::new(&[3, 2], 1);
    assert_eq!(family.len(), 8_575);
    family.judge(1, |_| combinations(&[3, 2])).close(200_000, 200_000);
}

#[test]
fn tasks_of_two_ternary_variables_are_answered_truly() {
    let family = Family::new(&[3, 3], 1);
    assert_eq!(family.len(), 531_441);
    let all = combinations(&[3, 3]);
    family.judge(13, |turn| vec![all[turn % all.len()].clone()]).close(100_000, 100_000);
}
