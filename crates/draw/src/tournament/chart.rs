//! Intervals as bars, and frags over time as lines.

use repertoire_eval::tournament::{CharacterResult, MatchResult};
use repertoire_eval::{Outcome, Standing};

use crate::axes::Axis;
use crate::svg::{Element, Path, circle, escape, group, inline, line, polyline, text};

/// A mean as a dot and its interval as a bar, on a scale from 0 to `most`. No score is below 0, so no bar is drawn there.
pub(super) fn interval(standing: &Standing, most: f64) -> String {
    let axis = Axis::linear((0.0, most), (6.0, 154.0));
    let x = |score: f64| axis.at(score.clamp(0.0, most));
    let (low, high) = (standing.score.low(), standing.score.high());
    let name = format!("from {:.1} to {high:.1}", low.max(0.0));
    let colour = standing.contender;
    inline(0.0, 0.0, 160.0, 20.0, &name)
        .with(line((6.0, 2.0), (6.0, 18.0)).class("rule"))
        .with(line((x(low), 10.0), (x(high), 10.0)).series_line(colour, 5.0).set("opacity", 0.4))
        .with(circle(x(standing.score.mean), 10.0, 4.0).series(colour))
        .to_string()
}

/// The picture of one match, with its caption.
pub(super) fn match_figure(one: &MatchResult, outcome: &Outcome) -> String {
    let won = match &one.winner {
        Some(name) => format!("{} won", escape(name)),
        None => "nobody won".to_owned(),
    };
    format!(
        "<figure>\n{}<figcaption>match {}, {}: {won}</figcaption>\n</figure>\n",
        frags(one, outcome.settings.frags),
        one.number,
        minutes(one.seconds)
    )
}

fn minutes(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

const LEFT: f64 = 34.0;
const RIGHT: f64 = 312.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 160.0;

/// Frags over time, a line for each character.
fn frags(one: &MatchResult, wanted: i32) -> Element {
    let all = || one.characters.iter().flat_map(|character| &character.frags_over_time);
    let most = all().fold(wanted.max(1), |most, &frags| most.max(frags));
    let least = all().fold(0, |least, &frags| least.min(frags));
    let y = Axis::linear((f64::from(least), f64::from(most)), (BOTTOM, TOP));
    let x = Axis::linear((0.0, one.seconds), (LEFT, RIGHT));
    let mut svg = inline(0.0, 0.0, 320.0, 180.0, "frags over time").size(11.0);
    let (zero, goal) = (y.at(0.0), y.at(f64::from(wanted.min(most))));
    let axes = Path::new().to(LEFT, TOP).line(LEFT, BOTTOM).to(LEFT, zero).line(RIGHT, zero);
    svg.push(axes.to(LEFT, goal).line(RIGHT, goal).element().class("rule").fill("none"));
    svg.push(text(LEFT - 6.0, zero + 4.0, "0").ends().class("soft"));
    svg.push(text(LEFT - 6.0, goal + 4.0, &wanted.to_string()).ends().class("soft"));
    svg.push(text(RIGHT, 176.0, &minutes(one.seconds)).ends().class("soft"));
    let curve = |(contender, character): (usize, &CharacterResult)| {
        let last = character.frags_over_time.len().saturating_sub(1);
        let points = character.frags_over_time.iter().enumerate().map(|(k, &frags)| {
            let secs = if k == last { one.seconds } else { k as f64 * one.sample_secs };
            (x.at(secs), y.at(f64::from(frags)))
        });
        let name = format!("{}: {}", character.name, character.tally.frags);
        group().with(polyline(points).series_line(contender, 2.0).titled(&name))
    };
    svg.extend(one.characters.iter().enumerate().map(curve));
    svg
}
