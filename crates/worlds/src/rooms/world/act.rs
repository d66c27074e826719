//! Acting: walking a place, or trying an interaction. The world decides whether it works; who tried learns why not.

use repertoire_character::expression::{
    Change, Condition, Facts, Op, Roles, Term, Test, What, Who, apply, holds, resolve,
};
use repertoire_character::memory::View;
use repertoire_character::reason::{Content, Wanted};
use repertoire_character::{Deed, PlaceId, Space, ThingId, Weighed};
use repertoire_prob::Stream;

use super::{Resident, World};
use crate::rooms::known::{Cell, Ground, Known};
use crate::rooms::log::Act;
use crate::rooms::search::Search;

/// Whether a guard asks for more distance than there is.
fn is_too_near(guard: &Condition, roles: &Roles, view: &View<'_>) -> bool {
    guard.tests().into_iter().any(|test| {
        let wants_more = matches!(test, Test::Distance(_, _, Op::More | Op::AtLeast, _));
        wants_more && !holds(&Condition::Test(test.clone()), roles, view)
    })
}

/// Choosing where to look next.
struct Looking<'a> {
    ground: &'a Ground<'a>,
    search: &'a Search,
    known: &'a Known,
    step: u32,
    looks_again: Option<u32>,
    since: Option<u32>,
}

impl Looking<'_> {
    /// Into unknown ground, or where the belief about what is looked for says, whichever is likelier to show it. What was
    /// chosen is kept until it is in view.
    fn next(
        &self,
        belief: Option<&[f64]>,
        kept: Option<PlaceId>,
        ahead: Option<PlaceId>,
        draw: &mut Stream,
    ) -> Option<PlaceId> {
        let frontier = self.ground.frontier();
        if let Some(to) = kept.filter(|to| frontier.iter().any(|(_, place)| place == to)) {
            return Some(to);
        }
        let is_left = |place: PlaceId| {
            self.search.is_worth_a_look(place, self.step, self.looks_again)
                || self.since.is_some_and(|since| self.search.is_before(place, since))
        };
        let places: Vec<(u32, PlaceId)> = self.ground.within_reach().collect();
        let is_kept = |to: &PlaceId| {
            let is_in_reach = places.iter().any(|(_, place)| place == to);
            is_in_reach && !self.search.is_in_view(*to, self.step) && (is_left(*to) || belief.is_some())
        };
        if let Some(to) = kept.filter(is_kept) {
            return Some(to);
        }
        let sum = |is: &dyn Fn(PlaceId) -> bool| {
            let places = (0..).zip(belief.into_iter().flatten());
            places.filter(|&(place, _)| is(place)).map(|(_, p)| p).sum::<f64>()
        };
        let unknown = sum(&|place| self.known.cell(place) == Cell::Unknown);
        let near = sum(&|place| self.known.cell(place) == Cell::Floor);
        if frontier.is_empty() || near > unknown {
            let likely = |&(steps, place): &(u32, PlaceId)| {
                let p = belief.map_or(0.0, |belief| belief[place as usize]);
                (p / f64::from(steps + 1), place)
            };
            let best = places
                .iter()
                .map(likely)
                .filter(|(score, _)| *score > 0.0)
                .reduce(|best, one| if one.0 > best.0 { one } else { best });
            // What cannot be anywhere near may still be where nobody has looked for long.
            let left = || places.iter().filter(|(_, place)| is_left(*place)).min();
            let found = best.map(|(_, place)| place).or_else(|| left().map(|&(_, place)| place));
            if found.is_some() || frontier.is_empty() {
                return found;
            }
        }
        // Of the nearest, straight on; otherwise one at random: nobody explores like clockwork.
        let nearest = frontier.first().map(|&(steps, _)| steps);
        let ties: Vec<PlaceId> = frontier
            .iter()
            .take_while(|(steps, _)| Some(*steps) == nearest)
            .map(|&(_, place)| place)
            .collect();
        let straight = ties.iter().copied().find(|&to| ahead.is_some() && self.ground.next_step(to) == ahead);
        straight.or_else(|| ties.get((draw.unit() * ties.len() as f64) as usize).copied())
    }
}

impl World {
    /// Does what was decided, or goes where it can be done.
    pub(super) fn carry_out(&mut self, who: usize, chosen: &Weighed) -> Act {
        let scenario = self.scenario.clone();
        let (from, deed, goal) = (self.place_of(who), chosen.deed, Some(chosen.goal));
        let (step, looks_again) = (self.step, scenario.characters[who].looks_again);
        let Resident { thing: me, character, known, search, temper, draw, facing, exploring, .. } =
            &mut self.residents[who];
        let memory = &character.memory;
        let is_worth_a_look = |place: PlaceId, since: Option<u32>| match since {
            None => search.is_worth_a_look(place, step, looks_again),
            Some(since) => search.is_before(place, since),
        };
        let ground = Ground::new(&scenario.grid, known, &is_worth_a_look, memory, &scenario.laws, from);
        let next = match deed {
            Deed::Perform { interaction, target, item } => {
                let view = View { memory, space: &ground, laws: &scenario.laws };
                let roles = Roles { actor: *me, target: Some(target), item };
                let law = scenario.laws.interaction(interaction);
                if holds(&law.guard, &roles, &view) {
                    let steps = temper.steps(deed);
                    if steps > 1 {
                        self.residents[who].busy = Some((deed, steps - 1, goal));
                        return Act::Busy(deed);
                    }
                    return self.perform(who, deed, goal);
                }
                *exploring = None;
                let to = memory.place(target);
                match is_too_near(&law.guard, &roles, &view) {
                    true => to.and_then(|to| ground.retreat(&[to])),
                    false => to.and_then(|to| ground.next_step(to)),
                }
            }
            Deed::Approach(to) => {
                *exploring = None;
                memory.place(to).and_then(|to| ground.next_step(to))
            }
            Deed::Avoid(what) => {
                *exploring = None;
                let things = match what {
                    What::Thing(thing) => vec![thing],
                    What::Word(word) => View { memory, space: &ground, laws: &scenario.laws }.all_named(word),
                };
                let others = things.into_iter().filter(|thing| thing != me);
                let places: Vec<PlaceId> = others.filter_map(|thing| memory.place(thing)).collect();
                ground.retreat(&places)
            }
            Deed::Explore => {
                let leaf = character.alternatives().all()[chosen.alternative as usize].leaf;
                let tree = &character.trees()[usize::from(chosen.goal)];
                let sought = match tree.nodes[tree.nodes[leaf as usize].parent as usize].content {
                    Content::Wanted(Wanted::Found(thing)) => Some(thing),
                    _ => None,
                };
                let since = sought.and_then(|thing| memory.missed_since(thing));
                let looking = Looking { ground: &ground, search, known, step, looks_again, since };
                let belief = sought.and_then(|thing| search.belief(thing));
                let to = looking.next(belief, *exploring, scenario.grid.beside(from, *facing), draw);
                *exploring = to;
                to.and_then(|to| ground.next_step(to))
            }
            Deed::Go(_) | Deed::Case(_) => return Act::Wait,
        };
        self.walk(who, deed, next)
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
