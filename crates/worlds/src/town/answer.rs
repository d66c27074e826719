//! What places answer: whose turn comes when, and who is turned away.
//!
//! The town is cut into regions, runs of places of a fixed length. Each region is answered for by one thread, which takes what is
//! asked of its places in the order of inhabitants; answers are written beside the questions, and then given to the inhabitants
//! chunk by chunk. So nothing depends on how many threads there are or which is first.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::charter::{Charter, Reason, StockKind};
use super::places::{Place, Places};
use super::step::What;
use super::town::{CHUNK, Chunk, Town, Until};

/// Places of a region.
const REGION: usize = 8192;
/// Marks in an answer: served, from the tick in the low bits on; or turned away, for the reason there.
const SERVED: u64 = 1 << 32;
const REFUSED: u64 = 1 << 33;

/// The places of a region and what changes about them.
struct Region<'a> {
    first: u32,
    places: &'a [Place],
    until: &'a mut [Until],
    free_at: &'a mut [u32],
    stocks: &'a mut [(u32, u32)],
}

impl Town {
    /// Places answer, and inhabitants hear it.
    pub(super) fn answer(&mut self) {
        let (charter, now, chunks) = (&*self.charter, self.now, &self.chunks);
        let answer = |mut region: Region<'_>| {
            let (first, last) = (region.first, region.first + region.places.len() as u32);
            for chunk in chunks.iter().filter(|chunk| chunk.range.0 < last && chunk.range.1 >= first) {
                region.answer(charter, chunk, last, now);
            }
        };
        let mut rest = Rest {
            first: 0,
            places: &self.places.places,
            until: &mut self.state.until,
            free_at: &mut self.state.free_at,
            stocks: &mut self.state.stocks,
            slots: 0,
            stock: 0,
        };
        // Regions are handed out one by one, since where their slots and stocks end is found on the way.
        rayon::scope(|scope| {
            while let Some(region) = rest.next(&self.places) {
                if rest.places.is_empty() {
                    answer(region);
                } else {
                    let answer = &answer;
                    scope.spawn(move |_| answer(region));
                }
            }
        });
        self.hear();
    }

    /// Inhabitants hear the answers, and the town counts.
    fn hear(&mut self) {
        let now = self.now;
        let columns =
            self.due.par_chunks_mut(CHUNK).zip(self.people.par_chunks_mut(CHUNK)).zip(&mut self.chunks);
        columns.enumerate().for_each(|(index, ((due, people), chunk))| {
            for asked in &chunk.asked {
                let What::Service { takes, costs, .. } = asked.what else { continue };
                let within = asked.who as usize - index * CHUNK;
                let (person, answer) = (&mut people[within], asked.answer.load(Ordering::Relaxed));
                let number = answer as u32;
                if answer & SERVED != 0 {
                    person.coins -= costs;
                    person.began = number;
                    chunk.tally.waited += u64::from(number - now);
                    due[within] = number + takes;
                } else if answer & REFUSED != 0 {
                    person.turn_away(Reason::ALL[number as usize], now);
                }
            }
        });
        let mut told = false;
        for chunk in &mut self.chunks {
            self.tally.take(&mut chunk.tally);
            for asked in &chunk.asked {
                if let What::Tell { news, value } = asked.what {
                    told |= self.truth[usize::from(news)] != value;
                    self.truth[usize::from(news)] = value;
                }
            }
        }
        if told {
            self.learn_truth();
        }
    }
}

/// What is left to be cut into regions.
struct Rest<'a> {
    first: u32,
    places: &'a [Place],
    until: &'a mut [Until],
    free_at: &'a mut [u32],
    stocks: &'a mut [(u32, u32)],
    slots: u32,
    stock: u32,
}

impl<'a> Rest<'a> {
    fn next(&mut self, all: &Places) -> Option<Region<'a>> {
        if self.places.is_empty() {
            return None;
        }
        let count = self.places.len().min(REGION);
        let (places, left) = self.places.split_at(count);
        let (slots, stock) =
            left.first().map_or((all.slots as u32, all.stocks as u32), |next| (next.slot, next.stock));
        let cut = |slice: &mut &'a mut [u32], at: usize| {
            let (head, tail) = std::mem::take(slice).split_at_mut(at);
            *slice = tail;
            head
        };
        let free_at = cut(&mut self.free_at, (slots - self.slots) as usize);
        let (stocks, tail) = std::mem::take(&mut self.stocks).split_at_mut((stock - self.stock) as usize);
        self.stocks = tail;
        let (until, tail) = std::mem::take(&mut self.until).split_at_mut(count);
        self.until = tail;
        let region = Region { first: self.first, places, until, free_at, stocks };
        (self.first, self.places, self.slots, self.stock) = (self.first + count as u32, left, slots, stock);
        Some(region)
    }
}

impl Region<'_> {
    /// What a chunk of inhabitants asks of this region's places.
    fn answer(&mut self, charter: &Charter, chunk: &Chunk, last: u32, now: u32) {
        let (first_slot, first_stock) = (self.places[0].slot, self.places[0].stock);
        let ours = chunk.asked.iter().filter(|asked| (self.first..last).contains(&asked.place));
        for asked in ours {
            let at = (asked.place - self.first) as usize;
            let of = &self.places[at];
            let kind = &charter.kinds[usize::from(of.kind)];
            let stocks = &mut self.stocks[(of.stock - first_stock) as usize..][..kind.stock.len()];
            match asked.what {
                What::Tell { .. } => {}
                What::Bring { which, amount } => {
                    let (stock, of) = (&mut stocks[usize::from(which)], &kind.stock[usize::from(which)]);
                    // A dry place is none where people bring things.
                    let there = level(*stock, of, 0, now);
                    *stock = (there.saturating_add(amount).min(of.most), since(*stock, of, now));
                }
                What::Service { way, takes, patience, .. } => {
                    let slots = &mut self.free_at[(of.slot - first_slot) as usize..][..kind.serves as usize];
                    let first = (0..slots.len()).min_by_key(|&slot| slots[slot]);
                    let open = kind.open.map_or(now, |hours| hours.next(now));
                    let turn = first.map_or(open, |slot| open.max(slots[slot]));
                    let Until { closed, dry } = self.until[at];
                    let uses = &charter.ways[usize::from(way)].uses;
                    let has = |&(which, amount): &(u8, u32)| {
                        level(stocks[usize::from(which)], &kind.stock[usize::from(which)], dry, now) >= amount
                    };
                    let refused = match () {
                        () if closed > now => Some(Reason::Closed),
                        () if open - now > u32::from(patience) => Some(Reason::Closed),
                        () if turn - now > u32::from(patience) => Some(Reason::Full),
                        () if !uses.iter().all(has) => Some(Reason::Empty),
                        () => None,
                    };
                    let answer = match refused {
                        Some(reason) => REFUSED | reason as u64,
                        None => SERVED | u64::from(turn),
                    };
                    asked.answer.store(answer, Ordering::Relaxed);
                    if refused.is_some() {
                        continue;
                    }
                    if let Some(slot) = first {
                        slots[slot] = turn + takes;
                    }
                    for &(which, amount) in uses {
                        let (stock, of) = (&mut stocks[usize::from(which)], &kind.stock[usize::from(which)]);
                        *stock = (level(*stock, of, dry, now) - amount, since(*stock, of, now));
                    }
                }
            }
        }
    }
}

/// How much there is of a stock now.
#[inline]
fn level((amount, at): (u32, u32), of: &StockKind, dry_until: u32, now: u32) -> u32 {
    if of.minutes == 0 || now < dry_until {
        return amount.min(of.most);
    }
    (amount + now.saturating_sub(at) / of.minutes).min(of.most)
}

/// The moment from which a stock grows on: whole units are counted, the rest of the way to the next one is kept.
#[inline]
fn since((_, at): (u32, u32), of: &StockKind, now: u32) -> u32 {
    if of.minutes == 0 || at > now { at } else { now - (now - at) % of.minutes }
}
