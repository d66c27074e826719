//! The world in a terminal: a letter for each place.

use repertoire_character::Standing;
use repertoire_character::explain::Explained;
use repertoire_prob::num::significant;

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
