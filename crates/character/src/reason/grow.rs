//! Growing a tree: backward chaining over what a character can perform.
//!
//! A tree is updated rather than built anew: each branch remembers what it was worked out from, and a branch of the old
//! tree that depends on nothing that changed is copied as it is. A test compares updated trees with fresh ones.

mod lookup;

use super::{Content, Deed, Limits, Node, Tree, Wanted};
use crate::expression::{
    Condition, Effect, Facts, Op, Roles, Term, Test, What, Who, With, compare, holds, resolve, term, what,
};
use crate::goal::Goal;
use crate::laws::{Interaction, Kind};
use crate::memory::{View, changed};
use crate::space::{Destination, Way};
use crate::vocabulary::{InteractionId, PlaceId, ThingId, Value};

/// The tree of a goal. With the old tree and what changed since (bits of [`changed`]), branches that cannot have changed
/// are taken over.
pub fn grow(goal: &Goal, view: &View<'_>, limits: &Limits, old: Option<(&Tree, u64)>) -> Tree {
    let mut grower = Grower {
        view,
        limits,
        old: old.map(|(tree, _)| tree),
        changed: old.map_or(changed::ALL, |(_, bits)| bits),
        nodes: Vec::new(),
        stack: Vec::new(),
        cut: false,
        reused: 0,
    };
    if let Some((tree, bits)) = old
        && tree.depends() & bits == 0
        && !tree.nodes.is_empty()
    {
        let mut same = tree.clone();
        same.reused = same.nodes.len();
        return same;
    }
    grower.nodes.push(Node { content: Content::Goal, parent: 0, end: 1, depends: 0 });
    let met = holds(&goal.want, &goal.roles(), view);
    let roles = goal.roles();
    let (reached, depends) = grower.require(&goal.want, &roles, 0, Some(0), GOAL);
    if !reached || met {
        grower.nodes.truncate(1);
    }
    grower.nodes[0].depends = depends;
    grower.nodes[0].end = grower.nodes.len() as u32;
    Tree { nodes: grower.nodes, met, cut: grower.cut, reused: grower.reused }
}

/// Where an `or` comes from: the goal, or the number of an interaction; the low bits count within it.
const GOAL: u32 = u32::MAX << 8;

struct Grower<'a> {
    view: &'a View<'a>,
    limits: &'a Limits,
    old: Option<&'a Tree>,
    changed: u64,
    nodes: Vec<Node>,
    /// What is wanted above the place where the tree grows.
    stack: Vec<Wanted>,
    cut: bool,
    reused: usize,
}

/// Whether something worked out, and what that depends on.
type Outcome = (bool, u64);

/// Conditions that a deed needs beside its own, with their places in the `and` they stand in.
struct First<'c> {
    parts: Vec<(u32, &'c Condition)>,
    roles: Roles,
    source: u32,
}

impl Grower<'_> {
    fn me(&self) -> ThingId {
        self.view.memory.owner
    }

    fn my_kind(&self) -> Option<&Kind> {
        let kind = self.view.memory.roster().kind(self.me())?;
        Some(self.view.laws.kind(kind))
    }

    /// The child of an old node with this content.
    fn old_child(&self, parent: Option<u32>, content: &Content) -> Option<u32> {
        let old = self.old?;
        old.children(parent?).find(|&child| old.nodes[child as usize].content == *content)
    }

    /// Copies a branch of the old tree, if nothing it was worked out from has changed.
    fn take_over(&mut self, old_child: Option<u32>, parent: u32) -> Option<Outcome> {
        let old = self.old?;
        let from = old_child?;
        let branch = old.nodes[from as usize];
        if branch.depends & self.changed != 0 {
            return None;
        }
        let at = self.nodes.len() as u32;
        if at as usize + (branch.end - from) as usize > self.limits.nodes {
            return None;
        }
        for index in from..branch.end {
            let mut node = old.nodes[index as usize];
            node.parent = if index == from { parent } else { node.parent - from + at };
            node.end = node.end - from + at;
            self.nodes.push(node);
        }
        self.reused += (branch.end - from) as usize;
        Some((true, branch.depends))
    }

    /// Adds a node, lets it grow, and takes it away again if it came to nothing.
    fn node(
        &mut self,
        content: Content,
        parent: u32,
        old_parent: Option<u32>,
        grow: impl FnOnce(&mut Self, u32, Option<u32>) -> Outcome,
    ) -> Outcome {
        let old = self.old_child(old_parent, &content);
        if let Some(taken) = self.take_over(old, parent) {
            return taken;
        }
        if self.nodes.len() >= self.limits.nodes {
            self.cut = true;
            return (false, changed::ALL);
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { content, parent, end: at + 1, depends: 0 });
        let (worked, depends) = grow(self, at, old);
        if worked {
            let end = self.nodes.len() as u32;
            let node = &mut self.nodes[at as usize];
            (node.end, node.depends) = (end, depends);
        } else {
            self.nodes.truncate(at as usize);
        }
        (worked, depends)
    }

    /// Makes a condition a requirement of a deed or goal: what does not hold must be brought about.
    fn require(
        &mut self,
        condition: &Condition,
        roles: &Roles,
        parent: u32,
        old: Option<u32>,
        source: u32,
    ) -> Outcome {
        let depends = condition.tests().iter().fold(0, |bits, test| bits | self.bits_of_test(test, roles));
        if holds(condition, roles, self.view) {
            return (true, depends);
        }
        match condition {
            Condition::All(parts) => {
                let parts: Vec<(u32, &Condition)> = (0..).zip(parts).collect();
                let (worked, bits) = self.require_all(&parts, roles, parent, old, source);
                (worked, depends | bits)
            }
            Condition::Any(parts) => {
                let wanted = Wanted::Either { source, roles: *roles };
                let (worked, bits) = self.want(wanted, parent, old, |grower, at, old| {
                    let mut any = (false, 0);
                    for (index, part) in parts.iter().enumerate() {
                        let case = Content::Deed(Deed::Case(index as u16));
                        let source = source.wrapping_mul(5).wrapping_add(index as u32 + 1);
                        let (worked, bits) = grower.node(case, at, old, |grower, at, old| {
                            grower.require(part, roles, at, old, source)
                        });
                        any = (any.0 || worked, any.1 | bits);
                    }
                    any
                });
                (worked, depends | bits)
            }
            Condition::Test(test) => match self.wanted(test, roles) {
                Some(wanted) => {
                    let (worked, bits) = self
                        .want(wanted, parent, old, |grower, at, old| grower.achieve(&wanted, at, old, None));
                    (worked, depends | bits)
                }
                None => (false, depends),
            },
        }
    }

    /// Everything of an `and`. What must be given up is given up last, since the rest may need it: the rest then stands
    /// below it. Otherwise one would put the key down that opens the door to the axe, take it again, and so on.
    fn require_all(
        &mut self,
        parts: &[(u32, &Condition)],
        roles: &Roles,
        parent: u32,
        old: Option<u32>,
        source: u32,
    ) -> Outcome {
        let view = self.view;
        let is_given_up = |(_, part): &(u32, &Condition)| {
            matches!(part, Condition::Test(Test::Owns(_, _, false))) && !holds(part, roles, view)
        };
        let mut depends = 0;
        if let Some(at) = parts.iter().rposition(is_given_up) {
            for (_, part) in parts {
                depends |= part.tests().iter().fold(0, |bits, test| bits | self.bits_of_test(test, roles));
            }
            let rest = parts.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, part)| *part);
            let first = First { parts: rest.collect(), roles: *roles, source };
            let Condition::Test(test) = parts[at].1 else { return (false, depends) };
            let Some(wanted) = self.wanted(test, roles) else { return (false, depends) };
            let (worked, bits) = self
                .want(wanted, parent, old, |grower, at, old| grower.achieve(&wanted, at, old, Some(&first)));
            return (worked, depends | bits);
        }
        for &(index, part) in parts {
            // Different `or`s of one condition are told apart by where they stand.
            let source = source.wrapping_mul(3).wrapping_add(index + 1);
            let (worked, bits) = self.require(part, roles, parent, old, source);
            depends |= bits;
            if !worked {
                return (false, depends);
            }
        }
        (true, depends)
    }

    /// A node for what is wanted; nothing if it is wanted above already, or too deep.
    fn want(
        &mut self,
        wanted: Wanted,
        parent: u32,
        old: Option<u32>,
        grow: impl FnOnce(&mut Self, u32, Option<u32>) -> Outcome,
    ) -> Outcome {
        if self.stack.contains(&wanted) {
            return (false, 0);
        }
        if self.stack.len() >= self.limits.depth {
            self.cut = true;
            return (false, 0);
        }
        self.stack.push(wanted);
        let outcome = self.node(Content::Wanted(wanted), parent, old, grow);
        self.stack.pop();
        outcome
    }

    /// A test with everybody named.
    fn wanted(&self, test: &Test, roles: &Roles) -> Option<Wanted> {
        let facts = self.view;
        match test {
            Test::Compare(Term::Property(who, property), op, right) => Some(Wanted::Value {
                thing: resolve(*who, roles, facts)?,
                property: *property,
                op: *op,
                value: term(right, roles, facts)?,
            }),
            Test::Compare(left, op, Term::Property(who, property)) => Some(Wanted::Value {
                thing: resolve(*who, roles, facts)?,
                property: *property,
                op: op.swapped(),
                value: term(left, roles, facts)?,
            }),
            Test::Owns(who, object, yes) => Some(Wanted::Owns {
                who: resolve(*who, roles, facts)?,
                what: what(object, roles, facts)?,
                yes: *yes,
            }),
            Test::Distance(a, b, op, limit) if *op != Op::Unequal => {
                let is_me = |who: Who| resolve(who, roles, facts) == Some(self.me());
                let other = if is_me(*a) {
                    *b
                } else if is_me(*b) {
                    *a
                } else {
                    return None;
                };
                let what = match other {
                    Who::Named(word) => What::Word(word),
                    other => What::Thing(resolve(other, roles, facts)?),
                };
                Some(Wanted::Distance { what, op: *op, limit: *limit })
            }
            _ => None,
        }
    }

    /// Every deed that brings about what is wanted. What must be given up comes with what is needed first.
    fn achieve(&mut self, wanted: &Wanted, at: u32, old: Option<u32>, first: Option<&First<'_>>) -> Outcome {
        if let Wanted::Distance { what, op, limit } = *wanted {
            return self.keep_distance(what, op, limit, at, old);
        }
        let view = self.view;
        let Some(kind) = self.my_kind() else { return (false, 0) };
        let performs = kind.performs.clone();
        let mut any: Outcome = (false, 0);
        for id in performs {
            let interaction = view.laws.interaction(id);
            for effect in &interaction.action {
                let (worked, bits) = match (wanted, effect) {
                    (
                        Wanted::Value { thing, property, op, value },
                        Effect::Set(who, changed, _) | Effect::Add(who, changed, _),
                    ) if changed == property => {
                        self.by_value(at, old, id, effect, (*thing, *who), (*op, *value))
                    }
                    (Wanted::Owns { who, what, yes: true }, Effect::Gain(gainer, thing)) => {
                        self.by_gaining(at, old, id, (*who, *what), (*gainer, *thing))
                    }
                    (Wanted::Owns { who, what, yes: false }, effect) if *who == self.me() => {
                        self.by_losing(at, old, id, *what, effect, first)
                    }
                    _ => (false, 0),
                };
                any = (any.0 || worked, any.1 | bits);
            }
        }
        any
    }

    /// Going to a thing, or away from it.
    fn keep_distance(&mut self, what: What, op: Op, limit: f64, at: u32, old: Option<u32>) -> Outcome {
        let view = self.view;
        let me = self.me();
        let known: Vec<ThingId> = view
            .memory
            .beliefs()
            .iter()
            .map(|belief| belief.thing)
            .filter(|&thing| thing != me && self.is(thing, what) && view.memory.place(thing).is_some())
            .collect();
        let bits = self.bits_of_what(what) | changed::PLACE | changed::WAYS;
        let nearest = known.iter().filter_map(|&thing| view.distance(me, thing)).min_by(f64::total_cmp);
        let is_too_near = match op {
            Op::More | Op::AtLeast => true,
            Op::Equal => nearest.is_some_and(|far| far < limit),
            _ => false,
        };
        if is_too_near {
            let places: Vec<PlaceId> = known.iter().filter_map(|&thing| view.memory.place(thing)).collect();
            if view.space.retreat(&places).is_none() {
                return (false, bits);
            }
            let (worked, more) = self.node(Content::Deed(Deed::Avoid(what)), at, old, |_, _, _| (true, bits));
            return (worked, bits | more);
        }
        let mut any = (false, bits);
        let (mut to, near) = self.nearest(known);
        any.1 |= near;
        if to.is_empty() {
            to = self.unmet_of(what);
        }
        for thing in to {
            let (worked, more) =
                self.node(Content::Deed(Deed::Approach(thing)), at, old, |grower, at, old| {
                    grower.reach(thing, at, old)
                });
            any = (any.0 || worked, any.1 | more);
        }
        any
    }

    fn roles(&self, target: Option<ThingId>, item: Option<ThingId>) -> Roles {
        Roles { actor: self.me(), target, item }
    }

    /// A property is changed by an interaction: with the thing itself, or by doing it to something else.
    fn by_value(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        effect: &Effect,
        (thing, who): (ThingId, Who),
        (op, value): (Op, Value),
    ) -> Outcome {
        let view = self.view;
        let interaction = view.laws.interaction(id);
        if interaction.has_item {
            return (false, 0);
        }
        let helps = |roles: &Roles| match effect {
            Effect::Set(_, _, to) => term(to, roles, view).is_some_and(|to| compare(to, op, value)),
            Effect::Add(_, property, by) => {
                let now = view.value(thing, *property);
                match (now, term(by, roles, view)) {
                    (Some(Value::Number(now)), Some(Value::Number(by))) => {
                        let after = Value::Number(now + by);
                        // Several helpings may be needed: the right direction is enough.
                        compare(after, op, value)
                            || match op {
                                Op::AtLeast | Op::More => by > 0.0,
                                Op::AtMost | Op::Less => by < 0.0,
                                Op::Equal | Op::Unequal => false,
                            }
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        match who {
            Who::Target => {
                if !self.can_undergo(thing, id) || !helps(&self.roles(Some(thing), None)) {
                    return (false, 0);
                }
                self.perform(at, old, id, thing, None, None)
            }
            _ if self.is_about(who, thing) => self.with_any(at, old, id, helps),
            _ => (false, 0),
        }
    }

    /// Whether an effect on the actor or on a named thing is one on this thing, whatever the target.
    fn is_about(&self, who: Who, thing: ThingId) -> bool {
        match who {
            Who::Actor => thing == self.me(),
            Who::Named(name) => self.view.named(name) == Some(thing),
            Who::Target | Who::Item => false,
        }
    }

    /// An interaction with any target that serves, or with one that has yet to be found.
    fn with_any(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        serves: impl Fn(&Roles) -> bool,
    ) -> Outcome {
        let (targets, bits) = self.targets(id);
        let useful: Vec<ThingId> =
            targets.into_iter().filter(|&target| serves(&self.roles(Some(target), None))).collect();
        let (worked, more) = self.each_target(at, old, id, None, &useful, None);
        if worked {
            return (true, bits | more);
        }
        let unmet: Vec<ThingId> = self
            .unmet_kinds(id)
            .into_iter()
            .filter(|&target| serves(&self.roles(Some(target), None)))
            .collect();
        let (worked, most) = self.each_target(at, old, id, None, &unmet, None);
        (worked, bits | more | most)
    }

    /// Somebody gets something: by taking it, or by being given it.
    fn by_gaining(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        (who, wanted): (ThingId, What),
        (gainer, thing): (Who, Who),
    ) -> Outcome {
        match (gainer, thing) {
            // The character takes it, or puts it into something.
            (Who::Actor | Who::Named(_), Who::Target) if self.is_about(gainer, who) => {
                let (known, near) = self.nearest(self.matching(wanted, false));
                let (worked, bits) = self.each_target(at, old, id, None, &known, None);
                let bits = bits | near;
                if worked {
                    return (true, bits);
                }
                // None is known, or none can be had: there may be another.
                let unmet = self.unmet_of(wanted);
                let (worked, more) = self.each_target(at, old, id, None, &unmet, None);
                (worked, bits | more)
            }
            // The character hands it over.
            (Who::Target, Who::Item) if who != self.me() && self.can_undergo(who, id) => {
                let mut items = self.matching(wanted, true);
                items.extend(self.matching(wanted, false));
                if items.is_empty() {
                    items = self.unmet_of(wanted);
                }
                self.with_targets(at, old, id, Some(who), &items, None)
            }
            // Something that has a name comes of it, whatever it is done to.
            (_, Who::Named(name)) if self.is_about(gainer, who) => {
                let given = self.view.named(name).filter(|&given| self.is(given, wanted));
                if given.is_none() { (false, 0) } else { self.with_any(at, old, id, |_| true) }
            }
            _ => (false, 0),
        }
    }

    /// The character gets rid of something: lays it down, gives it away, or uses it up.
    fn by_losing(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        unwanted: What,
        effect: &Effect,
        first: Option<&First<'_>>,
    ) -> Outcome {
        let me = self.me();
        let carried = self.matching(unwanted, true);
        match *effect {
            Effect::Lose(loser, Who::Item) if self.is_about(loser, me) => {
                self.with_targets(at, old, id, None, &carried, first)
            }
            Effect::Remove(Who::Item) => self.with_targets(at, old, id, None, &carried, first),
            Effect::Gain(Who::Target, Who::Item) => {
                let (mut targets, bits) = self.targets(id);
                targets.retain(|&target| target != me);
                let mut any = (false, bits);
                for &item in carried.iter().take(self.limits.targets) {
                    let (worked, bits) = self.each_target(at, old, id, Some(item), &targets, first);
                    any = (any.0 || worked, any.1 | bits);
                }
                any
            }
            Effect::Lose(loser, Who::Target) if self.is_about(loser, me) => {
                self.each_target(at, old, id, None, &carried, first)
            }
            Effect::Remove(Who::Target) => self.each_target(at, old, id, None, &carried, first),
            _ => (false, 0),
        }
    }

    /// Hands over each of some items, to a target or to any.
    fn with_targets(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        target: Option<ThingId>,
        items: &[ThingId],
        first: Option<&First<'_>>,
    ) -> Outcome {
        let (targets, bits) = match target {
            Some(target) => (vec![target], 0),
            None => self.targets(id),
        };
        let mut any = (false, bits);
        for &item in items.iter().take(self.limits.targets) {
            let (worked, bits) = self.each_target(at, old, id, Some(item), &targets, first);
            any = (any.0 || worked, any.1 | bits);
        }
        any
    }

    fn each_target(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        item: Option<ThingId>,
        targets: &[ThingId],
        first: Option<&First<'_>>,
    ) -> Outcome {
        let mut any = (false, 0);
        for &target in targets {
            if self.can_undergo(target, id) {
                let (worked, bits) = self.perform(at, old, id, target, item, first);
                any = (any.0 || worked, any.1 | bits);
            }
        }
        any
    }

    /// An interaction with a target: what it needs, and what else must come before it.
    fn perform(
        &mut self,
        at: u32,
        old: Option<u32>,
        id: InteractionId,
        target: ThingId,
        item: Option<ThingId>,
        first: Option<&First<'_>>,
    ) -> Outcome {
        let view = self.view;
        let interaction: &Interaction = view.laws.interaction(id);
        let deed = Content::Deed(Deed::Perform { interaction: id, target, item });
        let roles = self.roles(Some(target), item);
        let mine = self.bits_of(target) | item.map_or(0, |item| self.bits_of(item));
        let (worked, bits) = self.node(deed, at, old, |grower, at, old| {
            let source = (u32::from(id.0) + 1) << 8;
            let (mut worked, mut bits) = grower.require(&interaction.condition, &roles, at, old, source);
            if let (true, Some(first)) = (worked, first) {
                let (came, more) = grower.require_all(&first.parts, &first.roles, at, old, first.source);
                (worked, bits) = (came, bits | more);
            }
            if !worked {
                return (false, bits | mine);
            }
            // The guard's other parts are conditions like any other; its distances are met by walking.
            let (worked, more) = grower.require_guard(&interaction.guard, &roles, at, old, source + 128);
            bits |= more;
            (worked, bits | mine)
        });
        (worked, bits | mine)
    }

    fn require_guard(
        &mut self,
        guard: &Condition,
        roles: &Roles,
        at: u32,
        old: Option<u32>,
        source: u32,
    ) -> Outcome {
        match guard {
            Condition::All(parts) => {
                let mut all = (true, 0);
                for (index, part) in parts.iter().enumerate() {
                    let (worked, bits) = self.require_guard(part, roles, at, old, source + index as u32 + 1);
                    all = (all.0 && worked, all.1 | bits);
                    if !worked {
                        break;
                    }
                }
                all
            }
            Condition::Test(Test::Distance(a, b, ..)) => {
                let other = match (resolve(*a, roles, self.view), resolve(*b, roles, self.view)) {
                    (Some(a), Some(b)) if a == self.me() => b,
                    (Some(a), Some(b)) if b == self.me() => a,
                    _ => return (false, 0),
                };
                self.reach(other, at, old)
            }
            other => self.require(other, roles, at, old, source),
        }
    }

    /// Getting near a thing: finding it, and passing what bars the way.
    fn reach(&mut self, thing: ThingId, at: u32, old: Option<u32>) -> Outcome {
        let memory = self.view.memory;
        let bits = self.bits_of(thing) | changed::WAYS;
        if memory.carries(thing) || thing == self.me() {
            return (true, bits);
        }
        let Some(place) = memory.place(thing) else {
            let (worked, more) =
                self.want(Wanted::Found(thing), at, old, |grower, at, old| grower.explore(thing, at, old));
            return (worked, bits | more);
        };
        let ways = self.view.space.ways(Destination::Near(place), &self.barred());
        let (worked, more) = self.through(&ways, Some(thing), at, old);
        (worked, bits | more)
    }

    /// Looking for what is not known, if anything is left to look at.
    fn explore(&mut self, thing: ThingId, at: u32, old: Option<u32>) -> Outcome {
        let ways = self.view.space.ways(Destination::Wherever(thing), &self.barred());
        let (worked, bits) = self.node(Content::Deed(Deed::Explore), at, old, |grower, at, old| {
            grower.through(&ways, None, at, old)
        });
        (worked, bits | changed::WAYS)
    }

    /// Doors that are being opened above cannot be passed on the way to what opens them.
    fn barred(&self) -> Vec<ThingId> {
        let door = |wanted: &Wanted| match wanted {
            Wanted::Passable(door) => Some(*door),
            _ => None,
        };
        self.stack.iter().filter_map(door).collect()
    }

    fn through(&mut self, ways: &[Way], to: Option<ThingId>, at: u32, old: Option<u32>) -> Outcome {
        if ways.iter().any(Way::is_free) {
            return (true, changed::WAYS);
        }
        if ways.is_empty() {
            return (false, changed::WAYS);
        }
        let (worked, bits) = self.want(Wanted::Way(to), at, old, |grower, at, old| {
            let mut any = (false, 0);
            for (option, way) in ways.iter().enumerate() {
                let go = Content::Deed(Deed::Go(option as u16));
                let (worked, bits) = grower.node(go, at, old, |grower, at, old| {
                    let mut all = (true, changed::WAYS);
                    for &door in &way.doors {
                        let (worked, bits) =
                            grower.want(Wanted::Passable(door), at, old, |grower, at, old| {
                                grower.open(door, at, old)
                            });
                        all = (all.0 && worked, all.1 | bits);
                        if !worked {
                            break;
                        }
                    }
                    all
                });
                any = (any.0 || worked, any.1 | bits);
            }
            any
        });
        (worked, bits | changed::WAYS)
    }

    /// Whatever stops a thing from barring the way: another value of a property, or taking it out of the world.
    fn open(&mut self, door: ThingId, at: u32, old: Option<u32>) -> Outcome {
        let view = self.view;
        let (Some(kind), Some(me)) = (view.memory.roster().kind(door), self.my_kind()) else {
            return (false, 0);
        };
        let performs = me.performs.clone();
        let kind = view.laws.kind(kind);
        let mut any = (false, self.bits_of(door));
        for id in performs {
            let interaction = view.laws.interaction(id);
            if interaction.has_item {
                continue;
            }
            let opens = |effect: &Effect, roles: &Roles| match effect {
                Effect::Remove(_) => true,
                Effect::Set(_, property, to) => term(to, roles, view).is_some_and(|value| {
                    let after = With { facts: view, thing: door, property: *property, value };
                    !holds(&kind.blocks, &Roles { target: Some(door), ..*roles }, &after)
                }),
                _ => false,
            };
            let on = |effect: &Effect| match effect {
                Effect::Remove(who) | Effect::Set(who, ..) => Some(*who),
                _ => None,
            };
            let own = self.roles(Some(door), None);
            let itself = |effect: &Effect| on(effect) == Some(Who::Target) && opens(effect, &own);
            let (worked, bits) = if kind.undergoes.contains(&id) && interaction.action.iter().any(itself) {
                self.perform(at, old, id, door, None, None)
            } else {
                // A lever opens it from elsewhere.
                let far: Vec<&Effect> = interaction
                    .action
                    .iter()
                    .filter(
                        |effect| matches!(on(effect), Some(who @ Who::Named(_)) if self.is_about(who, door)),
                    )
                    .collect();
                if far.is_empty() {
                    continue;
                }
                self.with_any(at, old, id, |roles| far.iter().any(|effect| opens(effect, roles)))
            };
            any = (any.0 || worked, any.1 | bits);
        }
        any
    }
}
