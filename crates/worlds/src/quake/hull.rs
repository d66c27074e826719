//! Tracing through a tree of planes: what a point meets on its way.
//!
//! A hull is a tree whose leaves are empty, solid or liquid. Hull 0 is what is drawn, for sight and shots; hull 1 is grown by
//! a player's box, so that a body is a point in it.

use super::{Vec3, add, dot};

/// What fills a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Air.
    Empty,
    /// Wall.
    Solid,
    /// Water.
    Water,
    /// Slime, which hurts.
    Slime,
    /// Lava, which hurts more.
    Lava,
    /// Sky: a wall for bodies that nothing hits.
    Sky,
}

impl Contents {
    /// From the number in a map; currents are water.
    pub fn of(number: i32) -> Self {
        match number {
            -2 => Contents::Solid,
            -4 => Contents::Slime,
            -5 => Contents::Lava,
            -6 => Contents::Sky,
            -3 | -14..=-9 => Contents::Water,
            _ => Contents::Empty,
        }
    }

    /// Whether one swims in it.
    pub fn is_liquid(self) -> bool {
        matches!(self, Contents::Water | Contents::Slime | Contents::Lava)
    }
}

/// A plane: points with `normal · p = distance`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Its normal, of length 1.
    pub normal: Vec3,
    /// How far it is from the origin.
    pub distance: f32,
    /// The axis that it is perpendicular to, if there is one.
    pub axis: Option<u8>,
}

impl Plane {
    fn side(&self, point: Vec3) -> f32 {
        match self.axis {
            Some(axis) => point[usize::from(axis)] - self.distance,
            None => dot(self.normal, point) - self.distance,
        }
    }
}

/// A node: a plane, and what is before and behind it. A child below 0 is a leaf: the number of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Number of the plane.
    pub plane: u32,
    /// Before and behind.
    pub children: [i32; 2],
}

/// A tree to trace through.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    /// Its nodes, and those of others.
    pub nodes: &'a [Node],
    /// The planes.
    pub planes: &'a [Plane],
    /// The root; below 0 if all is the same.
    pub root: i32,
}

/// What was met on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// How much of the way is free, from 0 to 1.
    pub fraction: f32,
    /// Where the free part ends.
    pub end: Vec3,
    /// The normal of what was met, if anything was.
    pub normal: Vec3,
    /// The way begins in a wall.
    pub starts_solid: bool,
    /// All of it is in a wall.
    pub is_all_solid: bool,
}

impl Trace {
    /// A way without obstacles.
    pub fn free(to: Vec3) -> Self {
        Trace { fraction: 1.0, end: to, normal: [0.0; 3], starts_solid: false, is_all_solid: false }
    }
}

/// A way stops this far before what it meets.
const NEAR: f32 = 1.0 / 32.0;

impl Hull<'_> {
    /// What is at a point.
    pub fn contents(&self, point: Vec3) -> i32 {
        self.contents_below(self.root, point)
    }

    fn contents_below(&self, mut node: i32, point: Vec3) -> i32 {
        while let Ok(number) = usize::try_from(node) {
            let Node { plane, children } = self.nodes[number];
            node = children[usize::from(self.planes[plane as usize].side(point) < 0.0)];
        }
        node
    }

    /// Whether a straight way is free of walls, without asking where it ends.
    pub fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        self.is_free_below(self.root, from, to)
    }

    fn is_free_below(&self, mut node: i32, mut from: Vec3, to: Vec3) -> bool {
        // A loop for the part that is left, a call for the part before a plane.
        while let Ok(number) = usize::try_from(node) {
            let Node { plane, children } = self.nodes[number];
            let plane = &self.planes[plane as usize];
            let (t1, t2) = (plane.side(from), plane.side(to));
            if t1 >= 0.0 && t2 >= 0.0 {
                node = children[0];
                continue;
            }
            if t1 < 0.0 && t2 < 0.0 {
                node = children[1];
                continue;
            }
            let side = usize::from(t1 < 0.0);
            let share = t1 / (t1 - t2);
            let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            let middle = add(from, way, share);
            if !self.is_free_below(children[side], from, middle) {
                return false;
            }
            (node, from) = (children[1 - side], middle);
        }
        Contents::of(node) != Contents::Solid
    }

    /// Follows a point from one place to another.
    pub fn trace(&self, from: Vec3, to: Vec3) -> Trace {
        let mut trace = Trace { is_all_solid: true, ..Trace::free(to) };
        self.follow(self.root, [0.0, 1.0], [from, to], &mut trace);
        trace.starts_solid |= trace.is_all_solid;
        if trace.starts_solid {
            trace.fraction = 0.0;
        }
        trace
    }

    /// Follows the part of a way that lies below a node. False once something was met.
    fn follow(&self, node: i32, [f1, f2]: [f32; 2], [p1, p2]: [Vec3; 2], trace: &mut Trace) -> bool {
        let Ok(number) = usize::try_from(node) else {
            if Contents::of(node) == Contents::Solid {
                trace.starts_solid = true;
            } else {
                trace.is_all_solid = false;
            }
            return true;
        };
        let Node { plane, children } = self.nodes[number];
        let plane = &self.planes[plane as usize];
        let (t1, t2) = (plane.side(p1), plane.side(p2));
        if t1 >= 0.0 && t2 >= 0.0 {
            return self.follow(children[0], [f1, f2], [p1, p2], trace);
        }
        if t1 < 0.0 && t2 < 0.0 {
            return self.follow(children[1], [f1, f2], [p1, p2], trace);
        }
        let is_behind = t1 < 0.0;
        let near = if is_behind { t1 + NEAR } else { t1 - NEAR };
        let mut share = (near / (t1 - t2)).clamp(0.0, 1.0);
        let at = |share: f32| {
            (f1 + (f2 - f1) * share, add(p1, [p2[0] - p1[0], p2[1] - p1[1], p2[2] - p1[2]], share))
        };
        let (mut fraction, mut middle) = at(share);
        let side = usize::from(is_behind);
        if !self.follow(children[side], [f1, fraction], [p1, middle], trace) {
            return false;
        }
        let beyond = children[1 - side];
        if Contents::of(self.contents_below(beyond, middle)) != Contents::Solid {
            return self.follow(beyond, [fraction, f2], [middle, p2], trace);
        }
        if trace.is_all_solid {
            return false;
        }
        trace.normal = if is_behind { plane.normal.map(|part| -part) } else { plane.normal };
        // Rounding may have put the end into the wall: back up until it is out.
        while Contents::of(self.contents(middle)) == Contents::Solid {
            share -= 0.1;
            if share < 0.0 {
                break;
            }
            (fraction, middle) = at(share);
        }
        trace.fraction = fraction;
        trace.end = middle;
        false
    }
}
