//! What the same work costs without Python: the other side of the benchmark of the border.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock; no result depends on it")]

use std::time::Instant;

use pyo3::prelude::*;
use repertoire::prelude::{Character, Draws, Population, Senses};

use crate::behaviour::decide_in_pieces;
use crate::columns::Values;
use crate::design::Design;
use crate::population::{Sensed, tick_all};

/// Nanoseconds of each of `ticks` ticks of a population that was made anew, from readings by number (a row for each sensor).
#[pyfunction]
pub fn cost_of_population(
    py: Python<'_>,
    design: &Design,
    count: usize,
    readings: Vec<Vec<u8>>,
    ticks: usize,
) -> Vec<u64> {
    py.detach(|| {
        let born = |agent| (Character::new(&design.inner, 0, agent), design.inner.senses());
        let mut minds: Vec<(Character, Senses)> = (0..count as u64).map(born).collect();
        let (mut tasks, mut targets) = (vec![0; count], vec![0; count]);
        let mut each = || {
            let readings = readings.iter().map(|column| Some(Values::Narrow(column))).collect();
            let sensed = Sensed { readings, facts: Vec::new() };
            let start = Instant::now();
            tick_all(design, &mut minds, &sensed, &mut tasks, &mut targets);
            start.elapsed().as_nanos() as u64
        };
        (0..ticks).map(|_| each()).collect()
    })
}

/// Nanoseconds of each of `ticks` decisions of a whole population by a shipped behaviour.
#[pyfunction]
pub fn cost_of_decisions(
    py: Python<'_>,
    behaviour: &str,
    sensors: Vec<Vec<u8>>,
    mut tasks: Vec<u8>,
    ticks: u64,
) -> PyResult<Vec<u64>> {
    let behaviour = repertoire::load::behaviour(behaviour).map_err(crate::fault::Fault::from)?;
    Ok(py.detach(|| {
        let population = Population::new(&behaviour);
        let columns: Vec<&[u8]> = sensors.iter().map(Vec::as_slice).collect();
        let mut each = |tick| {
            let start = Instant::now();
            decide_in_pieces(&population, Draws { seed: 0, tick, first_agent: 0 }, &columns, &mut tasks);
            start.elapsed().as_nanos() as u64
        };
        (0..ticks).map(&mut each).collect()
    }))
}
