//! Matches on the maps of `../shared/data/quake/maps`; skipped, loudly, where they are absent.

use std::path::PathBuf;
use std::sync::Arc;

use repertoire_mind::Place;
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::figures::MapFigures;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::bsp;
use repertoire_worlds::arena::rules::Rules;

fn maps() -> Vec<(String, Arc<Level>)> {
    let folder = std::env::var_os("REPERTOIRE_QUAKE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/quake")),
        PathBuf::from,
    );
    let mut found = Vec::new();
    for name in ["dm2", "dm3", "dm4", "dm6", "e3m4"] {
        let path = folder.join(format!("maps/{name}.bsp.gz"));
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("SKIPPED: {} is not there; set REPERTOIRE_QUAKE_DATA", path.display());
            continue;
        };
        let map = bsp::import(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}")).map;
        let level = Level::new(map).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        found.push((name.to_owned(), Arc::new(level)));
    }
    found
}

#[test]
fn native_bots_get_about_and_fight_on_every_map() {
    for (name, level) in maps() {
        let figures = MapFigures::of(&level);
        // e3m4 is a map for one player: much of it lies behind doors that buttons and keys open.
        let most = if name == "e3m4" { figures.items * 2 / 3 } else { figures.items / 3 };
        assert!(figures.unreachable_items <= most, "{name}\n{figures}");
        let places = level.places();
        let bot =
            |rank: u8| Contender { name: format!("native:{rank}"), mind: Box::new(Fighter::native(rank)) };
        let mut game = Match::new(level.clone(), Rules::default(), [1, 3, 5, 7].map(bot).into(), 1);
        let mut visited = vec![false; places.points().len()];
        for _ in 0..1800 {
            game.tick();
            for id in 0..4 {
                visited[places.nearest(game.world().look(id).position).index()] = true;
            }
        }
        let tallies: Vec<_> = (0..4).map(|id| game.world().tally(id)).collect();
        let sum =
            |of: fn(&repertoire_worlds::arena::world::Tally) -> u32| tallies.iter().map(of).sum::<u32>();
        let linked =
            (0..places.points().len()).filter(|&k| !places.links(Place(k as u16)).is_empty()).count();
        let seen = visited.iter().filter(|&&is| is).count();
        eprintln!(
            "{name}: {} points, {linked} linked, {seen} visited; {} shots, {} hits, {} items, {} suicides, {} deaths, stuck {} of {}\n{figures}",
            places.points().len(),
            sum(|tally| tally.shots),
            sum(|tally| tally.hits),
            sum(|tally| tally.items),
            sum(|tally| tally.suicides),
            sum(|tally| tally.deaths),
            sum(|tally| tally.stuck),
            sum(|tally| tally.decisions),
        );
        assert!(sum(|tally| tally.shots) > 100 && sum(|tally| tally.items) > 10, "{name}: they do nothing");
        // On dm4 five of six deaths were falls into lava before bots kept out of it.
        assert!(
            sum(|tally| tally.suicides) * 3 <= sum(|tally| tally.deaths),
            "{name}: they die by their own doing"
        );
        assert!(sum(|tally| tally.stuck) * 10 < sum(|tally| tally.decisions), "{name}: they are stuck");
    }
}
