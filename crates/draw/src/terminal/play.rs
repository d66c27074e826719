//! Imported play as tables: who took part, and how it differs from another reading of it.

use repertoire_trace::compare::Comparison;
use repertoire_trace::play_summary::PlaySummary;
use repertoire_trace::{Header, Tick};

use super::table::Table;

/// How much of everybody's life there is to learn from.
pub fn percepts(header: &Header, ticks: &[Tick]) -> String {
    let minutes = |id: u8| {
        let alive = ticks.iter().flat_map(|tick| &tick.rows).filter(|row| row.character == id && row.alive);
        alive.count() as f64 * header.period_secs / 60.0
    };
    let told: Vec<String> =
        header.characters.iter().map(|one| format!("{} {:.1} min", one.name, minutes(one.id))).collect();
    format!("percepts at 10 Hz: {}\n", told.join(", "))
}

/// A match in figures.
pub fn summary(play: &PlaySummary) -> String {
    let length = match play.match_secs {
        Some(secs) => format!("a match of {secs:.1} s in {:.1} s", play.duration_secs),
        None => format!("{:.1} s", play.duration_secs),
    };
    let mut text = format!(
        "{} {}, map {}, {length}: {} states, {} inputs, {} events, {} changes of things\n\n",
        play.source, play.session, play.map, play.states, play.inputs, play.events, play.things
    );
    let mut table = Table::new(&[
        "player",
        "",
        "states",
        "alive s",
        "shots",
        "dealt",
        "taken",
        "picked up",
        "deaths",
        "frags",
    ]);
    for one in &play.players {
        table.row(vec![
            one.name.clone(),
            if one.is_pov { "recorded".to_owned() } else { String::new() },
            one.states.to_string(),
            format!("{:.1}", one.alive_secs),
            one.shots.to_string(),
            one.damage_dealt.to_string(),
            one.damage_taken.to_string(),
            one.pickups.to_string(),
            one.deaths.to_string(),
            one.frags.to_string(),
        ]);
    }
    text += &table.to_string();
    for note in &play.notes {
        text += &format!("note: {note}\n");
    }
    text
}

/// How far two readings are apart, column by column.
pub fn comparison(comparison: &Comparison) -> String {
    let mut text = format!(
        "\n{} of {} rows compared; our clock is {:+.3} s from the reference's\n",
        comparison.rows_compared, comparison.rows, comparison.offset_secs
    );
    let who: Vec<String> =
        comparison.players.iter().map(|(theirs, ours)| format!("{theirs} = {ours}")).collect();
    text += &format!("players: {}\n\n", who.join(", "));
    let mut table = Table::new(&["column", "rows", "differing", "largest difference", "at s"]);
    for column in comparison.columns.iter().filter(|column| column.rows > 0) {
        table.row(vec![
            column.column.to_owned(),
            column.rows.to_string(),
            column.differing.to_string(),
            format!("{:.4}", column.largest),
            if column.largest > 0.0 { format!("{:.3}", column.largest_at_secs) } else { String::new() },
        ]);
    }
    text += &table.to_string();
    if !comparison.events.is_empty() {
        let mut table = Table::new(&["event", "reference", "ours", "same"]);
        for one in &comparison.events {
            let cells = [one.reference, one.ours, one.same].map(|count| count.to_string());
            table.named(one.kind.word(), cells);
        }
        text += &format!("\n{table}");
    }
    text
}
