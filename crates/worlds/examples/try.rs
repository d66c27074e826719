use repertoire_worlds::arena::{
    bots::Native,
    game::{Contender, Match},
    level::Level,
    map::{file, shipped::SHIPPED},
    rules::Rules,
};
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let only: Option<String> = std::env::args().nth(1);
    let mut maps: Vec<(String, repertoire_worlds::arena::map::Map)> = vec![];
    for (name, text) in SHIPPED {
        let authored = match file::read(text) {
            Ok(a) => a,
            Err(m) => {
                println!("{name}: {m:?}");
                continue;
            }
        };
        maps.push((name.to_string(), authored.map));
    }
    if let Ok(wad) = std::fs::read("/usr/share/games/doom/freedm.wad") {
        for name in repertoire_worlds::arena::map::wad::list(&wad).unwrap() {
            maps.push((name.clone(), repertoire_worlds::arena::map::wad::import(&wad, &name).unwrap().map));
        }
    }
    for (name, map) in maps {
        if only.as_deref().is_some_and(|o| o != name && o != "all") {
            continue;
        }
        let t = Instant::now();
        let level = match Level::new(map) {
            Ok(l) => Arc::new(l),
            Err(f) => {
                println!("{name}: {f:?}");
                continue;
            }
        };
        let build = t.elapsed();
        let p = level.places();
        let links: usize =
            (0..p.points().len()).map(|k| p.links(repertoire_mind::Place(k as u16)).len()).sum();
        let mut hows = std::collections::BTreeMap::new();
        for k in 0..p.points().len() {
            for l in p.links(repertoire_mind::Place(k as u16)) {
                *hows.entry(format!("{:?}", l.how)).or_insert(0) += 1;
            }
        }
        println!(
            "{name}: built in {build:?}, {} lines, {} points, {links} links {hows:?}, unreachable items {}",
            level.map().lines.len(),
            p.points().len(),
            p.spots().iter().filter(|s| s.place.is_none()).count()
        );
        let t = Instant::now();
        let levels = [0u8, 1, 2, 3, 4, 5, 6, 7];
        let mut tallies = vec![];
        let mut secs = 0.0;
        let games: u64 = if name.starts_with("MAP") { 2 } else { 8 };
        for seed in 0..games {
            let bots = levels
                .iter()
                .map(|&l| Contender { name: format!("native:{l}"), mind: Box::new(Native::new(l)) })
                .collect();
            let mut game = Match::new(level.clone(), Rules::default(), bots, seed);
            for _ in 0..6000 {
                game.tick();
            }
            secs += 600.0;
            tallies.push((0..8).map(|k| game.world().tally(k)).collect::<Vec<_>>());
        }
        println!("  8 bots {:.0}x real time", secs / t.elapsed().as_secs_f64());
        for k in 0..8 {
            let sum = |f: &dyn Fn(&repertoire_worlds::arena::world::Tally) -> f64| {
                tallies.iter().map(|t| f(&t[k])).sum::<f64>() / games as f64
            };
            println!(
                "  native:{k} frags {:.1} deaths {:.1} suicides {:.1} acc {:.2} stuck {:.2}% items {:.0}",
                sum(&|t| t.frags as f64),
                sum(&|t| t.deaths as f64),
                sum(&|t| t.suicides as f64),
                sum(&|t| t.hits as f64) / sum(&|t| t.shots as f64),
                100.0 * sum(&|t| t.stuck as f64) / sum(&|t| t.decisions as f64),
                sum(&|t| t.items as f64)
            );
        }
        let t = Instant::now();
        let bots = [1, 3, 5, 7]
            .iter()
            .map(|&l| Contender { name: format!("native:{l}"), mind: Box::new(Native::new(l)) })
            .collect();
        let mut game = Match::new(level.clone(), Rules::default(), bots, 1);
        let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
        for _ in 0..20000 {
            let t0 = Instant::now();
            game.perceive();
            let t1 = Instant::now();
            game.decide();
            let t2 = Instant::now();
            game.advance();
            let t3 = Instant::now();
            a += (t1 - t0).as_secs_f64();
            b += (t2 - t1).as_secs_f64();
            c += (t3 - t2).as_secs_f64();
        }
        println!(
            "  4 bots {:.0}x real time; perceive {:.0}% decide {:.0}% physics {:.0}%",
            2000.0 / t.elapsed().as_secs_f64(),
            100.0 * a / (a + b + c),
            100.0 * b / (a + b + c),
            100.0 * c / (a + b + c)
        );
    }
}
