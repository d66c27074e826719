//! The figures of the thesis as tables and as a picture.

use std::fmt::Write as _;

use repertoire_eval::topology::figures::{Curve, Figures, MINUTES};

use crate::draw;

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

const COLOURS: [&str; 3] = ["#c0392b", "#2f6fde", "#8fb8a3"];

/// The curves over time, a panel for each measure.
pub(super) fn picture(figures: &Figures) -> String {
    let (wide, high) = (460.0, 260.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        2.0 * wide,
        2.0 * high + 30.0
    );
    type Pick = fn(&Curve) -> &[f64];
    // Each with how many times its numbers are told.
    let panels: [(&str, f64, Pick); 4] = [
        ("nodes", 1.0, |curve| &curve.nodes),
        ("distance to the nearest node, of other sessions", 1.0, |curve| &curve.distance),
        ("sensitivity (4.12) x 100,000", 1e5, |curve| &curve.sensitivity),
        ("specificity (4.13) x 1,000", 1e3, |curve| &curve.specificity),
    ];
    for (k, (title, times, pick)) in panels.iter().enumerate() {
        let (left, top) = ((k % 2) as f64 * wide, (k / 2) as f64 * high);
        let most = figures.over_time.iter().flat_map(pick).copied().fold(0.0, f64::max);
        let at = |minute: f64, y: f64| {
            let x = left + 50.0 + (wide - 70.0) * minute / MINUTES as f64;
            (x, top + high - 30.0 - (high - 60.0) * if most > 0.0 { y / most } else { 0.0 })
        };
        let ((x0, y0), (x1, y1)) = (at(0.0, 0.0), at(MINUTES as f64, most));
        let _ = writeln!(
            svg,
            "<text x=\"{x0:.0}\" y=\"{:.0}\" font-weight=\"600\">{title}</text>\
             <path d=\"M{x0:.1} {y1:.1}V{y0:.1}H{x1:.1}\" fill=\"none\" stroke=\"#999999\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <text x=\"{x1:.0}\" y=\"{:.0}\" text-anchor=\"end\">{MINUTES} minutes</text>",
            top + 18.0,
            x0 - 5.0,
            y1 + 4.0,
            repertoire_prob::num::significant(most * times, 2),
            y0 + 15.0
        );
        for (curve, colour) in figures.over_time.iter().zip(COLOURS) {
            let points = curve.minutes.iter().zip(pick(curve)).map(|(&minute, &y)| at(minute, y));
            let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.join(" ")
            );
        }
    }
    for (k, (curve, colour)) in figures.over_time.iter().zip(COLOURS).enumerate() {
        let (x, y) = (50.0 + 200.0 * k as f64, 2.0 * high + 18.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"{y}\">{}</text>",
            y - 6.0,
            x + 20.0,
            curve.learner
        );
    }
    svg + "</svg>\n"
}
