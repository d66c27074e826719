//! Each kind of mistake is answered with its place and a remedy.

use repertoire_plan::sas_plus::read;

use crate::known;

/// A lamp, and a hand that lights it. Line numbers below count from its first line.
const LAMP: &str = "\
begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
lamp
-1
2
lit
dark
end_variable
begin_variable
hand
-1
3
full
free
burnt
end_variable
1
begin_mutex_group
2
0 0
1 2
end_mutex_group
begin_state
1
1
end_state
begin_goal
1
0 0
end_goal
1
begin_operator
light the lamp
1
1 1
1
0 0 1 0
7
end_operator
0
";

/// Replaces lines (counted from 1) and gives what is said about it, as `line:column: what (remedy)`.
fn said(changes: &[(usize, &str)]) -> String {
    let mut lines: Vec<&str> = LAMP.lines().collect();
    changes.iter().for_each(|&(line, text)| lines[line - 1] = text);
    match read(&lines.join("\n")) {
        Ok(_) => "nothing".into(),
        Err(mistake) => {
            format!("{}:{}: {} ({})", mistake.line, mistake.column, mistake.what, mistake.remedy)
        }
    }
}

#[track_caller]
fn assert_said(changes: &[(usize, &str)], expected: &str) {
    assert_eq!(said(changes), expected);
}

#[test]
fn the_lamp_itself_is_right() {
    assert_said(&[], "nothing");
    assert_eq!(read(LAMP).unwrap().costs, [7]);
}

#[test]
fn refuses_other_versions_and_metrics() {
    let remedy = "translate the problem with a Fast Downward that writes version 3";
    assert_said(&[(2, "4")], &format!("2:1: version `4` is not read ({remedy})"));
    assert_said(&[(5, "2")], "5:1: the metric is `2`, out of range (write a number from 0 to 1)");
}

#[test]
fn refuses_derived_variables() {
    let remedy = "translate it without axioms: write the domain without `:derived` and without `forall` in \
                  conditions, and the goal as a plain `and` of facts";
    let what = "the problem has derived variables (axioms), which are not read";
    assert_said(&[(10, "0")], &format!("10:1: {what} ({remedy})"));
    assert_said(&[(46, "1\nbegin_rule")], &format!("46:1: {what} ({remedy})"));

    let mistake = read(include_str!("problems/derived.sas")).unwrap_err();
    assert_eq!((mistake.line, mistake.what.as_str(), mistake.remedy.as_str()), (31, what, remedy));
}

#[test]
fn refuses_numbers_out_of_range() {
    assert_said(&[(10, "-2")], "10:1: the axiom layer is `-2`, out of range (write a number, -1 or more)");
    assert_said(
        &[(11, "0")],
        "11:1: the number of values is `0`, out of range (write a number from 1 to 65535)",
    );
    assert_said(
        &[(11, "65536")],
        "11:1: the number of values is `65536`, out of range (write a number from 1 to 65535)",
    );
    assert_said(&[(26, "2 0")], "26:1: the variable is `2`, out of range (write a number from 0 to 1)");
    assert_said(&[(30, "2")], "30:1: an initial value is `2`, out of range (write a number from 0 to 1)");
    assert_said(&[(35, "0 -1")], "35:3: the value is `-1`, out of range (write a number from 0 to 1)");
    assert_said(&[(41, "1 3")], "41:3: the value is `3`, out of range (write a number from 0 to 2)");
    assert_said(
        &[(43, "0 0 -2 0")],
        "43:5: the value before is `-2`, out of range (write a number from -1 to 1)",
    );
    assert_said(
        &[(43, "0 0 1 -1")],
        "43:7: the value after is `-1`, out of range (write a number from 0 to 1)",
    );
    assert_said(
        &[(44, "4294967296")],
        "44:1: the cost is `4294967296`, out of range (write a number from 0 to 4294967295)",
    );
    assert_said(
        &[(46, "-1")],
        "46:1: the number of axioms is `-1`, out of range (write a number, 0 or more)",
    );
}

#[test]
fn refuses_what_is_no_number_and_too_few_or_too_many() {
    assert_said(
        &[(44, "1.5")],
        "44:1: `1.5` stands where the cost should be (write a number from 0 to 4294967295)",
    );
    assert_said(&[(43, "0 0 1")], "43:6: the value after is missing (write a number from 0 to 1)");
    assert_said(
        &[(43, "0 0 1 0 0")],
        "43:9: `0` is one number too many (remove it, or correct the counts before)",
    );
    assert_said(&[(43, "1 0 0 1 0")], "43:10: the value after is missing (write a number from 0 to 2)");
}

#[test]
fn refuses_missing_sections_and_trailing_garbage() {
    assert_said(
        &[(29, "")],
        "30:1: `1` stands where `begin_state` should be \
         (write `begin_state` here, or correct the count of what comes before)",
    );
    assert_said(
        &[(46, "0\n\n  more")],
        "48:3: `more` follows the end (remove everything after the number of axioms)",
    );
    assert_said(
        &[(45, ""), (46, "")],
        "46:1: the file ends where end_operator should be (the file was cut short: translate the problem again)",
    );
}

#[test]
fn refuses_a_problem_without_variables() {
    assert_said(&[(7, "0")], "7:1: the problem has no variables (a problem needs at least one)");
}

#[test]
fn refuses_operators_that_contradict_themselves() {
    assert_said(
        &[(41, "0 1")],
        "43:1: `light the lamp` changes variable 0, its prevail condition \
         (remove the prevail condition, and write its value as the effect's value before)",
    );
    // Not even under a condition.
    assert!(
        said(&[(41, "0 1"), (43, "1 1 1 0 -1 0")]).starts_with("43:1: `light the lamp` changes variable 0")
    );
    assert_said(
        &[(40, "2"), (41, "1 1\n1 1")],
        "42:1: `light the lamp` has two prevail conditions on variable 1 (keep one of the two)",
    );
    assert_said(
        &[(42, "2"), (43, "0 0 1 0\n0 0 1 0")],
        "44:1: `light the lamp` has two unconditional effects on variable 0 (keep one of the two effects)",
    );
    assert_said(
        &[(42, "2"), (43, "1 1 0 0 1 0\n1 1 1 0 0 1")],
        "44:1: `light the lamp` can never be done: its effects ask for two values of variable 0 \
         (keep one of the two effects)",
    );
    assert_said(
        &[(43, "2 1 0 1 1 0 1 0")],
        "43:1: the effect has two conditions on variable 1 (keep one of the two)",
    );
    assert_said(&[(42, "0"), (43, "")], "42:1: `light the lamp` has no effect (remove the operator)");
    assert_said(
        &[(34, "2"), (35, "0 0\n0 1")],
        "36:1: the goal speaks of variable 0 twice (keep one of the two)",
    );
}

#[test]
fn takes_effects_on_one_variable_under_different_conditions() {
    assert_said(&[(42, "2"), (43, "1 1 0 0 1 0\n1 1 1 0 1 1")], "nothing");
    assert_said(&[(42, "2"), (43, "0 0 1 0\n1 1 1 0 -1 1")], "nothing");
}

#[test]
fn long_lines_are_not_quoted_in_full() {
    let mistake = read(&known("lamps").replacen("end_metric", &"é".repeat(100_000), 1)).unwrap_err();
    assert!(mistake.what.len() < 200, "{}", mistake.what);
}
