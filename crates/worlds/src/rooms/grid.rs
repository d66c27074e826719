//! The ground: places and obstacles, and what can be seen from where.

use repertoire_character::PlaceId;

/// A grid of places; walls are obstacles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: u32,
    height: u32,
    walls: Vec<bool>,
}

/// The four neighbours, in a fixed order: east, south, west, north.
pub const SIDES: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Grid {
    /// A grid of walls and floor, row by row.
    pub fn new(width: u32, height: u32, walls: Vec<bool>) -> Self {
        assert_eq!(walls.len(), (width * height) as usize, "a grid has a cell for each place");
        Grid { width, height, walls }
    }

    /// Places across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Places down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.walls.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// Column and row of a place; the first row is on top.
    pub fn xy(&self, place: PlaceId) -> (u32, u32) {
        (place % self.width, place / self.width)
    }

    /// The place in a column and row.
    pub fn place(&self, x: u32, y: u32) -> Option<PlaceId> {
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Whether a place is a wall.
    pub fn is_wall(&self, place: PlaceId) -> bool {
        self.walls[place as usize]
    }

    /// The neighbour on a side.
    pub fn beside(&self, place: PlaceId, (dx, dy): (i32, i32)) -> Option<PlaceId> {
        let (x, y) = self.xy(place);
        self.place(x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)
    }

    /// The neighbours.
    pub fn neighbours(&self, place: PlaceId) -> impl Iterator<Item = PlaceId> + '_ {
        SIDES.into_iter().filter_map(move |side| self.beside(place, side))
    }

    /// Steps between two places if nothing were in the way.
    pub fn distance(&self, a: PlaceId, b: PlaceId) -> u32 {
        let ((ax, ay), (bx, by)) = (self.xy(a), self.xy(b));
        ax.abs_diff(bx) + ay.abs_diff(by)
    }

    /// Whether one place can be seen from another: along the straight line between their middles, or a hair to either
    /// side of it, nothing hides the view. What hides the view can be seen itself. Both see each other or neither does.
    pub fn sees(&self, from: PlaceId, to: PlaceId, hides: &dyn Fn(PlaceId) -> bool) -> bool {
        let (a, b) = (from.min(to), from.max(to));
        let ((ax, ay), (bx, by)) = (self.xy(a), self.xy(b));
        let (dx, dy) = (i64::from(bx) - i64::from(ax), i64::from(by) - i64::from(ay));
        let longest = dx.abs().max(dy.abs());
        // Where the line runs exactly between two places, the one or the other.
        let up = |d: i64, step: i64| (2 * d * step + longest).div_euclid(2 * longest);
        let down = |d: i64, step: i64| -(longest - 2 * d * step).div_euclid(2 * longest);
        let clear = |round: &dyn Fn(i64, i64) -> i64| {
            (1..longest).all(|step| {
                let (x, y) = (i64::from(ax) + round(dx, step), i64::from(ay) + round(dy, step));
                self.place(x as u32, y as u32).is_some_and(|at| !hides(at))
            })
        };
        clear(&up) || clear(&down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        let walls = rows.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        Grid::new(rows[0].len() as u32, rows.len() as u32, walls)
    }

    #[test]
    fn sight_is_mutual_and_stops_at_walls() {
        let grid = grid(&["......", "..#...", "......", "....#.", "......"]);
        for a in 0..grid.len() as u32 {
            for b in 0..grid.len() as u32 {
                let hides = |at: PlaceId| grid.is_wall(at);
                assert_eq!(grid.sees(a, b, &hides), grid.sees(b, a, &hides), "{a} {b}");
                if grid.distance(a, b) <= 1 {
                    assert!(grid.sees(a, b, &hides));
                }
            }
        }
        let hides = |at: PlaceId| grid.is_wall(at);
        assert!(!grid.sees(1 + 6, 3 + 6, &hides), "straight through a wall");
        assert!(grid.sees(1 + 6, 2 + 6, &hides), "the wall itself is seen");
        assert!(grid.sees(0, 5, &hides), "along a free row");
    }
}
