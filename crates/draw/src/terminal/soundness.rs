//! Whether maps are sound, and how soon characters find each other, as tables.

use repertoire_eval::seek::{MEASURES, Means};
use repertoire_eval::soak::Soaked;

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
pub fn sought(map: &str, seekers: &[(&str, Means)], difference: Option<&Means>) -> String {
    let mut table = Table::by(map, MEASURES.map(str::to_owned));
    for (name, means) in seekers {
        table.named(name, means.map(|mean| mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"))));
    }
    if let Some(means) = difference {
        table
            .named("difference", means.map(|mean| mean.map_or("-".to_owned(), |mean| format!("{mean:+.1}"))));
    }
    table.to_string()
}
