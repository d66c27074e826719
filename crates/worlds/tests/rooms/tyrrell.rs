//! Tyrrell's criteria (table 2), measured.

use repertoire_character::{Profile, Standing};
use repertoire_worlds::rooms::{Act, Entry, World};

use crate::common::{run, written};

/// Two apples at the same distance on either side, worth the same: whatever speaks for one, walking towards it, speaks
/// against the other only a little.
fn between(profile: &str) -> String {
    format!(
        "name = \"between\"\nmap = \"\"\"\n#######################\n#1.........@.........2#\n#######################\n\"\"\"\n\
         [signs]\n1 = {{ kind = \"apple\", name = \"west\" }}\n2 = {{ kind = \"apple\", name = \"east\" }}\n\
         [character.a]\nat = \"@\"\nsight = 15\nwith = {{ energy = 40 }}\neach_step = \"actor.energy.add(-1)\"\n\
         profile = {profile}\n[character.a.goals]\n\
         left = {{ want = \"actor.own(west)\", influence = 10 }}\n\
         right = {{ want = \"actor.own(east)\", influence = 10 }}\n"
    )
}

/// How often a walker changes which goal it walks for, without having reached it.
fn dithering(log: &[Entry]) -> usize {
    log.windows(2).filter(|pair| matches!(pair[0].act, Act::Walk(_)) && pair[0].goal != pair[1].goal).count()
}

#[test]
fn nobody_dithers_between_two_goals_alike() {
    for profile in
        ["{}", "{ opportunism = 8 }", "{ inertia = 0.3 }", "{ opportunism = 8, inertia = 0.3, multi = true }"]
    {
        let run = run(written(&between(profile)), 1, 60);
        assert_eq!(run.done().len(), 2, "{profile}\n{}", run.story());
        assert_eq!(dithering(&run.log), 0, "{profile}\n{}", run.story());
    }
}

/// Two goals whose importance crosses back and forth: thirst and hunger, each falling while the other is served.
fn wavering(inertia: f64) -> String {
    format!(
        "name = \"wavering\"\nuse = [\"table-3\"]\nmap = \"\"\"\n#######################\n#w.........@.........f#\n#######################\n\"\"\"\n\
         [kind.person]\nperforms = [\"sip\", \"bite\"]\nproperties = {{ water = 50, food = 50 }}\nsign = \"@\"\n\
         [kind.well]\nundergoes = [\"sip\"]\nsign = \"w\"\n[kind.field]\nundergoes = [\"bite\"]\nsign = \"f\"\n\
         [interaction.sip]\nguard = \"distance(actor, target) <= 1\"\naction = \"actor.water.add(25)\"\n\
         [interaction.bite]\nguard = \"distance(actor, target) <= 1\"\naction = \"actor.food.add(25)\"\n\
         [character.a]\nat = \"@\"\nsight = 15\neach_step = \"actor.water.add(-1), actor.food.add(-1.04)\"\n\
         profile = {{ inertia = {inertia} }}\n[character.a.goals]\n\
         drink = {{ want = \"actor.water >= 100\", points = {{ of = \"actor.water\", points = [[-500, 600], [100, 0.1]] }} }}\n\
         eat = {{ want = \"actor.food >= 100\", points = {{ of = \"actor.food\", points = [[-500, 600], [100, 0.1]] }} }}\n"
    )
}

#[test]
fn inertia_makes_it_persist_until_what_was_begun_is_done() {
    // The needs grow in turn: without inertia the character turns round on the way, with it it does not.
    let changes: Vec<usize> =
        [0.0, 0.1, 0.5].iter().map(|&theta| dithering(&run(written(&wavering(theta)), 1, 400).log)).collect();
    assert!(changes[1] <= changes[0] && changes[2] <= changes[1], "{changes:?}");
    assert_eq!(changes[2], 0, "{changes:?}");
    // And it does not persist for ever: both wells are visited.
    let run = run(written(&wavering(0.5)), 1, 400);
    for deed in ["sip(well)", "bite(field)"] {
        assert!(run.done().iter().filter(|done| *done == deed).count() >= 3, "{}", run.story());
    }
}

#[test]
fn an_urgent_need_interrupts_what_is_being_done() {
    let text = "name = \"interruption\"\nmap = \"\"\"\n##########################\n#o..........@.........a..#\n##########################\n\"\"\"\n\
        [signs]\na = { kind = \"apple\", with = { energy = 60 } }\n\
        [character.a]\nat = \"@\"\nsight = 20\nwith = { energy = 23 }\neach_step = \"actor.energy.add(-1)\"\nprofile = { inertia = 0.3 }\n\
        [character.a.goals]\nobject = { want = \"actor.own(object)\", influence = 8 }\n\
        fed = { want = \"actor.energy >= 22\", sigmoid = { of = \"actor.energy\", max = 40, centre = 16, slope = 2 } }\n";
    let run = run(written(text), 1, 70);
    assert_eq!(run.done(), ["take(apple)", "eat(apple)", "take(object)"], "{}", run.story());
    // It had set out for the object, turned when hunger outgrew it by more than the inertia, and came back afterwards.
    let turned = run.log.windows(2).position(|pair| {
        run.label(pair[0].act) == "move to take(object)" && run.label(pair[1].act) == "move to take(apple)"
    });
    let turned = turned.expect("it turns round");
    assert!(turned > 3, "not at once: {}", run.story());
}

#[test]
fn what_is_near_is_taken_in_passing_only_by_who_is_opportunist() {
    let text = |profile: &str| {
        format!(
            "name = \"passing\"\nmap = \"\"\"\n########################\n#......................#\n#@........k...........o#\n########################\n\"\"\"\n\
             [character.a]\nat = \"@\"\nsight = 30\nprofile = {profile}\n[character.a.goals]\n\
             object = {{ want = \"actor.own(object)\", influence = 10 }}\nkey = {{ want = \"actor.own(key)\", influence = 6 }}\n"
        )
    };
    let greedy = run(written(&text("{ opportunism = 8 }")), 1, 80);
    assert_eq!(greedy.done(), ["take(key)", "take(object)"]);
    let plain = run(written(&text("{}")), 1, 80);
    assert_eq!(plain.done(), ["take(object)", "take(key)"]);
    let steps = |run: &crate::common::Run| run.log.iter().filter(|e| matches!(e.act, Act::Walk(_))).count();
    assert!(steps(&greedy) < steps(&plain), "and it saves steps: {} {}", steps(&greedy), steps(&plain));
}

#[test]
fn activation_follows_the_state_and_goals_compete_evenly() {
    // A goal that falls behind is served in time: over a long run both needs stay within bounds.
    let mut world = World::new(written(&wavering(0.2)), 3);
    let mut least: f64 = f64::INFINITY;
    for _ in 0..1000 {
        world.step();
        for need in ["water", "food"] {
            if let Some(repertoire_character::Value::Number(level)) = world.value("a", need) {
                least = least.min(level);
            }
        }
    }
    assert!(least > 0.0, "a need fell to {least}");
}

#[test]
fn what_is_liked_later_on_decides_now() {
    // Combining preferences: the alternative that starts nearer is refused for what comes after it.
    let mut world = World::new(crate::common::shipped("6.1.3"), 1);
    let profile = Profile { space: Some(30.0), ..Profile::default() };
    let mut refusing = profile.clone();
    refusing.preferences.insert("break".into(), 0.0);
    world.set_profile(0, &refusing);
    let log = world.run(60);
    let run = crate::common::Run { world, log };
    assert_eq!(run.done(), ["take(key)", "unlock(door)", "open(door)", "take(apple)"], "{}", run.story());
    assert_eq!(run.world.residents()[0].character.standing(0), Standing::Met);
}
