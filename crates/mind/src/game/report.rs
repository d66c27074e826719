//! Why a character does what it does: a field for each stage, and words for people.

use std::fmt;

use repertoire_bayes::deliberation::Deliberation;
use repertoire_plan::explain::{Reason, explain};
use repertoire_prob::draw::arg_max;
use repertoire_prob::num::{exp, ln};
use serde::Serialize;

use super::character::State;
use super::design::Design;
use super::senses::Sense;

/// Why a character does what it does. A stage that the design does not have is empty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The task; none before the first tick.
    pub task: Option<String>,
    /// The thing the task is about.
    pub target: Option<u64>,
    /// How many ticks late it perceives.
    pub reaction_ticks: u32,
    /// What is believed of the world: fact by fact, as `variable=value`.
    pub believes: Vec<String>,
    /// What it needs.
    pub wants: Vec<Wanted>,
    /// The goal it pursues.
    pub goal: Option<String>,
    /// What is left of the plan, the next step first.
    pub plan: Vec<String>,
    /// What the next step is good for.
    pub reason: Option<String>,
    /// The names of the tasks: the columns of the table.
    pub tasks: Vec<String>,
    /// Everything that spoke, and what it adds to each task, in nats.
    pub table: Vec<(String, Vec<f64>)>,
    /// How probable each task was.
    pub posterior: Vec<f64>,
    /// Everything together ruled out every task: what it did before decided alone.
    pub contradiction: bool,
    /// For learned tables: the least often a reading of this moment was seen with the task that was chosen, and which.
    pub rests_on: Option<(String, f64)>,
    /// What it has learned while it played, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
}

/// A need at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wanted {
    /// What it is called.
    pub need: String,
    /// How strongly it is felt, from 0 to 1.
    pub felt: f64,
    /// How much it matters to this individual.
    pub matters: f64,
}

/// A decision that rests on fewer observations says so.
const FEW: f64 = 5.0;

impl Report {
    /// The report of a mind in which one alone decides: what it chose, and how probable each task was.
    pub(crate) fn of_one(who: &str, tasks: &[&str], chosen: &str, p: &[f64]) -> Self {
        Report {
            task: Some(chosen.to_owned()),
            target: None,
            reaction_ticks: 0,
            believes: Vec::new(),
            wants: Vec::new(),
            goal: None,
            plan: Vec::new(),
            reason: None,
            tasks: tasks.iter().map(|task| (*task).to_owned()).collect(),
            table: vec![(who.to_owned(), p.iter().map(|&p| ln(p)).collect())],
            posterior: p.to_vec(),
            contradiction: false,
            rests_on: None,
            learned: Vec::new(),
        }
    }

    pub(super) fn new(design: &Design, state: &State, table: &Deliberation) -> Self {
        let behaviour = &design.behaviour;
        let (sensors, readings) = (behaviour.sensors(), &state.moment.perceived.readings);
        let before = state.moment.before.map_or("at the start".to_owned(), |task| {
            format!("after {}", design.task_name(usize::from(task)))
        });
        let mut spoke = vec![before];
        for (sensor, sense) in readings.iter().enumerate() {
            let name = &sensors[sensor].name;
            match *sense {
                Sense::Unknown => {}
                Sense::Value(value) => {
                    spoke.push(format!("{name}={}", sensors[sensor].values[usize::from(value)]))
                }
                Sense::Believed => spoke.push(format!("{name}, not sure")),
            }
        }
        if !state.moment.worth.is_empty() && design.want_weight > 0.0 {
            spoke.push("wants".into());
        }
        let planning = design.planning.as_ref();
        if state.moment.step.is_some() && planning.is_some_and(|planning| planning.weight > 0.0) {
            spoke.push("plan".into());
        }
        let spoken = design.voices.iter().zip(&state.moment.perceived.speaks);
        spoke.extend(
            spoken
                .filter(|(voice, speaks)| **speaks && voice.weight > 0.0)
                .map(|(voice, _)| voice.name.clone()),
        );
        let rows = if state.task.is_some() {
            spoke.into_iter().zip(table.rows().map(<[f64]>::to_vec)).collect()
        } else {
            Vec::new()
        };
        let fact = |planning: &super::design::Planning, var: usize| {
            planning.domain.fact((var as u32, state.facts[var]))
        };
        let mut report = Report {
            task: state.task.map(|task| design.task_name(usize::from(task)).to_owned()),
            target: state.target,
            reaction_ticks: design.reaction_ticks,
            believes: planning.map_or(Vec::new(), |planning| {
                (0..state.facts.len()).map(|var| fact(planning, var)).collect()
            }),
            wants: design
                .needs
                .iter()
                .zip(state.needs.iter().zip(&state.matters))
                .map(|(need, (&felt, &matters))| Wanted { need: need.name.clone(), felt, matters })
                .collect(),
            goal: None,
            plan: Vec::new(),
            reason: None,
            tasks: behaviour.task_names().map(str::to_owned).collect(),
            table: rows,
            posterior: table.posterior().to_vec(),
            contradiction: state.task.is_some() && table.is_contradiction(),
            rests_on: rests_on(design, state),
            learned: Vec::new(),
        };
        report.plan(design, state);
        report
    }

    /// The choice, its probability, and what spoke for and against it most, compared with the best other task: one sentence, for
    /// decisions that only few have a say in.
    pub fn sentence(&self) -> String {
        let Some(task) = &self.task else { return String::new() };
        let chosen = self.tasks.iter().position(|name| name == task).unwrap_or(0);
        let percent = |task: usize| format!("{} ({:.0} %)", self.tasks[task], 100.0 * self.posterior[task]);
        let mut said = percent(chosen);
        let mut others = self.posterior.clone();
        others[chosen] = -1.0;
        let rival = arg_max(&others);
        if others.len() < 2 {
            return said;
        }
        if self.contradiction {
            return said + ": the sensors contradict every task, so only what came before counts";
        }
        let mut reasons: Vec<(f64, &str)> =
            self.table.iter().map(|(name, nats)| (nats[chosen] - nats[rival], name.as_str())).collect();
        reasons.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let telling: Vec<String> = reasons
            .iter()
            .filter(|(ratio, _)| ratio.abs() > 0.05)
            .take(3)
            .map(|(ratio, reason)| {
                let times = exp(ratio.abs());
                let times = if times > 1e6 { "certainly".to_owned() } else { format!("{times:.1} times") };
                format!("{reason} {times} {}", if *ratio > 0.0 { "for it" } else { "against it" })
            })
            .collect();
        if !telling.is_empty() {
            said += &format!(" rather than {}: {}", percent(rival), telling.join(", "));
        }
        said
    }

    fn plan(&mut self, design: &Design, state: &State) {
        let (Some(planning), Some(pursuit)) = (&design.planning, &state.pursuit) else { return };
        let wanted = &planning.goals()[pursuit.goal as usize];
        let left = pursuit.running.left();
        self.goal = Some(wanted.name.clone());
        self.plan = left.iter().map(|&action| planning.domain.actions[action as usize].clone()).collect();
        let mut goal = vec![None; state.facts.len()];
        wanted.facts.iter().for_each(|&(var, value)| goal[var as usize] = Some(value));
        let steps = explain(&planning.domain.task, left, &state.facts, &goal);
        self.reason = steps.ok().and_then(|steps| {
            Some(match *steps.first()?.reasons.first()? {
                Reason::For { step, fact } => {
                    format!("so that {} holds for {}", planning.domain.fact(fact), self.plan[step])
                }
                Reason::Goal(fact) => format!("because {} is wanted", planning.domain.fact(fact)),
            })
        });
    }
}

/// The reading of this moment that was least often seen with the chosen task, if the tables were learned.
fn rests_on(design: &Design, state: &State) -> Option<(String, f64)> {
    let (counts, task) = (design.behaviour.counts()?, usize::from(state.task?));
    let sensors = design.behaviour.sensors();
    let seen = state.moment.perceived.readings.iter().enumerate().filter_map(|(sensor, sense)| {
        let Sense::Value(value) = *sense else { return None };
        let of = &sensors[sensor];
        let count = counts.sensors[sensor][task * of.values.len() + usize::from(value)];
        Some((format!("{}={}", of.name, of.values[usize::from(value)]), count))
    });
    seen.min_by(|a, b| a.1.total_cmp(&b.1))
}

impl Report {
    /// The task, and what speaks most for it rather than for the next best, in a line.
    pub fn in_short(&self) -> String {
        let Some(chosen) =
            self.task.as_ref().and_then(|task| self.tasks.iter().position(|name| name == task))
        else {
            return "it has not decided yet".to_owned();
        };
        let share = format!("{} ({:.0} %)", self.tasks[chosen], 100.0 * self.posterior[chosen]);
        let others = (0..self.tasks.len()).filter(|task| *task != chosen);
        let next =
            others.reduce(|best, task| if self.posterior[task] > self.posterior[best] { task } else { best });
        let Some(next) = next else { return share };
        let speaks = |row: &[f64]| row[chosen].max(f64::MIN) - row[next].max(f64::MIN);
        let rows = self.table.iter().map(|(name, row)| (name, speaks(row)));
        match rows.filter(|(_, nats)| *nats > 0.0).reduce(|most, one| if one.1 > most.1 { one } else { most })
        {
            Some((name, _)) => format!("{share} rather than {}, for {name}", self.tasks[next]),
            None => share,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(task) = &self.task else { return write!(f, "it has not decided yet") };
        let chosen = self.tasks.iter().position(|name| name == task).unwrap_or(0);
        write!(f, "{task} ({:.0} %)", 100.0 * self.posterior.get(chosen).copied().unwrap_or(0.0))?;
        if let Some(target) = self.target {
            write!(f, ", thing {target}")?;
        }
        if let (Some(goal), Some(step)) = (&self.goal, self.plan.first()) {
            write!(f, "\nplan for {goal}: {}", self.plan.join(", "))?;
            if let Some(reason) = &self.reason {
                write!(f, "; {step} {reason}")?;
            }
        }
        for want in &self.wants {
            write!(f, "\nneed {}: felt {:.2}, matters {:.2}", want.need, want.felt, want.matters)?;
        }
        if self.contradiction {
            write!(f, "\neverything together ruled out every task: what it did before decided alone")?;
        }
        if let Some((reading, count)) = self.rests_on.as_ref().filter(|(_, count)| *count < FEW) {
            write!(f, "\nrests on little: {reading} was seen {count:.0} times while it did this")?;
        }
        if !self.learned.is_empty() {
            write!(f, "\nlearned: {}", self.learned.join("; "))?;
        }
        let width = self.table.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(11);
        write!(f, "\n{:width$}", "nats")?;
        for name in &self.tasks {
            write!(f, " {name:>8}")?;
        }
        for (name, row) in &self.table {
            write!(f, "\n{name:width$}")?;
            for (nats, task) in row.iter().zip(&self.tasks) {
                write!(f, " {nats:>+wide$.2}", wide = task.chars().count().max(8))?;
            }
        }
        write!(f, "\n{:width$}", "probability")?;
        for (p, task) in self.posterior.iter().zip(&self.tasks) {
            write!(f, " {p:>wide$.3}", wide = task.chars().count().max(8))?;
        }
        Ok(())
    }
}
