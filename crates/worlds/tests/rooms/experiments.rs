//! Section 6, experiment by experiment: what happened, and what everything was worth when it did.

use repertoire_character::reason::deed_label;
use repertoire_worlds::rooms::{Act, Entry};

use crate::common::{Run, run, shipped};

fn whole(name: &str, seed: u64) -> Run {
    let scenario = shipped(name);
    let steps = scenario.steps;
    run(scenario, seed, steps)
}

/// What a deed was worth for a goal in a step.
fn worth(run: &Run, entry: &Entry, goal: &str, deed: &str) -> Option<f64> {
    let scenario = run.world.scenario();
    let goals = &scenario.characters[0].goals;
    let found = entry.values.iter().find(|worth| {
        goals[worth.goal as usize].name == goal
            && deed_label(worth.deed, &scenario.laws, &scenario.roster) == deed
    });
    found.map(|worth| worth.value)
}

#[test]
fn goals_alone_are_met_in_the_order_of_their_importance() {
    for seed in 0..5 {
        let run = whole("6.1.1-left", seed);
        assert_eq!(run.done(), ["take(apple1)", "take(apple2)", "take(key)", "take(axe)"], "{}", run.story());
        // The axe is out of sight at the start, and is looked for last.
        let first = run.log.iter().find(|entry| run.label(entry.act) == "explore").expect("explores");
        assert!(first.step > run.when("take(key)").expect("takes the key"));
    }
}

#[test]
fn opportunism_takes_the_near_apple_first_and_the_key_on_the_way() {
    for seed in 0..5 {
        let run = whole("6.1.1-right", seed);
        assert_eq!(run.done(), ["take(apple2)", "take(key)", "take(apple1)", "take(axe)"], "{}", run.story());
        // Figure 13: at step 5 the curve of the key passes over that of apple 1, which it was on the way to.
        let at = |step: usize| &run.log[step];
        for step in [3, 4] {
            assert_eq!(run.label(at(step).act), "move to take(apple1)");
            assert!(
                worth(&run, at(step), "key", "take(key)") < worth(&run, at(step), "apple1", "take(apple1)")
            );
        }
        assert_eq!(run.label(at(5).act), "move to take(key)");
        assert!(worth(&run, at(5), "key", "take(key)") > worth(&run, at(5), "apple1", "take(apple1)"));
    }
}

#[test]
fn preferences_alone_decide_between_unlocking_and_breaking() {
    let gentle = whole("6.1.2-left", 1);
    assert_eq!(
        gentle.done(),
        ["take(key)", "unlock(door)", "open(door)", "take(apple)"],
        "{}",
        gentle.story()
    );
    let brutal = whole("6.1.2-right", 1);
    assert_eq!(brutal.done(), ["take(axe)", "break(door)", "take(apple)"], "{}", brutal.story());
    // The four numbers that the paper works out, as they stood when the choice was made.
    for (run, key, axe) in [(gentle, "1.24", "0.98"), (brutal, "1.01", "1.29")] {
        let first = &run.log[0];
        let printed = |deed| worth(&run, first, "apple", deed).map(|value| format!("{value:.2}"));
        assert_eq!(printed("take(key)").as_deref(), Some(key));
        assert_eq!(printed("take(axe)").as_deref(), Some(axe));
    }
}

#[test]
fn completion_in_space_takes_the_shorter_way() {
    let run = whole("6.1.3", 1);
    assert_eq!(run.done(), ["take(axe)", "break(door)", "take(apple)"], "{}", run.story());
    // And it is the shorter way: the same world by the key takes more steps.
    let steps = |run: &Run| run.log.iter().filter(|entry| matches!(entry.act, Act::Walk(_))).count();
    assert!(steps(&run) < steps(&whole("6.1.4", 1)));
}

#[test]
fn completion_in_time_chooses_the_quicker_deeds() {
    let run = whole("6.1.4", 1);
    assert_eq!(run.done(), ["take(key)", "unlock(door)", "open(door)", "take(apple)"], "{}", run.story());
    let printed = |deed| worth(&run, &run.log[0], "apple", deed).map(|value| format!("{value:.2}"));
    assert_eq!(printed("take(key)").as_deref(), Some("1.14"));
    assert_eq!(printed("take(axe)").as_deref(), Some("0.79"));
}

#[test]
fn the_whole_experiment_goes_as_the_paper_tells_it() {
    for seed in 0..20 {
        let run = whole("6.2", seed);
        assert_eq!(
            run.done(),
            [
                "take(apple)",
                "eat(apple)",
                "fail to open(glass-door)",
                "take(axe)",
                "take(apple2)",
                "eat(apple2)",
                "break(glass-door)",
                "take(object)"
            ],
            "seed {seed}\n{}",
            run.story()
        );
        let at = |label: &str| run.when(label).unwrap_or_else(|| panic!("{label}\n{}", run.story())) as usize;
        // 1: nothing is known, so it explores; the hunger of point 2 interrupts that.
        assert!(run.log[..10].iter().all(|entry| run.label(entry.act) == "explore"), "{}", run.story());
        let hungry = at("move to take(apple)");
        assert_eq!(run.label(run.log[hungry - 1].act), "explore");
        // The nearer and the hungrier, the more it is worth.
        let rising: Vec<f64> = (hungry..at("take(apple)"))
            .filter_map(|step| worth(&run, &run.log[step], "survive", "take(apple)"))
            .collect();
        assert!(rising.windows(2).all(|pair| pair[0] < pair[1]), "{rising:?}");
        // 3: the door is found locked. Then there are two ways, and the key's is worth least.
        let tried = at("fail to open(glass-door)");
        let after = &run.log[tried + 1];
        assert_eq!(run.label(after.act), "explore");
        let key = worth(&run, after, "o", "take(key)").expect("the key was seen before");
        assert!(key < worth(&run, after, "o", "explore").expect("no axe is known"));
        // Hunger comes back: exploring serves both goals at once, and its curve jumps.
        let both = run.log[tried + 1..].iter().find(|entry| {
            worth(&run, entry, "o", "explore").is_some() && worth(&run, entry, "survive", "explore").is_some()
        });
        let both = both.expect("hungry while looking for an axe");
        // 4: the axe is seen; exploring no longer serves both, falls, and is still worth most.
        let seen = run.log[both.step as usize..]
            .iter()
            .find(|entry| worth(&run, entry, "o", "take(axe)").is_some())
            .expect("sees the axe");
        let before = &run.log[seen.step as usize - 1];
        assert!(worth(&run, seen, "survive", "explore") < worth(&run, before, "survive", "explore"));
        assert_eq!(run.label(seen.act), "explore");
        // 5: near the axe, opportunism makes it worth most, if only for a moment.
        let taken = at("take(axe)");
        assert!(
            worth(&run, &run.log[taken], "o", "take(axe)")
                > worth(&run, &run.log[taken], "survive", "explore")
        );
        assert_eq!(run.label(run.log[taken + 1].act), "explore");
        // 6: it eats before it goes back to break the door.
        assert!(at("eat(apple2)") < at("move to break(glass-door)"));
    }
}
