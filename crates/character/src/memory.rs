//! What a character believes: things it has seen, as they were when it last looked.
//!
//! Beliefs may be out of date. Looking at a place corrects them: what is not there any more is lost, what has changed is
//! learned. What a kind hides (a lock) is assumed to be as usual until a failed attempt teaches better.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::expression::{Facts, What};
use crate::laws::Laws;
use crate::space::Space;
use crate::vocabulary::{KindId, NameId, PlaceId, PropertyId, ThingId, Value};

/// Which things have names, and what kinds they are of: everybody knows that, though not where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roster {
    /// Kind and name of each thing, by its number.
    pub things: Vec<(KindId, NameId)>,
}

impl Roster {
    /// The kind of a thing, met or not.
    pub fn kind(&self, thing: ThingId) -> Option<KindId> {
        thing.unmet_kind().or_else(|| self.things.get(thing.index()).map(|&(kind, _)| kind))
    }

    /// The name of a thing.
    pub fn name(&self, thing: ThingId) -> Option<NameId> {
        self.things.get(thing.index()).map(|&(_, name)| name)
    }

    /// The thing of a name.
    pub fn named(&self, name: NameId) -> Option<ThingId> {
        self.things.iter().position(|&(_, known)| known == name).map(|at| ThingId(at as u32))
    }

    /// What a thing is called.
    pub fn label<'a>(&self, thing: ThingId, laws: &'a Laws) -> &'a str {
        match (thing.unmet_kind(), self.name(thing)) {
            (Some(kind), _) => laws.kind_name(kind),
            (None, Some(name)) => laws.words.word(name),
            _ => "?",
        }
    }
}

/// What is believed of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Which.
    pub thing: ThingId,
    /// What it is.
    pub kind: KindId,
    /// Where it lies or stands; none if it is carried, or was not where it should have been.
    pub place: Option<PlaceId>,
    /// Who carries it.
    pub holder: Option<ThingId>,
    /// Its properties, in the order of its kind.
    pub values: Vec<Value>,
    /// When it was last seen.
    pub seen: u32,
    /// Where it was last known to be, once it is known not to be there any more.
    #[serde(default)]
    pub was: Option<PlaceId>,
}

/// A thing as it is seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Which.
    pub thing: ThingId,
    /// What it is.
    pub kind: KindId,
    /// Where it is.
    pub place: Option<PlaceId>,
    /// Who carries it.
    pub holder: Option<ThingId>,
    /// Its properties, in the order of its kind. Hidden ones are not looked at.
    pub values: &'a [Value],
}

/// What changed in a memory, as bits: kinds of things, own properties, ways. Two things may share a bit; then something
/// is thought over once too often, never once too seldom.
pub mod changed {
    use crate::vocabulary::{KindId, PropertyId};

    /// Something about a thing of this kind.
    pub const fn kind(kind: KindId) -> u64 {
        1 << (kind.0 % 46)
    }
    /// A property of the character itself.
    pub const fn own(property: PropertyId) -> u64 {
        1 << (46 + property.0 % 14)
    }
    /// Where one can walk.
    pub const WAYS: u64 = 1 << 60;
    /// Where the character stands.
    pub const PLACE: u64 = 1 << 61;
    /// Everything.
    pub const ALL: u64 = u64::MAX;
}

/// What a character believes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Whose.
    pub owner: ThingId,
    /// Sorted by thing.
    beliefs: Vec<Belief>,
    /// What changed since it was last asked; see [`changed`].
    changed: u64,
    #[serde(skip)]
    roster: Arc<Roster>,
}

impl Memory {
    /// An empty memory.
    pub fn new(owner: ThingId, roster: Arc<Roster>) -> Self {
        Memory { owner, beliefs: Vec::new(), changed: changed::ALL, roster }
    }

    /// The names of things.
    pub fn roster(&self) -> &Arc<Roster> {
        &self.roster
    }

    /// Gives a restored memory its names again, which are not saved with it.
    pub fn set_roster(&mut self, roster: Arc<Roster>) {
        self.roster = roster;
    }

    /// All beliefs, by thing.
    pub fn beliefs(&self) -> &[Belief] {
        &self.beliefs
    }

    /// What is believed of a thing.
    pub fn belief(&self, thing: ThingId) -> Option<&Belief> {
        self.beliefs.binary_search_by_key(&thing, |belief| belief.thing).ok().map(|at| &self.beliefs[at])
    }

    fn belief_mut(&mut self, thing: ThingId) -> Option<&mut Belief> {
        self.beliefs.binary_search_by_key(&thing, |belief| belief.thing).ok().map(|at| &mut self.beliefs[at])
    }

    /// What changed since this was last called.
    pub fn take_changed(&mut self) -> u64 {
        std::mem::take(&mut self.changed)
    }

    /// Notes that something changed outside of beliefs, such as where one can walk.
    pub fn note(&mut self, bits: u64) {
        self.changed |= bits;
    }

    fn bits(&self, kind: KindId, thing: ThingId, laws: &Laws) -> u64 {
        // What bars the way changes the ways.
        let bars = !laws.kind(kind).blocks.is_never();
        let own = if thing == self.owner { changed::PLACE } else { 0 };
        changed::kind(kind) | own | if bars { changed::WAYS } else { 0 }
    }

    /// Takes in what is seen of a thing.
    pub fn see(&mut self, seen: Seen<'_>, now: u32, laws: &Laws) {
        let kind = laws.kind(seen.kind);
        let own = seen.thing == self.owner;
        let bits = self.bits(seen.kind, seen.thing, laws);
        let at = match self.beliefs.binary_search_by_key(&seen.thing, |belief| belief.thing) {
            Ok(at) => at,
            Err(at) => {
                let values = kind.properties.iter().map(|&(_, usual)| usual).collect();
                let (thing, kind) = (seen.thing, seen.kind);
                self.beliefs.insert(
                    at,
                    Belief { thing, kind, place: None, holder: None, values, seen: now, was: None },
                );
                self.changed |= bits;
                at
            }
        };
        let belief = &mut self.beliefs[at];
        (belief.seen, belief.was) = (now, None);
        let mut noticed = 0;
        if own {
            // Walking alone changes no belief about oneself but the place.
            if belief.place != seen.place {
                noticed |= changed::PLACE;
            }
            belief.place = seen.place;
        } else if belief.place != seen.place || belief.holder != seen.holder {
            (belief.place, belief.holder) = (seen.place, seen.holder);
            noticed |= bits;
        }
        for (slot, (&value, &(property, _))) in seen.values.iter().zip(&kind.properties).enumerate() {
            let visible = own || !kind.hidden.contains(&property);
            if visible && belief.values[slot] != value {
                belief.values[slot] = value;
                noticed |= if own { changed::own(property) } else { bits };
            }
        }
        self.changed |= noticed;
    }

    /// Everything thought to be at a place that is in view, and was not seen there now, is lost: somebody took it. It is
    /// still known that it exists.
    pub fn look(&mut self, is_in_view: impl Fn(PlaceId) -> bool, now: u32, laws: &Laws) {
        for at in 0..self.beliefs.len() {
            let belief = &self.beliefs[at];
            if belief.seen < now && belief.thing != self.owner && belief.place.is_some_and(&is_in_view) {
                let bits = self.bits(belief.kind, belief.thing, laws);
                self.beliefs[at].was = self.beliefs[at].place.take();
                self.changed |= bits;
            }
        }
    }

    /// What somebody else carried when it was last seen, before a step, may lie anywhere by now.
    pub fn doubt(&mut self, before: u32, laws: &Laws) {
        for at in 0..self.beliefs.len() {
            let belief = &self.beliefs[at];
            let is_elsewhere = belief.holder.is_some_and(|holder| holder != self.owner);
            if is_elsewhere && belief.seen < before {
                let (bits, was) = (self.bits(belief.kind, belief.thing, laws), self.last_place(belief.thing));
                (self.beliefs[at].holder, self.beliefs[at].was) = (None, was);
                self.changed |= bits;
            }
        }
    }

    /// When a thing was last seen that is not where it was then, or the last of a kind of which one is missed: since then it has
    /// been somewhere else. None if nothing is missed.
    pub fn missed_since(&self, thing: ThingId) -> Option<u32> {
        let is = |belief: &&Belief| belief.thing == thing || Some(belief.kind) == thing.unmet_kind();
        self.missed().filter(is).map(|belief| belief.seen).max()
    }

    /// Things that are not where they were, of which it is not known where they are.
    pub fn missed(&self) -> impl Iterator<Item = &Belief> {
        let is_missed =
            |belief: &&Belief| belief.was.is_some() && belief.place.is_none() && belief.holder.is_none();
        self.beliefs.iter().filter(is_missed)
    }

    /// Where a thing or who carries it is, or was when it was lost.
    fn last_place(&self, thing: ThingId) -> Option<PlaceId> {
        let belief = self.belief(thing)?;
        let carrier = belief.holder.and_then(|holder| self.belief(holder)).unwrap_or(belief);
        carrier.place.or(carrier.was)
    }

    /// Learns a property by trying, hidden or not, also of a thing that was never met: who pulls the lever knows that the
    /// gate is open.
    pub fn learn(&mut self, thing: ThingId, property: PropertyId, value: Value, laws: &Laws) {
        if let Err(at) = self.beliefs.binary_search_by_key(&thing, |belief| belief.thing) {
            let Some(kind) = self.roster.kind(thing).filter(|_| thing.unmet_kind().is_none()) else { return };
            let values = laws.kind(kind).properties.iter().map(|&(_, usual)| usual).collect();
            let (place, holder, seen, was) = (None, None, 0, None);
            self.beliefs.insert(at, Belief { thing, kind, place, holder, values, seen, was });
        }
        let Some(belief) = self.belief(thing) else { return };
        let (kind, bits) = (belief.kind, self.bits(belief.kind, thing, laws));
        let Some(slot) = laws.kind(kind).slot(property) else { return };
        if let Some(belief) = self.belief_mut(thing)
            && belief.values[slot] != value
        {
            belief.values[slot] = value;
            self.changed |= if thing == self.owner { changed::own(property) } else { bits };
        }
    }

    /// Believes somebody to carry a thing, or nobody.
    pub fn hand(&mut self, thing: ThingId, holder: Option<ThingId>, place: Option<PlaceId>, laws: &Laws) {
        let Some(belief) = self.belief(thing) else { return };
        let bits = self.bits(belief.kind, thing, laws);
        if let Some(belief) = self.belief_mut(thing)
            && (belief.holder, belief.place) != (holder, place)
        {
            (belief.holder, belief.place) = (holder, place);
            self.changed |= bits;
        }
    }

    /// Forgets a thing: it is gone for good. What it carried lies where it was, as far as that is known.
    pub fn forget(&mut self, thing: ThingId, laws: &Laws) {
        if let Ok(at) = self.beliefs.binary_search_by_key(&thing, |belief| belief.thing) {
            self.changed |= self.bits(self.beliefs[at].kind, thing, laws);
            let gone = self.beliefs.remove(at);
            for at in 0..self.beliefs.len() {
                if self.beliefs[at].holder == Some(thing) {
                    (self.beliefs[at].place, self.beliefs[at].holder) = (gone.place, None);
                    self.changed |= self.bits(self.beliefs[at].kind, self.beliefs[at].thing, laws);
                }
            }
        }
    }

    /// Where a thing is thought to be: its own place, or that of who carries it.
    pub fn place(&self, thing: ThingId) -> Option<PlaceId> {
        let belief = self.belief(thing)?;
        match belief.holder {
            Some(holder) if holder != thing => self.belief(holder)?.place,
            _ => belief.place,
        }
    }

    /// Whether the owner carries it.
    pub fn carries(&self, thing: ThingId) -> bool {
        self.belief(thing).is_some_and(|belief| belief.holder == Some(self.owner))
    }

    /// What the owner carries.
    pub fn carried(&self) -> impl Iterator<Item = &Belief> {
        self.beliefs.iter().filter(|belief| belief.holder == Some(self.owner))
    }
}

/// A memory as facts.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What is believed.
    pub memory: &'a Memory,
    /// Where one can walk.
    pub space: &'a dyn Space,
    /// The laws.
    pub laws: &'a Laws,
}

impl Facts for View<'_> {
    fn value(&self, thing: ThingId, property: PropertyId) -> Option<Value> {
        if let Some(belief) = self.memory.belief(thing) {
            let slot = self.laws.kind(belief.kind).slot(property)?;
            return belief.values.get(slot).copied();
        }
        // Never met: as usual.
        self.laws.kind(self.memory.roster.kind(thing)?).usual(property)
    }

    fn owns(&self, holder: ThingId, what: What) -> bool {
        let is = |belief: &Belief| match what {
            What::Thing(thing) => belief.thing == thing,
            What::Word(word) => {
                self.memory.roster.name(belief.thing) == Some(word)
                    || self.laws.kind(belief.kind).name == word
            }
        };
        self.memory.beliefs.iter().any(|belief| belief.holder == Some(holder) && is(belief))
    }

    fn named(&self, name: NameId) -> Option<ThingId> {
        self.memory.roster.named(name)
    }

    fn all_named(&self, word: NameId) -> Vec<ThingId> {
        let is = |belief: &&Belief| {
            self.memory.roster.name(belief.thing) == Some(word) || self.laws.kind(belief.kind).name == word
        };
        self.memory.beliefs.iter().filter(is).map(|belief| belief.thing).collect()
    }

    fn distance(&self, a: ThingId, b: ThingId) -> Option<f64> {
        if a == b || self.memory.belief(a).is_some_and(|belief| belief.holder == Some(b)) {
            return Some(0.0);
        }
        Some(self.space.distance(self.memory.place(a)?, self.memory.place(b)?))
    }
}
