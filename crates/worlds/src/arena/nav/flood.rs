//! Where a character can be: everything that a body reaches on foot from the starts, cell by cell.

use std::collections::VecDeque;

use glam::DVec3;

use super::walk::{Walk, walk};
use super::{Ground, Reach, points};
use crate::arena::motion::Body;
use crate::arena::rules::body::STEP_M;
use crate::arena::space::Scene;

/// A step onto a lift, or off it, may need it down or up; others do not mind.
pub(super) type Phase = usize;

/// What was reached, cell by cell.
pub(super) struct Cellwise {
    /// For each position of the lifts: where a body stands in each cell.
    stands: Vec<Stands>,
    /// Which cells are reached.
    seen: Vec<bool>,
    /// The cells that are reached, in the order in which they were.
    order: Vec<u32>,
    /// For each cell which moves to its neighbours succeeded, a bit for each of [`AROUND`].
    moves: Vec<u8>,
    /// Cells from which a move into the next cell leads through a teleporter: from, towards, exit.
    teleports: Vec<(u32, DVec3, usize)>,
}

impl Reach for Cellwise {
    fn count(&self) -> usize {
        self.moves.len()
    }

    fn is_seen(&self, node: u32) -> bool {
        self.seen[node as usize]
    }

    fn order(&self) -> &[u32] {
        &self.order
    }

    fn teleports(&self) -> &[(u32, DVec3, usize)] {
        &self.teleports
    }

    fn stand(&self, ground: &Ground<'_>, node: u32, phase: Phase) -> Option<DVec3> {
        let stands = &self.stands[phase];
        match stands.kind[node as usize] {
            Stands::NOBODY => None,
            Stands::OPEN => ground.scenes[phase].on_floor(ground.middle_of(node as usize)),
            moved => Some(stands.moved[moved as usize]),
        }
    }

    fn middle(&self, ground: &Ground<'_>, node: u32) -> DVec3 {
        ground.middle_of(node as usize).extend(0.0)
    }

    fn node_at(&self, ground: &Ground<'_>, at: DVec3) -> Option<u32> {
        ground.cell_of(at.truncate()).map(|cell| cell as u32)
    }

    fn around(&self, ground: &Ground<'_>, at: DVec3) -> Vec<u32> {
        ground.cell_of(at.truncate()).map_or_else(Vec::new, |cell| ground.around(cell))
    }

    fn moves(&self, ground: &Ground<'_>) -> Vec<(u32, u32)> {
        let (width, height) = (ground.width, ground.height);
        let moves = self.order.iter().flat_map(move |&cell| {
            let done = self.moves[cell as usize];
            let is_done = move |&(side, _): &(usize, u32)| done >> side & 1 == 1;
            neighbours(width, height, cell).filter(is_done).map(move |(_, next)| (cell, next))
        });
        moves.collect()
    }
}

/// Where a body stands in each cell. Most cells of a wide map have no line near them: there it stands in the middle, and
/// nothing needs to be kept.
struct Stands {
    /// [`Stands::NOBODY`], [`Stands::OPEN`], or a place in `moved`.
    kind: Vec<u32>,
    /// Where it stands in cells with lines near them.
    moved: Vec<DVec3>,
}

impl Stands {
    const NOBODY: u32 = u32::MAX;
    const OPEN: u32 = u32::MAX - 1;

    fn new(ground: &Ground<'_>, scene: Scene<'_>) -> Self {
        let cells = ground.width * ground.height;
        let mut stands = Stands { kind: Vec::with_capacity(cells), moved: Vec::new() };
        for middle in (0..cells).map(|cell| ground.middle_of(cell)) {
            let kind = match Body::settle(scene, middle, None) {
                None => Self::NOBODY,
                Some(_) if scene.is_clear(middle) => Self::OPEN,
                Some(stand) => {
                    stands.moved.push(stand);
                    stands.moved.len() as u32 - 1
                }
            };
            stands.kind.push(kind);
        }
        stands
    }
}

/// Walks everywhere from the starts, and from the exits of teleporters that were found.
pub(super) fn flood(ground: &Ground<'_>) -> Cellwise {
    let cells = ground.width * ground.height;
    let mut reached = Cellwise {
        stands: ground.scenes.iter().map(|&scene| Stands::new(ground, scene)).collect(),
        seen: Vec::new(),
        order: Vec::new(),
        moves: vec![0; cells],
        teleports: Vec::new(),
    };
    let mut seen = vec![false; cells];
    let mut queue = VecDeque::new();
    let mut exits_found = vec![false; ground.map.exits.len()];
    for start in &ground.map.starts {
        enter_near(ground, &reached, start.at, &mut seen, &mut queue);
    }
    while let Some(cell) = queue.pop_front() {
        reached.order.push(cell);
        for (side, next) in neighbours(ground.width, ground.height, cell) {
            match try_move(ground, &reached, cell, next) {
                Walk::Arrived(_) => {
                    reached.moves[cell as usize] |= 1 << side;
                    if !std::mem::replace(&mut seen[next as usize], true) {
                        queue.push_back(next);
                    }
                }
                Walk::Exit(exit, _) => {
                    let towards = ground.middle_of(next as usize).extend(0.0);
                    reached.teleports.push((cell, towards, exit));
                    if !std::mem::replace(&mut exits_found[exit], true) {
                        enter_near(ground, &reached, ground.map.exits[exit].at, &mut seen, &mut queue);
                    }
                }
                Walk::Failed => {}
            }
        }
    }
    reached.seen = seen;
    reached
}

/// Begins at the cells around a position that a body walks to from there.
fn enter_near(
    ground: &Ground<'_>,
    reached: &Cellwise,
    at: glam::DVec2,
    seen: &mut [bool],
    queue: &mut VecDeque<u32>,
) {
    let Some(cell) = ground.cell_of(at) else { return };
    let around = neighbours(ground.width, ground.height, cell as u32).map(|(_, next)| next);
    for next in std::iter::once(cell as u32).chain(around) {
        let arrives = ground.scenes.iter().enumerate().any(|(phase, &scene)| {
            let (Some(from), Some(to)) = (Body::settle(scene, at, None), reached.stand(ground, next, phase))
            else {
                return false;
            };
            matches!(walk(ground, scene, from, to, false), Walk::Arrived(_))
        });
        if arrives && !std::mem::replace(&mut seen[next as usize], true) {
            queue.push_back(next);
        }
    }
}

/// The eight cells around one, those at its sides first.
pub(super) const AROUND: [(i64, i64); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The cells around one that are on the grid, each with its place in [`AROUND`].
fn neighbours(width: usize, height: usize, cell: u32) -> impl Iterator<Item = (usize, u32)> {
    let (width, height) = (width as i64, height as i64);
    let (column, row) = (i64::from(cell) % width, i64::from(cell) / width);
    AROUND.into_iter().enumerate().filter_map(move |(side, (dx, dy))| {
        let (column, row) = (column + dx, row + dy);
        let is_inside = column >= 0 && row >= 0 && column < width && row < height;
        is_inside.then_some((side, (row * width + column) as u32))
    })
}

/// One move to the next cell, with the lifts down or up, on foot or with a jump.
fn try_move(ground: &Ground<'_>, reached: &Cellwise, cell: u32, next: u32) -> Walk {
    for (phase, &scene) in ground.scenes.iter().enumerate() {
        if [cell, next].iter().all(|&cell| reached.stands[phase].kind[cell as usize] == Stands::OPEN) {
            return Walk::Arrived(2);
        }
        let Some(from) = reached.stand(ground, cell, phase) else { continue };
        let Some(to) = reached.stand(ground, next, phase) else {
            // Nobody can stand behind some teleporters: walking there still leads through.
            if let Walk::Exit(exit, steps) =
                points::walk_blind(ground, scene, from, ground.middle_of(next as usize))
            {
                return Walk::Exit(exit, steps);
            }
            continue;
        };
        let open = scene.is_clear(from.truncate()) && scene.is_clear(to.truncate());
        if open {
            return Walk::Arrived(2);
        }
        let done = walk(ground, scene, from, to, false);
        if done != Walk::Failed {
            return done;
        }
        if to.z - from.z > STEP_M {
            let done = walk(ground, scene, from, to, true);
            if done != Walk::Failed {
                return done;
            }
        }
    }
    Walk::Failed
}
