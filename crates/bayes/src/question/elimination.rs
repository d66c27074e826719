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
    let mut pieces = Pieces::new(program);
    let mut is_known = vec![false; program.variables().len()];
    known.iter().for_each(|&id| is_known[id as usize] = true);
    for index in relevant(program, searched, known) {
        let factor = &program.factors()[index];
        let scope = factor.given().iter().chain(factor.left()).copied();
        let scope = scope.filter(|&id| !is_known[id as usize]).collect();
        pieces.add(Piece { source: Source::Factor(index as u32), scope });
    }
    let mut order = Order::new(&pieces, searched);
    let mut layout = Layout { program, known, cells: 0, offsets: 0 };
    let mut steps = Vec::new();
    while let Some(variable) = order.next() {
        let with = pieces.take(variable);
        let mut scope = union(&with);
        scope.retain(|&id| id != variable);
        let step = layout.step(&with, &scope, Some(variable))?;
        pieces.add(Piece { source: Source::Made(step.output_cells().start as u32), scope: scope.clone() });
        order.changed(&pieces, &scope);
        steps.push(step);
    }
    let rest: Vec<Piece> = pieces.all.into_iter().flatten().collect();
    steps.push(layout.step(&rest, searched, None)?);
    Some((steps, layout.cells))
}

/// The tables that are left, and which of them speak of each variable.
struct Pieces<'a> {
    program: &'a Program,
    all: Vec<Option<Piece>>,
    of: Vec<Vec<usize>>,
}

impl<'a> Pieces<'a> {
    fn new(program: &'a Program) -> Self {
        Pieces { program, all: Vec::new(), of: vec![Vec::new(); program.variables().len()] }
    }

    fn add(&mut self, piece: Piece) {
        piece.scope.iter().for_each(|&id| self.of[id as usize].push(self.all.len()));
        self.all.push(Some(piece));
    }

    /// Takes out the pieces that speak of a variable.
    fn take(&mut self, variable: u32) -> Vec<Piece> {
        let taken: Vec<usize> = std::mem::take(&mut self.of[variable as usize]);
        let pieces: Vec<Piece> = taken.iter().filter_map(|&index| self.all[index].take()).collect();
        for &id in pieces.iter().flat_map(|piece| &piece.scope) {
            self.of[id as usize].retain(|index| !taken.contains(index));
        }
        pieces
    }

    /// The cells of the table that eliminating a variable would make.
    fn cost(&self, variable: u32) -> usize {
        let scopes = self.of[variable as usize].iter().filter_map(|&index| self.all[index].as_ref());
        let scope: BTreeSet<u32> = scopes.flat_map(|piece| piece.scope.iter().copied()).collect();
        scope.iter().fold(1, |cells, &id| cells.saturating_mul(self.program.card(id)))
    }
}

/// Which free variable goes next: the one that makes the smallest table, the first of equals.
struct Order {
    cost: Vec<Option<usize>>,
    queue: BTreeSet<(usize, u32)>,
}

impl Order {
    fn new(pieces: &Pieces<'_>, searched: &[u32]) -> Self {
        let mut cost = vec![None; pieces.of.len()];
        for (id, cost) in cost.iter_mut().enumerate() {
            if !pieces.of[id].is_empty() && !searched.contains(&(id as u32)) {
                *cost = Some(pieces.cost(id as u32));
            }
        }
        let queue = cost.iter().enumerate().filter_map(|(id, cost)| Some(((*cost)?, id as u32))).collect();
        Order { cost, queue }
    }

    fn next(&mut self) -> Option<u32> {
        let (_, variable) = self.queue.pop_first()?;
        self.cost[variable as usize] = None;
        Some(variable)
    }

    /// Variables whose neighbours changed have another cost.
    fn changed(&mut self, pieces: &Pieces<'_>, variables: &[u32]) {
        for &id in variables {
            if let Some(cost) = &mut self.cost[id as usize] {
                self.queue.remove(&(*cost, id));
                *cost = pieces.cost(id);
                self.queue.insert((*cost, id));
            }
        }
    }
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
