//! One step of answering: multiply some tables, sum one variable out.

use std::ops::Range;

use repertoire_prob::num::ln;

use crate::program::Program;

/// Where an operand's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// In a factor of the program.
    Factor(u32),
    /// In the workspace, made by an earlier step, from this cell on.
    Made(u32),
}

/// A table to multiply, and how to walk through it.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    source: Source,
    /// Known variables in it: which known value, and how far one value moves in the table.
    known: Vec<(u32, u32)>,
    /// How far one value of the last axis moves: 0 if the table does not speak of it.
    stride: usize,
    /// Where the walk along the last axis starts, for every combination of the other axes.
    starts: Vec<u32>,
}

impl Operand {
    pub(super) fn new(source: Source, known: Vec<(u32, u32)>, cards: &[usize], strides: &[usize]) -> Self {
        let outer = cards.len().saturating_sub(1);
        let mut starts = vec![0u32];
        for (&card, &stride) in cards[..outer].iter().zip(strides) {
            starts = starts
                .iter()
                .flat_map(|&start| (0..card).map(move |value| start + (value * stride) as u32))
                .collect();
        }
        Operand { source, known, stride: strides.last().copied().unwrap_or(0), starts }
    }
}

/// A product of tables over some axes; if its last axis is summed out, the sums replace the product's first cells.
#[derive(Clone, Debug)]
pub(super) struct Step {
    operands: Vec<Operand>,
    product: Range<usize>,
    last_card: usize,
    summed: bool,
}

/// Below this total a product is made again with care: it may have underflowed on the way.
const SMALL: f64 = 1e-100;

impl Step {
    pub(super) fn new(operands: Vec<Operand>, product: Range<usize>, summed_card: usize, summed: bool) -> Self {
        Step { operands, product, last_card: summed_card, summed }
    }

    /// The cells that hold the result.
    pub(super) fn output_cells(&self) -> Range<usize> {
        let cells = self.product.len() / if self.summed { self.last_card } else { 1 };
        self.product.start..self.product.start + cells
    }

    /// Runs, and returns the power of two taken out of the result; `None` if the result is 0 everywhere.
    pub(super) fn run(&self, program: &Program, known: &[u32], cells: &mut [f64]) -> Option<i64> {
        let (made, product) = cells.split_at_mut(self.product.start);
        let product = &mut product[..self.product.len()];
        product.fill(1.0);
        for operand in &self.operands {
            operand.multiply(program, known, made, product);
        }
        let mut exponent = 0;
        let mut total: f64 = product.iter().sum();
        if total < SMALL {
            (exponent, total) = self.carefully(program, known, made, product)?;
        }
        if self.summed {
            for value in 0..product.len() / self.last_card {
                product[value] = product[value * self.last_card..][..self.last_card].iter().sum();
            }
            // Keep what is handed on near 1, so that later products have room below.
            if total < 1e-10 {
                exponent += rescale(&mut product[..self.output_cells().len()]);
            }
        }
        Some(exponent)
    }

    /// The product with its size taken out after every operand; `None` if it is 0 everywhere.
    #[cold]
    fn carefully(&self, program: &Program, known: &[u32], made: &[f64], product: &mut [f64]) -> Option<(i64, f64)> {
        let mut exponent = 0;
        product.fill(1.0);
        for operand in &self.operands {
            operand.multiply(program, known, made, product);
            if product.iter().all(|&cell| cell == 0.0) {
                return None;
            }
            exponent += rescale(product);
        }
        Some((exponent, product.iter().sum()))
    }
}

impl Operand {
    #[inline]
    fn multiply(&self, program: &Program, known: &[u32], made: &[f64], product: &mut [f64]) {
        let (table, mut base) = match self.source {
            Source::Factor(index) => (program.factors()[index as usize].cells(), 0),
            Source::Made(start) => (made, start as usize),
        };
        for &(at, stride) in &self.known {
            base += known[at as usize] as usize * stride as usize;
        }
        let width = product.len() / self.starts.len();
        for (row, &start) in product.chunks_exact_mut(width).zip(&self.starts) {
            let from = &table[base + start as usize..];
            match self.stride {
                0 => row.iter_mut().for_each(|cell| *cell *= from[0]),
                1 => row.iter_mut().zip(from).for_each(|(cell, p)| *cell *= p),
                stride => row.iter_mut().zip(from.iter().step_by(stride)).for_each(|(cell, p)| *cell *= p),
            }
        }
    }
}

/// Multiplies by the power of two that brings the greatest cell near 1, which loses no digit; returns the power
/// taken out.
fn rescale(cells: &mut [f64]) -> i64 {
    let most = cells.iter().copied().fold(0.0, f64::max);
    if !(most > 0.0 && most.is_finite()) {
        return 0;
    }
    let power = (ln(most) / std::f64::consts::LN_2).floor().clamp(-1000.0, 1000.0) as i32;
    let factor = f64::from_bits(((1023 - i64::from(power)) as u64) << 52);
    cells.iter_mut().for_each(|cell| *cell *= factor);
    i64::from(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rescaling_is_exact_and_brings_cells_near_one() {
        for most in [1e-300, 5e-324, 0.3, 1.0, 7.5, 1e300] {
            let mut cells = [most / 2.0, most];
            let power = rescale(&mut cells);
            assert!((0.49..2.1).contains(&cells[1]) || power == -1000, "{most}: {cells:?}");
            let mut back = cells[1];
            for _ in 0..power.unsigned_abs() {
                back = if power > 0 { back * 2.0 } else { back / 2.0 };
            }
            assert_eq!(back, most);
        }
        assert_eq!(rescale(&mut [0.0]), 0);
    }
}
