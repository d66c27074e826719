//! A town that lives: everybody's state in columns, and the tick that joins them.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_prob::stream::counter;

use super::charter::{Bits, Charter, Class, Reason};
use super::event::{Event, Happening};
use super::person::{Person, Phase, class_of, households};
use super::places::{NOWHERE, Places, TooMany};
use super::step::{Asked, Moment};
use super::tally::Tally;

/// Inhabitants that a thread takes at a time; fixed, so that nothing depends on threads.
pub(super) const CHUNK: usize = 4096;

/// How inhabitants decide; for experiments one of these can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Minds {
    /// They plan; otherwise they do what gets nearest to the goal in one step.
    pub plan: bool,
    /// They plan anew when a plan fails; otherwise they insist on it.
    pub replan: bool,
    /// They differ by their families; otherwise everybody is the same.
    pub families: bool,
}

impl Default for Minds {
    fn default() -> Self {
        Minds { plan: true, replan: true, families: true }
    }
}

/// A town that lives. One tick is a minute; [`Town::tick`] is one function, read from top to bottom.
///
/// ```
/// use repertoire_worlds::town::{Minds, Town, charter};
/// let western = charter("western").expect("shipped");
/// let mut town = Town::new(western, 200, 1, Minds::default())?;
/// for _ in 0..600 {
///     town.tick();
/// }
/// assert!(town.tally().met.iter().sum::<u64>() > 0);
/// assert!(town.why(17).to_string().contains("needs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Town {
    pub(super) charter: Arc<Charter>,
    pub(super) places: Arc<Places>,
    pub(super) seed: u64,
    pub(super) minds: Minds,
    pub(super) now: u32,
    /// When each inhabitant is next due. In most ticks this is all that is read of them.
    pub(super) due: Vec<u32>,
    pub(super) people: Vec<Person>,
    pub(super) state: PlacesState,
    /// The value of each news variable.
    pub(super) truth: Vec<u16>,
    /// Events still to come, the next one last; those that were added by hand among them.
    pub(super) coming: Vec<Event>,
    /// Everything that was added by hand, to repeat the run.
    pub(super) by_hand: Vec<Event>,
    pub(super) tally: Tally,
    /// For each class its news as bits, and where its goals begin in the tally.
    truth_bits: Vec<Bits>,
    first_goal: Vec<u32>,
    chunks: Vec<Chunk>,
}

/// What changes about places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlacesState {
    /// For each place, until when it is closed, and until when nothing comes to its stock.
    pub closed_until: Vec<u32>,
    pub dry_until: Vec<u32>,
    /// For each slot, from when on it is free.
    pub free_at: Vec<u32>,
    /// For each stock, how much there was and when.
    pub stocks: Vec<(u32, u32)>,
    /// For each kind of place, percent of the usual price, and until when.
    pub prices: Vec<u16>,
    pub prices_until: Vec<u32>,
}

/// What a chunk of inhabitants produces in a tick; kept from tick to tick, so that nothing is allocated.
#[derive(Clone, Debug, Default)]
struct Chunk {
    asked: Vec<Asked>,
    tally: Tally,
}

impl Town {
    /// Founds a town of this many inhabitants.
    ///
    /// # Errors
    /// If its map has too few homes, and nothing says how to generate a larger one.
    pub fn new(charter: Arc<Charter>, inhabitants: u32, seed: u64, minds: Minds) -> Result<Self, TooMany> {
        let sizes = households(&charter, inhabitants, seed);
        let places = Places::new(&charter, sizes.len() as u32, seed)?;
        let mut homes = Vec::with_capacity(inhabitants as usize);
        for (&size, &home) in sizes.iter().zip(&places.homes) {
            homes.extend(std::iter::repeat_n(home, size as usize));
        }
        let people: Vec<Person> = homes
            .par_iter()
            .enumerate()
            .map(|(agent, &home)| {
                let agent = agent as u32;
                let class = class_of(&charter, agent, seed);
                let mut person = Person::born(&charter, class, seed, agent, home, !minds.families);
                person.work = work_of(&charter, &places, &person, agent, seed);
                person
            })
            .collect();
        let mut town = Town {
            truth: charter.news.iter().map(|news| charter.domain.start[news.variable as usize]).collect(),
            coming: charter.events.iter().rev().cloned().collect(),
            by_hand: Vec::new(),
            tally: Tally::new(&charter),
            // Not everybody is due at once: the first hour wakes them one after the other.
            due: (0..people.len()).map(|agent| (counter(seed ^ 0x64_7565, agent as u64) % 60) as u32).collect(),
            people,
            state: PlacesState::new(&charter, &places),
            truth_bits: Vec::new(),
            first_goal: first_goals(&charter),
            chunks: Vec::new(),
            places: Arc::new(places),
            charter,
            seed,
            minds,
            now: 0,
        };
        town.learn_truth();
        Ok(town)
    }

    /// One tick: what happens, everybody who is due, what places answer.
    pub fn tick(&mut self) {
        self.happen();
        self.take_turns();
        self.answer();
        self.now += 1;
    }

    /// Everybody who is due takes a turn, chunk by chunk.
    fn take_turns(&mut self) {
        let count = self.people.len().div_ceil(CHUNK);
        if self.chunks.len() != count {
            let tally = Tally::new(&self.charter);
            self.chunks = vec![Chunk { asked: Vec::new(), tally }; count];
        }
        let moment = Moment {
            charter: &self.charter,
            places: &self.places,
            now: self.now,
            key: counter(self.seed, u64::from(self.now)),
            prices: &self.state.prices,
            truth: &self.truth_bits,
            first_goal: &self.first_goal,
            minds: self.minds,
        };
        let columns = self.due.par_chunks_mut(CHUNK).zip(self.people.par_chunks_mut(CHUNK)).zip(&mut self.chunks);
        columns.enumerate().for_each(|(index, ((due, people), chunk))| {
            for (within, due) in due.iter_mut().enumerate() {
                if *due <= moment.now {
                    let who = (index * CHUNK + within) as u32;
                    *due = moment.turn(who, &mut people[within], &mut chunk.asked, &mut chunk.tally);
                }
            }
        });
    }

    /// Places answer in the order of inhabitants, so that it does not matter who ran first.
    fn answer(&mut self) {
        let mut chunks = std::mem::take(&mut self.chunks);
        let mut told = false;
        for chunk in &mut chunks {
            for asked in chunk.asked.drain(..) {
                match asked {
                    Asked::Service { who, place, way, takes, costs, patience } => {
                        self.serve(who, place, way, takes, costs, patience);
                    }
                    Asked::Bring { stock, kind, which, amount } => self.bring(stock, kind, which, amount),
                    Asked::Tell { news, value } => {
                        told |= self.truth[usize::from(news)] != value;
                        self.truth[usize::from(news)] = value;
                    }
                }
            }
            self.tally.take(&mut chunk.tally);
        }
        self.chunks = chunks;
        if told {
            self.learn_truth();
        }
    }

    /// Somebody asks to be served: their turn comes, or they are turned away.
    fn serve(&mut self, who: u32, place: u32, way: u16, takes: u32, costs: u16, patience: u16) {
        let of = self.places.places[place as usize];
        let kind = &self.charter.kinds[usize::from(of.kind)];
        let way = &self.charter.ways[usize::from(way)];
        let person = &mut self.people[who as usize];
        let mut turn = kind.open.map_or(self.now, |hours| hours.next(self.now));
        let slots = &mut self.state.free_at[of.slot as usize..][..kind.serves as usize];
        let mut slot = None;
        if !slots.is_empty() {
            let mut first = 0;
            for (index, &free) in slots.iter().enumerate() {
                if free < slots[first] {
                    first = index;
                }
            }
            turn = turn.max(slots[first]);
            slot = Some(first);
        }
        let refused = if self.state.closed_until[place as usize] > self.now {
            Some(Reason::Closed)
        } else if turn - self.now > u32::from(patience) {
            Some(if kind.open.is_some_and(|hours| !hours.contain(self.now)) { Reason::Closed } else { Reason::Full })
        } else if costs > person.coins {
            Some(Reason::Dear)
        } else {
            let dry = self.state.dry_until[place as usize];
            let stocks = &self.state.stocks[of.stock as usize..];
            let has = |&(which, amount): &(u8, u32)| {
                level(stocks[usize::from(which)], &kind.stock[usize::from(which)], dry, self.now) >= amount
            };
            (!way.uses.iter().all(has)).then_some(Reason::Empty)
        };
        if let Some(reason) = refused {
            person.phase = Phase::Refused as u8;
            (person.wrong, person.wrong_at, person.wrong_place) = (reason as u8, self.now, place);
            person.wrong_action = person.action;
            return;
        }
        if let Some(slot) = slot {
            slots[slot] = turn + takes;
        }
        for &(which, amount) in &way.uses {
            let dry = self.state.dry_until[place as usize];
            let stock = &mut self.state.stocks[of.stock as usize + usize::from(which)];
            let left = level(*stock, &kind.stock[usize::from(which)], dry, self.now) - amount;
            *stock = (left, since(*stock, &kind.stock[usize::from(which)], self.now));
        }
        person.coins -= costs;
        person.began = turn;
        self.tally.waited += u64::from(turn - self.now);
        self.due[who as usize] = turn + takes;
    }

    fn bring(&mut self, stock: u32, kind: u8, which: u8, amount: u32) {
        let of = &self.charter.kinds[usize::from(kind)].stock[usize::from(which)];
        let stock = &mut self.state.stocks[stock as usize];
        // What comes by itself is counted to now; a dry place is none where people bring things.
        let there = level(*stock, of, 0, self.now);
        *stock = ((there + amount).min(of.most), since(*stock, of, self.now));
    }

    /// What is due to happen, happens.
    fn happen(&mut self) {
        for (kind, until) in self.state.prices_until.iter_mut().enumerate() {
            if *until != 0 && *until <= self.now {
                (*until, self.state.prices[kind]) = (0, 100);
            }
        }
        while self.coming.last().is_some_and(|event| event.at <= self.now) {
            if let Some(event) = self.coming.pop() {
                self.strike(&event);
            }
        }
    }

    fn strike(&mut self, event: &Event) {
        let until = self.now + event.lasts;
        match event.what {
            Happening::Tell(news, value) => {
                self.truth[usize::from(news)] = value;
                self.learn_truth();
            }
            Happening::Price(kind, percent) => {
                self.state.prices[usize::from(kind)] = percent;
                self.state.prices_until[usize::from(kind)] = until;
            }
            Happening::Dry(kind) => {
                let dry = self.struck(kind, event);
                for place in dry {
                    let of = self.places.places[place as usize];
                    self.state.dry_until[place as usize] = until;
                    for which in 0..self.charter.kinds[usize::from(kind)].stock.len() {
                        self.state.stocks[of.stock as usize + which] = (0, until);
                    }
                }
            }
            Happening::Close(kind) => {
                for place in self.struck(kind, event) {
                    self.state.closed_until[place as usize] = until;
                }
            }
            Happening::Fire(kind) => {
                let burning = self.struck(kind, event);
                for &place in &burning {
                    self.state.closed_until[place as usize] = until;
                }
                self.flee(&burning);
            }
        }
    }

    /// The places of a kind that an event strikes.
    fn struck(&self, kind: u8, event: &Event) -> Vec<u32> {
        let key = counter(self.seed ^ 0x0065_7665_6e74, u64::from(event.at));
        let is_struck = |place: u32| (counter(key, u64::from(place)) >> 11) as f64 / ((1u64 << 53) as f64) < event.share;
        let places = self.places.places.iter().enumerate();
        let of_kind = places.filter(|(_, place)| place.kind == kind).map(|(index, _)| index as u32);
        of_kind.filter(|&place| is_struck(place)).collect()
    }

    /// Whoever is at a burning place drops everything.
    fn flee(&mut self, burning: &[u32]) {
        let (charter, places, now) = (&self.charter, &self.places, self.now);
        let columns = self.due.par_chunks_mut(CHUNK).zip(self.people.par_chunks_mut(CHUNK));
        columns.for_each(|(due, people)| {
            for (due, person) in due.iter_mut().zip(people) {
                let there = person.phase != Phase::Walking as u8 && burning.binary_search(&person.at).is_ok();
                if !there {
                    continue;
                }
                let class = &charter.classes[usize::from(person.class)];
                let kind = places.places[person.at as usize].kind;
                person.facts = class.learns[usize::from(kind)][Reason::Fire as usize].put(person.facts);
                (person.wrong, person.wrong_at, person.wrong_place) = (Reason::Fire as u8, now, person.at);
                (person.wrong_action, person.phase) = (person.action, Phase::Refused as u8);
                *due = now;
            }
        });
    }

    fn learn_truth(&mut self) {
        let bits = |class: &Class| {
            class.news.iter().fold(Bits::default(), |all, &(news, field)| {
                let value = u32::from(self.truth[usize::from(news)]) << field.shift;
                all.and(Bits { mask: field.mask() as u32, value })
            })
        };
        self.truth_bits = self.charter.classes.iter().map(bits).collect();
    }

    /// Sets what is true of the news.
    pub(super) fn set_truth(&mut self, truth: Vec<u16>) {
        self.truth = truth;
        self.learn_truth();
    }

    /// Adds an event by hand. One that lies in the past happens at the next tick.
    pub fn add(&mut self, event: Event) {
        let event = Event { at: event.at.max(self.now), ..event };
        self.by_hand.push(event.clone());
        let at = self.coming.partition_point(|other| other.at > event.at);
        self.coming.insert(at, event);
    }

    /// What the town's file says.
    pub fn charter(&self) -> &Arc<Charter> {
        &self.charter
    }

    /// Where everything is.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The tick that comes next.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// Its random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How inhabitants decide.
    pub fn minds(&self) -> Minds {
        self.minds
    }

    /// Events that were added by hand, in that order.
    pub fn by_hand(&self) -> &[Event] {
        &self.by_hand
    }

    /// How many live here.
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether nobody lives here.
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// What was counted since it was founded.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Bytes that the town needs for its inhabitants and places.
    pub fn bytes(&self) -> usize {
        self.due.capacity() * 4
            + self.people.capacity() * size_of::<Person>()
            + self.places.bytes()
            + self.state.bytes()
            + self.chunks.iter().map(|chunk| chunk.asked.capacity() * size_of::<Asked>()).sum::<usize>()
    }
}

impl PlacesState {
    fn new(charter: &Charter, places: &Places) -> Self {
        let mut stocks = Vec::with_capacity(places.stocks);
        for place in &places.places {
            stocks.extend(charter.kinds[usize::from(place.kind)].stock.iter().map(|stock| (stock.starts, 0)));
        }
        PlacesState {
            closed_until: vec![0; places.places.len()],
            dry_until: vec![0; places.places.len()],
            free_at: vec![0; places.slots],
            stocks,
            prices: vec![100; charter.kinds.len()],
            prices_until: vec![0; charter.kinds.len()],
        }
    }

    fn bytes(&self) -> usize {
        4 * (self.closed_until.len() + self.dry_until.len() + self.free_at.len()) + 8 * self.stocks.len()
    }
}

/// How much there is of a stock now.
#[inline]
pub(super) fn level((amount, at): (u32, u32), of: &super::charter::StockKind, dry_until: u32, now: u32) -> u32 {
    if of.minutes == 0 || now < dry_until {
        return amount.min(of.most);
    }
    (amount + now.saturating_sub(at) / of.minutes).min(of.most)
}

/// The moment from which a stock grows on: whole units are counted, the rest of the way to the next one is kept.
#[inline]
fn since((_, at): (u32, u32), of: &super::charter::StockKind, now: u32) -> u32 {
    if of.minutes == 0 || at > now { at } else { now - (now - at) % of.minutes }
}

/// Where somebody works: one of the nearest places of their class's kind.
fn work_of(charter: &Charter, places: &Places, person: &Person, agent: u32, seed: u64) -> u32 {
    let Some(kind) = charter.classes[usize::from(person.class)].work else { return NOWHERE };
    if kind == charter.home {
        return person.home;
    }
    let near = places.nearest(person.home, kind);
    let known = near.iter().take_while(|&&place| place != NOWHERE).count();
    match known {
        0 => NOWHERE,
        _ => near[(counter(seed ^ 0x77_6f72_6b, u64::from(agent)) % known as u64) as usize],
    }
}

fn first_goals(charter: &Charter) -> Vec<u32> {
    let mut first = Vec::new();
    let mut next = 0;
    for class in &charter.classes {
        first.push(next);
        next += class.goals.len() as u32;
    }
    first
}
