//! `repertoire arena watch`: a match live in the terminal, or as plain frames in a pipe.
//!
//! | module   | what it holds                                                        |
//! |----------|----------------------------------------------------------------------|
//! | `live`   | frames at the speed that keys ask for: the only place that waits     |
//! | `plain`  | frames for pipes and files                                           |
//! | `film`   | a stretch of the match as an animated picture                        |
//!
//! How fast a match is shown changes nothing in it: time passes in whole decisions, and the clock only says when the
//! next one is due.

mod film;
mod live;
mod plain;

use repertoire_draw::terminal::pace::{FASTEST, SLOWEST};
use repertoire_draw::terminal::show::{Show, followed};
use repertoire_draw::terminal::top::signs::MOST_CHARACTERS;
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::rules::Rules;

use super::{CONTENDERS, Known, or_usual, roster};
use crate::prelude::*;

/// Watch a match live in the terminal
#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Watch a match live in the terminal.

Shows the map from above, low floors dark and high ones light. Each character has its colour, an arrow where it looks and \
a tint over what it sees; beside the map stand its health, weapon and frags, what it is doing and why. If the output is not \
a terminal, plain frames are printed, one per second of game time, as fast as they come. --svg writes an animated picture \
instead: the liveliest stretch of the first two minutes, with one decision explained.",
    after_help = "\
Keys:
  q      quit            space  pause           s  one decision
  + -    faster, slower  f      follow the next character (none after the last)

The same map, contenders, seed and seconds end with the same state hash, whatever the speed.

Examples:
  repertoire arena watch
  repertoire arena watch --contender native:0 --contender native:7 --map yard --follow 1
  repertoire arena watch --map freedm.wad:MAP01 --speed 2
  repertoire arena watch --seconds 30 --seed 7 | tail -6
  repertoire arena watch --contender prudent --contender native:3 --svg match.svg --seconds 12"
)]
pub struct Args {
    /// Character to play, as in `tournament`; may be given several times [default: hunter, stalker, survivor, native:3, native:5]
    #[arg(long = "contender", value_name = "NAME[:LEVEL]")]
    contenders: Vec<String>,

    /// The map: the name of one that comes with repertoire (see `arena list`), a TOML file, or FILE.wad:MAP01
    #[arg(long, value_name = "NAME|FILE", default_value = "halls")]
    map: String,

    #[command(flatten)]
    known: Known,

    /// Random seed; the same seed gives the same match
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Speed: seconds of game time per second, from 0.1 to 64
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, allow_negative_numbers = true)]
    speed: f64,

    /// End after this many seconds of game time; with --svg, the length of the picture [default: never; 60 if the output is not
    /// a terminal; 14 with --svg]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// Follow this character (its name, or its number from 0) and show what it perceives [default: none; 0 with --svg]
    #[arg(long, value_name = "NAME|K")]
    follow: Option<String>,

    /// Write an animated picture of a stretch of the match, with one decision of the followed character explained; `-` is
    /// standard output
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,
}

/// What is printed to a pipe must end some day.
const PLAIN_SECS: f64 = 60.0;
/// A day.
const MOST_SECS: f64 = 86_400.0;

pub(super) fn run(args: &Args) -> Result<()> {
    let is_live = std::io::stdout().is_terminal();
    let mut show = show(args, is_live)?;
    if let Some(path) = &args.svg {
        return film::run(&mut show, path, args.seconds);
    }
    if is_live {
        live::run(&mut show, args.speed)?;
    } else {
        plain::run(&mut show)?;
    }
    output::text(&show.result())
}

/// The match that the options ask for.
fn show(args: &Args, is_live: bool) -> Result<Show> {
    refuse_times(args)?;
    let written = or_usual(&args.contenders, &CONTENDERS);
    if written.len() > MOST_CHARACTERS {
        bail!("{} contenders are too many to watch\n  remedy: at most {MOST_CHARACTERS}", written.len());
    }
    let contenders = roster::contenders(&written)?;
    let follow = args.follow.as_deref().map(|written| followed(written, &contenders)).transpose()?;
    let (map, level) = args.known.find_one(&args.map)?;
    roster::refuse_misplaced(&contenders, &map, &level)?;
    let rules = Rules::default();
    let secs = args.seconds.or((!is_live).then_some(PLAIN_SECS));
    let last_tick = secs.map(|secs| (secs / rules.period_secs()).round().max(1.0) as u32);
    Ok(Show {
        game: Match::new(level, rules, contenders, args.seed),
        map,
        seed: args.seed,
        last_tick,
        follow,
        news: Vec::new(),
    })
}

fn refuse_times(args: &Args) -> Result<()> {
    ensure!(
        (SLOWEST..=FASTEST).contains(&args.speed),
        "--speed {}: a match cannot be shown at this speed\n  remedy: a number from {SLOWEST} to {FASTEST}",
        args.speed
    );
    if let Some(secs) = args.seconds.filter(|secs| !(*secs > 0.0 && *secs <= MOST_SECS)) {
        bail!(
            "--seconds {secs}: a match cannot last so long\n  remedy: a number above 0, at most {MOST_SECS}"
        );
    }
    Ok(())
}
