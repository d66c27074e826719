//! The papers' experiments give the same bits in parts, merged in another order, as in one run.

use std::sync::Arc;

use repertoire_eval::Entry;
use repertoire_eval::attention::AttentionExperiment;
use repertoire_eval::dujardin::StoryExperiment;
use repertoire_eval::shard::{Shard, Sharded, merge, run, run_all};
use repertoire_eval::tence::Lessons;
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped::shipped};

/// Cut at these pieces and merged from the last part to the first; compared as text, because some hold what is not equal to itself.
fn same_in_shards<W: Sharded<Whole: std::fmt::Debug>>(work: &W, cuts: &[u64]) {
    let alone = run_all(work, &|| ()).unwrap_or_else(|refused| panic!("{refused}"));
    let total = work.what().total;
    let ends: Vec<u64> = [0].into_iter().chain(cuts.iter().map(|cut| cut % total)).chain([total]).collect();
    let parts = ends.windows(2).rev().filter(|pair| pair[0] < pair[1]).map(|pair| {
        let range = pair[0]..pair[1];
        let done =
            run(work, range.clone(), &|| true, &|_, _| ()).unwrap_or_else(|refused| panic!("{refused}"));
        let text = Shard::of(work, range, &done).and_then(|shard| shard.text()).expect("plain data");
        Shard::read("part", &text).expect("it was written so")
    });
    let parts: Vec<Shard> = parts.collect();
    assert!(parts.len() > 1, "{} pieces are too few to cut", total);
    let merged = merge(work, &parts).unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(format!("{merged:?}"), format!("{alone:?}"), "{}", work.what().kind);
}

#[test]
fn attention_and_the_story_give_the_same_in_shards() {
    let attention = AttentionExperiment { teachers: 2, ticks: 100, starts: 1, ..Default::default() };
    same_in_shards(&attention, &[1, 3]);
    same_in_shards(&StoryExperiment { maps: 4, seed: 2 }, &[3, 5]);
}

#[test]
fn lessons_give_the_same_in_shards() {
    let yard = file::read(shipped("yard").expect("shipped")).expect("a map").map;
    let native = |level: u8| Entry {
        name: format!("native:{level}"),
        make: Arc::new(move || Box::new(Fighter::native(level))),
    };
    let model = repertoire_chameleon::model::shipped("arena").expect("shipped");
    let lessons = Lessons {
        level: Arc::new(Level::new(yard).expect("playable")),
        teachers: vec![native(1), native(5)],
        model: model.with_decisions(2).expect("two"),
        lesson_secs: 20.0,
        match_secs: 10.0,
        matches: 2,
        iterations: 2,
        seed: 1,
    };
    same_in_shards(&lessons, &[1, 3, 6]);
}
