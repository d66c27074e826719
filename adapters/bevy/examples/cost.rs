//! What a frame costs for ten thousand minds in a Bevy app without a window, with 8 and with 64 tasks to choose among.
//!
//! `cargo run --release --example cost --manifest-path adapters/bevy/Cargo.toml`; beside it, for the same number of thinkers with as many
//! scorers, `cargo run --release --manifest-path bench/big-brain/Cargo.toml -- --frames`. The characters are those of that benchmark:
//! three sensors, a need for each task, a plan and a reaction time. A frame changes what everybody senses, decides for everybody, and
//! asks what they do.

#[allow(dead_code, reason = "of the benchmark's characters only their file is used here")]
#[path = "../../../bench/src/minds.rs"]
mod minds;

use std::time::Instant;

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{Character, Doing, Mind, MindOf, Readings, RepertoirePlugin, RepertoireSet};

const THINKERS: u64 = 10_000;
const FRAMES: usize = 40;

#[derive(Component)]
struct Number(usize);

#[derive(Resource, Default)]
struct Tick(usize);

/// How many do their first task: so that nothing is measured that does nothing.
#[derive(Resource, Default)]
struct First(usize);

fn sense(mut tick: ResMut<Tick>, mut all: Query<(&Number, &mut Readings)>) {
    tick.0 += 1;
    for (Number(number), mut readings) in &mut all {
        let k = number * 7 + tick.0 * 13;
        let told = [
            readings.see("a", if k.is_multiple_of(20) { "yes" } else { "no" }),
            readings.see("b", if k % 5 < 2 { "yes" } else { "no" }),
            readings.see("c", ["low", "middle", "high"][k % 3]),
        ];
        told.into_iter().collect::<Result<(), _>>().expect("the file has these words");
    }
}

fn count(mut first: ResMut<First>, all: Query<&Doing>) {
    first.0 = all.iter().filter(|doing| doing.task == "task0").count();
}

fn main() {
    let quick = std::env::args().any(|word| word == "--quick");
    let thinkers = if quick { THINKERS / 50 } else { THINKERS };
    for tasks in [8, 64] {
        let mut app = App::new();
        app.add_plugins((
            TaskPoolPlugin::default(),
            AssetPlugin::default(),
            RepertoirePlugin::new(Update, 1),
        ))
        .init_resource::<Tick>()
        .init_resource::<First>()
        .add_systems(Update, (sense.before(RepertoireSet::Born), count.after(RepertoireSet::Tell)));
        let character = Character::parse(&minds::file(tasks)).unwrap_or_else(|mistake| panic!("{mistake}"));
        let character = app.world_mut().resource_mut::<Assets<Character>>().add(character);
        for agent in 0..thinkers {
            app.world_mut().spawn((Number(agent as usize), Mind::new(1, agent), MindOf(character.clone())));
        }
        (0..5).for_each(|_| app.update());
        let mut each: Vec<f64> = (0..FRAMES)
            .map(|_| {
                let start = Instant::now();
                app.update();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        each.sort_by(f64::total_cmp);
        assert!(app.world().resource::<First>().0 > 0, "somebody does the first task");
        println!(
            "{thinkers} minds, {tasks} tasks: a frame took {:.2} ms at least, {:.2} ms in the middle",
            each[0],
            each[FRAMES / 2]
        );
    }
}
