//! Lines of sight, shots and areas, against a truth found by plain loops over all lines of the map.

mod common;

use common::{area, grid_map, shipped, start};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use repertoire_prob::Stream;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{Floor, Line, Map};
use repertoire_worlds::arena::space::{Scene, Surface};

/// Nearer than this to a corner, an edge or a surface, rounding decides: such rays are not judged.
const DOUBT: f64 = 1e-6;

/// The area round a point, by counting the lines east of it.
fn true_area(map: &Map, at: DVec2) -> Option<usize> {
    let mut inside = vec![false; map.areas.len()];
    for line in &map.lines {
        let (a, b) = (line.a, line.b);
        if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside[usize::from(line.right)] ^= true;
            if let Some(left) = line.left {
                inside[usize::from(left)] ^= true;
            }
        }
    }
    inside.iter().position(|&inside| inside)
}

fn distance_to(line: &Line, at: DVec2) -> f64 {
    let way = line.b - line.a;
    let part = ((at - line.a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
    at.distance(line.a + way * part)
}

/// The height of a floor, and of a ceiling, of the map with its lifts where they are.
fn heights(map: &Map, lifts_m: &[f64], area: usize, at: DVec2) -> (f64, f64) {
    let lift = map.areas[..area].iter().filter(|area| area.lift.is_some()).count();
    let floor = if map.areas[area].lift.is_some() { lifts_m[lift] } else { map.areas[area].floor.at(at) };
    (floor, map.areas[area].ceiling_m)
}

/// Where a ray first leaves the free space of the map; `Err` if rounding could decide it.
///
/// Cuts the ray at every line and follows it from piece to piece: over each piece there is one floor and one ceiling.
fn true_cast(map: &Map, lifts_m: &[f64], from: DVec3, to: DVec3) -> Result<Option<(f64, Surface)>, ()> {
    let (p, q) = (from.truncate(), to.truncate());
    let way = q - p;
    let mut cuts: Vec<(f64, bool)> = vec![(0.0, false), (1.0, false)];
    for line in &map.lines {
        let along = line.b - line.a;
        let across = way.x * along.y - way.y * along.x;
        let gap = line.a - p;
        if across.abs() < DOUBT * way.length() * along.length() {
            // As good as parallel: judged only when far from the line.
            let near = distance_to(line, p).min(distance_to(line, q));
            let off = (gap.x * way.y - gap.y * way.x).abs() / way.length();
            if off < 1e-3 || near < 1e-3 {
                return Err(());
            }
            continue;
        }
        let on_ray = (gap.x * along.y - gap.y * along.x) / across;
        let on_line = (gap.x * way.y - gap.y * way.x) / across;
        let is_near_end = |part: f64, length: f64| (part.min(1.0 - part) * length).abs() < DOUBT;
        let inside = |part: f64| (-DOUBT..=1.0 + DOUBT).contains(&part);
        if inside(on_ray) && inside(on_line) {
            if is_near_end(on_ray, way.length()) || is_near_end(on_line, along.length()) {
                return Err(());
            }
            if (0.0..=1.0).contains(&on_ray) && (0.0..=1.0).contains(&on_line) {
                cuts.push((on_ray, line.left.is_none()));
            }
        }
    }
    cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in cuts.windows(2) {
        let ((begin, is_wall), (end, _)) = (pair[0], pair[1]);
        if is_wall {
            return Ok(Some((begin, Surface::Wall)));
        }
        if (end - begin) * way.length() < DOUBT {
            return Err(());
        }
        let Some(area) = true_area(map, p.lerp(q, (begin + end) / 2.0)) else {
            return Ok(Some((begin, Surface::Wall)));
        };
        let room = |part: f64| {
            let at = from.lerp(to, part);
            let (floor, ceiling) = heights(map, lifts_m, area, at.truncate());
            (at.z - floor, ceiling - at.z)
        };
        let (first, last) = (room(begin), room(end));
        if [first.0, first.1, last.0, last.1].iter().any(|gap| gap.abs() < DOUBT) {
            return Err(());
        }
        if first.0 < 0.0 || first.1 < 0.0 {
            return Ok(Some((begin, Surface::Wall)));
        }
        let meets = |first: f64, last: f64| begin + (end - begin) * first / (first - last);
        if last.0 < 0.0 || last.1 < 0.0 {
            let floor = if last.0 < 0.0 { meets(first.0, last.0) } else { f64::INFINITY };
            let ceiling = if last.1 < 0.0 { meets(first.1, last.1) } else { f64::INFINITY };
            return Ok(Some(if floor < ceiling {
                (floor, Surface::Floor)
            } else {
                (ceiling, Surface::Ceiling)
            }));
        }
    }
    Ok(None)
}

/// A random closed map: quadrilaterals with their own floors and ceilings, some of them solid, none of them square.
fn any_map(seed: u64) -> Map {
    let mut chance = Stream::new(seed, 0, "sight map");
    let (width, height) = (2 + (chance.unit() * 4.0) as usize, 2 + (chance.unit() * 4.0) as usize);
    let is_straight = chance.unit() < 0.3;
    let shear = if is_straight { 0.0 } else { chance.unit() - 0.5 };
    let corners: Vec<DVec2> = (0..(width + 1) * (height + 1))
        .map(|k| {
            let square = DVec2::new((k % (width + 1)) as f64, (k / (width + 1)) as f64) * 4.0;
            let jitter = if is_straight {
                DVec2::ZERO
            } else {
                DVec2::new(chance.unit() - 0.5, chance.unit() - 0.5) * 1.6
            };
            let at = square + jitter;
            DVec2::new(at.x + shear * at.y, at.y - 0.3 * shear * at.x)
        })
        .collect();
    let mut cells = Vec::new();
    for row in 0..height {
        let mut cells_of_row = Vec::new();
        for column in 0..width {
            let floor = (chance.unit() * 4.0).floor() * 0.5;
            let mut cell = area("cell", floor, floor + 2.2 + chance.unit() * 3.0);
            if chance.unit() < 0.3 {
                let slope = DVec2::new(chance.unit() - 0.5, chance.unit() - 0.5) * 0.3;
                let middle = corners[row * (width + 1) + column];
                cell.floor = Floor { height_m: floor - slope.dot(middle), slope };
                cell.ceiling_m += 1.5;
            }
            let is_solid = chance.unit() < 0.2 && (row, column) != (0, 0);
            cells_of_row.push((!is_solid).then_some(cell));
        }
        cells.push(cells_of_row);
    }
    let mut map = grid_map(&cells, |column, row| corners[row * (width + 1) + column]);
    let middle = (corners[0] + corners[1] + corners[width + 1] + corners[width + 2]) / 4.0;
    map.starts.push(start((middle.x, middle.y)));
    map
}

/// A random point between floor and ceiling.
fn any_point(map: &Map, lifts_m: &[f64], chance: &mut Stream) -> DVec3 {
    let (low, high) = map.bounds();
    loop {
        let at = low + (high - low) * DVec2::new(chance.unit(), chance.unit());
        if let Some(area) = true_area(map, at) {
            let (floor, ceiling) = heights(map, lifts_m, area, at);
            if ceiling - floor > 0.1 {
                return at.extend(floor + (ceiling - floor) * (0.01 + 0.98 * chance.unit()));
            }
        }
    }
}

/// Compares many rays of one level with the truth. How many of them were judged, and how many met something.
fn judge_rays(level: &Level, seed: u64, rays: usize) -> (usize, usize) {
    let map = level.map();
    let mut chance = Stream::new(seed, 1, "sight rays");
    let (mut judged, mut met) = (0, 0);
    for ray in 0..rays {
        let lift =
            |lift: &repertoire_mind::Timetable| lift.low_m + (lift.high_m - lift.low_m) * chance.unit();
        let lifts_m: Vec<f64> = map.lifts().iter().map(lift).collect();
        let scene = Scene { space: level.space(), lifts_m: &lifts_m };
        let from = any_point(map, &lifts_m, &mut chance);
        let mut to = any_point(map, &lifts_m, &mut chance);
        if ray % 3 == 0 {
            // A neighbour: long rays rarely get anywhere.
            to = from + (to - from).clamp_length_max(3.0);
        }
        if let Ok(truth) = true_cast(map, &lifts_m, from, to) {
            compare(scene, from, to, truth);
            if true_area(map, to.truncate()).is_some_and(|area| {
                let (floor, ceiling) = heights(map, &lifts_m, area, to.truncate());
                (floor..=ceiling).contains(&to.z)
            }) {
                assert_eq!(scene.sees(from, to), truth.is_none(), "sight from {from} to {to}: {truth:?}");
            }
            judged += 1;
            met += usize::from(truth.is_some());
        }
        // A shot goes on, out of the map: it always meets something.
        let end = from + (to - from).normalize_or(DVec3::X) * 200.0;
        if let Ok(truth) = true_cast(map, &lifts_m, from, end) {
            assert!(truth.is_some(), "a map is closed: {from} to {end}");
            compare(scene, from, end, truth);
        }
    }
    (judged, met)
}

fn compare(scene: Scene<'_>, from: DVec3, to: DVec3, truth: Option<(f64, Surface)>) {
    let found = scene.cast(from, to).map(|impact| (impact.part, impact.surface));
    let is_same = match (found, truth) {
        (Some((part, surface)), Some((true_part, true_surface))) => {
            (part - true_part).abs() * from.distance(to) < 1e-5 && surface == true_surface
        }
        (None, None) => true,
        _ => false,
    };
    assert!(is_same, "from {from} to {to}: {found:?}, but in truth {truth:?}");
}

/// Compares the areas of many points, in and around the map, with the truth.
fn judge_areas(level: &Level, seed: u64, points: usize) {
    let map = level.map();
    let (low, high) = map.bounds();
    let mut chance = Stream::new(seed, 2, "sight areas");
    for _ in 0..points {
        let at = low - 3.0 + (high - low + 6.0) * DVec2::new(chance.unit(), chance.unit());
        if map.lines.iter().all(|line| distance_to(line, at) > 1e-9) {
            assert_eq!(level.space().area_at(at), true_area(map, at), "at {at}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sight_and_shots_on_any_map_agree_with_brute_force(seed in any::<u64>()) {
        if let Ok(level) = Level::new(any_map(seed)) {
            judge_rays(&level, seed, 300);
        }
    }

    #[test]
    fn areas_of_any_map_agree_with_even_odd_counting(seed in any::<u64>()) {
        if let Ok(level) = Level::new(any_map(seed)) {
            judge_areas(&level, seed, 1000);
        }
    }
}

#[test]
fn most_random_maps_are_good_and_most_rays_are_judged() {
    let good = (0..40).filter(|&seed| Level::new(any_map(seed)).is_ok()).count();
    assert!(good >= 36, "only {good} of 40 random maps can be played");
    let level = (0..).find_map(|seed| Level::new(any_map(seed)).ok()).expect("one of many");
    let (judged, met) = judge_rays(&level, 1, 500);
    assert!(judged > 450, "only {judged} of 500 rays were judged");
    assert!(met > 50 && met < judged - 50, "{met} of {judged} rays met something");
}

#[test]
fn sight_and_shots_on_shipped_maps_agree_with_brute_force() {
    for (name, level) in shipped() {
        let (judged, met) = judge_rays(level, 7, 4000);
        println!("{name}: {judged} rays judged, {met} met something");
        assert!(judged > 3500 && met > 500 && met < judged, "{name}: {met} of {judged}");
    }
}

#[test]
fn areas_of_shipped_maps_agree_with_even_odd_counting() {
    for (_, level) in shipped() {
        judge_areas(level, 3, 20_000);
    }
}
