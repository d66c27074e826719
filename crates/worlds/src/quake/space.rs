//! A map with its doors and lifts where they are now: one space for bodies, sight and shots.

use super::bsp::Bsp;
use super::hull::{Contents, Trace};
use super::{Vec3, add};

/// What a body moves in.
pub trait Solid {
    /// Moves a body's origin.
    fn trace_body(&self, from: Vec3, to: Vec3) -> Trace;
    /// What is at a point of the world.
    fn contents(&self, point: Vec3) -> Contents;
}

/// A moving part at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Number of the model in the map.
    pub model: usize,
    /// How far it is from where it was built.
    pub offset: Vec3,
}

/// A map at a moment.
#[derive(Clone, Debug)]
pub struct Space<'a> {
    /// The map.
    pub map: &'a Bsp,
    /// Doors, lifts, buttons: what is solid and moves.
    pub parts: Vec<Part>,
}

impl<'a> Space<'a> {
    /// A map with all moving parts where they were built: doors closed.
    pub fn built(map: &'a Bsp) -> Self {
        let solid =
            map.entities.iter().filter(|entity| entity.is_solid()).filter_map(super::entity::Entity::model);
        let parts =
            solid.filter(|&model| model < map.models.len()).map(|model| Part { model, offset: [0.0; 3] });
        Space { map, parts: parts.collect() }
    }

    /// A map with these parts, those that are not of the map left out.
    pub fn with_parts(map: &'a Bsp, parts: impl Iterator<Item = Part>) -> Self {
        Space { map, parts: parts.filter(|part| (1..map.models.len()).contains(&part.model)).collect() }
    }

    /// Moves a body's origin; the second is the part that was met, if it was not the world.
    pub fn trace_body(&self, from: Vec3, to: Vec3) -> (Trace, Option<usize>) {
        self.trace(from, to, Bsp::body_hull)
    }

    /// Follows a line of sight or a shot.
    pub fn trace_sight(&self, from: Vec3, to: Vec3) -> Trace {
        self.trace(from, to, Bsp::drawn_hull).0
    }

    /// Whether nothing is between two points.
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        self.trace_sight(from, to).fraction >= 1.0
    }

    fn trace<'b>(
        &'b self,
        from: Vec3,
        to: Vec3,
        hull: fn(&'b Bsp, usize) -> super::hull::Hull<'b>,
    ) -> (Trace, Option<usize>) {
        let mut first = hull(self.map, 0).trace(from, to);
        let mut met = None;
        for part in &self.parts {
            let moved = |point: Vec3| add(point, part.offset, -1.0);
            if !self.may_meet(part, from, to) {
                continue;
            }
            let mut trace = hull(self.map, part.model).trace(moved(from), moved(to));
            if trace.fraction < first.fraction || (trace.starts_solid && !first.starts_solid) {
                trace.end = add(trace.end, part.offset, 1.0);
                first = trace;
                met = Some(part.model);
            }
        }
        (first, met)
    }

    /// Whether the box around a way, grown by a body, touches the box around a part.
    fn may_meet(&self, part: &Part, from: Vec3, to: Vec3) -> bool {
        const REACH: f32 = 40.0;
        let model = &self.map.models[part.model];
        (0..3).all(|axis| {
            let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
            high + REACH >= model.low[axis] + part.offset[axis]
                && low - REACH <= model.high[axis] + part.offset[axis]
        })
    }

    /// What is at a point of the world.
    pub fn contents(&self, point: Vec3) -> Contents {
        Contents::of(self.map.drawn_hull(0).contents(point))
    }
}

impl Solid for Space<'_> {
    fn trace_body(&self, from: Vec3, to: Vec3) -> Trace {
        Space::trace_body(self, from, to).0
    }

    fn contents(&self, point: Vec3) -> Contents {
        Space::contents(self, point)
    }
}
