//! Expressions in words, as they would be written.

use super::{Condition, Object, Term, Test, Who};
use crate::laws::Laws;
use crate::vocabulary::Value;

/// A condition as it would be written.
pub fn show_condition(condition: &Condition, laws: &Laws) -> String {
    let joined = |parts: &[Condition], word: &str| {
        let part = |part: &Condition| match part {
            Condition::Any(_) => format!("({})", show_condition(part, laws)),
            _ => show_condition(part, laws),
        };
        parts.iter().map(part).collect::<Vec<_>>().join(word)
    };
    match condition {
        Condition::All(parts) if parts.is_empty() => "always".into(),
        Condition::All(parts) => joined(parts, " and "),
        Condition::Any(parts) => joined(parts, " or "),
        Condition::Test(Test::Compare(left, op, right)) => {
            format!("{} {} {}", show_term(left, laws), op.sign(), show_term(right, laws))
        }
        Condition::Test(Test::Owns(who, object, yes)) => {
            let object = match object {
                Object::Who(who) => show_who(*who, laws),
                Object::Property(who, property) => {
                    format!("{}.{}", show_who(*who, laws), laws.property_name(*property))
                }
                Object::Word(name) => laws.words.word(*name).to_owned(),
            };
            format!("{}{}.own({object})", if *yes { "" } else { "not " }, show_who(*who, laws))
        }
        Condition::Test(Test::Distance(a, b, op, limit)) => {
            format!("distance({}, {}) {} {limit}", show_who(*a, laws), show_who(*b, laws), op.sign())
        }
    }
}

fn show_who(who: Who, laws: &Laws) -> String {
    match who {
        Who::Actor => "actor".into(),
        Who::Target => "target".into(),
        Who::Item => "item".into(),
        Who::Named(name) => laws.words.word(name).to_owned(),
    }
}

/// A value as it would be written.
pub fn show_value(value: Value, laws: &Laws) -> String {
    match value {
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Name(name) => laws.words.word(name).to_owned(),
    }
}

fn show_term(term: &Term, laws: &Laws) -> String {
    match term {
        Term::Value(value) => show_value(*value, laws),
        Term::Property(who, property) => {
            format!("{}.{}", show_who(*who, laws), laws.property_name(*property))
        }
        Term::Sum(parts) => format!("{} + {}", show_term(&parts.0, laws), show_term(&parts.1, laws)),
        Term::Difference(parts) => format!("{} - {}", show_term(&parts.0, laws), show_term(&parts.1, laws)),
        Term::Product(parts) => format!("{} * {}", show_term(&parts.0, laws), show_term(&parts.1, laws)),
        Term::Distance(a, b) => format!("distance({}, {})", show_who(*a, laws), show_who(*b, laws)),
    }
}
