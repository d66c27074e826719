//! A problem as people ask for it: a class and a goal of a domain, or a SAS+ problem, from a start that may differ from the
//! usual one; with the names that plans are told in.
//!
//! ```
//! use repertoire_plan::problem::{Problem, Source, Wanted};
//! use repertoire_plan::{Outcome, Planner, domain};
//!
//! let western = Source::read(domain::text("western").expect("shipped"))?;
//! let wanted = Wanted { class: Some("Sheriff"), goal: Some("ArrestOutlaw"), from: &["gun=drawn"] };
//! let problem = Problem::new(western, &wanted)?;
//! let mut planner = Planner::new(problem.task.clone());
//! let Outcome::Plan { actions, .. } = planner.solve(&problem.init, &problem.goal, None)? else { panic!() };
//! let explained = problem.explain(&actions)?;
//! assert!(explained.in_words().contains("because"), "every step says what it is good for");
//! assert!(explained.dot().starts_with("digraph plan"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
mod explained;
mod obstacles;

use std::borrow::Cow;
use std::collections::BTreeMap;

use repertoire_authored::Mistake;

pub use self::explained::{ExplainedPlan, WrittenAfter, WrittenReason, WrittenStep};
pub use self::obstacles::{WrittenGoal, WrittenObstacle, WrittenWhyNot};
use crate::domain::{self, Class, Domain, Goal, Way};
use crate::explain::explain;
use crate::partial::{Assume, Assumed, Start, with_unknown};
use crate::sas_plus::{self, SasProblem};
use crate::{Fact, Outcome, Planner, Task, TaskError};

/// A file to plan with: people's TOML, or SAS+ as Fast Downward's translator writes it.
#[derive(Clone, Debug)]
pub enum Source {
    /// A domain of classes and goals.
    Domain(Box<Domain>),
    /// A single problem.
    Sas(Box<SasProblem>),
}

impl Source {
    /// Reads either, told apart by how the text begins.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        if sas_plus::is_sas_plus(text) {
            return Ok(Source::Sas(Box::new(sas_plus::read(text)?)));
        }
        Ok(Source::Domain(Box::new(domain::read(text)?)))
    }
}

/// What is to be planned, by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// Whose plan; needed where a domain has several classes, unless the goal's name says whose it is.
    pub class: Option<&'a str>,
    /// What is wanted; needed where a class has several goals.
    pub goal: Option<&'a str>,
    /// Starting values other than the usual ones, as `variable=value`; `variable=?` for one that is not known, and
    /// `variable=value?` for one that was last known to be this.
    pub from: &'a [&'a str],
}

/// Why nothing can be planned. The message has a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// A class or goal was named for a single problem.
    #[error("a SAS+ file has one goal and no classes\n  remedy: leave --class and --goal out")]
    SasHasOneGoal,
    /// The class wants nothing.
    #[error("`{0}` wants nothing\n  remedy: add [class.{0}.goals], or [goals] for all")]
    NoGoal(String),
    /// No goal was named, and there are several.
    #[error("the class `{class}` has several goals\n  remedy: --goal with one of {}", .goals.join(", "))]
    WhichGoal {
        /// The class.
        class: String,
        /// Its goals.
        goals: Vec<String>,
    },
    /// There is no such goal.
    #[error("`{goal}` is not a goal of `{class}`\n  remedy: one of {}", .goals.join(", "))]
    UnknownGoal {
        /// What was named.
        goal: String,
        /// The class.
        class: String,
        /// Its goals.
        goals: Vec<String>,
    },
    /// No class was named, and there are several.
    #[error("`{domain}` has several classes\n  remedy: --class with one of {}", .classes.join(", "))]
    WhichClass {
        /// The domain.
        domain: String,
        /// Its classes.
        classes: Vec<String>,
    },
    /// There is no such class.
    #[error("`{class}` is not a class of `{domain}`\n  remedy: one of {}", .classes.join(", "))]
    UnknownClass {
        /// What was named.
        class: String,
        /// The domain.
        domain: String,
        /// Its classes.
        classes: Vec<String>,
    },
    /// A starting value without `=`.
    #[error("--from {0}: write variable=value, with commas between")]
    NoValue(String),
    /// A starting value of no variable.
    #[error("--from: `{variable}` is not a variable here\n  remedy: one of {}", .variables.join(", "))]
    UnknownVariable {
        /// What was named.
        variable: String,
        /// The variables.
        variables: Vec<String>,
    },
    /// A starting value that the variable does not have.
    #[error("--from: `{value}` is not a value of `{variable}`\n  remedy: one of {}, or ? if it is not known", .values.join(", "))]
    UnknownValue {
        /// What was named.
        value: String,
        /// The variable.
        variable: String,
        /// Its values.
        values: Vec<String>,
    },
    /// Two starting values of one variable.
    #[error("--from: `{0}` is there twice\n  remedy: keep one of them")]
    Twice(String),
}

/// A task with names, where it starts and what is wanted.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The task.
    pub task: Task,
    /// Where it starts.
    pub init: Vec<u16>,
    /// What is wanted.
    pub goal: Vec<Option<u16>>,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// The names of each variable's values.
    pub values: Vec<Vec<String>>,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// Concrete ways to do each action, with conditions over these variables.
    pub ways: Vec<Vec<Way>>,
    /// Who wants what, in words.
    pub title: String,
    /// What each action costs; empty if each counts as one step.
    pub costs: Vec<u32>,
    /// Variables whose goal nobody wrote: they only stay as they were (`unnamed = "keep"`).
    pub kept: Vec<bool>,
    /// What is not known of the start; empty if all is. Where it is `Some`, the last value known, or `None` in it.
    pub unknown: BTreeMap<usize, Option<u16>>,
    /// Actions of other classes that make a value, for values of variables that classes share.
    elsewhere: BTreeMap<Fact, Vec<String>>,
}

/// The answer to a problem.
#[derive(Clone, Debug)]
pub struct Solution<'a> {
    /// The plan, or that there is none.
    pub outcome: Outcome,
    /// What the plan relies on although it is not known.
    pub assumed: Vec<Assumed>,
    /// The problem in whose names the plan is told: where something is not known, one with a value that says so.
    pub told_in: Cow<'a, Problem>,
}

impl Problem {
    /// The problem that is asked for.
    pub fn new(source: Source, wanted: &Wanted<'_>) -> Result<Self, ProblemError> {
        match source {
            Source::Sas(problem) => {
                if wanted.class.is_some() || wanted.goal.is_some() {
                    return Err(ProblemError::SasHasOneGoal);
                }
                let SasProblem { task, init, goal, variables, values, actions, costs } = *problem;
                let costs = if costs.iter().any(|&cost| cost != 1) { costs } else { Vec::new() };
                let ways = vec![Vec::new(); actions.len()];
                let title = "the goal of the file".into();
                let kept = vec![false; goal.len()];
                let (unknown, elsewhere) = (BTreeMap::new(), BTreeMap::new());
                Problem {
                    task,
                    init,
                    goal,
                    variables,
                    values,
                    actions,
                    ways,
                    title,
                    costs,
                    kept,
                    unknown,
                    elsewhere,
                }
                .started(wanted.from)
            }
            Source::Domain(domain) => Problem::of_domain(&domain, wanted),
        }
    }

    fn of_domain(domain: &Domain, wanted: &Wanted<'_>) -> Result<Self, ProblemError> {
        let class = choose_class(domain, wanted)?;
        let chosen = choose_goal(class, wanted.goal)?;
        // A class that needs nobody else is planned for alone; otherwise with the whole domain.
        let (task, own, actions) = match domain.class_task(class) {
            Some(task) => (task, class.variables.clone(), class.actions.clone()),
            None => {
                let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
                (domain.task.clone(), all(domain.variables.len()), all(domain.actions.len()))
            }
        };
        let problem = Problem {
            task,
            init: own.iter().map(|&var| domain.start[var as usize]).collect(),
            goal: Vec::new(),
            variables: own.iter().map(|&var| domain.variables[var as usize].clone()).collect(),
            values: own.iter().map(|&var| domain.values[var as usize].clone()).collect(),
            actions: actions.iter().map(|&action| domain.actions[action as usize].clone()).collect(),
            ways: actions.iter().map(|&action| ways(domain, action, &own)).collect(),
            title: format!("{} {}", class.name, chosen.name).trim().to_owned(),
            costs: Vec::new(),
            kept: own
                .iter()
                .map(|&var| domain.keep_unnamed && chosen.facts.iter().all(|&(named, _)| named != var))
                .collect(),
            unknown: BTreeMap::new(),
            elsewhere: elsewhere(domain, &own, &actions),
        };
        let mut problem = problem.started(wanted.from)?;
        problem.goal = goal_over(domain, &own, chosen, &problem.init);
        // What is not known cannot be wanted as it was by its value.
        let open: Vec<usize> = problem.unknown.keys().copied().filter(|&var| problem.kept[var]).collect();
        open.into_iter().for_each(|var| problem.goal[var] = None);
        Ok(problem)
    }

    /// A planner for this problem.
    pub fn planner(&self) -> Planner {
        let planner = Planner::new(self.task.clone());
        match self.costs.is_empty() {
            true => planner,
            false => planner
                .with_costs(self.costs.clone())
                .unwrap_or_else(|error| unreachable!("a cost for each action: {error}")),
        }
    }

    /// Plans with this problem's planner ([`Problem::planner`]). Where something is not known, a plan may rely on what `assume`
    /// says.
    pub fn solve(
        &self,
        planner: &mut Planner,
        assume: Assume,
        budget: Option<u64>,
    ) -> Result<Solution<'_>, TaskError> {
        if self.unknown.is_empty() {
            let outcome = planner.solve(&self.init, &self.goal, budget)?;
            return Ok(Solution { outcome, assumed: Vec::new(), told_in: Cow::Borrowed(self) });
        }
        let known: Vec<Option<u16>> = self
            .init
            .iter()
            .enumerate()
            .map(|(var, &value)| (!self.unknown.contains_key(&var)).then_some(value))
            .collect();
        let once: Vec<Option<u16>> =
            (0..known.len()).map(|var| self.unknown.get(&var).copied().flatten()).collect();
        let start = Start { known: &known, once: &once, kept: &self.kept };
        let answer = planner.solve_partial(&start, &self.goal, assume, budget)?;
        let told_in = Cow::Owned(self.with_unknown(&answer.start)?);
        Ok(Solution { outcome: answer.outcome, assumed: answer.assumed, told_in })
    }

    /// The same with a value that stands for what is not known, starting as a plan assumes.
    fn with_unknown(&self, start: &[Option<u16>]) -> Result<Problem, TaskError> {
        let mut problem = self.clone();
        problem.task = with_unknown(&self.task)?;
        problem.values.iter_mut().for_each(|values| values.push("?".into()));
        for (var, value) in start.iter().enumerate() {
            problem.init[var] = value.unwrap_or(self.task.sizes()[var]);
            if self.kept[var] && self.unknown.contains_key(&var) {
                problem.goal[var] = Some(problem.init[var]);
            }
        }
        Ok(problem)
    }

    /// The same, starting where `variable=value` say.
    fn started(mut self, from: &[&str]) -> Result<Self, ProblemError> {
        let mut named: Vec<usize> = Vec::new();
        for word in from {
            let (var, value) =
                word.split_once('=').ok_or_else(|| ProblemError::NoValue((*word).to_owned()))?;
            let Some(at) = self.variables.iter().position(|name| name == var.trim()) else {
                let variables = self.variables;
                return Err(ProblemError::UnknownVariable { variable: var.to_owned(), variables });
            };
            let position = |name: &str| self.values[at].iter().position(|known| known == name);
            let doubted = value.trim().strip_suffix('?');
            let (found, is_unknown) = match (position(value.trim()), doubted) {
                (Some(value), _) => (Some(Some(value as u16)), false),
                (None, Some("")) => (Some(None), true),
                (None, Some(once)) => (position(once).map(|value| Some(value as u16)), true),
                (None, None) => (None, false),
            };
            let Some(found) = found else {
                let values = self.values.swap_remove(at);
                let (value, variable) = (value.to_owned(), var.to_owned());
                return Err(ProblemError::UnknownValue { value, variable, values });
            };
            if named.contains(&at) {
                return Err(ProblemError::Twice(self.variables.swap_remove(at)));
            }
            named.push(at);
            if is_unknown {
                self.unknown.insert(at, found);
            }
            self.init[at] = found.unwrap_or(self.init[at]);
        }
        Ok(self)
    }

    /// Explains every step of a plan for this problem. Fails if it is none.
    pub fn explain(&self, plan: &[u32]) -> Result<ExplainedPlan<'_>, TaskError> {
        let steps = explain(&self.task, plan, &self.init, &self.goal)?;
        Ok(ExplainedPlan::new(self, steps))
    }

    /// The name of each step of a plan, with the ways to do it that are open then.
    pub fn step_names(&self, plan: &[u32]) -> Vec<String> {
        let mut state = self.init.clone();
        let name = |&action: &u32| {
            let told = self.told(action, &state);
            self.task.apply(action as usize, &mut state);
            told
        };
        plan.iter().map(name).collect()
    }

    /// An action's name, with the ways to do it that are open in a state.
    fn told(&self, action: u32, state: &[u16]) -> String {
        let name = &self.actions[action as usize];
        if self.ways[action as usize].is_empty() {
            return name.clone();
        }
        match &self.ways_in(action, state)[..] {
            [] => format!("{name} (no way open)"),
            ways => format!("{name} ({})", ways.join(" or ")),
        }
    }

    /// The names of the ways to do an action that are open in a state.
    pub fn ways_in(&self, action: u32, state: &[u16]) -> Vec<&str> {
        let holds = |&(var, value): &Fact| state[var as usize] == value;
        let open = self.ways[action as usize].iter().filter(|way| way.conditions.iter().all(holds));
        open.map(|way| way.name.as_str()).collect()
    }

    /// A fact in words.
    pub fn fact(&self, (var, value): Fact) -> String {
        let value = &self.values[var as usize][value as usize];
        // Fast Downward names a value after its atom, which says all.
        if value.contains(' ') || value.contains('(') {
            value.clone()
        } else {
            format!("{}={value}", self.variables[var as usize])
        }
    }
}

/// What a goal asks of these variables of a domain: its own facts, and of the others what they are in `state` if the domain
/// keeps what no goal names.
pub(crate) fn goal_over(domain: &Domain, own: &[u32], goal: &Goal, state: &[u16]) -> Vec<Option<u16>> {
    let mut wanted: Vec<Option<u16>> =
        state.iter().map(|&value| domain.keep_unnamed.then_some(value)).collect();
    for &(var, value) in &goal.facts {
        if let Some(at) = own.iter().position(|&own| own == var) {
            wanted[at] = Some(value);
        }
    }
    wanted
}

/// What actions of other classes make of these variables.
fn elsewhere(domain: &Domain, own: &[u32], actions: &[u32]) -> BTreeMap<Fact, Vec<String>> {
    let mut found: BTreeMap<Fact, Vec<String>> = BTreeMap::new();
    for class in &domain.classes {
        for &action in class.actions.iter().filter(|action| !actions.contains(action)) {
            for effect in &domain.task.actions()[action as usize].effects {
                if let Some(at) = own.iter().position(|&own| own == effect.var) {
                    let name = &domain.actions[action as usize];
                    let told = format!("{name} of {}", class.name);
                    found.entry((at as u32, effect.post)).or_default().push(told);
                }
            }
        }
    }
    found
}

/// The ways to do an action, over the variables planned with. What is not among them stays where it starts.
fn ways(domain: &Domain, action: u32, own: &[u32]) -> Vec<Way> {
    let position = |var: u32| own.iter().position(|&own| own == var);
    let stays = |&(var, value): &Fact| position(var).is_some() || domain.start[var as usize] == value;
    let open = domain.ways[action as usize].iter().filter(|way| way.conditions.iter().all(stays));
    let local = |way: &Way| Way {
        name: way.name.clone(),
        conditions: way
            .conditions
            .iter()
            .filter_map(|&(var, value)| Some((position(var)? as u32, value)))
            .collect(),
    };
    open.map(local).collect()
}

fn choose_goal<'a>(class: &'a Class, goal: Option<&str>) -> Result<&'a Goal, ProblemError> {
    let names = || class.goals.iter().map(|goal| goal.name.clone()).collect();
    let name = || class.name.clone();
    match (goal, &class.goals[..]) {
        (Some(wanted), goals) => goals.iter().find(|goal| goal.name == wanted).ok_or_else(|| {
            ProblemError::UnknownGoal { goal: wanted.to_owned(), class: name(), goals: names() }
        }),
        (None, [only]) => Ok(only),
        (None, []) => Err(ProblemError::NoGoal(name())),
        (None, _) => Err(ProblemError::WhichGoal { class: name(), goals: names() }),
    }
}

fn choose_class<'a>(domain: &'a Domain, wanted: &Wanted<'_>) -> Result<&'a Class, ProblemError> {
    let name = || domain.name.clone();
    let classes = || domain.classes.iter().map(|class| class.name.clone()).collect();
    match (wanted.class, &domain.classes[..]) {
        (Some(class), _) => domain.class(class).ok_or_else(|| ProblemError::UnknownClass {
            class: class.to_owned(),
            domain: name(),
            classes: classes(),
        }),
        (None, [only]) => Ok(only),
        (None, all) => {
            // A goal's name may say whose it is.
            let whose =
                |class: &&Class| class.goals.iter().any(|goal| Some(goal.name.as_str()) == wanted.goal);
            let mut owners = all.iter().filter(whose);
            match (owners.next(), owners.next()) {
                (Some(class), None) => Ok(class),
                _ => Err(ProblemError::WhichClass { domain: name(), classes: classes() }),
            }
        }
    }
}
