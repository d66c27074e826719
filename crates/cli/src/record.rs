//! `repertoire record`: a match recorded tick by tick, to learn from and to play again.

use std::io::BufWriter;

use repertoire_draw::terminal::recording;
use repertoire_eval::record::{self, RecordedMatch, Until};
use repertoire_trace::Recorder;
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::rules::Rules;

use crate::arena::{Known, NATIVE};
use crate::prelude::*;

/// Record a match: percepts, commands, tasks, events and a hash of the world for every tick
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire record -o match.parquet
  repertoire record --contender native:7 --contender native:1 --map keep --seconds 600 -o match.parquet
  repertoire trace info match.parquet
  repertoire replay match.parquet

A run that is killed leaves a recording that every command reads up to the cut: the file itself, or, where a file was to be
replaced, .NAME.PROCESS.part beside it. `repertoire trace recover` makes a whole recording of it; the next `record` to the
same file removes it.")]
pub struct Args {
    /// Character to play, as in `tournament`; may be given several times [default: native:1, native:3, native:5, native:7]
    #[arg(long = "contender", value_name = "NAME[:LEVEL|=FILE]")]
    contenders: Vec<String>,
    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, or FILE.wad:MAP01
    #[arg(long, default_value = "halls")]
    map: String,
    #[command(flatten)]
    known: Known,
    /// Random seed; the same seed gives the same match, to the bit
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Length of the match, in seconds of game time
    #[arg(long, default_value_t = 300.0, value_name = "SECS")]
    seconds: f64,
    /// End when somebody has this many frags [default: play for --seconds]
    #[arg(long)]
    frags: Option<i32>,
    #[command(flatten)]
    to: RecordTo,
}

/// What is recorded beside the match, and where to.
#[derive(Debug, ClapArgs)]
pub(crate) struct RecordTo {
    /// Also record in words why each character does what it does (makes the file large)
    #[arg(long)]
    pub why: bool,
    /// Write the recording to this file, which must end in .parquet
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    refuse_other_than_parquet(&args.to.output)?;
    ensure!(
        args.seconds > 0.0 && args.seconds <= 1e6,
        "--seconds {}: there is nothing to record\n  remedy: a number above 0, at most 1000000",
        args.seconds
    );
    let (map, level) = args.known.find_one(&args.map)?;
    let written = or_usual(&args.contenders, &NATIVE);
    if written.len() > 255 {
        bail!("{} contenders: a match holds at most 255\n  remedy: give fewer", written.len());
    }
    let contenders = roster::contenders(&written)?;
    roster::refuse_misplaced(&contenders, &map, &level)?;
    let mut game = Match::new(level, Rules::default(), contenders, args.seed);
    let period = game.world().rules().period_secs();
    let ticks = (args.seconds / period).round().max(1.0) as u32;
    let until = Until { ticks, frags: args.frags };
    let bar = progress::bar(u64::from(ticks), "recording [{bar:40}] {percent} %, {eta} left");
    output::growing(&args.to.output, |out| {
        let header = record::header(&game, &map, args.seed)?;
        let recorder = Recorder::new(BufWriter::new(out), header)?;
        Ok(record::play(&mut game, recorder, until, args.to.why, &|| bar.inc(1)).map(drop)?)
    })?;
    bar.finish_and_clear();
    let mut recorded = RecordedMatch::of(&args.to.output.display().to_string(), &game, &map, args.seed);
    recorded.bytes = std::fs::metadata(&args.to.output).map_or(0, |data| data.len());
    output::answer(args.to.json, &recorded, || recording::recorded(&recorded))
}
