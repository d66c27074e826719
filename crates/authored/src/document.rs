//! A file of several parts, each of which is read by whoever knows it.

use serde::de::DeserializeOwned;

use crate::mistake::{Mistake, nearest};
use crate::tree::{self, Node};

/// A TOML text from which several readers take their keys; what nobody takes is a mistake.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Size { wide: f64 }
/// #[derive(serde::Deserialize)]
/// struct Paint { colour: String }
///
/// let mut document = repertoire_authored::Document::parse("wide = 2.0\ncolour = 'red'\ncolor = 'red'")?;
/// let size: Size = document.take(&["wide"])?;
/// let paint: Paint = document.take(&["colour"])?;
/// assert_eq!((size.wide, paint.colour.as_str()), (2.0, "red"));
/// let mistake = document.finish().expect_err("a key that nobody knows");
/// assert_eq!((mistake.line, mistake.remedy.as_str()), (3, "did you mean `colour`?"));
/// # Ok::<(), repertoire_authored::Mistake>(())
/// ```
pub struct Document<'t> {
    text: &'t str,
    entries: Vec<(Node, Node)>,
    /// Every key that a reader asked for.
    known: Vec<&'static str>,
}

impl<'t> Document<'t> {
    /// Reads the text as TOML.
    pub fn parse(text: &'t str) -> Result<Self, Mistake> {
        let root = tree::parse(text).map_err(|refused| Mistake::from_toml(text, &refused))?;
        Ok(Document { text, entries: root.into_entries(), known: Vec::new() })
    }

    /// The text, to say where something is.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Whether one of the keys is there.
    pub fn has(&self, keys: &[&str]) -> bool {
        self.entries.iter().any(|(key, _)| keys.iter().any(|name| key.is_named(name)))
    }

    /// Takes these keys, as far as they are there, and reads them.
    pub fn take<T: DeserializeOwned>(&mut self, keys: &[&'static str]) -> Result<T, Mistake> {
        self.known.extend_from_slice(keys);
        let is_taken = |key: &Node| keys.iter().any(|name| key.is_named(name));
        let (taken, left) = std::mem::take(&mut self.entries).into_iter().partition(|(key, _)| is_taken(key));
        self.entries = left;
        T::deserialize(Node::table(taken)).map_err(|refused| Mistake::from_toml(self.text, &refused))
    }

    /// What is left is a mistake.
    pub fn finish(self) -> Result<(), Mistake> {
        let Some((key, _)) = self.entries.first() else { return Ok(()) };
        let name = key.name().unwrap_or_default();
        let remedy = match nearest(name, self.known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the keys known here are {}", self.known.join(", ")),
        };
        Err(Mistake::at(self.text, key.span(), format!("`{name}` is not a key here"), remedy))
    }
}
