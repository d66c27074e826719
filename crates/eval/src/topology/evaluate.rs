//! Places learned from some sessions, judged on others.
//!
//! Each session is left out in turn, the places are learned from the others and judged on it; of a map with one session, each
//! half in turn. Three learners run side by side: ours with the ground's settings, the thesis's with Fritzke's rule for edges, and
//! the thesis's as printed.

use rayon::prelude::*;
use repertoire_topology::compare::follow;
use repertoire_topology::evaluate::{JudgedPlaces, Session, judge, of_points};
use repertoire_topology::{EdgeRule, LearnerSettings, Point};
use serde::Serialize;

use super::TopologyError;

/// A learner's name, and the edge rule of the thesis's algorithm that it is; `None` for ours.
pub(super) type Kind = (&'static str, Option<EdgeRule>);

/// The learners that are judged beside each other.
pub const LEARNERS: [(&str, Option<EdgeRule>); 3] = [
    ("learner", None),
    ("thesis, fritzke", Some(EdgeRule::Fritzke)),
    ("thesis, figure", Some(EdgeRule::Figure)),
];

/// A map: who played on it, and how to learn from them.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The map's name.
    pub map: String,
    /// What was recorded, one player's session each.
    pub sessions: Vec<Session>,
    /// The designers' navigation points; empty where there are none.
    pub navigation_points: Vec<Point>,
    /// Units of the positions in a metre: 50 for Unreal's, 1 for the arena's.
    pub units_per_metre: f64,
    /// How our learner learns here. Lengths are in the units of the positions.
    pub settings: LearnerSettings,
    /// Which sessions each fold learns from and which it judges on.
    pub(super) folds: Vec<(Vec<Session>, Vec<Session>)>,
}

impl Ground {
    /// A map with its sessions. `settings` are for positions as they are; see [`LearnerSettings::in_units`].
    pub fn new(
        map: impl Into<String>,
        sessions: Vec<Session>,
        navigation_points: Vec<Point>,
        units_per_metre: f64,
        settings: LearnerSettings,
    ) -> Self {
        let folds = match &sessions[..] {
            [one] => [false, true].map(|half| (vec![one.half(half)], vec![one.half(!half)])).to_vec(),
            _ => (0..sessions.len())
                .map(|out| {
                    let others = sessions.iter().enumerate().filter(|(k, _)| *k != out);
                    (others.map(|(_, session)| session.clone()).collect(), vec![sessions[out].clone()])
                })
                .collect(),
        };
        Ground { map: map.into(), sessions, navigation_points, units_per_metre, settings, folds }
    }

    /// How one of the [`LEARNERS`] learns here.
    pub(super) fn settings_of(&self, (_, thesis): Kind) -> LearnerSettings {
        match thesis {
            Some(edges) => LearnerSettings::thesis(edges).in_units(self.units_per_metre),
            None => self.settings,
        }
    }
}

/// How thoroughly to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Judge after one pass over the play and after this many.
    pub passes: u32,
    /// Starts of k-means, of which the best counts; 0 leaves k-means out.
    pub starts: u32,
}

/// One learner on one map; numbers are means over folds. `first` is after one pass, `last` after all.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JudgedMap {
    /// Which of the [`LEARNERS`].
    pub learner: &'static str,
    /// The map, or of how many maps it is the mean.
    pub map: String,
    /// How many sessions there are.
    pub sessions: usize,
    /// Nodes after one pass.
    pub nodes_first: f64,
    /// Nodes after all passes.
    pub nodes_last: f64,
    /// From a player to the nearest node.
    pub distance_first: f64,
    /// The same after all passes.
    pub distance_last: f64,
    /// From a player to the nearest of as many centres, placed by k-means on what was learned from.
    pub kmeans_first: f64,
    /// The same after all passes.
    pub kmeans_last: f64,
    /// Distance over that of k-means.
    pub ratio_first: f64,
    /// The same after all passes.
    pub ratio_last: f64,
    /// The share of changes of the nearest node that follow a link in its direction.
    pub along_links_first: f64,
    /// The same after all passes.
    pub along_links_last: f64,
    /// The share of changes that follow a link in either direction.
    pub along_links_either_way_first: f64,
    /// The same after all passes.
    pub along_links_either_way_last: f64,
    /// From players to the designers' points; absent without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_to_navigation_points: Option<f64>,
}

/// All learners on all maps.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// How many passes the last numbers are after.
    pub passes: u32,
    /// Each learner on each map.
    pub maps: Vec<JudgedMap>,
    /// Each learner on average over the maps with at least two sessions, or over all if there are none.
    pub mean: Vec<JudgedMap>,
}

impl Evaluation {
    /// Judges all learners on all maps. `progress` hears how many of how many folds are done.
    ///
    /// Fails if there is no map, a setting makes no sense, or a position is none.
    pub fn run(
        &self,
        grounds: &[Ground],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Judgement, TopologyError> {
        if grounds.is_empty() || grounds.iter().any(|ground| ground.sessions.is_empty()) {
            return Err(TopologyError::Nothing);
        }
        let mut tasks = Vec::new();
        for ground in grounds {
            for kind in LEARNERS {
                let settings = ground.settings_of(kind);
                tasks.extend((0..ground.folds.len()).map(|fold| (kind.0, ground, fold, settings)));
            }
        }
        let passes = if self.passes > 1 { vec![1, self.passes] } else { vec![1] };
        let done = std::sync::atomic::AtomicUsize::new(0);
        let judged = tasks
            .par_iter()
            .map(|(_, ground, fold, settings)| {
                let (from, on) = &ground.folds[*fold];
                let (from, on): (Vec<&Session>, Vec<&Session>) = (from.iter().collect(), on.iter().collect());
                let judged = judge(*settings, &from, &on, &passes, self.starts)
                    .map_err(|why| TopologyError::of(&ground.map, why));
                progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, tasks.len());
                judged
            })
            .collect::<Vec<Result<Vec<JudgedPlaces>, TopologyError>>>();
        // In the order of the tasks, so that the first mistake is the same on any number of threads.
        let judged = judged.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut maps: Vec<JudgedMap> = Vec::new();
        for (name, _) in LEARNERS {
            for ground in grounds {
                let of =
                    tasks.iter().zip(&judged).filter(|(task, _)| task.0 == name && task.1.map == ground.map);
                maps.push(row(name, ground, &of.map(|(_, judged)| judged.as_slice()).collect::<Vec<_>>()));
            }
        }
        let mean = LEARNERS.iter().map(|&(name, _)| mean(name, &maps)).collect();
        Ok(Judgement { passes: self.passes, maps, mean })
    }
}

fn row(learner: &'static str, ground: &Ground, folds: &[&[JudgedPlaces]]) -> JudgedMap {
    let over = |pick: &dyn Fn(&[JudgedPlaces]) -> f64| {
        folds.iter().map(|fold| pick(fold)).sum::<f64>() / folds.len().max(1) as f64
    };
    let first = |of: &dyn Fn(&JudgedPlaces) -> f64| over(&|fold| fold.first().map_or(0.0, of));
    let last = |of: &dyn Fn(&JudgedPlaces) -> f64| over(&|fold| fold.last().map_or(0.0, of));
    let distance = |judged: &JudgedPlaces| judged.followed.mean_distance;
    let kmeans = |judged: &JudgedPlaces| judged.kmeans_distance;
    let share = |judged: &JudgedPlaces| judged.followed.share();
    let either = |judged: &JudgedPlaces| judged.followed.share_either_way();
    let points = of_points(&ground.navigation_points);
    let to_points = (!ground.navigation_points.is_empty()).then(|| {
        let far =
            |on: &[Session]| follow(&points, on.iter().flat_map(|session| &session.tracks)).mean_distance;
        ground.folds.iter().map(|(_, on)| far(on)).sum::<f64>() / ground.folds.len() as f64
    });
    JudgedMap {
        learner,
        map: ground.map.clone(),
        sessions: ground.sessions.len(),
        nodes_first: first(&|judged| judged.nodes as f64),
        nodes_last: last(&|judged| judged.nodes as f64),
        distance_first: first(&distance),
        distance_last: last(&distance),
        kmeans_first: first(&kmeans),
        kmeans_last: last(&kmeans),
        ratio_first: first(&distance) / first(&kmeans),
        ratio_last: last(&distance) / last(&kmeans),
        along_links_first: first(&share),
        along_links_last: last(&share),
        along_links_either_way_first: first(&either),
        along_links_either_way_last: last(&either),
        distance_to_navigation_points: to_points,
    }
}

/// Over the maps with at least two sessions, or over all if there are none.
fn mean(learner: &'static str, rows: &[JudgedMap]) -> JudgedMap {
    let own = || rows.iter().filter(|row| row.learner == learner);
    let least = if own().any(|row| row.sessions > 1) { 2 } else { 1 };
    let of: Vec<&JudgedMap> = own().filter(|row| row.sessions >= least).collect();
    let count = of.len().max(1) as f64;
    let over = |pick: &dyn Fn(&JudgedMap) -> f64| of.iter().map(|row| pick(row)).sum::<f64>() / count;
    let (distance_first, distance_last) = (over(&|row| row.distance_first), over(&|row| row.distance_last));
    let (kmeans_first, kmeans_last) = (over(&|row| row.kmeans_first), over(&|row| row.kmeans_last));
    let to_points = of.iter().all(|row| row.distance_to_navigation_points.is_some());
    JudgedMap {
        learner,
        map: format!("mean of {}", of.len()),
        sessions: of.iter().map(|row| row.sessions).sum(),
        nodes_first: over(&|row| row.nodes_first),
        nodes_last: over(&|row| row.nodes_last),
        distance_first,
        distance_last,
        kmeans_first,
        kmeans_last,
        ratio_first: distance_first / kmeans_first,
        ratio_last: distance_last / kmeans_last,
        along_links_first: over(&|row| row.along_links_first),
        along_links_last: over(&|row| row.along_links_last),
        along_links_either_way_first: over(&|row| row.along_links_either_way_first),
        along_links_either_way_last: over(&|row| row.along_links_either_way_last),
        distance_to_navigation_points: to_points
            .then(|| over(&|row| row.distance_to_navigation_points.unwrap_or_default())),
    }
}
