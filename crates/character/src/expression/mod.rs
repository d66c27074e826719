//! The small language of interactions: conditions, guards and actions.
//!
//! ```text
//! condition   target.opened = false and target.locked = false
//!             actor.own(axe)            own a thing of this name or kind
//!             actor.own(target.key)     own what a property names
//!             actor.energy >= 20 or not target.locked
//! guard       distance(actor, target) <= 1       to a thing, or to the nearest of a name or kind
//! action      target.opened = true and actor.energy.add(target.energy)
//!             actor.inventory.add(target)    remove(target)
//! ```
//!
//! `actor` performs, `target` undergoes, `item` is what is handed over; any other name in front of a dot is a thing.
//! `not` is pushed inwards while reading, so that reasoning meets only tests, `and` and `or`.

mod evaluate;
mod parse;
mod show;

pub(crate) use evaluate::what;
pub use evaluate::{Change, Facts, Roles, With, apply, compare, distance, holds, resolve, term};
pub use parse::{Fault, Scope, parse_action, parse_condition};
pub use show::{show_condition, show_value};

use crate::vocabulary::{NameId, PropertyId, ThingId, Value};

/// Whom or what an expression speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Who performs the interaction; in a goal, whose goal it is.
    Actor,
    /// Who undergoes it.
    Target,
    /// What is handed over.
    Item,
    /// A thing by its name.
    Named(NameId),
}

/// What is owned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Object {
    /// This very thing.
    Who(Who),
    /// What a property names.
    Property(Who, PropertyId),
    /// Something of this name or kind.
    Word(NameId),
}

/// A value to be worked out.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// As it is written.
    Value(Value),
    /// A property.
    Property(Who, PropertyId),
    /// Two numbers together.
    Sum(Box<(Term, Term)>),
    /// One number less another.
    Difference(Box<(Term, Term)>),
    /// One number times another.
    Product(Box<(Term, Term)>),
    /// How far two are from each other; of a name or kind, the nearest. How much a goal matters may depend on it.
    Distance(Who, Who),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Op {
    /// The opposite.
    pub const fn not(self) -> Op {
        match self {
            Op::Equal => Op::Unequal,
            Op::Unequal => Op::Equal,
            Op::Less => Op::AtLeast,
            Op::AtMost => Op::More,
            Op::More => Op::AtMost,
            Op::AtLeast => Op::Less,
        }
    }

    /// The same with its sides exchanged.
    pub const fn swapped(self) -> Op {
        match self {
            Op::Less => Op::More,
            Op::AtMost => Op::AtLeast,
            Op::More => Op::Less,
            Op::AtLeast => Op::AtMost,
            same => same,
        }
    }

    /// As it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Op::Equal => "=",
            Op::Unequal => "!=",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::More => ">",
            Op::AtLeast => ">=",
        }
    }
}

/// Something that is so or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Two values compared.
    Compare(Term, Op, Term),
    /// Whether somebody owns something, or (`false`) does not.
    Owns(Who, Object, bool),
    /// How far two are from each other; of a name or kind, the nearest.
    Distance(Who, Who, Op, f64),
}

/// A condition or a guard.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// One test.
    Test(Test),
    /// All of them; none is always so.
    All(Vec<Condition>),
    /// Any of them.
    Any(Vec<Condition>),
}

impl Condition {
    /// What always holds: an empty condition.
    pub const ALWAYS: Condition = Condition::All(Vec::new());

    /// Whether it can never hold: any of nothing.
    pub fn is_never(&self) -> bool {
        matches!(self, Condition::Any(any) if any.is_empty())
    }

    /// Every test in it, in order.
    pub fn tests(&self) -> Vec<&Test> {
        match self {
            Condition::Test(test) => vec![test],
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().flat_map(|part| part.tests()).collect()
            }
        }
    }

    /// The opposite, by De Morgan's laws.
    pub fn negated(self) -> Condition {
        let all = |parts: Vec<Condition>| parts.into_iter().map(Condition::negated).collect();
        match self {
            Condition::Test(Test::Compare(left, op, right)) => {
                Condition::Test(Test::Compare(left, op.not(), right))
            }
            Condition::Test(Test::Owns(who, what, yes)) => Condition::Test(Test::Owns(who, what, !yes)),
            Condition::Test(Test::Distance(a, b, op, limit)) => {
                Condition::Test(Test::Distance(a, b, op.not(), limit))
            }
            Condition::All(parts) => Condition::Any(all(parts)),
            Condition::Any(parts) => Condition::All(all(parts)),
        }
    }
}

/// What an action changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A property gets a value.
    Set(Who, PropertyId, Term),
    /// A number is added to a property.
    Add(Who, PropertyId, Term),
    /// Somebody gets something: `actor.inventory.add(target)`.
    Gain(Who, Who),
    /// Somebody lays something down: `actor.inventory.remove(item)`.
    Lose(Who, Who),
    /// A thing is taken out of the world.
    Remove(Who),
}

/// What somebody owns, or might: a thing itself, or anything of a name or kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// This very thing.
    Thing(ThingId),
    /// Anything of this name or kind.
    Word(NameId),
}
