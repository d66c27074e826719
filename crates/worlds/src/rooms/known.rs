//! The ground as a character knows it, and the ways it knows through it.
//!
//! Ways depend only on which things lie in which **region** (places joined without passing what bars the way), so that
//! walking about within a region changes no reasoning. What bars the way joins regions; a way is the list of such doors
//! between here and there, with the fewest doors, and a few others that avoid one of those.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use repertoire_character::expression::{Roles, holds};
use repertoire_character::{Destination, KindId, Laws, Memory, Nowhere, PlaceId, Space, ThingId, View, Way};
use serde::{Deserialize, Serialize};

use super::grid::Grid;

/// What is known of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cell {
    /// Never seen.
    #[default]
    Unknown,
    /// One can stand there, unless something bars it.
    Floor,
    /// One cannot.
    Wall,
}

/// The ground as one character knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    cells: Vec<Cell>,
}

/// At most this many other ways are kept beside the one with the fewest doors.
const MOST_WAYS: usize = 4;

impl Known {
    /// Nothing is known.
    pub fn nothing(places: usize) -> Self {
        Known { cells: vec![Cell::Unknown; places] }
    }

    /// All of a grid is known.
    pub fn all(grid: &Grid) -> Self {
        let cell = |place| if grid.is_wall(place) { Cell::Wall } else { Cell::Floor };
        Known { cells: (0..grid.len() as PlaceId).map(cell).collect() }
    }

    /// What is known of a place.
    pub fn cell(&self, place: PlaceId) -> Cell {
        self.cells[place as usize]
    }

    /// Takes in what is seen of a place.
    pub fn see(&mut self, place: PlaceId, is_wall: bool) {
        self.cells[place as usize] = if is_wall { Cell::Wall } else { Cell::Floor };
    }

    /// How many places are known.
    pub fn count(&self) -> usize {
        self.cells.iter().filter(|cell| **cell != Cell::Unknown).count()
    }
}

const NONE: u32 = u32::MAX;
/// How many steps ahead somebody looks who wants to get away.
const FARTHEST_RETREAT: u32 = 8;

/// Space as a character believes it to be: known ground, and what it believes to bar the way.
pub struct Ground<'a> {
    grid: &'a Grid,
    known: &'a Known,
    from: PlaceId,
    /// The region of each place that can be stood on.
    region: Vec<u32>,
    /// Whether something is left to look at in each region: it borders on what was never seen, or has places worth a look.
    is_open: Vec<bool>,
    /// For each thing that is missed, regions with places that were not looked at since.
    missed: Vec<(ThingId, KindId, Vec<u32>)>,
    /// What bars the way, and where, by thing.
    doors: Vec<(ThingId, PlaceId)>,
    /// The door at a place.
    barred: Vec<Option<u16>>,
    steps: RefCell<BTreeMap<(PlaceId, bool), Vec<u32>>>,
}

impl<'a> Ground<'a> {
    /// The ground as a character standing at `from` knows it; `is_worth_a_look` tells places where something may be by now, or
    /// what was last seen at a step and is missed since.
    pub fn new(
        grid: &'a Grid,
        known: &'a Known,
        is_worth_a_look: &dyn Fn(PlaceId, Option<u32>) -> bool,
        memory: &Memory,
        laws: &Laws,
        from: PlaceId,
    ) -> Self {
        let view = View { memory, space: &Nowhere, laws };
        let mut barred = vec![None; grid.len()];
        let mut doors = Vec::new();
        for belief in memory.beliefs() {
            let Some(place) = belief.place.filter(|_| belief.holder.is_none()) else { continue };
            let roles = Roles { actor: memory.owner, target: Some(belief.thing), item: None };
            if holds(&laws.kind(belief.kind).blocks, &roles, &view) && place != from {
                barred[place as usize] = Some(doors.len() as u16);
                doors.push((belief.thing, place));
            }
        }
        let mut ground = Ground {
            grid,
            known,
            from,
            region: vec![NONE; grid.len()],
            is_open: Vec::new(),
            missed: Vec::new(),
            doors,
            barred,
            steps: RefCell::new(BTreeMap::new()),
        };
        ground.find_regions(is_worth_a_look);
        for belief in memory.missed() {
            let mut regions: Vec<u32> = (0..grid.len() as PlaceId)
                .filter(|&place| ground.region[place as usize] != NONE)
                .filter(|&place| is_worth_a_look(place, Some(belief.seen)))
                .map(|place| ground.region[place as usize])
                .collect();
            regions.sort_unstable();
            regions.dedup();
            ground.missed.push((belief.thing, belief.kind, regions));
        }
        ground
    }

    fn can_stand(&self, place: PlaceId) -> bool {
        self.known.cell(place) == Cell::Floor && self.barred[place as usize].is_none()
    }

    fn find_regions(&mut self, is_worth_a_look: &dyn Fn(PlaceId, Option<u32>) -> bool) {
        let mut queue = VecDeque::new();
        for start in 0..self.grid.len() as PlaceId {
            if self.region[start as usize] != NONE || !self.can_stand(start) {
                continue;
            }
            let number = self.is_open.len() as u32;
            let mut is_open = false;
            self.region[start as usize] = number;
            queue.push_back(start);
            while let Some(at) = queue.pop_front() {
                is_open |= is_worth_a_look(at, None);
                for next in self.grid.neighbours(at) {
                    is_open |= self.known.cell(next) == Cell::Unknown;
                    if self.region[next as usize] == NONE && self.can_stand(next) {
                        self.region[next as usize] = number;
                        queue.push_back(next);
                    }
                }
            }
            self.is_open.push(is_open);
        }
    }

    /// One number for everything that ways depend on: which things share regions with which doors, and where something
    /// is left to explore. While it stays the same, so do all ways.
    pub fn signature(&self, memory: &Memory) -> u64 {
        let mut names: Vec<u32> = vec![NONE; self.is_open.len()];
        let mut next = 0;
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |word: u64| hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        let mut name = |region: u32| {
            if region == NONE {
                return u64::from(NONE);
            }
            let slot = &mut names[region as usize];
            if *slot == NONE {
                *slot = next;
                next += 1;
            }
            u64::from(*slot) | u64::from(self.is_open[region as usize]) << 32
        };
        mix(name(self.region[self.from as usize]));
        for belief in memory.beliefs().iter().filter(|belief| belief.thing != memory.owner) {
            let Some(place) = belief.place else { continue };
            mix(u64::from(belief.thing.0));
            mix(name(self.region[place as usize]));
            mix(u64::from(self.barred[place as usize].is_some()));
            for beside in self.grid.neighbours(place) {
                mix(name(self.region[beside as usize]));
                mix(self.known.cell(beside) as u64);
            }
        }
        for (thing, _, regions) in &self.missed {
            mix(u64::from(thing.0));
            regions.iter().for_each(|&region| mix(u64::from(region) | 1 << 33));
        }
        hash
    }

    /// Steps from a place to every other; with `open`, as if nothing barred the way. A place that cannot be entered can
    /// still be the last of a way.
    fn flood(&self, from: PlaceId, open: bool) -> Vec<u32> {
        let mut steps = vec![NONE; self.grid.len()];
        let mut queue = VecDeque::from([from]);
        steps[from as usize] = 0;
        while let Some(at) = queue.pop_front() {
            if at != from && !open && self.barred[at as usize].is_some() {
                continue;
            }
            for next in self.grid.neighbours(at) {
                if steps[next as usize] == NONE && self.known.cell(next) == Cell::Floor {
                    steps[next as usize] = steps[at as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        steps
    }

    fn lookup(&self, from: PlaceId, to: PlaceId, open: bool) -> Option<u32> {
        let mut known = self.steps.borrow_mut();
        let steps = known.entry((from, open)).or_insert_with(|| self.flood(from, open))[to as usize];
        (steps != NONE).then_some(steps)
    }

    /// The next place on the way to within reach of another.
    pub fn next_step(&self, to: PlaceId) -> Option<PlaceId> {
        let here = self.lookup(to, self.from, false)?;
        let nearer = |place: &PlaceId| {
            self.can_stand(*place) && self.lookup(to, *place, false).is_some_and(|steps| steps < here)
        };
        let ((x, y), (tx, ty)) = (self.grid.xy(self.from), self.grid.xy(to));
        // Of two ways alike, along the longer side first: it looks less like a staircase.
        let along_x = x.abs_diff(tx) >= y.abs_diff(ty);
        let all = self.grid.neighbours(self.from).filter(nearer);
        all.min_by_key(|&place| (self.grid.xy(place).1 == y) != along_x)
    }

    /// Places in the character's region from which something unknown is beside, nearest first.
    pub fn frontier(&self) -> Vec<(u32, PlaceId)> {
        let steps = self.flood(self.from, false);
        let is_frontier = |place: PlaceId| {
            self.can_stand(place)
                && steps[place as usize] != NONE
                && self.grid.neighbours(place).any(|next| self.known.cell(next) == Cell::Unknown)
        };
        let mut all: Vec<(u32, PlaceId)> = (0..self.grid.len() as PlaceId)
            .filter(|&place| is_frontier(place))
            .map(|place| (steps[place as usize], place))
            .collect();
        all.sort_unstable();
        all
    }

    /// Places in the character's region that can be stood on, each with its steps from here.
    pub fn within_reach(&self) -> impl Iterator<Item = (u32, PlaceId)> + '_ {
        let steps = self.flood(self.from, false);
        (0..self.grid.len() as PlaceId)
            .filter(|&place| self.can_stand(place))
            .map(move |place| (steps[place as usize], place))
            .filter(|&(steps, _)| steps != NONE)
    }

    /// The way with the fewest doors from here to a goal, passing none of `barred`; `None` if there is none.
    fn route(&self, goal: &Goal, barred: &[ThingId]) -> Option<Vec<ThingId>> {
        // Nodes: regions, then doors. Searched breadth first over doors, in the order of their numbers.
        let regions = self.is_open.len();
        let start = self.region[self.from as usize];
        if start == NONE {
            return None;
        }
        let mut before: Vec<Option<u32>> = vec![None; regions + self.doors.len()];
        let mut doors_so_far = vec![NONE; before.len()];
        let mut queue = VecDeque::from([start]);
        doors_so_far[start as usize] = 0;
        let mut found = None;
        while let Some(node) = queue.pop_front() {
            if goal.contains(self, node as usize) {
                found = Some(node);
                break;
            }
            let mut join = |next: usize, cost: u32, queue: &mut VecDeque<u32>| {
                if doors_so_far[next] > doors_so_far[node as usize] + cost {
                    doors_so_far[next] = doors_so_far[node as usize] + cost;
                    before[next] = Some(node);
                    if cost == 0 { queue.push_front(next as u32) } else { queue.push_back(next as u32) }
                }
            };
            let is_region = (node as usize) < regions;
            for (index, &(door, place)) in self.doors.iter().enumerate() {
                if barred.contains(&door) {
                    continue;
                }
                let own = regions + index;
                if !is_region && own != node as usize {
                    // Door beside door.
                    let other = self.doors[node as usize - regions].1;
                    if self.grid.distance(place, other) == 1 {
                        join(own, 1, &mut queue);
                    }
                } else if is_region
                    && self.grid.neighbours(place).any(|beside| self.region[beside as usize] == node)
                {
                    join(own, 1, &mut queue);
                } else if own == node as usize {
                    let beside: Vec<u32> = self
                        .grid
                        .neighbours(place)
                        .map(|beside| self.region[beside as usize])
                        .filter(|region| *region != NONE)
                        .collect();
                    for region in beside {
                        join(region as usize, 0, &mut queue);
                    }
                }
            }
        }
        let mut doors = Vec::new();
        let mut at = found;
        while let Some(node) = at {
            if node as usize >= regions {
                doors.push(self.doors[node as usize - regions].0);
            }
            at = before[node as usize];
        }
        doors.reverse();
        found.map(|_| doors)
    }
}

/// Where a way may end: regions, or doors beyond which nothing is known.
struct Goal {
    regions: Vec<u32>,
    unknown: bool,
}

impl Goal {
    fn contains(&self, ground: &Ground<'_>, node: usize) -> bool {
        let regions = ground.is_open.len();
        if node < regions {
            return self.regions.contains(&(node as u32)) || (self.unknown && ground.is_open[node]);
        }
        let place = ground.doors[node - regions].1;
        self.unknown && ground.grid.neighbours(place).any(|beside| ground.known.cell(beside) == Cell::Unknown)
    }
}

impl Space for Ground<'_> {
    fn distance(&self, a: PlaceId, b: PlaceId) -> f64 {
        f64::from(self.grid.distance(a, b))
    }

    fn steps(&self, from: PlaceId, to: PlaceId) -> Option<u32> {
        self.lookup(from, to, false)
    }

    fn steps_when_open(&self, from: PlaceId, to: PlaceId) -> Option<u32> {
        self.lookup(from, to, true)
    }

    /// To the place within a few steps that is farthest from all of these, on a way along which none of them gets first.
    fn retreat(&self, from: &[PlaceId]) -> Option<PlaceId> {
        let mut theirs = vec![NONE; self.grid.len()];
        for &place in from {
            let steps = self.flood(place, false);
            theirs.iter_mut().zip(&steps).for_each(|(least, steps)| *least = (*least).min(*steps));
        }
        let far = |place: PlaceId| from.iter().map(|&from| self.grid.distance(place, from)).min();
        let mut seen = vec![false; self.grid.len()];
        seen[self.from as usize] = true;
        let mut best = (far(self.from)?, theirs[self.from as usize].min(FARTHEST_RETREAT), None);
        // Steps, place, and the first step there.
        let mut queue = VecDeque::from([(0, self.from, None)]);
        while let Some((steps, at, first)) = queue.pop_front() {
            let score = (far(at)?, theirs[at as usize].min(FARTHEST_RETREAT));
            if score > (best.0, best.1) {
                best = (score.0, score.1, first);
            }
            if steps == FARTHEST_RETREAT {
                continue;
            }
            for next in self.grid.neighbours(at) {
                let is_mine = self.can_stand(next) && theirs[next as usize] > steps + 1;
                if is_mine && !std::mem::replace(&mut seen[next as usize], true) {
                    queue.push_back((steps + 1, next, first.or(Some(next))));
                }
            }
        }
        best.2
    }

    fn ways(&self, to: Destination, barred: &[ThingId]) -> Vec<Way> {
        let goal = match to {
            Destination::Wherever(thing) => {
                let is =
                    |(known, kind): (ThingId, KindId)| known == thing || Some(kind) == thing.unmet_kind();
                let missed = self.missed.iter().filter(|(known, kind, _)| is((*known, *kind)));
                Goal { regions: missed.flat_map(|(_, _, regions)| regions.clone()).collect(), unknown: true }
            }
            Destination::Near(place) => {
                let mut regions: Vec<u32> = self
                    .grid
                    .neighbours(place)
                    .chain([place])
                    .map(|beside| self.region[beside as usize])
                    .filter(|region| *region != NONE)
                    .collect();
                regions.sort_unstable();
                regions.dedup();
                Goal { regions, unknown: false }
            }
        };
        let Some(first) = self.route(&goal, barred) else { return Vec::new() };
        let mut ways = vec![Way { doors: first.clone() }];
        for &door in &first {
            let mut avoid = barred.to_vec();
            avoid.push(door);
            if let Some(doors) = self.route(&goal, &avoid) {
                let way = Way { doors };
                if !ways.contains(&way) && ways.len() < MOST_WAYS {
                    ways.push(way);
                }
            }
        }
        ways
    }
}
