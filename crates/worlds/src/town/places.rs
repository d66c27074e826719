//! Where everything is: a drawn map, or one generated for as many inhabitants as are wanted, and the nearest places of each kind.
//!
//! A generated town is open ground, on which ways are as long as streets make them (along both axes). Lots follow a curve that
//! goes through the town block by block, places of each kind are spread evenly along it, and neighbours have neighbouring
//! numbers: a chunk of inhabitants lives in one part of the town and finds its places in the cache.

use repertoire_prob::stream::counter;

use super::charter::{Charter, Drawn};

/// How many of the nearest places of a kind somebody knows.
pub(super) const NEAREST: usize = 4;
/// No place.
pub const NOWHERE: u32 = u32::MAX;

/// Lots along one side of a block.
const BLOCK: u32 = 8;
/// Cells from one lot to the next.
const LOT: (u32, u32) = (3, 2);

/// A place.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its kind.
    pub kind: u8,
    /// Its cell.
    pub x: u16,
    /// Its cell.
    pub y: u16,
    /// Its block.
    pub(super) block: u32,
    /// Its first slot and its first stock.
    pub(super) slot: u32,
    pub(super) stock: u32,
}

/// All places of a town.
#[derive(Clone, Debug)]
pub struct Places {
    /// The places; those of the whole town first in the order of the map, homes among them.
    pub places: Vec<Place>,
    /// Cells in a row, and rows.
    pub size: (u32, u32),
    /// Homes, in the order of the map.
    pub homes: Vec<u32>,
    /// For each block and kind the nearest places, padded with [`NOWHERE`].
    nearest: Vec<u32>,
    kinds: usize,
    ground: Ground,
    pub(super) slots: usize,
    pub(super) stocks: usize,
    pace: u32,
}

#[derive(Clone, Debug)]
enum Ground {
    /// Ways go along both axes.
    Open,
    /// For each place and cell, how many steps apart they are; `u16::MAX` where there is no way.
    Walked { cells: usize, steps: Vec<u16> },
}

/// Why a town of this size cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMany {
    /// The map's homes are full, and nothing says how to generate a larger one.
    #[error(
        "the map has room for {room} inhabitants, not for {wanted}\n  remedy: fewer inhabitants, more homes on the map, or `every` in each kind of place for a generated map"
    )]
    Homes {
        /// How many there is room for.
        room: u64,
        /// How many are wanted.
        wanted: u64,
    },
}

impl Places {
    /// The places of a town with this many households. The drawn map serves as long as it has enough homes.
    pub(super) fn new(charter: &Charter, households: u32, seed: u64) -> Result<Self, TooMany> {
        let of_home =
            |places: &[(u8, u32)]| places.iter().filter(|(kind, _)| *kind == charter.home).count() as u64;
        let can_generate = charter
            .kinds
            .iter()
            .enumerate()
            .all(|(at, kind)| kind.every > 0 || at == usize::from(charter.home));
        match &charter.drawn {
            Some(drawn) if of_home(&drawn.places) >= u64::from(households) => Ok(Self::drawn(charter, drawn)),
            Some(drawn) if !can_generate => {
                let most = u64::from(charter.household.1);
                Err(TooMany::Homes {
                    room: of_home(&drawn.places) * most,
                    wanted: u64::from(households) * most,
                })
            }
            _ => Ok(Self::generated(charter, households, seed)),
        }
    }

    fn empty(charter: &Charter, size: (u32, u32)) -> Self {
        Places {
            places: Vec::new(),
            size,
            homes: Vec::new(),
            nearest: Vec::new(),
            kinds: charter.kinds.len(),
            ground: Ground::Open,
            slots: 0,
            stocks: 0,
            pace: charter.pace,
        }
    }

    fn push(&mut self, charter: &Charter, kind: u8, x: u32, y: u32, block: u32) {
        if kind == charter.home {
            self.homes.push(self.places.len() as u32);
        }
        let (slot, stock) = (self.slots as u32, self.stocks as u32);
        self.places.push(Place { kind, x: x as u16, y: y as u16, block, slot, stock });
        self.slots += charter.kinds[usize::from(kind)].serves as usize;
        self.stocks += charter.kinds[usize::from(kind)].stock.len();
    }

    fn drawn(charter: &Charter, drawn: &Drawn) -> Self {
        let mut all = Self::empty(charter, (drawn.width, drawn.height));
        for &(kind, cell) in &drawn.places {
            all.push(charter, kind, cell % drawn.width, cell / drawn.width, cell);
        }
        let cells = drawn.walls.len();
        let steps: Vec<u16> = drawn.places.iter().flat_map(|&(_, cell)| walk(drawn, cell)).collect();
        all.nearest = vec![NOWHERE; cells * all.kinds * NEAREST];
        for cell in 0..cells {
            for kind in 0..all.kinds {
                let of_kind = drawn.places.iter().enumerate().filter(|(_, (of, _))| usize::from(*of) == kind);
                let mut near: Vec<(u16, u32)> = of_kind
                    .map(|(place, _)| (steps[place * cells + cell], place as u32))
                    .filter(|(steps, _)| *steps != u16::MAX)
                    .collect();
                near.sort_unstable();
                let at = (cell * all.kinds + kind) * NEAREST;
                near.iter()
                    .take(NEAREST)
                    .enumerate()
                    .for_each(|(k, (_, place))| all.nearest[at + k] = *place);
            }
        }
        all.ground = Ground::Walked { cells, steps };
        all
    }

    fn generated(charter: &Charter, households: u32, seed: u64) -> Self {
        let people = u64::from(households) * u64::from(charter.household.0 + charter.household.1) / 2;
        let counts: Vec<u64> = charter
            .kinds
            .iter()
            .enumerate()
            .map(|(kind, of)| match kind == usize::from(charter.home) {
                true => 0,
                false => people.div_ceil(u64::from(of.every.max(1))).max(1),
            })
            .collect();
        let lots = u64::from(households) + counts.iter().sum::<u64>();
        let blocks = lots.div_ceil(u64::from(BLOCK * BLOCK));
        let wide = (1..).find(|wide: &u64| wide * wide >= blocks).unwrap_or(1) as u32;
        let high = blocks.div_ceil(u64::from(wide)) as u32;
        let mut all = Self::empty(charter, (wide * BLOCK * LOT.0, high * BLOCK * LOT.1));
        let mut kinds = vec![charter.home; lots as usize];
        for (kind, &count) in counts.iter().enumerate() {
            for number in 0..count {
                // Evenly along the curve, with some chance within its stretch; a lot that is taken gives way to the next.
                let chance = (counter(counter(seed, kind as u64), number) >> 11) as f64 / (1u64 << 53) as f64;
                let at = ((number as f64 + chance) / count as f64 * lots as f64) as usize;
                let free = (at..kinds.len()).chain(0..at).find(|&lot| kinds[lot] == charter.home);
                kinds[free.unwrap_or(at)] = kind as u8;
            }
        }
        for (lot, &kind) in kinds.iter().enumerate() {
            let (block, within) = (lot as u32 / (BLOCK * BLOCK), lot as u32 % (BLOCK * BLOCK));
            // Row by row, every second one backwards, so that the curve has no jumps.
            let (row, along) = (block / wide, block % wide);
            let along = if row.is_multiple_of(2) { along } else { wide - 1 - along };
            let (x, y) = (along * BLOCK + within % BLOCK, row * BLOCK + within / BLOCK);
            all.push(charter, kind, x * LOT.0 + 1, y * LOT.1 + 1, row * wide + along);
        }
        all.find_nearest(wide, high);
        all
    }

    /// The nearest places for each block of a generated town: rings of blocks, until the next ring can hold nothing nearer.
    fn find_nearest(&mut self, wide: u32, high: u32) {
        use rayon::prelude::*;
        let blocks = (wide * high) as usize;
        let mut by_block: Vec<Vec<(u8, u32)>> = vec![Vec::new(); blocks];
        let mut counts = vec![0usize; self.kinds];
        let is_home: Vec<bool> = {
            let mut is_home = vec![false; self.places.len()];
            self.homes.iter().for_each(|&home| is_home[home as usize] = true);
            is_home
        };
        for (index, place) in self.places.iter().enumerate().filter(|(index, _)| !is_home[*index]) {
            by_block[place.block as usize].push((place.kind, index as u32));
            counts[usize::from(place.kind)] += 1;
        }
        let (kinds, places) = (self.kinds, &self.places);
        self.nearest = vec![NOWHERE; blocks * kinds * NEAREST];
        self.nearest.par_chunks_mut(kinds * NEAREST).enumerate().for_each(|(block, nearest)| {
            let (bx, by) = ((block as u32 % wide) as i64, (block as u32 / wide) as i64);
            let cell = |b: i64, lot: u32| b * i64::from(BLOCK * lot) + i64::from(BLOCK * lot / 2);
            let (cx, cy) = (cell(bx, LOT.0), cell(by, LOT.1));
            let distance = |place: u32| {
                let at = &places[place as usize];
                (i64::from(at.x) - cx).abs() + (i64::from(at.y) - cy).abs()
            };
            let mut found: Vec<Vec<(i64, u32)>> = vec![Vec::new(); kinds];
            let least = i64::from(BLOCK * LOT.1.min(LOT.0));
            for ring in 0..i64::from(wide.max(high)) {
                let done = found.iter().zip(&counts).all(|(near, &count)| {
                    let wanted = NEAREST.min(count);
                    // Whatever lies in this ring or beyond is at least this far away.
                    near.len() >= wanted && (wanted == 0 || near[wanted - 1].0 <= (ring - 1).max(0) * least)
                });
                if done && ring > 1 {
                    break;
                }
                for (x, y) in ring_of(bx, by, ring) {
                    if x < 0 || y < 0 || x >= i64::from(wide) || y >= i64::from(high) {
                        continue;
                    }
                    for &(kind, place) in &by_block[(y * i64::from(wide) + x) as usize] {
                        found[usize::from(kind)].push((distance(place), place));
                    }
                }
                found.iter_mut().for_each(|near| {
                    near.sort_unstable();
                    near.truncate(NEAREST);
                });
            }
            for (kind, near) in found.iter().enumerate() {
                for (k, (_, place)) in near.iter().take(NEAREST).enumerate() {
                    nearest[kind * NEAREST + k] = *place;
                }
            }
        });
    }

    /// The nearest places of a kind from a place, the nearest first.
    #[inline]
    pub(super) fn nearest(&self, from: u32, kind: u8) -> &[u32] {
        let at = (self.places[from as usize].block as usize * self.kinds + usize::from(kind)) * NEAREST;
        &self.nearest[at..at + NEAREST]
    }

    /// Ticks to walk from one place to another; `None` if there is no way.
    #[inline]
    pub(super) fn walk(&self, from: u32, to: u32) -> Option<u32> {
        let (a, b) = (&self.places[from as usize], &self.places[to as usize]);
        let cells = match &self.ground {
            Ground::Open => u32::from(a.x.abs_diff(b.x)) + u32::from(a.y.abs_diff(b.y)),
            Ground::Walked { cells, steps } => match steps[to as usize * cells + a.block as usize] {
                u16::MAX => return None,
                steps => u32::from(steps),
            },
        };
        Some(cells.div_ceil(self.pace))
    }

    /// Bytes that they need.
    pub(super) fn bytes(&self) -> usize {
        let steps = match &self.ground {
            Ground::Open => 0,
            Ground::Walked { steps, .. } => 2 * steps.len(),
        };
        self.places.len() * size_of::<Place>() + 4 * (self.homes.len() + self.nearest.len()) + steps
    }

    /// Whether the map was drawn; otherwise it was generated.
    pub fn is_drawn(&self) -> bool {
        matches!(self.ground, Ground::Walked { .. })
    }

    /// Where somebody is who has walked this share of the way from one place to another.
    pub fn on_the_way(&self, from: u32, to: u32, share: f64) -> (f64, f64) {
        let (a, b) = (&self.places[from as usize], &self.places[to as usize]);
        let ((ax, ay), (bx, by)) = ((f64::from(a.x), f64::from(a.y)), (f64::from(b.x), f64::from(b.y)));
        match &self.ground {
            Ground::Open => {
                // First along the street, then across.
                let (dx, dy) = ((bx - ax).abs(), (by - ay).abs());
                let gone = share.clamp(0.0, 1.0) * (dx + dy);
                let x = ax + (bx - ax).signum() * gone.min(dx);
                let y = ay + (by - ay).signum() * (gone - dx).max(0.0).min(dy);
                (x, y)
            }
            Ground::Walked { cells, steps } => {
                let (wide, high) = (self.size.0 as usize, self.size.1 as usize);
                let field = &steps[to as usize * cells..][..*cells];
                let mut at = a.block as usize;
                if field[at] == u16::MAX {
                    return (ax, ay);
                }
                let go = (share.clamp(0.0, 1.0) * f64::from(field[at])) as usize;
                for _ in 0..go {
                    at = beside(at, wide, high).min_by_key(|&cell| field[cell]).unwrap_or(at);
                }
                ((at % wide) as f64, (at / wide) as f64)
            }
        }
    }
}

/// Steps from a cell to every cell of a drawn map.
pub(super) fn walk(drawn: &Drawn, from: u32) -> Vec<u16> {
    let (wide, high) = (drawn.width as usize, drawn.height as usize);
    let mut steps = vec![u16::MAX; drawn.walls.len()];
    let mut queue = std::collections::VecDeque::from([from as usize]);
    steps[from as usize] = 0;
    while let Some(cell) = queue.pop_front() {
        for next in beside(cell, wide, high) {
            if !drawn.walls[next] && steps[next] == u16::MAX {
                steps[next] = steps[cell].saturating_add(1).min(u16::MAX - 1);
                queue.push_back(next);
            }
        }
    }
    steps
}

/// The cells beside a cell.
fn beside(cell: usize, wide: usize, high: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (cell % wide, cell / wide);
    [
        (x > 0).then(|| cell - 1),
        (x + 1 < wide).then(|| cell + 1),
        (y > 0).then(|| cell - wide),
        (y + 1 < high).then(|| cell + wide),
    ]
    .into_iter()
    .flatten()
}

/// The blocks at this distance around a block.
fn ring_of(bx: i64, by: i64, ring: i64) -> impl Iterator<Item = (i64, i64)> {
    let rows = (by - ring)..=(by + ring);
    rows.flat_map(move |y| {
        let edge = (y - by).abs() == ring;
        let step = if edge || ring == 0 { 1 } else { (2 * ring) as usize };
        ((bx - ring)..=(bx + ring)).step_by(step).map(move |x| (x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_hold_each_block_once() {
        for ring in 0..5 {
            let mut blocks: Vec<(i64, i64)> = ring_of(3, -2, ring).collect();
            let count = if ring == 0 { 1 } else { 8 * ring as usize };
            assert_eq!(blocks.len(), count);
            blocks.sort_unstable();
            blocks.dedup();
            assert_eq!(blocks.len(), count);
            assert!(blocks.iter().all(|(x, y)| (x - 3).abs().max((y + 2).abs()) == ring));
        }
    }
}
