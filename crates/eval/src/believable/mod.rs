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
//! | B4  | unpredictability | nats per decision that having watched it gains over having watched others, over the reference's; and per choice of a route |
//! | B5  | understandable   | share of decisions in view at which an observer names its aim; more than naming one aim always, and than with eyes that look elsewhere |
//! | B6  | perception       | share of pairs with a change outside of its senses in which it does exactly the same         |
//! | B7  | planning         | avoidable mistakes per duel, over those of the same character without plans                    |
//! | B8  | memory           | seconds to find a lost opponent, over those of the same character without beliefs             |
//! | B9  | evolution        | deaths per minute by the causes of the first lives, lives 16 to 20 over the first; and how likely a teacher's unseen play becomes |
//! | B10 | fast evolution   | how well minute six can be told from minute one of a match; and for how long a mistake shown once is repeated |
//!
//! Sharpened against the requirements as they were put: the time of a reaction counts half a period more than the decision at which it
//! shows, because an event falls anywhere between two decisions. In B6 a pair counts as long as what is perceived stays the same, and
//! not a tick longer. Kinds of events count the same in B1, however often each could be tried, if that is at least ten times. The cause of a death (B9) is what the character was doing when the first of the hits that killed it struck, and whether it saw anybody.
//! Avoidable mistakes (B7) are deaths by its own hand, deaths after meeting somebody without a weapon or below half health while what was
//! missing lay within reach, and stretches of five seconds in which it lay there and came no nearer ([`crate::minds`]).
//!
//! | module      | what it holds                                          |
//! |-------------|--------------------------------------------------------|
//! | `life`      | a match with moments that can be lived again           |
//! | `track`     | what is kept of a life, to be judged anywhere          |
//! | `twins`     | with an event and without (B1, B2), with other chance (B3) |
//! | `predict`   | who can be predicted (B4)                              |
//! | `routes`    | whose routes can be predicted (B4)                     |
//! | `observe`   | who can be understood (B5)                             |
//! | `attend`    | the same with eyes that do not follow what it deals with (B5) |
//! | `unseen`    | changes outside of the senses (B6)                     |
//! | `change`    | who changes while they play (B9, B10)                  |
//! | `taught`    | what is learned from a teacher (B9)                    |
//! | `repeat`    | for how long mistakes are repeated (B10)               |
//! | `recorded`  | what recordings tell of it                              |
//! | `card`      | the ten rows with intervals and verdicts               |

mod attend;
mod card;
mod change;
mod life;
mod observe;
mod predict;
mod recorded;
mod repeat;
mod routes;
mod taught;
mod track;
mod twins;
mod unseen;

use std::sync::Arc;

pub use card::{Card, Half, PEOPLE_FIRE_MS, PEOPLE_TURN_MS, Row};
pub use recorded::{NotRecorded, Recorded};
use repertoire_mind::Place;
use repertoire_prob::Stream;
use repertoire_worlds::arena::level::Level;
pub use routes::PEOPLE_ROUTES_NATS;
use serde::{Deserialize, Serialize};
use serde_json::json;
pub use twins::{Done, Happens, Lives, Reaction};

use self::attend::Absent;
use self::life::{Keeping, Life, Until, live};
use self::observe::{Named, Observer};
use self::predict::Predictor;
use self::track::Track;
use self::twins::Twins;
use self::unseen::Unseen;
use crate::minds::{Duel, MindExperiment, Worth};
use crate::shard::{self, Sharded, What};
use crate::{Entry, Refused};

/// A character to judge, and everything it is held against.
pub struct Believable {
    /// The character that is judged.
    pub subject: Entry,
    /// The same without its plans and without its beliefs, where it has such stages.
    pub without_plan: Option<Entry>,
    /// Without its beliefs about who is out of sight.
    pub without_memory: Option<Entry>,
    /// Without learning while it plays.
    pub without_learning: Option<Entry>,
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
    /// Which rows to measure, 1 for B1; all of them if none is named. The work for the others is left out.
    pub rows: Vec<u8>,
}

/// Matches in which somebody may change, for each of the others: a life is one death, and deaths are few.
const LONG_TIMES: u32 = 6;
/// The same of the character without learning, which only tells for how long it repeats its mistakes.
const UNLEARNED_TIMES: u32 = 6;
/// Duels on each map for stages that are taken away, for each of the matches there: duels are short beside long matches.
const DUEL_TIMES: u32 = 15;

/// Everything that was seen of the subject.
#[derive(Default)]
struct Evidence {
    twins: Vec<Twins>,
    /// For each of the lives.
    absent: Vec<Absent>,
    unseen: Unseen,
    lives: Vec<Track>,
    reference_twins: Vec<Twins>,
    reference_lives: Vec<Track>,
    /// One list for each of the others.
    other_lives: Vec<Vec<Track>>,
    long_lives: Vec<Track>,
    unlearned_lives: Vec<Track>,
    duels: Vec<(String, Worth)>,
}

/// What comes of a piece of the work: a match that was lived again, one that was only watched, or a duel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece(Kind);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    LivedAgain { twins: Twins, unseen: Unseen, life: Track, absent: Absent },
    Watched(Track),
    Duel(Duel),
}

/// A kind of work.
#[derive(Clone, Copy)]
enum Part {
    Subject,
    Reference,
    Other(usize),
    Long,
    Duel,
    Unlearned,
}

impl Believable {
    /// How many pieces of work there are, for a progress bar.
    pub fn total(&self) -> u64 {
        self.work().iter().map(|(_, pieces)| pieces).sum()
    }

    /// Whether a row is measured, 1 for B1.
    fn wants(&self, row: u8) -> bool {
        self.rows.is_empty() || self.rows.contains(&row)
    }

    /// The kinds of work, and how many pieces there are of each.
    fn work(&self) -> Vec<(Part, u64)> {
        let each = self.each() as u64;
        let duels = self.experiment().map_or(0, |duels| duels.total_duels());
        let others = (0..self.others.len()).map(|other| (Part::Other(other), each, &[4, 5][..]));
        let before = [(Part::Subject, each, &[1, 2, 3, 4, 5, 6][..]), (Part::Reference, each, &[3, 4][..])];
        let unlearned = if self.without_learning.is_some() { UNLEARNED_TIMES } else { 0 };
        let after = [
            (Part::Long, each * u64::from(LONG_TIMES), &[9, 10][..]),
            (Part::Duel, duels, &[7, 8][..]),
            (Part::Unlearned, each * u64::from(unlearned), &[10][..]),
        ];
        let all = before.into_iter().chain(others).chain(after);
        let wanted = all.filter(|(_, _, rows)| rows.iter().any(|row| self.wants(*row)));
        wanted.map(|(part, pieces, _)| (part, pieces)).collect()
    }

    /// How many matches there are of each kind.
    fn each(&self) -> usize {
        self.levels.len() * self.matches as usize
    }

    /// Plays, lives again and judges, on the threads of the rayon pool in which this is called; the card does not depend on their
    /// number.
    ///
    /// # Errors
    /// If there is nothing to play: no map, no match, no time.
    pub fn run(&self, on_done: &(dyn Fn() + Sync)) -> Result<Card, Refused> {
        self.check()?;
        shard::run_all(self, on_done)
    }

    /// Whether there is something to play.
    ///
    /// # Errors
    /// See [`Believable::run`].
    pub fn check(&self) -> Result<(), Refused> {
        if self.levels.is_empty() {
            return Err(Refused::NoMap);
        }
        if self.matches == 0 {
            return Err(Refused::NoMatch);
        }
        if !(self.seconds.is_finite() && self.seconds >= 5.0 && self.seconds <= 3600.0) {
            return Err(Refused::Lived(self.seconds));
        }
        Ok(())
    }

    /// Which piece of the work has a number: its kind, and which one of that kind.
    fn piece_of(&self, mut number: u64) -> Option<(Part, u64)> {
        for (part, pieces) in self.work() {
            if number < pieces {
                return Some((part, number));
            }
            number -= pieces;
        }
        None
    }

    /// A match of somebody, lived on a map of its own.
    fn live(
        &self,
        who: &Entry,
        at: usize,
        until: Until,
        purpose: &'static str,
        keeping: Keeping<'_>,
    ) -> (Life, u64) {
        let (map, number) = (at % self.levels.len(), at / self.levels.len());
        let mut draw = Stream::new(self.seed, (map as u64) << 32 | number as u64, purpose);
        let seed = (draw.unit() * (1u64 << 53) as f64) as u64;
        (live(who, &self.opponents, &self.levels[map].1, until, seed, keeping), seed)
    }

    /// A match whose moments are lived again; only the subject's are with changes outside of its senses.
    fn lived_again(&self, who: &Entry, at: usize, is_subject: bool) -> Kind {
        let purpose = if is_subject { "subject" } else { "reference" };
        let keeping = Keeping { moments: true, ..Keeping::default() };
        let (life, seed) = self.live(who, at, Until::Secs(self.seconds), purpose, keeping);
        let twins = twins::again(&life, who, seed);
        let unseen = match is_subject {
            true => unseen::again(&life, who, &self.opponents, seed),
            false => Unseen::default(),
        };
        let absent = match is_subject && self.wants(5) {
            true => attend::elsewhere(&life, who, &self.opponents),
            false => Absent::default(),
        };
        Kind::LivedAgain { twins, unseen, life: Track::of(&life), absent }
    }

    /// Routes of the first opponent in a match without the subject, if the subject learns from those it watches.
    fn teacher_routes(&self, at: usize) -> Vec<Vec<Place>> {
        let learns =
            (self.subject.make)().surprise(&[], self.levels[at % self.levels.len()].1.places()).is_some();
        let Some(teacher) = self.opponents.first().filter(|_| learns && self.wants(9)) else {
            return Vec::new();
        };
        let until = Until::Secs(taught::UNSEEN_SECS);
        taught::routes(&self.live(teacher, at, until, "teacher", Keeping::default()).0)
    }

    /// The subject without a stage that duels tell the worth of.
    fn less(&self) -> impl Iterator<Item = &Entry> {
        self.without_plan.iter().chain(&self.without_memory)
    }

    /// Duels of the subject, whole and with a stage taken away, if it has such stages.
    fn experiment(&self) -> Option<MindExperiment> {
        let less: Vec<Entry> = self.less().cloned().collect();
        let opponent = self.opponents.first()?.clone();
        (!less.is_empty()).then(|| MindExperiment {
            levels: self.levels.clone(),
            subjects: std::iter::once(self.subject.clone()).chain(less).collect(),
            opponent,
            duels: self.matches.saturating_mul(DUEL_TIMES),
            frags: 8,
            seconds: 240.0,
            seed: self.seed,
        })
    }

    /// What an observer who watched others makes of the subject.
    fn named(evidence: &Evidence, observer: &Observer) -> Named {
        let mut named = Named::default();
        evidence.lives.iter().for_each(|life| named.add(&observer.name(life)));
        named
    }

    /// Nats per decision that having watched somebody's other lives gains over having watched as many lives of somebody else, on
    /// average over everybody else, life by life.
    fn gains(lives: &[Track], others: &[Vec<Track>]) -> Vec<f64> {
        let but = |lives: &[Track], index: usize| {
            let rest = lives.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, life)| life);
            Predictor::of(rest)
        };
        let one = |(index, life): (usize, &Track)| {
            let own = but(lives, index).nats(life)?;
            let nats: Vec<f64> = others.iter().filter_map(|of| but(of, index).nats(life)).collect();
            (!nats.is_empty()).then(|| nats.iter().sum::<f64>() / nats.len() as f64 - own)
        };
        lives.iter().enumerate().filter_map(one).collect()
    }
}

/// Its pieces are the subject's matches, the reference's, those of everybody else, the long ones, duels, and long ones without learning.
impl Sharded for Believable {
    type Piece = Piece;
    type Whole = Card;
    type Refused = Refused;

    fn what(&self) -> What {
        let names = |entries: &[Entry]| entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
        let less: Vec<_> = self
            .less()
            .map(|entry| &entry.name)
            .chain(self.without_learning.iter().map(|entry| &entry.name))
            .collect();
        What {
            kind: "believable".into(),
            seed: self.seed,
            settings: json!({ "subject": self.subject.name, "less": less, "reference": self.reference.name,
                "others": names(&self.others), "opponents": names(&self.opponents),
                "maps": shard::maps(&self.levels), "matches": self.matches, "seconds": self.seconds, "rows": self.rows }),
            total: self.total(),
        }
    }

    fn piece(&self, number: u64) -> Result<Piece, Refused> {
        let watched = |who: &Entry, at: usize, until: Until, purpose: &'static str| {
            Kind::Watched(Track::of(&self.live(who, at, until, purpose, Keeping::default()).0))
        };
        let (part, number) = self.piece_of(number).ok_or(Refused::NoMatch)?;
        let at = number as usize;
        Ok(Piece(match part {
            Part::Subject => self.lived_again(&self.subject, at, true),
            Part::Reference => self.lived_again(&self.reference, at, false),
            Part::Other(other) => watched(&self.others[other], at, Until::Secs(self.seconds), "other"),
            Part::Long => {
                let teacher = self.teacher_routes(at);
                let keeping = Keeping { teacher: &teacher, ..Keeping::default() };
                let life = self.live(&self.subject, at, change::long(), "long", keeping).0;
                Kind::Watched(Track::of(&life))
            }
            Part::Unlearned => {
                let less = self.without_learning.as_ref().ok_or(Refused::NoMatch)?;
                watched(less, at, change::long(), "long")
            }
            Part::Duel => {
                let duels = self.experiment().ok_or(Refused::NoMatch)?;
                Kind::Duel(duels.piece(number)?)
            }
        }))
    }

    fn whole(&self, pieces: Vec<(u64, Piece)>) -> Result<Card, Refused> {
        let mut evidence =
            Evidence { other_lives: vec![Vec::new(); self.others.len()], ..Evidence::default() };
        let mut duels = Vec::new();
        for (number, Piece(kind)) in pieces {
            let (part, number) = self.piece_of(number).ok_or(Refused::NoMatch)?;
            match (part, kind) {
                (Part::Subject, Kind::LivedAgain { twins, unseen, life, absent }) => {
                    evidence.twins.push(twins);
                    evidence.absent.push(absent);
                    evidence.unseen.add(unseen);
                    evidence.lives.push(life);
                }
                (Part::Reference, Kind::LivedAgain { twins, life, .. }) => {
                    evidence.reference_twins.push(twins);
                    evidence.reference_lives.push(life);
                }
                (Part::Other(other), Kind::Watched(life)) => evidence.other_lives[other].push(life),
                (Part::Long, Kind::Watched(life)) => evidence.long_lives.push(life),
                (Part::Unlearned, Kind::Watched(life)) => evidence.unlearned_lives.push(life),
                (Part::Duel, Kind::Duel(duel)) => duels.push((number, duel)),
                // A shard's lines are checked: nobody but a hand puts a duel where a match belongs.
                _ => return Err(Refused::NoMatch),
            }
        }
        if let Some(experiment) = self.experiment().filter(|_| self.wants(7) || self.wants(8)) {
            let outcome = experiment.whole(duels)?;
            let worth = |subject: &Entry| {
                let of = outcome.iter().filter(|one| one.subject == subject.name);
                (subject.name.clone(), Worth::of(of.flat_map(|one| &one.duels)))
            };
            evidence.duels = experiment.subjects.iter().map(worth).collect();
        }
        Ok(self.card(&evidence))
    }
}
