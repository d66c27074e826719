//! A behaviour joined to a fighter's words, and the behaviours that are its tasks.

use std::sync::Arc;

use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::learning::NOT_READ;
use repertoire_prob::{Rng, Stream};

use super::vocabulary::{Does, ENEMY_CLOSE, SENSORS, of_tasks};
use crate::game::{Character, Design, Scratch, Senses};
use crate::tasks::CannotSense;
use crate::tasks::sensors::connect;

/// Where decisions are made: a table of tasks and sensors, of which some tasks may be such tables themselves.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub design: Arc<Design>,
    /// Which of [`SENSORS`] each sensor is.
    pub sensors: Vec<usize>,
    pub tasks: Vec<Part>,
    /// For each task, what it does; none for a task that is a behaviour.
    pub does: Vec<Option<Does>>,
    /// Its number among all levels, the outermost 0.
    pub number: usize,
    /// Whether it, or a level within it, senses more than tasks do.
    pub looks_further: bool,
    /// Whether it, or a level within it, has the sensor that is unsure where belief is. Without that one, whether there is any enemy is
    /// unsure.
    pub senses_close: bool,
}

/// What a task is.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Acts(Does),
    Chooses(Box<Level>),
}

/// A word that a fighter does not know.
pub(super) struct Unknown {
    pub word: String,
    pub why: CannotSense,
}

impl Level {
    /// Joins a character of any game to the words of a fighter. `number` is the next free number of a level.
    pub fn new(design: Design, number: &mut usize) -> Result<Self, Unknown> {
        let own = *number;
        *number += 1;
        let behaviour = design.behaviour();
        let named = |name: &str| -> Result<Does, Unknown> {
            Does::named(name).ok_or_else(|| {
                let known = Does::ALL.map(|does| (does.name(), &[] as &[&str]));
                let why = connect("task", name, &[], &known)
                    .err()
                    .unwrap_or_else(|| unreachable!("it has no such task"));
                Unknown { word: name.to_owned(), why }
            })
        };
        let mut tasks = Vec::new();
        for task in behaviour.tasks() {
            tasks.push(match &task.inner {
                Some(inner) => Part::Chooses(Box::new(Level::new(Design::plain((**inner).clone()), number)?)),
                None => Part::Acts(named(&task.name)?),
            });
        }
        let sensors = behaviour.sensors().iter().map(|sensor| {
            let values: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
            connect("sensor", &sensor.name, &values, &SENSORS)
                .map_err(|why| Unknown { word: sensor.name.clone(), why })
        });
        let sensors = sensors.collect::<Result<Vec<usize>, _>>()?;
        let does = tasks.iter().map(|task| if let Part::Acts(does) = task { Some(*does) } else { None });
        let does = does.collect();
        let within = |of: fn(&Level) -> bool| {
            tasks.iter().any(|task| if let Part::Chooses(inner) = task { of(inner) } else { false })
        };
        Ok(Level {
            looks_further: sensors.iter().any(|&word| of_tasks(word).is_none())
                || within(|level| level.looks_further),
            senses_close: sensors.contains(&ENEMY_CLOSE) || within(|level| level.senses_close),
            design: Arc::new(design),
            sensors,
            tasks,
            does,
            number: own,
        })
    }

    /// A character that only decides, by a behaviour.
    pub fn of(behaviour: &Behaviour) -> Result<Self, CannotSense> {
        Level::new(Design::plain(behaviour.clone()), &mut 0).map_err(|unknown| unknown.why)
    }

    /// Whether only sensors have a say: then a sentence tells all there is to tell.
    pub fn only_senses(&self) -> bool {
        let design = &self.design;
        design.needs().is_empty() && design.planning().is_none() && design.voices().is_empty()
    }

    /// All levels, the outermost first.
    pub fn all(&self) -> Vec<&Level> {
        let within = self.tasks.iter().filter_map(|task| match task {
            Part::Acts(_) => None,
            Part::Chooses(inner) => Some(inner.all()),
        });
        std::iter::once(self).chain(within.flatten()).collect()
    }

    /// Tells the characters of this level and those within it what is sensed.
    pub fn sense(&self, read: &dyn Fn(usize) -> Reading, all: &mut [Senses]) {
        let senses = &mut all[self.number];
        senses.clear();
        for (sensor, &word) in self.sensors.iter().enumerate() {
            match read(word) {
                Reading::Value(NOT_READ) => {}
                Reading::Value(value) => senses.set(sensor, value as usize),
                Reading::Believed(believed) => {
                    let card = SENSORS[word].1.len();
                    senses.believe_at(sensor, &believed[..card]);
                }
            }
        }
        for task in &self.tasks {
            if let Part::Chooses(inner) = task {
                inner.sense(read, all);
            }
        }
    }

    /// Chooses a task within a task of this level, and so on inwards. `minds` are those of the path of tasks, the outermost first.
    pub fn choose_within(
        &self,
        task: usize,
        minds: &mut Vec<Character>,
        senses: &[Senses],
        scratch: &mut Scratch,
        draw: &mut Stream,
    ) -> Does {
        let (mut level, mut task, mut depth) = (self, task, 1);
        loop {
            match &level.tasks[task] {
                Part::Acts(does) => {
                    minds.truncate(depth);
                    return *does;
                }
                Part::Chooses(inner) => {
                    if minds.get(depth).is_none_or(|mind| !Arc::ptr_eq(mind.design(), &inner.design)) {
                        minds.truncate(depth);
                        minds.push(Character::new(&inner.design, 0, 0));
                    }
                    let bits = draw.next_u32();
                    task = minds[depth].tick_by(&senses[inner.number], scratch, bits).task;
                    (level, depth) = (inner, depth + 1);
                }
            }
        }
    }

    /// The minds of a saved path of tasks.
    pub fn restore(&self, states: Vec<crate::game::State>) -> Result<Vec<Character>, String> {
        let (mut level, mut minds) = (Some(self), Vec::new());
        for state in states {
            let of = level.ok_or("it has a task within a task that is none")?;
            let mut mind = Character::new(&of.design, 0, 0);
            mind.restore(state).map_err(|error| error.to_string())?;
            level = mind.task().and_then(|task| match &of.tasks[task] {
                Part::Acts(_) => None,
                Part::Chooses(inner) => Some(&**inner),
            });
            minds.push(mind);
        }
        Ok(minds)
    }
}

/// What a sensor says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// A value, or [`NOT_READ`].
    Value(u32),
    /// How probable each of at most three values is.
    Believed([f64; 3]),
}
