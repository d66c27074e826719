//! A set of small numbers that gives its least member at once: bits, and bits that say which words of bits are not 0.
//!
//! The least member stands apart from the bits, as in van Emde Boas' trees: planning mostly has one or two actions that
//! can run, and a set of one never touches the bits.

/// Numbers below a bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadySet {
    least: Option<u32>,
    /// The others. `levels[0]` has a bit for each number; each further level a bit for each word of the one before.
    levels: Vec<Vec<u64>>,
}

impl ReadySet {
    pub fn new(bound: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = bound.div_ceil(64).max(1);
        loop {
            levels.push(vec![0; words]);
            if words == 1 {
                return ReadySet { least: None, levels };
            }
            words = words.div_ceil(64);
        }
    }

    #[inline]
    pub fn insert(&mut self, number: u32) {
        match self.least {
            None => self.least = Some(number),
            Some(least) if number < least => {
                self.least = Some(number);
                self.set_bit(least);
            }
            Some(least) if number > least => self.set_bit(number),
            Some(_) => {}
        }
    }

    #[inline]
    pub fn remove(&mut self, number: u32) {
        match self.least {
            None => {}
            Some(least) if number == least => {
                self.least = self.first_bit();
                if let Some(next) = self.least {
                    self.clear_bit(next);
                }
            }
            Some(_) => self.clear_bit(number),
        }
    }

    #[inline]
    pub fn first(&self) -> Option<u32> {
        self.least
    }

    pub fn clear(&mut self) {
        while let Some(number) = self.least {
            self.remove(number);
        }
    }

    fn set_bit(&mut self, number: u32) {
        let mut at = number as usize;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let was = *word;
            *word |= 1 << (at % 64);
            if was != 0 {
                return;
            }
            at /= 64;
        }
    }

    fn clear_bit(&mut self, number: u32) {
        let mut at = number as usize;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            if *word & (1 << (at % 64)) == 0 {
                return;
            }
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }

    fn first_bit(&self) -> Option<u32> {
        let mut at = 0;
        for level in self.levels.iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        Some(at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_an_ordered_set() {
        for bound in [1, 64, 65, 5_000, 300_000] {
            let (mut set, mut truth) = (ReadySet::new(bound), BTreeSet::new());
            let mut rng = repertoire_prob::Stream::new(bound as u64, 0, "ready");
            for _ in 0..2_000 {
                let number = (rng.unit() * bound as f64) as u32;
                if rng.unit() < 0.5 {
                    set.insert(number);
                    truth.insert(number);
                } else {
                    set.remove(number);
                    truth.remove(&number);
                }
                assert_eq!(set.first(), truth.first().copied());
            }
            set.clear();
            assert_eq!(set.first(), None);
        }
    }
}
