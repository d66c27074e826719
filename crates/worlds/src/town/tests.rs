//! Small towns live, repeat, agree with characters, and are refused where they cannot work.

use super::*;

pub(super) fn western(inhabitants: u32, seed: u64) -> Town {
    Town::new(charter("western").unwrap(), inhabitants, seed, Minds::default()).unwrap()
}

fn run(town: &mut Town, ticks: u32) {
    (0..ticks).for_each(|_| town.tick());
}

#[test]
fn shipped_towns_have_no_mistakes() {
    for (name, text) in TOWNS {
        let charter = read(text).unwrap_or_else(|mistake| panic!("{name}:{mistake}"));
        let found = check(&charter);
        assert!(found.is_empty(), "{name}: {}", found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn a_day_is_lived() {
    let mut town = western(200, 1);
    run(&mut town, DAY);
    println!("{:?}\n{:?}\n{:?}", town.goals_met(), town.tally(), town.census());
    for who in [0, 17, 60, 150] {
        println!("{}", town.why(who));
    }
    let met = town.goals_met();
    assert!(met.iter().filter(|(name, _)| !["BeSafe", "ArrestOutlaw"].contains(name)).all(|(_, count)| *count > 0), "{met:?}");
    assert!(town.tally().waited > 0 && town.tally().replans > 0);
}
