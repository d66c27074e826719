//! Every capability that the command line answers as JSON lines, in this process.

use pyo3::prelude::*;
use repertoire::load;
use repertoire::prelude::Behaviour;
use repertoire_doors::{DOORS, DoorError, Library};

use crate::fault::Fault;

/// The files of the folder in which Python runs.
struct Disk;

impl Library for Disk {
    fn text(&self, name: &str) -> std::io::Result<String> {
        std::fs::read_to_string(name)
    }

    fn behaviour(&self, name: &str) -> Option<Result<Behaviour, DoorError>> {
        if Behaviour::shipped(name).is_some() && !std::path::Path::new(name).is_file() {
            return None;
        }
        Some(load::behaviour(name).map_err(|error| DoorError::Refused(error.to_string())))
    }
}

/// A conversation with one door: a line of JSON in, a line of JSON out.
#[pyclass(module = "repertoire")]
pub struct Session {
    inner: std::sync::Mutex<repertoire_doors::Session>,
}

#[pymethods]
impl Session {
    #[new]
    fn new(door: &str) -> Result<Self, Fault> {
        let unknown = || Fault::no_such("door", door, DOORS.iter().map(|door| door.name));
        let door = repertoire_doors::door(door).ok_or_else(unknown)?;
        Ok(Session { inner: std::sync::Mutex::new(door.session_with(Disk)) })
    }

    fn answer(&self, py: Python<'_>, line: &str) -> Result<String, Fault> {
        py.detach(|| {
            let mut session = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            session.answer(line).map_err(Fault::new)
        })
    }
}

/// Every door: its name, what it is for, an example of a question, examples of loading and using, and the JSON schemas of a question
/// and an answer.
#[pyfunction]
pub fn doors(py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
    let json = py.import("json")?;
    let all = DOORS.iter().map(|door| {
        let loading = door.loading.as_ref().map(|loading| [loading.load_example, loading.use_example]);
        let told = serde_json::json!({
            "name": door.name, "about": door.summary, "example": door.example, "loading": loading,
            "question": door.question_schema(), "answer": door.answer_schema(),
        });
        Ok(json.call_method1("loads", (told.to_string(),))?.unbind())
    });
    all.collect()
}
