//! What a character remembers: enemies it saw, items that are gone, where hits and noises came from.

use std::sync::Arc;

use glam::DVec3;
use repertoire_prob::num::atan2;
use serde::{Deserialize, Serialize};

use crate::tasks::Preference;
use crate::{Noise, Percept, Sound, Spot, Weapon, turn_between};

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
/// memory.update(&Percept { tick: 5, period_secs: 0.1, characters: vec![enemy], ..Percept::default() }, &[]);
/// memory.update(&Percept { tick: 6, period_secs: 0.1, ..Percept::default() }, &[]);
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
    /// Which of several enemies to fight, where a program says so; part of the design, and of no state.
    #[serde(skip)]
    preference: Option<Arc<Preference>>,
    /// The enemy whom the program chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chosen: Option<u8>,
}

/// A hidden enemy seen again within this many decisions needs no new reaction.
pub(crate) const STILL_KNOWN: u32 = 10;
/// Shots fainter than this alarm nobody.
const LOUD: f64 = 0.5;
/// A spot seen empty is looked at again after this many seconds.
const LOOK_AGAIN_SECS: f64 = 8.0;

/// As well as a pick-up can be heard: within so much of its direction.
const HEARD_WITHIN: f64 = 0.25;

/// The spot where somebody was heard to pick something up: the nearest one in that direction.
fn heard_at(percept: &Percept, noise: &Noise, spots: &[Spot]) -> Option<usize> {
    let own = &percept.own;
    let way = |spot: &Spot| spot.position - own.position;
    let is_there = |spot: &Spot| {
        let turn = turn_between(own.yaw, atan2(way(spot).y, way(spot).x));
        turn_between(turn, noise.yaw).abs() < HEARD_WITHIN
    };
    let there = spots.iter().enumerate().filter(|(_, spot)| is_there(spot));
    let nearest = there.min_by(|(_, a), (_, b)| way(a).length_squared().total_cmp(&way(b).length_squared()));
    nearest.map(|(index, _)| index)
}

impl Memory {
    /// Of a newcomer to the map: an item counts only once its spot was in view, or somebody was heard to pick something up there.
    ///
    /// ```
    /// use repertoire_mind::memory::Memory;
    /// use repertoire_mind::{DVec3, Item, Percept, SeenItem, Spot};
    /// let spots = [1.0, 9.0].map(|x| Spot { item: Item::Health, position: DVec3::X * x, place: None });
    /// let mut memory = Memory::of_newcomer();
    /// assert!(!memory.may_be_there(0, 5), "it has never been there");
    /// let item = SeenItem { spot: 0, item: Item::Health, position: DVec3::X, present: true };
    /// memory.update(&Percept { tick: 5, period_secs: 0.1, items: vec![item], ..Percept::default() }, &spots);
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
        (self.alarm, self.chosen) = (None, None);
    }

    /// The same memory of somebody who chooses by a program whom to fight.
    pub fn preferring(mut self, preference: Option<Arc<Preference>>) -> Self {
        self.preference = preference;
        self
    }

    /// Takes in one percept.
    pub fn update(&mut self, percept: &Percept, spots: &[Spot]) {
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
        self.choose(percept);
        self.gone_until.resize(spots.len(), 0);
        let look_again = now + (LOOK_AGAIN_SECS / percept.period_secs) as u32;
        for item in &percept.items {
            let until = &mut self.gone_until[usize::from(item.spot)];
            *until = if item.present { 0 } else { (*until).max(look_again) };
        }
        if let Some(met) = &mut self.met {
            met.resize(spots.len(), false);
            percept.items.iter().for_each(|item| met[usize::from(item.spot)] = true);
            let taken = percept.noises.iter().filter(|noise| noise.sound == Sound::PickUp);
            for spot in taken.filter_map(|noise| heard_at(percept, noise, spots)) {
                met[spot] = true;
                self.gone_until[spot] = self.gone_until[spot].max(look_again);
            }
        }
        let hit = percept.hits.last().map(|hit| hit.yaw);
        let loud = |sound, loudness| sound == Sound::Shot && loudness > LOUD;
        let shot =
            percept.noises.iter().find(|noise| loud(noise.sound, noise.loudness)).map(|noise| noise.yaw);
        if let Some(yaw) = hit.or(shot) {
            self.alarm = Some((percept.own.yaw + yaw, now));
        }
    }

    /// Chooses among those in view whom to fight, where a program says so; without anybody in view the choice stands.
    fn choose(&mut self, percept: &Percept) {
        let Some(preference) = &self.preference else { return };
        let own = &percept.own;
        let fights = |enemy: &Enemy| {
            let way = enemy.position - own.position;
            let turn = turn_between(own.yaw, atan2(way.y, way.x));
            preference.of_enemy(way.length(), turn, enemy.weapon, self.chosen == Some(enemy.id))
        };
        let in_view = self.enemies.iter().filter(|enemy| enemy.last == percept.tick);
        let near = |enemy: &Enemy| -enemy.position.distance_squared(own.position);
        let better =
            |a: &&Enemy, b: &&Enemy| fights(a).total_cmp(&fights(b)).then(near(a).total_cmp(&near(b)));
        if let Some(chosen) = in_view.max_by(better).map(|enemy| enemy.id) {
            self.chosen = Some(chosen);
        }
    }

    /// Whether a program chose another enemy than this.
    pub fn is_passed_over(&self, enemy: &Enemy) -> bool {
        self.chosen.is_some_and(|chosen| chosen != enemy.id)
    }

    /// Everybody seen, in the order of first sight.
    pub fn enemies(&self) -> &[Enemy] {
        &self.enemies
    }

    /// The enemy to deal with: in view and noticed, the one that was chosen or else the nearest.
    pub fn in_view(&self, percept: &Percept, reaction: u32) -> Option<Enemy> {
        let from = percept.own.position;
        let noticed = |enemy: &&Enemy| enemy.last == percept.tick && percept.tick >= enemy.since + reaction;
        let far = |enemy: &&Enemy| enemy.position.distance_squared(from);
        let before = |a: &&Enemy, b: &&Enemy| {
            self.is_passed_over(a).cmp(&self.is_passed_over(b)).then(far(a).total_cmp(&far(b)))
        };
        self.enemies.iter().filter(noticed).min_by(before).copied()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Item, SeenCharacter};

    fn percept(tick: u32, characters: Vec<SeenCharacter>) -> Percept {
        Percept { tick, period_secs: 0.1, characters, ..Percept::default() }
    }

    fn seen(id: u8, x: f64, weapon: Weapon) -> SeenCharacter {
        SeenCharacter { id, position: DVec3::X * x, velocity: DVec3::ZERO, weapon: Some(weapon) }
    }

    #[test]
    fn a_program_chooses_whom_to_fight_and_keeps_to_it() {
        let program = repertoire_bayes::Program::shipped("opponent").expect("shipped");
        let preference = Preference::of(&program).expect("it chooses");
        let mut memory = Memory::default().preferring(Some(Arc::new(preference)));
        let mut nearest = Memory::default();
        let mut fights = |tick: u32, characters: Vec<SeenCharacter>| {
            let percept = percept(tick, characters);
            memory.update(&percept, &[]);
            nearest.update(&percept, &[]);
            let fought = |memory: &Memory| memory.in_view(&percept, 0).map(|enemy| enemy.id);
            (fought(&memory), fought(&nearest))
        };
        let first = fights(1, vec![seen(1, 10.0, Weapon::Strong), seen(2, 9.0, Weapon::Weak)]);
        assert_eq!(first, (Some(1), Some(2)), "the dangerous one, not the nearest");
        let then = fights(2, vec![seen(1, 10.0, Weapon::Medium), seen(2, 7.0, Weapon::Medium)]);
        assert_eq!(then, (Some(1), Some(2)), "a fight that has begun goes on");
        let close = fights(3, vec![seen(1, 31.0, Weapon::Weak), seen(2, 1.0, Weapon::Strong)]);
        assert_eq!(close, (Some(2), Some(2)), "unless somebody else is much worse");
        assert_eq!(fights(4, vec![seen(1, 10.0, Weapon::Weak)]).0, Some(1), "who is gone is not fought");
    }

    #[test]
    fn a_newcomer_learns_of_an_item_by_hearing_it_taken() {
        let spots = [DVec3::X * 6.0, DVec3::X * 12.0, DVec3::Y * 3.0].map(|position| Spot {
            item: Item::Health,
            position,
            place: None,
        });
        let noise = Noise { sound: Sound::PickUp, yaw: 0.1, loudness: 0.5 };
        let heard = Percept { noises: vec![noise], ..percept(5, Vec::new()) };
        let mut memory = Memory::of_newcomer();
        memory.update(&heard, &spots);
        assert!(!memory.may_be_there(0, 6), "it was just taken");
        assert!(memory.may_be_there(0, 500) && !memory.may_be_there(1, 500) && !memory.may_be_there(2, 500));
        let mut knows = Memory::default();
        knows.update(&heard, &spots);
        assert!(knows.may_be_there(0, 6), "whoever knows the map takes no lesson from a sound");
    }
}
