//! Towns watched: a run as curves and days, recorded as a table, repeated from its recording; and what planning, planning anew
//! and families of profiles are worth.

pub mod experiment;
pub mod film;
pub mod record;

pub use experiment::{Arm, Told, TownExperiment};
pub use film::{Film, Spell};
pub use record::{Replayed, TownRecorder, replay};
