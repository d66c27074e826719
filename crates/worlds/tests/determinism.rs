//! A world is a function of its map, rules, seed and the commands so far, to the bit.

mod common;

use std::sync::Arc;

use common::{any_command, bots, shipped};
use repertoire_mind::{Command, Percept};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Match, RestoreMatchError, SavedMatch};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::{SavedWorld, World};

const LEVELS: [u8; 4] = [1, 3, 5, 7];

fn new_match(level: &Arc<Level>, seed: u64) -> Match {
    Match::new(level.clone(), Rules::default(), bots(&LEVELS), seed)
}

/// The hash after each of some ticks.
fn hashes(game: &mut Match, ticks: usize) -> Vec<u64> {
    let tick = |_| {
        game.tick();
        game.world().hash()
    };
    (0..ticks).map(tick).collect()
}

/// Random commands of four characters, the same for the same seed.
fn script(seed: u64) -> impl FnMut() -> Vec<Command> {
    let mut chance = Stream::new(seed, 0, "script");
    move || (0..4).map(|_| any_command(&mut chance)).collect()
}

#[test]
fn the_same_seed_gives_the_same_hash_at_every_tick() {
    for (name, level) in shipped() {
        let first = hashes(&mut new_match(level, 5), 400);
        let second = hashes(&mut new_match(level, 5), 400);
        assert_eq!(first, second, "{name}");
        let mut distinct = first.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), first.len(), "{name}: every tick changes the hash");
    }
}

#[test]
fn another_seed_gives_another_match() {
    for (name, level) in shipped() {
        let mut first = new_match(level, 1);
        let mut second = new_match(level, 2);
        let (first_hashes, second_hashes) = (hashes(&mut first, 200), hashes(&mut second, 200));
        assert!(first_hashes.iter().zip(&second_hashes).all(|(a, b)| a != b), "{name}");
        // Not only the seed in the hash differs.
        let positions =
            |game: &Match| -> Vec<_> { (0..4).map(|id| game.world().look(id).position).collect() };
        assert_ne!(positions(&first), positions(&second), "{name}");
    }
}

#[test]
fn a_world_saved_as_text_in_mid_match_goes_on_in_the_same_way() {
    for (name, level) in shipped() {
        let mut commands = script(3);
        let mut world = World::new(level.clone(), Rules::default(), 4, 9);
        for tick in 0..400 {
            if tick % 57 == 20 {
                let text = serde_json::to_string(&world.save()).expect("a world is plain data");
                let saved: SavedWorld = serde_json::from_str(&text).expect("what was written can be read");
                let restored = World::restore(level.clone(), saved).expect("the same map");
                assert_eq!(restored.hash(), world.hash(), "{name}, tick {tick}");
                assert_eq!(restored.save(), world.save(), "{name}, tick {tick}");
                let mut again = restored;
                let mut original = world.clone();
                let mut same_commands = script(1000 + tick);
                for later in 0..60 {
                    let commands = same_commands();
                    again.advance(&commands);
                    original.advance(&commands);
                    assert_eq!(again.hash(), original.hash(), "{name}, {later} ticks after {tick}");
                }
                assert_eq!(again.save(), original.save(), "{name}, after {tick}");
            }
            world.advance(&commands());
        }
    }
}

#[test]
fn a_match_saved_as_text_in_mid_match_goes_on_in_the_same_way() {
    for (name, level) in shipped() {
        let mut game = new_match(level, 4);
        let mut saves = Vec::new();
        let mut after = Vec::new();
        for tick in 0..860 {
            if [0, 1, 77, 200, 360].contains(&tick) {
                saves.push((tick, serde_json::to_string(&game.save()).expect("a match is plain data")));
            }
            game.tick();
            after.push(game.world().hash());
        }
        for (tick, text) in saves {
            let saved: SavedMatch = serde_json::from_str(&text).expect("what was written can be read");
            let mut again = Match::restore(level.clone(), bots(&LEVELS), saved).expect("the same contenders");
            assert_eq!(hashes(&mut again, 500), after[tick..tick + 500], "{name}, restored at {tick}");
        }
    }
}

#[test]
fn a_save_of_another_map_or_other_contenders_is_refused() {
    let levels = shipped();
    let saved = new_match(&levels[0].1, 1).save();
    let on_other_map = Match::restore(levels[2].1.clone(), bots(&LEVELS), saved.clone());
    assert!(matches!(on_other_map, Err(RestoreMatchError::OtherMap(_))));
    let with_fewer = Match::restore(levels[0].1.clone(), bots(&[1, 2]), saved);
    assert!(matches!(with_fewer, Err(RestoreMatchError::OtherCount { saved: 4, given: 2 })));
}

#[test]
fn perceiving_changes_nothing() {
    for (name, level) in shipped() {
        let mut game = new_match(level, 6);
        for tick in 0..300 {
            game.tick();
            let (before, saved) = (game.world().hash(), game.world().save());
            for id in (0..4).filter(|&id| game.world().is_alive(id)) {
                let (mut first, mut second) = (Percept::default(), Percept::default());
                game.world().perceive(id, &mut first);
                game.world().perceive(id, &mut second);
                assert_eq!(first, second, "{name}, tick {tick}, character {id}");
                // What a percept held before does not shine through.
                let mut used = game.percepts()[id].clone();
                game.world().perceive(id, &mut used);
                assert_eq!(first, used, "{name}, tick {tick}, character {id}");
            }
            assert_eq!(game.world().hash(), before, "{name}, tick {tick}");
            assert_eq!(game.world().save(), saved, "{name}, tick {tick}");
        }
    }
}

#[test]
fn matches_in_one_two_and_eight_threads_are_the_same() {
    let jobs: Vec<(usize, u64)> = (0..12).map(|job| (job % 3, job as u64)).collect();
    let run = |threads: usize| -> Vec<u64> {
        let mut results = vec![0; jobs.len()];
        let share = jobs.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for (jobs, results) in jobs.chunks(share).zip(results.chunks_mut(share)) {
                scope.spawn(move || {
                    for (&(map, seed), result) in jobs.iter().zip(results) {
                        *result = hashes(&mut new_match(&shipped()[map].1, seed), 300)[299];
                    }
                });
            }
        });
        results
    };
    let alone = run(1);
    assert_eq!(run(2), alone);
    assert_eq!(run(8), alone);
}

/// After 600 ticks of bots 1, 3, 5 and 7 with seed 1. They change when the rules, the bots, the maps or the motion do;
/// then the new ones are written here, and the commit says why.
const GOLDEN: [(&str, u64); 3] =
    [("yard", 0x5877_6f1d_b939_089c), ("halls", 0x5fb6_714c_9ed6_74d0), ("keep", 0x95bc_a9ed_2d99_088c)];

#[test]
fn matches_have_the_pinned_hashes() {
    let played =
        |(name, level): &(&'static str, Arc<Level>)| (*name, hashes(&mut new_match(level, 1), 600)[599]);
    let found: Vec<(&str, u64)> = shipped().iter().map(played).collect();
    let text = |hashes: &[(&str, u64)]| format!("{hashes:#018x?}");
    assert_eq!(text(&found), text(&GOLDEN));
}
