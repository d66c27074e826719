//! Reading a domain file.

use std::borrow::Cow;
use std::fmt;

use repertoire_authored::{Document, Mistake, Ordered, Spanned, nearest};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::syntax;
use super::{Class, Domain, Goal, Way};
use crate::task::{Action, Effect, Fact, Task, TaskError, UNKNOWN};

/// A planning domain: variables, actions, goals; shared ones at the top, the others in classes of characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DomainFile {
    /// What the domain is called.
    name: String,
    /// What it is, in a sentence or two.
    #[serde(default)]
    about: String,
    /// Where it comes from.
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    source: String,
    /// What a goal does not name: `open` (it may change) or `keep` (it stays as it was).
    #[serde(default)]
    unnamed: Unnamed,
    /// Variables of all classes: name and values, the usual start first.
    #[serde(default)]
    #[schemars(with = "Ordered<Vec<String>>")]
    variables: Ordered<Spanned<Vec<String>>>,
    /// Actions of all classes.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    actions: Ordered<Spanned<String>>,
    /// Goals of all classes.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    goals: Ordered<Spanned<String>>,
    /// Concrete ways to do an action.
    #[serde(default)]
    ways: Ordered<WaysFile>,
    /// Usual starting values other than the first.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    start: Ordered<Spanned<String>>,
    /// Classes of characters.
    #[serde(default)]
    class: Ordered<ClassFile>,
}

/// A domain in a larger file.
#[derive(Debug, Deserialize)]
struct PartFile {
    #[serde(default)]
    unnamed: Unnamed,
    #[serde(default)]
    facts: Ordered<Spanned<Vec<String>>>,
    #[serde(default)]
    actions: Ordered<Spanned<String>>,
    #[serde(default)]
    goals: Ordered<Spanned<String>>,
    #[serde(default)]
    ways: Ordered<WaysFile>,
    #[serde(default)]
    start: Ordered<Spanned<String>>,
}

/// What a goal does not name.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unnamed {
    #[default]
    Open,
    Keep,
}

/// A class of characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClassFile {
    /// Its variables: name and values, the usual start first.
    #[serde(default)]
    #[schemars(with = "Ordered<Vec<String>>")]
    variables: Ordered<Spanned<Vec<String>>>,
    /// Its actions: `variable: before -> after if other=value`; `*` before the arrow for any value, `?` while it is not known.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    actions: Ordered<Spanned<String>>,
    /// Its goals: `variable=value other=value`.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    goals: Ordered<Spanned<String>>,
    /// Concrete ways to do an action.
    #[serde(default)]
    ways: Ordered<WaysFile>,
    /// Usual starting values other than the first.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    start: Ordered<Spanned<String>>,
}

/// A list of names, or a table of names with the conditions they can be taken in.
#[derive(Debug)]
struct WaysFile(Vec<(String, Option<Spanned<String>>)>);

impl<'de> Deserialize<'de> for WaysFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListOrTable;
        impl<'de> Visitor<'de> for ListOrTable {
            type Value = WaysFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of ways such as [\"shoot\", \"stab\"], or a table such as { shoot = \"gun=drawn\" }")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<WaysFile, A::Error> {
                let mut ways = Vec::new();
                while let Some(name) = seq.next_element()? {
                    ways.push((name, None));
                }
                Ok(WaysFile(ways))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WaysFile, A::Error> {
                let table: Ordered<Spanned<String>> = Ordered::deserialize(MapAccessDeserializer::new(map))?;
                Ok(WaysFile(
                    table.0.into_iter().map(|(name, when)| (name.into_inner(), Some(when))).collect(),
                ))
            }
        }
        deserializer.deserialize_any(ListOrTable)
    }
}

impl JsonSchema for WaysFile {
    fn schema_name() -> Cow<'static, str> {
        "Ways".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "array", "items": { "type": "string" } },
            { "type": "object", "additionalProperties": { "type": "string" } }
        ] })
    }
}

/// The JSON schema of a domain file.
pub fn schema() -> Schema {
    schemars::schema_for!(DomainFile)
}

/// Reads a domain.
pub fn read(text: &str) -> Result<Domain, Mistake> {
    from_shape(text, repertoire_authored::read(text)?)
}

/// Reads the domain in a file that holds more than that, such as a character's; there variables are called facts.
pub fn read_part(document: &mut Document<'_>) -> Result<Domain, Mistake> {
    let part: PartFile = document.take(&PART_KEYS)?;
    let PartFile { unnamed, facts, actions, goals, ways, start } = part;
    let file = DomainFile {
        name: String::new(),
        about: String::new(),
        source: String::new(),
        unnamed,
        variables: facts,
        actions,
        goals,
        ways,
        start,
        class: Ordered::default(),
    };
    from_shape(document.text(), file)
}

/// The keys of a domain with classes in a larger file.
pub const CLASS_KEYS: [&str; 6] = ["unnamed", "variables", "actions", "goals", "start", "class"];

/// A domain with classes in a larger file; what the larger file calls ways is its own affair.
#[derive(Debug, Deserialize)]
struct ClassesFile {
    #[serde(default)]
    unnamed: Unnamed,
    #[serde(default)]
    variables: Ordered<Spanned<Vec<String>>>,
    #[serde(default)]
    actions: Ordered<Spanned<String>>,
    #[serde(default)]
    goals: Ordered<Spanned<String>>,
    #[serde(default)]
    start: Ordered<Spanned<String>>,
    #[serde(default)]
    class: Ordered<ClassFile>,
}

/// Reads the domain of several classes in a file that holds more than that, such as a town's.
pub fn read_classes(document: &mut Document<'_>) -> Result<Domain, Mistake> {
    let ClassesFile { unnamed, variables, actions, goals, start, class } = document.take(&CLASS_KEYS)?;
    let file = DomainFile {
        name: String::new(),
        about: String::new(),
        source: String::new(),
        unnamed,
        variables,
        actions,
        goals,
        ways: Ordered::default(),
        start,
        class,
    };
    from_shape(document.text(), file)
}

/// The keys of a domain in a larger file.
pub const PART_KEYS: [&str; 6] = ["unnamed", "facts", "actions", "goals", "ways", "start"];

fn from_shape(text: &str, file: DomainFile) -> Result<Domain, Mistake> {
    let mut reader = Reader { text, ..Reader::default() };
    let shared = ClassFile {
        variables: file.variables,
        actions: file.actions,
        goals: file.goals,
        ways: file.ways,
        start: file.start,
    };
    let sections: Vec<(Option<&Spanned<String>>, &ClassFile)> = std::iter::once((None, &shared))
        .chain(file.class.0.iter().map(|(name, class)| (Some(name), class)))
        .collect();
    // Variables first, so that actions may speak of those declared further down.
    let mut owned = Vec::new();
    for (_, section) in &sections {
        owned.push(reader.variables(section)?);
    }
    let mut classes = Vec::new();
    let shared_variables = owned[0].clone();
    for ((name, section), variables) in sections.into_iter().zip(owned) {
        let actions = reader.actions(section)?;
        let own = |var: u32| variables.contains(&var) || shared_variables.contains(&var);
        reader.start(section, &own)?;
        let goals = reader.goals(section, &own)?;
        reader.ways(section)?;
        let name = name.map_or(String::new(), |name| name.get_ref().clone());
        classes.push(Class { name, variables, actions, goals });
    }
    // What is shared belongs to every class; it is a class of its own only where there are no others.
    let shared = classes.remove(0);
    for class in &mut classes {
        class.variables.splice(0..0, shared.variables.iter().copied());
        class.actions.splice(0..0, shared.actions.iter().copied());
        class.goals.splice(0..0, shared.goals.iter().cloned());
    }
    if classes.is_empty() {
        classes.push(shared);
    }
    let sizes = reader.values.iter().map(|values| values.len() as u16).collect();
    let spans = reader.action_spans;
    let task = Task::new(sizes, reader.tasks).map_err(|error| {
        let span = match &error {
            TaskError::Twice { action, .. } | TaskError::NoEffect(action) => spans[*action].clone(),
            _ => 0..0,
        };
        let named = match &error {
            TaskError::Twice { action, var } => {
                format!(
                    "the action `{}` speaks of `{}` twice",
                    reader.action_names[*action], reader.names[*var as usize]
                )
            }
            other => other.to_string(),
        };
        Mistake::at(
            text,
            span,
            named,
            "name each variable once; what an action changes has its condition in `before -> after`",
        )
    })?;
    Ok(Domain {
        name: file.name,
        about: file.about,
        variables: reader.names,
        values: reader.values,
        actions: reader.action_names,
        ways: reader.ways,
        task,
        start: reader.start,
        classes,
        keep_unnamed: matches!(file.unnamed, Unnamed::Keep),
    })
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    names: Vec<String>,
    values: Vec<Vec<String>>,
    start: Vec<u16>,
    action_names: Vec<String>,
    action_spans: Vec<std::ops::Range<usize>>,
    tasks: Vec<Action>,
    ways: Vec<Vec<Way>>,
}

impl Reader<'_> {
    fn variables(&mut self, section: &ClassFile) -> Result<Vec<u32>, Mistake> {
        let mut owned = Vec::new();
        for (name, values) in &section.variables.0 {
            let wrong = |what: String, remedy: &str| Mistake::at(self.text, name.span(), what, remedy);
            let label = name.get_ref();
            if self.names.contains(label) {
                return Err(wrong(format!("the variable `{label}` is declared twice"), "rename one of them"));
            }
            let list = values.get_ref();
            if list.is_empty() || list.len() > usize::from(u16::MAX) {
                return Err(wrong(
                    format!("`{label}` has {} values", list.len()),
                    "give it between 1 and 65535",
                ));
            }
            let mut sorted: Vec<&String> = list.iter().collect();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(wrong(
                    format!("`{label}` has the value `{}` twice", pair[0]),
                    "keep one of them",
                ));
            }
            let writable =
                |name: &str| !name.is_empty() && !name.contains([' ', ',', '=', ':', '*', '\t', '\n']);
            if let Some(bad) = [label].into_iter().chain(list).find(|name| !writable(name)) {
                return Err(wrong(format!("`{bad}` cannot be a name"), "leave out blanks and , = : *"));
            }
            owned.push(self.names.len() as u32);
            self.names.push(label.clone());
            self.values.push(list.clone());
            self.start.push(0);
        }
        Ok(owned)
    }

    /// A fact by names.
    fn fact(&self, at: &Spanned<String>, var: &str, value: &str) -> Result<Fact, Mistake> {
        let wrong = |what: String, remedy: String| Mistake::at(self.text, at.span(), what, remedy);
        let Some(index) = self.names.iter().position(|name| name == var) else {
            return Err(wrong(format!("`{var}` is not a variable"), choices(var, &self.names)));
        };
        match self.values[index].iter().position(|name| name == value) {
            Some(at) => Ok((index as u32, at as u16)),
            None => Err(wrong(
                format!("`{value}` is not a value of `{var}`"),
                choices(value, &self.values[index]),
            )),
        }
    }

    fn facts(&self, at: &Spanned<String>) -> Result<Vec<Fact>, Mistake> {
        let pairs = syntax::facts(at.get_ref()).map_err(|what| {
            Mistake::at(self.text, at.span(), what, "write variable=value, with blanks between")
        })?;
        let mut facts: Vec<Fact> = Vec::new();
        for (var, value) in pairs {
            let fact = self.fact(at, var, value)?;
            if facts.iter().any(|&(known, _)| known == fact.0) {
                return Err(Mistake::at(
                    self.text,
                    at.span(),
                    format!("`{var}` is there twice"),
                    "keep one of them",
                ));
            }
            facts.push(fact);
        }
        Ok(facts)
    }

    fn actions(&mut self, section: &ClassFile) -> Result<Vec<u32>, Mistake> {
        let mut owned = Vec::new();
        for (name, text) in &section.actions.0 {
            let label = name.get_ref();
            if self.action_names.contains(label) {
                let what = format!("the action `{label}` is there twice");
                return Err(Mistake::at(self.text, name.span(), what, "rename one of them"));
            }
            let (changes, conditions) = syntax::action(text.get_ref()).map_err(|what| {
                Mistake::at(
                    self.text,
                    text.span(),
                    what,
                    "write \"variable: before -> after if other=value\"",
                )
            })?;
            let mut effects = Vec::new();
            for (var, pre, post) in changes {
                let (index, post) = self.fact(text, var, post)?;
                let is_unknown =
                    pre == Some("?") && !self.values[index as usize].iter().any(|name| name == "?");
                let pre = match pre {
                    _ if is_unknown => Some(UNKNOWN),
                    Some(pre) => Some(self.fact(text, var, pre)?.1),
                    None => None,
                };
                if pre == Some(post) {
                    let what = format!("the action `{label}` leaves `{var}` as it is");
                    let remedy = "make it a condition (if variable=value), or name another value after ->";
                    return Err(Mistake::at(self.text, text.span(), what, remedy));
                }
                effects.push(Effect { var: index, pre, post, when: Vec::new() });
            }
            let mut prevail = Vec::new();
            for (var, value) in conditions {
                prevail.push(self.fact(text, var, value)?);
            }
            owned.push(self.tasks.len() as u32);
            self.action_names.push(label.clone());
            self.action_spans.push(text.span());
            self.tasks.push(Action { effects, prevail });
            self.ways.push(Vec::new());
        }
        Ok(owned)
    }

    /// What a class says of variables must be of its own, or of those that all share.
    fn must_own(&self, at: &Spanned<String>, var: u32, own: &dyn Fn(u32) -> bool) -> Result<(), Mistake> {
        if own(var) {
            return Ok(());
        }
        let what = format!("`{}` is another class's variable", self.names[var as usize]);
        Err(Mistake::at(
            self.text,
            at.span(),
            what,
            "declare it in [variables], outside of classes, to share it",
        ))
    }

    fn start(&mut self, section: &ClassFile, own: &dyn Fn(u32) -> bool) -> Result<(), Mistake> {
        for (name, written) in &section.start.0 {
            let (var, value) = self.fact(written, name.get_ref(), written.get_ref())?;
            self.must_own(name, var, own)?;
            self.start[var as usize] = value;
        }
        Ok(())
    }

    fn goals(&self, section: &ClassFile, own: &dyn Fn(u32) -> bool) -> Result<Vec<Goal>, Mistake> {
        let goal = |(name, text): &(Spanned<String>, Spanned<String>)| {
            let facts = self.facts(text)?;
            facts.iter().try_for_each(|&(var, _)| self.must_own(text, var, own))?;
            Ok(Goal { name: name.get_ref().clone(), facts })
        };
        section.goals.0.iter().map(goal).collect()
    }

    fn ways(&mut self, section: &ClassFile) -> Result<(), Mistake> {
        for (name, list) in &section.ways.0 {
            let Some(action) = self.action_names.iter().position(|known| known == name.get_ref()) else {
                let what = format!("`{}` is not an action", name.get_ref());
                return Err(Mistake::at(
                    self.text,
                    name.span(),
                    what,
                    choices(name.get_ref(), &self.action_names),
                ));
            };
            for (way, when) in &list.0 {
                let conditions = when.as_ref().map_or(Ok(Vec::new()), |when| self.facts(when))?;
                self.ways[action].push(Way { name: way.clone(), conditions });
            }
        }
        Ok(())
    }
}

fn choices(name: &str, known: &[String]) -> String {
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "nothing is declared yet".into(),
        None => {
            format!("known are {}", known.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", "))
        }
    }
}
