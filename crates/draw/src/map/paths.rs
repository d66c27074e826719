//! The points that characters know, and the links between them.

use repertoire_mind::{How, Place, Places};

use super::View;
use crate::svg::{Element, Path, circle};

/// How a link is drawn.
pub struct Style {
    /// How it is passed; also its class.
    name: &'static str,
    /// What the legend says.
    pub meaning: &'static str,
    colour: &'static str,
    width: f64,
}

/// How a link is passed, as a style. One direction only is dashed, so that drops show.
pub const STYLES: [Style; 4] = [
    Style { name: "walk", meaning: "walk (dashed: one way)", colour: "#0b62b0", width: 0.08 },
    Style { name: "jump", meaning: "jump", colour: "#c77800", width: 0.12 },
    Style { name: "lift", meaning: "ride a lift", colour: "#0f8f6f", width: 0.12 },
    Style { name: "teleport", meaning: "teleport", colour: "#8a2be2", width: 0.12 },
];

/// An element in the style of a link.
pub fn styled(element: Element, style: &Style) -> Element {
    element.class(style.name).stroke(style.colour, style.width).set("stroke-opacity", 0.8)
}

fn style_of(how: How) -> usize {
    match how {
        How::Walk => 0,
        How::Jump => 1,
        How::LiftDown(_) | How::LiftUp(_) => 2,
        How::Teleport => 3,
    }
}

/// All points and links. A pair of links there and back is drawn once.
pub fn paths(places: &Places, view: &View) -> Vec<Element> {
    let mut both = [const { None::<Path> }; STYLES.len()];
    let mut one_way = [const { None::<Path> }; STYLES.len()];
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
            path.get_or_insert_default().join(&Path::new().to(a.x, a.y).line(b.x, b.y));
        }
    }
    let mut all = Vec::new();
    for (style, (both, one_way)) in STYLES.iter().zip(both.into_iter().zip(one_way)) {
        all.extend(both.map(|path| styled(path.element(), style)));
        all.extend(one_way.map(|path| styled(path.element(), style).set("stroke-dasharray", "0.3 0.2")));
    }
    for point in places.points() {
        let at = view.at(point.truncate());
        all.push(circle(at.x, at.y, 0.16).fill("#0b4f8a").titled(&format!("{:.1} m", point.z)));
    }
    all
}
