//! Frames at the speed that keys ask for: the one place of the command line that waits for the clock.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use crossterm::terminal::size;
use repertoire_draw::terminal::pace::Pace;
use repertoire_draw::terminal::show::{Show, Wish};
use repertoire_draw::terminal::watch::{Paper, frame};

use crate::prelude::*;
use crate::screen::{self, Screen};

/// Shows the match until it is over, or a key or a signal ends it.
pub fn run(show: &mut Show, speed: f64) -> Result<()> {
    let mut screen =
        Screen::take().context("the terminal could not be taken over; `| cat` shows plain frames instead")?;
    let mut pace = Pace::new(speed);
    let coloured = output::is_coloured();
    let period_secs = show.game.world().rules().period_secs();
    let mut last_ns = clock::now_ns();
    loop {
        let (columns, lines) = size()?;
        let paper = Paper { columns: columns.into(), lines: lines.into(), coloured, whole: false };
        screen.show(
            frame(
                &show.shown(),
                paper,
                &format!("{pace}  (q end, space pause, s step, + - speed, f follow)"),
            )
            .lines(),
        )?;
        if show.is_over() || signals::stop_requested() {
            return Ok(());
        }
        match screen::wait(Duration::from_secs_f64(pace.wait_secs(period_secs)))? {
            Some(Event::Key(key)) => match wish(&key) {
                Some(Wish::End) => return Ok(()),
                Some(wish) => show.obey(wish, &mut pace),
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

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

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
