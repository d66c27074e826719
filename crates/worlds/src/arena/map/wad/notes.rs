//! Notes for people on what an import left out or changed: each kind once, with how often.

use std::collections::BTreeMap;

/// What happened so far.
#[derive(Default)]
pub struct Notes {
    counts: BTreeMap<(&'static str, &'static str), usize>,
}

impl Notes {
    /// Something happened `count` times; `(singular, plural)` follow the number.
    pub fn add(&mut self, count: usize, kind: (&'static str, &'static str)) {
        if count > 0 {
            *self.counts.entry(kind).or_default() += count;
        }
    }

    /// A sentence a kind, in the order of the alphabet.
    pub fn sentences(self) -> Vec<String> {
        let sentence = |((one, many), count)| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        self.counts.into_iter().map(sentence).collect()
    }
}
