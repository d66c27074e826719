//! How well somebody's routes can be predicted: by who has watched them, and by who has watched others.
//!
//! As people's routes are measured ([`crate::telling::routes`]): a map is divided into at most 100 regions, and the next one is
//! predicted from the two before, by the routes of other matches on the same map. Only forks count, where at least three ways lead on.

use std::collections::BTreeSet;

use repertoire_mind::{Place, Places};
use repertoire_topology::kmeans::kmeans;
use repertoire_worlds::arena::level::Level;

use super::card::Half;
use super::track::Track;
use super::{Believable, Evidence};
use crate::Interval;
use crate::telling::routes::{REGIONS, Routes, forks};

/// What watching a person gains over watching another person for as long, in nats per choice at a fork: the least and the most of 13
/// recordings of ten people (alternate minutes; five to ten were watched).
pub const PEOPLE_ROUTES_NATS: (f64, f64) = (0.14, 0.71);

/// A map as routes go through it.
struct Regions {
    /// The region of each point.
    of: Vec<u16>,
    forks: BTreeSet<u16>,
}

impl Regions {
    fn of(places: &Places) -> Self {
        let points: Vec<[f64; 3]> = places.points().iter().map(|point| point.to_array()).collect();
        let centres = match points.len() > REGIONS {
            true => kmeans(&points, REGIONS, 1, 1).unwrap_or_default(),
            false => points.clone(),
        };
        let far = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
        let nearest = |at: &[f64; 3]| {
            let by_distance = |a: &usize, b: &usize| far(&centres[*a], at).total_cmp(&far(&centres[*b], at));
            (0..centres.len()).min_by(by_distance).unwrap_or(0) as u16
        };
        let of: Vec<u16> = points.iter().map(nearest).collect();
        let leaving = |from: usize| {
            let (links, of) = (places.links(Place(from as u16)), &of);
            links.iter().map(move |link| (of[from], of[link.to.index()]))
        };
        let forks = forks((0..points.len()).flat_map(leaving));
        Regions { of, forks }
    }

    /// The regions that somebody goes through, a list for each life.
    fn ways(&self, track: &Track) -> Vec<Vec<u16>> {
        let mut all: Vec<Vec<u16>> = Vec::new();
        let mut last = None;
        for step in track.steps.iter().filter(|step| step.alive) {
            let Some(region) = step.place.map(|place| self.of[usize::from(place)]) else { continue };
            if last != Some(step.life) {
                all.push(Vec::new());
                last = Some(step.life);
            }
            if let Some(way) = all.last_mut().filter(|way| way.last() != Some(&region)) {
                way.push(region);
            }
        }
        all
    }
}

/// Nats per choice at a fork that having watched somebody's other lives on the map gains over having watched as many lives of somebody
/// else, on average over everybody else, life by life. Long lives are only judged: they are many, and a few short ones would leave the
/// number to chance. Lives go from map to map in turn.
fn gains(levels: &[&Level], lives: &[Track], long: &[Track], others: &[Vec<Track>]) -> Vec<f64> {
    let maps: Vec<Regions> = levels.iter().map(|level| Regions::of(level.places())).collect();
    let ways = |lives: &[Track]| -> Vec<Vec<Vec<u16>>> {
        lives.iter().enumerate().map(|(at, life)| maps[at % maps.len()].ways(life)).collect()
    };
    let (own, long) = (ways(lives), ways(long));
    let others: Vec<_> = others.iter().map(|lives| ways(lives)).collect();
    let watched = |ways: &[Vec<Vec<u16>>], map: usize, but: Option<usize>| {
        let counts = |at: &usize| at % maps.len() == map && Some(*at) != but;
        let watched: Vec<Vec<u16>> = (0..ways.len()).filter(counts).flat_map(|at| ways[at].clone()).collect();
        (!watched.is_empty()).then(|| Routes::of(&watched))
    };
    let one = |judged: &[Vec<u16>], map: usize, but: Option<usize>| {
        let nats = |routes: &Routes| routes.nats_at(judged, |at| maps[map].forks.contains(&at));
        let known = nats(&watched(&own, map, but)?)?;
        let nats: Vec<f64> = others.iter().filter_map(|of| nats(&watched(of, map, but)?)).collect();
        (!nats.is_empty()).then(|| nats.iter().sum::<f64>() / nats.len() as f64 - known)
    };
    let short = own.iter().enumerate().filter_map(|(at, life)| one(life, at % maps.len(), Some(at)));
    let long = long.iter().enumerate().filter_map(|(at, life)| one(life, at % maps.len(), None));
    short.chain(long).collect()
}

/// How much its routes are its own.
pub(super) fn half(judge: &Believable, evidence: &Evidence) -> Half {
    let levels: Vec<&Level> = judge.levels.iter().map(|(_, level)| &**level).collect();
    let gains = gains(&levels, &evidence.lives, &evidence.long_lives, &evidence.other_lives);
    let (low, high) = PEOPLE_ROUTES_NATS;
    let (what, advice) = ("routes", "let it have ways of its own, and vary them");
    if judge.matches < 2 {
        return Half::of(what, None, "routes take two matches on a map".to_owned(), advice);
    }
    if gains.is_empty() {
        return Half::of(what, None, "it goes nowhere".to_owned(), advice).judged(false);
    }
    let gain = Interval::of(&gains);
    let found = (gain.mean, gain.half_width.map(|_| (gain.low(), gain.high())));
    let means = format!("gain {:.2} nats per choice of a route; people {low:.2} to {high:.2}", gain.mean);
    Half::of(what, Some(found), means, advice).judged((low..=high).contains(&gain.mean))
}
