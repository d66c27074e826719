//! Who can be told from whom, as tables.

use repertoire_eval::pass::{Row, Way};
use repertoire_eval::telling::{Comparison, Told};

use super::table::{Table, number_or_dash};

/// How well players are told apart: means for each relation (same person, same map and so on), then who is nearest to whom. `pairs` adds
/// every pair, `why` the numbers that tell each pair apart best.
pub fn comparison(found: &Comparison, pairs: bool, why: bool) -> String {
    let mut text = String::new();
    let auc = |value: f64| format!("{value:.2}");
    if pairs {
        text += "pairs (AUC)\n";
        let mut table = Table::new(&["", "", "trees", "logistic", "windows"]);
        for pair in &found.pairs {
            let [first, second] = pair.told.windows;
            table.row(vec![
                pair.first.clone(),
                pair.second.clone(),
                auc(pair.told.trees),
                auc(pair.told.logistic),
                format!("{first} {second}"),
            ]);
        }
        text += &format!("{table}\n");
    }
    if why {
        text += &gives_away(found);
    }
    text += "told apart (AUC)\n";
    let mut table =
        Table::new(&["", "people in it", "pairs", "trees", "least", "most", "logistic", "routes, nats"]);
    for one in &found.summary {
        let [mean, least, most] = one.trees.map(auc);
        table.row(vec![
            one.relation.words().to_owned(),
            one.people.to_string(),
            one.pairs.to_string(),
            mean,
            least,
            most,
            auc(one.logistic),
            number_or_dash(one.routes_nats, 2),
        ]);
    }
    text += &table.to_string();
    if !found.nearest.is_empty() {
        text += "\nnearest by signature, first 5 minutes (degrees: velocity to facing, facing, velocity)\n";
        let mut table = Table::new(&["", "nearest", "degrees", "same player"]);
        for one in &found.nearest {
            let [a, b, c] = one.distances_deg.map(|degrees| format!("{degrees:.1}"));
            let same = if one.is_same_player { "yes" } else { "no" };
            table.row(vec![one.name.clone(), one.nearest.clone(), format!("{a} {b} {c}"), same.to_owned()]);
        }
        text += &table.to_string();
    }
    text
}

/// By which numbers alone each pair of two recordings is told apart best.
fn gives_away(found: &Comparison) -> String {
    let mut text = String::new();
    for pair in found.pairs.iter().filter(|pair| pair.first != pair.second) {
        let mut table = Table::new(&["alone", "AUC", &pair.first, &pair.second]);
        for one in &pair.gives_away {
            let [first, second] = one.means.map(|mean| format!("{mean:.2}"));
            table.row(vec![one.what.clone(), format!("{:.2}", one.auc), first, second]);
        }
        text += &format!("{table}\n");
    }
    text
}

/// Whether pupils pass for their teachers; with `why` also by what they are told from them.
pub fn passing(rows: &[Row], why: bool) -> String {
    let told = |told: Option<Told>| {
        told.map_or_else(|| "-".to_owned(), |told| format!("{:.2} ({:.2})", told.trees, told.logistic))
    };
    let mut heads = vec!["teacher", "map", "itself"];
    let tried = |way: &Way| rows.iter().any(|row| row.pupils.iter().any(|pupil| pupil.way == *way));
    heads.extend(Way::ALL.into_iter().filter(tried).map(Way::name));
    let mut table = Table::new(&heads);
    for row in rows {
        let mut cells = vec![row.teacher.clone(), row.map.clone(), told(row.itself)];
        cells.extend(
            row.pupils
                .iter()
                .map(|pupil| format!("{}{}", told(pupil.told), if pupil.passes() { " *" } else { "  " })),
        );
        table.row(cells);
    }
    let mut text =
        format!("AUC of boosted trees (logistic regression), pupil against teacher; * passes\n{table}");
    if why {
        for row in rows {
            for pupil in &row.pupils {
                let mut table = Table::new(&["alone", "AUC", "teacher", "pupil"]);
                for one in &pupil.gives_away {
                    let [teacher, pupil] = one.means.map(|mean| format!("{mean:.2}"));
                    table.row(vec![one.what.clone(), format!("{:.2}", one.auc), teacher, pupil]);
                }
                text += &format!("\n{} on {}, {}\n{table}", row.teacher, row.map, pupil.way.name());
            }
        }
    }
    text
}
