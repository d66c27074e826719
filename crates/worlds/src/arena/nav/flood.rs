//! Where a character can be: everything that a body reaches on foot from the starts, cell by cell.

use std::collections::VecDeque;

use glam::DVec3;

use super::walk::{Walk, walk};
use super::{Ground, points};
use crate::arena::motion::Body;
use crate::arena::rules::body::STEP_M;

/// A step onto a lift, or off it, may need it down or up; others do not mind.
pub(super) type Phase = usize;

/// What was reached.
pub(super) struct Reached {
    /// For each cell and each position of the lifts: where a body stands in it, if it can.
    stands: Vec<Vec<Option<DVec3>>>,
    /// Which cells are reached.
    pub seen: Vec<bool>,
    /// The cells that are reached, in the order in which they were.
    pub order: Vec<u32>,
    /// Moves from cell to cell that succeeded.
    pub moves: Vec<(u32, u32)>,
    /// Cells from which a move into the next cell leads through a teleporter: from, towards, exit.
    pub teleports: Vec<(u32, DVec3, usize)>,
}

impl Reached {
    /// Where a body stands in a cell while the lifts are so.
    pub fn stand(&self, cell: u32, phase: Phase) -> Option<DVec3> {
        self.stands[phase][cell as usize]
    }
}

/// Walks everywhere from the starts, and from the exits of teleporters that were found.
pub(super) fn flood(ground: &Ground<'_>) -> Reached {
    let cells = ground.width * ground.height;
    let stands_in = |&scene| (0..cells).map(|cell| Body::settle(scene, ground.middle_of(cell))).collect();
    let mut reached = Reached {
        stands: ground.scenes.iter().map(stands_in).collect(),
        seen: Vec::new(),
        order: Vec::new(),
        moves: Vec::new(),
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
        for next in neighbours(ground, cell) {
            match try_move(ground, &reached, cell, next) {
                Walk::Arrived(_) => {
                    reached.moves.push((cell, next));
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
    reached: &Reached,
    at: glam::DVec2,
    seen: &mut [bool],
    queue: &mut VecDeque<u32>,
) {
    let Some(cell) = ground.cell_of(at) else { return };
    let around = neighbours(ground, cell as u32);
    for next in std::iter::once(cell as u32).chain(around) {
        let arrives = ground.scenes.iter().enumerate().any(|(phase, &scene)| {
            let (Some(from), Some(to)) = (Body::settle(scene, at), reached.stand(next, phase)) else {
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
fn neighbours(ground: &Ground<'_>, cell: u32) -> impl Iterator<Item = u32> + use<> {
    const AROUND: [(i64, i64); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
    let (width, height) = (ground.width as i64, ground.height as i64);
    let (column, row) = (i64::from(cell) % width, i64::from(cell) / width);
    AROUND.into_iter().filter_map(move |(dx, dy)| {
        let (column, row) = (column + dx, row + dy);
        (column >= 0 && row >= 0 && column < width && row < height).then_some((row * width + column) as u32)
    })
}

/// One move to the next cell, with the lifts down or up, on foot or with a jump.
fn try_move(ground: &Ground<'_>, reached: &Reached, cell: u32, next: u32) -> Walk {
    for (phase, &scene) in ground.scenes.iter().enumerate() {
        let Some(from) = reached.stand(cell, phase) else { continue };
        let Some(to) = reached.stand(next, phase) else {
            // Nobody can stand behind some teleporters: walking there still leads through.
            if let Walk::Exit(exit, steps) =
                points::walk_blind(ground, scene, from, ground.middle_of(next as usize))
            {
                return Walk::Exit(exit, steps);
            }
            continue;
        };
        let open = scene.space.near(from.truncate()).is_empty() && scene.space.near(to.truncate()).is_empty();
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
