//! The figures of the thesis as tables and as a picture.

use repertoire_eval::topology::figures::{Curve, Figures};

use crate::draw;
use crate::draw::lines::{Line, Panel};

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
