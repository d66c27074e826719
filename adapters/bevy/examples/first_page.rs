//! The first page of docs/guides/bevy.md, word for word; a test compares the two.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{Character, Mind, MindOf, Readings, RepertoirePlugin, TaskChanged};

const GUARD: &str = r#"
    name = "guard"
    tasks = ["patrol", "chase", "rest"]
    stay = 0.8
    sensors.thief = ["hidden", "seen"]
    likelihood.thief.hidden = [0.99, 0.05, 0.99]
    likelihood.thief.seen = ["x", "x", "x"]
    needs.fatigue = { grows = 0.02, eased.rest = 0.1 }
    targets.chase = "thief"
"#;

fn say(mut changes: MessageReader<TaskChanged>) {
    for change in changes.read() {
        println!("{}: {} {:?}", change.entity, change.task, change.target);
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)));
    app.add_systems(Update, say);
    let guard = Character::parse(GUARD).expect("a mistake would have a line and a remedy");
    let guard = app.world_mut().resource_mut::<Assets<Character>>().add(guard);
    let bob = app.world_mut().spawn((Mind::new(42, 7), MindOf(guard))).id();
    for tick in 0..12 {
        let mut readings = app.world_mut().get_mut::<Readings>(bob).expect("every mind has them");
        readings.clear();
        readings.see("thief", if tick >= 4 { "seen" } else { "hidden" }).expect("guards have this sensor");
        if tick >= 4 {
            readings.offer("thief", 3, 12.5).expect("and chase thieves");
        }
        app.update();
    }
    println!("{}", app.world().get::<Mind>(bob).expect("it lives").explain());
}
