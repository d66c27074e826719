//! Le Hy's character: a behaviour that chooses among elementary tasks, ten times a second.
//!
//! One tick, read from top to bottom: take in the percept, decide the task (and the task within it, where a task is
//! itself a behaviour), draw a command from the task's model, and let reflexes have the last word: the weapon in hand,
//! and another way when it is stuck.

use std::sync::Arc;

use repertoire_bayes::sequence::learning::NOT_READ;
use repertoire_bayes::sequence::{Behaviour, Decision};
use repertoire_prob::Stream;
use repertoire_prob::draw::arg_max;
use serde::{Deserialize, Serialize};

use crate::progress::Progress;
use crate::tasks::{CannotSense, Elementary, Observer, Readings, Wiring, choose_weapon};
use crate::{Command, Mind, Percept, Places, RestoreError};

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
        let one = |does: &Does| match does {
            Does::Acts(task) => of(*task),
            Does::Chooses(inner) => {
                let within = inner.explains(of);
                within.iter().sum::<f64>() / within.len() as f64
            }
        };
        self.tasks.iter().map(one).collect()
    }

    /// Whether a path of tasks leads through this behaviour.
    fn has(&self, path: &[u8]) -> bool {
        match path.split_first() {
            None => true,
            Some((&task, rest)) => self.tasks.get(usize::from(task)).is_some_and(|does| match does {
                Does::Acts(_) => rest.is_empty(),
                Does::Chooses(inner) => !rest.is_empty() && inner.has(rest),
            }),
        }
    }

    /// Chooses on every level, going on from the path of tasks before.
    fn choose(
        &self,
        before: &[u8],
        readings: &Readings,
        draw: &mut Stream,
        path: &mut Vec<u8>,
    ) -> Elementary {
        let previous = before.first().map(|&task| usize::from(task));
        let task = self.behaviour.choose(&self.decide(previous, readings), draw);
        path.push(task as u8);
        match &self.tasks[task] {
            Does::Acts(task) => *task,
            Does::Chooses(inner) => {
                let same = previous == Some(task);
                inner.choose(if same { &before[1..] } else { &[] }, readings, draw, path)
            }
        }
    }

    fn explain(&self, before: &[u8], path: &[u8], readings: &Readings, out: &mut String) {
        let previous = before.first().map(|&task| usize::from(task));
        let Some(chosen) = path.first().map(|&task| usize::from(task)) else { return };
        let decision = self.decide(previous, readings);
        *out += &self.in_words(&decision, chosen);
        if let Does::Chooses(inner) = &self.tasks[chosen] {
            *out += "; within it ";
            inner.explain(
                if previous == Some(chosen) { &before[1..] } else { &[] },
                &path[1..],
                readings,
                out,
            );
        }
    }

    /// The choice, its probability, and the sensors that spoke for and against it most, compared with the best other task.
    fn in_words(&self, decision: &Decision, chosen: usize) -> String {
        let name = |task: usize| self.behaviour.tasks()[task].name.as_str();
        let percent = |p: f64| format!("{:.0} %", p * 100.0);
        let mut said = format!("{} ({})", name(chosen), percent(decision.posterior[chosen]));
        let mut others = decision.posterior.clone();
        others[chosen] = -1.0;
        let rival = arg_max(&others);
        if others.len() < 2 {
            return said;
        }
        if decision.degenerate {
            return said + ": the sensors contradict every task, so only what came before counts";
        }
        let mut reasons: Vec<(f64, String)> = decision
            .contributions
            .iter()
            .map(|spoke| {
                let sensor = &self.behaviour.sensors()[spoke.sensor];
                let value = &sensor.values[spoke.value];
                (spoke.nats[chosen] - spoke.nats[rival], format!("{}={value}", sensor.name))
            })
            .collect();
        let after = decision.previous.map_or("the start".to_owned(), |task| format!("after {}", name(task)));
        reasons.push((decision.log_prior[chosen] - decision.log_prior[rival], after));
        reasons.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let telling: Vec<String> = reasons
            .iter()
            .filter(|(ratio, _)| ratio.abs() > 0.05)
            .take(3)
            .map(|(ratio, reason)| {
                let times = repertoire_prob::num::exp(ratio.abs());
                let times = if times > 1e6 { "certainly".to_owned() } else { format!("{times:.1} times") };
                format!("{reason} {times} {}", if *ratio > 0.0 { "for it" } else { "against it" })
            })
            .collect();
        if !telling.is_empty() {
            said += &format!(
                " rather than {} ({}): {}",
                name(rival),
                percent(decision.posterior[rival]),
                telling.join(", ")
            );
        }
        said
    }
}

/// A character that sequences tasks.
///
/// ```
/// use std::sync::Arc;
///
/// use repertoire_bayes::sequence::Behaviour;
/// use repertoire_mind::sequenced::{Connected, Sequenced};
/// use repertoire_mind::{Cells, DVec3, Mind, Percept, Places};
/// use repertoire_prob::Stream;
///
/// let prudent = Behaviour::shipped("prudent").expect("shipped");
/// let mut character = Sequenced::new(Arc::new(Connected::new(&prudent)?));
/// let places = Places::new(vec![DVec3::ZERO], Vec::new(), Cells::default(), Vec::new(), Vec::new())?;
/// let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
/// percept.own.life = 1;
/// percept.own.health = 100.0;
/// character.decide(&percept, &places, &mut Stream::new(1, 0, "prudent"));
/// assert!(prudent.task(character.task()).is_some(), "one of its tasks");
/// assert!(character.why().starts_with(character.task()), "and why");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequenced {
    connected: Arc<Connected>,
    state: State,
}

/// Everything that a later decision depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    observer: Observer,
    life: u32,
    /// The tasks before, and now, from the outermost in.
    before: Vec<u8>,
    path: Vec<u8>,
    readings: [u32; 7],
    #[serde(flatten)]
    progress: Progress,
}

impl Sequenced {
    /// A character of this behaviour.
    pub fn new(connected: Arc<Connected>) -> Self {
        Sequenced { connected, state: State::default() }
    }

    /// The last decision about the outermost task, with its reasons; none before the first.
    pub fn decision(&self) -> Option<Decision> {
        let previous = self.state.before.first().map(|&task| usize::from(task));
        (!self.state.path.is_empty()).then(|| self.connected.decide(previous, &Readings(self.state.readings)))
    }
}

impl Mind for Sequenced {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        if percept.own.life != self.state.life {
            let observer = std::mem::take(&mut self.state.observer);
            self.state = State { life: percept.own.life, observer, ..State::default() };
        }
        let stimuli = self.state.observer.observe(percept, places);
        let mut path = std::mem::take(&mut self.state.before);
        path.clear();
        let task = self.connected.choose(&self.state.path, &stimuli.readings, draw, &mut path);
        self.state.before = std::mem::replace(&mut self.state.path, path);
        self.state.readings = stimuli.readings.0;
        let mut command = task.motor(&stimuli).draw(draw);
        let weapon = choose_weapon(&percept.own, stimuli.foe().map(|foe| foe.distance_m));
        command.weapon = (weapon != percept.own.weapon).then_some(weapon);
        if self.state.progress.keep_moving(percept, &mut command, draw) {
            self.state.observer.give_up(percept);
        }
        command
    }

    fn task(&self) -> &str {
        let task = self.state.path.first();
        task.map_or("", |&task| self.connected.behaviour.tasks()[usize::from(task)].name.as_str())
    }

    fn why(&self) -> String {
        let mut said = String::new();
        self.connected.explain(
            &self.state.before,
            &self.state.path,
            &Readings(self.state.readings),
            &mut said,
        );
        said
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        let state = State::deserialize(saved)?;
        if !(self.connected.has(&state.before) && self.connected.has(&state.path)) {
            let other = serde::de::Error::custom("it has tasks that this behaviour does not have");
            return Err(RestoreError(other));
        }
        self.state = state;
        Ok(())
    }
}
