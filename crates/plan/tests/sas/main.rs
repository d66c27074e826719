//! SAS+ problems: those of the translator are read, written and solved; damaged ones are refused, never a panic.
//!
//! Each `problems/x.sas` was translated by Fast Downward's translator (release 26.6) from the `.pddl` files beside it:
//! `translate --sas-file x.sas domain.pddl x.pddl`.

mod damage;
mod refusals;

use std::collections::{BTreeSet, VecDeque};

use repertoire_plan::sas_plus::{SasProblem, is_sas_plus, read, write};

/// A problem of the translator and what is known of it.
struct Known {
    name: &'static str,
    text: &'static str,
    variables: usize,
    actions: usize,
    /// The fewest actions that reach the goal; `None` if it cannot be reached.
    steps: Option<usize>,
}

macro_rules! known {
    ($name:literal, $variables:literal, $actions:literal, $steps:expr) => {
        Known {
            name: $name,
            text: include_str!(concat!("problems/", $name, ".sas")),
            variables: $variables,
            actions: $actions,
            steps: $steps,
        }
    };
}

/// The steps are those of Fast Downward's own optimal search (A*, blind), actions counted as one each.
const KNOWN: [Known; 10] = [
    known!("gripper-4", 7, 34, Some(11)),
    known!("gripper-6", 9, 50, Some(17)),
    known!("blocks-4", 9, 32, Some(12)),
    known!("blocks-5", 11, 50, Some(12)),
    known!("blocks-6", 13, 72, Some(12)),
    known!("miconic-3", 7, 26, Some(10)),
    known!("miconic-4", 9, 28, Some(14)),
    known!("lamps", 7, 7, Some(5)),
    known!("cart", 9, 12, Some(10)),
    known!("bridge-unsolvable", 5, 16, None),
];

fn known(name: &str) -> &'static str {
    KNOWN.iter().find(|known| known.name == name).expect("a known name").text
}

/// A shortest plan by breadth-first search.
fn shortest_plan(problem: &SasProblem) -> Option<Vec<u32>> {
    let task = &problem.task;
    let mut seen = BTreeSet::from([problem.init.clone()]);
    let mut queue = VecDeque::from([(problem.init.clone(), Vec::new())]);
    while let Some((state, plan)) = queue.pop_front() {
        if state.iter().zip(&problem.goal).all(|(value, goal)| goal.is_none_or(|goal| goal == *value)) {
            return Some(plan);
        }
        for action in (0..task.actions().len()).filter(|&action| task.is_applicable(action, &state)) {
            let mut next = state.clone();
            task.apply(action, &mut next);
            if seen.insert(next.clone()) {
                let mut longer = plan.clone();
                longer.push(action as u32);
                queue.push_back((next, longer));
            }
        }
    }
    None
}

/// Everything a problem promises, whatever text it came from.
fn assert_sound(problem: &SasProblem) {
    let (variables, actions) = (problem.task.sizes().len(), problem.task.actions().len());
    problem.task.check_instance(&problem.init, &problem.goal).expect("facts of the task");
    assert_eq!(problem.variables.len(), variables);
    let named: Vec<usize> = problem.values.iter().map(Vec::len).collect();
    let sizes: Vec<usize> = problem.task.sizes().iter().map(|&size| size.into()).collect();
    assert_eq!(named, sizes);
    assert_eq!((problem.actions.len(), problem.costs.len()), (actions, actions));

    let written = write(problem);
    assert!(is_sas_plus(&written));
    assert_eq!(read(&written).as_ref(), Ok(problem));
}

#[test]
fn the_translators_problems_read_and_round_trip() {
    for Known { name, text, variables, actions, .. } in KNOWN {
        let problem = read(text).unwrap_or_else(|mistake| panic!("{name}: {mistake}"));
        assert_eq!((problem.task.sizes().len(), problem.actions.len()), (variables, actions), "{name}");
        assert_sound(&problem);
    }
}

#[test]
fn breadth_first_search_needs_as_many_steps_as_fast_downward() {
    for Known { name, text, steps, .. } in KNOWN {
        let problem = read(text).unwrap();
        let plan = shortest_plan(&problem);
        assert_eq!(plan.as_ref().map(Vec::len), steps, "{name}");
        assert!(plan.is_none_or(|plan| problem.task.is_plan(&plan, &problem.init, &problem.goal)), "{name}");
    }
}

#[test]
fn names_of_variables_values_and_actions_are_kept() {
    let problem = read(known("lamps")).unwrap();
    assert_eq!(problem.variables[6], "var6");
    assert_eq!(problem.values[6], ["Atom lit(l1)", "NegatedAtom lit(l1)"]);
    assert_eq!(
        problem.actions,
        ["flip s1", "flip s2", "flip s3", "flip s4", "flip s5", "flip s6", "flip s7"]
    );
}

#[test]
fn costs_count_only_with_a_metric() {
    let costly = read(known("miconic-4")).unwrap();
    let far = costly.actions.iter().position(|name| name == "up f0 f4").unwrap();
    assert_eq!(costly.costs[far], 4);

    let free = known("miconic-4").replacen("begin_metric\n1", "begin_metric\n0", 1);
    assert!(read(&free).unwrap().costs.iter().all(|&cost| cost == 1));
}

#[test]
fn conditions_of_effects_are_judged_before_the_action() {
    let problem = read(known("lamps")).unwrap();
    let flip = &problem.task.actions()[0];
    assert_eq!(flip.effects[0].when, [(6, 1)]);
    assert_eq!((flip.effects[0].pre, flip.effects[0].post), (None, 0));

    // Each lamp has two effects, one for lit and one for dark; only one of them may happen.
    let mut state = problem.init.clone();
    problem.task.apply(0, &mut state);
    assert_eq!(state, [1, 1, 1, 1, 1, 0, 1]);
    problem.task.apply(0, &mut state);
    assert_eq!(state, problem.init);
}

#[test]
fn line_ends_blank_lines_and_byte_order_marks_do_not_matter() {
    for Known { name, text, .. } in KNOWN {
        let expected = read(text);
        for variant in [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\n\n"),
            text.replace('\n', " \t\n  "),
            format!("\u{feff}{text}"),
            format!("\n\n{text}\n\n"),
            text.trim_end().to_owned(),
        ] {
            assert!(is_sas_plus(&variant), "{name}");
            assert_eq!(read(&variant), expected, "{name}");
        }
    }
}

#[test]
fn toml_is_told_apart() {
    assert!(is_sas_plus("\r\n \nbegin_version\r\n3"));
    for text in
        ["", "\n", "# begin_version\n", "begin_version = 3", "[begin_version]", "x = 1\nbegin_version\n"]
    {
        assert!(!is_sas_plus(text), "{text}");
    }
}

#[test]
fn names_that_no_line_can_hold_are_written_as_near_as_can_be() {
    let mut problem = read(known("lamps")).unwrap();
    problem.variables[0] = " two\nlines\n".into();
    problem.values[1][0] = "\t".into();
    problem.actions[2] = "end_operator".into();
    let again = read(&write(&problem)).unwrap();
    assert_eq!(again.variables[0], "two lines");
    assert_eq!(again.values[1][0], "-");
    assert_eq!(again.actions, problem.actions);
    assert_eq!(again.task, problem.task);
}
