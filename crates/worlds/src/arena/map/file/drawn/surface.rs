//! The floors and ceilings of areas.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::DVec2;
use repertoire_authored::Mistake;
use repertoire_mind::Timetable;

use crate::arena::map::file::format::{AreaFile, LiftFile, MapFile, SlopeFile, Toward};
use crate::arena::map::{Area, Floor};

/// An area, and where it is written.
pub struct Surface {
    /// The area.
    pub surface: Area,
    /// The place of its name.
    pub span: Range<usize>,
}

/// The areas of a file, stairs as many.
pub fn areas(text: &str, file: &MapFile) -> Result<Vec<Surface>, Mistake> {
    let mut named: BTreeMap<&str, &AreaFile> = BTreeMap::new();
    for area in &file.area {
        let name = area.name.get_ref();
        if name.is_empty() {
            return Err(Mistake::at(text, area.name.span(), "the area's name is empty", "name it"));
        }
        if named.insert(name, area).is_some() {
            let what = format!("there are two areas `{name}`");
            return Err(Mistake::at(text, area.name.span(), what, "rename one of them"));
        }
    }
    let mut areas = Vec::new();
    for area in &file.area {
        check(text, area)?;
        let ceiling_m = ceiling(text, area, &named)?;
        let flat = Area {
            name: area.name.get_ref().clone(),
            floor: Floor::flat(area.floor),
            ceiling_m,
            lift: None,
            harm_per_sec: area.harm,
        };
        let mut push = |surface: Area| areas.push(Surface { surface, span: area.name.span() });
        if let Some(stairs) = &area.stairs {
            let stairs = stairs.get_ref();
            let rise = (stairs.to - area.floor) / (f64::from(stairs.steps) + 1.0);
            for step in 1..=stairs.steps {
                let floor = Floor::flat(area.floor + rise * f64::from(step));
                push(Area { name: format!("{} {step}", flat.name), floor, ..flat.clone() });
            }
        } else if let Some(slope) = &area.slope {
            push(Area { floor: sloping(area, slope.get_ref()), ..flat });
        } else {
            let lift = area.lift.as_ref().map(|lift| timetable(area.floor, lift.get_ref()));
            push(Area { lift, ..flat });
        }
    }
    Ok(areas)
}

fn check(text: &str, area: &AreaFile) -> Result<(), Mistake> {
    let wrong = |what: String, remedy: &str| Err(Mistake::at(text, area.name.span(), what, remedy));
    let name = area.name.get_ref();
    let special = [area.slope.is_some(), area.stairs.is_some(), area.lift.is_some()];
    if special.iter().filter(|&&there| there).count() > 1 {
        let what = format!("`{name}` is more than one of slope, stairs and lift");
        return wrong(what, "keep one of them");
    }
    if !area.harm.is_finite() || area.harm < 0.0 {
        return wrong(
            format!("`{name}` harms by {}", area.harm),
            "write the health lost each second, 0 or above",
        );
    }
    if let Some(lift) = &area.lift {
        let LiftFile { to, rest, speed } = *lift.get_ref();
        let runs = rest >= 0.0 && rest.is_finite() && speed > 0.0 && speed.is_finite() && to != area.floor;
        if !runs {
            let what = format!("the lift `{name}` does not run");
            let remedy = "give it another height in `to`, a rest of 0 or more seconds, a speed above 0";
            return Err(Mistake::at(text, lift.span(), what, remedy));
        }
    }
    Ok(())
}

/// The ceiling of an area, or of the nearest area around it that has one; it must be above the floor.
fn ceiling(text: &str, area: &AreaFile, named: &BTreeMap<&str, &AreaFile>) -> Result<f64, Mistake> {
    let name = area.name.get_ref();
    let mut around = area;
    // No chain of areas is longer than there are areas; a longer one bites its tail.
    for _ in 0..=named.len() {
        if around.ceiling.is_some() {
            break;
        }
        let Some(next) = around.inside.as_ref().and_then(|inside| named.get(inside.get_ref().as_str()))
        else {
            break;
        };
        around = next;
    }
    let Some(ceiling) = &around.ceiling else {
        return Err(Mistake::at(
            text,
            area.name.span(),
            format!("the area `{name}` has no ceiling"),
            "add `ceiling = ...`; an area `inside` of another takes that one's",
        ));
    };
    let reached = [
        Some(area.floor),
        area.slope.as_ref().map(|slope| slope.get_ref().to),
        area.stairs.as_ref().map(|stairs| stairs.get_ref().to),
        area.lift.as_ref().map(|lift| lift.get_ref().to),
    ];
    for floor in reached.into_iter().flatten() {
        let height = ceiling.get_ref() - floor;
        if !height.is_finite() || height <= 0.0 {
            let span = if std::ptr::eq(area, around) { ceiling.span() } else { area.name.span() };
            let what = format!(
                "the ceiling of `{name}`, at {}, is not above its floor, at {floor}",
                ceiling.get_ref()
            );
            return Err(Mistake::at(
                text,
                span,
                what,
                "raise the ceiling; 3 m are comfortable, 1.75 m a body",
            ));
        }
    }
    Ok(*ceiling.get_ref())
}

fn timetable(floor: f64, lift: &LiftFile) -> Timetable {
    Timetable {
        low_m: floor.min(lift.to),
        high_m: floor.max(lift.to),
        rest_secs: lift.rest,
        metres_per_sec: lift.speed,
    }
}

/// A floor that rises over the bounding box of the area.
fn sloping(area: &AreaFile, slope: &SlopeFile) -> Floor {
    let (mut low, mut high) = (DVec2::splat(f64::INFINITY), DVec2::splat(f64::NEG_INFINITY));
    let mut include = |at: DVec2| {
        low = low.min(at);
        high = high.max(at);
    };
    if let Some(rect) = &area.rect {
        let [x, y, width, height] = *rect.get_ref();
        include(DVec2::new(x, y));
        include(DVec2::new(x + width, y + height));
    }
    for corner in area.outline.iter().flat_map(|outline| outline.get_ref()) {
        include(DVec2::from_array(*corner.get_ref()));
    }
    let rise = slope.to - area.floor;
    let (per_metre, from) = match slope.toward {
        Toward::East => (DVec2::new(rise / (high.x - low.x), 0.0), low),
        Toward::West => (DVec2::new(-rise / (high.x - low.x), 0.0), high),
        Toward::North => (DVec2::new(0.0, rise / (high.y - low.y)), low),
        Toward::South => (DVec2::new(0.0, -rise / (high.y - low.y)), high),
    };
    if !per_metre.is_finite() {
        // An outline without extent: refused as such.
        return Floor::flat(area.floor);
    }
    Floor { height_m: area.floor - per_metre.dot(from), slope: per_metre }
}
