//! The terminal, given back however the command ends: by a key, an error or a panic.

use std::io::{Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

/// Whether the terminal is ours, so that it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The whole terminal, for as long as this lives.
pub struct Screen {
    /// What is on it, so that only what changed is written.
    shown: Vec<String>,
}

impl Screen {
    /// Takes the terminal.
    pub fn take() -> Result<Self> {
        give_back_on_panic();
        enable_raw_mode()
            .context("the terminal could not be taken over; `| cat` shows plain frames instead")?;
        TAKEN.store(true, Ordering::SeqCst);
        // From here on dropping gives it back, also if the next line fails.
        let screen = Screen { shown: Vec::new() };
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// Forgets what is on it: after a change of its size.
    pub fn forget(&mut self) -> Result<()> {
        self.shown.clear();
        execute!(stdout(), Clear(ClearType::All))?;
        Ok(())
    }

    /// Shows lines instead of those that are there.
    pub fn show(&mut self, lines: Vec<String>) -> Result<()> {
        let mut out = stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        for row in 0..lines.len().max(self.shown.len()) {
            let (new, old) = (lines.get(row), self.shown.get(row));
            if new != old {
                queue!(
                    out,
                    MoveTo(0, u16::try_from(row).unwrap_or(u16::MAX)),
                    Clear(ClearType::CurrentLine)
                )?;
                out.write_all(new.map_or(&[][..], |line| line.as_bytes()))?;
            }
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()?;
        drop(out);
        self.shown = lines;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, if it is ours.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell if this fails.
        let _ = execute!(stdout(), EndSynchronizedUpdate, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// A panic's message must not be lost with the screen it is written on.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            previous(info);
        }));
    });
}
