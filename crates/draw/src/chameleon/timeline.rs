//! `repertoire chameleon timeline`: the likeliest decisions of recorded play beside its stimuli and actions (table 4.4).

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_chameleon::layout::Level;
use repertoire_chameleon::posterior::{Posteriors, posteriors};
use repertoire_chameleon::{Learned, Pass, Sequence};
use repertoire_mind::chameleon::{Joined, Watcher};
use repertoire_prob::draw::arg_max;
use serde_json::{Value, json};

use super::load;
use crate::draw::svg::escape;
use crate::learn::Watchers;
use crate::learn::play;
use crate::output;

/// Draw the likeliest decisions of a recorded life beside its stimuli and actions
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
For every tick the decision that is likeliest given the whole life (gamma), what was attended to, and how probable that is;
below it stimuli and actions, as in Tencé 2011, table 4.4. Decisions have no names of their own: colours are theirs.

Examples:
  repertoire chameleon timeline pupil.json --play play.parquet --player native:5
  repertoire chameleon timeline pupil.json --play play.parquet --player native:5 --life 3 --svg life.svg
  repertoire chameleon timeline pupil.json --play play.parquet --player native:5 --json")]
pub struct Args {
    /// A learned character
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// A recording (.parquet or .csv)
    #[arg(long, value_name = "PLAY")]
    play: PathBuf,
    /// Whose play, by name or number [default: everybody's]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,
    /// Which of the lives, the first being 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    life: u32,
    /// Draw it
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let learned = load::character(&args.file)?;
    let joined = Joined::of(&learned).map_err(|error| {
        anyhow!("nothing in the play tells about the model `{}`: {error}", learned.model.name())
    })?;
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} ticks read, {elapsed} gone")?);
    let delay = arg_max(&learned.delay.ticks);
    let mut watchers = Watchers(vec![Watcher::new(Arc::new(joined), delay)]);
    play::recorded(std::slice::from_ref(&args.play), &args.players, &mut watchers, &bar)?;
    bar.finish_and_clear();
    let lives: Vec<Sequence> =
        watchers.0.into_iter().flat_map(|watcher| watcher.finish(1, &learned.body)).collect();
    let Some(life) = lives.get(args.life as usize - 1) else {
        bail!("there is no life {}\n  remedy: one of 1 to {}", args.life, lives.len());
    };
    let found = posteriors(learned.model.layout(), learned.params(), life, &mut Pass::new())
        .map_err(|error| anyhow!("the character cannot explain this life: {error}"))?;
    let line = Timeline { learned: &learned, life, found: &found };
    if let Some(path) = &args.svg {
        output::file(path, &line.svg())?;
        if path.as_os_str() != "-" {
            anstream::eprintln!("{} ticks drawn in {}", life.len(), path.display());
        }
        if !args.json {
            return Ok(());
        }
    }
    if args.json {
        output::json(&line.json(args.life, lives.len()))
    } else {
        output::text(&line.text(lives.len()))
    }
}

struct Timeline<'a> {
    learned: &'a Learned,
    life: &'a Sequence,
    found: &'a Posteriors,
}

/// A row of the picture: a name and, for each tick, a value.
struct Strip {
    name: String,
    values: Vec<Option<usize>>,
    labels: Vec<String>,
}

impl Timeline<'_> {
    fn decisions(&self) -> Vec<usize> {
        self.found.likeliest(self.learned.model.decisions())
    }

    fn probability(&self, t: usize, decision: usize) -> f64 {
        self.found.decision[t * self.learned.model.decisions() + decision]
    }

    /// What the likeliest decision attended to in a group, and the probability of both together.
    fn attended(&self, group: usize, t: usize, decision: usize) -> Option<(usize, f64)> {
        let layout = self.learned.model.layout();
        let slots = layout.stimuli(layout.shape().groups[group]);
        let shares = &self.found.groups[group][(t * layout.decisions() + decision) * slots..][..slots];
        let slot = arg_max(shares);
        (slots > 0 && shares[slot] > 0.0).then(|| (slot, shares[slot]))
    }

    fn stimulus_of(&self, group: usize, slot: usize) -> usize {
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
            });
        }
        for (i, stimulus) in model.high().iter().enumerate() {
            strips.push(Strip {
                name: stimulus.name.clone(),
                values: ticks.clone().map(|t| Some(self.life.high(t)[i].into())).collect(),
                labels: (0..stimulus.count()).map(|value| stimulus.label(value)).collect(),
            });
        }
        for (u, action) in model.reflexive().iter().enumerate() {
            strips.push(Strip {
                name: format!("{} (does)", action.name),
                values: ticks.clone().map(|t| Some(self.life.reflexive(t)[u].into())).collect(),
                labels: (0..action.count()).map(|value| action.bins.label(value)).collect(),
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
            });
        }
        strips
    }

    fn head(&self, lives: usize) -> String {
        format!(
            "{} ticks of a life (of {lives}); {:.3} nats a tick",
            self.life.len(),
            self.found.log_likelihood / self.life.len().max(1) as f64
        )
    }

    /// A character a tick; lines of 100.
    fn text(&self, lives: usize) -> String {
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

    fn svg(&self) -> String {
        const CELL: f64 = 5.0;
        const ROW: f64 = 18.0;
        const LEFT: f64 = 170.0;
        let decisions = self.decisions();
        let strips = self.strips();
        let width = LEFT + CELL * self.life.len() as f64 + 20.0;
        let height = 60.0 + ROW * (strips.len() + 2) as f64 + 30.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"10\" y=\"18\" font-weight=\"600\">Decisions, attention, stimuli and actions of a life</text>\n"
        );
        let mut row = |y: f64, name: &str, cells: &[(usize, usize, String, String)]| {
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                LEFT - 8.0,
                y + 12.0,
                escape(name)
            );
            for (from, to, colour, label) in cells {
                let (x, wide) = (LEFT + CELL * *from as f64, CELL * (to - from) as f64);
                svg += &format!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"14\" fill=\"{colour}\"><title>{}</title></rect>\n",
                    escape(&format!("ticks {from} to {}: {label}", to - 1))
                );
            }
        };
        let runs =
            |values: &[Option<usize>], colour: &dyn Fn(usize) -> String, label: &dyn Fn(usize) -> String| {
                let mut cells = Vec::new();
                let mut from = 0;
                for t in 1..=values.len() {
                    if t == values.len() || values[t] != values[from] {
                        if let Some(value) = values[from] {
                            cells.push((from, t, colour(value), label(value)));
                        }
                        from = t;
                    }
                }
                cells
            };
        let named: Vec<Option<usize>> = decisions.iter().map(|&decision| Some(decision)).collect();
        row(
            34.0,
            "decision",
            &runs(&named, &|d| COLOURS[d % COLOURS.len()].to_owned(), &|d| format!("decision {d}")),
        );
        let sure: Vec<(usize, usize, String, String)> = (0..self.life.len())
            .map(|t| {
                let p = self.probability(t, decisions[t]);
                let grey = (235.0 - 200.0 * p) as u8;
                (t, t + 1, format!("rgb({grey},{grey},{grey})"), format!("probability {p:.2}"))
            })
            .collect();
        row(34.0 + ROW, "probability", &sure);
        for (k, strip) in strips.iter().enumerate() {
            let count = strip.labels.len().max(2);
            let shade = |value: usize| {
                // From pale to dark blue in the order of values; kinds of stimuli in colours of their own.
                if strip.name.ends_with("attends to") {
                    return COLOURS[value % COLOURS.len()].to_owned();
                }
                let part = value as f64 / (count - 1) as f64;
                let mix = |pale: f64, dark: f64| (pale + (dark - pale) * part) as u8;
                format!("rgb({},{},{})", mix(226.0, 27.0), mix(236.0, 63.0), mix(248.0, 120.0))
            };
            let cells = runs(&strip.values, &shade, &|value| strip.labels[value].clone());
            row(34.0 + ROW * (k + 2) as f64, &strip.name, &cells);
        }
        svg + "</svg>\n"
    }

    fn json(&self, life: u32, lives: usize) -> Value {
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
            let high: serde_json::Map<String, Value> = (model.high().iter().zip(self.life.high(t)))
                .map(|(stimulus, &value)| (stimulus.name.clone(), json!(stimulus.label(value.into()))))
                .collect();
            let reflexive = (model.reflexive().iter().zip(self.life.reflexive(t)))
                .map(|(action, &value)| (action.name.clone(), json!(action.bins.label(value.into()))));
            let external = model.external().iter().enumerate().map(|(f, action)| {
                let slot = action.group.and_then(|group| self.attended(group, t, d)).map(|(slot, _)| slot);
                let value = slot.map(|slot| action.bins.label(self.life.external(t, f, slot).into()));
                (action.name.clone(), json!(value))
            });
            let actions: serde_json::Map<String, Value> = reflexive.chain(external).collect();
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
}

const COLOURS: [&str; 12] = [
    "#2f6fde", "#c0392b", "#2a9d5c", "#e08e0b", "#7d3c98", "#17a2b8", "#d63384", "#6c757d", "#8d6e63",
    "#9acd32", "#1b3f78", "#7b241c",
];

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
