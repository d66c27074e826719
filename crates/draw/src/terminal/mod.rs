//! Pictures made of characters: tables, bars, and maps from above.
//!
//! Colours are escape codes; whoever prints takes them out where there is no terminal.

pub mod bars;
pub mod columns;
pub mod map;
pub mod rooms;
pub mod top;
pub mod watch;
pub mod wrap;

pub use bars::bars;
