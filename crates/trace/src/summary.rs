//! What a recording comes to: how long it is, and what each character did in it.

use repertoire_mind::Event;
use serde::Serialize;

use crate::{Header, Tick};

/// A recording in figures. Add its ticks one by one; nothing of them is kept.
///
/// ```
/// use repertoire_mind::Event;
/// use repertoire_trace::summary::Summary;
/// use repertoire_trace::{Header, Row, Tick};
///
/// let mut summary = Summary::new(&Header::new("arena", "duel", 42, 0.1, ["native:3", "native:5"]));
/// let row = Row { events: vec![Event::Frag { victim: 1 }], ..Row::of(0) };
/// summary.add(&Tick { tick: 7, state_hash: 0, rows: vec![row] });
/// assert_eq!((summary.first_tick, summary.characters[0].frags), (Some(7), 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How many ticks there are.
    pub ticks: u64,
    /// The number of the first.
    pub first_tick: Option<u32>,
    /// The number of the last.
    pub last_tick: Option<u32>,
    /// Rows: one for each character and tick.
    pub rows: u64,
    /// Who took part, in the order of their numbers.
    pub characters: Vec<CharacterSummary>,
}

/// What one character did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CharacterSummary {
    /// Its number in the match.
    pub id: u8,
    /// Who it is.
    pub name: String,
    /// Ticks that it began alive.
    pub ticks_alive: u64,
    /// Others it killed.
    pub frags: u64,
    /// How often it died.
    pub deaths: u64,
    /// Shots it fired.
    pub shots: u64,
    /// How often it hit somebody.
    pub hits: u64,
    /// Items it picked up.
    pub picked_up: u64,
}

impl Summary {
    /// The summary of a recording of which no tick was read yet.
    pub fn new(header: &Header) -> Self {
        let characters = header.characters.iter().map(|character| CharacterSummary {
            id: character.id,
            name: character.name.clone(),
            ..CharacterSummary::default()
        });
        Summary { characters: characters.collect(), ..Summary::default() }
    }

    /// Adds a tick. Rows of characters that the header does not name count as rows only.
    pub fn add(&mut self, tick: &Tick) {
        self.ticks += 1;
        self.first_tick.get_or_insert(tick.tick);
        self.last_tick = Some(tick.tick);
        for row in &tick.rows {
            self.rows += 1;
            let Some(one) = self.characters.iter_mut().find(|one| one.id == row.character) else {
                continue;
            };
            one.ticks_alive += u64::from(row.alive);
            for event in &row.events {
                match event {
                    Event::Frag { .. } => one.frags += 1,
                    Event::Died { .. } => one.deaths += 1,
                    Event::Fired { .. } => one.shots += 1,
                    Event::Struck { .. } => one.hits += 1,
                    Event::PickedUp { .. } => one.picked_up += 1,
                    Event::Spawned { .. } | Event::Hurt { .. } | Event::Teleported { .. } => {}
                }
            }
        }
    }
}
