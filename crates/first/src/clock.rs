//! The one place of the command line that looks at the clock: to measure, never to decide.

use std::hint::black_box;
use std::time::Duration;

/// How long something takes.
#[allow(clippy::disallowed_methods, reason = "figures measure time, and nothing depends on it")]
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = std::time::Instant::now();
    let done = black_box(work());
    (done, start.elapsed())
}

/// The clock, if times are asked for.
pub fn lent(timing: bool) -> Option<fn() -> u64> {
    timing.then_some(now_ns as fn() -> u64)
}

/// Nanoseconds since the first call: a clock to lend to libraries, which have none.
#[allow(clippy::disallowed_methods, reason = "the time of decisions is shown, and nothing depends on it")]
pub fn now_ns() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}
