//! Quake's maps and bodies: rooms above rooms, and movement by QuakeWorld's rules.
//!
//! | module     | what it holds                                                                   |
//! |------------|---------------------------------------------------------------------------------|
//! | [`bsp`]    | a map file (BSP 29): trees of planes, models of doors and lifts, faces to draw  |
//! | [`hull`]   | what a ray or a body meets in such a tree                                       |
//! | [`entity`] | the text that says where everything is: starts, items, doors, teleporters       |
//! | [`space`]  | the map with its doors and lifts where they are now                             |
//! | [`stage`]  | a map to fight on: what is solid, what moves, where teleporters lead            |
//! | [`rules`]  | the numbers of movement                                                         |
//! | [`body`]   | one step of a body: keys in, place and velocity out                             |
//! | [`boxes`]  | maps made of boxes, for tests and examples                                      |
//!
//! Lengths are Quake's units (32 to a metre by the height of the eyes), numbers are `f32` as in the game, since a replay of people's
//! inputs has to end where they ended.

pub mod body;
pub mod boxes;
pub mod bsp;
pub mod entity;
pub mod hull;
pub mod rules;
pub mod space;
pub mod stage;
#[cfg(test)]
mod tests;

pub use body::{Body, Command};
pub use bsp::{Bsp, BspError};
pub use hull::{Contents, Trace};
pub use rules::MoveRules;
pub use space::{Solid, Space};
pub use stage::Stage;

/// A place or direction in space.
pub type Vec3 = [f32; 3];

/// Units to a metre, by the height of the eyes.
pub const UNITS_PER_METRE: f32 = 32.0;

/// The eyes are this far above a body's origin.
pub const EYE: f32 = 22.0;

pub(crate) fn add(a: Vec3, b: Vec3, scale: f32) -> Vec3 {
    [a[0] + b[0] * scale, a[1] + b[1] * scale, a[2] + b[2] * scale]
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The direction and the length of a vector; no direction if it has no length.
pub(crate) fn unit(a: Vec3) -> (Vec3, f32) {
    let length = dot(a, a).sqrt();
    if length == 0.0 { ([0.0; 3], 0.0) } else { (a.map(|part| part / length), length) }
}
