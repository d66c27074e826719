//! Scale bar and legend.

use std::fmt::{self, Write};

use glam::DVec2;
use repertoire_mind::Item;

use super::ground::Shades;
use super::{escaped, signs};
use crate::arena::map::Map;

/// Below the map, from `at` to the right.
pub fn legend(map: &Map, shades: &Shades, at: DVec2, width: f64, out: &mut String) -> fmt::Result {
    let text = |out: &mut String, x: f64, y: f64, size: f64, what: &str| {
        writeln!(
            out,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" fill=\"#222\">{}</text>",
            escaped(what)
        )
    };
    let (low, high) = map.bounds();
    let size = if low.x <= high.x { high - low } else { DVec2::ZERO };
    let title = format!("{}, {:.0} x {:.0} m", map.name, size.x, size.y);
    text(out, at.x, at.y + 0.4, 1.1, &title)?;

    // A bar of a round length, about a fifth of the map.
    let bar =
        [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().rfind(|&bar| bar <= size.x / 4.0).unwrap_or(1.0);
    let (x, y) = (width - at.x - bar, at.y + 0.1);
    writeln!(
        out,
        "<path d=\"M{x:.2} {:.2}V{y:.2}H{:.2}V{:.2}\" fill=\"none\" stroke=\"#222\" stroke-width=\"0.12\"/>",
        y - 0.4,
        x + bar,
        y - 0.4
    )?;
    text(out, x, y + 0.9, 0.8, &format!("{bar} m"))?;

    // Heights.
    const CELLS: usize = 24;
    for i in 0..CELLS {
        let height = shades.low_m + (shades.high_m - shades.low_m) * i as f64 / (CELLS - 1) as f64;
        let x = at.x + i as f64 * 0.3;
        writeln!(
            out,
            "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"0.31\" height=\"0.8\" fill=\"{}\"/>",
            at.y + 1.5,
            shades.colour(height)
        )?;
    }
    text(
        out,
        at.x + 7.6,
        at.y + 2.2,
        0.8,
        &format!("floors from {:.1} to {:.1} m", shades.low_m, shades.high_m),
    )?;

    let column = (width - 2.0 * at.x) / 4.0;
    let place = |i: usize| at + DVec2::new((i % 4) as f64 * column + 0.8, 3.4 + (i / 4) as f64 * 1.3);
    let name =
        |out: &mut String, i: usize, what: &str| text(out, place(i).x + 1.0, place(i).y + 0.28, 0.75, what);
    for (i, item) in Item::ALL.into_iter().enumerate() {
        signs::item(item, place(i), out)?;
        name(out, i, item.name())?;
    }
    let next = Item::ALL.len();
    signs::start(place(next), 0.0, signs::START, out)?;
    name(out, next, "start")?;
    signs::start(place(next + 1), 0.0, signs::TELEPORT, out)?;
    name(out, next + 1, "out of a teleport")?;
    for (i, what) in ["lift", "harm", "window"].into_iter().enumerate() {
        let at = place(next + 2 + i);
        writeln!(
            out,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"1.4\" height=\"0.8\" fill=\"url(#{what})\" stroke=\"#222\" \
             stroke-width=\"0.06\"/>",
            at.x - 0.7,
            at.y - 0.4
        )?;
        name(out, next + 2 + i, what)?;
    }
    let at = place(next + 5);
    writeln!(
        out,
        "<path d=\"M{:.2} {:.2}h1.4\" stroke=\"#2c2822\" stroke-width=\"0.2\" stroke-dasharray=\"0.4 0.25\"/>",
        at.x - 0.7,
        at.y
    )?;
    name(out, next + 5, "fence")
}
