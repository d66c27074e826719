//! How soon a character finds and fights an opponent that it cannot see.
//!
//! A duel: the seeker and an opponent that is always the same. Counted are the seconds until the seeker first has the
//! opponent in view, until it first hits it, and, each time it has lost it for two seconds, the seconds until it has it in
//! view again. Of a seeker that keeps a belief, how surprised it would be of the truth: the mean of `-ln p`, where `p` is what it
//! believes of the point nearest to the opponent, while that is out of view. The same seeds are played with each kind of seeker, so that all kinds begin alike.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_mind::Event;
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde::Serialize;

use crate::{Entry, Interval};

/// What is played.
pub struct Seek {
    /// Where.
    pub level: Arc<Level>,
    /// The rules.
    pub rules: Rules,
    /// Whom to find.
    pub opponent: Entry,
    /// How many duels.
    pub trials: u32,
    /// How long each lasts at most, in seconds of the game.
    pub seconds: f64,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// What came of one duel. What did not happen counts as the duel's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// Seconds until the opponent was first in view.
    pub first_seen_secs: f64,
    /// Seconds until it was first hit.
    pub first_hit_secs: f64,
    /// Mean seconds from losing it (two seconds out of view) to having it in view again; none if it was never lost.
    pub again_secs: Option<f64>,
    /// The share of time in which it was in view, while both lived.
    pub in_view: f64,
    /// Kills.
    pub frags: i32,
    /// Deaths.
    pub deaths: i32,
    /// How surprised it would be, on average, to learn where the opponent is that it does not see, in nats; none if it keeps no belief.
    pub surprise_nats: Option<f64>,
}

/// What is measured of duels, in the order of [`measures`].
pub const MEASURES: [&str; 6] = [
    "first in view (s)",
    "first hit (s)",
    "in view again (s)",
    "time in view (%)",
    "kills a minute",
    "surprise (nats)",
];

/// A mean, with its interval, of each of [`MEASURES`]; none of what happened in no duel.
pub type Means = [Option<Interval>; MEASURES.len()];

impl Found {
    /// The measures of one duel of this length; none for what did not happen in it.
    fn measures(&self, seconds: f64) -> [Option<f64>; MEASURES.len()] {
        [
            Some(self.first_seen_secs),
            Some(self.first_hit_secs),
            self.again_secs,
            Some(100.0 * self.in_view),
            Some(f64::from(self.frags) * 60.0 / seconds),
            self.surprise_nats,
        ]
    }
}

/// The mean of each of [`MEASURES`] over duels of this length.
pub fn measures(found: &[Found], seconds: f64) -> Means {
    let all: Vec<_> = found.iter().map(|found| found.measures(seconds)).collect();
    std::array::from_fn(|k| mean(all.iter().filter_map(|duel| duel[k])))
}

/// The mean difference of each of [`MEASURES`], the second minus the first, duel by duel: those of the same number begin alike.
pub fn differences(first: &[Found], second: &[Found], seconds: f64) -> Means {
    let pairs = || first.iter().zip(second).map(|(a, b)| (a.measures(seconds), b.measures(seconds)));
    let difference = |k: usize| pairs().filter_map(move |(a, b)| Some(b[k]? - a[k]?));
    std::array::from_fn(|k| mean(difference(k)))
}

fn mean(samples: impl Iterator<Item = f64>) -> Option<Interval> {
    let samples: Vec<f64> = samples.collect();
    (!samples.is_empty()).then(|| Interval::of(&samples))
}

/// The duels of several seekers on a map.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The map, or `all maps`.
    pub map: String,
    /// Each seeker and its duels.
    pub seekers: Vec<(String, Vec<Found>)>,
    /// How long a duel lasts at most.
    pub seconds: f64,
}

impl Sought {
    /// Plays all duels of some seekers on a map; `on_seeker` is called after each.
    pub fn on(map: String, plan: &Seek, seekers: &[Entry], on_seeker: &dyn Fn()) -> Self {
        let each = seekers.iter().map(|seeker| {
            let found = seek(plan, seeker);
            on_seeker();
            (seeker.name.clone(), found)
        });
        Sought { map, seekers: each.collect(), seconds: plan.seconds }
    }

    /// The duels on several maps as if they were one.
    pub fn over_all(maps: &[Sought]) -> Self {
        let mut all =
            maps.first().cloned().unwrap_or(Sought { map: String::new(), seekers: Vec::new(), seconds: 0.0 });
        all.map = "all maps".to_owned();
        for map in maps.iter().skip(1) {
            for ((_, found), (_, more)) in all.seekers.iter_mut().zip(&map.seekers) {
                found.extend(more);
            }
        }
        all
    }

    /// The means of each seeker.
    pub fn means(&self) -> Vec<Means> {
        self.seekers.iter().map(|(_, found)| measures(found, self.seconds)).collect()
    }

    /// How the last seeker differs from the first, duel by duel, and what that is called; none of a single seeker.
    pub fn difference(&self) -> Option<(String, Means)> {
        match &self.seekers[..] {
            [(a, first), .., (b, last)] => {
                Some((format!("{b} minus {a}"), differences(first, last, self.seconds)))
            }
            _ => None,
        }
    }
}

/// An opponent out of view for this long counts as lost.
const LOST_SECS: f64 = 2.0;
/// Believing less than this of the truth counts as this much, so that one mistake does not outweigh a duel.
const LEAST_BELIEF: f64 = 1e-4;

/// All duels of one seeker, in order.
pub fn seek(seek: &Seek, seeker: &Entry) -> Vec<Found> {
    (0..seek.trials).into_par_iter().map(|trial| duel(seek, seeker, trial)).collect()
}

fn duel(seek: &Seek, seeker: &Entry, trial: u32) -> Found {
    let seed = (Stream::new(seek.seed, u64::from(trial), "seek").unit() * (1u64 << 53) as f64) as u64;
    let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
    let mut game =
        Match::new(seek.level.clone(), seek.rules.clone(), vec![sit(seeker), sit(&seek.opponent)], seed);
    let period = seek.rules.period_secs();
    let ticks = (seek.seconds / period).round() as u32;
    let mut found = Found { first_seen_secs: seek.seconds, first_hit_secs: seek.seconds, ..Found::default() };
    let (mut out_of_view, mut waits, mut lived, mut in_view) = (None::<f64>, Vec::new(), 0.0, 0.0);
    let mut surprises = Vec::new();
    for tick in 0..ticks {
        game.tick();
        let now = f64::from(tick + 1) * period;
        let world = game.world();
        let hit = world.events(0).iter().any(|event| matches!(event, Event::Struck { victim: 1, .. }));
        if hit && found.first_hit_secs >= seek.seconds {
            found.first_hit_secs = now;
        }
        if !(world.is_alive(0) && world.is_alive(1)) {
            out_of_view = None;
            continue;
        }
        lived += 1.0;
        if game.percepts()[0].characters.iter().any(|seen| seen.id == 1) {
            in_view += 1.0;
            found.first_seen_secs = found.first_seen_secs.min(now);
            if let Some(since) = out_of_view.take()
                && now - since > LOST_SECS
                && found.first_seen_secs < now
            {
                waits.push(now - since);
            }
        } else {
            out_of_view = out_of_view.or(Some(now));
            let there = world.level().places().nearest(world.look(1).position);
            let believed = game.contenders()[0].mind.belief().get(there.index());
            surprises.extend(believed.map(|&p| -repertoire_prob::num::ln(p.clamp(LEAST_BELIEF, 1.0))));
        }
    }
    if let Some(since) = out_of_view
        && found.first_seen_secs < seek.seconds
    {
        let open = seek.seconds - since;
        if open > LOST_SECS {
            waits.push(open);
        }
    }
    found.again_secs = (!waits.is_empty()).then(|| waits.iter().sum::<f64>() / waits.len() as f64);
    found.in_view = in_view / f64::max(lived, 1.0);
    found.surprise_nats =
        (!surprises.is_empty()).then(|| surprises.iter().sum::<f64>() / surprises.len() as f64);
    let tally = game.world().tally(0);
    (found.frags, found.deaths) = (tally.frags, tally.deaths as i32);
    found
}
