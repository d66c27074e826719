//! Which value stands in which column: the one table that all formats share.
//!
//! Adding a column here adds it to the schema, to what is written and to what is read, in Parquet and in CSV. A
//! change of what is here is a change of the format: give [`crate::FORMAT`] another number. Columns that came later and
//! may be absent (`later!`) change nothing for those who read older recordings.
//!
//! | columns      | what they hold                                                                      |
//! |--------------|-------------------------------------------------------------------------------------|
//! | `tick` ...   | which row this is, and the hash of the world after the tick                         |
//! | `own_*`      | [`Percept::own`]; all empty where nothing was perceived                             |
//! | `own_arms` ... | [`Percept::own`]'s pack, in games with Quake's weapons: owned ones as bits, ammunition, armour, quad |
//! | `ray_*`      | `Percept::rays_m`, the first straight ahead, the others counter-clockwise         |
//! | `command_*`  | the command; all empty where none was given                                         |
//! | `lead` ...   | where it was led, for those who are led instead of steered; all empty for others     |
//! | lists        | `characters`, `items`, `noises` and `hits` of the percept; `events`                 |
//!
//! Rejected: lists as JSON in Parquet too. A list of structures costs us repetition levels once, in
//! `parquet::group`; it saves everybody who reads the file a parser, and half of its size.

mod event;
mod scalar;

pub(crate) use event::{FlatEvent, Name};
pub(crate) use scalar::{Expected, Kind, Scalar, Value};

use std::sync::LazyLock;

use repertoire_mind::{DVec3, Fire, Hit, Item, LedHow, Noise, SeenCharacter, SeenItem, Sound, Weapon};

use crate::Row;

/// A row as columns see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flat {
    pub tick: u32,
    pub state_hash: u64,
    /// The row, without its events.
    pub row: Row,
    pub events: Vec<FlatEvent>,
}

/// A column with one value a row.
pub(crate) struct Field<T: 'static> {
    pub name: &'static str,
    pub kind: Kind,
    pub optional: bool,
    /// Whether older recordings lack it.
    pub is_later: bool,
    pub get: for<'a> fn(&'a T) -> Value<'a>,
    pub set: fn(&mut T, Value<'_>) -> Result<(), Expected>,
}

/// A column with a list of structures in each row.
pub(crate) struct List {
    pub name: &'static str,
    pub leaves: fn() -> Vec<Leaf>,
    pub len: fn(&Flat) -> usize,
    /// Appends an element that is then filled leaf by leaf.
    pub grow: fn(&mut Flat) -> Result<(), Expected>,
    pub get: for<'a> fn(&'a Flat, element: usize, leaf: usize) -> Value<'a>,
    pub set: fn(&mut Flat, element: usize, leaf: usize, Value<'_>) -> Result<(), Expected>,
}

/// A member of a list's structure.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub name: &'static str,
    pub kind: Kind,
    pub optional: bool,
}

/// `field!("x": f64 = position.x)`: a column for a part of a structure. `few f64`: a number of few values.
macro_rules! field {
    ($name:literal: few f64 = $($path:tt)+) => {
        Field { kind: Kind::Level, ..field!($name: f64 = $($path)+) }
    };
    ($name:literal: $type:ty = $($path:tt)+) => {
        Field {
            name: $name,
            kind: <$type as Scalar>::KIND,
            optional: <$type as Scalar>::OPTIONAL,
            is_later: false,
            get: |whole| Scalar::value(&whole.$($path)+),
            set: |whole, value| Scalar::take(&mut whole.$($path)+, value),
        }
    };
}

/// The same for a part of the percept or the command, which may be absent as a whole.
macro_rules! part {
    ($part:ident $name:literal: few f64 = $($path:tt)+) => {
        Field { kind: Kind::Level, ..part!($part $name: f64 = $($path)+) }
    };
    ($part:ident $name:literal: $type:ty = $($path:tt)+) => {
        Field {
            name: $name,
            kind: <$type as Scalar>::KIND,
            optional: true,
            is_later: false,
            get: |flat: &Flat| match &flat.row.$part {
                Some(part) => Scalar::value(&part.$($path)+),
                None => Value::Null,
            },
            set: |flat, value| match (&mut flat.row.$part, value) {
                (Some(part), value) => Scalar::take(&mut part.$($path)+, value),
                (None, Value::Null) => Ok(()),
                (None, _) => Err(NOTHING.to_owned()),
            },
        }
    };
}

/// The same for what only games with Quake's weapons have: empty elsewhere, and absent from older recordings.
macro_rules! later {
    ($part:ident $name:literal: $type:ty = $($path:tt)+) => {
        Field {
            is_later: true,
            get: |flat: &Flat| match &flat.row.$part {
                Some(part) if !part.own.pack.is_empty() => Scalar::value(&part.$($path)+),
                _ => Value::Null,
            },
            set: |flat, value| match value {
                Value::Null => Ok(()),
                value => (part!($part $name: $type = $($path)+).set)(flat, value),
            },
            ..part!($part $name: $type = $($path)+)
        }
    };
}

/// The same of where somebody was led: `lead` stands for it, and older recordings have none of it.
macro_rules! led {
    ("lead": $type:ty = $($path:tt)+) => {
        Field { is_later: true, ..first_part!(lead "lead": $type = $($path)+) }
    };
    ($name:literal: $type:ty = $($path:tt)+) => {
        Field { is_later: true, ..part!(lead $name: $type = $($path)+) }
    };
}

const NOTHING: &str = "nothing: the row has no percept where `own_life` is empty, no command where `command_yaw` is, no lead where `lead` is";

/// Makes the percept or the command when the column that stands for it is not empty.
macro_rules! first_part {
    ($part:ident $name:literal: $type:ty = $($path:tt)+) => {
        Field {
            set: |flat, value| {
                flat.row.$part = (value != Value::Null).then(Default::default);
                (part!($part $name: $type = $($path)+).set)(flat, value)
            },
            ..part!($part $name: $type = $($path)+)
        }
    };
}

/// The columns with one value a row, in the order of the file.
pub(crate) static FIELDS: &[Field<Flat>] = &[
    field!("tick": u32 = tick),
    field!("character": u8 = row.character),
    field!("alive": bool = row.alive),
    field!("state_hash": u64 = state_hash),
    first_part!(percept "own_life": u32 = own.life),
    part!(percept "own_x": f64 = own.position.x),
    part!(percept "own_y": f64 = own.position.y),
    part!(percept "own_z": f64 = own.position.z),
    part!(percept "own_vx": f64 = own.velocity.x),
    part!(percept "own_vy": f64 = own.velocity.y),
    part!(percept "own_vz": f64 = own.velocity.z),
    part!(percept "own_eye_m": few f64 = own.eye_m),
    part!(percept "own_yaw": f64 = own.yaw),
    part!(percept "own_pitch": f64 = own.pitch),
    part!(percept "own_on_ground": bool = own.on_ground),
    part!(percept "own_health": few f64 = own.health),
    part!(percept "own_weapon": Weapon = own.weapon),
    part!(percept "own_has_weak": bool = own.weapons[0]),
    part!(percept "own_has_medium": bool = own.weapons[1]),
    part!(percept "own_has_strong": bool = own.weapons[2]),
    part!(percept "own_ammo_weak": u32 = own.ammo[0]),
    part!(percept "own_ammo_medium": u32 = own.ammo[1]),
    part!(percept "own_ammo_strong": u32 = own.ammo[2]),
    part!(percept "own_ready": bool = own.ready),
    part!(percept "own_frags": i32 = own.frags),
    later!(percept "own_arms": u32 = own.pack.owned),
    later!(percept "own_shells": u32 = own.pack.ammo[0]),
    later!(percept "own_nails": u32 = own.pack.ammo[1]),
    later!(percept "own_rockets": u32 = own.pack.ammo[2]),
    later!(percept "own_cells": u32 = own.pack.ammo[3]),
    later!(percept "own_armour": u32 = own.pack.armour),
    later!(percept "own_quad_secs": u32 = own.pack.quad_secs),
    part!(percept "ray_0": f64 = rays_m[0]),
    part!(percept "ray_1": f64 = rays_m[1]),
    part!(percept "ray_2": f64 = rays_m[2]),
    part!(percept "ray_3": f64 = rays_m[3]),
    part!(percept "ray_4": f64 = rays_m[4]),
    part!(percept "ray_5": f64 = rays_m[5]),
    part!(percept "ray_6": f64 = rays_m[6]),
    part!(percept "ray_7": f64 = rays_m[7]),
    first_part!(command "command_yaw": f64 = yaw),
    part!(command "command_pitch": f64 = pitch),
    part!(command "command_forward": f64 = forward),
    part!(command "command_lateral": f64 = lateral),
    part!(command "command_jump": bool = jump),
    part!(command "command_fire": Fire = fire),
    part!(command "command_weapon": Option<Weapon> = weapon),
    field!("task": Option<String> = row.task),
    field!("why": Option<String> = row.why),
    led!("lead": LedHow = how),
    led!("lead_x": f64 = position.x),
    led!("lead_y": f64 = position.y),
    led!("lead_z": f64 = position.z),
    led!("lead_vx": f64 = velocity.x),
    led!("lead_vy": f64 = velocity.y),
    led!("lead_vz": f64 = velocity.z),
    led!("lead_yaw": f64 = yaw),
    led!("lead_pitch": f64 = pitch),
    led!("lead_on_ground": bool = on_ground),
    led!("lead_weapon": Option<Weapon> = weapon),
];

static CHARACTER: &[Field<SeenCharacter>] = &[
    field!("id": u8 = id),
    field!("x": f64 = position.x),
    field!("y": f64 = position.y),
    field!("z": f64 = position.z),
    field!("vx": f64 = velocity.x),
    field!("vy": f64 = velocity.y),
    field!("vz": f64 = velocity.z),
    field!("weapon": Option<Weapon> = weapon),
];

static ITEM: &[Field<SeenItem>] = &[
    field!("spot": u16 = spot),
    field!("item": Item = item),
    field!("x": few f64 = position.x),
    field!("y": few f64 = position.y),
    field!("z": few f64 = position.z),
    field!("present": bool = present),
];

static NOISE: &[Field<Noise>] =
    &[field!("sound": Sound = sound), field!("yaw": f64 = yaw), field!("loudness": f64 = loudness)];

static HIT: &[Field<Hit>] = &[field!("damage": few f64 = damage), field!("yaw": f64 = yaw)];

static EVENT: &[Field<FlatEvent>] = &[
    field!("event": Name = name),
    field!("x": Option<f64> = x),
    field!("y": Option<f64> = y),
    field!("z": Option<f64> = z),
    field!("weapon": Option<Weapon> = weapon),
    field!("fire": Option<Fire> = fire),
    field!("by": Option<u8> = by),
    field!("damage": Option<f64> = damage),
    field!("victim": Option<u8> = victim),
    field!("spot": Option<u16> = spot),
    field!("item": Option<Item> = item),
];

/// A list of the percept. Without a percept it is empty.
macro_rules! percept_list {
    ($name:literal, $table:ident, $list:ident, $blank:expr) => {
        List {
            name: $name,
            leaves: || leaves($table),
            len: |flat| flat.row.percept.as_ref().map_or(0, |percept| percept.$list.len()),
            grow: |flat| {
                let percept = flat.row.percept.as_mut().ok_or_else(|| NOTHING.to_owned())?;
                percept.$list.push($blank);
                Ok(())
            },
            get: |flat, element, leaf| match &flat.row.percept {
                Some(percept) => ($table[leaf].get)(&percept.$list[element]),
                None => Value::Null,
            },
            set: |flat, element, leaf, value| match &mut flat.row.percept {
                Some(percept) => ($table[leaf].set)(&mut percept.$list[element], value),
                None => Err(NOTHING.to_owned()),
            },
        }
    };
}

/// The columns with a list in each row; they follow [`FIELDS`].
pub(crate) static LISTS: &[List] = &[
    percept_list!("characters", CHARACTER, characters, BLANK_CHARACTER),
    percept_list!("items", ITEM, items, BLANK_ITEM),
    percept_list!("noises", NOISE, noises, BLANK_NOISE),
    percept_list!("hits", HIT, hits, BLANK_HIT),
    List {
        name: "events",
        leaves: || leaves(EVENT),
        len: |flat| flat.events.len(),
        grow: |flat| {
            flat.events.push(FlatEvent::blank(Name::Spawned));
            Ok(())
        },
        get: |flat, element, leaf| (EVENT[leaf].get)(&flat.events[element]),
        set: |flat, element, leaf, value| (EVENT[leaf].set)(&mut flat.events[element], value),
    },
];

const BLANK_CHARACTER: SeenCharacter =
    SeenCharacter { id: 0, position: DVec3::ZERO, velocity: DVec3::ZERO, weapon: None };
const BLANK_ITEM: SeenItem = SeenItem { spot: 0, item: Item::Health, position: DVec3::ZERO, present: false };
const BLANK_NOISE: Noise = Noise { sound: Sound::Shot, yaw: 0.0, loudness: 0.0 };
const BLANK_HIT: Hit = Hit { damage: 0.0, yaw: 0.0 };

/// The first number of a row that is infinite or none, with its column: `own_x`, or `characters[2].vx` in a list.
pub(crate) fn not_finite(flat: &Flat) -> Option<(String, f64)> {
    let broken = |value: Value<'_>| match value {
        Value::Float(number) if !number.is_finite() => Some(number),
        _ => None,
    };
    for field in FIELDS.iter().filter(|field| field.kind.is_number()) {
        if let Some(number) = broken((field.get)(flat)) {
            return Some((field.name.to_owned(), number));
        }
    }
    for (list, numbers) in LISTS.iter().zip(NUMBERS.iter()) {
        for element in 0..(list.len)(flat) {
            for &(leaf, name) in numbers {
                if let Some(number) = broken((list.get)(flat, element, leaf)) {
                    return Some((format!("{}[{element}].{name}", list.name), number));
                }
            }
        }
    }
    None
}

/// Which leaves of each list hold numbers.
static NUMBERS: LazyLock<Vec<Vec<(usize, &'static str)>>> = LazyLock::new(|| {
    let numbers = |list: &List| {
        let leaves = (list.leaves)().into_iter().enumerate().filter(|(_, leaf)| leaf.kind.is_number());
        leaves.map(|(k, leaf)| (k, leaf.name)).collect()
    };
    LISTS.iter().map(numbers).collect()
});

fn leaves<T>(table: &[Field<T>]) -> Vec<Leaf> {
    table.iter().map(|field| Leaf { name: field.name, kind: field.kind, optional: field.optional }).collect()
}

/// The columns with one value a row that a recording is written with: those of who is led only where somebody is.
pub(crate) fn written(has_led: bool) -> impl Iterator<Item = &'static Field<Flat>> {
    let is_lead = |field: &Field<Flat>| field.name == "lead" || field.name.starts_with("lead_");
    FIELDS.iter().filter(move |field| has_led || !is_lead(field))
}

/// All columns' names, for people.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|field| field.name).chain(LISTS.iter().map(|list| list.name))
}
