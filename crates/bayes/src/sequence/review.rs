//! What looks odd in a behaviour, and how two behaviours differ.
//!
//! Both look at decisions, not only at tables: a number matters as far as it changes what is done. Over all situations
//! where there are few enough, over a fixed sample of them otherwise.

use repertoire_prob::Stream;
use repertoire_prob::distribution::total_variation;
use repertoire_prob::num::fabs;
use repertoire_prob::table::digits;
use serde::Serialize;

use super::{Behaviour, Kind};

/// The most situations that are looked at one by one.
const MOST_LOOKED_AT: usize = 1 << 16;
/// A task whose share of all decisions is below this is nearly never chosen.
const RARE: f64 = 0.005;
/// Columns that differ by less than this in total variation say the same.
const SAME: f64 = 0.01;

/// Something that looks odd.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remark {
    /// What.
    pub what: String,
    /// What could be done, or why it may be meant.
    pub remedy: String,
}

/// One cell in which two behaviours differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// `transition`, or the sensor.
    pub table: String,
    /// The row: a task, or a value.
    pub row: String,
    /// The column: a previous task, or a task.
    pub column: String,
    /// In the first behaviour.
    pub first: f64,
    /// In the second.
    pub second: f64,
}

/// How two behaviours differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Every cell that differs, largest difference first.
    pub cells: Vec<Difference>,
    /// Tasks and sensors that only one of them has, in words.
    pub only_one_has: Vec<String>,
    /// Mean total variation between their decisions over all situations; none if they cannot be compared.
    pub decisions_apart: Option<f64>,
}

/// Every situation, or a fixed sample: the previous task, and the sensors' values.
fn situations(behaviour: &Behaviour) -> Box<dyn Iterator<Item = (usize, Vec<Option<usize>>)>> {
    let mut cards: Vec<usize> = vec![behaviour.tasks().len()];
    cards.extend(behaviour.sensors().iter().map(|sensor| sensor.values.len()));
    let split = |digits: Vec<usize>| (digits[0], digits[1..].iter().map(|&value| Some(value)).collect());
    match behaviour.situations() {
        Some(count) if count <= MOST_LOOKED_AT => {
            Box::new((0..count).map(move |at| split(digits(at, &cards))))
        }
        _ => {
            let mut rng = Stream::new(0, 0, "situations");
            Box::new(
                (0..MOST_LOOKED_AT).map(move |_| {
                    split(cards.iter().map(|&card| (rng.unit() * card as f64) as usize).collect())
                }),
            )
        }
    }
}

/// What looks odd.
pub fn remarks(behaviour: &Behaviour) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let tasks = behaviour.tasks().len();
    let (mut looked_at, mut contradictions) = (0usize, 0usize);
    let (mut share, mut most) = (vec![0.0; tasks], vec![0.0f64; tasks]);
    for (previous, values) in situations(behaviour) {
        let decision = behaviour.decide(Some(previous), &values);
        looked_at += 1;
        contradictions += usize::from(decision.degenerate);
        for (task, &p) in decision.posterior.iter().enumerate() {
            share[task] += p;
            if previous != task {
                most[task] = most[task].max(p);
            }
        }
    }
    for (task, name) in behaviour.task_names().enumerate() {
        let mean = share[task] / looked_at as f64;
        if mean < RARE && tasks > 1 {
            remarks.push(Remark {
                what: format!("`{name}` is nearly never chosen: {:.2} % of all situations' decisions", mean * 100.0),
                remedy: format!("give its column more where it should be chosen, or its row of [transition], whose best is {:.2e}", most[task]),
            });
        }
        if behaviour.after(task)[task] >= 1.0 && tasks > 1 {
            remarks.push(Remark {
                what: format!("`{name}` never ends: P({name} | {name}) is 1"),
                remedy: "leave something for the others in its column of [transition]".into(),
            });
        }
    }
    for sensor in behaviour.sensors() {
        let columns: Vec<&[f64]> = sensor.cells().chunks_exact(sensor.values.len()).collect();
        let same = |column: &&[f64]| match sensor.kind {
            Kind::Likelihood => total_variation(columns[0], column) < SAME,
            Kind::Coherence => columns[0].iter().zip(*column).all(|(a, b)| fabs(a - b) < SAME),
        };
        if columns.iter().all(same) {
            remarks.push(Remark {
                what: format!(
                    "the sensor `{}` does not matter: it says the same for every task",
                    sensor.name
                ),
                remedy: "fine if it is meant; else make its columns differ".into(),
            });
        }
    }
    if contradictions > 0 {
        remarks.push(Remark {
            what: format!("in {contradictions} of {looked_at} situations every task is impossible"),
            remedy: "there the choice is P(task | previous task) alone; put a small number where a 0 is too strong".into(),
        });
    }
    remarks
}

/// Compares two behaviours cell by cell, by the names of tasks, sensors and values.
pub fn compare(first: &Behaviour, second: &Behaviour) -> Comparison {
    let mut comparison = Comparison { cells: Vec::new(), only_one_has: Vec::new(), decisions_apart: None };
    for (one, other) in [(first, second), (second, first)] {
        let tasks = one.task_names().filter(|name| other.task(name).is_none());
        comparison.only_one_has.extend(tasks.map(|name| format!("only {} has the task {name}", one.name())));
        let sensors = one.sensors().iter().filter(|sensor| other.sensor(&sensor.name).is_none());
        let say = |sensor: &super::Sensor| format!("only {} has the sensor {}", one.name(), sensor.name);
        comparison.only_one_has.extend(sensors.map(say));
    }
    // Which task of the second each of the first is.
    let shared: Vec<(usize, usize)> =
        first.task_names().enumerate().filter_map(|(at, name)| Some((at, second.task(name)?))).collect();
    let name = |task: usize| first.tasks()[task].name.clone();
    for &(previous, its_previous) in &shared {
        for &(task, its_task) in &shared {
            let (a, b) = (first.after(previous)[task], second.after(its_previous)[its_task]);
            comparison.note("transition", name(task), name(previous), a, b);
        }
    }
    for sensor in first.sensors() {
        let Some(its) = second.sensor(&sensor.name).map(|at| &second.sensors()[at]) else { continue };
        if its.kind != sensor.kind || its.values != sensor.values {
            comparison
                .only_one_has
                .push(format!("the sensor {} is not the same kind of table in both", sensor.name));
            continue;
        }
        for (value, label) in sensor.values.iter().enumerate() {
            for &(task, its_task) in &shared {
                let (a, b) = (sensor.cell(task, value), its.cell(its_task, value));
                comparison.note(&sensor.name, label.clone(), name(task), a, b);
            }
        }
    }
    let size = |difference: &Difference| fabs(difference.first - difference.second);
    comparison.cells.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let same_shape = first.task_names().eq(second.task_names())
        && first
            .sensors()
            .iter()
            .map(|s| (&s.name, &s.values))
            .eq(second.sensors().iter().map(|s| (&s.name, &s.values)));
    if same_shape {
        let apart = situations(first).map(|(previous, values)| {
            let decide = |behaviour: &Behaviour| behaviour.decide(Some(previous), &values).posterior;
            total_variation(&decide(first), &decide(second))
        });
        let (count, sum) = apart.fold((0usize, 0.0), |(count, sum), apart| (count + 1, sum + apart));
        comparison.decisions_apart = Some(sum / count as f64);
    }
    comparison
}

impl Comparison {
    fn note(&mut self, table: &str, row: String, column: String, first: f64, second: f64) {
        if first != second {
            self.cells.push(Difference { table: table.to_owned(), row, column, first, second });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::shipped;

    #[test]
    fn the_uniform_behaviour_has_sensors_that_do_not_matter() {
        let said: Vec<String> =
            remarks(&shipped::behaviour("uniform").unwrap()).into_iter().map(|remark| remark.what).collect();
        assert_eq!(said.len(), 7, "{said:?}");
        assert!(said.iter().all(|what| what.contains("does not matter")));
        let prudent = remarks(&shipped::behaviour("prudent").unwrap());
        assert_eq!(prudent, [], "{prudent:?}");
    }

    #[test]
    fn a_behaviour_differs_from_itself_nowhere_and_from_another_where_the_tables_do() {
        let (prudent, aggressive) =
            (shipped::behaviour("prudent").unwrap(), shipped::behaviour("aggressive").unwrap());
        let same = compare(&prudent, &prudent);
        assert!(same.cells.is_empty() && same.decisions_apart == Some(0.0));
        let other = compare(&prudent, &aggressive);
        assert!(other.decisions_apart.unwrap() > 0.1);
        assert!(other.cells.windows(2).all(|pair| {
            (pair[0].first - pair[0].second).abs() >= (pair[1].first - pair[1].second).abs()
        }));
        assert!(!other.cells.iter().any(|cell| cell.table == "weapon_near"), "printed alike for both");
    }
}
