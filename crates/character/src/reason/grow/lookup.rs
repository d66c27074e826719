//! Looking things up while a tree grows: what a branch depends on, and what there is to act on.

use super::Grower;
use crate::expression::{Facts, Object, Roles, Term, Test, What, Who, resolve, what};
use crate::memory::changed;
use crate::vocabulary::{InteractionId, KindId, PropertyId, ThingId};

impl Grower<'_> {
    /// What a thing's state is kept under.
    pub(super) fn bits_of(&self, thing: ThingId) -> u64 {
        self.view.memory.roster().kind(thing).map_or(0, changed::kind)
    }

    pub(super) fn bits_of_property(&self, thing: ThingId, property: PropertyId) -> u64 {
        if thing == self.me() { changed::own(property) } else { self.bits_of(thing) }
    }

    pub(super) fn bits_of_what(&self, what: What) -> u64 {
        match what {
            What::Thing(thing) => self.bits_of(thing),
            What::Word(word) => {
                let kind = self.view.laws.kind_named(word);
                let named = self.view.memory.roster().named(word);
                kind.map_or(0, changed::kind) | named.map_or(0, |thing| self.bits_of(thing))
            }
        }
    }

    pub(super) fn bits_of_test(&self, test: &Test, roles: &Roles) -> u64 {
        let who = |who: &Who| resolve(*who, roles, self.view);
        match test {
            Test::Compare(left, _, right) => self.bits_of_term(left, roles) | self.bits_of_term(right, roles),
            Test::Owns(_, object, _) => {
                let named = match object {
                    Object::Property(of, property) => {
                        who(of).map_or(0, |thing| self.bits_of_property(thing, *property))
                    }
                    _ => 0,
                };
                named | what(object, roles, self.view).map_or(0, |what| self.bits_of_what(what))
            }
            Test::Distance(a, b, ..) => self.bits_of_distance(*a, *b, roles),
        }
    }

    fn bits_of_distance(&self, a: Who, b: Who, roles: &Roles) -> u64 {
        let of = |party: Who| match party {
            Who::Named(word) => self.bits_of_what(What::Word(word)),
            party => resolve(party, roles, self.view).map_or(0, |thing| self.bits_of(thing)),
        };
        changed::PLACE | of(a) | of(b)
    }

    pub(super) fn bits_of_term(&self, term: &Term, roles: &Roles) -> u64 {
        match term {
            Term::Value(_) => 0,
            Term::Distance(a, b) => self.bits_of_distance(*a, *b, roles),
            Term::Property(who, property) => {
                resolve(*who, roles, self.view).map_or(0, |thing| self.bits_of_property(thing, *property))
            }
            Term::Sum(parts) | Term::Difference(parts) | Term::Product(parts) => {
                self.bits_of_term(&parts.0, roles) | self.bits_of_term(&parts.1, roles)
            }
        }
    }

    pub(super) fn can_undergo(&self, thing: ThingId, id: InteractionId) -> bool {
        if self.view.laws.interaction(id).is_alone {
            return thing == self.me();
        }
        let kind = self.view.memory.roster().kind(thing);
        kind.is_some_and(|kind| self.view.laws.kind(kind).undergoes.contains(&id))
    }

    /// Whether the character could lay hands on it: it carries it, or nobody does and it knows where it is.
    pub(super) fn is_at_hand(&self, thing: ThingId) -> bool {
        let Some(belief) = self.view.memory.belief(thing) else { return false };
        match belief.holder {
            Some(holder) => holder == self.me(),
            None => belief.place.is_some(),
        }
    }

    /// Known things that can undergo an interaction, the nearest first, and what knowing them depends on.
    pub(super) fn targets(&self, id: InteractionId) -> (Vec<ThingId>, u64) {
        if self.view.laws.interaction(id).is_alone {
            return (vec![self.me()], 0);
        }
        let kinds = self.view.laws.kinds.iter().enumerate();
        let bits = kinds
            .filter(|(_, kind)| kind.undergoes.contains(&id))
            .fold(0, |bits, (at, _)| bits | changed::kind(KindId(at as u16)));
        let beliefs = self.view.memory.beliefs().iter().map(|belief| belief.thing);
        let known = beliefs.filter(|&thing| self.is_at_hand(thing) && self.can_undergo(thing, id)).collect();
        let (known, near) = self.nearest(known);
        (known, bits | near)
    }

    /// Known things of a name or kind: those the character carries, or those that lie about.
    pub(super) fn matching(&self, wanted: What, carried: bool) -> Vec<ThingId> {
        let beliefs = self.view.memory.beliefs().iter().filter(|belief| self.is(belief.thing, wanted));
        let fitting = beliefs.filter(|belief| match carried {
            true => belief.holder == Some(self.me()),
            false => belief.holder.is_none() && belief.place.is_some(),
        });
        fitting.map(|belief| belief.thing).collect()
    }

    /// Whether a thing is the one that is meant, or of its name or kind.
    pub(super) fn is(&self, thing: ThingId, meant: What) -> bool {
        let (roster, laws) = (self.view.memory.roster(), self.view.laws);
        match meant {
            What::Thing(only) => thing == only,
            What::Word(word) => {
                roster.name(thing) == Some(word)
                    || roster.kind(thing).is_some_and(|kind| laws.kind(kind).name == word)
            }
        }
    }

    /// The nearest of some things, where there are more than the limit; which they are then depends on where one stands.
    pub(super) fn nearest(&self, mut things: Vec<ThingId>) -> (Vec<ThingId>, u64) {
        if things.len() <= self.limits.targets {
            return (things, 0);
        }
        let far = |thing: ThingId| self.view.distance(self.me(), thing).unwrap_or(f64::INFINITY);
        things.sort_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
        things.truncate(self.limits.targets);
        things.sort_unstable();
        (things, changed::PLACE)
    }

    /// Something of each kind that can undergo an interaction, not met yet.
    pub(super) fn unmet_kinds(&self, id: InteractionId) -> Vec<ThingId> {
        let kinds = self.view.laws.kinds.iter().enumerate();
        kinds
            .filter(|(_, kind)| kind.undergoes.contains(&id))
            .map(|(at, _)| ThingId::unmet(KindId(at as u16)))
            .collect()
    }

    /// What is wanted, while its place is not known.
    pub(super) fn unmet_of(&self, wanted: What) -> Vec<ThingId> {
        match wanted {
            What::Thing(thing) if thing.unmet_kind().is_some() || !self.is_at_hand(thing) => {
                if self.is_carried_by_another(thing) { Vec::new() } else { vec![thing] }
            }
            What::Thing(_) => Vec::new(),
            What::Word(word) => match self.view.laws.kind_named(word) {
                Some(kind) => vec![ThingId::unmet(kind)],
                None => {
                    let named = self.view.memory.roster().named(word);
                    let missing =
                        named.filter(|&thing| !self.is_at_hand(thing) && !self.is_carried_by_another(thing));
                    missing.into_iter().collect()
                }
            },
        }
    }

    pub(super) fn is_carried_by_another(&self, thing: ThingId) -> bool {
        let holder = self.view.memory.belief(thing).and_then(|belief| belief.holder);
        holder.is_some_and(|holder| holder != self.me())
    }
}
