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
