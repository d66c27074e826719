//! The points that characters know, and the links between them.

use std::fmt::{self, Write};

use repertoire_mind::{How, Place, Places};

use super::View;

/// How a link is passed, as a style. One direction only is dashed, so that drops show.
const STYLES: [(&str, &str); 4] = [
    ("walk", "stroke=\"#0b4f8a\" stroke-width=\"0.07\" stroke-opacity=\"0.55\""),
    ("jump", "stroke=\"#c77800\" stroke-width=\"0.12\" stroke-opacity=\"0.9\""),
    ("lift", "stroke=\"#0f8f6f\" stroke-width=\"0.12\" stroke-opacity=\"0.9\""),
    ("teleport", "stroke=\"#8a2be2\" stroke-width=\"0.12\" stroke-opacity=\"0.9\""),
];

fn style_of(how: How) -> usize {
    match how {
        How::Walk => 0,
        How::Jump => 1,
        How::LiftDown(_) | How::LiftUp(_) => 2,
        How::Teleport => 3,
    }
}

/// All points and links. A pair of links there and back is drawn once.
pub fn paths(places: &Places, view: &View, out: &mut String) -> fmt::Result {
    let mut both = [const { String::new() }; STYLES.len()];
    let mut one_way = [const { String::new() }; STYLES.len()];
    for (from, point) in (0..=u16::MAX).map(Place).zip(places.points()) {
        for link in places.links(from) {
            let style = style_of(link.how);
            let back =
                places.links(link.to).iter().any(|back| back.to == from && style_of(back.how) == style);
            if back && link.to < from {
                continue;
            }
            let (a, b) = (view.at(point.truncate()), view.at(places.point(link.to).truncate()));
            let path = if back { &mut both[style] } else { &mut one_way[style] };
            write!(path, "M{:.2} {:.2}L{:.2} {:.2}", a.x, a.y, b.x, b.y)?;
        }
    }
    for ((name, style), (both, one_way)) in STYLES.into_iter().zip(both.into_iter().zip(one_way)) {
        for (path, dashes) in [(both, ""), (one_way, " stroke-dasharray=\"0.3 0.2\"")] {
            if !path.is_empty() {
                writeln!(out, "<path class=\"{name}\" d=\"{path}\" fill=\"none\" {style}{dashes}/>")?;
            }
        }
    }
    for point in places.points() {
        let at = view.at(point.truncate());
        writeln!(
            out,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"0.16\" fill=\"#0b4f8a\"><title>{:.1} m</title></circle>",
            at.x, at.y, point.z
        )?;
    }
    Ok(())
}
