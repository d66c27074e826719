//! `ask plan`: a plan for any SAS problem, values as indices.

use repertoire_plan::{Action, Outcome, Task, solve};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answer, Part};

pub(super) struct Plans;

impl Part for Plans {
    const NAME: &'static str = "plan";
    const ABOUT: &'static str = "a plan, a proof that there is none, or the budget used up";
    const EXAMPLE: &'static str = r#"{"dom":[3,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":0,"pre":1,"post":2,"prevail":[]},{"var":1,"pre":0,"post":1,"prevail":[]},{"var":1,"pre":1,"post":0,"prevail":[[0,2]]}],"init":[0,0],"goal":[2,null]}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// A problem.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// How many values each variable has.
    dom: Vec<u16>,
    actions: Vec<ActionRequest>,
    /// The value of each variable at the start.
    init: Vec<u16>,
    /// The value wanted of each variable; null leaves it open.
    goal: Vec<Option<u16>>,
    /// How many states search may look at.
    #[serde(default)]
    budget: Option<u64>,
}

/// An action that changes a variable.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActionRequest {
    /// The variable it changes.
    var: u32,
    /// From this value
    pre: u16,
    /// to this one.
    post: u16,
    /// What else must hold, as pairs of variable and value.
    #[serde(default)]
    prevail: Vec<(u32, u16)>,
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
    },
    Unsolvable {
        /// Proved.
        unsolvable: bool,
    },
    GaveUp {
        gave_up: bool,
        /// How many states were looked at.
        expanded: u64,
    },
}

fn answer(request: Request) -> Result<Response, String> {
    let actions = request.actions.into_iter();
    let actions =
        actions.map(|action| Action::unary(action.var, action.pre, action.post, action.prevail)).collect();
    let task = Task::new(request.dom, actions).map_err(|error| error.to_string())?;
    let outcome = solve(&task, &request.init, &request.goal, request.budget);
    Ok(match outcome.map_err(|error| error.to_string())? {
        Outcome::Plan { actions, tier } => Response::Plan { plan: actions, tier: tier.name().into() },
        Outcome::Unsolvable => Response::Unsolvable { unsolvable: true },
        Outcome::GaveUp { expanded, .. } => Response::GaveUp { gave_up: true, expanded },
    })
}
