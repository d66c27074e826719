//! Which piece of a map is shown, and how large.
//!
//! A character of a terminal is about twice as high as wide, so it stands for two square pixels, one above the other.

use glam::DVec2;

/// A window on a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The north-western corner.
    corner: DVec2,
    /// The side of a pixel.
    pub pixel_m: f64,
    /// Pixels in a row, which are characters in a line.
    pub width: usize,
    /// Rows of pixels, two in a line.
    pub height: usize,
}

/// A picture is never finer: beyond that there is nothing more to see.
const FINEST_M: f64 = 0.2;

impl View {
    /// All between two corners, as large as fits on this many columns and lines.
    pub fn fit(low: DVec2, high: DVec2, columns: usize, lines: usize) -> Self {
        let (columns, lines) = (columns.max(3), lines.max(2));
        // A pixel on each side is left for the walls' own width.
        let size = high - low;
        let pixel_m = (size.x / (columns - 1) as f64).max(size.y / (2 * lines - 1) as f64).max(FINEST_M);
        let pixels = |length: f64| (length / pixel_m).ceil() as usize + 1;
        let (width, height) = (pixels(size.x).min(columns), pixels(size.y).min(2 * lines));
        let margin = DVec2::new(width as f64, height as f64) * pixel_m - size;
        View { corner: DVec2::new(low.x - margin.x / 2.0, high.y + margin.y / 2.0), pixel_m, width, height }
    }

    /// What is around a place, up to this many columns and lines; what lies beyond the two corners is not shown.
    pub fn around(
        centre: DVec2,
        pixel_m: f64,
        columns: usize,
        lines: usize,
        low: DVec2,
        high: DVec2,
    ) -> Self {
        let needed = |length: f64| (length / pixel_m).ceil() as usize + 1;
        let size = high - low;
        let (width, height) = (columns.min(needed(size.x)), (2 * lines).min(needed(size.y)));
        let half = DVec2::new(width as f64, height as f64) * pixel_m / 2.0;
        // At the rim of the map the window stays inside of it, so that it shows as much as it can.
        let inside = |centre: f64, low: f64, high: f64, half: f64| {
            if high - low <= 2.0 * half { (low + high) / 2.0 } else { centre.clamp(low + half, high - half) }
        };
        let middle =
            DVec2::new(inside(centre.x, low.x, high.x, half.x), inside(centre.y, low.y, high.y, half.y));
        View { corner: DVec2::new(middle.x - half.x, middle.y + half.y), pixel_m, width, height }
    }

    /// Lines of characters.
    pub fn lines(&self) -> usize {
        self.height.div_ceil(2)
    }

    /// The pixel of a place, if it is in the window.
    pub fn pixel(&self, at: DVec2) -> Option<(usize, usize)> {
        let from = DVec2::new(at.x - self.corner.x, self.corner.y - at.y) / self.pixel_m;
        let inside =
            from.x >= 0.0 && from.y >= 0.0 && from.x < self.width as f64 && from.y < self.height as f64;
        inside.then_some((from.x as usize, from.y as usize))
    }

    /// The place of the middle of a pixel.
    pub fn middle(&self, x: usize, y: usize) -> DVec2 {
        self.corner + DVec2::new(x as f64 + 0.5, -(y as f64 + 0.5)) * self.pixel_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_fits_and_north_is_up() {
        let (low, high) = (DVec2::new(-10.0, 5.0), DVec2::new(50.0, 29.0));
        for (columns, lines) in [(80, 24), (20, 40), (3, 2), (0, 0)] {
            let view = View::fit(low, high, columns, lines);
            assert!(view.width <= columns.max(3) && view.lines() <= lines.max(2));
            let (x_low, y_low) = view.pixel(low).expect("in the window");
            let (x_high, y_high) = view.pixel(high).expect("in the window");
            assert!(x_low < x_high && y_high < y_low, "{view:?}");
        }
    }

    #[test]
    fn the_middle_of_a_pixel_is_in_it() {
        let far = DVec2::splat(100.0);
        let view = View::around(DVec2::new(3.0, 4.0), 0.25, 40, 20, -far, far);
        for (x, y) in [(0, 0), (39, 39), (17, 5)] {
            assert_eq!(view.pixel(view.middle(x, y)), Some((x, y)));
        }
        assert_eq!(view.pixel(DVec2::new(3.01, 3.99)), Some((20, 20)));
        assert_eq!(view.pixel(DVec2::new(30.0, 4.0)), None);
    }

    #[test]
    fn a_window_at_the_rim_stays_inside_and_is_no_larger_than_the_map() {
        let (low, high) = (DVec2::ZERO, DVec2::new(100.0, 8.0));
        let view = View::around(DVec2::new(1.0, 1.0), 0.5, 40, 20, low, high);
        assert_eq!((view.width, view.height), (40, 17));
        assert_eq!(view.pixel(DVec2::new(0.1, 7.0)).map(|(x, _)| x), Some(0));
        assert_eq!(view.middle(39, 0).x, 19.75);
    }
}
