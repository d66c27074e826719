//! `ask motivation`: what one evaluator says, on plain numbers.

use repertoire_character::goal::sigmoid;
use repertoire_character::motivation::numbers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Answer, Part};

pub(super) struct Motivation;

impl Part for Motivation {
    const NAME: &'static str = "motivation";
    const ABOUT: &'static str =
        "what one motivation says: 1 is neutral, more attracts, less repels, 0 forbids";
    const EXAMPLE: &'static str = r#"{"evaluator":"pref","pi":[1.1,1.1,2,1.1]}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// An evaluator and what it looks at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "evaluator", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// Preferences: the harmonic mean of those that are not neutral.
    Pref {
        /// The preference of each deed of the alternative, from 0 up.
        pi: Vec<f64>,
    },
    /// Completion in time.
    Time {
        /// The threshold, above 1.
        theta: f64,
        /// The cost of the alternative, from 0 up.
        cost: f64,
    },
    /// Completion in space.
    Space {
        /// The threshold, above 1.
        theta: f64,
        /// The steps of the alternative, from 0 up.
        cost: f64,
    },
    /// Opportunism.
    Opportunism {
        /// The threshold, above 1.
        theta: f64,
        /// The distance of the target, from 0 up.
        dist: f64,
    },
    /// Multi-goal revaluation.
    Multi {
        /// How many goals the deed serves, from 1 up.
        nb: u32,
    },
    /// Inertia.
    Inertia {
        /// The bonus, from 0 up.
        theta: f64,
        /// Whether the deed belongs to the alternative chosen last.
        in_last_alternative: bool,
    },
    /// The influence of a goal by the sigmoid of figure 10.
    Influence {
        /// The most.
        max: f64,
        /// Where it is half of that.
        centre: f64,
        /// How gently it falls, not 0.
        slope: f64,
        /// The state it depends on.
        x: f64,
    },
    /// Altruism.
    Altruism {
        /// What another's goal is worth, from 0 up.
        theta: f64,
        /// Whether it is another's.
        for_another: bool,
    },
    /// Reputation.
    Reputation {
        /// How much it counts, from 0 up.
        theta: f64,
        /// The reputation, from 0 up; 1 is neutral.
        reputation: f64,
    },
}

/// What it says.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// 1 is neutral, more attracts, less repels, 0 forbids.
    value: f64,
}

fn answer(request: Request) -> Result<Response, String> {
    let value = match request {
        Request::Pref { pi } => {
            for &pi in &pi {
                positive("a preference", pi)?;
            }
            numbers::preference(pi)
        }
        Request::Time { theta, cost } | Request::Space { theta, cost } => {
            numbers::completion(threshold(theta)?, positive("cost", cost)?)
        }
        Request::Opportunism { theta, dist } => {
            numbers::opportunism(threshold(theta)?, positive("dist", dist)?)
        }
        Request::Multi { nb: 0 } => {
            return Err("`nb` is 0: what can be done now serves at least one goal".into());
        }
        Request::Multi { nb } => numbers::multi(nb),
        Request::Inertia { theta, in_last_alternative } => {
            numbers::inertia(positive("theta", theta)?, in_last_alternative)
        }
        Request::Influence { max, centre, slope, x } => {
            positive("max", max)?;
            if slope == 0.0 || ![slope, centre, x].iter().all(|number| number.is_finite()) {
                return Err("`slope` must not be 0".into());
            }
            sigmoid(max, centre, slope, x)
        }
        Request::Altruism { theta, for_another } => numbers::altruism(positive("theta", theta)?, for_another),
        Request::Reputation { theta, reputation } => {
            numbers::reputation(positive("theta", theta)?, positive("reputation", reputation)?)
        }
    };
    if value.is_finite() { Ok(Response { value }) } else { Err("the value is too large for a number".into()) }
}

fn threshold(theta: f64) -> Result<f64, String> {
    if theta.is_finite() && theta > 1.0 {
        return Ok(theta);
    }
    Err(format!("`theta` is {theta}: it is the base of a logarithm, and must be above 1"))
}

fn positive(what: &str, number: f64) -> Result<f64, String> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(format!("{what} is {number}: it must be a number from 0 up"))
}

#[cfg(test)]
mod tests {
    fn ask(line: &str) -> String {
        let door = crate::door("motivation").unwrap();
        door.answer(line).unwrap_or_else(|error| format!("error: {error}"))
    }

    #[test]
    fn the_worked_numbers_of_the_paper_come_out() {
        for (line, printed) in [
            (r#"{"evaluator":"pref","pi":[1.1,1.1,2,1.1]}"#, "1.24"),
            (r#"{"evaluator":"pref","pi":[1.1,0.8,1.1]}"#, "0.98"),
            (r#"{"evaluator":"pref","pi":[1.1,1.1,0.8,1.1]}"#, "1.01"),
            (r#"{"evaluator":"pref","pi":[1.1,2,1.1]}"#, "1.29"),
            (r#"{"evaluator":"time","theta":5,"cost":4}"#, "1.14"),
            (r#"{"evaluator":"space","theta":5,"cost":7}"#, "0.79"),
        ] {
            let answer: serde_json::Value = serde_json::from_str(&ask(line)).unwrap();
            assert_eq!(format!("{:.2}", answer["value"].as_f64().unwrap()), printed, "{line}");
        }
    }

    #[test]
    fn the_edges_are_answered() {
        for (line, value) in [
            (r#"{"evaluator":"pref","pi":[]}"#, 1.0),
            (r#"{"evaluator":"pref","pi":[1,1]}"#, 1.0),
            (r#"{"evaluator":"pref","pi":[3,0]}"#, 0.0),
            (r#"{"evaluator":"time","theta":5,"cost":0}"#, 2.0),
            (r#"{"evaluator":"time","theta":5,"cost":26}"#, 0.0),
            (r#"{"evaluator":"opportunism","theta":10,"dist":10}"#, 1.0),
            (r#"{"evaluator":"opportunism","theta":10,"dist":0}"#, 2.0),
            (r#"{"evaluator":"opportunism","theta":10,"dist":1e300}"#, 1.0),
            (r#"{"evaluator":"multi","nb":1}"#, 1.0),
            (r#"{"evaluator":"inertia","theta":0.25,"in_last_alternative":true}"#, 1.25),
            (r#"{"evaluator":"inertia","theta":0.25,"in_last_alternative":false}"#, 1.0),
        ] {
            assert_eq!(ask(line), format!("{{\"value\":{value:?}}}"), "{line}");
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for line in [
            r#"{"evaluator":"time","theta":1,"cost":2}"#,
            r#"{"evaluator":"space","theta":0.5,"cost":2}"#,
            r#"{"evaluator":"time","theta":5,"cost":-2}"#,
            r#"{"evaluator":"opportunism","theta":-5,"dist":2}"#,
            r#"{"evaluator":"multi","nb":0}"#,
            r#"{"evaluator":"multi","nb":-1}"#,
            r#"{"evaluator":"pref","pi":[-1]}"#,
            r#"{"evaluator":"pref","pi":[1e999]}"#,
            r#"{"evaluator":"pref","pi":[null]}"#,
            r#"{"evaluator":"charm"}"#,
            r#"{"evaluator":"pref","pi":[1],"theta":2}"#,
            r#"{"pi":[1]}"#,
        ] {
            assert!(ask(line).starts_with("error"), "{line}: {}", ask(line));
        }
    }
}
