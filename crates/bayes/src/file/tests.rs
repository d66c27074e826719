//! Files: what is shipped is right, what is wrong is answered with line and remedy, what is saved comes back.

use super::*;
use crate::fusion::{Opinion, Stance, fuse};
use crate::shipped;

fn read_alone(text: &str) -> Result<Program, Mistake> {
    read(text, &mut |name| shipped::program(name).ok_or_else(|| "it is not shipped".into()))
}

#[test]
fn all_shipped_programs_are_right_and_named_after_their_file() {
    for (name, text) in shipped::PROGRAMS {
        let program = read_alone(text).unwrap_or_else(|mistake| panic!("{name}:{mistake}"));
        assert_eq!(program.name(), name);
        assert!(!program.about().is_empty());
    }
}

#[test]
fn danger_detection_as_figure_3_1() {
    let answer = shipped::program("danger-detection").unwrap().ask("P(Rotation)").unwrap();
    let z = 2.0 + 5.0 * 1e-4;
    for (value, p) in answer.distribution.iter().enumerate() {
        let expected = if value == 0 || value == 6 { 1.0 / z } else { 1e-4 / z };
        assert!((p - expected).abs() < 1e-15);
    }
}

#[test]
fn target_following_turns_towards_the_target() {
    let follow = shipped::program("target-following").unwrap();
    let best = |direction: &str| {
        let answer = follow.ask(&format!("P(Rotation | Direction={direction})")).unwrap();
        follow.variable("Rotation").unwrap().values()[answer.most_probable()].clone()
    };
    // -40 degrees lies in the bin around -30, -80 in the one around -90, as in table 4.5.
    assert_eq!(best("ahead"), "straight");
    assert_eq!(best("ahead_right"), "slow_right");
    assert_eq!(best("right"), "fast_right");
    assert_eq!(best("left"), "fast_left");
    assert_eq!(best("behind_left"), "fast_left");
    // Mirror symmetry, to the last digits.
    let left = follow.ask("P(Rotation | Direction=ahead_left)").unwrap().distribution;
    let right = follow.ask("P(Rotation | Direction=ahead_right)").unwrap().distribution;
    assert!(left.iter().zip(right.iter().rev()).all(|(l, r)| (l - r).abs() < 1e-14));
}

#[test]
fn the_danger_sensor_is_bayes_rule_by_hand() {
    let danger = shipped::program("danger-sensor").unwrap();
    let p = danger.ask("P(Danger | Weapon=strong, Distance=near, Health=low)").unwrap();
    let (no, yes) = (0.01 * 0.05 * 0.45, (1.0 / 3.0) * 0.45 * 0.1);
    assert!((p.distribution[1] - yes / (yes + no)).abs() < 1e-14);
    // A sensor that is not there is summed out.
    let p = danger.ask("P(Danger | Weapon=weak)").unwrap();
    assert!((p.distribution[1] - (1.0 / 3.0) / (1.0 / 3.0 + 0.89)).abs() < 1e-14);
}

/// What following a target alone says, and how it is to be fused.
fn opinions<'a>(rows: &'a [Vec<f64>], stances: &[Stance]) -> Vec<Opinion<'a>> {
    rows.iter().zip(stances).map(|(says, &stance)| Opinion { says, stance }).collect()
}

fn assert_fused(asked: &str, program: &str, directions: &[&str], stances: &[Stance]) {
    let follow = shipped::program("target-following").unwrap();
    let rows: Vec<Vec<f64>> = directions
        .iter()
        .map(|direction| follow.ask(&format!("P(Rotation | Direction={direction})")).unwrap().distribution)
        .collect();
    let mut fused = vec![0.0; 7];
    fuse(&opinions(&rows, stances), None, &mut fused).expect("opinions of one length");
    let found = shipped::program(program).unwrap().ask(asked).unwrap().distribution;
    assert!(found.iter().zip(&fused).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?} {fused:?}");
}

#[test]
fn exploration_is_the_product_of_its_opinions() {
    assert_fused(
        "P(Rotation | Direction0=right, Agree0=true, Direction1=ahead_left, Agree1=true, Direction2=left, Agree2=true)",
        "exploration",
        &["right", "ahead_left", "left"],
        &[Stance::Prescriptive; 3],
    );
}

#[test]
fn flight_is_the_product_of_what_its_opinions_leave() {
    assert_fused(
        "P(Rotation | Enemy0=right, Meet0=false, Enemy1=ahead, Meet1=false)",
        "flight",
        &["right", "ahead"],
        &[Stance::Proscriptive; 2],
    );
    // Without enemies nothing is known: uniform.
    let calm = shipped::program("flight").unwrap().ask("P(Rotation)").unwrap().distribution;
    assert!(calm.iter().all(|p| (p - 1.0 / 7.0).abs() < 1e-15));
}

#[test]
fn improved_flight_finds_the_gap_of_figure_3_16() {
    // Enemies at -60, 36 and 60 degrees, places at 0, 45 and -60 degrees.
    let asked =
        "P(Rotation | Enemy0=right, Meet0=false, Enemy1=ahead_left, Meet1=false, Enemy2=left, Meet2=false,
        Direction0=ahead, Agree0=true)";
    assert_fused(
        asked,
        "improved-flight",
        &["right", "ahead_left", "left", "ahead"],
        &[Stance::Proscriptive, Stance::Proscriptive, Stance::Proscriptive, Stance::Prescriptive],
    );
    let flight = shipped::program("improved-flight").unwrap();
    let answer = flight.ask(asked).unwrap();
    assert_eq!(flight.variable("Rotation").unwrap().values()[answer.most_probable()], "straight");
}

const LEARNING: &str = r#"# A designer's file.
name = "turns"
[variables]
Direction = { range = [-1, 1] }
Rotation = { like = "Direction" } # seen from above

[[factor]]
of = "P(Direction)"
form = "uniform"

[[factor]] # learned by playing
of = "P(Rotation | Direction)"
form = "histogram"
columns = ["1", "0", "-1"]
counts.-1 = [0, 1, 7]
counts.0 = [0, 9, 1]
counts.1 = [5, 0, 0.5]
"#;

#[test]
fn counts_are_saved_and_loaded_and_comments_stay() {
    let mut program = read_alone(LEARNING).unwrap();
    assert_eq!(program.factors()[1].histogram().unwrap().counts()[..3], [7.0, 1.0, 0.5]);
    program.observe(&[Some(2), Some(2)], 1.0).unwrap();
    program.observe(&[Some(1), Some(0)], 0.1).unwrap();
    let saved = with_counts(LEARNING, &program).unwrap();
    assert!(saved.contains("# A designer's file.") && saved.contains("# seen from above"), "{saved}");
    let restored = read_alone(&saved).unwrap();
    assert_eq!(restored.factors()[1].histogram(), program.factors()[1].histogram());
    assert_eq!(with_counts(&saved, &restored).unwrap(), saved, "saving again changes nothing");
    insta::assert_snapshot!("saved_with_counts", saved);
}

#[test]
fn a_file_without_counts_gains_them() {
    let text =
        "name = \"t\"\n[variables]\nA = [\"a\", \"b\"]\n[[factor]]\nof = \"P(A)\"\nform = \"histogram\"\n";
    let mut program = read_alone(text).unwrap();
    program.observe(&[Some(1)], 1.0).unwrap();
    let restored = read_alone(&with_counts(text, &program).unwrap()).unwrap();
    assert_eq!(restored.factors()[0].histogram(), program.factors()[0].histogram());
}

#[test]
fn every_shipped_program_survives_being_written_whole() {
    for (name, text) in shipped::PROGRAMS {
        let program = read_alone(text).unwrap();
        let again = read_alone(&to_toml(&program)).unwrap_or_else(|mistake| panic!("{name}:{mistake}"));
        assert_eq!(again.variables(), program.variables(), "{name}");
        for (a, b) in again.factors().iter().zip(program.factors()) {
            assert_eq!(a.cells(), b.cells(), "{name}");
        }
    }
}

#[test]
fn mistakes_are_answered_with_line_and_remedy() {
    let head = "name = \"t\"\n[variables]\nDanger = [\"false\", \"true\"]\nWeapon = [\"weak\", \"strong\"]\n";
    let danger = "[[factor]]\nof = \"P(Danger)\"\nform = \"uniform\"\n";
    let weapon = |rest: &str| format!("{head}{danger}[[factor]]\nof = \"P(Weapon | Danger)\"\n{rest}\n");
    let cases = [
        ("not TOML", "name = \"t\nx".to_owned()),
        ("no name", "[variables]\nA = [\"a\"]".into()),
        ("misspelt key", format!("{head}{danger}fron = \"x\"\n")),
        ("a key from nowhere", format!("{head}{danger}zzzzzz = \"x\"\n")),
        ("no variables", "name = \"t\"".into()),
        ("a variable that is a number", "name = \"t\"\n[variables]\nA = 3\n".into()),
        ("values twice", "name = \"t\"\n[variables]\nA = [\"a\", \"a\"]\n".into()),
        (
            "two kinds of values",
            "name = \"t\"\n[variables]\nA = { values = [\"a\"], range = [0, 1] }\n".into(),
        ),
        ("like nobody", "name = \"t\"\n[variables]\nA = { like = \"B\" }\n".into()),
        ("half a scale", "name = \"t\"\n[variables]\nA = { values = [\"a\"], from = 1 }\n".into()),
        (
            "edges that do not fit",
            "name = \"t\"\n[variables]\nA = { values = [\"a\"], edges = [0] }\n".into(),
        ),
        ("no factor for a variable", format!("{head}{danger}")),
        ("not a conditional", format!("{head}[[factor]]\nof = \"Danger\"\nform = \"uniform\"\n")),
        ("unknown variable", format!("{head}[[factor]]\nof = \"P(Dagner)\"\nform = \"uniform\"\n")),
        ("unknown form", weapon("form = \"tabel\"")),
        ("a key of another form", weapon("form = \"uniform\"\nsd = 3")),
        ("no rows", weapon("form = \"table\"")),
        ("a row missing", weapon("form = \"table\"\nrows.weak = [1, 1]")),
        ("unknown row", weapon("form = \"table\"\nrows.weak = [1, 1]\nrows.stong = [0, 0]")),
        ("row too short", weapon("form = \"table\"\nrows.weak = [1]\nrows.strong = [0, 0]")),
        ("a cell of text", weapon("form = \"table\"\nrows.weak = [\"y\", 1]\nrows.strong = [0, 0]")),
        ("column over 1", weapon("form = \"table\"\nrows.weak = [1, 0.7]\nrows.strong = [\"x\", 0.7]")),
        ("column under 1", weapon("form = \"table\"\nrows.weak = [\"x\", 0.7]\nrows.strong = [0, 0.2]")),
        ("negative cell", weapon("form = \"table\"\nrows.weak = [\"x\", \"x\"]\nrows.strong = [0.2, -0.2]")),
        (
            "unknown column",
            weapon(
                "form = \"table\"\ncolumns = [\"false\", \"ture\"]\nrows.weak = [1, 1]\nrows.strong = [0, 0]",
            ),
        ),
        (
            "a column twice",
            weapon(
                "form = \"table\"\ncolumns = [\"true\", \"true\"]\nrows.weak = [1, 1]\nrows.strong = [0, 0]",
            ),
        ),
        ("x in counts", weapon("form = \"histogram\"\ncounts.weak = [\"x\", 1]\ncounts.strong = [0, 0]")),
        ("one_hot without value", weapon("form = \"one_hot\"")),
        ("one_hot unknown", weapon("form = \"one_hot\"\nvalue = \"storng\"")),
        ("gaussian without sd", weapon("form = \"gaussian\"\nmean = 3")),
        ("gaussian over names", weapon("form = \"gaussian\"\nmean = 3\nsd = 1")),
        ("question to nobody", weapon("form = \"question\"\nprogram = \"nobody\"\nask = \"P(A)\"")),
        (
            "question that does not fit",
            weapon("form = \"question\"\nprogram = \"danger-sensor\"\nask = \"P(Weapon | Danger)\""),
        ),
    ];
    let mut answers = String::new();
    for (what, text) in cases {
        let mistake = read_alone(&text).err().unwrap_or_else(|| panic!("{what} was accepted"));
        answers += &format!("{what}\n  {mistake}\n");
    }
    insta::assert_snapshot!("mistakes", answers);
}
