//! Coming from big-brain: its example of a thirsty character, as one file and two systems.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{Character, Doing, Mind, MindOf, RepertoirePlugin, RepertoireSet, TaskChanged};

/// What were a component, a scorer, an action and a thinker. Thirst grows by itself; drinking eases it.
const DRINKER: &str = r#"
    name = "drinker"
    tasks = ["idle", "drink"]
    stay = 0.9                                                # a task goes on for about ten ticks
    sensors.thirst = ["quenched", "thirsty"]                  # read from the need of the same name
    likelihood.thirst.quenched = ["x", 0.02]                  # nobody drinks who is not thirsty
    likelihood.thirst.thirsty = [0.02, "x"]
    needs.thirst = { grows = 0.02, starts = 0.7, eased.drink = 0.07, levels = [0.8] }
"#;

#[derive(Resource, Default)]
struct Drunk(u32);

/// The action: what happens while it goes on is the game's.
fn drink(all: Query<&Doing>, mut drunk: ResMut<Drunk>) {
    drunk.0 += all.iter().filter(|doing| doing.task == "drink").count() as u32;
}

fn say(mut changes: MessageReader<TaskChanged>, minds: Query<&Mind>) {
    for change in changes.read() {
        let thirst = minds.get(change.entity).ok().and_then(|mind| mind.need("thirst")).unwrap_or(0.0);
        println!("thirst {thirst:.2}: {} -> {}", change.before.as_deref().unwrap_or("nothing"), change.task);
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)))
        .init_resource::<Drunk>()
        .add_systems(Update, (drink, say).chain().after(RepertoireSet::Tell));
    let drinker = Character::parse(DRINKER).unwrap_or_else(|mistake| panic!("thirst.rs:{mistake}"));
    let drinker = app.world_mut().resource_mut::<Assets<Character>>().add(drinker);
    let hob = app.world_mut().spawn((Mind::new(1, 0), MindOf(drinker))).id();
    for _ in 0..200 {
        app.update();
    }
    let mind = app.world().get::<Mind>(hob).expect("it is there");
    println!("\n{}", mind.explain());
    let drunk = app.world().resource::<Drunk>().0;
    assert!((30..150).contains(&drunk), "drank at {drunk} of 200 ticks");
    assert!(mind.need("thirst").is_some_and(|thirst| thirst < 1.0), "nobody dies of thirst");
}
