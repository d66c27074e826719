//! Asking for help, and what is thought of others.
//!
//! A character may ask for help with a goal. Who hears it takes the goal up beside its own; the motivations of altruism
//! and reputation say what it is worth to them. So characters help each other without anybody being in charge, which is
//! what the paper's conclusion hopes these two motivations will allow.
//!
//! Reputation comes from what happened between two and from what is said: `said · (1 + helped) / (1 + refused)`, 1 to
//! begin with. Ours, since the paper leaves it open.

use repertoire_character::ThingId;
use serde::{Deserialize, Serialize};

/// After this many steps without help, the character takes it that those who heard the request have refused.
pub const PATIENCE: u32 = 40;

/// What one character thinks of another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Esteem {
    /// Of whom.
    pub whom: ThingId,
    /// What is said of them.
    pub said: f64,
    /// How often they helped.
    pub helped: u32,
    /// How often they heard and did nothing.
    pub refused: u32,
}

impl Esteem {
    /// Nothing is known of them yet.
    pub fn new(whom: ThingId) -> Self {
        Esteem { whom, said: 1.0, helped: 0, refused: 0 }
    }

    /// How well they are thought of; 1 is neutral.
    pub fn reputation(&self) -> f64 {
        self.said * f64::from(1 + self.helped) / f64::from(1 + self.refused)
    }
}

/// A request that a character heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Who asked, by number of the character.
    pub from: u16,
    /// For which of their goals.
    pub goal: u16,
    /// When it was heard first.
    pub since: u32,
    /// Whether it did anything for it.
    pub helped: bool,
    /// Whether who asked has given up on it.
    pub given_up: bool,
}
