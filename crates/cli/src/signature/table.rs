//! Signatures as text.

use repertoire_eval::signature::NAMES;

use super::{Pairs, Report};
use crate::draw;

/// More columns than this do not fit a terminal.
const WIDEST: usize = 14;

pub(super) fn table(report: &Report) -> String {
    let mut text = format!(
        "{} signatures at 10 Hz, every recording cut to {:.0} s{}\n",
        report.signatures.len(),
        report.seconds,
        match report.left_out.len() {
            0 => String::new(),
            count => format!(", {count} left out (--json says which)"),
        }
    );
    text += "\ndistances in degrees, mean over pairs of recordings\n";
    let head = ["", "pairs", "velocity to facing", "change of facing", "change of velocity"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let players = report.by_player.iter().map(|(player, pairs)| (player.as_str(), pairs));
    for (name, pairs) in
        [("same player", &report.same_player), ("others", &report.other_players)].into_iter().chain(players)
    {
        lines.push(row(name, pairs));
    }
    text += &draw::columns(&lines);
    if (2..=WIDEST).contains(&report.signatures.len()) {
        for name in NAMES {
            text += &format!("\n{}, in degrees\n", name.replace('_', " "));
            let mut lines = vec![vec![String::new()]];
            lines[0].extend(report.signatures.iter().map(|one| one.name.clone()));
            for (one, far) in report.signatures.iter().zip(&report.distances_degrees[name]) {
                let mut line = vec![one.name.clone()];
                line.extend(far.iter().map(|far| format!("{far:.1}")));
                lines.push(line);
            }
            text += &draw::columns(&lines);
        }
    } else if report.signatures.len() > WIDEST {
        text += "\ntoo many for a table of all distances; --json has them\n";
    }
    if report.signatures.len() > 2 {
        text += &nearest(report);
    }
    for name in NAMES {
        if let Some(correlation) = report.mds.get(name).and_then(|layout| layout.correlation) {
            text += &format!(
                "{}the picture's distances correlate {correlation:.3} with {}\n",
                if name == NAMES[0] { "\n" } else { "" },
                name.replace('_', " ")
            );
        }
    }
    text += &identified(report);
    text + &habits(report)
}

/// Who is nearest to whom.
fn nearest(report: &Report) -> String {
    let mut lines = vec![vec![String::new()]];
    for name in NAMES {
        lines[0].extend([name.replace('_', " "), String::new()]);
    }
    for (k, one) in report.signatures.iter().enumerate() {
        let mut line = vec![one.name.clone()];
        for name in NAMES {
            match &report.nearest[name][k] {
                Some(other) => line.extend([other.name.clone(), format!("{:.1}", other.degrees)]),
                None => line.extend(["-".to_owned(), String::new()]),
            }
        }
        lines.push(line);
    }
    format!("\nnearest other, in degrees\n{}", draw::columns(&lines))
}

fn row(name: &str, pairs: &Pairs) -> Vec<String> {
    let mut line = vec![name.to_owned(), pairs.pairs.to_string()];
    for name in NAMES {
        line.push(pairs.mean_degrees.get(name).map_or("-".to_owned(), |far| format!("{far:.2}")));
    }
    line
}

/// Whether players can be told apart by how they move.
fn identified(report: &Report) -> String {
    let Some(told) = &report.identify else { return String::new() };
    if told.of == 0 {
        return "\nidentify: no player has two recordings, so none could be held out\n".to_owned();
    }
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    format!(
        "\nidentify: {} of {} held-out recordings given to the right one of {} players ({}, 95 % interval {} to {}; chance {})\n",
        told.right,
        told.of,
        told.among,
        percent(told.share()),
        percent(told.low),
        percent(told.high),
        percent(told.chance)
    )
}

fn habits(report: &Report) -> String {
    if report.signatures.iter().all(|one| one.habits.is_none()) {
        return String::new();
    }
    let head = [
        "habits",
        "seconds",
        "view still",
        "for s",
        "bursts/min",
        "of s",
        "of deg",
        "deg/s",
        "strafing",
        "backwards",
        "stopped",
        "stops/min",
        "jumps/min",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in &report.signatures {
        let Some(habits) = &one.habits else { continue };
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        lines.push(vec![
            one.name.clone(),
            format!("{:.0}", habits.seconds),
            percent(habits.view_still),
            format!("{:.2}", habits.still_secs),
            format!("{:.1}", habits.bursts_per_minute),
            format!("{:.2}", habits.burst_secs),
            format!("{:.1}", habits.burst_deg),
            format!("{:.0}", habits.turning_deg_per_sec),
            percent(habits.strafing),
            percent(habits.backwards),
            percent(habits.stopped),
            format!("{:.1}", habits.stops_per_minute),
            format!("{:.1}", habits.jumps_per_minute),
        ]);
    }
    format!("\n{}", draw::columns(&lines))
}
