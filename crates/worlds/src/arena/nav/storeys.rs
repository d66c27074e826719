//! Where a character can be on a map with rooms above rooms: everything that a body reaches on foot from the starts, in three
//! dimensions.
//!
//! Nothing is known before it is walked. A body that stands somewhere walks towards the middles of the eight cells around; where it
//! comes to stand, on the same floor, up a step, down a drop or swimming, is a node: a cell has as many as there are floors in it
//! that are reached.

use std::collections::{BTreeMap, VecDeque};

use glam::{DVec2, DVec3};
use repertoire_mind::Cells;

use super::flood::{AROUND, Phase};
use super::lava::is_lava;
use super::walk::steer;
use super::{CELL_M, Ground, Reach};
use crate::arena::map::Area;
use crate::arena::motion::{Body, Wish};
use crate::arena::space::hulls::{HullScene, origin_of};
use crate::arena::space::plan::Plan;
use crate::arena::space::{Hulls, Scene};

/// Floors of a cell that are nearer to each other are one.
const SAME_M: f64 = 0.5;
/// Nobody steps or jumps higher.
const JUMP_M: f64 = 1.45;
/// A way whose end is no higher or lower than this is level.
const LEVEL_M: f64 = 0.06;
/// Somebody this near to the middle of a cell is there.
const THERE_M: f64 = 0.2;
/// Longest walks from cell to cell, in seconds: on foot, and with a fall or a swim up.
const WALK_SECS: f64 = 0.5;
const FALL_SECS: f64 = 2.0;
/// Nobody goes where more health is lost per second: lava is no way.
pub(super) const DEADLY_PER_SEC: f64 = 40.0;
/// The most floors that are kept: a damaged map must not ask for all memory.
const MOST_NODES: usize = 1 << 20;

/// What was reached, floor by floor.
#[derive(Default)]
pub(super) struct Floors {
    /// For each node and position of the lifts: where a body stands.
    stands: Vec<Vec<Option<DVec3>>>,
    /// The cell of each node.
    cell: Vec<u32>,
    /// The nodes of each cell that has any.
    in_cell: BTreeMap<u32, Vec<u32>>,
    order: Vec<u32>,
    moves: Vec<(u32, u32)>,
    teleports: Vec<(u32, DVec3, usize)>,
    harmful: Vec<bool>,
}

/// How a walk towards a neighbouring cell ended.
enum Wander {
    At(DVec3),
    Exit(usize),
    Nowhere,
}

/// Walks everywhere from the starts, and from the exits of teleporters that were found.
pub(super) fn flood(ground: &Ground<'_>, hulls: &Hulls) -> Floors {
    let mut floors = Floors::default();
    let mut queue = VecDeque::new();
    let mut exits_found = vec![false; ground.map.exits.len()];
    for start in &ground.map.starts {
        floors.enter(ground, start.at, start.height_m, &mut queue);
    }
    while let Some(node) = queue.pop_front() {
        floors.order.push(node);
        for side in AROUND {
            let Some(to) = ground.beside(floors.cell[node as usize] as usize, side) else { continue };
            let mut landed: Option<u32> = None;
            for phase in 0..ground.scenes.len() {
                let Some(from) = floors.stands[node as usize][phase] else { continue };
                let near_lift = ground.may_meet_lift(from, ground.middle_of(to).extend(from.z));
                if phase > 0 && !near_lift {
                    break;
                }
                let walker = Walker { ground, hulls, scene: ground.scenes[phase] };
                match walker.wander(from, ground.middle_of(to)) {
                    Wander::At(place) => {
                        let next = floors.node(ground, place, phase, &mut queue);
                        if next != node && landed != Some(next) && floors.cell.len() < MOST_NODES {
                            floors.moves.push((node, next));
                        }
                        landed = Some(next);
                    }
                    Wander::Exit(exit) => {
                        floors.teleports.push((node, ground.middle_of(to).extend(from.z), exit));
                        if !std::mem::replace(&mut exits_found[exit], true) {
                            let start = &ground.map.exits[exit];
                            floors.enter(ground, start.at, start.height_m, &mut queue);
                        }
                        break;
                    }
                    Wander::Nowhere => {}
                }
            }
        }
    }
    floors
}

impl Floors {
    fn enter(&mut self, ground: &Ground<'_>, at: DVec2, height_m: Option<f64>, queue: &mut VecDeque<u32>) {
        for (phase, &scene) in ground.scenes.iter().enumerate() {
            if let Some(place) = Body::settle(scene, at, height_m) {
                self.node(ground, place, phase, queue);
            }
        }
    }

    /// The node at which a body stands, made and queued if it is new.
    fn node(&mut self, ground: &Ground<'_>, place: DVec3, phase: Phase, queue: &mut VecDeque<u32>) -> u32 {
        let cell = ground.cell_of(place.truncate()).unwrap_or(0) as u32;
        let here = self.in_cell.entry(cell).or_default();
        let stands = &self.stands;
        let is_same = |stand: &Option<DVec3>| stand.is_some_and(|stand| (stand.z - place.z).abs() < SAME_M);
        let known = here.iter().copied().find(|&node| is_same(&stands[node as usize][phase]));
        known.unwrap_or_else(|| {
            let node = self.cell.len() as u32;
            here.push(node);
            self.cell.push(cell);
            self.stands.push(stands_of(ground, place, phase));
            self.harmful.push(ground.harms(place));
            queue.push_back(node);
            node
        })
    }

    fn first_stand(&self, node: u32) -> DVec3 {
        self.stands[node as usize].iter().flatten().next().copied().unwrap_or_default()
    }

    /// The floors of all cells as grids: the lowest of each, then those above.
    pub fn storeys(&self, ground: &Ground<'_>, owner: &[u16]) -> Vec<Cells> {
        let most = self.in_cell.values().map(Vec::len).max().unwrap_or(1).max(1);
        let cells = ground.width * ground.height;
        let mut grids = vec![(vec![Cells::NOWHERE; cells], vec![0.0_f32; cells]); most];
        for (&cell, nodes) in &self.in_cell {
            let mut nodes = nodes.clone();
            nodes.sort_by(|&a, &b| self.first_stand(a).z.total_cmp(&self.first_stand(b).z));
            for ((place, floor_m), node) in grids.iter_mut().zip(nodes) {
                place[cell as usize] = owner[node as usize];
                floor_m[cell as usize] = self.first_stand(node).z as f32;
            }
        }
        grids.into_iter().map(|(place, floor_m)| ground.cells(place, floor_m)).collect()
    }

    /// Where bodies stand, floor by floor.
    pub fn stands(&self) -> impl Iterator<Item = DVec3> + '_ {
        (0..self.cell.len() as u32).map(|node| self.first_stand(node))
    }

    /// The map from above.
    pub fn plan(&self, ground: &Ground<'_>) -> (Plan, Vec<Area>) {
        let mut floors = vec![None; ground.width * ground.height];
        for (&cell, nodes) in &self.in_cell {
            let highest = nodes
                .iter()
                .copied()
                .max_by(|&a, &b| self.first_stand(a).z.total_cmp(&self.first_stand(b).z).then(b.cmp(&a)));
            floors[cell as usize] =
                highest.map(|node| (self.first_stand(node).z, self.harmful[node as usize]));
        }
        Plan::new(ground.low, CELL_M, ground.width, &floors)
    }
}

/// Where a body stands that stands at a place in one phase: on a lift wherever its floor is, elsewhere there, unless a lift is in it.
fn stands_of(ground: &Ground<'_>, place: DVec3, phase: Phase) -> Vec<Option<DVec3>> {
    let lift = ground.lift_at(place);
    let stand = |(other, scene): (usize, &Scene<'_>)| {
        if other == phase {
            return Some(place);
        }
        match lift {
            Some(lift) => Some(place.with_z(
                place.z - ground.scenes[phase].lifts_m[usize::from(lift)] + scene.lifts_m[usize::from(lift)],
            )),
            None if !ground.may_meet_lift(place, place) => Some(place),
            None => {
                let settled = Body::settle(*scene, place.truncate(), Some(place.z + 0.02))?;
                ((settled.z - place.z).abs() < SAME_M).then_some(settled)
            }
        }
    };
    ground.scenes.iter().enumerate().map(stand).collect()
}

/// A body that tries one move.
struct Walker<'w, 'a> {
    ground: &'w Ground<'a>,
    hulls: &'w Hulls,
    scene: Scene<'a>,
}

impl Walker<'_, '_> {
    /// Walks from a standing place towards the middle of a cell, with a jump if there is something to jump onto.
    fn wander(&self, from: DVec3, to: DVec2) -> Wander {
        let scene = self.hulls.scene(self.scene.lifts_m, &[]);
        let floor = floor_at(&scene, from, to);
        if let Some(floor_m) = floor
            && (floor_m - from.z).abs() < LEVEL_M
            && self.is_straight(&scene, from, to.extend(floor_m))
        {
            return match self.hulls.stage().teleporter_at(origin_of(to.extend(floor_m))) {
                Some(teleporter) => Wander::Exit(teleporter.exit),
                None if is_lava(self.ground, &scene, to.extend(floor_m)) => Wander::Nowhere,
                None => Wander::At(to.extend(floor_m)),
            };
        }
        let swims = scene.liquid_at(from + DVec3::new(0.0, 0.0, 0.8)).is_some();
        let Some(floor_m) = floor else {
            return if swims { self.simulate(from, to, false) } else { Wander::Nowhere };
        };
        match self.simulate(from, to, false) {
            Wander::Nowhere if floor_m > from.z + 0.3 && floor_m < from.z + JUMP_M => {
                self.simulate(from, to, true)
            }
            done => done,
        }
    }

    /// Whether a body moves straight on level ground.
    fn is_straight(&self, scene: &HullScene<'_>, from: DVec3, to: DVec3) -> bool {
        let lifted = DVec3::new(0.0, 0.0, 0.07);
        scene.is_way(from + lifted, to + lifted)
    }

    fn simulate(&self, from: DVec3, to: DVec2, jump: bool) -> Wander {
        let rules = self.ground.rules;
        let mut body = Body::at(from);
        let steps = rules.steps(WALK_SECS);
        for step in 1..=rules.steps(FALL_SECS) {
            let gap = to - body.position.truncate();
            let wish = Wish {
                way: steer(gap, rules.run_m_per_sec, rules.period_secs()),
                // At once: the obstacle is less than half a metre away.
                jump: jump && step <= 2,
                ..Wish::default()
            };
            let moved = body.step(self.scene, rules, &self.ground.map.exits, wish, &[]);
            if let Some(exit) = moved.exit {
                return Wander::Exit(exit);
            }
            if moved.landed_m_per_sec.is_some_and(|speed| speed > rules.safe_fall_m_per_sec) {
                return Wander::Nowhere;
            }
            if moved.harm_per_sec > DEADLY_PER_SEC {
                return Wander::Nowhere;
            }
            let rests = body.on_ground || moved.is_afloat;
            if rests && to.distance(body.position.truncate()) < THERE_M {
                return Wander::At(body.position);
            }
            if step > steps && rests {
                return Wander::Nowhere;
            }
        }
        Wander::Nowhere
    }
}

/// The height of the floor that a body would meet in a cell when it comes from a place: at most a jump above it.
fn floor_at(scene: &HullScene<'_>, from: DVec3, to: DVec2) -> Option<f64> {
    [JUMP_M, 0.6, 0.05, -0.5].into_iter().find_map(|above_m| {
        let at = to.extend(from.z + above_m);
        scene.fits(at).then(|| scene.floor_under(at)).flatten().map(|floor| floor.z)
    })
}

impl Reach for Floors {
    fn count(&self) -> usize {
        self.cell.len()
    }

    fn is_seen(&self, _: u32) -> bool {
        true
    }

    fn order(&self) -> &[u32] {
        &self.order
    }

    fn teleports(&self) -> &[(u32, DVec3, usize)] {
        &self.teleports
    }

    fn stand(&self, _: &Ground<'_>, node: u32, phase: Phase) -> Option<DVec3> {
        self.stands[node as usize][phase]
    }

    fn middle(&self, _: &Ground<'_>, node: u32) -> DVec3 {
        self.first_stand(node)
    }

    fn node_at(&self, ground: &Ground<'_>, at: DVec3) -> Option<u32> {
        let far = |node: &u32| self.first_stand(*node).distance(at);
        self.around(ground, at).into_iter().min_by(|a, b| far(a).total_cmp(&far(b)).then(a.cmp(b)))
    }

    fn around(&self, ground: &Ground<'_>, at: DVec3) -> Vec<u32> {
        const NEAR_M: f64 = 1.2;
        let Some(cell) = ground.cell_of(at.truncate()) else { return Vec::new() };
        let nodes = ground.around(cell).into_iter().filter_map(|cell| self.in_cell.get(&cell)).flatten();
        nodes.copied().filter(|&node| (self.first_stand(node).z - at.z).abs() < NEAR_M).collect()
    }

    fn moves(&self, _: &Ground<'_>) -> Vec<(u32, u32)> {
        self.moves.clone()
    }
}
