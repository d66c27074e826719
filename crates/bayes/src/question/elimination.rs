//! Compiling a question: which factors matter, in which order the free variables go, where each table lies.

use std::collections::BTreeSet;

use super::MOST_CELLS;
use super::step::{Operand, Source, Step};
use crate::program::Program;

/// A table during compilation: where it will be, and the unknown variables it still speaks of.
struct Piece {
    source: Source,
    scope: Vec<u32>,
}

/// The steps of a question and the cells they need together; `None` if those are too many.
pub(super) fn compile(program: &Program, searched: &[u32], known: &[u32]) -> Option<(Vec<Step>, usize)> {
    let kept = relevant(program, searched, known);
    let mut pieces: Vec<Piece> = kept
        .iter()
        .map(|&index| {
            let factor = &program.factors()[index];
            let scope = factor.given().iter().chain(factor.left()).copied();
            let scope = scope.filter(|id| !known.contains(id)).collect();
            Piece { source: Source::Factor(index as u32), scope }
        })
        .collect();
    let mut free: BTreeSet<u32> = pieces.iter().flat_map(|piece| piece.scope.iter().copied()).collect();
    searched.iter().for_each(|id| {
        free.remove(id);
    });
    let mut layout = Layout { program, known, cells: 0, offsets: 0 };
    let mut steps = Vec::new();
    while let Some(variable) = cheapest(program, &pieces, &free) {
        free.remove(&variable);
        let (with, without): (Vec<Piece>, Vec<Piece>) =
            pieces.into_iter().partition(|piece| piece.scope.contains(&variable));
        pieces = without;
        let mut scope = union(&with);
        scope.retain(|&id| id != variable);
        let step = layout.step(&with, &scope, Some(variable))?;
        pieces.push(Piece { source: Source::Made(step.output_cells().start as u32), scope });
        steps.push(step);
    }
    steps.push(layout.step(&pieces, searched, None)?);
    Some((steps, layout.cells))
}

/// Factors that do not vanish: one whose left side is free, used nowhere else, sums to 1.
fn relevant(program: &Program, searched: &[u32], known: &[u32]) -> Vec<usize> {
    let factors = program.factors();
    let mut uses = vec![0u32; program.variables().len()];
    for factor in factors {
        factor.given().iter().for_each(|&id| uses[id as usize] += 1);
    }
    let mut asked = vec![false; uses.len()];
    searched.iter().chain(known).for_each(|&id| asked[id as usize] = true);
    let mut owner = vec![usize::MAX; uses.len()];
    for (index, factor) in factors.iter().enumerate() {
        factor.left().iter().for_each(|&id| owner[id as usize] = index);
    }
    let vanishes = |index: usize, uses: &[u32]| {
        let factor = &factors[index];
        factor.is_exact() && factor.left().iter().all(|&id| !asked[id as usize] && uses[id as usize] == 0)
    };
    let mut kept = vec![true; factors.len()];
    let mut waiting: Vec<usize> = (0..factors.len()).collect();
    while let Some(index) = waiting.pop() {
        if kept[index] && vanishes(index, &uses) {
            kept[index] = false;
            for &id in factors[index].given() {
                uses[id as usize] -= 1;
                waiting.push(owner[id as usize]);
            }
        }
    }
    (0..factors.len()).filter(|&index| kept[index]).collect()
}

/// The free variable whose elimination makes the smallest table; the first of equals.
fn cheapest(program: &Program, pieces: &[Piece], free: &BTreeSet<u32>) -> Option<u32> {
    let cost = |variable: u32| {
        let mut scope: Vec<u32> = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.scope.contains(&variable)) {
            scope.extend(piece.scope.iter().filter(|id| !scope.contains(id)).copied().collect::<Vec<_>>());
        }
        scope.iter().fold(1usize, |cells, &id| cells.saturating_mul(program.card(id)))
    };
    free.iter().copied().min_by_key(|&variable| (cost(variable), variable))
}

fn union(pieces: &[Piece]) -> Vec<u32> {
    let all: BTreeSet<u32> = pieces.iter().flat_map(|piece| piece.scope.iter().copied()).collect();
    all.into_iter().collect()
}

/// Places the tables of steps one after the other.
struct Layout<'a> {
    program: &'a Program,
    known: &'a [u32],
    cells: usize,
    offsets: usize,
}

impl Layout<'_> {
    /// A step that multiplies the pieces over `scope`, and sums `summed` out.
    fn step(&mut self, pieces: &[Piece], scope: &[u32], summed: Option<u32>) -> Option<Step> {
        let axes: Vec<u32> = scope.iter().copied().chain(summed).collect();
        let cards: Vec<usize> = axes.iter().map(|&id| self.program.card(id)).collect();
        let size = cards.iter().try_fold(1usize, |cells, &card| cells.checked_mul(card))?;
        let operands = pieces.len();
        self.offsets = self.offsets.checked_add(size.checked_mul(operands)?)?;
        let product = self.cells..self.cells.checked_add(size)?;
        self.cells = product.end;
        if self.cells > MOST_CELLS || self.offsets > 4 * MOST_CELLS {
            return None;
        }
        let operands = pieces.iter().map(|piece| self.operand(piece, &axes, &cards)).collect();
        Some(Step::new(operands, product, summed.map_or(1, |id| self.program.card(id)), summed.is_some()))
    }

    /// How a piece is read while walking over the axes, last fastest.
    fn operand(&self, piece: &Piece, axes: &[u32], cards: &[usize]) -> Operand {
        let scope: Vec<u32> = match piece.source {
            Source::Factor(index) => {
                let factor = &self.program.factors()[index as usize];
                factor.given().iter().chain(factor.left()).copied().collect()
            }
            Source::Made(_) => piece.scope.clone(),
        };
        let mut stride = 1;
        let mut strides = vec![0usize; axes.len()];
        let mut known = Vec::new();
        for &id in scope.iter().rev() {
            if let Some(axis) = axes.iter().position(|&axis| axis == id) {
                strides[axis] = stride;
            } else if let Some(at) = self.known.iter().position(|&known| known == id) {
                known.push((at as u32, stride as u32));
            }
            stride *= self.program.card(id);
        }
        Operand::new(piece.source, known, cards, &strides)
    }
}
