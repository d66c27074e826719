//! A checked map, ready to play, with what characters know of it.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};
use repertoire_mind::learned_places::{self, Ground};
use repertoire_mind::{Item, NoPlace, Places, Spot};
use repertoire_topology::PlaceGraph;

use super::map::{Fault, ItemSpot, Line, Map, Start, Subject};
use super::motion::Body;
use super::nav;
use super::rules::Rules;
use super::space::{Scene, Space};

/// No map is wider or higher, in metres: a mistake in a file, or an attack, must not ask for all memory.
pub const WIDEST_M: f64 = 1000.0;

/// How many square metres the boxes around all lines may have together: the lines near each cell are listed, a long
/// slanting one for all cells of its box.
const MOST_COVERED_M2: f64 = 3e7;

/// Minds do not ask about points farther apart: on wide maps there would be too many pairs.
const SIGHT_M: f64 = 60.0;

/// An item farther than this from every learned place is not fetched.
const REACH_M: f64 = 4.0;

/// A map that can be played.
#[derive(Debug)]
pub struct Level {
    map: Map,
    space: Space,
    places: Places,
    items: Vec<(Item, DVec3)>,
}

impl Level {
    /// Checks a map, and finds its points and links; or says all that is wrong with it.
    pub fn new(mut map: Map) -> Result<Self, Vec<Fault>> {
        let faults = shape_faults(&map);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut space = Space::new(&map);
        let lifts_m: Vec<f64> = map.lifts().iter().map(|lift| lift.low_m).collect();
        let scene = Scene { space: &space, lifts_m: &lifts_m };
        let faults = thing_faults(&map, scene);
        if !faults.is_empty() {
            return Err(faults);
        }
        let items =
            map.items.iter().map(|spot| (spot.item, place_of(scene, spot).unwrap_or_default())).collect();
        let found = nav::find(&map, &space, &Rules::default().on(&space))
            .map_err(|cause| vec![fault(Subject::Map, None, cause.to_string(), cause.remedy())])?;
        if let (Space::Hulls(hulls), Some((plan, areas))) = (&mut space, found.plan) {
            map.lines = plan.lines();
            map.areas = areas;
            hulls.set_plan(plan);
        }
        if found.good_starts.len() >= 2 {
            map.starts = found.good_starts;
        }
        Ok(Level { map, space, places: found.places, items })
    }

    /// The same map, known by places that were learned from where players walk instead of by points found by walking it.
    ///
    /// Characters then go where somebody was seen to go. They still know where items lie and which floors harm; an item that
    /// no learned place is near cannot be fetched.
    ///
    /// # Errors
    /// When there is no place, or there are too many.
    pub fn known_by(mut self, learned: &PlaceGraph, units_per_metre: f64) -> Result<Self, NoPlace> {
        let ground = Ground { units_per_metre, ..Ground::default() };
        let places = learned_places::places(learned, ground)?;
        let place_of = |spot: &Spot| {
            let place = places.nearest(spot.position);
            let is_near = places.point(place).distance(spot.position) < REACH_M;
            Spot { place: (is_near && spot.place.is_some()).then_some(place), ..*spot }
        };
        let spots = self.places.spots().iter().map(place_of).collect();
        let harms = |point: &DVec3| self.places.is_harmful(self.places.nearest(*point));
        let harmful = places.points().iter().map(harms).collect();
        let lava = self.places.lava().cloned();
        let places = places.with_things(spots, self.places.lifts().to_vec()).with_harmful(harmful);
        self.places = match lava {
            Some(lava) => places.with_lava(lava),
            None => places,
        };
        Ok(self)
    }

    /// The map. Starts from which the rest of the map cannot be reached are left out if two others remain.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Its shape.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What characters know of it.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Finds out which points see which, for minds that need it; done once.
    pub fn learn_sight(&self) {
        let lifts_m: Vec<f64> = self.map.lifts().iter().map(|lift| lift.low_m).collect();
        let scene = Scene { space: &self.space, lifts_m: &lifts_m };
        let eye = DVec3::new(0.0, 0.0, super::rules::body::EYE_M);
        self.places.learn_sight(|from, to| {
            from.distance_squared(to) < SIGHT_M * SIGHT_M && scene.sees(from + eye, to + eye)
        });
    }

    /// The item of a spot, and where it lies.
    pub fn item(&self, spot: usize) -> (Item, DVec3) {
        self.items[spot]
    }
}

/// Where an item lies.
fn place_of(scene: Scene<'_>, spot: &ItemSpot) -> Option<DVec3> {
    scene.floor_under(spot.at, spot.height_m)
}

fn fault(subject: Subject, at: Option<DVec2>, what: String, remedy: &str) -> Fault {
    Fault { subject, at, what, remedy: remedy.to_owned() }
}

/// What is wrong with areas and lines.
fn shape_faults(map: &Map) -> Vec<Fault> {
    let mut faults = Vec::new();
    if map.stage.is_some() {
        return faults;
    }
    let mut say = |subject, at, what, remedy: &str| faults.push(fault(subject, at, what, remedy));
    if map.areas.is_empty() || map.lines.is_empty() {
        say(Subject::Map, None, "the map has no areas".to_owned(), "give it at least one area");
    }
    if map.areas.len() >= usize::from(u16::MAX) - 1 {
        say(
            Subject::Map,
            None,
            format!("the map has {} areas", map.areas.len()),
            "at most 65533 are possible",
        );
    }
    for (k, area) in map.areas.iter().enumerate() {
        let numbers =
            [area.floor.height_m, area.floor.slope.x, area.floor.slope.y, area.ceiling_m, area.harm_per_sec];
        if numbers.iter().any(|number| !number.is_finite()) {
            let what = format!("a number of area `{}` is not finite", area.name);
            say(Subject::Area(k), None, what, "write ordinary numbers");
        }
        if let Some(lift) = area.lift
            && !(lift.low_m < lift.high_m && lift.metres_per_sec > 0.0 && lift.rest_secs >= 0.5)
        {
            let what = format!("the lift `{}` goes nowhere", area.name);
            say(Subject::Area(k), None, what, "let it rise, with a speed above 0, and rest at least 0.5 s");
        }
    }
    for (k, line) in map.lines.iter().enumerate() {
        let count = map.areas.len();
        let known = usize::from(line.right) < count && line.left.is_none_or(|left| usize::from(left) < count);
        if !known || line.teleport.is_some_and(|exit| usize::from(exit) >= map.exits.len()) {
            let what = format!("line {k} names an area or exit that does not exist");
            say(Subject::Line(k), Some(line.a), what, "number areas and exits from 0");
        }
        if !(line.a.is_finite() && line.b.is_finite()) || line.a == line.b {
            say(Subject::Line(k), None, format!("line {k} has no length"), "leave it out");
        }
    }
    let (low, high) = map.bounds();
    if faults.is_empty() && (high - low).max_element() > WIDEST_M {
        let what = format!("the map is {:.0} m wide", (high - low).max_element());
        let remedy = format!("keep it within {WIDEST_M} m; if it is in other units, write metres");
        faults.push(fault(Subject::Map, None, what, &remedy));
    }
    // A line is near to cells up to two metres around it.
    let covered = |line: &Line| ((line.b - line.a).abs() + DVec2::splat(4.0)).element_product();
    let covered: f64 = map.lines.iter().map(covered).sum();
    if faults.is_empty() && covered > MOST_COVERED_M2 {
        let what = format!("the map has too many long slanting lines: their boxes cover {covered:.0} m²");
        let remedy = format!("break them into shorter ones, until it is less than {MOST_COVERED_M2:.0}");
        faults.push(fault(Subject::Map, None, what, &remedy));
    }
    if faults.is_empty() {
        faults = open_areas(map);
    }
    faults
}

/// Areas whose lines do not close: going round an area, each corner is left as often as it is reached.
fn open_areas(map: &Map) -> Vec<Fault> {
    let mut balance: BTreeMap<(u16, [u64; 2]), (i32, DVec2)> = BTreeMap::new();
    let mut count = |area: u16, at: DVec2, change: i32| {
        // Adding 0 makes -0 the same corner as 0.
        let corner = at + DVec2::ZERO;
        balance.entry((area, [corner.x.to_bits(), corner.y.to_bits()])).or_insert((0, at)).0 += change;
    };
    for line in &map.lines {
        count(line.right, line.a, 1);
        count(line.right, line.b, -1);
        if let Some(left) = line.left {
            count(left, line.b, 1);
            count(left, line.a, -1);
        }
    }
    let mut faults: Vec<Fault> = Vec::new();
    for ((area, _), (open, at)) in balance {
        let subject = Subject::Area(usize::from(area));
        if open != 0 && faults.last().is_none_or(|last| last.subject != subject) {
            let name = &map.areas[usize::from(area)].name;
            let what = format!("the area `{name}` is open at ({:.3}, {:.3})", at.x, at.y);
            faults.push(fault(subject, Some(at), what, "its lines must lead all around it"));
        }
    }
    faults
}

/// What is wrong with items, starts and exits.
fn thing_faults(map: &Map, scene: Scene<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (k, spot) in map.items.iter().enumerate() {
        // Imported things lie where they lie; those that nobody reaches are counted, not refused.
        if map.stage.is_none() && place_of(scene, spot).is_none() {
            let what = format!("{} at ({}, {}) lies in the void", spot.item, spot.at.x, spot.at.y);
            faults.push(fault(Subject::Item(k), Some(spot.at), what, "move it into an area"));
        }
    }
    let mut stand = |subject: Subject, name: &str, start: &Start| {
        let at = start.at;
        if scene.floor_under(at, start.height_m).is_none() {
            let what = format!("the {name} at ({}, {}) is in a wall", at.x, at.y);
            faults.push(fault(subject, Some(at), what, "move it into an area"));
        } else if Body::settle(scene, at, start.height_m).is_none() {
            let what = format!("nobody can stand at the {name} at ({}, {})", at.x, at.y);
            faults.push(fault(
                subject,
                Some(at),
                what,
                "keep 0.5 m from walls, under a ceiling of at least 1.75 m",
            ));
        }
    };
    for (k, start) in map.starts.iter().enumerate() {
        stand(Subject::Start(k), "start", start);
    }
    for (k, exit) in map.exits.iter().enumerate() {
        stand(Subject::Exit(k), "exit", exit);
    }
    if map.stage.is_some() && map.starts.len() > faults.len() {
        // A start in a wall is none; others are left.
        faults.clear();
    }
    if map.starts.is_empty() {
        let what = "the map has no starts".to_owned();
        faults.push(fault(Subject::Map, None, what, "give it at least one, better one for each character"));
    }
    faults
}
