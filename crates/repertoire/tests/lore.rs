//! What fighters know before they play, and how their hands work: models of walking, manners and programs in their files.

use std::path::PathBuf;
use std::sync::Arc;

use repertoire::belief::model::FitSettings;
use repertoire::belief::play::{Moment, Play, Round, Who};
use repertoire::belief::{Graph, Model};
use repertoire::mind::fighter::{Fighter, shipped};
use repertoire::mind::student::{Seen, Watch};
use repertoire::mind::tasks::apprentice::Apprentice;
use repertoire::mind::{Fire, Place};
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::rules::Rules;
use repertoire::{load, maps, roster};

/// Three native bots, and what somebody who watches makes of them.
fn watch(level: &Arc<Level>, secs: u32, mut see: impl FnMut(&Match, u32)) {
    let bots = (0..3).map(|_| {
        let bot = roster::find("native:3").expect("shipped");
        Contender { name: bot.name.clone(), mind: (bot.make)() }
    });
    let mut game = Match::new(Arc::clone(level), Rules::default(), bots.collect(), 21);
    for tick in 0..secs * 10 {
        game.tick();
        see(&game, tick);
    }
}

/// How native bots walk a map, as `belief fit` learns it.
fn model(level: &Arc<Level>) -> Model {
    let places = level.places();
    let mut moments = Vec::new();
    watch(level, 120, |game, tick| {
        if tick % 10 == 0 {
            let who = game.percepts().iter().zip(0..).map(|(percept, id): (_, u8)| Who {
                player: id.into(),
                side: id,
                alive: game.world().is_alive(id.into()),
                place: places.nearest(percept.own.position).0.into(),
            });
            let secs = f64::from(tick / 10);
            moments.push(Moment { secs, live: true, planted: false, who: who.collect() });
        }
    });
    let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    let round = Round { name: "1".to_owned(), moments, ..Round::default() };
    let play = Play { players: names.clone(), sides: names, rounds: vec![round] };
    let count = places.points().len() as u32;
    let to = |at: u32| places.links(Place(at as u16)).iter().map(|link| link.to.0.into()).collect();
    let graph = Graph {
        ids: (0..count).collect(),
        centres: places.points().iter().map(|point| point.to_array()).collect(),
        links: (0..count).map(to).collect(),
        names: vec![String::new(); count as usize],
    };
    Model::fit("halls", graph, &play, FitSettings::default()).expect("places of the map")
}

/// A manner counted from native bots.
fn manner(level: &Arc<Level>) -> String {
    let mut apprentice = Apprentice::new("manner");
    watch(level, 60, |game, _| {
        let (percept, command) = (&game.percepts()[0], &game.commands()[0]);
        apprentice.see(Seen { percept, command, task: None, events: &[] }, level.places());
    });
    repertoire::bayes::file::to_toml(apprentice.program())
}

/// A folder with a fighter that uses all of it, and what it names.
fn folder(name: &str) -> PathBuf {
    let (_, level) = maps::find("halls").expect("shipped");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let model = serde_json::to_string(&model(&level)).expect("plain data");
    std::fs::write(folder.join("halls.json"), model).expect("written");
    std::fs::write(folder.join("learned.toml"), manner(&level)).expect("written");
    folder
}

const LORE: &str = r#"
[believe]
opponents = true
models = ["halls.json"]
items = "seen"
[act]
hands = "program"
manner = "learned.toml"
exploration = "exploration"
flight = "improved-flight"
opponent = "opponent"
[learn]
opponents = true
"#;

/// The hunter with other tables in place of its own.
fn hunter_with(lore: &str) -> String {
    let text = shipped::text("hunter").expect("shipped");
    let mut kept = String::new();
    let mut keeps = true;
    for line in text.lines() {
        if line.starts_with('[') {
            keeps = !["[believe]", "[act]", "[learn]"].contains(&line.trim());
        }
        if keeps {
            kept += line;
            kept.push('\n');
        }
    }
    kept + lore
}

#[test]
fn a_fighter_with_everything_learned_plays_and_is_saved_at_every_tick() {
    let folder = folder("lore-plays");
    let file = folder.join("scholar.toml");
    std::fs::write(&file, hunter_with(LORE)).expect("written");
    let design = load::fighter(&file.to_string_lossy()).unwrap_or_else(|error| panic!("{error}"));
    let (_, level) = maps::find("halls").expect("shipped");
    level.learn_sight();
    let sit = || -> Vec<Contender> {
        let native = roster::find("native:3").expect("shipped");
        let native = |name: &str| Contender { name: name.to_owned(), mind: (native.make)() };
        let scholar = Contender { name: "scholar".to_owned(), mind: Box::new(Fighter::new(&design)) };
        vec![scholar, native("one"), native("two")]
    };
    let mut straight = Match::new(Arc::clone(&level), Rules::default(), sit(), 3);
    let mut broken = Match::new(Arc::clone(&level), Rules::default(), sit(), 3);
    for tick in 0..600 {
        if tick % 3 == 0 {
            let saved = serde_json::to_string(&broken.save()).expect("plain data");
            let saved = serde_json::from_str(&saved).expect("it was just written");
            broken = Match::restore(Arc::clone(&level), sit(), saved).expect("the same fighters");
        }
        straight.tick();
        broken.tick();
        assert_eq!(straight.world().hash(), broken.world().hash(), "tick {tick}");
    }
}

#[test]
fn the_shipped_manner_fires_weapons_both_ways() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lore-arms");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("armed.toml");
    std::fs::write(&file, hunter_with("[act]\nhands = \"program\"\nmanner = \"manner\"\n")).expect("written");
    let design = load::fighter(&file.to_string_lossy()).unwrap_or_else(|error| panic!("{error}"));
    let (_, level) = maps::find("yard").expect("shipped");
    let sit = |name: &str| Contender { name: name.to_owned(), mind: Box::new(Fighter::new(&design)) };
    let mut game = Match::new(level, Rules::default(), vec![sit("a"), sit("b"), sit("c")], 3);
    let (mut primary, mut secondary) = (0, 0);
    for _ in 0..1200 {
        game.tick();
        for command in game.commands() {
            primary += u32::from(command.fire == Fire::Primary);
            secondary += u32::from(command.fire == Fire::Secondary);
        }
    }
    assert!(primary > 20 && secondary > 20, "{primary} {secondary}");
}

#[test]
fn what_does_not_fit_is_answered_with_its_line() {
    let folder = folder("lore-mistakes");
    for (from, to, said) in [
        ("\"halls.json\"", "\"hals.json\"", "cannot be had"),
        ("\"halls.json\"", "\"learned.toml\"", "is no model of how players walk"),
        ("items = \"seen\"", "items = \"felt\"", "write \"known\" or \"seen\""),
        ("items = \"seen\"", "player = \"nobody\"", "it has met a, b, c"),
        ("\"learned.toml\"", "\"target-following\"", "has no variable `Direction`"),
        ("\"exploration\"", "\"danger-sensor\"", "has no variable `Direction0`"),
        ("\"opponent\"", "\"noise-filter\"", "has no variable `Fight`"),
        ("\"improved-flight\"", "\"improved-fligt\"", "cannot be had"),
    ] {
        let text = hunter_with(&LORE.replace(from, to));
        let file = folder.join("wrong.toml");
        std::fs::write(&file, &text).expect("written");
        let error = load::fighter(&file.to_string_lossy()).expect_err("a mistake").to_string();
        let line = 1 + text.lines().position(|line| line.contains(to)).expect("it was written");
        assert!(error.contains(said) && error.contains("remedy"), "{to}: {error}");
        assert!(error.contains(&format!("wrong.toml:{line}:")) || to.starts_with("player"), "{to}: {error}");
    }
}
