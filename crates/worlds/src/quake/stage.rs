//! A map of Quake as a place to fight: what is solid, what moves, where teleporters lead.
//!
//! What is simplified, so that characters who press no buttons can get about: doors and secret doors stand where more of them is inside
//! walls (a door stands open, a crusher is drawn back, a bridge that a button would extend is not there); lifts go up and
//! down by the clock; trains are not there; whatever the map leaves out of deathmatches is left out. Triggers other than teleporters and
//! pushes do nothing.

use super::bsp::{Bsp, Model};
use super::entity::Entity;
use super::hull::{Contents, Trace};
use super::space::{Part, Solid};
use super::{UNITS_PER_METRE, Vec3, add};

/// `NOT_IN_DEATHMATCH` among the spawn flags.
const NOT_IN_DEATHMATCH: u32 = 2048;
/// A door that stands open shows this much of itself where the map does not say.
const LIP: f32 = 8.0;
/// How fast lifts move where the map does not say, in units per second.
const LIFT_SPEED: f32 = 150.0;
/// How fast pushes are where the map does not say, and the most that the game allows along an axis.
const PUSH_SPEED: f32 = 1000.0;
const FASTEST: f32 = 2000.0;
/// Points along each side of a door at which it is asked whether it is inside a wall.
const SAMPLES: usize = 5;
/// Half the box of a player, across.
const HALF_WIDTH: f32 = 16.0;
/// A player's lowest point, below the origin.
pub(crate) const FEET: f32 = -24.0;
/// A player's highest point, above the origin.
const HEAD: f32 = 32.0;

/// A floor that goes up and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// Number of the model in the map.
    pub model: usize,
    /// The height of its floor when up, where it was built.
    pub top: f32,
    /// How far down it goes.
    pub travel: f32,
    /// Units per second.
    pub speed: f32,
}

/// A box that takes whoever touches it to an exit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teleporter {
    /// Its lowest corner.
    pub low: Vec3,
    /// Its highest corner.
    pub high: Vec3,
    /// The number of its exit.
    pub exit: usize,
}

/// A box that pushes whoever touches it: a wind tunnel, a draught that carries up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Its lowest corner.
    pub low: Vec3,
    /// Its highest corner.
    pub high: Vec3,
    /// The velocity it gives, in units per second.
    pub velocity: Vec3,
}

/// Where a teleporter leads, or a player begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The origin of a player there.
    pub origin: Vec3,
    /// Where they look, counter-clockwise.
    pub yaw_deg: f32,
}

/// A map to fight on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The map.
    pub map: Bsp,
    /// Doors, walls and buttons, which do not move here.
    parts: Vec<(Part, Bounds)>,
    /// Lifts.
    pub lifts: Vec<Lift>,
    /// Teleporters.
    pub teleporters: Vec<Teleporter>,
    /// Pushes.
    pub pushes: Vec<Push>,
    /// Where teleporters lead.
    pub exits: Vec<Spot>,
    /// Where players begin.
    pub starts: Vec<Spot>,
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    fn of(model: &Model, offset: Vec3) -> Self {
        Bounds { low: add(model.low, offset, 1.0), high: add(model.high, offset, 1.0) }
    }

    /// Whether the box around a way, grown by a player, touches it.
    #[inline]
    fn may_meet(&self, from: Vec3, to: Vec3) -> bool {
        const REACH: f32 = 40.0;
        (0..3).all(|axis| {
            from[axis].max(to[axis]) + REACH >= self.low[axis]
                && from[axis].min(to[axis]) - REACH <= self.high[axis]
        })
    }
}

impl Stage {
    /// Reads the things of a map.
    pub fn new(map: Bsp) -> Self {
        let mut stage = Stage {
            parts: Vec::new(),
            lifts: Vec::new(),
            teleporters: Vec::new(),
            pushes: Vec::new(),
            exits: Vec::new(),
            starts: spots(&map, "info_player_deathmatch"),
            map,
        };
        if stage.starts.is_empty() {
            stage.starts = spots(&stage.map, "info_player_start");
        }
        let entities = std::mem::take(&mut stage.map.entities);
        for entity in entities.iter().filter(|entity| entity.flags() & NOT_IN_DEATHMATCH == 0) {
            stage.place(entity, &entities);
        }
        stage.map.entities = entities;
        stage
    }

    /// The faces of the world, and of doors, walls and buttons where they stand, for pictures. Lifts are apart: see
    /// [`Stage::lift_faces`].
    pub fn faces(&self) -> impl Iterator<Item = Vec<Vec3>> {
        let world = Part { model: 0, offset: [0.0; 3] };
        let parts = std::iter::once(world).chain(self.parts.iter().map(|(part, _)| *part));
        parts.flat_map(|part| self.map.faces_of(part.model).iter().map(move |face| moved(face, part.offset)))
    }

    /// The faces of a lift, where it was built: with its floor at [`Lift::top`].
    pub fn lift_faces(&self, lift: usize) -> &[Vec<Vec3>] {
        self.lifts.get(lift).map_or(&[], |lift| self.map.faces_of(lift.model))
    }

    fn place(&mut self, entity: &Entity, all: &[Entity]) {
        let Some(number) = entity.model().filter(|number| (1..self.map.models.len()).contains(number)) else {
            return;
        };
        let model = self.map.models[number];
        match entity.kind() {
            "func_plat" => self.lifts.push(lift(entity, number, &model)),
            "func_door" | "func_door_secret" => {
                let moved = opened(entity, &model);
                let is_open = self.inside_walls(&model, moved) >= self.inside_walls(&model, [0.0; 3]);
                self.put(number, if is_open { moved } else { [0.0; 3] });
            }
            "func_train" => {}
            "trigger_teleport" => self.put_teleporter(entity, &model, all),
            "trigger_push" => self.pushes.push(push(entity, &model)),
            _ if entity.is_solid() => self.put(number, [0.0; 3]),
            _ => {}
        }
    }

    fn put(&mut self, model: usize, offset: Vec3) {
        let bounds = Bounds::of(&self.map.models[model], offset);
        self.parts.push((Part { model, offset }, bounds));
    }

    fn put_teleporter(&mut self, entity: &Entity, model: &Model, all: &[Entity]) {
        let target = entity.value("target");
        let exit = all
            .iter()
            .find(|exit| exit.kind() == "info_teleport_destination" && exit.value("targetname") == target);
        // One that must be switched on first stays off.
        if target.is_empty() || !entity.value("targetname").is_empty() {
            return;
        }
        if let Some(spot) = exit.and_then(|exit| spot(exit, 27.0)) {
            let known = self.exits.iter().position(|known| *known == spot);
            let exit = known.unwrap_or_else(|| {
                self.exits.push(spot);
                self.exits.len() - 1
            });
            self.teleporters.push(Teleporter { low: model.low, high: model.high, exit });
        }
    }

    /// How many of a few points of a model that was moved are inside the world's walls.
    fn inside_walls(&self, model: &Model, offset: Vec3) -> usize {
        let hull = self.map.drawn_hull(0);
        let at = |axis: usize, k: usize| {
            let share = (k as f32 + 0.5) / SAMPLES as f32;
            offset[axis] + model.low[axis] + (model.high[axis] - model.low[axis]) * share
        };
        let points = (0..SAMPLES.pow(3))
            .map(|k| [at(0, k % SAMPLES), at(1, k / SAMPLES % SAMPLES), at(2, k / SAMPLES / SAMPLES)]);
        points.filter(|&point| Contents::of(hull.contents(point)) == Contents::Solid).count()
    }

    /// The teleporter that a player touches.
    pub fn teleporter_at(&self, origin: Vec3) -> Option<&Teleporter> {
        self.teleporters.iter().find(|one| touches(origin, one.low, one.high))
    }

    /// The push that a player touches.
    pub fn push_at(&self, origin: Vec3) -> Option<&Push> {
        self.pushes.iter().find(|one| touches(origin, one.low, one.high))
    }

    /// Whether a lift passes anywhere near a way of a player's origin.
    pub fn may_meet_lift(&self, from: Vec3, to: Vec3) -> bool {
        self.lifts.iter().any(|lift| {
            let model = &self.map.models[lift.model];
            let mut bounds = Bounds::of(model, [0.0; 3]);
            bounds.low[2] -= lift.travel;
            bounds.may_meet(from, to)
        })
    }

    /// The lift on whose floor, wherever that is now, a player's origin stands or hangs over.
    pub fn lift_below(&self, origin: Vec3) -> Option<usize> {
        self.lifts.iter().position(|lift| {
            let model = &self.map.models[lift.model];
            (0..2).all(|axis| {
                origin[axis] + HALF_WIDTH > model.low[axis] && origin[axis] - HALF_WIDTH < model.high[axis]
            })
        })
    }
}

fn spots(map: &Bsp, kind: &str) -> Vec<Spot> {
    let are_meant = |entity: &&Entity| entity.kind() == kind && entity.flags() & NOT_IN_DEATHMATCH == 0;
    map.entities.iter().filter(are_meant).filter_map(|entity| spot(entity, 1.0)).collect()
}

/// Where a thing is, with a player's origin a little above it.
fn spot(entity: &Entity, above: f32) -> Option<Spot> {
    let origin = add(entity.origin()?, [0.0, 0.0, above], 1.0);
    Some(Spot { origin, yaw_deg: number(entity, "angle").unwrap_or(0.0) })
}

fn number(entity: &Entity, key: &str) -> Option<f32> {
    entity.value(key).trim().parse().ok().filter(|number: &f32| number.is_finite())
}

fn lift(entity: &Entity, number_of_model: usize, model: &Model) -> Lift {
    let height = model.high[2] - model.low[2];
    let travel = number(entity, "height").filter(|&height| height > 0.0).unwrap_or(height - LIP);
    let speed = number(entity, "speed").filter(|&speed| speed > 0.0).unwrap_or(LIFT_SPEED);
    Lift { model: number_of_model, top: model.high[2], travel: travel.max(1.0), speed }
}

/// How far an open door is from where it was built.
fn opened(entity: &Entity, model: &Model) -> Vec3 {
    let way = direction(entity);
    let lip = number(entity, "lip").unwrap_or(LIP);
    let size: f32 = (0..3).map(|axis| (way[axis] * (model.high[axis] - model.low[axis])).abs()).sum();
    way.map(|part| (part * (size - lip)).round())
}

/// Where a thing moves or pushes: -1 is up and -2 down.
fn direction(entity: &Entity) -> Vec3 {
    match number(entity, "angle").unwrap_or(0.0) {
        -1.0 => [0.0, 0.0, 1.0],
        -2.0 => [0.0, 0.0, -1.0],
        degrees => {
            let radians = f64::from(degrees).to_radians();
            [repertoire_prob::num::cos(radians) as f32, repertoire_prob::num::sin(radians) as f32, 0.0]
        }
    }
}

/// A push gives ten times the speed that the map says.
fn push(entity: &Entity, model: &Model) -> Push {
    let speed = number(entity, "speed").filter(|&speed| speed != 0.0).unwrap_or(PUSH_SPEED);
    let velocity = direction(entity).map(|part| (part * 10.0 * speed).clamp(-FASTEST, FASTEST));
    Push { low: model.low, high: model.high, velocity }
}

/// Whether a player with such an origin touches a box.
fn touches(origin: Vec3, low: Vec3, high: Vec3) -> bool {
    let reach = |axis: usize| if axis == 2 { (FEET, HEAD) } else { (-HALF_WIDTH, HALF_WIDTH) };
    (0..3).all(|axis| {
        let (below, above) = reach(axis);
        origin[axis] + above >= low[axis] && origin[axis] + below <= high[axis]
    })
}

fn moved(face: &[Vec3], offset: Vec3) -> Vec<Vec3> {
    face.iter().map(|&point| add(point, offset, 1.0)).collect()
}

/// A stage at a moment, for one who moves or looks.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The stage.
    pub stage: &'a Stage,
    /// The height of each lift's floor, in metres, as the arena counts them.
    pub lifts_m: &'a [f64],
    /// The origins of others, who bar the way.
    pub others: &'a [Vec3],
}

impl Moment<'_> {
    fn parts(&self) -> impl Iterator<Item = (Part, Bounds)> {
        let lifts = self.stage.lifts.iter().zip(self.lifts_m).map(|(lift, &height_m)| {
            let offset = [0.0, 0.0, height_m as f32 * UNITS_PER_METRE - lift.top];
            (Part { model: lift.model, offset }, Bounds::of(&self.stage.map.models[lift.model], offset))
        });
        self.stage.parts.iter().copied().chain(lifts)
    }

    /// Whether nothing drawn is between two points.
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        let map = &self.stage.map;
        map.drawn_hull(0).is_free(from, to)
            && self.parts().all(|(part, bounds)| {
                let moved = |point: Vec3| add(point, part.offset, -1.0);
                !bounds.may_meet(from, to) || map.drawn_hull(part.model).is_free(moved(from), moved(to))
            })
    }

    /// Follows a shot or a ray.
    pub fn trace_sight(&self, from: Vec3, to: Vec3) -> Trace {
        self.trace(from, to, |map, model| map.drawn_hull(model))
    }

    #[inline]
    fn trace<'b>(
        &'b self,
        from: Vec3,
        to: Vec3,
        hull: impl Fn(&'b Bsp, usize) -> super::hull::Hull<'b>,
    ) -> Trace {
        let map = &self.stage.map;
        let mut first = hull(map, 0).trace(from, to);
        for (part, bounds) in self.parts() {
            if !bounds.may_meet(from, to) {
                continue;
            }
            let moved = |point: Vec3| add(point, part.offset, -1.0);
            let trace = hull(map, part.model).trace(moved(from), moved(to));
            if trace.fraction < first.fraction || (trace.starts_solid && !first.starts_solid) {
                first = Trace { end: add(trace.end, part.offset, 1.0), ..trace };
            }
        }
        first
    }
}

impl Solid for Moment<'_> {
    fn trace_body(&self, from: Vec3, to: Vec3) -> Trace {
        let mut first = self.trace(from, to, |map, model| map.body_hull(model));
        for &other in self.others {
            if let Some((fraction, normal)) = meets_body(from, to, other)
                && fraction < first.fraction
            {
                let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
                first = Trace { fraction, normal, end: add(from, way, fraction), ..first };
            }
        }
        first
    }

    fn contents(&self, point: Vec3) -> Contents {
        Contents::of(self.stage.map.drawn_hull(0).contents(point))
    }
}

/// How much of a way is free before it meets another player's box, and the normal there. Whoever is inside already may leave.
fn meets_body(from: Vec3, to: Vec3, other: Vec3) -> Option<(f32, Vec3)> {
    const NEAR: f32 = 1.0 / 32.0;
    let (mut enters, mut leaves, mut normal) = (f32::NEG_INFINITY, f32::INFINITY, [0.0; 3]);
    let mut is_beyond = true;
    for axis in 0..3 {
        let half = if axis == 2 { HEAD - FEET } else { 2.0 * HALF_WIDTH };
        let (low, high) = (other[axis] - half, other[axis] + half);
        let way = to[axis] - from[axis];
        if way == 0.0 {
            if from[axis] <= low || from[axis] >= high {
                return None;
            }
            continue;
        }
        let (near, far) = if way > 0.0 { (low, high) } else { (high, low) };
        let enter = (near - from[axis]) / way - NEAR / way.abs();
        if enter > enters {
            enters = enter;
            is_beyond = (near - from[axis]) * way.signum() < -2.0 * NEAR;
            normal = [0.0; 3];
            normal[axis] = -way.signum();
        }
        leaves = leaves.min((far - from[axis]) / way);
    }
    (!is_beyond && enters <= 1.0 && enters < leaves && leaves > 0.0).then_some((enters.max(0.0), normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_ends_before_the_box_of_another_and_whoever_overlaps_may_leave() {
        let ahead = meets_body([0.0; 3], [100.0, 0.0, 0.0], [64.0, 0.0, 0.0]);
        let (fraction, normal) = ahead.expect("in the way");
        assert!((fraction - 0.3197).abs() < 1e-3 && normal == [-1.0, 0.0, 0.0], "{fraction} {normal:?}");
        assert_eq!(meets_body([0.0; 3], [100.0, 0.0, 0.0], [64.0, 33.0, 0.0]), None, "beside it");
        assert_eq!(meets_body([0.0; 3], [-100.0, 0.0, 0.0], [20.0, 0.0, 0.0]), None, "out of it");
        assert_eq!(meets_body([0.0; 3], [20.0, 0.0, 0.0], [64.0, 0.0, 0.0]), None, "not yet there");
    }
}
