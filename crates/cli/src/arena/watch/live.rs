//! Frames at the speed that keys ask for: the one place of the command line that waits for the clock.

use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use crossterm::terminal::size;
use repertoire_draw::terminal::watch::{Paper, frame};

use super::show::Show;
use crate::screen::{self, Screen};
use crate::{clock, output, signals};

/// The slowest speed.
pub const SLOWEST: f64 = 0.1;
/// The fastest speed.
pub const FASTEST: f64 = 64.0;
/// No eye needs more frames.
const FRAME_SECS: f64 = 1.0 / 30.0;
/// The longest wait between looks at the clock.
const LONGEST_WAIT_SECS: f64 = 0.25;

/// Shows the match until it is over, or a key or a signal ends it.
pub fn run(show: &mut Show, speed: f64) -> Result<()> {
    let mut screen =
        Screen::take().context("the terminal could not be taken over; `| cat` shows plain frames instead")?;
    let mut pace = Pace { speed, is_paused: false, owed_secs: 0.0 };
    let coloured = output::is_coloured();
    let period_secs = show.game.world().rules().period_secs();
    let mut last_ns = clock::now_ns();
    loop {
        let (columns, lines) = size()?;
        let paper = Paper { columns: columns.into(), lines: lines.into(), coloured, whole: false };
        screen.show(frame(&show.shown(), paper, &pace.status()).lines())?;
        if show.is_over() || signals::stop_requested() {
            return Ok(());
        }
        match screen::wait(Duration::from_secs_f64(pace.wait_secs(period_secs)))? {
            Some(Event::Key(key)) => match wish(&key) {
                Some(Wish::End) => return Ok(()),
                Some(wish) => obey(wish, show, &mut pace),
                None => {}
            },
            Some(Event::Resize(..)) => screen.forget()?,
            _ => {}
        }
        let now_ns = clock::now_ns();
        for _ in 0..pace.due(now_ns.saturating_sub(last_ns), period_secs) {
            show.tick();
        }
        last_ns = now_ns;
    }
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    End,
    Pause,
    Faster,
    Slower,
    Follow,
    Step,
}

fn wish(key: &KeyEvent) -> Option<Wish> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    match key.code {
        _ if screen::ends(key) => Some(Wish::End),
        KeyCode::Char(' ') => Some(Wish::Pause),
        KeyCode::Char('+' | '=') => Some(Wish::Faster),
        KeyCode::Char('-' | '_') => Some(Wish::Slower),
        KeyCode::Char('f' | 'F') => Some(Wish::Follow),
        KeyCode::Char('s' | 'S') => Some(Wish::Step),
        _ => None,
    }
}

fn obey(wish: Wish, show: &mut Show, pace: &mut Pace) {
    match wish {
        Wish::End => {}
        Wish::Pause => pace.is_paused = !pace.is_paused,
        Wish::Faster => pace.speed = (pace.speed * 2.0).min(FASTEST),
        Wish::Slower => pace.speed = (pace.speed / 2.0).max(SLOWEST),
        Wish::Follow => show.follow_next(),
        Wish::Step => {
            pace.is_paused = true;
            show.tick();
        }
    }
}

/// How fast the game goes, and how much of it is due.
struct Pace {
    speed: f64,
    is_paused: bool,
    owed_secs: f64,
}

impl Pace {
    /// Decisions that are due after so much time.
    fn due(&mut self, passed_ns: u64, period_secs: f64) -> u32 {
        if self.is_paused {
            self.owed_secs = 0.0;
            return 0;
        }
        // A machine that was asleep owes nothing.
        let passed_secs = (passed_ns as f64 / 1e9).min(LONGEST_WAIT_SECS);
        self.owed_secs += passed_secs * self.speed;
        let due = (self.owed_secs / period_secs).floor();
        self.owed_secs -= due * period_secs;
        due as u32
    }

    /// How long to wait for a key: until the next decision is due, or the next frame.
    fn wait_secs(&self, period_secs: f64) -> f64 {
        if self.is_paused {
            return LONGEST_WAIT_SECS;
        }
        ((period_secs - self.owed_secs) / self.speed).clamp(FRAME_SECS, LONGEST_WAIT_SECS)
    }

    fn status(&self) -> String {
        let paused = if self.is_paused { "  paused" } else { "" };
        format!("{}x{paused}  (q end, space pause, s step, + - speed, f follow)", self.speed)
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    #[test]
    fn the_speed_is_kept_over_uneven_frames() {
        let mut pace = Pace { speed: 2.0, is_paused: false, owed_secs: 0.0 };
        let frames_ms = [33, 41, 7, 100, 19].into_iter().cycle().take(51);
        let due: u32 = frames_ms.map(|ms| pace.due(ms * 1_000_000, 0.1)).sum();
        assert_eq!(due, 40, "2.033 s at twice the speed");
        assert!((5..=6).contains(&pace.due(3_600_000_000_000, 0.1)), "after a sleep it goes on as before");
        pace.is_paused = true;
        assert_eq!(pace.due(1_000_000_000, 0.1), 0);
        pace.is_paused = false;
        assert_eq!(pace.due(0, 0.1), 0, "a pause owes nothing");
    }

    #[test]
    fn control_c_ends_it_and_releases_do_nothing() {
        let key = |code, modifiers| KeyEvent::new(code, modifiers);
        assert_eq!(wish(&key(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Wish::End));
        assert_eq!(wish(&key(KeyCode::Char('c'), KeyModifiers::NONE)), None);
        let mut released = key(KeyCode::Char('q'), KeyModifiers::NONE);
        assert_eq!(wish(&released), Some(Wish::End));
        released.kind = KeyEventKind::Release;
        assert_eq!(wish(&released), None);
    }
}
