//! The programs of the thesis, and how the arena's characters use their hands, as files that come with the library.

use repertoire_authored::Mistake;

use crate::file;
use crate::program::Program;

/// Name and text of every program that comes with the library.
pub const PROGRAMS: [(&str, &str); 9] = [
    ("danger-detection", include_str!("../programs/danger-detection.toml")),
    ("target-following", include_str!("../programs/target-following.toml")),
    ("danger-sensor", include_str!("../programs/danger-sensor.toml")),
    ("exploration", include_str!("../programs/exploration.toml")),
    ("flight", include_str!("../programs/flight.toml")),
    ("improved-flight", include_str!("../programs/improved-flight.toml")),
    ("noise-filter", include_str!("../programs/noise-filter.toml")),
    ("opponent", include_str!("../programs/opponent.toml")),
    ("manner", include_str!("../programs/manner.toml")),
];

/// The text of a shipped program.
pub fn text(name: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped program, or `None` if there is none of this name.
pub fn program(name: &str) -> Option<Program> {
    let read = |text: &str| -> Result<Program, Mistake> {
        file::read(text, &mut |asked| {
            program(asked).ok_or_else(|| format!("`{asked}` is not shipped").into())
        })
    };
    // A test reads them all: what is shipped is right.
    text(name).map(|text| read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}
