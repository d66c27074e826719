//! Whether its eyes show what somebody is up to: moments lived again with eyes that do not follow what it deals with.
//!
//! Attention is where eyes are turned: to the enemy in a fight, to the way, to a noise, to where somebody is expected. It is taken away by
//! giving the eyes another moment's: the subject decides and runs as it would, but looks where it looked half a match later (and fires only
//! if it looks there by chance). So its eyes move as they always do, and have nothing to do with what it does. Windows begin at the same
//! saved moments, with and without, so that what differs is not which tasks came up.

use std::sync::Arc;

use repertoire_mind::{Command, Fire, turn_between};
use repertoire_prob::num::{atan2, cos, sin, sqrt};
use repertoire_worlds::arena::game::{Contender, Match};
use serde::{Deserialize, Serialize};

use super::Evidence;
use super::card::Half;
use super::life::{EVERY, Life, Moment};
use super::observe::{Named, Observer};
use super::track::Track;
use crate::Entry;
use crate::interval::jackknife;

/// Moments from one window to the next, and the decisions of a window: windows cover the life without gaps (2.8 s each).
const MOMENTS: usize = 4;
const WINDOW: usize = MOMENTS * EVERY;
/// No shot is fired with the eyes farther than this from the target, in radians.
const ON_TARGET: f64 = 0.1;

/// Windows of a life, lived again with eyes that look elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Absent {
    /// The decision of the life at which each begins, and what came of it.
    pub windows: Vec<(usize, Track)>,
    /// Whether the eyes were ever turned: where they were not, there is no attention to take away.
    pub has_eyes: bool,
}

/// Lives windows of a life again, with eyes that look where they looked half a match later.
pub(super) fn elsewhere(life: &Life, subject: &Entry, opponents: &[Entry]) -> Absent {
    let yaw = |at: usize| life.percepts[at % life.percepts.len()].own.yaw;
    let is_whole = |moment: &&Moment| moment.at + WINDOW <= life.percepts.len();
    let begins = life.moments.iter().step_by(MOMENTS).filter(is_whole);
    let half = life.percepts.len() / 2;
    let again = |moment: &Moment| {
        let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
        let seats = std::iter::once(subject).chain(opponents).map(sit).collect();
        let mut game = Match::restore(Arc::clone(&life.level), seats, moment.saved.clone()).ok()?;
        let mut other = Life::new(Arc::clone(&life.level));
        for at in moment.at..moment.at + WINDOW {
            game.perceive();
            game.decide();
            let turn = turn_between(game.percepts()[life.own].own.yaw, yaw(at + half));
            game.order(life.own, looking(game.commands()[life.own].sane(), turn));
            other.keep(&game);
            game.advance();
        }
        Some((moment.at, Track::after(&life.shown[..moment.at], &other)))
    };
    Absent {
        windows: begins.filter_map(again).collect(),
        has_eyes: life.commands.iter().any(|command| command.yaw != 0.0),
    }
}

/// The same run with another turn of the eyes; the trigger is only pulled where the shot would go there all the same.
fn looking(command: Command, turn: f64) -> Command {
    let pace = sqrt(command.forward * command.forward + command.lateral * command.lateral);
    // Bodies turn while they run: ways are taken relative to where they look half-way through.
    let heading = atan2(command.lateral, command.forward) + (command.yaw - turn) / 2.0;
    let on_target = turn_between(command.yaw, turn).abs() < ON_TARGET;
    Command {
        yaw: turn,
        forward: pace * cos(heading),
        lateral: pace * sin(heading),
        fire: if on_target { command.fire } else { Fire::None },
        ..command
    }
}

/// How much more often its aim is named with its own eyes than with eyes that look elsewhere.
pub(super) fn half(evidence: &Evidence, observer: &Observer) -> Half {
    let lives = evidence.lives.iter().zip(&evidence.absent);
    let pairs: Vec<[Named; 2]> = lives
        .flat_map(|(life, absent)| absent.windows.iter().map(move |window| (life, window)))
        .map(|(life, (at, without))| [&life.cut(*at, at + WINDOW), without].map(|one| observer.name(one)))
        .collect();
    let share = |which: usize, but: Option<usize>| {
        let mut all = Named::default();
        pairs
            .iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) != but)
            .for_each(|(_, pair)| all.add(&pair[which]));
        (all.seen > 0).then(|| all.right as f64 / all.seen as f64)
    };
    let what = "own eyes";
    let advice = "let its eyes follow what it is up to";
    if !evidence.absent.iter().any(|absent| absent.has_eyes) {
        return Half::of(
            what,
            None,
            "it never turns its eyes: there is no attention to take away".into(),
            advice,
        );
    }
    let found = jackknife(pairs.len(), |but| Some(share(0, but)? - share(1, but)?));
    let shown = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.2}"));
    let means = format!(
        "more often named with its own eyes ({}) than with eyes that look elsewhere ({}), {} windows lived again",
        shown(share(0, None)),
        shown(share(1, None)),
        pairs.len()
    );
    let is_better = matches!(found, Some((_, Some((low, _)))) if low > 0.0);
    Half::of(what, found, means, advice).judged(is_better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_eyes_run_the_same_way_and_fire_only_where_they_look() {
        let command =
            Command { yaw: 0.4, forward: 0.6, lateral: -0.3, fire: Fire::Primary, ..Command::default() };
        let way = |command: &Command| atan2(command.lateral, command.forward) + command.yaw / 2.0;
        let other = looking(command, -1.2);
        assert!((way(&command) - way(&other)).abs() < 1e-12);
        assert_eq!((other.yaw, other.fire), (-1.2, Fire::None));
        assert_eq!(looking(command, 0.45).fire, Fire::Primary);
    }
}
