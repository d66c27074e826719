//! The arena on small maps made here: motion, sight, weapons, matches.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use repertoire_mind::{Item, Weapon};
use repertoire_worlds::arena::bots::Native;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{Area, Floor, ItemSpot, Line, Map, Start};
use repertoire_worlds::arena::rules::Rules;

fn area(name: &str, floor: f64, ceiling: f64) -> Area {
    Area { name: name.to_owned(), floor: Floor::flat(floor), ceiling_m: ceiling, ..Area::default() }
}

fn line(a: (f64, f64), b: (f64, f64), right: u16, left: Option<u16>) -> Line {
    Line { a: DVec2::new(a.0, a.1), b: DVec2::new(b.0, b.1), right, left, fence: false, teleport: None }
}

/// Two rooms of 12 by 12 m, the second half a metre higher, with a door of 2 m between them.
fn two_rooms() -> Map {
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
            ItemSpot { item: Item::Health, at: DVec2::new(2.0, 2.0) },
            ItemSpot { item: Item::Weapon(Weapon::Medium), at: DVec2::new(22.0, 10.0) },
            ItemSpot { item: Item::Weapon(Weapon::Strong), at: DVec2::new(22.0, 2.0) },
        ],
        starts: [(3.0, 9.0), (9.0, 3.0), (15.0, 9.0), (21.0, 3.0)]
            .map(|(x, y)| Start { at: DVec2::new(x, y), yaw: 0.0 })
            .to_vec(),
        exits: Vec::new(),
    }
}

fn bots(levels: &[u8]) -> Vec<Contender> {
    let bot = |&level: &u8| Contender { name: format!("native:{level}"), mind: Box::new(Native::new(level)) };
    levels.iter().map(bot).collect()
}

#[test]
fn a_wall_hides_and_a_door_shows() {
    let level = Level::new(two_rooms()).expect("a good map");
    let scene = repertoire_worlds::arena::space::Scene { space: level.space(), lifts_m: &[] };
    let eye = |x, y| DVec3::new(x, y, 1.6);
    assert!(scene.sees(eye(3.0, 6.0), eye(20.0, 6.0)), "through the door");
    assert!(!scene.sees(eye(3.0, 10.0), eye(20.0, 10.0)), "through the wall");
    assert!(!scene.sees(DVec3::new(3.0, 6.0, 0.3), DVec3::new(20.0, 6.0, 0.3)), "through the step");
}

#[test]
fn bots_fight_and_stay_inside() {
    let level = Arc::new(Level::new(two_rooms()).expect("a good map"));
    let mut game = Match::new(level.clone(), Rules::default(), bots(&[1, 3, 5, 7]), 1);
    for _ in 0..6000 {
        game.tick();
        for id in 0..4 {
            let look = game.world().look(id);
            if look.alive {
                assert!(
                    level.space().area_at(look.position.truncate()).is_some(),
                    "outside at {}",
                    look.position
                );
            }
        }
    }
    for id in 0..4 {
        println!("{id}: {:?}", game.world().tally(id));
    }
    assert!(game.best_frags() > 20, "only {} frags in ten minutes", game.best_frags());
}
