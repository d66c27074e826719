//! Time in a town: a tick is a minute, a day has 1,440 of them, and the first day begins at tick 0.

use std::fmt;

/// Minutes in a day.
pub const DAY: u32 = 1440;

/// A moment, shown as `day 1 06:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(pub u32);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "day {} {}", self.0 / DAY + 1, TimeOfDay(self.0 % DAY))
    }
}

/// A time of day, shown as `06:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay(pub u32);

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// `06:30` as minutes since midnight.
pub(super) fn time_of_day(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    let is_short =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_short(hours) || minutes.len() != 2 || !is_short(minutes) {
        return None;
    }
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (minutes < 60 && hours * 60 + minutes <= DAY).then_some(hours * 60 + minutes)
}

/// Parses a moment: `day 2 14:00`, `14:00` (of the first day), or a number of ticks.
///
/// ```
/// use repertoire_worlds::town::moment;
/// assert_eq!((moment("day 2 01:30"), moment("90"), moment("tomorrow")), (Some(1530), Some(90), None));
/// ```
pub fn moment(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["day", day, time] => {
            let day: u32 = day.parse().ok().filter(|day| (1..=1_000_000).contains(day))?;
            (day - 1).checked_mul(DAY)?.checked_add(time_of_day(time)?)
        }
        ["day", day] => {
            day.parse::<u32>().ok().filter(|day| (1..=1_000_000).contains(day)).map(|day| (day - 1) * DAY)
        }
        [time] if time.contains(':') => time_of_day(time),
        [tick] => tick.parse().ok(),
        _ => None,
    }
}

/// Hours of a day, which may go past midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    /// The first minute.
    pub from: u32,
    /// The minute after the last.
    pub to: u32,
}

impl Hours {
    /// Parses `08:00-18:00`. Hours that begin when they end never come.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        let (from, to) = (time_of_day(from.trim())?, time_of_day(to.trim())?);
        Some(Hours { from: from % DAY, to })
    }

    /// Whether they never come.
    pub(super) fn is_never(self) -> bool {
        self.from == self.to
    }

    /// Whether a moment is within them.
    #[inline]
    pub fn contain(self, tick: u32) -> bool {
        let time = tick % DAY;
        if self.from < self.to {
            self.from <= time && time < self.to
        } else {
            time >= self.from || time < self.to
        }
    }

    /// The first moment within them from this one on.
    #[inline]
    pub fn next(self, tick: u32) -> u32 {
        if self.contain(tick) {
            return tick;
        }
        tick + (self.from + DAY - tick % DAY) % DAY
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", TimeOfDay(self.from), TimeOfDay(self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_go_past_midnight() {
        let night = Hours::parse("21:00-05:00").unwrap();
        assert!(night.contain(0) && night.contain(1439) && !night.contain(300) && !night.contain(1259));
        assert_eq!(night.next(600), 1260);
        assert_eq!(night.next(DAY + 299), DAY + 299);
        let day = Hours::parse("08:00-24:00").unwrap();
        assert!(day.contain(1439) && !day.contain(0));
        assert_eq!(day.next(1440), 1440 + 480);
        assert!(Hours::parse("08:00-08:00").unwrap().is_never());
        for bad in ["8", "8-9", "25:00-26:00", "08:60-09:00", "", "-"] {
            assert_eq!(Hours::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn moments_are_read_as_they_are_written() {
        for tick in [0, 90, 1439, 1440, 10_000] {
            assert_eq!(moment(&At(tick).to_string()), Some(tick));
        }
        for bad in ["day 0 10:00", "day x", "10:00 day 1", "", "-5"] {
            assert_eq!(moment(bad), None, "{bad}");
        }
    }
}
