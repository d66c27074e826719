//! What happens to a town, from its file or by hand: one line of words each.

use std::fmt;

use super::charter::{Charter, Reason};
use super::clock::{At, DAY, moment};
use super::read::choices;

/// Something that happens at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, in ticks.
    pub at: u32,
    /// What.
    pub what: Happening,
    /// Which share of the places of the kind it happens to.
    pub share: f64,
    /// For how many ticks.
    pub lasts: u32,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// Places of a kind have nothing left, and nothing comes.
    Dry(u8),
    /// Places of a kind close.
    Close(u8),
    /// Places of a kind burn: they close, and whoever is there runs.
    Fire(u8),
    /// Everything at places of a kind costs this many percent of what it usually does.
    Price(u8, u16),
    /// A variable of the whole town gets another value: which of the news, and the value.
    Tell(u8, u16),
}

/// An event that cannot be understood. The message has a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}\n  remedy: {remedy}")]
pub struct NotAnEvent {
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

fn wrong(what: impl Into<String>, remedy: impl Into<String>) -> NotAnEvent {
    NotAnEvent { what: what.into(), remedy: remedy.into() }
}

/// What can be written.
pub const FORMS: &str = "`dry KIND 6h`, `close KIND 3h`, `fire KIND 2h`, `price KIND x3 1d` or `tell VARIABLE=VALUE`, each with `50%` for a share of the places";

impl Event {
    /// Parses what happens, such as `dry well 6h 50%`, at a moment.
    pub fn parse(at: u32, text: &str, charter: &Charter) -> Result<Self, NotAnEvent> {
        let kinds: Vec<&str> = charter.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let kind = |name: &str| {
            charter
                .kind(name)
                .ok_or_else(|| wrong(format!("`{name}` is not a kind of place"), choices(name, &kinds)))
        };
        let mut words = text.split_whitespace();
        let (verb, object) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (mut lasts, mut share, mut times) = (None, 1.0, None);
        for word in words {
            let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
            if let Some(n) = word.strip_suffix('h').and_then(number).filter(|n| *n <= 87_600.0) {
                lasts = Some((n * 60.0) as u32);
            } else if let Some(n) = word.strip_suffix('d').and_then(number).filter(|n| *n <= 3_650.0) {
                lasts = Some((n * f64::from(DAY)) as u32);
            } else if let Some(n) = word.strip_suffix('m').and_then(number).filter(|n| *n <= 5_000_000.0) {
                lasts = Some(n as u32);
            } else if let Some(n) = word.strip_suffix('%').and_then(number).filter(|n| *n <= 100.0) {
                share = n / 100.0;
            } else if let Some(n) = word.strip_prefix('x').and_then(number).filter(|n| *n <= 100.0) {
                times = Some((n * 100.0) as u16);
            } else {
                return Err(wrong(
                    format!("`{word}` says nothing about an event"),
                    "write how long it lasts (90m, 6h, 2d), which share of places (50%) or how dear (x3)",
                ));
            }
        }
        let what = match verb {
            "dry" => Happening::Dry(kind(object)?),
            "close" => Happening::Close(kind(object)?),
            "fire" => Happening::Fire(kind(object)?),
            "price" => {
                let times = times.ok_or_else(|| {
                    wrong("a price that does not change", "write x3 for three times as dear")
                })?;
                Happening::Price(kind(object)?, times)
            }
            "tell" => told(object, charter)?,
            other => {
                return Err(wrong(format!("`{other}` is nothing that can happen"), format!("write {FORMS}")));
            }
        };
        let usual = match what {
            Happening::Tell(..) => 0,
            _ => 180,
        };
        Ok(Event { at, what, share, lasts: lasts.unwrap_or(usual) })
    }

    /// Parses a moment and what happens then: `day 1 14:00 dry well 6h`.
    pub fn with_moment(text: &str, charter: &Charter) -> Result<Self, NotAnEvent> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let split = match words[..] {
            ["day", _, time, ..] if time.contains(':') => 3,
            ["day", _, ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        let at = moment(&words[..split].join(" ")).ok_or_else(|| {
            wrong(
                format!("`{text}` does not begin with a moment"),
                "write `day 1 14:00` first, then what happens",
            )
        })?;
        Event::parse(at, &words[split..].join(" "), charter)
    }

    /// What happens, in words.
    pub fn words(&self, charter: &Charter) -> String {
        let kind = |kind: u8| charter.kinds[usize::from(kind)].name.as_str();
        let what = match self.what {
            Happening::Dry(of) => format!("dry {}", kind(of)),
            Happening::Close(of) => format!("close {}", kind(of)),
            Happening::Fire(of) => format!("fire {}", kind(of)),
            Happening::Price(of, percent) => format!("price {} x{}", kind(of), f64::from(percent) / 100.0),
            Happening::Tell(news, value) => {
                format!("tell {}", charter.domain.fact((charter.news[usize::from(news)].variable, value)))
            }
        };
        let lasts = if self.lasts > 0 { format!(" {}m", self.lasts) } else { String::new() };
        let share = if self.share < 1.0 { format!(" {}%", self.share * 100.0) } else { String::new() };
        format!("{what}{lasts}{share}")
    }

    /// Moment and words, as [`Event::with_moment`] reads them.
    pub fn line(&self, charter: &Charter) -> String {
        format!("{} {}", At(self.at), self.words(charter))
    }
}

fn told(object: &str, charter: &Charter) -> Result<Happening, NotAnEvent> {
    let (variable, value) = object
        .split_once('=')
        .ok_or_else(|| wrong(format!("`{object}` is no news"), "write tell VARIABLE=VALUE"))?;
    let name = |news: &super::charter::News| charter.domain.variables[news.variable as usize].as_str();
    let names: Vec<&str> = charter.news.iter().map(name).collect();
    let news = names
        .iter()
        .position(|known| *known == variable)
        .ok_or_else(|| wrong(format!("`{variable}` is not in [news]"), choices(variable, &names)))?;
    let values = &charter.domain.values[charter.news[news].variable as usize];
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let at = values
        .iter()
        .position(|known| *known == value)
        .ok_or_else(|| wrong(format!("`{value}` is not a value of `{variable}`"), choices(value, &values)))?;
    Ok(Happening::Tell(news as u8, at as u16))
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
