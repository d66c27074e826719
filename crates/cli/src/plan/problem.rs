//! A problem to plan for, from a domain file or a SAS+ file.

use anyhow::{Context, Result, anyhow, bail};
use repertoire_plan::domain::{self, Class, Domain, Way};
use repertoire_plan::sas_plus::{self, SasProblem};
use repertoire_plan::{Fact, Task};

/// What was read.
pub(super) enum Source {
    Domain(Box<Domain>),
    Sas(Box<SasProblem>),
}

/// Reads a shipped domain by name, or a file of either format.
pub(super) fn read(name: &str) -> Result<Source> {
    let path = std::path::Path::new(name);
    let text = match domain::text(name) {
        Some(text) if !path.exists() => text.to_owned(),
        _ if !path.exists() && !name.contains(['.', '/', '\\']) => {
            let names: Vec<&str> = domain::DOMAINS.iter().map(|(name, _)| *name).collect();
            bail!("there is no domain `{name}`\n  remedy: give a file, or one of {}", names.join(", "));
        }
        _ => std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?,
    };
    if sas_plus::is_sas_plus(&text) {
        let problem = sas_plus::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))?;
        return Ok(Source::Sas(Box::new(problem)));
    }
    Ok(Source::Domain(Box::new(domain::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))?)))
}

/// A task with names, where it starts and what is wanted.
pub(super) struct Problem {
    pub task: Task,
    pub init: Vec<u16>,
    pub goal: Vec<Option<u16>>,
    pub variables: Vec<String>,
    pub values: Vec<Vec<String>>,
    pub actions: Vec<String>,
    /// Concrete ways to do each action, with conditions over these variables.
    pub ways: Vec<Vec<Way>>,
    pub title: String,
    /// Whether actions have costs, which planning does not look at.
    pub has_costs: bool,
}

impl Problem {
    /// The problem that the options ask for.
    pub fn new(source: Source, class: Option<&str>, goal: Option<&str>, from: &[String]) -> Result<Self> {
        match source {
            Source::Sas(problem) => {
                if class.is_some() || goal.is_some() {
                    bail!("a SAS+ file has one goal and no classes\n  remedy: leave --class and --goal out");
                }
                let SasProblem { task, init, goal, variables, values, actions, costs } = *problem;
                let has_costs = costs.iter().any(|&cost| cost != 1);
                let ways = vec![Vec::new(); actions.len()];
                let title = "the goal of the file".into();
                Problem { task, init, goal, variables, values, actions, ways, title, has_costs }.started(from)
            }
            Source::Domain(domain) => Problem::of_domain(&domain, class, goal, from),
        }
    }

    fn of_domain(domain: &Domain, class: Option<&str>, goal: Option<&str>, from: &[String]) -> Result<Self> {
        let class = choose_class(domain, class, goal)?;
        let names: Vec<&str> = class.goals.iter().map(|goal| goal.name.as_str()).collect();
        let chosen = match goal {
            Some(name) => class.goals.iter().find(|goal| goal.name == name),
            None if class.goals.len() == 1 => class.goals.first(),
            None if class.goals.is_empty() => {
                bail!("`{}` wants nothing\n  remedy: add [class.{0}.goals], or [goals] for all", class.name)
            }
            None => bail!(
                "the class `{}` has several goals\n  remedy: --goal with one of {}",
                class.name,
                names.join(", ")
            ),
        };
        let Some(chosen) = chosen else {
            bail!(
                "`{}` is not a goal of `{}`\n  remedy: one of {}",
                goal.unwrap_or_default(),
                class.name,
                names.join(", ")
            );
        };
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
            has_costs: false,
        };
        let mut problem = problem.started(from)?;
        problem.goal = problem.init.iter().map(|&value| domain.keep_unnamed.then_some(value)).collect();
        for &(var, value) in &chosen.facts {
            let at =
                own.iter().position(|&own| own == var).context("a goal over the class's own variables")?;
            problem.goal[at] = Some(value);
        }
        Ok(problem)
    }

    /// The same, starting where `VAR=VALUE` say.
    fn started(mut self, from: &[String]) -> Result<Self> {
        let mut named: Vec<usize> = Vec::new();
        for word in from {
            let Some((var, value)) = word.split_once('=') else {
                bail!("--from {word}: write variable=value, with commas between");
            };
            let Some(at) = self.variables.iter().position(|name| name == var.trim()) else {
                bail!(
                    "--from: `{var}` is not a variable here\n  remedy: one of {}",
                    self.variables.join(", ")
                );
            };
            let Some(value) = self.values[at].iter().position(|name| name == value.trim()) else {
                bail!(
                    "--from: `{value}` is not a value of `{var}`\n  remedy: one of {}",
                    self.values[at].join(", ")
                );
            };
            if named.contains(&at) {
                bail!("--from: `{}` is there twice\n  remedy: keep one of them", self.variables[at]);
            }
            named.push(at);
            self.init[at] = value as u16;
        }
        Ok(self)
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

fn choose_class<'a>(domain: &'a Domain, class: Option<&str>, goal: Option<&str>) -> Result<&'a Class> {
    let names: Vec<&str> = domain.classes.iter().map(|class| class.name.as_str()).collect();
    match class {
        Some(name) => domain.class(name).with_context(|| {
            format!("`{name}` is not a class of `{}`\n  remedy: one of {}", domain.name, names.join(", "))
        }),
        None if domain.classes.len() == 1 => Ok(&domain.classes[0]),
        None => {
            // A goal's name may say whose it is.
            let whose = |class: &&Class| class.goals.iter().any(|known| Some(known.name.as_str()) == goal);
            let mut owners = domain.classes.iter().filter(whose);
            match (owners.next(), owners.next()) {
                (Some(class), None) => Ok(class),
                _ => bail!(
                    "`{}` has several classes\n  remedy: --class with one of {}",
                    domain.name,
                    names.join(", ")
                ),
            }
        }
    }
}
