//! Standings as tables.

use super::{chart, named};
use repertoire_eval::{Interval, Outcome, Standing};

const HEAD: &str = "<tr><th>character</th><th>score</th><th class=\"left\">interval</th><th>wins</th><th>frags</th>\
    <th>deaths</th><th>suicides</th><th>accuracy</th><th>items</th><th>stuck</th><th>µs a decision</th></tr>\n";

/// Everybody over all matches.
pub(super) fn standings(outcome: &Outcome) -> String {
    let most = outcome.standings.iter().map(|standing| standing.score.high()).fold(1.0, f64::max);
    let rows: String = outcome.standings.iter().map(|standing| row(outcome, standing, most)).collect();
    format!("<div class=\"wide\"><table>\n{HEAD}{rows}</table></div>\n")
}

fn row(outcome: &Outcome, standing: &Standing, most: f64) -> String {
    let timing = outcome.timing.as_ref().and_then(|timing| timing.get(standing.contender));
    let cells = [
        score(&standing.score),
        chart::interval(standing, most),
        standing.wins.to_string(),
        format!("{:.1}", standing.frags),
        format!("{:.1}", standing.deaths),
        format!("{:.1}", standing.suicides),
        format!("{:.0} %", 100.0 * standing.accuracy),
        format!("{:.1}", standing.items),
        format!("{:.1} %", 100.0 * standing.stuck_share),
        timing.map_or("–".to_owned(), |time| format!("{:.1}", time.median_ns / 1000.0)),
    ];
    let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
    format!("<tr><td>{}</td>{cells}</tr>\n", named(standing.contender, &standing.name))
}

fn score(score: &Interval) -> String {
    match score.half_width {
        Some(half) => format!("{:.1} ± {half:.1}", score.mean),
        None => format!("{:.1}", score.mean),
    }
}

/// A row for each character in the order of the total, a column for each map.
pub(super) fn by_map(outcome: &Outcome) -> String {
    let heads: String =
        outcome.maps.iter().map(|map| format!("<th>{}</th>", super::escape(&map.name))).collect();
    let mut rows = String::new();
    for total in &outcome.standings {
        let own = |standings: &[Standing]| {
            let own = standings.iter().find(|standing| standing.contender == total.contender);
            own.map_or(String::new(), |standing| score(&standing.score))
        };
        let cells: String =
            outcome.maps.iter().map(|map| format!("<td>{}</td>", own(&map.standings))).collect();
        rows += &format!("<tr><td>{}</td>{cells}</tr>\n", named(total.contender, &total.name));
    }
    format!("<div class=\"wide\"><table>\n<tr><th>character</th>{heads}</tr>\n{rows}</table></div>\n")
}
