//! One cell: text to value and back.

use serde_json::Value as Json;

use crate::columns::{Flat, Kind, List, Value};

/// A value as text; null is empty.
pub(super) fn print(value: Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        // `{:?}` is the shortest text that reads back, with an exponent where that is shorter.
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => text.to_owned(),
    }
}

/// A text as a value of a kind; what is no such value is given as text, which its column then refuses.
pub(super) fn parse(text: &str, kind: Kind) -> Value<'_> {
    if text.is_empty() {
        return Value::Null;
    }
    let parsed = match kind {
        Kind::Bool => text.parse().ok().map(Value::Bool),
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::I32 | Kind::U64 => text.parse().ok().map(Value::Int),
        Kind::Float | Kind::Level => text.parse().ok().map(Value::Float),
        Kind::Text => None,
    };
    parsed.unwrap_or(Value::Text(text))
}

/// A row's list as a JSON array of objects.
pub(super) fn print_list(list: &List, row: &Flat) -> String {
    let members = (list.leaves)();
    let mut text = String::from("[");
    for element in 0..(list.len)(row) {
        text += if element > 0 { ",{" } else { "{" };
        let mut comma = "";
        for (leaf, member) in members.iter().enumerate() {
            let value = (list.get)(row, element, leaf);
            if value == Value::Null {
                continue;
            }
            text += &format!("{comma}\"{}\":", member.name);
            text += &match value {
                Value::Text(text) => Json::from(text).to_string(),
                // JSON has no word for these.
                Value::Float(value) if !value.is_finite() => format!("\"{value:?}\""),
                value => print(value),
            };
            comma = ",";
        }
        text.push('}');
    }
    text.push(']');
    text
}

/// What is wrong in a cell, and what would be right.
pub(super) struct Wrong {
    pub what: String,
    pub remedy: String,
}

/// Fills a row's list from a JSON array of objects.
pub(super) fn parse_list(list: &List, row: &mut Flat, text: &str) -> Result<(), Wrong> {
    if text.is_empty() {
        return Ok(());
    }
    let members = (list.leaves)();
    let shape = || {
        let names: Vec<&str> = members.iter().map(|member| member.name).collect();
        format!("write a JSON list of objects with {}", names.join(", "))
    };
    let elements: Vec<serde_json::Map<String, Json>> = serde_json::from_str(text)
        .map_err(|error| Wrong { what: format!("it is no list: {error}"), remedy: shape() })?;
    for (element, object) in elements.iter().enumerate() {
        if let Some(unknown) = object.keys().find(|key| members.iter().all(|member| member.name != *key)) {
            return Err(Wrong { what: format!("there is no member `{unknown}`"), remedy: shape() });
        }
        (list.grow)(row).map_err(|expected| wrong(text, &expected))?;
        for (leaf, member) in members.iter().enumerate() {
            let json = object.get(member.name).unwrap_or(&Json::Null);
            (list.set)(row, element, leaf, from_json(json, member.kind)).map_err(|expected| Wrong {
                what: format!("element {element} has `{}` = {json}", member.name),
                remedy: format!("write {expected}"),
            })?;
        }
    }
    Ok(())
}

pub(super) fn wrong(found: &str, expected: &str) -> Wrong {
    let what = if found.is_empty() { "it is empty".to_owned() } else { format!("`{found}` stands there") };
    Wrong { what, remedy: format!("write {expected}") }
}

fn from_json(json: &Json, kind: Kind) -> Value<'_> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::String(text) => match (kind, text.parse()) {
            (Kind::Float | Kind::Level, Ok(value)) => Value::Float(value),
            _ => Value::Text(text),
        },
        Json::Number(number) => match kind {
            Kind::Float | Kind::Level => number.as_f64().map_or(Value::Null, Value::Float),
            _ => number.as_i128().map_or(Value::Float(f64::NAN), Value::Int),
        },
        Json::Array(_) | Json::Object(_) => Value::Text(""),
    }
}
