//! `decisions.txt`, which every adapter must reproduce to the bit. The rules of the village are in that file.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{Character, Doing, Mind, MindOf, Readings, RepertoirePlugin, RepertoireSet};

const VILLAGE: &str = include_str!("../../c/tests/village.toml");
const GOLDEN: &str = include_str!("../../c/tests/decisions.txt");

#[derive(Component)]
struct Villager {
    seed: u64,
    agent: u64,
    full: bool,
    lines: Vec<String>,
}

#[derive(Resource, Default)]
struct Tick(u64);

fn sense(tick: Res<Tick>, mut all: Query<(&Villager, &Mind, &mut Readings)>) {
    for (villager, mind, mut readings) in &mut all {
        readings.clear();
        match tick.0 % 40 {
            0..6 => readings.see("wolf", "near").unwrap(),
            6..10 => readings.believe("wolf", &[0.5, 0.5]).unwrap(),
            38.. => {}
            _ => readings.see("wolf", "away").unwrap(),
        }
        let hunger = mind.need("hunger").unwrap_or(0.2);
        readings.fact("purse", if villager.full { "full" } else { "empty" }).unwrap();
        readings.fact("meal", if hunger < 0.1 { "had" } else { "due" }).unwrap();
        readings.offer("inn", 1, (10 + villager.agent) as f64).unwrap();
        readings.offer("inn", 2, (14 - tick.0 % 8) as f64).unwrap();
    }
}

fn live(mut tick: ResMut<Tick>, mut all: Query<(&mut Villager, &mut Mind, &Doing)>) {
    for (mut villager, mut mind, doing) in &mut all {
        let target = doing.target.map_or("-".to_owned(), |thing| thing.to_string());
        let hunger = mind.need("hunger").unwrap();
        let (seed, agent, tick) = (villager.seed, villager.agent, tick.0);
        villager.lines.push(format!(
            "{seed} {agent} {tick} {} {target} {:016x}",
            doing.task,
            hunger.to_bits()
        ));
        let eaten = doing.task == "eat" && villager.full;
        villager.full = doing.task == "work" || (villager.full && !eaten);
        if eaten {
            mind.ease("hunger", 0.5).unwrap();
        }
    }
    tick.0 += 1;
}

#[test]
fn a_village_in_bevy_decides_as_every_adapter_does() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)))
        .init_resource::<Tick>()
        .add_systems(Update, (sense.before(RepertoireSet::Born), live.after(RepertoireSet::Tell)));
    let villager =
        app.world_mut().resource_mut::<Assets<Character>>().add(Character::parse(VILLAGE).unwrap());
    for seed in [1, 2] {
        for agent in 0..5 {
            let own = Villager { seed, agent, full: false, lines: Vec::new() };
            app.world_mut().spawn((own, Mind::new(seed, agent), MindOf(villager.clone())));
        }
    }
    for _ in 0..120 {
        app.update();
    }
    let mut query = app.world_mut().query::<&Villager>();
    let mut all: Vec<&Villager> = query.iter(app.world()).collect();
    all.sort_by_key(|villager| (villager.seed, villager.agent));
    let told: Vec<&String> = all.iter().flat_map(|villager| &villager.lines).collect();
    let golden: Vec<&str> = GOLDEN.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(told.len(), golden.len());
    for (told, golden) in told.iter().zip(golden) {
        assert_eq!(told.as_str(), golden);
    }
}
