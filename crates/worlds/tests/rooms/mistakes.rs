//! Bad scenarios are refused with their line and a remedy, or answered clearly; nothing hangs or starves.

use repertoire_character::Standing;
use repertoire_worlds::rooms::Refused;
use repertoire_worlds::rooms::scenario::{LAWS, SCENARIOS, read};
use repertoire_worlds::rooms::world::hopeless_goals;

use crate::common::{run, shipped, written};

const ROOM: &str = "name = \"t\"\nmap = \"\"\"\n######\n#@..a#\n######\n\"\"\"\n";
const ANNA: &str =
    "[character.anna]\nat = \"@\"\n[character.anna.goals]\napple = { want = \"actor.own(apple)\" }\n";

fn refused(text: &str) -> String {
    let mut load = |name: &str| Err(format!("{name} is not there").into());
    match read(text, &mut load) {
        Ok(_) => panic!("this should be refused:\n{text}"),
        Err(Refused::Here(mistake)) => mistake.to_string(),
        Err(Refused::There(said)) => said,
    }
}

#[test]
fn every_scenario_that_comes_along_can_be_run() {
    for (name, _) in SCENARIOS {
        let scenario = shipped(name);
        assert_eq!(scenario.name, name);
        assert!(hopeless_goals(&scenario).iter().all(|(who, _)| who == "child"), "{name}");
    }
    assert_eq!(LAWS.len(), 2);
}

#[test]
fn an_interaction_with_an_unknown_property_is_refused_with_its_line() {
    let text = format!("{ROOM}{ANNA}[interaction.kick]\naction = \"target.opned = true\"\n");
    let said = refused(&text);
    assert!(said.starts_with("12:"), "{said}");
    assert!(said.contains("opned") && said.contains("did you mean `opened`?"), "{said}");
    // A property that exists, but not on everything that undergoes it.
    let text = format!(
        "{ROOM}{ANNA}[interaction.kick]\naction = \"target.opened = true\"\n[kind.apple]\nundergoes = [\"kick\", \"take\"]\n"
    );
    let said = refused(&text);
    assert!(said.contains("`kick` asks for `opened`, which `apple` does not have"), "{said}");
}

#[test]
fn mistakes_are_answered_with_what_would_be_right() {
    let with = |more: &str| format!("{ROOM}{ANNA}{more}");
    for (text, said) in [
        (with("[kind.box]\nundergoes = [\"opn\"]\n"), "did you mean `open`?"),
        (with("[interaction.move]\naction = \"-\"\n"), "built in"),
        (with("[interaction.x]\ncondition = \"distance(actor, target) < 2\"\naction = \"-\"\n"), "guard"),
        (with("[interaction.x]\ncondition = \"actor.own(axe\"\naction = \"-\"\n"), "`)` is missing"),
        (with("[interaction.x]\ncondition = \"target.opened < true\"\naction = \"-\"\n"), "for numbers"),
        (
            with("[interaction.x]\ncondition = \"target.opened = false target\"\naction = \"-\"\n"),
            "left over",
        ),
        (
            with("[interaction.x]\naction = \"item.opened = true and actor.inventory.remove(item)\"\n"),
            "nobody gets",
        ),
        (with("[interaction.x]\naction = \"-\"\ncost = -1\n"), "number from 0 up"),
        (ROOM.to_owned(), "nobody acts"),
        (format!("{ROOM}[character.a]\nat = \"?\"\n"), "0 times on the map"),
        (format!("{ROOM}[character.a]\nat = \"@\"\nsight = 0\n"), "above 0"),
        (format!("{ROOM}[character.a]\nat = \"@\"\nprofile = {{ time = 1 }}\n"), "above 1"),
        (format!("{ROOM}[character.a]\nat = \"@\"\nprofile = \"nobody\"\n"), "nobody is not there"),
        (
            format!(
                "{ROOM}[character.a]\nat = \"@\"\n[character.a.goals]\ng = {{ want = \"actor.own(unicorn)\" }}\n"
            ),
            "nothing is called `unicorn`",
        ),
        (
            format!(
                "{ROOM}[character.a]\nat = \"@\"\n[character.a.goals]\ng = {{ want = \"actor.opened = true\" }}\n"
            ),
            "`person` has no property `opened`",
        ),
        (
            format!(
                "{ROOM}[character.a]\nat = \"@\"\n[character.a.goals]\ng = {{ want = \"own(apple)\", influence = -1 }}\n"
            ),
            "must not be below 0",
        ),
        (
            format!(
                "{ROOM}[character.a]\nat = \"@\"\n[character.a.goals]\ng = {{ want = \"distance(actor, unicorn) <= 1\" }}\n"
            ),
            "nothing is called `unicorn`",
        ),
        (
            format!(
                "{ROOM}[character.a]\nat = \"@\"\n[character.a.goals]\ng = {{ want = \"distance(apple, door) <= 1\" }}\n"
            ),
            "one of the two must be the actor",
        ),
        (format!("{ROOM}[character.a]\nat = \"@\"\nlooks_again = 0\n"), "from 1 up"),
        (with("[interaction.x]\naction = \"item.opened = true\"\n"), "nobody gets"),
        ("name = \"t\"\nmap = \"\"\n".to_owned(), "the map is empty"),
        ("name = \"t\"\nmap = \"@?\"\n[character.a]\nat = \"@\"\n".to_owned(), "nothing says what `?`"),
        (format!("use = [\"table-4\"]\n{ROOM}{ANNA}"), "there are no laws `table-4`"),
        (format!("{ROOM}{ANNA}[signs]\nz = {{ kind = \"apple\" }}\n"), "nowhere on the map"),
        (format!("{ROOM}{ANNA}[signs]\na = {{ kind = \"aple\" }}\n"), "did you mean `apple`?"),
        (
            format!("{ROOM}{ANNA}[signs]\na = {{ kind = \"apple\", with = {{ energy = true }} }}\n"),
            "a number",
        ),
        (format!("{ROOM}[character.apple]\nat = \"@\"\n"), "something else is called `apple`"),
    ] {
        let answer = refused(&text);
        assert!(answer.contains(said), "`{said}` is not in\n{answer}\nof\n{text}");
    }
}

#[test]
fn deeply_nested_conditions_are_refused_instead_of_overflowing() {
    let deep = format!("{}target.opened{}", "(".repeat(100_000), ")".repeat(100_000));
    let said = refused(&format!("{ROOM}{ANNA}[interaction.x]\ncondition = \"{deep}\"\naction = \"-\"\n"));
    assert!(said.contains("too deeply nested"));
}

#[test]
fn a_goal_nobody_can_reach_starves_no_other() {
    // The object is walled in; the apple is not. The first matters ten times as much.
    let text = "name = \"walled\"\nmap = \"\"\"\n##########\n#@....#o##\n#.....####\n#....a...#\n##########\n\"\"\"\n\
        [character.a]\nat = \"@\"\nknows = \"all\"\n[character.a.goals]\n\
        object = { want = \"actor.own(object)\", influence = 100 }\napple = { want = \"actor.own(apple)\", influence = 10 }\n";
    let scenario = written(text);
    assert_eq!(hopeless_goals(&scenario), [("a".to_owned(), "object".to_owned())]);
    let known = run(scenario, 1, 40);
    assert_eq!(known.done(), ["take(apple)"]);
    assert_eq!(known.world.residents()[0].character.standing(0), Standing::Unreachable);
    // The same for one who knows nothing: it looks everywhere first, finds nothing, and goes on with the rest.
    let unknown = run(written(&text.replace("knows = \"all\"\n", "")), 1, 80);
    assert!(unknown.done().contains(&"take(apple)".to_owned()), "{}", unknown.story());
    assert_eq!(unknown.label(unknown.log[79].act), "wait");
}

#[test]
fn keys_that_lock_each_other_in_are_a_cycle_and_not_a_trap() {
    // Each door's key lies behind the other door.
    let text = "name = \"cycle\"\nmap = \"\"\"\n#########\n#m#...#n#\n#.D.@.E.#\n#########\n\"\"\"\n[signs]\n\
        m = { kind = \"key\", name = \"key-east\" }\nn = { kind = \"key\", name = \"key-west\" }\n\
        D = { kind = \"door\", name = \"west\", with = { locked = true, key = \"key-west\" } }\n\
        E = { kind = \"door\", name = \"east\", with = { locked = true, key = \"key-east\" } }\n\
        [character.a]\nat = \"@\"\nknows = \"all\"\n[character.a.goals]\nkey = { want = \"actor.own(key-east)\" }\n";
    let run = run(written(text), 1, 30);
    assert!(run.done().is_empty(), "{:?}", run.done());
    assert_eq!(run.world.residents()[0].character.standing(0), Standing::Unreachable);
}

#[test]
fn doors_behind_doors_are_opened_one_after_the_other() {
    // Figure 4, twice over: the key of the second door lies behind the first, whose key lies about.
    let text = "name = \"chain\"\nmap = \"\"\"\n##############\n#@.k#..j#...a#\n#...D...E....#\n##############\n\"\"\"\n[signs]\n\
        k = { kind = \"key\", name = \"first\" }\nj = { kind = \"key\", name = \"second\" }\n\
        D = { kind = \"door\", with = { locked = true, key = \"first\" } }\n\
        E = { kind = \"door\", name = \"door2\", with = { locked = true, key = \"second\" } }\n\
        [character.a]\nat = \"@\"\nknows = \"all\"\n[character.a.goals]\napple = { want = \"actor.own(apple)\" }\n";
    let run = run(written(text), 1, 60);
    assert_eq!(
        run.done(),
        [
            "take(first)",
            "unlock(door)",
            "open(door)",
            "take(second)",
            "unlock(door2)",
            "open(door2)",
            "take(apple)"
        ],
        "{}",
        run.story()
    );
}

#[test]
fn lines_are_right_in_files_with_crlf() {
    // A condition over several lines, its mistake in the last of them; and mistakes after a map drawn over several.
    let long = format!("\"\"\"\n{}target.opned = true\"\"\"", "target.opened = false and\n".repeat(8));
    for (text, line) in [
        (format!("{ROOM}{ANNA}[interaction.x]\ncondition = {long}\naction = \"-\"\n"), 21),
        (format!("{ROOM}{ANNA}[interaction.x]\ncondition = \"\"\"\n$\"\"\"\naction = \"-\"\n"), 13),
        (
            format!(
                "{ROOM}{}",
                ANNA.replace("\"actor", "\"\"\"\n?\nactor").replace("apple)\"", "apple)\"\"\"")
            ),
            11,
        ),
        (format!("{ROOM}{ANNA}[interaction.x]\naction = \"target.opned = true\"\n"), 12),
        (format!("{ROOM}{ANNA}[kind.box]\nundergoes = [\"opn\"]\n"), 12),
        (format!("{ROOM}[character.a]\nat = \"@\"\nsight = 0\n"), 9),
        (format!("{ROOM}{ANNA}x = \n"), 11),
    ] {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let said = refused(&text);
            assert!(said.starts_with(&format!("{line}:")), "line {line}: {said}\n{text:?}");
        }
    }
    // And what is right runs as it does with plain line ends.
    let plain = run(written(&format!("{ROOM}{ANNA}")), 1, 9);
    let crlf = run(written(&format!("{ROOM}{ANNA}").replace('\n', "\r\n")), 1, 9);
    assert_eq!(plain.log, crlf.log);
}
