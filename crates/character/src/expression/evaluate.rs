//! Working expressions out against facts: the world's, or what somebody believes of it.

use std::cmp::Ordering;

use super::{Condition, Effect, Object, Op, Term, Test, What, Who};
use crate::vocabulary::{NameId, PropertyId, ThingId, Value};

/// Facts to work expressions out against: a world, or a character's memory of it.
pub trait Facts {
    /// A property of a thing; none if either is not known.
    fn value(&self, thing: ThingId, property: PropertyId) -> Option<Value>;
    /// Whether somebody owns something.
    fn owns(&self, holder: ThingId, what: What) -> bool;
    /// The thing of a name.
    fn named(&self, name: NameId) -> Option<ThingId>;
    /// Everything of a name or kind.
    fn all_named(&self, word: NameId) -> Vec<ThingId> {
        self.named(word).into_iter().collect()
    }
    /// How far two things are from each other, as guards measure it; none if either place is not known.
    fn distance(&self, a: ThingId, b: ThingId) -> Option<f64>;
}

/// Who plays which part in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Who performs, or whose goal it is.
    pub actor: ThingId,
    /// Who undergoes.
    pub target: Option<ThingId>,
    /// What is handed over.
    pub item: Option<ThingId>,
}

/// Facts with one property changed: what if?
pub struct With<'a> {
    /// The facts.
    pub facts: &'a dyn Facts,
    /// Whose property.
    pub thing: ThingId,
    /// Which.
    pub property: PropertyId,
    /// What it would be.
    pub value: Value,
}

impl Facts for With<'_> {
    fn value(&self, thing: ThingId, property: PropertyId) -> Option<Value> {
        if thing == self.thing && property == self.property {
            return Some(self.value);
        }
        self.facts.value(thing, property)
    }
    fn owns(&self, holder: ThingId, what: What) -> bool {
        self.facts.owns(holder, what)
    }
    fn named(&self, name: NameId) -> Option<ThingId> {
        self.facts.named(name)
    }
    fn all_named(&self, word: NameId) -> Vec<ThingId> {
        self.facts.all_named(word)
    }
    fn distance(&self, a: ThingId, b: ThingId) -> Option<f64> {
        self.facts.distance(a, b)
    }
}

/// The thing that plays a part.
pub fn resolve(who: Who, roles: &Roles, facts: &dyn Facts) -> Option<ThingId> {
    match who {
        Who::Actor => Some(roles.actor),
        Who::Target => roles.target,
        Who::Item => roles.item,
        Who::Named(name) => facts.named(name),
    }
}

/// What an object is, here and now.
pub(crate) fn what(object: &Object, roles: &Roles, facts: &dyn Facts) -> Option<What> {
    match *object {
        Object::Who(who) => resolve(who, roles, facts).map(What::Thing),
        Object::Word(name) => Some(What::Word(name)),
        Object::Property(who, property) => match facts.value(resolve(who, roles, facts)?, property)? {
            Value::Name(name) => Some(What::Word(name)),
            _ => None,
        },
    }
}

/// The value of a term; none if something in it is not known or not a number where one is needed.
pub fn term(term: &Term, roles: &Roles, facts: &dyn Facts) -> Option<Value> {
    let numbers = |parts: &(Term, Term)| match (
        self::term(&parts.0, roles, facts)?,
        self::term(&parts.1, roles, facts)?,
    ) {
        (Value::Number(a), Value::Number(b)) => Some((a, b)),
        _ => None,
    };
    match term {
        Term::Value(value) => Some(*value),
        Term::Property(who, property) => facts.value(resolve(*who, roles, facts)?, *property),
        Term::Sum(parts) => numbers(parts).map(|(a, b)| Value::Number(a + b)),
        Term::Difference(parts) => numbers(parts).map(|(a, b)| Value::Number(a - b)),
        Term::Product(parts) => numbers(parts).map(|(a, b)| Value::Number(a * b)),
        Term::Distance(a, b) => distance(*a, *b, roles, facts).map(Value::Number),
    }
}

/// Whether two values stand in a relation. Values of different sorts are unequal, and in no order.
pub fn compare(left: Value, op: Op, right: Value) -> bool {
    let order = match (left, right) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(&b),
        (a, b) if a == b => Some(Ordering::Equal),
        _ => None,
    };
    match op {
        Op::Equal => order == Some(Ordering::Equal),
        Op::Unequal => order != Some(Ordering::Equal),
        Op::Less => order == Some(Ordering::Less),
        Op::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Op::More => order == Some(Ordering::Greater),
        Op::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// How far it is from one to the other, or to the nearest of those of a name or kind; none if no place is known.
pub fn distance(a: Who, b: Who, roles: &Roles, facts: &dyn Facts) -> Option<f64> {
    let all = |who: Who| match who {
        Who::Named(word) => facts.all_named(word),
        who => resolve(who, roles, facts).into_iter().collect(),
    };
    let (these, those) = (all(a), all(b));
    // Among several of a kind nobody is near themselves.
    let is_one = these.len() == 1 && these == those;
    let pairs = these.iter().flat_map(|&a| those.iter().map(move |&b| (a, b)));
    let far = pairs.filter(|(a, b)| is_one || a != b).filter_map(|(a, b)| facts.distance(a, b));
    far.min_by(f64::total_cmp)
}

/// Whether a condition holds. What is not known does not hold, nor does its opposite; but somebody whose place is not known
/// is far away.
pub fn holds(condition: &Condition, roles: &Roles, facts: &dyn Facts) -> bool {
    match condition {
        Condition::All(parts) => parts.iter().all(|part| holds(part, roles, facts)),
        Condition::Any(parts) => parts.iter().any(|part| holds(part, roles, facts)),
        Condition::Test(Test::Compare(left, op, right)) => {
            match (term(left, roles, facts), term(right, roles, facts)) {
                (Some(left), Some(right)) => compare(left, *op, right),
                _ => false,
            }
        }
        Condition::Test(Test::Owns(who, object, yes)) => {
            match (resolve(*who, roles, facts), what(object, roles, facts)) {
                (Some(holder), Some(what)) => facts.owns(holder, what) == *yes,
                _ => false,
            }
        }
        Condition::Test(Test::Distance(a, b, op, limit)) => match distance(*a, *b, roles, facts) {
            Some(far) => compare(Value::Number(far), *op, Value::Number(*limit)),
            None => matches!(op, Op::More | Op::AtLeast),
        },
    }
}

/// A change that an action makes, worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A property gets a value.
    Set(ThingId, PropertyId, Value),
    /// Somebody gets a thing.
    Gain(ThingId, ThingId),
    /// Somebody lays a thing down.
    Lose(ThingId, ThingId),
    /// A thing is gone.
    Remove(ThingId),
}

/// The changes that an action makes, all worked out from the facts before it.
pub fn apply(effects: &[Effect], roles: &Roles, facts: &dyn Facts) -> Vec<Change> {
    let who = |who: &Who| resolve(*who, roles, facts);
    let change = |effect: &Effect| match effect {
        Effect::Set(whose, property, to) => {
            Some(Change::Set(who(whose)?, *property, term(to, roles, facts)?))
        }
        Effect::Add(whose, property, by) => {
            let thing = who(whose)?;
            match (facts.value(thing, *property)?, term(by, roles, facts)?) {
                (Value::Number(now), Value::Number(more)) => {
                    Some(Change::Set(thing, *property, Value::Number(now + more)))
                }
                _ => None,
            }
        }
        Effect::Gain(holder, thing) => Some(Change::Gain(who(holder)?, who(thing)?)),
        Effect::Lose(holder, thing) => Some(Change::Lose(who(holder)?, who(thing)?)),
        Effect::Remove(thing) => Some(Change::Remove(who(thing)?)),
    };
    effects.iter().filter_map(change).collect()
}
