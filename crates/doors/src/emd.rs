//! `ask emd`: how far one histogram must be carried to become another.

use repertoire_eval::signature::emd::distance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Answer, Part};

pub(super) struct Emd;

impl Part for Emd {
    const NAME: &'static str = "emd";
    const ABOUT: &'static str =
        "the earth mover's distance between two histograms, on a circle or a line, in bins";
    const EXAMPLE: &'static str = r#"{"p":[0.5,0.5,0,0],"q":[0,0,0.5,0.5],"circular":true}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// Two histograms of as many bins; each is divided by its sum first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// The first; numbers from 0 up, not all 0.
    p: Vec<f64>,
    /// The second.
    q: Vec<f64>,
    /// Whether the last bin is next to the first, as angles are.
    #[serde(default = "yes")]
    circular: bool,
}

fn yes() -> bool {
    true
}

/// The distance.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// How much is carried times how far, in bins.
    distance: f64,
}

fn answer(request: Request) -> Result<Response, String> {
    distance(&request.p, &request.q, request.circular)
        .map(|distance| Response { distance })
        .map_err(|error| error.to_string())
}
