//! Where opponents out of sight are believed to be. The character is never told; it works this out from what it perceives.
//!
//! The opponent walks the map's links with a goal: it goes the shortest way to a point, preferably one where an item
//! lies, and then to another. Which link follows which is then a table, counted over all goals; the hidden state of the
//! filter is the link it is on, so that the belief does not turn back in the middle of a corridor. How long it is on a
//! link is the link's length. What is in view and empty loses belief; noises and hits draw it their way. Where players were
//! recorded, [`Habits`] refine all of this by how they really walk.
//!
//! | for whom            | what it gives                                                       |
//! |---------------------|---------------------------------------------------------------------|
//! | low-level stimuli   | [`Beliefs::probable`]: points where an opponent probably is          |
//! | high-level stimuli  | [`Beliefs::p_near`]: the probability that an opponent is near        |
//! | decisions           | [`Beliefs::best_lookout`]: from where most of the belief is seen soon|
//! | pages               | [`Beliefs::expected`]: how many are at each point, on average        |

mod habits;
mod walk;
mod watched;

use std::sync::Arc;

use repertoire_belief::Filter;
use serde::{Deserialize, Serialize};

use crate::{Own, Percept, Place, Places, Sound, wrap_angle};
pub use habits::Habits;
use walk::MapTable;
pub use walk::MapWalk;
use watched::Watched;

/// How much of a point in view is really looked at: points stand for some metres around them.
const IN_VIEW: f64 = 0.85;
/// Half of the angle that surely is in view, as a cosine (40 degrees).
const VIEW_COS: f64 = 0.766;
/// How far off the direction of a hit and of a noise is, in radians; and how probable it is that another made it.
const HIT: (f64, f64) = (0.2, 0.05);
const NOISE: (f64, f64) = (0.5, 0.4);
/// Less belief in view than this is not worth a look.
const GAZE: f64 = 0.02;
/// The share of belief that is redrawn each step from anywhere, against being wrong.
const LEAK: f64 = 0.002;

/// What is believed about one opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Opponent {
    /// Its number in the match; none for somebody who was never seen.
    id: Option<u8>,
    filter: Filter,
    in_view: bool,
}

/// What a character believes about all opponents it knows of.
///
/// ```
/// use repertoire_mind::{Beliefs, Cells, DVec3, How, Link, Percept, Place, Places, SeenCharacter};
/// // A corridor of eleven points, two metres apart, in the dark: nobody sees from one to the next.
/// let points: Vec<DVec3> = (0..11).map(|k| DVec3::new(f64::from(k) * 2.0, 0.0, 0.0)).collect();
/// let walk = |to: u16| Link { to: Place(to), how: How::Walk, millis: 250 };
/// let links = (0..11u16).map(|k| [k.wrapping_sub(1), k + 1].into_iter().filter(|&to| to < 11).map(walk).collect());
/// let places = Places::new(points, links.collect(), Cells::default(), Vec::new(), Vec::new())?;
/// places.learn_sight(|_, _| false);
///
/// // Somebody runs past, to the east, and is out of sight from then on.
/// let mut beliefs = Beliefs::new();
/// let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
/// let (position, velocity) = (DVec3::new(8.0, 0.0, 0.0), DVec3::new(7.0, 0.0, 0.0));
/// percept.characters = vec![SeenCharacter { id: 1, position, velocity, weapon: None }];
/// beliefs.update(&percept, &places);
/// for tick in 1..8 {
///     beliefs.update(&Percept { tick, period_secs: 0.1, ..Percept::default() }, &places);
/// }
/// let (place, _) = beliefs.probable(1)[0];
/// assert!(place.0 > 4, "probably further east by now: {place:?}");
/// # Ok::<(), repertoire_mind::NoPlace>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Beliefs {
    opponents: Vec<Opponent>,
    life: u32,
    frags: i32,
    /// The decision of the last step.
    stepped: u32,
    /// For each link: how well it explains what was heard and felt since the last step.
    heard: Vec<f64>,
    expected: Vec<f64>,
    /// What follows from the map alone is made again after a restore.
    #[serde(skip)]
    walk: Option<Arc<MapWalk>>,
    /// Part of the design, so that it is not saved.
    #[serde(skip)]
    habits: Option<Arc<Habits>>,
    #[serde(skip)]
    map: Option<Arc<MapTable>>,
    /// What it learns of its opponents' ways; none if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watched: Option<Watched>,
    #[serde(skip)]
    scratch: Vec<f64>,
    #[serde(skip)]
    lookout: Vec<f64>,
    /// A number for each point: many links lead to one.
    #[serde(skip)]
    by_point: Vec<f64>,
    /// Whether beliefs have changed since they were last summed up; after a restore they may have.
    #[serde(skip)]
    summed_up: bool,
    #[serde(skip)]
    near: Option<Near>,
}

/// What [`Beliefs::p_near`] answered last: asked again about the same beliefs, the answer is the same.
#[derive(Clone, Debug)]
struct Near {
    here: Place,
    within_secs: f64,
    /// For each point, whether it is near.
    points: Vec<bool>,
    /// None since beliefs have changed.
    p: Option<f64>,
}

impl PartialEq for Beliefs {
    fn eq(&self, other: &Self) -> bool {
        (&self.opponents, self.life, self.frags, self.stepped, &self.heard, &self.watched)
            == (&other.opponents, other.life, other.frags, other.stepped, &other.heard, &other.watched)
    }
}

impl Beliefs {
    /// Knows nothing yet: somebody is somewhere.
    pub fn new() -> Self {
        Beliefs::default()
    }

    /// The same, knowing how players walk some maps.
    ///
    /// They are part of what a character is, not of its state: a belief that was saved and read back must be given them again.
    pub fn with_habits(mut self, habits: Arc<Habits>) -> Self {
        self.habits = Some(habits);
        self.walk = None;
        self
    }

    /// The same, learning how opponents walk from those it sees.
    pub fn watching(mut self) -> Self {
        self.watched = Some(Watched::default());
        self
    }

    /// From how many ways of opponents it has learned; none if it does not learn.
    pub fn learned(&self) -> Option<usize> {
        self.watched.as_ref().map(Watched::learned)
    }

    /// How surprising somebody's way is (points a second apart) to what it has learned of how opponents walk: nats, and how many choices
    /// there were. None if it does not learn; before its first percept nothing is known of any way.
    pub fn surprise(&self, way: &[Place], places: &Places) -> Option<(f64, usize)> {
        self.watched.as_ref()?;
        Some(self.walk.as_ref().map_or((0.0, 0), |walk| walk.nats(way, places)))
    }

    /// Takes in one percept.
    pub fn update(&mut self, percept: &Percept, places: &Places) {
        if self.watched.as_mut().is_some_and(|watched| watched.see(percept, places)) {
            self.walk = None;
        }
        if self.walk.is_none() {
            self.walk = self.make_walk(places, percept.period_secs).map(Arc::new);
        }
        let Some(walk) = self.walk.clone() else { return };
        let links = walk.to.len();
        self.scratch.resize(links, 1.0);
        if self.heard.len() != links {
            self.heard = vec![1.0; links];
            self.expected = vec![0.0; places.points().len()];
        }
        if self.opponents.is_empty() {
            let mut opponent = Opponent { id: None, filter: Filter::of(&walk.dynamics), in_view: false };
            begin_life(&mut opponent.filter, &walk);
            self.opponents.push(opponent);
        }
        if percept.own.frags > self.frags {
            // An opponent that was in view and vanished was killed, and comes back at any start.
            let seen = |id: Option<u8>| percept.characters.iter().any(|seen| Some(seen.id) == id);
            for opponent in self.opponents.iter_mut().filter(|o| o.in_view && !seen(o.id)) {
                begin_life(&mut opponent.filter, &walk);
                self.summed_up = false;
            }
        }
        (self.life, self.frags) = (percept.own.life, percept.own.frags);
        self.see(percept, places, &walk);
        self.hear(percept, places, &walk);
        if percept.tick >= self.stepped + walk.step_ticks || percept.tick < self.stepped {
            self.step(percept, places, &walk);
            self.stepped = percept.tick;
        }
        self.sum_up(&walk);
    }

    fn make_walk(&mut self, places: &Places, period_secs: f64) -> Option<MapWalk> {
        if self.map.is_none() {
            self.map = MapTable::of(places).map(Arc::new);
        }
        let recorded = self.habits.as_ref().and_then(|habits| habits.on(places));
        let watched = self.watched.as_ref().and_then(Watched::routes);
        self.map.as_ref()?.walk(places, period_secs, recorded.into_iter().chain(&watched))
    }

    fn see(&mut self, percept: &Percept, places: &Places, walk: &MapWalk) {
        let was_in_view = self.opponents.iter().any(|opponent| opponent.in_view);
        if was_in_view || !percept.characters.is_empty() {
            self.summed_up = false;
        }
        self.opponents.iter_mut().for_each(|opponent| opponent.in_view = false);
        for seen in &percept.characters {
            let known = self.opponents.iter().position(|opponent| opponent.id == Some(seen.id));
            // The first one seen is the somebody that was believed in.
            let known = known.or_else(|| self.opponents.iter().position(|opponent| opponent.id.is_none()));
            let k = known.unwrap_or_else(|| {
                self.opponents.push(Opponent {
                    id: None,
                    filter: Filter::of(&walk.dynamics),
                    in_view: false,
                });
                self.opponents.len() - 1
            });
            let opponent = &mut self.opponents[k];
            (opponent.id, opponent.in_view) = (Some(seen.id), true);
            let here = places.nearest(seen.position).0;
            let running = seen.velocity.truncate();
            self.scratch.fill(0.0);
            for (weight, (&from, &to)) in self.scratch.iter_mut().zip(walk.from.iter().zip(&walk.to)) {
                if from == here || to == here {
                    let line = places.point(Place(to)) - places.point(Place(from));
                    // Along its run rather than against it.
                    let along = line.truncate().normalize_or_zero().dot(running) / 4.0;
                    *weight = libm::exp(along.clamp(-4.0, 4.0)) * if to == here { 1.0 } else { 0.7 };
                }
            }
            let total: f64 = self.scratch.iter().sum();
            if total > 0.0 {
                self.scratch.iter_mut().for_each(|weight| *weight /= total);
                // A point with links cannot be impossible.
                let _ = opponent.filter.begin_unchecked(&self.scratch, &walk.ones);
            } else {
                begin_anywhere(&mut opponent.filter, walk);
            }
        }
    }

    fn hear(&mut self, percept: &Percept, places: &Places, walk: &MapWalk) {
        let own = &percept.own;
        let (by_point, heard) = (&mut self.by_point, &mut self.heard);
        let mut draw = |yaw: f64, (error, missed): (f64, f64)| {
            by_point.clear();
            by_point.extend(places.points().iter().map(|point| {
                let line = (*point - own.position).truncate();
                if line.length_squared() <= 1.0 {
                    return 1.0;
                }
                let off = wrap_angle(libm::atan2(line.y, line.x) - own.yaw - yaw) / error;
                missed + (1.0 - missed) * libm::exp(-0.5 * off * off)
            }));
            for (heard, &to) in heard.iter_mut().zip(&walk.to) {
                *heard *= by_point[usize::from(to)];
            }
        };
        percept.hits.iter().for_each(|hit| draw(hit.yaw, HIT));
        let far = |sound: Sound| matches!(sound, Sound::Shot | Sound::PickUp | Sound::Fall);
        for noise in percept.noises.iter().filter(|noise| far(noise.sound)) {
            draw(noise.yaw, (NOISE.0 * (1.2 - noise.loudness), NOISE.1));
        }
    }

    /// Everybody out of view moves, and is not where one looks.
    fn step(&mut self, percept: &Percept, places: &Places, walk: &MapWalk) {
        let own = &percept.own;
        let here = places.nearest(own.position);
        let (sin, cos) = libm::sincos(own.yaw);
        self.by_point.clear();
        self.by_point.extend((0..).map(Place).zip(places.points()).map(|(place, point)| {
            let line = (*point - own.position).truncate();
            let far = line.length();
            let ahead = far < 1.0 || line.x * cos + line.y * sin > VIEW_COS * far;
            let visible = if ahead && places.sees(here, place) == Some(true) { IN_VIEW } else { 0.0 };
            1.0 - visible
        }));
        for (likelihood, (&to, &heard)) in self.scratch.iter_mut().zip(walk.to.iter().zip(&self.heard)) {
            *likelihood = self.by_point[usize::from(to)] * heard;
        }
        self.summed_up = false;
        let leak = repertoire_belief::Leak { share: LEAK, prior: &walk.anywhere };
        for opponent in self.opponents.iter_mut().filter(|opponent| !opponent.in_view) {
            if opponent.filter.step_unchecked(&walk.dynamics, &self.scratch, leak).is_err() {
                begin_anywhere(&mut opponent.filter, walk);
            }
        }
        self.heard.fill(1.0);
    }

    fn sum_up(&mut self, walk: &MapWalk) {
        if std::mem::replace(&mut self.summed_up, true) {
            return;
        }
        if let Some(near) = &mut self.near {
            near.p = None;
        }
        self.expected.fill(0.0);
        for opponent in self.opponents.iter().filter(|opponent| !opponent.in_view) {
            for &link in opponent.filter.active() {
                self.expected[usize::from(walk.to[link as usize])] += opponent.filter.belief()[link as usize];
            }
        }
    }

    /// How many opponents out of view are at each point, on average.
    pub fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// The points where opponents most probably are, the most probable first, at most `most`.
    pub fn probable(&self, most: usize) -> Vec<(Place, f64)> {
        let mut points: Vec<(Place, f64)> = (0..).map(Place).zip(self.expected.iter().copied()).collect();
        points.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        points.truncate(most);
        points.retain(|point| point.1 > 0.0);
        points
    }

    /// The point where opponents most probably are, and how many are there on average; none if nobody is out of view.
    pub fn most_probable(&self) -> Option<(Place, f64)> {
        let points = (0..).map(Place).zip(self.expected.iter().copied());
        points.filter(|point| point.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }

    /// The probability that at least one opponent out of view is within `within_secs` of running.
    pub fn p_near(&mut self, here: Place, within_secs: f64, places: &Places) -> f64 {
        let Some(walk) = &self.walk else { return 0.0 };
        if self.near.as_ref().is_none_or(|near| (near.here, near.within_secs) != (here, within_secs)) {
            let is_near = |point: Place| {
                point == here || places.travel_secs(here, point).is_some_and(|secs| secs <= within_secs)
            };
            let points = (0..places.points().len() as u16).map(|point| is_near(Place(point))).collect();
            self.near = Some(Near { here, within_secs, points, p: None });
        }
        let Some(cached) = &mut self.near else { return 0.0 };
        if let Some(p) = cached.p {
            return p;
        }
        let near = |link: u32| cached.points[usize::from(walk.to[link as usize])];
        let mut nobody = 1.0;
        for opponent in self.opponents.iter().filter(|opponent| !opponent.in_view) {
            let belief = opponent.filter.belief();
            let there: f64 = opponent
                .filter
                .active()
                .iter()
                .filter(|&&link| near(link))
                .map(|&link| belief[link as usize])
                .sum();
            nobody *= (1.0 - there).max(0.0);
        }
        cached.p = Some(1.0 - nobody);
        1.0 - nobody
    }

    /// The yaw at which most of the belief is in view from here; none if too little is.
    pub fn best_gaze(&self, own: &Own, places: &Places) -> Option<f64> {
        const BINS: usize = 24;
        let here = places.nearest(own.position);
        let mut mass = [0.0; BINS];
        for (point, &p) in (0..).map(Place).zip(&self.expected) {
            if p > 1e-4 && places.sees(here, point) == Some(true) {
                let line = (places.point(point) - own.position).truncate();
                let turn = wrap_angle(libm::atan2(line.y, line.x)) / std::f64::consts::TAU + 0.5;
                // Near is urgent.
                mass[(turn * BINS as f64) as usize % BINS] += p / (1.0 + line.length() / 20.0);
            }
        }
        // A view is about a quarter of the circle wide.
        let view = |middle: usize| (0..5).map(|k| mass[(middle + BINS + k - 2) % BINS]).sum::<f64>();
        let mut best = (0, 0.0);
        for middle in 0..BINS {
            let yaw = ((middle as f64 + 0.5) / BINS as f64 - 0.5) * std::f64::consts::TAU;
            // What is already in front is looked at sooner.
            let worth = view(middle) * (1.2 + 0.3 * libm::cos(yaw - own.yaw));
            if worth > best.1 {
                best = (middle, worth);
            }
        }
        (best.1 > GAZE).then(|| ((best.0 as f64 + 0.5) / BINS as f64 - 0.5) * std::f64::consts::TAU)
    }

    /// The point from which most of the belief is seen for the way it takes, and how much is seen from there.
    pub fn best_lookout(&mut self, here: Place, places: &Places) -> Option<(Place, f64)> {
        let count = places.points().len();
        self.lookout.clear();
        self.lookout.resize(count, 0.0);
        for (at, &p) in self.expected.iter().enumerate().filter(|(_, p)| **p > 1e-4) {
            for (from, seen) in self.lookout.iter_mut().enumerate() {
                let sees = places.sees(Place(from as u16), Place(at as u16)).unwrap_or(from == at);
                // Nearer is surer: an opponent close by will be met, one far away is gone before anybody has aimed.
                let far = places.points()[from].distance(places.points()[at]);
                *seen += if sees { p / (1.0 + far / 15.0) } else { 0.0 };
            }
        }
        let mut best: Option<(Place, f64, f64)> = None;
        for (point, &seen) in (0..).map(Place).zip(&self.lookout) {
            let Some(secs) = (if point == here { Some(0.0) } else { places.travel_secs(here, point) }) else {
                continue;
            };
            if seen <= 0.0 || places.is_harmful(point) {
                continue;
            }
            let worth = seen / (secs + 1.5);
            if best.is_none_or(|(_, _, most)| worth > most) {
                best = Some((point, seen, worth));
            }
        }
        best.map(|(point, seen, _)| (point, seen))
    }
}

/// Where lives begin.
fn begin_life(filter: &mut Filter, walk: &MapWalk) {
    // The chances of beginning anywhere cannot be impossible.
    let _ = filter.begin_unchecked(&walk.begins, &walk.ones);
}

fn begin_anywhere(filter: &mut Filter, walk: &MapWalk) {
    // The chances of being anywhere cannot be impossible.
    let _ = filter.begin_unchecked(&walk.anywhere, &walk.ones);
}
