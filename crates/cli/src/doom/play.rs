//! `repertoire doom match`: one match of our characters and Doom's bots.

use repertoire_doom::report;

use super::options::{MatchOptions, play_on};
use crate::prelude::*;

/// Play one match of characters and Doom's bots
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Characters given with several --contender play in one match, each through an engine of its own on this machine.

Examples:
  repertoire doom match --contender aggressive
  repertoire doom match --contender mine=mine.toml --bots 4 --map MAP07 --minutes 5 --json
  repertoire doom match --contender native:5 --contender prudent --bots 3

Exit codes: 0 the match was played to its end, 1 it was not (what was played is printed all the same).")]
pub struct Args {
    #[command(flatten)]
    game: MatchOptions,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    args.game.on_processors(|| {
        let result = play_on(args.game.start()?, &mut |_| Ok(()))?;
        args.answer.print(&result, || report::of_match(&result))?;
        let (played, wanted) = (result.played_secs, result.wanted_secs);
        match result.broken {
            Some(why) => bail!("the match broke off after {played:.0} of {wanted:.0} s: {why}"),
            None => Ok(()),
        }
    })
}
