//! Practice: a learned character plays, and attends as sharply as makes it move most like its teacher.
//!
//! What was learned says how probable everything is that the teacher did, but a recording does not show how sharply to draw from
//! it. Attention that flits about turns the view more often than the teacher did; attention that never leaves a thing makes the
//! character stand longer. So a pupil plays trial matches with several powers of attention, for each group of actions in turn,
//! and keeps those with which its signatures ([`signature`](crate::signature)) come nearest to the teacher's.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_chameleon::layout::Level as Stimuli;
use repertoire_chameleon::{Learned, Sharpness};
use repertoire_mind::chameleon::Taught;
use repertoire_mind::fighter::Fighter;
use repertoire_mind::student::{Seen, Watch};
use repertoire_mind::tasks::CannotSense;
use repertoire_mind::{Mind, Places};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::Tally;
use serde_json::json;

use crate::shard::file::checksum;
use crate::shard::{self, Sharded, What};
use crate::signature::habits::Measure;
use crate::signature::{AngleCounts, Moment, Signature};

/// The native bots that every teacher and pupil meets, by level.
pub const OPPONENTS: [u8; 3] = [3, 3, 1];

/// Powers of attention that are tried.
pub const POWERS: [f64; 5] = [1.0, 1.25, 1.5, 2.0, 3.0];

/// Matches with each.
const TRIALS: u32 = 4;

/// How far two recordings of one person are apart, in each of the three signatures (people in Unreal Tournament 2004).
const PEOPLE_DEG: [f64; 3] = [4.5, 0.9, 1.3];
/// The least variation that is ascribed to a teacher.
const LEAST_DEG: f64 = 0.1;

/// How a teacher moves.
#[derive(Clone, Debug)]
pub struct Teacher {
    moves: Signature,
    /// The teacher's own variation between sessions, in each of the three signatures; smaller differences are noise.
    variation_deg: [f64; 3],
}

impl Teacher {
    /// From where the teacher was, a list for each recording; none if it never moved. Stretches as long as a match are compared
    /// with each other; where there are not two, the teacher is taken to vary as much as people do.
    pub fn of(recordings: &[Vec<Moment>], match_secs: f64) -> Option<Self> {
        let signature = |parts: &mut dyn Iterator<Item = &[Moment]>| {
            let mut counts = AngleCounts::new(Measure::in_units(1.0).standing);
            parts.for_each(|moments| counts.add(moments));
            counts.signature()
        };
        let moves = signature(&mut recordings.iter().map(Vec::as_slice))?;
        let pieces =
            recordings.iter().flat_map(|moments| moments.chunks_exact(ticks(match_secs).max(1) as usize));
        let pieces: Vec<Signature> =
            pieces.filter_map(|piece| signature(&mut std::iter::once(piece))).collect();
        let mut variation_deg = PEOPLE_DEG;
        if pieces.len() > 1 {
            let mut sums = [0.0; 3];
            let pairs =
                pieces.iter().enumerate().flat_map(|(k, one)| pieces[..k].iter().map(move |two| (one, two)));
            for (one, two) in pairs {
                sums.iter_mut().zip(one.distances_deg(two)).for_each(|(sum, apart)| *sum += apart);
            }
            let pairs = (pieces.len() * (pieces.len() - 1) / 2) as f64;
            variation_deg = sums.map(|sum| (sum / pairs).max(LEAST_DEG));
        }
        Some(Teacher { moves, variation_deg })
    }

    /// How differently somebody moves, in units of the teacher's own variation; infinitely if they never moved.
    fn apart(&self, counts: &AngleCounts) -> f64 {
        let apart = |own: Signature| {
            let apart = own.distances_deg(&self.moves);
            apart.iter().zip(self.variation_deg).map(|(apart, variation)| apart / variation).sum()
        };
        counts.signature().map_or(f64::INFINITY, apart)
    }
}

/// Watches how somebody moves: a list of moments for each recording and player.
#[derive(Clone, Debug, Default)]
pub struct Moves(pub Vec<Vec<Moment>>);

impl Watch for Moves {
    fn begin(&mut self) {
        self.0.push(Vec::new());
    }

    fn see(&mut self, seen: Seen<'_>, _: &Places) {
        if let Some(moments) = self.0.last_mut() {
            moments.push(Moment::of(seen.percept));
        }
    }
}

/// Makes a mind, afresh for each match.
pub type Make = Arc<dyn Fn() -> Box<dyn Mind> + Send + Sync>;

/// Where and for how long to play.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Where.
    pub level: Arc<Level>,
    /// How long each match lasts, in seconds of the game.
    pub match_secs: f64,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

impl Practice {
    /// A match of somebody against [`OPPONENTS`].
    pub fn game(&self, make: &Make, number: u64) -> Match {
        let natives = OPPONENTS.map(|level| Box::new(Fighter::native(level)) as Box<dyn Mind>);
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
        teacher: &Teacher,
        told: &(dyn Fn(&str) + Sync),
    ) -> Result<Sharpness, CannotSense> {
        let mut search = Search::new(learned, teacher);
        while let Some(trials) = search.trials(self) {
            trials.words.iter().for_each(|words| told(words));
            search.judge(&shard::run_all(&trials, &|| ())?);
        }
        Ok(search.best.sharpness)
    }
}

/// Practice step by step: trials to play, anywhere and in any order, and what follows from them. In the first step the character
/// plays as it is, then with each power of attention for one group of actions after the other.
#[derive(Clone, Debug)]
pub struct Search {
    best: Learned,
    least: f64,
    teacher: Teacher,
    /// The groups that are still to be practised.
    groups: Vec<usize>,
    /// What is tried now.
    tried: Vec<Sharpness>,
    is_begun: bool,
}

impl Search {
    /// Nothing was tried yet.
    pub fn new(learned: &Learned, teacher: &Teacher) -> Self {
        let mut best = learned.clone();
        let levels = learned.model.layout().shape().groups.clone();
        best.sharpness.groups = (0..levels.len()).map(|group| best.sharpness.of_group(group)).collect();
        let groups = (0..levels.len()).rev().filter(|&group| levels[group] == Stimuli::Low).collect();
        let teacher = teacher.clone();
        Search { best, least: f64::INFINITY, teacher, groups, tried: Vec::new(), is_begun: false }
    }

    /// The trials of the next step; none if all was tried.
    pub fn trials(&mut self, practice: &Practice) -> Option<Trials> {
        let (sharpness, words) = if self.is_begun {
            let group = self.groups.pop()?;
            let (name, now) = (&self.best.model.groups()[group], self.best.sharpness.of_group(group));
            let other = POWERS.into_iter().filter(|&power| power != now).map(|power| {
                let mut sharpness = self.best.sharpness.clone();
                sharpness.groups[group] = power;
                (sharpness, format!("practises {name} with attention to the power of {power}"))
            });
            other.unzip()
        } else {
            (vec![self.best.sharpness.clone()], vec!["plays as it is".to_owned()])
        };
        self.is_begun = true;
        self.tried = sharpness.clone();
        Some(Trials { practice: practice.clone(), learned: self.best.clone(), sharpness, words })
    }

    /// Takes the best of what was tried, if it is better than what was known.
    pub fn judge(&mut self, moved: &[AngleCounts]) {
        for (sharpness, counts) in std::mem::take(&mut self.tried).into_iter().zip(moved) {
            let apart = self.teacher.apart(counts);
            // The first to play as it is sets what is to be beaten, even if it never moved.
            if apart < self.least {
                (self.best.sharpness, self.least) = (sharpness, apart);
            }
        }
    }

    /// How sharply the best so far attends.
    pub fn best(&self) -> &Sharpness {
        &self.best.sharpness
    }
}

/// Trial matches of one character with several sharpnesses: long work whose pieces are matches.
#[derive(Clone, Debug)]
pub struct Trials {
    /// Where and for how long.
    pub practice: Practice,
    /// Who plays.
    pub learned: Learned,
    /// How sharply.
    pub sharpness: Vec<Sharpness>,
    /// What each is, in words.
    pub words: Vec<String>,
}

impl Sharded for Trials {
    type Piece = AngleCounts;
    type Whole = Vec<AngleCounts>;
    type Refused = CannotSense;

    fn what(&self) -> What {
        let map = [("practice".to_owned(), Arc::clone(&self.practice.level))];
        // How sharply it attends by itself is not played: the driver's best so far is the worker's file all the same.
        let mut plain = self.learned.clone();
        plain.sharpness = Sharpness::default();
        What {
            kind: "practice".into(),
            seed: self.practice.seed,
            settings: json!({ "map": shard::maps(&map), "match_secs": self.practice.match_secs,
                "character": checksum(&plain.to_bytes()), "sharpness": self.sharpness }),
            total: self.sharpness.len() as u64 * u64::from(TRIALS),
        }
    }

    fn piece(&self, number: u64) -> Result<AngleCounts, CannotSense> {
        let (which, number) = ((number / u64::from(TRIALS)) as usize, number % u64::from(TRIALS));
        let mut learned = self.learned.clone();
        learned.sharpness = self.sharpness[which].clone();
        let mut counts = AngleCounts::new(Measure::in_units(1.0).standing);
        let matches = self.practice.play(&player(&learned)?, number, 1);
        matches.iter().for_each(|(_, moments)| counts.add(moments));
        Ok(counts)
    }

    /// Sums of whole numbers.
    fn whole(&self, pieces: Vec<(u64, AngleCounts)>) -> Result<Vec<AngleCounts>, CannotSense> {
        let mut all = vec![AngleCounts::new(Measure::in_units(1.0).standing); self.sharpness.len()];
        pieces.iter().for_each(|(number, counts)| all[(number / u64::from(TRIALS)) as usize].merge(counts));
        Ok(all)
    }
}

/// A character that plays what was learned.
pub fn player(learned: &Learned) -> Result<Make, CannotSense> {
    let taught = Arc::new(Taught::new(learned.clone())?);
    Ok(Arc::new(move || Box::new(Fighter::imitating(&taught))))
}

/// How many decisions a number of seconds of the game has.
pub(crate) fn ticks(secs: f64) -> u32 {
    (secs / Rules::default().period_secs()).round() as u32
}

#[cfg(test)]
mod tests {
    use repertoire_chameleon::{EmSettings, model};
    use repertoire_mind::chameleon::{ImitationSettings, Imitator};
    use repertoire_worlds::arena::map::{file, shipped::shipped};

    use super::*;
    use crate::lesson::show_live;

    fn practice() -> Practice {
        let map = file::read(shipped("yard").expect("it ships")).expect("it is a map").map;
        Practice { level: Arc::new(Level::new(map).expect("it can be played")), match_secs: 20.0, seed: 3 }
    }

    /// A character that learned a little from a native bot, and what that bot did.
    fn pupil(practice: &Practice) -> (Learned, Moves) {
        let model = model::shipped("arena").expect("it ships").with_decisions(2).expect("two will do");
        let em = EmSettings { iterations: 3, starts: 1, ..EmSettings::default() };
        let settings = ImitationSettings { em, ..ImitationSettings::default() };
        let imitator = Imitator::new(&model, settings).expect("characters have its words");
        let mut both = (imitator, Moves::default());
        let bot: Make = Arc::new(|| Box::new(Fighter::native(5)));
        let minute = Practice { match_secs: 60.0, ..practice.clone() };
        show_live(&minute, &bot, 0, &mut both, &|| ());
        (both.0.finish(&|_| ()).expect("there is play").learned, both.1)
    }

    #[test]
    fn practice_brings_a_pupil_nearer_and_threads_do_not_matter() {
        let practice = practice();
        let (mut learned, moves) = pupil(&practice);
        let teacher = Teacher::of(&moves.0, 20.0).expect("it moved");
        let apart = |learned: &Learned| {
            let trials = Search::new(learned, &teacher).trials(&practice).expect("it begins as it is");
            teacher.apart(&shard::run_all(&trials, &|| ()).expect("it plays")[0])
        };
        let before = apart(&learned);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| practice.sharpness(&learned, &teacher, &|_| ())).expect("it plays")
        };
        let found = on(1);
        assert_eq!(found, on(3));
        learned.sharpness = found;
        let after = apart(&learned);
        assert!(after <= before, "{after} after {before}");
    }

    #[test]
    fn a_teachers_variation_is_how_far_its_sessions_are_apart() {
        // Runs east for 10 s facing north, the second time facing east.
        let run = |yaw_deg: f64, life: u32| {
            let at = move |k: u32| Moment {
                secs: f64::from(k) / 10.0,
                at: [f64::from(k), 0.0, 0.0],
                yaw_deg,
                life,
            };
            (0..100).map(at).collect::<Vec<_>>()
        };
        let both = Teacher::of(&[run(90.0, 0), run(0.0, 0)], 10.0).expect("it moved");
        let [velocity_to_facing, facing, velocity] = both.variation_deg;
        assert!((velocity_to_facing - 90.0).abs() < 1e-9);
        assert_eq!([facing, velocity], [LEAST_DEG; 2]);
        let once = Teacher::of(&[run(0.0, 0)], 10.0).expect("it moved");
        assert_eq!(once.variation_deg, PEOPLE_DEG, "nothing to compare with");
        let standing = vec![Moment { secs: 0.0, at: [0.0; 3], yaw_deg: 0.0, life: 0 }; 5];
        assert!(Teacher::of(&[standing], 10.0).is_none());
    }
}
