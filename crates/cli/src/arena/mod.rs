//! What every command that plays matches shares: who plays, and where.

pub mod maps;
pub mod roster;
