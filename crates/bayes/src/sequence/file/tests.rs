use super::*;
use crate::sequence::learning::TaskCounts;
use crate::sequence::{Choice, Kind, shipped};

fn read_alone(text: &str) -> Result<Behaviour, Mistake> {
    read(text, &mut |name| shipped::behaviour(name).ok_or_else(|| "there is none".into()))
}

const SMALL: &str = r#"
name = "small"
tasks = ["rest", "work"]
sensors.sun = ["down", "up"]
[transition]
rest = ["x", 0.2]
work = [0.1, "x"]
[likelihood.sun]
down = ["x", 0.25]
up   = [0.1, "x"]
"#;

#[test]
fn all_shipped_behaviours_are_read_and_survive_writing() {
    for (name, text) in shipped::BEHAVIOURS {
        let behaviour = read_alone(text).unwrap();
        assert_eq!(behaviour.name(), name);
        assert_eq!(behaviour.situations(), Some(6 * 648));
        let again = read_alone(&to_toml(&behaviour)).unwrap();
        let cells = |b: &Behaviour| -> Vec<f64> {
            b.transition()
                .iter()
                .chain(b.sensors().iter().flat_map(|sensor| sensor.cells()))
                .copied()
                .collect()
        };
        for (a, b) in cells(&behaviour).iter().zip(cells(&again)) {
            assert!((a - b).abs() <= 1e-4 * a.max(1e-9), "{name}: {a} became {b}");
        }
    }
}

#[test]
fn mistakes_are_answered_with_their_line_and_a_remedy() {
    let cases = [
        ("down = [\"x\", 0.25]", "dwon = [\"x\", 0.25]", 9, "not a value of sun", "did you mean `down`?"),
        ("work = [0.1, \"x\"]", "work = [1.1, \"x\"]", 7, "column `rest`", "lower a number"),
        ("down = [\"x\", 0.25]", "down = [0.2, 0.25]", 9, "less than 1", "\"x\""),
        ("up   = [0.1, \"x\"]", "up   = [-0.1, \"x\"]", 10, "not a probability", "from 0 to 1"),
        ("[\"rest\", \"work\"]", "[\"rest\", \"work\", \"rest\"]", 3, "`rest` is there twice", "keep one"),
        ("[\"down\", \"up\"]", "[\"up\", \"up\"]", 4, "`up` is there twice", "keep one"),
        ("rest = [\"x\", 0.2]\n", "", 6, "no row for rest", "a row for each value"),
        ("rest = [\"x\", 0.2]", "rest = [\"x\"]", 6, "1 cells for 2 tasks", "rest, work"),
        (
            "[likelihood.sun]",
            "[likelihood.son]",
            4,
            "table of the sensor `sun` is missing",
            "[likelihood.sun]",
        ),
        ("tasks =", "tsks =", 3, "not a key", "did you mean `tasks`?"),
        ("name = \"small\"", "name = \"small\"\nchoose = \"often\"", 3, "not a way to choose", "\"best\""),
        ("name = \"small\"", "name = \"small\"\nchoose = { sharpen = -1 }", 3, "not a power", "from 0 up"),
        (
            "name = \"small\"",
            "name = \"small\"\ntask.nap.behaviour = \"prudent\"",
            3,
            "not one of the tasks",
            "next =",
        ),
        ("name = \"small\"", "name = \"small\"\ntask.rest.behaviour = \"nobody\"", 3, "nobody", "shipped"),
    ];
    for (from, to, line, what, remedy) in cases {
        let text = SMALL.replace(from, to);
        let mistake = read_alone(&text).expect_err(to);
        assert_eq!(mistake.line, line, "{to}: {mistake}");
        assert!(mistake.what.contains(what), "{to}: {mistake}");
        assert!(mistake.remedy.contains(remedy), "{to}: {mistake}");
    }
    let table = SMALL.replace("[transition]\nrest = [\"x\", 0.2]\nwork = [0.1, \"x\"]\n", "");
    let mistake = read_alone(&table).expect_err("no transition");
    assert!(mistake.what.contains("[transition]") && mistake.line == 3, "{mistake}");
}

#[test]
fn a_task_is_added_by_adding_a_table() {
    let text = format!(
        "{SMALL}\n[task.hide]\nentered = {{ rest = 0.05, work = 0.3 }}\nnext = {{ hide = \"x\", rest = 0.5 }}\ncolumn.sun = {{ down = 0.9, up = \"x\" }}\n"
    );
    let behaviour = read_alone(&text).unwrap();
    assert_eq!(behaviour.task_names().collect::<Vec<_>>(), ["rest", "work", "hide"]);
    let after = |task: usize| behaviour.after(task).to_vec();
    let near = |a: Vec<f64>, b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(after(0), [0.85, 0.1, 0.05]), "{:?}", after(0));
    assert!(near(after(1), [0.2, 0.5, 0.3]) && near(after(2), [0.5, 0.0, 0.5]));
    let sun = &behaviour.sensors()[0];
    assert!((sun.cell(2, 1) - 0.1).abs() < 1e-12 && (sun.cell(1, 1) - 0.75).abs() < 1e-12);
    // Without a column it says nothing about the sun.
    let silent = read_alone(&text.replace("column.sun = { down = 0.9, up = \"x\" }", "")).unwrap();
    assert_eq!(silent.sensors()[0].cell(2, 0), 0.5);
}

#[test]
fn a_coherence_without_opinion_changes_nothing() {
    let plain = read_alone(SMALL).unwrap();
    let more = SMALL.replace("sensors.sun", "sensors.rain = [\"no\", \"some\", \"much\"]\nsensors.sun");
    let more = more + "[coherence.rain]\nno = [\"x\", \"x\"]\nsome = [\"x\", 0.5]\nmuch = [\"x\", \"x\"]\n";
    let silent = read_alone(&more).unwrap();
    assert_eq!(silent.sensors()[0].kind, Kind::Coherence);
    for previous in 0..2 {
        for sun in [None, Some(0), Some(1)] {
            let expected = plain.decide(Some(previous), &[sun]).posterior;
            for rain in 0..3 {
                let found = silent.decide(Some(previous), &[Some(rain), sun]).posterior;
                for (a, b) in expected.iter().zip(found) {
                    assert!((a - b).abs() < 1e-15);
                }
            }
        }
    }
    // With an opinion it does: rain does not go with work.
    let loud = read_alone(&more.replace("much = [\"x\", \"x\"]", "much = [\"x\", 0.01]")).unwrap();
    let (dry, wet) = (loud.decide(Some(1), &[Some(0), None]), loud.decide(Some(1), &[Some(2), None]));
    assert!(wet.posterior[1] < dry.posterior[1]);
    assert!(read_alone(&more.replace("some = [\"x\", 0.5]", "some = [\"x\", 1.5]")).is_err());
}

#[test]
fn a_coherence_is_learned_as_one_and_decides_as_its_likelihood_would() {
    let more = SMALL.replace("sensors.sun", "sensors.rain = [\"no\", \"some\", \"much\"]\nsensors.sun");
    let more = more + "[coherence.rain]\nno = [\"x\", \"x\"]\nsome = [\"x\", 0.5]\nmuch = [\"x\", \"x\"]\n";
    let teacher = read_alone(&more).unwrap();
    let mut counts = TaskCounts::none(&teacher);
    for (k, n) in counts.sensors.iter_mut().flatten().chain(&mut counts.transition).enumerate() {
        *n = ((k * 7) % 11) as f64;
    }
    let likelihoods = teacher.learned_likelihoods("pupil", "", counts.clone()).unwrap();
    let pupil = teacher.learned("pupil", "", counts).unwrap();
    assert_eq!(pupil.sensors()[0].kind, Kind::Coherence);
    assert_eq!(pupil.sensors()[1].kind, Kind::Likelihood);
    assert!(pupil.sensors()[0].cells().iter().all(|cell| (0.0..=1.0).contains(cell)));
    for previous in 0..2 {
        for (rain, sun) in (0..3).flat_map(|rain| (0..2).map(move |sun| (rain, sun))) {
            let [a, b] = [&likelihoods, &pupil]
                .map(|one| one.decide(Some(previous), &[Some(rain), Some(sun)]).posterior);
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
    // It goes through a file with its kind, and can be learned on.
    let again = read_alone(&to_toml(&pupil)).unwrap();
    assert_eq!(again.sensors()[0].kind, Kind::Coherence);
    assert!(again.counts().is_some());
}

#[test]
fn a_uniform_likelihood_column_does_influence_which_is_what_coherence_mends() {
    // Le Hy 5.3.1: a uniform column next to a telling one does not cancel.
    let text = SMALL
        .replace("down = [\"x\", 0.25]", "down = [\"x\", \"x\"]")
        .replace("up   = [0.1, \"x\"]", "up = [0.1, \"x\"]");
    let behaviour = read_alone(&text).unwrap();
    let without = behaviour.decide(Some(1), &[None]).posterior[1];
    let with = behaviour.decide(Some(1), &[Some(1)]).posterior[1];
    assert!((with - without).abs() > 0.1);
}

#[test]
fn tasks_can_be_behaviours_and_choices_are_read() {
    let text = SMALL.replace(
        "name = \"small\"",
        "name = \"small\"\nchoose = { sharpen = 2.5 }\ntask.work.behaviour = \"prudent\"",
    );
    let behaviour = read_alone(&text).unwrap();
    assert_eq!(behaviour.choice(), Choice::Sharpen(2.5));
    let inner = behaviour.tasks()[1].inner.as_ref().unwrap();
    assert_eq!(inner.name(), "prudent");
    let again = read_alone(&to_toml(&behaviour)).unwrap();
    assert_eq!(again.choice(), Choice::Sharpen(2.5));
    assert_eq!(again.tasks()[1].inner.as_ref().unwrap().name(), "prudent");
}

#[test]
fn counts_survive_writing_to_the_bit() {
    let small = read_alone(SMALL).unwrap();
    let counts = crate::sequence::TaskCounts {
        prior: 1.0,
        observations: 7,
        transition: vec![3.0, 0.1 + 0.2, 1.0 / 3.0, 5.0],
        sensors: vec![vec![1.5, 2.0, 0.0, 1e-17]],
    };
    let learned = small.learned("learned", "", counts.clone()).unwrap();
    let again = read_alone(&to_toml(&learned)).unwrap();
    assert_eq!(again.counts(), Some(&counts));
}
