//! Changes from outside, between two decisions: somebody joins or leaves, a tool asks what if. A match that nobody meddles with
//! never calls any of this.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;

use super::World;
use super::state::Character;
use crate::arena::motion::Body;

/// The step of a life that never comes; the hash adds 1 to it.
const NEVER: u64 = u64::MAX - 1;
/// How long an item is gone that was taken away from outside.
const TAKEN_SECS: f64 = 30.0;
/// No match has more characters.
pub const MOST_CHARACTERS: usize = 255;

impl World {
    /// A new character, which comes to life in the next step. Its number; none if there are [`MOST_CHARACTERS`] already.
    pub fn join(&mut self) -> Option<usize> {
        let id = u8::try_from(self.len()).ok().filter(|_| self.len() < MOST_CHARACTERS)?;
        let mut newcomer = Character::unborn(self.state.seed, id, &self.rules);
        newcomer.back_at = Some(self.state.step + 1);
        self.state.characters.push(newcomer);
        self.events.push(Vec::new());
        Some(usize::from(id))
    }

    /// Takes a character out of the match; its number stays free for [`World::recall`]. What it did still counts.
    pub fn retire(&mut self, id: usize) {
        self.state.characters[id].back_at = Some(NEVER);
        self.state.characters[id].hits.clear();
    }

    /// Brings a retired character back in the next step.
    pub fn recall(&mut self, id: usize) {
        if self.is_retired(id) {
            self.state.characters[id].back_at = Some(self.state.step + 1);
        }
    }

    /// Whether a character was taken out of the match.
    pub fn is_retired(&self, id: usize) -> bool {
        self.state.characters[id].back_at == Some(NEVER)
    }

    /// Gives a living character another health, from just above 0 up to the rules' most.
    pub fn set_health(&mut self, id: usize, health: f64) {
        if self.is_alive(id) && health.is_finite() {
            self.state.characters[id].health = health.clamp(1.0, self.rules.health);
        }
    }

    /// Takes an item away for half a minute, as if somebody had just picked it up. Whether there is such a spot.
    pub fn take_item(&mut self, spot: usize) -> bool {
        let back_at = self.state.step + self.rules.steps(TAKEN_SECS);
        self.state.taken_until.get_mut(spot).map(|until| *until = back_at).is_some()
    }

    /// Puts a living character somewhere else, standing. Whether it could stand there.
    pub fn set_position(&mut self, id: usize, at: DVec2) -> bool {
        self.set_place(id, at.extend(self.state.characters[id].body.position.z + 0.5))
    }

    /// The same where rooms lie above rooms: on the floor below a place.
    pub fn set_place(&mut self, id: usize, at: DVec3) -> bool {
        let place: Option<DVec3> = Body::settle(self.scene(), at.truncate(), Some(at.z));
        match place.filter(|_| self.is_alive(id)) {
            Some(place) => {
                self.state.characters[id].body = Body::at(place);
                true
            }
            None => false,
        }
    }

    /// Begins new random numbers: the same moment, another future.
    pub fn reseed(&mut self, seed: u64) {
        self.state.seed = seed;
        self.state.starts = Stream::new(seed, 0, "arena starts");
        for (id, character) in self.state.characters.iter_mut().enumerate() {
            character.aim = Stream::new(seed, id as u64, "arena aim");
        }
    }
}
