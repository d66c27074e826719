//! Choosing points so that every cell is next to one, and linking them by walking.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};
use repertoire_mind::{Cells, How, Link, Place, Places};

use super::walk::{Walk, walk};
use super::{Ground, Reach, Unwalkable};
use crate::arena::motion::Body;
use crate::arena::rules::body::EYE_M;
use crate::arena::space::Scene;

/// A cell this near to a point, with a free way to it and back, needs no point of its own.
const COVER_M: f64 = 3.0;
/// The same on a map that would otherwise have too many points: each time they are too many this is √2 times as far, which
/// halves their number, but no farther than this.
const FARTHEST_COVER_M: f64 = 50.0;
/// Where rooms lie above rooms, a point serves who is no higher above it or below it than this.
const COVER_HEIGHT_M: f64 = 2.0;
/// And links lead no farther down than this, nor up.
const LINK_HEIGHT_M: f64 = 9.0;
/// Links up lead no higher: somewhat more than a jump.
const CLIMB_M: f64 = 2.5;
/// Points are tried for a link that are this many times as near to each other.
const LINK_PER_COVER: f64 = 2.0;
/// How often points are added where the net has no way that the cells have.
const ROUNDS: usize = 6;

/// Points, links, and who can get where.
pub(super) struct Net {
    pub points: Vec<DVec3>,
    pub links: Vec<Vec<Link>>,
    /// For each cell the point to walk to.
    pub owner: Vec<u16>,
    pub item_points: Vec<Option<u16>>,
    pub start_points: Vec<Option<u16>>,
    /// Whether the main part of the map can be reached from a point.
    pub reaches_main: Vec<bool>,
    /// Whether the floor harms at a point.
    pub harmful: Vec<bool>,
}

/// Points under construction: where each stands while the lifts are down, and up.
struct Builder<'g, 'a, R> {
    ground: &'g Ground<'a>,
    reached: &'g R,
    cover_m: f64,
    link_m: f64,
    stands: Vec<Vec<Option<DVec3>>>,
    /// Points by coarse squares, for neighbours.
    squares: BTreeMap<(i64, i64), Vec<u16>>,
    owner: Vec<u16>,
    links: Vec<Vec<Link>>,
}

/// Chooses and links points: as near to each other as there may be points.
pub(super) fn choose(ground: &Ground<'_>, reached: &impl Reach) -> Result<Net, Unwalkable> {
    let mut cover_m = COVER_M;
    loop {
        match choose_apart(ground, reached, cover_m) {
            Err(Unwalkable::TooManyPoints) if cover_m < FARTHEST_COVER_M => {
                cover_m *= std::f64::consts::SQRT_2;
            }
            done => return done,
        }
    }
}

fn choose_apart(ground: &Ground<'_>, reached: &impl Reach, cover_m: f64) -> Result<Net, Unwalkable> {
    let mut builder = Builder {
        ground,
        reached,
        cover_m,
        link_m: cover_m * LINK_PER_COVER,
        stands: Vec::new(),
        squares: BTreeMap::new(),
        owner: vec![Cells::NOWHERE; reached.count()],
        links: Vec::new(),
    };
    type At = (DVec2, Option<f64>);
    let mut add_all = |things: &mut dyn Iterator<Item = At>| -> Result<Vec<Option<u16>>, Unwalkable> {
        things.map(|(at, height_m)| builder.add_reached(at, height_m)).collect()
    };
    let start_points = add_all(&mut ground.map.starts.iter().map(|start| (start.at, start.height_m)))?;
    let item_points = add_all(&mut ground.map.items.iter().map(|item| (item.at, item.height_m)))?;
    add_all(&mut ground.map.exits.iter().map(|exit| (exit.at, exit.height_m)))?;
    builder.cover()?;
    builder.link_all(0);
    let has_storeys = ground.scenes[0].space.has_storeys();
    for _ in 0..if has_storeys { ROUNDS / 2 } else { ROUNDS } {
        match builder.mend() {
            Ok(true) => {}
            Ok(false) => break,
            // What is not mended by then is a ledge or a bank that a body came over once.
            Err(Unwalkable::TooManyPoints) if has_storeys => break,
            Err(cause) => return Err(cause),
        }
    }
    builder.add_teleports()?;
    let (links, reaches_main) = keep_to_main(std::mem::take(&mut builder.links));
    let points =
        builder.stands.iter().map(|stands| stands.iter().flatten().next().copied().unwrap_or_default());
    let harmful = (0..builder.stands.len() as u16).map(|id| builder.harm(id)).collect();
    Ok(Net {
        points: points.collect(),
        links,
        owner: builder.owner,
        item_points,
        start_points,
        reaches_main,
        harmful,
    })
}

/// Walks towards a place where nobody may be able to stand; only a teleporter on the way makes sense of it.
pub(super) fn walk_blind(ground: &Ground<'_>, scene: Scene<'_>, from: DVec3, to: DVec2) -> Walk {
    match walk(ground, scene, from, to.extend(from.z), false) {
        exit @ Walk::Exit(..) => exit,
        _ => Walk::Failed,
    }
}

impl<R: Reach> Builder<'_, '_, R> {
    fn add(&mut self, stands: Vec<Option<DVec3>>) -> Result<u16, Unwalkable> {
        if self.stands.len() >= Places::MOST_POINTS {
            return Err(Unwalkable::TooManyPoints);
        }
        let at = stands.iter().flatten().next().map_or(DVec2::ZERO, |stand| stand.truncate());
        let id = self.stands.len() as u16;
        self.stands.push(stands);
        self.links.push(Vec::new());
        self.squares.entry(self.square(at)).or_default().push(id);
        Ok(id)
    }

    fn square(&self, at: DVec2) -> (i64, i64) {
        ((at.x / self.link_m).floor() as i64, (at.y / self.link_m).floor() as i64)
    }

    /// A point at a position that the flood reached, unless one is there already.
    fn add_reached(&mut self, at: DVec2, height_m: Option<f64>) -> Result<Option<u16>, Unwalkable> {
        let (ground, reached) = (self.ground, self.reached);
        if ground.cell_of(at).is_none() {
            return Ok(None);
        }
        let settle = |&scene: &Scene<'_>| Body::settle(scene, at, height_m);
        let stands: Vec<Option<DVec3>> = ground.scenes.iter().map(settle).collect();
        let Some(&stand) = stands.iter().flatten().next() else { return self.add_nearest(at, height_m) };
        if let Some(same) = self.near(stand, 0.2, COVER_HEIGHT_M).first() {
            return Ok(Some(*same));
        }
        let touches = (0..ground.scenes.len()).any(|phase| {
            reached.around(ground, stand).into_iter().any(|node| {
                reached.is_seen(node)
                    && reached.stand(ground, node, phase).zip(stands[phase]).is_some_and(|(from, to)| {
                        matches!(walk(ground, ground.scenes[phase], from, to, false), Walk::Arrived(_))
                    })
            })
        });
        if touches { self.add(stands).map(Some) } else { self.add_nearest(at, height_m) }
    }

    /// Where rooms lie above rooms, things lie where no body fits: the nearest node from which they can be taken.
    fn add_nearest(&mut self, at: DVec2, height_m: Option<f64>) -> Result<Option<u16>, Unwalkable> {
        const TAKEN_FROM_M: f64 = 0.9;
        let Some(height_m) = height_m else { return Ok(None) };
        let at = at.extend(height_m);
        let far = |node: u32| self.reached.middle(self.ground, node).truncate().distance(at.truncate());
        let nodes = self.reached.around(self.ground, at);
        let nearest = nodes.into_iter().min_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
        let Some(node) = nearest.filter(|&node| far(node) < TAKEN_FROM_M) else { return Ok(None) };
        let same = self.near(self.reached.middle(self.ground, node), 0.2, COVER_HEIGHT_M).first().copied();
        same.map_or_else(|| self.add_node(node), Ok).map(Some)
    }

    /// Points within a distance, nearest first; where rooms lie above rooms, also within a height.
    fn near(&self, at: DVec3, within_m: f64, height_m: f64) -> Vec<u16> {
        let height_m = if self.ground.scenes[0].space.has_storeys() { height_m } else { f64::INFINITY };
        let (x, y) = self.square(at.truncate());
        let mut found: Vec<(f64, u16)> = Vec::new();
        for dy in -1..=1 {
            for dx in -1..=1 {
                for &id in self.squares.get(&(x + dx, y + dy)).into_iter().flatten() {
                    let gap = self.at(id) - at;
                    let far = gap.truncate().length();
                    if far <= within_m && gap.z.abs() <= height_m {
                        found.push((far, id));
                    }
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, id)| id).collect()
    }

    fn at(&self, id: u16) -> DVec3 {
        self.stands[usize::from(id)].iter().flatten().next().copied().unwrap_or_default()
    }

    /// Whether one walks straight between a cell and a point, both ways, with the lifts at rest in one position.
    fn serves(&self, id: u16, node: u32) -> bool {
        let may_meet = || self.ground.may_meet_lift(self.at(id), self.reached.middle(self.ground, node));
        let phases = if self.ground.scenes.len() > 1 && may_meet() { self.ground.scenes.len() } else { 1 };
        (0..phases).any(|phase| {
            let (Some(point), Some(stand)) =
                (self.stands[usize::from(id)][phase], self.reached.stand(self.ground, node, phase))
            else {
                return false;
            };
            let scene = self.ground.scenes[phase];
            // Nothing can be in the way: on wide maps most walks are such.
            if scene.is_open(point.truncate(), stand.truncate()) {
                return true;
            }
            let there = |from, to| matches!(walk(self.ground, scene, from, to, false), Walk::Arrived(_));
            there(stand, point) && there(point, stand)
        })
    }

    /// A lift's cells belong to a point on that lift, others to a point beside it: who waits for it must not ride.
    fn same_lift(&self, id: u16, node: u32) -> bool {
        self.ground.lift_at(self.at(id)) == self.ground.lift_at(self.reached.middle(self.ground, node))
    }

    /// Gives each reached cell a point, adding points where none serves.
    fn cover(&mut self) -> Result<(), Unwalkable> {
        for &node in self.reached.order() {
            let middle = self.reached.middle(self.ground, node);
            let serving = self
                .near(middle, self.cover_m, COVER_HEIGHT_M)
                .into_iter()
                .take(6)
                .find(|&id| self.same_lift(id, node) && self.serves(id, node));
            self.owner[node as usize] = serving.map_or_else(|| self.add_node(node), Ok)?;
        }
        Ok(())
    }

    fn add_node(&mut self, node: u32) -> Result<u16, Unwalkable> {
        let phases = 0..self.ground.scenes.len();
        self.add(phases.map(|phase| self.reached.stand(self.ground, node, phase)).collect())
    }

    /// Tries links between near points, of which at least one is `first_new` or later.
    fn link_all(&mut self, first_new: u16) {
        for from in 0..self.stands.len() as u16 {
            for to in self.near(self.at(from), self.link_m, LINK_HEIGHT_M) {
                if from != to && (from >= first_new || to >= first_new) {
                    self.link(from, to);
                }
            }
        }
    }

    fn link(&mut self, from: u16, to: u16) {
        let known = self.links[usize::from(from)].iter().any(|link| link.to == Place(to));
        if !known && let Some((how, steps)) = self.find_link(from, to) {
            let millis = (f64::from(steps) * self.ground.rules.step_secs() * 1000.0) as u32 + 1;
            let waiting = if matches!(how, How::LiftDown(_) | How::LiftUp(_)) { 3000 } else { 0 };
            let harm = self.harm(to);
            let millis = (millis + waiting) * if harm { 8 } else { 1 };
            self.links[usize::from(from)].push(Link { to: Place(to), how, millis });
        }
    }

    /// Harmful floors are gone around where that is possible.
    fn harm(&self, id: u16) -> bool {
        self.ground.harms(self.at(id))
    }

    fn find_link(&self, from: u16, to: u16) -> Option<(How, u32)> {
        let attempt = |phase: usize, jump: bool| {
            let scene = self.ground.scenes[phase];
            let (from, to) = (self.stands[usize::from(from)][phase]?, self.stands[usize::from(to)][phase]?);
            match walk(self.ground, scene, from, to, jump) {
                Walk::Arrived(steps) => Some(steps),
                _ => None,
            }
        };
        let ends = (self.at(from), self.at(to));
        let may_meet_lift = self.ground.scenes.len() > 1 && self.ground.may_meet_lift(ends.0, ends.1);
        if self.ground.scenes[0].space.has_storeys() && !may_meet_lift && self.is_out_of_reach(ends) {
            return None;
        }
        let lift = self.ground.lift_at(ends.0).or(self.ground.lift_at(ends.1));
        if !may_meet_lift {
            return attempt(0, false)
                .map(|steps| (How::Walk, steps))
                .or_else(|| attempt(0, true).map(|steps| (How::Jump, steps)));
        }
        match (attempt(0, false), attempt(1, false), lift) {
            (Some(a), Some(b), _) => Some((How::Walk, a.max(b))),
            (Some(steps), None, Some(lift)) => Some((How::LiftDown(lift), steps)),
            (None, Some(steps), Some(lift)) => Some((How::LiftUp(lift), steps)),
            _ => match (attempt(0, true), attempt(1, true)) {
                (Some(a), Some(b)) => Some((How::Jump, a.max(b))),
                _ => None,
            },
        }
    }

    /// Whether it need not be walked to know that it cannot be: too high, or behind a wall.
    fn is_out_of_reach(&self, (from, to): (DVec3, DVec3)) -> bool {
        let eye = DVec3::new(0.0, 0.0, EYE_M);
        let is_level = (to.z - from.z).abs() < 1.0;
        to.z - from.z > CLIMB_M || is_level && !self.ground.scenes[0].sees(from + eye, to + eye)
    }

    /// Where cells have a way that the net has not, adds the cells on both sides of it as points. Whether it did.
    fn mend(&mut self) -> Result<bool, Unwalkable> {
        let reach = reachable(&self.links);
        let mut missing: BTreeMap<(u16, u16), (u32, u32)> = BTreeMap::new();
        for (a, b) in self.reached.moves(self.ground) {
            let (from, to) = (self.owner[a as usize], self.owner[b as usize]);
            if from != to && !reach.has(from, to) {
                missing.entry((from, to)).or_insert((a, b));
            }
        }
        let first_new = self.stands.len() as u16;
        for &(a, b) in missing.values() {
            for cell in [a, b] {
                let middle = self.reached.middle(self.ground, cell);
                if self.near(middle, 0.3, COVER_HEIGHT_M).iter().all(|&id| id < first_new) {
                    let id = self.add_node(cell)?;
                    self.owner[cell as usize] = id;
                }
            }
        }
        self.link_all(first_new);
        Ok(self.stands.len() as u16 > first_new)
    }

    /// A point behind each teleporter, from which the way leads on at its exit.
    fn add_teleports(&mut self) -> Result<(), Unwalkable> {
        let mut done: BTreeMap<(u16, usize), ()> = BTreeMap::new();
        for &(cell, towards, exit) in self.reached.teleports() {
            let from = self.owner[cell as usize];
            let exit_at = &self.ground.map.exits[exit];
            let exit_at = exit_at.at.extend(exit_at.height_m.unwrap_or(0.0));
            let out = self.reached.node_at(self.ground, exit_at).map(|node| self.owner[node as usize]);
            let Some(out) = out else { continue };
            if from == Cells::NOWHERE || out == Cells::NOWHERE || done.insert((from, exit), ()).is_some() {
                continue;
            }
            let Some(stand) = self.reached.stand(self.ground, cell, 0) else { continue };
            // Behind the line as seen from the cell, so that steering there crosses it.
            let beyond = stand.truncate() + (towards.truncate() - stand.truncate()) * 2.0;
            let before = self.add_node(cell)?;
            let behind = self.add(vec![Some(beyond.extend(stand.z)); self.ground.scenes.len()])?;
            self.link(from, before);
            self.links[usize::from(before)].push(Link { to: Place(behind), how: How::Walk, millis: 200 });
            self.links[usize::from(behind)].push(Link { to: Place(out), how: How::Teleport, millis: 1 });
        }
        Ok(())
    }
}

/// Who can get where, as one bit a pair.
struct Connected {
    words: usize,
    bits: Vec<u64>,
}

impl Connected {
    fn has(&self, from: u16, to: u16) -> bool {
        let (from, to) = (usize::from(from), usize::from(to));
        self.bits[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }
}

fn reachable(links: &[Vec<Link>]) -> Connected {
    let words = links.len().div_ceil(64);
    let mut reach = Connected { words, bits: vec![0; words * links.len()] };
    let mut stack = Vec::new();
    for from in 0..links.len() {
        let row = &mut reach.bits[from * words..(from + 1) * words];
        stack.push(from);
        while let Some(at) = stack.pop() {
            if row[at / 64] >> (at % 64) & 1 == 0 {
                row[at / 64] |= 1 << (at % 64);
                stack.extend(links[at].iter().map(|link| link.to.index()));
            }
        }
    }
    reach
}

/// Drops links that lead out of the largest part from which every point can be reached from every other: who takes
/// them does not come back. Also tells from where that part can be reached.
fn keep_to_main(mut links: Vec<Vec<Link>>) -> (Vec<Vec<Link>>, Vec<bool>) {
    let reach = reachable(&links);
    let count = links.len() as u16;
    let same = |a: u16, b: u16| reach.has(a, b) && reach.has(b, a);
    let mut part: Vec<u16> = Vec::with_capacity(links.len());
    let mut sizes: BTreeMap<u16, u32> = BTreeMap::new();
    for id in 0..count {
        let first = (0..id).find(|&other| part[usize::from(other)] == other && same(other, id)).unwrap_or(id);
        part.push(first);
        *sizes.entry(first).or_default() += 1;
    }
    let main =
        sizes.iter().max_by_key(|&(&first, &size)| (size, std::cmp::Reverse(first))).map(|(&first, _)| first);
    let is_main = |id: u16| Some(part[usize::from(id)]) == main;
    for id in (0..count).filter(|&id| is_main(id)) {
        links[usize::from(id)].retain(|link| is_main(link.to.0));
    }
    let reaches = (0..count).map(|id| main.is_some_and(|main| reach.has(id, main))).collect();
    (links, reaches)
}
