//! `repertoire rooms`: characters in a world of rooms, and who they are.

mod check;
mod list;
mod matrix;
mod profile;
mod run;
mod tree;

use crate::prelude::*;

subcommands! {
    /// Run characters in rooms: what they know, how they reason, what moves them
    #[command(after_help = "\
A scenario is the name of one that comes with repertoire, or a TOML file (the guide is docs/guides/characters.md). A
profile is one that comes with repertoire, or a TOML file.

Examples:
  repertoire rooms list
  repertoire rooms run 6.2                                  the whole experiment of the paper, step by step
  repertoire rooms run 6.1.1-right --svg way.svg            where it went, and the curves of every action's value
  repertoire rooms run 6.2 --html run.html                  the same to play back, with memory and reasoning
  repertoire rooms run 6.1.2-left --profile brute           the same world, another character
  repertoire rooms tree 6.1.2-left --explain
  repertoire rooms tree 6.2 --at 60 --dot | dot -Tsvg > tree.svg
  repertoire rooms profile fuse brute careful --weight 0.5
  repertoire rooms check my-rooms.toml")]
    pub struct Args;
    Run => run,
    Tree => tree,
    List => list,
    Check => check,
    Profile => profile,
    Matrix => matrix;
    /// Print a JSON schema, for editors
    Schema {
        /// Of which files
        #[arg(value_parser = ["scenario", "profile", "family"], default_value = "scenario")]
        of: String,
    } => crate::schema::print(of),
}
