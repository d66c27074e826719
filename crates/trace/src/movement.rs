//! Recorded movement: who was where and faced where, from a game's CSV or from our own recordings.
//!
//! [`read`] takes the bytes of either, or of a QuakeWorld demo, plain or gzip, and gives one [`Recorded`] for each player and session.
//!
//! A CSV needs the columns `t` (seconds), `x`, `y` and `z`; `map`, `session` (or `round`), `player`, `life`, `alive` and
//! `yaw` (degrees, counter-clockwise) are used where they are there. Lengths are Unreal units ([`UNREAL_PER_METRE`]), or Quake's in a CSV
//! with a column `match`.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek};

use repertoire_mind::Percept;
use repertoire_topology::evaluate::Session;
use repertoire_topology::learner::FARTHEST;
use repertoire_topology::walks::Track;

use crate::csv::unreadable;
use crate::play::{Play, QUAKE_PER_METRE};
use crate::play_table::{is_play, read_any};
use crate::quake::is_demo;
use crate::source::{self, Format, Source};
use crate::{CsvMistake, Cut, TraceError};

/// Units in a metre of a CSV that does not say otherwise: Unreal's. Our own recordings are in metres.
pub const UNREAL_PER_METRE: f64 = 50.0;

/// Where a player was at one moment, and where they faced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Seconds since the recording began.
    pub secs: f64,
    /// Position, in the recording's own units.
    pub at: [f64; 3],
    /// Heading seen from above, counter-clockwise in degrees; 0 where the recording does not say
    /// ([`Recorded::has_yaw`]).
    pub yaw_deg: f64,
    /// Which life; nothing is measured across two.
    pub life: u32,
}

impl Moment {
    /// The moment of a percept in the arena: where the character itself is.
    pub fn of(percept: &Percept) -> Self {
        Moment {
            secs: f64::from(percept.tick) * percept.period_secs,
            at: percept.own.position.into(),
            yaw_deg: percept.own.yaw.to_degrees(),
            life: percept.own.life,
        }
    }
}

/// What one player did in one session.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The map's name.
    pub map: String,
    /// The session, or the file of a match.
    pub session: String,
    /// The player, or the character.
    pub player: String,
    /// Moments in order.
    pub moments: Vec<Moment>,
    /// Whether the player was in the air, for each moment; empty where the recording does not say.
    pub in_air: Vec<bool>,
    /// Whether every moment knows where the player faced.
    pub has_yaw: bool,
    /// Units in a metre.
    pub units_per_metre: f64,
}

impl Recorded {
    /// Map, session and player in one line, for tables.
    pub fn name(&self) -> String {
        [&self.map, &self.session, &self.player]
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// One track for each life, without the moments in the air: nobody can stand there.
    pub fn session(&self) -> Session {
        let mut tracks: Vec<Track> = Vec::new();
        let mut life = None;
        for (k, moment) in self.moments.iter().enumerate() {
            if self.in_air.get(k) == Some(&true) {
                continue;
            }
            if life != Some(moment.life) {
                tracks.push(Track::default());
                life = Some(moment.life);
            }
            if let Some(track) = tracks.last_mut() {
                track.secs.push(moment.secs);
                track.at.push(moment.at);
            }
        }
        Session { name: format!("{} {}", self.session, self.player), tracks }
    }
}

/// Sorts recordings by map, and keeps one map if `map` names it.
///
/// # Errors
/// When no recording is of that map; the error names those that are there.
pub fn by_map(all: Vec<Recorded>, map: Option<&str>) -> Result<BTreeMap<String, Vec<Recorded>>, NoSuchMap> {
    let mut maps: BTreeMap<String, Vec<Recorded>> = BTreeMap::new();
    for one in all {
        maps.entry(one.map.clone()).or_default().push(one);
    }
    let Some(wanted) = map else { return Ok(maps) };
    match maps.remove_entry(wanted) {
        Some((name, found)) => Ok(BTreeMap::from([(name, found)])),
        None => Err(not_there("play", wanted, maps.keys())),
    }
}

/// A map was asked for that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no map `{wanted}` in the {what}\n  remedy: {}it has {}", hint(.wanted, .names), .names.join(", "))]
pub struct NoSuchMap {
    /// Where it was looked for: `play`.
    pub what: String,
    /// What was asked for.
    pub wanted: String,
    /// The maps that are there.
    pub names: Vec<String>,
}

fn hint(wanted: &str, names: &[String]) -> String {
    let close = repertoire_authored::nearest(wanted, names.iter().map(String::as_str));
    close.map_or(String::new(), |name| format!("did you mean `{name}`? "))
}

/// The error for a map that is not among `names`.
pub fn not_there<'a>(what: &str, wanted: &str, names: impl Iterator<Item = &'a String>) -> NoSuchMap {
    NoSuchMap { what: what.to_owned(), wanted: wanted.to_owned(), names: names.cloned().collect() }
}

/// Reads recorded movement: one of our recordings or a game's CSV, plain or gzip.
///
/// `stem` is what the file is called, without its ending: the session of a recording, and the map of a CSV without such
/// a column. The second result says what was saved if a recording was cut off.
///
/// # Errors
/// When it can be read as neither; mistakes in text have their line.
pub fn read(bytes: Vec<u8>, stem: &str) -> Result<(Vec<Recorded>, Option<Cut>), TraceError> {
    let bytes = source::unpack(bytes)?;
    if is_play(&bytes) || is_demo(&bytes) {
        let (plays, cut) = read_any(&bytes, stem, None)?;
        return Ok((plays.iter().flat_map(of_play).collect(), cut));
    }
    match Format::sniff(&bytes) {
        Some(format) => {
            let mut source = Source::open(Cursor::new(bytes), format)?;
            let cut = source.cut();
            Ok((of_recording(&mut source, stem)?, cut))
        }
        None => Ok((read_csv(&bytes, stem)?, None)),
    }
}

/// Reads a game's CSV; see [`read`].
///
/// # Errors
/// When a column is missing, or a cell is no finite number where one is needed.
pub fn read_csv(bytes: &[u8], stem: &str) -> Result<Vec<Recorded>, TraceError> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let columns = Columns::find(rows.headers().map_err(|error| unreadable(&error, 0))?)?;
    let mut found: BTreeMap<[String; 3], usize> = BTreeMap::new();
    let mut all: Vec<Recorded> = Vec::new();
    let mut record = csv::StringRecord::new();
    while rows.read_record(&mut record).map_err(|error| unreadable(&error, 0))? {
        let Some((who, moment, has_yaw)) = columns.row(&record)? else { continue };
        let next = all.len();
        let k = *found.entry(who.clone()).or_insert(next);
        if k == next {
            let [map, session, player] = who;
            all.push(Recorded {
                map: if columns.map.is_some() { map } else { stem.to_owned() },
                session,
                player,
                moments: Vec::new(),
                in_air: Vec::new(),
                has_yaw: true,
                units_per_metre: columns.units_per_metre,
            });
        }
        all[k].moments.push(moment);
        all[k].has_yaw &= has_yaw;
    }
    Ok(all)
}

/// The movement of a recording of ours: each character a player, the file a session.
///
/// # Errors
/// When the recording is damaged.
pub fn of_recording<R: Read + Seek>(source: &mut Source<R>, stem: &str) -> Result<Vec<Recorded>, TraceError> {
    let header = source.header().clone();
    let mut all: Vec<Recorded> = header
        .characters
        .iter()
        .map(|one| Recorded {
            map: header.map.clone(),
            session: format!("{stem}#{}", one.id),
            player: one.name.clone(),
            moments: Vec::new(),
            in_air: Vec::new(),
            has_yaw: true,
            units_per_metre: 1.0,
        })
        .collect();
    for tick in source.ticks() {
        let tick = tick?;
        for row in &tick.rows {
            let Some(k) = header.characters.iter().position(|one| one.id == row.character) else { continue };
            if let (true, Some(percept)) = (row.alive, &row.percept) {
                all[k].in_air.push(!percept.own.on_ground);
                all[k].moments.push(Moment::of(percept));
            }
        }
    }
    Ok(all)
}

/// The movement of people in a match: everybody who was alive in it, at the moments in which they were seen.
pub fn of_play(play: &Play) -> Vec<Recorded> {
    let mut all: Vec<Recorded> = play
        .players
        .iter()
        .map(|player| Recorded {
            map: play.map.clone(),
            session: play.session.clone(),
            player: player.name.clone(),
            moments: Vec::new(),
            in_air: Vec::new(),
            has_yaw: true,
            units_per_metre: play.units_per_metre,
        })
        .collect();
    let mut lives = vec![(0, true); all.len()];
    for state in play.states.iter().filter(|state| play.is_in_match(state.secs)) {
        let player = usize::from(state.player);
        let (life, was_alive) = &mut lives[player];
        *life += u32::from(state.is_alive && !*was_alive);
        *was_alive = state.is_alive;
        if state.is_alive {
            let yaw_deg = f64::from(state.keys.yaw_deg);
            let moment = Moment { secs: state.secs, at: state.at.map(f64::from), yaw_deg, life: *life };
            all[player].moments.push(moment);
        }
    }
    all.retain(|one| !one.moments.is_empty());
    all
}

struct Columns {
    units_per_metre: f64,
    map: Option<usize>,
    session: Option<usize>,
    player: Option<usize>,
    life: Option<usize>,
    alive: Option<usize>,
    yaw: Option<usize>,
    t: usize,
    at: [usize; 3],
}

impl Columns {
    fn find(head: &csv::StringRecord) -> Result<Self, CsvMistake> {
        let place =
            |name: &str| head.iter().position(|column| column.trim().trim_start_matches('\u{feff}') == name);
        let need = |name: &str| {
            let remedy = "name the columns map,session,player,life,t,x,y,z,yaw; t, x, y and z must be there";
            place(name).ok_or_else(|| mistake(1, "", format!("there is no column `{name}`"), remedy))
        };
        Ok(Columns {
            map: place("map"),
            session: place("session").or_else(|| place("round")).or_else(|| place("match")),
            units_per_metre: if place("match").is_some() { QUAKE_PER_METRE } else { UNREAL_PER_METRE },
            player: place("player"),
            life: place("life"),
            alive: place("alive"),
            yaw: place("yaw"),
            t: need("t")?,
            at: [need("x")?, need("y")?, need("z")?],
        })
    }

    /// Map, session and player; the moment; whether it says where the player faced. `None` for the dead.
    fn row(&self, record: &csv::StringRecord) -> Result<Option<([String; 3], Moment, bool)>, CsvMistake> {
        let line = record.position().map_or(0, csv::Position::line);
        let text = |column: Option<usize>| column.and_then(|k| record.get(k)).map_or("", str::trim);
        let number = |column: usize, name: &str| {
            let text = record.get(column).map(str::trim).ok_or_else(|| {
                let remedy = "give as many cells as there are columns";
                mistake(line, "", format!("the line ends before `{name}`"), remedy)
            })?;
            let is_fine = |x: &f64| x.abs() <= FARTHEST;
            text.parse().ok().filter(is_fine).ok_or_else(|| {
                let remedy = "write seconds, lengths and degrees as numbers";
                mistake(line, "", format!("`{text}` is no number for `{name}`"), remedy)
            })
        };
        if matches!(text(self.alive), "0" | "false" | "False") {
            return Ok(None);
        }
        let who = [self.map, self.session, self.player].map(|column| text(column).to_owned());
        let yaw = text(self.yaw);
        let yaw_deg = match (self.yaw, yaw) {
            (Some(column), text) if !text.is_empty() => Some(number(column, "yaw")?),
            _ => None,
        };
        let life = match text(self.life) {
            "" => 0,
            life => life
                .parse()
                .map_err(|_| mistake(line, "", format!("`{life}` is no life"), "count lives 1, 2, 3"))?,
        };
        let at = [number(self.at[0], "x")?, number(self.at[1], "y")?, number(self.at[2], "z")?];
        let moment = Moment { secs: number(self.t, "t")?, at, yaw_deg: yaw_deg.unwrap_or(0.0), life };
        Ok(Some((who, moment, yaw_deg.is_some())))
    }
}

pub(crate) fn mistake(line: u64, column: &str, what: String, remedy: &str) -> CsvMistake {
    CsvMistake { line, column: column.to_owned(), what, remedy: remedy.to_owned() }
}
