//! A map as clips show it: faces for the first person, walls and floors from above.

use glam::DVec2;
use repertoire_trace::play::QUAKE_PER_METRE;
use repertoire_worlds::arena::map::{Area, Map};
use repertoire_worlds::quake::Bsp;
use serde_json::{Value, json};

/// A map to look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Flat faces, in metres.
    faces: Vec<Vec<[f64; 3]>>,
    /// Walls from above.
    walls: Vec<[f64; 4]>,
    /// How high eyes are above where bodies are.
    eye_m: f64,
}

/// Eyes above the feet, in the arena; above a body's middle, in Quake.
const EYE_M: f64 = 1.6;
const QUAKE_EYE: f64 = 22.0;

impl Scene {
    /// A map of the arena: its walls and steps. Floors and ceilings are left to the page's ground and sky.
    pub fn of_map(map: &Map) -> Self {
        let mut scene = Scene { eye_m: EYE_M, ..Scene::default() };
        for line in &map.lines {
            let right = &map.areas[usize::from(line.right)];
            let left = line.left.map(|left| &map.areas[usize::from(left)]);
            let height =
                |at: DVec2, of: &dyn Fn(&Area, DVec2) -> f64| (of(right, at), left.map(|left| of(left, at)));
            let floor = |area: &Area, at: DVec2| area.floor.at(at);
            let ceiling = |area: &Area, _: DVec2| area.ceiling_m;
            let mut face = |from: &dyn Fn(DVec2) -> f64, to: &dyn Fn(DVec2) -> f64| {
                let corner = |at: DVec2, z: f64| [at.x, at.y, z];
                let (a, b) = (line.a, line.b);
                if to(a) - from(a) > 0.01 || to(b) - from(b) > 0.01 {
                    scene.faces.push(vec![
                        corner(a, from(a)),
                        corner(b, from(b)),
                        corner(b, to(b)),
                        corner(a, to(a)),
                    ]);
                }
            };
            let low = |at: DVec2| height(at, &floor);
            let high = |at: DVec2| height(at, &ceiling);
            match left {
                None => face(&|at| low(at).0, &|at| high(at).0),
                Some(_) => {
                    let both = |pair: (f64, Option<f64>)| (pair.0, pair.1.unwrap_or(pair.0));
                    let (least, most) = (|(a, b): (f64, f64)| a.min(b), |(a, b): (f64, f64)| a.max(b));
                    face(&|at| least(both(low(at))), &|at| most(both(low(at))));
                    face(&|at| least(both(high(at))), &|at| most(both(high(at))));
                }
            }
            if left.is_none() || line.fence {
                scene.walls.push([line.a.x, line.a.y, line.b.x, line.b.y]);
            }
        }
        scene
    }

    /// A map of Quake: every face of the world.
    pub fn of_bsp(map: &Bsp) -> Self {
        let mut scene = Scene { eye_m: QUAKE_EYE / QUAKE_PER_METRE, ..Scene::default() };
        for face in map.faces_of(0) {
            let metres: Vec<[f64; 3]> =
                face.iter().map(|point| point.map(|x| f64::from(x) / QUAKE_PER_METRE)).collect();
            // Upright faces are walls from above: their lower edges.
            for (k, a) in metres.iter().enumerate() {
                let b = metres[(k + 1) % metres.len()];
                let lowest = metres.iter().map(|point| point[2]).fold(f64::INFINITY, f64::min);
                let upright = metres.iter().any(|point| point[2] > lowest + 0.8);
                if upright && (a[2] - lowest).abs() < 0.01 && (b[2] - lowest).abs() < 0.01 {
                    scene.walls.push([a[0], a[1], b[0], b[1]]);
                }
            }
            scene.faces.push(metres);
        }
        scene
    }

    pub(super) fn json(&self) -> Value {
        let cm = |m: &f64| (100.0 * m).round() as i64;
        let faces: Vec<Vec<i64>> =
            self.faces.iter().map(|face| face.iter().flatten().map(cm).collect()).collect();
        let walls: Vec<Vec<i64>> = self.walls.iter().map(|wall| wall.iter().map(cm).collect()).collect();
        json!({ "faces": faces, "walls": walls, "eye": cm(&self.eye_m) })
    }
}

#[cfg(test)]
mod tests {
    use repertoire_worlds::arena::map::file;

    use super::*;

    #[test]
    fn a_step_between_two_floors_is_a_face_and_no_wall() {
        let written = "name = \"two\"\n[[area]]\nname = \"hall\"\nceiling = 4\nrect = [0, 0, 12, 8]\n\
            [[area]]\nname = \"stage\"\ninside = \"hall\"\nrect = [8, 2, 2, 2]\nfloor = 1\n[[start]]\nat = [2, 4]\n";
        let map = file::read(written).expect("a map").map;
        let scene = Scene::of_map(&map);
        let top = |face: &Vec<[f64; 3]>| face.iter().map(|point| point[2]).fold(0.0, f64::max);
        let (steps, walls): (Vec<_>, Vec<_>) = scene.faces.iter().partition(|face| top(face) <= 1.0);
        assert_eq!((steps.len(), walls.len(), scene.walls.len()), (4, 4, 4));
    }
}
