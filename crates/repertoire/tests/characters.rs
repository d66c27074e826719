//! Every kind of character: the same to the bit as ever, and when saved and restored at every tick.

use std::path::Path;
use std::sync::Arc;

use repertoire::mind::Percept;
use repertoire::mind::fighter::{By, Fighter, Stage, shipped};
use repertoire::prob::Stream;
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::rules::Rules;
use repertoire::{maps, roster};

fn level(name: &str) -> Arc<Level> {
    maps::find(name).expect("it is shipped").1
}

fn contenders(names: &[&str]) -> Vec<Contender> {
    let sit = |name: &&str| {
        let entry = roster::find(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        Contender { name: entry.name, mind: (entry.make)() }
    };
    names.iter().map(sit).collect()
}

fn play(game: &mut Match, ticks: usize) -> u64 {
    (0..ticks).for_each(|_| game.tick());
    game.world().hash()
}

const BELIEVERS: [&str; 4] = ["native:1+belief", "native:3+belief", "native:5", "native:7+belief"];
const INDIVIDUALS: [&str; 4] =
    ["individual:brute", "individual:careful", "individual:hurried", "individual:plain"];
const IMITATORS: [&str; 4] = ["imitator", "prudent", "imitator", "native:3"];

/// What was played when these were written. A change here changes every recording: say so in the changelog.
const GOLDEN: [([&str; 4], &str, u64); 9] = [
    (BELIEVERS, "yard", 0x8bcc_83a3_31c4_beae),
    (BELIEVERS, "halls", 0x54fc_9e66_c39d_be47),
    (BELIEVERS, "keep", 0xb89f_55f8_9287_b5ad),
    (INDIVIDUALS, "yard", 0x9f2d_d7ec_f411_3258),
    (INDIVIDUALS, "halls", 0xceac_863a_2ca1_08f2),
    (INDIVIDUALS, "keep", 0x6465_53a4_8813_37c7),
    (IMITATORS, "yard", 0x8104_7fab_ddc3_2a2d),
    (IMITATORS, "halls", 0xd06c_c3f0_029b_2d6f),
    (IMITATORS, "keep", 0x2d58_b006_f0c2_1773),
];

#[test]
fn matches_have_the_pinned_hashes() {
    let found = GOLDEN.map(|(names, map, _)| {
        (names, map, play(&mut Match::new(level(map), Rules::default(), contenders(&names), 3), 500))
    });
    assert_eq!(format!("{found:#018x?}"), format!("{GOLDEN:#018x?}"));
}

#[test]
fn saved_and_restored_at_every_tick_they_play_the_same() {
    for names in [BELIEVERS, INDIVIDUALS, IMITATORS, ["prudent", "aggressive", "uniform", "native:0"]] {
        let level = level("yard");
        let mut straight = Match::new(Arc::clone(&level), Rules::default(), contenders(&names), 9);
        let mut broken = Match::new(Arc::clone(&level), Rules::default(), contenders(&names), 9);
        for tick in 0..120 {
            let saved = serde_json::to_string(&broken.save()).unwrap();
            let saved = serde_json::from_str(&saved).unwrap();
            broken = Match::restore(Arc::clone(&level), contenders(&names), saved).unwrap();
            assert_eq!(play(&mut straight, 1), play(&mut broken, 1), "{names:?}, tick {tick}");
        }
    }
}

/// What a character does in a match on the yard against native:3, from the text of its file.
fn hash_of(text: &str, ticks: usize) -> u64 {
    let design = shipped::read(text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
    let mut minds = contenders(&["native:3", "native:3"]);
    minds[0].mind = Box::new(Fighter::new(&design));
    play(&mut Match::new(level("yard"), Rules::default(), minds, 6), ticks)
}

#[test]
fn every_character_is_a_file() {
    let mut written: Vec<String> = shipped::names().map(str::to_owned).collect();
    written.extend(["native:0", "native:7+belief", "individual:brute", "prudent+belief"].map(str::to_owned));
    for written in written {
        let text = roster::text_of(&written).unwrap();
        let mut minds = contenders(&[&written, "native:3"]);
        minds[0].name = "native:3".into();
        let by_name = play(&mut Match::new(level("yard"), Rules::default(), minds, 6), 60);
        assert_eq!(hash_of(&text, 60), by_name, "{written}");
    }
}

#[test]
fn every_decider_takes_every_stage() {
    let stages = r#"
        [believe]
        opponents = true
        [want.profile]
        goals = { health = 2.0, hunt = 1.2 }
        [needs]
        wounds = { matters = 2.0, eased.health_search = 0.01 }
        [facts]
        enemy = ["unknown", "lost", "seen", "beaten"]
        [actions]
        hunt = "enemy: unknown -> seen"
        follow = "enemy: lost -> seen"
        attack = "enemy: seen -> beaten"
        [goals]
        win = "enemy=beaten"
        [plan.tasks]
        follow = "hunt"
        [plan.pursue]
        win = 1.0
        [learn]
        weight = 0.5
        [imitate]
        teacher = "imitator"
        weight = 0.2
        [reflex]
        footing = true
    "#;
    for by in By::ALL.map(By::name) {
        for hands in ["native:3", "program", "teacher"] {
            let own = if by == "sequence" { "file = \"prudent\"" } else { "" };
            let tables = "[decide]\nby = \"BY\"\nOWN\n[act]\nhands = \"HANDS\"\n";
            let tables = tables.replace("BY", by).replace("OWN", own).replace("HANDS", hands);
            let mut text = format!("name = \"{by}\"\n{tables}{stages}");
            if by == "sequence" {
                // The thesis's tasks have no hunt.
                text = text
                    .replace("hunt = \"enemy", "look = \"enemy")
                    .replace("follow = \"hunt\"", "follow = \"attack\"\nlook = \"explore\"");
            }
            let design = shipped::read(&text).unwrap_or_else(|mistake| panic!("{by} {hands}: {mistake}"));
            let mut minds = contenders(&["native:3", "native:3"]);
            minds[0].mind = Box::new(Fighter::new(&design));
            let mut game = Match::new(level("yard"), Rules::default(), minds, 6);
            let mut said = String::new();
            for _ in 0..80 {
                game.tick();
                said += &game.contenders()[0].mind.why();
            }
            let own = if by == "machine" { "\nmachine" } else { "\nwants" };
            for row in ["\nwants", "\nplan ", "\nmotives", "\nteacher", "\nexperience", own] {
                assert!(said.contains(row), "{by} with hands {hands} never says `{row}`:\n{said:.3000}");
            }
        }
    }
}

#[test]
fn belief_can_be_added_to_everybody_and_changes_what_they_do() {
    for name in ["native:3", "prudent", "imitator", "individual:plain"] {
        let played = |name: &str| {
            let mut minds = contenders(&[name, "native:3"]);
            minds[0].name = "it".into();
            play(&mut Match::new(level("halls"), Rules::default(), minds, 6), 400)
        };
        assert_ne!(played(name), played(&format!("{name}+belief")), "{name}");
    }
    let hunter = roster::find("hunter+belief").unwrap();
    assert!((hunter.make)().needs_sight());
}

#[test]
fn stages_that_do_not_fit_together_are_answered_with_line_and_remedy() {
    for (text, what, remedy) in [
        ("name = \"x\"\n[decide]\nby = \"machin\"", "nobody decides by `machin`", "did you mean `machine`?"),
        ("name = \"x\"\n[decide]\nby = \"motivation\"", "there is no profile", "[want] profile"),
        ("name = \"x\"\n[decide]\nby = \"imitation\"", "nobody to imitate", "[imitate] teacher"),
        (
            "name = \"x\"\n[decide]\nby = \"machine\"\nfile = \"prudent\"\n[learn]\n",
            "a file of tables",
            "by = \"sequence\"",
        ),
        (
            "name = \"x\"\n[decide]\nfile = \"prudnt\"",
            "the behaviour `prudnt` cannot be had",
            "prudent, aggressive",
        ),
        (
            "name = \"x\"\n[decide]\nby = \"machine\"\n[want]\nprofile = \"brute\"",
            "a profile has no say",
            "tasks",
        ),
        (
            "name = \"x\"\n[decide]\nby = \"motivation\"\n[want]\nprofile = \"brutal\"",
            "the profile `brutal`",
            "shipped profile",
        ),
        (
            "name = \"x\"\nstay = 0.5\ntasks = [\"explore\", \"attack\"]\n[want.profile]\ngoals = { helth = 2.0 }",
            "no goal `helth`",
            "did you mean `health`?",
        ),
        (
            "name = \"x\"\nstay = 0.5\ntasks = [\"explore\", \"attack\"]\n[want.profile]\ngoals = { health = 2.0 }",
            "no task pursues the goal `health`",
            "health_search",
        ),
        (
            "name = \"x\"\nstay = 0.5\ntasks = [\"explore\", \"attack\"]\n[plan]\nfile = \"war.toml\"",
            "the planning domain `war.toml`",
            "plan lint",
        ),
        ("name = \"x\"\n[decide]\nby = \"machine\"\n[reflex]\nfotting = true", "fotting", "footing"),
    ] {
        let mistake = shipped::read(text).err().unwrap_or_else(|| panic!("{text} was read"));
        let said = mistake.to_string();
        assert!(said.contains(what) && said.contains(remedy) && mistake.line > 1, "{text}\n{said}");
    }
}

/// What the first of some characters perceives in a match.
fn percepts(names: &[&str], ticks: usize) -> (Arc<Level>, Vec<Percept>) {
    let level = level("halls");
    let mut game = Match::new(Arc::clone(&level), Rules::default(), contenders(names), 5);
    let perceive = |_| {
        game.perceive();
        game.decide();
        let percept = game.percepts()[0].clone();
        game.advance();
        percept
    };
    (level, (0..ticks).map(perceive).collect())
}

#[test]
fn nothing_allocates_after_warm_up() {
    for name in ["prudent", "aggressive", "native:3"] {
        let (level, percepts) = percepts(&[name, "native:3", "native:5"], 600);
        let mut mind = (roster::find(name).unwrap().make)();
        let mut draw = Stream::new(1, 0, "allocations");
        let (warm_up, rest) = percepts.split_at(300);
        let mut decide = |percepts: &[Percept]| {
            percepts.iter().map(|seen| mind.decide(seen, level.places(), &mut draw).forward).sum::<f64>()
        };
        decide(warm_up);
        let counted = allocation_counter::measure(|| {
            decide(rest);
        });
        assert_eq!(counted.count_total, 0, "{name}: {counted:?}");
    }
}

#[test]
fn a_stage_may_be_a_file_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stages");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("tables.toml", repertoire::mind::fighter::shipped::text("prudent").unwrap());
    write("moods.toml", "name = \"moods\"\n[goals]\nhealth = 3.0\n");
    let domain = "name = \"war\"\n[variables]\nenemy = [\"unknown\", \"lost\", \"seen\", \"beaten\"]\n[actions]\nattack = \"enemy: seen -> beaten\"\n[goals]\nwin = \"enemy=beaten\"\n";
    write("war.toml", domain);
    write(
        "scout.toml",
        "name = \"scout\"\n[decide]\nfile = \"tables.toml\"\n[want]\nprofile = \"moods.toml\"\n[plan]\nfile = \"war.toml\"\n[plan.pursue]\nwin = 1.0\n",
    );
    let file = folder.join("scout.toml");
    let design = repertoire::load::fighter_file(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(design.name(), "scout");
    let stages: Vec<&str> = design.stages().into_iter().map(Stage::name).collect();
    assert_eq!(stages, ["want", "plan", "decide"]);
    let scout = roster::find(&format!("scout={}", file.display())).unwrap();
    assert_eq!(scout.name, "scout");
}

#[test]
fn interactions_are_read_from_text_through_the_facade() {
    use repertoire::prelude::Laws;
    let text = "[interaction.eat]\naction = \"actor.energy.add(5)\"\n[kind.person]\nperforms = [\"eat\"]\nproperties = { energy = 3 }\n[kind.apple]\nundergoes = [\"eat\"]\n";
    let laws = Laws::read(text).unwrap();
    assert_eq!((laws.interactions.len(), laws.kinds.len()), (1, 2));
    let mistake = Laws::read(&text.replace("\"eat\"]", "\"eet\"]")).err().unwrap();
    assert!(mistake.line > 1 && mistake.to_string().contains("eat"), "{mistake}");
}
