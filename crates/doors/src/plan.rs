//! `ask plan`: a plan for any SAS problem, values as indices; or why there is none.

use std::cell::RefCell;

use repertoire_plan::partial::{Assume, Start};
use repertoire_plan::task::UNKNOWN;
use repertoire_plan::why_not::{Obstacle, WhyNot, why_not};
use repertoire_plan::{Action, Effect, Fact, Outcome, Planner, Solved, Task, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Plans;

impl Keeps for Plans {
    const NAME: &'static str = "plan";
    const ABOUT: &'static str = "a plan, a proof that there is none and why, or the budget used up";
    const EXAMPLE: &'static str = r#"{"dom":[3,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":0,"pre":1,"post":2,"prevail":[]},{"var":1,"pre":0,"post":1,"prevail":[]},{"var":1,"pre":1,"post":0,"prevail":[[0,2]]}],"init":[0,0],"goal":[2,null]}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"dom":[3,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":0,"pre":1,"post":2},{"var":1,"pre":0,"post":1}]},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","init":[0,0],"goal":[2,null]}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Kept;
    /// The last task that came with its question: whoever asks about it again pays for reading it, not for preparing it.
    type Last = Option<(Thing, Kept)>;

    fn answer(request: Request, last: &mut Self::Last, library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        let kept = match last.take() {
            Some((known, kept)) if known.dom == thing.dom && known.actions == thing.actions => kept,
            _ => Self::keep(Thing { dom: thing.dom.clone(), actions: thing.actions.clone() }, library)?,
        };
        let (_, kept) = last.insert((thing, kept));
        Self::ask(&[kept], question)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Kept, DoorError> {
        let costs: Vec<u32> = thing.actions.iter().map(|action| action.cost).collect();
        let actions = thing.actions.into_iter().map(ActionRequest::read).collect::<Result<_, String>>()?;
        let task = Task::new(thing.dom, actions).map_err(|error| error.to_string())?;
        let has_costs = costs.iter().any(|&cost| cost != 1);
        let planner = Planner::new(task).with_costs(costs).map_err(|error| error.to_string())?;
        Ok(Kept { planner: RefCell::new(planner), has_costs })
    }

    fn ask(used: &[&Kept], question: Question) -> Result<String, DoorError> {
        line(&only(used)?.answer(&question)?)
    }
}

/// A task, ready to be planned in.
pub(crate) struct Kept {
    planner: RefCell<Planner>,
    has_costs: bool,
}

question! {
    /// A problem.
    load {
        /// How many values each variable has.
        dom: Vec<u16>,
        actions: Vec<ActionRequest>,
    }
    ask {
        /// The value of each variable at the start; null where it is not known.
        init: Vec<Option<u16>>,
        /// The last value known of variables that are null in `init`: it may be outdated.
        #[serde(default)]
        once: Vec<Option<u16>>,
        /// The value wanted of each variable; null leaves it open.
        goal: Vec<Option<u16>>,
        /// What a plan may rely on where `init` is null.
        #[serde(default)]
        assume: MayAssume,
        /// How many states search may look at.
        #[serde(default)]
        budget: Option<u64>,
        /// Whether to find out why there is no plan, where there is none: a few dozen plans' worth of work.
        #[serde(default = "yes")]
        why: bool,
    }
}

fn yes() -> bool {
    true
}

/// What a plan may rely on.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MayAssume {
    /// On nothing: it works whatever the unknown values are.
    Nothing,
    /// On values of `once`.
    Outdated,
    /// On any value, but as few as possible.
    #[default]
    Anything,
}

/// An action that changes a variable.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActionRequest {
    /// The variable it changes.
    var: u32,
    /// From this value (null for any, "?" while it is not known)
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(required)]
    pre: Option<Pre>,
    /// to this one.
    post: u16,
    /// What else must hold, as pairs of variable and value.
    #[serde(default)]
    prevail: Vec<(u32, u16)>,
    /// What it costs; 1 unless given.
    #[serde(default = "one")]
    cost: u32,
}

fn one() -> u32 {
    1
}

/// A value, or that it is not known.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "`pre` must be a value, null for any value, or \"?\" for one that is not known"
)]
enum Pre {
    Value(u16),
    Word(String),
}

impl ActionRequest {
    fn read(self) -> Result<Action, String> {
        let pre = match self.pre {
            Some(Pre::Value(UNKNOWN)) => return Err("`pre` is 65535, which no variable has".to_owned()),
            Some(Pre::Value(value)) => Some(value),
            Some(Pre::Word(word)) if word == "?" => Some(UNKNOWN),
            Some(Pre::Word(word)) => {
                return Err(format!("`pre` is {word:?}: write a value, null for any, or \"?\""));
            }
            None => None,
        };
        let effect = Effect { var: self.var, pre, post: self.post, when: Vec::new() };
        Ok(Action { effects: vec![effect], prevail: self.prevail })
    }
}

/// The answer.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Response {
    Plan {
        /// Actions by index.
        plan: Vec<u32>,
        /// Which tier of the planner gave it.
        tier: String,
        /// What the plan relies on although it is not known; only where `init` has nulls.
        #[serde(skip_serializing_if = "Option::is_none")]
        assumed: Option<Vec<AssumedResponse>>,
        /// What the plan costs; only where actions have costs.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<u64>,
        /// Whether no plan costs less; only where actions have costs.
        #[serde(skip_serializing_if = "Option::is_none")]
        cheapest: Option<bool>,
    },
    Unsolvable {
        /// Proved.
        unsolvable: bool,
        /// What prevents a plan; only where all of `init` is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<WhyResponse>,
    },
    GaveUp {
        gave_up: bool,
        /// How many states were looked at.
        expanded: u64,
    },
}

/// A value that a plan relies on.
#[derive(Serialize, JsonSchema)]
pub(super) struct AssumedResponse {
    var: u32,
    value: u16,
    /// Whether it is the last value known.
    outdated: bool,
}

/// Why there is no plan.
#[derive(Serialize, JsonSchema)]
pub(super) struct WhyResponse {
    /// Goal values that cannot all be reached: without any one of them there would be a plan.
    goals: Vec<Fact>,
    /// What prevents it, from the goal down to the root.
    obstacles: Vec<ObstacleResponse>,
}

/// Something that prevents a plan; values are pairs of variable and value.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ObstacleResponse {
    /// No action makes the value.
    NoAction { fact: Fact },
    /// The action would make the value, but needs what cannot be reached.
    Needs { fact: Fact, action: u32, needs: Vec<Fact> },
    /// The value is needed to reach itself.
    Circle { fact: Fact },
    /// The value must hold at the end as at the start, but the action would have to leave it for good, because another action
    /// needs another value.
    Leaves {
        fact: Fact,
        action: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        for_action: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        needs: Option<Fact>,
    },
    /// The values can be reached, but not together.
    Together { facts: Vec<Fact> },
}

impl From<WhyNot> for WhyResponse {
    fn from(why: WhyNot) -> Self {
        let obstacle = |obstacle| match obstacle {
            Obstacle::NoAction { fact } => ObstacleResponse::NoAction { fact },
            Obstacle::Needs { fact, action, needs } => ObstacleResponse::Needs { fact, action, needs },
            Obstacle::Circle { fact } => ObstacleResponse::Circle { fact },
            Obstacle::Leaves { fact, action, for_action } => ObstacleResponse::Leaves {
                fact,
                action,
                for_action: for_action.map(|(action, _)| action),
                needs: for_action.map(|(_, needs)| needs),
            },
            Obstacle::Together { facts } => ObstacleResponse::Together { facts },
        };
        WhyResponse { goals: why.goals, obstacles: why.obstacles.into_iter().map(obstacle).collect() }
    }
}

impl Kept {
    fn answer(&self, asked: &Question) -> Result<Response, String> {
        let planner = &mut *self.planner.borrow_mut();
        let known: Option<Vec<u16>> = asked.init.iter().copied().collect();
        match known {
            Some(init) => self.when_known(planner, &init, asked),
            None => self.when_partial(planner, asked),
        }
        .map_err(|error| error.to_string())
    }

    fn when_known(
        &self,
        planner: &mut Planner,
        init: &[u16],
        asked: &Question,
    ) -> Result<Response, repertoire_plan::TaskError> {
        let mut plan = Vec::new();
        Ok(match planner.solve_into(init, &asked.goal, asked.budget, &mut plan)? {
            Solved::Plan(tier) => self.told(planner, plan, tier, None),
            Solved::Unsolvable => {
                let why = match asked.why {
                    true => why_not(planner, init, &asked.goal, &[], asked.budget)?,
                    false => None,
                };
                Response::Unsolvable { unsolvable: true, why: why.map(WhyResponse::from) }
            }
            Solved::GaveUp { expanded, .. } => Response::GaveUp { gave_up: true, expanded },
        })
    }

    fn when_partial(
        &self,
        planner: &mut Planner,
        asked: &Question,
    ) -> Result<Response, repertoire_plan::TaskError> {
        let start = Start { known: &asked.init, once: &asked.once, kept: &[] };
        let assume = match asked.assume {
            MayAssume::Nothing => Assume::Nothing,
            MayAssume::Outdated => Assume::Once,
            MayAssume::Anything => Assume::Anything,
        };
        let answer = planner.solve_partial(&start, &asked.goal, assume, asked.budget)?;
        Ok(match answer.outcome {
            Outcome::Plan { actions, tier } => {
                let assumed = answer.assumed.iter();
                let assumed = assumed.map(|assumed| AssumedResponse {
                    var: assumed.fact.0,
                    value: assumed.fact.1,
                    outdated: assumed.once,
                });
                self.told(planner, actions, tier, Some(assumed.collect()))
            }
            Outcome::Unsolvable => Response::Unsolvable { unsolvable: true, why: None },
            Outcome::GaveUp { expanded, .. } => Response::GaveUp { gave_up: true, expanded },
        })
    }

    fn told(
        &self,
        planner: &Planner,
        plan: Vec<u32>,
        tier: Tier,
        assumed: Option<Vec<AssumedResponse>>,
    ) -> Response {
        Response::Plan {
            cost: self.has_costs.then(|| planner.cost(&plan)),
            cheapest: self.has_costs.then(|| planner.is_cheapest(&plan, tier)),
            tier: tier.name().into(),
            assumed,
            plan,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::DOORS;

    fn ask(line: &str) -> String {
        let door = DOORS.iter().find(|door| door.name == "plan").unwrap();
        door.answer(line).unwrap_or_else(|error| format!("error: {error}"))
    }

    const DOOR: &str = r#""dom":[2,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]}]"#;

    #[test]
    fn says_why_there_is_no_plan() {
        assert_eq!(
            ask(&format!(r#"{{{DOOR},"init":[0,0],"goal":[1,null]}}"#)),
            r#"{"unsolvable":true,"why":{"goals":[[0,1]],"obstacles":[{"kind":"needs","fact":[0,1],"action":0,"needs":[[1,1]]},{"kind":"no_action","fact":[1,1]}]}}"#
        );
        let short = ask(&format!(r#"{{{DOOR},"init":[0,0],"goal":[1,null],"why":false}}"#));
        assert_eq!(short, r#"{"unsolvable":true}"#);
    }

    #[test]
    fn plans_from_a_start_that_is_known_in_part() {
        assert_eq!(
            ask(&format!(r#"{{{DOOR},"init":[0,null],"goal":[1,null]}}"#)),
            r#"{"plan":[0],"tier":"simulation","assumed":[{"var":1,"value":1,"outdated":false}]}"#
        );
        assert_eq!(
            ask(&format!(
                r#"{{{DOOR},"init":[0,null],"once":[null,1],"goal":[1,null],"assume":"outdated"}}"#
            )),
            r#"{"plan":[0],"tier":"simulation","assumed":[{"var":1,"value":1,"outdated":true}]}"#
        );
        let sure = ask(&format!(r#"{{{DOOR},"init":[0,null],"goal":[1,null],"assume":"nothing"}}"#));
        assert_eq!(sure, r#"{"unsolvable":true}"#);
        let look = r#"{"dom":[2,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":1,"pre":"?","post":1},{"var":1,"pre":null,"post":0}],"init":[0,null],"goal":[1,0]}"#;
        assert_eq!(ask(look), r#"{"plan":[1,0,2],"tier":"search","assumed":[]}"#);
        assert!(ask(&format!(r#"{{{DOOR},"init":[0,9],"goal":[1,null]}}"#)).starts_with("error: "));
        assert!(ask(&look.replace("\"?\"", "\"!\"")).contains("write a value, null for any"));
        assert!(ask(&look.replace("\"pre\":\"?\",", "")).contains("missing field `pre`"));
    }

    #[test]
    fn adds_up_costs() {
        let line = r#"{"dom":[3],"actions":[{"var":0,"pre":0,"post":2,"cost":5},{"var":0,"pre":0,"post":1,"cost":2},{"var":0,"pre":1,"post":2,"cost":2}],"init":[0],"goal":[2]}"#;
        assert_eq!(ask(line), r#"{"plan":[1,2],"tier":"search","cost":4,"cheapest":true}"#);
    }
}
