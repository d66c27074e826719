//! `repertoire town watch`: a town live in the terminal, or as plain frames in a pipe.

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind};
use crossterm::terminal::size;
use repertoire_draw::terminal::town_show::{Show, status};
use repertoire_worlds::town::{DAY, moment};

use super::options::Options;
use crate::prelude::*;
use crate::screen::{self, Screen};

/// Watch a town live in the terminal; follow somebody and see why they do what they do
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Keys:
  q      quit            space  pause          s  one minute         + -  faster, slower
  f F    follow the next, the one before       g  type a number to follow
  e      type an event, such as `dry well 6h`, `fire forge`, `tell outlaw=free`
  b      an hour back, the same to the bit

People on their way are shown as o in the colour of their class, the one you follow as @. If the output is not a terminal, a frame is printed for
every hour, as fast as they come.

Examples:
  repertoire town watch
  repertoire town watch station --follow 12 --speed 20
  repertoire town watch western --days 1 | tail -40")]
pub struct Args {
    #[command(flatten)]
    options: Options,

    /// Minutes of the town per second, from 1 to 600
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=600))]
    speed: u32,

    /// Follow this inhabitant, by number
    #[arg(long, value_name = "N")]
    follow: Option<u32>,

    /// Begin at this moment, such as 'day 1 08:00'
    #[arg(long, value_name = "MOMENT", default_value = "06:00")]
    from: String,

    /// End after this many days [default: never; 1 if the output is not a terminal]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: Option<u32>,
}

/// Lines and columns of a frame in a pipe.
const PLAIN: (usize, usize) = (120, 48);

pub(super) fn run(args: &Args) -> Result<()> {
    args.options.on_threads(|| {
        let Some(from) = moment(&args.from) else {
            bail!("--from {}: this is no moment\n  remedy: such as 'day 1 08:00'", args.from);
        };
        let mut town = args.options.found()?;
        if let Some(who) = args.follow.filter(|who| *who as usize >= town.len()) {
            bail!("--follow {who}: nobody has this number\n  remedy: a number from 0 to {}", town.len() - 1);
        }
        while town.now() < from {
            town.tick();
        }
        let is_live = std::io::stdout().is_terminal();
        let days = args.days.or((!is_live).then_some(1));
        let last = days.map(|days| town.now() + days * DAY);
        let mut show = Show::new(town, args.follow, last);
        if is_live { live(&mut show, args.speed) } else { plain(&mut show) }
    })
}

fn plain(show: &mut Show) -> Result<()> {
    signals::install();
    while !show.is_over() && !signals::stop_requested() {
        show.tick();
        if show.town.now().is_multiple_of(60) {
            let lines = show.frame((PLAIN.0, PLAIN.1), false, "");
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            output::text(&(lines.join("\n") + "\n\n"))?;
        }
    }
    output::text(&format!("state hash {:016x}\n", show.town.hash()))
}

fn live(show: &mut Show, mut speed: u32) -> Result<()> {
    let mut screen =
        Screen::take().context("the terminal could not be taken over; `| cat` shows plain frames instead")?;
    let (mut paused, mut typed): (bool, Option<(char, String)>) = (false, None);
    loop {
        let (columns, lines) = size()?;
        let status = status(typed.as_ref(), paused, speed);
        screen.show(show.frame((columns.into(), lines.into()), output::is_coloured(), &status))?;
        if show.is_over() || signals::stop_requested() {
            return Ok(());
        }
        let stands = paused || typed.is_some();
        let wait = if stands { 250 } else { (1000 / speed).max(33) };
        match screen::wait(Duration::from_millis(wait.into()))? {
            Some(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                if let Some((what, text)) = typed.take() {
                    typed = type_on(show, what, text, &key);
                    continue;
                }
                match key.code {
                    _ if screen::ends(&key) => return Ok(()),
                    KeyCode::Char(' ') => paused = !paused,
                    KeyCode::Char('+' | '=') => speed = (speed * 2).min(600),
                    KeyCode::Char('-' | '_') => speed = (speed / 2).max(1),
                    KeyCode::Char('f') => show.follow_next(1),
                    KeyCode::Char('F') => show.follow_next(-1),
                    KeyCode::Char('s') => {
                        paused = true;
                        show.tick();
                    }
                    KeyCode::Char(what @ ('e' | 'g')) => typed = Some((what, String::new())),
                    KeyCode::Char('b') => show.back(),
                    _ => {}
                }
            }
            Some(Input::Resize(..)) => screen.forget()?,
            Some(_) => {}
            None if !stands => {
                // Fast towns make several minutes a frame.
                for _ in 0..(speed / 30).max(1) {
                    show.tick();
                }
            }
            None => {}
        }
    }
}

/// A key while something is typed; gives back what is typed then, or obeys it.
fn type_on(show: &mut Show, what: char, mut text: String, key: &KeyEvent) -> Option<(char, String)> {
    match key.code {
        KeyCode::Esc => return None,
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(letter) => text.push(letter),
        KeyCode::Enter => {
            if what == 'e' {
                show.happen(&text)
            } else {
                show.follow_number(&text)
            }
            return None;
        }
        _ => {}
    }
    Some((what, text))
}
