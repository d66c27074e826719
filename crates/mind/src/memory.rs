//! What a character remembers: enemies it saw, items that are gone, where hits and noises came from.

use crate::{Percept, Sound, Weapon};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// An enemy as it was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enemy {
    /// Its number in the match.
    pub id: u8,
    /// Its feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// The weapon in its hand, where the world shows it.
    pub weapon: Option<Weapon>,
    /// Since when it has been in view without a break.
    pub since: u32,
    /// When it was last in view.
    pub last: u32,
}

/// What a character remembers.
///
/// ```
/// use repertoire_mind::memory::Memory;
/// use repertoire_mind::{DVec3, Percept, SeenCharacter};
/// let mut memory = Memory::default();
/// let enemy = SeenCharacter { id: 3, position: DVec3::X, velocity: DVec3::ZERO, weapon: None };
/// memory.update(&Percept { tick: 5, period_secs: 0.1, characters: vec![enemy], ..Percept::default() }, 0);
/// memory.update(&Percept { tick: 6, period_secs: 0.1, ..Percept::default() }, 0);
/// assert_eq!(memory.recent(6, 10).map(|enemy| enemy.id), Some(3), "out of view, not out of mind");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    enemies: Vec<Enemy>,
    /// For each spot: the decision until which its item is thought to be gone.
    gone_until: Vec<u32>,
    /// The yaw towards the last hit or loud shot, and when that was.
    pub alarm: Option<(f64, u32)>,
    /// For each spot whether it was ever in view, where only those count; none for somebody who knows the map by heart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    met: Option<Vec<bool>>,
}

/// A hidden enemy seen again within this many decisions needs no new reaction.
const STILL_KNOWN: u32 = 10;
/// Shots fainter than this alarm nobody.
const LOUD: f64 = 0.5;
/// A spot seen empty is looked at again after this many seconds.
const LOOK_AGAIN_SECS: f64 = 8.0;

impl Memory {
    /// Of a newcomer to the map: an item counts only once its spot was in view.
    ///
    /// ```
    /// use repertoire_mind::memory::Memory;
    /// use repertoire_mind::{DVec3, Item, Percept, SeenItem};
    /// let mut memory = Memory::of_newcomer();
    /// assert!(!memory.may_be_there(0, 5), "it has never been there");
    /// let item = SeenItem { spot: 0, item: Item::Health, position: DVec3::X, present: true };
    /// memory.update(&Percept { tick: 5, period_secs: 0.1, items: vec![item], ..Percept::default() }, 2);
    /// memory.forget();
    /// assert!(memory.may_be_there(0, 90) && !memory.may_be_there(1, 90), "what the map is like outlasts a life");
    /// ```
    pub fn of_newcomer() -> Self {
        Memory { met: Some(Vec::new()), ..Memory::default() }
    }

    /// Forgets everything but what the map is like, for instance after a death; its room is used again.
    pub fn forget(&mut self) {
        self.enemies.clear();
        self.gone_until.clear();
        self.alarm = None;
    }

    /// Takes in one percept.
    pub fn update(&mut self, percept: &Percept, spots: usize) {
        let now = percept.tick;
        for seen in &percept.characters {
            let known = self.enemies.iter().position(|enemy| enemy.id == seen.id);
            let since = match known.map(|k| self.enemies[k]) {
                Some(enemy) if now <= enemy.last + STILL_KNOWN => enemy.since,
                _ => now,
            };
            let enemy = Enemy {
                id: seen.id,
                position: seen.position,
                velocity: seen.velocity,
                weapon: seen.weapon,
                since,
                last: now,
            };
            match known {
                Some(k) => self.enemies[k] = enemy,
                None => self.enemies.push(enemy),
            }
        }
        self.gone_until.resize(spots, 0);
        let look_again = now + (LOOK_AGAIN_SECS / percept.period_secs) as u32;
        for item in &percept.items {
            let until = &mut self.gone_until[usize::from(item.spot)];
            *until = if item.present { 0 } else { (*until).max(look_again) };
        }
        if let Some(met) = &mut self.met {
            met.resize(spots, false);
            percept.items.iter().for_each(|item| met[usize::from(item.spot)] = true);
        }
        let hit = percept.hits.last().map(|hit| hit.yaw);
        let loud = |sound, loudness| sound == Sound::Shot && loudness > LOUD;
        let shot =
            percept.noises.iter().find(|noise| loud(noise.sound, noise.loudness)).map(|noise| noise.yaw);
        if let Some(yaw) = hit.or(shot) {
            self.alarm = Some((percept.own.yaw + yaw, now));
        }
    }

    /// Everybody seen, in the order of first sight.
    pub fn enemies(&self) -> &[Enemy] {
        &self.enemies
    }

    /// The enemy to deal with: in view and noticed, the nearest.
    pub fn in_view(&self, percept: &Percept, reaction: u32) -> Option<Enemy> {
        let from = percept.own.position;
        let noticed = |enemy: &&Enemy| enemy.last == percept.tick && percept.tick >= enemy.since + reaction;
        let far = |enemy: &&Enemy| enemy.position.distance_squared(from);
        self.enemies.iter().filter(noticed).min_by(|a, b| far(a).total_cmp(&far(b))).copied()
    }

    /// The enemy seen last, if that was at most `within` decisions ago.
    pub fn recent(&self, now: u32, within: u32) -> Option<Enemy> {
        let recent = self.enemies.iter().filter(|enemy| enemy.last < now && now <= enemy.last + within);
        recent.max_by_key(|enemy| enemy.last).copied()
    }

    /// Forgets where an enemy was seen, because they are no longer there.
    pub fn lose(&mut self, id: u8) {
        self.enemies.retain(|enemy| enemy.id != id);
    }

    /// Whether a spot's item may be there.
    pub fn may_be_there(&self, spot: usize, now: u32) -> bool {
        if self.met.as_ref().is_some_and(|met| met.get(spot) != Some(&true)) {
            return false;
        }
        self.gone_until.get(spot).is_none_or(|&until| until <= now)
    }

    /// A spot's item was not there, or has just been taken.
    pub fn note_gone(&mut self, spot: usize, until: u32) {
        if let Some(gone_until) = self.gone_until.get_mut(spot) {
            *gone_until = until;
        }
    }
}
