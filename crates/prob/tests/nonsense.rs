//! Calls with numbers, lengths and indices that mean nothing: each is refused with its reason, and nothing is learned from it.
//! What may panic says so under `# Panics`, and is listed at the end.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]

use repertoire_prob::chain::{Chain, ChainError, Chains, Transitions, most_likely_path};
use repertoire_prob::draw::{self, DrawError};
use repertoire_prob::histogram::HistogramError;
use repertoire_prob::hmm::baum_welch::{self, BaumWelchError, Expected, Options};
use repertoire_prob::hmm::incremental::{IncrementalBaumWelch, SoftCounts};
use repertoire_prob::hmm::{Hmm, HmmError, MISSING, Observation, ObservationError, Sequence};
use repertoire_prob::num::{log_sum_exp, normalise};
use repertoire_prob::table::{TableError, cells_over};
use repertoire_prob::{Bins, Distribution, Histogram, Stream, Table, Variable, distribution};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, -1.0];

fn panics<R>(call: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
}

#[test]
fn weights_that_are_none_are_not_drawn_from() {
    let mut rng = Stream::new(1, 0, "nonsense");
    for bad in BAD {
        let is_refused =
            |answer: Result<usize, DrawError>| matches!(answer, Err(DrawError::NotAWeight { at: 1, .. }));
        assert!(is_refused(draw::try_sample(&[1.0, bad], &mut rng)), "{bad}");
        let mut weights = [1.0, bad];
        assert!(is_refused(draw::sharpen(&mut weights, 2.0).map(|()| 0)), "{bad}");
        assert_eq!(weights[0], 1.0, "left as they were");
        assert!(is_refused(draw::sample_sharpened(&[1.0, bad], 2.0, &mut Vec::new(), &mut rng)), "{bad}");
        assert!(matches!(draw::sharpen(&mut [0.5, 0.5], bad), Err(DrawError::NotAPower(_))), "{bad}");
    }
    assert_eq!(draw::try_sample(&[], &mut rng), Err(DrawError::NothingPossible));
    assert_eq!(draw::try_sample(&[0.0; 3], &mut rng), Err(DrawError::NothingPossible));
    assert_eq!(draw::try_sample(&[f64::MAX; 3], &mut rng), Err(DrawError::TooLarge));
    assert_eq!(draw::sharpen(&mut [], 1.0), Err(DrawError::NothingPossible));
    assert_eq!(draw::arg_max(&[f64::NAN, 0.5, 0.7]), 2, "a NaN is never the greatest");
}

#[test]
fn sums_that_are_no_number_are_not_divided_by() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -2.0] {
        let mut weights = [1.0, bad];
        assert_eq!(normalise(&mut weights), 0.0, "{bad}");
        assert_eq!(weights[0], 1.0, "{bad}");
    }
    assert!(log_sum_exp(&[f64::NAN]).is_nan() && log_sum_exp(&[f64::NEG_INFINITY, f64::NAN]).is_nan());
    assert_eq!(log_sum_exp(&[f64::INFINITY, 0.0]), f64::INFINITY);
    assert_eq!(log_sum_exp(&[]), f64::NEG_INFINITY);
    assert!(distribution::entropy(&[f64::NAN, 1.0]).is_nan() && distribution::entropy(&[-0.5, 1.5]).is_nan());
    assert!(BAD.iter().all(|&bad| Distribution::new(vec![bad, 1.0]).is_err()));
}

#[test]
fn tables_have_only_the_cells_they_have() {
    let mut table = Table::uniform(&[2], &[3]).unwrap();
    assert_eq!(table.set_column(2, &[1.0, 0.0, 0.0]), Err(TableError::NoColumn { column: 2, columns: 2 }));
    assert!(table.set_column(usize::MAX, &[1.0, 0.0, 0.0]).is_err());
    assert!(BAD.iter().all(|&bad| table.set_column(0, &[bad, 0.5, 0.5]).is_err()));
    let cases: [(&[usize], &[usize]); 5] =
        [(&[2][..], &[0][..]), (&[0], &[3]), (&[], &[0]), (&[0, 0], &[0]), (&[0], &[])];
    for (given, left) in cases {
        assert_eq!(table.get(given, left), None);
    }
    assert!(Table::from_numbers(&[usize::MAX, 2], &[2], &[0.5; 2]).is_err());
    assert!(Table::from_numbers(&[0], &[2], &[]).is_err() && Table::from_numbers(&[], &[0], &[]).is_err());
    assert_eq!(cells_over([usize::MAX, 2]), None);
}

#[test]
fn bins_that_are_none_hold_nothing() {
    let bins = |edges: Vec<f64>| Bins { edges, circular: true, unit: String::new() };
    assert_eq!(bins(vec![]).bin(1.0), None);
    assert_eq!(bins(vec![1.0]).bin(1.0), None);
    assert_eq!(bins(vec![0.0, 1.0]).bin(f64::NAN), None);
    let variable = || Variable::new("v", ["a", "b"]).unwrap();
    for edges in
        [vec![], vec![0.0, 1.0], vec![0.0, f64::NAN, 1.0], vec![0.0, f64::INFINITY, 1.0], vec![2.0, 1.0, 0.0]]
    {
        assert!(variable().with_bins(bins(edges)).is_err());
    }
}

#[test]
fn a_histogram_learns_nothing_from_nonsense() {
    let mut learned = Histogram::new(2, 3);
    learned.observe(1, 2, 4.0).unwrap();
    let before = learned.clone();
    for bad in BAD {
        assert!(matches!(learned.observe(0, 0, bad), Err(HistogramError::NotACount(_))));
        assert!(matches!(Histogram::from_counts(2, bad, vec![1.0; 4]), Err(HistogramError::Prior(_))));
        assert!(matches!(Histogram::from_counts(2, 1.0, vec![1.0, bad]), Err(HistogramError::NotACount(_))));
    }
    for (given, left) in [(2, 0), (0, 3), (usize::MAX, 0), (0, usize::MAX)] {
        assert_eq!(learned.observe(given, left, 1.0), Err(HistogramError::NoSuchCase { given, left }));
    }
    assert_eq!(learned, before);
    assert!(Histogram::from_counts(2, 1.0, vec![1.0; 3]).is_err());
    assert!(Histogram::from_counts(0, 1.0, vec![]).is_err());
}

#[test]
fn a_chain_of_nonsense_is_refused_and_leaves_nothing_behind() {
    let good = Chain {
        initial: &[0.5, 0.5],
        transitions: Transitions::Constant(&[0.9, 0.1, 0.2, 0.8]),
        likelihood: &[0.5, 0.5, 0.1, 0.9],
    };
    let refused = |chain: Chain<'_>| {
        let mut chains = Chains::new();
        chains.smooth(&good).unwrap();
        let error = chains.smooth(&chain).unwrap_err();
        assert!(chains.filtered().is_empty() && chains.smoothed().is_empty(), "another chain's answer");
        // As text: a NaN in an error is not equal to itself.
        let also = [chains.forward(&chain).unwrap_err(), most_likely_path(&chain).unwrap_err()];
        assert!(also.iter().all(|other| format!("{other:?}") == format!("{error:?}")));
        error
    };
    assert_eq!(refused(Chain { initial: &[], ..good }), ChainError::NoState);
    assert!(matches!(refused(Chain { likelihood: &[0.5; 3], ..good }), ChainError::Size { found: 3, .. }));
    let short = Transitions::Constant(&[1.0; 3]);
    assert!(matches!(refused(Chain { transitions: short, ..good }), ChainError::Size { needed: 4, .. }));
    let each = Transitions::EachStep(&[0.5; 8]);
    assert!(matches!(refused(Chain { transitions: each, ..good }), ChainError::Size { needed: 4, .. }));
    for bad in BAD {
        let is_named = |error| matches!(error, ChainError::NotAProbability { at: 1, .. });
        assert!(is_named(refused(Chain { initial: &[0.5, bad], ..good })));
        assert!(is_named(refused(Chain { likelihood: &[0.5, bad, 0.5, 0.5], ..good })));
        assert!(is_named(refused(Chain {
            transitions: Transitions::Constant(&[1.0, bad, 1.0, 0.0]),
            ..good
        })));
    }
    assert_eq!(refused(Chain { likelihood: &[0.0, 0.0], ..good }), ChainError::Impossible { step: 0 });
    let mut chains = Chains::new();
    assert!(chains.pair(&good, 1, &mut [0.0; 4]).is_err(), "nothing was smoothed");
    chains.smooth(&good).unwrap();
    assert!(matches!(chains.pair(&good, 0, &mut [0.0; 4]), Err(ChainError::NoPair { step: 0, .. })));
    assert!(matches!(chains.pair(&good, 2, &mut [0.0; 4]), Err(ChainError::NoPair { step: 2, .. })));
    assert!(chains.pair(&good, 1, &mut [0.0; 3]).is_err());
    assert!(chains.pair(&Chain { likelihood: &[0.5, 0.5], ..good }, 1, &mut [0.0; 4]).is_err());
}

fn model() -> Hmm {
    let sensor = Observation { card: 2, table: vec![0.9, 0.1, 0.2, 0.8] };
    Hmm::new(vec![0.5, 0.5], vec![0.9, 0.1, 0.1, 0.9], vec![sensor]).unwrap()
}

#[test]
fn sequences_that_do_not_fit_a_model_are_refused() {
    let refused = |sequence: Sequence<'_>| {
        let (mut out, mut copy) = (Vec::new(), model());
        let why = model().likelihood(&sequence, &mut out).unwrap_err();
        assert!(out.is_empty());
        let believed = baum_welch::posteriors(&model(), &sequence).unwrap_err();
        assert_eq!(format!("{believed:?}"), format!("{why:?}"));
        let learned = baum_welch::learn(&mut copy, &[sequence], &Options::default());
        let expected = BaumWelchError::Sequence { sequence: 0, why };
        assert_eq!(format!("{:?}", learned.unwrap_err()), format!("{expected:?}"));
        assert_eq!(copy, model(), "nothing is learned");
        why
    };
    let values = &[0, 1, MISSING][..];
    // Value 2 of a sensor with two used to be read as the next state's value 0.
    let beyond = refused(Sequence { steps: 3, values: &[0, 2, 1], known: None });
    assert_eq!(beyond, ObservationError::NoSuchValue { variable: 0, value: 2, card: 2 });
    assert!(matches!(refused(Sequence { steps: 4, values, known: None }), ObservationError::Size { .. }));
    assert!(matches!(
        refused(Sequence { steps: usize::MAX, values, known: None }),
        ObservationError::Size { .. }
    ));
    assert!(matches!(
        refused(Sequence { steps: 3, values, known: Some(&[1.0; 5]) }),
        ObservationError::Size { .. }
    ));
    for bad in BAD {
        let known = [1.0, 1.0, bad, 1.0, 1.0, 1.0];
        let why = refused(Sequence { steps: 3, values, known: Some(&known) });
        assert!(matches!(why, ObservationError::NotALikelihood { at: 2, .. }));
        let options = Options { prior: bad, ..Options::default() };
        assert!(matches!(baum_welch::learn(&mut model(), &[], &options), Err(BaumWelchError::Counts(_))));
    }
    let other = Hmm::new(vec![1.0], vec![1.0], vec![]).unwrap();
    assert_eq!(Expected::of(&other).gather(&model(), &[]), Err(BaumWelchError::OtherModel));
    assert_eq!(Hmm::new(vec![], vec![], vec![]), Err(HmmError::NoState));
    assert!(BAD.iter().all(|&bad| Hmm::new(vec![bad], vec![1.0], vec![]).is_err()));
}

#[test]
fn an_infinite_likelihood_does_not_wipe_out_what_was_learned() {
    let mut learner = IncrementalBaumWelch::new(2, &[2]);
    for _ in 0..50 {
        learner.observe(&[0], Some(&[0.9, 0.1])).unwrap();
    }
    let before = learner.clone();
    for bad in BAD {
        let refused = learner.observe(&[0], Some(&[1.0, bad]));
        assert!(matches!(refused, Err(ObservationError::NotALikelihood { at: 1, .. })), "{bad}");
    }
    let no_value = Err(ObservationError::NoSuchValue { variable: 0, value: 2, card: 2 });
    assert_eq!(learner.observe(&[2], None), no_value);
    assert_eq!(learner.observe_state(None, 0, &[2]), no_value.map(|_| ()));
    assert!(learner.observe(&[], None).is_err() && learner.observe(&[0, 0], None).is_err());
    assert!(learner.observe(&[0], Some(&[1.0])).is_err() && learner.observe(&[0], Some(&[1.0; 3])).is_err());
    assert_eq!(
        learner.observe_state(None, 2, &[0]),
        Err(ObservationError::NoSuchState { state: 2, states: 2 })
    );
    assert!(learner.observe_state(Some(9), 0, &[0]).is_err());
    assert_eq!(learner, before);
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        assert!(matches!(
            SoftCounts::from_cells(2, vec![1.0, bad]),
            Err(ObservationError::NotACount { at: 1, .. })
        ));
    }
    assert!(SoftCounts::from_cells(0, vec![]).is_err() && SoftCounts::from_cells(2, vec![1.0; 3]).is_err());
    let rows = |rows: usize| SoftCounts::from_cells(2, vec![1.0; 2 * rows]).unwrap();
    assert!(IncrementalBaumWelch::from_counts(rows(3), vec![]).is_err());
    assert!(IncrementalBaumWelch::from_counts(rows(2), vec![rows(3)]).is_err());
}

#[test]
fn broken_invariants_of_the_caller_panic_as_documented() {
    let mut rng = Stream::new(1, 0, "panics");
    assert!(panics(|| draw::arg_max(&[])));
    assert!(panics(|| Distribution::uniform(0)));
    assert!(panics(|| Histogram::new(1, 0)));
    assert!(panics(|| Histogram::new(usize::MAX, 2)));
    assert!(panics(|| IncrementalBaumWelch::new(0, &[2])));
    assert!(panics(|| IncrementalBaumWelch::new(2, &[0])));
    assert!(panics(|| distribution::total_variation(&[1.0], &[0.5, 0.5])));
    assert!(panics(|| Table::uniform(&[2], &[2]).map(|table| table.probability(&[2], &[0]))));
    assert!(panics(|| Histogram::new(1, 2).column(1).to_vec()));
    assert!(panics(|| repertoire_prob::table::digits(3, &[0])));
    for weights in [&[][..], &[0.0], &[f64::NAN], &[f64::INFINITY]] {
        assert!(panics(|| draw::sample(weights, &mut rng)));
    }
}
