//! Characters, maps and contenders by name or from files.
//!
//! | module     | what it holds                                                                         |
//! |------------|---------------------------------------------------------------------------------------|
//! | [`load`]   | behaviours, profiles, programs, fighters, learned characters, places, from files      |
//! | `maps`     | maps that come with the library, TOML files, Doom's and Quake's                       |
//! | `roster`   | contenders as users write them: `native:3+belief`, `scout=scout.toml`                 |

pub mod load;
#[cfg(feature = "worlds")]
pub mod maps;
#[cfg(feature = "worlds")]
pub mod roster;
