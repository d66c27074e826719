//! One character: a design and a state, and the tick that joins the stages.

use std::collections::VecDeque;
use std::sync::Arc;

use repertoire_bayes::deliberation::Deliberation;
use repertoire_bayes::sequence::decision::pick;
use repertoire_plan::run::Running;
use repertoire_prob::{Rng, Stream};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::design::{Design, Planning, Pursues};
use super::plans::Plans;
use super::report::Report;
use super::senses::{Sense, Sensed, Senses, SensesError};
use super::table::{deliberate, multiply};

/// Another goal is taken up only if it is worth this many times as much as the present one.
pub const RATHER: f64 = 1.2;

/// Weights in a saved state are refused above this; no design can lead to any that is nearly as large.
const MOST: f64 = 1e12;

/// A character of a game.
#[derive(Clone, Debug)]
pub struct Character {
    design: Arc<Design>,
    state: State,
}

/// What it does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The task, by its number in the file; [`Design::task_name`] has its name.
    pub task: usize,
    /// The thing the task is about: the nearest that was offered of its kind.
    pub target: Option<u64>,
}

/// Everything that a later tick depends on. Serialises whole, in mid-plan too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    draw: Stream,
    /// How much each need matters to this individual.
    pub(super) matters: Vec<f64>,
    /// How strongly each need is felt.
    pub(super) needs: Vec<f64>,
    /// What was sensed and is not perceived yet.
    late: VecDeque<Sensed>,
    /// What is believed of the world: as last seen, and at first as the domain starts.
    pub(super) facts: Vec<u16>,
    pub(super) pursuit: Option<Pursuit>,
    /// Facts have changed, or the plan came from elsewhere: whether the plan still works has to be looked at.
    #[serde(default, skip_serializing_if = "is_false")]
    surprised: bool,
    /// Goals for which there is no plan, until a fact changes.
    hopeless: Vec<bool>,
    pub(super) task: Option<u8>,
    pub(super) target: Option<u64>,
    /// What the last decision was made of.
    pub(super) moment: Moment,
}

/// A goal and the plan for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pursuit {
    pub goal: u32,
    pub running: Running,
}

impl Pursuit {
    /// Whether something is left of the plan, and still leads to the goal.
    fn still_works(&self, planning: &Planning, facts: &[u16], goal: &mut Vec<Option<u16>>) -> bool {
        goal.clear();
        goal.resize(facts.len(), None);
        for &(var, value) in &planning.goals()[self.goal as usize].facts {
            goal[var as usize] = Some(value);
        }
        !self.running.left().is_empty() && self.running.still_works(&planning.domain.task, facts, goal)
    }
}

/// What a decision was made of, so that it can be explained later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Moment {
    pub before: Option<u8>,
    pub perceived: Sensed,
    /// What each task was worth; empty without needs and goals.
    pub worth: Vec<f64>,
    /// The task of the plan's next step.
    pub step: Option<u8>,
    /// The action of that step.
    pub action: Option<u32>,
}

/// A saved state is not one of this kind of character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the state is not one of a {0}: load it with the design it was saved with")]
pub struct DoesNotFit(&'static str);

/// Memory for deciding, shared by any number of characters in turn; never saved.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    table: Deliberation,
    says: Vec<f64>,
    goal: Vec<Option<u16>>,
    plans: Option<Plans>,
}

fn is_false(is: &bool) -> bool {
    !is
}

impl Scratch {
    /// Empty; it grows to what is needed.
    pub fn new() -> Self {
        Scratch::default()
    }
}

impl Character {
    /// A new individual. The seed is the world's, the agent its number in it: the same two make the same individual. If the
    /// file has profiles, one is drawn.
    pub fn new(design: &Arc<Design>, seed: u64, agent: u64) -> Self {
        let mut nature = Stream::new(seed, agent, "nature");
        let drawn = (nature.unit() * design.profiles.len() as f64) as usize;
        Self::born(design, design.profiles.get(drawn).map(|(_, matters)| &matters[..]), nature, seed, agent)
    }

    /// A new individual of one of the file's profiles; none if there is no such profile.
    pub fn with_profile(design: &Arc<Design>, profile: &str, seed: u64, agent: u64) -> Option<Self> {
        let (_, matters) = design.profiles.iter().find(|(name, _)| name == profile)?;
        Some(Self::born(design, Some(matters), Stream::new(seed, agent, "nature"), seed, agent))
    }

    fn born(
        design: &Arc<Design>,
        matters: Option<&[(f64, f64)]>,
        mut nature: Stream,
        seed: u64,
        agent: u64,
    ) -> Self {
        let ranges =
            design.needs.iter().enumerate().map(|(k, need)| matters.map_or(need.matters, |of| of[k]));
        let matters = ranges.map(|(low, high)| low + nature.unit() * (high - low));
        let planning = design.planning.as_ref();
        let state = State {
            draw: Stream::new(seed, agent, "mind"),
            matters: matters.collect(),
            needs: design.needs.iter().map(|need| need.starts).collect(),
            late: VecDeque::new(),
            facts: planning.map_or(Vec::new(), |planning| planning.domain.start.clone()),
            pursuit: None,
            surprised: false,
            hopeless: vec![false; planning.map_or(0, |planning| planning.goals().len())],
            task: None,
            target: None,
            moment: Moment::default(),
        };
        Character { design: Arc::clone(design), state }
    }

    /// Its design.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    /// Everything a later tick depends on, to be saved.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes on from a saved state.
    ///
    /// # Errors
    /// If it was saved with another design.
    pub fn restore(&mut self, state: State) -> Result<(), DoesNotFit> {
        state.check(&self.design)?;
        self.state = state;
        // Nobody watched a plan that came from elsewhere; what was saved in the middle of one still works, and goes on as it was.
        let State { pursuit, facts, surprised, .. } = &mut self.state;
        if let (Some(pursuit), Some(planning)) = (pursuit, &self.design.planning) {
            *surprised |= !pursuit.still_works(planning, facts, &mut Vec::new());
        }
        Ok(())
    }

    /// Begins new random numbers; what it is, knows and does stays. For asking what else might have happened.
    pub fn reseed(&mut self, seed: u64, agent: u64) {
        self.state.draw = Stream::new(seed, agent, "mind again");
    }

    /// How strongly a need is felt, from 0 to 1, by its number in the file.
    pub fn need(&self, need: usize) -> f64 {
        self.state.needs[need]
    }

    /// Something that happened in the game eases a need, or makes it worse if `by` is below 0: a meal, a gift, a wound.
    ///
    /// # Errors
    /// If there is no such need, or `by` is not a number.
    pub fn ease(&mut self, need: &str, by: f64) -> Result<(), SensesError> {
        let needs = self.design.needs.iter().map(|need| need.name.as_str());
        let Some(index) = self.design.needs.iter().position(|known| known.name == need) else {
            return Err(SensesError::no_such(&self.design, need, "a need".into(), needs));
        };
        if !by.is_finite() {
            return Err(SensesError::NotANumber(by));
        }
        let level = &mut self.state.needs[index];
        *level = (*level - by).clamp(0.0, 1.0);
        Ok(())
    }

    /// How strongly a need is felt, told by the game: for needs that are states of the body.
    ///
    /// # Panics
    /// If there is no such need.
    pub fn set_need(&mut self, need: usize, level: f64) {
        self.state.needs[need] = if level.is_finite() { level.clamp(0.0, 1.0) } else { 0.0 };
    }

    /// How much a need matters to this individual, told by a game that draws its individuals itself.
    ///
    /// # Panics
    /// If there is no such need.
    pub fn set_matters(&mut self, need: usize, matters: f64) {
        self.state.matters[need] = if matters.is_finite() { matters.clamp(0.0, MOST) } else { 0.0 };
    }

    /// The goal and what is left of the plan that it is in the middle of, told by a game that keeps its characters elsewhere,
    /// in columns say, and makes one of these to ask it why. The next tick watches the plan as if it were its own.
    ///
    /// # Panics
    /// If the design has no such goal or action.
    pub fn pursue(&mut self, goal: usize, left: Vec<u32>) {
        let planning = self.design.planning.as_ref();
        let (goals, actions) =
            planning.map_or((0, 0), |planning| (planning.goals().len(), planning.domain.actions.len()));
        assert!(goal < goals && left.iter().all(|&action| (action as usize) < actions), "of this design");
        self.state.pursuit = Some(Pursuit { goal: goal as u32, running: Running::new(left) });
        self.state.surprised = true;
    }

    /// The goal it pursues, and the action of the plan's next step, as of the last tick; by their numbers in the file.
    pub fn pursuit(&self) -> Option<(usize, u32)> {
        let pursuit = self.state.pursuit.as_ref()?;
        Some((pursuit.goal as usize, *pursuit.running.left().first()?))
    }

    /// A new life of the same individual: what it was doing, planning and perceiving is over, its needs start again.
    pub fn begin_life(&mut self) {
        let State { needs, late, facts, pursuit, hopeless, task, target, moment, .. } = &mut self.state;
        needs.iter_mut().zip(&self.design.needs).for_each(|(level, need)| *level = need.starts);
        late.clear();
        if let Some(planning) = &self.design.planning {
            facts.clone_from(&planning.domain.start);
        }
        (*pursuit, *task, *target) = (None, None, None);
        (moment.before, moment.step, moment.action) = (None, None, None);
        moment.worth.clear();
        moment.perceived.forget();
        hopeless.fill(false);
    }

    /// The task it is doing; none before the first tick.
    pub fn task(&self) -> Option<usize> {
        self.state.task.map(usize::from)
    }

    /// The thing that its task is about, if there is one.
    pub fn target(&self) -> Option<u64> {
        self.state.target
    }

    /// One tick: perceive, believe, want, plan, decide, act.
    pub fn tick(&mut self, senses: &Senses, scratch: &mut Scratch) -> Deed {
        let bits = self.state.draw.next_u32();
        self.tick_by(senses, scratch, bits)
    }

    /// The same with random bits from elsewhere: for one that has no nature of its own to draw from.
    pub(crate) fn tick_by(&mut self, senses: &Senses, scratch: &mut Scratch, bits: u32) -> Deed {
        let Character { design, state } = self;
        state.perceive(design, &senses.sensed);
        state.believe();
        state.want(design);
        state.plan(design, scratch);
        let task = state.decide(design, scratch, bits);
        state.act(design, task)
    }

    /// Why it does what it does, stage by stage. Made when asked for; a tick does not pay for it.
    pub fn report(&self) -> Report {
        let mut scratch = Scratch::new();
        if self.state.task.is_some() {
            deliberate(&self.design, &self.state.moment, &mut scratch.table, &mut scratch.says);
        }
        Report::new(&self.design, &self.state, &scratch.table)
    }
}

/// The stages of a tick.
impl State {
    /// What is sensed now is perceived a reaction time later.
    fn perceive(&mut self, design: &Design, sensed: &Sensed) {
        let State { late, moment, .. } = self;
        if design.reaction_ticks == 0 {
            moment.perceived.clone_from(sensed);
            return;
        }
        // A state of an older version may hold one more.
        while late.len() as u32 > design.reaction_ticks {
            late.pop_front();
        }
        if late.len() as u32 == design.reaction_ticks {
            // The oldest is perceived, and the room of what was perceived before is the newest's, so that nothing is allocated.
            std::mem::swap(&mut moment.perceived, &mut late[0]);
            late[0].clone_from(sensed);
            late.rotate_left(1);
            return;
        }
        late.push_back(sensed.clone());
        if moment.perceived.readings.is_empty() {
            moment.perceived.clone_from(sensed);
            moment.perceived.readings.fill(Sense::Unknown);
            moment.perceived.facts.fill(None);
            moment.perceived.offers.clear();
            moment.perceived.speaks.fill(false);
        }
    }

    /// Facts stay as they were last seen.
    fn believe(&mut self) {
        let State { facts, moment, hopeless, surprised, .. } = self;
        for (fact, seen) in facts.iter_mut().zip(&moment.perceived.facts) {
            if let Some(seen) = *seen
                && *fact != seen
            {
                *fact = seen;
                *surprised = true;
                hopeless.fill(false);
            }
        }
    }

    /// Needs grow and are eased by what was done; a need with a sensor is read from within, without delay.
    fn want(&mut self, design: &Design) {
        let State { needs, task, moment, .. } = self;
        let growth = &design.growth;
        match *task {
            None => needs.iter_mut().zip(&growth.grows).for_each(|(level, grows)| {
                *level = (*level + grows).clamp(0.0, 1.0);
            }),
            Some(task) => {
                let eased = &growth.eased[usize::from(task) * needs.len()..];
                for ((level, grows), eased) in needs.iter_mut().zip(&growth.grows).zip(eased) {
                    *level = (*level + grows - eased).clamp(0.0, 1.0);
                }
            }
        }
        for (need, sensor, levels) in &growth.levels {
            let value = levels.iter().filter(|from| **from <= needs[*need]).count();
            moment.perceived.readings[*sensor] = Sense::Value(value as u8);
        }
    }

    /// The goal worth most gets a plan; its next step is what the plan says.
    fn plan(&mut self, design: &Arc<Design>, scratch: &mut Scratch) {
        (self.moment.step, self.moment.action) = (None, None);
        let Some(planning) = &design.planning else { return };
        if std::mem::take(&mut self.surprised) {
            self.watch(planning, scratch);
        }
        let worth = |state: &State, goal: usize| match planning.pursued[goal] {
            Pursues::Need(need) => state.matters[need] * state.needs[need],
            Pursues::Always(worth) => worth,
        };
        let mut best: Option<(usize, f64)> = None;
        for goal in 0..planning.goals().len() {
            let now = self.pursuit.as_ref().is_some_and(|pursuit| pursuit.goal as usize == goal);
            let worth = worth(self, goal) * if now { RATHER } else { 1.0 };
            let open = !self.hopeless[goal] && !holds(planning, goal, &self.facts);
            if open && worth > best.map_or(0.0, |(_, most)| most) {
                best = Some((goal, worth));
            }
        }
        let Some((goal, _)) = best else {
            self.pursuit = None;
            return;
        };
        if self.pursuit.as_ref().is_none_or(|pursuit| pursuit.goal as usize != goal) {
            let plan = scratch.plans_of(design, planning).plan(planning, goal, &self.facts);
            self.hopeless[goal] = plan.is_none();
            self.pursuit = plan.map(|plan| Pursuit { goal: goal as u32, running: Running::new(plan) });
            self.surprised = true;
        }
        if let Some(pursuit) = &self.pursuit
            && let Some(&action) = pursuit.running.left().first()
        {
            self.moment.action = Some(action);
            self.moment.step = Some(planning.carried_out_by[action as usize] as u8);
        }
    }

    /// Steps whose effects hold are done; a plan that no longer leads to its goal is given up.
    fn watch(&mut self, planning: &Planning, scratch: &mut Scratch) {
        let State { pursuit, facts, .. } = self;
        let Some(Pursuit { running, .. }) = pursuit else { return };
        let task = &planning.domain.task;
        while let Some(&action) = running.left().first()
            && task.actions()[action as usize]
                .effects
                .iter()
                .all(|effect| facts[effect.var as usize] == effect.post)
        {
            running.advance();
        }
        pursuit.take_if(|pursuit| !pursuit.still_works(planning, facts, &mut scratch.goal));
    }

    /// One table from everything that speaks, and a task drawn from it.
    fn decide(&mut self, design: &Design, scratch: &mut Scratch, bits: u32) -> usize {
        self.moment.before = self.task;
        self.weigh(design, &mut scratch.says);
        if !multiply(design, &self.moment, &mut scratch.says) {
            deliberate(design, &self.moment, &mut scratch.table, &mut scratch.says);
            scratch.says.clear();
            scratch.says.extend_from_slice(scratch.table.posterior());
        }
        let says = &mut scratch.says;
        if let Err(error) = design.behaviour.choice().apply(says) {
            unreachable!("a behaviour's choice was checked, and some task is possible: {error}");
        }
        pick(says, bits)
    }

    /// What each task is worth: the best need it eases, or the goal whose next step it carries out.
    fn weigh(&mut self, design: &Design, felt: &mut Vec<f64>) {
        let State { moment, needs, matters, pursuit, hopeless, .. } = self;
        moment.worth.clear();
        if design.needs.is_empty() {
            return;
        }
        moment.worth.resize(design.behaviour.tasks().len(), design.content);
        let worth = &mut moment.worth[..];
        felt.clear();
        felt.extend(needs.iter().zip(&*matters).map(|(need, matters)| design.content + need * matters));
        let mut ease = |need: usize, task: u8| {
            let worth = &mut worth[usize::from(task)];
            *worth = worth.max(felt[need]);
        };
        design.growth.eases.iter().for_each(|&(need, task)| ease(usize::from(need), task));
        let pursued = design.planning.as_ref().map_or(&[][..], |planning| &planning.pursued);
        // A need that a goal serves speaks through the plan, as long as there can be one.
        let is_served = |need: usize| {
            let mut goals = pursued.iter().zip(hopeless.iter());
            goals.any(|(why, hopeless)| *why == Pursues::Need(need) && !hopeless)
        };
        for &(need, task) in &design.growth.planned_eases {
            if !is_served(usize::from(need)) {
                ease(usize::from(need), task);
            }
        }
        if let (Some(step), Some(pursuit), Some(planning)) = (moment.step, pursuit, &design.planning) {
            let value = match planning.pursued[pursuit.goal as usize] {
                Pursues::Need(need) => needs[need] * matters[need],
                Pursues::Always(worth) => worth,
            };
            let worth = &mut moment.worth[usize::from(step)];
            *worth = worth.max(design.content + value);
        }
    }

    /// The task, and the nearest thing it is about.
    fn act(&mut self, design: &Design, task: usize) -> Deed {
        let mut nearest: Option<(u64, f64)> = None;
        if let Some(kind) = design.targets[task] {
            for &(of, thing, distance) in &self.moment.perceived.offers {
                if of == kind && nearest.is_none_or(|(_, least)| distance < least) {
                    nearest = Some((thing, distance));
                }
            }
        }
        self.task = Some(task as u8);
        self.target = nearest.map(|(thing, _)| thing);
        Deed { task, target: self.target }
    }
}

fn holds(planning: &Planning, goal: usize, facts: &[u16]) -> bool {
    planning.goals()[goal].facts.iter().all(|&(var, value)| facts[var as usize] == value)
}

impl Scratch {
    fn plans_of(&mut self, design: &Arc<Design>, planning: &Planning) -> &mut Plans {
        self.plans.take_if(|plans| !plans.are_of(design));
        self.plans.get_or_insert_with(|| Plans::new(design, planning))
    }
}

impl State {
    /// Whether it is one of such a design.
    fn check(&self, design: &Design) -> Result<(), DoesNotFit> {
        let tasks = design.behaviour.tasks().len();
        let is_task = |task: Option<u8>| task.is_none_or(|task| usize::from(task) < tasks);
        let within = |numbers: &[f64], most: f64| numbers.iter().all(|number| (0.0..=most).contains(number));
        let planning = design.planning.as_ref();
        let values = planning.map_or(&[][..], |planning| &planning.domain.values);
        let actions = planning.map_or(0, |planning| planning.domain.task.actions().len());
        let goals = planning.map_or(0, |planning| planning.goals().len());
        let is_pursuit = |pursuit: &Pursuit| {
            (pursuit.goal as usize) < goals
                && pursuit.running.left().iter().all(|&action| (action as usize) < actions)
        };
        let worth = &self.moment.worth;
        let is_worth = worth.is_empty()
            || worth.len() == tasks && within(worth, MOST) && worth.iter().sum::<f64>() > 0.0;
        // Before the first tick nothing was perceived.
        let is_new = self.task.is_none() && self.moment.perceived == Sensed::default();
        let is_moment = is_new || self.moment.perceived.fits(design);
        let fits = [
            (
                is_task(self.task) && is_task(self.moment.before) && is_task(self.moment.step),
                "character with such tasks",
            ),
            (self.needs.len() == design.needs.len() && within(&self.needs, 1.0), "character with such needs"),
            (
                self.matters.len() == design.needs.len() && within(&self.matters, MOST),
                "character with such needs",
            ),
            (is_worth, "character with such tasks"),
            (self.facts.len() == values.len(), "character with such facts"),
            (
                self.facts.iter().zip(values).all(|(at, of)| usize::from(*at) < of.len()),
                "character with such facts",
            ),
            (self.hopeless.len() == goals, "character with such goals"),
            (self.pursuit.as_ref().is_none_or(is_pursuit), "character with such plans"),
            (
                self.moment.action.is_none_or(|action| (action as usize) < actions),
                "character with such plans",
            ),
            (is_moment && self.late.iter().all(|sensed| sensed.fits(design)), "character with such sensors"),
        ];
        fits.iter().find(|(fits, _)| !fits).map_or(Ok(()), |(_, of)| Err(DoesNotFit(of)))
    }
}
