//! `repertoire trace`: look into recorded play, and turn it into CSV and back.

mod convert;
mod head;
pub(crate) mod import;
mod info;
mod recover;
pub(crate) mod source;

use crate::prelude::*;

subcommands! {
    /// Inspect recorded play: which match it is of, its rows, conversion to CSV and back; import demos
    #[command(after_help = "\
A recording is a Parquet file with one row per tick and character: what it perceived, what it commanded, what happened.
pandas, polars and DuckDB read it as it is:
  duckdb -c \"select character, avg(own_health) from 'match.parquet' group by character\"
  python -c \"import pandas; print(pandas.read_parquet('match.parquet').explode('events'))\"
A recording that was cut off in the middle is read up to the cut.

Examples:
  repertoire trace info match.parquet
  repertoire trace head match.parquet -n 20 --character 1
  repertoire trace convert match.parquet match.csv
  repertoire trace import demo.qwd -o people.parquet                     what people played elsewhere
  repertoire trace recover .match.parquet.4711.part -o saved.parquet     what a killed run left")]
    pub struct Args;
    Info => info,
    Head => head,
    Import => import,
    Convert => convert,
    Recover => recover,
}
