//! Scales from numbers to colours. Colours that tell things apart are [`SERIES`](crate::svg::SERIES).

use crate::svg::{Element, group, rect, text};

/// Colours that go over into each other, for numbers from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Scale(&'static [[f64; 3]]);

/// Heights of floors: from slate over sage to sand, dark to light.
pub const HEIGHTS: Scale =
    Scale(&[[92.0, 110.0, 128.0], [140.0, 165.0, 150.0], [214.0, 200.0, 150.0], [246.0, 233.0, 202.0]]);
/// Probability of a place: from pale to dark red.
pub const REDS: Scale = Scale(&[[252.0, 222.0, 208.0], [165.0, 15.0, 21.0]]);
/// Values in their order: from pale to dark blue.
pub const BLUES: Scale = Scale(&[[206.0, 224.0, 245.0], [27.0, 63.0, 120.0]]);
/// How sure something is: from pale to dark grey.
pub const GREYS: Scale = Scale(&[[226.0, 229.0, 232.0], [52.0, 58.0, 64.0]]);
/// Heights of places: from pale to dark red brown.
pub const CLAYS: Scale = Scale(&[[240.0, 160.0, 132.0], [128.0, 38.0, 14.0]]);

impl Scale {
    /// The colour of a number; beyond 0 and 1 that of the end.
    pub fn at(self, part: f64) -> String {
        let last = self.0.len() - 1;
        let at = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 } * last as f64;
        let stop = (at as usize).min(last - 1);
        let mix = |channel: usize| {
            let (from, to) = (self.0[stop][channel], self.0[stop + 1][channel]);
            (from + (to - from) * (at - stop as f64)).round() as u8
        };
        format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
    }

    /// The scale as a strip, with what its ends mean at the right of it. `unit` is the height of the strip.
    pub fn strip(self, x: f64, y: f64, unit: f64, meaning: &str) -> Element {
        const CELLS: usize = 24;
        let width = 0.4 * unit;
        let mut strip = group();
        for k in 0..CELLS {
            let part = k as f64 / (CELLS - 1) as f64;
            // A little wider, so that no hairlines show between them.
            strip.push(rect(x + k as f64 * width, y, 1.1 * width, unit).fill(self.at(part)));
        }
        strip.push(text(x + (CELLS + 1) as f64 * width, y + 0.85 * unit, meaning).size(unit));
        strip
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_where_they_should() {
        assert_eq!(
            [-1.0, 0.0, 1.0, 7.0, f64::NAN].map(|part| REDS.at(part)),
            ["#fcded0", "#fcded0", "#a50f15", "#a50f15", "#fcded0"]
        );
        assert_eq!(HEIGHTS.at(1.0), "#f6e9ca");
    }
}
