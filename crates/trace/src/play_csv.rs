//! People's play from CSV: a row for each player and moment, and beside it a file of events.
//!
//! States need the columns `t` (seconds), `x`, `y`, `z` and `yaw` (degrees, counter-clockwise). Used where they are there: `match`
//! (or `session`, `round`), `map`, `player`, `team`, `pov`, `vx`, `vy`, `vz`, `pitch`, `fwd`, `side`, `up`, `fire`, `jump`,
//! `weapon`, `health`, `armor`, `alive`, `frags`, `ammo`, `items`, `effects`. An empty cell is something that is not known.
//!
//! Events need `t` and `kind` (`shot`, `damage`, `sound` of something picked up, `obit`, `frags`, `death`, `spawn`); `match`,
//! `actor`, `target`, `what`, `amount` and `splash` are used.

use std::collections::BTreeMap;

use csv::StringRecord;

use crate::csv::unreadable;
use crate::movement::{UNREAL_PER_METRE, mistake};
use crate::play::{
    EventKind, Keys, Play, PlayEvent, Player, QUAKE_PER_METRE, State, Status, is_pickup, weapon_bit,
};
use crate::{CsvMistake, TraceError};

/// Numbers beyond this are no places, times or angles.
const FARTHEST: f64 = 1e10;

/// Reads states, one play for each match and map, in the order of the file; `stem` names the match where the file does not.
///
/// # Errors
/// When a column is missing, or a cell is no number where one is needed.
pub fn states(bytes: &[u8], stem: &str) -> Result<Vec<Play>, TraceError> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let head = Head::of(rows.headers().map_err(|error| unreadable(&error, 0))?);
    for needed in ["t", "x", "y", "z", "yaw"] {
        head.need(needed)?;
    }
    let units_per_metre = if head.has("match") { QUAKE_PER_METRE } else { UNREAL_PER_METRE };
    let mut plays: Vec<Play> = Vec::new();
    let mut found: BTreeMap<[String; 2], usize> = BTreeMap::new();
    let mut record = StringRecord::new();
    while rows.read_record(&mut record).map_err(|error| unreadable(&error, 0))? {
        let row = Cells { head: &head, record: &record };
        let session = ["match", "session", "round"].map(|name| row.text(name)).concat();
        let key = [session, row.text("map").to_owned()];
        let next = plays.len();
        let k = *found.entry(key.clone()).or_insert(next);
        if k == next {
            let [session, map] = key;
            let session = if session.is_empty() { stem.to_owned() } else { session };
            plays.push(Play { source: "csv".to_owned(), session, map, units_per_metre, ..Play::default() });
        }
        let play = &mut plays[k];
        let player = player(play, &row);
        let state = state(&row, player)?;
        play.match_secs = Some(play.match_secs.unwrap_or(0.0).max(state.secs));
        play.states.push(state);
    }
    if plays.is_empty() {
        return Err(mistake(1, "", "there is no row".to_owned(), "give recorded play").into());
    }
    Ok(plays)
}

/// Reads events and gives them to the plays of their match.
///
/// # Errors
/// When a column is missing, or a cell is no number where one is needed.
pub fn events(bytes: &[u8], plays: &mut [Play]) -> Result<(), TraceError> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let head = Head::of(rows.headers().map_err(|error| unreadable(&error, 0))?);
    for needed in ["t", "kind"] {
        head.need(needed)?;
    }
    let mut record = StringRecord::new();
    while rows.read_record(&mut record).map_err(|error| unreadable(&error, 0))? {
        let row = Cells { head: &head, record: &record };
        let kind = match row.text("kind") {
            "sound" if is_pickup(row.text("what")) => Some(EventKind::Pickup),
            "obit" => Some(EventKind::Obituary),
            word => EventKind::ALL.into_iter().find(|kind| kind.word() == word),
        };
        // Text of an event may run over several lines; what has no kind is the rest of one.
        let Some(kind) = kind else { continue };
        let session = row.text("match");
        let Some(play) = plays.iter_mut().find(|play| session.is_empty() || play.session == session) else {
            continue;
        };
        let who = |name: &str| {
            let k = play.players.iter().position(|player| player.name == row.text(name))?;
            u16::try_from(k).ok()
        };
        let (actor, target) = (who("actor"), who("target"));
        play.events.push(PlayEvent {
            secs: row.number("t")?,
            kind,
            actor,
            target,
            what: row.text("what").to_owned(),
            amount: row.optional("amount")?.unwrap_or(0.0) as i32,
            is_splash: row.text("splash") == "1",
        });
    }
    Ok(())
}

fn player(play: &mut Play, row: &Cells<'_>) -> u16 {
    let name = row.text("player");
    let known = play.players.iter().position(|player| player.name == name);
    let k = known.unwrap_or_else(|| {
        let is_pov = row.text("pov") == "1";
        let team = row.text("team").to_owned();
        play.players.push(Player { name: name.to_owned(), team, is_pov, is_spectator: false });
        play.players.len() - 1
    });
    u16::try_from(k).unwrap_or(u16::MAX)
}

fn state(row: &Cells<'_>, player: u16) -> Result<State, CsvMistake> {
    let short = |name: &str| Ok::<_, CsvMistake>(row.optional(name)?.map(|number| number as i16));
    let is = |name: &str| row.text(name) == "1";
    let velocity = match (row.optional("vx")?, row.optional("vy")?, row.optional("vz")?) {
        (Some(x), Some(y), Some(z)) => Some([x as f32, y as f32, z as f32]),
        _ => None,
    };
    let keys = Keys {
        msec: 0,
        pitch_deg: row.optional("pitch")?.unwrap_or(0.0) as f32,
        yaw_deg: row.number("yaw")? as f32,
        forward: short("fwd")?.unwrap_or(0),
        side: short("side")?.unwrap_or(0),
        up: short("up")?.unwrap_or(0),
        buttons: u8::from(is("fire")) | u8::from(is("jump")) << 1,
        impulse: 0,
    };
    let status = short("health")?.map(|health| {
        Ok::<_, CsvMistake>(Status {
            health,
            armour: short("armor")?.unwrap_or(0),
            ammo: short("ammo")?.unwrap_or(0),
            items: row.optional("items")?.unwrap_or(0.0) as i64 as u32,
            weapon: weapon_bit(row.text("weapon")),
        })
    });
    Ok(State {
        secs: row.number("t")?,
        player,
        at: [row.number("x")? as f32, row.number("y")? as f32, row.number("z")? as f32],
        velocity,
        keys,
        has_keys: row.optional("fwd")?.is_some(),
        is_alive: !matches!(row.text("alive"), "0" | "false" | "False"),
        frags: short("frags")?.unwrap_or(0),
        status: status.transpose()?,
        effects: short("effects")?.unwrap_or(0) as u8,
        acknowledged: None,
    })
}

/// Which column is where.
struct Head(BTreeMap<String, usize>);

impl Head {
    fn of(names: &StringRecord) -> Self {
        let plain = |name: &str| name.trim().trim_start_matches('\u{feff}').to_owned();
        Head(names.iter().enumerate().map(|(k, name)| (plain(name), k)).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn need(&self, name: &str) -> Result<(), CsvMistake> {
        if self.has(name) {
            return Ok(());
        }
        let remedy = "states need the columns t,x,y,z,yaw, and events t,kind";
        Err(mistake(1, "", format!("there is no column `{name}`"), remedy))
    }
}

/// A line.
struct Cells<'a> {
    head: &'a Head,
    record: &'a StringRecord,
}

impl<'a> Cells<'a> {
    fn text(&self, name: &str) -> &'a str {
        self.head.0.get(name).and_then(|&k| self.record.get(k)).map_or("", str::trim)
    }

    /// `None` where the cell is empty or the column missing.
    fn optional(&self, name: &str) -> Result<Option<f64>, CsvMistake> {
        let text = self.text(name);
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(number) if number.abs() <= FARTHEST => Ok(Some(number)),
            _ => Err(self.wrong(name, format!("`{text}` is no number"))),
        }
    }

    fn number(&self, name: &str) -> Result<f64, CsvMistake> {
        self.optional(name)?.ok_or_else(|| self.wrong(name, "the cell is empty".to_owned()))
    }

    fn wrong(&self, name: &str, what: String) -> CsvMistake {
        let line = self.record.position().map_or(0, csv::Position::line);
        mistake(line, name, what, "write seconds, lengths and degrees as numbers")
    }
}
