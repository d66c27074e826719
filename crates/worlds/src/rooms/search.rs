//! Where something may be by now: what a searching character consults to choose where to look next.
//!
//! A character remembers when it last looked at each place. A place is worth a look if it was never seen; if it was last seen
//! before the thing in question was missed, which must be somewhere else since; or if others act here and it was last seen
//! [`Part::looks_again`](super::scenario::Part::looks_again) steps ago or earlier: by now somebody may have brought something,
//! or walked in. For each thing that is looked for, a belief over places is kept as long as the
//! search lasts. It is the filter of `repertoire_belief`, with the grid's places for its states:
//!
//! | what is believed                   | as                                                                             |
//! |------------------------------------|--------------------------------------------------------------------------------|
//! | it was here when it was lost       | the first belief, moved on by as many steps as have passed since               |
//! | it may be anywhere by now          | a share of the first belief, and the filter's leak, over places worth a look   |
//! | characters walk, things lie        | [`Drift`]: how likely a stay ends in each step                                 |
//! | it is not in view; there is a wall | a likelihood of 0                                                              |
//!
//! So the memory of where an apple was fades into where apples may be. A character that is alone looks everywhere once, and
//! then knows that there is none.
//!
//! In 724 houses of six rooms a dog that must search for a sheep, which goes about its needs, catches it after 25.0 steps of
//! searching on average; going to the nearest place not looked at since takes 28.2 (the test with `flock.toml`).
//!
//! Rejected: a belief about everything at all times (what is not looked for needs none, and a belief costs as much as the map
//! has places); walls in the dynamics (each character knows others, and they would change with every look).

use repertoire_belief::filter::Leak;
use repertoire_belief::{Dynamics, Filter};
use repertoire_character::{Memory, PlaceId, ThingId};
use repertoire_prob::num::{normalise, pow};
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::known::{Cell, Known};

/// How likely a character leaves its place in a step.
const WALKS: f64 = 0.5;
/// Who walks has somewhere to go: in a step they get as far as one who wanders gets in this many.
const PACE: u32 = 4;
/// How likely a thing that lies about is moved to the next place in a step.
const LIES: f64 = 0.02;
/// How much a memory of where it was counts beside all places worth a look.
const TRAIL: f64 = 0.75;
/// A memory is moved on by at most this many steps; it has spread widely by then.
const MOST_STEPS: u32 = 64;

/// How things move about between places when nobody looks.
pub struct Drift {
    walks: Dynamics,
    lies: Dynamics,
    still: Dynamics,
}

impl Drift {
    /// Over the places of a grid. Walls are not in it: which places are walls is for each character to find out.
    pub fn new(grid: &Grid) -> Self {
        let places = grid.len();
        let row = |place: PlaceId| {
            let beside: Vec<PlaceId> = grid.neighbours(place).collect();
            let share = 1.0 / beside.len().max(1) as f64;
            beside.into_iter().map(|to| (to, share)).collect()
        };
        let exits: Vec<Vec<(u32, f64)>> = (0..places as PlaceId).map(row).collect();
        let even = vec![1.0 / places as f64; places];
        let of = |leaves: f64| {
            Dynamics::from_endings(&even, &exits, &vec![vec![leaves]; places], 1)
                .unwrap_or_else(|error| unreachable!("a grid has places, and rows sum to 1: {error}"))
        };
        Drift { walks: of(WALKS), lies: of(LIES), still: of(0.0) }
    }
}

/// What is known of the world around a search, besides what it remembers itself.
pub struct Around<'a> {
    /// The ground as the character knows it.
    pub known: &'a Known,
    /// What it believes.
    pub memory: &'a Memory,
    /// How things move.
    pub drift: &'a Drift,
    /// Which things walk, by number.
    pub walkers: &'a [bool],
    /// The step.
    pub now: u32,
    /// After how many steps a place is worth another look; none if nothing moves.
    pub looks_again: Option<u32>,
}

/// The belief about one thing that is looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Quest {
    /// Which, or some thing of a kind.
    thing: ThingId,
    filter: Filter,
}

/// What a character remembers of its looking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// When each place was last in view, counted from 1; 0 if never.
    looked: Vec<u32>,
    quests: Vec<Quest>,
}

impl Search {
    /// Of somebody who has looked at no place yet.
    pub fn new(places: usize) -> Self {
        Search { looked: vec![0; places], quests: Vec::new() }
    }

    /// Of somebody who knows everything as it is at the start.
    pub fn of_all(places: usize) -> Self {
        Search { looked: vec![1; places], quests: Vec::new() }
    }

    /// Whether it is of a grid of this many places.
    pub fn fits(&self, places: usize) -> bool {
        let fit = |quest: &Quest| quest.filter.belief().len() == places;
        self.looked.len() == places && self.quests.iter().all(fit)
    }

    /// A place is in view.
    pub fn look(&mut self, place: PlaceId, now: u32) {
        self.looked[place as usize] = now + 1;
    }

    /// Whether a place is in view now.
    pub fn is_in_view(&self, place: PlaceId, now: u32) -> bool {
        self.looked[place as usize] == now + 1
    }

    /// Whether a place was never seen, or so long ago that something may be there by now.
    pub fn is_worth_a_look(&self, place: PlaceId, now: u32, looks_again: Option<u32>) -> bool {
        match self.looked[place as usize] {
            0 => true,
            when => looks_again.is_some_and(|steps| now + 1 - when.min(now + 1) >= steps),
        }
    }

    /// Whether a place was last seen at this step or before: what is missed since then may be there.
    pub fn is_before(&self, place: PlaceId, since: u32) -> bool {
        self.looked[place as usize] <= since.saturating_add(1)
    }

    /// Where a thing may be, while it is looked for: a probability for each place.
    pub fn belief(&self, thing: ThingId) -> Option<&[f64]> {
        self.quests.iter().find(|quest| quest.thing == thing).map(|quest| quest.filter.belief())
    }

    /// What is looked for.
    pub fn sought(&self) -> impl Iterator<Item = ThingId> {
        self.quests.iter().map(|quest| quest.thing)
    }

    /// Numbers for a hash of the state.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let looked = self.looked.iter().map(|&when| u64::from(when));
        let quests = self.quests.iter().flat_map(|quest| {
            let belief = quest.filter.belief().iter().map(|p| p.to_bits());
            std::iter::once(u64::from(quest.thing.0)).chain(belief)
        });
        looked.chain(quests)
    }

    /// A step passes: what is looked for moves, and is not in view.
    pub fn pass(&mut self, around: &Around<'_>) {
        if self.quests.is_empty() {
            return;
        }
        let (likelihood, ground) = (self.unseen(around), self.ground(around));
        let (mut quests, share) = (std::mem::take(&mut self.quests), leak(around));
        quests.retain_mut(|quest| {
            let mut prior = self.anywhere(quest.thing, around);
            let any = normalise(&mut prior) > 0.0;
            let leak = match any {
                true => Leak { share, prior: &prior },
                false => Leak { share: 0.0, prior: &[] },
            };
            let (dynamics, paces) = moves(around, quest.thing);
            let none = Leak { share: 0.0, prior: &[] };
            let walked = (1..paces).all(|_| quest.filter.step_unchecked(dynamics, &ground, none).is_ok());
            (walked && quest.filter.step_unchecked(dynamics, &likelihood, leak).is_ok())
                || self.begin(&mut quest.filter, quest.thing, around, &likelihood)
        });
        self.quests = quests;
    }

    /// Looks for these things from now on, and for no others.
    pub fn pursue(&mut self, sought: &[ThingId], around: &Around<'_>) {
        self.quests.retain(|quest| sought.contains(&quest.thing));
        // Who is alone, has seen every place it knows of and misses nothing finds nothing by thinking.
        let is_seen =
            |place: PlaceId| around.known.cell(place) != Cell::Floor || self.looked[place as usize] != 0;
        let is_sure = around.looks_again.is_none() && (0..self.looked.len() as PlaceId).all(is_seen);
        for &thing in sought {
            if self.belief(thing).is_some() || (is_sure && around.memory.missed_since(thing).is_none()) {
                continue;
            }
            let likelihood = self.unseen(around);
            let mut filter = Filter::of(&around.drift.still);
            if self.begin(&mut filter, thing, around, &likelihood) {
                self.quests.push(Quest { thing, filter });
            }
        }
    }

    /// The first belief: where it was lost, moved on since, and anywhere worth a look. False if it can be nowhere.
    fn begin(&self, filter: &mut Filter, thing: ThingId, around: &Around<'_>, likelihood: &[f64]) -> bool {
        let mut mixed = self.anywhere(thing, around);
        normalise(&mut mixed);
        let lost: Vec<(PlaceId, u32)> = around
            .memory
            .missed()
            .filter(|belief| belief.thing == thing || Some(belief.kind) == thing.unmet_kind())
            .filter_map(|belief| belief.was.map(|place| (place, belief.seen)))
            .collect();
        let (ground, (dynamics, paces)) = (self.ground(around), moves(around, thing));
        if !lost.is_empty() {
            mixed.iter_mut().for_each(|p| *p *= 1.0 - TRAIL);
        }
        for &(place, seen) in &lost {
            let mut there = vec![0.0; self.looked.len()];
            there[place as usize] = 1.0;
            let mut trail = Filter::of(&around.drift.still);
            let mut is_known = trail.begin_unchecked(&there, &ground).is_ok();
            let none = Leak { share: 0.0, prior: &[] };
            for _ in 0..around.now.saturating_sub(seen).min(MOST_STEPS) * paces {
                is_known = is_known && trail.step_unchecked(dynamics, &ground, none).is_ok();
            }
            if is_known {
                let share = TRAIL / lost.len() as f64;
                mixed.iter_mut().zip(trail.belief()).for_each(|(p, q)| *p += share * q);
            }
        }
        filter.begin_unchecked(&mixed, likelihood).is_ok()
    }

    /// Where anything can be at all.
    fn ground(&self, around: &Around<'_>) -> Vec<f64> {
        let places = 0..self.looked.len() as PlaceId;
        places.map(|place| f64::from(u8::from(around.known.cell(place) != Cell::Wall))).collect()
    }

    /// `P(it is not seen | it is there)`.
    fn unseen(&self, around: &Around<'_>) -> Vec<f64> {
        let unseen =
            |place: PlaceId| around.known.cell(place) != Cell::Wall && !self.is_in_view(place, around.now);
        (0..self.looked.len() as PlaceId).map(|place| f64::from(u8::from(unseen(place)))).collect()
    }

    /// How likely something has come to each place since it was looked at, up to a factor.
    fn anywhere(&self, thing: ThingId, around: &Around<'_>) -> Vec<f64> {
        let since = around.memory.missed_since(thing);
        // Places that were looked at together have come of age together.
        let (mut known_when, mut known_weight) = (0, 1.0);
        let mut weight = |place: PlaceId| {
            let when = self.looked[place as usize];
            match around.known.cell(place) {
                Cell::Wall => return 0.0,
                Cell::Unknown => return 1.0,
                Cell::Floor if when == 0 || since.is_some_and(|since| self.is_before(place, since)) => {
                    return 1.0;
                }
                Cell::Floor => {}
            }
            if when != known_when {
                let age = (around.now + 1).saturating_sub(when);
                (known_when, known_weight) = (when, 1.0 - pow(1.0 - leak(around), f64::from(age)));
            }
            known_weight
        };
        (0..self.looked.len() as PlaceId).map(&mut weight).collect()
    }
}

/// The share of belief that is redrawn in each step.
fn leak(around: &Around<'_>) -> f64 {
    around.looks_again.map_or(0.0, |steps| 1.0 / f64::from(steps.max(1)))
}

/// How a thing moves, and how often in a step; some thing of a kind moves as one that walks does, if any does.
fn moves<'a>(around: &Around<'a>, thing: ThingId) -> (&'a Dynamics, u32) {
    if around.looks_again.is_none() {
        return (&around.drift.still, 1);
    }
    let roster = around.memory.roster();
    let walks = match thing.unmet_kind() {
        None => around.walkers.get(thing.index()).copied().unwrap_or(false),
        Some(kind) => {
            roster.things.iter().zip(around.walkers).any(|(&(known, _), &walks)| walks && known == kind)
        }
    };
    if walks { (&around.drift.walks, PACE) } else { (&around.drift.lies, 1) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use repertoire_character::{KindId, Laws, NameId, Roster, Seen};

    use super::*;

    /// A corridor of eleven places, all known, with a sheep last seen in the middle.
    fn lost_at(now: u32) -> (Grid, Known, Memory) {
        let grid = Grid::new(11, 1, vec![false; 11]);
        let known = Known::all(&grid);
        let laws = Laws::read("[kind.dog]\n[kind.sheep]").expect("two kinds");
        let things = vec![(KindId(0), NameId(0)), (KindId(1), NameId(1))];
        let mut memory = Memory::new(ThingId(0), Arc::new(Roster { things }));
        let sheep = Seen { thing: ThingId(1), kind: KindId(1), place: Some(5), holder: None, values: &[] };
        memory.see(sheep, 0, &laws);
        memory.look(|_| true, now, &laws);
        (grid, known, memory)
    }

    #[test]
    fn a_memory_fades_into_where_it_may_be() {
        let (grid, known, memory) = lost_at(1);
        let drift = Drift::new(&grid);
        let mut search = Search::of_all(11);
        let mut around = Around {
            known: &known,
            memory: &memory,
            drift: &drift,
            walkers: &[true, true],
            now: 1,
            looks_again: Some(40),
        };
        search.look(5, 1);
        search.pursue(&[ThingId(1)], &around);
        let first = search.belief(ThingId(1)).expect("it is looked for").to_vec();
        assert_eq!(first[5], 0.0, "it is not where it was");
        // What walks may have gone two places in a step.
        assert!(first[3] + first[4] + first[6] + first[7] > 0.7, "it cannot be far: {first:?}");
        assert!(first[4] > first[3] && first[3] > first[2] && first[6] > first[7], "{first:?}");
        for now in 2..80 {
            around.now = now;
            search.pass(&around);
        }
        let late = search.belief(ThingId(1)).expect("it is still looked for");
        assert!((late.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(late.iter().all(|&p| p > 0.03), "by now it may be anywhere: {late:?}");
    }

    #[test]
    fn who_is_alone_believes_in_no_place_that_it_has_seen() {
        let (grid, known, memory) = lost_at(1);
        let never_met = Memory::new(ThingId(0), Arc::clone(memory.roster()));
        let drift = Drift::new(&grid);
        let (walkers, looks_again) = (&[true, false][..], None);
        let around = |memory| Around { known: &known, memory, drift: &drift, walkers, now: 1, looks_again };
        let mut search = Search::of_all(11);
        search.pursue(&[ThingId(1)], &around(&never_met));
        assert!(search.belief(ThingId(1)).is_none());
        let mut missing = Search::of_all(11);
        missing.pursue(&[ThingId(1)], &around(&memory));
        assert!(missing.belief(ThingId(1)).is_some(), "what is missed is looked for");
        assert!((0..11).all(|place| !search.is_worth_a_look(place, 500, None)));
        assert!(search.is_worth_a_look(3, 40, Some(40)) && !search.is_worth_a_look(3, 39, Some(40)));
    }
}
