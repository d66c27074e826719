//! A run of a town as one picture: the map with everybody on it, and how many were where over time.

use repertoire_eval::town::Film;
use repertoire_worlds::town::{At, Phase, Place, Town};

use crate::axes::{self, Axis};
use crate::legend::{self, Sign};
use crate::svg::{Element, Svg, circle, group_at, line, polyline, rect, text};

const WIDTH: f64 = 960.0;
const CHART: f64 = 250.0;
/// Where curves are, within their chart.
pub const INNER: (f64, f64) = (70.0, WIDTH - 30.0);
/// People drawn on the map at most.
const MOST_DOTS: usize = 4000;

/// The map now, and below it the curves of the film.
pub fn sheet(town: &Town, film: &Film) -> String {
    let map_height = map_height(town);
    let title = format!("{}: {} inhabitants until {}", town.charter().name, town.len(), At(town.now()));
    let mut svg = Svg::new(WIDTH, 40.0 + map_height + 2.0 * CHART + 90.0)
        .titled(&title)
        .described(&town.charter().about);
    svg.push(text(20.0, 24.0, &title).bold().size(15.0));
    svg.push(group_at(20.0, 40.0).with(map(town, true)));
    svg.push(group_at(0.0, 60.0 + map_height).with(places_chart(town, film)));
    svg.push(group_at(0.0, 95.0 + map_height + CHART).with(goals_chart(town, film)));
    svg.finish()
}

/// The map's scale: pixels to a cell.
fn scale(town: &Town) -> f64 {
    (WIDTH - 40.0) / f64::from(town.places().size.0.max(1))
}

/// How high the map is.
pub fn map_height(town: &Town) -> f64 {
    // Rows are drawn twice as high as columns are wide, as they are in a terminal; maps that would be too high are pressed.
    (f64::from(town.places().size.1) * scale(town) * stretch(town)).max(40.0)
}

fn stretch(town: &Town) -> f64 {
    let (wide, high) = town.places().size;
    if town.places().is_drawn() { (1.6f64).min(0.7 * f64::from(wide) / f64::from(high.max(1))) } else { 1.0 }
}

/// Pixels of a cell's middle.
pub fn pixel(town: &Town, x: f64, y: f64) -> (f64, f64) {
    ((x + 0.5) * scale(town), (y + 0.5) * scale(town) * stretch(town))
}

/// The map: walls, places with their signs, and the people who are on their way if wanted.
pub fn map(town: &Town, people: bool) -> Element {
    let (charter, places) = (town.charter(), town.places());
    let (unit, high) = (scale(town), scale(town) * stretch(town));
    let mut all = group_at(0.0, 0.0);
    all.push(rect(0.0, 0.0, WIDTH - 40.0, map_height(town)).class("card"));
    if let Some(drawn) = charter.drawn.as_ref().filter(|_| places.is_drawn()) {
        for (cell, _) in drawn.walls.iter().enumerate().filter(|(_, wall)| **wall) {
            let (x, y) =
                ((cell as u32 % drawn.width) as f64 * unit, (cell as u32 / drawn.width) as f64 * high);
            all.push(
                rect(x, y, unit + 0.5, high + 0.5)
                    .set("fill", "currentColor")
                    .set("opacity", 0.45)
                    .class("soft"),
            );
        }
    }
    // A large town is shown by its public places, a huge one by some of them.
    let public: Vec<&Place> = places.places.iter().filter(|place| place.kind != charter.home).collect();
    let homes: Vec<&Place> = places.places.iter().filter(|place| place.kind == charter.home).collect();
    let thin = |list: Vec<&'_ Place>, most: usize| -> Vec<Place> {
        let step = list.len().div_ceil(most).max(1);
        list.into_iter().step_by(step).copied().collect()
    };
    for place in thin(homes, 3000) {
        let (x, y) = pixel(town, place.x.into(), place.y.into());
        let (wide, tall) = (unit * 0.8, high * 0.55);
        all.push(rect(x - wide / 2.0, y - tall / 2.0, wide, tall).class("soft").set("opacity", 0.35));
    }
    for place in thin(public, 1500) {
        let (x, y) = pixel(town, place.x.into(), place.y.into());
        let kind = &charter.kinds[usize::from(place.kind)];
        let size = (unit * 1.1).clamp(2.0, 15.0);
        let sign = match size < 5.0 {
            true => circle(x, y, size / 2.0).series(usize::from(place.kind)),
            false => text(x, y + size * 0.35, &kind.sign.to_string()).bold().size(size).centred(),
        };
        all.push(sign.titled(&kind.name));
    }
    if people {
        let walking =
            (0..town.len() as u32).map(|who| town.seen(who)).filter(|seen| seen.phase == Phase::Walking);
        for seen in walking.take(MOST_DOTS) {
            let (x, y) = pixel(town, seen.at.0, seen.at.1);
            all.push(circle(x, y, (unit * 0.35).clamp(0.8, 4.0)).series(usize::from(seen.class)));
        }
    }
    all
}

/// Curves over time: named numbers at each look, the largest first, the rest left out.
fn chart(title: &str, film: &Film, names: &[String], values: &dyn Fn(usize, usize) -> f64) -> Element {
    let looks = film.census.len();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let most = |index: usize| (0..looks).map(|look| values(look, index)).fold(0.0, f64::max);
    order.sort_by(|&a, &b| most(b).total_cmp(&most(a)).then(a.cmp(&b)));
    order.retain(|&index| most(index) > 0.0);
    order.truncate(8);
    let first = film.census.first().map_or(0.0, |census| f64::from(census.tick) / 60.0);
    let last = film.census.last().map_or(24.0, |census| f64::from(census.tick) / 60.0).max(first + 1e-9);
    let top = order.first().map_or(1.0, |&index| most(index));
    let (x, y) = (Axis::linear((first, last), INNER), Axis::linear((0.0, top), (CHART - 60.0, 30.0)));
    let mut all = group_at(0.0, 0.0).with(text(INNER.0, 18.0, title).bold());
    all.push(axes::grid(&x, &y, "hour", "inhabitants"));
    for (at, words) in &film.events {
        let at = x.at(f64::from(*at) / 60.0);
        all.push(
            line((at, 30.0), (at, CHART - 60.0)).class("frame").set("stroke-dasharray", "3 3").titled(words),
        );
    }
    for (k, &index) in order.iter().enumerate() {
        let points = (0..looks)
            .map(|look| (x.at(f64::from(film.census[look].tick) / 60.0), y.at(values(look, index))));
        all.push(polyline(points).series_line(k, 1.6).titled(&names[index]));
    }
    let entries: Vec<(Sign, String)> =
        order.iter().enumerate().map(|(k, &index)| (Sign::Line(k), names[index].clone())).collect();
    all.push(legend::row(INNER.0, CHART - 8.0, INNER.1 - INNER.0, &entries).0);
    all
}

/// How many were at each kind of place.
pub fn places_chart(town: &Town, film: &Film) -> Element {
    let mut names: Vec<String> = town.charter().kinds.iter().map(|kind| kind.name.clone()).collect();
    names.extend(["on the way".to_owned(), "in line".to_owned()]);
    let kinds = names.len() - 2;
    chart("where everybody is", film, &names, &|look, index| {
        let census = &film.census[look];
        f64::from(match index {
            index if index < kinds => census.at[index],
            index if index == kinds => census.walking,
            _ => census.waiting,
        })
    })
}

/// How many pursued each goal.
pub fn goals_chart(town: &Town, film: &Film) -> Element {
    let names: Vec<String> = town.goal_names().into_iter().map(str::to_owned).collect();
    chart("what they pursue", film, &names, &|look, index| f64::from(film.census[look].goals[index]))
}

/// How high a chart is.
pub const CHART_HEIGHT: f64 = CHART;
/// How wide everything is.
pub const SHEET_WIDTH: f64 = WIDTH;
