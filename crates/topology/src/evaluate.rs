//! How well places learned from some sessions serve in others.

use serde::Serialize;

use crate::compare::{Comparison, Followed, compare, follow};
use crate::error::{PositionError, SettingsError};
use crate::kmeans::kmeans;
use crate::places::{PlaceGraph, PlaceNode};
use crate::walks::Track;
use crate::{Learner, LearnerSettings, Point};

/// One player's recording: their lives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// What it is called.
    pub name: String,
    /// Their lives, or what was recorded without a pause.
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

/// Why sessions cannot be learned from or judged on.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum EvaluateError {
    /// A setting makes no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A track is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Numbers of passes that do not rise.
    #[error("{0} passes cannot follow {1}: give rising numbers of passes")]
    Passes(u32, u32),
}

/// Goes through sessions once. `each` is called after every position.
///
/// Fails, before anything is learned, if a track is none (see [`Track::check`]).
pub fn teach(
    learner: &mut Learner,
    sessions: &[&Session],
    order: Order,
    each: &mut dyn FnMut(&Learner),
) -> Result<(), PositionError> {
    sessions.iter().flat_map(|session| &session.tracks).try_for_each(Track::check)?;
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
        learner.see(teacher as u32, secs, at)?;
        each(learner);
        if is_last {
            learner.end(teacher as u32);
        }
        Ok(())
    };
    match order {
        Order::InTurn => {
            for (teacher, row) in rows.iter().enumerate() {
                row.iter().try_for_each(|input| see(learner, teacher, input))?;
            }
        }
        Order::Together => {
            for k in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
                for (teacher, row) in rows.iter().enumerate() {
                    if let Some(input) = row.get(k) {
                        see(learner, teacher, input)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Places after some passes, judged on sessions that were not learned from.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JudgedPlaces {
    /// The number of passes after which this was measured.
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

/// Learns from some sessions and judges on others after each of several numbers of passes.
///
/// `starts` is the number of starts of k-means; with 0 it is left out, and its distance is 0. Fails if a setting makes no sense,
/// a position is none, or `passes` do not rise.
///
/// ```
/// use repertoire_topology::LearnerSettings;
/// use repertoire_topology::evaluate::{Session, judge};
/// use repertoire_topology::walks::Track;
///
/// let corridor = |y: f64| {
///     let along = |k: u32| f64::from(k * 44 % 4000);
///     let at = (0..600).map(|k| [along(k).min(4000.0 - along(k)), y, 0.0]).collect();
///     let secs = (0..600).map(|k| f64::from(k) * 0.1).collect();
///     Session { name: "a walk".to_owned(), tracks: vec![Track { secs, at }] }
/// };
/// let (monday, tuesday) = (corridor(0.0), corridor(30.0));
/// let judged = judge(LearnerSettings::default(), &[&monday], &[&tuesday], &[1], 2)?;
/// // On Tuesday people walked 30 units beside where Monday's nodes are.
/// assert!((30.0..200.0).contains(&judged[0].followed.mean_distance));
/// # Ok::<(), repertoire_topology::evaluate::EvaluateError>(())
/// ```
pub fn judge(
    settings: LearnerSettings,
    learn_from: &[&Session],
    judge_on: &[&Session],
    passes: &[u32],
    starts: u32,
) -> Result<Vec<JudgedPlaces>, EvaluateError> {
    if let Some(pair) = passes.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(EvaluateError::Passes(pair[1], pair[0]));
    }
    judge_on.iter().flat_map(|session| &session.tracks).try_for_each(Track::check)?;
    let points: Vec<Point> = learn_from.iter().flat_map(|session| session.points()).collect();
    let unseen = || judge_on.iter().flat_map(|session| &session.tracks);
    let mut learner = Learner::new(settings)?;
    let mut done = 0;
    let mut judged = Vec::new();
    for &until in passes {
        while done < until {
            teach(&mut learner, learn_from, Order::InTurn, &mut |_| ())?;
            done += 1;
        }
        let level = learner.places();
        let kmeans_distance = if starts == 0 {
            0.0
        } else {
            follow(&of_points(&kmeans(&points, level.nodes.len(), starts, settings.seed)?), unseen())
                .mean_distance
        };
        judged.push(JudgedPlaces {
            passes: until,
            nodes: level.nodes.len(),
            links: level.links.len(),
            followed: follow(&level, unseen()),
            kmeans_distance,
        });
    }
    Ok(judged)
}

/// Positions as places without links.
pub fn of_points(points: &[Point]) -> PlaceGraph {
    PlaceGraph {
        nodes: (0..).zip(points).map(|(id, &pos)| PlaceNode::at(id, pos)).collect(),
        ..PlaceGraph::default()
    }
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

/// Learns from sessions and looks at the places after each `every` positions, until `until`; goes through the sessions again
/// as often as that takes. Fails if a setting makes no sense or a position is none.
pub fn over_time(
    settings: LearnerSettings,
    learn_from: &[&Session],
    order: Order,
    judge_on: &[&Session],
    navigation_points: &[Point],
    every: u64,
    until: u64,
) -> Result<Vec<OverTime>, EvaluateError> {
    let mut curve = Vec::new();
    let mut learner = Learner::new(settings)?;
    judge_on.iter().flat_map(|session| &session.tracks).try_for_each(Track::check)?;
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
        })?;
    }
    Ok(curve)
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
        let judged = judge(LearnerSettings::default(), &[&a], &[&b], &[1, 3], 2).unwrap();
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
        let mut learner = Learner::new(LearnerSettings::thesis(crate::EdgeRule::Fritzke)).unwrap();
        let mut early = 0;
        teach(&mut learner, &[&a, &b], Order::Together, &mut |learner| {
            if learner.inputs() == 4 {
                early = learner.gas().nodes().filter(|(_, at)| at[1] > 2500.0).count();
            }
        })
        .unwrap();
        assert!(early > 0, "the second teacher is seen at once");
        assert_eq!(learner.inputs(), 1200);
    }

    #[test]
    fn the_curve_over_time_grows_towards_the_points() {
        let a = session("a", 0.0);
        let points: Vec<Point> = (0..10).map(|k| [200.0 * f64::from(k), 0.0, 0.0]).collect();
        let curve =
            over_time(LearnerSettings::default(), &[&a], Order::InTurn, &[&a], &points, 100, 1000).unwrap();
        assert_eq!(curve.len(), 10);
        assert!(curve[9].comparison.sensitivity > curve[0].comparison.sensitivity);
        assert!(
            over_time(LearnerSettings::default(), &[], Order::InTurn, &[], &points, 100, 1000)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn a_position_that_is_none_is_an_error_and_not_an_endless_wait() {
        let mut nowhere = session("a", 0.0);
        nowhere.tracks[0].at.fill([f64::NAN; 3]);
        let settings = LearnerSettings::default();
        assert!(over_time(settings, &[&nowhere], Order::InTurn, &[], &[], 100, 1000).is_err());
        let fine = session("b", 0.0);
        assert!(judge(settings, &[&nowhere], &[&fine], &[1], 1).is_err());
        assert!(judge(settings, &[&fine], &[&nowhere], &[1], 1).is_err());
        let again = judge(settings, &[&fine], &[&fine], &[3, 3], 1);
        assert_eq!(again.map(|_| ()), Err(EvaluateError::Passes(3, 3)));
        let mut ragged = session("c", 0.0);
        ragged.tracks[0].secs.pop();
        let ragged = judge(settings, &[&ragged], &[&fine], &[1], 1).map(|_| ());
        assert_eq!(ragged, Err(PositionError::Lengths { secs: 599, at: 600 }.into()));
    }
}
