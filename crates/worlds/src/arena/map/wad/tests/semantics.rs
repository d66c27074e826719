//! What each part of a map becomes.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec2;
use repertoire_mind::{Item, Weapon};

use super::builder::{ALWAYS, Draft, two_rooms, wad};
use super::{Line, Map, area, check};
use crate::arena::map::wad::{WadError, import, list};

fn imported(draft: &Draft) -> Map {
    let map = import(&draft.wad(), "MAP01").expect("the draft is a map").map;
    check(&map);
    map
}

fn line(map: &Map, a: (f64, f64), b: (f64, f64)) -> Line {
    let (a, b) = (DVec2::from(a) / 32.0, DVec2::from(b) / 32.0);
    *map.lines.iter().find(|line| (line.a, line.b) == (a, b)).expect("there is such a line")
}

#[test]
fn sectors_become_areas_and_lines_keep_their_sides() {
    let map = imported(&two_rooms());
    assert_eq!(map.name, "MAP01");
    let names: Vec<&str> = map.areas.iter().map(|area| area.name.as_str()).collect();
    assert_eq!(names, ["sector 0", "sector 1", "sector 2", "sector 3", "sector 4", "sector 5", "sector 7"]);
    assert_eq!(area(&map, 0).ceiling_m, 4.0);
    assert_eq!(area(&map, 4).floor.height_m, -1.0);
    let wall = line(&map, (0.0, 0.0), (0.0, 256.0));
    assert_eq!((wall.right, wall.left, wall.fence), (0, None, false));
    let edge = line(&map, (32.0, 96.0), (96.0, 96.0));
    assert_eq!((edge.right, edge.left, edge.fence), (4, Some(0), false));
    assert_eq!(map.bounds(), (DVec2::ZERO, DVec2::new(17.0, 8.0)));
}

#[test]
fn an_impassable_line_is_a_fence_and_a_plain_one_within_a_sector_is_gone() {
    let map = imported(&two_rooms());
    assert!(line(&map, (32.0, 32.0), (32.0, 96.0)).fence);
    assert_eq!(map.lines.iter().filter(|line| line.fence).count(), 1);
    assert!(!map.lines.iter().any(|line| line.a.x == 5.0 && line.b.x == 5.0));
}

#[test]
fn a_door_stands_open_below_the_lower_ceiling_beside_it() {
    let map = imported(&two_rooms());
    assert_eq!((area(&map, 1).floor.height_m, area(&map, 1).ceiling_m), (0.0, 124.0 / 32.0));
}

#[test]
fn doors_open_by_tag_by_boom_and_after_five_minutes_but_not_by_a_line_that_closes() {
    for (special, sector_special, open) in
        [(2, 0, true), (0, 14, true), (0x3C01, 0, true), (0x3801, 0, true), (3, 0, false), (0x3C41, 0, false)]
    {
        let mut draft = two_rooms();
        draft.lines.iter_mut().filter(|line| line.special == 1).for_each(|line| line.special = 0);
        (draft.sectors[1].2, draft.sectors[1].3) = (sector_special, 5);
        (draft.lines[0].special, draft.lines[0].tag) = (special, 5);
        let map = imported(&draft);
        assert_eq!(map.areas.iter().any(|area| area.name == "sector 1"), open, "special {special:#x}");
    }
}

#[test]
fn a_tagged_action_without_a_tag_does_nothing() {
    let mut draft = two_rooms();
    draft.lines[0].special = 62;
    let lifts = imported(&draft).lifts();
    assert_eq!(lifts.len(), 1, "only the one with a tag");
}

#[test]
fn a_closed_sector_is_solid_and_its_lines_become_walls_of_what_is_around() {
    let map = imported(&two_rooms());
    assert!(!map.areas.iter().any(|area| area.name == "sector 6"));
    let wall = line(&map, (448.0, 224.0), (448.0, 160.0));
    assert_eq!((wall.right, wall.left), (2, None), "turned around, so that its room is on the right");
}

#[test]
fn a_lift_goes_between_its_floor_and_the_lowest_around_it() {
    let lift = area(&imported(&two_rooms()), 3).lift.expect("a lift");
    assert_eq!((lift.low_m, lift.high_m), (0.0, 2.0));
    assert_eq!((lift.rest_secs, lift.metres_per_sec), (3.0, 4.375));
}

#[test]
fn lifts_have_the_speed_of_their_kind() {
    for (special, speed, rest) in [
        (88, 4.375, 3.0),
        (123, 8.75, 3.0),
        // SR, fast, resting 1 s, to the lowest floor.
        (0x3413, 8.75, 1.0),
        // To the next lowest floor, slow, resting 10 s.
        (0x35C1, 2.1875, 10.0),
    ] {
        let mut draft = two_rooms();
        draft.lines.iter_mut().filter(|line| line.special == 62).for_each(|line| line.special = special);
        let lift = area(&imported(&draft), 3).lift.expect("a lift");
        assert_eq!((lift.low_m, lift.high_m), (0.0, 2.0), "special {special}");
        assert_eq!((lift.metres_per_sec, lift.rest_secs), (speed, rest), "special {special}");
    }
}

#[test]
fn a_perpetual_lift_goes_between_the_lowest_and_the_highest_around_it() {
    let mut draft = two_rooms();
    // A stage beside the lift that is as high as the lift could be.
    let stage = draft.sector(96, 160, 0, 0);
    draft.island((400, 100), 16, stage, 2);
    draft.lines.iter_mut().filter(|line| line.special == 62).for_each(|line| line.special = 87);
    draft.sectors[2].0 = 80;
    let lift = area(&imported(&draft), 3).lift.expect("a lift");
    assert_eq!((lift.low_m, lift.high_m), (2.0, 2.5), "down to its own floor, up to the room's");
    assert_eq!(lift.metres_per_sec, 35.0 / 32.0);
}

#[test]
fn a_lift_without_room_at_the_top_stays_down_and_one_without_any_stays_up() {
    for (ceiling, floor_m) in [(64 + 55, 0.0), (64, 0.0), (56, 0.0), (55, 2.0)] {
        let mut draft = two_rooms();
        draft.sectors[3].1 = ceiling;
        let map = imported(&draft);
        let lift = map.areas.iter().find(|area| area.name == "sector 3");
        let got = lift.map_or(2.0, |area| area.floor.height_m);
        assert_eq!(got, floor_m, "with a ceiling at {ceiling}");
        assert!(map.lifts().is_empty());
    }
}

#[test]
fn a_lift_with_nowhere_to_go_is_a_plain_floor() {
    let mut draft = two_rooms();
    draft.sectors[2].0 = 64;
    let map = imported(&draft);
    assert_eq!((area(&map, 3).floor.height_m, area(&map, 3).lift), (2.0, None));
}

#[test]
fn a_floor_that_only_lowers_stays_up() {
    let map = imported(&two_rooms());
    assert_eq!((area(&map, 7).floor.height_m, area(&map, 7).lift), (3.0, None));
}

#[test]
fn a_teleporter_leads_to_the_thing_in_the_tagged_sector() {
    let map = imported(&two_rooms());
    let teleporter = line(&map, (128.0, 160.0), (128.0, 224.0));
    assert_eq!((teleporter.right, teleporter.left, teleporter.teleport), (0, Some(0), Some(0)));
    assert_eq!(map.exits.len(), 1);
    assert_eq!(map.exits[0].at, DVec2::new(15.0, 2.0));
    assert_eq!(map.exits[0].yaw, -FRAC_PI_2);
}

#[test]
fn a_teleporter_for_monsters_or_without_an_exit_leads_nowhere() {
    for (special, tag) in [(126, 9), (97, 55), (97, 0), (174, 9)] {
        let mut draft = two_rooms();
        let at = draft.lines.iter().position(|line| line.special == 97).expect("there is one");
        (draft.lines[at].special, draft.lines[at].tag) = (special, tag);
        let map = imported(&draft);
        assert!(map.lines.iter().all(|line| line.teleport.is_none()), "special {special}, tag {tag}");
        assert!(map.exits.is_empty());
    }
}

#[test]
fn a_line_drawn_in_another_sector_than_it_says_belongs_where_it_lies() {
    let mut draft = two_rooms();
    let invisible = draft.sector(0, 999, 0, 0);
    draft.line((128, 100), (160, 100), invisible, invisible).flags = 1;
    let map = imported(&draft);
    let fence = line(&map, (128.0, 100.0), (160.0, 100.0));
    assert_eq!((fence.right, fence.left, fence.fence), (0, Some(0), true));
    assert!(!map.areas.iter().any(|area| area.ceiling_m > 30.0));
}

#[test]
fn floors_hurt_as_in_doom() {
    for (special, harm) in [
        (0, 0.0),
        (9, 0.0),
        (7, 5.0),
        (5, 10.0),
        (16, 20.0),
        (4, 20.0),
        (0x20, 5.0),
        (0x45, 10.0),
        (0x60, 20.0),
        (0x80, 0.0),
    ] {
        let mut draft = two_rooms();
        draft.sectors[4].2 = special;
        let got = area(&imported(&draft), 4).harm_per_sec;
        assert!((got - harm * 35.0 / 32.0).abs() < 1e-12, "special {special:#x}: {got}");
    }
}

#[test]
fn items_and_starts_are_those_of_deathmatch() {
    let mut draft = two_rooms();
    draft.thing((40, 200), 0, 2011, ALWAYS | 0x10);
    draft.thing((50, 200), 0, 2011, ALWAYS | 0x20);
    draft.thing((60, 200), 0, 2011, 3);
    draft.thing((70, 200), 0, 2011, ALWAYS | 0x20 | 0x100);
    draft.thing((-500, 200), 0, 2011, ALWAYS);
    draft.thing((480, 190), 0, 2011, ALWAYS);
    let map = imported(&draft);
    let items: Vec<Item> = map.items.iter().map(|spot| spot.item).collect();
    use Weapon::{Medium, Strong};
    assert_eq!(
        items,
        [
            Item::Weapon(Medium),
            Item::Weapon(Medium),
            Item::Weapon(Strong),
            Item::Ammo(Medium),
            Item::Ammo(Medium),
            Item::Ammo(Strong),
            Item::Ammo(Strong),
            Item::Health,
            Item::Health,
            Item::Health,
            Item::Health,
        ]
    );
    assert_eq!(map.items[9].at, DVec2::new(40.0, 200.0) / 32.0, "in multiplayer games only");
    assert_eq!(map.items[10].at, DVec2::new(70.0, 200.0) / 32.0, "with the nonsense of an old editor");
    let starts: Vec<(DVec2, f64)> = map.starts.iter().map(|start| (start.at, start.yaw)).collect();
    assert_eq!(starts, [(DVec2::new(6.25, 6.25), FRAC_PI_2), (DVec2::new(15.625, 4.0), PI)]);
}

#[test]
fn too_few_deathmatch_starts_are_joined_by_those_of_players() {
    let mut draft = two_rooms();
    draft.things.remove(0);
    let map = imported(&draft);
    assert_eq!(map.starts.len(), 2);
    assert_eq!(map.starts[1].at, DVec2::new(6.25, 1.25));
}

#[test]
fn notes_say_what_was_left_out_or_changed() {
    let mut draft = two_rooms();
    draft.thing((200, 90), 0, 2014, ALWAYS);
    draft.thing((200, 90), 0, 2015, ALWAYS);
    draft.thing((-200, 90), 0, 2011, ALWAYS);
    draft.lines[0].special = 11;
    draft.lines[1].special = 9999;
    draft.lines.push(draft.lines[0]);
    let last = draft.lines.last_mut().expect("just added");
    (last.b, last.special) = (last.a, 0);
    let notes = import(&draft.wad(), "MAP01").expect("a map").notes;
    insta::assert_snapshot!("notes", notes.join("\n"));
}

#[test]
fn the_last_map_of_a_name_counts_and_case_does_not() {
    let mut other = two_rooms();
    other.sectors[0].1 = 256;
    let mut named = two_rooms();
    named.name = "E1M1".to_owned();
    let lumps = [two_rooms().lumps(), named.lumps(), other.lumps()].concat();
    let file = wad(&lumps, true);
    assert_eq!(list(&file).expect("maps"), ["MAP01", "E1M1"]);
    let map = import(&file, "map01").expect("a map").map;
    assert_eq!((map.name.as_str(), area(&map, 0).ceiling_m), ("MAP01", 8.0));
    assert_eq!(import(&file, "e1m1").expect("a map").map.name, "E1M1");
}

#[test]
fn an_open_sector_is_refused_wherever_a_line_is_missing() {
    let draft = two_rooms();
    for at in 0..draft.lines.len() {
        let mut draft = draft.clone();
        let gone = draft.lines.remove(at);
        let matters = draft.sides.get(gone.left as usize) != draft.sides.get(gone.right as usize);
        let answer = import(&draft.wad(), "MAP01");
        assert_eq!(matches!(answer, Err(WadError::Open { .. })), matters, "without line {at}: {answer:?}");
    }
}
