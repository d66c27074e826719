//! How believable a character is: Tencé's ten requirements (2011, section 1.2), a number each.
//!
//! Matches are functions of state and seed, so the same moment can be lived twice, with an event and without: the difference *is* the
//! reaction. Percepts of the life that was lived are shown to the same mind again, changed; up to the first decision that differs
//! this is exactly what would have happened.
//!
//! | row | requirement      | number                                                                                      |
//! |-----|------------------|---------------------------------------------------------------------------------------------|
//! | B1  | reaction         | share of events after which the lives differ within a second, minus that without an event    |
//! | B2  | reaction time    | median time until it turns farther towards an enemy who comes into view                      |
//! | B3  | variability      | how much what is done differs with other chance, over that of the reference                  |
//! | B4  | unpredictability | nats per decision that having watched it gains over having watched others, over the reference's |
//! | B5  | understandable   | share of decisions in view at which an observer names its aim; more than naming one aim always |
//! | B6  | perception       | share of pairs with a change outside of its senses in which it does exactly the same         |
//! | B7  | planning         | avoidable deaths per duel, over those of the same character without plans                     |
//! | B8  | memory           | seconds to find a lost opponent, over those of the same character without beliefs             |
//! | B9  | evolution        | deaths per minute by the first lives' most frequent cause, lives 16 to 20 over 1 to 5         |
//! | B10 | fast evolution   | how well minute six can be told from minute one of a match                                   |
//!
//! Sharpened against the requirements as they were put: the time of a reaction counts half a period more than the decision at which it
//! shows, because an event falls anywhere between two decisions. In B6 a pair counts as long as what is perceived stays the same, and
//! not a tick longer. Kinds of events count the same in B1, however often each could be tried. The cause of a death (B9) is what the character was doing.
//!
//! | module      | what it holds                                          |
//! |-------------|--------------------------------------------------------|
//! | `life`      | a match with moments that can be lived again           |
//! | `twins`     | with an event and without (B1, B2), with other chance (B3) |
//! | `predict`   | who can be predicted (B4)                              |
//! | `observe`   | who can be understood (B5)                             |
//! | `unseen`    | changes outside of the senses (B6)                     |
//! | `change`    | who changes while they play (B9, B10)                  |
//! | `card`      | the ten rows with intervals and verdicts               |

mod card;
mod change;
mod life;
mod observe;
mod predict;
mod twins;
mod unseen;

use std::sync::Arc;

pub use card::{Card, Row};
use rayon::prelude::*;
use repertoire_prob::Stream;
use repertoire_worlds::arena::level::Level;
pub use twins::{Happens, Reaction};

use self::life::{Life, live};
use self::observe::{Named, Observer};
use self::predict::Predictor;
use self::twins::Twins;
use self::unseen::Unseen;
use crate::minds::{MindExperiment, Worth};
use crate::{Entry, Refused};

/// A character to judge, and everything it is held against.
pub struct Believable {
    /// The character that is judged.
    pub subject: Entry,
    /// The same without its plans and without its beliefs, where it has such stages.
    pub without_plan: Option<Entry>,
    /// Without its beliefs about who is out of sight.
    pub without_memory: Option<Entry>,
    /// Whom its variability and predictability are held against: its teacher, or a character known to be right.
    pub reference: Entry,
    /// Whom predictors and observers have watched instead; not the subject.
    pub others: Vec<Entry>,
    /// Whom it plays against.
    pub opponents: Vec<Entry>,
    /// Where, with names.
    pub levels: Vec<(String, Arc<Level>)>,
    /// Matches on each map.
    pub matches: u32,
    /// Seconds of a match in which moments are lived again.
    pub seconds: f64,
    /// Random seed; the same seed gives the same card.
    pub seed: u64,
}

/// Seconds of a match in which somebody may change: long enough for twenty lives of most.
const LONG_SECS: f64 = 900.0;
/// Duels on each map for stages that are taken away.
const DUELS: u32 = 12;

/// Everything that was seen of the subject.
struct Evidence {
    twins: Vec<Twins>,
    unseen: Unseen,
    lives: Vec<Life>,
    reference_twins: Vec<Twins>,
    reference_lives: Vec<Life>,
    /// One list for each of the others.
    other_lives: Vec<Vec<Life>>,
    long_lives: Vec<Life>,
    duels: Vec<(String, Worth)>,
}

impl Believable {
    /// How many pieces of work there are, for a progress bar.
    pub fn total(&self) -> u64 {
        let each = self.levels.len() as u64 * u64::from(self.matches);
        each * (3 + self.others.len() as u64) + self.experiment().map_or(0, |duels| duels.total_duels())
    }

    /// Plays, lives again and judges, on the threads of the rayon pool in which this is called; the card does not depend on their
    /// number.
    ///
    /// # Errors
    /// If there is nothing to play: no map, no match, no time.
    pub fn run(&self, on_done: &(dyn Fn() + Sync)) -> Result<Card, Refused> {
        if self.levels.is_empty() {
            return Err(Refused::NoMap);
        }
        if self.matches == 0 {
            return Err(Refused::NoMatch);
        }
        if !(self.seconds.is_finite() && self.seconds >= 5.0 && self.seconds <= 3600.0) {
            return Err(Refused::TimeLimit(self.seconds));
        }
        let probed = |who: &Entry, purpose: &'static str, sees_all: bool| {
            self.each(who, self.seconds, purpose, true, |mut life, seed| {
                let twins = twins::again(&life, who, seed);
                let unseen = match sees_all {
                    true => unseen::again(&life, who, &self.opponents, seed),
                    false => Unseen::default(),
                };
                life.moments.clear();
                on_done();
                (twins, unseen, life)
            })
        };
        let (mut twins, mut unseen, mut lives) = (Vec::new(), Unseen::default(), Vec::new());
        for (one, more, life) in probed(&self.subject, "subject", true) {
            twins.push(one);
            unseen.add(more);
            lives.push(life);
        }
        let (reference_twins, reference_lives) = probed(&self.reference, "reference", false)
            .into_iter()
            .map(|(twins, _, life)| (twins, life))
            .unzip();
        let plain = |life: Life, _: u64| {
            on_done();
            life
        };
        let other_lives =
            self.others.iter().map(|other| self.each(other, self.seconds, "other", false, plain)).collect();
        let long_lives = self.each(&self.subject, LONG_SECS, "long", false, plain);
        let duels = match self.experiment() {
            None => Vec::new(),
            Some(experiment) => {
                let outcome = experiment.run(on_done)?;
                let worth = |subject: &Entry| {
                    let of = outcome.iter().filter(|one| one.subject == subject.name);
                    (subject.name.clone(), Worth::of(of.flat_map(|one| &one.duels)))
                };
                experiment.subjects.iter().map(worth).collect()
            }
        };
        let evidence = Evidence {
            twins,
            unseen,
            lives,
            reference_twins,
            reference_lives,
            other_lives,
            long_lives,
            duels,
        };
        Ok(self.card(&evidence))
    }

    /// A life of somebody in each match, and what is made of it.
    fn each<T: Send>(
        &self,
        who: &Entry,
        seconds: f64,
        purpose: &'static str,
        moments: bool,
        make: impl Fn(Life, u64) -> T + Sync,
    ) -> Vec<T> {
        let matches: Vec<(usize, u32)> = (0..self.levels.len())
            .flat_map(|map| (0..self.matches).map(move |number| (map, number)))
            .collect();
        matches
            .into_par_iter()
            .map(|(map, number)| {
                let mut draw = Stream::new(self.seed, (map as u64) << 32 | u64::from(number), purpose);
                let seed = (draw.unit() * (1u64 << 53) as f64) as u64;
                make(live(who, &self.opponents, &self.levels[map].1, seconds, seed, moments), seed)
            })
            .collect()
    }

    /// Duels of the subject, whole and with a stage taken away, if it has such stages.
    fn experiment(&self) -> Option<MindExperiment> {
        let less: Vec<Entry> = self.without_plan.iter().chain(&self.without_memory).cloned().collect();
        let opponent = self.opponents.first()?.clone();
        (!less.is_empty()).then(|| MindExperiment {
            levels: self.levels.clone(),
            subjects: std::iter::once(self.subject.clone()).chain(less).collect(),
            opponent,
            duels: DUELS,
            frags: 8,
            seconds: 240.0,
            seed: self.seed,
        })
    }

    /// What an observer who watched others makes of the subject.
    fn named(&self, evidence: &Evidence) -> Named {
        let observer = Observer::of(evidence.other_lives.iter().flatten());
        let mut named = Named::default();
        evidence.lives.iter().for_each(|life| named.add(&observer.name(life)));
        named
    }

    /// Nats per decision that having watched somebody's other lives gains over having watched as many lives of somebody else, on
    /// average over everybody else, life by life.
    fn gains(lives: &[Life], others: &[Vec<Life>]) -> Vec<f64> {
        let but = |lives: &[Life], index: usize| {
            let rest = lives.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, life)| life);
            Predictor::of(rest)
        };
        let one = |(index, life): (usize, &Life)| {
            let own = but(lives, index).nats(life)?;
            let nats: Vec<f64> = others.iter().filter_map(|of| but(of, index).nats(life)).collect();
            (!nats.is_empty()).then(|| nats.iter().sum::<f64>() / nats.len() as f64 - own)
        };
        lives.iter().enumerate().filter_map(one).collect()
    }
}
