//! Collecting alternatives: for each thing that can be done now, everything that it leads to.
//!
//! Figure 6, for an executable action `x`:
//!
//! ```text
//! N(x) = {x} ∪ P(father(x))                     and nothing at the root
//! P(c) = N(father(c)) ∪ ⋃ E(s)                  over the other conditions s of father(c)
//! E(s) = A(f) for the f among the sons of s with the greatest Choice(A(f))
//! A(f) = {f} ∪ ⋃ E(c)                           over the conditions c of f
//! ```
//!
//! Differs from the paper: nothing. The set comes out in the order in which it would be done, `x` first; a deed that two
//! branches share is there once, since these are sets. [`Choice`] is the paper's open function.

use super::{Content, Deed, Tree};

/// Which of several ways to meet a condition is preferred: the paper's `Choice`.
pub trait Choice {
    /// The greater the better. Of equals the first is taken.
    fn score(&self, deeds: &[Deed]) -> f64;
}

/// Takes the way with the fewest deeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Choice for First {
    fn score(&self, deeds: &[Deed]) -> f64 {
        -(deeds.len() as f64)
    }
}

/// Everything that doing something now leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which goal it is for.
    pub goal: u16,
    /// The leaf it starts from.
    pub leaf: u32,
    from: u32,
    to: u32,
}

/// The alternatives of all goals, deeds one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alternatives {
    deeds: Vec<Deed>,
    all: Vec<Alternative>,
}

impl Alternatives {
    /// Forgets them, keeping the room.
    pub fn clear(&mut self) {
        self.deeds.clear();
        self.all.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them.
    pub fn all(&self) -> &[Alternative] {
        &self.all
    }

    /// The deeds of one, in the order in which they would be done; the first can be done now.
    pub fn deeds(&self, alternative: &Alternative) -> &[Deed] {
        &self.deeds[alternative.from as usize..alternative.to as usize]
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.deeds.capacity() * size_of::<Deed>() + self.all.capacity() * size_of::<Alternative>()
    }

    /// Adds those of a goal's tree.
    pub fn collect(&mut self, goal: u16, tree: &Tree, choice: &dyn Choice) {
        if !tree.is_open() {
            return;
        }
        let chosen = choose(tree, choice);
        for leaf in 1..tree.nodes.len() as u32 {
            let Content::Deed(deed) = tree.nodes[leaf as usize].content else { continue };
            if !deed.is_done() || !tree.is_leaf(leaf) {
                continue;
            }
            let from = self.deeds.len();
            self.add(from, deed);
            // Up to the goal, two levels at a time: from a deed to the condition it meets, and to who needs that.
            let mut at = leaf;
            while at != 0 {
                let condition = tree.nodes[at as usize].parent;
                let father = tree.nodes[condition as usize].parent;
                for sibling in tree.children(father) {
                    if sibling != condition {
                        self.gather(from, tree, sibling, &chosen);
                    }
                }
                if let Content::Deed(deed) = tree.nodes[father as usize].content {
                    self.add(from, deed);
                }
                at = father;
            }
            let same = |known: &&Alternative| known.goal == goal && self.deeds(known) == &self.deeds[from..];
            if self.all.iter().rev().take_while(|known| known.goal == goal).any(|known| same(&known)) {
                self.deeds.truncate(from);
                continue;
            }
            let (from, to) = (from as u32, self.deeds.len() as u32);
            self.all.push(Alternative { goal, leaf, from, to });
        }
    }

    fn add(&mut self, from: usize, deed: Deed) {
        if deed.is_done() && !self.deeds[from..].contains(&deed) {
            self.deeds.push(deed);
        }
    }

    /// `E` of a condition: the chosen deed with all that it needs, what it needs first.
    fn gather(&mut self, from: usize, tree: &Tree, condition: u32, chosen: &[u32]) {
        let best = chosen[condition as usize];
        for needed in tree.children(best) {
            self.gather(from, tree, needed, chosen);
        }
        if let Content::Deed(deed) = tree.nodes[best as usize].content {
            self.add(from, deed);
        }
    }
}

/// For each condition, the child that `Choice` prefers.
fn choose(tree: &Tree, choice: &dyn Choice) -> Vec<u32> {
    let mut chosen = vec![0; tree.nodes.len()];
    let mut scratch = Alternatives::default();
    // Children come after their parents, so backwards everything below is decided already.
    for at in (0..tree.nodes.len() as u32).rev() {
        if !matches!(tree.nodes[at as usize].content, Content::Wanted(_)) {
            continue;
        }
        let mut best: Option<(f64, u32)> = None;
        let only = tree.children(at).nth(1).is_none();
        for child in tree.children(at) {
            let score = if only {
                0.0
            } else {
                scratch.clear();
                for needed in tree.children(child) {
                    scratch.gather(0, tree, needed, &chosen);
                }
                if let Content::Deed(deed) = tree.nodes[child as usize].content {
                    scratch.add(0, deed);
                }
                choice.score(&scratch.deeds)
            };
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, child));
            }
        }
        chosen[at as usize] = best.map_or(0, |(_, child)| child);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use repertoire_prob::Stream;

    use super::super::{Node, Wanted};
    use super::*;
    use crate::vocabulary::{InteractionId, ThingId};

    /// A random and/or tree, up to a depth.
    fn random(seed: u64) -> Tree {
        fn deed(tree: &mut Tree, parent: u32, depth: u32, stream: &mut Stream) {
            let at = tree.nodes.len() as u32;
            let pick = |stream: &mut Stream, n: f64| (stream.unit() * n) as u32;
            // Few different deeds, so that branches share some.
            let content = match pick(stream, 12.0) {
                0 => Deed::Explore,
                1 if depth > 0 => Deed::Go(at as u16),
                k => Deed::Perform { interaction: InteractionId(k as u16), target: ThingId(k), item: None },
            };
            tree.nodes.push(Node { content: Content::Deed(content), parent, end: 0, depends: 0 });
            let least = u32::from(matches!(content, Deed::Go(_)));
            let conditions = if depth == 0 { 0 } else { pick(stream, 3.0).max(least) };
            (0..conditions).for_each(|_| condition(tree, at, depth - 1, stream));
            tree.nodes[at as usize].end = tree.nodes.len() as u32;
        }
        fn condition(tree: &mut Tree, parent: u32, depth: u32, stream: &mut Stream) {
            let at = tree.nodes.len() as u32;
            let content = Content::Wanted(Wanted::Found(ThingId(at)));
            tree.nodes.push(Node { content, parent, end: 0, depends: 0 });
            let deeds = 1 + (stream.unit() * 2.5) as u32;
            (0..deeds).for_each(|_| deed(tree, at, depth, stream));
            tree.nodes[at as usize].end = tree.nodes.len() as u32;
        }
        let mut stream = Stream::new(seed, 0, "tree");
        let mut tree = Tree::default();
        tree.nodes.push(Node { content: Content::Goal, parent: 0, end: 0, depends: 0 });
        let conditions = 1 + (stream.unit() * 2.0) as u32;
        (0..conditions).for_each(|_| condition(&mut tree, 0, 3, &mut stream));
        tree.nodes[0].end = tree.nodes.len() as u32;
        tree
    }

    /// Counts deeds by an odd weight, so that choices differ.
    struct Odd;
    impl Choice for Odd {
        fn score(&self, deeds: &[Deed]) -> f64 {
            deeds.iter().map(|deed| deed.target().map_or(0.5, |target| f64::from(target.0 * 7 % 5))).sum()
        }
    }

    type Set = BTreeSet<Deed>;

    fn own(tree: &Tree, node: u32) -> Set {
        match tree.nodes[node as usize].content {
            Content::Deed(deed) if deed.is_done() => Set::from([deed]),
            _ => Set::new(),
        }
    }

    /// Figure 6, letter by letter, on sets.
    fn n(tree: &Tree, x: u32) -> Set {
        if x == 0 {
            return Set::new();
        }
        let father = tree.nodes[x as usize].parent;
        &own(tree, x) | &p(tree, father)
    }
    fn p(tree: &Tree, condition: u32) -> Set {
        let father = tree.nodes[condition as usize].parent;
        let siblings = tree.children(father).filter(|&sibling| sibling != condition);
        siblings.fold(n(tree, father), |set, sibling| &set | &e(tree, sibling))
    }
    fn e(tree: &Tree, condition: u32) -> Set {
        let mut best: Option<(f64, Set)> = None;
        for son in tree.children(condition) {
            let set = a(tree, son);
            let score = Odd.score(&set.iter().copied().collect::<Vec<_>>());
            if best.as_ref().is_none_or(|(most, _)| score > *most + 1e-9) {
                best = Some((score, set));
            }
        }
        best.map(|(_, set)| set).unwrap_or_default()
    }
    fn a(tree: &Tree, deed: u32) -> Set {
        tree.children(deed).fold(own(tree, deed), |set, condition| &set | &e(tree, condition))
    }

    #[test]
    fn alternatives_are_those_of_figure_6() {
        let mut compared = 0;
        for seed in 0..400 {
            let tree = random(seed);
            let mut alternatives = Alternatives::default();
            alternatives.collect(0, &tree, &Odd);
            let found: Vec<Set> = alternatives
                .all()
                .iter()
                .map(|one| alternatives.deeds(one).iter().copied().collect())
                .collect();
            for leaf in 1..tree.nodes.len() as u32 {
                let Content::Deed(deed) = tree.nodes[leaf as usize].content else { continue };
                if deed.is_done() && tree.is_leaf(leaf) {
                    assert!(found.contains(&n(&tree, leaf)), "seed {seed} leaf {leaf}");
                    compared += 1;
                }
            }
            // The first deed is always one that can be done now, and none is there twice.
            for one in alternatives.all() {
                let deeds = alternatives.deeds(one);
                assert_eq!(tree.nodes[one.leaf as usize].content, Content::Deed(deeds[0]));
                assert_eq!(deeds.iter().collect::<BTreeSet<_>>().len(), deeds.len());
            }
        }
        assert!(compared > 1_000, "{compared}");
    }
}
