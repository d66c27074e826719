//! The states a search has met: each once, with the way to it.

/// All states in one allocation, found again through a table of indices.
pub(super) struct States {
    width: usize,
    values: Vec<u16>,
    /// How each state was reached: from which state, by which action, in how many steps or at which cost.
    from: Vec<(u32, u32, u32)>,
    /// Open addressing; 0 is empty, otherwise a state's index plus 1.
    table: Vec<u32>,
}

impl States {
    pub fn new(init: &[u16]) -> Self {
        let mut states = States {
            width: init.len(),
            values: init.to_vec(),
            from: vec![(u32::MAX, 0, 0)],
            table: vec![0; 64],
        };
        let slot = states.slot(init);
        states.table[slot] = 1;
        states
    }

    pub fn len(&self) -> usize {
        self.from.len()
    }

    /// What the states take in memory.
    pub fn bytes(&self) -> u64 {
        let states = self.values.len() * size_of::<u16>() + self.from.len() * size_of::<(u32, u32, u32)>();
        (states + self.table.len() * size_of::<u32>()) as u64
    }

    pub fn state(&self, index: u32) -> &[u16] {
        &self.values[index as usize * self.width..][..self.width]
    }

    /// In steps, or what they cost.
    pub fn length(&self, index: u32) -> u32 {
        self.from[index as usize].2
    }

    /// Notes a way to a state. Gives the state if it is new or, where `improve`, reached sooner than before.
    /// The action comes with its cost.
    pub fn reach(
        &mut self,
        state: &[u16],
        from: u32,
        (action, cost): (u32, u32),
        improve: bool,
    ) -> (Option<u32>, bool) {
        let length = self.length(from).saturating_add(cost);
        let slot = self.slot(state);
        match self.table[slot] {
            0 => {
                let index = self.from.len() as u32;
                self.values.extend_from_slice(state);
                self.from.push((from, action, length));
                self.table[slot] = index + 1;
                if self.from.len() * 2 > self.table.len() {
                    self.grow();
                }
                (Some(index), true)
            }
            entry => {
                let index = entry - 1;
                if improve && length < self.length(index) {
                    self.from[index as usize] = (from, action, length);
                    return (Some(index), false);
                }
                (None, false)
            }
        }
    }

    /// The actions that lead to a state.
    pub fn plan(&self, index: u32) -> Vec<u32> {
        let mut plan = Vec::new();
        let mut at = index;
        while self.from[at as usize].0 != u32::MAX {
            plan.push(self.from[at as usize].1);
            at = self.from[at as usize].0;
        }
        plan.reverse();
        plan
    }

    /// Where a state is in the table, or would be.
    fn slot(&self, state: &[u16]) -> usize {
        let hash = state.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &value| {
            (hash ^ u64::from(value)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        });
        let mask = self.table.len() - 1;
        let mut slot = (hash ^ (hash >> 32)) as usize & mask;
        while self.table[slot] != 0 && self.state(self.table[slot] - 1) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 2];
        for index in 0..self.from.len() as u32 {
            let slot = self.slot(self.state(index));
            self.table[slot] = index + 1;
        }
    }
}
