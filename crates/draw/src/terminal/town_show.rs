//! A town shown in a terminal: its news, the inhabitant that is followed, and the past that one can go back to.

use repertoire_worlds::town::{At, Event, Past, Town};

use super::town::{View, frame};

/// How many of the latest news are kept.
const MOST_NEWS: usize = 3;
/// The past is kept in steps of this many minutes.
const STEP_MINUTES: u32 = 60;
/// Bytes for the town's past.
const ROOM: usize = 256 << 20;

/// A town under way, as it is shown.
pub struct Show {
    /// The town.
    pub town: Town,
    /// The number of the inhabitant that is followed.
    pub follow: Option<u32>,
    past: Past,
    news: Vec<String>,
    last: Option<u32>,
}

impl Show {
    /// Shows a town from now on until a minute, or for ever.
    pub fn new(town: Town, follow: Option<u32>, last: Option<u32>) -> Self {
        let past = Past::new(&town, STEP_MINUTES, ROOM);
        Show { town, past, follow, news: Vec::new(), last }
    }

    /// A minute of the town.
    pub fn tick(&mut self) {
        let now = self.town.now();
        let events = self.town.events_between(now, now + 1);
        self.tell(events.into_iter().map(|(at, words)| format!("{}: {words}", At(at))).collect());
        self.town.tick();
        self.past.look(&self.town);
    }

    fn tell(&mut self, news: Vec<String>) {
        self.news.extend(news);
        let old = self.news.len().saturating_sub(MOST_NEWS);
        self.news.drain(..old);
    }

    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        self.last.is_some_and(|last| self.town.now() >= last)
    }

    /// The town as lines of text, `columns` wide and `lines` high; `status` is the last of them.
    pub fn frame(&self, (columns, lines): (usize, usize), coloured: bool, status: &str) -> Vec<String> {
        let view = View { follow: self.follow, columns, lines, coloured };
        frame(&self.town, view, &self.news, status)
    }

    /// Lets something happen now, written as in a town's file; what is wrong with it is told as news.
    pub fn happen(&mut self, written: &str) {
        let charter = self.town.charter().clone();
        match Event::parse(self.town.now(), written, &charter) {
            Ok(event) => self.town.add(event),
            Err(error) => self.tell(vec![error.to_string().replace("\n ", ";")]),
        }
    }

    /// Follows somebody by a number as it is typed.
    pub fn follow_number(&mut self, written: &str) {
        match written.parse::<u32>().ok().filter(|who| (*who as usize) < self.town.len()) {
            Some(who) => self.follow = Some(who),
            None => self.tell(vec![format!("nobody has the number {written}")]),
        }
    }

    /// Follows the next inhabitant, or the one before; beyond the last nobody.
    pub fn follow_next(&mut self, by: i64) {
        let count = self.town.len() as i64;
        let next = self.follow.map_or(if by > 0 { 0 } else { count - 1 }, |who| i64::from(who) + by);
        self.follow = (0..count).contains(&next).then_some(next as u32);
    }

    /// The same town an hour ago, to the bit.
    pub fn back(&mut self) {
        let to = self.town.now().saturating_sub(60).max(self.past.first());
        if let Some(then) = self.past.at(&self.town, to).filter(|_| to < self.town.now()) {
            self.town = then;
            self.tell(vec![format!("back to {}", At(to))]);
        } else {
            self.tell(vec!["this is as far back as it goes: begin with an earlier --from".into()]);
        }
    }
}

/// How a town is shown: what is being typed (an event after `e`, or a number), that it is paused, or its minutes a second.
pub fn status(typed: Option<&(char, String)>, paused: bool, speed: u32) -> String {
    match (typed, paused) {
        (Some(('e', text)), _) => format!("event: {text}_"),
        (Some((_, text)), _) => format!("follow number: {text}_"),
        (None, true) => "paused  (q end, space go on, s step, f follow, e event, b back)".into(),
        (None, false) => format!("{speed} min/s  (q end, space pause, + -, f follow, e event, b back)"),
    }
}

#[cfg(test)]
mod tests {
    use repertoire_worlds::town::{Minds, charter};

    use super::*;

    #[test]
    fn going_back_an_hour_gives_the_same_town() {
        let western = charter("western").expect("shipped");
        let town = Town::new(western, 20, 1, Minds::default()).expect("it can be lived in");
        let mut show = Show::new(town, None, None);
        for _ in 0..60 {
            show.tick();
        }
        let then = show.town.hash();
        for _ in 0..60 {
            show.tick();
        }
        assert_ne!(show.town.hash(), then);
        show.back();
        assert_eq!((show.town.now(), show.town.hash()), (60, then));
    }

    #[test]
    fn following_beyond_the_last_follows_nobody() {
        let western = charter("western").expect("shipped");
        let town = Town::new(western, 2, 1, Minds::default()).expect("it can be lived in");
        let mut show = Show::new(town, None, None);
        show.follow_next(-1);
        assert_eq!(show.follow, Some(1));
        show.follow_next(1);
        assert_eq!(show.follow, None);
        show.follow_number("7");
        assert_eq!((show.follow, show.news.len()), (None, 1));
    }
}
