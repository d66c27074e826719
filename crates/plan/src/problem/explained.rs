//! A plan with the reason of each step: in words, as a graph, as plain data.

use serde::Serialize;

use super::Problem;
use crate::explain::{Explained, Reason};

/// A plan for a problem, explained.
#[derive(Clone, Debug)]
pub struct ExplainedPlan<'a> {
    problem: &'a Problem,
    steps: Vec<Explained>,
}

/// A step as other programs read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenStep<'a> {
    /// The action's name.
    pub action: &'a str,
    /// The steps it must come after.
    pub after: Vec<WrittenAfter>,
    /// What it is good for.
    pub reasons: Vec<WrittenReason>,
    /// The ways to do it that are open then.
    pub ways: Vec<&'a str>,
}

/// A step that needs what a later one destroys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenAfter {
    /// What it needs.
    pub needs: String,
    /// Its number, from 0.
    pub step: usize,
}

/// What a step is good for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum WrittenReason {
    /// It makes a condition of a later step.
    For {
        /// What it makes.
        fact: String,
        /// The later step's number, from 0.
        for_step: usize,
    },
    /// It makes part of the goal.
    Goal {
        /// Which part.
        goal: String,
    },
}

impl<'a> ExplainedPlan<'a> {
    pub(super) fn new(problem: &'a Problem, steps: Vec<Explained>) -> Self {
        ExplainedPlan { problem, steps }
    }

    fn actions(&self) -> Vec<u32> {
        self.steps.iter().map(|step| step.action).collect()
    }

    /// A line for each step, and below it what it is good for and what it must come after.
    pub fn in_words(&self) -> String {
        let problem = self.problem;
        let label = |at: usize| format!("{} {}", at + 1, problem.actions[self.steps[at].action as usize]);
        let mut text = String::new();
        let names = problem.step_names(&self.actions());
        for (index, (step, name)) in self.steps.iter().zip(names).enumerate() {
            text += &format!("{:4}. {name}\n", index + 1);
            for reason in &step.reasons {
                text += &match reason {
                    Reason::For { step, fact } => {
                        format!("        so that {} holds for {}\n", problem.fact(*fact), label(*step))
                    }
                    Reason::Goal(fact) => format!("        because {} is wanted\n", problem.fact(*fact)),
                };
            }
            for after in &step.after {
                let needed = problem.fact(after.fact);
                text += &format!("        after {}, which needs {needed}\n", label(after.step));
            }
        }
        text
    }

    /// A graph in the DOT language: steps as boxes, an arrow for what a step makes, a dashed one for what it must not break.
    pub fn dot(&self) -> String {
        let problem = self.problem;
        let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = String::from(
            "digraph plan {\n  rankdir=LR; node [shape=box, fontname=sans]; edge [fontname=sans, fontsize=10];\n",
        );
        for (index, step) in self.steps.iter().enumerate() {
            let label = format!("{}. {}", index + 1, problem.actions[step.action as usize]);
            text += &format!("  s{index} [label={}];\n", quote(&label));
        }
        text += "  goal [shape=ellipse];\n";
        for (index, step) in self.steps.iter().enumerate() {
            for reason in &step.reasons {
                let (to, fact) = match reason {
                    Reason::For { step, fact } => (format!("s{step}"), fact),
                    Reason::Goal(fact) => ("goal".to_owned(), fact),
                };
                text += &format!("  s{index} -> {to} [label={}];\n", quote(&problem.fact(*fact)));
            }
            for after in &step.after {
                let label = quote(&format!("needs {}", problem.fact(after.fact)));
                text += &format!("  s{} -> s{index} [style=dashed, label={label}];\n", after.step);
            }
        }
        text + "}\n"
    }

    /// Every step as plain data.
    pub fn written(&self) -> Vec<WrittenStep<'a>> {
        let problem = self.problem;
        let mut state = problem.init.clone();
        let step = |step: &Explained| {
            let reason = |reason: &Reason| match reason {
                Reason::For { step, fact } => {
                    WrittenReason::For { fact: problem.fact(*fact), for_step: *step }
                }
                Reason::Goal(fact) => WrittenReason::Goal { goal: problem.fact(*fact) },
            };
            let after = step.after.iter();
            let written = WrittenStep {
                action: &problem.actions[step.action as usize],
                after: after
                    .map(|after| WrittenAfter { needs: problem.fact(after.fact), step: after.step })
                    .collect(),
                reasons: step.reasons.iter().map(reason).collect(),
                ways: problem.ways_in(step.action, &state),
            };
            problem.task.apply(step.action as usize, &mut state);
            written
        };
        self.steps.iter().map(step).collect()
    }
}
