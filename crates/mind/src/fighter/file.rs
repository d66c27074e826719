//! Reading a fighter's file, and checking that its words are ones a fighter knows and its stages fit together.

use std::ops::Range;
use std::sync::Arc;

use repertoire_authored::{Document, Mistake, Spanned, Unavailable, nearest};
use repertoire_bayes::Program;
use repertoire_bayes::fusion::Stance;
use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::file::read_part as read_behaviour;
use repertoire_belief::Model;
use repertoire_character::Profile;
use repertoire_character::profile::file::check as check_profile;
use repertoire_plan::Domain;
use schemars::JsonSchema;
use serde::Deserialize;

use super::design::{
    By, EXPERIENCE, FighterDesign, Hands, MACHINE, MOTIVES, PEOPLE, Reflexes, TEACHER, USUAL_LEVEL,
};
use super::lessons::Steps;
use super::level::Level;
use super::lore::{Lore, Written};
use super::motives::{GOALS, Motivation};
use super::practice::Practising;
use super::skill::Skill;
use super::vocabulary::{Does, FACTS, NEEDS};
use crate::chameleon::Taught;
use crate::game::{self, Profiled, Voice, WantPart, find_key, read_stages};
use crate::moments::Moments;
use crate::notice::Reaction;
use crate::tasks::sensors::connect;

/// What the logarithms of people's reaction times spread by.
const PEOPLES_SPREAD: f64 = 0.36;

/// Shots after which half of the way to practised hands is made, unless said otherwise.
const HALF_SHOTS: f64 = 100.0;

/// Where a fighter's file finds what it names.
pub struct Files<'a> {
    /// Behaviours that decide, or are tasks.
    pub behaviour: &'a mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
    /// Characters learned by imitation.
    pub taught: &'a mut dyn FnMut(&str) -> Result<Arc<Taught>, Unavailable>,
    /// Profiles of motivations.
    pub profile: &'a mut dyn FnMut(&str) -> Result<Profile, Unavailable>,
    /// Planning domains.
    pub domain: &'a mut dyn FnMut(&str) -> Result<Domain, Unavailable>,
    /// Models of how players walk, of `belief fit`.
    pub model: &'a mut dyn FnMut(&str) -> Result<Model, Unavailable>,
    /// Moments of somebody's play, of `learn moments`.
    pub moments: &'a mut dyn FnMut(&str) -> Result<Arc<Moments>, Unavailable>,
    /// Bayesian programs.
    pub program: &'a mut dyn FnMut(&str) -> Result<Program, Unavailable>,
}

/// What a fighter's file has beside a character's.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct FighterFile {
    /// How late it notices what is new.
    #[serde(default)]
    perceive: NoticeFile,
    /// Who decides.
    #[serde(default)]
    decide: DecideFile,
    /// Beliefs about opponents who are out of sight.
    #[serde(default)]
    believe: BelieveFile,
    /// How tasks are carried out.
    #[serde(default)]
    act: ActFile,
    /// A teacher beside the mind.
    imitate: Option<ImitateFile>,
    /// What has the last word over a command.
    #[serde(default)]
    reflex: ReflexFile,
    /// Learning while it plays.
    learn: Option<LearnFile>,
}

const KEYS: [&str; 7] = ["perceive", "decide", "believe", "act", "imitate", "reflex", "learn"];

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct NoticeFile {
    /// The median time until it notices what is new (somebody in view, a sound, a hit, an item), in seconds; people need about
    /// 0.35. Without this, enemies are noticed as late as its hands do, and everything else at once.
    #[schemars(with = "Option<f64>")]
    reaction_secs: Option<Spanned<f64>>,
    /// How much the times vary: the standard deviation of their logarithms; people's is 0.36, which is also what it is unless said
    /// otherwise.
    #[schemars(with = "Option<f64>")]
    spread: Option<Spanned<f64>>,
    /// What the sensor `weapon` counts: `better` weapons than the one that everybody begins with (the default), or `any`, so that this
    /// one is a medium one, as where the thesis's tables were written.
    #[schemars(with = "Option<String>")]
    weapon: Option<Spanned<String>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct DecideFile {
    /// Who decides: `sequence` (tables of tasks and sensors, the default), `machine` (the state machine of native bots),
    /// `imitation` (what was learned of the teacher in [imitate]) or `motivation` (the profile in [want]). Where other stages have
    /// a say too, all of them meet in one table.
    #[schemars(with = "Option<String>")]
    by: Option<Spanned<String>>,
    /// With `sequence`: a behaviour, shipped or a file beside this one, instead of tasks and tables in this file.
    #[schemars(with = "Option<String>")]
    file: Option<Spanned<String>>,
    /// With `machine`, where others have a say too: what the machine says of the task that its state is, between 0 and 1; the other
    /// tasks share the rest. 0.8 unless said otherwise.
    #[schemars(with = "Option<f64>")]
    firmness: Option<Spanned<f64>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BelieveFile {
    /// Whether it works out where opponents are who are out of sight.
    opponents: bool,
    /// How players walk the maps: models of `repertoire belief fit`, files beside this one. Each counts on the map it was learned
    /// on; elsewhere beliefs follow from the map alone.
    #[schemars(with = "Vec<String>")]
    models: Vec<Spanned<String>>,
    /// Which player of the models its opponents walk like; all of them together unless one is named.
    player: Option<String>,
    /// Which items it knows of: `known`, all that the map has, or `seen`, those whose spots it has had in view
    /// or where it heard somebody pick something up.
    #[schemars(with = "Option<String>")]
    items: Option<Spanned<String>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ActFile {
    /// Whose hands: `native:LEVEL` (0 to 7), `program` or `teacher`. The level also sets how fast it reacts. Usually `program` where
    /// tables decide, `teacher` where imitation does, and `native:3` otherwise.
    #[schemars(with = "Option<String>")]
    hands: Option<Spanned<String>>,
    /// A person's hands, whoever decides: moments of their play, a file of `learn moments` beside this one. Hands of a native bot
    /// (`native:3` unless said otherwise) then only choose weapons and lead out of traps. Without [perceive], it notices what is new as
    /// late as people do.
    #[schemars(with = "Option<String>")]
    moments: Option<Spanned<String>>,
    /// How hands work: the program `manner`, or a file beside this one that `learn manner` wrote or somebody edited. Hands that are
    /// programs turn, run, fire and jump by it; the reflex `weapon` takes and fires weapons by it.
    #[schemars(with = "Option<String>")]
    manner: Option<Spanned<String>>,
    /// With `program` hands: a program with opinions about places that says where to turn while exploring, such as `exploration`.
    #[schemars(with = "Option<String>")]
    exploration: Option<Spanned<String>>,
    /// With `program` hands: a program with opinions about enemies that says where to turn in flight, such as `improved-flight`.
    #[schemars(with = "Option<String>")]
    flight: Option<Spanned<String>>,
    /// Whom of several enemies in view to fight: the program `opponent`, or a file beside this one. The nearest unless said
    /// otherwise.
    #[schemars(with = "Option<String>")]
    opponent: Option<Spanned<String>>,
    /// With hands of a native bot: numbers of its skill that are not those of its level. `learn skill` measures them.
    #[schemars(with = "Option<SkillFile>")]
    skill: Option<Spanned<SkillFile>>,
}

/// How good hands of a native bot are. What is left out is as the level of the hands has it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct SkillFile {
    /// How far the aim wanders: a standard deviation, in radians (0 to 1).
    #[schemars(with = "Option<f64>")]
    aim_error: Option<Spanned<f64>>,
    /// From seeing somebody to acting on it, in seconds (0 to 3). Not used where [perceive] says how late it notices.
    #[schemars(with = "Option<f64>")]
    reaction_secs: Option<Spanned<f64>>,
    /// The fastest turn, in radians per second (0.1 to 100).
    #[schemars(with = "Option<f64>")]
    turn_per_sec: Option<Spanned<f64>>,
    /// The share of full speed that it runs with (0.05 to 1).
    #[schemars(with = "Option<f64>")]
    speed: Option<Spanned<f64>>,
    /// How much of a target's movement it aims ahead of: 0 not at all, 1 fully.
    #[schemars(with = "Option<f64>")]
    lead: Option<Spanned<f64>>,
    /// How often it keeps moving while it fights (0 to 1).
    #[schemars(with = "Option<f64>")]
    dodging: Option<Spanned<f64>>,
    /// Below this health it breaks off to look for more (0 to 200).
    #[schemars(with = "Option<f64>")]
    cautious_below: Option<Spanned<f64>>,
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

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ReflexFile {
    /// Takes the weapon for the distance in hand. Native hands do so anyway.
    weapon: Option<bool>,
    /// Goes another way for a while when it is stuck. Native hands do so anyway.
    unstuck: Option<bool>,
    /// Does not run off ledges or onto ground that harms.
    footing: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LearnFile {
    /// How much what it lived through counts in decisions: 1 as it is, 0 not at all.
    #[schemars(with = "Option<f64>")]
    weight: Option<Spanned<f64>>,
    /// Whether it learns how opponents walk from those it sees, for its beliefs.
    #[serde(default)]
    opponents: bool,
    /// Whose hands its own come near to with practice: `native:LEVEL` (0 to 7). They stay as they are unless this is given. Only for
    /// hands of a native bot.
    #[schemars(with = "Option<String>")]
    hands: Option<Spanned<String>>,
    /// With `hands`: after this many shots at somebody half of the way is made, and after three times as many three quarters; 100
    /// unless said otherwise.
    #[schemars(with = "Option<f64>")]
    half_shots: Option<Spanned<f64>>,
    /// What each death teaches it, by how its end began. Nothing unless this is given. Only for hands of a native bot.
    #[schemars(with = "Option<DeathsFile>")]
    deaths: Option<Spanned<DeathsFile>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct DeathsFile {
    /// Each death in a fight: how much more health it still has when it breaks off to heal, up to 90 (its plans' fact `health`, 55 at
    /// first).
    health: f64,
    /// Each death that began with an enemy near: how much farther away it fights, in metres, up to 20 more.
    distance_m: f64,
    /// Each death that began while it fetched something in an enemy's view: how much it counts against an item that the enemy sees
    /// or is at sooner, up to 4. At 1 such an item is worth half.
    cover: f64,
    /// Each death that began with nobody in view: how much more of the time it looks over its shoulders as it runs, up to 0.5.
    looks: f64,
}

/// Name and description of a file without tables.
#[derive(Debug, Deserialize)]
struct NameFile {
    name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    source: String,
}

const NAME_KEYS: [&str; 3] = ["name", "about", "source"];
/// Tables of stages that have a say in which task to do, beside the decider.
const HAVE_A_SAY: [&str; 7] = ["tasks", "needs", "plan", "facts", "actions", "goals", "opinions"];

/// The JSON schema of a fighter's file.
pub fn schema() -> schemars::Schema {
    let mut whole = game::schema();
    game::join(&mut whole, &schemars::schema_for!(FighterFile));
    whole.insert("title".into(), "FighterFile".into());
    // A file whose decider needs no tables has no tasks.
    whole.insert("required".into(), serde_json::json!(["name"]));
    whole
}

impl FighterDesign {
    /// Reads a fighter's file. A behaviour's file is one: a fighter that only decides.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn read(text: &str, files: &mut Files<'_>) -> Result<Arc<Self>, Mistake> {
        let mut document = Document::parse(text)?;
        let has_a_say = document.has(&HAVE_A_SAY);
        let file: FighterFile = document.take(&KEYS)?;
        let reader = Reader { text, file: &file };
        let by = reader.by()?;
        let hands = reader.hands(by)?;
        let alone_with = match by {
            By::Sequence => false,
            By::Machine | By::Motivation => matches!(hands, Hands::Native(_)) && file.imitate.is_none(),
            By::Imitation => hands == Hands::Teacher,
        };
        let is_alone = alone_with && !has_a_say && file.learn.is_none();
        let design = if is_alone {
            reader.alone(by, hands, document, files)?
        } else {
            reader.joined(by, hands, document, files)?
        };
        Ok(Arc::new(design))
    }
}

struct Reader<'a> {
    text: &'a str,
    file: &'a FighterFile,
}

impl Reader<'_> {
    fn wrong(&self, at: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, at, what, remedy)
    }

    fn by(&self) -> Result<By, Mistake> {
        let Some(written) = &self.file.decide.by else { return Ok(By::Sequence) };
        let names = By::ALL.map(By::name);
        By::named(written.get_ref()).ok_or_else(|| {
            let remedy = match nearest(written.get_ref(), names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            self.wrong(written.span(), format!("nobody decides by `{}`", written.get_ref()), remedy)
        })
    }

    fn hands(&self, by: By) -> Result<Hands, Mistake> {
        let Some(written) = &self.file.act.hands else {
            return Ok(match by {
                By::Sequence | By::Imitation if self.file.act.moments.is_some() => Hands::Native(USUAL_LEVEL),
                By::Sequence => Hands::Program,
                By::Imitation => Hands::Teacher,
                By::Machine | By::Motivation => Hands::Native(USUAL_LEVEL),
            });
        };
        match written.get_ref().as_str() {
            "program" => Ok(Hands::Program),
            "teacher" if self.file.imitate.is_some() => Ok(Hands::Teacher),
            "teacher" => Err(self.wrong(
                written.span(),
                "there is no teacher to lend its hands",
                "name one: [imitate] teacher = \"...\"",
            )),
            other => native_level(other).map(Hands::Native).ok_or_else(|| {
                let what = format!("`{other}` are no hands");
                self.wrong(written.span(), what, "write native:0 to native:7, program or teacher")
            }),
        }
    }

    /// How good hands are: as their level says, and as the file says otherwise.
    fn skill(&self, hands: Hands) -> Result<Skill, Mistake> {
        let level = if let Hands::Native(level) = hands { level } else { USUAL_LEVEL };
        let mut skill = Skill::of_level(level);
        let Some(written) = &self.file.act.skill else { return Ok(skill) };
        if !matches!(hands, Hands::Native(_)) {
            let what = "only hands of a native bot have such numbers";
            return Err(self.wrong(
                written.span(),
                what,
                "write hands = \"native:3\" above them, or leave them out",
            ));
        }
        let file = written.get_ref();
        let given = [
            &file.aim_error,
            &file.reaction_secs,
            &file.turn_per_sec,
            &file.speed,
            &file.lead,
            &file.dodging,
            &file.cautious_below,
        ];
        for ((name, value, [least, most]), given) in skill.numbers().into_iter().zip(given) {
            let Some(written) = given else { continue };
            let given = *written.get_ref();
            if !(least..=most).contains(&given) {
                let remedy = format!("write a number from {least} to {most}");
                return Err(self.wrong(written.span(), format!("a {name} of {given}"), remedy));
            }
            *value = given;
        }
        Ok(skill)
    }

    /// A person whose hands carry out what is decided.
    fn person(&self, hands: Hands, files: &mut Files<'_>) -> Result<Option<Arc<Moments>>, Mistake> {
        let Some(named) = &self.file.act.moments else { return Ok(None) };
        if !matches!(hands, Hands::Native(_)) {
            let what = "hands of a person go with those of a native bot, which choose the weapon";
            return Err(self.wrong(named.span(), what, "write hands = \"native:3\" beside them"));
        }
        let moments = (files.moments)(named.get_ref()).map_err(|why| {
            let what = format!("the moments `{}` cannot be had: {why}", named.get_ref());
            self.wrong(named.span(), what, "learn them with `repertoire learn moments`")
        })?;
        Ok(Some(moments))
    }

    /// How hands get better with use.
    fn practising(&self, hands: Hands) -> Result<Option<Practising>, Mistake> {
        let Some(LearnFile { hands: best, half_shots, .. }) = &self.file.learn else { return Ok(None) };
        let Some(best) = best else {
            return match half_shots {
                None => Ok(None),
                Some(shots) => Err(self.wrong(
                    shots.span(),
                    "practice that leads nowhere",
                    "say how good its hands become: hands = \"native:6\"",
                )),
            };
        };
        if !matches!(hands, Hands::Native(_)) || self.file.act.moments.is_some() {
            let what = "only hands of a native bot get better with practice";
            return Err(self.wrong(best.span(), what, "write [act] hands = \"native:3\", or leave this out"));
        }
        let Some(level) = native_level(best.get_ref()) else {
            let what = format!("`{}` are no hands of a native bot", best.get_ref());
            return Err(self.wrong(best.span(), what, "write native:0 to native:7"));
        };
        let half = half_shots.as_ref().map_or(HALF_SHOTS, |shots| *shots.get_ref());
        if !(1.0..=1e6).contains(&half) {
            let at = half_shots.as_ref().map_or(best.span(), Spanned::span);
            return Err(self.wrong(at, format!("half of the way after {half} shots"), "write 1 or more"));
        }
        Ok(Some(Practising { best: Skill::of_level(level), half_shots: half }))
    }

    /// What each death of a kind teaches.
    fn lessons(&self, hands: Hands) -> Result<Option<Steps>, Mistake> {
        let Some(deaths) = self.file.learn.as_ref().and_then(|learn| learn.deaths.as_ref()) else {
            return Ok(None);
        };
        if !matches!(hands, Hands::Native(_)) {
            let what = "only fighters with the hands of a native bot learn from how they died";
            return Err(self.wrong(
                deaths.span(),
                what,
                "write [act] hands = \"native:3\", or leave this out",
            ));
        }
        let DeathsFile { health, distance_m, cover, looks } = *deaths.get_ref();
        for (name, step) in
            [("health", health), ("distance_m", distance_m), ("cover", cover), ("looks", looks)]
        {
            if !(0.0..=100.0).contains(&step) {
                let what = format!("a death that changes `{name}` by {step}");
                return Err(self.wrong(deaths.span(), what, "write a number from 0 to 100"));
            }
        }
        Ok(Some(Steps { health, distance_m, cover, looks }))
    }

    fn reaction(&self) -> Result<Option<Reaction>, Mistake> {
        let NoticeFile { reaction_secs, spread, .. } = &self.file.perceive;
        let Some(median) = reaction_secs else {
            return match spread {
                None => Ok(None),
                Some(spread) => Err(self.wrong(
                    spread.span(),
                    "reaction times vary, and there are none",
                    "write reaction_secs = 0.35, or leave the spread out",
                )),
            };
        };
        let (median_secs, at) = (*median.get_ref(), median.span());
        if !(0.0..=10.0).contains(&median_secs) {
            let what = format!("a reaction time of {median_secs} s");
            return Err(self.wrong(at, what, "write a number from 0 to 10"));
        }
        let spread_of = spread.as_ref().map_or(PEOPLES_SPREAD, |spread| *spread.get_ref());
        if !(0.0..=2.0).contains(&spread_of) {
            let at = spread.as_ref().map_or(at, Spanned::span);
            return Err(self.wrong(at, format!("a spread of {spread_of}"), "write a number from 0 to 2"));
        }
        Ok(Some(Reaction { median_secs, spread: spread_of }))
    }

    fn lore(&self, files: &mut Files<'_>) -> Result<Lore, Mistake> {
        let FighterFile { perceive, believe, act, learn, .. } = self.file;
        let written = Written {
            models: &believe.models,
            player: believe.player.as_deref(),
            items: believe.items.as_ref(),
            watches: learn.as_ref().is_some_and(|learn| learn.opponents),
            weapon: perceive.weapon.as_ref(),
            manner: act.manner.as_ref(),
            exploration: act.exploration.as_ref(),
            flight: act.flight.as_ref(),
            opponent: act.opponent.as_ref(),
        };
        written.read(self.text, files)
    }

    fn reflexes(&self, by: By, hands: Hands) -> Reflexes {
        let (usual, file) = (Reflexes::usual(by, hands), &self.file.reflex);
        Reflexes {
            weapon: file.weapon.unwrap_or(usual.weapon),
            unstuck: file.unstuck.unwrap_or(usual.unstuck),
            footing: file.footing.unwrap_or(usual.footing),
        }
    }

    /// A fighter whose decider has no others beside it.
    fn alone(
        &self,
        by: By,
        hands: Hands,
        mut document: Document<'_>,
        files: &mut Files<'_>,
    ) -> Result<FighterDesign, Mistake> {
        let file: NameFile = document.take(&NAME_KEYS)?;
        let want: WantPart = document.take(&["want"])?;
        document.finish()?;
        let profile = want.want.profile;
        if let Some(profile) = profile.as_ref().filter(|_| by != By::Motivation) {
            let what = format!("a profile has no say where {} decides alone", by.name());
            return Err(self.wrong(
                profile.span(),
                what,
                "declare tasks = [...] that it weighs, or leave it out",
            ));
        }
        let plain = FighterDesign::plain(&file.name, &file.about, by, hands);
        let person = self.person(hands, files)?;
        Ok(FighterDesign {
            reaction: self.reaction()?.or(person.is_some().then_some(PEOPLE)),
            person,
            believes: self.file.believe.opponents,
            lore: self.lore(files)?,
            reflexes: self.reflexes(by, hands),
            skill: self.skill(hands)?,
            motivation: self.motivation(by, profile.as_ref(), files)?,
            teacher: self.teacher(by, files)?,
            ..plain
        })
    }

    /// A fighter in which several have a say.
    fn joined(
        &self,
        by: By,
        hands: Hands,
        mut document: Document<'_>,
        files: &mut Files<'_>,
    ) -> Result<FighterDesign, Mistake> {
        let behaviour = self.behaviour(by, &mut document, files)?;
        let (mut game, profile) = read_stages(&mut document, behaviour, files.domain)?;
        document.finish()?;
        let motivation = self.motivation(by, profile.as_ref(), files)?;
        let teacher = self.teacher(by, files)?;
        let facts = self.facts(&game)?;
        let needs = game.needs().iter().map(|need| NEEDS.iter().position(|known| *known == need.name));
        let needs = needs.collect();
        if let (Some(imitate), true) = (&self.file.imitate, teacher.is_some()) {
            self.voice(&mut game, TEACHER, imitate.weight.as_ref())?;
        }
        if let Some(learn) = &self.file.learn {
            self.voice(&mut game, EXPERIENCE, learn.weight.as_ref())?;
        }
        if motivation.is_some() {
            let weight = Spanned::new(0..0, game.want_weight);
            self.voice(&mut game, MOTIVES, Some(&weight))?;
        }
        if by == By::Machine {
            self.voice(&mut game, MACHINE, None)?;
        }
        let level = Level::new(game, &mut 0).map_err(|unknown| {
            self.wrong(find_key(self.text, &unknown.word), unknown.why.what, unknown.why.remedy)
        })?;
        if let Some(motivation) = &motivation {
            self.check_pursued(&motivation.profile, profile.as_ref(), &level)?;
        }
        let firmness = self.firmness()?;
        let lore = self.lore(files)?;
        let plain = FighterDesign::plain(level.design.name(), level.design.behaviour().about(), by, hands);
        let person = self.person(hands, files)?;
        Ok(FighterDesign {
            facts,
            needs,
            reaction: self.reaction()?.or(person.is_some().then_some(PEOPLE)),
            person,
            believes: self.file.believe.opponents,
            lore,
            reflexes: self.reflexes(by, hands),
            skill: self.skill(hands)?,
            teacher,
            motivation,
            firmness,
            learns: self.file.learn.is_some(),
            practising: self.practising(hands)?,
            lessons: self.lessons(hands)?,
            level: Some(level),
            ..plain
        })
    }

    /// The tasks, and the tables of those that decide by tables.
    fn behaviour(
        &self,
        by: By,
        document: &mut Document<'_>,
        files: &mut Files<'_>,
    ) -> Result<Behaviour, Mistake> {
        let file = self.file.decide.file.as_ref();
        if let Some(file) = file.filter(|_| by != By::Sequence) {
            let what = format!("a file of tables, where {} decides", by.name());
            return Err(self.wrong(file.span(), what, "leave it out, or write by = \"sequence\""));
        }
        if document.has(&["tasks"]) {
            if let Some(file) = file {
                let what = "there are tasks here, and in a file";
                return Err(self.wrong(file.span(), what, "keep one of the two"));
            }
            return read_behaviour(document, files.behaviour);
        }
        if by == By::Sequence && file.is_none() {
            // The reader of behaviours says what is missing.
            return read_behaviour(document, files.behaviour);
        }
        let named: NameFile = document.take(&NAME_KEYS)?;
        let behaviour = match file {
            Some(file) => (files.behaviour)(file.get_ref()).map_err(|why| {
                let what = format!("the behaviour `{}` cannot be had: {why}", file.get_ref());
                self.wrong(
                    file.span(),
                    what,
                    "name a file beside this one, or prudent, aggressive or uniform",
                )
            })?,
            None => every_task(),
        };
        let about = if named.about.is_empty() { behaviour.about().to_owned() } else { named.about };
        Ok(behaviour.with_name(named.name).with_about(about))
    }

    fn facts(&self, game: &game::Design) -> Result<Vec<usize>, Mistake> {
        let Some(planning) = game.planning() else { return Ok(Vec::new()) };
        let facts = planning.domain.variables.iter().zip(&planning.domain.values);
        let word = |(name, values): (&String, &Vec<String>)| {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            connect("fact", name, &values, &FACTS)
                .map_err(|why| self.wrong(find_key(self.text, name), why.what, why.remedy))
        };
        facts.map(word).collect()
    }

    fn firmness(&self) -> Result<f64, Mistake> {
        let Some(written) = &self.file.decide.firmness else { return Ok(0.8) };
        if (1e-9..1.0).contains(written.get_ref()) {
            return Ok(*written.get_ref());
        }
        let what = format!("a firmness of {}", written.get_ref());
        Err(self.wrong(written.span(), what, "write a number between 0 and 1"))
    }

    fn motivation(
        &self,
        by: By,
        written: Option<&Spanned<Profiled>>,
        files: &mut Files<'_>,
    ) -> Result<Option<Arc<Motivation>>, Mistake> {
        let Some(written) = written else {
            if by == By::Motivation {
                let at = self.file.decide.by.as_ref().map_or(0..0, Spanned::span);
                let remedy = "name one: [want] profile = \"brute\"; `repertoire rooms profile` lists them";
                return Err(self.wrong(at, "there is no profile to decide by", remedy));
            }
            return Ok(None);
        };
        let profile = match written.get_ref() {
            Profiled::Named(name) => (files.profile)(name).map_err(|why| {
                let what = format!("the profile `{name}` cannot be had: {why}");
                self.wrong(written.span(), what, "name a file beside this one, or a shipped profile")
            })?,
            Profiled::Written(tables) => check_profile(self.text, tables)?,
        };
        Ok(Some(Arc::new(Motivation::new(profile))))
    }

    /// A goal that a profile weighs must be one that fighters have, and some task must pursue it. Profiles with a name of their own
    /// serve in other worlds too, so only what is written here is held to that.
    fn check_pursued(
        &self,
        profile: &Profile,
        written: Option<&Spanned<Profiled>>,
        level: &Level,
    ) -> Result<(), Mistake> {
        let at = written.map_or(0..0, Spanned::span);
        let is_own = written.is_some_and(|written| matches!(written.get_ref(), Profiled::Written(_)));
        let names = GOALS.map(|(name, _)| name);
        if let Some(goal) = profile.goals.keys().find(|goal| is_own && !names.contains(&goal.as_str())) {
            let remedy = match nearest(goal, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            let at = find_key(self.text, goal);
            return Err(self.wrong(at, format!("fighters have no goal `{goal}`"), remedy));
        }
        for (goal, tasks) in GOALS.iter().filter(|(goal, _)| profile.goals.contains_key(*goal)) {
            // Tasks within a task may do anything.
            if !level.does.iter().any(|task| task.is_none_or(|task| tasks.contains(&task))) {
                let any = tasks.iter().map(|task| task.name()).collect::<Vec<_>>().join(" or ");
                let what = format!("no task pursues the goal `{goal}` of the profile");
                return Err(self.wrong(at, what, format!("add {any} to tasks, or leave the goal out")));
            }
        }
        Ok(())
    }

    fn teacher(&self, by: By, files: &mut Files<'_>) -> Result<Option<Arc<Taught>>, Mistake> {
        let Some(imitate) = &self.file.imitate else {
            if by == By::Imitation {
                let at = self.file.decide.by.as_ref().map_or(0..0, Spanned::span);
                let remedy = "name one: [imitate] teacher = \"...\"";
                return Err(self.wrong(at, "there is nobody to imitate", remedy));
            }
            return Ok(None);
        };
        let named = &imitate.teacher;
        let taught = (files.taught)(named.get_ref()).map_err(|why| {
            let what = format!("the teacher `{}` cannot be had: {why}", named.get_ref());
            self.wrong(named.span(), what, "learn one with `repertoire learn chameleon`")
        })?;
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
            return Err(self.wrong(at, format!("a weight of {weight}"), "write a weight, 0 or more"));
        }
        if game.voices.iter().any(|voice| voice.name == name) {
            let what = format!("[opinions] has a voice called `{name}`, which a fighter has by itself");
            return Err(self.wrong(find_key(self.text, name), what, "give it another name"));
        }
        game.voices.push(Voice { name: name.to_owned(), weight, stance: Stance::Prescriptive });
        Ok(())
    }
}

/// The level of hands that are written `native:LEVEL`.
fn native_level(written: &str) -> Option<u8> {
    let level = written.strip_prefix("native:")?.parse().ok();
    level.filter(|level| *level <= Skill::HIGHEST)
}

/// Every task a fighter has, without sensors: for deciders that need no tables.
fn every_task() -> Behaviour {
    let names = Does::ALL.map(|does| format!("\"{}\"", does.name())).join(", ");
    let text = format!("name = \"fighter\"\nstay = 0.5\nchoose = \"best\"\ntasks = [{names}]");
    text.parse().unwrap_or_else(|mistake| unreachable!("{mistake}"))
}
