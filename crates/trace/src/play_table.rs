//! People's play as Parquet: one flat table that pandas, polars and DuckDB read as it is.
//!
//! Each line is a state, an input of the player who recorded, a thing that moved, or an event; `row` says which. What a line does not
//! have is empty. The names of columns are those of [`crate::play_csv`]; `player`, `target` and `model` are numbers in lists that the
//! file's metadata has, and `name` stands beside them for those who do not read it.

use std::io::{Cursor, Write};

use serde_json::{Value, json};

use crate::parquet::{Column, ColumnType, Cut, Table, TableRecorder};
use crate::play::{
    EventKind, Input, Keys, Physics, Play, PlayEvent, Player, State, Status, Thing, weapon_bit, weapon_name,
};
use crate::{CsvMistake, TraceError};

/// The format's name and version.
pub const PLAY_FORMAT: &str = "repertoire-play 1";
/// What tells such a table from others.
const KIND: &str = "play";
/// Lines in a group.
const GROUP: usize = 65_536;

const WORDS: [&str; 5] = ["row", "name", "team", "weapon", "what"];
const NUMBERS: [&str; 32] = [
    "t", "player", "x", "y", "z", "vx", "vy", "vz", "yaw", "pitch", "msec", "fwd", "side", "up", "fire",
    "jump", "buttons", "impulse", "pov", "alive", "frags", "health", "armor", "ammo", "items", "effects",
    "sequence", "target", "amount", "splash", "entity", "model",
];

/// A line of the table.
#[derive(Clone, Default)]
struct Line {
    words: [Option<String>; WORDS.len()],
    numbers: [Option<f64>; NUMBERS.len()],
}

/// Where a column stands. A name that is not in the lists would be a mistake in this file, which every test would find.
fn place(names: &[&str], name: &str) -> usize {
    names.iter().position(|one| *one == name).unwrap_or(0)
}

impl Line {
    fn of(row: &str, secs: f64) -> Self {
        Line::default().word("row", row).number("t", secs)
    }

    fn word(mut self, name: &str, word: &str) -> Self {
        self.words[place(&WORDS, name)] = Some(word.to_owned());
        self
    }

    fn number(mut self, name: &str, number: impl Into<f64>) -> Self {
        self.numbers[place(&NUMBERS, name)] = Some(number.into());
        self
    }

    fn point(self, [x, y, z]: [&str; 3], at: [f32; 3]) -> Self {
        self.number(x, at[0]).number(y, at[1]).number(z, at[2])
    }

    fn keys(self, keys: &Keys, are_known: bool) -> Self {
        let line = self.number("yaw", keys.yaw_deg).number("pitch", keys.pitch_deg);
        if !are_known {
            return line;
        }
        line.number("msec", keys.msec)
            .number("fwd", keys.forward)
            .number("side", keys.side)
            .number("up", keys.up)
            .number("fire", u8::from(keys.is_firing()))
            .number("jump", u8::from(keys.is_jumping()))
            .number("buttons", keys.buttons)
            .number("impulse", keys.impulse)
    }

    fn who(self, play: &Play, player: u16) -> Self {
        let line = self.number("player", player);
        match play.players.get(usize::from(player)) {
            Some(one) => {
                line.word("name", &one.name).word("team", &one.team).number("pov", u8::from(one.is_pov))
            }
            None => line,
        }
    }

    fn state(play: &Play, state: &State) -> Self {
        let mut line = Line::of("state", state.secs)
            .who(play, state.player)
            .point(["x", "y", "z"], state.at)
            .keys(&state.keys, state.has_keys)
            .number("alive", u8::from(state.is_alive))
            .number("frags", state.frags)
            .number("effects", state.effects);
        if let Some(velocity) = state.velocity {
            line = line.point(["vx", "vy", "vz"], velocity);
        }
        if let Some(status) = state.status {
            line = line
                .number("health", status.health)
                .number("armor", status.armour)
                .number("ammo", status.ammo)
                .number("items", status.items)
                .word("weapon", weapon_name(status.weapon));
        }
        match state.acknowledged {
            Some(sequence) => line.number("sequence", sequence),
            None => line,
        }
    }

    fn input(input: &Input) -> Self {
        Line::of("input", input.secs).keys(&input.keys, true).number("sequence", input.sequence)
    }

    fn thing(play: &Play, thing: &Thing) -> Self {
        let mut line =
            Line::of("thing", thing.secs).number("entity", thing.entity).number("model", thing.model);
        if let Some(model) = play.models.get(usize::from(thing.model)) {
            line = line.word("what", model);
        }
        match thing.at {
            Some(at) => line.point(["x", "y", "z"], at),
            None => line,
        }
    }

    fn event(play: &Play, event: &PlayEvent) -> Self {
        let mut line = Line::of(event.kind.word(), event.secs)
            .word("what", &event.what)
            .number("amount", event.amount)
            .number("splash", u8::from(event.is_splash));
        if let Some(actor) = event.actor {
            line = line.who(play, actor);
        }
        match event.target {
            Some(target) => line.number("target", target),
            None => line,
        }
    }
}

/// Writes a play.
///
/// # Errors
/// When it cannot be written to `out`.
pub fn write<W: Write + Send>(play: &Play, out: W) -> Result<W, TraceError> {
    let columns: Vec<(&str, ColumnType)> = WORDS
        .iter()
        .map(|name| (*name, ColumnType::Text))
        .chain(NUMBERS.iter().map(|name| (*name, ColumnType::Real)))
        .collect();
    let pairs = vec![("format", PLAY_FORMAT.to_owned()), ("play", facts(play).to_string())];
    let mut recorder = TableRecorder::with_types(out, KIND, &columns, pairs)?;
    let lines = (play.states.iter().map(|one| Line::state(play, one)))
        .chain(play.inputs.iter().map(Line::input))
        .chain(play.things.iter().map(|one| Line::thing(play, one)))
        .chain(play.events.iter().map(|one| Line::event(play, one)));
    let mut group: Vec<Line> = Vec::new();
    for line in lines {
        group.push(line);
        if group.len() == GROUP {
            recorder.push(&transposed(&mut group))?;
        }
    }
    recorder.push(&transposed(&mut group))?;
    recorder.finish()
}

fn transposed(lines: &mut Vec<Line>) -> Vec<Column> {
    let words =
        (0..WORDS.len()).map(|k| Column::Text(lines.iter_mut().map(|line| line.words[k].take()).collect()));
    let mut columns: Vec<Column> = words.collect();
    columns
        .extend((0..NUMBERS.len()).map(|k| Column::Real(lines.iter().map(|line| line.numbers[k]).collect())));
    lines.clear();
    columns
}

fn facts(play: &Play) -> Value {
    json!({
        "source": play.source, "session": play.session, "map": play.map, "match_secs": play.match_secs,
        "units_per_metre": play.units_per_metre, "settings": play.settings, "physics": play.physics,
        "players": play.players, "models": play.models, "notes": play.notes,
    })
}

/// Whether a Parquet file says that it is a play.
pub fn is_play(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
        && Table::open(Cursor::new(bytes)).is_ok_and(|table| table.value("format") == Some(PLAY_FORMAT))
}

/// Reads a play that [`write()`] wrote, also what is left of one.
///
/// # Errors
/// When it is no play, or damaged.
pub fn read(bytes: &[u8]) -> Result<(Play, Option<Cut>), TraceError> {
    let mut table = Table::open(Cursor::new(bytes))?;
    let foreign = |what: String| TraceError::Foreign {
        what,
        remedy: "give a file that `repertoire trace import` wrote".to_owned(),
    };
    if table.value("format") != Some(PLAY_FORMAT) {
        return Err(foreign(format!("its `format` is not `{PLAY_FORMAT}`")));
    }
    let facts: Value = serde_json::from_str(table.value("play").unwrap_or_default())
        .map_err(|error| foreign(format!("its `play` is no JSON: {error}")))?;
    let mut play = of_facts(facts).map_err(|error| foreign(format!("its `play` is wrong: {error}")))?;
    for group in 0..table.groups() {
        let columns = table.read(group)?;
        if columns.len() != WORDS.len() + NUMBERS.len() {
            return Err(foreign("it has other columns".to_owned()));
        }
        let rows = match &columns[0] {
            Column::Text(words) => words.len(),
            _ => 0,
        };
        for row in 0..rows {
            take(&mut play, &Cells { columns: &columns, row }).map_err(|what| TraceError::Damaged {
                place: format!("in group {group}, row {row}"),
                what,
            })?;
        }
    }
    Ok((play, table.cut()))
}

fn of_facts(mut facts: Value) -> Result<Play, serde_json::Error> {
    #[derive(serde::Deserialize)]
    struct Facts {
        source: String,
        session: String,
        map: String,
        match_secs: Option<f64>,
        units_per_metre: f64,
        settings: std::collections::BTreeMap<String, String>,
        physics: Physics,
        players: Vec<Player>,
        models: Vec<String>,
        notes: Vec<String>,
    }
    let facts: Facts = serde_json::from_value(facts.take())?;
    Ok(Play {
        source: facts.source,
        session: facts.session,
        map: facts.map,
        match_secs: facts.match_secs,
        units_per_metre: facts.units_per_metre,
        settings: facts.settings,
        physics: facts.physics,
        players: facts.players,
        models: facts.models,
        notes: facts.notes,
        ..Play::default()
    })
}

/// A line of columns.
struct Cells<'a> {
    columns: &'a [Column],
    row: usize,
}

impl Cells<'_> {
    fn word(&self, name: &str) -> Option<&str> {
        match &self.columns[place(&WORDS, name)] {
            Column::Text(words) => words[self.row].as_deref(),
            _ => None,
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        match &self.columns[WORDS.len() + place(&NUMBERS, name)] {
            Column::Real(numbers) => numbers[self.row],
            _ => None,
        }
    }

    fn need(&self, name: &str) -> Result<f64, String> {
        self.number(name).ok_or_else(|| format!("`{name}` is empty"))
    }

    fn point(&self, [x, y, z]: [&str; 3]) -> Option<[f32; 3]> {
        Some([self.number(x)? as f32, self.number(y)? as f32, self.number(z)? as f32])
    }

    fn keys(&self) -> Keys {
        let or_zero = |name| self.number(name).unwrap_or(0.0);
        Keys {
            msec: or_zero("msec") as u8,
            pitch_deg: or_zero("pitch") as f32,
            yaw_deg: or_zero("yaw") as f32,
            forward: or_zero("fwd") as i16,
            side: or_zero("side") as i16,
            up: or_zero("up") as i16,
            buttons: or_zero("buttons") as u8,
            impulse: or_zero("impulse") as u8,
        }
    }

    fn status(&self) -> Option<Status> {
        Some(Status {
            health: self.number("health")? as i16,
            armour: self.number("armor")? as i16,
            ammo: self.number("ammo")? as i16,
            items: self.number("items")? as u32,
            weapon: weapon_bit(self.word("weapon")?),
        })
    }

    fn state(&self) -> Result<State, String> {
        Ok(State {
            secs: self.need("t")?,
            player: self.need("player")? as u16,
            at: self.point(["x", "y", "z"]).ok_or("`x`, `y` or `z` is empty")?,
            velocity: self.point(["vx", "vy", "vz"]),
            keys: self.keys(),
            has_keys: self.number("fwd").is_some(),
            is_alive: self.need("alive")? == 1.0,
            frags: self.need("frags")? as i16,
            status: self.status(),
            effects: self.need("effects")? as u8,
            acknowledged: self.number("sequence").map(|number| number as u32),
        })
    }
}

/// Puts a line where it belongs.
fn take(play: &mut Play, line: &Cells<'_>) -> Result<(), String> {
    let row = line.word("row").ok_or("`row` is empty")?;
    let secs = line.need("t")?;
    match row {
        "state" => {
            let state = line.state()?;
            if usize::from(state.player) >= play.players.len() {
                return Err(format!("player {} is not among the players", state.player));
            }
            play.states.push(state);
        }
        "input" => {
            let sequence = line.need("sequence")? as u32;
            play.inputs.push(Input { secs, sequence, keys: line.keys() });
        }
        "thing" => play.things.push(Thing {
            secs,
            entity: line.need("entity")? as u16,
            model: line.need("model")? as u16,
            at: line.point(["x", "y", "z"]),
        }),
        event => {
            let kind = EventKind::ALL.into_iter().find(|kind| kind.word() == event);
            let is_there = |player: &u16| usize::from(*player) < play.players.len();
            let who = |name| line.number(name).map(|number| number as u16).filter(is_there);
            play.events.push(PlayEvent {
                secs,
                kind: kind.ok_or_else(|| format!("`{event}` is no kind of row"))?,
                actor: who("player"),
                target: who("target"),
                what: line.word("what").unwrap_or_default().to_owned(),
                amount: line.need("amount")? as i32,
                is_splash: line.number("splash") == Some(1.0),
            });
        }
    }
    Ok(())
}

/// Reads people's play from whatever holds it: a QuakeWorld demo, a play as Parquet, or CSV; none of them packed. `stem` is what the
/// file is called, without its ending; `events` is the file of events beside a CSV.
///
/// # Errors
/// When it can be read as none of them; mistakes in text have their line.
pub fn read_any(
    bytes: &[u8],
    stem: &str,
    events: Option<&[u8]>,
) -> Result<(Vec<Play>, Option<Cut>), TraceError> {
    if bytes.starts_with(b"PAR1") {
        let (play, cut) = read(bytes)?;
        return Ok((vec![play], cut));
    }
    if crate::quake::is_demo(bytes) {
        return Ok((vec![crate::quake::read(bytes, stem)?], None));
    }
    // What has no line of names is no CSV, and the reader of demos says best what it is instead.
    let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if !first_line.contains(&b',')
        || !first_line.iter().all(|byte| byte.is_ascii_graphic() || b" \t\r\xef\xbb\xbf".contains(byte))
    {
        return Ok((vec![crate::quake::read(bytes, stem)?], None));
    }
    let mut plays = crate::play_csv::states(bytes, stem)?;
    if let Some(events) = events {
        crate::play_csv::events(events, &mut plays).map_err(|error| match error {
            TraceError::Csv(CsvMistake { line, column, what, remedy }) => TraceError::Csv(CsvMistake {
                line,
                column,
                what: format!("in the file of events: {what}"),
                remedy,
            }),
            other => other,
        })?;
    }
    Ok((plays, None))
}
