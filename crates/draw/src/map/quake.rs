//! A map of Quake from above: floors by height, where players begin, what lies about.

use repertoire_worlds::quake::{Bsp, Vec3};

use crate::svg::{Svg, circle, polygon};

/// Floors are drawn as an area of this size at most, in pixels.
const SIDE: f64 = 800.0;

/// The upward part of a face's normal.
fn upward(face: &[Vec3]) -> f32 {
    let (mut up, mut length) = ([0.0_f32; 3], 0.0_f32);
    for k in 0..face.len() {
        let (a, b) = (face[k], face[(k + 1) % face.len()]);
        up[0] += (a[1] - b[1]) * (a[2] + b[2]);
        up[1] += (a[2] - b[2]) * (a[0] + b[0]);
        up[2] += (a[0] - b[0]) * (a[1] + b[1]);
        length = (up[0] * up[0] + up[1] * up[1] + up[2] * up[2]).sqrt();
    }
    // Faces are wound clockwise as seen from their front.
    if length > 0.0 { -up[2] / length } else { 0.0 }
}

/// The picture. Lower floors are darker; those of rooms above rooms are drawn over them, and let them shine through.
pub fn svg(map: &Bsp, title: &str) -> String {
    let world = &map.models[0];
    let (first, count) = (world.faces[0] as usize, world.faces[1] as usize);
    let mut floors: Vec<&Vec<Vec3>> =
        map.faces[first..first + count].iter().filter(|face| upward(face) > 0.7).collect();
    let height = |face: &[Vec3]| face.iter().map(|point| point[2]).sum::<f32>() / face.len().max(1) as f32;
    floors.sort_by(|a, b| height(a).total_cmp(&height(b)));
    let points = || floors.iter().flat_map(|face| face.iter());
    let bounds = |axis: usize| {
        points()
            .fold((f32::MAX, f32::MIN), |(low, high), point| (low.min(point[axis]), high.max(point[axis])))
    };
    let ((west, east), (south, north), (low, high)) = (bounds(0), bounds(1), bounds(2));
    let scale = SIDE / f64::from((east - west).max(north - south)).max(1.0);
    let place = |at: Vec3| (10.0 + f64::from(at[0] - west) * scale, 10.0 + f64::from(north - at[1]) * scale);
    let (width, depth) =
        (f64::from((east - west).max(0.0)) * scale, f64::from((north - south).max(0.0)) * scale);
    let mut picture = Svg::new(width + 20.0, depth + 20.0).titled(title);
    for face in floors {
        let share = (height(face) - low) / (high - low).max(1.0);
        let tone = (70.0 + 165.0 * share) as u8;
        let colour = format!("#{tone:02x}{tone:02x}{:02x}", tone.saturating_sub(20));
        picture.push(
            polygon(face.iter().map(|&point| place(point)))
                .fill(colour)
                .set("fill-opacity", 0.8)
                .stroke("#333", 0.3),
        );
    }
    for entity in &map.entities {
        let Some(at) = entity.origin() else { continue };
        let kind = entity.kind();
        let (series, radius) = match () {
            () if kind == "info_player_deathmatch" => (2, 4.0),
            () if kind.starts_with("weapon_") => (0, 4.0),
            () if kind.starts_with("item_") => (1, 3.0),
            () if kind == "info_teleport_destination" => (3, 4.0),
            () => continue,
        };
        let (x, y) = place(at);
        picture.push(circle(x, y, radius).series(series).titled(kind));
    }
    picture.finish()
}
