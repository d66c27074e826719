//! Exploration and flight as the thesis has them: a command from opinions about places and enemies, asked of a program.
//!
//! The shipped programs `exploration` (Le Hy 2007, eq. 3.1), `flight` (eq. 3.4) and `improved-flight` (section 3.3.3) have a
//! variable for each of the nearest places (`Direction0`, `Agree0`, ...) and enemies (`Enemy0`, `Meet0`, ...). What is not
//! there is left out of the question. The answer is about seven turns of 30 degrees; each is spread evenly over our finer ones.
//!
//! Differs from the paper: a small share goes to every turn, because recognising a task must find no command impossible.

use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{AskError, Program, Question, Workspace};
use repertoire_prob::Variable;
use thiserror::Error;

use super::Stimuli;
use super::motor::{TURN, TURNS};

/// More places and enemies than this are not asked about, whatever a program has: questions about them would be slow.
const MOST: usize = 4;
/// The share that is spread over every turn.
const ANYTHING: f64 = 0.03;

/// A program cannot say where to turn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CannotFollow {
    /// A variable that every such program has is missing.
    #[error(
        "`{program}` has no variable `{variable}`{why}\n  remedy: begin with one of the shipped programs exploration, flight, improved-flight"
    )]
    Variable {
        /// The program.
        program: String,
        /// What it lacks.
        variable: String,
        /// What of it is missing, if it is there.
        why: &'static str,
    },
    /// It cannot be asked.
    #[error("`{program}` cannot be asked: {why}")]
    CannotAnswer {
        /// The program.
        program: String,
        /// Why not.
        why: AskError,
    },
}

/// A program with opinions about places and enemies.
#[derive(Clone, Debug)]
pub struct Opinions {
    program: Program,
    /// The question about so many enemies and so many places: `[enemies][places]`.
    questions: Vec<Vec<Question>>,
    /// The value of `Meet` that keeps away, and of `Agree` that goes there.
    apart: u32,
    together: u32,
    /// The edges of the program's turns, in radians, lowest first.
    edges: Vec<f64>,
}

impl Opinions {
    /// Connects a program's variables to what a character perceives.
    ///
    /// # Errors
    /// When it is no such program.
    pub fn of(program: &Program) -> Result<Self, CannotFollow> {
        let lacks = |variable: &str, why: &'static str| CannotFollow::Variable {
            program: program.name().to_owned(),
            variable: variable.to_owned(),
            why,
        };
        let count =
            |name: &str| (0..MOST).take_while(|k| program.variable(&format!("{name}{k}")).is_some()).count();
        let (enemies, places) = (count("Enemy"), count("Direction"));
        if enemies + places == 0 {
            return Err(lacks("Direction0", ", nor `Enemy0`"));
        }
        let value = |opinion: &str, value: &str, is_used: bool| match program.variable(opinion) {
            _ if !is_used => Ok(0),
            Some(variable) => variable
                .value(value)
                .map(|k| k as u32)
                .ok_or_else(|| lacks(opinion, " that is false or true")),
            None => Err(lacks(opinion, "")),
        };
        let apart = value("Meet0", "false", enemies > 0)?;
        let together = value("Agree0", "true", places > 0)?;
        for name in
            (0..enemies).map(|k| format!("Enemy{k}")).chain((0..places).map(|k| format!("Direction{k}")))
        {
            if program.variable(&name).is_some_and(|variable| variable.bins().is_none()) {
                return Err(lacks(&name, " with bins (from, to)"));
            }
        }
        let rotation = program.variable("Rotation").ok_or_else(|| lacks("Rotation", ""))?;
        let bins = rotation.bins().ok_or_else(|| lacks("Rotation", " with bins (from, to)"))?;
        let edges = bins.edges.iter().map(|edge| edge.to_radians()).collect();
        let compile = |enemies: usize, places: usize| {
            let named = |name: &str, opinion: &str, k: usize| {
                [(format!("{name}{k}"), None), (format!("{opinion}{k}"), None)]
            };
            let of_enemies = (0..enemies).flat_map(|k| named("Enemy", "Meet", k));
            let of_places = (0..places).flat_map(|k| named("Direction", "Agree", k));
            let given = of_enemies.chain(of_places).collect();
            Question::compile(program, &Conditional { left: vec!["Rotation".to_owned()], given })
                .map_err(|why| CannotFollow::CannotAnswer { program: program.name().to_owned(), why })
        };
        let row = |enemies: usize| (0..=places).map(|places| compile(enemies, places)).collect();
        let questions = (0..=enemies).map(row).collect::<Result<_, _>>()?;
        Ok(Opinions { program: program.clone(), questions, apart, together, edges })
    }

    /// How probable each turn is, given who and what is around.
    pub fn turns(&self, stimuli: &Stimuli) -> [f64; TURNS] {
        let (most_enemies, most_places) = (self.questions.len() - 1, self.questions[0].len() - 1);
        let (enemies, places) = (stimuli.foes.len().min(most_enemies), stimuli.points.len().min(most_places));
        let bin = |name: &str, k: usize, yaw: f64| {
            let variable = self.program.variable(&format!("{name}{k}"));
            variable.and_then(Variable::bins).and_then(|bins| bins.bin(yaw.to_degrees())).unwrap_or(0) as u32
        };
        let mut known = Vec::with_capacity(4 * MOST);
        for (k, foe) in stimuli.foes.iter().take(enemies).enumerate() {
            known.extend([bin("Enemy", k, foe.stands), self.apart]);
        }
        for (k, point) in stimuli.points.iter().take(places).enumerate() {
            known.extend([bin("Direction", k, point.yaw), self.together]);
        }
        let mut workspace = Workspace::new();
        let asked = self.questions[enemies][places].ask(&self.program, &known, &mut workspace);
        match asked {
            Ok(answer) => self.spread(answer.distribution),
            // Opinions that contradict each other leave everything open.
            Err(_) => *TURN.uniform(),
        }
    }

    /// The program's turns, spread over ours.
    fn spread(&self, rotation: &[f64]) -> [f64; TURNS] {
        std::array::from_fn(|turn| {
            let (from, to) = TURN.edges(turn);
            let shares = rotation
                .iter()
                .zip(self.edges.windows(2))
                .map(|(p, edge)| p * (to.min(edge[1]) - from.max(edge[0])).max(0.0) / (edge[1] - edge[0]));
            (1.0 - ANYTHING) * shares.sum::<f64>() + ANYTHING * TURN.uniform()[turn]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::Foe;
    use crate::{Bearing, DVec2};

    fn mean_turn(turns: &[f64; TURNS]) -> f64 {
        turns.iter().enumerate().map(|(turn, p)| p * TURN.middle(turn)).sum()
    }

    fn around(places: &[f64], enemies: &[f64]) -> Stimuli {
        let place = |&yaw: &f64| Bearing { yaw, pitch: 0.0, distance_m: 5.0 };
        let foe = |&yaw: &f64| Foe {
            yaw,
            pitch: 0.0,
            distance_m: 5.0,
            in_view: true,
            seen_secs: 1.0,
            half_width: 0.1,
            stands: yaw,
            velocity: DVec2::ZERO,
        };
        Stimuli {
            points: places.iter().map(place).collect(),
            foes: enemies.iter().map(foe).collect(),
            ..Stimuli::default()
        }
    }

    #[test]
    fn exploration_goes_where_places_are_and_flight_away_from_enemies() {
        let shipped =
            |name: &str| Opinions::of(&Program::shipped(name).expect("shipped")).expect("it has opinions");
        let explore = shipped("exploration");
        assert!(mean_turn(&explore.turns(&around(&[1.0, 1.2], &[]))) > 0.4);
        assert!(mean_turn(&explore.turns(&around(&[-1.0], &[]))) < -0.4);
        assert!(
            mean_turn(&explore.turns(&around(&[], &[]))).abs() < 1e-9,
            "nothing is asked, nothing is said"
        );
        let flee = shipped("flight");
        assert!(mean_turn(&flee.turns(&around(&[], &[0.8, 0.9]))) < -0.05);
        let improved = shipped("improved-flight");
        let cornered = around(&[-1.2, -1.0], &[0.9]);
        assert!(mean_turn(&improved.turns(&cornered)) < mean_turn(&flee.turns(&cornered)));
    }

    #[test]
    fn turns_are_distributions_without_zeros() {
        for name in ["exploration", "flight", "improved-flight"] {
            let opinions = Opinions::of(&Program::shipped(name).expect("shipped")).expect("it has opinions");
            for yaw in [-3.1, -1.0, 0.0, 0.3, 2.5] {
                let turns = opinions.turns(&around(&[yaw, 1.0, -2.0, 0.1, 0.2], &[yaw, -yaw]));
                assert!((turns.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(turns.iter().all(|&p| p > 0.0));
            }
        }
    }

    #[test]
    fn a_program_without_opinions_is_refused_by_name() {
        let program = Program::shipped("danger-sensor").expect("shipped");
        let refused = Opinions::of(&program).expect_err("it is about danger").to_string();
        assert!(refused.contains("`Direction0`") && refused.contains("remedy"), "{refused}");
    }
}
