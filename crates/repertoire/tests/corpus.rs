//! Folders of recordings: the same bits however the work is divided, and after every interruption. Also: which players recordings hold.

#![allow(clippy::unwrap_used, reason = "what cannot be set up has failed")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use repertoire::chameleon::EmSettings;
use repertoire::corpus::{self, Learning, Lesson, Outcome, Subject, Taught, lesson::Em};
use repertoire::eval::practice::Moves;
use repertoire::eval::record;
use repertoire::eval::shard::file::checksum;
use repertoire::eval::telling::Half;
use repertoire::mind::chameleon::ImitationSettings;
use repertoire::trace::Recorder;
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::rules::Rules;
use repertoire::{bayes, maps, recordings, roster};

/// A fresh folder for a test, with five recordings.
fn plays(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("plays/more")).unwrap();
    let (name, level) = maps::find("yard").unwrap();
    for seed in 0..5u64 {
        let seats = ["prudent", "native:3"].map(|who| {
            let entry = roster::find(who).unwrap();
            Contender { mind: (entry.make)(), name: entry.name }
        });
        let mut game = Match::new(level.clone(), Rules::default(), seats.into(), seed);
        let sub = if seed < 3 { "plays" } else { "plays/more" };
        let file = File::create(folder.join(sub).join(format!("{seed}.parquet"))).unwrap();
        let mut recorder = Recorder::new(file, record::header(&game, &name, seed).unwrap()).unwrap();
        (0..150).for_each(|_| recorder.push(record::tick(&mut game, false)).unwrap());
        recorder.finish().unwrap();
    }
    folder
}

fn lesson(folder: &Path, subject: Subject, work: &str) -> Lesson {
    let recordings = corpus::find(&[folder.join("plays")]).unwrap();
    assert_eq!(recordings.len(), 5);
    Lesson::new(recordings, vec!["prudent".into()], subject, &folder.join(work)).unwrap()
}

fn sequence(method: &str) -> Subject {
    Subject::Sequence { start: "uniform".into(), method: method.into() }
}

fn chameleon() -> Subject {
    let em = EmSettings { iterations: 12, starts: 2, ..ImitationSettings::default().em };
    let (start, keep_aside) = (None, None);
    Subject::Chameleon {
        model: "arena".into(),
        decisions: Some(2),
        delay: 0,
        em: Em::from(&em),
        start,
        keep_aside,
    }
}

fn bytes(outcome: &Outcome) -> Vec<u8> {
    match &outcome.taught {
        Taught::Character(found) => found.learned.to_bytes(),
        Taught::Behaviour(found) => bayes::sequence::file::to_toml(&found.behaviour).into_bytes(),
    }
}

#[test]
fn every_division_on_any_threads_learns_the_same_bits() {
    let folder = plays("divisions");
    for (name, subject) in [
        ("c", chameleon()),
        ("b", sequence("batch")),
        ("l", sequence("labels")),
        ("h", sequence("heuristic")),
    ] {
        let learn = |shards: u64, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let lesson = lesson(&folder, subject.clone(), &format!("{name}-{shards}-{threads}"));
            pool.install(|| Learning::begin(lesson).unwrap().run(shards, &|_| (), &|| true)).unwrap()
        };
        let one = learn(1, 1);
        assert!(one.ticks > 300 && one.lives >= 5 && one.players == ["prudent"], "{one:?}");
        for (shards, threads) in [(2, 2), (3, 1), (5, 8)] {
            let other = learn(shards, threads);
            assert_eq!(bytes(&other), bytes(&one), "{name} in {shards} shards on {threads} threads");
            assert_eq!((other.lives, other.ticks), (one.lives, one.ticks));
        }
    }
}

#[test]
fn recordings_kept_aside_judge_and_a_character_is_gone_on_from() {
    let folder = plays("aside");
    let Subject::Chameleon { model, decisions, delay, em, .. } = chameleon() else { unreachable!() };
    let subject = |start: Option<(PathBuf, String)>, keep_aside: Option<f64>| Subject::Chameleon {
        model: model.clone(),
        decisions,
        delay,
        em,
        start,
        keep_aside,
    };
    let learn = |subject: Subject, work: &str, shards: u64| {
        let lesson = lesson(&folder, subject, &format!("{work}-{shards}"));
        Learning::begin(lesson).unwrap().run(shards, &|_| (), &|| true).unwrap()
    };
    let aside = |outcome: &Outcome| match &outcome.taught {
        Taught::Character(found) => found.kept_aside,
        Taught::Behaviour(_) => None,
    };
    let whole = learn(chameleon(), "whole", 1);
    let one = learn(subject(None, Some(0.4)), "aside", 1);
    let (lives, nats) = aside(&one).unwrap();
    assert!(lives >= 2 && nats.is_finite() && one.lives + lives as u64 == whole.lives, "{lives} {nats}");
    let three = learn(subject(None, Some(0.4)), "aside", 3);
    assert_eq!((bytes(&three), aside(&three)), (bytes(&one), aside(&one)));
    // The same as learning from the three others alone, which are 0, 1 and 3.
    let others = [0, 1, 3].map(|k| corpus::find(&[folder.join("plays")]).unwrap()[k].clone());
    let alone = Lesson::new(others.to_vec(), vec!["prudent".into()], chameleon(), &folder.join("others"));
    let alone = Learning::begin(alone.unwrap()).unwrap().run(2, &|_| (), &|| true).unwrap();
    assert_eq!(bytes(&alone), bytes(&one));
    let nothing = Lesson::new(others.to_vec(), Vec::new(), subject(None, Some(0.2)), &folder.join("none"));
    assert!(nothing.unwrap_err().to_string().contains("leaves nothing on one side"));

    let file = folder.join("one.character");
    std::fs::write(&file, bytes(&one)).unwrap();
    let start = || Some((file.clone(), checksum(&bytes(&one))));
    let more = learn(subject(start(), None), "more", 1);
    assert_eq!(bytes(&learn(subject(start(), None), "more", 3)), bytes(&more));
    let Taught::Character(found) = &more.taught else { panic!("a character") };
    assert_eq!(found.learned.lives, one.lives + whole.lives);
    std::fs::write(&file, b"another").unwrap();
    let changed = Lesson::new(others.to_vec(), Vec::new(), subject(start(), None), &folder.join("changed"));
    assert!(changed.unwrap_err().to_string().contains("not the character that learning began with"));
}

#[test]
fn what_was_committed_is_not_done_again_after_a_stop() {
    let folder = plays("stops");
    let whole =
        Learning::begin(lesson(&folder, chameleon(), "whole")).unwrap().run(5, &|_| (), &|| true).unwrap();
    let mut asked = Vec::new();
    let outcome = loop {
        // A driver that is killed after three commits and begun again, until all is learned.
        let mut learning = Learning::begin(lesson(&folder, chameleon(), "stopped")).unwrap();
        let mut left = 3;
        while let Some(question) = learning.ask().unwrap() {
            if let Some(range) = learning.missing(5).into_iter().next() {
                left -= 1;
                asked.push((learning.step(), range.clone()));
                let answer = corpus::answer(&question, range).unwrap();
                learning.commit(&answer).unwrap();
            }
            if left == 0 {
                break;
            }
        }
        if learning.ask().unwrap().is_none() {
            break learning.finish().unwrap();
        }
    };
    assert_eq!(bytes(&outcome), bytes(&whole));
    let mut once = asked.clone();
    once.sort_by_key(|(step, range)| (*step, range.start));
    once.dedup();
    assert_eq!(once.len(), asked.len(), "nothing was asked twice");
}

#[test]
fn a_stopped_run_says_so_and_goes_on() {
    let folder = plays("signals");
    let begin = || Learning::begin(lesson(&folder, sequence("batch"), "work")).unwrap();
    let left = AtomicU64::new(7);
    let go_on =
        || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    let stopped = begin().run(5, &|_| (), &go_on).unwrap_err();
    assert!(stopped.to_string().contains("goes on from what was committed"), "{stopped}");
    let outcome = begin().run(5, &|_| (), &|| true).unwrap();
    let whole = Learning::begin(lesson(&folder, sequence("batch"), "whole"))
        .unwrap()
        .run(1, &|_| (), &|| true)
        .unwrap();
    assert_eq!(bytes(&outcome), bytes(&whole));
}

#[test]
fn what_cannot_be_learned_from_is_refused_with_a_remedy() {
    let folder = plays("refused");
    let find = |name: &str| corpus::find(&[folder.join(name)]).map_err(|error| error.to_string());
    assert_eq!(find("plays/*.parquet").unwrap().len(), 3);
    assert_eq!(find("plays/**/*.parquet").unwrap().len(), 5);
    assert!(find("plays/*.csv").unwrap_err().contains("there is no recording"));
    std::fs::create_dir_all(folder.join("empty")).unwrap();
    assert!(find("empty").unwrap_err().contains("remedy: a folder with .parquet files"));

    let good = lesson(&folder, sequence("labels"), "work");
    Learning::begin(good.clone()).unwrap();
    let other = Lesson { subject: sequence("heuristic"), ..good.clone() };
    assert!(Learning::begin(other).unwrap_err().to_string().contains("another lesson"));
    let refused = Lesson::new(
        vec![folder.join("plays/0.parquet")],
        Vec::new(),
        sequence("incremental"),
        &folder.join("i"),
    );
    assert!(refused.unwrap_err().to_string().contains("not in parts"));

    let mut learning = Learning::begin(good).unwrap();
    let question = learning.ask().unwrap().unwrap();
    let answer = corpus::answer(&question, 0..3).unwrap();
    learning.commit(&answer).unwrap();
    assert!(learning.commit(&answer).unwrap_err().to_string().contains("overlaps"));
    assert_eq!(learning.missing(5), [3..4, 4..5]);
    assert!(learning.commit(&answer[..10]).is_err());
    std::fs::write(folder.join("plays/more/4.parquet"), b"changed").unwrap();
    assert!(corpus::answer(&question, 4..5).unwrap_err().to_string().contains("not what it was"));
}

#[test]
fn both_halves_of_recordings_are_the_whole() {
    let folder = plays("halves");
    let paths = [0, 1].map(|number| folder.join(format!("plays/{number}.parquet")));
    let wanted = ["prudent".to_owned()];
    let seen = |half: Option<Half>| {
        let mut moves = Moves::default();
        let (each, note) = (|| (), |_: &str| unreachable!("all are whole"));
        let names = match half {
            None => recordings::show(&paths, &wanted, &mut moves, &each, &note),
            Some(half) => recordings::show_half(&paths, &wanted, half, &mut moves, &each, &note),
        };
        assert_eq!(names.unwrap(), wanted);
        moves.0.iter().map(Vec::len).collect::<Vec<_>>()
    };
    let [whole, first, second] = [None, Some(Half::First), Some(Half::Second)].map(seen);
    assert_eq!(whole.len(), 2);
    assert_eq!(first.iter().zip(&second).map(|(first, second)| first + second).collect::<Vec<_>>(), whole);
    assert!(first.iter().chain(&second).all(|moments| *moments > 0));
}

#[test]
fn players_are_found_in_recordings_or_named() {
    let folder = plays("players");
    let path = folder.join("plays/0.parquet");
    let paths = [path.clone()];
    let note = |_: &str| unreachable!("all are whole");
    let trails = recordings::trails_of(&paths, &["prudent".to_owned()], Some(Half::First), &note).unwrap();
    assert_eq!(trails.iter().map(|trail| trail.player.as_str()).collect::<Vec<_>>(), ["prudent"]);
    let error = recordings::trails_of(&paths, &["nobody".to_owned()], None, &note).unwrap_err();
    assert!(error.to_string().ends_with("one of prudent, native:3"), "{error}");
    assert_eq!(recordings::teachers(&path, &[], Half::First).unwrap().len(), 2);
    assert!(recordings::judged(&paths, "prudent", &note).is_ok());
    let error = recordings::judged(&paths, "nobody", &note).unwrap_err();
    assert!(error.to_string().starts_with("`nobody` takes part in none of it"), "{error}");
    let mut source = recordings::Source::open(&path).unwrap();
    let rows = source.first_rows(3, Some(1)).unwrap();
    assert_eq!(
        rows.iter().map(|(tick, _, row)| (*tick, row.character)).collect::<Vec<_>>(),
        [(0, 1), (1, 1), (2, 1)]
    );
}
