//! From things to items, starts and the exits of teleporters.
//!
//! | Doom                                          | here          |
//! |-----------------------------------------------|---------------|
//! | shotgun, super shotgun, chaingun              | medium weapon |
//! | rocket launcher, plasma rifle, BFG 9000       | strong weapon |
//! | clips, boxes of bullets, shells, box of shells| medium ammo   |
//! | rockets, box of rockets, cells, cell packs    | strong ammo   |
//! | stimpack, medikit, soulsphere, megasphere     | health        |
//!
//! Bullets become ammunition of the medium weapon because the chaingun does, and because they lie where the map's
//! author wanted something for the better guns; for the weak one they would hardly be worth a detour.

use std::collections::BTreeMap;

use glam::DVec2;
use repertoire_mind::{Item, Weapon};

use super::locate::Locator;
use super::notes::Notes;
use super::records::{Point, Sector, Thing};
use super::{ItemSpot, Start, metres};

/// Items, starts and exits.
#[derive(Default)]
pub struct Placed {
    pub items: Vec<ItemSpot>,
    pub starts: Vec<Start>,
    /// Where a teleporter with a tag leads.
    pub exits: BTreeMap<u16, Start>,
}

/// What a thing means to us.
enum Meaning {
    Item(Item),
    Start,
    Player,
    Exit,
    /// Nothing: how to say so of one, and of many.
    Lost((&'static str, &'static str)),
}

/// A thing's flag: appears on hard skills, at which deathmatches are played.
const HARD: u16 = 0x4;
/// A thing's flag, from Boom: does not appear in deathmatch.
const NOT_IN_DEATHMATCH: u16 = 0x20;
/// A thing's flag: set by an old editor that filled all higher bits with nonsense.
const ONLY_OLD_FLAGS: u16 = 0x100;
/// Things beyond this many are left out: each is looked up among all lines, and no map for playing has so many.
const MOST: usize = 4096;
/// With fewer starts than this a deathmatch borrows those of the cooperative game.
const FEWEST_STARTS: usize = 2;

/// Sorts things out; those outside of all sectors are left out.
pub fn place(things: &[Thing], sectors: &[Sector], ground: &Locator<'_>, notes: &mut Notes) -> Placed {
    let mut placed = Placed::default();
    let mut players = Vec::new();
    let mut exits: BTreeMap<u16, (u16, Start)> = BTreeMap::new();
    let mut looked_up = 0;
    for thing in things {
        let meaning = meaning(thing.kind);
        if let Meaning::Lost(kind) = meaning {
            notes.add(1, kind);
            continue;
        }
        // Doom asks starts for no flags.
        if matches!(meaning, Meaning::Item(_) | Meaning::Exit) && !appears(thing.flags) {
            notes.add(
                1,
                ("thing left out that is not for deathmatch", "things left out that are not for deathmatch"),
            );
            continue;
        }
        looked_up += 1;
        if looked_up > MOST {
            notes.add(1, ("thing too many left out", "things too many left out"));
            continue;
        }
        let Some(sector) = ground.sector_of(thing.at) else {
            notes.add(1, ("thing outside of all sectors left out", "things outside of all sectors left out"));
            continue;
        };
        let start = Start { at: position(thing.at), yaw: yaw(thing.degrees), height_m: None };
        match meaning {
            Meaning::Item(item) => {
                placed.items.push(ItemSpot { item, at: position(thing.at), height_m: None })
            }
            Meaning::Start => placed.starts.push(start),
            Meaning::Player => players.push(start),
            Meaning::Exit => {
                let tag = sectors.get(usize::from(sector)).map_or(0, |sector| sector.tag);
                // Doom takes the first thing of the first sector with the tag.
                let first = exits.entry(tag).or_insert((sector, start));
                if sector < first.0 {
                    *first = (sector, start);
                }
            }
            Meaning::Lost(_) => {}
        }
    }
    if placed.starts.len() < FEWEST_STARTS {
        notes.add(
            players.len(),
            ("start of the cooperative game used too", "starts of the cooperative game used too"),
        );
        placed.starts.append(&mut players);
    }
    placed.exits = exits.into_iter().map(|(tag, (_, start))| (tag, start)).collect();
    placed
}

#[rustfmt::skip]
fn meaning(kind: u16) -> Meaning {
    match kind {
        2001 | 82 | 2002 => Meaning::Item(Item::Weapon(Weapon::Medium)),
        2003 | 2004 | 2006 => Meaning::Item(Item::Weapon(Weapon::Strong)),
        2007 | 2048 | 2008 | 2049 => Meaning::Item(Item::Ammo(Weapon::Medium)),
        2010 | 2046 | 2047 | 17 => Meaning::Item(Item::Ammo(Weapon::Strong)),
        2011 | 2012 | 2013 | 83 => Meaning::Item(Item::Health),
        1..=4 => Meaning::Player,
        11 => Meaning::Start,
        14 => Meaning::Exit,
        2018 | 2019 | 2015 => Meaning::Lost(("piece of armour left out", "pieces of armour left out")),
        2014 => Meaning::Lost(("health bonus left out", "health bonuses left out")),
        8 | 2005 | 2022..=2026 | 2045 => Meaning::Lost((
            "chainsaw, backpack or power-up left out",
            "chainsaws, backpacks or power-ups left out",
        )),
        5 | 6 | 13 | 38..=40 => Meaning::Lost(("key left out", "keys left out")),
        7 | 9 | 16 | 58 | 64..=69 | 71 | 72 | 84 | 87..=89 | 3001..=3006 => {
            Meaning::Lost(("monster left out", "monsters left out"))
        }
        10 | 12 | 15 | 18..=37 | 41..=57 | 59..=63 | 70 | 73..=81 | 85 | 86 | 2028 | 2035 => {
            Meaning::Lost(("decoration left out", "decorations left out"))
        }
        _ => Meaning::Lost(("thing of unknown type left out", "things of unknown types left out")),
    }
}

fn appears(flags: u16) -> bool {
    let boom = if flags & ONLY_OLD_FLAGS == 0 { flags } else { 0 };
    flags & HARD != 0 && boom & NOT_IN_DEATHMATCH == 0
}

fn position(at: Point) -> DVec2 {
    DVec2::new(metres(at.x), metres(at.y))
}

/// In radians, above minus half a turn and at most half a turn.
fn yaw(degrees: i16) -> f64 {
    let degrees = i32::from(degrees).rem_euclid(360);
    f64::from(if degrees > 180 { degrees - 360 } else { degrees }).to_radians()
}
