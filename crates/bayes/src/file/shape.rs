//! The shape of a program file, before anything is checked.

use std::borrow::Cow;
use std::fmt;

use repertoire_authored::{Ordered, Spanned};
use repertoire_prob::Cell;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A Bayesian program: variables, and a factor for each variable or conjunction of variables.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramFile {
    /// What the program is called.
    pub name: String,
    /// What it is for, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// Where it comes from.
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    pub source: String,
    /// The variables, in order: a list of values, or a table.
    pub variables: Ordered<VariableFile>,
    /// The factors of the decomposition.
    #[serde(default)]
    #[schemars(with = "Vec<FactorFile>")]
    pub factor: Vec<Spanned<FactorFile>>,
}

/// A variable: its values, an integer range, or the same values as another variable.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariableTable {
    pub values: Option<Vec<String>>,
    pub range: Option<Vec<i32>>,
    pub like: Option<String>,
    pub edges: Option<Vec<f64>>,
    pub from: Option<f64>,
    pub to: Option<f64>,
    #[serde(default)]
    pub circular: bool,
    #[serde(default)]
    pub unit: String,
}

#[derive(Debug)]
pub(super) struct VariableFile(pub VariableTable);

impl<'de> Deserialize<'de> for VariableFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListOrTable;
        impl<'de> Visitor<'de> for ListOrTable {
            type Value = VariableFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a list of values such as [\"low\", \"high\"], or a table such as { range = [-3, 3] }",
                )
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<VariableFile, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = seq.next_element()? {
                    values.push(value);
                }
                Ok(VariableFile(VariableTable { values: Some(values), ..VariableTable::default() }))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<VariableFile, A::Error> {
                VariableTable::deserialize(MapAccessDeserializer::new(map)).map(VariableFile)
            }
        }
        deserializer.deserialize_any(ListOrTable)
    }
}

impl JsonSchema for VariableFile {
    fn schema_name() -> Cow<'static, str> {
        "Variable".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "array", "items": { "type": "string" }, "minItems": 1, "description": "The names of its values." },
            { "type": "object", "additionalProperties": false, "properties": {
                "values": { "type": "array", "items": { "type": "string" }, "description": "The names of its values." },
                "range": { "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2,
                    "description": "First and last of a run of integers, each the bin of width 1 around it." },
                "like": { "type": "string", "description": "The variable whose values and bins it shares." },
                "edges": { "type": "array", "items": { "type": "number" },
                    "description": "The edges of the bins: one more than there are values." },
                "from": { "type": "number", "description": "Where equal bins begin." },
                "to": { "type": "number", "description": "Where equal bins end." },
                "circular": { "type": "boolean", "description": "The scale goes round: angles." },
                "unit": { "type": "string", "description": "What the scale is measured in; degrees are drawn round." }
            } }
        ] })
    }
}

/// One factor P(left | given), its form, and what the form needs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FactorFile {
    /// The factor, such as `P(Weapon | Danger)`.
    #[schemars(with = "String")]
    pub of: Spanned<String>,
    /// table, weights, uniform, one_hot, gaussian, sigmoid, agreement, histogram or question.
    #[schemars(with = "FormName")]
    pub form: Spanned<String>,
    /// table, weights, histogram: the order of the columns, by the values of the given variables.
    #[schemars(with = "Option<Vec<String>>")]
    pub columns: Option<Spanned<Vec<Spanned<String>>>>,
    /// table, weights: for each value of the left side, a cell for each column.
    #[schemars(with = "Option<Ordered<Row>>")]
    pub rows: Option<Ordered<Spanned<Row>>>,
    /// histogram: for each value of the left side, a count for each column.
    #[schemars(with = "Option<Ordered<Row>>")]
    pub counts: Option<Ordered<Spanned<Row>>>,
    /// histogram: the weight that every case starts with (default 1: Laplace's law).
    pub prior: Option<f64>,
    /// one_hot: the certain value, or one for each column.
    pub value: Option<Names>,
    /// gaussian: where the top of the bell is.
    pub mean: Option<ParameterFile>,
    /// gaussian: its standard deviation.
    pub sd: Option<ParameterFile>,
    /// sigmoid: where it is at one half.
    pub middle: Option<ParameterFile>,
    /// sigmoid: how steep it is; negative to fall.
    pub slope: Option<ParameterFile>,
    /// question: the program asked.
    #[schemars(with = "Option<String>")]
    pub program: Option<Spanned<String>>,
    /// question: what it is asked, such as `P(Rotation | Direction)`.
    #[schemars(with = "Option<String>")]
    pub ask: Option<Spanned<String>>,
}

/// The forms, for the schema: the reader checks the name itself, to answer with a suggestion.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is used")]
enum FormName {
    Table,
    Weights,
    Uniform,
    OneHot,
    Gaussian,
    Sigmoid,
    Agreement,
    Histogram,
    Question,
}

/// The cells of one row; a single cell may stand without brackets.
#[derive(Debug)]
pub(crate) struct Row(pub Vec<Cell>);

/// A cell: a number or `"x"`.
#[derive(Debug)]
pub(crate) struct CellFile(pub Cell);

struct CellVisitor;

impl CellVisitor {
    const EXPECTED: &'static str = "a number or \"x\"";
}

macro_rules! cell_visits {
    () => {
        fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
            Ok(self.of(Cell::Number(number)))
        }
        fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
            Ok(self.of(Cell::Number(number as f64)))
        }
        fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok(self.of(Cell::Number(number as f64)))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            if text == "x" {
                return Ok(self.of(Cell::Rest));
            }
            Err(E::custom(format!("a cell says \"{text}\", expected {}", CellVisitor::EXPECTED)))
        }
    };
}

impl CellVisitor {
    fn of(&self, cell: Cell) -> CellFile {
        CellFile(cell)
    }
}

impl Visitor<'_> for CellVisitor {
    type Value = CellFile;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(CellVisitor::EXPECTED)
    }
    cell_visits!();
}

impl<'de> Deserialize<'de> for CellFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct RowVisitor;

impl RowVisitor {
    fn of(&self, cell: Cell) -> Row {
        Row(vec![cell])
    }
}

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, or a list of them, one for each column", CellVisitor::EXPECTED)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Row, A::Error> {
        let mut cells = Vec::new();
        while let Some(CellFile(cell)) = seq.next_element()? {
            cells.push(cell);
        }
        Ok(Row(cells))
    }
    cell_visits!();
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

impl JsonSchema for Row {
    fn schema_name() -> Cow<'static, str> {
        "Row".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let cell = json_schema!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "const": "x" }] });
        json_schema!({ "anyOf": [cell, { "type": "array", "items": cell }] })
    }
}

/// One name, or a list of names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a name, or a list of names")]
pub(super) enum Names {
    One(String),
    Each(Vec<String>),
}

/// A number, a list with one for each column, the name of a given variable (the middle of its bin), or a table of
/// given variables with what they are multiplied by, and `constant`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a number, a list of numbers, a variable's name, or a table such as { Direction = 0.5, constant = 3 }"
)]
pub(super) enum ParameterFile {
    Constant(f64),
    EachColumn(Vec<f64>),
    Variable(String),
    Linear(std::collections::BTreeMap<String, f64>),
}
