//! What every recording keeps to, whoever wrote it: rows by tick and character, one world, no percepts of the dead.

use crate::columns::{Flat, FlatEvent};
use crate::{Header, Row, Tick};

/// Looks at row after row.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    takes_part: [bool; 256],
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
        let mut takes_part = [false; 256];
        for character in &header.characters {
            takes_part[usize::from(character.id)] = true;
        }
        Check { takes_part, period_secs: header.period_secs, last: None }
    }

    /// Looks at a whole tick; one that is refused leaves no mark.
    pub(crate) fn tick(&mut self, tick: &Tick) -> Result<(), String> {
        if tick.rows.is_empty() {
            return Err("it has no row".to_owned());
        }
        if self.last.is_some_and(|last| last.tick >= tick.tick) {
            return Err("ticks must grow".to_owned());
        }
        let before = self.last;
        let looked = tick.rows.iter().try_for_each(|row| self.row(tick.tick, tick.state_hash, row));
        if looked.is_err() {
            self.last = before;
        }
        looked
    }

    /// Looks at the next row.
    pub(crate) fn row(&mut self, tick: u32, state_hash: u64, row: &Row) -> Result<(), String> {
        let character = row.character;
        if !self.takes_part[usize::from(character)] {
            return Err(format!("character {character} is not one of the header's `characters`"));
        }
        if let Some(last) = self.last {
            if (last.tick, last.character) >= (tick, character) {
                return Err(format!(
                    "character {character} of tick {tick} comes after character {} of tick {}; rows go by tick, then \
                     by character",
                    last.character, last.tick
                ));
            }
            if last.tick == tick && last.state_hash != state_hash {
                return Err(format!(
                    "its rows have different state hashes ({} and {state_hash})",
                    last.state_hash
                ));
            }
        }
        if !row.alive && (row.percept.is_some() || row.command.is_some()) {
            return Err(format!("character {character} is dead, yet perceives or commands"));
        }
        if let Some(percept) = &row.percept {
            if percept.tick != tick {
                return Err(format!("character {character} has the percept of tick {}", percept.tick));
            }
            if percept.period_secs.to_bits() != self.period_secs.to_bits() {
                return Err(format!(
                    "character {character} has a percept with another period ({} s) than the header's ({} s)",
                    percept.period_secs, self.period_secs
                ));
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
    pub(crate) fn push(&mut self, flat: Flat) -> Result<Option<Tick>, String> {
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
pub(crate) fn flatten(tick: Tick) -> impl Iterator<Item = Flat> {
    let Tick { tick, state_hash, rows } = tick;
    rows.into_iter().map(move |mut row| {
        let events = std::mem::take(&mut row.events).into_iter().map(FlatEvent::from).collect();
        Flat { tick, state_hash, row, events }
    })
}

#[cfg(test)]
mod tests {
    use repertoire_mind::{Command, Percept};

    use super::*;

    fn tick(number: u32, rows: Vec<Row>) -> Tick {
        Tick { tick: number, state_hash: u64::from(number), rows }
    }

    #[test]
    fn refuses_what_is_no_match_and_goes_on_afterwards() {
        let mut check = Check::new(&Header::new("arena", "duel", 0, 0.1, ["a", "b"]));
        let percept = |tick, period_secs| Some(Percept { tick, period_secs, ..Percept::default() });
        check.tick(&tick(4, vec![Row::of(0), Row::of(1)])).expect("a good tick");
        let wrong = [
            (tick(5, vec![]), "no row"),
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
            let refused = check.tick(&tick).expect_err(what);
            assert!(refused.contains(what), "{refused}");
        }
        check.tick(&tick(5, vec![Row { percept: percept(5, 0.1), ..Row::of(1) }])).expect("a good tick");
    }
}
