//! What people do, as tables: habits, fights, what foretells it, and their inputs through our rules of movement.

use repertoire_eval::people::foretold::Foretold;
use repertoire_eval::people::retrace::RetraceReport;
use repertoire_eval::people::{PeopleReport, PersonFigures};

use super::table::{Table, number_or_dash, percent};

fn share_or_dash(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| percent(share, 0))
}

fn quartiles(secs: Option<[f64; 3]>) -> String {
    secs.map_or("-".to_owned(), |[low, middle, high]| {
        format!("{:.0} ({:.0}, {:.0})", 1000.0 * middle, 1000.0 * low, 1000.0 * high)
    })
}

/// Habits and fights of each person and of all.
pub fn people(report: &PeopleReport) -> String {
    let rows = || report.people.iter().chain([&report.all]);
    let mut text = "habits\n".to_owned();
    let mut table = Table::new(&[
        "",
        "minutes",
        "view still",
        "bursts/min",
        "degrees",
        "side key",
        "back key",
        "stopped",
        "jumps/min",
        "firing",
        "signature, alternate minutes",
    ]);
    for one in rows() {
        table.named(&one.name, habits(one));
    }
    text += &table.to_string();
    text += "\nfights (ms: median and quartiles)\n";
    let mut table = Table::new(&[
        "",
        "in view s",
        "aim",
        "firing",
        "sightings",
        "turning already",
        "view turns ms",
        "fires ms",
        "lost",
        "in sight in 2 s",
        "looks back",
        "mirrored",
    ]);
    for one in rows().filter(|one| one.fights.samples_in_view > 0) {
        table.named(&one.name, fights(one));
    }
    text + &table.to_string()
}

fn habits(one: &PersonFigures) -> Vec<String> {
    let signature =
        one.alternate_minutes_deg.map_or("-".to_owned(), |[a, b, c]| format!("{a:.1} {b:.1} {c:.1}"));
    vec![
        format!("{:.1}", one.minutes),
        percent(one.views.still, 0),
        format!("{:.0}", one.views.bursts_per_minute),
        format!("{:.0}", one.views.burst_deg),
        share_or_dash(one.side_key),
        share_or_dash(one.back_key),
        percent(one.habits.stopped, 0),
        number_or_dash(one.jump_keys_per_minute.or(Some(one.habits.jumps_per_minute)), 0),
        percent(one.firing, 0),
        signature,
    ]
}

fn fights(one: &PersonFigures) -> Vec<String> {
    let fights = &one.fights;
    vec![
        format!("{:.0}", fights.samples_in_view as f64 * 0.05),
        number_or_dash(fights.aim_deg, 1),
        number_or_dash(fights.aim_firing_deg, 1),
        fights.sightings.to_string(),
        share_or_dash(fights.turning_already),
        quartiles(fights.reaction_secs),
        quartiles(fights.fire_secs),
        fights.losses.to_string(),
        share_or_dash(fights.regained),
        share_or_dash(fights.looked_back),
        share_or_dash(fights.looked_mirrored),
    ]
}

/// How well somebody's play is foretold by each of some moments.
pub fn foretold(found: &Foretold) -> String {
    let mut text =
        format!("{} decisions of {}, nats per decision\n", found.decisions, found.players.join(", "));
    for one in &found.nats_per_decision {
        text += &format!("  {:6.3}  {}\n", one.nats, one.under);
    }
    text
}

/// How far people's inputs lead from where they led the people.
pub fn retraced(reports: &[RetraceReport]) -> String {
    let mut table = Table::new(&[
        "demo", "map", "windows", "measured", "median", "95 %", "99 %", "largest", "within 1", "within 8",
        "jump",
    ]);
    for one in reports {
        table.row(vec![
            one.session.clone(),
            one.map.clone(),
            one.windows.to_string(),
            one.measured.to_string(),
            format!("{:.2}", one.median),
            format!("{:.2}", one.percentile_95),
            format!("{:.1}", one.percentile_99),
            format!("{:.0}", one.largest),
            percent(one.within_1, 1),
            percent(one.within_8, 1),
            if one.kt_jump > 0.0 { "given back".to_owned() } else { "plain".to_owned() },
        ]);
    }
    let mut text = format!("errors in units after each window\n{table}");
    for one in reports {
        let left_out: Vec<String> =
            one.left_out.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        text += &format!("\n{}: left out: {}\n", one.session, left_out.join(", "));
        let beyond = one.beyond_8.iter().map(|(kind, (beyond, all))| format!("{kind} {beyond} of {all}"));
        text += &format!("  beyond 8 units: {}\n", beyond.collect::<Vec<_>>().join(", "));
        let worst = one.worst.iter().take(4).map(|(secs, error)| format!("{error:.0} at {secs:.1} s"));
        text += &format!("  worst: {}\n", worst.collect::<Vec<_>>().join(", "));
    }
    text
}
