//! Places of a map from recorded sessions.

use std::collections::BTreeSet;

use rayon::prelude::*;
use repertoire_topology::compare::{Followed, follow};
use repertoire_topology::evaluate::{Order, Session, teach};
use repertoire_topology::{Learner, PlaceGraph, PlacesFile, places};
use repertoire_trace::movement::Recorded;
use serde::Serialize;

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
    /// How many sessions that was.
    pub sessions: usize,
    /// How many players it was of; sessions of [`learn_map`] that have the same name are one player's.
    pub players: usize,
}

/// What was learned of a map, in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedFigures {
    /// The share of changes from one nearest node to another that follow a link.
    pub changes_along_links: f64,
    /// Links between places.
    pub links: usize,
    /// The map.
    pub map: String,
    /// From a player to the nearest node, on the play that was learned from, in the play's units.
    pub mean_distance: f64,
    /// Places.
    pub nodes: usize,
    /// How many players were learned from.
    pub players: usize,
    /// How many positions, counting every pass.
    pub positions: u64,
    /// How many sessions.
    pub sessions: usize,
}

impl LearnedMap {
    /// The same in figures.
    pub fn figures(&self) -> LearnedFigures {
        LearnedFigures {
            changes_along_links: self.on_play.share(),
            links: self.places.links.len(),
            map: self.map.clone(),
            mean_distance: self.on_play.mean_distance,
            nodes: self.places.nodes.len(),
            players: self.players,
            positions: self.learner.inputs(),
            sessions: self.sessions,
        }
    }
}

/// Learns several maps at once, each by its own learner from its own recordings. The result does not depend on the number of threads.
/// `progress` is told every so often how many more positions were learned from.
///
/// # Errors
/// If a position is not finite.
pub fn learn_maps(
    lessons: Vec<(&str, &[Recorded], Learner)>,
    passes: u32,
    order: Order,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<LearnedMap>, TopologyError> {
    /// Telling every position would take longer than learning from it.
    const TOLD_EVERY: u64 = 1024;
    let learn = |(map, recorded, learner): (&str, &[Recorded], Learner)| {
        let mut seen: u64 = 0;
        learn_recorded(map, learner, recorded, passes, order, &mut || {
            seen += 1;
            if seen.is_multiple_of(TOLD_EVERY) {
                progress(TOLD_EVERY);
            }
        })
    };
    let learned: Vec<_> = lessons.into_par_iter().map(learn).collect();
    learned.into_iter().collect()
}

/// What was learned as a file of places.
pub fn places_file(learned: &[LearnedMap], units_per_metre: Option<f64>, passes: u32) -> PlacesFile {
    PlacesFile {
        format: Some(places::FORMAT.to_owned()),
        units_per_metre,
        settings: learned.first().map(|one| *one.learner.settings()),
        passes: Some(passes),
        levels: learned.iter().map(|one| (one.map.clone(), one.places.clone())).collect(),
    }
}

/// Learns a map from recordings, each of them a session of its player; see [`learn_map`].
pub fn learn_recorded(
    map: &str,
    learner: Learner,
    recorded: &[Recorded],
    passes: u32,
    order: Order,
    progress: &mut dyn FnMut(),
) -> Result<LearnedMap, TopologyError> {
    let sessions: Vec<Session> = recorded.iter().map(Recorded::session).collect();
    let learned = learn_map(map, learner, &sessions, passes, order, progress)?;
    Ok(LearnedMap { players: distinct(recorded.iter().map(|one| one.player.as_str())), ..learned })
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.collect::<BTreeSet<_>>().len()
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
    let players = distinct(sessions.iter().map(|session| session.name.as_str()));
    Ok(LearnedMap { map: map.to_owned(), learner, places, on_play, sessions: sessions.len(), players })
}
