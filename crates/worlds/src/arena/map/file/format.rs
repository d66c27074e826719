//! What may be written in a map file.

use std::borrow::Cow;
use std::fmt;

use repertoire_authored::Spanned;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// A map of the arena. Lengths and heights are in metres, x to the east and y to the north.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Map")]
pub struct MapFile {
    /// What the map is called.
    pub name: String,
    /// What it is, in a sentence or two.
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    pub about: String,
    /// The areas. Where the outlines of two share a part of an edge, there is an opening; the rest is wall.
    #[serde(default)]
    pub area: Vec<AreaFile>,
    /// Solid blocks inside of areas.
    #[serde(default)]
    pub pillar: Vec<PillarFile>,
    /// Parts of openings that bar bodies but not shots and sight.
    #[serde(default)]
    pub fence: Vec<FenceFile>,
    /// Parts of openings that lead elsewhere.
    #[serde(default)]
    pub teleport: Vec<TeleportFile>,
    /// What can be picked up.
    #[serde(default)]
    #[schemars(with = "Vec<ItemFile>")]
    pub item: Vec<Spanned<ItemFile>>,
    /// Where characters appear.
    #[serde(default)]
    #[schemars(with = "Vec<StartFile>")]
    pub start: Vec<Spanned<StartFile>>,
    /// Where the teleports of a `[raw]` map lead, by their number in its lines.
    #[serde(default)]
    #[schemars(with = "Vec<StartFile>")]
    pub exit: Vec<Spanned<StartFile>>,
    /// Areas and lines as they are in memory, instead of `area` and all that refers to it: for imported maps.
    #[schemars(with = "Option<RawFile>")]
    pub raw: Option<Spanned<RawFile>>,
    /// A map of Quake, packed as `arena import` and recordings write it, instead of everything else.
    #[schemars(with = "Option<String>")]
    pub quake: Option<Spanned<String>>,
}

/// A point `[x, y]`.
pub type At = Spanned<[f64; 2]>;

/// A piece of ground with one floor and one ceiling.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaFile {
    /// What it is called; no two areas are called the same.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The height of its floor.
    #[serde(default)]
    pub floor: f64,
    /// The height of its ceiling; that of the area around it if it is `inside` of one.
    #[schemars(with = "Option<f64>")]
    pub ceiling: Option<Spanned<f64>>,
    /// The corners, in either direction; it closes itself.
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    pub outline: Option<Spanned<Vec<At>>>,
    /// Instead of an outline: `[x, y, width, height]`, x and y of the south-western corner.
    #[schemars(with = "Option<[f64; 4]>")]
    pub rect: Option<Spanned<[f64; 4]>>,
    /// The area that this one is cut out of: platforms, pits, steps.
    #[schemars(with = "Option<String>")]
    pub inside: Option<Spanned<String>>,
    /// A ramp.
    #[schemars(with = "Option<SlopeFile>")]
    pub slope: Option<Spanned<SlopeFile>>,
    /// Stairs: the area, which must be a `rect`, becomes a row of level steps.
    #[schemars(with = "Option<StairsFile>")]
    pub stairs: Option<Spanned<StairsFile>>,
    /// A floor that goes up and down.
    #[schemars(with = "Option<LiftFile>")]
    pub lift: Option<Spanned<LiftFile>>,
    /// Health that standing on its floor costs, per second.
    #[serde(default)]
    pub harm: f64,
}

/// A direction on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Toward {
    /// Up the page.
    North,
    /// Down the page.
    South,
    /// To the right.
    East,
    /// To the left.
    West,
}

/// The floor rises evenly from `floor` at one side of the area's bounding box to `to` at the other.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlopeFile {
    /// The height that it reaches.
    pub to: f64,
    /// On which side.
    pub toward: Toward,
}

/// Level steps between the ground before them, at `floor`, and the ground behind them, at `to`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StairsFile {
    /// The height of the ground that they lead to.
    pub to: f64,
    /// On which side that is.
    pub toward: Toward,
    /// How many steps; each is higher than the one before by `(to - floor) / (steps + 1)`.
    pub steps: u16,
}

/// The floor goes between `floor` and `to`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiftFile {
    /// The other height.
    pub to: f64,
    /// Seconds that it rests at either end.
    #[serde(default = "three")]
    pub rest: f64,
    /// Metres a second.
    #[serde(default = "two")]
    pub speed: f64,
}

fn three() -> f64 {
    3.0
}

fn two() -> f64 {
    2.0
}

/// A solid block, cut out of an area.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PillarFile {
    /// The area that it stands in.
    #[schemars(with = "String")]
    pub inside: Spanned<String>,
    /// The corners, in either direction; it closes itself.
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    pub outline: Option<Spanned<Vec<At>>>,
    /// Instead of an outline: `[x, y, width, height]`, x and y of the south-western corner.
    #[schemars(with = "Option<[f64; 4]>")]
    pub rect: Option<Spanned<[f64; 4]>>,
}

/// A fence along openings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FenceFile {
    /// Its two ends; all between them must be openings between areas.
    #[schemars(with = "[[f64; 2]; 2]")]
    pub along: Spanned<[[f64; 2]; 2]>,
}

/// A teleporter along openings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeleportFile {
    /// Two ends; all between them must be openings between areas. Who crosses from the right of the way from the
    /// first to the second is taken away; from the left, one just passes.
    #[schemars(with = "[[f64; 2]; 2]")]
    pub from: Spanned<[[f64; 2]; 2]>,
    /// Where one comes out.
    #[schemars(with = "[f64; 2]")]
    pub to: At,
    /// Where one then looks: degrees, 0 to the east, counter-clockwise.
    #[serde(default)]
    pub facing: f64,
}

/// Something to pick up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemFile {
    /// health, medium-weapon, strong-weapon, medium-ammo or strong-ammo.
    #[schemars(with = "String")]
    pub kind: Spanned<String>,
    /// Where; it lies on the floor.
    #[schemars(with = "[f64; 2]")]
    pub at: At,
}

/// Where a character appears.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartFile {
    /// Where; on the floor.
    #[schemars(with = "[f64; 2]")]
    pub at: At,
    /// Where it looks: degrees, 0 to the east, counter-clockwise.
    pub facing: Option<f64>,
    /// The same in radians, for imported maps.
    #[schemars(with = "Option<f64>")]
    pub yaw: Option<Spanned<f64>>,
}

/// Areas and lines as they are in memory. Nothing is moved or split, and areas may be open until they are played.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawFile {
    /// The areas, numbered from 0.
    #[schemars(with = "Vec<RawAreaFile>")]
    pub areas: Vec<Spanned<RawAreaFile>>,
    /// The lines between them.
    #[schemars(with = "Vec<RawLineFile>")]
    pub lines: Vec<Spanned<RawLineFile>>,
}

/// An area of a raw map.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawAreaFile {
    /// Its name, for messages.
    #[serde(default)]
    pub name: String,
    /// The height of its floor at the origin of the map.
    #[serde(default)]
    pub floor: f64,
    /// How much the floor rises per metre east and north.
    #[serde(default)]
    pub slope: [f64; 2],
    /// The height of its ceiling.
    pub ceiling: f64,
    /// When the floor is where, if it moves.
    pub lift: Option<RawLiftFile>,
    /// Health lost each second.
    #[serde(default)]
    pub harm: f64,
}

/// A lift of a raw map.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLiftFile {
    /// Height when down.
    pub low: f64,
    /// Height when up.
    pub high: f64,
    /// Seconds that it rests at either end.
    pub rest: f64,
    /// Metres a second.
    pub speed: f64,
}

/// `[x1, y1, x2, y2, right, left]`, then whether it is a fence and the number of a teleport's exit, if need be.
#[derive(Debug)]
pub struct RawLineFile {
    /// The start.
    pub a: [f64; 2],
    /// The end.
    pub b: [f64; 2],
    /// The number of the area to the right.
    pub right: u16,
    /// The number of the area to the left; -1 if there is none.
    pub left: i32,
    /// Whether it is a fence.
    pub fence: bool,
    /// Where it leads.
    pub teleport: Option<u16>,
}

impl<'de> Deserialize<'de> for RawLineFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements;
        fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
            seq.next_element()?
                .ok_or_else(|| A::Error::custom(format!("the line is too short, expected {SHAPE}")))
        }
        impl<'de> Visitor<'de> for Elements {
            type Value = RawLineFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(SHAPE)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RawLineFile, A::Error> {
                let a = [next(&mut seq)?, next(&mut seq)?];
                let b = [next(&mut seq)?, next(&mut seq)?];
                let (right, left) = (next(&mut seq)?, next(&mut seq)?);
                let fence = seq.next_element()?.unwrap_or(false);
                let teleport = seq.next_element()?;
                Ok(RawLineFile { a, b, right, left, fence, teleport })
            }
        }
        deserializer.deserialize_seq(Elements)
    }
}

/// The shape of a raw line, for messages.
const SHAPE: &str =
    "[x1, y1, x2, y2, right, left], and if need be true for a fence and the number of an exit";

impl JsonSchema for RawLineFile {
    fn schema_name() -> Cow<'static, str> {
        "RawLine".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": SHAPE,
            "type": "array",
            "prefixItems": [
                { "type": "number" }, { "type": "number" }, { "type": "number" }, { "type": "number" },
                { "type": "integer", "minimum": 0 }, { "type": "integer", "minimum": -1 },
                { "type": "boolean" }, { "type": "integer", "minimum": 0 }
            ],
            "minItems": 6,
            "maxItems": 8
        })
    }
}
