//! Imitation within the complete mind: do belief, plans and wants bring a pupil nearer to its teacher, or farther away?
//!
//! A pupil's hands are a person's, learned from one half of a recording (`learn moments`). Who decides for them differs:
//!
//! | variant   | who decides                                                               |
//! |-----------|---------------------------------------------------------------------------|
//! | `native`  | a native bot with its own hands: what a pupil is to be better than         |
//! | `replay`  | nobody: the learned half itself, done again (`crate::replay`'s contender): as near as anything could come |
//! | `moments` | a native bot's state machine alone                                         |
//! | `believe` | the same, and belief about who is out of sight                             |
//! | `plan`    | the state machine beside plans, in one table                               |
//! | `want`    | the state machine beside needs, in one table                               |
//! | `all`     | the state machine beside belief, plans and needs                           |
//! | `hunter`  | the shipped `hunter`: tables, belief, plans, needs and experience          |
//!
//! Each plays matches on the teacher's map against native bots of levels 1, 3 and 5 and a replay of the half that was learned from, and
//! is held against the other half: told apart ([`crate::telling`]), by signature over equal lengths, by routes. Variants share the seeds of
//! their matches, and seats.

use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use repertoire_authored::Unavailable;
use repertoire_mind::fighter::{Fighter, FighterDesign, Files, Stage, shipped};
use repertoire_mind::moments::{MomentWatcher, Moments};
use repertoire_mind::replay::{NoReplay, Replay, ReplayWatcher, Replayer};
use repertoire_mind::student::{Seen, Watch};
use repertoire_mind::{Event, Mind};
use repertoire_prob::Stream;
use repertoire_trace::{Header, Tick};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Interval;
use crate::practice::ticks;
use crate::shard::file::checksum;
use crate::shard::{self, Sharded, What};
use crate::telling::compare::routes_nats;
use crate::telling::nearest::signature;
use crate::telling::{Half, Instant, Told, Trail, Window, tell_apart, windows};

/// The native bots that everybody meets, by level.
pub const OPPONENTS: [u8; 3] = [1, 3, 5];
/// The level of the bot whose state machine decides.
const DECIDES: u8 = 3;

/// A pupil that has all: what is beside the state machine is the shipped hunter's.
const WHOLE: &str = include_str!("whole_pupil.toml");

/// Who decides for a teacher's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// A native bot with its own hands.
    Native,
    /// The learned half itself, done again.
    Replay,
    /// A native bot's state machine.
    Moments,
    /// With belief.
    Believe,
    /// With plans.
    Plan,
    /// With needs.
    Want,
    /// With belief, plans and needs.
    All,
    /// The shipped hunter.
    Hunter,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 8] = [
        Variant::Native,
        Variant::Replay,
        Variant::Moments,
        Variant::Believe,
        Variant::Plan,
        Variant::Want,
        Variant::All,
        Variant::Hunter,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Native => "native",
            Variant::Replay => "replay",
            Variant::Moments => "moments",
            Variant::Believe => "believe",
            Variant::Plan => "plan",
            Variant::Want => "want",
            Variant::All => "all",
            Variant::Hunter => "hunter",
        }
    }

    /// What is different about it, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Variant::Native => "native:3, its own hands",
            Variant::Replay => "the learned half, done again",
            Variant::Moments => "their hands, native:3 decides",
            Variant::Believe => "+ belief",
            Variant::Plan => "+ plans",
            Variant::Want => "+ wants",
            Variant::All => "+ belief, plans, wants",
            Variant::Hunter => "their hands, hunter decides",
        }
    }

    /// A mind with a teacher's hands.
    fn mind(self, moments: &Arc<Moments>, replay: &Arc<Replay>) -> Box<dyn Mind> {
        let pupil = || FighterDesign::native(DECIDES).with_person("pupil", moments);
        // All are stages that it has; a test makes every variant.
        let without = |stages: &[Stage]| {
            let mut design = whole();
            for stage in stages {
                design = design.without(*stage).unwrap_or(design);
            }
            design.with_person("pupil", moments)
        };
        let design = match self {
            Variant::Replay => return Box::new(Replayer::new(replay)),
            Variant::Native => FighterDesign::native(DECIDES),
            Variant::Moments => pupil(),
            Variant::Believe => pupil().with_belief(),
            Variant::Plan => without(&[Stage::Believe, Stage::Want]),
            Variant::Want => without(&[Stage::Believe, Stage::Plan]),
            Variant::All => without(&[]),
            Variant::Hunter => {
                let hunter = shipped::design("hunter").unwrap_or_else(|| unreachable!("it is shipped"));
                hunter.with_person("pupil", moments)
            }
        };
        Box::new(Fighter::new(&design))
    }
}

/// A name that is no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are {}", Variant::ALL.map(Variant::name).join(", "))]
pub struct NoVariant;

impl FromStr for Variant {
    type Err = NoVariant;

    fn from_str(name: &str) -> Result<Self, NoVariant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == name).ok_or(NoVariant)
    }
}

/// The pupil that has all, still with a native bot's hands.
fn whole() -> Arc<FighterDesign> {
    static WHOLE_DESIGN: LazyLock<Arc<FighterDesign>> = LazyLock::new(|| {
        fn none<T>(name: &str) -> Result<T, Unavailable> {
            Err(format!("it names no file, and not {name}").into())
        }
        let mut files = Files {
            behaviour: &mut none,
            taught: &mut none,
            profile: &mut none,
            domain: &mut none,
            model: &mut none,
            moments: &mut none,
            program: &mut none,
        };
        // A test reads it.
        FighterDesign::read(WHOLE, &mut files).unwrap_or_else(|mistake| unreachable!("{mistake}"))
    });
    Arc::clone(&WHOLE_DESIGN)
}

/// One person's part in a recording: one half learned from, the other to be compared with.
#[derive(Clone, Debug)]
pub struct Teacher {
    /// Who.
    pub name: String,
    /// The recording.
    pub session: String,
    /// Which half is learned from.
    pub half: Half,
    level: Arc<Level>,
    moments: Arc<Moments>,
    replay: Arc<Replay>,
    learned: Trail,
    unseen: Trail,
    unseen_secs: f64,
}

/// Nothing can be learned from somebody.
#[derive(Debug, thiserror::Error)]
#[error(
    "{player} cannot be learned from: {why}\n  remedy: name a player who lives in both halves of a recording of `trace import --percepts` or `record`"
)]
pub struct NoTeacher {
    player: String,
    why: String,
}

impl Teacher {
    /// The player of a number in a recording, whose ticks are given.
    ///
    /// # Errors
    /// If they do not live in both halves, or not at ten moments a second.
    pub fn new(
        (header, session): (&Header, &str),
        player: u8,
        level: &Arc<Level>,
        ticks: &[Tick],
        half: Half,
    ) -> Result<Self, NoTeacher> {
        let name = header.characters.iter().find(|one| one.id == player).map(|one| one.name.clone());
        let name = name.unwrap_or_default();
        let wrong = |why: &str| NoTeacher { player: name.clone(), why: why.to_owned() };
        let end_secs = ticks.last().map_or(0.0, |last| f64::from(last.tick) * header.period_secs);
        let trail = |instants| Trail {
            player: name.clone(),
            session: session.to_owned(),
            map: header.map.clone(),
            is_person: true,
            instants,
        };
        let mut watch = (MomentWatcher::default(), ReplayWatcher::default());
        watch.begin();
        let (mut learned, mut unseen) = (Vec::new(), Vec::new());
        for row in ticks.iter().flat_map(|tick| tick.rows.iter().filter(|row| row.character == player)) {
            let (Some(percept), Some(command)) = (&row.percept, &row.command) else { continue };
            let instant = Instant::of(percept, command);
            if half.has(instant.secs, end_secs) {
                watch.see(Seen { percept, command, task: None, events: &row.events }, level.places());
                learned.push(instant);
            } else {
                unseen.push(instant);
            }
        }
        if unseen.is_empty() {
            return Err(wrong("they are not alive in the half to compare with"));
        }
        let moments =
            watch.0.finish().ok_or_else(|| wrong("they are not alive in the half to learn from"))?;
        let replay = watch.1.finish(&name).map_err(|NoReplay(why)| wrong(&why))?;
        Ok(Teacher {
            name: name.clone(),
            session: session.to_owned(),
            half,
            level: Arc::clone(level),
            moments: Arc::new(moments),
            replay: Arc::new(replay),
            learned: trail(learned),
            unseen: trail(unseen),
            unseen_secs: end_secs / 2.0,
        })
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct WholePupil {
    /// Who teaches.
    pub teachers: Vec<Teacher>,
    /// Who decides.
    pub variants: Vec<Variant>,
    /// Matches of each variant with each teacher.
    pub matches: u32,
    /// The length of a match in seconds of the game; none for as long as the half that it is compared with.
    pub match_secs: Option<f64>,
    /// Whether a replay of the learned half is among the opponents.
    pub with_replay: bool,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// One match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Played {
    told: Option<Told>,
    signature_deg: Option<[f64; 3]>,
    routes_nats: Option<f64>,
    minutes: f64,
    kills: u32,
    kills_of_replay: u32,
    deaths: u32,
}

/// Numbers of the matches of a variant, with their intervals; none where there is too little play to compare.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tried {
    /// Who decided.
    pub variant: Variant,
    /// AUC of boosted trees against the half not learned from.
    pub trees: Option<Interval>,
    /// The same of logistic regression.
    pub logistic: Option<Interval>,
    /// The three distances by signature, over equal lengths.
    pub signature_deg: Option<[Interval; 3]>,
    /// Nats per change of region of the one's routes under the other's, both ways on average.
    pub routes_nats: Option<Interval>,
    /// Kills per minute.
    pub kills: Interval,
    /// Those of the replay of the recording.
    pub kills_of_replay: Interval,
    /// Deaths per minute.
    pub deaths: Interval,
    /// How many matches.
    pub matches: usize,
}

/// A teacher's two halves against each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Itself {
    /// Told apart.
    pub told: Option<Told>,
    /// By signature.
    pub signature_deg: Option<[f64; 3]>,
    /// By routes.
    pub routes_nats: Option<f64>,
}

/// A teacher and all variants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Who taught.
    pub teacher: String,
    /// In which recording.
    pub session: String,
    /// Where.
    pub map: String,
    /// Which half was learned from.
    pub half: Half,
    /// Minutes alive in the half learned from, and in the other.
    pub minutes: [f64; 2],
    /// As near as the person is to themselves.
    pub itself: Itself,
    /// The variants.
    pub tried: Vec<Tried>,
}

/// Signatures over as much of both as both have.
fn signature_deg(one: &Trail, other: &Trail) -> Option<[f64; 3]> {
    let length = one.instants.len().min(other.instants.len());
    Some(signature(one, length)?.distances_deg(&signature(other, length)?))
}

impl WholePupil {
    /// Plays all matches; the seed determines everything.
    ///
    /// # Errors
    /// Never: whoever cannot be compared has no number.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Result<Vec<Row>, std::convert::Infallible> {
        shard::run_all(self, done)
    }

    /// Which teacher, variant and match a piece is.
    fn place(&self, number: u64) -> (usize, usize, u64) {
        let matches = u64::from(self.matches);
        let (variant, game) = (number / matches, number % matches);
        let variants = self.variants.len() as u64;
        ((variant / variants) as usize, (variant % variants) as usize, game)
    }

    fn play(&self, teacher: &Teacher, variant: Variant, seed: u64) -> (Trail, Played) {
        let native = |&level: &u8| Contender {
            name: format!("native:{level}"),
            mind: Box::new(Fighter::native(level)) as Box<dyn Mind>,
        };
        let mind = variant.mind(&teacher.moments, &teacher.replay);
        let mut contenders = vec![Contender { name: teacher.name.clone(), mind }];
        contenders.extend(OPPONENTS.iter().map(native));
        let replayed = (self.with_replay && variant != Variant::Replay).then_some(contenders.len() as u8);
        if replayed.is_some() {
            let mind = Box::new(Replayer::new(&teacher.replay));
            contenders.push(Contender { name: "replay".to_owned(), mind });
        }
        let mut game = Match::new(Arc::clone(&teacher.level), Rules::default(), contenders, seed);
        let (mut instants, mut kills, mut kills_of_replay) = (Vec::new(), 0, 0);
        for _ in 0..ticks(self.match_secs.unwrap_or(teacher.unseen_secs)) {
            game.perceive();
            game.decide();
            if game.world().is_alive(0) {
                instants.push(Instant::of(&game.percepts()[0], &game.commands()[0]));
            }
            game.advance();
            for event in game.world().events(0) {
                if let Event::Frag { victim } = event {
                    kills += 1;
                    kills_of_replay += u32::from(Some(*victim) == replayed);
                }
            }
        }
        let trail = Trail {
            player: "pupil".to_owned(),
            session: variant.name().to_owned(),
            map: teacher.unseen.map.clone(),
            is_person: false,
            instants,
        };
        let played = Played {
            told: None,
            signature_deg: signature_deg(&trail, &teacher.unseen),
            routes_nats: routes_nats(&trail, &teacher.unseen, false),
            minutes: game.world().time_secs() / 60.0,
            kills,
            kills_of_replay,
            deaths: game.world().tally(0).deaths,
        };
        (trail, played)
    }

    fn tried(&self, variant: Variant, played: &[&Played]) -> Tried {
        let of = |pick: &dyn Fn(&Played) -> Option<f64>| {
            let found: Vec<f64> = played.iter().filter_map(|one| pick(one)).collect();
            (!found.is_empty()).then(|| Interval::of(&found))
        };
        let per_minute = |count: fn(&Played) -> u32| {
            let rate = |one: &&Played| f64::from(count(one)) / one.minutes.max(1e-9);
            Interval::of(&played.iter().map(rate).collect::<Vec<f64>>())
        };
        let [first, second, third] = [0, 1, 2].map(|k| of(&|one| one.signature_deg.map(|deg| deg[k])));
        Tried {
            variant,
            trees: of(&|one| one.told.map(|told| told.trees)),
            logistic: of(&|one| one.told.map(|told| told.logistic)),
            signature_deg: first
                .zip(second)
                .zip(third)
                .map(|((first, second), third)| [first, second, third]),
            routes_nats: of(&|one| one.routes_nats),
            kills: per_minute(|one| one.kills),
            kills_of_replay: per_minute(|one| one.kills_of_replay),
            deaths: per_minute(|one| one.deaths),
            matches: played.len(),
        }
    }
}

/// Its pieces are matches of a variant with a teacher.
impl Sharded for WholePupil {
    type Piece = Played;
    type Whole = Vec<Row>;
    type Refused = std::convert::Infallible;

    fn what(&self) -> What {
        let teacher = |teacher: &Teacher| {
            let print = checksum(teacher.replay.write().as_bytes());
            json!([teacher.name, teacher.session, teacher.half, print, teacher.unseen.instants.len()])
        };
        What {
            kind: "experiment whole-pupil".into(),
            seed: self.seed,
            settings: json!({ "teachers": self.teachers.iter().map(teacher).collect::<Vec<_>>(),
                "variants": self.variants, "matches": self.matches, "match_secs": self.match_secs,
                "with_replay": self.with_replay }),
            total: self.teachers.len() as u64 * self.variants.len() as u64 * u64::from(self.matches),
        }
    }

    fn piece(&self, number: u64) -> Result<Played, std::convert::Infallible> {
        let (teacher, variant, game) = self.place(number);
        // All variants meet the same starts and the same chance.
        let place = (teacher as u64) << 32 | game;
        let seed = (Stream::new(self.seed, place, "whole pupil").unit() * (1u64 << 53) as f64) as u64;
        let teacher = &self.teachers[teacher];
        let (trail, played) = self.play(teacher, self.variants[variant], seed);
        let told: Vec<Vec<Window>> = [&teacher.unseen, &trail].map(|of| windows(of, false)).into();
        Ok(Played { told: tell_apart(&told[0], &told[1]), ..played })
    }

    fn whole(&self, pieces: Vec<(u64, Played)>) -> Result<Vec<Row>, std::convert::Infallible> {
        let row = |(k, teacher): (usize, &Teacher)| {
            let of = |v: usize| -> Vec<&Played> {
                let is_of = |number: u64| {
                    let (teacher, variant, _) = self.place(number);
                    (teacher, variant) == (k, v)
                };
                pieces.iter().filter(|(number, _)| is_of(*number)).map(|(_, played)| played).collect()
            };
            let (learned, unseen) = (&teacher.learned, &teacher.unseen);
            Row {
                teacher: teacher.name.clone(),
                session: teacher.session.clone(),
                map: unseen.map.clone(),
                half: teacher.half,
                minutes: [learned.minutes(), unseen.minutes()],
                itself: Itself {
                    told: tell_apart(&windows(unseen, false), &windows(learned, false)),
                    signature_deg: signature_deg(learned, unseen),
                    routes_nats: routes_nats(learned, unseen, false),
                },
                tried: self.variants.iter().enumerate().map(|(v, &one)| self.tried(one, &of(v))).collect(),
            }
        };
        Ok(self.teachers.iter().enumerate().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use repertoire_worlds::arena::map::{file, shipped::shipped as map};

    use super::*;
    use crate::record;

    /// A native bot, recorded, in place of a person.
    fn teacher(half: Half) -> Teacher {
        let map = file::read(map("yard").expect("it ships")).expect("it is a map").map;
        let level = Arc::new(Level::new(map).expect("it can be played"));
        let bot =
            |level: u8| Contender { name: format!("native:{level}"), mind: Box::new(Fighter::native(level)) };
        let mut game = Match::new(Arc::clone(&level), Rules::default(), vec![bot(5), bot(3)], 8);
        let header = record::header(&game, "yard", 8).expect("it is plain data");
        let ticks: Vec<Tick> = (0..3000).map(|_| record::tick(&mut game, false)).collect();
        Teacher::new((&header, "recorded"), 0, &level, &ticks, half).expect("it lives")
    }

    #[test]
    fn every_variant_has_its_stages_and_the_replay_comes_nearest() {
        assert!(
            [Stage::Believe, Stage::Want, Stage::Plan].iter().all(|stage| whole().without(*stage).is_some())
        );
        let experiment = WholePupil {
            teachers: vec![teacher(Half::First)],
            variants: Variant::ALL.to_vec(),
            matches: 1,
            match_secs: Some(140.0),
            with_replay: true,
            seed: 3,
        };
        let rows = experiment.run(&|| ()).expect("nothing is refused");
        assert_eq!((rows.len(), rows[0].tried.len()), (1, Variant::ALL.len()));
        let of =
            |variant: Variant| rows[0].tried.iter().find(|one| one.variant == variant).expect("it was tried");
        let trees = |one: &Tried| one.trees.expect("there are two blocks").mean;
        let (replay, moments) = (of(Variant::Replay), trees(of(Variant::Moments)));
        assert!(trees(replay) < 0.75 && moments > trees(replay), "{} {moments}", trees(replay));
        assert_eq!(replay.kills_of_replay.mean, 0.0);
        let again = WholePupil { variants: vec![Variant::Moments], ..experiment };
        let again = again.run(&|| ()).expect("nothing is refused");
        assert_eq!(trees(&again[0].tried[0]), moments, "the same seed, the same match");
    }
}
