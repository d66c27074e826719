//! A town that lives: inhabitants who want, plan, act, fail and plan again, by the million.
//!
//! A town is data: places on a map, classes of inhabitants with their planning domain, ways to do each action, needs,
//! households, families of profiles, events. Everybody who lives there is a character of [`repertoire_mind::game`]: their class
//! has a [`repertoire_mind::game::Design`], and [`Town::character`] makes one of any inhabitant, with the same goal and plan.
//! A crowd is run in columns instead. A tick is a minute, and [`Town::tick`] does three things:
//!
//! | stage   | what it does                                                                                     |
//! |---------|--------------------------------------------------------------------------------------------------|
//! | happen  | events that are due strike places, or change what is true of the whole town                       |
//! | turns   | whoever is due finishes a step, corrects beliefs, chooses a goal, plans, finds a place, walks     |
//! | answers | places serve those who ask, in the order of inhabitants, or turn them away and say why            |
//!
//! Turns read the town as it was and write only the inhabitant, so any number of threads gives the same bits. Whoever is in the
//! middle of something costs one comparison: needs are functions of time, plans are rows of a table, a turn in line is a time.
//!
//! | module   | what it holds                                                               |
//! |----------|-----------------------------------------------------------------------------|
//! | `file`, `read`, `class` | the file, checked, and the classes as bits                   |
//! | `charter`| what a town is                                                              |
//! | `check`  | what is possible to write but cannot work, with line and remedy              |
//! | `places` | the map, drawn or generated; nearest places; ways between them               |
//! | `person`, `step` | one inhabitant, and their turn                                      |
//! | `answer` | what places say to those who ask                                            |
//! | `town`   | the columns and the tick                                                    |
//! | `event`  | what happens, in words                                                      |
//! | `why`    | need, goal, plan and what went wrong, for any inhabitant at any tick         |
//! | `save`   | the whole state as bytes, and its hash                                      |
//! | `census`, `account` | who is where and does what; what came of a run                   |
//! | `past`   | any moment of a run again                                                    |

mod account;
mod answer;
mod census;
mod charter;
mod check;
mod class;
mod clock;
mod event;
mod file;
mod past;
mod person;
mod places;
mod read;
mod save;
mod shipped;
mod step;
mod tally;
#[cfg(test)]
mod tests;
#[allow(clippy::module_inception, reason = "the noun of this module is the town")]
mod town;
mod why;

pub use account::Account;
pub use census::{Census, Seen};
pub use charter::{
    Action, Bits, Charter, Class, Drawn, Family, Goal, Kind, Need, News, Pursued, Reason, StockKind, Way,
    Where,
};
pub use check::check;
pub use clock::{At, DAY, Hours, TimeOfDay, moment};
pub use event::{Event, FORMS, Happening, NotAnEvent};
pub use file::schema;
pub use past::Past;
pub use person::Phase;
pub use places::{NOWHERE, Place, Places, TooMany};
pub use read::read;
pub use save::NotASave;
pub use shipped::{TOWNS, charter, text};
pub use tally::Tally;
pub use town::{Minds, Town};
pub use why::{Felt, Step, Wanted, Why, Wrong};
