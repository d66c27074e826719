//! Two hundred villagers for a day, without a window: they work, eat, sleep and flee from wolves, and at the end it is checked that
//! they did.

use std::collections::BTreeMap;

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{
    Character, Doing, Mind, MindOf, Readings, RepertoirePlugin, RepertoireSet, TaskChanged,
};

const VILLAGER: &str = r#"
    name = "villager"
    tasks = ["eat", "sleep", "work", "flee"]
    stay = 0.7
    sensors.wolf = ["away", "near"]
    likelihood.wolf.away = ["x", "x", "x", 0.002]
    likelihood.wolf.near = [0.01, 0.01, 0.01, "x"]
    perceive.reaction_ticks = 1
    needs.hunger = { grows = 0.002, starts = 0.3 }
    needs.fatigue = { grows = 0.001, eased.sleep = 0.006 }
    facts.purse = ["empty", "full"]
    facts.meal = ["due", "had"]
    actions.work = "purse: empty -> full"
    actions.eat = "purse: full -> empty, meal: due -> had"
    goals.dinner = "meal=had"
    plan.pursue.dinner = "hunger"
    profiles.glutton = { hunger = [4, 8], fatigue = [2, 4] }
    profiles.sleeper = { hunger = [2, 4], fatigue = [4, 8] }
    targets.eat = "inn"
"#;

const VILLAGERS: u64 = 200;
/// A tick is a minute.
const DAY: u64 = 1440;

#[derive(Component, Default)]
struct Life {
    full_purse: bool,
    minutes: BTreeMap<String, u64>,
    meals: u32,
    /// Minutes with a wolf near, and those of them in flight; the first two do not count, since nobody reacts at once.
    wolf: (u64, u64),
}

#[derive(Resource, Default)]
struct Day {
    minute: u64,
    changes: usize,
}

/// A wolf passes four times a day, for twenty minutes, by a quarter of the village.
fn wolf_near(agent: u64, minute: u64) -> bool {
    minute % 360 < 20 && agent % 4 == minute / 360
}

fn is_hungry(mind: &Mind) -> bool {
    mind.need("hunger").is_none_or(|hunger| hunger >= 0.5)
}

fn sense(day: Res<Day>, mut all: Query<(&Number, &Life, &Mind, &mut Readings)>) {
    for (Number(agent), life, mind, mut readings) in &mut all {
        let hungry = is_hungry(mind);
        readings.clear();
        let told = [
            readings.see("wolf", if wolf_near(*agent, day.minute) { "near" } else { "away" }),
            readings.fact("purse", if life.full_purse { "full" } else { "empty" }),
            readings.fact("meal", if hungry { "due" } else { "had" }),
            readings.offer("inn", agent % 3, 40.0),
        ];
        told.into_iter().collect::<Result<(), _>>().expect("the file has these words");
    }
}

#[derive(Component)]
struct Number(u64);

fn live(
    mut day: ResMut<Day>,
    mut changes: MessageReader<TaskChanged>,
    mut all: Query<(&Number, &mut Life, &mut Mind, &Doing)>,
) {
    for (Number(agent), mut life, mut mind, doing) in &mut all {
        *life.minutes.entry(doing.task.clone()).or_default() += 1;
        if wolf_near(*agent, day.minute) && day.minute % 360 >= 3 {
            life.wolf.0 += 1;
            life.wolf.1 += u64::from(doing.task == "flee");
        }
        let eats = doing.task == "eat" && life.full_purse && is_hungry(&mind);
        life.full_purse = doing.task == "work" || (life.full_purse && !eats);
        if eats {
            assert_eq!(doing.target, Some(agent % 3), "they eat at their inn");
            life.meals += 1;
            mind.ease("hunger", 0.6).expect("they have that need");
        }
    }
    day.minute += 1;
    day.changes += changes.read().count();
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)))
        .init_resource::<Day>()
        .add_systems(Update, (sense.before(RepertoireSet::Born), live.after(RepertoireSet::Tell)));
    let villager = Character::parse(VILLAGER).unwrap_or_else(|mistake| panic!("villagers.rs:{mistake}"));
    let villager = app.world_mut().resource_mut::<Assets<Character>>().add(villager);
    for agent in 0..VILLAGERS {
        app.world_mut().spawn((
            Number(agent),
            Life::default(),
            Mind::new(42, agent),
            MindOf(villager.clone()),
        ));
    }
    for _ in 0..DAY {
        app.update();
    }

    let mut lives = app.world_mut().query::<&Life>();
    let lives: Vec<&Life> = lives.iter(app.world()).collect();
    let minutes = |task: &str| lives.iter().filter_map(|life| life.minutes.get(task)).sum::<u64>() as f64;
    let share = |task: &str| minutes(task) / (VILLAGERS * DAY) as f64;
    for task in ["eat", "sleep", "work", "flee"] {
        println!("{task:6} {:5.1} % of the day", 100.0 * share(task));
    }
    let meals: u32 = lives.iter().map(|life| life.meals).sum();
    let (near, fled) = lives.iter().fold((0, 0), |sum, life| (sum.0 + life.wolf.0, sum.1 + life.wolf.1));
    println!(
        "{:.1} meals each, {} decisions for another task",
        f64::from(meals) / VILLAGERS as f64,
        app.world().resource::<Day>().changes
    );
    println!("with a wolf near they fled in {fled} of {near} minutes");

    assert!(lives.iter().all(|life| life.meals >= 2), "everybody ate");
    assert!(share("sleep") > 0.02 && share("work") > 0.05, "they slept and worked");
    assert!(fled * 10 >= near * 8, "they fled from wolves");
    assert!(share("flee") < 0.15, "and only then");
    assert!(app.world().resource::<Day>().changes > 1000);
}
