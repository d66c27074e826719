//! Where characters were, drawn over the outline of the map.

use repertoire_eval::tournament::Heat;
use repertoire_mind::DVec2;
use repertoire_worlds::arena::map::{Line, Map};
use repertoire_worlds::arena::rules::body::STEP_M;

use crate::svg::{Element, Path, escape, group, inline};

/// Shades: more could not be told apart.
const SHADES: usize = 5;

/// A picture for each contender. Lengths are cells of the grid; north is up.
pub(super) fn figures(index: usize, heat: &Heat, map: &Map, contenders: &[String]) -> String {
    let id = format!("outline{index}");
    let figure = |(contender, name): (usize, &String)| {
        // The outline is written once for each map, and only referred to by the other pictures.
        let outline = match contender {
            0 => outline(heat, map).set("id", id.as_str()),
            _ => Element::new("use").set("href", format!("#{id}")),
        };
        let (columns, rows) = (heat.columns as f64, heat.rows as f64);
        let svg = inline(-1.0, -1.0, columns + 2.0, rows + 2.0, &format!("where {name} was"));
        let svg = svg.with(cells(heat, contender)).with(outline);
        format!("<figure>\n{svg}\n<figcaption>{}</figcaption>\n</figure>\n", escape(name))
    };
    contenders.iter().enumerate().map(figure).collect()
}

/// The visited cells, one path for each shade.
fn cells(heat: &Heat, contender: usize) -> Element {
    let counts = heat.of(contender);
    let shade = shade(counts);
    let mut paths = [const { String::new() }; SHADES];
    for (row, counts) in counts.chunks(heat.columns).enumerate() {
        let mut column = 0;
        // Neighbours of one shade are one rectangle.
        for run in counts.chunk_by(|&a, &b| shade(a) == shade(b)) {
            if let Some(shade) = shade(run[0]) {
                let (y, width) = (heat.rows - 1 - row, run.len());
                paths[shade] += &format!("M{column} {y}h{width}v1h-{width}z");
            }
            column += run.len();
        }
    }
    let mut cells = group();
    for (shade, path) in paths.into_iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let opacity = (shade + 1) as f64 / SHADES as f64;
        cells.push(Element::new("path").series(contender).set("fill-opacity", opacity).set("d", path));
    }
    cells
}

/// The shade of a count; none where nobody was.
///
/// The scale ends at the count that 2 % of the visited cells exceed, so that a start where a character waits does not
/// make all else pale, and follows the square root, so that passages show.
fn shade(counts: &[u32]) -> impl Fn(u32) -> Option<usize> + use<> {
    let mut visited: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
    visited.sort_unstable();
    let full = visited.get(visited.len() * 98 / 100).copied().unwrap_or(1);
    move |count| {
        let share = (f64::from(count) / f64::from(full)).sqrt().min(1.0);
        (count > 0).then(|| ((share * SHADES as f64) as usize).min(SHADES - 1))
    }
}

/// Walls, and thinner the ledges that cannot be walked up.
fn outline(heat: &Heat, map: &Map) -> Element {
    let (mut walls, mut ledges) = (Path::new(), Path::new());
    let at = |point: DVec2| {
        let at = (point - heat.low) / heat.cell_m;
        (at.x, heat.rows as f64 - at.y)
    };
    for line in &map.lines {
        let ((x0, y0), (x1, y1)) = (at(line.a), at(line.b));
        let stroke = Path::new().to(x0, y0).line(x1, y1);
        match line.left {
            None => walls.join(&stroke),
            Some(left) if is_ledge(map, line, left) => ledges.join(&stroke),
            Some(_) => {}
        }
    }
    group().with(ledges.element().class("ledge")).with(walls.element().class("wall"))
}

/// Whether the floors on the two sides differ by more than a step, or a fence stands there.
fn is_ledge(map: &Map, line: &Line, left: u16) -> bool {
    let middle = (line.a + line.b) / 2.0;
    let floor = |area: u16| map.areas.get(usize::from(area)).map_or(0.0, |area| area.floor.at(middle));
    line.fence || (floor(line.right) - floor(left)).abs() > STEP_M
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_crowded_cell_does_not_make_the_others_pale() {
        let mut counts = vec![10; 99];
        counts.push(100_000);
        let shade = shade(&counts);
        assert_eq!((shade(0), shade(1), shade(10), shade(100_000)), (None, Some(1), Some(4), Some(4)));
    }
}
