//! Domains as data: named variables, actions, classes of characters and their goals, in TOML.
//!
//! ```toml
//! name = "stable"
//! unnamed = "keep"                       # what a goal does not name stays as it was ("open": it may change)
//!
//! [class.Breeder.variables]
//! hay    = ["stock", "in_hand", "in_manger"]   # the first value is the usual start
//! bucket = ["ground", "in_hand"]
//!
//! [class.Breeder.actions]
//! take_hay    = "hay: stock -> in_hand if bucket=ground"
//! fill_manger = "hay: in_hand -> in_manger"
//!
//! [class.Breeder.goals]
//! feed = "hay=in_manger"
//! ```
//!
//! The guide is `docs/guides/planning.md`.

mod file;
mod shipped;
mod syntax;

use std::str::FromStr;

use repertoire_authored::Mistake;

use crate::task::{Fact, Task};

pub use file::{CLASS_KEYS, PART_KEYS, read, read_classes, read_part, schema};
pub use shipped::{DOMAINS, domain, text};

/// A domain: a task with names, classes and goals.
///
/// ```
/// use repertoire_plan::{Domain, Outcome, Planner};
/// let stable: Domain = r#"
///     name = "stable"
///     [class.Breeder.variables]
///     hay = ["stock", "in_hand", "in_manger"]
///     [class.Breeder.actions]
///     take_hay = "hay: stock -> in_hand"
///     fill_manger = "hay: in_hand -> in_manger"
///     [class.Breeder.goals]
///     feed = "hay=in_manger"
/// "#.parse()?;
/// let goal = stable.total_goal(&stable.classes[0].goals[0], &stable.start);
/// let Outcome::Plan { actions, .. } = Planner::new(stable.task.clone()).solve(&stable.start, &goal, None)? else {
///     panic!("there is a way");
/// };
/// let names: Vec<&str> = actions.iter().map(|&action| &*stable.actions[action as usize]).collect();
/// assert_eq!(names, ["take_hay", "fill_manger"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// The names of each variable's values.
    pub values: Vec<Vec<String>>,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// For each action, the concrete ways to do it; empty for actions that are done as they are.
    pub ways: Vec<Vec<Way>>,
    /// The task.
    pub task: Task,
    /// Where everything usually starts.
    pub start: Vec<u16>,
    /// The classes of characters; one without a name if the domain has none.
    pub classes: Vec<Class>,
    /// What a goal does not name stays as it was.
    pub keep_unnamed: bool,
}

/// A kind of character: its own variables and actions, and what it may want.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its variables, by index.
    pub variables: Vec<u32>,
    /// Its actions, by index.
    pub actions: Vec<u32>,
    /// Its goals.
    pub goals: Vec<Goal>,
}

/// Something a character may want.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Its name.
    pub name: String,
    /// What must hold.
    pub facts: Vec<Fact>,
}

/// A concrete way to do an action, chosen when it is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name.
    pub name: String,
    /// When it can be taken.
    pub conditions: Vec<Fact>,
}

/// Reads TOML text.
impl FromStr for Domain {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        read(text)
    }
}

impl Domain {
    /// A domain that comes with the library ([`DOMAINS`]), or `None` if none has this name.
    pub fn shipped(name: &str) -> Option<Self> {
        domain(name)
    }

    /// A class by name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name == name)
    }

    /// A variable by name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable == name)
    }

    /// A goal over all variables: what is not named stays as in `init`, or is open.
    ///
    /// # Panics
    /// If `init` has fewer values than the goal speaks of.
    pub fn total_goal(&self, goal: &Goal, init: &[u16]) -> Vec<Option<u16>> {
        let mut total: Vec<Option<u16>> =
            init.iter().map(|&value| self.keep_unnamed.then_some(value)).collect();
        goal.facts.iter().for_each(|&(var, value)| total[var as usize] = Some(value));
        total
    }

    /// The task of one class alone: its variables and actions, renumbered in the class's own order. `None` if an action
    /// needs a variable that is not the class's own.
    ///
    /// # Panics
    /// If the class is another domain's.
    pub fn class_task(&self, class: &Class) -> Option<Task> {
        let local = |var: u32| class.variables.iter().position(|&own| own == var).map(|at| at as u32);
        let facts = |facts: &[Fact]| -> Option<Vec<Fact>> {
            facts.iter().map(|&(var, value)| Some((local(var)?, value))).collect()
        };
        let mut actions = Vec::new();
        for &index in &class.actions {
            let mut action = self.task.actions()[index as usize].clone();
            action.prevail = facts(&action.prevail)?;
            for effect in &mut action.effects {
                effect.var = local(effect.var)?;
                effect.when = facts(&effect.when)?;
            }
            actions.push(action);
        }
        let sizes = class.variables.iter().map(|&var| self.task.sizes()[var as usize]).collect();
        Task::new(sizes, actions).ok()
    }

    /// A fact in words.
    ///
    /// # Panics
    /// If the domain has no such variable or value.
    pub fn fact(&self, (var, value): Fact) -> String {
        format!("{}={}", self.variables[var as usize], self.values[var as usize][value as usize])
    }
}
