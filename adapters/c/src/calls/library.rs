//! The library itself: versions, errors, threads, the end.

use std::ffi::{CStr, c_char};

use crate::border::guard;
use crate::fault::{Fault, REPERTOIRE_ERROR_NUMBER, RepertoireCode, last_message, last_place};
use crate::{house, threads};

/// The version of this interface, for which the header was written. A library with the same number has every call, struct
/// and constant of this header.
pub const REPERTOIRE_ABI_VERSION: u32 = 1;

/// The version of the interface that the library has. Compare it with REPERTOIRE_ABI_VERSION before any other call if the
/// library is loaded at run time.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_abi_version() -> u32 {
    REPERTOIRE_ABI_VERSION
}

/// The version of Repertoire, such as "0.1.0". Never freed.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// What went wrong in the last call of this thread that failed, and the remedy; empty before the first failure. The text
/// stays in place until the next call of this thread that fails, or the thread's end.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_error_message() -> *const c_char {
    last_message()
}

/// The line of the mistake that the last failure of this thread was about, counted from 1; 0 if it was about no text.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_error_line() -> u32 {
    last_place().0
}

/// The column of that mistake in characters, counted from 1; 0 if it was about no text.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_error_column() -> u32 {
    last_place().1
}

/// On how many threads populations are ticked: 0, the default, for one per processor, 1 for the caller's own, at most 1024.
/// What characters do does not depend on it. Waits until no population is being ticked.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_set_threads(threads: u32) -> RepertoireCode {
    guard(|| {
        if threads > threads::MOST {
            let message = format!("{threads} threads\n  remedy: a number from 0 to {}", threads::MOST);
            return Err(Fault::new(REPERTOIRE_ERROR_NUMBER, message));
        }
        let _nobody_ticks = house::minds_mut();
        threads::restart(threads);
        Ok(())
    })
}

/// Frees every design and mind and ends the library's threads. Call it before you unload the library; it can be used again
/// afterwards. Names and the messages of other threads stay.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_shutdown() -> RepertoireCode {
    guard(|| {
        let designs = house::designs_mut().clear();
        let mut minds = house::minds_mut();
        let gone = minds.clear();
        threads::restart(0);
        drop(minds);
        drop((designs, gone));
        Ok(())
    })
}
