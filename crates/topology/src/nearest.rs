//! The two nodes nearest to a position, through a hashed grid of cubes.
//!
//! Nodes of a map lie about as far from each other as its size and the learner's patience allow, so that a cube as
//! wide as their usual spacing holds a few of them, and the two nearest are found in the cubes around a position
//! whatever the number of nodes. The answer is exact: cubes are looked through in shells until no node beyond them
//! could be nearer, and of nodes equally near the one with the lower number wins, as in a walk over all of them. Neither
//! the width of the cubes nor the order of the table can change an answer.

use crate::Point;

/// Below this many nodes a walk over all of them is faster.
const FEW: usize = 64;

/// The square of the distance between two positions.
#[inline]
pub fn distance_squared(a: &Point, b: &Point) -> f64 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}

/// A node and the square of its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The node's number.
    pub node: u32,
    /// The square of its distance from the position.
    pub squared: f64,
}

impl Near {
    const NONE: Near = Near { node: u32::MAX, squared: f64::INFINITY };

    /// Nearer, or as near with a lower number.
    fn is_before(&self, other: &Near) -> bool {
        (self.squared, self.node) < (other.squared, other.node)
    }

    fn found(self) -> Option<Near> {
        (self.node != u32::MAX).then_some(self)
    }
}

/// The best two so far.
#[derive(Clone, Copy)]
struct Best {
    first: Near,
    second: Near,
}

impl Best {
    const NONE: Best = Best { first: Near::NONE, second: Near::NONE };

    #[inline]
    fn offer(&mut self, near: Near) {
        if near.is_before(&self.first) {
            self.second = self.first;
            self.first = near;
        } else if near.is_before(&self.second) {
            self.second = near;
        }
    }
}

type Cube = [i64; 3];

/// Positions of nodes, some of whose numbers may be free, and a grid to find them by.
///
/// ```
/// use repertoire_topology::Index;
/// let mut nodes = Index::of(&[[0.0; 3], [10.0, 0.0, 0.0]]);
/// assert_eq!(nodes.nearest(&[6.0, 0.0, 0.0]).map(|near| near.node), Some(1));
/// nodes.remove(1);
/// assert_eq!(nodes.nearest(&[6.0, 0.0, 0.0]).map(|near| near.node), Some(0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Index {
    points: Vec<Option<Point>>,
    count: usize,
    /// The width of a cube; 0 while there are few nodes and no grid.
    width: f64,
    /// How many nodes the grid was laid out for.
    laid_out_for: usize,
    cubes: Vec<Cube>,
    /// A power of two of short lists.
    table: Vec<Vec<u32>>,
}

impl Index {
    /// An index of nodes 0, 1, 2...
    pub fn of(points: &[Point]) -> Self {
        let mut index = Index::default();
        for (node, &point) in points.iter().enumerate() {
            index.put(node as u32, point);
        }
        index
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a node under a free number, or moves the node that has it.
    pub fn put(&mut self, node: u32, point: Point) {
        let slot = node as usize;
        if slot >= self.points.len() {
            self.points.resize(slot + 1, None);
            self.cubes.resize(slot + 1, [0; 3]);
        }
        let is_new = self.points[slot].replace(point).is_none();
        self.count += usize::from(is_new);
        if self.width > 0.0 {
            let cube = cube_of(&point, self.width);
            if is_new {
                self.enter(node, cube);
            } else if cube != self.cubes[slot] {
                self.leave(node);
                self.enter(node, cube);
            }
        }
        if is_new && self.count >= FEW && self.count >= 2 * self.laid_out_for {
            self.lay_out();
        }
    }

    /// Takes a node out.
    pub fn remove(&mut self, node: u32) {
        if self.points.get_mut(node as usize).and_then(Option::take).is_some() {
            self.count -= 1;
            if self.width > 0.0 {
                self.leave(node);
            }
        }
    }

    /// The nearest node.
    pub fn nearest(&self, to: &Point) -> Option<Near> {
        self.search(to, 1).first.found()
    }

    /// The nearest node and the next; `None` with fewer than two.
    pub fn two_nearest(&self, to: &Point) -> Option<(Near, Near)> {
        let best = self.search(to, 2);
        Some((best.first.found()?, best.second.found()?))
    }

    fn enter(&mut self, node: u32, cube: Cube) {
        self.cubes[node as usize] = cube;
        let slot = hash(&cube) & (self.table.len() - 1);
        self.table[slot].push(node);
    }

    fn leave(&mut self, node: u32) {
        let slot = hash(&self.cubes[node as usize]) & (self.table.len() - 1);
        self.table[slot].retain(|&other| other != node);
    }

    /// Chooses the width of cubes by how far some of the nodes are from their nearest neighbour, and fills the grid.
    fn lay_out(&mut self) {
        let step = (self.count / FEW).max(1);
        let (mut total, mut asked) = (0.0, 0);
        for point in self.points.iter().flatten().step_by(step) {
            if let Some((_, other)) = self.two_nearest(point) {
                total += other.squared.sqrt();
                asked += 1;
            }
        }
        let width = 1.5 * total / f64::from(asked.max(1));
        self.laid_out_for = self.count;
        // Nodes all in one place: a grid would have a single cube.
        self.width = if width > 1e-9 { width } else { 0.0 };
        if self.width == 0.0 {
            return;
        }
        self.table = vec![Vec::new(); (2 * self.count).next_power_of_two()];
        for node in 0..self.points.len() {
            if let Some(point) = self.points[node] {
                self.enter(node as u32, cube_of(&point, self.width));
            }
        }
    }

    fn search(&self, to: &Point, wanted: usize) -> Best {
        if self.width == 0.0 || self.count < FEW {
            return self.walk_over_all(to);
        }
        let mut best = Best::NONE;
        let centre = cube_of(to, self.width);
        // From the position to the nearest side of its own cube.
        let inside = (0..3)
            .map(|k| {
                let from = to[k] - centre[k] as f64 * self.width;
                from.min(self.width - from)
            })
            .fold(f64::INFINITY, f64::min)
            .max(0.0);
        let mut looked_at = 0;
        for shell in 0i64.. {
            let side = 2 * shell as usize + 1;
            looked_at += side * side * side;
            if looked_at > 4 * self.count {
                // Far from everything, or an odd layout: no worse than a walk over all.
                return self.walk_over_all(to);
            }
            self.look_through(&centre, shell, to, &mut best);
            let last = if wanted == 1 { best.first } else { best.second };
            // Beyond this shell everything is at least so far; less a crumb for rounding.
            let beyond = (inside + shell as f64 * self.width) * (1.0 - 1e-9);
            if last.squared < beyond * beyond {
                break;
            }
        }
        best
    }

    /// The cubes whose farthest coordinate is `shell` cubes from the centre.
    fn look_through(&self, centre: &Cube, shell: i64, to: &Point, best: &mut Best) {
        for x in -shell..=shell {
            for y in -shell..=shell {
                let is_side = x.abs() == shell || y.abs() == shell;
                let step = if is_side || shell == 0 { 1 } else { 2 * shell as usize };
                for z in (-shell..=shell).step_by(step) {
                    let cube = [
                        centre[0].saturating_add(x),
                        centre[1].saturating_add(y),
                        centre[2].saturating_add(z),
                    ];
                    for &node in &self.table[hash(&cube) & (self.table.len() - 1)] {
                        if self.cubes[node as usize] == cube
                            && let Some(point) = &self.points[node as usize]
                        {
                            best.offer(Near { node, squared: distance_squared(point, to) });
                        }
                    }
                }
            }
        }
    }

    fn walk_over_all(&self, to: &Point) -> Best {
        let mut best = Best::NONE;
        for (node, point) in self.points.iter().enumerate() {
            if let Some(point) = point {
                best.offer(Near { node: node as u32, squared: distance_squared(point, to) });
            }
        }
        best
    }
}

fn cube_of(point: &Point, width: f64) -> Cube {
    point.map(|x| (x / width).floor() as i64)
}

fn hash(cube: &Cube) -> usize {
    let mixed = cube
        .iter()
        .fold(0u64, |hash, &x| (hash.rotate_left(23) ^ x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_walking(points: &[Option<Point>], to: &Point) -> Vec<u32> {
        let mut near: Vec<(f64, u32)> = points
            .iter()
            .enumerate()
            .filter_map(|(node, point)| point.map(|point| (distance_squared(&point, to), node as u32)))
            .collect();
        near.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        near.iter().map(|&(_, node)| node).collect()
    }

    fn coordinate() -> impl Strategy<Value = f64> {
        // Coarse steps, so that ties happen; and some far away.
        prop_oneof![8 => (-40i32..40).prop_map(|x| f64::from(x) * 25.0), 1 => -1e6..1e6f64]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_grid_answers_as_a_walk_over_all_nodes(
            changes in prop::collection::vec((any::<bool>(), 0u32..300, [coordinate(), coordinate(), coordinate()]), 1..700),
            asked in prop::collection::vec([coordinate(), coordinate(), coordinate()], 1..20),
        ) {
            let mut index = Index::default();
            let mut points = vec![None; 300];
            for (remove, node, point) in changes {
                // Mostly additions, so that there is a grid.
                if remove && node % 4 == 0 {
                    index.remove(node);
                    points[node as usize] = None;
                } else {
                    index.put(node, point);
                    points[node as usize] = Some(point);
                }
            }
            for to in asked {
                let truth = by_walking(&points, &to);
                prop_assert_eq!(index.nearest(&to).map(|near| near.node), truth.first().copied());
                let two = index.two_nearest(&to).map(|(a, b)| [a.node, b.node].to_vec());
                prop_assert_eq!(two, (truth.len() > 1).then(|| truth[..2].to_vec()));
            }
        }
    }

    #[test]
    fn a_grid_is_used_and_looks_at_few_nodes() {
        let points: Vec<Point> =
            (0..10_000).map(|k| [f64::from(k % 100) * 10.0, f64::from(k / 100) * 10.0, 0.0]).collect();
        let index = Index::of(&points);
        assert!(index.width > 0.0);
        let fullest = index.table.iter().map(Vec::len).max();
        assert!(fullest < Some(24), "{fullest:?}");
        assert_eq!(index.nearest(&[504.0, 301.0, 3.0]).map(|near| near.node), Some(3050));
    }

    #[test]
    fn nodes_in_one_place_are_found_too() {
        let index = Index::of(&[[1.0; 3]; 200]);
        let (first, second) = index.two_nearest(&[2.0; 3]).expect("two");
        assert_eq!((first.node, second.node), (0, 1));
    }
}
