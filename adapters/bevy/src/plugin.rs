//! The systems: being born, reloading, thinking, telling.

use std::cell::RefCell;
use std::sync::Arc;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_asset::{AssetApp, AssetEvent, AssetId, Assets};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use repertoire::prelude::{Design, Scratch};

use crate::asset::{Character, CharacterLoader};
use crate::mind::{Doing, Explanation, Mind, MindOf};
use crate::readings::Readings;

/// Gives minds to entities with [`MindOf`].
///
/// Minds think in every n-th run of a schedule, so that they keep a rate without a clock: by default in every sixth run of
/// `FixedUpdate`, which is about 10 times a second at Bevy's usual 64.
#[derive(Clone, Copy, Debug)]
pub struct RepertoirePlugin {
    schedule: Interned<dyn ScheduleLabel>,
    every: u32,
}

impl RepertoirePlugin {
    /// Minds think in every n-th run of this schedule; 0 counts as 1.
    pub fn new(schedule: impl ScheduleLabel, every: u32) -> Self {
        RepertoirePlugin { schedule: schedule.intern(), every: every.max(1) }
    }
}

impl Default for RepertoirePlugin {
    fn default() -> Self {
        RepertoirePlugin::new(FixedUpdate, 6)
    }
}

/// In this order, in the schedule of the plugin. What senses the world for the minds goes before `Born`, what carries tasks out after
/// `Tell`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepertoireSet {
    /// Minds whose character has been loaded or reloaded take it up; in every run.
    Born,
    /// Minds decide, on all processors.
    Think,
    /// Messages are written, and explanations.
    Tell,
}

/// A character does another task than before.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct TaskChanged {
    /// Who.
    pub entity: Entity,
    /// What it did before; none at its first decision.
    pub before: Option<String>,
    /// What it does now.
    pub task: String,
    /// The thing the task is about.
    pub target: Option<u64>,
}

/// A character's file was changed while it lived.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MindReloaded {
    /// Who.
    pub entity: Entity,
    /// Whether it goes on as it was. If its tasks, sensors or needs are others now it begins anew, and only needs of the same names
    /// stay as they were.
    pub kept: bool,
}

/// How often minds think.
#[derive(Resource)]
struct Rate {
    every: u32,
    runs: u32,
}

/// What a mind did before it changed, until it is told.
#[derive(Component, Default)]
struct Before(Option<Doing>);

impl Plugin for RepertoirePlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Character>().register_asset_loader(CharacterLoader);
        app.register_type::<Mind>().register_type::<Readings>();
        app.register_type::<Doing>().register_type::<Explanation>();
        app.add_message::<TaskChanged>().add_message::<MindReloaded>();
        app.insert_resource(Rate { every: self.every, runs: 0 });
        let (born, think, tell) = (RepertoireSet::Born, RepertoireSet::Think, RepertoireSet::Tell);
        app.configure_sets(self.schedule, (born, think, tell).chain());
        app.configure_sets(self.schedule, (think, tell).run_if(is_due));
        app.add_systems(self.schedule, count.before(think).after(born));
        app.add_systems(self.schedule, (reload, be_born).chain().in_set(born));
        app.add_systems(self.schedule, decide.in_set(think));
        app.add_systems(self.schedule, (announce, write_explanations).in_set(tell));
    }
}

fn count(mut rate: ResMut<Rate>) {
    rate.runs = rate.runs.wrapping_add(1);
}

fn is_due(rate: Res<Rate>) -> bool {
    rate.runs % rate.every == 0
}

/// Minds of characters that have just been loaded.
fn be_born(
    mut commands: Commands,
    characters: Res<Assets<Character>>,
    mut minds: Query<(Entity, &MindOf, &mut Mind, &mut Readings), Without<Before>>,
) {
    for (entity, of, mut mind, mut readings) in &mut minds {
        if let Some(character) = characters.get(&of.0) {
            mind.take_up(&character.design);
            readings.take_up(&character.design);
            commands.entity(entity).insert(Before::default());
        }
    }
}

/// Minds whose file was changed live on with the new one.
fn reload(
    mut events: MessageReader<AssetEvent<Character>>,
    characters: Res<Assets<Character>>,
    mut minds: Query<(Entity, &MindOf, &mut Mind, &mut Readings), With<Before>>,
    mut told: MessageWriter<MindReloaded>,
) {
    let changed: Vec<AssetId<Character>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    if changed.is_empty() {
        return;
    }
    for (entity, of, mut mind, mut readings) in &mut minds {
        let Some(character) = characters.get(&of.0).filter(|_| changed.contains(&of.0.id())) else {
            continue;
        };
        if mind.individual().is_some_and(|one| Arc::ptr_eq(one.design(), &character.design)) {
            continue;
        }
        let kept = mind.take_up(&character.design);
        readings.take_up(&character.design);
        told.write(MindReloaded { entity, kept });
    }
}

/// The most designs for which a thread keeps memory.
const MOST_KEPT: usize = 16;

thread_local! {
    /// Memory for deciding, by design: a planner is much to make anew.
    static SCRATCH: RefCell<Vec<(Arc<Design>, Scratch)>> = const { RefCell::new(Vec::new()) };
}

fn with_scratch<R>(design: &Arc<Design>, work: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with_borrow_mut(|kept| {
        let at = kept.iter().position(|(of, _)| Arc::ptr_eq(of, design)).unwrap_or_else(|| {
            if kept.len() == MOST_KEPT {
                kept.remove(0);
            }
            kept.push((Arc::clone(design), Scratch::new()));
            kept.len() - 1
        });
        work(&mut kept[at].1)
    })
}

/// Every mind decides. Minds do not touch each other, so any number of threads gives the same bits.
fn decide(mut minds: Query<(&mut Mind, &Readings, &mut Doing, &mut Before)>) {
    minds.par_iter_mut().for_each(|(mut mind, readings, mut doing, mut before)| {
        let (Some(one), Some(senses)) = (mind.individual_mut(), readings.senses()) else { return };
        let design = Arc::clone(one.design());
        let deed = with_scratch(&design, |scratch| one.tick(senses, scratch));
        if doing.index == deed.task && doing.target == deed.target && !doing.task.is_empty() {
            return;
        }
        let now =
            Doing { task: design.task_name(deed.task).to_owned(), index: deed.task, target: deed.target };
        if now.task != doing.task {
            before.0 = Some(std::mem::replace(&mut *doing, now));
        } else {
            *doing = now;
        }
    });
}

/// Tells of other tasks, in the order of entities.
fn announce(
    mut minds: Query<(Entity, &Doing, &mut Before), Changed<Before>>,
    mut told: MessageWriter<TaskChanged>,
) {
    let mut changes = Vec::new();
    for (entity, doing, mut before) in &mut minds {
        let Some(old) = before.bypass_change_detection().0.take() else { continue };
        let before = (!old.task.is_empty()).then_some(old.task);
        changes.push(TaskChanged { entity, before, task: doing.task.clone(), target: doing.target });
    }
    changes.sort_by_key(|change| change.entity);
    told.write_batch(changes);
}

fn write_explanations(mut explained: Query<(&Mind, &mut Explanation)>) {
    for (mind, mut explanation) in &mut explained {
        let text = mind.explain();
        if explanation.0 != text {
            explanation.0 = text;
        }
    }
}
