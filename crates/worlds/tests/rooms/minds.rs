//! Whole minds in rooms: motivations are one voice among others.

use std::sync::Arc;

use repertoire_worlds::rooms::scenario::{read, text};
use repertoire_worlds::rooms::{Act, Refused, Scenario, World};

fn orchard(change: impl Fn(&str) -> String) -> Result<Scenario, Refused> {
    let written = change(text("orchard").expect("shipped"));
    read(&written, &mut |named| Err(format!("there is no `{named}` here").into()))
}

/// How often the thief walks, and how often it waits, of the steps in which it knows the watchman to be near.
fn walks_and_waits(scenario: Scenario) -> (usize, usize) {
    let mut world = World::new(Arc::new(scenario), 1);
    let (mut walks, mut waits) = (0, 0);
    for _ in 0..120 {
        let entries = world.step();
        let report = world.residents()[0].mind.as_ref().expect("a mind").report();
        let is_near = report.table.iter().any(|(row, _)| row == "watchman=near");
        for entry in entries.into_iter().filter(|entry| entry.who == 0 && is_near) {
            match entry.act {
                Act::Wait => waits += 1,
                Act::Walk(_) => walks += 1,
                _ => {}
            }
        }
    }
    (walks, waits)
}

#[test]
fn a_table_holds_motivations_back() {
    let (walks, waits) = walks_and_waits(orchard(str::to_owned).unwrap());
    assert!(
        waits >= 10 && walks * 4 <= waits,
        "with a mind it keeps still near the watchman: {walks} {waits}"
    );
    let bold =
        |text: &str| text.replace("near = [0.02, 0.3, 0.05, 0.02, 0.9]", "near = [0.5, 0.5, 0.5, 0.5, 0.5]");
    let (bold_walks, _) = walks_and_waits(orchard(bold).unwrap());
    assert!(bold_walks > walks, "without the table it walks on: {bold_walks} {walks}");
}

#[test]
fn it_eats_as_motivations_say() {
    let mut world = World::new(Arc::new(orchard(str::to_owned).unwrap()), 1);
    let log = world.run(60);
    let eaten = log.iter().filter(|entry| entry.who == 0 && matches!(entry.act, Act::Do(_))).count();
    assert!(eaten >= 6, "four apples, some of them taken and eaten: {eaten}");
    let why = world.residents()[0].mind.as_ref().expect("a mind").report();
    assert!(why.table.iter().any(|(row, _)| row == "motivations"), "{why}");
    assert!(why.wants.iter().any(|want| want.need == "fatigue"), "{why}");
}

#[test]
fn it_goes_on_from_every_step_to_the_bit() {
    let scenario = Arc::new(orchard(str::to_owned).unwrap());
    let mut plain = World::new(scenario.clone(), 7);
    let mut saved = World::new(scenario.clone(), 7);
    for step in 0..80 {
        let state = serde_json::to_string(&saved.save()).unwrap();
        saved = World::new(scenario.clone(), 0);
        assert!(saved.restore(&serde_json::from_str(&state).unwrap()));
        assert_eq!(plain.step(), saved.step(), "{step}");
        assert_eq!(plain.hash(), saved.hash(), "{step}");
    }
    let mindless = orchard(|text| {
        let (before, rest) = text.split_once("mind = \"\"\"").unwrap();
        let (_, after) = rest.split_once("\"\"\"").unwrap();
        let after = after.replace("[character.thief.senses]\nwatchman", "#");
        format!("{before}{after}")
    });
    let mut other = World::new(Arc::new(mindless.unwrap()), 7);
    assert!(!other.restore(&saved.save()), "a state with a mind is none of a scenario without");
}

#[test]
fn mistakes_have_their_line_and_a_remedy() {
    let lines = |from: &str, to: &str| match orchard(|text| text.replacen(from, to, 1)) {
        Err(Refused::Here(mistake)) => mistake.to_string(),
        other => panic!("{from} -> {to}: {other:?}"),
    };
    assert!(lines("\"eat\", \"open\"", "\"eat\", \"opne\"").contains("did you mean `open`?"));
    assert!(lines("grows = 0.02", "grows = \"much\"").contains("much"));
    assert!(lines("motivations = { weight = 1.0 }", "").contains("motivations"));
    assert!(lines("watchman = { near = ", "watchmen = { near = ").contains("it has watchman"));
    assert!(lines("watchman = { near = ", "watchman = { close = ").contains("it has away, near"));
    assert!(lines("distance(actor, watchman) <= 6", "distance(actor) <= 6").contains("remedy"));
    let exact = match orchard(|text| text.replacen("eased.wait = 0.12", "eased.weit = 0.12", 1)) {
        Err(Refused::Here(mistake)) => mistake.line,
        other => panic!("{other:?}"),
    };
    let there = text("orchard").unwrap().lines().position(|line| line.contains("eased.wait")).unwrap() + 1;
    assert_eq!(exact, there, "a mistake in a mind's text has the line of the scenario");
}
