//! Reading kinds and interactions.

use repertoire_authored::{Mistake, Ordered, Spanned, inside, nearest};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{EXPLORE, Interaction, Kind, Laws, MOVE};
use crate::expression::{
    Condition, Effect, Fault, Object, Scope, Term, Test, Who, parse_action, parse_condition,
};
use crate::vocabulary::{InteractionId, KindId, NameId, PropertyId, Value, Words};

/// What one thing can do to another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InteractionFile {
    /// What must be so: `target.opened = false and actor.own(target.key)`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    condition: Option<Spanned<String>>,
    /// Where it can be done: `distance(actor, target) <= 1`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    guard: Option<Spanned<String>>,
    /// What it changes: `target.opened = true`.
    #[schemars(with = "String")]
    action: Spanned<String>,
    /// How many steps it takes; usually 1.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    cost: Option<Spanned<f64>>,
}

/// A kind of things.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindFile {
    /// Interactions it can do to others.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    performs: Vec<Spanned<String>>,
    /// Interactions others can do to it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    undergoes: Vec<Spanned<String>>,
    /// Its properties with their usual values.
    #[serde(default)]
    #[schemars(with = "Ordered<Raw>")]
    properties: Ordered<Spanned<Raw>>,
    /// Properties that cannot be seen, only learned by trying.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    hidden: Vec<Spanned<String>>,
    /// When nobody can pass it: true, false, or a condition such as `target.opened = false`.
    #[serde(default)]
    #[schemars(with = "Option<Raw>")]
    blocks: Option<Spanned<Raw>>,
    /// When nobody can see past it: true, false, or a condition.
    #[serde(default)]
    #[schemars(with = "Option<Raw>")]
    hides: Option<Spanned<Raw>>,
    /// The letter that stands for it on maps.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    sign: Option<Spanned<String>>,
}

/// A value as it is written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Raw {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
}

impl Raw {
    /// As a value.
    pub fn value(&self, words: &mut Words) -> Value {
        match self {
            Raw::Bool(yes) => Value::Bool(*yes),
            Raw::Number(number) => Value::Number(*number),
            Raw::Name(name) => Value::Name(words.intern(name)),
        }
    }
}

/// Kinds and interactions of one file, with its text for the places of mistakes.
#[derive(Clone, Copy)]
pub struct LawsPart<'a> {
    /// The text.
    pub text: &'a str,
    /// Its interactions.
    pub interactions: &'a Ordered<InteractionFile>,
    /// Its kinds.
    pub kinds: &'a Ordered<KindFile>,
}

/// Kinds and interactions of several files; later ones replace earlier ones of the same name. A mistake comes with the
/// number of its file.
pub fn build(parts: &[LawsPart<'_>]) -> Result<Laws, (usize, Mistake)> {
    let mut laws = Laws::default();
    // Names first, so that the order of files and tables does not matter.
    for (index, part) in parts.iter().enumerate() {
        for (name, kind) in &part.kinds.0 {
            laws.words.intern(name.get_ref());
            for (property, value) in &kind.properties.0 {
                laws.properties.intern(property.get_ref());
                if matches!(value.get_ref(), Raw::Number(number) if !number.is_finite()) {
                    return Err((
                        index,
                        Mistake::at(part.text, value.span(), "this is not a number", "write 3 or 0.5"),
                    ));
                }
            }
        }
    }
    for (index, part) in parts.iter().enumerate() {
        for (name, file) in &part.interactions.0 {
            let interaction = read_interaction(part.text, name, file, &mut laws).map_err(|m| (index, m))?;
            match laws.find_interaction(name.get_ref()) {
                Some(known) => laws.interactions[known.index()] = interaction,
                None => laws.interactions.push(interaction),
            }
        }
    }
    for (index, part) in parts.iter().enumerate() {
        for (name, file) in &part.kinds.0 {
            let kind = read_kind(part.text, name, file, &mut laws).map_err(|m| (index, m))?;
            match laws.find_kind(name.get_ref()) {
                Some(known) => laws.kinds[known.index()] = kind,
                None => laws.kinds.push(kind),
            }
        }
    }
    for at in 0..laws.interactions.len() {
        let id = InteractionId(at as u16);
        let is_undergone = laws.kinds.iter().any(|kind| kind.undergoes.contains(&id));
        let interaction = &mut laws.interactions[at];
        interaction.is_alone = !is_undergone && !everybody_in(interaction).contains(&Who::Target);
    }
    for (index, part) in parts.iter().enumerate() {
        for (name, file) in &part.interactions.0 {
            check(part.text, name.get_ref(), file, &laws).map_err(|m| (index, m))?;
        }
    }
    Ok(laws)
}

/// A file of kinds and interactions alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LawsFile {
    #[serde(default)]
    interaction: Ordered<InteractionFile>,
    #[serde(default)]
    kind: Ordered<KindFile>,
}

impl Laws {
    /// Reads kinds and interactions from TOML: a table `[interaction.NAME]` for each interaction, `[kind.NAME]` for each
    /// kind, with the keys that scenarios have. Laws in several files are read with [`build`].
    pub fn read(text: &str) -> Result<Laws, Mistake> {
        let file: LawsFile = repertoire_authored::read(text)?;
        let part = LawsPart { text, interactions: &file.interaction, kinds: &file.kind };
        build(&[part]).map_err(|(_, mistake)| mistake)
    }
}

fn misplaced(text: &str, written: &Spanned<String>, fault: Fault) -> Mistake {
    Mistake::at(text, inside(text, written, fault.span), fault.what, fault.remedy)
}

/// Reads one written condition; mistakes get the place inside the file.
pub(crate) fn condition(
    text: &str,
    written: &Spanned<String>,
    scope: &mut Scope<'_>,
) -> Result<Condition, Mistake> {
    parse_condition(written.get_ref(), scope).map_err(|fault| misplaced(text, written, fault))
}

/// Reads one written action; mistakes get the place inside the file.
pub(crate) fn action(
    text: &str,
    written: &Spanned<String>,
    scope: &mut Scope<'_>,
) -> Result<Vec<Effect>, Mistake> {
    parse_action(written.get_ref(), scope).map_err(|fault| misplaced(text, written, fault))
}

fn read_interaction(
    text: &str,
    name: &Spanned<String>,
    file: &InteractionFile,
    laws: &mut Laws,
) -> Result<Interaction, Mistake> {
    if [MOVE, EXPLORE].contains(&name.get_ref().as_str()) {
        return Err(Mistake::at(
            text,
            name.span(),
            format!("`{}` is built in", name.get_ref()),
            "give this interaction another name",
        ));
    }
    let properties = laws.properties.clone();
    let mut scope =
        Scope { words: &mut laws.words, properties: &properties, target: true, item: true, distance: false };
    let condition_read =
        file.condition.as_ref().map_or(Ok(Condition::ALWAYS), |written| condition(text, written, &mut scope));
    let read_condition = condition_read?;
    scope.distance = true;
    let guard =
        file.guard.as_ref().map_or(Ok(Condition::ALWAYS), |written| condition(text, written, &mut scope))?;
    let effects = action(text, &file.action, &mut scope)?;
    let cost = file.cost.as_ref().map_or(1.0, |cost| *cost.get_ref());
    if let Some(written) = &file.cost
        && !(cost.is_finite() && cost >= 0.0)
    {
        return Err(Mistake::at(
            text,
            written.span(),
            "a cost is a number of steps",
            "write a number from 0 up",
        ));
    }
    let mut read = Interaction {
        name: name.get_ref().clone(),
        condition: read_condition,
        guard,
        action: effects,
        cost,
        has_item: false,
        is_alone: false,
    };
    read.has_item = everybody_in(&read).contains(&Who::Item);
    let hands_over = read.action.iter().any(|effect| matches!(effect, Effect::Gain(_, Who::Item)));
    // What the actor carries can be laid down, and then it is clear what it can be. More cannot be done to it: which kinds
    // of things it may be is not said anywhere, so that nobody could tell whether they have the property.
    let lays_down = read.action.iter().any(|effect| matches!(effect, Effect::Lose(Who::Actor, Who::Item)))
        && !read
            .action
            .iter()
            .any(|effect| matches!(effect, Effect::Set(Who::Item, ..) | Effect::Add(Who::Item, ..)));
    if read.has_item && !hands_over && !lays_down {
        return Err(Mistake::at(
            text,
            file.action.span(),
            "an item is spoken of that nobody gets, so that it could be anything",
            "hand it over, as in target.inventory.add(item), lay it down with actor.inventory.remove(item) and no more, or leave it out",
        ));
    }
    Ok(read)
}

/// Everybody and everything an interaction speaks of.
fn everybody_in(interaction: &Interaction) -> Vec<Who> {
    let conditions = [&interaction.condition, &interaction.guard];
    let mut all: Vec<Who> =
        conditions.iter().flat_map(|condition| condition.tests()).flat_map(whos).collect();
    for effect in &interaction.action {
        match effect {
            Effect::Set(who, _, term) | Effect::Add(who, _, term) => {
                all.push(*who);
                whos_in(term, &mut all);
            }
            Effect::Gain(who, thing) | Effect::Lose(who, thing) => all.extend([*who, *thing]),
            Effect::Remove(who) => all.push(*who),
        }
    }
    all
}

impl Interaction {
    /// Things it speaks of by name, each with the property that is meant, if any.
    pub fn names(&self) -> Vec<(NameId, Option<PropertyId>)> {
        let mut properties = Vec::new();
        for test in self.condition.tests().into_iter().chain(self.guard.tests()) {
            properties.extend(properties_of(test));
        }
        for effect in &self.action {
            if let Effect::Set(who, property, term) | Effect::Add(who, property, term) = effect {
                properties.push((*who, *property));
                properties_in(term, &mut properties);
            }
        }
        let alone = everybody_in(self).into_iter().map(|who| (who, None));
        let all = alone.chain(properties.into_iter().map(|(who, property)| (who, Some(property))));
        all.filter_map(|(who, property)| match who {
            Who::Named(name) => Some((name, property)),
            _ => None,
        })
        .collect()
    }
}

fn whos_in(term: &Term, all: &mut Vec<Who>) {
    match term {
        Term::Value(_) => {}
        Term::Property(who, _) => all.push(*who),
        Term::Distance(a, b) => all.extend([*a, *b]),
        Term::Sum(parts) | Term::Difference(parts) | Term::Product(parts) => {
            whos_in(&parts.0, all);
            whos_in(&parts.1, all);
        }
    }
}

/// Whom a test speaks of.
fn whos(test: &Test) -> Vec<Who> {
    let mut all = Vec::new();
    match test {
        Test::Compare(left, _, right) => {
            whos_in(left, &mut all);
            whos_in(right, &mut all);
        }
        Test::Owns(who, object, _) => {
            all.push(*who);
            match object {
                Object::Who(who) | Object::Property(who, _) => all.push(*who),
                Object::Word(_) => {}
            }
        }
        Test::Distance(a, b, ..) => all.extend([*a, *b]),
    }
    all
}

fn read_kind(text: &str, name: &Spanned<String>, file: &KindFile, laws: &mut Laws) -> Result<Kind, Mistake> {
    let find = |written: &Spanned<String>| -> Result<Option<InteractionId>, Mistake> {
        let word = written.get_ref().as_str();
        if [MOVE, EXPLORE].contains(&word) {
            return Ok(None);
        }
        if let Some(found) = laws.find_interaction(word) {
            return Ok(Some(found));
        }
        let known: Vec<&str> = laws.interactions.iter().map(|known| known.name.as_str()).collect();
        let remedy = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare [interaction.{word}], or use one of {}", known.join(", ")),
        };
        Err(Mistake::at(text, written.span(), format!("there is no interaction `{word}`"), remedy))
    };
    let list = |written: &[Spanned<String>]| -> Result<Vec<InteractionId>, Mistake> {
        Ok(written.iter().map(find).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    };
    let (performs, undergoes) = (list(&file.performs)?, list(&file.undergoes)?);
    let mut properties: Vec<(PropertyId, Value)> = Vec::new();
    for (property, value) in &file.properties.0 {
        let id = PropertyId(laws.properties.intern(property.get_ref()).0);
        properties.push((id, value.get_ref().value(&mut laws.words)));
    }
    let mut hidden = Vec::new();
    for written in &file.hidden {
        let own = laws.find_property(written.get_ref()).filter(|id| properties.iter().any(|(p, _)| p == id));
        let Some(own) = own else {
            let names: Vec<&str> =
                file.properties.0.iter().map(|(name, _)| name.get_ref().as_str()).collect();
            return Err(Mistake::at(
                text,
                written.span(),
                format!("`{}` is not a property of `{}`", written.get_ref(), name.get_ref()),
                format!("one of {}", names.join(", ")),
            ));
        };
        hidden.push(own);
    }
    let mut when = |written: &Option<Spanned<Raw>>| -> Result<Condition, Mistake> {
        let Some(written) = written else { return Ok(Condition::Any(Vec::new())) };
        match written.get_ref() {
            Raw::Bool(true) => Ok(Condition::ALWAYS),
            Raw::Bool(false) => Ok(Condition::Any(Vec::new())),
            Raw::Name(said) => {
                let properties = laws.properties.clone();
                let mut scope = Scope {
                    words: &mut laws.words,
                    properties: &properties,
                    target: true,
                    item: false,
                    distance: false,
                };
                condition(text, &Spanned::new(written.span(), said.clone()), &mut scope)
            }
            Raw::Number(_) => Err(Mistake::at(
                text,
                written.span(),
                "a number is no condition",
                "write true, false or a condition such as \"target.opened = false\"",
            )),
        }
    };
    let (blocks, hides) = (when(&file.blocks)?, when(&file.hides)?);
    let first = name.get_ref().chars().next().unwrap_or('?');
    let sign = match &file.sign {
        None => first,
        Some(written) => {
            let mut letters = written.get_ref().chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => letter,
                _ => {
                    return Err(Mistake::at(
                        text,
                        written.span(),
                        "a sign is one letter",
                        "write sign = \"d\"",
                    ));
                }
            }
        }
    };
    let name = laws.words.intern(name.get_ref());
    Ok(Kind { name, performs, undergoes, properties, hidden, blocks, hides, sign })
}

/// Whether everybody who performs or undergoes an interaction has the properties it speaks of.
fn check(text: &str, name: &str, file: &InteractionFile, laws: &Laws) -> Result<(), Mistake> {
    let Some(id) = laws.find_interaction(name) else { return Ok(()) };
    let interaction = laws.interaction(id);
    let lacking = |who: Who, property: PropertyId| -> Option<KindId> {
        (0..laws.kinds.len() as u16).map(KindId).find(|&kind| {
            let kind = laws.kind(kind);
            let plays = match who {
                Who::Actor => kind.performs.contains(&id),
                Who::Target => kind.undergoes.contains(&id),
                _ => false,
            };
            plays && kind.slot(property).is_none()
        })
    };
    let missing = |who: Who, property: PropertyId, span| match lacking(who, property) {
        None => Ok(()),
        Some(kind) => {
            let (kind, property) = (laws.kind_name(kind), laws.property_name(property));
            let part = if who == Who::Actor { "performs" } else { "undergoes" };
            Err(Mistake::at(
                text,
                span,
                format!("`{name}` asks for `{property}`, which `{kind}` does not have"),
                format!(
                    "add {property} = ... to the properties of [kind.{kind}], or take `{name}` out of what it {part}"
                ),
            ))
        }
    };
    let of_condition = |condition: &Condition, span: std::ops::Range<usize>| -> Result<(), Mistake> {
        for test in condition.tests() {
            for (who, property) in properties_of(test) {
                missing(who, property, span.clone())?;
            }
            if let Test::Compare(Term::Property(who, property), op, Term::Value(value)) = test {
                let plays = |kind: &&Kind| match who {
                    Who::Actor => kind.performs.contains(&id),
                    Who::Target => kind.undergoes.contains(&id),
                    _ => false,
                };
                for kind in laws.kinds.iter().filter(plays) {
                    let usual = kind.usual(*property);
                    if let Some(usual) = usual.filter(|usual| !usual.is_like(*value)) {
                        return Err(Mistake::at(
                            text,
                            span,
                            format!(
                                "`{}` of `{}` is {}, and is compared ({}) with {}",
                                laws.property_name(*property),
                                laws.words.word(kind.name),
                                usual.sort(),
                                op.sign(),
                                value.sort()
                            ),
                            format!("compare it with {}", usual.sort()),
                        ));
                    }
                }
            }
        }
        Ok(())
    };
    if let Some(written) = &file.condition {
        of_condition(&interaction.condition, written.span())?;
    }
    if let Some(written) = &file.guard {
        of_condition(&interaction.guard, written.span())?;
    }
    for effect in &interaction.action {
        if let Effect::Set(who, property, term) | Effect::Add(who, property, term) = effect {
            missing(*who, *property, file.action.span())?;
            let mut inside = Vec::new();
            properties_in(term, &mut inside);
            for (who, property) in inside {
                missing(who, property, file.action.span())?;
            }
        }
    }
    Ok(())
}

fn properties_in(term: &Term, all: &mut Vec<(Who, PropertyId)>) {
    match term {
        Term::Value(_) | Term::Distance(..) => {}
        Term::Property(who, property) => all.push((*who, *property)),
        Term::Sum(parts) | Term::Difference(parts) | Term::Product(parts) => {
            properties_in(&parts.0, all);
            properties_in(&parts.1, all);
        }
    }
}

/// The properties a test speaks of.
fn properties_of(test: &Test) -> Vec<(Who, PropertyId)> {
    let mut all = Vec::new();
    match test {
        Test::Compare(left, _, right) => {
            properties_in(left, &mut all);
            properties_in(right, &mut all);
        }
        Test::Owns(_, Object::Property(who, property), _) => all.push((*who, *property)),
        _ => {}
    }
    all
}
