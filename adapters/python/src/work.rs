//! Long work: off the interpreter's lock, told about as it goes on, and stopped by Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::fault::Fault;

/// How often signals are looked for and progress is told.
const EVERY: Duration = Duration::from_millis(50);

/// What work and whoever waits for it tell each other.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    done: AtomicU64,
}

impl Watch {
    /// Whether to go on.
    pub fn go_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// A part is done.
    pub fn add(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    /// Asks for an end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Does something on a thread of its own. Every now and then `progress` is called with what is done and `total`, and signals are
/// handled; what either raises asks the work to end and is raised in its place.
pub fn long<T: Send>(
    py: Python<'_>,
    total: u64,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let tell = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        if let Some(progress) = &progress {
            progress.call1(py, (watch.done.load(Ordering::Relaxed), total))?;
        }
        Ok(())
    };
    let mut raised = None;
    let joined = py.detach(|| {
        std::thread::scope(|scope| {
            let (ends, ended) = channel::<()>();
            let worker = scope.spawn(|| {
                let _ends = ends;
                work(&watch)
            });
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = Python::attach(tell)
                {
                    watch.stop();
                    raised = Some(error);
                }
            }
            worker.join()
        })
    });
    let result = joined.map_err(|panic| Fault::defect(panic.as_ref()))?;
    if let Some(error) = raised {
        return Err(error);
    }
    tell(py)?;
    Ok(result)
}
