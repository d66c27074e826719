//! Frames for pipes and files: no codes, no waiting.

use repertoire_draw::terminal::show::Show;
use repertoire_draw::terminal::watch::{Paper, frame};

use crate::prelude::*;

/// As a terminal is by default, so that a frame can be shown anywhere; high enough for a map and its characters.
const COLUMNS: usize = 80;
const LINES: usize = 48;

/// A frame for each second of the game, and the last one. A signal ends it, and a closed pipe: writing then fails.
pub fn run(show: &mut Show) -> Result<()> {
    signals::install();
    let a_second = (1.0 / show.game.world().rules().period_secs()).round().max(1.0) as u32;
    let paper = Paper { columns: COLUMNS, lines: LINES, coloured: false, whole: true };
    loop {
        let is_over = show.is_over() || signals::stop_requested();
        if is_over || show.game.world().tick().is_multiple_of(a_second) {
            output::text(&format!("{}\n\n", frame(&show.shown(), paper, "").lines().join("\n")))?;
        }
        if is_over {
            return Ok(());
        }
        show.tick();
    }
}
