//! Whether somebody who sees only what an opponent sees can name what a character is up to.
//!
//! A hidden Markov model over four aims, counted from other characters, filters what is seen; the most probable aim is named at every
//! decision at which somebody has the character in view. What is seen is one of 48 kinds of appearance (coming, going, crossing, looking
//! here, firing, running to an item) and one of 16 gaits (does it keep its course, and does it run where it looks), as if independent
//! given the aim.
//!
//! `P(aim_t | seen) ∝ (P(look_t | aim_t) P(gait_t | aim_t))^w Σ P(aim_t | aim_t-1) P(aim_t-1 | seen before)`, with `w` = [`WEIGHT`]: decisions are a
//! tenth of a second apart and look much alike, so that each says less than it would alone. With `w` = 1, somebody who shoots once in passing
//! is taken for a fighter for seconds.

use repertoire_mind::DVec2;
use repertoire_prob::num::{cos, pow, sin};

use super::life::Shown;
use super::track::Track;

/// What somebody may be up to.
const AIMS: usize = 4;
const NAMES: [&str; AIMS] = ["fight", "flee", "fetch something", "roam"];
const LOOKS: usize = 3 * 2 * 2 * 2 * 2;
const GAITS: usize = 4 * 4;
/// How much the look of one decision counts beside that of the one before.
const WEIGHT: f64 = 0.25;
/// Decisions after which a course is compared with what it was.
pub(super) const COURSE: usize = 6;
/// Slower than this it stands, in metres a second.
const STANDS: f64 = 1.5;

/// The aim of a task, by its name: to fight, to flee, to fetch something, or to roam.
fn aim(task: &str) -> usize {
    let is = |words: &[&str]| words.iter().any(|word| task.contains(word));
    if is(&["attack", "fight", "hunt", "chase", "engage"]) {
        0
    } else if is(&["flee", "flight", "retreat", "evade", "avoid"]) {
        1
    } else if is(&["search", "fetch", "health", "weapon", "item", "heal", "pick"]) {
        2
    } else {
        3
    }
}

pub(super) fn look(shown: &Shown) -> usize {
    let way = match shown.approaches {
        speed if speed > 1.5 => 0,
        speed if speed < -1.5 => 1,
        _ => 2,
    };
    let crosses = usize::from(shown.crosses > 1.5);
    let acts = usize::from(shown.looks_here) * 2 + usize::from(shown.fires);
    ((way * 2 + crosses) * 4 + acts) * 2 + usize::from(shown.fetches)
}

/// How somebody runs at the last of these decisions: whether on the course of the first, and whether to where it looks.
pub(super) fn gait(shown: &[Option<Shown>]) -> usize {
    let Some(Some(now)) = shown.last() else { return 0 };
    let speed = now.run.length();
    let run = match now.run.dot(DVec2::new(cos(now.yaw), sin(now.yaw))) {
        _ if speed < STANDS => 3,
        ahead if ahead > 0.85 * speed => 0,
        ahead if ahead > -0.3 * speed => 1,
        _ => 2,
    };
    let is_known = shown.len() > COURSE && shown.iter().all(Option::is_some);
    let course = match shown.first().copied().flatten().filter(|_| is_known) {
        None => 3,
        Some(then) if speed < STANDS || then.run.length() < STANDS => 2,
        Some(then) => usize::from(now.run.dot(then.run) <= 0.9 * speed * then.run.length()),
    };
    course * 4 + run
}

/// An observer who has watched others.
pub(super) struct Observer {
    initial: [f64; AIMS],
    /// `[before][after]`.
    transition: [[f64; AIMS]; AIMS],
    /// `[aim][look]`.
    looks: [[f64; LOOKS]; AIMS],
    /// `[aim][gait]`.
    gaits: [[f64; GAITS]; AIMS],
}

/// What an observer made of somebody.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Named {
    /// Decisions at which somebody had them in view.
    pub seen: usize,
    /// Of these, how often the aim was named.
    pub right: usize,
    /// How often each aim was the true one.
    pub of: [usize; AIMS],
    /// For each true aim, how often it was taken for each.
    pub taken: [[usize; AIMS]; AIMS],
}

impl Named {
    pub fn add(&mut self, other: &Named) {
        self.seen += other.seen;
        self.right += other.right;
        self.of.iter_mut().zip(other.of).for_each(|(sum, more)| *sum += more);
        let (sums, more) = (self.taken.iter_mut().flatten(), other.taken.iter().flatten());
        sums.zip(more).for_each(|(sum, more)| *sum += more);
    }

    /// The mistake that observers make most often: the true aim, what it is taken for, and the share of all decisions in view.
    pub fn confused(&self) -> Option<(&'static str, &'static str, f64)> {
        let wrong = (0..AIMS).flat_map(|truth| (0..AIMS).map(move |taken| (truth, taken)));
        let wrong = wrong.filter(|(truth, taken)| truth != taken && self.taken[*truth][*taken] > 0);
        let (truth, taken) = wrong.max_by_key(|(truth, taken)| self.taken[*truth][*taken])?;
        Some((NAMES[truth], NAMES[taken], self.taken[truth][taken] as f64 / self.seen as f64))
    }

    /// What naming the most frequent aim every time would reach.
    pub fn most_frequent(&self) -> f64 {
        self.of.iter().max().copied().unwrap_or(0) as f64 / (self.seen as f64).max(1.0)
    }
}

fn normalised<const N: usize>(mut counts: [f64; N]) -> [f64; N] {
    let sum: f64 = counts.iter().sum();
    counts.iter_mut().for_each(|count| *count /= sum);
    counts
}

impl Observer {
    /// Watches others, whose aims are known; every count begins with one, by Laplace's law.
    pub fn of<'l>(lives: impl IntoIterator<Item = &'l Track>) -> Self {
        let (mut initial, mut transition) = ([1.0; AIMS], [[1.0; AIMS]; AIMS]);
        let (mut looks, mut gaits) = ([[1.0; LOOKS]; AIMS], [[1.0; GAITS]; AIMS]);
        for life in lives {
            let mut before: Option<usize> = None;
            for step in &life.steps {
                let now = aim(life.name(step));
                if let Some(look) = step.look {
                    looks[now][usize::from(look)] += 1.0;
                    gaits[now][usize::from(step.gait)] += 1.0;
                    match before {
                        Some(before) => transition[before][now] += 1.0,
                        None => initial[now] += 1.0,
                    }
                }
                before = step.look.map(|_| now);
            }
        }
        Observer {
            initial: normalised(initial),
            transition: transition.map(normalised),
            looks: looks.map(normalised),
            gaits: gaits.map(normalised),
        }
    }

    /// Names what somebody is up to, whenever they are in view.
    pub fn name(&self, life: &Track) -> Named {
        let mut named = Named::default();
        let mut belief: Option<[f64; AIMS]> = None;
        for step in &life.steps {
            let Some(seen) = step.look.map(usize::from) else {
                belief = None;
                continue;
            };
            let expected = match belief {
                None => self.initial,
                Some(before) => std::array::from_fn(|after| {
                    before.iter().zip(&self.transition).map(|(p, row)| p * row[after]).sum()
                }),
            };
            let gait = usize::from(step.gait);
            let says = |aim: usize| pow(self.looks[aim][seen] * self.gaits[aim][gait], WEIGHT);
            let now = normalised(std::array::from_fn(|aim| expected[aim] * says(aim)));
            let best = (0..AIMS).fold(0, |best, aim| if now[aim] > now[best] { aim } else { best });
            let truth = aim(life.name(step));
            named.seen += 1;
            named.right += usize::from(best == truth);
            named.taken[truth][best] += 1;
            named.of[truth] += 1;
            belief = Some(now);
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::super::track::Step;
    use super::*;

    #[test]
    fn tasks_of_all_kinds_of_characters_have_an_aim() {
        let aims = ["attack", "hunt", "flee", "health_search", "pick-up", "explore", "detect_danger"];
        assert_eq!(aims.map(aim), [0, 0, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn an_observer_names_what_shows() {
        let shown = |approaches: f64, fires| {
            look(&Shown {
                approaches,
                crosses: 0.0,
                looks_here: approaches > 0.0,
                fires,
                fetches: false,
                run: DVec2::ZERO,
                yaw: 0.0,
            }) as u8
        };
        let life = |seed: usize| {
            let fights = |at: usize| (at / 40 + seed).is_multiple_of(2);
            let mut life = Track { period_secs: 0.1, ..Track::default() };
            for at in 0..400 {
                let (task, look) = if fights(at) {
                    ("attack", shown(3.0, at % 3 == 0))
                } else {
                    ("flee", shown(-3.0, false))
                };
                let task = life.task(task);
                let look = Some(look);
                life.steps.push(Step {
                    deed: 0,
                    view: 0,
                    task,
                    life: 1,
                    alive: true,
                    hit: false,
                    look,
                    gait: 0,
                    place: None,
                });
            }
            life
        };
        let named = Observer::of([&life(0), &life(1)]).name(&life(2));
        assert_eq!((named.seen, named.of[0]), (400, 200));
        // Each look counts a quarter, so that each of the nine changes is noticed two decisions late.
        assert!(named.right > 380, "{}", named.right);
    }
}
