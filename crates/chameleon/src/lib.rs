//! CHAMELEON: characters that attend to one thing, decide, act, and are learned by imitation (Tencé 2011).
//!
//! A character has high-level stimuli (how am I?), low-level stimuli (where is what?), hidden decisions, and actions. At every
//! tick it attends to one high-level stimulus and takes its next decision by it; it attends to one low-level stimulus, by the
//! decision, and acts on it. All of it is learned from what somebody did: neither attention nor decisions are ever seen.
//!
//! | module         | what it gives                                                                |
//! |----------------|------------------------------------------------------------------------------|
//! | [`model`]      | stimuli and actions as data                                                  |
//! | [`layout`]     | how tables lie in memory                                                     |
//! | [`params`]     | the numbers: attention, decisions, actions                                   |
//! | [`numbers`]    | how many numbers models need, with which hypotheses                          |
//! | [`sequence`]   | what was observed of a life                                                  |
//! | [`pass`]       | forward and backward, linear in stimuli                                      |
//! | [`counts`]     | expected counts; they add up over lives and teachers                         |
//! | [`learn`](mod@learn) | EM over many sequences, restarts, cross-fitting                         |
//! | [`learned`]    | a learned character: plays, judges, goes on learning, is saved               |
//! | [`file`](mod@file) | a learned character as bytes: compact, versioned, checked                     |
//! | [`recipe`]     | how tables follow from counts                                                |
//! | [`play`]       | one tick with all of its reasons                                             |
//! | [`population`] | the same for whole populations, as columns                                   |
//! | [`online`]     | learning while the teacher plays                                             |
//! | [`decisions`]  | how many decisions, by sequences kept aside                                  |
//! | [`reaction`]   | reaction time from the data                                                  |
//! | [`synthetic`]  | teachers whose attention is known                                            |
//! | [`body`]       | what a body can do                                                           |
//! | [`delay`]      | reaction time                                                                |
//! | [`smooth`]     | values learn from their neighbours                                           |
//! | [`steady`]     | for how long attention and actions are held                                  |
//! | [`stand_in`]   | values never met stand for the nearest that was                              |
//! | [`partial`]    | what each kind of distribution contributes to the likelihood                 |
//! | [`maximise`](mod@maximise)| tables from counts, attention by minorise-maximise steps                     |

pub mod body;
pub mod counts;
pub mod decisions;
pub mod delay;
mod factors;
pub mod file;
pub mod hands;
mod index;
pub mod layout;
pub mod learn;
pub mod learned;
pub mod maximise;
pub mod model;
pub mod numbers;
pub mod online;
pub mod params;
pub mod partial;
pub mod parts;
pub mod pass;
pub mod play;
pub mod population;
pub mod posterior;
pub mod reaction;
pub mod recipe;
pub mod sequence;
pub mod smooth;
pub mod stand_in;
pub mod steady;
pub mod synthetic;
mod wide;

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;

pub use body::Body;
pub use counts::ExpectedCounts;
pub use delay::Delay;
pub use file::{FileError, LearnedFile};
pub use hands::{Hands, Moments};
pub use layout::Layout;
pub use learn::{EmSettings, LearnError, Progress, Run};
pub use learned::{Learned, learn};
pub use maximise::{Attention, maximise};
pub use model::Model;
pub use params::Params;
pub use pass::{Impossible, Pass};
pub use play::{Sharpness, State};
pub use recipe::Recipe;
pub use sequence::Sequence;
pub use smooth::Pooling;
pub use steady::Steadiness;
