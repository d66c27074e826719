//! `repertoire learn chameleon`: a character that attends, decides and acts, from the play of teachers.

mod live;
mod practise;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_chameleon::decisions::{Judged, judge, mean_log_likelihood};
use repertoire_chameleon::model::Action;
use repertoire_chameleon::reaction::reaction;
use repertoire_chameleon::{
    Attention, Delay, Learned, Model, Pooling, Progress, Sequence, Settings, Steadiness, learn,
};
use repertoire_mind::Places;
use repertoire_mind::chameleon::{Joined, Watcher};
use repertoire_mind::student::Seen;
use serde_json::json;

use super::play::{Teachers, Watch};
use crate::chameleon::load;
use crate::{clock, draw, output};

/// Learn a character that attends, decides and acts (CHAMELEON) from the play of teachers
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A life is a sequence of stimuli and actions; neither what the teacher attended to nor what it decided is ever seen, and
both are learned (Tencé 2011, chapter 3). Attention is learned too, unless told to stay as the model's author wrote it.
Values of stimuli learn from their neighbours (--pooling 0 for none, and --virtual-counts instead).

How sharply to attend cannot be seen in play. With --practise the pupil plays trial matches against native bots on the map of
the (first) recording, with several powers of attention for eyes and legs, and keeps those with which it moves most like
its teacher: see `repertoire signature`.

The result plays: give it to `repertoire tournament --contender NAME=FILE.json`. It can go on learning (--start), from
other teachers too. With --live the character is learned life by life while the teacher plays.

Examples:
  repertoire record --contender native:5 --contender native:3 --map halls --seconds 900 -o play.parquet
  repertoire learn chameleon --from play.parquet --player native:5 --decisions 10 -o pupil.json
  repertoire learn chameleon --from play.parquet --player native:5 --practise -o pupil.json
  repertoire learn chameleon --from play.parquet --player native:5 --delay auto --keep-aside 0.1 -o pupil.json
  repertoire learn chameleon --from play.parquet --choose-decisions 2..12 -o pupil.json
  repertoire learn chameleon --from more.parquet --start pupil.json -o pupil.json
  repertoire learn chameleon --live native:5 --seconds 600 -o like5.json
  repertoire chameleon show pupil.json
  repertoire tournament --contender pupil=pupil.json --contender native:5 --contender native:3")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// Stimuli and actions: a model's name or TOML file [default: arena]
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "start")]
    model: Option<String>,
    /// How many hidden decisions [default: what the model says]
    #[arg(long, conflicts_with_all = ["start", "choose_decisions"], value_parser = clap::value_parser!(u16).range(1..=256))]
    decisions: Option<u16>,
    /// Choose the number of decisions by lives kept aside: a range such as 2..12, or a list such as 4,8,12
    #[arg(long, value_name = "A..B", conflicts_with = "start")]
    choose_decisions: Option<String>,
    /// Whether attention is learned, or stays as the model's author wrote it
    #[arg(long, value_enum, default_value_t = AttentionArg::Learned)]
    attention: AttentionArg,
    /// How many ticks late the teacher is taken to perceive; auto finds it, as a distribution
    #[arg(long, default_value = "0", value_name = "TICKS|auto")]
    delay: String,
    /// With --delay auto: the longest delay that is tried, in ticks
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    longest_delay: u16,
    /// Go on from a learned character
    #[arg(long, value_name = "FILE.json")]
    start: Option<PathBuf>,
    /// Keep this share of the lives aside and judge by them; they are not learned from
    #[arg(long, value_name = "SHARE")]
    keep_aside: Option<f64>,
    /// Random starts, the likeliest of which is kept
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    starts: u16,
    /// Re-estimations at most
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: u32,
    /// Stop once a re-estimation gains less than this, in nats a tick
    #[arg(long, default_value_t = 1e-4, value_name = "NATS")]
    least_gain: f64,
    /// As many ticks' worth a value learns from its neighbours; 0 for none
    #[arg(long, default_value_t = 5.0, value_name = "TICKS")]
    pooling: f64,
    /// Without pooling: virtual counts on each value of an action
    #[arg(long, default_value_t = 0.5, value_name = "COUNT")]
    virtual_counts: f64,
    /// Explain each of so many parts of the play by what was learned from the others; 0 for none
    #[arg(long, default_value_t = 0, value_name = "PARTS")]
    cross_fit: usize,
    /// Then let it play where the teacher played, and attend as sharply as makes it move most like the teacher
    #[arg(long)]
    practise: bool,
    /// Where to write the character; - for standard output
    #[arg(short, long, value_name = "FILE.json")]
    output: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AttentionArg {
    Fixed,
    Learned,
}

/// Lives of fewer ticks show nothing.
const SHORTEST_LIFE: usize = 5;

/// Everything that is told at the end.
struct Told {
    taught_by: Vec<String>,
    lives: usize,
    ticks: usize,
    secs: f64,
    learned_from: f64,
    kept_aside: Option<(usize, f64)>,
    delays: Option<Vec<f64>>,
    judged: Vec<(usize, f64, f64)>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for from in &args.teachers.from {
        output::refuse_overwriting(&args.output, from, "a recording to learn from")?;
    }
    check(args)?;
    if args.practise {
        // Said before anything is learned.
        args.teachers.level()?;
    }
    let start = args.start.as_deref().map(load::learned_character).transpose()?;
    let model = match &start {
        Some(start) => start.model.clone(),
        None => {
            let model = load::model(args.model.as_deref().unwrap_or("arena"))?;
            let decisions = args.decisions.map_or(model.decisions(), usize::from);
            model.with_decisions(decisions).map_err(|error| anyhow!("--decisions {decisions}: {error}"))?
        }
    };
    let joined = Joined::new(&model)
        .map_err(|error| anyhow!("nothing in the play tells about the model `{}`: {error}", model.name()))?;
    let joined = Arc::new(joined);
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} ticks seen, {elapsed} gone{msg}")?);
    let delays = delays(args, start.as_ref())?;
    let (found, taken) = clock::time(|| {
        if args.teachers.live.is_some() {
            live::live(args, &model, start.as_ref(), &joined, delays[0], &bar)
        } else {
            recorded(args, &model, start.as_ref(), &joined, &delays, &bar)
        }
    });
    let (mut learned, mut told) = found?;
    told.secs = taken.as_secs_f64();
    if start.is_none() {
        learned.sharpness = joined.sharpness();
    }
    if args.practise {
        learned.sharpness = practise::sharpness(args, &learned, &bar)?;
    }
    bar.finish_and_clear();
    output::file(&args.output, &load::learned_character_to_text(&learned)?)?;
    tell(args, &learned, &told)
}

fn check(args: &Args) -> Result<()> {
    if let Some(share) = args.keep_aside
        && !(share > 0.0 && share < 1.0)
    {
        bail!(
            "--keep-aside {share}: nothing or all would be learned from\n  remedy: a number between 0 and 1"
        );
    }
    for (name, value) in [
        ("--pooling", args.pooling),
        ("--virtual-counts", args.virtual_counts),
        ("--least-gain", args.least_gain),
    ] {
        if !(0.0..=1e6).contains(&value) {
            bail!("{name} {value} means nothing\n  remedy: a number from 0 to 1000000");
        }
    }
    if args.teachers.live.is_some()
        && (args.choose_decisions.is_some() || args.delay == "auto" || args.keep_aside.is_some())
    {
        bail!(
            "--live learns while the teacher plays: nothing can be tried again\n  remedy: record the play, and leave --choose-decisions, --delay auto and --keep-aside to learning --from it"
        );
    }
    Ok(())
}

fn settings(args: &Args) -> Settings {
    Settings {
        iterations: args.iterations as usize,
        least_gain: args.least_gain,
        virtual_counts: args.virtual_counts,
        attention: match args.attention {
            AttentionArg::Fixed => Attention::Fixed,
            AttentionArg::Learned => Attention::LEARNED,
        },
        starts: args.starts.into(),
        seed: args.teachers.seed,
        pooling: (args.pooling > 0.0).then(|| Pooling { weight: args.pooling, ..Pooling::default() }),
        folds: args.cross_fit,
    }
}

/// The delays that sequences are made for.
fn delays(args: &Args, start: Option<&Learned>) -> Result<Vec<usize>> {
    if args.delay == "auto" {
        return Ok((0..=usize::from(args.longest_delay)).collect());
    }
    let delay: usize = args.delay.parse().ok().filter(|&delay| delay <= 100).ok_or_else(|| {
        anyhow!("--delay {}: that is no reaction time\n  remedy: ticks from 0 to 100, or auto", args.delay)
    })?;
    // Who goes on keeps its reaction time, unless told another.
    let kept = start.map(|start| repertoire_prob::draw::arg_max(&start.delay.ticks));
    Ok(vec![kept.filter(|_| delay == 0).unwrap_or(delay)])
}

/// Watches with several delays at once.
pub(crate) struct Watchers(pub Vec<Watcher>);

impl Watch for Watchers {
    fn begin(&mut self) {
        self.0.iter_mut().for_each(Watcher::end_life);
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        self.0.iter_mut().for_each(|watcher| watcher.see(seen.percept, seen.command, places));
    }
}

fn recorded(
    args: &Args,
    model: &Model,
    start: Option<&Learned>,
    joined: &Arc<Joined>,
    delays: &[usize],
    bar: &ProgressBar,
) -> Result<(Learned, Told)> {
    let mut watchers =
        Watchers(delays.iter().map(|&delay| Watcher::new(Arc::clone(joined), delay)).collect());
    let taught_by = args.teachers.show(&mut watchers, bar)?;
    // Who goes on keeps its body: its numbers are in those terms.
    let body = start.map_or_else(|| watchers.0[0].body().body(), |start| start.body.clone());
    let all: Vec<Vec<Sequence>> =
        watchers.0.into_iter().map(|watcher| watcher.finish(SHORTEST_LIFE, &body)).collect();
    if all[0].is_empty() {
        bail!(
            "there was nothing to learn: nobody lived for {SHORTEST_LIFE} ticks\n  remedy: name a player that lives in the recording"
        );
    }
    let (from, aside) = split(all, args.keep_aside)?;
    let settings = settings(args);
    let mut told = Told {
        taught_by,
        lives: from[0].len(),
        ticks: from[0].iter().map(Sequence::len).sum(),
        secs: 0.0,
        learned_from: 0.0,
        kept_aside: None,
        delays: None,
        judged: Vec::new(),
    };
    let model = match &args.choose_decisions {
        Some(written) => choose_decisions(written, model, &from[0], &settings, bar, &mut told)?,
        None => model.clone(),
    };
    let learning = |error| anyhow!("what was played cannot be learned: {error}");
    let mut learned = match start {
        Some(start) => start.go_on(&from[0], &settings, &progress(&settings, bar)).map_err(learning)?,
        None if from.len() > 1 => {
            // A curve needs no more than a rough character for each delay; the mixture then goes all the way.
            let rough = Settings { starts: 1, iterations: settings.iterations.min(40), ..settings.clone() };
            let found = reaction(&model, &from, &rough, &|delay, mean| {
                bar.set_message(format!(", a delay of {delay} ticks: {mean:.4} nats a tick"));
                bar.tick();
            });
            let found = found.map_err(learning)?;
            told.delays = Some(found.curve);
            found.learned
        }
        None => learn(&model, &from[0], &settings, &progress(&settings, bar)).map_err(learning)?,
    };
    if start.is_none() && from.len() == 1 {
        learned.delay = Delay::of(delays[0]);
    }
    learned.body = body;
    let likeliest = if from.len() > 1 { repertoire_prob::draw::arg_max(&learned.delay.ticks) } else { 0 };
    told.learned_from = mean_log_likelihood(&learned, &from[likeliest]);
    learned.steadiness = joined
        .steadiness(&learned, &from[likeliest])
        .map_err(|error| anyhow!("what was learned cannot be explained again: {error}"))?;
    if !aside[likeliest].is_empty() {
        told.kept_aside = Some((aside[likeliest].len(), mean_log_likelihood(&learned, &aside[likeliest])));
    }
    Ok((learned, told))
}

/// Lives, for each delay.
type ByDelay = Vec<Vec<Sequence>>;

/// Lives to learn from and lives kept aside: the latter evenly spread.
fn split(all: ByDelay, share: Option<f64>) -> Result<(ByDelay, ByDelay)> {
    let Some(share) = share else {
        let none = vec![Vec::new(); all.len()];
        return Ok((all, none));
    };
    let lives = all[0].len();
    let aside = |life: usize| ((life + 1) as f64 * share).floor() > (life as f64 * share).floor();
    let kept = (0..lives).filter(|&life| aside(life)).count();
    if kept == 0 || kept == lives {
        bail!(
            "--keep-aside {share} of {lives} lives leaves nothing on one side\n  remedy: more play, or another share"
        );
    }
    let part = |wanted: bool| -> ByDelay {
        let of = |lives: &Vec<Sequence>| {
            lives
                .iter()
                .enumerate()
                .filter(|(life, _)| aside(*life) == wanted)
                .map(|(_, one)| one.clone())
                .collect()
        };
        all.iter().map(of).collect()
    };
    Ok((part(false), part(true)))
}

fn choose_decisions(
    written: &str,
    model: &Model,
    sequences: &[Sequence],
    settings: &Settings,
    bar: &ProgressBar,
    told: &mut Told,
) -> Result<Model> {
    let wrong = || {
        anyhow!(
            "--choose-decisions {written}: these are no numbers of decisions\n  remedy: a range such as 2..12, or a list such as 4,8,12, from 1 to 256"
        )
    };
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| (1..=256).contains(number));
    let candidates: Vec<usize> = match written.split_once("..") {
        Some((least, most)) => {
            let (least, most) = (number(least).with_context(wrong)?, number(most).with_context(wrong)?);
            (least..=most).collect()
        }
        None => written.split(',').map(|one| number(one).with_context(wrong)).collect::<Result<_>>()?,
    };
    if candidates.is_empty() {
        return Err(wrong());
    }
    for &decisions in &candidates {
        model.with_decisions(decisions).map_err(|error| {
            anyhow!("--choose-decisions {written}: {decisions} decisions: {error}\n  remedy: fewer")
        })?;
    }
    if sequences.len() < 2 {
        bail!("one life alone cannot be judged by others\n  remedy: more play, or --decisions");
    }
    let keep = sequences.len().min(5);
    let judged = judge(model, sequences, &candidates, keep, settings, &|one: &Judged| {
        bar.set_message(format!(
            ", {} decisions: {:.4} nats a tick on lives kept aside",
            one.decisions, one.kept_aside
        ));
        bar.tick();
    });
    let judged = judged.map_err(|error| anyhow!("what was played cannot be learned: {error}"))?;
    told.judged = judged.iter().map(|one| (one.decisions, one.learned_from, one.kept_aside)).collect();
    let best = judged.iter().max_by(|a, b| a.kept_aside.total_cmp(&b.kept_aside)).with_context(wrong)?;
    Ok(best.learned.model.clone())
}

/// Shows the best start's likelihood as it rises.
fn progress<'a>(settings: &Settings, bar: &'a ProgressBar) -> impl Fn(Progress) + Sync + 'a {
    let most = settings.iterations;
    let best = AtomicU64::new(f64::NEG_INFINITY.to_bits());
    move |at: Progress| {
        // Only what is shown depends on which thread comes first.
        let before = f64::from_bits(best.load(Ordering::Relaxed));
        if at.log_likelihood > before {
            best.store(at.log_likelihood.to_bits(), Ordering::Relaxed);
        }
        bar.set_message(format!(
            ", start {}, iteration {} of at most {most}, log-likelihood {:.1}",
            at.start + 1,
            at.iteration,
            at.log_likelihood.max(before)
        ));
        bar.tick();
    }
}

fn tell(args: &Args, learned: &Learned, told: &Told) -> Result<()> {
    let delay: Vec<f64> = learned.delay.ticks.clone();
    if args.json {
        return output::json(&json!({
            "file": args.output.display().to_string(),
            "model": learned.model.name(),
            "decisions": learned.model.decisions(),
            "attention": if args.attention == AttentionArg::Fixed { "fixed" } else { "learned" },
            "players": told.taught_by,
            "lives": told.lives,
            "ticks": told.ticks,
            "lives_in_all": learned.lives,
            "log_likelihood": learned.curve,
            "nats_a_tick": told.learned_from,
            "kept_aside": told.kept_aside.map(|(lives, nats)| json!({ "lives": lives, "nats_a_tick": nats })),
            "delay": delay,
            "sharpness": learned.sharpness,
            "steadiness": learned.steadiness,
            "body": learned.body,
            "delay_curve": told.delays,
            "decisions_tried": told.judged.iter().map(|(decisions, from, aside)| {
                json!({ "decisions": decisions, "nats_a_tick": from, "kept_aside_nats_a_tick": aside })
            }).collect::<Vec<_>>(),
            "seconds": told.secs,
        }));
    }
    let mut text = format!(
        "{}: {} decisions learned from {} lives of {}, {} ticks, in {:.1} s\n",
        learned.model.name(),
        learned.model.decisions(),
        told.lives,
        told.taught_by.join(", "),
        told.ticks,
        told.secs
    );
    if learned.lives as usize > told.lives {
        text += &format!("went on from {} lives\n", learned.lives as usize - told.lives);
    }
    text += &format!("{:.4} nats a tick", told.learned_from);
    if let Some((lives, nats)) = told.kept_aside {
        text += &format!("; {nats:.4} on {lives} lives kept aside");
    }
    text += "\n";
    let sharp = &learned.sharpness;
    let groups = learned.model.groups().iter().zip(&sharp.groups);
    let groups: String = groups.map(|(group, power)| format!(" ({group} {power})")).collect();
    text += &format!(
        "plays with attention, decisions and actions to the power of {}{groups}, {} and {}\n",
        sharp.attention, sharp.decision, sharp.action,
    );
    let named = |number: &f64, action: &Action| format!("{} {number:.1}", action.name);
    let actions = learned.model.external();
    if learned.steadiness != Steadiness::default() {
        let held =
            learned.steadiness.external.iter().zip(actions).map(|(ticks, action)| named(ticks, action));
        let held = held.collect::<Vec<_>>().join(", ");
        text += &format!("holds attention for {:.1} ticks, {held}\n", learned.steadiness.attention);
    }
    let reach = learned.body.reach.iter().zip(actions);
    let reach: Vec<String> = reach.filter_map(|(most, action)| Some(named(most.as_ref()?, action))).collect();
    if !reach.is_empty() {
        let legs = if learned.body.by_keys { ", and runs in the eight directions of keys" } else { "" };
        text += &format!("its body goes at most so many degrees at a time: {}{legs}\n", reach.join(", "));
    }
    if !told.judged.is_empty() {
        text += "\nnats a tick against the number of decisions\n";
        let head = ["decisions", "learned from", "kept aside"].map(str::to_owned).to_vec();
        let row = |(decisions, from, aside): &(usize, f64, f64)| {
            vec![decisions.to_string(), format!("{from:.4}"), format!("{aside:.4}")]
        };
        let lines: Vec<Vec<String>> = [head].into_iter().chain(told.judged.iter().map(row)).collect();
        text += &draw::columns(&lines);
    }
    if let Some(curve) = &told.delays {
        text += "\nnats a tick against the reaction time, and the share of lives with it\n";
        let head = ["ticks", "nats a tick", "share"].map(str::to_owned).to_vec();
        let row = |(ticks, mean): (usize, &f64)| {
            let share = delay.get(ticks).copied().unwrap_or(0.0);
            vec![ticks.to_string(), format!("{mean:.4}"), format!("{:.1} %", share * 100.0)]
        };
        let lines: Vec<Vec<String>> = [head].into_iter().chain(curve.iter().enumerate().map(row)).collect();
        text += &draw::columns(&lines);
    }
    let what = if args.teachers.live.is_some() {
        "nats a tick of each life before it was learned from"
    } else {
        "log-likelihood, after iteration"
    };
    text += &format!("\n{what}\n");
    let step = learned.curve.len().div_ceil(12).max(1);
    let last = learned.curve.len().saturating_sub(1);
    for (iteration, value) in learned.curve.iter().enumerate().filter(|(k, _)| k % step == 0 || *k == last) {
        text += &format!("  {iteration:>6}  {value:>12.3}\n");
    }
    text += &format!(
        "\n`repertoire chameleon show {0}` shows what it learned; written to {0}\n",
        args.output.display()
    );
    if args.output == Path::new("-") {
        // The character itself is on standard output.
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::text(&text)
}
