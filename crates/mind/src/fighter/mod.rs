//! The whole mind of a fighter: perceive, believe, want, plan, decide, act, reflexes, in one tick and from one file.
//!
//! A fighter is a character of any game ([`crate::game`]) whose vocabulary is a shooter's: it senses, knows and does what
//! the tables of [`vocabulary`] say. Its file is that of a character with a few tables more:
//!
//! | table       | what it says                                                                                    |
//! |-------------|-------------------------------------------------------------------------------------------------|
//! | `[believe]` | whether it works out where opponents out of sight are: to hunt, to lie in wait, to keep away     |
//! | `[act]`     | whose hands carry tasks out: a native bot's, the tasks' own programs, or a teacher's             |
//! | `[imitate]` | a character learned by imitation, which has a say in what to do, and may lend its hands         |
//! | `[learn]`   | whether it learns while it plays: what went on before it died, it does less in such a moment     |
//!
//! | stage    | where                                                                                              |
//! |----------|----------------------------------------------------------------------------------------------------|
//! | perceive | [`Situation`]: what is seen, remembered, heard and felt, a reaction time late                        |
//! | believe  | [`Beliefs`]: "is an enemy close?" is a probability when nobody is in view            |
//! | want     | needs that are states of the body (wounds, arms, prey, danger) and weigh goals and tasks             |
//! | plan     | from facts that follow from the situation; the next step is a task                                   |
//! | decide   | one table in nats ([`repertoire_bayes::deliberation`])                                               |
//! | act      | `errand`: where to go and look for the task; then the hands                                        |
//! | reflex   | the weapon in hand, and another way when stuck                                                       |

mod design;
mod errand;
mod experience;
mod hands;
pub mod shipped;
mod situation;
mod teacher;
pub mod vocabulary;

use std::sync::Arc;

use repertoire_prob::{Rng, Stream};
use serde::{Deserialize, Serialize};

use crate::bots::Skill;
use crate::game::{Character, Report, Scratch, Senses};
use crate::memory::Memory;
use crate::progress::Progress;
use crate::tasks::{Observer, Stimuli, choose_weapon};
use crate::{Beliefs, Command, Mind, Percept, Places, RestoreError};

pub use design::{FighterDesign, Files, Hands, Stage, is_fighter, schema};
pub use situation::Situation;
pub use vocabulary::Does;

use errand::{Errand, Knowledge};
use experience::Experience;
use hands::{Body, Sight};
use situation::{Mindset, Past};
use teacher::{Follower, elementary};

/// A fighter: a design, and a state that serialises whole.
pub struct Fighter {
    design: Arc<FighterDesign>,
    state: State,
    /// Decides; born with the first percept.
    character: Option<Character>,
    teacher: Option<Follower>,
    senses: Senses,
    scratch: Scratch,
    says: Vec<f64>,
}

/// Everything that a later tick depends on, but for the parts that keep their own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    life: u32,
    memory: Memory,
    observer: Observer,
    beliefs: Option<Beliefs>,
    body: Body,
    progress: Progress,
    errand: Errand,
    experience: Option<Experience>,
    /// When it last had an enemy in view, when it last beat one, and when something last hit it.
    met: u32,
    beat: Option<u32>,
    hit: Option<u32>,
    frags: i32,
}

/// What is saved: the state, and that of the parts.
#[derive(Serialize, Deserialize)]
struct Saved {
    state: State,
    character: Option<crate::game::State>,
    teacher: Option<serde_json::Value>,
}

impl Fighter {
    /// A fighter of a design.
    pub fn new(design: &Arc<FighterDesign>) -> Self {
        let state = State {
            beliefs: design.believes.then(Beliefs::new),
            experience: design.learns.then(|| Experience::new(design.does.len())),
            ..State::default()
        };
        Fighter {
            senses: design.game.senses(),
            design: Arc::clone(design),
            state,
            character: None,
            teacher: design.teacher.as_ref().map(Follower::new),
            scratch: Scratch::new(),
            says: Vec::new(),
        }
    }

    /// Its design.
    pub fn design(&self) -> &Arc<FighterDesign> {
        &self.design
    }

    /// Why it does what it does, stage by stage; none before the first tick.
    pub fn report(&self) -> Option<Report> {
        self.character.as_ref().map(Character::report)
    }

    /// A death ends what it was doing; what it knows of the map and has learned stays.
    fn begin_life(&mut self, life: u32) {
        let is_first = self.state.life == 0;
        self.state.life = life;
        self.state.memory.forget();
        self.state.errand = Errand::default();
        self.state.progress = Progress::default();
        self.state.hit = None;
        if let Some(experience) = self.state.experience.as_mut().filter(|_| !is_first) {
            experience.die();
        }
        if let Some(character) = &mut self.character {
            character.begin_life();
        }
    }

    /// Takes in a percept: what is seen is remembered, and believed of those who are not seen.
    fn perceive(&mut self, percept: &Percept, places: &Places) -> (Stimuli, Situation) {
        let skill = &self.design.skill;
        let state = &mut self.state;
        state.memory.update(percept, places.spots().len());
        if let Some(beliefs) = &mut state.beliefs {
            beliefs.update(percept, places);
        }
        if !percept.hits.is_empty() {
            state.hit = Some(percept.tick);
        }
        if percept.own.frags > state.frags {
            state.beat = Some(percept.tick);
        }
        state.frags = percept.own.frags;
        let stimuli = state.observer.observe(percept, places);
        let mindset = Mindset {
            memory: &state.memory,
            beliefs: state.beliefs.as_mut(),
            reaction_ticks: (skill.reaction_secs / percept.period_secs).round() as u32,
            past: Past {
                met: state.met,
                beat: state.beat,
                hit: state.hit,
                posted: state.errand.is_posted(percept, places),
            },
        };
        let situation = Situation::read(percept, places, &stimuli, mindset);
        if situation.enemy.is_some() {
            state.met = percept.tick;
        }
        (stimuli, situation)
    }

    /// Tells the character what is so, in its own words.
    fn sense(&mut self, situation: &Situation, stimuli: &Stimuli) {
        let (design, senses) = (&self.design, &mut self.senses);
        senses.clear();
        for (sensor, &word) in design.sensors.iter().enumerate() {
            let reading = if word == vocabulary::ENEMY_CLOSE {
                situation.close()
            } else {
                Ok(situation.readings[word])
            };
            match reading {
                Ok(repertoire_bayes::sequence::learning::NOT_READ) => {}
                Ok(value) => senses.set(sensor, value as usize),
                Err(believed) => senses.believe_at(sensor, &believed),
            }
        }
        for (variable, &word) in design.facts.iter().enumerate() {
            senses.set_fact(variable, Some(situation.facts[word]));
        }
        let mut opine = |voice: &str, says: &[f64]| {
            if let Err(error) = senses.opine(voice, says) {
                unreachable!("a fighter's voices are in its design: {error}");
            }
        };
        if let Some(teacher) = &self.teacher {
            teacher.says(&design.does, stimuli, &mut self.says);
            opine("teacher", &self.says);
        }
        if let Some(experience) = &self.state.experience {
            experience.says(situation, &mut self.says);
            opine("experience", &self.says);
        }
    }

    /// One task, from everything that speaks.
    fn choose(&mut self, situation: &Situation, draw: &mut Stream) -> usize {
        let design = &self.design;
        let born = || Character::new(&design.game, draw.next_u64(), 0);
        let character = self.character.get_or_insert_with(born);
        for (need, word) in design.needs.iter().enumerate() {
            if let Some(word) = *word {
                character.set_need(need, situation.needs[word]);
            }
        }
        character.tick(&self.senses, &mut self.scratch).task
    }

    /// One command for the task.
    fn act(
        &mut self,
        does: Does,
        percept: &Percept,
        places: &Places,
        (stimuli, situation): (&Stimuli, &Situation),
        draw: &mut Stream,
    ) -> Command {
        let state = &mut self.state;
        let of = Knowledge { percept, places, situation };
        state.errand.pursue(does, &of, &mut state.memory, state.beliefs.as_mut(), draw);
        let skill: &Skill = &self.design.skill;
        match (self.design.hands, &self.teacher) {
            (Hands::Native(_), _) => {
                let sight = Sight {
                    percept,
                    places,
                    stimuli,
                    situation,
                    memory: &state.memory,
                    beliefs: state.beliefs.as_ref(),
                };
                state.body.act(does, skill, &mut state.errand, &sight, draw)
            }
            (Hands::Teacher, Some(teacher)) => teacher.act(does, stimuli, draw),
            (Hands::Program | Hands::Teacher, _) => elementary(does).motor(stimuli).draw(draw),
        }
    }

    /// What has the last word: the weapon in hand, and another way when stuck.
    fn reflex(&mut self, percept: &Percept, stimuli: &Stimuli, command: &mut Command, draw: &mut Stream) {
        if let Hands::Native(_) = self.design.hands {
            return; // Its route looks after itself, and its hands choose the weapon.
        }
        let weapon = choose_weapon(&percept.own, stimuli.foe().map(|foe| foe.distance_m));
        command.weapon = (weapon != percept.own.weapon).then_some(weapon);
        if self.state.progress.keep_moving(percept, command, draw) {
            self.state.observer.give_up(percept);
        }
    }
}

impl Mind for Fighter {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        if percept.own.life != self.state.life {
            self.begin_life(percept.own.life);
        }
        let (stimuli, situation) = self.perceive(percept, places);
        if let Some(teacher) = &mut self.teacher {
            teacher.ask(self.design.hands == Hands::Teacher, percept, places, draw);
        }
        self.sense(&situation, &stimuli);
        let task = self.choose(&situation, draw);
        if let Some(experience) = &mut self.state.experience {
            experience.live(&situation, task, percept.period_secs);
        }
        let does = self.design.does[task];
        let mut command = self.act(does, percept, places, (&stimuli, &situation), draw);
        self.reflex(percept, &stimuli, &mut command, draw);
        command
    }

    fn task(&self) -> &str {
        let task = self.character.as_ref().and_then(Character::task);
        task.map_or("", |task| self.design.does[task].name())
    }

    fn why(&self) -> String {
        self.report().map_or(String::new(), |report| report.to_string())
    }

    fn needs_sight(&self) -> bool {
        self.design.believes
    }

    fn belief(&self) -> &[f64] {
        self.state.beliefs.as_ref().map_or(&[], Beliefs::expected)
    }

    fn save(&self) -> serde_json::Value {
        let saved = Saved {
            state: self.state.clone(),
            character: self.character.as_ref().map(|character| character.state().clone()),
            teacher: self.teacher.as_ref().map(|teacher| teacher.chameleon.save()),
        };
        serde_json::to_value(saved).unwrap_or_else(|error| unreachable!("a state is plain data: {error}"))
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        let refuse = |why: String| RestoreError(serde::de::Error::custom(why));
        let saved = Saved::deserialize(saved)?;
        let has = |is: bool, wants: bool, what: &str| {
            if is == wants { Ok(()) } else { Err(refuse(format!("only one of the two has {what}"))) }
        };
        has(saved.state.beliefs.is_some(), self.design.believes, "beliefs")?;
        has(saved.state.experience.is_some(), self.design.learns, "experience")?;
        has(saved.teacher.is_some(), self.teacher.is_some(), "a teacher")?;
        if saved.state.experience.as_ref().is_some_and(|seen| !seen.fits(self.design.does.len())) {
            return Err(refuse("it has experience of other tasks".to_owned()));
        }
        let character = match saved.character {
            Some(state) => {
                let mut character = Character::new(&self.design.game, 0, 0);
                character.restore(state).map_err(|error| refuse(error.to_string()))?;
                Some(character)
            }
            None => None,
        };
        if let (Some(teacher), Some(state)) = (&mut self.teacher, &saved.teacher) {
            teacher.chameleon.restore(state)?;
        }
        (self.state, self.character) = (saved.state, character);
        Ok(())
    }
}
