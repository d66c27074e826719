//! What people do, in numbers, and whether our rules of movement are theirs.
//!
//! | module      | what it holds                                                                       |
//! |-------------|-------------------------------------------------------------------------------------|
//! | [`series`]  | a person's match sampled twenty times a second, with whom they could see            |
//! | [`fights`]  | aiming, reacting to somebody who comes into view, searching for somebody lost       |
//! | [`foretold`] | a person's play under the moments that were learned of them, and of others          |
//! | [`report`]  | habits and reference values, each person alone and all together                     |
//! | [`ours`]    | recordings of our own characters, kept as people's play is, to be measured alike          |
//! | [`percepts`] | people's play as a recording to learn from, with what they could perceive            |
//! | [`views`]   | still views and bursts of turning, at 20 Hz                                         |
//! | [`retrace`] | people's recorded inputs through our rules: do they lead where they led the people? |

pub mod fights;
pub mod foretold;
pub mod ours;
pub mod percepts;
pub mod report;
pub mod retrace;
pub mod series;
pub mod views;

pub use report::{PeopleReport, PersonFigures, people};
