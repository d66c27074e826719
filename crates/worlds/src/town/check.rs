//! What can be written but cannot work: places that nobody can reach, actions that can be done nowhere, hours that never come,
//! goals that nobody pursues. Each with its line and a remedy.

use std::ops::Range;

use repertoire_authored::{Mistake, find_key};

use super::charter::{Charter, Pursued, Where};
use super::places::walk;

/// Everything about a town that cannot work, in the order of the file.
pub fn check(charter: &Charter) -> Vec<Mistake> {
    let checker = Checker { charter };
    let mut found = Vec::new();
    checker.hours(&mut found);
    checker.map(&mut found);
    checker.kinds(&mut found);
    checker.actions(&mut found);
    checker.goals(&mut found);
    checker.people(&mut found);
    checker.stocks(&mut found);
    found.sort_by_key(|mistake: &Mistake| (mistake.line, mistake.column));
    found.dedup();
    found
}

struct Checker<'a> {
    charter: &'a Charter,
}

impl Checker<'_> {
    fn at(&self, span: Range<usize>, what: String, remedy: impl Into<String>) -> Mistake {
        Mistake::at(&self.charter.text, span, what, remedy)
    }

    /// Where a section such as `[places.well]` begins.
    fn section(&self, name: &str) -> Range<usize> {
        let text = &self.charter.text;
        let at = text.find(&format!("[{name}]")).or_else(|| text.find(&format!("[{name}."))).unwrap_or(0);
        at..at
    }

    /// Where an action is declared.
    fn declared(&self, name: &str) -> Range<usize> {
        find_key(&self.charter.text, name)
    }

    fn hours(&self, found: &mut Vec<Mistake>) {
        for kind in &self.charter.kinds {
            if kind.open.is_some_and(super::clock::Hours::is_never) {
                let section = self.section(&format!("places.{}", kind.name));
                let text = &self.charter.text;
                let within =
                    text[section.start..].find("open").map_or(section.start, |at| section.start + at);
                let what = format!("`{}` never opens: its hours begin when they end", kind.name);
                found.push(self.at(
                    within..within,
                    what,
                    "write such as 08:00-18:00, or leave `open` out for always",
                ));
            }
        }
        for need in &self.charter.needs {
            if need.strong.is_some_and(|(hours, _)| hours.is_never()) {
                let what = format!("the hours at which `{}` is felt more never come", need.name);
                found.push(self.at(
                    self.section(&format!("needs.{}", need.name)),
                    what,
                    "write such as 21:00-05:00",
                ));
            }
        }
    }

    /// On a drawn map every place can be reached from the first home.
    fn map(&self, found: &mut Vec<Mistake>) {
        let Some(drawn) = &self.charter.drawn else { return };
        let span = find_key(&self.charter.text, "map");
        let homes: Vec<u32> = drawn
            .places
            .iter()
            .filter(|(kind, _)| *kind == self.charter.home)
            .map(|(_, cell)| *cell)
            .collect();
        // The part of the map in which most homes are is where people live.
        let most = homes
            .iter()
            .map(|&home| walk(drawn, home))
            .max_by_key(|steps| homes.iter().filter(|&&home| steps[home as usize] != u16::MAX).count());
        let Some(steps) = most else {
            let what = "there is no home on the map".to_owned();
            let sign = self.charter.kinds[usize::from(self.charter.home)].sign;
            found.push(self.at(span, what, format!("draw some: `{sign}`")));
            return;
        };
        for &(kind, cell) in drawn.places.iter().filter(|(_, cell)| steps[*cell as usize] == u16::MAX) {
            let (x, y) = (cell % drawn.width, cell / drawn.width);
            let what = format!(
                "nobody can reach the {} in row {}, column {} of the map",
                self.charter.kinds[usize::from(kind)].name,
                y + 1,
                x + 1
            );
            // The map's own line: it begins after the key's line, if it is written on lines of its own.
            let line = self.charter.text[..span.start].matches('\n').count();
            let own =
                self.charter.text.lines().nth(line).is_some_and(|line| {
                    line.trim_end().ends_with("\"\"\"") || line.trim_end().ends_with("'''")
                });
            let row = line + if own { 1 + y as usize } else { 0 };
            let start: usize = self.charter.text.split_inclusive('\n').take(row).map(str::len).sum();
            found.push(self.at(start..start, what, "open the walls around it, or take it off the map"));
        }
        for kind in self.charter.kinds.iter().enumerate().filter(|(index, _)| self.is_used(*index as u8)) {
            let drawn_once = drawn.places.iter().any(|(of, _)| usize::from(*of) == kind.0);
            if !drawn_once {
                let what = format!("there is no {} on the map", kind.1.name);
                let remedy = format!("draw one: `{}`", kind.1.sign);
                found.push(self.at(self.section(&format!("places.{}", kind.1.name)), what, remedy));
            }
        }
    }

    fn is_used(&self, kind: u8) -> bool {
        let works = self.charter.classes.iter().any(|class| class.share > 0.0 && class.work == Some(kind));
        works || kind == self.charter.home || self.charter.ways.iter().any(|way| way.at == Where::Kind(kind))
    }

    fn kinds(&self, found: &mut Vec<Mistake>) {
        for (index, kind) in self.charter.kinds.iter().enumerate() {
            let section = || self.section(&format!("places.{}", kind.name));
            if !self.is_used(index as u8) {
                let what = format!("nothing can be done at `{}`", kind.name);
                found.push(self.at(section(), what, "name it in `at` of a way, or leave it out"));
            }
            if self.charter.drawn.is_none() && kind.every == 0 && index != usize::from(self.charter.home) {
                let what = format!("nothing says how many `{}` a generated town has", kind.name);
                found.push(self.at(
                    section(),
                    what,
                    "add every = 100 for one in a hundred inhabitants, or draw a map",
                ));
            }
        }
    }

    fn actions(&self, found: &mut Vec<Mistake>) {
        for class in self.charter.classes.iter().filter(|class| class.share > 0.0) {
            for action in class.actions.iter().filter(|action| action.ways.is_empty()) {
                let what = format!("`{}` can be done nowhere", action.name);
                let remedy = format!(
                    "add [[ways]] with do = [\"{}\"], a place `at` and the minutes it `takes`",
                    action.name
                );
                found.push(self.at(self.declared(&action.name), what, remedy));
            }
        }
    }

    fn goals(&self, found: &mut Vec<Mistake>) {
        for class in self.charter.classes.iter().filter(|class| class.share > 0.0) {
            if class.goals.is_empty() {
                let what = format!("`{}` want nothing", class.name);
                found.push(self.at(self.section(&format!("class.{}", class.name)), what, "add [goals]"));
            }
            for (index, goal) in class.goals.iter().enumerate() {
                if goal.pursued == Pursued::Always(0.0) {
                    let what = format!("nothing makes anybody pursue the goal `{}`", goal.name);
                    let remedy = format!("add [aims.{}] with need = \"...\" or worth = 1.0", goal.name);
                    found.push(self.at(self.declared(&goal.name), what, remedy));
                }
                if !goal.wanted.hold(class.start)
                    && self.charter.plan(class.row(index, class.start)).is_none()
                {
                    let what = format!("`{}` has no plan for `{}` from the start", class.name, goal.name);
                    let remedy = "see `repertoire plan solve` for why, or add an action that leads there";
                    found.push(self.at(self.declared(&goal.name), what, remedy));
                }
                let still = goal.then.put(goal.wanted.value);
                if matches!(goal.pursued, Pursued::Need(_)) && goal.wanted.hold(still) {
                    let what = format!("`{}` is met once and holds for ever", goal.name);
                    let remedy =
                        format!("say what is used up in [aims.{}]: then = \"variable=value\"", goal.name);
                    found.push(self.at(self.section(&format!("aims.{}", goal.name)), what, remedy));
                }
            }
        }
    }

    fn people(&self, found: &mut Vec<Mistake>) {
        if self.charter.classes.iter().all(|class| class.share == 0.0) {
            let what = "nobody lives here".to_owned();
            found.push(self.at(
                self.section("people"),
                what,
                "give a class a share: [people.NAME] share = 1",
            ));
        }
        for class in self.charter.classes.iter().filter(|class| class.share == 0.0) {
            let what = format!("nobody is a `{}`", class.name);
            let remedy = format!("add [people.{}] with a share, or leave the class out", class.name);
            found.push(self.at(self.section(&format!("class.{}", class.name)), what, remedy));
        }
    }

    /// What is used must come from somewhere.
    fn stocks(&self, found: &mut Vec<Mistake>) {
        let kind_of = |at: Where, class_work: Option<u8>| match at {
            Where::Home => Some(self.charter.home),
            Where::Work => class_work,
            Where::Kind(kind) => Some(kind),
        };
        let mut coming: Vec<(u8, u8)> = Vec::new();
        let mut used: Vec<(u8, u8)> = Vec::new();
        for class in &self.charter.classes {
            for &way in class.actions.iter().flat_map(|action| &action.ways) {
                let way = &self.charter.ways[usize::from(way)];
                let Some(kind) = kind_of(way.at, class.work) else { continue };
                coming.extend(way.makes.iter().map(|(which, _)| (kind, *which)));
                coming.extend(way.brings.iter().map(|(which, _)| (self.charter.home, *which)));
                used.extend(way.uses.iter().map(|(which, _)| (kind, *which)));
            }
        }
        used.sort_unstable();
        used.dedup();
        for (kind, which) in used {
            let of = &self.charter.kinds[usize::from(kind)];
            let stock = &of.stock[usize::from(which)];
            if stock.minutes == 0 && !coming.contains(&(kind, which)) {
                let what = format!("`{}` at `{}` is used up and never comes again", stock.name, of.name);
                let remedy = "add `minutes` to the stock, or a way that `makes` or `brings` it";
                found.push(self.at(self.section(&format!("places.{}", of.name)), what, remedy));
            }
        }
    }
}
