//! `repertoire rooms run`.

use crossterm::event::Event;
use crossterm::{cursor, execute, terminal};
use repertoire_draw::rooms::film::Film;
use repertoire_draw::rooms::{page, picture};
use repertoire_draw::terminal::rooms as frame;
use repertoire_worlds::rooms::World;

use crate::prelude::*;
use crate::screen::{self, Screen};

/// Run a scenario and print what everybody did and why; draw it
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The scenario: the name of one that comes with repertoire (see `rooms list`), or a file
    scenario: String,

    /// How many steps to run [default: the scenario's own number, or until nothing happens any more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,

    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Give a character another profile: PROFILE (a name or file) for the first one, or CHARACTER=PROFILE; may be given several
    /// times
    #[arg(long, value_name = "PROFILE")]
    profile: Vec<String>,

    /// Print the map at every step
    #[arg(long, conflicts_with_all = ["json", "watch"])]
    frames: bool,

    /// Show it live in this terminal; q or Ctrl-C ends it
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Milliseconds between steps of --watch
    #[arg(long, value_name = "MS", default_value_t = 120, requires = "watch")]
    pause: u64,

    /// Write a picture to this file: where characters went, and the value of each action over time (animated in browsers)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a page to this file that plays the run back: the map, what each character knows, its reasoning, the curves
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let mut world = World::new(scenario.clone(), args.seed);
    for written in &args.profile {
        set_profile(&mut world, written)?;
    }
    let steps = args.steps.unwrap_or(scenario.steps);
    let bar = progress::bar(u64::from(steps), "{bar:40} {pos}/{len} steps  {eta} left");
    let film = Film::run(&mut world, steps, args.steps.is_none(), |step| bar.set_position(u64::from(step)));
    bar.finish_and_clear();
    output::file_if_asked(args.svg.as_ref(), || picture::sheet(&film))?;
    output::file_if_asked(args.html.as_ref(), || page::page(&film))?;
    if args.answer.json {
        return output::json(&film.to_json());
    }
    if args.watch {
        return watch(&film, args.pause);
    }
    if args.frames {
        return output::text(&frame::frames(&film));
    }
    if args.svg.iter().chain(&args.html).any(|path| output::is_stdout(path)) {
        return Ok(());
    }
    output::text(&(frame::summary(&film) + "\n" + &frame::frame(&film, film.len())))
}

fn set_profile(world: &mut World, written: &str) -> Result<()> {
    let (who, named) = match written.split_once('=') {
        Some((who, named)) => (world.resident(who)?, named),
        None => (0, written),
    };
    let profile = load::profile(named)?;
    if let Some(note) = repertoire_worlds::rooms::scenario::check_profile(&profile, &world.scenario().laws) {
        anstream::eprintln!("note: {note}");
    }
    world.set_profile(who, &profile);
    Ok(())
}

/// Plays it in the terminal, until it is over or a key or a signal ends it.
fn watch(film: &Film, pause_ms: u64) -> Result<()> {
    if !std::io::stdout().is_terminal() {
        bail!("--watch needs a terminal\n  remedy: --frames prints every step");
    }
    let screen = Screen::take()?;
    for step in 0..film.len() {
        execute!(std::io::stdout(), cursor::MoveTo(0, 0), terminal::Clear(terminal::ClearType::All))?;
        output::text(&frame::watched(film, step).replace('\n', "\r\n"))?;
        let is_ended = match screen::wait(Duration::from_millis(pause_ms))? {
            Some(Event::Key(key)) => screen::ends(&key),
            _ => signals::stop_requested(),
        };
        if is_ended {
            break;
        }
    }
    drop(screen);
    output::text(&frame::summary(film))
}
