//! Habits and reference values of people, each person alone and all together.

use std::collections::BTreeMap;

use repertoire_trace::movement::{Moment, of_play};
use repertoire_trace::play::Play;
use repertoire_worlds::quake::Bsp;
use serde::Serialize;

use super::fights::{FightFigures, Fights};
use super::series::{PERIOD_SECS, Series, persons};
use super::views::{ViewFigures, Views};
use crate::signature::habits::{Habits, Measure, Tally};
use crate::signature::{AngleCounts, sampled};

/// What one person, or all, do.
#[derive(Clone, Debug, Serialize)]
pub struct PersonFigures {
    /// The person's name.
    pub name: String,
    /// Matches and maps.
    pub matches: Vec<String>,
    /// Minutes alive.
    pub minutes: f64,
    /// Still views and bursts of turning, at 20 Hz.
    pub views: ViewFigures,
    /// Habits of movement, at 10 Hz.
    pub habits: Habits,
    /// Shares of time with the side key and the back key held; `None` where keys are not recorded.
    pub side_key: Option<f64>,
    /// Share of time with the back key held.
    pub back_key: Option<f64>,
    /// Presses of the jump key per minute.
    pub jump_keys_per_minute: Option<f64>,
    /// Share of time with the fire button held (or just after a shot, where the button is not recorded).
    pub firing: f64,
    /// Distance of even minutes from odd ones by signature, in degrees; see [`crate::signature`].
    pub alternate_minutes_deg: Option<[f64; 3]>,
    /// Aiming, reacting, searching.
    pub fights: FightFigures,
}

/// All that was found.
#[derive(Clone, Debug, Serialize)]
pub struct PeopleReport {
    /// All together.
    pub all: PersonFigures,
    /// Each person.
    pub people: Vec<PersonFigures>,
    /// Maps that were not given, so that nothing is said of who saw whom there.
    pub missing_maps: Vec<String>,
}

#[derive(Clone, Debug, Default)]
struct Sums {
    matches: Vec<String>,
    tally: Tally,
    views: Views,
    halves: Option<[AngleCounts; 2]>,
    samples: usize,
    with_keys: usize,
    side: usize,
    back: usize,
    presses: usize,
    firing: usize,
    fights: Fights,
}

impl Sums {
    fn add(&mut self, play: &Play, map: Option<&Bsp>, player: u16) {
        self.matches.push(format!("{} {}", play.session, play.map));
        let series = Series::of(play, map, player);
        self.views.add(&series.samples);
        let mut held = false;
        for sample in &series.samples {
            let Some(sample) = sample else {
                held = false;
                continue;
            };
            self.samples += 1;
            self.firing += usize::from(sample.fires);
            if series.has_keys {
                self.with_keys += 1;
                self.side += usize::from(sample.keys.side != 0);
                self.back += usize::from(sample.keys.forward < 0);
                self.presses += usize::from(sample.keys.is_jumping() && !held);
                held = sample.keys.is_jumping();
            }
        }
        self.fights.add(&series);
        let name = &play.players[usize::from(player)].name;
        let Some(own) = of_play(play).into_iter().find(|one| one.player == *name) else { return };
        let Some(moments) = sampled(&own.moments) else { return };
        // A view and a velocity as the people's reference has them: below 30 Quake units per second is standing.
        let standing = 30.0 / 32.0 * play.units_per_metre;
        let measure = Measure { standing, stopped: standing, gravity: 25.0 * play.units_per_metre };
        self.tally.add(&moments, measure);
        let halves =
            self.halves.get_or_insert_with(|| [AngleCounts::new(standing), AngleCounts::new(standing)]);
        for (half, counts) in halves.iter_mut().enumerate() {
            let is_own = |moment: &Moment| (moment.secs / 60.0) as usize % 2 == half;
            counts.add(&moments.iter().filter(|moment| is_own(moment)).copied().collect::<Vec<_>>());
        }
    }

    fn merge(&mut self, other: &Sums) {
        self.matches.extend(other.matches.iter().cloned());
        self.tally.merge(&other.tally);
        self.views.merge(&other.views);
        self.samples += other.samples;
        self.with_keys += other.with_keys;
        self.side += other.side;
        self.back += other.back;
        self.presses += other.presses;
        self.firing += other.firing;
        self.fights.merge(&other.fights);
    }

    fn figures(&self, name: &str) -> PersonFigures {
        let minutes = self.samples as f64 * PERIOD_SECS / 60.0;
        let share = |part: usize| (self.with_keys > 0).then(|| part as f64 / self.with_keys as f64);
        let distance = self
            .halves
            .as_ref()
            .and_then(|[even, odd]| Some(even.signature()?.distances_deg(&odd.signature()?)));
        PersonFigures {
            name: name.to_owned(),
            matches: self.matches.clone(),
            minutes,
            views: self.views.figures(),
            habits: self.tally.habits(),
            side_key: share(self.side),
            back_key: share(self.back),
            jump_keys_per_minute: share(self.presses).map(|share| share * 60.0 / PERIOD_SECS),
            firing: self.firing as f64 / self.samples.max(1) as f64,
            alternate_minutes_deg: distance,
            fights: self.fights.figures(),
        }
    }
}

/// Counts what people do in some matches. `maps` are the maps they were played on, by name; what needs lines of sight is left out
/// where a map is missing.
pub fn people(plays: &[Play], maps: &BTreeMap<String, Bsp>) -> PeopleReport {
    let mut persons_of: BTreeMap<String, Sums> = BTreeMap::new();
    let mut missing_maps: Vec<String> = Vec::new();
    for play in plays {
        let map = maps.get(&play.map);
        if map.is_none() && !missing_maps.contains(&play.map) {
            missing_maps.push(play.map.clone());
        }
        for player in persons(play) {
            let name = &play.players[usize::from(player)].name;
            let mut sums = Sums::default();
            sums.add(play, map, player);
            if sums.samples > 0 {
                let own = persons_of.entry(name.clone()).or_default();
                own.merge(&sums);
                match (&mut own.halves, sums.halves) {
                    (Some(own), Some(new)) => own.iter_mut().zip(&new).for_each(|(own, new)| own.merge(new)),
                    (own, new) => *own = own.take().or(new),
                }
            }
        }
    }
    let mut all = Sums::default();
    persons_of.values().for_each(|one| all.merge(one));
    let people = persons_of.iter().map(|(name, sums)| sums.figures(name)).collect();
    PeopleReport { all: all.figures("all"), people, missing_maps }
}
