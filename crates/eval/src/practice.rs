//! Practice: a learned character plays, and attends as sharply as makes it move most like its teacher.
//!
//! What was learned says how probable everything is that the teacher did; how sharply to draw from it, nobody saw. Attention that
//! flits about turns the view more often than the teacher did; attention that never leaves a thing stands longer. So a
//! pupil plays trial matches with several powers of attention, for each group of actions in turn, and keeps those with which its signatures
//! ([`signature`](crate::signature)) come nearest to the teacher's.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_chameleon::layout::Level as Stimuli;
use repertoire_chameleon::{Learned, Sharpness};
use repertoire_mind::Mind;
use repertoire_mind::chameleon::{Chameleon, Taught};
use repertoire_mind::tasks::CannotSense;
use repertoire_worlds::arena::bots::Native;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::Tally;

use crate::signature::habits::Measure;
use crate::signature::{Counts, Moment, Signature};

/// The native bots that every teacher and pupil meets, by level.
pub const OPPONENTS: [u8; 3] = [3, 3, 1];

/// Powers of attention that are tried.
pub const POWERS: [f64; 5] = [1.0, 1.25, 1.5, 2.0, 3.0];

/// Matches with each.
const TRIALS: u32 = 3;

/// Two recordings of one person are so far apart (measured on people of Unreal Tournament 2004): that much is nothing in each
/// of the three signatures.
const SAME_DEG: [f64; 3] = [4.5, 0.9, 1.3];

/// Somebody new in every match.
pub type Make = Arc<dyn Fn() -> Box<dyn Mind> + Send + Sync>;

/// Where and for how long to play.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Where.
    pub level: Arc<Level>,
    /// For how long each match, in seconds of the game.
    pub match_secs: f64,
    /// Where chance begins.
    pub seed: u64,
}

impl Practice {
    /// A match of somebody against [`OPPONENTS`].
    pub fn game(&self, make: &Make, number: u64) -> Match {
        let natives = OPPONENTS.map(|level| Box::new(Native::new(level)) as Box<dyn Mind>);
        let minds = std::iter::once(make()).chain(natives);
        let contenders = minds.map(|mind| Contender { name: String::new(), mind }).collect();
        Match::new(Arc::clone(&self.level), Rules::default(), contenders, self.seed.wrapping_add(number))
    }

    /// Lets somebody play matches from a number on: how it went, and where it was.
    pub fn play(&self, make: &Make, from: u64, matches: u32) -> Vec<(Tally, Vec<Moment>)> {
        (0..u64::from(matches))
            .into_par_iter()
            .map(|number| {
                let mut game = self.game(make, from + number);
                let mut moments = Vec::new();
                for tick in 0..ticks(self.match_secs) {
                    game.tick();
                    let look = game.world().look(0);
                    if look.alive {
                        moments.push(Moment {
                            secs: f64::from(tick) * game.world().rules().period_secs(),
                            at: look.position.into(),
                            yaw_deg: look.yaw.to_degrees(),
                            life: game.world().tally(0).deaths,
                        });
                    }
                }
                (game.world().tally(0), moments)
            })
            .collect()
    }

    /// How sharply this character attends when it moves most like this. `told` hears what is tried.
    pub fn sharpness(
        &self,
        learned: &Learned,
        teacher: &Signature,
        told: &(dyn Fn(&str) + Sync),
    ) -> Result<Sharpness, CannotSense> {
        let mut best = learned.clone();
        let groups = best.model.groups().to_vec();
        best.sharpness.groups = (0..groups.len()).map(|group| best.sharpness.of_group(group)).collect();
        let mut least = self.apart(&best, teacher)?;
        let levels = learned.model.layout().shape().groups.clone();
        let outward = groups.iter().enumerate().filter(|(group, _)| levels[*group] == Stimuli::Low);
        for (group, name) in outward {
            let tried = best.sharpness.of_group(group);
            for power in POWERS.into_iter().filter(|&power| power != tried) {
                told(&format!("practises {name} with attention to the power of {power}"));
                let mut trial = best.clone();
                trial.sharpness.groups[group] = power;
                let apart = self.apart(&trial, teacher)?;
                if apart < least {
                    (best, least) = (trial, apart);
                }
            }
        }
        Ok(best.sharpness)
    }

    /// How far a character moves from a signature, in distances that are nothing.
    fn apart(&self, learned: &Learned, teacher: &Signature) -> Result<f64, CannotSense> {
        let mut counts = Counts::new(Measure::in_units(1.0).standing);
        let matches = self.play(&player(learned)?, 0, TRIALS);
        matches.iter().for_each(|(_, moments)| counts.add(moments));
        let apart = |own: Signature| {
            own.distances_deg(teacher).iter().zip(SAME_DEG).map(|(apart, same)| apart / same).sum()
        };
        Ok(counts.signature().map_or(f64::INFINITY, apart))
    }
}

/// A character that plays what was learned.
pub fn player(learned: &Learned) -> Result<Make, CannotSense> {
    let taught = Arc::new(Taught::new(learned.clone())?);
    Ok(Arc::new(move || Box::new(Chameleon::new(Arc::clone(&taught)))))
}

/// Decisions in so many seconds of the game.
pub(crate) fn ticks(secs: f64) -> u32 {
    (secs / Rules::default().period_secs()).round() as u32
}
