//! From the shape of a file to a program.

use std::ops::Range;

use repertoire_authored::{Mistake, Ordered, Spanned, Unavailable};
use repertoire_prob::table::{MOST_CELLS, cells_over};
use repertoire_prob::variable::{VariableError, is_name};
use repertoire_prob::{Bins, Cell, Variable};

use super::shape::{FactorFile, Names, ParameterFile, ProgramFile, Row, VariableTable};
use crate::program::{Form, Parameter, Program, ProgramError, ProgramPart, suggestion};
use crate::syntax::Conditional;

const FORMS: [&str; 9] =
    ["table", "weights", "uniform", "one_hot", "gaussian", "sigmoid", "agreement", "histogram", "question"];

type Find<'a> = &'a mut dyn FnMut(&str) -> Result<Program, Unavailable>;

pub(super) fn read(text: &str, find: Find<'_>) -> Result<Program, Mistake> {
    let file: ProgramFile = repertoire_authored::read(text)?;
    let mut variables: Vec<Variable> = Vec::new();
    for (name, table) in &file.variables.0 {
        variables.push(variable(text, name, &table.0, &variables)?);
    }
    let mut factors = Vec::new();
    for factor in &file.factor {
        factors.push(Reader { text, factor: factor.get_ref(), variables: &variables }.factor(find)?);
    }
    Program::new(file.name.as_str(), variables.clone(), factors)
        .map(|program| program.with_about(file.about.as_str()))
        .map_err(|error| place(text, &file, &variables, error))
}

/// Finds the line of what a program was refused for.
fn place(text: &str, file: &ProgramFile, variables: &[Variable], error: ProgramError) -> Mistake {
    let span = match error.place {
        ProgramPart::Program => 0..0,
        ProgramPart::Variable(id) => file.variables.0[id].0.span(),
        ProgramPart::Factor(index) => file.factor[index].get_ref().of.span(),
        ProgramPart::Column { factor, row, .. } => {
            let factor = file.factor[factor].get_ref();
            let rows = factor.rows.as_ref().map_or(&[][..], |rows| &rows.0[..]);
            let reader = Reader { text, factor, variables };
            // Rows stand in the author's order: the one to blame is found by its name.
            let blamed = row.and_then(|row| rows.iter().find(|(name, _)| reader.row(name) == Some(row)));
            blamed.or(rows.first()).map_or(factor.of.span(), |(name, _)| name.span())
        }
    };
    Mistake::at(text, span, error.what, error.remedy)
}

fn variable(
    text: &str,
    name: &Spanned<String>,
    table: &VariableTable,
    before: &[Variable],
) -> Result<Variable, Mistake> {
    let wrong = |what: String, remedy: &str| Mistake::at(text, name.span(), what, remedy);
    let refused = |error: VariableError| {
        let remedy = match error {
            VariableError::Empty(_) => {
                "give it at least one value; a range goes from the lower to the higher number"
            }
            VariableError::Twice(..) => "keep one of them",
            VariableError::NoName(_) => "name it",
            VariableError::TooMany(..) => "use coarser values",
            VariableError::Edges(..) => {
                "write one edge more than there are values, each above the one before"
            }
        };
        wrong(error.to_string(), remedy)
    };
    let label = name.get_ref();
    let unwritable = |name: &&String| !is_name(name);
    if let Some(bad) = [label].into_iter().chain(table.values.iter().flatten()).find(unwritable) {
        let what = format!("`{bad}` cannot be written in a question");
        return Err(wrong(what, "use letters, digits and _ + - . ' only"));
    }
    let range = match table.range.as_deref() {
        Some(&[first, last]) => Some([first, last]),
        Some(other) => {
            let what = format!("the range of `{label}` has {} numbers", other.len());
            return Err(wrong(what, "write its first and its last number, such as [-3, 3]"));
        }
        None => None,
    };
    let variable = match (&table.values, range, &table.like) {
        (Some(values), None, None) => Variable::new(label.as_str(), values.iter().map(String::as_str)),
        (None, Some([first, last]), None) => Variable::integers(label.as_str(), first, last),
        (None, None, Some(like)) => match before.iter().find(|variable| variable.name() == like) {
            Some(model) => model.renamed(label.as_str()),
            None => {
                let what = format!("`{label}` is like `{like}`, which is not declared above it");
                return Err(wrong(what, &suggestion(like, before.iter().map(Variable::name))));
            }
        },
        _ => {
            let what = format!("`{label}` needs exactly one of values, range and like");
            return Err(wrong(what, "write a list of values, { range = [-3, 3] } or { like = \"Other\" }"));
        }
    };
    let variable = variable.map_err(refused)?;
    let card = variable.card();
    let edges = match (&table.edges, table.from, table.to) {
        (None, None, None) => variable.bins().map(|bins| bins.edges.clone()),
        (Some(edges), None, None) => Some(edges.clone()),
        (None, Some(from), Some(to)) => {
            Some((0..=card).map(|i| from + (to - from) * i as f64 / card as f64).collect())
        }
        _ => {
            let what = format!("the bins of `{label}` are given twice, or half");
            return Err(wrong(what, "write edges, or from and to"));
        }
    };
    match edges {
        Some(edges) => {
            let before = variable.bins().cloned();
            let inherited = before.as_ref().filter(|_| table.like.is_some());
            let circular = table.circular || inherited.is_some_and(|bins| bins.circular);
            let unit = match inherited {
                Some(bins) if table.unit.is_empty() => bins.unit.clone(),
                _ => table.unit.clone(),
            };
            variable.with_bins(Bins { edges, circular, unit }).map_err(refused)
        }
        None if table.circular || !table.unit.is_empty() => {
            let what = format!("`{label}` has a unit or is circular, but its values are not bins of a scale");
            Err(wrong(what, "add from and to, or edges"))
        }
        None => Ok(variable),
    }
}

/// One factor of the file.
struct Reader<'a> {
    text: &'a str,
    factor: &'a FactorFile,
    variables: &'a [Variable],
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, span, what, remedy)
    }

    fn factor(&self, find: Find<'_>) -> Result<(Conditional, Form), Mistake> {
        let factor = self.factor;
        let of: Conditional = factor.of.get_ref().parse().map_err(|error: crate::syntax::SyntaxError| {
            self.wrong(factor.of.span(), error.to_string(), "name the variables on both sides of the bar")
        })?;
        let name = factor.form.get_ref().as_str();
        if !FORMS.contains(&name) {
            let what = format!("`{name}` is not a form");
            return Err(self.wrong(factor.form.span(), what, suggestion(name, FORMS.iter().copied())));
        }
        self.check_keys(name)?;
        let form = match name {
            "table" => Form::Table(self.cells(&of, self.rows()?)?),
            "weights" => Form::Weights(self.numbers(&of, self.rows()?)?),
            "uniform" => Form::Uniform,
            "one_hot" => Form::OneHot(self.one_hot(&of)?),
            "gaussian" => {
                Form::Gaussian { mean: self.parameter("mean", &of)?, sd: self.parameter("sd", &of)? }
            }
            "sigmoid" => {
                Form::Sigmoid { middle: self.parameter("middle", &of)?, slope: self.parameter("slope", &of)? }
            }
            "agreement" => Form::Agreement,
            "histogram" => Form::Histogram {
                prior: factor.prior.unwrap_or(1.0),
                counts: match &factor.counts {
                    Some(counts) => self.numbers(&of, counts)?,
                    None => Vec::new(),
                },
            },
            _ => self.question(find)?,
        };
        Ok((of, form))
    }

    /// A key that the form does not use is a mistake, not silence.
    fn check_keys(&self, form: &str) -> Result<(), Mistake> {
        let f = self.factor;
        let keys: [(&str, bool, &[&str]); 11] = [
            ("columns", f.columns.is_some(), &["table", "weights", "histogram"]),
            ("rows", f.rows.is_some(), &["table", "weights"]),
            ("counts", f.counts.is_some(), &["histogram"]),
            ("prior", f.prior.is_some(), &["histogram"]),
            ("value", f.value.is_some(), &["one_hot"]),
            ("mean", f.mean.is_some(), &["gaussian"]),
            ("sd", f.sd.is_some(), &["gaussian"]),
            ("middle", f.middle.is_some(), &["sigmoid"]),
            ("slope", f.slope.is_some(), &["sigmoid"]),
            ("program", f.program.is_some(), &["question"]),
            ("ask", f.ask.is_some(), &["question"]),
        ];
        for (key, present, forms) in keys {
            if present && !forms.contains(&form) {
                let what = format!("`{key}` means nothing for the form {form}");
                let remedy = format!("take it away; it belongs to {}", forms.join(", "));
                return Err(self.wrong(f.form.span(), what, remedy));
            }
        }
        Ok(())
    }

    /// Which row of its table a name stands for.
    fn row(&self, name: &Spanned<String>) -> Option<usize> {
        let of: Conditional = self.factor.of.get_ref().parse().ok()?;
        index_of(name.get_ref(), &self.side(of.left.iter()).ok()?).ok()
    }

    fn rows(&self) -> Result<&Ordered<Spanned<Row>>, Mistake> {
        self.factor.rows.as_ref().ok_or_else(|| {
            let what = format!("the form {} needs rows", self.factor.form.get_ref());
            self.wrong(
                self.factor.form.span(),
                what,
                "write rows.VALUE = [...], one for each value of the left side",
            )
        })
    }

    /// The variables of one side; unknown ones are reported here, where the line is known.
    fn side<'n>(&self, names: impl Iterator<Item = &'n String>) -> Result<Vec<&Variable>, Mistake> {
        let mut found = Vec::new();
        for name in names {
            let variable =
                self.variables.iter().find(|variable| variable.name() == name).ok_or_else(|| {
                    let what = format!("`{name}` is not a variable of this program");
                    self.wrong(
                        self.factor.of.span(),
                        what,
                        suggestion(name, self.variables.iter().map(Variable::name)),
                    )
                })?;
            found.push(variable);
        }
        Ok(found)
    }

    /// Cells by name, put into the order `[given...][left...]`.
    fn cells(&self, of: &Conditional, rows: &Ordered<Spanned<Row>>) -> Result<Vec<Cell>, Mistake> {
        let left = self.side(of.left.iter())?;
        let given = self.side(of.given.iter().map(|(name, _)| name))?;
        let (height, width) = (self.count(&left)?, self.count(&given)?);
        cells_over([height, width]).ok_or_else(|| self.too_large())?;
        let columns = self.column_order(&given, width)?;
        let mut cells: Vec<Option<Cell>> = vec![None; height * width];
        for (name, row) in &rows.0 {
            let at = index_of(name.get_ref(), &left).map_err(|remedy| {
                self.wrong(
                    name.span(),
                    format!("`{}` is not a value of {}", name.get_ref(), of.left.join(" ")),
                    remedy,
                )
            })?;
            let found = &row.get_ref().0;
            if found.len() != width {
                let what =
                    format!("the row `{}` has {} cells for {width} columns", name.get_ref(), found.len());
                let remedy = if width == 1 {
                    "write one number".to_owned()
                } else {
                    format!("one cell for each value of {}", names(&given))
                };
                return Err(self.wrong(row.span(), what, remedy));
            }
            for (&column, &cell) in columns.iter().zip(found) {
                if cells[column * height + at].replace(cell).is_some() {
                    let what = format!("the row `{}` is there twice", name.get_ref());
                    return Err(self.wrong(name.span(), what, "keep one of them"));
                }
            }
        }
        if let Some(missing) = cells.iter().position(Option::is_none) {
            let what = format!("the row for {} is missing", value_names(missing % height, &left));
            return Err(self.wrong(
                self.factor.of.span(),
                what,
                "write a row for each value of the left side",
            ));
        }
        Ok(cells.into_iter().flatten().collect())
    }

    fn numbers(&self, of: &Conditional, rows: &Ordered<Spanned<Row>>) -> Result<Vec<f64>, Mistake> {
        let number = |cell: Cell| match cell {
            Cell::Number(number) => Ok(number),
            Cell::Rest => {
                let what = format!("\"x\" means nothing for the form {}", self.factor.form.get_ref());
                Err(self.wrong(self.factor.of.span(), what, "write numbers; \"x\" belongs to the form table"))
            }
        };
        self.cells(of, rows)?.into_iter().map(number).collect()
    }

    fn too_large(&self) -> Mistake {
        let what = format!("the table would have more than {MOST_CELLS} cells");
        self.wrong(self.factor.of.span(), what, "split the factor, or use fewer or coarser variables")
    }

    fn count(&self, variables: &[&Variable]) -> Result<usize, Mistake> {
        cells_over(variables.iter().map(|variable| variable.card())).ok_or_else(|| self.too_large())
    }

    /// Which column each written column is.
    fn column_order(&self, given: &[&Variable], width: usize) -> Result<Vec<usize>, Mistake> {
        let Some(written) = &self.factor.columns else { return Ok((0..width).collect()) };
        let mut order = Vec::new();
        let mut named = vec![false; width];
        for name in written.get_ref() {
            let at = index_of(name.get_ref(), given).map_err(|remedy| {
                self.wrong(
                    name.span(),
                    format!("`{}` is not a column of this factor", name.get_ref()),
                    remedy,
                )
            })?;
            if std::mem::replace(&mut named[at], true) {
                let what = format!("the column `{}` is there twice", name.get_ref());
                return Err(self.wrong(name.span(), what, "keep one of them"));
            }
            order.push(at);
        }
        if order.len() != width {
            let what = format!("{} columns are named, there are {width}", order.len());
            let remedy = format!("name every combination of values of {}", names(given));
            return Err(self.wrong(written.span(), what, remedy));
        }
        Ok(order)
    }

    fn one_hot(&self, of: &Conditional) -> Result<Vec<usize>, Mistake> {
        let left = self.side(of.left.iter())?;
        let width = self.count(&self.side(of.given.iter().map(|(name, _)| name))?)?;
        let value = |name: &String| {
            index_of(name, &left).map_err(|remedy| {
                let what = format!("`{name}` is not a value of {}", of.left.join(" "));
                self.wrong(self.factor.of.span(), what, remedy)
            })
        };
        match &self.factor.value {
            Some(Names::One(name)) => Ok(vec![value(name)?; width]),
            Some(Names::Each(names)) => names.iter().map(value).collect(),
            None => Err(self.wrong(self.factor.form.span(), "one_hot needs a value", "add value = \"...\"")),
        }
    }

    fn parameter(&self, key: &str, of: &Conditional) -> Result<Parameter, Mistake> {
        let f = self.factor;
        let written = match key {
            "mean" => &f.mean,
            "sd" => &f.sd,
            "middle" => &f.middle,
            _ => &f.slope,
        };
        match written {
            Some(ParameterFile::Constant(number)) => Ok(Parameter::Constant(*number)),
            Some(ParameterFile::EachColumn(numbers)) => Ok(Parameter::EachColumn(numbers.clone())),
            Some(ParameterFile::Variable(name)) => {
                Ok(Parameter::Linear { constant: 0.0, weights: vec![(name.clone(), 1.0)] })
            }
            Some(ParameterFile::Linear(terms)) => Ok(Parameter::Linear {
                constant: terms.get("constant").copied().unwrap_or(0.0),
                weights: terms
                    .iter()
                    .filter(|(name, _)| *name != "constant")
                    .map(|(name, weight)| (name.clone(), *weight))
                    .collect(),
            }),
            None => {
                let what = format!("{of} is a {}, which needs `{key}`", f.form.get_ref());
                Err(self.wrong(f.form.span(), what, format!("add {key} = ...")))
            }
        }
    }

    fn question(&self, find: Find<'_>) -> Result<Form, Mistake> {
        let (Some(program), Some(ask)) = (&self.factor.program, &self.factor.ask) else {
            let remedy = "add program = \"...\" and ask = \"P(... | ...)\"";
            return Err(self.wrong(self.factor.form.span(), "a question needs program and ask", remedy));
        };
        let asked = find(program.get_ref()).map_err(|why| {
            let what = format!("the program `{}` cannot be asked: {why}", program.get_ref());
            // What is wrong inside another file has its remedy there.
            let why = why.to_string();
            let inside = why.contains("remedy:") || why.contains("asks itself");
            let remedy = if inside {
                "correct that file"
            } else {
                "name a shipped program, or a file beside this one"
            };
            self.wrong(program.span(), what, remedy)
        })?;
        let span = ask.span();
        let ask: Conditional = ask.get_ref().parse().map_err(|error: crate::syntax::SyntaxError| {
            self.wrong(span.clone(), error.to_string(), "ask for the variables that stand for this factor's")
        })?;
        if let Some((name, _)) = ask.given.iter().find(|(_, value)| value.is_some()) {
            let what =
                format!("`{name}` has a value in the question, but the factor is for all of its values");
            return Err(self.wrong(span, what, "leave the value out"));
        }
        Ok(Form::Question { program: Box::new(asked), ask })
    }
}

/// The index of a conjunction of values written by name, `low` or `low fast`; otherwise the remedy.
fn index_of(text: &str, variables: &[&Variable]) -> Result<usize, String> {
    let parts: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    if parts.len() != variables.len() {
        return Err(match variables {
            [] => "this side has no variable: one column, without a name".to_owned(),
            _ => format!("write a value for each of {}", names(variables)),
        });
    }
    let mut index = 0;
    for (part, variable) in parts.iter().zip(variables) {
        let value = variable.value(part).ok_or_else(|| {
            format!(
                "of `{}`, {}",
                variable.name(),
                suggestion(part, variable.values().iter().map(String::as_str))
            )
        })?;
        index = index * variable.card() + value;
    }
    Ok(index)
}

fn names(variables: &[&Variable]) -> String {
    variables.iter().map(|variable| variable.name()).collect::<Vec<_>>().join(" ")
}

fn value_names(index: usize, variables: &[&Variable]) -> String {
    let cards: Vec<usize> = variables.iter().map(|variable| variable.card()).collect();
    let values = repertoire_prob::table::digits(index, &cards);
    variables
        .iter()
        .zip(values)
        .map(|(variable, value)| variable.values()[value].as_str())
        .collect::<Vec<_>>()
        .join(" ")
}
