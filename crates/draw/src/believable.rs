//! Cards of believability as a page: ten rows each, how long reactions take, and one moment lived twice.

use repertoire_eval::believable::{Card, Happens, Lives, PEOPLE_FIRE_MS, PEOPLE_TURN_MS, Row};
use repertoire_prob::num::{erf, ln};

use crate::axes::{Axis, grid};
use crate::html::Page;
use crate::svg::{Element, circle, escape, inline, line, polyline, rect, text};
use crate::terminal::believable::{ends, number, second, verdict};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;
/// Where the drawing is: left, right, top, bottom.
const INNER: (f64, f64, f64, f64) = (62.0, 408.0, 16.0, 196.0);

const STYLE: &str = concat!(
    include_str!("tournament/style.css"),
    "td.words { text-align: left; white-space: normal; min-width: 16rem }\n"
);

/// The page; `command` is the command line that makes it again.
pub fn page(cards: &[Card], command: &str) -> String {
    let title = match cards {
        [card] => format!("How believable is {}?", card.subject),
        _ => "How believable are they?".to_owned(),
    };
    let mut body = if cards.len() > 1 { everybody(cards) } else { String::new() };
    body.extend(cards.iter().map(section));
    body += &format!("<section>\n<h2>Again</h2>\n<pre>{}</pre>\n</section>\n", escape(command));
    Page { title, style: STYLE, body, script: String::new() }.finish()
}

/// Who meets what.
fn everybody(cards: &[Card]) -> String {
    let names = cards.iter().flat_map(|card| &card.rows).take(10);
    let heads: String = names.map(|row| format!("<th>{}</th>", row.row)).collect();
    let mut rows = String::new();
    for card in cards {
        let cells: String = card.rows.iter().map(|row| format!("<td>{}</td>", mark(row))).collect();
        rows += &format!("<tr><td>{}</td>{cells}<td>{} of 10</td></tr>\n", escape(&card.subject), card.met());
    }
    format!("<div class=\"wide\"><table>\n<tr><th></th>{heads}<th>met</th></tr>\n{rows}</table></div>\n")
}

fn mark(row: &Row) -> &'static str {
    match row.met {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}

fn section(card: &Card) -> String {
    let mut rows = String::new();
    for row in &card.rows {
        let advice = if row.met == Some(true) { "" } else { &row.advice };
        rows += &format!(
            "<tr><td>{}</td><td class=\"left\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"words\">{}</td><td class=\"words\">{}</td></tr>\n",
            row.row,
            row.requirement,
            number(row),
            ends(row),
            verdict(row.met),
            escape(&row.means),
            escape(advice)
        );
        if let Some(half) = &row.second {
            let (number, ends, verdict) = second(half);
            rows += &format!(
                "<tr><td></td><td class=\"left\">and {}</td><td>{number}</td><td>{ends}</td><td>{verdict}</td><td class=\"words\">{}</td><td></td></tr>\n",
                escape(half.what),
                escape(&half.means)
            );
        }
    }
    let heads = "<tr><th></th><th class=\"left\">requirement</th><th>number</th><th>95 %</th><th>met</th>\
        <th class=\"left\">what the number is</th><th class=\"left\">to change it</th></tr>\n";
    let figures: String = [
        Some(figure(
            &times(card, Happens::EnemyAside),
            "How long until it turns to an enemy who comes into view; the line is people's",
        )),
        Some(figure(
            &times(card, Happens::EnemyAhead),
            "How long until it fires at an enemy straight ahead; the line is people's",
        )),
        card.lives.as_ref().map(|lives| {
            figure(
                &twice(lives),
                "One moment, lived twice: where it looks, with an enemy coming into view (first colour) and without (second)",
            )
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!(
        "<section>\n<h2>{}: {} of 10</h2>\n<p class=\"faint\">On {}, seed {}, beside {}.</p>\n\
         <div class=\"wide\"><table>\n{heads}{rows}</table></div>\n<div class=\"grid\">\n{figures}</div>\n</section>\n",
        escape(&card.subject),
        card.met(),
        escape(&card.maps.join(", ")),
        card.seed,
        escape(&card.reference)
    )
}

fn figure(picture: &Element, caption: &str) -> String {
    format!("<figure>\n{picture}<figcaption>{}</figcaption>\n</figure>\n", escape(caption))
}

/// The shares of reactions in each period after an event, and people's log-normal times over it.
fn times(card: &Card, event: Happens) -> Element {
    let fires = event == Happens::EnemyAhead;
    let after: Vec<usize> = card
        .reactions
        .iter()
        .filter(|one| one.event == event)
        .filter_map(|one| if fires { one.fires } else { one.turns })
        .collect();
    let (median_ms, spread) = if fires { PEOPLE_FIRE_MS } else { PEOPLE_TURN_MS };
    let period_ms = 1000.0 * card.period_secs;
    let bins = (1000.0 / period_ms).round().max(1.0) as usize;
    let shares: Vec<f64> = (0..bins)
        .map(|bin| after.iter().filter(|after| **after == bin).count() as f64 / (after.len() as f64).max(1.0))
        .collect();
    let below =
        |ms: f64| if ms <= 0.0 { 0.0 } else { 0.5 + 0.5 * erf(ln(ms / median_ms) / (spread * 2f64.sqrt())) };
    let people: Vec<f64> =
        (0..bins).map(|bin| below((bin + 1) as f64 * period_ms) - below(bin as f64 * period_ms)).collect();
    let most = shares.iter().chain(&people).copied().fold(0.1, f64::max);
    let (left, right, top, bottom) = INNER;
    let x = Axis::linear((0.0, bins as f64 * period_ms), (left, right));
    let y = Axis::linear((0.0, most), (bottom, top));
    let mut svg = inline(0.0, 0.0, WIDTH, HEIGHT, &format!("times of {} reactions", after.len())).size(11.0);
    svg.push(grid(&x, &y, "ms after the event", "share"));
    for (bin, share) in shares.iter().enumerate() {
        let (from, to) = (x.at(bin as f64 * period_ms) + 1.0, x.at((bin + 1) as f64 * period_ms) - 1.0);
        svg.push(rect(from, y.at(*share), to - from, bottom - y.at(*share)).series(0));
    }
    let middle = |bin: usize| x.at((bin as f64 + 0.5) * period_ms);
    svg.push(
        polyline(people.iter().enumerate().map(|(bin, share)| (middle(bin), y.at(*share))))
            .series_line(1, 2.0),
    );
    svg
}

/// Where it looks in both lives, in degrees from where it looked, with a dot where it fires.
fn twice(lives: &Lives) -> Element {
    let sums = |turns: &[f64]| -> Vec<f64> {
        turns
            .iter()
            .scan(0.0, |sum, turn| {
                *sum += turn;
                Some(*sum)
            })
            .collect()
    };
    let both = [(&lives.with, 0), (&lives.without, 1)].map(|(life, colour)| {
        let turns: Vec<f64> = life.iter().map(|done| done.turn_deg).collect();
        (sums(&turns), life, colour)
    });
    let reach = both.iter().flat_map(|(sums, ..)| sums).fold(10f64, |most, sum| most.max(sum.abs()));
    let (left, right, top, bottom) = INNER;
    let last = lives.with.len().max(2) as f64 - 1.0;
    let x = Axis::linear((0.0, 1000.0 * last * lives.period_secs), (left, right));
    let y = Axis::linear((-reach, reach), (bottom, top));
    let mut svg = inline(0.0, 0.0, WIDTH, HEIGHT, "one moment, lived twice").size(11.0);
    svg.push(grid(&x, &y, "ms after the event", "degrees to the left"));
    svg.push(line((left, y.at(0.0)), (right, y.at(0.0))).class("frame"));
    for (sums, life, colour) in &both {
        let at = |k: usize| x.at(1000.0 * k as f64 * lives.period_secs);
        svg.push(
            polyline(sums.iter().enumerate().map(|(k, sum)| (at(k), y.at(*sum)))).series_line(*colour, 2.0),
        );
        for (k, _) in life.iter().enumerate().filter(|(_, done)| done.fires) {
            svg.push(circle(at(k), y.at(sums[k]), 3.5).series(*colour).titled("fires"));
        }
    }
    svg.push(text(right, top - 4.0, "a dot: fires").ends().class("soft"));
    svg
}
