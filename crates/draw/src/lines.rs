//! Curves on logarithmic axes, as SVG, and how fast they grow.

use repertoire_prob::num::{ln, significant};

/// A curve.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub label: String,
    /// Points, both coordinates above 0.
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

const COLOURS: [&str; 6] = ["#2a9d5c", "#c0392b", "#2f6fde", "#b8860b", "#7d3c98", "#444444"];
const WIDTH: f64 = 750.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 270.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// A chart of curves with logarithmic axes.
pub fn chart(title: &str, x_label: &str, y_label: &str, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| line.points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (x_low, x_high) = range(&mut all().map(|p| p.0));
    let (y_low, y_high) = range(&mut all().map(|p| p.1));
    let place = |value: f64, low: f64, high: f64, from: f64, to: f64| {
        from + (to - from) * (ln(value) - ln(low)) / (ln(high) - ln(low)).max(1e-9)
    };
    let x = |value: f64| place(value, x_low, x_high, LEFT, WIDTH - RIGHT);
    let y = |value: f64| place(value, y_low, y_high, HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-weight=\"600\">{}</text>\n",
        super::svg::escape(title)
    );
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for tick in decades(x_low, x_high) {
        let at = x(tick);
        svg += &format!(
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#eeeeee\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{}</text>\n",
            bottom + 16.0,
            significant(tick, 2)
        );
    }
    for tick in decades(y_low, y_high) {
        let at = y(tick);
        svg += &format!(
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#eeeeee\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{}</text>\n",
            LEFT - 6.0,
            at + 4.0,
            significant(tick, 2)
        );
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"16\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {:.1})\">{}</text>\n",
        (LEFT + right) / 2.0,
        HEIGHT - 12.0,
        super::svg::escape(x_label),
        (TOP + bottom) / 2.0,
        (TOP + bottom) / 2.0,
        super::svg::escape(y_label)
    );
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> =
            line.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            points.join(" ")
        );
        for p in &line.points {
            svg +=
                &format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>\n", x(p.0), y(p.1));
        }
        let at = TOP + 18.0 * index as f64 + 10.0;
        svg += &format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"4\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{at:.1}\" font-size=\"11\">{} (~{:.2})</text>\n",
            right + 12.0,
            at - 6.0,
            right + 30.0,
            super::svg::escape(&line.label),
            line.exponent()
        );
    }
    svg + "</svg>\n"
}

/// Powers of ten within a range, and its ends where there are fewer than two.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let mut ticks: Vec<f64> = (-12..13)
        .map(|power| format!("1e{power}").parse().unwrap_or(1.0))
        .filter(|tick| (low..=high).contains(tick))
        .collect();
    if ticks.len() < 2 {
        ticks = vec![low, high];
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

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
