//! One inhabitant's turn: finish, believe, want, plan, go. It reads the town as it was at the start of the tick and writes
//! nothing but the inhabitant and a list of what they ask of places, so that turns of a tick can be taken in any order.

use std::sync::atomic::AtomicU64;

use repertoire_mind::game::RATHER;
use repertoire_prob::stream::counter;

use super::charter::{Action, Bits, Charter, Class, Pursued, Reason, Where};
use super::person::{NONE, Person, Phase};
use super::places::{NEAREST, NOWHERE, Places};
use super::tally::Tally;
use super::town::Minds;

/// What an inhabitant asks of a place, or brings to one.
#[derive(Debug)]
pub(super) struct Asked {
    pub who: u32,
    pub place: u32,
    pub what: What,
    /// What the place says, written by whoever answers for that part of the town; see [`super::answer`].
    pub answer: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// To be served: by which way, for how long, for how many coins, with how much patience.
    Service { way: u16, takes: u32, costs: u16, patience: u16 },
    /// Something is added to one of the place's stocks.
    Bring { which: u8, amount: u32 },
    /// A variable of the whole town gets a value.
    Tell { news: u8, value: u16 },
}

impl Asked {
    fn new(who: u32, place: u32, what: What) -> Self {
        Asked { who, place, what, answer: AtomicU64::new(0) }
    }
}

/// A place for a step, the way to do it there, and the ticks to walk.
#[derive(Clone, Copy)]
struct Found {
    place: u32,
    way: u16,
    walk: u32,
}

/// What all turns of a tick read.
pub(super) struct Moment<'a> {
    pub charter: &'a Charter,
    pub places: &'a Places,
    pub now: u32,
    /// What chance is drawn from.
    pub key: u64,
    /// Percent of the usual price, for each kind of place.
    pub prices: &'a [u16],
    /// For each class, what is true of the news.
    pub truth: &'a [Bits],
    /// For each class, where its goals begin in [`Tally::met`].
    pub first_goal: &'a [u32],
    pub minds: Minds,
}

/// Ticks after which a belief about places that turned out otherwise is given up for what is usual.
const DOUBTS: u32 = 240;
/// Ticks for which a goal is put off that there is no place for.
const PUT_OFF: u32 = 60;
/// Ticks until somebody without an errand looks around again.
const IDLE: u32 = 10;

impl Moment<'_> {
    /// Somebody's turn; returns when they are next due.
    pub fn turn(&self, who: u32, person: &mut Person, asked: &mut Vec<Asked>, tally: &mut Tally) -> u32 {
        let class = &self.charter.classes[usize::from(person.class)];
        tally.woken += 1;
        match Phase::of(person.phase).unwrap_or(Phase::Idle) {
            Phase::Walking => {
                person.at = person.to;
                return self.ask(who, person, asked);
            }
            Phase::Acting => self.finish(class, who, person, asked, tally),
            Phase::Refused => self.turned_away(person, tally),
            Phase::Idle => {}
        }
        self.decide(class, who, person, asked, tally)
    }

    /// The step is done: what it makes is so, and if that was the goal, the need is eased.
    fn finish(
        &self,
        class: &Class,
        who: u32,
        person: &mut Person,
        asked: &mut Vec<Asked>,
        tally: &mut Tally,
    ) {
        let Some(action) = class.actions.get(usize::from(person.action)) else { return };
        let way = &self.charter.ways[usize::from(person.way)];
        let place = &self.places.places[person.at as usize];
        tally.steps += 1;
        person.facts = class.served[usize::from(place.kind)].put(person.facts);
        person.facts = action.makes.put(person.facts);
        person.step = person.step.saturating_add(1);
        for &(which, amount) in &way.makes {
            asked.push(Asked::new(who, person.at, What::Bring { which, amount }));
        }
        for &(which, amount) in &way.brings {
            asked.push(Asked::new(who, person.home, What::Bring { which, amount }));
        }
        let tells = action.tells.iter().map(|&(news, value)| What::Tell { news, value });
        asked.extend(tells.map(|what| Asked::new(who, person.at, what)));
        let Some(goal) = class.goals.get(usize::from(person.goal)) else { return };
        if goal.wanted.hold(person.facts) {
            tally.met[self.first_goal[usize::from(person.class)] as usize + usize::from(person.goal)] += 1;
            goal.eases
                .iter()
                .for_each(|&(need, by)| person.ease(self.charter, usize::from(need), by, self.now));
            person.facts = goal.then.put(person.facts);
            person.coins = person.coins.saturating_add(goal.pays);
            (person.goal, person.step) = (NONE, 0);
        }
    }

    /// A place turned them away: they keep away from it for a while.
    fn turned_away(&self, person: &mut Person, tally: &mut Tally) {
        tally.turned_away[usize::from(person.wrong).min(Reason::COUNT - 1)] += 1;
        if !person.refused.contains(&person.wrong_place) {
            person.refused.rotate_right(1);
            person.refused[0] = person.wrong_place;
        }
        person.refused_at = self.now;
    }

    /// What to do next: the goal worth most, the next step of its plan, the place for it.
    fn decide(
        &self,
        class: &Class,
        who: u32,
        person: &mut Person,
        asked: &mut Vec<Asked>,
        tally: &mut Tally,
    ) -> u32 {
        self.believe(class, who, person);
        let mut broken = self.watch(class, person, tally);
        if self.now >= person.blocked_until {
            person.blocked = 0;
        }
        // Goals for which there is no plan from here; as many tries as there are goals, and one for each new belief.
        let mut hopeless = 0u16;
        for _ in 0..2 * super::charter::MOST_GOALS {
            let Some(goal) = self.choose(class, person, hopeless | person.blocked) else { break };
            if !self.plan(class, person, goal, broken, tally) {
                hopeless |= 1 << goal;
                person.goal = NONE;
                continue;
            }
            match self.find_place(class, person) {
                Ok(found) => return self.go(who, person, found, asked, tally),
                Err(reason) => broken = self.lose_heart(class, person, reason, tally),
            }
        }
        person.goal = NONE;
        self.wait(who, person, IDLE, tally)
    }

    fn wait(&self, who: u32, person: &mut Person, ticks: u32, tally: &mut Tally) -> u32 {
        let ticks = ticks + (counter(self.key, u64::from(who)) % u64::from(IDLE)) as u32;
        (person.phase, person.began, person.action) = (Phase::Idle as u8, self.now, NONE);
        tally.idle += u64::from(ticks);
        self.now + ticks
    }

    /// What was not seen lately is assumed to be as usual, and news are heard.
    fn believe(&self, class: &Class, who: u32, person: &mut Person) {
        if person.doubts_until != 0 && self.now >= person.doubts_until {
            person.doubts_until = 0;
            person.facts = class.usual.put(person.facts);
        }
        let truth = self.truth[usize::from(person.class)];
        if (person.facts ^ truth.value) & truth.mask == 0 {
            return;
        }
        for (k, &(news, field)) in class.news.iter().enumerate() {
            let mask = field.mask() as u32;
            let chance = counter(self.key ^ (k as u64 + 1), u64::from(who)) >> 11;
            let heard = self.charter.news[usize::from(news)].heard;
            if (person.facts ^ truth.value) & mask != 0 && chance as f64 / ((1u64 << 53) as f64) < heard {
                person.facts = person.facts & !mask | truth.value & mask;
            }
        }
    }

    /// Watches the plan: steps whose effects hold are done, and one that no longer leads to its goal is given up. Says why.
    fn watch(&self, class: &Class, person: &mut Person, tally: &mut Tally) -> Option<Reason> {
        let goal = class.goals.get(usize::from(person.goal))?;
        if !self.minds.plan || !self.minds.replan {
            return None;
        }
        if let Some(plan) = self.charter.plan(person.row) {
            let done = |step: u8| {
                plan.get(usize::from(step))
                    .is_some_and(|&action| class.actions[usize::from(action)].makes.hold(person.facts))
            };
            while done(person.step) {
                person.step += 1;
            }
            let left = plan.get(usize::from(person.step)..).unwrap_or_default();
            if !left.is_empty() && leads_to(class, left, person.facts, goal.wanted) {
                return None;
            }
        }
        tally.failed[Reason::Changed as usize] += 1;
        person.goal = NONE;
        Some(Reason::Changed)
    }

    /// The goal worth most among those that do not hold: the need as felt, times how much it matters. The present one has the
    /// same head start as in [`repertoire_mind::game::Character`].
    fn choose(&self, class: &Class, person: &Person, closed: u16) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (index, goal) in class.goals.iter().enumerate() {
            if closed & 1 << index != 0 || goal.wanted.hold(person.facts) {
                continue;
            }
            let worth = match goal.pursued {
                Pursued::Need(need) => {
                    let need = usize::from(need);
                    f64::from(person.matters[need]) * person.felt(self.charter, need, self.now)
                }
                Pursued::Always(worth) => worth,
            } * if usize::from(person.goal) == index { RATHER } else { 1.0 };
            if worth > best.map_or(0.0, |(_, most)| most) {
                best = Some((index, worth));
            }
        }
        best.map(|(goal, _)| goal)
    }

    /// The next action for a goal: of the plan that is followed, or of a new one. False if there is none.
    fn plan(
        &self,
        class: &Class,
        person: &mut Person,
        goal: usize,
        broken: Option<Reason>,
        tally: &mut Tally,
    ) -> bool {
        if !self.minds.plan {
            return self.grab(class, person, goal);
        }
        if usize::from(person.goal) != goal {
            person.goal = goal as u8;
            person.row = class.row(goal, person.facts);
            person.step = 0;
            tally.plans += 1;
            tally.replans += u64::from(broken.is_some());
        }
        let plan = self.charter.plan(person.row);
        match plan.and_then(|plan| plan.get(usize::from(person.step))) {
            Some(&action) => person.action = action,
            None => return false,
        }
        true
    }

    /// Without plans: of the actions that can be done now, the one after which most of the goal holds; the first of equals.
    fn grab(&self, class: &Class, person: &mut Person, goal: usize) -> bool {
        let wanted = class.goals[goal].wanted;
        let missing = |state: u32| {
            let wrong = (state ^ wanted.value) & wanted.mask;
            class.variables.iter().filter(|(_, field)| wrong & field.mask() as u32 != 0).count()
        };
        // One that gets nearer, else one that was not done last and gets no farther: otherwise two would undo each other.
        let now = missing(person.facts);
        let can = |action: &Action| action.needs.hold(person.facts) && !action.makes.hold(person.facts);
        let all = class.actions.iter().enumerate().filter(|(_, action)| can(action));
        let best = all
            .map(|(index, action)| {
                (missing(action.makes.put(person.facts)), index == usize::from(person.action), index)
            })
            .min();
        match best {
            Some((left, _, action)) if left <= now => {
                (person.goal, person.action) = (goal as u8, action as u8);
                true
            }
            _ => false,
        }
    }

    /// The place where the step can be done soonest, or why there is none.
    fn find_place(&self, class: &Class, person: &Person) -> Result<Found, Reason> {
        let action = &class.actions[usize::from(person.action)];
        if !action.needs.hold(person.facts) {
            return Err(Reason::Changed);
        }
        let mut best: Option<(u32, Found)> = None;
        // What they were told when they were last turned away, as long as they remember it.
        let was_refused = person.wrong_action == person.action;
        let mut reason = match Reason::ALL.get(usize::from(person.wrong)) {
            Some(&reason) if was_refused => reason,
            _ => Reason::Closed,
        };
        for &index in &action.ways {
            let way = &self.charter.ways[usize::from(index)];
            let mut consider = |place: u32| {
                if place == NOWHERE || (was_refused && person.remembers(place, self.now)) {
                    return false;
                }
                let Some(walk) = self.places.walk(person.at, place) else { return false };
                let kind = &self.charter.kinds[usize::from(self.places.places[place as usize].kind)];
                let there = self.now + walk;
                let opens = kind.open.map_or(there, |hours| hours.next(there));
                if opens - there > u32::from(person.patience) {
                    reason = Reason::Closed;
                    return false;
                }
                if u32::from(way.costs) * u32::from(self.price_at(place)) / 100 > u32::from(person.coins) {
                    reason = Reason::Dear;
                    return false;
                }
                let done = opens - self.now + (way.takes.0 + way.takes.1) / 2;
                if best.is_none_or(|(soonest, _)| done < soonest) {
                    best = Some((done, Found { place, way: index, walk }));
                }
                true
            };
            match way.at {
                Where::Home => consider(person.home),
                Where::Work => consider(person.work),
                // The list is in the order of distance: the first that will do is the nearest.
                Where::Kind(kind) => {
                    self.places.nearest(person.at, kind).iter().any(|&place| consider(place))
                }
            };
        }
        best.map(|(_, found)| found).ok_or(reason)
    }

    fn price_at(&self, place: u32) -> u16 {
        self.prices[usize::from(self.places.places[place as usize].kind)]
    }

    /// There is no place for the step: they believe what that teaches and plan anew, or put the goal off.
    fn lose_heart(
        &self,
        class: &Class,
        person: &mut Person,
        reason: Reason,
        tally: &mut Tally,
    ) -> Option<Reason> {
        let before = person.facts;
        let action = &class.actions[usize::from(person.action)];
        // Who does not plan anew learns nothing from it, and puts the goal off.
        let ways = if self.minds.replan { &action.ways[..] } else { &[] };
        for &way in ways {
            let kind = match self.charter.ways[usize::from(way)].at {
                Where::Home => self.charter.home,
                Where::Work => class.work.unwrap_or(self.charter.home),
                Where::Kind(kind) => kind,
            };
            person.facts = class.learns[usize::from(kind)][reason as usize].put(person.facts);
        }
        tally.failed[reason as usize] += 1;
        let goal = person.goal;
        (person.goal, person.step) = (NONE, 0);
        (person.wrong, person.wrong_at, person.wrong_action) = (reason as u8, self.now, person.action);
        if person.facts != before {
            // What they believe now says more than which places turned them away.
            person.refused = [NOWHERE; NEAREST];
            person.doubts_until = self.now + DOUBTS;
            return Some(reason);
        }
        person.blocked |= 1 << goal;
        person.blocked_until = self.now + PUT_OFF;
        tally.put_off += 1;
        None
    }

    fn go(
        &self,
        who: u32,
        person: &mut Person,
        found: Found,
        asked: &mut Vec<Asked>,
        tally: &mut Tally,
    ) -> u32 {
        let Found { place, way, walk } = found;
        (person.to, person.way) = (place, way);
        if place == person.at || walk == 0 {
            person.at = place;
            return self.ask(who, person, asked);
        }
        tally.walked += u64::from(walk);
        (person.phase, person.began) = (Phase::Walking as u8, self.now);
        self.now + walk
    }

    /// They are where the step can be done, and ask for it.
    fn ask(&self, who: u32, person: &mut Person, asked: &mut Vec<Asked>) -> u32 {
        let way = &self.charter.ways[usize::from(person.way)];
        let (least, most) = way.takes;
        let takes =
            least + (counter(self.key.rotate_left(17), u64::from(who)) % u64::from(most - least + 1)) as u32;
        (person.phase, person.began) = (Phase::Acting as u8, self.now);
        if way.is_free {
            return self.now + takes;
        }
        let costs = u32::from(way.costs) * u32::from(self.price_at(person.at)) / 100;
        if costs > u32::from(person.coins) {
            person.turn_away(Reason::Dear, self.now);
            return self.now + 1;
        }
        let (costs, patience) = (costs as u16, person.patience);
        asked.push(Asked::new(who, person.at, What::Service { way: person.way, takes, costs, patience }));
        // Until the place answers, at the end of this tick.
        self.now + 1
    }
}

/// Whether a plan leads from a state to a goal.
pub(super) fn leads_to(class: &Class, plan: &[u8], mut state: u32, wanted: Bits) -> bool {
    for &action in plan {
        let action = &class.actions[usize::from(action)];
        if !action.needs.hold(state) {
            return false;
        }
        state = action.makes.put(state);
    }
    wanted.hold(state)
}
