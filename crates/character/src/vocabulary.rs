//! Names, and the small numbers that stand for them.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);
        impl $name {
            /// As a place in a list.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A word: the name of a thing or a kind, or a value that is a name.
    NameId(u16)
);
id!(
    /// A property, by its name.
    PropertyId(u16)
);
id!(
    /// A kind of things.
    KindId(u16)
);
id!(
    /// An interaction.
    InteractionId(u16)
);
id!(
    /// A thing of a world: an agent, in the words of the paper, animate or not.
    ///
    /// Ids with the highest bit set stand for something of a kind that has not been met yet: reasoning speaks of
    /// "an axe" before any axe was seen.
    ThingId(u32)
);

const UNMET: u32 = 1 << 31;

impl ThingId {
    /// Some thing of a kind, not met yet.
    pub const fn unmet(kind: KindId) -> Self {
        ThingId(UNMET | kind.0 as u32)
    }

    /// The kind of a thing that has not been met.
    pub const fn unmet_kind(self) -> Option<KindId> {
        if self.0 & UNMET != 0 { Some(KindId((self.0 & !UNMET) as u16)) } else { None }
    }
}

/// Where something is, in the numbering of its world.
pub type PlaceId = u32;

/// The value of a property.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
    /// The name of a thing or a kind, or any other word.
    Name(NameId),
}

impl Value {
    /// What sort of value it is, in words.
    pub fn sort(self) -> &'static str {
        match self {
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Name(_) => "a name",
        }
    }

    /// Whether two values can be compared.
    pub fn is_like(self, other: Value) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// Words and their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The number of a word, new or known.
    ///
    /// # Panics
    /// If there are 65,536 words already: numbers of words have 16 bits.
    pub fn intern(&mut self, word: &str) -> NameId {
        if let Some(known) = self.find(word) {
            return known;
        }
        assert!(self.0.len() <= usize::from(u16::MAX), "at most 65,536 words");
        self.0.push(word.to_owned());
        NameId((self.0.len() - 1) as u16)
    }

    /// The number of a known word.
    pub fn find(&self, word: &str) -> Option<NameId> {
        self.0.iter().position(|known| known == word).map(|at| NameId(at as u16))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The word.
    pub fn word(&self, name: NameId) -> &str {
        self.0.get(name.index()).map_or("?", String::as_str)
    }

    /// All of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
