//! Learning in parts: the expectation over some sequences at a time, wherever they are, and one maximisation.
//!
//! EM asks the same question of every sequence, *what are the expected counts under these numbers*, and adds up the answers. A
//! [`Climber`] says which numbers ([`Climber::ask`]) and hears the sum ([`Climber::tell`]); [`expect`] answers for a block of
//! sequences. Blocks are summed exactly ([`Sums`]), so that it does not matter which block comes first or who adds it to what.
//!
//! Differs from [`learn`](mod@crate::learn) only in how counts are summed: there over pieces whose bounds depend on all sequences,
//! here over blocks that are rounded once each. The characters agree to some nine digits, not in every bit.

use repertoire_prob::Stream;
use repertoire_prob::exact::Sums;

use crate::counts::{ExpectedCounts, Met};
use crate::layout::Layout;
use crate::learn::{EmSettings, Expectation, LearnError, Progress, Run, SCREENED};
use crate::learned::Learned;
use crate::model::Model;
use crate::params::Params;
use crate::sequence::Sequence;

/// The expected counts of a block of sequences under some numbers, as [`Climber::tell`] wants them summed.
///
/// # Errors
/// If the numbers hold a sequence for impossible.
pub fn expect(layout: &Layout, params: &Params, sequences: &[Sequence]) -> Result<Sums, LearnError> {
    let mut expectation = Expectation::new(layout, sequences, 0);
    expectation.gather(layout, params)?;
    let mut sums = none(layout);
    sums.add(expectation.total().flat());
    Ok(sums)
}

/// The sums of no sequence.
pub fn none(layout: &Layout) -> Sums {
    Sums::new(ExpectedCounts::new(layout).flat().count())
}

/// EM whose expectations are taken elsewhere. What it asks next follows from what it was told, so a driver that was killed tells it
/// again and goes on.
#[derive(Clone, Debug)]
pub struct Climber {
    model: Model,
    settings: EmSettings,
    /// The character that is gone on from.
    before: Option<Box<Learned>>,
    now: Climbing,
    /// The best start so far, with its last counts.
    best: Option<(Climbing, ExpectedCounts)>,
    /// How many starts are through their first iterations.
    tried: usize,
    is_done: bool,
}

/// One start.
#[derive(Clone, Debug, PartialEq)]
struct Climbing {
    start: usize,
    params: Params,
    curve: Vec<f64>,
}

impl Climber {
    /// Before the first step. Cross-fitting needs all sequences at once and is not done.
    pub fn new(model: &Model, settings: EmSettings) -> Self {
        let now = Climbing::new(model, &settings, 0);
        Climber { model: model.clone(), settings, before: None, now, best: None, tried: 0, is_done: false }
    }

    /// Goes on from a character, as [`Learned::go_on`] does: what was learned before counts as much as it was.
    pub fn going_on(start: &Learned, settings: EmSettings) -> Self {
        let now = Climbing { start: 0, params: start.softened(), curve: Vec::new() };
        let (model, settings) = (start.model.clone(), EmSettings { starts: 1, ..settings });
        Climber {
            model,
            settings,
            before: Some(Box::new(start.clone())),
            now,
            best: None,
            tried: 0,
            is_done: false,
        }
    }

    /// The numbers whose expected counts are wanted next; none when all is learned.
    pub fn ask(&self) -> Option<&Params> {
        (!self.is_done).then_some(&self.now.params)
    }

    /// Which start and iteration is asked about, and how likely the play was before it.
    pub fn progress(&self) -> Progress {
        let log_likelihood = self.now.curve.last().copied().unwrap_or(f64::NEG_INFINITY);
        Progress { start: self.now.start, iteration: self.now.curve.len(), log_likelihood }
    }

    /// Hears the counts of all sequences under the numbers asked about.
    ///
    /// # Errors
    /// If there is not one tick.
    pub fn tell(&mut self, sums: &Sums) -> Result<(), LearnError> {
        let counts = ExpectedCounts::of_flat(self.model.layout(), &sums.values());
        if counts.ticks == 0.0 {
            return Err(LearnError::Nothing);
        }
        self.now.curve.push(counts.log_likelihood);
        let starts = self.settings.starts.max(1);
        let is_screening = starts > 1 && self.tried < starts;
        let most = if is_screening { SCREENED } else { usize::MAX };
        if self.now.goes_on(&self.settings, most, counts.ticks) {
            self.now.maximise(&self.model, &self.settings, &counts, self.before.as_deref());
            return Ok(());
        }
        if !is_screening {
            self.best = Some((self.now.clone(), counts));
            self.is_done = true;
            return Ok(());
        }
        self.tried += 1;
        if self.best.as_ref().is_none_or(|(best, _)| self.now.last() > best.last()) {
            self.best = Some((self.now.clone(), counts));
        }
        if self.tried < starts {
            self.now = Climbing::new(&self.model, &self.settings, self.tried);
            return Ok(());
        }
        if let Some((best, counts)) = &self.best {
            self.now = best.clone();
            self.is_done = !self.now.goes_on(&self.settings, usize::MAX, counts.ticks);
            if !self.is_done {
                self.now.maximise(&self.model, &self.settings, counts, self.before.as_deref());
            }
        }
        Ok(())
    }

    /// The character, once all is learned; `lives` is how many sequences there were.
    pub fn finish(self, lives: u64) -> Option<Learned> {
        let (Climbing { start, mut params, curve }, mut counts) = self.best.filter(|_| self.is_done)?;
        let layout = self.model.layout();
        if let Some(before) = &self.before {
            counts.add(before.counts(), 1.0);
        }
        self.settings.maximise_all(layout, &mut params, &counts, &Met::all(layout));
        let run = Run { params, counts, recipe: self.settings.recipe(), log_likelihood: curve, start };
        let Some(before) = self.before else { return Some(Learned::from_run(self.model, run, lives)) };
        Some(Learned::from_run(self.model, run, before.lives + lives).with_manner_of(*before))
    }
}

impl Climbing {
    fn new(model: &Model, settings: &EmSettings, start: usize) -> Self {
        let mut stream = Stream::new(settings.seed, start as u64, "chameleon start");
        let params = Params::random(model.layout(), &mut stream).with_attention_of(model);
        Climbing { start, params, curve: Vec::new() }
    }

    fn last(&self) -> f64 {
        self.curve.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Whether it is neither settled nor through its iterations.
    fn goes_on(&self, settings: &EmSettings, most: usize, ticks: f64) -> bool {
        let is_settled = match self.curve[..] {
            [.., before, now] => settings.least_gain > 0.0 && now - before < settings.least_gain * ticks,
            _ => false,
        };
        self.curve.len() <= most.min(settings.iterations) && !is_settled
    }

    fn maximise(
        &mut self,
        model: &Model,
        settings: &EmSettings,
        counts: &ExpectedCounts,
        before: Option<&Learned>,
    ) {
        let rows = |met: &[f64]| (0..met.len()).filter(|&row| met[row] > 0.0).collect();
        let met = Met { high: rows(&counts.high_met), low: rows(&counts.low_met) };
        let together = before.map(|before| {
            let mut together = before.counts().clone();
            together.add_met(model.layout(), counts, &met);
            together
        });
        settings.maximise_all(model.layout(), &mut self.params, together.as_ref().unwrap_or(counts), &met);
    }
}

/// Numbers as bytes, for whoever takes expectations elsewhere.
pub fn params_to_bytes(params: &Params) -> Vec<u8> {
    params.flat().flat_map(|number| number.to_le_bytes()).collect()
}

/// The opposite. None if they do not fit the layout.
pub fn params_from_bytes(layout: &Layout, bytes: &[u8]) -> Option<Params> {
    let numbers = numbers(bytes)?;
    if numbers.len() != Params::uniform(layout).flat().count() {
        return None;
    }
    Some(Params::of_flat(layout, &numbers)).filter(|params| params.check(layout).is_ok())
}

fn numbers(bytes: &[u8]) -> Option<Vec<f64>> {
    let (eights, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| eights.iter().map(|eight| f64::from_le_bytes(*eight)).collect())
}

impl Params {
    /// All numbers in one row.
    fn flat(&self) -> impl Iterator<Item = &f64> {
        let Params { theta, first, next, reflexive, external, weights } = self;
        let tables = [theta, first, next].into_iter().chain(reflexive).chain(external).chain(weights);
        tables.flatten()
    }

    /// The opposite of [`Params::flat`].
    fn of_flat(layout: &Layout, numbers: &[f64]) -> Self {
        let mut params = Params::uniform(layout);
        let Params { theta, first, next, reflexive, external, weights } = &mut params;
        let tables = [theta, first, next].into_iter().chain(reflexive).chain(external).chain(weights);
        fill(tables, numbers);
        params
    }
}

impl ExpectedCounts {
    /// All numbers in one row; ticks and log-likelihood last.
    fn flat(&self) -> impl Iterator<Item = &f64> {
        self.tables().into_iter().flatten().chain([&self.ticks, &self.log_likelihood])
    }

    /// The opposite of [`ExpectedCounts::flat`].
    fn of_flat(layout: &Layout, numbers: &[f64]) -> Self {
        let mut counts = ExpectedCounts::new(layout);
        if let [tables @ .., ticks, log_likelihood] = numbers {
            fill(counts.tables_mut().into_iter(), tables);
            (counts.ticks, counts.log_likelihood) = (*ticks, *log_likelihood);
        }
        counts
    }
}

fn fill<'a>(tables: impl Iterator<Item = &'a mut Vec<f64>>, mut numbers: &[f64]) {
    for table in tables {
        let (own, rest) = numbers.split_at(table.len().min(numbers.len()));
        table[..own.len()].copy_from_slice(own);
        numbers = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::learn;
    use proptest::prelude::*;

    fn play(seed: u64) -> (Model, Vec<Sequence>) {
        let text = "name = \"guard\"\ndecisions = 2\n[high.enemy]\nvalues = [\"no\", \"yes\"]\n[low.player]\naxes = [{ of = \"yaw\", edges = [-10, 10] }]\n[external.turn]\nvalues = [\"right\", \"none\", \"left\"]\n";
        let model = crate::model::read(text).unwrap();
        let layout = model.layout();
        let mut draw = Stream::new(seed, 0, "play");
        let mut value = |most: f64| (draw.unit() * most) as u16;
        let life = |value: &mut dyn FnMut(f64) -> u16| {
            let mut life = Sequence::new(layout);
            let mut before = 1;
            for _ in 0..12 {
                let (enemy, at, noise) = (value(2.0), value(3.0), value(4.0));
                let turn = if noise == 0 {
                    before
                } else if enemy == 1 {
                    at
                } else {
                    1
                };
                before = turn;
                life.push(layout, &[enemy], &[(enemy == 1).then_some(at)], &[], |_, _| turn).unwrap();
            }
            life
        };
        let lives = (0..9).map(|_| life(&mut value)).collect();
        (model, lives)
    }

    /// Learns from blocks that are summed in some order; if killed, it is told everything again after every step.
    fn learn_in(model: &Model, blocks: &[&[Sequence]], settings: &EmSettings, killed: bool) -> Learned {
        let mut climber = Climber::new(model, settings.clone());
        let mut told: Vec<Sums> = Vec::new();
        while let Some(params) = climber.ask() {
            let bytes = params_to_bytes(params);
            let params = params_from_bytes(model.layout(), &bytes).unwrap();
            let mut sums = none(model.layout());
            for block in blocks {
                let part = expect(model.layout(), &params, block).unwrap().to_bytes();
                sums.merge(&Sums::from_bytes(&part).unwrap());
            }
            told.push(sums);
            let again = if killed { 0 } else { told.len() - 1 };
            if killed {
                climber = Climber::new(model, settings.clone());
            }
            told[again..].iter().for_each(|sums| climber.tell(sums).unwrap());
        }
        climber.finish(9).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn blocks_in_any_order_and_a_driver_that_was_killed_learn_the_same_bits(seed in 0u64..1000, turn in 0usize..9, starts in 1usize..4) {
            let (model, lives) = play(seed);
            let settings = EmSettings { iterations: 15, starts, ..EmSettings::default() };
            let blocks: Vec<&[Sequence]> = lives.chunks(2).collect();
            let mut turned = blocks.clone();
            turned.rotate_left(turn % blocks.len());
            let one = learn_in(&model, &blocks, &settings, false);
            prop_assert_eq!(&learn_in(&model, &turned, &settings, true), &one);
            // Beside the usual way, which sums in another order.
            let usual = learn(&model, &lives, &settings, &|_| {}).unwrap();
            prop_assert_eq!(usual.curve.len(), one.curve.len());
            for (a, b) in usual.curve.iter().zip(&one.curve) {
                prop_assert!((a - b).abs() < 1e-6 * a.abs(), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn going_on_in_parts_is_going_on() {
        let (model, lives) = play(3);
        let settings = EmSettings { iterations: 10, starts: 2, ..EmSettings::default() };
        let start = learn(&model, &lives[..4], &settings, &|_| {}).unwrap();
        let usual = start.go_on(&lives[4..], &settings, &|_| {}).unwrap();
        let mut climber = Climber::going_on(&start, settings);
        while let Some(params) = climber.ask() {
            let mut sums = none(model.layout());
            let params = params.clone();
            lives[4..].chunks(2).for_each(|some| sums.merge(&expect(model.layout(), &params, some).unwrap()));
            climber.tell(&sums).unwrap();
        }
        let found = climber.finish(5).unwrap();
        assert_eq!((found.lives, found.curve.len()), (9, usual.curve.len()));
        let close =
            |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6 * a.abs().max(1.0));
        assert!(close(&found.curve, &usual.curve), "{:?} {:?}", found.curve, usual.curve);
        assert!(close(&found.raw_params().next, &usual.raw_params().next));
        assert!(close(&found.raw_params().theta, &usual.raw_params().theta));
    }

    #[test]
    fn what_is_nothing_or_no_numbers_is_refused() {
        let (model, _) = play(1);
        assert!(params_from_bytes(model.layout(), &[0; 16]).is_none());
        let mut climber = Climber::new(&model, EmSettings::default());
        assert!(matches!(climber.tell(&none(model.layout())), Err(LearnError::Nothing)));
        assert!(climber.finish(0).is_none());
    }
}
