//! Places learned from the play of native bots, and a bot that finds its way by them alone.

mod common;

use std::sync::{Arc, OnceLock};

use common::{bots, shipped};
use repertoire_mind::learned_places::{self, Ground};
use repertoire_mind::route::Route;
use repertoire_mind::{Command, Mind, Percept, Place, Places, RestoreError, turn_between};
use repertoire_prob::Stream;
use repertoire_topology::compare::follow;
use repertoire_topology::walks::Track;
use repertoire_topology::{Learner, LearnerSettings, PlaceGraph};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::rules::Rules;

const SECS: u32 = 400;

/// Four native bots play; where each of them was, life by life.
fn play(map: &str, seed: u64) -> Vec<Track> {
    let (_, level) = shipped().iter().find(|(name, _)| *name == map).expect("shipped");
    let mut game = Match::new(Arc::clone(level), Rules::default(), bots(&[3; 4]), seed);
    let period = game.world().rules().period_secs();
    let mut tracks: Vec<(u32, Track)> = vec![(0, Track::default()); 4];
    let mut done = Vec::new();
    for tick in 0..(f64::from(SECS) / period) as u32 {
        game.tick();
        for (id, (life, track)) in tracks.iter_mut().enumerate() {
            let own = &game.percepts()[id].own;
            // In the air nobody stands anywhere.
            if !game.world().is_alive(id) || !own.on_ground {
                continue;
            }
            if own.life != *life && !track.at.is_empty() {
                done.push(std::mem::take(track));
            }
            *life = own.life;
            track.secs.push(f64::from(tick) * period);
            track.at.push(own.position.to_array());
        }
    }
    done.extend(tracks.into_iter().map(|(_, track)| track));
    done
}

/// For navigation places may be closer together than people's in Unreal Tournament: the arena's rooms are small.
fn settings() -> LearnerSettings {
    LearnerSettings { reach: 3.0, cell: 1.0, ..LearnerSettings::default().in_units(1.0) }
}

fn learned_from(map: &str) -> &'static PlaceGraph {
    static LEVELS: OnceLock<std::sync::Mutex<Vec<(String, &'static PlaceGraph)>>> = OnceLock::new();
    let mut made = LEVELS.get_or_init(Default::default).lock().expect("no test failed before");
    if let Some((_, level)) = made.iter().find(|(name, _)| name == map) {
        return level;
    }
    let mut learner = Learner::new(settings()).expect("settings");
    learner.see_tracks(&play(map, 1)).expect("positions");
    let level: &'static PlaceGraph = Box::leak(Box::new(learner.places()));
    made.push((map.to_owned(), level));
    level
}

/// Walks from goal to goal and counts those it reached and those it gave up.
struct Walker {
    places: Option<Arc<Places>>,
    goals: Vec<Place>,
    route: Route,
    reached: Arc<std::sync::Mutex<(u32, u32)>>,
}

impl Mind for Walker {
    fn decide(&mut self, percept: &Percept, own_places: &Places, draw: &mut Stream) -> Command {
        let places = self.places.clone();
        let places = places.as_deref().unwrap_or(own_places);
        if self.route.goal().is_none() || self.route.is_hopeless() {
            if self.route.goal().is_some() {
                self.reached.lock().expect("one thread").1 += 1;
            }
            let k = (draw.unit() * self.goals.len() as f64) as usize;
            self.route.forget();
            self.route.set_goal(self.goals.get(k).copied());
        }
        match self.route.step(percept, places, draw) {
            None => {
                self.reached.lock().expect("one thread").0 += 1;
                self.route.forget();
                Command::default()
            }
            Some(step) => {
                let (sin, cos) = libm::sincos(percept.own.yaw);
                let heading = libm::atan2(step.way.y, step.way.x);
                Command {
                    forward: step.way.x * cos + step.way.y * sin,
                    lateral: step.way.y * cos - step.way.x * sin,
                    yaw: turn_between(percept.own.yaw, heading),
                    jump: step.jump,
                    ..Command::default()
                }
            }
        }
    }

    fn task(&self) -> &str {
        "walk"
    }

    fn why(&self) -> String {
        String::new()
    }

    fn save(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn restore(&mut self, _: &serde_json::Value) -> Result<(), RestoreError> {
        Ok(())
    }
}

/// Goals reached and given up within `seconds`, alone on a map.
fn walk(map: &str, places: Option<Arc<Places>>, goals: Vec<Place>) -> (u32, u32) {
    let (_, level) = shipped().iter().find(|(name, _)| *name == map).expect("shipped");
    let reached = Arc::new(std::sync::Mutex::new((0, 0)));
    let walker = Walker { places, goals, route: Route::default(), reached: Arc::clone(&reached) };
    let contender = Contender { name: "walker".to_owned(), mind: Box::new(walker) };
    let mut game = Match::new(Arc::clone(level), Rules::default(), vec![contender], 5);
    (0..6000).for_each(|_| game.tick());
    *reached.lock().expect("one thread")
}

#[test]
fn other_matches_follow_links_learned_from_one() {
    for map in ["halls", "keep"] {
        let followed = follow(learned_from(map), &play(map, 2));
        assert!(followed.share() > 0.92, "{map}: {followed:?}");
    }
}

#[test]
fn a_bot_finds_its_way_by_learned_places_alone() {
    for map in ["yard", "halls", "keep"] {
        let level = learned_from(map);
        let places = Arc::new(learned_places::places(level, Ground::default()).expect("nodes"));
        let goals: Vec<Place> = level.connected().into_iter().map(|k| Place(k as u16)).collect();
        let (reached, given_up) = walk(map, Some(places), goals.clone());
        let (_, own) = shipped().iter().find(|(name, _)| *name == map).expect("shipped");
        let all = (0..own.places().points().len() as u16).map(Place).collect();
        let (by_own_points, _) = walk(map, None, all);
        assert_eq!(goals.len(), level.nodes.len(), "{map}: there is a way from everywhere to everywhere");
        assert!(reached > 5 * given_up, "{map}: reached {reached}, given up {given_up}");
        assert!(
            f64::from(reached) > 0.8 * f64::from(by_own_points),
            "{map}: {reached} instead of {by_own_points}"
        );
    }
}

#[test]
fn bots_fight_on_maps_that_they_know_by_learned_places() {
    use repertoire_worlds::arena::level::Level;
    for (map, own) in shipped() {
        let level = Level::new(own.map().clone()).expect("shipped");
        let level = Arc::new(level.known_by(learned_from(map), 1.0).expect("nodes"));
        let reachable = level.places().spots().iter().filter(|spot| spot.place.is_some()).count();
        assert!(reachable > 0, "{map}: no item is near a place of {}", level.places().spots().len());
        let mut game = Match::new(level, Rules::default(), bots(&[3; 3]), 5);
        (0..1200).for_each(|_| game.tick());
        let frags: i32 = game.percepts().iter().map(|percept| percept.own.frags).sum();
        assert!(frags > 4, "{map}: {frags} frags in two minutes");
    }
}
