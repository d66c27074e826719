//! The likeliest decisions of recorded play beside its stimuli and actions (Tencé 2011, table 4.4).

use repertoire_chameleon::layout::Level;
use repertoire_chameleon::posterior::Posteriors;
use repertoire_chameleon::{Learned, Sequence};
use repertoire_prob::draw::arg_max;
use serde_json::{Map, Value, json};

use crate::axes::Axis;
use crate::colour::{BLUES, GREYS};
use crate::label;
use crate::legend::{self, Sign};
use crate::svg::{Svg, group, line, rect, text};

/// A recorded life as a learned character explains it.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// The character.
    pub learned: &'a Learned,
    /// The life.
    pub life: &'a Sequence,
    /// The probabilities of its decisions and attention.
    pub found: &'a Posteriors,
}

/// A row of the picture: a name and, for each tick, a value.
struct Strip {
    name: String,
    values: Vec<Option<usize>>,
    labels: Vec<String>,
    /// Whether the values have an order; kinds of stimuli have none.
    in_order: bool,
}

impl Timeline<'_> {
    /// The same as JSON; `life` is its number from 1, of `lives`.
    pub fn to_json(&self, life: u32, lives: usize) -> Value {
        let model = &self.learned.model;
        let decisions = self.decisions();
        let tick = |t: usize| {
            let d = decisions[t];
            let attended: Vec<Value> = (0..model.groups().len())
                .map(|group| match self.attended(group, t, d) {
                    None => json!({ "group": model.groups()[group], "stimulus": null }),
                    Some((slot, p)) => {
                        let kind = self.stimulus_of(group, slot);
                        let level = model.layout().shape().groups[group];
                        let stimulus =
                            if level == Level::High { &model.high()[kind] } else { &model.low()[kind] };
                        let value = match level {
                            Level::High => Some(self.life.high(t)[slot]),
                            Level::Low => self.life.low(t, slot),
                        };
                        json!({ "group": model.groups()[group], "stimulus": stimulus.name, "slot": slot,
                        "value": value.map(|value| stimulus.label(value.into())), "probability": p })
                    }
                })
                .collect();
            let high: Map<String, Value> = (model.high().iter().zip(self.life.high(t)))
                .map(|(stimulus, &value)| (stimulus.name.clone(), json!(stimulus.label(value.into()))))
                .collect();
            let reflexive = (model.reflexive().iter().zip(self.life.reflexive(t)))
                .map(|(action, &value)| (action.name.clone(), json!(action.bins.label(value.into()))));
            let external = model.external().iter().enumerate().map(|(f, action)| {
                let slot = action.group.and_then(|group| self.attended(group, t, d)).map(|(slot, _)| slot);
                let value = slot.map(|slot| action.bins.label(self.life.external(t, f, slot).into()));
                (action.name.clone(), json!(value))
            });
            let actions: Map<String, Value> = reflexive.chain(external).collect();
            let count = model.decisions();
            json!({ "tick": t, "decision": d, "probability": self.probability(t, d),
            "decisions": self.found.decision[t * count..(t + 1) * count],
            "attended": attended, "high": high, "actions": actions })
        };
        json!({
            "model": model.name(), "life": life, "lives": lives, "log_likelihood": self.found.log_likelihood,
            "ticks": (0..self.life.len()).map(tick).collect::<Vec<_>>(),
        })
    }

    /// The likeliest decision of each tick.
    pub fn decisions(&self) -> Vec<usize> {
        self.found.likeliest(self.learned.model.decisions())
    }

    /// The probability of a decision at a tick.
    pub fn probability(&self, t: usize, decision: usize) -> f64 {
        self.found.decision[t * self.learned.model.decisions() + decision]
    }

    /// What the likeliest decision attended to in a group, and the probability of both together.
    pub fn attended(&self, group: usize, t: usize, decision: usize) -> Option<(usize, f64)> {
        let layout = self.learned.model.layout();
        let slots = layout.stimuli(layout.shape().groups[group]);
        let shares = &self.found.groups[group][(t * layout.decisions() + decision) * slots..][..slots];
        let slot = arg_max(shares);
        (slots > 0 && shares[slot] > 0.0).then(|| (slot, shares[slot]))
    }

    /// Which stimulus a slot of a group holds.
    pub fn stimulus_of(&self, group: usize, slot: usize) -> usize {
        let layout = self.learned.model.layout();
        if layout.shape().groups[group] == Level::High { slot } else { layout.slots()[slot] }
    }

    /// Attention, stimuli and actions, a strip each.
    fn strips(&self) -> Vec<Strip> {
        let model = &self.learned.model;
        let layout = model.layout();
        let decisions = self.decisions();
        let ticks = 0..self.life.len();
        let mut strips = Vec::new();
        for (group, name) in model.groups().iter().enumerate() {
            let kind = |t: usize| {
                self.attended(group, t, decisions[t]).map(|(slot, _)| self.stimulus_of(group, slot))
            };
            let stimuli =
                if layout.shape().groups[group] == Level::High { model.high() } else { model.low() };
            strips.push(Strip {
                name: format!("{name} attends to"),
                values: ticks.clone().map(kind).collect(),
                labels: stimuli.iter().map(|stimulus| stimulus.name.clone()).collect(),
                in_order: false,
            });
        }
        for (i, stimulus) in model.high().iter().enumerate() {
            strips.push(Strip {
                name: stimulus.name.clone(),
                values: ticks.clone().map(|t| Some(self.life.high(t)[i].into())).collect(),
                labels: (0..stimulus.count()).map(|value| stimulus.label(value)).collect(),
                in_order: true,
            });
        }
        for (u, action) in model.reflexive().iter().enumerate() {
            strips.push(Strip {
                name: format!("{} (does)", action.name),
                values: ticks.clone().map(|t| Some(self.life.reflexive(t)[u].into())).collect(),
                labels: (0..action.count()).map(|value| action.bins.label(value)).collect(),
                in_order: true,
            });
        }
        for (f, action) in model.external().iter().enumerate() {
            let value = |t: usize| {
                let slot = self.attended(action.group?, t, decisions[t]).map(|(slot, _)| slot)?;
                Some(self.life.external(t, f, slot).into())
            };
            strips.push(Strip {
                name: format!("{} (does)", action.name),
                values: ticks.clone().map(value).collect(),
                labels: (0..action.count()).map(|value| action.bins.label(value)).collect(),
                in_order: true,
            });
        }
        strips
    }

    fn head(&self, lives: usize) -> String {
        format!(
            "{} ticks of a life (of {lives}); {:.3} nats per tick",
            self.life.len(),
            self.found.log_likelihood / self.life.len().max(1) as f64
        )
    }

    /// A character a tick; lines of 100.
    pub fn text(&self, lives: usize) -> String {
        const WIDE: usize = 100;
        let decisions = self.decisions();
        let strips = self.strips();
        let mut text = self.head(lives) + "\n";
        let wide = strips.iter().map(|strip| strip.name.chars().count()).max().unwrap_or(0).max(11);
        for from in (0..self.life.len()).step_by(WIDE) {
            let to = (from + WIDE).min(self.life.len());
            text += &format!("\n{:wide$}  tick {from} to {}\n{:wide$}  ", "", to - 1, "decision");
            for &decision in &decisions[from..to] {
                let style = anstyle::Style::new().fg_color(Some(colour_of(decision)));
                text += &format!("{style}{}{style:#}", symbol(decision));
            }
            text += &format!("\n{:wide$}  ", "sure of it");
            text.extend((from..to).map(|t| tenth(self.probability(t, decisions[t]))));
            text.push('\n');
            for strip in &strips {
                text += &format!("{:wide$}  ", strip.name);
                text.extend(strip.values[from..to].iter().map(|value| value.map_or('.', symbol)));
                text.push('\n');
            }
        }
        text += "\n";
        for strip in &strips {
            let met: Vec<String> = (strip.labels.iter().enumerate())
                .filter(|(value, _)| strip.values.contains(&Some(*value)))
                .map(|(value, label)| format!("{} {label}", symbol(value)))
                .collect();
            text += &format!("{:wide$}  {}\n", strip.name, met.join(", "));
        }
        text + "a dot: nothing known. `sure of it`: the decision's probability in tenths, * for all of it.\n"
    }

    /// The picture: time from left to right, a row for each thing, and below it what the colours mean.
    pub fn svg(&self) -> String {
        const CELL: f64 = 5.0;
        const ROW: f64 = 18.0;
        const HEAD: f64 = 52.0;
        let decisions = self.decisions();
        let strips = self.strips();
        let widest = strips.iter().map(|strip| label::width(&strip.name, 11.0)).fold(80.0, f64::max);
        let left = 24.0 + widest;
        let right = left + CELL * self.life.len() as f64;
        let width = (right + 24.0).max(760.0);
        let bottom = HEAD + ROW * (strips.len() + 2) as f64;
        let mut rows = group().size(11.0);
        for tick in Axis::linear((0.0, self.life.len() as f64), (left, right))
            .ticks((self.life.len() / 12).clamp(2, 40))
        {
            let x = left + CELL * tick;
            rows.push(line((x, HEAD - 4.0), (x, bottom)).class("rule"));
            rows.push(text(x, HEAD - 8.0, &format!("{tick:.0}")).centred().class("soft").size(10.0));
        }
        rows.push(text(left - 8.0, HEAD - 8.0, "tick").ends().class("soft").size(10.0));
        let mut row = |k: usize, name: &str, cells: Vec<(usize, usize, Sign, String)>| {
            let y = HEAD + ROW * k as f64;
            rows.push(text(left - 8.0, y + 11.0, name).ends());
            for (from, to, sign, said) in cells {
                let cell = rect(left + CELL * from as f64, y, CELL * (to - from) as f64, 14.0);
                let cell = match sign {
                    Sign::Series(k) | Sign::Line(k) => cell.series_area(k),
                    Sign::Colour(colour) => cell.fill(colour),
                };
                rows.push(cell.titled(&format!("ticks {from} to {}: {said}", to - 1)));
            }
        };
        let named: Vec<Option<usize>> = decisions.iter().map(|&decision| Some(decision)).collect();
        let decided = Strip {
            name: "decision".into(),
            labels: (0..self.learned.model.decisions()).map(|d| d.to_string()).collect(),
            values: named,
            in_order: false,
        };
        row(0, &decided.name, decided.runs());
        let sure = (0..self.life.len()).map(|t| {
            let p = self.probability(t, decisions[t]);
            (t, t + 1, Sign::Colour(GREYS.at(p)), format!("probability {p:.2}"))
        });
        row(1, "sure of it", sure.collect());
        for (k, strip) in strips.iter().enumerate() {
            row(k + 2, &strip.name, strip.runs());
        }
        // What the colours mean.
        let mut y = bottom + 36.0;
        let mut meanings = group().size(11.0);
        meanings.push(text(12.0, y, "What the colours mean").bold());
        y += 20.0;
        meanings.push(text(left - 8.0, y, "sure of it").ends());
        meanings.push(GREYS.strip(left, y - 9.0, 10.0, "the decision's probability, from 0 to 1"));
        for strip in [&decided].into_iter().chain(&strips) {
            y += 18.0;
            meanings.push(text(left - 8.0, y, &strip.name).ends());
            let entries: Vec<(Sign, String)> =
                strip.met().map(|value| (strip.sign(value), strip.labels[value].clone())).collect();
            let (legend, lines) = legend::row(left, y, width - left - 20.0, &entries);
            meanings.push(legend);
            y += legend::LINE * (lines - 1) as f64;
        }
        let mut svg = Svg::new(width, y + 20.0)
            .titled("Decisions, attention, stimuli and actions of a life")
            .described("Time goes from left to right; each row is a decision, a focus of attention, a stimulus or an action.");
        svg.push(text(12.0, 22.0, "Decisions, attention, stimuli and actions of a life").bold().size(14.0));
        svg.push(rows);
        svg.push(meanings);
        svg.finish()
    }
}

impl Strip {
    /// The values that occur.
    fn met(&self) -> impl Iterator<Item = usize> {
        (0..self.labels.len()).filter(|value| self.values.contains(&Some(*value)))
    }

    /// How a value is shown: values in an order from pale to dark, kinds in colours of their own.
    fn sign(&self, value: usize) -> Sign {
        if !self.in_order {
            return Sign::Series(value);
        }
        let count = self.labels.len().max(2);
        Sign::Colour(BLUES.at(value as f64 / (count - 1) as f64))
    }

    /// Stretches of one value: from, to, how they are shown, what is said of them.
    fn runs(&self) -> Vec<(usize, usize, Sign, String)> {
        let mut runs = Vec::new();
        let mut from = 0;
        for run in self.values.chunk_by(|a, b| a == b) {
            if let Some(value) = run[0] {
                runs.push((from, from + run.len(), self.sign(value), self.labels[value].clone()));
            }
            from += run.len();
        }
        runs
    }
}

fn colour_of(decision: usize) -> anstyle::Color {
    use anstyle::AnsiColor::*;
    let colours = [Blue, Red, Green, Yellow, Magenta, Cyan, BrightBlue, BrightRed, BrightGreen, BrightYellow];
    colours[decision % colours.len()].into()
}

/// 0 to 9, then letters.
fn symbol(value: usize) -> char {
    let symbols = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    symbols.get(value).map_or('+', |&symbol| symbol as char)
}

fn tenth(p: f64) -> char {
    match (p * 10.0) as u32 {
        10.. => '*',
        tenth => char::from_digit(tenth, 10).unwrap_or('*'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_a_value_are_one_piece_each() {
        let strip = Strip {
            name: "run".into(),
            values: vec![Some(1), Some(1), None, Some(0), Some(1)],
            labels: vec!["standing".into(), "ahead".into(), "back".into()],
            in_order: true,
        };
        let runs: Vec<(usize, usize, String)> =
            strip.runs().into_iter().map(|(from, to, _, said)| (from, to, said)).collect();
        let wanted = [(0, 2, "ahead"), (3, 4, "standing"), (4, 5, "ahead")];
        assert_eq!(runs, wanted.map(|(from, to, said)| (from, to, said.to_owned())));
        assert_eq!(strip.met().collect::<Vec<_>>(), [0, 1], "what never occurs is not in the legend");
        assert_ne!(strip.sign(0), strip.sign(2));
    }
}
