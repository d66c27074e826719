//! The door to task sequencing: which task comes next, and why.

use std::borrow::Cow;
use std::collections::BTreeMap;

use repertoire_authored::nearest;
use repertoire_bayes::sequence::{Behaviour, file, shipped};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Sequences;

impl Keeps for Sequences {
    const NAME: &'static str = "sequence";
    const ABOUT: &'static str = "which task comes next, given the task before and the sensors, and why";
    const EXAMPLE: &'static str = r#"{"behaviour":"prudent","previous":"attack","sensors":{"health":"low","enemies":"one","weapon":"strong"}}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"behaviour":"prudent"},"as":"guard"}"#;
    const USE_EXAMPLE: &'static str =
        r#"{"use":"guard","previous":"attack","sensors":{"health":"low","enemies":"one","weapon":"strong"}}"#;
    type Request = Request;
    type Response = Response<'static>;
    type Thing = Thing;
    type Question = Question;
    type Kept = Behaviour;
    type Last = Option<(Value, Behaviour)>;

    fn answer(request: Request, last: &mut Self::Last, library: &dyn Library) -> Result<String, DoorError> {
        let (Thing { behaviour: written }, question) = request.split();
        // A file may be written anew between two lines, so it is read for each.
        if let Some(from_file) = from_file(&written, library) {
            return Self::ask(&[&from_file?], question);
        }
        match last {
            Some((before, behaviour)) if *before == written => Self::ask(&[behaviour], question),
            _ => {
                let behaviour = read(&written)?;
                let (_, behaviour) = last.insert((written, behaviour));
                Self::ask(&[behaviour], question)
            }
        }
    }

    fn keep(thing: Thing, library: &dyn Library) -> Result<Behaviour, DoorError> {
        from_file(&thing.behaviour, library).unwrap_or_else(|| Ok(read(&thing.behaviour)?))
    }

    fn ask(used: &[&Behaviour], question: Question) -> Result<String, DoorError> {
        decide(only(used)?, &question)
    }
}

question! {
    /// Which task comes next?
    load {
        /// The name of a shipped behaviour, the path of a behaviour file, or a behaviour with the keys of such a file.
        behaviour: Value,
    }
    ask {
        /// The task before; left out, any may have come before.
        #[serde(default)]
        previous: Option<String>,
        /// What each sensor says, by the names of values; those left out, or null, are left out of the product.
        #[serde(default)]
        sensors: BTreeMap<String, Value>,
    }
}

/// The distribution over tasks, and what each sensor had to do with it. Logarithms of 0 are null.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response<'a> {
    /// P(task | previous task, sensors).
    posterior: Ordered<'a, f64>,
    /// ln of the sum of the products; null when it is degenerate.
    log_z: f64,
    /// Every task was impossible: the posterior is P(task | previous task).
    degenerate: bool,
    /// For each sensor, ln of what its table says for each task.
    contributions: Ordered<'a, Ordered<'a, f64>>,
}

/// A JSON object whose keys stand in the behaviour's order.
#[derive(Debug)]
struct Ordered<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Ordered<'_, V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (*key, value)))
    }
}

impl<V: JsonSchema> JsonSchema for Ordered<'_, V> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Map_of_{}", V::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<BTreeMap<String, V>>()
    }
}

fn decide(behaviour: &Behaviour, request: &Question) -> Result<String, DoorError> {
    let tasks: Vec<&str> = behaviour.task_names().collect();
    let unknown = |kind: &str, name: &str, known: &[&str]| {
        let near = nearest(name, known.iter().copied()).map(|near| format!(", did you mean `{near}`?"));
        format!("there is no {kind} `{name}`{}; there are {}", near.unwrap_or_default(), known.join(", "))
    };
    let previous = match &request.previous {
        Some(name) => Some(behaviour.task(name).ok_or_else(|| unknown("task", name, &tasks))?),
        None => None,
    };
    let mut values = vec![None; behaviour.sensors().len()];
    for (name, value) in &request.sensors {
        let names = || behaviour.sensors().iter().map(|sensor| sensor.name.as_str()).collect::<Vec<_>>();
        let at = behaviour.sensor(name).ok_or_else(|| unknown("sensor", name, &names()))?;
        let sensor = &behaviour.sensors()[at];
        let word: Cow<'_, str> = match value {
            Value::Null => continue,
            Value::String(word) => word.into(),
            Value::Bool(truth) => truth.to_string().into(),
            Value::Number(number) => number.to_string().into(),
            _ => return Err(format!("the value of `{name}` is not a name").into()),
        };
        let known = || sensor.values.iter().map(String::as_str).collect::<Vec<_>>();
        let value =
            sensor.value(&word).ok_or_else(|| unknown(&format!("value of {name}"), &word, &known()))?;
        values[at] = Some(value);
    }
    let decision = behaviour.decide(previous, &values);
    let by_task = |numbers: &[f64]| Ordered(tasks.iter().copied().zip(numbers.iter().copied()).collect());
    let contributions = decision.contributions.iter();
    line(&Response {
        posterior: by_task(&decision.posterior),
        log_z: decision.log_z,
        degenerate: decision.degenerate,
        contributions: Ordered(
            contributions
                .map(|spoke| (&*behaviour.sensors()[spoke.sensor].name, by_task(&spoke.nats)))
                .collect(),
        ),
    })
}

/// The behaviour of a file, if a file is named.
fn from_file(written: &Value, library: &dyn Library) -> Option<Result<Behaviour, DoorError>> {
    library.behaviour(written.as_str()?)
}

fn read(written: &Value) -> Result<Behaviour, String> {
    match written {
        Value::String(name) => shipped::behaviour(name).ok_or_else(|| {
            let names: Vec<&str> = shipped::BEHAVIOURS.iter().map(|(name, _)| *name).collect();
            format!("there is no behaviour `{name}`\n  remedy: one of {}", names.join(", "))
        }),
        Value::Object(object) => {
            // The reader of files reads this too, so that both mean the same.
            let mut object = object.clone();
            object.entry("name").or_insert_with(|| Value::String("asked".into()));
            let text = toml_edit::ser::to_string(&object)
                .map_err(|error| format!("the behaviour cannot be a file: {error}"))?;
            let find = &mut |name: &str| shipped::behaviour(name).ok_or_else(|| "it is not shipped".into());
            file::read(&text, find)
                .map_err(|mistake| format!("behaviour: {}; remedy: {}", mistake.what, mistake.remedy))
        }
        _ => Err("`behaviour` is a name, a path, or an object with the keys of a behaviour file".into()),
    }
}
