//! Problems in the planning community's SAS+ text format: the `output.sas` of Fast Downward's translator.
//!
//! Version 3 of the format, as the planner's documentation gives it under *translator output format* (the translation
//! itself: Helmert 2009). It is a list of lines, so every mistake has its line; every list says how long it will be.
//!
//! | section                 | here                   | note                                                          |
//! |-------------------------|------------------------|---------------------------------------------------------------|
//! | metric                  | [`SasProblem::costs`]  | without a metric every action costs 1, whatever its line says; planning does not look at costs |
//! | variables               | names, [`Task::sizes`] | a layer other than -1 means an axiom and is refused           |
//! | mutex groups            | checked, then dropped  | they follow from the rest                                     |
//! | prevail conditions      | [`Action::prevail`]    | on variables that the operator leaves alone                   |
//! | effect, pre -1 or value | [`Effect::pre`]        | asked of the operator even if the effect is conditional       |
//! | effect conditions       | [`Effect::when`]       | of two effects on a variable that happen, the later one wins  |
//! | axioms                  | must be 0              |                                                               |
//!
//! Differs from the format: blank lines, carriage returns and spaces at the ends of lines do not count; no axioms; at
//! most 65535 values a variable; an operator must have an effect.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::SplitWhitespace;

use repertoire_authored::Mistake;

use crate::task::{Action, Effect, Fact, Task};

const AXIOMS: &str = "the problem has derived variables (axioms), which are not read";
const WITHOUT_AXIOMS: &str = "translate it without axioms: write the domain without `:derived` and without `forall` in \
                              conditions, and the goal as a plain `and` of facts";

/// A problem as Fast Downward's translator writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SasProblem {
    /// The variables' sizes and the actions.
    pub task: Task,
    /// The initial value of each variable.
    pub init: Vec<u16>,
    /// The value wanted of each variable; `None` leaves it open.
    pub goal: Vec<Option<u16>>,
    /// The name of each variable.
    pub variables: Vec<String>,
    /// The names of each variable's values.
    pub values: Vec<Vec<String>>,
    /// The name of each action; the translator may give one name to several.
    pub actions: Vec<String>,
    /// What each action costs.
    pub costs: Vec<u32>,
}

/// Whether a text is meant as SAS+, told by its first line that is not blank; no TOML begins like this.
pub fn is_sas_plus(text: &str) -> bool {
    without_mark(text).trim_start().lines().next().is_some_and(|line| line.trim_end() == "begin_version")
}

/// Reads a problem, or says where it is wrong and what would be right.
///
/// Takes time linear in the text (but for ordered sets per operator), and memory in proportion to it: a count that the
/// rest of the text cannot fulfil is refused before anything is made room for.
///
/// ```
/// let text = "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n\
///     1\nbegin_variable\nlamp\n-1\n2\nlit\ndark\nend_variable\n0\nbegin_state\n1\nend_state\n\
///     begin_goal\n1\n0 0\nend_goal\n1\nbegin_operator\nlight it\n0\n1\n0 0 1 0\n1\nend_operator\n0\n";
/// let problem = repertoire_plan::sas_plus::read(text).expect("well formed");
/// assert!(problem.task.is_plan(&[0], &problem.init, &problem.goal));
///
/// let mistake = repertoire_plan::sas_plus::read(&text.replace("0 0 1 0", "0 0 1 2")).err().expect("no value 2");
/// assert_eq!((mistake.line, mistake.column), (28, 7));
/// assert_eq!(mistake.remedy, "write a number from 0 to 1");
/// ```
pub fn read(text: &str) -> Result<SasProblem, Mistake> {
    let mut reader = Reader { text, rest: without_mark(text) };
    let has_costs = reader.header()?;
    let Variables { names: variables, values, sizes } = reader.variables()?;
    reader.mutex_groups(&sizes)?;
    let init = reader.state(&sizes)?;
    let goal = reader.goal(&sizes)?;

    let place = reader.rest.trim_start();
    let (mut names, mut actions, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..reader
        .count("the number of operators", "begin_operator\nx\n0\n1\n0 0 0 0\n0\nend_operator\n".len())?
    {
        let (name, action, cost) = reader.operator(&sizes)?;
        names.push(name.to_owned());
        actions.push(action);
        costs.push(if has_costs { cost } else { 1 });
    }
    reader.axioms()?;
    let task = Task::new(sizes, actions)
        .map_err(|error| reader.mistake(place, error.to_string(), "correct the operator"))?;
    Ok(SasProblem { task, init, goal, variables, values, actions: names, costs })
}

/// Writes a problem, so that [`read`] gives it back. Names lose what a line cannot hold: line breaks and outer spaces.
///
/// # Panics
/// If the problem's lists are not as long as its task's.
pub fn write(problem: &SasProblem) -> String {
    let mut lines = Lines(String::new());
    let has_costs = problem.costs.iter().any(|&cost| cost != 1);
    lines.add("begin_version\n3\nend_version\nbegin_metric");
    lines.add(u8::from(has_costs));
    lines.add("end_metric");

    lines.add(problem.task.sizes().len());
    for (var, size) in problem.task.sizes().iter().enumerate() {
        lines.add("begin_variable");
        lines.name(&problem.variables[var]);
        lines.add(format_args!("-1\n{size}"));
        (0..usize::from(*size)).for_each(|value| lines.name(&problem.values[var][value]));
        lines.add("end_variable");
    }
    lines.add(0); // mutex groups

    lines.add("begin_state");
    (0..problem.task.sizes().len()).for_each(|var| lines.add(problem.init[var]));
    lines.add("end_state\nbegin_goal");
    let goal = problem.goal.iter().enumerate().filter_map(|(var, value)| Some((var as u32, (*value)?)));
    lines.facts(&goal.collect::<Vec<Fact>>());
    lines.add("end_goal");

    lines.add(problem.task.actions().len());
    for (index, action) in problem.task.actions().iter().enumerate() {
        lines.add("begin_operator");
        lines.name(&problem.actions[index]);
        lines.facts(&action.prevail);
        lines.add(action.effects.len());
        action.effects.iter().for_each(|effect| lines.effect(effect));
        lines.add(format_args!("{}\nend_operator", problem.costs[index]));
    }
    lines.add(0); // axioms
    lines.0
}

/// The text without the byte order mark that some editors put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A piece of the text, short enough to be quoted.
fn quoted(part: &str) -> String {
    const LONGEST: usize = 40;
    match part.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}...`", &part[..end]),
        None => format!("`{part}`"),
    }
}

struct Variables {
    names: Vec<String>,
    /// The names of each one's values.
    values: Vec<Vec<String>>,
    sizes: Vec<u16>,
}

/// Walks down the text. Lines and tokens are pieces of it, so their place is known without being carried along.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// A mistake at a piece of the text.
    fn mistake(&self, part: &str, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Mistake::at(self.text, start..start, what, remedy)
    }

    /// The next line that is not blank.
    fn line(&mut self, wanted: &str) -> Result<&'a str, Mistake> {
        loop {
            if self.rest.is_empty() {
                let what = format!("the file ends where {wanted} should be");
                let remedy = "the file was cut short: translate the problem again";
                return Err(self.mistake(self.rest, what, remedy));
            }
            let (line, rest) = self.rest.split_once('\n').unwrap_or(self.rest.split_at(self.rest.len()));
            self.rest = rest;
            if !line.trim().is_empty() {
                return Ok(line.trim());
            }
        }
    }

    /// A line that is always the same.
    fn keyword(&mut self, word: &str) -> Result<(), Mistake> {
        let line = self.line(word)?;
        if line == word {
            return Ok(());
        }
        let what = format!("{} stands where `{word}` should be", quoted(line));
        let remedy = format!("write `{word}` here, or correct the count of what comes before");
        Err(self.mistake(line, what, remedy))
    }

    fn numbers(&mut self, wanted: &str) -> Result<Numbers<'a>, Mistake> {
        let line = self.line(wanted)?;
        Ok(Numbers { line, tokens: line.split_whitespace() })
    }

    /// A line with one number.
    fn number(&mut self, wanted: &str, range: RangeInclusive<i64>) -> Result<i64, Mistake> {
        let mut numbers = self.numbers(wanted)?;
        let number = numbers.next(self, wanted, range)?;
        numbers.end(self).map(|()| number)
    }

    /// How many items follow, each of at least so many bytes.
    fn count(&mut self, wanted: &str, least_bytes: usize) -> Result<usize, Mistake> {
        let mut numbers = self.numbers(wanted)?;
        let count = numbers.next(self, wanted, 0..=i64::MAX)?;
        numbers.end(self)?;
        let room = (self.rest.len() + 1) / least_bytes;
        usize::try_from(count).ok().filter(|&count| count <= room).ok_or_else(|| {
            let what =
                format!("{wanted} is {}, more than the rest of the file can hold", quoted(numbers.line));
            let remedy = "correct the number, or translate the problem again if the file was cut short";
            self.mistake(numbers.line, what, remedy)
        })
    }

    /// How many items follow, where each is about another variable.
    fn count_of_variables(&mut self, wanted: &str, sizes: &[u16]) -> Result<usize, Mistake> {
        Ok(self.number(wanted, 0..=sizes.len() as i64)? as usize)
    }

    /// A line with a variable and a value.
    fn fact(&mut self, wanted: &str, sizes: &[u16]) -> Result<(Fact, &'a str), Mistake> {
        let mut numbers = self.numbers(wanted)?;
        let fact = numbers.fact(self, sizes)?;
        numbers.end(self).map(|()| (fact, numbers.line))
    }

    /// Version and metric; whether the operators' costs count.
    fn header(&mut self) -> Result<bool, Mistake> {
        self.keyword("begin_version")?;
        let line = self.line("the version")?;
        if line != "3" {
            let remedy = "translate the problem with a Fast Downward that writes version 3";
            return Err(self.mistake(line, format!("version {} is not read", quoted(line)), remedy));
        }
        self.keyword("end_version")?;
        self.keyword("begin_metric")?;
        let has_costs = self.number("the metric", 0..=1)? == 1;
        self.keyword("end_metric")?;
        Ok(has_costs)
    }

    fn variables(&mut self) -> Result<Variables, Mistake> {
        let place = self.rest.trim_start();
        let mut read = Variables { names: Vec::new(), values: Vec::new(), sizes: Vec::new() };
        let shortest = "begin_variable\nx\n-1\n1\nx\nend_variable\n";
        for _ in 0..self.count("the number of variables", shortest.len())? {
            self.keyword("begin_variable")?;
            read.names.push(self.line("the name of a variable")?.to_owned());
            self.layer()?;
            let size = self.number("the number of values", 1..=i64::from(u16::MAX))? as u16;
            let names = (0..size).map(|_| Ok(self.line("the name of a value")?.to_owned()));
            read.values.push(names.collect::<Result<_, Mistake>>()?);
            read.sizes.push(size);
            self.keyword("end_variable")?;
        }
        match read.sizes.is_empty() {
            true => Err(self.mistake(place, "the problem has no variables", "a problem needs at least one")),
            false => Ok(read),
        }
    }

    fn layer(&mut self) -> Result<(), Mistake> {
        let mut numbers = self.numbers("the axiom layer")?;
        let layer = numbers.next(self, "the axiom layer", -1..=i64::MAX)?;
        numbers.end(self)?;
        match layer {
            -1 => Ok(()),
            _ => Err(self.mistake(numbers.line, AXIOMS, WITHOUT_AXIOMS)),
        }
    }

    fn mutex_groups(&mut self, sizes: &[u16]) -> Result<(), Mistake> {
        for _ in
            0..self.count("the number of mutex groups", "begin_mutex_group\n0\nend_mutex_group\n".len())?
        {
            self.keyword("begin_mutex_group")?;
            for _ in 0..self.count("the number of facts", "0 0\n".len())? {
                self.fact("a fact of a mutex group", sizes)?;
            }
            self.keyword("end_mutex_group")?;
        }
        Ok(())
    }

    fn state(&mut self, sizes: &[u16]) -> Result<Vec<u16>, Mistake> {
        self.keyword("begin_state")?;
        let value = |&size| Ok(self.number("an initial value", 0..=i64::from(size) - 1)? as u16);
        let init = sizes.iter().map(value).collect::<Result<_, Mistake>>()?;
        self.keyword("end_state")?;
        Ok(init)
    }

    fn goal(&mut self, sizes: &[u16]) -> Result<Vec<Option<u16>>, Mistake> {
        self.keyword("begin_goal")?;
        let mut goal = vec![None; sizes.len()];
        for _ in 0..self.count_of_variables("the number of goals", sizes)? {
            let ((var, value), line) = self.fact("a goal", sizes)?;
            if goal[var as usize].replace(value).is_some() {
                let what = format!("the goal speaks of variable {var} twice");
                return Err(self.mistake(line, what, "keep one of the two"));
            }
        }
        self.keyword("end_goal")?;
        Ok(goal)
    }

    /// An operator: its name, what it does, its cost.
    fn operator(&mut self, sizes: &[u16]) -> Result<(&'a str, Action, u32), Mistake> {
        self.keyword("begin_operator")?;
        let name = self.line("the name of an operator")?;
        let mut prevail = Vec::new();
        let mut held = BTreeSet::new();
        for _ in 0..self.count_of_variables("the number of prevail conditions", sizes)? {
            let (fact, line) = self.fact("a prevail condition", sizes)?;
            if !held.insert(fact.0) {
                let what = format!("{} has two prevail conditions on variable {}", quoted(name), fact.0);
                return Err(self.mistake(line, what, "keep one of the two"));
            }
            prevail.push(fact);
        }
        let effects = self.effects(name, &held, sizes)?;
        let cost = self.number("the cost", 0..=i64::from(u32::MAX))? as u32;
        self.keyword("end_operator")?;
        Ok((name, Action { effects, prevail }, cost))
    }

    fn effects(&mut self, name: &str, held: &BTreeSet<u32>, sizes: &[u16]) -> Result<Vec<Effect>, Mistake> {
        let place = self.rest.trim_start();
        let count = self.count("the number of effects", "0 0 0 0\n".len())?;
        if count == 0 {
            let what = format!("{} has no effect", quoted(name));
            return Err(self.mistake(place, what, "remove the operator"));
        }
        let mut effects = Vec::new();
        let mut changed = BTreeMap::new();
        for _ in 0..count {
            let (effect, line) = self.effect(sizes)?;
            if held.contains(&effect.var) {
                let what = format!("{} changes variable {}, its prevail condition", quoted(name), effect.var);
                let remedy = "remove the prevail condition, and write its value as the effect's value before";
                return Err(self.mistake(line, what, remedy));
            }
            let earlier = changed.entry(effect.var).or_insert(Changed { pre: None, always: false });
            if let Err(what) = earlier.and(&effect) {
                let what = format!("{} {what} variable {}", quoted(name), effect.var);
                return Err(self.mistake(line, what, "keep one of the two effects"));
            }
            effects.push(effect);
        }
        Ok(effects)
    }

    fn effect(&mut self, sizes: &[u16]) -> Result<(Effect, &'a str), Mistake> {
        let mut numbers = self.numbers("an effect")?;
        let mut when = Vec::new();
        let mut asked = BTreeSet::new();
        for _ in 0..numbers.next(self, "the number of effect conditions", 0..=sizes.len() as i64)? {
            let fact = numbers.fact(self, sizes)?;
            if !asked.insert(fact.0) {
                let what = format!("the effect has two conditions on variable {}", fact.0);
                return Err(self.mistake(numbers.line, what, "keep one of the two"));
            }
            when.push(fact);
        }
        let var = numbers.var(self, sizes)?;
        let last = i64::from(sizes[var as usize]) - 1;
        let pre = numbers.next(self, "the value before", -1..=last)?;
        let post = numbers.next(self, "the value after", 0..=last)? as u16;
        numbers.end(self)?;
        Ok((Effect { var, pre: u16::try_from(pre).ok(), post, when }, numbers.line))
    }

    /// That there are none, and nothing else.
    fn axioms(&mut self) -> Result<(), Mistake> {
        let mut numbers = self.numbers("the number of axioms")?;
        let count = numbers.next(self, "the number of axioms", 0..=i64::MAX)?;
        numbers.end(self)?;
        if count != 0 {
            return Err(self.mistake(numbers.line, AXIOMS, WITHOUT_AXIOMS));
        }
        match self.rest.trim_start() {
            "" => Ok(()),
            more => {
                let line = more.lines().next().unwrap_or_default().trim_end();
                let what = format!("{} follows the end", quoted(line));
                Err(self.mistake(more, what, "remove everything after the number of axioms"))
            }
        }
    }
}

/// What the effects so far do to a variable.
struct Changed {
    pre: Option<u16>,
    always: bool,
}

impl Changed {
    /// Takes in another effect, or says what is wrong with it.
    fn and(&mut self, effect: &Effect) -> Result<(), &'static str> {
        if effect.when.is_empty() && std::mem::replace(&mut self.always, true) {
            return Err("has two unconditional effects on");
        }
        if effect.pre.is_some() && self.pre.is_some_and(|pre| Some(pre) != effect.pre) {
            return Err("can never be done: its effects ask for two values of");
        }
        self.pre = self.pre.or(effect.pre);
        Ok(())
    }
}

/// A line of numbers.
struct Numbers<'a> {
    line: &'a str,
    tokens: SplitWhitespace<'a>,
}

impl Numbers<'_> {
    fn next(
        &mut self,
        reader: &Reader<'_>,
        wanted: &str,
        range: RangeInclusive<i64>,
    ) -> Result<i64, Mistake> {
        let remedy = || match (range.start(), range.end()) {
            (first, &i64::MAX) => format!("write a number, {first} or more"),
            (first, last) => format!("write a number from {first} to {last}"),
        };
        let Some(token) = self.tokens.next() else {
            let end = &self.line[self.line.len()..];
            return Err(reader.mistake(end, format!("{wanted} is missing"), remedy()));
        };
        let number = token.parse::<i64>().or_else(|error| match error.kind() {
            IntErrorKind::PosOverflow => Ok(i64::MAX),
            IntErrorKind::NegOverflow => Ok(i64::MIN),
            _ => {
                let what = format!("{} stands where {wanted} should be", quoted(token));
                Err(reader.mistake(token, what, remedy()))
            }
        })?;
        match range.contains(&number) {
            true => Ok(number),
            false => {
                Err(reader.mistake(token, format!("{wanted} is {}, out of range", quoted(token)), remedy()))
            }
        }
    }

    fn var(&mut self, reader: &Reader<'_>, sizes: &[u16]) -> Result<u32, Mistake> {
        // More than 4 billion variables would not fit into a text of their size; `min` keeps the cast honest.
        let last = (sizes.len() as i64 - 1).min(i64::from(u32::MAX));
        Ok(self.next(reader, "the variable", 0..=last)? as u32)
    }

    fn fact(&mut self, reader: &Reader<'_>, sizes: &[u16]) -> Result<Fact, Mistake> {
        let var = self.var(reader, sizes)?;
        let value = self.next(reader, "the value", 0..=i64::from(sizes[var as usize]) - 1)?;
        Ok((var, value as u16))
    }

    fn end(&mut self, reader: &Reader<'_>) -> Result<(), Mistake> {
        let Some(token) = self.tokens.next() else { return Ok(()) };
        let what = format!("{} is one number too many", quoted(token));
        Err(reader.mistake(token, what, "remove it, or correct the counts before"))
    }
}

/// The lines written so far.
struct Lines(String);

impl Lines {
    fn add(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{line}"); // writing into a String never fails
    }

    fn name(&mut self, name: &str) {
        match name.trim() {
            "" => self.add("-"), // a blank line would not count
            name => self.add(name.replace('\n', " ")),
        }
    }

    fn facts(&mut self, facts: &[Fact]) {
        self.add(facts.len());
        facts.iter().for_each(|(var, value)| self.add(format_args!("{var} {value}")));
    }

    fn effect(&mut self, effect: &Effect) {
        let _ = write!(self.0, "{} ", effect.when.len());
        for (var, value) in &effect.when {
            let _ = write!(self.0, "{var} {value} ");
        }
        let pre = effect.pre.map_or(-1, i32::from);
        self.add(format_args!("{} {pre} {}", effect.var, effect.post));
    }
}
