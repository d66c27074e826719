//! What a tick of a town costs by size, as a table and the exponent of its growth.
//!
//! `RAYON_NUM_THREADS=2 cargo run --release -p repertoire-worlds --example town_cost -- 10000 100000 1000000 10000000`
//!
//! A day of the western without its first hour is run, or as many minutes as the variable TICKS says; waiting time and processor time are both told, since only the second means
//! something while others use the machine.

use repertoire_prob::num::ln;
use repertoire_worlds::town::{DAY, Minds, Town, charter};

/// Seconds of processor time that this process has used, from Linux; 0 elsewhere.
fn processor_secs() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0.0))
        .collect();
    fields.get(11..13).map_or(0.0, |times| times.iter().sum::<f64>() / 100.0)
}

#[allow(clippy::disallowed_methods, reason = "this measures time, and nothing depends on it")]
fn main() {
    let ticks = std::env::var("TICKS").ok().and_then(|ticks| ticks.parse().ok()).unwrap_or(DAY - 60);
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    println!(
        "| inhabitants | tick, ms waiting | 99 % | most | processor ns each | woken a tick | bytes each | hash |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut points = Vec::new();
    for size in sizes {
        let Some(western) = charter("western") else { return };
        let Ok(mut town) = Town::new(western, size, 1, Minds::default()) else { return };
        (0..60).for_each(|_| town.tick());
        let (mut each, woken, began) = (Vec::new(), town.tally().woken, processor_secs());
        for _ in 0..ticks {
            let start = std::time::Instant::now();
            town.tick();
            each.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let ticks = each.len() as f64;
        let processor_ns = (processor_secs() - began) * 1e9 / ticks / f64::from(size);
        let mean = each.iter().sum::<f64>() / ticks;
        each.sort_by(f64::total_cmp);
        println!(
            "| {size} | {mean:.3} | {:.3} | {:.3} | {processor_ns:.1} | {:.4} | {:.0} | {:016x} |",
            each[each.len() * 99 / 100],
            each[each.len() - 1],
            (town.tally().woken - woken) as f64 / ticks / f64::from(size),
            town.bytes() as f64 / f64::from(size),
            town.hash()
        );
        points.push((ln(f64::from(size)), ln(processor_ns * f64::from(size)), ln(mean)));
    }
    let count = points.len() as f64;
    let slope = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let (x, y) =
            (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(of).sum::<f64>() / count);
        points.iter().map(|p| (p.0 - x) * (of(p) - y)).sum::<f64>()
            / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
    };
    if points.len() > 1 {
        println!(
            "\nexponent by processor time {:.3}, by waiting time {:.3}",
            slope(&|p| p.1),
            slope(&|p| p.2)
        );
    }
}
