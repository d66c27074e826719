//! Damaged problems: refused or sound, soon, and without making room for what is not there.

use proptest::prelude::*;
use repertoire_plan::sas_plus::{is_sas_plus, read};

use crate::{KNOWN, Known, assert_sound};

/// Reads a damaged text: a refusal must be placed inside it and say something, a problem must be sound.
fn assert_refused_or_sound(text: &str) {
    is_sas_plus(text);
    match read(text) {
        Ok(problem) => assert_sound(&problem),
        Err(mistake) => {
            assert!((1..=text.split('\n').count()).contains(&mistake.line), "{mistake}");
            assert!(
                mistake.column >= 1 && !mistake.what.is_empty() && !mistake.remedy.is_empty(),
                "{mistake}"
            );
        }
    }
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn refuses_every_truncation() {
    for Known { name, text, .. } in KNOWN {
        for end in 0..text.trim_end().len() {
            let mistake = read(&text[..end]).expect_err(name);
            assert!(mistake.line <= text[..end].split('\n').count(), "{name} cut at {end}: {mistake}");
        }
    }
}

#[test]
fn refuses_every_missing_and_every_doubled_line() {
    for Known { name, text, .. } in KNOWN {
        let lines = lines_of(text);
        for index in 0..lines.len() {
            let mut missing = lines.clone();
            missing.remove(index);
            assert!(read(&missing.join("\n")).is_err(), "{name} without line {}", index + 1);

            let mut doubled = lines.clone();
            doubled.insert(index, lines[index].clone());
            assert!(read(&doubled.join("\n")).is_err(), "{name} with line {} twice", index + 1);
        }
    }
}

#[test]
fn every_number_may_become_any_other() {
    let absurd =
        ["-1", "0", "1", "2", "65536", "4294967295", "4294967296", "99999999999999999999", "-9e9", "x"];
    for Known { text, .. } in KNOWN.iter().filter(|known| known.text.len() < 4000) {
        let lines = lines_of(text);
        for (index, line) in lines.iter().enumerate() {
            let tokens: Vec<&str> = line.split(' ').collect();
            for at in (0..tokens.len()).filter(|&at| tokens[at].parse::<i64>().is_ok()) {
                for number in absurd {
                    let (mut lines, mut tokens) = (lines.clone(), tokens.clone());
                    tokens[at] = number;
                    lines[index] = tokens.join(" ");
                    assert_refused_or_sound(&lines.join("\n"));
                }
            }
        }
    }
}

#[test]
fn an_absurd_count_is_refused_at_its_line_without_allocating() {
    let text = crate::known("gripper-4");
    let lines = lines_of(text);
    // Every line with a single number that is not a value: metric, layers, costs and counts.
    let state = lines.iter().position(|line| line == "begin_state").unwrap();
    let end_of_state = lines.iter().position(|line| line == "end_state").unwrap();
    let counts: Vec<usize> = (3..lines.len())
        .filter(|index| lines[*index].parse::<u32>().is_ok() && !(state..end_of_state).contains(index))
        .collect();
    let usual = allocation_counter::measure(|| drop(read(text))).bytes_max;
    for index in counts {
        for count in ["4000000000", "18446744073709551615"] {
            let mut lines = lines.clone();
            lines[index] = count.to_owned();
            let damaged = lines.join("\n");
            let mut answer = None;
            let counted = allocation_counter::measure(|| answer = Some(read(&damaged)));
            match answer.unwrap() {
                Err(mistake) => assert_eq!(mistake.line, index + 1, "{mistake}"),
                // A cost that does not count: the only number that may be anything.
                Ok(_) => assert_eq!(lines[index + 1], "end_operator"),
            }
            assert!(counted.bytes_max <= usual + 1000, "{} bytes for line {}", counted.bytes_max, index + 1);
        }
    }
}

#[test]
fn a_huge_operator_is_read_in_time() {
    // 20000 variables, all prevailing, and as many effects on one more: nothing may be quadratic.
    let many = 20_000;
    let variable = "begin_variable\nv\n-1\n2\na\nb\nend_variable\n";
    let facts: String = (0..many).map(|var| format!("{var} 0\n")).collect();
    let whens: String = (0..many).map(|var| format!("{var} 0 ")).collect();
    let effects: String = (0..many).map(|var| format!("1 {var} 0 {many} -1 1\n")).collect();
    let text = format!(
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{}\n{}0\nbegin_state\n{}end_state\n\
         begin_goal\n1\n{many} 1\nend_goal\n1\nbegin_operator\nall\n{many}\n{facts}{}\n{effects}\
         {many} {whens}{many} -1 1\n1\nend_operator\n0\n",
        many + 1,
        variable.repeat(many + 1),
        "0\n".repeat(many + 1),
        many + 1,
    );
    assert_sound(&read(&text).unwrap());
}

/// One wound to a text.
#[derive(Clone, Debug)]
enum Wound {
    Digit(usize, u8),
    Delete(usize),
    Double(usize),
    Swap(usize, usize),
    Write(usize, String),
    Byte(usize, char),
    Cut(usize),
}

impl Wound {
    fn inflict(&self, text: &mut String) {
        let mut lines = lines_of(text);
        let count = lines.len().max(1);
        match self {
            Wound::Digit(at, digit) => {
                let places: Vec<usize> = text
                    .bytes()
                    .enumerate()
                    .filter(|(_, byte)| byte.is_ascii_digit())
                    .map(|(at, _)| at)
                    .collect();
                if let Some(&place) = places.get(at % places.len().max(1)) {
                    text.replace_range(place..=place, &digit.to_string());
                }
                return;
            }
            Wound::Byte(at, char) => {
                let place = text.floor_char_boundary(at % (text.len() + 1));
                return text.insert(place, *char);
            }
            Wound::Cut(at) => return text.truncate(text.floor_char_boundary(at % (text.len() + 1))),
            _ if lines.is_empty() => return,
            Wound::Delete(line) => drop(lines.remove(line % count)),
            Wound::Double(line) => lines.insert(line % count, lines[line % count].clone()),
            Wound::Swap(one, other) => lines.swap(one % count, other % count),
            Wound::Write(line, other) => lines[line % count] = other.clone(),
        }
        *text = lines.join("\n");
    }
}

fn wounds() -> impl Strategy<Value = Wound> {
    let line = || any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
    prop_oneof![
        4 => (line(), 0..10u8).prop_map(|(at, digit)| Wound::Digit(at, digit)),
        1 => line().prop_map(Wound::Delete),
        1 => line().prop_map(Wound::Double),
        1 => (line(), line()).prop_map(|(one, other)| Wound::Swap(one, other)),
        1 => (line(), "-?[0-9]{1,20}|([0-3] ){1,8}[0-3]|(begin|end)_(state|goal|operator|rule)")
            .prop_map(|(at, text)| Wound::Write(at, text)),
        1 => (line(), any::<char>()).prop_map(|(at, char)| Wound::Byte(at, char)),
        1 => line().prop_map(Wound::Cut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wounded_problem_is_refused_or_sound(
        which in 0..KNOWN.len(),
        wounds in prop::collection::vec(wounds(), 1..5),
    ) {
        let mut text = KNOWN[which].text.to_owned();
        wounds.iter().for_each(|wound| wound.inflict(&mut text));
        assert_refused_or_sound(&text);
    }

    #[test]
    fn any_text_is_refused_or_sound(text in "(begin_version\n3\n)?(\\PC|[\n\r 0-9-]){0,60}") {
        assert_refused_or_sound(&text);
    }
}
