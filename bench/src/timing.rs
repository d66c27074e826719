//! Time per operation: the median of several rounds, so that one hiccup does not count.

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

/// Nanoseconds an operation takes, `operations` of which are done by one call of `round`.
pub fn ns_per(operations: usize, rounds: usize, mut round: impl FnMut() -> f64) -> f64 {
    black_box(round());
    let times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            #[allow(
                clippy::disallowed_methods,
                reason = "benchmarks measure time, and nothing depends on it"
            )]
            let start = Instant::now();
            black_box(round());
            start.elapsed().as_nanos() as f64 / operations as f64
        })
        .collect();
    median(times)
}

/// The least time between two marks: of work that says how far it is.
#[derive(Debug)]
pub struct Marks(Mutex<(Option<Instant>, f64)>);

impl Marks {
    /// No mark yet.
    pub fn new() -> Self {
        Marks(Mutex::new((None, f64::INFINITY)))
    }

    /// Now.
    pub fn mark(&self) {
        let mut marks = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        #[allow(clippy::disallowed_methods, reason = "benchmarks measure time, and nothing depends on it")]
        let now = Instant::now();
        if let Some(before) = marks.0 {
            marks.1 = marks.1.min((now - before).as_nanos() as f64);
        }
        marks.0 = Some(now);
    }

    /// Nanoseconds.
    pub fn least_ns(&self) -> f64 {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).1
    }
}

/// The middle one.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Seconds that something takes, once.
pub fn secs(work: impl FnOnce()) -> f64 {
    #[allow(clippy::disallowed_methods, reason = "benchmarks measure time, and nothing depends on it")]
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The least time of each slice of the work over all rounds, and the mean over slices: others' work on these cores only
/// ever adds to a time, and more so to what takes longer, so that medians would flatter the faster of two.
pub struct Slices {
    size: usize,
    least: Vec<f64>,
}

impl Slices {
    /// Cuts `count` operations into slices of `size`: short enough that the machine disturbs few of them.
    pub fn new(count: usize, size: usize) -> Self {
        Slices { size, least: vec![f64::INFINITY; count.div_ceil(size)] }
    }

    /// Times every slice once more; `work` does the operations of a range.
    pub fn time(&mut self, count: usize, mut work: impl FnMut(std::ops::Range<usize>) -> f64) {
        for (at, least) in self.least.iter_mut().enumerate() {
            let range = at * self.size..((at + 1) * self.size).min(count);
            *least = least.min(ns_per(range.len(), 1, || work(range.clone())));
        }
    }

    /// Nanoseconds an operation.
    pub fn mean(&self) -> f64 {
        self.least.iter().sum::<f64>() / self.least.len() as f64
    }
}
