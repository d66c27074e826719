//! Floors by height, and the names of areas.

use std::collections::BTreeMap;

use glam::DVec2;
use repertoire_worlds::arena::map::{Area, Map};

use super::{BODY_M, View};
use crate::colour::HEIGHTS;
use crate::svg::{Element, Path, text};

/// Shades from the lowest floor of a map to its highest.
pub struct Shades {
    /// The lowest floor.
    pub low_m: f64,
    /// The highest floor.
    pub high_m: f64,
}

impl Shades {
    /// Those of a map, by the floors one can stand on.
    pub fn of(map: &Map) -> Self {
        let (mut low_m, mut high_m) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut include = |height: f64| {
            if height.is_finite() {
                low_m = low_m.min(height);
                high_m = high_m.max(height);
            }
        };
        for line in &map.lines {
            for area in [Some(line.right), line.left].into_iter().flatten() {
                let Some(area) = map.areas.get(usize::from(area)) else { continue };
                if !is_window(area) {
                    include(area.floor.at(line.a));
                    include(area.floor.at(line.b));
                }
            }
        }
        if low_m <= high_m { Shades { low_m, high_m } } else { Shades { low_m: 0.0, high_m: 0.0 } }
    }

    /// The colour of a height.
    pub fn colour(&self, height_m: f64) -> String {
        let span = self.high_m - self.low_m;
        HEIGHTS.at(if span > 0.0 { (height_m - self.low_m) / span } else { 0.6 })
    }
}

/// Too low to stand in: one shoots through it.
fn is_window(area: &Area) -> bool {
    area.floor.slope == DVec2::ZERO && area.lift.is_none() && area.ceiling_m - area.floor.height_m < BODY_M
}

/// The closed loops of every area's border, and what cannot be closed as it is.
pub fn loops(map: &Map) -> Vec<Vec<Vec<DVec2>>> {
    let mut edges: Vec<Vec<(DVec2, DVec2)>> = vec![Vec::new(); map.areas.len()];
    for line in &map.lines {
        if line.left == Some(line.right) {
            continue;
        }
        for (area, a, b) in [(Some(line.right), line.a, line.b), (line.left, line.b, line.a)] {
            if let Some(list) = area.and_then(|area| edges.get_mut(usize::from(area))) {
                list.push((a, b));
            }
        }
    }
    edges.into_iter().map(|edges| chained(&edges)).collect()
}

fn chained(edges: &[(DVec2, DVec2)]) -> Vec<Vec<DVec2>> {
    let key = |at: DVec2| (at.x.to_bits(), at.y.to_bits());
    let mut leaving: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for (at, edge) in edges.iter().enumerate() {
        leaving.entry(key(edge.0)).or_default().push(at);
    }
    let mut used = vec![false; edges.len()];
    let mut loops = Vec::new();
    for first in 0..edges.len() {
        let mut chain = Vec::new();
        let mut next = (!used[first]).then_some(first);
        while let Some(at) = next {
            used[at] = true;
            chain.push(edges[at].0);
            next = leaving
                .get_mut(&key(edges[at].1))
                .and_then(|list| std::iter::from_fn(|| list.pop()).find(|&at| !used[at]));
        }
        if chain.len() > 1 {
            loops.push(chain);
        }
    }
    loops
}

/// The floors.
pub fn floors(map: &Map, view: &View, shades: &Shades) -> Vec<Element> {
    let mut all = Vec::new();
    for (at, (area, loops)) in map.areas.iter().zip(loops(map)).enumerate() {
        if loops.is_empty() {
            continue;
        }
        let mut path = Path::new();
        for corners in &loops {
            path.join(&Path::polygon(corners.iter().map(|&corner| view.at(corner).into())));
        }
        let shape = || path.element().set("fill-rule", "evenodd");
        let fill = if is_window(area) {
            "url(#window)".into()
        } else if area.floor.slope != DVec2::ZERO
            && let Some(gradient) = gradient(at, area, &loops, view, shades)
        {
            all.push(gradient);
            format!("url(#ramp{at})")
        } else {
            shades.colour(area.floor.height_m)
        };
        // A stroke of its own colour closes the hairlines between neighbours.
        let floor = shape().fill(fill.as_str()).set("stroke", fill.as_str()).set("stroke-width", 0.04);
        all.push(floor.titled(&area.name));
        for (there, pattern) in [(area.lift.is_some(), "url(#lift)"), (area.harm_per_sec > 0.0, "url(#harm)")]
        {
            if there {
                all.push(shape().fill(pattern));
            }
        }
    }
    all
}

/// The gradient of a ramp.
fn gradient(at: usize, area: &Area, loops: &[Vec<DVec2>], view: &View, shades: &Shades) -> Option<Element> {
    let corners = || loops.iter().flatten().copied();
    let height = |at: &DVec2| area.floor.at(*at);
    let low = corners().min_by(|a, b| height(a).total_cmp(&height(b)))?;
    let high = corners().max_by(|a, b| height(a).total_cmp(&height(b)))?;
    // Along the slope, from its lowest corner as far as its highest.
    let along = area.floor.slope / area.floor.slope.length();
    let (from, to) = (view.at(low), view.at(low + along * (high - low).dot(along)));
    let mut gradient = Element::new("linearGradient")
        .set("id", format!("ramp{at}"))
        .set("gradientUnits", "userSpaceOnUse")
        .set("x1", from.x)
        .set("y1", from.y)
        .set("x2", to.x)
        .set("y2", to.y);
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let colour = shades.colour(height(&low) + (height(&high) - height(&low)) * part);
        gradient.push(Element::new("stop").set("offset", part).set("stop-color", colour));
    }
    Some(gradient)
}

/// Names and heights of areas that have room for them; maps of very many areas would drown in text.
pub fn labels(map: &Map, view: &View) -> Vec<Element> {
    if map.areas.len() > 400 {
        return Vec::new();
    }
    let signs: Vec<DVec2> = map
        .items
        .iter()
        .map(|spot| spot.at)
        .chain(map.starts.iter().chain(&map.exits).map(|s| s.at))
        .collect();
    let mut all = Vec::new();
    for (area, loops) in map.areas.iter().zip(loops(map)) {
        let Some((centre, room)) = widest(&loops, &signs) else { continue };
        let letters = area.name.chars().count().max(4) as f64;
        let size = (2.0 * room / (0.55 * letters)).min(1.0);
        if size < 0.5 {
            continue;
        }
        let at = view.at(centre);
        let height = match (area.lift, area.floor.slope == DVec2::ZERO) {
            (Some(lift), _) => format!("{:.1} to {:.1}", lift.low_m, lift.high_m),
            (None, true) => format!("{:.1}", area.floor.height_m),
            (None, false) => String::new(),
        };
        let mut lines = vec![text(at.x, at.y, &area.name).size(size)];
        if !height.is_empty() {
            lines.push(text(at.x, at.y + 0.95 * size, &height).size(0.75 * size));
        }
        // Floors keep their colours on any paper, so these letters are always dark.
        all.extend(lines.into_iter().map(|line| {
            line.centred()
                .fill("#1d1915")
                .set("stroke", "#ffffff")
                .set("stroke-opacity", 0.55)
                .set("stroke-width", size * 0.16)
                .set("paint-order", "stroke")
        }));
    }
    all
}

/// The point farthest from the border of an area and from `signs`, among those of a coarse grid, and how far it is.
fn widest(loops: &[Vec<DVec2>], signs: &[DVec2]) -> Option<(DVec2, f64)> {
    let corners = || loops.iter().flatten().copied();
    let low = corners().reduce(DVec2::min)?;
    let high = corners().reduce(DVec2::max)?;
    let mut best: Option<(DVec2, f64, f64)> = None;
    const CELLS: usize = 24;
    for i in 0..CELLS * CELLS {
        let cell = DVec2::new((i % CELLS) as f64 + 0.5, (i / CELLS) as f64 + 0.5) / CELLS as f64;
        let at = low + (high - low) * cell;
        let mut inside = false;
        let mut distance = signs.iter().map(|sign| sign.distance(at)).fold(f64::INFINITY, f64::min);
        for corners in loops {
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                inside ^=
                    (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x);
                let part = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                distance = distance.min(at.distance(a + (b - a) * part));
            }
        }
        // Where there is room enough, rather in the middle.
        let score = distance.min(2.5) - 0.05 * at.distance((low + high) / 2.0);
        if inside && best.is_none_or(|(_, _, most)| score > most) {
            best = Some((at, distance, score));
        }
    }
    best.map(|(at, distance, _)| (at, distance))
}
