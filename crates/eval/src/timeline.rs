//! A match that can be taken back: states saved every second, everything else replayed to the bit.
//!
//! A match is a function of its map, rules, seed, characters and what came from outside: what people commanded, who joined, who was
//! given another mind. A [`Timeline`] plays it and keeps those, with a saved state every [`SAVED_EVERY`] ticks, so that any moment is
//! at most that many ticks of play away.
//!
//! ```
//! use std::sync::Arc;
//!
//! use repertoire_eval::Entry;
//! use repertoire_eval::timeline::Timeline;
//! use repertoire_mind::fighter::Fighter;
//! use repertoire_worlds::arena::level::Level;
//! use repertoire_worlds::arena::map::{file, shipped::shipped};
//! use repertoire_worlds::arena::rules::Rules;
//!
//! let yard = Arc::new(Level::new(file::read(shipped("yard").expect("shipped"))?.map).expect("playable"));
//! let bot = |level| Entry { name: format!("native:{level}"), make: Arc::new(move || Box::new(Fighter::native(level))) };
//! let mut timeline = Timeline::new(yard, Rules::default(), vec![bot(1), bot(5)], 7);
//! let mut hashes = Vec::new();
//! for _ in 0..60 {
//!     hashes.push(timeline.game().world().hash());
//!     timeline.tick(&[]);
//! }
//! for tick in [0, 9, 10, 37, 59] {
//!     let again = timeline.at(tick)?;
//!     assert_eq!(again.world().hash(), hashes[tick as usize], "every moment comes back to the bit");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use repertoire_mind::{Command, Mind, Percept, Places, RestoreError};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::{Contender, Match, RestoreMatchError, SavedMatch};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

use crate::Entry;

/// Ticks from one saved state to the next: a second at the arena's usual rate.
pub const SAVED_EVERY: u32 = 10;

/// A command that came from outside, for a character by its number.
pub type Order = (usize, Command);

/// Something from outside that happened between two ticks.
#[derive(Clone, Debug)]
pub enum Change {
    /// Somebody joined, with the next number.
    Join(Entry),
    /// A character was given another mind.
    Replace(usize, Entry),
    /// A character was taken out.
    Retire(usize),
    /// A character that had been taken out came back.
    Recall(usize),
}

/// Why a moment cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TimelineError {
    /// It has not been played yet.
    #[error("tick {asked} has not been played: the match is at tick {end}")]
    NotYet {
        /// What was asked for.
        asked: u32,
        /// How far the match is.
        end: u32,
    },
    /// A saved state cannot be read: a defect, since it was written here.
    #[error("a saved state cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// A mind does not take up what it saved.
    #[error(transparent)]
    Restore(#[from] RestoreMatchError),
}

/// A match and all its past.
pub struct Timeline {
    level: Arc<Level>,
    rules: Rules,
    seed: u64,
    cast: Vec<Entry>,
    changes: Vec<(u32, Change)>,
    orders: BTreeMap<u32, Vec<Order>>,
    /// States as JSON: in memory values would take ten times as much.
    saved: BTreeMap<u32, Box<[u8]>>,
    game: Match,
    /// Whether everybody has decided at this tick, and the world has not moved on yet.
    decided: bool,
}

impl Timeline {
    /// A match at its start.
    pub fn new(level: Arc<Level>, rules: Rules, cast: Vec<Entry>, seed: u64) -> Self {
        let game = Match::new(level.clone(), rules.clone(), cast.iter().map(contender).collect(), seed);
        Timeline {
            level,
            rules,
            seed,
            cast,
            changes: Vec::new(),
            orders: BTreeMap::new(),
            saved: BTreeMap::new(),
            game,
            decided: false,
        }
    }

    /// The match at its present end.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// The map.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The tick at which it is.
    pub fn end(&self) -> u32 {
        self.game.world().tick()
    }

    /// Bytes that the saved states take.
    pub fn saved_bytes(&self) -> usize {
        self.saved.values().map(|state| state.len()).sum()
    }

    /// One tick, with the commands of people for the characters that are theirs.
    pub fn tick(&mut self, orders: &[Order]) {
        self.decide(orders);
        self.advance();
    }

    /// The first half of a tick: everybody perceives and decides.
    pub fn decide(&mut self, orders: &[Order]) {
        if self.decided {
            return;
        }
        let tick = self.end();
        // A state that was saved before a change of this tick stands: the change is made again on top of it.
        if tick.is_multiple_of(SAVED_EVERY) && !self.saved.contains_key(&tick) {
            self.save();
        }
        if !orders.is_empty() {
            self.orders.insert(tick, orders.to_vec());
        }
        decide(&mut self.game, orders);
        self.decided = true;
    }

    /// The second half: the world moves on.
    pub fn advance(&mut self) {
        self.decide(&[]);
        self.game.advance();
        self.decided = false;
    }

    /// The second half of a tick as a recording holds it.
    pub fn advance_recorded(&mut self) -> repertoire_trace::Tick {
        self.decide(&[]);
        self.decided = false;
        crate::record::finish(&mut self.game, false)
    }

    fn save(&mut self) {
        let state = serde_json::to_vec(&self.game.save());
        let state = state.unwrap_or_else(|error| unreachable!("a match is plain data: {error}"));
        self.saved.insert(self.end(), state.into());
    }

    /// Makes a change before the next decision; one that was already taken at this tick is taken back. Whether it kept what was known:
    /// a mind that cannot take up the state of the one before begins anew, and a match that is full takes nobody in.
    ///
    /// # Errors
    /// If a mind does not take up what it saved; nothing changes then.
    pub fn change(&mut self, change: Change) -> Result<bool, TimelineError> {
        let tick = self.end();
        if self.decided {
            self.game = self.at(tick)?;
            self.decided = false;
            self.orders.remove(&tick);
        }
        if !self.saved.contains_key(&tick) {
            self.save();
        }
        let kept = make(&mut self.game, &change);
        self.changes.push((tick, change));
        Ok(kept)
    }

    /// Who plays a character at a tick: the mind it was last given.
    pub fn entry(&self, id: usize, tick: u32) -> Option<&Entry> {
        self.cast_at(tick + 1).into_iter().nth(id)
    }

    /// Everybody as they were just before a tick's changes.
    fn cast_at(&self, tick: u32) -> Vec<&Entry> {
        let mut cast: Vec<&Entry> = self.cast.iter().collect();
        for (_, change) in self.changes.iter().take_while(|(at, _)| *at < tick) {
            match change {
                Change::Join(entry) => cast.push(entry),
                Change::Replace(id, entry) => cast[*id] = entry,
                Change::Retire(_) | Change::Recall(_) => {}
            }
        }
        cast
    }

    /// The match as it was at a tick, before anybody decided there.
    ///
    /// # Errors
    /// If the tick has not been played.
    pub fn at(&self, tick: u32) -> Result<Match, TimelineError> {
        if tick > self.end() {
            return Err(TimelineError::NotYet { asked: tick, end: self.end() });
        }
        let (from, mut game) = match self.saved.range(..=tick).next_back() {
            Some((&from, state)) => (from, self.restored(from, state)?),
            None => {
                let cast = self.cast.iter().map(contender).collect();
                (0, Match::new(self.level.clone(), self.rules.clone(), cast, self.seed))
            }
        };
        for now in from..=tick {
            self.changes.iter().filter(|(at, _)| *at == now).for_each(|(_, change)| {
                make(&mut game, change);
            });
            if now < tick {
                decide(&mut game, self.orders_at(now));
                game.advance();
            }
        }
        Ok(game)
    }

    /// The match as it was at a tick once everybody had decided.
    ///
    /// # Errors
    /// If the tick has not been played.
    pub fn decided_at(&self, tick: u32) -> Result<Match, TimelineError> {
        let mut game = self.at(tick)?;
        decide(&mut game, self.orders_at(tick));
        Ok(game)
    }

    /// A moment cut loose: what asks about it may take its time on another thread while the match goes on.
    ///
    /// # Errors
    /// If the tick has not been played.
    pub fn moment(&self, tick: u32) -> Result<Moment, TimelineError> {
        let cast = self.cast_at(tick + 1).into_iter().cloned().collect();
        let saved = self.at(tick)?.save();
        let orders = self.orders.range(tick..).map(|(&at, orders)| (at, orders.clone())).collect();
        Ok(Moment { tick, level: self.level.clone(), cast, saved, orders })
    }

    /// What people commanded at a tick.
    pub fn orders_at(&self, tick: u32) -> &[Order] {
        self.orders.get(&tick).map_or(&[], Vec::as_slice)
    }

    fn restored(&self, tick: u32, state: &[u8]) -> Result<Match, TimelineError> {
        let saved: SavedMatch = serde_json::from_slice(state)?;
        let cast = self.cast_at(tick).into_iter().map(contender).collect();
        Ok(Match::restore(self.level.clone(), cast, saved)?)
    }

    /// Goes on from a tick: what came after it is forgotten.
    ///
    /// # Errors
    /// If the tick has not been played; nothing changes then.
    pub fn rewind(&mut self, tick: u32) -> Result<(), TimelineError> {
        let game = self.at(tick)?;
        self.game = game;
        self.decided = false;
        self.saved.retain(|&at, _| at <= tick);
        self.orders.retain(|&at, _| at < tick);
        self.changes.retain(|&(at, _)| at <= tick);
        Ok(())
    }
}

/// A moment of a timeline with all that its futures depend on.
#[derive(Clone, Debug)]
pub struct Moment {
    tick: u32,
    level: Arc<Level>,
    cast: Vec<Entry>,
    saved: SavedMatch,
    orders: BTreeMap<u32, Vec<Order>>,
}

impl Moment {
    /// Which tick it is.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// Who plays, by number.
    pub fn cast(&self) -> &[Entry] {
        &self.cast
    }

    /// The match at this moment, before anybody decides.
    ///
    /// # Errors
    /// If a mind does not take up what it saved.
    pub fn game(&self) -> Result<Match, TimelineError> {
        let cast = self.cast.iter().map(contender).collect();
        Ok(Match::restore(self.level.clone(), cast, self.saved.clone())?)
    }

    /// What people commanded at a tick from here on.
    pub fn orders_at(&self, tick: u32) -> &[Order] {
        self.orders.get(&tick).map_or(&[], Vec::as_slice)
    }
}

fn contender(entry: &Entry) -> Contender {
    Contender { name: entry.name.clone(), mind: (entry.make)() }
}

/// Everybody perceives and decides, and people's commands overrule.
fn decide(game: &mut Match, orders: &[Order]) {
    game.perceive();
    game.decide();
    orders.iter().for_each(|&(id, command)| game.order(id, command));
}

fn make(game: &mut Match, change: &Change) -> bool {
    match change {
        Change::Join(entry) => return game.join(contender(entry)).is_some(),
        Change::Replace(id, entry) => return game.replace(*id, contender(entry)),
        Change::Retire(id) => game.world_mut().retire(*id),
        Change::Recall(id) => game.world_mut().recall(*id),
    }
    true
}

/// Somebody whose commands come from outside: a person. Left alone it stands still.
#[derive(Clone, Copy, Debug, Default)]
pub struct Person;

impl Person {
    /// A person as a contender.
    pub fn entry(name: &str) -> Entry {
        Entry { name: name.to_owned(), make: Arc::new(|| Box::new(Person)) }
    }
}

impl Mind for Person {
    fn decide(&mut self, _: &Percept, _: &Places, _: &mut Stream) -> Command {
        Command::default()
    }

    fn task(&self) -> &str {
        ""
    }

    fn why(&self) -> String {
        "a person plays: their reasons are their own".to_owned()
    }

    fn save(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn restore(&mut self, _: &serde_json::Value) -> Result<(), RestoreError> {
        Ok(())
    }
}

/// Somebody whose commands were recorded, with what was recorded of their tasks and reasons.
#[derive(Clone, Debug)]
pub struct Replayed {
    said: Arc<Vec<(String, String)>>,
    at: usize,
}

impl Replayed {
    /// A recorded player as a contender: task and reason of each tick.
    pub fn entry(name: &str, said: Vec<(String, String)>) -> Entry {
        let said = Arc::new(said);
        let make = move || Box::new(Replayed { said: said.clone(), at: 0 }) as Box<dyn Mind>;
        Entry { name: name.to_owned(), make: Arc::new(make) }
    }
}

impl Mind for Replayed {
    fn decide(&mut self, percept: &Percept, _: &Places, _: &mut Stream) -> Command {
        self.at = percept.tick as usize;
        Command::default()
    }

    fn task(&self) -> &str {
        self.said.get(self.at).map_or("", |(task, _)| task)
    }

    fn why(&self) -> String {
        match self.said.get(self.at) {
            Some((_, why)) if !why.is_empty() => why.clone(),
            _ => "the recording holds no reasons: record with --why".to_owned(),
        }
    }

    fn save(&self) -> serde_json::Value {
        self.at.into()
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        self.at = serde_json::from_value(saved.clone())?;
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use repertoire_mind::fighter::{Fighter, shipped};
    use repertoire_worlds::arena::map::{file, shipped::shipped as map};

    use super::*;

    pub fn yard() -> Arc<Level> {
        let map = file::read(map("yard").expect("it ships")).expect("it is a map").map;
        Arc::new(Level::new(map).expect("it can be played"))
    }

    pub fn fighter(name: &'static str) -> Entry {
        let design = shipped::design(name).expect("it ships");
        Entry { name: name.to_owned(), make: Arc::new(move || Box::new(Fighter::new(&design))) }
    }

    pub fn played(ticks: u32) -> Timeline {
        let cast = vec![fighter("hunter"), fighter("prudent"), fighter("native")];
        let mut timeline = Timeline::new(yard(), Rules::default(), cast, 5);
        (0..ticks).for_each(|_| timeline.tick(&[]));
        timeline
    }

    #[test]
    fn every_moment_of_an_eventful_match_comes_back_to_the_bit() {
        let mut timeline =
            Timeline::new(yard(), Rules::default(), vec![fighter("native"), Person::entry("me")], 3);
        let mut hashes = Vec::new();
        for tick in 0..80u32 {
            if tick % 3 == 0 {
                timeline.decide(&[]);
            }
            match tick {
                13 => assert!(
                    timeline.change(Change::Join(fighter("hunter"))).expect("minds take up their own states")
                ),
                20 => assert!(
                    timeline
                        .change(Change::Join(Person::entry("you")))
                        .expect("minds take up their own states")
                ),
                31 => {
                    assert!(
                        !timeline
                            .change(Change::Replace(0, fighter("hunter")))
                            .expect("minds take up their own states"),
                        "it keeps beliefs, which a bot does not"
                    )
                }
                40 => assert!(timeline.change(Change::Retire(2)).expect("minds take up their own states")),
                57 => assert!(timeline.change(Change::Recall(2)).expect("minds take up their own states")),
                _ => {}
            }
            hashes.push(timeline.game().world().hash());
            let run = Command { forward: 1.0, yaw: 0.1, ..Command::default() };
            timeline.tick(&[(1, run)]);
        }
        for (tick, &hash) in hashes.iter().enumerate() {
            let game = timeline.at(tick as u32).expect("it was played");
            assert_eq!(game.world().hash(), hash, "tick {tick}");
        }
        assert!(matches!(timeline.at(81), Err(TimelineError::NotYet { asked: 81, end: 80 })));
    }

    #[test]
    fn a_match_goes_on_from_any_moment_as_it_went_on_before() {
        let mut timeline = played(60);
        let end = timeline.game().world().hash();
        timeline.rewind(23).expect("it was played");
        assert_eq!(timeline.end(), 23);
        (23..60).for_each(|_| timeline.tick(&[]));
        assert_eq!(timeline.game().world().hash(), end);
    }

    #[test]
    fn a_timeline_plays_what_a_plain_match_plays() {
        let timeline = played(50);
        let cast = ["hunter", "prudent", "native"].map(|name| contender(&fighter(name)));
        let mut game = Match::new(yard(), Rules::default(), cast.into(), 5);
        (0..50).for_each(|_| game.tick());
        assert_eq!(game.world().hash(), timeline.game().world().hash());
    }
}
