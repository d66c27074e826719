//! The shape of a map: where one stands, what bars the way, what a line of sight meets.
//!
//! A [`Space`] never changes; a [`Scene`] is a space at one moment, with its lifts where they then are. There are two kinds: areas
//! bounded by lines, as in Doom, where no room lies above another ([`Sectors`]), and trees of planes, as in Quake ([`Hulls`]).
//! An enum and not a trait: there are two, everything that plays asks one of them thousands of times a second, and bodies move by other
//! rules in each.

mod build;
pub(crate) mod hulls;
pub(crate) mod plan;
mod ray;
pub(crate) mod sectors;

use glam::{DVec2, DVec3};

pub use hulls::Hulls;
pub use ray::{Impact, Surface};
pub use sectors::Sectors;
pub(crate) use sectors::{Edge, SectorScene};

use super::map::Map;

/// Whether the way from `from` to `to` crosses a line.
pub(crate) fn crosses(from: DVec2, to: DVec2, edge: &Edge) -> bool {
    ray::crossing(from, to, edge).is_some()
}

/// The shape of a map.
#[derive(Debug)]
pub enum Space {
    /// Areas bounded by lines.
    Sectors(Sectors),
    /// Trees of planes: rooms may lie above rooms.
    Hulls(Hulls),
}

impl Space {
    /// The shape of a map. Lines without length are left out; areas that do not exist must not be named.
    pub(crate) fn new(map: &Map) -> Self {
        match &map.stage {
            Some(stage) => Space::Hulls(Hulls::new(stage.clone())),
            None => Space::Sectors(Sectors::new(map)),
        }
    }

    /// The two corners of the smallest box around it, from above.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        match self {
            Space::Sectors(sectors) => sectors.bounds(),
            Space::Hulls(hulls) => hulls.bounds(),
        }
    }

    /// The area at a point, if it is inside the map. Of rooms above each other, the highest that can be walked to.
    pub fn area_at(&self, at: DVec2) -> Option<usize> {
        match self {
            Space::Sectors(sectors) => sectors.area_at(at),
            Space::Hulls(hulls) => hulls.plan().area_at(at),
        }
    }

    /// Whether a room may lie above another.
    pub fn has_storeys(&self) -> bool {
        matches!(self, Space::Hulls(_))
    }
}

/// A space at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The shape.
    pub space: &'a Space,
    /// The height of each lift's floor.
    pub lifts_m: &'a [f64],
}

/// A scene of either kind.
pub(crate) enum Kind<'a> {
    Sectors(SectorScene<'a>),
    Hulls(hulls::HullScene<'a>),
}

impl<'a> Scene<'a> {
    #[inline]
    pub(crate) fn kind(&self) -> Kind<'a> {
        let lifts_m = self.lifts_m;
        match self.space {
            Space::Sectors(space) => Kind::Sectors(SectorScene { space, lifts_m }),
            Space::Hulls(hulls) => Kind::Hulls(hulls.scene(lifts_m, &[])),
        }
    }

    /// The height of an area's floor at a point.
    #[inline]
    pub fn floor_m(&self, area: usize, at: DVec2) -> f64 {
        match self.space {
            Space::Sectors(space) => SectorScene { space, lifts_m: self.lifts_m }.floor_m(area, at),
            Space::Hulls(hulls) => hulls.plan().floor_m(area),
        }
    }

    /// The height of an area's ceiling.
    #[inline]
    pub fn ceiling_m(&self, area: usize) -> f64 {
        match self.space {
            Space::Sectors(space) => SectorScene { space, lifts_m: self.lifts_m }.ceiling_m(area),
            Space::Hulls(_) => f64::INFINITY,
        }
    }

    /// A point on the floor, if it is inside the map. Of rooms above each other, the highest that can be walked to.
    pub fn on_floor(&self, at: DVec2) -> Option<DVec3> {
        let area = self.space.area_at(at)?;
        Some(at.extend(self.floor_m(area, at)))
    }

    /// The floor under a point at a height, where rooms lie above rooms; without a height, and elsewhere, as [`Scene::on_floor`].
    pub fn floor_under(&self, at: DVec2, height_m: Option<f64>) -> Option<DVec3> {
        match (self.kind(), height_m) {
            (Kind::Hulls(hulls), Some(height_m)) => hulls.floor_under(at.extend(height_m)),
            _ => self.on_floor(at),
        }
    }

    /// Whether no line is near a point; of hulls nobody knows.
    pub(crate) fn is_clear(&self, at: DVec2) -> bool {
        matches!(self.space, Space::Sectors(space) if space.near(at).is_empty())
    }

    /// Whether a straight way leads over flat ground with no line near it; of hulls nobody knows.
    pub(crate) fn is_open(&self, p: DVec2, q: DVec2) -> bool {
        matches!(self.kind(), Kind::Sectors(sectors) if sectors.is_open(p, q))
    }

    /// Whether nothing is in the way between two points inside the map.
    pub fn sees(&self, from: DVec3, to: DVec3) -> bool {
        match self.kind() {
            Kind::Sectors(sectors) => sectors.sees(from, to),
            Kind::Hulls(hulls) => hulls.sees(from, to),
        }
    }

    /// The first thing in the way from a point inside the map to another anywhere.
    pub fn cast(&self, from: DVec3, to: DVec3) -> Option<Impact> {
        match self.kind() {
            Kind::Sectors(sectors) => sectors.cast(from, to),
            Kind::Hulls(hulls) => hulls.cast(from, to),
        }
    }

    /// The same with the direction that the thing faces, for what bounces. Walls of lines throw straight back.
    pub(crate) fn bounce(&self, from: DVec3, to: DVec3) -> Option<(f64, DVec3)> {
        match self.kind() {
            Kind::Hulls(hulls) => hulls.bounce(from, to),
            Kind::Sectors(sectors) => sectors.cast(from, to).map(|impact| {
                let normal = match impact.surface {
                    Surface::Floor => DVec3::Z,
                    Surface::Ceiling => DVec3::NEG_Z,
                    Surface::Wall => (from - to).with_z(0.0).normalize_or(DVec3::Z),
                };
                (impact.part, normal)
            }),
        }
    }

    /// How far along a level way the first thing is, if anything is. Level ways meet no flat floors and ceilings.
    pub fn cast_level(&self, from: DVec3, to: DVec3) -> Option<f64> {
        match self.kind() {
            Kind::Sectors(sectors) => sectors.cast_level(from, to),
            Kind::Hulls(hulls) => hulls.cast(from, to).map(|impact| impact.part),
        }
    }
}
