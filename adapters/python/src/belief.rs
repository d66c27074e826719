//! Where an opponent out of sight probably is: one filter, or many over arrays.

use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::fault::{Fault, length, read, shape, slice, slice_mut, write};

/// The most filters at once; more do not fit into memory.
const MOST: usize = 1 << 24;

/// How an opponent moves: where from, where to, and how long they stay in each place.
#[pyclass(frozen, module = "repertoire")]
pub struct Dynamics {
    inner: repertoire::prelude::Dynamics,
}

fn vector(array: &PyArrayLike1<'_, f64, AllowTypeChange>) -> Vec<f64> {
    array.as_array().iter().copied().collect()
}

#[pymethods]
impl Dynamics {
    #[new]
    fn new(
        initial: PyArrayLike1<'_, f64, AllowTypeChange>,
        transition: PyArrayLike2<'_, f64, AllowTypeChange>,
        stays: Vec<PyArrayLike1<'_, f64, AllowTypeChange>>,
    ) -> Result<Self, Fault> {
        let transition: Vec<Vec<f64>> =
            transition.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let stays: Vec<Vec<f64>> = stays.iter().map(vector).collect();
        let inner = repertoire::prelude::Dynamics::new(&vector(&initial), &transition, &stays);
        Ok(Dynamics { inner: inner.map_err(Fault::new)? })
    }

    #[getter]
    fn places(&self) -> usize {
        self.inner.places()
    }

    /// How long somebody stays in a place, on average, in steps.
    fn mean_stay(&self, place: usize) -> Result<f64, Fault> {
        let places = self.inner.places();
        if place >= places {
            return Err(Fault::with_remedy(
                format!("there is no place {place}"),
                format!("there are {places}"),
            ));
        }
        Ok(self.inner.mean_stay(place))
    }

    fn __repr__(&self) -> String {
        format!("Dynamics(places={})", self.inner.places())
    }
}

/// The belief about one opponent.
#[pyclass(module = "repertoire")]
pub struct Filter {
    dynamics: Py<Dynamics>,
    inner: repertoire::prelude::Filter,
}

#[pymethods]
impl Filter {
    #[new]
    fn new(dynamics: &Bound<'_, Dynamics>) -> Self {
        let inner = repertoire::prelude::Filter::of(&dynamics.get().inner);
        Filter { dynamics: dynamics.clone().unbind(), inner }
    }

    /// Begins anew: what is observed at the first step, as a likelihood for each place.
    fn begin(
        &mut self,
        py: Python<'_>,
        likelihood: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> Result<(), Fault> {
        let dynamics = &self.dynamics.bind(py).get().inner;
        self.inner.begin(dynamics.initial(), &vector(&likelihood)).map_err(Fault::new)
    }

    /// One step: the opponent moves, then this is observed.
    fn step(
        &mut self,
        py: Python<'_>,
        likelihood: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> Result<(), Fault> {
        self.begun()?;
        let dynamics = &self.dynamics.bind(py).get().inner;
        self.inner.step(dynamics, &vector(&likelihood)).map_err(Fault::new)
    }

    /// `P(place | all observations so far)`.
    #[getter]
    fn belief<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.belief())
    }

    /// `ln P(all observations so far)`.
    #[getter]
    fn log_evidence(&self) -> f64 {
        self.inner.log_evidence()
    }

    #[getter]
    fn steps(&self) -> usize {
        self.inner.steps()
    }
}

impl Filter {
    fn begun(&self) -> Result<(), Fault> {
        match self.inner.active().is_empty() {
            false => Ok(()),
            true => Err(Fault::with_remedy("the filter believes nothing", "call begin first")),
        }
    }
}

/// The whole filter at once: the belief at every step `[step, place]`, and the log evidence.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "two arrays")]
pub fn filter_all<'py>(
    py: Python<'py>,
    dynamics: &Dynamics,
    likelihood: &Bound<'py, PyArray2<f64>>,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>)> {
    let (steps, places) = (likelihood.shape()[0], dynamics.inner.places());
    shape("likelihood", likelihood.shape(), &[steps, places])?;
    let likelihood = read(likelihood, "likelihood")?;
    let likelihood = slice(&likelihood, "likelihood")?;
    let (posterior, evidence) =
        (PyArray2::<f64>::zeros(py, [steps, places], false), PyArray1::<f64>::zeros(py, steps, false));
    {
        let (mut to, mut told) = (write(&posterior, "posterior")?, write(&evidence, "evidence")?);
        let (to, told) = (slice_mut(&mut to, "posterior")?, slice_mut(&mut told, "evidence")?);
        py.detach(|| {
            let mut filter = repertoire::prelude::Filter::of(&dynamics.inner);
            let each = likelihood.chunks_exact(places).zip(to.chunks_exact_mut(places)).zip(told);
            for (step, ((likelihood, to), told)) in each.enumerate() {
                match step {
                    0 => filter.begin(dynamics.inner.initial(), likelihood),
                    _ => filter.step(&dynamics.inner, likelihood),
                }
                .map_err(Fault::new)?;
                to.copy_from_slice(filter.belief());
                *told = filter.log_evidence();
            }
            Ok::<(), Fault>(())
        })?;
    }
    Ok((posterior, evidence))
}

/// Many filters of the same dynamics, stepped together on all processors.
#[pyclass(module = "repertoire")]
pub struct Filters {
    dynamics: Py<Dynamics>,
    inner: Vec<repertoire::prelude::Filter>,
    has_begun: bool,
}

#[pymethods]
impl Filters {
    #[new]
    fn new(dynamics: &Bound<'_, Dynamics>, count: usize) -> Result<Self, Fault> {
        let inner = &dynamics.get().inner;
        if count > MOST || count.saturating_mul(inner.places()) > MOST * 16 {
            return Err(Fault::with_remedy(
                format!("{count} filters"),
                format!("at most {MOST}, and less of large maps"),
            ));
        }
        let one = repertoire::prelude::Filter::of(inner);
        Ok(Filters { dynamics: dynamics.clone().unbind(), inner: vec![one; count], has_begun: false })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Begins all anew, with likelihoods `[filter, place]`. Gives the beliefs, of the same shape, in `out` if it is given.
    #[pyo3(signature = (likelihood, out=None))]
    fn begin<'py>(
        &mut self,
        py: Python<'py>,
        likelihood: &Bound<'py, PyArray2<f64>>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let told = self.all(py, likelihood, out, true)?;
        self.has_begun = true;
        Ok(told)
    }

    /// One step of all. A filter whose observation is impossible believes nothing until it begins again: its row is 0.
    #[pyo3(signature = (likelihood, out=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        likelihood: &Bound<'py, PyArray2<f64>>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if !self.has_begun {
            return Err(Fault::with_remedy("the filters believe nothing", "call begin first").into());
        }
        self.all(py, likelihood, out, false)
    }

    /// `ln P(all observations so far)` of each.
    #[getter]
    fn log_evidence<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.inner.iter().map(repertoire::prelude::Filter::log_evidence))
    }
}

impl Filters {
    fn all<'py>(
        &mut self,
        py: Python<'py>,
        likelihood: &Bound<'py, PyArray2<f64>>,
        out: Option<Bound<'py, PyArray2<f64>>>,
        begins: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let dynamics = &self.dynamics.bind(py).get().inner;
        let (count, places) = (self.inner.len(), dynamics.places());
        shape("likelihood", likelihood.shape(), &[count, places])?;
        let out = out.unwrap_or_else(|| PyArray2::zeros(py, [count, places], false));
        shape("out", out.shape(), &[count, places])?;
        let likelihood = read(likelihood, "likelihood")?;
        let likelihood = slice(&likelihood, "likelihood")?;
        if let Some(wrong) = likelihood.iter().find(|one| !(**one >= 0.0 && one.is_finite())) {
            let remedy = "finite numbers from 0 up, one for each place";
            return Err(Fault::with_remedy(format!("a likelihood of {wrong}"), remedy).into());
        }
        let mut to = write(&out, "out")?;
        let to = slice_mut(&mut to, "out")?;
        length("out", to.len(), count * places)?;
        let inner = &mut self.inner;
        py.detach(|| {
            let each = inner.par_iter_mut().with_min_len(16);
            let each = each.zip(likelihood.par_chunks_exact(places)).zip(to.par_chunks_exact_mut(places));
            each.for_each(|((filter, likelihood), to)| {
                // What is impossible shows as a row of 0, since one filter must not stop the others.
                let _ = match begins {
                    true => filter.begin(dynamics.initial(), likelihood),
                    false => filter.step(dynamics, likelihood),
                };
                to.copy_from_slice(filter.belief());
            });
        });
        Ok(out)
    }
}
