//! Trackers on recorded play: how well they know where unseen enemies are.
//!
//! Each second a side sees an enemy if the place of any living member sees the enemy's. For every living enemy that is not
//! seen each tracker gives a distribution over places. Enemies are told apart; their places are known until the round goes
//! live.

use std::sync::atomic::{AtomicU64, Ordering};

use repertoire_belief::evaluate::{Record, Sight, score_round, score_round_with};
use repertoire_belief::model::FitSettings;
use repertoire_belief::play::{Play, Situation};
use repertoire_belief::senses::Senses;
use repertoire_belief::tracker::{Evidence, Quarry, Tracker};
use repertoire_belief::{Distances, Fitted, Model};
use repertoire_prob::Stream;
use repertoire_trace::nav::Ground;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::evidence::{self, Gain, Sense};
use super::trackers::{self, TrackerKind};
use super::{BeliefError, check_play};
use crate::shard::file::checksum;
use crate::shard::{self, Sharded, What};

/// What to measure, and how.
#[derive(Clone, Copy, Debug)]
pub struct Experiment<'a> {
    /// Which trackers.
    pub trackers: &'a [TrackerKind],
    /// Which places see which.
    pub sight: &'a Sight,
    /// The play they are measured on.
    pub play: &'a Play,
    /// The seed of particles and of resampling.
    pub seed: u64,
    /// Evidence beside sight whose worth is measured; only where each round is left out, since it is learned from the others.
    pub evidence: &'a [Sense],
    /// Nanoseconds of some clock, to time updates with; libraries have none. Without it updates take 0.
    pub clock: Option<fn() -> u64>,
}

/// Everything measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The map's name; may be empty.
    pub map: String,
    /// How many rounds of play there are.
    pub rounds: usize,
    /// Whether each round was measured with a model learned from all the others.
    pub leave_one_out: bool,
    /// Beliefs that were measured: living enemies not seen, over all seconds.
    pub beliefs: usize,
    /// How fast people run, in the map's units a second.
    pub run_speed: f64,
    /// The trackers, in the order asked for.
    pub trackers: Vec<Row>,
    /// What evidence beside sight gained, if it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Gain>,
}

/// One tracker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub tracker: &'static str,
    /// Whether it knows who the enemy is.
    pub identity: bool,
    /// Over all beliefs.
    #[serde(flatten)]
    pub all: Measured,
    /// In recordings of one player: when enemies came back into view, and while they were sent but out of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<[Measured; 2]>,
    /// By seconds since the enemy was last seen.
    pub by_unseen_secs: Vec<Bucket>,
    /// Time of one update, in microseconds, if a clock was lent; the only number that depends on the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_us: Option<f64>,
}

/// Beliefs about enemies who were last seen within this span of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bucket {
    /// Seconds, from.
    pub from: u32,
    /// Seconds, up to and with; none for the last.
    pub to: Option<u32>,
    /// How good they were.
    #[serde(flatten)]
    pub measured: Measured,
}

/// How good beliefs were, with 95 % intervals (`low` to `high`) by resampling rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "each trio is a mean and its interval; the first of each says what of")]
pub struct Measured {
    /// How many beliefs.
    pub beliefs: usize,
    /// From the guess of least expected distance to the truth, along the map, in its units.
    pub distance_expected: f64,
    pub distance_expected_low: f64,
    pub distance_expected_high: f64,
    /// The same in seconds of running.
    pub seconds_expected: f64,
    /// From the most probable place to the truth.
    pub distance_mode: f64,
    pub distance_mode_low: f64,
    pub distance_mode_high: f64,
    /// The same in seconds of running.
    pub seconds_mode: f64,
    /// `-ln` of the probability of the true place, in nats.
    pub log_loss: f64,
    pub log_loss_low: f64,
    pub log_loss_high: f64,
    /// How often the truth lies in the smallest set with half of the belief.
    pub in_50: f64,
    pub in_50_low: f64,
    pub in_50_high: f64,
    /// The same with nine tenths.
    pub in_90: f64,
    pub in_90_low: f64,
    pub in_90_high: f64,
}

/// Seconds since last seen: from, and up to.
const BUCKETS: [(u32, Option<u32>); 5] =
    [(0, Some(2)), (3, Some(5)), (6, Some(10)), (11, Some(20)), (21, None)];

/// How often rounds are drawn again for an interval.
const RESAMPLES: usize = 1000;

/// Measures trackers with a model; `done` is called after each round.
///
/// # Errors
/// When play or sight are of another map than the model, the model has no sound tables, or nobody is ever hidden.
pub fn with_model(
    model: Model,
    experiment: &Experiment<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Report, BeliefError> {
    shard::run_all(&Rounds::with_model(model, *experiment)?, done)
}

/// Measures each round with a model learned from all the others; `done` is called after each round.
///
/// # Errors
/// As [`with_model`], and when there is one round only.
pub fn leave_one_out(
    ground: &Ground,
    experiment: &Experiment<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Report, BeliefError> {
    shard::run_all(&Rounds::leave_one_out(ground, *experiment)?, done)
}

/// The rounds of recorded play as pieces of long work: in each of them all trackers are measured.
pub struct Rounds<'a> {
    experiment: Experiment<'a>,
    map: String,
    run_speed: f64,
    knows: Knows<'a>,
}

enum Knows<'a> {
    /// One model for all rounds.
    Model(Box<Fitted>),
    /// For each round a model of all the others.
    Others { ground: &'a Ground, distances: Distances, settings: FitSettings },
}

/// What came of a round, for each tracker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundMeasured(Vec<TrackerMeasured>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TrackerMeasured {
    records: Vec<Record>,
    /// The time of all updates.
    ns: u64,
    updates: u64,
    /// The same with evidence beside sight: how much sounds and wounds counted, and what came of it.
    with: Vec<(f64, f64, Vec<Record>)>,
}

impl<'a> Rounds<'a> {
    /// Measured with one model.
    ///
    /// # Errors
    /// As [`with_model`].
    pub fn with_model(model: Model, experiment: Experiment<'a>) -> Result<Self, BeliefError> {
        check_play(experiment.play, experiment.sight, model.places.len())?;
        let (map, run_speed) = (model.map.clone(), model.settings.run_speed);
        Ok(Rounds { experiment, map, run_speed, knows: Knows::Model(Box::new(Fitted::new(model)?)) })
    }

    /// Each measured with a model of all the others.
    ///
    /// # Errors
    /// As [`leave_one_out`].
    pub fn leave_one_out(ground: &'a Ground, experiment: Experiment<'a>) -> Result<Self, BeliefError> {
        check_play(experiment.play, experiment.sight, ground.places.len())?;
        if experiment.play.rounds.len() < 2 {
            return Err(BeliefError::OneRound);
        }
        let distances = ground.places.distances();
        let mut settings = FitSettings::default();
        settings.run_speed = ground.run_speed.unwrap_or(settings.run_speed);
        let (map, run_speed) = (ground.map.clone(), settings.run_speed);
        Ok(Rounds { experiment, map, run_speed, knows: Knows::Others { ground, distances, settings } })
    }

    fn measure(&self, fitted: &Fitted, round: usize) -> RoundMeasured {
        let ways = trackers::ways(fitted);
        let one = |kind: &TrackerKind| {
            let make = || kind.make(fitted, &ways, self.experiment.seed);
            timed_round(fitted, &self.experiment, round, &make)
        };
        RoundMeasured(self.experiment.trackers.iter().map(one).collect())
    }

    /// Adds what comes of a round with evidence beside sight, learned from the others.
    fn measure_evidence(
        &self,
        measured: &mut RoundMeasured,
        fitted: &Fitted,
        ground: &Ground,
        settings: FitSettings,
        others: &Play,
        round: usize,
    ) -> Result<(), BeliefError> {
        let (experiment, distances) = (&self.experiment, &fitted.distances);
        let variants = evidence::variants(experiment.evidence);
        if variants.is_empty() {
            return Ok(());
        }
        let ways = trackers::ways(fitted);
        for (&kind, measured) in experiment.trackers.iter().zip(&mut measured.0) {
            let (sight, seed) = (experiment.sight, experiment.seed);
            let all = evidence::learn(ground, distances, settings, sight, others, kind, seed)?;
            for &(_, sound, health) in &variants {
                let senses = Senses {
                    sound: if sound { all.sound } else { 0.0 },
                    health: if health { all.health } else { 0.0 },
                    ..all.clone()
                };
                let mut make = || kind.make(fitted, &ways, seed);
                let (model, play) = (&fitted.model, experiment.play);
                let records = score_round_with(model, distances, sight, play, round, &senses, &mut make);
                measured.with.push((senses.sound, senses.health, records));
            }
        }
        Ok(())
    }
}

impl Sharded for Rounds<'_> {
    type Piece = RoundMeasured;
    type Whole = Report;
    type Refused = BeliefError;

    fn what(&self) -> What {
        let names: Vec<&str> = self.experiment.trackers.iter().map(|kind| kind.text()).collect();
        What {
            kind: "belief evaluate".into(),
            seed: self.experiment.seed,
            settings: json!({ "map": self.map, "run_speed": self.run_speed, "trackers": names,
                "evidence": variants_text(self.experiment.evidence),
                "leave_one_out": matches!(self.knows, Knows::Others { .. }),
                "play": checksum(format!("{:?}", self.experiment.play).as_bytes()) }),
            total: self.experiment.play.rounds.len() as u64,
        }
    }

    fn piece(&self, number: u64) -> Result<RoundMeasured, BeliefError> {
        let round = number as usize;
        match &self.knows {
            Knows::Model(fitted) => Ok(self.measure(fitted, round)),
            Knows::Others { ground, distances, settings } => {
                let mut others = self.experiment.play.clone();
                others.rounds.remove(round);
                let settings = FitSettings { regions: FitSettings::for_play(&others).regions, ..*settings };
                let model =
                    Model::fit_with(&ground.map, ground.places.clone(), distances, &others, settings)?;
                let fitted = Fitted::with_distances(model, distances.clone())?;
                let mut measured = self.measure(&fitted, round);
                self.measure_evidence(&mut measured, &fitted, ground, settings, &others, round)?;
                Ok(measured)
            }
        }
    }

    /// Records in the order of rounds; means and intervals are taken over all of them.
    fn whole(&self, pieces: Vec<(u64, RoundMeasured)>) -> Result<Report, BeliefError> {
        let none = TrackerMeasured { records: Vec::new(), ns: 0, updates: 0, with: Vec::new() };
        let mut all = vec![none; self.experiment.trackers.len()];
        let variants = evidence::variants(self.experiment.evidence);
        let mut with = vec![vec![(Vec::new(), Vec::new()); variants.len()]; all.len()];
        for (_, RoundMeasured(trackers)) in pieces {
            for ((sum, with), one) in all.iter_mut().zip(&mut with).zip(trackers) {
                for ((used, records), (sound, health, more)) in with.iter_mut().zip(one.with) {
                    used.push((sound, health));
                    records.extend(more);
                }
                sum.records.extend(one.records);
                sum.ns += one.ns;
                sum.updates += one.updates;
            }
        }
        let (rounds, seed) = (self.experiment.play.rounds.len(), self.experiment.seed);
        let mut gains = Vec::new();
        for ((kind, base), with) in self.experiment.trackers.iter().zip(&all).zip(&with) {
            for ((used, records), &(name, ..)) in with.iter().zip(&variants) {
                gains.push(evidence::gain(kind.text(), name, &base.records, records, used, rounds, seed));
            }
        }
        let mean_us = |one: &TrackerMeasured| one.ns as f64 / one.updates.max(1) as f64 / 1000.0;
        let records =
            all.into_iter().map(|one| (mean_us(&one), one)).map(|(us, one)| (one.records, us)).collect();
        let leave_one_out = matches!(self.knows, Knows::Others { .. });
        let report = report(self.map.clone(), leave_one_out, self.run_speed, &self.experiment, records)?;
        Ok(Report { evidence: gains, ..report })
    }
}

fn variants_text(asked: &[Sense]) -> Vec<&'static str> {
    evidence::variants(asked).into_iter().map(|(name, ..)| name).collect()
}

fn report(
    map: String,
    leave_one_out: bool,
    run_speed: f64,
    experiment: &Experiment<'_>,
    records: Vec<(Vec<Record>, f64)>,
) -> Result<Report, BeliefError> {
    let (rounds, seed) = (experiment.play.rounds.len(), experiment.seed);
    let beliefs = records.first().map_or(0, |(records, _)| records.len());
    if beliefs == 0 {
        return Err(BeliefError::NobodyHidden);
    }
    let rows = experiment.trackers.iter().zip(&records).map(|(kind, (records, update_us))| Row {
        tracker: kind.text(),
        identity: kind.uses_identity(),
        all: measure(records, rounds, run_speed, seed, |_| true),
        recorded: records.iter().any(|record| record.returns).then(|| {
            [true, false]
                .map(|returns| measure(records, rounds, run_speed, seed, |record| record.returns == returns))
        }),
        by_unseen_secs: BUCKETS
            .iter()
            .map(|&(from, to)| Bucket {
                from,
                to,
                measured: measure(records, rounds, run_speed, seed, |record| {
                    let secs = record.unseen_secs.round() as u32;
                    secs >= from && to.is_none_or(|to| secs <= to)
                }),
            })
            .collect(),
        update_us: experiment.clock.map(|_| *update_us),
    });
    let trackers = rows.collect();
    Ok(Report { map, rounds, leave_one_out, beliefs, run_speed, trackers, evidence: Vec::new() })
}

/// A tracker whose updates are timed.
struct Timed<'a> {
    tracker: Box<dyn Tracker + 'a>,
    clock: Option<fn() -> u64>,
    spent: &'a AtomicU64,
    updates: &'a AtomicU64,
}

impl Tracker for Timed<'_> {
    fn begin(&mut self, quarry: Quarry, situation: Situation, place: usize) {
        self.tracker.begin(quarry, situation, place);
    }

    fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        self.tracker.mates_seen(situation, places);
    }

    fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        let start = self.clock.map_or(0, |now| now());
        self.tracker.step(situation, evidence);
        let end = self.clock.map_or(0, |now| now());
        self.spent.fetch_add(end.saturating_sub(start), Ordering::Relaxed);
        self.updates.fetch_add(1, Ordering::Relaxed);
    }

    fn belief(&self, into: &mut [f64]) {
        self.tracker.belief(into);
    }
}

fn timed_round<'a>(
    fitted: &Fitted,
    experiment: &Experiment<'_>,
    round: usize,
    make: &dyn Fn() -> Box<dyn Tracker + 'a>,
) -> TrackerMeasured {
    let (spent, updates, clock) = (AtomicU64::new(0), AtomicU64::new(0), experiment.clock);
    let records = {
        let mut timed = || {
            let timed = Timed { tracker: make(), clock, spent: &spent, updates: &updates };
            Box::new(timed) as Box<dyn Tracker + '_>
        };
        score_round(&fitted.model, &fitted.distances, experiment.sight, experiment.play, round, &mut timed)
    };
    TrackerMeasured { records, ns: spent.into_inner(), updates: updates.into_inner(), with: Vec::new() }
}

/// Sums over one round.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    of: [f64; 5],
}

fn measure(
    records: &[Record],
    rounds: usize,
    run_speed: f64,
    seed: u64,
    is_meant: impl Fn(&Record) -> bool,
) -> Measured {
    let mut sums = vec![Sums::default(); rounds];
    for record in records.iter().filter(|record| is_meant(record)) {
        let sum = &mut sums[record.round];
        let score = &record.score;
        sum.count += 1.0;
        let values = [
            score.expected_distance,
            score.mode_distance,
            score.log_loss,
            f64::from(u8::from(score.in_50)),
            f64::from(u8::from(score.in_90)),
        ];
        sum.of.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let means = |drawn: &mut dyn Iterator<Item = usize>| {
        let mut all = Sums::default();
        for round in drawn {
            all.count += sums[round].count;
            all.of.iter_mut().zip(sums[round].of).for_each(|(sum, value)| *sum += value);
        }
        all.of.map(|sum| if all.count > 0.0 { sum / all.count } else { 0.0 })
    };
    let mean = means(&mut (0..rounds));
    let mut rng = Stream::new(seed, 0, "belief resampling");
    let mut drawn: [Vec<f64>; 5] = Default::default();
    for _ in 0..RESAMPLES {
        let again = means(&mut (0..rounds).map(|_| (rng.unit() * rounds as f64) as usize));
        drawn.iter_mut().zip(again).for_each(|(drawn, value)| drawn.push(value));
    }
    let ends = |k: usize| {
        let mut sorted = drawn[k].clone();
        sorted.sort_unstable_by(f64::total_cmp);
        (sorted[RESAMPLES / 40], sorted[RESAMPLES - 1 - RESAMPLES / 40])
    };
    let [expected, mode, loss, in_50, in_90] = [ends(0), ends(1), ends(2), ends(3), ends(4)];
    Measured {
        beliefs: sums.iter().map(|sum| sum.count as usize).sum(),
        distance_expected: mean[0],
        distance_expected_low: expected.0,
        distance_expected_high: expected.1,
        seconds_expected: mean[0] / run_speed,
        distance_mode: mean[1],
        distance_mode_low: mode.0,
        distance_mode_high: mode.1,
        seconds_mode: mean[1] / run_speed,
        log_loss: mean[2],
        log_loss_low: loss.0,
        log_loss_high: loss.1,
        in_50: mean[3],
        in_50_low: in_50.0,
        in_50_high: in_50.1,
        in_90: mean[4],
        in_90_low: in_90.0,
        in_90_high: in_90.1,
    }
}
