//! What is remembered of where teachers walked, and which nodes can be walked between.
//!
//! The thesis (3.3.3) does not use the edges of the gas to find ways, since two nodes can be neighbours with a wall between
//! them. Here a link is believed only if someone was seen walking it: half a second later they were nearest to the
//! other node, or they were seen on the straight way between the two and moved along it. The way back is believed too
//! if it leads down, or up by no more than a step.
//!
//! Links follow from what is remembered and from where nodes are now, so that they stay right while nodes move.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::Point;
use crate::error::PositionError;
use crate::nearest::{Index, distance_squared};

/// One player's way without interruption: a life, or what was recorded of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// When, in seconds, rising; as many as positions.
    pub secs: Vec<f64>,
    /// Where.
    pub at: Vec<Point>,
}

impl Track {
    /// A track of times and positions. Fails as [`Track::check`] does.
    ///
    /// ```
    /// use repertoire_topology::error::PositionError;
    /// use repertoire_topology::walks::Track;
    ///
    /// let track = Track::new(vec![0.0, 0.1], vec![[0.0; 3], [0.5, 0.0, 0.0]])?;
    /// assert_eq!(track.at.len(), 2);
    /// let error = Track::new(vec![0.0], vec![]).unwrap_err();
    /// assert_eq!(error, PositionError::Lengths { secs: 1, at: 0 });
    /// # Ok::<(), PositionError>(())
    /// ```
    pub fn new(secs: Vec<f64>, at: Vec<Point>) -> Result<Self, PositionError> {
        let track = Track { secs, at };
        track.check()?;
        Ok(track)
    }

    /// Whether it can be learned from: as many times as positions, and all of them numbers.
    pub fn check(&self) -> Result<(), PositionError> {
        if self.secs.len() != self.at.len() {
            return Err(PositionError::Lengths { secs: self.secs.len(), at: self.at.len() });
        }
        if let Some(&secs) = self.secs.iter().find(|secs| !secs.is_finite()) {
            return Err(PositionError::NotATime(secs));
        }
        self.at.iter().try_for_each(PositionError::check)
    }
}

/// Where someone was, and where they were a moment later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// Where they were.
    pub at: Point,
    /// Where they were a moment later.
    pub then: Point,
}

/// What of a walk belongs together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How far ahead [`Walk::then`] looks.
    pub ahead_secs: f64,
    /// After so long without a position a new track begins.
    pub gap_secs: f64,
    /// Who moves faster was carried there: a new track begins.
    pub fastest: f64,
}

/// A teacher who is being followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Follower {
    /// Positions of the last moment, oldest first.
    recent: VecDeque<(f64, Point)>,
}

impl Follower {
    /// Takes a position; gives the walks that are complete now.
    pub(crate) fn see(&mut self, secs: f64, at: Point, pace: Pace, done: &mut Vec<Walk>) {
        if let Some(&(before, from)) = self.recent.back() {
            let taken = secs - before;
            let is_carried = distance_squared(&from, &at).sqrt() > pace.fastest * taken.max(0.01);
            if taken <= 0.0 || taken > pace.gap_secs || is_carried {
                self.end(done);
            }
        }
        self.recent.push_back((secs, at));
        while let Some(&(then, from)) = self.recent.front()
            // A hair less, since times are decimal numbers.
            && secs - then >= pace.ahead_secs - 1e-6
        {
            done.push(Walk { at: from, then: at });
            self.recent.pop_front();
        }
    }

    /// The track ends: what is left looks to its last position.
    pub(crate) fn end(&mut self, done: &mut Vec<Walk>) {
        if let Some(&(_, last)) = self.recent.back() {
            done.extend(self.recent.drain(..).map(|(_, at)| Walk { at, then: last }));
        }
    }
}

/// Walks, as many as are kept: when there is no room, one chosen by chance makes room, so that old ones fade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    room: usize,
    pub(crate) walks: Vec<Walk>,
}

impl Memory {
    pub(crate) fn new(room: usize) -> Self {
        Memory { room, walks: Vec::new() }
    }

    pub(crate) fn keep(&mut self, walk: Walk, rng: &mut Stream) {
        if self.walks.len() < self.room {
            self.walks.push(walk);
        } else if self.room > 0 {
            let k = pick(self.room, rng);
            self.walks[k] = walk;
        }
    }

    pub(crate) fn draw(&self, rng: &mut Stream) -> Option<Walk> {
        if self.walks.is_empty() {
            return None;
        }
        Some(self.walks[pick(self.walks.len(), rng)])
    }
}

fn pick(count: usize, rng: &mut Stream) -> usize {
    ((rng.unit() * count as f64) as usize).min(count - 1)
}

/// A way from one node to another, in this direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkedLink {
    /// From this node.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// How often it was seen; 0 for a way back that is only believed.
    pub walked: u32,
}

/// When a link is believed.
#[derive(Clone, Copy, Debug)]
pub struct LinkRule {
    /// How many times as long as the straight way between two nodes the way over someone may be, for them to be on it.
    pub straight: f64,
    /// How much higher the end of a way back may be.
    pub step_up: f64,
}

/// The links that walks show, in the order of their nodes.
pub fn links(
    index: &Index,
    at: impl Fn(u32) -> Option<Point>,
    walks: &[Walk],
    rule: LinkRule,
) -> Vec<WalkedLink> {
    let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for walk in walks {
        let Some((first, second)) = index.two_nearest(&walk.at) else { break };
        let Some(later) = index.nearest(&walk.then) else { break };
        if later.node != first.node {
            *seen.entry((first.node, later.node)).or_default() += 1;
        }
        let (Some(a), Some(b)) = (at(first.node), at(second.node)) else { continue };
        let between = distance_squared(&a, &b).sqrt();
        if first.squared.sqrt() + second.squared.sqrt() <= rule.straight * between {
            let along: f64 = (0..3).map(|k| (walk.then[k] - walk.at[k]) * (b[k] - a[k])).sum();
            // Who changed over was counted above.
            if along > 0.0 && later.node != second.node {
                *seen.entry((first.node, second.node)).or_default() += 1;
            } else if along < 0.0 {
                *seen.entry((second.node, first.node)).or_default() += 1;
            }
        }
    }
    let walked: Vec<(u32, u32)> = seen.keys().copied().collect();
    for (from, to) in walked {
        if let (Some(a), Some(b)) = (at(from), at(to))
            && a[2] - b[2] <= rule.step_up
        {
            seen.entry((to, from)).or_insert(0);
        }
    }
    seen.into_iter().map(|((from, to), walked)| WalkedLink { from, to, walked }).collect()
}

/// Ground on which somebody was.
pub struct WalkedGround {
    width: f64,
    cells: BTreeSet<[i64; 3]>,
}

impl WalkedGround {
    /// The ground around positions, up to one or two widths from them.
    pub fn of(positions: impl Iterator<Item = Point>, width: f64) -> Self {
        let mut known = WalkedGround { width, cells: BTreeSet::new() };
        for at in positions {
            let cell = known.cell(&at);
            known.cells.insert(cell);
        }
        known
    }

    /// Four times as high as wide, since people jump.
    fn cell(&self, at: &Point) -> [i64; 3] {
        [at[0] / self.width, at[1] / self.width, at[2] / (4.0 * self.width)].map(|x| x.floor() as i64)
    }

    fn holds(&self, at: &Point) -> bool {
        let [x, y, z] = self.cell(at);
        let around = -1..=1;
        around.clone().any(|i| {
            let mut beside = around.clone().flat_map(|j| around.clone().map(move |k| [x + i, y + j, z + k]));
            beside.any(|cell| self.cells.contains(&cell))
        })
    }

    /// Which share of the straight way between two positions is on this ground.
    pub fn clear(&self, a: &Point, b: &Point) -> f64 {
        let length = distance_squared(a, b).sqrt();
        let steps = (length / self.width).ceil().clamp(1.0, 1000.0) as u32;
        let at =
            |k: u32| [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * f64::from(k) / f64::from(steps));
        let known = (0..=steps).filter(|&k| self.holds(&at(k))).count();
        known as f64 / f64::from(steps + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { ahead_secs: 0.5, gap_secs: 1.0, fastest: 100.0 };
    const RULE: LinkRule = LinkRule { straight: 1.1, step_up: 1.0 };

    fn follow(positions: &[(f64, f64)]) -> Vec<Walk> {
        let (mut follower, mut done) = (Follower::default(), Vec::new());
        for &(secs, x) in positions {
            follower.see(secs, [x, 0.0, 0.0], PACE, &mut done);
        }
        follower.end(&mut done);
        done
    }

    #[test]
    fn a_walk_looks_half_a_second_ahead_at_any_rate() {
        let walks = follow(&(0..20).map(|k| (0.1 * f64::from(k), f64::from(k))).collect::<Vec<_>>());
        assert_eq!(walks.len(), 20);
        assert_eq!(walks[3], Walk { at: [3.0, 0.0, 0.0], then: [8.0, 0.0, 0.0] });
        assert_eq!(walks[17].then[0], 19.0, "at the end there is no more to see");
        let slow = follow(&[(0.0, 0.0), (0.7, 7.0), (1.4, 14.0)]);
        assert_eq!(slow[0], Walk { at: [0.0; 3], then: [7.0, 0.0, 0.0] });
    }

    #[test]
    fn a_pause_a_new_life_and_a_teleporter_cut_a_walk() {
        // A pause of 5 s; a jump of 500 in 0.1 s; a clock that begins again.
        let walks = follow(&[(0.0, 0.0), (5.0, 1.0), (5.1, 2.0), (5.2, 502.0), (5.3, 503.0), (0.0, 504.0)]);
        let pairs: Vec<(f64, f64)> = walks.iter().map(|walk| (walk.at[0], walk.then[0])).collect();
        assert_eq!(
            pairs,
            [(0.0, 0.0), (1.0, 2.0), (2.0, 2.0), (502.0, 503.0), (503.0, 503.0), (504.0, 504.0)]
        );
    }

    #[test]
    fn a_way_is_clear_where_somebody_was() {
        // Along x up to 10, then along y.
        let walked = (0..40).map(|k| {
            if k < 20 { [0.5 * f64::from(k), 0.0, 0.0] } else { [10.0, 0.5 * f64::from(k - 20), 0.0] }
        });
        let known = WalkedGround::of(walked, 0.5);
        assert_eq!(known.clear(&[0.0; 3], &[10.0, 0.0, 0.0]), 1.0);
        let across = known.clear(&[0.0; 3], &[10.0, 9.0, 0.0]);
        assert!(across < 0.3, "nobody cut the corner: {across}");
        assert_eq!(known.clear(&[0.0, 0.0, 50.0], &[10.0, 0.0, 50.0]), 0.0, "not on another floor");
    }

    fn linked(nodes: &[Point], walks: &[Walk]) -> Vec<(u32, u32, u32)> {
        let index = Index::of(nodes);
        links(&index, |node| nodes.get(node as usize).copied(), walks, RULE)
            .iter()
            .map(|link| (link.from, link.to, link.walked))
            .collect()
    }

    #[test]
    fn only_what_was_walked_is_a_link_however_near_nodes_are() {
        let nodes = [[0.0; 3], [10.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
        let walks = [Walk { at: [1.0, 0.0, 0.0], then: [9.0, 0.0, 0.0] }];
        assert_eq!(linked(&nodes, &walks), [(0, 1, 1), (1, 0, 0)]);
    }

    #[test]
    fn who_is_seen_between_two_nodes_walks_the_way_he_moves() {
        let nodes = [[0.0; 3], [10.0, 0.0, 5.0]];
        let at = [4.0, 0.0, 2.0];
        // Down, without arriving: the way up is no step, and nobody was seen to climb it.
        assert_eq!(linked(&nodes, &[Walk { at, then: [3.0, 0.0, 1.5] }]), [(1, 0, 1)]);
        assert_eq!(linked(&nodes, &[Walk { at, then: [4.5, 0.0, 2.2] }]), [(0, 1, 1), (1, 0, 0)]);
        assert_eq!(linked(&nodes, &[Walk { at, then: at }]), [], "who stands walks nowhere");
        let beside = [4.0, 6.0, 2.0];
        assert_eq!(linked(&nodes, &[Walk { at: beside, then: [5.0, 6.0, 2.0] }]), [], "too far from the way");
    }
}
