//! The border between C and Rust, tried from both sides. In one program, so that it is linked once.

#![allow(unsafe_code, reason = "calls of a C interface are unsafe")]
#![allow(clippy::unwrap_used, reason = "a helper of tests may panic as tests do")]
#![warn(clippy::undocumented_unsafe_blocks)]

mod bad_input;
mod decisions;
mod header;
mod populations;
mod programs;
mod safe;
mod village;
