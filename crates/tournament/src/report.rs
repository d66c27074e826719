//! A tournament as tables, and the tables themselves.

pub mod columns;
pub mod table;

use anstyle::Style;
use table::{Table, counted, percent};

use crate::tournament::{Explained, MatchResult, Outcome, Standing};

/// Who is better, on all maps and on each, and what the numbers mean.
pub fn report(outcome: &Outcome) -> String {
    let settings = &outcome.settings;
    let bold = Style::new().bold();
    let mut text = format!(
        "{bold}{} to {} frags on {} (seed {}){bold:#}\n\n{}",
        counted(outcome.matches.len(), "match", "matches"),
        settings.frags,
        settings.maps.join(", "),
        settings.seed,
        standings(outcome)
    );
    if outcome.maps.len() > 1 {
        text += &format!("\n{bold}Score on each map{bold:#}\n\n{}", by_map(outcome));
    }
    text += "\nThe score of a match is the winner's frags minus one's own, so 0 is best; here is its mean over all matches,\n\
             and ± how far off that may be (95 % confidence).\n";
    for pair in outcome.standings.windows(2).filter(|pair| pair[0].is_close_to_next()) {
        let apart = pair[0].lead.map_or(String::new(), |lead| format!("{lead:.1}"));
        text += &format!(
            "Too close to call: {} and {}, {apart} frags a match apart.\n",
            pair[0].name, pair[1].name
        );
    }
    if outcome.undecided() > 0 {
        text += &format!(
            "{} without a winner within {} s (or with two at once); the most frags then count as the winner's.\n",
            counted(outcome.undecided() as usize, "match ended", "matches ended"),
            settings.time_limit_secs
        );
    }
    text
}

/// A match in a line: where, and the frags of everybody, the most first.
pub fn result(of: &MatchResult) -> String {
    let mut order: Vec<_> = of.characters.iter().collect();
    order.sort_by_key(|one| one.score);
    let frags: Vec<String> = order.iter().map(|one| format!("{} {}", one.name, one.tally.frags)).collect();
    format!("  {} {}: {}", of.map, of.number, frags.join(", "))
}

/// One decision of the best, in its own words.
pub fn explained(one: &Explained) -> String {
    let bold = Style::new().bold();
    let (minutes, seconds) = (one.seconds as u32 / 60, one.seconds % 60.0);
    format!(
        "\n{bold}Why? {}, {minutes}:{seconds:04.1} into the first match on {}, as it had its first frag{bold:#}\n\n{}\n\n",
        one.name, one.map, one.why
    )
}

fn standings(outcome: &Outcome) -> Table {
    let columns =
        ["character", "score", "wins", "frags", "deaths", "suicides", "accuracy", "stuck", "µs/decision"];
    let timed = usize::from(outcome.timing.is_some());
    let mut table = Table::new(&columns[..columns.len() - 1 + timed]);
    for standing in &outcome.standings {
        let timing = outcome.timing.as_ref().map(|timing| timing[standing.contender].median_ns / 1000.0);
        let mut cells = vec![
            standing.name.clone(),
            format!("{:.1}", standing.score),
            standing.wins.to_string(),
            format!("{:.1}", standing.frags),
            format!("{:.1}", standing.deaths),
            format!("{:.1}", standing.suicides),
            percent(standing.accuracy, 0),
            percent(standing.stuck_share, 1),
        ];
        cells.extend(timing.map(|us| format!("{us:.1}")));
        table.row(cells);
    }
    table
}

/// A line for each character in the order of the total, a column for each map.
fn by_map(outcome: &Outcome) -> Table {
    let mut table = Table::by("character", outcome.maps.iter().map(|map| map.name.clone()));
    for total in &outcome.standings {
        let on = |standings: &[Standing]| {
            let own = standings.iter().find(|standing| standing.contender == total.contender);
            own.map_or(String::new(), |standing| format!("{:.1}", standing.score))
        };
        table.named(&total.name, outcome.maps.iter().map(|map| on(&map.standings)));
    }
    table
}
