//! Characters of any game: sensors, tasks, needs and facts are data, and no word of a shooter is known here.
//!
//! A game declares what its characters can sense and do in one TOML file (a [`Design`]), tells each character at every
//! tick what it senses, and gets a task, with its target, and the reasons. One tick is [`Character::tick`], read from
//! top to bottom:
//!
//! | stage    | what it does                                                                                   |
//! |----------|------------------------------------------------------------------------------------------------|
//! | perceive | what is sensed arrives late, by the character's reaction time                                    |
//! | believe  | facts stay as they were last seen; a sensor that is not sure gives a distribution                |
//! | want     | needs grow, tasks ease them; how much each matters differs from one individual to the next       |
//! | plan     | the goal that matters most is planned for, from what is believed; the step is watched            |
//! | decide   | everything is joined in one table in nats ([`repertoire_bayes::deliberation`]), and a task drawn |
//! | act      | the nearest thing of the kind that the task is about                                             |
//!
//! Every stage may be left out, and then says nothing. A behaviour file is a character that only decides.
//!
//! ```
//! use repertoire_mind::game::{Character, Design, Scratch};
//!
//! let design = Design::parse(r#"
//!     name = "villager"
//!     tasks = ["eat", "work", "flee"]
//!     stay = 0.9
//!     sensors.wolf = ["away", "near"]
//!     likelihood.wolf.away = [0.999, 0.999, 0.001]
//!     likelihood.wolf.near = ["x", "x", "x"]
//!     targets.eat = "food"
//!     [needs.hunger]
//!     grows = 0.01
//!     eased.eat = 0.1
//! "#)?;
//!
//! let mut villager = Character::new(&design, 42, 7); // world seed, agent
//! let mut senses = design.senses();
//! let mut scratch = Scratch::new();
//! senses.see("wolf", "near")?;
//! senses.offer("food", 12, 3.5)?; // thing, metres
//! let mut deed = villager.tick(&senses, &mut scratch);
//! for _ in 0..20 {
//!     deed = villager.tick(&senses, &mut scratch);
//! }
//! assert_eq!(design.task_name(deed.task), "flee");
//! assert!(villager.report().to_string().contains("wolf=near"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod character;
mod design;
mod file;
mod plans;
mod report;
mod senses;
mod table;

pub use character::{Character, Deed, DoesNotFit, RATHER, Scratch, State};
pub use design::{Design, Need, Planning, Pursues, Voice};
pub use file::schema;
pub(crate) use file::{Profiled, WantPart, join, read_stages};
pub(crate) use repertoire_authored::find_key;
pub use report::{Report, Wanted};
pub use senses::{Senses, SensesError};

#[cfg(test)]
mod tests;
