//! How opponents walk a map: by its points and links alone, or as players were seen to walk it.
//!
//! The state is the link somebody is on. Which link follows which is counted over the shortest ways to all goals; recorded
//! ways ([`Habits`]), and those watched while playing, refine that table as the tables of `belief` are refined: `P = (n + w · P_map) / (N + w)`, Dirichlet's
//! prior with the map's table as its mean. So a link nobody was seen on keeps what the map says of it.
//!
//! How long somebody is on a link is refined as a hazard, the chance per step that the stay ends: first over all links that take
//! as many steps (does this player stop and wait?), then for the link itself (is this where they do?). Where lives begin is counted too.

use repertoire_belief::Dynamics;

use super::habits::{Habits, Routes};
use crate::{Place, Places};

/// How many times more often a point with an item is the goal than another point.
const ITEM_GOAL: f64 = 6.0;
/// Opponents run at about this share of full speed.
const USUAL_SPEED: f64 = 0.85;
/// How many steps on a link are told apart.
const SLOTS: usize = 6;
/// How many recorded moves the map's own table is worth, how many stays on any link, how many seconds of play its even chances of being
/// anywhere, and how many lives its even chances of beginning anywhere.
const MAP_MOVES: f64 = 2.0;
const MAP_STAYS: f64 = 20.0;
const MAP_SECS: f64 = 60.0;
const MAP_LIVES: f64 = 4.0;
/// The share of chances that is spread evenly when a way is judged: nothing is impossible.
const EVEN: f64 = 0.01;

/// How opponents walk a map.
#[derive(Debug)]
pub struct MapWalk {
    pub(super) dynamics: Dynamics,
    /// The point that each link leads to.
    pub(super) to: Vec<u16>,
    /// The point that each link leaves.
    pub(super) from: Vec<u16>,
    /// Decisions from one step to the next.
    pub(super) step_ticks: u32,
    /// How probable each link is for somebody of whom nothing is known.
    pub(super) anywhere: Vec<f64>,
    /// How probable each link is for somebody whose life begins.
    pub(super) begins: Vec<f64>,
    /// What any link explains as well as any other.
    pub(super) ones: Vec<f64>,
}

impl MapWalk {
    /// The walk of a map, for decisions that are `period_secs` apart; by habits where there are any of this map. `None`
    /// where no link leads anywhere.
    pub fn of(places: &Places, period_secs: f64, habits: Option<&Habits>) -> Option<Self> {
        let table = MapTable::of(places)?;
        let routes = habits.and_then(|habits| habits.on(places));
        table.walk(places, period_secs, routes.into_iter())
    }

    /// How surprising a way is, of points a second apart: the nats of which link follows which along the shortest ways between them, and how
    /// many choices between links there were.
    pub(super) fn nats(&self, way: &[Place], places: &Places) -> (f64, usize) {
        let (mut sum, mut choices) = (0.0, 0);
        let mut on: Option<usize> = None;
        for pair in way.windows(2) {
            let (mut at, to) = (pair[0], pair[1]);
            while at != to {
                let link = places.next(at, to).and_then(|next| self.link(at.0, next.to.0));
                let Some(link) = link else {
                    on = None;
                    break;
                };
                if let Some(before) = on.filter(|&before| self.to[before] == at.0) {
                    let count = places.links(at).len();
                    if count > 1 {
                        let exits = self.dynamics.exits(before).filter(|(to, _)| *to == link);
                        let p: f64 = exits.map(|(_, p)| p).sum();
                        sum -= libm::log((1.0 - EVEN) * p + EVEN / count as f64);
                        choices += 1;
                    }
                }
                (at, on) = (Place(self.to[link]), Some(link));
            }
        }
        (sum, choices)
    }

    /// The number of the link from one point to another; links are in the order of the points they leave.
    fn link(&self, from: u16, to: u16) -> Option<usize> {
        let first = self.from.partition_point(|&at| at < from);
        let leaving = self.from[first..].iter().take_while(|&&at| at == from).count();
        (first..first + leaving).find(|&link| self.to[link] == to)
    }
}

/// What follows from a map alone: worked out once, refined as often as something is learned.
#[derive(Debug)]
pub(super) struct MapTable {
    links: LinkTable,
    exits: Vec<Vec<(u32, f64)>>,
}

impl MapTable {
    pub fn of(places: &Places) -> Option<Self> {
        let links = LinkTable::of(places);
        let exits = exits(places, &links);
        (!links.to.is_empty()).then_some(MapTable { links, exits })
    }

    /// How opponents walk the map, as some routes show it.
    pub fn walk<'r>(
        &self,
        places: &Places,
        period_secs: f64,
        routes: impl Iterator<Item = &'r Routes>,
    ) -> Option<MapWalk> {
        let links = &self.links;
        let mut sorted = links.millis.clone();
        sorted.sort_unstable();
        let usual_secs = f64::from(sorted[sorted.len() / 2]) / 1000.0 / USUAL_SPEED;
        let step_ticks = (usual_secs / period_secs).round().clamp(1.0, 10.0) as u32;
        let step_secs = f64::from(step_ticks) * period_secs;
        let mut exits = self.exits.clone();
        let steps = |millis: &u32| f64::from(*millis) / 1000.0 / USUAL_SPEED / step_secs;
        let mut endings: Vec<Vec<f64>> = links.millis.iter().map(|millis| endings(steps(millis))).collect();
        let mut anywhere = vec![1.0 / links.to.len() as f64; links.to.len()];
        let mut begins = anywhere.clone();
        for routes in routes {
            let walked = Walked::count(routes, places, links);
            walked.refine_exits(&mut exits);
            walked.refine_endings(&mut endings, step_secs);
            walked.refine_shares(&mut anywhere);
            walked.refine_begins(&mut begins, links);
        }
        let dynamics = Dynamics::from_endings(&anywhere, &exits, &endings, SLOTS).ok()?;
        let ones = vec![1.0; links.to.len()];
        let (to, from) = (links.to.clone(), links.from.clone());
        Some(MapWalk { dynamics, to, from, step_ticks, anywhere, begins, ones })
    }
}

/// All links of a map, one after the other in the order of the points they leave.
#[derive(Debug)]
struct LinkTable {
    /// The number of the first link that leaves each point, and of the one after the last.
    first: Vec<usize>,
    from: Vec<u16>,
    to: Vec<u16>,
    millis: Vec<u32>,
}

impl LinkTable {
    fn of(places: &Places) -> Self {
        let mut table = LinkTable { first: vec![0], from: Vec::new(), to: Vec::new(), millis: Vec::new() };
        for a in 0..places.points().len() as u16 {
            for link in places.links(Place(a)) {
                table.from.push(a);
                table.to.push(link.to.0);
                table.millis.push(link.millis);
            }
            table.first.push(table.to.len());
        }
        table
    }

    /// The numbers of the links that leave a point.
    fn leaving(&self, point: u16) -> std::ops::Range<usize> {
        self.first[usize::from(point)]..self.first[usize::from(point) + 1]
    }

    /// The link that leaves a point on the way to a goal.
    fn toward(&self, places: &Places, at: u16, goal: u16) -> Option<usize> {
        let next = places.next(Place(at), Place(goal))?;
        self.leaving(at).find(|&link| self.to[link] == next.to.0)
    }
}

/// The probability per step that a stay ends, for stays that last `mean` steps on average.
fn endings(mean_steps: f64) -> Vec<f64> {
    (1..=SLOTS).map(|e| if e as f64 + 0.5 < mean_steps { 0.1 } else { 0.75 }).collect()
}

/// Which link follows which: counted over the shortest ways to all goals.
fn exits(places: &Places, links: &LinkTable) -> Vec<Vec<(u32, f64)>> {
    let count = places.points().len() as u16;
    let mut goal_weight = vec![1.0; usize::from(count)];
    for place in places.spots().iter().filter_map(|spot| spot.place) {
        goal_weight[place.index()] += ITEM_GOAL;
    }
    let mut begins = vec![0.0; links.to.len()];
    let mut ends = vec![0.0; links.to.len()];
    let mut follows: Vec<Vec<(u32, f64)>> =
        links.to.iter().map(|&b| links.leaving(b).map(|next| (next as u32, 0.0)).collect()).collect();
    for (goal, &weight) in (0..count).zip(&goal_weight) {
        for a in (0..count).filter(|&a| a != goal) {
            let Some(way) = links.toward(places, a, goal) else { continue };
            begins[way] += weight;
            let b = links.to[way];
            match links.toward(places, b, goal) {
                Some(next) if b != goal => follows[way][next - links.leaving(b).start].1 += weight,
                _ => ends[way] += weight,
            }
        }
    }
    for (way, row) in follows.iter_mut().enumerate() {
        let all: f64 = begins[links.leaving(links.to[way])].iter().sum();
        // At its goal it chooses another; a link that no way uses is left as if it were a goal.
        let anew =
            if ends[way] > 0.0 || row.iter().all(|exit| exit.1 == 0.0) { ends[way].max(1.0) } else { 0.0 };
        for (next, p) in row.iter_mut() {
            *p += if all > 0.0 { anew * begins[*next as usize] / all } else { anew };
        }
        let total: f64 = row.iter().map(|exit| exit.1).sum();
        row.iter_mut().for_each(|exit| exit.1 = if total > 0.0 { exit.1 / total } else { 0.0 });
    }
    follows
}

/// What was counted of recorded ways.
struct Walked {
    /// For each link, how often each link that leaves its end was taken next.
    follows: Vec<Vec<f64>>,
    /// For each link, how long each stay on it lasted.
    stays_secs: Vec<Vec<f64>>,
    /// The points where lives began.
    starts: Vec<u16>,
}

/// Stays that came to an end after 1, 2, .. steps, and stays that might have; the last counts all longer ones, step by step.
#[derive(Clone, Copy, Default)]
struct Hazard {
    ended: [f64; SLOTS],
    at_risk: [f64; SLOTS],
}

impl Hazard {
    fn count(&mut self, steps: usize) {
        for step in 1..=steps {
            self.at_risk[step.min(SLOTS) - 1] += 1.0;
        }
        self.ended[steps.min(SLOTS) - 1] += 1.0;
    }

    /// The chances of ending, given what they were thought to be before, which is worth `prior` stays.
    fn refine(&self, endings: &mut [f64], prior: f64) {
        for ((p, ended), at_risk) in endings.iter_mut().zip(self.ended).zip(self.at_risk) {
            *p = (ended + prior * *p) / (at_risk + prior);
        }
    }
}

impl Walked {
    fn count(routes: &Routes, places: &Places, links: &LinkTable) -> Self {
        let mut walked = Walked {
            follows: links.to.iter().map(|&b| vec![0.0; links.leaving(b).len()]).collect(),
            stays_secs: vec![Vec::new(); links.to.len()],
            starts: Vec::new(),
        };
        for way in &routes.ways {
            walked.starts.extend(way.first().filter(|_| routes.are_lives));
            let mut on = None;
            for pair in way.windows(2) {
                on = walked.step(routes.period_secs, (pair[0], pair[1]), places, links, on);
            }
        }
        walked
    }

    /// One recorded step, along the shortest way. Gives the link it ends on; none where nobody can walk so far in the time, so
    /// that it must have been a teleporter or a new life.
    fn step(
        &mut self,
        period_secs: f64,
        (from, to): (u16, u16),
        places: &Places,
        links: &LinkTable,
        mut on: Option<usize>,
    ) -> Option<usize> {
        if from == to {
            if let Some(stay) = on.and_then(|link| self.stays_secs[link].last_mut()) {
                *stay += period_secs;
            }
            return on;
        }
        let way_secs =
            places.travel_secs(Place(from), Place(to)).filter(|secs| *secs < 2.0 * period_secs + 1.0)?;
        let mut at = from;
        while at != to {
            let link = links.toward(places, at, to)?;
            if let Some(before) = on {
                let leaving = links.leaving(at);
                // Somebody who turned back in the middle of a link is counted as taking the next one all the same.
                if links.to[before] == at {
                    self.follows[before][link - leaving.start] += 1.0;
                }
            }
            let share = f64::from(links.millis[link]) / 1000.0 / way_secs.max(0.001);
            self.stays_secs[link].push(period_secs * share);
            (at, on) = (links.to[link], Some(link));
        }
        on
    }

    fn refine_exits(&self, exits: &mut [Vec<(u32, f64)>]) {
        for (row, counts) in exits.iter_mut().zip(&self.follows) {
            let known: f64 = row.iter().map(|exit| exit.1).sum();
            let total = counts.iter().sum::<f64>() + MAP_MOVES * known;
            if total > 0.0 {
                row.iter_mut().zip(counts).for_each(|(exit, n)| exit.1 = (n + MAP_MOVES * exit.1) / total);
            }
        }
    }

    fn refine_endings(&self, endings: &mut [Vec<f64>], step_secs: f64) {
        // What the map says of a link is how many steps it takes, so that links of the same chances are of one kind.
        let kind = |chances: &[f64]| chances.iter().filter(|p| **p < 0.5).count();
        let mut kinds = [Hazard::default(); SLOTS + 1];
        let mut own = vec![Hazard::default(); endings.len()];
        for ((own, stays), chances) in own.iter_mut().zip(&self.stays_secs).zip(&*endings) {
            for secs in stays {
                let steps = (secs / step_secs).round().max(1.0) as usize;
                own.count(steps);
                kinds[kind(chances)].count(steps);
            }
        }
        for (chances, own) in endings.iter_mut().zip(&own) {
            kinds[kind(chances)].refine(chances, MAP_STAYS);
            own.refine(chances, MAP_MOVES);
        }
    }

    fn refine_shares(&self, anywhere: &mut [f64]) {
        let secs: Vec<f64> = self.stays_secs.iter().map(|stays| stays.iter().sum()).collect();
        let total = secs.iter().sum::<f64>() + MAP_SECS;
        anywhere.iter_mut().zip(&secs).for_each(|(share, secs)| *share = (secs + MAP_SECS * *share) / total);
    }

    fn refine_begins(&self, begins: &mut [f64], links: &LinkTable) {
        let started: Vec<_> =
            self.starts.iter().map(|&at| links.leaving(at)).filter(|ways| !ways.is_empty()).collect();
        let total = started.len() as f64 + MAP_LIVES;
        begins.iter_mut().for_each(|share| *share *= MAP_LIVES / total);
        for ways in started {
            let share = 1.0 / (ways.len() as f64 * total);
            begins[ways].iter_mut().for_each(|begin| *begin += share);
        }
    }
}
