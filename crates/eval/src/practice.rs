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

    /// How differently a character moves from its teacher, in units of the teacher's own variation.
    fn apart(&self, learned: &Learned, teacher: &Teacher) -> Result<f64, CannotSense> {
        let mut counts = AngleCounts::new(Measure::in_units(1.0).standing);
        let matches = self.play(&player(learned)?, 0, TRIALS);
        matches.iter().for_each(|(_, moments)| counts.add(moments));
        let apart = |own: Signature| {
            let apart = own.distances_deg(&teacher.moves);
            apart.iter().zip(teacher.variation_deg).map(|(apart, variation)| apart / variation).sum()
        };
        Ok(counts.signature().map_or(f64::INFINITY, apart))
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
        let before = practice.apart(&learned, &teacher).expect("it plays");
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| practice.sharpness(&learned, &teacher, &|_| ())).expect("it plays")
        };
        let found = on(1);
        assert_eq!(found, on(3));
        learned.sharpness = found;
        let after = practice.apart(&learned, &teacher).expect("it plays");
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
