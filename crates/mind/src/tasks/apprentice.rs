//! Learns a manner from play: what a player's hands do about what each task goes for.
//!
//! `P(Turn | Direction, Task)` and its four siblings are histograms (Le Hy 2007, section 4.2): every tick is counted for the
//! task that went on, or, where nobody says which, for each task as far as it explains what was done. A task's own model says
//! what there was to look at and to run for.
//!
//! Differs from the paper: counts begin with the usual tables, worth [`WORTH`] ticks in each column, so that a direction
//! nobody showed is dealt with as usual.

use repertoire_bayes::{Form, Program};

use super::arms;
use super::manner::{self, Manners, MotorTables};
use super::motor::{Act, TILT, TURN, run_toward};
use super::{Elementary, Look, Motor, Observer, Run};
use crate::student::{Seen, Watch};
use crate::{Fire, Places, Weapon};

/// How many ticks the usual tables are worth in each column.
pub const WORTH: f64 = 5.0;
/// A task that explains less than this of a tick learns nothing from it.
const LEAST: f64 = 0.01;
/// What every case starts with, so that nothing is impossible.
const PRIOR: f64 = 0.001;

/// Watches a player and counts what their hands do.
#[derive(Clone, Debug)]
pub struct Apprentice {
    program: Program,
    observer: Observer,
    life: Option<u32>,
    values: Vec<Option<u32>>,
    /// Ticks that were seen, and those whose task was told.
    ticks: u64,
    told: u64,
    ticks_of: [f64; Elementary::ALL.len()],
}

/// Where the variables of a manner with tasks are: `Task`, then given and done in turn.
const GIVEN_DONE: usize = 1;

impl Default for Apprentice {
    fn default() -> Self {
        Apprentice::new("learned")
    }
}

impl Apprentice {
    /// One that has seen nothing.
    pub fn new(name: &str) -> Self {
        let form = |columns: &[f64]| Form::Histogram {
            prior: PRIOR,
            counts: columns.iter().map(|p| p * WORTH).collect(),
        };
        let about = "What a player's hands do within each task, counted from play.";
        let program = manner::program_of(name, about, true, form, MotorTables::usual());
        let values = vec![None; program.variables().len()];
        Apprentice {
            program,
            observer: Observer::default(),
            life: None,
            values,
            ticks: 0,
            told: 0,
            ticks_of: Default::default(),
        }
    }

    /// How many ticks it has seen, and of how many the player told the task.
    pub fn seen(&self) -> (u64, u64) {
        (self.ticks, self.told)
    }

    /// How many ticks were counted for a task, in parts where it was not told.
    pub fn ticks_of(&self, task: Elementary) -> f64 {
        self.ticks_of[task as usize]
    }

    /// The program with its counts.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What it has learned, to be played.
    pub fn manners(&self) -> Manners {
        Manners::of(&self.program).unwrap_or_else(|error| unreachable!("a program of our own: {error}"))
    }

    fn count(&mut self, pair: usize, given: usize, done: usize, weight: f64) {
        let at = GIVEN_DONE + 2 * pair;
        self.values[at] = Some(given as u32);
        self.values[at + 1] = Some(done as u32);
        if let Err(error) = self.program.observe(&self.values, weight) {
            unreachable!("bins and weights of our own: {error}");
        }
        (self.values[at], self.values[at + 1]) = (None, None);
    }

    /// Counts a tick for a task, as far as it was that task.
    fn learn(&mut self, task: Elementary, motor: &Motor<'_>, act: &Act, weight: f64) {
        self.values[0] = Some(task as u32);
        self.ticks_of[task as usize] += weight;
        let explains = |heading: &super::Heading| {
            heading.weight * motor.turn(heading, act.turn) * motor.runs(heading, act.yaw)[act.run]
        };
        let total: f64 = motor.headings().map(|heading| explains(&heading)).sum();
        for heading in motor.headings() {
            // Where there are several directions, each counts as far as it explains the command.
            let share = weight * if total > 0.0 { explains(&heading) / total } else { heading.weight };
            if let Look::Toward(yaw) = heading.look {
                self.count(0, TURN.bin(yaw), act.turn, share);
            }
            if let Run::Toward(yaw) = heading.run {
                self.count(2, run_toward(yaw - act.yaw / 2.0), act.run, share);
            }
        }
        if let Some(tilt) = motor.tilt {
            self.count(1, TILT.bin(tilt), act.tilt, weight);
        }
        self.count(3, usize::from(motor.is_aimed(act.yaw)), usize::from(act.fire), weight);
        if let Some(obstacle) = motor.obstacle {
            self.count(4, usize::from(obstacle), usize::from(act.jump), weight);
        }
        self.values[0] = None;
    }

    /// Counts which weapon was fired how, at an enemy at a distance.
    fn learn_arms(&mut self, weapon: Weapon, fire: Fire, distance_m: f64) {
        self.count(5, arms::range(distance_m), arms::arm(weapon, fire), 1.0);
    }
}

impl Watch for Apprentice {
    fn begin(&mut self) {
        self.observer = Observer::default();
        self.life = None;
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if self.life != Some(seen.percept.own.life) {
            self.begin();
            self.life = Some(seen.percept.own.life);
        }
        let stimuli = self.observer.observe(seen.percept, places);
        let act = Act::of(seen.command);
        self.ticks += 1;
        if let Some(foe) = stimuli.foe().filter(|foe| foe.in_view && act.fire) {
            self.learn_arms(seen.percept.own.weapon, seen.command.fire, foe.distance_m);
        }
        if let Some(task) = seen.task.and_then(Elementary::named) {
            self.told += 1;
            self.learn(task, &task.motor(&stimuli), &act, 1.0);
            return;
        }
        let motors = Elementary::ALL.map(|task| task.motor(&stimuli));
        let explains = motors.each_ref().map(|motor| motor.likelihood(&act));
        let total: f64 = explains.iter().sum();
        for ((task, motor), explains) in Elementary::ALL.into_iter().zip(&motors).zip(explains) {
            if explains / total >= LEAST {
                self.learn(task, motor, &act, explains / total);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use repertoire_prob::Stream;

    use super::*;
    use crate::{Cells, Command, Fire, Percept, SeenCharacter};

    /// A teacher who attacks an enemy somewhere around, with given hands.
    fn teach(apprentice: &mut Apprentice, ticks: u32, says: bool, mut hands: impl FnMut(f64) -> Command) {
        let places =
            Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![]).expect("a point");
        let mut draw = Stream::new(5, 0, "teacher");
        for tick in 1..=ticks {
            let yaw = (draw.unit() - 0.5) * 1.5;
            let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
            percept.own.life = 1;
            let position = DVec3::new(10.0 * libm::cos(yaw), 10.0 * libm::sin(yaw), 0.0);
            percept.characters = vec![SeenCharacter { id: 1, position, velocity: DVec3::ZERO, weapon: None }];
            let task = says.then_some("attack");
            apprentice.see(Seen { percept: &percept, command: &hands(yaw), task, events: &[] }, &places);
        }
    }

    #[test]
    fn hands_that_overshoot_are_learned_as_such() {
        let mut apprentice = Apprentice::default();
        teach(&mut apprentice, 4000, true, |yaw| Command { yaw: yaw * 1.5, ..Command::default() });
        let manners = apprentice.manners();
        let attack = manners.tables(Elementary::Attack);
        for yaw in [-0.5, -0.3, 0.2, 0.4] {
            let yaw = TURN.middle(TURN.bin(yaw));
            let row = &attack.turn[TURN.bin(yaw)];
            let mean: f64 = row.iter().enumerate().map(|(turn, p)| p * TURN.middle(turn)).sum();
            assert!((mean / yaw - 1.5).abs() < 0.2, "{yaw}: {mean}");
        }
        let flee = manners.tables(Elementary::Flee);
        assert!(flee.differs_from(MotorTables::usual()) < 0.01, "nobody showed flight");
        assert_eq!(apprentice.seen(), (4000, 4000));
    }

    #[test]
    fn a_task_that_nobody_names_is_recognised() {
        let mut apprentice = Apprentice::default();
        let fire = |yaw: f64| Command { yaw, fire: Fire::Primary, lateral: 1.0, ..Command::default() };
        teach(&mut apprentice, 500, false, fire);
        assert_eq!(apprentice.seen(), (500, 0));
        let counts = |factor: usize| {
            let of = &apprentice.program().factors()[factor];
            of.histogram().map_or(0.0, |histogram| histogram.counts().iter().sum::<f64>())
        };
        // What it begins with, and a tick for each tick.
        let begins = WORTH * 2.0 * Elementary::ALL.len() as f64;
        assert!((counts(8) - begins - 500.0).abs() < 5.0, "{}", counts(8));
    }

    #[test]
    fn a_manner_survives_its_file() {
        let mut apprentice = Apprentice::new("overshooting");
        teach(&mut apprentice, 300, true, |yaw| Command { yaw: yaw * 1.5, ..Command::default() });
        let text = repertoire_bayes::file::to_toml(apprentice.program());
        let read =
            repertoire_bayes::file::read(&text, &mut |_| Err("none".into())).expect("it was written by us");
        let (a, b) = (apprentice.manners(), Manners::of(&read).expect("a manner"));
        for task in Elementary::ALL {
            assert!(a.tables(task).differs_from(b.tables(task)) < 1e-12);
        }
    }
}
