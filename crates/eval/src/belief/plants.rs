//! Snapshots at the moment the bomb is planted: one side told from where the other stands.
//!
//! The snapshots are parted into five; each part is told from the other four.

use rayon::prelude::*;
use repertoire_belief::Graph;
use repertoire_belief::score::{Score, Scorer};
use repertoire_belief::snapshot::{Snapshot, VoteSettings, Voters};
use repertoire_prob::Stream;
use serde::Serialize;

use super::BeliefError;

/// Into how many parts snapshots are parted.
pub const PARTS: usize = 5;

/// What tells where the hidden side is, in the order of [`Plants::rows`].
const TOLD_BY: [&str; 3] = ["base rate by place", "base rate at the site", "from the other side"];

/// How well hidden sides were told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plants {
    /// How many snapshots there are.
    pub states: usize,
    /// For each hidden side: the base rate by place, the base rate at the site, and from where the other side stands.
    pub rows: Vec<Row>,
}

/// One side hidden, told in one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The side that is hidden.
    pub hidden: String,
    /// What tells where it is.
    pub told_by: &'static str,
    /// How many players were told.
    pub players: usize,
    /// Mean log-loss, in nats.
    pub log_loss: f64,
    /// How much less that is than the base rate's.
    pub better_nats: f64,
    /// The lower end of its 95 % interval, by resampling snapshots.
    pub better_low: f64,
    /// The upper end.
    pub better_high: f64,
    /// Mean distance from the guess of least expected distance, in the map's units.
    pub distance_expected: f64,
    /// How often the truth lies in the 50 % set.
    pub in_50: f64,
    /// How often in the 90 % set.
    pub in_90: f64,
}

/// Hides each side in turn and tells where it is. `sides` are the names of the two.
///
/// # Errors
/// When there are fewer than [`PARTS`] snapshots, not two sides, or a place that is not there.
pub fn tell(places: &Graph, snapshots: &[Snapshot], sides: &[String]) -> Result<Plants, BeliefError> {
    if snapshots.len() < PARTS || sides.len() != 2 || snapshots.iter().any(|one| one.sides.len() != 2) {
        return Err(BeliefError::Snapshots { states: snapshots.len(), sides: sides.len() });
    }
    let beyond = |place: &&u32| **place as usize >= places.len();
    if let Some(&place) = snapshots.iter().flat_map(|one| one.sides.iter().flatten()).find(beyond) {
        return Err(BeliefError::Place { place, places: places.len() });
    }
    let distances = places.distances();
    let voters: Vec<Voters<'_>> = (0..PARTS)
        .map(|part| Voters::new(&distances, snapshots, |k| k % PARTS != part, VoteSettings::default()))
        .collect();
    // For each state and hidden side: the scores of base rate, base rate at the site, and votes.
    let one = |scorer: &mut Scorer, k: usize| {
        let (snapshot, voters) = (&snapshots[k], &voters[k % PARTS]);
        let mut found: Vec<(usize, [Score; 3])> = Vec::new();
        let mut belief = vec![0.0; places.len()];
        for hidden in 0..2 {
            let known = || {
                snapshots.iter().enumerate().filter(|(other, _)| other % PARTS != k % PARTS).map(|(_, s)| s)
            };
            let visible = [(1 - hidden, &snapshot.sides[1 - hidden][..])];
            let mut beliefs = vec![voters.base_rate(hidden).to_vec()];
            voters.belief(&snapshot.key, hidden, &[], known(), &mut belief);
            beliefs.push(belief.clone());
            voters.belief(&snapshot.key, hidden, &visible, known(), &mut belief);
            beliefs.push(belief.clone());
            for &truth in &snapshot.sides[hidden] {
                let score =
                    |k: usize, scorer: &mut Scorer| scorer.score(&beliefs[k], truth as usize, &distances);
                found.push((hidden, [score(0, scorer), score(1, scorer), score(2, scorer)]));
            }
        }
        found
    };
    let found: Vec<Vec<(usize, [Score; 3])>> =
        (0..snapshots.len()).into_par_iter().map_init(Scorer::default, |scorer, k| one(scorer, k)).collect();
    let mut rows = Vec::new();
    for (hidden, name) in sides.iter().enumerate() {
        for (k, told_by) in TOLD_BY.into_iter().enumerate() {
            let per_state: Vec<Vec<[Score; 3]>> = found
                .iter()
                .map(|state| {
                    state.iter().filter(|(side, _)| *side == hidden).map(|(_, scores)| *scores).collect()
                })
                .collect();
            let all: Vec<&[Score; 3]> = per_state.iter().flatten().collect();
            let mean = |value: &dyn Fn(&[Score; 3]) -> f64| {
                all.iter().map(|s| value(s)).sum::<f64>() / all.len().max(1) as f64
            };
            let gain = |s: &[Score; 3]| s[0].log_loss - s[k].log_loss;
            let (better_low, better_high) = interval(&per_state, &gain);
            let share = |value: &dyn Fn(&Score) -> bool| mean(&|s| f64::from(u8::from(value(&s[k]))));
            rows.push(Row {
                hidden: name.clone(),
                told_by,
                players: all.len(),
                log_loss: mean(&|s| s[k].log_loss),
                better_nats: mean(&gain),
                better_low,
                better_high,
                distance_expected: mean(&|s| s[k].expected_distance),
                in_50: share(&|s| s.in_50),
                in_90: share(&|s| s.in_90),
            });
        }
    }
    Ok(Plants { states: snapshots.len(), rows })
}

/// 95 % of the means when states are drawn again.
fn interval(per_state: &[Vec<[Score; 3]>], value: &dyn Fn(&[Score; 3]) -> f64) -> (f64, f64) {
    let sums: Vec<(f64, f64)> =
        per_state.iter().map(|state| (state.iter().map(value).sum(), state.len() as f64)).collect();
    let mut rng = Stream::new(1, 0, "belief plants");
    let mut means: Vec<f64> = (0..500)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in 0..sums.len() {
                let (more, players) = sums[(rng.unit() * sums.len() as f64) as usize];
                (sum, count) = (sum + more, count + players);
            }
            sum / f64::max(count, 1.0)
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    (means[12], means[487])
}
