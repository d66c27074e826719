//! Characters learned by imitation: what they attend to, decide and do.

pub mod overview;
pub mod polar;
pub mod show;
pub mod timeline;

pub use timeline::Timeline;
