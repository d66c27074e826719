//! `repertoire rooms run`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use crossterm::event::Event;
use crossterm::{cursor, execute, terminal};
use indicatif::{ProgressBar, ProgressStyle};
use repertoire::load;
use repertoire_character::Standing;
use repertoire_draw::rooms::film::{Film, Shot};
use repertoire_draw::rooms::{page, picture};
use repertoire_draw::terminal::rooms as frame;
use repertoire_worlds::rooms::World;
use serde_json::json;

use crate::screen::{self, Screen};
use crate::{output, signals};

/// Run a scenario: what everybody did and why, the map, pictures
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A scenario that comes with repertoire, or a file
    scenario: String,

    /// How many steps; the scenario says what is usual
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,

    /// The seed of everything drawn at random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Another profile for a character: a profile's name or file, or CHARACTER=PROFILE
    #[arg(long, value_name = "PROFILE")]
    profile: Vec<String>,

    /// Print every step with the map, not only what was done
    #[arg(long, conflicts_with_all = ["json", "watch"])]
    frames: bool,

    /// Show it live in this terminal; q or Ctrl-C ends it
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Milliseconds between steps of --watch
    #[arg(long, value_name = "MS", default_value_t = 120, requires = "watch")]
    pause: u64,

    /// Write a picture: where they went, and the curves of every action's value; it moves where SVG can
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a page to play back: the map, what each knows, its reasoning, the curves
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let mut world = World::new(scenario.clone(), args.seed);
    for written in &args.profile {
        set_profile(&mut world, written)?;
    }
    let steps = args.steps.unwrap_or(scenario.steps);
    let bar = ProgressBar::new(u64::from(steps)).with_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} steps  {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let film = Film::run(&mut world, steps, args.steps.is_none(), |step| bar.set_position(u64::from(step)));
    bar.finish_and_clear();
    if let Some(path) = &args.svg {
        output::file(path, &picture::sheet(&film))?;
    }
    if let Some(path) = &args.html {
        output::file(path, &page::page(&film))?;
    }
    if args.json {
        return output::json(&as_json(&film));
    }
    if args.watch {
        return watch(&film, args.pause);
    }
    if args.frames {
        let mut text = frame::frame(&film, 0);
        for step in 0..film.len() {
            text += &format!("\n{}{}", frame::told(&film, step), frame::frame(&film, step + 1));
        }
        return output::text(&text);
    }
    if args.svg.as_ref().is_some_and(|path| path.as_os_str() == "-")
        || args.html.as_ref().is_some_and(|path| path.as_os_str() == "-")
    {
        return Ok(());
    }
    output::text(&(summary(&film) + "\n" + &frame::frame(&film, film.len())))
}

fn set_profile(world: &mut World, written: &str) -> Result<()> {
    let (who, named) = match written.split_once('=') {
        Some((who, named)) => {
            let names: Vec<&str> = world.residents().iter().map(|resident| resident.name.as_str()).collect();
            let Some(at) = names.iter().position(|name| *name == who) else {
                bail!("nobody here is called `{who}`\n  remedy: one of {}", names.join(", "));
            };
            (at, named)
        }
        None => (0, written),
    };
    let profile = load::profile(named)?;
    if let Some(note) = repertoire_worlds::rooms::scenario::check_profile(&profile, &world.scenario().laws) {
        anstream::eprintln!("note: {note}");
    }
    world.set_profile(who, &profile);
    Ok(())
}

/// What was done, without the ways: a line for each time somebody does something else.
fn summary(film: &Film) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{}{bold:#}  {}\n", film.scenario.name, film.scenario.about);
    for role in &film.roles {
        text += &format!("\n{} ({}), {} steps\n", role.name, role.profile, role.shots.len());
        let mut last = String::new();
        for (step, shot) in role.shots.iter().enumerate() {
            if shot.action != last {
                text += &format!("{step:5}  {}\n", why_or_action(shot));
                last = shot.action.clone();
            }
        }
        for (goal, standing) in &role.goals {
            let end = match standing {
                Standing::Met => "met",
                Standing::Open => "not met yet",
                Standing::Unreachable => "no way to it is known",
            };
            text += &format!("       goal {goal}: {end}\n");
        }
    }
    text
}

fn why_or_action(shot: &Shot) -> String {
    match shot.word.as_str() {
        "wait" => shot.action.clone(),
        _ => format!("{:26} {}", shot.action, shot.why),
    }
}

fn as_json(film: &Film) -> serde_json::Value {
    let roles = film.roles.iter().map(|role| {
        let goals = role.goals.iter().map(|(name, standing)| json!({ "goal": name, "standing": standing }));
        json!({ "character": role.name, "profile": role.profile, "steps": role.shots,
            "goals": goals.collect::<Vec<_>>() })
    });
    json!({ "scenario": film.scenario.name, "seed": film.seed, "characters": roles.collect::<Vec<_>>() })
}

/// Plays it in the terminal, until it is over or a key or a signal ends it.
fn watch(film: &Film, pause_ms: u64) -> Result<()> {
    if !std::io::stdout().is_terminal() {
        bail!("--watch needs a terminal\n  remedy: --frames prints every step");
    }
    let screen = Screen::take()?;
    for step in 0..film.len() {
        execute!(std::io::stdout(), cursor::MoveTo(0, 0), terminal::Clear(terminal::ClearType::All))?;
        let text = format!(
            "{}  seed {}  step {step}  q ends\n\n{}\n{}",
            film.scenario.name,
            film.seed,
            frame::frame(film, step + 1),
            frame::told(film, step)
        );
        output::text(&text.replace('\n', "\r\n"))?;
        let is_ended = match screen::wait(Duration::from_millis(pause_ms))? {
            Some(Event::Key(key)) => screen::ends(&key),
            _ => signals::stop_requested(),
        };
        if is_ended {
            break;
        }
    }
    drop(screen);
    output::text(&summary(film))
}
