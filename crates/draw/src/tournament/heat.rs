//! Where characters were, drawn over the outline of the map.

use repertoire_mind::DVec2;
use repertoire_worlds::arena::map::{Line, Map};
use repertoire_worlds::arena::rules::body::STEP_M;

use super::{colour, escape};
use crate::tournament::Heat;

/// Shades: more could not be told apart.
const SHADES: usize = 5;

/// A picture for each contender. Lengths are cells of the grid; north is up.
pub(super) fn figures(index: usize, heat: &Heat, map: &Map, contenders: &[String]) -> String {
    let figure = |(contender, name): (usize, &String)| {
        // The outline is written once for each map, and only referred to by the other pictures.
        let outline = match contender {
            0 => format!("<g id=\"outline{index}\">{}</g>", outline(heat, map)),
            _ => format!("<use href=\"#outline{index}\"/>"),
        };
        let (columns, rows) = (heat.columns, heat.rows);
        format!(
            "<figure>\n<svg viewBox=\"-1 -1 {} {}\" role=\"img\" aria-label=\"where {name} was\">\n\
             <g {}>\n{}</g>\n{outline}</svg>\n<figcaption>{name}</figcaption>\n</figure>\n",
            columns + 2,
            rows + 2,
            colour(contender),
            cells(heat, contender),
            name = escape(name),
        )
    };
    contenders.iter().enumerate().map(figure).collect()
}

/// The visited cells, one path for each shade.
fn cells(heat: &Heat, contender: usize) -> String {
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
    let path = |(shade, path): (usize, &String)| match path.is_empty() {
        true => String::new(),
        false => {
            let opacity = (shade + 1) as f64 / SHADES as f64;
            format!("<path class=\"cell\" fill-opacity=\"{opacity:.2}\" d=\"{path}\"/>\n")
        }
    };
    paths.iter().enumerate().map(path).collect()
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
fn outline(heat: &Heat, map: &Map) -> String {
    let (mut walls, mut ledges) = (String::new(), String::new());
    let at = |point: DVec2| {
        let at = (point - heat.low) / heat.cell_m;
        format!("{:.2} {:.2}", at.x, heat.rows as f64 - at.y)
    };
    for line in &map.lines {
        let stroke = format!("M{}L{}", at(line.a), at(line.b));
        match line.left {
            None => walls += &stroke,
            Some(left) if is_ledge(map, line, left) => ledges += &stroke,
            Some(_) => {}
        }
    }
    format!("<path class=\"ledge\" d=\"{ledges}\"/><path class=\"wall\" d=\"{walls}\"/>")
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
