//! Intervals as bars, and frags over time as lines.

use super::{colour, escape};
use crate::tournament::{CharacterResult, MatchResult};
use crate::{Outcome, Standing};

/// A mean as a dot and its interval as a bar, on a scale from 0 to `most`. No score is below 0, so no bar is drawn there.
pub(super) fn interval(standing: &Standing, most: f64) -> String {
    let x = |score: f64| 6.0 + 148.0 * score.clamp(0.0, most) / most;
    let (low, high) = (x(standing.score.low()), x(standing.score.high()));
    format!(
        "<svg viewBox=\"0 0 160 20\" role=\"img\" aria-label=\"from {:.1} to {:.1}\"><g {}>\
         <path class=\"axis\" d=\"M6 2V18\"/><path class=\"span\" d=\"M{low:.1} 10H{high:.1}\"/>\
         <circle class=\"dot\" cx=\"{:.1}\" cy=\"10\" r=\"4\"/></g></svg>",
        standing.score.low().max(0.0),
        standing.score.high(),
        colour(standing.contender),
        x(standing.score.mean),
    )
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
fn frags(one: &MatchResult, wanted: i32) -> String {
    let all = || one.characters.iter().flat_map(|character| &character.frags_over_time);
    let most = all().fold(wanted.max(1), |most, &frags| most.max(frags));
    let least = all().fold(0, |least, &frags| least.min(frags));
    let y = |frags: i32| BOTTOM - (BOTTOM - TOP) * f64::from(frags - least) / f64::from(most - least);
    let x = |secs: f64| LEFT + (RIGHT - LEFT) * secs / one.seconds.max(1e-9);
    let line = |(contender, character): (usize, &CharacterResult)| {
        let last = character.frags_over_time.len().saturating_sub(1);
        let points = character.frags_over_time.iter().enumerate().map(|(k, &frags)| {
            let secs = if k == last { one.seconds } else { k as f64 * one.sample_secs };
            format!("{:.1},{:.1}", x(secs), y(frags))
        });
        format!(
            "<g {}><polyline class=\"line\" points=\"{}\"><title>{}: {}</title></polyline></g>\n",
            colour(contender),
            points.collect::<Vec<_>>().join(" "),
            escape(&character.name),
            character.tally.frags
        )
    };
    let lines: String = one.characters.iter().enumerate().map(line).collect();
    let (zero, goal) = (y(0), y(wanted.min(most)));
    format!(
        "<svg viewBox=\"0 0 320 180\" role=\"img\" aria-label=\"frags over time\">\n\
         <path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}M{LEFT} {zero:.1}H{RIGHT}M{LEFT} {goal:.1}H{RIGHT}\"/>\n\
         <text x=\"{t}\" y=\"{:.1}\" text-anchor=\"end\">0</text>\
         <text x=\"{t}\" y=\"{:.1}\" text-anchor=\"end\">{wanted}</text>\
         <text x=\"{RIGHT}\" y=\"176\" text-anchor=\"end\">{}</text>\n{lines}</svg>\n",
        zero + 4.0,
        goal + 4.0,
        minutes(one.seconds),
        t = LEFT - 6.0,
    )
}
