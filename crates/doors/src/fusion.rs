//! `ask fusion`: one command from many opinions, by enhanced coherence.

use repertoire_bayes::fusion::{Fused, Opinion, Stance, fuse};
use repertoire_prob::distribution::check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Answer, Part};

pub(super) struct Fusion;

impl Part for Fusion {
    const NAME: &'static str = "fusion";
    const ABOUT: &'static str = "one command from prescriptive, proscriptive and inactive opinions";
    const EXAMPLE: &'static str = r#"{"commands":[[0.2,0.5,0.3],[0.7,0.1,0.2],[0.9,0.05,0.05]],"modes":["prescriptive","proscriptive","inactive"],"prior":null}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// Opinions about one command.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// What each opinion says: a distribution over the command.
    commands: Vec<Vec<f64>>,
    /// What to do with each opinion.
    modes: Vec<Mode>,
    /// P(command) before any opinion; null for none, which is uniform and left out of Z.
    prior: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Prescriptive,
    Proscriptive,
    Inactive,
}

/// The command, or a contradiction.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Response {
    Agreed {
        /// P(command).
        fused: Vec<f64>,
        /// ln Z, with Z the sum over commands of the prior (if given) times every opinion's coherence.
        log_z: f64,
    },
    Contradiction {
        /// null: every command is ruled out by someone.
        fused: (),
        contradiction: bool,
        /// The prior, or uniform without one.
        fallback: Vec<f64>,
    },
}

fn answer(request: Request) -> Result<Response, String> {
    if request.commands.len() != request.modes.len() {
        return Err(format!(
            "{} commands but {} modes: one mode each",
            request.commands.len(),
            request.modes.len()
        ));
    }
    let card = match (&request.prior, request.commands.first()) {
        (Some(prior), _) => prior.len(),
        (None, Some(command)) => command.len(),
        (None, None) => return Err("without commands or a prior there is nothing to fuse".into()),
    };
    if let Some(prior) = &request.prior {
        check(prior).map_err(|error| format!("prior: {error}"))?;
    }
    let mut opinions = Vec::new();
    for (index, (says, mode)) in request.commands.iter().zip(&request.modes).enumerate() {
        check(says).map_err(|error| format!("command {index}: {error}"))?;
        if says.len() != card {
            return Err(format!("command {index} has {} values, the others have {card}", says.len()));
        }
        let stance = match mode {
            Mode::Prescriptive => Stance::Prescriptive,
            Mode::Proscriptive => Stance::Proscriptive,
            Mode::Inactive => Stance::Inactive,
        };
        opinions.push(Opinion { says, stance });
    }
    let mut out = vec![0.0; card];
    let fused = fuse(&opinions, request.prior.as_deref(), &mut out).map_err(|error| error.to_string())?;
    Ok(match fused {
        Fused::Agreed { log_z } => Response::Agreed { fused: out, log_z },
        Fused::Contradiction => Response::Contradiction { fused: (), contradiction: true, fallback: out },
    })
}
