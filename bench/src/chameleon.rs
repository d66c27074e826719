//! How fast a character is learned: the thesis's 23 seconds with table 4.1 and ten decisions, against the same EM in NumPy; and how
//! it grows with ticks, stimuli and decisions.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use repertoire_chameleon::learn::{EmSettings, from_params};
use repertoire_chameleon::play::NONE;
use repertoire_chameleon::population::Population;
use repertoire_chameleon::synthetic::{World, play, teacher};
use repertoire_chameleon::{Attention, Layout, Learned, Params, Sequence};
use repertoire_prob::Stream;
use serde_json::{Value, json};

use crate::Line;
use crate::belief::Growth;
use crate::peers::Scratch;
use crate::timing::{Marks, ns_per};

/// Table 4.1.
const HIGH: [usize; 6] = [3, 4, 14, 4, 2, 70];
const LOW: [usize; 5] = [405, 45, 45, 72, 5];
const REFLEXIVE: [usize; 1] = [12];
const EXTERNAL: [usize; 6] = [3, 3, 3, 5, 3, 3];
/// The mean length of a sequence in the thesis, at its 10 Hz.
const TICKS: usize = 230;
/// What a character is usually learned from: 1,800 s at 10 Hz.
const HALF_AN_HOUR: usize = 18_000;
const DECISIONS: usize = 10;
/// What its learning took on one core of a Xeon E5630 (section 4.4.1.2).
const THESIS_SECS: f64 = 88.0;

fn table_4_1() -> Result<Layout> {
    Ok(Layout::plain(DECISIONS, &HIGH, &LOW, &REFLEXIVE, &EXTERNAL)?)
}

/// A life of a random teacher, and random numbers to start from.
fn problem(layout: &Layout, ticks: usize) -> (Sequence, Params) {
    let mut stream = Stream::new(1, 0, "chameleon bench");
    let truth = teacher(layout, &mut stream);
    let world = World { ticks, ..World::default() };
    (play(layout, &truth, world, &mut stream), Params::random(layout, &mut stream))
}

fn settings(iterations: usize) -> EmSettings {
    let attention = Attention::LEARNED;
    EmSettings { iterations, least_gain: 0.0, virtual_counts: 0.0, attention, ..EmSettings::default() }
}

/// Nanoseconds of the fastest iteration, of all those of several rounds: what else the machine does only ever adds to a time.
fn iteration_ns(
    layout: &Layout,
    sequence: &Sequence,
    start: &Params,
    iterations: usize,
    rounds: usize,
) -> Result<f64> {
    let lives = std::slice::from_ref(sequence);
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let marks = Marks::new();
        from_params(layout, start.clone(), lives, &settings(iterations), &|_| marks.mark())?;
        least = least.min(marks.least_ns());
    }
    Ok(least)
}

/// The thesis's experiment: until an iteration gains less than a thousandth of a nat a tick.
pub fn against_the_thesis(quick: bool) -> Result<Vec<Line>> {
    let layout = table_4_1()?;
    let (sequence, start) = problem(&layout, if quick { 30 } else { TICKS });
    let until = EmSettings { least_gain: 1e-3, ..settings(200) };
    let lives = std::slice::from_ref(&sequence);
    let rounds = if quick { 1 } else { 5 };
    let whole = |_| {
        ns_per(1, 1, || {
            let run = from_params(&layout, start.clone(), lives, &until, &|_| {});
            run.map_or(f64::NAN, |run| run.log_likelihood.len() as f64)
        })
    };
    let ours_ns = (0..rounds).map(whole).fold(f64::INFINITY, f64::min);
    let iterations = from_params(&layout, start.clone(), lives, &until, &|_| {})?.log_likelihood.len() - 1;
    Ok(vec![Line {
        scenario: "chameleon, 23 s".to_owned(),
        ours: "learning",
        ours_ns,
        other: format!("88 s of the thesis ({iterations} it.)"),
        other_ns: THESIS_SECS * 1e9,
        allocations: None,
    }])
}

/// The same EM in NumPy, on the same numbers: a life of the thesis's length, and half an hour of play.
pub fn numpy(quick: bool) -> Result<Vec<Line>> {
    if quick {
        return numpy_on(30, 3, 1, 1);
    }
    let mut lines = numpy_on(TICKS, 30, 5, 40)?;
    lines.extend(numpy_on(HALF_AN_HOUR, 3, 3, 20)?);
    Ok(lines)
}

fn numpy_on(ticks: usize, iterations: usize, repeat: usize, rounds: usize) -> Result<Vec<Line>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let python = here.join(".venv/bin/python");
    if !python.exists() {
        bail!("the peers have no environment yet\n  remedy: cargo xtask setup");
    }
    let layout = table_4_1()?;
    let (sequence, start) = problem(&layout, ticks);
    let asked = as_json(&layout, &sequence, &start, iterations, repeat);
    let file = Scratch::new(&asked.to_string())?;
    let output = Command::new(&python)
        .arg(here.join("chameleon_peer.py"))
        .arg(&file.0)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} could not be run", python.display()))?;
    if !output.status.success() {
        bail!("the NumPy peer failed: its message is above");
    }
    let answered: Value =
        serde_json::from_slice(&output.stdout).context("the NumPy peer did not answer in JSON")?;
    let lives = std::slice::from_ref(&sequence);
    let ours = from_params(&layout, start.clone(), lives, &settings(iterations), &|_| {})?;
    for name in ["log_likelihood", "plain_log_likelihood"] {
        let theirs = answered[name].as_array().context(name)?;
        for (ours, theirs) in ours.log_likelihood.iter().zip(theirs) {
            let theirs = theirs.as_f64().context("a number")?;
            if (ours - theirs).abs() > 1e-6 * theirs.abs() {
                bail!("we say {ours}, NumPy {theirs}: the times mean nothing");
            }
        }
    }
    let version = answered["version"].as_str().unwrap_or_default();
    let time = || iteration_ns(&layout, &sequence, &start, iterations, rounds);
    let one_ns = rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(time)?;
    let all_ns = time()?;
    let line = |ours: &'static str, ours_ns: f64, how: &str, name: &str| -> Result<Line> {
        Ok(Line {
            scenario: format!("iteration, {} ticks", sequence.len()),
            ours,
            ours_ns,
            other: format!("NumPy {version}, {how}"),
            other_ns: answered[name].as_f64().context("nanoseconds")?,
            allocations: None,
        })
    };
    Ok(vec![
        line("one thread", one_ns, "plain", "plain_ns")?,
        line("one thread", one_ns, "vectorised", "vectorised_ns")?,
        line("all cores", all_ns, "vectorised", "vectorised_ns")?,
    ])
}

fn as_json(layout: &Layout, sequence: &Sequence, params: &Params, iterations: usize, repeat: usize) -> Value {
    let d = layout.decisions();
    let high = |i: usize, h: usize| layout.high_row(i, h);
    let low = |j: usize, l: usize| layout.low_row(j, l);
    let rows = |counts: &[usize], of: &dyn Fn(usize, usize) -> Value| -> Value {
        let stimulus = |(s, &count): (usize, &usize)| (0..count).map(|v| of(s, v)).collect::<Vec<_>>();
        json!(counts.iter().enumerate().map(stimulus).collect::<Vec<_>>())
    };
    let lam: Vec<Vec<Vec<f64>>> = (LOW.iter().enumerate())
        .map(|(j, &count)| {
            (0..d).map(|k| (0..count).map(|l| params.weights[0][low(j, l) * d + k]).collect()).collect()
        })
        .collect();
    let tables = json!({
        "theta": rows(&HIGH, &|i, h| json!(params.theta[high(i, h)])),
        "lam": lam,
        "m1": rows(&HIGH, &|i, h| json!(params.first[high(i, h) * d..][..d])),
        "m": rows(&HIGH, &|i, h| json!(params.next[high(i, h) * d * d..][..d * d].chunks(d).collect::<Vec<_>>())),
        "n": (0..REFLEXIVE.len()).map(|u| rows(&HIGH, &|i, h| {
            json!((0..d).map(|k| params.reflexive(layout, u, high(i, h), k)).collect::<Vec<_>>())
        })).collect::<Vec<_>>(),
        "o": (0..EXTERNAL.len()).map(|f| rows(&LOW, &|j, l| {
            json!((0..d).map(|k| params.external(layout, f, low(j, l), k)).collect::<Vec<_>>())
        })).collect::<Vec<_>>(),
    });
    let ticks = 0..sequence.len();
    let column = |of: &dyn Fn(usize) -> Vec<u16>| ticks.clone().map(of).collect::<Vec<_>>();
    json!({
        "cards": { "H": HIGH, "L": LOW, "R": REFLEXIVE, "E": EXTERNAL, "D": d },
        "params": tables,
        "sequences": [{
            "H": column(&|t| sequence.high(t).to_vec()),
            "L": column(&|t| (0..LOW.len()).map(|j| sequence.low(t, j).unwrap_or(0)).collect()),
            "K": column(&|t| (0..LOW.len()).map(|j| u16::from(sequence.low(t, j).is_some())).collect()),
            "R": column(&|t| sequence.reflexive(t).to_vec()),
            "E": column(&|t| (0..EXTERNAL.len()).map(|f| sequence.external(t, f, 0)).collect()),
        }],
        "iterations": iterations,
        "attention": { "gamma": [2, 1] },
        "repeat": repeat,
    })
}

/// Nanoseconds an iteration against ticks, stimuli and decisions.
pub fn growth(quick: bool) -> Result<Vec<Growth>> {
    let (iterations, rounds) = if quick { (2, 1) } else { (10, 5) };
    let time = |layout: &Layout, ticks: usize| {
        let (sequence, start) = problem(layout, ticks);
        iteration_ns(layout, &sequence, &start, iterations, rounds)
    };
    let sizes: &[usize] = if quick { &[1, 2] } else { &[1, 2, 4, 8, 16] };
    let layout = table_4_1()?;
    let ticks: Result<_> =
        sizes.iter().map(|&k| Ok(((k * TICKS) as f64, time(&layout, k * TICKS)?))).collect();
    // Stimuli alike, so that only their number changes.
    let many = |k: usize| Layout::plain(DECISIONS, &vec![4; 4 * k], &vec![20; 4 * k], &REFLEXIVE, &EXTERNAL);
    let stimuli =
        sizes.iter().map(|&k| Ok(((8 * k) as f64, time(&many(k)?, 4 * TICKS)?))).collect::<Result<_>>()?;
    let decisions = sizes
        .iter()
        .map(|&k| {
            let layout = table_4_1()?.with_decisions(4 * k)?;
            Ok(((4 * k) as f64, time(&layout, 4 * TICKS)?))
        })
        .collect::<Result<_>>()?;
    Ok(vec![
        Growth::new("an iteration of learning, by ticks", ticks?),
        Growth::new("an iteration of learning, by stimuli", stimuli),
        Growth::new("an iteration of learning, by decisions", decisions),
    ])
}

/// A tick of a population, for one agent.
pub fn population(quick: bool) -> Result<Vec<Growth>> {
    let model = repertoire_chameleon::model::shipped("thesis").context("the thesis's model is shipped")?;
    let mut stream = Stream::new(1, 0, "chameleon population");
    let params = teacher(model.layout(), &mut stream);
    let learned = Learned::from_params(model, params)?;
    let shape = learned.model.layout().shape().clone();
    let points = [1_000, 10_000, 100_000].map(|agents: usize| {
        let agents = if quick { agents / 100 } else { agents };
        let mut population = Population::new(&learned, agents);
        let mut stream = Stream::new(2, 0, "chameleon population");
        let mut draw = |count: usize| (stream.unit() * count as f64) as u16;
        let high: Vec<u16> = (0..agents).flat_map(|_| shape.high.clone()).map(&mut draw).collect();
        let low: Vec<u16> = (0..agents)
            .flat_map(|_| shape.slots.clone())
            .map(|kind| if draw(3) == 0 { NONE } else { draw(shape.low[kind]) })
            .collect();
        let mut tick = 0;
        let ns = ns_per(agents, if quick { 1 } else { 9 }, || {
            population.step(&learned, &high, &low, 1, tick);
            tick += 1;
            f64::from(population.decisions()[0])
        });
        (agents as f64, ns)
    });
    Ok(vec![Growth::new("a tick of one of a population of thesis characters", points.to_vec())])
}
