//! A stretch of the match as an animated picture.

use repertoire_draw::film::Film;
use repertoire_draw::terminal::show::Show;

use crate::prelude::*;

/// How much is shown unless told otherwise: longer films make nobody wait for their end.
const SECS: f64 = 14.0;
/// Longer films would be larger than a page should load.
const MOST_SECS: f64 = 60.0;
/// The stretch is chosen from this much of the match.
const PLAYED_SECS: f64 = 120.0;

/// Plays, and writes the picture of the stretch with the most to see.
pub fn run(show: &mut Show, path: &Path, secs: Option<f64>) -> Result<()> {
    let secs = secs.unwrap_or(SECS);
    if !(1.0..=MOST_SECS).contains(&secs) {
        bail!("--seconds {secs}: a film cannot be so long\n  remedy: a number from 1 to {MOST_SECS}");
    }
    let ticks = (PLAYED_SECS / show.game.world().rules().period_secs()).round() as u64;
    let bar = progress::bar(ticks, "{bar:40} {pos} of {len} decisions played");
    show.last_tick = None;
    let mut film = Film::new(&show.game, show.seed, show.follow.unwrap_or(0));
    for _ in 0..ticks {
        show.tick();
        film.take(&show.game);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let picture = film.svg(secs);
    output::file(path, &picture)?;
    if !output::is_stdout(path) {
        anstream::eprintln!("wrote {}, {} kB", path.display(), picture.len().div_ceil(1000));
    }
    Ok(())
}
