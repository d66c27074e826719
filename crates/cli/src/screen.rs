//! The whole terminal for a live show, given back however the command ends: by a key, a signal, an error or a panic.

use std::io::{Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

use crate::prelude::*;

/// A signal does not cut a wait for keys short: no wait is longer than this.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// Whether the terminal is ours, so that it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The whole terminal, for as long as this lives.
pub struct Screen {
    /// What is on it, so that only what changed is written.
    shown: Vec<String>,
}

impl Screen {
    /// Takes the terminal, and from then on answers signals by [`signals::stop_requested`], which the show must ask.
    pub fn take() -> Result<Self> {
        signals::install();
        give_back_on_panic();
        enable_raw_mode()?;
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

/// Waits for a key, a change of the terminal's size or a signal; none if the time passed or a signal came.
pub fn wait(mut left: Duration) -> Result<Option<Event>> {
    while !signals::stop_requested() {
        let part = left.min(LONGEST_WAIT);
        if poll(part)? {
            return Ok(Some(read()?));
        }
        left -= part;
        if left.is_zero() {
            break;
        }
    }
    Ok(None)
}

/// Whether a key ends a show: q, Escape, Ctrl-C or Ctrl-D.
pub fn ends(key: &KeyEvent) -> bool {
    // Raw mode makes Ctrl-C a key like any other.
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    let is_end = match key.code {
        KeyCode::Char('c' | 'd') => is_control,
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => true,
        _ => false,
    };
    is_end && key.kind != KeyEventKind::Release
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
