//! Places: any graph of positions with neighbours, and how far it is from one to another along it.
//!
//! A grid, navigation points, the areas of a mesh or learned nodes all become this. Distances follow links both ways,
//! from centre to centre; between parts that no link joins it is the straight line.

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
        let neighbours = self.neighbours();
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
