//! The classes of a town: their planning domain as bits, and the same as a character of any game.

use std::fmt::Write as _;
use std::ops::Range;

use repertoire_authored::{Mistake, Spanned, find_key};
use repertoire_mind::game::Design;
use repertoire_plan::domain::{Class as Planned, Domain};
use repertoire_plan::packed::{Field, Layout};
use repertoire_plan::task::UNKNOWN;

use super::charter::{Action, Bits, Charter, Class, Goal, MOST_GOALS, Pursued, Reason};
use super::read::Reader;

/// What each reason to be turned away makes somebody believe.
type ByReason = [Bits; Reason::COUNT];

pub(super) fn classes(reader: &Reader<'_>, charter: &Charter) -> Result<Vec<Class>, Mistake> {
    let mut classes = Vec::new();
    for (index, planned) in reader.domain.classes.iter().enumerate() {
        classes.push(Builder::new(reader, charter, index, planned)?.build()?);
    }
    if classes.len() > 250 {
        return Err(reader.wrong(
            find_key(reader.text, "class"),
            "more than 250 classes",
            "join some of them",
        ));
    }
    Ok(classes)
}

struct Builder<'a> {
    reader: &'a Reader<'a>,
    charter: &'a Charter,
    index: usize,
    planned: &'a Planned,
    fields: Vec<Field>,
}

impl<'a> Builder<'a> {
    fn new(
        reader: &'a Reader<'a>,
        charter: &'a Charter,
        index: usize,
        planned: &'a Planned,
    ) -> Result<Self, Mistake> {
        let sizes: Vec<u16> =
            planned.variables.iter().map(|&var| reader.domain.values[var as usize].len() as u16).collect();
        let layout = Layout::new(&sizes).filter(|layout| layout.bits() <= 24);
        let builder = |fields| Builder { reader, charter, index, planned, fields };
        match layout {
            Some(layout) if charter.plans.handle_of(index, 0).is_some() || planned.goals.is_empty() => {
                Ok(builder(layout.fields().to_vec()))
            }
            _ => {
                let what = format!(
                    "the class `{}` has too many states and goals for a table of plans",
                    planned.name
                );
                let remedy = "at most 1048576 states (bits of all variables) times goals: leave out variables or values, or split the class";
                Err(reader.wrong(builder(vec![]).section(), what, remedy))
            }
        }
    }

    /// Where the class is declared.
    fn section(&self) -> Range<usize> {
        let at = self.reader.text.find(&format!("[class.{}", self.planned.name)).unwrap_or(0);
        at..at
    }

    /// A fact of the domain as bits of this class; `None` if the variable is not its own.
    fn fact(&self, var: u32, value: u16) -> Option<Bits> {
        let own = self.planned.variables.iter().position(|&own| own == var)?;
        let field = self.fields[own];
        Some(Bits { mask: field.mask() as u32, value: u32::from(value) << field.shift })
    }

    fn facts(&self, facts: impl IntoIterator<Item = (u32, u16)>) -> Bits {
        facts.into_iter().filter_map(|(var, value)| self.fact(var, value)).fold(Bits::default(), Bits::and)
    }

    fn build(&self) -> Result<Class, Mistake> {
        let reader = self.reader;
        let people = reader.file.people.0.iter().find(|(name, _)| *name.get_ref() == self.planned.name);
        let kinds: Vec<&str> = self.charter.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let work = people.and_then(|(_, people)| people.work.as_ref());
        let work = work.map(|work| reader.one_of(work, "a kind of place", &kinds)).transpose()?;
        let share = people.map_or(0.0, |(_, people)| *people.share.get_ref());
        if !(0.0..=1e9).contains(&share) {
            let span = people.map_or(0..0, |(_, people)| people.share.span());
            return Err(reader.wrong(span, format!("a share of {share}"), "write a number from 0 up"));
        }
        let (design_text, families) = (self.design_text()?, self.families()?);
        let design = Design::parse(&design_text).map_err(|mistake| {
            // What the design's reader refuses is told where the class is.
            let what = format!("the class `{}` is no character: {}", self.planned.name, mistake.what);
            reader.wrong(self.section(), what, mistake.remedy)
        })?;
        let (usual, learns, served) = self.beliefs()?;
        let domain = reader.domain;
        Ok(Class {
            name: self.planned.name.clone(),
            share,
            work: work.map(|kind| kind as u8),
            families,
            goals: self.goals()?,
            actions: self.actions()?,
            variables: self.planned.variables.iter().copied().zip(self.fields.iter().copied()).collect(),
            start: self
                .facts(self.planned.variables.iter().map(|&var| (var, domain.start[var as usize])))
                .and(usual)
                .value,
            first_row: self.charter.plans.handle_of(self.index, 0).unwrap_or(0),
            bits: self.fields.iter().map(|field| field.bits).sum(),
            usual,
            learns,
            served,
            news: self.news(),
            design,
            design_text,
        })
    }

    fn families(&self) -> Result<Vec<u8>, Mistake> {
        let known: Vec<&str> = self.charter.families.iter().map(|family| family.name.as_str()).collect();
        let people = self.reader.file.people.0.iter().find(|(name, _)| *name.get_ref() == self.planned.name);
        match people.and_then(|(_, people)| people.families.as_ref()) {
            None => Ok((0..known.len() as u8).collect()),
            Some(names) if names.is_empty() => {
                let what = format!("`{}` come from no family", self.planned.name);
                Err(self.reader.wrong(self.section(), what, "name one, or leave `families` out for all"))
            }
            Some(names) => {
                names.iter().map(|name| Ok(self.reader.one_of(name, "a family", &known)? as u8)).collect()
            }
        }
    }

    fn goals(&self) -> Result<Vec<Goal>, Mistake> {
        let reader = self.reader;
        if self.planned.goals.len() > MOST_GOALS {
            let what = format!("the class `{}` has {} goals", self.planned.name, self.planned.goals.len());
            return Err(reader.wrong(self.section(), what, format!("at most {MOST_GOALS}")));
        }
        let needs: Vec<&str> = self.charter.needs.iter().map(|need| need.name.as_str()).collect();
        let mut goals = Vec::new();
        for planned in &self.planned.goals {
            let aim = reader.file.aims.0.iter().find(|(name, _)| *name.get_ref() == planned.name);
            // A goal that nothing says anything of is worth nothing; `check` says so.
            let mut goal = Goal {
                name: planned.name.clone(),
                wanted: self.facts(planned.facts.iter().copied()),
                pursued: Pursued::Always(0.0),
                eases: Vec::new(),
                then: Bits::default(),
                pays: aim.map_or(0, |(_, aim)| aim.pays),
            };
            let Some((name, aim)) = aim else {
                goals.push(goal);
                continue;
            };
            goal.pursued = match (&aim.need, &aim.worth) {
                (Some(need), None) => Pursued::Need(reader.one_of(need, "a need", &needs)? as u8),
                (None, Some(worth)) if (0.0..=1e6).contains(worth.get_ref()) => {
                    Pursued::Always(*worth.get_ref())
                }
                (None, Some(worth)) => {
                    let what = format!("a goal worth {}", worth.get_ref());
                    return Err(reader.wrong(worth.span(), what, "write a number from 0 up"));
                }
                _ => {
                    let what = format!("`{}` needs one reason to be pursued", name.get_ref());
                    return Err(reader.wrong(
                        name.span(),
                        what,
                        "write either need = \"...\" or worth = 1.0",
                    ));
                }
            };
            for (need, by) in &aim.eases.0 {
                goal.eases.push((reader.one_of(need, "a need", &needs)? as u8, *by.get_ref()));
            }
            if let (Pursued::Need(need), true) = (goal.pursued, goal.eases.is_empty()) {
                goal.eases.push((need, 1.0));
            }
            if let Some(then) = &aim.then {
                goal.then = self.then(then)?;
            }
            goals.push(goal);
        }
        Ok(goals)
    }

    /// `meal=none pantry=stocked`, by this class's variables; other classes' are left to them.
    fn then(&self, at: &Spanned<String>) -> Result<Bits, Mistake> {
        let mut all = Bits::default();
        for word in at.get_ref().split([' ', ',']).filter(|word| !word.is_empty()) {
            let fact = fact_of(self.reader.domain, word)
                .map_err(|(what, remedy)| self.reader.wrong(at.span(), what, remedy))?;
            if let Some(bits) = self.fact(fact.0, fact.1) {
                all = all.and(bits);
            }
        }
        Ok(all)
    }

    fn actions(&self) -> Result<Vec<Action>, Mistake> {
        let domain = self.reader.domain;
        let Some(task) = domain.class_task(self.planned) else {
            let what = format!("the class `{}` needs variables that are not its own", self.planned.name);
            return Err(self.reader.wrong(
                self.section(),
                what,
                "declare them in [variables], outside of classes",
            ));
        };
        let mut actions = Vec::new();
        for (own, &index) in self.planned.actions.iter().enumerate() {
            let (name, planned) = (&domain.actions[index as usize], &task.actions()[own]);
            let bits = |var: u32, value: u16| {
                let field = self.fields[var as usize];
                Bits { mask: field.mask() as u32, value: u32::from(value) << field.shift }
            };
            let (mut needs, mut makes) = (Bits::default(), Bits::default());
            let mut tells = Vec::new();
            for effect in &planned.effects {
                if effect.pre == Some(UNKNOWN) {
                    let what = format!("`{name}` finds a value out, which nobody in a town can");
                    let remedy = "name the value before the arrow, or * for any";
                    return Err(self.reader.wrong(find_key(self.reader.text, name), what, remedy));
                }
                if let Some(pre) = effect.pre {
                    needs = needs.and(bits(effect.var, pre));
                }
                makes = makes.and(bits(effect.var, effect.post));
                let variable = self.planned.variables[effect.var as usize];
                if let Some(news) = self.charter.news.iter().position(|news| news.variable == variable) {
                    tells.push((news as u8, effect.post));
                }
            }
            for &(var, value) in &planned.prevail {
                needs = needs.and(bits(var, value));
            }
            let ways = self.reader.file.ways.iter().enumerate();
            let ways = ways.filter(|(_, way)| way.actions.iter().any(|action| action.get_ref() == name));
            actions.push(Action {
                name: name.clone(),
                needs,
                makes,
                ways: ways.map(|(at, _)| at as u16).collect(),
                tells,
            });
        }
        Ok(actions)
    }

    fn news(&self) -> Vec<(u8, Field)> {
        let news = self.charter.news.iter().enumerate();
        news.filter_map(|(index, news)| {
            let own = self.planned.variables.iter().position(|&var| var == news.variable)?;
            Some((index as u8, self.fields[own]))
        })
        .collect()
    }

    /// What is assumed, what being turned away teaches, and what being served shows.
    fn beliefs(&self) -> Result<(Bits, Vec<ByReason>, Vec<Bits>), Mistake> {
        let (reader, kinds) = (self.reader, &self.charter.kinds);
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        let variables: Vec<&str> = reader.domain.variables.iter().map(String::as_str).collect();
        let mut usual = Bits::default();
        let mut learns = vec![[Bits::default(); Reason::COUNT]; kinds.len()];
        let mut served = vec![Bits::default(); kinds.len()];
        for (name, belief) in &reader.file.beliefs.0 {
            let var = reader.one_of(name, "a variable", &variables)? as u32;
            let value = |at: &Spanned<String>| -> Result<Option<Bits>, Mistake> {
                let values: Vec<&str> =
                    reader.domain.values[var as usize].iter().map(String::as_str).collect();
                let value = reader.one_of(at, &format!("a value of `{}`", name.get_ref()), &values)?;
                Ok(self.fact(var, value as u16))
            };
            let about: Vec<usize> = match &belief.about {
                None => (0..kinds.len()).collect(),
                Some(about) => about
                    .iter()
                    .map(|kind| reader.one_of(kind, "a kind of place", &names))
                    .collect::<Result<_, _>>()?,
            };
            let Some(fine) = value(&belief.usual)? else { continue };
            usual = usual.and(fine);
            let reasons = [&belief.empty, &belief.closed, &belief.full, &belief.dear, &belief.fire];
            for (reason, at) in reasons.into_iter().enumerate() {
                let Some(Some(bits)) = at.as_ref().map(&value).transpose()? else { continue };
                for &kind in &about {
                    learns[kind][reason] = learns[kind][reason].and(bits);
                }
            }
            // A fire is over when it is over, not when somebody is served elsewhere.
            if belief.fire.is_none() {
                about.iter().for_each(|&kind| served[kind] = served[kind].and(fine));
            }
        }
        Ok((usual, learns, served))
    }

    /// The class as a character of any game.
    fn design_text(&self) -> Result<String, Mistake> {
        let (domain, charter) = (self.reader.domain, self.charter);
        let quoted =
            |names: &[&str]| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let actions: Vec<&str> =
            self.planned.actions.iter().map(|&action| domain.actions[action as usize].as_str()).collect();
        let wrote = || -> Result<String, std::fmt::Error> {
            let mut text = String::new();
            let name = if self.planned.name.is_empty() { "inhabitant" } else { &self.planned.name };
            writeln!(text, "name = {name:?}\ntasks = [{}]\nstay = 0.5", quoted(&actions))?;
            writeln!(text, "unnamed = {:?}", if domain.keep_unnamed { "keep" } else { "open" })?;
            for need in &charter.needs {
                writeln!(
                    text,
                    "\n[needs.{}]\nmatters = [{:?}, {:?}]",
                    need.name, need.matters.0, need.matters.1
                )?;
            }
            writeln!(text, "\n[facts]")?;
            for &var in &self.planned.variables {
                let values: Vec<&str> = domain.values[var as usize].iter().map(String::as_str).collect();
                writeln!(text, "{} = [{}]", domain.variables[var as usize], quoted(&values))?;
            }
            writeln!(text, "\n[actions]")?;
            for &action in &self.planned.actions {
                writeln!(text, "{} = {:?}", domain.actions[action as usize], words(domain, action as usize))?;
            }
            writeln!(text, "\n[goals]")?;
            for goal in &self.planned.goals {
                let facts: Vec<String> = goal.facts.iter().map(|&fact| domain.fact(fact)).collect();
                writeln!(text, "{} = {:?}", goal.name, facts.join(" "))?;
            }
            writeln!(text, "\n[plan]\nfirmness = 0.999\n\n[plan.pursue]")?;
            Ok(text)
        };
        let mut text = wrote().unwrap_or_default();
        let mut served = vec![false; charter.needs.len()];
        for goal in self.goals()? {
            match goal.pursued {
                Pursued::Need(need) => {
                    served[usize::from(need)] = true;
                    text += &format!("{} = {:?}\n", goal.name, charter.needs[usize::from(need)].name);
                }
                Pursued::Always(worth) => text += &format!("{} = {worth:?}\n", goal.name),
            }
        }
        // A design refuses needs that nothing eases: a class that serves one in no way does not have it.
        if let Some(need) = served.iter().position(|served| !served) {
            let what = format!(
                "nothing that `{}` can want serves the need `{}`",
                self.planned.name, charter.needs[need].name
            );
            return Err(self.reader.wrong(
                self.section(),
                what,
                "give a goal of the class this need in [aims]",
            ));
        }
        for &family in &self.families()? {
            let family = &charter.families[usize::from(family)];
            text += &format!("\n[profiles.{}]\n", family.name);
            for (need, (from, to)) in charter.needs.iter().zip(&family.matters) {
                text += &format!("{} = [{from:?}, {to:?}]\n", need.name);
            }
        }
        Ok(text)
    }
}

/// An action as a domain writes it.
fn words(domain: &Domain, action: usize) -> String {
    let planned = &domain.task.actions()[action];
    let change = |effect: &repertoire_plan::Effect| {
        let values = &domain.values[effect.var as usize];
        let pre = effect.pre.and_then(|pre| values.get(usize::from(pre))).map_or("*", String::as_str);
        format!("{}: {pre} -> {}", domain.variables[effect.var as usize], values[usize::from(effect.post)])
    };
    let changes: Vec<String> = planned.effects.iter().map(change).collect();
    let conditions: Vec<String> = planned.prevail.iter().map(|&fact| domain.fact(fact)).collect();
    let conditions =
        if conditions.is_empty() { String::new() } else { format!(" if {}", conditions.join(" ")) };
    changes.join(", ") + &conditions
}

/// `meal=none` as a fact, or what is wrong and the remedy.
pub(super) fn fact_of(domain: &Domain, word: &str) -> Result<(u32, u16), (String, String)> {
    let Some((variable, value)) = word.split_once('=') else {
        return Err((format!("`{word}` is not of the form variable=value"), "write variable=value".into()));
    };
    let known: Vec<&str> = domain.variables.iter().map(String::as_str).collect();
    let Some(var) = domain.variable(variable) else {
        return Err((format!("`{variable}` is not a variable"), super::read::choices(variable, &known)));
    };
    let values: Vec<&str> = domain.values[var].iter().map(String::as_str).collect();
    match values.iter().position(|known| *known == value) {
        Some(at) => Ok((var as u32, at as u16)),
        None => {
            Err((format!("`{value}` is not a value of `{variable}`"), super::read::choices(value, &values)))
        }
    }
}
