//! Repertoire for C, C++ and whatever can call C: minds for the characters of any game.
//!
//! The calls are those of `include/repertoire.h`, which `cbindgen` writes from [`calls`]; this page is for people who
//! change them. A game loads a design (one TOML text), makes minds of it, tells each what it senses, ticks one or a
//! whole population, and reads task, target and reasons; see `docs/guides/c.md`.
//!
//! | module      | what it holds                                                                   |
//! |-------------|---------------------------------------------------------------------------------|
//! | [`calls`]   | the calls: pointers become references, then plain Rust                          |
//! | `border`    | every use of a pointer, and the guard that lets no panic out                    |
//! | [`fault`]   | codes, and the message of the last error of each thread                         |
//! | `handles`   | numbers instead of pointers: a freed one is an error for ever                   |
//! | `house`     | the designs and minds that there are                                            |
//! | `words`     | names that stay where they are, so that C may keep them                         |
//! | `saved`     | a mind as bytes                                                                 |
//! | `threads`   | the threads that tick populations, and their end                                |
//!
//! # What callers must see to
//!
//! Handles are numbers, checked at every call. What no library can check about pointers stays with the caller: a pointer
//! that is not NULL points to as much memory as the call says, names end with a NUL, and nobody changes that memory
//! while the call runs. Running out of memory ends the process, as everywhere in Rust.
//!
//! # Unsafe
//!
//! This is the only crate of the workspace that may use it: the modules `border` and [`calls`] say so with an `allow`,
//! and each block says in one sentence why it is sound.

#![warn(clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block, unsafe_op_in_unsafe_fn)]

#[cfg(panic = "abort")]
compile_error!("repertoire-c turns panics into error codes: build it with panic = \"unwind\"");

#[allow(unsafe_code, reason = "a C interface takes pointers; nothing else in the crate does")]
mod border;
#[allow(unsafe_code, reason = "a C interface exports names and takes pointers")]
#[allow(
    clippy::missing_safety_doc,
    reason = "what callers must see to is the same for all: the crate's page says it"
)]
pub mod calls;
pub mod fault;
mod handles;
mod house;
mod saved;
mod threads;
mod words;

pub use calls::*;
pub use fault::*;

#[cfg(test)]
mod tests;
