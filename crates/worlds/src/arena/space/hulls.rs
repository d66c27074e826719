//! Maps of Quake: bodies against the hull that was grown by a player's box, sight and shots against what is drawn.
//!
//! Here lengths become metres (32 units each) and positions feet; a player's origin is 24 units above them. Both ways are exact, so
//! that a body that is saved and restored goes on to the bit.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::plan::Plan;
use super::{Impact, Surface};
use crate::quake::stage::{FEET, Moment};
use crate::quake::{Contents, Solid, Stage, UNITS_PER_METRE, Vec3};

const PER_METRE: f64 = UNITS_PER_METRE as f64;
/// Floors are looked for this far down, in units.
const DEEPEST: f32 = 4096.0;
/// What is less steep than this is floor or ceiling: the upward part of its normal.
const LEVEL: f32 = 0.7;

/// A point in Quake's units.
pub(crate) fn units(at: DVec3) -> Vec3 {
    (at * PER_METRE).as_vec3().to_array()
}

/// A point in metres.
pub(crate) fn metres(at: Vec3) -> DVec3 {
    DVec3::new(f64::from(at[0]), f64::from(at[1]), f64::from(at[2])) / PER_METRE
}

/// A player's origin from their feet in metres.
pub(crate) fn origin_of(feet: DVec3) -> Vec3 {
    ((feet * PER_METRE) - DVec3::new(0.0, 0.0, f64::from(FEET))).as_vec3().to_array()
}

/// A player's feet in metres.
pub(crate) fn feet_of(origin: Vec3) -> DVec3 {
    let [x, y, z] = origin.map(f64::from);
    DVec3::new(x, y, z + f64::from(FEET)) / PER_METRE
}

/// The shape of a map of Quake.
#[derive(Debug)]
pub struct Hulls {
    stage: Arc<Stage>,
    plan: Plan,
}

impl Hulls {
    pub(super) fn new(stage: Arc<Stage>) -> Self {
        Hulls { stage, plan: Plan::default() }
    }

    /// The map with its things.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The map from above, once it was walked.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn set_plan(&mut self, plan: Plan) {
        self.plan = plan;
    }

    pub(super) fn bounds(&self) -> (DVec2, DVec2) {
        let model = &self.stage.map.models[0];
        (metres(model.low).truncate(), metres(model.high).truncate())
    }

    /// The map at a moment, with others in the way.
    pub(crate) fn scene<'a>(&'a self, lifts_m: &'a [f64], others: &'a [Vec3]) -> HullScene<'a> {
        HullScene(Moment { stage: &self.stage, lifts_m, others })
    }
}

/// A map of Quake at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullScene<'a>(pub Moment<'a>);

impl HullScene<'_> {
    pub fn sees(&self, from: DVec3, to: DVec3) -> bool {
        self.0.sees(units(from), units(to))
    }

    pub fn cast(&self, from: DVec3, to: DVec3) -> Option<Impact> {
        let trace = self.0.trace_sight(units(from), units(to));
        (trace.fraction < 1.0).then(|| Impact {
            part: f64::from(trace.fraction),
            surface: match trace.normal[2] {
                up if up >= LEVEL => Surface::Floor,
                up if up <= -LEVEL => Surface::Ceiling,
                _ => Surface::Wall,
            },
        })
    }

    /// The first thing in the way, and the direction that it faces.
    pub fn bounce(&self, from: DVec3, to: DVec3) -> Option<(f64, DVec3)> {
        let trace = self.0.trace_sight(units(from), units(to));
        let [x, y, z] = trace.normal.map(f64::from);
        (trace.fraction < 1.0).then(|| (f64::from(trace.fraction), DVec3::new(x, y, z)))
    }

    /// The floor under feet: where a body would stand or, if none fits there, where a thing would lie.
    pub fn floor_under(&self, feet: DVec3) -> Option<DVec3> {
        let down = |from: Vec3| [from[0], from[1], from[2] - DEEPEST];
        let origin = origin_of(feet);
        let body = self.0.trace_body(origin, down(origin));
        if !body.starts_solid && body.fraction < 1.0 {
            return Some(feet_of(body.end));
        }
        let point = units(feet + DVec3::new(0.0, 0.0, 0.1));
        let thing = self.0.trace_sight(point, down(point));
        (!thing.starts_solid && thing.fraction < 1.0).then(|| metres(thing.end))
    }

    /// The liquid at a point.
    pub fn liquid_at(&self, at: DVec3) -> Option<Contents> {
        let contents = self.0.contents(units(at));
        contents.is_liquid().then_some(contents)
    }

    /// Whether a body moves freely along a straight way.
    pub fn is_way(&self, from: DVec3, to: DVec3) -> bool {
        let trace = self.0.trace_body(origin_of(from), origin_of(to));
        trace.fraction >= 1.0 && !trace.starts_solid
    }

    /// Whether a body fits at these feet.
    pub fn fits(&self, feet: DVec3) -> bool {
        let origin = origin_of(feet);
        !self.0.trace_body(origin, origin).starts_solid
    }
}
