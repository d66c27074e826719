//! Places: any graph of positions with neighbours, and how far it is from one to another along it.
//!
//! A grid, navigation points, the areas of a mesh or learned nodes all become this. Distances follow links both ways,
//! from centre to centre. A part that no link joins to the rest, such as the six areas of de_dust2's mesh that have no connection, is
//! joined to the nearest place outside of it: people walk there all the same, and a straight line to everywhere would make such a
//! place the nearest to all others.

use std::cmp::Ordering;
use std::ops::Add;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shortest::Shortest;

/// A graph of places.
///
/// ```
/// use repertoire_belief::Graph;
/// // Two rooms with a corridor between them.
/// let map = Graph {
///     ids: vec![7, 8, 9],
///     centres: vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0]],
///     links: vec![vec![1], vec![2], vec![]],
///     names: vec![String::new(); 3],
/// };
/// assert_eq!(map.straight(0, 2), 5.0);
/// assert_eq!(map.distances().between(0, 2), 7.0, "along the links");
/// assert_eq!(map.neighbours()[1], [0, 2], "links are taken both ways");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Graph {
    /// What the source calls each place: the id of a mesh's area, say.
    pub ids: Vec<u32>,
    /// Its centre.
    pub centres: Vec<[f64; 3]>,
    /// Its neighbours, as the source links them.
    pub links: Vec<Vec<u32>>,
    /// What people call the part of the map it is in; may be empty.
    pub names: Vec<String>,
}

impl Graph {
    /// How many places.
    pub fn len(&self) -> usize {
        self.centres.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }

    /// The place that a source calls so.
    pub fn find(&self, id: u32) -> Option<usize> {
        self.ids.iter().position(|&known| known == id)
    }

    /// The straight line between two centres.
    pub fn straight(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.centres[a], self.centres[b]);
        let square = |k: usize| (a[k] - b[k]) * (a[k] - b[k]);
        (square(0) + square(1) + square(2)).sqrt()
    }

    /// Neighbours with links taken both ways, each once, in ascending order.
    pub fn neighbours(&self) -> Vec<Vec<u32>> {
        let mut both = self.links.clone();
        for (from, links) in self.links.iter().enumerate() {
            links.iter().for_each(|&to| both[to as usize].push(from as u32));
        }
        for (from, links) in both.iter_mut().enumerate() {
            links.sort_unstable();
            links.dedup();
            links.retain(|&to| to as usize != from);
        }
        both
    }

    /// The shortest way between all pairs: `[from][to]`.
    pub fn distances(&self) -> Distances {
        let n = self.len();
        let mut neighbours = self.neighbours();
        self.join_parts(&mut neighbours);
        let mut table = vec![f32::INFINITY; n * n];
        let mut ways = Shortest::new(n);
        for (from, row) in table.chunks_exact_mut(n.max(1)).enumerate() {
            ways.search(from as u32, None, |at| {
                let length = move |to: u32| Length(self.straight(at as usize, to as usize));
                neighbours[at as usize].iter().map(move |&to| (to, length(to)))
            });
            for (to, cell) in row.iter_mut().enumerate() {
                *cell = ways.length(to as u32).map_or_else(|| self.straight(from, to), |far| far.0) as f32;
            }
        }
        Distances { places: n, table }
    }

    /// Adds the shortest links that make one part of several, the part with the fewest places first.
    fn join_parts(&self, neighbours: &mut [Vec<u32>]) {
        loop {
            let part_of = parts(neighbours);
            let count = part_of.iter().max().map_or(0, |last| last + 1);
            if count < 2 {
                return;
            }
            let size = |part: usize| part_of.iter().filter(|of| **of == part).count();
            let smallest = (0..count).min_by_key(|&part| size(part)).unwrap_or(0);
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..self.len()).partition(|&at| part_of[at] == smallest);
            let pairs = inside.iter().flat_map(|&a| outside.iter().map(move |&b| (a, b)));
            let far = |&(a, b): &(usize, usize)| Length(self.straight(a, b));
            let Some((a, b)) = pairs.min_by_key(far) else { return };
            neighbours[a].push(b as u32);
            neighbours[b].push(a as u32);
        }
    }
}

/// Which part each place belongs to: parts are numbered in the order of their first places.
fn parts(neighbours: &[Vec<u32>]) -> Vec<usize> {
    let mut part_of = vec![usize::MAX; neighbours.len()];
    let (mut count, mut open) = (0, Vec::new());
    for first in 0..neighbours.len() {
        if part_of[first] != usize::MAX {
            continue;
        }
        part_of[first] = count;
        open.push(first);
        while let Some(at) = open.pop() {
            for &to in &neighbours[at] {
                if part_of[to as usize] == usize::MAX {
                    part_of[to as usize] = count;
                    open.push(to as usize);
                }
            }
        }
        count += 1;
    }
    part_of
}

/// The length of a way, in order; centres that are not numbers are farther than all others.
#[derive(Clone, Copy, Debug, Default)]
struct Length(f64);

impl Add for Length {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Length(self.0 + other.0)
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Length {}

/// How far it is between all pairs of places.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    places: usize,
    table: Vec<f32>,
}

impl Distances {
    /// From one place to another; the same both ways up to rounding.
    #[inline]
    pub fn between(&self, from: usize, to: usize) -> f64 {
        f64::from(self.table[from * self.places + to])
    }

    /// From one place to all.
    #[inline]
    pub fn from(&self, from: usize) -> &[f32] {
        &self.table[from * self.places..][..self.places]
    }

    /// How many places.
    pub fn places(&self) -> usize {
        self.places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two corridors side by side and a place of its own between them, of which no link tells.
    #[test]
    fn parts_that_no_link_joins_are_reached_by_their_nearest_places() {
        let graph = Graph {
            ids: (0..5).collect(),
            centres: vec![[0.0; 3], [10.0, 0.0, 0.0], [0.0, 8.0, 0.0], [10.0, 8.0, 0.0], [9.0, 3.0, 0.0]],
            links: vec![vec![1], vec![], vec![3], vec![], vec![]],
            names: vec![String::new(); 5],
        };
        let distances = graph.distances();
        let (to_place, to_other) = (10f64.sqrt(), 26f64.sqrt());
        assert!((distances.between(0, 4) - (10.0 + to_place)).abs() < 1e-5, "not the straight line of 9.5");
        assert!((distances.between(0, 2) - (20.0 + to_place + to_other)).abs() < 1e-5);
        assert_eq!(distances.between(2, 0), distances.between(0, 2), "the same both ways");
    }
}
