//! The rows of keys that were planned for, found again without an order: open addressing.

/// Keys and their rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    /// A key and its row plus 1; 0 is empty.
    table: Vec<(u64, u32)>,
    len: usize,
}

impl Memo {
    /// The row of a key, which is `row` if there was none, and whether it is new.
    pub fn find_or_insert(&mut self, key: u64, row: u32) -> (u32, bool) {
        if self.len * 2 >= self.table.len() {
            self.grow();
        }
        let slot = self.slot(key);
        match self.table[slot].1 {
            0 => {
                self.table[slot] = (key, row + 1);
                self.len += 1;
                (row, true)
            }
            known => (known - 1, false),
        }
    }

    /// All rows, in no particular order.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        self.table.iter().filter(|entry| entry.1 != 0).map(|entry| entry.1 - 1)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.table.fill((0, 0));
        self.len = 0;
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.table[slot].1 != 0 && self.table[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let full = std::mem::replace(&mut self.table, vec![(0, 0); size]);
        for entry in full.into_iter().filter(|entry| entry.1 != 0) {
            let slot = self.slot(entry.0);
            self.table[slot] = entry;
        }
    }
}
