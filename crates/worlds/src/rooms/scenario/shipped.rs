//! Scenarios that come with the library: the experiments of the paper, and a few of ours.

use super::{Scenario, file};

/// Name and text of laws to start from.
pub const LAWS: [(&str, &str); 2] = [
    ("table-3", include_str!("../../../rooms/table-3.toml")),
    ("society", include_str!("../../../rooms/society.toml")),
];

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../rooms/", $name, ".toml")))),*]
    };
}

/// Name and text of every scenario that comes with the library.
pub const SCENARIOS: [(&str, &str); 10] = shipped![
    "6.1.1-left",
    "6.1.1-right",
    "6.1.2-left",
    "6.1.2-right",
    "6.1.3",
    "6.1.4",
    "6.2",
    "help",
    "ten",
    "orchard",
];

/// Other names: what an experiment shows.
pub const ALIASES: [(&str, &str); 7] = [
    ("goals", "6.1.1-left"),
    ("opportunism", "6.1.1-right"),
    ("unlock", "6.1.2-left"),
    ("break", "6.1.2-right"),
    ("space", "6.1.3"),
    ("time", "6.1.4"),
    ("whole", "6.2"),
];

/// The full name for a name or another name; `None` if there is none.
pub fn full_name(name: &str) -> Option<&'static str> {
    let plain = name.trim().replace(' ', "-");
    let alias = ALIASES.iter().find(|(known, _)| *known == plain).map(|(_, full)| *full);
    alias.or_else(|| SCENARIOS.iter().find(|(known, _)| *known == plain).map(|(known, _)| *known))
}

/// The text of a shipped scenario.
pub fn text(name: &str) -> Option<&'static str> {
    let full = full_name(name)?;
    SCENARIOS.iter().find(|(known, _)| *known == full).map(|(_, text)| *text)
}

/// A shipped scenario, or `None` if there is none of this name.
pub fn scenario(name: &str) -> Option<Scenario> {
    let mut load = |named: &str| Err(format!("`{named}` does not come with the library").into());
    // A test reads them all: what is shipped is right.
    text(name)
        .map(|text| file::read(text, &mut load).unwrap_or_else(|refused| unreachable!("{name}: {refused}")))
}
