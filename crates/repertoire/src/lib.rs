//! Minds for game characters: written as data, taught by playing, asked why at any tick, and the same again from the same seed.
//!
//! # One character, from file to decision to explanation
//!
//! ```
//! use repertoire::prelude::*;
//!
//! // What a designer writes: tasks, what is sensed while each goes on, needs, and what plans are about.
//! const VILLAGER: &str = r#"
//!     name = "villager"
//!     tasks = ["eat", "work", "flee"]
//!     stay = 0.7                               # how probable it is that a task goes on
//!     sensors.wolf = ["away", "near"]
//!     likelihood.wolf.away = ["x", "x", 0.02]  # how often, while each task goes on; "x" takes what is left
//!     likelihood.wolf.near = [0.01, 0.01, "x"]
//!     needs.hunger = { grows = 0.02, starts = 0.5 }
//!     facts.purse = ["empty", "full"]
//!     facts.meal = ["due", "had"]
//!     actions.work = "purse: empty -> full"
//!     actions.eat = "purse: full -> empty, meal: due -> had"
//!     goals.dinner = "meal=had"
//!     plan.pursue.dinner = "hunger"            # why the goal is pursued
//!     profiles.glutton = { hunger = [3, 6] }   # individuals differ
//!     targets.eat = "inn"
//! "#;
//! let villager = Design::parse(VILLAGER)?; // A mistake in the text is answered with its line and a remedy.
//! let mut hob = Character::new(&villager, 42, 7); // World seed, number: the same seed, the same life.
//! let (mut senses, mut scratch) = (villager.senses(), Scratch::new());
//!
//! // Every tick: what it senses goes in, a task and its target come out.
//! senses.see("wolf", "away")?;
//! senses.fact("purse", "empty")?;
//! senses.offer("inn", 1, 12.0)?; // A thing that a task may be about, and how far it is.
//! for _ in 0..3 {
//!     let deed = hob.tick(&senses, &mut scratch);
//!     assert!(villager.task_name(deed.task) != "flee");
//! }
//!
//! // Why? What each thing says about each task, in nats: the sums say how probable each task is.
//! println!("{}", hob.report());
//! # assert!(hob.report().to_string().ends_with("probability    0.001    0.999    0.000"));
//!
//! // It can be saved in the middle of a plan, and goes on as if nothing had happened.
//! let saved = hob.state().clone();
//! hob.restore(saved)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This prints
//!
//! ```text
//! work (100 %)
//! plan for dinner: work, eat; work so that purse=full holds for eat
//! need hunger: felt 0.56, matters 3.13
//! nats             eat     work     flee
//! after work     -1.90    -0.36    -1.90
//! wolf=away      -0.01    -0.01    -3.91
//! wants          -3.02    -0.10    -3.02
//! plan           -2.30    -0.22    -2.30
//! probability    0.001    0.999    0.000
//! ```
//!
//! Read a row from left to right: having worked, the villager would rather go on working, by 1.54 nats over eating. Its plan says
//! so too, for a reason: the meal needs a full purse. (A nat is a factor of 2.7 in the odds.)
//!
//! Example 13 is a village of two hundred with wolves, profiles, saving, and learning from a diary, in 60 lines. In a game the text
//! is a file: [`load::character`] reads one. [`learned`](prelude::Design::learned) gives it tables from what others were seen doing.
//! Characters that only choose among tasks decide by the hundred thousand, as columns, in nanoseconds each:
//! [`Behaviour`](prelude::Behaviour), [`Population`](prelude::Population).
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
//! | a whole fighter: percepts in, commands out       | [`mind::fighter`], [`roster`]                                 |
//! | one decision from everything that has a say      | [`deliberation`](bayes::deliberation)                         |
//! | a town of up to millions who live by their plans | [`worlds::town`], [`load::town`](fn@load::town)               |
//! | worlds to try characters in                      | [`worlds`]                                                    |
//! | who is better, who moves like whom               | [`eval`]                                                      |
//! | recordings of play                               | [`trace`], [`recordings`]                                     |
//!
//! Every part is a module here and a crate of its own. The numbered examples show one idea each. Cargo features leave parts
//! out: `worlds`, `eval`, `trace` and `files` are on unless you write `default-features = false`.

#[cfg(all(feature = "files", feature = "eval"))]
pub mod believable;
#[cfg(all(feature = "files", feature = "eval", feature = "trace"))]
pub mod corpus;
#[cfg(all(feature = "files", feature = "eval"))]
pub mod minds;
#[cfg(all(feature = "files", feature = "eval", feature = "trace"))]
pub mod recordings;

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
#[cfg(feature = "files")]
pub use repertoire_roster::load;
#[cfg(all(feature = "files", feature = "worlds"))]
pub use repertoire_roster::{maps, roster};
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
    pub use repertoire_character::{Candidate, Evaluator, Laws, Profile, Temper};

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
