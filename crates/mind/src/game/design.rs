//! What all characters of one kind share, checked once.

use std::sync::Arc;

use repertoire_authored::{Document, Mistake, Unavailable};
use repertoire_bayes::fusion::Stance;
use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::labelled::Lives;
use repertoire_plan::Domain;
use repertoire_prob::hmm::ObservationError;
use repertoire_prob::num::ln;

use super::senses::Senses;

/// A kind of character: what it senses, does, needs and knows, and how it decides. See [`super`] for the file.
#[derive(Clone, Debug)]
pub struct Design {
    pub(crate) behaviour: Behaviour,
    /// `ln` of the transitions, `[before][task]`.
    pub(super) log_transition: Vec<f64>,
    /// Each sensor's table, `[value][task]`, so that a value is one row.
    pub(super) rows: Vec<Vec<f64>>,
    /// What a tick needs to know of needs.
    pub(super) growth: Growth,
    /// `ln` of those.
    pub(super) log_rows: Vec<Vec<f64>>,
    /// How many ticks late it perceives.
    pub(super) reaction_ticks: u32,
    pub(super) needs: Vec<Need>,
    /// How much wants count in a decision.
    pub(crate) want_weight: f64,
    /// What a task is worth that eases nothing.
    pub(super) content: f64,
    pub(crate) planning: Option<Planning>,
    /// For each task, the kind of thing it is about, by index into `kinds`.
    pub(super) targets: Vec<Option<u16>>,
    pub(super) kinds: Vec<String>,
    /// Others who have a say in decisions.
    pub(crate) voices: Vec<Voice>,
    /// Kinds of individuals: how much each need matters, drawn from a range.
    pub(super) profiles: Profiles,
}

/// For each profile its name, and for each need the range from which is drawn how much it matters.
pub(super) type Profiles = Vec<(String, Vec<(f64, f64)>)>;

/// Something that grows by itself until a task eases it.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// What it is called.
    pub name: String,
    /// By how much it grows per tick; a need is between 0 and 1.
    pub grows: f64,
    /// Where it starts.
    pub starts: f64,
    /// By how much each task eases it per tick.
    pub eased: Vec<f64>,
    /// How much it matters: drawn once for each individual from this range.
    pub matters: (f64, f64),
    /// The sensor of the same name, which reads it: the levels from which on the next value is read.
    pub levels: Option<(usize, Vec<f64>)>,
}

/// Needs in columns: how they grow and are eased, so that a tick runs through numbers that lie side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    /// By how much each grows, and is eased by each task, `[task][need]`.
    pub grows: Vec<f64>,
    pub eased: Vec<f64>,
    /// Each need with each task that eases it: first those that no goal serves, then those that a plan may speak for.
    pub eases: Vec<(u16, u8)>,
    pub planned_eases: Vec<(u16, u8)>,
    /// Needs that a sensor reads: the need, the sensor, and the levels from which on the next value is read.
    pub levels: Vec<(usize, usize, Vec<f64>)>,
}

impl Growth {
    pub fn of(needs: &[Need], tasks: usize, planning: Option<&Planning>) -> Self {
        let each = || needs.iter().enumerate();
        let eases = |(index, need): (usize, &'_ Need)| {
            let eased = need.eased.iter().enumerate().filter(|(_, by)| **by > 0.0);
            eased.map(|(task, _)| (index as u16, task as u8)).collect::<Vec<_>>()
        };
        let pursued = planning.map_or(&[][..], |planning| &planning.pursued);
        let is_planned = |ease: &(u16, u8)| pursued.contains(&Pursues::Need(usize::from(ease.0)));
        let (planned_eases, eases) = each().flat_map(eases).partition(is_planned);
        Growth {
            grows: needs.iter().map(|need| need.grows).collect(),
            eased: (0..tasks).flat_map(|task| needs.iter().map(move |need| need.eased[task])).collect(),
            eases,
            planned_eases,
            levels: each()
                .filter_map(|(index, need)| {
                    need.levels.as_ref().map(|(sensor, levels)| (index, *sensor, levels.clone()))
                })
                .collect(),
        }
    }
}

/// Somebody or something that has a say in decisions beside the senses, the needs and the plan: a captain, a teacher.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    /// What it is called.
    pub name: String,
    /// How much it counts.
    pub weight: f64,
    /// Whether it says what to do or what not to do.
    pub stance: Stance,
}

/// How a character plans.
#[derive(Clone, Debug)]
pub struct Planning {
    /// Facts, actions and goals.
    pub domain: Domain,
    /// The task that carries out each action.
    pub carried_out_by: Vec<usize>,
    /// For each goal, why it is pursued.
    pub pursued: Vec<Pursues>,
    /// How much the plan counts in a decision.
    pub weight: f64,
    /// What the plan says of the task of its next step; the others share what is left.
    pub firmness: f64,
}

/// Why a goal is pursued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pursues {
    /// As much as a need is felt and matters, by index.
    Need(usize),
    /// Always as much.
    Always(f64),
}

impl Planning {
    /// The goals.
    pub fn goals(&self) -> &[repertoire_plan::domain::Goal] {
        &self.domain.classes[0].goals
    }
}

impl Design {
    /// Reads a character's file. `find` gives the behaviour that a task names.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn read(
        text: &str,
        find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
    ) -> Result<Arc<Self>, Mistake> {
        super::file::read(text, find).map(Arc::new)
    }

    /// Reads the character in a file that holds more than that, such as a fighter's.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn read_part(
        document: &mut Document<'_>,
        find: &mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>,
    ) -> Result<Self, Mistake> {
        super::file::read_part(document, find)
    }

    /// Reads a character's file that names no others.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn parse(text: &str) -> Result<Arc<Self>, Mistake> {
        Self::read(text, &mut |_| Err("this text is read without a folder to look in".into()))
    }

    /// A character that only decides, by a behaviour.
    pub fn of(behaviour: Behaviour) -> Arc<Self> {
        Arc::new(Self::plain(behaviour))
    }

    pub(crate) fn plain(behaviour: Behaviour) -> Self {
        let tasks = behaviour.tasks().len();
        Design {
            log_rows: log_rows(&behaviour),
            rows: rows(&behaviour),
            log_transition: logs(behaviour.transition()),
            growth: Growth::default(),
            behaviour,
            reaction_ticks: 0,
            needs: Vec::new(),
            want_weight: 1.0,
            content: 1.0,
            planning: None,
            targets: vec![None; tasks],
            kinds: Vec::new(),
            profiles: Vec::new(),
            voices: Vec::new(),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.behaviour.name()
    }

    /// How it decides.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// What it needs.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// How it plans, if it does.
    pub fn planning(&self) -> Option<&Planning> {
        self.planning.as_ref()
    }

    /// Who else has a say in its decisions.
    pub fn voices(&self) -> &[Voice] {
        &self.voices
    }

    /// The kinds of things that its tasks are about.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &str> {
        self.kinds.iter().map(String::as_str)
    }

    /// The profiles: kinds of individuals, who differ in how much each need matters to them.
    pub fn profiles(&self) -> impl ExactSizeIterator<Item = &str> {
        self.profiles.iter().map(|(name, _)| name.as_str())
    }

    /// The name of a task.
    ///
    /// # Panics
    /// If there is no such task.
    pub fn task_name(&self, task: usize) -> &str {
        &self.behaviour.tasks()[task].name
    }

    /// Nothing sensed yet: what a game fills in, and may keep from tick to tick.
    pub fn senses(self: &Arc<Self>) -> Senses {
        Senses::new(Arc::clone(self))
    }

    /// The same character with tables learned from watching others of its kind ([`Behaviour::taught`]). Learning goes on from
    /// the counts that the behaviour has.
    ///
    /// # Errors
    /// On a task or value that there is not.
    pub fn learned(&self, lives: &Lives) -> Result<Arc<Self>, ObservationError> {
        let behaviour = self.behaviour.taught(self.behaviour.name(), lives)?;
        Ok(Arc::new(Design {
            log_rows: log_rows(&behaviour),
            rows: rows(&behaviour),
            log_transition: logs(behaviour.transition()),
            behaviour,
            ..self.clone()
        }))
    }
}

pub(super) fn logs(table: &[f64]) -> Vec<f64> {
    table.iter().map(|&p| ln(p)).collect()
}

pub(super) fn rows(behaviour: &Behaviour) -> Vec<Vec<f64>> {
    let tasks = behaviour.tasks().len();
    let of = |sensor: &repertoire_bayes::sequence::Sensor| {
        let cells = (0..sensor.values.len()).flat_map(|value| (0..tasks).map(move |task| (task, value)));
        cells.map(|(task, value)| sensor.cell(task, value)).collect()
    };
    behaviour.sensors().iter().map(of).collect()
}

pub(super) fn log_rows(behaviour: &Behaviour) -> Vec<Vec<f64>> {
    rows(behaviour).iter().map(|rows| logs(rows)).collect()
}
