//! What crossing the border costs: the same village through the library and through the calls for C, in one run.
//!
//! `cargo bench -p repertoire-c --bench cost`; with the tests it runs small. Compare the ratios: times depend on the machine and
//! on who else uses it. On a busy one count instructions: `--only N` runs one way alone and `--ticks N` sets how long, so that
//! two counts of `valgrind --tool=callgrind` can be subtracted.

#![allow(unsafe_code, reason = "calls of a C interface are unsafe")]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic as tests do")]
#![warn(clippy::undocumented_unsafe_blocks)]

use std::ffi::CString;
use std::ptr::null;

use repertoire_c::*;
use repertoire_mind::game::{Character, Design, Scratch};

const DESIGN: &str = include_str!("../tests/village.toml");

#[allow(clippy::disallowed_methods, reason = "a benchmark reads the clock; no result depends on it")]
fn seconds(work: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Whether the wolf is near to a villager at a tick.
fn wolf(villager: usize, tick: u16) -> u16 {
    u16::from((villager as u16).wrapping_add(tick) % 30 < 3)
}

/// Each way ends with the sum of all tasks, so that they can be compared.
trait Village {
    fn tick(&mut self, tick: u16) -> u64;
}

struct Direct(Vec<Character>, repertoire_mind::game::Senses, Scratch);

impl Village for Direct {
    fn tick(&mut self, tick: u16) -> u64 {
        let Direct(village, senses, scratch) = self;
        let one = |(k, villager): (usize, &mut Character)| {
            senses.set(0, usize::from(wolf(k, tick)));
            villager.tick(senses, scratch).task as u64
        };
        village.iter_mut().enumerate().map(one).sum()
    }
}

/// A call for the reading and one for the tick, by number or by name.
struct Called(Vec<RepertoireMind>, Option<(CString, [CString; 2])>);

impl Village for Called {
    fn tick(&mut self, tick: u16) -> u64 {
        let mut sum = 0;
        for (k, &mind) in self.0.iter().enumerate() {
            let mut deed = RepertoireDeed::default();
            let value = wolf(k, tick);
            let code = match &self.1 {
                None => repertoire_mind_set(mind, 0, u32::from(value)),
                Some((sensor, values)) => {
                    // SAFETY: names that end with a NUL.
                    unsafe { repertoire_mind_see(mind, sensor.as_ptr(), values[usize::from(value)].as_ptr()) }
                }
            };
            assert_eq!(code, REPERTOIRE_OK);
            // SAFETY: there is room for a deed.
            assert_eq!(unsafe { repertoire_mind_tick(mind, &mut deed) }, REPERTOIRE_OK);
            sum += u64::from(deed.task);
        }
        sum
    }
}

struct Together(Vec<RepertoireMind>, Vec<u16>, Vec<RepertoireDeed>);

impl Village for Together {
    fn tick(&mut self, tick: u16) -> u64 {
        let Together(minds, column, deeds) = self;
        column.iter_mut().enumerate().for_each(|(k, value)| *value = wolf(k, tick));
        let readings = [column.as_ptr()];
        let (first, count, out) = (minds.as_ptr(), minds.len(), deeds.as_mut_ptr());
        // SAFETY: that many minds, values and deeds.
        let code = unsafe { repertoire_minds_tick(first, count, readings.as_ptr(), 1, null(), 0, out) };
        assert_eq!(code, REPERTOIRE_OK);
        deeds.iter().map(|deed| u64::from(deed.task)).sum()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let measures = arguments.iter().any(|argument| argument == "--bench");
    let number = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(|text| text.parse::<u16>().expect("a whole number"))
    };
    let (villagers, ticks) = if measures { (100_000, 20) } else { (300, 5) };
    let (ticks, only) = (number("--ticks").unwrap_or(ticks), number("--only"));
    let design = Design::parse(DESIGN).unwrap_or_else(|mistake| panic!("{mistake}"));
    let mut handle = 0;
    // SAFETY: the text has that length, and there is room for a handle.
    let code = unsafe { repertoire_design_load(DESIGN.as_ptr().cast(), DESIGN.len(), null(), &mut handle) };
    assert_eq!(code, REPERTOIRE_OK);
    let minds = || {
        let mut minds = vec![0; villagers];
        // SAFETY: there is room for that many handles.
        let code = unsafe { repertoire_minds_new(handle, 1, 0, villagers, minds.as_mut_ptr()) };
        assert_eq!(code, REPERTOIRE_OK);
        minds
    };
    let direct = (0..villagers as u64).map(|agent| Character::new(&design, 1, agent)).collect();
    let name = |text: &str| CString::new(text).unwrap();
    let names = (name("wolf"), [name("away"), name("near")]);
    let together = || Together(minds(), vec![0; villagers], vec![RepertoireDeed::default(); villagers]);
    let mut ways: Vec<(&str, u32, Box<dyn Village>)> = vec![
        ("the library, one thread", 1, Box::new(Direct(direct, design.senses(), Scratch::new()))),
        ("calls for each, by number", 1, Box::new(Called(minds(), None))),
        ("calls for each, by name", 1, Box::new(Called(minds(), Some(names)))),
        ("one call for all, one thread", 1, Box::new(together())),
        ("one call for all, all threads", 0, Box::new(together())),
    ];
    if let Some(only) = only {
        ways = vec![ways.swap_remove(usize::from(only))];
    }
    // In turn, so that all meet the same noise. The last way starts its threads anew each time; that is little beside the rest.
    let mut took = vec![Vec::new(); ways.len()];
    for tick in 0..ticks {
        let mut sums = Vec::new();
        for ((_, threads, village), took) in ways.iter_mut().zip(&mut took) {
            assert_eq!(repertoire_set_threads(*threads), REPERTOIRE_OK);
            let mut sum = 0;
            took.push(seconds(|| sum = village.tick(tick)));
            sums.push(sum);
        }
        assert!(sums.iter().all(|sum| *sum == sums[0]), "all ways decide the same: {sums:?}");
    }
    println!("{villagers} villagers, {ticks} ticks; the median tick:");
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let base = median(&mut took[0]);
    for ((way, ..), times) in ways.iter().zip(&mut took) {
        let median = median(times);
        println!(
            "{way:32} {:8.1} ns per villager, ratio {:.2}",
            1e9 * median / villagers as f64,
            median / base
        );
    }
}
