//! `repertoire town run`.

use std::io::Write;

use repertoire_draw::terminal::town as terminal;
use repertoire_draw::town::{page, picture};
use repertoire_eval::town::{Film, TownRecorder};
use repertoire_worlds::town::{At, DAY, Town};

use super::options::Options;
use crate::prelude::*;

/// Let a town live for some days and print what came of it; record, save and draw it
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Events: `dry KIND 6h`, `close KIND 3h`, `fire KIND 2h`, `price KIND x3 1d`, `tell VARIABLE=VALUE`, each with `50%` for a share of the
places of that kind, after a moment such as `day 1 14:00`.

Examples:
  repertoire town run
  repertoire town run western --inhabitants 1000000 --threads 2
  repertoire town run western --days 3 --event 'day 2 10:00 tell outlaw=free' --json
  repertoire town run western --days 2 --record life.parquet && repertoire town replay life.parquet
  repertoire town run western --save evening.town && repertoire town run --resume evening.town --days 1")]
pub struct Args {
    #[command(flatten)]
    options: Options,

    /// How many days to live; with --resume, how many more
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    days: f64,

    /// Write a picture to this file: the map with where everybody is, and crowds over time
    #[arg(long, value_name = "FILE")]
    svg: Option<Target>,

    /// Write a page to this file that plays the run back: the map, crowds over time, the day of single inhabitants with reasons
    #[arg(long, value_name = "FILE")]
    html: Option<Target>,

    /// Record what everybody begins to do, and a hash of the town every hour, as Parquet; a run that is killed leaves what it had
    /// written
    #[arg(long, value_name = "FILE")]
    record: Option<Target>,

    /// Record only the first N inhabitants [default: 10000]
    #[arg(long, value_name = "N", requires = "record", default_value_t = 10_000)]
    record_first: u32,

    /// Save the town at the end, to go on with --resume; with --save-every also in between
    #[arg(long, value_name = "FILE")]
    save: Option<Target>,

    /// Save every N hours of the town, each time replacing the file in one move
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    save_every: Option<u32>,

    #[command(flatten)]
    answer: Answer,
}

/// Inhabitants shown on a page, and those with a diary there.
const SHOWN: usize = 400;
const DIARIES: usize = 24;
/// Minutes between two looks.
const EVERY: u32 = 10;

pub(super) fn run(args: &Args) -> Result<()> {
    if !(args.days > 0.0 && args.days <= 3650.0) {
        bail!("--days {}: a town cannot live so long\n  remedy: a number above 0, at most 3650", args.days);
    }
    signals::install();
    args.options.on_threads(|| live(args))
}

fn live(args: &Args) -> Result<()> {
    let mut town = progress::during("{spinner} founding the town, {elapsed}", || args.options.found())?;
    let ticks = (args.days * f64::from(DAY)).round().max(1.0) as u32;
    let last = town.now().checked_add(ticks).filter(|last| *last < 1 << 30);
    let Some(last) = last else { bail!("the town would be too old\n  remedy: fewer --days") };
    let mut film =
        (args.svg.is_some() || args.html.is_some()).then(|| Film::new(&town, EVERY, SHOWN, DIARIES));
    if let Some(film) = &mut film {
        film.look(&town);
    }
    let bar = progress::bar(u64::from(ticks), "{bar:40} {pos}/{len} minutes  {eta} left");
    let mut slowest = Duration::ZERO;
    let mut tick = |town: &mut Town| -> Result<()> {
        let ((), took) = clock::time(|| town.tick());
        slowest = slowest.max(took);
        bar.inc(1);
        if let Some(film) = &mut film {
            film.look(town);
        }
        if let (Some(path), Some(hours)) = (&args.save, args.save_every)
            && town.now().is_multiple_of(hours * 60)
        {
            save(path, town)?;
        }
        Ok(())
    };
    let mut until = |town: &mut Town, look: &mut dyn FnMut(&Town) -> Result<()>| -> Result<()> {
        while town.now() < last && !signals::stop_requested() {
            tick(town)?;
            look(town)?;
        }
        Ok(())
    };
    let (done, took) = clock::time(|| match &args.record {
        None => until(&mut town, &mut |_| Ok(())),
        Some(path) => output::growing(path, |out| {
            let mut recorder = TownRecorder::new(out, &town, args.record_first)?;
            until(&mut town, &mut |town| Ok(recorder.look(town)?))?;
            recorder.finish(&town)?.flush()?;
            Ok(())
        }),
    });
    done?;
    bar.finish_and_clear();
    if let Some(path) = &args.save {
        save(path, &town)?;
    }
    if let Some(film) = &mut film {
        film.events = town.events_between(0, town.now());
        output::file_if_asked(args.svg.as_ref(), || picture::sheet(&town, film))?;
        output::file_if_asked(args.html.as_ref(), || page::page(&town, film))?;
    }
    args.answer
        .print(&town.account(), || terminal::table(&town) + &terminal::cost(&town, ticks, took, slowest))?;
    match signals::stop_requested() {
        true => Err(anyhow!(Interrupted(format!("stopped at {}", At(town.now()))))),
        false => Ok(()),
    }
}

fn save(path: &Path, town: &Town) -> Result<()> {
    output::replace(path, |out| {
        let mut out = std::io::BufWriter::with_capacity(1 << 20, out);
        town.save(&mut out)?;
        Ok(out.flush()?)
    })
}
