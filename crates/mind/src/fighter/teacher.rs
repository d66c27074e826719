//! A teacher beside the mind: what it would do now has a say in which task to do, and may be how the task is done.
//!
//! Its say about a task is how well the task's own motor program explains what the teacher would do, so that a teacher needs no
//! words for tasks. Its hands are the product of the two: commands are drawn from the teacher, and one is kept as often as
//! the task's program makes it probable (sampling, importance resampling).

use std::sync::Arc;

use repertoire_prob::Stream;
use repertoire_prob::draw::sample;

use super::vocabulary::Does;
use crate::chameleon::{Chameleon, Taught};
use crate::tasks::motor::Act;
use crate::tasks::{Elementary, Stimuli};
use crate::{Command, Percept, Place, Places};

/// How many commands are drawn from a teacher that lends its hands, and from one that only has a say.
const DRAWN: usize = 8;
const ASKED: usize = 2;
/// The share of its say that is spread evenly: no task is ruled out by what a teacher happened to do.
const EVEN: f64 = 0.2;

/// Follows a teacher.
pub(super) struct Follower {
    pub chameleon: Chameleon,
    /// What the teacher would do now; the first is what it does.
    shown: Vec<Command>,
}

impl Follower {
    pub fn new(taught: &Arc<Taught>) -> Self {
        Follower { chameleon: Chameleon::new(taught), shown: Vec::new() }
    }

    /// Asks the teacher what it would do.
    pub fn ask(&mut self, lends_hands: bool, about: (&Percept, &Places, Option<Place>), draw: &mut Stream) {
        self.shown.clear();
        let many = if lends_hands { DRAWN } else { ASKED };
        self.chameleon.consider(about, draw, many, &mut self.shown);
    }

    /// What it says of each task.
    pub fn says(&self, tasks: &[Option<Does>], stimuli: &Stimuli, says: &mut Vec<f64>) {
        says.clear();
        says.extend(tasks.iter().map(|does| {
            // A task that is a behaviour may do anything, so it explains nothing in particular.
            let Some(does) = *does else { return 0.0 };
            let motor = elementary(does).motor(stimuli);
            self.shown.iter().map(|command| motor.likelihood(&Act::of(command))).sum::<f64>()
        }));
        let all: f64 = says.iter().sum::<f64>().max(1e-300);
        let even = EVEN / tasks.len() as f64;
        says.iter_mut().for_each(|says| *says = even + (1.0 - EVEN) * *says / all);
    }

    /// A command for a task, by the teacher's hands.
    pub fn act(&self, does: Does, stimuli: &Stimuli, draw: &mut Stream) -> Command {
        let motor = elementary(does).motor(stimuli);
        let mut fits = [0.0; DRAWN];
        for (fits, command) in fits.iter_mut().zip(&self.shown) {
            *fits = motor.likelihood(&Act::of(command));
        }
        if fits.iter().sum::<f64>() <= 0.0 {
            return motor.draw(draw);
        }
        self.shown[sample(&fits, draw).min(self.shown.len() - 1)]
    }
}

/// The motor program that is nearest to a task.
pub(super) const fn elementary(does: Does) -> Elementary {
    match does {
        Does::Attack | Does::Hunt => Elementary::Attack,
        Does::Ambush | Does::DetectDanger => Elementary::DetectDanger,
        Does::Flee => Elementary::Flee,
        Does::HealthSearch => Elementary::HealthSearch,
        Does::WeaponSearch => Elementary::WeaponSearch,
        Does::Explore => Elementary::Explore,
    }
}
