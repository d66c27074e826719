//! `repertoire plan figures`: the paper's three figures, measured here.
//!
//! Prévost et al. 2022, figures 1 to 3: growth with the number of values, with the number of variables, and with the
//! number of characters. What the paper claims and we do not reproduce is in `docs/results.md`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use repertoire_plan::baselines::paper::Paper;
use repertoire_plan::baselines::pus::Pus;
use repertoire_plan::domain::{self, Domain};
use repertoire_plan::generators::{Generated, multi_prv_2_cycle, multi_prv_n_cycle, one_prv_5};
use repertoire_plan::population::{PlanSlot, Town, plan_each};
use repertoire_plan::{PackedTask, Planner};
use repertoire_prob::Stream;
use repertoire_prob::num::significant;
use serde_json::{Value, json};

use crate::draw::lines::{Line, chart};
use crate::{clock, draw, output};

/// Measure and draw the paper's figures 1 to 3
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Figure 1: time against the number of values (MultiPrv_n_Cycle).
Figure 2: time against the number of variables (OnePrv_5 and MultiPrv_2_Cycle).
Figure 3: time against the number of characters (Western).
Exponents are slopes on logarithmic axes over the upper half of each curve.")]
pub struct Args {
    /// Where to write figure1.svg to figure3.svg
    #[arg(long, value_name = "FOLDER", default_value = "figures")]
    out: PathBuf,

    /// Small sizes only, in a second
    #[arg(long)]
    quick: bool,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A figure: its title, axes, and curves.
struct Figure {
    name: &'static str,
    title: &'static str,
    x: &'static str,
    y: &'static str,
    lines: Vec<Line>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let bar = ProgressBar::new(3)
        .with_style(ProgressStyle::with_template("{bar:30} figure {pos} of 3, {elapsed}")?);
    let mut figures = Vec::new();
    for make in [figure1, figure2, figure3] {
        figures.push(make(args.quick));
        bar.inc(1);
    }
    bar.finish_and_clear();
    std::fs::create_dir_all(&args.out).with_context(|| {
        format!("{} could not be made\n  remedy: name another folder with --out", args.out.display())
    })?;
    for figure in &figures {
        let path = args.out.join(format!("{}.svg", figure.name));
        output::file(&path, &chart(figure.title, figure.x, figure.y, &figure.lines))?;
    }
    if args.json {
        return output::json(&figures.iter().map(to_json).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for figure in &figures {
        text += &format!("{}\n{}\n", figure.title, table(figure));
    }
    output::text(&(text + &format!("pictures: {}\n", args.out.display())))
}

/// The three planners on one instance, and the least time each has taken so far.
struct Measured {
    size: usize,
    generated: Generated,
    total: Vec<u16>,
    planner: Planner,
    pus: Option<Pus>,
    paper: Option<Paper>,
    ns: [f64; 3],
}

impl Measured {
    fn new(size: usize, generated: Generated) -> Self {
        let Generated { task, init, goal } = &generated;
        Measured {
            size,
            total: goal.iter().zip(init).map(|(goal, &init)| goal.unwrap_or(init)).collect(),
            planner: Planner::new(task.clone()),
            pus: Pus::new(task),
            paper: Paper::new(task),
            generated,
            ns: [f64::INFINITY; 3],
        }
    }

    fn once_more(&mut self) {
        let Generated { init, goal, .. } = &self.generated;
        let mut plan = Vec::new();
        let ours = clock::ns_of(1, || drop(std::hint::black_box(self.planner.solve(init, goal, None))));
        let backstrom = clock::ns_of(1, || {
            std::hint::black_box(self.pus.as_mut().map(|pus| pus.solve(init, &self.total, &mut plan)));
        });
        let printed = clock::ns_of(1, || {
            std::hint::black_box(self.paper.as_mut().map(|paper| paper.solve(init, &self.total, &mut plan)));
        });
        self.ns.iter_mut().zip([ours, backstrom, printed]).for_each(|(least, ns)| *least = least.min(ns));
    }
}

/// Curves of the three planners over a family. All sizes in turns, again and again: what else the machine does for a
/// while would otherwise bend a curve.
fn family(name: &str, sizes: &[usize], rounds: usize, make: impl Fn(usize) -> Generated) -> Vec<Line> {
    let mut all: Vec<Measured> = sizes.iter().map(|&size| Measured::new(size, make(size))).collect();
    for _ in 0..rounds {
        all.iter_mut().for_each(Measured::once_more);
    }
    let labels = ["ours", "Bäckström's PUS", "the paper's P"];
    let line = |which: usize| Line {
        label: format!("{} {name}", labels[which]).trim().to_owned(),
        points: all.iter().map(|one| (one.size as f64, one.ns[which] / 1000.0)).collect(),
    };
    (0..3).map(line).collect()
}

fn figure1(quick: bool) -> Figure {
    let sizes: &[usize] = if quick { &[4, 8, 16] } else { &[8, 16, 32, 64, 128, 256, 512, 1024] };
    let lines = family("", sizes, if quick { 1 } else { 9 }, |n| multi_prv_n_cycle(20, n as u16));
    Figure {
        name: "figure1",
        title: "Figure 1: MultiPrv_n_Cycle, 20 variables",
        x: "values of a variable (n)",
        y: "microseconds a plan",
        lines,
    }
}

fn figure2(quick: bool) -> Figure {
    let one: &[usize] = if quick { &[16, 32, 64] } else { &[125, 250, 500, 1000, 2000, 4000] };
    let multi: &[usize] = if quick { &[8, 16] } else { &[50, 100, 200, 400, 800] };
    let rounds = if quick { 1 } else { 9 };
    let mut lines = family("OnePrv_5", one, rounds, one_prv_5);
    lines.extend(family("MultiPrv_2", multi, rounds, multi_prv_2_cycle));
    Figure {
        name: "figure2",
        title: "Figure 2: OnePrv_5 (linear orders) and MultiPrv_2_Cycle (quadratic)",
        x: "variables (m)",
        y: "microseconds a plan",
        lines,
    }
}

fn figure3(quick: bool) -> Figure {
    let most = if quick { 1_000 } else { 1_000_000 };
    let sizes: Vec<usize> =
        std::iter::successors(Some(most / 100), |&n| (n < most).then_some(n * 10)).collect();
    let rounds = if quick { 1 } else { 5 };
    let mut lines = Vec::new();
    if let (Some(western), Some(single)) =
        (domain::domain("western"), domain::domain("western-single-valued"))
    {
        lines.push(scratch("ours, from scratch", &western, &sizes, rounds));
        lines.push(tables("ours, shared plans (tables)", &western, &sizes, rounds));
        lines.push(pus_town("PUS, single-valued town", &single, &sizes, rounds));
    }
    Figure {
        name: "figure3",
        title: "Figure 3: a town of characters (Western)",
        x: "characters",
        y: "milliseconds",
        lines,
    }
}

/// Random characters of a domain, packed: a state, and the goal of one of its classes.
fn population(domain: &Domain, packed: &PackedTask, count: usize) -> (Vec<u64>, Vec<u64>) {
    let mut rng = Stream::new(3, 0, "population");
    let mut below = |n: usize| (rng.unit() * n as f64) as usize;
    let (mut init, mut goal) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut state = vec![0u16; domain.variables.len()];
    for _ in 0..count {
        state
            .iter_mut()
            .zip(domain.task.sizes())
            .for_each(|(value, &size)| *value = below(size as usize) as u16);
        init.push(
            packed.pack(&state).unwrap_or_else(|error| unreachable!("values below each size: {error}")),
        );
        let class = &domain.classes[below(domain.classes.len())];
        let wanted = &class.goals[below(class.goals.len())];
        wanted.facts.iter().for_each(|&(var, value)| state[var as usize] = value);
        goal.push(packed.pack(&state).unwrap_or_else(|error| unreachable!("a goal of the domain: {error}")));
    }
    (init, goal)
}

fn scratch(label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Line {
    let mut points = Vec::new();
    if let Some(packed) = PackedTask::new(&domain.task) {
        let planner = Planner::new(domain.task.clone());
        for &size in sizes {
            let (init, goal) = population(domain, &packed, size);
            let mut out = vec![PlanSlot::default(); size];
            let ns = clock::ns_of(rounds, || {
                if let Err(error) = plan_each(&packed, &planner, &init, &goal, &mut out) {
                    unreachable!("packed states of one population: {error}");
                }
            });
            points.push((size as f64, ns / 1e6));
        }
    }
    Line { label: label.into(), points }
}

fn tables(label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Line {
    let mut points = Vec::new();
    if let Ok(empty) = Town::new(domain) {
        for &size in sizes {
            let mut town = empty.clone();
            let mut rng = Stream::new(4, 0, "town");
            town.settle(size, &mut || rng.unit());
            let ns = clock::ns_of(rounds, || town.plan_all());
            points.push((size as f64, ns / 1e6));
        }
    }
    Line { label: label.into(), points }
}

fn pus_town(label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Line {
    let mut points = Vec::new();
    if let (Some(packed), Some(mut pus)) = (PackedTask::new(&domain.task), Pus::new(&domain.task)) {
        let (mut from, mut to) = (vec![0; domain.variables.len()], vec![0; domain.variables.len()]);
        let mut plan = Vec::new();
        for &size in sizes {
            let (init, goal) = population(domain, &packed, size);
            let ns = clock::ns_of(rounds.min(2), || {
                for (&init, &goal) in init.iter().zip(&goal) {
                    packed.unpack(init, &mut from);
                    packed.unpack(goal, &mut to);
                    std::hint::black_box(pus.solve(&from, &to, &mut plan));
                }
            });
            points.push((size as f64, ns / 1e6));
        }
    }
    Line { label: label.into(), points }
}

fn table(figure: &Figure) -> String {
    let mut rows = vec![vec![figure.x.to_owned(), "exponent".to_owned()]];
    let most = figure.lines.iter().max_by_key(|line| line.points.len());
    for (x, _) in most.map_or(&[][..], |line| &line.points[..]) {
        rows[0].push(significant(*x, 4));
    }
    for line in &figure.lines {
        let mut row = vec![line.label.clone(), format!("{:.2}", line.exponent())];
        // Families of other sizes have their own columns: size and time.
        let same =
            most.is_some_and(|most| most.points.iter().map(|p| p.0).eq(line.points.iter().map(|p| p.0)));
        row.extend(line.points.iter().map(|(x, y)| {
            let y = significant(*y, 3);
            if same { y } else { format!("{}: {y}", significant(*x, 4)) }
        }));
        rows.push(row);
    }
    format!("({})\n{}", figure.y, draw::columns(&rows))
}

fn to_json(figure: &Figure) -> Value {
    let lines = figure
        .lines
        .iter()
        .map(|line| json!({ "label": line.label, "exponent": line.exponent(), "points": line.points }));
    json!({ "figure": figure.name, "title": figure.title, "x": figure.x, "y": figure.y, "lines": lines.collect::<Vec<_>>() })
}
