//! Task sequencing: decisions of a whole population, and learning from play.
//!
//! A population of a million decides against a pass over the same columns that decides nothing (the memory limit),
//! against one character at a time with its reasons, and against a behaviour tree of `bonsai-bt` with the same six tasks,
//! ticked for each agent. The comparison with `big-brain`, which needs Bevy, is in `bench/big-brain`.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context, Result};
use bonsai_bt::Behavior::{Action, MemorylessSelector, Sequence};
use bonsai_bt::{BT, Event, Failure, RUNNING, Success, UpdateArgs};
use repertoire_bayes::sequence::population::{Draws, Population};
use repertoire_bayes::sequence::shipped as behaviours;
use repertoire_mind::fighter::Fighter;
use repertoire_mind::sequenced::Connected;
use repertoire_mind::student::{Method, Seen, Student};
use repertoire_mind::{Command, Percept};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped::shipped};
use repertoire_worlds::arena::rules::Rules;

use crate::Line;
use crate::timing::ns_per;

const CARDS: [u8; 7] = [3, 3, 3, 2, 3, 2, 2];

/// Everything about sequencing.
pub fn all(quick: bool) -> Result<Vec<Line>> {
    let mut lines = decisions(if quick { 10_000 } else { 1_000_000 }, quick)?;
    if !quick {
        // Beyond every cache, where memory is the limit.
        lines.extend(decisions(20_000_000, quick)?);
    }
    lines.extend(learning(quick)?);
    Ok(lines)
}

fn decisions(agents: usize, quick: bool) -> Result<Vec<Line>> {
    let rounds = if quick { 3 } else { 60_000_000 / agents.max(1_000_000) + 1 };
    let behaviour = behaviours::behaviour("prudent").context("prudent is shipped")?;
    let population = Population::new(&behaviour);
    let mut rng = Stream::new(6, 0, "town");
    let mut column =
        |card: u8| -> Vec<u8> { (0..agents).map(|_| (rng.unit() * f64::from(card)) as u8).collect() };
    let sensors: Vec<Vec<u8>> = CARDS.iter().map(|&card| column(card)).collect();
    let columns: Vec<&[u8]> = sensors.iter().map(Vec::as_slice).collect();
    let before = column(6);
    let mut tasks = before.clone();
    let mut tick = 0;
    let mut decide = || {
        tick += 1;
        population.decide(Draws { seed: 1, tick, first_agent: 0 }, &columns, &mut tasks) as f64
    };
    let ours_ns = ns_per(agents, rounds, &mut decide);
    let allocations = allocation_counter::measure(|| {
        black_box(decide());
    });
    let mut written = before.clone();
    let pass_ns = ns_per(agents, rounds, || only_read_and_write(&columns, &mut written));
    let floor_ns = ns_per(agents, rounds, || only_look_up(&columns, &mut written));
    let few = agents.min(20_000);
    let one_ns = ns_per(few, if quick { 1 } else { 5 }, || {
        let one = |agent: usize| {
            let values: Vec<Option<usize>> =
                sensors.iter().map(|column| Some(usize::from(column[agent]))).collect();
            behaviour.decide(Some(usize::from(before[agent])), &values).posterior[0]
        };
        (0..few).map(one).sum()
    });
    let bonsai_ns = behaviour_trees(&sensors, few, quick);
    let line = |other: &str, other_ns: f64| Line {
        scenario: format!(
            "sequence, {} agents",
            if agents < 1_000_000 { "10k".into() } else { format!("{}M", agents / 1_000_000) }
        ),
        ours: "population",
        ours_ns,
        other: other.into(),
        other_ns,
        allocations: Some(allocations.count_total / agents as u64),
    };
    Ok(vec![
        line("only reading and writing", pass_ns),
        line("a look-up each, no chance", floor_ns),
        line("one by one, with reasons", one_ns),
        line("bonsai-bt, six tasks", bonsai_ns),
    ])
}

/// Reads every sensor's column and the tasks', and writes the tasks': what memory alone costs.
fn only_read_and_write(columns: &[&[u8]], tasks: &mut [u8]) -> f64 {
    let [a, b, c, d, e, f, g] = columns else { return 0.0 };
    let sensors = a.iter().zip(*b).zip(*c).zip(*d).zip(*e).zip(*f).zip(*g);
    for (task, ((((((a, b), c), d), e), f), g)) in tasks.iter_mut().zip(sensors) {
        *task = (*task ^ a ^ b ^ c ^ d ^ e ^ f ^ g) & 3;
    }
    f64::from(black_box(&*tasks)[0])
}

/// The least that any decision by situation costs: the number of the situation, and one look-up in a table that stays in
/// the nearest cache. No chance, no probabilities: what is left between this and a decision is drawing.
fn only_look_up(columns: &[&[u8]], tasks: &mut [u8]) -> f64 {
    const PIECE: usize = 1024;
    let mut strides = [1u16; CARDS.len()];
    strides[CARDS.len() - 1] = 6;
    for at in (0..CARDS.len() - 1).rev() {
        strides[at] = strides[at + 1] * u16::from(CARDS[at + 1]);
    }
    // As long as the numbers of situations are, so that no look-up needs a check.
    let table: Box<[u8; 1 << 12]> = Box::new(std::array::from_fn(|situation| (situation % 5) as u8));
    let mut situations = [0u16; PIECE];
    for (piece, tasks) in tasks.chunks_mut(PIECE).enumerate() {
        let situations = &mut situations[..tasks.len()];
        situations.iter_mut().zip(&*tasks).for_each(|(at, &task)| *at = u16::from(task));
        for (column, stride) in columns.iter().zip(strides) {
            for (at, &value) in situations.iter_mut().zip(&column[piece * PIECE..]) {
                *at = at.wrapping_add(u16::from(value).wrapping_mul(stride));
            }
        }
        for (task, &at) in tasks.iter_mut().zip(&*situations) {
            *task = table[usize::from(at & 0xfff)];
        }
    }
    f64::from(black_box(&*tasks)[0])
}

#[derive(Clone, Copy, Debug)]
enum Leaf {
    SeveralEnemies,
    Enemy,
    Hurt,
    Unarmed,
    Noise,
    Do(u8),
}

/// A tree for each agent, ticked once each.
fn behaviour_trees(sensors: &[Vec<u8>], agents: usize, quick: bool) -> f64 {
    let does = |condition: Leaf, task: u8| Sequence(vec![Action(condition), Action(Leaf::Do(task))]);
    let tree = MemorylessSelector(vec![
        does(Leaf::SeveralEnemies, 4),
        does(Leaf::Enemy, 0),
        does(Leaf::Hurt, 2),
        does(Leaf::Unarmed, 1),
        does(Leaf::Noise, 5),
        Action(Leaf::Do(3)),
    ]);
    let blackboard = |agent: usize| -> [u8; 7] { std::array::from_fn(|sensor| sensors[sensor][agent]) };
    let mut trees: Vec<BT<Leaf, [u8; 7]>> =
        (0..agents).map(|agent| BT::new(tree.clone(), blackboard(agent))).collect();
    let event: Event = UpdateArgs { dt: 0.1 }.into();
    ns_per(agents, if quick { 1 } else { 9 }, || {
        let mut sum = 0.0;
        for tree in &mut trees {
            tree.tick(&event, &mut |args: bonsai_bt::ActionArgs<'_, Event, Leaf>, seen| {
                let [health, weapon, _, noise, enemies, ..] = *seen;
                let holds = match *args.action {
                    Leaf::SeveralEnemies => enemies == 2,
                    Leaf::Enemy => enemies > 0 && weapon > 0,
                    Leaf::Hurt => health == 0,
                    Leaf::Unarmed => weapon == 0,
                    Leaf::Noise => noise == 1,
                    Leaf::Do(task) => {
                        sum += f64::from(task);
                        return RUNNING;
                    }
                };
                (if holds { Success } else { Failure }, args.dt)
            });
        }
        sum
    })
}

/// What a student of a real demonstration needs for an observation: from the percept to the counts.
fn learning(quick: bool) -> Result<Vec<Line>> {
    let ticks = if quick { 200 } else { 3_500 };
    let authored = file::read(shipped("halls").context("halls is shipped")?)?;
    let level =
        Level::new(authored.map).map_err(|faults| anyhow::anyhow!("halls: {} faults", faults.len()))?;
    let level = Arc::new(level);
    let behaviour = behaviours::behaviour("prudent").context("prudent is shipped")?;
    let mut contenders =
        vec![Contender { name: "prudent".into(), mind: Box::new(Fighter::sequencing(&behaviour)?) }];
    contenders.extend(
        [3, 3, 1].map(|level| Contender { name: String::new(), mind: Box::new(Fighter::native(level)) }),
    );
    let mut game = Match::new(Arc::clone(&level), Rules::default(), contenders, 1);
    let mut play: Vec<(Percept, Command)> = Vec::new();
    for _ in 0..ticks {
        game.perceive();
        game.decide();
        if game.world().is_alive(0) {
            play.push((game.percepts()[0].clone(), game.commands()[0]));
        }
        game.advance();
    }
    let shape = Connected::new(&behaviours::behaviour("uniform").context("uniform is shipped")?)?;
    let ours_ns = ns_per(play.len(), if quick { 1 } else { 11 }, || {
        let mut student = Student::new(shape.clone(), Method::Incremental);
        for (percept, command) in &play {
            student.see(Seen { percept, command, task: None, events: &[] }, level.places());
        }
        student.so_far("pupil").transition()[0]
    });
    Ok(vec![Line {
        scenario: "learn from play".into(),
        ours: "percept to counts",
        ours_ns,
        other: "thesis, Pentium IV".into(),
        other_ns: 1e8,
        allocations: None,
    }])
}
