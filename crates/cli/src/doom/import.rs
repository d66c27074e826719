//! `repertoire doom import`: recorded play of Doom's own bots as a trace.

use std::fs::File;
use std::io::BufWriter;

use repertoire_doom::demo::{self, Demo, Imported, NotImported};
use repertoire_doom::{DoomError, Ground, Manner, report};
use repertoire_trace::Recorder;

use super::options::Where;
use crate::prelude::*;

/// Convert recorded play of Doom's bots (a row for each bot and tic) to a recording to learn from
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Rows are tic,bot,x,y,z,angle,vx,vy,health,armor,weapon,ammo,buttons,forward,side,yaw,sees, as .csv or .csv.gz: the state after a
tic and the command executed in it. Each decision pairs a state with the commands after it. Who is in view is computed
from the map, so the WAD file is needed; Doom itself is not.

Examples:
  repertoire doom import freedm_map01_35hz.csv.gz --map MAP01 -o bots.parquet
  repertoire learn sequence --from bots.parquet --method incremental -o like-bots.toml
  repertoire doom match --contender bot=like-bots.toml")]
pub struct Args {
    /// The rows, as .csv or .csv.gz
    file: PathBuf,
    /// The map they were played on
    #[arg(long, default_value = "MAP01")]
    map: String,
    /// How many bots the rows are of
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    players: u8,
    /// Tics (1/35 s) from one decision to the next
    #[arg(long, value_name = "N", default_value_t = Manner::default().tics, value_parser = clap::value_parser!(u32).range(1..=10))]
    tics: u32,
    /// Read only this many minutes of game time [default: all]
    #[arg(long, value_name = "MIN")]
    minutes: Option<f64>,
    #[command(flatten)]
    place: Where,
    /// Write the recording to this file, which must end in .parquet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    refuse_other_than_parquet(&args.output)?;
    let found = args.place.find();
    if !found.wad.is_file() {
        return Err(DoomError::NoWad(found.wad).into());
    }
    let ground = Ground::import(&found.wad, &found.maps()?, &args.map)?;
    let rows =
        demo::open(&args.file).with_context(|| format!("{} could not be read", args.file.display()))?;
    let mut demo = Demo::new(rows, &ground, args.tics);
    let header = Demo::<File>::header(&ground, args.players, args.tics);
    let most = args.minutes.map_or(u64::MAX, |minutes| (minutes * 60.0 / header.period_secs).max(1.0) as u64);
    let bar = progress::spinner("{spinner} {pos} decisions of everybody, {elapsed}");
    let mut imported = Imported::default();
    output::replace(&args.output, |out| {
        let mut recorder = Recorder::new(BufWriter::new(out), header.clone())?;
        imported = demo.record(&mut recorder, most, &|| bar.inc(1)).map_err(|error| match error {
            NotImported::Read(error) => anyhow!("{}: {error}", args.file.display()),
            NotImported::Write(error) => error.into(),
        })?;
        if imported.decisions == 0 {
            bail!("{}: it has no rows\n  remedy: give recorded play", args.file.display());
        }
        recorder.finish()?;
        Ok(())
    })?;
    bar.finish_and_clear();
    let (file, agreement) = (args.output.display().to_string(), demo.agreement());
    output::answer(args.json, &report::import_as_json(&file, &header, &imported, agreement), || {
        report::of_import(&file, &header, &args.map, &imported, agreement)
    })
}
