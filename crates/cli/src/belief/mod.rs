//! `repertoire belief`: where opponents are who cannot be seen.

mod calibrate;
mod draw;
mod evaluate;
mod fit;
mod plants;
mod rts;

use crate::prelude::*;

subcommands! {
    /// Track opponents who are out of sight: learn how players move, measure trackers, draw beliefs
    #[command(after_help = "\
Examples:
  repertoire record --map halls --seed 1 -o one.parquet
  repertoire record --map halls --seed 2 -o two.parquet
  repertoire belief fit --places halls --play one.parquet -o halls.json
  repertoire belief evaluate --model halls.json --visibility halls --play two.parquet
  repertoire belief evaluate --leave-one-out --places halls --visibility halls --play one.parquet --play two.parquet
  repertoire belief draw --model halls.json --visibility halls --play two.parquet --html where.html
  repertoire belief calibrate --model halls.json --visibility halls

Play and maps of other games are read too: the guide is docs/guides/belief.md.")]
    pub struct Args;
    Fit => fit,
    Evaluate => evaluate,
    Draw => draw,
    Calibrate => calibrate,
    Plants => plants,
    Rts => rts;
    /// Print the JSON schema of models, for editors
    Schema => crate::schema::print("belief-model"),
}
