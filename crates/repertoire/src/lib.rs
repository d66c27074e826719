//! Minds for game characters: written as data, taught by playing, asked why at any tick, and the same again from the same seed.
//!
//! # One character, from file to decision to explanation
//!
//! ```
//! use repertoire::prelude::*;
//!
//! // What a designer writes: for each task, what comes next and what it looks like. "x" takes what is left of its column.
//! const GUARD: &str = r#"
//!     name = "guard"
//!     tasks = ["watch", "chase", "rest"]
//!     sensors.enemies = ["none", "some"]
//!     sensors.hour = ["day", "night"]
//!     [transition]        # a column for each task before, a row for each task after
//!     watch = ["x",  0.05, 0.1]
//!     chase = [0.01, "x",  0.01]
//!     rest  = [0.05, 0.01, "x"]
//!     [likelihood.enemies] # a column for each task: how often enemies are sensed while it goes on
//!     none = ["x",  0.02, "x"]
//!     some = [0.001, "x", 0.001]
//!     [likelihood.hour]
//!     day   = ["x", "x", 0.1]
//!     night = ["x", "x", "x"]
//! "#;
//! let guard: Behaviour = GUARD.parse()?; // A mistake in the text is answered with its line and a remedy.
//! let mut chance = Stream::new(42, 7, "guard"); // World seed, character, purpose: the same seed, the same choices.
//!
//! // Whenever the guard decides: what it was doing and what it senses go in, a task comes out.
//! let sensed = guard.readings(&[("enemies", "some"), ("hour", "night")])?;
//! let decision = guard.decide(guard.task("watch"), &sensed);
//! let task = guard.choose(&decision, &mut chance);
//! assert_eq!(guard.tasks()[task].name, "chase");
//!
//! // Why? What each thing says about each task, in nats: the sums say how probable each task is.
//! println!("{}", guard.explain(&decision));
//! # assert!(guard.explain(&decision).to_string().ends_with("probability     8.7 %   90.5 %    0.8 %"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This prints
//!
//! ```text
//! nats            watch    chase     rest
//! after watch     -0.06    -4.61    -3.00
//! enemies=some    -6.91    -0.02    -6.91
//! hour=night      -0.69    -0.69    -0.11
//! probability     8.7 %   90.5 %    0.8 %
//! ```
//!
//! Read a row from left to right: having watched, the guard would rather go on watching, by 4.55 nats over chasing. But enemies
//! are hardly ever in view of a guard that just watches, so seeing some speaks for the chase by 6.89 nats, and that is more.
//! (A nat is a factor of 2.7 in the odds.)
//!
//! In a game the text is a file: [`load::behaviour`] reads one by path, or gives one that comes with the library by name.
//! A town of guards decides as columns with [`Population`](prelude::Population), in nanoseconds each, and chooses as one guard
//! would.
//!
//! # What else there is
//!
//! | you want                                         | look at                                                       |
//! |--------------------------------------------------|---------------------------------------------------------------|
//! | to ask tables of knowledge in any direction      | [`Program`](prelude::Program), [`Question`](prelude::Question)|
//! | one command from opinions for and against        | [`fuse`](bayes::fusion::fuse)                                 |
//! | a behaviour learned while somebody plays         | [`learning`](bayes::sequence::learning)                       |
//! | a character that plays like a certain player     | [`chameleon`]                                                 |
//! | plans, for one character or a town of a million  | [`Planner`](prelude::Planner), [`Town`](prelude::Town)        |
//! | characters that care for different things        | [`Profile`](prelude::Profile), [`character`]                  |
//! | where an opponent out of sight probably is       | [`Filter`](prelude::Filter), [`belief`]                       |
//! | the places of a map, from where people walk      | [`topology`]                                                  |
//! | a whole shooter's mind: percepts in, commands out| [`mind`], [`roster`]                                          |
//! | worlds to try characters in                      | [`worlds`]                                                    |
//! | who is better, who moves like whom               | [`eval`]                                                      |
//! | recordings of play                               | [`trace`]                                                     |
//!
//! Every part is a module here and a crate of its own. The numbered examples show one idea each. Cargo features leave parts
//! out: `worlds`, `eval`, `trace` and `files` are on unless you write `default-features = false`.

#[cfg(feature = "files")]
pub mod load;
#[cfg(all(feature = "files", feature = "worlds"))]
pub mod maps;
#[cfg(all(feature = "files", feature = "eval"))]
pub mod roster;

pub use repertoire_authored as authored;
pub use repertoire_bayes as bayes;
pub use repertoire_belief as belief;
pub use repertoire_chameleon as chameleon;
pub use repertoire_character as character;
#[cfg(feature = "eval")]
pub use repertoire_eval as eval;
pub use repertoire_mind as mind;
pub use repertoire_plan as plan;
pub use repertoire_prob as prob;
pub use repertoire_topology as topology;
#[cfg(feature = "trace")]
pub use repertoire_trace as trace;
#[cfg(feature = "worlds")]
pub use repertoire_worlds as worlds;

/// The types that most games need: `use repertoire::prelude::*`. Modules and functions are named in full.
pub mod prelude {
    // What can be wrong in a file that somebody wrote.
    #[cfg(feature = "files")]
    pub use crate::load::LoadError;
    pub use repertoire_authored::Mistake;

    // Which task comes next, and why; for one character, or for many.
    pub use repertoire_bayes::sequence::population::{Draws, Population};
    pub use repertoire_bayes::sequence::{Behaviour, Choice, DecideError, Decision, ReadingError, Reasons};

    // Tables of knowledge, asked in any direction; opinions fused into one command.
    pub use repertoire_bayes::explain::Explanation;
    pub use repertoire_bayes::fusion::{Fused, FusionError, Opinion, Stance};
    pub use repertoire_bayes::{AskError, Form, Parameter, Program, ProgramError, Question, Workspace};

    // Where an opponent out of sight probably is.
    pub use repertoire_belief::{Dynamics, DynamicsError, Filter, FilterError};

    // What a character cares for.
    pub use repertoire_character::{Candidate, Evaluator, Profile, Temper};

    // Characters of any game: perceive, believe, want, plan, decide, act.
    pub use repertoire_bayes::sequence::labelled::Lives;
    pub use repertoire_mind::game::{Character, Deed, Design, Report, Scratch, Senses, SensesError, State};

    // Plans.
    pub use repertoire_plan::population::Town;
    pub use repertoire_plan::run::{Next, PlanQueue, Running};
    pub use repertoire_plan::{Domain, Outcome, Planner};

    // Probability, and chance that repeats.
    pub use repertoire_prob::hmm::incremental::IncrementalBaumWelch;
    pub use repertoire_prob::{Cell, Distribution, Histogram, Rng, Stream, Table, Variable};
}
