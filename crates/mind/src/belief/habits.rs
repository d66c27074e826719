//! Habits: how players were seen to walk maps, for beliefs that know it.

use glam::DVec3;
use repertoire_belief::Model;

use crate::Places;

/// A model's place and a map's point nearer than this are the same.
const SAME_M: f64 = 0.01;

/// How players walk some maps: made of models that `belief fit` learned from recorded play.
///
/// A model counts on the map whose points it was learned on; elsewhere beliefs follow from the map alone.
#[derive(Debug, Default)]
pub struct Habits {
    maps: Vec<Routes>,
}

/// Recorded ways on one map.
#[derive(Debug)]
pub(super) struct Routes {
    points: Vec<DVec3>,
    pub period_secs: f64,
    /// Numbers of points, a step apart.
    pub ways: Vec<Vec<u16>>,
    /// Whether each way is a life from its beginning on, and not what happened to be in view of one.
    pub are_lives: bool,
}

impl Routes {
    /// Ways that were watched, on the points of the map that is played.
    pub fn of(period_secs: f64, ways: Vec<Vec<u16>>) -> Self {
        Routes { points: Vec::new(), period_secs, ways, are_lives: false }
    }
}

impl Habits {
    /// Nobody's yet.
    pub fn new() -> Self {
        Habits::default()
    }

    /// The same, also knowing a model; with a name, only how that player walks, if the model has met them.
    pub fn with(mut self, model: &Model, player: Option<&str>) -> Self {
        let met = player.and_then(|name| Self::player(model, name));
        let lives = model.lives.iter().filter(|life| met.is_none_or(|met| usize::from(life.player) == met));
        // A model has fewer than 65,536 places.
        let ways = lives.map(|life| life.places.iter().map(|&place| place as u16).collect()).collect();
        let points = model.places.centres.iter().map(|&centre| DVec3::from_array(centre)).collect();
        self.maps.push(Routes { points, period_secs: model.period_secs, ways, are_lives: true });
        self
    }

    /// The number of a player whom a model has met: `1 hunter` as recordings write it, or `hunter` if there was only one.
    pub fn player(model: &Model, name: &str) -> Option<usize> {
        let plain = |known: &str| known.split_once(' ').is_some_and(|(_, plain)| plain == name);
        let mut alike = (0..).zip(&model.players).filter(|(_, known)| plain(known)).map(|(number, _)| number);
        let exact = model.players.iter().position(|known| known == name);
        exact.or_else(|| alike.next().filter(|_| alike.next().is_none()))
    }

    /// Whether something is known of a map.
    pub fn know(&self, places: &Places) -> bool {
        self.on(places).is_some()
    }

    pub(super) fn on(&self, places: &Places) -> Option<&Routes> {
        let is_same = |routes: &&Routes| {
            routes.points.len() == places.points().len()
                && routes.points.iter().zip(places.points()).all(|(a, b)| a.distance(*b) < SAME_M)
        };
        self.maps.iter().rev().find(is_same)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use repertoire_belief::Graph;
    use repertoire_belief::model::FitSettings;
    use repertoire_belief::play::{Moment, Play, Round, Who};

    use super::*;
    use crate::{Beliefs, Cells, How, Link, Percept, Place, SeenCharacter};

    /// A corridor from point 0 to point 1, where it forks into two of equal length: to 2, and to 3.
    fn fork() -> Places {
        let points = [(0.0, 0.0), (4.0, 0.0), (8.0, 3.0), (8.0, -3.0)];
        let points = points.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
        let walk = |to: u16| Link { to: Place(to), how: How::Walk, millis: 1000 };
        let links = vec![vec![walk(1)], vec![walk(0), walk(2), walk(3)], vec![walk(1)], vec![walk(1)]];
        let places =
            Places::new(points, links, Cells::default(), Vec::new(), Vec::new()).expect("four points");
        places.learn_sight(|_, _| false);
        places
    }

    /// Two players, each of whom always takes the same branch.
    fn model(places: &Places) -> Model {
        let graph = Graph {
            ids: (0..4).collect(),
            centres: places.points().iter().map(|point| point.to_array()).collect(),
            links: vec![vec![1], vec![0, 2, 3], vec![1], vec![1]],
            names: vec![String::new(); 4],
        };
        let lefty = [0, 1, 2, 1];
        let righty = [0, 1, 3, 1];
        let at = |step: u32| Moment {
            secs: f64::from(step),
            live: true,
            planted: false,
            who: [lefty, righty]
                .iter()
                .zip(0..)
                .map(|(way, player)| Who { player, side: 0, alive: true, place: way[step as usize % 4] })
                .collect(),
        };
        let round = Round { name: "1".into(), moments: (0..40).map(at).collect(), ..Round::default() };
        let players = vec!["lefty".into(), "righty".into()];
        let play = Play { players, sides: vec!["all".into()], rounds: vec![round] };
        Model::fit("fork", graph, &play, FitSettings::default()).expect("four places")
    }

    /// How much is believed of points 2 and 3, some time after somebody ran along the corridor towards the fork.
    fn believed(places: &Places, habits: Option<Habits>) -> (f64, f64) {
        let mut beliefs = Beliefs::new();
        if let Some(habits) = habits {
            beliefs = beliefs.with_habits(Arc::new(habits));
        }
        let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
        percept.own.position = DVec3::new(-50.0, 0.0, 0.0);
        let (position, velocity) = (DVec3::new(1.0, 0.0, 0.0), DVec3::new(4.0, 0.0, 0.0));
        percept.characters = vec![SeenCharacter { id: 1, position, velocity, weapon: None }];
        beliefs.update(&percept, places);
        percept.characters.clear();
        for tick in 1..25 {
            percept.tick = tick;
            beliefs.update(&percept, places);
        }
        (beliefs.expected()[2], beliefs.expected()[3])
    }

    #[test]
    fn who_is_known_to_turn_right_is_believed_to_the_right() {
        let places = fork();
        let (left, right) = believed(&places, None);
        assert!((left - right).abs() < 1e-9, "the map alone says nothing: {left}, {right}");
        let (left, right) = believed(&places, Some(Habits::new().with(&model(&places), Some("righty"))));
        assert!(right > 3.0 * left, "{left}, {right}");
        let (left, right) = believed(&places, Some(Habits::new().with(&model(&places), None)));
        assert!((left / right - 1.0).abs() < 0.1, "together they go both ways: {left}, {right}");
    }

    /// Somebody walks the right branch in view, again and again, for several lives of who watches.
    fn watch(beliefs: &mut Beliefs, places: &Places, ticks: u32) {
        let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
        percept.own.position = DVec3::new(-50.0, 0.0, 0.0);
        let way = [0, 1, 3, 1];
        for tick in 1..=ticks {
            percept.tick = tick;
            percept.own.life = 1 + tick / 100;
            // A second of each four it is out of view, so that ways end.
            let position = places.point(Place(way[(tick / 10 % 4) as usize]));
            let seen = SeenCharacter { id: 1, position, velocity: DVec3::ZERO, weapon: None };
            percept.characters = if tick / 40 % 3 < 2 { vec![seen] } else { Vec::new() };
            beliefs.update(&percept, places);
        }
    }

    #[test]
    fn who_watches_learns_where_opponents_go_and_is_saved_with_it() {
        let places = fork();
        let mut watcher = Beliefs::new().watching();
        watch(&mut watcher, &places, 900);
        assert!(watcher.learned().is_some_and(|ways| ways > 3), "{:?}", watcher.learned());
        let saved = serde_json::to_string(&watcher).expect("plain data");
        let mut again: Beliefs = serde_json::from_str(&saved).expect("it was just written");
        assert_eq!(again, watcher);
        let mut other = Beliefs::new();
        watch(&mut other, &places, 900);
        for beliefs in [&mut watcher, &mut again, &mut other] {
            let mut percept = Percept { tick: 901, period_secs: 0.1, ..Percept::default() };
            percept.own.position = DVec3::new(-50.0, 0.0, 0.0);
            percept.own.life = 10;
            let (position, velocity) = (DVec3::new(1.0, 0.0, 0.0), DVec3::new(4.0, 0.0, 0.0));
            percept.characters = vec![SeenCharacter { id: 1, position, velocity, weapon: None }];
            beliefs.update(&percept, &places);
            percept.characters.clear();
            for tick in 902..925 {
                percept.tick = tick;
                beliefs.update(&percept, &places);
            }
        }
        let right = |beliefs: &Beliefs| beliefs.expected()[3] / beliefs.expected()[2];
        assert_eq!(right(&watcher).to_bits(), right(&again).to_bits());
        assert!(right(&watcher) > 2.0 * right(&other), "{} {}", right(&watcher), right(&other));
    }

    #[test]
    fn ways_that_were_watched_surprise_less_and_others_more() {
        let places = fork();
        let mut watcher = Beliefs::new().watching();
        let (left, right) = ([0, 1, 2].map(Place), [0, 1, 3].map(Place));
        assert_eq!(watcher.surprise(&right, &places), Some((0.0, 0)), "before its first percept");
        watch(&mut watcher, &places, 90);
        let (before, choices) = watcher.surprise(&right, &places).expect("it learns");
        assert_eq!(choices, 1, "at the fork");
        assert_eq!(watcher.surprise(&left, &places), Some((before, 1)), "the map alone says nothing");
        watch(&mut watcher, &places, 900);
        let of = |way: &[Place]| watcher.surprise(way, &places).expect("it learns").0;
        assert!(of(&right) < before && before < of(&left), "{} {before} {}", of(&right), of(&left));
        assert_eq!(Beliefs::new().surprise(&right, &places), None, "who does not learn");
    }

    #[test]
    fn a_player_is_known_by_name_alone_if_there_was_only_one() {
        let mut model = model(&fork());
        model.players = vec!["0 hunter".into(), "1 stalker".into()];
        assert_eq!(Habits::player(&model, "1 stalker"), Some(1));
        assert_eq!(Habits::player(&model, "stalker"), Some(1));
        assert_eq!(Habits::player(&model, "native:3"), None);
        model.players = vec!["0 hunter".into(), "1 hunter".into()];
        assert_eq!(Habits::player(&model, "hunter"), None, "which of the two?");
    }

    /// Somebody who waits at point 3 for half a minute each time.
    #[test]
    fn who_waits_somewhere_is_believed_to_be_there_still() {
        let places = fork();
        let waits = |secs: usize| {
            let way = [&[0, 1][..], &vec![3; secs], &[1]].concat();
            let routes = Routes {
                points: places.points().to_vec(),
                period_secs: 1.0,
                ways: vec![way; 8],
                are_lives: true,
            };
            believed(&places, Some(Habits { maps: vec![routes] }))
        };
        let ((_, passes), (_, stays)) = (waits(1), waits(30));
        assert!(stays > 1.5 * passes, "{stays} {passes}");
    }

    #[test]
    fn a_model_of_another_map_counts_for_nothing() {
        let places = fork();
        let mut elsewhere = model(&places);
        elsewhere.places.centres[2][0] += 1.0;
        let habits = Habits::new().with(&elsewhere, Some("righty"));
        assert!(!habits.know(&places));
        assert_eq!(believed(&places, Some(habits)), believed(&places, None));
    }
}
