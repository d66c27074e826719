//! Planning for millions of characters.
//!
//! | module        | what it gives                                                                     |
//! |---------------|-----------------------------------------------------------------------------------|
//! | [`task`]      | SAS+ tasks: variables, actions, and the restrictions they obey                    |
//! | [`planner`]   | plans by tiers: closure, simulation, openers, PUS, search; every plan checked     |
//! | [`packed`]    | the same for small tasks, in registers: tens of nanoseconds a plan                |
//! | [`partial`]   | starts that are known only in part: sure plans, outdated values, assumptions      |
//! | [`why_not`]   | why there is no plan: which goal values, and what prevents them                   |
//! | [`population`]| whole populations as columns: from scratch, shared, by tables, only what changed  |
//! | [`domain`]    | domains as TOML: classes of characters, actions, goals, ways                      |
//! | [`sas_plus`]  | problems as Fast Downward's translator writes them                                |
//! | [`run`]       | carrying a plan out, noticing surprises, a fair queue for new plans               |
//! | [`explain`]   | why each step is there and what it must not break                                 |
//! | [`lint`]      | which restrictions hold, and so which tier will serve                             |
//! | [`problem`]   | problems as people ask for them, and plans told in their names                    |
//! | [`baselines`] | what others do: breadth-first search, Bäckström's planner, the paper's, to compare  |
//! | [`generators`]| the paper's families of tasks                                                     |
//!
//! ```
//! use repertoire_plan::{Outcome, Planner, domain};
//! let western = domain::domain("western").expect("shipped");
//! let sheriff = western.class("Sheriff").expect("a class");
//! let goal = western.total_goal(&sheriff.goals[0], &western.start);
//! let mut planner = Planner::new(western.task.clone());
//! let Outcome::Plan { actions, .. } = planner.solve(&western.start, &goal, None)? else { panic!() };
//! assert_eq!(western.actions[actions[0] as usize], "DrawGun");
//! # Ok::<(), repertoire_plan::TaskError>(())
//! ```
//!
//! Source: Prévost et al. 2022, whose algorithm is neither sound nor complete as printed; see `docs/provenance.md`.

pub mod baselines;
mod chains;
mod closure;
pub mod domain;
pub mod explain;
pub mod generators;
pub mod lint;
mod openers;
pub mod packed;
pub mod partial;
pub mod planner;
pub mod population;
pub mod problem;
mod pus;
mod ready;
pub mod run;
pub mod sas_plus;
mod search;
mod simulate;
pub mod task;
pub mod why_not;

pub use domain::Domain;
pub use packed::{Packed, PackedTask};
pub use planner::{Limit, Outcome, Planner, Solved, Tier, solve};
pub use task::{Action, Effect, Fact, Task, TaskError};
