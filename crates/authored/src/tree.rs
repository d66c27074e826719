//! A TOML text as a tree whose every node knows its place, and serde's way to read it.
//!
//! `toml_edit` can feed serde itself, but its deserialiser makes the compiler write out each type's reader up to four
//! times (for tables, for places, for dates, and again one level up): a fifth of a part's machine code, and of the time
//! to build it, was that. Here tables and [`Spanned`](crate::Spanned) values are one kind of map, so each reader is
//! written out once. A table is read by its keys only, never as a list in the order of its fields.

use std::fmt;
use std::ops::Range;
use std::vec::IntoIter;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use toml_edit::{Item, TableLike, Value};

/// A value and the bytes of the text it was written in.
pub(crate) struct Node {
    span: Range<usize>,
    content: Content,
}

enum Content {
    Text(String),
    /// What is not of the text: the names of a place's fields.
    Name(&'static str),
    Whole(i64),
    Real(f64),
    Flag(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<(Node, Node)>),
}

/// What is refused, and where: whoever knows the place first says it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) message: String,
    pub(crate) span: Option<Range<usize>>,
}

impl Refused {
    fn at(message: impl Into<String>, span: Range<usize>) -> Self {
        Refused { message: message.into(), span: Some(span) }
    }

    /// The innermost place counts.
    fn or_at(mut self, span: Range<usize>) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Refused { message: message.to_string(), span: None }
    }
}

/// Reads the text into a tree.
pub(crate) fn parse(text: &str) -> Result<Node, Refused> {
    let document = toml_edit::Document::parse(text)
        .map_err(|error| Refused { message: error.message().to_owned(), span: error.span() })?;
    Ok(item(document.as_item(), 0..0))
}

/// Things without a place of their own, such as a table that only its parts mention, have that of their key.
fn item(item: &Item, key: Range<usize>) -> Node {
    let span = item.span().unwrap_or(key);
    let content = match item {
        Item::None => Content::Table(Vec::new()),
        Item::Value(written) => return value(written, span),
        Item::Table(entries) => table(entries),
        Item::ArrayOfTables(tables) => Content::List(
            tables
                .iter()
                .map(|entries| Node { span: entries.span().unwrap_or(span.clone()), content: table(entries) })
                .collect(),
        ),
    };
    Node { span, content }
}

fn value(written: &Value, key: Range<usize>) -> Node {
    let span = written.span().unwrap_or(key);
    let content = match written {
        Value::String(text) => Content::Text(text.value().clone()),
        Value::Integer(number) => Content::Whole(*number.value()),
        Value::Float(number) => Content::Real(*number.value()),
        Value::Boolean(flag) => Content::Flag(*flag.value()),
        Value::Datetime(_) => Content::Date,
        Value::Array(values) => Content::List(values.iter().map(|each| value(each, span.clone())).collect()),
        Value::InlineTable(entries) => table(entries),
    };
    Node { span, content }
}

fn table(entries: &dyn TableLike) -> Content {
    let entry = |(name, written): (&str, &Item)| {
        let span = entries.key(name).and_then(|key| key.span()).unwrap_or(0..0);
        let key = Node { span: span.clone(), content: Content::Text(name.to_owned()) };
        (key, item(written, span))
    };
    Content::Table(entries.iter().map(entry).collect())
}

impl Node {
    /// A table of such entries.
    pub(crate) fn table(entries: Vec<(Node, Node)>) -> Node {
        Node { span: 0..0, content: Content::Table(entries) }
    }

    /// The entries of a table; none of anything else.
    pub(crate) fn into_entries(self) -> Vec<(Node, Node)> {
        if let Content::Table(entries) = self.content { entries } else { Vec::new() }
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The text, if it is one.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Content::Text(text) = &self.content { Some(text) } else { None }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match &self.content {
            Content::Text(text) => Unexpected::Str(text),
            Content::Name(name) => Unexpected::Str(name),
            Content::Whole(number) => Unexpected::Signed(*number),
            Content::Real(number) => Unexpected::Float(*number),
            Content::Flag(flag) => Unexpected::Bool(*flag),
            Content::Date => Unexpected::Other("date"),
            Content::List(_) => Unexpected::Seq,
            Content::Table(_) => Unexpected::Map,
        }
    }

    /// Not what was expected.
    fn refuse(&self, expected: &dyn de::Expected) -> Refused {
        let refused: Refused = de::Error::invalid_type(self.unexpected(), expected);
        refused.or_at(self.span.clone())
    }

    /// A value that holds no others.
    fn scalar<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let span = self.span.clone();
        match self.content {
            Content::Text(text) => visitor.visit_string(text),
            Content::Name(name) => visitor.visit_borrowed_str(name),
            Content::Whole(number) => visitor.visit_i64(number),
            Content::Real(number) => visitor.visit_f64(number),
            Content::Flag(flag) => visitor.visit_bool(flag),
            Content::Date | Content::List(_) | Content::Table(_) => Err(self.refuse(&visitor)),
        }
        .map_err(|refused: Refused| refused.or_at(span))
    }

    /// The value with its place, as `Spanned` asks for it.
    fn spanned(self, fields: &'static [&'static str]) -> Vec<(Node, Node)> {
        let span = self.span.clone();
        let place = |byte: usize| Node { span: span.clone(), content: Content::Whole(byte as i64) };
        let name = |field: usize| Node {
            span: span.clone(),
            content: Content::Name(fields.get(field).unwrap_or(&"")),
        };
        vec![(name(0), place(span.start)), (name(1), place(span.end)), (name(2), self)]
    }
}

macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> { self.scalar(visitor) })*
    };
}

impl<'de> Deserializer<'de> for Node {
    type Error = Refused;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_identifier
        deserialize_unit
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.content {
            Content::List(_) => self.deserialize_seq(visitor),
            Content::Table(_) => self.deserialize_map(visitor),
            _ => self.scalar(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.content {
            Content::List(values) => {
                visitor.visit_seq(Values(values.into_iter())).map_err(|refused| refused.or_at(self.span))
            }
            _ => Err(self.refuse(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.content {
            Content::Table(entries) => visitor
                .visit_map(Entries { rest: entries.into_iter(), value: None })
                .map_err(|refused| refused.or_at(self.span)),
            _ => Err(self.refuse(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if serde_spanned::de::is_spanned(name) {
            self = Node { span: self.span.clone(), content: Content::Table(self.spanned(fields)) };
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        Err(self.refuse(&visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    /// A variant is its name, or a table with its name as the only key.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let span = self.span.clone();
        let variant = match self.content {
            Content::Text(_) | Content::Name(_) => Variant { name: self, content: None },
            Content::Table(mut entries) => match (entries.pop(), entries.is_empty()) {
                (Some((name, content)), true) => Variant { name, content: Some(content) },
                (Some(_), false) => {
                    return Err(Refused::at("wanted exactly 1 element, more than 1 element", span));
                }
                (None, _) => return Err(Refused::at("wanted exactly 1 element, found 0 elements", span)),
            },
            _ => return Err(Refused::at("wanted string or table", span)),
        };
        visitor.visit_enum(variant).map_err(|refused| refused.or_at(span))
    }
}

struct Values(IntoIter<Node>);

impl<'de> SeqAccess<'de> for Values {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        self.0.next().map(|value| seed.deserialize(value)).transpose()
    }
}

struct Entries {
    rest: IntoIter<(Node, Node)>,
    /// Of the key that was given last.
    value: Option<Node>,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        let span = key.span.clone();
        seed.deserialize(key).map(Some).map_err(|refused| refused.or_at(span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let value =
            self.value.take().ok_or_else(|| de::Error::custom("a value was asked for before its key"))?;
        let span = value.span.clone();
        seed.deserialize(value).map_err(|refused| refused.or_at(span))
    }
}

struct Variant {
    name: Node,
    content: Option<Node>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Refused;
    type Variant = VariantContent;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, VariantContent), Refused> {
        let span = self.name.span.clone();
        let name = seed.deserialize(self.name).map_err(|refused| refused.or_at(span.clone()))?;
        Ok((name, VariantContent { name: span, content: self.content }))
    }
}

struct VariantContent {
    name: Range<usize>,
    content: Option<Node>,
}

impl VariantContent {
    fn content(self, expected: &'static str) -> Result<Node, Refused> {
        self.content.ok_or_else(|| {
            let refused: Refused = de::Error::invalid_type(Unexpected::UnitVariant, &expected);
            refused.or_at(self.name)
        })
    }
}

impl<'de> VariantAccess<'de> for VariantContent {
    type Error = Refused;

    fn unit_variant(self) -> Result<(), Refused> {
        match self.content {
            None => Ok(()),
            Some(Node { content: Content::Table(entries), .. }) if entries.is_empty() => Ok(()),
            Some(node) => Err(Refused::at("expected empty table", node.span)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Refused> {
        seed.deserialize(self.content("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Refused> {
        self.content("tuple variant")?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.content("struct variant")?.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::{Ordered, Spanned, read};

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, rename_all = "lowercase")]
    enum Shape {
        Dot,
        Circle(f64),
        Box { wide: u8, high: u8 },
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        title: Spanned<String>,
        #[serde(default)]
        shapes: Vec<Spanned<Shape>>,
        size: Option<(u8, u8)>,
        #[serde(default)]
        notes: Ordered<f64>,
        #[serde(default)]
        part: Vec<Spanned<Part>>,
    }

    #[derive(Debug, Deserialize)]
    struct Part {
        name: String,
    }

    #[test]
    fn reads_every_kind_of_value_with_its_place() {
        let text = "title = 'a'\nshapes = ['dot', { circle = 2 }, { box = { wide = 1, high = 2 } }]\nsize = [3, 4]\n\
                    [notes]\nb = 1\na = 2.5\n[[part]]\nname = 'p'\n[[part]]\nname = 'q'\n";
        let page: Page = read(text).expect("right");
        assert_eq!(&text[page.title.span()], "'a'");
        let shapes: Vec<_> = page.shapes.iter().map(|shape| (shape.as_ref(), &text[shape.span()])).collect();
        assert_eq!(shapes[0], (&Shape::Dot, "'dot'"));
        assert_eq!(shapes[1], (&Shape::Circle(2.0), "{ circle = 2 }"));
        assert_eq!(shapes[2].0, &Shape::Box { wide: 1, high: 2 });
        assert_eq!(page.size, Some((3, 4)));
        let notes: Vec<_> = page.notes.0.iter().map(|(key, value)| (key.as_ref().as_str(), *value)).collect();
        assert_eq!(notes, [("b", 1.0), ("a", 2.5)]);
        let parts: Vec<_> = page.part.iter().map(|part| part.as_ref().name.as_str()).collect();
        assert_eq!(parts, ["p", "q"]);
        assert!(text[page.part[1].span()].starts_with("[[part]]"));
    }

    #[test]
    fn names_the_innermost_place_of_a_mistake() {
        let refused = |text: &str| {
            let mistake = read::<Page>(text).expect_err("wrong");
            (mistake.line, mistake.column, mistake.what)
        };
        assert_eq!(refused("title = 'a'\nsize = [3, 'x']").0, 2);
        assert_eq!(refused("title = 'a'\nsize = [3, 'x']").1, 12);
        assert_eq!(refused("title = 'a'\nshapes = [{ box = { wide = 1, hight = 2 } }]").1, 31);
        assert_eq!(refused("title = 'a'\nshapes = ['square']").1, 11);
        assert_eq!(refused("title = 'a'\nshapes = [{ dot = {}, circle = 1 }]").1, 11);
        assert_eq!(refused("title = 'a'\nshapes = ['circle']").1, 11);
        assert_eq!(refused("title = 'a'\n[[part]]\n").0, 2, "where a name is missing");
        assert_eq!(refused("title = 1979-05-27").2, "invalid type: date, expected a string");
        assert_eq!(refused("title = 'a'\ntitle = 'b'").0, 2);
        assert_eq!(refused("title = 'a'\npart = [['p']]").2, "invalid type: sequence, expected struct Part");
    }
}
