//! Characters as files: who decides in a fighter and which stages it has, and what a character of a game's own knows.

use std::sync::Arc;

use repertoire_mind::fighter::{By, FighterDesign, Stage};
use repertoire_mind::game::Design;
use serde_json::{Value, json};

/// The names of the stages that a fighter has.
pub fn stages(design: &FighterDesign) -> Vec<&'static str> {
    design.stages().into_iter().map(Stage::name).collect()
}

/// Who decides in a fighter, and which stages there are beside.
pub fn in_words(design: &FighterDesign) -> String {
    let decides = match design.by() {
        By::Machine => "a state machine decides",
        By::Sequence => "tables of tasks and sensors decide",
        By::Imitation => "what was learned of a teacher decides",
        By::Motivation => "motivations decide",
    };
    match stages(design)[..] {
        [] => decides.to_owned(),
        ref stages => format!("{decides}; stages: {}", stages.join(", ")),
    }
}

/// Fighters by name: what each is, and how it decides.
pub fn list(all: &[(&str, &Arc<FighterDesign>)]) -> String {
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = all.iter().map(|(name, design)| {
        format!("{name:<width$} {}\n{:<width$} {}\n", design.about(), "", in_words(design))
    });
    lines.collect()
}

/// The same for other programs.
pub fn list_as_json(all: &[(&str, &Arc<FighterDesign>)]) -> Value {
    let row = |(name, design): &(&str, &Arc<FighterDesign>)| json!({ "name": name, "about": design.about(), "decides_by": design.by().name(), "stages": stages(design) });
    all.iter().map(row).collect()
}

/// The names in a character of a game's own: tasks, sensors, needs and goals.
fn names(design: &Design) -> [(&'static str, Vec<&str>); 4] {
    let behaviour = design.behaviour();
    let goals = design.planning().map_or(&[][..], |planning| planning.goals());
    [
        ("tasks", behaviour.task_names().collect()),
        ("sensors", behaviour.sensors().iter().map(|sensor| sensor.name.as_str()).collect()),
        ("needs", design.needs().iter().map(|need| need.name.as_str()).collect()),
        ("goals", goals.iter().map(|goal| goal.name.as_str()).collect()),
    ]
}

/// A character of a game's own that can be played, and what it knows.
pub fn of_game(file: &str, design: &Design) -> String {
    let said = |(what, names): (&str, Vec<&str>)| match &names[..] {
        [] => format!("  no {what}\n"),
        names => format!("  {what}: {}\n", names.join(", ")),
    };
    format!("{file}: {} can play\n", design.name()) + &names(design).map(said).concat()
}

/// The same for other programs.
pub fn of_game_as_json(file: &str, design: &Design) -> Value {
    let mut document = json!({ "file": file, "name": design.name() });
    for (what, names) in names(design) {
        document[what] = json!(names);
    }
    document
}
