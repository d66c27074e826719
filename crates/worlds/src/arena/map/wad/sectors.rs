//! From sectors to ground: which are solid, which doors stand open, which floors are lifts, which hurt.
//!
//! Doom's doors and lifts wait for somebody to call them. The world knows no such switches: doors stand open, as high
//! as Doom would open them, and lifts go down and up all the time. Every other moving floor or ceiling stays where it
//! is at the start of a level.

use std::collections::{BTreeMap, BTreeSet};

use repertoire_mind::Timetable;

use super::records::{Edge, Records};
use super::specials::{self, Action, Reach, Ride, Stop};
use super::{TICS_PER_SEC, UNITS_PER_METRE, notes::Notes};

/// A sector as it stands during play, in map units.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    pub floor: i32,
    pub ceiling: i32,
    pub lift: Option<Timetable>,
    pub harm_per_sec: f64,
    /// No room between floor and ceiling: nothing gets in.
    pub solid: bool,
}

/// How far below the frame an open door hangs.
const DOOR_GAP: i32 = 4;
/// The height of a body.
const BODY: i32 = 56;
/// Tics between two doses of damage from a floor.
const HARM_TICS: f64 = 32.0;

/// What surrounds a sector.
#[derive(Clone, Default)]
struct Around {
    floors: BTreeSet<i16>,
    /// Ceilings, without those of other doors: two doors side by side would keep each other shut.
    lowest_ceiling: Option<i16>,
}

/// What becomes of each sector.
pub fn settle(records: &Records, notes: &mut Notes) -> Vec<Ground> {
    let actions = actions_on_sectors(records);
    let opens = |sector: usize| {
        let timed_door = records.sectors.get(sector).is_some_and(|sector| sector.special & 31 == 14);
        timed_door || actions.get(sector).is_some_and(|actions| actions.contains(&Action::OpenDoor))
    };
    let around = look_around(records, opens);
    let mut grounds = Vec::with_capacity(records.sectors.len());
    for (number, ((sector, actions), around)) in records.sectors.iter().zip(&actions).zip(&around).enumerate()
    {
        let mut ground = Ground {
            floor: sector.floor.into(),
            ceiling: sector.ceiling.into(),
            harm_per_sec: harm_per_sec(sector.special),
            ..Ground::default()
        };
        if opens(number) {
            open_door(&mut ground, around, notes);
        }
        let ride = actions
            .iter()
            .find_map(|action| if let Action::Lift(ride) = action { Some(*ride) } else { None });
        if let Some(ride) = ride {
            run_lift(&mut ground, ride, around, notes);
        }
        if actions.contains(&Action::MoveGround) {
            notes.add(
                1,
                (
                    "sector whose floor or ceiling would move left as it is",
                    "sectors whose floors or ceilings would move left as they are",
                ),
            );
        }
        ground.solid = ground.ceiling <= ground.floor;
        if ground.solid {
            notes.add(1, ("closed sector became solid", "closed sectors became solid"));
        }
        grounds.push(ground);
    }
    grounds
}

/// What lines do to each sector. By tag first, so that many lines that act on many sectors cost no more than both.
fn actions_on_sectors(records: &Records) -> Vec<BTreeSet<Action>> {
    let mut by_tag: BTreeMap<u16, BTreeSet<Action>> = BTreeMap::new();
    let mut by_sector = vec![BTreeSet::new(); records.sectors.len()];
    for edge in &records.edges {
        match specials::read(edge.special) {
            (Action::None, _) => {}
            // Tag 0 is what sectors without a tag have. Boom ignores such lines, and so must everybody.
            (action, Reach::Tagged) if edge.tag != 0 => {
                by_tag.entry(edge.tag).or_default().insert(action);
            }
            (_, Reach::Tagged) => {}
            (action, Reach::Behind) => {
                if let Some(actions) = edge.left.and_then(|left| by_sector.get_mut(usize::from(left))) {
                    actions.insert(action);
                }
            }
        }
    }
    for (sector, actions) in records.sectors.iter().zip(&mut by_sector) {
        if let Some(tagged) = by_tag.get(&sector.tag) {
            actions.extend(tagged);
        }
    }
    by_sector
}

fn look_around(records: &Records, is_door: impl Fn(usize) -> bool) -> Vec<Around> {
    let mut around = vec![Around::default(); records.sectors.len()];
    let mut see = |from: u16, to: u16| {
        let Some(seen) = records.sectors.get(usize::from(to)) else { return };
        let Some(around) = around.get_mut(usize::from(from)) else { return };
        around.floors.insert(seen.floor);
        if !is_door(to.into()) {
            around.lowest_ceiling =
                Some(around.lowest_ceiling.map_or(seen.ceiling, |low| low.min(seen.ceiling)));
        }
    };
    for edge in &records.edges {
        if let Edge { right: Some(right), left: Some(left), .. } = *edge
            && right != left
        {
            see(right, left);
            see(left, right);
        }
    }
    around
}

fn open_door(ground: &mut Ground, around: &Around, notes: &mut Notes) {
    let open = around.lowest_ceiling.map_or(ground.ceiling, |lowest| i32::from(lowest) - DOOR_GAP);
    if open > ground.ceiling {
        ground.ceiling = open;
        notes.add(1, ("door opened for good", "doors opened for good"));
    }
}

/// Makes a lift of a sector.
///
/// One without room for a body at the top carries nobody: it hides an item or a passage, and opens it by going down.
/// As with doors, it does so for good.
fn run_lift(ground: &mut Ground, ride: Ride, around: &Around, notes: &mut Notes) {
    let (low, high) = stops(ground.floor, ride.to, around);
    if low >= high {
        notes.add(1, ("lift with nowhere to go left as a floor", "lifts with nowhere to go left as floors"));
    } else if ground.ceiling - high >= BODY {
        notes.add(1, ("lift goes down and up all the time", "lifts go down and up all the time"));
        ground.lift = Some(Timetable {
            low_m: f64::from(low) / UNITS_PER_METRE,
            high_m: f64::from(high) / UNITS_PER_METRE,
            rest_secs: ride.rest_secs.into(),
            metres_per_sec: f64::from(ride.units_per_tic) * TICS_PER_SEC / UNITS_PER_METRE,
        });
    } else if ground.ceiling - low >= BODY {
        notes.add(1, ("lift without room at the top left down", "lifts without room at the top left down"));
        ground.floor = low;
    } else {
        notes.add(
            1,
            (
                "lift without room for anybody left as a floor",
                "lifts without room for anybody left as floors",
            ),
        );
    }
}

/// Between which heights a lift moves, as Doom finds them.
fn stops(own: i32, to: Stop, around: &Around) -> (i32, i32) {
    let floors = || around.floors.iter().map(|&floor| i32::from(floor));
    let low = match to {
        Stop::Lowest | Stop::LowestAndHighest => floors().next().map_or(own, |lowest| lowest.min(own)),
        Stop::NextLowest => floors().rfind(|&floor| floor < own).unwrap_or(own),
    };
    let high = match to {
        Stop::Lowest | Stop::NextLowest => own,
        Stop::LowestAndHighest => floors().next_back().map_or(own, |highest| highest.max(own)),
    };
    (low, high)
}

fn harm_per_sec(special: u16) -> f64 {
    // From 32 on the number is Boom's, with the harm in bits 5 and 6.
    let harm = match (special, special >> 5 & 3) {
        (7, _) | (32.., 1) => 5.0,
        (5, _) | (32.., 2) => 10.0,
        (4 | 11 | 16, _) | (32.., 3) => 20.0,
        _ => 0.0,
    };
    harm * TICS_PER_SEC / HARM_TICS
}
