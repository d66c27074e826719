//! Places of a map from recorded sessions.

use repertoire_topology::compare::{Followed, follow};
use repertoire_topology::evaluate::{Order, Session, teach};
use repertoire_topology::{Learner, PlaceGraph};

use super::TopologyError;

/// The places of one map, and how well they fit the play they were learned from.
#[derive(Clone, Debug)]
pub struct LearnedMap {
    /// The map's name.
    pub map: String,
    /// The learner, which can go on with more play.
    pub learner: Learner,
    /// What it learned: nodes and links.
    pub places: PlaceGraph,
    /// On the play that was learned from.
    pub on_play: Followed,
}

/// Goes through sessions `passes` times. `progress` hears of every position.
///
/// Fails, before anything is learned, if a position is none.
///
/// ```
/// use repertoire_eval::topology::learn::learn_map;
/// use repertoire_topology::evaluate::{Order, Session};
/// use repertoire_topology::walks::Track;
/// use repertoire_topology::{Learner, LearnerSettings};
///
/// let along = |k: u32| f64::from(k * 44 % 4000);
/// let at = (0..600).map(|k| [along(k).min(4000.0 - along(k)), 0.0, 0.0]).collect();
/// let secs = (0..600).map(|k| f64::from(k) * 0.1).collect();
/// let session = Session { name: "ann".to_owned(), tracks: vec![Track { secs, at }] };
/// let learner = Learner::new(LearnerSettings::default()).expect("settings that make sense");
/// let learned = learn_map("corridor", learner, &[session], 1, Order::InTurn, &mut || ())?;
/// assert!(learned.places.nodes.len() > 2 && learned.on_play.share() > 0.9);
/// # Ok::<(), repertoire_eval::topology::TopologyError>(())
/// ```
pub fn learn_map(
    map: &str,
    mut learner: Learner,
    sessions: &[Session],
    passes: u32,
    order: Order,
    progress: &mut dyn FnMut(),
) -> Result<LearnedMap, TopologyError> {
    let refer: Vec<&Session> = sessions.iter().collect();
    for _ in 0..passes {
        teach(&mut learner, &refer, order, &mut |_| progress()).map_err(TopologyError::position(map))?;
    }
    let places = learner.places();
    let on_play = follow(&places, sessions.iter().flat_map(|session| &session.tracks));
    Ok(LearnedMap { map: map.to_owned(), learner, places, on_play })
}
