//! Floors, walls and what characters see, two pixels to a character.

use glam::{DVec2, DVec3};
use repertoire_prob::num::{cos, sin};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::space::Scene;

use super::sheet::{Cell, Sheet};
use super::signs;
use super::view::View;
use crate::map::{Kind, kind};

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pixel {
    /// Outside of the map.
    Void,
    /// A floor, its height from 0 (the lowest of the map) to 1, and who sees it.
    Floor {
        height: f64,
        what: Floor,
        seen_by: Option<usize>,
    },
    Wall,
    Fence,
    Teleport,
}

/// What a floor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floor {
    Rests,
    Lift,
    Harms,
}

/// A piece of a map at one moment.
pub struct Ground {
    view: View,
    pixels: Vec<Pixel>,
}

/// Floors from low to high where there are no colours.
const SHADES: [char; 4] = ['.', ':', '-', '+'];
/// Floors from low to high as the terminal's greys.
const GREYS: (u8, u8) = (236, 246);
const WALL: u8 = 254;
const VOID: u8 = 232;

impl Ground {
    /// What is in a window.
    pub fn of(level: &Level, scene: Scene<'_>, view: View) -> Self {
        let heights = || level.places().points().iter().map(|point| point.z);
        let low = heights().fold(f64::INFINITY, f64::min);
        let span = (heights().fold(f64::NEG_INFINITY, f64::max) - low).max(1e-9);
        let mut pixels = Vec::with_capacity(view.width * view.height);
        for y in 0..view.height {
            for x in 0..view.width {
                let at = view.middle(x, y);
                pixels.push(match scene.space.area_at(at) {
                    None => Pixel::Void,
                    Some(number) => {
                        let area = &level.map().areas[number];
                        let what = match (area.lift, area.harm_per_sec > 0.0) {
                            (_, true) => Floor::Harms,
                            (Some(_), false) => Floor::Lift,
                            (None, false) => Floor::Rests,
                        };
                        let height = ((scene.floor_m(number, at) - low) / span).clamp(0.0, 1.0);
                        Pixel::Floor { height, what, seen_by: None }
                    }
                });
            }
        }
        let mut ground = Ground { view, pixels };
        ground.draw_lines(level);
        ground
    }

    fn draw_lines(&mut self, level: &Level) {
        let map = level.map();
        // Walls last: where lines cross, what bars the way is what counts.
        for (wanted, pixel) in
            [(Kind::Teleport, Pixel::Teleport), (Kind::Fence, Pixel::Fence), (Kind::Wall, Pixel::Wall)]
        {
            for line in map.lines.iter().filter(|line| kind(map, line) == wanted) {
                self.along(line.a, line.b, |it| *it = pixel);
            }
        }
    }

    /// Visits the pixels on a way.
    fn along(&mut self, from: DVec2, to: DVec2, mut visit: impl FnMut(&mut Pixel)) {
        let steps = (from.distance(to) / self.view.pixel_m * 2.0).ceil().max(1.0);
        for step in 0..=steps as usize {
            if let Some((x, y)) = self.view.pixel(from.lerp(to, step as f64 / steps)) {
                visit(&mut self.pixels[y * self.view.width + x]);
            }
        }
    }

    /// Marks what somebody sees: a cone up to a range, ended by whatever stands as high as the eye.
    pub fn see(&mut self, scene: Scene<'_>, id: usize, eye: DVec3, yaw: f64, width: f64, range_m: f64) {
        // Rays end about a pixel apart.
        let rays = (width * range_m / self.view.pixel_m).ceil().clamp(8.0, 512.0);
        for ray in 0..=rays as usize {
            let angle = yaw + width * (ray as f64 / rays - 0.5);
            let end = eye + DVec3::new(cos(angle), sin(angle), 0.0) * range_m;
            let part = scene.cast_level(eye, end).unwrap_or(1.0);
            self.along(eye.truncate(), eye.lerp(end, part).truncate(), |pixel| {
                if let Pixel::Floor { seen_by, .. } = pixel {
                    *seen_by = Some(id);
                }
            });
        }
    }

    /// Paints it on the upper left of a sheet.
    pub fn paint(&self, sheet: &mut Sheet) {
        for line in 0..self.view.lines() {
            for x in 0..self.view.width {
                let pixel = |y: usize| self.pixels.get(y * self.view.width + x).copied();
                let upper = pixel(2 * line).unwrap_or(Pixel::Void);
                let lower = pixel(2 * line + 1).unwrap_or(Pixel::Void);
                let coloured = sheet.coloured;
                if let Some(cell) = sheet.cell(x, line) {
                    *cell = if coloured { in_colour(upper, lower) } else { plain(upper, lower) };
                }
            }
        }
    }
}

/// Two pixels as a half block: the upper is ink, the lower paper.
fn in_colour(upper: Pixel, lower: Pixel) -> Cell {
    let (ink, paper) = (colour(upper), colour(lower));
    let sign = if ink == paper { ' ' } else { '▀' };
    Cell { sign, ink: Some(ink), paper: Some(paper), bold: false }
}

fn colour(pixel: Pixel) -> u8 {
    match pixel {
        Pixel::Void => VOID,
        Pixel::Wall => WALL,
        Pixel::Fence => 136,
        Pixel::Teleport => 135,
        Pixel::Floor { height, seen_by: Some(id), .. } => signs::seen_paper(id, height),
        Pixel::Floor { what: Floor::Lift, .. } => 66,
        Pixel::Floor { what: Floor::Harms, .. } => 95,
        Pixel::Floor { height, .. } => GREYS.0 + (height * f64::from(GREYS.1 - GREYS.0)).round() as u8,
    }
}

/// Two pixels as one sign. Half blocks keep walls as thin as they are.
fn plain(upper: Pixel, lower: Pixel) -> Cell {
    let sign = match (upper == Pixel::Wall, lower == Pixel::Wall) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => {
            let floors = [upper, lower];
            let shown = floors.into_iter().find(|pixel| *pixel != Pixel::Void).unwrap_or(Pixel::Void);
            sign(shown)
        }
    };
    Cell { sign, ..Cell::BLANK }
}

fn sign(pixel: Pixel) -> char {
    match pixel {
        Pixel::Void => ' ',
        Pixel::Wall => '█',
        Pixel::Fence => '#',
        Pixel::Teleport => '@',
        Pixel::Floor { seen_by: Some(_), .. } => '\'',
        Pixel::Floor { what: Floor::Lift, .. } => '|',
        Pixel::Floor { what: Floor::Harms, .. } => 'x',
        Pixel::Floor { height, .. } => {
            SHADES[((height * SHADES.len() as f64) as usize).min(SHADES.len() - 1)]
        }
    }
}

/// What the signs of the ground mean, in a line.
pub const LEGEND: &str = ". : - + floors from low to high  █ wall  # fence  @ teleport  | lift  x harm";

#[cfg(test)]
mod tests {
    use repertoire_worlds::arena::map::file;

    use super::*;

    const ROOM: &str = r#"
name = "room"
[[area]]
name = "hall"
ceiling = 4
rect = [0, 0, 12, 6]
[[area]]
name = "stage"
inside = "hall"
rect = [8, 0, 4, 6]
floor = 1
[[pillar]]
inside = "hall"
rect = [4, 2, 1, 2]
[[start]]
at = [2, 3]
"#;

    fn picture(see: bool) -> Vec<String> {
        let level = Level::new(file::read(ROOM).expect("read").map).expect("playable");
        let scene = Scene { space: level.space(), lifts_m: &[] };
        let (low, high) = level.map().bounds();
        let view = View::fit(low, high, 25, 10);
        let mut ground = Ground::of(&level, scene, view);
        if see {
            ground.see(scene, 0, DVec3::new(2.0, 3.0, 1.6), 0.0, 1.0, 20.0);
        }
        let mut sheet = Sheet::new(view.width, view.lines(), false);
        ground.paint(&mut sheet);
        sheet.lines()
    }

    #[test]
    fn walls_pillars_and_heights_are_drawn() {
        let lines = picture(false);
        assert!(lines.iter().all(|line| line.chars().count() == 25), "{lines:#?}");
        assert!(lines[0].chars().all(|sign| sign == '█' || sign == '▀'), "{lines:#?}");
        let middle: Vec<char> = lines[3].chars().collect();
        assert_eq!((middle[0], middle[4], middle[20]), ('█', '.', '+'), "{lines:#?}");
        assert!(middle[8..=10].contains(&'█'), "{lines:#?}");
    }

    #[test]
    fn what_is_behind_a_pillar_is_not_seen() {
        let lines = picture(true);
        let middle: Vec<char> = lines[3].chars().collect();
        assert_eq!((middle[6], middle[13]), ('\'', '.'), "{lines:#?}");
        assert!(lines.iter().any(|line| line.chars().skip(11).any(|sign| sign == '\'')), "{lines:#?}");
    }
}
