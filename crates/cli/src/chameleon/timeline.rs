//! `repertoire chameleon timeline`: the likeliest decisions of recorded play beside its stimuli and actions (table 4.4).

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_chameleon::Pass;
use repertoire_chameleon::layout::Level;
use repertoire_chameleon::posterior::posteriors;
use repertoire_draw::chameleon::Timeline;
use repertoire_mind::chameleon::{Joined, Watcher};
use repertoire_prob::draw::arg_max;
use serde_json::{Value, json};

use super::load;
use crate::learn::play;
use crate::{Answer, output};

/// Draw the likeliest decisions of a recorded life beside its stimuli and actions
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
For every tick: the decision that is likeliest given the whole life, what was attended to, and how probable that is; below them
stimuli and actions, as in Tencé 2011, table 4.4. Decisions have no names, so each has a colour.

Examples:
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5 --life 3 --svg life.svg
  repertoire chameleon timeline pupil.character --play play.parquet --player native:5 --json")]
pub struct Args {
    /// A learned character
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A recording (.parquet or .csv)
    #[arg(long, value_name = "PLAY")]
    play: PathBuf,
    /// Player to show, by name or number; may be given several times [default: everybody]
    #[arg(long = "player", value_name = "NAME|ID")]
    players: Vec<String>,
    /// Number of the life to show; the first is 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    life: u32,
    /// File for a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let learned = load::learned_character(&args.file)?;
    let joined = Joined::of(&learned).map_err(|error| {
        anyhow!("nothing in the play tells about the model `{}`: {error}", learned.model.name())
    })?;
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} ticks read, {elapsed} gone")?);
    let delay = arg_max(&learned.delay.ticks);
    let mut watcher = Watcher::new(Arc::new(joined), delay);
    play::recorded(std::slice::from_ref(&args.play), &args.players, &mut watcher, &bar)?;
    bar.finish_and_clear();
    let lives = watcher.finish(1, &learned.body);
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
        if !args.answer.json {
            return Ok(());
        }
    }
    if args.answer.json {
        output::json(&as_json(&line, args.life, lives.len()))
    } else {
        output::text(&line.text(lives.len()))
    }
}

fn as_json(line: &Timeline<'_>, life: u32, lives: usize) -> Value {
    let model = &line.learned.model;
    let decisions = line.decisions();
    let tick = |t: usize| {
        let d = decisions[t];
        let attended: Vec<Value> = (0..model.groups().len())
            .map(|group| match line.attended(group, t, d) {
                None => json!({ "group": model.groups()[group], "stimulus": null }),
                Some((slot, p)) => {
                    let kind = line.stimulus_of(group, slot);
                    let level = model.layout().shape().groups[group];
                    let stimulus =
                        if level == Level::High { &model.high()[kind] } else { &model.low()[kind] };
                    let value = match level {
                        Level::High => Some(line.life.high(t)[slot]),
                        Level::Low => line.life.low(t, slot),
                    };
                    json!({ "group": model.groups()[group], "stimulus": stimulus.name, "slot": slot,
                        "value": value.map(|value| stimulus.label(value.into())), "probability": p })
                }
            })
            .collect();
        let high: serde_json::Map<String, Value> = (model.high().iter().zip(line.life.high(t)))
            .map(|(stimulus, &value)| (stimulus.name.clone(), json!(stimulus.label(value.into()))))
            .collect();
        let reflexive = (model.reflexive().iter().zip(line.life.reflexive(t)))
            .map(|(action, &value)| (action.name.clone(), json!(action.bins.label(value.into()))));
        let external = model.external().iter().enumerate().map(|(f, action)| {
            let slot = action.group.and_then(|group| line.attended(group, t, d)).map(|(slot, _)| slot);
            let value = slot.map(|slot| action.bins.label(line.life.external(t, f, slot).into()));
            (action.name.clone(), json!(value))
        });
        let actions: serde_json::Map<String, Value> = reflexive.chain(external).collect();
        let count = model.decisions();
        json!({ "tick": t, "decision": d, "probability": line.probability(t, d),
            "decisions": line.found.decision[t * count..(t + 1) * count],
            "attended": attended, "high": high, "actions": actions })
    };
    json!({
        "model": model.name(), "life": life, "lives": lives, "log_likelihood": line.found.log_likelihood,
        "ticks": (0..line.life.len()).map(tick).collect::<Vec<_>>(),
    })
}
