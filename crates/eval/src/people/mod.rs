//! What people do, in numbers, and whether our rules of movement are theirs.
//!
//! | module      | what it holds                                                                       |
//! |-------------|-------------------------------------------------------------------------------------|
//! | [`series`]  | a person's match sampled twenty times a second, with whom they could see            |
//! | [`fights`]  | aiming, reacting to somebody who comes into view, searching for somebody lost       |
//! | [`report`]  | habits and reference values, each person alone and all together                     |
//! | [`retrace`] | people's recorded inputs through our rules: do they lead where they led the people? |

pub mod fights;
pub mod report;
pub mod retrace;
pub mod series;

pub use report::{PeopleReport, PersonFigures, people};
