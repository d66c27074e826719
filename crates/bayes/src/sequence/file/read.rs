//! From the shape of a file to a behaviour.

use std::ops::Range;

use repertoire_authored::{Mistake, Ordered, Spanned, Unavailable};
use repertoire_prob::Cell;
use repertoire_prob::table::{ColumnError, fill};
use repertoire_prob::variable::is_name;

use super::shape::{BehaviourFile, ChooseFile, CountsFile, Rows, TaskFile};
use crate::file::shape::CellFile;
use crate::program::suggestion;
use crate::sequence::{Behaviour, Choice, Kind, MOST_VALUES, Sensor, Task, TaskCounts};

type Find<'a> = &'a mut dyn FnMut(&str) -> Result<Behaviour, Unavailable>;

pub(super) fn read(text: &str, find: Find<'_>) -> Result<Behaviour, Mistake> {
    from_shape(text, &repertoire_authored::read(text)?, find)
}

pub(super) fn from_shape(text: &str, file: &BehaviourFile, find: Find<'_>) -> Result<Behaviour, Mistake> {
    Reader { text, file, declared: names(text, "task", file.tasks.get_ref())? }.behaviour(find)
}

struct Reader<'a> {
    text: &'a str,
    file: &'a BehaviourFile,
    /// The tasks of `tasks`; those of `[task.NAME]` come after them.
    declared: Vec<String>,
}

/// A column of cells, and where each stands in the file.
type Column = Vec<(Cell, Range<usize>)>;

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, span, what, remedy)
    }

    fn behaviour(&self, find: Find<'_>) -> Result<Behaviour, Mistake> {
        let tasks = self.tasks(find)?;
        let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        let transition = self.transition(&names)?;
        let sensors = self.sensors(&names)?;
        let mut behaviour = Behaviour::from_parts(self.file.name.as_str(), tasks, sensors, transition);
        behaviour.about = self.file.about.clone();
        behaviour.choice = self.choice()?;
        if let Some(counts) = &self.file.counts {
            behaviour.counts = Some(self.counts(counts, &behaviour)?);
        }
        Ok(behaviour)
    }

    fn tasks(&self, find: Find<'_>) -> Result<Vec<Task>, Mistake> {
        let mut tasks: Vec<Task> =
            self.declared.iter().map(|name| Task { name: name.clone(), inner: None }).collect();
        for (name, more) in &self.file.task.0 {
            let known = tasks.iter().position(|task| task.name == *name.get_ref());
            let at = match known {
                Some(at) => {
                    if more.entered.is_some() || more.next.is_some() || !more.column.0.is_empty() {
                        let what = format!("`{}` already has its columns in the tables", name.get_ref());
                        return Err(self.wrong(
                            name.span(),
                            what,
                            "change them there, or take the task out of `tasks`",
                        ));
                    }
                    at
                }
                None if more.next.is_none() => {
                    let what = format!("`{}` is not one of the tasks", name.get_ref());
                    let remedy = format!(
                        "{}; or, to add it, say what follows it: next = {{ {} = \"x\" }}",
                        suggestion(name.get_ref(), self.declared.iter().map(String::as_str)),
                        name.get_ref()
                    );
                    return Err(self.wrong(name.span(), what, remedy));
                }
                None => {
                    check_name(self.text, name)?;
                    tasks.push(Task { name: name.get_ref().clone(), inner: None });
                    tasks.len() - 1
                }
            };
            if let Some(inner) = &more.behaviour {
                let found = find(inner.get_ref()).map_err(|why| {
                    let what = format!("the behaviour `{}` cannot be this task: {why}", inner.get_ref());
                    self.wrong(inner.span(), what, "name a shipped behaviour, or a file beside this one")
                })?;
                tasks[at].inner = Some(Box::new(found));
            }
        }
        if tasks.len() > MOST_VALUES {
            let what = format!("{} tasks; there may be {MOST_VALUES}", tasks.len());
            return Err(self.wrong(
                self.file.tasks.span(),
                what,
                "make some of them behaviours within a task",
            ));
        }
        Ok(tasks)
    }

    fn added(&self) -> impl Iterator<Item = (&Spanned<String>, &TaskFile)> {
        let is_added = |name: &str| !self.declared.iter().any(|task| task == name);
        self.file
            .task
            .0
            .iter()
            .filter(move |(name, _)| is_added(name.get_ref()))
            .map(|(name, file)| (name, file))
    }

    fn transition(&self, tasks: &[&str]) -> Result<Vec<f64>, Mistake> {
        let rows = match (&self.file.transition, &self.file.stay) {
            (Some(rows), None) => rows,
            (None, Some(stay)) => return self.staying(stay, tasks),
            (Some(_), Some(stay)) => {
                let what = "`stay` and [transition] both say how tasks follow each other";
                return Err(self.wrong(stay.span(), what, "keep one of them"));
            }
            (None, None) => {
                return Err(self.wrong(
                    self.file.tasks.span(),
                    "the table [transition], P(task | previous task), is missing",
                    "add [transition] with a row for each task, such as attack = [\"x\", 0.01, ...], or stay = 0.9",
                ));
            }
        };
        let written = self.columns("transition", rows, &tasks[..self.declared.len()])?;
        for (_, added) in self.added() {
            for cells in [&added.entered, &added.next].into_iter().flatten() {
                self.check_keys(cells, tasks, "a task")?;
            }
        }
        let cell = |previous: usize, task: usize| {
            if let Some(cell) = written.get(previous).and_then(|column| column.get(task)) {
                return cell.clone();
            }
            // One of the two was added: what follows it, or where it is entered from.
            let added =
                |at: usize| self.added().nth(at.checked_sub(self.declared.len())?).map(|(_, task)| task);
            let next = added(previous).and_then(|file| file.next.as_ref());
            let entered = added(task).and_then(|file| file.entered.as_ref());
            next.and_then(|cells| find_cell(cells, tasks[task]))
                .or_else(|| entered.and_then(|cells| find_cell(cells, tasks[previous])))
                .unwrap_or((Cell::Number(0.0), self.file.tasks.span()))
        };
        let columns: Vec<Column> = (0..tasks.len())
            .map(|previous| (0..tasks.len()).map(|task| cell(previous, task)).collect())
            .collect();
        self.distributions("transition", &columns, tasks)
    }

    /// The same chance to go on with every task, and any other as likely as the next.
    fn staying(&self, stay: &Spanned<f64>, tasks: &[&str]) -> Result<Vec<f64>, Mistake> {
        if let Some((name, _)) = self.added().next() {
            let what = format!("`{}` says what follows it, and `stay` says it for all", name.get_ref());
            return Err(self.wrong(name.span(), what, "put the task into `tasks`, or write [transition]"));
        }
        let (count, stays) = (tasks.len(), *stay.get_ref());
        if !(0.0..=1.0).contains(&stays) {
            return Err(self.wrong(
                stay.span(),
                format!("{stays} is not a probability"),
                "write a number from 0 to 1: how likely it goes on with a task for another tick",
            ));
        }
        let other = (1.0 - stays) / (count.max(2) - 1) as f64;
        let cell = |at: usize| match at / count == at % count {
            _ if count == 1 => 1.0,
            true => stays,
            false => other,
        };
        Ok((0..count * count).map(cell).collect())
    }

    fn sensors(&self, tasks: &[&str]) -> Result<Vec<Sensor>, Mistake> {
        let file = self.file;
        let mut sensors: Vec<Sensor> = Vec::new();
        for (name, values) in &file.sensors.0 {
            check_name(self.text, name)?;
            let label = name.get_ref();
            let values = names(self.text, "value", values)?;
            if values.is_empty() || values.len() > MOST_VALUES {
                let what = format!("the sensor `{label}` has {} values", values.len());
                return Err(self.wrong(name.span(), what, format!("give it between 1 and {MOST_VALUES}")));
            }
            let find =
                |tables: &'_ Ordered<Rows>| tables.0.iter().position(|(table, _)| table.get_ref() == label);
            let (kind, rows) = match (find(&file.likelihood), find(&file.coherence)) {
                (Some(at), None) => (Kind::Likelihood, &file.likelihood.0[at].1),
                (None, Some(at)) => (Kind::Coherence, &file.coherence.0[at].1),
                (None, None) => {
                    let what = format!("the table of the sensor `{label}` is missing");
                    let remedy =
                        format!("add [likelihood.{label}] with a row for each value, {}", values.join(", "));
                    return Err(self.wrong(name.span(), what, remedy));
                }
                (Some(_), Some(at)) => {
                    let what = format!("the sensor `{label}` has two tables");
                    return Err(self.wrong(
                        file.coherence.0[at].0.span(),
                        what,
                        "keep its likelihood or its coherence",
                    ));
                }
            };
            sensors.push(self.sensor(label, values, kind, rows, tasks)?);
        }
        for (table, _) in file.likelihood.0.iter().chain(&file.coherence.0) {
            if !sensors.iter().any(|sensor| sensor.name == *table.get_ref()) {
                let what = format!("`{}` is not one of the sensors", table.get_ref());
                let near = suggestion(table.get_ref(), sensors.iter().map(|sensor| sensor.name.as_str()));
                return Err(self.wrong(table.span(), what, format!("{near}; or declare it in [sensors]")));
            }
        }
        for (_, added) in self.added() {
            let known: Vec<&str> = sensors.iter().map(|sensor| sensor.name.as_str()).collect();
            self.check_keys(&added.column, &known, "a sensor")?;
        }
        Ok(sensors)
    }

    fn sensor(
        &self,
        name: &str,
        values: Vec<String>,
        kind: Kind,
        rows: &Rows,
        tasks: &[&str],
    ) -> Result<Sensor, Mistake> {
        let labels: Vec<&str> = values.iter().map(String::as_str).collect();
        let mut columns = self.table(name, rows, &labels, self.declared.len())?;
        for (task, added) in self.added() {
            let column = added.column.0.iter().find(|(sensor, _)| sensor.get_ref() == name);
            if let Some((_, cells)) = column {
                self.check_keys(cells, &labels, &format!("a value of {name}"))?;
            }
            let cell = |value: &&str| {
                let written = column.and_then(|(_, cells)| find_cell(cells, value));
                written.unwrap_or((Cell::Rest, task.span()))
            };
            columns.push(labels.iter().map(cell).collect());
        }
        let cells = match kind {
            Kind::Likelihood => self.distributions(name, &columns, tasks)?,
            Kind::Coherence => self.coherences(&columns)?,
        };
        Ok(Sensor { name: name.to_owned(), values, kind, cells })
    }

    /// Every name in a small table must be known.
    fn check_keys<V>(&self, cells: &Ordered<V>, known: &[&str], what: &str) -> Result<(), Mistake> {
        match cells.0.iter().find(|(name, _)| !known.contains(&name.get_ref().as_str())) {
            Some((name, _)) => {
                let remedy = suggestion(name.get_ref(), known.iter().copied());
                Err(self.wrong(name.span(), format!("`{}` is not {what}", name.get_ref()), remedy))
            }
            None => Ok(()),
        }
    }

    fn columns(&self, table: &str, rows: &Rows, names: &[&str]) -> Result<Vec<Column>, Mistake> {
        self.table(table, rows, names, names.len())
    }

    /// Rows by name, turned into columns.
    fn table(&self, table: &str, rows: &Rows, names: &[&str], width: usize) -> Result<Vec<Column>, Mistake> {
        let mut columns = vec![vec![None; names.len()]; width];
        for (name, row) in &rows.0 {
            let Some(at) = names.iter().position(|known| known == name.get_ref()) else {
                let kind = if table == "transition" { "a task" } else { "a value" };
                let what = format!("`{}` is not {kind} of {table}", name.get_ref());
                return Err(self.wrong(name.span(), what, suggestion(name.get_ref(), names.iter().copied())));
            };
            let cells = &row.get_ref().0;
            if cells.len() != width {
                let what =
                    format!("the row `{}` has {} cells for {width} tasks", name.get_ref(), cells.len());
                return Err(self.wrong(
                    row.span(),
                    what,
                    format!("one cell for each of {}", self.declared.join(", ")),
                ));
            }
            for (column, &cell) in columns.iter_mut().zip(cells) {
                column[at] = Some((cell, row.span()));
            }
        }
        let whole: Option<Vec<Column>> =
            columns.into_iter().map(|column| column.into_iter().collect()).collect();
        whole.ok_or_else(|| {
            let missing: Vec<&str> = names
                .iter()
                .filter(|name| !rows.0.iter().any(|(row, _)| row.get_ref() == *name))
                .copied()
                .collect();
            let span = rows.0.first().map_or(self.file.tasks.span(), |(name, _)| name.span());
            let what = format!("{table} has no row for {}", missing.join(", "));
            self.wrong(span, what, "write a row for each value, such as low = [\"x\", 0.1, ...]")
        })
    }

    fn distributions(&self, table: &str, columns: &[Column], tasks: &[&str]) -> Result<Vec<f64>, Mistake> {
        let mut cells = Vec::new();
        for (column, task) in columns.iter().zip(tasks) {
            let written: Vec<Cell> = column.iter().map(|(cell, _)| *cell).collect();
            fill(&written, &mut cells).map_err(|error| {
                let (at, remedy) = match error {
                    ColumnError::NotAProbability { cell, .. } => {
                        (cell, "write a number from 0 to 1, or \"x\"")
                    }
                    ColumnError::OverOne { .. } => {
                        (largest(&written), "lower a number; \"x\" takes what is left")
                    }
                    ColumnError::UnderOne { .. } => (0, "write \"x\" where what is left belongs"),
                };
                let what = format!("{table}, column `{task}`: {error}");
                self.wrong(column[at].1.clone(), what, remedy)
            })?;
        }
        Ok(cells)
    }

    fn coherences(&self, columns: &[Column]) -> Result<Vec<f64>, Mistake> {
        let cell = |(cell, span): &(Cell, Range<usize>)| match *cell {
            Cell::Rest => Ok(NO_OPINION),
            Cell::Number(p) if (0.0..=1.0).contains(&p) => Ok(p),
            Cell::Number(p) => Err(self.wrong(
                span.clone(),
                format!("{p} is not a probability"),
                "write a number from 0 (never together) to 1 (always welcome), \"x\" for no opinion",
            )),
        };
        columns.iter().flatten().map(cell).collect()
    }

    fn choice(&self) -> Result<Choice, Mistake> {
        let Some(choose) = &self.file.choose else { return Ok(Choice::Sample) };
        match choose.get_ref() {
            ChooseFile::Named(name) if name == "sample" => Ok(Choice::Sample),
            ChooseFile::Named(name) if name == "best" => Ok(Choice::Best),
            ChooseFile::Sharpen { sharpen } if *sharpen >= 0.0 && sharpen.is_finite() => {
                Ok(Choice::Sharpen(*sharpen))
            }
            ChooseFile::Sharpen { sharpen } => Err(self.wrong(
                choose.span(),
                format!("{sharpen} is not a power"),
                "write a number from 0 up; 1 changes nothing",
            )),
            ChooseFile::Named(name) => {
                let remedy = "write \"sample\", \"best\" or { sharpen = 5 }";
                Err(self.wrong(choose.span(), format!("`{name}` is not a way to choose"), remedy))
            }
        }
    }

    fn counts(&self, file: &CountsFile, behaviour: &Behaviour) -> Result<TaskCounts, Mistake> {
        let here = file.transition.0.first().map_or(0..0, |(name, _)| name.span());
        if !(file.prior > 0.0 && file.prior.is_finite()) {
            return Err(self.wrong(
                here,
                format!("a prior of {}", file.prior),
                "write a number above 0; 1 is Laplace's law",
            ));
        }
        let tasks: Vec<&str> = behaviour.task_names().collect();
        if tasks.len() != self.declared.len() {
            return Err(self.wrong(
                here,
                "tasks were added to a learned behaviour, and have no counts",
                "put them into `tasks` and all tables, or take [counts] out",
            ));
        }
        let transition = self.numbers(&self.columns("counts.transition", &file.transition, &tasks)?)?;
        let mut sensors = Vec::new();
        for sensor in behaviour.sensors() {
            let Some((_, rows)) = file.sensor.0.iter().find(|(name, _)| *name.get_ref() == sensor.name)
            else {
                let what = format!("the counts of the sensor `{}` are missing", sensor.name);
                return Err(self.wrong(
                    here,
                    what,
                    format!("add [counts.sensor.{}], or take [counts] out", sensor.name),
                ));
            };
            let labels: Vec<&str> = sensor.values.iter().map(String::as_str).collect();
            sensors.push(self.numbers(&self.table(&sensor.name, rows, &labels, tasks.len())?)?);
        }
        Ok(TaskCounts { prior: file.prior, observations: file.observations, transition, sensors })
    }

    fn numbers(&self, columns: &[Column]) -> Result<Vec<f64>, Mistake> {
        let number = |(cell, span): &(Cell, Range<usize>)| match *cell {
            Cell::Number(count) if count >= 0.0 && count.is_finite() => Ok(count),
            _ => Err(self.wrong(span.clone(), "this is not a count", "write a number from 0 up")),
        };
        columns.iter().flatten().map(number).collect()
    }
}

/// What a coherence without opinion says.
const NO_OPINION: f64 = 0.5;

fn largest(cells: &[Cell]) -> usize {
    let number = |cell: &Cell| if let Cell::Number(p) = cell { *p } else { 0.0 };
    (0..cells.len()).max_by(|&a, &b| number(&cells[a]).total_cmp(&number(&cells[b]))).unwrap_or(0)
}

fn find_cell(cells: &Ordered<CellFile>, name: &str) -> Option<(Cell, Range<usize>)> {
    let found = cells.0.iter().find(|(key, _)| key.get_ref() == name);
    found.map(|(key, cell)| (cell.0, key.span()))
}

fn check_name(text: &str, name: &Spanned<String>) -> Result<(), Mistake> {
    if is_name(name.get_ref()) {
        return Ok(());
    }
    let what = format!("`{}` cannot be a name", name.get_ref());
    Err(Mistake::at(text, name.span(), what, "use letters, digits and _ + - . ' only"))
}

/// Names that differ.
fn names(text: &str, kind: &str, written: &[Spanned<String>]) -> Result<Vec<String>, Mistake> {
    let mut names: Vec<String> = Vec::new();
    for name in written {
        check_name(text, name)?;
        if names.contains(name.get_ref()) {
            let what = format!("the {kind} `{}` is there twice", name.get_ref());
            return Err(Mistake::at(text, name.span(), what, "keep one of them"));
        }
        names.push(name.get_ref().clone());
    }
    if names.is_empty() && kind == "task" {
        return Err(Mistake::at(text, 0..0, "there is no task", "name at least one in `tasks`"));
    }
    Ok(names)
}
