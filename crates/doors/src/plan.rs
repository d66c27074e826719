//! `ask plan`: a plan for any SAS problem, values as indices.

use repertoire_plan::{Action, Outcome, Task, solve};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Plans;

impl Keeps for Plans {
    const NAME: &'static str = "plan";
    const ABOUT: &'static str = "a plan, a proof that there is none, or the budget used up";
    const EXAMPLE: &'static str = r#"{"dom":[3,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":0,"pre":1,"post":2,"prevail":[]},{"var":1,"pre":0,"post":1,"prevail":[]},{"var":1,"pre":1,"post":0,"prevail":[[0,2]]}],"init":[0,0],"goal":[2,null]}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"dom":[3,2],"actions":[{"var":0,"pre":0,"post":1,"prevail":[[1,1]]},{"var":0,"pre":1,"post":2},{"var":1,"pre":0,"post":1}]},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","init":[0,0],"goal":[2,null]}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Task;
    type Last = ();

    fn answer(request: Request, (): &mut (), library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        Self::ask(&[&Self::keep(thing, library)?], question)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Task, DoorError> {
        let action =
            |action: ActionRequest| Action::unary(action.var, action.pre, action.post, action.prevail);
        let actions = thing.actions.into_iter().map(action).collect();
        Ok(Task::new(thing.dom, actions).map_err(|error| error.to_string())?)
    }

    fn ask(used: &[&Task], question: Question) -> Result<String, DoorError> {
        line(&plan(only(used)?, &question)?)
    }
}

question! {
    /// A problem.
    load {
        /// How many values each variable has.
        dom: Vec<u16>,
        actions: Vec<ActionRequest>,
    }
    ask {
        /// The value of each variable at the start.
        init: Vec<u16>,
        /// The value wanted of each variable; null leaves it open.
        goal: Vec<Option<u16>>,
        /// How many states search may look at.
        #[serde(default)]
        budget: Option<u64>,
    }
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

fn plan(task: &Task, asked: &Question) -> Result<Response, String> {
    let outcome = solve(task, &asked.init, &asked.goal, asked.budget);
    Ok(match outcome.map_err(|error| error.to_string())? {
        Outcome::Plan { actions, tier } => Response::Plan { plan: actions, tier: tier.name().into() },
        Outcome::Unsolvable => Response::Unsolvable { unsolvable: true },
        Outcome::GaveUp { expanded, .. } => Response::GaveUp { gave_up: true, expanded },
    })
}
