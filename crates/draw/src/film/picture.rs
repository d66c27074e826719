//! The whole picture: who plays, the map, what the followed character does over time, one decision.

use glam::DVec2;

use super::animate::Clock;
use super::decision::{Decision, spaced};
use super::stage::stage;
use super::{Film, Frame};
use crate::label;
use crate::map::View;
use crate::svg::{Element, Path, Svg, group, group_at, line, number, rect, text};

const WIDTH: f64 = 800.0;
const EDGE: f64 = 20.0;
const MOST_MAP: f64 = 430.0;
const HEAD: f64 = 82.0;
/// From the match standing still to the first stage, from stage to stage, and from the last until it goes on.
const FIRST_SECS: f64 = 0.5;
const STAGE_SECS: f64 = 1.3;
const LAST_SECS: f64 = 2.2;
/// The letters of the explanation, the height of its lines, and where its words begin.
const LETTERS: f64 = 14.0;
const LINE: f64 = 20.0;
const WORDS: f64 = 126.0;

/// Stages of a decision: a word for each, and its lines.
type Stages = Vec<(&'static str, Vec<String>)>;

pub fn picture(film: &Film, frames: &[Frame], held: Option<usize>, first: usize) -> String {
    let decision = held.and_then(|held| frames[held].decision.as_ref());
    let before = held.and_then(|held| frames[..held].iter().rev().find_map(|frame| frame.decision.as_ref()));
    let stages = decision.map_or(Stages::new(), |decision| stages(decision, before));
    let hold_secs = FIRST_SECS + STAGE_SECS * stages.len() as f64 + LAST_SECS;
    let hold = (hold_secs / film.period_secs).round() as usize;
    let clock = Clock {
        frames: frames.len(),
        held: held.filter(|_| decision.is_some()),
        hold,
        period_secs: film.period_secs,
    };

    // The map, as large as it fits.
    let size = View::of(&film.map, DVec2::ZERO).size() + DVec2::splat(2.0);
    let scale = ((WIDTH - 2.0 * EDGE) / size.x).min(MOST_MAP / size.y);
    let view = View::of(&film.map, DVec2::splat(1.0));
    let map_height = size.y * scale;
    let strip_top = HEAD + map_height + 18.0;
    let panel_top = strip_top + 56.0;
    let lines: usize = stages.iter().map(|(_, lines)| lines.len()).sum();
    let panel_height = if stages.is_empty() { 0.0 } else { 52.0 + LINE * lines as f64 };

    let title = format!("{} on {}", film.names.join(" against "), film.map.name);
    let mut svg = Svg::new(WIDTH, panel_top + panel_height + 16.0)
        .titled(&title)
        .described(&description(film, decision));
    svg.push(text(EDGE, 32.0, &title).bold().size(19.0));
    let seconds = (frames.len() - 1) as f64 * film.period_secs;
    let about = format!("{seconds:.0} s of a match, seen from above; seed {}", film.seed);
    svg.push(text(WIDTH - EDGE, 32.0, &about).ends().size(13.0).class("soft"));
    svg.extend(players(film, frames, &clock));
    let left = (WIDTH - size.x * scale) / 2.0;
    let place = format!("translate({} {}) scale({scale:.3})", number(left), number(HEAD));
    svg.push(group().set("transform", place).with(stage(film, frames, &clock, &view)));
    svg.extend(strip(film, frames, &clock, strip_top, first));
    if let Some(decision) = decision {
        svg.push(panel(film, decision, before, &stages, &clock, panel_top, panel_height));
    }
    svg.finish()
}

fn description(film: &Film, decision: Option<&Decision>) -> String {
    let who = &film.names[film.follow];
    let moving =
        format!("Animated: {} move, turn and shoot on a map seen from above.", film.names.join(" and "));
    match decision {
        Some(decision) => format!(
            "{moving} It stands still while a decision of {who} is explained: it perceives {}; it decides {}; {}; it {}.",
            decision.perceived,
            decision.chosen,
            decision.reasons.join(", "),
            decision.done
        ),
        None => moving,
    }
}

/// A name, health and frags for each.
fn players(film: &Film, frames: &[Frame], clock: &Clock) -> Vec<Element> {
    const BAR: f64 = 90.0;
    let column = ((WIDTH - 2.0 * EDGE) / film.names.len() as f64).min(300.0);
    let mut all = Vec::new();
    for (id, name) in film.names.iter().enumerate() {
        let mut one = group_at(EDGE + column * id as f64, 58.0);
        one.push(rect(0.0, -11.0, 12.0, 12.0).set("rx", 3.0).series(id));
        let name = label::shorten(name, column - BAR - 70.0, 13.5);
        one.push(text(18.0, 0.0, &name).size(13.5).bold());
        // Bold letters are wider than those that are measured.
        let x = 28.0 + 1.15 * label::width(&name, 13.5);
        let share = |k: usize| BAR * (frames[k].bodies[id].health / film.full_health).clamp(0.0, 1.0);
        let widths: Vec<String> = clock.moments().map(|k| number(share(k))).collect();
        one.push(rect(x, -9.0, BAR, 8.0).set("rx", 2.0).class("card"));
        let still = share(clock.held.unwrap_or(0));
        one.push(rect(x, -9.0, still, 8.0).set("rx", 2.0).series(id).with(clock.stepwise("width", &widths)));
        one.extend(frags(frames, id, clock, x + BAR + 8.0));
        all.push(one);
    }
    all
}

/// Text cannot be animated: each number of frags is there for its time.
fn frags(frames: &[Frame], id: usize, clock: &Clock, x: f64) -> Vec<Element> {
    let count = |k: usize| frames[k].bodies[id].frags;
    let mut counts: Vec<i32> = (0..frames.len()).map(count).collect();
    counts.sort_unstable();
    counts.dedup();
    let still = count(clock.held.unwrap_or(0));
    let one = |&frags: &i32| {
        let words = format!("{frags} {}", if frags == 1 { "frag" } else { "frags" });
        let words = text(x, 0.0, &words).size(12.5).class("soft");
        let there = |k: usize| if count(k) == frags { "1" } else { "0" }.to_owned();
        let there: Vec<String> = clock.moments().map(there).collect();
        let words = if frags == still { words } else { words.set("opacity", 0.0) };
        if counts_differ(&there) { words.with(clock.stepwise("opacity", &there)) } else { words }
    };
    counts.iter().map(one).collect()
}

fn counts_differ(values: &[String]) -> bool {
    values.windows(2).any(|pair| pair[0] != pair[1])
}

/// What the followed character does over time, and where the film is.
fn strip(film: &Film, frames: &[Frame], clock: &Clock, top: f64, first: usize) -> Vec<Element> {
    let (left, right) = (EDGE, WIDTH - EDGE);
    let x = |frame: f64| left + (right - left) * frame / (frames.len() - 1) as f64;
    let task = |frame: &Frame| frame.decision.as_ref().map(|decision| decision.task.clone());
    let mut tasks: Vec<String> = Vec::new();
    let mut all = vec![rect(left, top, right - left, 22.0).set("rx", 3.0).class("card")];
    let mut from = 0;
    for run in frames.chunk_by(|a, b| task(a) == task(b)) {
        let to = (from + run.len()).min(frames.len() - 1);
        if let Some(task) = task(&run[0]) {
            let k = tasks.iter().position(|known| *known == task).unwrap_or_else(|| {
                tasks.push(task.clone());
                tasks.len() - 1
            });
            let (begins, ends) = (x(from as f64), x(to as f64));
            let piece = rect(begins, top, ends - begins, 22.0).set("rx", 3.0).class("gap");
            all.push(piece.series(2 + k).set("fill-opacity", 0.4).titled(&spaced(&task)));
            let words = spaced(&task);
            if label::width(&words, 12.0) + 8.0 < ends - begins {
                all.push(text((begins + ends) / 2.0, top + 15.5, &words).centred().size(12.0));
            }
        }
        from += run.len();
    }
    let every = if frames.len() as f64 * film.period_secs > 30.0 { 5.0 } else { 2.0 };
    let second = |frame: usize| (first + frame) as f64 * film.period_secs;
    for frame in 0..frames.len() {
        let nearest = (second(frame) / every).round() * every;
        if (second(frame) - nearest).abs() < film.period_secs / 2.0 - 1e-9 {
            let words =
                text(x(frame as f64), top + 37.0, &format!("{nearest:.0} s")).size(11.0).class("soft");
            all.push(match frame {
                0 => words,
                frame if frame + 8 > frames.len() => words.ends(),
                _ => words.centred(),
            });
        }
    }
    let at: Vec<String> = clock.moments().map(|k| format!("{} 0", number(x(k as f64)))).collect();
    let still = x(clock.held.unwrap_or(0) as f64);
    let playhead = group_at(still, 0.0)
        .with(line((0.0, top - 4.0), (0.0, top + 26.0)).class("frame").set("stroke-width", 2.0))
        .with(Path::polygon([(-5.0, top - 8.0), (5.0, top - 8.0), (0.0, top - 1.0)]).element())
        .with(clock.smooth(Some("translate"), "transform", &at));
    all.push(playhead);
    all
}

fn stages(decision: &Decision, before: Option<&Decision>) -> Stages {
    let room = WIDTH - 2.0 * EDGE - WORDS - 16.0;
    let wrap = |words: &str| label::wrap(words, room, LETTERS);
    let mut stages = vec![("perceives", wrap(&decision.perceived))];
    stages.extend(decision.believed.iter().map(|words| ("believes", wrap(words))));
    stages.extend(before.map(|before| ("was doing", wrap(&spaced(&before.task)))));
    stages.push(("decides", wrap(&decision.chosen)));
    if !decision.reasons.is_empty() {
        stages.push(("because", decision.reasons.iter().take(4).flat_map(|reason| wrap(reason)).collect()));
    }
    stages.push(("does", wrap(&decision.done)));
    stages
}

/// The decision: each stage appears at its moment and stays.
fn panel(
    film: &Film,
    decision: &Decision,
    before: Option<&Decision>,
    stages: &Stages,
    clock: &Clock,
    top: f64,
    height: f64,
) -> Element {
    let who = &film.names[film.follow];
    let title = match before {
        Some(before) if before.task != decision.task => {
            format!("Why {who} goes from {} to {}", spaced(&before.task), spaced(&decision.task))
        }
        _ => format!("Why {who} decides to {}", spaced(&decision.task)),
    };
    let mut panel = group_at(EDGE, top);
    panel.push(rect(0.0, 0.0, WIDTH - 2.0 * EDGE, height).set("rx", 6.0).class("card"));
    panel.push(rect(0.0, 0.0, 4.0, height).set("rx", 2.0).series(film.follow));
    panel.push(text(18.0, 26.0, &title).bold().size(15.0));
    let held = clock.held.unwrap_or(0) as f64;
    let mut y = 26.0 + LINE + 6.0;
    for (k, (word, lines)) in stages.iter().enumerate() {
        let mut stage = group().size(LETTERS);
        stage.push(text(18.0, y, word).class("soft"));
        for words in lines {
            stage.push(text(WORDS, y, words));
            y += LINE;
        }
        let begins = clock.part(held, FIRST_SECS + STAGE_SECS * k as f64);
        panel.push(stage.with(clock.shown(begins, 1.0, 0.3 / clock.secs())));
    }
    panel
}
