//! `repertoire learn replay`: what somebody did in a recording, to be done again in a match.

use repertoire_draw::terminal::learned::Part;
use repertoire_mind::replay::ReplayWatcher;

use super::play::recorded;
use crate::prelude::*;

/// Take one player's part of a recording, as a contender that does it again
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Nothing is learned: the file holds where one player was ten times a second, how fast, where they looked, what they held and when they fired.
As a contender its body is where theirs was, whatever happens in the match. It can be seen, heard, hit and killed, and picks up what it
comes by; the map and others do not stop it.

It dies when they died, and is at a teleporter's exit when they were. Killed before its time it stays dead for as long as others do, and
then comes back where they are by then, once they stand on the ground or begin a life. When the recording ends it begins again.
It plays only on the map of the recording.

Examples:
  repertoire trace import match.qwd.gz --percepts --map dm6.bsp.gz -o person.parquet
  repertoire learn replay --from person.parquet --player q06 -o q06.replay
  repertoire arena watch --map dm6.bsp.gz --contender q06=q06.replay --contender native:3")]
pub struct Args {
    /// The recording: of `record`, or of `trace import --percepts`
    #[arg(long, value_name = "PLAY")]
    from: PathBuf,
    /// Player to replay, by name or number; needed where the recording has several
    #[arg(long, value_name = "NAME|ID")]
    player: Option<String>,
    /// Where to write the replay
    #[arg(short, long, value_name = "FILE.replay")]
    output: Target,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting(&args.output, &args.from, "the recording to replay")?;
    let mut watcher = ReplayWatcher::default();
    let bar = progress::spinner("{spinner} {pos} moments, {per_sec}");
    let wanted: Vec<String> = args.player.iter().cloned().collect();
    let players = recorded(std::slice::from_ref(&args.from), &wanted, &mut watcher, &bar)?;
    bar.finish_and_clear();
    if players.len() > 1 {
        bail!("{} players are in it\n  remedy: --player with one of {}", players.len(), players.join(", "));
    }
    let player = players.first().map_or("", String::as_str);
    let replay = watcher.finish(player).map_err(|why| {
        let file = args.from.display();
        anyhow::anyhow!(
            "{file}: {why}\n  remedy: name a player that lives in it, in a recording of ten moments a second"
        )
    })?;
    output::file(&args.output, &replay.write())?;
    let told = Part { replay: &replay, player, file: &args.output.display().to_string() };
    output::answer_beside(&args.output, args.json, &told.to_json(), || told.text())
}
