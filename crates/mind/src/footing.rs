//! A reflex of characters that steer by themselves: not running off a ledge or onto ground that harms, and leaving such
//! ground.
//!
//! Who learned where the floor is even has seen nobody stop at an edge: that is no matter of whom one imitates.

use std::f64::consts::PI;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::route::Route;
use crate::{Command, Own, Percept, Place, Places, turn_between};

/// The ground is looked at so far ahead.
const AHEAD_M: [f64; 2] = [0.8, 1.6];
/// A drop of more than this is not run down, unless a link does.
const DROP_M: f64 = 2.0;
/// Somebody this far above a point does not stand on its floor.
const SAME_FLOOR_M: f64 = 1.0;
/// A link leads where one runs if it is off by no more than this.
const SAME_WAY: f64 = PI / 6.0;
/// Turns that are tried, the smallest first, to either side.
const TURNS: u32 = 8;
const TURN: f64 = PI / 12.0;

/// The way off ground that harms, if it stands on such.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Footing {
    out: Route,
}

impl Footing {
    /// Changes a command that leads off a ledge or onto harmful ground, or stays on it.
    pub fn keep(&mut self, percept: &Percept, places: &Places, command: &mut Command) {
        let own = &percept.own;
        if !own.on_ground {
            return;
        }
        let here = places.nearest(own.position);
        if is_harmful(places, here, own.position.z) {
            self.out.set_goal(places.refuge(here));
            if let Some(step) = self.out.way(percept, places) {
                run(command, own, libm::atan2(step.way.y, step.way.x), step.way.length());
                command.jump |= step.jump;
            }
            return;
        }
        self.out.set_goal(None);
        let pace = libm::hypot(command.forward, command.lateral);
        if !command.wants_to_move() {
            return;
        }
        let direction = own.yaw + libm::atan2(command.lateral, command.forward) + command.yaw / 2.0;
        if leads_on(own, places, here, direction) {
            return;
        }
        let turned = (1..=TURNS).flat_map(|k| [1.0, -1.0].map(|side| side * f64::from(k) * TURN));
        let safe = turned.map(|turn| direction + turn).find(|&way| leads_on(own, places, here, way));
        match safe {
            Some(way) => run(command, own, way, pace),
            None => (command.forward, command.lateral) = (0.0, 0.0),
        }
    }
}

fn run(command: &mut Command, own: &Own, yaw: f64, pace: f64) {
    let (sin, cos) = libm::sincos(yaw - own.yaw - command.yaw / 2.0);
    (command.forward, command.lateral) = (pace * cos, pace * sin);
}

/// Whether one who stands at this height by a point stands on ground that harms.
fn is_harmful(places: &Places, place: Place, height_m: f64) -> bool {
    places.is_harmful(place) && height_m < places.point(place).z + SAME_FLOOR_M
}

/// Whether the floor goes on in a direction without harm, or a link leads down there.
fn leads_on(own: &Own, places: &Places, here: Place, yaw: f64) -> bool {
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
    AHEAD_M
        .into_iter()
        .filter_map(floor)
        .all(|(place, floor_m)| !is_harmful(places, place, floor_m) && (!is_deep(floor_m) || is_linked()))
}
