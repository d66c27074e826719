//! What a program accepts, refuses, and learns.

use super::*;
use repertoire_prob::Cell;

fn boolean(name: &str) -> Variable {
    Variable::new(name, ["false", "true"]).unwrap()
}

fn build(variables: &[&str], factors: &[&str]) -> Result<Program, ProgramError> {
    let factors = factors.iter().map(|factor| (factor.parse().unwrap(), Form::Uniform)).collect();
    Program::new("test", variables.iter().map(|name| boolean(name)).collect(), factors)
}

#[test]
fn a_decomposition_must_be_one() {
    let refused = |variables: &[&str], factors: &[&str]| build(variables, factors).unwrap_err().to_string();
    assert!(build(&["A", "B", "C"], &["P(A B)", "P(C | A B)"]).is_ok());
    assert!(build(&["A", "B", "C", "D"], &["P(C D | B A)", "P(A B)"]).is_ok());
    assert!(refused(&["A"], &["P(A)", "P(A)"]).contains("on the left of two factors"));
    assert!(refused(&["A", "B"], &["P(A)"]).contains("add a factor P(B) with form = \"uniform\""));
    assert!(refused(&["A", "B"], &["P(A | B)", "P(B | A)"]).contains("cycle"));
    assert!(refused(&["A", "B", "C"], &["P(A B | C)", "P(C | A)"]).contains("cycle"));
    assert!(refused(&["A"], &["P(A | A)"]).contains("both sides"));
    assert!(refused(&["A"], &["P(A)", "P(a)"]).contains("did you mean `A`?"));
    assert!(refused(&["A", "A"], &["P(A)"]).contains("declared twice"));
    assert!(refused(&["A", "B"], &["P(A)", "P(B | A=true)"]).contains("leave the value out"));
}

#[test]
fn a_wrong_column_is_named_by_its_values() {
    let cells = [0.5, 0.5, 0.9, 0.2].map(Cell::Number).to_vec();
    let refused = Program::new(
        "test",
        vec![boolean("Danger"), boolean("Noise")],
        vec![
            ("P(Danger)".parse().unwrap(), Form::Uniform),
            ("P(Noise | Danger)".parse().unwrap(), Form::Table(cells)),
        ],
    )
    .unwrap_err();
    assert_eq!(refused.place, ProgramPart::Column { factor: 1, column: 1, row: None });
    assert!(refused.what.contains("more than 1") && refused.what.contains("Danger=true"), "{refused}");
}

#[test]
fn forms_that_do_not_fit_are_refused() {
    let try_form = |of: &str, form: Form| {
        Program::new(
            "test",
            vec![boolean("A"), Variable::integers("V", -1, 1).unwrap()],
            vec![("P(A)".parse().unwrap(), Form::Uniform), (of.parse().unwrap(), form)],
        )
        .map_err(|error| error.to_string())
    };
    let bell = |mean: Parameter, sd: f64| Form::Gaussian { mean, sd: Parameter::Constant(sd) };
    assert!(try_form("P(V | A)", bell(Parameter::EachColumn(vec![-1.0, 1.0]), 0.5)).is_ok());
    assert!(try_form("P(V | A)", bell(Parameter::Constant(0.0), 0.0)).unwrap_err().contains("above 0"));
    assert!(
        try_form("P(V | A)", bell(Parameter::EachColumn(vec![0.0]), 1.0))
            .unwrap_err()
            .contains("1 numbers for 2")
    );
    let on_a = Parameter::Linear { constant: 0.0, weights: vec![("A".into(), 1.0)] };
    assert!(try_form("P(V | A)", bell(on_a, 1.0)).unwrap_err().contains("not bins of a scale"));
    let on_b = Parameter::Linear { constant: 0.0, weights: vec![("B".into(), 1.0)] };
    assert!(try_form("P(V | A)", bell(on_b, 1.0)).unwrap_err().contains("not given in this factor"));
    assert!(
        try_form("P(V | A)", bell(Parameter::Constant(f64::NAN), 1.0)).unwrap_err().contains("not finite")
    );
    assert!(try_form("P(V | A)", Form::Agreement).unwrap_err().contains("two values"));
    assert!(try_form("P(V | A)", Form::Weights(vec![0.0; 6])).unwrap_err().contains("sum to 0"));
    assert!(try_form("P(V | A)", Form::OneHot(vec![3, 0])).unwrap_err().contains("one value"));
    assert!(
        try_form("P(V)", Form::Histogram { prior: 0.0, counts: vec![] }).unwrap_err().contains("Laplace")
    );
    let steep = Form::Sigmoid { middle: Parameter::Constant(1e9), slope: Parameter::Constant(1e3) };
    assert!(try_form("P(V)", steep).unwrap_err().contains("0 over every bin"));
}

#[test]
fn learning_shows_in_the_next_answer() {
    // Le Hy 2007, tables 4.5 and 4.6: the rotation learned for each direction.
    let mut program = Program::new(
        "learned following",
        vec![Variable::integers("Direction", -4, 4).unwrap(), Variable::integers("Rotation", -3, 3).unwrap()],
        vec![
            ("P(Direction)".parse().unwrap(), Form::Histogram { prior: 1.0, counts: vec![] }),
            ("P(Rotation | Direction)".parse().unwrap(), Form::Histogram { prior: 1.0, counts: vec![] }),
        ],
    )
    .unwrap();
    let column = [(-3, 6), (-2, 1)]; // direction -4
    for (rotation, times) in column {
        for _ in 0..times {
            let values = [Some(0), Some((rotation + 3) as u32)];
            assert_eq!(program.observe(&values, 1.0), Ok(2));
        }
    }
    let answer = program.ask("P(Rotation | Direction=-4)").unwrap();
    let printed: Vec<String> =
        answer.distribution.iter().map(|&p| repertoire_prob::num::significant(p, 3)).collect();
    assert_eq!(printed, ["0.5", "0.143", "0.0714", "0.0714", "0.0714", "0.0714", "0.0714"]);
    assert!((answer.p_known - 8.0 / 16.0).abs() < 1e-15);
    // Not seen: nothing is learned about it.
    assert_eq!(program.observe(&[None, Some(3)], 1.0), Ok(0));
}

#[test]
fn a_filter_carries_its_belief_and_refuses_nonsense() {
    let mut filter = crate::shipped::program("noise-filter").unwrap();
    let mut believed = vec![0.5, 0.5];
    let (stay, hear) = ([[0.98, 0.02], [0.05, 0.95]], [[0.95, 0.05], [0.6, 0.4]]);
    for noise in [1, 1, 0, 0, 0, 1] {
        // The filter by hand: predict, correct, normalise.
        let mut next: Vec<f64> = (0..2)
            .map(|now| (0..2).map(|b| believed[b] * stay[b][now]).sum::<f64>() * hear[now][noise])
            .collect();
        repertoire_prob::num::normalise(&mut next);
        let asked = filter.ask(&format!("P(Now | Noise={})", noise == 1)).unwrap();
        assert!(asked.distribution.iter().zip(&next).all(|(a, b)| (a - b).abs() < 1e-12));
        filter.set_factor(0, &asked.distribution).unwrap();
        believed = next;
    }
    let before = filter.ask("P(Now)").unwrap();
    assert!(filter.set_factor(0, &[0.9, 0.9]).is_err());
    assert!(filter.set_factor(0, &[1.0]).is_err());
    assert_eq!(filter.ask("P(Now)").unwrap(), before);
}
