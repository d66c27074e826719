//! The thesis's own line-up: four characters against each other (Le Hy 2007, table 3.11).
//!
//! It is played twice. The arena's own reading of the sensors counts the weapon that everybody begins with as none, and tasks are
//! carried out by Bayesian programs. In Unreal Tournament nobody was without a weapon, and the tasks of chapter 3 were programs in
//! the usual sense: the second line-up reads the same tables that way, by that game's rules ([`Rules::unreal`]).

use std::sync::Arc;

use repertoire_mind::fighter::{Fighter, shipped};
use repertoire_worlds::arena::rules::Rules;

use crate::tournament::Entry;

/// Each line-up: how its sensors are read, and its four characters.
pub const LINE_UPS: [(&str, [&str; 4]); 2] = [
    ("as the arena reads the sensors", ["aggressive", "prudent", "uniform", "native:3"]),
    (
        "as the thesis's game has it: its rules, the first weapon counts, hands are a bot's",
        ["thesis-aggressive", "thesis-prudent", "thesis-uniform", "native:3"],
    ),
];

/// What table 3.11 prints, in the order of the line-ups.
pub const TABLE_3_11: [f64; 4] = [8.0, 12.2, 43.2, 11.0];

/// The rules of a line-up.
pub(super) fn rules(which: usize) -> Rules {
    if which == 0 { Rules::default() } else { Rules::unreal() }
}

/// The contenders of a line-up.
pub(super) fn entries(names: &[&str; 4]) -> Vec<Entry> {
    let entry = |name: &&str| match name.strip_prefix("native:").and_then(|level| level.parse().ok()) {
        Some(level) => {
            Entry { name: (*name).to_owned(), make: Arc::new(move || Box::new(Fighter::native(level))) }
        }
        None => {
            let design = shipped::design(name).unwrap_or_else(|| unreachable!("{name} is shipped"));
            Entry { name: (*name).to_owned(), make: Arc::new(move || Box::new(Fighter::new(&design))) }
        }
    };
    names.iter().map(entry).collect()
}
