//! Learned places and how good they are, as tables.

use repertoire_eval::topology::Judgement;
use repertoire_eval::topology::compare::ComparedMap;
use repertoire_eval::topology::figures::Figures;
use repertoire_eval::topology::learn::LearnedFigures;
use repertoire_topology::PlaceGraph;

use super::table::{Table, number_or_dash, percent};

/// What was learned of each map.
pub fn learned(maps: &[LearnedFigures]) -> String {
    let mut table =
        Table::new(&["map", "sessions", "players", "positions", "nodes", "links", "distance", "along links"]);
    for one in maps {
        table.row(vec![
            one.map.clone(),
            one.sessions.to_string(),
            one.players.to_string(),
            one.positions.to_string(),
            one.nodes.to_string(),
            one.links.to_string(),
            format!("{:.1}", one.mean_distance),
            percent(one.changes_along_links, 1),
        ]);
    }
    format!(
        "{table}distance: from a player to the nearest node on the play that was learned from; along links: changes of nearest node\n"
    )
}

/// The navigation points of a map that were written.
pub fn points(map: &str, points: &PlaceGraph, file: &str) -> String {
    let (nodes, links) = (points.nodes.len(), points.links.len());
    format!("{map}: {nodes} points, {links} links, written to {file}\n")
}

/// Places beside navigation points, and on play if there is some.
pub fn compared(rows: &[ComparedMap]) -> String {
    let mut headings = vec!["map", "nodes", "points", "sensitivity", "specificity", "to nodes", "to points"];
    if rows.iter().any(|row| row.play.is_some()) {
        headings.extend(["players", "to points", "along links"]);
    }
    let mut table = Table::new(&headings);
    for row in rows {
        let c = &row.comparison;
        let mut line = vec![
            if row.map.is_empty() { "(no name)".to_owned() } else { row.map.clone() },
            c.nodes.to_string(),
            c.navigation_points.to_string(),
            number_or_dash(c.sensitivity.map(|it| 1e5 * it), 3),
            number_or_dash(c.specificity.map(|it| 1e3 * it), 3),
            number_or_dash(c.mean_distance_to_nodes, 1),
            number_or_dash(c.mean_distance_to_navigation_points, 1),
        ];
        if let Some(play) = &row.play {
            line.push(format!("{:.1}", play.mean_distance_from_players));
            line.push(format!("{:.1}", play.mean_distance_from_players_to_navigation_points));
            line.push(percent(play.changes_along_links, 1));
        }
        table.row(line);
    }
    table.to_string()
}

/// Three learners on play they did not learn from.
pub fn judged(judged: &Judgement) -> String {
    let mut text = String::new();
    let n = judged.passes;
    for mean in &judged.mean {
        let mut table = Table::new(&[
            "map",
            "sessions",
            "nodes",
            "",
            "distance",
            "",
            "k-means",
            "",
            "ratio",
            "",
            "along links",
            "",
            "points",
        ]);
        let rows = judged.maps.iter().filter(|row| row.learner == mean.learner);
        for row in rows.chain([mean]) {
            table.row(vec![
                row.map.clone(),
                row.sessions.to_string(),
                format!("{:.1}", row.nodes_first),
                format!("{:.1}", row.nodes_last),
                format!("{:.1}", row.distance_first),
                format!("{:.1}", row.distance_last),
                format!("{:.1}", row.kmeans_first),
                format!("{:.1}", row.kmeans_last),
                format!("{:.3}", row.ratio_first),
                format!("{:.3}", row.ratio_last),
                percent(row.along_links_first, 1),
                percent(row.along_links_last, 1),
                number_or_dash(row.distance_to_navigation_points, 1),
            ]);
        }
        text += &format!(
            "{}, after 1 pass and after {n}\n{table}{:+.1} % nodes from pass 1 to pass {n}\n\n",
            mean.learner,
            100.0 * (mean.nodes_last / mean.nodes_first - 1.0)
        );
    }
    text
}

/// The minutes of figures 4.11 to 4.14 that get a line, counted from 0.
const MINUTES_SHOWN: [usize; 10] = [0, 1, 2, 4, 7, 9, 14, 19, 24, 29];

/// What figures 4.11 to 4.20 of Tencé's thesis show.
pub fn figures(figures: &Figures) -> String {
    let measures = |nodes: f64, sensitivity: f64, specificity: f64, distance: f64| {
        [
            format!("{nodes:.1}"),
            format!("{:.3}", 1e5 * sensitivity),
            format!("{:.3}", 1e3 * specificity),
            format!("{distance:.1}"),
        ]
    };
    let mut over_time =
        Table::new(&["learner", "minutes", "nodes", "sensitivity", "specificity", "distance"]);
    for curve in &figures.over_time {
        for k in MINUTES_SHOWN.into_iter().filter(|&k| k < curve.minutes.len()) {
            let rest =
                measures(curve.nodes[k], curve.sensitivity[k], curve.specificity[k], curve.distance[k]);
            over_time.named(curve.learner, [format!("{:.0}", curve.minutes[k])].into_iter().chain(rest));
        }
    }
    let mut parameters = Table::new(&[
        "learner",
        "parameter",
        "value",
        "nodes",
        "sensitivity",
        "specificity",
        "distance",
        "ratio",
    ]);
    for effect in &figures.parameters {
        let rest = measures(effect.nodes, effect.sensitivity, effect.specificity, effect.distance);
        let mut line = vec![effect.learner.to_owned(), effect.parameter.to_owned(), effect.value.to_string()];
        line.extend(rest);
        line.push(format!("{:.3}", effect.ratio_to_kmeans));
        parameters.row(line);
    }
    let maps = figures.teachers.first().map_or(0, |one| one.maps);
    let mut teachers =
        Table::new(&["teachers", "minutes", "nodes", "sensitivity", "specificity", "distance"]);
    for one in figures.teachers.iter().filter(|one| one.maps > 0) {
        let rest = measures(one.nodes, one.sensitivity, one.specificity, one.distance);
        teachers.named(&one.teachers.to_string(), [format!("{:.0}", one.minutes)].into_iter().chain(rest));
    }
    format!(
        "over time, one session left out, mean over maps (sensitivity x 100,000, specificity x 1,000)\n{over_time}\n\
         effect of each parameter after one pass, mean over maps\n{parameters}\n\
         teachers at once, mean over {maps} maps with four sessions or more\n{teachers}"
    )
}
