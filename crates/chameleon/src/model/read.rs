//! From a file to a model.

use repertoire_authored::{Mistake, Spanned};

use super::shape::{
    AxisFile, ExternalFile, HighFile, LowFile, ModelFile, ReflexiveFile, SeenFromFile, Weight,
};
use super::{Action, Axis, Bins, MOST_DECISIONS, MOST_SLOTS, MOST_VALUES, Model, SeenFrom, Stimulus};
use crate::layout::{ActionShape, Arrangement, AxisShape, Layout, LayoutError, Level, Shape};

/// Attention lies between these, so that no sum of it overflows or vanishes.
pub(crate) const ATTENTION: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Reads a model, or says where its file is wrong and what would be right.
pub fn read(text: &str) -> Result<Model, Mistake> {
    let file: ModelFile = repertoire_authored::read(text)?;
    let mut reader = Reader { text, groups: Vec::new() };
    let decisions = *file.decisions.get_ref();
    if decisions == 0 || decisions > MOST_DECISIONS {
        return Err(Mistake::at(
            text,
            file.decisions.span(),
            format!("{decisions} decisions are not possible"),
            format!("write a number from 1 to {MOST_DECISIONS}"),
        ));
    }
    if file.high.0.is_empty() {
        let remedy = "add one, such as [high.health] with edges = [35, 70]";
        return Err(Mistake::at(text, 0..0, "there is no high-level stimulus to decide by", remedy));
    }
    let high = collect(&file.high.0, |name, high| reader.high(name, high))?;
    let low = collect(&file.low.0, |name, low| reader.low(name, low))?;
    let reflexive = collect(&file.reflexive.0, |name, action| reader.reflexive(name, action))?;
    let mut external = collect(&file.external.0, |name, action| reader.external(name, action))?;
    // Groups of high and low level are numbered together: reflexive ones first, then external ones as they come.
    let mut groups: Vec<String> = std::mem::take(&mut reader.groups);
    let reflexive_groups = groups.len();
    for (action, (_, file)) in external.iter_mut().zip(&file.external.0) {
        let name = file.group.clone().unwrap_or_else(|| "actions".to_owned());
        let known = groups[reflexive_groups..].iter().position(|known| *known == name);
        action.group = Some(reflexive_groups + known.unwrap_or(groups.len() - reflexive_groups));
        if known.is_none() {
            groups.push(name);
        }
    }
    if groups.len() == reflexive_groups && !low.is_empty() {
        groups.push("actions".to_owned());
    }
    let layout = layout(decisions, &high, &low, &reflexive, &external, reflexive_groups, groups.len());
    let layout = layout.map_err(|error| {
        let what = error.to_string();
        Mistake::at(text, file.decisions.span(), what, "use coarser values, fewer slots or fewer decisions")
    })?;
    Ok(Model {
        name: file.name,
        about: file.about,
        text: text.to_owned(),
        high,
        low,
        reflexive,
        external,
        groups,
        layout,
    })
}

fn layout(
    decisions: usize,
    high: &[Stimulus],
    low: &[Stimulus],
    reflexive: &[Action],
    external: &[Action],
    reflexive_groups: usize,
    groups: usize,
) -> Result<Layout, LayoutError> {
    let action = |action: &Action| ActionShape {
        count: action.count(),
        group: action.group,
        relative: action.seen_from == SeenFrom::Stimulus,
        measure: action.measure.clone(),
    };
    let level = |group: usize| if group < reflexive_groups { Level::High } else { Level::Low };
    let slots: Vec<usize> =
        low.iter().enumerate().flat_map(|(kind, low)| std::iter::repeat_n(kind, low.slots)).collect();
    Layout::new(Shape {
        decisions,
        high: high.iter().map(Stimulus::count).collect(),
        low: low.iter().map(Stimulus::count).collect(),
        slots,
        reflexive: reflexive.iter().map(action).collect(),
        external: external.iter().map(action).collect(),
        groups: (0..groups).map(level).collect(),
        high_axes: high.iter().map(axes_of).collect(),
        low_axes: low.iter().map(axes_of).collect(),
    })
}

fn axes_of(stimulus: &Stimulus) -> Vec<AxisShape> {
    let shape = |axis: &Axis| AxisShape {
        count: axis.count(),
        arrangement: match axis.bins {
            _ if axis.circular => Arrangement::Circle,
            Bins::Edges(_) => Arrangement::Line,
            Bins::Values(_) => Arrangement::Apart,
        },
        step: axis.step,
    };
    stimulus.axes.iter().map(shape).collect()
}

fn collect<F, T>(
    entries: &[(Spanned<String>, F)],
    mut make: impl FnMut(&Spanned<String>, &F) -> Result<T, Mistake>,
) -> Result<Vec<T>, Mistake> {
    entries.iter().map(|(name, file)| make(name, file)).collect()
}

struct Reader<'a> {
    text: &'a str,
    groups: Vec<String>,
}

impl Reader<'_> {
    fn wrong(&self, name: &Spanned<String>, what: String, remedy: impl Into<String>) -> Mistake {
        Mistake::at(self.text, name.span(), what, remedy)
    }

    fn high(&self, name: &Spanned<String>, file: &HighFile) -> Result<Stimulus, Mistake> {
        if !file.axes.is_empty() {
            return self.high_of_axes(name, file);
        }
        let of = file.from.as_ref().unwrap_or_else(|| name.get_ref());
        let mut axis = self.axis(name, of, &file.edges, &file.values)?;
        let mut attention = 1.0;
        match &file.attention {
            None => {}
            Some(Weight::One(weight)) => attention = *weight,
            Some(Weight::Each(weights)) => axis.attention.clone_from(weights),
        }
        self.attention(name, attention, &axis)?;
        let from = file.from.clone().unwrap_or_else(|| name.get_ref().clone());
        Ok(Stimulus { name: name.get_ref().clone(), from, slots: 1, axes: vec![axis], attention })
    }

    /// A high-level stimulus of several things.
    fn high_of_axes(&self, name: &Spanned<String>, file: &HighFile) -> Result<Stimulus, Mistake> {
        let attention = match file.attention {
            None => 1.0,
            Some(Weight::One(weight)) => weight,
            Some(Weight::Each(_)) => {
                let what = format!("`{}` has axes and a weight for each value", name.get_ref());
                return Err(self.wrong(name, what, "write the weights into the axes"));
            }
        };
        if file.edges.is_some() || file.values.is_some() || file.from.is_some() {
            let what = format!("`{}` has axes and something beside them", name.get_ref());
            return Err(self.wrong(name, what, "keep either axes, or edges or values"));
        }
        let from = name.get_ref().clone();
        self.of_axes(
            name,
            Stimulus { name: from.clone(), from, slots: 1, axes: Vec::new(), attention },
            &file.axes,
        )
    }

    fn low(&self, name: &Spanned<String>, file: &LowFile) -> Result<Stimulus, Mistake> {
        let slots = file.slots.unwrap_or(1);
        if slots == 0 || slots > MOST_SLOTS {
            let what = format!("`{}` cannot have {slots} slots", name.get_ref());
            return Err(self.wrong(name, what, format!("write a number from 1 to {MOST_SLOTS}")));
        }
        let attention = file.attention.unwrap_or(1.0);
        let from = file.from.clone().unwrap_or_else(|| name.get_ref().clone());
        self.of_axes(
            name,
            Stimulus { name: name.get_ref().clone(), from, slots, axes: Vec::new(), attention },
            &file.axes,
        )
    }

    /// The stimulus with these axes.
    fn of_axes(
        &self,
        name: &Spanned<String>,
        stimulus: Stimulus,
        files: &[AxisFile],
    ) -> Result<Stimulus, Mistake> {
        let axes = files
            .iter()
            .map(|axis| self.one_of_axes(name, axis, stimulus.attention))
            .collect::<Result<Vec<_>, _>>()?;
        let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.count()));
        if count.is_none_or(|count| count > MOST_VALUES) {
            let what = format!("the axes of `{}` make more than {MOST_VALUES} values", name.get_ref());
            return Err(self.wrong(name, what, "use fewer or coarser axes"));
        }
        let stimulus = Stimulus { axes, ..stimulus };
        let all = (0..stimulus.count()).map(|value| stimulus.attention(value));
        if let Some(bad) = all.into_iter().find(|weight| !ATTENTION.contains(weight)) {
            let what = format!("a value of `{}` gets the attention {bad}", name.get_ref());
            return Err(self.wrong(name, what, "use weights whose product lies between 1e-100 and 1e100"));
        }
        Ok(stimulus)
    }

    fn one_of_axes(&self, name: &Spanned<String>, file: &AxisFile, attention: f64) -> Result<Axis, Mistake> {
        let mut axis = self.axis(name, &file.of, &file.edges, &file.values)?;
        axis.circular = file.circular;
        axis.step = file.step.unwrap_or(1.0);
        if !(axis.step >= 0.0 && axis.step.is_finite()) {
            let what = format!("the axis `{}` of `{}` has the step {}", file.of, name.get_ref(), axis.step);
            return Err(self.wrong(name, what, "write a number from 0 up"));
        }
        axis.attention = file.attention.clone().unwrap_or_default();
        self.attention(name, attention, &axis)?;
        Ok(axis)
    }

    fn attention(&self, name: &Spanned<String>, weight: f64, axis: &Axis) -> Result<(), Mistake> {
        if let Some(bad) = axis.attention.iter().chain([&weight]).find(|weight| !ATTENTION.contains(weight)) {
            let what = format!("`{}` has the attention {bad}", name.get_ref());
            return Err(self.wrong(name, what, "write a positive number; 1 is ordinary"));
        }
        if !axis.attention.is_empty() && axis.attention.len() != axis.count() {
            let what = format!(
                "`{}` has {} values and {} weights of attention",
                axis.of,
                axis.count(),
                axis.attention.len()
            );
            return Err(self.wrong(name, what, "write a weight for each value"));
        }
        Ok(())
    }

    fn reflexive(&mut self, name: &Spanned<String>, file: &ReflexiveFile) -> Result<Action, Mistake> {
        let axis = self.axis(name, name.get_ref(), &file.edges, &file.values)?;
        let group = file.group.as_ref().map(|group| {
            self.groups.iter().position(|known| known == group).unwrap_or_else(|| {
                self.groups.push(group.clone());
                self.groups.len() - 1
            })
        });
        let from = file.from.clone().unwrap_or_else(|| name.get_ref().clone());
        let measure = vec![1.0; axis.count()];
        let seen_from = SeenFrom::Own;
        let (bins, circular, range) = (axis.bins, false, None);
        Ok(Action { name: name.get_ref().clone(), from, bins, circular, range, seen_from, group, measure })
    }

    fn external(&self, name: &Spanned<String>, file: &ExternalFile) -> Result<Action, Mistake> {
        let axis = self.axis(name, name.get_ref(), &file.edges, &file.values)?;
        let label = name.get_ref();
        let measure = match (&axis.bins, file.range, &file.measure) {
            (_, None, None) => vec![1.0; axis.count()],
            (_, None, Some(measure)) if measure.len() == axis.count() => measure.clone(),
            (_, None, Some(measure)) => {
                let what = format!("`{label}` has {} values and {} measures", axis.count(), measure.len());
                return Err(self.wrong(name, what, "write a measure for each value"));
            }
            (Bins::Edges(edges), Some([low, high]), None) => {
                let ends: Vec<f64> = [low].into_iter().chain(edges.iter().copied()).chain([high]).collect();
                ends.windows(2).map(|pair| (pair[1] - pair[0]) / (high - low)).collect()
            }
            (Bins::Values(_), Some(_), _) => {
                let what = format!("`{label}` has words for values, and a range");
                return Err(self.wrong(name, what, "leave the range out, or write edges"));
            }
            (_, Some(_), Some(_)) => {
                let what = format!("`{label}` has a range and a measure");
                return Err(self.wrong(name, what, "keep one of the two"));
            }
        };
        if !measure.iter().all(|&share| (1e-12..=1e12).contains(&share)) {
            let what = format!("the bins of `{label}` have the measures {measure:?}");
            let remedy =
                "let the range reach from below the first edge to above the last, and measures be positive";
            return Err(self.wrong(name, what, remedy));
        }
        let seen_from = match file.seen_from {
            SeenFromFile::Own => SeenFrom::Own,
            SeenFromFile::Stimulus => SeenFrom::Stimulus,
        };
        let from = file.from.clone().unwrap_or_else(|| label.clone());
        let (bins, circular) = (axis.bins, file.circular);
        let range = file.range.map(|[least, most]| (least, most));
        Ok(Action { name: label.clone(), from, bins, circular, range, seen_from, group: None, measure })
    }

    fn axis(
        &self,
        name: &Spanned<String>,
        of: &str,
        edges: &Option<Vec<f64>>,
        words: &Option<Vec<String>>,
    ) -> Result<Axis, Mistake> {
        let label = name.get_ref();
        let bins = match (edges, words) {
            (Some(edges), None) => Bins::Edges(edges.clone()),
            (None, Some(words)) => Bins::Values(words.clone()),
            _ => {
                let what = format!("`{label}`: `{of}` needs either edges or values");
                return Err(self.wrong(
                    name,
                    what,
                    "write edges = [35, 70] for a number, values = [\"no\", \"yes\"] for words",
                ));
            }
        };
        let axis = Axis { of: of.to_owned(), bins, circular: false, step: 1.0, attention: Vec::new() };
        match &axis.bins {
            Bins::Edges(edges) => {
                let ascending = edges.windows(2).all(|pair| pair[0] < pair[1]);
                if !ascending || edges.iter().any(|edge| !edge.is_finite()) {
                    let what = format!("the edges of `{label}` ({of}) do not ascend");
                    return Err(self.wrong(name, what, "write each above the one before"));
                }
            }
            Bins::Values(words) => {
                let mut sorted: Vec<&String> = words.iter().collect();
                sorted.sort_unstable();
                if words.is_empty() || words.iter().any(String::is_empty) {
                    let what = format!("`{label}` ({of}) has no value, or one without a name");
                    return Err(self.wrong(name, what, "name at least one value"));
                }
                if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                    let what = format!("`{label}` ({of}) has the value `{}` twice", pair[0]);
                    return Err(self.wrong(name, what, "keep one of them"));
                }
            }
        }
        if axis.count() > MOST_VALUES {
            let what = format!("`{label}` ({of}) has {} values", axis.count());
            return Err(self.wrong(name, what, format!("use at most {MOST_VALUES}")));
        }
        Ok(axis)
    }
}
