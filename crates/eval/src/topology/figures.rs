//! What figures 4.11 to 4.20 of the thesis show: the measures over time, by parameter, by number of teachers.

use rayon::prelude::*;
use repertoire_topology::compare::compare;
use repertoire_topology::evaluate::{Order, OverTime, Session, judge, over_time, teach};
use repertoire_topology::{Learner, LearnerSettings, Point};
use serde::Serialize;

use super::evaluate::{Kind, LEARNERS};
use super::{Ground, Judgement, TopologyError};

/// Positions in a minute of play at 10 Hz.
const MINUTE: u64 = 600;

/// Starts of k-means here: it runs for each value of each parameter.
const STARTS: u32 = 1;

/// How long the curves are, in minutes of play.
pub const MINUTES: u64 = 30;

/// Places judged on play that they were not learned from, and the figures if they were measured.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedReport {
    /// The judgement.
    #[serde(flatten)]
    pub judged: Judgement,
    /// What figures 4.11 to 4.20 show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

/// What the figures show.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Each learner over time.
    pub over_time: Vec<Curve>,
    /// Each value of each parameter.
    pub parameters: Vec<Effect>,
    /// One against several teachers at once.
    pub teachers: Vec<Teachers>,
}

/// One learner over time, on average over the maps. The lists are as long as [`Curve::minutes`].
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// Which of the [`LEARNERS`].
    pub learner: &'static str,
    /// Minutes of play so far.
    pub minutes: Vec<f64>,
    /// Nodes.
    pub nodes: Vec<f64>,
    /// Eq. 4.12.
    pub sensitivity: Vec<f64>,
    /// Eq. 4.13.
    pub specificity: Vec<f64>,
    /// From the players of other sessions to the nearest node.
    pub distance: Vec<f64>,
}

/// One value of one parameter, after one pass, on average over the maps.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// Which of the [`LEARNERS`].
    pub learner: &'static str,
    /// The parameter's name.
    pub parameter: &'static str,
    /// Its value; lengths in Unreal units.
    pub value: f64,
    /// Nodes.
    pub nodes: f64,
    /// Eq. 4.12.
    pub sensitivity: f64,
    /// Eq. 4.13.
    pub specificity: f64,
    /// From the players of another session to the nearest node.
    pub distance: f64,
    /// Distance over that of k-means with as many centres.
    pub ratio_to_kmeans: f64,
}

/// Several teachers at once, on average over the maps that have a fourth session to judge on.
#[derive(Clone, Debug, Serialize)]
pub struct Teachers {
    /// How many teachers.
    pub teachers: usize,
    /// For how long they play.
    pub minutes: f64,
    /// How many maps there are; with 0 the other numbers mean nothing.
    pub maps: usize,
    /// Nodes.
    pub nodes: f64,
    /// Eq. 4.12.
    pub sensitivity: f64,
    /// Eq. 4.13.
    pub specificity: f64,
    /// From the players of other sessions to the nearest node.
    pub distance: f64,
}

impl Figures {
    /// Measures all of it. This learns each map some fifty times.
    ///
    /// Fails if a setting makes no sense or a position is none.
    pub fn measure(grounds: &[Ground]) -> Result<Figures, TopologyError> {
        let over_time = LEARNERS.iter().map(|&kind| curve(kind, grounds)).collect::<Result<_, _>>()?;
        Ok(Figures { over_time, parameters: parameters(grounds)?, teachers: teachers(grounds)? })
    }
}

fn refer(sessions: &[Session]) -> Vec<&Session> {
    sessions.iter().collect()
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = of.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn curve(kind: Kind, grounds: &[Ground]) -> Result<Curve, TopologyError> {
    let curves = grounds
        .par_iter()
        .filter_map(|ground| {
            let (from, on) = ground.folds.last()?;
            let (from, on) = (refer(from), refer(on));
            let (settings, points) = (ground.settings_of(kind), &ground.navigation_points);
            let curve = over_time(settings, &from, Order::InTurn, &on, points, MINUTE, MINUTES * MINUTE);
            Some(curve.map_err(|why| TopologyError::of(&ground.map, why)))
        })
        .collect::<Vec<Result<Vec<OverTime>, TopologyError>>>();
    let curves = curves.into_iter().collect::<Result<Vec<_>, _>>()?;
    let length = curves.iter().map(Vec::len).min().unwrap_or(0);
    let over = |of: &dyn Fn(&OverTime) -> Option<f64>| -> Vec<f64> {
        (0..length).map(|k| mean(curves.iter().filter_map(|curve| of(&curve[k])))).collect()
    };
    Ok(Curve {
        learner: kind.0,
        minutes: (1..=length).map(|k| k as f64).collect(),
        nodes: over(&|at| Some(at.comparison.nodes as f64)),
        sensitivity: over(&|at| at.comparison.sensitivity),
        specificity: over(&|at| at.comparison.specificity),
        distance: over(&|at| Some(at.distance)),
    })
}

/// Sets one parameter to a value.
type Change = fn(&mut LearnerSettings, f64);

/// Which parameters are tried, on which learner, with which values (lengths in Unreal units).
const TRIED: &[(Kind, &str, &[f64], Change)] = &[
    (LEARNERS[1], "a1", &[0.01, 0.03, 0.09], |s, x| s.gas.a1 = x),
    (LEARNERS[1], "a2", &[0.0, 0.0006, 0.006], |s, x| s.gas.a2 = x),
    (LEARNERS[1], "err", &[8000.0, 16000.0, 32000.0], |s, x| s.gas.err *= x / 16000.0),
    (LEARNERS[1], "age", &[10.0, 75.0, 300.0], |s, x| s.gas.age = x),
    (LEARNERS[1], "decay", &[3.0, 6.0, 12.0], |s, x| s.gas.decay *= x / 6.0),
    (LEARNERS[1], "hz", &[1.0, 5.0, 10.0], |s, x| s.period_secs = 1.0 / x),
    (LEARNERS[1], "fade", &[0.0, 100.0, 1000.0], |s, x| s.gas.fade = x),
    (LEARNERS[0], "a1", &[0.01, 0.02, 0.06], |s, x| s.gas.a1 = x),
    (LEARNERS[0], "reach", &[0.0, 300.0, 400.0, 600.0], |s, x| s.reach *= x / 400.0),
    (LEARNERS[0], "replay", &[0.0, 1.0, 5.0, 10.0], |s, x| s.replay = x as u32),
    (LEARNERS[0], "cell", &[50.0, 100.0, 200.0], |s, x| s.cell *= x / 100.0),
    (LEARNERS[0], "hz", &[1.0, 5.0, 10.0], |s, x| s.period_secs = 1.0 / x),
    (LEARNERS[0], "fade", &[0.0, 100.0, 1000.0], |s, x| s.gas.fade = x),
];

fn parameters(grounds: &[Ground]) -> Result<Vec<Effect>, TopologyError> {
    let tasks: Vec<(Kind, &'static str, f64, Change)> = TRIED
        .iter()
        .flat_map(|&(kind, parameter, values, change)| {
            values.iter().map(move |&value| (kind, parameter, value, change))
        })
        .collect();
    let effects: Vec<Result<Effect, TopologyError>> = tasks
        .par_iter()
        .map(|&(kind, parameter, value, change)| effect(kind, parameter, value, change, grounds))
        .collect();
    effects.into_iter().collect()
}

fn effect(
    kind: Kind,
    parameter: &'static str,
    value: f64,
    change: Change,
    grounds: &[Ground],
) -> Result<Effect, TopologyError> {
    let mut judged: Vec<[Option<f64>; 5]> = Vec::new();
    for ground in grounds {
        let Some((from, on)) = ground.folds.last() else { continue };
        let (from, on) = (refer(from), refer(on));
        let mut settings = ground.settings_of(kind);
        change(&mut settings, value);
        let wrong = |why| TopologyError::of(&ground.map, why);
        let Some(once) = judge(settings, &from, &on, &[1], STARTS).map_err(wrong)?.pop() else { continue };
        let mut learner = Learner::new(settings).map_err(TopologyError::settings(&ground.map))?;
        teach(&mut learner, &from, Order::InTurn, &mut |_| ())
            .map_err(TopologyError::position(&ground.map))?;
        let nodes: Vec<Point> = learner.gas().nodes().map(|(_, at)| at).collect();
        let beside = compare(&nodes, &ground.navigation_points);
        let (far, kmeans) = (once.followed.mean_distance, once.kmeans_distance);
        let nodes = nodes.len() as f64;
        judged.push([Some(nodes), Some(far), beside.sensitivity, beside.specificity, Some(kmeans)]);
    }
    let over = |k: usize| mean(judged.iter().filter_map(|one| one[k]));
    let distance = over(1);
    Ok(Effect {
        learner: kind.0,
        parameter,
        value,
        nodes: over(0),
        sensitivity: over(2),
        specificity: over(3),
        distance,
        ratio_to_kmeans: distance / over(4),
    })
}

/// One, two and three teachers at once, on the maps that have a fourth session to judge on.
fn teachers(grounds: &[Ground]) -> Result<Vec<Teachers>, TopologyError> {
    let fit: Vec<&Ground> = grounds.iter().filter(|ground| ground.sessions.len() >= 4).collect();
    let mut all = Vec::new();
    for minutes in [2, 5] {
        for count in 1..=3usize {
            let mut last = Vec::new();
            for ground in &fit {
                let (from, on) = (refer(&ground.sessions[..count]), refer(&ground.sessions[3..]));
                let until = minutes * MINUTE * count as u64;
                let (settings, points) = (ground.settings, &ground.navigation_points);
                let mut curve = over_time(settings, &from, Order::Together, &on, points, until, until)
                    .map_err(|why| TopologyError::of(&ground.map, why))?;
                last.extend(curve.pop());
            }
            all.push(Teachers {
                teachers: count,
                minutes: minutes as f64,
                maps: fit.len(),
                nodes: mean(last.iter().map(|at| at.comparison.nodes as f64)),
                sensitivity: mean(last.iter().filter_map(|at| at.comparison.sensitivity)),
                specificity: mean(last.iter().filter_map(|at| at.comparison.specificity)),
                distance: mean(last.iter().map(|at| at.distance)),
            });
        }
    }
    Ok(all)
}
