//! A room, two tiny minds, and what comes of them.

use std::sync::Mutex;

use repertoire_mind::{Command, DVec2, Fire, Item, Percept, Places, RestoreError, Weapon};
use repertoire_prob::Stream;
use repertoire_worlds::arena::map::{Area, Floor, ItemSpot, Line, Map, Start};

use super::*;

/// An empty room, 24 m square, with four starts and one medicine.
pub(crate) fn room() -> Level {
    let corners = [(0.0, 0.0), (0.0, 24.0), (24.0, 24.0), (24.0, 0.0)].map(|(x, y)| DVec2::new(x, y));
    // Clockwise, so that the area is on the right.
    let line = |k: usize| Line {
        a: corners[k],
        b: corners[(k + 1) % 4],
        right: 0,
        left: None,
        fence: false,
        teleport: None,
    };
    let start = |x: f64, y: f64| Start { at: DVec2::new(x, y), yaw: 0.3 * x, height_m: None };
    let area = Area { name: "room".into(), floor: Floor::flat(0.0), ceiling_m: 4.0, ..Area::default() };
    Level::new(Map {
        name: "room".into(),
        areas: vec![area],
        lines: (0..4).map(line).collect(),
        items: vec![ItemSpot { item: Item::Health, at: DVec2::new(12.0, 12.0), height_m: None }],
        starts: vec![start(3.0, 3.0), start(3.0, 21.0), start(21.0, 3.0), start(21.0, 21.0)],
        ..Map::default()
    })
    .unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Stands, or turns towards who is in view and shoots.
struct Simple {
    shoots: bool,
}

impl Mind for Simple {
    fn decide(&mut self, percept: &Percept, _: &Places, draw: &mut Stream) -> Command {
        if !self.shoots {
            return Command::default();
        }
        match percept.characters.first() {
            Some(other) => {
                let chest = other.position + repertoire_mind::DVec3::new(0.0, 0.0, 1.0);
                let bearing = percept.own.bearing(chest);
                let fire = if percept.tick.is_multiple_of(2) { Fire::Primary } else { Fire::Secondary };
                Command { yaw: bearing.yaw, pitch: bearing.pitch, fire, ..Command::default() }
            }
            None => Command {
                yaw: 0.5,
                forward: draw.unit() - 0.3,
                weapon: Some(Weapon::Weak),
                ..Command::default()
            },
        }
    }

    fn task(&self) -> &str {
        if self.shoots { "shoot" } else { "stand" }
    }

    fn why(&self) -> String {
        "it knows nothing else".into()
    }

    fn save(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn restore(&mut self, _: &serde_json::Value) -> Result<(), RestoreError> {
        Ok(())
    }
}

pub(crate) fn entry(name: &str, shoots: bool) -> Entry {
    Entry { name: name.into(), make: Arc::new(move || Box::new(Simple { shoots })) }
}

pub(crate) fn small(contenders: Vec<Entry>) -> Tournament {
    let level = Arc::new(room());
    Tournament {
        matches: 3,
        frags: 5,
        ..Tournament::new(vec![("room".into(), level.clone()), ("room".into(), level)], contenders)
    }
}

fn run(tournament: &Tournament) -> Outcome {
    tournament.run(&|_| (), None).expect("a tournament that can be played")
}

#[test]
fn who_shoots_beats_who_stands() {
    let outcome = run(&small(vec![entry("stone", false), entry("hunter", true)]));
    let [hunter, stone] = &outcome.standings[..] else { panic!("{outcome:?}") };
    assert_eq!((hunter.name.as_str(), hunter.wins, hunter.frags, hunter.score.mean), ("hunter", 6, 5.0, 0.0));
    assert_eq!((stone.name.as_str(), stone.wins, stone.frags, stone.score.mean), ("stone", 0, 0.0, 5.0));
    assert_eq!((stone.deaths, stone.accuracy, stone.suicides), (5.0, 0.0, 0.0));
    assert!(hunter.accuracy > 0.1 && hunter.accuracy <= 1.0 && hunter.damage >= 500.0, "{hunter:?}");
    assert!(hunter.lead.is_some_and(|lead| lead.mean == 5.0) && !hunter.is_close_to_next());
    assert!(stone.lead.is_none());
    assert_eq!(outcome.undecided(), 0);
    assert_eq!(outcome.matches.len(), 6);
    for one in &outcome.matches {
        assert_eq!(one.winner.as_deref(), Some("hunter"));
        let over_time = &one.characters[1].frags_over_time;
        assert_eq!((over_time.first(), over_time.last()), (Some(&0), Some(&5)));
        assert!(over_time.is_sorted());
        assert_eq!(over_time.len(), (one.seconds / one.sample_secs).ceil() as usize + 1, "{one:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let tournament = small(vec![entry("a", true), entry("b", true), entry("stone", false)]);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let outcome = pool.install(|| run(&tournament));
        let hashes: Vec<String> = outcome.matches.iter().map(|one| one.hash.clone()).collect();
        (hashes, serde_json::to_string(&outcome).expect("an outcome is plain data"))
    };
    let alone = with_threads(1);
    assert_eq!(alone, with_threads(2));
    assert_eq!(alone, with_threads(8));
    assert!(alone.0.iter().collect::<BTreeSet<_>>().len() == 6, "every match is another: {:?}", alone.0);
}

#[test]
fn another_seed_is_another_tournament_and_a_clock_changes_nothing() {
    static NOW: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let tournament = small(vec![entry("a", true), entry("b", true)]);
    let other = Tournament { seed: 2, ..tournament.clone() };
    assert_ne!(run(&tournament).matches, run(&other).matches);
    let clock: Clock = || NOW.fetch_add(7, std::sync::atomic::Ordering::Relaxed);
    let timed = tournament.run(&|_| (), Some(clock)).expect("a tournament that can be played");
    let timing = timed.timing.clone().expect("a clock was given");
    assert!(
        timing.iter().all(|time| time.decisions > 0 && time.mean_ns >= 7.0 && time.p99_ns >= 7.0),
        "{timing:?}"
    );
    assert_eq!(Outcome { timing: None, ..timed }, run(&tournament));
}

#[test]
fn contenders_take_turns_to_sit_first_and_every_match_is_reported() {
    let seen = Mutex::new(Vec::new());
    let tournament = small(vec![entry("a", true), entry("b", true)]);
    let outcome = tournament.run(&|one| seen.lock().expect("not poisoned").push(one.clone()), None);
    let outcome = outcome.expect("a tournament that can be played");
    let mut seen = seen.into_inner().expect("not poisoned");
    seen.sort_by_key(|one| (one.map_index, one.number));
    assert_eq!(seen, outcome.matches);
    let first: Vec<&str> = outcome.matches.iter().map(|one| one.seats[0].as_str()).collect();
    assert_eq!(first, ["a", "b", "a", "a", "b", "a"]);
}

#[test]
fn an_interrupted_tournament_gives_what_was_played() {
    let tournament = small(vec![entry("a", true), entry("b", true)]);
    let played = std::sync::atomic::AtomicUsize::new(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let until = |most: usize| {
        played.store(0, std::sync::atomic::Ordering::Relaxed);
        let count = |_: &_| {
            played.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let go_on = || played.load(std::sync::atomic::Ordering::Relaxed) < most;
        pool.install(|| tournament.run_while(&go_on, &count, None)).expect("a tournament that can be played")
    };
    let whole = run(&tournament);
    assert!(whole.is_complete());
    let part = until(2);
    assert!(!part.is_complete());
    assert_eq!((part.matches.len(), part.maps.len()), (2, 1));
    assert!(part.matches.iter().all(|one| whole.matches.contains(one)));
    assert!(part.standings.iter().all(|standing| standing.frags.is_finite()));
    let nothing = until(0);
    assert!(nothing.matches.is_empty() && nothing.maps.is_empty() && !nothing.is_complete());
    assert_eq!(until(6), whole);
}

#[test]
fn a_match_that_nobody_wins_ends_undecided_at_the_limit() {
    let mut tournament = small(vec![entry("stone", false), entry("stone", false), entry("stone", false)]);
    tournament.time_limit_secs = 12.0;
    let outcome = run(&tournament);
    assert_eq!(outcome.undecided(), 6);
    assert!(outcome.matches.iter().all(|one| one.winner.is_none() && one.seconds == 12.0));
    let names: Vec<&str> = outcome.standings.iter().map(|standing| standing.name.as_str()).collect();
    assert_eq!(names, ["stone", "stone#2", "stone#3"]);
    let maps: Vec<&str> = outcome.maps.iter().map(|map| map.name.as_str()).collect();
    assert_eq!(maps, ["room", "room#2"]);
    assert!(outcome.standings.iter().all(|standing| standing.score.mean == 0.0 && standing.wins == 0));
    assert!(outcome.standings[0].is_close_to_next() && !outcome.standings[2].is_close_to_next());
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let good = || small(vec![entry("a", true), entry("b", true)]);
    let refused = |tournament: Tournament| {
        tournament.run(&|_| (), None).err().map(|refused| refused.to_string()).unwrap_or_default()
    };
    let few = |count| refused(Tournament { contenders: vec![entry("a", true); count], ..good() });
    assert_eq!(few(0), "a match needs 2 to 255 characters, but there are 0");
    assert_eq!(few(1), "a match needs 2 to 255 characters, but there are 1");
    assert_eq!(few(256), "a match needs 2 to 255 characters, but there are 256");
    assert!(refused(Tournament { levels: Vec::new(), ..good() }).contains("at least one map"));
    assert!(refused(Tournament { matches: 0, ..good() }).contains("at least one match"));
    assert!(refused(Tournament { frags: 0, ..good() }).contains("`frags` is 0"));
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(Tournament { time_limit_secs: limit, ..good() }).contains("time limit"));
    }
}

#[test]
fn names_stay_unique_when_one_looks_numbered_already() {
    let mut names = ["a", "a#2", "a", "a"].map(String::from);
    unique_names(names.iter_mut());
    assert_eq!(names, ["a", "a#2", "a#3", "a#4"]);
}
