//! How well somebody's moments foretell play they did not see: nats per decision.
//!
//! A decision is a turn of the view (one of eleven ranges, finer near 0), one of nine combinations of keys, whether one jumps and whether
//! one fires. Its probability is a histogram over the `K` moments nearest to the situation, smoothed by the histogram over all
//! moments, which is smoothed by one decision spread evenly:
//! `p(d) = (n_near(d) + B p_all(d)) / (K + B)`, `p_all(d) = (n_all(d) + 1 / D) / (n_all + 1)`, for each of the four parts; a decision is
//! as probable as its parts together.
//!
//! | here | code         | meaning                                          |
//! |------|--------------|--------------------------------------------------|
//! | `K`  | [`NEIGHBOURS`] | moments that are asked                          |
//! | `B`  | [`BORROWED`]   | how many moments' worth all of them together say |
//! | `D`  | [`VALUES`]     | values of a part                                 |
//!
//! The first decision of a life counts like any other: its last turns are 0.

use repertoire_prob::num;

use super::lived::Lived;
use super::{Deed, Moments};
use crate::Fire;

/// Moments that are asked.
const NEIGHBOURS: usize = 24;
/// How many moments' worth all moments together say.
const BORROWED: f64 = 4.0;
/// Parts of a decision and how many values each has: turn, keys, jump, fire.
const VALUES: [usize; 4] = [11, 9, 2, 2];
/// Where ranges of turns end, in degrees.
const TURNS_DEG: [f64; 5] = [0.1, 2.0, 6.0, 15.0, 40.0];

fn parts(deed: &Deed) -> [usize; 4] {
    let turn = deed.command.yaw.to_degrees();
    let size = TURNS_DEG.iter().filter(|&&end| turn.abs() >= end).count();
    let turn = if turn < 0.0 { TURNS_DEG.len() - size } else { TURNS_DEG.len() + size };
    let key = |pace: f64| if pace.abs() < 0.3 { 1 } else { 1 + pace.signum() as i32 };
    let keys = 3 * key(deed.command.forward) + key(deed.command.lateral);
    [turn, keys as usize, usize::from(deed.command.jump), usize::from(deed.command.fire != Fire::None)]
}

impl Moments {
    /// Those of several people together, for comparison; such moments are nobody's to play with, and know no map.
    pub fn pooled(all: &[&Moments]) -> Self {
        let (mut situations, mut deeds, mut lived) = (Vec::new(), Vec::new(), Vec::new());
        for one in all {
            situations.extend(&one.situations);
            deeds.extend(&one.deeds);
            lived.extend(one.lived.iter().map(|lived| Lived { map: None, ..*lived }));
        }
        Moments::new(situations, deeds, lived, Vec::new())
    }

    /// Nats per decision of other play under these moments: the lower, the better foretold.
    ///
    /// ```
    /// use repertoire_mind::moments::MomentWatcher;
    /// use repertoire_mind::{Command, Percept};
    /// let play = |turn: f64| {
    ///     let mut watcher = MomentWatcher::default();
    ///     for tick in 0..60 {
    ///         let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
    ///         (percept.own.life, percept.own.yaw) = (1, turn * f64::from(tick));
    ///         watcher.see(&percept, &Command { yaw: turn, forward: 1.0, ..Command::default() });
    ///     }
    ///     watcher.finish().expect("there was play")
    /// };
    /// let (left, right) = (play(0.2), play(-0.2));
    /// assert!(left.nats(&play(0.2)) < 0.1 && right.nats(&play(0.2)) > 2.0);
    /// ```
    pub fn nats(&self, unseen: &Moments) -> f64 {
        let own: Vec<[usize; 4]> = self.deeds.iter().map(parts).collect();
        let mut all = VALUES.map(|values| vec![0.0; values]);
        for deed in &own {
            deed.iter().zip(&mut all).for_each(|(&value, counts)| counts[value] += 1.0);
        }
        let count = own.len() as f64;
        let asked = NEIGHBOURS.min(own.len());
        let mut sum = 0.0;
        for (situation, deed) in unseen.situations.iter().zip(&unseen.deeds) {
            let mut best = [(f32::INFINITY, 0_usize); NEIGHBOURS];
            self.nearest(situation, &mut best[..asked]);
            for (part, value) in parts(deed).into_iter().enumerate() {
                let near = best[..asked].iter().filter(|one| own[one.1][part] == value).count() as f64;
                let rest = (all[part][value] + 1.0 / VALUES[part] as f64) / (count + 1.0);
                sum -= num::ln((near + BORROWED * rest) / (asked as f64 + BORROWED));
            }
        }
        sum / unseen.len().max(1) as f64
    }
}
