//! How like each recorded way the present round is: what recorded ways count when one of them is chosen anew.
//!
//! ```text
//! like(life) = exp(mates(round) + watchers(round) + sightings(life))
//! ```
//! | part        | grows where                                                                                           |
//! |-------------|-------------------------------------------------------------------------------------------------------|
//! | `mates`     | somebody of the opponent's side was, in that round, near where a mate of theirs is seen now            |
//! | `watchers`  | those who look stood, in that round and at that time, where they stand now, and were as many           |
//! | `sightings` | that way was, at that time, near where the opponent is seen                                            |
//!
//! All three compare with the mean over what is recorded, so that what says nothing changes nothing. `watchers` is of this moment,
//! the others are remembered. Where the clock means nothing no moment corresponds to another, and all ways are equally like.
//!
//! Not in the paper. Cost of a step: O(recorded ways · those who look).

use repertoire_prob::num::{exp, ln};

use crate::fitted::{Fitted, aligned_step};
use crate::play::{Situation, per_step};
use crate::tracker::{Evidence, Quarry};

/// How much each part counts. The defaults were chosen by log-loss on rounds left out (de_dust2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikenessSettings {
    /// How much a second's sighting of a mate counts: 0 nothing, 1 all that it can.
    pub mates: f64,
    /// How much a second's sighting of the opponent counts.
    pub sightings: f64,
    /// How much it counts where those who look stand.
    pub watchers: f64,
    /// What one more or fewer of those who look costs, beside where they stand.
    pub heads: f64,
    /// How much of what was seen is remembered a second later.
    pub kept: f64,
    /// What ways of the opponent's mates count beside those of others, where it is known who it is: two seldom play the same part.
    pub rivals: f64,
}

impl Default for LikenessSettings {
    fn default() -> Self {
        LikenessSettings { mates: 1.0, sightings: 1.0, watchers: 1.5, heads: 2.0, kept: 0.99, rivals: 0.3 }
    }
}

/// Two places this many seconds of running apart still count as nearly the same: for mates, for those who look, for the opponent.
const MATE_SECS: f64 = 2.0;
const WATCHER_SECS: f64 = 3.0;
const SIGHTING_SECS: f64 = 4.0;
/// What a place counts that is far from all others.
const FAR: f64 = 0.1;
/// No part counts more or less than by this, as a logarithm.
const MOST: f64 = 3.0;

/// How like each recorded way of a side the present round is.
#[derive(Clone, Debug)]
pub struct Likeness<'a> {
    fitted: &'a Fitted,
    settings: LikenessSettings,
    /// For each life the round it belongs to, by number.
    round_of: Vec<usize>,
    side: u8,
    /// By round, as logarithms.
    mates: Vec<f64>,
    watchers: Vec<f64>,
    /// By life, as logarithms.
    sightings: Vec<f64>,
    /// By life: what it counts beforehand, and with everything.
    before: Vec<f64>,
    like: Vec<f64>,
    /// By round: where its players of a side are at the time in question, and how well that matches.
    there: Vec<Vec<u32>>,
    matching: Vec<Option<f64>>,
}

impl<'a> Likeness<'a> {
    /// Of the rounds of a model.
    pub fn new(fitted: &'a Fitted, settings: LikenessSettings) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut round_of = Vec::new();
        for life in &fitted.model.lives {
            let known = names.iter().position(|name| *name == life.round);
            round_of.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(&life.round);
            }
        }
        let step = fitted.model.period_secs;
        let settings = LikenessSettings {
            mates: settings.mates * step,
            sightings: settings.sightings * step,
            kept: 1.0 - per_step(1.0 - settings.kept, step),
            ..settings
        };
        let (rounds, lives) = (names.len(), round_of.len());
        Likeness {
            fitted,
            settings,
            round_of,
            side: 0,
            mates: vec![0.0; rounds],
            watchers: vec![0.0; rounds],
            sightings: vec![0.0; lives],
            before: vec![1.0; lives],
            like: vec![1.0; lives],
            there: vec![Vec::new(); rounds],
            matching: vec![None; rounds],
        }
    }

    /// Begins anew: nothing is known of the round. With `habits` it counts who the opponent is.
    pub fn begin(&mut self, quarry: Quarry, habits: bool) {
        self.side = quarry.side;
        self.mates.fill(0.0);
        self.watchers.fill(0.0);
        self.sightings.fill(0.0);
        self.before.fill(1.0);
        let lives = &self.fitted.model.lives;
        if habits && !self.fitted.model.is_timeless {
            // Rounds in which the opponent plays on this side: their mates of those rounds.
            let is_own = |k: &usize| lives[*k].side == quarry.side && Some(lives[*k].player) == quarry.player;
            for own in (0..lives.len()).filter(is_own) {
                for (k, before) in self.before.iter_mut().enumerate() {
                    if self.round_of[k] == self.round_of[own] && !is_own(&k) {
                        *before = self.settings.rivals;
                    }
                }
            }
        }
        self.like.copy_from_slice(&self.before);
    }

    /// What each recorded way counts.
    pub fn of_lives(&self) -> &[f64] {
        &self.like
    }

    /// Mates of the opponent are seen there.
    pub fn mates_seen(&mut self, situation: Situation, places: &[u32]) {
        if self.fitted.model.is_timeless {
            return;
        }
        self.mates.iter_mut().for_each(|log| *log *= self.settings.kept);
        if places.is_empty() {
            return;
        }
        self.gather(situation, |side, own| side == own);
        for &place in places {
            for (there, matching) in self.there.iter().zip(&mut self.matching) {
                *matching = matching.map(|_| ln(nearest(self.fitted, place, there, MATE_SECS) + FAR));
            }
            let mean = mean(&self.matching);
            for (log, matching) in self.mates.iter_mut().zip(&self.matching) {
                let more = matching.map_or(0.0, |matching| self.settings.mates * (matching - mean));
                *log = (*log + more).clamp(-MOST, MOST);
            }
        }
    }

    /// One step, with what is observed in it.
    pub fn step(&mut self, situation: Situation, evidence: Evidence<'_>) {
        if self.fitted.model.is_timeless {
            return;
        }
        self.sightings.iter_mut().for_each(|log| *log *= self.settings.kept);
        match evidence {
            Evidence::Seen(place) => self.seen(situation, place),
            Evidence::Unseen { watchers, .. } => self.watched(situation, watchers),
        }
        for (k, like) in self.like.iter_mut().enumerate() {
            let round = self.round_of[k];
            *like = self.before[k] * exp(self.mates[round] + self.watchers[round] + self.sightings[k]);
        }
    }

    fn seen(&mut self, situation: Situation, place: usize) {
        let (fitted, side) = (self.fitted, self.side);
        let near = SIGHTING_SECS * fitted.model.settings.run_speed;
        let matching = |k: usize| {
            let life = &fitted.model.lives[k];
            let step = aligned_step(life, situation).filter(|_| life.side == side)?;
            let &at = life.places.get(usize::try_from(step).ok()?)?;
            Some(ln(exp(-f64::from(fitted.distances.from(place)[at as usize]) / near) + FAR))
        };
        let known = (0..self.sightings.len()).filter_map(matching);
        let (count, sum) = known.fold((0.0, 0.0), |(count, sum), matching| (count + 1.0, sum + matching));
        for (k, log) in self.sightings.iter_mut().enumerate() {
            if let Some(matching) = matching(k) {
                *log = (*log + self.settings.sightings * (matching - sum / count)).clamp(-MOST, MOST);
            }
        }
    }

    fn watched(&mut self, situation: Situation, watchers: &[u32]) {
        self.watchers.fill(0.0);
        if watchers.is_empty() {
            return;
        }
        self.gather(situation, |side, own| side != own);
        for (there, matching) in self.there.iter().zip(&mut self.matching) {
            let mean_of = |of: &[u32], among: &[u32]| match of {
                [] => ln(FAR),
                of => {
                    let one = |&place: &u32| ln(nearest(self.fitted, place, among, WATCHER_SECS) + FAR);
                    of.iter().map(one).sum::<f64>() / of.len() as f64
                }
            };
            let heads = (there.len() as f64 - watchers.len() as f64).abs();
            let matched = mean_of(watchers, there) + mean_of(there, watchers) - self.settings.heads * heads;
            *matching = matching.map(|_| matched);
        }
        let mean = mean(&self.matching);
        for (log, matching) in self.watchers.iter_mut().zip(&self.matching) {
            let more = matching.map_or(0.0, |matching| self.settings.watchers * (matching - mean));
            *log = more.clamp(-MOST, MOST);
        }
    }

    /// Where players of sides that are meant are in each round at this time. A round that has no such time matches nothing; one
    /// whose players are dead by then has nobody anywhere.
    fn gather(&mut self, situation: Situation, is_meant: impl Fn(u8, u8) -> bool) {
        self.there.iter_mut().for_each(Vec::clear);
        self.matching.fill(None);
        for (life, &round) in self.fitted.model.lives.iter().zip(&self.round_of) {
            if !is_meant(life.side, self.side) {
                continue;
            }
            let Some(step) = aligned_step(life, situation) else { continue };
            self.matching[round] = Some(0.0);
            let at = usize::try_from(step).ok().and_then(|step| life.places.get(step));
            self.there[round].extend(at);
        }
    }
}

/// How near the nearest of some places is: 1 if it is this one, e times less for every `secs` of running, 0 if there is none.
fn nearest(fitted: &Fitted, place: u32, among: &[u32], secs: f64) -> f64 {
    let row = fitted.distances.from(place as usize);
    let far = among.iter().map(|&at| row[at as usize]).fold(f32::INFINITY, f32::min);
    exp(-f64::from(far) / (secs * fitted.model.settings.run_speed))
}

fn mean(matching: &[Option<f64>]) -> f64 {
    let (count, sum) =
        matching.iter().flatten().fold((0.0, 0.0), |(count, sum), matching| (count + 1.0, sum + matching));
    sum / f64::max(count, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FitSettings;
    use crate::play::{Moment, Play, Round, Who};
    use crate::{Graph, Model};

    /// A corridor of ten places, ten units apart, at ten units a second. In round `left` one guard and both thieves go to its left
    /// end, in round `right` to its right end; the other guard stays in the middle.
    fn fitted(is_timeless: bool) -> Fitted {
        let places = Graph {
            ids: (0..10).collect(),
            centres: (0..10).map(|s| [f64::from(s) * 10.0, 0.0, 0.0]).collect(),
            links: (0..10).map(|s| if s < 9 { vec![s + 1] } else { vec![] }).collect(),
            names: vec![String::new(); 10],
        };
        let round = |name: &str, way: i32| {
            let at = |t: i32| (5 + way * t.clamp(0, 4)) as u32;
            let who = |player: u16, place| Who { player, side: u8::from(player > 1), alive: true, place };
            let moment = |t: i32| Moment {
                secs: f64::from(t),
                live: t > 0,
                planted: false,
                who: vec![who(0, at(t)), who(1, 5), who(2, at(t)), who(3, at(t))],
            };
            let moments = (0..20).map(moment).collect();
            Round { name: name.into(), moments, is_timeless, ..Round::default() }
        };
        let play = Play {
            players: ["guard", "warden", "thief", "thug"].map(str::to_owned).to_vec(),
            sides: vec!["guards".into(), "thieves".into()],
            rounds: vec![round("left", -1), round("right", 1)],
        };
        let settings = FitSettings { run_speed: 10.0, ..FitSettings::default() };
        Fitted::new(Model::fit("corridor", places, &play, settings).expect("sound play")).expect("a model")
    }

    const THIEF: Quarry = Quarry { side: 1, player: Some(2) };

    /// What lives of the thief count in both rounds, and those of the other one.
    fn counts(fitted: &Fitted, likeness: &Likeness<'_>) -> [[f64; 2]; 2] {
        let count = |player: u16, round: &str| {
            let lives = &fitted.model.lives;
            let k = lives.iter().position(|life| life.player == player && life.round == round);
            likeness.of_lives()[k.expect("they play")]
        };
        [2, 3].map(|player| ["left", "right"].map(|round| count(player, round)))
    }

    fn at(secs: f64) -> Situation {
        Situation { secs, planted_secs: None }
    }

    fn unseen(watchers: &[u32]) -> Evidence<'_> {
        Evidence::Unseen { visible: &[0.0; 10], heard: None, watchers }
    }

    #[test]
    fn rounds_in_which_those_who_look_stood_alike_count_more() {
        let fitted = fitted(false);
        let mut likeness = Likeness::new(&fitted, LikenessSettings::default());
        likeness.begin(THIEF, false);
        likeness.step(at(10.0), unseen(&[1, 5]));
        let [[left, right], _] = counts(&fitted, &likeness);
        // By the formula: one at the left end and one in the middle, against one at the right end and one in the middle.
        let near = |places: f64| ln(exp(-places / WATCHER_SECS) + FAR);
        let (alike, other) = (2.0 * near(0.0), near(4.0) + near(0.0));
        let more = LikenessSettings::default().watchers * (alike - other) / 2.0;
        assert!((ln(left) - more.min(MOST)).abs() < 1e-6, "{left} {more}");
        assert!((ln(right) + more.min(MOST)).abs() < 1e-6, "{right} {more}");
        likeness.step(at(10.0), unseen(&[]));
        assert_eq!(counts(&fitted, &likeness), [[1.0; 2]; 2], "nobody looks: nothing is said");
    }

    #[test]
    fn what_says_nothing_changes_nothing() {
        let fitted = fitted(false);
        let mut likeness = Likeness::new(&fitted, LikenessSettings::default());
        likeness.begin(THIEF, false);
        likeness.mates_seen(at(0.0), &[5]);
        likeness.step(at(0.0), unseen(&[5, 5]));
        likeness.step(at(0.0), Evidence::Seen(5));
        for count in counts(&fitted, &likeness).as_flattened() {
            assert!((count - 1.0).abs() < 1e-9, "both rounds begin in the middle: {count}");
        }
    }

    #[test]
    fn sightings_of_the_opponent_and_of_mates_are_remembered_for_a_while() {
        let fitted = fitted(false);
        let mut likeness = Likeness::new(&fitted, LikenessSettings::default());
        for is_mate in [false, true] {
            likeness.begin(THIEF, false);
            if is_mate {
                likeness.mates_seen(at(4.0), &[9]);
                likeness.step(at(4.0), unseen(&[]));
            } else {
                likeness.step(at(4.0), Evidence::Seen(9));
            }
            let [[left, right], _] = counts(&fitted, &likeness);
            assert!(left < 0.8 && right > 1.25, "{is_mate} {left} {right}");
            for t in 5..15 {
                likeness.mates_seen(at(f64::from(t)), &[]);
                likeness.step(at(f64::from(t)), unseen(&[]));
            }
            let kept = ln(counts(&fitted, &likeness)[0][1]) / ln(right);
            assert!((kept - exp(10.0 * ln(0.99))).abs() < 1e-6, "{is_mate} {kept}");
        }
    }

    #[test]
    fn ways_of_mates_count_less_where_it_is_known_who_it_is() {
        let fitted = fitted(false);
        let mut likeness = Likeness::new(&fitted, LikenessSettings::default());
        likeness.begin(THIEF, true);
        assert_eq!(counts(&fitted, &likeness), [[1.0; 2], [0.3; 2]]);
        likeness.begin(THIEF, false);
        assert_eq!(counts(&fitted, &likeness), [[1.0; 2]; 2]);
    }

    #[test]
    fn where_the_clock_means_nothing_all_ways_are_alike() {
        let fitted = fitted(true);
        let mut likeness = Likeness::new(&fitted, LikenessSettings::default());
        likeness.begin(THIEF, true);
        likeness.mates_seen(at(10.0), &[1]);
        likeness.step(at(10.0), unseen(&[1, 5]));
        likeness.step(at(10.0), Evidence::Seen(9));
        assert_eq!(counts(&fitted, &likeness), [[1.0; 2]; 2]);
    }
}
