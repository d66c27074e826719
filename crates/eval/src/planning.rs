//! The figures of Prévost et al. 2022 measured here: how planning grows with values, variables and characters.
//!
//! | figure | against                      | family                                     |
//! |--------|------------------------------|--------------------------------------------|
//! | 1      | the number of values         | MultiPrv_n_Cycle                           |
//! | 2      | the number of variables      | OnePrv_5, MultiPrv_2_Cycle                 |
//! | 3      | the number of characters     | the Western towns, one core and all cores  |
//! | memory | variables, values            | the families of figures 1 and 2            |
//!
//! Times are measured with a clock that the caller lends, and nothing depends on them. What the paper claims and we do not
//! reproduce is in `docs/results.md`.

use std::hint::black_box;

use rayon::prelude::*;
use repertoire_plan::baselines::paper::Paper;
use repertoire_plan::baselines::pus::Pus;
use repertoire_plan::domain::{self, Domain};
use repertoire_plan::generators::{Generated, multi_prv_2_cycle, multi_prv_n_cycle, one_prv_5};
use repertoire_plan::population::{PlanSlot, Town, plan_each};
use repertoire_plan::{PackedTask, Planner};
use repertoire_prob::Stream;

use crate::tournament::Clock;

/// A figure: its title, axes, and curves.
#[derive(Clone, Debug)]
pub struct PlanFigure {
    /// `figure1` to `figure3`, `memory-m` and `memory-n`.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What is on the horizontal axis.
    pub x: &'static str,
    /// What is on the vertical axis.
    pub y: &'static str,
    /// A curve for each planner: its name, and its points.
    pub curves: Vec<Curve>,
}

/// How much is measured, and with which clock (in nanoseconds).
#[derive(Clone, Copy, Debug)]
pub struct PlanFigures {
    /// The clock.
    pub clock: Clock,
    /// Small sizes only, once each: a second in all instead of minutes.
    pub quick: bool,
}

impl PlanFigures {
    /// How many figures there are.
    pub const COUNT: usize = 5;

    /// Measures all figures; `done` is called after each.
    pub fn measure(&self, done: &mut dyn FnMut()) -> Vec<PlanFigure> {
        let all: [fn(&Self) -> PlanFigure; PlanFigures::COUNT] = [
            PlanFigures::figure1,
            PlanFigures::figure2,
            PlanFigures::figure3,
            PlanFigures::memory_by_variables,
            PlanFigures::memory_by_values,
        ];
        let measure = |figure: fn(&Self) -> PlanFigure| {
            let figure = figure(self);
            done();
            figure
        };
        all.map(measure).into()
    }

    /// Nanoseconds of one call: the least of several rounds, each long enough to be measured.
    fn ns_of(&self, rounds: usize, mut work: impl FnMut()) -> f64 {
        let mut time = |times: u64| {
            let start = (self.clock)();
            (0..times).for_each(|_| work());
            (self.clock)().saturating_sub(start)
        };
        time(1);
        let once = time(1);
        let times = (2_000_000 / (once + 1)).clamp(1, 10_000);
        (0..rounds).map(|_| time(times) as f64 / times as f64).fold(f64::INFINITY, f64::min)
    }

    /// Curves of the three planners over a family. All sizes in turns, again and again: what else the machine does for a
    /// while would otherwise bend a curve.
    fn family(
        &self,
        name: &str,
        sizes: &[usize],
        rounds: usize,
        make: impl Fn(usize) -> Generated,
    ) -> Vec<Curve> {
        let mut all: Vec<Measured> = sizes.iter().map(|&size| Measured::new(size, make(size))).collect();
        for _ in 0..rounds {
            all.iter_mut().for_each(|one| one.once_more(self));
        }
        let labels = ["ours", "Bäckström's PUS", "the paper's P"];
        let curve = |which: usize| {
            let points = all.iter().map(|one| (one.size as f64, one.ns[which] / 1000.0));
            (format!("{} {name}", labels[which]).trim().to_owned(), points.collect())
        };
        (0..3).map(curve).collect()
    }

    fn figure1(&self) -> PlanFigure {
        let sizes: &[usize] = if self.quick { &[4, 8, 16] } else { &[8, 16, 32, 64, 128, 256, 512, 1024] };
        let curves =
            self.family("", sizes, if self.quick { 1 } else { 9 }, |n| multi_prv_n_cycle(20, n as u16));
        PlanFigure {
            name: "figure1",
            title: "Figure 1: MultiPrv_n_Cycle, 20 variables",
            x: "values of a variable (n)",
            y: "microseconds a plan",
            curves,
        }
    }

    fn figure2(&self) -> PlanFigure {
        let one: &[usize] = if self.quick { &[16, 32, 64] } else { &[125, 250, 500, 1000, 2000, 4000] };
        let multi: &[usize] = if self.quick { &[8, 16] } else { &[50, 100, 200, 400, 800] };
        let rounds = if self.quick { 1 } else { 9 };
        let mut curves = self.family("OnePrv_5", one, rounds, one_prv_5);
        curves.extend(self.family("MultiPrv_2", multi, rounds, multi_prv_2_cycle));
        PlanFigure {
            name: "figure2",
            title: "Figure 2: OnePrv_5 (linear orders) and MultiPrv_2_Cycle (quadratic)",
            x: "variables (m)",
            y: "microseconds a plan",
            curves,
        }
    }

    fn figure3(&self) -> PlanFigure {
        let most = if self.quick { 1_000 } else { 1_000_000 };
        let sizes: Vec<usize> =
            std::iter::successors(Some(most / 100), |&n| (n < most).then_some(n * 10)).collect();
        let rounds = if self.quick { 1 } else { 5 };
        let mut curves = Vec::new();
        if let (Some(western), Some(single)) =
            (domain::domain("western"), domain::domain("western-single-valued"))
        {
            for (cores, threads) in [("1 core", 1), ("all cores", 0)] {
                // Without threads of one's own, those that are there.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let mut measure = || {
                    // PUS cannot plan for the first town, whose conditions are not single-valued.
                    let names = |town: &str, who: &str| format!("{who}, {town}, {cores}");
                    for (town, domain) in [("Western", &western), ("single-valued", &single)] {
                        curves.push(self.scratch(&names(town, "ours"), domain, &sizes, rounds));
                        curves.push(self.paper_town(&names(town, "P"), domain, &sizes, rounds));
                    }
                    curves.push(self.pus_town(&names("single-valued", "PUS"), &single, &sizes, rounds));
                    curves.push(self.tables(&names("Western", "ours shared"), &western, &sizes, rounds));
                };
                match pool {
                    Ok(pool) => pool.install(&mut measure),
                    Err(_) => measure(),
                }
            }
        }
        PlanFigure {
            name: "figure3",
            title: "Figure 3: towns of characters (Western, and its single-valued restriction)",
            x: "characters",
            y: "milliseconds",
            curves,
        }
    }

    /// What the planners hold in memory after a plan. Theorem 3: at most O(m² n).
    fn memory(name: &str, sizes: &[usize], make: impl Fn(usize) -> Generated) -> Vec<Curve> {
        let mut curves = ["ours", "Bäckström's PUS", "the paper's P"]
            .map(|who| (format!("{who} {name}").trim().to_owned(), Vec::new()));
        for &size in sizes {
            let Measured { generated, total, mut planner, mut pus, mut paper, .. } =
                Measured::new(size, make(size));
            let mut plan = Vec::new();
            drop(black_box(planner.solve(&generated.init, &generated.goal, None)));
            pus.as_mut().map(|pus| pus.solve(&generated.init, &total, &mut plan));
            paper.as_mut().map(|paper| paper.solve(&generated.init, &total, &mut plan));
            let bytes =
                [planner.bytes(), pus.as_ref().map_or(0, Pus::bytes), paper.as_ref().map_or(0, Paper::bytes)];
            for ((_, points), bytes) in curves.iter_mut().zip(bytes) {
                points.push((size as f64, bytes as f64 / 1000.0));
            }
        }
        curves.into()
    }

    fn memory_by_variables(&self) -> PlanFigure {
        let sizes: &[usize] = if self.quick { &[70, 140, 280] } else { &[70, 140, 280, 560, 1120] };
        let mut curves = PlanFigures::memory("OnePrv_5", sizes, one_prv_5);
        curves.extend(PlanFigures::memory("MultiPrv_2", sizes, multi_prv_2_cycle));
        PlanFigure {
            name: "memory-m",
            title: "Theorem 3: memory by variables (at most m² n)",
            x: "variables (m)",
            y: "kilobytes",
            curves,
        }
    }

    fn memory_by_values(&self) -> PlanFigure {
        let sizes: &[usize] = if self.quick { &[16, 32, 64] } else { &[16, 32, 64, 128, 256, 512] };
        PlanFigure {
            name: "memory-n",
            title: "Theorem 3: memory by values, 20 variables (MultiPrv_n_Cycle)",
            x: "values of a variable (n)",
            y: "kilobytes",
            curves: PlanFigures::memory("", sizes, |n| multi_prv_n_cycle(20, n as u16)),
        }
    }

    fn scratch(&self, label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Curve {
        let mut points = Vec::new();
        if let Some(packed) = PackedTask::new(&domain.task) {
            let planner = Planner::new(domain.task.clone());
            for &size in sizes {
                let (init, goal) = population(domain, &packed, size);
                let mut out = vec![PlanSlot::default(); size];
                let ns = self.ns_of(rounds, || {
                    if let Err(error) = plan_each(&packed, &planner, &init, &goal, &mut out) {
                        unreachable!("packed states of one population: {error}");
                    }
                });
                points.push((size as f64, ns / 1e6));
            }
        }
        (label.to_owned(), points)
    }

    fn tables(&self, label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Curve {
        let mut points = Vec::new();
        if let Ok(empty) = Town::new(domain) {
            for &size in sizes {
                let mut town = empty.clone();
                let mut rng = Stream::new(4, 0, "town");
                town.settle(size, &mut || rng.unit());
                let ns = self.ns_of(rounds, || town.plan_all());
                points.push((size as f64, ns / 1e6));
            }
        }
        (label.to_owned(), points)
    }

    fn pus_town(&self, label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Curve {
        let make = || Pus::new(&domain.task);
        self.one_by_one(label, domain, sizes, rounds, make, |pus, from, to, plan| {
            pus.as_mut().is_some_and(|pus| pus.solve(from, to, plan))
        })
    }

    fn paper_town(&self, label: &str, domain: &Domain, sizes: &[usize], rounds: usize) -> Curve {
        let make = || Paper::new(&domain.task);
        self.one_by_one(label, domain, sizes, rounds, make, |paper, from, to, plan| {
            paper.as_mut().is_some_and(|paper| paper.solve(from, to, plan))
        })
    }

    /// A town whose characters are planned for one after the other, in chunks on the threads that are there; each chunk has a
    /// planner of its own, made before.
    fn one_by_one<P: Send>(
        &self,
        label: &str,
        domain: &Domain,
        sizes: &[usize],
        rounds: usize,
        make: impl Fn() -> P,
        solve: impl Fn(&mut P, &[u16], &[u16], &mut Vec<u32>) -> bool + Sync,
    ) -> Curve {
        let mut points = Vec::new();
        let Some(packed) = PackedTask::new(&domain.task) else { return (label.to_owned(), points) };
        let width = domain.variables.len();
        for &size in sizes {
            let (init, goal) = population(domain, &packed, size);
            let chunk = size.div_ceil(rayon::current_num_threads() * 4).max(1);
            let mut planners: Vec<P> = init.chunks(chunk).map(|_| make()).collect();
            let ns = self.ns_of(rounds.min(2), || {
                let chunks = init.par_chunks(chunk).zip(goal.par_chunks(chunk)).zip(&mut planners);
                chunks.for_each(|((init, goal), planner)| {
                    let (mut from, mut to, mut plan) = (vec![0; width], vec![0; width], Vec::new());
                    for (&init, &goal) in init.iter().zip(goal) {
                        packed.unpack(init, &mut from);
                        packed.unpack(goal, &mut to);
                        black_box(solve(planner, &from, &to, &mut plan));
                    }
                });
            });
            points.push((size as f64, ns / 1e6));
        }
        (label.to_owned(), points)
    }
}

/// A curve's name and points.
pub type Curve = (String, Vec<(f64, f64)>);

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

    fn once_more(&mut self, figures: &PlanFigures) {
        let Generated { init, goal, .. } = &self.generated;
        let mut plan = Vec::new();
        let ours = figures.ns_of(1, || drop(black_box(self.planner.solve(init, goal, None))));
        let backstrom = figures.ns_of(1, || {
            black_box(self.pus.as_mut().map(|pus| pus.solve(init, &self.total, &mut plan)));
        });
        let printed = figures.ns_of(1, || {
            black_box(self.paper.as_mut().map(|paper| paper.solve(init, &self.total, &mut plan)));
        });
        self.ns.iter_mut().zip([ours, backstrom, printed]).for_each(|(least, ns)| *least = least.min(ns));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_figures_have_all_curves() {
        fn clock() -> u64 {
            static NOW: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            NOW.fetch_add(1_000_000, std::sync::atomic::Ordering::Relaxed)
        }
        let mut done = 0;
        let figures = PlanFigures { clock, quick: true }.measure(&mut || done += 1);
        assert_eq!(done, PlanFigures::COUNT);
        let curves: Vec<usize> = figures.iter().map(|figure| figure.curves.len()).collect();
        assert_eq!(curves, [3, 6, 12, 6, 3]);
        assert!(figures.iter().flat_map(|figure| &figure.curves).all(|(_, points)| points.len() >= 2));
    }

    /// The exponent between the first and the last point of a curve.
    fn growth((_, points): &Curve) -> f64 {
        let ((x0, y0), (x1, y1)) = (points[0], points[points.len() - 1]);
        repertoire_prob::num::ln(y1 / y0) / repertoire_prob::num::ln(x1 / x0)
    }

    #[test]
    fn memory_keeps_the_bound_of_theorem_3() {
        fn clock() -> u64 {
            0
        }
        let figures = PlanFigures { clock, quick: true };
        // m² n: at most quadratic in m and linear in n; ours is linear in m too where conditions are few.
        let by_variables = figures.memory_by_variables();
        for curve in &by_variables.curves {
            assert!(growth(curve) < 2.1, "{curve:?}");
        }
        assert!(growth(&by_variables.curves[0]) < 1.1, "{:?}", by_variables.curves[0]);
        for curve in &figures.memory_by_values().curves {
            assert!(growth(curve) < 1.1, "{curve:?}");
        }
    }
}
