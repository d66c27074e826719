//! Outlines on a grid: points, edges cut where they meet, regions that do not overlap.
//!
//! | module     | what it holds                                                        |
//! |------------|----------------------------------------------------------------------|
//! | [`point`]  | points of a grid of 1/1024 m, and the exact questions about segments |
//! | [`ring`]   | closed outlines, cut wherever a corner of any outline lies on them   |
//! | [`region`] | what outlines enclose, less what is cut out; who lies beside whom    |
//!
//! All of it is whole-number arithmetic, so that "on the edge" and "inside" have one answer each, and areas that
//! share an edge share it to the bit.

pub mod point;
pub mod region;
pub mod ring;
