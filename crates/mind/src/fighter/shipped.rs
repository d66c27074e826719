//! Fighters that come with the library.

/// Name and text of each.
pub const FIGHTERS: [(&str, &str); 1] = [("hunter", include_str!("../../fighters/hunter.toml"))];

/// The text of a shipped fighter.
pub fn text(name: &str) -> Option<&'static str> {
    FIGHTERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
