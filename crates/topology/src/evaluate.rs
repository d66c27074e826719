//! How well places learned from some sessions serve in others.

use serde::Serialize;

use crate::compare::{Comparison, Followed, compare, follow};
use crate::kmeans::kmeans;
use crate::places::{Level, Node};
use crate::walks::Track;
use crate::{Learner, Point, Settings};

/// One player's recording: his lives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// What it is called.
    pub name: String,
    /// His lives, or what was recorded without a pause.
    pub tracks: Vec<Track>,
}

impl Session {
    /// All positions.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.tracks.iter().flat_map(|track| track.at.iter().copied())
    }

    /// The first or the second half of it, by number of positions.
    pub fn half(&self, is_second: bool) -> Session {
        let middle = self.points().count() / 2;
        let mut passed = 0;
        let mut tracks = Vec::new();
        for track in &self.tracks {
            let cut = middle.saturating_sub(passed).min(track.at.len());
            let range = if is_second { cut..track.at.len() } else { 0..cut };
            passed += track.at.len();
            if !range.is_empty() {
                tracks.push(Track { secs: track.secs[range.clone()].to_vec(), at: track.at[range].to_vec() });
            }
        }
        let which = if is_second { "second" } else { "first" };
        Session { name: format!("{}, {which} half", self.name), tracks }
    }
}

/// In which order several sessions are learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    #[default]
    InTurn,
    /// As if all had been played at once: a position of each in turn.
    Together,
}

/// Goes through sessions once. `each` is called after every position.
pub fn teach(learner: &mut Learner, sessions: &[&Session], order: Order, each: &mut dyn FnMut(&Learner)) {
    // Each session's positions in a row: time, place, and whether a track ends with it.
    let rows: Vec<Vec<(f64, Point, bool)>> = sessions
        .iter()
        .map(|session| {
            let of = |track: &Track| {
                let last = track.at.len().saturating_sub(1);
                let row = track.secs.iter().zip(&track.at).enumerate();
                row.map(|(k, (&secs, &at))| (secs, at, k == last)).collect::<Vec<_>>()
            };
            session.tracks.iter().flat_map(of).collect()
        })
        .collect();
    let mut see = |learner: &mut Learner, teacher: usize, &(secs, at, is_last): &(f64, Point, bool)| {
        learner.see(teacher as u32, secs, at);
        each(learner);
        if is_last {
            learner.end(teacher as u32);
        }
    };
    match order {
        Order::InTurn => {
            for (teacher, row) in rows.iter().enumerate() {
                row.iter().for_each(|input| see(learner, teacher, input));
            }
        }
        Order::Together => {
            for k in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
                for (teacher, row) in rows.iter().enumerate() {
                    if let Some(input) = row.get(k) {
                        see(learner, teacher, input);
                    }
                }
            }
        }
    }
}

/// Places after some passes, judged on sessions that were not learned from.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Judged {
    /// After so many passes.
    pub passes: u32,
    /// Nodes.
    pub nodes: usize,
    /// Links.
    pub links: usize,
    /// On the other sessions.
    pub followed: Followed,
    /// How far the players of the other sessions are from as many centres, placed by k-means on what was learned from.
    pub kmeans_distance: f64,
}

/// Learns from some sessions and judges on others after each of several numbers of passes, which must rise.
///
/// `starts` is the number of starts of k-means; with 0 it is left out, and its distance is 0.
pub fn judge(
    settings: Settings,
    learn_from: &[&Session],
    judge_on: &[&Session],
    passes: &[u32],
    starts: u32,
) -> Vec<Judged> {
    let points: Vec<Point> = learn_from.iter().flat_map(|session| session.points()).collect();
    let unseen = || judge_on.iter().flat_map(|session| &session.tracks);
    let mut learner = Learner::new(settings);
    let mut done = 0;
    let mut judged = Vec::new();
    for &until in passes {
        while done < until {
            teach(&mut learner, learn_from, Order::InTurn, &mut |_| ());
            done += 1;
        }
        let level = learner.level();
        let kmeans_distance = if starts == 0 {
            0.0
        } else {
            follow(&of_points(&kmeans(&points, level.nodes.len(), starts, settings.seed)), unseen())
                .mean_distance
        };
        judged.push(Judged {
            passes: until,
            nodes: level.nodes.len(),
            links: level.links.len(),
            followed: follow(&level, unseen()),
            kmeans_distance,
        });
    }
    judged
}

/// Positions as places without links.
pub fn of_points(points: &[Point]) -> Level {
    Level { nodes: (0..).zip(points).map(|(id, &pos)| Node::at(id, pos)).collect(), ..Level::default() }
}

/// Places at a moment of learning.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OverTime {
    /// Positions seen so far.
    pub inputs: u64,
    /// Beside the navigation points.
    pub comparison: Comparison,
    /// How far the players of other sessions are from the nearest node; 0 without other sessions.
    pub distance: f64,
}

/// Learns from sessions and looks at the places after every so many positions.
pub fn over_time(
    settings: Settings,
    learn_from: &[&Session],
    order: Order,
    judge_on: &[&Session],
    navigation_points: &[Point],
    every: u64,
    until: u64,
) -> Vec<OverTime> {
    let mut curve = Vec::new();
    let mut learner = Learner::new(settings);
    // Without a position there is nothing to wait for.
    while learner.inputs() < until && learn_from.iter().any(|session| session.points().next().is_some()) {
        teach(&mut learner, learn_from, order, &mut |learner| {
            if learner.inputs().is_multiple_of(every) && learner.inputs() <= until {
                let nodes: Vec<Point> = learner.gas().nodes().map(|(_, at)| at).collect();
                let tracks = judge_on.iter().flat_map(|session| &session.tracks);
                curve.push(OverTime {
                    inputs: learner.inputs(),
                    comparison: compare(&nodes, navigation_points),
                    distance: follow(&of_points(&nodes), tracks).mean_distance,
                });
            }
        });
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str, y: f64) -> Session {
        // To and fro: who jumped from the end to the beginning would have been carried.
        let along = |k: u32| f64::from(k * 44 % 4000);
        let at: Vec<Point> = (0..600).map(|k| [along(k).min(4000.0 - along(k)), y, 0.0]).collect();
        let secs = (0..600).map(|k| f64::from(k) * 0.1).collect();
        Session { name: name.to_owned(), tracks: vec![Track { secs, at }] }
    }

    #[test]
    fn judging_is_on_the_other_session() {
        let (a, b) = (session("a", 0.0), session("b", 100.0));
        let judged = judge(Settings::default(), &[&a], &[&b], &[1, 3], 2);
        assert_eq!(judged.iter().map(|one| one.passes).collect::<Vec<_>>(), [1, 3]);
        // The other corridor is 100 away, so that nothing is nearer than that.
        assert!(judged.iter().all(|one| one.followed.mean_distance >= 100.0 && one.kmeans_distance >= 100.0));
        assert!(judged[1].followed.share() > 0.9, "{judged:?}");
    }

    #[test]
    fn halves_make_a_whole() {
        let whole = session("a", 0.0);
        let (first, second) = (whole.half(false), whole.half(true));
        let again: Vec<Point> = first.points().chain(second.points()).collect();
        assert_eq!(again, whole.points().collect::<Vec<_>>());
        assert_eq!(first.points().count(), 300);
    }

    #[test]
    fn sessions_learned_together_take_turns() {
        let (a, b) = (session("a", 0.0), session("b", 5000.0));
        let mut learner = Learner::new(Settings::thesis(crate::EdgeRule::Fritzke));
        let mut early = 0;
        teach(&mut learner, &[&a, &b], Order::Together, &mut |learner| {
            if learner.inputs() == 4 {
                early = learner.gas().nodes().filter(|(_, at)| at[1] > 2500.0).count();
            }
        });
        assert!(early > 0, "the second teacher is seen at once");
        assert_eq!(learner.inputs(), 1200);
    }

    #[test]
    fn the_curve_over_time_grows_towards_the_points() {
        let a = session("a", 0.0);
        let points: Vec<Point> = (0..10).map(|k| [200.0 * f64::from(k), 0.0, 0.0]).collect();
        let curve = over_time(Settings::default(), &[&a], Order::InTurn, &[&a], &points, 100, 1000);
        assert_eq!(curve.len(), 10);
        assert!(curve[9].comparison.sensitivity > curve[0].comparison.sensitivity);
        assert!(over_time(Settings::default(), &[], Order::InTurn, &[], &points, 100, 1000).is_empty());
    }
}
