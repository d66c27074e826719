//! The raw form: areas and lines taken as they are.

use glam::DVec2;
use repertoire_authored::{Mistake, Spanned};
use repertoire_mind::Timetable;

use super::format::{MapFile, RawAreaFile, RawFile, RawLineFile};
use super::{Spans, start};
use crate::arena::map::{Area, Floor, Line, Map};

/// Fills in areas, lines and exits.
pub fn build(
    text: &str,
    file: &MapFile,
    raw: &Spanned<RawFile>,
    map: &mut Map,
    spans: &mut Spans,
) -> Result<(), Mistake> {
    let drawn = [file.area.len(), file.pillar.len(), file.fence.len(), file.teleport.len()];
    if drawn.iter().any(|&count| count > 0) {
        let what = "a map is either drawn or raw";
        let remedy = "keep [raw], or else [[area]], [[pillar]], [[fence]] and [[teleport]]";
        return Err(Mistake::at(text, raw.span(), what, remedy));
    }
    for exit in &file.exit {
        map.exits.push(start(text, exit.get_ref())?);
        spans.exits.push(exit.get_ref().at.span());
    }
    let raw = raw.get_ref();
    for written in &raw.areas {
        let wrong = |what: &str, remedy: &str| Mistake::at(text, written.span(), what, remedy);
        map.areas.push(area(written.get_ref()).ok_or_else(|| {
            wrong("a number of this area is not finite", "write heights, seconds and speeds as plain numbers")
        })?);
        spans.areas.push(written.span());
    }
    if map.areas.len() > usize::from(u16::MAX) {
        return Err(Mistake::at(text, 0..0, "the map has more than 65,535 areas", "split it"));
    }
    for written in &raw.lines {
        let line = line(written.get_ref(), map.areas.len(), map.exits.len());
        map.lines.push(line.map_err(|(what, remedy)| Mistake::at(text, written.span(), what, remedy))?);
        spans.lines.push(written.span());
    }
    Ok(())
}

fn area(area: &RawAreaFile) -> Option<Area> {
    let lift = area.lift.as_ref().map(|lift| Timetable {
        low_m: lift.low,
        high_m: lift.high,
        rest_secs: lift.rest,
        metres_per_sec: lift.speed,
    });
    let moving = lift.map_or([0.0; 4], |lift| [lift.low_m, lift.high_m, lift.rest_secs, lift.metres_per_sec]);
    let standing = [area.floor, area.slope[0], area.slope[1], area.ceiling, area.harm];
    moving.iter().chain(&standing).all(|number| number.is_finite()).then(|| Area {
        name: area.name.clone(),
        floor: Floor { height_m: area.floor, slope: DVec2::from_array(area.slope) },
        ceiling_m: area.ceiling,
        lift,
        harm_per_sec: area.harm,
    })
}

fn line(line: &RawLineFile, areas: usize, exits: usize) -> Result<Line, (String, String)> {
    let (a, b) = (DVec2::from_array(line.a), DVec2::from_array(line.b));
    if !a.is_finite() || !b.is_finite() {
        return Err(("this line is nowhere".into(), "write its ends in metres".into()));
    }
    let left = match line.left {
        -1 => None,
        left => Some(left),
    };
    for area in [Some(i32::from(line.right)), left].into_iter().flatten() {
        if usize::try_from(area).map_or(true, |area| area >= areas) {
            let remedy = match areas {
                0 => "write the areas first".into(),
                _ => format!("they are numbered from 0 to {}; -1 on the left is a wall", areas - 1),
            };
            return Err((format!("there is no area {area}"), remedy));
        }
    }
    if let Some(exit) = line.teleport
        && usize::from(exit) >= exits
    {
        return Err((format!("there is no exit {exit}"), "add an [[exit]], or leave the number out".into()));
    }
    let left = left.and_then(|left| u16::try_from(left).ok());
    Ok(Line { a, b, right: line.right, left, fence: line.fence, teleport: line.teleport })
}
