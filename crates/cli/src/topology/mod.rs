//! `repertoire topology`: places learned from where players walk.

mod compare;
mod draw;
mod evaluate;
mod how;
mod learn;
mod points;

use crate::prelude::*;

subcommands! {
    /// Places learned from where players walk: learn, compare with navigation points, draw, evaluate
    #[command(after_help = "\
Play is CSV with the columns map,session,player,life,t,x,y,z,yaw (t, x, y and z are needed), plain or gzip, or a recording of
`repertoire record`. Places are JSON in the shape of a game's navigation points: levels by name, nodes with `id` and `pos`,
directed links.

Examples:
  repertoire record --map halls --seconds 300 -o match.parquet
  repertoire topology learn --play match.parquet -o places.json
  repertoire topology points halls -o points.json
  repertoire topology compare --places places.json --nav points.json
  repertoire topology draw --places places.json --nav points.json --play match.parquet --svg halls.svg
  repertoire topology evaluate --play match.parquet --nav points.json

The guide is docs/guides/topology.md.")]
    pub struct Args;
    Learn => learn,
    Compare => compare,
    Draw => draw,
    Evaluate => evaluate,
    Points => points;
    /// Print the JSON schema of places, for editors
    Schema => crate::schema::print("places"),
}
