//! The maps that come with the arena.

/// Name and text of each, small ones first.
pub const SHIPPED: [(&str, &str); 3] = [
    ("yard", include_str!("../../../maps/yard.toml")),
    ("halls", include_str!("../../../maps/halls.toml")),
    ("keep", include_str!("../../../maps/keep.toml")),
];

/// The text of a map by its name.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}

#[cfg(test)]
mod tests;
