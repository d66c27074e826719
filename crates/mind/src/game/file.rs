//! Reading a character's file: a behaviour, and what each further stage adds.

use std::fmt;
use std::ops::Range;

use repertoire_authored::{Document, Mistake, Ordered, Spanned, Unavailable, find_key, nearest};
use repertoire_bayes::fusion::Stance;
use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::file::read_part as read_behaviour;
use repertoire_character::profile::file::ProfileFile;
use repertoire_plan::domain;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};

use super::design::{Design, Growth, Need, Planning, Profiles, Pursues, Voice, log_rows, logs, rows};

/// What a character's file holds beside its behaviour and its facts, actions and goals.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct StagesFile {
    /// How it perceives.
    #[serde(default)]
    perceive: PerceiveFile,
    /// What grows until a task eases it.
    #[serde(default)]
    needs: Ordered<NeedFile>,
    /// How much needs count in its decisions.
    #[serde(default)]
    want: WantFile,
    /// How it plans.
    #[serde(default)]
    plan: PlanFile,
    /// For each task, the kind of thing it is about.
    #[serde(default)]
    #[schemars(with = "Ordered<String>")]
    targets: Ordered<Spanned<String>>,
    /// Who else has a say in decisions: the game tells at each tick what they say.
    #[serde(default)]
    opinions: Ordered<VoiceFile>,
    /// Kinds of individuals: for each, the needs that matter more or less to them than to others.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<[f64; 2]>>")]
    profiles: Ordered<Ordered<Spanned<Matters>>>,
}

const KEYS: [&str; 7] = ["perceive", "needs", "want", "plan", "targets", "opinions", "profiles"];

/// The JSON schema of a character's file.
pub fn schema() -> schemars::Schema {
    let mut whole = repertoire_bayes::sequence::file::schema();
    let domain = domain::schema();
    for (ours, theirs) in [
        ("facts", "variables"),
        ("actions", "actions"),
        ("goals", "goals"),
        ("ways", "ways"),
        ("start", "start"),
    ] {
        add_property(&mut whole, ours, domain.get("properties").and_then(|all| all.get(theirs)));
    }
    add_property(&mut whole, "unnamed", domain.get("properties").and_then(|all| all.get("unnamed")));
    add_definitions(&mut whole, &domain);
    join(&mut whole, &schemars::schema_for!(StagesFile));
    whole.insert("title".into(), "CharacterFile".into());
    let about = "A character: its behaviour, and what each further stage of its mind adds.";
    whole.insert("description".into(), about.into());
    whole
}

/// Adds the properties and definitions of a part to the schema of a whole file.
pub(crate) fn join(whole: &mut schemars::Schema, part: &schemars::Schema) {
    let properties = part.get("properties").and_then(|all| all.as_object()).cloned().unwrap_or_default();
    for (key, property) in &properties {
        add_property(whole, key, Some(property));
    }
    add_definitions(whole, part);
}

fn add_property(whole: &mut schemars::Schema, key: &str, property: Option<&serde_json::Value>) {
    if let (Some(all), Some(property)) =
        (whole.get_mut("properties").and_then(|all| all.as_object_mut()), property)
    {
        all.insert(key.to_owned(), property.clone());
    }
}

fn add_definitions(whole: &mut schemars::Schema, part: &schemars::Schema) {
    let Some(theirs) = part.get("$defs").and_then(|all| all.as_object()) else { return };
    let mut all = whole.get("$defs").and_then(|all| all.as_object()).cloned().unwrap_or_default();
    for (name, definition) in theirs {
        all.entry(name.clone()).or_insert_with(|| definition.clone());
    }
    whole.insert("$defs".into(), all.into());
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PerceiveFile {
    /// How many ticks late what is sensed arrives.
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    reaction_ticks: Option<Spanned<u32>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NeedFile {
    /// By how much it grows per tick; a need is between 0 and 1. Without this only the game changes it.
    #[schemars(with = "Option<f64>")]
    grows: Option<Spanned<f64>>,
    /// Where it starts.
    #[schemars(with = "Option<f64>")]
    starts: Option<Spanned<f64>>,
    /// Tasks that ease it, and by how much per tick.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    eased: Ordered<Spanned<f64>>,
    /// How much it matters: a number, or a range from which one is drawn for each individual.
    #[schemars(with = "Option<[f64; 2]>")]
    matters: Option<Spanned<Matters>>,
    /// If a sensor has the same name: the levels from which on its second, third value is read.
    #[schemars(with = "Option<Vec<f64>>")]
    levels: Option<Spanned<Vec<f64>>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VoiceFile {
    /// How much it counts: 1 as it is, 0 not at all.
    #[schemars(with = "Option<f64>")]
    weight: Option<Spanned<f64>>,
    /// `prescriptive` says what to do, `proscriptive` what not to do.
    #[serde(default)]
    stance: StanceFile,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StanceFile {
    #[default]
    Prescriptive,
    Proscriptive,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct WantFile {
    /// How much needs count in a decision: 1 as they are, 0 not at all.
    #[schemars(with = "f64")]
    weight: Spanned<f64>,
    /// What a task is worth that eases nothing. The smaller, the more a strong need rules.
    #[schemars(with = "f64")]
    content: Spanned<f64>,
    /// Of fighters: motivations that weigh what it could do. A profile by name, a file beside this one, or the tables of one.
    #[schemars(with = "Option<ProfileFile>")]
    profile: Option<Spanned<Profiled>>,
}

impl Default for WantFile {
    fn default() -> Self {
        WantFile { weight: Spanned::new(0..0, 1.0), content: Spanned::new(0..0, 0.1), profile: None }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct PlanFile {
    /// How much the plan counts in a decision: 1 as it is, 0 not at all.
    #[schemars(with = "f64")]
    weight: Spanned<f64>,
    /// What the plan says of the task of its next step, between 0 and 1; the other tasks share the rest.
    #[schemars(with = "f64")]
    firmness: Spanned<f64>,
    /// Of fighters: facts, actions and goals from a planning domain, a file beside this one, instead of tables in this file.
    #[schemars(with = "Option<String>")]
    file: Option<Spanned<String>>,
    /// Which task carries out an action, where it has another name.
    #[schemars(with = "Ordered<String>")]
    tasks: Ordered<Spanned<String>>,
    /// Why each goal is pursued: the need it serves, or a number for one that always matters as much.
    #[schemars(with = "Ordered<String>")]
    pursue: Ordered<Spanned<Pursue>>,
}

impl Default for PlanFile {
    fn default() -> Self {
        let (tasks, pursue) = (Ordered::default(), Ordered::default());
        let (weight, firmness) = (Spanned::new(0..0, 1.0), Spanned::new(0..0, 0.8));
        PlanFile { weight, firmness, file: None, tasks, pursue }
    }
}

/// One number, or two.
#[derive(Clone, Copy, Debug)]
struct Matters(f64, f64);

impl<'de> Deserialize<'de> for Matters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrRange;
        impl<'de> Visitor<'de> for NumberOrRange {
            type Value = Matters;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number such as 1.0, or a range such as [0.5, 2.0]")
            }
            fn visit_f64<E>(self, number: f64) -> Result<Matters, E> {
                Ok(Matters(number, number))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Matters, E> {
                Ok(Matters(number as f64, number as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Matters, A::Error> {
                match (seq.next_element()?, seq.next_element()?, seq.next_element::<f64>()?) {
                    (Some(low), Some(high), None) => Ok(Matters(low, high)),
                    _ => Err(A::Error::custom("a range has two numbers, expected [low, high]")),
                }
            }
        }
        deserializer.deserialize_any(NumberOrRange)
    }
}

/// A need's name, or a number.
#[derive(Clone, Debug)]
enum Pursue {
    Need(String),
    Always(f64),
}

impl<'de> Deserialize<'de> for Pursue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrNumber;
        impl Visitor<'_> for NameOrNumber {
            type Value = Pursue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a need, or a number")
            }
            fn visit_str<E>(self, name: &str) -> Result<Pursue, E> {
                Ok(Pursue::Need(name.to_owned()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Pursue, E> {
                Ok(Pursue::Always(number))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Pursue, E> {
                Ok(Pursue::Always(number as f64))
            }
        }
        deserializer.deserialize_any(NameOrNumber)
    }
}

pub(super) fn read(
    text: &str,
    find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
) -> Result<Design, Mistake> {
    let mut document = Document::parse(text)?;
    let design = read_part(&mut document, find)?;
    document.finish()?;
    Ok(design)
}

pub(super) fn read_part(
    document: &mut Document<'_>,
    find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
) -> Result<Design, Mistake> {
    let behaviour = read_behaviour(document, find)?;
    let no_files = "a character of a game's own has its facts, actions and goals in its own file";
    let (design, profile) = read_stages(document, behaviour, &mut |_| Err(no_files.into()))?;
    if let Some(profile) = profile {
        let what = "profiles of motivations are for fighters";
        let remedy = "use [needs] and [profiles], or play it in the arena";
        return Err(Mistake::at(document.text(), profile.span(), what, remedy));
    }
    Ok(design)
}

/// Gives the planning domain of a name.
pub(crate) type FindDomain<'a> = &'a mut dyn FnMut(&str) -> Result<domain::Domain, Unavailable>;

/// Reads the stages around a behaviour: everything but the behaviour itself. Also gives the profile of motivations, if there is one.
pub(crate) fn read_stages(
    document: &mut Document<'_>,
    behaviour: Behaviour,
    find: FindDomain<'_>,
) -> Result<(Design, Option<Spanned<Profiled>>), Mistake> {
    let plans = document.has(&["facts", "actions", "goals"]);
    let domain = domain::read_part(document)?;
    let stages: StagesFile = document.take(&KEYS)?;
    let reader = Reader { text: document.text(), behaviour: &behaviour };
    let needs = reader.needs(&stages.needs)?;
    let planned = match &stages.plan.file {
        None => plans.then_some(domain),
        Some(file) if plans => {
            let what = "there are facts, actions or goals here, and in a file";
            return Err(reader.wrong(file.span(), what, "keep one of the two"));
        }
        Some(file) => Some(find(file.get_ref()).map_err(|why| {
            let what = format!("the planning domain `{}` cannot be had: {why}", file.get_ref());
            reader.wrong(file.span(), what, "name a file beside this one; `repertoire plan lint` checks it")
        })?),
    };
    let planning = planned.map(|domain| reader.planning(domain, &stages.plan, &needs)).transpose()?;
    reader.check_eased(&stages.needs, &needs, planning.as_ref())?;
    let (targets, kinds) = reader.targets(&stages.targets)?;
    let reaction = stages.perceive.reaction_ticks.as_ref();
    if let Some(late) = reaction.filter(|late| *late.get_ref() > MOST_LATE) {
        let what = format!("a reaction time of {} ticks", late.get_ref());
        return Err(reader.wrong(late.span(), what, format!("write a number from 0 to {MOST_LATE}")));
    }
    let design = Design {
        log_rows: log_rows(&behaviour),
        rows: rows(&behaviour),
        log_transition: logs(behaviour.transition()),
        growth: Growth::of(&needs, behaviour.tasks().len(), planning.as_ref()),
        reaction_ticks: reaction.map_or(0, |late| *late.get_ref()),
        want_weight: reader.number(&stages.want.weight, 0.0..1e6, "a weight, 0 or more")?,
        content: reader.number(&stages.want.content, 1e-9..1e6, "a number above 0")?,
        voices: reader.voices(&stages.opinions)?,
        profiles: reader.profiles(&stages.profiles, &needs)?,
        needs,
        planning,
        targets,
        kinds,
        behaviour,
    };
    Ok((design, stages.want.profile))
}

/// A profile of motivations as it is written: its name, or its tables.
#[derive(Clone, Debug)]
pub(crate) enum Profiled {
    Named(String),
    Written(Box<ProfileFile>),
}

impl<'de> Deserialize<'de> for Profiled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTables;
        impl<'de> Visitor<'de> for NameOrTables {
            type Value = Profiled;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a profile, or its tables")
            }
            fn visit_str<E>(self, name: &str) -> Result<Profiled, E> {
                Ok(Profiled::Named(name.to_owned()))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Profiled, A::Error> {
                let tables = ProfileFile::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Profiled::Written(Box::new(tables)))
            }
        }
        deserializer.deserialize_any(NameOrTables)
    }
}

/// The part of a file that says what a character wants, of one that has no needs.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WantPart {
    #[serde(default)]
    pub want: WantProfile,
}

/// A profile alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantProfile {
    pub profile: Option<Spanned<Profiled>>,
}

/// The longest reaction time, in ticks: all that was sensed since is remembered.
const MOST_LATE: u32 = 1000;

struct Reader<'a> {
    text: &'a str,
    behaviour: &'a Behaviour,
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, span, what, remedy)
    }

    fn number(&self, at: &Spanned<f64>, allowed: Range<f64>, what: &str) -> Result<f64, Mistake> {
        let number = *at.get_ref();
        if allowed.contains(&number) {
            return Ok(number);
        }
        Err(self.wrong(at.span(), format!("{number} makes no sense here"), format!("write {what}")))
    }

    fn task(&self, name: &str, span: Range<usize>) -> Result<usize, Mistake> {
        let tasks: Vec<&str> = self.behaviour.task_names().collect();
        self.behaviour
            .task(name)
            .ok_or_else(|| self.wrong(span, format!("`{name}` is not a task"), choices(name, &tasks)))
    }

    fn needs(&self, file: &Ordered<NeedFile>) -> Result<Vec<Need>, Mistake> {
        let mut needs = Vec::new();
        for (name, need) in &file.0 {
            let mut eased = vec![0.0; self.behaviour.tasks().len()];
            for (task, by) in &need.eased.0 {
                eased[self.task(task.get_ref(), task.span())?] =
                    self.number(by, 0.0..1.0 + 1e-9, "a number from 0 to 1")?;
            }
            let matters =
                need.matters.as_ref().map_or(Ok((1.0, 1.0)), |at| self.matters(name.get_ref(), at))?;
            let starts = need.starts.as_ref();
            needs.push(Need {
                name: name.get_ref().clone(),
                grows: need
                    .grows
                    .as_ref()
                    .map_or(Ok(0.0), |at| self.number(at, 0.0..1.0 + 1e-9, "a number from 0 to 1"))?,
                starts: starts
                    .map_or(Ok(0.0), |at| self.number(at, 0.0..1.0 + 1e-9, "a number from 0 to 1"))?,
                eased,
                matters,
                levels: self.levels(name, need)?,
            });
        }
        Ok(needs)
    }

    fn matters(&self, need: &str, at: &Spanned<Matters>) -> Result<(f64, f64), Mistake> {
        let Matters(low, high) = *at.get_ref();
        if 0.0 <= low && low <= high && high < 1e6 {
            return Ok((low, high));
        }
        let what = format!("`{need}` matters from {low} to {high}");
        Err(self.wrong(at.span(), what, "write a number from 0 up, or a range [low, high]"))
    }

    fn voices(&self, file: &Ordered<VoiceFile>) -> Result<Vec<Voice>, Mistake> {
        let voice = |(name, of): &(Spanned<String>, VoiceFile)| {
            let weight = of.weight.as_ref();
            Ok(Voice {
                name: name.get_ref().clone(),
                weight: weight.map_or(Ok(1.0), |at| self.number(at, 0.0..1e6, "a weight, 0 or more"))?,
                stance: match of.stance {
                    StanceFile::Prescriptive => Stance::Prescriptive,
                    StanceFile::Proscriptive => Stance::Proscriptive,
                },
            })
        };
        file.0.iter().map(voice).collect()
    }

    fn profiles(
        &self,
        file: &Ordered<Ordered<Spanned<Matters>>>,
        needs: &[Need],
    ) -> Result<Profiles, Mistake> {
        let mut profiles = Vec::new();
        for (profile, of) in &file.0 {
            let mut matters: Vec<(f64, f64)> = needs.iter().map(|need| need.matters).collect();
            for (name, at) in &of.0 {
                let Some(need) = needs.iter().position(|need| need.name == *name.get_ref()) else {
                    let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
                    let what = format!("`{}` is not a need", name.get_ref());
                    return Err(self.wrong(name.span(), what, choices(name.get_ref(), &names)));
                };
                matters[need] = self.matters(name.get_ref(), at)?;
            }
            profiles.push((profile.get_ref().clone(), matters));
        }
        Ok(profiles)
    }

    /// A sensor that reads a need has one level less than it has values.
    fn levels(&self, name: &Spanned<String>, need: &NeedFile) -> Result<Option<(usize, Vec<f64>)>, Mistake> {
        let label = name.get_ref();
        let (sensor, levels) = match (self.behaviour.sensor(label), &need.levels) {
            (None, None) => return Ok(None),
            (Some(sensor), Some(levels)) => (sensor, levels),
            (Some(_), None) => {
                let what =
                    format!("a sensor is called `{label}` too, and nothing says when it reads which value");
                return Err(self.wrong(name.span(), what, "add levels = [0.5], or rename one of the two"));
            }
            (None, Some(levels)) => {
                let what = format!("there is no sensor `{label}` that would read these levels");
                return Err(self.wrong(
                    levels.span(),
                    what,
                    format!("declare it in [sensors]: {label} = [\"low\", \"high\"]"),
                ));
            }
        };
        let values = &self.behaviour.sensors()[sensor].values;
        let rising = levels.get_ref().windows(2).all(|pair| pair[0] < pair[1]);
        let inside = levels.get_ref().iter().all(|level| (0.0..=1.0).contains(level));
        if levels.get_ref().len() + 1 != values.len() || !rising || !inside {
            let what = format!("the sensor `{label}` has the values {}", values.join(", "));
            let remedy = format!("write {} rising levels between 0 and 1", values.len() - 1);
            return Err(self.wrong(levels.span(), what, remedy));
        }
        Ok(Some((sensor, levels.get_ref().clone())))
    }

    /// A need that nothing eases is a mistake.
    fn check_eased(
        &self,
        file: &Ordered<NeedFile>,
        needs: &[Need],
        planning: Option<&Planning>,
    ) -> Result<(), Mistake> {
        for (index, (need, (name, _))) in needs.iter().zip(&file.0).enumerate() {
            let served = planning.is_some_and(|planning| planning.pursued.contains(&Pursues::Need(index)));
            if !served && need.eased.iter().all(|&by| by == 0.0) {
                let what = format!("nothing eases the need `{}`", need.name);
                return Err(self.wrong(
                    name.span(),
                    what,
                    "name a task in `eased`, or a goal that serves it in [plan.pursue]",
                ));
            }
        }
        Ok(())
    }

    fn planning(
        &self,
        domain: repertoire_plan::Domain,
        file: &PlanFile,
        needs: &[Need],
    ) -> Result<Planning, Mistake> {
        let actions: Vec<&str> = domain.actions.iter().map(String::as_str).collect();
        if let Some((name, _)) =
            file.tasks.0.iter().find(|(name, _)| !actions.contains(&name.get_ref().as_str()))
        {
            let what = format!("`{}` is not an action", name.get_ref());
            return Err(self.wrong(name.span(), what, choices(name.get_ref(), &actions)));
        }
        let mut carried_out_by = Vec::new();
        for action in &actions {
            let named = file.tasks.0.iter().find(|(name, _)| name.get_ref() == action);
            carried_out_by.push(match named {
                Some((_, task)) => self.task(task.get_ref(), task.span())?,
                None => self.behaviour.task(action).ok_or_else(|| {
                    let what = format!("no task carries out the action `{action}`");
                    let remedy = format!("say which one does: [plan.tasks] {action} = \"...\"");
                    self.wrong(find_key(self.text, action), what, remedy)
                })?,
            });
        }
        let goals: Vec<&str> = domain.classes[0].goals.iter().map(|goal| goal.name.as_str()).collect();
        if let Some((name, _)) =
            file.pursue.0.iter().find(|(name, _)| !goals.contains(&name.get_ref().as_str()))
        {
            let what = format!("`{}` is not a goal", name.get_ref());
            return Err(self.wrong(name.span(), what, choices(name.get_ref(), &goals)));
        }
        let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
        let mut pursued = Vec::new();
        for goal in &goals {
            let Some((_, why)) = file.pursue.0.iter().find(|(name, _)| name.get_ref() == goal) else {
                let what = format!("nothing says why the goal `{goal}` is pursued");
                let remedy = format!("name the need it serves, or a number: [plan.pursue] {goal} = \"...\"");
                return Err(self.wrong(find_key(self.text, goal), what, remedy));
            };
            pursued.push(match why.get_ref() {
                Pursue::Always(worth) if *worth >= 0.0 && worth.is_finite() => Pursues::Always(*worth),
                Pursue::Always(worth) => {
                    return Err(self.wrong(
                        why.span(),
                        format!("a goal worth {worth}"),
                        "write a number from 0 up",
                    ));
                }
                Pursue::Need(name) => {
                    Pursues::Need(names.iter().position(|need| need == name).ok_or_else(|| {
                        self.wrong(why.span(), format!("`{name}` is not a need"), choices(name, &names))
                    })?)
                }
            });
        }
        Ok(Planning {
            domain,
            carried_out_by,
            pursued,
            weight: self.number(&file.weight, 0.0..1e6, "a weight, 0 or more")?,
            firmness: self.number(&file.firmness, 1e-9..1.0, "a number between 0 and 1")?,
        })
    }

    fn targets(&self, file: &Ordered<Spanned<String>>) -> Result<(Vec<Option<u16>>, Vec<String>), Mistake> {
        let mut targets = vec![None; self.behaviour.tasks().len()];
        let mut kinds: Vec<String> = Vec::new();
        for (task, kind) in &file.0 {
            let at = kinds.iter().position(|known| known == kind.get_ref()).unwrap_or_else(|| {
                kinds.push(kind.get_ref().clone());
                kinds.len() - 1
            });
            targets[self.task(task.get_ref(), task.span())?] = Some(at as u16);
        }
        Ok((targets, kinds))
    }
}

fn choices(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "none is declared".into(),
        None => format!("there are {}", known.join(", ")),
    }
}
