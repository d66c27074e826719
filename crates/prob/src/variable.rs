//! Variables with named values, some of which are bins of a scale.
use thiserror::Error;

/// A variable over finitely many named values.
///
/// ```
/// use repertoire_prob::Variable;
/// let health = Variable::new("health", ["low", "medium", "high"])?;
/// assert_eq!(health.value("medium"), Some(1));
/// # Ok::<(), repertoire_prob::variable::VariableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    name: String,
    values: Vec<String>,
    bins: Option<Bins>,
}

/// The stretch of a scale that each value of a variable stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// Ascending; value `i` covers `edges[i]..edges[i + 1]`.
    pub edges: Vec<f64>,
    /// The last edge is the first again: angles.
    pub circular: bool,
    /// What the scale is measured in, for people; `degrees` is drawn as a polar picture.
    pub unit: String,
}

/// Why a variable was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariableError {
    /// It has no value at all.
    #[error("variable `{0}` has no value")]
    Empty(String),
    /// Two values have one name.
    #[error("variable `{0}` has the value `{1}` twice")]
    Twice(String, String),
    /// The variable, or a value of it, has no name.
    #[error("variable `{0}` has an empty name among its own and its values'")]
    NoName(String),
    /// More values than a table could hold.
    #[error("variable `{0}` has {1} values; at most {MOST_VALUES} are possible")]
    TooMany(String, usize),
    /// The edges do not fit the values.
    #[error("variable `{0}` needs {1} ascending finite edges, one more than it has values")]
    Edges(String, usize),
}

/// The most values a variable can have.
pub const MOST_VALUES: usize = 1 << 16;

impl Variable {
    /// A variable with these values, in this order.
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = S>,
    ) -> Result<Self, VariableError> {
        let name = name.into();
        let values: Vec<String> = values.into_iter().map(Into::into).collect();
        if values.is_empty() {
            return Err(VariableError::Empty(name));
        }
        if values.len() > MOST_VALUES {
            return Err(VariableError::TooMany(name, values.len()));
        }
        if name.is_empty() || values.iter().any(String::is_empty) {
            return Err(VariableError::NoName(name));
        }
        let mut sorted: Vec<&String> = values.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(VariableError::Twice(name, pair[0].clone()));
        }
        Ok(Variable { name, values, bins: None })
    }

    /// The integers `first..=last`, each the bin of width 1 around it.
    pub fn integers(name: impl Into<String>, first: i32, last: i32) -> Result<Self, VariableError> {
        let name = name.into();
        let card = (i64::from(last) - i64::from(first) + 1).max(0) as usize;
        if card > MOST_VALUES {
            return Err(VariableError::TooMany(name, card));
        }
        let variable = Variable::new(name, (first..=last).map(|value| value.to_string()))?;
        let edges = (0..=card).map(|i| f64::from(first) - 0.5 + i as f64).collect();
        variable.with_bins(Bins { edges, circular: false, unit: String::new() })
    }

    /// The same variable, whose values are bins of a scale.
    pub fn with_bins(mut self, bins: Bins) -> Result<Self, VariableError> {
        let ascending = bins.edges.windows(2).all(|pair| pair[0] < pair[1]);
        if bins.edges.len() != self.values.len() + 1
            || !ascending
            || bins.edges.iter().any(|edge| !edge.is_finite())
        {
            return Err(VariableError::Edges(self.name, self.values.len() + 1));
        }
        self.bins = Some(bins);
        Ok(self)
    }

    /// The same values under another name.
    pub fn renamed(&self, name: impl Into<String>) -> Result<Self, VariableError> {
        let name = name.into();
        if name.is_empty() { Err(VariableError::NoName(name)) } else { Ok(Variable { name, ..self.clone() }) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its values, in order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// How many values it has.
    pub fn card(&self) -> usize {
        self.values.len()
    }

    /// The index of a value by its name.
    pub fn value(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value == name)
    }

    /// The scale behind the values, if they are bins of one.
    pub fn bins(&self) -> Option<&Bins> {
        self.bins.as_ref()
    }
}

impl Bins {
    /// The middle of each bin.
    ///
    /// # Panics
    /// If there is no such bin.
    pub fn centre(&self, value: usize) -> f64 {
        (self.edges[value] + self.edges[value + 1]) / 2.0
    }

    /// Which bin a measurement falls in: the first or last one beyond a straight scale's ends, and round the
    /// circle on a circular one. `None` for a number that is not finite, and where there is no bin.
    pub fn bin(&self, x: f64) -> Option<usize> {
        let [first, .., last] = self.edges[..] else { return None };
        if !x.is_finite() {
            return None;
        }
        let x = if self.circular {
            // Subtracting whole turns may round up to the last edge, which is the first again.
            let turned = x - ((x - first) / (last - first)).floor() * (last - first);
            if turned >= last { first } else { turned }
        } else {
            x
        };
        Some(self.edges.partition_point(|&edge| edge <= x).saturating_sub(1).min(self.edges.len() - 2))
    }
}

/// Whether a question can be written with this name: `P(A | B=low)`. Files ask for it; code need not.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_+-.'".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_variable() {
        assert!(matches!(Variable::new("A", ["x", "x"]), Err(VariableError::Twice(..))));
        assert!(matches!(Variable::new("", ["x"]), Err(VariableError::NoName(_))));
        assert!(matches!(Variable::new("A", [""; 1]), Err(VariableError::NoName(_))));
        assert!(matches!(Variable::new("A", Vec::<String>::new()), Err(VariableError::Empty(_))));
        assert!(matches!(Variable::integers("A", i32::MIN, i32::MAX), Err(VariableError::TooMany(..))));
        assert!(matches!(Variable::integers("A", 3, -3), Err(VariableError::Empty(_))));
    }

    #[test]
    fn measurements_fall_in_bins() {
        let speed = Variable::integers("speed", -3, 3).unwrap();
        let bins = speed.bins().unwrap();
        assert_eq!(bins.bin(-9.0), Some(0));
        assert_eq!(bins.bin(0.2), Some(3));
        assert_eq!(bins.bin(99.0), Some(6));
        assert_eq!(bins.bin(f64::NAN), None);
        assert_eq!(bins.centre(0), -3.0);
    }

    #[test]
    fn angles_go_round() {
        let edges = (0..=9).map(|i| -180.0 + 40.0 * f64::from(i)).collect();
        let direction = Variable::integers("direction", -4, 4)
            .unwrap()
            .with_bins(Bins { edges, circular: true, unit: "degrees".into() })
            .unwrap();
        let bins = direction.bins().unwrap();
        assert_eq!(bins.bin(0.0), Some(4));
        assert_eq!(bins.bin(180.0), Some(0));
        assert_eq!(bins.bin(-181.0), Some(8));
        assert_eq!(bins.bin(-180.0 - 1e-12), Some(8));
        assert_eq!(bins.bin(720.0 + 40.0), Some(5));
    }
}
