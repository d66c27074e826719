//! Whether somebody changes while they play: what killed them early, and whether they can be told from what they were.

use super::predict::Predictor;
use super::track::Track;

/// Lives that count as early, and as late: the first five, and the sixteenth to the twentieth.
const EARLY: std::ops::Range<u32> = 1..6;
const LATE: std::ops::Range<u32> = 16..21;

/// Early lives that rates are taken from; the others tell the cause.
fn is_early(life: u32) -> bool {
    EARLY.contains(&life) && life.is_multiple_of(2)
}

/// How often, per minute, the most frequent cause of death of the first lives struck then, and in lives 16 to 20; none if
/// there were not as many lives. The cause of a death is what the character was doing. It is found in lives 1, 3 and 5, and its rate
/// taken from lives 2 and 4: where it was found because it struck often, it would strike less later by itself.
pub(super) fn deaths_by_first_cause(life: &Track) -> Option<(f64, f64)> {
    let mut deaths: Vec<(u32, &str)> = Vec::new();
    let mut ticks = [0usize; 2];
    for (at, step) in life.steps.iter().enumerate() {
        ticks[0] += usize::from(step.alive && is_early(step.life));
        ticks[1] += usize::from(step.alive && LATE.contains(&step.life));
        let dies = step.alive && life.steps.get(at + 1).is_some_and(|next| !next.alive);
        if dies {
            deaths.push((step.life, life.name(step)));
        }
    }
    if deaths.last().is_none_or(|(number, _)| *number < LATE.end - 1) {
        return None;
    }
    let early = deaths.iter().filter(|(number, _)| EARLY.contains(number) && !is_early(*number));
    let mut causes: Vec<(&str, usize)> = Vec::new();
    for (_, task) in early {
        match causes.iter_mut().find(|(known, _)| known == task) {
            Some((_, count)) => *count += 1,
            None => causes.push((task, 1)),
        }
    }
    // Of equally frequent ones the first.
    let (cause, _) = causes.iter().rev().max_by_key(|(_, count)| *count)?;
    let rate = |counts: &dyn Fn(u32) -> bool, ticks: usize| {
        let count = deaths.iter().filter(|(number, task)| counts(*number) && task == cause).count();
        let minutes = ticks as f64 * life.period_secs / 60.0;
        count as f64 / minutes.max(1e-9)
    };
    Some((rate(&is_early, ticks[0]), rate(&|number| LATE.contains(&number), ticks[1])))
}

/// Seconds of a window, and of the beginning and the end of a match that are compared.
const WINDOW_SECS: f64 = 4.0;
const PART_SECS: f64 = 60.0;
/// The sixth minute begins there.
const LATE_SECS: f64 = 300.0;

/// How well the sixth minute of each match can be told from its first: the area under the curve of a classifier that has learned what is
/// done in the same minutes of the other lives, over windows of four seconds. 0.5 is not at all.
pub(super) fn told_apart(lives: &[Track]) -> Option<f64> {
    let mut scores: Vec<(f64, bool)> = Vec::new();
    for (index, judged) in lives.iter().enumerate() {
        let part = |life: &Track, late: bool| {
            let ticks = life.ticks(PART_SECS);
            let from = if late { life.ticks(LATE_SECS) } else { 0 };
            (life.steps.len() >= from + ticks).then(|| life.cut(from, from + ticks))
        };
        let others = |late: bool| -> Vec<Track> {
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
            let step = minute.ticks(WINDOW_SECS);
            for from in (0..minute.steps.len()).step_by(step) {
                let window = minute.cut(from, (from + step).min(minute.steps.len()));
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
    use super::super::track::Step;
    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        assert_eq!(area(&[(1.0, true), (0.0, false)]), Some(1.0));
        assert_eq!(area(&[(1.0, true), (1.0, false), (0.0, false)]), Some(0.75));
        assert_eq!(area(&[(1.0, true)]), None);
    }

    fn life(of: impl Fn(usize) -> (u8, u32, &'static str, bool)) -> Track {
        let mut life = Track { period_secs: 0.1, ..Track::default() };
        for at in 0..3600 {
            let (deed, number, task, alive) = of(at);
            let task = life.task(task);
            life.steps.push(Step { deed, view: 0, task, life: number, alive, look: None });
        }
        life
    }

    #[test]
    fn who_changes_is_told_apart_and_who_does_not_is_not() {
        let turns = |left: bool| if left { 16 } else { 0 };
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
            (0, number, task, at % 100 < 95)
        });
        let (early, late) = deaths_by_first_cause(&learner).expect("thirty lives");
        assert!(early > 5.0 && late == 0.0, "{early} {late}");
        let stubborn = life(|at| (0, (at / 100) as u32 + 1, "attack", at % 100 < 95));
        let (early, late) = deaths_by_first_cause(&stubborn).expect("thirty lives");
        assert!((early - late).abs() < 1e-9);
    }
}
