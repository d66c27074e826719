//! What a tick of a town costs by size. `cargo run --release -p repertoire-worlds --example town_cost -- 1000000`

use repertoire_worlds::town::{Minds, Town, charter};

#[allow(clippy::disallowed_methods, reason = "this measures time, and nothing depends on it")]
fn main() {
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let ticks = 1440;
    for size in sizes {
        let start = std::time::Instant::now();
        let mut town =
            Town::new(charter("western").expect("shipped"), size, 1, Minds::default()).expect("room");
        let founded = start.elapsed();
        (0..60).for_each(|_| town.tick());
        let (mut each, mut woken) = (Vec::new(), town.tally().woken);
        for _ in 60..ticks {
            let start = std::time::Instant::now();
            town.tick();
            each.push(start.elapsed().as_secs_f64() * 1e3);
        }
        woken = town.tally().woken - woken;
        let mean = each.iter().sum::<f64>() / each.len() as f64;
        let slowest =
            each.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, ms)| (at + 60, *ms));
        each.sort_by(f64::total_cmp);
        println!(
            "{size} inhabitants: founded in {founded:?}, a tick {mean:.3} ms (median {:.3}, 99 % {:.3}, most {slowest:?}), {:.1} ns each, {:.4} woken a tick, {} MB, hash {:016x}",
            each[each.len() / 2],
            each[each.len() * 99 / 100],
            mean * 1e6 / f64::from(size),
            woken as f64 / each.len() as f64 / f64::from(size),
            town.bytes() / 1_000_000,
            town.hash()
        );
    }
}
