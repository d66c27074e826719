//! Goals, and how much they matter.

use repertoire_prob::num::exp;
use serde::{Deserialize, Serialize};

use crate::expression::{Condition, Facts, Roles, Term, term};
use crate::vocabulary::{ThingId, Value};

/// How much a goal matters, as a function of the character's state (section 5.4.1).
#[derive(Clone, Debug, PartialEq)]
pub enum Influence {
    /// Always the same.
    Constant(f64),
    /// The sigmoid of figure 10: `max / (1 + exp((x - centre) / slope))`, high while `x` is low. A negative slope turns it
    /// over. The figure draws it without printing the formula; the three parameters are those of its caption.
    Sigmoid {
        /// What it depends on.
        of: Term,
        /// The most it can be.
        max: f64,
        /// Where it is half of that.
        centre: f64,
        /// How gently it falls.
        slope: f64,
    },
    /// Straight lines between points, flat outside of them.
    Points {
        /// What it depends on.
        of: Term,
        /// Pairs of `x` and value, by increasing `x`.
        points: Vec<(f64, f64)>,
    },
}

/// The sigmoid of figure 10.
pub fn sigmoid(max: f64, centre: f64, slope: f64, x: f64) -> f64 {
    max / (1.0 + exp((x - centre) / slope))
}

impl Influence {
    /// How much it matters now; what is not known matters not at all.
    pub fn value(&self, roles: &Roles, facts: &dyn Facts) -> f64 {
        let number = |of: &Term| match term(of, roles, facts) {
            Some(Value::Number(x)) => Some(x),
            Some(Value::Bool(yes)) => Some(f64::from(yes)),
            _ => None,
        };
        match self {
            Influence::Constant(value) => *value,
            Influence::Sigmoid { of, max, centre, slope } => {
                number(of).map_or(0.0, |x| sigmoid(*max, *centre, *slope, x))
            }
            Influence::Points { of, points } => number(of).map_or(0.0, |x| interpolate(points, x)),
        }
    }
}

fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|&(known, _)| known <= x);
    match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

/// Something a character wants, for itself or for somebody who asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What it is called.
    pub name: String,
    /// What should be so.
    pub want: Condition,
    /// How much it matters.
    pub influence: Influence,
    /// Who is `actor` in it: the character itself, or who asked for it.
    pub whose: ThingId,
    /// Whether its owner asks others to help.
    pub asks: bool,
}

impl Goal {
    /// The roles in its condition.
    pub fn roles(&self) -> Roles {
        Roles { actor: self.whose, target: None, item: None }
    }
}

/// A goal's state, for pages and doors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It holds: nothing to do.
    Met,
    /// There are ways to it.
    Open,
    /// No way is known.
    Unreachable,
}
