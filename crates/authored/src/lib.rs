//! Reading TOML that people write.
//!
//! Characters are data, and data is written by people who make mistakes. Every reader of authored files
//! goes through this crate, so that every mistake is answered in the same way: where it is, what is wrong,
//! and what would be right. A file is read into a plain serde structure whose interesting fields are
//! [`Spanned`]; what serde cannot check is checked afterwards, and a [`Mistake`] is made from the field's span.
//!
//! ```
//! #[derive(serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Lamp { watts: f64 }
//!
//! let mistake = repertoire_authored::read::<Lamp>("\nwatt = 40").err().expect("misspelt");
//! assert_eq!(mistake.line, 2);
//! assert_eq!(mistake.remedy, "did you mean `watts`?");
//! ```

mod document;
mod inside;
mod mistake;
mod ordered;
mod tree;

pub use document::Document;
pub use inside::{find_key, inside};
pub use mistake::{Mistake, NotToml, Unavailable, nearest};
pub use ordered::Ordered;
pub use serde_spanned::Spanned;

/// Reads a TOML text into `T`, or says where it is wrong and what would be right.
pub fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Mistake> {
    tree::parse(text).and_then(T::deserialize).map_err(|refused| Mistake::from_toml(text, &refused))
}

/// The text without one entry of a table, such as `[low.course]`; none if there is no such entry. Everything else stays as it was
/// written, comments too.
pub fn without(text: &str, table: &str, entry: &str) -> Option<String> {
    let mut document: toml_edit::DocumentMut = text.parse().ok()?;
    document.get_mut(table)?.as_table_like_mut()?.remove(entry)?;
    Some(document.to_string())
}

/// Any plain data as TOML text, for readers that take TOML. Values that TOML has no word for (null) are refused.
pub fn write<T: serde::Serialize>(data: &T) -> Result<String, NotToml> {
    toml_edit::ser::to_string_pretty(data).map_err(|error| NotToml(error.to_string()))
}
