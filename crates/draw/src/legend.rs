//! Legends: what the colours of a picture mean.

use crate::label;
use crate::svg::{Element, group, line, rect, text};

/// How something is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// An area of a series' colour.
    Series(usize),
    /// A line of a series' colour.
    Line(usize),
    /// An area of this colour.
    Colour(String),
}

impl Sign {
    fn draw(&self, x: f64, y: f64) -> Element {
        match self {
            Sign::Series(k) => rect(x, y - 9.0, 10.0, 10.0).set("rx", 2.0).series_area(*k),
            Sign::Line(k) => line((x, y - 4.0), (x + 12.0, y - 4.0)).series_line(*k, 3.0),
            Sign::Colour(colour) => {
                rect(x, y - 9.0, 10.0, 10.0).set("rx", 2.0).class("rule").fill(colour.as_str())
            }
        }
    }
}

/// The size of a legend's letters.
pub const SIZE: f64 = 11.0;
/// The height of a legend's line.
pub const LINE: f64 = 16.0;

/// Entries below each other, no wider than `most`. The first line's base is at `y`.
pub fn column(x: f64, y: f64, most: f64, entries: &[(Sign, String)]) -> Element {
    let mut legend = group();
    for (k, (sign, name)) in entries.iter().enumerate() {
        let y = y + LINE * k as f64;
        legend.push(sign.draw(x, y));
        let short = label::shorten(name, most - 18.0, SIZE);
        legend.push(text(x + 17.0, y, &short).size(SIZE));
    }
    legend
}

/// Entries side by side, in as many lines as they need; returns how many there are.
pub fn row(x: f64, y: f64, most: f64, entries: &[(Sign, String)]) -> (Element, usize) {
    let mut legend = group();
    let (mut at, mut lines) = (0.0, 1);
    for (sign, name) in entries {
        let name = label::shorten(name, most - 18.0, SIZE);
        let wide = 18.0 + label::width(&name, SIZE);
        if at > 0.0 && at + wide > most {
            (at, lines) = (0.0, lines + 1);
        }
        let y = y + LINE * (lines - 1) as f64;
        legend.push(sign.draw(x + at, y));
        legend.push(text(x + at + 17.0, y, &name).size(SIZE));
        at += wide + 14.0;
    }
    (legend, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_the_lines_it_needs() {
        let entries: Vec<(Sign, String)> =
            (0..10).map(|k| (Sign::Series(k), format!("decision {k}"))).collect();
        assert_eq!(row(0.0, 0.0, 2000.0, &entries).1, 1);
        let (legend, lines) = row(0.0, 0.0, 200.0, &entries);
        assert!((4..=10).contains(&lines));
        assert_eq!(legend.to_string().matches("<text").count(), 10);
    }
}
