//! Whether maps are sound, and how soon characters find each other, as tables.

use repertoire_eval::seek::{MEASURES, Means, Sought};
use repertoire_eval::soak::Soaked;
use serde_json::{Value, json};

use super::table::Table;

/// What became of the matches of a soak, a line for each map.
pub fn soaked(rows: &[Soaked]) -> String {
    let width = rows.iter().map(|row| row.short_name().len()).max().unwrap_or(0).max(3);
    let mut text = format!("{:width$}  matches  panics  outside  stuck  frags/min  state hash\n", "map");
    for row in rows {
        let minutes = row.decisions as f64 / 600.0;
        text += &format!(
            "{:width$}  {:7}  {:6}  {:7}  {:4.2} %  {:8.1}  {:016x}\n",
            row.short_name(),
            row.matches,
            row.panics,
            row.outside,
            100.0 * row.stuck_share(),
            row.frags as f64 / minutes.max(1e-9),
            row.hash
        );
    }
    text
}

/// The measures of each seeker on a map, and the difference between the last and the first of them if there are several.
///
/// What could not be measured of a single duel is a dash.
pub fn sought(found: &Sought) -> String {
    let mut table = Table::by(&found.map, MEASURES.map(str::to_owned));
    for ((name, _), means) in found.seekers.iter().zip(found.means()) {
        table.named(name, means.map(|mean| mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"))));
    }
    if let Some((_, means)) = found.difference() {
        table
            .named("difference", means.map(|mean| mean.map_or("-".to_owned(), |mean| format!("{mean:+.1}"))));
    }
    table.to_string()
}

/// The same of several maps for other programs.
pub fn sought_as_json(all: &[Sought], opponent: &str) -> Value {
    let mut rows = Vec::new();
    for found in all {
        for ((seeker, duels), means) in found.seekers.iter().zip(found.means()) {
            let about =
                json!({ "map": found.map, "seeker": seeker, "opponent": opponent, "trials": duels.len() });
            rows.push(with_means(about, &means));
        }
        if let Some((difference, means)) = found.difference() {
            rows.push(with_means(json!({ "map": found.map, "difference": difference }), &means));
        }
    }
    rows.into()
}

fn with_means(mut about: Value, means: &Means) -> Value {
    for (name, mean) in MEASURES.iter().zip(means) {
        about[name] = json!(mean);
    }
    about
}
