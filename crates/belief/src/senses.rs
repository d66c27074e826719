//! What is heard of an opponent out of sight, and that it is hurt, as evidence about where it is.
//!
//! ```text
//! heard(a)  = floor + (1 - floor) · exp(-sharpness / 2 · ((angle(a) - angle)² / spread² + ln²(far(a) / far) / ratio²))
//! hurt(a)   = (P(a | hurt) / P(a))^sharpness
//! ```
//! with the angle and the distance at which a sound seems to be, from the nearest of those who listen. Listeners err: what
//! they hear is the true angle and distance with errors of 12 degrees and of a third. A sound is a likelihood in the step in which it
//! is heard. Being hurt lasts, so that as a likelihood it would count again at every step: it weighs what is believed, and is
//! not kept.
//!
//! Both sharpnesses are learned from play that is not measured on; 0 is to say nothing. Not in the paper, which wished for both.

use std::f64::consts::{PI, TAU};

use repertoire_prob::Stream;
use repertoire_prob::num::{atan2, cos, exp, ln, normalise};

use crate::graph::Graph;
use crate::play::{Play, Round, SignKind};
use crate::regions::Regions;

/// How far listeners err about the angle of a sound, in radians: 12 degrees.
const ANGLE_ERROR: f64 = 0.21;
/// How far they err about its distance, as a logarithm.
const DISTANCE_ERROR: f64 = 0.33;
/// What a place counts from which a sound could not have come.
const FLOOR: f64 = 0.01;
/// Hurt by so much within so many seconds is known to be hurt.
const HURT_AMOUNT: f64 = 40.0;
const HURT_SECS: f64 = 10.0;
/// How many moments of anybody a region is worth beside those of the hurt.
const HURT_PRIOR: f64 = 20.0;

/// Evidence beside sight, and how much it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Senses {
    /// How much sounds count: 0 nothing, 1 as the errors of hearing say.
    pub sound: f64,
    /// How much it counts that somebody is hurt: 0 nothing, 1 as often as the hurt were there.
    pub health: f64,
    /// How far one hears, in the map's units.
    pub range: f64,
    /// For each place how much more often the hurt are there than others are; may be empty if `health` is 0.
    pub hurt: Vec<f64>,
    /// The seed of the errors of hearing.
    pub seed: u64,
}

impl Senses {
    /// Whether nothing but sight is used.
    pub fn is_none(&self) -> bool {
        self.sound == 0.0 && self.health == 0.0
    }

    /// How well each place explains what was heard of a player between two times; `false` if nothing was.
    ///
    /// Of several sounds the last counts. It must be in the range of one of those who listen.
    pub fn hear(
        &self,
        places: &Graph,
        round: &Round,
        player: u16,
        (after, until): (f64, f64),
        listeners: &[u32],
        into: &mut [f64],
    ) -> bool {
        if self.sound == 0.0 {
            return false;
        }
        let from = round.signs.partition_point(|sign| sign.secs <= after);
        let to = round.signs.partition_point(|sign| sign.secs <= until);
        let straight = |a: u32, b: u32| places.straight(a as usize, b as usize);
        let heard = (from..to).rev().find_map(|k| {
            let sign = &round.signs[k];
            let SignKind::Sound { place } = sign.kind else { return None };
            let nearest = listeners
                .iter()
                .copied()
                .min_by(|&a, &b| straight(a, place).total_cmp(&straight(b, place)))?;
            (sign.player == player && straight(nearest, place) <= self.range).then_some((k, place, nearest))
        });
        let Some((k, place, listener)) = heard else { return false };
        let mut rng = Stream::new(self.seed, (k as u64) << 16 | u64::from(player), "belief hearing");
        let (angle, far) = self.polar(places, listener, place);
        let angle = angle + ANGLE_ERROR * normal(&mut rng);
        let far = far + DISTANCE_ERROR * normal(&mut rng);
        for (s, likelihood) in into.iter_mut().enumerate() {
            let (there, so_far) = self.polar(places, listener, s as u32);
            let turn = (there - angle + 3.0 * PI).rem_euclid(TAU) - PI;
            let (turn, off) = (turn / ANGLE_ERROR, (so_far - far) / DISTANCE_ERROR);
            *likelihood = FLOOR + (1.0 - FLOOR) * exp(-0.5 * self.sound * (turn * turn + off * off));
        }
        true
    }

    /// The angle of a place seen from another, and the logarithm of how far it is; what is nearer than a thirtieth of what can be
    /// heard counts as being there.
    fn polar(&self, places: &Graph, from: u32, to: u32) -> (f64, f64) {
        let [a, b] = [from, to].map(|s| places.centres[s as usize]);
        let far = places.straight(from as usize, to as usize).max(self.range / 30.0);
        (atan2(b[1] - a[1], b[0] - a[0]), ln(far))
    }

    /// Weighs a belief about somebody whom `side` hurt shortly before.
    pub fn weigh(&self, round: &Round, player: u16, side: u8, secs: f64, belief: &mut [f64]) {
        if self.health > 0.0 && is_hurt(round, player, Some(side), secs) {
            belief.iter_mut().zip(&self.hurt).for_each(|(p, more)| *p *= exp(self.health * ln(*more)));
            normalise(belief);
        }
    }
}

/// Whether a player was hurt shortly before, by a side or by anybody.
fn is_hurt(round: &Round, player: u16, side: Option<u8>, secs: f64) -> bool {
    let to = round.signs.partition_point(|sign| sign.secs <= secs);
    let recent = round.signs[..to].iter().rev().take_while(|sign| sign.secs > secs - HURT_SECS);
    let amount = recent.filter(|sign| sign.player == player).map(|sign| match sign.kind {
        SignKind::Hurt { amount, by } if side.is_none_or(|side| side == by) => amount,
        _ => 0.0,
    });
    amount.sum::<f64>() >= HURT_AMOUNT
}

/// For each place how much more often the hurt are there than everybody is, by regions: `P(region | hurt) / P(region)`.
pub fn hurt_places(play: &Play, regions: &Regions) -> Vec<f64> {
    let (mut all, mut hurt) = (vec![1.0; regions.len()], vec![0.0; regions.len()]);
    for round in &play.rounds {
        for moment in round.known_and_live() {
            for who in moment.who.iter().filter(|who| who.alive) {
                let region = usize::from(regions.of[who.place as usize]);
                all[region] += 1.0;
                hurt[region] += f64::from(u8::from(is_hurt(round, who.player, None, moment.secs)));
            }
        }
    }
    let share = hurt.iter().sum::<f64>() / all.iter().sum::<f64>();
    let more = |r: usize| (hurt[r] + HURT_PRIOR * share) / ((all[r] + HURT_PRIOR) * share);
    let more = |r: usize| if share > 0.0 { more(r) } else { 1.0 };
    regions.of.iter().map(|&region| more(usize::from(region))).collect()
}

/// A number from the normal distribution (Box and Muller).
fn normal(rng: &mut Stream) -> f64 {
    let radius = (-2.0 * ln(1.0 - rng.unit())).sqrt();
    radius * cos(TAU * rng.unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Moment, Sign, Who};

    fn street() -> Graph {
        Graph {
            ids: (0..9).collect(),
            centres: (0..9).map(|s| [f64::from(s) * 4.0 - 16.0, 0.0, 0.0]).collect(),
            links: (0..9).map(|s| if s < 8 { vec![s + 1] } else { vec![] }).collect(),
            names: vec![String::new(); 9],
        }
    }

    fn round() -> Round {
        let sign = |secs, kind| Sign { secs, player: 1, kind };
        Round {
            signs: vec![
                sign(1.5, SignKind::Sound { place: 7 }),
                sign(3.0, SignKind::Hurt { amount: 50.0, by: 0 }),
            ],
            ..Round::default()
        }
    }

    #[test]
    fn a_sound_is_told_from_its_side_and_only_by_whom_it_reaches() {
        let (street, round) = (street(), round());
        let senses = Senses { sound: 1.0, range: 30.0, seed: 1, ..Senses::default() };
        let mut heard = [0.0; 9];
        assert!(senses.hear(&street, &round, 1, (1.0, 2.0), &[4], &mut heard));
        assert!(heard[..4].iter().all(|&l| l < 0.011), "nothing is on the left: {heard:?}");
        assert!(heard[6].max(heard[7]).max(heard[8]) > 0.1, "it is on the right: {heard:?}");
        let mut again = [0.0; 9];
        assert!(senses.hear(&street, &round, 1, (1.0, 2.0), &[4], &mut again) && heard == again);
        assert!(!senses.hear(&street, &round, 1, (2.0, 3.0), &[4], &mut heard), "it is over");
        assert!(!senses.hear(&street, &round, 2, (1.0, 2.0), &[4], &mut heard), "it was somebody else");
        let near = Senses { range: 5.0, ..senses };
        assert!(!near.hear(&street, &round, 1, (1.0, 2.0), &[4], &mut heard), "it was too far");
    }

    #[test]
    fn the_hurt_are_believed_where_the_hurt_are() {
        let (_, mut round) = (street(), round());
        // Player 1 runs to place 8 when hurt, and is at place 0 otherwise.
        let at = |k: u32| Moment {
            secs: f64::from(k),
            live: true,
            planted: false,
            who: vec![Who {
                player: 1,
                side: 1,
                alive: true,
                place: if (3..13).contains(&k) { 8 } else { 0 },
            }],
        };
        round.moments = (0..60).map(at).collect();
        let play = Play { rounds: vec![round], ..Play::default() };
        let hurt = hurt_places(&play, &Regions::each(9));
        assert!(hurt[8] > 1.5 && hurt[0] < 0.6, "{hurt:?}");
        let senses = Senses { health: 1.0, hurt, ..Senses::default() };
        let mut belief = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5];
        senses.weigh(&play.rounds[0], 1, 1, 5.0, &mut belief);
        assert_eq!(belief[8], 0.5, "another side does not know");
        senses.weigh(&play.rounds[0], 1, 0, 5.0, &mut belief);
        assert!(belief[8] > 0.7 && (belief.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let before = belief;
        senses.weigh(&play.rounds[0], 1, 0, 20.0, &mut belief);
        assert_eq!(belief, before, "that is long ago");
    }
}
