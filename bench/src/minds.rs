//! Whole characters of a game's own: how long a tick takes with sensors, beliefs, needs, a plan and a reaction time, for as many
//! tasks as there are alternatives; and how many of them two cores decide for at 10 Hz. The first sensor is read now and then; in
//! between it is a belief that fades, and the decision takes the distribution.
//!
//! This file is shared with `bench/big-brain`, which runs the crate `big-brain` beside it.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_mind::game::{Character, Design, Scratch, Senses};

/// Characters of one design, and what each senses.
pub struct Village {
    design: Arc<Design>,
    characters: Vec<Villager>,
    /// Room for deciding, for each part of the village that one core takes at a time.
    scratches: Vec<Scratch>,
    tick: usize,
}

/// A character, what it senses, and how probable it thinks the first sensor's `yes` while it does not sense that.
struct Villager {
    character: Character,
    senses: Senses,
    near: f64,
}

/// As many characters are one core's work at a time.
const PART: usize = 1_250;

/// The text of a character with this many tasks: each eases a need of its own, the first two are steps of a plan, and three sensors speak.
pub fn file(tasks: usize) -> String {
    let names: Vec<String> = (0..tasks).map(|task| format!("\"task{task}\"")).collect();
    let mut text = format!(
        "name = \"villager\"\ntasks = [{}]\nstay = 0.7\nsensors.a = [\"no\", \"yes\"]\nsensors.b = [\"no\", \"yes\"]\n\
         sensors.c = [\"low\", \"middle\", \"high\"]\nperceive.reaction_ticks = 2\n",
        names.join(", ")
    );
    for (sensor, values) in
        [("a", &["no", "yes"][..]), ("b", &["no", "yes"]), ("c", &["low", "middle", "high"])]
    {
        for (value, name) in values.iter().enumerate() {
            let cell = |task: usize| match value {
                0 => format!("{:.3}", 0.2 + 0.5 * ((task * 7 + sensor.len()) % 10) as f64 / 10.0),
                _ => "\"x\"".to_owned(),
            };
            let cells: Vec<String> = (0..tasks).map(cell).collect();
            text += &format!("likelihood.{sensor}.{name} = [{}]\n", cells.join(", "));
        }
    }
    for task in 0..tasks {
        text += &format!("needs.need{task} = {{ grows = 0.0{}, eased.task{task} = 0.3 }}\n", 1 + task % 9);
    }
    text + "facts.raw = [\"none\", \"some\"]\nfacts.meal = [\"due\", \"had\"]\nactions.task0 = \"raw: none -> some\"\n\
            actions.task1 = \"raw: some -> none, meal: due -> had\"\ngoals.dinner = \"meal=had\"\nplan.pursue.dinner = \"need0\"\n"
}

impl Village {
    /// A village of `count` characters who choose among `tasks` tasks.
    pub fn new(count: usize, tasks: usize) -> Self {
        let design = Design::parse(&file(tasks)).unwrap_or_else(|mistake| panic!("{mistake}"));
        let villager = |agent| Villager {
            character: Character::new(&design, 1, agent),
            senses: design.senses(),
            near: 0.0,
        };
        let characters = (0..count as u64).map(villager).collect();
        let scratches = vec![Scratch::new(); count.div_ceil(PART)];
        Village { design, characters, scratches, tick: 0 }
    }

    /// What everybody senses at a tick: the second and third sensor always; the first at one tick of four, and what was sensed fades
    /// in between (stays with 0.9, comes with 0.05 a tick).
    fn change(tick: usize, number: usize, Villager { senses, near, .. }: &mut Villager) {
        let k = number * 7 + tick * 13;
        if k.is_multiple_of(4) {
            let is_near = k.is_multiple_of(20);
            *near = f64::from(u8::from(is_near));
            senses.set(0, usize::from(is_near));
        } else {
            *near = 0.9 * *near + 0.05 * (1.0 - *near);
            senses.believe_at(0, &[1.0 - *near, *near]);
        }
        senses.set(1, usize::from(k % 5 < 2));
        senses.set(2, k % 3);
    }

    /// One tick of everybody on one core; returns how many do their first task, so that nothing is measured that does nothing.
    pub fn tick(&mut self, scratch: &mut Scratch) -> usize {
        self.tick += 1;
        let mut first = 0;
        for (number, one) in self.characters.iter_mut().enumerate() {
            Self::change(self.tick, number, one);
            first += usize::from(one.character.tick(&one.senses, scratch).task == 0);
        }
        first
    }

    /// The same on all cores.
    #[allow(dead_code, reason = "only one of the two that share this file needs it")]
    pub fn tick_on_all_cores(&mut self) -> usize {
        self.tick += 1;
        let tick = self.tick;
        let parts = self.characters.par_chunks_mut(PART).zip(&mut self.scratches).enumerate();
        let first = parts.map(|(part, (characters, scratch))| {
            let one = |(number, one): (usize, &mut Villager)| {
                Self::change(tick, part * PART + number, one);
                usize::from(one.character.tick(&one.senses, scratch).task == 0)
            };
            characters.iter_mut().enumerate().map(one).sum::<usize>()
        });
        first.sum()
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.design.behaviour().tasks().len()
    }
}
