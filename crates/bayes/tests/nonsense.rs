//! Calls with numbers, lengths and indices that mean nothing: each is refused with its reason, and nothing is learned from it.
//! What may panic says so under `# Panics`, and is listed at the end.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use repertoire_bayes::explain::explain;
use repertoire_bayes::fusion::{
    Fused, FusionError, MotorModel, Opinion, Source, Stance, fuse, naive_motor_fusion, naive_sensor_fusion,
};
use repertoire_bayes::program::ObserveError;
use repertoire_bayes::sequence::decision::{DecideError, pick};
use repertoire_bayes::sequence::learning::{Learner, TaskCounts, batch};
use repertoire_bayes::sequence::population::{Draws, NONE, Population};
use repertoire_bayes::sequence::{Choice, shipped as behaviours};
use repertoire_bayes::{AskError, Form, Program, Question, Workspace, shipped};
use repertoire_prob::Variable;
use repertoire_prob::hmm::ObservationError;
use repertoire_prob::hmm::baum_welch::BaumWelchError;

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, -1.0];

fn panics<R>(call: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
}

fn says(says: &[f64]) -> Opinion<'_> {
    Opinion { says, stance: Stance::Prescriptive }
}

#[test]
fn opinions_of_nonsense_are_not_agreed_on() {
    let mut out = [7.0; 2];
    for bad in [f64::NAN, f64::INFINITY, -1.0, 1.5] {
        let (opinion, prior) = ([0.5, bad], [bad, 0.5]);
        let named = |what, at| Err(FusionError::NotAProbability { what, at, value: bad });
        let is_same = |a: Result<Fused, FusionError>, b: Result<Fused, FusionError>| {
            format!("{a:?}") == format!("{b:?}")
        };
        assert!(is_same(fuse(&[says(&opinion)], None, &mut out), named(Source::Opinion(0), 1)), "{bad}");
        assert!(is_same(fuse(&[says(&[0.5; 2])], Some(&prior), &mut out), named(Source::Prior, 0)), "{bad}");
        assert!(is_same(naive_sensor_fusion(None, &[&opinion], &mut out), named(Source::Opinion(0), 1)));
        let table = [0.5, 0.5, 0.5, bad];
        let model = MotorModel { sensor_prior: &[0.5; 2], command_given_sensor: &table, sensed: 0 };
        assert!(is_same(naive_motor_fusion(None, &[model], &mut out), named(Source::Opinion(0), 3)));
        let model = MotorModel { sensor_prior: &opinion, command_given_sensor: &[0.5; 4], sensed: 0 };
        assert!(is_same(naive_motor_fusion(None, &[model], &mut out), named(Source::SensorPrior(0), 1)));
    }
    let size = |what, needed, found| Err(FusionError::Size { what, needed, found });
    assert_eq!(fuse(&[says(&[1.0])], None, &mut out), size(Source::Opinion(0), 2, 1));
    assert_eq!(fuse(&[says(&[0.2; 3])], None, &mut out), size(Source::Opinion(0), 2, 3));
    assert_eq!(fuse(&[], Some(&[1.0]), &mut out), size(Source::Prior, 2, 1));
    assert_eq!(naive_sensor_fusion(None, &[&[1.0]], &mut out), size(Source::Opinion(0), 2, 1));
    let model = MotorModel { sensor_prior: &[0.5; 2], command_given_sensor: &[0.5; 3], sensed: 0 };
    assert_eq!(naive_motor_fusion(None, &[model], &mut out), size(Source::Opinion(0), 4, 3));
    let model = MotorModel { sensor_prior: &[0.5; 2], command_given_sensor: &[0.5; 4], sensed: 2 };
    let refused = naive_motor_fusion(None, &[model], &mut out);
    assert_eq!(refused, Err(FusionError::NoSuchValue { model: 0, sensed: 2, card: 2 }));
    assert_eq!(fuse(&[], None, &mut []), Err(FusionError::NoCommand));
    assert_eq!(out, [7.0; 2], "left as it was");
}

#[test]
fn a_question_is_not_answered_for_values_that_are_not_there() {
    let follow = shipped::program("target-following").unwrap();
    let danger = shipped::program("danger-sensor").unwrap();
    let turn = Question::compile(&follow, &"P(Rotation | Direction)".parse().unwrap()).unwrap();
    let mut workspace = Workspace::new();
    let mut refused =
        |program: &Program, known: &[u32]| turn.ask(program, known, &mut workspace).map(|_| ()).unwrap_err();
    assert_eq!(refused(&danger, &[0]), AskError::OtherProgram);
    assert_eq!(refused(&follow, &[]), AskError::KnownCount { needed: 1, found: 0 });
    assert_eq!(refused(&follow, &[0, 0]), AskError::KnownCount { needed: 1, found: 2 });
    assert!(matches!(refused(&follow, &[99]), AskError::KnownValue { at: 0, value: 99, .. }));
    assert!(matches!(refused(&follow, &[u32::MAX]), AskError::KnownValue { .. }));
    assert!(matches!(Question::of_ids(&follow, &[99], &[]), Err(AskError::NoSuchVariable { id: 99, .. })));
    assert!(matches!(Question::of_ids(&follow, &[0], &[u32::MAX]), Err(AskError::NoSuchVariable { .. })));
    assert!(matches!(Question::of_ids(&follow, &[], &[0]), Err(AskError::NothingSearched)));
    assert!(matches!(explain(&follow, &[0], &[(9, 0)]), Err(AskError::NoSuchVariable { .. })));
    assert!(matches!(explain(&follow, &[1], &[(0, 99)]), Err(AskError::KnownValue { .. })));
    let (mut out, mut impossible) = ([0.0; 14], Vec::new());
    let mut columns = |known: &[&[u32]], out: &mut [f64]| {
        turn.ask_columns(&follow, known, &mut Workspace::new(), out, &mut impossible).unwrap_err()
    };
    assert!(matches!(columns(&[], &mut out), AskError::KnownCount { .. }));
    assert!(matches!(columns(&[&[0]], &mut out), AskError::Columns { needed: 2, found: 1, .. }));
    assert!(matches!(columns(&[&[0; 3]], &mut out), AskError::Columns { needed: 2, found: 3, .. }));
    assert!(matches!(columns(&[&[0, 0]], &mut out[..13]), AskError::Columns { .. }));
    // A value out of range used to be answered like an impossible one.
    assert!(matches!(columns(&[&[0, 99]], &mut out), AskError::KnownValue { .. }));
}

fn learning_program() -> Program {
    let variable = |name: &str| Variable::new(name, ["a", "b"]).unwrap();
    let histogram = || Form::Histogram { prior: 1.0, counts: vec![] };
    Program::new(
        "learns",
        vec![variable("A"), variable("B")],
        vec![("P(A)".parse().unwrap(), Form::Uniform), ("P(B | A)".parse().unwrap(), histogram())],
    )
    .unwrap()
}

#[test]
fn a_program_learns_nothing_from_nonsense() {
    let mut program = learning_program();
    program.observe(&[Some(0), Some(1)], 2.0).unwrap();
    let before = program.factors()[1].cells().to_vec();
    for bad in BAD {
        assert!(matches!(program.observe(&[Some(0), Some(0)], bad), Err(ObserveError::NotAWeight(_))));
    }
    assert_eq!(program.observe(&[Some(0)], 1.0), Err(ObserveError::Size { needed: 2, found: 1 }));
    assert_eq!(
        program.observe(&[Some(0), Some(2)], 1.0),
        Err(ObserveError::NoSuchValue { id: 1, value: 2, card: 2 })
    );
    assert_eq!(program.factors()[1].cells(), before);
    assert!(program.set_factor(9, &[0.5, 0.5]).unwrap_err().what.contains("no factor 9"));
    assert!(program.set_factor(1, &[0.5; 4]).is_err(), "learned");
    assert!(program.set_factor(0, &[0.5]).is_err() && program.set_factor(0, &[f64::NAN, 0.5]).is_err());
    for bad in BAD {
        let one = |form| {
            let variable = Variable::integers("A", 0, 1).unwrap();
            Program::new("p", vec![variable], vec![("P(A)".parse().unwrap(), form)])
        };
        assert!(one(Form::Weights(vec![1.0, bad])).is_err());
        assert!(one(Form::Histogram { prior: bad, counts: vec![] }).is_err());
        assert!(one(Form::Histogram { prior: 1.0, counts: vec![1.0, bad] }).is_err());
        assert!(one(Form::OneHot(vec![7])).is_err());
    }
}

#[test]
fn decisions_are_about_values_that_a_behaviour_has() {
    let behaviour = behaviours::behaviour("prudent").unwrap();
    let (sensors, tasks) = (behaviour.sensors().len(), behaviour.tasks().len());
    let unread = vec![None; sensors];
    let refused = |previous, values: &[Option<usize>]| behaviour.try_decide(previous, values).unwrap_err();
    assert_eq!(refused(None, &[]), DecideError::Size { needed: sensors, found: 0 });
    assert_eq!(refused(Some(tasks), &unread), DecideError::NoSuchTask { task: tasks, tasks });
    // Just beyond the last value used to be read as the next task's first.
    let card = behaviour.sensors()[0].values.len();
    let mut values = unread.clone();
    values[0] = Some(card);
    assert_eq!(refused(None, &values), DecideError::NoSuchValue { sensor: 0, value: card, card });
    for bad in BAD {
        assert!(behaviour.clone().with_choice(Choice::Sharpen(bad)).is_err());
        assert!(Choice::Sharpen(bad).apply(&mut [0.5, 0.5]).is_err());
    }
    assert!(Choice::Best.apply(&mut []).is_err() && Choice::Sharpen(1.0).apply(&mut []).is_err());
}

#[test]
fn a_learner_keeps_what_it_learned_whatever_it_is_told() {
    let behaviour = behaviours::behaviour("uniform").unwrap();
    let (sensors, tasks) = (behaviour.sensors().len(), behaviour.tasks().len());
    let none = TaskCounts::none(&behaviour);
    let mut learner = Learner::new(&behaviour, &none).unwrap();
    let (values, mut explains) = (vec![0; sensors], vec![0.5; tasks]);
    explains[0] = 0.9;
    for _ in 0..20 {
        learner.observe(&values, &explains).unwrap();
    }
    let before = learner.counts();
    for bad in BAD {
        let mut nonsense = explains.clone();
        nonsense[1] = bad;
        assert!(matches!(
            learner.observe(&values, &nonsense),
            Err(ObservationError::NotALikelihood { at: 1, .. })
        ));
    }
    assert!(learner.observe(&values, &explains[1..]).is_err());
    assert!(learner.observe(&values[1..], &explains).is_err());
    assert!(learner.observe(&vec![200; sensors], &explains).is_err());
    assert!(learner.observe_task(tasks, &values).is_err());
    assert!(learner.observe_task(0, &[]).is_err());
    assert_eq!(learner.counts(), before);

    let wrong = [
        TaskCounts { prior: 0.0, ..none.clone() },
        TaskCounts { prior: f64::NAN, ..none.clone() },
        TaskCounts { transition: vec![], ..none.clone() },
        TaskCounts { transition: vec![f64::NAN; tasks * tasks], ..none.clone() },
        TaskCounts { sensors: vec![], ..none.clone() },
    ];
    for counts in wrong {
        assert!(Learner::new(&behaviour, &counts).is_err());
        assert!(behaviour.learned("x", "x", counts.clone()).is_err());
        let batched = batch(&behaviour, &counts, &[], 3, 0.1, &mut |_| {});
        assert!(matches!(batched, Err(BaumWelchError::Counts(_))));
    }
}

#[test]
fn broken_invariants_of_the_caller_panic_as_documented() {
    let behaviour = behaviours::behaviour("prudent").unwrap();
    assert!(panics(|| behaviour.decide(Some(99), &[])));
    assert!(panics(|| behaviour.after(99).to_vec()));
    assert!(panics(|| behaviour.sensors()[0].cell(0, behaviour.sensors()[0].values.len())));
    assert!(panics(|| pick(&[], 0)));
    assert!(panics(|| pick(&[0.0, f64::NAN], 0)));
    assert!(panics(|| pick(&[0.1; 300], 0)));
    let population = Population::new(&behaviour);
    let draws = Draws { seed: 1, tick: 1, first_agent: u64::MAX };
    assert!(panics(|| population.decide(draws, &[], &mut [0])));
    let column = [NONE; 3];
    let columns = vec![&column[..]; behaviour.sensors().len()];
    assert!(panics(|| population.decide(draws, &columns, &mut [0; 2])));
    assert_eq!(population.decide(draws, &columns, &mut [NONE; 3]), 0, "the last agents there can be");
    assert!(panics(|| says(&[1.0]).coherence(1)));
}
