//! Fighters with a whole mind: the same to the bit, saved at every tick, each with a personality of its own, and no mistake in a
//! file without its line and a remedy.

use std::sync::{Arc, LazyLock};

use repertoire::eval::{Entry, Tournament};
use repertoire::mind::Mind;
use repertoire::mind::fighter::{Fighter, Stage, shipped};
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::rules::Rules;
use repertoire::{load, maps, roster};

fn level(name: &str) -> Arc<Level> {
    maps::find(name).expect("it is shipped").1
}

/// Four whole fighters, and a native bot.
fn contenders() -> Vec<Contender> {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let names = ["hunter", "stalker", "survivor", "mimic", "native:3"].into_iter();
        names.map(|name| roster::find(name).expect("shipped")).collect()
    });
    ENTRIES.iter().map(|entry| Contender { name: entry.name.clone(), mind: (entry.make)() }).collect()
}

fn play(game: &mut Match, ticks: usize) -> u64 {
    (0..ticks).for_each(|_| game.tick());
    game.world().hash()
}

/// What was played when these were written. A change here changes every recording: say so in the changelog.
const GOLDEN: [(&str, u64); 3] =
    [("yard", 0xd518_1f4a_25a9_047e), ("halls", 0x64dc_47fd_8b70_fc07), ("keep", 0xb2ae_87bd_c398_f903)];

#[test]
fn matches_have_the_pinned_hashes() {
    let found = GOLDEN
        .map(|(name, _)| (name, play(&mut Match::new(level(name), Rules::default(), contenders(), 4), 400)));
    assert_eq!(format!("{found:#018x?}"), format!("{GOLDEN:#018x?}"));
}

#[test]
fn saved_and_restored_at_every_tick_they_play_the_same() {
    let level = level("yard");
    let mut straight = Match::new(Arc::clone(&level), Rules::default(), contenders(), 9);
    let mut broken = Match::new(Arc::clone(&level), Rules::default(), contenders(), 9);
    for tick in 0..200 {
        let saved = serde_json::to_string(&broken.save()).unwrap();
        broken =
            Match::restore(Arc::clone(&level), contenders(), serde_json::from_str(&saved).unwrap()).unwrap();
        assert_eq!(play(&mut straight, 1), play(&mut broken, 1), "tick {tick}");
    }
    let plans = straight.contenders().iter().filter(|contender| contender.mind.why().contains("plan for"));
    assert!(plans.count() > 0, "somebody was in the middle of a plan");
}

#[test]
fn any_number_of_threads_plays_the_same() {
    let outcome = |threads: usize| {
        let contenders = ["hunter", "stalker", "mimic"].map(|name| roster::find(name).unwrap());
        let tournament = Tournament {
            matches: 4,
            frags: 3,
            ..Tournament::new(vec![("yard".to_owned(), level("yard"))], contenders.to_vec())
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| tournament.run(&|_| (), None)).unwrap();
        outcome.matches.iter().map(|played| played.hash.clone()).collect::<Vec<_>>()
    };
    assert_eq!(outcome(1), outcome(2));
    assert_eq!(outcome(1), outcome(8));
}

/// How far a character runs per minute, and the share of its time in each task, in duels with native:3.
fn ways(name: &str) -> (f64, impl Fn(&str) -> f64) {
    let (mut metres, mut ticks) = (0.0, 0u32);
    let mut tasks: std::collections::BTreeMap<String, u32> = Default::default();
    for seed in 0..3 {
        let sit = |name: &str| Contender {
            name: name.to_owned(),
            mind: (roster::find(name).expect("shipped").make)(),
        };
        let mut game = Match::new(level("halls"), Rules::default(), vec![sit(name), sit("native:3")], seed);
        for _ in 0..1500 {
            game.tick();
            let own = &game.percepts()[0].own;
            metres += own.velocity.truncate().length() * 0.1;
            ticks += 1;
            *tasks.entry(game.contenders()[0].mind.task().to_owned()).or_default() += 1;
        }
    }
    let share = move |task: &str| f64::from(tasks.get(task).copied().unwrap_or(0)) / f64::from(ticks);
    (metres / f64::from(ticks) * 600.0, share)
}

#[test]
fn they_have_personalities() {
    let (hunter_runs, hunter) = ways("hunter");
    let (stalker_runs, stalker) = ways("stalker");
    let (_, survivor) = ways("survivor");
    assert!(stalker_runs < 0.85 * hunter_runs, "the stalker moves less: {stalker_runs} {hunter_runs}");
    assert!(
        stalker("ambush") > 0.25 && hunter("ambush") < 0.05,
        "{} {}",
        stalker("ambush"),
        hunter("ambush")
    );
    assert!(hunter("hunt") > 0.2 && stalker("hunt") < 0.1, "{} {}", hunter("hunt"), stalker("hunt"));
    assert!(survivor("flee") > 2.0 * hunter("flee") + 0.01, "{} {}", survivor("flee"), hunter("flee"));
}

#[test]
fn every_stage_of_a_shipped_fighter_speaks_and_can_be_left_out() {
    for (name, _) in shipped::FIGHTERS {
        let design = load::fighter(name).unwrap();
        assert_eq!(design.name(), name);
        for stage in Stage::ALL {
            assert!(design.without(stage).is_some(), "{name} has no stage {}", stage.name());
        }
        let sit = |mind: Box<dyn Mind>| Contender { name: "x".into(), mind };
        let minds =
            vec![sit(Box::new(Fighter::new(&design))), sit((roster::find("native:3").unwrap().make)())];
        let mut game = Match::new(level("yard"), Rules::default(), minds, 2);
        let mut said = String::new();
        for _ in 0..600 {
            game.tick();
            said += &game.contenders()[0].mind.why();
        }
        for row in [
            "enemies=",
            "enemy_close, not sure",
            "\nwants",
            "\nplan ",
            "\nteacher",
            "\nexperience",
            "plan for",
        ] {
            assert!(said.contains(row), "{name} never says `{row}`");
        }
    }
}

#[test]
fn mistakes_are_answered_with_their_line_and_a_remedy() {
    let text = shipped::text("hunter").unwrap();
    let cases = [
        ("\"explore\"]", "\"exploar\"]", "fighters have no task `exploar`", "did you mean `explore`?"),
        ("hands = \"native:3\"", "hands = \"native:9\"", "`native:9` are no hands", "native:0 to native:7"),
        (
            "teacher = \"imitator\"",
            "teacher = \"nobody\"",
            "the teacher `nobody` cannot be had",
            "learn one with",
        ),
        ("look_for = \"hunt\"", "", "no task carries out the action `look_for`", "[plan.tasks]"),
        (
            "arms = [\"poor\", \"good\"]",
            "arms = [\"good\", \"poor\"]",
            "the fact `arms` has the values",
            "poor, good",
        ),
        ("[imitate]\nteacher = \"imitator\"", "[act.x]\ny = \"z\"", "`x` is not a key here", "hands"),
        ("win = 1.0", "", "nothing says why the goal `win` is pursued", "name the need it serves"),
        ("[believe]", "[beleive]", "`beleive` is not a key here", "did you mean `believe`?"),
    ];
    for (right, wrong, what, remedy) in cases {
        let text = text.replacen(right, wrong, 1);
        let mistake = shipped::read(&text).err().unwrap_or_else(|| panic!("{wrong} was read"));
        assert!(mistake.what.contains(what) && mistake.remedy.contains(remedy), "{wrong}: {mistake}");
        assert!(mistake.line > 1, "{wrong}: {mistake}");
    }
}

#[test]
fn a_state_of_another_fighter_is_refused() {
    let fighter = |name: &str| Fighter::new(&load::fighter(name).unwrap());
    let whole = fighter("hunter").save();
    for stage in [Stage::Believe, Stage::Learn, Stage::Imitate] {
        let less = load::fighter("hunter").unwrap().without(stage).unwrap();
        assert!(Fighter::new(&less).restore(&whole).is_err(), "{}", stage.name());
    }
    assert!(fighter("hunter").restore(&whole).is_ok());
    assert!(fighter("hunter").restore(&serde_json::json!({ "state": 1 })).is_err());
}

#[test]
fn who_learned_by_imitation_tells_what_it_attends_to() {
    let find = |name: &str| {
        let entry = roster::find(name).expect("shipped");
        Contender { name: entry.name.clone(), mind: (entry.make)() }
    };
    let seats = vec![find("imitator"), find("native:3")];
    let mut game = Match::new(level("yard"), Rules::default(), seats, 5);
    let mut attended = 0;
    for _ in 0..200 {
        game.decide();
        assert_eq!(game.contenders()[1].mind.attention(), [], "a native bot has no attention");
        let attention = game.contenders()[0].mind.attention();
        let sum: f64 = attention.iter().map(|one| one.share).sum();
        assert!(sum <= 1.0 + 1e-9, "{sum}");
        assert!(attention.is_sorted_by(|a, b| a.share >= b.share));
        attended += usize::from(sum > 0.5);
        game.advance();
    }
    assert!(attended > 100, "{attended} of 200 decisions");
}
