//! `repertoire record`: a match written down tick by tick, to learn from and to play again.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_trace::{Header, Recorder, Row, Tick};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::rules::Rules;
use serde::Serialize;

use crate::arena::{maps, roster};
use crate::output;

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
    /// Who plays, as in `tournament`; give it once for each character [default: native:1, 3, 5 and 7]
    #[arg(long = "contender", value_name = "NAME[:LEVEL|=FILE]")]
    contenders: Vec<String>,
    /// The map: yard, halls, keep, a TOML file, or FILE.wad:MAP01
    #[arg(long, default_value = "halls")]
    map: String,
    /// The same seed gives the same match, to the bit
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long to play, in seconds of the game
    #[arg(long, default_value_t = 300.0, value_name = "SECS")]
    seconds: f64,
    /// End when somebody has this many frags [default: play for --seconds]
    #[arg(long)]
    frags: Option<i32>,
    /// Write down in words why each character does what it does (large)
    #[arg(long)]
    why: bool,
    /// Where to write; .parquet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print what was recorded as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Recorded {
    file: String,
    map: String,
    seed: u64,
    ticks: u32,
    seconds: f64,
    bytes: u64,
    final_hash: String,
    frags: Vec<(String, i32)>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.output.extension().is_none_or(|extension| extension != "parquet") {
        bail!(
            "{}: recordings are Parquet files\n  remedy: give a name that ends in .parquet; `repertoire trace convert` makes CSV of it",
            args.output.display()
        );
    }
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!(
            "--seconds {}: there is nothing to record\n  remedy: a number above 0, at most 1000000",
            args.seconds
        );
    }
    let (map, level) = maps::find(&args.map)?;
    let mut game = Match::new(level, Rules::default(), contenders(args)?, args.seed);
    let recorded = if args.output.exists() {
        // What was there is replaced only by a whole recording.
        let mut made = None;
        output::replace(&args.output, |out| {
            made = Some(record(args, &map, &mut game, out)?);
            Ok(())
        })?;
        made
    } else {
        // Written in place, so that what was played is kept if this is interrupted.
        let out = File::create(&args.output);
        let mut out = out.with_context(|| format!("{} could not be written", args.output.display()))?;
        Some(record(args, &map, &mut game, &mut out)?)
    };
    let Some(mut recorded) = recorded else { bail!("{} could not be written", args.output.display()) };
    recorded.bytes = std::fs::metadata(&args.output).map_or(0, |data| data.len());
    tell(args, &recorded)
}

fn contenders(args: &Args) -> Result<Vec<Contender>> {
    let usual = ["native:1", "native:3", "native:5", "native:7"].map(str::to_owned);
    let written = if args.contenders.is_empty() { &usual[..] } else { &args.contenders };
    if written.len() > 255 {
        bail!("{} contenders: a match holds at most 255\n  remedy: give fewer", written.len());
    }
    let make =
        |name: &String| roster::find(name).map(|entry| Contender { mind: (entry.make)(), name: entry.name });
    Ok(written.iter().map(make).collect::<Result<_, _>>()?)
}

fn record(args: &Args, map: &str, game: &mut Match, out: &mut File) -> Result<Recorded> {
    let mut recorder = Recorder::new(BufWriter::new(out), header(args, map, game)?)?;
    let period = game.world().rules().period_secs();
    let ticks = (args.seconds / period).round().max(1.0) as u32;
    let bar = ProgressBar::new(u64::from(ticks));
    bar.set_style(ProgressStyle::with_template("recording [{bar:40}] {percent} %, {eta} left")?);
    for _ in 0..ticks {
        recorder.push(tick(game, args.why))?;
        bar.inc(1);
        if args.frags.is_some_and(|most| game.best_frags() >= most) {
            break;
        }
    }
    bar.finish_and_clear();
    recorder.finish()?;
    let frags = game.contenders().iter().enumerate();
    Ok(Recorded {
        file: args.output.display().to_string(),
        map: map.to_owned(),
        seed: args.seed,
        ticks: game.world().tick(),
        seconds: game.world().time_secs(),
        bytes: 0,
        final_hash: format!("{:016x}", game.world().hash()),
        frags: frags.map(|(id, contender)| (contender.name.clone(), game.world().tally(id).frags)).collect(),
    })
}

fn header(args: &Args, map: &str, game: &Match) -> Result<Header> {
    let names = game.contenders().iter().map(|contender| contender.name.as_str());
    let mut header = Header::new("arena", map, args.seed, game.world().rules().period_secs(), names);
    header.map_source = file::write(game.world().level().map());
    header.settings = serde_json::to_value(game.world().rules())?;
    Ok(header)
}

/// Plays one tick, and writes down what everybody perceived, decided and lived through.
fn tick(game: &mut Match, with_why: bool) -> Tick {
    let number = game.world().tick();
    game.perceive();
    game.decide();
    let mut rows: Vec<Row> = (0..game.world().len()).map(|id| row(game, id, with_why)).collect();
    game.advance();
    for (id, row) in rows.iter_mut().enumerate() {
        row.events.extend_from_slice(game.world().events(id));
    }
    Tick { tick: number, state_hash: game.world().hash(), rows }
}

fn row(game: &Match, id: usize, with_why: bool) -> Row {
    let alive = game.world().is_alive(id);
    let mind = &game.contenders()[id].mind;
    // The first lives begin before the first tick, which tells of them.
    let events = if game.world().tick() == 0 { game.world().events(id).to_vec() } else { Vec::new() };
    Row {
        character: id as u8,
        alive,
        percept: alive.then(|| game.percepts()[id].clone()),
        command: alive.then(|| game.commands()[id]),
        task: alive.then(|| mind.task().to_owned()),
        why: (alive && with_why).then(|| mind.why()),
        events,
    }
}

fn tell(args: &Args, recorded: &Recorded) -> Result<()> {
    if args.json {
        return output::json(recorded);
    }
    let frags: Vec<String> = recorded.frags.iter().map(|(name, frags)| format!("{name} {frags}")).collect();
    output::text(&format!(
        "{}: {} ticks ({:.0} s) on {}, seed {}, {} kB; frags: {}\nstate hash {}\n",
        Path::new(&recorded.file).display(),
        recorded.ticks,
        recorded.seconds,
        recorded.map,
        recorded.seed,
        recorded.bytes / 1000,
        frags.join(", "),
        recorded.final_hash,
    ))
}
