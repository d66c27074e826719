//! Signatures as tables: how far apart players move, who is nearest to whom, what their habits are.

use repertoire_eval::signature::{NAMES, Pairs, SignatureReport};

use super::table::{Table, number_or_dash, percent};

/// More columns than this do not fit a terminal.
const WIDEST: usize = 14;

/// All that a report of signatures says.
pub fn signatures(report: &SignatureReport) -> String {
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
    let mut table =
        Table::new(&["", "pairs", "velocity to facing", "change of facing", "change of velocity"]);
    let players = report.by_player.iter().map(|(player, pairs)| (player.as_str(), pairs));
    let all = [("same player", &report.same_player), ("others", &report.other_players)];
    for (name, pairs) in all.into_iter().chain(players) {
        table.row(row(name, pairs));
    }
    text += &table.to_string();
    if (2..=WIDEST).contains(&report.signatures.len()) {
        for name in NAMES {
            let mut table = Table::by("", report.signatures.iter().map(|one| one.name.clone()));
            for (one, far) in report.signatures.iter().zip(&report.distances_degrees[name]) {
                table.named(&one.name, far.iter().map(|far| format!("{far:.1}")));
            }
            text += &format!("\n{}, in degrees\n{table}", name.replace('_', " "));
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
fn nearest(report: &SignatureReport) -> String {
    let mut table = Table::by("", NAMES.iter().flat_map(|name| [name.replace('_', " "), String::new()]));
    for (k, one) in report.signatures.iter().enumerate() {
        let nearest = NAMES.iter().flat_map(|&name| match &report.nearest[name][k] {
            Some(other) => [other.name.clone(), format!("{:.1}", other.degrees)],
            None => ["-".to_owned(), String::new()],
        });
        table.named(&one.name, nearest);
    }
    format!("\nnearest other, in degrees\n{table}")
}

fn row(name: &str, pairs: &Pairs) -> Vec<String> {
    let mut line = vec![name.to_owned(), pairs.pairs.to_string()];
    line.extend(NAMES.map(|name| number_or_dash(pairs.mean_degrees.get(name).copied(), 2)));
    line
}

/// Whether players can be told apart by how they move.
fn identified(report: &SignatureReport) -> String {
    let Some(told) = &report.identify else { return String::new() };
    if told.of == 0 {
        return "\nidentify: no player has two recordings, so none could be held out\n".to_owned();
    }
    format!(
        "\nidentify: {} of {} held-out recordings given to the right one of {} players ({}, 95 % interval {} to {}; chance {})\n",
        told.right,
        told.of,
        told.among,
        percent(told.share(), 0),
        percent(told.low, 0),
        percent(told.high, 0),
        percent(told.chance, 0)
    )
}

fn habits(report: &SignatureReport) -> String {
    if report.signatures.iter().all(|one| one.habits.is_none()) {
        return String::new();
    }
    let mut table = Table::new(&[
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
    ]);
    for one in &report.signatures {
        let Some(habits) = &one.habits else { continue };
        table.row(vec![
            one.name.clone(),
            format!("{:.0}", habits.seconds),
            percent(habits.view_still, 1),
            format!("{:.2}", habits.still_secs),
            format!("{:.1}", habits.bursts_per_minute),
            format!("{:.2}", habits.burst_secs),
            format!("{:.1}", habits.burst_deg),
            format!("{:.0}", habits.turning_deg_per_sec),
            percent(habits.strafing, 1),
            percent(habits.backwards, 1),
            percent(habits.stopped, 1),
            format!("{:.1}", habits.stops_per_minute),
            format!("{:.1}", habits.jumps_per_minute),
        ]);
    }
    format!("\n{table}")
}
