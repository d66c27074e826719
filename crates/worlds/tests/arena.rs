//! The arena on small maps made here: motion, sight, weapons, matches.

mod common;

use std::sync::Arc;

use common::{bots, two_rooms};
use glam::DVec3;
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

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
