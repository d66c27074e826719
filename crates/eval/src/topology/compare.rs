//! Learned places beside a designer's navigation points, map by map.

use std::collections::BTreeMap;

use repertoire_topology::compare::{Comparison, Followed, compare, follow};
use repertoire_topology::evaluate::Session;
use repertoire_topology::{PlaceGraph, PlacesFile};
use repertoire_trace::movement::{NoSuchMap, not_there};
use serde::Serialize;
use serde_json::{Map, Value};

use super::TopologyError;

/// The places of one map beside its navigation points.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedMap {
    /// The map's name.
    pub map: String,
    /// Sensitivity, specificity and distances.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// How many links the places have.
    pub links: usize,
    /// Both on play; absent where there is none of this map.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub play: Option<OnPlay>,
}

/// Places and navigation points beside where players were.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OnPlay {
    /// How many positions the players had.
    pub positions: usize,
    /// From a player to the nearest node, on average.
    pub mean_distance_from_players: f64,
    /// From a player to the nearest navigation point, on average.
    pub mean_distance_from_players_to_navigation_points: f64,
    /// How often the nearest node changed.
    pub changes: usize,
    /// The share of changes that follow a link in its direction.
    pub changes_along_links: f64,
    /// The share of changes that follow a link in either direction.
    pub changes_along_links_either_way: f64,
}

impl OnPlay {
    fn of(places: &Followed, points: &Followed) -> Self {
        OnPlay {
            positions: places.positions,
            mean_distance_from_players: places.mean_distance,
            mean_distance_from_players_to_navigation_points: points.mean_distance,
            changes: places.changes,
            changes_along_links: places.share(),
            changes_along_links_either_way: places.share_either_way(),
        }
    }
}

/// Compares the places with the navigation points of every map that both have, in the order of names.
///
/// One graph without a name stands for whatever single map the other side has. `play` is what the places should be judged on, by
/// map: play that they were not learned from. Fails if no map is on both sides.
///
/// ```
/// use std::collections::BTreeMap;
/// use repertoire_eval::topology::compare::compare_maps;
/// use repertoire_topology::{PlaceGraph, PlaceNode};
///
/// let at = |x: f64| PlaceGraph { nodes: vec![PlaceNode::at(0, [x, 0.0, 0.0])], ..PlaceGraph::default() };
/// let places = BTreeMap::from([("yard".to_owned(), at(0.0))]);
/// let points = BTreeMap::from([(String::new(), at(5.0))]); // a file of one map, without its name
/// let rows = compare_maps(places, points, &BTreeMap::new())?;
/// assert_eq!(rows[0].comparison.mean_distance_to_nodes, Some(5.0));
/// # Ok::<(), repertoire_eval::topology::TopologyError>(())
/// ```
pub fn compare_maps(
    mut places: BTreeMap<String, PlaceGraph>,
    mut points: BTreeMap<String, PlaceGraph>,
    play: &BTreeMap<String, Vec<Session>>,
) -> Result<Vec<ComparedMap>, TopologyError> {
    adopt_name(&mut places, &points);
    adopt_name(&mut points, &places);
    let mut rows = Vec::new();
    for (map, level) in &places {
        let Some(nav) = points.get(map) else { continue };
        let play = play.get(map).map(|sessions| {
            let tracks = || sessions.iter().flat_map(|session| &session.tracks);
            OnPlay::of(&follow(level, tracks()), &follow(nav, tracks()))
        });
        let comparison = compare(&level.positions(), &nav.positions());
        rows.push(ComparedMap { map: map.clone(), comparison, links: level.links.len(), play });
    }
    if rows.is_empty() {
        let names = |maps: BTreeMap<String, PlaceGraph>| maps.into_keys().collect();
        return Err(TopologyError::NoCommonMap { places: names(places), points: names(points) });
    }
    Ok(rows)
}

/// Maps compared, and every number of them on average.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedReport {
    /// Each number's mean over the maps that have it; of a single map its own numbers and its name.
    #[serde(flatten)]
    pub mean: Map<String, Value>,
    /// Each map.
    pub maps: Vec<ComparedMap>,
}

impl ComparedReport {
    /// The report of these maps. Fails only if a number cannot be written as JSON.
    pub fn of(maps: Vec<ComparedMap>) -> Result<Self, serde_json::Error> {
        let mut mean = Map::new();
        let values = maps.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?;
        if let [Value::Object(only)] = &values[..] {
            return Ok(ComparedReport { mean: only.clone(), maps });
        }
        for key in values.iter().filter_map(|value| value.as_object()).flat_map(|object| object.keys()) {
            let numbers: Vec<f64> = values.iter().filter_map(|value| value.get(key)?.as_f64()).collect();
            if numbers.is_empty() || mean.contains_key(key) {
                continue;
            }
            let whole = values.iter().all(|value| value.get(key).is_none_or(Value::is_u64));
            let average = numbers.iter().sum::<f64>() / numbers.len() as f64;
            mean.insert(key.clone(), if whole { (average * 10.0).round() / 10.0 } else { average }.into());
        }
        Ok(ComparedReport { mean, maps })
    }
}

/// Gives one graph without a name the name of the only one on the other side.
fn adopt_name(own: &mut BTreeMap<String, PlaceGraph>, other: &BTreeMap<String, PlaceGraph>) {
    let mut names = other.keys();
    if own.len() == 1
        && let (Some(name), None) = (names.next(), names.next())
        && let Some(level) = own.remove("")
    {
        own.insert(name.clone(), level);
    }
}

/// The levels of a file of places or navigation points (`what`): all, or only that of a map.
///
/// # Errors
/// If the file does not have the map.
pub fn levels_of(
    file: PlacesFile,
    map: Option<&str>,
    what: &str,
) -> Result<BTreeMap<String, PlaceGraph>, NoSuchMap> {
    let mut levels = file.levels;
    let Some(wanted) = map else { return Ok(levels) };
    if let Some(level) = levels.remove(wanted) {
        return Ok(BTreeMap::from([(wanted.to_owned(), level)]));
    }
    // A file of one level without a name is of the map that is asked for.
    if let (1, Some(level)) = (levels.len(), levels.remove("")) {
        return Ok(BTreeMap::from([(wanted.to_owned(), level)]));
    }
    Err(not_there(what, wanted, levels.keys()))
}
