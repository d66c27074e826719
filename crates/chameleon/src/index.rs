//! Sequences laid out for the passes: what is looked up, each different thing once.
//!
//! EM goes over the same sequences a hundred times and looks up the same cells, and play repeats itself: the same values of all
//! high-level stimuli, the same thing seen with the same actions. What is alike is found once, and worked out once an iteration:
//!
//! | level             | what is alike                                                             |
//! |-------------------|---------------------------------------------------------------------------|
//! | [`Index::states`] | values of all high-level stimuli, with the reflexive actions tied to them |
//! | [`Sights::rows`]  | a known stimulus with the values of its group's actions (a *sight*)       |
//! | [`Sights::first`] | all sights of a group at a tick (a *scene*)                               |
//!
//! Stimuli that are not known are no sights, so that they cost nothing.

use std::ops::Range;

use crate::layout::{Layout, Level};
use crate::pass::slot_row;
use crate::sequence::Sequence;

/// What each tick of some sequences looks up. Made for a layout, and read with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The ticks of each sequence.
    pub sequences: Vec<Range<usize>>,
    /// `[t]`: whether a life begins.
    pub begins: Vec<bool>,
    /// `[t]`: the state of each tick.
    pub state: Vec<u32>,
    /// How many different states there are.
    pub states: usize,
    /// `[state]`: the first of each state's ticks in `ticks_of`, and one more at the end.
    pub first_tick: Vec<u32>,
    /// Ticks in the order of their states.
    pub ticks_of: Vec<u32>,
    /// `[state][i]`: the row of each high-level stimulus.
    pub rows: Vec<u32>,
    /// `[state][i][u]`: the cell of each reflexive action that shares the decision's attention.
    pub tied: Vec<u32>,
    /// For each group what it may attend to.
    pub groups: Vec<Sights>,
}

/// What a group may attend to, and does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sights {
    /// `[t]`: the scene of each tick.
    pub scene: Vec<u32>,
    /// The first entry of each scene, and one more at the end.
    pub first: Vec<u32>,
    /// The sights of each scene.
    pub entries: Vec<u32>,
    /// How many ticks have each scene.
    pub visits: Vec<u32>,
    /// `[t]`: the first slot of each tick in `slots`, and one more at the end.
    pub first_slot: Vec<u32>,
    /// The slots that were known, in the order of the tick's scene.
    pub slots: Vec<u16>,
    /// The row of each sight.
    pub rows: Vec<u32>,
    /// What a sight's probabilities are multiplied by together, for actions with a measure.
    pub factors: Vec<f64>,
    /// `[sight][action of the group]`: the cell of each action.
    pub cells: Vec<u32>,
}

impl Sights {
    /// How many scenes there are.
    #[inline]
    pub fn scenes(&self) -> usize {
        self.first.len() - 1
    }

    /// The sights of a scene.
    #[inline]
    pub fn sights(&self, scene: usize) -> &[u32] {
        &self.entries[self.first[scene] as usize..self.first[scene + 1] as usize]
    }

    /// The slots of a tick's sights.
    pub fn slots(&self, t: usize) -> &[u16] {
        &self.slots[self.first_slot[t] as usize..self.first_slot[t + 1] as usize]
    }
}

impl Index {
    /// What some sequences look up.
    pub fn of<'a>(layout: &Layout, sequences: impl IntoIterator<Item = &'a Sequence>) -> Self {
        let shape = layout.shape();
        let mut index = Index::default();
        let mut states = Interner::default();
        let mut sights: Vec<Interner> = vec![Interner::default(); shape.groups.len()];
        let mut scenes = sights.clone();
        index.groups.resize(shape.groups.len(), Sights::default());
        let (mut key, mut seen) = (Vec::new(), Vec::new());
        for sequence in sequences {
            let begin = index.state.len();
            for t in 0..sequence.len() {
                index.begins.push(t == 0);
                index.push_state(layout, sequence, t, &mut states, &mut key);
                for (group, into) in index.groups.iter_mut().enumerate() {
                    seen.clear();
                    into.push_sights(layout, (sequence, t), group, &mut sights[group], &mut key, &mut seen);
                    let (scene, is_new) = scenes[group].number(&seen);
                    if is_new {
                        into.first.push(into.entries.len() as u32);
                        into.entries.extend_from_slice(&seen);
                    }
                    into.scene.push(scene);
                }
            }
            index.sequences.push(begin..index.state.len());
        }
        for group in &mut index.groups {
            group.first.push(group.entries.len() as u32);
            group.first_slot.push(group.slots.len() as u32);
            group.visits = vec![0; group.scenes()];
            group.scene.iter().for_each(|&scene| group.visits[scene as usize] += 1);
        }
        index.sort_ticks();
        index
    }

    fn sort_ticks(&mut self) {
        self.first_tick = vec![0; self.states + 1];
        self.state.iter().for_each(|&state| self.first_tick[state as usize + 1] += 1);
        for state in 0..self.states {
            self.first_tick[state + 1] += self.first_tick[state];
        }
        let mut next = self.first_tick.clone();
        self.ticks_of = vec![0; self.state.len()];
        for (t, &state) in self.state.iter().enumerate() {
            let at = &mut next[state as usize];
            self.ticks_of[*at as usize] = t as u32;
            *at += 1;
        }
    }

    /// The ticks of a state.
    #[inline]
    pub fn ticks_of(&self, state: usize) -> &[u32] {
        &self.ticks_of[self.first_tick[state] as usize..self.first_tick[state + 1] as usize]
    }

    /// All ticks of all sequences.
    pub fn ticks(&self) -> usize {
        self.state.len()
    }

    fn push_state(
        &mut self,
        layout: &Layout,
        sequence: &Sequence,
        t: usize,
        states: &mut Interner,
        key: &mut Vec<u32>,
    ) {
        key.clear();
        key.extend(sequence.high(t).iter().map(|&value| u32::from(value)));
        let reflexive = sequence.reflexive(t);
        key.extend(layout.tied().iter().map(|&u| u32::from(reflexive[u])));
        let (state, is_new) = states.number(key);
        self.state.push(state);
        if !is_new {
            return;
        }
        self.states += 1;
        for (i, &value) in sequence.high(t).iter().enumerate() {
            let row = layout.high_row(i, value.into());
            self.rows.push(row as u32);
            let cell = |&u: &usize| row * layout.shape().reflexive[u].count + usize::from(reflexive[u]);
            self.tied.extend(layout.tied().iter().map(|u| cell(u) as u32));
        }
    }
}

impl Sights {
    /// The sights of a group at a tick, into `seen`.
    fn push_sights(
        &mut self,
        layout: &Layout,
        (sequence, t): (&Sequence, usize),
        group: usize,
        sights: &mut Interner,
        key: &mut Vec<u32>,
        seen: &mut Vec<u32>,
    ) {
        let shape = layout.shape();
        let level = shape.groups[group];
        self.first_slot.push(self.slots.len() as u32);
        for slot in 0..layout.stimuli(level) {
            let Some(row) = slot_row(layout, sequence, level, t, slot) else { continue };
            self.slots.push(slot as u16);
            key.clear();
            key.push(row as u32);
            let mut factor = 1.0;
            for &action in layout.members(group) {
                let cell = match level {
                    Level::High => {
                        row * shape.reflexive[action].count + usize::from(sequence.reflexive(t)[action])
                    }
                    Level::Low => {
                        let value = usize::from(sequence.external(t, action, slot));
                        factor *= layout.inverse_measure(action).map_or(1.0, |inverse| inverse[value]);
                        row * shape.external[action].count + value
                    }
                };
                key.push(cell as u32);
            }
            let (sight, is_new) = sights.number(key);
            if is_new {
                self.rows.push(row as u32);
                self.factors.push(factor);
                self.cells.extend_from_slice(&key[1..]);
            }
            seen.push(sight);
        }
    }
}

/// Numbers lists in the order in which they are first met. A table of our own, since the order of a hash map may not show.
#[derive(Clone, Debug, Default)]
struct Interner {
    /// All different lists, one after the other.
    lists: Vec<u32>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Open addressing: a number plus 1, or 0.
    places: Vec<u32>,
}

impl Interner {
    /// The number of a list, and whether it is new.
    fn number(&mut self, list: &[u32]) -> (u32, bool) {
        if (self.ends.len() + 1) * 2 > self.places.len() {
            self.grow();
        }
        let mut place = self.place(list);
        loop {
            match self.places[place] {
                0 => break,
                taken if self.list(taken as usize - 1) == list => return (taken - 1, false),
                _ => place = (place + 1) & (self.places.len() - 1),
            }
        }
        self.lists.extend_from_slice(list);
        self.ends.push(self.lists.len());
        self.places[place] = self.ends.len() as u32;
        (self.ends.len() as u32 - 1, true)
    }

    fn list(&self, number: usize) -> &[u32] {
        let begin = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.lists[begin..self.ends[number]]
    }

    fn place(&self, list: &[u32]) -> usize {
        let mix = |hash: u64, &number: &u32| {
            (hash ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        };
        list.iter().fold(list.len() as u64, mix) as usize & (self.places.len() - 1)
    }

    fn grow(&mut self) {
        self.places = vec![0; (self.places.len() * 2).max(64)];
        for number in 0..self.ends.len() {
            let mut place = self.place(self.list(number));
            while self.places[place] != 0 {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_numbered_in_the_order_they_are_met(lists in proptest::collection::vec(proptest::collection::vec(0u32..3, 0..4), 0..300)) {
            let mut interner = Interner::default();
            let mut met: Vec<&Vec<u32>> = Vec::new();
            for list in &lists {
                let known = met.iter().position(|other| *other == list);
                prop_assert_eq!(interner.number(list), (known.unwrap_or(met.len()) as u32, known.is_none()));
                if known.is_none() {
                    met.push(list);
                }
            }
        }
    }
}
