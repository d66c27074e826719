//! Learning as a whole: known teachers are found again.

use repertoire_prob::Stream;
use repertoire_prob::num::ln;

use crate::layout::Layout;
use crate::learn::{EmSettings, from_params, from_scratch};
use crate::maximise::Attention;
use crate::params::Params;
use crate::pass::Pass;
use crate::synthetic::{World, play, teacher};
use crate::{Learned, Model, Sequence, learn};

const MODEL: &str = r#"
name = "teacher"
decisions = 3
[high.health]
edges = [35, 70]
[high.enemies]
edges = [1, 2]
[high.weapon]
values = ["weak", "strong"]
[low.player]
axes = [{ of = "yaw", edges = [-30, 0, 30] }]
[low.item]
axes = [{ of = "yaw", edges = [-30, 0, 30] }]
[low.ray]
axes = [{ of = "distance", edges = [1, 2] }]
[reflexive.weapon]
values = ["weak", "medium", "strong"]
[external.yaw]
edges = [-10, 0, 10]
[external.walk]
values = ["back", "none", "ahead"]
[external.fire]
values = ["no", "yes"]
"#;

fn model() -> Model {
    crate::model::read(MODEL).unwrap()
}

fn lives(layout: &Layout, teacher: &Params, count: usize, stream: &mut Stream) -> Vec<Sequence> {
    (0..count).map(|_| play(layout, teacher, World::default(), stream)).collect()
}

fn mean(layout: &Layout, params: &Params, sequences: &[Sequence]) -> f64 {
    let mut pass = Pass::new();
    let ticks: usize = sequences.iter().map(Sequence::len).sum();
    sequences.iter().map(|one| pass.forward(layout, params, one).unwrap()).sum::<f64>() / ticks as f64
}

/// Correlation of logarithms.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|&x| ln(x)).collect() };
    let (a, b) = (logs(a), logs(b));
    let centre = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (ma, mb) = (centre(&a), centre(&b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&x, &y)| f(x - ma, y - mb)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
fn true_attention_is_found_from_true_tables() {
    let model = model();
    let layout = model.layout();
    let mut stream = Stream::new(3, 0, "recover");
    let truth = teacher(layout, &mut stream);
    let sequences = lives(layout, &truth, 50, &mut stream);
    let mut start = truth.clone();
    start.theta.fill(1.0);
    start.weights.iter_mut().for_each(|weights| weights.fill(1.0));
    let settings = EmSettings {
        iterations: 120,
        least_gain: 0.0,
        attention: Attention::LIKELIEST,
        virtual_counts: 0.0,
        ..EmSettings::default()
    };
    let run = from_params(layout, start, &sequences, &settings, &|_| {}).unwrap();
    assert!(run.log_likelihood.windows(2).all(|pair| pair[1] >= pair[0] - 1e-7));
    // Up to one factor for all of it, which changes nothing.
    assert!(correlation(&run.params.theta, &truth.theta) > 0.9, "{:?} {:?}", run.params.theta, truth.theta);
    for decision in 0..3 {
        let of =
            |params: &Params| params.weights[0].iter().skip(decision).step_by(3).copied().collect::<Vec<_>>();
        let found = correlation(&of(&run.params), &of(&truth));
        assert!(found > 0.9, "decision {decision}: {found}");
    }
}

#[test]
fn learned_attention_explains_unseen_play_better_than_fixed() {
    let model = model();
    let layout = model.layout();
    let (mut fixed, mut learned, mut true_attention, mut best) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..3 {
        let mut stream = Stream::new(seed, 0, "attention");
        let truth = teacher(layout, &mut stream);
        let (seen, unseen) = (lives(layout, &truth, 20, &mut stream), lives(layout, &truth, 20, &mut stream));
        let with = |attention: Attention| EmSettings {
            attention,
            virtual_counts: 0.5,
            starts: 3,
            ..EmSettings::default()
        };
        let judge = |run: &crate::Run| mean(layout, &run.params, &unseen);
        best += mean(layout, &truth, &unseen);
        fixed += judge(&from_scratch(&model, &seen, &with(Attention::Fixed), &|_| {}).unwrap());
        learned += judge(&from_scratch(&model, &seen, &with(Attention::LEARNED), &|_| {}).unwrap());
        let start = Params {
            theta: truth.theta.clone(),
            weights: truth.weights.clone(),
            ..Params::random(layout, &mut stream)
        };
        true_attention +=
            judge(&from_params(layout, start, &seen, &with(Attention::Fixed), &|_| {}).unwrap());
    }
    let below = |sum: f64| (sum - best) / 3.0;
    println!(
        "below the truth: fixed {:.3}, true {:.3}, learned {:.3}",
        below(fixed),
        below(true_attention),
        below(learned)
    );
    assert!(learned > fixed, "learned {}, fixed {}", below(learned), below(fixed));
}

#[test]
fn going_on_keeps_what_was_learned_and_adds_to_it() {
    let model = model();
    let layout = model.layout();
    let mut stream = Stream::new(9, 0, "go on");
    let truth = teacher(layout, &mut stream);
    let (first, second, unseen) = (
        lives(layout, &truth, 10, &mut stream),
        lives(layout, &truth, 20, &mut stream),
        lives(layout, &truth, 20, &mut stream),
    );
    let settings = EmSettings::default();
    let before = learn(&model, &first, &settings, &|_| {}).unwrap();
    let after = before.go_on(&second, &settings, &|_| {}).unwrap();
    assert_eq!(after.lives, 30);
    assert!((after.counts().ticks - 3000.0).abs() < 1e-6);
    let judge = |learned: &Learned| mean(layout, learned.params(), &unseen);
    assert!(judge(&after) > judge(&before), "{} after {}", judge(&after), judge(&before));
    let file = serde_json::to_string(&before.to_file()).unwrap();
    let restored = Learned::from_file(serde_json::from_str(&file).unwrap()).unwrap();
    assert_eq!(restored, before);
    assert_eq!(
        restored.go_on(&second, &settings, &|_| {}).unwrap(),
        after,
        "a saved character goes on the same"
    );
}

#[test]
fn a_student_learns_while_the_teacher_plays() {
    let model = model();
    let layout = model.layout().clone();
    let mut stream = Stream::new(10, 0, "online");
    let truth = teacher(&layout, &mut stream);
    let unseen = lives(&layout, &truth, 10, &mut stream);
    let settings = EmSettings { iterations: 5, least_gain: 0.0, ..EmSettings::default() };
    let mut student = crate::online::OnlineLearner::new(model, settings, 50);
    let mut judged = Vec::new();
    for life in lives(&layout, &truth, 20, &mut stream) {
        for t in 0..life.len() {
            let low: Vec<Option<u16>> = (0..layout.slots().len()).map(|slot| life.low(t, slot)).collect();
            let learned =
                student.see(life.high(t), &low, life.reflexive(t), |f, slot| life.external(t, f, slot));
            assert_eq!(learned, Ok(t % 50 == 49), "learns every 50 ticks, in mid-life");
        }
        student.end_life().unwrap();
        judged.push(mean(&layout, student.learned().params(), &unseen));
    }
    assert_eq!(student.learned().lives, 20);
    assert!(judged[19] > judged[0] + 0.2, "{judged:?}");
}

#[test]
fn the_number_of_decisions_is_chosen_on_sequences_kept_aside() {
    let model = model();
    let layout = model.layout();
    let mut stream = Stream::new(2, 0, "decisions");
    let truth = teacher(layout, &mut stream);
    let sequences = lives(layout, &truth, 24, &mut stream);
    let settings = EmSettings { starts: 2, ..EmSettings::default() };
    let judged = crate::decisions::judge(&model, &sequences, &[1, 3, 10], 4, &settings, &|_| {}).unwrap();
    assert!(
        judged[2].learned_from > judged[1].learned_from,
        "more decisions always explain what was learned from better"
    );
    assert!(
        judged[1].kept_aside > judged[0].kept_aside && judged[1].kept_aside > judged[2].kept_aside,
        "{:?}",
        judged.iter().map(|one| one.kept_aside).collect::<Vec<_>>()
    );
}

#[test]
fn the_teachers_reaction_time_is_found() {
    let model = model();
    let layout = model.layout();
    let mut stream = Stream::new(4, 0, "reaction");
    let truth = teacher(layout, &mut stream);
    let world = World { ticks: 80, changing: 0.5, unknown: 0.1 };
    // Lives answer after 1 tick or after 3.
    let late = |life: &Sequence, delay: usize| {
        let mut out = Sequence::new(layout);
        for t in 0..life.len() {
            let done = t.saturating_sub(delay);
            let low: Vec<Option<u16>> = (0..layout.slots().len()).map(|slot| life.low(t, slot)).collect();
            out.push(layout, life.high(t), &low, life.reflexive(done), |f, slot| {
                life.external(done, f, slot)
            })
            .unwrap();
        }
        out
    };
    let sequences: Vec<Sequence> = (0..40)
        .map(|k| late(&play(layout, &truth, world, &mut stream), if k % 4 == 0 { 3 } else { 1 }))
        .collect();
    let settings = EmSettings { starts: 1, iterations: 40, ..EmSettings::default() };
    let by_delay = crate::reaction::shifted(&sequences, 4);
    assert!(by_delay.iter().flatten().all(|life| life.len() == 76));
    let found = crate::reaction::reaction(&model, &by_delay, &settings, &|_, _| {}).unwrap();
    assert_eq!(found.likeliest, 1, "{:?}", found.curve);
    let shares = &found.delay.ticks;
    assert!((shares[1] - 0.75).abs() < 0.07 && (shares[3] - 0.25).abs() < 0.07, "{shares:?}");
    assert_eq!(found.learned.delay.mistake(), None);
}

#[test]
fn a_value_never_met_stands_for_the_nearest_that_was() {
    let model = model();
    let layout = model.layout();
    let player = &model.low()[0];
    assert_eq!(crate::stand_in::nearest_met(player, &[0.0, 5.0, 0.0, 9.0]), Some(vec![1, 1, 3, 3]));
    assert_eq!(crate::stand_in::nearest_met(player, &[0.0; 4]), None);
    // Play in which the player is never straight ahead, and never at all for the ray.
    let mut stream = Stream::new(6, 0, "never met");
    let truth = teacher(layout, &mut stream);
    let mut sequences = Vec::new();
    for life in lives(layout, &truth, 10, &mut stream) {
        let mut cut = Sequence::new(layout);
        for t in 0..life.len() {
            let low = [life.low(t, 0).filter(|&value| value != 2), life.low(t, 1), None];
            cut.push(layout, life.high(t), &low, life.reflexive(t), |f, slot| life.external(t, f, slot))
                .unwrap();
        }
        sequences.push(cut);
    }
    let learned = learn(&model, &sequences, &EmSettings::default(), &|_| {}).unwrap();
    let params = learned.params();
    params.check(layout).unwrap();
    let nearest = if learned.counts().low_met[1] > learned.counts().low_met[3] { 1 } else { 3 };
    for decision in 0..3 {
        assert_eq!(params.external(layout, 0, 2, decision), params.external(layout, 0, nearest, decision));
    }
    let ray = layout.low_row(2, 0);
    assert_eq!(
        params.external(layout, 0, ray, 1),
        params.external(layout, 0, ray + 1, 1),
        "a kind never met acts as its decision does"
    );
}
