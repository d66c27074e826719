//! Programs and questions to measure with.

use anyhow::{Result, anyhow};
use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{AskError, Form, Program, Question, Workspace, file};
use repertoire_prob::table::digits;
use repertoire_prob::{Cell, Stream, Variable};

use crate::timing::ns_per;

/// A program, one question to it, and the known values of many askings.
pub struct Scenario {
    pub name: String,
    pub program: Program,
    pub question: Question,
    /// Known values, one after the other.
    pub known: Vec<u32>,
    pub askings: usize,
}

/// Le Hy's sequencing program, and random ones of growing size.
pub fn all(quick: bool) -> Result<Vec<Scenario>> {
    let askings = if quick { 20 } else { 200 };
    let text = include_str!("../scenarios/prudent.toml");
    let prudent = file::read(text, &mut |name| Err(format!("`{name}` is not asked").into()))
        .map_err(|mistake| anyhow!("{mistake}"))?;
    let sensors: Vec<u32> = [0, 2, 3, 4, 5, 6, 7, 8].into();
    let mut scenarios = vec![Scenario::new("prudent", prudent, &[1], &sensors, askings)?];
    for (variables, most_given) in [(8, 2), (16, 2), (32, 2), (64, 3)] {
        let program = random_program(variables, most_given)?;
        let known: Vec<u32> = (0..variables as u32).filter(|id| id % 3 == 1).collect();
        scenarios.push(Scenario::new(
            &format!("random {variables} variables"),
            program,
            &[0],
            &known,
            askings,
        )?);
    }
    Ok(scenarios)
}

impl Scenario {
    fn new(name: &str, program: Program, searched: &[u32], known: &[u32], askings: usize) -> Result<Self> {
        let question = Question::of_ids(&program, searched, known)?;
        let mut rng = Stream::new(1, 0, name);
        let cards = question.known_cards().to_vec();
        let values = (0..askings)
            .flat_map(|_| cards.iter().map(|&card| (rng.unit() * card as f64) as u32).collect::<Vec<_>>());
        let known = values.collect();
        Ok(Scenario { name: name.into(), program, question, known, askings })
    }

    /// The known values of one asking.
    pub fn known(&self, asking: usize) -> &[u32] {
        let width = self.question.known_cards().len();
        &self.known[asking * width..][..width]
    }

    /// The answer to one asking; `None` if what is known is impossible.
    pub fn answer(&self, asking: usize, workspace: &mut Workspace) -> Result<Option<Vec<f64>>> {
        match self.question.ask(&self.program, self.known(asking), workspace) {
            Ok(answer) => Ok(Some(answer.distribution.to_vec())),
            Err(AskError::Impossible) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Nanoseconds and allocations of one question.
    pub fn time(&self, quick: bool) -> Result<(f64, u64)> {
        let mut workspace = Workspace::new();
        let mut round = || {
            let mut sum = 0.0;
            for asking in 0..self.askings {
                if let Ok(answer) = self.question.ask(&self.program, self.known(asking), &mut workspace) {
                    sum += answer.distribution[0];
                }
            }
            sum
        };
        let ns = ns_per(self.askings, if quick { 3 } else { 301 }, &mut round);
        let counted = allocation_counter::measure(|| {
            std::hint::black_box(round());
        });
        Ok((ns, counted.count_total / self.askings as u64))
    }
}

/// One left variable a factor (what the peers can hold), up to `most_given` of the few variables before it.
fn random_program(variables: usize, most_given: usize) -> Result<Program> {
    let mut rng = Stream::new(variables as u64, 0, "random program");
    let cards: Vec<usize> = (0..variables).map(|_| 2 + (rng.unit() * 3.0) as usize).collect();
    let mut factors = Vec::new();
    for id in 0..variables {
        let mut given: Vec<usize> = Vec::new();
        for _ in 0..most_given.min(id) {
            let back = 1 + (rng.unit() * id.min(5) as f64) as usize;
            if !given.contains(&(id - back)) {
                given.push(id - back);
            }
        }
        let width: usize = given.iter().map(|&other| cards[other]).product();
        let mut cells = Vec::new();
        for _ in 0..width {
            let mut column: Vec<f64> = (0..cards[id]).map(|_| 0.02 + rng.unit()).collect();
            repertoire_prob::num::normalise(&mut column);
            cells.extend(column.into_iter().map(Cell::Number));
        }
        let name = |id: usize| format!("V{id}");
        let of = Conditional {
            left: vec![name(id)],
            given: given.into_iter().map(|id| (name(id), None)).collect(),
        };
        factors.push((of, Form::Table(cells)));
    }
    let variables = cards
        .iter()
        .enumerate()
        .map(|(id, &card)| Variable::new(format!("V{id}"), (0..card).map(|value| value.to_string())));
    Ok(Program::new("random", variables.collect::<Result<_, _>>()?, factors)?)
}

/// Every full assignment of a program's variables that agrees with the known values, as long as there are few.
pub fn assignments(scenario: &Scenario, asking: usize, most: usize) -> Option<Vec<Vec<usize>>> {
    let known = scenario.question.known();
    let cards: Vec<usize> = scenario.program.variables().iter().map(Variable::card).collect();
    let open: Vec<usize> = (0..cards.len()).filter(|id| !known.contains(&(*id as u32))).collect();
    let open_cards: Vec<usize> = open.iter().map(|&id| cards[id]).collect();
    let count = open_cards.iter().try_fold(1usize, |n, &card| n.checked_mul(card)).filter(|&n| n <= most)?;
    let mut fixed = vec![0; cards.len()];
    known.iter().zip(scenario.known(asking)).for_each(|(&id, &value)| fixed[id as usize] = value as usize);
    let assignment = |index: usize| {
        let mut values = fixed.clone();
        open.iter().zip(digits(index, &open_cards)).for_each(|(&id, value)| values[id] = value);
        values
    };
    Some((0..count).map(assignment).collect())
}
