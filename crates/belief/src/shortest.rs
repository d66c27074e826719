//! Shortest ways from one node of a graph to all others: Dijkstra's search, for everybody who needs one.
//!
//! Of nodes equally far the one with the smaller number is visited first, and of equally long ways the one found first
//! is kept, so that results do not depend on anything but the graph. Cost: O((nodes + links) log nodes).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

/// Shortest ways from one node. Reused for the next search, it allocates nothing.
///
/// ```
/// use repertoire_belief::shortest::Shortest;
///
/// let links: [&[(u32, u32)]; 4] = [&[(1, 5), (2, 1)], &[], &[(1, 2)], &[]];
/// let mut ways = Shortest::new(links.len());
/// ways.search(0, None, |node| links[node as usize].iter().copied());
/// assert_eq!(ways.length(1), Some(3));
/// assert_eq!(ways.way(1), Some(vec![0, 2, 1]));
/// assert_eq!(ways.length(3), None);
/// ```
#[derive(Clone, Debug)]
pub struct Shortest<C> {
    best: Vec<Option<C>>,
    before: Vec<u32>,
    queue: BinaryHeap<Reverse<(C, u32)>>,
}

impl<C: Copy + Ord + Default + Add<Output = C>> Shortest<C> {
    /// Room for a graph of some nodes.
    pub fn new(nodes: usize) -> Self {
        Shortest { best: vec![None; nodes], before: vec![0; nodes], queue: BinaryHeap::new() }
    }

    /// Searches from a node; what was found before is forgotten. With a goal it ends there: then only what concerns the
    /// goal is final.
    ///
    /// `links` gives the nodes next to one, each with the length of the link, which must not be negative.
    pub fn search<I: IntoIterator<Item = (u32, C)>>(
        &mut self,
        from: u32,
        goal: Option<u32>,
        mut links: impl FnMut(u32) -> I,
    ) {
        self.best.fill(None);
        self.queue.clear();
        self.best[from as usize] = Some(C::default());
        self.before[from as usize] = from;
        self.queue.push(Reverse((C::default(), from)));
        while let Some(Reverse((far, at))) = self.queue.pop() {
            if Some(at) == goal {
                break;
            }
            if self.best[at as usize].is_some_and(|best| far > best) {
                continue;
            }
            for (to, length) in links(at) {
                let through = far + length;
                if self.best[to as usize].is_none_or(|best| through < best) {
                    self.best[to as usize] = Some(through);
                    self.before[to as usize] = at;
                    self.queue.push(Reverse((through, to)));
                }
            }
        }
    }

    /// How long the shortest way to a node is, if there is one.
    pub fn length(&self, to: u32) -> Option<C> {
        self.best[to as usize]
    }

    /// The nodes of the shortest way to a node, both ends included, if there is one.
    pub fn way(&self, to: u32) -> Option<Vec<u32>> {
        self.best[to as usize]?;
        let mut way = vec![to];
        let mut at = to;
        while self.before[at as usize] != at {
            at = self.before[at as usize];
            way.push(at);
        }
        way.reverse();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use repertoire_prob::Stream;

    use super::*;

    /// The lengths of all shortest ways, by relaxing every link as often as there are nodes.
    fn brute_force(links: &[Vec<(u32, u32)>], from: u32) -> Vec<Option<u32>> {
        let mut best = vec![None; links.len()];
        best[from as usize] = Some(0);
        for _ in 0..links.len() {
            for at in 0..links.len() {
                let Some(far) = best[at] else { continue };
                for &(to, length) in &links[at] {
                    let old: &mut Option<u32> = &mut best[to as usize];
                    *old = Some(old.map_or(far + length, |old| old.min(far + length)));
                }
            }
        }
        best
    }

    #[test]
    fn lengths_agree_with_brute_force_and_ways_are_as_long() {
        for seed in 0..50 {
            let mut rng = Stream::new(seed, 0, "graph");
            let mut below = |n: usize| (rng.unit() * n as f64) as u32;
            let nodes = 2 + below(20) as usize;
            let links: Vec<Vec<(u32, u32)>> =
                (0..nodes).map(|_| (0..below(4)).map(|_| (below(nodes), below(6))).collect()).collect();
            let mut ways = Shortest::new(nodes);
            for from in 0..nodes as u32 {
                ways.search(from, None, |at| links[at as usize].iter().copied());
                let truth = brute_force(&links, from);
                for to in 0..nodes as u32 {
                    assert_eq!(ways.length(to), truth[to as usize], "{seed}: {from} to {to}");
                    let way = ways.way(to);
                    assert_eq!(way.is_some(), truth[to as usize].is_some());
                    let Some(way) = way else { continue };
                    assert_eq!((way[0], way[way.len() - 1]), (from, to));
                    let leg = |pair: &[u32]| {
                        let leaving = links[pair[0] as usize].iter();
                        leaving.filter(|link| link.0 == pair[1]).map(|link| link.1).min().expect("a link")
                    };
                    assert_eq!(Some(way.windows(2).map(leg).sum()), truth[to as usize]);
                }
                let goal = below(nodes);
                let mut to_goal = Shortest::new(nodes);
                to_goal.search(from, Some(goal), |at| links[at as usize].iter().copied());
                assert_eq!(to_goal.length(goal), truth[goal as usize]);
            }
        }
    }
}
