//! Many characters of one kind, on all processors, with what they sense as columns.
//!
//! Everything is checked before the first one ticks, so that a call that fails changes nothing. Characters do not touch each
//! other, so any number of threads gives the same bits.

use numpy::PyArray1;
use pyo3::prelude::*;
use rayon::prelude::*;
use repertoire::prelude::{Character, Deed, Senses};

use crate::columns::{Values, columns, of_each, out, values};
use crate::design::Design;
use crate::fault::{Fault, read, slice, slice_mut, write};
use crate::report;

/// How many characters a thread takes at a time.
const PIECE: usize = 128;

/// A thing that is no target, in a column of targets.
const NO_TARGET: i64 = -1;

/// The most characters of one population; more do not fit into memory.
const MOST: usize = 1 << 23;

/// Characters of one kind, ticked together.
#[pyclass(module = "repertoire")]
pub struct Population {
    design: Py<Design>,
    minds: Vec<(Character, Senses)>,
}

/// What a tick reads.
pub struct Sensed<'a> {
    pub readings: Vec<Option<Values<'a>>>,
    pub facts: Vec<Option<Values<'a>>>,
}

impl Sensed<'_> {
    /// What one character senses of the columns.
    #[inline]
    pub fn tell(&self, index: usize, senses: &mut Senses) {
        for (sensor, column) in self.readings.iter().enumerate() {
            if let Some(column) = column {
                match column.at(index) {
                    Some(value) => senses.set(sensor, value),
                    None => senses.lose_at(sensor),
                }
            }
        }
        for (fact, column) in self.facts.iter().enumerate() {
            if let Some(column) = column {
                senses.set_fact(fact, column.at(index));
            }
        }
    }
}

/// One tick of all, in pieces of a fixed size.
pub fn tick_all(
    design: &Design,
    minds: &mut [(Character, Senses)],
    sensed: &Sensed<'_>,
    tasks: &mut [u8],
    targets: &mut [i64],
) {
    let pieces =
        minds.par_chunks_mut(PIECE).zip(tasks.par_chunks_mut(PIECE)).zip(targets.par_chunks_mut(PIECE));
    pieces.enumerate().for_each(|(piece, ((minds, tasks), targets))| {
        design.with_scratch(|scratch| {
            for (offset, (character, senses)) in minds.iter_mut().enumerate() {
                sensed.tell(piece * PIECE + offset, senses);
                let Deed { task, target } = character.tick(senses, scratch);
                tasks[offset] = task as u8;
                targets[offset] = target.and_then(|thing| i64::try_from(thing).ok()).unwrap_or(NO_TARGET);
            }
        });
    });
}

impl Population {
    fn mind(&self, index: usize) -> Result<&(Character, Senses), Fault> {
        let count = self.minds.len();
        let none =
            || Fault::with_remedy(format!("there is no character {index}"), format!("there are {count}"));
        self.minds.get(index).ok_or_else(none)
    }
}

#[pymethods]
impl Population {
    #[new]
    #[pyo3(signature = (design, count, seed=0, first_agent=0))]
    fn new(design: &Bound<'_, Design>, count: usize, seed: u64, first_agent: u64) -> Result<Self, Fault> {
        if count > MOST {
            return Err(Fault::with_remedy(format!("{count} characters"), format!("at most {MOST}")));
        }
        let Some(end) = first_agent.checked_add(count as u64) else {
            let what = format!("{count} agents from number {first_agent} on are more than there are numbers");
            return Err(Fault::with_remedy(what, "begin with a smaller number"));
        };
        let kind = &design.get().inner;
        let minds = design.py().detach(|| {
            let born = |agent| (Character::new(kind, seed, agent), kind.senses());
            (first_agent..end).map(born).collect()
        });
        Ok(Population { design: design.clone().unbind(), minds })
    }

    fn __len__(&self) -> usize {
        self.minds.len()
    }

    #[getter]
    fn design(&self, py: Python<'_>) -> Py<Design> {
        self.design.clone_ref(py)
    }

    /// One tick of everybody; gives tasks (uint8) and targets (int64, -1 for none).
    #[pyo3(signature = (readings=None, facts=None, tasks=None, targets=None))]
    #[allow(clippy::type_complexity, reason = "two columns")]
    fn tick<'py>(
        &mut self,
        py: Python<'py>,
        readings: Option<&Bound<'py, PyAny>>,
        facts: Option<&Bound<'py, PyAny>>,
        tasks: Option<Bound<'py, PyArray1<u8>>>,
        targets: Option<Bound<'py, PyArray1<i64>>>,
    ) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>)> {
        let (count, design) = (self.minds.len(), self.design.bind(py).get());
        let sensors: Vec<(&str, usize)> = design
            .inner
            .behaviour()
            .sensors()
            .iter()
            .map(|one| (one.name.as_str(), one.values.len()))
            .collect();
        let known: Vec<(&str, usize)> =
            design.facts_of().map(|(name, values)| (name.as_str(), values.len())).collect();
        let readings = columns(readings, "sensor", &sensors, count)?;
        let facts = columns(facts, "fact", &known, count)?;
        let sensed = Sensed { readings: values(&readings, "readings")?, facts: values(&facts, "facts")? };
        let (tasks, targets) = (out(py, tasks, "tasks", count)?, out(py, targets, "targets", count)?);
        let (mut to_tasks, mut to_targets) = (write(&tasks, "tasks")?, write(&targets, "targets")?);
        let (to_tasks, to_targets) =
            (slice_mut(&mut to_tasks, "tasks")?, slice_mut(&mut to_targets, "targets")?);
        let minds = &mut self.minds;
        py.detach(|| tick_all(design, minds, &sensed, to_tasks, to_targets));
        Ok((tasks, targets))
    }

    /// A thing of a kind for everybody: its number (uint64) and its distance. Things stay offered until `clear_offers`.
    fn offer(
        &mut self,
        kind: &str,
        things: &Bound<'_, PyArray1<u64>>,
        distances: &Bound<'_, PyArray1<f64>>,
    ) -> PyResult<()> {
        of_each(things, "things", self.minds.len())?;
        of_each(distances, "distances", self.minds.len())?;
        let (things, distances) = (read(things, "things")?, read(distances, "distances")?);
        let (things, distances) = (slice(&things, "things")?, slice(&distances, "distances")?);
        let kinds: Vec<&str> =
            self.minds.first().map_or(Vec::new(), |(one, _)| one.design().kinds().collect());
        if !self.minds.is_empty() && !kinds.contains(&kind) {
            return Err(Fault::no_such("kind of thing", kind, kinds.into_iter()).into());
        }
        if let Some(wrong) = distances.iter().find(|distance| !(**distance >= 0.0 && distance.is_finite())) {
            let remedy = "a number from 0 up, in any unit";
            return Err(Fault::with_remedy(format!("a thing at a distance of {wrong}"), remedy).into());
        }
        for ((_, senses), (&thing, &distance)) in self.minds.iter_mut().zip(things.iter().zip(distances)) {
            senses.offer(kind, thing, distance).map_err(Fault::new)?;
        }
        Ok(())
    }

    /// Nothing is sensed, seen, offered or said any more.
    fn clear(&mut self) {
        self.minds.iter_mut().for_each(|(_, senses)| senses.clear());
    }

    /// How strongly everybody feels a need, from 0 to 1.
    fn need<'py>(&self, py: Python<'py>, need: &str) -> Result<Bound<'py, PyArray1<f64>>, Fault> {
        let index = self.design.bind(py).get().need(need)?;
        Ok(PyArray1::from_iter(py, self.minds.iter().map(|(character, _)| character.need(index))))
    }

    /// Something that happened eases a need: by how much for everybody, below 0 to make it worse.
    fn ease(&mut self, py: Python<'_>, need: &str, by: &Bound<'_, PyArray1<f64>>) -> PyResult<()> {
        self.design.bind(py).get().need(need)?;
        of_each(by, "by", self.minds.len())?;
        let by = read(by, "by")?;
        let by = slice(&by, "by")?;
        if let Some(wrong) = by.iter().find(|by| !by.is_finite()) {
            return Err(Fault::with_remedy(format!("a need eased by {wrong}"), "a finite number").into());
        }
        for ((character, _), &by) in self.minds.iter_mut().zip(by) {
            character.ease(need, by).map_err(Fault::new)?;
        }
        Ok(())
    }

    /// Sensor readings that are not sure: a row of probabilities for everybody.
    fn believe(&mut self, sensor: &str, probabilities: &Bound<'_, numpy::PyArray2<f64>>) -> PyResult<()> {
        let probabilities = read(probabilities, "probabilities")?;
        let rows = probabilities.as_array();
        crate::fault::length("probabilities", rows.nrows(), self.minds.len())?;
        let mut row = Vec::new();
        let mut told: Vec<Senses> = Vec::new();
        for ((_, senses), of) in self.minds.iter().zip(rows.rows()) {
            row.clear();
            row.extend(of.iter());
            let mut senses = senses.clone();
            senses.believe(sensor, &row).map_err(Fault::new)?;
            told.push(senses);
        }
        self.minds.iter_mut().zip(told).for_each(|((_, senses), told)| *senses = told);
        Ok(())
    }

    /// Why one of them does what it does.
    fn report(&self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>> {
        let report = self.mind(index)?.0.report();
        report::make(py, "CharacterReport", &report, &report.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Population({} x {})", self.minds.len(), self.design.bind(py).get().inner.name())
    }
}
