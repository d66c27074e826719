//! What every recording keeps to, whoever wrote it: rows by tick and character, one world, no percepts of the dead, and
//! only finite numbers. One NaN in a teacher's position would make everything NaN that is learned from them.

use crate::columns::{Flat, FlatEvent, not_finite};
use crate::{Header, Row, Tick};

/// Why a row is refused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// A number that is infinite or none.
    NotFinite { character: u8, column: String, value: f64 },
    /// Something else, in words.
    Other(String),
}

/// What to do about a number that is infinite or none.
pub(crate) const FINITE_REMEDY: &str = "write the number that was meant, or take the tick out; a game that divides by zero or reads what was never set writes such";

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NotFinite { character, column, value } => write!(
                f,
                "`{column}` of character {character} is {value}, not a finite number\n  remedy: {FINITE_REMEDY}"
            ),
            Refusal::Other(what) => f.write_str(what),
        }
    }
}

impl From<&str> for Refusal {
    fn from(what: &str) -> Self {
        Refusal::Other(what.to_owned())
    }
}

fn finite(flat: &Flat) -> Result<(), Refusal> {
    match not_finite(flat) {
        None => Ok(()),
        Some((column, value)) => Err(Refusal::NotFinite { character: flat.row.character, column, value }),
    }
}

/// Looks at row after row.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    takes_part: [bool; 256],
    led: [bool; 256],
    period_secs: f64,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    tick: u32,
    state_hash: u64,
    character: u8,
}

impl Check {
    pub(crate) fn new(header: &Header) -> Self {
        let (mut takes_part, mut led) = ([false; 256], [false; 256]);
        for character in &header.characters {
            takes_part[usize::from(character.id)] = true;
            led[usize::from(character.id)] = character.led;
        }
        Check { takes_part, led, period_secs: header.period_secs, last: None }
    }

    /// A whole tick as rows of columns; one that is refused leaves no mark.
    pub(crate) fn take(&mut self, tick: Tick) -> Result<Vec<Flat>, Refusal> {
        if tick.rows.is_empty() {
            return Err("it has no row".into());
        }
        if self.last.is_some_and(|last| last.tick >= tick.tick) {
            return Err("ticks must grow".into());
        }
        let before = self.last;
        let looked = tick.rows.iter().try_for_each(|row| self.row(tick.tick, tick.state_hash, row));
        let flat: Vec<Flat> = flatten(tick).collect();
        let looked = looked.and_then(|()| flat.iter().try_for_each(finite));
        if looked.is_err() {
            self.last = before;
        }
        looked.map(|()| flat)
    }

    /// Looks at the next row.
    fn row(&mut self, tick: u32, state_hash: u64, row: &Row) -> Result<(), Refusal> {
        let character = row.character;
        if !self.takes_part[usize::from(character)] {
            return Err(Refusal::Other(format!(
                "character {character} is not one of the header's `characters`"
            )));
        }
        if let Some(last) = self.last {
            if (last.tick, last.character) >= (tick, character) {
                return Err(Refusal::Other(format!(
                    "character {character} of tick {tick} comes after character {} of tick {}; rows go by tick, then \
                     by character",
                    last.character, last.tick
                )));
            }
            if last.tick == tick && last.state_hash != state_hash {
                return Err(Refusal::Other(format!(
                    "its rows have different state hashes ({} and {state_hash})",
                    last.state_hash
                )));
            }
        }
        if !row.alive && (row.percept.is_some() || row.command.is_some()) {
            return Err(Refusal::Other(format!("character {character} is dead, yet perceives or commands")));
        }
        if row.lead.is_some() != self.led[usize::from(character)] {
            let (is, says) = if row.lead.is_some() { ("is led", "is not") } else { ("is not led", "is") };
            return Err(Refusal::Other(format!(
                "character {character} {is}, and `characters` says that it {says}"
            )));
        }
        if let Some(percept) = &row.percept {
            if percept.tick != tick {
                return Err(Refusal::Other(format!(
                    "character {character} has the percept of tick {}",
                    percept.tick
                )));
            }
            if percept.period_secs.to_bits() != self.period_secs.to_bits() {
                return Err(Refusal::Other(format!(
                    "character {character} has a percept with another period ({} s) than the header's ({} s)",
                    percept.period_secs, self.period_secs
                )));
            }
        }
        self.last = Some(Last { tick, state_hash, character });
        Ok(())
    }
}

/// Flat rows in, ticks out.
pub(crate) struct Gather {
    check: Check,
    period_secs: f64,
    tick: Option<Tick>,
}

impl Gather {
    pub(crate) fn new(header: &Header) -> Self {
        Gather { check: Check::new(header), period_secs: header.period_secs, tick: None }
    }

    /// Takes the next row; gives the tick before it, if that is complete with it.
    pub(crate) fn push(&mut self, flat: Flat) -> Result<Option<Tick>, Refusal> {
        finite(&flat)?;
        let Flat { tick, state_hash, mut row, events } = flat;
        if let Some(percept) = &mut row.percept {
            percept.tick = tick;
            percept.period_secs = self.period_secs;
        }
        row.events = events.iter().map(FlatEvent::event).collect::<Result<_, _>>()?;
        self.check.row(tick, state_hash, &row)?;
        if let Some(pending) = self.tick.as_mut().filter(|pending| pending.tick == tick) {
            pending.rows.push(row);
            return Ok(None);
        }
        Ok(self.tick.replace(Tick { tick, state_hash, rows: vec![row] }))
    }

    /// The last tick.
    pub(crate) fn finish(&mut self) -> Option<Tick> {
        self.tick.take()
    }
}

/// A tick as rows of columns.
fn flatten(tick: Tick) -> impl Iterator<Item = Flat> {
    let Tick { tick, state_hash, rows } = tick;
    rows.into_iter().map(move |mut row| {
        let events = std::mem::take(&mut row.events).into_iter().map(FlatEvent::from).collect();
        Flat { tick, state_hash, row, events }
    })
}

#[cfg(test)]
mod tests {
    use repertoire_mind::{Command, Event, Percept};

    use super::*;

    fn tick(number: u32, rows: Vec<Row>) -> Tick {
        Tick { tick: number, state_hash: u64::from(number), rows }
    }

    #[test]
    fn refuses_what_is_no_match_and_goes_on_afterwards() {
        let mut check = Check::new(&Header::new("arena", "duel", 0, 0.1, ["a", "b"]));
        let percept = |tick, period_secs| Some(Percept { tick, period_secs, ..Percept::default() });
        let lost = |tick| {
            let mut percept = percept(tick, 0.1);
            percept.iter_mut().for_each(|percept| percept.own.position.x = f64::NAN);
            percept
        };
        let endless = Event::Hurt { by: None, damage: f64::INFINITY };
        check.take(tick(4, vec![Row::of(0), Row::of(1)])).expect("a good tick");
        let wrong = [
            (tick(5, vec![]), "no row"),
            (tick(5, vec![Row { percept: lost(5), ..Row::of(0) }]), "`own_x` of character 0 is NaN"),
            (
                tick(5, vec![Row { events: vec![endless], ..Row::of(0) }]),
                "`events[0].damage` of character 0 is inf",
            ),
            (tick(4, vec![Row::of(0)]), "must grow"),
            (tick(5, vec![Row::of(1), Row::of(0)]), "rows go by tick"),
            (tick(5, vec![Row::of(0), Row::of(0)]), "rows go by tick"),
            (tick(5, vec![Row::of(2)]), "not one of"),
            (tick(5, vec![Row { percept: percept(4, 0.1), ..Row::of(0) }]), "the percept of tick 4"),
            (tick(5, vec![Row { percept: percept(5, 0.2), ..Row::of(0) }]), "another period"),
            (tick(5, vec![Row { alive: false, percept: percept(5, 0.1), ..Row::of(0) }]), "dead"),
            (tick(5, vec![Row { alive: false, command: Some(Command::default()), ..Row::of(0) }]), "dead"),
        ];
        for (tick, what) in wrong {
            let refused = check.take(tick).expect_err(what);
            let refused = refused.to_string();
            assert!(refused.contains(what), "{refused}");
        }
        check.take(tick(5, vec![Row { percept: percept(5, 0.1), ..Row::of(1) }])).expect("a good tick");
    }
}
