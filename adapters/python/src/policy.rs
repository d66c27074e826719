//! Minds that are moved from Python: a policy that is asked at every decision, and a body whose next command is set.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::prelude::*;
use repertoire::mind::{Command, Mind, Percept, Places, RestoreError};
use repertoire::prob::Stream;
use repertoire::roster::{self, Entry};
use serde_json::Value;

use crate::fault::{Fault, length};
use crate::observe::{ACTED, OBSERVED, command, observe};

/// The first thing that a policy raised.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// A Python function from an observation to an action, as a mind.
struct Policy {
    function: Arc<Py<PyAny>>,
    raised: Raised,
}

impl Policy {
    fn ask(&self, percept: &Percept) -> PyResult<Command> {
        let mut observed = [0.0; OBSERVED];
        observe(Some(percept), &mut observed);
        Python::attach(|py| {
            let answer = self.function.call1(py, (PyArray1::from_slice(py, &observed),))?;
            let action: PyArrayLike1<'_, f32, AllowTypeChange> = answer.extract(py)?;
            let action: Vec<f32> = action.as_array().iter().copied().collect();
            check(&action)?;
            Ok(command(&action))
        })
    }
}

/// Refuses what is no action.
pub fn check(action: &[f32]) -> Result<(), Fault> {
    length("action", action.len(), ACTED)?;
    match action.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(wrong) => {
            Err(Fault::with_remedy(format!("an action of {wrong}"), "finite numbers from -1 to 1"))
        }
    }
}

impl Mind for Policy {
    /// After something was raised, the body stands still: the match is worth nothing, and what was raised is told.
    fn decide(&mut self, percept: &Percept, _: &Places, _: &mut Stream) -> Command {
        let raised = || self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised().is_some() {
            return Command::default();
        }
        self.ask(percept).unwrap_or_else(|error| {
            raised().get_or_insert(error);
            Command::default()
        })
    }

    fn task(&self) -> &str {
        "policy"
    }

    fn why(&self) -> String {
        "a policy from Python decides, and gives no reasons".to_owned()
    }

    fn save(&self) -> Value {
        Value::Null
    }

    fn restore(&mut self, _: &Value) -> Result<(), RestoreError> {
        Ok(())
    }
}

/// A contender: a string as on the command line, or a pair of a name and a function.
pub fn contender(written: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Entry> {
    if let Ok(name) = written.extract::<String>() {
        return Ok(roster::find(&name).map_err(Fault::from)?);
    }
    let Ok((name, function)) = written.extract::<(String, Py<PyAny>)>() else {
        let what = format!("{} is no contender", written.repr()?);
        let remedy = "a name such as \"native:3\", or a pair (name, policy), the policy a function from observation to action";
        return Err(Fault::with_remedy(what, remedy).into());
    };
    if !function.bind(written.py()).is_callable() {
        let what = format!("the policy of `{name}` cannot be called");
        return Err(Fault::with_remedy(what, "a function from observation to action").into());
    }
    let (function, raised) = (Arc::new(function), Arc::clone(raised));
    let make = move || {
        Box::new(Policy { function: Arc::clone(&function), raised: Arc::clone(&raised) }) as Box<dyn Mind>
    };
    Ok(Entry { name, make: Arc::new(make) })
}

/// What a policy raised, if it did.
pub fn raise(raised: &Raised) -> PyResult<()> {
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A body whose next command is set from outside.
#[derive(Clone, Default)]
pub struct Puppet {
    next: Arc<Mutex<Command>>,
}

impl Puppet {
    pub fn set(&self, command: Command) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = command;
    }
}

impl Mind for Puppet {
    fn decide(&mut self, _: &Percept, _: &Places, _: &mut Stream) -> Command {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn task(&self) -> &str {
        "policy"
    }

    fn why(&self) -> String {
        "commanded from outside".to_owned()
    }

    fn save(&self) -> Value {
        Value::Null
    }

    fn restore(&mut self, _: &Value) -> Result<(), RestoreError> {
        Ok(())
    }
}
