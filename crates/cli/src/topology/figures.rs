//! What figures 4.11 to 4.20 of the thesis show: the measures over time, by parameter, by number of teachers.

use anyhow::Result;
use rayon::prelude::*;
use repertoire_topology::compare::compare;
use repertoire_topology::evaluate::{Order, OverTime, Session, judge, over_time, teach};
use repertoire_topology::{EdgeRule, Learner, Point, Settings};
use serde::Serialize;

use super::evaluate::Ground;
use crate::draw;
use crate::draw::lines::{Line, Panel};

/// Positions in a minute of play at 10 Hz.
const MINUTE: u64 = 600;

/// Starts of k-means here: it runs for each value of each parameter.
const STARTS: u32 = 1;

/// How long the curves are.
const MINUTES: u64 = 30;

#[derive(Serialize)]
pub(super) struct Figures {
    over_time: Vec<Curve>,
    parameters: Vec<Effect>,
    teachers: Vec<Teachers>,
}

/// One learner over time, on average over the maps.
#[derive(Serialize)]
struct Curve {
    learner: &'static str,
    minutes: Vec<f64>,
    nodes: Vec<f64>,
    sensitivity: Vec<f64>,
    specificity: Vec<f64>,
    distance: Vec<f64>,
}

/// One value of one parameter, after one pass, on average over the maps.
#[derive(Serialize)]
struct Effect {
    learner: &'static str,
    parameter: &'static str,
    value: f64,
    nodes: f64,
    sensitivity: f64,
    specificity: f64,
    distance: f64,
    ratio_to_kmeans: f64,
}

/// So many teachers at once, after so many minutes.
#[derive(Serialize)]
struct Teachers {
    teachers: usize,
    minutes: f64,
    maps: usize,
    nodes: f64,
    sensitivity: f64,
    specificity: f64,
    distance: f64,
}

/// How to learn from play with so many units in a metre.
type Ours<'a> = &'a dyn Fn(f64) -> Result<Settings>;

pub(super) fn measure(grounds: &[Ground], ours: Ours<'_>) -> Result<Figures> {
    let mut over_time = Vec::new();
    for learner in ["learner", "thesis, fritzke", "thesis, figure"] {
        over_time.push(curve(learner, grounds, &settings_of(learner, grounds, ours)?));
    }
    Ok(Figures { over_time, parameters: parameters(grounds, ours)?, teachers: teachers(grounds, ours)? })
}

fn settings_of(learner: &str, grounds: &[Ground], ours: Ours<'_>) -> Result<Vec<Settings>> {
    let thesis = |edges| move |ground: &Ground| Ok(Settings::thesis(edges).in_units(ground.units_per_metre));
    match learner {
        "learner" => grounds.iter().map(|ground| ours(ground.units_per_metre)).collect(),
        "thesis, figure" => grounds.iter().map(thesis(EdgeRule::Figure)).collect(),
        _ => grounds.iter().map(thesis(EdgeRule::Fritzke)).collect(),
    }
}

fn refer(sessions: &[Session]) -> Vec<&Session> {
    sessions.iter().collect()
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = of.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn curve(learner: &'static str, grounds: &[Ground], settings: &[Settings]) -> Curve {
    let curves: Vec<Vec<OverTime>> = grounds
        .par_iter()
        .zip(settings)
        .filter_map(|(ground, settings)| {
            let (from, on) = ground.folds.last()?;
            let (from, on) = (refer(from), refer(on));
            let until = MINUTES * MINUTE;
            Some(over_time(*settings, &from, Order::InTurn, &on, &ground.navigation_points, MINUTE, until))
        })
        .collect();
    let length = curves.iter().map(Vec::len).min().unwrap_or(0);
    let over = |of: &dyn Fn(&OverTime) -> Option<f64>| -> Vec<f64> {
        (0..length).map(|k| mean(curves.iter().filter_map(|curve| of(&curve[k])))).collect()
    };
    Curve {
        learner,
        minutes: (1..=length).map(|k| k as f64).collect(),
        nodes: over(&|at| Some(at.comparison.nodes as f64)),
        sensitivity: over(&|at| at.comparison.sensitivity),
        specificity: over(&|at| at.comparison.specificity),
        distance: over(&|at| Some(at.distance)),
    }
}

/// Sets one parameter to a value.
type Change = fn(&mut Settings, f64);

/// Which parameters are tried, on which learner, with which values (lengths in Unreal units).
const TRIED: &[(&str, &str, &[f64], Change)] = &[
    ("thesis, fritzke", "a1", &[0.01, 0.03, 0.09], |s, x| s.gas.a1 = x),
    ("thesis, fritzke", "a2", &[0.0, 0.0006, 0.006], |s, x| s.gas.a2 = x),
    ("thesis, fritzke", "err", &[8000.0, 16000.0, 32000.0], |s, x| s.gas.err *= x / 16000.0),
    ("thesis, fritzke", "age", &[10.0, 75.0, 300.0], |s, x| s.gas.age = x),
    ("thesis, fritzke", "decay", &[3.0, 6.0, 12.0], |s, x| s.gas.decay *= x / 6.0),
    ("thesis, fritzke", "hz", &[1.0, 5.0, 10.0], |s, x| s.period_secs = 1.0 / x),
    ("thesis, fritzke", "fade", &[0.0, 100.0, 1000.0], |s, x| s.gas.fade = x),
    ("learner", "a1", &[0.01, 0.02, 0.06], |s, x| s.gas.a1 = x),
    ("learner", "reach", &[0.0, 300.0, 400.0, 600.0], |s, x| s.reach *= x / 400.0),
    ("learner", "replay", &[0.0, 1.0, 5.0, 10.0], |s, x| s.replay = x as u32),
    ("learner", "cell", &[50.0, 100.0, 200.0], |s, x| s.cell *= x / 100.0),
    ("learner", "hz", &[1.0, 5.0, 10.0], |s, x| s.period_secs = 1.0 / x),
    ("learner", "fade", &[0.0, 100.0, 1000.0], |s, x| s.gas.fade = x),
];

fn parameters(grounds: &[Ground], ours: Ours<'_>) -> Result<Vec<Effect>> {
    let mut tasks = Vec::new();
    for &(learner, parameter, values, change) in TRIED {
        let base = settings_of(learner, grounds, ours)?;
        for &value in values {
            let settings = base.iter().map(|&settings| {
                let mut settings = settings;
                change(&mut settings, value);
                settings
            });
            tasks.push((learner, parameter, value, settings.collect::<Vec<_>>()));
        }
    }
    let effect =
        |(learner, parameter, value, settings): &(&'static str, &'static str, f64, Vec<Settings>)| {
            let judged: Vec<[Option<f64>; 5]> = grounds
                .iter()
                .zip(settings)
                .filter_map(|(ground, settings)| {
                    let (from, on) = ground.folds.last()?;
                    let (from, on) = (refer(from), refer(on));
                    let judged = *judge(*settings, &from, &on, &[1], STARTS).first()?;
                    let mut learner = Learner::new(*settings);
                    teach(&mut learner, &from, Order::InTurn, &mut |_| ());
                    let nodes: Vec<Point> = learner.gas().nodes().map(|(_, at)| at).collect();
                    let beside = compare(&nodes, &ground.navigation_points);
                    let (far, kmeans) = (judged.followed.mean_distance, judged.kmeans_distance);
                    Some([
                        Some(nodes.len() as f64),
                        Some(far),
                        beside.sensitivity,
                        beside.specificity,
                        Some(kmeans),
                    ])
                })
                .collect();
            let over = |k: usize| mean(judged.iter().filter_map(|one| one[k]));
            let distance = over(1);
            Effect {
                learner,
                parameter,
                value: *value,
                nodes: over(0),
                sensitivity: over(2),
                specificity: over(3),
                distance,
                ratio_to_kmeans: distance / over(4),
            }
        };
    Ok(tasks.par_iter().map(effect).collect())
}

/// One, two and three teachers at once, on the maps that have a fourth session to judge on.
fn teachers(grounds: &[Ground], ours: Ours<'_>) -> Result<Vec<Teachers>> {
    let fit: Vec<&Ground> = grounds.iter().filter(|ground| ground.sessions.len() >= 4).collect();
    let mut all = Vec::new();
    for minutes in [2, 5] {
        for count in 1..=3usize {
            let mut last = Vec::new();
            for ground in &fit {
                let (from, on) = (refer(&ground.sessions[..count]), refer(&ground.sessions[3..]));
                let until = minutes * MINUTE * count as u64;
                let settings = ours(ground.units_per_metre)?;
                let points = &ground.navigation_points;
                last.extend(over_time(settings, &from, Order::Together, &on, points, until, until).pop());
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

pub(super) fn table(figures: &Figures) -> String {
    let mut text =
        "over time, one session left out, mean over maps (sensitivity x 100,000, specificity x 1,000)\n"
            .to_owned();
    let head = ["learner", "minutes", "nodes", "sensitivity", "specificity", "distance"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for curve in &figures.over_time {
        for k in (0..curve.minutes.len()).filter(|k| [0, 1, 2, 4, 7, 9, 14, 19, 24, 29].contains(k)) {
            lines.push(vec![
                curve.learner.to_owned(),
                format!("{:.0}", curve.minutes[k]),
                format!("{:.1}", curve.nodes[k]),
                format!("{:.3}", 1e5 * curve.sensitivity[k]),
                format!("{:.3}", 1e3 * curve.specificity[k]),
                format!("{:.1}", curve.distance[k]),
            ]);
        }
    }
    text += &draw::columns(&lines);
    text += "\neffect of each parameter after one pass, mean over maps\n";
    let head = ["learner", "parameter", "value", "nodes", "sensitivity", "specificity", "distance", "ratio"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for effect in &figures.parameters {
        lines.push(vec![
            effect.learner.to_owned(),
            effect.parameter.to_owned(),
            effect.value.to_string(),
            format!("{:.1}", effect.nodes),
            format!("{:.3}", 1e5 * effect.sensitivity),
            format!("{:.3}", 1e3 * effect.specificity),
            format!("{:.1}", effect.distance),
            format!("{:.3}", effect.ratio_to_kmeans),
        ]);
    }
    text += &draw::columns(&lines);
    let maps = figures.teachers.first().map_or(0, |one| one.maps);
    text += &format!("\nteachers at once, mean over {maps} maps with four sessions or more\n");
    let head = ["teachers", "minutes", "nodes", "sensitivity", "specificity", "distance"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in figures.teachers.iter().filter(|one| one.maps > 0) {
        lines.push(vec![
            one.teachers.to_string(),
            format!("{:.0}", one.minutes),
            format!("{:.1}", one.nodes),
            format!("{:.3}", 1e5 * one.sensitivity),
            format!("{:.3}", 1e3 * one.specificity),
            format!("{:.1}", one.distance),
        ]);
    }
    text + &draw::columns(&lines)
}

/// The curves over time, a panel for each measure.
pub(super) fn picture(figures: &Figures) -> String {
    type Pick = fn(&Curve) -> &[f64];
    // Each with how many times its numbers are told.
    let measures: [(&str, f64, Pick); 4] = [
        ("nodes", 1.0, |curve| &curve.nodes),
        ("distance to the nearest node, of other sessions", 1.0, |curve| &curve.distance),
        ("sensitivity (4.12) x 100,000", 1e5, |curve| &curve.sensitivity),
        ("specificity (4.13) x 1,000", 1e3, |curve| &curve.specificity),
    ];
    let panels = measures.map(|(title, times, pick)| {
        let line = |curve: &Curve| Line {
            label: curve.learner.to_owned(),
            points: curve.minutes.iter().zip(pick(curve)).map(|(&minute, &y)| (minute, y * times)).collect(),
        };
        Panel { title: title.to_owned(), lines: figures.over_time.iter().map(line).collect() }
    });
    draw::lines::panels("Places over time", "minutes of play", &panels)
}
