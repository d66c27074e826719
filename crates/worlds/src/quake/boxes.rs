//! Maps made of boxes: for tests and examples, which cannot bring a game's own maps.
//!
//! A map is one hollow box with solid and liquid boxes in it. What is drawn is that; what bodies meet is the same with walls moved in and
//! solid boxes grown by half a player.
//!
//! ```
//! use repertoire_worlds::quake::boxes::{Boxes, Cuboid};
//! use repertoire_worlds::quake::{Bsp, Space};
//!
//! let hall = Boxes {
//!     solids: vec![Cuboid { low: [100.0, -300.0, 0.0], high: [120.0, 300.0, 300.0] }],
//!     ..Boxes::hall([-300.0, -300.0, 0.0], [300.0, 300.0, 300.0])
//! };
//! let map = Bsp::read(&hall.map().write())?;
//! let space = Space::built(&map);
//! assert!(space.sees([0.0, 0.0, 40.0], [90.0, 0.0, 40.0]));
//! assert!(!space.sees([0.0, 0.0, 40.0], [200.0, 0.0, 40.0]), "behind the wall");
//! # Ok::<(), repertoire_worlds::quake::BspError>(())
//! ```

use super::Vec3;
use super::bsp::{Bsp, Model};
use super::entity::parse;
use super::hull::{Node, Plane};

const EMPTY: i32 = -1;
const SOLID: i32 = -2;
/// How far a player reaches from their origin: to the low side and to the high side of each axis.
const PLAYER: [[f32; 3]; 2] = [[16.0, 16.0, 24.0], [16.0, 16.0, 32.0]];

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// The lowest corner.
    pub low: Vec3,
    /// The highest corner.
    pub high: Vec3,
}

impl Cuboid {
    fn holds(&self, point: Vec3) -> bool {
        (0..3).all(|axis| point[axis] > self.low[axis] && point[axis] < self.high[axis])
    }

    fn overlaps(&self, other: &Cuboid) -> bool {
        (0..3).all(|axis| self.low[axis] < other.high[axis] && self.high[axis] > other.low[axis])
    }

    fn middle(&self) -> Vec3 {
        [0, 1, 2].map(|axis| (self.low[axis] + self.high[axis]) / 2.0)
    }

    /// Where origins of players overlap it; or, of a hollow box, do not fit in it.
    fn grown(&self, by: f32) -> Self {
        Cuboid {
            low: [0, 1, 2].map(|axis| self.low[axis] - by * PLAYER[1][axis]),
            high: [0, 1, 2].map(|axis| self.high[axis] + by * PLAYER[0][axis]),
        }
    }
}

/// A map of boxes.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// The hollow box around everything.
    pub hall: Cuboid,
    /// Solid boxes.
    pub solids: Vec<Cuboid>,
    /// Liquids, with the number of their contents: -3 water, -4 slime, -5 lava.
    pub liquids: Vec<(Cuboid, i32)>,
    /// Parts that are models of their own, numbered from 1: lifts, doors, triggers.
    pub parts: Vec<Cuboid>,
    /// The text that says where everything is.
    pub entities: String,
}

impl Boxes {
    /// An empty hall.
    pub fn hall(low: Vec3, high: Vec3) -> Self {
        Boxes {
            hall: Cuboid { low, high },
            solids: Vec::new(),
            liquids: Vec::new(),
            parts: Vec::new(),
            entities: String::new(),
        }
    }

    /// Adds a thing with values: `"classname"`, `"origin"` and so on.
    pub fn with_thing(mut self, values: &[(&str, &str)]) -> Self {
        self.entities += "{\n";
        values.iter().for_each(|(key, value)| self.entities += &format!("\"{key}\" \"{value}\"\n"));
        self.entities += "}\n";
        self
    }

    /// The map.
    pub fn map(&self) -> Bsp {
        let mut trees = Trees::default();
        let everything = Cuboid { low: [-8192.0; 3], high: [8192.0; 3] };
        // The hollow box is shrunk for bodies: the side towards the head moves in by as much as the head reaches.
        let room = Cuboid {
            low: [0, 1, 2].map(|axis| self.hall.low[axis] + PLAYER[0][axis]),
            high: [0, 1, 2].map(|axis| self.hall.high[axis] - PLAYER[1][axis]),
        };
        let inside = |hall: &Cuboid, solids: &[Cuboid], liquids: &[(Cuboid, i32)], point: Vec3| {
            if !hall.holds(point) || solids.iter().any(|solid| solid.holds(point)) {
                return SOLID;
            }
            liquids.iter().find(|(liquid, _)| liquid.holds(point)).map_or(EMPTY, |(_, contents)| *contents)
        };
        let mut cuts = vec![self.hall];
        cuts.extend(self.solids.iter().chain(self.liquids.iter().map(|(liquid, _)| liquid)));
        let contents = |point: Vec3| inside(&self.hall, &self.solids, &self.liquids, point);
        let drawn = trees.grow(false, everything, &cuts, &contents);
        let solids: Vec<Cuboid> = self.solids.iter().map(|solid| solid.grown(1.0)).collect();
        let cuts: Vec<Cuboid> = std::iter::once(room).chain(solids.iter().copied()).collect();
        let contents = |point: Vec3| inside(&room, &solids, &[], point);
        let clip = trees.grow(true, everything, &cuts, &contents);
        let model = |of: &Cuboid, roots| Model { low: of.low, high: of.high, roots, faces: [0, 0] };
        let mut models = vec![model(&self.hall, [drawn, clip])];
        for part in &self.parts {
            let solid = |of: Cuboid| move |point: Vec3| if of.holds(point) { SOLID } else { EMPTY };
            let grown = part.grown(1.0);
            let drawn = trees.grow(false, everything, &[*part], &solid(*part));
            let clip = trees.grow(true, everything, &[grown], &solid(grown));
            models.push(model(part, [drawn, clip]));
        }
        Bsp::of_parts(trees.planes, [trees.drawn, trees.clip], models, parse(self.entities.as_bytes()))
    }
}

/// Trees under construction.
#[derive(Default)]
struct Trees {
    planes: Vec<Plane>,
    drawn: Vec<Node>,
    clip: Vec<Node>,
}

impl Trees {
    /// The tree of a region, cut by the sides of all boxes that reach into it. Its root, or its contents.
    fn grow(
        &mut self,
        is_clip: bool,
        region: Cuboid,
        cuts: &[Cuboid],
        contents: &dyn Fn(Vec3) -> i32,
    ) -> i32 {
        let reaching: Vec<Cuboid> = cuts.iter().filter(|cut| cut.overlaps(&region)).copied().collect();
        let sides = reaching
            .iter()
            .flat_map(|cut| (0..3).flat_map(|axis| [cut.low[axis], cut.high[axis]].map(|at| (axis, at))));
        let cut = sides.into_iter().find(|&(axis, at)| at > region.low[axis] && at < region.high[axis]);
        let Some((axis, distance)) = cut else { return contents(region.middle()) };
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let plane = Plane { normal, distance, axis: Some(axis as u8) };
        let number = self.planes.iter().position(|known| *known == plane).unwrap_or_else(|| {
            self.planes.push(plane);
            self.planes.len() - 1
        });
        let nodes = if is_clip { &mut self.clip } else { &mut self.drawn };
        let root = nodes.len();
        nodes.push(Node { plane: number as u32, children: [EMPTY; 2] });
        let (mut before, mut behind) = (region, region);
        before.low[axis] = distance;
        behind.high[axis] = distance;
        let children = [before, behind].map(|part| self.grow(is_clip, part, &reaching, contents));
        let nodes = if is_clip { &mut self.clip } else { &mut self.drawn };
        nodes[root].children = children;
        root as i32
    }
}
