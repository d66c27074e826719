//! The outlines of a file: those of areas, of their steps, and of pillars.

use std::collections::BTreeMap;
use std::ops::Range;

use repertoire_authored::{Mistake, Spanned, nearest};

use crate::arena::map::file::format::{AreaFile, At, MapFile, StairsFile, Toward};

/// An outline with what is said of it in messages.
pub struct Shape {
    /// What it is, in messages.
    pub label: String,
    /// The number of its area; a pillar has none.
    pub area: Option<u16>,
    /// What it is cut out of.
    pub inside: Option<Spanned<String>>,
    /// Its corners, and where they are written.
    pub corners: Vec<([f64; 2], Range<usize>)>,
    name: Option<String>,
}

impl Shape {
    /// Where a corner is written.
    pub fn corner_span(&self, corner: usize) -> Range<usize> {
        self.corners.get(corner).map_or(0..0, |(_, span)| span.clone())
    }

    /// The name that others may be `inside` of.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// All outlines: first those of areas in the order of [`Map::areas`](crate::arena::map::Map::areas), then the pillars.
pub fn shapes(text: &str, file: &MapFile) -> Result<Vec<Shape>, Mistake> {
    let mut shapes: Vec<Shape> = Vec::new();
    for area in &file.area {
        let name = area.name.get_ref();
        let label = format!("the area `{name}`");
        let inside = area.inside.clone();
        let next = shapes.len() as u16;
        match &area.stairs {
            Some(stairs) => {
                for (step, corners) in steps(text, area, stairs)?.into_iter().enumerate() {
                    let label = format!("step {} of `{name}`", step + 1);
                    let area = Some(next.wrapping_add(step as u16));
                    shapes.push(Shape { label, area, inside: inside.clone(), corners, name: None });
                }
            }
            None => {
                let corners = corners(text, &area.outline, &area.rect, &label, &area.name)?;
                shapes.push(Shape { label, area: Some(next), inside, corners, name: Some(name.clone()) });
            }
        }
    }
    for pillar in &file.pillar {
        let label = format!("a pillar in `{}`", pillar.inside.get_ref());
        let corners = corners(text, &pillar.outline, &pillar.rect, &label, &pillar.inside)?;
        shapes.push(Shape { label, area: None, inside: Some(pillar.inside.clone()), corners, name: None });
    }
    Ok(shapes)
}

/// What each outline is cut out of, by number.
pub fn parents(text: &str, file: &MapFile, shapes: &[Shape]) -> Result<Vec<Option<usize>>, Mistake> {
    let names: BTreeMap<&str, usize> =
        shapes.iter().enumerate().filter_map(|(at, shape)| Some((shape.name()?, at))).collect();
    let parent = |shape: &Shape| match &shape.inside {
        None => Ok(None),
        Some(inside) => match names.get(inside.get_ref().as_str()) {
            Some(&at) => Ok(Some(at)),
            None => Err(no_such_area(text, file, inside)),
        },
    };
    shapes.iter().map(parent).collect()
}

fn no_such_area(text: &str, file: &MapFile, inside: &Spanned<String>) -> Mistake {
    let name = inside.get_ref();
    if file.area.iter().any(|area| area.name.get_ref() == name) {
        let what = format!("`{name}` is stairs; nothing can be inside of them");
        return Mistake::at(text, inside.span(), what, "name the area around the stairs");
    }
    let remedy = match nearest(name, file.area.iter().map(|area| area.name.get_ref().as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name one of the areas of this file".into(),
    };
    Mistake::at(text, inside.span(), format!("there is no area `{name}`"), remedy)
}

type Corner = ([f64; 2], Range<usize>);

fn corners(
    text: &str,
    outline: &Option<Spanned<Vec<At>>>,
    rect: &Option<Spanned<[f64; 4]>>,
    label: &str,
    named: &Spanned<String>,
) -> Result<Vec<Corner>, Mistake> {
    match (outline, rect) {
        (Some(outline), None) if outline.get_ref().is_empty() => {
            let what = format!("the outline of {label} is empty");
            Err(Mistake::at(text, outline.span(), what, "write at least three corners [x, y]"))
        }
        (Some(outline), None) => {
            Ok(outline.get_ref().iter().map(|corner| (*corner.get_ref(), corner.span())).collect())
        }
        (None, Some(rect)) => {
            let [x, y, width, height] = sides(text, rect)?;
            Ok(rectangle([x, y], [x + width, y + height], &rect.span()))
        }
        (Some(outline), Some(_)) => {
            let what = format!("{label} has both an outline and a rect");
            Err(Mistake::at(text, outline.span(), what, "keep one of them"))
        }
        (None, None) => {
            let remedy = "add `rect = [x, y, width, height]` or `outline = [[x, y], ...]`";
            Err(Mistake::at(text, named.span(), format!("{label} has no outline"), remedy))
        }
    }
}

/// The numbers of a rectangle that has an area.
fn sides(text: &str, rect: &Spanned<[f64; 4]>) -> Result<[f64; 4], Mistake> {
    let [_, _, width, height] = *rect.get_ref();
    if width > 0.0 && height > 0.0 {
        return Ok(*rect.get_ref());
    }
    let what = "this rectangle has no area";
    Err(Mistake::at(text, rect.span(), what, "write [x, y, width, height], the last two above 0"))
}

fn rectangle([x, y]: [f64; 2], [east, north]: [f64; 2], span: &Range<usize>) -> Vec<Corner> {
    [[x, y], [east, y], [east, north], [x, north]].map(|corner| (corner, span.clone())).to_vec()
}

/// The outlines of the steps of stairs, lowest first.
fn steps(text: &str, area: &AreaFile, stairs: &Spanned<StairsFile>) -> Result<Vec<Vec<Corner>>, Mistake> {
    let Some(rect) = &area.rect else {
        let what = format!("the stairs `{}` are not a rectangle", area.name.get_ref());
        return Err(Mistake::at(text, stairs.span(), what, "give them `rect = [x, y, width, height]`"));
    };
    let [x, y, width, height] = sides(text, rect)?;
    let count = stairs.get_ref().steps;
    // So many that neighbours would merge on the grid are no stairs either.
    if count == 0 || count > 200 {
        let what = format!("stairs of {count} steps");
        return Err(Mistake::at(text, stairs.span(), what, "give them between 1 and 200 steps"));
    }
    let step = |k: u16| {
        // Both ends of a step are computed in the same way, so that neighbours share their edge.
        let cut = |k: u16| f64::from(k) / f64::from(count);
        let (low, high) = (cut(k), cut(k + 1));
        let span = rect.span();
        match stairs.get_ref().toward {
            Toward::East => rectangle([x + width * low, y], [x + width * high, y + height], &span),
            Toward::North => rectangle([x, y + height * low], [x + width, y + height * high], &span),
            Toward::West => {
                rectangle([x + width * (1.0 - high), y], [x + width * (1.0 - low), y + height], &span)
            }
            Toward::South => {
                rectangle([x, y + height * (1.0 - high)], [x + width, y + height * (1.0 - low)], &span)
            }
        }
    };
    Ok((0..count).map(step).collect())
}
