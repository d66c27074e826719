//! `ask gng`: growing neural gas, figure 3.12 of Tencé 2011 and nothing added.

use repertoire_topology::error::FARTHEST;
use repertoire_topology::{EdgeRule, Gas, GasSettings, Point};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Answer, Part};

pub(super) struct Gng;

impl Part for Gng {
    const NAME: &'static str = "gng";
    const ABOUT: &'static str =
        "growing neural gas as modified by Tencé (figure 3.12): positions in, nodes and edges out";
    const EXAMPLE: &'static str = r#"{"points":[[0,0,0],[100,0,0],[40,0,0],[40,0,0]],"params":{"a1":0.03,"a2":0.0006,"decay":1,"err":70,"age":75},"edges":"fritzke"}"#;
    type Request = Request;
    type Response = Response;
    const ANSWER: Answer<Self> = answer;
}

/// Positions in the order in which they were seen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// `[t][xyz]`.
    points: Vec<Point>,
    /// The parameters of the figure; those left out are the thesis's.
    #[serde(default)]
    params: Figure,
    /// What becomes of the edge on which a node is inserted: `figure` leaves it, `fritzke` replaces it by two.
    #[serde(default)]
    edges: EdgeRule,
}

/// The five parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Figure {
    /// How far the nearest node moves, as a share of the way.
    a1: f64,
    /// How far its neighbours move.
    a2: f64,
    /// Error that every node loses with each input.
    decay: f64,
    /// Error above which a node gets another beside it.
    err: f64,
    /// Age above which an edge is deleted.
    age: f64,
}

impl Default for Figure {
    fn default() -> Self {
        let GasSettings { a1, a2, decay, err, age, .. } = GasSettings::default();
        Figure { a1, a2, decay, err, age }
    }
}

/// The gas after the last position.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// `[node][xyz]`, in the order in which nodes were made.
    nodes: Vec<Point>,
    /// `[node, node, age]`, the lower node first, in order.
    edges: Vec<(u32, u32, u32)>,
}

fn answer(request: Request) -> Result<Response, String> {
    let Figure { a1, a2, decay, err, age } = request.params;
    let settings = GasSettings { a1, a2, decay, err, age, edges: request.edges, ..GasSettings::default() };
    let mut gas = Gas::new(settings).map_err(|error| error.to_string())?;
    for (t, point) in request.points.into_iter().enumerate() {
        let wrong = |_| format!("point {t} is {point:?}: coordinates are numbers up to {FARTHEST:e}");
        gas.see(point).map_err(wrong)?;
    }
    Ok(Response { nodes: gas.nodes().map(|(_, at)| at).collect(), edges: gas.edges() })
}
