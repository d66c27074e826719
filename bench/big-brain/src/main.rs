//! Individual characters against the crate `big-brain`, in one run.
//!
//! `cargo run --release --manifest-path bench/big-brain/Cargo.toml`
//!
//! Both choose for ten thousand characters among as many actions, from needs that change between decisions. Ours holds
//! the and/or trees, the alternatives and what each motivation said; `big-brain` holds a scorer and an action entity for
//! each. Ours is timed on one core and on all; Bevy schedules its systems on all, and the ratio is all against all.

#[path = "../../src/characters.rs"]
mod characters;
#[path = "../../src/minds.rs"]
mod minds;

use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::prelude::*;
use big_brain::choices::Choice;
use big_brain::pickers::Picker;
use big_brain::prelude::*;
use characters::{Town, exponent, least_ns};
use repertoire_bayes::sequence::population::{Draws, Population};
use repertoire_bayes::sequence::shipped;
use repertoire_prob::Stream;

/// What a character's scores come from.
#[derive(Component)]
struct Needs(Vec<f32>);

#[derive(Clone, Component, Debug, ScorerBuilder)]
struct Need(usize);

#[derive(Clone, Component, Debug, ActionBuilder)]
struct Work;

#[derive(Resource, Default)]
struct Tick(usize);

/// How many are at work: so that nothing is measured that does nothing.
#[derive(Resource, Default)]
struct AtWork(usize);

/// Decisions that were really made: after 10 ms in a frame `big-brain` leaves the other thinkers to the next frame.
static PICKS: AtomicUsize = AtomicUsize::new(0);

/// The picker of the highest score, counting.
#[derive(Clone, Debug)]
struct Counted;

impl Picker for Counted {
    fn pick<'a>(&self, choices: &'a [Choice], scores: &Query<&Score>) -> Option<&'a Choice> {
        PICKS.fetch_add(1, Ordering::Relaxed);
        Highest.pick(choices, scores)
    }
}

fn change(mut tick: ResMut<Tick>, mut all: Query<&mut Needs>) {
    tick.0 += 1;
    for (number, mut needs) in all.iter_mut().enumerate() {
        let at = (number + tick.0) % needs.0.len();
        needs.0[at] = ((number * 7 + tick.0 * 13) % 20) as f32;
    }
}

fn score(needs: Query<&Needs>, mut scorers: Query<(&Actor, &mut Score, &Need)>) {
    for (Actor(actor), mut score, need) in &mut scorers {
        if let Ok(needs) = needs.get(*actor) {
            // The same sigmoid, between 0 and 1 as big-brain wants it.
            score.set(1.0 / (1.0 + ((needs.0[need.0] - 10.0) / 2.0).exp()));
        }
    }
}

fn work(mut actions: Query<&mut ActionState, With<Work>>, mut at_work: ResMut<AtWork>) {
    at_work.0 = 0;
    for mut state in &mut actions {
        match *state {
            ActionState::Requested => *state = ActionState::Executing,
            ActionState::Cancelled => *state = ActionState::Failure,
            ActionState::Executing => at_work.0 += 1,
            _ => {}
        }
    }
}

fn app(count: usize, actions: usize) -> App {
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default())
        .add_plugins(BigBrainPlugin::new(PreUpdate))
        .init_resource::<Tick>()
        .init_resource::<AtWork>()
        .add_systems(First, change)
        .add_systems(PreUpdate, (score.in_set(BigBrainSet::Scorers), work.in_set(BigBrainSet::Actions)));
    for _ in 0..count {
        let mut thinker = Thinker::build().picker(Counted);
        for action in 0..actions {
            thinker = thinker.when(Need(action), Work);
        }
        app.world_mut().spawn((Needs(vec![0.0; actions]), thinker));
    }
    app
}

/// Bytes of this process that are in memory.
fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// Runs frames until so many decisions were made; returns how many there were.
fn frames(app: &mut App, decisions: usize) -> usize {
    let before = PICKS.load(Ordering::Relaxed);
    loop {
        app.update();
        let picked = PICKS.load(Ordering::Relaxed) - before;
        if picked >= decisions {
            return picked;
        }
    }
}

struct Row {
    count: usize,
    nodes: usize,
    actions: usize,
    ours_ns: f64,
    other_ns: f64,
}

fn row(count: usize, goals: usize, rounds: usize, fresh: bool) -> Row {
    // Only in a fresh process is all that is taken new; later rows take up what earlier ones left.
    let bytes = |number: usize| if fresh { number.to_string() } else { "-".to_owned() };
    let before = resident_bytes();
    let mut town = Town::new(count, goals);
    town.decide_all();
    let ours_bytes = resident_bytes().saturating_sub(before) / count;
    let (nodes, actions, counted) = town.sizes();
    let before = resident_bytes();
    let mut app = app(count, actions);
    // Scorers and actions are spawned in the first frames; then every thinker decides a few times.
    frames(&mut app, 5 * count);
    let other_bytes = resident_bytes().saturating_sub(before) / count;
    let (mut ours_ns, mut all_ns, mut other_ns) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    // In turns, so that both meet the same weather; the time of a decision is that of the frames it took.
    for _ in 0..rounds {
        ours_ns = ours_ns.min(least_ns(count, 1, || assert_eq!(town.decide_all(), count)));
        all_ns = all_ns.min(least_ns(count, 1, || assert_eq!(town.decide_all_on_all_cores(), count)));
        let mut picked = 0;
        let ns = least_ns(1, 1, || picked = frames(&mut app, count));
        other_ns = other_ns.min(ns / picked as f64);
    }
    assert!(app.world().resource::<AtWork>().0 > 0, "thinkers act");
    println!(
        "{count:>10} {nodes:>6} {actions:>8} {ours_ns:>10.0} {all_ns:>10.0} {:>12.0} {:>9} {counted:>9} {other_ns:>12.0} {:>12.0} {:>9} {:>7.1}x",
        1e9 / all_ns,
        bytes(ours_bytes),
        1e9 / other_ns,
        bytes(other_bytes),
        other_ns / all_ns
    );
    Row { count, nodes, actions, ours_ns, other_ns }
}

/// Six tasks: a population of the prudent behaviour, in one core, against thinkers with a scorer and an action for each.
fn sequencing(count: usize, rounds: usize) {
    let behaviour = shipped::behaviour("prudent").expect("prudent is shipped");
    let population = Population::new(&behaviour);
    let mut rng = Stream::new(6, 0, "town");
    let mut column =
        |card: usize| -> Vec<u8> { (0..count * 100).map(|_| (rng.unit() * card as f64) as u8).collect() };
    let sensors: Vec<Vec<u8>> = behaviour.sensors().iter().map(|sensor| column(sensor.values.len())).collect();
    let columns: Vec<&[u8]> = sensors.iter().map(Vec::as_slice).collect();
    let mut tasks = column(6);
    let mut app = app(count, 6);
    frames(&mut app, 5 * count);
    let (mut ours_ns, mut other_ns) = (f64::INFINITY, f64::INFINITY);
    for tick in 0..rounds as u64 {
        let draws = Draws { seed: 1, tick, first_agent: 0 };
        ours_ns = ours_ns.min(least_ns(tasks.len(), 1, || {
            population.decide(draws, &columns, &mut tasks);
        }));
        let mut picked = 0;
        let ns = least_ns(1, 1, || picked = frames(&mut app, count));
        other_ns = other_ns.min(ns / picked as f64);
    }
    println!(
        "task sequencing, six tasks: ours {ours_ns:.2} ns a decision of {} agents on one core, big-brain {other_ns:.0} ns of \
         {count}: {:.0} times",
        tasks.len(),
        other_ns / ours_ns
    );
}

/// Whole characters (sensors, a need for each task, a plan, a reaction time), against thinkers with a scorer for each task.
fn whole(count: usize, tasks: usize, rounds: usize) {
    let mut village = minds::Village::new(count, tasks);
    let mut scratch = repertoire_mind::game::Scratch::new();
    (0..5).for_each(|_| {
        village.tick(&mut scratch);
    });
    let mut app = app(count, tasks);
    frames(&mut app, 5 * count);
    let (mut one_ns, mut all_ns, mut other_ns) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        one_ns = one_ns.min(least_ns(count, 1, || assert!(village.tick(&mut scratch) <= count)));
        all_ns = all_ns.min(least_ns(count, 1, || assert!(village.tick_on_all_cores() <= count)));
        let mut picked = 0;
        let ns = least_ns(1, 1, || picked = frames(&mut app, count));
        other_ns = other_ns.min(ns / picked as f64);
    }
    println!(
        "whole characters, {} tasks: ours {one_ns:.0} ns a tick on one core, {all_ns:.0} on all, big-brain {other_ns:.0} on all: \
         {:.1} times",
        village.tasks(),
        other_ns / all_ns
    );
}

/// What it costs until every thinker of an app has decided once more, the frames in between included; for comparison with
/// `adapters/bevy/examples/cost.rs`.
fn whole_frames(count: usize, actions: usize) {
    let mut app = app(count, actions);
    frames(&mut app, 5 * count);
    let mut each: Vec<f64> = (0..20).map(|_| least_ns(1, 1, || _ = frames(&mut app, count)) / 1e6).collect();
    each.sort_by(f64::total_cmp);
    println!(
        "big-brain, {count} thinkers, {actions} scorers each: everybody decided in {:.2} ms at least, {:.2} ms in the middle",
        each[0], each[10]
    );
}

fn main() {
    let quick = std::env::args().any(|word| word == "--quick");
    let (most, rounds) = if quick { (200, 3) } else { (10_000, 15) };
    if std::env::args().any(|word| word == "--frames") {
        whole_frames(most, 8);
        return whole_frames(most, 64);
    }
    println!(
        "{:>10} {:>6} {:>8} {:>10} {:>10} {:>12} {:>9} {:>9} {:>12} {:>12} {:>9} {:>8}",
        "characters",
        "nodes",
        "actions",
        "ours ns",
        "all cores",
        "decisions/s",
        "RSS",
        "counted",
        "big-brain ns",
        "decisions/s",
        "RSS",
        "ratio"
    );
    row(most, 4, rounds, true);
    println!("by size of the tree");
    let sizes: Vec<Row> = [4, 8, 16, 32].iter().map(|&goals| row(most / 5, goals, rounds, false)).collect();
    println!("by number of characters");
    let towns: Vec<Row> = [8, 4, 2, 1].iter().map(|&part| row(most / part, 4, rounds, false)).collect();
    sequencing(most, rounds);
    whole(most, 8, rounds);
    whole(most, 64, rounds);
    let slope = |points: Vec<(f64, f64)>| exponent(&points);
    println!(
        "exponents: ours {:.2} in nodes, {:.2} in characters; big-brain {:.2} in actions, {:.2} in characters",
        slope(sizes.iter().map(|row| (row.nodes as f64, row.ours_ns)).collect()),
        slope(towns.iter().map(|row| (row.count as f64, row.ours_ns * row.count as f64)).collect()),
        slope(sizes.iter().map(|row| (row.actions as f64, row.other_ns)).collect()),
        slope(towns.iter().map(|row| (row.count as f64, row.other_ns * row.count as f64)).collect()),
    );
}
