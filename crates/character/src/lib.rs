//! Individuality: what characters can do, what they believe, how they reason, what moves them, and who they are.
//!
//! After Dujardin and Routier, *Définir des individualités pour des personnages non joueurs*. One engine serves every
//! character; who they are is data. The [`laws`] of a world say what can be done to what; a [`memory`] holds what a
//! character has seen; [`reason`] turns goals into alternatives; [`motivation`]s weigh them; a [`profile`] is the
//! parameters of the motivations. Nothing here knows a world, a file or a clock.
//!
//! | module         | what it holds                                                        |
//! |----------------|----------------------------------------------------------------------|
//! | [`vocabulary`] | names, values, ids                                                   |
//! | [`expression`] | the small language of conditions, guards and actions                 |
//! | [`laws`]       | kinds and interactions; IODA matrices                                |
//! | [`memory`]     | beliefs                                                              |
//! | [`space`]      | what reasoning asks about ways                                       |
//! | [`goal`]       | goals and how much they matter                                       |
//! | [`reason`]     | and/or trees and their alternatives                                  |
//! | [`motivation`] | evaluators                                                           |
//! | [`profile`]    | profiles, families, fusion                                           |
//! | [`character`]  | one decision                                                         |
//! | [`explain`]    | and its reasons                                                      |

pub mod character;
pub mod explain;
pub mod expression;
pub mod goal;
pub mod laws;
pub mod memory;
pub mod motivation;
pub mod profile;
pub mod reason;
pub mod space;
pub mod vocabulary;

pub use character::{Character, CutOff, Decision, Weighed};
pub use goal::{Goal, Influence, Standing};
pub use laws::Laws;
pub use memory::{Belief, Memory, Roster, Seen, View};
pub use motivation::{Candidate, Combine, Evaluator};
pub use profile::{Profile, Temper};
pub use reason::{Deed, Limits, Tree};
pub use space::{Destination, Nowhere, Space, Way};
pub use vocabulary::{InteractionId, KindId, NameId, PlaceId, PropertyId, ThingId, Value};
