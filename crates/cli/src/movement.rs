//! Recorded movement: who was where and faced where, from a game's CSV or from our own recordings, plain or gzip.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_eval::signature::Moment;
use repertoire_topology::evaluate::Session;
use repertoire_topology::learner::FARTHEST;
use repertoire_topology::walks::Track;

use crate::belief::data::read;
use crate::trace::Source;

/// Units in a metre where nobody says otherwise: Unreal's in CSV; our recordings are in metres.
const UNREAL_PER_METRE: f64 = 50.0;

/// What one player did in one session.
pub(crate) struct Recorded {
    /// The map's name.
    pub map: String,
    /// The session, or the file of a match.
    pub session: String,
    /// The player, or the character.
    pub player: String,
    /// Moments in order.
    pub moments: Vec<Moment>,
    /// Whether the player was in the air, for each moment; empty where nobody knows.
    pub in_air: Vec<bool>,
    /// Whether every moment knows where the player faced.
    pub has_yaw: bool,
    /// Units in a metre.
    pub units_per_metre: f64,
}

impl Recorded {
    /// Its name in tables.
    pub(crate) fn name(&self) -> String {
        [&self.map, &self.session, &self.player]
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Its lives as tracks, without moments in the air: nobody stands there.
    pub(crate) fn session(&self) -> Session {
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

/// All recordings of some files, in the order of the files.
pub(crate) fn load(paths: &[impl AsRef<Path>]) -> Result<Vec<Recorded>> {
    let mut all = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let before = all.len();
        all.extend(load_one(path)?);
        if all[before..].iter().all(|one: &Recorded| one.moments.is_empty()) {
            bail!("{}: nobody is anywhere in it\n  remedy: give recorded play", path.display());
        }
    }
    let units = all.first().map(|one| one.units_per_metre);
    if all.iter().any(|one| Some(one.units_per_metre) != units) {
        anstream::eprintln!(
            "note: some files are in metres and some in Unreal units; lengths are told apart"
        );
    }
    Ok(all)
}

/// Recordings by map, of one map or of all; a map that is not there is refused with those that are.
pub(crate) fn by_map(all: Vec<Recorded>, map: Option<&str>) -> Result<BTreeMap<String, Vec<Recorded>>> {
    let mut maps: BTreeMap<String, Vec<Recorded>> = BTreeMap::new();
    for one in all {
        maps.entry(one.map.clone()).or_default().push(one);
    }
    let Some(wanted) = map else { return Ok(maps) };
    match maps.remove_entry(wanted) {
        Some((name, found)) => Ok(BTreeMap::from([(name, found)])),
        None => bail!("{}", not_there("play", wanted, maps.keys())),
    }
}

/// What to say when a map is asked for that is not there.
pub(crate) fn not_there<'a>(what: &str, wanted: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    let close = repertoire_authored::nearest(wanted, names.iter().copied());
    let hint = close.map_or(String::new(), |name| format!("did you mean `{name}`? "));
    format!("there is no map `{wanted}` in the {what}\n  remedy: {hint}it has {}", names.join(", "))
}

fn load_one(path: &Path) -> Result<Vec<Recorded>> {
    let bytes = read(path)?;
    if bytes.starts_with(b"PAR1") || bytes.starts_with(b"# format:") {
        return recording(path);
    }
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let head = rows.headers().with_context(|| path.display().to_string())?;
    let columns = Columns::find(head).map_err(|what| anyhow!("{}:1: {what}", path.display()))?;
    let stem = stem(path);
    let mut found: BTreeMap<[String; 3], usize> = BTreeMap::new();
    let mut all: Vec<Recorded> = Vec::new();
    let mut record = csv::StringRecord::new();
    while rows.read_record(&mut record).with_context(|| path.display().to_string())? {
        let line = record.position().map_or(0, csv::Position::line);
        let row = columns.row(&record).map_err(|what| anyhow!("{}:{line}: {what}", path.display()))?;
        let Some((who, moment, has_yaw)) = row else { continue };
        let next = all.len();
        let k = *found.entry(who.clone()).or_insert(next);
        if k == next {
            let [map, session, player] = who;
            all.push(Recorded {
                map: if columns.map.is_some() { map } else { stem.clone() },
                session,
                player,
                moments: Vec::new(),
                in_air: Vec::new(),
                has_yaw: true,
                units_per_metre: UNREAL_PER_METRE,
            });
        }
        all[k].moments.push(moment);
        all[k].has_yaw &= has_yaw;
    }
    Ok(all)
}

fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// One of our recordings: each character a player, the file a session.
fn recording(path: &Path) -> Result<Vec<Recorded>> {
    let mut source = Source::open(path)?;
    source.note_cut();
    let header = source.header().clone();
    let mut all: Vec<Recorded> = header
        .characters
        .iter()
        .map(|one| Recorded {
            map: header.map.clone(),
            session: format!("{}#{}", stem(path), one.id),
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
                all[k].moments.push(Moment {
                    secs: f64::from(tick.tick) * header.period_secs,
                    at: percept.own.position.to_array(),
                    yaw_deg: percept.own.yaw.to_degrees(),
                    life: percept.own.life,
                });
            }
        }
    }
    Ok(all)
}

struct Columns {
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
    fn find(head: &csv::StringRecord) -> Result<Self, String> {
        let place =
            |name: &str| head.iter().position(|column| column.trim().trim_start_matches('\u{feff}') == name);
        let need = |name: &str| {
            place(name).ok_or_else(|| {
                format!("there is no column `{name}`\n  remedy: name the columns map,session,player,life,t,x,y,z,yaw; t, x, y and z must be there")
            })
        };
        Ok(Columns {
            map: place("map"),
            session: place("session").or_else(|| place("round")),
            player: place("player"),
            life: place("life"),
            alive: place("alive"),
            yaw: place("yaw"),
            t: need("t")?,
            at: [need("x")?, need("y")?, need("z")?],
        })
    }

    /// Map, session and player; the moment; whether it says where the player faced. `None` for the dead.
    fn row(&self, record: &csv::StringRecord) -> Result<Option<([String; 3], Moment, bool)>, String> {
        let text = |column: Option<usize>| column.and_then(|k| record.get(k)).map_or("", str::trim);
        let number = |column: usize, name: &str| {
            let text = record.get(column).map(str::trim).ok_or_else(|| {
                format!("the line ends before `{name}`\n  remedy: give as many cells as there are columns")
            })?;
            let is_fine = |x: &f64| x.abs() <= FARTHEST;
            text.parse().ok().filter(is_fine).ok_or_else(|| {
                format!("`{text}` is no number for `{name}`\n  remedy: write seconds, lengths and degrees as numbers")
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
            life => {
                life.parse().map_err(|_| format!("`{life}` is no life\n  remedy: count lives 1, 2, 3"))?
            }
        };
        let at = [number(self.at[0], "x")?, number(self.at[1], "y")?, number(self.at[2], "z")?];
        let moment = Moment { secs: number(self.t, "t")?, at, yaw_deg: yaw_deg.unwrap_or(0.0), life };
        Ok(Some((who, moment, yaw_deg.is_some())))
    }
}
