//! The world in a terminal: a letter for each place.

use repertoire_character::Standing;
use repertoire_character::explain::Explained;
use repertoire_character::laws::matrix::Model;
use repertoire_character::reason::outline;
use repertoire_prob::num::significant;
use repertoire_worlds::rooms::Resident;
use repertoire_worlds::rooms::review::Review;
use repertoire_worlds::rooms::scenario::{ALIASES, Scenario};
use serde_json::{Value, json};

use super::table::Table;
use crate::rooms::film::{Film, NOTHING_TO_DO, Shot};

/// The map after a step (0 is the start), as everything truly is; what the first character never saw is dim where there
/// is colour, and its way so far is dotted.
pub fn frame(film: &Film, step: usize) -> String {
    let grid = &film.scenario.grid;
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut letters: Vec<char> =
        (0..grid.len() as u32).map(|place| if grid.is_wall(place) { '#' } else { ' ' }).collect();
    for role in &film.roles {
        for shot in role.shots.iter().take(step) {
            for [x, y] in [shot.from, shot.at] {
                letters[y as usize * width + x as usize] = '·';
            }
        }
    }
    for (sign, [x, y], _) in &film.things[step] {
        letters[*y as usize * width + *x as usize] = *sign;
    }
    let unseen: Option<&str> =
        step.checked_sub(1).and_then(|at| film.roles[0].shots.get(at)).map(|shot| shot.known.as_str());
    let dim = anstyle::Style::new().dimmed();
    let mut text = String::new();
    for y in 0..height {
        for x in 0..width {
            let letter = letters[y * width + x];
            let is_known = unseen.is_none_or(|known| known.as_bytes()[y * width + x] != b' ');
            match is_known {
                true => text.push(letter),
                false => text += &format!("{dim}{letter}{dim:#}"),
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// What each character did in a step, a line each.
pub fn told(film: &Film, step: usize) -> String {
    let mut text = String::new();
    for role in &film.roles {
        let Some(shot) = role.shots.get(step) else { continue };
        let own: Vec<String> = shot.own.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let carries = if shot.carries.is_empty() {
            String::new()
        } else {
            format!("; has {}", shot.carries.join(", "))
        };
        text += &format!(
            "{} {}: {} ({}{carries})\n    {}\n",
            step,
            role.name,
            shot.action,
            own.join(", "),
            shot.why
        );
    }
    text
}

/// The map after a step while it is watched.
pub fn watched(film: &Film, step: usize) -> String {
    let (name, seed) = (&film.scenario.name, film.seed);
    format!("{name}  seed {seed}  step {step}  q ends\n\n{}\n{}", frame(film, step + 1), told(film, step))
}

/// The map at every step, and what everybody does there.
pub fn frames(film: &Film) -> String {
    let step = |step: usize| format!("\n{}{}", told(film, step), frame(film, step + 1));
    frame(film, 0) + &(0..film.len()).map(step).collect::<String>()
}

/// What was done, without the ways: a line for each time somebody does something else, and how the goals ended.
pub fn summary(film: &Film) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{}{bold:#}  {}\n", film.scenario.name, film.scenario.about);
    for role in &film.roles {
        text += &format!("\n{} ({}), {} steps\n", role.name, role.profile, role.shots.len());
        let mut last = String::new();
        for (step, shot) in role.shots.iter().enumerate() {
            if shot.action != last {
                text += &format!("{step:5}  {}\n", action_and_why(shot));
                last = shot.action.clone();
            }
        }
        // Who is gone wants nothing.
        let is_gone = role.shots.last().is_some_and(|shot| shot.word == "gone");
        for (goal, standing) in role.goals.iter().filter(|_| !is_gone) {
            let end = match standing {
                Standing::Met => "met",
                Standing::Open => "not met yet",
                Standing::Unreachable => "no way to it is known",
            };
            text += &format!("       goal {goal}: {end}\n");
        }
    }
    text
}

fn action_and_why(shot: &Shot) -> String {
    match shot.word.as_str() {
        "wait" if shot.why == NOTHING_TO_DO => shot.action.clone(),
        _ => format!("{:26} {}", shot.action, shot.why),
    }
}

/// What a character could do, with what each motivation of these names said about it, and then each in full.
pub fn alternatives(all: &[Explained], motivations: &[&str]) -> String {
    let names = motivations.iter().map(|&name| name.to_owned());
    let mut table = Table::by("now", ["goal".to_owned(), "value".to_owned()].into_iter().chain(names));
    for one in all {
        let mut line = vec![one.action.clone(), one.goal.clone(), significant(one.value, 3)];
        line.extend(one.motivations.iter().map(|(_, value)| significant(*value, 3)));
        table.row(line);
    }
    let mut text = format!("alternatives, the chosen one first\n{table}");
    for one in all {
        text += &format!("  {}: {}\n", one.action, one.alternative.join(", then "));
    }
    text
}

/// Scenarios by name.
pub fn scenarios(all: &[Scenario]) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{:12} {:12} {:>5}  about{bold:#}\n", "scenario", "also", "steps");
    for scenario in all {
        let alias = alias(&scenario.name).unwrap_or_default();
        text += &format!("{:12} {alias:12} {:>5}  {}\n", scenario.name, scenario.steps, scenario.about);
    }
    text
}

/// The same for other programs.
pub fn scenarios_as_json(all: &[Scenario]) -> Value {
    let row = |scenario: &Scenario| {
        let characters: Vec<&str> = scenario.characters.iter().map(|part| part.name.as_str()).collect();
        json!({ "name": scenario.name, "alias": alias(&scenario.name), "about": scenario.about,
            "steps": scenario.steps, "characters": characters })
    };
    all.iter().map(row).collect()
}

fn alias(name: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(_, full)| *full == name).map(|(alias, _)| *alias)
}

/// A scenario that can be run, and what looks odd in it.
pub fn reviewed(scenario: &Scenario, review: &Review) -> String {
    let text = format!(
        "{}: {} by {}, {} things, {} characters, {} interactions: it can be run\n",
        scenario.name,
        scenario.grid.width(),
        scenario.grid.height(),
        scenario.things.len() - scenario.characters.len(),
        scenario.characters.len(),
        scenario.laws.interactions.len()
    );
    review.notes.iter().fold(text, |text, note| text + &format!("  note: {note}\n"))
}

/// The same for other programs.
pub fn reviewed_as_json(scenario: &Scenario, review: &Review) -> Value {
    let hopeless = review.hopeless.iter().map(|(who, goal)| json!({ "character": who, "goal": goal }));
    json!({ "scenario": scenario.name, "width": scenario.grid.width(), "height": scenario.grid.height(),
        "things": scenario.things.len(), "characters": scenario.characters.len(),
        "interactions": scenario.laws.interactions.len(), "kinds": scenario.laws.kinds.len(),
        "hopeless": hopeless.collect::<Vec<_>>(), "notes": review.notes })
}

/// An interaction matrix: who may do what to whom, its primitives, and what is wrong with it.
pub fn matrix(model: &Model) -> String {
    let mut table = Table::new(&["source", "interaction", "priority", "target", "distance", "policy"]);
    for one in &model.assignations {
        let (target, distance) = match &one.target {
            Some((target, distance)) => (target.clone(), distance.to_string()),
            None if one.update => ("UPDATE".into(), String::new()),
            None => ("itself".into(), String::new()),
        };
        let policy = one.policy.clone().unwrap_or_default();
        let priority = one.priority.to_string();
        table.row(vec![one.source.clone(), one.interaction.clone(), priority, target, distance, policy]);
    }
    let primitives = model.primitives();
    let text = format!("{table}\n{} primitives: {}\n", primitives.len(), primitives.join(" "));
    model.faults().iter().fold(text, |text, fault| text + &format!("  note: {fault}\n"))
}

/// What a character thinks: the tree of each goal, and what it could do if that is given.
pub fn thoughts(resident: &Resident, scenario: &Scenario, explained: Option<&Vec<Explained>>) -> String {
    let goals = resident.character.goals().iter().zip(resident.character.trees());
    let trees = goals.map(|(goal, tree)| outline(tree, &goal.name, &scenario.laws, &scenario.roster));
    let told = explained.map(|explained| format!("\n{}", alternatives(explained, &resident.temper.names())));
    trees.collect::<String>() + &told.unwrap_or_default()
}

/// What a character thinks at a step, for other programs: the tree of each goal, and what it could do.
pub fn thoughts_as_json(
    step: u32,
    resident: &Resident,
    scenario: &Scenario,
    explained: &[Explained],
) -> Value {
    let (laws, roster, character) = (&scenario.laws, &scenario.roster, &resident.character);
    let goals = character.goals().iter().zip(character.trees()).enumerate().map(|(at, (goal, tree))| {
        json!({ "goal": goal.name, "standing": character.standing(at), "nodes": tree.nodes.len(),
            "tree": outline(tree, &goal.name, laws, roster).lines().collect::<Vec<_>>() })
    });
    json!({ "step": step, "character": resident.name, "goals": goals.collect::<Vec<_>>(), "alternatives": explained,
        "nodes_worked_out": character.grown.0, "nodes_taken_over": character.grown.1 })
}
