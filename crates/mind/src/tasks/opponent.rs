//! Which of several enemies in view to fight, as a Bayesian program that people can edit.
//!
//! A program is asked `P(Fight | Distance, Turn, Before)` of each enemy, with `Weapon` where that is shown; the one for whom `yes`
//! is most probable is fought. The answers are asked for once, so that a choice costs a look into a table.

use std::f64::consts::{FRAC_PI_4, PI};

use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{AskError, Program, Question, Workspace};
use thiserror::Error;

use super::arms::{RANGES, range};
use crate::Weapon;

/// Names of where an enemy is, by how far one must turn: within 45 degrees, within 110, farther.
const TURNS: [&str; 3] = ["ahead", "aside", "behind"];
const ENDS: [f64; 2] = [FRAC_PI_4, 110.0 / 180.0 * PI];
const WEAPONS: [&str; 3] = ["weak", "medium", "strong"];
const BEFORE: [&str; 2] = ["another", "this"];

/// A program cannot choose an opponent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CannotChoose {
    /// A variable is missing, or has other values.
    #[error(
        "`{program}` has no variable `{variable}` with the values {values}\n  remedy: begin with `repertoire program opponent --source`, and keep its variables"
    )]
    Variable {
        /// The program.
        program: String,
        /// What is missing.
        variable: &'static str,
        /// The values it must have.
        values: String,
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

/// How probable it is to fight an enemy, by what is seen of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Preference {
    /// `[range][weapon, the last where it is not shown][turn][before]`.
    fight: [[[[f64; 2]; 3]; 4]; RANGES.len()],
}

impl Preference {
    /// Asks a program everything that it may be asked in a fight.
    ///
    /// # Errors
    /// When it is no such program.
    pub fn of(program: &Program) -> Result<Self, CannotChoose> {
        for (variable, values) in [
            ("Fight", &["no", "yes"][..]),
            ("Distance", &RANGES),
            ("Weapon", &WEAPONS),
            ("Turn", &TURNS),
            ("Before", &BEFORE),
        ] {
            let known = program.variable(variable).map(|known| known.values());
            if !known.is_some_and(|known| known.iter().eq(values.iter())) {
                let (program, values) = (program.name().to_owned(), values.join(", "));
                return Err(CannotChoose::Variable { program, variable, values });
            }
        }
        let cannot = |why| CannotChoose::CannotAnswer { program: program.name().to_owned(), why };
        let compile = |names: &[&str]| {
            let given = names.iter().map(|name| ((*name).to_owned(), None)).collect();
            Question::compile(program, &Conditional { left: vec!["Fight".to_owned()], given }).map_err(cannot)
        };
        let armed = compile(&["Distance", "Turn", "Before", "Weapon"])?;
        let unknown = compile(&["Distance", "Turn", "Before"])?;
        let mut workspace = Workspace::new();
        let mut fight = [[[[0.0; 2]; 3]; 4]; RANGES.len()];
        for (distance, weapons) in fight.iter_mut().enumerate() {
            for (weapon, turns) in weapons.iter_mut().enumerate() {
                for (turn, befores) in turns.iter_mut().enumerate() {
                    for (before, p) in befores.iter_mut().enumerate() {
                        let known = [distance as u32, turn as u32, before as u32, weapon as u32];
                        let answer = match weapon < WEAPONS.len() {
                            true => armed.ask(program, &known, &mut workspace),
                            false => unknown.ask(program, &known[..3], &mut workspace),
                        };
                        // What the program holds for impossible is no reason to fight.
                        *p = answer.map_or(0.0, |answer| answer.distribution[1]);
                    }
                }
            }
        }
        Ok(Preference { fight })
    }

    /// How probable it is to fight an enemy at this distance and turn, with this weapon.
    pub fn of_enemy(&self, distance_m: f64, turn: f64, weapon: Option<Weapon>, is_before: bool) -> f64 {
        let weapon = weapon.map_or(WEAPONS.len(), Weapon::index);
        let turn = ENDS.partition_point(|&end| end < turn.abs());
        self.fight[range(distance_m)][weapon][turn][usize::from(is_before)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Preference {
        Preference::of(&Program::shipped("opponent").expect("shipped")).expect("it chooses")
    }

    #[test]
    fn the_near_the_armed_the_one_ahead_and_the_one_before_are_fought_first() {
        let preference = shipped();
        let usual = preference.of_enemy(9.0, 1.0, Some(Weapon::Medium), false);
        for (distance, turn, weapon, before) in [
            (3.0, 1.0, Weapon::Medium, false),
            (9.0, 0.1, Weapon::Medium, false),
            (9.0, 1.0, Weapon::Strong, false),
            (9.0, 1.0, Weapon::Medium, true),
        ] {
            assert!(preference.of_enemy(distance, turn, Some(weapon), before) > usual);
        }
        assert!(preference.of_enemy(9.0, -3.0, Some(Weapon::Medium), false) < usual);
    }

    #[test]
    fn the_table_is_naive_fusion_by_hand() {
        // 9 m is `middle`, a turn of 1 `aside`: P(yes) ∝ 0.13 · 0.45 · 0.30 · 0.85, P(no) ∝ 0.22 · 1/3 · 1/3 · 0.15.
        let (yes, no) = (0.13 * 0.45 * 0.30 * 0.85, 0.22 / 9.0 * 0.15);
        let p = shipped().of_enemy(9.0, 1.0, Some(Weapon::Strong), true);
        assert!((p - yes / (yes + no)).abs() < 1e-12, "{p}");
        let (yes, no) = (0.13 * 0.30 * 0.85, 0.22 / 3.0 * 0.15);
        assert!((shipped().of_enemy(9.0, 1.0, None, true) - yes / (yes + no)).abs() < 1e-12);
    }

    #[test]
    fn another_program_is_refused_by_what_it_lacks() {
        let program = Program::shipped("danger-sensor").expect("shipped");
        let refused = Preference::of(&program).expect_err("it is about danger").to_string();
        assert!(refused.contains("no variable `Fight`") && refused.contains("remedy"), "{refused}");
    }
}
