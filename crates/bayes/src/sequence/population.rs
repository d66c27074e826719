//! Decisions for whole populations, as columns.
//!
//! A behaviour of a few sensors has few situations (6 x 648 for the thesis's), so all decisions are worked out once. What a
//! decision then costs is finding the situation, half of 64 random bits, and one look-up: the highest bits name a slot of
//! the situation, and nearly every slot belongs to one task alone. In the mixed slots, the task is found
//! by counting how many ends of shares the bits pass.
//!
//! The bits are a function of (seed, tick, agent): a population decides the same in any order, in any pieces, on any
//! number of threads, and one character decides the same as it would in a population ([`decision::pick`]).
//!
//! Behaviours of more situations than [`MOST_KEPT`] or more than [`MOST_TASKS`] tasks are worked out agent by agent, with
//! the same answers. Tried and rejected: settling the most probable task with one comparison (more mispredicted branches),
//! counting ends for everybody (no branch on chance, but three times the instructions), an alias table (one more number
//! to draw).

use repertoire_prob::num::{ln, log_sum_exp};
use repertoire_prob::stream::counter;

use super::decision::{self, Shares, normalise_logs};
use super::{Behaviour, MOST_VALUES};

/// Stands for a sensor that was not read, and for a character that has no task yet.
pub const NONE: u8 = MOST_VALUES as u8;

/// The most situations whose decisions are kept.
pub const MOST_KEPT: usize = 1 << 16;

/// The most tasks of which a row of `Kept` holds the shares.
pub const MOST_TASKS: usize = 7;

/// Agents are handled in pieces of this many, so that what passes between the two loops stays in the cache.
const PIECE: usize = 1024;

/// Where the random bits of a population come from.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    /// The world's seed.
    pub seed: u64,
    /// Which decision this is.
    pub tick: u64,
    /// The number of the first agent of the columns.
    pub first_agent: u64,
}

/// A behaviour made ready for populations.
///
/// ```
/// use repertoire_bayes::sequence::population::{Draws, NONE, Population};
/// use repertoire_bayes::sequence::shipped;
/// let population = Population::new(&shipped::behaviour("aggressive").expect("shipped"));
/// let sensors = vec![[NONE; 3]; population.behaviour().sensors().len()];
/// let columns: Vec<&[u8]> = sensors.iter().map(|column| &column[..]).collect();
/// let mut tasks = [0, 1, NONE];
/// let contradictions = population.decide(Draws { seed: 42, tick: 7, first_agent: 0 }, &columns, &mut tasks);
/// assert_eq!(contradictions, 0);
/// assert!(tasks.iter().all(|&task| usize::from(task) < population.behaviour().tasks().len()));
/// ```
#[derive(Clone, Debug)]
pub struct Population {
    cards: Vec<u8>,
    tasks: u8,
    /// `ln` of the tables: `[value][task]` for each sensor, then `[previous][task]`.
    logs: Vec<Vec<f64>>,
    behaviour: Behaviour,
    kept: Option<Kept>,
}

/// Every situation's decision.
#[derive(Clone, Debug)]
struct Kept {
    /// What a step in each column adds to the number of the situation; the last is the previous task's.
    strides: Vec<u16>,
    /// For each situation: where the shares end (the last six numbers may be 2³²-1 for shares that are not there), and
    /// in the last number four bits for each task in the order of the shares, and a 1 above them if the sensors
    /// contradict. Half a cache line each.
    rows: Vec<[u32; 8]>,
    /// For each situation, the task of each of 32 equal parts of the scale, or [`MIXED`].
    slots: Vec<[u8; SLOTS]>,
}

/// Parts of the scale that are looked up. More are mixed more seldom and need more of the cache.
const SLOTS: usize = 32;
/// A part that belongs to several tasks, or a situation in which the sensors contradict.
const MIXED: u8 = u8::MAX;

/// The task whose share the bits lie in.
#[inline]
fn counted(row: &[u32; 8], bits: u32) -> u8 {
    let passed: u32 = row[..MOST_TASKS - 1].iter().map(|&end| u32::from(bits >= end)).sum();
    (row[7] >> (4 * passed)) as u8 & 15
}

fn slots_of(row: &[u32; 8]) -> [u8; SLOTS] {
    std::array::from_fn(|slot| {
        let first = (slot as u32) << SLOT_SHIFT;
        let (low, high) = (counted(row, first), counted(row, first | ((1 << SLOT_SHIFT) - 1)));
        if low == high && row[7] >> 28 == 0 { low } else { MIXED }
    })
}

const SLOT_SHIFT: u32 = 32 - SLOTS.ilog2();

impl Population {
    /// Works out what can be worked out beforehand.
    pub fn new(behaviour: &Behaviour) -> Self {
        let tasks = behaviour.tasks().len();
        let sensor_logs = behaviour.sensors().iter().map(|sensor| {
            let cell = |at: usize| ln(sensor.cell(at % tasks, at / tasks));
            (0..sensor.values.len() * tasks).map(cell).collect()
        });
        let transition = behaviour.transition().iter().map(|&p| ln(p)).collect();
        let mut population = Population {
            cards: behaviour.sensors().iter().map(|sensor| sensor.values.len() as u8).collect(),
            tasks: tasks as u8,
            logs: sensor_logs.chain([transition]).collect(),
            behaviour: behaviour.clone(),
            kept: None,
        };
        if tasks <= MOST_TASKS && behaviour.situations().is_some_and(|situations| situations <= MOST_KEPT) {
            population.kept = Some(population.keep());
        }
        population
    }

    fn keep(&self) -> Kept {
        let cards: Vec<usize> =
            self.cards.iter().chain([&self.tasks]).map(|&card| usize::from(card)).collect();
        let mut strides = vec![1u16; cards.len()];
        for at in (0..cards.len() - 1).rev() {
            // The first column of a full table would not fit, but then it has one value and its stride is not used.
            strides[at] = (usize::from(strides[at + 1]) * cards[at + 1]).min(usize::from(u16::MAX)) as u16;
        }
        let situations: usize = cards.iter().product();
        let tasks = usize::from(self.tasks);
        let mut kept =
            Kept { strides, rows: Vec::with_capacity(situations), slots: Vec::with_capacity(situations) };
        let mut values = vec![0u8; cards.len()];
        let (mut logs, mut distribution) = (Vec::new(), vec![0.0; tasks]);
        let mut shares = Shares::default();
        for situation in 0..situations {
            for (value, digit) in values.iter_mut().zip(repertoire_prob::table::digits(situation, &cards)) {
                *value = digit as u8;
            }
            let is_degenerate = self.distribution(&values, &mut logs, &mut distribution);
            shares.fill(&distribution);
            let mut row = [u32::MAX; 8];
            row[..shares.ends.len()].copy_from_slice(&shares.ends);
            row[7] = u32::from(is_degenerate) << 28;
            for place in 0..MOST_TASKS {
                // Beyond the last share comes nothing but rounding.
                let task = shares.order[place.min(shares.order.len() - 1)];
                row[7] |= u32::from(task) << (4 * place);
            }
            kept.slots.push(slots_of(&row));
            kept.rows.push(row);
        }
        kept
    }

    /// What is sampled from, for the values of all sensors and the previous task; whether the sensors contradict.
    fn distribution(&self, values: &[u8], logs: &mut Vec<f64>, out: &mut [f64]) -> bool {
        let tasks = usize::from(self.tasks);
        let prior = |logs: &mut Vec<f64>| {
            logs.clear();
            match values.last() {
                Some(&previous) if previous < self.tasks => {
                    let all = &self.logs[self.logs.len() - 1];
                    logs.extend_from_slice(&all[usize::from(previous) * tasks..][..tasks]);
                }
                _ => logs.resize(tasks, -ln(f64::from(self.tasks))),
            }
        };
        prior(logs);
        for ((&value, &card), table) in values.iter().zip(&self.cards).zip(&self.logs) {
            if value < card {
                let says = &table[usize::from(value) * tasks..][..tasks];
                logs.iter_mut().zip(says).for_each(|(log, says)| *log += says);
            }
        }
        let is_degenerate = log_sum_exp(logs) == f64::NEG_INFINITY;
        if is_degenerate {
            prior(logs);
        }
        normalise_logs(logs, out);
        if let Err(error) = self.behaviour.choice().apply(out) {
            unreachable!("a behaviour's choice was checked, and some task is possible: {error}");
        }
        is_degenerate
    }

    /// The behaviour.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// Decides for every agent: `tasks` holds the tasks before, and then those chosen. Values beyond a sensor's count
    /// as not read, tasks beyond the behaviour's as none. Returns how often the sensors contradicted.
    ///
    /// # Panics
    /// Unless there is a column for each sensor, and in each a value for every agent.
    pub fn decide(&self, draws: Draws, sensors: &[&[u8]], tasks: &mut [u8]) -> usize {
        assert_eq!(sensors.len(), self.cards.len(), "a column for each sensor");
        assert!(sensors.iter().all(|column| column.len() == tasks.len()), "a value for each agent");
        let key = counter(draws.seed, draws.tick);
        let mut contradictions = 0;
        let mut scratch = Scratch::new(self);
        let mut columns: Vec<&[u8]> = sensors.to_vec();
        for (piece, tasks) in tasks.chunks_mut(PIECE).enumerate() {
            let first = draws.first_agent.wrapping_add((piece * PIECE) as u64);
            for (column, sensor) in columns.iter_mut().zip(sensors) {
                *column = &sensor[piece * PIECE..][..tasks.len()];
            }
            contradictions += match &self.kept {
                Some(kept) if self.all_read(&columns, tasks) => {
                    self.look_up(kept, key, first, &columns, tasks, &mut scratch)
                }
                _ => self.work_out(key, first, &columns, tasks, &mut scratch),
            };
        }
        contradictions
    }

    #[inline]
    fn all_read(&self, columns: &[&[u8]], tasks: &[u8]) -> bool {
        // The largest of a column is found sixteen values at a time; a comparison of each is not.
        let within = |column: &[u8], card: u8| column.iter().fold(0, |most, &value| value.max(most)) < card;
        within(tasks, self.tasks)
            && columns.iter().zip(&self.cards).all(|(column, &card)| within(column, card))
    }

    #[inline]
    fn look_up(
        &self,
        kept: &Kept,
        key: u64,
        first: u64,
        columns: &[&[u8]],
        tasks: &mut [u8],
        scratch: &mut Scratch,
    ) -> usize {
        let situations = &mut scratch.situations[..tasks.len()];
        situations.iter_mut().zip(&*tasks).for_each(|(at, &task)| *at = u16::from(task));
        for (column, &stride) in columns.iter().zip(&kept.strides) {
            for (at, &value) in situations.iter_mut().zip(*column) {
                *at = at.wrapping_add(u16::from(value).wrapping_mul(stride));
            }
        }
        // Two agents share a draw. A pair that begins before the piece, or ends after it, is drawn for one of them.
        let draws = &mut scratch.draws[..tasks.len() + 2];
        let skip = (first & 1) as usize;
        for (pair, two) in draws.chunks_exact_mut(2).enumerate() {
            let bits = counter(key, (first >> 1) + pair as u64);
            two.copy_from_slice(&[bits as u32, (bits >> 32) as u32]);
        }
        let mut contradictions = 0;
        for ((task, &at), &bits) in tasks.iter_mut().zip(&*situations).zip(&draws[skip..]) {
            *task = kept.slots[usize::from(at)][(bits >> SLOT_SHIFT) as usize];
            if *task == MIXED {
                let row = &kept.rows[usize::from(at)];
                *task = counted(row, bits);
                contradictions += row[7] >> 28;
            }
        }
        contradictions as usize
    }

    fn work_out(
        &self,
        key: u64,
        first: u64,
        columns: &[&[u8]],
        tasks: &mut [u8],
        scratch: &mut Scratch,
    ) -> usize {
        let mut contradictions = 0;
        for (agent, task) in tasks.iter_mut().enumerate() {
            let (last, values) =
                scratch.values.split_last_mut().unwrap_or_else(|| unreachable!("the task is there"));
            *last = *task;
            values.iter_mut().zip(columns).for_each(|(value, column)| *value = column[agent]);
            let is_degenerate =
                self.distribution(&scratch.values, &mut scratch.logs, &mut scratch.distribution);
            contradictions += usize::from(is_degenerate);
            *task = decision::pick(&scratch.distribution, agent_bits(key, first.wrapping_add(agent as u64)))
                as u8;
        }
        contradictions
    }
}

/// The 32 random bits of one agent: half of what two neighbours share; `key` is `counter(seed, tick)`.
pub fn agent_bits(key: u64, agent: u64) -> u32 {
    (counter(key, agent >> 1) >> (32 * (agent & 1))) as u32
}

/// Working memory of one call.
struct Scratch {
    situations: Vec<u16>,
    draws: Vec<u32>,
    values: Vec<u8>,
    logs: Vec<f64>,
    distribution: Vec<f64>,
}

impl Scratch {
    fn new(population: &Population) -> Self {
        Scratch {
            situations: vec![0; PIECE],
            draws: vec![0; PIECE + 2],
            values: vec![0; population.cards.len() + 1],
            logs: Vec::new(),
            distribution: vec![0.0; usize::from(population.tasks)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{Choice, shipped};
    use repertoire_prob::Stream;

    fn columns(population: &Population, agents: usize, missing: bool) -> (Vec<Vec<u8>>, Vec<u8>) {
        let mut rng = Stream::new(8, 0, "population");
        let mut column = |card: u8| -> Vec<u8> {
            let mut value =
                || if missing && rng.unit() < 0.05 { NONE } else { (rng.unit() * f64::from(card)) as u8 };
            (0..agents).map(|_| value()).collect()
        };
        let sensors = population.cards.iter().map(|&card| column(card)).collect();
        (sensors, column(population.tasks))
    }

    /// The same decisions, one character at a time through [`Behaviour::decide`].
    fn one_by_one(behaviour: &Behaviour, draws: Draws, sensors: &[Vec<u8>], tasks: &[u8]) -> Vec<u8> {
        let known = |value: u8, card: usize| (usize::from(value) < card).then_some(usize::from(value));
        let one = |agent: usize| {
            let pairs = behaviour.sensors().iter().zip(sensors);
            let values: Vec<_> =
                pairs.map(|(sensor, column)| known(column[agent], sensor.values.len())).collect();
            let mut decision = behaviour.decide(known(tasks[agent], behaviour.tasks().len()), &values);
            behaviour.choice().apply(&mut decision.posterior).unwrap();
            let key = counter(draws.seed, draws.tick);
            decision::pick(&decision.posterior, agent_bits(key, draws.first_agent + agent as u64)) as u8
        };
        (0..tasks.len()).map(one).collect()
    }

    #[test]
    fn a_population_decides_as_its_members_do() {
        let draws = Draws { seed: 3, tick: 9, first_agent: 101 };
        for (name, _) in shipped::BEHAVIOURS {
            for choice in [Choice::Sample, Choice::Best, Choice::Sharpen(3.0)] {
                for missing in [false, true] {
                    let population =
                        Population::new(&shipped::behaviour(name).unwrap().with_choice(choice).unwrap());
                    let (sensors, before) = columns(&population, 5000, missing);
                    let borrowed: Vec<&[u8]> = sensors.iter().map(Vec::as_slice).collect();
                    let mut tasks = before.clone();
                    population.decide(draws, &borrowed, &mut tasks);
                    assert_eq!(tasks, one_by_one(population.behaviour(), draws, &sensors, &before), "{name}");
                    // In pieces, it decides the same.
                    let mut pieces = before.clone();
                    for (k, piece) in pieces.chunks_mut(777).enumerate() {
                        let columns: Vec<&[u8]> =
                            borrowed.iter().map(|column| &column[k * 777..][..piece.len()]).collect();
                        let draws = Draws { first_agent: 101 + k as u64 * 777, ..draws };
                        population.decide(draws, &columns, piece);
                    }
                    assert_eq!(pieces, tasks);
                    // Without what was worked out beforehand, too.
                    let mut slow = population.clone();
                    slow.kept = None;
                    let mut again = before;
                    slow.decide(draws, &borrowed, &mut again);
                    assert_eq!(again, tasks);
                }
            }
        }
    }

    #[test]
    fn contradictions_are_counted() {
        let population = Population::new(&shipped::contradictory());
        let (sensors, mut tasks) = columns(&population, 3000, false);
        let expected = sensors[0].iter().filter(|&&value| value == 1).count();
        let borrowed: Vec<&[u8]> = sensors.iter().map(Vec::as_slice).collect();
        let draws = Draws { seed: 1, tick: 1, first_agent: 0 };
        assert_eq!(population.decide(draws, &borrowed, &mut tasks), expected);
    }
}
