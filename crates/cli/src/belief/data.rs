//! The formats of recorded play and of its maps: CSV and JSON, plain or gzip.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use repertoire_belief::evaluate::Sight;
use repertoire_belief::play::{Moment, Play, Round, Who};
use repertoire_belief::{Graph, Model};
use repertoire_mind::Place;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;
use serde::Deserialize;

use crate::arena::maps;
use crate::trace::source::Source;
pub(crate) use crate::trace::source::read;

#[derive(Deserialize)]
struct NavFile {
    #[serde(default)]
    map: String,
    areas: Vec<NavArea>,
}

#[derive(Deserialize)]
struct NavArea {
    id: u32,
    #[serde(default)]
    place: Option<String>,
    center: [f64; 3],
    #[serde(default)]
    conn: Vec<Vec<u32>>,
}

/// Places and what else a map tells.
pub(crate) struct Ground {
    /// The places.
    pub places: Graph,
    /// The map's name.
    pub map: String,
    /// How fast people run, in its units a second, where the map tells.
    pub run_speed: Option<f64>,
}

/// The areas of a navigation mesh; or the points of an arena's map, by its name or file.
pub(crate) fn places(path: &Path) -> Result<Ground> {
    match arena(path)? {
        Some((map, level)) => {
            Ok(Ground { places: points(&level), map, run_speed: Some(Rules::default().run_m_per_sec) })
        }
        None => mesh(path).map(|(places, map)| Ground { places, map, run_speed: None }),
    }
}

/// An arena's map, if it is one: a name, or a file that is no JSON.
fn arena(path: &Path) -> Result<Option<(String, Arc<Level>)>> {
    let written = path.to_string_lossy();
    let is_json = written.ends_with(".json") || written.ends_with(".gz");
    if is_json || (path.is_file() && read(path)?.trim_ascii_start().starts_with(b"{")) {
        return Ok(None);
    }
    maps::find(&written).map(Some)
}

/// The points of an arena's map as places.
fn points(level: &Level) -> Graph {
    let places = level.places();
    let count = places.points().len();
    let links = |s: usize| places.links(Place(s as u16)).iter().map(|link| u32::from(link.to.0)).collect();
    Graph {
        ids: (0..count as u32).collect(),
        centres: places.points().iter().map(|point| point.to_array()).collect(),
        links: (0..count).map(links).collect(),
        names: vec![String::new(); count],
    }
}

fn mesh(path: &Path) -> Result<(Graph, String)> {
    let nav: NavFile = serde_json::from_slice(&read(path)?).map_err(|error| {
        anyhow!(
            "{}: {error}\n  remedy: give a mesh as JSON with `areas` that have `id`, `center` and `conn`",
            path.display()
        )
    })?;
    if nav.areas.is_empty() || nav.areas.len() >= usize::from(u16::MAX) {
        bail!("{}: a mesh needs between 1 and 65534 areas; this one has {}", path.display(), nav.areas.len());
    }
    let mut index = BTreeMap::new();
    for (k, area) in nav.areas.iter().enumerate() {
        if index.insert(area.id, k as u32).is_some() {
            bail!("{}: there are two areas with the id {}\n  remedy: take one out", path.display(), area.id);
        }
        if area.center.iter().any(|x| !x.is_finite()) {
            bail!("{}: the centre of area {} is no position", path.display(), area.id);
        }
    }
    // A link to an area that is not there leads nowhere.
    let links = |area: &NavArea| area.conn.iter().flatten().filter_map(|id| index.get(id).copied()).collect();
    let graph = Graph {
        ids: nav.areas.iter().map(|area| area.id).collect(),
        centres: nav.areas.iter().map(|area| area.center).collect(),
        links: nav.areas.iter().map(links).collect(),
        names: nav.areas.iter().map(|area| area.place.clone().unwrap_or_default()).collect(),
    };
    Ok((graph, nav.map))
}

#[derive(Deserialize)]
struct VisibilityFile {
    area_ids: Vec<u32>,
    visible: Vec<Vec<u32>>,
}

/// Which places see which, from a file or from an arena's map. A place that the file does not name sees itself only.
pub(crate) fn sight(path: &Path, places: &Graph) -> Result<Sight> {
    if let Some((map, level)) = arena(path)? {
        if level.places().points().len() != places.len() {
            bail!(
                "the map `{map}` has {} points, the model {} places\n  remedy: name the map that it was learned on",
                level.places().points().len(),
                places.len()
            );
        }
        level.learn_sight();
        let all = || (0..places.len() as u16).map(Place);
        let row = |from: Place| {
            all()
                .filter(|&to| level.places().sees(from, to) == Some(true))
                .map(|to| u32::from(to.0))
                .collect()
        };
        return Ok(Sight { sees: all().map(row).collect() });
    }
    let file: VisibilityFile = serde_json::from_slice(&read(path)?).map_err(|error| {
        anyhow!(
            "{}: {error}\n  remedy: give JSON with `area_ids` and `visible`, a list of indices for each",
            path.display()
        )
    })?;
    if file.area_ids.len() != file.visible.len() {
        bail!(
            "{}: {} area_ids and {} lists of visible areas\n  remedy: give a list for each",
            path.display(),
            file.area_ids.len(),
            file.visible.len()
        );
    }
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let known: Vec<Option<u32>> = file.area_ids.iter().map(|id| index.get(id).copied()).collect();
    let mut sees: Vec<Vec<u32>> = (0..places.len() as u32).map(|s| vec![s]).collect();
    let mut found = 0;
    for (from, row) in known.iter().zip(&file.visible) {
        let Some(from) = *from else { continue };
        found += 1;
        for &to in row {
            let to = known.get(to as usize).with_context(|| {
                format!("{}: `visible` names index {to}, there are {} areas", path.display(), known.len())
            })?;
            sees[from as usize].extend(to);
        }
    }
    if found == 0 {
        bail!(
            "{}: none of its areas is in the model\n  remedy: give the visibility of the same map",
            path.display()
        );
    }
    for row in &mut sees {
        row.sort_unstable();
        row.dedup();
    }
    Ok(Sight { sees })
}

/// A model.
pub(crate) fn model(path: &Path) -> Result<Model> {
    let remedy = "make one with `repertoire belief fit`";
    let model: Model = serde_json::from_slice(&read(path)?)
        .map_err(|error| anyhow!("{}: {error}\n  remedy: {remedy}", path.display()))?;
    model.check().map_err(|what| anyhow!("{}: {what}\n  remedy: {remedy}", path.display()))?;
    Ok(model)
}

/// Seconds between moments that are kept: recordings with more are thinned.
const PERIOD_SECS: f64 = 1.0;

/// A recording of the arena: a moment a second, every character a side of its own.
fn recording(path: &Path, places: &Graph) -> Result<Play> {
    let mut source = Source::open(path)?;
    let header = source.header().clone();
    let names: Vec<String> = header.characters.iter().map(|one| format!("{} {}", one.id, one.name)).collect();
    let every = (PERIOD_SECS / header.period_secs).round().max(1.0) as u32;
    let mut round = Round { name: path.display().to_string(), moments: Vec::new() };
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
        let secs = f64::from(tick.tick) * header.period_secs - PERIOD_SECS;
        round.moments.push(Moment { secs, live: tick.tick > 0, planted: false, who });
    }
    Ok(Play { players: names.clone(), sides: names, rounds: vec![round] })
}

/// The place whose centre is nearest.
fn nearest(places: &Graph, at: [f64; 3]) -> u32 {
    let far = |s: u32| {
        let centre = places.centres[s as usize];
        (0..3).map(|k| (centre[k] - at[k]) * (centre[k] - at[k])).sum::<f64>()
    };
    (1..places.len() as u32).fold(0, |best, s| if far(s) < far(best) { s } else { best })
}

/// Recorded play, its areas found among the places.
pub(crate) fn play(path: &Path, places: &Graph) -> Result<Play> {
    let bytes = read(path)?;
    if bytes.starts_with(b"PAR1") || bytes.starts_with(b"# format:") {
        return recording(path, places);
    }
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let columns = Columns::find(rows.headers().with_context(|| path.display().to_string())?)
        .map_err(|what| anyhow!("{}, line 1: {what}", path.display()))?;
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let mut reader = PlayReader { columns, index, places, play: Play::default() };
    let mut record = csv::StringRecord::new();
    loop {
        let more = rows.read_record(&mut record).with_context(|| path.display().to_string())?;
        if !more {
            break;
        }
        let line = record.position().map_or(0, csv::Position::line);
        reader.row(&record).map_err(|what| anyhow!("{}, line {line}: {what}", path.display()))?;
    }
    let mut play = reader.play;
    if play.rounds.is_empty() {
        bail!("{}: there is no row in it\n  remedy: give recorded play", path.display());
    }
    play.rounds.iter_mut().for_each(thin);
    Ok(play)
}

/// Keeps about one moment a second: the last before the round goes live, and from the first live one on.
fn thin(round: &mut Round) {
    round.moments.sort_by(|a, b| a.secs.total_cmp(&b.secs));
    let mut kept: Vec<Moment> = Vec::new();
    for moment in std::mem::take(&mut round.moments) {
        let goes_live = moment.live && kept.last().is_some_and(|last| !last.live);
        match kept.last_mut() {
            Some(last) if !goes_live && moment.secs - last.secs < 0.9 * PERIOD_SECS => {
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
    fn find(head: &csv::StringRecord) -> Result<Self, String> {
        let place = |name: &str| head.iter().position(|column| column.trim() == name);
        let need = |name: &str| {
            place(name).ok_or_else(|| {
                format!("there is no column `{name}`\n  remedy: name the columns round, t, player, side, alive, live, nav_area (or x, y, z) and bomb_planted")
            })
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
    play: Play,
}

impl PlayReader<'_> {
    fn row(&mut self, record: &csv::StringRecord) -> Result<(), String> {
        let cell = |column: usize, name: &str| {
            record.get(column).map(str::trim).ok_or_else(|| format!("the line ends before `{name}`"))
        };
        let flag = |column: Option<usize>, default: bool| match column.and_then(|column| record.get(column)) {
            Some(text) => matches!(text.trim(), "1" | "true" | "True" | "1.0"),
            None => default,
        };
        let columns = &self.columns;
        let t = cell(columns.t, "t")?;
        let secs: f64 =
            t.parse().ok().filter(|secs: &f64| secs.is_finite()).ok_or_else(|| {
                format!("`{t}` is no time\n  remedy: write seconds since the round went live")
            })?;
        let (live, planted) = (flag(columns.live, secs >= 0.0), flag(columns.planted, false));
        let alive = flag(columns.alive, true);
        let place = match self.place(record) {
            Ok(place) => place,
            // Where the dead lie does not matter.
            Err(_) if !alive => 0,
            Err(what) => return Err(what),
        };
        let player = number(&mut self.play.players, cell(columns.player, "player")?) as u16;
        let side = number(&mut self.play.sides, cell(columns.side, "side")?);
        if side > 200 || self.play.players.len() > 60_000 {
            return Err("there are too many sides or players".to_owned());
        }
        let name = cell(columns.round, "round")?;
        let rounds = &mut self.play.rounds;
        let round = match rounds.iter().rposition(|round| round.name == name) {
            Some(round) => round,
            None => {
                rounds.push(Round { name: name.to_owned(), moments: Vec::new() });
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
            return Err(format!(
                "player {} is there twice at t = {secs}",
                self.play.players[usize::from(player)]
            ));
        }
        who.push(Who { player, side: side as u8, alive, place });
        Ok(())
    }

    fn place(&self, record: &csv::StringRecord) -> Result<u32, String> {
        let area = self.columns.area.and_then(|column| record.get(column)).map(str::trim).unwrap_or_default();
        let known = area.parse::<f64>().ok().and_then(|id| self.index.get(&(id as u32)).copied());
        if let Some(known) = known {
            return Ok(known);
        }
        let at = self.columns.position.and_then(|columns| {
            let mut at = [0.0; 3];
            for (x, column) in at.iter_mut().zip(columns) {
                *x = record.get(column)?.trim().parse::<f64>().ok().filter(|x| x.is_finite())?;
            }
            Some(at)
        });
        let Some(at) = at else {
            return Err(format!(
                "area `{area}` is not in the mesh and there is no position\n  remedy: give the mesh of the same map, or x, y and z"
            ));
        };
        Ok(nearest(self.places, at))
    }
}

/// The number of a name, which gets one if it has none yet.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// Several files of recorded play as one.
pub(crate) fn all_play(paths: &[std::path::PathBuf], places: &Graph) -> Result<Play> {
    let mut all = Play::default();
    for path in paths {
        let play = play(path, places)?;
        let players: Vec<u16> =
            play.players.iter().map(|name| number(&mut all.players, name) as u16).collect();
        let sides: Vec<u8> = play.sides.iter().map(|name| number(&mut all.sides, name) as u8).collect();
        for mut round in play.rounds {
            for who in round.moments.iter_mut().flat_map(|moment| &mut moment.who) {
                who.player = players[usize::from(who.player)];
                who.side = sides[usize::from(who.side)];
            }
            all.rounds.push(round);
        }
    }
    Ok(all)
}
