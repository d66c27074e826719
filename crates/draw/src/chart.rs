//! Distributions as pictures: bars, or round where the values are directions.
//!
//! Round charts are those of Le Hy 2007, figure 3.10: the character looks up, left is left, the small circle is
//! probability 0 and the large one probability 1.

use repertoire_bayes::Program;
use repertoire_bayes::answers::{Answers, PutAnswer};
use repertoire_prob::num::significant;

use crate::svg::{Element, Svg, circle, group_at, rect, text};
use crate::{label, round};

/// A distribution to draw.
///
/// ```
/// use repertoire_draw::chart::{Chart, page};
/// let weather = Chart {
///     title: "P(Rain)".to_owned(),
///     labels: vec!["no".to_owned(), "yes".to_owned()],
///     probabilities: vec![0.8, 0.2],
///     edges_deg: None,
/// };
/// let svg = page(&[weather]);
/// assert!(svg.starts_with("<svg") && svg.contains("P(Rain)"));
/// ```
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it is, such as `P(Rotation | Direction=left)`.
    pub title: String,
    /// The name of each value.
    pub labels: Vec<String>,
    /// The probability of each value.
    pub probabilities: Vec<f64>,
    /// The edges of the values on a scale of degrees, where they are directions: drawn round.
    pub edges_deg: Option<Vec<f64>>,
}

/// The charts of all answers that there are, in order.
pub fn of_answers(answers: &Answers<'_>) -> Vec<Chart> {
    answers.all().iter().filter_map(|answer| of_answer(answers.program(), answer)).collect()
}

/// The chart of one answer, round where the searched variable is in degrees; none if what is known is impossible.
pub fn of_answer(program: &Program, answer: &PutAnswer) -> Option<Chart> {
    let explanation = answer.explanation.as_ref()?;
    let edges_deg = match answer.searched[..] {
        [id] => program.variables()[id as usize].bins().filter(|bins| bins.unit == "degrees"),
        _ => None,
    };
    Some(Chart {
        title: answer.question.to_string(),
        labels: answer.values.clone(),
        probabilities: explanation.distribution.clone(),
        edges_deg: edges_deg.map(|bins| bins.edges.clone()),
    })
}

const WIDTH: f64 = 420.0;
const ROW: f64 = 22.0;
const HEAD: f64 = 54.0;
const COLUMNS: usize = 3;
/// Colours of the most probable value and of the others, as series.
const BEST: usize = 2;

/// All charts in one picture, side by side.
pub fn page(charts: &[Chart]) -> String {
    let columns = charts.len().clamp(1, COLUMNS);
    let height = charts.iter().map(height).fold(0.0, f64::max);
    let rows = charts.len().div_ceil(columns).max(1);
    let names: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    let mut svg = Svg::new(WIDTH * columns as f64, height * rows as f64)
        .titled(&names.join("; "))
        .described("The most probable value of each distribution has the strongest colour.");
    for (index, chart) in charts.iter().enumerate() {
        let (x, y) = ((index % columns) as f64 * WIDTH, (index / columns) as f64 * height);
        let mut one = group_at(x, y).titled(&chart.title);
        one.extend(heading(&chart.title));
        match &chart.edges_deg {
            Some(edges) => one.extend(around(chart, edges)),
            None => one.extend(bars(chart)),
        }
        svg.push(one);
    }
    svg.finish()
}

fn height(chart: &Chart) -> f64 {
    match chart.edges_deg {
        Some(_) => HEAD + 300.0,
        None => HEAD + 16.0 + ROW * chart.labels.len() as f64,
    }
}

/// The title on up to three lines.
fn heading(title: &str) -> Vec<Element> {
    let mut lines = label::wrap(title, WIDTH - 24.0, 11.0);
    if lines.len() > 3 {
        lines = vec![lines[0].clone(), lines[1].clone(), lines[2..].join(" ")];
    }
    let line = |(k, line): (usize, &String)| {
        text(12.0, 16.0 + 13.0 * k as f64, &label::shorten(line, WIDTH - 24.0, 11.0)).bold().size(11.0)
    };
    lines.iter().enumerate().map(line).collect()
}

fn bars(chart: &Chart) -> Vec<Element> {
    let longest = chart.labels.iter().map(|name| label::width(name, 12.0)).fold(0.0, f64::max);
    let left = 20.0 + longest.min(170.0);
    let most = chart.probabilities.iter().copied().fold(0.0, f64::max);
    let room = WIDTH - left - 64.0;
    let mut drawn = Vec::new();
    for (value, (name, &p)) in chart.labels.iter().zip(&chart.probabilities).enumerate() {
        let y = HEAD + 8.0 + ROW * value as f64;
        let (width, middle) = (room * p / most, y + 12.0);
        drawn.push(text(left - 6.0, middle, &label::shorten(name, 170.0, 12.0)).ends());
        drawn.push(coloured(rect(left, y, width, 15.0), p, most));
        drawn.push(text(left + width + 5.0, middle, &significant(p, 3)).class("soft"));
    }
    drawn
}

fn around(chart: &Chart, edges: &[f64]) -> Vec<Element> {
    let (middle, inner, outer) = ((WIDTH / 2.0, HEAD + 150.0), 28.0, 112.0);
    let most = chart.probabilities.iter().copied().fold(0.0, f64::max);
    let mut drawn = Vec::new();
    for radius in [inner, outer] {
        drawn.push(circle(middle.0, middle.1, radius).class("rule").fill("none"));
    }
    for (value, (name, &p)) in chart.labels.iter().zip(&chart.probabilities).enumerate() {
        let (from, to) = (edges[value], edges[value + 1]);
        let wedge = round::wedge(middle, (from, to), (inner, inner + (outer - inner) * p)).element();
        let said = format!("{name} {}", significant(p, 3));
        drawn.push(coloured(wedge.class("gap"), p, most).titled(&said));
        let (x, y) = round::point(middle, (from + to) / 2.0, outer + 16.0);
        let number = if p > 0.0 && p < 0.005 { "<0.01".to_owned() } else { format!("{p:.2}") };
        let lines = [text(x, y, name), text(x, y + 12.0, &number).class("soft")];
        drawn.extend(lines.map(|line| match x - middle.0 {
            side if side < -20.0 => line.ends().size(10.0),
            side if side > 20.0 => line.size(10.0),
            _ => line.centred().size(10.0),
        }));
    }
    drawn.push(round::body(middle, 13.0));
    drawn
}

fn coloured(element: Element, p: f64, most: f64) -> Element {
    let element = element.series(BEST);
    if p == most { element } else { element.set("fill-opacity", 0.45) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(edges_deg: Option<Vec<f64>>) -> Chart {
        Chart {
            title: "P(A | B<\"x\")".into(),
            labels: vec!["left & up".into(), "right".into()],
            probabilities: vec![0.25, 0.75],
            edges_deg,
        }
    }

    #[test]
    fn text_is_escaped_and_every_value_is_drawn() {
        for edges in [None, Some(vec![0.0, 90.0, 180.0])] {
            let is_round = edges.is_some();
            let svg = page(&[chart(edges)]);
            assert!(svg.contains("left &amp; up") && svg.contains("B&lt;&quot;x&quot;"), "{svg}");
            assert!(svg.contains("0.75") && !svg.contains("NaN"));
            // A bar for each value and the paper; or a wedge for each, and who stands in the middle.
            let (rects, paths) = (svg.matches("<rect").count(), svg.matches("<path").count());
            assert_eq!((rects, paths), if is_round { (1, 3) } else { (3, 0) });
        }
    }

    #[test]
    fn left_is_drawn_left() {
        // One value around 90 degrees: its label stands left of the middle, and ends there.
        let one =
            Chart { labels: vec!["left".into()], probabilities: vec![1.0], ..chart(Some(vec![80.0, 100.0])) };
        let svg = page(&[one]);
        assert!(svg.contains("<text x=\"82\" y=\"204\" text-anchor=\"end\" font-size=\"10\">left"), "{svg}");
    }
}
