//! Who can be told from whom, as tables.

use repertoire_eval::pass::{Row, Way};
use repertoire_eval::telling::{Comparison, Nearness, Told};
use repertoire_eval::whole;
use repertoire_tournament::Interval;

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

/// Who moves most like whom: for each recording its nearest, and where its own player (a pupil's teacher) stands among all.
pub fn nearness(found: &Nearness) -> String {
    let degrees = |all: [f64; 3]| all.map(|one| format!("{one:.1}")).join(" ");
    let heads = ["", "map", "nearest", "degrees", "same person", "map", "degrees", "place"];
    let mut table = Table::new(&heads);
    for one in &found.all {
        let mut cells =
            vec![one.name.clone(), one.map.clone(), one.nearest.clone(), degrees(one.distances_deg)];
        match &one.own {
            Some(own) => cells.extend([
                own.name.clone(),
                own.map.clone(),
                degrees(own.distances_deg),
                format!("{} of {}", own.place, one.others + 1),
            ]),
            None => cells.extend(["-", "", "", ""].map(str::to_owned)),
        }
        table.row(cells);
    }
    let mut text = format!(
        "nearest by signature, first {} minutes of each (degrees: velocity to facing, facing, velocity)\n{table}",
        found.minutes
    );
    for (what, is_person) in [("people", true), ("pupils", false)] {
        let of = found.all.iter().filter(|one| one.is_person == is_person && one.own.is_some());
        let places: Vec<usize> = of.filter_map(|one| one.own.as_ref().map(|own| own.place)).collect();
        if !places.is_empty() {
            let first = places.iter().filter(|&&place| place == 1).count();
            text += &format!("{what}: {first} of {} are nearest to the same person\n", places.len());
        }
    }
    for (name, minutes) in &found.left_out {
        text += &format!("left out: {name}, {minutes:.1} minutes\n");
    }
    text
}

/// Whether belief, plans and wants bring pupils nearer to people.
pub fn whole_pupils(rows: &[whole::Row]) -> String {
    let number = |of: &Interval, digits: usize| match of.half_width {
        Some(half) => format!("{:.digits$} ± {half:.digits$}", of.mean),
        None => format!("{:.digits$}", of.mean),
    };
    let dash = || "-".to_owned();
    let known = |of: Option<Interval>| of.map_or_else(dash, |of| number(&of, 2));
    let mut text = String::new();
    for row in rows {
        let [learned, unseen] = row.minutes;
        let auc = row
            .itself
            .told
            .map_or_else(|| "-".to_owned(), |told| format!("{:.2} ({:.2})", told.trees, told.logistic));
        let degrees = row
            .itself
            .signature_deg
            .map_or_else(|| "-".to_owned(), |degrees| degrees.map(|one| format!("{one:.1}")).join(" "));
        text += &format!(
            "{} on {} ({}): {learned:.1} minutes of the {} half learned, {unseen:.1} of the other compared with\n\
             the two halves: AUC {auc}, signature {degrees} degrees, routes {} nats\n",
            row.teacher,
            row.map,
            row.session,
            row.half.name(),
            number_or_dash(row.itself.routes_nats, 2),
        );
        let mut table = Table::new(&[
            "who decides",
            "trees",
            "logistic",
            "signature, degrees",
            "routes, nats",
            "kills/min",
            "of the replay",
            "deaths/min",
        ]);
        for one in &row.tried {
            table.row(vec![
                one.variant.words().to_owned(),
                known(one.trees),
                known(one.logistic),
                one.signature_deg
                    .map_or_else(dash, |all| all.map(|one| format!("{:.1}", one.mean)).join(" ")),
                known(one.routes_nats),
                number(&one.kills, 1),
                format!("{:.1}", one.kills_of_replay.mean),
                number(&one.deaths, 1),
            ]);
        }
        text += &format!("{table}\n");
    }
    let matches = rows.iter().flat_map(|row| &row.tried).map(|one| one.matches).max().unwrap_or(0);
    let of = if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") };
    text + &format!(
        "means of {of} with 95 % intervals; AUC against the half not learned from: 0.5 is guessing\n"
    )
}
