//! Bodies that are led instead of steered: they are where their mind wants them, whatever the map and others do.
//!
//! Somebody who is led is seen, heard, hit and killed like others, and picks up what it comes by. Nothing pushes or stops it, falls and
//! harmful floors do it no harm (the recorded player paid for them), and others run through it: a body that cannot be stopped would
//! jam them into walls. Whoever stands where it comes out at once dies, as at a teleporter's exit.

use glam::DVec3;
use repertoire_mind::{Event, Lead, LedHow, Sound, Weapon, turn_between, wrap_angle};

use super::state::{Character, Heard};
use super::{STEEPEST, World};

impl World {
    /// Leads a character until the next decision, instead of letting it steer.
    pub fn lead(&mut self, id: usize, lead: Lead) {
        let sane = |part: f64| if part.is_finite() { part } else { 0.0 };
        let vector = |at: DVec3| DVec3::new(sane(at.x), sane(at.y), sane(at.z));
        self.state.characters[id].led = Some(Lead {
            position: vector(lead.position),
            velocity: vector(lead.velocity),
            yaw: wrap_angle(sane(lead.yaw)),
            pitch: sane(lead.pitch).clamp(-STEEPEST, STEEPEST),
            ..lead
        });
    }

    /// Lets a character steer again that was led; one that was not goes on as it did.
    pub fn release(&mut self, id: usize) {
        self.state.characters[id].led = None;
    }

    /// Where a character is led; none if it steers.
    pub fn led(&self, id: usize) -> Option<Lead> {
        self.state.characters[id].led
    }

    /// A character that has just joined is not yet there, and waits to be led.
    pub fn await_lead(&mut self, id: usize) {
        let tally = self.state.characters[id].tally;
        let unborn = Character::unborn(self.state.seed, id as u8, &self.rules);
        self.state.characters[id] = Character { tally, led: Some(Lead::default()), ..unborn };
        self.events[id].clear();
    }

    /// One step of somebody who is led.
    pub(super) fn follow(&mut self, id: usize) {
        let Some(lead) = self.state.characters[id].led else { return };
        let every = u64::from(self.rules.steps_per_decision);
        let done = (self.state.step - 1) % every;
        match (lead.how, self.is_alive(id)) {
            (LedHow::Away, true) => self.leave(id),
            (LedHow::Away, false) => {}
            (LedHow::At | LedHow::Along, false) => {
                let character = &mut self.state.characters[id];
                if character.back_at.is_some_and(|at| at > self.state.step) {
                    return;
                }
                character.begin_life(lead.position, lead.yaw, &self.rules);
                self.events[id].push(Event::Spawned { position: lead.position });
                self.put(id, &lead, 1.0);
                self.crush_at_exit(id, lead.position);
            }
            (LedHow::At, true) => {
                let is_there = self.state.characters[id].body.position == lead.position;
                self.put(id, &lead, 1.0);
                if done == 0 && !is_there {
                    self.events[id].push(Event::Teleported { position: lead.position });
                    self.crush_at_exit(id, lead.position);
                }
            }
            (LedHow::Along, true) => self.put(id, &lead, 1.0 / (every - done) as f64),
        }
        if self.is_alive(id)
            && let Some(weapon) = lead.weapon
        {
            self.hold(id, weapon);
        }
    }

    /// Moves a body a share of what is left of its way; with 1 it is there to the bit.
    fn put(&mut self, id: usize, lead: &Lead, share: f64) {
        let heard_fall = self.rules.heard_fall_m_per_sec;
        let character = &mut self.state.characters[id];
        let body = &mut character.body;
        if share < 1.0 {
            body.position = body.position.lerp(lead.position, share);
            body.velocity = body.velocity.lerp(lead.velocity, share);
            character.yaw = wrap_angle(character.yaw + share * turn_between(character.yaw, lead.yaw));
            character.pitch += share * (lead.pitch - character.pitch);
            return;
        }
        let lands = lead.on_ground && !body.on_ground && body.velocity.z < -heard_fall;
        (body.position, body.velocity, body.on_ground) = (lead.position, lead.velocity, lead.on_ground);
        (character.yaw, character.pitch) = (lead.yaw, lead.pitch);
        if lands {
            self.state.noises.push(Heard { sound: Sound::Fall, by: id as u8, position: lead.position });
        }
    }

    /// Has a weapon in hand with at least a shot in it.
    fn hold(&mut self, id: usize, weapon: Weapon) {
        let rules = &self.rules;
        let slot = rules.slot(weapon);
        let character = &mut self.state.characters[id];
        character.weapon = rules.weapon(slot);
        character.weapons[slot] = true;
        let ammo = &mut character.ammo[rules.ammo_slot(slot)];
        *ammo = (*ammo).max(rules.weapons[slot].modes[0].ammo);
    }

    /// Dies because the recorded player did: nobody is to blame, and no frag is lost. It may live again at once.
    fn leave(&mut self, id: usize) {
        let character = &mut self.state.characters[id];
        character.health = 0.0;
        character.back_at = Some(self.state.step);
        character.tally.deaths += 1;
        self.events[id].push(Event::Died { by: None, weapon: None });
    }
}
