//! Reasoning: from a goal back to what can be done now, as an and/or tree.
//!
//! *The planner computes the possible alternatives from the character's abilities and what is in its memory*
//! (definition 4). The root is the goal; below it levels alternate: what is **wanted** (any one of its children brings it
//! about) and **deeds** (all of their children are needed first). Leaves are what can be done now (section 4.1.1).
//!
//! | paper                         | code                       |
//! |-------------------------------|----------------------------|
//! | or node, a condition          | [`Wanted`]                 |
//! | and node, an action           | [`Deed`]                   |
//! | executable action             | a deed without children    |
//! | `N`, `P`, `E`, `A` (figure 6) | [`alternatives`]           |
//! | `Choice`                      | [`Choice`], open           |
//! | movement put into the plan    | [`Wanted::Way`] (figure 4) |
//!
//! Differs from the paper: walking to a target that can be reached freely is no node of its own, since every deed may
//! need it and no printed number of the paper counts it; only a way that is barred is, with what opens it below, and a
//! walk that is itself what a goal asks for ([`Deed::Approach`], [`Deed::Avoid`]). What must be given up (`not
//! actor.own(key)`) is given up last: the other conditions stand below it, since they may need it. What comes up
//! again below itself is a cycle and ends there; depth, nodes and targets are bounded by counts ([`Limits`]).

pub mod alternatives;
mod grow;
mod show;

pub use alternatives::{Alternative, Alternatives, Choice, First};
pub use grow::grow;
pub use show::{deed_label, dot, outline, wanted_label};

use crate::expression::{Op, Roles, What};
use crate::vocabulary::{InteractionId, PropertyId, ThingId, Value};

/// Something that must be brought about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// A property with a value.
    Value {
        /// Whose.
        thing: ThingId,
        /// Which.
        property: PropertyId,
        /// How it must compare
        op: Op,
        /// with this.
        value: Value,
    },
    /// Somebody with something, or (`false`) without it.
    Owns {
        /// Who.
        who: ThingId,
        /// What.
        what: What,
        /// Whether it is to be owned.
        yes: bool,
    },
    /// The character at some distance from a thing, or from the nearest of a name or kind.
    Distance {
        /// From what.
        what: What,
        /// How it must compare
        op: Op,
        /// with so many places.
        limit: f64,
    },
    /// A way to a thing, or (`None`) to what was never seen, that is barred now.
    Way(Option<ThingId>),
    /// Something that does not bar the way.
    Passable(ThingId),
    /// A thing whose place is known.
    Found(ThingId),
    /// Any of several conditions: an `or` of a goal or an interaction.
    Either {
        /// Which `or`.
        source: u32,
        /// Who plays which part.
        roles: Roles,
    },
}

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// An interaction with a target.
    Perform {
        /// Which.
        interaction: InteractionId,
        /// With whom or what.
        target: ThingId,
        /// What is handed over.
        item: Option<ThingId>,
    },
    /// Looking for what is not known.
    Explore,
    /// One of several ways, through what bars it. Not done itself; it keeps together what it needs.
    Go(u16),
    /// One case of an `or`. Not done itself either.
    Case(u16),
    /// Walking to a thing for its own sake: a goal is to be there.
    Approach(ThingId),
    /// Walking away from a thing, or from all of a name or kind.
    Avoid(What),
}

impl Deed {
    /// Whether it is something that is done, not only a way to keep conditions together.
    pub fn is_done(self) -> bool {
        !matches!(self, Deed::Go(_) | Deed::Case(_))
    }

    /// Whom or what it is done to.
    pub fn target(self) -> Option<ThingId> {
        match self {
            Deed::Perform { target, .. } | Deed::Approach(target) => Some(target),
            _ => None,
        }
    }
}

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// The goal at the root.
    Goal,
    /// A condition.
    Wanted(Wanted),
    /// An action.
    Deed(Deed),
}

/// A node. The tree is stored in the order of a walk through it, parents first, so that a branch is a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub content: Content,
    /// Its parent.
    pub parent: u32,
    /// Where its branch ends.
    pub end: u32,
    /// What the branch was worked out from: bits of [`crate::memory::changed`].
    pub depends: u64,
}

/// Bounds, as counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Conditions below one another.
    pub depth: usize,
    /// Nodes of a goal's tree.
    pub nodes: usize,
    /// Targets tried for one interaction, the nearest first.
    pub targets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 32, nodes: 4096, targets: 12 }
    }
}

/// What reasoning found for one goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The nodes; the first is the goal.
    pub nodes: Vec<Node>,
    /// Whether the goal holds.
    pub met: bool,
    /// Whether a bound cut something off.
    pub cut: bool,
    /// How many nodes were taken over from the tree before.
    pub reused: usize,
}

impl Tree {
    /// The children of a node.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.nodes.get(node as usize).map_or(0, |found| found.end);
        let mut at = node + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let child = at;
            at = self.nodes[child as usize].end;
            Some(child)
        })
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].end == node + 1
    }

    /// Whether there is anything to do for this goal.
    pub fn is_open(&self) -> bool {
        !self.met && self.nodes.len() > 1
    }

    /// Whether nothing below the goal was worked out from what changed.
    pub fn is_kept_below(&self, changed: u64) -> bool {
        self.children(0).all(|child| self.nodes[child as usize].depends & changed == 0)
    }

    /// What the tree was worked out from.
    pub fn depends(&self) -> u64 {
        self.nodes.first().map_or(crate::memory::changed::ALL, |root| root.depends)
    }
}
