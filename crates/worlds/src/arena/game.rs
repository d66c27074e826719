//! A match: a world, and the minds that play in it.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::DVec3;
use repertoire_mind::{Command, Cue, Mind, Percept, RestoreError};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::level::Level;
use super::rules::Rules;
use super::world::{OtherMap, SavedWorld, World};

/// Who plays.
pub struct Contender {
    /// Its name, for tables.
    pub name: String,
    /// Its mind.
    pub mind: Box<dyn Mind>,
}

/// A match under way.
///
/// ```
/// use std::sync::Arc;
///
/// use repertoire_mind::fighter::Fighter;
/// use repertoire_worlds::arena::game::{Contender, Match};
/// use repertoire_worlds::arena::level::Level;
/// use repertoire_worlds::arena::map::{file, shipped::shipped};
/// use repertoire_worlds::arena::rules::Rules;
///
/// let yard = Arc::new(Level::new(file::read(shipped("yard").expect("shipped"))?.map).expect("playable"));
/// let play = |seed| {
///     let bot = |level: u8| Contender { name: format!("native:{level}"), mind: Box::new(Fighter::native(level)) };
///     let mut game = Match::new(yard.clone(), Rules::default(), vec![bot(1), bot(5)], seed);
///     (0..50).for_each(|_| game.tick());
///     game.world().hash()
/// };
/// assert_eq!(play(1), play(1), "the same seed, the same match");
/// assert_ne!(play(1), play(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Each tick is three phases, which can also be called one by one: [`Match::perceive`], [`Match::decide`],
/// [`Match::advance`].
pub struct Match {
    world: World,
    contenders: Vec<Contender>,
    draws: Vec<Stream>,
    percepts: Vec<Percept>,
    commands: Vec<Command>,
    meters: Vec<StuckMeter>,
}

/// A saved match; the contenders are given again when it is restored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMatch {
    world: SavedWorld,
    minds: Vec<serde_json::Value>,
    draws: Vec<Stream>,
    meters: Vec<StuckMeter>,
}

impl SavedMatch {
    /// What a mind saved.
    ///
    /// # Panics
    /// If nobody has this number.
    pub fn mind(&self, id: usize) -> &serde_json::Value {
        &self.minds[id]
    }
}

/// Why a saved match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RestoreMatchError {
    /// The map is another.
    #[error(transparent)]
    OtherMap(#[from] OtherMap),
    /// A mind is another.
    #[error(transparent)]
    OtherMind(#[from] RestoreError),
    /// The number of contenders is another.
    #[error("the saved match has {saved} characters, but {given} were given")]
    OtherCount {
        /// Characters in the saved match.
        saved: usize,
        /// Contenders given.
        given: usize,
    },
}

impl Match {
    /// A match at its start.
    pub fn new(level: Arc<Level>, rules: Rules, contenders: Vec<Contender>, seed: u64) -> Self {
        let count = contenders.len();
        if contenders.iter().any(|contender| contender.mind.needs_sight()) {
            level.learn_sight();
        }
        let mut world = World::new(level, rules, count as u8, seed);
        for (id, _) in contenders.iter().enumerate().filter(|(_, contender)| contender.mind.leads()) {
            world.await_lead(id);
        }
        Match {
            draws: (0..count).map(|id| Stream::new(seed, id as u64, "mind")).collect(),
            percepts: vec![Percept::default(); count],
            commands: vec![Command::default(); count],
            meters: vec![StuckMeter::default(); count],
            world,
            contenders,
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Who plays.
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// What each character last perceived; a dead one keeps what it saw last.
    pub fn percepts(&self) -> &[Percept] {
        &self.percepts
    }

    /// Each mind's stream of chance, as the next decision finds it.
    pub fn draws(&self) -> &[Stream] {
        &self.draws
    }

    /// What each character last decided.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// One decision of everybody, and what follows until the next.
    pub fn tick(&mut self) {
        self.perceive();
        self.decide();
        self.advance();
    }

    /// Every living character looks around.
    pub fn perceive(&mut self) {
        for (id, percept) in self.percepts.iter_mut().enumerate() {
            if self.world.is_alive(id) {
                self.world.perceive(id, percept);
            }
        }
    }

    /// Every living character decides; bodies that are led are told where to be, the dead, too.
    pub fn decide(&mut self) {
        let level = self.world.level().clone();
        let (tick, period_secs) = (self.world.tick(), self.world.rules().period_secs());
        for (id, contender) in self.contenders.iter_mut().enumerate() {
            self.commands[id] = if self.world.is_alive(id) {
                contender.mind.decide(&self.percepts[id], level.places(), &mut self.draws[id])
            } else {
                Command::default()
            };
            let cue = Cue { tick, period_secs, is_alive: self.world.is_alive(id), places: level.places() };
            match contender.mind.lead(cue) {
                Some(lead) => self.world.lead(id, lead),
                None => self.world.release(id),
            }
        }
    }

    /// The world moves until the next decision.
    pub fn advance(&mut self) {
        self.world.advance(&self.commands);
        let window = StuckMeter::window(self.world.rules().period_secs());
        for (id, meter) in self.meters.iter_mut().enumerate() {
            let look = self.world.look(id);
            let wants = look.alive && self.commands[id].wants_to_move();
            for _ in 0..meter.count(wants, look.position, window) {
                self.world.count_stuck(id);
            }
        }
    }

    /// Overrules what a character decided at this tick: for people, whose commands come from outside. Call it between
    /// [`Match::decide`] and [`Match::advance`].
    pub fn order(&mut self, id: usize, command: Command) {
        if id < self.commands.len() && self.world.is_alive(id) {
            self.commands[id] = command;
        }
    }

    /// What a character perceives at this tick, to be changed before [`Match::decide`]: for asking what if.
    pub fn percept_mut(&mut self, id: usize) -> &mut Percept {
        &mut self.percepts[id]
    }

    /// The world, to be changed between two ticks: for asking what if.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Somebody joins a match under way, and comes to life at once. Its number; none if the match is full.
    pub fn join(&mut self, contender: Contender) -> Option<usize> {
        let id = self.world.join()?;
        if contender.mind.needs_sight() {
            self.world.level().learn_sight();
        }
        if contender.mind.leads() {
            self.world.await_lead(id);
        }
        self.draws.push(Stream::new(self.world.seed(), id as u64, "mind"));
        self.percepts.push(Percept::default());
        self.commands.push(Command::default());
        self.meters.push(StuckMeter::default());
        self.contenders.push(contender);
        Some(id)
    }

    /// Gives a character another mind in the middle of a match. The new one takes up the state of the old one if it can; whether it
    /// did.
    pub fn replace(&mut self, id: usize, mut contender: Contender) -> bool {
        if contender.mind.needs_sight() {
            self.world.level().learn_sight();
        }
        let kept = contender.mind.restore(&self.contenders[id].mind.save()).is_ok();
        self.contenders[id] = contender;
        kept
    }

    /// What a character would decide at this tick if it perceived something else, told by a mind of the same kind as its own; the
    /// match itself does not change. Call it after [`Match::perceive`] and before [`Match::decide`].
    ///
    /// # Errors
    /// If the mind is of another kind.
    pub fn consider(
        &self,
        id: usize,
        mind: &mut dyn Mind,
        percept: &Percept,
    ) -> Result<Command, RestoreError> {
        mind.restore(&self.contenders[id].mind.save())?;
        Ok(mind.decide(percept, self.world.level().places(), &mut self.draws[id].clone()))
    }

    /// Begins new random numbers everywhere: the same moment, another future.
    pub fn reseed(&mut self, seed: u64) {
        self.world.reseed(seed);
        for (id, (draw, contender)) in self.draws.iter_mut().zip(&mut self.contenders).enumerate() {
            *draw = Stream::new(seed, id as u64, "mind");
            contender.mind.reseed(seed.wrapping_add(id as u64));
        }
    }

    /// The most frags that anybody has.
    pub fn best_frags(&self) -> i32 {
        (0..self.world.len()).map(|id| self.world.tally(id).frags).max().unwrap_or(0)
    }

    /// Everything the future depends on.
    pub fn save(&self) -> SavedMatch {
        SavedMatch {
            world: self.world.save(),
            minds: self.contenders.iter().map(|contender| contender.mind.save()).collect(),
            draws: self.draws.clone(),
            meters: self.meters.clone(),
        }
    }

    /// A match as it was saved, with the same contenders on the same map.
    pub fn restore(
        level: Arc<Level>,
        mut contenders: Vec<Contender>,
        saved: SavedMatch,
    ) -> Result<Self, RestoreMatchError> {
        if saved.minds.len() != contenders.len() {
            return Err(RestoreMatchError::OtherCount { saved: saved.minds.len(), given: contenders.len() });
        }
        for (contender, mind) in contenders.iter_mut().zip(&saved.minds) {
            contender.mind.restore(mind)?;
        }
        let count = contenders.len();
        if contenders.iter().any(|contender| contender.mind.needs_sight()) {
            level.learn_sight();
        }
        Ok(Match {
            world: World::restore(level, saved.world)?,
            contenders,
            draws: saved.draws,
            percepts: vec![Percept::default(); count],
            commands: vec![Command::default(); count],
            meters: saved.meters,
        })
    }
}

/// How long somebody must have stayed in place while wanting to move to count as stuck.
const STUCK_SECS: f64 = 3.0;
/// A character that has not left a circle of this radius has stayed in place.
const STUCK_M: f64 = 1.0;

/// Finds out when a character is stuck: for three seconds it wanted to move and stayed within a metre.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StuckMeter {
    /// Where it was at each decision since it last did not want to move.
    trail: VecDeque<DVec3>,
    /// Decisions since then that were not counted as stuck.
    #[serde(default)]
    uncounted: usize,
}

impl StuckMeter {
    /// How many decisions make three seconds.
    pub fn window(period_secs: f64) -> usize {
        (STUCK_SECS / period_secs).round() as usize
    }

    /// How many decisions were spent stuck that were not counted before: all of the window when it begins, and never one twice, however
    /// often somebody sways over the edge of the circle.
    pub fn count(&mut self, wants_to_move: bool, position: DVec3, window: usize) -> usize {
        if !wants_to_move {
            self.trail.clear();
            self.uncounted = 0;
            return 0;
        }
        self.trail.push_back(position);
        self.uncounted += 1;
        if self.trail.len() <= window {
            return 0;
        }
        let from = self.trail.pop_front().unwrap_or(position);
        if self.trail.iter().any(|at| at.distance(from) >= STUCK_M) {
            return 0;
        }
        std::mem::take(&mut self.uncounted).min(window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stays_in_place_for_three_seconds_is_stuck_from_the_first_of_them() {
        let mut meter = StuckMeter::default();
        let counted: usize = (0..40).map(|_| meter.count(true, DVec3::ZERO, 30)).sum();
        assert_eq!(counted, 39);
        let mut walker = StuckMeter::default();
        let counted: usize = (0..40).map(|k| walker.count(true, DVec3::X * 0.1 * f64::from(k), 30)).sum();
        assert_eq!(counted, 0);
        // Sways to and fro: seen from the middle it stays within a metre, seen from either side it does not.
        let mut swaying = StuckMeter::default();
        let counted: usize =
            (0..400).map(|k| swaying.count(true, DVec3::X * 0.6 * f64::from(k % 3), 30)).sum();
        assert!((390..=400).contains(&counted), "{counted} of 400");
        let mut rester = StuckMeter::default();
        let counted: usize = (0..40).map(|k| rester.count(k % 20 != 0, DVec3::ZERO, 30)).sum();
        assert_eq!(counted, 0);
    }
}
