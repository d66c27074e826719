//! Ctrl-C and `kill`: a long command stops where it is safe to, prints what it has, and gives the terminal back.
//!
//! A command that can stop early calls [`install`] before its work and asks [`stop_requested`] as it goes. Commands
//! that never ask must not install anything: for them the signals keep their usual meaning.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code that shells know for a command ended by Ctrl-C.
const ENDED_BY_CTRL_C: i32 = 130;

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the first Ctrl-C (SIGINT) or `kill` (SIGTERM) only sets what [`stop_requested`] returns; a Ctrl-C after
/// that ends the process at once with code 130, in case the work does not stop. May be called more than once.
///
/// Where the system refuses, the signals end the process as they do without this.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Actions run in the order in which they are registered: the first signal finds the flag not yet set.
        let _ = flag::register_conditional_shutdown(SIGINT, ENDED_BY_CTRL_C, STOP.clone());
        for signal in [SIGINT, SIGTERM] {
            let _ = flag::register(signal, STOP.clone());
        }
    });
}

/// Whether somebody asked this process to stop since [`install`].
pub fn stop_requested() -> bool {
    STOP.load(Ordering::SeqCst)
}
