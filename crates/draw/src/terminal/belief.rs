//! How well unseen opponents are tracked, as tables.

use std::collections::BTreeSet;

use repertoire_belief::Model;
use repertoire_eval::belief::calibrate::Calibration;
use repertoire_eval::belief::evaluate::{Measured, Report};
use repertoire_eval::belief::plants::Plants;
use repertoire_eval::belief::rts::Row;
use serde_json::{Value, json};

use super::table::{Table, percent};

const HEADINGS: [&str; 12] =
    ["tracker", "dist", "", "secs", "mode", "secs", "log-loss", "", "50 %", "90 %", "", "us/update"];

/// Trackers on recorded play; `by_time` adds a table for each, by seconds since the enemy was last seen.
pub fn evaluated(report: &Report, by_time: bool) -> String {
    let mut text = format!(
        "{}, {} rounds{}, {} beliefs about unseen enemies\n",
        if report.map.is_empty() { "a map" } else { &report.map },
        report.rounds,
        if report.leave_one_out { " (each left out of what is learned from)" } else { "" },
        report.beliefs
    );
    let timed = usize::from(report.trackers.iter().any(|row| row.update_us.is_some()));
    let mut table = Table::new(&HEADINGS[..HEADINGS.len() - 1 + timed]);
    for row in &report.trackers {
        table.row(cells(row.tracker, &row.all, row.update_us.map(|us| format!("{us:.1}"))));
    }
    text += &table.to_string();
    if report.trackers.iter().any(|row| row.recorded.is_some()) {
        let headings = ["tracker", "when", "beliefs", "dist", "", "log-loss", "", "90 %"];
        let mut table = Table::new(&headings);
        for row in &report.trackers {
            for (when, m) in ["back in view", "sent, not in view"].iter().zip(row.recorded.iter().flatten()) {
                let cells = cells(row.tracker, m, None);
                let [dist, dist_ends, loss, loss_ends, in_90] = [1, 2, 6, 7, 9].map(|k| cells[k].clone());
                let beliefs = m.beliefs.to_string();
                let tracker = row.tracker.to_owned();
                table.row(vec![
                    tracker,
                    (*when).to_owned(),
                    beliefs,
                    dist,
                    dist_ends,
                    loss,
                    loss_ends,
                    in_90,
                ]);
            }
        }
        text += &format!("\nby what was recorded of them\n{table}");
    }
    if !report.evidence.is_empty() {
        let headings = [
            "tracker",
            "evidence",
            "nats gained",
            "",
            "changes",
            "log-loss",
            "dist",
            "90 %",
            "sound",
            "health",
        ];
        let mut table = Table::new(&headings);
        for gain in &report.evidence {
            table.row(vec![
                gain.tracker.to_owned(),
                gain.evidence.to_owned(),
                format!("{:.3}", gain.better_nats),
                format!("{:.3}..{:.3}", gain.better_low, gain.better_high),
                percent(gain.changed, 0),
                format!("{:.2}", gain.log_loss),
                format!("{:.0}", gain.distance_expected),
                percent(gain.in_90, 0),
                format!("{:.2}", gain.sound),
                format!("{:.2}", gain.health),
            ]);
        }
        text += &format!("\nevidence beside sight, each counting as learned from the other rounds\n{table}");
    }
    for row in report.trackers.iter().filter(|_| by_time) {
        let others = HEADINGS[1..11].iter().map(|&heading| heading.to_owned());
        let mut table = Table::by("seconds", others);
        for bucket in &row.by_unseen_secs {
            let to = bucket.to.map_or("and more".to_owned(), |to| format!("to {to}"));
            let label = format!("{} {to}", bucket.from);
            table.row(cells(&label, &bucket.measured, Some(format!("of {}", bucket.measured.beliefs))));
        }
        text += &format!("\n{}, by seconds since last seen\n{table}", row.tracker);
    }
    text
}

fn cells(label: &str, m: &Measured, last: Option<String>) -> Vec<String> {
    let mut cells = vec![
        label.to_owned(),
        format!("{:.0}", m.distance_expected),
        format!("{:.0}..{:.0}", m.distance_expected_low, m.distance_expected_high),
        format!("{:.1}", m.seconds_expected),
        format!("{:.0}", m.distance_mode),
        format!("{:.1}", m.seconds_mode),
        format!("{:.2}", m.log_loss),
        format!("{:.2}..{:.2}", m.log_loss_low, m.log_loss_high),
        percent(m.in_50, 0),
        percent(m.in_90, 0),
        format!("{:.0}..{:.0}", 100.0 * m.in_90_low, 100.0 * m.in_90_high),
    ];
    cells.extend(last);
    cells
}

/// How often the 50 % and 90 % sets hold an opponent that walks by the model itself.
pub fn calibrated(found: &Calibration) -> String {
    let mut text = format!("{} opponents who walk by the model, {} beliefs\n", found.walks, found.beliefs);
    for set in &found.sets {
        text += &format!(
            "  the {} set holds {} of the belief and {} of the truth; exactly {} hold {}\n",
            percent(set.share, 0),
            percent(set.held, 1),
            percent(set.holds_truth, 1),
            percent(set.share, 0),
            percent(set.exactly, 1)
        );
    }
    text
}

/// One side told from where the other stands.
pub fn plants(told: &Plants) -> String {
    let mut table =
        Table::new(&["hidden", "told by", "log-loss", "better than base rate", "dist", "50 %", "90 %"]);
    for (k, row) in told.rows.iter().enumerate() {
        let better = format!("{:.2} ({:.2}..{:.2})", row.better_nats, row.better_low, row.better_high);
        table.row(vec![
            row.hidden.clone(),
            row.told_by.to_owned(),
            format!("{:.2}", row.log_loss),
            // The base rate itself is the first of a side.
            if k % 3 == 0 { String::new() } else { better },
            format!("{:.0}", row.distance_expected),
            percent(row.in_50, 0),
            percent(row.in_90, 0),
        ]);
    }
    format!("{} states, each told from four fifths that do not hold it\n{table}", told.states)
}

/// The ways of units on maps of strategy games.
pub fn rts(rows: &[Row]) -> String {
    let mut table = Table::new(&["map", "told by", "dist (cells)", "", "log-loss", "90 %", "best way"]);
    for (k, row) in rows.iter().enumerate() {
        let is_new = k == 0 || rows[k - 1].map != row.map || rows[k - 1].best_way_distance_cells.is_some();
        table.row(vec![
            if is_new { format!("{} ({} places)", row.map, row.places) } else { String::new() },
            row.told_by.to_owned(),
            format!("{:.1}", row.distance_cells),
            format!("± {:.1}", row.distance_half_width.unwrap_or(0.0)),
            format!("{:.2}", row.log_loss),
            percent(row.in_90, 0),
            row.best_way_distance_cells.map_or(String::new(), |best| format!("{best:.1}")),
        ]);
    }
    format!("synthetic ways on real maps, steps in which the unit is not seen\n{table}")
}

/// A model that was learned, and from how much.
#[derive(Clone, Copy, Debug)]
pub struct Fitted<'a> {
    /// Where it is written to.
    pub file: &'a str,
    /// The model.
    pub model: &'a Model,
    /// How many rounds it was learned from.
    pub rounds: usize,
}

impl Fitted<'_> {
    fn moments(&self) -> usize {
        self.model.lives.iter().map(|life| life.places.len()).sum()
    }

    fn visited(&self) -> usize {
        self.model.lives.iter().flat_map(|life| &life.places).collect::<BTreeSet<_>>().len()
    }

    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        let model = self.model;
        json!({
            "map": model.map, "places": model.places.len(), "visited": self.visited(),
            "regions": model.regions.len(), "rounds": self.rounds, "lives": model.lives.len(),
            "moments": self.moments(), "step_secs": model.period_secs, "players": model.players,
            "sides": model.sides,
        })
    }

    /// The summary in a line.
    pub fn text(&self) -> String {
        let model = self.model;
        format!(
            "{}: {} rounds, {} ways, {} moments of {} players on {} ({} of {} places visited, {} regions)\n",
            self.file,
            self.rounds,
            model.lives.len(),
            self.moments(),
            model.players.len(),
            if model.map.is_empty() { "a map" } else { &model.map },
            self.visited(),
            model.places.len(),
            model.regions.len(),
        )
    }
}
