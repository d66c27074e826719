//! Bayesian programs: a joint distribution written as a product of factors, and exact questions to it.
//!
//! | module       | what it gives                                                                        |
//! |--------------|--------------------------------------------------------------------------------------|
//! | [`program`]  | variables, a decomposition, a form for each factor, learning                         |
//! | [`question`] | `P(searched \| known)`, compiled once, asked many times without allocation           |
//! | [`answers`]  | questions as people write them, for every value of a variable, with reasons and choices |
//! | [`description`] | a program as plain data, for other programs to read                               |
//! | [`deliberation`] | one decision from what came before, unsure sensors and weighted opinions, as a table in nats |
//! | [`explain`]  | what each known value contributed to an answer                                       |
//! | [`fusion`]   | one command from many opinions: enhanced coherence, naive sensor and motor fusion    |
//! | [`file`](mod@file) | programs as TOML, mistakes answered with line and remedy                       |
//! | [`sequence`] | task sequencing by inverse programming: deciding, whole populations, learning        |
//! | [`syntax`]   | `P(A B \| C=low, D)` as people write it                                               |
//! | [`shipped`]  | the programs of the thesis, ready to ask                                             |
//!
//! ```
//! use repertoire_bayes::Program;
//! let follow = Program::shipped("target-following").expect("shipped");
//! let answer = follow.ask("P(Rotation | Direction=left)")?;
//! let fast_left = follow.variable("Rotation").and_then(|v| v.value("fast_left"));
//! assert_eq!(Some(answer.most_probable()), fast_left);
//! # Ok::<(), repertoire_bayes::question::AskError>(())
//! ```
//!
//! Source: Le Hy 2007, chapters 3.2 to 3.4, 4.3 and 4.4.

pub mod answers;
pub mod deliberation;
pub mod description;
pub mod explain;
pub mod file;
pub mod fusion;
pub mod program;
pub mod question;
pub mod sequence;
pub mod shipped;
pub mod syntax;

pub use program::{Form, Parameter, Program, ProgramError};
pub use question::{AskError, Question, Workspace};
