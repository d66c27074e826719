//! Characters that sequence tasks: the same to the bit, saved and restored in mid-match, and explained.

mod common;

use std::sync::Arc;

use common::shipped;
use repertoire_bayes::sequence::{file, shipped as behaviours};
use repertoire_mind::Mind;
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

fn contenders() -> Vec<Contender> {
    let mut contenders: Vec<Contender> = ["prudent", "aggressive", "uniform"]
        .into_iter()
        .map(|name| {
            let behaviour = behaviours::behaviour(name).expect("it is shipped");
            let mind = Fighter::sequencing(&behaviour).expect("it can play");
            Contender { name: name.to_owned(), mind: Box::new(mind) }
        })
        .collect();
    contenders.push(Contender { name: "native:3".to_owned(), mind: Box::new(Fighter::native(3)) });
    contenders
}

fn new_match(level: &Arc<Level>) -> Match {
    Match::new(level.clone(), Rules::default(), contenders(), 4)
}

fn play(game: &mut Match, ticks: usize) -> u64 {
    (0..ticks).for_each(|_| game.tick());
    game.world().hash()
}

/// What was played when these were written. A change here changes every recording: say so in the changelog.
const GOLDEN: [(&str, u64); 3] =
    [("yard", 0x43e6_49c7_20db_1775), ("halls", 0xef3f_80fd_ed7f_9070), ("keep", 0x765e_508d_cdb6_619c)];

#[test]
fn matches_have_the_pinned_hashes() {
    let found: Vec<(&str, u64)> =
        shipped().iter().map(|(name, level)| (*name, play(&mut new_match(level), 600))).collect();
    assert_eq!(format!("{found:#018x?}"), format!("{:#018x?}", GOLDEN.to_vec()));
}

#[test]
fn a_match_goes_on_the_same_after_saving_in_the_middle() {
    let (_, level) = &shipped()[1];
    let mut straight = new_match(level);
    play(&mut straight, 333);
    let saved = serde_json::to_string(&straight.save()).unwrap();
    let expected = play(&mut straight, 300);
    let mut restored =
        Match::restore(level.clone(), contenders(), serde_json::from_str(&saved).unwrap()).unwrap();
    assert_eq!(play(&mut restored, 300), expected);
}

#[test]
fn a_character_says_why_in_numbers_that_are_its_decision() {
    let (_, level) = &shipped()[1];
    let mut mind = Fighter::sequencing(&behaviours::behaviour("prudent").unwrap()).unwrap();
    assert!(mind.report().is_none() && mind.why().is_empty() && mind.task().is_empty());
    let world = new_match(level);
    let mut percept = repertoire_mind::Percept::default();
    world.world().perceive(0, &mut percept);
    let mut draw = repertoire_prob::Stream::new(1, 0, "why");
    mind.decide(&percept, level.places(), &mut draw);
    let report = mind.report().unwrap();
    let chosen = report.tasks.iter().position(|task| task == mind.task()).unwrap();
    let percent = format!("({:.0} %)", report.posterior[chosen] * 100.0);
    assert!(mind.why().starts_with(mind.task()) && mind.why().contains(&percent), "{}", mind.why());
}

#[test]
fn a_task_that_is_a_behaviour_plays() {
    let text = r#"
        name = "two moods"
        tasks = ["careful", "bold"]
        sensors.health = ["low", "medium", "high"]
        task.careful.behaviour = "prudent"
        task.bold.behaviour = "aggressive"
        [transition]
        careful = ["x", 0.05]
        bold = [0.05, "x"]
        [likelihood.health]
        low = [0.8, 0.01]
        medium = ["x", "x"]
        high = ["x", 0.9]
    "#;
    let find = &mut |name: &str| behaviours::behaviour(name).ok_or_else(|| "not shipped".into());
    let behaviour = file::read(text, find).unwrap();
    let (_, level) = &shipped()[1];
    let mut everybody = contenders();
    everybody[0] =
        Contender { name: "moody".to_owned(), mind: Box::new(Fighter::sequencing(&behaviour).unwrap()) };
    let mut game = Match::new(level.clone(), Rules::default(), everybody, 9);
    let mut moods = std::collections::BTreeSet::new();
    for _ in 0..1500 {
        game.tick();
        if game.world().is_alive(0) {
            let mind = &game.contenders()[0].mind;
            moods.insert(mind.task().to_owned());
            assert!(mind.why().contains("within it"), "{}", mind.why());
        }
    }
    assert_eq!(moods.into_iter().collect::<Vec<_>>(), ["bold", "careful"]);
}

#[test]
fn what_a_character_cannot_sense_or_do_is_said() {
    let text = behaviours::text("prudent").unwrap();
    let read = |text: &str| file::read(text, &mut |_| Err("none".into())).unwrap();
    let error = Fighter::sequencing(&read(
        &text.replace("health = [\"low\"", "hunger = [\"low\"").replace(".health]", ".hunger]"),
    ));
    assert!(error.err().unwrap().to_string().contains("`hunger`"));
    let error = Fighter::sequencing(&read(&text.replace("explore", "sing")));
    assert!(error.err().unwrap().to_string().contains("`sing`"));
}
