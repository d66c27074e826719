//! Characters of a town by name: class, goal and values as the domain calls them, for files and other languages.

use super::{KeyError, Town};
use crate::domain::{Class, Domain};

/// A character as people write it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'a> {
    /// Its class; may be left out if there is one.
    pub class: Option<&'a str>,
    /// What it wants; may be left out if its class wants one thing.
    pub goal: Option<&'a str>,
    /// Values other than the usual start, as variable and value.
    pub state: &'a [(&'a str, &'a str)],
}

/// Why a character cannot live in a town. The message has a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamedError {
    /// No such class, or none named where there are several.
    #[error("there is no class `{class}`\n  remedy: one of {}", .known.join(", "))]
    Class {
        /// What was named.
        class: String,
        /// The classes.
        known: Vec<String>,
    },
    /// No such goal, or none named where there are several.
    #[error("`{goal}` is not a goal of `{class}`\n  remedy: one of {}", .known.join(", "))]
    Goal {
        /// What was named.
        goal: String,
        /// The class.
        class: String,
        /// Its goals.
        known: Vec<String>,
    },
    /// A variable that the class does not have.
    #[error("`{variable}` is not a variable of `{class}`\n  remedy: one of {}", .known.join(", "))]
    Variable {
        /// What was named.
        variable: String,
        /// The class.
        class: String,
        /// Its variables.
        known: Vec<String>,
    },
    /// A value that the variable does not have.
    #[error("`{value}` is not a value of `{variable}`\n  remedy: one of {}", .known.join(", "))]
    Value {
        /// What was named.
        value: String,
        /// The variable.
        variable: String,
        /// Its values.
        known: Vec<String>,
    },
    /// The town is another domain's.
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl Town {
    /// Class and key of a character by name. The domain must be the one that the town was made of.
    ///
    /// ```
    /// use repertoire_plan::{domain, population::{Named, Town}};
    /// let western = domain::domain("western").expect("shipped");
    /// let mut town = Town::new(&western)?;
    /// let sheriff = Named { class: Some("Sheriff"), goal: None, state: &[("gun", "drawn")] };
    /// let (class, key) = town.key_of(&western, &sheriff)?;
    /// let character = town.add(class, key);
    /// town.plan_all();
    /// assert!(town.plan(class, character).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key_of(&self, domain: &Domain, named: &Named<'_>) -> Result<(usize, u64), NamedError> {
        let at = match (named.class, &domain.classes[..]) {
            (None, [_]) => Some(0),
            (class, classes) => classes.iter().position(|known| Some(known.name.as_str()) == class),
        };
        let Some(at) = at else {
            let known = domain.classes.iter().map(|class| class.name.clone()).collect();
            return Err(NamedError::Class { class: named.class.unwrap_or_default().to_owned(), known });
        };
        let class = &domain.classes[at];
        let goal = match (named.goal, &class.goals[..]) {
            (None, [_]) => Some(0),
            (goal, goals) => goals.iter().position(|known| Some(known.name.as_str()) == goal),
        };
        let Some(goal) = goal else {
            let known = class.goals.iter().map(|goal| goal.name.clone()).collect();
            let (goal, class) = (named.goal.unwrap_or_default().to_owned(), class.name.clone());
            return Err(NamedError::Goal { goal, class, known });
        };
        let mut state: Vec<u16> = class.variables.iter().map(|&var| domain.start[var as usize]).collect();
        for &(variable, value) in named.state {
            let (own, value) = own_value(domain, class, variable, value)?;
            state[own] = value;
        }
        Ok((at, self.key(at, goal, &state)?))
    }
}

/// A variable's place among its class's own, and a value's number.
fn own_value(
    domain: &Domain,
    class: &Class,
    variable: &str,
    value: &str,
) -> Result<(usize, u16), NamedError> {
    let own = class.variables.iter().position(|&var| domain.variables[var as usize] == variable);
    let Some(own) = own else {
        let known = class.variables.iter().map(|&var| domain.variables[var as usize].clone()).collect();
        let (variable, class) = (variable.to_owned(), class.name.clone());
        return Err(NamedError::Variable { variable, class, known });
    };
    let values = &domain.values[class.variables[own] as usize];
    match values.iter().position(|known| known == value) {
        Some(value) => Ok((own, value as u16)),
        None => Err(NamedError::Value {
            value: value.to_owned(),
            variable: variable.to_owned(),
            known: values.clone(),
        }),
    }
}
