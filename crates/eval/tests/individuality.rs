//! Ten characters with different profiles are told apart from their logs alone; two with the same are not.

use std::sync::Arc;

use repertoire_eval::identify::{Identifier, words};
use repertoire_prob::Stream;
use repertoire_worlds::rooms::scenario::{read, text};
use repertoire_worlds::rooms::{Scenario, World};

const STEPS: u32 = 300;

/// The town of ten, who stands where drawn by lot, so that nobody is told by where it began.
fn town(seed: u64, change: impl Fn(String) -> String) -> Arc<Scenario> {
    let mut starts: Vec<char> = "0123456789".chars().collect();
    let mut stream = Stream::new(seed, 0, "starts");
    for at in (1..starts.len()).rev() {
        starts.swap(at, (stream.unit() * (at + 1) as f64) as usize);
    }
    let drawn: String = starts.into_iter().collect();
    let text = change(text("ten").expect("shipped").replace("0123456789", &drawn));
    let mut load = |name: &str| Err(format!("{name} is not there").into());
    Arc::new(read(&text, &mut load).unwrap_or_else(|refused| panic!("{refused}")))
}

/// The words of everybody's log.
fn logs(scenario: Arc<Scenario>, seed: u64) -> Vec<Vec<String>> {
    let mut world = World::new(scenario.clone(), seed);
    let log = world.run(STEPS);
    (0..scenario.characters.len() as u16)
        .map(|who| {
            let acts =
                log.iter().filter(|entry| entry.who == who).map(|entry| entry.act.word(&scenario.laws));
            words(acts)
        })
        .collect()
}

#[test]
fn ten_profiles_are_told_apart_far_above_chance() {
    let mut identifier = Identifier::new(10);
    for seed in 0..4 {
        for (who, log) in logs(town(seed, |text| text), seed).iter().enumerate() {
            identifier.learn(who, log.iter().map(String::as_str));
        }
    }
    let (mut right, mut all) = (0, 0);
    let mut confused = vec![vec![0; 10]; 10];
    for seed in 100..106 {
        for (who, log) in logs(town(seed, |text| text), seed).iter().enumerate() {
            let guess = identifier.guess(log.iter().map(String::as_str));
            confused[who][guess] += 1;
            right += usize::from(guess == who);
            all += 1;
        }
    }
    println!("{right} of {all} logs told right; chance is {}", all / 10);
    // Chance is 6 of 60.
    assert!(right * 10 >= all * 8, "{right} of {all}\n{confused:?}");
}

#[test]
fn two_with_the_same_profile_are_not_told_apart() {
    // The thief gets the glutton's profile.
    let same = |text: String| {
        let thief = text.lines().find(|line| line.contains("name = \"thief\"")).expect("a thief").to_owned();
        text.replace(&thief, "profile = { name = \"thief\", goals = { food = 3.0 } }")
    };
    let pair = [0, 5];
    let mut identifier = Identifier::new(2);
    for seed in 0..6 {
        let all = logs(town(seed, same), seed);
        for (at, &who) in pair.iter().enumerate() {
            identifier.learn(at, all[who].iter().map(String::as_str));
        }
    }
    let (mut right, mut all) = (0, 0);
    for seed in 200..220 {
        let logs = logs(town(seed, same), seed);
        for (at, &who) in pair.iter().enumerate() {
            right += usize::from(identifier.guess(logs[who].iter().map(String::as_str)) == at);
            all += 1;
        }
    }
    println!("{right} of {all} logs of the same profile told right");
    // 40 fair coins fall on 10 to 30 heads in 99.9 % of cases.
    assert!((10..=30).contains(&right), "{right} of {all}");
}
