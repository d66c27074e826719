//! A recorded match played again: the recorded commands are obeyed, and the world must become what was recorded.
//!
//! The header holds the map, the rules and the seed, so that nothing else is needed. Before each tick every character must
//! perceive what was recorded, and after it the world must have the recorded hash. [`record`](crate::record) has an example.

use std::sync::Arc;

use repertoire_authored::Mistake;
use repertoire_mind::{Command, Percept};
use repertoire_trace::{Header, Tick};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{Fault, file};
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::World;
use serde::Serialize;

/// Why a recording cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It is of another world.
    #[error("it was recorded in the world `{0}`\n  remedy: only recordings of the arena can be replayed")]
    World(String),
    /// Its settings are not rules of the arena.
    #[error("its settings are not the arena's: {0}\n  remedy: record again")]
    Settings(serde_json::Error),
    /// Its map has a mistake in it.
    #[error("its map cannot be read:{0}")]
    Map(Mistake),
    /// Its map can be read but not played.
    #[error("its map cannot be played: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Faults(Vec<Fault>),
    /// More characters than a match can have.
    #[error("it names more than 255 characters")]
    TooMany,
}

/// What is not as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Differs {
    /// Another number of characters.
    #[error("it has {found} characters, the match {needed}")]
    Characters {
        /// In the tick.
        found: usize,
        /// In the match.
        needed: usize,
    },
    /// A character that should be alive is not, or the other way round.
    #[error("character {id} should be {}", if *.alive { "alive" } else { "dead" })]
    Alive {
        /// Its number.
        id: usize,
        /// What was recorded.
        alive: bool,
    },
    /// A character perceives something else.
    #[error("character {0} perceives something else")]
    Percept(usize),
    /// The world became another one.
    #[error("the hash is {found:016x}, recorded was {recorded:016x}")]
    Hash {
        /// What it is.
        found: u64,
        /// What was recorded.
        recorded: u64,
    },
}

/// What came of playing a recording again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// Whether every percept and every hash was as recorded.
    pub agrees: bool,
    /// How many ticks agree.
    pub ticks: u32,
    /// The first tick that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs_at: Option<u32>,
    /// In what it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// The world's hash at the end.
    pub final_hash: String,
    /// Whether the recording was cut off.
    pub cut: bool,
}

/// A recorded match under way again.
#[derive(Debug)]
pub struct Replay {
    world: World,
    percept: Percept,
}

impl Replay {
    /// Plays all ticks again, up to the first that differs; `cut` says whether the recording was cut off. `on_tick` is called after each
    /// that agrees.
    ///
    /// # Errors
    /// If a tick cannot be read.
    pub fn all<E>(
        mut self,
        ticks: impl Iterator<Item = Result<Tick, E>>,
        cut: bool,
        on_tick: &dyn Fn(),
    ) -> Result<Replayed, E> {
        let (mut count, mut differs) = (0, None);
        for tick in ticks {
            let tick = tick?;
            if let Err(difference) = self.obey(&tick) {
                differs = Some((tick.tick, difference.to_string()));
                break;
            }
            count += 1;
            on_tick();
        }
        let (differs_at, difference) = differs.unzip();
        let final_hash = format!("{:016x}", self.hash());
        Ok(Replayed { agrees: differs_at.is_none(), ticks: count, differs_at, difference, final_hash, cut })
    }

    /// The world at the start of the recorded match.
    pub fn of(header: &Header) -> Result<Self, ReplayError> {
        if header.world != "arena" {
            return Err(ReplayError::World(header.world.clone()));
        }
        let rules: Rules = serde_json::from_value(header.settings.clone()).map_err(ReplayError::Settings)?;
        let level = level_of(header)?;
        let count = u8::try_from(header.characters.len()).map_err(|_| ReplayError::TooMany)?;
        let world = World::new(Arc::new(level), rules, count, header.seed);
        Ok(Replay { world, percept: Percept::default() })
    }

    /// Obeys the commands of the next tick. Fails with the first thing that is not as it was recorded; there is no going on
    /// after that.
    pub fn obey(&mut self, tick: &Tick) -> Result<(), Differs> {
        let needed = self.world.len();
        if tick.rows.len() != needed {
            return Err(Differs::Characters { found: tick.rows.len(), needed });
        }
        let mut commands = vec![Command::default(); needed];
        for (id, row) in tick.rows.iter().enumerate() {
            if self.world.tick() == 0 && row.lead.is_some() {
                self.world.await_lead(id);
            }
            if row.alive != self.world.is_alive(id) {
                return Err(Differs::Alive { id, alive: row.alive });
            }
            if let Some(recorded) = &row.percept {
                self.world.perceive(id, &mut self.percept);
                if *recorded != self.percept {
                    return Err(Differs::Percept(id));
                }
            }
            commands[id] = row.command.unwrap_or_default();
            match row.lead {
                Some(lead) => self.world.lead(id, lead),
                None => self.world.release(id),
            }
        }
        self.world.advance(&commands);
        match self.world.hash() {
            found if found == tick.state_hash => Ok(()),
            found => Err(Differs::Hash { found, recorded: tick.state_hash }),
        }
    }

    /// The hash of the world as it is now.
    pub fn hash(&self) -> u64 {
        self.world.hash()
    }
}

/// The map that a recording of the arena holds, ready to play.
pub fn level_of(header: &Header) -> Result<Level, ReplayError> {
    let authored = file::read(&header.map_source).map_err(ReplayError::Map)?;
    Level::new(authored.map).map_err(ReplayError::Faults)
}
