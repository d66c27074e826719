//! Items, starts and teleports.

use glam::DVec2;
use repertoire_mind::Item;
use repertoire_worlds::arena::map::{Map, Start};

use super::View;
use crate::svg::{Element, Path, circle, group_at, line};

/// The colour of what belongs to a weapon.
pub fn colour(item: Item) -> &'static str {
    match item {
        Item::Health | Item::SmallHealth | Item::MegaHealth => "#d62f2f",
        Item::Armour(_) => "#2e8b3d",
        Item::Quad => "#2456c9",
        Item::Weapon(weapon) | Item::Ammo(weapon) | Item::LargeAmmo(weapon) => {
            ["#5b6770", "#e08a00", "#9c1f7a"][weapon.index()]
        }
    }
}

/// The sign of an item: a cross for health, a diamond for a weapon, a disc for ammunition, a square for armour and the quad.
pub fn item(item: Item, at: DVec2) -> Element {
    let shape = match item {
        Item::Health | Item::SmallHealth | Item::MegaHealth => {
            let (thin, wide) = (0.2, 0.6);
            let arm =
                [(-thin, -wide), (thin, -wide), (thin, -thin), (wide, -thin), (wide, thin), (thin, thin)];
            let rest =
                [(thin, wide), (-thin, wide), (-thin, thin), (-wide, thin), (-wide, -thin), (-thin, -thin)];
            Path::polygon(arm.into_iter().chain(rest)).element()
        }
        Item::Weapon(_) => Path::polygon([(0.0, -0.8), (0.8, 0.0), (0.0, 0.8), (-0.8, 0.0)]).element(),
        Item::Ammo(_) => circle(0.0, 0.0, 0.4),
        Item::LargeAmmo(_) => circle(0.0, 0.0, 0.55),
        Item::Armour(_) | Item::Quad => {
            Path::polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]).element()
        }
    };
    let sign = group_at(at.x, at.y).set("stroke", "#fff").set("stroke-width", 0.1);
    sign.with(shape.fill(colour(item)))
}

/// An arrow from the middle to the east; the sign of starts, and of bodies.
pub fn arrow() -> Path {
    Path::polygon([(0.8, 0.0), (-0.55, 0.55), (-0.25, 0.0), (-0.55, -0.55)])
}

/// The sign of a start: an arrow in the direction of sight. SVG turns clockwise.
pub fn start(at: DVec2, yaw: f64, fill: &str) -> Element {
    let turned = format!("rotate({:.1})", -yaw.to_degrees());
    let arrow = arrow().element().set("transform", turned).fill(fill);
    group_at(at.x, at.y).with(arrow.set("stroke", "#fff").set("stroke-width", 0.1))
}

/// The colour of starts, and of teleports.
pub const START: &str = "#1d7a3a";
/// See [`START`].
pub const TELEPORT: &str = "#8a2be2";

/// All of a map's.
pub fn signs(map: &Map, view: &View) -> Vec<Element> {
    let mut all = Vec::new();
    for from in &map.lines {
        let Some(exit) = from.teleport.and_then(|exit| map.exits.get(usize::from(exit))) else { continue };
        let (from, to) = (view.at((from.a + from.b) / 2.0), view.at(exit.at));
        let way = line(from.into(), to.into()).stroke(TELEPORT, 0.12).set("stroke-dasharray", "0.2 0.5");
        all.push(way);
    }
    all.extend(map.items.iter().map(|spot| item(spot.item, view.at(spot.at))));
    all.extend(map.exits.iter().map(|Start { at, yaw, .. }| start(view.at(*at), *yaw, TELEPORT)));
    all.extend(map.starts.iter().map(|Start { at, yaw, .. }| start(view.at(*at), *yaw, START)));
    all
}
