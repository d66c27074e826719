//! Whatever is written on a line, a door answers with exactly one line of JSON, and lives.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use repertoire_doors::{DOORS, Session};
use serde_json::Value;

/// What a line of a door may look like when all is well.
fn good_lines() -> Vec<(usize, &'static str)> {
    let mut lines = Vec::new();
    for (at, door) in DOORS.iter().enumerate() {
        lines.push((at, door.example));
        if let Some(loading) = &door.loading {
            lines.extend([(at, loading.load_example), (at, loading.use_example)]);
        }
    }
    lines
}

/// Every key that any door reads, so that random objects are not all refused for the same reason.
fn keys() -> Vec<String> {
    fn collect(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                into.push(key.clone());
                collect(value, into);
            }),
            Value::Array(list) => list.iter().for_each(|value| collect(value, into)),
            _ => {}
        }
    }
    let mut keys = Vec::new();
    for (_, line) in good_lines() {
        collect(&serde_json::from_str(line).expect("examples are JSON"), &mut keys);
    }
    keys.sort();
    keys.dedup();
    keys
}

/// Numbers, words and empty things that parsers stumble over.
fn awkward() -> impl Strategy<Value = Value> {
    let texts = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "2",
        "3",
        "0.5",
        "-0.5",
        "1e308",
        "-1e308",
        "1e-320",
        "300",
        "4294967295",
        "4294967296",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "[]",
        "{}",
        "[[]]",
        "[null]",
        "\"\"",
        "\"x\"",
        "\"mine\"",
        "\"guard\"",
        "\"\\u0000\"",
        "\"é\\n= 1\"",
    ];
    select(texts.to_vec()).prop_map(|text| serde_json::from_str(text).expect("written as JSON"))
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![3 => awkward(), 1 => any::<f64>().prop_map(Value::from), 1 => any::<i32>().prop_map(Value::from)];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(select(keys()), inner, 0..8).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// How many values there are in a value, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum::<usize>(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// The value of that number, itself first.
fn nth(value: &mut Value, n: usize) -> Option<&mut Value> {
    if n == 0 {
        return Some(value);
    }
    let inner: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Array(list) => Box::new(list.iter_mut()),
        Value::Object(map) => Box::new(map.values_mut()),
        _ => return None,
    };
    let mut n = n - 1;
    for value in inner {
        let size = count(value);
        if n < size {
            return nth(value, n);
        }
        n -= size;
    }
    None
}

/// One change to a value somewhere within a line.
#[derive(Clone, Debug)]
enum Change {
    Replace(Value),
    Empty,
    Double,
    Drop,
    Nest,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => awkward().prop_map(Change::Replace),
        1 => any_json().prop_map(Change::Replace),
        1 => Just(Change::Empty),
        2 => Just(Change::Double),
        2 => Just(Change::Drop),
        1 => Just(Change::Nest),
    ]
}

impl Change {
    fn make(&self, value: &mut Value) {
        match (self, value) {
            (Change::Replace(other), value) => *value = other.clone(),
            (Change::Empty, Value::Array(list)) => list.clear(),
            (Change::Empty, Value::Object(map)) => map.clear(),
            (Change::Double, Value::Array(list)) => list.extend(list.clone()),
            (Change::Drop, Value::Array(list)) => drop(list.pop()),
            (Change::Drop, Value::Object(map)) => {
                if let Some(key) = map.keys().next().cloned() {
                    map.remove(&key);
                }
            }
            (Change::Nest, value) => *value = Value::Array(vec![value.take()]),
            (_, value) => *value = Value::Null,
        }
    }
}

/// Asks, and checks that the answer is one line of JSON: an object that is an error or has no error in it.
fn answered(session: &mut Session, line: &[u8]) -> Value {
    let answer = session.reply(line);
    assert!(!answer.contains(['\n', '\r']), "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
    assert!(answer.is_object(), "{answer}");
    answer
}

/// A session in which the door's example is loaded, so that lines may use it.
fn prepared(at: usize) -> Session {
    let mut session = DOORS[at].session();
    if let Some(loading) = &DOORS[at].loading {
        assert!(answered(&mut session, loading.load_example.as_bytes()).get("loaded").is_some());
    }
    session
}

/// The door still answers its examples.
fn still_answers(session: &mut Session) {
    let door = session.door();
    let answer = answered(session, door.example.as_bytes());
    assert!(answer.get("error").is_none(), "{}: {answer}", door.name);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_answered_by_every_door(json in any_json()) {
        for at in 0..DOORS.len() {
            let mut session = prepared(at);
            answered(&mut session, json.to_string().as_bytes());
            still_answers(&mut session);
        }
    }

    #[test]
    fn any_bytes_are_answered_by_every_door(bytes in vec(any::<u8>().prop_filter("a line", |byte| *byte != b'\n'), 0..60)) {
        for at in 0..DOORS.len() {
            answered(&mut prepared(at), &bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_line_is_answered(
        (at, line) in select(good_lines()),
        changes in vec((any::<Index>(), change()), 1..4),
    ) {
        let mut json: Value = serde_json::from_str(line).expect("examples are JSON");
        for (index, change) in &changes {
            let n = index.index(count(&json));
            change.make(nth(&mut json, n).expect("counted"));
        }
        answered(&mut prepared(at), json.to_string().as_bytes());
    }

    #[test]
    fn a_line_with_damaged_text_is_answered(
        (at, line) in select(good_lines()),
        damage in vec((any::<Index>(), select(b"0123456789.-xeE\"[]{},: nu\\".to_vec()), any::<bool>()), 1..4),
    ) {
        let mut bytes = line.as_bytes().to_vec();
        for (index, byte, insert) in damage {
            let at = index.index(bytes.len());
            if insert { bytes.insert(at, byte) } else { bytes[at] = byte }
        }
        answered(&mut prepared(at), &bytes);
    }
}
