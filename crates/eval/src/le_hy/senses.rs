//! What is learned with finer sensors, and with and without sound (Le Hy 2007, tables 4.13 and 4.17 to 4.29).
//!
//! The thesis read six sensors more finely for its last experiment, and had a player teach once with and once without sound: for
//! somebody who hears nothing, noise goes with other tasks. Its teachers were people, so that it could not say whether finer sensors
//! make a better pupil. Here the teacher is a behaviour: how often does the pupil's most probable task agree with the teacher's, in a
//! match that nobody learned from?

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_bayes::sequence::{Behaviour, file};
use repertoire_mind::fighter::Fighter;
use repertoire_mind::student::{Method, Student};
use repertoire_mind::tasks::{Elementary, Observer, SENSORS};
use repertoire_mind::{Command, Mind, Percept, Places, RestoreError};
use repertoire_prob::Stream;
use repertoire_prob::draw::arg_max;
use repertoire_worlds::arena::level::Level;
use serde::Serialize;

use super::{TaskLessons, connected, demonstrate, design, shipped_behaviour};

/// How many of the sensors are the seven.
const PLAIN: usize = 7;
/// The sensor that is read in one way only.
const NOISE: &str = "noise";

/// Lessons with other senses.
#[derive(Clone, Debug)]
pub struct SenseLessons {
    /// Where the teacher plays.
    pub level: Arc<Level>,
    /// Who teaches: a shipped behaviour.
    pub teacher: String,
    /// How long a demonstration is, in seconds of the game. The thesis's was 350 s.
    pub seconds: f64,
    /// How many demonstrations agreement is averaged over.
    pub demonstrations: u32,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// What came of them.
#[derive(Clone, Debug)]
pub struct Senses {
    /// What was learned from the first demonstration with finer sensors.
    pub finer: Behaviour,
    /// For each way to learn, how often the pupil agrees with the teacher, by plain and by finer sensors.
    pub agreement: Vec<Agreement>,
    /// `P(noise is heard | task)`, learned by rules from teachers who hear and from teachers who do not, task by task.
    pub noise: Vec<Noise>,
}

/// How often pupils agree with their teacher about the task, in matches that nobody learned from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// How it was learned.
    pub method: &'static str,
    /// With the seven sensors.
    pub plain: f64,
    /// With six of them read more finely.
    pub finer: f64,
}

/// How probable a noise is during a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Noise {
    /// The task.
    pub task: String,
    /// Learned from a teacher who hears.
    pub heard: f64,
    /// Learned from one who does not.
    pub deaf: f64,
}

/// Uniform tables over the thesis's tasks and these sensors.
fn shape(name: &str, sensors: &[(&str, &[&str])]) -> Behaviour {
    let tasks = Elementary::ALL.map(Elementary::name);
    let row = format!("[{}]", vec!["\"x\""; tasks.len()].join(", "));
    let mut text = format!("name = \"{name}\"\ntasks = {tasks:?}\n[sensors]\n");
    sensors.iter().for_each(|(name, values)| text += &format!("{name} = {values:?}\n"));
    text += "[transition]\n";
    tasks.iter().for_each(|task| text += &format!("{task} = {row}\n"));
    for (name, values) in sensors {
        text += &format!("[likelihood.{name}]\n");
        values.iter().for_each(|value| text += &format!("\"{value}\" = {row}\n"));
    }
    file::read(&text, &mut |_| Err("none".into())).unwrap_or_else(|mistake| unreachable!("{mistake}"))
}

/// The sensors of the last experiment: those that can be read more finely are.
fn finer_sensors() -> Vec<(&'static str, &'static [&'static str])> {
    let noise = SENSORS[..PLAIN].iter().filter(|(name, _)| *name == NOISE);
    SENSORS[PLAIN..].iter().chain(noise).copied().collect()
}

/// A teacher who hears nothing.
struct Deaf(Fighter);

impl Mind for Deaf {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let mut silent = percept.clone();
        silent.noises.clear();
        self.0.decide(&silent, places, draw)
    }

    fn task(&self) -> &str {
        self.0.task()
    }

    fn why(&self) -> String {
        self.0.why()
    }

    fn save(&self) -> serde_json::Value {
        self.0.save()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.0.restore(saved)
    }
}

/// What one demonstration gave: for each method the pupils by plain and finer sensors with how often they agree, and what noise
/// says of tasks for a hearing and a deaf teacher.
struct OneLesson {
    pupils: Vec<[(Option<Behaviour>, f64); 2]>,
    noise: [Vec<f64>; 2],
}

impl SenseLessons {
    /// Those compared.
    const METHODS: [Method; 3] = [Method::Labels, Method::Heuristic, Method::Incremental];

    /// Gives all lessons; `done` hears of each that is over. The answer does not depend on the number of threads.
    pub fn teach(&self, done: &(dyn Fn() + Sync)) -> Senses {
        let lesson = |number: u32| {
            let lesson = self.lesson(number);
            done();
            lesson
        };
        let lessons: Vec<OneLesson> = (0..self.demonstrations.max(1)).into_par_iter().map(lesson).collect();
        let mean =
            |of: &dyn Fn(&OneLesson) -> f64| lessons.iter().map(of).sum::<f64>() / lessons.len() as f64;
        let agreement = Self::METHODS.iter().enumerate().map(|(at, method)| Agreement {
            method: method.name(),
            plain: mean(&|one| one.pupils[at][0].1),
            finer: mean(&|one| one.pupils[at][1].1),
        });
        let noise = Elementary::ALL.iter().enumerate().map(|(task, elementary)| Noise {
            task: elementary.name().to_owned(),
            heard: mean(&|one| one.noise[0][task]),
            deaf: mean(&|one| one.noise[1][task]),
        });
        let finer = lessons[0].pupils[Self::METHODS.len() - 1][1].0.clone();
        Senses {
            finer: finer.unwrap_or_else(|| shape("finer", &finer_sensors())),
            agreement: agreement.collect(),
            noise: noise.collect(),
        }
    }

    fn mind(&self, hears: bool) -> Box<dyn Mind> {
        let fighter = Fighter::new(&design(&shipped_behaviour(&self.teacher)));
        if hears { Box::new(fighter) } else { Box::new(Deaf(fighter)) }
    }

    fn lesson(&self, number: u32) -> OneLesson {
        let seed = self.seed.wrapping_mul(1000).wrapping_add(u64::from(number));
        let ticks = TaskLessons::ticks(self.seconds);
        let shapes =
            [shape("plain", &SENSORS[..PLAIN]), shape("finer", &finer_sensors())].map(|s| connected(&s));
        let student = |shape: usize, method: Method| Student::new(shapes[shape].clone(), method);
        let mut students: Vec<[Student; 2]> =
            Self::METHODS.iter().map(|&method| [student(0, method), student(1, method)]).collect();
        demonstrate(&self.level, self.mind(true), seed, ticks, &mut |_, seen| {
            students.iter_mut().flatten().for_each(|student| student.see(seen, self.level.places()));
        });
        let mut deaf = student(0, Method::Heuristic);
        demonstrate(&self.level, self.mind(false), seed, ticks, &mut |_, seen| {
            deaf.see(seen, self.level.places());
        });
        let finish = |student: Student, name: &str| {
            student.finish(name, &mut |_| ()).ok().map(|learned| learned.behaviour)
        };
        let noise_of = |pupil: Option<&Behaviour>| {
            let sensor = pupil.and_then(|pupil| Some(&pupil.sensors()[pupil.sensor(NOISE)?]));
            let of = |task: usize| sensor.map_or(0.5, |sensor| sensor.cell(task, 1));
            (0..Elementary::ALL.len()).map(of).collect::<Vec<f64>>()
        };
        let learned: Vec<[Option<Behaviour>; 2]> = students
            .into_iter()
            .map(|[plain, finer]| [finish(plain, "plain"), finish(finer, "finer")])
            .collect();
        let heuristic = Self::METHODS.iter().position(|method| *method == Method::Heuristic);
        let hearing = heuristic.and_then(|at| learned[at][0].as_ref());
        let noise = [noise_of(hearing), noise_of(finish(deaf, "deaf").as_ref())];
        let agree = self.agreement(seed.wrapping_add(500), &learned);
        let pupils = learned.into_iter().zip(agree).map(|([plain, finer], [p, f])| [(plain, p), (finer, f)]);
        OneLesson { pupils: pupils.collect(), noise }
    }

    /// How often each pupil's most probable task is the teacher's, given the teacher's task before.
    fn agreement(&self, seed: u64, pupils: &[[Option<Behaviour>; 2]]) -> Vec<[f64; 2]> {
        let teacher = shipped_behaviour(&self.teacher);
        let names: Vec<&str> = teacher.task_names().collect();
        let ready: Vec<_> =
            pupils.iter().map(|pair| pair.each_ref().map(|one| one.as_ref().map(connected))).collect();
        let mut right = vec![[0u32; 2]; pupils.len()];
        let (mut observer, mut life, mut before, mut ticks) = (Observer::default(), 0, None::<String>, 0u32);
        let length = TaskLessons::ticks(TaskLessons::THESIS_SECS);
        demonstrate(&self.level, self.mind(true), seed, length, &mut |_, seen| {
            if seen.percept.own.life != life {
                (life, before) = (seen.percept.own.life, None);
            }
            let readings = observer.observe(seen.percept, self.level.places()).readings;
            let Some(task) = seen.task.filter(|task| names.contains(task)) else { return };
            ticks += 1;
            for (right, pair) in right.iter_mut().zip(&ready) {
                for (right, pupil) in right.iter_mut().zip(pair) {
                    let Some(pupil) = pupil else { continue };
                    let behaviour = pupil.behaviour();
                    let previous = before.as_deref().and_then(|before| behaviour.task(before));
                    let chosen = arg_max(&pupil.decide(previous, &readings).posterior);
                    *right += u32::from(behaviour.tasks()[chosen].name == task);
                }
            }
            before = Some(task.to_owned());
        });
        right.iter().map(|pair| pair.map(|right| f64::from(right) / f64::from(ticks.max(1)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_worlds::arena::map::{file, shipped::shipped as map};

    #[test]
    fn finer_sensors_are_learned_and_deafness_shows() {
        let halls = file::read(map("halls").unwrap()).unwrap();
        let level = Arc::new(Level::new(halls.map).unwrap());
        let lessons =
            SenseLessons { level, teacher: "prudent".to_owned(), seconds: 200.0, demonstrations: 2, seed: 3 };
        let senses = lessons.teach(&|| ());
        let cards: Vec<usize> = senses.finer.sensors().iter().map(|sensor| sensor.values.len()).collect();
        assert_eq!(cards, [5, 4, 5, 4, 6, 6, 2]);
        let labels = &senses.agreement[0];
        assert!(labels.plain > 0.8 && labels.finer > 0.8, "{labels:?}");
        // The written table says that danger is looked for when something is heard; whoever hears nothing never does so.
        let danger = senses.noise.iter().find(|noise| noise.task == "detect_danger").unwrap();
        assert!(danger.heard != danger.deaf, "{danger:?}");
    }
}
