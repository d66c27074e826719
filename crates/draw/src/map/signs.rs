//! Items, starts and teleports.

use std::fmt::{self, Write};

use glam::DVec2;
use repertoire_mind::{Item, Weapon};

use super::View;
use crate::arena::map::{Map, Start};

/// The colour of what belongs to a weapon.
pub fn colour(item: Item) -> &'static str {
    match item {
        Item::Health => "#d62f2f",
        Item::Weapon(Weapon::Weak) | Item::Ammo(Weapon::Weak) => "#5b6770",
        Item::Weapon(Weapon::Medium) | Item::Ammo(Weapon::Medium) => "#e08a00",
        Item::Weapon(Weapon::Strong) | Item::Ammo(Weapon::Strong) => "#9c1f7a",
    }
}

/// The sign of an item: a cross for health, a diamond for a weapon, a disc for ammunition.
pub fn item(item: Item, at: DVec2, out: &mut String) -> fmt::Result {
    let colour = colour(item);
    write!(out, "<g transform=\"translate({:.2} {:.2})\" stroke=\"#fff\" stroke-width=\"0.1\">", at.x, at.y)?;
    match item {
        Item::Health => write!(
            out,
            "<path d=\"M-0.2 -0.6H0.2V-0.2H0.6V0.2H0.2V0.6H-0.2V0.2H-0.6V-0.2H-0.2Z\" fill=\"{colour}\"/>"
        )?,
        Item::Weapon(_) => write!(out, "<path d=\"M0 -0.8L0.8 0L0 0.8L-0.8 0Z\" fill=\"{colour}\"/>")?,
        Item::Ammo(_) => write!(out, "<circle r=\"0.4\" fill=\"{colour}\"/>")?,
    }
    writeln!(out, "</g>")
}

/// The sign of a start: an arrow in the direction of sight. SVG turns clockwise.
pub fn start(at: DVec2, yaw: f64, fill: &str, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<path transform=\"translate({:.2} {:.2}) rotate({:.1})\" d=\"M0.8 0L-0.55 0.55L-0.25 0L-0.55 -0.55Z\" \
         fill=\"{fill}\" stroke=\"#fff\" stroke-width=\"0.1\"/>",
        at.x,
        at.y,
        -yaw.to_degrees()
    )
}

/// The colour of starts, and of teleports.
pub const START: &str = "#1d7a3a";
/// See [`START`].
pub const TELEPORT: &str = "#8a2be2";

/// All of a map's.
pub fn signs(map: &Map, view: &View, out: &mut String) -> fmt::Result {
    for line in &map.lines {
        let Some(exit) = line.teleport.and_then(|exit| map.exits.get(usize::from(exit))) else { continue };
        let (from, to) = (view.at((line.a + line.b) / 2.0), view.at(exit.at));
        writeln!(
            out,
            "<path d=\"M{:.2} {:.2}L{:.2} {:.2}\" stroke=\"{TELEPORT}\" stroke-width=\"0.12\" \
             stroke-dasharray=\"0.2 0.5\" fill=\"none\"/>",
            from.x, from.y, to.x, to.y
        )?;
    }
    for spot in &map.items {
        item(spot.item, view.at(spot.at), out)?;
    }
    for Start { at, yaw } in &map.exits {
        start(view.at(*at), *yaw, TELEPORT, out)?;
    }
    for Start { at, yaw } in &map.starts {
        start(view.at(*at), *yaw, START, out)?;
    }
    Ok(())
}
