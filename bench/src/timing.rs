//! Time per operation: the median of several rounds, so that one hiccup does not count.

use std::hint::black_box;

/// Nanoseconds an operation takes, `operations` of which are done by one call of `round`.
pub fn ns_per(operations: usize, rounds: usize, mut round: impl FnMut() -> f64) -> f64 {
    black_box(round());
    let times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            #[allow(
                clippy::disallowed_methods,
                reason = "benchmarks measure time, and nothing depends on it"
            )]
            let start = std::time::Instant::now();
            black_box(round());
            start.elapsed().as_nanos() as f64 / operations as f64
        })
        .collect();
    median(times)
}

/// The middle one.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Seconds that something takes, once.
pub fn secs(work: impl FnOnce()) -> f64 {
    #[allow(clippy::disallowed_methods, reason = "benchmarks measure time, and nothing depends on it")]
    let start = std::time::Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
