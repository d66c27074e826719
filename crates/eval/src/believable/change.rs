//! Whether somebody changes while they play: what killed them early, and whether they can be told from what they were.

use super::life::Life;
use super::predict::Predictor;

/// Lives that count as early, and as late: the first five, and the sixteenth to the twentieth.
const EARLY: std::ops::Range<u32> = 1..6;
const LATE: std::ops::Range<u32> = 16..21;

/// How often, per minute, the most frequent cause of death of the first five lives struck then, and in lives 16 to 20; none if
/// there were not as many lives. The cause of a death is what the character was doing.
pub(super) fn deaths_by_first_cause(life: &Life) -> Option<(f64, f64)> {
    let mut deaths: Vec<(u32, &str)> = Vec::new();
    let mut ticks = [0usize; 2];
    for (at, percept) in life.percepts.iter().enumerate() {
        let number = percept.own.life;
        let (task, alive) = &life.tasks[at];
        ticks[0] += usize::from(*alive && EARLY.contains(&number));
        ticks[1] += usize::from(*alive && LATE.contains(&number));
        let dies = *alive && life.tasks.get(at + 1).is_some_and(|(_, alive)| !alive);
        if dies {
            deaths.push((number, task));
        }
    }
    if deaths.last().is_none_or(|(number, _)| *number < LATE.end - 1) {
        return None;
    }
    let early = deaths.iter().filter(|(number, _)| EARLY.contains(number));
    let mut causes: Vec<(&str, usize)> = Vec::new();
    for (_, task) in early {
        match causes.iter_mut().find(|(known, _)| known == task) {
            Some((_, count)) => *count += 1,
            None => causes.push((task, 1)),
        }
    }
    // Of equally frequent ones the first.
    let (cause, _) = causes.iter().rev().max_by_key(|(_, count)| *count)?;
    let rate = |lives: &std::ops::Range<u32>, ticks: usize| {
        let count = deaths.iter().filter(|(number, task)| lives.contains(number) && task == cause).count();
        let minutes = ticks as f64 * life.percepts[0].period_secs / 60.0;
        count as f64 / minutes.max(1e-9)
    };
    Some((rate(&EARLY, ticks[0]), rate(&LATE, ticks[1])))
}

/// Seconds of a window, and of the beginning and the end of a match that are compared.
const WINDOW_SECS: f64 = 4.0;
const PART_SECS: f64 = 60.0;
/// The sixth minute begins there.
const LATE_SECS: f64 = 300.0;

/// How well the sixth minute of each match can be told from its first: the area under the curve of a classifier that has learned what is
/// done in the same minutes of the other lives, over windows of four seconds. 0.5 is not at all.
pub(super) fn told_apart(lives: &[Life]) -> Option<f64> {
    let mut scores: Vec<(f64, bool)> = Vec::new();
    for (index, judged) in lives.iter().enumerate() {
        let part = |life: &Life, late: bool| {
            let period_secs = life.percepts.first()?.period_secs;
            let ticks = (PART_SECS / period_secs) as usize;
            let from = if late { (LATE_SECS / period_secs) as usize } else { 0 };
            (life.percepts.len() >= from + ticks).then(|| life.cut(from, from + ticks))
        };
        let others = |late: bool| -> Vec<Life> {
            let others = lives.iter().enumerate().filter(|(other, _)| *other != index);
            others.filter_map(|(_, life)| part(life, late)).collect()
        };
        let (early, late) = (others(false), others(true));
        if early.is_empty() {
            continue;
        }
        let (was, is) = (Predictor::of(&early), Predictor::of(&late));
        for late in [false, true] {
            let Some(minute) = part(judged, late) else { continue };
            let step = (WINDOW_SECS / minute.percepts[0].period_secs) as usize;
            for from in (0..minute.percepts.len()).step_by(step) {
                let window = minute.cut(from, (from + step).min(minute.percepts.len()));
                if let (Some(was), Some(is)) = (was.nats(&window), is.nats(&window)) {
                    scores.push((was - is, late));
                }
            }
        }
    }
    area(&scores)
}

/// The share of pairs of a late and an early window in which the late one scores higher; ties count half.
fn area(scores: &[(f64, bool)]) -> Option<f64> {
    let of = |late: bool| scores.iter().filter(move |(_, is)| *is == late).map(|(score, _)| *score);
    let (mut sum, mut pairs) = (0.0, 0.0);
    for late in of(true) {
        for early in of(false) {
            pairs += 1.0;
            sum += match late.total_cmp(&early) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    (pairs > 0.0).then(|| sum / pairs)
}

#[cfg(test)]
mod tests {
    use repertoire_mind::{Command, Own, Percept};

    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        assert_eq!(area(&[(1.0, true), (0.0, false)]), Some(1.0));
        assert_eq!(area(&[(1.0, true), (1.0, false), (0.0, false)]), Some(0.75));
        assert_eq!(area(&[(1.0, true)]), None);
    }

    fn life(of: impl Fn(usize) -> (Command, u32, &'static str, bool)) -> Life {
        let mut life = Life::empty();
        for at in 0..3600 {
            let (command, number, task, alive) = of(at);
            let own = Own { life: number, ..Own::default() };
            life.percepts.push(Percept { tick: at as u32, period_secs: 0.1, own, ..Percept::default() });
            life.commands.push(command);
            life.tasks.push((task.to_owned(), alive));
            life.shown.push(None);
        }
        life
    }

    #[test]
    fn who_changes_is_told_apart_and_who_does_not_is_not() {
        let turns = |left: bool| Command { yaw: if left { 0.3 } else { -0.3 }, ..Command::default() };
        let changes = || life(|at| (turns(at > 1500), 1, "explore", true));
        let same = || life(|at| (turns(at % 7 < 3), 1, "explore", true));
        assert!(told_apart(&[changes(), changes()]).expect("two lives") > 0.95);
        let same = told_apart(&[same(), same()]).expect("two lives");
        assert!((0.3..0.7).contains(&same), "{same}");
    }

    #[test]
    fn a_cause_that_no_longer_kills_has_no_rate() {
        // A life of a hundred decisions each; the first ten end in an attack, the others in flight.
        let learner = life(|at| {
            let number = (at / 100) as u32 + 1;
            let task = if number < 11 { "attack" } else { "flee" };
            (Command::default(), number, task, at % 100 < 95)
        });
        let (early, late) = deaths_by_first_cause(&learner).expect("thirty lives");
        assert!(early > 5.0 && late == 0.0, "{early} {late}");
        let stubborn = life(|at| (Command::default(), (at / 100) as u32 + 1, "attack", at % 100 < 95));
        let (early, late) = deaths_by_first_cause(&stubborn).expect("thirty lives");
        assert!((early - late).abs() < 1e-9);
    }
}
