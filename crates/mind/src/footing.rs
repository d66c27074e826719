//! A reflex of characters that steer by themselves: not running off a ledge or onto ground that harms, and leaving such
//! ground.
//!
//! Play on flat ground never shows anyone stopping at a ledge, so this reflex is not learned.

use std::f64::consts::PI;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::route::Route;
use crate::tasks::Way;
use crate::{Command, Own, Percept, Place, Places, turn_between, wrap_angle};

/// How far ahead the ground is looked at.
const AHEAD_M: [f64; 2] = [0.8, 1.6];
/// A drop of more than this is not run down, unless a link does.
const DROP_M: f64 = 2.0;
/// Somebody this far above a point does not stand on its floor.
const SAME_FLOOR_M: f64 = 1.0;
/// A character that runs within this angle of its way is following it: 10 degrees.
const STRAIGHT: f64 = PI / 18.0;
/// A link leads where one runs if it is off by no more than this.
const SAME_WAY: f64 = PI / 6.0;
/// A character that was kept from its way this many times (each time it went on takes half of one back) is bold for the
/// next [`BOLD`] decisions.
const PATIENCE: u32 = 30;
const BOLD: u32 = 20;
/// Turns that are tried, the smallest first, to either side.
const TURNS: u32 = 8;
const TURN: f64 = PI / 12.0;

/// Whether it may go on, and the way off ground that harms, if it stands on such.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Footing {
    out: Route,
    /// How often it did not follow a way lately.
    refused: u32,
    /// Until when it follows ways wherever they lead.
    bold_until: u32,
}

impl Footing {
    /// Changes a command that leads off a ledge or onto harmful ground, or stays on it. `ways` are known to lead on, if
    /// only by a drop; and if there is no way but through harm, it is taken in the end.
    pub fn keep(&mut self, percept: &Percept, places: &Places, ways: &[Option<Way>], command: &mut Command) {
        let own = &percept.own;
        if !own.on_ground || percept.tick < self.bold_until {
            return;
        }
        let here = places.nearest(own.position);
        if is_harmful(places, here, own.position.z) {
            self.out.set_goal(places.refuge(here));
            self.out.set_out(own, places);
            if let Some(step) = self.out.way(percept, places) {
                command.run(libm::atan2(step.way.y, step.way.x) - own.yaw, step.way.length());
                command.jump |= step.jump;
            }
            return;
        }
        self.out.forget();
        let pace = libm::hypot(command.forward, command.lateral);
        if !command.wants_to_move() {
            return;
        }
        let direction = own.yaw + command.heading();
        let is_way = |way: &Way| wrap_angle(own.yaw + way.yaw - direction).abs() < STRAIGHT;
        let on_way = ways.iter().flatten().any(is_way);
        if leads_on(own, places, here, direction, on_way) {
            self.refused = self.refused.saturating_sub(1);
            return;
        }
        self.refused += if on_way { 2 } else { 0 };
        if self.refused > PATIENCE {
            // There is no other way.
            *self = Footing { bold_until: percept.tick + BOLD, ..Footing::default() };
            return;
        }
        let turned = (1..=TURNS).flat_map(|k| [1.0, -1.0].map(|side| side * f64::from(k) * TURN));
        let safe = turned.map(|turn| direction + turn).find(|&way| leads_on(own, places, here, way, false));
        match safe {
            Some(way) => command.run(way - own.yaw, pace),
            None => (command.forward, command.lateral) = (0.0, 0.0),
        }
    }
}

/// Whether somebody who stands at this height by a point stands on ground that harms.
fn is_harmful(places: &Places, place: Place, height_m: f64) -> bool {
    places.is_harmful(place) && height_m < places.point(place).z + SAME_FLOOR_M
}

/// Whether the floor goes on in a direction without harm, or a link leads down there, or it may drop.
fn leads_on(own: &Own, places: &Places, here: Place, yaw: f64, may_drop: bool) -> bool {
    let (sin, cos) = libm::sincos(yaw);
    let floor = |ahead_m: f64| places.standing(own.position + DVec3::new(cos, sin, 0.0) * ahead_m);
    let is_deep = |floor_m: f64| own.position.z - floor_m > DROP_M;
    let is_linked = || {
        places.links(here).iter().any(|link| {
            let line = places.point(link.to) - own.position;
            let off = turn_between(yaw, libm::atan2(line.y, line.x));
            is_deep(places.point(link.to).z) && off.abs() < SAME_WAY
        })
    };
    AHEAD_M.into_iter().filter_map(floor).all(|(place, floor_m)| {
        !is_harmful(places, place, floor_m) && (may_drop || !is_deep(floor_m) || is_linked())
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec2;
    use proptest::prelude::*;

    use super::*;
    use crate::{Cells, How, Link};

    /// A terrace of 8 by 8 metres with its middle at (4, 4): west of it a court 3 m below, to which a link leads only from
    /// the middle of the edge; east of it a pit that harms, half a metre below.
    fn terrace(linked: bool) -> Places {
        let points = [(4.0, 4.0, 0.0), (-2.0, 4.0, -3.0), (10.0, 4.0, -0.5)];
        let points: Vec<DVec3> = points.into_iter().map(|(x, y, z)| DVec3::new(x, y, z)).collect();
        let link = |to| Link { to: Place(to), how: How::Walk, millis: 1000 };
        let mut links = vec![vec![link(2)], vec![link(0)], vec![link(0)]];
        if linked {
            links[0].push(link(1));
        }
        let column = |k: usize| match k {
            0..4 => (1, -3.0),
            4..12 => (0, 0.0),
            _ => (2, -0.5),
        };
        let cells: Vec<(u16, f32)> = (0..8).flat_map(|_| (0..16).map(column)).collect();
        let cells = Cells {
            origin: DVec2::new(-4.0, 0.0),
            size_m: 1.0,
            width: 16,
            place: cells.iter().map(|cell| cell.0).collect(),
            floor_m: cells.iter().map(|cell| cell.1).collect(),
        };
        let places = Places::new(points, links, cells, Vec::new(), Vec::new()).expect("three points");
        places.with_harmful(vec![false, false, true])
    }

    fn at(x: f64, y: f64, z: f64) -> Percept {
        let mut percept = Percept::default();
        percept.own.position = DVec3::new(x, y, z);
        percept.own.on_ground = true;
        percept
    }

    fn toward(yaw: f64) -> Command {
        let (lateral, forward) = libm::sincos(yaw);
        Command { forward, lateral, ..Command::default() }
    }

    fn kept(percept: &Percept, places: &Places, yaw: f64) -> Command {
        let mut command = toward(yaw);
        Footing::default().keep(percept, places, &[], &mut command);
        command
    }

    #[test]
    fn nobody_runs_off_a_ledge_unless_a_link_leads_down() {
        let edge = at(0.5, 4.0, 0.0);
        let turned = kept(&edge, &terrace(false), PI);
        assert!(turned.forward > -0.7, "it would still fall: {turned:?}");
        assert!(turned.wants_to_move(), "along the edge");
        assert_eq!(kept(&edge, &terrace(true), PI), toward(PI));
        let mut known = toward(PI);
        let down = Way { yaw: PI, jump: false, wait: false };
        Footing::default().keep(&edge, &terrace(false), &[None, Some(down)], &mut known);
        assert_eq!(known, toward(PI), "a way leads down");
        let corner = at(0.5, 7.5, 0.0);
        assert_ne!(kept(&corner, &terrace(true), PI), toward(PI), "the link leads down elsewhere");
    }

    #[test]
    fn nobody_runs_onto_what_harms_and_who_stands_there_leaves() {
        let places = terrace(false);
        assert_ne!(kept(&at(7.5, 4.0, 0.0), &places, 0.0), toward(0.0), "though a link leads there");
        let out = kept(&at(9.0, 4.0, -0.5), &places, 0.0);
        assert!(out.forward < -0.9, "back to the terrace: {out:?}");
        assert!(
            !kept(&at(9.0, 4.0, 1.0), &places, 1.0).wants_to_move(),
            "on something in its midst it stays"
        );
    }

    #[test]
    fn where_no_other_way_leads_on_it_goes_through_in_the_end() {
        let (places, mut footing) = (terrace(false), Footing::default());
        let east = [Some(Way { yaw: 0.0, jump: false, wait: false })];
        let mut through = None;
        for tick in 0..100 {
            let mut command = toward(0.0);
            let percept = Percept { tick, ..at(7.5, 4.0, 0.0) };
            footing.keep(&percept, &places, &east, &mut command);
            if command == toward(0.0) {
                through = through.or(Some(tick));
            }
        }
        assert_eq!(through, Some(15), "after a second and a half");
        let mut command = toward(0.0);
        let percept = Percept { tick: 16, ..at(9.0, 4.0, -0.5) };
        Footing { bold_until: 20, ..Footing::default() }.keep(&percept, &places, &east, &mut command);
        assert_eq!(command, toward(0.0), "and does not turn back at once");
    }

    proptest! {
        /// Where the floor goes on, and in the air, a command is none of its business.
        #[test]
        fn other_commands_stay(yaw in -PI..PI, x in 1.7..6.3f64, y in 1.7..6.3f64, linked: bool) {
            let places = terrace(linked);
            prop_assert_eq!(kept(&at(x, y, 0.0), &places, yaw), toward(yaw));
            let mut falling = at(0.2, 4.0, 1.0);
            falling.own.on_ground = false;
            prop_assert_eq!(kept(&falling, &places, yaw), toward(yaw));
        }
    }
}
