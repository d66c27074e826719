//! Curves: on logarithmic axes with how fast they grow, and in panels side by side.

use repertoire_eval::planning::PlanFigure;
use repertoire_prob::num::ln;

use crate::axes::{self, Axis};
use crate::legend::{self, Sign};
use crate::svg::{Element, Svg, circle, group_at, polyline, text};

/// A curve.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name in the legend.
    pub label: String,
    /// Its points; on logarithmic axes both coordinates must be above 0.
    pub points: Vec<(f64, f64)>,
}

impl Line {
    /// The exponent of growth: the slope on logarithmic axes, by least squares over the upper half of the points, where
    /// what is constant no longer shows.
    pub fn exponent(&self) -> f64 {
        let upper = &self.points[self.points.len() / 2..];
        let logs: Vec<(f64, f64)> = upper.iter().map(|&(x, y)| (ln(x), ln(y))).collect();
        let n = logs.len() as f64;
        let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
        let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        covariance / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
    }
}

const WIDTH: f64 = 780.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 290.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// The curves of a figure.
pub fn of_figure(figure: &PlanFigure) -> Vec<Line> {
    let curves = figure.curves.iter().cloned();
    curves.map(|(label, points)| Line { label, points }).collect()
}

/// A figure of planning as a picture.
pub fn figure(figure: &PlanFigure) -> String {
    chart(figure.title, figure.x, figure.y, &of_figure(figure))
}

/// A chart of curves with logarithmic axes; the legend tells each curve's exponent of growth.
pub fn chart(title: &str, x_label: &str, y_label: &str, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| line.points.iter().copied());
    let x = Axis::logarithmic(axes::range(all().map(|p| p.0)), (LEFT, WIDTH - RIGHT));
    let y = Axis::logarithmic(axes::range(all().map(|p| p.1)), (HEIGHT - BOTTOM, TOP));
    let mut svg = Svg::new(WIDTH, HEIGHT).titled(title).described(&format!(
        "{y_label} against {x_label}, both on logarithmic scales, {} curves.",
        lines.len()
    ));
    svg.push(text(LEFT, 22.0, title).bold().size(13.0));
    svg.push(axes::grid(&x, &y, x_label, y_label));
    for (index, line) in lines.iter().enumerate() {
        svg.extend(curve(index, line, &x, &y));
        svg.extend(line.points.iter().map(|p| circle(x.at(p.0), y.at(p.1), 3.0).series(index)));
    }
    let named =
        |(k, line): (usize, &Line)| (Sign::Line(k), format!("{} (~{:.2})", line.label, line.exponent()));
    let entries: Vec<(Sign, String)> = lines.iter().enumerate().map(named).collect();
    svg.push(legend::column(WIDTH - RIGHT + 14.0, TOP + 10.0, RIGHT - 20.0, &entries));
    svg.finish()
}

fn curve(index: usize, line: &Line, x: &Axis, y: &Axis) -> Option<Element> {
    let points = line.points.iter().map(|p| (x.at(p.0), y.at(p.1)));
    (!line.points.is_empty()).then(|| polyline(points).series_line(index, 2.0).titled(&line.label))
}

/// One of several charts side by side.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What its numbers are.
    pub title: String,
    /// The curves, in the order of the legend.
    pub lines: Vec<Line>,
}

/// Charts two and two, all with the same curves and the same axis `x_label` from 0; one legend below.
pub fn panels(title: &str, x_label: &str, panels: &[Panel]) -> String {
    let (wide, high) = (480.0, 290.0);
    let all = || panels.iter().flat_map(|panel| &panel.lines);
    let names: Vec<&str> =
        panels.first().map_or(vec![], |panel| panel.lines.iter().map(|line| line.label.as_str()).collect());
    let rows = panels.len().div_ceil(2) as f64;
    let mut svg = Svg::new(2.0 * wide, rows * high + 60.0).titled(title).described(&format!(
        "{} charts against {x_label}: {}.",
        panels.len(),
        panels.iter().map(|panel| panel.title.as_str()).collect::<Vec<_>>().join("; ")
    ));
    svg.push(text(20.0, 24.0, title).bold().size(14.0));
    let last = axes::range(all().flat_map(|line| line.points.iter().map(|p| p.0))).1;
    for (k, panel) in panels.iter().enumerate() {
        let mut one = group_at((k % 2) as f64 * wide, 30.0 + (k / 2) as f64 * high);
        let most = axes::range(panel.lines.iter().flat_map(|line| line.points.iter().map(|p| p.1))).1;
        let x = Axis::linear((0.0, last), (66.0, wide - 16.0));
        let y = Axis::linear((0.0, most), (high - 44.0, 34.0));
        one.push(text(66.0, 22.0, &panel.title).bold());
        one.push(axes::grid(&x, &y, x_label, ""));
        one.extend(panel.lines.iter().enumerate().filter_map(|(k, line)| curve(k, line, &x, &y)));
        svg.push(one);
    }
    let entries: Vec<(Sign, String)> =
        names.iter().enumerate().map(|(k, name)| (Sign::Line(k), (*name).to_owned())).collect();
    svg.push(legend::row(66.0, rows * high + 48.0, 2.0 * wide - 90.0, &entries).0);
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_and_named() {
        let line = |k: usize| Line {
            label: format!("curve {k}"),
            points: vec![(1.0, 2.0), (10.0, 20.0 + k as f64)],
        };
        let lines: Vec<Line> = (0..3).map(line).collect();
        let svg = chart("a < b", "size", "time", &lines);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (3, 6));
        assert!(svg.contains("a &lt; b") && svg.contains("curve 2 (~") && svg.contains("size"));
        let panel = |title: &str| Panel { title: title.into(), lines: lines.clone() };
        let svg = panels("all", "minutes", &[panel("nodes"), panel("distance"), panel("links")]);
        assert_eq!(svg.matches("<polyline").count(), 9);
        // Each curve is told when the pointer rests on it, three times, and once in the legend.
        assert_eq!(svg.matches("curve 1").count(), 4);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn the_exponent_of_a_power_is_found() {
        for power in [1.0, 1.5, 2.0] {
            let points = (1..10)
                .map(|i| (f64::from(1 << i), 3.0 * repertoire_prob::num::pow(f64::from(1 << i), power)));
            let line = Line { label: String::new(), points: points.collect() };
            assert!((line.exponent() - power).abs() < 1e-9);
        }
    }
}
