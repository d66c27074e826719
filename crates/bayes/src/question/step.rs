//! One step of answering: multiply some tables, sum one variable out.

use std::ops::Range;

use repertoire_prob::num::{ln, log_sum_exp};

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
    /// Where in the table each cell of the product finds its number, before known values are added. Laid out once,
    /// because tables here are small: walking axes costs more than reading where to go.
    at: Vec<u32>,
}

impl Operand {
    pub(super) fn new(source: Source, known: Vec<(u32, u32)>, cards: &[usize], strides: &[usize]) -> Self {
        let mut at = vec![0u32];
        for (&card, &stride) in cards.iter().zip(strides) {
            at = at
                .iter()
                .flat_map(|&start| (0..card).map(move |value| start + (value * stride) as u32))
                .collect();
        }
        Operand { source, known, at }
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

impl Step {
    pub(super) fn new(
        operands: Vec<Operand>,
        product: Range<usize>,
        summed_card: usize,
        summed: bool,
    ) -> Self {
        Step { operands, product, last_card: summed_card, summed }
    }

    /// The cells that hold the result.
    #[inline]
    pub(super) fn output_cells(&self) -> Range<usize> {
        let cells = self.product.len() / if self.summed { self.last_card } else { 1 };
        self.product.start..self.product.start + cells
    }

    /// Runs on probabilities.
    #[inline]
    pub(super) fn run(&self, program: &Program, known: &[u32], cells: &mut [f64]) {
        let (made, product) = cells.split_at_mut(self.product.start);
        let product = &mut product[..self.product.len()];
        match self.operands.split_first() {
            Some((first, others)) => {
                first.walk(program, known, made, product, |cell, p| *cell = p);
                for operand in others {
                    operand.walk(program, known, made, product, |cell, p| *cell *= p);
                }
            }
            // Nothing speaks of these variables any more: an empty product.
            None => product.fill(1.0),
        }
        if self.summed {
            for value in 0..product.len() / self.last_card {
                product[value] = product[value * self.last_card..][..self.last_card].iter().sum();
            }
        }
    }

    /// Runs on logarithms: slower, and for numbers of any size.
    #[cold]
    pub(super) fn run_logs(&self, program: &Program, known: &[u32], cells: &mut [f64]) {
        let (made, product) = cells.split_at_mut(self.product.start);
        let product = &mut product[..self.product.len()];
        product.fill(0.0);
        for operand in &self.operands {
            match operand.source {
                Source::Factor(_) => operand.walk(program, known, made, product, |cell, p| *cell += ln(p)),
                Source::Made(_) => operand.walk(program, known, made, product, |cell, log| *cell += log),
            }
        }
        if self.summed {
            for value in 0..product.len() / self.last_card {
                product[value] = log_sum_exp(&product[value * self.last_card..][..self.last_card]);
            }
        }
    }
}

impl Operand {
    /// Goes through the cells of a product together with the numbers of this operand that belong to them.
    #[inline]
    fn walk(
        &self,
        program: &Program,
        known: &[u32],
        made: &[f64],
        product: &mut [f64],
        combine: impl Fn(&mut f64, f64) + Copy,
    ) {
        let (table, mut base) = match self.source {
            Source::Factor(index) => (program.factors()[index as usize].cells(), 0),
            Source::Made(start) => (made, start as usize),
        };
        for &(at, stride) in &self.known {
            base += known[at as usize] as usize * stride as usize;
        }
        let table = &table[base..];
        for (cell, &at) in product.iter_mut().zip(&self.at) {
            combine(cell, table[at as usize]);
        }
    }
}
