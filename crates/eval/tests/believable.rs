//! Each row of the card tells apart who meets it from who was built not to.

use std::cell::Cell;
use std::sync::Arc;

use repertoire_eval::Entry;
use repertoire_eval::believable::{Believable, Card, Happens, PEOPLE_ROUTES_NATS, Row};
use repertoire_mind::fighter::shipped::design as shipped_fighter;
use repertoire_mind::fighter::{Fighter, FighterDesign, Files, Stage};
use repertoire_mind::{Command, DVec3, Fire, Mind, Percept, Place, Places, RestoreError, turn_between};
use repertoire_prob::{Stream, num};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped::shipped};

fn entry(name: &str, make: impl Fn() -> Box<dyn Mind> + Send + Sync + 'static) -> Entry {
    Entry { name: name.to_owned(), make: Arc::new(make) }
}

fn native(level: u8) -> Entry {
    entry(&format!("native:{level}"), move || Box::new(Fighter::native(level)))
}

/// Some rows of the card of somebody who plays on halls; all of them if none is named.
fn card_of(subject: Entry, opponents: Vec<Entry>, seed: u64, rows: &[u8]) -> Card {
    judge_of(subject, opponents, seed, rows).run(&|| ()).expect("there is something to play")
}

fn judge_of(subject: Entry, opponents: Vec<Entry>, seed: u64, rows: &[u8]) -> Believable {
    let halls = file::read(shipped("halls").expect("shipped")).expect("a map").map;
    Believable {
        subject,
        without_plan: None,
        without_memory: None,
        without_learning: None,
        reference: native(5),
        others: vec![native(1), native(4)],
        opponents,
        levels: vec![("halls".to_owned(), Arc::new(Level::new(halls).expect("playable")))],
        matches: 3,
        seconds: 90.0,
        seed,
        rows: rows.to_vec(),
    }
}

fn row<'c>(card: &'c Card, name: &str) -> &'c Row {
    card.rows.iter().find(|row| row.row == name).expect("ten rows")
}

/// Somebody whose commands are a function of what they perceive and draw, and of nothing else.
struct Simple<F>(F);

impl<F: FnMut(&Percept, &mut Stream) -> Command + Send> Mind for Simple<F> {
    fn decide(&mut self, percept: &Percept, _: &Places, draw: &mut Stream) -> Command {
        (self.0)(percept, draw)
    }
    fn task(&self) -> &str {
        "roam"
    }
    fn why(&self) -> String {
        String::new()
    }
    fn save(&self) -> serde_json::Value {
        serde_json::Value::Null
    }
    fn restore(&mut self, _: &serde_json::Value) -> Result<(), RestoreError> {
        Ok(())
    }
}

fn simple(name: &str, decide: fn(&Percept, &mut Stream) -> Command) -> Entry {
    entry(name, move || Box::new(Simple(decide)))
}

#[test]
fn who_neither_sees_nor_hears_does_not_react_nor_vary() {
    let blind = simple("blind", |percept, _| Command {
        yaw: if percept.rays_m[0] < 1.5 { 0.6 } else { 0.0 },
        forward: 1.0,
        ..Command::default()
    });
    let card = card_of(blind, vec![native(3)], 1, &[1, 2, 3]);
    assert_eq!((row(&card, "B1").number, row(&card, "B1").met), (Some(0.0), Some(false)));
    assert_eq!((row(&card, "B3").number, row(&card, "B3").met), (Some(0.0), Some(false)));
    assert_eq!(row(&card, "B2").number, None, "nobody who does not turn has a time for it");
}

#[test]
fn who_reacts_at_once_is_too_fast_for_a_person() {
    let instant = simple("instant", |percept, _| match percept.characters.first() {
        Some(seen) => {
            let yaw = percept.own.bearing(seen.position).yaw;
            let fire = if yaw.abs() < 0.1 { Fire::Primary } else { Fire::None };
            Command { yaw, fire, ..Command::default() }
        }
        None => Command {
            yaw: if percept.rays_m[0] < 1.5 { 0.6 } else { 0.0 },
            forward: 1.0,
            ..Command::default()
        },
    });
    let card = card_of(instant, vec![native(3)], 1, &[2]);
    let time = row(&card, "B2");
    assert_eq!((time.number, time.met), (Some(50.0), Some(false)), "{}", time.means);
}

#[test]
fn who_does_anything_at_all_varies_too_much() {
    let random = simple("random", |_, draw| Command {
        yaw: draw.unit() - 0.5,
        forward: 2.0 * draw.unit() - 1.0,
        lateral: 2.0 * draw.unit() - 1.0,
        fire: if draw.unit() < 0.5 { Fire::Primary } else { Fire::None },
        ..Command::default()
    });
    let card = card_of(random, vec![native(3)], 1, &[3, 5]);
    assert!(row(&card, "B3").number.is_some_and(|ratio| ratio > 2.0), "{}", row(&card, "B3").means);
    assert_eq!(row(&card, "B3").met, Some(false));
    assert_eq!(row(&card, "B5").met, Some(false), "and nobody understands what it is up to");
}

thread_local! {
    /// What a conspirator lets somebody know whom nobody sees.
    static TOLD: Cell<DVec3> = const { Cell::new(DVec3::ZERO) };
}

#[test]
fn who_is_told_what_they_cannot_see_is_found_out() {
    let teller = simple("teller", |percept, _| {
        TOLD.set(percept.own.position);
        Command { yaw: 0.05, forward: 1.0, ..Command::default() }
    });
    let omniscient = simple("omniscient", |percept, _| Command {
        yaw: percept.own.bearing(TOLD.get()).yaw.clamp(-0.5, 0.5),
        forward: 1.0,
        ..Command::default()
    });
    let card = card_of(omniscient, vec![teller.clone()], 1, &[6]);
    assert!(row(&card, "B6").number.is_some_and(|share| share < 0.9), "{}", row(&card, "B6").means);
    let honest = card_of(native(3), vec![teller], 1, &[6]);
    assert_eq!(row(&honest, "B6").number, Some(1.0), "{}", row(&honest, "B6").means);
}

#[test]
fn who_has_no_plan_and_learns_nothing_is_told_so() {
    let card = card_of(native(3), vec![native(5), native(5)], 1, &[7, 8, 9, 10]);
    for name in ["B7", "B8"] {
        assert_eq!(row(&card, name).met, Some(false));
        assert!(row(&card, name).means.contains("no such stage"));
    }
    let evolution = row(&card, "B9");
    assert_ne!(evolution.met, Some(true), "{}", evolution.means);
    let changed = row(&card, "B10").number.expect("three matches");
    assert!((0.35..0.65).contains(&changed), "{changed}");
}

/// Somebody who plays like another, but perceives or draws something else.
struct Wrapped(Fighter, fn(&mut Percept, &mut Stream));

impl Mind for Wrapped {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let (mut percept, mut draw) = (percept.clone(), draw.clone());
        (self.1)(&mut percept, &mut draw);
        self.0.decide(&percept, places, &mut draw)
    }
    fn task(&self) -> &str {
        self.0.task()
    }
    fn why(&self) -> String {
        self.0.why()
    }
    fn surprise(&self, way: &[Place], places: &Places) -> Option<(f64, usize)> {
        self.0.surprise(way, places)
    }
    fn save(&self) -> serde_json::Value {
        self.0.save()
    }
    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.0.restore(saved)
    }
}

#[test]
fn who_is_deaf_does_not_react_to_shots() {
    let deaf = entry("deaf", || Box::new(Wrapped(Fighter::native(3), |percept, _| percept.noises.clear())));
    let reacts = |card: &Card| {
        let shots = card.reactions.iter().filter(|one| one.event == Happens::Shot);
        let differ: Vec<bool> = shots.map(|one| one.differs.is_some()).collect();
        assert!(differ.len() >= 5, "there is something to hear");
        differ.iter().filter(|differs| **differs).count() as f64 / differ.len() as f64
    };
    let (deaf, hears) =
        (card_of(deaf, vec![native(3)], 1, &[1]), card_of(native(3), vec![native(3)], 1, &[1]));
    assert_eq!((reacts(&deaf), row(&deaf, "B1").met), (0.0, Some(false)));
    assert!(reacts(&hears) > 0.9, "{}", reacts(&hears));
}

/// Keeps to the wall on its right.
fn round() -> Entry {
    simple("round", |percept, _| {
        let (ahead, right) = (percept.rays_m[0], percept.rays_m[6]);
        let yaw = if ahead < 1.5 {
            0.6
        } else if right > 2.0 {
            -0.3
        } else {
            0.0
        };
        Command { yaw, forward: 1.0, ..Command::default() }
    })
}

#[test]
fn whose_routes_are_everybodys_or_always_the_same_is_no_person() {
    let second = |judge: Believable| {
        let card = judge.run(&|| ()).expect("there is something to play");
        row(&card, "B4").second.clone().expect("B4 has two halves")
    };
    let of = |subject: Entry| judge_of(subject, vec![native(3)], 1, &[4]);
    let common = second(Believable { others: vec![native(3), native(3)], ..of(native(3)) });
    assert_eq!(common.met, Some(false), "{}", common.means);
    assert!(common.number.is_some_and(|gain| gain < PEOPLE_ROUTES_NATS.0), "{}", common.means);
    let round = second(of(round()));
    assert_eq!(round.met, Some(false), "{}", round.means);
    assert!(round.number.is_some_and(|gain| gain > PEOPLE_ROUTES_NATS.1), "{}", round.means);
    let still = second(of(simple("still", |_, _| Command::default())));
    assert_eq!((still.number, still.met), (None, Some(false)), "{}", still.means);
}

/// Somebody who plays like another, but whose eyes sweep around, whatever it is up to; it fires where it looks.
struct Dreamer(Fighter);

impl Mind for Dreamer {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let own = &percept.own;
        let command = self.0.decide(percept, places, draw).sane();
        let yaw = turn_between(own.yaw, 0.11 * f64::from(percept.tick));
        let (sin, cos) = (num::sin((command.yaw - yaw) / 2.0), num::cos((command.yaw - yaw) / 2.0));
        let (forward, lateral) = (command.forward, command.lateral);
        Command {
            yaw,
            forward: forward * cos - lateral * sin,
            lateral: lateral * cos + forward * sin,
            fire: if (command.yaw - yaw).abs() < 0.1 { command.fire } else { Fire::None },
            ..command
        }
    }
    fn task(&self) -> &str {
        self.0.task()
    }
    fn why(&self) -> String {
        self.0.why()
    }
    fn save(&self) -> serde_json::Value {
        self.0.save()
    }
    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.0.restore(saved)
    }
}

#[test]
fn whose_eyes_follow_nothing_is_understood_no_better_by_them() {
    let second = |subject: Entry| {
        let card = card_of(subject, vec![native(3)], 1, &[5]);
        row(&card, "B5").second.clone().expect("B5 has two halves")
    };
    let dreamer = second(entry("dreamer", || Box::new(Dreamer(Fighter::native(3)))));
    assert_eq!(dreamer.met, Some(false), "{}", dreamer.means);
    let awake = second(native(3));
    assert_eq!(awake.met, Some(true), "{}", awake.means);
    assert!(awake.number > dreamer.number, "{} {}", awake.means, dreamer.means);
    let stiff = second(simple("stiff", |_, _| Command { forward: 1.0, ..Command::default() }));
    assert_eq!((stiff.number, stiff.met), (None, None), "{}", stiff.means);
}

#[test]
fn who_is_mechanical_does_not_vary() {
    let fixed = |percept: &mut Percept, draw: &mut Stream| {
        *draw = Stream::new(7, u64::from(percept.tick), "mechanical");
    };
    let mechanical = entry("mechanical", move || Box::new(Wrapped(Fighter::native(3), fixed)));
    let card = card_of(mechanical, vec![native(3)], 1, &[3]);
    assert_eq!((row(&card, "B3").number, row(&card, "B3").met), (Some(0.0), Some(false)));
}

#[test]
fn whose_plans_and_beliefs_change_nothing_has_neither() {
    let same = |name: &str| Some(entry(name, || Box::new(Fighter::native(3))));
    let judge = Believable {
        without_plan: same("planless"),
        without_memory: same("forgetful"),
        ..judge_of(native(3), vec![native(3)], 1, &[7, 8])
    };
    let card = judge.run(&|| ()).expect("there is something to play");
    for name in ["B7", "B8"] {
        assert_eq!((row(&card, name).number, row(&card, name).met), (Some(1.0), Some(false)), "{name}");
    }
}

#[test]
fn who_learns_can_be_told_from_who_it_was_and_the_same_without_learning_cannot() {
    let hunter = shipped_fighter("hunter").expect("shipped");
    let unlearning = hunter.without(Stage::Learn).expect("it learns");
    let of = |design: Arc<FighterDesign>| {
        let name = design.name().to_owned();
        let subject = entry(&name, move || Box::new(Fighter::new(&design)));
        let judge = Believable { matches: 1, ..judge_of(subject, vec![native(3), native(3)], 1, &[10]) };
        let card = judge.run(&|| ()).expect("there is something to play");
        row(&card, "B10").number.expect("matches of six minutes")
    };
    let (learns, does_not) = (of(hunter), of(unlearning));
    assert!(learns > 0.65 && does_not < 0.6 && learns > does_not + 0.1, "{learns} {does_not}");
}

#[test]
fn who_learns_stops_repeating_its_mistakes_and_the_same_without_learning_does_not() {
    let hunter = shipped_fighter("hunter").expect("shipped");
    let unlearning = hunter.without(Stage::Learn).expect("it learns");
    let sit = |design: &Arc<FighterDesign>| {
        let (name, design) = (design.name().to_owned(), Arc::clone(design));
        entry(&name, move || Box::new(Fighter::new(&design)))
    };
    let second = |design: &Arc<FighterDesign>| {
        let without_learning = Some(sit(&unlearning));
        let judge = judge_of(sit(design), vec![native(3), native(3)], 3, &[10]);
        let card = Believable { without_learning, matches: 4, ..judge }
            .run(&|| ())
            .expect("there is something to play");
        row(&card, "B10").second.clone().expect("B10 has two halves")
    };
    let (learns, does_not) = (second(&hunter), second(&unlearning));
    assert_eq!(learns.met, Some(true), "{}", learns.means);
    assert_eq!(does_not.met, Some(false), "{}", does_not.means);
    assert!(learns.number < does_not.number, "{} {}", learns.means, does_not.means);
}

/// A state machine that learns how opponents walk from those it sees, with hands that let it live long enough to see much.
const WATCHER: &str = r#"
name = "watcher"
[decide]
by = "machine"
[believe]
opponents = true
[act]
hands = "native:7"
[learn]
opponents = true
"#;

#[test]
fn a_teachers_unseen_play_becomes_more_likely_to_who_watches_and_not_to_who_sees_nobody() {
    let nothing = || "nothing else is named".to_owned();
    let mut files = Files {
        behaviour: &mut |_| Err(nothing().into()),
        taught: &mut |_| Err(nothing().into()),
        profile: &mut |_| Err(nothing().into()),
        domain: &mut |_| Err(nothing().into()),
        model: &mut |_| Err(nothing().into()),
        moments: &mut |_| Err(nothing().into()),
        program: &mut |_| Err(nothing().into()),
    };
    let watcher = FighterDesign::read(WATCHER, &mut files).expect("a fighter");
    let half = |name: &str, design: &Arc<FighterDesign>, percept: fn(&mut Percept, &mut Stream)| {
        let design = Arc::clone(design);
        let subject = entry(name, move || Box::new(Wrapped(Fighter::new(&design), percept)));
        let judge = judge_of(subject, vec![native(3), native(3)], 1, &[9]);
        let judge = Believable { matches: 2, ..judge };
        let card = judge.run(&|| ()).expect("there is something to play");
        row(&card, "B9").clone()
    };
    let second = |row: &Row| row.second.clone().expect("B9 has two halves");
    let watches = second(&half("watcher", &watcher, |_, _| ()));
    assert_eq!(watches.met, Some(true), "{}", watches.means);
    let sees_nobody = half("blindfolded", &watcher, |percept, _| percept.characters.clear());
    assert_eq!(second(&sees_nobody).met, Some(false), "{}", second(&sees_nobody).means);
    assert_ne!(sees_nobody.met, Some(true), "{}", sees_nobody.means);
    let unlearning = watcher.without(Stage::Learn).expect("it learns");
    let learns_nothing = half("unlearning", &unlearning, |_, _| ());
    assert_eq!((second(&learns_nothing).number, second(&learns_nothing).met), (None, None));
    assert_eq!(learns_nothing.met, learns_nothing.first_met, "it is judged by its deaths alone");
}

#[test]
fn a_card_is_a_function_of_its_seed_on_any_number_of_threads() {
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let judge = Believable { matches: 1, ..judge_of(native(3), vec![native(3)], seed, &[]) };
        pool.install(|| judge.run(&|| ()).expect("there is something to play"))
    };
    assert_eq!(on(1, 2), on(3, 2));
    assert_ne!(on(1, 2), on(1, 3));
}
