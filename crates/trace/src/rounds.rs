//! Rounds of recorded play on the places of a map: what [`repertoire_belief`] learns from and is measured on.
//!
//! [`read`] takes one of our recordings, or a game's CSV with the columns `round`, `t` (seconds since the round went live),
//! `player` and `side`, and either `nav_area` (an id of the mesh) or `x`, `y` and `z`; `live`, `alive` and `bomb_planted` are
//! used where they are there. Either may be gzip, and is thinned to about one moment a second. People's play on Quake's maps (demos, or what
//! `trace import` made of them, or reads) is taken too: a moment a second, in rounds of two minutes, so that one match can be learned from and
//! measured. In a client demo everybody but the player who recorded is there only while the server sent them.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek};

use repertoire_belief::Graph;
use repertoire_belief::play::{Moment, Play, Round, Sign, SignKind, Who};

use crate::csv::unreadable;
use crate::movement::mistake;
use crate::nav::Ground;
use crate::play::{EventKind, PlayEvent};
use crate::play_table::{is_play, read_any};
use crate::quake::is_demo;
use crate::source::{self, Format, Source};
use crate::{CsvMistake, Cut, Header, TraceError};

/// Seconds between moments that are kept, where nobody asks for others: recordings with more are thinned.
pub const STEP_SECS: f64 = 1.0;
/// The shortest and the longest step.
const MIN_STEP_SECS: f64 = 0.05;
const MAX_STEP_SECS: f64 = 10.0;
/// How long a round of people's play is, which has none of its own.
const ROUND_SECS: f64 = 120.0;
/// Somebody not heard of for longer than this is not there.
const NEAR_SECS: f64 = 0.25;
/// How far above the feet Quake has its bodies' origin, in units.
const ORIGIN_UNITS: f64 = 24.0;
/// The side of everybody in one player's recording of a match without teams.
const EVERYBODY: &str = "everybody";

/// Why play cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RoundsError {
    /// It could not be read.
    #[error(transparent)]
    Trace(#[from] TraceError),

    /// A CSV without rows.
    #[error("there is no row in it\n  remedy: give recorded play")]
    Empty,

    /// A step that is no time between moments.
    #[error(
        "a step of {0} s\n  remedy: give seconds between {MIN_STEP_SECS} and {MAX_STEP_SECS}, such as 0.45"
    )]
    Step(f64),

    /// There is no moment every so many seconds.
    #[error(
        "the play has a moment about every {found} s, not every {asked} s\n  remedy: give --step {found}, or play recorded at a multiple of that rate"
    )]
    OtherStep {
        /// The step that was asked for.
        asked: f64,
        /// The step nearest to it that the play has.
        found: f64,
    },

    /// A recording of a match on another map: its positions mean nothing here.
    #[error(
        "the match was played on the map `{played}`, the places are those of `{places}`\n  remedy: give the places of `{played}`, or a match on `{places}`"
    )]
    OtherMap {
        /// The map that the recording's header names.
        played: String,
        /// The map of the places.
        places: String,
    },

    /// Positions of a CSV that are nowhere near the places.
    #[error(
        "{far} of {all} rows name no area of the mesh and lie far outside it: the play is of another map\n  remedy: give the places of the map that it was played on"
    )]
    Elsewhere {
        /// Rows of the living that are far outside.
        far: usize,
        /// All rows of the living.
        all: usize,
    },

    /// A recording of a match on another version of the map.
    #[error(
        "the match was played on another version of the map `{map}` than the places are of\n  remedy: record it again, or give the map that it holds as places (`repertoire trace info --map` prints it)"
    )]
    OtherVersion {
        /// The map's name.
        map: String,
    },
}

/// Reads play: one of our recordings or a game's CSV, plain or gzip. `name` is what a recording's only round is called.
/// The second result says what was saved if a recording was cut off.
///
/// # Errors
/// When it cannot be read, or is a recording of another map than `ground`.
pub fn read(bytes: Vec<u8>, name: &str, ground: &Ground) -> Result<(Play, Option<Cut>), RoundsError> {
    read_every(STEP_SECS, bytes, name, ground)
}

/// The same with a moment every `step_secs`.
///
/// # Errors
/// As [`read`], and when the play has no moments so near to each other, or the step is no time.
pub fn read_every(
    step_secs: f64,
    bytes: Vec<u8>,
    name: &str,
    ground: &Ground,
) -> Result<(Play, Option<Cut>), RoundsError> {
    if !(MIN_STEP_SECS..=MAX_STEP_SECS).contains(&step_secs) {
        return Err(RoundsError::Step(step_secs));
    }
    let (play, cut) = read_thinned(step_secs, bytes, name, ground)?;
    let found = play.step_secs();
    // By default play of any rate is taken; a step that was asked for must be there.
    if step_secs != STEP_SECS && (found - step_secs).abs() > 0.1 * step_secs {
        return Err(RoundsError::OtherStep { asked: step_secs, found });
    }
    Ok((play, cut))
}

fn read_thinned(
    step_secs: f64,
    bytes: Vec<u8>,
    name: &str,
    ground: &Ground,
) -> Result<(Play, Option<Cut>), RoundsError> {
    let bytes = source::unpack(bytes)?;
    if is_play(&bytes) || is_demo(&bytes) || is_match_csv(&bytes) {
        let (plays, cut) = read_any(&bytes, name, None)?;
        let plays = plays.iter().map(|play| of_people_every(step_secs, play, ground));
        return Ok((join(plays.collect::<Result<Vec<_>, _>>()?), cut));
    }
    match Format::sniff(&bytes) {
        Some(format) => {
            let mut source = Source::open(Cursor::new(bytes), format)?;
            let cut = source.cut();
            Ok((of_recording_every(step_secs, &mut source, name, ground)?, cut))
        }
        None => Ok((read_csv_every(step_secs, &bytes, &ground.places)?, None)),
    }
}

/// Whether this is CSV of people's play, as `trace import` reads it: it names matches, not rounds.
fn is_match_csv(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let has = |name: &[u8]| line.split(|&byte| byte == b',').any(|column| column.trim_ascii() == name);
    has(b"match") && has(b"yaw") && !has(b"round")
}

/// Refuses a recording of another map: by the map itself where both hold it, by name otherwise.
///
/// # Errors
/// When the maps differ.
pub fn check_map(header: &Header, ground: &Ground) -> Result<(), RoundsError> {
    let is_known = |text: &str| !text.is_empty();
    let differ = match ground.map_source.as_deref().filter(|text| is_known(text)) {
        Some(own) if is_known(&header.map_source) => own.trim() != header.map_source.trim(),
        _ => is_known(&ground.map) && is_known(&header.map) && ground.map != header.map,
    };
    match differ {
        false => Ok(()),
        true if ground.map == header.map => Err(RoundsError::OtherVersion { map: header.map.clone() }),
        true => Err(RoundsError::OtherMap { played: header.map.clone(), places: ground.map.clone() }),
    }
}

/// A recording of the arena as one round: a moment a second, every character a side of its own.
///
/// # Errors
/// When the recording is damaged, or of another map.
pub fn of_recording<R: Read + Seek>(
    source: &mut Source<R>,
    name: &str,
    ground: &Ground,
) -> Result<Play, RoundsError> {
    of_recording_every(STEP_SECS, source, name, ground)
}

fn of_recording_every<R: Read + Seek>(
    step_secs: f64,
    source: &mut Source<R>,
    name: &str,
    ground: &Ground,
) -> Result<Play, RoundsError> {
    let header = source.header().clone();
    check_map(&header, ground)?;
    let places = &ground.places;
    let names: Vec<String> = header.characters.iter().map(|one| format!("{} {}", one.id, one.name)).collect();
    let every = (step_secs / header.period_secs).round().max(1.0) as u32;
    let mut round = Round { name: name.to_owned(), ..Round::default() };
    for tick in source.ticks() {
        let tick = tick?;
        if tick.tick % every != 0 {
            continue;
        }
        let mut who = Vec::new();
        for row in &tick.rows {
            let Some(k) = header.characters.iter().position(|one| one.id == row.character) else { continue };
            let position = row.percept.as_ref().map(|percept| percept.own.position.to_array());
            let place = position.map_or(0, |at| nearest(places, at));
            who.push(Who { player: k as u16, side: k as u8, alive: row.alive && position.is_some(), place });
        }
        // Where everybody begins is known.
        let secs = f64::from(tick.tick) * header.period_secs - step_secs;
        round.moments.push(Moment { secs, live: tick.tick > 0, planted: false, who });
    }
    Ok(Play { players: names.clone(), sides: names, rounds: vec![round] })
}

/// A match of people as rounds of two minutes: a moment a second, whoever was seen then. Teams are sides, where there are any.
///
/// # Errors
/// When it was played on another map.
pub fn of_people(play: &crate::play::Play, ground: &Ground) -> Result<Play, RoundsError> {
    of_people_every(STEP_SECS, play, ground)
}

fn of_people_every(step_secs: f64, play: &crate::play::Play, ground: &Ground) -> Result<Play, RoundsError> {
    let near_secs = NEAR_SECS.min(step_secs / 2.0);
    if !ground.map.is_empty() && !play.map.is_empty() && !play.map.eq_ignore_ascii_case(&ground.map) {
        return Err(RoundsError::OtherMap { played: play.map.clone(), places: ground.map.clone() });
    }
    let people = || play.players.iter().filter(|player| !player.is_spectator);
    let mut teams: Vec<String> = people().map(|player| player.team.clone()).collect();
    teams.sort_unstable();
    teams.dedup();
    let has_teams =
        teams.len() > 1 && teams.len() < people().count() && teams.iter().all(|team| !team.is_empty());
    let players: Vec<String> = play.players.iter().map(|player| player.name.clone()).collect();
    // In the recording of one player nobody but that player looks, so all of them may share what is learned of a side.
    let recorded_by = play.pov();
    let side = |player: usize| match (has_teams, recorded_by) {
        (true, _) => teams.iter().position(|team| *team == play.players[player].team).unwrap_or(0) as u8,
        (false, Some(_)) => 0,
        (false, None) => player as u8,
    };
    let mut rounds: Vec<Round> = Vec::new();
    let states: Vec<_> = play.states.iter().filter(|state| play.is_in_match(state.secs)).collect();
    let (Some(first), Some(last)) = (states.first(), states.last()) else { return Err(RoundsError::Empty) };
    let (mut from, mut secs) = (0, first.secs.ceil());
    while secs <= last.secs {
        from += states[from..].iter().take_while(|state| state.secs < secs - near_secs).count();
        let near = states[from..].iter().take_while(|state| state.secs <= secs + near_secs);
        let mut nearest_of: BTreeMap<u16, &crate::play::State> = BTreeMap::new();
        for &state in near.filter(|state| !play.players[usize::from(state.player)].is_spectator) {
            let best = nearest_of.entry(state.player).or_insert(state);
            if (state.secs - secs).abs() < (best.secs - secs).abs() {
                *best = state;
            }
        }
        let who = nearest_of.into_iter().map(|(player, state)| {
            let place = place_of(play, state, ground);
            Who { player, side: side(player.into()), alive: state.is_alive, place }
        });
        let number = ((secs - first.secs) / ROUND_SECS) as usize;
        if number >= rounds.len() {
            let name = format!("{} {}", play.session, rounds.len() + 1);
            rounds.push(Round { name, recorded_by, is_timeless: true, ..Round::default() });
        }
        let since = secs - first.secs.ceil() - (rounds.len() - 1) as f64 * ROUND_SECS;
        let moment = Moment { secs: since, live: since > 0.0, planted: false, who: who.collect() };
        if let Some(round) = rounds.last_mut() {
            round.moments.push(moment);
        }
        secs += step_secs;
    }
    let signs = signs(play, &states, ground, &side);
    for (k, round) in rounds.iter_mut().enumerate() {
        let begin = first.secs.ceil() + k as f64 * ROUND_SECS;
        let of_round = signs.iter().filter(|sign| (begin..begin + ROUND_SECS).contains(&sign.secs));
        round.signs = of_round.map(|sign| Sign { secs: sign.secs - begin, ..*sign }).collect();
    }
    let sides = match (has_teams, recorded_by) {
        (true, _) => teams,
        (false, Some(_)) => vec![EVERYBODY.to_owned()],
        (false, None) => players.clone(),
    };
    Ok(Play { players, sides, rounds })
}

/// Sounds that players made where the recording says where they were, and who was hurt, in order of time.
fn signs(
    play: &crate::play::Play,
    states: &[&crate::play::State],
    ground: &Ground,
    side: &dyn Fn(usize) -> u8,
) -> Vec<Sign> {
    let mut by_player: Vec<Vec<&crate::play::State>> = vec![Vec::new(); play.players.len()];
    states.iter().for_each(|&state| by_player[usize::from(state.player)].push(state));
    let place_at = |player: u16, secs: f64| {
        let own = &by_player[usize::from(player)];
        let after = own.partition_point(|state| state.secs < secs);
        let near = own[after.saturating_sub(1)..].iter().take(2);
        let near = near.min_by(|a, b| (a.secs - secs).abs().total_cmp(&(b.secs - secs).abs()))?;
        ((near.secs - secs).abs() <= NEAR_SECS).then(|| place_of(play, near, ground))
    };
    let told = |event: &PlayEvent| {
        let kind = match (event.kind, event.target) {
            (EventKind::Shot | EventKind::Pickup | EventKind::Sound, _) => {
                SignKind::Sound { place: place_at(event.actor?, event.secs)? }
            }
            (EventKind::Damage, Some(_)) => {
                SignKind::Hurt { amount: f64::from(event.amount), by: side(event.actor?.into()) }
            }
            _ => return None,
        };
        let player = if matches!(kind, SignKind::Sound { .. }) { event.actor? } else { event.target? };
        Some(Sign { secs: event.secs, player, kind })
    };
    let mut signs: Vec<Sign> = play.events.iter().filter_map(told).collect();
    signs.sort_by(|a, b| a.secs.total_cmp(&b.secs));
    signs
}

/// The place that a player's feet are nearest to.
fn place_of(play: &crate::play::Play, state: &crate::play::State, ground: &Ground) -> u32 {
    let [x, y, z] = state.at.map(f64::from);
    nearest(&ground.places, [x, y, z - ORIGIN_UNITS].map(|units| units / play.units_per_metre))
}

/// The place whose centre is nearest.
fn nearest(places: &Graph, at: [f64; 3]) -> u32 {
    let far = |s: u32| {
        let centre = places.centres[s as usize];
        (0..3).map(|k| (centre[k] - at[k]) * (centre[k] - at[k])).sum::<f64>()
    };
    (1..places.len() as u32).fold(0, |best, s| if far(s) < far(best) { s } else { best })
}

/// Reads a game's CSV; see the module's text.
///
/// # Errors
/// When a column is missing, a cell cannot be used, or there is no row.
pub fn read_csv(bytes: &[u8], places: &Graph) -> Result<Play, RoundsError> {
    read_csv_every(STEP_SECS, bytes, places)
}

fn read_csv_every(step_secs: f64, bytes: &[u8], places: &Graph) -> Result<Play, RoundsError> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let columns =
        Columns::find(rows.headers().map_err(|error| unreadable(&error, 0))?).map_err(TraceError::Csv)?;
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let mut reader = PlayReader {
        columns,
        index,
        places,
        around: around(places),
        far: 0,
        alive: 0,
        play: Play::default(),
    };
    let mut record = csv::StringRecord::new();
    while rows.read_record(&mut record).map_err(|error| unreadable(&error, 0))? {
        reader.row(&record).map_err(TraceError::Csv)?;
    }
    let PlayReader { far, alive: all, mut play, .. } = reader;
    if play.rounds.is_empty() {
        return Err(RoundsError::Empty);
    }
    // Some may have been recorded wrongly; where most are, the map is another.
    if 2 * far > all {
        return Err(RoundsError::Elsewhere { far, all });
    }
    play.rounds.iter_mut().for_each(|round| thin(round, step_secs));
    Ok(play)
}

/// Several files of recorded play as one: players and sides of the same name are the same.
pub fn join(all: impl IntoIterator<Item = Play>) -> Play {
    let mut joined = Play::default();
    for play in all {
        let players: Vec<u16> =
            play.players.iter().map(|name| number(&mut joined.players, name) as u16).collect();
        let sides: Vec<u8> = play.sides.iter().map(|name| number(&mut joined.sides, name) as u8).collect();
        for mut round in play.rounds {
            for who in round.moments.iter_mut().flat_map(|moment| &mut moment.who) {
                who.player = players[usize::from(who.player)];
                who.side = sides[usize::from(who.side)];
            }
            round.recorded_by = round.recorded_by.map(|pov| players[usize::from(pov)]);
            for sign in &mut round.signs {
                sign.player = players[usize::from(sign.player)];
                if let SignKind::Hurt { by, .. } = &mut sign.kind {
                    *by = sides[usize::from(*by)];
                }
            }
            joined.rounds.push(round);
        }
    }
    joined
}

/// Keeps about one moment a step: the last before the round goes live, and from the first live one on.
fn thin(round: &mut Round, step_secs: f64) {
    round.moments.sort_by(|a, b| a.secs.total_cmp(&b.secs));
    let mut kept: Vec<Moment> = Vec::new();
    for moment in std::mem::take(&mut round.moments) {
        let goes_live = moment.live && kept.last().is_some_and(|last| !last.live);
        match kept.last_mut() {
            Some(last) if !goes_live && moment.secs - last.secs < 0.9 * step_secs => {
                if !last.live && !moment.live {
                    *last = moment;
                } else {
                    last.planted |= moment.planted;
                }
            }
            _ => kept.push(moment),
        }
    }
    round.moments = kept;
}

const COLUMNS: &str =
    "name the columns round, t, player, side, alive, live, nav_area (or x, y, z) and bomb_planted";

struct Columns {
    round: usize,
    t: usize,
    player: usize,
    side: usize,
    live: Option<usize>,
    alive: Option<usize>,
    planted: Option<usize>,
    area: Option<usize>,
    position: Option<[usize; 3]>,
}

impl Columns {
    fn find(head: &csv::StringRecord) -> Result<Self, CsvMistake> {
        let place = |name: &str| head.iter().position(|column| column.trim() == name);
        let need = |name: &str| {
            place(name).ok_or_else(|| mistake(1, "", format!("there is no column `{name}`"), COLUMNS))
        };
        let position = match (place("x"), place("y"), place("z")) {
            (Some(x), Some(y), Some(z)) => Some([x, y, z]),
            _ => None,
        };
        let columns = Columns {
            round: need("round")?,
            t: need("t")?,
            player: need("player")?,
            side: need("side")?,
            live: place("live"),
            alive: place("alive"),
            planted: place("bomb_planted"),
            area: place("nav_area"),
            position,
        };
        if columns.area.is_none() && columns.position.is_none() {
            need("nav_area")?;
        }
        Ok(columns)
    }
}

struct PlayReader<'a> {
    columns: Columns,
    index: BTreeMap<u32, u32>,
    places: &'a Graph,
    /// Whoever is beyond these, the least and the greatest x and y, is on no place.
    around: [[f64; 2]; 2],
    /// Rows of the living that are, and all of the living.
    far: usize,
    alive: usize,
    play: Play,
}

impl PlayReader<'_> {
    fn row(&mut self, record: &csv::StringRecord) -> Result<(), CsvMistake> {
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |what: String, remedy: &str| mistake(line, "", what, remedy);
        let cell = |column: usize, name: &str| {
            record.get(column).map(str::trim).ok_or_else(|| {
                wrong(format!("the line ends before `{name}`"), "give as many cells as there are columns")
            })
        };
        let flag = |column: Option<usize>, name: &str, default: bool| match column
            .and_then(|column| record.get(column))
            .map(str::trim)
        {
            Some("1" | "true" | "True" | "1.0") => Ok(true),
            Some("" | "0" | "false" | "False" | "0.0") => Ok(false),
            Some(text) => Err(wrong(
                format!("`{text}` is neither yes nor no for `{name}`"),
                "write 1 or 0, or true or false",
            )),
            None => Ok(default),
        };
        let columns = &self.columns;
        let t = cell(columns.t, "t")?;
        let secs: f64 =
            t.parse().ok().filter(|secs: &f64| secs.is_finite()).ok_or_else(|| {
                wrong(format!("`{t}` is no time"), "write seconds since the round went live")
            })?;
        let live = flag(columns.live, "live", secs >= 0.0)?;
        let planted = flag(columns.planted, "bomb_planted", false)?;
        let alive = flag(columns.alive, "alive", true)?;
        let (place, is_far) = match self.place(record) {
            Ok(found) => found,
            // Where the dead lie does not matter.
            Err(_) if !alive => (0, false),
            Err(what) => return Err(what),
        };
        self.alive += usize::from(alive);
        self.far += usize::from(alive && is_far);
        let columns = &self.columns;
        let player = number(&mut self.play.players, cell(columns.player, "player")?) as u16;
        let side = number(&mut self.play.sides, cell(columns.side, "side")?);
        if side > 200 || self.play.players.len() > 60_000 {
            return Err(wrong(
                "there are too many sides or players".to_owned(),
                "give at most 200 sides and 60000 players",
            ));
        }
        let name = cell(columns.round, "round")?;
        let rounds = &mut self.play.rounds;
        let round = match rounds.iter().rposition(|round| round.name == name) {
            Some(round) => round,
            None => {
                rounds.push(Round { name: name.to_owned(), ..Round::default() });
                rounds.len() - 1
            }
        };
        let moments = &mut rounds[round].moments;
        let moment = match moments.iter().rposition(|moment| moment.secs == secs) {
            Some(moment) => moment,
            None => {
                moments.push(Moment { secs, live, planted, who: Vec::new() });
                moments.len() - 1
            }
        };
        moments[moment].planted |= planted;
        let who = &mut moments[moment].who;
        if who.iter().any(|other| other.player == player) {
            let name = &self.play.players[usize::from(player)];
            return Err(wrong(
                format!("player {name} is there twice at t = {secs}"),
                "keep one row for each player and moment",
            ));
        }
        who.push(Who { player, side: side as u8, alive, place });
        Ok(())
    }

    /// The place that a row names or whose centre is nearest to its position; and whether that position is far outside the mesh.
    fn place(&self, record: &csv::StringRecord) -> Result<(u32, bool), CsvMistake> {
        let line = record.position().map_or(0, csv::Position::line);
        for (column, name) in self.columns.position.into_iter().flatten().zip(["x", "y", "z"]) {
            let text = record.get(column).map_or("", str::trim);
            if text.parse::<f64>().is_ok_and(|x| !x.is_finite()) {
                let what = format!("`{text}` is no position for `{name}`");
                return Err(mistake(line, "", what, "write lengths as numbers, or leave the cell empty"));
            }
        }
        let area = self.columns.area.and_then(|column| record.get(column)).map(str::trim).unwrap_or_default();
        let known = area.parse::<f64>().ok().and_then(|id| self.index.get(&(id as u32)).copied());
        if let Some(known) = known {
            return Ok((known, false));
        }
        let at = self.columns.position.and_then(|columns| {
            let mut at = [0.0; 3];
            for (x, column) in at.iter_mut().zip(columns) {
                *x = record.get(column)?.trim().parse::<f64>().ok().filter(|x| x.is_finite())?;
            }
            Some(at)
        });
        let Some(at) = at else {
            let what = format!("area `{area}` is not in the mesh and there is no position");
            return Err(mistake(line, "", what, "give the mesh of the same map, or x, y and z"));
        };
        let is_far = self.around.iter().zip(at).any(|(&[least, most], at)| !(least..=most).contains(&at));
        Ok((nearest(self.places, at), is_far))
    }
}

/// The rectangle around all places, with as much room on each side as it is long.
fn around(places: &Graph) -> [[f64; 2]; 2] {
    let sides = [0, 1].map(|axis| {
        let along = places.centres.iter().map(|centre| centre[axis]);
        along.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| [least.min(at), most.max(at)])
    });
    let room = sides.iter().map(|[least, most]| most - least).fold(0.0, f64::max);
    sides.map(|[least, most]| [least - room, most + room])
}

/// The number of a name, which gets one if it has none yet.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recorder, Row, Tick};

    fn ground() -> Ground {
        let places = Graph {
            ids: vec![4, 9],
            centres: vec![[0.0; 3], [10.0, 0.0, 0.0]],
            links: vec![vec![1], vec![0]],
            names: vec![String::new(); 2],
        };
        Ground { places, map: "halls".to_owned(), ..Ground::default() }
    }

    fn match_on(map: &str, map_source: &str) -> Vec<u8> {
        let mut header = Header::new("arena", map, 1, 0.1, ["a"]);
        header.map_source = map_source.to_owned();
        let mut recorder = Recorder::new(Vec::new(), header).expect("a good header");
        recorder.push(Tick { tick: 0, state_hash: 0, rows: vec![Row::of(0)] }).expect("a good tick");
        recorder.finish().expect("memory")
    }

    #[test]
    fn people_are_seen_once_a_second_in_rounds_of_two_minutes() {
        use crate::play::{Play as Match, Player, State};
        let player =
            |name: &str, team: &str| Player { name: name.into(), team: team.into(), ..Player::default() };
        let players = vec![player("ann", "red"), player("bob", "blue"), player("cy", "red")];
        let state = |player: u16, k: u32, x: f32| State {
            secs: f64::from(k) * 0.05,
            player,
            at: [x, 0.0, 24.0],
            is_alive: true,
            ..State::default()
        };
        // Ann stays, Bob is seen for the first minute only; units are Quake's.
        let mut states: Vec<State> = Vec::new();
        for k in 0..(150 * 20) {
            states.push(state(0, k, 0.0));
            if k < 60 * 20 {
                states.push(state(1, k, 320.0));
            }
        }
        let play = Match { map: "HALLS".into(), units_per_metre: 32.0, players, states, ..Match::default() };
        let rounds = of_people(&play, &ground()).expect("the same map");
        assert!(rounds.rounds.iter().all(|round| round.is_timeless && round.recorded_by.is_none()));
        assert_eq!(rounds.sides, ["blue", "red"]);
        assert_eq!(rounds.rounds.iter().map(|round| round.moments.len()).collect::<Vec<_>>(), [120, 30]);
        let first = &rounds.rounds[0].moments;
        assert!(!first[0].live && first[1].live, "where everybody begins is known");
        let who: Vec<_> = first[30].who.iter().map(|who| (who.player, who.side, who.place)).collect();
        assert_eq!(who, [(0, 1, 0), (1, 0, 1)], "Cy was never seen");
        assert_eq!(first[90].who.len(), 1, "and Bob no longer");
        let other = Match { map: "dm6".into(), ..play };
        assert!(matches!(of_people(&other, &ground()), Err(RoundsError::OtherMap { .. })));
    }

    #[test]
    fn a_client_recording_knows_who_looks_and_what_was_heard() {
        let row = |k: u32| {
            let (t, sent) = (f64::from(k) * 0.1, !(20..60).contains(&k));
            let other = if sent { format!("m,halls,bob,,0,{t:.1},320,0,24,0\n") } else { String::new() };
            format!("m,halls,ann,,1,{t:.1},0,0,24,0\n{other}")
        };
        let rows: String = (0..100).map(row).collect();
        let csv = format!("match,map,player,team,pov,t,x,y,z,yaw\n{rows}");
        let (play, _) = read(csv.clone().into_bytes(), "m", &ground()).expect("people's play");
        assert_eq!((play.rounds[0].recorded_by, play.sides.len()), (Some(0), 1));
        let sent: Vec<usize> = play.rounds[0].moments.iter().map(|moment| moment.who.len()).collect();
        assert_eq!(sent, [2, 2, 2, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(play.lives().len(), 3, "Bob has a way before and one after");
        let events = b"match,t,kind,actor,target,what,amount\nm,1.0,shot,bob,,sg,0\nm,4.0,shot,bob,,sg,0\nm,7.0,damage,ann,bob,sg,24\n";
        let (plays, _) = read_any(csv.as_bytes(), "m", Some(events)).expect("with events");
        let signs = &of_people(&plays[0], &ground()).expect("the same map").rounds[0].signs;
        assert_eq!(signs.len(), 2, "nobody knows where the second shot was: {signs:?}");
        assert_eq!((signs[0].player, signs[0].kind), (1, SignKind::Sound { place: 1 }));
        assert_eq!(signs[1].kind, SignKind::Hurt { amount: 24.0, by: 0 });
    }

    #[test]
    fn other_steps_are_kept_where_the_play_has_them_and_refused_where_not() {
        let row = |k: u32, every: f64| {
            format!("1,{:.2},a,T,{}\n", f64::from(k) * every - 0.15, [4, 9][k as usize % 2])
        };
        let csv = |every: f64| {
            let rows: String = (0..60).map(|k| row(k, every)).collect();
            format!("round,t,player,side,nav_area\n{rows}").into_bytes()
        };
        let moments = |step: f64| {
            let (play, _) = read_every(step, csv(0.15), "play", &ground()).expect("fine enough");
            (play.step_secs(), play.rounds[0].moments.len())
        };
        assert_eq!(moments(0.15), (0.15, 60));
        assert_eq!(moments(0.45), (0.45, 21), "every third, and the last before the round goes live");
        assert_eq!(moments(0.9), (0.9, 11));
        let refused = read_every(0.45, csv(1.0), "play", &ground()).expect_err("too coarse").to_string();
        assert!(
            refused.contains("about every 1 s, not every 0.45 s") && refused.contains("--step 1"),
            "{refused}"
        );
        for wrong in [0.0, -1.0, f64::NAN, 60.0] {
            let refused = read_every(wrong, csv(1.0), "play", &ground()).expect_err("no step");
            assert!(matches!(refused, RoundsError::Step(_)), "{refused}");
        }
    }

    #[test]
    fn a_match_on_another_map_is_refused() {
        let refused = read(match_on("yard", ""), "match", &ground()).expect_err("another map");
        assert!(matches!(refused, RoundsError::OtherMap { .. }), "{refused}");
        assert!(refused.to_string().contains("played on the map `yard`, the places are those of `halls`"));
        read(match_on("halls", ""), "match", &ground()).expect("the same map");
        // Where nobody says which map it is, there is nothing to compare.
        let unnamed = Ground { map: String::new(), ..ground() };
        read(match_on("yard", ""), "match", &unnamed).expect("nobody knows");
    }

    #[test]
    fn a_match_on_another_version_of_the_map_is_refused() {
        let known = Ground { map_source: Some("name = \"halls\"".to_owned()), ..ground() };
        let refused = read(match_on("halls", "name = \"halls\"\n# changed"), "match", &known);
        assert!(matches!(refused, Err(RoundsError::OtherVersion { .. })));
        read(match_on("renamed", "name = \"halls\"\n"), "match", &known).expect("the map itself is the same");
    }

    #[test]
    fn rows_of_another_map_are_refused_unless_they_are_few() {
        let rows = |far: u32| -> String {
            (0..10).map(|k| format!("1,{k},a,T,77,{},0,0\n", if k < far { 900.0 } else { 3.0 })).collect()
        };
        let read = |far: u32| {
            read(format!("round,t,player,side,nav_area,x,y,z\n{}", rows(far)).into(), "play", &ground())
        };
        read(5).expect("half of them are on the map");
        let refused = read(6).expect_err("most are not").to_string();
        assert!(refused.contains("6 of 10 rows") && refused.contains("another map"), "{refused}");
    }

    #[test]
    fn rows_of_other_games_with_numbers_that_are_none_are_refused() {
        for (row, what) in [
            ("1,NaN,a,T,9,0,0,0", "`NaN` is no time"),
            ("1,inf,a,T,9,0,0,0", "`inf` is no time"),
            ("1,0,a,T,9,NaN,0,0", "`NaN` is no position for `x`"),
            ("1,0,a,T,,0,0,-inf", "`-inf` is no position for `z`"),
            ("1,0,a,T,4,0,0,0,maybe", "`maybe` is neither yes nor no for `bomb_planted`"),
        ] {
            let text =
                format!("round,t,player,side,nav_area,x,y,z,bomb_planted\n1,-1,a,T,4,0,0,0,0\n{row}\n");
            let refused = read(text.into_bytes(), "play", &ground()).expect_err(row).to_string();
            assert!(
                refused.contains("line 3") && refused.contains(what) && refused.contains("remedy"),
                "{refused}"
            );
        }
    }
}
