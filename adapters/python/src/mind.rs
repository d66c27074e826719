//! One character of any game.

use numpy::{AllowTypeChange, PyArrayLike1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use repertoire::prelude::{Character, Deed as Done, Senses};
use serde::Deserialize;
use serde_json::json;

use crate::design::Design;
use crate::fault::{Fault, length};
use crate::report;

/// Raised when minds of older versions can no longer be read. The same as that of the C adapter, so that minds can change hands.
const FORMAT: u32 = 1;

/// What a character does now.
#[pyclass(frozen, get_all, module = "repertoire")]
pub struct Deed {
    task: String,
    task_index: usize,
    target: Option<u64>,
}

#[pymethods]
impl Deed {
    fn __repr__(&self) -> String {
        match self.target {
            Some(target) => format!("Deed(task='{}', target={target})", self.task),
            None => format!("Deed(task='{}')", self.task),
        }
    }
}

/// One character and what it senses.
#[pyclass(module = "repertoire")]
pub struct Mind {
    design: Py<Design>,
    character: Character,
    senses: Senses,
}

impl Mind {
    fn deed(&self, deed: Done) -> Deed {
        let task = self.character.design().task_name(deed.task).to_owned();
        Deed { task, task_index: deed.task, target: deed.target }
    }
}

#[pymethods]
impl Mind {
    #[new]
    #[pyo3(signature = (design, seed=0, agent=0, profile=None))]
    fn new(design: &Bound<'_, Design>, seed: u64, agent: u64, profile: Option<&str>) -> Result<Self, Fault> {
        let kind = &design.get().inner;
        let character = match profile {
            None => Character::new(kind, seed, agent),
            Some(name) => Character::with_profile(kind, name, seed, agent)
                .ok_or_else(|| Fault::no_such("profile", name, kind.profiles()))?,
        };
        Ok(Mind { design: design.clone().unbind(), character, senses: kind.senses() })
    }

    #[getter]
    fn design(&self, py: Python<'_>) -> Py<Design> {
        self.design.clone_ref(py)
    }

    fn see(&mut self, sensor: &str, value: &str) -> Result<(), Fault> {
        self.senses.see(sensor, value).map_err(Fault::new)
    }

    fn believe(
        &mut self,
        sensor: &str,
        probabilities: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> Result<(), Fault> {
        let probabilities: Vec<f64> = probabilities.as_array().iter().copied().collect();
        self.senses.believe(sensor, &probabilities).map_err(Fault::new)
    }

    fn lose(&mut self, sensor: &str) -> Result<(), Fault> {
        self.senses.lose(sensor).map_err(Fault::new)
    }

    fn fact(&mut self, fact: &str, value: &str) -> Result<(), Fault> {
        self.senses.fact(fact, value).map_err(Fault::new)
    }

    fn offer(&mut self, kind: &str, thing: u64, distance: f64) -> Result<(), Fault> {
        self.senses.offer(kind, thing, distance).map_err(Fault::new)
    }

    fn opine(&mut self, voice: &str, says: PyArrayLike1<'_, f64, AllowTypeChange>) -> Result<(), Fault> {
        let says: Vec<f64> = says.as_array().iter().copied().collect();
        self.senses.opine(voice, &says).map_err(Fault::new)
    }

    fn clear(&mut self) {
        self.senses.clear();
    }

    /// Takes readings: a dict from sensor to value, to probabilities or to None; or an array with the number of each sensor's
    /// value, negative where nothing is read. If anything is refused, nothing has changed.
    fn sense(&mut self, readings: &Bound<'_, PyAny>) -> PyResult<()> {
        let before = self.senses.clone();
        let result = match readings.cast::<PyDict>() {
            Ok(named) => self.sense_named(named),
            Err(_) => self.sense_numbered(readings),
        };
        if result.is_err() {
            self.senses = before;
        }
        result
    }

    /// One tick: perceive, believe, want, plan, decide, act.
    #[pyo3(signature = (readings=None))]
    fn tick(&mut self, py: Python<'_>, readings: Option<&Bound<'_, PyAny>>) -> PyResult<Deed> {
        if let Some(readings) = readings {
            self.sense(readings)?;
        }
        let (character, senses) = (&mut self.character, &self.senses);
        let deed = self.design.bind(py).get().with_scratch(|scratch| character.tick(senses, scratch));
        Ok(self.deed(deed))
    }

    /// What it does; None before the first tick.
    #[getter]
    fn doing(&self) -> Option<Deed> {
        let task = self.character.task()?;
        Some(self.deed(Done { task, target: self.character.target() }))
    }

    /// How strongly each need is felt, from 0 to 1.
    #[getter]
    fn needs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (index, need) in self.character.design().needs().iter().enumerate() {
            all.set_item(&need.name, self.character.need(index))?;
        }
        Ok(all)
    }

    fn ease(&mut self, need: &str, by: f64) -> Result<(), Fault> {
        self.character.ease(need, by).map_err(Fault::new)
    }

    fn set_need(&mut self, py: Python<'_>, need: &str, level: f64) -> Result<(), Fault> {
        let index = self.design.bind(py).get().need(need)?;
        if !(0.0..=1.0).contains(&level) {
            return Err(Fault::with_remedy(format!("the need `{need}` at {level}"), "a number from 0 to 1"));
        }
        self.character.set_need(index, level);
        Ok(())
    }

    fn begin_life(&mut self) {
        self.character.begin_life();
    }

    /// Why it does what it does.
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let report = self.character.report();
        report::make(py, "CharacterReport", &report, &report.to_string())
    }

    /// Everything that a later tick depends on, in mid-plan too, and what is sensed.
    fn save<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        let saved = json!({
            "format": FORMAT, "design": self.character.design().name(),
            "state": self.character.state(), "senses": self.senses,
        });
        Ok(PyBytes::new(py, saved.to_string().as_bytes()))
    }

    /// Goes on from what was saved, to the bit. If it is refused, the mind stays as it was.
    fn restore(&mut self, saved: &[u8]) -> Result<(), Fault> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            design: String,
        }
        #[derive(Deserialize)]
        struct Saved {
            state: repertoire::prelude::State,
            senses: serde_json::Value,
        }
        let unreadable = |error| Fault::new(format!("these bytes are no saved mind: {error}"));
        let Head { format, design } = serde_json::from_slice(saved).map_err(unreadable)?;
        if format != FORMAT {
            let what = format!("the mind was saved in format {format}, and this version reads {FORMAT}");
            return Err(Fault::with_remedy(what, "restore it with the version it was saved with"));
        }
        let own = self.character.design().name();
        if design != own {
            let what = format!("the mind was saved as a {design}, and this one is a {own}");
            return Err(Fault::with_remedy(what, "restore it into a mind of the design it was saved with"));
        }
        let Saved { state, senses } = serde_json::from_slice(saved).map_err(unreadable)?;
        let (mut character, mut restored) = (self.character.clone(), self.senses.clone());
        character.restore(state).map_err(Fault::new)?;
        restored.restore(senses).map_err(Fault::new)?;
        (self.character, self.senses) = (character, restored);
        Ok(())
    }

    fn __repr__(&self) -> String {
        let doing =
            self.character.task().map_or("nothing yet", |task| self.character.design().task_name(task));
        format!("Mind({}, doing {doing})", self.character.design().name())
    }
}

impl Mind {
    fn sense_named(&mut self, named: &Bound<'_, PyDict>) -> PyResult<()> {
        for (sensor, value) in named {
            let sensor = sensor.cast::<PyString>()?.to_cow()?.into_owned();
            if value.is_none() {
                self.lose(&sensor)?;
            } else if let Ok(value) = value.cast::<PyString>() {
                self.see(&sensor, &value.to_cow()?)?;
            } else {
                self.believe(&sensor, value.extract()?)?;
            }
        }
        Ok(())
    }

    fn sense_numbered(&mut self, readings: &Bound<'_, PyAny>) -> PyResult<()> {
        let values: PyArrayLike1<'_, i64> = readings.extract()?;
        let design = self.character.design().clone();
        let sensors = design.behaviour().sensors();
        let values = values.as_array();
        length("readings", values.len(), sensors.len())?;
        for (index, (&value, sensor)) in values.iter().zip(sensors).enumerate() {
            match usize::try_from(value) {
                Err(_) => self.senses.lose_at(index),
                Ok(value) if value < sensor.values.len() => self.senses.set(index, value),
                Ok(value) => {
                    let what = format!("the sensor `{}` has no value {value}", sensor.name);
                    let remedy = format!("a number from 0 to {}", sensor.values.len() - 1);
                    return Err(Fault::with_remedy(what, remedy).into());
                }
            }
        }
        Ok(())
    }
}
