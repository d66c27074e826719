//! Acting: walking a place, or trying an interaction. The world decides whether it works; who tried learns why not.

use repertoire_character::expression::{
    Change, Condition, Facts, Roles, Term, Test, Who, apply, holds, resolve,
};
use repertoire_character::memory::View;
use repertoire_character::{Deed, PlaceId, ThingId};

use super::World;
use crate::rooms::known::Ground;
use crate::rooms::log::Act;

impl World {
    /// Does what was decided, or goes where it can be done.
    pub(super) fn carry_out(&mut self, who: usize, deed: Deed, goal: Option<u16>) -> Act {
        let scenario = self.scenario.clone();
        let from = self.place_of(who);
        let resident = &self.residents[who];
        let memory = &resident.character.memory;
        let ground = Ground::new(&scenario.grid, &resident.known, memory, &scenario.laws, from);
        match deed {
            Deed::Perform { interaction, target, item } => {
                let view = View { memory, space: &ground, laws: &scenario.laws };
                let roles = Roles { actor: resident.thing, target: Some(target), item };
                let law = scenario.laws.interaction(interaction);
                if holds(&law.guard, &roles, &view) {
                    let steps = resident.temper.steps(deed);
                    if steps > 1 {
                        self.residents[who].busy = Some((deed, steps - 1, goal));
                        return Act::Busy(deed);
                    }
                    return self.perform(who, deed, goal);
                }
                let next = memory.place(target).and_then(|to| ground.next_step(to));
                self.residents[who].exploring = None;
                self.walk(who, deed, next)
            }
            Deed::Explore => {
                let kept = resident.exploring;
                let frontier = ground.frontier();
                let to = match kept.filter(|to| frontier.iter().any(|(_, place)| place == to)) {
                    Some(to) => Some(to),
                    None => {
                        // Of the nearest, straight on; otherwise one at random: nobody explores like clockwork.
                        let nearest = frontier.first().map(|&(steps, _)| steps);
                        let ties: Vec<PlaceId> = frontier
                            .iter()
                            .take_while(|(steps, _)| Some(*steps) == nearest)
                            .map(|&(_, place)| place)
                            .collect();
                        let ahead = scenario.grid.beside(from, resident.facing);
                        let straight =
                            ties.iter().copied().find(|&to| ahead.is_some() && ground.next_step(to) == ahead);
                        match straight {
                            Some(to) => Some(to),
                            None => {
                                let at = (self.residents[who].draw.unit() * ties.len() as f64) as usize;
                                ties.get(at).copied()
                            }
                        }
                    }
                };
                let resident = &self.residents[who];
                let ground = Ground::new(
                    &scenario.grid,
                    &resident.known,
                    &resident.character.memory,
                    &scenario.laws,
                    from,
                );
                let next = to.and_then(|to| ground.next_step(to));
                self.residents[who].exploring = to;
                self.walk(who, deed, next)
            }
            Deed::Go(_) | Deed::Case(_) => Act::Wait,
        }
    }

    fn walk(&mut self, who: usize, deed: Deed, next: Option<PlaceId>) -> Act {
        let Some(next) = next else { return Act::Fail(deed) };
        // It believed the way to be free, and it is not: it will see what bars it.
        if self.is_barred(next) {
            return Act::Fail(deed);
        }
        let from = self.place_of(who);
        let ((ax, ay), (bx, by)) = (self.scenario.grid.xy(from), self.scenario.grid.xy(next));
        self.residents[who].facing = (bx as i32 - ax as i32, by as i32 - ay as i32);
        let body = self.residents[who].thing;
        self.things[body.index()].place = Some(next);
        Act::Walk(deed)
    }

    /// Tries an interaction.
    pub(super) fn perform(&mut self, who: usize, deed: Deed, goal: Option<u16>) -> Act {
        let Deed::Perform { interaction, target, item } = deed else { return Act::Wait };
        let scenario = self.scenario.clone();
        let law = scenario.laws.interaction(interaction);
        let roles = Roles { actor: self.residents[who].thing, target: Some(target), item };
        let exists = |thing: ThingId| self.things.get(thing.index()).is_some_and(|thing| !thing.gone);
        let free = |thing: ThingId| {
            let holder = self.things[thing.index()].holder;
            holder.is_none() || holder == Some(roles.actor)
        };
        if !exists(target) || !free(target) || item.is_some_and(|item| !exists(item)) {
            self.residents[who].character.memory.forget(target, &scenario.laws);
            return Act::Fail(deed);
        }
        let works = holds(&law.guard, &roles, &self.truth()) && holds(&law.condition, &roles, &self.truth());
        if !works {
            self.learn_why(who, &law.condition, &roles);
            return Act::Fail(deed);
        }
        let changes = apply(&law.action, &roles, &self.truth());
        for &change in &changes {
            self.change(change);
            let place = |thing: ThingId| self.things[thing.index()].place;
            let memory = &mut self.residents[who].character.memory;
            let laws = &scenario.laws;
            match change {
                Change::Set(thing, property, value) => memory.learn(thing, property, value, laws),
                Change::Gain(holder, thing) => memory.hand(thing, Some(holder), None, laws),
                Change::Lose(_, thing) => memory.hand(thing, None, place(thing), laws),
                Change::Remove(thing) => memory.forget(thing, laws),
            }
        }
        self.credit(who, goal);
        Act::Do(deed)
    }

    /// What the condition asked for is noticed as it is: the lock holds.
    fn learn_why(&mut self, who: usize, condition: &Condition, roles: &Roles) {
        let scenario = self.scenario.clone();
        for test in condition.tests() {
            let Test::Compare(left, _, right) = test else { continue };
            for term in [left, right] {
                let Term::Property(whose, property) = term else { continue };
                if *whose == Who::Actor {
                    continue;
                }
                let truth = self.truth();
                let Some(thing) = resolve(*whose, roles, &truth) else { continue };
                if let Some(value) = truth.value(thing, *property) {
                    let memory = &mut self.residents[who].character.memory;
                    memory.learn(thing, *property, value, &scenario.laws);
                }
            }
        }
    }
}
