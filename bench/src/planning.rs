//! Planning for a town, against what one would use instead, in the same run.
//!
//! A million distinct Western instances of 3 to 10 actions, each a whole state of 29 variables and a goal of one class,
//! planned from scratch on one core; then the same town by shared plans on all cores, against a pass that only writes.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use repertoire_plan::baselines::bfs::PackedBfs;
use repertoire_plan::baselines::paper::Paper;
use repertoire_plan::baselines::pus::Pus;
use repertoire_plan::domain::{self, Domain};
use repertoire_plan::population::{Distinct, PlanSlot, Town, plan_distinct, plan_each};
use repertoire_plan::{Outcome, Packed, PackedTask, Planner};
use repertoire_prob::Stream;

use crate::Line;
#[cfg(feature = "dogoap")]
use crate::goap::Goap;
use crate::timing::{Slices, median, ns_per};

/// Instances timed at once: too many for a branch predictor to learn by heart, few enough for milliseconds.
const SLICE: usize = 50_000;

/// Distinct instances of 3 to 10 actions.
struct Instances {
    domain: Domain,
    packed: PackedTask,
    init: Vec<u64>,
    goal: Vec<u64>,
    #[cfg_attr(not(feature = "dogoap"), allow(dead_code, reason = "dogoap plans for one class at a time"))]
    class: Vec<usize>,
}

impl Instances {
    fn new(count: usize) -> Result<Self> {
        Instances::of("western", count)
    }

    fn of(name: &str, count: usize) -> Result<Self> {
        let domain = domain::domain(name).context("shipped")?;
        let packed = PackedTask::new(&domain.task).context("it is packed")?;
        let mut rng = Stream::new(7, 0, "instances");
        let mut below = |n: usize| (rng.unit() * n as f64) as usize;
        let mut state = vec![0u16; domain.variables.len()];
        let mut all: Vec<(u64, u64, usize)> = Vec::new();
        let mut plan = [0; 64];
        // Every round draws what is missing and drops what is there twice.
        while all.len() < count {
            for _ in all.len()..count + count / 20 {
                state
                    .iter_mut()
                    .zip(domain.task.sizes())
                    .for_each(|(value, &size)| *value = below(size as usize) as u16);
                let init = packed.pack(&state)?;
                let class = below(domain.classes.len());
                let goals = &domain.classes[class].goals;
                goals[below(goals.len())].facts.iter().for_each(|&(var, value)| state[var as usize] = value);
                let goal = packed.pack(&state)?;
                if matches!(packed.solve(init, goal, &mut plan), Packed::Plan(3..=10)) {
                    all.push((init, goal, class));
                }
            }
            all.sort_unstable();
            all.dedup();
        }
        // Sorted instances would be kinder to caches and branch predictors than a game is.
        for at in (1..all.len()).rev() {
            all.swap(at, below(at + 1));
        }
        all.truncate(count);
        let init = all.iter().map(|instance| instance.0).collect();
        let goal = all.iter().map(|instance| instance.1).collect();
        let class = all.iter().map(|instance| instance.2).collect();
        Ok(Instances { domain, packed, init, goal, class })
    }
}

fn line(scenario: &str, ours: &'static str, ours_ns: f64, other: &str, other_ns: f64) -> Line {
    Line { scenario: scenario.into(), ours, ours_ns, other: other.into(), other_ns, allocations: None }
}

/// An instance as lists: where it starts, where it ends, and the same as a goal.
type Listed = (Vec<u16>, Vec<u16>, Vec<Option<u16>>);

impl Instances {
    /// The first few as lists, which is how planners are asked that do not plan in words.
    fn listed(&self, count: usize) -> Vec<Listed> {
        let vars = self.domain.variables.len();
        let list = |(&init, &goal): (&u64, &u64)| {
            let (mut from, mut to) = (vec![0; vars], vec![0; vars]);
            self.packed.unpack(init, &mut from);
            self.packed.unpack(goal, &mut to);
            let wanted = to.iter().copied().map(Some).collect();
            (from, to, wanted)
        };
        self.init.iter().zip(&self.goal).take(count).map(list).collect()
    }
}

/// All planning benchmarks.
pub fn all(quick: bool) -> Result<Vec<Line>> {
    let mut lines = from_scratch(quick)?;
    lines.extend(same_call(quick)?);
    lines.extend(town(quick)?);
    Ok(lines)
}

/// Who can be counted on the single-valued Western, each asked with lists and answering into a list that is reused.
pub const COUNTED_ALIKE: [&str; 3] = ["plan planner", "plan pus", "plan paper"];

/// The planner behind every door against PUS and the printed P, all called the same way.
fn same_call(quick: bool) -> Result<Vec<Line>> {
    let count = if quick { 50 } else { 20_000 };
    let rounds = if quick { 1 } else { 7 };
    // There are not so many distinct ones of 3 to 10 actions; a branch predictor meets each once per round.
    let instances = Instances::of("western-single-valued", count)?;
    let listed = instances.listed(count);
    let task = &instances.domain.task;
    let mut planner = Planner::new(task.clone());
    let mut pus = Pus::new(task).context("single-valued")?;
    let mut paper = Paper::new(task).context("post-unique")?;
    let mut plan = Vec::new();
    let [mut ours, mut theirs, mut printed] = [(); 3].map(|()| Slices::new(count, SLICE / 10));
    for _ in 0..rounds {
        ours.time(count, |range| {
            let mut plans = 0;
            for (from, _, wanted) in &listed[range] {
                plans += u32::from(planner.solve_into(from, wanted, None, &mut plan).is_ok());
            }
            f64::from(plans)
        });
        theirs.time(count, |range| {
            listed[range].iter().map(|(from, to, _)| f64::from(pus.solve(from, to, &mut plan))).sum()
        });
        printed.time(count, |range| {
            listed[range].iter().map(|(from, to, _)| f64::from(paper.solve(from, to, &mut plan))).sum()
        });
    }
    let [ours, theirs, printed] = [ours, theirs, printed].map(|slices| slices.mean());
    let name = "single-valued, same call";
    Ok(vec![
        line(name, "planner", ours, "Bäckström's PUS", theirs),
        line(name, "planner", ours, "the paper's P", printed),
    ])
}

/// What the process does when its instructions are counted: plans `rounds` thousands of instances.
pub fn be_counted(who: &str, rounds: usize) -> Result<()> {
    if COUNTED_ALIKE.contains(&who) {
        let instances = Instances::of("western-single-valued", 1_000)?;
        let listed = instances.listed(1_000);
        let task = &instances.domain.task;
        let mut planner = Planner::new(task.clone());
        let mut pus = Pus::new(task).context("single-valued")?;
        let mut paper = Paper::new(task).context("post-unique")?;
        let mut plan = Vec::new();
        for _ in 0..rounds {
            for (from, to, wanted) in &listed {
                match who {
                    "plan planner" => {
                        drop(std::hint::black_box(planner.solve_into(from, wanted, None, &mut plan)));
                    }
                    "plan pus" => drop(std::hint::black_box(pus.solve(from, to, &mut plan))),
                    _ => drop(std::hint::black_box(paper.solve(from, to, &mut plan))),
                }
            }
        }
        return Ok(());
    }
    let instances = Instances::new(1_000)?;
    let (mut plan, mut long) = ([0; 64], Vec::new());
    let mut bfs = PackedBfs::new(&instances.domain.task).context("packed")?;
    for _ in 0..rounds {
        for (&init, &goal) in instances.init.iter().zip(&instances.goal) {
            match who {
                "plan ours" => drop(std::hint::black_box(instances.packed.solve(init, goal, &mut plan))),
                _ => drop(std::hint::black_box(bfs.solve(init, u64::MAX, goal, &mut long))),
            }
        }
    }
    Ok(())
}

fn from_scratch(quick: bool) -> Result<Vec<Line>> {
    let count = if quick { 2_000 } else { 1_000_000 };
    let rounds = if quick { 1 } else { 7 };
    let instances = Instances::new(count)?;
    let Instances { domain, packed, init, goal, .. } = &instances;
    let pairs = || init.iter().zip(goal);
    let (mut plan, mut long) = ([0; 64], Vec::new());
    let mut bfs = PackedBfs::new(&domain.task).context("western is packed")?;
    let [mut ours, mut searched] = [(); 2].map(|()| Slices::new(count, SLICE));
    for _ in 0..rounds {
        ours.time(count, |range| {
            let pairs = init[range.clone()].iter().zip(&goal[range]);
            let undecided = |(&init, &goal)| packed.solve(init, goal, &mut plan) == Packed::Undecided;
            f64::from(pairs.map(undecided).fold(false, |any, one| any | one))
        });
        searched.time(count, |range| {
            let pairs = init[range.clone()].iter().zip(&goal[range]);
            pairs.map(|(&init, &goal)| f64::from(bfs.solve(init, u64::MAX, goal, &mut long))).sum()
        });
    }
    // Both must find plans of the same length, or the times mean nothing.
    for (&init, &goal) in pairs().take(20_000) {
        let found = bfs.solve(init, u64::MAX, goal, &mut long);
        if !found || packed.solve(init, goal, &mut plan) != Packed::Plan(long.len()) {
            bail!("{init:b} to {goal:b}: {found} {long:?} against {plan:?}");
        }
    }
    let few = count.min(if quick { 50 } else { 20_000 });
    let mut paper = Paper::new(&domain.task).context("western is post-unique")?;
    let vars = domain.variables.len();
    let mut unpacked: Vec<(Vec<u16>, Vec<u16>)> = Vec::new();
    for (&init, &goal) in pairs().take(few) {
        let (mut from, mut to) = (vec![0; vars], vec![0; vars]);
        packed.unpack(init, &mut from);
        packed.unpack(goal, &mut to);
        unpacked.push((from, to));
    }
    let mut planner = Planner::new(domain.task.clone());
    let wanted: Vec<Vec<Option<u16>>> =
        unpacked.iter().map(|(_, to)| to.iter().copied().map(Some).collect()).collect();
    #[cfg(feature = "dogoap")]
    let (goaps, hard, mut goap) = {
        let make = |class: &repertoire_plan::domain::Class| {
            Goap::new(&domain.task, &class.variables, &class.actions)
        };
        let hard = few.min(if quick { 10 } else { 2_000 });
        (domain.classes.iter().map(make).collect::<Vec<Goap>>(), hard, Slices::new(hard, 100))
    };
    let [mut printed, mut general] = [(); 2].map(|()| Slices::new(few, SLICE / 10));
    for _ in 0..rounds {
        printed.time(few, |range| {
            unpacked[range].iter().map(|(from, to)| f64::from(paper.solve(from, to, &mut long))).sum()
        });
        general.time(few, |range| {
            let mut plans = 0;
            for ((from, _), to) in unpacked[range.clone()].iter().zip(&wanted[range]) {
                plans += u32::from(matches!(planner.solve(from, to, None), Ok(Outcome::Plan { .. })));
            }
            f64::from(plans)
        });
        #[cfg(feature = "dogoap")]
        goap.time(hard, |range| {
            let solve = |at: usize| {
                goaps[instances.class[at]].solve(&unpacked[at].0, &wanted[at]).unwrap_or(0) as f64
            };
            range.map(solve).sum()
        });
    }
    let [ours, searched, printed, general] = [ours, searched, printed, general].map(|slices| slices.mean());
    let name = if quick { "western, a few plans" } else { "western, 1M plans" };
    Ok(vec![
        line(name, "packed", ours, "breadth-first, packed", searched),
        #[cfg(feature = "dogoap")]
        line(name, "packed", ours, "dogoap, one class", goap.mean()),
        line(name, "packed", ours, "the paper's P", printed),
        line(name, "packed", ours, "ours, any size of task", general),
    ])
}

fn town(quick: bool) -> Result<Vec<Line>> {
    let count = if quick { 5_000 } else { 1_000_000 };
    let rounds = if quick { 1 } else { 201 };
    let domain = domain::domain("western").context("shipped")?;
    let mut rng = Stream::new(8, 0, "town");
    let mut lines = Vec::new();
    // A town that fits the caches, and one that does not.
    for (name, size) in [("town, shared plans", count), ("town of 20M, shared plans", count * 20)] {
        let mut town = Town::new(&domain)?;
        town.settle(size, &mut || rng.unit());
        let (tables, write) =
            tables_and_writing(&mut town, size, if size == count { rounds } else { rounds.min(21) });
        lines.push(line(name, "tables", tables, "only writing handles", write));
    }
    let mut town = Town::new(&domain)?;
    town.settle(count, &mut || rng.unit());
    let (tables, write) = (lines[0].ours_ns, lines[0].other_ns);
    let mut next = vec![0u8; count];
    let followed = ns_per(count, rounds, || {
        town.plan_all();
        first_actions(&town, &mut next);
        f64::from(next[0])
    });
    lines.push(line("town, next actions", "tables, and read", followed, "only writing handles", write));
    // A frame in which one in a hundred changed, including the telling. Every other frame puts them back, so that they
    // change again.
    let [mut there, mut back] = [Vec::new(), Vec::new()];
    for _ in 0..count / 100 {
        let class = (rng.unit() * domain.classes.len() as f64) as usize;
        let character = (rng.unit() * town.handles(class).len() as f64) as u32;
        let (goals, bits) = town.shape(class);
        let mut key = || {
            let keys = std::iter::repeat_with(|| (rng.unit() * (goals << bits) as f64) as u64);
            keys.take(1_000).find(|&key| town.is_key(class, key)).unwrap_or(0)
        };
        there.push((class, character, key()));
        back.push((class, character, key()));
    }
    let changed = ns_per(count, rounds, || {
        std::mem::swap(&mut there, &mut back);
        for &(class, character, key) in &there {
            town.set(class, character, key);
        }
        f64::from(town.handles(0)[0])
    });
    let packed = PackedTask::new(&domain.task).context("western is packed")?;
    let planner = Planner::new(domain.task.clone());
    let instances = Instances::new(count)?;
    let mut slots = vec![PlanSlot::default(); count];
    let each = ns_per(count, rounds.min(7), || {
        let planned = plan_each(&packed, &planner, &instances.init, &instances.goal, &mut slots);
        f64::from(planned.is_ok() && slots[0].plan().is_some())
    });
    let (mut distinct, mut numbers) = (Distinct::default(), vec![0; count]);
    // A town where every tenth instance is new.
    let tenth = |column: &[u64]| (0..count).map(|at| column[at % (count / 10).max(1)]).collect::<Vec<u64>>();
    let (init, goal) = (tenth(&instances.init), tenth(&instances.goal));
    let shared = ns_per(count, rounds.min(7), || {
        let planned = plan_distinct(&packed, &planner, &init, &goal, &mut distinct, &mut numbers);
        f64::from(numbers[0]) + f64::from(planned.is_err())
    });
    lines.extend([
        line("town, 1 % changed", "changed only", changed, "tables, everybody", tables),
        line("town, 1 % changed", "changed only", changed, "from scratch, everybody", each),
        line("town, tenfold repeats", "identical once", shared, "from scratch, everybody", each),
    ]);
    Ok(lines)
}

/// What everybody does next: handles are only worth what it costs to follow them.
fn first_actions(town: &Town, out: &mut [u8]) {
    let mut rest = out;
    let mut columns = Vec::new();
    for class in 0..town.classes() {
        let (column, others) = rest.split_at_mut(town.handles(class).len());
        columns.push((town.handles(class), column));
        rest = others;
    }
    columns.into_par_iter().for_each(|(handles, out)| {
        handles.par_chunks(65_536).zip(out.par_chunks_mut(65_536)).for_each(|(handles, out)| {
            for (&handle, out) in handles.iter().zip(out) {
                *out = town.first_action(handle).unwrap_or(u8::MAX);
            }
        });
    });
}

/// Nanoseconds a character: finding every plan, and the memory limit, which is writing one handle for each: into columns
/// of the same lengths, cut into the same pieces.
///
/// In turns, and the median of each, so that both meet the same weather.
fn tables_and_writing(town: &mut Town, count: usize, rounds: usize) -> (f64, f64) {
    let classes = 0..town.classes();
    let mut columns: Vec<Vec<u32>> = classes.map(|class| vec![0; town.handles(class).len()]).collect();
    let (mut tables, mut write) = (Vec::new(), Vec::new());
    for frame in 0..rounds as u32 {
        write.push(ns_per(count, 1, || {
            let columns = columns.par_iter_mut();
            columns.for_each(|column| column.par_chunks_mut(65_536).for_each(|chunk| chunk.fill(frame)));
            f64::from(frame)
        }));
        tables.push(ns_per(count, 1, || {
            town.plan_all();
            f64::from(town.handles(0)[0])
        }));
    }
    std::hint::black_box(&columns);
    (median(tables), median(write))
}
