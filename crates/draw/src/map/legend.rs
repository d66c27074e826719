//! Scale bar and legend, in metres of the picture.

use glam::DVec2;
use repertoire_mind::Item;
use repertoire_worlds::arena::map::Map;

use super::ground::Shades;
use super::paths;
use super::signs;
use crate::colour::HEIGHTS;
use crate::svg::{Element, Path, line, rect, text};

/// Below the map, from `at` to the right.
pub fn legend(map: &Map, shades: &Shades, at: DVec2, width: f64, with_places: bool) -> Vec<Element> {
    let (low, high) = map.bounds();
    let size = if low.x <= high.x { high - low } else { DVec2::ZERO };
    let title = format!("{}, {:.0} x {:.0} m", map.name, size.x, size.y);
    let mut all = vec![text(at.x, at.y + 0.4, &title).size(1.1).bold()];

    // A bar of a round length, about a fifth of the map.
    let bar =
        [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().rfind(|&bar| bar <= size.x / 4.0).unwrap_or(1.0);
    let (x, y) = (width - at.x - bar, at.y + 0.1);
    let ruler = Path::new().to(x, y - 0.4).line(x, y).line(x + bar, y).line(x + bar, y - 0.4);
    all.push(ruler.element().class("frame").fill("none").set("stroke-width", 0.12));
    all.push(text(x, y + 0.9, &format!("{bar} m")).size(0.8));

    let heights = format!("floors from {:.1} to {:.1} m", shades.low_m, shades.high_m);
    all.push(HEIGHTS.strip(at.x, at.y + 1.5, 0.8, &heights));

    let column = (width - 2.0 * at.x) / 4.0;
    let place = |i: usize| at + DVec2::new((i % 4) as f64 * column + 0.8, 3.6 + (i / 4) as f64 * 1.3);
    let name = |i: usize, what: &str| text(place(i).x + 1.1, place(i).y + 0.28, what).size(0.75);
    for (i, item) in Item::ALL.into_iter().enumerate() {
        all.push(signs::item(item, place(i)));
        all.push(name(i, item.name()));
    }
    let next = Item::ALL.len();
    all.push(signs::start(place(next), 0.0, signs::START));
    all.push(name(next, "start"));
    all.push(signs::start(place(next + 1), 0.0, signs::TELEPORT));
    all.push(name(next + 1, "out of a teleport"));
    for (i, what) in ["lift", "harm", "window"].into_iter().enumerate() {
        let at = place(next + 2 + i);
        let sample = rect(at.x - 0.7, at.y - 0.4, 1.4, 0.8);
        all.push(sample.clone().class("card"));
        all.push(sample.fill(format!("url(#{what})")).class("frame").set("stroke-width", 0.06));
        all.push(name(next + 2 + i, what));
    }
    let at = place(next + 5);
    let fence = line((at.x - 0.7, at.y), (at.x + 0.7, at.y)).class("frame").set("stroke-width", 0.2);
    all.push(fence.set("stroke-dasharray", "0.4 0.25"));
    all.push(name(next + 5, "fence"));
    if with_places {
        for (i, style) in paths::STYLES.iter().enumerate() {
            let at = place(next + 6 + i) + DVec2::new(0.0, 0.2);
            let sample = line((at.x - 0.7, at.y), (at.x + 0.7, at.y));
            all.push(paths::styled(sample, style));
            all.push(name(next + 6 + i, style.meaning));
        }
    }
    all
}
