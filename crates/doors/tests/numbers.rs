//! Numbers that mean nothing are refused, with a word on what would be right; no answer holds a made-up number.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use repertoire_doors::{DOORS, door};

/// For each door: a line with a number that means nothing, and what the refusal must say.
const REFUSED: &[(&str, &str, &str)] = &[
    // program
    (
        "program",
        r#"{"variables":["A"],"card":{"A":2},"factors":[{"left":["A"],"table":[1.5,-0.5]}],"searched":["A"]}"#,
        "from 0 to 1",
    ),
    (
        "program",
        r#"{"variables":["A"],"card":{"A":2},"factors":[{"left":["A"],"table":[0.2,0.3]}],"searched":["A"]}"#,
        "sums to 0.5",
    ),
    (
        "program",
        r#"{"variables":["A"],"card":{"A":2},"factors":[{"left":["A"],"table":[1]}],"searched":["A"]}"#,
        "its variables need [2]",
    ),
    ("program", r#"{"variables":["A"],"card":{"A":0},"factors":[],"searched":["A"]}"#, "value"),
    ("program", r#"{"variables":["A"],"card":{"A":2},"factors":[],"searched":["A"],"known":{"A":2}}"#, "`A`"),
    (
        "program",
        r#"{"variables":["A","B"],"card":{"A":2,"B":2},"factors":[],"searched":["A"],"known":{"B":2}}"#,
        "from 0 to 1",
    ),
    (
        "program",
        r#"{"variables":["A"],"card":{"A":2},"factors":[{"left":["A"],"table":[1e999,0]}],"searched":["A"]}"#,
        "out of range",
    ),
    // fusion
    ("fusion", r#"{"commands":[[1.2,-0.2]],"modes":["prescriptive"],"prior":null}"#, "command 0"),
    ("fusion", r#"{"commands":[[0.2,0.2]],"modes":["prescriptive"],"prior":null}"#, "0.4"),
    (
        "fusion",
        r#"{"commands":[[0.2,0.8],[1]],"modes":["prescriptive","inactive"],"prior":null}"#,
        "the others have 2",
    ),
    ("fusion", r#"{"commands":[[]],"modes":["prescriptive"],"prior":null}"#, "command 0"),
    ("fusion", r#"{"commands":[],"modes":[],"prior":[2]}"#, "prior"),
    ("fusion", r#"{"commands":[[1e308,1e308]],"modes":["prescriptive"],"prior":null}"#, "command 0"),
    // laplace
    ("laplace", r#"{"counts":[1,-1]}"#, "numbers from 0 up"),
    ("laplace", r#"{"counts":[1e308,1e308]}"#, "more than a double can hold"),
    ("laplace", r#"{"counts":[1e999]}"#, "out of range"),
    ("laplace", r#"{"counts":[[1,2],[3]]}"#, "its neighbours have 2"),
    ("laplace", r#"{"counts":[]}"#, "at least one number"),
    // baum-welch
    (
        "baum-welch",
        r#"{"pi":[1.5,-0.5],"A":[[1,0],[0,1]],"B":[],"sequences":[],"iterations":0}"#,
        "from 0 to 1",
    ),
    ("baum-welch", r#"{"pi":[1],"A":[[0.5]],"B":[],"sequences":[],"iterations":0}"#, "sum to 0.5, not to 1"),
    ("baum-welch", r#"{"pi":[1],"A":[[1,0]],"B":[],"sequences":[],"iterations":0}"#, "need [1, 1]"),
    ("baum-welch", r#"{"pi":[1],"A":[[1]],"B":[[[2,-1]]],"sequences":[],"iterations":0}"#, "from 0 to 1"),
    (
        "baum-welch",
        r#"{"pi":[1],"A":[[1]],"B":[[[1,0]]],"sequences":[[[2]]],"iterations":0}"#,
        "its values go up to 1",
    ),
    ("baum-welch", r#"{"pi":[1],"A":[[1]],"B":[[[1,0]]],"sequences":[[[-1]]],"iterations":0}"#, "u32"),
    (
        "baum-welch",
        r#"{"pi":[1],"A":[[1]],"B":[[[1,0]]],"sequences":[[[0,0]]],"iterations":0}"#,
        "2 values for 1 observation",
    ),
    ("baum-welch", r#"{"pi":[1],"A":[[1]],"B":[],"sequences":[],"iterations":100001}"#, "at most 100000"),
    ("baum-welch", r#"{"pi":[],"A":[],"B":[],"sequences":[],"iterations":0}"#, "state"),
    // incremental-baum-welch
    (
        "incremental-baum-welch",
        r#"{"states":0,"cards":[2],"observations":[],"task_likelihood":null}"#,
        "at least 1",
    ),
    (
        "incremental-baum-welch",
        r#"{"states":2,"cards":[2],"observations":[[2]],"task_likelihood":null}"#,
        "its values go up to 1",
    ),
    (
        "incremental-baum-welch",
        r#"{"states":2,"cards":[2],"observations":[[0]],"task_likelihood":[[0.5,-0.5]]}"#,
        "finite numbers from 0 up",
    ),
    (
        "incremental-baum-welch",
        r#"{"states":2,"cards":[2],"observations":[[0]],"task_likelihood":[[0.5]]}"#,
        "needs 2",
    ),
    (
        "incremental-baum-welch",
        r#"{"states":2,"cards":[2],"observations":[[0]],"task_likelihood":[]}"#,
        "0 task likelihoods for 1 steps",
    ),
    (
        "incremental-baum-welch",
        r#"{"states":4294967295,"cards":[2],"observations":[],"task_likelihood":null}"#,
        "too large",
    ),
    // plan
    ("plan", r#"{"dom":[2],"actions":[],"init":[2],"goal":[1]}"#, "there is no value 2 of variable 0"),
    ("plan", r#"{"dom":[2],"actions":[],"init":[0,0],"goal":[1]}"#, "2 values for 1 variables"),
    ("plan", r#"{"dom":[2],"actions":[],"init":[0],"goal":[]}"#, "0 values for 1 variables"),
    ("plan", r#"{"dom":[0],"actions":[],"init":[0],"goal":[null]}"#, "value"),
    (
        "plan",
        r#"{"dom":[2],"actions":[{"var":1,"pre":0,"post":1}],"init":[0],"goal":[1]}"#,
        "there is no value 1 of variable 1",
    ),
    (
        "plan",
        r#"{"dom":[2],"actions":[{"var":0,"pre":0,"post":2}],"init":[0],"goal":[1]}"#,
        "there is no value 2 of variable 0",
    ),
    ("plan", r#"{"dom":[65536],"actions":[],"init":[0],"goal":[1]}"#, "u16"),
    ("plan", r#"{"dom":[2],"actions":[],"init":[0],"goal":[1],"budget":-1}"#, "u64"),
    (
        "plan",
        r#"{"dom":[2],"actions":[],"init":[null],"once":[2],"goal":[1]}"#,
        "there is no value 2 of variable 0",
    ),
    ("plan", r#"{"dom":[2],"actions":[],"init":[null],"once":[0,0],"goal":[1]}"#, "2 values for 1 variables"),
    ("plan", r#"{"dom":[2],"actions":[{"var":0,"pre":65535,"post":1}],"init":[0],"goal":[1]}"#, "65535"),
    ("plan", r#"{"dom":[2],"actions":[{"var":0,"pre":0,"post":1,"cost":-1}],"init":[0],"goal":[1]}"#, "u32"),
    // population
    (
        "population",
        r#"{"domain":"western","groups":[{"class":"Sheriff","states":[[0,9,0,0]]}]}"#,
        "there is no value 9 of variable 1",
    ),
    (
        "population",
        r#"{"domain":"western","groups":[{"class":"Sheriff","states":[[0]]}]}"#,
        "1 values for 4 variables",
    ),
    ("population", r#"{"domain":"western","groups":[{"class":"Sheriff","states":[[-1]]}]}"#, "u16"),
    // sequence
    ("sequence", r#"{"behaviour":"prudent","sensors":{"health":-1}}"#, "there is no value of health `-1`"),
    ("sequence", r#"{"behaviour":"prudent","sensors":{"health":1e999}}"#, "out of range"),
    ("sequence", r#"{"behaviour":"prudent","sensors":{"health":[]}}"#, "is not a name"),
    ("sequence", r#"{"behaviour":{"tasks":["a"],"transition":{"a":{"a":1.5}}}}"#, "behaviour:"),
    // character
    (
        "character",
        r#"{"character":{"tasks":["eat","flee"],"stay":0.7,"sensors":{"wolf":["away","near"]},"likelihood":{"wolf":{"away":["x",0.1],"near":[0.01,"x"]}}},"sensors":{"wolf":[0.5,0.6]}}"#,
        "wolf",
    ),
    // motivation
    ("motivation", r#"{"evaluator":"pref","pi":[-1]}"#, "from 0 up"),
    ("motivation", r#"{"evaluator":"time","theta":1,"cost":2}"#, "above 1"),
    ("motivation", r#"{"evaluator":"time","theta":1e999,"cost":2}"#, "out of range"),
    ("motivation", r#"{"evaluator":"influence","max":-1,"centre":0,"slope":1,"x":0}"#, "from 0 up"),
    ("motivation", r#"{"evaluator":"influence","max":1,"centre":0,"slope":0,"x":0}"#, "must not be 0"),
    ("motivation", r#"{"evaluator":"multi","nb":0}"#, "at least one goal"),
    ("motivation", r#"{"evaluator":"reputation","theta":1e308,"reputation":1e308}"#, "too large"),
    // rooms
    ("rooms", r#"{"scenario":"6.2","steps":100001}"#, "at most 100000"),
    ("rooms", r#"{"scenario":"6.2","seed":-1}"#, "u64"),
    ("rooms", r#"{"scenario":"6.2","profile":{"preferences":{"break":-1}}}"#, "break"),
    ("rooms", r#"{"scenario":"6.2","profile":{"time":0.5}}"#, "above 1"),
    // belief
    ("belief", r#"{"mu":[1.5,-0.5],"transition":[[0,1],[1,0]],"duration":[[1],[1]],"likelihood":[]}"#, "mu"),
    ("belief", r#"{"mu":[1],"transition":[[0.5]],"duration":[[1]],"likelihood":[]}"#, "transition[0]"),
    ("belief", r#"{"mu":[1],"transition":[[0]],"duration":[[-1,2]],"likelihood":[]}"#, "duration[0]"),
    ("belief", r#"{"mu":[1],"transition":[[0,0]],"duration":[[1]],"likelihood":[]}"#, "transition"),
    (
        "belief",
        r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"likelihood":[[-1]]}"#,
        "finite and not negative",
    ),
    ("belief", r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"likelihood":[[1,1]]}"#, "1 are needed"),
    ("belief", r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"likelihood":[[1e999]]}"#, "out of range"),
    (
        "belief",
        r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"opponents":1,"visible":[[1.5]],"seen_counts":[[0]]}"#,
        "from 0 to 1",
    ),
    (
        "belief",
        r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"opponents":1001,"visible":[],"seen_counts":[]}"#,
        "at most 1000",
    ),
    (
        "belief",
        r#"{"mu":[1],"transition":[[0]],"duration":[[1]],"opponents":1,"visible":[[1]],"seen_counts":[[-1]]}"#,
        "u32",
    ),
    // mind
    ("mind", r#"{"transition":[],"previous":null}"#, "no task"),
    ("mind", r#"{"transition":[[1]],"previous":1}"#, "there is no task 1"),
    ("mind", r#"{"transition":[[0.5,0.6],[0.5,0.5]],"previous":0}"#, "transition 0"),
    ("mind", r#"{"transition":[[1,0]],"previous":0}"#, "2 numbers for 1 tasks"),
    (
        "mind",
        r#"{"transition":[[1]],"previous":0,"sensors":[{"likelihood":[[0.5,0.5]],"reading":2}]}"#,
        "there is no value 2",
    ),
    (
        "mind",
        r#"{"transition":[[1]],"previous":0,"sensors":[{"likelihood":[[0.5,0.5]],"reading":[0.5,0.1]}]}"#,
        "sum to 0.6",
    ),
    (
        "mind",
        r#"{"transition":[[1]],"previous":0,"opinions":[{"values":[1.5],"stance":"prescriptive"}]}"#,
        "from 0 to 1",
    ),
    (
        "mind",
        r#"{"transition":[[1]],"previous":0,"opinions":[{"values":[1],"stance":"prescriptive","weight":-1}]}"#,
        "a weight of -1",
    ),
    // emd
    ("emd", r#"{"p":[1,-1],"q":[1,0]}"#, "from 0 up"),
    ("emd", r#"{"p":[1],"q":[1,0]}"#, "as many"),
    ("emd", r#"{"p":[0],"q":[1]}"#, "something to carry"),
    ("emd", r#"{"p":[1e999],"q":[1]}"#, "out of range"),
    // town
    ("town", r#"{"town":"western","inhabitants":0}"#, "1 to 1000000 are answered"),
    ("town", r#"{"town":"western","inhabitants":4294967295}"#, "1 to 1000000 are answered"),
    ("town", r#"{"town":"western","seed":-1}"#, "u64"),
    ("town", r#"{"town":"western","inhabitants":60,"why":[60]}"#, "nobody has this number"),
    ("town", r#"{"town":"western","inhabitants":60,"at":"day 99999999 00:00"}"#, "no moment"),
    ("town", r#"{"town":"western","inhabitants":60,"at":"day 90000 00:00"}"#, "too far for one line"),
    ("town", r#"{"town":"western","inhabitants":60,"events":["day 1 10:00 price forge x999999"]}"#, "remedy"),
    // gng
    ("gng", r#"{"points":[[0,0,1e300]]}"#, "up to 1e12"),
    ("gng", r#"{"points":[[0,0]]}"#, "array of length 3"),
    ("gng", r#"{"points":[],"params":{"a1":-1}}"#, "from 0 to 1"),
    ("gng", r#"{"points":[],"params":{"a2":2}}"#, "from 0 to 1"),
    ("gng", r#"{"points":[],"params":{"decay":-1}}"#, "decay"),
    ("gng", r#"{"points":[],"params":{"err":-1}}"#, "err"),
    ("gng", r#"{"points":[],"params":{"age":-1}}"#, "age"),
];

#[test]
fn numbers_that_mean_nothing_are_refused_in_words() {
    let mut wrong = Vec::new();
    for (name, line, said) in REFUSED {
        match door(name).unwrap().answer(line) {
            Ok(answer) => wrong.push(format!("{name}: {line}\n    answered {answer}")),
            Err(error) if !error.to_string().contains(said) => {
                wrong.push(format!("{name}: {line}\n    refused with: {error}"));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for door in &DOORS {
        assert!(
            REFUSED.iter().any(|(name, ..)| *name == door.name) || door.name == "chameleon",
            "{}",
            door.name
        );
    }
}

/// The line of the door's example with one text replaced.
fn with(name: &str, from: &str, to: &str) -> String {
    let example = door(name).unwrap().example;
    assert!(example.contains(from), "{from}");
    example.replacen(from, to, 1)
}

#[test]
fn chameleon_refuses_numbers_that_mean_nothing() {
    for (from, to, said) in [
        (r#""theta":[[1,1]]"#, r#""theta":[[-1,1]]"#, "attention"),
        (r#""theta":[[1,1]]"#, r#""theta":[[1]]"#, "2 are needed"),
        (r#""theta":[[1,1]]"#, r#""theta":[[1e300,1]]"#, "attention"),
        (r#""theta":[[1,1]]"#, r#""theta":[[1e999,1]]"#, "out of range"),
        (r#""m1":[[[0.6,0.4]"#, r#""m1":[[[1.6,-0.6]"#, "no probability"),
        (r#""m1":[[[0.6,0.4]"#, r#""m1":[[[0.6,0.6]"#, "1.2"),
        (r#""D":2"#, r#""D":0"#, "decision"),
        (r#""D":2"#, r#""D":18446744073709551615"#, "1 to 256 are"),
        (r#""H":[2]"#, r#""H":[0]"#, "value"),
        (r#""H":[[0],[1],[1]]"#, r#""H":[[2],[1],[1]]"#, "tick 0"),
        (r#""H":[[0],[1],[1]]"#, r#""H":[[0],[1]]"#, "ticks"),
        (r#""K":[[1],[1],[0]]"#, r#""K":[[0.5],[1],[0]]"#, "write 0 or 1"),
        (r#""L":[[0],[1],[0]]"#, r#""L":[[-1],[1],[0]]"#, "L holds -1: values go from 0 up"),
        (r#""attention":"ml""#, r#""attention":{"gamma":[0.5,1]}"#, "a is at least 1"),
        (r#""iterations":2"#, r#""iterations":100001"#, "at most 100000"),
    ] {
        let line = with("chameleon", from, to);
        match door("chameleon").unwrap().answer(&line) {
            Ok(answer) => panic!("{to}: answered {answer}"),
            Err(error) => assert!(error.to_string().contains(said), "{to}: {error}"),
        }
    }
}

/// Numbers at the edge of what a double holds: answered or refused, never with null in the place of a number.
#[test]
fn large_and_small_numbers_make_no_holes_in_answers() {
    for (name, line) in [
        (
            "fusion",
            r#"{"commands":[[1e-320,1],[1e-320,1]],"modes":["prescriptive","prescriptive"],"prior":null}"#,
        ),
        ("laplace", r#"{"counts":[1e308,5e307]}"#),
        ("laplace", r#"{"counts":[[1e308,1e-320],[0,0]]}"#),
        ("emd", r#"{"p":[1e308,1e308],"q":[1e-320,0]}"#),
        ("emd", r#"{"p":[1e308,0,1e308],"q":[0,1e-320,0],"circular":false}"#),
        (
            "belief",
            r#"{"mu":[0.5,0.5],"transition":[[0,1],[1,0]],"duration":[[1],[1]],"likelihood":[[1e308,1e308],[1e-320,1e-320]],"look_back":true,"share":true}"#,
        ),
        (
            "belief",
            r#"{"mu":[0.5,0.5],"transition":[[0,1],[1,0]],"duration":[[1],[1]],"likelihood":[[1e308,1e-320],[1e308,1e-320]],"look_back":true}"#,
        ),
        (
            "incremental-baum-welch",
            r#"{"states":2,"cards":[2],"observations":[[0],[1],[0]],"task_likelihood":[[1e308,1e308],[1e308,1e-320],[1e-320,1e-320]]}"#,
        ),
        (
            "incremental-baum-welch",
            r#"{"states":3,"cards":[2],"observations":[[0],[1],[0]],"task_likelihood":[[1e308,1e308,1e308],[0,0,0],[1e-320,0,0]]}"#,
        ),
        (
            "gng",
            r#"{"points":[[1e12,1e12,1e12],[-1e12,-1e12,-1e12],[0,0,0],[1e12,0,0]],"params":{"err":0,"decay":1e308}}"#,
        ),
        (
            "gng",
            r#"{"points":[[1e12,1e12,1e12],[-1e12,-1e12,-1e12],[0,0,0],[1e12,0,0]],"params":{"err":1e308,"age":1e308}}"#,
        ),
        ("motivation", r#"{"evaluator":"influence","max":1e308,"centre":-1e308,"slope":1e-308,"x":1e308}"#),
        ("motivation", r#"{"evaluator":"opportunism","theta":1.0000000000000002,"dist":1e308}"#),
        ("motivation", r#"{"evaluator":"pref","pi":[1e-320,1e308]}"#),
        ("motivation", r#"{"evaluator":"multi","nb":4294967295}"#),
        (
            "baum-welch",
            r#"{"pi":[1e-320,1],"A":[[1,0],[1e-320,1]],"B":[[[1,0],[1e-320,1]]],"sequences":[[[0],[0],[0]]],"iterations":3}"#,
        ),
        (
            "program",
            r#"{"variables":["A","B"],"card":{"A":2,"B":2},"factors":[{"left":["A"],"table":[1e-320,1]},{"left":["B"],"given":["A"],"table":[[1,0],[0,1]]}],"searched":["A"],"known":{"B":0}}"#,
        ),
    ] {
        match door(name).unwrap().answer(line) {
            Ok(answer) => assert!(!answer.contains("null"), "{name}: {line}\n  {answer}"),
            Err(error) => println!("{name}: {line}\n  refused: {error}"),
        }
    }
}
