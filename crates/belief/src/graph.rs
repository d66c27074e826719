//! Places: any graph of positions with neighbours, and how far it is from one to another along it.
//!
//! A grid, navigation points, the areas of a mesh or learned nodes all become this. Distances follow links both ways,
//! from centre to centre; between parts that no link joins it is the straight line.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A graph of places.
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
        let mut best = vec![f64::INFINITY; n];
        let mut queue = BinaryHeap::new();
        for (from, row) in table.chunks_exact_mut(n.max(1)).enumerate() {
            best.fill(f64::INFINITY);
            best[from] = 0.0;
            // Bits of numbers that are not negative are in their order.
            queue.push(Reverse((0u64, from as u32)));
            while let Some(Reverse((bits, at))) = queue.pop() {
                let far = f64::from_bits(bits);
                if far > best[at as usize] {
                    continue;
                }
                for &to in &neighbours[at as usize] {
                    let through = far + self.straight(at as usize, to as usize);
                    if through < best[to as usize] {
                        best[to as usize] = through;
                        queue.push(Reverse((through.to_bits(), to)));
                    }
                }
            }
            for (to, cell) in row.iter_mut().enumerate() {
                *cell = if best[to].is_finite() { best[to] as f32 } else { self.straight(from, to) as f32 };
            }
        }
        Distances { places: n, table }
    }
}

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
