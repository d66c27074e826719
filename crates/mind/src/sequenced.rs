//! Behaviours that choose among the elementary tasks, as those who learn or compare them need them. A [`Fighter`] plays them.
//!
//! [`Fighter`]: crate::fighter::Fighter

use repertoire_bayes::sequence::learning::NOT_READ;
use repertoire_bayes::sequence::{Behaviour, Decision};

use crate::tasks::{CannotSense, Elementary, Readings, Wiring};

/// A behaviour connected to the senses and the tasks of a character.
#[derive(Clone, Debug)]
pub struct Connected {
    behaviour: Behaviour,
    wiring: Wiring,
    /// What each task is.
    tasks: Vec<Does>,
}

#[derive(Clone, Debug)]
enum Does {
    Acts(Elementary),
    Chooses(Box<Connected>),
}

impl Connected {
    /// Connects a behaviour, and those within its tasks, or says what does not fit.
    pub fn new(behaviour: &Behaviour) -> Result<Self, CannotSense> {
        let connect = |task: &repertoire_bayes::sequence::Task| match &task.inner {
            Some(inner) => Connected::new(inner).map(Box::new).map(Does::Chooses),
            None => Elementary::named(&task.name).map(Does::Acts).ok_or_else(|| CannotSense {
                what: format!(
                    "characters cannot do the task `{}` of the behaviour {}",
                    task.name,
                    behaviour.name()
                ),
                remedy: format!(
                    "use {}, or make it a behaviour of these: [task.{}] behaviour = \"...\"",
                    Elementary::ALL.map(Elementary::name).join(", "),
                    task.name
                ),
            }),
        };
        Ok(Connected {
            wiring: Wiring::of(behaviour)?,
            tasks: behaviour.tasks().iter().map(connect).collect::<Result<_, _>>()?,
            behaviour: behaviour.clone(),
        })
    }

    /// The behaviour.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// How its sensors are connected.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// One decision with its reasons.
    pub fn decide(&self, previous: Option<usize>, readings: &Readings) -> Decision {
        let known = |value: u32| (value != NOT_READ).then_some(value as usize);
        let values: Vec<Option<usize>> = self.wiring.values(readings).map(known).collect();
        self.behaviour.decide(previous, &values)
    }

    /// What each task makes of what there is to act upon, averaged over the tasks within it.
    pub fn explains(&self, of: &dyn Fn(Elementary) -> f64) -> Vec<f64> {
        let mut each = Vec::with_capacity(self.tasks.len());
        self.explains_into(of, &mut each);
        each
    }

    /// The same into numbers of an earlier tick.
    pub fn explains_into(&self, of: &dyn Fn(Elementary) -> f64, each: &mut Vec<f64>) {
        let one = |does: &Does| match does {
            Does::Acts(task) => of(*task),
            Does::Chooses(inner) => {
                let within = inner.explains(of);
                within.iter().sum::<f64>() / within.len() as f64
            }
        };
        each.clear();
        each.extend(self.tasks.iter().map(one));
    }
}
