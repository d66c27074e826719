//! The models that come with the library.

use super::{Model, read};

/// Name and text of every model that comes with the library.
pub const MODELS: [(&str, &str); 2] = [
    ("arena", include_str!("../../models/arena.toml")),
    ("thesis", include_str!("../../models/thesis.toml")),
];

/// The text of a shipped model.
pub fn text(name: &str) -> Option<&'static str> {
    MODELS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped model, or `None` if there is none of this name.
pub fn model(name: &str) -> Option<Model> {
    // A test reads them all: what is shipped is right.
    text(name).map(|text| read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}
