//! `repertoire learn`: characters from recorded play.

mod chameleon;
mod corpus;
mod manner;
mod moments;
pub(crate) mod play;
mod replay;
mod sequence;
mod skill;
mod table;

use crate::prelude::*;

subcommands! {
    /// Learn characters from play: recorded in files, or while it happens
    #[command(after_help = "\
Examples:
  repertoire record --contender prudent --contender native:3 --map halls --seconds 350 -o play.parquet
  repertoire learn sequence --from play.parquet --player prudent --method incremental -o pupil.toml
  repertoire behaviour diff prudent pupil.toml
  repertoire learn chameleon --from play.parquet --player prudent --decisions 10 -o imitator.character
  repertoire trace import match.qwd --percepts --map dm6.bsp -o person.parquet
  repertoire learn moments --from person.parquet -o person.moments
  repertoire tournament --contender pupil=pupil.toml --contender prudent --contender native:3

Many recordings: give a folder or a pattern in quotes ('plays/**/*.parquet'). Recordings are then read one by one, so that memory
does not grow with their number, and every round is kept beside the output (OUTPUT.work): after a kill the same command goes on from
there. The result has the same bits however the work was divided.")]
    pub struct Args;
    Sequence => sequence,
    Chameleon => chameleon,
    Table => table,
    Manner => manner,
    Moments => moments,
    Replay => replay,
    Skill => skill,
}
