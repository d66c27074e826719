//! `repertoire arena`: maps to look at, check and import, and matches to watch. What every command that plays matches
//! shares is here too: who plays ([`roster`]), and where ([`maps`]).

/// Quake's maps from files.
pub(crate) mod bsp {
    pub(crate) use repertoire::recordings::{quake_map as read_map, quake_maps as load};
}
mod check;
mod draw;
mod export;
mod import;
mod list;
mod retrace;
mod seek;
mod soak;
mod watch;
mod weapons;

pub use repertoire::{maps, roster};
pub(crate) use repertoire_first::known::{CONTENDERS, Known, or_usual};

use crate::prelude::*;

/// Who plays if nobody is named: native bots from beginner to champion.
pub(crate) const NATIVE: [&str; 4] = ["native:1", "native:3", "native:5", "native:7"];

subcommands! {
    /// Watch matches live; draw, check and import maps
    #[command(after_help = "\
A map is the name of one that comes with repertoire, a TOML file (the guide is docs/guides/arena.md), a map of a Doom
file, as FILE.wad:MAP01, or a map of Quake, as FILE.bsp (plain or gzip).

Examples:
  repertoire arena watch                                    four bots on the map `halls`; q ends it
  repertoire arena watch --contender native:0 --contender native:7 --map yard --follow 1
  repertoire arena list
  repertoire arena weapons                                  their numbers
  repertoire arena draw halls --svg halls.svg
  repertoire arena check cellar.toml
  repertoire arena import freedm.wad MAP01 -o map01.toml
  repertoire arena retrace match.qwd --map dm6.bsp          people's inputs through our rules of movement")]
    pub struct Args;
    Watch => watch,
    List => list,
    Draw => draw,
    Check => check,
    Import => import,
    Export => export,
    Soak => soak,
    Seek => seek,
    Retrace => retrace,
    Weapons => weapons;
    /// Print the JSON schema of map files, for editors
    Schema => crate::schema::print("map"),
}
