//! Learning a character by imitation, from what somebody perceives and does: the one path from play to a character.
//!
//! Recorded play, live play and the experiments all show an [`Imitator`] tick after tick and take the [`Imitation`] at the end:
//!
//! 1. lives become sequences in the words of a model, one list for each reaction time that is tried;
//! 2. some lives may be kept aside, to judge by;
//! 3. the number of decisions is chosen, if that is asked for;
//! 4. EM finds attention, decisions and actions (and the reaction time, if that is asked for);
//! 5. the character gets the teacher's body, reaction time and steadiness, and the sharpness with which to play.
//!
//! An imitator that learns [`LifeByLife`](Pace::LifeByLife) does so while the teacher plays: nothing is tried twice, and a life
//! is forgotten once it is learned from.

use std::collections::VecDeque;
use std::sync::Arc;

use repertoire_chameleon::decisions::{Judged, judge, mean_log_likelihood};
use repertoire_chameleon::layout::LayoutError;
use repertoire_chameleon::online::OnlineLearner;
use repertoire_chameleon::reaction::reaction;
use repertoire_chameleon::{
    Body, Delay, EmSettings, Hands, Impossible, LearnError, Learned, Model, Progress, Sequence, Sharpness,
    learn,
};
use repertoire_prob::draw::arg_max;

use super::play::Doing;
use super::{BodySeen, Joined, Watcher, hands};
use crate::student::{Seen, Watch};
use crate::tasks::CannotSense;
use crate::{Command, Percept, Places};

/// Shorter lives, in ticks, show too little to learn from.
pub const SHORTEST_LIFE: usize = 5;

/// The longest reaction time that can be imitated, in ticks.
pub const LONGEST_DELAY: usize = 100;

/// Lives by which steadiness is observed while a teacher plays.
const RECENT: usize = 20;

/// Iterations for each life, at most, while a teacher plays: the lives before it weigh more and more.
const LIVE_ITERATIONS: usize = 10;

/// Iterations, at most, for each reaction time that is tried: a curve needs no more than a rough character.
const ROUGH_ITERATIONS: usize = 40;

/// The power of decisions for pupils with hands.
const DECIDES_WITH_HANDS: f64 = 2.0;

/// Parts of the play of which one is kept aside to choose the number of decisions by.
const DECISION_PARTS: usize = 5;

/// How to imitate.
///
/// ```
/// use repertoire_mind::chameleon::{ImitationSettings, Reaction};
///
/// let settings = ImitationSettings { reaction: Reaction::Found { longest: 8 }, ..ImitationSettings::default() };
/// assert_eq!(settings.keep_aside, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ImitationSettings {
    /// How EM learns. Its default here pools neighbouring values, which a game's many values need.
    pub em: EmSettings,
    /// When to learn.
    pub pace: Pace,
    /// How late the teacher is taken to perceive.
    pub reaction: Reaction,
    /// Numbers of decisions to choose from, by lives kept aside; empty takes the model's own.
    pub decisions: Vec<usize>,
    /// The share of lives to keep aside and judge by; they are not learned from.
    pub keep_aside: Option<f64>,
    /// Whether the file also keeps how the teacher carried out what they decided, to be done again moment by moment: nearer to how they
    /// move, but the pupil takes several times as long to play and fights no better.
    pub hands: bool,
}

impl Default for ImitationSettings {
    fn default() -> Self {
        let em = EmSettings { pooling: Some(Default::default()), ..EmSettings::default() };
        let reaction = Reaction::Fixed(0);
        let decisions = Vec::new();
        ImitationSettings { em, pace: Pace::AtTheEnd, reaction, decisions, keep_aside: None, hands: false }
    }
}

/// When to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// From all lives together, once all are seen: the best result.
    AtTheEnd,
    /// From each life when it ends: constant memory, and a character at any time.
    LifeByLife,
}

/// How late a teacher perceives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// This many ticks. An imitator that goes on from a character keeps that one's reaction time if this is 0.
    Fixed(usize),
    /// Found from the play, as a distribution over 0 to `longest` ticks.
    Found {
        /// The longest time that is tried, in ticks.
        longest: usize,
    },
}

/// Why nothing was imitated.
#[derive(Debug, thiserror::Error)]
pub enum ImitationError {
    /// A model with words that characters do not have.
    #[error("nothing in the play tells about the model: {0}")]
    Model(#[from] CannotSense),
    /// A number of decisions that the model cannot have.
    #[error("{decisions} decisions: {why}")]
    Decisions {
        /// How many.
        decisions: usize,
        /// What speaks against it.
        why: LayoutError,
    },
    /// No life was long enough.
    #[error("there was nothing to learn: nobody lived for {SHORTEST_LIFE} ticks")]
    Nothing,
    /// One life, which nothing can judge.
    #[error("one life alone cannot be judged by others")]
    OneLife,
    /// A share that leaves nothing on one side.
    #[error("keeping {share} of {lives} lives aside leaves nothing on one side")]
    KeepAside {
        /// The share.
        share: f64,
        /// How many lives there are.
        lives: usize,
    },
    /// Something that cannot be done while the teacher plays.
    #[error("learning life by life tries nothing twice: {0} needs all lives at once")]
    LifeByLife(&'static str),
    /// EM refused.
    #[error("what was played cannot be learned: {0}")]
    Learn(#[from] LearnError),
    /// What was learned does not explain what it was learned from.
    #[error("what was learned cannot be explained again: {0}")]
    Explain(#[from] Impossible),
}

/// What an imitator is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// An iteration of EM.
    Iteration {
        /// Which random start, the first being 0.
        start: usize,
        /// Which iteration, the first being 0.
        iteration: usize,
        /// `ln P(actions | stimuli)` before it.
        log_likelihood: f64,
    },
    /// A reaction time was tried.
    Delay {
        /// In ticks.
        ticks: usize,
        /// `ln P(actions | stimuli)` per tick, learned with it.
        nats_per_tick: f64,
    },
    /// A number of decisions was tried.
    Decisions {
        /// How many.
        decisions: usize,
        /// `ln P(actions | stimuli)` per tick of the lives kept aside.
        nats_per_tick: f64,
    },
}

impl From<Progress> for Step {
    fn from(at: Progress) -> Self {
        let Progress { start, iteration, log_likelihood } = at;
        Step::Iteration { start, iteration, log_likelihood }
    }
}

/// A number of decisions that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionsTried {
    /// How many.
    pub decisions: usize,
    /// `ln P(actions | stimuli)` per tick of the lives learned from.
    pub learned_from: f64,
    /// The same of the lives kept aside.
    pub kept_aside: f64,
}

/// A character learned by imitation, and how it came about.
#[derive(Clone, Debug)]
pub struct Imitation {
    /// The character. While the teacher played, [`Learned::curve`] holds `ln P(actions | stimuli)` per tick of each life before it
    /// was learned from.
    pub learned: Learned,
    /// Lives learned from.
    pub lives: usize,
    /// Ticks learned from.
    pub ticks: usize,
    /// `ln P(actions | stimuli)` per tick of what was learned from.
    pub nats_per_tick: f64,
    /// How many lives were kept aside, and the same of them.
    pub kept_aside: Option<(usize, f64)>,
    /// For each reaction time that was tried, the same; empty if none was.
    pub delay_curve: Vec<f64>,
    /// Numbers of decisions that were tried.
    pub decisions_tried: Vec<DecisionsTried>,
}

/// Watches somebody play, and becomes like them.
///
/// ```
/// use repertoire_mind::chameleon::{ImitationSettings, Imitator};
/// use repertoire_mind::{Cells, Command, DVec3, Percept, Places};
/// use repertoire_chameleon::{EmSettings, model};
///
/// let model = model::shipped("arena").unwrap().with_decisions(2)?;
/// let em = EmSettings { starts: 1, iterations: 3, ..ImitationSettings::default().em };
/// let mut imitator = Imitator::new(&model, ImitationSettings { em, ..ImitationSettings::default() })?;
/// // Of a game: what the teacher perceives and commands, tick by tick.
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// for _ in 0..20 {
///     imitator.see(&Percept::default(), &Command { yaw: 0.1, ..Command::default() }, &places);
/// }
/// let found = imitator.finish(&|_| ())?;
/// assert_eq!((found.lives, found.ticks), (1, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Imitator {
    model: Model,
    joined: Arc<Joined>,
    settings: ImitationSettings,
    start: Option<Learned>,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// A watcher for each reaction time.
    AtTheEnd(Vec<Watcher>),
    LifeByLife(Box<Live>),
}

impl Imitator {
    /// Knows nothing yet. Fails if the model has words that characters do not have, or if the settings ask for what cannot be done.
    pub fn new(model: &Model, settings: ImitationSettings) -> Result<Self, ImitationError> {
        Imitator::from(model.clone(), None, settings)
    }

    /// Goes on from a character, from the same teacher or another. Decisions, body, reaction time and sharpness are kept.
    pub fn going_on(start: &Learned, settings: ImitationSettings) -> Result<Self, ImitationError> {
        let decisions = Vec::new();
        let settings = ImitationSettings { decisions, ..settings };
        Imitator::from(start.model.clone(), Some(start.clone()), settings)
    }

    fn from(
        model: Model,
        start: Option<Learned>,
        settings: ImitationSettings,
    ) -> Result<Self, ImitationError> {
        let joined = Arc::new(Joined::new(&model)?);
        for &decisions in &settings.decisions {
            let checked = model.with_decisions(decisions);
            checked.map_err(|why| ImitationError::Decisions { decisions, why })?;
        }
        let watcher = |delay: usize| Watcher::new(Arc::clone(&joined), delay);
        let way = match settings.pace {
            Pace::AtTheEnd => {
                Way::AtTheEnd(settings.delays(start.as_ref()).into_iter().map(watcher).collect())
            }
            Pace::LifeByLife => {
                settings.check_live()?;
                let delay = settings.delays(start.as_ref())[0];
                Way::LifeByLife(Box::new(Live::new(&model, start.as_ref(), &settings, watcher(delay))))
            }
        };
        Ok(Imitator { model, joined, settings, start, way })
    }

    /// Sees one tick of the teacher's.
    pub fn see(&mut self, percept: &Percept, command: &Command, places: &Places) {
        match &mut self.way {
            Way::AtTheEnd(watchers) => {
                watchers.iter_mut().for_each(|watcher| watcher.see(percept, command, places));
            }
            Way::LifeByLife(live) => {
                if live.life.is_some_and(|life| life != percept.own.life) {
                    live.end_life(&self.joined);
                }
                live.life = Some(percept.own.life);
                live.watcher.see(percept, command, places);
            }
        }
    }

    /// What follows is another life, perhaps of somebody else.
    pub fn end_life(&mut self) {
        match &mut self.way {
            Way::AtTheEnd(watchers) => watchers.iter_mut().for_each(Watcher::end_life),
            Way::LifeByLife(live) => live.end_life(&self.joined),
        }
    }

    /// The character as it is learned so far, from the lives that have ended, when learning life by life; else none, and none before
    /// the first life has ended.
    pub fn so_far(&self) -> Option<Learned> {
        let Way::LifeByLife(live) = &self.way else { return None };
        if live.lives == 0 || live.failed.is_some() {
            return None;
        }
        let mut recent = live.recent.clone();
        live.learned(&self.joined, self.start.as_ref(), recent.make_contiguous()).ok()
    }

    /// Lives and ticks that were learned from so far, and `ln P(actions | stimuli)` per tick of each life before it was learned from,
    /// when learning life by life.
    pub fn progress(&self) -> (usize, usize, &[f64]) {
        match &self.way {
            Way::LifeByLife(live) => (live.lives, live.ticks, &live.surprise),
            Way::AtTheEnd(_) => (0, 0, &[]),
        }
    }

    /// Learns from everything that was seen. `told` hears every step, from any thread.
    pub fn finish(self, told: &(dyn Fn(Step) + Sync)) -> Result<Imitation, ImitationError> {
        let Imitator { model, joined, settings, start, way } = self;
        let watchers = match way {
            Way::AtTheEnd(watchers) => watchers,
            Way::LifeByLife(live) => return live.finish(&joined, start.as_ref()),
        };
        let delays: Vec<usize> = watchers.iter().map(Watcher::reaction).collect();
        // Numbers that are gone on from are in terms of the body they were learned with.
        let body = start.as_ref().map_or_else(|| watchers[0].body().body(), |start| start.body.clone());
        let all = watchers.into_iter().map(|watcher| watcher.finish_with_doings(SHORTEST_LIFE, &body));
        let (all, doings): (ByDelay, Vec<Vec<Vec<Doing>>>) = all.unzip();
        if all[0].is_empty() {
            return Err(ImitationError::Nothing);
        }
        let (from, aside) = split(all, settings.keep_aside)?;
        let (mut doings, _) = split(doings, settings.keep_aside)?;
        let decisions_tried = try_decisions(&model, &from[0], &settings, told)?;
        let best = decisions_tried.iter().max_by(|a, b| a.kept_aside.total_cmp(&b.kept_aside));
        let model = match best.map(|best| best.decisions) {
            Some(decisions) => {
                model.with_decisions(decisions).map_err(|why| ImitationError::Decisions { decisions, why })?
            }
            None => model,
        };
        let (mut learned, delay_curve) = settings.learn(&model, start.as_ref(), &from, told)?;
        if start.is_none() {
            if let [delay] = delays[..] {
                learned.delay = Delay::of(delay);
            }
            learned.sharpness = sharpness(&joined, settings.hands);
        }
        learned.body = body;
        let likeliest = if from.len() > 1 { arg_max(&learned.delay.ticks) } else { 0 };
        learned.steadiness = joined.steadiness(&learned, &from[likeliest])?;
        let (from, aside) = (&from[likeliest], &aside[likeliest]);
        let doings = doings.swap_remove(likeliest);
        let mut hands = start.as_ref().map(|start| start.hands.clone()).unwrap_or_default();
        if settings.hands {
            hands.add(hands::observed(&joined, &learned, from, &doings)?);
        }
        learned.hands = hands;
        Ok(Imitation {
            lives: from.len(),
            ticks: from.iter().map(Sequence::len).sum(),
            nats_per_tick: mean_log_likelihood(&learned, from),
            kept_aside: (!aside.is_empty()).then(|| (aside.len(), mean_log_likelihood(&learned, aside))),
            delay_curve,
            decisions_tried,
            learned,
        })
    }
}

impl Watch for Imitator {
    fn begin(&mut self) {
        self.end_life();
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        Imitator::see(self, seen.percept, seen.command, places);
    }
}

impl ImitationSettings {
    /// The reaction times that sequences are made for.
    fn delays(&self, start: Option<&Learned>) -> Vec<usize> {
        match (self.reaction, start) {
            (Reaction::Found { longest }, _) => (0..=longest.min(LONGEST_DELAY)).collect(),
            (Reaction::Fixed(0), Some(start)) => vec![arg_max(&start.delay.ticks)],
            (Reaction::Fixed(delay), _) => vec![delay],
        }
    }

    fn check_live(&self) -> Result<(), ImitationError> {
        let asked = [
            (!self.decisions.is_empty(), "choosing the number of decisions"),
            (self.keep_aside.is_some(), "keeping lives aside"),
            (matches!(self.reaction, Reaction::Found { .. }), "finding the reaction time"),
        ];
        let found = asked.into_iter().find(|(is_asked, _)| *is_asked);
        found.map_or(Ok(()), |(_, what)| Err(ImitationError::LifeByLife(what)))
    }

    /// EM, and the curve of reaction times if several are tried.
    fn learn(
        &self,
        model: &Model,
        start: Option<&Learned>,
        from: &ByDelay,
        told: &(dyn Fn(Step) + Sync),
    ) -> Result<(Learned, Vec<f64>), LearnError> {
        let iteration = |at: Progress| told(at.into());
        if let Some(start) = start {
            return Ok((start.go_on(&from[0], &self.em, &iteration)?, Vec::new()));
        }
        if from.len() == 1 {
            return Ok((learn(model, &from[0], &self.em, &iteration)?, Vec::new()));
        }
        let iterations = self.em.iterations.min(ROUGH_ITERATIONS);
        let rough = EmSettings { starts: 1, iterations, ..self.em.clone() };
        let found = reaction(model, from, &rough, &|ticks, nats_per_tick| {
            told(Step::Delay { ticks, nats_per_tick });
        })?;
        Ok((found.learned, found.curve))
    }
}

/// How sharply a pupil plays at first. What hands do goes by the decision: where that flits about, so does the whole body.
fn sharpness(joined: &Joined, hands: bool) -> Sharpness {
    let usual = joined.sharpness();
    let decision = if hands { DECIDES_WITH_HANDS } else { usual.decision };
    Sharpness { decision, ..usual }
}

/// Lives, for each reaction time.
type ByDelay = Vec<Vec<Sequence>>;

/// Lives to learn from and lives kept aside: the latter evenly spread.
#[expect(clippy::type_complexity, reason = "two lists of the same kind")]
fn split<T>(all: Vec<Vec<T>>, share: Option<f64>) -> Result<(Vec<Vec<T>>, Vec<Vec<T>>), ImitationError> {
    let Some(share) = share else {
        let none = all.iter().map(|_| Vec::new()).collect();
        return Ok((all, none));
    };
    let lives = all[0].len();
    let is_aside = |life: usize| ((life + 1) as f64 * share).floor() > (life as f64 * share).floor();
    let kept = (0..lives).filter(|&life| is_aside(life)).count();
    if kept == 0 || kept == lives {
        return Err(ImitationError::KeepAside { share, lives });
    }
    let part = |lives: Vec<T>| -> (Vec<T>, Vec<T>) {
        let (aside, from): (Vec<_>, Vec<_>) =
            lives.into_iter().enumerate().partition(|(life, _)| is_aside(*life));
        let plain = |list: Vec<(usize, T)>| list.into_iter().map(|(_, life)| life).collect();
        (plain(from), plain(aside))
    };
    Ok(all.into_iter().map(part).unzip())
}

fn try_decisions(
    model: &Model,
    lives: &[Sequence],
    settings: &ImitationSettings,
    told: &(dyn Fn(Step) + Sync),
) -> Result<Vec<DecisionsTried>, ImitationError> {
    if settings.decisions.is_empty() {
        return Ok(Vec::new());
    }
    if lives.len() < 2 {
        return Err(ImitationError::OneLife);
    }
    let keep = lives.len().min(DECISION_PARTS);
    let judged = judge(model, lives, &settings.decisions, keep, &settings.em, &|one: &Judged| {
        told(Step::Decisions { decisions: one.decisions, nats_per_tick: one.kept_aside });
    })?;
    let tried = |one: Judged| {
        let Judged { decisions, learned_from, kept_aside, .. } = one;
        DecisionsTried { decisions, learned_from, kept_aside }
    };
    Ok(judged.into_iter().map(tried).collect())
}

/// Learns each life as it ends.
#[derive(Debug)]
struct Live {
    life: Option<u32>,
    watcher: Watcher,
    learner: OnlineLearner,
    lives: usize,
    ticks: usize,
    /// `ln P(actions | stimuli)` per tick of each life, before it was learned from.
    surprise: Vec<f64>,
    /// The body it goes on with, and what is seen of the teacher's.
    body: Option<Body>,
    seen: BodySeen,
    /// The last lives, to see how steady the teacher is.
    recent: VecDeque<Sequence>,
    /// Moments of the teacher's hands so far, if they are kept.
    hands: Hands,
    keeps_hands: bool,
    failed: Option<LearnError>,
}

impl Live {
    fn new(model: &Model, start: Option<&Learned>, settings: &ImitationSettings, watcher: Watcher) -> Self {
        let em = &settings.em;
        let em = EmSettings { iterations: em.iterations.min(LIVE_ITERATIONS), ..em.clone() };
        let learner = match start {
            Some(start) => OnlineLearner::of(start, em, 0),
            None => OnlineLearner::new(model.clone(), em, 0),
        };
        Live {
            life: None,
            watcher,
            learner,
            lives: 0,
            ticks: 0,
            surprise: Vec::new(),
            body: start.map(|start| start.body.clone()),
            seen: BodySeen::default(),
            recent: VecDeque::new(),
            hands: start.map(|start| start.hands.clone()).unwrap_or_default(),
            keeps_hands: settings.hands,
            failed: None,
        }
    }

    fn body(&self) -> Body {
        self.body.clone().unwrap_or_else(|| self.seen.body())
    }

    fn end_life(&mut self, joined: &Joined) {
        self.life = None;
        let fresh = self.watcher.fresh();
        let watcher = std::mem::replace(&mut self.watcher, fresh);
        self.seen.add(watcher.body());
        let (lives, doings) = watcher.finish_with_doings(SHORTEST_LIFE, &self.body());
        for (life, doings) in lives.into_iter().zip(doings) {
            self.surprise.push(mean_log_likelihood(&self.learner.learned(), std::slice::from_ref(&life)));
            self.lives += 1;
            self.ticks += life.len();
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(life.clone());
            let life = [life];
            if let Err(error) = self.learner.learn_from(life[0].clone()) {
                self.failed.get_or_insert(error);
                continue;
            }
            let mut learned = self.learner.learned();
            learned.body = self.body();
            // What cannot be explained is not done again.
            if self.keeps_hands
                && let Ok(more) = hands::observed(joined, &learned, &life, &[doings])
            {
                self.hands.add(more);
            }
        }
    }

    /// What was learned so far, with the teacher's body and reaction time, as steady as in its recent lives.
    fn learned(
        &self,
        joined: &Joined,
        start: Option<&Learned>,
        recent: &[Sequence],
    ) -> Result<Learned, Impossible> {
        let mut learned = self.learner.learned();
        learned.body = self.body();
        learned.hands = self.hands.clone();
        learned.delay = start.map_or_else(|| Delay::of(self.watcher.reaction()), |start| start.delay.clone());
        learned.sharpness =
            start.map_or_else(|| sharpness(joined, self.keeps_hands), |start| start.sharpness.clone());
        learned.curve = self.surprise.clone();
        learned.steadiness = joined.steadiness(&learned, recent)?;
        Ok(learned)
    }

    fn finish(mut self, joined: &Joined, start: Option<&Learned>) -> Result<Imitation, ImitationError> {
        self.end_life(joined);
        if self.lives == 0 {
            return Err(ImitationError::Nothing);
        }
        if let Some(failed) = self.failed {
            return Err(failed.into());
        }
        let mut recent = std::mem::take(&mut self.recent);
        let learned = self.learned(joined, start, recent.make_contiguous())?;
        Ok(Imitation {
            lives: self.lives,
            ticks: self.ticks,
            nats_per_tick: learned.counts().log_likelihood / learned.counts().ticks.max(1.0),
            kept_aside: None,
            delay_curve: Vec::new(),
            decisions_tried: Vec::new(),
            learned,
        })
    }
}
