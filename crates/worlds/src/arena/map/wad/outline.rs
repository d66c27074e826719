//! From linedefs to the lines of a map: without those that bound nothing, and with every area closed.

use std::collections::BTreeMap;

use super::WadError;
use super::locate::Locator;
use super::notes::Notes;
use super::records::{Edge, Point};
use super::sectors::Ground;
use super::specials::{self, Action};

/// A linedef's flag: bodies do not pass.
const IMPASSABLE: u16 = 1;
/// So many lines within one sector are looked up; a file with more is no map for playing.
const MOST_WITHIN: usize = 4096;

/// The edges that bound open ground. Each has a sector on its right, and one or none on its left.
pub fn draw(edges: &[Edge], grounds: &[Ground], notes: &mut Notes) -> Result<Vec<Edge>, WadError> {
    let is_open = |sector: &u16| grounds.get(usize::from(*sector)).is_some_and(|ground| !ground.solid);
    let mut bounds = Vec::new();
    let mut within = Vec::new();
    for edge in edges {
        if edge.a == edge.b {
            notes.add(1, ("line without length left out", "lines without length left out"));
            continue;
        }
        if edge.right.is_none() && edge.left.is_none() {
            notes.add(1, ("line without a side left out", "lines without a side left out"));
            continue;
        }
        let edge = Edge { right: edge.right.filter(is_open), left: edge.left.filter(is_open), ..*edge };
        match (edge.right, edge.left) {
            // All that it bounds is solid.
            (None, None) => {}
            (None, Some(_)) => bounds.push(turned(edge)),
            (Some(right), Some(left)) if right == left => within.push(edge),
            _ => bounds.push(edge),
        }
    }
    check_closed(&bounds)?;
    let mut inner = keep_within(&within, &Locator::new(&bounds), notes);
    bounds.append(&mut inner);
    Ok(bounds)
}

/// Whether bodies do not pass an edge between two sectors.
pub fn is_fence(edge: &Edge) -> bool {
    edge.left.is_some() && edge.flags & IMPASSABLE != 0
}

/// A wall seen from its other side.
fn turned(edge: Edge) -> Edge {
    Edge { a: edge.b, b: edge.a, right: edge.left, left: edge.right, ..edge }
}

/// Of the lines with one sector on both sides only fences and teleporters matter.
///
/// Map makers draw such lines in another sector to cheat the renderer of Doom. Where a line lies decides what is on
/// both sides of it, whatever it says itself.
fn keep_within(within: &[Edge], bounds: &Locator<'_>, notes: &mut Notes) -> Vec<Edge> {
    let mut kept = Vec::new();
    let mut looked_up = 0;
    for edge in within {
        let teleports = specials::read(edge.special).0 == Action::Teleport;
        let mut sector = None;
        if (teleports || is_fence(edge)) && looked_up < MOST_WITHIN {
            looked_up += 1;
            let (a, b) = (edge.a, edge.b);
            let middle = |a: i16, b: i16| (f64::from(a) + f64::from(b)) / 2.0;
            sector = bounds.sector_at(middle(a.x, b.x), middle(a.y, b.y));
        }
        match sector {
            Some(_) => kept.push(Edge { right: sector, left: sector, ..*edge }),
            None => notes.add(1, ("line within one sector left out", "lines within one sector left out")),
        }
    }
    kept
}

/// Every sector's outline must be a set of loops: as many of its lines come to a point as leave it, when each is
/// followed with the sector on its right. Then nobody leaves a sector but across one of its lines.
fn check_closed(bounds: &[Edge]) -> Result<(), WadError> {
    let mut leaving: BTreeMap<(u16, Point), i64> = BTreeMap::new();
    for edge in bounds {
        for (sector, from, to) in [(edge.right, edge.a, edge.b), (edge.left, edge.b, edge.a)] {
            if let Some(sector) = sector {
                *leaving.entry((sector, from)).or_default() += 1;
                *leaving.entry((sector, to)).or_default() -= 1;
            }
        }
    }
    match leaving.into_iter().find(|(_, surplus)| *surplus != 0) {
        Some(((sector, at), _)) => Err(WadError::Open { sector, x: at.x, y: at.y }),
        None => Ok(()),
    }
}
