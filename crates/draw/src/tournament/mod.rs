//! A tournament as one page of HTML: tables, pictures, and how to play it again.
//!
//! The page needs nothing but itself: no scripts, fonts or pictures from elsewhere. It follows the reader's choice of
//! light or dark, and fits a telephone.
//!
//! | module  | what it draws                              |
//! |---------|--------------------------------------------|
//! | `chart` | intervals as bars, frags over time         |
//! | `heat`  | where each character was, over the map     |
//! | `table` | standings                                  |

mod chart;
mod heat;
mod table;
#[cfg(test)]
mod tests;

use repertoire_eval::Outcome;
use repertoire_worlds::arena::map::Map;

use crate::html::Page;
use crate::svg::{SERIES, escape};

/// Matches on one map beyond these are not drawn: a page of a thousand pictures helps nobody.
const MOST_DRAWN: usize = 12;

/// The page of a tournament.
///
/// `maps` are those of the tournament, in its order; `command` is the command line that plays it again.
pub fn page(outcome: &Outcome, maps: &[&Map], command: &str) -> String {
    let title = "Tournament";
    let parts = [
        head(outcome),
        section("Standings", &(legend_of_scores() + &table::standings(outcome))),
        if outcome.maps.len() > 1 {
            section("Score on each map", &table::by_map(outcome))
        } else {
            String::new()
        },
        section("Frags over time", &frags_over_time(outcome)),
        section("Where they were", &where_they_were(outcome, maps)),
        section("Play it again", &parameters(outcome, command)),
    ];
    Page {
        title: title.to_owned(),
        style: include_str!("style.css"),
        body: parts.concat(),
        script: String::new(),
    }
    .finish()
}

/// A contender's colour and name.
fn named(contender: usize, name: &str) -> String {
    format!("<span><span class=\"key k{}\"></span>{}</span>", contender % SERIES.len(), escape(name))
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

fn head(outcome: &Outcome) -> String {
    let settings = &outcome.settings;
    let mut text = format!(
        "<p class=\"faint\">{} characters, {} to {} frags on {}, seed {}; {:.1} hours of the game.</p>\n",
        settings.contenders.len(),
        plural(outcome.matches.len(), "match", "matches"),
        settings.frags,
        escape(&settings.maps.join(", ")),
        settings.seed,
        outcome.seconds() / 3600.0
    );
    if let [first, second, ..] = &outcome.standings[..] {
        text += &format!(
            "<p><strong>{}</strong> did best{}. {}</p>\n",
            escape(&first.name),
            match first.wins {
                0 => String::new(),
                wins => format!(" and won {wins} of {}", plural(outcome.matches.len(), "match", "matches")),
            },
            match &first.lead {
                Some(lead) if !first.is_close_to_next() => format!(
                    "It is ahead of {} by {:.1} ± {:.1} frags a match.",
                    escape(&second.name),
                    lead.mean,
                    lead.half_width.unwrap_or(0.0)
                ),
                _ => format!("Its lead over {} is too small to be sure of.", escape(&second.name)),
            }
        );
    }
    text
}

fn legend_of_scores() -> String {
    "<p>The score of a match is the winner's frags minus one's own, so 0 is best. Shown is its mean over all matches, \
     with the interval that holds the true mean with 95 % confidence; further left is better.</p>\n"
        .to_owned()
}

fn plural(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Who has which colour.
fn legend(outcome: &Outcome) -> String {
    let names = outcome.settings.contenders.iter().enumerate();
    let keys: String = names.map(|(contender, name)| named(contender, name) + "\n").collect();
    format!("<p class=\"legend\">{keys}</p>\n")
}

fn frags_over_time(outcome: &Outcome) -> String {
    let mut text = legend(outcome);
    for (index, map) in outcome.maps.iter().enumerate() {
        let matches: Vec<_> = outcome.matches.iter().filter(|one| one.map_index == index).collect();
        text += &format!("<h3>{}</h3>\n<div class=\"grid\">\n", escape(&map.name));
        text +=
            &matches.iter().take(MOST_DRAWN).map(|one| chart::match_figure(one, outcome)).collect::<String>();
        text += "</div>\n";
        if matches.len() > MOST_DRAWN {
            text += &format!(
                "<p class=\"faint\">The first {MOST_DRAWN} of {} matches on this map.</p>\n",
                matches.len()
            );
        }
    }
    text
}

fn where_they_were(outcome: &Outcome, maps: &[&Map]) -> String {
    let mut text = String::from(
        "<p>From above, over all matches; the stronger the colour, the more time a character spent there.</p>\n",
    );
    for (index, (played, map)) in outcome.maps.iter().zip(maps).enumerate() {
        text += &format!("<h3>{}</h3>\n<div class=\"grid\">\n", escape(&played.name));
        text += &heat::figures(index, &played.heat, map, &outcome.settings.contenders);
        text += "</div>\n";
    }
    text
}

fn parameters(outcome: &Outcome, command: &str) -> String {
    let settings = &outcome.settings;
    let rows = [
        ("characters", settings.contenders.join(", ")),
        ("maps", settings.maps.join(", ")),
        ("matches on each map", settings.matches.to_string()),
        ("frags that win", settings.frags.to_string()),
        ("seed", settings.seed.to_string()),
        ("time limit", format!("{} s of the game", settings.time_limit_secs)),
        ("without a winner", plural(outcome.undecided() as usize, "match", "matches")),
        ("decisions", format!("every {:.3} s", settings.rules.period_secs())),
    ];
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value))).collect();
    format!(
        "<p>The same command gives the same numbers on any machine and any number of threads, apart from the time of \
         decisions.</p>\n<pre>{}</pre>\n<dl>\n{rows}</dl>\n",
        escape(command)
    )
}
