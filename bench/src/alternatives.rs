//! What one would do without the engine.

use anyhow::{Result, bail};
use repertoire_bayes::Workspace;
use repertoire_prob::Stream;
use repertoire_prob::hmm::baum_welch::{Options, learn};
use repertoire_prob::hmm::incremental::IncrementalBaumWelch;
use repertoire_prob::hmm::{Hmm, Observation, Sequence};
use repertoire_prob::num::normalise;

use crate::Line;
use crate::scenario::{Scenario, assignments};
use crate::timing::ns_per;

/// Summing the whole joint distribution, where it is small enough; the answers are compared too.
pub fn enumeration(scenario: &Scenario, quick: bool) -> Result<Option<f64>> {
    let Some(all) = assignments(scenario, 0, 1 << 16) else { return Ok(None) };
    let program = &scenario.program;
    let (searched, card) = (scenario.question.searched()[0] as usize, scenario.question.searched_cards()[0]);
    let mut answer = vec![0.0; card];
    let ns = ns_per(1, if quick { 1 } else { 21 }, || {
        answer.fill(0.0);
        for values in &all {
            let mut p = 1.0;
            for factor in program.factors() {
                let scope = factor.given().iter().chain(factor.left());
                let at = scope
                    .fold(0, |at, &id| at * program.variables()[id as usize].card() + values[id as usize]);
                p *= factor.cells()[at];
            }
            answer[values[searched]] += p;
        }
        normalise(&mut answer)
    });
    let ours = scenario.answer(0, &mut Workspace::new())?.unwrap_or_default();
    if ours.iter().zip(&answer).any(|(a, b)| (a - b).abs() > 1e-12) {
        bail!("{}: the engine says {ours:?}, the joint {answer:?}", scenario.name);
    }
    Ok(Some(ns))
}

/// The loop a game programmer would write for this one program: a product of seven table rows.
pub fn by_hand(scenario: &Scenario, quick: bool) -> Result<f64> {
    let factors = scenario.program.factors();
    let transition = factors[1].cells();
    // P(sensor | task), laid out [task][value].
    let sensors: Vec<(&[f64], usize)> =
        factors[2..].iter().map(|factor| (factor.cells(), factor.cells().len() / 6)).collect();
    let decide = |known: &[u32], out: &mut [f64; 6]| {
        out.copy_from_slice(&transition[known[0] as usize * 6..][..6]);
        for ((table, card), &value) in sensors.iter().zip(&known[1..]) {
            out.iter_mut().enumerate().for_each(|(task, p)| *p *= table[task * card + value as usize]);
        }
        normalise(out)
    };
    let mut out = [0.0; 6];
    let ns = ns_per(scenario.askings, if quick { 3 } else { 301 }, || {
        (0..scenario.askings).map(|asking| decide(scenario.known(asking), &mut out) + out[0]).sum()
    });
    let mut workspace = Workspace::new();
    for asking in 0..scenario.askings {
        decide(scenario.known(asking), &mut out);
        let ours = scenario.answer(asking, &mut workspace)?.unwrap_or_else(|| vec![0.0; 6]);
        if ours.iter().zip(&out).any(|(a, b)| (a - b).abs() > 1e-12) {
            bail!("{}: the engine says {ours:?}, the loop {out:?}", scenario.name);
        }
    }
    Ok(ns)
}

/// Learning the sequencing model: one observation incrementally, against an iteration of batch Baum-Welch over it, and
/// against the ten a second that the thesis reports (section 4.4.3, on a Pentium IV).
pub fn learning(quick: bool) -> Vec<Line> {
    let steps = if quick { 200 } else { 3_500 };
    let cards = [3, 3, 3, 2, 3, 2, 2];
    let mut rng = Stream::new(5, 0, "play");
    let values: Vec<u32> =
        (0..steps).flat_map(|_| cards.map(|card| (rng.unit() * card as f64) as u32)).collect();
    let known: Vec<f64> = (0..steps * 6).map(|_| 0.05 + rng.unit()).collect();
    let rounds = if quick { 1 } else { 31 };
    let mut learner = IncrementalBaumWelch::new(6, &cards);
    let mut play = || {
        for t in 0..steps {
            let seen = learner.observe(&values[t * 7..][..7], Some(&known[t * 6..][..6]));
            assert!(std::hint::black_box(seen).is_ok());
        }
        learner.filtered()[0]
    };
    let ours_ns = ns_per(steps, rounds, &mut play);
    let allocations = allocation_counter::measure(|| {
        std::hint::black_box(play());
    });
    let rows = |card: usize| vec![1.0 / card as f64; 6 * card];
    let observations = cards.iter().map(|&card| Observation { card, table: rows(card) }).collect();
    let sequence = Sequence { steps, values: &values, known: Some(&known) };
    let start = Hmm::new(vec![1.0 / 6.0; 6], rows(6), observations);
    let options = Options { iterations: 1, ..Options::default() };
    let batch_ns = ns_per(steps, rounds, || {
        let curve = start.clone().ok().and_then(|mut model| learn(&mut model, &[sequence], &options).ok());
        curve.map_or(f64::NAN, |curve| curve[1])
    });
    let line = |other: &str, other_ns: f64| Line {
        scenario: "learn a sequence".into(),
        ours: "incremental",
        ours_ns,
        other: other.into(),
        other_ns,
        allocations: Some(allocations.count_total / steps as u64),
    };
    vec![line("one batch iteration", batch_ns), line("thesis, Pentium IV", 1e8)]
}
