//! A map in the terminal, with its items and starts.

use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::space::Scene;

use super::top::ground::{self, Ground};
use super::top::sheet::Sheet;
use super::top::signs;
use super::top::view::View;

/// A picture has no more lines, except where its columns ask for more.
const MOST_LINES: usize = 40;

/// The map in this many columns, and what its signs mean; with `nav` also the points that characters know.
pub fn map(level: &Level, columns: usize, nav: bool, coloured: bool) -> String {
    let map = level.map();
    let (low, high) = map.bounds();
    let view = View::fit(low, high, columns, MOST_LINES.max(columns / 2));
    let resting: Vec<f64> = map.lifts().iter().map(|lift| lift.low_m).collect();
    let scene = Scene { space: level.space(), lifts_m: &resting };
    let mut sheet = Sheet::new(view.width, view.lines(), coloured);
    Ground::of(level, scene, view).paint(&mut sheet);
    if nav {
        for point in level.places().points() {
            signs::put(&mut sheet, &view, point.truncate(), '·', 39);
        }
    }
    for (spot, _) in map.items.iter().enumerate() {
        let (item, position) = level.item(spot);
        let (sign, ink) = signs::item(item);
        signs::put(&mut sheet, &view, position.truncate(), sign, ink);
    }
    for start in &map.starts {
        signs::put(&mut sheet, &view, start.at, signs::arrow(start.yaw).0, 83);
    }
    let size = high - low;
    let mut text = sheet.lines().join("\n");
    text += &format!("\n{}, {:.0} x {:.0} m, {:.2} m a column\n", map.name, size.x, size.y, view.pixel_m);
    if !coloured {
        text += &format!("{}\n", ground::LEGEND);
    }
    text + &format!("arrows are starts  {}\n", signs::LEGEND)
}
