//! Following links to a goal, and noticing when that does not work.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use crate::unstuck::Unstuck;
use crate::{How, Own, Percept, Place, Places, turn_between};

/// A goal nearer than this counts as reached.
const THERE_M: f64 = 0.6;
/// A character that is this much farther from the next point than it has been is no longer following the way.
const ASTRAY_M: f64 = 1.5;
/// Where rooms lie above rooms, a point this much higher or lower is on another floor.
const SAME_FLOOR_M: f64 = 1.6;
/// A point this much higher than somebody's feet is on a ledge above them: it is higher than a step, and lower than a jump.
const BELOW_M: f64 = 0.7;
/// A ledge is jumped for from this near, measured on the ground.
const NEAR_LEDGE_M: f64 = 1.0;
/// Where rooms lie above rooms, another way is tried after this many decisions on one leg.
const LONGEST_LEG: u32 = 40;
/// A character that runs within this angle of a point is running to it: 5 degrees.
const STRAIGHT: f64 = std::f64::consts::PI / 36.0;

/// The link being followed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    to: Place,
    how: How,
}

impl Leg {
    /// The nearby point that somebody running along a yaw is heading for, if there is one.
    pub fn of_runner(own: &Own, yaw: f64, places: &Places) -> Option<Self> {
        let here = places.nearest(own.position);
        let links = places.links(here).iter().map(|link| Leg { to: link.to, how: link.how });
        let near = std::iter::once(Leg { to: here, how: How::Walk }).chain(links);
        let ahead = near.filter(|leg| {
            let line = (places.point(leg.to) - own.position).truncate();
            line.length() >= THERE_M && turn_between(yaw, libm::atan2(line.y, line.x)).abs() < STRAIGHT
        });
        ahead.min_by(|a, b| {
            let [a, b] = [a, b].map(|leg| flat_distance(own, places.point(leg.to), places));
            a.total_cmp(&b)
        })
    }

    /// How far its end is.
    pub fn left_m(&self, own: &Own, places: &Places) -> f64 {
        flat_distance(own, places.point(self.to), places)
    }
}

/// What to do with the legs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Where to run, as a direction on the ground of length 1, or zero to wait.
    pub way: DVec2,
    /// Whether to jump.
    pub jump: bool,
}

/// The way to a goal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    goal: Option<Place>,
    leg: Option<Leg>,
    /// Whether it gets on.
    #[serde(default)]
    unstuck: Unstuck,
    /// How often it got stuck on the way to this goal.
    troubles: u32,
    /// How many decisions it has been on this leg.
    #[serde(default, skip_serializing_if = "is_zero")]
    tries: u32,
    /// How near it has come to the point that is being walked to.
    #[serde(default)]
    nearest_m: f64,
}

impl Route {
    /// Forgets everything, for instance after a death.
    pub fn forget(&mut self) {
        *self = Route::default();
    }

    /// The goal.
    pub fn goal(&self) -> Option<Place> {
        self.goal
    }

    /// Goes for another goal.
    pub fn set_goal(&mut self, goal: Option<Place>) {
        if goal != self.goal {
            self.goal = goal;
            self.troubles = 0;
        }
    }

    /// Whether this goal has caused so much trouble that another one would be better.
    pub fn is_hopeless(&self) -> bool {
        self.troubles >= 3
    }

    /// The point that is being walked to.
    pub fn waypoint(&self, places: &Places) -> Option<DVec3> {
        self.leg.map(|leg| places.point(leg.to))
    }

    /// The next step towards the goal for one who may or may not be following it: no detours, and whoever has gone
    /// away from the way looks for it again. None when there, or when there is no goal.
    pub fn way(&mut self, percept: &Percept, places: &Places) -> Option<Step> {
        let own = &percept.own;
        let goal = self.goal?;
        if flat_distance(own, places.point(goal), places) < THERE_M {
            self.leg = None;
            return None;
        }
        let was = self.leg;
        let mut leg = self.choose_leg(own, goal, places)?;
        let mut left_m = flat_distance(own, places.point(leg.to), places);
        let is_new = was.is_none_or(|was| was.to != leg.to);
        if !is_new && left_m > self.nearest_m + ASTRAY_M {
            self.leg = None;
            leg = self.choose_leg(own, goal, places)?;
            left_m = flat_distance(own, places.point(leg.to), places);
            self.nearest_m = left_m;
        } else {
            self.nearest_m = if is_new { left_m } else { self.nearest_m.min(left_m) };
        }
        Some(self.walk_leg(percept, leg, places))
    }

    /// The same for a character that finishes the leg it runs, whatever it was begun for: the way goes on from the point it
    /// runs to.
    pub fn way_of_runner(
        &mut self,
        percept: &Percept,
        places: &Places,
        runs_to: Option<Leg>,
    ) -> Option<Step> {
        if runs_to.is_some_and(|leg| self.leg.is_none_or(|own| own.to != leg.to)) {
            self.leg = runs_to;
            self.nearest_m = f64::MAX;
        }
        self.way(percept, places)
    }

    /// Where the way to the goal is after so many metres, or its end if it is shorter; none when there is no goal.
    pub fn ahead(&self, own: &Own, places: &Places, metres: f64) -> Option<DVec3> {
        let goal = self.goal?;
        let mut place = self.leg.map_or_else(|| places.nearest(own.position), |leg| leg.to);
        let (mut at, mut left) = (own.position, metres);
        // A way has no more points than the map.
        for _ in 0..places.points().len() {
            let to = places.point(place);
            let far = at.distance(to);
            if far >= left {
                return Some(at.lerp(to, left / far.max(1e-9)));
            }
            (at, left) = (to, left - far);
            match places.next(place, goal) {
                Some(link) if link.how != How::Teleport => place = link.to,
                _ => break,
            }
        }
        Some(at)
    }

    /// Sets out for the goal at once, not by way of the point one stands near.
    pub fn set_out(&mut self, own: &Own, places: &Places) {
        if self.leg.is_none() {
            let here = places.nearest(own.position);
            let link = self.goal.and_then(|goal| places.next(here, goal));
            self.leg = link.map(|link| Leg { to: link.to, how: link.how });
            self.nearest_m = f64::MAX;
        }
    }

    /// Looks for the way again.
    pub fn start_again(&mut self) {
        self.leg = None;
    }

    /// The next step towards the goal; none when there or when there is no goal.
    pub fn step(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Option<Step> {
        let own = &percept.own;
        let goal = self.goal?;
        if let Some(detour) = self.unstuck.detour(percept.tick) {
            return Some(Step { way: detour.way(), jump: detour.jump });
        }
        if flat_distance(own, places.point(goal), places) < THERE_M {
            self.leg = None;
            self.unstuck.rest();
            return None;
        }
        let was = self.leg;
        let leg = self.choose_leg(own, goal, places)?;
        let step = self.walk_leg(percept, leg, places);
        self.tries = if was == Some(leg) { self.tries + 1 } else { 0 };
        // Fast bodies that run to and fro below a ledge do move.
        let is_in_vain = places.has_storeys() && self.tries >= LONGEST_LEG;
        if step.way == DVec2::ZERO {
            self.unstuck.rest();
            self.tries = 0;
        } else if self.unstuck.is_stuck(own.position, percept.tick) || is_in_vain {
            self.unstuck.turn_aside(percept.tick, draw);
            self.troubles += 1;
            self.leg = None;
        }
        Some(step)
    }

    fn choose_leg(&mut self, own: &Own, goal: Place, places: &Places) -> Option<Leg> {
        let here = places.nearest(own.position);
        if let Some(leg) = self.leg {
            let to = places.point(leg.to);
            let arrived = flat_distance(own, to, places) < THERE_M && !is_below(own, to, places);
            // Thrown off the way, or teleported, it must look where it is.
            let lost = own.position.truncate().distance(places.point(leg.to).truncate()) > 9.0
                || is_on_another_floor(own, places.point(leg.to), places);
            let next = places.next(leg.to, goal);
            if arrived && let Some(link) = next {
                self.leg = Some(Leg { to: link.to, how: link.how });
            } else if lost || arrived {
                self.leg = None;
            }
        }
        if self.leg.is_none() {
            let point = places.point(here);
            let link = places.next(here, goal);
            self.leg = match link {
                Some(link) if flat_distance(own, point, places) < THERE_M => {
                    Some(Leg { to: link.to, how: link.how })
                }
                _ => Some(Leg { to: here, how: How::Walk }),
            };
            if link.is_none() && here != goal && flat_distance(own, point, places) < THERE_M {
                // No way from here: whoever chose the goal must choose another.
                self.troubles += 3;
                self.leg = None;
            }
        }
        self.leg
    }

    fn walk_leg(&self, percept: &Percept, leg: Leg, places: &Places) -> Step {
        let own = &percept.own;
        let way = (places.point(leg.to) - own.position).truncate();
        let now = percept.time_secs();
        let lift = |k: u16| places.lifts().get(usize::from(k)).map(|lift| (lift, lift.height_m(now)));
        let must_wait = match leg.how {
            How::LiftDown(k) => lift(k).is_some_and(|(lift, height)| height - lift.low_m > 0.4),
            How::LiftUp(k) => lift(k).is_some_and(|(lift, height)| lift.high_m - height > 0.4),
            _ => false,
        };
        if must_wait {
            return Step::default();
        }
        let slow = own.velocity.truncate().length() < 2.0;
        let rides = matches!(leg.how, How::LiftDown(_) | How::LiftUp(_));
        let climbs = leg.how == How::Jump
            || (!rides && way.length() < NEAR_LEDGE_M && is_below(own, places.point(leg.to), places));
        Step { way: way.normalize_or_zero(), jump: climbs && slow && own.on_ground }
    }
}

fn is_zero(tries: &u32) -> bool {
    *tries == 0
}

/// Where rooms lie above rooms: whether a point is on a ledge above somebody.
fn is_below(own: &Own, to: DVec3, places: &Places) -> bool {
    places.has_storeys() && own.position.z < to.z - BELOW_M
}

/// Where rooms lie above rooms: whether somebody stands under a point, or over it, and so fell off the way to it.
fn is_on_another_floor(own: &Own, to: DVec3, places: &Places) -> bool {
    let gap = to - own.position;
    let near_m = if gap.z > 0.0 { 1.5 } else { THERE_M };
    places.has_storeys() && own.on_ground && gap.z.abs() > SAME_FLOOR_M && gap.truncate().length() < near_m
}

/// Seen from above; where rooms lie above rooms, somebody on another floor is farther away by what is between the floors.
fn flat_distance(own: &Own, to: DVec3, places: &Places) -> f64 {
    let flat = own.position.truncate().distance(to.truncate());
    let height_m = (own.position.z - to.z).abs();
    if places.has_storeys() && height_m > SAME_FLOOR_M { flat + height_m } else { flat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Link};

    /// A cross: 0 in the middle, 1 to the east, 2 to the north, 3 to the west, 4 metres away.
    fn cross() -> Places {
        let points = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)];
        let points = points.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
        let link = |to| Link { to: Place(to), how: How::Walk, millis: 600 };
        let links = vec![vec![link(1), link(2), link(3)], vec![link(0)], vec![link(0)], vec![link(0)]];
        Places::new(points, links, Cells::default(), Vec::new(), Vec::new()).expect("four points")
    }

    fn at(x: f64, y: f64) -> Percept {
        let mut percept = Percept::default();
        percept.own.position = DVec3::new(x, y, 0.0);
        percept
    }

    #[test]
    fn who_runs_to_a_point_is_known_by_his_direction() {
        let (places, percept) = (cross(), at(0.7, 0.0));
        let leg = |yaw: f64| Leg::of_runner(&percept.own, yaw, &places).map(|leg| leg.to);
        assert_eq!(leg(0.0), Some(Place(1)));
        assert_eq!(leg(std::f64::consts::PI), Some(Place(0)), "the nearer of two in a row");
        assert_eq!(leg(-1.0), None);
    }

    #[test]
    fn the_way_of_a_runner_goes_on_from_where_he_runs_to() {
        let (places, percept) = (cross(), at(1.2, 0.0));
        let mut route = Route::default();
        route.set_goal(Some(Place(2)));
        let east = Leg::of_runner(&percept.own, 0.0, &places);
        let way = |step: Option<Step>| step.map(|step| step.way);
        assert_eq!(way(route.clone().way(&percept, &places)), Some(DVec2::NEG_X), "back to the middle first");
        assert_eq!(way(route.way_of_runner(&percept, &places, east)), Some(DVec2::X), "he finishes his leg");
        let there = at(3.9, 0.0);
        assert_eq!(
            way(route.way_of_runner(&there, &places, None)),
            Some(DVec2::NEG_X),
            "and then turns back"
        );
    }

    /// A floor with a ledge 1.3 m above its eastern end, and a way along the ledge.
    fn ledge() -> Places {
        let points = [(0.0, 0.0, 0.0), (4.0, 0.0, 1.3), (4.0, 8.0, 1.3)];
        let points = points.map(|(x, y, z)| DVec3::new(x, y, z)).to_vec();
        let link = |to, how| Link { to: Place(to), how, millis: 600 };
        let links = vec![vec![link(1, How::Jump)], vec![link(2, How::Walk), link(0, How::Walk)], vec![]];
        let cells = Cells { size_m: 1.0, ..Cells::default() };
        let places = Places::new(points, links, cells.clone(), Vec::new(), Vec::new());
        places.expect("three points").with_storeys(vec![cells])
    }

    #[test]
    fn who_stands_below_a_ledge_jumps_for_it_and_is_not_there_before() {
        let (places, mut route) = (ledge(), Route::default());
        let mut draw = Stream::new(1, 0, "route");
        route.set_goal(Some(Place(2)));
        route.leg = Some(Leg { to: Place(1), how: How::Jump });
        let mut below = at(3.7, 0.0);
        below.own.on_ground = true;
        let step = route.step(&below, &places, &mut draw).expect("a step");
        assert!(step.jump && step.way == DVec2::X, "{step:?}");
        let mut above = at(3.7, 0.0);
        (above.own.position.z, above.own.on_ground) = (1.3, true);
        let step = route.step(&above, &places, &mut draw).expect("a step");
        assert!(!step.jump && step.way.y > 0.9, "on along the ledge: {step:?}");
    }

    #[test]
    fn who_runs_to_and_fro_below_a_ledge_gives_that_up_in_the_end() {
        let (places, mut route) = (ledge(), Route::default());
        let mut draw = Stream::new(1, 0, "route");
        route.set_goal(Some(Place(2)));
        route.leg = Some(Leg { to: Place(1), how: How::Jump });
        let mut detours = 0;
        for tick in 0..60 {
            let mut percept = at(3.3 + 0.7 * f64::from(tick % 2), 0.2);
            (percept.tick, percept.own.on_ground, percept.own.velocity) = (tick, true, DVec3::X * 7.0);
            route.step(&percept, &places, &mut draw);
            detours += u32::from(route.unstuck.detour(tick).is_some());
        }
        assert!((1..=10).contains(&detours) && route.troubles >= 1, "{detours} decisions of detours");
    }
}
