//! Why not: what spoke for and against a task, and the smallest change of what a character perceived that would have led to it.
//!
//! One reading at a time is changed, and the character's own mind decides again with the same random numbers. The changes are tried
//! from small to large within each reading, so that what is found is the smallest of its kind; the kinds are then put in
//! the order of how large a share of the reading's range they change. That two readings together would have done it is not tried.

use repertoire_mind::game::Report;
use repertoire_mind::{Hit, Item, Noise, Percept, SeenCharacter, Sound, Weapon};
use repertoire_worlds::arena::game::Match;
use serde::Serialize;

use crate::timeline::{Moment, TimelineError};

/// A reading that was changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changed {
    /// Which: `health`, `sees native:3`...
    pub reading: String,
    /// What it was.
    pub was: String,
    /// What it would have had to be.
    pub becomes: String,
    /// How large the change is, as a share of the reading's range.
    pub size: f64,
    /// How probable the wanted task was then, where the mind weighs tasks.
    pub p: Option<f64>,
    /// The whole percept with the change, to ask what if with.
    #[serde(skip)]
    pub percept: Percept,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct WhyNot {
    /// What it did instead.
    pub did: String,
    /// The table of the decision, where the mind keeps one.
    pub report: Option<Report>,
    /// Single changes that lead to the task, smallest first; empty if none does.
    pub changes: Vec<Changed>,
    /// How many changes were tried.
    pub tried: usize,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyNotError {
    /// The moment cannot be had.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// There is no such character, or it is not alive then.
    #[error("character {0} is not alive at that moment: choose another or another moment")]
    NotAlive(usize),
    /// It cannot be asked again with another percept.
    #[error("this character cannot be asked again: {0}")]
    Mind(#[from] repertoire_mind::RestoreError),
}

/// Why a character did not do a task at a moment, and what would have made it.
///
/// # Errors
/// If the character is not alive then.
pub fn why_not(moment: &Moment, id: usize, task: &str) -> Result<WhyNot, WhyNotError> {
    let mut game = moment.game()?;
    if id >= game.world().len() || !game.world().is_alive(id) {
        return Err(WhyNotError::NotAlive(id));
    }
    game.perceive();
    let make = &moment.cast()[id].make;
    let mut mind = make();
    game.consider(id, mind.as_mut(), &game.percepts()[id])?;
    let (did, report) = (mind.task().to_owned(), mind.report());
    let mut answer = WhyNot { did, report, changes: Vec::new(), tried: 0 };
    let names: Vec<&str> = game.contenders().iter().map(|one| one.name.as_str()).collect();
    for kind in kinds(&game, id, &names) {
        for (becomes, size, percept) in kind.others {
            answer.tried += 1;
            let mut mind = make();
            game.consider(id, mind.as_mut(), &percept)?;
            if mind.task() == task {
                let p = mind.report().and_then(|report| probability(&report, task));
                let (reading, was) = (kind.reading, kind.was);
                answer.changes.push(Changed { reading, was, becomes, size, p, percept });
                break;
            }
        }
    }
    answer.changes.sort_by(|a, b| a.size.total_cmp(&b.size));
    Ok(answer)
}

/// How probable a task was.
pub fn probability(report: &Report, task: &str) -> Option<f64> {
    let at = report.tasks.iter().position(|name| name == task)?;
    report.posterior.get(at).copied()
}

/// A reading, and what else it could be, nearest first.
struct Kind {
    reading: String,
    was: String,
    others: Vec<(String, f64, Percept)>,
}

/// Every reading that can be changed alone.
fn kinds(game: &Match, id: usize, names: &[&str]) -> Vec<Kind> {
    let percept = &game.percepts()[id];
    let mut kinds = vec![health(percept), weapon(percept)];
    kinds.extend([Weapon::Medium, Weapon::Strong].map(|weapon| ammo(percept, weapon)));
    kinds.extend(
        percept
            .characters
            .iter()
            .enumerate()
            .map(|(at, seen)| unseen(percept, at, names[usize::from(seen.id)])),
    );
    let hidden = (0..game.world().len()).filter(|&other| {
        other != id
            && game.world().is_alive(other)
            && !percept.characters.iter().any(|seen| usize::from(seen.id) == other)
    });
    kinds.extend(hidden.map(|other| seen(game, percept, other, names[other])));
    kinds.extend(items(percept));
    kinds.push(hit(percept));
    kinds.push(noise(percept));
    kinds
}

fn with(percept: &Percept, change: impl FnOnce(&mut Percept)) -> Percept {
    let mut other = percept.clone();
    change(&mut other);
    other
}

fn health(percept: &Percept) -> Kind {
    let was = percept.own.health;
    let mut others: Vec<f64> =
        (1..=20).map(|step| f64::from(step) * 5.0).filter(|other| (other - was).abs() > 0.5).collect();
    others.sort_by(|a, b| (a - was).abs().total_cmp(&(b - was).abs()));
    let other = |health: f64| {
        (
            format!("{health:.0}"),
            (health - was).abs() / 100.0,
            with(percept, |percept| percept.own.health = health),
        )
    };
    Kind {
        reading: "health".to_owned(),
        was: format!("{was:.0}"),
        others: others.into_iter().map(other).collect(),
    }
}

fn weapon(percept: &Percept) -> Kind {
    let own = &percept.own;
    let others = Weapon::ALL.into_iter().filter(|&weapon| weapon != own.weapon).map(|weapon| {
        let change = |percept: &mut Percept| {
            percept.own.weapon = weapon;
            percept.own.weapons[weapon.index()] = true;
            percept.own.ammo[weapon.index()] = percept.own.ammo[weapon.index()].max(10);
        };
        let far = own.weapon.index().abs_diff(weapon.index()) as f64 / 2.0;
        (format!("{weapon}, loaded"), far, with(percept, change))
    });
    let mut others: Vec<_> = others.collect();
    others.sort_by(|a, b| a.1.total_cmp(&b.1));
    Kind { reading: "weapon in hand".to_owned(), was: own.weapon.to_string(), others }
}

fn ammo(percept: &Percept, weapon: Weapon) -> Kind {
    let was = percept.own.ammo[weapon.index()];
    let mut others: Vec<u32> = [0, 2, 5, 10, 20].into_iter().filter(|&other| other != was).collect();
    others.sort_by_key(|other| other.abs_diff(was));
    let other = |shots: u32| {
        let change = |percept: &mut Percept| {
            percept.own.ammo[weapon.index()] = shots;
            percept.own.weapons[weapon.index()] |= shots > 0;
        };
        (shots.to_string(), f64::from(shots.abs_diff(was)) / 20.0, with(percept, change))
    };
    let reading = format!("shots of the {weapon} weapon");
    Kind { reading, was: was.to_string(), others: others.into_iter().map(other).collect() }
}

fn unseen(percept: &Percept, at: usize, name: &str) -> Kind {
    let without = with(percept, |percept| {
        percept.characters.remove(at);
    });
    let own = percept.own.position;
    let seen = percept.characters[at];
    let mut others: Vec<(String, f64, Percept)> = [0.5, 0.75, 1.5, 2.0, 3.0]
        .into_iter()
        .map(|factor: f64| {
            let there = own + (seen.position - own) * factor;
            let far = there.distance(own);
            let moved = with(percept, |percept| percept.characters[at].position = there);
            (format!("seen {far:.0} m away"), (far - seen.position.distance(own)).abs() / 40.0, moved)
        })
        .collect();
    others.push(("not seen".to_owned(), 1.0, without));
    others.sort_by(|a, b| a.1.total_cmp(&b.1));
    Kind { reading: name.to_owned(), was: format!("seen {:.0} m away", seen.position.distance(own)), others }
}

fn seen(game: &Match, percept: &Percept, other: usize, name: &str) -> Kind {
    let look = game.world().look(other);
    let appears = SeenCharacter {
        id: other as u8,
        position: look.position,
        velocity: look.velocity,
        weapon: Some(look.weapon),
    };
    let far = look.position.distance(percept.own.position);
    let others = vec![(
        format!("seen {far:.0} m away"),
        1.0,
        with(percept, |percept| percept.characters.push(appears)),
    )];
    Kind { reading: name.to_owned(), was: "not seen".to_owned(), others }
}

fn items(percept: &Percept) -> Vec<Kind> {
    let each = percept
        .items
        .iter()
        .enumerate()
        .filter(|(_, seen)| matches!(seen.item, Item::Health | Item::Weapon(_)));
    let kind = |(at, seen): (usize, &repertoire_mind::SeenItem)| {
        let word = |present: bool| if present { "there" } else { "gone" }.to_owned();
        let other = with(percept, |percept| percept.items[at].present = !seen.present);
        Kind {
            reading: format!("{} {:.0} m away", seen.item, seen.position.distance(percept.own.position)),
            was: word(seen.present),
            others: vec![(word(!seen.present), 1.0, other)],
        }
    };
    each.map(kind).collect()
}

fn hit(percept: &Percept) -> Kind {
    let (was, becomes, other) = match percept.hits.is_empty() {
        true => (
            "none",
            "one from behind",
            with(percept, |percept| percept.hits.push(Hit { damage: 10.0, yaw: 3.0 })),
        ),
        false => ("some", "none", with(percept, |percept| percept.hits.clear())),
    };
    Kind {
        reading: "hits just now".to_owned(),
        was: was.to_owned(),
        others: vec![(becomes.to_owned(), 1.0, other)],
    }
}

fn noise(percept: &Percept) -> Kind {
    let shot = Noise { sound: Sound::Shot, yaw: 2.0, loudness: 0.7 };
    let (was, becomes, other) = match percept.noises.is_empty() {
        true => ("nothing", "a shot, behind on the left", with(percept, |percept| percept.noises.push(shot))),
        false => ("something", "nothing", with(percept, |percept| percept.noises.clear())),
    };
    Kind {
        reading: "heard just now".to_owned(),
        was: was.to_owned(),
        others: vec![(becomes.to_owned(), 1.0, other)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tests::played;

    #[test]
    fn what_is_found_does_lead_to_the_task_and_the_match_is_not_touched() {
        let timeline = played(80);
        let mut found = 0;
        for tick in (20..80).step_by(10) {
            let moment = timeline.moment(tick).expect("played");
            let before = moment.game().expect("restores").world().hash();
            for task in ["attack", "flee", "health_search", "weapon_search", "explore"] {
                let Ok(answer) = why_not(&moment, 1, task) else { continue };
                assert!(answer.tried > 0 && answer.report.is_some());
                for change in &answer.changes {
                    let mut game = moment.game().expect("restores");
                    game.perceive();
                    game.percept_mut(1).clone_from(&change.percept);
                    game.decide();
                    assert_eq!(game.contenders()[1].mind.task(), task, "{change:?}");
                    found += 1;
                }
                assert!(answer.changes.windows(2).all(|two| two[0].size <= two[1].size));
            }
            assert_eq!(moment.game().expect("restores").world().hash(), before);
        }
        assert!(found > 5, "only {found} changes were found");
    }
}
