//! Nested lists of numbers: tables as JSON holds them.

use std::borrow::Cow;
use std::fmt;

use repertoire_prob::Cell;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// A table of any number of axes, read from nested lists; `"x"` cells where the reader allows them.
#[derive(Debug, Default)]
pub(super) struct Nested {
    /// The length of each axis, outermost first.
    pub shape: Vec<usize>,
    /// The cells, last axis fastest.
    pub cells: Vec<Cell>,
}

impl Nested {
    /// The cells as numbers; an error where `"x"` has no meaning.
    pub fn numbers(&self) -> Result<Vec<f64>, String> {
        let number = |cell: &Cell| match cell {
            Cell::Number(number) => Ok(*number),
            Cell::Rest => Err("\"x\" means nothing here: write numbers".to_owned()),
        };
        self.cells.iter().map(number).collect()
    }
}

/// Reads one level: `depth` is how many axes lie outside of it.
struct Level<'a> {
    into: &'a mut Nested,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Level<'_> {
    fn cell<E: Error>(self, cell: Cell) -> Result<(), E> {
        if self.into.shape.len() != self.depth {
            return Err(E::custom("a list was expected here, as in its neighbours"));
        }
        self.into.cells.push(cell);
        Ok(())
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nested lists of numbers")
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.cell(Cell::Number(number))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.cell(Cell::Number(number as f64))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.cell(Cell::Number(number as f64))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if text == "x" {
            self.cell(Cell::Rest)
        } else {
            Err(E::custom(format!("`{text}` is not a number, nor \"x\"")))
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        // The first list met at a depth fixes the length of that axis; the first cell fixes the number of axes.
        let first = self.into.shape.len() == self.depth;
        if first && !self.into.cells.is_empty() {
            return Err(A::Error::custom("a number was expected here, as in its neighbours"));
        }
        if first {
            self.into.shape.push(0);
        }
        let mut length = 0;
        while seq.next_element_seed(Level { into: &mut *self.into, depth: self.depth + 1 })?.is_some() {
            length += 1;
        }
        if first {
            self.into.shape[self.depth] = length;
        }
        if self.into.shape[self.depth] != length {
            let expected = self.into.shape[self.depth];
            return Err(A::Error::custom(format!(
                "a list has {length} entries, its neighbours have {expected}"
            )));
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut nested = Nested::default();
        Level { into: &mut nested, depth: 0 }.deserialize(deserializer)?;
        Ok(nested)
    }
}

impl JsonSchema for Nested {
    fn schema_name() -> Cow<'static, str> {
        "Nested".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let nested = generator.subschema_for::<Nested>();
        json_schema!({ "anyOf": [{ "type": "number" }, { "const": "x" }, { "type": "array", "items": nested }] })
    }
}

/// Numbers as nested lists of this shape.
pub(super) struct Shaped {
    shape: Vec<usize>,
    numbers: Vec<f64>,
}

impl Shaped {
    pub fn new(shape: &[usize], numbers: Vec<f64>) -> Self {
        Shaped { shape: shape.to_vec(), numbers }
    }
}

impl Serialize for Shaped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Slice { shape: &self.shape, numbers: &self.numbers }.serialize(serializer)
    }
}

impl JsonSchema for Shaped {
    fn schema_name() -> Cow<'static, str> {
        "NestedNumbers".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let nested = generator.subschema_for::<Shaped>();
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "array", "items": nested }] })
    }
}

struct Slice<'a> {
    shape: &'a [usize],
    numbers: &'a [f64],
}

impl Serialize for Slice<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.shape {
            [] => serializer.serialize_f64(self.numbers[0]),
            [length, inner @ ..] => {
                let size: usize = inner.iter().product();
                let mut seq = serializer.serialize_seq(Some(*length))?;
                for at in 0..*length {
                    seq.serialize_element(&Slice {
                        shape: inner,
                        numbers: &self.numbers[at * size..][..size],
                    })?;
                }
                seq.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_must_be_even() {
        let read = |text: &str| serde_json::from_str::<Nested>(text).map(|nested| nested.shape);
        assert_eq!(read("3").unwrap(), Vec::<usize>::new());
        assert_eq!(read("[]").unwrap(), [0]);
        assert_eq!(read("[[1,2,3],[4,\"x\",6]]").unwrap(), [2, 3]);
        assert_eq!(read("[[],[]]").unwrap(), [2, 0]);
        for bad in
            ["[[1],[1,2]]", "[1,[2]]", "[[1],2]", "[[],[1]]", "[[1],[]]", "[null]", "[[[1]],[1]]", "[\"y\"]"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_read_is_written() {
        for text in ["[[0.1,2.0],[3.5,4.0]]", "[]", "[[],[]]", "[[[1.0]]]", "1.5"] {
            let nested: Nested = serde_json::from_str(text).unwrap();
            let shaped = Shaped::new(&nested.shape, nested.numbers().unwrap());
            assert_eq!(serde_json::to_string(&shaped).unwrap(), text);
        }
    }
}
