//! Charts as SVG: bars, or round where the values are directions.
//!
//! Round charts are those of Le Hy 2007, figure 3.10: the character looks up, left is left, the small circle is
//! probability 0 and the large one probability 1.

use repertoire_prob::num::{cos, significant, sin};

use super::Chart;

const WIDTH: f64 = 420.0;
const ROW: f64 = 22.0;
const HEAD: f64 = 46.0;
const COLUMNS: usize = 3;

/// All charts on one page.
pub fn page(charts: &[Chart]) -> String {
    let columns = charts.len().clamp(1, COLUMNS);
    let height = charts.iter().map(height).fold(0.0, f64::max);
    let rows = charts.len().div_ceil(columns).max(1);
    let (page_width, page_height) = (WIDTH * columns as f64, height * rows as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{page_width}\" height=\"{page_height}\" \
         viewBox=\"0 0 {page_width} {page_height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        let (x, y) = ((index % columns) as f64 * WIDTH, (index / columns) as f64 * height);
        svg += &format!("<g transform=\"translate({x} {y})\">\n{}", title(&chart.title));
        svg += &match &chart.edges_deg {
            Some(edges) => round(chart, edges),
            None => bars(chart),
        };
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn height(chart: &Chart) -> f64 {
    match chart.edges_deg {
        Some(_) => HEAD + 300.0,
        None => HEAD + 16.0 + ROW * chart.labels.len() as f64,
    }
}

/// The title on as many lines as it needs; the full text also as a tooltip.
fn title(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if lines[last].len() + word.len() > 52 && !lines[last].is_empty() && lines.len() < 3 {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last] += word;
    }
    let mut svg = format!("<title>{}</title>\n", escape(text));
    for (index, line) in lines.iter().enumerate() {
        let (y, mut line) = (16 + 13 * index, line.clone());
        if line.chars().count() > 60 {
            line = line.chars().take(58).chain(" …".chars()).collect();
        }
        svg += &format!(
            "<text x=\"12\" y=\"{y}\" font-weight=\"600\" font-size=\"11\">{}</text>\n",
            escape(&line)
        );
    }
    svg
}

fn bars(chart: &Chart) -> String {
    let longest = chart.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let left = 20.0 + 7.0 * longest.min(22) as f64;
    let most = chart.probabilities.iter().copied().fold(0.0, f64::max);
    let room = WIDTH - left - 64.0;
    let mut svg = String::new();
    for (value, (label, &p)) in chart.labels.iter().zip(&chart.probabilities).enumerate() {
        let y = HEAD + 8.0 + ROW * value as f64;
        let (width, middle) = (room * p / most, y + 12.0);
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"15\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{middle:.1}\" fill=\"#444444\">{}</text>\n",
            left - 6.0,
            escape(label),
            colour(p, most),
            left + width + 5.0,
            significant(p, 3),
        );
    }
    svg
}

fn round(chart: &Chart, edges: &[f64]) -> String {
    let (cx, cy, inner, outer) = (WIDTH / 2.0, HEAD + 150.0, 28.0, 118.0);
    let most = chart.probabilities.iter().copied().fold(0.0, f64::max);
    // Up is 0 degrees, left is positive.
    let point = |deg: f64, radius: f64| {
        let rad = deg * std::f64::consts::PI / 180.0;
        (cx - radius * sin(rad), cy - radius * cos(rad))
    };
    let mut svg = format!(
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{outer}\" fill=\"none\" stroke=\"#cccccc\"/>\
         <circle cx=\"{cx}\" cy=\"{cy}\" r=\"{inner}\" fill=\"none\" stroke=\"#cccccc\"/>\n"
    );
    for (value, (label, &p)) in chart.labels.iter().zip(&chart.probabilities).enumerate() {
        let (from, to) = (edges[value], edges[value + 1]);
        let radius = inner + (outer - inner) * p;
        let ((x0, y0), (x1, y1)) = (point(from, inner), point(from, radius));
        let ((x2, y2), (x3, y3)) = (point(to, radius), point(to, inner));
        let large = i32::from(to - from > 180.0);
        svg += &format!(
            "<path d=\"M{x0:.2} {y0:.2}L{x1:.2} {y1:.2}A{radius:.2} {radius:.2} 0 {large} 0 {x2:.2} {y2:.2}\
             L{x3:.2} {y3:.2}A{inner:.2} {inner:.2} 0 {large} 1 {x0:.2} {y0:.2}Z\" fill=\"{}\" stroke=\"#ffffff\">\
             <title>{} {}</title></path>\n",
            colour(p, most),
            escape(label),
            significant(p, 3),
        );
        let (x, y) = point((from + to) / 2.0, outer + 16.0);
        let anchor = if x < cx - 20.0 {
            "end"
        } else if x > cx + 20.0 {
            "start"
        } else {
            "middle"
        };
        let number = if p > 0.0 && p < 0.005 { "&lt;0.01".to_owned() } else { format!("{p:.2}") };
        svg += &format!(
            "<text text-anchor=\"{anchor}\" font-size=\"10\" fill=\"#444444\"><tspan x=\"{x:.1}\" y=\"{y:.1}\">{}</tspan>\
             <tspan x=\"{x:.1}\" dy=\"12\">{number}</tspan></text>\n",
            escape(label),
        );
    }
    // The character, looking up.
    let (tip, base) = (cy - 14.0, cy + 9.0);
    svg + &format!("<path d=\"M{cx} {tip}L{} {base}L{} {base}Z\" fill=\"#2f6fde\"/>\n", cx - 9.0, cx + 9.0)
}

fn colour(p: f64, most: f64) -> &'static str {
    if p == most { "#2a9d5c" } else { "#8fb8a3" }
}

/// Text as SVG holds it.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
            let svg = page(&[chart(edges)]);
            assert!(svg.contains("left &amp; up") && svg.contains("B&lt;&quot;x&quot;"), "{svg}");
            assert!(svg.contains("0.75") && !svg.contains("NaN"));
        }
    }

    #[test]
    fn left_is_drawn_left() {
        // One value around 90 degrees: its label stands left of the middle.
        let one =
            Chart { labels: vec!["left".into()], probabilities: vec![1.0], ..chart(Some(vec![80.0, 100.0])) };
        let svg = page(&[one]);
        assert!(svg.contains("<tspan x=\"76.0\" y=\"196.0\">left"), "{svg}");
    }
}
