//! The calls that C sees: `include/repertoire.h` is written from here.
//!
//! Each call has the same shape: `border::guard` around it, pointers first, then one line of plain Rust.
//! Comments of public items go into the header, so they speak to people who write C.

// In the order of the header.
mod library;

mod design;

mod mind;

mod senses;

mod population;

pub use design::*;
pub use library::*;
pub use mind::*;
pub use population::*;
pub use senses::*;

/// A design: what a kind of character senses, does, needs and knows. Valid until it is freed, and never again after that.
/// 0 is never the handle of anything.
pub type RepertoireDesign = u64;

/// A mind: one character and what it senses. Valid until it is freed, and never again after that. 0 is never the handle of
/// anything.
pub type RepertoireMind = u64;

/// What a character does now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepertoireDeed {
    /// The task, by its number in the design's file; repertoire_design_name has its name.
    pub task: u32,
    /// 1 if the task is about a thing that was offered, otherwise 0.
    pub has_target: u32,
    /// The thing the task is about: the nearest that was offered of its kind. 0 if has_target is 0.
    pub target: u64,
}

impl From<repertoire_mind::game::Deed> for RepertoireDeed {
    fn from(deed: repertoire_mind::game::Deed) -> Self {
        let (has_target, target) = (u32::from(deed.target.is_some()), deed.target.unwrap_or(0));
        RepertoireDeed { task: deed.task as u32, has_target, target }
    }
}
