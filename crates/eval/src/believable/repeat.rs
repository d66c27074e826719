//! For how long a mistake that was shown once is repeated: the way somebody died, and whether it kills them again.
//!
//! Every life ends in some way, so that counting lives that end as an earlier one did says nothing of who learned to live longer. Time is
//! counted instead, in usual lives: the mean life of the same character without learning on the same map. A way to die that first strikes in one of
//! the first five lives is looked for in the next five usual lives of play; the number is when it strikes last, or 0 if it does
//! not strike again.

use repertoire_prob::num::sqrt;

use super::card::{Found, Half, median};
use super::change::{Cause, EARLY, cause};
use super::track::Track;
use crate::Interval;

/// Usual lives for which a mistake is looked for after it was shown.
const FOLLOWED: f64 = 5.0;
/// A mistake should not be repeated for longer.
const MOST: f64 = 2.0;
/// Fewer mistakes than this say nothing.
const FEWEST: usize = 5;

/// Deaths of a match: the cause, how many decisions were lived before in all lives together, and in which life.
fn deaths(life: &Track) -> (Vec<(Cause<'_>, usize, u32)>, usize) {
    let (mut deaths, mut lived) = (Vec::new(), 0);
    for (at, pair) in life.steps.windows(2).enumerate().filter(|(_, pair)| pair[0].alive) {
        lived += 1;
        if !pair[1].alive {
            deaths.push((cause(life, at), lived, pair[0].life));
        }
    }
    (deaths, lived)
}

/// Decisions of a mean life on each map, of matches that go from map to map in turn; none where nobody died.
fn usual_lives(lives: &[Track], maps: usize) -> Vec<Option<f64>> {
    let mut sums = vec![(0, 0); maps];
    for (at, life) in lives.iter().enumerate() {
        let (deaths, lived) = deaths(life);
        let (count, all) = &mut sums[at % maps];
        (*count, *all) = (*count + deaths.len(), *all + lived);
    }
    sums.into_iter().map(|(count, lived)| (count > 0).then(|| lived as f64 / count as f64)).collect()
}

/// For each way to die that first struck in one of the first lives: until when it struck again, in usual lives. What cannot be followed
/// until the end is left out.
fn repeated(lives: &[Track], usual: &[Option<f64>]) -> Vec<f64> {
    let mut all = Vec::new();
    for (at, life) in lives.iter().enumerate() {
        let Some(usual) = usual[at % usual.len()] else { continue };
        let (deaths, lived) = deaths(life);
        for (number, (shown, at, life)) in deaths.iter().enumerate() {
            let is_first = deaths[..number].iter().all(|(before, ..)| before != shown);
            let until = *at as f64 + FOLLOWED * usual;
            if !is_first || !EARLY.contains(life) || until > lived as f64 {
                continue;
            }
            let again = deaths[number + 1..].iter().filter(|(cause, ..)| cause == shown);
            let last = again.map(|(_, when, _)| *when).take_while(|when| *when as f64 <= until).last();
            all.push(last.map_or(0.0, |when| (when - at) as f64 / usual));
        }
    }
    all
}

/// For how long mistakes are repeated, over the same character without learning, if it learns. The matches take turns on `maps` maps.
pub(super) fn half(lives: &[Track], unlearned: Option<&[Track]>, maps: usize) -> Half {
    let (what, advice) = ("repeated mistakes", "let it learn more from its first deaths ([learn] deaths)");
    let usual = usual_lives(unlearned.unwrap_or(lives), maps);
    let own = repeated(lives, &usual);
    if own.len() < FEWEST {
        let why =
            "it hardly died: stronger opponents would tell for how long mistakes are repeated".to_owned();
        return Half::of(what, None, why, advice);
    }
    let period_secs = lives.first().map_or(0.1, |life| life.period_secs);
    let secs: Vec<String> =
        usual.iter().flatten().map(|usual| format!("{:.0}", usual * period_secs)).collect();
    let secs = secs.join(", ");
    let found: Found = median(&own);
    let count = own.len();
    let means = format!(
        "usual lives ({secs} s) for which a way to die that was shown once strikes again (median of {count}, at most 2)"
    );
    let Some(unlearned) = unlearned else {
        let means = format!("{means}; it learns nothing that could be taken away");
        return Half::of(what, found, means, advice).judged(false);
    };
    let less = repeated(unlearned, &usual);
    let (with, without) = (Interval::of(&own), Interval::of(&less));
    let is_less = with.half_width.zip(without.half_width).is_some_and(|(a, b)| {
        let apart = without.mean - with.mean;
        apart > sqrt(a * a + b * b)
    });
    let shown = median(&less).map_or("-".to_owned(), |(median, _)| format!("{median:.1}"));
    let means = format!("{means}; {shown} without learning, means {with:.1} and {without:.1}");
    let is_met = is_less && found.is_some_and(|(median, _)| median <= MOST);
    Half::of(what, found, means, advice).judged(is_met)
}

#[cfg(test)]
mod tests {
    use super::super::track::Step;
    use super::*;

    /// Lives of a hundred decisions each, of which 95 are lived; the first ones end in an attack, the others in flight.
    fn lives(attacks: u32) -> Track {
        let mut life = Track { period_secs: 0.1, ..Track::default() };
        for at in 0..2000 {
            let number = at / 100 + 1;
            let task = life.task(if number <= attacks { "attack" } else { "flee" });
            let alive = at % 100 < 95;
            let step = Step {
                deed: 0,
                view: 0,
                task,
                life: number,
                alive,
                hit: false,
                look: None,
                gait: 0,
                place: None,
            };
            life.steps.push(step);
        }
        life
    }

    #[test]
    fn a_mistake_is_repeated_until_it_strikes_for_the_last_time() {
        assert_eq!(usual_lives(&[lives(20)], 2), [Some(95.0), None]);
        let usual = |times: f64| [Some(times * 95.0)];
        assert_eq!(repeated(&[lives(20)], &usual(1.0)), [5.0], "to the end of what is followed");
        assert_eq!(
            repeated(&[lives(1)], &usual(1.0)),
            [0.0, 5.0],
            "the attack never again, the flight always"
        );
        assert_eq!(repeated(&[lives(3)], &usual(1.0)), [2.0, 5.0]);
        assert_eq!(repeated(&[lives(20)], &usual(2.0)), [5.0], "ten lives are five of twice the length");
        assert!(repeated(&[lives(20)], &usual(5.0)).is_empty(), "it cannot be followed for so long");
    }

    #[test]
    fn who_learns_nothing_repeats_its_mistakes() {
        let stubborn: Vec<Track> = (0..6).map(|_| lives(20)).collect();
        let quick: Vec<Track> = (0..6).map(|_| lives(1)).collect();
        let same = half(&stubborn, Some(&stubborn), 1);
        assert_eq!((same.number, same.met), (Some(5.0), Some(false)), "{}", same.means);
        let alone = half(&quick, None, 2);
        assert_eq!(alone.met, Some(false), "{}", alone.means);
    }
}
