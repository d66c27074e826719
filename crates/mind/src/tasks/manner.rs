//! Manners: how directions become commands, as the tables of a Bayesian program that people can edit and play can teach.
//!
//! A task decides what to go for; its manner says what the hands do about it. A program has these factors, each with `Task`
//! among its conditions where tasks have manners of their own:
//!
//! | factor                  | what it says                                                              |
//! |-------------------------|---------------------------------------------------------------------------|
//! | `P(Turn \| Direction)`  | how far to turn, when what it looks at is in a direction (Le Hy 2007, figure 3.3) |
//! | `P(Tilt \| Elevation)`  | the same, upwards                                                         |
//! | `P(Run \| Way)`         | which way to run, when the way leads in a direction                        |
//! | `P(Fire \| Aimed)`      | whether to fire, when an enemy is in the line of fire and when not         |
//! | `P(Jump \| Obstacle)`   | whether to jump, where a jump is needed and where not                      |
//! | `P(Arm \| Range)`       | which weapon, and which way to fire it; the same in all tasks ([`super::arms`]) |
//!
//! The shipped program `manner` holds the usual tables. `learn manner` counts what a player does within each task
//! (section 4.2: histograms of the motor model) and saves the counts in such a program.
//!
//! Differs from the paper: it learns one motor table; these are six, one for each part of a command.

use std::sync::{Arc, LazyLock};

use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{AskError, Form, Program, Question, Workspace};
use repertoire_prob::Variable;
use repertoire_prob::table::Cell;
use thiserror::Error;

use super::arms::{self, ARMS, ArmsTable, RANGES};
use super::motor::{Bins, RUN, RUNS, TILT, TILTS, TURN, TURNS};
use super::thesis::{CannotFollow, Opinions};
use super::{CannotSense, Elementary};

/// The name of the shipped program.
pub const MANNER: &str = "manner";

/// The probability to fire when it does not point at an enemy, and when it does.
const FIRE: [f64; 2] = [0.015, 0.93];
/// The probability of a jump where none is needed, and where one is.
const JUMP: [f64; 2] = [0.015, 0.9];

/// How one task's directions become commands.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorTables {
    /// `P(turn | direction)`, `[direction][turn]`.
    pub(super) turn: Vec<[f64; TURNS]>,
    /// `P(tilt | elevation)`, `[elevation][tilt]`.
    pub(super) tilt: Vec<[f64; TILTS]>,
    /// `P(run | way)`, `[way][run]`.
    pub(super) run: [[f64; RUNS]; 8],
    /// The probability to fire: not aimed, aimed.
    pub(super) fire: [f64; 2],
    /// The probability to jump: no obstacle, an obstacle.
    pub(super) jump: [f64; 2],
}

static USUAL: LazyLock<MotorTables> = LazyLock::new(|| MotorTables {
    turn: (0..TURNS).map(|direction| *TURN.toward(TURN.middle(direction))).collect(),
    tilt: (0..TILTS).map(|elevation| *TILT.toward(TILT.middle(elevation))).collect(),
    run: *RUN,
    fire: FIRE,
    jump: JUMP,
});

impl MotorTables {
    /// The tables that the shipped characters have.
    pub fn usual() -> &'static Self {
        &USUAL
    }

    /// The largest difference between two probabilities of the two.
    pub fn differs_from(&self, other: &Self) -> f64 {
        let (a, b) = (columns(self), columns(other));
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// How every task of a character is carried out.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// A table for each task, or one for all, or none: the usual ones.
    tables: Vec<MotorTables>,
    /// Programs that say where to turn instead of our own exploration and flight.
    explore: Option<Arc<Opinions>>,
    flee: Option<Arc<Opinions>>,
    /// Which weapon, and how to fire it; none where hands choose as they always did.
    arms: Option<ArmsTable>,
}

/// A program says nothing about how tasks are carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoManner {
    /// A variable is missing, or has other values.
    #[error(
        "`{program}` has no variable `{variable}` with the values {values}\n  remedy: begin with `repertoire program manner --source`, and keep its variables"
    )]
    Variable {
        /// The program.
        program: String,
        /// What is missing.
        variable: &'static str,
        /// What it must be able to be.
        values: String,
    },
    /// It cannot answer.
    #[error("`{program}` cannot say {ask}: {why}")]
    CannotAnswer {
        /// The program.
        program: String,
        /// What was asked.
        ask: String,
        /// Why not.
        why: String,
    },
}

impl Manners {
    /// The usual ones.
    pub fn usual() -> &'static Self {
        static USUAL: Manners = Manners { tables: Vec::new(), explore: None, flee: None, arms: None };
        &USUAL
    }

    /// The tables of a program; for each task its own, if the program has a variable `Task`.
    ///
    /// ```
    /// use repertoire_bayes::Program;
    /// use repertoire_mind::tasks::manner::{Manners, MotorTables};
    /// use repertoire_mind::tasks::Elementary;
    ///
    /// let manners = Manners::of(&Program::shipped("manner").expect("shipped"))?;
    /// assert!(manners.tables(Elementary::Attack).differs_from(MotorTables::usual()) < 1e-12);
    /// # Ok::<(), repertoire_mind::tasks::manner::NoManner>(())
    /// ```
    ///
    /// # Errors
    /// When a variable is missing or has other values than those of the shipped program, or a question has no answer.
    pub fn of(program: &Program) -> Result<Self, NoManner> {
        let by_task = program.variable("Task").is_some();
        let tasks = if by_task { Elementary::ALL.len() } else { 1 };
        let reader = Reader::new(program, by_task)?;
        let tables = (0..tasks as u32).map(|task| reader.tables(task)).collect::<Result<_, _>>()?;
        Ok(Manners { tables, arms: Some(reader.arms()?), ..Manners::default() })
    }

    /// The same, exploring as a program says that has opinions about places (Le Hy 2007, section 3.3.1).
    ///
    /// # Errors
    /// When the program has no variables `Rotation`, `Direction0` and `Agree0`.
    pub fn exploring_by(mut self, program: &Program) -> Result<Self, CannotFollow> {
        self.explore = Some(Arc::new(Opinions::of(program)?));
        Ok(self)
    }

    /// The same, fleeing as a program says that has opinions about enemies (section 3.3.2), and about places too if it is
    /// improved flight (section 3.3.3).
    ///
    /// # Errors
    /// When the program has no variables `Rotation`, `Enemy0` and `Meet0`.
    pub fn fleeing_by(mut self, program: &Program) -> Result<Self, CannotFollow> {
        self.flee = Some(Arc::new(Opinions::of(program)?));
        Ok(self)
    }

    /// Which weapon to take and how to fire it, if the manner says so.
    pub fn arms(&self) -> Option<&ArmsTable> {
        self.arms.as_ref()
    }

    /// How a task is carried out.
    pub fn tables(&self, task: Elementary) -> &MotorTables {
        let own = if self.tables.len() == Elementary::ALL.len() { task as usize } else { 0 };
        self.tables.get(own).unwrap_or(MotorTables::usual())
    }

    pub(super) fn opinions(&self, task: Elementary) -> Option<&Opinions> {
        match task {
            Elementary::Explore => self.explore.as_deref(),
            Elementary::Flee => self.flee.as_deref(),
            _ => None,
        }
    }
}

/// Names of bins around a middle one: `right_160` to `ahead` to `left_160`, by the middle of each in degrees.
fn bin_names<const N: usize>(bins: &Bins<N>, [below, middle, above]: [&str; 3]) -> Vec<String> {
    (0..N)
        .map(|bin| {
            let degrees = bins.middle(bin).to_degrees();
            match (degrees.abs() < 0.1, degrees < 0.0) {
                (true, _) => middle.to_owned(),
                (false, true) => format!("{below}_{:.0}", degrees.abs()),
                (false, false) => format!("{above}_{degrees:.0}"),
            }
        })
        .collect()
}

/// Directions, counter-clockwise from straight ahead.
const WAYS: [&str; 8] =
    ["ahead", "ahead_left", "left", "behind_left", "behind", "behind_right", "right", "ahead_right"];

/// Every variable of such a program but `Task`, with its values; what is given, then what is done about it.
pub(super) fn variables() -> [(&'static str, &'static str, Vec<String>, Vec<String>); 5] {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let turns = bin_names(&TURN, ["right", "ahead", "left"]);
    let tilts = bin_names(&TILT, ["down", "level", "up"]);
    let ways = owned(&WAYS);
    let runs = [&ways[..], &["standing".to_owned()]].concat();
    let no_yes = owned(&["no", "yes"]);
    [
        ("Direction", "Turn", turns.clone(), turns),
        ("Elevation", "Tilt", tilts.clone(), tilts),
        ("Way", "Run", ways, runs),
        ("Aimed", "Fire", no_yes.clone(), no_yes.clone()),
        ("Obstacle", "Jump", no_yes.clone(), no_yes),
    ]
}

/// The columns of a program's five factors, `[given][done]`, as a manner with or without tasks has them.
pub(super) fn columns(tables: &MotorTables) -> [Vec<f64>; 5] {
    let yes = |p: &[f64; 2]| p.iter().flat_map(|&p| [1.0 - p, p]).collect();
    [tables.turn.concat(), tables.tilt.concat(), tables.run.concat(), yes(&tables.fire), yes(&tables.jump)]
}

/// A program of such factors; `form` makes each from its columns, of which there are as many for each task if it has tasks.
pub(super) fn program_of(
    name: &str,
    about: &str,
    by_task: bool,
    form: impl Fn(&[f64]) -> Form,
    tables: &MotorTables,
) -> Program {
    let variable = |name: &str, values: &[String]| {
        Variable::new(name, values.iter().cloned())
            .unwrap_or_else(|error| unreachable!("names of our own: {error}"))
    };
    let (mut all, mut factors) = (Vec::new(), Vec::new());
    let alone = |name: &str| (Conditional { left: vec![name.to_owned()], given: Vec::new() }, Form::Uniform);
    if by_task {
        all.push(variable("Task", &Elementary::ALL.map(|task| task.name().to_owned())));
        factors.push(alone("Task"));
    }
    for ((given, done, given_values, done_values), column) in variables().into_iter().zip(columns(tables)) {
        all.push(variable(given, &given_values));
        all.push(variable(done, &done_values));
        factors.push(alone(given));
        let tasks = by_task.then(|| ("Task".to_owned(), None));
        let given = tasks.into_iter().chain([(given.to_owned(), None)]).collect();
        let times = if by_task { Elementary::ALL.len() } else { 1 };
        factors.push((Conditional { left: vec![done.to_owned()], given }, form(&column.repeat(times))));
    }
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    all.push(variable("Range", &owned(&RANGES)));
    all.push(variable("Arm", &owned(&ARMS)));
    factors.push(alone("Range"));
    let given = vec![("Range".to_owned(), None)];
    factors.push((Conditional { left: vec!["Arm".to_owned()], given }, form(&arms::USUAL.concat())));
    Program::new(name, all, factors)
        .unwrap_or_else(|error| unreachable!("a program of our own: {error:?}"))
        .with_about(about)
}

/// The usual tables as a program: what the shipped file is made of.
pub fn usual_program() -> Program {
    let about = "What the hands do about what a task goes for: how they turn, tilt, run, fire and jump.";
    let form = |columns: &[f64]| Form::Table(columns.iter().map(|&p| Cell::Number(p)).collect());
    program_of(MANNER, about, false, form, MotorTables::usual())
}

/// Asks a program for its tables.
struct Reader<'p> {
    program: &'p Program,
    by_task: bool,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program, by_task: bool) -> Result<Self, NoManner> {
        let check = |name: &'static str, values: &[String]| match program.variable(name) {
            Some(variable) if variable.values() == values => Ok(()),
            _ => Err(NoManner::Variable {
                program: program.name().to_owned(),
                variable: name,
                values: values.join(", "),
            }),
        };
        for (given, done, given_values, done_values) in variables() {
            check(given, &given_values)?;
            check(done, &done_values)?;
        }
        check("Range", &RANGES.map(str::to_owned))?;
        check("Arm", &ARMS.map(str::to_owned))?;
        if by_task {
            check("Task", &Elementary::ALL.map(|task| task.name().to_owned()))?;
        }
        Ok(Reader { program, by_task })
    }

    fn column<const N: usize>(
        &self,
        (done, given): (&str, &str),
        task: Option<u32>,
        columns: usize,
    ) -> Result<Vec<[f64; N]>, NoManner> {
        let tasks = task.map(|_| ("Task".to_owned(), None));
        let ask = Conditional {
            left: vec![done.to_owned()],
            given: tasks.into_iter().chain([(given.to_owned(), None)]).collect(),
        };
        let refuse = |why: AskError| NoManner::CannotAnswer {
            program: self.program.name().to_owned(),
            ask: ask.to_string(),
            why: why.to_string(),
        };
        let question = Question::compile(self.program, &ask).map_err(refuse)?;
        let mut workspace = Workspace::new();
        (0..columns as u32)
            .map(|value| {
                let known: Vec<u32> = task.into_iter().chain([value]).collect();
                let answer = question.ask(self.program, &known, &mut workspace).map_err(refuse)?;
                Ok(std::array::from_fn(|k| answer.distribution[k]))
            })
            .collect()
    }

    fn arms(&self) -> Result<ArmsTable, NoManner> {
        let rows = self.column(("Arm", "Range"), None, RANGES.len())?;
        Ok(std::array::from_fn(|range| rows[range]))
    }

    fn tables(&self, task: u32) -> Result<MotorTables, NoManner> {
        let task = self.by_task.then_some(task);
        let run = self.column::<RUNS>(("Run", "Way"), task, WAYS.len())?;
        let fire = self.column::<2>(("Fire", "Aimed"), task, 2)?;
        let jump = self.column::<2>(("Jump", "Obstacle"), task, 2)?;
        Ok(MotorTables {
            turn: self.column(("Turn", "Direction"), task, TURNS)?,
            tilt: self.column(("Tilt", "Elevation"), task, TILTS)?,
            run: std::array::from_fn(|way| run[way]),
            fire: [fire[0][1], fire[1][1]],
            jump: [jump[0][1], jump[1][1]],
        })
    }
}

impl From<NoManner> for CannotSense {
    fn from(refused: NoManner) -> Self {
        let text = refused.to_string();
        let (what, remedy) =
            text.split_once("\n  remedy: ").unwrap_or((&text, "keep the variables of `manner`"));
        CannotSense { what: what.to_owned(), remedy: remedy.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `REPERTOIRE_WRITE_MANNER=1 cargo test -p repertoire-mind manner` writes the file anew.
    #[test]
    fn the_shipped_program_holds_the_usual_tables() {
        let text = format!(
            "#:schema ../../../schemas/program.schema.json\n# What the hands do about what a task goes for. A row is what is done, a column what is given.\n{}",
            repertoire_bayes::file::to_toml(&usual_program())
        );
        if std::env::var_os("REPERTOIRE_WRITE_MANNER").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../bayes/programs/manner.toml");
            std::fs::write(file, &text).expect("it can be written");
            return;
        }
        let shipped = repertoire_bayes::shipped::text(MANNER);
        assert_eq!(shipped, Some(&text[..]), "write it anew: REPERTOIRE_WRITE_MANNER=1");
        let manners = Manners::of(&Program::shipped(MANNER).expect("shipped")).expect("it is shipped");
        for task in Elementary::ALL {
            assert!(manners.tables(task).differs_from(MotorTables::usual()) < 1e-12);
        }
    }

    #[test]
    fn a_program_about_something_else_is_no_manner() {
        let program = Program::shipped("target-following").expect("shipped");
        let refused = Manners::of(&program).expect_err("it has other variables").to_string();
        assert!(refused.contains("`Direction`") && refused.contains("remedy"), "{refused}");
    }
}
