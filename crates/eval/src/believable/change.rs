//! Whether somebody changes while they play: what killed them early, and whether they can be told from what they were.

use super::life::Until;
use super::predict::Predictor;
use super::track::Track;
use crate::interval::jackknife;

/// Lives that count as early, and as late: the first five, and the sixteenth to the twentieth.
pub(super) const EARLY: std::ops::Range<u32> = 1..6;
const LATE: std::ops::Range<u32> = 16..21;

/// Early lives that rates are taken from; the others tell the cause.
fn is_early(life: u32) -> bool {
    EARLY.contains(&life) && life.is_multiple_of(2)
}

/// A match in which somebody may change: six minutes, and as many lives as deaths are looked at, in at most twenty minutes.
pub(super) fn long() -> Until {
    Until::Lives { lives: LATE.end - 1, secs: LATE_SECS + PART_SECS, most_secs: 1200.0 }
}

/// Where a match is over before the sixteenth life, its last minutes are late: whoever learns not to die has few lives.
const LAST_SECS: f64 = 300.0;

/// Deaths by the causes of a match's first lives, then and later, and how long those lives were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Struck {
    pub early: Deaths,
    pub late: Deaths,
}

/// Deaths by some causes, in some minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Deaths {
    pub count: f64,
    pub minutes: f64,
}

impl Deaths {
    fn sum(of: impl Iterator<Item = Deaths>) -> Deaths {
        of.fold(Deaths::default(), |sum, one| Deaths {
            count: sum.count + one.count,
            minutes: sum.minutes + one.minutes,
        })
    }

    pub fn per_minute(&self) -> f64 {
        self.count / self.minutes.max(1e-9)
    }
}

/// Hits belong to one end if no more time than this lies between them.
const SAME_END_SECS: f64 = 3.0;

/// The cause of a death: what the character was doing when the first of the hits that killed it struck, and whether anybody was in
/// view. What it did when it fell says little: whoever is hurt looks for health, so that nearly everybody dies looking for it.
pub(super) type Cause<'t> = (&'t str, bool);

pub(super) fn cause(life: &Track, death: usize) -> Cause<'_> {
    let same_end = life.ticks(SAME_END_SECS);
    let mut begun = death;
    for at in (0..=death).rev() {
        let step = &life.steps[at];
        if !step.alive || step.life != life.steps[death].life || begun - at > same_end {
            break;
        }
        if step.hit {
            begun = at;
        }
    }
    let step = &life.steps[begun];
    (life.name(step), step.view > 0)
}

/// How often the causes of death of the first lives struck then, and in lives 16 to 20 or, where there are not as many, in the last
/// five minutes; none if there were not even five lives before. Causes are found in lives 1, 3 and 5, each counting as often as it
/// killed, and their early rate is that of lives 2 and 4: where it was found because it struck often, it would strike less later by itself.
pub(super) fn deaths_by_first_causes(life: &Track) -> Option<Struck> {
    let late = late(life)?;
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let mut deaths: Vec<(usize, Cause<'_>)> = Vec::new();
    for (at, pair) in life.steps.windows(2).enumerate().filter(|(_, pair)| pair[0].alive && !pair[1].alive) {
        let cause = cause(life, at);
        deaths.push((at, cause));
        if EARLY.contains(&pair[0].life) && !is_early(pair[0].life) {
            causes.push(cause);
        }
    }
    let weight = |of: &Cause<'_>| {
        causes.iter().filter(|cause| *cause == of).count() as f64 / (causes.len() as f64).max(1.0)
    };
    let struck = |counts: &dyn Fn(usize) -> bool| {
        let lived = life.steps.iter().enumerate().filter(|(at, step)| step.alive && counts(*at)).count();
        Deaths {
            count: deaths.iter().filter(|(at, _)| counts(*at)).map(|(_, of)| weight(of)).sum(),
            minutes: lived as f64 * life.period_secs / 60.0,
        }
    };
    Some(Struck {
        early: struck(&|at| is_early(life.steps[at].life)),
        late: struck(&|at| late.contains(&at)),
    })
}

/// The decisions that count as late.
fn late(life: &Track) -> Option<std::ops::Range<usize>> {
    let begins = |number: u32| life.steps.iter().position(|step| step.life >= number);
    let (after_early, end) = (begins(EARLY.end)?, life.steps.len());
    match begins(LATE.start) {
        Some(from) => Some(from..begins(LATE.end).unwrap_or(end)),
        None => Some(after_early.max(end.saturating_sub(life.ticks(LAST_SECS)))..end),
    }
}

/// The late rate over the early one, of all matches together, with the interval that leaving out one match after the other gives
/// (the jackknife); none if the causes never struck early.
///
/// Rates are not averaged over matches: a match whose early lives were short has a very high rate, two lives vary more than five,
/// and so everybody would seem to have learned (two lives of exponential length have twice the true rate on average, five have 1.25).
pub(super) fn late_over_early(matches: &[Struck]) -> Option<(f64, Option<(f64, f64)>)> {
    let ratio = |but: Option<usize>| {
        let kept = || matches.iter().enumerate().filter(move |(at, _)| Some(*at) != but).map(|(_, one)| one);
        let early = Deaths::sum(kept().map(|one| one.early));
        let late = Deaths::sum(kept().map(|one| one.late));
        (early.count > 0.0).then(|| late.per_minute() / early.per_minute())
    };
    let (ratio, ends) = jackknife(matches.len(), ratio)?;
    Some((ratio, ends.map(|(low, high)| (low.max(0.0), high))))
}

/// Early and late deaths of all matches.
pub(super) fn all_struck(matches: &[Struck]) -> Struck {
    Struck {
        early: Deaths::sum(matches.iter().map(|one| one.early)),
        late: Deaths::sum(matches.iter().map(|one| one.late)),
    }
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
            life.steps.push(Step {
                deed,
                view: 0,
                task,
                life: number,
                alive,
                hit: false,
                look: None,
                gait: 0,
                place: None,
            });
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
        let struck = deaths_by_first_causes(&learner).expect("thirty lives");
        assert!(struck.early.per_minute() > 5.0 && struck.late.count == 0.0, "{struck:?}");
        let stubborn = life(|at| (0, (at / 100) as u32 + 1, "attack", at % 100 < 95));
        let struck = deaths_by_first_causes(&stubborn).expect("thirty lives");
        assert!((struck.early.per_minute() - struck.late.per_minute()).abs() < 1e-9);
    }

    #[test]
    fn who_learns_nothing_does_not_seem_to() {
        let mut draw = repertoire_prob::Stream::new(1, 0, "test");
        // Lives of exponential length, two in three of which end by the cause.
        let mut lives = |count: usize| {
            let mut deaths = Deaths::default();
            for _ in 0..count {
                deaths.minutes -= repertoire_prob::num::ln(1.0 - draw.unit());
                deaths.count += f64::from(u8::from(draw.unit() < 2.0 / 3.0));
            }
            deaths
        };
        let matches: Vec<Struck> = (0..400).map(|_| Struck { early: lives(2), late: lives(5) }).collect();
        let (ratio, ends) = late_over_early(&matches).expect("it struck");
        let (low, high) = ends.expect("400 matches");
        assert!((0.9..1.1).contains(&ratio) && low < 1.0 && 1.0 < high, "{low} {ratio} {high}");
        assert!((0.05..0.3).contains(&(high - low)), "{low} to {high}");
    }
}
