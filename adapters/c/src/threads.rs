//! The threads that tick populations.
//!
//! They start with the first population that is large enough, wait between calls, and end at shutdown: a library whose
//! threads run on cannot be unloaded. rayon alone does not wait for the end of its threads, so their handles are kept.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::fault::{Fault, REPERTOIRE_ERROR_LIMIT};

static THREADS: Mutex<Threads> = Mutex::new(Threads { wanted: 0, pool: None, running: Vec::new() });

/// The most threads that can be asked for.
pub const MOST: u32 = 1024;

pub struct Threads {
    /// 0 for as many as there are processors.
    wanted: u32,
    pool: Option<ThreadPool>,
    running: Vec<JoinHandle<()>>,
}

fn threads() -> MutexGuard<'static, Threads> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the threads and sets how many are started when the next population needs them.
///
/// Call it with the table of minds locked for writing: then no population is being ticked.
pub fn restart(wanted: u32) {
    let mut threads = threads();
    threads.wanted = wanted;
    threads.pool = None;
    for thread in threads.running.drain(..) {
        // A thread that panicked has ended, too.
        let _ = thread.join();
    }
}

/// How many threads a population is ticked on.
pub fn count() -> usize {
    match threads().wanted {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST as usize),
        wanted => wanted as usize,
    }
}

/// Runs something on the threads, which are started if need be. One population at a time has them.
pub fn run<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, Fault> {
    let count = count();
    let Threads { pool, running, .. } = &mut *threads();
    let pool = match pool {
        Some(pool) => pool,
        none => none.insert(start(count, running)?),
    };
    Ok(pool.install(work))
}

fn start(count: usize, running: &mut Vec<JoinHandle<()>>) -> Result<ThreadPool, Fault> {
    let pool = ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
        let named = std::thread::Builder::new().name(format!("repertoire {}", thread.index()));
        running.push(named.spawn(|| thread.run())?);
        Ok(())
    });
    pool.build().map_err(|error| {
        let message = format!("the system gives no {count} threads: {error}\n  remedy: ask for fewer with repertoire_set_threads");
        Fault::new(REPERTOIRE_ERROR_LIMIT, message)
    })
}
