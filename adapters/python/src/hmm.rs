//! Hidden Markov models over arrays of observations.

use numpy::{
    AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2, PyArrayMethods, PyReadonlyArray2,
};
use pyo3::prelude::*;
use repertoire::prob::hmm::baum_welch::{Options, learn, posteriors};
use repertoire::prob::hmm::{Hmm as Model, MISSING, Observation, Sequence};

use crate::fault::Fault;

/// One call is one answer: whoever wants more goes on from it.
const MOST_ITERATIONS: usize = 100_000;
/// The most cells of the tables that explain a sequence.
const MOST_CELLS: usize = 1 << 28;

/// A hidden Markov model of several observed variables.
#[pyclass(frozen, module = "repertoire")]
pub struct Hmm {
    inner: Model,
}

/// A sequence with one row for each step; negative where a variable was not observed.
struct Seen {
    steps: usize,
    values: Vec<u32>,
}

impl Hmm {
    fn seen(&self, number: usize, given: &PyReadonlyArray2<'_, i64>) -> Result<Seen, Fault> {
        let (given, observed) = (given.as_array(), self.inner.observations());
        let states = self.inner.states();
        if given.ncols() != observed.len() {
            let what = format!("sequence {number} has {} variables", given.ncols());
            return Err(Fault::with_remedy(what, format!("a column for each of {}", observed.len())));
        }
        if given.nrows().saturating_mul(states).saturating_mul(states) > MOST_CELLS {
            return Err(Fault::with_remedy(format!("sequence {number} is too long"), "cut it into several"));
        }
        let mut values = Vec::with_capacity(given.len());
        for (step, row) in given.rows().into_iter().enumerate() {
            for (&value, observation) in row.iter().zip(observed) {
                match usize::try_from(value) {
                    Err(_) => values.push(MISSING),
                    Ok(known) if known < observation.card => values.push(known as u32),
                    Ok(_) => {
                        let what = format!("sequence {number}, step {step}: the value {value}");
                        return Err(Fault::with_remedy(what, format!("a number below {}", observation.card)));
                    }
                }
            }
        }
        Ok(Seen { steps: given.nrows(), values })
    }

    fn all(&self, sequences: &[PyReadonlyArray2<'_, i64>]) -> Result<Vec<Seen>, Fault> {
        sequences.iter().enumerate().map(|(number, one)| self.seen(number, one)).collect()
    }
}

fn sequences(seen: &[Seen]) -> Vec<Sequence<'_>> {
    seen.iter().map(|one| Sequence { steps: one.steps, values: &one.values, known: None }).collect()
}

#[pymethods]
impl Hmm {
    #[new]
    fn new(
        pi: PyArrayLike1<'_, f64, AllowTypeChange>,
        transition: PyArrayLike2<'_, f64, AllowTypeChange>,
        emission: Vec<PyArrayLike2<'_, f64, AllowTypeChange>>,
    ) -> Result<Self, Fault> {
        let pi: Vec<f64> = pi.as_array().iter().copied().collect();
        let flat = |table: &PyArrayLike2<'_, f64, AllowTypeChange>, columns: Option<usize>, name: &str| {
            let table = table.as_array();
            if table.nrows() != pi.len() || columns.is_some_and(|columns| table.ncols() != columns) {
                let what = format!("`{name}` has the shape {:?}", table.shape());
                return Err(Fault::with_remedy(what, format!("a row for each of {} states", pi.len())));
            }
            Ok((table.ncols(), table.iter().copied().collect::<Vec<f64>>()))
        };
        let (_, transition) = flat(&transition, Some(pi.len()), "transition")?;
        let mut observations = Vec::new();
        for one in &emission {
            let (card, table) = flat(one, None, "emission")?;
            observations.push(Observation { card, table });
        }
        Ok(Hmm { inner: Model::new(pi, transition, observations).map_err(Fault::new)? })
    }

    /// Baum-Welch: the learned model, and `ln P(sequences)` before each iteration and after the last.
    fn learn<'py>(
        &self,
        py: Python<'py>,
        given: Vec<PyReadonlyArray2<'py, i64>>,
        iterations: usize,
        learn_pi: bool,
    ) -> PyResult<(Self, Bound<'py, PyArray1<f64>>)> {
        if iterations > MOST_ITERATIONS {
            let what = format!("{iterations} iterations");
            return Err(Fault::with_remedy(
                what,
                format!("at most {MOST_ITERATIONS}, and go on from the result"),
            )
            .into());
        }
        let (seen, mut model) = (self.all(&given)?, self.inner.clone());
        let told = py.detach(|| {
            let options = Options { iterations, learn_initial: learn_pi, ..Options::default() };
            learn(&mut model, &sequences(&seen), &options).map_err(Fault::new)
        })?;
        Ok((Hmm { inner: model }, PyArray1::from_vec(py, told)))
    }

    /// `P(state at each step | whole sequence)`.
    fn posterior<'py>(
        &self,
        py: Python<'py>,
        given: PyReadonlyArray2<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let seen = self.seen(0, &given)?;
        let told = py.detach(|| {
            let sequence = Sequence { steps: seen.steps, values: &seen.values, known: None };
            posteriors(&self.inner, &sequence).map_err(Fault::new)
        })?;
        PyArray1::from_vec(py, told.0).reshape([seen.steps, self.inner.states()])
    }

    #[getter]
    fn pi<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.initial())
    }

    #[getter]
    fn transition<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let states = self.inner.states();
        PyArray1::from_slice(py, self.inner.transition()).reshape([states, states])
    }

    #[getter]
    fn emission<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let states = self.inner.states();
        let table = |one: &Observation| PyArray1::from_slice(py, &one.table).reshape([states, one.card]);
        self.inner.observations().iter().map(table).collect()
    }
}
