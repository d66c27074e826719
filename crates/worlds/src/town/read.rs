//! Reading a town's file: names become numbers, and what cannot be is refused with its line and a remedy.

use std::ops::Range;

use repertoire_authored::{Document, Mistake, Ordered, Spanned, find_key, nearest};
use repertoire_plan::domain::{self, Domain};
use repertoire_plan::population::Town as Plans;

use super::charter::{Charter, Drawn, Family, Kind, MOST_NEEDS, Need, News, StockKind, Way, Where};
use super::class;
use super::clock::{DAY, Hours};
use super::event::Event;
use super::file::{KEYS, TownFile, WayFile};

/// Reads a town's file. What is possible but cannot work, such as a place that nobody can reach, is found by
/// [`super::check()`].
///
/// # Errors
/// With the line of whatever is wrong, and what would be right.
pub fn read(text: &str) -> Result<Charter, Mistake> {
    let mut document = Document::parse(text)?;
    let domain = domain::read_classes(&mut document)?;
    let file: TownFile = document.take(&KEYS)?;
    document.finish()?;
    Reader { text, file: &file, domain: &domain }.charter()
}

pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub file: &'a TownFile,
    pub domain: &'a Domain,
}

impl Reader<'_> {
    pub fn wrong(&self, span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, span, what, remedy)
    }

    fn charter(&self) -> Result<Charter, Mistake> {
        let kinds = self.kinds()?;
        let Some(home) = kinds.iter().position(|kind| kind.name == "home") else {
            return Err(self.wrong(find_key(self.text, "places"), "nobody has a home", "add [places.home]"));
        };
        let needs = self.needs()?;
        let families = self.families(&needs)?;
        let news = self.news()?;
        let ways = self.ways(&kinds, home)?;
        let plans = Plans::with_tables(self.domain, MOST_ROWS).map_err(|error| {
            let (what, remedy) = split_remedy(&error.to_string());
            self.wrong(find_key(self.text, "class"), what, remedy)
        })?;
        let mut charter = Charter {
            name: self.file.name.clone(),
            about: self.file.about.clone(),
            text: self.text.to_owned(),
            inhabitants: self.within(&self.file.inhabitants, 1..=20_000_000)?,
            pace: self.within(&self.file.pace, 1..=1_000)?,
            drawn: self.drawn(&kinds)?,
            household: self.range(&self.file.household, 1..=50)?,
            coins: self.file.coins,
            kinds,
            home: home as u8,
            ways,
            needs,
            classes: Vec::new(),
            families,
            news,
            events: Vec::new(),
            domain: self.domain.clone(),
            plans,
        };
        charter.classes = class::classes(self, &charter)?;
        self.refuse_strangers(&charter)?;
        for event in &self.file.events {
            let at = super::clock::moment(event.at.get_ref()).ok_or_else(|| {
                let what = format!("`{}` is no moment", event.at.get_ref());
                self.wrong(event.at.span(), what, "write such as `day 1 14:00`")
            })?;
            let parsed = Event::parse(at, event.what.get_ref(), &charter)
                .map_err(|error| self.wrong(event.what.span(), error.what, error.remedy))?;
            charter.events.push(parsed);
        }
        charter.events.sort_by_key(|event| event.at);
        Ok(charter)
    }

    /// Sections about classes, goals and variables that there are not.
    fn refuse_strangers(&self, charter: &Charter) -> Result<(), Mistake> {
        let classes: Vec<&str> = self.domain.classes.iter().map(|class| class.name.as_str()).collect();
        for (name, _) in &self.file.people.0 {
            self.one_of(name, "a class", &classes)?;
        }
        let mut goals: Vec<&str> = charter
            .classes
            .iter()
            .flat_map(|class| class.goals.iter().map(|goal| goal.name.as_str()))
            .collect();
        goals.dedup();
        for (name, _) in &self.file.aims.0 {
            self.one_of(name, "a goal", &goals)?;
        }
        Ok(())
    }

    /// The number of a name among those that are known.
    pub fn one_of(&self, name: &Spanned<String>, what: &str, known: &[&str]) -> Result<usize, Mistake> {
        known.iter().position(|known| known == name.get_ref()).ok_or_else(|| {
            self.wrong(
                name.span(),
                format!("`{}` is not {what}", name.get_ref()),
                choices(name.get_ref(), known),
            )
        })
    }

    fn within(&self, at: &Spanned<u32>, allowed: std::ops::RangeInclusive<u32>) -> Result<u32, Mistake> {
        if allowed.contains(at.get_ref()) {
            return Ok(*at.get_ref());
        }
        let remedy = format!("write a number from {} to {}", allowed.start(), allowed.end());
        Err(self.wrong(at.span(), format!("{} makes no sense here", at.get_ref()), remedy))
    }

    /// One number, or from and to.
    fn range(
        &self,
        at: &Spanned<Vec<u32>>,
        allowed: std::ops::RangeInclusive<u32>,
    ) -> Result<(u32, u32), Mistake> {
        let (from, to) = match at.get_ref()[..] {
            [one] => (one, one),
            [from, to] => (from, to),
            _ => (1, 0),
        };
        if from <= to && allowed.contains(&from) && allowed.contains(&to) {
            return Ok((from, to));
        }
        let remedy = format!("write [from, to], both from {} to {}", allowed.start(), allowed.end());
        Err(self.wrong(at.span(), "this is no range", remedy))
    }

    fn matters(&self, at: &Spanned<Vec<f64>>) -> Result<(f64, f64), Mistake> {
        match at.get_ref()[..] {
            [from, to] if 0.0 <= from && from <= to && to <= 1000.0 => Ok((from, to)),
            _ => Err(self.wrong(at.span(), "this is no range", "write [from, to], both from 0 to 1000")),
        }
    }

    pub fn hours(&self, at: &Spanned<String>) -> Result<Hours, Mistake> {
        Hours::parse(at.get_ref()).ok_or_else(|| {
            self.wrong(at.span(), format!("`{}` are no hours", at.get_ref()), "write such as 08:00-18:00")
        })
    }

    fn kinds(&self) -> Result<Vec<Kind>, Mistake> {
        let mut kinds: Vec<Kind> = Vec::new();
        if self.file.places.0.len() > 64 {
            return Err(self.wrong(
                find_key(self.text, "places"),
                "more than 64 kinds of places",
                "join some of them",
            ));
        }
        for (name, place) in &self.file.places.0 {
            let mut signs = place.sign.get_ref().chars();
            let sign = match (signs.next(), signs.next()) {
                (Some(sign), None)
                    if !matches!(sign, '#' | '.') && !sign.is_whitespace() && !sign.is_control() =>
                {
                    sign
                }
                _ => {
                    let what = format!("`{}` cannot be a sign on the map", place.sign.get_ref());
                    return Err(self.wrong(
                        place.sign.span(),
                        what,
                        "write one letter; # is a wall, . and blank are ground",
                    ));
                }
            };
            if let Some(other) = kinds.iter().find(|kind| kind.sign == sign) {
                let what = format!("`{}` has the sign of `{}`", name.get_ref(), other.name);
                return Err(self.wrong(place.sign.span(), what, "give each kind of place its own"));
            }
            if name.get_ref() == "work" {
                return Err(self.wrong(
                    name.span(),
                    "`work` means where somebody works",
                    "rename this kind of place",
                ));
            }
            let mut stock = Vec::new();
            for (name, of) in &place.stock.0 {
                stock.push(StockKind {
                    name: name.get_ref().clone(),
                    starts: of.starts.min(*of.most.get_ref()),
                    most: self.within(&of.most, 1..=1_000_000_000)?,
                    minutes: of.minutes.unwrap_or(0),
                });
            }
            kinds.push(Kind {
                name: name.get_ref().clone(),
                sign,
                every: place.every.as_ref().map_or(Ok(0), |at| self.within(at, 1..=1_000_000_000))?,
                serves: place.serves.as_ref().map_or(Ok(0), |at| self.within(at, 1..=64))?,
                open: place.open.as_ref().map(|at| self.hours(at)).transpose()?,
                stock,
            });
        }
        Ok(kinds)
    }

    fn ways(&self, kinds: &[Kind], home: usize) -> Result<Vec<Way>, Mistake> {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        let mut ways = Vec::new();
        for way in &self.file.ways {
            let at = match way.at.get_ref().as_str() {
                "home" => Where::Home,
                "work" => Where::Work,
                _ => Where::Kind(self.one_of(&way.at, "a kind of place", &names)? as u8),
            };
            let takes = self.range(&way.takes, 1..=7 * DAY)?;
            let known: Vec<&str> = self.domain.actions.iter().map(String::as_str).collect();
            for action in &way.actions {
                self.one_of(action, "an action", &known)?;
            }
            let stocks = match at {
                Where::Home => Some(home),
                Where::Kind(kind) => Some(usize::from(kind)),
                Where::Work => self.work_of(way, &names)?,
            };
            let amounts =
                |of: &Ordered<Spanned<u32>>, kind: Option<usize>| -> Result<Vec<(u8, u32)>, Mistake> {
                    let known: Vec<&str> = kind.map_or(vec![], |kind| {
                        kinds[kind].stock.iter().map(|stock| stock.name.as_str()).collect()
                    });
                    of.0.iter()
                        .map(|(name, amount)| {
                            let what = format!("in stock at `{}`", kind.map_or("work", |kind| names[kind]));
                            Ok((self.one_of(name, &what, &known)? as u8, *amount.get_ref()))
                        })
                        .collect()
                };
            let (uses, makes) = (amounts(&way.uses, stocks)?, amounts(&way.makes, stocks)?);
            let brings = amounts(&way.brings, Some(home))?;
            let is_open = stocks.is_some_and(|kind| kinds[kind].open.is_none() && kinds[kind].serves == 0);
            // At home nothing but the stock is ever used up or closed.
            let is_free = at == Where::Home && is_open && uses.is_empty() && way.costs == 0;
            ways.push(Way { at, takes, uses, makes, brings, costs: way.costs, is_free });
        }
        if ways.len() > usize::from(u16::MAX) {
            return Err(self.wrong(find_key(self.text, "ways"), "more than 65535 ways", "leave some out"));
        }
        Ok(ways)
    }

    /// The kind of place at which those work who can do these actions; none if they work nowhere.
    fn work_of(&self, way: &WayFile, names: &[&str]) -> Result<Option<usize>, Mistake> {
        let mut found: Option<usize> = None;
        for class in &self.domain.classes {
            let does = |action: &Spanned<String>| {
                class.actions.iter().any(|&index| self.domain.actions[index as usize] == *action.get_ref())
            };
            if !way.actions.iter().any(does) {
                continue;
            }
            let people = self.file.people.0.iter().find(|(name, _)| *name.get_ref() == class.name);
            let Some(work) = people.and_then(|(_, people)| people.work.as_ref()) else {
                let what = format!("`{}` has no place to work at", class.name);
                let remedy =
                    format!("write work = \"...\" in [people.{}], or name a kind of place here", class.name);
                return Err(self.wrong(way.at.span(), what, remedy));
            };
            let kind = self.one_of(work, "a kind of place", names)?;
            if found.is_some_and(|other| other != kind) && !(way.uses.0.is_empty() && way.makes.0.is_empty())
            {
                let what = "classes that work elsewhere share this way, and it speaks of a stock";
                return Err(self.wrong(way.at.span(), what, "write a way for each of them"));
            }
            found = Some(kind);
        }
        Ok(found)
    }

    fn needs(&self) -> Result<Vec<Need>, Mistake> {
        let mut needs = Vec::new();
        for (name, need) in &self.file.needs.0 {
            let hours = *need.hours.get_ref();
            if !(hours > 0.0 && hours <= 10_000.0) {
                return Err(self.wrong(
                    need.hours.span(),
                    format!("{hours} hours make no sense"),
                    "write a number above 0",
                ));
            }
            let strong = need.strong.as_ref().map(|at| self.hours(at)).transpose()?;
            let times = need.times.as_ref().map_or(1.0, |times| *times.get_ref());
            if !(0.0..=1000.0).contains(&times) {
                let span = need.times.as_ref().map_or(0..0, Spanned::span);
                return Err(self.wrong(
                    span,
                    format!("{times} times makes no sense"),
                    "write a number from 0 up",
                ));
            }
            needs.push(Need {
                name: name.get_ref().clone(),
                ticks: hours * 60.0,
                matters: need.matters.as_ref().map_or(Ok((1.0, 1.0)), |at| self.matters(at))?,
                strong: strong.map(|hours| (hours, times)),
            });
        }
        if needs.len() > MOST_NEEDS {
            let what = format!("{} needs", needs.len());
            return Err(self.wrong(find_key(self.text, "needs"), what, format!("at most {MOST_NEEDS}")));
        }
        Ok(needs)
    }

    fn families(&self, needs: &[Need]) -> Result<Vec<Family>, Mistake> {
        let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
        let mut families = Vec::new();
        for (name, family) in &self.file.families.0 {
            let mut matters: Vec<(f64, f64)> = needs.iter().map(|need| need.matters).collect();
            for (need, at) in &family.matters.0 {
                matters[self.one_of(need, "a need", &names)?] = self.matters(at)?;
            }
            let patience = family.patience.as_ref().map_or(Ok(PATIENCE), |at| self.range(at, 0..=10_000))?;
            families.push(Family { name: name.get_ref().clone(), matters, patience });
        }
        if families.is_empty() {
            let matters = needs.iter().map(|need| need.matters).collect();
            families.push(Family { name: "plain".into(), matters, patience: PATIENCE });
        }
        Ok(families)
    }

    fn news(&self) -> Result<Vec<News>, Mistake> {
        let names: Vec<&str> = self.domain.variables.iter().map(String::as_str).collect();
        let mut all = Vec::new();
        for (name, news) in &self.file.news.0 {
            let heard = *news.heard.get_ref();
            if !(0.0..=1.0).contains(&heard) {
                return Err(self.wrong(
                    news.heard.span(),
                    format!("{heard} is no probability"),
                    "write a number from 0 to 1",
                ));
            }
            all.push(News { variable: self.one_of(name, "a variable", &names)? as u32, heard });
        }
        Ok(all)
    }

    fn drawn(&self, kinds: &[Kind]) -> Result<Option<Drawn>, Mistake> {
        let Some(map) = &self.file.map else { return Ok(None) };
        let rows: Vec<Vec<char>> = map.get_ref().lines().map(|row| row.chars().collect()).collect();
        let (width, height) = (rows.iter().map(Vec::len).max().unwrap_or(0), rows.len());
        if width == 0 || width > 512 || height > 512 {
            return Err(self.wrong(
                map.span(),
                format!("a map of {width} x {height} cells"),
                "draw at least one, at most 512 x 512",
            ));
        }
        let mut drawn = Drawn {
            width: width as u32,
            height: height as u32,
            walls: vec![false; width * height],
            places: Vec::new(),
        };
        let mut byte = 0;
        for (y, row) in rows.iter().enumerate() {
            for (x, &sign) in row.iter().enumerate() {
                let cell = y * width + x;
                match kinds.iter().position(|kind| kind.sign == sign) {
                    Some(kind) => drawn.places.push((kind as u8, cell as u32)),
                    None if sign == '#' => drawn.walls[cell] = true,
                    None if sign == '.' || sign == ' ' => {}
                    None => {
                        let at = repertoire_authored::inside(self.text, map, byte..byte + 1);
                        let what = format!("`{sign}` is no sign of a place");
                        return Err(self.wrong(
                            at,
                            what,
                            "give it to a kind of place: [places.NAME] sign = ...",
                        ));
                    }
                }
                byte += sign.len_utf8();
            }
            byte += 1 + usize::from(map.get_ref().as_bytes().get(byte) == Some(&b'\r'));
        }
        if drawn.places.len() > 4096 {
            return Err(self.wrong(
                map.span(),
                format!("{} places", drawn.places.len()),
                "draw at most 4096",
            ));
        }
        Ok(Some(drawn))
    }
}

/// The most rows of a class's table of plans: states times goals. 16 MB.
const MOST_ROWS: usize = 1 << 20;

/// Ticks that somebody waits in line who is of no family.
const PATIENCE: (u32, u32) = (15, 45);

/// What a name may have been meant to be.
pub(super) fn choices(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "none is declared".into(),
        None => format!("there are {}", known.iter().take(16).copied().collect::<Vec<_>>().join(", ")),
    }
}

/// A message that carries its remedy, in two.
pub(super) fn split_remedy(message: &str) -> (String, String) {
    let (what, remedy) = message.split_once("\n  remedy: ").unwrap_or((message, "see docs/guides/town.md"));
    (what.to_owned(), remedy.to_owned())
}
