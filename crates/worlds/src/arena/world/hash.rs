//! One number for the whole state: two worlds with the same hash go on in the same way.

use rand_core::Rng;
use repertoire_mind::{Command, Fire, Lead};
use repertoire_prob::Stream;

use super::World;
use super::state::Character;

/// Mixes numbers into one, in order.
struct Mixer(u64);

impl Mixer {
    fn add(&mut self, word: u64) {
        // The multiplier of FNV-1a on whole words, and a rotation so that high bits come back down.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }

    fn real(&mut self, number: f64) {
        self.add(number.to_bits());
    }

    fn vector(&mut self, vector: glam::DVec3) {
        self.real(vector.x);
        self.real(vector.y);
        self.real(vector.z);
    }

    /// A generator's next number stands for its state.
    fn stream(&mut self, stream: &Stream) {
        self.add(stream.clone().next_u64());
    }

    fn command(&mut self, command: &Command) {
        for number in [command.yaw, command.pitch, command.forward, command.lateral] {
            self.real(number);
        }
        let fire = match command.fire {
            Fire::None => 0,
            Fire::Primary => 1,
            Fire::Secondary => 2,
        };
        let weapon = command.weapon.map_or(0, |weapon| weapon as u64 + 1);
        self.add(u64::from(command.jump) | fire << 1 | weapon << 3);
    }

    fn lead(&mut self, lead: &Lead) {
        self.vector(lead.position);
        self.vector(lead.velocity);
        self.real(lead.yaw);
        self.real(lead.pitch);
        let weapon = lead.weapon.map_or(0, |weapon| weapon as u64 + 1);
        self.add(lead.how as u64 | u64::from(lead.on_ground) << 2 | weapon << 3);
    }

    fn character(&mut self, character: &Character) {
        self.vector(character.body.position);
        self.vector(character.body.velocity);
        if character.body.thrown_secs != 0.0 {
            self.real(f64::from(character.body.thrown_secs));
        }
        for number in [character.yaw, character.pitch, character.health] {
            self.real(number);
        }
        self.add(u64::from(character.life) | u64::from(character.body.on_ground) << 32);
        self.add(character.back_at.map_or(0, |at| at + 1));
        self.add(character.ready_at);
        let owned = character.weapons.iter().fold(0, |bits, &owned| bits << 1 | u64::from(owned));
        self.add(
            character.weapon.slot() as u64 | owned << if character.weapon.is_of_quake() { 3 } else { 2 },
        );
        for &ammo in &character.ammo {
            self.add(u64::from(ammo));
        }
        if !character.gear.is_none() {
            self.real(character.gear.armour);
            self.real(character.gear.takes);
            self.add(character.gear.quad_until);
        }
        let tally = &character.tally;
        self.add(tally.frags as u64);
        for count in [tally.deaths, tally.suicides, tally.shots, tally.hits, tally.damage, tally.items] {
            self.add(u64::from(count));
        }
        for hit in &character.hits {
            self.real(hit.damage);
            self.real(hit.yaw);
        }
        self.command(&character.command);
        if let Some(lead) = &character.led {
            self.lead(lead);
        }
        self.stream(&character.aim);
    }
}

impl World {
    /// The hash of the state.
    pub fn hash(&self) -> u64 {
        let mut mixer = Mixer(0xcbf2_9ce4_8422_2325);
        let state = &self.state;
        mixer.add(state.seed);
        mixer.add(state.step);
        for character in &state.characters {
            mixer.character(character);
        }
        for &until in &state.taken_until {
            mixer.add(until);
        }
        for flying in &state.projectiles {
            mixer.vector(flying.position);
            mixer.vector(flying.velocity);
            if let Some(bursts_at) = flying.bursts_at {
                mixer.add(bursts_at);
            }
            mixer.add(
                u64::from(flying.owner) | u64::from(flying.secondary) << 8 | u64::from(flying.counted) << 9,
            );
        }
        for mega in &state.megas {
            mixer.add(u64::from(mega.spot) | u64::from(mega.owner) << 16 | u64::from(mega.life) << 32);
            mixer.add(mega.goes_at);
        }
        for noise in &state.noises {
            mixer.vector(noise.position);
            mixer.add(u64::from(noise.by) | (noise.sound as u64) << 8);
        }
        mixer.stream(&state.starts);
        mixer.0
    }
}
