//! Why an inhabitant does what they do: need, goal, plan with the reason of each step, what last went wrong.

use std::fmt;

use repertoire_mind::game::{Character, Report, Scratch};
use repertoire_plan::explain::{Reason as StepReason, explain};
use serde::Serialize;

use super::charter::{Class, Pursued, Reason};
use super::clock::At;
use super::person::{NONE, Person, Phase};
use super::places::NOWHERE;
use super::town::Town;

/// Why an inhabitant does what they do, at the tick that comes next.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Why {
    /// Their number.
    pub who: u32,
    /// Their class.
    pub class: String,
    /// The family their profile was drawn from.
    pub family: String,
    /// The tick.
    pub tick: u32,
    /// The same as `day 1 06:30`.
    pub time: String,
    /// What they are doing.
    pub phase: Phase,
    /// The same in words.
    pub doing: String,
    /// When they are done with it.
    pub until: u32,
    /// Their coins.
    pub coins: u16,
    /// What they need.
    pub needs: Vec<Felt>,
    /// What they may want, and what each goal is worth to them now.
    pub goals: Vec<Wanted>,
    /// The goal they pursue.
    pub goal: Option<String>,
    /// What is left of the plan, the next step first, with the reason of each step.
    pub plan: Vec<Step>,
    /// What they believe, as `variable=value`.
    pub believes: Vec<String>,
    /// Of these, what is not so: beliefs about the whole town that are outdated.
    pub outdated: Vec<String>,
    /// What last went wrong.
    pub wrong: Option<Wrong>,
}

/// A need.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Felt {
    /// What it is called.
    pub need: String,
    /// How strongly it is felt, from 0 to 1.
    pub felt: f64,
    /// How much it matters to them.
    pub matters: f64,
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Wanted {
    /// What it is called.
    pub goal: String,
    /// What it is worth now.
    pub worth: f64,
    /// Why it is not pursued although it is worth something: it holds, there is no plan, no place.
    pub not: Option<&'static str>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Step {
    /// What is done.
    pub action: String,
    /// What it is good for.
    pub reason: String,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Wrong {
    /// When.
    pub tick: u32,
    /// The action that could not be done.
    pub action: Option<String>,
    /// Where, as kind and cell.
    pub place: Option<String>,
    /// Why.
    pub reason: Reason,
}

impl Town {
    /// Why an inhabitant does what they do.
    ///
    /// # Panics
    /// If nobody has this number.
    pub fn why(&self, who: u32) -> Why {
        let (person, due) = (&self.people[who as usize], self.due[who as usize]);
        let charter = &self.charter;
        let class = &charter.classes[usize::from(person.class)];
        let goal = class.goals.get(usize::from(person.goal));
        let domain = &charter.domain;
        let truth = self.truth_of(class);
        let facts = class.unpack(person.facts);
        let fact = |own: usize, value: u16| domain.fact((class.variables[own].0, value));
        Why {
            who,
            class: class.name.clone(),
            family: charter.families[usize::from(person.family)].name.clone(),
            tick: self.now,
            time: At(self.now).to_string(),
            phase: Phase::of(person.phase).unwrap_or(Phase::Idle),
            doing: self.doing(class, person, due),
            until: due,
            coins: person.coins,
            needs: charter
                .needs
                .iter()
                .enumerate()
                .map(|(need, of)| Felt {
                    need: of.name.clone(),
                    felt: person.felt(charter, need, self.now),
                    matters: f64::from(person.matters[need]),
                })
                .collect(),
            goals: self.goals(class, person),
            goal: goal.map(|goal| goal.name.clone()),
            plan: self.steps(class, person),
            believes: facts.iter().enumerate().map(|(own, &value)| fact(own, value)).collect(),
            outdated: truth
                .into_iter()
                .filter(|&(own, value)| facts[own] != value)
                .map(|(own, value)| format!("{} (it is {})", fact(own, facts[own]), fact(own, value)))
                .collect(),
            wrong: Reason::ALL.get(usize::from(person.wrong)).map(|&reason| Wrong {
                tick: person.wrong_at,
                action: class.actions.get(usize::from(person.wrong_action)).map(|action| action.name.clone()),
                place: (person.wrong_place != NOWHERE && reason != Reason::Changed)
                    .then(|| self.place_name(person.wrong_place)),
                reason,
            }),
        }
    }

    /// The inhabitant as a character of the library: the same design, needs, beliefs and plan, one tick on. Its report has the
    /// whole decision in nats.
    ///
    /// # Panics
    /// If nobody has this number.
    pub fn character(&self, who: u32) -> (Character, Report) {
        let person = &self.people[who as usize];
        let class = &self.charter.classes[usize::from(person.class)];
        let mut character = Character::new(&class.design, self.seed, u64::from(who));
        let mut senses = class.design.senses();
        for (need, &matters) in person.matters.iter().enumerate().take(self.charter.needs.len()) {
            character.set_matters(need, f64::from(matters));
            character.set_need(need, person.felt(&self.charter, need, self.now));
        }
        for (own, value) in class.unpack(person.facts).into_iter().enumerate() {
            senses.set_fact(own, Some(usize::from(value)));
        }
        if person.goal != NONE {
            let left = self.left(person).iter().map(|&action| u32::from(action)).collect();
            character.pursue(usize::from(person.goal), left);
        }
        character.tick(&senses, &mut Scratch::new());
        let report = character.report();
        (character, report)
    }

    /// What is left of somebody's plan.
    pub(super) fn left(&self, person: &Person) -> &[u8] {
        if person.goal == NONE || !self.minds.plan {
            return &[];
        }
        self.charter
            .plan(person.row)
            .and_then(|plan| plan.get(usize::from(person.step)..))
            .unwrap_or_default()
    }

    /// A place as people point to it.
    pub fn place_name(&self, place: u32) -> String {
        let at = &self.places.places[place as usize];
        format!("{} at {},{}", self.charter.kinds[usize::from(at.kind)].name, at.x, at.y)
    }

    fn doing(&self, class: &Class, person: &Person, due: u32) -> String {
        let action =
            class.actions.get(usize::from(person.action)).map_or("something", |action| action.name.as_str());
        let until = At(due);
        match Phase::of(person.phase) {
            Some(Phase::Walking) => {
                format!("walks to {} for {action}, there at {until}", self.place_name(person.to))
            }
            Some(Phase::Acting) if person.began > self.now => {
                format!(
                    "waits in line at {} for {action}, turn at {}",
                    self.place_name(person.at),
                    At(person.began)
                )
            }
            Some(Phase::Acting) => format!("{action} at {} until {until}", self.place_name(person.at)),
            Some(Phase::Refused) => format!("was turned away at {}", self.place_name(person.at)),
            _ => format!("has nothing to do at {}, looks around at {until}", self.place_name(person.at)),
        }
    }

    fn goals(&self, class: &Class, person: &Person) -> Vec<Wanted> {
        let goals = class.goals.iter().enumerate();
        goals
            .map(|(index, goal)| {
                let worth = match goal.pursued {
                    Pursued::Need(need) => {
                        let need = usize::from(need);
                        f64::from(person.matters[need]) * person.felt(&self.charter, need, self.now)
                    }
                    Pursued::Always(worth) => worth,
                };
                let blocked = person.blocked & 1 << index != 0 && self.now < person.blocked_until;
                let not = match () {
                    () if goal.wanted.hold(person.facts) => Some("holds already"),
                    () if blocked => Some("no place for it at the moment"),
                    () if self.charter.plan(class.row(index, person.facts)).is_none() => {
                        Some("no plan from what they believe")
                    }
                    () => None,
                };
                Wanted { goal: goal.name.clone(), worth, not }
            })
            .collect()
    }

    fn steps(&self, class: &Class, person: &Person) -> Vec<Step> {
        let left = self.left(person);
        let Some(goal) = class.goals.get(usize::from(person.goal)) else { return Vec::new() };
        let Some(planning) = class.design.planning() else { return Vec::new() };
        let mut wanted = vec![None; class.variables.len()];
        for (own, (_, field)) in class.variables.iter().enumerate() {
            if goal.wanted.mask & field.mask() as u32 != 0 {
                wanted[own] = Some(field.get(u64::from(goal.wanted.value)));
            }
        }
        let plan: Vec<u32> = left.iter().map(|&action| u32::from(action)).collect();
        let domain = &planning.domain;
        let name = |action: u32| domain.actions[action as usize].clone();
        let told = explain(&domain.task, &plan, &class.unpack(person.facts), &wanted).unwrap_or_default();
        let reason = |step: usize| match told.get(step).and_then(|step| step.reasons.first()) {
            Some(StepReason::For { step, fact }) => {
                format!("so that {} holds for {}", domain.fact(*fact), name(plan[*step]))
            }
            Some(StepReason::Goal(fact)) => format!("because {} is wanted", domain.fact(*fact)),
            None => "as planned".to_owned(),
        };
        plan.iter()
            .enumerate()
            .map(|(step, &action)| Step { action: name(action), reason: reason(step) })
            .collect()
    }

    /// What is true of a class's news: own variable and value.
    fn truth_of(&self, class: &Class) -> Vec<(usize, u16)> {
        let own = |variable: u32| class.variables.iter().position(|(var, _)| *var == variable);
        let news = self.charter.news.iter().zip(&self.truth);
        news.filter_map(|(news, &value)| Some((own(news.variable)?, value))).collect()
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} ({}), {}: {}", self.class, self.who, self.family, self.time, self.doing)?;
        let needs: Vec<String> = self
            .needs
            .iter()
            .map(|need| format!("{} {:.2} (matters {:.2})", need.need, need.felt, need.matters))
            .collect();
        writeln!(f, "needs: {}", needs.join(", "))?;
        let mut goals: Vec<&Wanted> = self.goals.iter().collect();
        goals.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let goals: Vec<String> = goals
            .iter()
            .map(|goal| match goal.not {
                Some(not) => format!("{} {:.2} ({not})", goal.goal, goal.worth),
                None => format!("{} {:.2}", goal.goal, goal.worth),
            })
            .collect();
        writeln!(f, "goals: {}", goals.join(", "))?;
        match &self.goal {
            None => writeln!(f, "pursues nothing")?,
            Some(goal) => {
                writeln!(f, "pursues {goal}:")?;
                for step in &self.plan {
                    writeln!(f, "  {} {}", step.action, step.reason)?;
                }
            }
        }
        writeln!(f, "believes: {}", self.believes.join(", "))?;
        if !self.outdated.is_empty() {
            writeln!(f, "outdated: {}", self.outdated.join(", "))?;
        }
        if let Some(wrong) = &self.wrong {
            let action = wrong.action.as_deref().unwrap_or("everything");
            let place = wrong.place.as_ref().map_or(String::new(), |place| format!(", {place}"));
            writeln!(
                f,
                "last went wrong: {action} at {}{place}: {}",
                At(wrong.tick),
                in_words(wrong.reason)
            )?;
        }
        Ok(())
    }
}

fn in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Empty => "nothing was left",
        Reason::Closed => "it was closed",
        Reason::Full => "too many were in line",
        Reason::Dear => "it cost too much",
        Reason::Fire => "it burned",
        Reason::Changed => "things were not as believed",
    }
}
