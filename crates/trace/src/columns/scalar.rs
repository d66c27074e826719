//! One value in one column: how types become cells, and cells types again.

use repertoire_mind::{Fire, Item, LedHow, Sound, Weapon};

/// A cell's content, whatever the file's format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// Wide enough for every kind of whole number in a recording.
    Int(i128),
    Float(f64),
    Text(&'a str),
}

/// A column's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    U8,
    U16,
    U32,
    I32,
    U64,
    /// A measured number: hardly ever the same twice.
    Float,
    /// A number that takes few values, such as health or an item's place.
    Level,
    Text,
}

impl Kind {
    /// Whether its values are floating-point numbers.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Float | Kind::Level)
    }

    /// What people must write.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Kind::Bool => "true or false",
            Kind::U8 => "a whole number from 0 to 255",
            Kind::U16 => "a whole number from 0 to 65535",
            Kind::U32 => "a whole number from 0 to 4294967295",
            Kind::I32 => "a whole number from -2147483648 to 2147483647",
            Kind::U64 => "a whole number from 0 to 18446744073709551615",
            Kind::Float | Kind::Level => "a number",
            Kind::Text => "a text",
        }
    }
}

/// What should have been there, after "write ".
pub(crate) type Expected = String;

/// What fits into a cell.
pub(crate) trait Scalar {
    const KIND: Kind;
    /// Whether the cell may be empty.
    const OPTIONAL: bool = false;
    fn value(&self) -> Value<'_>;
    fn take(&mut self, value: Value<'_>) -> Result<(), Expected>;
}

impl Scalar for bool {
    const KIND: Kind = Kind::Bool;
    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
    fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
        match value {
            Value::Bool(value) => *self = value,
            _ => return Err(Self::KIND.expected().to_owned()),
        }
        Ok(())
    }
}

impl Scalar for f64 {
    const KIND: Kind = Kind::Float;
    fn value(&self) -> Value<'_> {
        Value::Float(*self)
    }
    fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
        match value {
            Value::Float(value) => *self = value,
            _ => return Err(Self::KIND.expected().to_owned()),
        }
        Ok(())
    }
}

macro_rules! whole_number {
    ($($type:ty: $kind:ident),*) => {$(
        impl Scalar for $type {
            const KIND: Kind = Kind::$kind;
            fn value(&self) -> Value<'_> {
                Value::Int(i128::from(*self))
            }
            fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
                let Value::Int(value) = value else { return Err(Self::KIND.expected().to_owned()) };
                *self = value.try_into().map_err(|_| Self::KIND.expected().to_owned())?;
                Ok(())
            }
        }
    )*};
}

whole_number!(u8: U8, u16: U16, u32: U32, i32: I32, u64: U64);

/// A word out of a fixed few.
pub(crate) trait Word: Copy + 'static {
    /// All of them.
    fn all() -> impl Iterator<Item = Self>;
    fn word(self) -> &'static str;
}

impl Word for Weapon {
    fn all() -> impl Iterator<Item = Self> {
        Weapon::ALL.into_iter().chain(Weapon::QUAKE)
    }
    fn word(self) -> &'static str {
        self.name()
    }
}

impl Word for Fire {
    fn all() -> impl Iterator<Item = Self> {
        Fire::ALL.into_iter()
    }
    fn word(self) -> &'static str {
        self.name()
    }
}

impl Word for LedHow {
    fn all() -> impl Iterator<Item = Self> {
        LedHow::ALL.into_iter()
    }
    fn word(self) -> &'static str {
        self.name()
    }
}

impl Word for Sound {
    fn all() -> impl Iterator<Item = Self> {
        Sound::ALL.into_iter()
    }
    fn word(self) -> &'static str {
        self.name()
    }
}

impl Word for Item {
    /// More than `Item::ALL`, which lists what maps may hold: other games may have other things lying about.
    fn all() -> impl Iterator<Item = Self> {
        let armed = Weapon::ALL.into_iter().map(Item::Weapon);
        let arena = [Item::Health].into_iter().chain(armed).chain(Weapon::ALL.into_iter().map(Item::Ammo));
        arena.chain(Item::of_quake())
    }
    fn word(self) -> &'static str {
        self.name()
    }
}

macro_rules! word {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            const KIND: Kind = Kind::Text;
            fn value(&self) -> Value<'_> {
                Value::Text(self.word())
            }
            fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
                let found = match value {
                    Value::Text(text) => <$type>::all().find(|one| one.word() == text),
                    _ => None,
                };
                *self = found.ok_or_else(one_of::<$type>)?;
                Ok(())
            }
        }
    )*};
}

word!(Weapon, Fire, LedHow, Sound, Item, super::event::Name);

fn one_of<W: Word>() -> Expected {
    format!("one of {}", W::all().map(W::word).collect::<Vec<_>>().join(", "))
}

/// A text that may be absent; an empty one is.
impl Scalar for Option<String> {
    const KIND: Kind = Kind::Text;
    const OPTIONAL: bool = true;
    fn value(&self) -> Value<'_> {
        self.as_deref().filter(|text| !text.is_empty()).map_or(Value::Null, Value::Text)
    }
    fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
        *self = match value {
            Value::Null | Value::Text("") => None,
            Value::Text(text) => Some(text.to_owned()),
            _ => return Err(Self::KIND.expected().to_owned()),
        };
        Ok(())
    }
}

macro_rules! optional {
    ($($type:ty: $blank:expr),*) => {$(
        impl Scalar for Option<$type> {
            const KIND: Kind = <$type as Scalar>::KIND;
            const OPTIONAL: bool = true;
            fn value(&self) -> Value<'_> {
                self.as_ref().map_or(Value::Null, Scalar::value)
            }
            fn take(&mut self, value: Value<'_>) -> Result<(), Expected> {
                *self = match value {
                    Value::Null => None,
                    value => {
                        let mut taken: $type = $blank;
                        taken.take(value)?;
                        Some(taken)
                    }
                };
                Ok(())
            }
        }
    )*};
}

optional!(f64: 0.0, u8: 0, u16: 0, Weapon: Weapon::Weak, Fire: Fire::None, Item: Item::Health);
