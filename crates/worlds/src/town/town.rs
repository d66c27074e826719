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
    /// They learn from a plan that fails and plan anew; otherwise they put its goal off for an hour.
    pub replan: bool,
    /// They differ by their families; otherwise everybody is the same.
    pub families: bool,
}

impl Default for Minds {
    fn default() -> Self {
        Minds { plan: true, replan: true, families: true }
    }
}

impl Minds {
    /// All but what is named: `plans`, `replans` or `families`.
    pub fn without(names: &[impl AsRef<str>]) -> Self {
        let has = |what: &str| names.iter().all(|name| name.as_ref() != what);
        Minds { plan: has("plans"), replan: has("replans"), families: has("families") }
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
    pub(super) chunks: Vec<Chunk>,
}

/// What changes about places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlacesState {
    /// For each place, until when it is closed, and until when nothing comes to its stock.
    pub until: Vec<Until>,
    /// For each slot, from when on it is free.
    pub free_at: Vec<u32>,
    /// For each stock, how much there was and when.
    pub stocks: Vec<(u32, u32)>,
    /// For each kind of place, percent of the usual price, and until when.
    pub prices: Vec<u16>,
    pub prices_until: Vec<u32>,
}

/// Until when a place is closed, and until when nothing comes to its stock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Until {
    pub closed: u32,
    pub dry: u32,
}

/// What a chunk of inhabitants produces in a tick; kept from tick to tick, so that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Who is due.
    woken: Vec<u16>,
    /// What they ask, and the first and last place they ask.
    pub asked: Vec<Asked>,
    pub range: (u32, u32),
    pub tally: Tally,
}

impl Clone for Chunk {
    /// Nothing lasts from one tick to the next but room.
    fn clone(&self) -> Self {
        Chunk { tally: self.tally.clone(), ..Chunk::default() }
    }
}

impl Chunk {
    fn find_range(&mut self) {
        let places = self.asked.iter().map(|asked| asked.place);
        self.range = places.fold((u32::MAX, 0), |(low, high), place| (low.min(place), high.max(place)));
    }
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
            due: (0..people.len())
                .map(|agent| (counter(seed ^ 0x64_7565, agent as u64) % 60) as u32)
                .collect(),
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
            self.chunks = (0..count).map(|_| Chunk { tally: tally.clone(), ..Chunk::default() }).collect();
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
        let columns =
            self.due.par_chunks_mut(CHUNK).zip(self.people.par_chunks_mut(CHUNK)).zip(&mut self.chunks);
        columns.enumerate().for_each(|(index, ((due, people), chunk))| {
            chunk.asked.clear();
            chunk.woken.clear();
            let now = moment.now;
            chunk
                .woken
                .extend((0u16..).zip(due.iter()).filter(|(_, due)| **due <= now).map(|(within, _)| within));
            // Records are read once before anything depends on them, so that many cache misses are waited for at a time.
            let touched = chunk.woken.iter().fold(0, |sum, &within| {
                let person = &people[usize::from(within)];
                sum ^ person.facts ^ person.zero[0] as u32 ^ person.wrong_place
            });
            let touched = chunk.woken.iter().fold(touched, |sum, &within| {
                let person = &people[usize::from(within)];
                let places = &self.places.places;
                sum ^ places[person.at as usize].block ^ places[person.to as usize].block
            });
            std::hint::black_box(touched);
            for &within in &chunk.woken {
                let within = usize::from(within);
                let who = (index * CHUNK + within) as u32;
                due[within] = moment.turn(who, &mut people[within], &mut chunk.asked, &mut chunk.tally);
            }
            chunk.find_range();
        });
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
                    self.state.until[place as usize].dry = until;
                    for which in 0..self.charter.kinds[usize::from(kind)].stock.len() {
                        self.state.stocks[of.stock as usize + which] = (0, until);
                    }
                }
            }
            Happening::Close(kind) => {
                for place in self.struck(kind, event) {
                    self.state.until[place as usize].closed = until;
                }
            }
            Happening::Fire(kind) => {
                let burning = self.struck(kind, event);
                for &place in &burning {
                    self.state.until[place as usize].closed = until;
                }
                self.flee(&burning);
            }
        }
    }

    /// The places of a kind that an event strikes.
    fn struck(&self, kind: u8, event: &Event) -> Vec<u32> {
        let key = counter(self.seed ^ 0x0065_7665_6e74, u64::from(event.at));
        let is_struck =
            |place: u32| (counter(key, u64::from(place)) >> 11) as f64 / ((1u64 << 53) as f64) < event.share;
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

    pub(super) fn learn_truth(&mut self) {
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
            until: vec![Until::default(); places.places.len()],
            free_at: vec![0; places.slots],
            stocks,
            prices: vec![100; charter.kinds.len()],
            prices_until: vec![0; charter.kinds.len()],
        }
    }

    fn bytes(&self) -> usize {
        4 * self.free_at.len() + 8 * (self.until.len() + self.stocks.len())
    }
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
        _ => near[(counter(seed ^ 0x776f_726b, u64::from(agent)) % known as u64) as usize],
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
