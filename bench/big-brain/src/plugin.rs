//! Our plugin against big-brain, each in a Bevy app of its own version: what a frame costs in which everybody thinks.
//!
//! Ours: a need for each task, drawn decisions, messages when a task changes. big-brain: a scorer and an action for each task. In
//! both, one need of each thinker changes in each frame.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_repertoire::{Character, Doing, Mind, MindOf, RepertoirePlugin, RepertoireSet};

#[derive(Component)]
struct Number(usize);

#[derive(Resource)]
struct Frame {
    number: usize,
    needs: Vec<String>,
}

fn change(mut frame: ResMut<Frame>, mut all: Query<(&Number, &mut Mind)>) {
    frame.number += 1;
    for (Number(number), mut mind) in &mut all {
        let at = (number + frame.number) % frame.needs.len();
        let by = ((number * 7 + frame.number * 13) % 20) as f64 / 10.0 - 1.0;
        mind.ease(&frame.needs[at], by).expect("it has this need");
    }
}

/// An app with this many thinkers of this many tasks, after its first frames.
pub fn app(count: usize, tasks: usize) -> App {
    let names: Vec<String> = (0..tasks).map(|task| format!("task{task}")).collect();
    let needs: Vec<String> = (0..tasks).map(|task| format!("need{task}")).collect();
    let mut text = format!("name = \"thinker\"\ntasks = {names:?}\nstay = 0.5\n");
    for (name, need) in names.iter().zip(&needs) {
        text += &format!("needs.{need} = {{ grows = 0.01, starts = 0.5, eased.{name} = 0.02 }}\n");
    }
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)))
        .insert_resource(Frame { number: 0, needs })
        .add_systems(Update, change.before(RepertoireSet::Born));
    let character = Character::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
    let character = app.world_mut().resource_mut::<Assets<Character>>().add(character);
    for number in 0..count {
        app.world_mut().spawn((Number(number), Mind::new(1, number as u64), MindOf(character.clone())));
    }
    (0..5).for_each(|_| app.update());
    app
}

/// How many of them do something.
pub fn at_work(app: &mut App) -> usize {
    let mut doing = app.world_mut().query::<&Doing>();
    doing.iter(app.world()).filter(|doing| !doing.task.is_empty()).count()
}
