//! A kind of character, read from TOML.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use repertoire::prelude::{Lives, Scratch};

use crate::fault::Fault;

/// A kind of character of any game: what it senses, does, needs and knows, read from one TOML text.
#[pyclass(frozen, module = "repertoire")]
pub struct Design {
    pub inner: Arc<repertoire::prelude::Design>,
    /// Memory for deciding, one for each thread that decides at a time. Boxed, because it holds a planner, which is much to move.
    #[allow(clippy::vec_box, reason = "it is taken out and put back at every tick")]
    spare: Mutex<Vec<Box<Scratch>>>,
}

impl Design {
    pub fn of(inner: Arc<repertoire::prelude::Design>) -> Self {
        Design { inner, spare: Mutex::default() }
    }

    /// Lends memory for deciding.
    pub fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = spare().pop().unwrap_or_default();
        let result = work(&mut scratch);
        spare().push(scratch);
        result
    }

    /// Facts of the plan and their values.
    pub fn facts_of(&self) -> impl Iterator<Item = (&String, &Vec<String>)> {
        let domain = self.inner.planning().map(|plan| &plan.domain);
        domain.into_iter().flat_map(|domain| domain.variables.iter().zip(&domain.values))
    }

    /// The number of a need.
    pub fn need(&self, name: &str) -> Result<usize, Fault> {
        let needs = self.inner.needs();
        let unknown = || Fault::no_such("need", name, needs.iter().map(|need| need.name.as_str()));
        needs.iter().position(|need| need.name == name).ok_or_else(unknown)
    }
}

#[pymethods]
impl Design {
    #[new]
    #[pyo3(signature = (toml, file=None))]
    fn new(toml: &str, file: Option<&str>) -> Result<Self, Fault> {
        let design = repertoire::prelude::Design::parse(toml);
        design.map(Design::of).map_err(|mistake| Fault::mistake(&mistake, file))
    }

    /// Reads a character's file, and the behaviours that it names.
    #[staticmethod]
    fn load(path: PathBuf) -> Result<Self, Fault> {
        Ok(Design::of(repertoire::load::character(&path)?))
    }

    /// The same character with tables learned from watching others of its kind.
    #[pyo3(signature = (csv, file=None))]
    fn learn(&self, py: Python<'_>, csv: &str, file: Option<&str>) -> Result<Self, Fault> {
        py.detach(|| {
            let lives = Lives::read(csv, self.inner.behaviour());
            let lives = lives.map_err(|mistake| Fault::mistake(&mistake, file))?;
            self.inner.learned(&lives).map(Design::of).map_err(Fault::new)
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    #[getter]
    fn tasks(&self) -> Vec<&str> {
        self.inner.behaviour().task_names().collect()
    }

    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for sensor in self.inner.behaviour().sensors() {
            all.set_item(&sensor.name, &sensor.values)?;
        }
        Ok(all)
    }

    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, values) in self.facts_of() {
            all.set_item(name, values)?;
        }
        Ok(all)
    }

    #[getter]
    fn needs(&self) -> Vec<&str> {
        self.inner.needs().iter().map(|need| need.name.as_str()).collect()
    }

    #[getter]
    fn kinds(&self) -> Vec<&str> {
        self.inner.kinds().collect()
    }

    #[getter]
    fn profiles(&self) -> Vec<&str> {
        self.inner.profiles().collect()
    }

    #[getter]
    fn voices(&self) -> Vec<&str> {
        self.inner.voices().iter().map(|voice| voice.name.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!("Design({:?}, tasks={:?})", self.inner.name(), self.tasks())
    }
}
