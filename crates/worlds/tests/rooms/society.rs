//! Altruism and reputation: characters help each other without anybody being in charge.

use repertoire_character::Profile;
use repertoire_worlds::rooms::World;

use crate::common::{Run, run, shipped, written};

fn with_helper(altruism: Option<f64>) -> Run {
    let mut world = World::new(shipped("help"), 1);
    let profile = Profile { altruism, ..Profile::default() };
    world.set_profile(1, &profile);
    let log = world.run(120);
    Run { world, log }
}

#[test]
fn who_is_altruistic_brings_what_another_asked_for() {
    let run = run(shipped("help"), 1, 120);
    assert_eq!(
        run.done_by(1),
        ["take(key)", "unlock(door)", "open(door)", "take(apple)", "give(apple, child)", "take(object)"],
        "{}",
        run.story()
    );
    assert_eq!(run.done_by(2), ["take(object2)"], "the egoist does what it wants and nothing else");
    let child = &run.world.residents()[0];
    assert_eq!(child.character.standing(0), repertoire_character::Standing::Met);
    // The child remembers who helped and who did not.
    let [helper, egoist] = [1, 2].map(|who: usize| run.world.residents()[who].thing);
    assert!(child.reputation(helper) > 1.0, "{}", child.reputation(helper));
    assert!(child.reputation(egoist) <= 1.0, "{}", child.reputation(egoist));
}

#[test]
fn altruism_says_when_others_come_first() {
    // Influences are 5 for one's own goal and 6 for the child's: at 1 and above the child comes first, a little below
    // it comes second, at 0 never.
    let first = |run: &Run| run.done_by(1).first().cloned();
    assert_eq!(first(&with_helper(Some(1.0))).as_deref(), Some("take(key)"));
    assert_eq!(first(&with_helper(Some(0.5))).as_deref(), Some("take(object)"));
    assert!(with_helper(Some(0.5)).done_by(1).contains(&"give(apple, child)".to_owned()));
    assert!(!with_helper(Some(0.0)).done_by(1).contains(&"give(apple, child)".to_owned()));
}

/// Two ask for the same kind of help at the same distance; one is well spoken of.
fn two_askers(said_of_first: f64, weight: f64) -> String {
    format!(
        "name = \"askers\"\nuse = [\"table-3\", \"society\"]\nmap = \"\"\"\n###############\n#1.....H.....2#\n#......a......#\n###############\n\"\"\"\n\
         [character.first]\nat = \"1\"\nkind = \"child\"\nsight = 3\n[character.first.goals]\napple = {{ want = \"actor.own(apple)\", influence = 5, asks = true }}\n\
         [character.second]\nat = \"2\"\nkind = \"child\"\nsight = 3\n[character.second.goals]\napple = {{ want = \"actor.own(apple)\", influence = 5, asks = true }}\n\
         [character.helper]\nat = \"H\"\nsight = 20\nprofile = {{ altruism = 1, reputation = {weight}, inertia = 0.1 }}\n\
         [character.helper.heard_of]\nfirst = {said_of_first}\n"
    )
}

#[test]
fn help_goes_to_who_is_well_spoken_of() {
    for (said, child) in [(3.0, "give(apple, first)"), (0.3, "give(apple, second)")] {
        let run = run(written(&two_askers(said, 1.0)), 1, 40);
        assert!(run.done_by(2).contains(&child.to_owned()), "{said}: {:?}\n{}", run.done_by(2), run.story());
    }
    // Where reputation counts for nothing, the first who asked is served, whatever is said.
    let run = run(written(&two_askers(0.3, 0.0)), 1, 40);
    assert!(run.done_by(2).contains(&"give(apple, first)".to_owned()), "{}", run.story());
}
