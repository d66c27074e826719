//! `repertoire topology`: places learned from where players walk.

mod compare;
mod draw;
mod evaluate;
mod files;
mod how;
mod learn;
mod points;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Places learned from where players walk: learn, compare with navigation points, draw, evaluate
#[derive(Debug, ClapArgs)]
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
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Learn(learn::Args),
    Compare(compare::Args),
    Draw(draw::Args),
    Evaluate(evaluate::Args),
    Points(points::Args),
    /// Print the JSON schema of places, for editors
    Schema,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Learn(args) => learn::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Points(args) => points::run(args),
        Command::Schema => crate::output::json(&repertoire_topology::places::schema()),
    }
}
