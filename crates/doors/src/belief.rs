//! `ask belief`: where hidden opponents are, exactly.

use repertoire_belief::crowd::{self, Sightings};
use repertoire_belief::share::long_run_share;
use repertoire_belief::{Dynamics, FilterError, best_path, filter_all, smooth};
use schemars::JsonSchema;
use serde::Serialize;

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Beliefs;

impl Keeps for Beliefs {
    const NAME: &'static str = "belief";
    const ABOUT: &'static str = "where opponents are who cannot be seen: an exact hidden semi-Markov filter";
    const EXAMPLE: &'static str = r#"{"mu":[1,0,0],"transition":[[0,0.5,0.5],[1,0,0],[1,0,0]],"duration":[[0.2,0.8],[1],[0,0,1]],"likelihood":[[1,1,1],[0,1,1],[0,1,1]]}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"mu":[1,0,0],"transition":[[0,0.5,0.5],[1,0,0],[1,0,0]],"duration":[[0.2,0.8],[1],[0,0,1]]},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","likelihood":[[1,1,1],[0,1,1],[0,1,1]]}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Dynamics;
    type Last = ();

    fn answer(request: Request, (): &mut (), library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        Self::ask(&[&Self::keep(thing, library)?], question)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Dynamics, DoorError> {
        let Thing { mu, transition, duration } = thing;
        Ok(Dynamics::new(&mu, &transition, &duration).map_err(|error| error.to_string())?)
    }

    fn ask(used: &[&Dynamics], question: Question) -> Result<String, DoorError> {
        line(&believe(only(used)?, question)?)
    }
}

question! {
    /// How opponents move, and what is observed.
    load {
        /// P(first place). The first stay begins at t = 0, with a fresh duration.
        mu: Vec<f64>,
        /// P(next place | place), when a stay ends: [s][s']. A row of zeros: that place is never left.
        transition: Vec<Vec<f64>>,
        /// P(a stay lasts d steps): [s][d-1]. Lists may have different lengths.
        duration: Vec<Vec<f64>>,
    }
    ask {
        /// P(what is observed at t | place): [t][s], up to a factor of each step's own.
        #[serde(default)]
        likelihood: Option<Vec<Vec<f64>>>,
        /// Several opponents who cannot be told apart: how many.
        #[serde(default)]
        opponents: Option<usize>,
        /// With opponents: the probability that one who is there is seen, [t][s].
        #[serde(default)]
        visible: Option<Vec<Vec<f64>>>,
        /// With opponents: how many are seen, [t][s].
        #[serde(default)]
        seen_counts: Option<Vec<Vec<u32>>>,
        /// With likelihood: also look back from the end, and find the most likely way.
        #[serde(default)]
        look_back: bool,
        /// Also the share of time in each place in the long run (eq. 3).
        #[serde(default)]
        share: bool,
    }
}

/// What is believed.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Response {
    One {
        /// P(place at t | o_0..o_t): [t][s].
        posterior: Vec<Vec<f64>>,
        /// ln P(o_0..o_t): [t].
        log_evidence: Vec<f64>,
        /// P(place at t | all observations): [t][s].
        #[serde(skip_serializing_if = "Option::is_none")]
        smoothed: Option<Vec<Vec<f64>>>,
        /// The most likely way: [t].
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<Vec<u32>>,
        /// ln P(that way and all observations).
        #[serde(skip_serializing_if = "Option::is_none")]
        path_log_probability: Option<f64>,
        /// The share of time in each place in the long run.
        #[serde(skip_serializing_if = "Option::is_none")]
        share: Option<Vec<f64>>,
    },
    Several {
        /// How many are there, on average: [t][s].
        expected_count: Vec<Vec<f64>>,
        /// P(at least one is there): [t][s].
        p_at_least_one: Vec<Vec<f64>>,
        /// True where the problem was too large to be exact; the guide says what is then done, and its error.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        approximate: bool,
        /// The share of time in each place in the long run.
        #[serde(skip_serializing_if = "Option::is_none")]
        share: Option<Vec<f64>>,
    },
}

/// More opponents than this are no question for this door.
const MOST_OPPONENTS: usize = 1000;
/// Cells of tables that are kept while answering.
const MOST_CELLS: usize = 1 << 27;

fn believe(dynamics: &Dynamics, request: Question) -> Result<Response, String> {
    let places = dynamics.places();
    let share = match request.share {
        true => Some(long_run_share(dynamics).map_err(|error| error.to_string())?),
        false => None,
    };
    match (request.likelihood, request.opponents) {
        (Some(likelihood), None) => {
            if request.visible.is_some() || request.seen_counts.is_some() {
                return Err("`visible` and `seen_counts` go with `opponents`, not with `likelihood`".into());
            }
            one(dynamics, likelihood, request.look_back, share)
        }
        (None, Some(opponents)) => {
            let (Some(visible), Some(seen)) = (request.visible, request.seen_counts) else {
                return Err("`opponents` needs `visible` and `seen_counts`, both [t][s]".into());
            };
            if request.look_back {
                return Err("`look_back` goes with `likelihood`".into());
            }
            check_rows(
                "visible",
                &visible,
                places,
                |p| (0.0..=1.0).contains(&p),
                "a probability from 0 to 1",
            )?;
            if visible.len() != seen.len() {
                return Err(format!("visible has {} steps, seen_counts has {}", visible.len(), seen.len()));
            }
            if let Some(t) = seen.iter().position(|row| row.len() != places) {
                return Err(format!("seen_counts[{t}] has {} entries, {places} are needed", seen[t].len()));
            }
            if opponents > MOST_OPPONENTS {
                return Err(format!("{opponents} opponents: at most {MOST_OPPONENTS}"));
            }
            several(dynamics, Sightings { opponents, visible: &visible, seen: &seen }, share)
        }
        (Some(_), Some(_)) => Err("give `likelihood` or `opponents`, not both".into()),
        (None, None) => Err("give `likelihood`, or `opponents` with `visible` and `seen_counts`".into()),
    }
}

fn one(
    dynamics: &Dynamics,
    mut likelihood: Vec<Vec<f64>>,
    look_back: bool,
    share: Option<Vec<f64>>,
) -> Result<Response, String> {
    let is_likelihood = |p: f64| p.is_finite() && p >= 0.0;
    check_rows("likelihood", &likelihood, dynamics.places(), is_likelihood, "finite and not negative")?;
    let cells = dynamics.places().saturating_mul(dynamics.slots()).saturating_mul(if look_back {
        likelihood.len()
    } else {
        1
    });
    if cells > MOST_CELLS {
        return Err("that many places, durations and steps do not fit in one line's memory".into());
    }
    // Each step's factor is taken out, so that neither very large nor very small numbers are lost.
    let mut taken = Vec::new();
    let mut sum = repertoire_prob::num::Sum::default();
    for row in &mut likelihood {
        let most = row.iter().copied().fold(0.0, f64::max);
        if most > 0.0 {
            row.iter_mut().for_each(|p| *p /= most);
            sum.add(repertoire_prob::num::ln(most));
        }
        taken.push(sum.value());
    }
    let impossible = |error: FilterError| error.to_string();
    let (posterior, mut log_evidence) = filter_all(dynamics, &likelihood).map_err(impossible)?;
    log_evidence.iter_mut().zip(&taken).for_each(|(log, taken)| *log += taken);
    let (mut smoothed, mut path, mut path_log_probability) = (None, None, None);
    if look_back {
        smoothed = Some(smooth(dynamics, &likelihood).map_err(impossible)?);
        let best = best_path(dynamics, &likelihood).map_err(impossible)?;
        path_log_probability = Some(best.log_probability + taken.last().copied().unwrap_or(0.0));
        path = Some(best.places);
    }
    Ok(Response::One { posterior, log_evidence, smoothed, path, path_log_probability, share })
}

fn several(
    dynamics: &Dynamics,
    sightings: Sightings<'_>,
    share: Option<Vec<f64>>,
) -> Result<Response, String> {
    let steps = sightings.seen.len();
    let is_small = crowd::exact_cost(dynamics, sightings.opponents, steps) <= crowd::EXACT_BUDGET;
    let cells = dynamics
        .places()
        .saturating_mul(dynamics.slots().min(steps.max(1)))
        .saturating_mul(sightings.opponents);
    if !is_small && cells > MOST_CELLS {
        return Err("that many places, durations and opponents do not fit in one line's memory".into());
    }
    let found = if is_small { crowd::exact(dynamics, sightings) } else { crowd::tracks(dynamics, sightings) };
    let found = found.map_err(|error| error.to_string())?;
    Ok(Response::Several {
        expected_count: found.expected_count,
        p_at_least_one: found.p_at_least_one,
        approximate: !is_small,
        share,
    })
}

fn check_rows(
    what: &str,
    rows: &[Vec<f64>],
    places: usize,
    is_right: impl Fn(f64) -> bool,
    right: &str,
) -> Result<(), String> {
    for (t, row) in rows.iter().enumerate() {
        if row.len() != places {
            return Err(format!("{what}[{t}] has {} entries, {places} are needed", row.len()));
        }
        if let Some(s) = row.iter().position(|&p| !is_right(p)) {
            return Err(format!("{what}[{t}][{s}] is {}: it must be {right}", row[s]));
        }
    }
    Ok(())
}
