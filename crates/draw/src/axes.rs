//! Axes: from numbers to places on the paper, with grid lines and their labels.

use repertoire_prob::num::{ln, significant};

use crate::svg::{Element, group, line, number, text};

/// Numbers along one direction of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// From `low` at the place `from` to `high` at the place `to`, evenly.
    pub fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Axis { low, high, from, to, is_logarithmic: false }
    }

    /// The same with equal steps for equal ratios; both numbers must be above 0.
    pub fn logarithmic((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Axis { low, high, from, to, is_logarithmic: true }
    }

    /// The place of a number.
    pub fn at(&self, value: f64) -> f64 {
        let scaled = |x: f64| if self.is_logarithmic { ln(x) } else { x };
        let span = (scaled(self.high) - scaled(self.low)).max(1e-9);
        self.from + (self.to - self.from) * (scaled(value) - scaled(self.low)) / span
    }

    /// Round numbers on it, about `most` of them.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let powers = (-12..13).map(|power| format!("1e{power}").parse::<f64>().unwrap_or(1.0));
        if self.is_logarithmic {
            let within: Vec<f64> = powers.filter(|tick| (self.low..=self.high).contains(tick)).collect();
            return if within.len() < 2 { vec![self.low, self.high] } else { within };
        }
        let span = self.high - self.low;
        let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|times| times * power));
        let Some(step) = steps.find(|step| span / step <= most as f64) else {
            return vec![self.low, self.high];
        };
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

/// The range of some numbers; 0 to 1 if there are none.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Grid lines with their numbers, and what both axes show: `x_label` below, `y_label` above the upper left corner.
pub fn grid(x: &Axis, y: &Axis, x_label: &str, y_label: &str) -> Element {
    let mut grid = group().size(11.0);
    for tick in x.ticks(8) {
        let at = x.at(tick);
        grid.push(line((at, y.from), (at, y.to)).class("rule"));
        grid.push(text(at, y.from + 15.0, &significant(tick, 3)).centred().class("soft"));
    }
    for tick in y.ticks(5) {
        let at = y.at(tick);
        grid.push(line((x.from, at), (x.to, at)).class("rule"));
        grid.push(text(x.from - 6.0, at + 4.0, &significant(tick, 3)).ends().class("soft"));
    }
    grid.push(text((x.from + x.to) / 2.0, y.from + 32.0, x_label).centred());
    let (left, middle) = (x.from - 46.0, (y.from + y.to) / 2.0);
    let turn = format!("rotate(-90 {} {})", number(left), number(middle));
    grid.push(text(left, middle, y_label).centred().set("transform", turn));
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let axis = |high: f64| Axis::linear((0.0, high), (0.0, 100.0));
        assert_eq!(axis(30.0).ticks(5), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(axis(1.0).ticks(5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(Axis::logarithmic((5.0, 2000.0), (0.0, 1.0)).ticks(5), [10.0, 100.0, 1000.0]);
        assert_eq!(Axis::logarithmic((20.0, 80.0), (0.0, 1.0)).ticks(5), [20.0, 80.0]);
    }

    #[test]
    fn the_ends_are_where_they_were_put() {
        for axis in [Axis::linear((2.0, 8.0), (10.0, 110.0)), Axis::logarithmic((2.0, 8.0), (10.0, 110.0))] {
            assert!((axis.at(2.0) - 10.0).abs() < 1e-9 && (axis.at(8.0) - 110.0).abs() < 1e-9);
        }
        assert!((Axis::logarithmic((2.0, 8.0), (0.0, 1.0)).at(4.0) - 0.5).abs() < 1e-9);
    }
}
