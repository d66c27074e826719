//! Reading a fighter's file, and checking that its words are ones a fighter knows.

use std::sync::Arc;

use repertoire_authored::{Document, Mistake, Spanned, Unavailable, nearest};
use repertoire_bayes::fusion::Stance;
use repertoire_bayes::sequence::Behaviour;
use schemars::JsonSchema;
use serde::Deserialize;

use super::vocabulary::{Does, FACTS, NEEDS, SENSORS};
use crate::bots::Skill;
use crate::chameleon::Taught;
use crate::game::{self, Voice, find_key};

/// A kind of fighter: what its file says, checked.
#[derive(Clone, Debug)]
pub struct FighterDesign {
    pub(super) game: Arc<game::Design>,
    pub(super) does: Vec<Does>,
    /// Which of [`SENSORS`] each sensor is, which of [`FACTS`] each fact, which of [`NEEDS`] each need.
    pub(super) sensors: Vec<usize>,
    pub(super) facts: Vec<usize>,
    pub(super) needs: Vec<Option<usize>>,
    pub(super) believes: bool,
    pub(super) hands: Hands,
    pub(super) skill: Skill,
    pub(super) teacher: Option<Arc<Taught>>,
    pub(super) learns: bool,
}

/// Whose hands carry tasks out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// A native bot's of a level: its aim, speed and reaction.
    Native(u8),
    /// The tasks' own motor programs.
    Program,
    /// The teacher's, as far as they go with the task's motor program.
    Teacher,
}

/// Where a fighter's file finds what it names.
pub struct Files<'a> {
    /// Behaviours that are tasks.
    pub behaviour: &'a mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
    /// Characters learned by imitation.
    pub taught: &'a mut dyn FnMut(&str) -> Result<Arc<Taught>, Unavailable>,
}

/// What a fighter's file has beside a character's.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct FighterFile {
    /// Beliefs about opponents who are out of sight.
    #[serde(default)]
    believe: BelieveFile,
    /// How tasks are carried out.
    #[serde(default)]
    act: ActFile,
    /// A teacher beside the mind.
    imitate: Option<ImitateFile>,
    /// Learning while it plays.
    learn: Option<LearnFile>,
}

const KEYS: [&str; 4] = ["believe", "act", "imitate", "learn"];

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BelieveFile {
    /// Whether it works out where opponents are who are out of sight.
    opponents: bool,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ActFile {
    /// Whose hands: `native:LEVEL` (0 to 7), `program` or `teacher`. The level also sets how fast it reacts.
    #[schemars(with = "Option<String>")]
    hands: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ImitateFile {
    /// A character learned by imitation: a shipped one, or a file beside this one.
    #[schemars(with = "String")]
    teacher: Spanned<String>,
    /// How much it counts in decisions: 1 as it is, 0 not at all.
    #[schemars(with = "Option<f64>")]
    weight: Option<Spanned<f64>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LearnFile {
    /// How much what it lived through counts in decisions: 1 as it is, 0 not at all.
    #[schemars(with = "Option<f64>")]
    weight: Option<Spanned<f64>>,
}

/// Whether a text is a fighter's file, and not a plain behaviour's: by its tables.
pub fn is_fighter(text: &str) -> bool {
    const MORE: [&str; 8] = ["perceive", "needs", "want", "plan", "facts", "actions", "goals", "opinions"];
    Document::parse(text).is_ok_and(|document| document.has(&KEYS) || document.has(&MORE))
}

/// The JSON schema of a fighter's file.
pub fn schema() -> schemars::Schema {
    let mut whole = game::schema();
    game::join(&mut whole, &schemars::schema_for!(FighterFile));
    whole.insert("title".into(), "FighterFile".into());
    whole
}

impl FighterDesign {
    /// Reads a fighter's file.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn read(text: &str, files: &mut Files<'_>) -> Result<Arc<Self>, Mistake> {
        let mut document = Document::parse(text)?;
        let mut game = game::Design::read_part(&mut document, files.behaviour)?;
        let file: FighterFile = document.take(&KEYS)?;
        document.finish()?;
        let reader = Reader { text };
        let does = reader.tasks(&game)?;
        let sensors = reader.sensors(&game)?;
        let facts = reader.facts(&game)?;
        let needs = game.needs().iter().map(|need| NEEDS.iter().position(|known| *known == need.name));
        let needs = needs.collect();
        let hands = reader.hands(&file)?;
        let teacher = reader.teacher(&file, files, &mut game)?;
        if let Some(learn) = &file.learn {
            reader.voice(&mut game, "experience", learn.weight.as_ref())?;
        }
        let level = if let Hands::Native(level) = hands { level } else { USUAL_LEVEL };
        Ok(Arc::new(FighterDesign {
            does,
            sensors,
            facts,
            needs,
            believes: file.believe.opponents,
            hands,
            skill: Skill::of_level(level),
            teacher,
            learns: file.learn.is_some(),
            game: Arc::new(game),
        }))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.game.name()
    }

    /// What it is like, in a sentence.
    pub fn about(&self) -> &str {
        self.game.behaviour().about()
    }

    /// The stages that it has.
    pub fn stages(&self) -> Vec<Stage> {
        Stage::ALL.into_iter().filter(|stage| self.without(*stage).is_some()).collect()
    }

    /// The same fighter without a stage, for finding out what the stage is worth. None if it has no such stage.
    pub fn without(&self, stage: Stage) -> Option<Arc<Self>> {
        let mut other = self.clone();
        let mut game = (*self.game).clone();
        let silence = |game: &mut game::Design, name: &str| {
            let before = game.voices.len();
            game.voices.retain(|voice| voice.name != name);
            game.voices.len() < before
        };
        let had = match stage {
            Stage::Believe => std::mem::take(&mut other.believes),
            Stage::Want => {
                let had = !game.needs().is_empty();
                game.want_weight = 0.0;
                if let Some(planning) = &mut game.planning {
                    planning.pursued.fill(game::Pursues::Always(1.0));
                }
                had
            }
            Stage::Plan => {
                other.facts.clear();
                game.planning.take().is_some()
            }
            Stage::Decide => !std::mem::take(&mut other.sensors).is_empty(),
            Stage::Imitate => {
                if other.hands == Hands::Teacher {
                    other.hands = Hands::Program;
                }
                other.teacher.take().is_some() && silence(&mut game, "teacher")
            }
            Stage::Learn => std::mem::take(&mut other.learns) && silence(&mut game, "experience"),
        };
        other.game = Arc::new(game);
        had.then(|| Arc::new(other))
    }
}

/// A stage of a fighter's mind that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Where opponents out of sight are.
    Believe,
    /// Needs, and what they make of tasks and goals.
    Want,
    /// Plans.
    Plan,
    /// Sensors: only what it did before, wants, plans and voices decide.
    Decide,
    /// The teacher.
    Imitate,
    /// Learning while playing.
    Learn,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 6] =
        [Stage::Believe, Stage::Want, Stage::Plan, Stage::Decide, Stage::Imitate, Stage::Learn];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Believe => "believe",
            Stage::Want => "want",
            Stage::Plan => "plan",
            Stage::Decide => "decide",
            Stage::Imitate => "imitate",
            Stage::Learn => "learn",
        }
    }

    /// The stage of this name.
    pub fn named(name: &str) -> Option<Self> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// The level of hands that are given none.
const USUAL_LEVEL: u8 = 3;

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn unknown(&self, what: &str, name: &str, known: &[&str]) -> Mistake {
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? There are {}", known.join(", ")),
            None => format!("there are {}", known.join(", ")),
        };
        Mistake::at(self.text, find_key(self.text, name), format!("fighters have no {what} `{name}`"), remedy)
    }

    fn tasks(&self, game: &game::Design) -> Result<Vec<Does>, Mistake> {
        let known = Does::ALL.map(Does::name);
        let named = |name: &str| Does::named(name).ok_or_else(|| self.unknown("task", name, &known));
        game.behaviour().task_names().map(named).collect()
    }

    fn words<'b>(
        &self,
        kind: &str,
        words: impl Iterator<Item = (&'b str, &'b [String])>,
        known: &[(&str, &[&str])],
    ) -> Result<Vec<usize>, Mistake> {
        let mut found = Vec::new();
        for (name, values) in words {
            let Some(at) = known.iter().position(|(known, _)| *known == name) else {
                let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                return Err(self.unknown(kind, name, &names));
            };
            if values.iter().ne(known[at].1) {
                let what = format!("the {kind} `{name}` has the values {}", values.join(", "));
                let remedy = format!("its values are {}", known[at].1.join(", "));
                return Err(Mistake::at(self.text, find_key(self.text, name), what, remedy));
            }
            found.push(at);
        }
        Ok(found)
    }

    fn sensors(&self, game: &game::Design) -> Result<Vec<usize>, Mistake> {
        let sensors = game.behaviour().sensors().iter();
        self.words("sensor", sensors.map(|sensor| (sensor.name.as_str(), &sensor.values[..])), &SENSORS)
    }

    fn facts(&self, game: &game::Design) -> Result<Vec<usize>, Mistake> {
        let Some(planning) = game.planning() else { return Ok(Vec::new()) };
        let facts = planning.domain.variables.iter().zip(&planning.domain.values);
        self.words("fact", facts.map(|(name, values)| (name.as_str(), &values[..])), &FACTS)
    }

    fn hands(&self, file: &FighterFile) -> Result<Hands, Mistake> {
        let Some(written) = &file.act.hands else { return Ok(Hands::Native(USUAL_LEVEL)) };
        let level = |text: &str| text.parse().ok().filter(|level| *level <= Skill::HIGHEST);
        match written.get_ref().as_str() {
            "program" => Ok(Hands::Program),
            "teacher" if file.imitate.is_some() => Ok(Hands::Teacher),
            "teacher" => Err(Mistake::at(
                self.text,
                written.span(),
                "there is no teacher to lend its hands",
                "name one: [imitate] teacher = \"...\"",
            )),
            other => other.strip_prefix("native:").and_then(level).map(Hands::Native).ok_or_else(|| {
                let what = format!("`{other}` are no hands");
                Mistake::at(self.text, written.span(), what, "write native:0 to native:7, program or teacher")
            }),
        }
    }

    fn teacher(
        &self,
        file: &FighterFile,
        files: &mut Files<'_>,
        game: &mut game::Design,
    ) -> Result<Option<Arc<Taught>>, Mistake> {
        let Some(imitate) = &file.imitate else { return Ok(None) };
        let named = &imitate.teacher;
        let taught = (files.taught)(named.get_ref()).map_err(|why| {
            let what = format!("the teacher `{}` cannot be had: {why}", named.get_ref());
            Mistake::at(self.text, named.span(), what, "learn one with `repertoire learn chameleon`")
        })?;
        self.voice(game, "teacher", imitate.weight.as_ref())?;
        Ok(Some(taught))
    }

    fn voice(
        &self,
        game: &mut game::Design,
        name: &str,
        weight: Option<&Spanned<f64>>,
    ) -> Result<(), Mistake> {
        let at = weight.map_or(0..0, Spanned::span);
        let weight = weight.map_or(1.0, |weight| *weight.get_ref());
        if !(0.0..1e6).contains(&weight) {
            return Err(Mistake::at(
                self.text,
                at,
                format!("a weight of {weight}"),
                "write a weight, 0 or more",
            ));
        }
        if game.voices.iter().any(|voice| voice.name == name) {
            let what = format!("[opinions] has a voice called `{name}`, which a fighter has by itself");
            return Err(Mistake::at(self.text, find_key(self.text, name), what, "give it another name"));
        }
        game.voices.push(Voice { name: name.to_owned(), weight, stance: Stance::Prescriptive });
        Ok(())
    }
}
