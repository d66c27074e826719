//! Fighters that come with the library, and the teacher that they follow.
//!
//! All of them use the whole mind. They differ in what they want, in what they plan for, and in their tables.
//!
//! The teacher was learned from ten minutes of native:5 on halls:
//! `repertoire learn chameleon --live native:5 --map halls --seconds 600 --decisions 6 -o imitator.character`.

/// Name and text of each.
pub const FIGHTERS: [(&str, &str); 4] = [
    ("hunter", include_str!("../../fighters/hunter.toml")),
    ("stalker", include_str!("../../fighters/stalker.toml")),
    ("survivor", include_str!("../../fighters/survivor.toml")),
    ("mimic", include_str!("../../fighters/mimic.toml")),
];

/// The text of a shipped fighter.
pub fn text(name: &str) -> Option<&'static str> {
    FIGHTERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The bytes of a shipped teacher: a character learned by imitation.
pub fn teacher(name: &str) -> Option<&'static [u8]> {
    (name == "imitator").then_some(include_bytes!("../../fighters/imitator.character"))
}
