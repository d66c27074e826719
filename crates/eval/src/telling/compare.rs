//! Pairs of recordings told apart, and who is nearest to whom by signature.

use rayon::prelude::*;
use serde::Serialize;

use super::nearest::{Nearest, nearest};
use super::routes::{Routes, regions, ways};
use super::trail::Trail;
use super::{Giveaway, Told, Window, giveaways, tell_apart, windows};

/// Signatures are compared over at most this much play, and only of recordings that have as much, in minutes.
const SIGNED_MINUTES: f64 = 5.0;

/// What two recordings have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Alternate minutes of one recording against each other: as much as chance gives.
    Itself,
    /// The same player in two recordings on one map.
    SameMap,
    /// The same player on two maps.
    OtherMap,
    /// Two players on one map.
    TwoPlayers,
    /// Two players on two maps.
    TwoPlayersOtherMap,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 5] = [
        Relation::Itself,
        Relation::SameMap,
        Relation::OtherMap,
        Relation::TwoPlayers,
        Relation::TwoPlayersOtherMap,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Relation::Itself => "alternate minutes of one recording",
            Relation::SameMap => "same player, same map",
            Relation::OtherMap => "same player, other map",
            Relation::TwoPlayers => "two players, same map",
            Relation::TwoPlayersOtherMap => "two players, other map",
        }
    }

    fn of(one: &Trail, other: &Trail) -> Self {
        match (one.player == other.player, one.map == other.map) {
            (true, true) => Relation::SameMap,
            (true, false) => Relation::OtherMap,
            (false, true) => Relation::TwoPlayers,
            (false, false) => Relation::TwoPlayersOtherMap,
        }
    }
}

/// Two recordings.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// Player and recording.
    pub first: String,
    /// Player and recording; of one recording alone, the same.
    pub second: String,
    /// What they have to do with each other.
    pub relation: Relation,
    /// Whether both, one or none is a person.
    pub people: usize,
    /// How well they are told apart.
    pub told: Told,
    /// On one map: nats per change of region of the one's routes under the other's, both ways on average.
    pub routes_nats: Option<f64>,
    /// The numbers that alone tell them apart best, the best first.
    pub gives_away: Vec<Giveaway>,
}

/// How many numbers are named that tell two apart.
const GIVEAWAYS: usize = 8;

/// All pairs.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Whether speeds are the recorded ones; otherwise they are worked out from places.
    pub by_velocity: bool,
    /// Recordings with their minutes alive.
    pub recordings: Vec<(String, String, f64)>,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Mean AUC by relation and by how many of the two are people: relation, people, pairs, trees (mean, least, most), logistic (mean).
    pub summary: Vec<Summary>,
    /// Who is nearest to whom, of recordings with at least five minutes.
    pub nearest: Vec<Nearest>,
}

/// All pairs of one relation.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The relation.
    pub relation: Relation,
    /// How many of the two are people.
    pub people: usize,
    /// How many pairs.
    pub pairs: usize,
    /// Boosted trees: mean, least, most.
    pub trees: [f64; 3],
    /// Logistic regression: the mean.
    pub logistic: f64,
    /// Nats per change of region, the mean of those that have it.
    pub routes_nats: Option<f64>,
}

/// Compares all pairs of recordings. Speeds are the recorded ones if all recordings have them. `each` is called after every pair, from any thread.
pub fn compare(trails: &[Trail], with_buttons: bool, each: &(dyn Fn() + Sync)) -> Comparison {
    let by_velocity = trails.iter().all(Trail::has_velocities);
    let measured = |trail: &Trail| match by_velocity {
        true => windows(trail, with_buttons),
        false => windows(&trail.without_velocities(), with_buttons),
    };
    let all: Vec<Vec<Window>> = trails.par_iter().map(measured).collect();
    let numbers: Vec<(usize, usize)> =
        (0..trails.len()).flat_map(|one| (one..trails.len()).map(move |other| (one, other))).collect();
    let pair = |&(one, other): &(usize, usize)| {
        let (even, odd): (Vec<Window>, Vec<Window>);
        let (first, second) = if one == other {
            (even, odd) = all[one].iter().cloned().partition(|window| window.block % 2 == 0);
            (&even, &odd)
        } else {
            (&all[one], &all[other])
        };
        let told = tell_apart(first, second);
        each();
        Some(Pair {
            first: trails[one].name(),
            second: trails[other].name(),
            relation: if one == other {
                Relation::Itself
            } else {
                Relation::of(&trails[one], &trails[other])
            },
            people: usize::from(trails[one].is_person) + usize::from(trails[other].is_person),
            told: told?,
            routes_nats: routes_nats(&trails[one], &trails[other], one == other),
            gives_away: giveaways(first, second, with_buttons, GIVEAWAYS),
        })
    };
    let pairs: Vec<Pair> = numbers.par_iter().map(pair).collect::<Vec<_>>().into_iter().flatten().collect();
    Comparison {
        by_velocity,
        recordings: trails.iter().map(|trail| (trail.name(), trail.map.clone(), trail.minutes())).collect(),
        summary: summary(&pairs),
        pairs,
        nearest: nearest(trails, SIGNED_MINUTES).all,
    }
}

/// Nats per change of region of each one's routes under the other's; of one recording alone, of even minutes under odd ones.
pub(crate) fn routes_nats(one: &Trail, other: &Trail, is_same: bool) -> Option<f64> {
    if one.map != other.map {
        return None;
    }
    let centres = regions(&[one, other]);
    let half = |trail: &Trail, rest: usize| ways(trail, &centres, |minute| !is_same || minute % 2 == rest);
    let (first, second) = (half(one, 0), half(other, 1));
    Some((Routes::of(&first).nats(&second)? + Routes::of(&second).nats(&first)?) / 2.0)
}

/// How many pairs [`compare`] goes through.
pub fn count(trails: usize) -> u64 {
    (trails * (trails + 1) / 2) as u64
}

fn summary(pairs: &[Pair]) -> Vec<Summary> {
    let mut all = Vec::new();
    for relation in Relation::ALL {
        for people in (0..=2).rev() {
            let of: Vec<&Pair> =
                pairs.iter().filter(|pair| pair.relation == relation && pair.people == people).collect();
            if of.is_empty() {
                continue;
            }
            let mean = |pick: fn(&Told) -> f64| {
                of.iter().map(|pair| pick(&pair.told)).sum::<f64>() / of.len() as f64
            };
            let trees = || of.iter().map(|pair| pair.told.trees);
            all.push(Summary {
                relation,
                people,
                pairs: of.len(),
                trees: [
                    mean(|told| told.trees),
                    trees().fold(f64::INFINITY, f64::min),
                    trees().fold(f64::NEG_INFINITY, f64::max),
                ],
                logistic: mean(|told| told.logistic),
                routes_nats: {
                    let nats: Vec<f64> = of.iter().filter_map(|pair| pair.routes_nats).collect();
                    (!nats.is_empty()).then(|| nats.iter().sum::<f64>() / nats.len() as f64)
                },
            });
        }
    }
    all
}
