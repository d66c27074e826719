//! A real match, played again without Doom: every line of ours must be the one that was sent then.
//!
//! The conversation was recorded on a map of FreeDM by a character that believed itself on a map of ours, so that no map of
//! others is needed to play it again: it acts strangely, but the engine's lines are real. `cargo test -p repertoire-doom --
//! --ignored` records it anew, where Doom is installed.

use std::path::Path;

use repertoire_bayes::sequence::shipped;
use repertoire_doom::bridge::{Bridge, Recorded};
use repertoire_doom::{Environment, Game, GameSettings, Ground, Manner, MatchResult};
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::game::Contender;
use repertoire_worlds::arena::map;

const CONVERSATION: &str = include_str!("conversation.txt");

fn settings() -> GameSettings {
    GameSettings {
        map: "MAP07".to_owned(),
        bots: 3,
        seconds: 6.0,
        seed: 11,
        manner: Manner { tics: 4, run_m_per_sec: 12.0, turn_per_sec: 24.0 },
        pictures: false,
    }
}

fn ground() -> Ground {
    let text = map::shipped::shipped("yard").expect("it ships");
    Ground::new(map::file::read(text).expect("it can be read").map).expect("it can be played")
}

fn aggressive() -> Contender {
    let behaviour = shipped::behaviour("aggressive").expect("it ships");
    let mind = Fighter::sequencing(&behaviour).expect("it can play");
    Contender { name: "aggressive".to_owned(), mind: Box::new(mind) }
}

fn play(game: &mut Game) -> MatchResult {
    while !game.is_over() {
        game.tick(None, None).unwrap_or_else(|error| panic!("{error}"));
    }
    game.result()
}

#[test]
fn a_recorded_match_is_played_again_line_by_line() {
    let environment = Environment::find(None, None, None);
    let bridge = Bridge::over(Box::new(Recorded::new(CONVERSATION)), &environment).expect("it says hello");
    let mut game = Game::over(vec![bridge], "freedm.wad", ground(), settings(), vec![aggressive()])
        .unwrap_or_else(|error| panic!("{error}"));
    let result = play(&mut game);
    insta::assert_snapshot!(serde_json::to_string_pretty(&result).expect("a result is JSON"));
}

#[test]
fn a_conversation_that_goes_otherwise_is_noticed() {
    let other = CONVERSATION.replacen("\"tics\":4", "\"tics\":5", 1);
    let environment = Environment::find(None, None, None);
    let bridge = Bridge::over(Box::new(Recorded::new(&other)), &environment).expect("it says hello");
    let mut game = Game::over(vec![bridge], "freedm.wad", ground(), settings(), vec![aggressive()])
        .unwrap_or_else(|error| panic!("{error}"));
    let error = game.tick(None, None).expect_err("it differs").to_string();
    assert!(error.contains("line 4"), "{error}");
}

#[test]
fn a_conversation_that_is_cut_off_ends_the_match_and_keeps_what_was_played() {
    let cut: String = CONVERSATION.lines().take(21).flat_map(|line| [line, "\n"]).collect();
    let environment = Environment::find(None, None, None);
    let bridge = Bridge::over(Box::new(Recorded::new(&cut)), &environment).expect("it says hello");
    let mut game = Game::over(vec![bridge], "freedm.wad", ground(), settings(), vec![aggressive()])
        .unwrap_or_else(|error| panic!("{error}"));
    let mut ticks = 0;
    while game.tick(None, None).is_ok() {
        ticks += 1;
    }
    assert_eq!(ticks, 9);
    assert_eq!(game.result().steps, 9);
}

#[test]
#[ignore = "records the conversation anew; needs Doom"]
fn records_the_conversation_anew() {
    let environment = Environment::find(None, None, None).isolated();
    let mut bridge = Bridge::start(&environment).unwrap_or_else(|error| panic!("{error}"));
    bridge.keep_conversation();
    let wad = environment.wad.display().to_string();
    let mut game = Game::over(vec![bridge], &wad, ground(), settings(), vec![aggressive()])
        .unwrap_or_else(|error| panic!("{error}"));
    play(&mut game);
    let said = game.bridge(0).conversation().replace(&wad, "freedm.wad");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversation.txt");
    std::fs::write(path, said).expect("it can be written");
}
