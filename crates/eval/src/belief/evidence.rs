//! What sounds and wounds are worth as evidence, beside sight.
//!
//! How much each counts is chosen on the rounds that are learned from: these are divided into three, each part is tracked with a model
//! of the other two, and the sharpness with the least log-loss is taken. 0 is among the choices. Nothing of the round that is
//! measured enters.

use std::str::FromStr;

use repertoire_belief::evaluate::{Record, Sight, score_round_with};
use repertoire_belief::model::FitSettings;
use repertoire_belief::play::Play;
use repertoire_belief::senses::{Senses, hurt_places};
use repertoire_belief::{Distances, Fitted, Model};
use repertoire_prob::Stream;
use repertoire_trace::nav::Ground;
use serde::Serialize;

use super::BeliefError;
use super::trackers::{self, TrackerKind};

/// How far a sound is heard, in metres: Quake's sounds fade to nothing over 1,000 units.
const RANGE_M: f64 = 31.25;
/// Into how many parts the rounds that are learned from are divided.
const PARTS: usize = 3;
/// What is tried for sounds and for wounds.
const SOUND: [f64; 5] = [0.0, 0.1, 0.25, 0.5, 1.0];
const HEALTH: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

/// A kind of evidence beside sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Shots, items and other sounds of players, heard with errors.
    Sound,
    /// Whom the side hurt.
    Health,
}

impl FromStr for Sense {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "sound" => Ok(Sense::Sound),
            "health" => Ok(Sense::Health),
            other => Err(format!(
                "there is no evidence `{other}`; remedy: give sound, health or both: sound,health"
            )),
        }
    }
}

/// What one kind of evidence, or both, gained for one tracker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// The tracker.
    pub tracker: &'static str,
    /// `sound`, `health` or `sound+health`.
    pub evidence: &'static str,
    /// `-ln` of the probability of the true place with it, in nats.
    pub log_loss: f64,
    /// Nats for each belief better than without it, with a 95 % interval by resampling rounds.
    pub better_nats: f64,
    /// Its lower end.
    pub better_low: f64,
    /// Its upper end.
    pub better_high: f64,
    /// The share of beliefs that it changes.
    pub changed: f64,
    /// From the guess of least expected distance to the truth.
    pub distance_expected: f64,
    /// How often the truth lies in the smallest set with nine tenths of the belief.
    pub in_90: f64,
    /// How much sounds counted, on average over rounds, as learned from the others.
    pub sound: f64,
    /// How much wounds counted.
    pub health: f64,
}

/// What is tried beside sight alone: each kind, and both.
pub(super) fn variants(asked: &[Sense]) -> Vec<(&'static str, bool, bool)> {
    let (sound, health) = (asked.contains(&Sense::Sound), asked.contains(&Sense::Health));
    let all = [("sound", true, false), ("health", false, true), ("sound+health", true, true)];
    all.into_iter().filter(|&(_, s, h)| (!s || sound) && (!h || health)).collect()
}

/// Learns how much sounds and wounds count for a tracker, from rounds it is not measured on.
pub(super) fn learn(
    ground: &Ground,
    distances: &Distances,
    settings: FitSettings,
    sight: &Sight,
    play: &Play,
    kind: TrackerKind,
    seed: u64,
) -> Result<Senses, BeliefError> {
    let (mut lost_sound, mut lost_health) = ([0.0; SOUND.len()], [0.0; HEALTH.len()]);
    for part in 0..PARTS.min(play.rounds.len()) {
        let mut others = play.clone();
        let mut number = 0..;
        others.rounds.retain(|_| number.next().is_some_and(|k: usize| k % PARTS != part));
        if others.rounds.is_empty() {
            continue;
        }
        let model = Model::fit_with(&ground.map, ground.places.clone(), distances, &others, settings)?;
        let fitted = Fitted::with_distances(model, distances.clone())?;
        let ways = trackers::ways(&fitted);
        let hurt = hurt_places(&others, &fitted.model.regions);
        let loss = |sound: f64, health: f64| {
            let senses = Senses { sound, health, range: RANGE_M, hurt: hurt.clone(), seed };
            let rounds = (0..play.rounds.len()).filter(|k| k % PARTS == part);
            let mut make = || kind.make(&fitted, &ways, seed);
            let score =
                |k: usize| score_round_with(&fitted.model, distances, sight, play, k, &senses, &mut make);
            rounds.flat_map(score).map(|record| record.score.log_loss).sum::<f64>()
        };
        lost_sound.iter_mut().zip(SOUND).for_each(|(lost, sound)| *lost += loss(sound, 0.0));
        lost_health.iter_mut().zip(HEALTH).for_each(|(lost, health)| *lost += loss(0.0, health));
    }
    let least = |lost: &[f64], tried: &[f64]| {
        let best = (1..lost.len()).fold(0, |best, k| if lost[k] < lost[best] { k } else { best });
        tried[best]
    };
    let regions = Model::fit_with(&ground.map, ground.places.clone(), distances, play, settings)?.regions;
    Ok(Senses {
        sound: least(&lost_sound, &SOUND),
        health: least(&lost_health, &HEALTH),
        range: RANGE_M,
        hurt: hurt_places(play, &regions),
        seed,
    })
}

/// The gain of some evidence over none, of beliefs about the same moments.
pub(super) fn gain(
    tracker: &'static str,
    evidence: &'static str,
    base: &[Record],
    with: &[Record],
    used: &[(f64, f64)],
    rounds: usize,
    seed: u64,
) -> Gain {
    let mut sums = vec![(0.0, 0.0); rounds];
    for (base, with) in base.iter().zip(with) {
        sums[base.round].0 += 1.0;
        sums[base.round].1 += base.score.log_loss - with.score.log_loss;
    }
    let mean = |drawn: &mut dyn Iterator<Item = usize>| {
        let (count, sum) = drawn.fold((0.0, 0.0), |all, k| (all.0 + sums[k].0, all.1 + sums[k].1));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let mut rng = Stream::new(seed, 0, "belief evidence resampling");
    let mut drawn: Vec<f64> =
        (0..1000).map(|_| mean(&mut (0..rounds).map(|_| (rng.unit() * rounds as f64) as usize))).collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let count = with.len().max(1) as f64;
    let over = |of: &dyn Fn(&Record) -> f64| with.iter().map(of).sum::<f64>() / count;
    let changed = base.iter().zip(with).filter(|(a, b)| a.score.log_loss != b.score.log_loss).count();
    let used_mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| used.iter().map(of).sum::<f64>() / used.len().max(1) as f64;
    Gain {
        tracker,
        evidence,
        log_loss: over(&|record| record.score.log_loss),
        better_nats: mean(&mut (0..rounds)),
        better_low: drawn[25],
        better_high: drawn[974],
        changed: changed as f64 / count,
        distance_expected: over(&|record| record.score.expected_distance),
        in_90: over(&|record| f64::from(u8::from(record.score.in_90))),
        sound: used_mean(&|used| used.0),
        health: used_mean(&|used| used.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::evaluate::{Experiment, leave_one_out};
    use repertoire_belief::Graph;
    use repertoire_belief::play::{Moment, Round, Sign, SignKind, Who};

    /// Two long corridors from where somebody stands and listens; the other walks into one of them by chance, and makes a sound
    /// at every other step.
    fn corridors(rounds: u32) -> (Ground, Play, Sight) {
        let places = Graph {
            ids: (0..13).collect(),
            centres: (0..13).map(|s| [f64::from(s) * 3.0 - 18.0, 0.0, 0.0]).collect(),
            links: (0..13).map(|s| if s < 12 { vec![s + 1] } else { vec![] }).collect(),
            names: vec![String::new(); 13],
        };
        let mut rng = Stream::new(5, 0, "test corridors");
        let mut all = Vec::new();
        for round in 0..rounds {
            let way = if rng.unit() < 0.5 { -1i32 } else { 1 };
            let at = |t: i32| (6 + way * t.clamp(0, 6)) as u32;
            let who = |player: u16, place| Who { player, side: player as u8, alive: true, place };
            let moment = |t: i32| Moment {
                secs: f64::from(t),
                live: t > 0,
                planted: false,
                who: vec![who(0, 6), who(1, at(t))],
            };
            let sign =
                |t: i32| Sign { secs: f64::from(t) - 0.1, player: 1, kind: SignKind::Sound { place: at(t) } };
            all.push(Round {
                name: round.to_string(),
                moments: (0..12).map(moment).collect(),
                signs: (1..12).filter(|t| t % 2 == 0).map(sign).collect(),
                is_timeless: true,
                ..Round::default()
            });
        }
        let players = vec!["ear".to_owned(), "walker".to_owned()];
        let play = Play { players: players.clone(), sides: players, rounds: all };
        let sight = Sight { sees: (0..13).map(|s| vec![s]).collect() };
        (Ground { places, map: "corridors".into(), run_speed: Some(3.0), ..Ground::default() }, play, sight)
    }

    #[test]
    fn a_sound_tells_which_corridor_and_wounds_that_nobody_has_tell_nothing() {
        let (ground, play, sight) = corridors(12);
        let asked = [Sense::Sound, Sense::Health];
        let trackers = [TrackerKind::Hmm];
        let experiment = Experiment {
            trackers: &trackers,
            sight: &sight,
            play: &play,
            seed: 1,
            evidence: &asked,
            clock: None,
        };
        let report = leave_one_out(&ground, &experiment, &|| ()).expect("somebody is hidden");
        let [sound, health, both] = &report.evidence[..] else { panic!("{:?}", report.evidence) };
        assert!(sound.better_low > 0.1 && sound.sound > 0.0, "{sound:?}");
        assert_eq!((health.better_nats, health.changed), (0.0, 0.0));
        assert_eq!(both.log_loss, sound.log_loss);
        let again = leave_one_out(&ground, &experiment, &|| ()).expect("the same");
        assert_eq!(report, again);
        assert!("smell".parse::<Sense>().expect_err("no such").contains("remedy"));
    }
}
