//! Matches on maps of Quake: rooms above rooms, stairs, a lift, a teleporter and lava, in a map made of boxes.

use std::sync::Arc;

use glam::DVec3;
use repertoire_mind::fighter::Fighter;
use repertoire_mind::{Command, How, Item, Place};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{bsp, file};
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::World;
use repertoire_worlds::quake::boxes::{Boxes, Cuboid};

const UPPER_M: f64 = 208.0 / 32.0;

/// A hall with an upper floor over its western half, stairs and a lift up to it, a teleporter, and lava in the north-east.
fn hall() -> Boxes {
    let cuboid = |low: [f32; 3], high: [f32; 3]| Cuboid { low, high };
    let mut hall = Boxes::hall([-320.0, -320.0, 0.0], [480.0, 320.0, 400.0]);
    hall.solids.push(cuboid([-320.0, -320.0, 192.0], [0.0, 320.0, 208.0]));
    for step in 1..=13_u8 {
        let (step, east) = (f32::from(step), 416.0 - 32.0 * f32::from(step));
        hall.solids.push(cuboid([east, -64.0, 0.0], [east + 32.0, 64.0, 16.0 * step]));
    }
    hall.liquids.push((cuboid([300.0, 100.0, 0.0], [460.0, 300.0, 20.0]), -5));
    hall.parts.push(cuboid([0.0, 160.0, 0.0], [96.0, 256.0, 208.0]));
    hall.parts.push(cuboid([400.0, -300.0, 0.0], [464.0, -236.0, 64.0]));
    let start = |hall: Boxes, origin: &str, angle: &str| {
        hall.with_thing(&[("classname", "info_player_deathmatch"), ("origin", origin), ("angle", angle)])
    };
    let hall = start(hall, "-200 0 24", "0");
    let hall = start(hall, "200 -200 24", "90");
    let hall = start(hall, "-200 200 232", "180");
    hall.with_thing(&[("classname", "func_plat"), ("model", "*1")])
        .with_thing(&[("classname", "trigger_teleport"), ("model", "*2"), ("target", "t1")])
        .with_thing(&[
            ("classname", "info_teleport_destination"),
            ("targetname", "t1"),
            ("origin", "-200 -200 212"),
            ("angle", "90"),
        ])
        .with_thing(&[("classname", "item_health"), ("origin", "-116 -16 208")])
        .with_thing(&[("classname", "weapon_rocketlauncher"), ("origin", "100 -200 0")])
        .with_thing(&[("classname", "item_artifact_super_damage"), ("origin", "0 -200 0")])
        .with_thing(&[("classname", "item_shells"), ("origin", "200 200 0"), ("spawnflags", "2048")])
}

fn level() -> Arc<Level> {
    let imported = bsp::import("hall", &hall().map().write()).expect("a map");
    assert!(imported.notes.iter().any(|note| note.contains("lifts")), "{:?}", imported.notes);
    Arc::new(Level::new(imported.map).unwrap_or_else(|faults| panic!("{faults:?}")))
}

fn native(level: &Arc<Level>, seed: u64) -> Match {
    let bot = |rank: u8| Contender { name: format!("native:{rank}"), mind: Box::new(Fighter::native(rank)) };
    Match::new(level.clone(), Rules::default(), [1, 3, 5, 7].map(bot).into(), seed)
}

#[test]
fn characters_know_the_floor_they_are_on_and_the_way_to_the_one_above() {
    let level = level();
    let places = level.places();
    let below = places.nearest(DVec3::new(-5.0, 0.0, 0.0));
    let above = places.nearest(DVec3::new(-5.0, 0.0, UPPER_M));
    assert!(places.has_storeys() && below != above);
    assert!(places.point(below).z < 0.5 && (places.point(above).z - UPPER_M).abs() < 0.2);
    let up = places.travel_secs(below, above).expect("a way up");
    let down = places.travel_secs(above, below).expect("a way down");
    assert!(down < up, "down one jumps: {down} s, up one climbs: {up} s");
    let links = || (0..places.points().len() as u16).flat_map(|place| places.links(Place(place)));
    for how in [How::LiftUp(0), How::LiftDown(0), How::Teleport] {
        assert!(links().any(|link| link.how == how), "{how:?}");
    }
}

#[test]
fn items_lie_on_their_own_floor_and_can_be_reached() {
    let level = level();
    let spots = level.places().spots();
    assert_eq!(spots.len(), 3, "nothing that deathmatches leave out");
    let health = spots.iter().find(|spot| spot.item == Item::Health).expect("health");
    assert!((health.position.z - UPPER_M).abs() < 0.1, "{health:?}");
    assert!(spots.iter().all(|spot| spot.place.is_some()));
    assert_eq!(level.map().starts.len(), 3);
}

#[test]
fn the_same_seed_gives_the_same_match_and_nobody_leaves_the_hall() {
    let level = level();
    let mut game = native(&level, 7);
    let mut floors = [false; 2];
    for _ in 0..1200 {
        game.tick();
        for id in 0..4 {
            let at = game.world().look(id).position;
            assert!(at.x.abs() < 15.0 && at.y.abs() < 10.0 && at.z > -0.1 && at.z < 12.5, "{at}");
            floors[usize::from(at.z > UPPER_M - 0.1)] = true;
        }
    }
    assert_eq!(floors, [true; 2], "both floors are used");
    let shots: u32 = (0..4).map(|id| game.world().tally(id).shots).sum();
    let stuck: u32 = (0..4).map(|id| game.world().tally(id).stuck).sum();
    assert!(shots > 50 && game.best_frags() > 0, "they fight: {shots} shots");
    assert!(stuck < 480, "{stuck} of 4,800 decisions stuck");
    let hash = |seed| {
        let mut game = native(&level, seed);
        (0..300).for_each(|_| game.tick());
        game.world().hash()
    };
    assert_eq!(hash(3), hash(3));
    assert_ne!(hash(3), hash(4));
}

#[test]
fn a_saved_match_goes_on_to_the_bit() {
    let level = level();
    let mut game = native(&level, 11);
    (0..150).for_each(|_| game.tick());
    let text = serde_json::to_string(&game.save()).expect("it can be written");
    let contenders =
        [1, 3, 5, 7].map(|rank| Contender { name: String::new(), mind: Box::new(Fighter::native(rank)) });
    let saved = serde_json::from_str(&text).expect("it can be read");
    let mut again = Match::restore(level, contenders.into(), saved).expect("it is the same map");
    for _ in 0..150 {
        game.tick();
        again.tick();
    }
    assert_eq!(game.world().hash(), again.world().hash());
}

#[test]
fn a_map_file_holds_all_that_a_match_needs() {
    let level = level();
    let text = file::write(level.map());
    let again = Arc::new(Level::new(file::read(&text).expect("it reads").map).expect("it plays"));
    assert_eq!(file::write(again.map()), text);
    let hash = |level: &Arc<Level>| {
        let mut game = native(level, 5);
        (0..200).for_each(|_| game.tick());
        game.world().hash()
    };
    assert_eq!(hash(&level), hash(&again));
    let damaged = text.replacen("quake = \"eJ", "quake = \"eK", 1);
    let mistake = file::read(&damaged).expect_err("damaged").to_string();
    assert!(mistake.contains("arena import"), "{mistake}");
}

/// A world of one who runs from a place in a direction.
fn runs(level: &Arc<Level>, from: DVec3, yaw: f64, ticks: usize) -> World {
    let mut world = World::new(level.clone(), Rules::default(), 1, 1);
    assert!(world.set_place(0, from), "nobody can stand at {from}");
    let mut turned = false;
    for _ in 0..ticks {
        let turn = if turned { 0.0 } else { yaw - world.look(0).yaw };
        turned = (turn.abs() < 1e-9) || turned;
        let forward = if turned { 1.0 } else { 0.0 };
        world.advance(&[Command { yaw: turn, forward, ..Command::default() }]);
    }
    world
}

#[test]
fn stairs_are_walked_up_teleporters_lead_on_lava_hurts_and_lifts_carry() {
    let level = level();
    let up = runs(&level, DVec3::new(13.5, 0.0, 0.0), std::f64::consts::PI, 25).look(0);
    assert!((up.position.z - UPPER_M).abs() < 0.1, "{up:?}");
    let out = runs(&level, DVec3::new(10.0, -8.5, 0.0), 0.0, 12).look(0);
    assert!((out.position.z - UPPER_M).abs() < 0.1, "through the teleporter: {out:?}");
    let hurt = runs(&level, DVec3::new(8.0, 6.0, 0.0), 0.0, 15).look(0);
    assert!(!hurt.alive || hurt.health < 100.0, "{hurt:?}");
    let mut world = World::new(level.clone(), Rules::default(), 1, 1);
    let mut highest = f64::NEG_INFINITY;
    assert!(world.set_place(0, DVec3::new(1.5, 6.5, 7.0)));
    let mut lowest = f64::INFINITY;
    for _ in 0..150 {
        world.advance(&[Command::default()]);
        let at = world.look(0).position.z;
        (lowest, highest) = (lowest.min(at), highest.max(at));
    }
    assert!(lowest < 0.3 && (highest - UPPER_M).abs() < 0.1, "from {lowest} to {highest}");
}

#[test]
fn a_wind_tunnel_carries_whoever_touches_it_along() {
    let mut tunnel = Boxes::hall([-320.0, -320.0, 0.0], [320.0, 1600.0, 200.0]);
    tunnel.parts.push(Cuboid { low: [-64.0, -100.0, 0.0], high: [64.0, 800.0, 64.0] });
    let push = [("classname", "trigger_push"), ("model", "*1"), ("angle", "90"), ("speed", "60")];
    let start = [("classname", "info_player_deathmatch"), ("origin", "0 -300 24")];
    let imported = bsp::import("tunnel", &tunnel.with_thing(&push).with_thing(&start).map().write());
    let imported = imported.expect("a map");
    assert!(imported.notes.iter().any(|note| note.starts_with("pushes throw")), "{:?}", imported.notes);
    let level = Arc::new(Level::new(imported.map).unwrap_or_else(|faults| panic!("{faults:?}")));
    let mut world = World::new(level, Rules::default(), 1, 1);
    let carried = |world: &mut World, at: DVec3| {
        assert!(world.set_place(0, at));
        (0..20)
            .map(|_| {
                world.advance(&[Command::default()]);
                world.look(0).position.y
            })
            .fold(at.y, f64::max)
    };
    // 600 units a second, for 2 s and 28 m, and then sliding to a stop.
    let along = carried(&mut world, DVec3::new(0.0, 0.0, 0.1));
    assert!(along > 25.0, "to {along}");
    let beside = carried(&mut world, DVec3::new(6.0, 0.0, 0.1));
    assert!(beside < 0.1, "to {beside}");
}

#[test]
fn the_map_of_the_command_lines_tests_is_this_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/cmd/people.in/hall.bsp");
    let made = hall().map().write();
    if std::env::var_os("REPERTOIRE_WRITE_HALL").is_some() {
        std::fs::write(path, &made).expect("it can be written");
    }
    let committed = std::fs::read(path).expect("it is committed");
    assert!(committed == made, "set REPERTOIRE_WRITE_HALL=1 to write it anew");
}
