//! Minds for game characters: written as data, taught by playing, inspected at any tick.
//!
//! This is the crate a game depends on. Each part is a module; [`prelude`] brings what most games need.
//!
//! ```
//! use repertoire::prelude::*;
//!
//! let follow = shipped::program("target-following").expect("shipped");
//! let turn = Question::compile(&follow, &"P(Rotation | Direction)".parse()?)?;
//! let mut workspace = Workspace::new();
//! let mut stream = Stream::new(42, 7, "turn"); // world seed, agent, purpose
//!
//! // Every tick: what is seen goes in, a command comes out, and nothing is allocated.
//! let seen = follow.variable("Direction").and_then(|v| v.value("left")).expect("a value") as u32;
//! let answer = turn.ask(&follow, &[seen], &mut workspace)?;
//! let command = draw::sample(answer.distribution, &mut stream);
//! assert!(command > 3, "to the left");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

/// What most games need.
pub mod prelude {
    pub use repertoire_bayes::explain::{Explanation, explain};
    pub use repertoire_bayes::fusion::{Fused, Opinion, Stance, fuse};
    pub use repertoire_bayes::{AskError, Form, Parameter, Program, Question, Workspace, file, shipped};
    pub use repertoire_belief::{Dynamics, Filter};
    pub use repertoire_character::{Candidate, Character, Evaluator, Profile, Temper, profile};
    pub use repertoire_mind::sequenced::{Connected, Sequenced};
    pub use repertoire_mind::{Command, Mind, Percept, Places};
    pub use repertoire_plan::population::Town;
    pub use repertoire_plan::run::{Next, PlanQueue, Running};
    pub use repertoire_plan::{Domain, Outcome, Planner, domain};
    pub use repertoire_prob::hmm::incremental::IncrementalBaumWelch;
    pub use repertoire_prob::{Cell, Distribution, Histogram, Rng, Stream, Table, Variable, draw};
}
