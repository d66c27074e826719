//! Whether a teacher's unseen play becomes more likely to somebody who learns from those they watch, life by life.
//!
//! The teacher is the first of its opponents. Their routes in a match in which the subject does not take part are held against what the
//! subject has learned of how others walk, at the beginning of each of its lives: nats per choice of a way.

use repertoire_mind::Place;

use super::card::Half;
use super::life::Life;
use super::track::Track;
use crate::Interval;

/// From one point of a route to the next, as watched opponents are followed.
const ROUTE_SECS: f64 = 1.0;
/// Seconds of a teacher's unseen play: what is learned changes little, so that few routes would drown it in their differences.
pub(super) const UNSEEN_SECS: f64 = 600.0;

/// Where somebody was, second by second, a list for each life.
pub(super) fn routes(of: &Life) -> Vec<Vec<Place>> {
    let every = of.percepts.first().map_or(1, |first| first.ticks(ROUTE_SECS).max(1)) as usize;
    let mut all: Vec<Vec<Place>> = Vec::new();
    let mut last = None;
    for (percept, (_, alive)) in of.percepts.iter().zip(&of.tasks).step_by(every) {
        if !alive {
            continue;
        }
        if last != Some(percept.own.life) {
            all.push(Vec::new());
            last = Some(percept.own.life);
        }
        if let Some(route) = all.last_mut() {
            route.push(of.level.places().nearest(percept.own.position));
        }
    }
    all
}

/// How much less surprising the teacher's unseen play is at the end than in the first life.
pub(super) fn half(lives: &[Track], teacher: &str) -> Half {
    let (what, advice) = ("teacher's play", "let it see more of those it learns from");
    let learned: Vec<&[f64]> =
        lives.iter().map(|life| &life.teacher_nats[..]).filter(|nats| nats.len() > 1).collect();
    if learned.is_empty() {
        return Half::of(what, None, "it learns from nobody whom it watches".to_owned(), advice);
    }
    let gains: Vec<f64> = learned.iter().map(|nats| nats[0] - nats[nats.len() - 1]).collect();
    let gain = Interval::of(&gains);
    let mean = |life: usize| {
        let sum: f64 = learned.iter().map(|nats| nats[life.min(nats.len() - 1)]).sum();
        sum / learned.len() as f64
    };
    let means = format!(
        "nats per choice of a way that unseen play of {teacher} became more likely: {:.2} in the first life, {:.2} in the sixth, {:.2} in the last",
        mean(0),
        mean(5),
        mean(usize::MAX)
    );
    let found = (gain.mean, gain.half_width.map(|_| (gain.low(), gain.high())));
    let rises = gain.half_width.is_some() && gain.low() > 0.0;
    Half::of(what, Some(found), means, advice).judged(rises)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_no_more_likely_is_not_learned() {
        let life = |nats: &[f64]| Track { teacher_nats: nats.to_vec(), ..Track::default() };
        let learner = half(&[life(&[1.5, 1.3, 1.1]), life(&[1.6, 1.2])], "native:3");
        assert_eq!(learner.met, Some(true), "{}", learner.means);
        let stubborn = half(&[life(&[1.5, 1.5]), life(&[1.4, 1.4])], "native:3");
        assert_eq!((stubborn.number, stubborn.met), (Some(0.0), Some(false)), "{}", stubborn.means);
        assert_eq!(half(&[life(&[])], "native:3").met, None, "who learns from nobody is not asked");
    }
}
