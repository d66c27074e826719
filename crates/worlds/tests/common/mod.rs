//! Small maps, and worlds whose characters are put where a test wants them.
#![allow(dead_code, reason = "each test file uses its part")]

use std::f64::consts::TAU;
use std::sync::{Arc, OnceLock};

use glam::{DVec2, DVec3};
use repertoire_mind::fighter::Fighter;
use repertoire_mind::{Command, Event, Fire, Item, Percept, Weapon};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::Contender;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::shipped::SHIPPED;
use repertoire_worlds::arena::map::{Area, Floor, ItemSpot, Line, Map, Start, file};
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::World;
use serde_json::{Value, json};

pub fn area(name: &str, floor: f64, ceiling: f64) -> Area {
    Area { name: name.to_owned(), floor: Floor::flat(floor), ceiling_m: ceiling, ..Area::default() }
}

pub fn line(a: (f64, f64), b: (f64, f64), right: u16, left: Option<u16>) -> Line {
    Line { a: DVec2::new(a.0, a.1), b: DVec2::new(b.0, b.1), right, left, fence: false, teleport: None }
}

/// Two rooms of 12 by 12 m, the second half a metre higher, with a door of 2 m between them.
pub fn two_rooms() -> Map {
    Map {
        name: "two rooms".to_owned(),
        areas: vec![area("west", 0.0, 4.0), area("east", 0.5, 4.0)],
        lines: vec![
            line((0.0, 0.0), (0.0, 12.0), 0, None),
            line((0.0, 12.0), (12.0, 12.0), 0, None),
            line((12.0, 12.0), (12.0, 7.0), 0, None),
            line((12.0, 7.0), (12.0, 5.0), 0, Some(1)),
            line((12.0, 5.0), (12.0, 0.0), 0, None),
            line((12.0, 0.0), (0.0, 0.0), 0, None),
            line((12.0, 0.0), (12.0, 5.0), 1, None),
            line((12.0, 7.0), (12.0, 12.0), 1, None),
            line((12.0, 12.0), (24.0, 12.0), 1, None),
            line((24.0, 12.0), (24.0, 0.0), 1, None),
            line((24.0, 0.0), (12.0, 0.0), 1, None),
        ],
        items: vec![
            ItemSpot { item: Item::Health, at: DVec2::new(2.0, 2.0), height_m: None },
            ItemSpot { item: Item::Weapon(Weapon::Medium), at: DVec2::new(22.0, 10.0), height_m: None },
            ItemSpot { item: Item::Weapon(Weapon::Strong), at: DVec2::new(22.0, 2.0), height_m: None },
        ],
        starts: [(3.0, 9.0), (9.0, 3.0), (15.0, 9.0), (21.0, 3.0)].map(start).to_vec(),
        ..Map::default()
    }
}

pub fn start((x, y): (f64, f64)) -> Start {
    Start { at: DVec2::new(x, y), yaw: 0.0, height_m: None }
}

/// A closed map from a grid of quadrilaterals: `cells[row][column]` is an area, or solid; `corner(column, row)` tells
/// where its corners are, and must keep their order round each cell.
pub fn grid_map(cells: &[Vec<Option<Area>>], corner: impl Fn(usize, usize) -> DVec2) -> Map {
    let mut map = Map { name: "grid".to_owned(), ..Map::default() };
    let mut number: Vec<Vec<Option<u16>>> = Vec::new();
    for row in cells {
        let mut numbers = Vec::new();
        for cell in row {
            numbers.push(cell.as_ref().map(|_| map.areas.len() as u16));
            map.areas.extend(cell.clone());
        }
        number.push(numbers);
    }
    let cell = |column: i64, row: i64| -> Option<u16> {
        let row = number.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(column).ok()?)?
    };
    let mut border = |a: DVec2, b: DVec2, right: Option<u16>, left: Option<u16>| match (right, left) {
        (Some(right), left) => map.lines.push(Line { a, b, right, left, fence: false, teleport: None }),
        (None, Some(left)) => {
            map.lines.push(Line { a: b, b: a, right: left, left: None, fence: false, teleport: None });
        }
        (None, None) => {}
    };
    let (width, height) = (cells[0].len(), cells.len());
    for row in 0..=height {
        for column in 0..=width {
            let (x, y) = (column as i64, row as i64);
            if row < height {
                border(corner(column, row), corner(column, row + 1), cell(x, y), cell(x - 1, y));
            }
            if column < width {
                border(corner(column, row), corner(column + 1, row), cell(x, y - 1), cell(x, y));
            }
        }
    }
    map
}

/// Flat rectangles side by side from west to east, all `depth_m` deep: width, floor, ceiling of each.
pub fn strip(depth_m: f64, parts: &[(f64, f64, f64)]) -> Map {
    let mut borders = vec![0.0];
    for &(width, ..) in parts {
        borders.push(borders[borders.len() - 1] + width);
    }
    let row = parts.iter().map(|&(_, floor, ceiling)| Some(area("part", floor, ceiling))).collect();
    let mut map = grid_map(&[row], |column, row| DVec2::new(borders[column], row as f64 * depth_m));
    map.starts = [(1.0, 1.0), (1.0, depth_m - 1.0)].map(start).to_vec();
    map
}

pub fn level(map: Map) -> Arc<Level> {
    Arc::new(Level::new(map).expect("a good map"))
}

/// The shipped maps with their names; made once.
pub fn shipped() -> &'static [(&'static str, Arc<Level>)] {
    static LEVELS: OnceLock<Vec<(&'static str, Arc<Level>)>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let made = |&(name, text): &(&'static str, &str)| {
            (name, level(file::read(text).expect("a shipped map can be read").map))
        };
        SHIPPED.iter().map(made).collect()
    })
}

pub fn bots(levels: &[u8]) -> Vec<Contender> {
    let bot =
        |&level: &u8| Contender { name: format!("native:{level}"), mind: Box::new(Fighter::native(level)) };
    levels.iter().map(bot).collect()
}

pub const STAY: Command =
    Command { yaw: 0.0, pitch: 0.0, forward: 0.0, lateral: 0.0, jump: false, fire: Fire::None, weapon: None };
pub const RUN: Command = Command { forward: 1.0, ..STAY };
pub const SHOOT: Command = Command { fire: Fire::Primary, ..STAY };

/// Any command a player could give, and now and then none at all.
pub fn any_command(chance: &mut Stream) -> Command {
    let mut signed = |most: f64| (2.0 * chance.unit() - 1.0) * most;
    let (yaw, pitch) = (signed(1.2), signed(0.5));
    let (forward, lateral) = (signed(1.0), signed(1.0));
    Command {
        yaw,
        pitch,
        // Mostly ahead at full speed: who only dithers gets nowhere.
        forward: if chance.unit() < 0.7 { 1.0 } else { forward },
        lateral,
        jump: chance.unit() < 0.2,
        fire: Fire::ALL[(chance.unit() * 3.0) as usize],
        weapon: (chance.unit() < 0.1).then(|| Weapon::ALL[(chance.unit() * 3.0) as usize]),
    }
}

/// A random direction on the ground.
pub fn any_way(chance: &mut Stream) -> DVec2 {
    let (sin, cos) = libm::sincos(chance.unit() * TAU);
    DVec2::new(cos, sin)
}

/// A world whose characters are put where they are needed, by editing its saved state.
pub struct Stage {
    pub world: World,
}

impl Stage {
    pub fn new(level: &Arc<Level>, characters: u8) -> Self {
        Stage { world: World::new(level.clone(), Rules::default(), characters, 1) }
    }

    pub fn edit(&mut self, edit: impl FnOnce(&mut Value)) {
        let mut saved = serde_json::to_value(self.world.save()).expect("a world is plain data");
        edit(&mut saved["state"]);
        let saved = serde_json::from_value(saved).expect("the edited state is still one");
        self.world = World::restore(self.world.level().clone(), saved).expect("the same map");
    }

    /// Changes a field of a character's saved state.
    pub fn set(&mut self, id: usize, field: &str, value: impl Into<Value>) -> &mut Self {
        self.edit(|state| {
            let place = &mut state["characters"][id][field];
            assert!(!place.is_null(), "characters have no {field}");
            *place = value.into();
        });
        self
    }

    /// Puts a character on its feet somewhere, at rest, looking level.
    pub fn put(&mut self, id: usize, feet: DVec3, yaw: f64) -> &mut Self {
        self.set(id, "body", json!({ "position": feet, "velocity": DVec3::ZERO, "on_ground": true }))
            .set(id, "yaw", yaw)
            .set(id, "pitch", 0.0)
    }

    /// Gives a character a weapon, in hand and ready, with ammunition.
    pub fn arm(&mut self, id: usize, weapon: Weapon, ammo: u32) -> &mut Self {
        self.edit(|state| {
            let character = &mut state["characters"][id];
            character["weapon"] = json!(weapon);
            character["weapons"][weapon.index()] = json!(true);
            character["ammo"][weapon.index()] = json!(ammo);
            character["ready_at"] = json!(0);
        });
        self
    }

    pub fn percept(&self, id: usize) -> Percept {
        let mut percept = Percept::default();
        self.world.perceive(id, &mut percept);
        percept
    }

    /// The first character obeys for some decisions; the others stay.
    pub fn drive(&mut self, command: Command, decisions: usize) -> &mut Self {
        let mut commands = vec![STAY; self.world.len()];
        commands[0] = command;
        for _ in 0..decisions {
            self.world.advance(&commands);
        }
        self
    }

    pub fn feet(&self, id: usize) -> DVec3 {
        self.world.look(id).position
    }

    pub fn fired(&self, id: usize) -> bool {
        self.world.events(id).iter().any(|event| matches!(event, Event::Fired { .. }))
    }
}
