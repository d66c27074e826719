//! Why a problem has no plan: in words, as plain data.

use serde::Serialize;

use super::Problem;
use crate::Planner;
use crate::task::{Fact, TaskError};
use crate::why_not::{Obstacle, WhyNot, why_not};

/// Why there is no plan, as other programs read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenWhyNot {
    /// Goal values that cannot all be reached.
    pub goals: Vec<WrittenGoal>,
    /// What prevents it, from the goal down to the root.
    pub obstacles: Vec<WrittenObstacle>,
    /// The same in sentences.
    pub text: Vec<String>,
}

/// A goal value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenGoal {
    /// The value.
    pub fact: String,
    /// Whether nobody wrote it: it only stays as it was.
    pub kept: bool,
}

/// Something that prevents a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WrittenObstacle {
    /// No action makes the value.
    NoAction {
        /// The value.
        fact: String,
        /// Actions of other classes that would.
        elsewhere: Vec<String>,
    },
    /// An action would make the value, but needs what cannot be reached.
    Needs {
        /// The value.
        fact: String,
        /// The action.
        action: String,
        /// What it needs.
        needs: Vec<String>,
    },
    /// The value is needed to reach itself.
    Circle {
        /// The value.
        fact: String,
    },
    /// The value must stay, but would have to be left for good.
    Leaves {
        /// The value.
        fact: String,
        /// The action that leaves it.
        action: String,
        /// The action that needs another value of the variable.
        #[serde(skip_serializing_if = "Option::is_none")]
        for_action: Option<String>,
        /// That value.
        #[serde(skip_serializing_if = "Option::is_none")]
        needs: Option<String>,
    },
    /// The values can be reached, but not together.
    Together {
        /// The values.
        facts: Vec<String>,
    },
}

impl Problem {
    /// Why there is no plan, with this problem's planner; `None` if there is one, if that is not proved, or if part of the
    /// start is not known (then it is a matter of what may be assumed). The budget is for each of the questions that are asked.
    pub fn why_not(
        &self,
        planner: &mut Planner,
        budget: Option<u64>,
    ) -> Result<Option<WrittenWhyNot>, TaskError> {
        if !self.unknown.is_empty() {
            return Ok(None);
        }
        let found = why_not(planner, &self.init, &self.goal, &self.kept, budget)?;
        Ok(found.map(|why| self.written_why(&why)))
    }

    fn written_why(&self, why: &WhyNot) -> WrittenWhyNot {
        let name = |action: u32| self.actions[action as usize].clone();
        let facts = |facts: &[Fact]| facts.iter().map(|&fact| self.fact(fact)).collect();
        let obstacle = |obstacle: &Obstacle| match obstacle {
            &Obstacle::NoAction { fact } => WrittenObstacle::NoAction {
                fact: self.fact(fact),
                elsewhere: self.elsewhere.get(&fact).cloned().unwrap_or_default(),
            },
            Obstacle::Needs { fact, action, needs } => {
                WrittenObstacle::Needs { fact: self.fact(*fact), action: name(*action), needs: facts(needs) }
            }
            &Obstacle::Circle { fact } => WrittenObstacle::Circle { fact: self.fact(fact) },
            &Obstacle::Leaves { fact, action, for_action } => WrittenObstacle::Leaves {
                fact: self.fact(fact),
                action: name(action),
                for_action: for_action.map(|(action, _)| name(action)),
                needs: for_action.map(|(_, needs)| self.fact(needs)),
            },
            Obstacle::Together { facts: together } => WrittenObstacle::Together { facts: facts(together) },
        };
        let goal = |&fact: &Fact| WrittenGoal { fact: self.fact(fact), kept: self.is_unwritten(fact) };
        WrittenWhyNot {
            goals: why.goals.iter().map(goal).collect(),
            obstacles: why.obstacles.iter().map(obstacle).collect(),
            text: self.sentences(why),
        }
    }

    fn is_unwritten(&self, (var, _): Fact) -> bool {
        self.kept[var as usize]
    }

    /// A goal value, with what makes it one.
    fn wanted(&self, fact: Fact) -> String {
        match self.is_unwritten(fact) {
            true => format!("{} (stays as it was: unnamed = \"keep\")", self.fact(fact)),
            false => self.fact(fact),
        }
    }

    fn sentences(&self, why: &WhyNot) -> Vec<String> {
        let list =
            |facts: &[Fact]| facts.iter().map(|&fact| self.fact(fact)).collect::<Vec<String>>().join(" and ");
        let mut lines = match &why.goals[..] {
            [goal] => vec![format!("{} cannot be reached", self.wanted(*goal))],
            goals => {
                let goals: Vec<String> = goals.iter().map(|&goal| self.wanted(goal)).collect();
                vec![format!("{} cannot all be reached", goals.join(" and "))]
            }
        };
        for obstacle in &why.obstacles {
            let line = match obstacle {
                &Obstacle::NoAction { fact } => match self.elsewhere.get(&fact) {
                    None => format!("no action makes {}", self.fact(fact)),
                    Some(others) => format!(
                        "no action of this class makes {}; {} would",
                        self.fact(fact),
                        others.join(" and ")
                    ),
                },
                Obstacle::Needs { fact, action, needs } => {
                    let action = &self.actions[*action as usize];
                    let cannot = match needs.len() {
                        1 => "which cannot be reached",
                        _ => "which cannot be reached together",
                    };
                    format!("{action} makes {}, but needs {}, {cannot}", self.fact(*fact), list(needs))
                }
                &Obstacle::Circle { fact } => format!("and so {} is needed to reach itself", self.fact(fact)),
                Obstacle::Leaves { fact, action, for_action } => {
                    let leaves = &self.actions[*action as usize];
                    let purpose = match for_action {
                        Some((action, needs)) if self.actions[*action as usize] != *leaves => {
                            format!(" because {} needs {}", self.actions[*action as usize], self.fact(*needs))
                        }
                        _ => String::new(),
                    };
                    format!(
                        "for the rest, {leaves} would have to leave {}{purpose}, and there is no way back to it",
                        self.fact(*fact)
                    )
                }
                // The first line says it of the goal.
                Obstacle::Together { facts } if *facts == why.goals => continue,
                Obstacle::Together { facts } => format!("{} exclude each other", list(facts)),
            };
            lines.push(line);
        }
        lines
    }
}
