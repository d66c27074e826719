//! The interaction matrices of the IODA method, in the text formats that its NetLogo extension reads and writes.
//!
//! Written from the format's public description (the extension's manual and tutorial, versions 2.3 and 3.0). A file of
//! interactions:
//!
//! ```text
//! ; a line that begins with neither a letter nor a digit is a comment
//! exclusive interaction Eat        ; or `parallel`, which is usual
//!   trigger    hungry?             ; all of a line; several trigger or condition lines are alternatives
//!   condition  target:healthy? not:asleep?
//!   actions    digest target:die
//! end
//! ```
//!
//! and a matrix, whose fields are kept apart by given characters:
//!
//! ```text
//! wolves  Eat   20  sheep  1  BEST:weight     ; source, interaction, priority, target, distance, policy
//! wolves  Roam   0                            ; with oneself
//! grass   Grow   0  UPDATE                    ; in the update matrix
//! - wolves Eat  20  sheep  1                  ; taken out again
//! ```
//!
//! The primitives (`hungry?`, `digest`) are code in NetLogo. [`Model::to_toml`] turns a model into our laws: a reporter
//! becomes a true-or-false property unless it is defined, and a command must be defined, or is left out with a note.

use std::collections::BTreeMap;

use repertoire_authored::Mistake;
use serde::{Deserialize, Serialize};

/// What separates the fields of a matrix if nothing else is said.
pub const SEPARATORS: &str = " \t,;()";

/// A primitive as an interaction uses it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Primitive {
    /// Its name, without what stands in front.
    pub name: String,
    /// Whether the target is asked or told, not the source.
    pub of_target: bool,
    /// Whether the opposite is meant.
    pub negated: bool,
}

/// An interaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interaction {
    /// Its name.
    pub name: String,
    /// Whether others cannot take part at the same time.
    pub exclusive: bool,
    /// Any of these, all of each.
    pub triggers: Vec<Vec<Primitive>>,
    /// And any of these, all of each.
    pub conditions: Vec<Vec<Primitive>>,
    /// What is done.
    pub actions: Vec<Primitive>,
}

/// Who may do what to whom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assignation {
    /// Who does it.
    pub source: String,
    /// What.
    pub interaction: String,
    /// The highest goes first.
    pub priority: f64,
    /// To whom, within which distance; none: to itself.
    pub target: Option<(String, f64)>,
    /// How a target is chosen: `RANDOM`, `BEST:weight`.
    pub policy: Option<String>,
    /// Whether it belongs to the update matrix.
    pub update: bool,
}

/// Interactions and matrices.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Model {
    /// The interactions.
    pub interactions: Vec<Interaction>,
    /// The matrices.
    pub assignations: Vec<Assignation>,
}

fn mistake(line: usize, what: String, remedy: &str) -> Mistake {
    Mistake { line, column: 1, what, remedy: remedy.into() }
}

/// Lines that say something, with their numbers.
fn lines<'a>(text: &'a str, signs: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())).filter(move |(_, line)| {
        line.chars().next().is_some_and(|first| first.is_alphanumeric() || signs.contains(first))
    })
}

fn primitive(word: &str) -> Primitive {
    let mut found = Primitive { name: String::new(), of_target: false, negated: false };
    let mut rest = word;
    loop {
        let lower = rest.to_ascii_lowercase();
        if lower.starts_with("target:") {
            found.of_target = true;
            rest = &rest["target:".len()..];
        } else if lower.starts_with("not:") {
            found.negated = !found.negated;
            rest = &rest["not:".len()..];
        } else {
            found.name = rest.to_owned();
            return found;
        }
    }
}

/// Reads a file of interactions.
pub fn read_interactions(text: &str) -> Result<Vec<Interaction>, Mistake> {
    let mut all: Vec<Interaction> = Vec::new();
    let mut open: Option<(usize, Interaction)> = None;
    for (at, line) in lines(text, "") {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default().to_ascii_lowercase();
        let rest: Vec<&str> = words.collect();
        let primitives = || rest.iter().map(|word| primitive(word)).collect::<Vec<_>>();
        let is_head = |word: &str| word.eq_ignore_ascii_case("interaction");
        match (first.as_str(), &mut open) {
            ("interaction" | "parallel" | "exclusive", None) => {
                let name = match (first.as_str(), &rest[..]) {
                    ("interaction", [name]) => Some(*name),
                    ("parallel" | "exclusive", [head, name]) if is_head(head) => Some(*name),
                    _ => None,
                };
                let Some(name) = name else {
                    return Err(mistake(at, "an interaction has one name".into(), "write interaction Eat"));
                };
                if all.iter().any(|known| known.name.eq_ignore_ascii_case(name)) {
                    return Err(mistake(at, format!("`{name}` is there twice"), "keep one of them"));
                }
                let exclusive = first == "exclusive";
                let (triggers, conditions, actions) = Default::default();
                open = Some((
                    at,
                    Interaction { name: name.to_owned(), exclusive, triggers, conditions, actions },
                ));
            }
            ("interaction" | "parallel" | "exclusive", Some((since, before))) => {
                let what = format!("`{}` of line {since} has no end", before.name);
                return Err(mistake(at, what, "write `end` before the next interaction"));
            }
            ("trigger", Some((_, interaction))) => interaction.triggers.push(primitives()),
            ("condition", Some((_, interaction))) => interaction.conditions.push(primitives()),
            ("actions" | "action", Some((_, interaction))) => interaction.actions.extend(primitives()),
            ("end", Some(_)) if rest.is_empty() => all.extend(open.take().map(|(_, done)| done)),
            _ => {
                let what = format!("`{line}` is not understood here");
                return Err(mistake(at, what, "write interaction, trigger, condition, actions or end"));
            }
        }
    }
    match open {
        None => Ok(all),
        Some((since, left)) => {
            Err(mistake(since, format!("`{}` has no end", left.name), "write `end` after its actions"))
        }
    }
}

/// What primitives mean: a TOML file of `name = "expression"`.
///
/// # Errors
/// If it is none; the mistake says where.
pub fn read_primitives(text: &str) -> Result<BTreeMap<String, String>, Mistake> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Primitives(BTreeMap<String, String>);
    let Primitives(read) = repertoire_authored::read(text)?;
    Ok(read)
}

/// Reads a matrix. Lines that begin with `-` take an assignation out again.
pub fn read_matrix(text: &str, separators: &str) -> Result<Vec<Assignation>, Mistake> {
    let mut all: Vec<Assignation> = Vec::new();
    for (at, line) in lines(text, "+-") {
        let removes = line.starts_with('-');
        let line = line.trim_start_matches(['+', '-']);
        // A comment may follow after a semicolon, unless that separates fields.
        let line = if separators.contains(';') { line } else { line.split(';').next().unwrap_or_default() };
        let fields: Vec<&str> = line
            .split(|letter| separators.contains(letter))
            .map(str::trim)
            .filter(|field| !field.is_empty())
            .collect();
        let number = |field: &str| field.parse().ok().filter(|number: &f64| number.is_finite());
        let [source, interaction, priority, rest @ ..] = &fields[..] else {
            let what = format!("a line of a matrix has at least three fields, and this has {}", fields.len());
            return Err(mistake(at, what, "write source, interaction and priority"));
        };
        let Some(priority) = number(priority) else {
            return Err(mistake(at, format!("`{priority}` is no priority"), "write a number"));
        };
        let (target, policy, update) = match rest {
            [] => (None, None, false),
            [word] if word.eq_ignore_ascii_case("update") => (None, None, true),
            [target, distance] | [target, distance, _] => {
                let Some(distance) = number(distance).filter(|distance| *distance >= 0.0) else {
                    return Err(mistake(
                        at,
                        format!("`{distance}` is no distance"),
                        "write a number from 0 up",
                    ));
                };
                let policy = rest.get(2).map(|policy| (*policy).to_owned());
                (Some((target.to_lowercase(), distance)), policy, false)
            }
            _ => {
                let what = format!("{} fields follow the priority", rest.len());
                return Err(mistake(
                    at,
                    what,
                    "nothing, UPDATE, or a target, a distance and perhaps a policy",
                ));
            }
        };
        let (source, interaction) = (source.to_lowercase(), (*interaction).to_owned());
        let assignation = Assignation { source, interaction, priority, target, policy, update };
        if removes {
            all.retain(|known| known != &assignation);
        } else {
            all.push(assignation);
        }
    }
    Ok(all)
}

impl Model {
    /// Reads both files, neither of which may be empty. A mistake says whether it is in the matrix.
    pub fn read(interactions: &str, matrix: &str, separators: &str) -> Result<Model, (bool, Mistake)> {
        for (in_matrix, text) in [(false, interactions), (true, matrix)] {
            if text.trim_start().starts_with(['{', '[']) {
                let at = 1 + text.chars().take_while(|c| c.is_whitespace()).filter(|&c| c == '\n').count();
                let remedy = "give the plain text that IODA's NetLogo extension reads";
                return Err((in_matrix, mistake(at, "this looks like JSON".into(), remedy)));
            }
        }
        let interactions = read_interactions(interactions).map_err(|mistake| (false, mistake))?;
        let assignations = read_matrix(matrix, separators).map_err(|mistake| (true, mistake))?;
        if interactions.is_empty() {
            let remedy = "write interaction NAME, its lines and `end`, for each";
            return Err((false, mistake(1, "there is no interaction in this file".into(), remedy)));
        }
        if assignations.is_empty() {
            let remedy = "write source, interaction and priority on a line, for each";
            return Err((true, mistake(1, "there is no assignation in this file".into(), remedy)));
        }
        Ok(Model { interactions, assignations })
    }

    /// An interaction by its name.
    pub fn interaction(&self, name: &str) -> Option<&Interaction> {
        self.interactions.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }

    /// Every kind of agent, in the order in which they are named.
    pub fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = Vec::new();
        for assignation in &self.assignations {
            let named = [Some(&assignation.source), assignation.target.as_ref().map(|(target, _)| target)];
            for kind in named.into_iter().flatten() {
                if !kinds.contains(&kind.as_str()) {
                    kinds.push(kind);
                }
            }
        }
        kinds
    }

    /// What does not fit together: assignations without their interaction, interactions nobody is given.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for assignation in &self.assignations {
            if self.interaction(&assignation.interaction).is_none() {
                faults.push(format!(
                    "`{}` performs `{}`, which is not among the interactions",
                    assignation.source, assignation.interaction
                ));
            }
        }
        for interaction in &self.interactions {
            let used =
                |assignation: &Assignation| assignation.interaction.eq_ignore_ascii_case(&interaction.name);
            if !self.assignations.iter().any(used) {
                faults.push(format!("nobody performs `{}`", interaction.name));
            }
        }
        faults
    }

    /// The concrete primitives that the model asks for: `wolves::hungry?`, as the extension lists them.
    pub fn primitives(&self) -> Vec<String> {
        let mut all = Vec::new();
        for assignation in &self.assignations {
            let Some(interaction) = self.interaction(&assignation.interaction) else { continue };
            let conditions = interaction.triggers.iter().chain(&interaction.conditions).flatten();
            for primitive in conditions.chain(&interaction.actions) {
                let target = assignation.target.as_ref().map(|(target, _)| target);
                let kind = if primitive.of_target { target } else { Some(&assignation.source) };
                all.extend(kind.map(|kind| format!("{kind}::{}", primitive.name)));
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// The model as our laws, and what could not be said in them. `defined` gives primitives a meaning in the language of
    /// interactions, with `actor` for whoever the primitive belongs to: `digest = "actor.energy.add(5)"`.
    pub fn to_toml(&self, defined: &BTreeMap<String, String>) -> (String, Vec<String>) {
        let mut notes = Vec::new();
        let mut text = String::from("# From an IODA model.\n");
        let mut performs: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut undergoes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut properties: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut written: Vec<(String, String)> = Vec::new();
        for assignation in &self.assignations {
            let Some(interaction) = self.interaction(&assignation.interaction) else { continue };
            if assignation.update {
                notes.push(format!(
                    "`{}` of `{}` happens by itself each step: write it as each_step of a character",
                    interaction.name, assignation.source
                ));
                continue;
            }
            let distance = assignation.target.as_ref().map(|(_, distance)| *distance);
            let body = self.body(interaction, distance, defined, &mut notes);
            let plain = dashed(&interaction.name);
            // The distance belongs to the assignation there and to the interaction here.
            let name = match written.iter().find(|(_, known)| *known == body) {
                Some((name, _)) if *name == plain || name.starts_with(&format!("{plain}-")) => name.clone(),
                _ => {
                    let copies = written
                        .iter()
                        .filter(|(name, _)| *name == plain || name.starts_with(&format!("{plain}-")))
                        .count();
                    let name = if copies == 0 { plain } else { format!("{plain}-{}", copies + 1) };
                    written.push((name.clone(), body));
                    name
                }
            };
            let target =
                assignation.target.as_ref().map_or(assignation.source.as_str(), |(target, _)| target);
            add(performs.entry(&assignation.source).or_default(), name.clone());
            add(undergoes.entry(target).or_default(), name);
            for primitive in interaction.triggers.iter().chain(&interaction.conditions).flatten() {
                if !defined.contains_key(&primitive.name) {
                    let kind = if primitive.of_target { target } else { &assignation.source };
                    add(properties.entry(kind).or_default(), property(&primitive.name));
                }
            }
        }
        for (name, body) in &written {
            text += &format!("\n[interaction.{name}]\n{body}");
        }
        let list = |names: Option<&Vec<String>>| {
            names.map(|names| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
        };
        for kind in self.kinds() {
            text += &format!("\n[kind.{}]\n", dashed(kind));
            for (word, table) in [("performs", &performs), ("undergoes", &undergoes)] {
                if let Some(names) = list(table.get(kind)) {
                    text += &format!("{word} = [{names}]\n");
                }
            }
            if let Some(own) = properties.get(kind) {
                let own: Vec<String> = own.iter().map(|name| format!("{name} = false")).collect();
                text += &format!("properties = {{ {} }}\n", own.join(", "));
            }
        }
        notes.sort();
        notes.dedup();
        (text, notes)
    }

    fn body(
        &self,
        interaction: &Interaction,
        distance: Option<f64>,
        defined: &BTreeMap<String, String>,
        notes: &mut Vec<String>,
    ) -> String {
        let said = |primitive: &Primitive| {
            let who = if primitive.of_target { "target" } else { "actor" };
            let text = match defined.get(&primitive.name) {
                Some(meaning) => format!("({})", meaning.replace("actor.", &format!("{who}."))),
                None => format!("{who}.{}", property(&primitive.name)),
            };
            if primitive.negated { format!("not {text}") } else { text }
        };
        let any = |lines: &[Vec<Primitive>]| {
            let line = |line: &Vec<Primitive>| line.iter().map(said).collect::<Vec<_>>().join(" and ");
            match lines {
                [] => None,
                [one] => Some(line(one)),
                several => Some(format!("({})", several.iter().map(line).collect::<Vec<_>>().join(" or "))),
            }
        };
        let parts: Vec<String> = [any(&interaction.triggers), any(&interaction.conditions)]
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        let mut actions = Vec::new();
        for primitive in &interaction.actions {
            let who = if primitive.of_target { "target" } else { "actor" };
            match (defined.get(&primitive.name), primitive.name.as_str()) {
                (Some(meaning), _) => {
                    // A command that is done by the target is written for the actor: exchange the two.
                    let meaning = match primitive.of_target {
                        false => meaning.clone(),
                        true => meaning
                            .replace("actor", "\u{0}")
                            .replace("target", "actor")
                            .replace('\u{0}', "target"),
                    };
                    actions.push(meaning);
                }
                (None, "die") => actions.push(format!("remove({who})")),
                (None, name) => notes.push(format!(
                    "`{name}` of `{}` is not defined, and was left out: define it to give it a meaning",
                    interaction.name
                )),
            }
        }
        let mut text = String::new();
        if !parts.is_empty() {
            text += &format!("condition = {:?}\n", parts.join(" and "));
        }
        if let Some(distance) = distance {
            text += &format!("guard = \"distance(actor, target) <= {distance}\"\n");
        }
        text + &format!("action = {:?}\n", actions.join(" and "))
    }
}

fn add(list: &mut Vec<String>, name: String) {
    if !list.contains(&name) {
        list.push(name);
    }
}

/// `PickUp` as `pick-up`.
fn dashed(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 && !text.ends_with('-') {
            text.push('-');
        }
        let letter = if letter.is_alphanumeric() { letter } else { '-' };
        text.extend(letter.to_lowercase());
    }
    text.trim_matches('-').to_owned()
}

/// `hungry?` as `hungry`.
fn property(primitive: &str) -> String {
    let text: String =
        primitive.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let text = text.trim_matches('_').to_lowercase();
    if text.starts_with(|first: char| first.is_ascii_digit()) { format!("is_{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{InteractionFile, KindFile, LawsPart, build};
    use repertoire_authored::Ordered;

    const INTERACTIONS: &str = "
; who eats whom
parallel interaction Chase
  trigger    hungry?
  condition  grown? target:alone?
  actions    run-after
end
EXCLUSIVE INTERACTION Eat
  trigger    hungry?
  condition  target:not:sick?
  condition  starving?
  actions    digest target:die
end
interaction Grow
  condition  not:grown?
  actions    get-larger
end
interaction Wander
  actions    stroll
end
";
    const MATRIX: &str = "
; foxes
foxes, Eat, 20, hens, 1, BEST:weight
Foxes, Chase, 10, Hens, 5
foxes, Wander, 0
+hens, Wander, 0
hens, Eat, 5, grass, 0
hens, Chase, 1, foxes, 2
- hens, Chase, 1, foxes, 2
grass, Grow, 0, UPDATE
";

    fn model() -> Model {
        Model::read(INTERACTIONS, MATRIX, SEPARATORS).unwrap()
    }

    #[test]
    fn interactions_are_read_with_their_alternatives() {
        let model = model();
        assert_eq!(model.interactions.len(), 4);
        let eat = model.interaction("Eat").unwrap();
        assert!(eat.exclusive && !model.interaction("chase").unwrap().exclusive);
        assert_eq!((eat.triggers.len(), eat.conditions.len(), eat.actions.len()), (1, 2, 2));
        let sick = Primitive { name: "sick?".into(), of_target: true, negated: true };
        assert_eq!(eat.conditions[0], [sick]);
        assert_eq!(eat.actions[1].name, "die");
        assert!(eat.actions[1].of_target);
    }

    #[test]
    fn matrices_are_read_whatever_separates_their_fields() {
        let model = model();
        assert_eq!(model.assignations.len(), 6, "one was taken out again");
        assert_eq!(model.assignations[0].policy.as_deref(), Some("BEST:weight"));
        assert_eq!(model.assignations[1].target, Some(("hens".into(), 5.0)));
        assert!(model.assignations[5].update);
        let tabs = MATRIX.replace(", ", "\t");
        assert_eq!(read_matrix(&tabs, " \t"), Ok(model.assignations.clone()));
        assert_eq!(model.kinds(), ["foxes", "hens", "grass"]);
        assert!(model.faults().is_empty(), "{:?}", model.faults());
        assert!(model.primitives().contains(&"hens::sick?".to_owned()));
    }

    #[test]
    fn a_model_becomes_laws_that_can_be_read() {
        let defined = BTreeMap::from([("digest".to_owned(), "actor.fed = true".to_owned())]);
        let (mut text, notes) = model().to_toml(&defined);
        text = text.replace("hungry = false", "hungry = false, fed = false");
        #[derive(serde::Deserialize)]
        struct File {
            interaction: Ordered<InteractionFile>,
            kind: Ordered<KindFile>,
        }
        let file: File =
            repertoire_authored::read(&text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        let part = LawsPart { text: &text, interactions: &file.interaction, kinds: &file.kind };
        let laws = build(&[part]).unwrap_or_else(|(_, mistake)| panic!("{mistake}\n{text}"));
        // Two distances for eating: two interactions.
        assert!(laws.find_interaction("eat").is_some() && laws.find_interaction("eat-2").is_some(), "{text}");
        let fox = laws.kind(laws.find_kind("foxes").unwrap());
        assert_eq!(fox.performs.len(), 3);
        assert!(notes.iter().any(|note| note.contains("run-after")), "{notes:?}");
        assert!(notes.iter().any(|note| note.contains("each_step")), "{notes:?}");
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, line) in [
            ("interaction Eat\n  actions x\ninteraction Run\nend", 3),
            ("interaction Eat\n actions x", 1),
            ("interaction Eat Fast\nend", 1),
            ("trigger x", 1),
            ("interaction A\nend\ninteraction a\nend", 3),
        ] {
            assert_eq!(read_interactions(text).unwrap_err().line, line, "{text}");
        }
        for (text, line) in
            [("a b", 1), ("\n\na b c", 3), ("a b 1 c", 1), ("a b 1 c -2", 1), ("a b 1 c 2 d e", 1)]
        {
            assert_eq!(read_matrix(text, " ").unwrap_err().line, line, "{text}");
        }
        assert_eq!(read_matrix("", " "), Ok(Vec::new()));
    }
}
