//! Writing a map, so that it reads back equal to the bit.

use std::fmt::Write;

use crate::arena::map::{Area, Line, Map, Start};

/// A map as TOML: in the raw form, or packed if it is one of Quake.
pub fn write(map: &Map) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_all(map, &mut out);
    out
}

fn write_all(map: &Map, out: &mut String) -> std::fmt::Result {
    writeln!(out, "name = {}", quoted(&map.name))?;
    if let Some(stage) = &map.stage {
        return writeln!(out, "quake = \"{}\"", super::quake::pack(stage));
    }
    let items = map
        .items
        .iter()
        .map(|spot| format!("{{ kind = \"{}\", at = {} }}", spot.item, pair(spot.at.to_array())));
    list(out, "item", items)?;
    list(out, "start", map.starts.iter().map(start))?;
    list(out, "exit", map.exits.iter().map(start))?;
    writeln!(out, "\n[raw]")?;
    list(out, "areas", map.areas.iter().map(area))?;
    writeln!(out, "# x1, y1, x2, y2, area to the right, area to the left (-1: wall), fence, exit")?;
    list(out, "lines", map.lines.iter().map(line))
}

/// One element a line.
fn list(out: &mut String, key: &str, elements: impl Iterator<Item = String>) -> std::fmt::Result {
    writeln!(out, "{key} = [")?;
    for element in elements {
        writeln!(out, "  {element},")?;
    }
    writeln!(out, "]")
}

fn area(area: &Area) -> String {
    let mut text = format!("{{ name = {}", quoted(&area.name));
    text += &format!(", floor = {}", number(area.floor.height_m));
    if area.floor.slope != glam::DVec2::ZERO {
        text += &format!(", slope = {}", pair(area.floor.slope.to_array()));
    }
    text += &format!(", ceiling = {}", number(area.ceiling_m));
    if let Some(lift) = area.lift {
        let [low, high, rest, speed] =
            [lift.low_m, lift.high_m, lift.rest_secs, lift.metres_per_sec].map(number);
        text += &format!(", lift = {{ low = {low}, high = {high}, rest = {rest}, speed = {speed} }}");
    }
    if area.harm_per_sec != 0.0 {
        text += &format!(", harm = {}", number(area.harm_per_sec));
    }
    text + " }"
}

fn line(line: &Line) -> String {
    let [x1, y1, x2, y2] = [line.a.x, line.a.y, line.b.x, line.b.y].map(number);
    let left = line.left.map_or(-1, i32::from);
    let flags = match (line.fence, line.teleport) {
        (false, None) => String::new(),
        (true, None) => ", true".into(),
        (fence, Some(exit)) => format!(", {fence}, {exit}"),
    };
    format!("[{x1}, {y1}, {x2}, {y2}, {}, {left}{flags}]", line.right)
}

fn start(start: &Start) -> String {
    let degrees = start.yaw.to_degrees().round();
    let looking = if degrees.to_radians() == start.yaw {
        format!("facing = {}", number(degrees))
    } else {
        format!("yaw = {}", number(start.yaw))
    };
    format!("{{ at = {}, {looking} }}", pair(start.at.to_array()))
}

fn pair([x, y]: [f64; 2]) -> String {
    format!("[{}, {}]", number(x), number(y))
}

/// A number that reads back as the same bits (a not-a-number as some not-a-number).
fn number(value: f64) -> String {
    if value.is_nan() {
        "nan".into()
    } else if value.is_finite() && value.abs() < 1e9 && value.fract() == 0.0 && value.is_sign_positive() {
        format!("{value:.0}")
    } else {
        // Rust's `Debug` is the shortest text that reads back, with a point or an exponent as TOML wants it.
        format!("{value:?}")
    }
}

/// Text as a TOML string. JSON escapes as TOML does, except for the one control character that it lets pass.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
