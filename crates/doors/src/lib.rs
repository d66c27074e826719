//! Every capability as JSON lines: one question in, one answer out.
//!
//! A door answers questions about one part of repertoire. `repertoire ask` puts the doors on standard input and output;
//! adapters for other languages open them directly:
//!
//! ```
//! let door = repertoire_doors::door("laplace").expect("there is such a door");
//! assert_eq!(door.answer(r#"{"counts":[2,0]}"#)?, r#"{"table":[0.75,0.25]}"#);
//! # Ok::<(), repertoire_doors::DoorError>(())
//! ```
//!
//! A [`Session`] also remembers what was loaded, so that a behaviour is read once and asked a million times:
//!
//! ```
//! # use repertoire_doors::{DoorError, door};
//! let mut session = door("sequence").expect("there is such a door").session();
//! session.answer(r#"{"load":{"behaviour":"prudent"},"as":"guard"}"#)?;
//! let answer = session.answer(r#"{"use":"guard","previous":"attack","sensors":{"health":"low"}}"#)?;
//! assert!(answer.starts_with(r#"{"posterior":{"#));
//! # Ok::<(), DoorError>(())
//! ```
//!
//! | module       | what it holds                                                                   |
//! |--------------|---------------------------------------------------------------------------------|
//! | [`door`](mod@door) | what a door is: its name, an example, its schemas                         |
//! | [`session`]  | a conversation with one door: loading, using, one line of answer for each line  |
//! | [`library`]  | where files come from, for those who have any: this crate reads none            |
//! | [`schemas`]  | the JSON schemas of doors and of files that people write, packed                |
//! | [`error`]    | why a line was not answered                                                     |
//!
//! Each of the other modules is one door. A door's questions and answers are plain structs with a JSON schema; a door
//! whose question has a large part that stays the same (a behaviour, a program, a scenario) can load that part.

mod baum_welch;
mod belief;
mod chameleon;
mod character;
pub mod door;
mod emd;
pub mod error;
mod fusion;
mod gng;
mod incremental;
mod laplace;
pub mod library;
mod mind;
mod motivation;
mod nested;
mod plan;
mod population;
mod program;
mod rooms;
pub mod schemas;
mod sequence;
pub mod session;
mod town;

pub use door::Door;
pub use error::DoorError;
pub use library::{Library, NoFiles};
pub use session::Session;

/// Every door, in the order in which they are listed.
pub static DOORS: [Door; 17] = [
    Door::loading::<program::Programs>(),
    Door::plain::<fusion::Fusion>(),
    Door::plain::<laplace::Laplace>(),
    Door::loading::<baum_welch::BaumWelch>(),
    Door::plain::<incremental::Incremental>(),
    Door::loading::<plan::Plans>(),
    Door::loading::<population::Populations>(),
    Door::loading::<sequence::Sequences>(),
    Door::plain::<mind::Mind>(),
    Door::loading::<character::Characters>(),
    Door::plain::<motivation::Motivation>(),
    Door::loading::<rooms::Rooms>(),
    Door::loading::<town::Towns>(),
    Door::loading::<belief::Beliefs>(),
    Door::loading::<chameleon::Chameleon>(),
    Door::plain::<emd::Emd>(),
    Door::plain::<gng::Gng>(),
];

/// The door of this name, such as `sequence`; `None` if there is none.
pub fn door(name: &str) -> Option<&'static Door> {
    DOORS.iter().find(|door| door.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_answered() {
        for door in &DOORS {
            let answer = door.answer(door.example).unwrap_or_else(|error| panic!("{}: {error}", door.name));
            assert!(!answer.contains('\n') && answer.starts_with('{'), "{answer}");
        }
    }

    #[test]
    fn every_example_of_loading_is_answered() {
        for door in &DOORS {
            let Some(loading) = &door.loading else { continue };
            let mut session = door.session();
            for line in [loading.load_example, loading.use_example] {
                let answer =
                    session.answer(line).unwrap_or_else(|error| panic!("{}: {line}: {error}", door.name));
                assert!(!answer.contains('\n') && answer.starts_with('{'), "{answer}");
            }
        }
    }
}
