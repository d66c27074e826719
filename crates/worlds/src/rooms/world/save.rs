//! Saving, restoring, and one number for the whole state.

use rand_core::Rng;
use repertoire_character::{PlaceId, ThingId, Value};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::{Thing, World};
use crate::rooms::known::{Cell, Known};
use crate::rooms::scenario::Knows;
use crate::rooms::search::Search;
use crate::rooms::social::{Esteem, Request};

/// A thing as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedThing {
    place: Option<PlaceId>,
    holder: Option<ThingId>,
    values: Vec<Value>,
    gone: bool,
}

/// A character as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedResident {
    character: repertoire_character::character::Saved,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mind: Option<repertoire_mind::game::State>,
    known: Known,
    /// Not in states of earlier versions: then every place that is known was seen just now.
    #[serde(default)]
    search: Option<Search>,
    busy: Option<(repertoire_character::character::SavedDeed, u32, Option<u16>)>,
    exploring: Option<PlaceId>,
    facing: (i32, i32),
    #[serde(default)]
    was: PlaceId,
    requests: Vec<Request>,
    esteem: Vec<Esteem>,
    draw: Stream,
}

/// A world in the middle of a run. It belongs to a scenario and to profiles, which are not saved with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    seed: u64,
    step: u32,
    things: Vec<SavedThing>,
    residents: Vec<SavedResident>,
}

impl World {
    /// Everything that later steps depend on.
    pub fn save(&self) -> Saved {
        let things = self.things.iter().map(|thing| SavedThing {
            place: thing.place,
            holder: thing.holder,
            values: thing.values.clone(),
            gone: thing.gone,
        });
        let residents = self.residents.iter().map(|resident| SavedResident {
            character: resident.character.save(),
            mind: resident.mind.as_ref().map(|mind| mind.state().clone()),
            known: resident.known.clone(),
            search: Some(resident.search.clone()),
            busy: resident.busy.map(|(deed, left, goal)| (deed.into(), left, goal)),
            exploring: resident.exploring,
            facing: resident.facing,
            was: resident.was,
            requests: resident.requests.clone(),
            esteem: resident.esteem.clone(),
            draw: resident.draw.clone(),
        });
        Saved { seed: self.seed, step: self.step, things: things.collect(), residents: residents.collect() }
    }

    /// Goes on from a saved state; `false` if it is not one of this scenario.
    pub fn restore(&mut self, saved: &Saved) -> bool {
        let places = self.scenario.grid.len();
        let fits = saved.things.len() == self.things.len()
            && saved.residents.len() == self.residents.len()
            && saved.things.iter().zip(&self.things).all(|(s, t)| s.values.len() == t.values.len())
            && saved
                .residents
                .iter()
                .filter_map(|saved| saved.search.as_ref())
                .all(|search| search.fits(places));
        let minds = self.residents.iter().zip(&saved.residents).map(|(resident, saved)| {
            match (&resident.mind, &saved.mind) {
                (Some(mind), Some(state)) => {
                    let mut mind = mind.clone();
                    mind.restore(state.clone()).is_ok().then_some(Some(mind))
                }
                (None, None) => Some(None),
                _ => None,
            }
        });
        let minds: Option<Vec<_>> = minds.collect();
        let (true, Some(minds)) = (fits, minds) else { return false };
        (self.seed, self.step) = (saved.seed, saved.step);
        for (thing, saved) in self.things.iter_mut().zip(&saved.things) {
            *thing = Thing {
                place: saved.place,
                holder: saved.holder,
                values: saved.values.clone(),
                gone: saved.gone,
            };
        }
        for ((resident, saved), mind) in self.residents.iter_mut().zip(&saved.residents).zip(minds) {
            resident.mind = mind;
            resident.character.restore(&saved.character);
            resident.known = saved.known.clone();
            resident.search = saved.search.clone().unwrap_or_else(|| {
                let mut search = Search::new(places);
                let known = (0..places as PlaceId).filter(|&place| saved.known.cell(place) != Cell::Unknown);
                known.for_each(|place| search.look(place, self.step));
                search
            });
            resident.busy = saved.busy.map(|(deed, left, goal)| (deed.into(), left, goal));
            resident.exploring = saved.exploring;
            resident.facing = saved.facing;
            resident.was = saved.was;
            resident.requests = saved.requests.clone();
            resident.esteem = saved.esteem.clone();
            resident.draw = saved.draw.clone();
            resident.signature = 0;
        }
        true
    }

    /// One number for the state: two worlds with the same hash go on in the same way.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |word: u64| hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
        mix(self.seed);
        mix(u64::from(self.step));
        let value = |value: &Value| match value {
            Value::Bool(yes) => u64::from(*yes),
            Value::Number(number) => number.to_bits(),
            Value::Name(name) => u64::from(name.0) | 1 << 40,
        };
        for thing in &self.things {
            mix(thing.place.map_or(0, |place| u64::from(place) + 1));
            mix(thing.holder.map_or(0, |holder| u64::from(holder.0) + 1) | u64::from(thing.gone) << 40);
            thing.values.iter().for_each(|v| mix(value(v)));
        }
        for (resident, part) in self.residents.iter().zip(&self.scenario.characters) {
            for belief in resident.character.memory.beliefs() {
                mix(u64::from(belief.thing.0) | u64::from(belief.seen) << 32);
                mix(belief.place.map_or(0, |place| u64::from(place) + 1));
                mix(belief.holder.map_or(0, |holder| u64::from(holder.0) + 1));
                belief.values.iter().for_each(|v| mix(value(v)));
            }
            mix(resident.known.count() as u64);
            // For who is alone and began with nothing, what was looked at is what is known.
            if part.looks_again.is_some() || part.knows != Knows::Nothing {
                resident.search.numbers().for_each(&mut mix);
            }
            mix(resident.exploring.map_or(0, |place| u64::from(place) + 1));
            mix(resident.busy.map_or(0, |(_, left, _)| u64::from(left)));
            mix(resident.requests.len() as u64);
            for of in &resident.esteem {
                mix(u64::from(of.helped) | u64::from(of.refused) << 32);
            }
            mix(resident.draw.clone().next_u64());
            if let Some(mind) = &resident.mind {
                // A state is numbers and words, all of which JSON has.
                let bytes = serde_json::to_vec(mind.state()).unwrap_or_default();
                bytes.iter().for_each(|&byte| mix(u64::from(byte)));
            }
        }
        hash
    }
}
