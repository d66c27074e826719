//! Behaviours: which task comes next, for one character or for columns of them.

use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use repertoire::prelude::{Draws, Lives, Population};
use serde::Serialize;

use crate::columns::{Values, columns, values};
use crate::fault::{Fault, slice_mut, write};
use crate::report;

/// How many characters a thread takes at a time: as many as make a task that is worth handing over.
const PIECE: usize = 16_384;

/// A behaviour: tasks, sensors, and the tables between them.
#[pyclass(frozen, module = "repertoire")]
pub struct Behaviour {
    population: Population,
}

/// One decision, for its report.
#[derive(Serialize)]
struct Decided {
    posterior: std::collections::BTreeMap<String, f64>,
    tasks: Vec<String>,
    contradiction: bool,
}

impl Behaviour {
    fn of(behaviour: &repertoire::prelude::Behaviour) -> Self {
        Behaviour { population: Population::new(behaviour) }
    }

    fn inner(&self) -> &repertoire::prelude::Behaviour {
        self.population.behaviour()
    }
}

#[pymethods]
impl Behaviour {
    #[new]
    #[pyo3(signature = (toml, file=None))]
    fn new(toml: &str, file: Option<&str>) -> Result<Self, Fault> {
        let behaviour: Result<repertoire::prelude::Behaviour, _> = toml.parse();
        behaviour.map(|one| Behaviour::of(&one)).map_err(|mistake| Fault::mistake(&mistake, file))
    }

    /// A shipped behaviour by name (prudent, aggressive, uniform), or a behaviour's file by path.
    #[staticmethod]
    fn load(name: &str) -> Result<Self, Fault> {
        Ok(Behaviour::of(&repertoire::load::behaviour(name)?))
    }

    #[getter]
    fn name(&self) -> &str {
        self.inner().name()
    }

    #[getter]
    fn tasks(&self) -> Vec<&str> {
        self.inner().task_names().collect()
    }

    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for sensor in self.inner().sensors() {
            all.set_item(&sensor.name, &sensor.values)?;
        }
        Ok(all)
    }

    /// The same behaviour with tables learned from watching: CSV with a column for each sensor, `task`, and optionally `life`.
    #[pyo3(signature = (csv, file=None))]
    fn learn(&self, py: Python<'_>, csv: &str, file: Option<&str>) -> Result<Self, Fault> {
        py.detach(|| {
            let lives = Lives::read(csv, self.inner()).map_err(|mistake| Fault::mistake(&mistake, file))?;
            let taught = self.inner().taught(self.inner().name(), &lives).map_err(Fault::new)?;
            Ok(Behaviour::of(&taught))
        })
    }

    /// How probable each task is, after the task before and with what is sensed.
    #[pyo3(signature = (previous=None, sensors=None))]
    fn decide(
        &self,
        py: Python<'_>,
        previous: Option<&str>,
        sensors: Option<std::collections::BTreeMap<String, String>>,
    ) -> PyResult<Py<PyAny>> {
        let behaviour = self.inner();
        let before = previous
            .map(|name| {
                behaviour.task(name).ok_or_else(|| Fault::no_such("task", name, behaviour.task_names()))
            })
            .transpose()?;
        let named = sensors.unwrap_or_default();
        let named: Vec<(&str, &str)> = named.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        let readings = behaviour.readings(&named).map_err(Fault::new)?;
        let decision = behaviour.try_decide(before, &readings).map_err(Fault::new)?;
        let tasks: Vec<String> = behaviour.task_names().map(str::to_owned).collect();
        let decided = Decided {
            posterior: tasks.iter().cloned().zip(decision.posterior.iter().copied()).collect(),
            contradiction: decision.degenerate,
            tasks,
        };
        let text = behaviour.explain(&decision).to_string();
        report::make(py, "Decision", &decided, &text)
    }

    /// Decides for everybody: `tasks` (uint8) holds the tasks before (255 for none), and then those chosen. Gives how often the
    /// sensors contradicted.
    #[pyo3(signature = (sensors, tasks, seed=0, tick=0, first_agent=0))]
    fn decide_all<'py>(
        &self,
        py: Python<'py>,
        sensors: &Bound<'py, PyAny>,
        tasks: &Bound<'py, PyArray1<u8>>,
        seed: u64,
        tick: u64,
        first_agent: u64,
    ) -> PyResult<usize> {
        let count = tasks.len();
        let known: Vec<(&str, usize)> =
            self.inner().sensors().iter().map(|one| (one.name.as_str(), one.values.len())).collect();
        let columns = columns(Some(sensors), "sensor", &known, count)?;
        let mut narrow = Vec::new();
        for (values, (name, _)) in values(&columns, "sensors")?.into_iter().zip(&known) {
            match values {
                Some(Values::Narrow(column)) => narrow.push(column),
                Some(Values::Wide(_)) => {
                    let what = format!("the column `{name}` is not of uint8");
                    return Err(Fault::with_remedy(what, "column.astype(np.uint8)").into());
                }
                None => {
                    let what = format!("there is no column for the sensor `{name}`");
                    let remedy = "give one; 255 stands for a sensor that is not read";
                    return Err(Fault::with_remedy(what, remedy).into());
                }
            }
        }
        let mut to = write(tasks, "tasks")?;
        let to = slice_mut(&mut to, "tasks")?;
        let draws = Draws { seed, tick, first_agent };
        Ok(py.detach(|| decide_in_pieces(&self.population, draws, &narrow, to)))
    }

    fn __repr__(&self) -> String {
        format!("Behaviour({:?}, tasks={:?})", self.inner().name(), self.tasks())
    }
}

/// Decides on all processors; pieces decide as the whole would.
pub fn decide_in_pieces(population: &Population, draws: Draws, sensors: &[&[u8]], tasks: &mut [u8]) -> usize {
    if tasks.len() <= PIECE {
        return population.decide(draws, sensors, tasks);
    }
    let piece = |(piece, tasks): (usize, &mut [u8])| {
        let first = piece * PIECE;
        let columns: Vec<&[u8]> = sensors.iter().map(|column| &column[first..first + tasks.len()]).collect();
        let first_agent = draws.first_agent.wrapping_add(first as u64);
        population.decide(Draws { first_agent, ..draws }, &columns, tasks)
    };
    tasks.par_chunks_mut(PIECE).enumerate().map(piece).sum()
}
