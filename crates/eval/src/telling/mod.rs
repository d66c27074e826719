//! Telling players apart: windows of 4 s, described by numbers that do not depend on the place, and two classifiers that learn which of
//! two players a window is of.
//!
//! Reported is the area under the curve (AUC): how often a window of the one is given a higher score than a window of the other; 0.5 is
//! guessing. Blocks of 60 s of both players are held out at once, and the AUC is averaged over the folds: scores of different folds
//! are never pooled, since a fold that lacks one of the players would shift them.
//!
//! | module         | what it holds                                          |
//! |----------------|--------------------------------------------------------|
//! | [`trail`]      | a player's play, ten times a second, from any recording |
//! | [`features`]   | a window of 4 s as numbers                             |
//! | [`logistic`]   | logistic regression                                    |
//! | [`boosted`]    | boosted trees                                          |
//! | [`routes`]     | how predictable routes are                             |
//! | [`mod@nearest`] | who moves most like whom, by signature                 |
//! | [`mod@compare`] | pairs of recordings, and who is nearest to whom        |

pub mod boosted;
pub mod compare;
pub mod features;
pub mod logistic;
pub mod nearest;
pub mod routes;
pub mod trail;

pub use compare::{Comparison, Pair, Relation, compare};
pub use nearest::{Half, Nearness};
pub use trail::{Instant, Trail};

use features::WINDOW;

/// Blocks that are held out together, in seconds.
pub const BLOCK_SECS: f64 = 60.0;
/// How many parts the blocks are divided into, of which one is held out at a time.
pub const FOLDS: usize = 5;

/// How well two players are told apart.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Told {
    /// By boosted trees.
    pub trees: f64,
    /// By logistic regression.
    pub logistic: f64,
    /// Windows of the first and of the second.
    pub windows: [usize; 2],
}

/// A number of the windows by which two players differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Giveaway {
    /// The number, in words.
    pub what: String,
    /// How well it tells them apart alone: 0.5 not at all, 1 always.
    pub auc: f64,
    /// Its mean over the windows of the first and of the second.
    pub means: [f64; 2],
}

/// The numbers that alone tell two players apart best, the best first. Nothing is learned, so nothing is held out.
pub fn giveaways(one: &[Window], other: &[Window], with_buttons: bool, most: usize) -> Vec<Giveaway> {
    if one.is_empty() || other.is_empty() {
        return Vec::new();
    }
    let column = |of: &[Window], k: usize| of.iter().map(|window| window.features[k]).collect::<Vec<f64>>();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let names = features::names(with_buttons).into_iter().enumerate();
    let mut all: Vec<Giveaway> = names
        .map(|(k, what)| {
            let (first, second) = (column(one, k), column(other, k));
            let above = auc(&first, &second);
            Giveaway { what, auc: above.max(1.0 - above), means: [mean(&first), mean(&second)] }
        })
        .collect();
    all.sort_by(|a, b| b.auc.total_cmp(&a.auc));
    all.truncate(most);
    all
}

/// One window with its block.
#[derive(Clone, Debug)]
pub struct Window {
    /// Which block of [`BLOCK_SECS`] it begins in.
    pub block: usize,
    /// Its numbers.
    pub features: Vec<f64>,
}

/// The windows of a trail, one after the other, none across two lives.
pub fn windows(trail: &Trail, with_buttons: bool) -> Vec<Window> {
    let mut found = Vec::new();
    let mut from = 0;
    let instants = &trail.instants;
    let begin = instants.first().map_or(0.0, |first| first.secs);
    while from + WINDOW < instants.len() {
        let part = &instants[from..=from + WINDOW];
        match part.windows(2).position(|pair| !pair[1].follows(&pair[0])) {
            Some(cut) => from += cut + 1,
            None => {
                let block = ((part[0].secs - begin) / BLOCK_SECS) as usize;
                found.push(Window { block, features: features::of(part, with_buttons) });
                from += WINDOW;
            }
        }
    }
    found
}

/// How well the windows of two players are told apart; `None` if one of them has too few blocks.
pub fn tell_apart(one: &[Window], other: &[Window]) -> Option<Told> {
    let folds = |of: &[Window]| {
        let mut blocks: Vec<usize> = of.iter().map(|window| window.block).collect();
        blocks.dedup();
        blocks
    };
    let (ours, theirs) = (folds(one), folds(other));
    let count = FOLDS.min(ours.len()).min(theirs.len());
    if count < 2 {
        return None;
    }
    let fold_of = |blocks: &[usize], window: &Window| {
        blocks.iter().position(|&block| block == window.block).map_or(0, |number| number % count)
    };
    let (mut trees, mut logistic) = (0.0, 0.0);
    for fold in 0..count {
        let (mut learn, mut is_first) = (Vec::new(), Vec::new());
        let mut held: [Vec<&[f64]>; 2] = [Vec::new(), Vec::new()];
        for (who, (windows, blocks)) in [(one, &ours), (other, &theirs)].into_iter().enumerate() {
            for window in windows {
                if fold_of(blocks, window) == fold {
                    held[who].push(&window.features);
                } else {
                    learn.push(&window.features[..]);
                    is_first.push(who == 0);
                }
            }
        }
        let scored = |score: &dyn Fn(&[f64]) -> f64| {
            let [first, second] =
                held.each_ref().map(|windows| windows.iter().map(|x| score(x)).collect::<Vec<f64>>());
            auc(&first, &second)
        };
        let forest = boosted::Boosted::fit(&learn, &is_first);
        let line = logistic::Logistic::fit(&learn, &is_first);
        trees += scored(&|x| forest.score(x)) / count as f64;
        logistic += scored(&|x| line.score(x)) / count as f64;
    }
    Some(Told { trees, logistic, windows: [one.len(), other.len()] })
}

/// How often a score of the first is above one of the second; equal ones count half.
pub fn auc(first: &[f64], second: &[f64]) -> f64 {
    if first.is_empty() || second.is_empty() {
        return 0.5;
    }
    let mut sorted = second.to_vec();
    sorted.sort_by(f64::total_cmp);
    let above: f64 = first
        .iter()
        .map(|score| {
            let below = sorted.partition_point(|other| other < score);
            let equal = sorted.partition_point(|other| other <= score) - below;
            below as f64 + 0.5 * equal as f64
        })
        .sum();
    above / (first.len() * second.len()) as f64
}

/// Weights that give both players the same say, however many windows they have.
fn balanced(is_first: &[bool]) -> Vec<f64> {
    let first = is_first.iter().filter(|&&is| is).count().max(1) as f64;
    let second = (is_first.len() as f64 - first).max(1.0);
    is_first.iter().map(|&is| 0.5 / if is { first } else { second }).collect()
}

#[cfg(test)]
mod tests {
    use repertoire_prob::Stream;

    use super::*;

    fn brute(first: &[f64], second: &[f64]) -> f64 {
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        let sum: f64 = pairs
            .map(|(a, b)| {
                if a > b {
                    1.0
                } else if a == b {
                    0.5
                } else {
                    0.0
                }
            })
            .sum();
        sum / (first.len() * second.len()) as f64
    }

    fn noise(seed: u64, shift: f64) -> Vec<Window> {
        let mut stream = Stream::new(seed, 0, "windows");
        let mut draw = || (0..6).map(|_| stream.unit()).sum::<f64>() - 3.0;
        (0..150)
            .map(|k| Window { block: k / 15, features: vec![draw(), draw() + shift, draw(), draw()] })
            .collect()
    }

    #[test]
    fn the_area_is_that_of_all_pairs() {
        let mut stream = Stream::new(5, 0, "auc");
        for _ in 0..50 {
            let mut some =
                |count: usize| (0..count).map(|_| (stream.unit() * 5.0).floor()).collect::<Vec<_>>();
            let (first, second) = (some(7), some(11));
            assert!((auc(&first, &second) - brute(&first, &second)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_same_source_cannot_be_told_apart_and_another_can() {
        let mean = |shift: f64| {
            let told: Vec<Told> =
                (0..6).filter_map(|k| tell_apart(&noise(k, 0.0), &noise(100 + k, shift))).collect();
            let of = |pick: fn(&Told) -> f64| told.iter().map(pick).sum::<f64>() / told.len() as f64;
            (of(|told| told.trees), of(|told| told.logistic))
        };
        let (trees, logistic) = mean(0.0);
        assert!((trees - 0.5).abs() < 0.05 && (logistic - 0.5).abs() < 0.05, "{trees} {logistic}");
        let (trees, logistic) = mean(1.0);
        // Two normal distributions one apart, of spread 0.71: 0.84.
        assert!((trees - 0.82).abs() < 0.05 && (logistic - 0.84).abs() < 0.04, "{trees} {logistic}");
    }

    #[test]
    fn what_gives_somebody_away_is_named_first() {
        let window = |turn: f64, fast: f64| {
            let mut features = vec![0.0; features::names(false).len()];
            (features[0], features[16]) = (fast, turn);
            Window { block: 0, features }
        };
        let slow: Vec<Window> = (0..20).map(|k| window(f64::from(k % 5), 4.0)).collect();
        let fast: Vec<Window> = (0..20).map(|k| window(f64::from(k % 4), 5.0)).collect();
        let found = giveaways(&slow, &fast, false, 2);
        assert_eq!((&found[0].what[..], found[0].auc, found[0].means), ("speed, m/s: mean", 1.0, [4.0, 5.0]));
        assert_eq!(found[1].what, "turn, degrees: mean");
    }

    #[test]
    fn one_block_alone_cannot_be_judged() {
        let one: Vec<Window> = noise(1, 0.0).into_iter().take(10).collect();
        assert_eq!(tell_apart(&one, &noise(2, 0.0)), None);
    }
}
