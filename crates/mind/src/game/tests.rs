//! A village: needs, plans, wolves, and everything that can go wrong in its file.

use std::sync::Arc;

use repertoire_bayes::sequence::labelled::Lives;
use repertoire_prob::num::exp;

use super::*;

const VILLAGER: &str = r#"
name = "villager"
tasks = ["eat", "forage", "cook", "sleep", "flee"]
stay = 0.6
[sensors]
wolf = ["away", "near"]
hunger = ["fed", "hungry"]
[likelihood.wolf]
away = [0.99, 0.99, 0.99, 0.9, 0.001]
near = ["x", "x", "x", "x", "x"]
[likelihood.hunger]
fed = [0.3, 0.5, 0.5, 0.5, 0.5]
hungry = ["x", "x", "x", "x", "x"]
[perceive]
reaction_ticks = 2
[needs.hunger]
grows = 0.02
starts = 0.3
levels = [0.5]
matters = [1.0, 3.0]
[needs.fatigue]
grows = 0.01
eased.sleep = 0.1
[facts]
food = ["none", "raw", "cooked", "eaten"]
[actions]
forage = "food: none -> raw"
cook = "food: raw -> cooked"
eat = "food: cooked -> eaten"
[goals]
meal = "food=eaten"
[plan.pursue]
meal = "hunger"
[targets]
forage = "bush"
flee = "hut"
"#;

fn no_files(_: &str) -> Result<repertoire_bayes::sequence::Behaviour, repertoire_authored::Unavailable> {
    Err("there are no files here".into())
}

fn villager() -> Arc<Design> {
    Design::read(VILLAGER, &mut no_files).unwrap_or_else(|mistake| panic!("{mistake}"))
}

/// A world so small that a tick is four lines: what is done to food succeeds half of the time.
fn live(
    character: &mut Character,
    ticks: std::ops::Range<u64>,
    food: &mut usize,
    wolf: impl Fn(u64) -> bool,
) -> Vec<Deed> {
    let design = Arc::clone(character.design());
    let foods = ["none", "raw", "cooked", "eaten"];
    let (mut senses, mut scratch) = (design.senses(), Scratch::new());
    let step = |tick| {
        senses.clear();
        senses.see("wolf", if wolf(tick) { "near" } else { "away" }).unwrap();
        senses.fact("food", foods[*food]).unwrap();
        senses.offer("bush", 1, 9.0).unwrap();
        senses.offer("bush", 2, 4.0).unwrap();
        let deed = character.tick(&senses, &mut scratch);
        let does = design.task_name(deed.task);
        if tick % 2 == 0 && ["forage", "cook", "eat"].get(*food) == Some(&does) {
            *food += 1;
        }
        deed
    };
    ticks.map(step).collect()
}

#[test]
fn a_plan_is_carried_out_step_by_step() {
    let design = villager();
    let mut character = Character::new(&design, 1, 0);
    let mut food = 0;
    let deeds = live(&mut character, 0..200, &mut food, |_| false);
    assert_eq!(food, 3, "it has eaten");
    let forage = design.behaviour().task("forage").unwrap();
    assert!(
        deeds.iter().filter(|deed| deed.task == forage).any(|deed| deed.target == Some(2)),
        "the nearer bush"
    );
    assert!(character.report().goal.is_none(), "the goal holds");
}

#[test]
fn a_surprise_makes_it_plan_anew() {
    let design = villager();
    let mut character = Character::new(&design, 3, 0);
    let (mut senses, mut scratch) = (design.senses(), Scratch::new());
    let mut stare = |food: &str| {
        senses.fact("food", food).unwrap();
        (0..4).for_each(|_| {
            character.tick(&senses, &mut scratch);
        });
        character.report()
    };
    assert_eq!(stare("cooked").plan, ["eat"]);
    let report = stare("none"); // somebody took it
    assert_eq!(report.plan, ["forage", "cook", "eat"]);
    assert!(report.to_string().contains("forage so that food=raw holds for cook"), "{report}");
    assert!(stare("eaten").plan.is_empty(), "somebody fed it: the goal holds");
}

#[test]
fn a_wolf_is_noticed_a_reaction_time_late() {
    let design = villager();
    let flee = design.behaviour().task("flee").unwrap();
    for agent in 0..40 {
        let mut character = Character::new(&design, 5, agent);
        let deeds = live(&mut character, 0..40, &mut 3, |tick| tick >= 20);
        assert!(deeds[30..].iter().any(|deed| deed.task == flee), "it flees");
        let mut calm = Character::new(&design, 5, agent);
        let without = live(&mut calm, 0..40, &mut 3, |_| false);
        assert_eq!(deeds[..22], without[..22], "nobody knows before it can be perceived");
    }
}

#[test]
fn a_saved_character_goes_on_to_the_bit_at_every_tick() {
    let design = villager();
    let mut whole = Character::new(&design, 7, 4);
    let mut broken = Character::new(&design, 7, 4);
    let (mut food, mut other_food) = (0, 0);
    for tick in 0..60 {
        let wolf = |tick: u64| (30..36).contains(&tick);
        let deed = live(&mut whole, tick..tick + 1, &mut food, wolf);
        assert_eq!(deed, live(&mut broken, tick..tick + 1, &mut other_food, wolf));
        let saved = serde_json::to_string(broken.state()).unwrap();
        broken = Character::new(&design, 0, 0);
        broken.restore(serde_json::from_str(&saved).unwrap()).unwrap();
        assert_eq!((whole.state(), food), (broken.state(), other_food));
    }
}

#[test]
fn a_state_of_another_design_is_refused() {
    let mut plain = Character::new(&Design::of(villager().behaviour().clone()), 1, 1);
    let mut full = Character::new(&villager(), 1, 1);
    live(&mut full, 0..5, &mut 0, |_| false);
    assert!(plain.restore(full.state().clone()).is_err());
    assert!(full.restore(plain.state().clone()).is_err());
}

#[test]
fn a_state_that_somebody_changed_is_refused_before_it_can_do_harm() {
    let design = villager();
    let mut character = Character::new(&design, 7, 4);
    live(&mut character, 0..5, &mut 0, |_| false);
    let saved = serde_json::to_string(character.state()).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let wolf = serde_json::json!("Believed"); // and the belief is all zeros
    let changes = [
        ("/matters/0", serde_json::json!(-3.0)),
        ("/needs/0", serde_json::json!(1e300)),
        ("/moment/worth/0", serde_json::json!(-1.0)),
        ("/moment/perceived/readings/0", wolf.clone()),
        ("/late/0/readings/0", wolf),
        ("/moment/perceived", serde_json::to_value(senses::Sensed::default()).unwrap()),
    ];
    for (place, wrong) in changes {
        let mut changed = saved.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place} in {saved}")) = wrong;
        let state: State = serde_json::from_value(changed).unwrap();
        assert!(character.restore(state).is_err(), "{place}");
    }
    // A plan of which more is done than it has is over.
    let mut changed = saved;
    changed["pursuit"]["running"]["next"] = 99.into();
    character.restore(serde_json::from_value(changed).unwrap()).unwrap();
    live(&mut character, 5..9, &mut 0, |_| false);
}

#[test]
fn saved_senses_go_on_and_others_are_refused() {
    let design = villager();
    let mut senses = design.senses();
    senses.believe("wolf", &[0.25, 0.75]).unwrap();
    senses.fact("food", "raw").unwrap();
    senses.offer("bush", 3, 1.5).unwrap();
    let saved = serde_json::to_value(&senses).unwrap();
    let mut again = design.senses();
    again.restore(saved.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), saved);
    let mut other = Design::of(design.behaviour().clone()).senses();
    assert!(other.restore(saved).is_err());
}

#[test]
fn individuals_differ_and_the_same_one_is_the_same() {
    let design = villager();
    let matters = |agent| Character::new(&design, 9, agent).report().wants[0].matters;
    assert_eq!(matters(1), matters(1));
    let all: Vec<f64> = (0..50).map(matters).collect();
    assert!(all.iter().all(|m| (1.0..=3.0).contains(m)));
    assert!(all.iter().any(|m| *m < 1.5) && all.iter().any(|m| *m > 2.5));
}

#[test]
fn profiles_are_kinds_of_individuals() {
    let text =
        format!("{VILLAGER}\n[profiles.glutton]\nhunger = [5.0, 6.0]\n[profiles.sleepy]\nfatigue = 4\n");
    let design = Design::read(&text, &mut no_files).unwrap();
    let matters =
        |character: &Character| character.report().wants.iter().map(|want| want.matters).collect::<Vec<_>>();
    let glutton = matters(&Character::with_profile(&design, "glutton", 1, 1).unwrap());
    assert!((5.0..=6.0).contains(&glutton[0]) && glutton[1] == 1.0, "{glutton:?}");
    let sleepy = matters(&Character::with_profile(&design, "sleepy", 1, 1).unwrap());
    assert!((1.0..=3.0).contains(&sleepy[0]) && sleepy[1] == 4.0, "{sleepy:?}");
    assert!(Character::with_profile(&design, "grump", 1, 1).is_none());
    let drawn: Vec<f64> = (0..50).map(|agent| matters(&Character::new(&design, 1, agent))[1]).collect();
    assert!(drawn.contains(&1.0) && drawn.contains(&4.0), "both are drawn");
}

#[test]
fn the_rows_of_a_report_add_up_to_the_probabilities() {
    let mut character = Character::new(&villager(), 2, 2);
    live(&mut character, 0..9, &mut 0, |_| true);
    let report = character.report();
    let names: Vec<&str> = report.table.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[1..], ["wolf=near", "hunger=fed", "wants", "plan"], "{report}");
    let sums: Vec<f64> =
        (0..5).map(|task| exp(report.table.iter().map(|(_, row)| row[task]).sum())).collect();
    let all: f64 = sums.iter().sum();
    assert!(sums.iter().zip(&report.posterior).all(|(sum, p)| (sum / all - p).abs() < 1e-12), "{report}");
}

#[test]
fn an_unsure_sensor_speaks_less() {
    let design = villager();
    let flee = design.behaviour().task("flee").unwrap();
    let p_flee = |near: f64| {
        let mut character = Character::new(&design, 1, 1);
        let (mut senses, mut scratch) = (design.senses(), Scratch::new());
        senses.believe("wolf", &[1.0 - near, near]).unwrap();
        (0..3).for_each(|_| {
            character.tick(&senses, &mut scratch);
        });
        character.report().posterior[flee]
    };
    let p = [0.0, 0.1, 0.5, 0.9, 1.0].map(p_flee);
    assert!(p.windows(2).all(|pair| pair[0] < pair[1]), "{p:?}");
}

#[test]
fn learned_tables_say_when_they_rest_on_little() {
    let design = Design::of(villager().behaviour().clone());
    // It was seen fleeing once.
    let mut table = String::from("wolf,hunger,task\n");
    (0..200).for_each(|k| table += if k == 100 { "near,fed,flee\n" } else { "away,fed,eat\n" });
    let learned = design.learned(&Lives::read(&table, design.behaviour()).unwrap()).unwrap();
    let mut character = Character::new(&learned, 1, 1);
    let (mut senses, mut scratch) = (learned.senses(), Scratch::new());
    senses.see("wolf", "near").unwrap();
    let fled = (0..200).any(|_| character.tick(&senses, &mut scratch).task == 4);
    assert!(fled, "{}", character.report());
    while character.tick(&senses, &mut scratch).task != 4 {}
    let report = character.report();
    assert!(report.rests_on.as_ref().is_some_and(|(_, count)| *count <= 1.0), "{report}");
    assert!(report.to_string().contains("rests on little"), "{report}");
}

#[test]
fn mistakes_are_answered_with_their_line_and_a_remedy() {
    let cases = [
        ("eased.sleep = 0.1", "eased.slep = 0.1", "`slep` is not a task", "did you mean `sleep`?"),
        ("eased.sleep = 0.1", "", "nothing eases the need `fatigue`", "name a task in `eased`"),
        (
            "cook = \"food: raw -> cooked\"",
            "boil = \"food: raw -> cooked\"",
            "no task carries out the action `boil`",
            "[plan.tasks]",
        ),
        ("meal = \"hunger\"", "", "nothing says why the goal `meal` is pursued", "name the need it serves"),
        ("meal = \"hunger\"", "meal = \"hungr\"", "`hungr` is not a need", "did you mean `hunger`?"),
        (
            "levels = [0.5]",
            "levels = [0.5, 0.4]",
            "the sensor `hunger` has the values fed, hungry",
            "1 rising levels",
        ),
        ("levels = [0.5]", "", "a sensor is called `hunger` too", "add levels"),
        ("matters = [1.0, 3.0]", "matters = [3.0, 1.0]", "matters from 3 to 1", "[low, high]"),
        ("grows = 0.02", "grows = 2.0", "2 makes no sense here", "a number from 0 to 1"),
        ("[perceive]", "[percieve]", "`percieve` is not a key here", "did you mean `perceive`?"),
        ("reaction_ticks = 2", "reaction_ticks = 5000", "a reaction time of 5000 ticks", "from 0 to 1000"),
        ("forage = \"bush\"", "forrage = \"bush\"", "`forrage` is not a task", "did you mean `forage`?"),
    ];
    for (right, wrong, what, remedy) in cases {
        let text = VILLAGER.replacen(right, wrong, 1);
        let mistake = Design::read(&text, &mut no_files).err().unwrap_or_else(|| panic!("{wrong} was read"));
        assert!(mistake.what.contains(what) && mistake.remedy.contains(remedy), "{wrong}: {mistake}");
        assert!(mistake.line > 1, "{wrong}: {mistake}");
    }
    let mut senses = villager().senses();
    for said in [
        senses.see("wulf", "near"),
        senses.see("wolf", "nearer"),
        senses.fact("food", "row"),
        senses.offer("busch", 1, 1.0),
    ] {
        assert!(said.is_err_and(|error| error.to_string().contains("did you mean")));
    }
    assert!(senses.believe("wolf", &[0.5, 0.4]).is_err() && senses.offer("bush", 1, f64::NAN).is_err());
}
