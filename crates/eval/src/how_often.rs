//! How often: many continuations of one moment, each with random numbers of its own, on all cores.
//!
//! The n-th continuation is a function of the moment, the seed and n, so that the answer is the same for any number of threads.
//! Shares come with the interval of Wilson (1927), which holds for shares near 0 and 1 too:
//! `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)` with z = 1.96.
//!
//! Differs from the paper: nothing.

use std::collections::BTreeMap;

use rayon::prelude::*;
use repertoire_mind::Event;
use repertoire_worlds::arena::game::Match;
use serde::Serialize;

use crate::timeline::{Moment, TimelineError};

/// The quantile of the normal distribution within which 95 % lie.
const Z: f64 = 1.959_963_984_540_054;
/// Continuations between two looks at whether to go on.
const CHUNK: u32 = 32;

/// A share of continuations, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub count: u32,
    /// Of how many.
    pub of: u32,
    /// The share.
    pub p: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// So many of so many.
    pub fn new(count: u32, of: u32) -> Self {
        if of == 0 {
            return Share { count, of, p: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, p) = (f64::from(of), f64::from(count) / f64::from(of));
        let z2 = Z * Z;
        let middle = p + z2 / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        let (low, high) = ((middle - half) / (1.0 + z2 / n), (middle + half) / (1.0 + z2 / n));
        Share { count, of, p, low: low.max(0.0), high: high.min(1.0) }
    }
}

/// What came of one character in all continuations.
#[derive(Clone, Debug, Serialize)]
pub struct Fate {
    /// It died at least once.
    pub dies: Share,
    /// It killed somebody.
    pub kills: Share,
    /// Mean frags more at the end than at the moment.
    pub frags: crate::Interval,
    /// What it was doing at the last tick, while alive: how often each task.
    pub tasks: BTreeMap<String, Share>,
}

/// How often what happens.
#[derive(Clone, Debug, Serialize)]
pub struct HowOften {
    /// Continuations that were played.
    pub continuations: u32,
    /// Ticks of each.
    pub ticks: u32,
    /// Everybody's fate.
    pub fates: Vec<Fate>,
}

/// One character in one continuation.
struct Outcome {
    died: bool,
    killed: bool,
    frags: i32,
    task: Option<String>,
}

/// Plays a moment on `continuations` times, each for some ticks; people stand still. `go_on` hears how many are done, and ends it by
/// answering no: what was played until then is the answer.
///
/// # Errors
/// If a mind does not take up what it saved.
pub fn how_often(
    moment: &Moment,
    ticks: u32,
    continuations: u32,
    seed: u64,
    go_on: &mut dyn FnMut(u32) -> bool,
) -> Result<HowOften, TimelineError> {
    let frags: Vec<i32> = {
        let game = moment.game()?;
        (0..game.world().len()).map(|id| game.world().tally(id).frags).collect()
    };
    let mut all: Vec<Vec<Outcome>> = Vec::new();
    let mut done = 0;
    while done < continuations && go_on(done) {
        let until = (done + CHUNK).min(continuations);
        let played: Result<Vec<_>, TimelineError> = (done..until)
            .into_par_iter()
            .map(|n| {
                let mut game = moment.game()?;
                game.reseed(seed ^ (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                Ok(play_on(game, ticks, &frags))
            })
            .collect();
        all.extend(played?);
        done = until;
    }
    go_on(done);
    let fates = (0..frags.len()).map(|id| fate(&all, id)).collect();
    Ok(HowOften { continuations: done, ticks, fates })
}

fn play_on(mut game: Match, ticks: u32, frags: &[i32]) -> Vec<Outcome> {
    let mut died = vec![false; frags.len()];
    let mut killed = vec![false; frags.len()];
    for _ in 0..ticks {
        game.tick();
        for id in 0..frags.len() {
            let events = game.world().events(id);
            died[id] |= events.iter().any(|event| matches!(event, Event::Died { .. }));
            killed[id] |= events.iter().any(|event| matches!(event, Event::Frag { .. }));
        }
    }
    let outcome = |id: usize| Outcome {
        died: died[id],
        killed: killed[id],
        frags: game.world().tally(id).frags - frags[id],
        task: game.world().is_alive(id).then(|| game.contenders()[id].mind.task().to_owned()),
    };
    (0..frags.len()).map(outcome).collect()
}

fn fate(all: &[Vec<Outcome>], id: usize) -> Fate {
    let one = || all.iter().map(|outcomes| &outcomes[id]);
    let of = all.len() as u32;
    let share = |is: &dyn Fn(&Outcome) -> bool| Share::new(one().filter(|one| is(one)).count() as u32, of);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    one().filter_map(|one| one.task.as_ref()).for_each(|task| *counts.entry(task.clone()).or_default() += 1);
    let alive: u32 = counts.values().sum();
    let frags: Vec<f64> = one().map(|one| f64::from(one.frags)).collect();
    Fate {
        dies: share(&|one| one.died),
        kills: share(&|one| one.killed),
        frags: crate::Interval::of(&frags),
        tasks: counts.into_iter().map(|(task, count)| (task, Share::new(count, alive))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tests::played;

    #[test]
    fn wilsons_interval_is_that_of_the_tables() {
        let half = Share::new(50, 100);
        assert!((half.low - 0.4038).abs() < 1e-4 && (half.high - 0.5962).abs() < 1e-4, "{half:?}");
        let never = Share::new(0, 10);
        assert!(never.low == 0.0 && (never.high - 0.2775).abs() < 1e-4, "{never:?}");
    }

    #[test]
    fn the_answer_is_the_same_for_any_number_of_threads_and_can_be_cut_short() {
        let moment = played(30).moment(20).expect("played");
        let ask = |threads: usize, enough: u32| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let asked = || how_often(&moment, 12, 64, 9, &mut |done| done < enough).expect("played");
            serde_json::to_string(&pool.install(asked)).expect("plain data")
        };
        assert_eq!(ask(1, 64), ask(2, 64));
        assert!(ask(2, 32).contains("\"continuations\":32"));
    }

    #[test]
    fn continuations_differ_from_each_other() {
        let timeline = played(30);
        let hash = |seed: u64| {
            let mut game = timeline.at(20).expect("played");
            game.reseed(seed);
            (0..20).for_each(|_| game.tick());
            (0..3).map(|id| game.world().look(id).position.to_string()).collect::<Vec<_>>()
        };
        assert_ne!(hash(1), hash(2));
        assert_eq!(hash(1), hash(1));
    }
}
