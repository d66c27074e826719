//! Distributions of actions as polar pictures (Tencé 2011, figures 4.29 to 4.31).
//!
//! Turning in red and running in blue are seen from above, the character looking up; tilting in green is seen from the side, the
//! character looking right. Where an action is seen from the stimulus, up (or right) is towards it. Length is probability, so
//! that the outer circle is 1.

use repertoire_chameleon::Model;
use repertoire_chameleon::model::{Action, Bins};
use repertoire_prob::num::significant;

use crate::legend::{self, Sign};
use crate::svg::{Element, Svg, group_at, text};
use crate::{label, round};

const SIDE: f64 = 340.0;
/// Above all pictures: the legend.
const TOP: f64 = 48.0;
/// Above and below the circle of one picture, for its title and for what cannot be drawn round.
const HEAD: f64 = 88.0;
const FOOT: f64 = 64.0;
const RADIUS: f64 = 106.0;
const INNER: f64 = 14.0;
/// The circle with its angles and words.
const DIAL: f64 = RADIUS + 34.0;
const WORDS: f64 = 10.5;

/// One picture: a title, and the distribution of each external action.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The first line stands out; every line is broken where it does not fit.
    pub title: Vec<String>,
    /// The probabilities of each action's values.
    pub actions: Vec<Vec<f64>>,
}

/// What a wedge is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hue {
    Turning,
    Running,
    Tilting,
}

impl Hue {
    const ALL: [(Hue, &str); 3] = [
        (Hue::Turning, "turning, from above: the character (or the stimulus) is up"),
        (Hue::Running, "running, from above"),
        (Hue::Tilting, "tilting, from the side: ahead is right"),
    ];

    fn sign(self) -> Sign {
        match self {
            Hue::Turning => Sign::Colour(RED.into()),
            Hue::Running => Sign::Series(0),
            Hue::Tilting => Sign::Series(2),
        }
    }

    fn fill(self, element: Element) -> Element {
        match self.sign() {
            Sign::Series(k) | Sign::Line(k) => element.series(k),
            Sign::Colour(colour) => element.fill(colour),
        }
    }
}

const RED: &str = "#d0432f";

/// How an action is drawn.
enum Drawn {
    /// Wedges of these angles in degrees, counter-clockwise from up, with a colour; the label of each.
    Round(Vec<(usize, f64, f64)>, Hue),
    /// A line of text.
    Words,
}

fn drawn(action: &Action) -> Drawn {
    let words = |directions: &[(&str, f64)], half: f64| {
        let find = |&(word, angle): &(&str, f64)| Some((action.bins.word(word)?, angle - half, angle + half));
        Drawn::Round(directions.iter().filter_map(find).collect(), Hue::Running)
    };
    let bins = |range: (f64, f64), turn: f64, sign: f64, colour| {
        let wedge = |value: usize| {
            let (from, to) = action.bins.bounds(value, action.range.unwrap_or(range));
            (value, turn + sign * from.max(range.0), turn + sign * to.min(range.1))
        };
        Drawn::Round((0..action.count()).map(wedge).collect(), colour)
    };
    match (action.from.as_str(), &action.bins) {
        ("yaw", Bins::Edges(_)) => bins((-180.0, 180.0), 0.0, 1.0, Hue::Turning),
        // From the side: ahead is right, up is up.
        ("pitch", Bins::Edges(_)) => bins((-90.0, 90.0), -90.0, 1.0, Hue::Tilting),
        ("walk", Bins::Values(_)) => words(&[("ahead", 0.0), ("back", 180.0)], 14.0),
        ("lateral", Bins::Values(_)) => words(&[("left", 90.0), ("right", -90.0)], 14.0),
        ("run", Bins::Values(_)) => words(
            &[
                ("ahead", 0.0),
                ("ahead_left", 45.0),
                ("left", 90.0),
                ("back_left", 135.0),
                ("back", 180.0),
                ("back_right", -135.0),
                ("right", -90.0),
                ("ahead_right", -45.0),
            ],
            10.0,
        ),
        _ => Drawn::Words,
    }
}

/// All pictures on one page.
pub fn page(model: &Model, pictures: &[Picture]) -> String {
    let columns = pictures.len().clamp(1, 3);
    let rows = pictures.len().div_ceil(columns).max(1);
    let height = HEAD + 2.0 * DIAL + FOOT;
    let width = (SIDE * columns as f64).max(2.0 * SIDE);
    let used = |hue: Hue| {
        model.external().iter().any(|action| matches!(drawn(action), Drawn::Round(_, own) if own == hue))
    };
    let entries: Vec<(Sign, String)> = Hue::ALL
        .into_iter()
        .filter(|(hue, _)| used(*hue))
        .map(|(hue, name)| (hue.sign(), name.to_owned()))
        .collect();
    let (legend, lines) = legend::row(12.0, 20.0, width - 24.0, &entries);
    let top = TOP + legend::LINE * (lines.max(1) - 1) as f64;
    let mut svg = Svg::new(width, top + height * rows as f64)
        .titled(&format!("What {} does about what it attends to", model.name()))
        .described("Round pictures of probabilities by direction; the outer circle is probability 1, the middle one a half.");
    svg.push(legend);
    for (index, picture) in pictures.iter().enumerate() {
        let mut one = group_at((index % columns) as f64 * SIDE, top + (index / columns) as f64 * height);
        one.extend(draw(model, picture));
        svg.push(one);
    }
    svg.finish()
}

fn draw(model: &Model, picture: &Picture) -> Vec<Element> {
    let middle = (SIDE / 2.0, HEAD + DIAL);
    let mut all = heading(&picture.title);
    let rings = [
        (INNER, String::new()),
        (INNER + (RADIUS - INNER) / 2.0, "0.5".to_owned()),
        (RADIUS, "1".to_owned()),
    ];
    all.push(round::dial(middle, &rings, ["", "left", "", "right"]));
    let mut words = Vec::new();
    for (action, probabilities) in model.external().iter().zip(&picture.actions) {
        let said = |value: usize, digits: usize| {
            format!("{} {}", action.bins.label(value), significant(probabilities[value], digits))
        };
        match drawn(action) {
            Drawn::Round(wedges, hue) => {
                for (value, from, to) in wedges.into_iter().filter(|wedge| probabilities[wedge.0] >= 0.001) {
                    let outer = INNER + (RADIUS - INNER) * probabilities[value];
                    let wedge = round::wedge(middle, (from, to), (INNER, outer)).element();
                    let wedge =
                        hue.fill(wedge.class("gap")).set("fill-opacity", 0.6).set("stroke-width", 0.5);
                    all.push(wedge.titled(&format!("{} {}", action.name, said(value, 3))));
                }
                if let Some(standing) = action.bins.word("standing").or(action.bins.word("none")) {
                    words.push(format!("{} {}", action.name, said(standing, 2)));
                }
            }
            Drawn::Words => {
                let mut order: Vec<usize> = (0..action.count()).collect();
                order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
                let best: Vec<String> = order.iter().take(2).map(|&value| said(value, 2)).collect();
                words.push(format!("{}: {}", action.name, best.join(", ")));
            }
        }
    }
    // A blank within an item must not be broken at.
    let items: Vec<String> = words.iter().map(|item| item.replace(' ', "\u{a0}")).collect();
    let lines = label::wrap(&items.join(" \u{a0} "), SIDE - 24.0, WORDS);
    for (line, words) in lines.iter().take(4).enumerate() {
        let y = HEAD + 2.0 * DIAL + 12.0 + 14.0 * line as f64;
        all.push(text(12.0, y, words.trim_matches('\u{a0}')).size(WORDS).class("soft"));
    }
    all.push(round::body(middle, 9.0));
    all
}

/// The title's lines, broken where they do not fit; five at most.
fn heading(title: &[String]) -> Vec<Element> {
    let lines = title.iter().enumerate().flat_map(|(k, line)| {
        label::wrap(line, SIDE - 24.0, 11.5).into_iter().map(move |line| (k == 0, line))
    });
    let mut all = Vec::new();
    for (k, (is_bold, line)) in lines.take(5).enumerate() {
        let words = text(12.0, 14.0 + 15.0 * k as f64, &label::shorten(&line, SIDE - 24.0, 11.5)).size(11.5);
        all.push(if is_bold { words.bold() } else { words.class("soft") });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_keep_out_of_the_circle_and_of_their_neighbour() {
        let title = vec![
            "decision 3, turning: a stimulus with a long name".to_owned(),
            "distance near, direction ahead on the left, facing elsewhere, above, moving away".to_owned(),
            "1,230 ticks".to_owned(),
        ];
        let lines = heading(&title);
        assert!((4..=5).contains(&lines.len()));
        for line in lines {
            let written = line.to_string();
            let words = written.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
            assert!(label::width(words, 11.5) <= SIDE - 24.0, "{written}");
        }
    }

    #[test]
    fn a_page_has_a_legend_and_a_dial_for_each_picture() {
        let model = repertoire_chameleon::model::read(repertoire_chameleon::model::MODELS[0].1)
            .expect("a shipped model");
        let actions: Vec<Vec<f64>> =
            model.external().iter().map(|action| vec![1.0 / action.count() as f64; action.count()]).collect();
        let picture = Picture { title: vec!["a <b>".into()], actions };
        let svg = page(&model, &[picture.clone(), picture]);
        assert_eq!(svg.matches("a &lt;b&gt;").count(), 2);
        assert_eq!(svg.matches(">-135°<").count(), 2);
        assert!(svg.contains("turning, from above") && !svg.contains("NaN"));
    }
}
