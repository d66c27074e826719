//! Maps of the arena as places for trackers, and which of them see each other.

use repertoire_belief::Graph;
use repertoire_belief::evaluate::Sight;
use repertoire_mind::Place;
use repertoire_trace::nav::Ground;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;
use repertoire_worlds::arena::rules::Rules;

use super::BeliefError;

/// The points of a map of the arena as places; characters run as the arena's rules say.
pub fn of_level(level: &Level) -> Ground {
    let places = level.places();
    let count = places.points().len();
    let links = |s: usize| places.links(Place(s as u16)).iter().map(|link| u32::from(link.to.0)).collect();
    Ground {
        places: Graph {
            ids: (0..count as u32).collect(),
            centres: places.points().iter().map(|point| point.to_array()).collect(),
            links: (0..count).map(links).collect(),
            names: vec![String::new(); count],
        },
        map: level.map().name.clone(),
        map_source: Some(file::write(level.map())),
        run_speed: Some(Rules::default().run_m_per_sec),
    }
}

/// Which points of a map of the arena see which, for places that were made of it.
///
/// # Errors
/// When the places are not as many as the map has points.
pub fn sight_of_level(level: &Level, places: &Graph) -> Result<Sight, BeliefError> {
    let points = level.places().points().len();
    if points != places.len() {
        return Err(BeliefError::OtherMap { map: level.map().name.clone(), points, places: places.len() });
    }
    level.learn_sight();
    let all = || (0..places.len() as u16).map(Place);
    let row = |from: Place| {
        all().filter(|&to| level.places().sees(from, to) == Some(true)).map(|to| u32::from(to.0)).collect()
    };
    Ok(Sight { sees: all().map(row).collect() })
}
