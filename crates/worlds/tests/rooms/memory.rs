//! Characters know only what they have seen, may be wrong, and get over it.

use repertoire_character::Value;
use repertoire_character::expression::Change;
use repertoire_worlds::rooms::World;

use crate::common::{Run, run, shipped, written};

fn id(world: &World, name: &str) -> repertoire_character::ThingId {
    let scenario = world.scenario();
    let word = scenario.laws.words.find(name);
    word.and_then(|word| scenario.roster.named(word)).unwrap_or_else(|| panic!("{name} is a thing"))
}

const CORRIDOR: &str = "name = \"corridor\"\nmap = \"\"\"\n#############\n#@....D....a#\n#############\n\"\"\"\n\
    [signs]\nD = { kind = \"door\", with = { opened = true } }\n\
    [character.a]\nat = \"@\"\nsight = 3\nknows = \"all\"\n[character.a.goals]\napple = { want = \"actor.own(apple)\" }\n";

#[test]
fn a_door_remembered_as_open_that_is_closed_now_is_opened() {
    let mut world = World::new(written(CORRIDOR), 1);
    let door = id(&world, "door");
    let opened = world.scenario().laws.find_property("opened").unwrap();
    world.meddle(Change::Set(door, opened, Value::Bool(false)));
    let log = world.run(30);
    let run = Run { world, log };
    assert_eq!(run.done(), ["open(door)", "take(apple)"], "{}", run.story());
}

#[test]
fn a_door_remembered_as_open_that_is_locked_now_has_no_way_and_nothing_hangs() {
    let mut world = World::new(written(CORRIDOR), 1);
    let door = id(&world, "door");
    let laws = world.scenario().laws.clone();
    world.meddle(Change::Set(door, laws.find_property("opened").unwrap(), Value::Bool(false)));
    world.meddle(Change::Set(door, laws.find_property("locked").unwrap(), Value::Bool(true)));
    let log = world.run(30);
    let run = Run { world, log };
    // It sees that the door is closed, tries, finds it locked, and there is neither key nor axe.
    assert_eq!(run.done(), ["fail to open(door)"], "{}", run.story());
    assert_eq!(run.label(run.log[29].act), "wait");
    let character = &run.world.residents()[0].character;
    assert_eq!(character.standing(0), repertoire_character::Standing::Unreachable);
}

#[test]
fn an_apple_that_somebody_else_ate_is_looked_for_elsewhere() {
    let text = "name = \"orchard\"\nmap = \"\"\"\n################\n#@.......a#....#\n########.##.##.#\n#..............#\n#....a.........#\n################\n\"\"\"\n\
        [character.a]\nat = \"@\"\nsight = 12\n[character.a.goals]\napple = { want = \"actor.own(apple)\" }\n";
    let mut world = World::new(written(text), 1);
    let mut log = world.run(3);
    // Somebody else takes the first one while it is on its way.
    let first = id(&world, "apple");
    let seen = world.residents()[0].character.memory.belief(first).unwrap();
    assert!(seen.place.is_some());
    world.meddle(Change::Remove(first));
    log.extend(world.run(60));
    let run = Run { world, log };
    assert_eq!(run.done(), ["take(apple2)"], "{}", run.story());
    assert!(run.log.iter().any(|entry| run.label(entry.act) == "explore"), "{}", run.story());
}

#[test]
fn what_is_out_of_sight_is_not_known() {
    let scenario = shipped("6.1.1-left");
    let mut world = World::new(scenario, 1);
    world.step();
    let memory = &world.residents()[0].character.memory;
    assert!(memory.belief(id(&world, "apple1")).is_some());
    assert!(memory.belief(id(&world, "axe")).is_none(), "it is in the other room");
}

#[test]
fn a_lock_is_hidden_until_the_door_is_tried() {
    let scenario = shipped("6.2");
    let steps = scenario.steps;
    let all = run(scenario.clone(), 1, steps);
    let tried = all.when("fail to open(glass-door)").unwrap();
    let locked = scenario.laws.find_property("locked").unwrap();
    for (step, expected) in [(tried, Value::Bool(false)), (tried + 1, Value::Bool(true))] {
        let mut world = World::new(scenario.clone(), 1);
        world.run(step);
        let memory = &world.residents()[0].character.memory;
        let belief = memory.belief(id(&world, "glass-door")).expect("it stands before it");
        let slot = scenario.laws.kind(belief.kind).slot(locked).unwrap();
        assert_eq!(belief.values[slot], expected, "step {step}");
    }
}

#[test]
fn a_narrow_view_sees_less_and_finds_it_all_the_same() {
    let text = |view: u32| {
        format!(
            "name = \"view\"\nmap = \"\"\"\n###########\n#....@....#\n#.........#\n#a........#\n###########\n\"\"\"\n\
             [character.a]\nat = \"@\"\nsight = 9\nview = {view}\n[character.a.goals]\napple = {{ want = \"actor.own(apple)\" }}\n"
        )
    };
    let count = |view| {
        let mut world = World::new(written(&text(view)), 1);
        world.step();
        world.residents()[0].known.count()
    };
    assert!(count(90) < count(360), "{} {}", count(90), count(360));
    assert_eq!(run(written(&text(90)), 1, 40).done(), ["take(apple)"]);
}
