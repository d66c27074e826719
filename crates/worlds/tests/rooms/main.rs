//! Rooms: the experiments of the paper, and what characters must be able to do beyond them.

mod common;
mod experiments;
mod memory;
mod minds;
mod mistakes;
mod random;
mod repaired;
mod society;
mod tyrrell;
