//! One tick of a match, and one character's part in it.

use repertoire_mind::{Command, Event, Lead, Percept};

/// One tick: what was perceived, what was commanded, what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    /// Decisions since the match began; the first is 0.
    pub tick: u32,
    /// A hash of the whole world after this tick, when its commands were obeyed and its events had happened. The
    /// world before the first tick follows from the header alone.
    pub state_hash: u64,
    /// Characters in the order of their numbers.
    pub rows: Vec<Row>,
}

/// One character's part in a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its number in the match.
    pub character: u8,
    /// Whether it had a body when the tick began.
    pub alive: bool,
    /// What it perceived when the tick began; nothing while dead. Its tick is the row's and its period the header's,
    /// which is why neither has a column.
    pub percept: Option<Percept>,
    /// What it commanded then; nothing while dead or absent.
    pub command: Option<Command>,
    /// Where it was led then, if it is led instead of steered; also while dead.
    pub lead: Option<Lead>,
    /// What it was doing, in a word. An empty word is kept as none.
    pub task: Option<String>,
    /// Why, in words for people. An empty text is kept as none. Large: recorders leave it out unless told.
    pub why: Option<String>,
    /// What happened to it and what it did during the tick, in order.
    pub events: Vec<Event>,
}

impl Row {
    /// A row of a living character without anything in it yet.
    pub fn of(character: u8) -> Self {
        Row { character, alive: true, ..Row::default() }
    }
}
