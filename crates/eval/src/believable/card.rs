//! The card: ten rows, each a number with its interval, whether it is met, and what to change.

use repertoire_prob::num::{ln, sqrt};
use serde::Serialize;

use super::attend;
use super::change::{Struck, all_struck, deaths_by_first_causes, late_over_early, told_apart};
use super::observe::Observer;
use super::repeat;
use super::routes;
use super::taught;
use super::track::Track;
use super::twins::{Happens, Lives, Reaction, Twins};
use super::{Believable, Evidence};
use crate::Interval;
use crate::interval::wilson;

/// What was found out about a requirement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `B1` to `B10`.
    pub row: &'static str,
    /// The requirement.
    pub requirement: &'static str,
    /// The number; none where there was nothing to measure.
    pub number: Option<f64>,
    /// The ends of its 95 % interval, where there is one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What the number is, and what it is held against.
    pub means: String,
    /// Whether the requirement is met; none where there was nothing to measure.
    pub met: Option<bool>,
    /// What to change, or why there is no number.
    pub advice: String,
    /// Whether the first half alone is met; the same as `met` for requirements that have only one.
    pub first_met: Option<bool>,
    /// The second half of a requirement that has two.
    pub second: Option<Half>,
}

/// The second half of a requirement: another number, which has to be right too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Half {
    /// What is measured, in a word or two.
    pub what: &'static str,
    /// The number; none where there was nothing to measure.
    pub number: Option<f64>,
    /// The ends of its 95 % interval, where there is one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What the number is, and what it is held against.
    pub means: String,
    /// Whether this half is met; none where it asks for nothing, so that the first half decides.
    pub met: Option<bool>,
    /// What to change.
    pub advice: &'static str,
}

/// The ten rows of somebody.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// The character that was judged.
    pub subject: String,
    /// The character it is held against.
    pub reference: String,
    /// On which maps.
    pub maps: Vec<String>,
    /// The random seed.
    pub seed: u64,
    /// Ten rows.
    pub rows: Vec<Row>,
    /// Every event that moments were lived again with, and what came of it.
    pub reactions: Vec<Reaction>,
    /// From one decision to the next.
    pub period_secs: f64,
    /// One moment lived twice, to look at; none if it never turned to an enemy.
    pub lives: Option<Lives>,
}

impl Card {
    /// The rows that recordings tell; the others cannot be known without living moments again.
    pub(super) fn of_recordings(
        who: &str,
        maps: Vec<String>,
        own: &[Track],
        others: &[Vec<Track>],
        reactions: Vec<Reaction>,
    ) -> Card {
        let period_secs = own.first().map_or(0.1, |track| track.period_secs);
        let cannot = |name: &'static str, requirement: &'static str| {
            let why = "a recording cannot be lived again".to_owned();
            row(
                name,
                requirement,
                None,
                why,
                |_, _| false,
                "judge the character itself instead of a recording",
            )
        };
        let gain = Interval::of(&Believable::gains(own, others));
        let found = (own.len() > 1 && !others.is_empty()).then(|| {
            let ends = gain.half_width.map(|half| (gain.mean - half, gain.mean + half));
            (gain.mean, ends)
        });
        let means = format!(
            "nats per decision that having watched it gains over having watched others, {} recordings beside {} others",
            own.len(),
            others.len()
        );
        let mut unpredictability = row(
            "B4",
            "unpredictability",
            found,
            means,
            |_, _| false,
            "give several recordings, with others in them",
        );
        (unpredictability.met, unpredictability.first_met) = (None, None);
        let rows = vec![
            cannot("B1", "reaction"),
            reaction_time(&reactions, period_secs),
            cannot("B3", "variability"),
            unpredictability,
            cannot("B5", "understandable"),
            cannot("B6", "perception"),
            cannot("B7", "planning"),
            cannot("B8", "memory"),
            evolution(own),
            fast_evolution(own),
        ];
        Card {
            subject: who.to_owned(),
            reference: "nobody".to_owned(),
            maps,
            seed: 0,
            rows,
            reactions,
            period_secs,
            lives: None,
        }
    }

    /// How many requirements are met.
    pub fn met(&self) -> usize {
        self.rows.iter().filter(|row| row.met == Some(true)).count()
    }
}

/// How long people take to turn to an enemy who comes into view: the median in ms, and the spread of the logarithms.
pub const PEOPLE_TURN_MS: (f64, f64) = (390.0, 0.36);
/// The same until they fire.
pub const PEOPLE_FIRE_MS: (f64, f64) = (450.0, 0.5);

/// A number with its interval.
pub(super) type Found = Option<(f64, Option<(f64, f64)>)>;

fn row(
    name: &'static str,
    requirement: &'static str,
    found: Found,
    means: String,
    is_met: impl Fn(f64, Option<(f64, f64)>) -> bool,
    advice: &str,
) -> Row {
    Row {
        row: name,
        requirement,
        number: found.map(|(number, _)| number),
        low: found.and_then(|(_, ends)| Some(ends?.0)),
        high: found.and_then(|(_, ends)| Some(ends?.1)),
        means,
        met: found.map(|(number, ends)| is_met(number, ends)),
        advice: advice.to_owned(),
        first_met: found.map(|(number, ends)| is_met(number, ends)),
        second: None,
    }
}

impl Row {
    /// The same with its second half: met if both are, or if the second asks for nothing.
    fn and(self, second: Half) -> Row {
        let met = match (self.met, second.met) {
            (Some(first), Some(second)) => Some(first && second),
            (first, _) => first,
        };
        let advice = if self.met == Some(true) && met == Some(false) { second.advice } else { &self.advice };
        Row { met, advice: advice.to_owned(), second: Some(second), ..self }
    }
}

impl Half {
    /// A half with its number, or with why there is none.
    pub(super) fn of(what: &'static str, found: Found, means: String, advice: &'static str) -> Self {
        Half {
            what,
            number: found.map(|(number, _)| number),
            low: found.and_then(|(_, ends)| Some(ends?.0)),
            high: found.and_then(|(_, ends)| Some(ends?.1)),
            means,
            met: None,
            advice,
        }
    }

    /// The same with a verdict.
    pub(super) fn judged(self, met: bool) -> Self {
        Half { met: Some(met), ..self }
    }
}

/// The ratio of two means, with the interval that follows from both (by the relative widths, as independent).
fn ratio(of: Interval, to: Interval) -> Found {
    if to.mean <= 0.0 {
        return None;
    }
    let ratio = of.mean / to.mean;
    let relative = |interval: Interval| Some(interval.half_width? / interval.mean.max(1e-12));
    let ends = relative(of).zip(relative(to)).map(|(a, b)| {
        let half = ratio * sqrt(a * a + b * b);
        ((ratio - half).max(0.0), ratio + half)
    });
    Some((ratio, ends))
}

impl Believable {
    pub(super) fn card(&self, evidence: &Evidence) -> Card {
        let reactions: Vec<Reaction> =
            evidence.twins.iter().flat_map(|twins| twins.reactions.iter().cloned()).collect();
        let period_secs = evidence.lives.first().map_or(0.1, |life| life.period_secs);
        let unlearned = self.without_learning.as_ref().map(|_| &evidence.unlearned_lives[..]);
        let teacher = self.opponents.first().map_or("nobody", |opponent| &opponent.name);
        let mut rows = vec![
            self.reaction(evidence, &reactions),
            reaction_time(&reactions, period_secs),
            self.variability(evidence),
            self.unpredictability(evidence),
            self.understandable(evidence),
            perception(evidence),
            self.stage(evidence, "B7", "planning"),
            self.stage(evidence, "B8", "memory"),
            evolution(&evidence.long_lives).and(taught::half(&evidence.long_lives, teacher)),
            fast_evolution(&evidence.long_lives).and(repeat::half(
                &evidence.long_lives,
                unlearned,
                self.levels.len(),
            )),
        ];
        for (row, _) in rows.iter_mut().zip(1..).filter(|(_, number)| !self.wants(*number)) {
            (row.number, row.low, row.high) = (None, None, None);
            (row.met, row.first_met, row.second) = (None, None, None);
            (row.means, row.advice) = ("not asked for".to_owned(), "ask for all rows".to_owned());
        }
        Card {
            subject: self.subject.name.clone(),
            reference: self.reference.name.clone(),
            maps: self.levels.iter().map(|(name, _)| name.clone()).collect(),
            seed: self.seed,
            rows,
            reactions,
            period_secs,
            lives: evidence.twins.iter().find_map(|twins| twins.shown.clone()),
        }
    }

    fn reaction(&self, evidence: &Evidence, reactions: &[Reaction]) -> Row {
        let nothing: Vec<bool> =
            evidence.twins.iter().flat_map(|twins| twins.nothing.iter().copied()).collect();
        let without =
            nothing.iter().filter(|differs| **differs).count() as f64 / (nothing.len() as f64).max(1.0);
        let kinds: Vec<(f64, f64)> =
            Happens::ALL.into_iter().filter_map(|event| kind(reactions, event)).collect();
        let count = kinds.len() as f64;
        let found = (count > 0.0).then(|| {
            let share = kinds.iter().map(|(share, _)| share).sum::<f64>() / count - without;
            let half = sqrt(kinds.iter().map(|(_, half)| half * half).sum::<f64>()) / count;
            (share, Some((share - half, share + half)))
        });
        let share = |event: Happens| {
            kind(reactions, event).map_or("-".to_owned(), |(share, _)| format!("{:.0} %", 100.0 * share))
        };
        let means = format!(
            "of {} events; enemy {} and {}, hit {}, shot {}, item {}",
            reactions.len(),
            share(Happens::EnemyAside),
            share(Happens::EnemyAhead),
            share(Happens::Hit),
            share(Happens::Shot),
            share(Happens::Item)
        );
        row("B1", "reaction", found, means, |share, _| share >= 0.9, "give it the sense it does not react to")
    }

    fn variability(&self, evidence: &Evidence) -> Row {
        let spread = |twins: &[Twins]| {
            Interval::of(&twins.iter().flat_map(|twins| twins.spread.iter().copied()).collect::<Vec<_>>())
        };
        let (own, reference) = (spread(&evidence.twins), spread(&evidence.reference_twins));
        let means = format!("spread {:.3} over {:.3} of {}", own.mean, reference.mean, self.reference.name);
        let is_met = |ratio: f64, _| (0.7..=1.4).contains(&ratio);
        row(
            "B3",
            "variability",
            ratio(own, reference),
            means,
            is_met,
            "widen or narrow what its hands draw from",
        )
    }

    fn unpredictability(&self, evidence: &Evidence) -> Row {
        let others = &evidence.other_lives;
        let own = Interval::of(&Self::gains(&evidence.lives, others));
        let reference = Interval::of(&Self::gains(&evidence.reference_lives, others));
        let means =
            format!("gain {:.3} nats over {:.3} of {}", own.mean, reference.mean, self.reference.name);
        let found = if evidence.lives.len() < 2 { None } else { ratio(own, reference) };
        let is_met = |ratio: f64, _| (0.5..=2.0).contains(&ratio);
        row("B4", "unpredictability", found, means, is_met, "make its habits less its own, or more")
            .and(routes::half(self, evidence))
    }

    fn understandable(&self, evidence: &Evidence) -> Row {
        let observer = Observer::of(evidence.other_lives.iter().flatten());
        let named = Self::named(evidence, &observer);
        let seen = named.seen as f64;
        let found =
            (named.seen > 0).then(|| (named.right as f64 / seen, Some(wilson(named.right as f64, seen))));
        let mut means = format!(
            "of {} decisions in somebody's view; naming the most frequent aim: {:.2}",
            named.seen,
            named.most_frequent()
        );
        if let Some((truth, taken, share)) = named.confused() {
            means +=
                &format!("; most often mistaken: to {truth}, taken for to {taken}, {:.0} %", 100.0 * share);
        }
        let chance = named.most_frequent();
        let is_met = move |share: f64, _| share >= 0.6 && share > chance;
        row("B5", "understandable", found, means, is_met, "show what it is up to: look where it goes")
            .and(attend::half(evidence, &observer))
    }

    /// A stage against the same character without it.
    fn stage(&self, evidence: &Evidence, name: &'static str, requirement: &'static str) -> Row {
        let (less, advice) = match name {
            "B7" => (&self.without_plan, "give it a plan stage ([plan] in its file)"),
            _ => (&self.without_memory, "give it beliefs ([believe] opponents = true)"),
        };
        let worth =
            |name: &str| evidence.duels.iter().find(|(known, _)| known == name).map(|(_, worth)| worth);
        let Some((own, less)) =
            less.as_ref().and_then(|less| Some((worth(&self.subject.name)?, worth(&less.name)?)))
        else {
            let mut none = row(name, requirement, None, "it has no such stage".into(), |_, _| false, advice);
            (none.met, none.first_met) = (Some(false), Some(false));
            return none;
        };
        if name == "B7" {
            let (own, less) = (own.mistakes, less.mistakes);
            let means = format!("{own:.2} avoidable mistakes a duel over {less:.2} without plans");
            return row(
                name,
                requirement,
                ratio(own, less),
                means,
                |ratio, _| ratio <= 0.5,
                "let it plan to be fit before it fights, and give the plan more weight",
            );
        }
        let (own, less) = (own.found_again_secs, less.found_again_secs);
        let means = format!("{own:.1} s to find a lost opponent over {less:.1} s without beliefs");
        let apart = own.high() < less.low();
        row(
            name,
            requirement,
            ratio(own, less),
            means,
            move |_, _| apart,
            "let it look where opponents probably are",
        )
    }
}

/// Tried less often than this, a kind of event says nothing.
const FEWEST: f64 = 10.0;

/// The share of one kind of event that was reacted to, and half the width of its interval; none if it could hardly be tried.
fn kind(reactions: &[Reaction], event: Happens) -> Option<(f64, f64)> {
    let (mut all, mut differ) = (0.0, 0.0);
    for one in reactions.iter().filter(|one| one.event == event) {
        all += 1.0;
        differ += f64::from(u8::from(one.differs.is_some()));
    }
    let (low, high) = wilson(differ, all);
    (all >= FEWEST).then(|| (differ / all, (high - low) / 2.0))
}

/// A quantile of samples in order.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    sorted.get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1))).copied()
}

/// The median of samples with its interval, whose ends are order statistics: half of the samples, give or take one standard deviation
/// twice.
pub(super) fn median(samples: &[f64]) -> Found {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = 0.98 / sqrt((sorted.len() as f64).max(1.0));
    let ends = quantile(&sorted, (0.5 - half).max(0.0)).zip(quantile(&sorted, (0.5 + half).min(1.0)));
    quantile(&sorted, 0.5).map(|median| (median, ends))
}

/// The median of times with its interval, quartiles, and the spread of their logarithms.
fn reaction_time(reactions: &[Reaction], period_secs: f64) -> Row {
    let times = |event: Happens, of: &dyn Fn(&Reaction) -> Option<usize>| -> Vec<f64> {
        let mut times: Vec<f64> = reactions
            .iter()
            .filter(|one| one.event == event)
            .filter_map(of)
            .map(|after| 1000.0 * period_secs * (after as f64 + 0.5))
            .collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let turns = times(Happens::EnemyAside, &|one| one.turns);
    let fires = times(Happens::EnemyAhead, &|one| one.fires);
    let at = quantile;
    let spread = |times: &[f64]| {
        let logs: Vec<f64> = times.iter().map(|time| ln(*time)).collect();
        let mean = logs.iter().sum::<f64>() / (logs.len() as f64).max(1.0);
        let squares = logs.iter().map(|log| (log - mean) * (log - mean)).sum::<f64>();
        sqrt(squares / (logs.len() as f64 - 1.0).max(1.0))
    };
    let fast = turns.iter().filter(|time| **time < 100.0).count() as f64 / (turns.len() as f64).max(1.0);
    let found = median(&turns);
    let fire = at(&fires, 0.5);
    let sigma = spread(&turns);
    let shown = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.0}"));
    let means = format!(
        "ms to turn to an enemy (quartiles {}, {}; sigma {}; {:.0} % under 100 ms); to fire {} ms; people 390 and 450",
        shown(at(&turns, 0.25)),
        shown(at(&turns, 0.75)),
        if turns.len() > 1 { format!("{sigma:.2}") } else { "-".to_owned() },
        100.0 * fast,
        shown(fire)
    );
    let is_met = move |median: f64, _| {
        (200.0..=450.0).contains(&median)
            && (0.25..=0.6).contains(&sigma)
            && fast <= 0.03
            && fire.is_some_and(|fire| (300.0..=600.0).contains(&fire))
    };
    row(
        "B2",
        "reaction time",
        found,
        means,
        is_met,
        "let reaction times vary around 390 ms ([perceive], or its hands' level)",
    )
}

fn perception(evidence: &Evidence) -> Row {
    let (pairs, same) = (evidence.unseen.pairs as f64, evidence.unseen.same as f64);
    let found = (pairs > 0.0).then(|| (same / pairs, Some(wilson(same, pairs))));
    let means = format!("of {} changes outside of its senses it did the same after", evidence.unseen.pairs);
    let enough = evidence.unseen.pairs >= 1000;
    let advice = match enough {
        true => "let it know only what it perceives",
        false => "at least 1,000 pairs are needed: play more matches, or longer ones",
    };
    row("B6", "perception", found, means, move |share, _| share == 1.0 && enough, advice)
}

fn evolution(lives: &[Track]) -> Row {
    let matches: Vec<Struck> = lives.iter().filter_map(deaths_by_first_causes).collect();
    let Struck { early, late } = all_struck(&matches);
    let means = format!(
        "deaths a minute by the causes of the first lives: {:.2} in lives 16 to 20 over {:.2}, {} matches",
        late.per_minute(),
        early.per_minute(),
        matches.len()
    );
    let found = late_over_early(&matches);
    let advice = match matches.is_empty() {
        true => "nobody died five times in a match: stronger opponents would tell",
        false => "let it learn from its deaths ([learn])",
    };
    // A cause that was picked because it struck often strikes less by itself: only an interval below 1 tells.
    let is_met =
        |ratio: f64, ends: Option<(f64, f64)>| ratio <= 0.5 && ends.is_some_and(|(_, high)| high < 1.0);
    row("B9", "evolution", found, means, is_met, advice)
}

fn fast_evolution(lives: &[Track]) -> Row {
    let found = told_apart(lives).map(|area| (area, None));
    let means =
        "area under the curve of telling minute six of a match from minute one; 0.5 is chance".to_owned();
    row("B10", "fast evolution", found, means, |area, _| area > 0.75, "let it learn faster ([learn] weight)")
}
