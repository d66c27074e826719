//! How bodies move: run, slide along walls, climb steps, jump, fall, ride lifts, go through teleporters.
//!
//! Among areas bounded by lines bodies move by the arena's own rules (`sectors`), in Quake's hulls by QuakeWorld's (`hulls`).

mod hulls;
mod sectors;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::map::Start;
use super::rules::Rules;
use super::space::{Kind, Scene, Space};

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The feet.
    pub position: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Whether it stands on something.
    pub on_ground: bool,
    /// Seconds left of being thrown out of water, where there is any.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub thrown_secs: f32,
}

fn is_nothing(secs: &f32) -> bool {
    *secs == 0.0
}

/// What a body wants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wish {
    /// Metres a second, on the ground, at the end of the step.
    pub way: DVec2,
    /// How far the wish turns during the step, in radians: whoever turns in the air gains speed by it.
    pub turn: f64,
    /// Whether to jump.
    pub jump: bool,
}

/// What happened to a body in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// How fast it came down, if it landed.
    pub landed_m_per_sec: Option<f64>,
    /// The exit of the map through which it came.
    pub exit: Option<usize>,
    /// Whether it swims with its head above the surface.
    pub is_afloat: bool,
    /// Health that what it stands or swims in costs, per second; only Quake's liquids tell it here.
    pub harm_per_sec: f64,
}

impl Body {
    /// A body that stands at a start.
    pub fn at(start: DVec3) -> Self {
        Body { position: start, velocity: DVec3::ZERO, on_ground: true, thrown_secs: 0.0 }
    }

    /// Moves it for one step towards a wanted speed, around the bodies of others.
    pub(crate) fn step(
        &mut self,
        scene: Scene<'_>,
        rules: &Rules,
        exits: &[Start],
        wish: Wish,
        others: &[DVec3],
    ) -> Moved {
        match (scene.kind(), scene.space) {
            (Kind::Sectors(scene), _) => self.step_in_sectors(scene, rules, exits, wish, others),
            (_, Space::Hulls(hulls)) => self.step_in_hulls(hulls, scene.lifts_m, rules, exits, wish, others),
            (Kind::Hulls(_), Space::Sectors(_)) => Moved::default(),
        }
    }

    /// The nearest place to `at` where a body can stand, if there is one within a quarter of a metre. Where rooms lie above rooms,
    /// the one below a height.
    pub(crate) fn settle(scene: Scene<'_>, at: DVec2, height_m: Option<f64>) -> Option<DVec3> {
        match scene.kind() {
            Kind::Sectors(scene) => Body::settle_in_sectors(scene, at),
            Kind::Hulls(hulls) => {
                let place = scene.floor_under(at, height_m)?;
                hulls.fits(place).then_some(place)
            }
        }
    }
}
