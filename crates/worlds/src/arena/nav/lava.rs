//! Lava below and beside where bodies stand, so that characters can keep out of it.

use std::collections::VecDeque;

use glam::DVec3;
use repertoire_mind::lava::Lava;

use super::flood::AROUND;
use super::storeys::{DEADLY_PER_SEC, Floors};
use super::{CELL_M, Ground};
use crate::arena::space::Hulls;
use crate::arena::space::hulls::HullScene;

/// How far below a floor lava is looked for, and in what steps.
const DEPTH_M: f64 = 16.0;
const STEP_M: f64 = 0.25;

/// All lava that somebody who stands somewhere could fall or wade into, if the map has any: found next to floors and below their edges,
/// and followed from there as far as it is level.
pub(super) fn find(ground: &Ground<'_>, hulls: &Hulls, floors: &Floors) -> Option<Lava> {
    let scene = hulls.scene(ground.scenes[0].lifts_m, &[]);
    let mut surface_m = vec![f32::NEG_INFINITY; ground.width * ground.height];
    let mut queue = VecDeque::new();
    let mut note = |cell: usize, height_m: f64, queue: &mut VecDeque<(usize, f64)>| {
        if f64::from(surface_m[cell]) < height_m - STEP_M {
            surface_m[cell] = height_m as f32;
            queue.push_back((cell, height_m));
        }
    };
    for stand in floors.stands() {
        let Some(cell) = ground.cell_of(stand.truncate()) else { continue };
        for side in AROUND {
            let Some(beside) = ground.beside(cell, side) else { continue };
            if let Some(height_m) = surface_below(ground, &scene, ground.middle_of(beside).extend(stand.z)) {
                note(beside, height_m, &mut queue);
            }
        }
    }
    if queue.is_empty() {
        return None;
    }
    while let Some((cell, height_m)) = queue.pop_front() {
        for side in AROUND {
            let Some(beside) = ground.beside(cell, side) else { continue };
            if is_lava(ground, &scene, ground.middle_of(beside).extend(height_m - STEP_M)) {
                note(beside, height_m, &mut queue);
            }
        }
    }
    Some(Lava { origin: ground.low, size_m: CELL_M, width: ground.width, surface_m })
}

/// The height of the lava that feet at a place are in or would fall into.
fn surface_below(ground: &Ground<'_>, scene: &HullScene<'_>, feet: DVec3) -> Option<f64> {
    // Solid between here and there is a floor, or the wall beside one.
    let bottom_m = match scene.fits(feet) {
        true => scene.floor_under(feet)?.z,
        false => return None,
    };
    let steps = ((feet.z - bottom_m).min(DEPTH_M) / STEP_M).ceil() as u32;
    (0..=steps)
        .map(|step| feet.z - f64::from(step) * STEP_M)
        .find(|&height_m| is_lava(ground, scene, feet.with_z(height_m)))
}

/// Whether feet at a place are in lava.
pub(super) fn is_lava(ground: &Ground<'_>, scene: &HullScene<'_>, at: DVec3) -> bool {
    let liquid = scene.liquid_at(at + DVec3::new(0.0, 0.0, 0.03));
    liquid.is_some_and(|liquid| ground.rules.quake.harm_per_sec(liquid) > DEADLY_PER_SEC)
}
