//! The map with everybody on it, in metres.

use glam::DVec2;
use repertoire_prob::num::{cos, sin};

use super::animate::Clock;
use super::{Body, Film, Frame};
use crate::map::signs;
use crate::map::{View, bare};
use crate::svg::{Element, Path, SERIES, circle, group, line, number, text};

/// How far sight is shown.
const SIGHT_M: f64 = 5.5;
/// How long a shot and the mark of a death are shown.
const SHOT_SECS: f64 = 0.25;
const DEATH_SECS: f64 = 2.5;

/// Everything on the ground. Floors keep their colours on any paper, so bodies have those of light paper.
pub fn stage(film: &Film, frames: &[Frame], clock: &Clock, view: &View) -> Element {
    let mut stage = group();
    stage.extend(bare(&film.map, view));
    items(film, frames, clock, view, &mut stage);
    for (k, frame) in frames.iter().enumerate() {
        deaths(frame, k, clock, view, &mut stage);
        shots(frame, k, clock, view, &mut stage);
    }
    if let Some(held) = clock.held {
        spotlight(film, &frames[held], held, clock, view, &mut stage);
    }
    for id in 0..film.names.len() {
        stage.push(body(film, frames, id, clock, view));
    }
    for (k, frame) in frames.iter().enumerate() {
        projectiles(frame, k, clock, view, &mut stage);
    }
    stage
}

/// The colour of a character.
pub fn colour(id: usize) -> &'static str {
    SERIES[id % SERIES.len()].0
}

fn items(film: &Film, frames: &[Frame], clock: &Clock, view: &View, stage: &mut Element) {
    for (spot, item) in film.map.items.iter().enumerate() {
        let at = view.at(item.at);
        let there = |k: usize| if frames[k].items[spot] { "1" } else { "0.15" }.to_owned();
        let there: Vec<String> = clock.moments().map(there).collect();
        let place = format!("translate({} {}) scale(.75)", number(at.x), number(at.y));
        let sign = group().set("transform", place).with(signs::item(item.item, DVec2::ZERO));
        let changes = there.windows(2).any(|pair| pair[0] != pair[1]);
        stage.push(if changes {
            sign.with(clock.stepwise("opacity", &there))
        } else {
            sign.set("opacity", there[0].as_str())
        });
    }
}

fn shots(frame: &Frame, k: usize, clock: &Clock, view: &View, stage: &mut Element) {
    for shot in &frame.shots {
        let (from, to) = (view.at(shot.from), view.at(shot.to));
        let flash = line(from.into(), to.into()).stroke("#fff3b0", 0.28).set("stroke-linecap", "round");
        let begins = clock.part(k as f64 - 0.999, 0.0);
        let shown = clock.shown(begins, begins + SHOT_SECS / clock.secs(), 0.03 / clock.secs());
        stage.push(flash.set("opacity", 0.0).with(shown));
    }
}

fn projectiles(frame: &Frame, k: usize, clock: &Clock, view: &View, stage: &mut Element) {
    if frame.projectiles.is_empty() {
        return;
    }
    let mut now =
        group().fill("#ffd23f").set("stroke", "#7a3b00").set("stroke-width", 0.1).set("opacity", 0.0);
    for at in &frame.projectiles {
        let at = view.at(*at);
        now.push(circle(at.x, at.y, 0.35));
    }
    let begins = clock.part(k as f64, 0.0);
    let shown = clock.shown(begins, begins + 1.3 * clock.period_secs / clock.secs(), 0.02 / clock.secs());
    stage.push(now.with(shown));
}

fn deaths(frame: &Frame, k: usize, clock: &Clock, view: &View, stage: &mut Element) {
    for &id in &frame.deaths {
        let at = view.at(frame.bodies[id].at);
        let cross = Path::new().to(at.x - 0.7, at.y - 0.7).line(at.x + 0.7, at.y + 0.7);
        let cross = cross.to(at.x + 0.7, at.y - 0.7).line(at.x - 0.7, at.y + 0.7).element();
        let begins = clock.part(k as f64, 0.0);
        let shown = clock.shown(begins, begins + DEATH_SECS / clock.secs(), 0.3 / clock.secs());
        let cross = cross.stroke(colour(id), 0.45).set("stroke-linecap", "round");
        stage.push(cross.set("opacity", 0.0).with(shown));
    }
}

/// A ring round the followed character while the match stands still, and lines to whom it sees.
fn spotlight(film: &Film, frame: &Frame, held: usize, clock: &Clock, view: &View, stage: &mut Element) {
    let Some(own) = frame.bodies.get(film.follow) else { return };
    let at = view.at(own.at);
    let mut light = group();
    light.push(circle(at.x, at.y, 1.9).stroke("#ffffff", 0.5));
    light.push(circle(at.x, at.y, 1.9).stroke(colour(film.follow), 0.28));
    let seen = frame.decision.iter().flat_map(|decision| &decision.seen);
    for other in seen.filter_map(|&id| frame.bodies.get(id)) {
        let to = view.at(other.at);
        light.push(line(at.into(), to.into()).stroke("#ffffff", 0.2).set("stroke-dasharray", "0.5 0.4"));
    }
    let begins = clock.part(held as f64, 0.0);
    let ends = clock.part(held as f64, clock.hold as f64 * clock.period_secs);
    stage.push(light.with(clock.shown(begins, ends, 0.15 / clock.secs())));
}

fn body(film: &Film, frames: &[Frame], id: usize, clock: &Clock, view: &View) -> Element {
    let still = &frames[clock.held.unwrap_or(0)].bodies[id];
    let bodies = || frames.iter().map(|frame| &frame.bodies[id]);
    let place = |body: &Body| {
        let at = view.at(body.at);
        format!("{} {}", number(at.x), number(at.y))
    };
    let places: Vec<String> = clock.moments().map(|k| place(&frames[k].bodies[id])).collect();
    let turns = unwound(bodies().map(|body| -body.yaw.to_degrees()));
    let turned: Vec<String> = clock.moments().map(|k| number(turns[k])).collect();
    let alive = |k: usize| if frames[k].bodies[id].is_alive { "1" } else { "0" }.to_owned();
    let alive: Vec<String> = clock.moments().map(alive).collect();

    let colour = colour(id);
    let half = film.view_deg.to_radians() / 2.0;
    let (x, y) = (SIGHT_M * cos(half), SIGHT_M * sin(half));
    let is_large = film.view_deg > 180.0;
    let cone = Path::new().to(0.0, 0.0).line(x, -y).arc(SIGHT_M, is_large, true, x, y).close();
    let arrow = signs::arrow().element().set("transform", "scale(1.35)").fill(colour);
    let pointer = group()
        .set("transform", format!("rotate({})", number(turns[clock.held.unwrap_or(0)])))
        .with(cone.element().fill(colour).set("opacity", 0.2))
        .with(arrow.set("stroke", "#ffffff").set("stroke-width", 0.14))
        .with(clock.smooth(Some("rotate"), "transform", &turned));
    let name = text(0.0, -1.7, &film.names[id]).centred().size(1.15).bold();
    let name = name.fill("#1d1915").set("stroke", "#ffffff").set("stroke-opacity", 0.85);
    let name = name.set("stroke-width", 0.28).set("paint-order", "stroke");
    let moving = group()
        .set("transform", format!("translate({})", place(still)))
        .with(pointer)
        .with(name)
        .with(clock.smooth(Some("translate"), "transform", &places));
    let shown = group().with(moving);
    if alive.iter().all(|one| one == "1") { shown } else { shown.with(clock.stepwise("opacity", &alive)) }
}

/// Angles in degrees without jumps, so that turning past north goes the short way.
fn unwound(angles: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::new();
    for angle in angles {
        let last = all.last().copied().unwrap_or(angle);
        let turn = (angle - last).rem_euclid(360.0);
        all.push(last + if turn > 180.0 { turn - 360.0 } else { turn });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_goes_the_short_way() {
        assert_eq!(unwound([170.0, -170.0, -160.0, 160.0].into_iter()), [170.0, 190.0, 200.0, 160.0]);
    }
}
