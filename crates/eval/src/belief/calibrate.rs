//! Calibration: are 90 % of the truth in the 90 % set, when the truth follows the model?
//!
//! Opponents walk by the HSMM of all play, seen by watchers who stand at random places. A set holds at least its share of
//! the belief, mostly more; how often the truth lies in it should be how much it holds.

use rayon::prelude::*;
use repertoire_belief::Fitted;
use repertoire_belief::evaluate::Sight;
use repertoire_belief::play::Situation;
use repertoire_belief::region::{RegionTracker, Tables};
use repertoire_belief::simulate::Walk;
use repertoire_belief::tracker::{Evidence, Quarry, Tracker};
use repertoire_prob::{Stream, draw::sample};
use serde::Serialize;

use super::BeliefError;

/// How calibration is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationSettings {
    /// How many opponents walk.
    pub walks: usize,
    /// For how many seconds each.
    pub seconds: usize,
    /// How many watchers look for each of them.
    pub watchers: usize,
    /// The same seed repeats the measurement.
    pub seed: u64,
}

impl Default for CalibrationSettings {
    fn default() -> Self {
        CalibrationSettings { walks: 2000, seconds: 60, watchers: 3, seed: 1 }
    }
}

/// How well a model's beliefs are calibrated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// How many opponents walked.
    pub walks: usize,
    /// Beliefs that were measured: seconds in which an opponent was not seen.
    pub beliefs: f64,
    /// For the set of half the belief and that of nine tenths.
    pub sets: [Set; 2],
}

/// The smallest set of places with a share of the belief, over all beliefs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Set {
    /// The share.
    pub share: f64,
    /// How often the truth lies in it.
    #[serde(rename = "in")]
    pub holds_truth: f64,
    /// How much of the belief it holds: at least its share.
    pub held: f64,
    /// How often the truth lies in it, when its last place counts only as far as it is needed for the share.
    pub exactly: f64,
}

/// Counted over beliefs: in the set, held by it, in it exactly.
#[derive(Clone, Copy, Default)]
struct Tally {
    beliefs: f64,
    of: [[f64; 3]; 2],
}

const SHARES: [f64; 2] = [0.5, 0.9];

/// Lets opponents walk by the model itself, and counts how often the 50 % and 90 % sets hold them.
///
/// # Errors
/// When the lines of sight are of another number of places than the model.
pub fn calibrate(
    fitted: &Fitted,
    sight: &Sight,
    settings: &CalibrationSettings,
) -> Result<Calibration, BeliefError> {
    let places = fitted.model.places.len();
    if sight.sees.len() != places {
        return Err(BeliefError::Sight { sight: sight.sees.len(), places });
    }
    let tallies: Vec<Tally> = (0..settings.walks)
        .into_par_iter()
        .map(|k| one_walk(settings, fitted, &sight.sees, k as u64))
        .collect();
    let mut all = Tally::default();
    for tally in &tallies {
        all.beliefs += tally.beliefs;
        all.of.iter_mut().flatten().zip(tally.of.iter().flatten()).for_each(|(sum, more)| *sum += more);
    }
    let share = |k: usize, what: usize| all.of[k][what] / all.beliefs.max(1.0);
    let set = |k: usize| Set {
        share: SHARES[k],
        holds_truth: share(k, 0),
        held: share(k, 1),
        exactly: share(k, 2),
    };
    Ok(Calibration { walks: settings.walks, beliefs: all.beliefs, sets: [set(0), set(1)] })
}

fn one_walk(settings: &CalibrationSettings, fitted: &Fitted, sees: &[Vec<u32>], number: u64) -> Tally {
    let mut rng = Stream::new(settings.seed, number, "belief calibrate");
    let places = fitted.model.places.len();
    let mut visible = vec![0.0; places];
    for _ in 0..settings.watchers {
        let at = (rng.unit() * places as f64) as usize;
        sees[at].iter().for_each(|&seen| visible[seen as usize] = 1.0);
    }
    let within = fitted.within(None);
    let place_in = |region: usize, rng: &mut Stream| {
        let weights: Vec<f64> = (0..places)
            .map(|s| if usize::from(fitted.model.regions.of[s]) == region { within[s] } else { 0.0 })
            .collect();
        sample(&weights, rng)
    };
    let mut tracker = RegionTracker::new(fitted, Tables::Plain);
    let mut walk = Walk::begin(&fitted.plain, &mut rng);
    let mut situation = Situation::default();
    tracker.begin(Quarry { side: 0, player: None }, situation, place_in(walk.place, &mut rng));
    let mut belief = vec![0.0; places];
    let mut tally = Tally::default();
    for _ in 0..settings.seconds {
        walk.step(&fitted.plain, &mut rng);
        situation.secs += 1.0;
        let truth = place_in(walk.place, &mut rng);
        if visible[truth] > 0.0 {
            tracker.step(situation, Evidence::Seen(truth));
            continue;
        }
        tracker.step(situation, Evidence::Unseen { visible: &visible, heard: None, watchers: &[] });
        tracker.belief(&mut belief);
        tally.beliefs += 1.0;
        for (of, share) in tally.of.iter_mut().zip(SHARES) {
            let found = in_set(&belief, truth, share);
            of.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
    }
    tally
}

/// Whether the truth is in the smallest set with a share of the belief, how much that holds, and how far it is in it.
fn in_set(belief: &[f64], truth: usize, share: f64) -> [f64; 3] {
    let mut order: Vec<usize> = (0..belief.len()).filter(|&s| belief[s] > 0.0).collect();
    order.sort_unstable_by(|&a, &b| belief[b].total_cmp(&belief[a]).then(a.cmp(&b)));
    let (mut held, mut found, mut exactly) = (0.0, 0.0, 0.0);
    for s in order {
        if s == truth {
            found = 1.0;
            exactly = ((share - held) / belief[s]).min(1.0);
        }
        held += belief[s];
        if held >= share {
            break;
        }
    }
    [found, held, exactly]
}
