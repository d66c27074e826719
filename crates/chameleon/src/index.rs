//! A sequence laid out for the passes: which row of which table each tick looks up.
//!
//! EM goes over the same sequence a hundred times and looks up the same cells: they are found once. Stimuli that are not known have
//! no entry, so that they cost nothing.

use crate::layout::{Layout, Level};
use crate::pass::slot_row;
use crate::sequence::Sequence;

/// Cells that each tick looks up. Made for a layout, and read with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub ticks: usize,
    /// `[t][i]`: the row of each high-level stimulus.
    pub rows: Vec<u32>,
    /// `[t][i][u]`: the cell of each reflexive action that shares the decision's attention.
    pub tied: Vec<u32>,
    /// `[t][group]`: the first entry of a group at a tick, and one more at the end.
    pub first: Vec<u32>,
    /// The row of each entry: something known that the group may attend to.
    pub entry_row: Vec<u32>,
    /// The slot of each entry.
    pub entry_slot: Vec<u16>,
    /// What its probabilities are multiplied by together, for actions with a measure.
    pub entry_factor: Vec<f64>,
    /// The first cell of each entry in `cells`, and one more at the end.
    pub entry_cells: Vec<u32>,
    /// For each entry the cell of each action of its group.
    pub cells: Vec<u32>,
}

impl Index {
    pub fn of(layout: &Layout, sequence: &Sequence) -> Self {
        let mut index = Index::default();
        index.fill(layout, sequence);
        index
    }

    /// Makes it another sequence's, in the same memory.
    pub fn fill(&mut self, layout: &Layout, sequence: &Sequence) {
        let shape = layout.shape();
        self.ticks = sequence.len();
        self.rows.clear();
        self.tied.clear();
        self.first.clear();
        self.entry_row.clear();
        self.entry_slot.clear();
        self.entry_factor.clear();
        self.entry_cells.clear();
        self.cells.clear();
        for t in 0..sequence.len() {
            let reflexive = sequence.reflexive(t);
            for (i, &value) in sequence.high(t).iter().enumerate() {
                let row = layout.high_row(i, value.into());
                self.rows.push(row as u32);
                for &u in layout.tied() {
                    self.tied.push((row * shape.reflexive[u].count + usize::from(reflexive[u])) as u32);
                }
            }
            for (group, &level) in shape.groups.iter().enumerate() {
                self.first.push(self.entry_row.len() as u32);
                for slot in 0..layout.stimuli(level) {
                    let Some(row) = slot_row(layout, sequence, level, t, slot) else { continue };
                    self.entry_row.push(row as u32);
                    self.entry_slot.push(slot as u16);
                    self.entry_cells.push(self.cells.len() as u32);
                    let mut factor = 1.0;
                    for &action in layout.members(group) {
                        let cell = match level {
                            Level::High => {
                                row * shape.reflexive[action].count + usize::from(reflexive[action])
                            }
                            Level::Low => {
                                let value = usize::from(sequence.external(t, action, slot));
                                factor *=
                                    layout.inverse_measure(action).map_or(1.0, |inverse| inverse[value]);
                                row * shape.external[action].count + value
                            }
                        };
                        self.cells.push(cell as u32);
                    }
                    self.entry_factor.push(factor);
                }
            }
        }
        self.first.push(self.entry_row.len() as u32);
        self.entry_cells.push(self.cells.len() as u32);
    }

    /// The entries of a group at a tick.
    #[inline]
    pub fn entries(&self, t: usize, group: usize, groups: usize) -> std::ops::Range<usize> {
        let at = t * groups + group;
        self.first[at] as usize..self.first[at + 1] as usize
    }
}
