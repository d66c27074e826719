//! Reloading, saving, telling, rates, threads.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use bevy_app::{App, TaskPoolOptions, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_reflect::TypeRegistry;
use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy_reflect::{FromReflect, PartialReflect};
use bevy_repertoire::*;
use serde::de::DeserializeSeed;

const VILLAGE: &str = include_str!("../../c/tests/village.toml");

fn app(threads: usize, every: u32) -> App {
    let pool = TaskPoolPlugin { task_pool_options: TaskPoolOptions::with_num_threads(threads) };
    let mut app = App::new();
    app.add_plugins((pool, AssetPlugin::default(), RepertoirePlugin::new(Update, every)));
    app
}

fn village(app: &mut App) -> Handle<Character> {
    app.world_mut().resource_mut::<Assets<Character>>().add(Character::parse(VILLAGE).unwrap())
}

fn villager(app: &mut App, of: &Handle<Character>, agent: u64) -> Entity {
    let mut readings = Readings::default();
    readings.see("wolf", if agent % 3 == 0 { "near" } else { "away" }).unwrap();
    app.world_mut().spawn((Mind::new(7, agent), MindOf(of.clone()), readings)).id()
}

fn mind(app: &App, entity: Entity) -> String {
    serde_json::to_string(app.world().get::<Mind>(entity).unwrap()).unwrap()
}

#[test]
fn a_changed_file_is_taken_up_and_nothing_is_lost() {
    let mut app = app(2, 1);
    let of = village(&mut app);
    let hob = villager(&mut app, &of, 1);
    (0..10).for_each(|_| app.update());
    let (before, hunger) = (mind(&app, hob), app.world().get::<Mind>(hob).unwrap().need("hunger").unwrap());

    let slower = VILLAGE.replace("grows = 0.02", "grows = 0.001");
    *app.world_mut().resource_mut::<Assets<Character>>().get_mut(&of).unwrap() =
        Character::parse(&slower).unwrap();
    // Asset events are written at the end of the frame.
    app.update();
    app.update();
    let reloaded: Vec<MindReloaded> =
        app.world_mut().resource_mut::<Messages<MindReloaded>>().drain().collect();
    assert_eq!(reloaded, [MindReloaded { entity: hob, kept: true }]);
    let now = app.world().get::<Mind>(hob).unwrap();
    let grown = now.need("hunger").unwrap() - hunger;
    assert!(grown <= 0.02 + 0.001 + 1e-9, "{grown}");
    assert_ne!(mind(&app, hob), before);

    // Other tasks: it begins anew, but is as hungry as it was.
    let other = slower.replace("\"sleep\", ", "\"rest\", ").replace("eased.sleep", "eased.rest");
    let other = other
        .replace("facts.meal = [\"due\", \"had\"]", "facts.meal = [\"due\", \"had\", \"missed\"]")
        .replace("grows = 0.008", "grows = 0.007");
    let extra =
        other.replace("needs.fatigue", "needs.thirst = { grows = 0.5, eased.rest = 0.1 }\nneeds.fatigue");
    let hunger = app.world().get::<Mind>(hob).unwrap().need("hunger").unwrap();
    *app.world_mut().resource_mut::<Assets<Character>>().get_mut(&of).unwrap() =
        Character::parse(&extra).unwrap_or_else(|mistake| panic!("{mistake}"));
    app.update();
    app.update();
    let reloaded: Vec<MindReloaded> =
        app.world_mut().resource_mut::<Messages<MindReloaded>>().drain().collect();
    assert_eq!(reloaded, [MindReloaded { entity: hob, kept: false }]);
    assert!((app.world().get::<Mind>(hob).unwrap().need("hunger").unwrap() - hunger).abs() < 0.01);
}

#[test]
fn a_mind_saved_through_reflection_goes_on_to_the_bit() {
    let mut app = app(2, 1);
    let of = village(&mut app);
    let hob = villager(&mut app, &of, 4);
    (0..25).for_each(|_| app.update());
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let saved = |component: &dyn PartialReflect, registry: &TypeRegistry| {
        serde_json::to_string(&ReflectSerializer::new(component, registry)).unwrap()
    };
    let (mind_text, readings_text) = {
        let registry = registry.read();
        let world = app.world();
        (
            saved(world.get::<Mind>(hob).unwrap(), &registry),
            saved(world.get::<Readings>(hob).unwrap(), &registry),
        )
    };
    fn read<T: FromReflect>(text: &str, registry: &TypeRegistry) -> T {
        let mut reader = serde_json::Deserializer::from_str(text);
        let value = ReflectDeserializer::new(registry).deserialize(&mut reader).unwrap();
        T::from_reflect(&*value).unwrap()
    }
    let (again, senses): (Mind, Readings) =
        (read(&mind_text, &registry.read()), read(&readings_text, &registry.read()));
    let twin = app.world_mut().spawn((again, senses, MindOf(of))).id();
    for _ in 0..30 {
        app.update();
        assert_eq!(mind(&app, hob), mind(&app, twin));
    }
}

#[test]
fn other_tasks_are_told_of_and_explanations_are_written() {
    let mut app = app(2, 1);
    let of = village(&mut app);
    let hob = villager(&mut app, &of, 0);
    app.world_mut().entity_mut(hob).insert(Explanation::default());
    let mut told = Vec::new();
    for _ in 0..60 {
        app.update();
        told.extend(app.world_mut().resource_mut::<Messages<TaskChanged>>().drain());
    }
    assert!(told.len() > 1 && told[0].before.is_none(), "{told:?}");
    for pair in told.windows(2) {
        assert_eq!(pair[1].before.as_ref(), Some(&pair[0].task));
        assert_ne!(pair[1].task, pair[0].task);
    }
    assert_eq!(app.world().get::<Doing>(hob).unwrap().task, told.last().unwrap().task);
    let explained = &app.world().get::<Explanation>(hob).unwrap().0;
    assert!(explained.contains("wolf=near") && *explained == app.world().get::<Mind>(hob).unwrap().explain());
}

#[test]
fn minds_think_in_every_nth_run() {
    let (mut each, mut third) = (app(2, 1), app(2, 3));
    let (a, b) = (village(&mut each), village(&mut third));
    let (hob, rob) = (villager(&mut each, &a, 1), villager(&mut third, &b, 1));
    (0..5).for_each(|_| each.update());
    (0..15).for_each(|_| third.update());
    assert_eq!(mind(&each, hob), mind(&third, rob));
}

#[test]
fn a_file_is_loaded_and_its_mistakes_have_a_line() {
    let folder = std::env::temp_dir().join(format!("bevy_repertoire {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("good.character.toml"), VILLAGE).unwrap();
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), assets, RepertoirePlugin::new(Update, 1)));
    let good = app.world().resource::<AssetServer>().load("good.character.toml");
    let hob = villager(&mut app, &good, 1);
    for _ in 0..2000 {
        app.update();
        if app.world().get::<Mind>(hob).unwrap().individual().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    assert!(app.world().get::<Mind>(hob).unwrap().individual().is_some(), "the file was loaded");

    // Somebody writes the file anew while the game runs.
    std::fs::write(folder.join("good.character.toml"), VILLAGE.replace("0.02, starts", "0.03, starts"))
        .unwrap();
    app.world().resource::<AssetServer>().reload("good.character.toml");
    let mut kept = None;
    for _ in 0..2000 {
        app.update();
        kept = app.world_mut().resource_mut::<Messages<MindReloaded>>().drain().next().or(kept);
        if kept.is_some() {
            break;
        }
        std::thread::yield_now();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(kept, Some(MindReloaded { entity: hob, kept: true }));
    let mistake = Character::parse("name = 3").unwrap_err();
    assert_eq!(mistake.line, 1);
}

/// The state of a village after a while, as a number; the pool of threads is one for each process.
#[test]
fn child() {
    let Ok(threads) = std::env::var("VILLAGE_THREADS") else { return };
    let mut app = app(threads.parse().unwrap(), 1);
    let of = village(&mut app);
    let all: Vec<Entity> = (0..500).map(|agent| villager(&mut app, &of, agent)).collect();
    (0..60).for_each(|_| app.update());
    let mut hasher = DefaultHasher::new();
    all.iter().for_each(|&entity| mind(&app, entity).hash(&mut hasher));
    println!("state hash {:016x}", hasher.finish());
}

#[test]
fn any_number_of_threads_gives_the_same_states() {
    let hash = |threads: &str| {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program);
        let child = child.args(["--exact", "child", "--nocapture"]).env("VILLAGE_THREADS", threads);
        let text = String::from_utf8(child.output().unwrap().stdout).unwrap();
        let at = text.find("state hash").unwrap_or_else(|| panic!("no hash in {text}"));
        text[at..].lines().next().unwrap().to_owned()
    };
    let one = hash("1");
    assert_eq!(one, hash("2"));
    assert_eq!(one, hash("8"));
}
