//! A decision in words, stage by stage: what was perceived, what the character was doing, what it decided and why, what it
//! then did.

use repertoire_mind::{Command, Fire, Percept};
use repertoire_worlds::arena::game::Match;

/// One decision of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What it decided to do.
    pub task: String,
    /// Whom it sees, by number.
    pub seen: Vec<usize>,
    /// What it perceived.
    pub perceived: String,
    /// Where it believes the others to be whom it does not see, where it keeps such a belief.
    pub believed: Option<String>,
    /// What it chose.
    pub chosen: String,
    /// What spoke for and against it, the weightiest first.
    pub reasons: Vec<String>,
    /// The command.
    pub done: String,
}

impl Decision {
    /// The last decision of a character; none while it is dead.
    pub fn of(game: &Match, id: usize, names: &[String]) -> Option<Self> {
        let mind = &game.contenders().get(id)?.mind;
        let percept = &game.percepts()[id];
        if mind.task().is_empty() {
            return None;
        }
        let why = mind.why();
        // Minds that weigh evidence say `choice: reason, reason`; others one sentence.
        let (chosen, reasons) = match why.split_once(": ") {
            Some((chosen, reasons)) => (chosen, reasons.split(", ").map(in_words).collect()),
            None => (why.as_str(), Vec::new()),
        };
        let unseen: f64 = mind.belief().iter().sum();
        Some(Decision {
            task: mind.task().to_owned(),
            seen: percept.characters.iter().map(|other| usize::from(other.id)).collect(),
            perceived: perceived(percept, names),
            believed: (unseen > 0.5).then(|| believed(game, id)),
            chosen: spaced(chosen),
            reasons,
            done: done(&game.commands()[id]),
        })
    }
}

/// Names of tasks and sensors are written with underscores in data.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// `enemies=one 99.0 times for it` as `enemies one: 99 times for it`.
fn in_words(reason: &str) -> String {
    let reason = reason.replace(".0 times", " times");
    // The value ends at the first blank: split before the marks of data become blanks.
    spaced(&match reason.split_once('=') {
        Some((sensor, rest)) => match rest.split_once(' ') {
            Some((value, says)) => format!("{sensor} {value}: {says}"),
            None => format!("{sensor} {rest}"),
        },
        None => reason,
    })
}

fn perceived(percept: &Percept, names: &[String]) -> String {
    let own = &percept.own;
    let mut said = vec![format!("health {:.0}, {} weapon in hand", own.health, own.weapon)];
    for other in &percept.characters {
        let name = names.get(usize::from(other.id)).map_or("somebody", String::as_str);
        let far = other.position.distance(own.position);
        let armed = other.weapon.map_or(String::new(), |weapon| format!(" with a {weapon} weapon"));
        said.push(format!("sees {name} {far:.0} m away{armed}"));
    }
    if percept.characters.is_empty() {
        said.push("nobody in view".to_owned());
    }
    let mut items: Vec<String> =
        percept.items.iter().filter(|item| item.present).map(|seen| seen.item.to_string()).collect();
    items.sort();
    items.dedup();
    if !items.is_empty() {
        said.push(format!("sees {}", items.join(" and ")));
    }
    if let Some(noise) = percept.noises.first() {
        let name = noise.sound.name();
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        said.push(format!("hears {article} {name} {}", side(noise.yaw)));
    }
    if !percept.hits.is_empty() {
        said.push(format!("was hit {}", times(percept.hits.len())));
    }
    said.join("; ")
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// A turn in words.
fn side(yaw: f64) -> &'static str {
    match yaw.to_degrees() {
        turn if turn.abs() < 45.0 => "ahead",
        turn if turn.abs() > 135.0 => "behind",
        turn if turn > 0.0 => "on the left",
        _ => "on the right",
    }
}

fn believed(game: &Match, id: usize) -> String {
    let belief = game.contenders()[id].mind.belief();
    let places = game.world().level().places();
    let best = repertoire_prob::draw::arg_max(belief);
    let own = game.world().look(id).position;
    let far = places.points().get(best).map_or(0.0, |point| point.distance(own));
    format!(
        "somebody is out of sight, most probably {far:.0} m away ({:.0} %)",
        100.0 * belief[best].min(1.0)
    )
}

fn done(command: &Command) -> String {
    let mut said = Vec::new();
    let turn = command.yaw.to_degrees();
    if turn.abs() >= 1.0 {
        said.push(format!("turns {:.0}° {}", turn.abs(), if turn > 0.0 { "left" } else { "right" }));
    }
    let ahead = match command.forward {
        x if x > 0.3 => "ahead",
        x if x < -0.3 => "back",
        _ => "",
    };
    let aside = match command.lateral {
        x if x > 0.3 => "left",
        x if x < -0.3 => "right",
        _ => "",
    };
    match (ahead, aside) {
        ("", "") => said.push("stands".to_owned()),
        ("", aside) => said.push(format!("sidesteps {aside}")),
        (ahead, "") => said.push(format!("runs {ahead}")),
        (ahead, aside) => said.push(format!("runs {ahead} and {aside}")),
    }
    if command.jump {
        said.push("jumps".to_owned());
    }
    if let Some(weapon) = command.weapon {
        said.push(format!("takes the {weapon} weapon"));
    }
    if command.fire != Fire::None {
        said.push("fires".to_owned());
    }
    said.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_without_the_marks_of_data() {
        assert_eq!(in_words("enemies=two_or_more 9.0 times for it"), "enemies two or more: 9 times for it");
        assert_eq!(
            in_words("after weapon_search 98.5 times against it"),
            "after weapon search 98.5 times against it"
        );
    }

    #[test]
    fn commands_are_told() {
        let command =
            Command { yaw: 0.5, forward: 1.0, lateral: -1.0, fire: Fire::Primary, ..Command::default() };
        assert_eq!(done(&command), "turns 29° left, runs ahead and right, fires");
        assert_eq!(done(&Command::default()), "stands");
    }
}
