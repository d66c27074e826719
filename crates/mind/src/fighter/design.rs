//! What all fighters of one kind share, checked once.

use std::sync::{Arc, LazyLock};

use repertoire_bayes::sequence::Behaviour;
use repertoire_character::Profile;

use super::lessons::Steps;
use super::level::Level;
use super::lore::Lore;
use super::motives::Motivation;
use super::practice::Practising;
use super::shipped;
use super::skill::Skill;
use crate::Percept;
use crate::chameleon::Taught;
use crate::game;
use crate::moments::Moments;
use crate::notice::Reaction;
use crate::tasks::CannotSense;

/// A kind of fighter: what its file says, checked.
#[derive(Clone, Debug)]
pub struct FighterDesign {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) by: By,
    /// The table in which everything that has a say meets; none where the decider is alone.
    pub(super) level: Option<Level>,
    /// Which of the vocabulary's facts each fact of the plan is, and which of its needs each need.
    pub(super) facts: Vec<usize>,
    pub(super) needs: Vec<Option<usize>>,
    /// How late it notices what is new; none for as late as its hands are.
    pub(super) reaction: Option<Reaction>,
    pub(super) believes: bool,
    /// What it knows before it plays, and how its hands work.
    pub(super) lore: Lore,
    pub(super) hands: Hands,
    pub(super) skill: Skill,
    pub(super) reflexes: Reflexes,
    pub(super) teacher: Option<Arc<Taught>>,
    /// A person whose hands carry out what is decided.
    pub(super) person: Option<Arc<Moments>>,
    pub(super) motivation: Option<Arc<Motivation>>,
    /// What a state machine says of the task that its state is, where others have a say too.
    pub(super) firmness: f64,
    pub(super) learns: bool,
    /// How its hands get better with use.
    pub(super) practising: Option<Practising>,
    /// What each death of a kind teaches it.
    pub(super) lessons: Option<Steps>,
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The state machine of native bots.
    Machine,
    /// Tables of tasks and sensors (Le Hy).
    Sequence,
    /// What was learned of a teacher (CHAMELEON).
    Imitation,
    /// A profile of motivations (Dujardin and Routier).
    Motivation,
}

impl By {
    /// All of them.
    pub const ALL: [By; 4] = [By::Machine, By::Sequence, By::Imitation, By::Motivation];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            By::Machine => "machine",
            By::Sequence => "sequence",
            By::Imitation => "imitation",
            By::Motivation => "motivation",
        }
    }

    /// The decider of this name.
    pub fn named(name: &str) -> Option<Self> {
        By::ALL.into_iter().find(|by| by.name() == name)
    }
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

/// What has the last word over a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reflexes {
    /// Takes the weapon for the distance in hand.
    pub weapon: bool,
    /// Goes another way for a while when it is stuck.
    pub unstuck: bool,
    /// Does not run off ledges or onto what harms.
    pub footing: bool,
}

/// The level of hands that are given none: that of the reference in Le Hy 2007, table 3.11.
pub(super) const USUAL_LEVEL: u8 = 3;

impl FighterDesign {
    /// A fighter that only decides: no beliefs, wants, plans or teachers.
    pub(super) fn plain(name: &str, about: &str, by: By, hands: Hands) -> Self {
        let level = if let Hands::Native(level) = hands { level } else { USUAL_LEVEL };
        FighterDesign {
            name: name.to_owned(),
            about: about.to_owned(),
            by,
            level: None,
            facts: Vec::new(),
            needs: Vec::new(),
            reaction: None,
            believes: false,
            lore: Lore::default(),
            hands,
            skill: Skill::of_level(level),
            reflexes: Reflexes::usual(by, hands),
            teacher: None,
            person: None,
            motivation: None,
            firmness: 0.8,
            learns: false,
            practising: None,
            lessons: None,
        }
    }

    /// A native bot of a level from 0 (a beginner) to 7 (a champion): the shipped `native`, with hands of that level.
    pub fn native(level: u8) -> Arc<Self> {
        static NATIVES: LazyLock<Vec<Arc<FighterDesign>>> = LazyLock::new(|| {
            // A test reads every shipped file.
            let native = shipped::design("native").unwrap_or_else(|| unreachable!("it is shipped"));
            (0..=Skill::HIGHEST).map(|level| native.with_level(level)).collect()
        });
        Arc::clone(&NATIVES[usize::from(level.min(Skill::HIGHEST))])
    }

    /// A character of a behaviour, with the tasks' own motor programs for hands.
    ///
    /// # Errors
    /// If the behaviour has sensors or tasks that fighters do not have.
    pub fn sequencing(behaviour: &Behaviour) -> Result<Arc<Self>, CannotSense> {
        let plain = Self::plain(behaviour.name(), behaviour.about(), By::Sequence, Hands::Program);
        Ok(Arc::new(FighterDesign { level: Some(Level::of(behaviour)?), ..plain }))
    }

    /// A character that plays what was learned of a teacher.
    pub fn imitating(name: &str, taught: &Arc<Taught>) -> Arc<Self> {
        let plain = Self::plain(name, "Plays what was learned by imitation.", By::Imitation, Hands::Teacher);
        Arc::new(FighterDesign { teacher: Some(Arc::clone(taught)), ..plain })
    }

    /// The same with hands of another level, which also sets how fast it reacts.
    pub fn with_level(&self, level: u8) -> Arc<Self> {
        let level = level.min(Skill::HIGHEST);
        Arc::new(FighterDesign { hands: Hands::Native(level), skill: Skill::of_level(level), ..self.clone() })
    }

    /// The same with hands of such a skill, which also sets how fast it reacts.
    pub fn with_skill(&self, skill: Skill) -> Arc<Self> {
        Arc::new(FighterDesign { skill, ..self.clone() })
    }

    /// How good its hands are, where they are those of a native bot.
    pub fn skill(&self) -> &Skill {
        &self.skill
    }

    /// The same with a person's hands: they do what it decides as that person would, and it notices what is new as late as people do,
    /// unless its file says how late. Hands of a native bot, which it gets if it has others, choose its weapons.
    pub fn with_person(&self, name: &str, moments: &Arc<Moments>) -> Arc<Self> {
        let about = "Another's decisions, carried out by the hands of a person.".to_owned();
        let (hands, reflexes) = match self.hands {
            Hands::Native(_) => (self.hands, self.reflexes),
            _ => (Hands::Native(USUAL_LEVEL), Reflexes::usual(self.by, Hands::Native(USUAL_LEVEL))),
        };
        Arc::new(FighterDesign {
            name: name.to_owned(),
            about,
            hands,
            reflexes,
            practising: None,
            person: Some(Arc::clone(moments)),
            reaction: Some(self.reaction.unwrap_or(PEOPLE)),
            ..self.clone()
        })
    }

    /// The same with another profile of motivations.
    pub fn with_profile(&self, profile: Profile) -> Arc<Self> {
        Arc::new(FighterDesign { motivation: Some(Arc::new(Motivation::new(profile))), ..self.clone() })
    }

    /// The same, working out where opponents are who are out of sight. What that changes depends on who decides:
    ///
    /// | decider      | with belief                                                                                     |
    /// |--------------|-------------------------------------------------------------------------------------------------|
    /// | machine      | hunts where somebody is probably seen, instead of roaming at random                               |
    /// | sequence     | `enemy_close`, or without it `enemies`, is a probability while nobody is seen; attack goes where somebody is probably seen, flight away from where they probably are |
    /// | imitation    | with nobody to follow, the way to where somebody is probably seen is what it senses as a trail    |
    /// | motivation   | looks for prey where somebody is probably seen, instead of anywhere                               |
    pub fn with_belief(&self) -> Arc<Self> {
        Arc::new(FighterDesign { believes: true, ..self.clone() })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is like, in a sentence.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Who decides.
    pub fn by(&self) -> By {
        self.by
    }

    /// Whose hands carry tasks out.
    pub fn hands(&self) -> Hands {
        self.hands
    }

    /// Whether it works out where opponents are who are out of sight.
    pub fn believes(&self) -> bool {
        self.believes
    }

    /// What a moment is made into: without a use for them, facts, needs and the like are not worked out.
    pub(super) fn needs_situation(&self) -> bool {
        self.level.as_ref().is_some_and(|level| {
            level.looks_further
                || !self.facts.is_empty()
                || !self.needs.is_empty()
                || matches!(self.hands, Hands::Native(_))
                || self.by != By::Sequence
                || self.learns
                || self.motivation.is_some()
        })
    }

    /// Whether it remembers enemies and items itself; whoever only goes by what tasks act upon, or by a teacher, does not.
    pub(super) fn remembers(&self) -> bool {
        self.needs_situation() || (self.level.is_none() && self.by != By::Imitation)
    }

    /// How many ticks late it acts upon an enemy whom it perceives; those who notice late already act at once.
    pub(super) fn reaction_ticks(&self, percept: &Percept) -> u32 {
        if self.reaction.is_some() { 0 } else { percept.ticks(self.skill.reaction_secs) }
    }

    /// The stages that it has.
    pub fn stages(&self) -> Vec<Stage> {
        Stage::ALL.into_iter().filter(|stage| self.without(*stage).is_some()).collect()
    }

    /// The same fighter without a stage, for finding out what the stage is worth. None if it has no such stage, or is nobody
    /// without it.
    pub fn without(&self, stage: Stage) -> Option<Arc<Self>> {
        let mut other = self.clone();
        if stage == Stage::Perceive {
            return other.reaction.take().map(|_| Arc::new(other));
        }
        if stage == Stage::Believe {
            return std::mem::take(&mut other.believes).then(|| Arc::new(other));
        }
        let level = other.level.as_mut()?;
        let mut game = (*level.design).clone();
        let silence = |game: &mut game::Design, name: &str| {
            let before = game.voices.len();
            game.voices.retain(|voice| voice.name != name);
            game.voices.len() < before
        };
        let had = match stage {
            Stage::Perceive | Stage::Believe => false,
            Stage::Want => {
                let had = !game.needs().is_empty();
                game.want_weight = 0.0;
                if let Some(planning) = &mut game.planning {
                    planning.pursued.fill(game::Pursues::Always(1.0));
                }
                let moved = self.by != By::Motivation && other.motivation.take().is_some();
                had | (moved && silence(&mut game, MOTIVES))
            }
            Stage::Plan => {
                other.facts.clear();
                game.planning.take().is_some()
            }
            Stage::Decide => !std::mem::take(&mut level.sensors).is_empty(),
            Stage::Imitate => {
                if other.hands == Hands::Teacher {
                    other.hands = Hands::Program;
                }
                self.by != By::Imitation && other.teacher.take().is_some() && silence(&mut game, TEACHER)
            }
            Stage::Learn => {
                (other.practising, other.lessons, other.lore.watches) = (None, None, false);
                std::mem::take(&mut other.learns) && silence(&mut game, EXPERIENCE)
            }
        };
        level.design = Arc::new(game);
        had.then(|| Arc::new(other))
    }
}

/// How late people notice what is new (`docs/people.md`).
pub(super) const PEOPLE: Reaction = Reaction { median_secs: 0.3, spread: 0.36 };

/// The voices that a fighter has by itself.
pub(super) const TEACHER: &str = "teacher";
pub(super) const EXPERIENCE: &str = "experience";
pub(super) const MOTIVES: &str = "motives";
pub(super) const MACHINE: &str = "machine";

impl Reflexes {
    /// Those that go with a decider and hands.
    pub fn usual(by: By, hands: Hands) -> Self {
        match hands {
            // Its route looks after itself, and its hands choose the weapon.
            Hands::Native(_) => Reflexes { weapon: false, unstuck: false, footing: false },
            // What was learned includes the weapon.
            Hands::Teacher if by == By::Imitation => Reflexes { weapon: false, unstuck: true, footing: true },
            Hands::Teacher | Hands::Program => Reflexes { weapon: true, unstuck: true, footing: false },
        }
    }
}

/// A stage of a fighter's mind that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reaction times of its own: without them it notices enemies as late as its hands do, and everything else at once.
    Perceive,
    /// Where opponents out of sight are.
    Believe,
    /// Needs and motivations, and what they make of tasks and goals.
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
    pub const ALL: [Stage; 7] = [
        Stage::Perceive,
        Stage::Believe,
        Stage::Want,
        Stage::Plan,
        Stage::Decide,
        Stage::Imitate,
        Stage::Learn,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Perceive => "perceive",
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
