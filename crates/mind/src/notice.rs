//! Noticing: what is new in the world reaches a mind a reaction time late, and no two times are the same.
//!
//! People turn towards somebody who comes into view after some 390 ms, now sooner, now later: the logarithms of their times
//! spread by 0.36 (`docs/people.md`). Here a time is drawn for every event. Until it has passed, somebody who came into view is not
//! there, a sound has not been heard, and an item that was taken or came back is as it was. What has been noticed is perceived as
//! it is, without delay: a mind is late for news, not for everything.
//!
//! Times come from a seed that is drawn once, and from what happened when. They use up no chance of whoever notices, so that a
//! life with an event and the same life without it differ by the reaction and by nothing else.

use repertoire_prob::num::{cos, exp, ln, sqrt};
use repertoire_prob::{Rng, Stream};
use serde::{Deserialize, Serialize};

use crate::memory::STILL_KNOWN;
use crate::{Hit, Noise, Percept, SeenItem, turn_between};

/// How long it takes to notice something: a log-normal time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// Half of all times are shorter.
    pub median_secs: f64,
    /// The standard deviation of their logarithms; 0 for always the same time.
    pub spread: f64,
}

/// What is on its way to being noticed.
///
/// ```
/// use repertoire_mind::notice::{Noticing, Reaction};
/// use repertoire_mind::{DVec3, Percept, SeenCharacter};
/// use repertoire_prob::Stream;
/// let reaction = Reaction { median_secs: 0.3, spread: 0.0 };
/// let mut noticing = Noticing::new(&mut Stream::new(1, 0, "example"));
/// let enemy = SeenCharacter { id: 3, position: DVec3::X, velocity: DVec3::ZERO, weapon: None };
/// let mut noticed = Percept::default();
/// let seen: Vec<usize> = (0..5)
///     .map(|tick| {
///         let percept = Percept { tick, period_secs: 0.1, characters: vec![enemy], ..Percept::default() };
///         noticing.notice(&percept, reaction, &mut noticed);
///         noticed.characters.len()
///     })
///     .collect();
/// assert_eq!(seen, [0, 0, 0, 1, 1]);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Noticing {
    seed: u64,
    others: Vec<Other>,
    /// Sounds and hits on their way: when they arrive, with the yaw in the world.
    heard: Vec<(u32, Noise)>,
    felt: Vec<(u32, Hit)>,
    spots: Vec<Looked>,
    /// The spot whose item was noticed just now.
    found: Option<u16>,
}

/// Somebody in view, or in view a moment ago.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Other {
    id: u8,
    last: u32,
    due: u32,
}

/// A spot, as far as it was looked at.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Looked {
    /// Whether its item was noticed to be there.
    present: Option<bool>,
    last: u32,
    /// When it is noticed that this has changed.
    due: Option<u32>,
}

/// Kinds of news, so that two at one tick take different times.
const SOMEBODY: u64 = 0;
const SOUND: u64 = 1 << 16;
const HIT: u64 = 2 << 16;
const ITEM: u64 = 3 << 16;

impl Noticing {
    /// Nothing is on its way yet.
    pub fn new(draw: &mut Stream) -> Self {
        Noticing { seed: draw.next_u64(), ..Noticing::default() }
    }

    /// Other times from now on.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// A death ends what was on its way; what was seen has to be looked at again.
    pub fn begin_life(&mut self) {
        self.others.clear();
        self.heard.clear();
        self.felt.clear();
        self.spots.clear();
        self.found = None;
    }

    /// The spot whose item was noticed at the last percept, having been missing or never looked at.
    pub fn found(&self) -> Option<u16> {
        self.found
    }

    /// Makes what is there into what is noticed of it, in the room of an earlier percept.
    pub fn notice(&mut self, percept: &Percept, reaction: Reaction, noticed: &mut Percept) {
        (noticed.tick, noticed.period_secs) = (percept.tick, percept.period_secs);
        (noticed.own, noticed.rays_m) = (percept.own, percept.rays_m);
        self.see_others(percept, reaction, noticed);
        self.see_items(percept, reaction, noticed);
        self.hear(percept, reaction, noticed);
        self.feel(percept, reaction, noticed);
    }

    /// The tick at which something is noticed that happens now.
    fn due(&self, percept: &Percept, what: u64, reaction: Reaction) -> u32 {
        let mut draw = Stream::new(self.seed, u64::from(percept.tick) << 20 | what, "reaction");
        let normal = sqrt(-2.0 * ln(1.0 - draw.unit())) * cos(std::f64::consts::TAU * draw.unit());
        percept.tick + percept.ticks(reaction.median_secs * exp(reaction.spread * normal))
    }

    fn see_others(&mut self, percept: &Percept, reaction: Reaction, noticed: &mut Percept) {
        let now = percept.tick;
        noticed.characters.clear();
        self.others.retain(|other| now <= other.last + STILL_KNOWN);
        for seen in &percept.characters {
            let known = self.others.iter().position(|other| other.id == seen.id);
            let known = known.unwrap_or_else(|| {
                let due = self.due(percept, SOMEBODY + u64::from(seen.id), reaction);
                self.others.push(Other { id: seen.id, last: now, due });
                self.others.len() - 1
            });
            let other = &mut self.others[known];
            other.last = now;
            if now >= other.due {
                noticed.characters.push(*seen);
            }
        }
    }

    fn see_items(&mut self, percept: &Percept, reaction: Reaction, noticed: &mut Percept) {
        let now = percept.tick;
        noticed.items.clear();
        self.found = None;
        for seen in &percept.items {
            let spot = usize::from(seen.spot);
            if self.spots.len() <= spot {
                self.spots.resize(spot + 1, Looked::default());
            }
            let mut looked = self.spots[spot];
            if now > looked.last + 1 || looked.present == Some(seen.present) {
                looked.due = None;
            }
            looked.last = now;
            if looked.present != Some(seen.present) {
                let due =
                    looked.due.unwrap_or_else(|| self.due(percept, ITEM + u64::from(seen.spot), reaction));
                looked.due = Some(due);
                if now >= due {
                    if seen.present {
                        self.found = Some(seen.spot);
                    }
                    (looked.present, looked.due) = (Some(seen.present), None);
                }
            }
            noticed.items.extend(looked.present.map(|present| SeenItem { present, ..*seen }));
            self.spots[spot] = looked;
        }
    }

    fn hear(&mut self, percept: &Percept, reaction: Reaction, noticed: &mut Percept) {
        let yaw = percept.own.yaw;
        for (noise, which) in percept.noises.iter().zip(SOUND..) {
            let due = self.due(percept, which, reaction);
            self.heard.push((due, Noise { yaw: yaw + noise.yaw, ..*noise }));
        }
        arrived(&mut self.heard, percept.tick, &mut noticed.noises);
        noticed.noises.iter_mut().for_each(|noise| noise.yaw = turn_between(yaw, noise.yaw));
    }

    fn feel(&mut self, percept: &Percept, reaction: Reaction, noticed: &mut Percept) {
        let yaw = percept.own.yaw;
        for (hit, which) in percept.hits.iter().zip(HIT..) {
            let due = self.due(percept, which, reaction);
            self.felt.push((due, Hit { yaw: yaw + hit.yaw, ..*hit }));
        }
        arrived(&mut self.felt, percept.tick, &mut noticed.hits);
        noticed.hits.iter_mut().for_each(|hit| hit.yaw = turn_between(yaw, hit.yaw));
    }
}

/// Moves what has arrived by now into what is noticed.
fn arrived<T: Copy>(waiting: &mut Vec<(u32, T)>, now: u32, noticed: &mut Vec<T>) {
    noticed.clear();
    noticed.extend(waiting.iter().filter(|(due, _)| *due <= now).map(|(_, news)| *news));
    waiting.retain(|(due, _)| *due > now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DVec3, Item, SeenCharacter, Sound};

    const PEOPLE: Reaction = Reaction { median_secs: 0.36, spread: 0.36 };

    fn percept(tick: u32) -> Percept {
        Percept { tick, period_secs: 0.01, ..Percept::default() }
    }

    #[test]
    fn times_are_spread_as_they_are_said_to_be() {
        let noticing = Noticing::new(&mut Stream::new(3, 0, "test"));
        let time = |tick: u32| f64::from(noticing.due(&percept(tick), 7, PEOPLE) - tick) * 0.01;
        let mut times: Vec<f64> = (0..4000).map(time).collect();
        times.sort_by(f64::total_cmp);
        assert!((times[2000] - 0.36).abs() < 0.015, "half of them below {}", times[2000]);
        // Of a normal distribution, 16 in 100 are more than one deviation below the middle.
        let below = 0.36 * exp(-0.36);
        assert!((times[635] - below).abs() < 0.015, "one deviation below is {}, not {below}", times[635]);
    }

    #[test]
    fn somebody_hidden_for_a_moment_needs_no_new_reaction_and_a_stranger_does() {
        let seen = |id| SeenCharacter { id, position: DVec3::X, velocity: DVec3::ZERO, weapon: None };
        let reaction = Reaction { median_secs: 0.05, spread: 0.0 };
        let mut noticing = Noticing::default();
        let mut noticed = Percept::default();
        let mut sees = |tick: u32, ids: &[u8]| {
            let characters = ids.iter().map(|&id| seen(id)).collect();
            noticing.notice(&Percept { characters, ..percept(tick) }, reaction, &mut noticed);
            noticed.characters.iter().map(|other| other.id).collect::<Vec<u8>>()
        };
        assert!(sees(0, &[1]).is_empty());
        assert_eq!(sees(5, &[1]), [1]);
        assert!(sees(8, &[]).is_empty());
        assert_eq!(sees(12, &[2, 1]), [1], "hidden for a moment");
        assert!(sees(60, &[1]).is_empty(), "long gone");
    }

    #[test]
    fn an_item_is_as_it_was_until_the_change_is_noticed() {
        let reaction = Reaction { median_secs: 0.03, spread: 0.0 };
        let mut noticing = Noticing::default();
        let mut noticed = Percept::default();
        let mut sees = |tick: u32, present: bool| {
            let item = SeenItem { spot: 4, item: Item::Health, position: DVec3::X, present };
            noticing.notice(&Percept { items: vec![item], ..percept(tick) }, reaction, &mut noticed);
            (noticed.items.first().map(|item| item.present), noticing.found())
        };
        assert_eq!(sees(0, false), (None, None));
        assert_eq!(sees(1, false), (None, None));
        assert_eq!(sees(2, false), (None, None));
        assert_eq!(sees(3, false), (Some(false), None));
        assert_eq!(sees(4, true), (Some(false), None));
        assert_eq!(sees(5, true), (Some(false), None));
        assert_eq!(sees(6, true), (Some(false), None));
        assert_eq!(sees(7, true), (Some(true), Some(4)), "it is back");
        assert_eq!(sees(8, true), (Some(true), None));
    }

    #[test]
    fn a_sound_keeps_its_place_in_the_world_while_the_head_turns() {
        let reaction = Reaction { median_secs: 0.02, spread: 0.0 };
        let mut noticing = Noticing::default();
        let mut noticed = Percept::default();
        let shot = Noise { sound: Sound::Shot, yaw: 1.0, loudness: 1.0 };
        let hit = Hit { damage: 5.0, yaw: -1.0 };
        let now = Percept { noises: vec![shot], hits: vec![hit], ..percept(0) };
        noticing.notice(&now, reaction, &mut noticed);
        assert!(noticed.noises.is_empty() && noticed.hits.is_empty());
        let mut later = percept(2);
        later.own.yaw = 0.25;
        noticing.notice(&later, reaction, &mut noticed);
        assert!((noticed.noises[0].yaw - 0.75).abs() < 1e-12 && (noticed.hits[0].yaw + 1.25).abs() < 1e-12);
        noticing.notice(&percept(3), reaction, &mut noticed);
        assert!(noticed.noises.is_empty() && noticed.hits.is_empty(), "heard once");
    }
}
